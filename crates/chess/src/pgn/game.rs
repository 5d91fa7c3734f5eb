//! A game: tags, start position, tree of moves, and the notes and glyphs of its nodes.

use super::boards::BoardCache;
use super::complaint::Complaint;
use super::outcome::Outcome;
use super::scan::Style;
use super::split::GamePlace;
use crate::{Board, Move};
use std::ops::Range;
use tree::{NodeId, SideTable, Tree};

/// One game with the whole content of its text.
///
/// Look at nodes through [`root`](Game::root) and [`Node`](super::Node); change them through
/// methods of the game with the node's [`id`](super::Node::id).
///
/// ```
/// let game = gametree_chess::pgn::read_game(b"1. e4 {best by test} e5 (1... c5) 2. Nf3 *").unwrap();
/// let root = game.root();
/// let e4 = root.next().unwrap();
/// assert_eq!(e4.san(), "e4");
/// assert_eq!(e4.comment(), "best by test");
/// assert_eq!(e4.variations().count(), 2);
/// ```
///
/// # Equality
/// Two games are equal if they have the same tags in the same order, the same start position, the
/// same tree with the same notes and glyphs at each node, and the same result. Their location in a
/// file, complaints, and the numbering of nodes do not count.
#[derive(Clone, Debug, Default)]
pub struct Game {
    /// All strings of the game, concatenated.
    pub(super) text: String,
    pub(super) tags: Vec<Tag>,
    pub(super) start: Board,
    pub(super) tree: Tree<Move>,
    pub(super) notes: SideTable<Note>,
    pub(super) nags: SideTable<u32>,
    pub(super) outcome: Outcome,
    pub(super) complaints: Vec<Complaint>,
    pub(super) place: GamePlace,
    pub(super) source_len: u64,
    pub(super) boards: BoardCache,
}

/// A tag pair; its strings are in [`Game::text`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Tag {
    pub name: Text,
    pub value: Text,
}

/// A string of a game; [`Game::text`] returns it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Text {
    start: u32,
    len: u32,
}

impl Text {
    pub(super) fn new(start: usize, len: usize) -> Text {
        Text {
            start: start as u32,
            len: len as u32,
        }
    }

    pub(super) fn range(self) -> Range<usize> {
        self.start as usize..self.start as usize + self.len as usize
    }

    /// The length of the string in bytes.
    #[inline]
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// True if the string is empty.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// Appends a string to the text of a game.
    #[inline]
    pub(super) fn at_end(all: &mut String, text: &str) -> Text {
        let start = all.len() as u32;
        all.push_str(text);
        let len = text.len() as u32;
        Text { start, len }
    }
}

/// A note at a node: a comment, or text that could not be read as moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Note {
    /// The kind of note.
    pub kind: NoteKind,
    /// Where it is written.
    pub place: NotePlace,
    /// Its text; [`Game::text`] returns the string.
    pub text: Text,
}

impl Note {
    /// True for comments in braces or after a `;`.
    pub fn is_comment(&self) -> bool {
        matches!(self.kind, NoteKind::Comment(Style::Brace | Style::Line))
    }
}

/// The kind of a note.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NoteKind {
    /// A comment, with its notation.
    Comment(Style),
    /// Words in the movetext that are not moves.
    Words,
    /// A whole variation that could not be read; an alternative to the node's move.
    Variation,
    /// The rest of the line after this node, starting with a move that could not be read.
    Rest,
}

/// Where a note is written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NotePlace {
    /// Before the move that leads to the node: at the start of a variation.
    Before,
    /// After the move; at the start position, before the first move.
    After,
    /// After the move and this many of its alternatives.
    AfterAlternatives(u16),
}

/// Construction.
impl Game {
    /// Returns a game without moves, with the tags of the seven-tag roster.
    pub fn new() -> Game {
        let mut game = Game::default();
        for name in ROSTER {
            game.push_tag(name, roster_default(name));
        }
        game
    }

    /// Returns a game without moves from this board; sets `FEN`, `SetUp` and `Variant` as needed.
    pub fn from_board(start: Board) -> Game {
        let mut game = Game::new();
        game.set_start(start);
        game
    }

    /// Removes all content, keeps the allocations, and begins at this position. Tags are not set.
    pub fn restart(&mut self, start: Board) {
        self.clear();
        self.start = start;
        self.place = GamePlace::default();
        self.source_len = 0;
    }

    /// Removes all content and keeps the allocations.
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.tags.clear();
        self.tree.clear();
        self.notes.clear();
        self.nags.clear();
        self.complaints.clear();
        self.boards.clear();
        self.outcome = Outcome::Unknown;
    }
}

