//! Compression, known by its first bytes when reading and by the name's ending when writing.

use std::ffi::OsStr;
use std::fmt;
use std::io::{self, BufReader, Cursor, Read};

type Raw = Box<dyn Read + Send>;
type Peeked = io::Chain<Cursor<Vec<u8>>, Raw>;

/// Room for what is read from the disk at once.
const BUFFER: usize = 128 * 1024;

/// How bytes are packed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Packing {
    /// Not at all.
    Plain,
    /// `.gz`, one member or several.
    Gzip,
    /// `.bz2`, one stream or several.
    Bzip2,
    /// `.zst`, one frame or several.
    Zstd,
}

impl Packing {
    /// The endings of file names.
    pub const ENDINGS: [(&'static str, Packing); 3] = [
        (".gz", Packing::Gzip),
        (".bz2", Packing::Bzip2),
        (".zst", Packing::Zstd),
    ];

    /// The packing that a file name asks for.
    pub fn of_name(name: &OsStr) -> Packing {
        let name = name.to_string_lossy().to_ascii_lowercase();
        let ending = Packing::ENDINGS
            .iter()
            .find(|(ending, _)| name.ends_with(ending));
        ending.map_or(Packing::Plain, |(_, packing)| *packing)
    }

    /// The packing that the first bytes of some data show, or what it is that we do not unpack.
    pub fn of_bytes(first: &[u8]) -> Result<Packing, Foreign> {
        match first {
            [0x1f, 0x8b, ..] => Ok(Packing::Gzip),
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31 | 0x17, ..] => Ok(Packing::Bzip2),
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Ok(Packing::Zstd),
            [b'P', b'K', 3, 4, ..] => Err(Foreign::Zip),
            [0xfd, b'7', b'z', b'X', b'Z', 0] => Err(Foreign::Xz),
            [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c] => Err(Foreign::SevenZip),
            _ => Ok(Packing::Plain),
        }
    }
}

/// Data that is recognised but not read.
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
            Foreign::Zip => "this is a zip archive",
            Foreign::Xz => "this is xz data",
            Foreign::SevenZip => "this is a 7z archive",
        })
    }
}

impl std::error::Error for Foreign {}

/// What the user could do about an error of [`Unpack`].
pub(super) fn fix(error: &io::Error) -> Option<&'static str> {
    let foreign = error.get_ref()?.downcast_ref::<Foreign>()?;
    Some(foreign.fix())
}

/// The bytes inside packed bytes, as a stream.
pub struct Unpack(Kind);

enum Kind {
    Plain(Peeked),
    Gzip(Box<flate2::read::MultiGzDecoder<Peeked>>),
    Bzip2(Box<bzip2::bufread::MultiBzDecoder<BufReader<Peeked>>>),
    Zstd(Box<zstd::Decoder<'static, BufReader<Peeked>>>),
}

impl Unpack {
    /// Looks at the first bytes and unpacks accordingly.
    pub fn new(mut raw: Raw) -> io::Result<Unpack> {
        let mut first = Vec::with_capacity(6);
        raw.by_ref().take(6).read_to_end(&mut first)?;
        let packing = Packing::of_bytes(&first)
            .map_err(|foreign| io::Error::new(io::ErrorKind::InvalidData, foreign))?;
        let all = Cursor::new(first).chain(raw);
        let buffered = |all| BufReader::with_capacity(BUFFER, all);
        Ok(Unpack(match packing {
            Packing::Plain => Kind::Plain(all),
            Packing::Gzip => Kind::Gzip(Box::new(flate2::read::MultiGzDecoder::new(all))),
            Packing::Bzip2 => {
                Kind::Bzip2(Box::new(bzip2::bufread::MultiBzDecoder::new(buffered(all))))
            }
            Packing::Zstd => Kind::Zstd(Box::new(zstd::Decoder::with_buffer(buffered(all))?)),
        }))
    }
}

impl Read for Unpack {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        match &mut self.0 {
            Kind::Plain(inner) => inner.read(buf),
            Kind::Gzip(inner) => inner.read(buf),
            Kind::Bzip2(inner) => inner.read(buf),
            Kind::Zstd(inner) => inner.read(buf),
        }
    }
}

impl fmt::Debug for Unpack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Kind::Plain(_) => "Unpack(plain)",
            Kind::Gzip(_) => "Unpack(gzip)",
            Kind::Bzip2(_) => "Unpack(bzip2)",
            Kind::Zstd(_) => "Unpack(zstd)",
        })
    }
}
