//! A save as a file: a header of two u32 sizes (of the global section and of each level's, with their
//! own heads), the global section, then one section a level; all numbers little-endian. A section is
//! `u32 size, u32 crc` over the `size` bytes that follow: chunks of `i32 id, u32 size, bytes` padded to
//! 4, ended by id -1 and size 0. Knows nothing of what the chunks mean. Every length is checked before
//! it is followed.

use std::collections::BTreeMap;

use super::crc::crc16;

/// A save in bytes (interface.md: `OPENRAC_SAVE_SIZE`).
pub const SAVE_SIZE: usize = 59_912;
/// How many levels a save has sections for.
pub const LEVELS: usize = 20;
/// The file's header, and the head of a section.
const HEAD: usize = 8;
/// Each level's section with its head; the global section has the rest of the file.
const LEVEL_SECTION: usize = 2_880;
const GLOBAL_SECTION: usize = SAVE_SIZE - HEAD - LEVELS * LEVEL_SECTION;
/// The end of a section's chunks.
const END: i32 = -1;
/// The chunk that fills a section up; what is in it means nothing.
const SPARE: i32 = 0x7fff;

/// A section's chunks by their id.
pub(super) type Chunks = BTreeMap<i32, Vec<u8>>;

/// Why bytes are no save.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// Not [`SAVE_SIZE`] bytes.
    #[error("{0} bytes, not {SAVE_SIZE}")]
    Size(usize),
    /// The header, or a section's head, gives a size that does not fit the file.
    #[error("a section of {0} bytes does not fit")]
    SectionSize(u32),
    /// A section's checksum is not that of its bytes. Section 0 is the global one.
    #[error("the checksum of section {0} is wrong")]
    Checksum(usize),
    /// A chunk is longer than what is left of its section, or its section ends without an end.
    #[error("a chunk of section {0} is cut off")]
    ChunkSize(usize),
    /// A section goes on after its end, or has a chunk twice.
    #[error("section {0} is out of order")]
    Order(usize),
    /// A chunk is missing, has another length than its kind, or holds a value there cannot be.
    #[error("chunk {id} of section {section} is wrong")]
    Chunk {
        /// The section, 0 for the global one.
        section: usize,
        /// The chunk's id.
        id: i32,
    },
}

/// The whole file of these sections.
///
/// # Panics
/// If a section's chunks do not fit in it: they are of fixed sizes that do.
pub(super) fn encode(global: &Chunks, levels: &[Chunks; LEVELS]) -> Vec<u8> {
    let mut file = Vec::with_capacity(SAVE_SIZE);
    put_size(&mut file, GLOBAL_SECTION);
    put_size(&mut file, LEVEL_SECTION);
    put_section(&mut file, global, GLOBAL_SECTION);
    for level in levels {
        put_section(&mut file, level, LEVEL_SECTION);
    }
    file
}

/// The sections of a whole file.
pub(super) fn decode(file: &[u8]) -> Result<(Chunks, [Chunks; LEVELS]), Damage> {
    if file.len() != SAVE_SIZE {
        return Err(Damage::Size(file.len()));
    }
    let mut left = Reader(file);
    let cut = Damage::Size(file.len());
    let (global_size, level_size) = (left.u32().ok_or(cut)?, left.u32().ok_or(cut)?);
    let global = take_section(&mut left, global_size, 0)?;
    let mut levels: [Chunks; LEVELS] = std::array::from_fn(|_| Chunks::new());
    for (index, level) in levels.iter_mut().enumerate() {
        *level = take_section(&mut left, level_size, index + 1)?;
    }
    if left.0.is_empty() { Ok((global, levels)) } else { Err(Damage::SectionSize(level_size)) }
}

/// The same bytes, as far as they are sections, under checksums that are right again: for those who try
/// what lies behind the checksums.
#[must_use]
pub fn sealed(mut file: Vec<u8>) -> Vec<u8> {
    let size = |file: &[u8], at: usize| Reader(file.get(at..).unwrap_or_default()).u32();
    let (Some(global), Some(level)) = (size(&file, 0), size(&file, 4)) else { return file };
    let mut left = file.get_mut(HEAD..).unwrap_or_default();
    for whole in std::iter::once(global).chain([level; LEVELS]) {
        let whole = usize::try_from(whole).unwrap_or(usize::MAX);
        let Some((section, rest)) = left.split_at_mut_checked(whole) else { break };
        let Some((head, data)) = section.split_at_mut_checked(HEAD) else { break };
        head[4..].copy_from_slice(&u32::from(crc16(data)).to_le_bytes());
        left = rest;
    }
    file
}

fn put_size(file: &mut Vec<u8>, size: usize) {
    let size = u32::try_from(size).expect("a save is small");
    file.extend_from_slice(&size.to_le_bytes());
}

fn put_section(file: &mut Vec<u8>, chunks: &Chunks, whole: usize) {
    let mut data = Vec::with_capacity(whole - HEAD);
    for (&id, bytes) in chunks {
        put_chunk(&mut data, id, bytes);
    }
    let spare = (whole - HEAD).checked_sub(data.len() + 2 * HEAD);
    put_chunk(&mut data, SPARE, &vec![0; spare.expect("the chunks fit in their section")]);
    put_chunk(&mut data, END, &[]);
    put_size(file, data.len());
    file.extend_from_slice(&u32::from(crc16(&data)).to_le_bytes());
    file.extend_from_slice(&data);
}

fn put_chunk(data: &mut Vec<u8>, id: i32, bytes: &[u8]) {
    data.extend_from_slice(&id.to_le_bytes());
    put_size(data, bytes.len());
    data.extend_from_slice(bytes);
    data.resize(data.len().next_multiple_of(4), 0);
}

fn take_section(left: &mut Reader<'_>, whole: u32, section: usize) -> Result<Chunks, Damage> {
    let misfit = Damage::SectionSize(whole);
    let (size, crc) = (left.u32().ok_or(misfit)?, left.u32().ok_or(misfit)?);
    if u64::from(whole) != u64::from(size) + HEAD as u64 {
        return Err(misfit);
    }
    let data = left.bytes(size).ok_or(misfit)?;
    if crc != u32::from(crc16(data)) {
        return Err(Damage::Checksum(section));
    }
    take_chunks(&mut Reader(data), section)
}

fn take_chunks(data: &mut Reader<'_>, section: usize) -> Result<Chunks, Damage> {
    let cut = Damage::ChunkSize(section);
    let mut chunks = Chunks::new();
    loop {
        let (id, size) = (data.i32().ok_or(cut)?, data.u32().ok_or(cut)?);
        if id == END {
            let over = size == 0 && data.0.is_empty();
            return if over { Ok(chunks) } else { Err(Damage::Order(section)) };
        }
        let bytes = data.bytes(size).ok_or(cut)?;
        data.bytes(size.wrapping_neg() % 4).ok_or(cut)?;
        if id != SPARE && chunks.insert(id, bytes.to_vec()).is_some() {
            return Err(Damage::Order(section));
        }
    }
}

/// What is left to read.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn bytes(&mut self, count: u32) -> Option<&'a [u8]> {
        let (bytes, left) = self.0.split_at_checked(usize::try_from(count).ok()?)?;
        self.0 = left;
        Some(bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        let (bytes, left) = self.0.split_first_chunk()?;
        self.0 = left;
        Some(u32::from_le_bytes(*bytes))
    }

    fn i32(&mut self) -> Option<i32> {
        self.u32().map(u32::cast_signed)
    }
}
