//! Reading and writing the wire's primitives: big-endian numbers, `str`, positions.
//!
//! A reader never looks past its bytes and never allocates; a writer refuses what a reader would
//! refuse. Every error names the field.

use alloc::vec::Vec;
use core::ops::RangeInclusive;

use byteorder::{BigEndian, ByteOrder};

use crate::error::{Malformed, TextFault, in_range, out_of_range};
use crate::id::{SessionId, Token};
use crate::limits::POSITION_MAX;
use crate::text::{check_line, check_name};

/// Fields in a row, as the wire has them.
pub trait Fields<'a>: Copy {
    fn read(r: &mut Reader<'a>) -> Result<Self, Malformed>;
    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed>;
}

/// Reads fields from the front of a message.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// Whether nothing is left, as before a field of a newer version.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// All that is left.
    pub fn rest(&mut self) -> &'a [u8] {
        core::mem::take(&mut self.bytes)
    }

    pub fn take(&mut self, what: &'static str, count: usize) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self.bytes.split_at_checked(count).ok_or(Malformed::Short { what })?;
        self.bytes = rest;
        Ok(taken)
    }

    pub fn u8(&mut self, what: &'static str) -> Result<u8, Malformed> {
        Ok(self.take(what, 1)?[0])
    }

    pub fn i8(&mut self, what: &'static str) -> Result<i8, Malformed> {
        Ok(self.u8(what)?.cast_signed())
    }

    pub fn u16(&mut self, what: &'static str) -> Result<u16, Malformed> {
        self.take(what, 2).map(BigEndian::read_u16)
    }

    pub fn i16(&mut self, what: &'static str) -> Result<i16, Malformed> {
        self.take(what, 2).map(BigEndian::read_i16)
    }

    pub fn u32(&mut self, what: &'static str) -> Result<u32, Malformed> {
        self.take(what, 4).map(BigEndian::read_u32)
    }

    pub fn i32(&mut self, what: &'static str) -> Result<i32, Malformed> {
        self.take(what, 4).map(BigEndian::read_i32)
    }

    pub fn i64(&mut self, what: &'static str) -> Result<i64, Malformed> {
        self.take(what, 8).map(BigEndian::read_i64)
    }

    /// An i32 that is 0 or more.
    pub fn count_i32(&mut self, what: &'static str) -> Result<u32, Malformed> {
        let value = self.i32(what)?;
        u32::try_from(value).map_err(|_| out_of_range(what, value))
    }

    /// An i32 that is 0 or more, or -1 for none.
    pub fn optional_i32(&mut self, what: &'static str) -> Result<Option<u32>, Malformed> {
        match self.i32(what)? {
            -1 => Ok(None),
            value => u32::try_from(value).map(Some).map_err(|_| out_of_range(what, value)),
        }
    }

    /// A u8 that is 0 or 1.
    pub fn bool(&mut self, what: &'static str) -> Result<bool, Malformed> {
        Ok(in_range(what, self.u8(what)?, 0..=1)? == 1)
    }

    /// A finite f32.
    pub fn f32(&mut self, what: &'static str) -> Result<f32, Malformed> {
        check_finite(what, self.take(what, 4).map(BigEndian::read_f32)?)
    }

    /// Finite f32s.
    pub fn f32s<const N: usize>(&mut self, what: &'static str) -> Result<[f32; N], Malformed> {
        let mut floats = [0.0; N];
        for float in &mut floats {
            *float = self.f32(what)?;
        }
        Ok(floats)
    }

    pub fn position(&mut self, what: &'static str) -> Result<[f32; 3], Malformed> {
        check_position(what, self.f32s(what)?)
    }

    pub fn session(&mut self, what: &'static str) -> Result<SessionId, Malformed> {
        check_session(what, SessionId(self.i32(what)?))
    }

    pub fn token(&mut self, what: &'static str) -> Result<Token, Malformed> {
        self.take(what, 8).map(|bits| Token::from_bits(BigEndian::read_u64(bits)))
    }

    /// A `str` of so many bytes, whatever its characters.
    pub fn text(
        &mut self,
        what: &'static str,
        bytes: RangeInclusive<usize>,
    ) -> Result<&'a str, Malformed> {
        let length = match self.i16(what)? {
            -1 => 0,
            length => usize::try_from(length).map_err(|_| out_of_range(what, length))?,
        };
        in_range(what, length, bytes)?;
        core::str::from_utf8(self.take(what, length)?)
            .map_err(|_| Malformed::BadText { what, fault: TextFault::NotUtf8 })
    }

    /// A `str` of so many bytes without a control character.
    pub fn line(
        &mut self,
        what: &'static str,
        bytes: RangeInclusive<usize>,
    ) -> Result<&'a str, Malformed> {
        check_line(what, self.text(what, bytes.clone())?, bytes)
    }

    /// A `str` that is a valid name.
    pub fn name(&mut self, what: &'static str) -> Result<&'a str, Malformed> {
        // 4 bytes are the most a character takes.
        check_name(what, self.text(what, 0..=4 * crate::limits::NAME_CHARS_MAX)?)
    }
}

/// Appends fields to a message.
pub struct Writer<'o> {
    out: &'o mut Vec<u8>,
}

