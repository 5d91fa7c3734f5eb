//! The content of comments, independent of notation and line ends.

use crate::pgn::Span;
use crate::pgn::block::{BLOCK, Lane, Overlap, Places, Test, bits};
use crate::pgn::cpu::{Cpu, Portable};
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
    while let Some(at) = push_to_return(out, text, rest.clone()) {
        let is_line_end = at + 1 < rest.end && text.as_bytes()[at + 1] == b'\n';
        if !is_line_end {
            out.push(' ');
        }
        rest.start = at + 1;
    }
}

/// Appends a part of a text up to its first `\r`, and returns the position of that. Blocks are copied
/// while they are searched: a copy of a known length would have to find out its length once more.
#[inline(always)]
#[allow(unsafe_code, reason = "only a part that is UTF-8 stays in the string")]
fn push_to_return(out: &mut String, text: &str, part: Span) -> Option<usize> {
    let is_whole = text.len() >= part.end + size_of::<Overlap>();
    if !is_whole || !text.is_char_boundary(part.start) || !text.is_char_boundary(part.end) {
        return push_last_to_return(out, text, part);
    }
    // SAFETY: only UTF-8 is added: what is between two borders of characters, or between such a
    // border and a `\r`.
    let out = unsafe { out.as_mut_vec() };
    out.reserve(part.len() + BLOCK);
    let mut at = part.start;
    while at < part.end {
        let block: &Overlap = text.as_bytes()[at..].first_chunk()?;
        let room: &mut [_; BLOCK] = out.spare_capacity_mut().first_chunk_mut()?;
        *room = std::array::from_fn(|at| MaybeUninit::new(block[at]));
        let returns = bits(Portable, block, Return).trailing_zeros() as usize;
        let rest = part.end - at;
        // SAFETY: the block was written there.
        unsafe { out.set_len(out.len() + returns.min(rest)) };
        if returns < rest.min(BLOCK) {
            return Some(at + returns);
        }
        at += BLOCK;
    }
    None
}

/// The same near the end of the text.
#[cold]
#[inline(never)]
fn push_last_to_return(out: &mut String, text: &str, part: Span) -> Option<usize> {
    let part_text = text.get(part.clone()).unwrap_or_default();
    let len = memchr::memchr(b'\r', part_text.as_bytes());
    out.push_str(&part_text[..len.unwrap_or(part_text.len())]);
    len.map(|len| part.start + len)
}

/// Finds `\r`.
pub(super) struct Return;

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
                    found.clear();
                    let inside = format!("\r{text}\n{long}");
                    push_without_returns(&mut found, &inside, 1..1 + text.len());
                    assert_eq!(found, expected, "{text:?} before other text");
                }
            }
        }
    }
}
