/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * openrac_mod.h: the mod interface of OpenRAC, version 1.9. Plain C99, also C++.
 *
 * A mod is a shared library with one exported symbol, openrac_mod_entry. The game calls it with the
 * table of its own calls (OpenracHost) and a table to fill (OpenracMod).
 *
 * Rules, for every call below unless its comment says otherwise:
 *
 * - Threads. The game calls the mod on the game's thread only. The mod calls the game only from inside
 *   such a call, so on that thread too. No call blocks.
 * - Back again. A call of the game may call the mod's callbacks before it returns (page_open calls
 *   `shown`, say), and a callback may call the game, except where a comment says "not from here".
 * - Owner. The first argument of every call and callback is the `user` pointer of the table it stands
 *   in. One process loads a library once and may run several mods of it, each with its own `user`.
 * - Growing. Every table begins with its size in bytes and only ever grows at the end. A call is there
 *   when it lies within `size` and is not NULL. Structs without a size are fixed and never change.
 * - Strings are UTF-8 with a length and no terminating zero. An argument is valid for that call only.
 *   A string that is returned, or placed in an out-struct, is valid until its giver is next called: the
 *   receiver copies it at once. NULL with length 0 is the empty string.
 * - Buffers are the caller's. A call that fills one says what it would need when it is too small.
 * - Flags that are a uint8_t are 0 for no; anything else is yes.
 * - Handles are 0 for none. A handle that is no longer valid makes a call do nothing and answer 0.
 * - Units. Positions in the game's units, velocities in units a second, angles in radians within +-pi,
 *   ticks are game ticks (50 or 60 a second), other times as their name says.
 * - Nothing unwinds across the boundary, in either direction.
 */
#ifndef OPENRAC_MOD_H
#define OPENRAC_MOD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------ versions, entry */

/* Another major is another interface. A newer minor only adds at the ends of tables. */
#define OPENRAC_VERSION_MAJOR 1
#define OPENRAC_VERSION_MINOR 9

/* What openrac_mod_entry answers. Any value but OPENRAC_LOADED: not loaded, and why. */
#define OPENRAC_LOADED 0
#define OPENRAC_REFUSED_NULL 1    /* a table pointer is NULL */
#define OPENRAC_REFUSED_VERSION 2 /* the game's interface is another major, or too old a minor */
#define OPENRAC_REFUSED_TABLE 3   /* a table is too short, or lacks a call the mod cannot do without */
#define OPENRAC_REFUSED_FAILED 4  /* the mod could not start (a thread, an error of its own) */

/* ------------------------------------------------------------------ constants */

/* OpenracHost.log: level. */
#define OPENRAC_LOG_ERROR 0
#define OPENRAC_LOG_WARN 1
#define OPENRAC_LOG_INFO 2
#define OPENRAC_LOG_DEBUG 3

/* OpenracHost.menu_item: menu. */
#define OPENRAC_MENU_MAIN 0
#define OPENRAC_MENU_PAUSE 1

/* OpenracRow.kind. */
#define OPENRAC_ROW_ACTION 0 /* Cross chooses it */
#define OPENRAC_ROW_VALUE 1  /* Left and Right step it, Cross chooses it */
#define OPENRAC_ROW_TEXT 2   /* the cursor passes over it */

/* OpenracHost.menu_sound: which. */
#define OPENRAC_SOUND_MOVE 0
#define OPENRAC_SOUND_CHOOSE 1
#define OPENRAC_SOUND_BACK 2
#define OPENRAC_SOUND_REFUSED 3

/* The answer a prompt's done gets. */
#define OPENRAC_PROMPT_NO 0
#define OPENRAC_PROMPT_YES 1

/* OpenracHost.phase. */
#define OPENRAC_PHASE_BOOT 0
#define OPENRAC_PHASE_TITLE 1      /* the title, or a menu of the game's own in it */
#define OPENRAC_PHASE_TITLE_PAGE 2 /* a mod's page in the title */
#define OPENRAC_PHASE_LOADING 3
#define OPENRAC_PHASE_PLAYING 4
#define OPENRAC_PHASE_PAUSED 5 /* the pause menu, a mod's page in it too */
#define OPENRAC_PHASE_DIALOG 6
#define OPENRAC_PHASE_VENDOR 7
#define OPENRAC_PHASE_SCENE 8
#define OPENRAC_PHASE_MOVIE 9
#define OPENRAC_PHASE_TRAVEL 10
#define OPENRAC_PHASE_DYING 11

