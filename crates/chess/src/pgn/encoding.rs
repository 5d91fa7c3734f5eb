//! Decoding: UTF-8, otherwise Windows-1252 byte by byte; UTF-16 by its byte order mark.

use super::block::{BLOCK, Lane, Overlap, Places, Test, bits, block_at};
use super::cpu::{Cpu, Task, run};
use std::borrow::Cow;

/// Decodes the text of a game. Each byte that is not valid UTF-8 is read as Windows-1252, so files
/// that mix both are decoded correctly.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    decode_game(bytes).0
}

/// Decodes the text of a game as [`decode`] does. Returns also whether it contains a `\r`, which
/// costs nothing beside the rest.
#[allow(unsafe_code, reason = "the bytes were found to be UTF-8")]
pub(super) fn decode_game(bytes: &[u8]) -> (Cow<'_, str>, bool) {
    let Survey {
        is_utf8,
        has_returns,
    } = run(Surveyor(bytes));
    if !is_utf8 {
        return (Cow::Owned(decode_mixed(bytes)), has_returns);
    }
    // SAFETY: the bytes are UTF-8.
    let text = unsafe { std::str::from_utf8_unchecked(bytes) };
    (Cow::Borrowed(text), has_returns)
}

/// What the bytes of a text are like.
struct Survey {
    is_utf8: bool,
    has_returns: bool,
}

/// Looks at all bytes of a text, block by block: at those of an ASCII text in a fifth of the time of
/// [`str::from_utf8`], and a block with other characters costs no more branches than one without.
struct Surveyor<'a>(&'a [u8]);

impl Task for Surveyor<'_> {
    type Output = Survey;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Survey {
        let Surveyor(text) = self;
        let (mut returns, mut faults, mut expected) = (0, 0, 0);
        for start in (0..text.len()).step_by(BLOCK) {
            let mut end = None;
            let bytes = block_at(text, start, &mut end);
            returns |= bits(cpu, bytes, Return);
            if bits(cpu, bytes, NonAscii) | expected != 0 {
                faults |= faults_in(cpu, bytes, &mut expected);
            }
        }
        Survey {
            is_utf8: faults | expected == 0,
            has_returns: returns != 0,
        }
    }
}

/// The bytes of a block that cannot be UTF-8. `expected` are the bytes at its start that have to
/// continue a character, and becomes those of the next block.
#[inline(always)]
fn faults_in<C: Cpu>(cpu: C, bytes: &Overlap, expected: &mut u64) -> u64 {
    let twos = bits(cpu, bytes, Within::<0xc2, 0xdf>);
    let threes = bits(cpu, bytes, Within::<0xe0, 0xef>);
    let fours = bits(cpu, bytes, Within::<0xf0, 0xf4>);
    let continuing = bits(cpu, bytes, Within::<0x80, 0xbf>);
    let known = twos | threes | fours | continuing;
    let (second, third) = (twos | threes | fours, threes | fours);
    let continued = *expected | second << 1 | third << 2 | fours << 3;
    *expected = second >> 63 | third >> 62 | fours >> 61;
    let unknown = bits(cpu, bytes, NonAscii) & !known;
    unknown | (continued ^ continuing) | bits(cpu, bytes, BadSecond)
}

/// Finds `\r`.
struct Return;

impl Test for Return {
    #[inline(always)]
    fn test<C: Cpu>(place: Places<C>) -> C::Lane {
        place.plus(0).is(b'\r')
    }
}

/// Finds bytes that are not ASCII.
struct NonAscii;

impl Test for NonAscii {
    #[inline(always)]
    fn test<C: Cpu>(place: Places<C>) -> C::Lane {
        place.plus(0)
    }
}

/// Finds the bytes of a range.
struct Within<const FIRST: u8, const LAST: u8>;

impl<const FIRST: u8, const LAST: u8> Test for Within<FIRST, LAST> {
    #[inline(always)]
    fn test<C: Cpu>(place: Places<C>) -> C::Lane {
        place.plus(0).within(FIRST, LAST)
    }
}

/// Finds first bytes before a second byte that makes the character too long, a surrogate or too
/// large.
struct BadSecond;

impl Test for BadSecond {
    #[inline(always)]
    fn test<C: Cpu>(place: Places<C>) -> C::Lane {
        let (here, next) = (place.plus(0), place.plus(1));
        let long = here.is(0xe0).and(next.within(0x80, 0x9f));
        let long = long.or(here.is(0xf0).and(next.within(0x80, 0x8f)));
        let surrogate = here.is(0xed).and(next.within(0xa0, 0xbf));
        let large = here.is(0xf4).and(next.within(0x90, 0xbf));
        long.or(surrogate).or(large)
    }
}

fn decode_mixed(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 16);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|&byte| windows_1252(byte)));
    }
    text
}

