//! A game: tags, the start position, the tree of moves, and what hangs on its nodes.

use super::complaint::Complaint;
use super::outcome::Outcome;
use super::scan::Style;
use super::split::GamePlace;
use crate::{Board, Move};
use std::ops::Range;
use tree::{NodeId, SideTable, Tree};

/// One game with everything that its text said.
///
/// ```
/// let game = chess::pgn::read_game(b"1. e4 {best by test} e5 (1... c5) 2. Nf3 *").unwrap();
/// let root = game.root();
/// let e4 = root.next().unwrap();
/// assert_eq!(e4.san(), "e4");
/// assert_eq!(e4.comment(), "best by test");
/// assert_eq!(e4.variations().count(), 2);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Game {
    /// All strings of the game, one after the other.
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
}

/// A tag pair; its strings are in the game's text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Tag {
    pub name: Text,
    pub value: Text,
}

/// A string in the game's text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Text {
    start: u32,
    len: u32,
}

impl Text {
    pub(super) fn range(self) -> Range<usize> {
        self.start as usize..self.start as usize + self.len as usize
    }

    pub(super) fn len(self) -> usize {
        self.len as usize
    }

    /// The first and the last part, of these lengths.
    pub(super) fn split(self, first: usize, last: usize) -> (Text, Text) {
        let (first, last) = (first as u32, last as u32);
        let start = self.start + self.len - last;
        (Text { len: first, ..self }, Text { start, len: last })
    }

    /// Appends a string to the text of a game.
    pub(super) fn at_end(all: &mut String, text: &str) -> Text {
        let start = all.len() as u32;
        all.push_str(text);
        let len = text.len() as u32;
        Text { start, len }
    }
}

/// Something written at a node: a comment, or text that could not be read as moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Note {
    /// What it is.
    pub kind: NoteKind,
    /// Where it stood.
    pub place: NotePlace,
    /// What it says; [`Game::text`] gives the string.
    pub text: Text,
}

impl Note {
    /// True for what people say, in braces or after a `;`.
    pub fn is_comment(&self) -> bool {
        matches!(self.kind, NoteKind::Comment(Style::Brace | Style::Line))
    }
}

/// What a note is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NoteKind {
    /// A comment, in the style it was written in.
    Comment(Style),
    /// Words among the moves that are no moves.
    Words,
    /// A whole variation that could not be read, an alternative to the node's move.
    Variation,
    /// The rest of the line that leads here, from a move on that could not be read.
    Rest,
}

/// Where a note stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NotePlace {
    /// Before the move that leads to the node: at the start of a variation.
    Before,
    /// After the move; at the initial position, before the first move.
    After,
    /// After the move and this many of its alternatives.
    AfterAlternatives(u16),
}

/// Making and copying games.
impl Game {
    /// A game of the initial position alone, with the tags of the seven-tag roster.
    pub fn new() -> Game {
        let mut game = Game::default();
        for name in ROSTER {
            game.push_tag(name, roster_default(name));
        }
        game
    }

    /// A game that starts from this board; `FEN`, `SetUp` and `Variant` are set as needed.
    pub fn from_board(start: Board) -> Game {
        let mut game = Game::new();
        game.set_start(start);
        game
    }

    /// Back to the empty game, keeping the memory for the next one.
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.tags.clear();
        self.tree.clear();
        self.notes.clear();
        self.nags.clear();
        self.complaints.clear();
        self.outcome = Outcome::Unknown;
    }
}

/// The seven tags that every game should have, in the order they are written.
pub const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// What stands in a roster tag when nothing is known.
pub fn roster_default(name: &str) -> &'static str {
    match name {
        "Date" => "????.??.??",
        "Result" => "*",
        _ => "?",
    }
}

/// Tags.
impl Game {
    /// The tags in order, repeated ones too.
    pub fn tags(&self) -> impl ExactSizeIterator<Item = (&str, &str)> + Clone {
        let pair = |tag: &Tag| (self.text(tag.name), self.text(tag.value));
        self.tags.iter().map(pair)
    }

    /// The value of the first tag of this name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let text = self.text.as_bytes();
        let is_named =
            |tag: &&Tag| tag.name.len() == name.len() && text[tag.name.range()] == *name.as_bytes();
        let tag = self.tags.iter().find(is_named)?;
        Some(self.text(tag.value))
    }

    /// Sets the tag of this name: the first one, or a new one after all others.
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

    /// Adds a tag after all others, even if there is one of this name.
    pub fn push_tag(&mut self, name: &str, value: &str) {
        let tag = Tag {
            name: self.add_text(name),
            value: self.add_text(value),
        };
        self.tags.push(tag);
    }

    /// Removes all tags of this name. Returns whether there was one.
    pub fn remove_tag(&mut self, name: &str) -> bool {
        let Game { tags, text, .. } = self;
        let before = tags.len();
        tags.retain(|tag| text[tag.name.range()] != *name);
        tags.len() < before
    }
}

/// The position, the tree, the result.
impl Game {
    /// The initial position.
    pub fn start(&self) -> &Board {
        &self.start
    }

    /// Sets the initial position, and `FEN`, `SetUp` and `Variant` accordingly. Moves that are
    /// there stay, whether they fit or not.
    pub fn set_start(&mut self, start: Board) {
        let variant = start.variant();
        let usual = start == Board::for_variant(variant);
        match variant == crate::Variant::Standard {
            true => drop(self.remove_tag("Variant")),
            false => self.set_tag("Variant", variant.tag()),
        }
        if usual {
            self.remove_tag("SetUp");
            self.remove_tag("FEN");
        } else {
            self.set_tag("SetUp", "1");
            self.set_tag("FEN", &start.fen());
        }
        self.start = start;
    }

