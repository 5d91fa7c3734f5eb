//! A large game cut into pieces of limited size, at branches.

use std::fmt;

use chess::Move;
use chess::pgn::{ExportOptions, Game, Note, NotePlace, export_chunks};
use tree::{NodeId, PositionId, PreorderIndex, Tree};

use super::Image;
use crate::positions::move_path;
use crate::remarks::{KeptAnnotations, Remarks};

/// A line of this many moves does not fit into a smaller piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SplitError {
    /// The longest line.
    pub needed: u32,
}

impl fmt::Display for SplitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let needed = self.needed;
        write!(
            f,
            "the longest line has {needed} moves: no piece can be smaller"
        )
    }
}

impl std::error::Error for SplitError {}

/// Cuts a game into pieces of at most `limit` moves, each from the initial position. Each
/// annotation is in one piece; merging the pieces gives the game again.
pub fn split(game: &Game, limit: u32) -> Result<Vec<Game>, SplitError> {
    check_limit(game, limit)?;
    let index = PreorderIndex::of(game.tree());
    if index.node_count() as u32 - 1 <= limit {
        return Ok(vec![game.clone()]);
    }
    let pieces = cut(game.tree(), &index, limit);
    let count = pieces.len();
    let write = |(index, piece): (usize, &Piece)| piece.write(game, index + 1, count);
    Ok(pieces.iter().enumerate().map(write).collect())
}

/// Fails if a line is longer than a piece may be.
fn check_limit(game: &Game, limit: u32) -> Result<(), SplitError> {
    let index = PreorderIndex::of(game.tree());
    let plies = index.positions().map(|id| index.ply(id));
    match plies.max() {
        Some(needed) if needed > limit => Err(SplitError { needed }),
        _ => Ok(()),
    }
}

/// Each line of a game as a separate game, in order, with all annotations on the way. Merging them
/// gives the game again.
pub fn lines(game: &Game) -> impl Iterator<Item = Game> + '_ {
    let tree = game.tree();
    let ends = || tree.preorder().filter(|&node| tree.is_terminal(node));
    let count = ends().count();
    let numbered = ends().zip(1..);
    numbered.map(move |(end, number)| line(game, end, number, count))
}

fn line(game: &Game, end: NodeId, number: usize, count: usize) -> Game {
    let mut alone = Game::from_board(game.start().clone());
    let mut at = NodeId::ROOT;
    let mut forks = NodeId::ROOT;
    for node in game.tree().line(end) {
        if let Some(&mv) = game.tree().move_to(node) {
            at = alone.add_variation(at, mv);
        }
        if !game.tree().is_locally_mainline(node) {
            forks = node;
        }
        let notes = game.notes_at(node).map(|note| Note {
            text: alone.add_text(game.text(note.text)),
            // No alternative is left for the note to precede or follow.
            place: NotePlace::After,
            ..*note
        });
        let notes: Vec<Note> = notes.collect();
        alone.set_notes(at, notes);
        alone.set_nags(at, game.nags_at(node));
    }
    name_piece(&mut alone, game, number, count, forks);
    alone
}

/// Gives a piece the game's tags and result, and a name: its number and its first branch.
fn name_piece(piece: &mut Game, game: &Game, number: usize, count: usize, begins: NodeId) {
    for (name, value) in game.tags() {
        piece.set_tag(name, value);
    }
    let begins = move_path(game, begins);
    piece.set_tag("ChapterName", &format!("{number} of {count}: {begins}"));
    piece.set_outcome(game.outcome());
}

/// How games are cut when they are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    /// Not at all.
    Whole,
    /// Into pieces of at most this many moves.
    Pieces(u32),
    /// Into their lines.
    Lines,
}

/// Hands out the games cut into pieces as text, part by part, and returns their number. An error
/// comes before the first text.
pub fn pieces(games: &[Game], cut: Cut, mut each: impl FnMut(&[u8])) -> Result<u64, SplitError> {
    if let Cut::Pieces(limit) = cut {
        games.iter().try_for_each(|game| check_limit(game, limit))?;
    }
    let mut count = 0;
    let mut write = |piece: &Game| {
        if count > 0 {
            each(b"\n");
        }
        export_chunks(piece, &ExportOptions::default(), &mut each);
        count += 1;
    };
    for game in games {
        match cut {
            Cut::Whole => write(game),
            Cut::Pieces(limit) => split(game, limit)?.iter().for_each(&mut write),
            Cut::Lines => lines(game).for_each(|line| write(&line)),
        }
    }
    Ok(count)
}

/// Consecutive nodes in preorder, and the path to the first of them.
struct Piece {
    trunk: Vec<NodeId>,
    nodes: Vec<NodeId>,
    moves: u32,
}

impl Piece {
    fn at(tree: &Tree<Move>, first: NodeId) -> Piece {
        let mut trunk = tree.line(first);
        trunk.pop();
        Piece {
            moves: trunk.len() as u32 - 1,
            trunk,
            nodes: Vec::new(),
        }
    }

    fn write(&self, game: &Game, number: usize, count: usize) -> Game {
        let tree = game.tree();
        let mut piece = Game::from_board(game.start().clone());
        let mut image = Image::new(tree);
        image.set(NodeId::ROOT, NodeId::ROOT);
        for &node in self.trunk.iter().chain(&self.nodes) {
            let above = tree.parent(node).and_then(|parent| image.of(parent));
            if let (Some(above), Some(&mv)) = (above, tree.move_to(node)) {
                image.set(node, piece.add_variation(above, mv));
            }
        }
        let trunk = self.trunk[self.trunk.len() - 1];
        name_piece(&mut piece, game, number, count, trunk);
        self.annotate(game, &mut piece, &image);
        piece
    }

    fn annotate(&self, game: &Game, piece: &mut Game, image: &Image) {
        let mut own = vec![false; game.tree().capacity_used()];
        self.nodes.iter().for_each(|node| own[node.index()] = true);
        let mut remarks = Remarks::default();
        remarks.take(game, KeptAnnotations::default(), "", |node| {
            image.of(node).filter(|_| own[node.index()])
        });
        remarks.attach(piece);
    }
}

/// Fills one piece after the other in preorder. A subtree that does not fit whole is entered.
fn cut(tree: &Tree<Move>, index: &PreorderIndex, limit: u32) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut piece = Piece {
        trunk: vec![NodeId::ROOT],
        nodes: vec![NodeId::ROOT],
        moves: 0,
    };
    let mut next = 1;
    while next < index.node_count() as u32 {
        let id = PositionId(next);
        let subtree = index.subtree(id);
        let size = subtree.len() as u32;
        let whole = piece.moves + size <= limit;
        let fits_alone = index.ply(id) - 1 + size <= limit;
        if !whole && (fits_alone || piece.moves == limit) {
            let first = index.node(id);
            pieces.push(std::mem::replace(&mut piece, Piece::at(tree, first)));
        }
        let taken = if whole || fits_alone {
            subtree
        } else {
            next..next + 1
        };
        next = taken.end;
        piece.moves += taken.len() as u32;
        piece
            .nodes
            .extend(taken.map(|id| index.node(PositionId(id))));
    }
    pieces.push(piece);
    pieces
}
