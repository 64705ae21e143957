//! One connection's rate limits and strikes (protocol.md 1, "Limits"). It only counts: dropping, telling
//! and closing are the router's.

use alloc::collections::VecDeque;

use mp_netcode::{LocalTime, TokenBucket};

use crate::config::Limits;

/// The limit that a frame or datagram was over; each one is a strike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Strike {
    /// Frames a second.
    #[error("frames a second")]
    Frames,
    /// Bytes of frames a second.
    #[error("bytes of frames a second")]
    FrameBytes,
    /// Datagrams a second.
    #[error("datagrams a second")]
    Datagrams,
    /// CHAT a second.
    #[error("CHAT a second")]
    Chat,
    /// LIST, JOIN, FIND and CREATE a second.
    #[error("LIST, JOIN, FIND and CREATE a second")]
    LobbyRequests,
    /// The host's outgoing queue, by a member's DATA, CHAT or STATE.
    #[error("the host's outgoing queue")]
    HostQueue,
}

impl Strike {
    /// Every limit, in the order of their numbers as `usize`.
    pub const ALL: [Self; 6] = [
        Self::Frames,
        Self::FrameBytes,
        Self::Datagrams,
        Self::Chat,
        Self::LobbyRequests,
        Self::HostQueue,
    ];
}

/// What a strike brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Penalty {
    /// ERROR 6: no other one was sent in the window.
    pub(crate) tell: bool,
    /// The strikes of the window are too many.
    pub(crate) close: bool,
}

/// The rates that a party's host has more of.
#[derive(Debug)]
struct Sending {
    frames: TokenBucket,
    frame_bytes: TokenBucket,
    datagrams: TokenBucket,
}

impl Sending {
    fn new(now: LocalTime, limits: &Limits, factor: u32, datagrams: u32) -> Self {
        let bucket = |rate: u32| TokenBucket::new(now, rate.saturating_mul(factor));
        Self {
            frames: bucket(limits.frames_per_second),
            frame_bytes: bucket(limits.frame_bytes_per_second),
            datagrams: TokenBucket::new(now, datagrams),
        }
    }
}

#[derive(Debug)]
pub(crate) struct Rates {
    member: Sending,
    /// Buckets of their own, so that leaving and creating over and over fills none.
    host: Sending,
    chat: TokenBucket,
    lobby_requests: TokenBucket,
    /// The strikes of the window, oldest first.
    strikes: VecDeque<LocalTime>,
    /// When the last ERROR 6 was sent.
    told: Option<LocalTime>,
}

impl Rates {
    pub(crate) fn new(now: LocalTime, limits: &Limits) -> Self {
        Self {
            member: Sending::new(now, limits, 1, limits.datagrams_per_second),
            host: Sending::new(
                now,
                limits,
                limits.host_frame_rate_factor,
                limits.host_datagrams_per_second,
            ),
            chat: TokenBucket::new(now, limits.chats_per_second),
            lobby_requests: TokenBucket::new(now, limits.lobby_requests_per_second),
            strikes: VecDeque::new(),
            told: None,
        }
    }

    const fn sending(&mut self, hosts: bool) -> &mut Sending {
        if hosts { &mut self.host } else { &mut self.member }
    }

    /// Takes one frame of `bytes`, its length field included.
    pub(crate) fn frame(&mut self, now: LocalTime, bytes: u32, hosts: bool) -> Result<(), Strike> {
        let sending = self.sending(hosts);
        held(sending.frames.take(now, 1), Strike::Frames)?;
        held(sending.frame_bytes.take(now, bytes), Strike::FrameBytes)
    }

    pub(crate) fn datagram(&mut self, now: LocalTime, hosts: bool) -> Result<(), Strike> {
        held(self.sending(hosts).datagrams.take(now, 1), Strike::Datagrams)
    }

    pub(crate) fn chat(&mut self, now: LocalTime) -> Result<(), Strike> {
        held(self.chat.take(now, 1), Strike::Chat)
    }

    pub(crate) fn lobby_request(&mut self, now: LocalTime) -> Result<(), Strike> {
        held(self.lobby_requests.take(now, 1), Strike::LobbyRequests)
    }

    /// Counts a strike.
    pub(crate) fn strike(&mut self, now: LocalTime, limits: &Limits) -> Penalty {
        let recent = |at: &LocalTime| now.since(*at) < limits.strike_window;
        while self.strikes.front().is_some_and(|at| !recent(at)) {
            self.strikes.pop_front();
        }
        self.strikes.push_back(now);
        let tell = !self.told.as_ref().is_some_and(recent);
        if tell {
            self.told = Some(now);
        }
        Penalty { tell, close: self.strikes.len() >= limits.strikes }
    }
}

fn held(taken: bool, limit: Strike) -> Result<(), Strike> {
    if taken { Ok(()) } else { Err(limit) }
}

#[cfg(test)]
mod tests {
    use core::time::Duration;

    use super::*;

    #[test]
    fn the_tenth_strike_in_ten_seconds_closes_and_the_first_is_told() {
        let limits = Limits::default();
        let mut rates = Rates::new(LocalTime::ZERO, &limits);
        for strike in 1..=10 {
            let penalty = rates.strike(LocalTime::ZERO + Duration::from_millis(strike), &limits);
            assert_eq!(penalty, Penalty { tell: strike == 1, close: strike == 10 }, "{strike}");
        }
    }

    #[test]
    fn a_strike_counts_for_just_under_ten_seconds() {
        for (last, close) in [(9_999_999, true), (10_000_000, false)] {
            let limits = Limits::default();
            let mut rates = Rates::new(LocalTime::ZERO, &limits);
            for _ in 0..9 {
                rates.strike(LocalTime::ZERO, &limits);
            }
            let penalty = rates.strike(LocalTime::from_micros(last), &limits);
            assert_eq!(penalty, Penalty { tell: !close, close });
        }
    }

    #[test]
    fn nine_strikes_in_any_ten_seconds_go_on_for_ever_and_are_told_every_ten() {
        let limits = Limits::default();
        let mut rates = Rates::new(LocalTime::ZERO, &limits);
        let mut told = 0;
        for second in 0..100 {
            for strike in 0..9 {
                if second % 10 == 0 {
                    let now = LocalTime::ZERO + Duration::from_millis(second * 1000 + strike);
                    let penalty = rates.strike(now, &limits);
                    assert!(!penalty.close);
                    told += u32::from(penalty.tell);
                }
            }
        }
        assert_eq!(told, 10);
        assert!(rates.strikes.len() <= 9);
    }
}
