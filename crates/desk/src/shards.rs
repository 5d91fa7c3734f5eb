//! Files cut into parts that start and end between games, without a pass over the files.
//!
//! The text is examined only around each border: uncompressed text where a border is wanted,
//! compressed text from the start of a frame. A border is a place where [`find_game_start`] finds
//! the start of a game, so a shard is an exact range of the text and its reader needs no rule.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use chess::pgn::find_game_start;
use kit::input::{
    Compression, Decompressor, InputError, Layout, Point, Shard, Source, is_marked_folder, layout,
};

use crate::archive::Archive;
use crate::games::archive_error;
use crate::pgn_input::{SAMPLE, can_be_split};

/// The text examined at first for a border.
const WINDOW: usize = 1 << 16;

/// If a text of this size has no braces, no comment is assumed to enclose it.
const NO_COMMENT: usize = 1 << 20;

/// The most text examined for a border. If no game starts in it, two shards are joined.
const MOST: usize = 1 << 24;

/// The shards of some sources.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The shards, in the order of the games.
    pub pieces: Vec<Piece>,
    /// The sources that are larger than wanted and could not be split.
    pub unsplit: Vec<Unsplit>,
}

/// One shard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The shard.
    pub shard: Shard,
    /// Its size on disk; about its size, for games of an archive.
    pub bytes: u64,
}

/// A source in one piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsplit {
    /// The name of the source.
    pub name: String,
    /// The reason.
    pub reason: Reason,
}

/// Why a source cannot be split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Compressed in one piece.
    OnePiece(Compression),
    /// Not PGN, or in UTF-16.
    Encoding,
    /// No place was found where a game certainly starts.
    NoBorder,
}

impl Unsplit {
    /// What is wrong, for the user.
    pub fn problem(&self) -> String {
        let reason = match self.reason {
            Reason::OnePiece(Compression::Zstd) => "is one zstd frame",
            Reason::OnePiece(_) => "is compressed in one piece",
            Reason::Encoding => "is not PGN in UTF-8 or Windows-1252",
            Reason::NoBorder => "has no place where a game certainly starts",
        };
        format!("{}: {reason} and becomes one shard", self.name)
    }

    /// A hint for the user.
    pub fn fix(&self) -> String {
        let stem = Compression::strip_extension(&self.name);
        let stem = stem.strip_suffix(".pgn").unwrap_or(stem);
        // Other files need standard text: one encoding, blank lines between games.
        let keep = match self.reason {
            Reason::OnePiece(_) => " --keep",
            Reason::Encoding | Reason::NoBorder => "",
        };
        format!(
            "to make a copy that can be split: gametree convert {}{keep} -o {stem}-frames.pgn.zst",
            self.name
        )
    }
}

/// Cuts sources into shards of about `size` bytes on disk, at most.
pub fn plan(sources: &[Source], size: u64) -> Result<Plan, InputError> {
    let mut plan = Plan::default();
    for source in sources {
        plan.add(source, size.max(1))?;
    }
    Ok(plan)
}

impl Plan {
    fn add(&mut self, source: &Source, size: u64) -> Result<(), InputError> {
        match source {
            Source::File(path) if is_marked_folder(path) => self.add_archive(path, size),
            Source::File(path) => {
                let added = self.add_file(source, path, size);
                added.map_err(|error| source.error_at(error))
            }
            Source::Shard(shard) => {
                self.pieces.push(Piece {
                    shard: shard.clone(),
                    bytes: source.size().unwrap_or(0),
                });
                Ok(())
            }
            Source::Stdin | Source::Memory(_) => Err(source.error_at(not_a_file())),
        }
    }

    /// Adds ranges of the games of an archive.
    fn add_archive(&mut self, path: &Path, size: u64) -> Result<(), InputError> {
        let games = Archive::open(path).map_err(archive_error)?.games();
        let bytes = Source::File(path.to_owned()).size().unwrap_or(0);
        let count = bytes.div_ceil(size).clamp(1, games.max(1));
        for part in 0..count {
            self.pieces.push(Piece {
                shard: Shard {
                    path: path.to_owned(),
                    start: Point::at(share(games, part, count)),
                    end: Point::at(share(games, part + 1, count)),
                },
                bytes: share(bytes, part + 1, count) - share(bytes, part, count),
            });
        }
        Ok(())
    }

    fn add_file(&mut self, source: &Source, path: &Path, size: u64) -> io::Result<()> {
        let found = fs::metadata(path)?;
        if !found.is_file() {
            return Err(not_a_file());
        }
        let len = found.len();
        let mut points = vec![Point::default()];
        if len > size {
            match borders(source, path, len, size)? {
                Ok(borders) => points.extend(borders),
                Err(reason) => self.unsplit.push(Unsplit {
                    name: source.name().into_owned(),
                    reason,
                }),
            }
        }
        points.push(Point::at(len));
        self.pieces.extend(points.windows(2).map(|ends| {
            let shard = Shard {
                path: path.to_owned(),
                start: ends[0],
                end: ends[1],
            };
            let bytes = shard.size();
            Piece { shard, bytes }
        }));
        Ok(())
    }
}

