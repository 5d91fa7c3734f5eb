//! NoGo: a stone is placed so that no group of either colour is left without an empty neighbour.

use super::grid::{self, Grid, HEAD, ORTHOGONAL, Symmetry};
use super::{Complaint, Move, Ruleset};
use crate::value::Player;

/// The ruleset `nogo`.
///
/// Beside the letters people write, a normalised board has `+` for a cell that stays empty for ever,
/// because neither player may play there, and `B` and `W` for stones of a group that touches one.
pub struct Nogo;

/// What can be written, and what normal forms are printed with.
pub(crate) const LETTERS: &str = ".XO#BW+";

impl Ruleset for Nogo {
    fn name(&self) -> &'static str {
        "nogo"
    }

    fn summary(&self) -> &'static str {
        "rows of '.', 'X', 'O', '#' joined by '|': place a stone; every group of stones must keep an empty neighbour"
    }

    fn parse(&self, text: &str) -> Result<Vec<u8>, Complaint> {
        let position = grid::parse(text, LETTERS)?;
        check(&position, text)?;
        Ok(position)
    }

    fn print(&self, position: &[u8]) -> String {
        grid::print(position)
    }

    fn moves(&self, position: &[u8], player: Player, visit: &mut dyn FnMut(Move, &[u8])) {
        placements(position, player, visit);
    }

    fn print_move(&self, position: &[u8], player: Player, mv: Move) -> String {
        let [at, ..] = mv.parts();
        format!(
            "{}_{}",
            grid::cell_name(Grid::of(position).cols, at),
            player.stone() as char
        )
    }

    fn negative(&self, position: &[u8]) -> Vec<u8> {
        negative(position)
    }

    fn split(&self, position: &[u8], part: &mut dyn FnMut(&[u8])) {
        territories(position, part);
    }

    fn normalise(&self, position: &mut Vec<u8>) {
        grid::least_image(position, Symmetry::Square);
    }

    fn size(&self, position: &[u8]) -> usize {
        empties(position)
    }
}

/// How many cells are empty: each move fills one.
pub(crate) fn empties(position: &[u8]) -> usize {
    position[HEAD..]
        .iter()
        .filter(|&&cell| cell == b'.')
        .count()
}

/// Every group must have an empty neighbour.
pub(crate) fn check(position: &[u8], text: &str) -> Result<(), Complaint> {
    let board = Board::of(position);
    let dead = (0..board.grid.cells.len())
        .find(|&at| board.group[at] != 0 && board.liberties[board.group[at]] == 0);
    let Some(dead) = dead else { return Ok(()) };
    let place = text
        .char_indices()
        .filter(|(_, letter)| LETTERS.contains(letter.to_ascii_uppercase()))
        .nth(dead);
    let span = place.map_or(0..text.len(), |(at, letter)| at..at + letter.len_utf8());
    Err(Complaint::new(
        span,
        "no legal position: this stone's group has no empty neighbour",
    ))
}

/// The board with the colours exchanged.
pub(crate) fn negative(position: &[u8]) -> Vec<u8> {
    let mut negative = grid::swap_stones(position);
    for cell in &mut negative[HEAD..] {
        *cell = match *cell {
            b'B' => b'W',
            b'W' => b'B',
            other => other,
        };
    }
    negative
}

/// A board with its groups and their empty neighbours counted.
struct Board<'a> {
    grid: Grid<'a>,
    /// The group of each stone, from 1; 0 elsewhere.
    group: Vec<usize>,
    /// The empty neighbours of each group; immortal groups have one more than the board shows.
    liberties: Vec<usize>,
}

impl<'a> Board<'a> {
    fn of(position: &'a [u8]) -> Board<'a> {
        let grid = Grid::of(position);
        let (group, count) = grid.components(&ORTHOGONAL, is_stone, |a, b| colour(a) == colour(b));
        let group: Vec<usize> = group.into_iter().map(|group| group as usize).collect();
        let mut liberties = vec![0; count as usize + 1];
        for at in 0..grid.cells.len() {
            if matches!(grid.cells[at], b'B' | b'W') {
                liberties[group[at]] += 1;
            }
            if matches!(grid.cells[at], b'.' | b'+') {
                let mut touched = groups_around(&grid, &group, at);
                touched.dedup_in_place();
                touched.iter().for_each(|group| liberties[group] += 1);
            }
        }
        Board {
            grid,
            group,
            liberties,
        }
    }

    /// May this player place a stone here?
    fn is_legal(&self, at: usize, player: Player) -> bool {
        if self.grid.cells[at] != b'.' {
            return false;
        }
        let mut breathes = false;
        for to in self.grid.around(at, &ORTHOGONAL) {
            match self.grid.cells[to] {
                b'.' | b'+' => breathes = true,
                b'#' => {}
                stone => {
                    let others = self.liberties[self.group[to]] > 1;
                    if colour(stone) == player.stone() {
                        breathes |= others;
                    } else if !others {
                        return false;
                    }
                }
            }
        }
        breathes
    }
}

/// Up to four groups, without allocation.
struct Touched([usize; 4], usize);

impl Touched {
    fn dedup_in_place(&mut self) {
        let mut kept = 0;
        for index in 0..self.1 {
            if !self.0[..kept].contains(&self.0[index]) {
                self.0[kept] = self.0[index];
                kept += 1;
            }
        }
        self.1 = kept;
    }

    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0[..self.1].iter().copied()
    }
}

