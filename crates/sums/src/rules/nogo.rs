//! NoGo: a stone is placed so that no group of either colour is left without an empty neighbour.

use super::cells::{Cells, Classes, Map, by_size, classes};
use super::grid::{self, Grid, HEAD, ORTHOGONAL, Symmetry};
use super::{Complaint, Flow, Move, MoveVisitor, PartVisitor, Ruleset, integer};
use crate::interrupt::Interrupt;
use crate::value::{Nus, Player};
use std::borrow::Cow;
use std::ops::ControlFlow;

/// The ruleset `nogo`.
///
/// Besides the letters that users type, a normalised board has `+` for a cell that always stays
/// empty, because neither player may play there, and `B` and `W` for stones of a group next to such
/// a cell.
pub struct Nogo;

/// The letters that users type.
pub(crate) const LETTERS: &str = ".XO#";

/// The letters of stored normal forms.
pub(crate) const STORED: &str = ".XO#BW+";

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

    fn parse_stored(&self, text: &str) -> Result<Vec<u8>, Complaint> {
        grid::parse(text, STORED)
    }

    fn print(&self, position: &[u8]) -> String {
        grid::print(position)
    }

    fn text_length(&self, position: &[u8]) -> usize {
        grid::text_length(position)
    }

    fn moves(&self, position: &[u8], player: Player, visit: &mut MoveVisitor<'_>) -> Flow {
        placements(position, player, visit)
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

    fn split(&self, position: &[u8], part: &mut PartVisitor<'_>) -> Flow {
        territories(position, part)
    }

    fn normalise(&self, position: &mut Vec<u8>) {
        grid::least_image(position, Symmetry::Square);
    }

    fn known_value(&self, position: &[u8], _interrupt: &Interrupt) -> Option<Nus> {
        known_value(position)
    }

    fn bounds(&self, _position: &[u8], mobility: [usize; 2]) -> Option<(i64, i64)> {
        Some(bounds(mobility))
    }

    fn opening(&self) -> Option<[char; 2]> {
        Some(['.'; 2])
    }

    fn letters(&self) -> Option<&'static str> {
        Some(".XO#")
    }

    /// The same small area seldom recurs on a board: values are useful for half as many cells as on
    /// a strip.
    fn size(&self, position: &[u8]) -> usize {
        match Grid::of(position).rows {
            1 => empties(position),
            _ => 2 * empties(position),
        }
    }
}

/// The number of empty cells; each move fills one.
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
        "illegal position: this stone's group has no empty neighbour",
    ))
}

/// The board with the colours exchanged.
pub(crate) fn negative(position: &[u8]) -> Vec<u8> {
    let mut negative = position.to_vec();
    for cell in &mut negative[HEAD..] {
        *cell = swapped(*cell);
    }
    negative
}

/// A cell with the colours exchanged.
#[inline]
pub(crate) fn swapped(cell: u8) -> u8 {
    match cell {
        b'X' => b'O',
        b'O' => b'X',
        b'B' => b'W',
        b'W' => b'B',
        other => other,
    }
}

/// The letters of each set of cells.
const CLASSES: Classes = classes(b".XOBW+");

/// A board as sets of cells.
struct Board<S> {
    map: Map<S>,
    /// Empty cells where a player may play, now or later.
    open: S,
    /// Empty cells where neither player may ever play.
    shut: S,
    /// Stones of groups that are known to be immortal.
    immortal: S,
    stones: [S; 2],
}

/// The effect of the groups of one player on the placement of stones.
struct Groups<S> {
    /// The last empty neighbours of groups: the opponent may not play there.
    last: S,
    /// Cells next to groups that have another empty neighbour: the owner may play there.
    firm: S,
}

impl<S: Cells> Board<S> {
    fn of(grid: &Grid<'_>) -> Board<S> {
        let map = Map::of(grid);
        let [open, left, right, marked_left, marked_right, shut]: [S; 6] =
            map.classes(grid, &CLASSES);
        let mut board = Board {
            map,
            open,
            shut,
            immortal: marked_left.or(&marked_right),
            stones: [left.or(&marked_left), right.or(&marked_right)],
        };
        board.spread_immortality();
        board
    }

    /// A group that is marked, or next to a cell where neither player may ever play, is immortal.
    fn spread_immortality(&mut self) {
        let safe = self.map.beside(&self.shut).or(&self.immortal);
        if !safe.is_empty() {
            let [left, right] = &self.stones;
            let spread = |stones: &S| self.map.flood(&safe.and(stones), stones);
            self.immortal = spread(left).or(&spread(right));
        }
    }

    fn mortal(&self, player: Player) -> S {
        self.stones[player as usize].minus(&self.immortal)
    }

