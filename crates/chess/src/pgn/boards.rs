//! A cache of boards by node: `board_at` does not replay the whole game at every call.

use crate::{Board, Move};
use std::fmt;
use std::sync::{Mutex, TryLockError};
use tree::{NodeId, Tree};

/// Boards of some nodes of a game.
///
/// A request climbs from the node to the nearest ancestor with a stored board and replays the moves
/// from there. A walk along a line therefore plays one move per node. The number of stored boards
/// is bounded; a game whose boards are not requested stores none.
#[derive(Default)]
pub(super) struct BoardCache {
    boards: Mutex<Boards>,
}

/// The stored boards, unsorted: scanning a few node ids is faster than hashing, and a game without
/// boards needs no allocation.
#[derive(Default)]
struct Boards {
    nodes: Vec<NodeId>,
    boards: Vec<Board>,
}

impl Boards {
    fn get(&self, node: NodeId) -> Option<&Board> {
        let index = self.nodes.iter().position(|&known| known == node)?;
        self.boards.get(index)
    }

    fn push(&mut self, node: NodeId, board: Board) {
        self.nodes.push(node);
        self.boards.push(board);
    }

    fn clear(&mut self) {
        self.nodes.clear();
        self.boards.clear();
    }
}

/// The cache may be dropped at any time, so a copy starts without boards.
impl Clone for BoardCache {
    fn clone(&self) -> BoardCache {
        BoardCache::default()
    }
}

impl fmt::Debug for BoardCache {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("BoardCache")
    }
}

/// The number of stored boards: about 4 kB.
const BOARDS: usize = 32;

/// The number of boards stored on the way when many moves are replayed.
const WAYPOINTS: usize = 8;

impl BoardCache {
    /// Drops all boards: the start or the path to some node has changed.
    pub(super) fn clear(&mut self) {
        match self.boards.get_mut() {
            Ok(boards) => boards.clear(),
            Err(poisoned) => poisoned.into_inner().clear(),
        }
    }

    /// The board at a node. If another thread uses the cache, the moves are replayed from the start.
    pub(super) fn board_at(&self, start: &Board, tree: &Tree<Move>, node: NodeId) -> Board {
        match self.boards.try_lock() {
            Ok(mut boards) => replay(start, tree, node, &mut boards),
            Err(TryLockError::Poisoned(poisoned)) => {
                replay(start, tree, node, &mut poisoned.into_inner())
            }
            Err(TryLockError::WouldBlock) => replay(start, tree, node, &mut Boards::default()),
        }
    }
}

fn replay(start: &Board, tree: &Tree<Move>, node: NodeId, boards: &mut Boards) -> Board {
    let mut path = Vec::new();
    let mut at = Some(node);
    let mut board = loop {
        let Some(above) = at else {
            break start.clone();
        };
        if let Some(known) = boards.get(above) {
            break known.clone();
        }
        path.extend(tree.move_to(above).map(|&mv| (above, mv)));
        at = tree.parent(above);
    };
    if boards.nodes.len() + WAYPOINTS >= BOARDS {
        boards.clear();
    }
    let spacing = path.len().div_ceil(WAYPOINTS).max(1);
    for (left, (node, mv)) in path.into_iter().enumerate().rev() {
        board.play(mv);
        if left % spacing == 0 {
            boards.push(node, board.clone());
        }
    }
    board
}

#[cfg(test)]
mod tests {
    use crate::pgn::Game;
    use tree::NodeId;

    /// `Nf3 Nf6 Ng1 Ng8 …`, each of White's moves with an alternative.
    fn long_game(plies: u32) -> Game {
        let mut game = Game::new();
        let mut at = NodeId::ROOT;
        for (san, ply) in ["Nf3", "Nf6", "Ng1", "Ng8"].iter().cycle().zip(0..plies) {
            let next = game.add_san(at, san).unwrap();
            if ply % 2 == 0 {
                game.add_san(at, "a3").unwrap();
            }
            at = next;
        }
        game
    }

    #[test]
    fn cached_boards_are_those_of_a_cursor() {
        let game = long_game(200);
        let mut cursor = game.cursor();
        let mut nodes = vec![cursor.id()];
        while cursor.walk() {
            nodes.push(cursor.id());
        }
        // Forwards, backwards, and with large jumps.
        let (forwards, backwards) = (0..nodes.len(), (0..nodes.len()).rev());
        let jumps = (0..nodes.len()).map(|i| i * 97 % nodes.len());
        for index in forwards.chain(backwards).chain(jumps) {
            let node = nodes[index];
            cursor.go(node);
            assert_eq!(game.board_at(node), *cursor.board());
            assert_eq!(game.node(node).san(), cursor.san().as_str());
        }
    }

    #[test]
    fn edits_do_not_leave_stale_boards() {
        let mut game = long_game(40);
        let end = game.end().id();
        let before = game.board_at(end);
        let second = game.root().next().unwrap().next().unwrap().id();
        game.tree_mut().detach(second);
        let third = game.tree().next(second).unwrap();
        game.tree_mut().detach(third);
        game.tree_mut().attach(third, NodeId::ROOT, 0).unwrap();
        assert_ne!(game.board_at(end), before);
        let expected =
            game.tree()
                .line(end)
                .into_iter()
                .fold(game.start().clone(), |mut board, node| {
                    game.tree()
                        .move_to(node)
                        .into_iter()
                        .for_each(|&mv| board.play(mv));
                    board
                });
        assert_eq!(game.board_at(end), expected);
        game.set_start(
            crate::Board::from_fen("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", crate::Variant::Standard)
                .unwrap(),
        );
        assert_eq!(game.board_at(NodeId::ROOT), *game.start());
        assert_ne!(game.board_at(end), expected);
    }

    /// A quadratic walk replays 2 * 10^10 moves here.
    #[test]
    fn a_walk_along_a_long_game_is_linear() {
        let game = long_game(200_000);
        let sans = game.mainline().map(|node| node.san().len()).sum::<usize>();
        assert_eq!(sans, 3 * 200_000);
    }
}
