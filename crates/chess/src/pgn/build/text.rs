//! The content of comments, independent of notation and line ends.

use crate::pgn::Span;
use crate::pgn::block::{BLOCK, Lane, Places, Test, bits_at};
use crate::pgn::cpu::Cpu;
use crate::pgn::scan::Style;
use std::borrow::Cow;
use std::mem::MaybeUninit;

/// Appends the content of a comment: without one space at both ends, and with `\n` as line end.
#[inline]
pub(super) fn push_comment(out: &mut String, text: &str, style: Style, eol: u8) {
    match style {
        Style::Escape => out.push_str(&one_line(text)),
        Style::Line => out.push_str(&one_line(text.strip_prefix(' ').unwrap_or(text))),
        Style::Brace => push_lines(out, without_margins(text), eol),
    }
}

/// The text without one space at both ends.
#[inline]
pub(super) fn without_margins(text: &str) -> &str {
    let text = text.strip_prefix(' ').unwrap_or(text);
    text.strip_suffix(' ').unwrap_or(text)
}

/// Appends a text with `\n` as line end; other line-end characters become spaces.
pub(super) fn push_lines(out: &mut String, text: &str, eol: u8) {
    let (lone_return, lone_feed) = match eol {
        b'\r' => ("\n", " "),
        _ => (" ", "\n"),
    };
    let mut rest = text;
    while let Some(at) = memchr::memchr2(b'\r', b'\n', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        let (end, len) = match &rest.as_bytes()[at..] {
            [b'\r', b'\n', ..] => ("\n", 2),
            [b'\r', ..] => (lone_return, 1),
            _ => (lone_feed, 1),
        };
        out.push_str(end);
        rest = &rest[at + len..];
    }
    out.push_str(rest);
}

pub(super) fn one_line(text: &str) -> Cow<'_, str> {
    if text.contains(['\r', '\n']) {
        Cow::Owned(text.replace(['\r', '\n'], " "))
    } else {
        Cow::Borrowed(text)
    }
}

/// Appends a part of a text in which `\n` ends lines: as [`push_lines`] does, with one look at most
/// comments.
#[inline(always)]
pub(super) fn push_without_returns(out: &mut String, text: &str, part: Span) {
    let mut rest = part;
    while let Some(at) = first_return(text.as_bytes(), &rest) {
        push_part(out, text, rest.start..at);
        let is_line_end = at + 1 < rest.end && text.as_bytes()[at + 1] == b'\n';
        if !is_line_end {
            out.push(' ');
        }
        rest.start = at + 1;
    }
    push_part(out, text, rest);
}

/// The first `\r` in a part of a text.
#[inline(always)]
fn first_return(text: &[u8], part: &Span) -> Option<usize> {
    let mut at = part.start;
    while at < part.end {
        let returns = bits_at(text, at, Return);
        if returns != 0 {
            let found = at + returns.trailing_zeros() as usize;
            return (found < part.end).then_some(found);
        }
        at += BLOCK;
    }
    None
}

/// Finds `\r`.
struct Return;

impl Test for Return {
    #[inline(always)]
    fn test<C: Cpu>(place: Places<C>) -> C::Lane {
        place.plus(0).is(b'\r')
    }
}

/// Appends a part of a text. Most parts are short, and copying a fixed number of bytes is cheaper
/// than copying a few: no call, and no branch that depends on their number.
#[inline(always)]
#[allow(unsafe_code, reason = "only a part that is UTF-8 stays in the string")]
pub(super) fn push_part(out: &mut String, text: &str, part: Span) {
    let len = part.len();
    match first_chunk(text.as_bytes(), part.start) {
        Some(block) if len <= BLOCK && starts_char(block[0]) && starts_char(block[len]) => {
            // SAFETY: only UTF-8 is added.
            let out = unsafe { out.as_mut_vec() };
            out.reserve(BLOCK + 1);
            if let Some(room) = out.spare_capacity_mut().first_chunk_mut() {
                *room = block.map(MaybeUninit::new);
                // SAFETY: the block was written there. Its first `len` bytes are whole characters.
                unsafe { out.set_len(out.len() + len) };
            }
        }
        _ => out.push_str(text.get(part).unwrap_or_default()),
    }
}

/// A block of a text and the byte after it.
#[inline(always)]
fn first_chunk(text: &[u8], at: usize) -> Option<&[u8; BLOCK + 1]> {
    text.get(at..)?.first_chunk()
}

/// True for bytes of UTF-8 that do not continue a character.
#[inline(always)]
fn starts_char(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn returns_are_left_out_like_line_by_line() {
        let lines = ["", "a", "\r", "\r\n", "\n", "é\r\nb", "\r\r\n", "x y\r"];
        let long = "0123456789".repeat(13);
        for first in lines {
            for second in lines {
                for text in [
                    format!("{first}{second}"),
                    format!("{long}{first}{long}{second}{long}{long}"),
                ] {
                    let (mut expected, mut found) = (String::new(), String::new());
                    push_lines(&mut expected, &text, b'\n');
                    push_without_returns(&mut found, &text, 0..text.len());
                    assert_eq!(found, expected, "{text:?}");
                }
            }
        }
    }
}
