//! Compression: detected from the first bytes when reading, from the file extension when writing.

use std::ffi::OsStr;
use std::fmt;
use std::io::{self, BufReader, Cursor, Read};

use super::TooLarge;
use crate::limits::Size;

type Raw = Box<dyn Read + Send>;
type Peeked = io::Chain<Cursor<Vec<u8>>, Raw>;

/// Bytes read from disk at once.
const BUFFER: usize = 128 * 1024;

/// Bytes that show the format.
const MARK: usize = 6;

/// Bytes read to see the format: all that a small file has.
const FIRST: usize = 8 * 1024;

/// A compression format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compression {
    /// No compression.
    Plain,
    /// `.gz`, one member or several.
    Gzip,
    /// `.bz2`, one stream or several.
    Bzip2,
    /// `.zst`, one frame or several.
    Zstd,
}

impl Compression {
    /// The file extension of each format.
    pub const EXTENSIONS: [(&'static str, Compression); 3] = [
        (".gz", Compression::Gzip),
        (".bz2", Compression::Bzip2),
        (".zst", Compression::Zstd),
    ];

    /// The format of a file name.
    pub fn of_name(name: &OsStr) -> Compression {
        let name = name.to_string_lossy().to_ascii_lowercase();
        let extension = Compression::EXTENSIONS
            .iter()
            .find(|(extension, _)| name.ends_with(extension));
        extension.map_or(Compression::Plain, |(_, compression)| *compression)
    }

    /// A file name without the extension of a compression format.
    pub fn strip_extension(name: &str) -> &str {
        let mut extensions = Compression::EXTENSIONS.iter();
        extensions
            .find_map(|(extension, _)| {
                let end = name.len().checked_sub(extension.len())?;
                let (stem, last) = (name.get(..end)?, name.get(end..)?);
                last.eq_ignore_ascii_case(extension).then_some(stem)
            })
            .unwrap_or(name)
    }

    /// The format of data by its first bytes, or a format that is not supported.
    pub fn of_bytes(first: &[u8]) -> Result<Compression, Foreign> {
        match first {
            [0x1f, 0x8b, ..] => Ok(Compression::Gzip),
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31 | 0x17, ..] => Ok(Compression::Bzip2),
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => {
                Ok(Compression::Zstd)
            }
            [b'P', b'K', 3, 4, ..] => Err(Foreign::Zip),
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Err(Foreign::Xz),
            [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c, ..] => Err(Foreign::SevenZip),
            _ => Ok(Compression::Plain),
        }
    }
}

/// Formats that are recognised but not supported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Foreign {
    /// A zip archive.
    Zip,
    /// xz data.
    Xz,
    /// A 7z archive.
    SevenZip,
}

impl Foreign {
    fn fix(self) -> &'static str {
        match self {
            Foreign::Zip => "unpack it first, or pipe it: unzip -p FILE | gametree … -",
            Foreign::Xz => "pipe it: xz -dc FILE | gametree … -",
            Foreign::SevenZip => "unpack it first, or pipe it: 7z x -so FILE | gametree … -",
        }
    }
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Foreign::Zip => "zip archives are not supported",
            Foreign::Xz => "xz compression is not supported",
            Foreign::SevenZip => "7z archives are not supported",
        })
    }
}

impl std::error::Error for Foreign {}

/// A hint for the user about an error of [`Decompressor`].
pub(super) fn fix(error: &io::Error) -> Option<&'static str> {
    let foreign = error.get_ref()?.downcast_ref::<Foreign>()?;
    Some(foreign.fix())
}

/// Decompressed bytes as a stream, up to a limit.
pub struct Decompressor {
    decoder: Decoder,
    limit: Size,
    /// The number of bytes that may still be unpacked.
    left: u64,
}

enum Decoder {
    Plain(Peeked),
    Gzip(Box<flate2::read::MultiGzDecoder<Peeked>>),
    Bzip2(Box<bzip2::bufread::MultiBzDecoder<BufReader<Peeked>>>),
    Zstd(Box<zstd::Decoder<'static, BufReader<Peeked>>>),
    /// Text of several decompressors, each with its own limit.
    Joined(Raw),
}

impl Decompressor {
    /// Detects the format from the first bytes. Compressed data may unpack to `limit` bytes.
    pub fn new(mut raw: Raw, limit: Size) -> io::Result<Decompressor> {
        let first = first_bytes(&mut raw)?;
        let compression = Compression::of_bytes(&first)
            .map_err(|foreign| io::Error::new(io::ErrorKind::InvalidData, foreign))?;
        let all = Cursor::new(first).chain(raw);
        let buffered = |all| BufReader::with_capacity(BUFFER, all);
        let decoder = match compression {
            Compression::Plain => Decoder::Plain(all),
            Compression::Gzip => Decoder::Gzip(Box::new(flate2::read::MultiGzDecoder::new(all))),
            Compression::Bzip2 => {
                Decoder::Bzip2(Box::new(bzip2::bufread::MultiBzDecoder::new(buffered(all))))
            }
            Compression::Zstd => {
                Decoder::Zstd(Box::new(zstd::Decoder::with_buffer(buffered(all))?))
            }
        };
        let left = limit.0;
        Ok(Decompressor {
            decoder,
            limit,
            left,
        })
    }

    /// The text of several decompressors.
    pub(super) fn joined(text: Raw) -> Decompressor {
        Decompressor {
            decoder: Decoder::Joined(text),
            limit: Size(u64::MAX),
            left: u64::MAX,
        }
    }
}

/// What one read returns, or more if that is too little to show the format.
fn first_bytes(raw: &mut Raw) -> io::Result<Vec<u8>> {
    let mut first = vec![0; FIRST];
    let len = read_at_least(raw, &mut first, MARK)?;
    first.truncate(len);
    Ok(first)
}

/// Reads until there are so many bytes, more if they come along, or the input ends; returns their
/// number.
pub(super) fn read_at_least(
    input: &mut impl Read,
    room: &mut [u8],
    least: usize,
) -> io::Result<usize> {
    let mut len = 0;
    while len < least {
        match input.read(&mut room[len..]) {
            Ok(0) => break,
            Ok(read) => len += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(len)
}

impl Read for Decompressor {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let read = match &mut self.decoder {
            // Uncompressed data cannot be larger than the file.
            Decoder::Plain(inner) => return inner.read(buf),
            Decoder::Joined(inner) => return inner.read(buf),
            Decoder::Gzip(inner) => inner.read(buf)?,
            Decoder::Bzip2(inner) => inner.read(buf)?,
            Decoder::Zstd(inner) => inner.read(buf)?,
        };
        match self.left.checked_sub(read as u64) {
            Some(left) => self.left = left,
            None => return Err(TooLarge::Unpacked(self.limit).into()),
        }
        Ok(read)
    }
}

impl fmt::Debug for Decompressor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.decoder {
            Decoder::Plain(_) => "Decompressor(plain)",
            Decoder::Gzip(_) => "Decompressor(gzip)",
            Decoder::Bzip2(_) => "Decompressor(bzip2)",
            Decoder::Zstd(_) => "Decompressor(zstd)",
            Decoder::Joined(_) => "Decompressor(parts)",
        })
    }
}
