//! Reproducible random games.

#![allow(dead_code)] // each test uses its own part

use gametree_chess::pgn::Game;
use gametree_chess::{Board, Move, Variant};
use gametree_tree::NodeId;

/// Reproducible pseudo-random numbers.
pub struct Dice(pub u64);

impl Dice {
    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }

    pub fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// The number of rounds of a property test (`CQL_ROUNDS`), and dice for it: reproducible unless
/// `CQL_SEED` is set.
pub fn rounds_and_dice(rounds: usize, seed: u64) -> (usize, Dice) {
    let number = |name| std::env::var(name).ok()?.parse::<u64>().ok();
    let rounds = number("CQL_ROUNDS").map_or(rounds, |n| n as usize);
    let other = number("CQL_SEED").unwrap_or(0);
    (
        rounds,
        Dice(seed ^ other.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
    )
}

/// Few pieces, so that boards recur, checks are many and some games end in mate.
const STARTS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "4k3/8/8/8/8/8/4P3/R3K2R w KQ - 0 1",
    "7k/5K2/8/6Q1/8/8/8/8 b - - 0 1",
    "r3k2r/1P6/8/2pP4/8/8/6p1/R3K2R w KQkq c6 0 10",
    "8/2k5/3p4/p2P1p2/P2P1P2/8/2K5/8 w - - 0 1",
];

/// A game with this many moves, many of them alternatives.
pub fn random_game(dice: &mut Dice, moves: usize) -> Game {
    let start = Board::from_fen(dice.pick(&STARTS), Variant::Standard).unwrap();
    let mut game = Game::from_board(start);
    let mut nodes = vec![NodeId::ROOT];
    for _ in 0..moves {
        let above = if dice.one_in(4) {
            nodes[dice.below(nodes.len())]
        } else {
            nodes[nodes.len() - 1]
        };
        if let Some(mv) = random_move(dice, &game.board_at(above)) {
            nodes.push(game.tree_mut().add_child(above, mv));
        }
    }
    game
}

/// Often back to a near square, sometimes no move.
fn random_move(dice: &mut Dice, board: &Board) -> Option<Move> {
    if dice.one_in(40) && !board.is_check() {
        return Some(Move::NULL);
    }
    let moves: Vec<Move> = board.legal_moves().iter().copied().collect();
    (!moves.is_empty()).then(|| dice.pick(&moves))
}