/* No level: OpenracHost.level in the title; play_start: the level the save names. */
#define OPENRAC_LEVEL_NONE (-1)

/* OpenracPose.flags (bits). */
#define OPENRAC_POSE_BLENDING 1 /* between two animations */
#define OPENRAC_POSE_TELEPORT 2 /* came here without moving (a level, a respawn) */
#define OPENRAC_POSE_IN_SCENE 4

/* OpenracPose.pieces: how many at most. */
#define OPENRAC_POSE_PIECES 8

/* OpenracPiece.flags (bits). */
#define OPENRAC_PIECE_HIDDEN 1
#define OPENRAC_PIECE_BLENDING 2
#define OPENRAC_PIECE_LOOSE 4 /* not on a joint: position and rotation say where it is */

/* The memory card's slots: 0 to OPENRAC_CARD_SLOTS - 1. */
#define OPENRAC_CARD_SLOTS 5
/* A save in bytes. */
#define OPENRAC_SAVE_SIZE 59912

/* OpenracHost.play_start: mode. */
#define OPENRAC_PLAY_NEW 0
#define OPENRAC_PLAY_SAVE 1

/* OpenracScene.kind. */
#define OPENRAC_SCENE_LEVEL 0  /* a scene of the level's own */
#define OPENRAC_SCENE_OWN 1    /* the game's own around it: landing, take-off, intro */
#define OPENRAC_SCENE_MOVIE 2  /* a movie */
#define OPENRAC_SCENE_CAMERA 3 /* a moby's shot, such as a gold bolt's */

/* OpenracHost.scene_skip and OpenracHooks.on_skip: what. */
#define OPENRAC_SKIP_OWN 0   /* a scene of the game's own (scene is ignored) */
#define OPENRAC_SKIP_LEVEL 1 /* the level's scene of that number */
#define OPENRAC_SKIP_MOVIE 2 /* a movie (scene is ignored) */

/* OpenracMoby.key of a moby made in play: it has no record in the level's file. */
#define OPENRAC_KEY_NONE 0xFFFF

/* OpenracMoby.kinds (bits). */
#define OPENRAC_KIND_PLACED 0x001     /* in the level's file: has a key */
#define OPENRAC_KIND_UPDATES 0x002    /* has an update of its own */
#define OPENRAC_KIND_ENEMY 0x004
#define OPENRAC_KIND_CREATURE 0x008
#define OPENRAC_KIND_CRATE 0x010
#define OPENRAC_KIND_BOLT 0x020
#define OPENRAC_KIND_PICKUP 0x040
#define OPENRAC_KIND_PLATFORM 0x080
#define OPENRAC_KIND_STATIC 0x100
#define OPENRAC_KIND_SERVICE 0x200    /* vendor, ship, person, help desk */
#define OPENRAC_KIND_PROJECTILE 0x400
#define OPENRAC_KIND_EFFECT 0x800

/* OpenracHost.moby_kill: how. */
#define OPENRAC_KILL_QUIET 0
#define OPENRAC_KILL_DEATH 1 /* debris and sound; no drops */

/* OpenracHooks.on_gone: how. */
#define OPENRAC_GONE_OWN 0   /* its own update removed it */
#define OPENRAC_GONE_OTHER 1 /* another moby did */
#define OPENRAC_GONE_MOD 2   /* a mod did */

/* OpenracHooks.on_travel, on_skip and on_make: the answer. */
#define OPENRAC_REFUSE 0
#define OPENRAC_ALLOW 1

/* OpenracHooks.gate: the answer. */
#define OPENRAC_GATE_RUN 0
#define OPENRAC_GATE_SKIP 1
#define OPENRAC_GATE_STAND_IN 2

/* OpenracHooks.on_hit: the answer. */
#define OPENRAC_HIT_DELIVER 0
#define OPENRAC_HIT_SWALLOW 1

/* OpenracHooks.on_bolt: the answer. */
#define OPENRAC_BOLT_KEEP 0
#define OPENRAC_BOLT_SWALLOW 1

/* OpenracHost.eyes: how many points at most. */
#define OPENRAC_EYES_MAX 3

