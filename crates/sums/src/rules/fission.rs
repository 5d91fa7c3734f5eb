//! Fission: a stone splits into two, which go to the cells on opposite sides of it.

use super::cells::{Touch, cut_apart};
use super::grid::{self, Grid, HEAD, Symmetry};
use super::{Complaint, Flow, Move, MoveVisitor, Packed, PartVisitor, Ruleset};
use crate::value::Player;
use std::ops::ControlFlow;

/// The ruleset `fission`.
pub struct Fission;

impl Ruleset for Fission {
    fn name(&self) -> &'static str {
        "fission"
    }

    fn summary(&self) -> &'static str {
        "rows of '.', 'X', '#' joined by '|': replace a stone by two on its empty neighbours, Left above and below, Right left and right"
    }

    fn parse(&self, text: &str) -> Result<Vec<u8>, Complaint> {
        grid::parse(text, ".X#")
    }

    fn print(&self, position: &[u8]) -> String {
        grid::print(position)
    }

    fn text_length(&self, position: &[u8]) -> usize {
        grid::text_length(position)
    }

    fn moves(&self, position: &[u8], player: Player, visit: &mut MoveVisitor<'_>) -> Flow {
        let grid = Grid::of(position);
        let sides = match player {
            Player::Left => [(-1, 0), (1, 0)],
            Player::Right => [(0, -1), (0, 1)],
        };
        let mut next = position.to_vec();
        for at in (0..grid.cells.len()).filter(|&at| grid.cells[at] == b'X') {
            let [Some(one), Some(two)] = sides.map(|side| grid.step(at, side)) else {
                continue;
            };
            if grid.cells[one] == b'.' && grid.cells[two] == b'.' {
                (next[HEAD + at], next[HEAD + one], next[HEAD + two]) = (b'.', b'X', b'X');
                visit(Move::of([at, 0, 0]), &next)?;
                (next[HEAD + at], next[HEAD + one], next[HEAD + two]) = (b'X', b'.', b'.');
            }
        }
        ControlFlow::Continue(())
    }

    fn print_move(&self, position: &[u8], player: Player, mv: Move) -> String {
        let [at, ..] = mv.parts();
        let way = if player == Player::Left { 'V' } else { 'H' };
        format!("{}_{way}", grid::cell_name(Grid::of(position).cols, at))
    }

    fn negative(&self, position: &[u8]) -> Vec<u8> {
        grid::transpose(position)
    }

    /// Blocked cells separate parts; a part with only stones or only empty cells has no move.
    fn split(&self, position: &[u8], part: &mut PartVisitor<'_>) -> Flow {
        cut_apart(
            position,
            |cell| cell != b'#',
            Touch::Sides,
            b'#',
            &mut |region| {
                if region[HEAD..].contains(&b'X') && empties(region) >= 2 {
                    part(region)?;
                }
                ControlFlow::Continue(())
            },
        )
    }

    fn normalise(&self, position: &mut Vec<u8>) {
        grid::least_image(position, Symmetry::Mirrors);
    }

    /// Turning the board exchanges the players.
    fn normalise_impartial(&self, position: &mut Vec<u8>) {
        grid::least_image(position, Symmetry::Square);
    }

    fn letters(&self) -> Option<&'static str> {
        Some(".X#")
    }

    fn size(&self, position: &[u8]) -> usize {
        empties(position)
    }

    fn packed(&self, position: &[u8]) -> Option<(Packed, u64)> {
        let Grid { cols, cells, .. } = Grid::of(position);
        let set = |wanted: u8| {
            let places = (0..cells.len()).filter(|&at| cells[at] == wanted);
            places.fold(0, |set, at| set | 1 << at)
        };
        (cells.len() <= Packed::BITS as usize).then(|| {
            let stones = set(b'X');
            let inner = (0..cells.len()).filter(|at| at % cols > 0 && at % cols + 1 < cols);
            let board = PackedFission {
                cols,
                open: stones | set(b'.'),
                inner: inner.fold(0, |set, at| set | 1 << at),
            };
            (board.into(), stones)
        })
    }
}

/// A board of Fission: a position is one word, a bit for each stone.
pub struct PackedFission {
    cols: usize,
    /// All cells that are not blocked.
    open: u64,
    /// The cells with a neighbour on the left and on the right.
    inner: u64,
}

impl PackedFission {
    /// Visits the positions after each move of a player.
    #[inline]
    pub(crate) fn moves(&self, stones: u64, player: Player, mut visit: impl FnMut(u64)) {
        let (step, mobile) = match player {
            Player::Left => (self.cols, stones),
            Player::Right => (1, stones & self.inner),
        };
        let free = self.open & !stones;
        let mut splitting = mobile & free << step & free >> step;
        while splitting != 0 {
            let stone = splitting & splitting.wrapping_neg();
            splitting ^= stone;
            visit(stones ^ (stone | stone << step | stone >> step));
        }
    }
}

/// The number of empty cells; each move fills one.
fn empties(position: &[u8]) -> usize {
    position[HEAD..]
        .iter()
        .filter(|&&cell| cell == b'.')
        .count()
}

#[cfg(test)]
mod tests {
    use super::super::packed::testing::check_packed_moves;
    use super::super::testing::{check_laws, moves, options, parts};
    use super::*;

    #[test]
    fn stones_split() {
        assert_eq!(
            options(&Fission, "...|.X.|...", Player::Left),
            [".X.|...|.X."]
        );
        assert_eq!(moves(&Fission, "...|.X.|...", Player::Right), ["b2_H"]);
        assert_eq!(
            moves(&Fission, ".X.|.X.|.#.", Player::Left),
            [] as [&str; 0]
        );
    }

    #[test]
    fn packed_moves_are_the_moves() {
        for text in [
            "...|.X.|...",
            "X...X.|......|......|.#X.##|......|......",
            ".X..X..X",
            ".|X|.",
            "..X..|.#X..|X...X",
        ] {
            check_packed_moves(&Fission, text, 3);
        }
        let large = Fission.parse(&[".......X"; 7].join("|")).unwrap();
        assert!(Fission.packed(&large).is_none());
    }

    #[test]
    fn walls_separate() {
        assert_eq!(parts(&Fission, ".X.#.|.#X##"), [".#X|.X."]);
        ["...|.X.|...", "X..|.#."]
            .iter()
            .for_each(|text| check_laws(&Fission, text));
    }
}
