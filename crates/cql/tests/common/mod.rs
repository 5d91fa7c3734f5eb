//! Random trees and the dice to make them.

use chess::Board;
use chess::pgn::Game;
use tree::NodeId;

/// Numbers that look random and are the same each time.
pub struct Dice(pub u64);

impl Dice {
    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }

    /// One of some things.
    pub fn pick<T: Copy>(&mut self, things: &[T]) -> T {
        things[self.below(things.len())]
    }
}

/// A game of random moves with random variations.
pub fn random_game(dice: &mut Dice, nodes: usize) -> Game {
    let starts = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/pP1q4/2n2b2/3pP3/3Q2b1/2N2N2/Pp4PP/R3K2R w KQkq d6 0 1",
        "8/P1k4p/8/2R1pP2/5b2/2K1B3/p6r/8 b - - 0 1",
    ];
    let start = Board::from_fen(dice.pick(&starts), chess::Variant::Standard).unwrap();
    let mut game = Game::from_board(start);
    let mut all = vec![NodeId::ROOT];
    while all.len() < nodes {
        let at = if dice.below(3) > 0 {
            all[all.len() - 1]
        } else {
            dice.pick(&all)
        };
        let moves: Vec<_> = game.board_at(at).legal_moves().into_iter().collect();
        if moves.is_empty() {
            continue;
        }
        let mv = dice.pick(&moves);
        all.push(game.add_variation(at, mv));
    }
    game
}
