//! Nodes of a game, a cursor that keeps the board, and methods that change nodes.

use super::game::{Game, Note, NoteKind, NotePlace};
use super::scan::Style;
use crate::annotation::{self, Eval, Shape};
use crate::{Board, Color, Move, SanError};
use std::borrow::Cow;
use std::fmt;
use std::time::Duration;
use tree::NodeId;

impl Game {
    /// The root node: the start position.
    pub fn root(&self) -> Node<'_> {
        self.node(NodeId::ROOT)
    }

    /// The node with this handle. Methods of the node panic if the game does not have it; test a
    /// handle from elsewhere with `game.tree().contains(id)`.
    pub fn node(&self, id: NodeId) -> Node<'_> {
        Node { game: self, id }
    }

    /// The last node of the mainline.
    pub fn end(&self) -> Node<'_> {
        self.root().end()
    }

    /// The nodes of the mainline after the root.
    pub fn mainline(&self) -> impl Iterator<Item = Node<'_>> {
        self.root().mainline()
    }

    /// The moves of the mainline.
    pub fn mainline_moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.tree.mainline_moves().copied()
    }

    /// Returns a cursor at the root.
    pub fn cursor(&self) -> Cursor<'_> {
        Cursor {
            game: self,
            path: Vec::new(),
            board: self.start.clone(),
            id: NodeId::ROOT,
        }
    }
}

/// A node of a game: a position together with the path that leads to it.
///
/// [`board`](Node::board), [`san`](Node::san) and [`fen`](Node::fen) use boards that the game keeps
/// for some nodes, so a walk along a line plays one move per node:
///
/// ```
/// let game = gametree_chess::pgn::read_game(b"1. e4 e5 2. Nf3 *").unwrap();
/// let sans: Vec<String> = game.mainline().map(|node| node.san()).collect();
/// assert_eq!(sans, ["e4", "e5", "Nf3"]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    game: &'a Game,
    id: NodeId,
}

/// Navigation.
impl<'a> Node<'a> {
    /// The handle of the node.
    pub fn id(&self) -> NodeId {
        self.id
    }

    /// The game.
    pub fn game(&self) -> &'a Game {
        self.game
    }

    /// The parent; `None` at the root.
    pub fn parent(&self) -> Option<Node<'a>> {
        self.game.tree.parent(self.id).map(|id| self.game.node(id))
    }

    /// The root of the game.
    pub fn root(&self) -> Node<'a> {
        self.game.root()
    }

    /// The primary continuation.
    pub fn next(&self) -> Option<Node<'a>> {
        self.game.tree.next(self.id).map(|id| self.game.node(id))
    }

    /// The children, the primary one first.
    pub fn variations(&self) -> impl Iterator<Item = Node<'a>> + use<'a> {
        let game = self.game;
        game.tree.children(self.id).map(|id| game.node(id))
    }

    /// The child with this move.
    pub fn variation(&self, mv: Move) -> Option<Node<'a>> {
        let id = self.game.tree.child_by(self.id, |known| *known == mv)?;
        Some(self.game.node(id))
    }

    /// The last node of the local mainline.
    pub fn end(&self) -> Node<'a> {
        self.game.node(self.game.tree.end(self.id))
    }

    /// True if the node has no children.
    pub fn is_end(&self) -> bool {
        self.game.tree.is_terminal(self.id)
    }

    /// True if only primary moves lead to the node.
    pub fn is_mainline(&self) -> bool {
        self.game.tree.is_mainline(self.id)
    }

    /// True if the node is its parent's primary child; true for the root.
    pub fn is_main_variation(&self) -> bool {
        self.game.tree.is_locally_mainline(self.id)
    }

    /// True if the node is a child of its parent but not the primary one.
    pub fn starts_variation(&self) -> bool {
        !self.is_main_variation()
    }

    /// The nodes after this one on the local mainline.
    pub fn mainline(&self) -> impl Iterator<Item = Node<'a>> + use<'a> {
        std::iter::successors(self.next(), Node::next)
    }

    /// The moves after this node on the local mainline.
    pub fn mainline_moves(&self) -> impl Iterator<Item = Move> + use<'a> {
        self.mainline().filter_map(|node| node.mv())
    }
}

