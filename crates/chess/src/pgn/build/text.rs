//! The content of comments, independent of notation and line ends.

use crate::pgn::scan::Style;
use std::borrow::Cow;

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