/* OpenracProgress: how many of each. */
#define OPENRAC_ITEMS 37
#define OPENRAC_GOLD_BOLTS 80 /* index level x 4 + number */
#define OPENRAC_PLANETS 20

/* OpenracHost.progress_give: what. */
#define OPENRAC_GIVE_ITEM 0
#define OPENRAC_GIVE_GOLD_BOLT 1
#define OPENRAC_GIVE_PLANET 2

/* ------------------------------------------------------------------ values */

typedef uint32_t OpenracPageHandle;
typedef uint32_t OpenracFigureHandle;
/* Valid until that moby is gone; another one may then get the same number. */
typedef uint32_t OpenracMobyHandle;

typedef struct OpenracStr {
    const char *ptr;
    size_t len; /* bytes */
} OpenracStr;

typedef struct OpenracVec3 {
    float x;
    float y;
    float z;
} OpenracVec3;

/* Where an animation stands. */
typedef struct OpenracAnimation {
    uint8_t sequence;
    uint8_t frame;
    uint8_t next_frame;
    uint8_t reserved;
    float time;  /* between frame and next_frame, 0 to 1 */
    float speed; /* frames a tick */
} OpenracAnimation;

/* A thing the hero or a figure wears or holds: a weapon, a gadget, Clank, a pack, boots. */
typedef struct OpenracPiece {
    uint8_t slot;
    uint8_t part;
    uint8_t item;
    uint8_t joint; /* of the wearer, where it hangs */
    int16_t moby_class;
    uint8_t flags; /* OPENRAC_PIECE_* */
    uint8_t reserved;
    OpenracAnimation animation;
    OpenracVec3 position; /* only a loose one's */
    OpenracVec3 rotation; /* only a loose one's */
} OpenracPiece;

/* The hero as he is, or a figure as it is to be. */
typedef struct OpenracPose {
    OpenracVec3 position;
    OpenracVec3 rotation;
    OpenracVec3 velocity;
    int16_t state;
    int16_t health; /* 0 or less: dead */
    int16_t item;   /* in the hand */
    uint8_t flags;  /* OPENRAC_POSE_* */
    uint8_t piece_count; /* 0 to OPENRAC_POSE_PIECES */
    OpenracAnimation animation;
    OpenracPiece pieces[OPENRAC_POSE_PIECES];
} OpenracPose;

typedef struct OpenracShot {
    OpenracVec3 position;
    OpenracVec3 velocity;
    float aim[4]; /* the game's own four numbers, given back to it as they were */
    int16_t item;
    int16_t reserved;
} OpenracShot;

typedef struct OpenracCardSave {
    uint8_t used;
    uint8_t damaged; /* used, but cannot be read */
    uint16_t reserved;
    int32_t level;
    uint32_t gold_bolts;
    uint32_t seconds_played;
} OpenracCardSave;

typedef struct OpenracScene {
    int32_t number; /* the level's number of it; -1 for one without */
    uint32_t elapsed_ms;
    uint8_t kind; /* OPENRAC_SCENE_* */
    uint8_t reserved[3];
} OpenracScene;

typedef struct OpenracMoby {
    OpenracMobyHandle handle;
    uint16_t key; /* its record in the level's file, the same in every game; or OPENRAC_KEY_NONE */
    int16_t moby_class;
    uint32_t kinds; /* OPENRAC_KIND_* */
    OpenracVec3 position;
    OpenracVec3 rotation;
    OpenracAnimation animation;
    float health;
    int32_t value; /* a bolt's, in bolts */
    int16_t state;
    uint8_t hidden;
    uint8_t ran;   /* its update ran in this tick */
    uint8_t drawn; /* it was drawn in this tick */
    uint8_t reserved[3];
    float distance;        /* from the point the run list measured from */
    float update_distance; /* beyond this it does not run; 0: always runs */
    float draw_distance;   /* beyond this it is not drawn; 0: always drawn */
} OpenracMoby;

/* Where a driven moby is to be. */
typedef struct OpenracMobyPose {
    OpenracVec3 position;
    OpenracVec3 rotation;
    OpenracAnimation animation;
} OpenracMobyPose;

