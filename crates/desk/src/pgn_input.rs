//! Opening a source as PGN: data that is clearly another format is refused.

use std::io::{self, Cursor, Read};

use chess::pgn::Utf16;
use kit::Limits;
use kit::input::{Counter, Decompressor, InputError, Source};

/// The number of bytes examined.
const SAMPLE: u64 = 8192;

/// One byte in this many may be a control character: damaged PGN has a few, binary data many.
const CONTROLS: usize = 32;

/// This many control characters are accepted, even in a short text.
const FEW: usize = 8;

/// A source that may be PGN.
pub struct PgnInput {
    sample: Cursor<Vec<u8>>,
    /// The error that ended the sample early.
    error: Option<io::Error>,
    rest: Decompressor,
}

/// Opens a source, unless its start shows that it is not PGN.
pub fn open(source: &Source, counter: Counter, limits: Limits) -> Result<PgnInput, InputError> {
    let mut input = source.open_within(counter, limits)?;
    let mut sample = Vec::new();
    let read = (&mut input).take(SAMPLE).read_to_end(&mut sample);
    if let Some(reason) = refusal(&sample) {
        let error = io::Error::new(io::ErrorKind::InvalidData, reason);
        return Err(source.error_at(error));
    }
    Ok(PgnInput {
        sample: Cursor::new(sample),
        error: read.err(),
        rest: input,
    })
}

/// All of a source, unless its start shows that it is not PGN.
pub fn read_whole(source: &Source) -> Result<Vec<u8>, InputError> {
    let bytes = source.read_whole()?;
    let sample = &bytes[..bytes.len().min(SAMPLE as usize)];
    match refusal(sample) {
        Some(reason) => {
            let error = io::Error::new(io::ErrorKind::InvalidData, reason);
            Err(source.error_at(error))
        }
        None => Ok(bytes),
    }
}

impl Read for PgnInput {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        match (self.sample.read(buf)?, self.error.take()) {
            (0, Some(error)) => Err(error),
            (0, None) => self.rest.read(buf),
            (read, error) => {
                self.error = error;
                Ok(read)
            }
        }
    }
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
    let is_odd = |byte: &&u8| matches!(byte, 0..=8 | 14..=25 | 28..=31);
    let odd = sample.iter().filter(is_odd).count();
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
    use super::refusal;

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
