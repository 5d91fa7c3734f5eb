//! Amazons: a queen moves and then shoots an arrow, which blocks a cell permanently.

use super::cells::{Touch, cut_apart};
use super::grid::{self, ALL, Grid, HEAD, Symmetry};
use super::{Complaint, Flow, Move, MoveVisitor, PartVisitor, Ruleset};
use crate::value::Player;
use std::ops::ControlFlow;

/// The ruleset `amazons`.
pub struct Amazons;

impl Ruleset for Amazons {
    fn name(&self) -> &'static str {
        "amazons"
    }

    fn summary(&self) -> &'static str {
        "rows of '.', 'X', 'O', '#' joined by '|': move a queen, then shoot an arrow from it like a queen, blocking a cell"
    }

    fn parse(&self, text: &str) -> Result<Vec<u8>, Complaint> {
        grid::parse(text, ".XO#")
    }

    fn print(&self, position: &[u8]) -> String {
        grid::print(position)
    }

    fn text_length(&self, position: &[u8]) -> usize {
        grid::text_length(position)
    }

    fn moves(&self, position: &[u8], player: Player, visit: &mut MoveVisitor<'_>) -> Flow {
        let mut next = position.to_vec();
        let grid = Grid::of(position);
        for from in (0..grid.cells.len()).filter(|&at| grid.cells[at] == player.stone()) {
            for to in ALL
                .iter()
                .flat_map(|&direction| free_ray(&grid, grid.cells, from, direction))
            {
                next[HEAD + from] = b'.';
                next[HEAD + to] = player.stone();
                shots(&grid, from, to, &mut next, visit)?;
                next[HEAD + from] = player.stone();
                next[HEAD + to] = b'.';
            }
        }
        ControlFlow::Continue(())
    }

    fn print_move(&self, position: &[u8], _player: Player, mv: Move) -> String {
        let cols = Grid::of(position).cols;
        mv.parts().map(|at| grid::cell_name(cols, at)).join("-")
    }

    fn negative(&self, position: &[u8]) -> Vec<u8> {
        grid::swap_stones(position)
    }

    /// Blocked cells separate parts; a part without queens or without empty cells has no move.
    fn split(&self, position: &[u8], part: &mut PartVisitor<'_>) -> Flow {
        rooms(position, part)
    }

    fn normalise(&self, position: &mut Vec<u8>) {
        grid::least_image(position, Symmetry::Square);
    }

    /// Both players may move all queens, so their colours do not matter.
    fn normalise_impartial(&self, position: &mut Vec<u8>) {
        grid::take_colours_off(position);
        self.normalise(position);
    }

    /// Each move blocks a cell, so there are at most as many moves as empty cells.
    fn bounds(&self, position: &[u8], _mobility: [usize; 2]) -> Option<(i64, i64)> {
        let count = |wanted: u8| {
            position[HEAD..]
                .iter()
                .filter(|&&cell| cell == wanted)
                .count() as i64
        };
        let empty = count(b'.');
        let room = |stone: u8| if count(stone) == 0 { 0 } else { empty };
        Some((-room(b'O'), room(b'X')))
    }

    fn letters(&self) -> Option<&'static str> {
        Some(".XO#")
    }

    /// A move is a step and a shot: their number grows fast enough.
    fn effort(&self, moves: u32) -> u32 {
        moves
    }

    fn size(&self, position: &[u8]) -> usize {
        position[HEAD..]
            .iter()
            .filter(|&&cell| cell != b'#')
            .count()
    }
}

/// The empty cells a queen reaches in one direction.
fn free_ray<'a>(
    grid: &Grid<'a>,
    cells: &'a [u8],
    from: usize,
    direction: (isize, isize),
) -> impl Iterator<Item = usize> + use<'a> {
    grid.ray(from, direction)
        .take_while(move |&at| cells[at] == b'.')
}

/// Visits every shot of a queen that has moved; in `next` she is already on her new cell.
fn shots(
    grid: &Grid<'_>,
    from: usize,
    to: usize,
    next: &mut [u8],
    visit: &mut MoveVisitor<'_>,
) -> Flow {
    for direction in ALL {
        for arrow in grid.ray(to, direction) {
            if next[HEAD + arrow] != b'.' {
                break;
            }
            next[HEAD + arrow] = b'#';
            visit(Move::of([from, to, arrow]), next)?;
            next[HEAD + arrow] = b'.';
        }
    }
    ControlFlow::Continue(())
}

/// Visits the parts that blocked cells separate, if a player can move there.
pub(crate) fn rooms(position: &[u8], part: &mut PartVisitor<'_>) -> Flow {
    cut_apart(
        position,
        |cell| cell != b'#',
        Touch::SidesAndCorners,
        b'#',
        &mut |room| {
            let letters = &room[HEAD..];
            if letters.contains(&b'.') && (letters.contains(&b'X') || letters.contains(&b'O')) {
                part(room)?;
            }
            ControlFlow::Continue(())
        },
    )
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_impartial_normal_form, check_laws, moves, parts};
    use super::*;

    #[test]
    fn impartial_normal_forms_have_the_same_nim_value() {
        for text in ["X.O|..#", "XO..|#...", "O..|.#X"] {
            check_impartial_normal_form(&Amazons, text);
        }
    }

    #[test]
    fn queens_move_and_shoot() {
        assert_eq!(
            moves(&Amazons, "X..", Player::Left),
            ["a1-b1-a1", "a1-b1-c1", "a1-c1-a1", "a1-c1-b1"]
        );
        assert_eq!(moves(&Amazons, "XO|.#", Player::Right), ["b1-a2-b1"]);
    }

    #[test]
    fn arrows_separate_rooms() {
        assert_eq!(parts(&Amazons, "X.#.O|###.."), ["..|.O", ".X"]);
        ["X..O", "X.|.O|#.", ".#"]
            .iter()
            .for_each(|text| check_laws(&Amazons, text));
    }
}