/// The move and the position.
impl Node<'_> {
    /// The move that leads to the node; `None` at the root.
    pub fn mv(&self) -> Option<Move> {
        self.game.tree.move_to(self.id).copied()
    }

    /// The position.
    pub fn board(&self) -> Board {
        self.game.board_at(self.id)
    }

    /// The position as FEN.
    pub fn fen(&self) -> String {
        self.board().fen()
    }

    /// The move that leads to the node in SAN; empty at the root.
    pub fn san(&self) -> String {
        match (self.parent(), self.mv()) {
            (Some(parent), Some(mv)) => parent.board().san(mv).to_string(),
            _ => String::new(),
        }
    }

    /// The move that leads to the node in UCI notation; empty at the root.
    pub fn uci(&self) -> String {
        let mv = self.mv().map(|mv| self.game.start.uci(mv));
        mv.unwrap_or_default().to_string()
    }

    /// The half-move number, counted from the numbers in the FEN. O(depth).
    pub fn ply(&self) -> u32 {
        self.game.start.ply() + self.game.tree.ply(self.id)
    }

    /// The side to move. O(depth).
    pub fn turn(&self) -> Color {
        let start = self.game.start.turn();
        match self.game.tree.ply(self.id) % 2 {
            0 => start,
            _ => !start,
        }
    }
}

/// Annotations.
impl<'a> Node<'a> {
    /// The comments after the move, joined by spaces.
    pub fn comment(&self) -> Cow<'a, str> {
        self.joined(|place| place != NotePlace::Before)
    }

    /// The comments before the move, at the start of its variation.
    pub fn starting_comment(&self) -> Cow<'a, str> {
        self.joined(|place| place == NotePlace::Before)
    }

    fn joined(&self, wanted: impl Fn(NotePlace) -> bool) -> Cow<'a, str> {
        let comments = self.game.comments_at(self.id);
        let mut texts = comments
            .filter(|(note, _)| wanted(note.place))
            .map(|(_, text)| text);
        match (texts.next(), texts.next()) {
            (None, _) => Cow::Borrowed(""),
            (Some(one), None) => Cow::Borrowed(one),
            (Some(one), Some(two)) => {
                let mut joined = format!("{one} {two}");
                texts.for_each(|text| joined.extend([" ", text]));
                Cow::Owned(joined)
            }
        }
    }

    /// The comment without commands such as `[%clk]`.
    pub fn prose(&self) -> String {
        annotation::without_commands(&self.comment())
            .trim()
            .to_owned()
    }

    /// The glyphs (NAGs) of the move, in file order.
    pub fn nags(&self) -> impl ExactSizeIterator<Item = u32> + use<'a> {
        self.game.nags_at(self.id)
    }

    /// The time on the clock after the move.
    pub fn clock(&self) -> Option<Duration> {
        annotation::clock(&self.comment())
    }

    /// The time spent on the move.
    pub fn elapsed(&self) -> Option<Duration> {
        annotation::elapsed(&self.comment())
    }

    /// The evaluation of the position.
    pub fn eval(&self) -> Option<Eval> {
        annotation::eval(&self.comment())
    }

    /// The arrows and marked squares.
    pub fn shapes(&self) -> Vec<Shape> {
        annotation::shapes(&self.comment())
    }

    /// The arrows.
    pub fn arrows(&self) -> Vec<Shape> {
        let mut shapes = self.shapes();
        shapes.retain(|shape| !shape.is_square());
        shapes
    }
}

/// A position in a game that keeps the board of every node on its path, so that a step in any
/// direction is O(1). Memory: one board per ply.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    game: &'a Game,
    id: NodeId,
    board: Board,
    /// The ancestors with their boards.
    path: Vec<(NodeId, Board)>,
}

impl<'a> Cursor<'a> {
    /// The current node.
    pub fn node(&self) -> Node<'a> {
        self.game.node(self.id)
    }

    /// The handle of the current node.
    pub fn id(&self) -> NodeId {
        self.id
    }

    /// The position.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The position before the last move.
    pub fn board_before(&self) -> Option<&Board> {
        self.path.last().map(|(_, board)| board)
    }

    /// The last move in SAN; empty at the root.
    pub fn san(&self) -> crate::MoveText {
        match (self.board_before(), self.node().mv()) {
            (Some(board), Some(mv)) => board.san(mv),
            _ => crate::MoveText::new(),
        }
    }

    /// Goes to the primary child. Returns false if there is none.
    pub fn step(&mut self) -> bool {
        self.game
            .tree
            .next(self.id)
            .is_some_and(|child| self.enter(child))
    }

    /// Goes to a child. Returns false and stays if it is not a child of the current node.
    pub fn enter(&mut self, child: NodeId) -> bool {
        if self.game.tree.parent(child) != Some(self.id) {
            return false;
        }
        let Some(&mv) = self.game.tree.move_to(child) else {
            return false;
        };
        self.path.push((self.id, self.board.clone()));
        self.board.play(mv);
        self.id = child;
        true
    }

    /// Goes to the parent. Returns false at the root.
    pub fn back(&mut self) -> bool {
        match self.path.pop() {
            Some((id, board)) => {
                (self.id, self.board) = (id, board);
                true
            }
            None => false,
        }
    }

    /// Goes to any node of the game, through the last common ancestor.
    pub fn go(&mut self, to: NodeId) {
        let line = self.game.tree.line(to);
        let mut above: Vec<NodeId> = self.path.iter().map(|(id, _)| *id).collect();
        above.push(self.id);
        let shared = above.iter().zip(&line).take_while(|(a, b)| a == b).count();
        for _ in shared..above.len() {
            self.back();
        }
        for &node in &line[shared.min(line.len())..] {
            self.enter(node);
        }
    }

    /// Goes to the next node in preorder: the primary child, or the next sibling of the nearest
    /// ancestor that has one. Returns false and stays after the last node.
    pub fn walk(&mut self) -> bool {
        if self.step() {
            return true;
        }
        let mut node = self.id;
        let mut up = 0;
        loop {
            if let Some(next) = self.game.tree.next_sibling(node) {
                for _ in 0..=up {
                    self.back();
                }
                return self.enter(next);
            }
            match self.game.tree.parent(node) {
                Some(parent) => node = parent,
                None => return false,
            }
            up += 1;
        }
    }
}

