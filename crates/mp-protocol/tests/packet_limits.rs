//! Every limit of a packet and a datagram: kept at its edge, refused one past it, by both decoder and
//! encoder.
#![allow(clippy::unwrap_used, reason = "a test's helpers are tests")]

mod edges;

use edges::{ok, out_of_range, refused};
use mp_protocol::datagram::{ClientDatagram, ClientDatagramKind, ServerDatagram, bind_answer_size};
use mp_protocol::limits::*;
use mp_protocol::{
    ClientPacket, List, ListRow, Malformed, Member, PartyInfo, ServerPacket, SessionId, TextFault,
    Token, encode_data,
};

const ID: SessionId = SessionId(7);
const TOKEN: Token = Token::from_bits(1);

/// A `str` on the wire.
fn text(text: &str) -> Vec<u8> {
    let mut bytes = i16::try_from(text.len()).unwrap().to_be_bytes().to_vec();
    bytes.extend_from_slice(text.as_bytes());
    bytes
}

#[test]
fn texts_keep_their_lengths() {
    let long = "x".repeat(257);
    let hello = |version| ClientPacket::Hello { version, name: "" };
    ok!(ClientPacket, hello(&long[..1]));
    ok!(ClientPacket, hello(&long[..64]));
    refused!(hello(""), "HELLO version");
    refused!(hello(&long[..65]), "HELLO version");

    let create = |description| ClientPacket::Create { description };
    ok!(ClientPacket, create(""));
    ok!(ClientPacket, create(&long[..256]));
    refused!(create(&long), "CREATE description");

    let join = |code| ClientPacket::Join { code };
    ok!(ClientPacket, join("a"));
    ok!(ClientPacket, join(&long[..16]));
    refused!(join(""), "JOIN code");
    refused!(join(&long[..17]), "JOIN code");

    let chat = |text| ClientPacket::Chat { text };
    ok!(ClientPacket, chat("a"));
    ok!(ClientPacket, chat(&long[..256]));
    refused!(chat(""), "CHAT text");
    refused!(chat(&long), "CHAT text");
    let said = |text| ServerPacket::Chat { sender: ID, text };
    ok!(ServerPacket, said(&long[..256]));
    refused!(said(""), "CHAT text");
    refused!(said(&long), "CHAT text");

    for (head, what, short, most) in [
        (&[0][..], "HELLO version", 0, 64),
        (&[1, 0], "CREATE description", -2, 256),
        (&[1, 1], "JOIN code", 0, 16),
        (&[2], "CHAT text", 0, 256),
    ] {
        let mut body = head.to_vec();
        body.extend(text(&"x".repeat(most + 1)));
        let past = i64::try_from(most + 1).unwrap();
        assert_eq!(ClientPacket::decode(&body), out_of_range(what, past));
        body.truncate(head.len());
        body.extend((-1_i16).to_be_bytes());
        let empty = ClientPacket::decode(&body);
        assert!(empty == out_of_range(what, 0) || short < 0 && empty.is_ok(), "{empty:?}");
        body.truncate(head.len());
        body.extend((-2_i16).to_be_bytes());
        assert_eq!(ClientPacket::decode(&body), out_of_range(what, -2));
    }
}

#[test]
fn an_empty_text_may_have_length_0_too() {
    let empty = Ok(ClientPacket::Create { description: "" });
    assert_eq!(ClientPacket::decode(&[1, 0, 0, 0]), empty);
    assert_eq!(ClientPacket::decode(&[1, 0, 0xFF, 0xFF]), empty);
}