    fn groups(&self, player: Player) -> Groups<S> {
        let immortal = self.stones[player as usize].and(&self.immortal);
        let mut groups = Groups {
            last: self.map.empty(),
            firm: self.map.beside(&immortal),
        };
        if S::IS_LARGE {
            self.walk_groups(player, &mut groups);
            return groups;
        }
        let stones = self.mortal(player);
        let joined = stones.and(&self.map.beside(&stones));
        // single stones all at once
        let single = stones.minus(&joined);
        let airy = self.map.beside_several(&single, &self.open);
        let stuffy = single.minus(&airy);
        groups.firm = groups.firm.or(&self.map.beside(&airy));
        groups.last = self.map.beside(&stuffy).and(&self.open);
        self.map.groups(&joined, |group| {
            let around = self.map.beside(group);
            let liberties = around.and(&self.open);
            if liberties.has_several() {
                groups.firm = groups.firm.or(&around);
            } else {
                groups.last = groups.last.or(&liberties);
            }
        });
        groups
    }

    /// Adds the groups of a player on a large board, in time proportional to their cells.
    fn walk_groups(&self, player: Player, groups: &mut Groups<S>) {
        let stones = self.mortal(player);
        let _ = self.map.walk_parts(
            &stones,
            |_, to| stones.contains(to),
            |group| {
                let liberties = || self.liberties(group);
                match liberties().next() {
                    Some(first) if liberties().any(|other| other != first) => {
                        liberties().for_each(|place| groups.firm.insert(place));
                    }
                    first => first
                        .into_iter()
                        .for_each(|place| groups.last.insert(place)),
                }
                ControlFlow::Continue(())
            },
        );
    }

    /// The empty neighbours of a group where a player may play; some more than once.
    fn liberties<'a>(&'a self, group: &'a [usize]) -> impl Iterator<Item = usize> + 'a {
        let around = group
            .iter()
            .flat_map(|&place| ORTHOGONAL.map(|way| self.map.neighbour(place, way)));
        around.flatten().filter(|&place| self.open.contains(place))
    }

    /// The mortal groups of a player, without the stones that have no empty neighbour and do not
    /// connect their group: only the empty neighbours of a group matter, not its shape.
    fn essential_stones(&self, player: Player) -> S {
        let mut stones = self.mortal(player);
        if S::IS_LARGE {
            // Removing them would take quadratic time.
            return stones;
        }
        let mut idle = stones.minus(&self.map.beside(&self.open));
        while let Some(place) = idle.first_place() {
            idle.remove_first();
            let stone = self.map.singleton(place);
            let others = stones.minus(&stone);
            let friends = self.map.beside(&stone).and(&others);
            let Some(friend) = friends.first_place() else {
                continue;
            };
            let together = self.map.flood(&self.map.singleton(friend), &others);
            if friends.minus(&together).is_empty() {
                stones = others;
            }
        }
        stones
    }

    /// The cells where each player may place a stone.
    fn legal(&self) -> [S; 2] {
        let [left, right] = Player::BOTH.map(|player| self.groups(player));
        let airy = self.map.beside(&self.open.or(&self.shut));
        [(&left, &right), (&right, &left)]
            .map(|(own, other)| self.open.minus(&other.last).and(&airy.or(&own.firm)))
    }

    /// Marks cells where neither player may ever play, and the stones that become immortal; returns
    /// the cells where each player may play.
    fn mark_closed_cells(&mut self) -> [S; 2] {
        let [left, right] = self.legal();
        let dead = self.open.minus(&left).minus(&right);
        if !dead.is_empty() {
            self.shut = self.shut.or(&dead);
            self.open = self.open.minus(&dead);
            self.spread_immortality();
        }
        [left, right]
    }

    /// The number of stones that will be placed in a part where only one player may play: all cells
    /// if an immortal group of the player or a permanently empty cell is adjacent, otherwise all
    /// but one. `None` if groups of the opponent could lose their last empty neighbour.
    fn count_fillings(&self, cells: &S, player: Player) -> Option<u32> {
        if cells.intersects(&self.mortal(!player)) {
            return None;
        }
        let safe = self.stones[player as usize]
            .and(&self.immortal)
            .or(&self.shut);
        let cells = cells.and(&self.open);
        let all = self.map.beside(&cells).intersects(&safe);
        Some(cells.len() - u32::from(!all))
    }

    /// The letters of a marked board.
    fn mark<'a>(&self, position: &'a [u8]) -> Cow<'a, [u8]> {
        if self.shut.or(&self.immortal).is_empty() {
            return Cow::Borrowed(position);
        }
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
        Cow::Owned(marked)
    }
}

/// A board on which one player has one move and the other none.
pub(crate) fn unit(player: Player) -> &'static [u8] {
    match player {
        Player::Left => b"\x02\0.B",
        Player::Right => b"\x02\0.W",
    }
}

/// The value of [`unit`] boards.
pub(crate) fn known_value(position: &[u8]) -> Option<Nus> {
    match position {
        b"\x02\0.B" => Some(integer(1)),
        b"\x02\0.W" => Some(integer(-1)),
        _ => None,
    }
}

