//! The game's table: every call of the interface, each a thin way into [`StandIn`](crate::game::StandIn).
//! The bodies of the larger groups are in files of their own.

use std::ffi::c_void;
use std::mem::size_of;

use sdk_bindings::{
    LEVEL_NONE, MENU_MAIN, MENU_PAUSE, OpenracFigureHandle, OpenracHost, OpenracMobyHandle,
    OpenracPageDef, OpenracPageHandle, OpenracPiece, OpenracPose, OpenracPromptDone, OpenracShot,
    OpenracStr, POSE_PIECES, SOUND_BACK, SOUND_CHOOSE, SOUND_MOVE, SOUND_REFUSED, VERSION_MAJOR,
    VERSION_MINOR,
};

use super::args::Arg;
use super::door::{Door, enter};
use super::faults::FaultKind;
use super::{LogLine, convert, hooks, progress, saves, scenes, world};
use crate::game::{Menu, PageId, Sound};
use crate::sim::{Level, MobyId};

/// Makes the extern functions of the table: each takes its arguments over and runs its body behind the
/// door.
macro_rules! calls {
    ($(fn $name:ident($door:ident $(, $arg:ident: $type:ty)* $(,)?) $(-> $answer:ty)? $body:block)*) => {
        $(pub(super) unsafe extern "C" fn $name(
            user: *mut c_void,
            $($arg: $type,)*
        ) $(-> $answer)? {
            let body = |$door: &Door| {
                $(
                    // SAFETY: the mod promises what the header says of its arguments, and the call
                    // runs until the body is done.
                    let $arg = unsafe { Arg::take($arg) };
                )*
                $body
            };
            // SAFETY: the mod calls with the table's `user`, whose door lives until unload returns.
            unsafe { enter(user, stringify!($name), body) }
        })*
    };
}
pub(super) use calls;

/// The table of the game behind `door`, which must stay where it is for as long as the table is used.
pub(super) fn of(door: *const Door) -> OpenracHost {
    OpenracHost {
        size: u32::try_from(size_of::<OpenracHost>()).expect("a table is small"),
        major: VERSION_MAJOR,
        minor: VERSION_MINOR,
        user: door.cast_mut().cast(),
        log: Some(log),
        setting: Some(setting),
        launcher_name: Some(launcher_name),
        build: Some(build),
        work_dir: Some(work_dir),
        frame: Some(frame),
        tick_rate: Some(tick_rate),
        page_add: Some(page_add),
        menu_item: Some(menu_item),
        page_open: Some(page_open),
        page_close: Some(page_close),
        page_cursor: Some(page_cursor),
        prompt: Some(prompt),
        menu_sound: Some(menu_sound),
        phase: Some(phase),
        level: Some(level),
        level_name: Some(level_name),
        level_records: Some(world::level_records),
        in_control: Some(in_control),
        hero_pose: Some(hero_pose),
        figure_make: Some(figure_make),
        figure_moby: Some(figure_moby),
        figure_pose: Some(figure_pose),
        figure_show: Some(figure_show),
        figure_wear: Some(figure_wear),
        figure_fire: Some(figure_fire),
        figure_remove: Some(figure_remove),
        card_save: Some(saves::card_save),
        save_read: Some(saves::save_read),
        save_capture: Some(saves::save_capture),
        play_start: Some(saves::play_start),
        title_return: Some(title_return),
        travel: Some(travel),
        control_hold: Some(control_hold),
        menus_pause: Some(menus_pause),
        message: Some(message),
        scene: Some(scenes::scene),
        play_scene: Some(scenes::play_scene),
        scene_skip: Some(scenes::scene_skip),
        hooks_set: Some(hooks::hooks_set),
        mobys: Some(world::mobys),
        moby_drive: Some(world::moby_drive),
        moby_pose: Some(world::moby_pose),
        moby_kill: Some(world::moby_kill),
        moby_break: Some(world::moby_break),
        moby_make: Some(world::moby_make),
        hit_post: Some(world::hit_post),
        hero_hit: Some(world::hero_hit),
        eyes: Some(world::eyes),
        cameras: Some(world::cameras),
        bolts_add: Some(progress::bolts_add),
        progress: Some(progress::progress),
        progress_give: Some(progress::progress_give),
    }
}

// Base (1.0).
calls! {
    fn log(door, level: u8, text: OpenracStr) {
        let text = text.get()?;
        door.log.borrow_mut().push(LogLine { level, text });
        Ok(())
    }

    fn setting(door, key: OpenracStr) -> OpenracStr {
        Ok(door.lend(door.setting(&key.get()?)))
    }

    fn launcher_name(door) -> OpenracStr {
        Ok(door.lend(&door.setup.launcher_name))
    }

    fn build(door) -> OpenracStr {
        Ok(door.lend(&door.setup.build))
    }

    fn work_dir(door) -> OpenracStr {
        Ok(door.lend(&door.setup.work_dir.to_string_lossy()))
    }

    fn frame(door) -> u64 {
        Ok(door.game()?.frame())
    }

    fn tick_rate(door) -> u8 {
        Ok(door.game()?.tick_rate())
    }
}

