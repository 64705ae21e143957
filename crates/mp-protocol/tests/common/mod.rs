//! What the tests share: the vectors, and the one property that holds for any bytes.
#![allow(clippy::unwrap_used, reason = "a test's helpers are tests")]
#![allow(dead_code, reason = "each test program uses a part")]

use mp_protocol::datagram::{ClientDatagram, ServerDatagram};
use mp_protocol::game::Message;
use mp_protocol::{ClientPacket, FrameReader, Malformed, ServerPacket};
use serde_json::Value;

/// The published vectors, as this crate holds them.
pub const VECTORS: &str = include_str!("../vectors.json");

/// One published message.
pub struct Vector {
    pub message: String,
    pub place: String,
    pub bytes: Vec<u8>,
    pub fields: serde_json::Map<String, Value>,
}

pub fn vectors() -> Vec<Vector> {
    let rows: Vec<Value> = serde_json::from_str(VECTORS).unwrap();
    let text = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
    rows.iter()
        .map(|row| Vector {
            message: text(row, "message"),
            place: text(row, "where"),
            bytes: from_hex(row["hex"].as_str().unwrap()),
            fields: row["fields"].as_object().unwrap().clone(),
        })
        .collect()
}

pub fn from_hex(hex: &str) -> Vec<u8> {
    let pairs = hex.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(core::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What any message decodes to.
#[derive(Debug, PartialEq)]
pub enum Decoded<'a> {
    ClientFrame(ClientPacket<'a>),
    ServerFrame(ServerPacket<'a>),
    ClientDatagram(ClientDatagram<'a>),
    ServerDatagram(ServerDatagram<'a>),
    Game(Message<'a>),
}

impl<'a> Decoded<'a> {
    /// A whole frame, length included, or a datagram, or a game message, as the vectors name places.
    /// `None`: no frame, or not one alone.
    pub fn decode(place: &str, bytes: &'a [u8]) -> Option<Result<Self, Malformed>> {
        Some(match place {
            "frame c2s" => ClientPacket::decode(body(bytes)?).map(Self::ClientFrame),
            "frame s2c" => ServerPacket::decode(body(bytes)?).map(Self::ServerFrame),
            "datagram c2s" => ClientDatagram::decode(bytes).map(Self::ClientDatagram),
            "datagram s2c" => ServerDatagram::decode(bytes).map(Self::ServerDatagram),
            "game" => Message::decode(bytes).map(Self::Game),
            _ => panic!("no place {place}"),
        })
    }

    pub fn encode(&self) -> Result<Vec<u8>, Malformed> {
        let mut out = Vec::new();
        match self {
            Self::ClientFrame(packet) => packet.encode(&mut out),
            Self::ServerFrame(packet) => packet.encode(&mut out),
            Self::ClientDatagram(datagram) => datagram.encode(&mut out),
            Self::ServerDatagram(datagram) => datagram.encode(&mut out),
            Self::Game(message) => message.encode(&mut out),
        }?;
        Ok(out)
    }
}

/// The body of the one frame that `bytes` are.
fn body(bytes: &[u8]) -> Option<&[u8]> {
    let mut input = bytes;
    let whole = FrameReader::new().next(&mut input).ok()??.len();
    input.is_empty().then(|| &bytes[bytes.len() - whole..])
}

/// Decodes `bytes`; what is accepted must have an encoding, and that must mean the same. Says whether
/// it was accepted.
pub fn accepted_means_the_same_again(place: &str, bytes: &[u8]) -> bool {
    let Some(Ok(decoded)) = Decoded::decode(place, bytes) else { return false };
    let again = decoded.encode().unwrap_or_else(|error| {
        panic!("{place} {}: {decoded:?} has no encoding: {error}", to_hex(bytes))
    });
    assert_eq!(Decoded::decode(place, &again), Some(Ok(decoded)), "{place} {}", to_hex(bytes));
    true
}
