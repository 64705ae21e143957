/* A mod in C that does, row by row of its page, what a mod may do and what it must not. */
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

typedef struct Mod {
    const OpenracHost *host;
    OpenracPageHandle page, other;
    OpenracFigureHandle figure;
    int value, shown, hidden, answers, answer, shown_inside, opening;
    unsigned ticks, page_ticks;
    int nosy;
    char text[256];
} Mod;

static const char *const ROWS[] = {"Figure", "Value",   "Wrong thread", "Stale",     "Bad pose",
                                   "Ask",    "Other",   "Stop",         "Keep",      "No page",
                                   "Nosy",   "Message", "Bad text",     "Bad table", "Remove"};
#define ROW_COUNT (sizeof ROWS / sizeof ROWS[0])

static OpenracStr str(const char *text) {
    OpenracStr s;
    s.ptr = text;
    s.len = strlen(text);
    return s;
}

static int is(OpenracStr text, const char *other) {
    return text.len == strlen(other) && memcmp(text.ptr, other, text.len) == 0;
}

static OpenracStr title(void *user) {
    Mod *mod = user;
    if (mod->nosy) mod->host->phase(mod->host->user);
    return str("Test");
}

static uint32_t one(void *user) {
    (void)user;
    return 1;
}

static OpenracStr line(void *user, uint32_t index) {
    Mod *mod = user;
    (void)index;
    snprintf(mod->text, sizeof mod->text, "value %d, shown %d, hidden %d, inside %d, answers %d of %d",
             mod->value, mod->shown, mod->hidden, mod->shown_inside, mod->answers, mod->answer);
    return str(mod->text);
}

static OpenracStr footer(void *user, uint32_t index) {
    (void)index;
    return str(((Mod *)user)->page_ticks > 0 ? "ticked" : "not ticked");
}

static uint32_t row_count(void *user) {
    (void)user;
    return (uint32_t)ROW_COUNT;
}

static uint8_t row(void *user, uint32_t index, OpenracRow *out) {
    (void)user;
    if (index >= ROW_COUNT) return 0;
    out->label = str(ROWS[index]);
    out->kind = index == 1 ? OPENRAC_ROW_VALUE : OPENRAC_ROW_ACTION;
    return 1;
}

static void done(void *user, uint8_t answer) {
    Mod *mod = user;
    mod->answers++;
    mod->answer = answer;
}