impl Writer<'_> {
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    pub fn zeros(&mut self, count: usize) {
        self.out.resize(self.out.len() + count, 0);
    }

    pub fn u8(&mut self, value: u8) {
        self.out.push(value);
    }

    pub fn i8(&mut self, value: i8) {
        self.u8(value.cast_unsigned());
    }

    pub fn u16(&mut self, value: u16) {
        BigEndian::write_u16(self.grow::<2>(), value);
    }

    pub fn i16(&mut self, value: i16) {
        BigEndian::write_i16(self.grow::<2>(), value);
    }

    pub fn u32(&mut self, value: u32) {
        BigEndian::write_u32(self.grow::<4>(), value);
    }

    pub fn i32(&mut self, value: i32) {
        BigEndian::write_i32(self.grow::<4>(), value);
    }

    pub fn i64(&mut self, value: i64) {
        BigEndian::write_i64(self.grow::<8>(), value);
    }

    pub fn bool(&mut self, value: bool) {
        self.u8(value.into());
    }

    /// As an i32 that is 0 or more.
    pub fn count_i32(&mut self, what: &'static str, value: u32) -> Result<(), Malformed> {
        self.i32(i32::try_from(value).map_err(|_| out_of_range(what, value))?);
        Ok(())
    }

    /// As an i32 that is 0 or more, or -1 for none.
    pub fn optional_i32(
        &mut self,
        what: &'static str,
        value: Option<u32>,
    ) -> Result<(), Malformed> {
        match value {
            None => self.i32(-1),
            Some(value) => self.count_i32(what, value)?,
        }
        Ok(())
    }

    pub fn f32(&mut self, what: &'static str, value: f32) -> Result<(), Malformed> {
        BigEndian::write_f32(self.grow::<4>(), check_finite(what, value)?);
        Ok(())
    }

    pub fn f32s(&mut self, what: &'static str, values: &[f32]) -> Result<(), Malformed> {
        values.iter().try_for_each(|&value| self.f32(what, value))
    }

    pub fn position(&mut self, what: &'static str, value: [f32; 3]) -> Result<(), Malformed> {
        self.f32s(what, &value)?;
        check_position(what, value).map(drop)
    }

    pub fn session(&mut self, what: &'static str, id: SessionId) -> Result<(), Malformed> {
        self.i32(check_session(what, id)?.0);
        Ok(())
    }

    pub fn token(&mut self, token: Token) {
        BigEndian::write_u64(self.grow::<8>(), token.to_bits());
    }

    /// A `str` of so many bytes, whatever its characters.
    pub fn text(
        &mut self,
        what: &'static str,
        text: &str,
        bytes: RangeInclusive<usize>,
    ) -> Result<(), Malformed> {
        in_range(what, text.len(), bytes)?;
        let length = i16::try_from(text.len()).map_err(|_| out_of_range(what, text.len()))?;
        self.i16(if text.is_empty() { -1 } else { length });
        self.bytes(text.as_bytes());
        Ok(())
    }

    /// A `str` of so many bytes without a control character.
    pub fn line(
        &mut self,
        what: &'static str,
        text: &str,
        bytes: RangeInclusive<usize>,
    ) -> Result<(), Malformed> {
        self.text(what, check_line(what, text, bytes.clone())?, bytes)
    }

    /// A `str` that is a valid name.
    pub fn name(&mut self, what: &'static str, name: &str) -> Result<(), Malformed> {
        self.text(what, check_name(what, name)?, 1..=4 * crate::limits::NAME_CHARS_MAX)
    }

    fn grow<const N: usize>(&mut self) -> &mut [u8] {
        let from = self.out.len();
        self.out.resize(from + N, 0);
        &mut self.out[from..]
    }
}

/// Appends what `write` writes, or, where it fails, nothing.
pub fn append(
    out: &mut Vec<u8>,
    write: impl FnOnce(&mut Writer<'_>) -> Result<(), Malformed>,
) -> Result<(), Malformed> {
    let from = out.len();
    let written = write(&mut Writer { out });
    if written.is_err() {
        out.truncate(from);
    }
    written
}

fn check_finite(what: &'static str, value: f32) -> Result<f32, Malformed> {
    if value.is_finite() { Ok(value) } else { Err(Malformed::NotFinite { what }) }
}

fn check_position(what: &'static str, position: [f32; 3]) -> Result<[f32; 3], Malformed> {
    if position_fits(position) { Ok(position) } else { Err(Malformed::TooFar { what }) }
}

/// Whether a position, in the game's units, is one that the wire takes (protocol.md 3): finite, and no
/// farther than [`POSITION_MAX`] from the origin.
#[must_use]
pub fn position_fits(position: [f32; 3]) -> bool {
    // In f64, where no square of an f32 overflows. Of what is no number the sum is none either.
    let square: f64 = position.iter().map(|&axis| f64::from(axis) * f64::from(axis)).sum();
    square <= f64::from(POSITION_MAX) * f64::from(POSITION_MAX)
}

fn check_session(what: &'static str, id: SessionId) -> Result<SessionId, Malformed> {
    in_range(what, id.0, 1..=i32::MAX).map(SessionId)
}
