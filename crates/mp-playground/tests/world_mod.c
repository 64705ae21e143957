/* A mod in C that makes the world calls and answers the world's hooks, and writes to the log what comes of
 * it. Its setting Do is a list of "TICK,WHAT" with a blank between: done once, in the tick of that number
 * in which the game plays, from 1. Its hooks answer the game's own way unless something was done. */
#include "test_mod.h"

#define MOBYS 1100
#define BOLT_CRATE 500
#define BOLT 600
#define NANOTECH 602
#define BITER 700

typedef struct Mod {
    Head head;
    char plan[512];
    unsigned done, ticks;
    OpenracMoby mobys[MOBYS];
    OpenracFigureHandle figure;
    OpenracMobyHandle made, skipped;
    unsigned gates, makes, mades, gones, hits, bolts, brokes, pickups, shots, figure_hits, figure_bolts;
    int stand_in, refuse, swallow, meddle, nonsense;
} Mod;

static void say(Mod *mod, const char *text) { CALL(mod, log)(USER(mod), OPENRAC_LOG_INFO, str(text)); }

static uint32_t list(Mod *mod) { return CALL(mod, mobys)(USER(mod), mod->mobys, MOBYS); }

static OpenracMoby *find(Mod *mod, OpenracMobyHandle handle) {
    uint32_t count = list(mod);
    for (uint32_t i = 0; i < count; i++)
        if (mod->mobys[i].handle == handle) return &mod->mobys[i];
    return NULL;
}

static OpenracMoby *placed(Mod *mod, int16_t moby_class) {
    uint32_t count = list(mod);
    for (uint32_t i = 0; i < count; i++)
        if (mod->mobys[i].moby_class == moby_class && mod->mobys[i].key != OPENRAC_KEY_NONE)
            return &mod->mobys[i];
    return NULL;
}

static OpenracVec3 near_hero(Mod *mod, float east, float north) {
    OpenracPose pose;
    OpenracVec3 at = {0, 0, 0};
    if (!CALL(mod, hero_pose)(USER(mod), &pose)) return at;
    at = pose.position;
    at.x += east;
    at.y += north;
    return at;
}

static void list_all(Mod *mod) {
    char text[160];
    uint32_t count = list(mod), of_keys = 0, enemies = 0;
    for (uint32_t i = 0; i < count; i++) {
        of_keys += mod->mobys[i].key == i;
        enemies += (mod->mobys[i].kinds & OPENRAC_KIND_ENEMY) != 0;
    }
    snprintf(text, sizeof text, "%u mobys, %u by key, %u records, %u enemies, %u without room", (unsigned)count,
             (unsigned)of_keys, (unsigned)CALL(mod, level_records)(USER(mod)), (unsigned)enemies,
             (unsigned)CALL(mod, mobys)(USER(mod), NULL, 0));
    say(mod, text);
    CALL(mod, mobys)(USER(mod), NULL, 5);
}

static void drive(Mod *mod) {
    OpenracMoby *biter = placed(mod, BITER);
    OpenracMobyPose pose;
    if (biter == NULL) return;
    memset(&pose, 0, sizeof pose);
    pose.position.x = 3;
    pose.position.y = 4;
    pose.animation.sequence = 2;
    pose.animation.speed = 0.5f;
    mod->made = biter->handle;
    CALL(mod, moby_pose)(USER(mod), mod->made, &pose, 0);
    CALL(mod, moby_drive)(USER(mod), mod->made, 1);
    CALL(mod, moby_pose)(USER(mod), mod->made, &pose, 1);
    pose.rotation.z = NAN;
    CALL(mod, moby_pose)(USER(mod), mod->made, &pose, 0);
}

static void driven(Mod *mod) {
    OpenracMoby *moby = find(mod, mod->made);
    char text[160];
    if (moby == NULL) return;
    snprintf(text, sizeof text, "at %.1f %.1f, ran %d, hidden %d, frame %d", moby->position.x,
             moby->position.y, moby->ran, moby->hidden, moby->animation.frame > 0);
    say(mod, text);
    CALL(mod, moby_drive)(USER(mod), mod->made, 0);
}

