//! Words that are no moves, and results, which may turn out to be such words.

use super::{Build, Pending};
use crate::pgn::Span;
use crate::pgn::complaint::Kind;
use crate::pgn::game::{Game, Note, NoteKind, NotePlace, Text};
use crate::pgn::outcome::Outcome;
use crate::pgn::scan::Visitor;
use tree::NodeId;

/// A result that was read. Until something else follows it is the game's; then it becomes words
/// of its own, from which the last one that is not `*` is taken back in the end.
#[derive(Clone, Copy)]
pub(super) struct Held {
    pub outcome: Outcome,
    pub node: NodeId,
    pub place: NotePlace,
    /// It stands in a variation …
    pub inner: bool,
    /// … before its first move.
    pub before: bool,
    /// Where it stands in the source.
    pub at: usize,
}

impl Held {
    pub(super) fn is_known(&self) -> bool {
        self.outcome != Outcome::Unknown
    }
}

/// Words that are no moves, being gathered.
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
            self.settle();
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

    /// The words are over: they become a note.
    pub(super) fn end_words(&mut self) {
        let Some(words) = self.words.take() else {
            return;
        };
        let text = self.game.text_from(words.start);
        let words_text = self.game.text(text);
        // A draw offer is known, and of a `$` was complained already.
        if words_text != "(=)" && !words_text.starts_with('$') {
            self.complain(Kind::UnknownWord, words.span);
        }
        self.push_words(words.node, words.place, words.before, text);
    }

    /// Something follows: words are over, and a result was not the last thing. A `*` that is not
    /// the game's result says nothing.
    #[inline]
    pub(super) fn settle(&mut self) {
        if self.words.is_some() || self.held.is_some() {
            self.settle_now();
        }
    }

    pub(super) fn settle_now(&mut self) {
        self.end_words();
        let Some(held) = self.held.take() else {
            return;
        };
        if held.inner {
            self.complain(
                Kind::ResultInVariation,
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

    /// Takes back the words that a result had become.
    pub(super) fn take_back(&mut self, held: Held) {
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

    /// Words stand at a node, or before the first move of the current variation.
    pub(super) fn push_words(&mut self, node: NodeId, place: NotePlace, before: bool, text: Text) {
        self.has_words = true;
        let kind = NoteKind::Words;
        match before {
            true => {
                let place = NotePlace::Before;
                self.pending.push(Pending::Note(Note { kind, place, text }));
            }
            false => self.game.notes.push(node, Note { kind, place, text }),
        }
    }

    /// Joins words that follow each other, now that the notes are in order.
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

/// True if the new result counts, not the old one: the last one does that is not `*`.
pub(super) fn overrides(new: Held, old: Option<Held>) -> bool {
    new.is_known() || !old.is_some_and(|old| old.is_known())
}

/// True if these notes are words in a row; results stay apart from others.
pub(super) fn joins(text: &str, before: &Note, after: &Note) -> bool {
    let is_plain = |note: &Note| {
        let is_result = Outcome::read(text[note.text.range()].as_bytes()).is_some();
        note.kind == NoteKind::Words && !is_result
    };
    before.place == after.place && is_plain(before) && is_plain(after)
}