/// The error of [`Game::add_san`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AddSanError {
    /// The text that was to be added.
    pub san: String,
    /// The position at the node.
    pub fen: String,
    /// Why it is not a move there.
    pub reason: SanError,
}

impl fmt::Display for AddSanError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let AddSanError { san, fen, reason } = self;
        write!(f, "{reason}: {san} in {fen}")
    }
}

impl std::error::Error for AddSanError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.reason)
    }
}

/// Changing the tree. All handles stay valid; those of removed nodes are detached.
impl Game {
    /// Adds the move that a text names at a node, and returns its node. A move that exists already
    /// is followed, not duplicated.
    ///
    /// ```
    /// use gametree_chess::pgn::Game;
    ///
    /// let mut game = Game::new();
    /// let e4 = game.add_san(game.root().id(), "e4")?;
    /// game.add_san(e4, "c5")?;
    /// let error = game.add_san(e4, "Ke3").unwrap_err();
    /// assert!(error.to_string().starts_with("illegal move: Ke3 in rnbqkbnr/"));
    /// # Ok::<(), gametree_chess::pgn::AddSanError>(())
    /// ```
    pub fn add_san(&mut self, node: NodeId, san: impl AsRef<[u8]>) -> Result<NodeId, AddSanError> {
        let (san, board) = (san.as_ref(), self.board_at(node));
        let mv = board.parse_san(san).map_err(|reason| AddSanError {
            san: String::from_utf8_lossy(san).into_owned(),
            fen: board.fen(),
            reason,
        })?;
        Ok(self.add_line(node, [mv]))
    }

    /// Adds a child after all others and returns it. The move is not checked.
    pub fn add_variation(&mut self, node: NodeId, mv: Move) -> NodeId {
        self.tree.add_child(node, mv)
    }

    /// Adds a child before all others and returns it. The move is not checked.
    pub fn add_main_variation(&mut self, node: NodeId, mv: Move) -> NodeId {
        self.tree.add_primary(node, mv)
    }

    /// Adds a line and returns its last node. Moves that exist already are followed.
    pub fn add_line(&mut self, node: NodeId, moves: impl IntoIterator<Item = Move>) -> NodeId {
        self.tree.add_line(node, moves).end
    }

    /// Removes a node with its subtree.
    pub fn remove_variation(&mut self, node: NodeId) {
        self.boards.clear();
        self.tree.detach(node);
    }

    /// Moves a node one position up among its siblings.
    pub fn promote(&mut self, node: NodeId) {
        self.tree.promote(node);
    }

    /// Moves a node one position down among its siblings.
    pub fn demote(&mut self, node: NodeId) {
        self.tree.demote(node);
    }

    /// Makes a node the primary child of its parent.
    pub fn promote_to_main(&mut self, node: NodeId) {
        self.tree.make_first(node);
    }
}

/// Changing annotations.
impl Game {
    /// Replaces all comments after the move; an empty text removes them. Other notes (unreadable
    /// text, `%` lines) stay.
    pub fn set_comment(&mut self, node: NodeId, text: &str) {
        self.replace_comments(node, NotePlace::After, text);
    }

    /// Replaces all comments before the move, at the start of its variation.
    pub fn set_starting_comment(&mut self, node: NodeId, text: &str) {
        self.replace_comments(node, NotePlace::Before, text);
    }

    /// Sets or removes the time on the clock after the move.
    pub fn set_clock(&mut self, node: NodeId, clock: Option<Duration>) {
        self.edit_comment(node, &["clk"], |text| annotation::set_clock(text, clock));
    }

    /// Sets or removes the time spent on the move.
    pub fn set_elapsed(&mut self, node: NodeId, elapsed: Option<Duration>) {
        self.edit_comment(node, &["emt"], |text| {
            annotation::set_elapsed(text, elapsed)
        });
    }

