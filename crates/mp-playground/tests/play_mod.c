/* A mod in C that makes the play calls about the card, starts, travel and scenes, and writes to the log
 * what the game answers. Its setting Do is a list of "PHASE,TICK,WHAT" with a blank between: done once,
 * in the tick of that number of that phase in a row, from 1. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "openrac_mod.h"

#ifdef _WIN32
__declspec(dllexport)
#endif
int32_t openrac_mod_entry(const OpenracHost *host, OpenracMod *mod);

typedef struct Mod {
    const OpenracHost *host;
    OpenracPageHandle page;
    char plan[1024];
    unsigned done;  /* bits of the plan's entries */
    unsigned phase, ticks;
    int refuse;
    uint8_t save[OPENRAC_SAVE_SIZE + 1];
    size_t save_size;
} Mod;

static OpenracStr str(const char *text) {
    OpenracStr s;
    s.ptr = text;
    s.len = strlen(text);
    return s;
}

static void say(Mod *mod, const char *text) {
    mod->host->log(mod->host->user, OPENRAC_LOG_INFO, str(text));
}

static void cards(Mod *mod) {
    const OpenracHost *host = mod->host;
    OpenracCardSave save;
    char text[200];
    for (unsigned slot = 0; slot <= OPENRAC_CARD_SLOTS; slot++) {
        uint8_t is = host->card_save(host->user, (uint8_t)slot, &save);
        size_t small = host->save_read(host->user, (uint8_t)slot, mod->save, 10);
        size_t size = host->save_read(host->user, (uint8_t)slot, mod->save, sizeof mod->save);
        if (size > 0) mod->save_size = size;
        if (is)
            snprintf(text, sizeof text, "slot %u: used %d damaged %d level %d gold %u size %u %u", slot,
                     save.used, save.damaged, (int)save.level, (unsigned)save.gold_bolts, (unsigned)small,
                     (unsigned)size);
        else
            snprintf(text, sizeof text, "slot %u: none, size %u", slot, (unsigned)size);
        say(mod, text);
    }
    host->card_save(host->user, 0, NULL);
}

static void capture(Mod *mod) {
    const OpenracHost *host = mod->host;
    char text[100];
    size_t none = host->save_capture(host->user, NULL, 0);
    mod->save_size = host->save_capture(host->user, mod->save, sizeof mod->save);
    snprintf(text, sizeof text, "captured %u %u", (unsigned)none, (unsigned)mod->save_size);
    say(mod, text);
}

static void start(Mod *mod, uint8_t mode, const uint8_t *save, size_t size, int32_t level) {
    char text[100];
    snprintf(text, sizeof text, "start %d", mod->host->play_start(mod->host->user, mode, save, size, level));
    say(mod, text);
}

static void scene(Mod *mod) {
    OpenracScene now;
    char text[100];
    if (mod->host->scene(mod->host->user, &now))
        snprintf(text, sizeof text, "scene %d kind %d at %u", (int)now.number, now.kind,
                 (unsigned)now.elapsed_ms);
    else
        snprintf(text, sizeof text, "no scene");
    say(mod, text);
}

static void play_scene(Mod *mod, int32_t number) {
    char text[100];
    snprintf(text, sizeof text, "play_scene %d: %d", (int)number,
             mod->host->play_scene(mod->host->user, number));
    say(mod, text);
}

static void progress(Mod *mod) {
    const OpenracHost *host = mod->host;
    OpenracProgress has;
    char text[100];
    host->progress_give(host->user, OPENRAC_GIVE_ITEM, 15);
    host->progress_give(host->user, OPENRAC_GIVE_GOLD_BOLT, 79);
    host->progress_give(host->user, OPENRAC_GIVE_PLANET, 3);
    host->progress_give(host->user, OPENRAC_GIVE_PLANET, 20);
    host->progress_give(host->user, 9, 0);
    host->bolts_add(host->user, 40);
    host->progress(host->user, &has);
    snprintf(text, sizeof text, "has %d %d %d", has.items[15], has.gold_bolts[79], has.planets[3]);
    say(mod, text);
}

