//! The numbers of the interface, named as in the header without `OPENRAC_`.

interface_constants! {
    /// Of the interface described here. Another major is another interface.
    VERSION_MAJOR: u16 = 1;
    /// Of the interface described here. A newer minor only adds at the ends of tables.
    VERSION_MINOR: u16 = 9;

    /// The entry's answer: the mod is loaded.
    LOADED: i32 = 0;
    /// The entry's answer: a table pointer is NULL.
    REFUSED_NULL: i32 = 1;
    /// The entry's answer: the game's interface is another major, or too old a minor.
    REFUSED_VERSION: i32 = 2;
    /// The entry's answer: a table is too short, or lacks a call the mod cannot do without.
    REFUSED_TABLE: i32 = 3;
    /// The entry's answer: the mod could not start (a thread, an error of its own).
    REFUSED_FAILED: i32 = 4;

    /// OpenracHost.log, level: error.
    LOG_ERROR: u8 = 0;
    /// OpenracHost.log, level: warn.
    LOG_WARN: u8 = 1;
    /// OpenracHost.log, level: info.
    LOG_INFO: u8 = 2;
    /// OpenracHost.log, level: debug.
    LOG_DEBUG: u8 = 3;

    /// OpenracHost.menu_item, menu: main.
    MENU_MAIN: u8 = 0;
    /// OpenracHost.menu_item, menu: pause.
    MENU_PAUSE: u8 = 1;

    /// OpenracRow.kind: Cross chooses it.
    ROW_ACTION: u8 = 0;
    /// OpenracRow.kind: Left and Right step it, Cross chooses it.
    ROW_VALUE: u8 = 1;
    /// OpenracRow.kind: the cursor passes over it.
    ROW_TEXT: u8 = 2;

    /// OpenracHost.menu_sound: move.
    SOUND_MOVE: u8 = 0;
    /// OpenracHost.menu_sound: choose.
    SOUND_CHOOSE: u8 = 1;
    /// OpenracHost.menu_sound: back.
    SOUND_BACK: u8 = 2;
    /// OpenracHost.menu_sound: refused.
    SOUND_REFUSED: u8 = 3;

    /// The answer a prompt's done gets: no.
    PROMPT_NO: u8 = 0;
    /// The answer a prompt's done gets: yes.
    PROMPT_YES: u8 = 1;

    /// OpenracHost.phase: boot.
    PHASE_BOOT: u8 = 0;
    /// OpenracHost.phase: the title, or a menu of the game's own in it.
    PHASE_TITLE: u8 = 1;
    /// OpenracHost.phase: a mod's page in the title.
    PHASE_TITLE_PAGE: u8 = 2;
    /// OpenracHost.phase: loading.
    PHASE_LOADING: u8 = 3;
    /// OpenracHost.phase: playing.
    PHASE_PLAYING: u8 = 4;
    /// OpenracHost.phase: the pause menu, a mod's page in it too.
    PHASE_PAUSED: u8 = 5;
    /// OpenracHost.phase: dialog.
    PHASE_DIALOG: u8 = 6;
    /// OpenracHost.phase: vendor.
    PHASE_VENDOR: u8 = 7;
    /// OpenracHost.phase: scene.
    PHASE_SCENE: u8 = 8;
    /// OpenracHost.phase: movie.
    PHASE_MOVIE: u8 = 9;
    /// OpenracHost.phase: travel.
    PHASE_TRAVEL: u8 = 10;
    /// OpenracHost.phase: dying.
    PHASE_DYING: u8 = 11;

    /// No level: what OpenracHost.level answers in the title; for play_start the level the save
    /// names.
    LEVEL_NONE: i32 = -1;

    /// OpenracPose.flags bit: between two animations.
    POSE_BLENDING: u8 = 1;
    /// OpenracPose.flags bit: it came here without moving (a level, a respawn).
    POSE_TELEPORT: u8 = 2;
    /// OpenracPose.flags bit: in scene.
    POSE_IN_SCENE: u8 = 4;

    /// OpenracPose.pieces: how many at most.
    POSE_PIECES: usize = 8;

    /// OpenracPiece.flags bit: hidden.
    PIECE_HIDDEN: u8 = 1;
    /// OpenracPiece.flags bit: blending.
    PIECE_BLENDING: u8 = 2;
    /// OpenracPiece.flags bit: not on a joint: position and rotation say where it is.
    PIECE_LOOSE: u8 = 4;

    /// How many slots the memory card has, numbered from 0.
    CARD_SLOTS: u8 = 5;

    /// A save in bytes.
    SAVE_SIZE: usize = 59912;

    /// OpenracHost.play_start, mode: new.
    PLAY_NEW: u8 = 0;
    /// OpenracHost.play_start, mode: save.
    PLAY_SAVE: u8 = 1;

    /// OpenracScene.kind: a scene of the level's own.
    SCENE_LEVEL: u8 = 0;
    /// OpenracScene.kind: the game's own around it: landing, take-off, intro.
    SCENE_OWN: u8 = 1;
    /// OpenracScene.kind: a movie.
    SCENE_MOVIE: u8 = 2;
    /// OpenracScene.kind: a moby's shot, such as a gold bolt's.
    SCENE_CAMERA: u8 = 3;

    /// OpenracHost.scene_skip and OpenracHooks.on_skip, what: a scene of the game's own (scene is
    /// ignored).
    SKIP_OWN: u8 = 0;
    /// OpenracHost.scene_skip and OpenracHooks.on_skip, what: the level's scene of that number.
    SKIP_LEVEL: u8 = 1;
    /// OpenracHost.scene_skip and OpenracHooks.on_skip, what: a movie (scene is ignored).
    SKIP_MOVIE: u8 = 2;

    /// OpenracMoby.key of a moby made in play: it has no record in the level's file.
    KEY_NONE: u16 = 0xFFFF;

    /// OpenracMoby.kinds bit: in the level's file: has a key.
    KIND_PLACED: u32 = 0x001;
    /// OpenracMoby.kinds bit: has an update of its own.
    KIND_UPDATES: u32 = 0x002;
    /// OpenracMoby.kinds bit: enemy.
    KIND_ENEMY: u32 = 0x004;
    /// OpenracMoby.kinds bit: creature.
    KIND_CREATURE: u32 = 0x008;
    /// OpenracMoby.kinds bit: crate.
    KIND_CRATE: u32 = 0x010;
    /// OpenracMoby.kinds bit: bolt.
    KIND_BOLT: u32 = 0x020;
    /// OpenracMoby.kinds bit: pickup.
    KIND_PICKUP: u32 = 0x040;
    /// OpenracMoby.kinds bit: platform.
    KIND_PLATFORM: u32 = 0x080;
    /// OpenracMoby.kinds bit: static.
    KIND_STATIC: u32 = 0x100;
    /// OpenracMoby.kinds bit: vendor, ship, person, help desk.
    KIND_SERVICE: u32 = 0x200;
    /// OpenracMoby.kinds bit: projectile.
    KIND_PROJECTILE: u32 = 0x400;
    /// OpenracMoby.kinds bit: effect.
    KIND_EFFECT: u32 = 0x800;

    /// OpenracHost.moby_kill, how: quiet.
    KILL_QUIET: u8 = 0;
    /// OpenracHost.moby_kill, how: debris and sound; no drops.
    KILL_DEATH: u8 = 1;

    /// OpenracHooks.on_gone, how: its own update removed it.
    GONE_OWN: u8 = 0;
    /// OpenracHooks.on_gone, how: another moby did.
    GONE_OTHER: u8 = 1;
    /// OpenracHooks.on_gone, how: a mod did.
    GONE_MOD: u8 = 2;

    /// OpenracHooks.on_travel, on_skip and on_make: refuse.
    REFUSE: u8 = 0;
    /// OpenracHooks.on_travel, on_skip and on_make: allow.
    ALLOW: u8 = 1;

    /// OpenracHooks.gate: run.
    GATE_RUN: u8 = 0;
    /// OpenracHooks.gate: skip.
    GATE_SKIP: u8 = 1;
    /// OpenracHooks.gate: stand in.
    GATE_STAND_IN: u8 = 2;

    /// OpenracHooks.on_hit: deliver.
    HIT_DELIVER: u8 = 0;
    /// OpenracHooks.on_hit: swallow.
    HIT_SWALLOW: u8 = 1;

    /// OpenracHooks.on_bolt: keep.
    BOLT_KEEP: u8 = 0;
    /// OpenracHooks.on_bolt: swallow.
    BOLT_SWALLOW: u8 = 1;

    /// OpenracHost.eyes: how many points at most.
    EYES_MAX: usize = 3;

    /// OpenracProgress: how many items.
    ITEMS: usize = 37;
    /// OpenracProgress: how many gold bolts; index level x 4 + number.
    GOLD_BOLTS: usize = 80;
    /// OpenracProgress: how many planets.
    PLANETS: usize = 20;

    /// OpenracHost.progress_give, what: item.
    GIVE_ITEM: u8 = 0;
    /// OpenracHost.progress_give, what: gold bolt.
    GIVE_GOLD_BOLT: u8 = 1;
    /// OpenracHost.progress_give, what: planet.
    GIVE_PLANET: u8 = 2;
}

/// The symbol a mod exports, of type [`OpenracModEntry`](crate::OpenracModEntry).
pub const ENTRY_SYMBOL: &str = "openrac_mod_entry";
