//! What DATA and STATE carry: refused, or it means something.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mp_protocol::game::Message;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(message) = Message::decode(bytes) {
        let mut out = Vec::new();
        message.encode(&mut out).expect("what was accepted has an encoding");
        assert_eq!(Message::decode(&out), Ok(message));
        if let Message::Dead(dead) = message {
            assert!(dead.iter().all(|key| key.get() < dead.records));
        }
    }
});
