//! A member's scenes: the host's played from their start, late if need be, and ended with the host's.

use std::time::Duration;

use mp_netcode::{LocalTime, Sequence};
use mp_protocol::game::{
    HostLevel, PlayId, Scene as SceneNews, SceneProgress, SceneState, SkipTarget, SkipWhat,
};
use mp_protocol::limits::REPEAT_INTERVAL;

use super::showing::{Change, Showing};
use crate::changes::Changes;
use crate::coop::here::Here;
use crate::game::{Phase, SceneKind, Skip};

/// How long one that is out of its scene waits for a host whose own does not end.
const WAIT_MAX: Duration = Duration::from_secs(90);
/// A game that cannot start the host's scene for so long, though its player has control, has no such one.
const TRY_FOR: Duration = Duration::from_secs(2);

/// See the module.
#[derive(Debug, Default)]
pub(in crate::coop) struct MemberScenes {
    showing: Option<Showing>,
    /// What plays was told to end.
    ended: bool,
    /// The player had control since it came to this level.
    had_control: bool,
    /// The scene of the level's own that this game played by itself before that: an intro.
    intro: Option<i32>,
    host: HostNow,
    shared: Option<Shared>,
    /// The newest scene of the game's own that the host's game played.
    own: Option<HostOwn>,
    /// The newest SKIP taken.
    skips: Option<Sequence>,
    /// The host skipped a movie that is still to play here.
    skips_movie: bool,
    told: Option<(SceneState, LocalTime)>,
    tells: Changes,
    /// Since when this game is out of its scene, and the host is not.
    waiting: Option<LocalTime>,
    gave_up: bool,
}

/// What LEVEL said last.
#[derive(Clone, Copy, Debug, Default)]
struct HostNow {
    level: Option<i32>,
    plays_scene: bool,
}

/// The host's newest scene of a level's own.
#[derive(Clone, Copy, Debug)]
struct Shared {
    sequence: Sequence,
    level: i32,
    number: i32,
    /// When it was first heard of, and how long it had played in the host's game by then.
    came: LocalTime,
    elapsed: Duration,
    /// When it was over there.
    over: Option<LocalTime>,
    skipped: bool,
    progress: Progress,
}

impl Shared {
    /// How much later than in the host's game is this moment of it.
    fn late(&self, at: LocalTime) -> Duration {
        self.elapsed.saturating_sub(self.came.since(at)) + at.since(self.came)
    }
}

/// How far this game is with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    /// Still to play. `tried`: since when the game refuses to.
    StillToPlay {
        tried: Option<LocalTime>,
    },
    /// It plays, so much later than in the host's game.
    Playing {
        late: Duration,
    },
    Out,
}

/// A scene of the game's own in the host's game.
#[derive(Clone, Copy, Debug)]
struct HostOwn {
    level: Option<i32>,
    began: LocalTime,
    over: Option<LocalTime>,
}

impl MemberScenes {
    /// The host says where it is, and whether it plays a scene.
    pub(in crate::coop) fn level_came(&mut self, news: &HostLevel) {
        self.host = HostNow { level: news.level.number().map(i32::from), plays_scene: news.scene };
    }

    /// The host says which scene of the level it plays.
    pub(in crate::coop) fn scene_came(&mut self, news: &SceneNews, here: &Here) {
        let Some(level) = news.level.number().map(i32::from) else { return };
        // One that loads may be on its way to that level: whether it was shows when it is there.
        if !here.phase.in_game() || here.level.is_some_and(|here| here != level) {
            return;
        }
        let sequence = Sequence(news.sequence);
        let known = self.shared.as_mut().filter(|shared| shared.level == level);
        let ahead = known.as_ref().map_or(1, |shared| shared.sequence.distance_to(sequence));
        match (known, news.scene) {
            (Some(shared), None) if ahead == 0 => {
                shared.over.get_or_insert(here.now);
            }
            (_, Some(scene)) if ahead > 0 => {
                let Ok(number) = i32::try_from(scene) else { return };
                let elapsed = Duration::from_millis(news.elapsed_ms.into());
                let mut shared = Shared {
                    sequence,
                    level,
                    number,
                    came: here.now,
                    elapsed,
                    over: None,
                    skipped: false,
                    progress: Progress::StillToPlay { tried: None },
                };
                // An intro begins in every game by itself.
                let intro = self.intro.take_if(|intro| *intro == number).is_some();
                match self.showing.filter(|it| it.level_scene() == Some((level, number))) {
                    Some(it) => shared.progress = Progress::Playing { late: shared.late(it.began) },
                    None if intro => shared.progress = Progress::Out,
                    None => {}
                }
                self.shared = Some(shared);
            }
            _ => {}
        }
    }

