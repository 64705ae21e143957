//! Two games' socket threads over the relay, as a game has them.

use std::time::{Duration, Instant};

use mp_protocol::SessionId;
use mp_sockets::{Clock, Command, Destination, Event, Handle, LinkId, PartyNews, PartyRequest};

use crate::player::PATIENCE;
use crate::support::{relay, settings};

struct Game(Handle);

impl Game {
    fn linked(to: &Destination, name: &str) -> (Self, SessionId) {
        let game = Self(mp_sockets::start(Clock::new()).unwrap());
        let (link, to, name) = (LinkId(1), to.clone(), name.to_owned());
        game.0.send(Command::Connect { link, to, name }).unwrap();
        let session = game.wait("the link", |event| match event {
            Event::Connected { session } => Some(session),
            _ => None,
        });
        (game, session)
    }

    fn wait<T>(&self, what: &str, mut pick: impl FnMut(Event) -> Option<T>) -> T {
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "{what} did not come");
            let report = self.0.next_within(left);
            if let Some(found) = report.and_then(|report| pick(report.event)) {
                return found;
            }
        }
    }

    fn code(&self) -> String {
        self.wait("INFO", |event| match event {
            Event::Party(PartyNews::Info { code, .. }) => Some(code),
            _ => None,
        })
    }

    fn state(&self) -> (SessionId, Vec<u8>, bool) {
        self.wait("state", |event| match event {
            Event::Data { sender, bytes, udp, .. } => Some((sender, bytes.0, udp)),
            _ => None,
        })
    }
}

#[test]
fn two_games_play_over_the_relay_by_udp() {
    let relay = relay(&settings(2));
    let to = Destination::Address(relay.address());
    let (host, host_id) = Game::linked(&to, "Host");
    let (member, member_id) = Game::linked(&to, "Nova");
    let description = "New game".to_owned();
    host.0.send(Command::Party(PartyRequest::Create { description })).unwrap();
    let code = host.code();
    member.0.send(Command::Party(PartyRequest::Join { code })).unwrap();
    member.code();
    for (from, id, to) in [(&member, member_id, &host), (&host, host_id, &member)] {
        // As DATA until the receiver's second BIND, 3 s after its first, says that it hears datagrams.
        let until = Instant::now() + PATIENCE;
        loop {
            from.0
                .send(Command::State { target: None, key: 1, bytes: b"pose".to_vec().into() })
                .unwrap();
            let (sender, bytes, udp) = to.state();
            assert_eq!((sender, &*bytes), (id, &b"pose"[..]));
            if udp {
                break;
            }
            assert!(Instant::now() < until, "no state came by UDP");
        }
    }
    assert!(relay.stop());
    member.wait("END", |event| matches!(event, Event::Party(PartyNews::End)).then_some(()));
    for game in [host, member] {
        assert!(game.0.join_within(Duration::from_secs(5)));
    }
}
