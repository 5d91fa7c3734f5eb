//! Games copied byte for byte.
//!
//! Games that follow one another in their file are copied with everything between them. Where games
//! were left out, or another file starts, an empty line separates them. The output has the encoding
//! and byte order mark of the first file.

use std::io::{self, Write};
use std::sync::Arc;

use chess::pgn::{RawGame, Utf16, decode};

use super::Piece;
use crate::games::Batch;

/// The source of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Origin {
    name: Arc<str>,
    start: u64,
    end: u64,
    /// The file starts with a byte order mark, which is not part of the text.
    mark: bool,
    utf16: Option<Utf16>,
}

const BYTE_ORDER_MARK: &str = "\u{feff}";

impl Piece {
    pub(super) fn keep(&mut self, batch: &Batch, raw: RawGame) {
        self.games += 1;
        let (start, end) = (raw.place.offset, raw.place.offset + raw.bytes.len() as u64);
        let unmarked = raw.bytes.strip_prefix(BYTE_ORDER_MARK.as_bytes());
        let origin = self.origin.get_or_insert_with(|| Origin {
            name: batch.name.clone(),
            start,
            end: start,
            mark: unmarked.is_some(),
            utf16: batch.utf16,
        });
        if origin.end != start {
            self.text.extend_from_slice(gap_after(&self.text));
        }
        origin.end = end;
        self.text.extend_from_slice(unmarked.unwrap_or(raw.bytes));
    }
}

/// Joins pieces of text.
#[derive(Debug, Default)]
pub(super) struct Joiner {
    last: Option<Origin>,
    gap: &'static [u8],
    /// The encoding of the output.
    utf16: Option<Utf16>,
}

impl Joiner {
    /// Writes the next piece.
    pub(super) fn write(&mut self, piece: &Piece, out: &mut impl Write) -> io::Result<()> {
        let Some(origin) = &piece.origin else {
            return Ok(());
        };
        match &self.last {
            None => {
                self.utf16 = origin.utf16;
                // Games from the middle of a file need the mark too: UTF-16 is recognised by it.
                if origin.mark || (origin.utf16.is_some() && origin.start > 0) {
                    self.encode(BYTE_ORDER_MARK.as_bytes(), out)?;
                }
            }
            Some(last) if last.name == origin.name && last.end == origin.start => {}
            Some(_) => self.encode(self.gap, out)?,
        }
        self.last = Some(origin.clone());
        self.gap = gap_after(&piece.text);
        self.encode(&piece.text, out)
    }

    fn encode(&self, text: &[u8], out: &mut impl Write) -> io::Result<()> {
        match self.utf16 {
            None => out.write_all(text),
            Some(utf16) => out.write_all(&utf16.encode(&decode(text))),
        }
    }
}

/// The line ends needed for an empty line after a text.
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
