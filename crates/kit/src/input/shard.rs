//! Parts of files, named `FILE#START-END`.

use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::{Counted, Counter, Decompressor};
use crate::limits::Limits;

/// A part of a file: the text between two points. What the numbers mean in a
/// [marked folder](super::is_marked_folder) is up to its reader.
///
/// ```
/// use gametree_kit::input::Shard;
///
/// let shard = Shard::parse("big.pgn.zst#4096+120-8192+7".as_ref()).unwrap();
/// assert_eq!((shard.start.offset, shard.start.skip), (4096, 120));
/// assert_eq!(shard.to_string(), "big.pgn.zst#4096+120-8192+7");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shard {
    /// The file, or a folder that is one source.
    pub path: PathBuf,
    /// Where it begins.
    pub start: Point,
    /// Where it ends.
    pub end: Point,
}

/// A point in the text of a file, written `OFFSET` or `OFFSET+SKIP`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// The bytes of the file before it, or before the compressed frame it is in.
    pub offset: u64,
    /// The bytes of decompressed text from there to the point.
    pub skip: u64,
}

impl Point {
    /// The point before this byte of a file.
    pub fn at(offset: u64) -> Point {
        Point { offset, skip: 0 }
    }
}

impl Shard {
    /// Interprets `FILE#START-END`, without touching the disk.
    pub fn parse(text: &OsStr) -> Option<Shard> {
        let (path, range) = text.to_str()?.rsplit_once('#')?;
        let (start, end) = range.split_once('-')?;
        let (start, end) = (start.parse().ok()?, end.parse().ok()?);
        let is_valid = !path.is_empty() && start <= end;
        is_valid.then(|| Shard {
            path: PathBuf::from(path),
            start,
            end,
        })
    }

    /// The bytes of the file that it takes.
    pub fn size(&self) -> u64 {
        self.end.offset.saturating_sub(self.start.offset)
    }

    /// Opens its text. Bytes of the frame that it shares with the next shard are not counted.
    pub(super) fn open(&self, counter: Counter, limits: Limits) -> io::Result<Decompressor> {
        if std::fs::metadata(&self.path)?.len() < self.end.offset {
            return Err(changed());
        }
        let frames = self.bytes(self.start, self.size(), counter, limits)?;
        let mut text = match self.end.skip {
            0 => frames,
            skip => {
                let shared = self.bytes(self.end, u64::MAX, Counter::default(), limits)?;
                Decompressor::joined(Box::new(frames.chain(shared.take(skip))))
            }
        };
        let skipped = io::copy(&mut (&mut text).take(self.start.skip), &mut io::sink())?;
        if skipped < self.start.skip {
            return Err(changed());
        }
        Ok(text)
    }

    /// The decompressed text of some bytes of the file.
    fn bytes(
        &self,
        from: Point,
        size: u64,
        counter: Counter,
        limits: Limits,
    ) -> io::Result<Decompressor> {
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(from.offset))?;
        let raw = Box::new(file.take(size));
        Decompressor::new(Box::new(Counted { raw, counter }), limits.unpacked)
    }

    /// The shard that an argument names, unless a file has this name.
    pub(super) fn of_arg(arg: &OsStr) -> Option<Shard> {
        let shard = Shard::parse(arg)?;
        (shard.path.exists() && !Path::new(arg).exists()).then_some(shard)
    }
}

fn changed() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        "the file is shorter than when its shards were listed",
    )
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}-{}", self.path.display(), self.start, self.end)
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.offset)?;
        match self.skip {
            0 => Ok(()),
            skip => write!(f, "+{skip}"),
        }
    }
}

/// The error of text that is not a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotAPoint;

impl fmt::Display for NotAPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected OFFSET or OFFSET+SKIP")
    }
}

impl std::error::Error for NotAPoint {}

impl FromStr for Point {
    type Err = NotAPoint;

    fn from_str(text: &str) -> Result<Point, NotAPoint> {
        let number = |digits: &str| {
            if digits.bytes().all(|byte| byte.is_ascii_digit()) {
                digits.parse().map_err(|_| NotAPoint)
            } else {
                Err(NotAPoint)
            }
        };
        let (offset, skip) = text.split_once('+').unwrap_or((text, "0"));
        Ok(Point {
            offset: number(offset)?,
            skip: number(skip)?,
        })
    }
}
