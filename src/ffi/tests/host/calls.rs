//! The calls of the test's game: each keeps that it came, does what a test needs of it, and then calls back
//! into the mod if a test says so.

use std::ffi::c_void;

use sdk_bindings as sdk;
use sdk_bindings::{
    OpenracCameras, OpenracCardSave, OpenracFigureHandle, OpenracHit, OpenracHooks, OpenracHost,
    OpenracMoby, OpenracMobyHandle, OpenracMobyPose, OpenracPageDef, OpenracPageHandle,
    OpenracPiece, OpenracPose, OpenracProgress, OpenracPromptDone, OpenracScene, OpenracShot,
    OpenracStr, OpenracVec3,
};

use super::FakeHost;

/// Declares the calls and `table()`, which has all of them: one that the interface has and this list
/// lacks does not compile.
macro_rules! calls {
    ($(fn $name:ident($host:ident $(, $arg:ident: $type:ty)* $(,)?) $(-> $answer:ty)? $body:block)*) => {
        $(unsafe extern "C" fn $name(user: *mut c_void $(, $arg: $type)*) $(-> $answer)? {
            let $host = FakeHost::from(user);
            $host.called.borrow_mut().insert(stringify!($name));
            let answer = $body;
            $host.react(stringify!($name));
            answer
        })*

        pub(super) fn table() -> OpenracHost {
            let OpenracHost { size, major, minor, user, .. } = OpenracHost::ZERO;
            OpenracHost { size, major, minor, user, $($name: Some($name)),* }
        }
    };
}

fn copied(text: OpenracStr) -> String {
    // SAFETY: the mod gave it to a call that has not returned.
    unsafe { text.to_string_lossy() }
}