typedef struct OpenracHit {
    OpenracMobyHandle target;
    OpenracMobyHandle attacker;
    uint32_t mask; /* the game's own kinds of hit */
    float damage;
    OpenracVec3 position;
    OpenracVec3 velocity; /* the push */
} OpenracHit;

typedef struct OpenracCameras {
    OpenracVec3 mods;       /* the camera mods read */
    OpenracVec3 run_list;   /* the point the run list measured from */
    OpenracVec3 pause_menu; /* the one the pause menu puts up */
} OpenracCameras;

/* A byte each, 0 for not had. */
typedef struct OpenracProgress {
    uint8_t items[OPENRAC_ITEMS];
    uint8_t gold_bolts[OPENRAC_GOLD_BOLTS]; /* index level x 4 + number */
    uint8_t planets[OPENRAC_PLANETS];
} OpenracProgress;

/* ------------------------------------------------------------------ pages (1.7) */

typedef struct OpenracRow {
    OpenracStr label;
    OpenracStr value; /* shown beside the label; empty for none */
    uint8_t kind;     /* OPENRAC_ROW_* */
    uint8_t dim;
    uint8_t reserved[6];
} OpenracRow;

/* What a prompt calls with its answer (OPENRAC_PROMPT_*). */
typedef void (*OpenracPromptDone)(void *done_user, uint8_t answer);

/* A page, which the game draws with its own list, font, frame and sounds. The game copies it in
 * page_add. A callback that is NULL counts as: an empty title, no lines, no rows, nothing done.
 *
 * title, line_count, line, row_count, row, footer_count, footer_line are asked whenever the page is
 * drawn. They only answer: not from here: any call of the game.
 */
typedef struct OpenracPageDef {
    uint32_t size; /* bytes, this struct */
    uint32_t reserved;
    void *user;
    OpenracStr (*title)(void *user);
    /* The lines between the title and the list; index from 0. */
    uint32_t (*line_count)(void *user);
    OpenracStr (*line)(void *user, uint32_t index);
    /* The list; index from 0. row fills *out and answers 1; 0 when there is no such row. */
    uint32_t (*row_count)(void *user);
    uint8_t (*row)(void *user, uint32_t index, OpenracRow *out);
    /* The lines at the foot; index from 0. */
    uint32_t (*footer_count)(void *user);
    OpenracStr (*footer_line)(void *user, uint32_t index);
    /* Cross on a row, a dim one too. The game makes no sound for it: menu_sound is the mod's to call. */
    void (*choose)(void *user, uint32_t row);
    /* Left (direction -1) or Right (1) on a value row: at the press with held_ticks 0, then at each
     * repeat of the game's menus with the ticks it was held. The game makes no sound for it. */
    void (*step)(void *user, uint32_t row, int32_t direction, uint32_t held_ticks);
    /* Triangle. The page stays until the mod opens another or closes it. No sound, as for choose. */
    void (*back)(void *user);
    /* The page became the one that shows (told before it is first drawn), and is it no more (another
     * opened, it closed, or the game left its menus). A prompt over it changes neither. */
    void (*shown)(void *user);
    void (*hidden)(void *user);
    /* Once a tick while it shows, before OpenracMod.tick. */
    void (*tick)(void *user);
} OpenracPageDef;

/* ------------------------------------------------------------------ hooks (1.8, 1.9) */

/* What the game asks and tells the mod while it plays. A hook that is NULL counts as the game's own
 * way (allow, make, run, deliver, keep). Set with OpenracHost.hooks_set, which copies this table.
 */