/// The seven-tag roster, in the order in which it is written.
pub const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// The value of a roster tag when nothing is known.
pub fn roster_default(name: &str) -> &'static str {
    match name {
        "Date" => "????.??.??",
        "Result" => "*",
        _ => "?",
    }
}

/// Tags.
impl Game {
    /// The tags in order, including duplicates.
    pub fn tags(&self) -> impl ExactSizeIterator<Item = (&str, &str)> + Clone {
        let pair = |tag: &Tag| (self.text(tag.name), self.text(tag.value));
        self.tags.iter().map(pair)
    }

    /// The value of the first tag with this name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let text = self.text.as_bytes();
        let is_named =
            |tag: &&Tag| tag.name.len() == name.len() && text[tag.name.range()] == *name.as_bytes();
        let tag = self.tags.iter().find(is_named)?;
        Some(self.text(tag.value))
    }

    /// Sets the first tag with this name, or adds one after all others.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        let value = self.add_text(value);
        let index = self.tags().position(|(known, _)| known == name);
        match index {
            Some(index) => self.tags[index].value = value,
            None => {
                let name = self.add_text(name);
                self.tags.push(Tag { name, value });
            }
        }
    }

    /// Adds a tag after all others, even if the name exists already.
    pub fn push_tag(&mut self, name: &str, value: &str) {
        let tag = Tag {
            name: self.add_text(name),
            value: self.add_text(value),
        };
        self.tags.push(tag);
    }

    /// Removes all tags with this name. Returns true if there was one.
    pub fn remove_tag(&mut self, name: &str) -> bool {
        let Game { tags, text, .. } = self;
        let before = tags.len();
        tags.retain(|tag| text[tag.name.range()] != *name);
        tags.len() < before
    }
}

/// Start position, tree, result.
impl Game {
    /// The start position.
    pub fn start(&self) -> &Board {
        &self.start
    }

    /// Sets the start position and the tags `FEN`, `SetUp` and `Variant`. Existing moves stay, even
    /// if they are illegal now.
    pub fn set_start(&mut self, start: Board) {
        let variant = start.variant();
        let usual = start == Board::for_variant(variant);
        if variant == crate::Variant::Standard {
            self.remove_tag("Variant");
        } else {
            self.set_tag("Variant", variant.tag());
        }
        if usual {
            self.remove_tag("SetUp");
            self.remove_tag("FEN");
        } else {
            self.set_tag("SetUp", "1");
            self.set_tag("FEN", &start.fen());
        }
        self.boards.clear();
        self.start = start;
    }

    /// The tree of moves.
    pub fn tree(&self) -> &Tree<Move> {
        &self.tree
    }

    /// The tree of moves, for editing. Detached nodes keep their notes.
    pub fn tree_mut(&mut self) -> &mut Tree<Move> {
        self.boards.clear();
        &mut self.tree
    }

    /// The result after the moves.
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Sets the result, and the Result tag if the game has one.
    pub fn set_outcome(&mut self, outcome: Outcome) {
        self.outcome = outcome;
        if self.tag("Result").is_some() {
            self.set_tag("Result", outcome.as_str());
        }
    }

    /// The problems found when the game was read.
    pub fn complaints(&self) -> &[Complaint] {
        &self.complaints
    }

    /// Where the game was in its file.
    pub fn place(&self) -> GamePlace {
        self.place
    }

    /// Sets the number of the game in its file.
    pub fn set_number(&mut self, number: u64) {
        self.place.number = number;
    }

    /// The byte range of the game in its file.
    pub fn source(&self) -> Range<u64> {
        self.place.offset..self.place.offset + self.source_len
    }

    /// The board at a node.
    ///
    /// The game keeps the boards of some nodes, so calls for neighbouring nodes play one move each.
    /// A [`Cursor`](super::Cursor) avoids copying boards in walks over all nodes.
    pub fn board_at(&self, node: NodeId) -> Board {
        self.boards.board_at(&self.start, &self.tree, node)
    }
}

/// Notes and glyphs.
impl Game {
    /// A string of the game.
    pub fn text(&self, text: Text) -> &str {
        self.text.get(text.range()).unwrap_or_default()
    }

    /// Stores a string for a note.
    #[inline]
    pub fn add_text(&mut self, text: &str) -> Text {
        Text::at_end(&mut self.text, text)
    }

    /// The part of the text from `start` to its end.
    pub(super) fn text_from(&self, start: u32) -> Text {
        Text {
            start,
            len: self.text.len() as u32 - start,
        }
    }

    /// All notes of all nodes, by node.
    pub fn notes(&self) -> &SideTable<Note> {
        &self.notes
    }