calls! {
    fn log(host, _level: u8, text: OpenracStr) {
        host.lines.borrow_mut().push(copied(text));
    }
    fn setting(_host, key: OpenracStr) -> OpenracStr {
        OpenracStr::new(match copied(key).as_str() {
            "Name" => "Qwark",
            // Nobody listens there: these tests need no server, and look up no name.
            "Server" => "127.0.0.1:1",
            _ => "",
        })
    }
    fn launcher_name(_host) -> OpenracStr { OpenracStr::ZERO }
    fn build(_host) -> OpenracStr { OpenracStr::new("1.2.0/TEST-00001") }
    fn work_dir(_host) -> OpenracStr { OpenracStr::ZERO }
    fn frame(_host) -> u64 { 0 }
    fn tick_rate(_host) -> u8 { 60 }

    fn page_add(host, def: *const OpenracPageDef) -> OpenracPageHandle {
        // SAFETY: the mod gave it to this call.
        host.pages.borrow_mut().push(unsafe { *def });
        u32::try_from(host.pages.borrow().len()).expect("small")
    }
    fn menu_item(
        host,
        menu: u8,
        after: OpenracStr,
        label: OpenracStr,
        page: OpenracPageHandle,
    ) -> u8 {
        host.did(format!("menu_item {menu} {} {} {page}", copied(after), copied(label)));
        1
    }
    fn page_open(host, page: OpenracPageHandle) {
        host.did(format!("page_open {page}"));
    }
    fn page_close(host) {
        host.did("page_close".to_owned());
    }
    fn page_cursor(host, row: u32) {
        host.did(format!("page_cursor {row}"));
    }
    fn prompt(
        host,
        text: OpenracStr,
        _yes: OpenracStr,
        _no: OpenracStr,
        done: OpenracPromptDone,
        done_user: *mut c_void,
    ) -> u8 {
        host.prompt.set(Some((done, done_user)));
        host.did(format!("prompt {}", copied(text)));
        1
    }
    fn menu_sound(host, which: u8) {
        host.did(format!("menu_sound {which}"));
    }

    fn phase(_host) -> u8 { sdk::PHASE_TITLE }
    fn level(_host) -> i32 { sdk::LEVEL_NONE }
    fn level_name(_host, _level: i32) -> OpenracStr { OpenracStr::ZERO }
    fn level_records(_host) -> u16 { 0 }
    fn in_control(_host) -> u8 { 0 }
    fn hero_pose(_host, _out: *mut OpenracPose) -> u8 { 0 }
    fn figure_make(_host, _name: OpenracStr) -> OpenracFigureHandle { 1 }
    fn figure_moby(_host, _figure: OpenracFigureHandle) -> OpenracMobyHandle { 1 }
    fn figure_pose(_host, _figure: OpenracFigureHandle, _pose: *const OpenracPose) {}
    fn figure_show(_host, _figure: OpenracFigureHandle, _show: u8) {}
    fn figure_wear(
        _host,
        _figure: OpenracFigureHandle,
        _pieces: *const OpenracPiece,
        count: u32,
    ) -> u32 {
        count
    }
    fn figure_fire(_host, _figure: OpenracFigureHandle, _shot: *const OpenracShot) {}
    fn figure_remove(_host, _figure: OpenracFigureHandle) {}
    fn card_save(_host, _slot: u8, _out: *mut OpenracCardSave) -> u8 { 0 }
    fn save_read(_host, _slot: u8, _buf: *mut u8, _capacity: usize) -> usize { 0 }
    fn save_capture(_host, _buf: *mut u8, _capacity: usize) -> usize { 0 }
    fn play_start(_host, _mode: u8, _save: *const u8, _save_size: usize, _level: i32) -> u8 { 1 }
    fn title_return(_host, _page: OpenracPageHandle) {}
    fn travel(_host, _level: i32) {}
    fn control_hold(_host, _hold: u8, _text: OpenracStr) {}
    fn menus_pause(host, pause: u8) {
        host.did(format!("menus_pause {pause}"));
    }
    fn message(host, text: OpenracStr, _seconds: f32) {
        host.did(format!("message {}", copied(text)));
    }
    fn scene(_host, _out: *mut OpenracScene) -> u8 { 0 }
    fn play_scene(_host, _scene: i32) -> u8 { 0 }
    fn scene_skip(_host, _what: u8, _scene: i32) {}
    fn hooks_set(host, hooks: *const OpenracHooks) {
        // SAFETY: the mod gave it to this call.
        host.hooks.set(unsafe { *hooks });
    }

    fn mobys(host, buf: *mut OpenracMoby, capacity: u32) -> u32 {
        let count = host.mobys.get();
        host.did(format!("mobys {capacity}"));
        for (number, place) in (1..=count.min(capacity)).zip(0..) {
            let moby = OpenracMoby { handle: number, key: sdk::KEY_NONE, ..OpenracMoby::ZERO };
            let place = buf.wrapping_add(place);
            // SAFETY: less than the capacity, so in the mod's buffer.
            unsafe { place.write(moby) };
        }
        count
    }
    fn moby_drive(_host, _moby: OpenracMobyHandle, _drive: u8) {}
    fn moby_pose(_host, _moby: OpenracMobyHandle, _pose: *const OpenracMobyPose, _hidden: u8) {}
    fn moby_kill(host, moby: OpenracMobyHandle, how: u8) {
        host.did(format!("moby_kill {moby} {how}"));
    }
    fn moby_break(host, moby: OpenracMobyHandle, by: OpenracMobyHandle) -> u8 {
        host.did(format!("moby_break {moby} {by}"));
        1
    }
    fn moby_make(_host, _class: i16, _position: OpenracVec3, _yaw: f32) -> OpenracMobyHandle { 0 }
    fn hit_post(_host, _hit: *const OpenracHit) -> u8 { 1 }
    fn hero_hit(_host, _hit: *const OpenracHit) {}
    fn eyes(_host, _points: *const OpenracVec3, _count: u32) {}
    fn cameras(_host, _out: *mut OpenracCameras) {}
    fn bolts_add(_host, _count: i32) {}
    fn progress(_host, _out: *mut OpenracProgress) {}
    fn progress_give(_host, _what: u8, _index: u32) {}
}