    /// The host skipped something: a SKIP of this play. An older one than the newest skips nothing.
    pub(in crate::coop) fn skip_came(&mut self, skip: &SkipTarget, here: &Here) -> Option<Skip> {
        let sequence = Sequence(skip.sequence);
        if self.skips.is_some_and(|newest| !sequence.newer_than(newest)) {
            return None;
        }
        self.skips = Some(sequence);
        let kind = here.scene.map(|scene| scene.kind);
        match skip.what {
            SkipWhat::HostScene => {
                let shared = self.shared.as_mut()?;
                if shared.sequence != Sequence(skip.scene) {
                    return None;
                }
                shared.skipped = true;
                if matches!(shared.progress, Progress::Playing { .. }) {
                    // Now: the host's next scene may take this one's place before the tick.
                    self.ended = true;
                    return Some(Skip::Level(shared.number));
                }
                shared.progress = Progress::Out;
                None
            }
            SkipWhat::GameScene => {
                let is_that = kind == Some(SceneKind::Own) && here.level == self.host.level;
                is_that.then_some(Skip::Own)
            }
            SkipWhat::Movie => {
                // Between two levels: it may be a moment behind the host.
                self.skips_movie = here.phase.in_game() && here.level.is_none();
                None
            }
        }
    }

    /// One tick. Returns what is to end now.
    pub(in crate::coop) fn tick(&mut self, here: &Here) -> Option<Skip> {
        self.follow_own(here.now);
        if here.level.is_some() && here.in_control {
            self.had_control = true;
        }
        if here.level.is_none() {
            (self.had_control, self.intro) = (false, None);
        } else {
            self.skips_movie = false;
        }
        if !here.phase.in_game() {
            self.leave();
        }
        self.shared.take_if(|shared| here.level.is_some_and(|level| level != shared.level));
        self.observe(here);
        self.wait(here);
        let ends =
            self.showing.filter(|_| !self.ended).and_then(|showing| self.end(&showing, here));
        if ends.is_some() {
            self.ended = true;
            self.skips_movie = false;
        }
        ends
    }

    /// The host plays a scene of the game's own while it plays one and has told of none.
    fn follow_own(&mut self, now: LocalTime) {
        let tells = self.shared.is_some_and(|shared| shared.over.is_none());
        let plays = self.host.plays_scene && !tells;
        match self.own.as_mut().filter(|own| own.over.is_none()) {
            Some(own) if !plays => own.over = Some(now),
            None if plays => {
                self.own = Some(HostOwn { level: self.host.level, began: now, over: None });
            }
            _ => {}
        }
    }

    fn observe(&mut self, here: &Here) {
        let change = Showing::update(&mut self.showing, here);
        if change != Change::None {
            self.ended = false;
        }
        let plays = self.showing.as_ref().and_then(Showing::level_scene);
        let shared = self.shared.as_ref();
        let plays_it = plays.is_some_and(|it| shared.is_some_and(|s| it == (s.level, s.number)));
        if let (Change::Began, Some((_, number))) = (change, plays)
            && !plays_it
            && !self.had_control
        {
            self.intro = Some(number);
        }
        let Some(shared) = &mut self.shared else { return };
        shared.progress = match shared.progress {
            Progress::StillToPlay { .. } if plays_it => {
                Progress::Playing { late: shared.late(here.now) }
            }
            Progress::Playing { .. } if !plays_it => Progress::Out,
            as_it_is => as_it_is,
        };
    }

