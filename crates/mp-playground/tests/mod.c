/* A mod in C that does, row by row of its page, what a mod may do and what it must not. */
#include "test_mod.h"

/* A class that a figure can wear. */
#define WRENCH 71

typedef struct Mod {
    Head head;
    OpenracPageHandle page, other;
    OpenracFigureHandle figure;
    int value, shown, hidden, answers, answer, shown_inside, opening;
    unsigned ticks, page_ticks;
    int nosy;
    char text[256];
} Mod;

static const char *const ROWS[] = {"Figure", "Value",   "Wrong thread", "Stale",     "Bad pose",
                                   "Ask",    "Other",   "Stop",         "Keep",      "No page",
                                   "Nosy",   "Message", "Bad text",     "Bad table", "Remove",
                                   "Base",   "Cursor",  "Sounds",       "Dress",     "Reached"};
#define ROW_COUNT (sizeof ROWS / sizeof ROWS[0])

static OpenracStr title(void *user) {
    Mod *mod = user;
    IN_PAGE(mod, title);
    if (mod->nosy) CALL(mod, phase)(USER(mod));
    return str("Test");
}

static uint32_t line_count(void *user) {
    IN_PAGE((Mod *)user, line_count);
    return 1;
}

static OpenracStr line(void *user, uint32_t index) {
    Mod *mod = user;
    (void)index;
    IN_PAGE(mod, line);
    snprintf(mod->text, sizeof mod->text, "value %d, shown %d, hidden %d, inside %d, answers %d of %d",
             mod->value, mod->shown, mod->hidden, mod->shown_inside, mod->answers, mod->answer);
    return str(mod->text);
}

static uint32_t footer_count(void *user) {
    IN_PAGE((Mod *)user, footer_count);
    return 1;
}

static OpenracStr footer_line(void *user, uint32_t index) {
    Mod *mod = user;
    (void)index;
    IN_PAGE(mod, footer_line);
    return str(mod->page_ticks > 0 ? "ticked" : "not ticked");
}

static uint32_t row_count(void *user) {
    IN_PAGE((Mod *)user, row_count);
    return (uint32_t)ROW_COUNT;
}