fn not_a_file() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, "only files can be split")
}

/// The end of the first `part` of `count` equal parts.
fn share(all: u64, part: u64, count: u64) -> u64 {
    let end = u128::from(all) * u128::from(part) / u128::from(count.max(1));
    u64::try_from(end).unwrap_or(all)
}

/// The borders between the shards of a file that is larger than one.
fn borders(
    source: &Source,
    path: &Path,
    len: u64,
    size: u64,
) -> io::Result<Result<Vec<Point>, Reason>> {
    let mut sample = Vec::new();
    let text = source.open().map_err(io::Error::other)?;
    text.take(SAMPLE).read_to_end(&mut sample)?;
    if !can_be_split(source, &sample) {
        return Ok(Err(Reason::Encoding));
    }
    let found = match layout(path)? {
        Layout::Plain => text_borders(path, len, size)?,
        Layout::Frames(starts) => frame_borders(path, &starts, len, size),
        Layout::One(compression) => return Ok(Err(Reason::OnePiece(compression))),
    };
    if found.is_empty() {
        return Ok(Err(Reason::NoBorder));
    }
    Ok(Ok(found))
}

/// The borders in an uncompressed file.
fn text_borders(path: &Path, len: u64, size: u64) -> io::Result<Vec<Point>> {
    let mut file = File::open(path)?;
    let (mut borders, mut last) = (Vec::new(), 0);
    let count = len.div_ceil(size);
    for wanted in (1..count).map(|part| share(len, part, count)) {
        if wanted <= last {
            continue;
        }
        file.seek(SeekFrom::Start(wanted))?;
        if let Some(at) = find_start(&mut file) {
            last = wanted + at;
            borders.push(Point::at(last));
        }
    }
    Ok(borders)
}

/// The borders in a file of frames: each is named by its distance from the start of its frame.
fn frame_borders(path: &Path, starts: &[u64], len: u64, size: u64) -> Vec<Point> {
    let mut borders: Vec<Point> = Vec::new();
    let count = len.div_ceil(size);
    for wanted in (1..count).map(|part| share(len, part, count)) {
        let first = starts.partition_point(|start| *start < wanted);
        let last = borders.last().map_or(0, |point| point.offset);
        if starts.get(first).is_none_or(|start| *start <= last) {
            continue;
        }
        let mut text = FrameText::new(path, starts, len, first);
        if let Some(at) = find_start(&mut text) {
            borders.push(text.point(at));
        }
    }
    borders
}

/// The position of the first game that starts in a text, if one is found soon. Only the text before
/// damage is used; the reader of the shard reports the damage.
fn find_start(text: &mut impl Read) -> Option<u64> {
    let (mut part, mut wanted) = (Vec::new(), WINDOW);
    loop {
        let more = (wanted - part.len()) as u64;
        let read = text.by_ref().take(more).read_to_end(&mut part);
        let is_short = part.len() < wanted;
        let has_enough = part.len() >= NO_COMMENT || (is_short && read.is_ok());
        match find_game_start(&part) {
            Some(start) if start.is_certain || has_enough => return Some(start.at as u64),
            _ if is_short || wanted >= MOST => return None,
            _ => wanted *= 4,
        }
    }
}

/// The text of a compressed file from the start of a frame on.
struct FrameText<'a> {
    path: &'a Path,
    starts: &'a [u64],
    len: u64,
    first: usize,
    frame: Option<Decompressor>,
    read: u64,
    /// The text read up to the end of each frame.
    ends: Vec<u64>,
}

impl<'a> FrameText<'a> {
    fn new(path: &'a Path, starts: &'a [u64], len: u64, first: usize) -> FrameText<'a> {
        FrameText {
            path,
            starts,
            len,
            first,
            frame: None,
            read: 0,
            ends: Vec::new(),
        }
    }

    /// The point at this position in the text.
    fn point(&self, at: u64) -> Point {
        let frame = self.ends.partition_point(|end| *end <= at);
        let before = frame.checked_sub(1).and_then(|last| self.ends.get(last));
        Point {
            offset: self.starts[self.first + frame],
            skip: at - before.copied().unwrap_or(0),
        }
    }

    /// Opens the next frame; `None` after the last one.
    fn open_next(&self) -> io::Result<Option<Decompressor>> {
        let next = self.first + self.ends.len();
        let Some(start) = self.starts.get(next) else {
            return Ok(None);
        };
        let end = self.starts.get(next + 1).unwrap_or(&self.len);
        let frame = Source::Shard(Shard {
            path: self.path.to_owned(),
            start: Point::at(*start),
            end: Point::at(*end),
        });
        frame.open().map(Some).map_err(io::Error::other)
    }
}

impl Read for FrameText<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if buf.is_empty() {
            return Ok(0);
        }
        loop {
            if self.frame.is_none() {
                self.frame = self.open_next()?;
            }
            let Some(frame) = &mut self.frame else {
                return Ok(0);
            };
            match frame.read(buf)? {
                0 => {
                    self.ends.push(self.read);
                    self.frame = None;
                }
                read => {
                    self.read += read as u64;
                    return Ok(read);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