/// A stone whose group has no empty neighbour.
fn dead_stone<S: Cells>(grid: &Grid<'_>) -> Option<usize> {
    let board = Board::<S>::of(grid);
    let mut dead = None;
    for player in Player::BOTH {
        let stones = board.mortal(player);
        let _ = board.map.walk_parts(
            &stones,
            |_, to| stones.contains(to),
            |group| {
                if board.liberties(group).next().is_none() {
                    let first = group.iter().min().map(|&place| board.map.cell(place));
                    dead = dead.or(first);
                }
                ControlFlow::Continue(())
            },
        );
    }
    dead
}

/// Visits every legal placement.
pub(crate) fn placements(position: &[u8], player: Player, visit: &mut MoveVisitor<'_>) -> Flow {
    fn place<S: Cells>(
        grid: &Grid<'_>,
        player: Player,
        place: &mut dyn FnMut(usize) -> Flow,
    ) -> Flow {
        let board = Board::<S>::of(grid);
        board
            .map
            .each(&board.legal()[player as usize])
            .try_for_each(place)
    }
    let grid = Grid::of(position);
    let mut next = position.to_vec();
    by_size!(
        grid,
        place(&grid, player, &mut |at| place_at(
            &mut next, at, player, visit
        ))
    )
}

/// Visits the position with a stone on one more cell, and removes the stone again.
pub(crate) fn place_at(
    next: &mut [u8],
    at: usize,
    player: Player,
    visit: &mut MoveVisitor<'_>,
) -> Flow {
    next[HEAD + at] = player.stone();
    visit(Move::of([at, 0, 0]), next)?;
    next[HEAD + at] = b'.';
    ControlFlow::Continue(())
}

/// The number of legal placements of each player.
pub(crate) fn count_placements(position: &[u8]) -> [usize; 2] {
    fn count<S: Cells>(grid: &Grid<'_>) -> [usize; 2] {
        Board::<S>::of(grid)
            .legal()
            .map(|legal| legal.len() as usize)
    }
    let grid = Grid::of(position);
    by_size!(grid, count(&grid))
}

/// No player can make more moves than are legal now; a player who alone can move has at least one.
pub(crate) fn bounds(mobility: [usize; 2]) -> (i64, i64) {
    match mobility.map(|count| count as i64) {
        [left, 0] => (left.min(1), left),
        [0, right] => (-right, -right.min(1)),
        [left, right] => (-right, left),
    }
}

/// Visits the parts of a board that do not affect each other.
///
/// 1. A move that is illegal stays illegal: groups only lose empty neighbours, and a group with
///    one empty neighbour cannot grow except there. So a cell where neither may play stays empty;
///    the groups around it are immortal, and so will be any stone placed next to it.
/// 2. Adjacent stones of different colours and immortal groups do not connect parts: parts are
///    connected only through empty cells and mortal groups of one colour.
pub(crate) fn territories(position: &[u8], part: &mut PartVisitor<'_>) -> Flow {
    let grid = Grid::of(position);
    by_size!(grid, separate(position, part))
}

fn separate<S: Cells>(position: &[u8], part: &mut PartVisitor<'_>) -> Flow {
    let mut board = Board::<S>::of(&Grid::of(position));
    let legal = board.mark_closed_cells();
    let marked = board.mark(position);
    let grid = Grid::of(&marked);
    let fringe = board.immortal.or(&board.shut);
    let [left, right] = Player::BOTH.map(|player| board.essential_stones(player));
    let (by_left, by_right) = (board.open.or(&left), board.open.or(&right));
    // From empty cells to all around, from stones to empty cells and stones of their colour.
    let grow = |part: &S| {
        let from_left = board.map.beside(&part.and(&by_left)).and(&by_left);
        let from_right = board.map.beside(&part.and(&by_right)).and(&by_right);
        from_left.or(&from_right)
    };
    let mut area = Vec::with_capacity(position.len());
    let mut visit = |cells: &S| {
        let alone = Player::BOTH
            .into_iter()
            .find(|&player| !cells.intersects(&legal[!player as usize]));
        if let Some(player) = alone
            && let Some(count) = board.count_fillings(cells, player)
        {
            return (0..count).try_for_each(|_| part(unit(player)));
        }
        let edge = board.map.beside(&cells.and(&board.open)).and(&fringe);
        board.map.cut(&grid, &cells.or(&edge), b'#', &mut area);
        part(&area)
    };
    if !S::IS_LARGE {
        return board.map.parts(&board.open, grow, visit);
    }
    let joined = |from, to| {
        let both = |set: &S| set.contains(from) && set.contains(to);
        both(&by_left) || both(&by_right)
    };
    board.map.walk_parts(&board.open, joined, |places| {
        let mut cells = board.map.empty();
        places.iter().for_each(|&place| cells.insert(place));
        visit(&cells)
    })
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