typedef struct OpenracHooks {
    uint32_t size; /* bytes, this struct */
    uint32_t reserved;
    void *user;

    /* Play. */

    /* The hero is about to leave for a level. OPENRAC_REFUSE: the ship lands again. Not asked for a
     * mod's own travel. */
    uint8_t (*on_travel)(void *user, int32_t level, uint8_t by_ship);
    /* Start was pressed in a scene or a movie (what: OPENRAC_SKIP_*). OPENRAC_REFUSE: it plays on. */
    uint8_t (*on_skip)(void *user, uint8_t what, int32_t scene);
    /* The hero fired. */
    void (*on_shot)(void *user, const OpenracShot *shot);

    /* World. */

    /* A moby is about to be made in play by the game (not by moby_make or figure_make); maker 0: the
     * level's own code. OPENRAC_REFUSE: it is not made. Not from here: moby_make, moby_kill. */
    uint8_t (*on_make)(void *user, int16_t moby_class, uint32_t kinds, OpenracMobyHandle maker,
                       OpenracVec3 position);
    /* It was made. */
    void (*on_made)(void *user, OpenracMobyHandle moby, int16_t moby_class, uint32_t kinds,
                    OpenracMobyHandle maker);
    /* A moby goes; its handle is valid until this returns. how: OPENRAC_GONE_*; by: the moby that
     * removed it, or 0. Not called for all that goes with its level. */
    void (*on_gone)(void *user, OpenracMobyHandle moby, uint8_t how, OpenracMobyHandle by);
    /* Before each update of a moby. OPENRAC_GATE_STAND_IN with *stand_in set: during that update the
     * game's own code sees that figure as the hero, and a hit it deals the hero is an on_hit with the
     * figure's moby as target. Not from here: moby_make, moby_kill. */
    uint8_t (*gate)(void *user, OpenracMobyHandle moby, OpenracFigureHandle *stand_in);
    /* A hit is about to land. OPENRAC_HIT_SWALLOW: it does not. Not asked for hit_post, hero_hit. */
    uint8_t (*on_hit)(void *user, const OpenracHit *hit);
    /* A bolt reached the hero or a figure (collector). OPENRAC_BOLT_SWALLOW: the count stays as it
     * is; the bolt is gone either way. value in bolts. */
    uint8_t (*on_bolt)(void *user, OpenracMobyHandle moby, OpenracMobyHandle collector,
                       int32_t value);
    /* A crate broke; by: what broke it, or 0. */
    void (*on_broke)(void *user, OpenracMobyHandle moby, OpenracMobyHandle by);
    /* A pickup that is no bolt was taken; by: the hero's moby. */
    void (*on_pickup)(void *user, OpenracMobyHandle moby, OpenracMobyHandle by);
} OpenracHooks;

/* ------------------------------------------------------------------ the game's calls */

