//! Opening a source as PGN text. Other known formats are translated, and data that is clearly
//! something else is refused.
//!
//! This is the one place that decides what a source is: by its extension where the contents could
//! mislead, else by its contents.

use std::ffi::OsStr;
use std::io::{self, Cursor, Read};
use std::path::Path;

use chess::pgn::Utf16;
use chess::polyglot::Entry;
use kit::Limits;
use kit::input::{Compression, Counter, Decompressor, InputError, Source, TooLarge};

use crate::games::{archive_of, whole_text};
use crate::{epd, polyglot};

/// The number of bytes examined.
pub const SAMPLE: u64 = 8192;

/// One byte in this many may be a control character: damaged PGN has a few, binary data many.
const CONTROLS: usize = 32;

/// This many control characters are accepted, even in a short text.
const FEW: usize = 8;

/// The format of a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Pgn,
    Polyglot,
    /// A list of positions.
    Epd,
}

impl Kind {
    /// The format of a source that starts with `sample`, or the reason why it is refused.
    fn of(source: &Source, sample: &[u8]) -> Result<Kind, &'static str> {
        match extension(source).as_deref() {
            Some("bin") => Ok(Kind::Polyglot),
            Some("epd" | "fen") if !is_binary(sample) => Ok(Kind::Epd),
            _ if is_book(sample) => Ok(Kind::Polyglot),
            _ => refusal(sample).map_or(Ok(Kind::Pgn), Err),
        }
    }
}

/// The extension of a file in lower case, without that of its compression.
fn extension(source: &Source) -> Option<String> {
    let name = source
        .path()?
        .file_name()?
        .to_string_lossy()
        .to_ascii_lowercase();
    let name = Compression::strip_extension(&name);
    let (_, extension) = name.rsplit_once('.')?;
    Some(extension.to_owned())
}

/// True if a source that starts with `sample` is PGN in an encoding based on ASCII, so that it can
/// be read from the start of any game.
pub fn can_be_split(source: &Source, sample: &[u8]) -> bool {
    Kind::of(source, sample) == Ok(Kind::Pgn) && Utf16::detect(sample).is_none()
}

/// A source as PGN.
pub struct PgnInput {
    start: Cursor<Vec<u8>>,
    /// The error that ended the start early.
    error: Option<io::Error>,
    /// What follows; none for a source that was translated.
    rest: Option<Decompressor>,
}

/// Opens a source, unless its start shows that its format is unknown.
pub fn open(source: &Source, counter: Counter, limits: Limits) -> Result<PgnInput, InputError> {
    let mut input = source.open_within(counter, limits)?;
    let mut sample = Vec::with_capacity(SAMPLE as usize);
    let read = (&mut input).take(SAMPLE).read_to_end(&mut sample);
    let kind = Kind::of(source, &sample).map_err(|reason| refused(source, reason))?;
    if kind == Kind::Pgn {
        return Ok(PgnInput {
            start: Cursor::new(sample),
            error: read.err(),
            rest: Some(input),
        });
    }
    read.map_err(|error| source.error_at(error))?;
    let mut rest = input.take(limits.text.0.saturating_sub(sample.len() as u64) + 1);
    let read = rest.read_to_end(&mut sample);
    read.map_err(|error| source.error_at(error))?;
    if sample.len() as u64 > limits.text.0 {
        return Err(source.error_at(TooLarge::Whole(limits.text).into()));
    }
    Ok(PgnInput {
        start: Cursor::new(translated(source, kind, sample)?),
        error: None,
        rest: None,
    })
}

/// The text of a source.
pub struct PgnText {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// It was translated from another format, so it cannot be saved in place.
    pub is_translated: bool,
}

/// All of a source, unless its start shows that its format is unknown.
pub fn read_whole(source: &Source) -> Result<PgnText, InputError> {
    if let Some((path, numbers)) = archive_of(source) {
        return Ok(PgnText {
            bytes: whole_text(path, numbers)?,
            is_translated: true,
        });
    }
    let bytes = source.read_whole()?;
    let sample = &bytes[..bytes.len().min(SAMPLE as usize)];
    let kind = Kind::of(source, sample).map_err(|reason| refused(source, reason))?;
    Ok(PgnText {
        bytes: translated(source, kind, bytes)?,
        is_translated: kind != Kind::Pgn,
    })
}

