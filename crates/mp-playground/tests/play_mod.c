/* A mod in C that makes the play calls about the card, starts, travel and scenes, and writes to the log
 * what the game answers. Its setting Do is a list of "PHASE,TICK,WHAT" with a blank between: done once,
 * in the tick of that number of that phase in a row, from 1. */
#include "test_mod.h"

typedef struct Mod {
    Head head;
    OpenracPageHandle page;
    char plan[1024];
    unsigned done;  /* bits of the plan's entries */
    unsigned phase, ticks;
    int refuse;
    uint8_t save[OPENRAC_SAVE_SIZE + 1];
    size_t save_size;
} Mod;

static void say(Mod *mod, const char *text) { CALL(mod, log)(USER(mod), OPENRAC_LOG_INFO, str(text)); }

static void cards(Mod *mod) {
    OpenracCardSave save;
    char text[200];
    for (unsigned slot = 0; slot <= OPENRAC_CARD_SLOTS; slot++) {
        uint8_t is = CALL(mod, card_save)(USER(mod), (uint8_t)slot, &save);
        size_t small = CALL(mod, save_read)(USER(mod), (uint8_t)slot, mod->save, 10);
        size_t size = CALL(mod, save_read)(USER(mod), (uint8_t)slot, mod->save, sizeof mod->save);
        if (size > 0) mod->save_size = size;
        if (is)
            snprintf(text, sizeof text, "slot %u: used %d damaged %d level %d gold %u size %u %u", slot,
                     save.used, save.damaged, (int)save.level, (unsigned)save.gold_bolts, (unsigned)small,
                     (unsigned)size);
        else
            snprintf(text, sizeof text, "slot %u: none, size %u", slot, (unsigned)size);
        say(mod, text);
    }
    CALL(mod, card_save)(USER(mod), 0, NULL);
}

static void capture(Mod *mod) {
    char text[100];
    size_t none = CALL(mod, save_capture)(USER(mod), NULL, 0);
    mod->save_size = CALL(mod, save_capture)(USER(mod), mod->save, sizeof mod->save);
    snprintf(text, sizeof text, "captured %u %u", (unsigned)none, (unsigned)mod->save_size);
    say(mod, text);
}

static void start(Mod *mod, uint8_t mode, const uint8_t *save, size_t size, int32_t level) {
    char text[100];
    snprintf(text, sizeof text, "start %d", CALL(mod, play_start)(USER(mod), mode, save, size, level));
    say(mod, text);
}

static void scene(Mod *mod) {
    OpenracScene now;
    char text[100];
    if (CALL(mod, scene)(USER(mod), &now))
        snprintf(text, sizeof text, "scene %d kind %d at %u", (int)now.number, now.kind,
                 (unsigned)now.elapsed_ms);
    else
        snprintf(text, sizeof text, "no scene");
    say(mod, text);
}

static void play_scene(Mod *mod, int32_t number) {
    char text[100];
    snprintf(text, sizeof text, "play_scene %d: %d", (int)number,
             CALL(mod, play_scene)(USER(mod), number));
    say(mod, text);
}

static void progress(Mod *mod) {
    OpenracProgress has;
    char text[100];
    CALL(mod, progress_give)(USER(mod), OPENRAC_GIVE_ITEM, 15);
    CALL(mod, progress_give)(USER(mod), OPENRAC_GIVE_GOLD_BOLT, 79);
    CALL(mod, progress_give)(USER(mod), OPENRAC_GIVE_PLANET, 3);
    CALL(mod, progress_give)(USER(mod), OPENRAC_GIVE_PLANET, 20);
    CALL(mod, progress_give)(USER(mod), 9, 0);
    CALL(mod, bolts_add)(USER(mod), 40);
    CALL(mod, progress)(USER(mod), &has);
    snprintf(text, sizeof text, "has %d %d %d", has.items[15], has.gold_bolts[79], has.planets[3]);
    say(mod, text);
}

static void where(Mod *mod) {
    char text[100];
    int32_t level = CALL(mod, level)(USER(mod));
    OpenracStr name = CALL(mod, level_name)(USER(mod), level);
    snprintf(text, sizeof text, "level %d: %.*s, ", (int)level, (int)name.len, name.ptr);
    name = CALL(mod, level_name)(USER(mod), 77);
    snprintf(text + strlen(text), sizeof text - strlen(text), "level 77: %u letters, control %d",
             (unsigned)name.len, CALL(mod, in_control)(USER(mod)));
    say(mod, text);
}