#ifdef _WIN32
static DWORD WINAPI elsewhere(LPVOID user) {
#else
static void *elsewhere(void *user) {
#endif
    Mod *mod = user;
    mod->host->message(mod->host->user, str("from another thread"), 60.0f);
    return 0;
}

static void from_another_thread(Mod *mod) {
#ifdef _WIN32
    HANDLE thread = CreateThread(NULL, 0, elsewhere, mod, 0, NULL);
    WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
#else
    pthread_t thread;
    if (pthread_create(&thread, NULL, elsewhere, mod) == 0) pthread_join(thread, NULL);
#endif
}

static void pose_figure(Mod *mod, float x) {
    OpenracPose pose;
    memset(&pose, 0, sizeof pose);
    pose.position.x = x;
    pose.position.y = 2;
    pose.health = 4;
    mod->host->figure_pose(mod->host->user, mod->figure, &pose);
}

static void choose(void *user, uint32_t row) {
    Mod *mod = user;
    const OpenracHost *host = mod->host;
    OpenracStr kept, bad;
    OpenracPageDef small;
    float zero = 0;
    if (row >= ROW_COUNT) return;
    if (strcmp(ROWS[row], "Figure") == 0) {
        mod->figure = host->figure_make(host->user, str("Skid"));
        pose_figure(mod, 1);
        host->figure_show(host->user, mod->figure, 1);
    } else if (strcmp(ROWS[row], "Wrong thread") == 0) {
        from_another_thread(mod);
    } else if (strcmp(ROWS[row], "Stale") == 0) {
        host->figure_show(host->user, 12345, 1);
        host->moby_kill(host->user, 7, OPENRAC_KILL_QUIET);
    } else if (strcmp(ROWS[row], "Bad pose") == 0) {
        pose_figure(mod, zero / zero);
    } else if (strcmp(ROWS[row], "Ask") == 0) {
        if (!host->prompt(host->user, str("Really?"), str("Yes"), str("No"), done, mod)) mod->answers = -1;
    } else if (strcmp(ROWS[row], "Other") == 0) {
        mod->opening = 1;
        host->page_open(host->user, mod->other);
        mod->opening = 0;
    } else if (strcmp(ROWS[row], "Stop") == 0) {
        host->title_return(host->user, mod->page);
    } else if (strcmp(ROWS[row], "Keep") == 0) {
        kept = host->build(host->user);
        if (!is(kept, "1.2.0/PLAY-00001")) return;
        host->frame(host->user);
        host->message(host->user, str(is(kept, "1.2.0/PLAY-00001") ? "kept" : "gone"), 60.0f);
    } else if (strcmp(ROWS[row], "No page") == 0) {
        host->page_open(host->user, 99);
    } else if (strcmp(ROWS[row], "Nosy") == 0) {
        mod->nosy = 1;
    } else if (strcmp(ROWS[row], "Message") == 0) {
        host->message(host->user, str("Hello"), 1.0f);
    } else if (strcmp(ROWS[row], "Bad text") == 0) {
        bad = str("\xff\xfe");
        host->message(host->user, bad, 1.0f);
        bad.ptr = NULL;
        host->message(host->user, bad, 1.0f);
    } else if (strcmp(ROWS[row], "Bad table") == 0) {
        memset(&small, 0, sizeof small);
        small.size = 4;
        host->page_add(host->user, &small);
        host->hero_pose(host->user, NULL);
    } else if (strcmp(ROWS[row], "Remove") == 0) {
        host->figure_remove(host->user, mod->figure);
    }
}

static void step(void *user, uint32_t row, int32_t direction, uint32_t held_ticks) {
    (void)row;
    ((Mod *)user)->value += direction * (held_ticks >= 40 ? 10 : 1);
}

static void back(void *user) {
    Mod *mod = user;
    mod->host->page_close(mod->host->user);
}

static void shown(void *user) { ((Mod *)user)->shown++; }
static void hidden(void *user) { ((Mod *)user)->hidden++; }
static void page_tick(void *user) { ((Mod *)user)->page_ticks++; }

static OpenracStr other_title(void *user) {
    (void)user;
    return str("Other");
}

static void other_shown(void *user) {
    Mod *mod = user;
    if (mod->opening) mod->shown_inside++;
}

static void other_back(void *user) {
    Mod *mod = user;
    mod->host->page_open(mod->host->user, mod->page);
}

static void tick(void *user) { ((Mod *)user)->ticks++; }
static void drawn(void *user) { (void)user; }

static void unload(void *user) {
    Mod *mod = user;
    mod->host->log(mod->host->user, OPENRAC_LOG_INFO, str("unloaded"));
    free(mod);
}

int32_t openrac_mod_entry(const OpenracHost *host, OpenracMod *out) {
    OpenracPageDef page, other;
    Mod *mod;
    if (is(host->setting(host->user, str("Refuse")), "1")) {
        host->log(host->user, OPENRAC_LOG_ERROR, str("told to refuse"));
        return OPENRAC_REFUSED_FAILED;
    }
    mod = calloc(1, sizeof *mod);
    if (mod == NULL) return OPENRAC_REFUSED_FAILED;
    mod->host = host;
    memset(&page, 0, sizeof page);
    page.size = sizeof page;
    page.user = mod;
    page.title = title;
    page.line_count = one;
    page.line = line;
    page.row_count = row_count;
    page.row = row;
    page.footer_count = one;
    page.footer_line = footer;
    page.choose = choose;
    page.step = step;
    page.back = back;
    page.shown = shown;
    page.hidden = hidden;
    page.tick = page_tick;
    memset(&other, 0, sizeof other);
    other.size = sizeof other;
    other.user = mod;
    other.title = other_title;
    other.shown = other_shown;
    other.back = other_back;
    mod->page = host->page_add(host->user, &page);
    mod->other = host->page_add(host->user, &other);
    host->menu_item(host->user, OPENRAC_MENU_MAIN, str("Load Game"), str("Test"), mod->page);
    host->menu_item(host->user, OPENRAC_MENU_PAUSE, str("Video"), str("Test"), mod->page);
    host->log(host->user, OPENRAC_LOG_INFO, str("loaded"));
    out->user = mod;
    out->tick = tick;
    out->drawn = drawn;
    out->unload = unload;
    return OPENRAC_LOADED;
}
