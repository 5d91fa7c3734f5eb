//! Games written as they were read, byte for byte.
//!
//! Games that follow one another in their file are copied with all that stands between them; where
//! others were left out, or another file begins, an empty line keeps them apart.

use std::sync::Arc;

use chess::pgn::RawGame;

use super::Piece;

/// Where a text starts and ends in its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Ends {
    name: Arc<str>,
    start: u64,
    end: u64,
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl Piece {
    pub(super) fn keep(&mut self, name: &Arc<str>, raw: RawGame) {
        self.games += 1;
        let (start, end) = (raw.place.offset, raw.place.offset + raw.bytes.len() as u64);
        let ends = self.ends.get_or_insert_with(|| Ends {
            name: name.clone(),
            start,
            end: start,
        });
        if ends.end != start {
            self.text.extend_from_slice(gap_after(&self.text));
        }
        ends.end = end;
        // A mark at the beginning of a file has no place in the middle of another.
        self.text
            .extend_from_slice(raw.bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(raw.bytes));
    }
}

/// Puts pieces together.
#[derive(Debug, Default)]
pub(super) struct Joiner {
    last: Option<Ends>,
    gap: &'static [u8],
}

impl Joiner {
    /// What to write before this piece.
    pub(super) fn gap(&mut self, piece: &Piece) -> &'static [u8] {
        let Some(ends) = &piece.ends else { return b"" };
        let follows = self
            .last
            .as_ref()
            .is_none_or(|last| last.name == ends.name && last.end == ends.start);
        let gap = if follows { b"" } else { self.gap };
        self.last = Some(ends.clone());
        self.gap = gap_after(&piece.text);
        gap
    }
}

/// What is missing to an empty line after a text.
fn gap_after(text: &[u8]) -> &'static [u8] {
    let is_break = |b: &&u8| matches!(b, b'\n' | b'\r');
    let tail: Vec<u8> = text
        .iter()
        .rev()
        .take_while(is_break)
        .filter(|&&b| b == b'\n')
        .copied()
        .take(2)
        .collect();
    match tail.len() {
        0 => b"\n\n",
        1 => b"\n",
        _ => b"",
    }
}
