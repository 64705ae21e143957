//! What the socket thread reports, taken into the session.

use mp_netcode::LocalTime;
use mp_protocol::ErrorReason;
use mp_sockets::{Event, HostError, LostReason, PartyNews, PartyRow, Report};

use super::link::{Ended, Hosting, Link, SERVER_WENT_AWAY, Target};
use super::party::{LinkQuality, Party};
use super::words::{DESCRIPTION_SHOWN, or_new_game, shown, shown_name};
use super::{Notice, Session};

impl Session {
    /// The next thing that the socket thread has to say; `None` when there is nothing more now.
    /// Reports of a link that was given up are passed over.
    pub fn poll(&mut self, now: LocalTime) -> Option<Notice> {
        self.close_if_owed();
        if let Some(why) = self.over.take() {
            return Some(Notice::Ended(why));
        }
        if let Some(line) = self.unsent.poll() {
            return Some(Notice::Fault(line));
        }
        while let Some(Report { link, event }) = self.net.try_next() {
            if link != self.link_id || self.link == Link::Closed {
                continue;
            }
            if let Some(notice) = self.take(event, now) {
                return Some(notice);
            }
        }
        None
    }

    fn take(&mut self, event: Event, now: LocalTime) -> Option<Notice> {
        match event {
            Event::Hosting { port, addresses } => {
                self.hosting = Some(Hosting { port, addresses });
                None
            }
            Event::HostFailed { port, why } => {
                self.forget();
                self.footer = match why {
                    HostError::PortInUse => format!("Port {port} is in use"),
                    HostError::Other(why) => format!("Could not host on port {port}: {why}"),
                };
                None
            }
            Event::Connecting { .. } => {
                if let Some(target) = self.target() {
                    self.link = Link::Opening(target);
                }
                None
            }
            Event::ConnectFailed { why, retry_in } => {
                if let Some(target) = self.target() {
                    self.link = Link::Retrying { target, why, at: now + retry_in };
                }
                None
            }
            Event::Connected { session } => {
                let target = self.target()?;
                self.link = Link::Up { target, me: session };
                if self.footer == SERVER_WENT_AWAY {
                    self.footer.clear();
                }
                Some(Notice::Greeted)
            }
            Event::Lost { why } => self.lost(&why),
            Event::Party(news) => self.party_news(news),
            Event::Refused(reason) => self.refused(reason),
            Event::Data { sender, bytes, at, .. } => Some(Notice::Data { sender, bytes, at }),
            Event::Quality(quality) => {
                self.server_offset_micros = Some(quality.server_offset_micros);
                self.quality =
                    LinkQuality { round_trip: Some(quality.round_trip), udp: quality.udp };
                self.meter.measured(quality, now);
                None
            }
            Event::Liveness(liveness) => {
                self.liveness = liveness;
                None
            }
            Event::Closed { address, why, unsaid } => {
                let others = if unsaid > 0 {
                    format!(" ({unsaid} others closed before it were not told)")
                } else {
                    String::new()
                };
                Some(Notice::Log(format!("closed a connection of {address}: {why}{others}")))
            }
            Event::NotAccepting { why } => {
                Some(Notice::Fault(format!("nobody can connect just now: {why}")))
            }
            Event::Chat { sender, text } => self.chat_came(sender, &text),
        }
    }

    /// A link lost in a party ends it; the server's comes back by itself, direct play does not (B3.3,
    /// B5.9). The log has the reason, the page what came of it.
    fn lost(&mut self, why: &LostReason) -> Option<Notice> {
        let target = self.target()?;
        let log = Notice::Log(format!("the link is lost: {why}"));
        if target == Target::Server {
            // It is tried again by itself; what was heard over it counts no more.
            self.over = self.party.is_some().then_some(Ended::ServerWentAway);
            self.forget_party();
            self.forget_measured();
            self.link = Link::Opening(Target::Server);
            self.set_footer(SERVER_WENT_AWAY);
        } else if self.party.is_some() {
            self.end(Ended::HostWentAway);
            self.over = Some(Ended::HostWentAway);
        } else {
            self.forget_measured();
            self.link = Link::Opening(target);
            self.footer = why.to_string();
        }
        Some(log)
    }

    /// The party is over. The server's link outlives it, a direct one does not.
    fn end(&mut self, why: Ended) {
        if self.target() == Some(Target::Server) {
            self.forget_party();
        } else {
            self.close();
        }
        self.set_footer(why.words());
    }

    fn party_news(&mut self, news: PartyNews) -> Option<Notice> {
        match news {
            PartyNews::Info { code, host, members, description } => {
                self.entering = false;
                self.party = Some(Party::new(code, host, members, description));
                self.footer.clear();
                Some(Notice::Entered)
            }
            PartyNews::Joined(member) => {
                let id = member.id;
                if self.footer == left_words(&shown_name(&member.name)) {
                    self.footer.clear();
                }
                self.party.as_mut()?.joined(member);
                self.tell_ready();
                Some(Notice::Joined(id))
            }
            PartyNews::Left { id } => {
                let name = self.party.as_mut()?.left(id)?.name;
                self.strikes.forget(id);
                self.trace.left(id);
                self.footer = left_words(&name);
                Some(Notice::Left { id, name })
            }
            PartyNews::End => {
                // The echo of a party that this player has left.
                self.party.as_ref()?;
                self.end(Ended::HostLeft);
                Some(Notice::Ended(Ended::HostLeft))
            }
            PartyNews::List(parties) => {
                self.parties = Some(parties.into_iter().map(fit_to_show).collect());
                None
            }
        }
    }

    /// What the server refuses, in words; ERROR 3 is the echo of a party that ended (B2.9).
    fn refused(&mut self, reason: ErrorReason) -> Option<Notice> {
        if reason == ErrorReason::NotInOne {
            return None;
        }
        if self.party.is_none() && self.target() != Some(Target::Server) {
            // Connected but let into no party: nothing more comes of a direct link.
            self.close();
        }
        self.entering = false;
        refusal_words(reason).clone_into(&mut self.footer);
        None
    }
}

/// A party that others host, in words that a row can show. Its code stays as it came: it is what JOIN
/// says.
fn fit_to_show(row: PartyRow) -> PartyRow {
    PartyRow {
        host: shown_name(&row.host),
        description: shown(or_new_game(&row.description), DESCRIPTION_SHOWN),
        ..row
    }
}

/// What is said of one who left, until it is back.
fn left_words(name: &str) -> String {
    format!("{name} left")
}

/// What the server refuses, in a player's words (B2.9).
fn refusal_words(reason: ErrorReason) -> &'static str {
    match reason {
        ErrorReason::NoSuchParty => "No party has that code",
        ErrorReason::Full => "The party is full",
        ErrorReason::AlreadyInOne => "Already in a party",
        ErrorReason::NotInOne => "Not in a party",
        ErrorReason::BadName => "The server does not take that name",
        ErrorReason::TooManyConnections => "Too many connections from here",
        ErrorReason::TooFast => "Too fast: wait a moment",
    }
}