    /// The notes of a node, in writing order.
    pub fn notes_at(&self, node: NodeId) -> impl DoubleEndedIterator<Item = &Note> + Clone {
        self.notes.get(node).iter().map(|(_, note)| note)
    }

    /// Replaces the notes of a node and returns the old ones.
    pub fn set_notes(&mut self, node: NodeId, notes: impl IntoIterator<Item = Note>) -> Vec<Note> {
        let mut notes: Vec<Note> = notes.into_iter().collect();
        notes.sort_by_key(|note| note.place);
        self.notes.set(node, notes)
    }

    /// Keeps only the notes for which `keep` returns true; it is called with the node, the note and
    /// its text. One pass over all notes.
    pub fn retain_notes(&mut self, mut keep: impl FnMut(NodeId, &Note, &str) -> bool) {
        let text = &self.text;
        let text_of = |note: &Note| text.get(note.text.range()).unwrap_or_default();
        self.notes
            .retain(|node, note| keep(node, note, text_of(note)));
    }

    /// Adds notes to any nodes, each after the existing notes at its place. One pass over all notes.
    pub fn add_notes(&mut self, notes: impl IntoIterator<Item = (NodeId, Note)>) {
        let old = std::mem::take(&mut self.notes);
        let mut rows = old.rows().to_vec();
        rows.extend(notes);
        rows.sort_by_key(|(node, note)| (*node, note.place));
        rows.into_iter()
            .for_each(|(node, note)| self.notes.push(node, note));
    }

    /// The comments of a node, each with its text.
    pub fn comments_at(
        &self,
        node: NodeId,
    ) -> impl DoubleEndedIterator<Item = (&Note, &str)> + Clone {
        self.notes_at(node)
            .filter(|note| note.is_comment())
            .map(|note| (note, self.text(note.text)))
    }

    /// All glyphs (NAGs) of all nodes, by node.
    pub fn nags(&self) -> &SideTable<u32> {
        &self.nags
    }

    /// The glyphs (NAGs) of a node, in file order.
    pub fn nags_at(&self, node: NodeId) -> impl ExactSizeIterator<Item = u32> + Clone {
        self.nags.get(node).iter().map(|(_, nag)| *nag)
    }

    /// Replaces the glyphs (NAGs) of a node and returns the old ones.
    pub fn set_nags(&mut self, node: NodeId, nags: impl IntoIterator<Item = u32>) -> Vec<u32> {
        self.nags.set(node, nags)
    }
}

impl Eq for Game {}

/// See "Equality" at [`Game`].
impl PartialEq for Game {
    fn eq(&self, other: &Game) -> bool {
        self.outcome == other.outcome
            && self.start == other.start
            && self.tags().eq(other.tags())
            && self.nodes_eq(other)
    }
}

impl Game {
    /// True if the nodes are equal; tags, start position and result do not count.
    pub(super) fn nodes_eq(&self, other: &Game) -> bool {
        let mut ours = self.tree.preorder();
        let mut theirs = other.tree.preorder();
        loop {
            match (ours.next(), theirs.next()) {
                (None, None) => return true,
                (Some(a), Some(b)) if self.node_eq(a, other, b) => {}
                _ => return false,
            }
        }
    }

    fn node_eq(&self, a: NodeId, other: &Game, b: NodeId) -> bool {
        self.tree.move_to(a) == other.tree.move_to(b)
            // In preorder, the numbers of children determine the tree.
            && self.tree.child_count(a) == other.tree.child_count(b)
            && self.annotations_eq(a, other, b)
    }

    /// True if both nodes have the same glyphs and notes.
    pub(super) fn annotations_eq(&self, a: NodeId, other: &Game, b: NodeId) -> bool {
        self.nags_at(a).eq(other.nags_at(b)) && self.note_contents(a).eq(other.note_contents(b))
    }

    fn note_contents(&self, node: NodeId) -> impl Iterator<Item = (NoteKind, NotePlace, &str)> {
        self.notes_at(node)
            .map(|note| (note.kind, note.place, self.text(note.text)))
    }
}

#[cfg(test)]
mod tests {
    use crate::Move;
    use crate::pgn::read_game;
    use tree::NodeId;

    #[test]
    fn games_differ_if_a_move_has_another_parent() {
        let read = || read_game(b"1. Nf3 Nf6 *").unwrap_or_default();
        let (mut below, mut beside) = (read(), read());
        let first = below.root().next().map_or(NodeId::ROOT, |node| node.id());
        below.add_variation(first, Move::NULL);
        beside.add_variation(NodeId::ROOT, Move::NULL);
        assert_ne!(below, beside);
    }
}
