//! Domineering: Left places dominoes upright, Right across.

use super::cells::{Touch, cut_apart};
use super::grid::{self, Grid, HEAD, Symmetry};
use super::strips::{WIDEST, guarantees};
use super::{Complaint, Flow, Guarantee, Move, MoveVisitor, PartVisitor, Ruleset, integer};
use crate::interrupt::Interrupt;
use crate::value::{Nus, Player};
use std::ops::ControlFlow;

/// The ruleset `domineering`.
pub struct Domineering;

impl Ruleset for Domineering {
    fn name(&self) -> &'static str {
        "domineering"
    }

    fn summary(&self) -> &'static str {
        "rows of '.', '#' joined by '|', such as ...|.#.: Left covers two cells one above the other, Right two side by side"
    }

    fn parse(&self, text: &str) -> Result<Vec<u8>, Complaint> {
        grid::parse(text, ".#")
    }

    fn print(&self, position: &[u8]) -> String {
        grid::print(position)
    }

    fn text_length(&self, position: &[u8]) -> usize {
        grid::text_length(position)
    }

    fn moves(&self, position: &[u8], player: Player, visit: &mut MoveVisitor<'_>) -> Flow {
        let grid = Grid::of(position);
        let mut next = position.to_vec();
        for (first, second) in places(&grid, player) {
            (next[HEAD + first], next[HEAD + second]) = (b'#', b'#');
            visit(Move::of([first, second, 0]), &next)?;
            (next[HEAD + first], next[HEAD + second]) = (b'.', b'.');
        }
        ControlFlow::Continue(())
    }

    fn mobility(&self, position: &[u8]) -> [usize; 2] {
        Player::BOTH.map(|player| places(&Grid::of(position), player).count())
    }

    fn print_move(&self, position: &[u8], _player: Player, mv: Move) -> String {
        super::clobber::print_step(position, mv)
    }

    fn negative(&self, position: &[u8]) -> Vec<u8> {
        grid::transpose(position)
    }

    /// Regions of empty cells are independent; a single cell has no move.
    fn split(&self, position: &[u8], part: &mut PartVisitor<'_>) -> Flow {
        cut_apart(
            position,
            |cell| cell == b'.',
            Touch::Sides,
            b'#',
            &mut |region| {
                if region.len() > HEAD + 1 {
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

    /// On a strip only one player can move, and the regions of [`Domineering::split`] have no gaps.
    fn known_value(&self, position: &[u8], _interrupt: &Interrupt) -> Option<Nus> {
        let grid = Grid::of(position);
        if grid.cells.contains(&b'#') {
            return None;
        }
        let dominoes = grid.cells.len() as i64 / 2;
        match (grid.rows, grid.cols) {
            (1, _) => Some(integer(-dominoes)),
            (_, 1) => Some(integer(dominoes)),
            _ => None,
        }
    }

    /// A player can make all moves on cells where the opponent cannot place a domino. The opponent
    /// makes at most as many moves as on the board alone.
    fn bounds(&self, position: &[u8], _mobility: [usize; 2]) -> Option<(i64, i64)> {
        let grid = Grid::of(position);
        let [left, right] = Player::BOTH.map(|player| dominoes(&grid, player));
        Some((left.safe - right.most, left.most - right.safe))
    }

    /// See [`super::strips`].
    fn guarantees(&self, position: &[u8]) -> Option<[[Guarantee; 2]; 2]> {
        let grid = Grid::of(position);
        if grid.rows > WIDEST || grid.cols > WIDEST {
            return None;
        }
        let (mut rows, mut cols) = ([0; WIDEST], [0; WIDEST]);
        for (row, cells) in grid.cells.chunks(grid.cols).enumerate() {
            for (col, _) in cells.iter().enumerate().filter(|(_, cell)| **cell == b'.') {
                rows[row] |= 1 << col;
                cols[col] |= 1 << row;
            }
        }
        Some([
            guarantees(&rows[..grid.rows]),
            guarantees(&cols[..grid.cols]),
        ])
    }

    fn opening(&self) -> Option<[char; 2]> {
        Some(['.'; 2])
    }

    fn letters(&self) -> Option<&'static str> {
        Some(".#")
    }

    fn size(&self, position: &[u8]) -> usize {
        position[HEAD..]
            .iter()
            .filter(|&&cell| cell == b'.')
            .count()
    }
}

/// The pairs of empty cells a player can cover.
fn places(grid: &Grid<'_>, player: Player) -> impl Iterator<Item = (usize, usize)> {
    let (step, last_col, last_row) = match player {
        Player::Left => (grid.cols, grid.cols, grid.rows.saturating_sub(1)),
        Player::Right => (1, grid.cols.saturating_sub(1), grid.rows),
    };
    let (cells, cols) = (grid.cells, grid.cols);
    (0..last_row)
        .flat_map(move |row| (0..last_col).map(move |col| row * cols + col))
        .map(move |at| (at, at + step))
        .filter(move |&(at, to)| cells[at] == b'.' && cells[to] == b'.')
}

/// The number of dominoes a player could place.
struct Dominoes {
    /// Alone on the board.
    most: i64,
    /// On cells where the opponent can place none.
    safe: i64,
}

fn dominoes(grid: &Grid<'_>, player: Player) -> Dominoes {
    let (lines, length, along, across) = match player {
        Player::Left => (grid.cols, grid.rows, grid.cols, 1),
        Player::Right => (grid.rows, grid.cols, 1, grid.cols),
    };
    let is_empty = |line: usize, at: usize| grid.cells[line * across + at * along] == b'.';
    let mut found = Dominoes { most: 0, safe: 0 };
    for line in 0..lines {
        let (mut run, mut safe_run) = (0, 0);
        for at in 0..length {
            let empty = is_empty(line, at);
            let beside =
                line > 0 && is_empty(line - 1, at) || line + 1 < lines && is_empty(line + 1, at);
            run = if empty { run + 1 } else { 0 };
            safe_run = if empty && !beside { safe_run + 1 } else { 0 };
            found.most += i64::from(empty && run % 2 == 0);
            found.safe += i64::from(empty && !beside && safe_run % 2 == 0);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_laws, moves, parts};
    use super::*;

    #[test]
    fn dominoes_lie_upright_or_across() {
        assert_eq!(moves(&Domineering, "..|.#", Player::Left), ["a1-a2"]);
        assert_eq!(moves(&Domineering, "..|.#", Player::Right), ["a1-b1"]);
        let bounds = |text: &str| Domineering.bounds(&Domineering.parse(text).unwrap(), [0; 2]);
        assert_eq!(bounds("...|..."), Some((-2, 3)));
        assert_eq!(bounds(".|.|.|."), Some((2, 2)));
        assert_eq!(bounds(".#|.#|.."), Some((0, 1)));
    }

    #[test]
    fn regions_are_independent() {
        assert_eq!(
            parts(&Domineering, ".#..|##..|.#.#"),
            ["#.|..|..".to_string()]
        );
        ["..|.#", "...", "...|..#"]
            .iter()
            .for_each(|text| check_laws(&Domineering, text));
    }
}
