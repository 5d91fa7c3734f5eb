//! Byte classes and functions shared by splitter and scanner.

use super::block::{BLOCK, Brace, Lane, Places, Test, bits_at};
use super::cpu::Cpu;
use memchr::{memchr, memchr2};

/// The length of the white-space character at `at`: 0 if there is none, 1 for ASCII, more for
/// Unicode spaces (no-break space, byte order mark …).
///
/// Line ends, NUL, Ctrl-Z, form feed and vertical tab are white space too.
#[inline]
pub(crate) fn space_len(text: &[u8], at: usize) -> usize {
    match text.get(at) {
        Some(&byte) if byte < 0x80 => is_ascii_space(byte) as usize,
        Some(_) => wide_space_len(&text[at..]),
        None => 0,
    }
}

/// True for ASCII white space.
#[inline]
pub(crate) const fn is_ascii_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r' | 0 | 0x1a)
}

#[cold]
fn wide_space_len(text: &[u8]) -> usize {
    match text {
        [0xc2, 0xa0 | 0x85, ..] => 2,
        [0xef, 0xbb, 0xbf, ..] => 3,
        [0xe2, 0x80, 0x80..=0x8b | 0xa8 | 0xa9 | 0xaf, ..] => 3,
        [0xe3, 0x80, 0x80, ..] => 3,
        _ => 0,
    }
}

/// The first position at or after `at` that is not white space.
#[inline]
pub(crate) fn skip_space(text: &[u8], mut at: usize) -> usize {
    loop {
        match space_len(text, at) {
            0 => return at,
            len => at += len,
        }
    }
}

/// Like [`skip_space`], but stays on the line.
pub(crate) fn skip_blanks(text: &[u8], mut at: usize, eol: u8) -> usize {
    while text.get(at).is_some_and(|&byte| byte != eol) {
        match space_len(text, at) {
            0 => break,
            len => at += len,
        }
    }
    at
}

/// The end of the text before `at` without trailing white space.
#[inline]
pub(crate) fn trim_end(text: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = text[..at].last() {
        match byte {
            b'!'..=b'~' => break,
            _ if is_ascii_space(byte) => at -= 1,
            _ => match wide_space_before(&text[..at]) {
                0 => break,
                len => at -= len,
            },
        }
    }
    at
}

/// The length of the non-ASCII space at the end of a text.
#[cold]
fn wide_space_before(text: &[u8]) -> usize {
    match text {
        [.., 0xc2, 0xa0 | 0x85] => 2,
        [.., a, b, c] if wide_space_len(&[*a, *b, *c]) == 3 => 3,
        _ => 0,
    }
}

/// The position of the line end at or after `at`, or the end of the text.
#[inline]
pub(crate) fn line_end(text: &[u8], at: usize, eol: u8) -> usize {
    memchr(eol, &text[at..]).map_or(text.len(), |len| at + len)
}

/// The byte that ends lines: `\r` in classic Mac OS files, otherwise `\n`. White space at the start
/// of the text is ignored.
pub(crate) fn eol_of(text: &[u8]) -> u8 {
    let text = &text[skip_space(text, 0)..];
    eol_at(text, first_line_end(text))
}

/// The first `\r` or `\n`.
#[inline]
pub(crate) fn first_line_end(text: &[u8]) -> Option<usize> {
    match bits_at(text, 0, LineEnd) {
        0 => memchr2(b'\r', b'\n', text),
        ends => Some(ends.trailing_zeros() as usize),
    }
}

/// Finds `\r` and `\n`.
struct LineEnd;

impl Test for LineEnd {
    #[inline(always)]
    fn test<C: Cpu>(place: Places<C>) -> C::Lane {
        place.plus(0).is(b'\r').or(place.plus(0).is(b'\n'))
    }
}

/// The byte that ends lines if the first line ends here.
#[inline]
pub(crate) fn eol_at(text: &[u8], end: Option<usize>) -> u8 {
    match end {
        Some(at) if text[at] == b'\r' && text.get(at + 1) != Some(&b'\n') => b'\r',
        _ => b'\n',
    }
}

/// Where a brace comment that opens at `open` ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BraceEnd {
    /// At this `}`.
    Closed(usize),
    /// At this `}`, and there is a `{` before it.
    Nested(usize),
    /// Unclosed: its text ends here, at the end of the text or before the tags of another game.
    Open(usize),
}

/// Finds the end of the comment whose `{` is at `open`.
///
/// Comments do not nest, and may contain blank lines and tags. But if another `{` follows before
/// any `}`, or no `}` follows at all, and a paragraph in between starts with a tag, then the `}` is
/// missing and that tag starts the next game.
#[inline]
pub(crate) fn brace_end(text: &[u8], open: usize, eol: u8) -> BraceEnd {
    match next_brace(text, open + 1) {
        Some(next) if text[next] == b'}' => BraceEnd::Closed(next),
        next => odd_brace_end(text, open + 1, next, eol),
    }
}