typedef struct OpenracHost {
    uint32_t size; /* bytes, this struct */
    uint16_t major;
    uint16_t minor;
    void *user; /* the first argument of every call below */

    /* ---- Base (1.0) ---- */

    /* A line in the game's log, without a line end. level: OPENRAC_LOG_*. */
    void (*log)(void *user, uint8_t level, OpenracStr text);
    /* The mod's setting of that name (Server, Name, VerboseLog, Chat, QuickPhrases, DirectPort); empty
     * when it is not set. */
    OpenracStr (*setting)(void *user, OpenracStr key);
    /* The launcher's multiplayer name; empty without a launcher. */
    OpenracStr (*launcher_name)(void *user);
    /* "<game version>/<disc>". */
    OpenracStr (*build)(void *user);
    /* The game's directory, where its logs are written. */
    OpenracStr (*work_dir)(void *user);
    /* Ticks since the start. */
    uint64_t (*frame)(void *user);
    /* Ticks a second: 50 or 60, by the disc. */
    uint8_t (*tick_rate)(void *user);

    /* ---- Pages (1.7) ---- */

    /* Adds a page, which stays until the mod is unloaded. 0: the game has no room for it. */
    OpenracPageHandle (*page_add)(void *user, const OpenracPageDef *def);
    /* Puts an item that opens a page under another item of a menu (OPENRAC_MENU_*; after: that item's
     * label, such as "Load Game" or "Video"). Answers 1, or 0 when there is no such item or page. */
    uint8_t (*menu_item)(void *user, uint8_t menu, OpenracStr after, OpenracStr label,
                         OpenracPageHandle page);
    /* Shows that page in place of the mod's page that shows, cursor on its first row the cursor can be
     * on. Only while a menu or a page shows; else nothing happens. */
    void (*page_open)(void *user, OpenracPageHandle page);
    /* Closes the mod's page that shows: back to the menu it came from. */
    void (*page_close)(void *user);
    /* Moves the cursor of the page that shows. */
    void (*page_cursor)(void *user, uint32_t row);
    /* Asks, in the game's prompt box, over the page that shows. Answers 1, and done is then called once
     * with OPENRAC_PROMPT_YES or OPENRAC_PROMPT_NO (Triangle, and the page's end, are a no); or
     * answers 0 (a prompt shows already, or no menu or page does) and done is not called. done_user is
     * done's first argument. */
    uint8_t (*prompt)(void *user, OpenracStr text, OpenracStr yes, OpenracStr no,
                      OpenracPromptDone done, void *done_user);
    /* One of the menus' own sounds (OPENRAC_SOUND_*). The game itself makes only the one of a cursor
     * that moves between rows. */
    void (*menu_sound)(void *user, uint8_t which);

    /* ---- Play (1.8) ---- */

    /* What the game is doing: OPENRAC_PHASE_*. */
    uint8_t (*phase)(void *user);
    /* The level the game is in, 0 and up, or OPENRAC_LEVEL_NONE. */
    int32_t (*level)(void *user);
    /* A level's name as the game writes it; empty when there is no such level. */
    OpenracStr (*level_name)(void *user, int32_t level);
    /* How many moby records the level's file has: keys are below this. 0 in no level. */
    uint16_t (*level_records)(void *user);
    /* The player has control of the hero. */
    uint8_t (*in_control)(void *user);
    /* The hero as he is after the newest tick. Answers 1, or 0 while there is no hero. */
    uint8_t (*hero_pose)(void *user, OpenracPose *out);

    /* Makes a figure: a moby of the hero's class that runs none of his logic, collides with nothing and
     * that nothing aims at. It is hidden until it is shown, and gone with its level. name: whose it is.
     * 0: the game cannot make one now. */
    OpenracFigureHandle (*figure_make)(void *user, OpenracStr name);
    OpenracMobyHandle (*figure_moby)(void *user, OpenracFigureHandle figure);
    /* Poses it. The pose's pieces are not looked at: figure_wear is for these. */
    void (*figure_pose)(void *user, OpenracFigureHandle figure, const OpenracPose *pose);
    void (*figure_show)(void *user, OpenracFigureHandle figure, uint8_t show);
    /* Has it wear these and nothing else (count 0 to OPENRAC_POSE_PIECES). Answers how many of them
     * the game could load now; for the others it may be asked again. */
    uint32_t (*figure_wear)(void *user, OpenracFigureHandle figure, const OpenracPiece *pieces,
                            uint32_t count);
    /* Fires a shot from it, which is shown only: it hits nothing. */
    void (*figure_fire)(void *user, OpenracFigureHandle figure, const OpenracShot *shot);
    void (*figure_remove)(void *user, OpenracFigureHandle figure);

    /* What a slot of the memory card holds. Answers 1; 0 when there is no such slot. */
    uint8_t (*card_save)(void *user, uint8_t slot, OpenracCardSave *out);
    /* Copies a slot's save into buf, if it fits. Answers its size in bytes; 0: none, or damaged. */
    size_t (*save_read)(void *user, uint8_t slot, uint8_t *buf, size_t capacity);
    /* Copies the game as it is now, as a save, into buf, if it fits. Answers its size in bytes
     * (OPENRAC_SAVE_SIZE); 0: it cannot be captured now. */
    size_t (*save_capture)(void *user, uint8_t *buf, size_t capacity);
    /* Leaves the title for a new game (OPENRAC_PLAY_NEW; save is not looked at) or that save
     * (OPENRAC_PLAY_SAVE), in that level or where the save is (OPENRAC_LEVEL_NONE; a new game's first
     * level). The card is not touched. save is copied. Answers 1; 0: not in the title, or no save. */
    uint8_t (*play_start)(void *user, uint8_t mode, const uint8_t *save, size_t save_size,
                          int32_t level);
    /* Leaves the level, from any phase, for the title and there opens that page (0: none). */
    void (*title_return)(void *user, OpenracPageHandle page);

    /* Leaves for that level at once, from any phase of a level; on_travel is not asked. */
    void (*travel)(void *user, int32_t level);
    /* While hold is set, the player cannot move the hero, and text shows. */
    void (*control_hold)(void *user, uint8_t hold, OpenracStr text);
    /* 0: the world goes on under the game's menus. 1, as at the start: it stands still. */
    void (*menus_pause)(void *user, uint8_t pause);
    /* Shows a line over the game for so long; a new one takes the place of the old. */
    void (*message)(void *user, OpenracStr text, float seconds);

    /* The scene or movie that plays. Answers 1, or 0 when none does. */
    uint8_t (*scene)(void *user, OpenracScene *out);
    /* Starts a scene of this level's own from its start. Answers 1; 0: no such scene, or not now. */
    uint8_t (*play_scene)(void *user, int32_t scene);
    /* Ends what plays if it is that (OPENRAC_SKIP_*); else nothing happens. */
    void (*scene_skip)(void *user, uint8_t what, int32_t scene);

    /* Sets the mod's hooks, in place of the ones set before; NULL: none. Play's and World's. */
    void (*hooks_set)(void *user, const OpenracHooks *hooks);

    /* ---- World (1.9) ---- */

    /* Lists the level's live mobys, figures not among them, into buf, at most capacity of them.
     * Answers how many there are. */
    uint32_t (*mobys)(void *user, OpenracMoby *buf, uint32_t capacity);
    /* While a moby is driven its update does not run; its animation plays, its collision follows. */
    void (*moby_drive)(void *user, OpenracMobyHandle moby, uint8_t drive);
    /* Poses a driven moby. */
    void (*moby_pose)(void *user, OpenracMobyHandle moby, const OpenracMobyPose *pose,
                      uint8_t hidden);
    /* Removes a moby (how: OPENRAC_KILL_*); on_gone is told (OPENRAC_GONE_MOD). */
    void (*moby_kill)(void *user, OpenracMobyHandle moby, uint8_t how);
    /* Breaks a crate the game's own way, drops and all, as if by that moby; then on_broke. Answers 1;
     * 0: not a crate, or gone already. */
    uint8_t (*moby_break)(void *user, OpenracMobyHandle moby, OpenracMobyHandle by);
    /* Makes a moby. 0: the game cannot now. on_make and on_made are not called. yaw in radians. */
    OpenracMobyHandle (*moby_make)(void *user, int16_t moby_class, OpenracVec3 position, float yaw);

    /* Deals a hit as if the game had. Answers 1; 0: there is no such target. */
    uint8_t (*hit_post)(void *user, const OpenracHit *hit);
    /* Deals the hero a hit; its target is not looked at. */
    void (*hero_hit)(void *user, const OpenracHit *hit);

    /* The world runs around these points too (0 to OPENRAC_EYES_MAX), until they are set anew. */
    void (*eyes)(void *user, const OpenracVec3 *points, uint32_t count);
    void (*cameras)(void *user, OpenracCameras *out);

    /* Adds to the hero's bolts. */
    void (*bolts_add)(void *user, int32_t count);

    /* What this game has. */
    void (*progress)(void *user, OpenracProgress *out);
    /* Gives the hero an item, a gold bolt or a planet (OPENRAC_GIVE_*, its index in OpenracProgress) as
     * the game gives it, with its banner but without its scene. What is had already is not given. */
    void (*progress_give)(void *user, uint8_t what, uint32_t index);
} OpenracHost;