/// The Windows-1252 character of a byte; the five undefined ones are read as Latin-1.
fn windows_1252(byte: u8) -> char {
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž',
        '\u{8f}', '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}',
        'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => HIGH[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// The byte order of UTF-16.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Utf16 {
    /// The low byte first.
    Little,
    /// The high byte first.
    Big,
}

impl Utf16 {
    /// Detects UTF-16 by its byte order mark, or by the zero next to an initial `[` or `1`.
    pub fn detect(bytes: &[u8]) -> Option<Utf16> {
        match bytes {
            [0xff, 0xfe, ..] | [b'[' | b'1', 0, ..] => Some(Utf16::Little),
            [0xfe, 0xff, ..] | [0, b'[' | b'1', ..] => Some(Utf16::Big),
            _ => None,
        }
    }

    /// Appends the decoded text to `text` and returns the number of bytes used. An unpaired
    /// surrogate at the end is not used, unless `whole`.
    pub(crate) fn decode(self, bytes: &[u8], whole: bool, text: &mut Vec<u8>) -> usize {
        let unit = |pair: &[u8]| match self {
            Utf16::Little => u16::from_le_bytes([pair[0], pair[1]]),
            Utf16::Big => u16::from_be_bytes([pair[0], pair[1]]),
        };
        let mut used = bytes.len() & !1;
        let ends_in_half =
            |end: usize| end >= 2 && (0xd800..0xdc00).contains(&unit(&bytes[end - 2..end]));
        if !whole && ends_in_half(used) {
            used -= 2;
        }
        let units = bytes[..used].chunks_exact(2).map(unit);
        for char in char::decode_utf16(units) {
            let char = char.unwrap_or(char::REPLACEMENT_CHARACTER);
            text.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
        }
        used
    }

    /// The bytes of a text.
    ///
    /// ```
    /// use gametree_chess::pgn::Utf16;
    /// assert_eq!(Utf16::Little.encode("1.e4"), b"1\0.\0e\x004\0");
    /// ```
    pub fn encode(self, text: &str) -> Vec<u8> {
        let bytes = |unit: u16| match self {
            Utf16::Little => unit.to_le_bytes(),
            Utf16::Big => unit.to_be_bytes(),
        };
        text.encode_utf16().flat_map(bytes).collect()
    }
}

/// Converts UTF-16 to UTF-8; returns other encodings unchanged.
///
/// ```
/// let bytes = b"\xff\xfe1\0.\0e\x004\0";
/// assert_eq!(&*gametree_chess::pgn::to_utf8(bytes), b"\xef\xbb\xbf1.e4");
/// ```
pub fn to_utf8(bytes: &[u8]) -> Cow<'_, [u8]> {
    let Some(utf16) = Utf16::detect(bytes) else {
        return Cow::Borrowed(bytes);
    };
    let mut text = Vec::with_capacity(bytes.len() / 2);
    utf16.decode(bytes, true, &mut text);
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::cpu::Portable;

    /// Compares with the standard library, on any processor and on this one.
    fn check_survey(text: &[u8]) {
        let expected = (std::str::from_utf8(text).is_ok(), text.contains(&b'\r'));
        for survey in [Surveyor(text).run(Portable), run(Surveyor(text))] {
            assert_eq!((survey.is_utf8, survey.has_returns), expected, "{text:x?}");
        }
    }

    #[test]
    fn the_survey_knows_utf8() {
        let bytes = [
            0, b'\r', b'a', 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0,
            0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff,
        ];
        // Every sequence of four, before, across and after the border of two blocks.
        for at in [0, 60, 61, 62, 63, 64] {
            for first in bytes {
                for second in bytes {
                    for third in bytes {
                        let mut text = vec![b'x'; at];
                        text.extend([first, second, third]);
                        check_survey(&text);
                        for fourth in bytes {
                            text.truncate(at + 3);
                            text.push(fourth);
                            check_survey(&text);
                            text.extend([b'x'; 70]);
                            check_survey(&text);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_survey_knows_all_characters() {
        for char in '\0'..=char::MAX {
            let mut text = "x".repeat(62);
            text.push(char);
            text.push_str("é€");
            assert!(run(Surveyor(text.as_bytes())).is_utf8, "{char:?}");
        }
    }

    #[test]
    fn utf8_and_windows_1252_side_by_side() {
        assert_eq!(decode(b"M\xfcller \xc3\xa9 \x80"), "Müller é €");
        assert_eq!(decode(b"\xc3("), "Ã(");
    }

    #[test]
    fn utf16_in_pieces() {
        let text = "[A \"𝄞ü\"]";
        let units: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(&*to_utf8(&units), text.as_bytes());
        for cut in 0..units.len() {
            let mut out = Vec::new();
            let used = Utf16::Big.decode(&units[..cut], false, &mut out);
            Utf16::Big.decode(&units[used..], true, &mut out);
            assert_eq!(out, text.as_bytes());
        }
    }
}