fn translated(source: &Source, kind: Kind, bytes: Vec<u8>) -> Result<Vec<u8>, InputError> {
    match kind {
        Kind::Pgn => Ok(bytes),
        Kind::Epd => Ok(epd::to_pgn(&bytes)),
        Kind::Polyglot => {
            polyglot::to_pgn(&bytes, &short_name(source)).map_err(|reason| refused(source, reason))
        }
    }
}

/// The name of a file without its folder.
fn short_name(source: &Source) -> String {
    let name = source.path().and_then(Path::file_name);
    name.map_or_else(|| source.name(), OsStr::to_string_lossy)
        .into_owned()
}

fn refused(source: &Source, reason: &str) -> InputError {
    source.error_at(io::Error::new(io::ErrorKind::InvalidData, reason))
}

impl Read for PgnInput {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        match (self.start.read(buf)?, self.error.take(), &mut self.rest) {
            (0, Some(error), _) => Err(error),
            (0, None, Some(rest)) => rest.read(buf),
            (read, error, _) => {
                self.error = error;
                Ok(read)
            }
        }
    }
}

/// True for binary data that consists of entries sorted by key.
fn is_book(sample: &[u8]) -> bool {
    let (entries, rest) = sample.as_chunks::<{ Entry::SIZE }>();
    entries.len() > 1 && rest.is_empty() && is_binary(sample) && polyglot::is_sorted(entries)
}

fn refusal(sample: &[u8]) -> Option<&'static str> {
    if Utf16::detect(sample).is_some() || sample.trim_ascii().is_empty() {
        return None;
    }
    if is_binary(sample) {
        return Some("not a PGN file: contains binary data; export the games as PGN first");
    }
    let mut words = sample.split(|&byte| byte.is_ascii_whitespace() || byte == 0);
    if words.any(is_of_pgn) {
        return None;
    }
    Some("not a PGN file: contains no tags and no moves")
}

fn is_binary(sample: &[u8]) -> bool {
    // the number of odd bytes in a piece fits into a byte, so many bytes are compared at once
    let is_odd = |byte: &u8| u8::from(matches!(byte, 0..=8 | 14..=25 | 28..=31));
    let odd_in = |piece: &[u8]| usize::from(piece.iter().map(is_odd).sum::<u8>());
    let odd: usize = sample.chunks(128).map(odd_in).sum();
    odd > FEW && odd * CONTROLS > sample.len()
}

/// True for tags, comments, move numbers, moves and results, and words that begin like them.
fn is_of_pgn(word: &[u8]) -> bool {
    let word = word.strip_prefix(b"\xef\xbb\xbf").unwrap_or(word);
    let is_sign = |byte: &u8| b"[{(;%$*".contains(byte);
    let is_number = word.first().is_some_and(u8::is_ascii_digit) && has_any(word, b".-/");
    word.first().is_some_and(is_sign) || is_number || is_move(word)
}

fn has_any(word: &[u8], bytes: &[u8]) -> bool {
    word.iter().any(|byte| bytes.contains(byte))
}

/// True for words that end with the name of a square, castling and null moves.
fn is_move(word: &[u8]) -> bool {
    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'8']);
    let special = [&b"O-O"[..], b"0-0", b"--", b"Z0", b"@@@@"];
    word.len() <= 12 && word.windows(2).any(is_square)
        || special.iter().any(|text| word.starts_with(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary_data_and_prose_are_refused() {
        let mut scid = b"Scid.si\0".to_vec();
        scid.extend((0..400u32).flat_map(|n| (n * 7919).to_be_bytes()));
        assert!(refusal(&scid).unwrap().contains("binary"));
        assert!(
            refusal(b"Dear Sir or Madam,\nthank you.\n")
                .unwrap()
                .contains("no tags")
        );
    }

    #[test]
    fn possible_pgn_is_read() {
        for text in [
            "",
            " \n",
            "*",
            "e4",
            "Nf3!",
            "O-O",
            "1.e4",
            "1-0",
            "[Event \"E\"]",
            "{only a comment}",
            "; a remark",
            "% escaped",
            "e2e4 e7e5",
            "\u{feff}e4",
            "hello e4",
            "1. e4 \0 e5",
            "exd8=Q+",
        ] {
            assert_eq!(refusal(text.as_bytes()), None, "{text}");
        }
        assert_eq!(refusal(b"\xff\xfe1\0.\0e\x004\0"), None);
    }
}
