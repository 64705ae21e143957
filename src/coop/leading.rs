//! What the host tells everyone of its game (LEVEL, SCENE), and whom it waits for (B5.5, B5.8).

use mp_netcode::LocalTime;
use mp_protocol::SessionId;
use mp_protocol::game::{HostLevel, Level, PlayId, SceneState, Skip as SkipNews};
use mp_protocol::limits::REPEAT_INTERVAL;

use super::control::Hold;
use super::figures::Figures;
use super::here::Here;
use super::scenes::{HostScenes, Other};
use super::travel::HostTravel;
use crate::game::Skip;
use crate::session::Session;

/// The host's part. See the module.
#[derive(Debug, Default)]
pub(super) struct Leading {
    travel: HostTravel,
    scenes: HostScenes,
    /// What LEVEL said last, and when.
    told: Option<(HostLevel, LocalTime)>,
}

impl Leading {
    /// One tick.
    pub(super) fn tick(
        &mut self,
        here: &Here,
        play: PlayId,
        session: &mut Session,
        figures: &Figures,
        now: LocalTime,
    ) {
        let others = waited_for(session, figures);
        let all_arrived = others.iter().all(|other| {
            let member = session.party().and_then(|party| party.member(other.id));
            let said = member.and_then(|member| member.arrival);
            self.travel.has_arrived(said, other.level)
        });
        self.travel.tick(here, all_arrived);
        self.scenes.tick(here, play, &others, self.travel.is_arriving());
        self.tell(here, play, session, now);
    }

    /// Tells what is news, or was told long ago.
    fn tell(&mut self, here: &Here, play: PlayId, session: &mut Session, now: LocalTime) {
        while let Some(scene) = self.scenes.poll_news(true) {
            session.send_message(None, &scene.into());
        }
        let news = self.level_news(here, play);
        let is_due =
            self.told.is_none_or(|(told, at)| told != news || now.since(at) >= REPEAT_INTERVAL);
        if is_due {
            self.told = Some((news, now));
            session.send_message(None, &news.into());
        }
        while let Some(scene) = self.scenes.poll_news(false) {
            session.send_message(None, &scene.into());
        }
    }

    /// LEVEL as it was said last.
    pub(super) fn newest(&self) -> Option<HostLevel> {
        self.told.map(|(news, _)| news)
    }

    fn level_news(&self, here: &Here, play: PlayId) -> HostLevel {
        HostLevel {
            play,
            level: here.level.and_then(Level::new).unwrap_or(Level::NONE),
            scene: here.in_scene(),
            travel: Some(self.travel.news()),
        }
    }

    /// The ship leaves for that level: everyone is told at once.
    pub(super) fn depart(
        &mut self,
        dest: i32,
        here: &Here,
        play: PlayId,
        session: &mut Session,
        now: LocalTime,
    ) {
        self.travel.depart(dest, here.now);
        self.tell(here, play, session, now);
    }

    /// Start was pressed in a scene or a movie: everyone skips it.
    pub(super) fn skip(&mut self, skip: Skip, here: &Here, play: PlayId, session: &mut Session) {
        let Some(origin) = session.me() else { return };
        let target = Some(self.scenes.skip(skip, here, play));
        session.send_message(None, &SkipNews { origin, target }.into());
    }

    /// A member says how far it is with a scene of this play.
    pub(super) fn state_came(&mut self, sender: SessionId, state: &SceneState) {
        self.scenes.state_came(sender, state);
    }

    /// Somebody left: nobody waits for it any longer.
    pub(super) fn left(&mut self, id: SessionId) {
        self.scenes.left(id);
    }

    /// Why the host has no control now.
    pub(super) fn hold(&self) -> Option<Hold> {
        if self.travel.is_waiting() {
            Some(Hold::Arrivals)
        } else {
            self.scenes.is_waiting().then_some(Hold::Scenes)
        }
    }

    /// Whether the party still arrives in the level.
    pub(super) fn is_arriving(&self) -> bool {
        self.travel.is_arriving()
    }
}

/// The others that anything waits for: not this player, and not who is ignored.
fn waited_for(session: &Session, figures: &Figures) -> Vec<Other> {
    let me = session.me();
    let members = session.party().into_iter().flat_map(|party| party.members());
    let others = members.filter(|member| Some(member.id) != me && !member.ignored);
    others
        .map(|member| {
            let (level, in_scene) = figures.newest(member.id).unwrap_or_default();
            Other { id: member.id, level, in_scene }
        })
        .collect()
}
