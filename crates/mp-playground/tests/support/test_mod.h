/* What the mods of these tests share: strings, the log, another thread, and which calls and callbacks of
 * the header were reached. Each is included by one mod, whose Mod begins with a Head. */
#ifndef TEST_MOD_H
#define TEST_MOD_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "openrac_mod.h"

#ifdef _WIN32
#include <windows.h>
__declspec(dllexport)
#else
#include <pthread.h>
#endif
int32_t openrac_mod_entry(const OpenracHost *host, OpenracMod *mod);

#define REACHED_MAX 128

/* The names of what was reached, each once. */
typedef struct Reached {
    const char *names[REACHED_MAX];
    unsigned count;
} Reached;

/* What every mod begins with, so that what is here knows it too. */
typedef struct Head {
    const OpenracHost *host;
    Reached reached;
} Head;

static inline void note(Reached *reached, const char *name) {
    for (unsigned i = 0; i < reached->count; i++)
        if (strcmp(reached->names[i], name) == 0) return;
    if (reached->count < REACHED_MAX) reached->names[reached->count++] = name;
}

/* A call of the game: CALL(mod, message)(USER(mod), text, seconds). */
#define CALL(mod, name) (note(&(mod)->head.reached, "OpenracHost." #name), (mod)->head.host->name)
#define USER(mod) ((mod)->head.host->user)

/* At the start of a callback: it was reached. */
#define IN_PAGE(mod, name) note(&(mod)->head.reached, "OpenracPageDef." #name)
#define IN_HOOK(mod, name) note(&(mod)->head.reached, "OpenracHooks." #name)
#define IN_MOD(mod, name) note(&(mod)->head.reached, "OpenracMod." #name)

static inline OpenracStr str(const char *text) {
    OpenracStr s;
    s.ptr = text;
    s.len = strlen(text);
    return s;
}

static inline int is(OpenracStr text, const char *other) {
    return text.len == strlen(other) && memcmp(text.ptr, other, text.len) == 0;
}

static inline void log_line(const OpenracHost *host, const char *text) {
    host->log(host->user, OPENRAC_LOG_INFO, str(text));
}

/* A line for each name, as "reached OpenracHost.log". */
static inline void say_reached(const Head *head) {
    char text[100];
    for (unsigned i = 0; i < head->reached.count; i++) {
        snprintf(text, sizeof text, "reached %s", head->reached.names[i]);
        log_line(head->host, text);
    }
}

/* OpenracMod's, where a mod has nothing of its own to do in them. */
static inline void drawn(void *user) { note(&((Head *)user)->reached, "OpenracMod.drawn"); }

static inline void unload(void *user) {
    Head *head = user;
    log_line(head->host, "reached OpenracMod.unload");
    free(head);
}

/* What a thread of the mod's own is to do. */
typedef struct Work {
    void (*work)(void *user);
    void *user;
} Work;

#ifdef _WIN32
static DWORD WINAPI work_there(LPVOID given) {
#else
static inline void *work_there(void *given) {
#endif
    const Work *work = (const Work *)given;
    work->work(work->user);
    return 0;
}

/* Does it on another thread, and waits for it. */
static inline void on_another_thread(void (*work)(void *user), void *user) {
    Work given;
    given.work = work;
    given.user = user;
#ifdef _WIN32
    HANDLE thread = CreateThread(NULL, 0, work_there, &given, 0, NULL);
    WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
#else
    pthread_t thread;
    if (pthread_create(&thread, NULL, work_there, &given) == 0) pthread_join(thread, NULL);
#endif
}

#endif
