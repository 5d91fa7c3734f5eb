//! Words that are not moves, and results, which may become such words.

use super::{Build, Pending};
use crate::pgn::Span;
use crate::pgn::complaint::ComplaintKind;
use crate::pgn::game::{Game, Note, NoteKind, NotePlace, Text};
use crate::pgn::outcome::Outcome;
use crate::pgn::scan::Visitor;
use tree::NodeId;

/// A result that was read. It is the game's result unless something else follows; then it becomes
/// words. At the end the last result that is not `*` is removed from the words again.
#[derive(Clone, Copy)]
pub(super) struct Held {
    pub outcome: Outcome,
    pub node: NodeId,
    pub place: NotePlace,
    /// True inside a variation.
    pub inner: bool,
    /// True before the first move of a variation.
    pub before: bool,
    /// Its offset in the source.
    pub at: usize,
}

impl Held {
    pub(super) fn is_known(&self) -> bool {
        self.outcome != Outcome::Unknown
    }
}

/// Consecutive words that are not moves.
pub(super) struct Words {
    pub node: NodeId,
    pub place: NotePlace,
    pub start: u32,
    pub before: bool,
    pub span: Span,
}

impl Build<'_> {
    pub(super) fn unknown_word(&mut self, span: Span) {
        let word = self.slice(&span);
        if let Some(words) = &mut self.words {
            self.game.text.push(' ');
            words.span.end = span.end;
        } else {
            self.flush();
            self.words = Some(Words {
                node: self.line.node,
                place: self.place(),
                start: self.game.text.len() as u32,
                before: self.is_variation_start(),
                span,
            });
        }
        self.game.text.push_str(word);
    }

    /// Ends the words: they become a note.
    pub(super) fn end_words(&mut self) {
        let Some(words) = self.words.take() else {
            return;
        };
        let text = self.game.text_from(words.start);
        let words_text = self.game.text(text);
        // A draw offer is known, and a `$` was reported already.
        if words_text != "(=)" && !words_text.starts_with('$') {
            self.report(ComplaintKind::UnknownWord, words.span);
        }
        self.push_words(words.node, words.place, words.before, text);
    }

    /// Called when something follows: ends the words, and turns a result into words. A `*` that is
    /// not the game's result is dropped.
    #[inline]
    pub(super) fn flush(&mut self) {
        if self.words.is_some() || self.held.is_some() {
            self.flush_now();
        }
    }

    pub(super) fn flush_now(&mut self) {
        self.end_words();
        let Some(held) = self.held.take() else {
            return;
        };
        if held.inner {
            self.report(
                ComplaintKind::ResultInVariation,
                held.at..held.at + held.outcome.as_str().len(),
            );
        }
        if held.is_known() {
            self.result_as_words(held);
        }
        if !held.inner && overrides(held, self.result) {
            self.result = Some(held);
        }
    }

    pub(super) fn result_as_words(&mut self, held: Held) {
        let text = self.add(held.outcome.as_str());
        self.push_words(held.node, held.place, held.before, text);
    }

    /// Removes the words that a result became.
    pub(super) fn remove_result_words(&mut self, held: Held) {
        let mut notes = self.game.notes.remove(held.node);
        let is_result = |note: &Note| {
            let text = self.game.text(note.text);
            note.kind == NoteKind::Words
                && note.place == held.place
                && text == held.outcome.as_str()
        };
        if let Some(at) = notes.iter().rposition(is_result) {
            notes.remove(at);
        }
        self.game.notes.set(held.node, notes);
    }

    /// Adds words to a node, or before the first move of the current variation.
    pub(super) fn push_words(&mut self, node: NodeId, place: NotePlace, before: bool, text: Text) {
        self.has_words = true;
        let kind = NoteKind::Words;
        if before {
            let place = NotePlace::Before;
            self.pending.push(Pending::Note(Note { kind, place, text }));
        } else {
            self.game.notes.push(node, Note { kind, place, text });
        }
    }

    /// Joins consecutive words; the notes must be sorted.
    pub(super) fn join_words(&mut self) {
        let notes = std::mem::take(&mut self.game.notes);
        let mut rows = notes.rows().iter().copied().peekable();
        while let Some((node, mut note)) = rows.next() {
            let follows = |game: &Game, (other, next): &(NodeId, Note)| {
                *other == node && joins(&game.text, &note, next)
            };
            if let Some((_, next)) = rows.next_if(|row| follows(self.game, row)) {
                let mut joined = self.game.text(note.text).to_owned();
                let mut next = Some(next);
                while let Some(words) = next {
                    joined.extend([" ", self.game.text(words.text)]);
                    next = rows
                        .next_if(|row| follows(self.game, row))
                        .map(|(_, note)| note);
                }
                note.text = self.add(&joined);
            }
            self.game.notes.push(node, note);
        }
    }
}

/// True if the new result replaces the old one: the last one that is not `*` counts.
pub(super) fn overrides(new: Held, old: Option<Held>) -> bool {
    new.is_known() || !old.is_some_and(|old| old.is_known())
}

/// The same for results of the mainline.
pub(super) fn later_result(old: Option<Outcome>, new: Outcome) -> Outcome {
    match old {
        Some(old) if new == Outcome::Unknown => old,
        _ => new,
    }
}

/// True if these notes are consecutive words; results are not joined with others.
pub(super) fn joins(text: &str, before: &Note, after: &Note) -> bool {
    let is_plain = |note: &Note| {
        let is_result = Outcome::read(text[note.text.range()].as_bytes()).is_some();
        note.kind == NoteKind::Words && !is_result
    };
    before.place == after.place && is_plain(before) && is_plain(after)
}
