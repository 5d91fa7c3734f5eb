//! Blanks between tokens.

use crate::pgn::Span;

/// The part of a text, if it consists of blanks.
pub(super) fn blank(text: &str, span: Span) -> Option<&str> {
    let part = text.get(span)?;
    let is_blank = |byte: u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
    part.bytes().all(is_blank).then_some(part)
}

/// True if a gap ends a line.
pub(super) fn has_line_end(gap: &str) -> bool {
    gap.contains(['\n', '\r'])
}
