//! The end of a game: closes open lines, chooses the result, sorts the tables.

use super::Build;
use super::moves::push_nag;
use super::words::{Held, overrides};
use crate::pgn::complaint::ComplaintKind;
use crate::pgn::game::{Note, NoteKind, NotePlace};
use crate::pgn::outcome::Outcome;
use crate::pgn::scan::Visitor;
use tree::NodeId;

impl Build<'_> {
    pub(super) fn finish(mut self) {
        self.end_words();
        self.end_kept_text();
        self.close_all();
        if self.early_variation {
            self.reorder_first_moves();
        }
        let mut held = self.final_result();
        if self.early_variation && self.line.moves == 0 {
            held = self.result_of_early_line(held);
        }
        let tag = self.game.tag("Result");
        let tag = tag.map(|tag| Outcome::read(tag.trim().as_bytes()));
        let end = self.source.trim_end().len();
        if held.is_none() {
            self.report(ComplaintKind::MissingResult, end..end);
        }
        match (tag, held) {
            (Some(None), _) => self.report_tag(ComplaintKind::BadResultTag, "Result"),
            (Some(Some(tag)), Some(held)) if contradict(tag, held) => {
                self.report(ComplaintKind::ResultContradiction, end..end);
            }
            _ => {}
        }
        self.game.outcome = held.or(tag.flatten()).unwrap_or_default();
        self.game.notes.sort();
        if self.has_words {
            self.join_words();
        }
        self.sort_nags();
    }

    pub(super) fn close_all(&mut self) {
        if let Some(frame) = self.frames.last() {
            let open = frame.open as usize;
            self.report(ComplaintKind::UnclosedVariation, open..open + 1);
        }
        let mut kept = self.kept.is_some();
        self.end_keeping();
        let end = self.source.len();
        while !self.frames.is_empty() {
            self.end_variation(end, kept);
            kept = true;
        }
    }

    pub(super) fn final_result(&mut self) -> Option<Outcome> {
        match (self.result, self.held.take()) {
            // An earlier one stays among the words.
            (old, Some(held)) if overrides(held, old) => Some(held.outcome),
            (Some(result), _) => {
                self.remove_result_words(result);
                Some(result.outcome)
            }
            (None, held) => held.map(|held| held.outcome),
        }
    }

    /// A variation became the mainline: its results count.
    pub(super) fn result_of_early_line(&mut self, held: Option<Outcome>) -> Option<Outcome> {
        if held.is_some_and(|outcome| outcome != Outcome::Unknown) {
            return held;
        }
        self.game.notes.sort();
        let game = &*self.game;
        let line = game.tree.mainline();
        let words = line.flat_map(|node| game.notes_at(node).map(move |note| (node, note)));
        let results = words.filter(|(_, note)| note.kind == NoteKind::Words);
        let known = results.filter_map(|(node, note)| {
            let outcome = Outcome::read(game.text(note.text).as_bytes())?;
            let place = note.place;
            let held = Held {
                outcome,
                node,
                place,
                inner: false,
                before: false,
                at: 0,
            };
            (outcome != Outcome::Unknown).then_some(held)
        });
        let Some(last) = known.last() else {
            return held;
        };
        self.remove_result_words(last);
        Some(last.outcome)
    }

    /// The primary first move is known only now. Places its notes as if it had been read first.
    pub(super) fn reorder_first_moves(&mut self) {
        let children: Vec<NodeId> = self.game.tree.children(NodeId::ROOT).collect();
        let Some((&primary, alternatives)) = children.split_first() else {
            return;
        };
        let notes = self.game.notes.remove(primary).into_iter();
        let (before, mut after): (Vec<Note>, Vec<Note>) = notes.partition(is_before);
        after.sort_by_key(|note| note.kind == NoteKind::Rest);
        self.game.notes.set(primary, after);
        for note in before {
            let place = NotePlace::After;
            match note.kind {
                NoteKind::Words => self.push_words(NodeId::ROOT, place, false, note.text),
                _ => self.game.notes.push(NodeId::ROOT, Note { place, ..note }),
            }
        }
        for &alternative in alternatives {
            for note in self.game.notes.get_mut(alternative) {
                note.place = note.place.min(NotePlace::After);
            }
        }
    }

    /// Joins the glyphs after a variation with those before it, without duplicates.
    pub(super) fn sort_nags(&mut self) {
        let in_order = self.game.nags.rows().is_sorted_by_key(|(node, _)| *node);
        if !in_order {
            self.game.nags.sort();
            let nags = std::mem::take(&mut self.game.nags);
            for &(node, nag) in nags.rows() {
                push_nag(self.game, node, nag);
            }
        }
    }
}

pub(super) fn is_before(note: &Note) -> bool {
    note.place == NotePlace::Before
}

pub(super) fn contradict(tag: Outcome, held: Outcome) -> bool {
    tag != held && tag != Outcome::Unknown && held != Outcome::Unknown
}
