//! A large game in pieces that other programs can take, cut where lines branch.

use std::fmt;

use chess::Move;
use chess::pgn::{ExportOptions, Game, export_into};
use tree::{NodeId, Tree};

use super::Image;
use crate::positions::way;
use crate::remarks::{Remarks, Wanted};

/// A line of this many moves cannot be in a smaller piece.
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

/// Cuts a game into pieces of at most `limit` moves, each from the initial position. What is said
/// stands in one piece; merging the pieces gives the game again.
pub fn split(game: &Game, limit: u32) -> Result<Vec<Game>, SplitError> {
    let sizes = sizes(game.tree());
    if sizes[NodeId::ROOT.index()] - 1 <= limit {
        return Ok(vec![game.clone()]);
    }
    let needed = longest_line(game.tree());
    if needed > limit {
        return Err(SplitError { needed });
    }
    let pieces = cut(game.tree(), &sizes, limit);
    let count = pieces.len();
    let write = |(index, piece): (usize, &Piece)| piece.write(game, index + 1, count);
    Ok(pieces.iter().enumerate().map(write).collect())
}

/// The text of games, cut into pieces if there is a limit, and how many games that makes.
pub fn pieces(games: &[Game], limit: Option<u32>) -> Result<(String, u64), SplitError> {
    let mut text = String::new();
    let mut count = 0;
    for game in games {
        let cut = limit.map(|limit| split(game, limit)).transpose()?;
        for piece in cut.as_deref().unwrap_or(std::slice::from_ref(game)) {
            if !text.is_empty() {
                text.push('\n');
            }
            export_into(piece, &ExportOptions::default(), &mut text);
            count += 1;
        }
    }
    Ok((text, count))
}

/// Nodes that follow one another in preorder, and the path to the first of them.
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
        for (name, value) in game.tags() {
            piece.set_tag(name, value);
        }
        let trunk = way(game, self.trunk[self.trunk.len() - 1]);
        piece.set_tag("ChapterName", &format!("{number} of {count}: {trunk}"));
        piece.set_outcome(game.outcome());
        self.annotate(game, &mut piece, &image);
        piece
    }

    fn annotate(&self, game: &Game, piece: &mut Game, image: &Image) {
        let mut own = vec![false; game.tree().capacity_used()];
        self.nodes.iter().for_each(|node| own[node.index()] = true);
        let mut remarks = Remarks::default();
        remarks.take(game, Wanted::default(), "", |node| {
            image.of(node).filter(|_| own[node.index()])
        });
        remarks.hang(piece);
    }
}

/// Fills one piece after the other in preorder. A subtree that fits nowhere whole is entered.
fn cut(tree: &Tree<Move>, sizes: &[u32], limit: u32) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut piece = Piece {
        trunk: vec![NodeId::ROOT],
        nodes: vec![NodeId::ROOT],
        moves: 0,
    };
    let mut nodes = tree.preorder();
    nodes.next();
    while let Some(node) = nodes.next() {
        let size = sizes[node.index()];
        let whole = piece.moves + size <= limit;
        let fits_alone = tree.ply(node) - 1 + size <= limit;
        if !whole && (fits_alone || piece.moves == limit) {
            pieces.push(std::mem::replace(&mut piece, Piece::at(tree, node)));
        }
        if whole || fits_alone {
            piece.nodes.extend(tree.subtree(node));
            piece.moves += size;
            nodes.skip_below();
        } else {
            piece.nodes.push(node);
            piece.moves += 1;
        }
    }
    pieces.push(piece);
    pieces
}

/// The number of nodes of each subtree.
fn sizes(tree: &Tree<Move>) -> Vec<u32> {
    let mut sizes = vec![1; tree.capacity_used()];
    let nodes: Vec<NodeId> = tree.preorder().collect();
    for &node in nodes.iter().rev() {
        if let Some(parent) = tree.parent(node) {
            sizes[parent.index()] += sizes[node.index()];
        }
    }
    sizes
}

fn longest_line(tree: &Tree<Move>) -> u32 {
    let mut plies = vec![0; tree.capacity_used()];
    for node in tree.preorder() {
        if let Some(parent) = tree.parent(node) {
            plies[node.index()] = plies[parent.index()] + 1;
        }
    }
    plies.into_iter().max().unwrap_or(0)
}