    /// The tree of moves.
    pub fn tree(&self) -> &Tree<Move> {
        &self.tree
    }

    /// The tree of moves, to be edited. Nodes that are detached keep their notes.
    pub fn tree_mut(&mut self) -> &mut Tree<Move> {
        &mut self.tree
    }

    /// The result that stands after the moves.
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Sets the result, and the Result tag if there is one.
    pub fn set_outcome(&mut self, outcome: Outcome) {
        self.outcome = outcome;
        if self.tag("Result").is_some() {
            self.set_tag("Result", outcome.as_str());
        }
    }

    /// What was found wrong when the game was read.
    pub fn complaints(&self) -> &[Complaint] {
        &self.complaints
    }

    /// Where the game stood in its file.
    pub fn place(&self) -> GamePlace {
        self.place
    }

    /// The range of its bytes in its file.
    pub fn source(&self) -> Range<u64> {
        self.place.offset..self.place.offset + self.source_len
    }

    /// The board at a node, by replaying the moves that lead there. A walk over many nodes is
    /// better done with a [`Cursor`](super::Cursor).
    pub fn board_at(&self, node: NodeId) -> Board {
        let mut board = self.start.clone();
        for node in self.tree.line(node) {
            if let Some(&mv) = self.tree.move_to(node) {
                board.play(mv);
            }
        }
        board
    }
}

/// What hangs on nodes.
impl Game {
    /// A string of the game.
    pub fn text(&self, text: Text) -> &str {
        self.text.get(text.range()).unwrap_or_default()
    }

    /// Keeps a string for a note.
    pub fn add_text(&mut self, text: &str) -> Text {
        Text::at_end(&mut self.text, text)
    }

    /// What was added to the text since it had this length.
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

    /// The notes of a node in the order they are written.
    pub fn notes_at(&self, node: NodeId) -> impl DoubleEndedIterator<Item = &Note> + Clone {
        self.notes.get(node).iter().map(|(_, note)| note)
    }

    /// Gives a node other notes; the old ones are returned.
    pub fn set_notes(&mut self, node: NodeId, notes: impl IntoIterator<Item = Note>) -> Vec<Note> {
        let mut notes: Vec<Note> = notes.into_iter().collect();
        notes.sort_by_key(|note| note.place);
        self.notes.set(node, notes)
    }

    /// Drops notes of any node, each told with its text: one pass, however many go.
    pub fn retain_notes(&mut self, mut keep: impl FnMut(NodeId, &Note, &str) -> bool) {
        let text = &self.text;
        let said = |note: &Note| text.get(note.text.range()).unwrap_or_default();
        self.notes.retain(|node, note| keep(node, note, said(note)));
    }

    /// Adds notes after those that nodes have at these places: one pass, however many come.
    pub fn add_notes(&mut self, notes: impl IntoIterator<Item = (NodeId, Note)>) {
        let old = std::mem::take(&mut self.notes);
        let mut rows = old.rows().to_vec();
        rows.extend(notes);
        rows.sort_by_key(|(node, note)| (*node, note.place));
        rows.into_iter()
            .for_each(|(node, note)| self.notes.push(node, note));
    }

    /// The comments of a node, each with its note.
    pub fn comments_at(
        &self,
        node: NodeId,
    ) -> impl DoubleEndedIterator<Item = (&Note, &str)> + Clone {
        self.notes_at(node)
            .filter(|note| note.is_comment())
            .map(|note| (note, self.text(note.text)))
    }

    /// All marks of all nodes, by node.
    pub fn nags(&self) -> &SideTable<u32> {
        &self.nags
    }

    /// The marks of a node.
    pub fn nags_at(&self, node: NodeId) -> impl ExactSizeIterator<Item = u32> + Clone {
        self.nags.get(node).iter().map(|(_, nag)| *nag)
    }

    /// Gives a node other marks.
    pub fn set_nags(&mut self, node: NodeId, nags: impl IntoIterator<Item = u32>) -> Vec<u32> {
        self.nags.set(node, nags)
    }
}

/// Two games are equal when they say the same: tags, initial position, tree with its notes and
/// marks, result. Where they stood in a file, what was complained of, and how the tree lies in
/// memory do not matter.
impl PartialEq for Game {
    fn eq(&self, other: &Game) -> bool {
        self.outcome == other.outcome
            && self.start == other.start
            && self.tags().eq(other.tags())
            && self.nodes_eq(other)
    }
}

impl Game {
    fn nodes_eq(&self, other: &Game) -> bool {
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
        let note =
            |game: &'_ Game, note: &Note| (note.kind, note.place, game.text(note.text).to_owned());
        self.tree.move_to(a) == other.tree.move_to(b)
            // In preorder, the numbers of children say where everything hangs.
            && self.tree.child_count(a) == other.tree.child_count(b)
            && self.nags_at(a).eq(other.nags_at(b))
            && self
                .notes_at(a)
                .map(|n| note(self, n))
                .eq(other.notes_at(b).map(|n| note(other, n)))
    }
}

#[cfg(test)]
mod tests {
    use crate::Move;
    use crate::pgn::read_game;
    use tree::NodeId;

    #[test]
    fn games_differ_by_where_a_move_hangs() {
        let read = || read_game(b"1. Nf3 Nf6 *").unwrap_or_default();
        let (mut below, mut beside) = (read(), read());
        let first = below.root().next().map_or(NodeId::ROOT, |node| node.id());
        below.add_variation(first, Move::NULL);
        beside.add_variation(NodeId::ROOT, Move::NULL);
        assert_ne!(below, beside);
    }
}
