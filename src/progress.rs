//! The shared progress (B7): what anyone of the party has, everyone has, and nothing is ever taken.
//!
//! [`SharedProgress`] keeps the union, and must never tell or give anything that nobody said they have.
//! Its core reads no clock and calls nothing: [`SharedProgress::play`] is its one way to game and session.

use mp_netcode::LocalTime;
use mp_protocol::game::{PlayId, Progress as Message};
use mp_protocol::limits::PROGRESS_INTERVAL;

use crate::game::{GOLD_BOLTS, Game, Give, ITEMS, PLANETS, Progress};
use crate::session::Session;

/// What is had: a bit for each item, gold bolt and planet that the game knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Had {
    items: u64,
    gold_bolts: u128,
    planets: u64,
}

impl Had {
    /// What this game has.
    fn of_game(progress: &Progress) -> Self {
        Self::of(&progress.items, &progress.gold_bolts, &progress.planets, |&had| had)
    }

    /// What another has. What this game does not know cannot be given in it and is left out.
    fn of_message(message: &Message) -> Self {
        Self::of(message.items, message.gold_bolts, message.planets, |&byte| byte != 0)
    }

    fn of<T>(items: &[T], gold_bolts: &[T], planets: &[T], had: impl Fn(&T) -> bool) -> Self {
        let bits = |list: &[T], known: usize| {
            let known = list.iter().take(known).enumerate();
            known.fold(0_u128, |bits, (index, entry)| bits | u128::from(had(entry)) << index)
        };
        let narrow = |bits| u64::try_from(bits).expect("no more items or planets than 64");
        Self {
            items: narrow(bits(items, ITEMS)),
            gold_bolts: bits(gold_bolts, GOLD_BOLTS),
            planets: narrow(bits(planets, PLANETS)),
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            items: self.items | other.items,
            gold_bolts: self.gold_bolts | other.gold_bolts,
            planets: self.planets | other.planets,
        }
    }

    fn without(self, other: Self) -> Self {
        Self {
            items: self.items & !other.items,
            gold_bolts: self.gold_bolts & !other.gold_bolts,
            planets: self.planets & !other.planets,
        }
    }

    /// Takes out the first thing of all that is had.
    fn pop(&mut self) -> Option<Give> {
        let index = |zeros: u32| u8::try_from(zeros).expect("no more than 128 of each");
        if self.items != 0 {
            let first = index(self.items.trailing_zeros());
            self.items &= self.items - 1;
            Some(Give::Item(first))
        } else if self.gold_bolts != 0 {
            let first = index(self.gold_bolts.trailing_zeros());
            self.gold_bolts &= self.gold_bolts - 1;
            Some(Give::GoldBolt(first))
        } else if self.planets != 0 {
            let first = index(self.planets.trailing_zeros());
            self.planets &= self.planets - 1;
            Some(Give::Planet(first))
        } else {
            None
        }
    }
}

/// What PROGRESS says, a byte each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lists {
    items: [u8; ITEMS],
    gold_bolts: [u8; GOLD_BOLTS],
    planets: [u8; PLANETS],
}

impl Lists {
    fn of(had: Had) -> Self {
        let byte = |bits: u128, index: usize| u8::from(bits >> index & 1 == 1);
        Self {
            items: std::array::from_fn(|index| byte(had.items.into(), index)),
            gold_bolts: std::array::from_fn(|index| byte(had.gold_bolts, index)),
            planets: std::array::from_fn(|index| byte(had.planets.into(), index)),
        }
    }

    /// The message.
    pub(crate) fn message(&self) -> Message<'_> {
        Message { items: &self.items, gold_bolts: &self.gold_bolts, planets: &self.planets }
    }
}

/// What a tick knows of this player's game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Here {
    /// Which of the host's games is on.
    pub(crate) play: PlayId,
    /// Whether this player is the host.
    pub(crate) is_host: bool,
    /// What the game has; `None` while it is in no level of that play.
    pub(crate) has: Option<Progress>,
    /// Whether the player has control: nothing is given before.
    pub(crate) in_control: bool,
}

/// One player's part of the shared progress. See the module.
#[derive(Debug, Default)]
pub(crate) struct SharedProgress {
    play: Option<PlayId>,
    /// What the others have, as far as they said.
    others: Had,
    /// What this game has; `None` until it was in a level of this play.
    own: Option<Had>,
    /// What was said last, and when it is said again.
    said: Option<Had>,
    say_again: LocalTime,
    to_say: Option<Had>,
    /// What was given and is not seen in the game yet, and until when the game is waited for.
    given: Had,
    give_again: LocalTime,
    to_give: Had,
}

impl SharedProgress {
    /// A tick of a game in a party: what it has is told, what it lacks is given.
    pub(crate) fn play(
        &mut self,
        play: PlayId,
        session: &mut Session,
        game: &dyn Game,
        now: LocalTime,
    ) {
        let is_host = session.is_host();
        let in_level = game.phase().has_hero() && game.level().is_some();
        let has = in_level.then(|| game.progress());
        self.tick(&Here { play, is_host, has, in_control: game.in_control() }, now);
        if let Some(lists) = self.poll_say() {
            session.send_message(None, &lists.message().into());
        }
        while let Some(give) = self.poll_give() {
            game.progress_give(give);
        }
    }

    /// What the host, or to the host a member, has. `play` is the one that is on; of which play the word is,
    /// is not asked: one who is still in an older play's level keeps its progress (B4.5).
    pub(crate) fn came(&mut self, play: PlayId, message: &Message) {
        self.follow(play);
        self.others = self.others.and(Had::of_message(message));
    }

    /// Somebody came, who knows nothing yet: the host says it all at the next tick.
    pub(crate) fn joined(&mut self) {
        self.said = None;
    }

    /// A tick of the game. Drain [`Self::poll_say`] and [`Self::poll_give`] after it.
    pub(crate) fn tick(&mut self, here: &Here, now: LocalTime) {
        self.follow(here.play);
        if let Some(has) = &here.has {
            self.own = Some(Had::of_game(has));
        }
        let Some(own) = self.own else { return };
        let all = own.and(self.others);
        let say = if here.is_host { all } else { own };
        if self.said != Some(say) || now >= self.say_again {
            self.said = Some(say);
            self.say_again = now + PROGRESS_INTERVAL;
            self.to_say = Some(say);
        }
        if here.has.is_some() && here.in_control {
            self.give(all.without(own), now);
        }
    }

    /// What the party had in another play says nothing about this one.
    fn follow(&mut self, play: PlayId) {
        if self.play != Some(play) {
            *self = Self { play: Some(play), ..Self::default() };
        }
    }

    /// Gives what is lacking, once. What the game still lacks when the party's progress is next repeated,
    /// it did not take.
    fn give(&mut self, lacking: Had, now: LocalTime) {
        if now >= self.give_again {
            self.given = Had::default();
        }
        self.to_give = lacking.without(self.given);
        if self.to_give != Had::default() {
            self.given = self.given.and(self.to_give);
            self.give_again = now + PROGRESS_INTERVAL;
        }
    }

    /// The PROGRESS to send now: the host's to all, a member's to the host.
    pub(crate) fn poll_say(&mut self) -> Option<Lists> {
        self.to_say.take().map(Lists::of)
    }

    /// The next thing to give this game.
    pub(crate) fn poll_give(&mut self) -> Option<Give> {
        self.to_give.pop()
    }
}

#[cfg(test)]
mod tests;
