//! What a comment says, whatever its style and line ends.

use crate::pgn::scan::Style;
use std::borrow::Cow;

/// The comment without the blank that the writer puts at both ends, and with `\n` as line end.
pub(super) fn comment_text(text: &str, style: Style, eol: u8) -> Cow<'_, str> {
    match style {
        Style::Escape => one_line(text),
        Style::Line => one_line(text.strip_prefix(' ').unwrap_or(text)),
        Style::Brace => {
            let text = without_margins(text);
            match text.contains('\r') || (eol == b'\r' && text.contains('\n')) {
                true => Cow::Owned(with_line_ends(text, eol)),
                false => Cow::Borrowed(text),
            }
        }
    }
}

/// The text without one blank at both ends.
pub(super) fn without_margins(text: &str) -> &str {
    let text = text.strip_prefix(' ').unwrap_or(text);
    text.strip_suffix(' ').unwrap_or(text)
}

/// The text with `\n` where lines end, and a blank where another control character of lines is.
pub(super) fn with_line_ends(text: &str, eol: u8) -> String {
    let (lone_return, lone_feed) = match eol {
        b'\r' => ("\n", " "),
        _ => (" ", "\n"),
    };
    let mut out = String::with_capacity(text.len());
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
    out + rest
}

pub(super) fn one_line(text: &str) -> Cow<'_, str> {
    match text.contains(['\r', '\n']) {
        true => Cow::Owned(text.replace(['\r', '\n'], " ")),
        false => Cow::Borrowed(text),
    }
}