/// The first brace at or after `from`.
#[inline]
fn next_brace(text: &[u8], from: usize) -> Option<usize> {
    // Most comments are short.
    match bits_at(text, from, Brace) {
        0 => {
            let from = (from + BLOCK).min(text.len());
            memchr2(b'{', b'}', &text[from..]).map(|len| from + len)
        }
        braces => Some(from + braces.trailing_zeros() as usize),
    }
}

/// [`brace_end`] if a `{` follows at `hit`, or no brace. Goes from brace to brace and not further
/// than it has to, so that texts with many unclosed comments take linear time.
#[cold]
fn odd_brace_end(text: &[u8], body: usize, hit: Option<usize>, eol: u8) -> BraceEnd {
    let (mut from, mut brace) = (body, hit);
    loop {
        if let Some(close) = brace.filter(|&at| text[at] == b'}') {
            return BraceEnd::Nested(close);
        }
        let until = brace.unwrap_or(text.len());
        if let Some(game) = next_game_in(text, from, until, eol) {
            return BraceEnd::Open(game);
        }
        if brace.is_none() {
            return BraceEnd::Open(text.len());
        }
        from = until + 1;
        brace = next_brace(text, from);
    }
}

/// The line end before a blank line that is followed by a tag line, within `from..until`.
fn next_game_in(text: &[u8], from: usize, until: usize, eol: u8) -> Option<usize> {
    let mut at = line_end(&text[..until], from, eol);
    while at < until {
        let next = skip_blanks(text, at + 1, eol);
        if text.get(next) == Some(&eol) {
            let start = skip_space(text, next);
            if start < until && is_tag(text, start, eol) && line_start(text, start, eol) {
                return Some(at);
            }
            // Stay before the line end that precedes the next text.
            at = memchr::memrchr(eol, &text[..start]).map_or(start, |end| end.max(next));
        } else {
            at = line_end(&text[..until], next.min(until), eol);
        }
    }
    None
}

/// True if there is only white space between the start of the line and `at`.
fn line_start(text: &[u8], at: usize, eol: u8) -> bool {
    let start = memchr::memrchr(eol, &text[..at]).map_or(0, |end| end + 1);
    skip_blanks(text, start, eol) == at
}

/// True if a tag with a quoted value starts at `at`: `[Name "`.
pub(crate) fn is_tag(text: &[u8], at: usize, eol: u8) -> bool {
    if text.get(at) != Some(&b'[') {
        return false;
    }
    let name = skip_blanks(text, at + 1, eol);
    let end = name_end(text, name);
    let name_is_fine = end > name && text[name] != b'%';
    name_is_fine && text.get(skip_blanks(text, end, eol)) == Some(&b'"')
}

/// The end of the tag name that starts at `at`.
pub(crate) fn name_end(text: &[u8], at: usize) -> usize {
    let is_name = |byte: &&u8| IN_NAMES[**byte as usize];
    at + text[at..].iter().take_while(is_name).count()
}

static IN_NAMES: [bool; 256] = {
    let mut in_names = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let sign = matches!(byte as u8, b'"' | b'[' | b']' | b'{' | b'}' | b'(' | b')');
        in_names[byte] = !sign && !is_ascii_space(byte as u8);
        byte += 1;
    }
    in_names
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forgotten_brace_ends_before_the_next_games_tags() {
        let end = |text: &str| brace_end(text.as_bytes(), 0, b'\n');
        assert_eq!(end("{a}"), BraceEnd::Closed(2));
        assert_eq!(end("{a {b} c}"), BraceEnd::Nested(5));
        assert_eq!(end("{a\n\n[Event \"B\"]\n}"), BraceEnd::Closed(16));
        assert_eq!(end("{a\n\n[Event \"B\"]\n{b}"), BraceEnd::Open(2));
        assert_eq!(end("{a\n \n\n [Event \"B\"]\n"), BraceEnd::Open(2));
        assert_eq!(end("{a {b\n\n[Event \"B\"]\n{c}"), BraceEnd::Open(5));
        assert_eq!(end("{a {b\n\n[Event \"B\"]\n}"), BraceEnd::Nested(19));
        assert_eq!(end("{a\n[Event \"B\"]\n"), BraceEnd::Open(15));
        assert_eq!(end("{a"), BraceEnd::Open(2));
    }

    #[test]
    fn white_space_is_what_word_processors_leave() {
        let text = "\u{feff}\u{a0} \t\0\u{202f}x".as_bytes();
        assert_eq!(skip_space(text, 0), text.len() - 1);
        assert_eq!(trim_end(text, text.len() - 1), 0);
        assert_eq!(eol_of(b"a\rb"), b'\r');
        assert_eq!(eol_of(b"a\r\nb"), b'\n');
    }
}
