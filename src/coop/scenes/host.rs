//! The host's scenes: numbered for everyone, and waited for.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use mp_netcode::LocalTime;
use mp_protocol::SessionId;
use mp_protocol::game::{
    Level, PlayId, Scene as SceneNews, SceneProgress, SceneState, SkipTarget, SkipWhat,
};
use mp_protocol::limits::REPEAT_INTERVAL;

use super::showing::{Change, Showing};
use crate::coop::here::Here;
use crate::game::Skip;

/// How long the host waits for those still in a scene (B5.8).
const WAIT_MAX: Duration = Duration::from_secs(10);
/// Once everyone has arrived, the poses that say who is in a landing are still on their way.
const SETTLE: Duration = Duration::from_millis(250);

/// What the host knows of another player.
#[derive(Clone, Copy, Debug)]
pub(in crate::coop) struct Other {
    pub(in crate::coop) id: SessionId,
    /// Where its newest pose is; `None`: in no level.
    pub(in crate::coop) level: Option<i32>,
    /// That pose is in a scene.
    pub(in crate::coop) in_scene: bool,
}

/// See the module.
#[derive(Debug, Default)]
pub(in crate::coop) struct HostScenes {
    showing: Option<Showing>,
    /// The number of the newest scene of a level's own.
    sequence: u16,
    /// That scene, while it plays.
    playing: Option<(i32, i32)>,
    told: LocalTime,
    skips: u16,
    wait: Option<Wait>,
    /// The scenes since the wait before were not all of the game's own: members tell of those.
    was_level_scene: bool,
    members: BTreeMap<SessionId, (u16, SceneProgress)>,
    news: VecDeque<SceneNews>,
}

#[derive(Clone, Copy, Debug)]
struct Wait {
    since: LocalTime,
    /// Everyone arrived only then.
    after_arrival: bool,
}

impl HostScenes {
    /// One tick. `others` are those who are waited for; `arriving`: the party still arrives.
    pub(in crate::coop) fn tick(
        &mut self,
        here: &Here,
        play: PlayId,
        others: &[Other],
        arriving: bool,
    ) {
        self.observe(here, play);
        if here.level.is_none() || here.in_scene() {
            self.wait = None;
            self.was_level_scene &= here.level.is_some();
        } else if let Some(wait) = &mut self.wait {
            if arriving {
                *wait = Wait { since: here.now, after_arrival: true };
            }
            let waited = here.now.since(wait.since);
            let settles = wait.after_arrival && waited < SETTLE;
            if waited >= WAIT_MAX
                || (!settles && others.iter().all(|other| self.is_out(other, here)))
            {
                self.wait = None;
                self.was_level_scene = false;
            }
        }
    }

    /// Takes what plays now: a scene of the level's own is told when it starts, once a second, and when
    /// it is over. One that starts at once after another ends that one by its number.
    fn observe(&mut self, here: &Here, play: PlayId) {
        let was_in_scene = self.showing.is_some_and(|showing| is_shared(&showing));
        let change = Showing::update(&mut self.showing, here);
        if was_in_scene && !here.in_scene() {
            self.wait = Some(Wait { since: here.now, after_arrival: false });
        }
        let now_playing = self.showing.as_ref().and_then(Showing::level_scene);
        let is_news = match (self.playing, now_playing) {
            (_, Some(_)) if change == Change::Began => {
                self.sequence = self.sequence.wrapping_add(1);
                self.was_level_scene = true;
                true
            }
            (_, Some(_)) => here.now.since(self.told) >= REPEAT_INTERVAL,
            (Some(_), None) => true,
            (None, None) => false,
        };
        let told = now_playing.or(self.playing);
        self.playing = now_playing;
        if let Some((level, number)) = told.filter(|_| is_news) {
            self.told = here.now;
            let scene = now_playing.and_then(|_| u32::try_from(number).ok());
            let elapsed = self.showing.map_or(Duration::ZERO, |showing| showing.scene.elapsed);
            self.news.push_back(SceneNews {
                play,
                level: Level::new(level).unwrap_or(Level::NONE),
                scene,
                sequence: self.sequence,
                elapsed_ms: i32::try_from(elapsed.as_millis()).unwrap_or(i32::MAX).unsigned_abs(),
            });
        }
    }

    /// The next thing to tell everyone. What begins is told before LEVEL says that a scene plays, and
    /// what is over after LEVEL says that none does, so that no member takes it for one of the game's own.
    pub(in crate::coop) fn poll_news(&mut self, begins: bool) -> Option<SceneNews> {
        self.news.pop_front_if(|news| news.scene.is_some() == begins)
    }

    /// A member says how far it is with a scene.
    pub(in crate::coop) fn state_came(&mut self, sender: SessionId, state: &SceneState) {
        self.members.insert(sender, (state.sequence, state.state));
    }

    /// Somebody left.
    pub(in crate::coop) fn left(&mut self, id: SessionId) {
        self.members.remove(&id);
    }

    /// Start was pressed in what plays: what to tell everyone to skip.
    pub(in crate::coop) fn skip(&mut self, skip: Skip, here: &Here, play: PlayId) -> SkipTarget {
        self.observe(here, play);
        self.skips = self.skips.wrapping_add(1);
        let (what, scene) = match skip {
            Skip::Own => (SkipWhat::GameScene, 0),
            Skip::Level(_) => (SkipWhat::HostScene, self.sequence),
            Skip::Movie => (SkipWhat::Movie, 0),
        };
        SkipTarget { sequence: self.skips, play, what, scene }
    }

    /// Whether the host, out of its scene, waits for others.
    pub(in crate::coop) fn is_waiting(&self) -> bool {
        self.wait.is_some()
    }

    fn is_out(&self, other: &Other, here: &Here) -> bool {
        if other.level != here.level {
            return true;
        }
        let told = self.members.get(&other.id);
        let is_out = told == Some(&(self.sequence, SceneProgress::Out));
        !other.in_scene && (is_out || !self.was_level_scene)
    }
}

/// Whether it is one that everyone waits for.
fn is_shared(showing: &Showing) -> bool {
    use crate::game::SceneKind;
    matches!(showing.scene.kind, SceneKind::Level | SceneKind::Own)
}
