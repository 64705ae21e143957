//! What the game asks and tells the mod, through the mod's front: what the C hooks are when the library
//! is loaded.

use mp_playground::game::{ModCall, Reply};
use mp_playground::sim::{Ask, MobyId};
use openrac_multiplayer::front::{Front, Input};
use openrac_multiplayer::game::{Kinds, MobyHandle, PageEvent};
use openrac_multiplayer::hooks::{Asked, Gate, Happened};

use super::convert::{gone, handle_of, hit_of, shot_of, skip_of};
use super::{LabGame, page_of};

impl LabGame {
    /// Makes every call that the game wants made of the mod.
    pub(super) fn make_calls(&self) {
        loop {
            let call = self.stand_in().poll_call();
            let Some(call) = call else { return };
            self.make(call);
        }
    }

    fn make(&self, call: ModCall) {
        let (page, event) = match call {
            ModCall::Shown(page) => (page, PageEvent::Shown),
            ModCall::Hidden(page) => (page, PageEvent::Hidden),
            ModCall::Back(page) => (page, PageEvent::Back),
            ModCall::Choose(page, row) => (page, PageEvent::Choose { row: index(row) }),
            ModCall::Step(page, row, direction, held_ticks) => {
                (page, PageEvent::Step { row: index(row), right: direction > 0, held_ticks })
            }
            ModCall::PromptDone(yes) => {
                if let Some(prompt) = self.take_asked() {
                    self.input(Input::Answer(prompt, yes));
                }
                return;
            }
            ModCall::OnTravel { level, by_ship } => {
                return self.may_or_refuse(&Asked::Travel { level, by_ship });
            }
            ModCall::OnSkip { what, scene } => {
                return self.may_or_refuse(&Asked::Skip(skip_of(what, scene)));
            }
        };
        let page = page_of(page).expect("the mod added it");
        self.input(Input::Page(page, event));
    }

    fn may_or_refuse(&self, asked: &Asked) {
        if !self.asks(asked) {
            self.stand_in().refuse();
        }
    }

    /// Settles what a step or a call began: asks the mod until it is over.
    pub(super) fn settle(&self) {
        loop {
            let ask = self.stand_in().poll_ask(true);
            let Some(ask) = ask else { return };
            let reply = self.ask(&ask);
            let answered = self.stand_in().answer(reply);
            self.held_to("gate", answered);
        }
    }

    fn ask(&self, ask: &Ask) -> Reply {
        match *ask {
            Ask::Gate(moby) => self.deciding(|| self.gate(moby)),
            Ask::Make(making) => {
                let make = Asked::Make {
                    class: making.class as i16,
                    kinds: Kinds(making.class.traits().kinds),
                    maker: handle_of(making.maker),
                    position: making.position.into(),
                };
                self.deciding(|| self.may(&make))
            }
            Ask::Hit(hit) => self.may(&Asked::Hit(hit_of(&hit))),
            Ask::Bolt { moby, collector, value } => {
                let collector = handle_of(collector);
                self.may(&Asked::Bolt { moby: handle(moby), collector, value })
            }
            Ask::Made { moby, class, maker } => self.tell(Happened::Made {
                moby: handle(moby),
                class: class as i16,
                kinds: Kinds(class.traits().kinds),
                maker: handle_of(maker),
            }),
            Ask::Gone { moby, how, by } => {
                self.tell(Happened::Gone { moby: handle(moby), how: gone(how), by: handle_of(by) })
            }
            Ask::Broke { moby, by } => {
                self.tell(Happened::Broke { moby: handle(moby), by: handle_of(by) })
            }
            Ask::Pickup { moby, by } => {
                self.tell(Happened::PickedUp { moby: handle(moby), by: handle_of(by) })
            }
            Ask::Shot(shot) => self.tell(Happened::Shot(shot_of(&shot))),
        }
    }

    fn gate(&self, moby: MobyId) -> Reply {
        match self.front().gate(handle(moby)) {
            Gate::Run => Reply::OwnWay,
            Gate::Skip => Reply::Not,
            Gate::StandIn(figure) => Reply::StandIn(figure.0.get()),
        }
    }

    fn may(&self, asked: &Asked) -> Reply {
        if self.asks(asked) { Reply::OwnWay } else { Reply::Not }
    }

    fn asks(&self, asked: &Asked) -> bool {
        self.front().asked(asked, self, self.now())
    }

    fn tell(&self, happened: Happened) -> Reply {
        self.input(Input::Happened(happened));
        Reply::OwnWay
    }

    fn input(&self, input: Input) {
        self.front().input(input, self, self.now());
    }

    /// Calls a hook from which nothing may be made or killed.
    fn deciding<T>(&self, hook: impl FnOnce() -> T) -> T {
        let outer = self.decides.replace(true);
        let answer = hook();
        self.decides.set(outer);
        answer
    }

    /// The mod's front.
    pub(super) fn front(&self) -> &Front {
        self.front.get().expect("a game starts with its mod")
    }
}

/// A moby that the game speaks of.
fn handle(moby: MobyId) -> MobyHandle {
    handle_of(moby).expect("the game speaks of a moby that is there")
}

fn index(row: u32) -> usize {
    usize::try_from(row).expect("a 32-bit number fits")
}
