//! A TCP stream: frames come out the same however it is cut, and each is refused or means something.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mp_protocol::{ClientPacket, FrameError, FrameReader, ServerPacket};

/// The bodies of a stream that comes in parts, and what ended it.
fn read(parts: [&[u8]; 2]) -> (Vec<Vec<u8>>, Option<FrameError>) {
    let mut reader = FrameReader::new();
    let mut bodies = Vec::new();
    for mut input in parts {
        loop {
            match reader.next(&mut input) {
                Ok(Some(body)) => bodies.push(body.to_vec()),
                Ok(None) => break,
                Err(error) => return (bodies, Some(error)),
            }
        }
    }
    (bodies, None)
}

fuzz_target!(|stream: &[u8]| {
    let (bodies, error) = read([stream, &[]]);
    for cut in 0..stream.len().min(64) {
        let (left, right) = stream.split_at(cut);
        assert_eq!(read([left, right]), (bodies.clone(), error));
    }
    for body in &bodies {
        let mut out = Vec::new();
        if let Ok(packet) = ClientPacket::decode(body) {
            packet.encode(&mut out).expect("what was accepted has an encoding");
            assert_eq!(ClientPacket::decode(&out[4..]), Ok(packet));
        }
        out.clear();
        if let Ok(packet) = ServerPacket::decode(body) {
            packet.encode(&mut out).expect("what was accepted has an encoding");
            assert_eq!(ServerPacket::decode(&out[4..]), Ok(packet));
        }
    }
});