static void act(Mod *mod, const char *what) {
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
    else if (strcmp(what, "skip-own") == 0) CALL(mod, scene_skip)(USER(mod), OPENRAC_SKIP_OWN, 0);
    else if (strcmp(what, "skip-1") == 0) CALL(mod, scene_skip)(USER(mod), OPENRAC_SKIP_LEVEL, 1);
    else if (strcmp(what, "skip-0") == 0) CALL(mod, scene_skip)(USER(mod), OPENRAC_SKIP_LEVEL, 0);
    else if (strcmp(what, "skip-movie") == 0) CALL(mod, scene_skip)(USER(mod), OPENRAC_SKIP_MOVIE, -1);
    else if (strcmp(what, "skip-9") == 0) CALL(mod, scene_skip)(USER(mod), 9, 0);
    else if (strcmp(what, "travel") == 0) CALL(mod, travel)(USER(mod), 0);
    else if (strcmp(what, "travel-77") == 0) CALL(mod, travel)(USER(mod), 77);
    else if (strcmp(what, "title") == 0) CALL(mod, title_return)(USER(mod), mod->page);
    else if (strcmp(what, "title-99") == 0) CALL(mod, title_return)(USER(mod), 99);
    else if (strcmp(what, "hold") == 0) CALL(mod, control_hold)(USER(mod), 1, str("Waiting"));
    else if (strcmp(what, "free") == 0) CALL(mod, control_hold)(USER(mod), 0, str(""));
    else if (strcmp(what, "go-on") == 0) CALL(mod, menus_pause)(USER(mod), 0);
    else if (strcmp(what, "message") == 0) CALL(mod, message)(USER(mod), str("Hello"), 2.0f);
    else if (strcmp(what, "refuse") == 0) mod->refuse = 1;
    else if (strcmp(what, "where") == 0) where(mod);
    else if (strcmp(what, "reached") == 0) say_reached(&mod->head);
    else if (strcmp(what, "no-hooks") == 0) CALL(mod, hooks_set)(USER(mod), NULL);
    else say(mod, "not understood");
}

static void tick(void *user) {
    Mod *mod = user;
    unsigned phase;
    const char *entry = mod->plan;
    char what[40];
    unsigned at, in, number;
    IN_MOD(mod, tick);
    phase = CALL(mod, phase)(USER(mod));
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
    IN_HOOK(mod, on_travel);
    snprintf(text, sizeof text, "on_travel %d %d", (int)level, by_ship);
    say(mod, text);
    return mod->refuse ? OPENRAC_REFUSE : OPENRAC_ALLOW;
}

static uint8_t on_skip(void *user, uint8_t what, int32_t number) {
    Mod *mod = user;
    char text[100];
    IN_HOOK(mod, on_skip);
    snprintf(text, sizeof text, "on_skip %d %d", what, (int)number);
    say(mod, text);
    if (!mod->refuse) return OPENRAC_ALLOW;
    CALL(mod, message)(USER(mod), str("Only the host can skip"), 3.0f);
    return OPENRAC_REFUSE;
}

static OpenracStr title(void *user) {
    (void)user;
    return str("Play");
}

int32_t openrac_mod_entry(const OpenracHost *host, OpenracMod *out) {
    OpenracPageDef page;
    OpenracHooks hooks;
    OpenracStr plan;
    Mod *mod = calloc(1, sizeof *mod);
    if (mod == NULL) return OPENRAC_REFUSED_FAILED;
    mod->head.host = host;
    plan = CALL(mod, setting)(USER(mod), str("Do"));
    if (plan.len >= sizeof mod->plan) return OPENRAC_REFUSED_FAILED;
    memcpy(mod->plan, plan.ptr, plan.len);
    memset(&page, 0, sizeof page);
    page.size = sizeof page;
    page.user = mod;
    page.title = title;
    mod->page = CALL(mod, page_add)(USER(mod), &page);
    memset(&hooks, 0, sizeof hooks);
    hooks.size = 4;
    CALL(mod, hooks_set)(USER(mod), &hooks);
    hooks.size = sizeof hooks;
    hooks.user = mod;
    hooks.on_travel = on_travel;
    hooks.on_skip = on_skip;
    CALL(mod, hooks_set)(USER(mod), &hooks);
    out->user = mod;
    out->tick = tick;
    out->drawn = drawn;
    out->unload = unload;
    return OPENRAC_LOADED;
}