static void end(Mod *mod) {
    char text[160];
    OpenracVec3 far = near_hero(mod, 4, 0);
    OpenracMobyHandle quiet = CALL(mod, moby_make)(USER(mod), BOLT_CRATE, far, 0);
    OpenracMobyHandle loud = CALL(mod, moby_make)(USER(mod), BOLT_CRATE, far, 0);
    OpenracMobyHandle broken = placed(mod, BOLT_CRATE)->handle;
    unsigned makes = mod->makes, gones = mod->gones;
    int done;
    CALL(mod, moby_kill)(USER(mod), quiet, OPENRAC_KILL_QUIET);
    snprintf(text, sizeof text, "quiet: %u made, %u gone", mod->makes - makes, mod->gones - gones);
    say(mod, text);
    CALL(mod, moby_kill)(USER(mod), loud, OPENRAC_KILL_DEATH);
    snprintf(text, sizeof text, "loud: %u made, %u gone", mod->makes - makes, mod->gones - gones);
    say(mod, text);
    done = CALL(mod, moby_break)(USER(mod), broken, 0);
    snprintf(text, sizeof text, "broken: %d, %u made, %u gone, %u broke", done, mod->makes - makes,
             mod->gones - gones, mod->brokes);
    say(mod, text);
    CALL(mod, moby_kill)(USER(mod), quiet, OPENRAC_KILL_QUIET);
    CALL(mod, moby_break)(USER(mod), broken, 0);
    CALL(mod, moby_kill)(USER(mod), placed(mod, BITER)->handle, 9);
    snprintf(text, sizeof text, "no crate: %d", CALL(mod, moby_break)(USER(mod), placed(mod, BITER)->handle, 0));
    say(mod, text);
}

static void hit(Mod *mod) {
    OpenracHit hit;
    OpenracPose before, after;
    char text[160];
    int on_crate, on_nobody;
    unsigned brokes = mod->brokes, hits = mod->hits;
    memset(&hit, 0, sizeof hit);
    hit.target = CALL(mod, moby_make)(USER(mod), BOLT_CRATE, near_hero(mod, 4, 0), 0);
    hit.damage = 1;
    on_crate = CALL(mod, hit_post)(USER(mod), &hit);
    hit.target = 12345;
    on_nobody = CALL(mod, hit_post)(USER(mod), &hit);
    CALL(mod, hero_pose)(USER(mod), &before);
    CALL(mod, hero_hit)(USER(mod), &hit);
    CALL(mod, hero_pose)(USER(mod), &after);
    snprintf(text, sizeof text, "hit %d %d, broke %u, hero lost %d, asked %u", on_crate, on_nobody,
             mod->brokes - brokes, before.health - after.health, mod->hits - hits);
    say(mod, text);
    hit.attacker = 12345;
    CALL(mod, hero_hit)(USER(mod), &hit);
    hit.attacker = 0;
    hit.damage = INFINITY;
    CALL(mod, hit_post)(USER(mod), &hit);
    CALL(mod, hit_post)(USER(mod), NULL);
}

static void look(Mod *mod) {
    OpenracCameras cameras;
    OpenracVec3 eyes[4];
    char text[160];
    OpenracVec3 hero = near_hero(mod, 0, 0);
    memset(&cameras, 0, sizeof cameras);
    CALL(mod, cameras)(USER(mod), &cameras);
    snprintf(text, sizeof text, "cameras %.0f %.0f, %.0f", cameras.mods.y - hero.y,
             cameras.run_list.y - hero.y, cameras.pause_menu.z - hero.z);
    say(mod, text);
    memset(eyes, 0, sizeof eyes);
    eyes[0].y = 48;
    CALL(mod, eyes)(USER(mod), eyes, 1);
    CALL(mod, eyes)(USER(mod), eyes, 4);
    eyes[0].y = NAN;
    CALL(mod, eyes)(USER(mod), eyes, 1);
}

static void ran(Mod *mod) {
    char text[160];
    uint32_t count = list(mod), far = 0, near = 0;
    for (uint32_t i = 0; i < count; i++) {
        OpenracMoby *moby = &mod->mobys[i];
        if (moby->moby_class != BITER) continue;
        if (moby->distance > moby->update_distance) far += moby->ran;
        else near += moby->ran;
    }
    snprintf(text, sizeof text, "far biters that ran: %u, others: %u", (unsigned)far, (unsigned)near);
    say(mod, text);
}

static void stand_in(Mod *mod, float east, float north) {
    mod->figure = CALL(mod, figure_make)(USER(mod), str("Skid"));
    mod->stand_in = 2;
    /* The first gate finds it without a pose. */
    mod->made = CALL(mod, moby_make)(USER(mod), BITER, near_hero(mod, east + 3, north), 0);
    CALL(mod, moby_make)(USER(mod), BOLT, near_hero(mod, east + 1, north), 0);
}

static void pose_stand_in(Mod *mod, float east, float north) {
    OpenracPose pose;
    memset(&pose, 0, sizeof pose);
    pose.position = near_hero(mod, east, north);
    pose.health = 4;
    CALL(mod, figure_pose)(USER(mod), mod->figure, &pose);
    mod->stand_in = 1;
}