    /// Sets or removes the evaluation of the position.
    pub fn set_eval(&mut self, node: NodeId, eval: Option<Eval>) {
        self.edit_comment(node, &["eval"], |text| annotation::set_eval(text, eval));
    }

    /// Sets the arrows and marked squares.
    pub fn set_shapes(&mut self, node: NodeId, shapes: &[Shape]) {
        self.edit_comment(node, &["csl", "cal"], |text| {
            annotation::set_shapes(text, shapes)
        });
    }

    fn replace_comments(&mut self, node: NodeId, place: NotePlace, text: &str) {
        let is_before = |note: &Note| note.place == NotePlace::Before;
        let replaced =
            |note: &Note| note.is_comment() && is_before(note) == (place == NotePlace::Before);
        let mut notes: Vec<Note> = self.notes_at(node).copied().collect();
        let at = notes.iter().position(replaced).unwrap_or(notes.len());
        notes.retain(|note| !replaced(note));
        if !text.is_empty() {
            notes.insert(at, self.new_comment(place, text));
        }
        self.set_notes(node, notes);
    }

    /// Changes the comment after the move that has one of these commands, otherwise the first one,
    /// otherwise a new one. A comment that becomes empty is removed.
    fn edit_comment(&mut self, node: NodeId, commands: &[&str], edit: impl FnOnce(&str) -> String) {
        let has_command = |text: &str| {
            let mut known = annotation::commands(text);
            known.any(|command| {
                commands
                    .iter()
                    .any(|name| command.name.eq_ignore_ascii_case(name))
            })
        };
        let mut notes: Vec<Note> = self.notes_at(node).copied().collect();
        let after = |note: &Note| note.is_comment() && note.place != NotePlace::Before;
        let at = notes
            .iter()
            .position(|note| after(note) && has_command(self.text(note.text)))
            .or_else(|| notes.iter().position(after));
        let text = edit(at.map_or("", |at| self.text(notes[at].text)));
        match at {
            Some(at) if text.is_empty() => drop(notes.remove(at)),
            Some(at) => notes[at].text = self.add_text(&text),
            None if text.is_empty() => {}
            None => notes.insert(0, self.new_comment(NotePlace::After, &text)),
        }
        self.set_notes(node, notes);
    }

    fn new_comment(&mut self, place: NotePlace, text: &str) -> Note {
        Note {
            kind: NoteKind::Comment(Style::Brace),
            place,
            text: self.add_text(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::read_game;

    fn movetext(game: &Game) -> String {
        let text = game.to_string();
        text.split_once("\n\n")
            .map_or("", |(_, moves)| moves)
            .trim()
            .to_owned()
    }

    #[test]
    fn what_is_set_is_written() {
        let mut game = read_game(b"1. e4 {a} hello {b [%clk 0:01:00]} ({c} 1. d4) *").unwrap();
        let e4 = game.root().next().unwrap().id();
        let d4 = game.root().variations().nth(1).unwrap().id();
        game.set_clock(e4, Some(Duration::from_secs(61)));
        assert_eq!(
            movetext(&game),
            "1. e4 { a } hello { b [%clk 0:01:01] } ( { c } 1. d4 ) *"
        );
        game.set_comment(e4, "x");
        game.set_starting_comment(d4, "");
        let eval = annotation::eval("[%eval 0.5,20]");
        game.set_eval(d4, eval);
        assert_eq!(
            movetext(&game),
            "1. e4 { x } hello ( 1. d4 { [%eval 0.50,20] } ) *"
        );
        assert_eq!(game.node(d4).eval(), eval);
        game.set_eval(d4, None);
        game.set_shapes(e4, &annotation::shapes("[%cal Ge2e4]"));
        assert_eq!(
            movetext(&game),
            "1. e4 { [%cal Ge2e4] x } hello ( 1. d4 ) *"
        );
        assert_eq!(game.node(e4).arrows().len(), 1);
    }

    #[test]
    fn a_cursor_goes_anywhere_and_walks_in_preorder() {
        let game =
            read_game(b"1. e4 e5 (1... c5 2. Nf3 d6 (2... e6) 3. d4) 2. Nc3 (2. f4) *").unwrap();
        let mut cursor = game.cursor();
        let mut walked = vec![cursor.id()];
        while cursor.walk() {
            assert_eq!(*cursor.board(), cursor.node().board());
            assert_eq!(cursor.san().as_str(), cursor.node().san());
            walked.push(cursor.id());
        }
        assert_eq!(walked, game.tree().preorder().collect::<Vec<_>>());
        for &from in &walked {
            for &to in &walked {
                cursor.go(from);
                cursor.go(to);
                assert_eq!((cursor.id(), cursor.board()), (to, &game.board_at(to)));
            }
        }
    }
}
