//! A core that makes every call of the game's there is, from each of its own.

use std::cell::Cell;
use std::num::NonZeroU32;
use std::rc::Rc;

use mp_netcode::LocalTime;
use mp_sockets::Handle;

use crate::front::Core;
use crate::game::{
    Animation, Figure, Game, Give, HeroPose, Hit, Kill, LogLevel, MenuSound, MobyHandle, MobyPose,
    PageEvent, PageId, PageView, Pieces, PromptId, Setting, Shot, Skip, Start,
};
use crate::hooks::{Asked, Gate, Happened, Standing};

use super::Did;

/// Makes every call of the game's; those of the load (`page_add`, `menu_item`, `hooks_set`) are `ffi`'s.
pub(super) fn everything(game: &dyn Game) {
    base(game);
    pages(game);
    play(game);
    world(game);
}

fn base(game: &dyn Game) {
    game.log(LogLevel::Info, "everything");
    game.setting(Setting::Name);
    game.launcher_name();
    game.build();
    game.work_dir();
    game.frame();
    game.tick_rate();
}

fn pages(game: &dyn Game) {
    game.page_open(PageId::Lobby);
    game.page_cursor(0);
    game.prompt(PromptId::Leave, "Leave?", "Yes", "No");
    game.menu_sound(MenuSound::Move);
    game.page_close();
}

fn play(game: &dyn Game) {
    let figure = Figure(NonZeroU32::MIN);
    game.phase();
    game.level();
    game.level_name(0);
    game.level_records();
    game.in_control();
    game.hero_pose();
    game.figure_make("Nova");
    game.figure_moby(figure);
    game.figure_pose(figure, &HeroPose::default());
    game.figure_show(figure, true);
    game.figure_wear(figure, &Pieces::default());
    game.figure_fire(
        figure,
        &Shot { item: 0, position: [0.0; 3], velocity: [0.0; 3], aim: [0.0; 4] },
    );
    game.figure_remove(figure);
    game.card_save(0);
    game.save_read(0);
    game.save_capture();
    game.play_start(Start::NewGame, None);
    game.title_return(PageId::Home);
    game.travel(0);
    game.control_hold(Some("Wait"));
    game.menus_pause(true);
    game.message("everything", 1.0);
    game.scene();
    game.play_scene(0);
    game.scene_skip(Skip::Own);
}

fn world(game: &dyn Game) {
    let moby = MobyHandle(NonZeroU32::MIN);
    let animation = Animation { sequence: 0, frame: 0, next_frame: 0, time: 0.0, speed: 0.0 };
    let pose = MobyPose { position: [0.0; 3], rotation: [0.0; 3], animation };
    let hit = Hit {
        target: Some(moby),
        attacker: None,
        mask: 0,
        damage: 1.0,
        position: [0.0; 3],
        velocity: [0.0; 3],
    };
    game.mobys(&mut Vec::new());
    game.moby_drive(moby, true);
    game.moby_pose(moby, &pose, false);
    game.moby_kill(moby, Kill::Quiet);
    game.moby_break(moby, None);
    game.moby_make(0, [0.0; 3], 0.0);
    game.hit_post(&hit);
    game.hero_hit(&hit);
    game.eyes(&[]);
    game.cameras();
    game.bolts_add(1);
    game.progress();
    game.progress_give(Give::Item(0));
}

/// See the module. It keeps which of its own calls came.
pub(super) struct Busy {
    pub(super) did: Did,
}

impl Busy {
    fn is_called(&self, name: &str, game: &dyn Game) {
        self.did.borrow_mut().push(name.to_owned());
        everything(game);
    }
}

impl Core for Busy {
    fn tick(&mut self, game: &dyn Game, _now: LocalTime) {
        self.is_called("tick", game);
    }

    fn page_event(&mut self, _page: PageId, _event: PageEvent, game: &dyn Game, _now: LocalTime) {
        self.is_called("page_event", game);
    }

    fn answered(&mut self, _prompt: PromptId, _yes: bool, game: &dyn Game) {
        self.is_called("answered", game);
    }

    fn page(&mut self, _page: PageId, game: &dyn Game, _now: LocalTime) -> PageView {
        everything(game);
        PageView::default()
    }

    fn asked(&mut self, _asked: &Asked, game: &dyn Game, _now: LocalTime) -> bool {
        self.is_called("asked", game);
        true
    }

    fn gate(&mut self, _moby: MobyHandle) -> Gate {
        self.did.borrow_mut().push("gate".to_owned());
        Gate::Run
    }

    fn happened(&mut self, _happened: &Happened, game: &dyn Game, _now: LocalTime) {
        self.is_called("happened", game);
    }

    fn standing(&self) -> Rc<Cell<Standing>> {
        Rc::default()
    }

    fn end(self: Box<Self>, game: &dyn Game) -> Option<Handle> {
        self.is_called("end", game);
        None
    }
}