static void elsewhere(void *user) {
    Mod *mod = user;
    CALL(mod, moby_kill)(USER(mod), mod->made, OPENRAC_KILL_QUIET);
}

static void report(Mod *mod) {
    char text[240];
    snprintf(text, sizeof text,
             "gate %d, make %u, made %u, gone %u, hit %u, bolt %u, broke %u, pickup %u, shot %u, figure %u %u",
             mod->gates > 0, mod->makes, mod->mades, mod->gones, mod->hits, mod->bolts, mod->brokes,
             mod->pickups, mod->shots, mod->figure_hits, mod->figure_bolts);
    say(mod, text);
}

static void act(Mod *mod, const char *what) {
    if (strcmp(what, "list") == 0) list_all(mod);
    else if (strcmp(what, "drive") == 0) drive(mod);
    else if (strcmp(what, "driven") == 0) driven(mod);
    else if (strcmp(what, "end") == 0) end(mod);
    else if (strcmp(what, "hit") == 0) hit(mod);
    else if (strcmp(what, "look") == 0) look(mod);
    else if (strcmp(what, "ran") == 0) ran(mod);
    else if (strcmp(what, "crate") == 0)
        mod->made = CALL(mod, moby_make)(USER(mod), BOLT_CRATE, near_hero(mod, 0, 1.5f), 0);
    else if (strcmp(what, "bolt") == 0)
        mod->made = CALL(mod, moby_make)(USER(mod), BOLT, near_hero(mod, 1, 0), 0);
    else if (strcmp(what, "nanotech") == 0)
        mod->made = CALL(mod, moby_make)(USER(mod), NANOTECH, near_hero(mod, 0, 0), 0);
    else if (strcmp(what, "biter") == 0)
        mod->made = CALL(mod, moby_make)(USER(mod), BITER, near_hero(mod, 2, 0), 0);
    else if (strcmp(what, "unknown") == 0) {
        if (CALL(mod, moby_make)(USER(mod), 12345, near_hero(mod, 2, 0), 0) == 0) say(mod, "not made");
        CALL(mod, moby_make)(USER(mod), BOLT, near_hero(mod, 2, 0), NAN);
    } else if (strcmp(what, "skip") == 0) mod->skipped = mod->made;
    else if (strcmp(what, "stand-in") == 0) stand_in(mod, -9, 0);
    else if (strcmp(what, "pose") == 0) pose_stand_in(mod, -9, 0);
    else if (strcmp(what, "remove") == 0) CALL(mod, figure_remove)(USER(mod), mod->figure);
    else if (strcmp(what, "refuse") == 0) mod->refuse = 1;
    else if (strcmp(what, "swallow") == 0) mod->swallow = 1;
    else if (strcmp(what, "meddle") == 0) mod->meddle = 1;
    else if (strcmp(what, "nonsense") == 0) mod->nonsense = 1;
    else if (strcmp(what, "thread") == 0) on_another_thread(elsewhere, mod);
    else if (strcmp(what, "report") == 0) report(mod);
    else if (strcmp(what, "reached") == 0) say_reached(&mod->head);
    else if (strcmp(what, "where") == 0) {
        OpenracMoby *moby = find(mod, mod->made);
        say(mod, moby == NULL ? "it is gone" : "it is there");
    } else say(mod, "what?");
}

static uint8_t on_make(void *user, int16_t moby_class, uint32_t kinds, OpenracMobyHandle maker,
                       OpenracVec3 position) {
    Mod *mod = user;
    IN_HOOK(mod, on_make);
    (void)maker;
    mod->makes++;
    if (mod->meddle) CALL(mod, moby_kill)(USER(mod), mod->made, OPENRAC_KILL_QUIET);
    if (mod->meddle) CALL(mod, moby_make)(USER(mod), moby_class, position, 0);
    return mod->refuse && (kinds & OPENRAC_KIND_BOLT) ? OPENRAC_REFUSE : OPENRAC_ALLOW;
}

static void on_made(void *user, OpenracMobyHandle moby, int16_t moby_class, uint32_t kinds,
                    OpenracMobyHandle maker) {
    Mod *mod = user;
    OpenracMoby *made = find(mod, moby);
    IN_HOOK(mod, on_made);
    (void)maker;
    mod->mades++;
    if (made == NULL || made->moby_class != moby_class || made->kinds != kinds) say(mod, "made nothing");
}