fn groups_around(grid: &Grid<'_>, group: &[usize], at: usize) -> Touched {
    let mut touched = Touched([0; 4], 0);
    for to in grid.around(at, &ORTHOGONAL).filter(|&to| group[to] != 0) {
        touched.0[touched.1] = group[to];
        touched.1 += 1;
    }
    touched
}

fn is_stone(cell: u8) -> bool {
    matches!(cell, b'X' | b'O' | b'B' | b'W')
}

/// X for all of Left's stones, O for all of Right's.
fn colour(cell: u8) -> u8 {
    match cell {
        b'B' => b'X',
        b'W' => b'O',
        other => other,
    }
}

/// Shows every legal placement.
pub(crate) fn placements(position: &[u8], player: Player, visit: &mut dyn FnMut(Move, &[u8])) {
    let board = Board::of(position);
    let mut next = position.to_vec();
    for at in (0..board.grid.cells.len()).filter(|&at| board.is_legal(at, player)) {
        next[HEAD + at] = player.stone();
        visit(Move::of([at, 0, 0]), &next);
        next[HEAD + at] = b'.';
    }
}

/// Shows the parts of a board that do not influence each other.
///
/// 1. A move that is illegal stays illegal: groups only lose empty neighbours, and a group with
///    one empty neighbour cannot grow except there. So a cell where neither may play stays empty;
///    the groups around it are immortal, and so will be any stone placed beside it.
/// 2. Stones of different colours that touch share nothing, and immortal groups transmit nothing:
///    parts are joined through empty cells and mortal groups of one colour only.
pub(crate) fn territories(position: &[u8], part: &mut dyn FnMut(&[u8])) {
    let marked = mark_immortals(position);
    let grid = Grid::of(&marked);
    let joins = |cell: u8| matches!(cell, b'.' | b'X' | b'O');
    let (mark, parts) =
        grid.components(&ORTHOGONAL, joins, |a, b| a == b || a == b'.' || b == b'.');
    let mut board = Vec::new();
    for number in 1..=parts {
        let inner = |at: usize| mark[at] == number;
        if !(0..mark.len()).any(|at| inner(at) && grid.cells[at] == b'.') {
            continue;
        }
        let fringe = |at: usize| {
            matches!(grid.cells[at], b'B' | b'W' | b'+')
                && grid
                    .around(at, &ORTHOGONAL)
                    .any(|to| inner(to) && grid.cells[to] == b'.')
        };
        let inside = |at: usize| inner(at) || fringe(at);
        if let Some(area) = grid.area(inside) {
            grid.copy_area(&area, inside, b'#', &mut board);
            part(&board);
        }
    }
}

/// The board with immortal groups and cells where neither may play marked.
fn mark_immortals(position: &[u8]) -> Vec<u8> {
    let board = Board::of(position);
    let mut immortal: Vec<bool> = vec![false; board.liberties.len()];
    let mut marked = position.to_vec();
    for at in 0..board.grid.cells.len() {
        let shut = Player::BOTH
            .iter()
            .all(|&player| !board.is_legal(at, player));
        if board.grid.cells[at] == b'+' || board.grid.cells[at] == b'.' && shut {
            marked[HEAD + at] = b'+';
            let touched = groups_around(&board.grid, &board.group, at);
            touched.iter().for_each(|group| immortal[group] = true);
        }
    }
    for at in 0..board.grid.cells.len() {
        let cell = board.grid.cells[at];
        if is_stone(cell) && (immortal[board.group[at]] || matches!(cell, b'B' | b'W')) {
            marked[HEAD + at] = if colour(cell) == b'X' { b'B' } else { b'W' };
        }
    }
    spread(&board, &mut marked);
    marked
}

/// One immortal stone makes its whole group immortal.
fn spread(board: &Board<'_>, marked: &mut [u8]) {
    let mut immortal = vec![false; board.liberties.len()];
    for at in 0..board.grid.cells.len() {
        immortal[board.group[at]] |= matches!(marked[HEAD + at], b'B' | b'W');
    }
    for at in
        (0..board.grid.cells.len()).filter(|&at| immortal[board.group[at]] && board.group[at] != 0)
    {
        marked[HEAD + at] = if colour(board.grid.cells[at]) == b'X' {
            b'B'
        } else {
            b'W'
        };
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_laws, moves, options, parts};
    use super::*;

    #[test]
    fn groups_keep_an_empty_neighbour() {
        assert_eq!(
            moves(&Nogo, "..|#.", Player::Left),
            ["a1_X", "b1_X", "b2_X"]
        );
        assert_eq!(options(&Nogo, ".X", Player::Left), [] as [&str; 0]);
        assert_eq!(options(&Nogo, "X.O", Player::Right), [] as [&str; 0]);
        assert_eq!(moves(&Nogo, ".X..", Player::Right), ["c1_O", "d1_O"]);
    }

    #[test]
    fn dead_groups_are_refused() {
        assert_eq!(Nogo.parse(".X|XO").unwrap_err().span, 4..5);
        assert!(Nogo.parse("XO|..").is_ok());
    }

    #[test]
    fn parts_are_independent() {
        assert_eq!(parts(&Nogo, "...XO..."), ["...O", "...X"]);
        ["...|X.O|...", "..|#.", "X."]
            .iter()
            .for_each(|text| check_laws(&Nogo, text));
    }
}