#[test]
fn descriptions_chat_and_names_hold_no_control_character() {
    for bad in ["a\n", "\u{7f}", "\u{85}"] {
        let control = |what| Err(Malformed::BadText { what, fault: TextFault::Control });
        for (head, what) in [(&[1, 0][..], "CREATE description"), (&[2], "CHAT text")] {
            let body = [head, &text(bad)].concat();
            assert_eq!(ClientPacket::decode(&body), control(what).map(|()| ClientPacket::Leave));
        }
        let joined = [&[1, 4, 0, 0, 0, 7][..], &text(bad)].concat();
        let refused = control("JOINED name").map(|()| ServerPacket::End);
        assert_eq!(ServerPacket::decode(&joined), refused);
        refused!(ClientPacket::Create { description: bad }, "CREATE description holds a control");
        refused!(ClientPacket::Chat { text: bad }, "CHAT text holds a control");
        refused!(ServerPacket::Chat { sender: ID, text: bad }, "CHAT text holds a control");
        refused!(ServerPacket::Joined { id: ID, name: bad }, "JOINED name holds a control");
    }
    let not_utf8 = Malformed::BadText { what: "CHAT text", fault: TextFault::NotUtf8 };
    assert_eq!(ClientPacket::decode(&[2, 0, 1, 0xFF]), Err(not_utf8));
}

#[test]
fn a_hello_with_a_bad_name_is_no_malformed_hello() {
    let version = "rac1-multiplayer/0.7.0";
    for name in ["", "a\n", &"n".repeat(33), &"n".repeat(STR_MAX)] {
        ok!(ClientPacket, ClientPacket::Hello { version, name });
    }
    let cut = [&[0][..], &text(version), &[0, 1]].concat();
    assert_eq!(ClientPacket::decode(&cut), Err(Malformed::Short { what: "HELLO name" }));
    let past = "n".repeat(STR_MAX + 1);
    refused!(ClientPacket::Hello { version, name: &past }, "HELLO name is out of range: 32768");
}

#[test]
fn each_side_may_send_its_own_packets_only() {
    for (body, what) in [(&[4, 0][..], "ERROR"), (&[6], "UDP")] {
        assert_eq!(ClientPacket::decode(body), Err(Malformed::WrongSide { what }));
    }
    for (op, what) in [(3, "INFO"), (4, "JOINED"), (5, "LEFT"), (6, "END")] {
        assert_eq!(ClientPacket::decode(&[1, op]), Err(Malformed::WrongSide { what }));
    }
    for (op, what) in [(0, "CREATE"), (1, "JOIN"), (2, "LEAVE"), (7, "FIND")] {
        assert_eq!(ServerPacket::decode(&[1, op]), Err(Malformed::WrongSide { what }));
    }
    for (body, what) in [([7, 0], "packet id"), ([1, 9], "PARTY opcode")] {
        let unknown = Malformed::UnknownKind { what, kind: if body[0] == 7 { 7 } else { 9 } };
        assert_eq!(ClientPacket::decode(&body), Err(unknown));
        assert_eq!(ServerPacket::decode(&body), Err(unknown));
    }
    let unknown = Malformed::UnknownKind { what: "ERROR reason", kind: 7 };
    assert_eq!(ServerPacket::decode(&[4, 7]), Err(unknown));
    assert_eq!(ClientPacket::decode(&[]), Err(Malformed::Short { what: "packet id" }));
}

#[test]
fn a_frame_holds_65_536_bytes() {
    let bytes = vec![1; DATA_MAX + 1];
    let frame = ok!(ServerPacket, ServerPacket::Data { sender: ID, bytes: &bytes[1..] });
    assert_eq!(frame.len(), FRAME_PREFIX + FRAME_MAX);
    refused!(ServerPacket::Data { sender: ID, bytes: &bytes }, "frame is out of range: 65537");
    ok!(ClientPacket, ClientPacket::Data { target: 0, bytes: &bytes[1..] });
    refused!(ClientPacket::Data { target: 0, bytes: &bytes }, "frame is out of range: 65537");

    let mut direct = Vec::new();
    encode_data(ID, &bytes[1..], &mut direct).unwrap();
    assert_eq!(direct, frame);
    assert!(encode_data(ID, &bytes, &mut direct).is_err());
    assert_eq!(direct, frame);
}

#[test]
fn a_session_is_1_and_up() {
    for id in [0, -1, i32::MIN] {
        refused!(ServerPacket::Hello { session: SessionId(id) }, "HELLO session is out of range");
        let mut body = vec![0];
        body.extend(id.to_be_bytes());
        assert_eq!(ServerPacket::decode(&body), out_of_range("HELLO session", id.into()));
    }
    ok!(ServerPacket, ServerPacket::Hello { session: SessionId(1) });
    ok!(ServerPacket, ServerPacket::Left { id: SessionId(i32::MAX) });
}