    /// What of it is to end now.
    fn end(&self, showing: &Showing, here: &Here) -> Option<Skip> {
        if let (Some(shared), Some(plays)) = (&self.shared, showing.level_scene()) {
            // One that was skipped before this game came to play it as its intro is skipped then.
            let is_it = plays == (shared.level, shared.number);
            let is_intro = !self.had_control && shared.skipped;
            let is_due = match shared.progress {
                Progress::Playing { late } => {
                    shared.over.is_some_and(|over| here.now >= over + late)
                }
                Progress::Out => is_intro,
                Progress::StillToPlay { .. } => false,
            };
            return (is_it && is_due).then_some(Skip::Level(shared.number));
        }
        match showing.scene.kind {
            SceneKind::Own => {
                let own = self.own.filter(|own| own.level == here.level)?;
                let over = own.over?;
                let was_in_it = showing.began < over || !self.had_control;
                let late = showing.began.since(own.began);
                (was_in_it && here.now >= over + late).then_some(Skip::Own)
            }
            SceneKind::Movie => self.skips_movie.then_some(Skip::Movie),
            SceneKind::Level | SceneKind::Camera => None,
        }
    }

    /// The scene that this game is to start now; [`Self::started`] takes whether it did. `held`: it is
    /// only us who keep control from the player.
    pub(in crate::coop) fn to_start(&self, here: &Here, held: bool) -> Option<i32> {
        let free = here.phase == Phase::Playing && here.scene.is_none();
        let shared = self.shared.filter(|shared| Some(shared.level) == here.level)?;
        let waits = matches!(shared.progress, Progress::StillToPlay { .. });
        (waits && free && (here.in_control || held)).then_some(shared.number)
    }

    /// Whether the game started what it was told to.
    pub(in crate::coop) fn started(&mut self, started: bool, here: &Here) {
        let Some(shared) = &mut self.shared else { return };
        if started {
            shared.progress = Progress::Playing { late: shared.late(here.now) };
            let scene = crate::game::Scene {
                kind: SceneKind::Level,
                number: Some(shared.number),
                elapsed: Duration::ZERO,
            };
            self.showing = Some(Showing { scene, level: here.level, began: here.now });
            self.ended = false;
        } else if let Progress::StillToPlay { tried } = &mut shared.progress {
            let since = *tried.get_or_insert(here.now);
            if here.now.since(since) >= TRY_FOR {
                shared.progress = Progress::Out;
            }
        }
    }

    /// Where this game is with the host's newest scene, if that is to be told now.
    pub(in crate::coop) fn poll_state(
        &mut self,
        play: PlayId,
        now: LocalTime,
    ) -> Option<SceneState> {
        let shared = self.shared?;
        let state = match shared.progress {
            Progress::StillToPlay { .. } => SceneProgress::StillToPlay,
            Progress::Playing { .. } => SceneProgress::Playing,
            Progress::Out => SceneProgress::Out,
        };
        let state = SceneState { play, sequence: shared.sequence.0, state };
        let is_due = match self.told {
            Some((told, _)) if told != state => true,
            // What is over everywhere needs no telling.
            Some((_, at)) => {
                let is_open = shared.over.is_none() || state.state != SceneProgress::Out;
                is_open && now.since(at) >= REPEAT_INTERVAL
            }
            None => true,
        };
        (is_due && self.tells.may(now)).then(|| {
            self.told = Some((state, now));
            state
        })
    }

    /// Counts how long this game has been out of its scene while the host is not, menus and all.
    fn wait(&mut self, here: &Here) {
        let plays = self.shared.is_some_and(|shared| shared.progress != Progress::Out);
        if self.host.plays_scene && self.host.level == here.level && !plays {
            self.waiting.get_or_insert(here.now);
        } else {
            (self.waiting, self.gave_up) = (None, false);
        }
    }

    /// Whether this game, out of its scene, waits for the host to be out of its own.
    pub(in crate::coop) fn is_waiting(&self, here: &Here) -> bool {
        let free = here.phase == Phase::Playing && here.scene.is_none();
        free && self.waiting.is_some_and(|since| here.now.since(since) < WAIT_MAX)
    }

    /// Whether it waited so long that it goes on by itself: true once for each time.
    pub(in crate::coop) fn gives_up(&mut self, now: LocalTime) -> bool {
        let over = self.waiting.is_some_and(|since| now.since(since) >= WAIT_MAX);
        over && !std::mem::replace(&mut self.gave_up, true)
    }

    /// This game leaves its level: what played there does not play any more.
    pub(in crate::coop) fn leave(&mut self) {
        (self.shared, self.own) = (None, None);
    }
}