// Pages (1.7).
calls! {
    fn page_add(door, def: *const OpenracPageDef) -> OpenracPageHandle {
        let def = def.sized()?;
        let Some(page) = door.game()?.page_add() else { return Ok(0) };
        door.pages.borrow_mut().push(def);
        Ok(page.0)
    }

    fn menu_item(
        door,
        menu: u8,
        after: OpenracStr,
        label: OpenracStr,
        page: OpenracPageHandle,
    ) -> u8 {
        let menu = match menu {
            MENU_MAIN => Menu::Main,
            MENU_PAUSE => Menu::Pause,
            other => return Err(FaultKind::Unknown(other)),
        };
        let (after, label) = (after.get()?, label.get()?);
        Ok(u8::from(door.game()?.menu_item(menu, &after, &label, PageId(page))?))
    }

    fn page_open(door, page: OpenracPageHandle) {
        door.game()?.page_open(PageId(page))?;
        door.make_calls()
    }

    fn page_close(door) {
        door.game()?.page_close();
        door.make_calls()
    }

    fn page_cursor(door, row: u32) {
        door.game()?.page_cursor(row);
        Ok(())
    }

    fn prompt(
        door,
        text: OpenracStr,
        yes: OpenracStr,
        no: OpenracStr,
        done: OpenracPromptDone,
        done_user: *mut c_void,
    ) -> u8 {
        let (text, yes, no) = (text.get()?, yes.get()?, no.get()?);
        let asked = door.game()?.prompt(&text, &yes, &no);
        if asked {
            door.prompt.set((done, done_user));
        }
        Ok(u8::from(asked))
    }

    fn menu_sound(door, which: u8) {
        let sound = match which {
            SOUND_MOVE => Sound::Move,
            SOUND_CHOOSE => Sound::Choose,
            SOUND_BACK => Sound::Back,
            SOUND_REFUSED => Sound::Refused,
            other => return Err(FaultKind::Unknown(other)),
        };
        door.game()?.menu_sound(sound);
        Ok(())
    }
}

// Play (1.8).
calls! {
    fn phase(door) -> u8 {
        Ok(door.game()?.phase() as u8)
    }

    fn level(door) -> i32 {
        Ok(door.game()?.level().unwrap_or(LEVEL_NONE))
    }

    fn level_name(door, level: i32) -> OpenracStr {
        Ok(door.lend(&Level::name_of(level).unwrap_or_default()))
    }

    fn in_control(door) -> u8 {
        Ok(u8::from(door.game()?.in_control()))
    }

    fn hero_pose(door, out: *mut OpenracPose) -> u8 {
        let Some(pose) = door.game()?.hero_pose() else { return Ok(0) };
        out.set(convert::openrac_pose(&pose))?;
        Ok(1)
    }

    fn figure_make(door, name: OpenracStr) -> OpenracFigureHandle {
        let name = name.get()?;
        Ok(door.game()?.figure_make(&name).unwrap_or(0))
    }

    fn figure_moby(door, figure: OpenracFigureHandle) -> OpenracMobyHandle {
        Ok(door.game()?.figure_moby(figure)?.unwrap_or(MobyId::NONE).0)
    }

    fn figure_pose(door, figure: OpenracFigureHandle, pose: *const OpenracPose) {
        let pose = convert::figure_pose(&pose.get()?);
        Ok(door.game()?.figure_pose(figure, pose)?)
    }

    fn figure_show(door, figure: OpenracFigureHandle, show: u8) {
        Ok(door.game()?.figure_show(figure, show != 0)?)
    }

    fn figure_wear(
        door,
        figure: OpenracFigureHandle,
        pieces: *const OpenracPiece,
        count: u32,
    ) -> u32 {
        // SAFETY: it is the count that came with the pieces.
        let pieces = unsafe { pieces.many(count, POSE_PIECES) }?;
        let pieces: Vec<_> = pieces.iter().map(convert::piece).collect();
        Ok(door.game()?.figure_wear(figure, &pieces)?)
    }

    fn figure_fire(door, figure: OpenracFigureHandle, shot: *const OpenracShot) {
        let shot = convert::shot(&shot.get()?);
        Ok(door.game()?.figure_fire(figure, shot)?)
    }

    fn figure_remove(door, figure: OpenracFigureHandle) {
        Ok(door.game()?.figure_remove(figure)?)
    }

    fn title_return(door, page: OpenracPageHandle) {
        let page = (page != 0).then_some(PageId(page));
        Ok(door.game()?.title_return(page)?)
    }

    fn travel(door, level: i32) {
        door.game()?.travel(level);
        Ok(())
    }

    fn control_hold(door, hold: u8, text: OpenracStr) {
        let text = text.get()?;
        door.game()?.control_hold((hold != 0).then_some(text.as_str()));
        Ok(())
    }

    fn menus_pause(door, pause: u8) {
        door.game()?.menus_pause(pause != 0);
        Ok(())
    }

    fn message(door, text: OpenracStr, seconds: f32) {
        let text = text.get()?;
        Ok(door.game()?.message(&text, seconds)?)
    }
}
