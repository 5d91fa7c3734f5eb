//! Unreadable lines, kept as text.

use super::moves::{Frame, after_alternatives};
use super::words::{Held, overrides};
use super::{Build, Pending};
use crate::pgn::Span;
use crate::pgn::game::{Note, NoteKind, NotePlace};
use crate::pgn::outcome::Outcome;
use crate::pgn::scan::Style;
use tree::NodeId;

/// The text of an unreadable line so far.
pub(super) struct Kept {
    pub kind: NoteKind,
    pub node: NodeId,
    pub place: NotePlace,
    pub start: u32,
    /// The number of open parentheses in the text.
    pub depth: u32,
    /// A result followed only by comments so far, and its range in the text.
    pub result: Option<(Outcome, Span)>,
}

impl Build<'_> {
    pub(super) fn start_keeping(&mut self, kind: NoteKind) {
        let (mut node, mut place) = (self.line.node, NotePlace::After);
        let mut kind = kind;
        if kind == NoteKind::Variation {
            (node, place) = self.variation_place();
        } else if let Some(first) = self.game.tree.next(node) {
            // There are only alternatives to the unreadable move: they come first.
            kind = NoteKind::Variation;
            place = after_alternatives(self.line.alternatives.saturating_sub(1));
            node = first;
        }
        self.kept = Some(Kept {
            kind,
            node,
            place,
            start: self.game.text.len() as u32,
            depth: 0,
            result: None,
        });
        self.keep_pending();
    }

    /// A variation without a readable move is attached to the move that it is an alternative to.
    pub(super) fn variation_place(&self) -> (NodeId, NotePlace) {
        let Some(Frame { line, .. }) = self.frames.get(self.line.anchor as usize) else {
            return (self.line.node, NotePlace::After);
        };
        let alternatives = self.line.base + self.line.branches();
        let is_primary = self.game.tree.is_locally_mainline(line.node);
        let place = if line.moves > 0 && is_primary {
            after_alternatives(alternatives)
        } else {
            NotePlace::After
        };
        (line.node, place)
    }

    /// Adds the notes and glyphs before the first move of the variation to the text.
    pub(super) fn keep_pending(&mut self) {
        for pending in self.take_pending() {
            match pending {
                Pending::Nag(nag) => self.keep_text(&format!("${nag}")),
                Pending::Note(note) => self.keep_note(&note),
            }
        }
    }

    pub(super) fn keep_note(&mut self, note: &Note) {
        let text = self.game.text(note.text).to_owned();
        match note.kind {
            NoteKind::Comment(style) => self.keep_comment(style, &text),
            _ => self.keep_text(&text),
        }
    }

    pub(super) fn keep(&mut self, span: &Span) {
        self.keep_text(self.slice(span));
    }

    /// Adds a token, with a space before it, so that no word is at the start of a line.
    pub(super) fn keep_text(&mut self, token: &str) {
        if let Some(kept) = &mut self.kept {
            kept.result = None;
            append(&mut self.game.text, kept.start, token);
        }
    }

    pub(super) fn keep_comment(&mut self, style: Style, text: &str) {
        let token = match style {
            Style::Brace => format!("{{ {text} }}"),
            Style::Line => format!("; {text}\n"),
            Style::Escape => format!("\n%{text}\n"),
        };
        if let Some(kept) = &self.kept {
            append(&mut self.game.text, kept.start, &token);
        }
    }

    pub(super) fn keep_result(&mut self, outcome: Outcome) {
        let start = self.game.text.len();
        self.keep_text(outcome.as_str());
        if let Some(kept) = &mut self.kept {
            kept.result = Some((outcome, start..self.game.text.len()));
        }
    }

    pub(super) fn has_kept_text(&self) -> bool {
        self.kept
            .as_ref()
            .is_some_and(|kept| self.game.text.len() > kept.start as usize)
    }

    /// Ends the line: its text becomes a note.
    pub(super) fn end_keeping(&mut self) {
        let Some(kept) = self.kept.take() else { return };
        let text = self.game.text_from(kept.start);
        if !self.game.text(text).trim().is_empty() {
            let Kept {
                kind, node, place, ..
            } = kept;
            self.game.notes.push(node, Note { kind, place, text });
        }
    }

    /// Ends unreadable text. A result at its end is the game's result, unless an earlier one counts.
    pub(super) fn end_kept_text(&mut self) {
        let Some(kept) = &mut self.kept else { return };
        if let Some((outcome, span)) = kept.result.take() {
            let held = Held {
                outcome,
                node: kept.node,
                place: NotePlace::After,
                inner: false,
                before: false,
                at: 0,
            };
            if overrides(held, self.result) {
                remove_token(&mut self.game.text, kept.start, span);
                self.held = Some(held);
            }
        }
        for _ in 0..kept.depth {
            append(&mut self.game.text, kept.start, ")");
        }
    }
}

/// Adds a token to text that starts at `start`.
pub(super) fn append(text: &mut String, start: u32, token: &str) {
    let is_first = text.len() == start as usize;
    let after_line = !is_first && text.ends_with('\n');
    match token.strip_prefix('\n') {
        // No blank line between two lines.
        Some(line) if after_line => return text.push_str(line),
        // A line that starts with a bracket would be a tag.
        None if after_line && token.starts_with('[') => text.push_str(" { } "),
        _ if is_first => {}
        _ => text.push(' '),
    }
    text.push_str(token);
}

/// Removes a token without leaving a blank line.
pub(super) fn remove_token(text: &mut String, start: u32, mut span: Span) {
    let after = &text[span.end..];
    if text[..span.start].ends_with('\n') && after.starts_with(" \n") {
        span.end += 2;
    } else if span.start == start as usize && after.starts_with(' ') {
        span.end += 1;
    }
    text.replace_range(span, "");
}
