//! Says what bytes of the wire mean: `cargo run -p mp-protocol --example decode -- <hex>`.
//!
//! A frame is given whole, its length first. Every reading that the bytes allow is shown, and why
//! the others are none; try `000000050000000007` or `0101`.

use std::error::Error;
use std::fmt::Debug;
use std::process::ExitCode;

use mp_protocol::datagram::{ClientDatagram, ServerDatagram};
use mp_protocol::game::Message;
use mp_protocol::{ClientPacket, FrameReader, ServerPacket};

fn main() -> ExitCode {
    let hex: String = std::env::args().skip(1).collect();
    match bytes(&hex) {
        Ok(bytes) => {
            show("frame, client to server", &frame(&bytes, ClientPacket::decode));
            show("frame, server to client", &frame(&bytes, ServerPacket::decode));
            show("datagram, client to server", &ClientDatagram::decode(&bytes));
            show("datagram, server to client", &ServerDatagram::decode(&bytes));
            show("game message", &Message::decode(&bytes));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}\nusage: decode <hex>");
            ExitCode::from(2)
        }
    }
}

fn show(reading: &str, decoded: &Result<impl Debug, impl std::fmt::Display>) {
    match decoded {
        Ok(message) => println!("{reading}: {message:?}"),
        Err(error) => println!("{reading}: no, {error}"),
    }
}

/// The one frame that `bytes` are.
fn frame<'a, T>(
    bytes: &'a [u8],
    decode: impl Fn(&'a [u8]) -> Result<T, mp_protocol::Malformed>,
) -> Result<T, Box<dyn Error>> {
    let mut input = bytes;
    let body = FrameReader::new().next(&mut input)?.ok_or("the frame is cut short")?.len();
    if !input.is_empty() {
        return Err(format!("{} bytes follow the frame", input.len()).into());
    }
    Ok(decode(&bytes[bytes.len() - body..])?)
}

fn bytes(hex: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    if hex.is_empty() || hex.len() % 2 == 1 || !hex.is_ascii() {
        return Err("an even number of hex digits is wanted".into());
    }
    (0..hex.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).map_err(Into::into))
        .collect()
}
