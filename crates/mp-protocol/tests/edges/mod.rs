//! What the tests of the limits share.

use mp_protocol::Malformed;

/// Bytes that the wire could carry: encodes, and decodes to the same.
macro_rules! ok {
    ($kind:ident, $value:expr) => {
        // A match, so that what the value borrows lives as long.
        match $value {
            value => {
                let mut out = vec![0xEE];
                assert_eq!(value.encode(&mut out), Ok(()));
                assert_eq!(
                    $kind::decode(&out[1 + $crate::edges::skip(stringify!($kind))..]),
                    Ok(value)
                );
                out.split_off(1)
            }
        }
    };
}

/// What the wire must not carry: refused, and nothing is written.
macro_rules! refused {
    ($value:expr, $what:literal) => {{
        let mut out = vec![0xEE];
        let error = $value.encode(&mut out).unwrap_err();
        assert!(error.to_string().starts_with($what), "{error}");
        assert_eq!(out, [0xEE], "something was written");
    }};
}

/// How many bytes a frame has before its body.
pub fn skip(kind: &str) -> usize {
    if kind.ends_with("Packet") { mp_protocol::limits::FRAME_PREFIX } else { 0 }
}

pub fn out_of_range<T>(what: &'static str, value: i64) -> Result<T, Malformed> {
    Err(Malformed::OutOfRange { what, value })
}

pub(crate) use {ok, refused};
