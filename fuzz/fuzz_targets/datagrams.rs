//! A datagram, each way: refused, or it means something.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mp_protocol::datagram::{ClientDatagram, ServerDatagram};

fuzz_target!(|bytes: &[u8]| {
    let mut out = Vec::new();
    if let Ok(datagram) = ClientDatagram::decode(bytes) {
        datagram.encode(&mut out).expect("what was accepted has an encoding");
        assert_eq!(ClientDatagram::decode(&out), Ok(datagram));
    }
    out.clear();
    if let Ok(datagram) = ServerDatagram::decode(bytes) {
        datagram.encode(&mut out).expect("what was accepted has an encoding");
        assert_eq!(ServerDatagram::decode(&out), Ok(datagram));
    }
});
