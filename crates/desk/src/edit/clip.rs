//! Pieces of games: cut or copied moves, and moves to add.

use chess::pgn::{ExportOptions, Game, Note, NoteKind, Severity, export, read_game};
use chess::{Board, Variant};
use tree::NodeId;

use super::error::EditError;

/// A piece of a game as text: moves with their annotations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clip {
    text: String,
}

impl Clip {
    /// The move to this node with everything below it; at the root, all moves.
    pub fn of(game: &Game, node: NodeId) -> Clip {
        let piece = piece(game, node);
        let options = ExportOptions::default().tags(false).columns(None);
        let text = export(&piece, &options);
        let moves = text.trim_end().trim_end_matches('*').trim_end();
        Clip {
            text: moves.to_owned(),
        }
    }

    /// The moves as PGN writes them.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// A game that has only the line to a node and everything below it, with its tags.
pub fn part(game: &Game, node: NodeId) -> Game {
    let (mut part, _) = continuations(game, node);
    for (name, value) in game.tags() {
        part.push_tag(name, value);
    }
    part
}

/// The moves to a node, without their annotations, and everything below it. Returns the node in
/// the new game.
pub(crate) fn continuations(game: &Game, node: NodeId) -> (Game, NodeId) {
    let tree = game.tree();
    let mut piece = Game::from_board(game.start().clone());
    let mut top = NodeId::ROOT;
    for mv in tree.moves_to(node) {
        top = piece.add_variation(top, mv);
    }
    let mut pairs = Vec::new();
    piece
        .tree_mut()
        .graft(top, tree, node, |old, new| pairs.push((old, new)));
    pairs.retain(|&(old, _)| old != node);
    copy_annotations(game, &mut piece, &pairs);
    (piece, top)
}

fn piece(game: &Game, node: NodeId) -> Game {
    let tree = game.tree();
    let start = tree.parent(node).unwrap_or(NodeId::ROOT);
    let mut piece = Game::from_board(game.board_at(start));
    let top = match tree.move_to(node) {
        Some(&mv) => piece.add_variation(NodeId::ROOT, mv),
        None => NodeId::ROOT,
    };
    let mut pairs = Vec::new();
    piece
        .tree_mut()
        .graft(top, tree, node, |old, new| pairs.push((old, new)));
    copy_annotations(game, &mut piece, &pairs);
    piece
}

fn copy_annotations(game: &Game, piece: &mut Game, pairs: &[(NodeId, NodeId)]) {
    for &(old, new) in pairs {
        let notes = notes_from(game, old, piece);
        piece.set_notes(new, notes);
        piece.set_nags(new, game.nags_at(old));
    }
}

/// The notes of a node of one game, their texts copied into another.
pub(super) fn notes_from(from: &Game, node: NodeId, to: &mut Game) -> Vec<Note> {
    let notes = from.notes_at(node);
    let copy = |note: &Note| Note {
        text: to.add_text(from.text(note.text)),
        ..*note
    };
    notes.map(copy).collect()
}

/// Reads moves to play from this board.
pub(super) fn read(board: &Board, moves: &str) -> Result<Game, EditError> {
    let variant = match board.variant() {
        Variant::Standard => String::new(),
        variant => format!("[Variant \"{}\"]\n", variant.tag()),
    };
    let text = format!("[FEN \"{}\"]\n{variant}\n{moves} *\n", board.fen());
    let game = read_game(text.as_bytes()).ok_or(EditError::NoMoves)?;
    let mut complaints = game.complaints().iter();
    if let Some(worst) = complaints.find(|complaint| complaint.kind.severity() >= Severity::Warning)
    {
        return Err(EditError::BadMoves {
            message: worst.kind.message().to_owned(),
            excerpt: worst.excerpt.to_string(),
        });
    }
    if game.tree().is_terminal(NodeId::ROOT) && !has_comment(&game) {
        Err(EditError::NoMoves)
    } else {
        Ok(game)
    }
}

fn has_comment(game: &Game) -> bool {
    let mut notes = game.notes_at(NodeId::ROOT);
    notes.any(|note| matches!(note.kind, NoteKind::Comment(_)))
}