static void act(Mod *mod, const char *what) {
    const OpenracHost *host = mod->host;
    void *user = host->user;
    if (strcmp(what, "cards") == 0) cards(mod);
    else if (strcmp(what, "capture") == 0) capture(mod);
    else if (strcmp(what, "scene") == 0) scene(mod);
    else if (strcmp(what, "progress") == 0) progress(mod);
    else if (strcmp(what, "new") == 0) start(mod, OPENRAC_PLAY_NEW, NULL, 0, OPENRAC_LEVEL_NONE);
    else if (strcmp(what, "no-level") == 0) start(mod, OPENRAC_PLAY_NEW, NULL, 0, 77);
    else if (strcmp(what, "no-mode") == 0) start(mod, 9, NULL, 0, OPENRAC_LEVEL_NONE);
    else if (strcmp(what, "null") == 0)
        start(mod, OPENRAC_PLAY_SAVE, NULL, OPENRAC_SAVE_SIZE, OPENRAC_LEVEL_NONE);
    else if (strcmp(what, "cut") == 0)
        start(mod, OPENRAC_PLAY_SAVE, mod->save, mod->save_size - 1, OPENRAC_LEVEL_NONE);
    else if (strcmp(what, "flipped") == 0) {
        mod->save[1000] ^= 4;
        start(mod, OPENRAC_PLAY_SAVE, mod->save, mod->save_size, OPENRAC_LEVEL_NONE);
        mod->save[1000] ^= 4;
    } else if (strcmp(what, "save") == 0)
        start(mod, OPENRAC_PLAY_SAVE, mod->save, mod->save_size, OPENRAC_LEVEL_NONE);
    else if (strcmp(what, "play-1") == 0) play_scene(mod, 1);
    else if (strcmp(what, "play-9") == 0) play_scene(mod, 9);
    else if (strcmp(what, "skip-own") == 0) host->scene_skip(user, OPENRAC_SKIP_OWN, 0);
    else if (strcmp(what, "skip-1") == 0) host->scene_skip(user, OPENRAC_SKIP_LEVEL, 1);
    else if (strcmp(what, "skip-0") == 0) host->scene_skip(user, OPENRAC_SKIP_LEVEL, 0);
    else if (strcmp(what, "skip-movie") == 0) host->scene_skip(user, OPENRAC_SKIP_MOVIE, -1);
    else if (strcmp(what, "skip-9") == 0) host->scene_skip(user, 9, 0);
    else if (strcmp(what, "travel") == 0) host->travel(user, 0);
    else if (strcmp(what, "travel-77") == 0) host->travel(user, 77);
    else if (strcmp(what, "title") == 0) host->title_return(user, mod->page);
    else if (strcmp(what, "title-99") == 0) host->title_return(user, 99);
    else if (strcmp(what, "hold") == 0) host->control_hold(user, 1, str("Waiting"));
    else if (strcmp(what, "free") == 0) host->control_hold(user, 0, str(""));
    else if (strcmp(what, "go-on") == 0) host->menus_pause(user, 0);
    else if (strcmp(what, "message") == 0) host->message(user, str("Hello"), 2.0f);
    else if (strcmp(what, "refuse") == 0) mod->refuse = 1;
    else if (strcmp(what, "no-hooks") == 0) host->hooks_set(user, NULL);
    else say(mod, "not understood");
}

static void tick(void *user) {
    Mod *mod = user;
    unsigned phase = mod->host->phase(mod->host->user);
    const char *entry = mod->plan;
    char what[40];
    unsigned at, in, number;
    mod->ticks = phase == mod->phase ? mod->ticks + 1 : 1;
    mod->phase = phase;
    for (at = 0; *entry != '\0'; at++) {
        if (sscanf(entry, "%u,%u,%39[^ ]", &in, &number, what) != 3) {
            say(mod, "plan not understood");
        } else if (in == phase && number == mod->ticks && !(mod->done & 1u << at)) {
            mod->done |= 1u << at;
            act(mod, what);
        }
        entry += strcspn(entry, " ");
        entry += strspn(entry, " ");
    }
}

static uint8_t on_travel(void *user, int32_t level, uint8_t by_ship) {
    Mod *mod = user;
    char text[100];
    snprintf(text, sizeof text, "on_travel %d %d", (int)level, by_ship);
    say(mod, text);
    return mod->refuse ? OPENRAC_REFUSE : OPENRAC_ALLOW;
}

static uint8_t on_skip(void *user, uint8_t what, int32_t number) {
    Mod *mod = user;
    char text[100];
    snprintf(text, sizeof text, "on_skip %d %d", what, (int)number);
    say(mod, text);
    if (!mod->refuse) return OPENRAC_ALLOW;
    mod->host->message(mod->host->user, str("Only the host can skip"), 3.0f);
    return OPENRAC_REFUSE;
}

static OpenracStr title(void *user) {
    (void)user;
    return str("Play");
}

static void drawn(void *user) { (void)user; }
static void unload(void *user) { free(user); }

int32_t openrac_mod_entry(const OpenracHost *host, OpenracMod *out) {
    OpenracPageDef page;
    OpenracHooks hooks;
    OpenracStr plan = host->setting(host->user, str("Do"));
    Mod *mod = calloc(1, sizeof *mod);
    if (mod == NULL || plan.len >= sizeof mod->plan) return OPENRAC_REFUSED_FAILED;
    memcpy(mod->plan, plan.ptr, plan.len);
    mod->host = host;
    memset(&page, 0, sizeof page);
    page.size = sizeof page;
    page.user = mod;
    page.title = title;
    mod->page = host->page_add(host->user, &page);
    memset(&hooks, 0, sizeof hooks);
    hooks.size = 4;
    host->hooks_set(host->user, &hooks);
    hooks.size = sizeof hooks;
    hooks.user = mod;
    hooks.on_travel = on_travel;
    hooks.on_skip = on_skip;
    host->hooks_set(host->user, &hooks);
    out->user = mod;
    out->tick = tick;
    out->drawn = drawn;
    out->unload = unload;
    return OPENRAC_LOADED;
}