static void on_gone(void *user, OpenracMobyHandle moby, uint8_t how, OpenracMobyHandle by) {
    Mod *mod = user;
    IN_HOOK(mod, on_gone);
    (void)how;
    (void)by;
    mod->gones++;
    if (find(mod, moby) == NULL) say(mod, "gone too soon");
}

static uint8_t gate(void *user, OpenracMobyHandle moby, OpenracFigureHandle *figure) {
    Mod *mod = user;
    IN_HOOK(mod, gate);
    mod->gates++;
    if (mod->nonsense) return 9;
    if (mod->meddle) {
        CALL(mod, moby_kill)(USER(mod), moby, OPENRAC_KILL_QUIET);
        CALL(mod, moby_make)(USER(mod), BOLT, near_hero(mod, 0, 0), 0);
    }
    if (moby == mod->skipped) return OPENRAC_GATE_SKIP;
    if (mod->stand_in == 0) return OPENRAC_GATE_RUN;
    *figure = mod->figure;
    return OPENRAC_GATE_STAND_IN;
}

static OpenracMobyHandle figure_moby(Mod *mod) {
    return mod->figure == 0 ? 0 : CALL(mod, figure_moby)(USER(mod), mod->figure);
}

static uint8_t on_hit(void *user, const OpenracHit *hit) {
    Mod *mod = user;
    IN_HOOK(mod, on_hit);
    mod->hits++;
    if (hit->target == figure_moby(mod)) mod->figure_hits++;
    if (mod->nonsense) return 9;
    return mod->swallow ? OPENRAC_HIT_SWALLOW : OPENRAC_HIT_DELIVER;
}

static uint8_t on_bolt(void *user, OpenracMobyHandle moby, OpenracMobyHandle collector, int32_t value) {
    Mod *mod = user;
    IN_HOOK(mod, on_bolt);
    (void)moby;
    mod->bolts += (unsigned)value;
    if (collector == figure_moby(mod)) mod->figure_bolts++;
    return mod->swallow ? OPENRAC_BOLT_SWALLOW : OPENRAC_BOLT_KEEP;
}

static void on_broke(void *user, OpenracMobyHandle moby, OpenracMobyHandle by) {
    Mod *mod = user;
    IN_HOOK(mod, on_broke);
    (void)moby;
    (void)by;
    mod->brokes++;
}

static void on_pickup(void *user, OpenracMobyHandle moby, OpenracMobyHandle by) {
    Mod *mod = user;
    IN_HOOK(mod, on_pickup);
    (void)moby;
    (void)by;
    mod->pickups++;
}

static void on_shot(void *user, const OpenracShot *shot) {
    Mod *mod = user;
    IN_HOOK(mod, on_shot);
    mod->shots += shot->item == 10;
}

static void tick(void *user) {
    Mod *mod = user;
    const char *entry = mod->plan;
    IN_MOD(mod, tick);
    if (CALL(mod, phase)(USER(mod)) != OPENRAC_PHASE_PLAYING) return;
    mod->ticks++;
    for (unsigned bit = 1; *entry != 0; bit <<= 1) {
        char what[32];
        unsigned at;
        if (sscanf(entry, "%u,%31s", &at, what) == 2 && at <= mod->ticks && (mod->done & bit) == 0) {
            mod->done |= bit;
            act(mod, what);
        }
        entry += strcspn(entry, " ");
        entry += strspn(entry, " ");
    }
}

int32_t openrac_mod_entry(const OpenracHost *host, OpenracMod *out) {
    OpenracHooks hooks;
    OpenracStr plan;
    Mod *mod = calloc(1, sizeof *mod);
    if (mod == NULL) return OPENRAC_REFUSED_FAILED;
    mod->head.host = host;
    plan = CALL(mod, setting)(USER(mod), str("Do"));
    if (plan.len >= sizeof mod->plan) return OPENRAC_REFUSED_FAILED;
    memcpy(mod->plan, plan.ptr, plan.len);
    memset(&hooks, 0, sizeof hooks);
    hooks.size = sizeof hooks;
    hooks.user = mod;
    hooks.on_shot = on_shot;
    hooks.on_make = on_make;
    hooks.on_made = on_made;
    hooks.on_gone = on_gone;
    hooks.gate = gate;
    hooks.on_hit = on_hit;
    hooks.on_bolt = on_bolt;
    hooks.on_broke = on_broke;
    hooks.on_pickup = on_pickup;
    CALL(mod, hooks_set)(USER(mod), &hooks);
    out->user = mod;
    out->tick = tick;
    out->drawn = drawn;
    out->unload = unload;
    return OPENRAC_LOADED;
}
