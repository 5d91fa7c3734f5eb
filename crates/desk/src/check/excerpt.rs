//! The text around a place: one line, cut to a printable width.

use chess::pgn::decode;
use memchr::{memchr2, memrchr2};

/// The number of characters shown before, at and after the place.
const WIDTH: usize = 40;

/// Part of a line: the marked text and its surroundings.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Excerpt {
    /// The text before it.
    pub before: String,
    /// The marked text.
    pub marked: String,
    /// The text after it.
    pub after: String,
}

impl Excerpt {
    /// Cuts out `len` bytes at `offset` with the text around them on the same line.
    pub(super) fn cut(text: &[u8], offset: u64, len: u32) -> Excerpt {
        let at = usize::try_from(offset)
            .unwrap_or(usize::MAX)
            .min(text.len());
        let end = at.saturating_add(len as usize).min(text.len());
        let start_of_line = memrchr2(b'\n', b'\r', &text[..at]).map_or(0, |eol| eol + 1);
        let end_of_line = memchr2(b'\n', b'\r', &text[at..]).map_or(text.len(), |eol| at + eol);
        let end = end.min(end_of_line).max(at);
        Excerpt {
            before: last(&text[start_of_line..at]),
            marked: first(&text[at..end]),
            after: first(&text[end..end_of_line]),
        }
    }
}

/// A character has at most four bytes.
const BYTES: usize = 4 * WIDTH + 4;

/// The first characters, and an ellipsis if there are more.
fn first(bytes: &[u8]) -> String {
    let cut = (0..4)
        .map(|back| BYTES - back)
        .find(|&cut| !continues(bytes.get(cut)));
    let some = show(&bytes[..cut.unwrap_or(BYTES).min(bytes.len())]);
    match some.char_indices().nth(WIDTH) {
        Some((cut, _)) => format!("{}…", &some[..cut]),
        None => some,
    }
}

/// The last characters, after an ellipsis if there are more.
fn last(bytes: &[u8]) -> String {
    let from = bytes.len().saturating_sub(BYTES);
    let cut = (0..4)
        .map(|on| from + on)
        .find(|&cut| !continues(bytes.get(cut)));
    let some = show(&bytes[cut.unwrap_or(from).min(bytes.len())..]);
    match some.char_indices().rev().nth(WIDTH - 1) {
        Some((cut, _)) if cut > 0 => format!("…{}", &some[cut..]),
        _ => some,
    }
}

/// True for a continuation byte of UTF-8.
fn continues(byte: Option<&u8>) -> bool {
    byte.is_some_and(|byte| byte & 0xc0 == 0x80)
}

/// Replaces control characters, so that a file cannot send commands to the terminal.
fn show(bytes: &[u8]) -> String {
    let harmless = |c: char| match c {
        '\t' => ' ',
        c if c.is_control() => '\u{fffd}',
        c => c,
    };
    decode(bytes).chars().map(harmless).collect()
}

#[cfg(test)]
mod tests {
    use super::Excerpt;

    fn cut(text: &str, marked: &str) -> [String; 3] {
        let at = text.find(marked).expect("it is there");
        let Excerpt {
            before,
            marked,
            after,
        } = Excerpt::cut(text.as_bytes(), at as u64, marked.len() as u32);
        [before, marked, after]
    }

    #[test]
    fn one_line_is_shown() {
        assert_eq!(cut("1. e4\n2. Ke3 x\n3. a", "Ke3"), ["2. ", "Ke3", " x"]);
        assert_eq!(cut("1. e4\r2. Ke3 x\r3. a", "Ke3"), ["2. ", "Ke3", " x"]);
        assert_eq!(cut("{a\nb}", "{a\nb}"), ["", "{a", ""]);
    }

    #[test]
    fn long_lines_are_cut_on_both_sides() {
        let text = format!("{}Ke3{}", "ä".repeat(1000), "ö".repeat(1000));
        let [before, marked, after] = cut(&text, "Ke3");
        assert_eq!(before, format!("…{}", "ä".repeat(40)));
        assert_eq!(
            (marked.as_str(), after),
            ("Ke3", format!("{}…", "ö".repeat(40)))
        );
    }

    #[test]
    fn bytes_that_are_not_utf8_are_shown_as_read() {
        let text = Excerpt::cut(b"R\xe9ti Ke3 n\xe9 \x85", 5, 3);
        assert_eq!(
            (text.before.as_str(), text.after.as_str()),
            ("Réti ", " né …")
        );
    }

    #[test]
    fn places_outside_the_text_are_harmless() {
        assert_eq!(
            Excerpt::cut(b"abc", u64::MAX, u32::MAX),
            Excerpt {
                before: "abc".into(),
                ..Excerpt::default()
            }
        );
        assert_eq!(Excerpt::cut(b"", 0, 3), Excerpt::default());
    }

    #[test]
    fn control_characters_are_replaced() {
        assert_eq!(cut("a\u{1b}[2Jb", "b")[0], "a\u{fffd}[2J");
    }
}
