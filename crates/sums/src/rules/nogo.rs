//! NoGo: a stone is placed so that no group of either colour is left without an empty neighbour.

use super::cells::{Cells, Map, by_size};
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

    fn mobility(&self, position: &[u8]) -> [usize; 2] {
        count_placements(position)
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

    fn bounds(&self, position: &[u8]) -> Option<(i64, i64)> {
        Some(bounds(position))
    }

    fn opening(&self) -> Option<[char; 2]> {
        Some(['.'; 2])
    }

    fn letters(&self) -> Option<&'static str> {
        Some(".XO#")
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
    let grid = Grid::of(position);
    let Some(dead) = by_size!(grid, dead_stone(&grid)) else {
        return Ok(());
    };
    let letters = |(_, letter): &(usize, char)| LETTERS.contains(letter.to_ascii_uppercase());
    let place = text.char_indices().filter(letters).nth(dead);
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

/// A board as sets of cells.
struct Board<S> {
    map: Map<S>,
    /// Empty cells where somebody may play some time.
    open: S,
    /// Empty cells where nobody may ever play.
    shut: S,
    /// Stones of groups that are known to be immortal.
    immortal: S,
    stones: [S; 2],
}

/// What the groups of one player mean for placing stones.
struct Groups<S> {
    /// The last empty neighbours of groups: the opponent may not play there.
    last: S,
    /// Cells beside groups that have another empty neighbour: the owner may play there.
    firm: S,
}

impl<S: Cells> Board<S> {
    fn of(grid: &Grid<'_>) -> Board<S> {
        let map = Map::of(grid);
        let [open, left, right, marked_left, marked_right, shut]: [S; 6] =
            map.classes(grid, |cell| match cell {
                b'.' => Some(0),
                b'X' => Some(1),
                b'O' => Some(2),
                b'B' => Some(3),
                b'W' => Some(4),
                b'+' => Some(5),
                _ => None,
            });
        Board {
            map,
            open,
            shut,
            immortal: marked_left.or(&marked_right),
            stones: [left.or(&marked_left), right.or(&marked_right)],
        }
    }

    fn around(&self, cells: &S) -> S {
        self.map.around(cells, &ORTHOGONAL)
    }

    /// A group that touches a cell where nobody may ever play, or is marked, never dies.
    fn is_immortal(&self, group: &S, around: &S) -> bool {
        group.meets(&self.immortal) || around.meets(&self.shut)
    }

    fn groups(&self, player: Player) -> Groups<S> {
        let mut groups = Groups {
            last: self.map.nothing(),
            firm: self.map.nothing(),
        };
        self.map
            .touching(&self.stones[player as usize], &ORTHOGONAL, |group| {
                let around = self.around(group);
                let liberties = around.and(&self.open);
                if self.is_immortal(group, &around) || liberties.len() > 1 {
                    groups.firm = groups.firm.or(&around);
                } else {
                    groups.last = groups.last.or(&liberties);
                }
            });
        groups
    }

    /// Where each player may place a stone.
    fn legal(&self) -> [S; 2] {
        let [left, right] = Player::BOTH.map(|player| self.groups(player));
        let airy = self.around(&self.open.or(&self.shut));
        [(&left, &right), (&right, &left)]
            .map(|(own, other)| self.open.minus(&other.last).and(&airy.or(&own.firm)))
    }

    /// Marks cells where nobody may ever play, and the stones they make immortal.
    fn settle(&mut self) {
        let [left, right] = self.legal();
        self.shut = self.shut.or(&self.open.minus(&left).minus(&right));
        self.open = self.open.minus(&self.shut);
        let mut immortal = self.map.nothing();
        for stones in &self.stones {
            self.map.touching(stones, &ORTHOGONAL, |group| {
                if self.is_immortal(group, &self.around(group)) {
                    immortal = immortal.or(group);
                }
            });
        }
        self.immortal = immortal;
    }

    /// The letters of a settled board.
    fn mark(&self, position: &[u8]) -> Vec<u8> {
        let mut marked = position.to_vec();
        self.map
            .each(&self.shut)
            .for_each(|at| marked[HEAD + at] = b'+');
        for at in self.map.each(&self.immortal) {
            marked[HEAD + at] = if matches!(position[HEAD + at], b'X' | b'B') {
                b'B'
            } else {
                b'W'
            };
        }
        marked
    }
}

/// A stone whose group has no empty neighbour.
fn dead_stone<S: Cells>(grid: &Grid<'_>) -> Option<usize> {
    let board = Board::<S>::of(grid);
    let mut dead = None;
    for stones in &board.stones {
        board.map.touching(stones, &ORTHOGONAL, |group| {
            let around = board.around(group);
            if !board.is_immortal(group, &around) && !around.meets(&board.open) {
                dead = dead.or(board.map.each(group).next());
            }
        });
    }
    dead
}

/// Shows every legal placement.
pub(crate) fn placements(position: &[u8], player: Player, visit: &mut dyn FnMut(Move, &[u8])) {
    fn place<S: Cells>(grid: &Grid<'_>, player: Player, place: &mut dyn FnMut(usize)) {
        let board = Board::<S>::of(grid);
        board
            .map
            .each(&board.legal()[player as usize])
            .for_each(place);
    }
    let grid = Grid::of(position);
    let mut next = position.to_vec();
    by_size!(
        grid,
        place(&grid, player, &mut |at| {
            next[HEAD + at] = player.stone();
            visit(Move::of([at, 0, 0]), &next);
            next[HEAD + at] = b'.';
        })
    );
}

/// How many placements are legal for each player.
pub(crate) fn count_placements(position: &[u8]) -> [usize; 2] {
    fn count<S: Cells>(grid: &Grid<'_>) -> [usize; 2] {
        Board::<S>::of(grid)
            .legal()
            .map(|legal| legal.len() as usize)
    }
    let grid = Grid::of(position);
    by_size!(grid, count(&grid))
}

/// Nobody can make more moves than are legal now; if only one player can move, he can at least once.
pub(crate) fn bounds(position: &[u8]) -> (i64, i64) {
    match count_placements(position).map(|count| count as i64) {
        [left, 0] => (left.min(1), left),
        [0, right] => (-right, -right.min(1)),
        [left, right] => (-right, left),
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
    let grid = Grid::of(position);
    by_size!(grid, separate(position, part));
}

fn separate<S: Cells>(position: &[u8], part: &mut dyn FnMut(&[u8])) {
    let mut board = Board::<S>::of(&Grid::of(position));
    board.settle();
    let marked = board.mark(position);
    let grid = Grid::of(&marked);
    let fringe = board.immortal.or(&board.shut);
    let mortal = [0, 1].map(|player| board.stones[player].minus(&board.immortal));
    let stones = mortal[0].or(&mortal[1]);
    let grow = |part: &S| {
        let mut reached = board
            .around(&part.and(&board.open))
            .and(&board.open.or(&stones));
        for own in &mortal {
            reached = reached.or(&board.around(&part.and(own)).and(&board.open.or(own)));
        }
        reached
    };
    let mut area = Vec::new();
    board.map.parts(&board.open, grow, |cells| {
        let edge = board.around(&cells.and(&board.open)).and(&fringe);
        board.map.cut(&grid, &cells.or(&edge), b'#', &mut area);
        part(&area);
    });
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
