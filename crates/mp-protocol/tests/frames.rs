//! Frames out of a stream, however it is cut.
#![allow(clippy::unwrap_used, reason = "a test's helpers are tests")]

mod common;

use common::vectors;
use mp_protocol::FrameReader;

/// Feeds `parts` one after the other; the bodies that came out.
fn read(parts: &[&[u8]]) -> Vec<Vec<u8>> {
    let mut reader = FrameReader::new();
    let mut bodies = Vec::new();
    for mut input in parts.iter().copied() {
        while let Some(body) = reader.next(&mut input).unwrap() {
            bodies.push(body.to_vec());
        }
        assert!(input.is_empty());
    }
    assert!(!reader.is_partial());
    bodies
}

/// All vectors that are frames, glued; and each one's body.
fn stream() -> (Vec<u8>, Vec<Vec<u8>>) {
    let frames: Vec<_> =
        vectors().into_iter().filter(|v| v.place.starts_with("frame")).map(|v| v.bytes).collect();
    (frames.concat(), frames.iter().map(|frame| frame[4..].to_vec()).collect())
}

#[test]
fn frames_come_out_the_same_however_the_stream_is_cut_in_two() {
    let (stream, bodies) = stream();
    assert!(bodies.len() > 15);
    for cut in 0..=stream.len() {
        assert_eq!(read(&[&stream[..cut], &stream[cut..]]), bodies, "cut at {cut}");
    }
}

#[test]
fn frames_come_out_the_same_in_pieces_of_any_size() {
    let (stream, bodies) = stream();
    for size in 1..=stream.len() {
        let parts: Vec<_> = stream.chunks(size).collect();
        assert_eq!(read(&parts), bodies, "in pieces of {size}");
    }
}

#[test]
fn a_stream_that_stops_anywhere_in_a_frame_is_partial() {
    let (stream, bodies) = stream();
    let mut ends: Vec<usize> = Vec::new();
    for body in &bodies {
        ends.push(ends.last().unwrap_or(&0) + 4 + body.len());
    }
    for cut in 0..=stream.len() {
        let mut reader = FrameReader::new();
        let mut input = &stream[..cut];
        while reader.next(&mut input).unwrap().is_some() {}
        assert_eq!(reader.is_partial(), cut != 0 && !ends.contains(&cut), "cut at {cut}");
    }
}
