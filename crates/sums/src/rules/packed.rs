//! Positions that fit into one word, for searches of many positions.

use super::fission::PackedFission;
use super::gen_toads::PackedStrip;
use crate::value::Player;

/// The board of positions of one word.
pub struct Packed(Board);

enum Board {
    Toads(PackedStrip),
    Fission(PackedFission),
}

impl From<PackedStrip> for Packed {
    fn from(strip: PackedStrip) -> Packed {
        Packed(Board::Toads(strip))
    }
}

impl From<PackedFission> for Packed {
    fn from(board: PackedFission) -> Packed {
        Packed(Board::Fission(board))
    }
}

impl Packed {
    /// The number of bits of a position.
    pub(crate) const BITS: u32 = 48;

    /// Visits the positions after each move of a player.
    #[inline]
    pub(crate) fn moves(&self, position: u64, player: Player, visit: impl FnMut(u64)) {
        match &self.0 {
            Board::Toads(strip) => strip.moves(position, player, visit),
            Board::Fission(board) => board.moves(position, player, visit),
        }
    }
}

#[cfg(test)]
pub(super) mod testing {
    use super::super::Ruleset;
    use super::*;
    use std::ops::ControlFlow;

    /// Compares the moves of all positions within `depth` moves of a position with the rules.
    pub fn check_packed_moves(rules: &dyn Ruleset, text: &str, depth: u32) {
        let position = rules.parse(text).unwrap();
        check_moves_from(rules, &position, depth);
    }

    fn check_moves_from(rules: &dyn Ruleset, position: &[u8], depth: u32) {
        let (board, start) = rules.packed(position).unwrap();
        for player in Player::BOTH {
            let (mut expected, mut found) = (Vec::new(), Vec::new());
            let _ = rules.moves(position, player, &mut |_, next| {
                expected.push(rules.packed(next).unwrap().1);
                if depth > 1 {
                    check_moves_from(rules, next, depth - 1);
                }
                ControlFlow::Continue(())
            });
            board.moves(start, player, |next| found.push(next));
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected, "{}", rules.print(position));
        }
    }
}
