//! Where a compressed file can be read from: found from headers, without decompressing.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use super::Compression;
use super::compression::read_at_least;

/// How a file can be split.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Not compressed: anywhere.
    Plain,
    /// At these offsets, of which the first is 0: zstd frames, or the members of a file of bgzip.
    Frames(Vec<u64>),
    /// Compressed in one piece.
    One(Compression),
}

/// Finds how a file can be split. Reads the first bytes of each frame and block, or the table of
/// frames at the end; damaged files are in one piece.
pub fn layout(path: &Path) -> io::Result<Layout> {
    let mut file = File::open(path)?;
    let len = file.metadata()?.len();
    layout_of(&mut file, len)
}

fn layout_of(file: &mut (impl Read + Seek), len: u64) -> io::Result<Layout> {
    let compression = Compression::of_bytes(&read_at::<6>(file, 0)?.0);
    let compression = compression.unwrap_or(Compression::Plain);
    let frames = match compression {
        Compression::Plain => return Ok(Layout::Plain),
        Compression::Bzip2 => None,
        Compression::Gzip => bgzip_members(file, len)?,
        Compression::Zstd => match seek_table(file, len)? {
            Some(frames) => Some(frames),
            None => zstd_frames(file, len)?,
        },
    };
    Ok(match frames {
        Some(frames) if frames.len() > 1 => Layout::Frames(from_zero(frames)),
        _ => Layout::One(compression),
    })
}

/// Skippable frames at the start belong to the first frame.
fn from_zero(mut frames: Vec<u64>) -> Vec<u64> {
    if let Some(first) = frames.first_mut() {
        *first = 0;
    }
    frames
}

/// Up to `N` bytes of a file, the rest zero, and their number.
fn read_at<const N: usize>(file: &mut (impl Read + Seek), at: u64) -> io::Result<([u8; N], usize)> {
    file.seek(SeekFrom::Start(at))?;
    let mut bytes = [0; N];
    let read = read_at_least(file, &mut bytes, N)?;
    Ok((bytes, read))
}

fn number<const N: usize>(bytes: [u8; N]) -> u64 {
    let digits = bytes.iter().rev();
    digits.fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// The first byte of the magic number of skippable frames, of which the lower half is free.
const SKIPPABLE: u8 = 0x50;
const SKIPPABLE_REST: [u8; 3] = [0x2a, 0x4d, 0x18];
const FRAME: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// The magic number that ends a table of frames, as in the seekable format of zstd.
pub(crate) const SEEK_TABLE_END: [u8; 4] = [0xb1, 0xea, 0x92, 0x8f];
/// The magic number of the skippable frame with the table.
pub(crate) const SEEK_TABLE: [u8; 4] = [0x5e, 0x2a, 0x4d, 0x18];

/// The frames that a table at the end of the file lists, if there is one and it fits the file.
fn seek_table(file: &mut (impl Read + Seek), len: u64) -> io::Result<Option<Vec<u64>>> {
    let ([c0, c1, c2, c3, flags, magic @ ..], _) = read_at::<9>(file, len.saturating_sub(9))?;
    if magic != SEEK_TABLE_END {
        return Ok(None);
    }
    let (count, has_checksums) = (number([c0, c1, c2, c3]), flags & 0x80 != 0);
    let entry = if has_checksums { 12 } else { 8 };
    let size = count * entry + 9;
    let Some(table) = len.checked_sub(size + 8) else {
        return Ok(None);
    };
    let ([m0, m1, m2, m3, stated @ ..], _) = read_at::<8>(file, table)?;
    if [m0, m1, m2, m3] != SEEK_TABLE || number(stated) != size {
        return Ok(None);
    }
    let mut entries = vec![0; (count * entry) as usize];
    file.read_exact(&mut entries)?;
    let (mut starts, mut at) = (Vec::new(), 0);
    for entry in entries.chunks_exact(entry as usize) {
        starts.push(at);
        at += entry.first_chunk().copied().map_or(0, number::<4>);
    }
    Ok((at == table).then_some(starts))
}

/// The frames of a file, from header to header; none if something else is between them.
fn zstd_frames(file: &mut (impl Read + Seek), len: u64) -> io::Result<Option<Vec<u64>>> {
    let (mut starts, mut at) = (Vec::new(), 0);
    // The end of the next frame as pzstd writes it, in a skippable frame before it.
    let mut hint = None;
    while at < len {
        let ([m0, m1, m2, m3, s0, s1, s2, s3, content @ ..], read) = read_at::<12>(file, at)?;
        if [m0, m1, m2, m3] == FRAME {
            starts.push(at);
            at = match hint.take() {
                Some(end) if is_frame_or_end(file, end, len)? => end,
                _ => frame_end(file, at)?.unwrap_or(len),
            };
        } else if m0 & 0xf0 == SKIPPABLE && [m1, m2, m3] == SKIPPABLE_REST && read >= 8 {
            let size = number([s0, s1, s2, s3]);
            at += 8 + size;
            hint = (m0 == SKIPPABLE && size == 4).then(|| at + number(content));
        } else {
            return Ok(None);
        }
    }
    Ok(Some(starts))
}

fn is_frame_or_end(file: &mut (impl Read + Seek), at: u64, len: u64) -> io::Result<bool> {
    let ([first, rest @ ..], _) = read_at::<4>(file, at)?;
    let is_skippable = first & 0xf0 == SKIPPABLE && rest == SKIPPABLE_REST;
    Ok(at == len || is_skippable || (first == FRAME[0] && rest == FRAME[1..]))
}

/// The end of the frame at `at`, from block to block; none if the file ends before it.
fn frame_end(file: &mut (impl Read + Seek), at: u64) -> io::Result<Option<u64>> {
    let ([_, _, _, _, descriptor], _) = read_at::<5>(file, at)?;
    let is_single_segment = descriptor & 0x20 != 0;
    let window: u64 = if is_single_segment { 0 } else { 1 };
    let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let content_size = match descriptor >> 6 {
        0 => u64::from(is_single_segment),
        log => 1 << log,
    };
    let checksum = if descriptor & 4 != 0 { 4 } else { 0 };
    let mut at = at + 5 + window + dictionary + content_size;
    loop {
        let (header, read) = read_at::<3>(file, at)?;
        if read < 3 {
            return Ok(None);
        }
        let header = number(header);
        let (is_last, kind, size) = (header & 1 != 0, header >> 1 & 3, header >> 3);
        at += 3 + if kind == RUN_OF_ONE_BYTE { 1 } else { size };
        if is_last {
            return Ok(Some(at + checksum));
        }
    }
}

/// The kind of a block that repeats one byte: its size is that of the text.
const RUN_OF_ONE_BYTE: u64 = 1;

/// The members of a file of bgzip, each of which gives its size in an extra field; none for any
/// other gzip file.
fn bgzip_members(file: &mut (impl Read + Seek), len: u64) -> io::Result<Option<Vec<u64>>> {
    let (mut starts, mut at) = (Vec::new(), 0);
    while at < len {
        let (header, read) = read_at::<18>(file, at)?;
        if read < 18 && at > 0 {
            break;
        }
        let [
            0x1f,
            0x8b,
            8,
            4,
            _,
            _,
            _,
            _,
            _,
            _,
            6,
            0,
            b'B',
            b'C',
            2,
            0,
            size @ ..,
        ] = header
        else {
            return Ok(None);
        };
        starts.push(at);
        at += number(size) + 1;
    }
    Ok(Some(starts))
}