/* ------------------------------------------------------------------ the mod's calls */

/* The game sets size (what it has room for) and its own major and minor, and zeros the rest. The mod
 * writes its major and minor and what lies within size, and never beyond. After OPENRAC_LOADED all
 * three calls are there.
 */
typedef struct OpenracMod {
    uint32_t size; /* bytes, this struct */
    uint16_t major;
    uint16_t minor;
    void *user; /* the first argument of every call below */
    /* Once a tick in every phase (while loading at least twice a second where the game can), after the
     * pads are read and before the world steps. */
    void (*tick)(void *user);
    /* After the world stepped and was drawn. */
    void (*drawn)(void *user);
    /* The last call of the mod: once, and then none of its callbacks. Ends its threads and closes its
     * sockets, within 500 ms. From inside a callback of the mod it takes effect when the outermost one
     * returns. */
    void (*unload)(void *user);
} OpenracMod;

/* The exported symbol. host is the mod's to use until unload returns, so it stays valid until then; the
 * mod does not write to it. Answers OPENRAC_LOADED; any other answer says why the mod did not load, the
 * game's log has a line (if the table could be read that far), and mod is not to be used.
 */
#define OPENRAC_ENTRY_SYMBOL "openrac_mod_entry"
typedef int32_t (*OpenracModEntry)(const OpenracHost *host, OpenracMod *mod);

#ifdef __cplusplus
}
#endif

#endif /* OPENRAC_MOD_H */
