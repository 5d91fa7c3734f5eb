//! Clobber: a stone moves onto an orthogonally neighbouring stone of the opponent and takes it.

use super::cells::{Touch, cut_apart};
use super::grid::{self, Grid, HEAD, ORTHOGONAL, Symmetry};
use super::{Complaint, Flow, Move, MoveVisitor, PartVisitor, Ruleset};
use crate::value::Player;
use std::ops::ControlFlow;

/// The ruleset `clobber`.
pub struct Clobber;

impl Ruleset for Clobber {
    fn name(&self) -> &'static str {
        "clobber"
    }

    fn summary(&self) -> &'static str {
        "rows of '.', 'X', 'O' joined by '|', such as XO|OX: move a stone onto a neighbouring stone of the opponent, taking it"
    }

    fn parse(&self, text: &str) -> Result<Vec<u8>, Complaint> {
        grid::parse(text, ".XO")
    }

    fn print(&self, position: &[u8]) -> String {
        grid::print(position)
    }

    fn text_length(&self, position: &[u8]) -> usize {
        grid::text_length(position)
    }

    fn moves(&self, position: &[u8], player: Player, visit: &mut MoveVisitor<'_>) -> Flow {
        captures(
            position,
            player,
            |target| target == (!player).stone(),
            visit,
        )
    }

    fn mobility(&self, position: &[u8]) -> [usize; 2] {
        let grid = Grid::of(position);
        let facing = |a: usize, b: usize| {
            matches!((grid.cells[a], grid.cells[b]), (b'X', b'O') | (b'O', b'X'))
        };
        let across = (1..grid.cells.len()).filter(|&at| at % grid.cols != 0 && facing(at - 1, at));
        let down = (grid.cols..grid.cells.len()).filter(|&at| facing(at - grid.cols, at));
        [across.count() + down.count(); 2]
    }

    fn print_move(&self, position: &[u8], _player: Player, mv: Move) -> String {
        print_step(position, mv)
    }

    fn negative(&self, position: &[u8]) -> Vec<u8> {
        grid::swap_stones(position)
    }

    /// Separate groups of stones stay separate; a group of one colour has no move.
    fn split(&self, position: &[u8], part: &mut PartVisitor<'_>) -> Flow {
        groups(position, &mut |group| {
            if group[HEAD..].contains(&b'X') && group[HEAD..].contains(&b'O') {
                part(group)?;
            }
            ControlFlow::Continue(())
        })
    }

    fn normalise(&self, position: &mut Vec<u8>) {
        grid::least_image(position, Symmetry::Square);
    }

    fn is_all_small(&self) -> bool {
        true
    }

    fn opening(&self) -> Option<[char; 2]> {
        Some(['X', 'O'])
    }

    fn letters(&self) -> Option<&'static str> {
        Some(".XO")
    }

    fn size(&self, position: &[u8]) -> usize {
        stones(position)
    }
}

/// Visits the moves of a player's stones onto neighbours that may be taken.
pub(crate) fn captures(
    position: &[u8],
    player: Player,
    may_take: impl Fn(u8) -> bool,
    visit: &mut MoveVisitor<'_>,
) -> Flow {
    let grid = Grid::of(position);
    let mine = player.stone();
    let mut next = position.to_vec();
    for from in 0..grid.cells.len() {
        if grid.cells[from] != mine {
            continue;
        }
        next[HEAD + from] = b'.';
        for to in grid.around(from, &ORTHOGONAL) {
            if may_take(grid.cells[to]) {
                next[HEAD + to] = mine;
                visit(Move::of([from, to, 0]), &next)?;
                next[HEAD + to] = grid.cells[to];
            }
        }
        next[HEAD + from] = mine;
    }
    ControlFlow::Continue(())
}

/// Prints a step as `a1-b1`.
pub(crate) fn print_step(position: &[u8], mv: Move) -> String {
    let cols = Grid::of(position).cols;
    let [from, to, _] = mv.parts();
    format!(
        "{}-{}",
        grid::cell_name(cols, from),
        grid::cell_name(cols, to)
    )
}

/// Visits each connected group of stones, as a separate board.
pub(crate) fn groups(position: &[u8], visit: &mut PartVisitor<'_>) -> Flow {
    cut_apart(position, |cell| cell != b'.', Touch::Sides, b'.', visit)
}

/// The number of stones on the board; each move takes one.
pub(crate) fn stones(position: &[u8]) -> usize {
    position[HEAD..]
        .iter()
        .filter(|&&cell| cell != b'.')
        .count()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_laws, moves, options, parts};
    use super::*;

    #[test]
    fn stones_take_their_neighbours() {
        assert_eq!(
            moves(&Clobber, "XO|OX", Player::Left),
            ["a1-a2", "a1-b1", "b2-a2", "b2-b1"]
        );
        assert_eq!(
            options(&Clobber, "XO|.X", Player::Right),
            ["O.|.X", "X.|.O"]
        );
    }

    #[test]
    fn groups_are_independent() {
        assert_eq!(parts(&Clobber, "XO.X|...O|XX.."), ["OX", "OX"]);
        ["XO|OX", "X.O|OOX", "."]
            .iter()
            .for_each(|text| check_laws(&Clobber, text));
    }
}
