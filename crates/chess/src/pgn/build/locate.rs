//! Locations of complaints: from the text of a game to its file.

use crate::pgn::Span;
use crate::pgn::bytes::eol_of;
use crate::pgn::complaint::{Complaint, Finding, Location};
use crate::pgn::game::Game;

/// Computes offset, line and column of every finding.
pub(super) fn locate(findings: &mut Vec<Finding>, text: &str, bytes: &[u8], game: &mut Game) {
    if findings.is_empty() {
        return;
    }
    findings.sort_by_key(|finding| finding.span.start);
    let mut walk = Walk::new(text, bytes);
    for Finding { kind, span, node } in findings.drain(..) {
        walk.go(span.start);
        let location = Location {
            offset: game.place.offset + walk.source as u64,
            len: span.len() as u32,
            line: game.place.line + walk.line,
            column: walk.column,
        };
        let excerpt = text.get(span).unwrap_or_default().lines().next();
        let excerpt: String = excerpt.unwrap_or_default().chars().take(40).collect();
        game.complaints.push(Complaint {
            kind,
            location,
            game: game.place.number,
            node,
            excerpt: excerpt.into(),
        });
    }
}

/// The first character that was not UTF-8; before it, bytes and text are equal.
pub(super) fn first_converted(bytes: &[u8], text: &str) -> Span {
    let at = std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
    let char = text[at..].chars().next();
    at..at + char.map_or(0, char::len_utf8)
}

/// A position in the text of a game that moves forward.
pub(super) struct Walk<'a> {
    pub text: &'a str,
    /// The bytes that the text was decoded from.
    pub bytes: &'a [u8],
    pub eol: u8,
    pub at: usize,
    /// The same position in the bytes.
    pub source: usize,
    pub line: u64,
    pub column: u32,
}

impl<'a> Walk<'a> {
    pub(super) fn new(text: &'a str, bytes: &'a [u8]) -> Walk<'a> {
        Walk {
            text,
            bytes,
            eol: eol_of(text.as_bytes()),
            at: 0,
            source: 0,
            line: 0,
            column: 1,
        }
    }

    pub(super) fn go(&mut self, to: usize) {
        let passed = self.text.get(self.at..to).unwrap_or_default();
        let lines = memchr::memchr_iter(self.eol, passed.as_bytes()).count();
        if lines > 0 {
            self.line += lines as u64;
            self.column = 1;
        }
        let last = passed.rfind(char::from(self.eol)).map_or(0, |end| end + 1);
        self.column += passed[last..].chars().count() as u32;
        self.source += if self.text.len() == self.bytes.len() {
            passed.len()
        } else {
            self.source_len(passed)
        };
        self.at = to.max(self.at);
    }

    /// The number of bytes that were decoded to this text; some of them were not UTF-8.
    pub(super) fn source_len(&self, passed: &str) -> usize {
        let mut source = self.source;
        for char in passed.chars() {
            let is_utf8 =
                self.bytes[source..].starts_with(char.encode_utf8(&mut [0; 4]).as_bytes());
            source += if is_utf8 { char.len_utf8() } else { 1 };
        }
        source - self.source
    }
}