static uint8_t row(void *user, uint32_t index, OpenracRow *out) {
    IN_PAGE((Mod *)user, row);
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

static void elsewhere(void *user) {
    Mod *mod = user;
    CALL(mod, message)(USER(mod), str("from another thread"), 60.0f);
}

static void pose_figure(Mod *mod, float x) {
    OpenracPose pose;
    memset(&pose, 0, sizeof pose);
    pose.position.x = x;
    pose.position.y = 2;
    pose.health = 4;
    CALL(mod, figure_pose)(USER(mod), mod->figure, &pose);
}

/* What a game says of itself. */
static void base(Mod *mod) {
    char text[200];
    unsigned rate = CALL(mod, tick_rate)(USER(mod));
    OpenracStr given = CALL(mod, launcher_name)(USER(mod));
    snprintf(text, sizeof text, "%u ticks a second, %.*s, ", rate, (int)given.len, given.ptr);
    given = CALL(mod, work_dir)(USER(mod));
    snprintf(text + strlen(text), sizeof text - strlen(text), "%.*s", (int)given.len, given.ptr);
    CALL(mod, log)(USER(mod), OPENRAC_LOG_INFO, str(text));
}

static void dress(Mod *mod) {
    char text[100];
    OpenracPiece pieces[OPENRAC_POSE_PIECES + 1];
    OpenracShot shot;
    uint32_t worn;
    memset(pieces, 0, sizeof pieces);
    memset(&shot, 0, sizeof shot);
    pieces[0].moby_class = WRENCH;
    pieces[1].moby_class = 9999;
    worn = CALL(mod, figure_wear)(USER(mod), mod->figure, pieces, 2);
    snprintf(text, sizeof text, "wears %u", (unsigned)worn);
    CALL(mod, log)(USER(mod), OPENRAC_LOG_INFO, str(text));
    CALL(mod, figure_wear)(USER(mod), mod->figure, pieces, OPENRAC_POSE_PIECES + 1);
    shot.velocity.x = 30;
    CALL(mod, figure_fire)(USER(mod), mod->figure, &shot);
}

static void sounds(Mod *mod) {
    for (unsigned which = OPENRAC_SOUND_MOVE; which <= OPENRAC_SOUND_REFUSED + 1; which++)
        CALL(mod, menu_sound)(USER(mod), (uint8_t)which);
}

static void choose(void *user, uint32_t row) {
    Mod *mod = user;
    OpenracStr kept, bad;
    OpenracPageDef small;
    float zero = 0;
    IN_PAGE(mod, choose);
    if (row >= ROW_COUNT) return;
    if (strcmp(ROWS[row], "Figure") == 0) {
        mod->figure = CALL(mod, figure_make)(USER(mod), str("Skid"));
        pose_figure(mod, 1);
        CALL(mod, figure_show)(USER(mod), mod->figure, 1);
    } else if (strcmp(ROWS[row], "Wrong thread") == 0) {
        on_another_thread(elsewhere, mod);
    } else if (strcmp(ROWS[row], "Stale") == 0) {
        CALL(mod, figure_show)(USER(mod), 12345, 1);
        CALL(mod, moby_kill)(USER(mod), 7, OPENRAC_KILL_QUIET);
    } else if (strcmp(ROWS[row], "Bad pose") == 0) {
        pose_figure(mod, zero / zero);
    } else if (strcmp(ROWS[row], "Ask") == 0) {
        if (!CALL(mod, prompt)(USER(mod), str("Really?"), str("Yes"), str("No"), done, mod)) mod->answers = -1;
    } else if (strcmp(ROWS[row], "Other") == 0) {
        mod->opening = 1;
        CALL(mod, page_open)(USER(mod), mod->other);
        mod->opening = 0;
    } else if (strcmp(ROWS[row], "Stop") == 0) {
        CALL(mod, title_return)(USER(mod), mod->page);
    } else if (strcmp(ROWS[row], "Keep") == 0) {
        kept = CALL(mod, build)(USER(mod));
        if (!is(kept, "1.2.0/PLAY-00001")) return;
        CALL(mod, frame)(USER(mod));
        CALL(mod, message)(USER(mod), str(is(kept, "1.2.0/PLAY-00001") ? "kept" : "gone"), 60.0f);
    } else if (strcmp(ROWS[row], "No page") == 0) {
        CALL(mod, page_open)(USER(mod), 99);
    } else if (strcmp(ROWS[row], "Nosy") == 0) {
        mod->nosy = 1;
    } else if (strcmp(ROWS[row], "Message") == 0) {
        CALL(mod, message)(USER(mod), str("Hello"), 1.0f);
    } else if (strcmp(ROWS[row], "Bad text") == 0) {
        bad = str("\xff\xfe");
        CALL(mod, message)(USER(mod), bad, 1.0f);
        bad.ptr = NULL;
        CALL(mod, message)(USER(mod), bad, 1.0f);
    } else if (strcmp(ROWS[row], "Bad table") == 0) {
        memset(&small, 0, sizeof small);
        small.size = 4;
        CALL(mod, page_add)(USER(mod), &small);
        CALL(mod, hero_pose)(USER(mod), NULL);
    } else if (strcmp(ROWS[row], "Base") == 0) {
        base(mod);
    } else if (strcmp(ROWS[row], "Cursor") == 0) {
        CALL(mod, page_cursor)(USER(mod), 1);
    } else if (strcmp(ROWS[row], "Sounds") == 0) {
        sounds(mod);
    } else if (strcmp(ROWS[row], "Dress") == 0) {
        dress(mod);
    } else if (strcmp(ROWS[row], "Reached") == 0) {
        say_reached(&mod->head);
    } else if (strcmp(ROWS[row], "Remove") == 0) {
        CALL(mod, figure_remove)(USER(mod), mod->figure);
    }
}

static void step(void *user, uint32_t row, int32_t direction, uint32_t held_ticks) {
    Mod *mod = user;
    (void)row;
    IN_PAGE(mod, step);
    mod->value += direction * (held_ticks >= 40 ? 10 : 1);
}

static void back(void *user) {
    Mod *mod = user;
    IN_PAGE(mod, back);
    CALL(mod, page_close)(USER(mod));
}

static void shown(void *user) {
    Mod *mod = user;
    IN_PAGE(mod, shown);
    mod->shown++;
}

static void hidden(void *user) {
    Mod *mod = user;
    IN_PAGE(mod, hidden);
    mod->hidden++;
}

static void page_tick(void *user) {
    Mod *mod = user;
    IN_PAGE(mod, tick);
    mod->page_ticks++;
}

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
    CALL(mod, page_open)(USER(mod), mod->page);
}

static void tick(void *user) {
    Mod *mod = user;
    IN_MOD(mod, tick);
    mod->ticks++;
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
    mod->head.host = host;
    memset(&page, 0, sizeof page);
    page.size = sizeof page;
    page.user = mod;
    page.title = title;
    page.line_count = line_count;
    page.line = line;
    page.row_count = row_count;
    page.row = row;
    page.footer_count = footer_count;
    page.footer_line = footer_line;
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
    mod->page = CALL(mod, page_add)(USER(mod), &page);
    mod->other = CALL(mod, page_add)(USER(mod), &other);
    CALL(mod, menu_item)(USER(mod), OPENRAC_MENU_MAIN, str("Load Game"), str("Test"), mod->page);
    CALL(mod, menu_item)(USER(mod), OPENRAC_MENU_PAUSE, str("Video"), str("Test"), mod->page);
    CALL(mod, log)(USER(mod), OPENRAC_LOG_INFO, str("loaded"));
    out->user = mod;
    out->tick = tick;
    out->drawn = drawn;
    out->unload = unload;
    return OPENRAC_LOADED;
}
