//! The boards of a game, node by node in preorder.

use chess::KeyedBoard;
use chess::pgn::Game;
use tree::NodeId;

/// A node on a walk in preorder.
pub struct Visit<'a> {
    pub node: NodeId,
    /// Moves from the top of the walk.
    pub ply: u32,
    /// The position before the move; none at the start of the game.
    pub before: Option<&'a KeyedBoard>,
    pub board: &'a KeyedBoard,
}

/// Walks a part of a game in preorder with the board of each node.
pub fn visit(game: &Game, top: NodeId, mut each: impl FnMut(Visit<'_>)) {
    let tree = game.tree();
    let before_top = tree
        .parent(top)
        .map(|parent| KeyedBoard::new(game.board_at(parent)));
    let mut path = vec![(top, KeyedBoard::new(game.board_at(top)))];
    for node in tree.subtree(top) {
        if node != top
            && let (Some(parent), Some(&mv)) = (tree.parent(node), tree.move_to(node))
        {
            while path.last().is_some_and(|(at, _)| *at != parent) {
                path.pop();
            }
            let Some((_, board)) = path.last() else {
                return;
            };
            let mut board = board.clone();
            board.play(mv);
            path.push((node, board));
        }
        let ply = path.len() - 1;
        let before = match ply {
            0 => before_top.as_ref(),
            _ => Some(&path[ply - 1].1),
        };
        each(Visit {
            node,
            ply: ply as u32,
            before,
            board: &path[ply].1,
        });
    }
}
