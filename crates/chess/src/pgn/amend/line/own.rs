//! The notes and glyphs of a node in the order of the new text.

use super::super::item::Item;
use super::Printer;
use crate::pgn::build::{Kind, Own};
use crate::pgn::game::{Game, Note, NoteKind, NotePlace};
use crate::pgn::scan::Style;
use crate::pgn::write::comment_text;
use std::ops::Range;
use tree::NodeId;

/// An item with its place around the move.
pub(super) struct Placed<'a> {
    /// 0 before the move, 1 after it, 2 after its first alternative, and so on.
    pub group: u32,
    /// The old token after which it is written, and the number of new items in between.
    order: (usize, usize),
    pub item: Item<'a>,
}

/// Where an annotation is found in the old text.
#[derive(Clone, Copy)]
enum Found<'t> {
    Same(&'t Own),
    /// It replaces this one.
    InPlaceOf(&'t Own),
    Nowhere,
}

type FoundNotes<'a> = Vec<(&'a Note, Found<'a>)>;

impl<'t> Found<'t> {
    fn own(self) -> Option<&'t Own> {
        match self {
            Found::Same(own) | Found::InPlaceOf(own) => Some(own),
            Found::Nowhere => None,
        }
    }
}

impl<'a> Printer<'a> {
    /// The notes and glyphs of a node, except the unreadable rest of its line. Neighbours in the old
    /// text stay neighbours.
    pub(super) fn annotations(&self, node: NodeId) -> Vec<Placed<'a>> {
        match self.unchanged(node) {
            Some(old) => self.old_annotations(old),
            None => self.changed_annotations(node),
        }
    }

    /// The old node, if it has the same annotations.
    fn unchanged(&self, node: NodeId) -> Option<NodeId> {
        let old = self.old_node(node)?;
        let (game, old_game) = (self.game, &self.trace.game);
        let is_primary = |game: &Game, node| game.tree().is_locally_mainline(node);
        let is_same = is_primary(game, node) == is_primary(old_game, old)
            && game.annotations_eq(node, old_game, old);
        is_same.then_some(old)
    }

    fn old_annotations(&self, old: NodeId) -> Vec<Placed<'a>> {
        let own = self.trace.own.get(old).iter().map(|(_, own)| own);
        let placed = |own: &Own| Placed {
            group: if own.before { 0 } else { own.alternatives + 1 },
            order: (own.tokens.start, 0),
            item: self.page.old(own.tokens.clone()),
        };
        own.filter(|own| !own.is_rest).map(placed).collect()
    }

    fn changed_annotations(&self, node: NodeId) -> Vec<Placed<'a>> {
        let (before, after) = self.found_notes(node);
        let word = self.tokens_of(node).and_then(|tokens| tokens.word);
        let mut placed = Vec::new();
        let mut order = (word.unwrap_or(0), 0);
        let glyphs = self.found_glyphs(node).into_iter();
        let glyphs = glyphs.map(|(nag, found)| (self.glyph(nag, found), found, None));
        let note = |(note, found)| (self.note(note, found), found, Some(note));
        let parts = before.into_iter().map(note).chain(glyphs);
        let parts: Vec<_> = parts.chain(after.into_iter().map(note)).collect();
        for (item, found, note) in parts {
            order = match found.own() {
                Some(own) => (own.tokens.start, 0),
                None => (order.0, order.1 + 1),
            };
            let group = self.group(node, note, found.own());
            placed.extend(item.map(|item| Placed { group, order, item }));
        }
        placed.sort_by_key(|placed| (placed.group, placed.order));
        placed
    }

    /// The item of the unreadable rest of a line.
    pub(super) fn rest(&self, node: NodeId) -> Vec<Item<'a>> {
        if let Some(old) = self.unchanged(node) {
            let own = self.trace.own.get(old).iter().map(|(_, own)| own);
            let rest = own.filter(|own| own.is_rest);
            return rest.map(|own| self.page.old(own.tokens.clone())).collect();
        }
        let notes = self.all_found_notes(node).into_iter();
        let rest = notes.filter(|(note, _)| note.kind == NoteKind::Rest);
        rest.filter_map(|(note, found)| self.note(note, found))
            .collect()
    }

    fn group(&self, node: NodeId, note: Option<&Note>, own: Option<&Own>) -> u32 {
        let is_primary = self.game.tree().is_locally_mainline(node);
        match (note.map(|note| note.place), own) {
            (Some(NotePlace::Before), _) => 0,
            (Some(NotePlace::AfterAlternatives(count)), _) if is_primary => 1 + u32::from(count),
            (Some(NotePlace::After), _) if is_primary => 1,
            (None, Some(own)) if own.before => 0,
            (_, Some(own)) => own.alternatives.saturating_add(1),
            (_, None) => 1,
        }
    }

    /// The notes before and after the move.
    fn found_notes(&self, node: NodeId) -> (FoundNotes<'a>, FoundNotes<'a>) {
        let notes = self.all_found_notes(node).into_iter();
        let written = notes.filter(|(note, _)| note.kind != NoteKind::Rest);
        written.partition(|(note, _)| note.place == NotePlace::Before)
    }

    fn all_found_notes(&self, node: NodeId) -> FoundNotes<'a> {
        let (game, old_game) = (self.game, &self.trace.game);
        let new: Vec<&Note> = game.notes_at(node).collect();
        let old = self.old_notes(node);
        let is_same = |(note, _): &(&Note, &Own), other: &&Note| {
            note.kind == other.kind && old_game.text(note.text) == game.text(other.text)
        };
        let replaces = |(note, _): &(&Note, &Own), other: &&Note| {
            let is_before = |note: &Note| note.place == NotePlace::Before;
            note.is_comment() && other.is_comment() && is_before(note) == is_before(other)
        };
        let found = align(&old, &new, is_same, replaces);
        let with_own = |(note, found): (&'a Note, Aligned)| {
            let found = match found {
                Aligned::Same(index) => Found::Same(old[index].1),
                Aligned::InPlaceOf(index) => Found::InPlaceOf(old[index].1),
                Aligned::Nowhere => Found::Nowhere,
            };
            (note, found)
        };
        new.into_iter().zip(found).map(with_own).collect()
    }

    /// The old notes of a node with their tokens. None if they cannot be told apart.
    fn old_notes(&self, node: NodeId) -> Vec<(&'a Note, &'a Own)> {
        let Some(old) = self.old_node(node) else {
            return Vec::new();
        };
        let notes: Vec<&Note> = self.trace.game.notes_at(old).collect();
        let own = self.trace.own.get(old).iter().map(|(_, own)| own);
        let own: Vec<&Own> = own.filter(|own| own.nag.is_none()).collect();
        if notes.len() == own.len() {
            notes.into_iter().zip(own).collect()
        } else {
            Vec::new()
        }
    }

    fn found_glyphs(&self, node: NodeId) -> Vec<(u32, Found<'a>)> {
        let new: Vec<u32> = self.game.nags_at(node).collect();
        let own = self.old_node(node).map(|old| self.trace.own.get(old));
        let own = own.unwrap_or_default().iter().map(|(_, own)| own);
        let old: Vec<&Own> = own.filter(|own| own.nag.is_some()).collect();
        let is_same = |own: &&Own, nag: &u32| own.nag == Some(*nag);
        let found = align(&old, &new, is_same, |_, _| true);
        let with_own = |(nag, found)| {
            let found = match found {
                Aligned::Same(index) => Found::Same(old[index]),
                Aligned::InPlaceOf(index) => Found::InPlaceOf(old[index]),
                Aligned::Nowhere => Found::Nowhere,
            };
            (nag, found)
        };
        new.into_iter().zip(found).map(with_own).collect()
    }

    fn glyph(&self, nag: u32, found: Found<'a>) -> Option<Item<'a>> {
        let new = || {
            let (glyph, kind) = self.page.style.glyph(nag);
            Item::new(glyph, kind)
        };
        Some(match found {
            Found::Same(own) => self.page.old(own.tokens.clone()),
            Found::InPlaceOf(own) => {
                let (item, old) = (new(), self.page.old(own.tokens.clone()));
                // `e4!` has no blank before the glyph, `e4 $1` has one.
                if item.first_kind == old.first_kind {
                    item.in_place_of(own.tokens.clone())
                } else {
                    item
                }
            }
            Found::Nowhere => new(),
        })
    }

    fn note(&self, note: &'a Note, found: Found<'a>) -> Option<Item<'a>> {
        match found {
            Found::Same(own) => Some(self.page.old(own.tokens.clone())),
            Found::InPlaceOf(own) => {
                let old = self.page.old(own.tokens.clone());
                let item = self.new_note(note, Some(&old.text))?;
                Some(item.in_place_of(own.tokens.clone()))
            }
            Found::Nowhere => self.new_note(note, None),
        }
    }

    fn new_note(&self, note: &Note, like: Option<&str>) -> Option<Item<'a>> {
        let text = self.game.text(note.text);
        let style = &self.page.style;
        match note.kind {
            NoteKind::Comment(Style::Escape) => {
                let text = text.replace(['\n', '\r'], " ");
                Some(Item::new(format!("%{text}"), Kind::Comment(Style::Escape)))
            }
            NoteKind::Comment(_) if text.is_empty() => None,
            NoteKind::Comment(Style::Line) if !text.contains(['\n', '\r']) => {
                Some(Item::new(format!("; {text}"), Kind::Comment(Style::Line)))
            }
            NoteKind::Comment(_) => {
                let comment = style.comment(&comment_text(text), like);
                Some(Item::new(comment, Kind::Comment(Style::Brace)))
            }
            NoteKind::Words | NoteKind::Rest => Some(Item::new(text.to_owned(), Kind::Text)),
            NoteKind::Variation => Some(self.text_variation(text)),
        }
    }

    /// A variation that is kept as text.
    pub(super) fn text_variation(&self, text: &str) -> Item<'a> {
        let style = &self.page.style;
        let inner = style.gap(Kind::Open, Kind::Text);
        let text = format!("({inner}{text}{})", style.gap(Kind::Text, Kind::Close));
        Item {
            first_kind: Kind::Open,
            ..Item::new(text, Kind::Close)
        }
    }
}