#[test]
fn a_party_has_1_to_4_members_and_a_list_128_rows() {
    let members = [Member { id: ID, name: "n" }; 5];
    let info = |count| {
        let members = List::from(&members[..count]);
        ServerPacket::Info(PartyInfo { code: "DIRECT", host: ID, members, description: "" })
    };
    let whole = ok!(ServerPacket, info(4));
    ok!(ServerPacket, info(1));
    refused!(info(0), "INFO count");
    refused!(info(5), "INFO count");
    let count = 4 + 2 + 2 + 6 + 4;
    for bad in [0, 5, 255] {
        let mut body = whole[4..].to_vec();
        body[count - 4] = bad;
        assert_eq!(ServerPacket::decode(&body), out_of_range("INFO count", bad.into()));
    }

    let row = ListRow { code: "ABCDEF", host: "n", members: 1, size: 4, description: "" };
    let rows = [row; 129];
    let list = |count| ServerPacket::List(List::from(&rows[..count]));
    ok!(ServerPacket, list(0));
    let mut whole = ok!(ServerPacket, list(128));
    refused!(list(129), "LIST count is out of range: 129");
    whole[7] = 129;
    assert_eq!(ServerPacket::decode(&whole[4..]), out_of_range("LIST count", 129));
}

#[test]
fn a_datagram_holds_1_200_bytes() {
    let state = [3; STATE_MAX + 13];
    let client = |what| ClientDatagram { session: ID, token: TOKEN, what };
    let send = |size| client(ClientDatagramKind::State { target: 0, bytes: &state[..size] });
    let mut whole = ok!(ClientDatagram, send(STATE_MAX));
    assert_eq!(whole.len(), DATAGRAM_MAX);
    refused!(send(STATE_MAX + 1), "STATE size is out of range: 1184");
    ok!(ClientDatagram, send(0));
    whole.push(0);
    assert_eq!(ClientDatagram::decode(&whole), out_of_range("datagram size", 1_201));

    let pass = |size| ServerDatagram::State { sender: ID, bytes: &state[..size] };
    assert_eq!(ok!(ServerDatagram, pass(1_195)).len(), DATAGRAM_MAX);
    refused!(pass(1_196), "STATE size is out of range");
    assert_eq!(ServerDatagram::decode(&whole[..1_201]), out_of_range("datagram size", 1_201));

    let bind = |heard, size| client(ClientDatagramKind::Bind { heard, size });
    for size in [13, 14, DATAGRAM_MAX] {
        assert_eq!(ok!(ClientDatagram, bind(true, size)).len(), size);
    }
    ok!(ClientDatagram, bind(false, 14));
    refused!(bind(true, 12), "BIND size");
    refused!(bind(false, 13), "BIND size");
    refused!(bind(true, 1_201), "BIND size");
    ok!(ServerDatagram, ServerDatagram::BindAnswer { size: 1 });
    ok!(ServerDatagram, ServerDatagram::BindAnswer { size: bind_answer_size(DATAGRAM_MAX) });
    refused!(ServerDatagram::BindAnswer { size: 0 }, "BIND answer size");
    refused!(ServerDatagram::BindAnswer { size: 1_201 }, "BIND answer size");
    assert_eq!((bind_answer_size(13), bind_answer_size(1_200)), (1, 1_188));

    let mut heard = ok!(ClientDatagram, bind(true, 14));
    heard[13] = 2;
    assert_eq!(ClientDatagram::decode(&heard), out_of_range("BIND heard", 2));
    heard[12] = 2;
    let unknown = Malformed::UnknownKind { what: "datagram kind", kind: 2 };
    assert_eq!(ClientDatagram::decode(&heard), Err(unknown));
    assert_eq!(ServerDatagram::decode(&[2]), Err(unknown));
    for end in 0..13 {
        assert!(matches!(ClientDatagram::decode(&heard[..end]), Err(Malformed::Short { .. })));
    }
}