/// Where an element of the new list is in the old one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Aligned {
    Same(usize),
    InPlaceOf(usize),
    Nowhere,
}

/// Finds the elements of a new list in an old one, in order. Between two that are found, the others
/// replace one another one by one.
fn align<A, B>(
    old: &[A],
    new: &[B],
    is_same: impl Fn(&A, &B) -> bool,
    replaces: impl Fn(&A, &B) -> bool,
) -> Vec<Aligned> {
    let mut found = vec![Aligned::Nowhere; new.len()];
    let mut next = 0;
    let mut run = 0;
    for (index, element) in new.iter().enumerate() {
        let Some(len) = old[next..].iter().position(|old| is_same(old, element)) else {
            continue;
        };
        replace(
            &mut found,
            run..index,
            next..next + len,
            old,
            new,
            &replaces,
        );
        found[index] = Aligned::Same(next + len);
        next += len + 1;
        run = index + 1;
    }
    replace(
        &mut found,
        run..new.len(),
        next..old.len(),
        old,
        new,
        &replaces,
    );
    found
}

fn replace<A, B>(
    found: &mut [Aligned],
    run: Range<usize>,
    gone: Range<usize>,
    old: &[A],
    new: &[B],
    replaces: impl Fn(&A, &B) -> bool,
) {
    for (index, gone) in run.zip(gone) {
        if replaces(&old[gone], &new[index]) {
            found[index] = Aligned::InPlaceOf(gone);
        }
    }
}

/// True if the line after a node is unreadable.
pub(super) fn has_rest(game: &Game, node: NodeId) -> bool {
    game.notes_at(node).any(|note| note.kind == NoteKind::Rest)
}
