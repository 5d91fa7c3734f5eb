//! Battle Sheep: part of a herd walks as far as it can in one of six directions.

use super::cells::{Cells, Map, by_size};
use super::grid::{self, Grid, HEAD, HEX, Symmetry};
use super::{Complaint, Move, Ruleset, integer};
use crate::value::{Nus, Player};
use std::sync::LazyLock;

/// The ruleset `sheep`: each cell is a signed byte, Left's herds positive.
pub struct Sheep;

impl Ruleset for Sheep {
    fn name(&self) -> &'static str {
        "sheep"
    }

    fn summary(&self) -> &'static str {
        "rows of numbers joined by '|', as (3 0|0 -3), Left's herds positive: part of a herd walks as far as it can in one of six directions"
    }

    fn parse(&self, text: &str) -> Result<Vec<u8>, Complaint> {
        let mut position = vec![0; HEAD];
        let mut columns = None;
        let mut at = 0;
        for row in text.split('|') {
            let herds = parse_row(row, at)?;
            grid::check_width(&mut columns, herds.len(), at..at + row.len())?;
            position.extend(herds);
            at += row.len() + 1;
        }
        position[..HEAD].copy_from_slice(&(columns.unwrap_or(0) as u16).to_le_bytes());
        Ok(position)
    }

    fn print(&self, position: &[u8]) -> String {
        let grid = Grid::of(position);
        if grid.cols == 0 {
            return String::new();
        }
        let row = |row: &[u8]| {
            row.iter()
                .map(|&cell| (cell as i8).to_string())
                .collect::<Vec<_>>()
                .join(" ")
        };
        grid.cells
            .chunks(grid.cols)
            .map(row)
            .collect::<Vec<_>>()
            .join(" | ")
    }

    fn moves(&self, position: &[u8], player: Player, visit: &mut dyn FnMut(Move, &[u8])) {
        let grid = Grid::of(position);
        let sign = if player == Player::Left { 1 } else { -1 };
        let mut next = position.to_vec();
        for from in 0..grid.cells.len() {
            let herd = grid.cells[from] as i8 * sign;
            if herd < 2 {
                continue;
            }
            for to in HEX.iter().filter_map(|&way| {
                grid.ray(from, way)
                    .take_while(|&at| grid.cells[at] == 0)
                    .last()
            }) {
                for walking in 1..herd {
                    next[HEAD + from] = ((herd - walking) * sign) as u8;
                    next[HEAD + to] = (walking * sign) as u8;
                    visit(Move::of([from, to, walking as usize]), &next);
                }
                next[HEAD + to] = 0;
            }
            next[HEAD + from] = grid.cells[from];
        }
    }

    fn mobility(&self, position: &[u8]) -> [usize; 2] {
        let grid = Grid::of(position);
        let mut counts = [0; 2];
        for (from, herd) in grid.cells.iter().map(|&cell| cell as i8).enumerate() {
            if herd.unsigned_abs() > 1 {
                let ways = grid.around(from, &HEX).filter(|&to| grid.cells[to] == 0);
                let splits = usize::from(herd.unsigned_abs()) - 1;
                counts[usize::from(herd < 0)] += ways.count() * splits;
            }
        }
        counts
    }

    fn print_move(&self, position: &[u8], _player: Player, mv: Move) -> String {
        let cols = Grid::of(position).cols;
        let [from, to, walking] = mv.parts();
        format!(
            "{}-{}-{walking}",
            grid::cell_name(cols, from),
            grid::cell_name(cols, to)
        )
    }

    fn negative(&self, position: &[u8]) -> Vec<u8> {
        let mut negative = position.to_vec();
        negative[HEAD..]
            .iter_mut()
            .for_each(|cell| *cell = cell.wrapping_neg());
        negative
    }

    /// Herds that cannot move again are walls; what they separate is independent.
    fn split(&self, position: &[u8], part: &mut dyn FnMut(&[u8])) {
        let still = walled(position);
        let grid = Grid::of(&still);
        by_size!(grid, pastures(&grid, part));
    }

    fn normalise(&self, position: &mut Vec<u8>) {
        position[HEAD..]
            .iter_mut()
            .filter(|cell| **cell == WALL.wrapping_neg())
            .for_each(|cell| *cell = WALL);
        grid::least_image(position, Symmetry::Hexagons);
    }

    /// Where both players can surely make all their moves the value is the difference.
    fn known_value(&self, position: &[u8]) -> Option<Nus> {
        let [left, right] = prospects(position);
        let certain = left.sure == left.most && right.sure == right.most;
        certain.then(|| integer(left.most - right.most))
    }

    /// Moves that one player has for sure, less the most that the other can make.
    fn bounds(&self, position: &[u8], _mobility: [usize; 2]) -> Option<(i64, i64)> {
        let [left, right] = prospects(position);
        Some((left.sure - right.most, left.most - right.sure))
    }

    /// The same few herds seldom come again: values pay for three moves, not for eight.
    fn size(&self, position: &[u8]) -> usize {
        let (left, right) = splits(&position[HEAD..]);
        (left + right).min(room(position)) as usize * 5 / 2
    }
}

/// Shows what walls separate; herds are joined through empty cells only.
fn pastures<S: Cells>(grid: &Grid<'_>, part: &mut dyn FnMut(&[u8])) {
    let map = Map::<S>::of(grid);
    let empty = map.cells(grid, |cell| cell == 0);
    let herds = map.cells(grid, |cell| cell != 0 && cell != WALL);
    let grow = |part: &S| {
        let reached = map.around(&part.and(&empty), &HEX).and(&empty.or(&herds));
        reached.or(&map.around(&part.and(&herds), &HEX).and(&empty))
    };
    let mut pasture = Vec::new();
    map.parts(&empty, grow, |cells| {
        if cells.meets(&herds) {
            map.cut(grid, cells, WALL, &mut pasture);
            part(&pasture);
        }
    });
}

/// A single sheep never moves: it is a wall, whoever owns it.
const WALL: u8 = 1;

/// How many moves a player can make.
#[derive(Clone, Copy, Default)]
struct Prospect {
    /// At least this many, whatever the other does.
    sure: i64,
    /// At most this many.
    most: i64,
}

/// What both players may hope for. No cell is ever left by all of its sheep, so that empty cells
/// which touch herds of one player only are his forever.
fn prospects(position: &[u8]) -> [Prospect; 2] {
    let grid = Grid::of(position);
    by_size!(grid, prospects_on(&grid))
}

fn prospects_on<S: Cells>(grid: &Grid<'_>) -> [Prospect; 2] {
    let map = Map::<S>::of(grid);
    let empty = map.cells(grid, |cell| cell == 0);
    let herds = [1, -1].map(|sign| map.cells(grid, |cell| cell as i8 * sign > 1));
    let (mut room, mut own) = ([0; 2], [map.nothing(), map.nothing()]);
    map.touching(&empty, &HEX, |region| {
        let rim = map.around(region, &HEX);
        let reached = [0, 1].map(|player| rim.meets(&herds[player]));
        for player in (0..2).filter(|&player| reached[player]) {
            room[player] += i64::from(region.len());
            if !reached[1 - player] {
                own[player] = own[player].or(region);
            }
        }
    });
    let (left, right) = splits(grid.cells);
    [(0, left), (1, right)].map(|(player, splits)| {
        let alone = sure_moves(grid, map, &herds[player], &own[player]);
        let contested = || sure_walks(grid, map, &herds[player], &empty);
        let most = splits.min(room[player]);
        Prospect {
            sure: if alone == most {
                most
            } else {
                alone.max(contested())
            },
            most,
        }
    })
}

/// How many single sheep can leave these herds at least, when the other player moves first and
/// both take turns, whatever he does.
///
/// A herd sends single sheep along its ways, each to the far end, which shortens the way by one.
/// Nothing else shortens it but a move of the other player, who fills one cell; as long as no
/// cell lies on ways of two herds each of his moves harms one herd, which then moves in return.
fn sure_walks<S: Cells>(grid: &Grid<'_>, map: Map<S>, herds: &S, empty: &S) -> i64 {
    // 1. Cells on the ways of exactly one herd.
    let (mut once, mut twice) = (map.nothing(), map.nothing());
    for place in map.places(herds) {
        let mut ways = map.nothing();
        for way in HEX {
            walk(map, place, way, empty).for_each(|at| ways = ways.or(&at));
        }
        twice = twice.or(&once.and(&ways));
        once = once.or(&ways);
    }
    let private = once.minus(&twice);
    // 2. Each herd for itself.
    let mut walks = 0;
    for place in map.places(herds) {
        let mut ways = Ways::default();
        for way in HEX {
            let length = walk(map, place, way, &private).take(LONGEST_WAY).count();
            ways[length] += 1;
        }
        let herd = grid.cells[map.cell(place)] as i8;
        let splits = i64::from(herd.unsigned_abs()) - 1;
        walks += splits.min(i64::from(WALKS.of(ways)));
    }
    walks
}

/// The cells on the way from a place, as far as it lies within a set.
fn walk<S: Cells>(
    map: Map<S>,
    place: usize,
    way: (isize, isize),
    within: &S,
) -> impl Iterator<Item = S> {
    let next = move |at: &S| Some(map.around(at, &[way]).and(within)).filter(S::is_any);
    std::iter::successors(next(&map.one(place)), next)
}

/// Ways longer than this count as this long.
const LONGEST_WAY: usize = 4;

/// How many ways of each length a herd has.
type Ways = [u8; LONGEST_WAY + 1];

/// For all numbers of ways: how often a herd can send a sheep along one of them, when each time
/// before that the other player may shorten one of them as he likes.
static WALKS: LazyLock<Walks> = LazyLock::new(Walks::new);

struct Walks(Vec<Option<u8>>);

impl Walks {
    fn new() -> Walks {
        let mut walks = Walks(vec![None; 7usize.pow(LONGEST_WAY as u32)]);
        for number in 0..walks.0.len() {
            let ways = ways_of(number);
            if ways[1..].iter().sum::<u8>() <= 6 {
                walks.find(ways);
            }
        }
        walks
    }

    fn of(&self, ways: Ways) -> u8 {
        self.0[number_of(ways)].unwrap_or(0)
    }

    /// The other player shortens a way or none.
    fn find(&mut self, ways: Ways) -> u8 {
        if let Some(found) = self.0[number_of(ways)] {
            return found;
        }
        let mut least = self.best_walk(ways);
        for long in (1..=LONGEST_WAY).filter(|&long| ways[long] > 0) {
            for short in 0..long {
                least = least.min(self.best_walk(shortened(ways, long, short)));
            }
        }
        self.0[number_of(ways)] = Some(least);
        least
    }

    /// A sheep walks, if there is a way.
    fn best_walk(&mut self, ways: Ways) -> u8 {
        let lengths = (1..=LONGEST_WAY).filter(|&long| ways[long] > 0);
        let walk = |long| 1 + self.find(shortened(ways, long, long - 1));
        lengths.map(walk).max().unwrap_or(0)
    }
}

fn shortened(mut ways: Ways, long: usize, short: usize) -> Ways {
    ways[long] -= 1;
    ways[short] += 1;
    ways
}

/// Ways of length 0 do not count.
fn number_of(ways: Ways) -> usize {
    ways[1..]
        .iter()
        .fold(0, |number, &count| 7 * number + usize::from(count))
}

fn ways_of(mut number: usize) -> Ways {
    let mut ways = Ways::default();
    for long in (1..=LONGEST_WAY).rev() {
        ways[long] = (number % 7) as u8;
        number /= 7;
    }
    ways
}

/// How many single sheep walk straight from these herds into these cells, one after another.
fn sure_moves<S: Cells>(grid: &Grid<'_>, map: Map<S>, herds: &S, own: &S) -> i64 {
    if !own.is_any() {
        return 0;
    }
    let mut free = vec![false; grid.cells.len()];
    map.each(own).for_each(|at| free[at] = true);
    let mut moves = 0;
    for from in map.each(herds) {
        let mut walkers = (grid.cells[from] as i8).unsigned_abs() - 1;
        for way in HEX {
            let line: Vec<usize> = grid.ray(from, way).take_while(|&at| free[at]).collect();
            for &at in line.iter().rev().take(usize::from(walkers)) {
                free[at] = false;
                walkers -= 1;
                moves += 1;
            }
        }
    }
    moves
}

/// How often the herds of each player can still split.
fn splits(cells: &[u8]) -> (i64, i64) {
    let (mut left, mut right) = (0, 0);
    for herd in cells.iter().map(|&cell| i64::from(cell as i8)) {
        left += (herd - 1).max(0);
        right += (-herd - 1).max(0);
    }
    (left, right)
}

fn room(position: &[u8]) -> i64 {
    position[HEAD..].iter().filter(|&&cell| cell == 0).count() as i64
}

/// The board with every herd that cannot move again replaced by a wall.
fn walled(position: &[u8]) -> Vec<u8> {
    let grid = Grid::of(position);
    let mut still = position.to_vec();
    for at in 0..grid.cells.len() {
        let alone = matches!(grid.cells[at] as i8, -1 | 1);
        let shut_in = grid.cells[at] != 0 && grid.around(at, &HEX).all(|to| grid.cells[to] != 0);
        if alone || shut_in {
            still[HEAD + at] = WALL;
        }
    }
    still
}

/// One row of numbers separated by blanks or commas.
fn parse_row(row: &str, shift: usize) -> Result<Vec<u8>, Complaint> {
    let blank = |letter: char| letter.is_whitespace() || letter == ',';
    let mut herds = Vec::new();
    let mut at = 0;
    for word in row.split(blank) {
        if !word.is_empty() {
            let span = shift + at..shift + at + word.len();
            let herd = word.parse::<i64>().map_err(|_| {
                Complaint::new(span.clone(), format!("'{word}' is no number of sheep"))
            })?;
            let fits = i8::try_from(herd).ok().filter(|&herd| herd != i8::MIN);
            herds.push(
                fits.ok_or_else(|| Complaint::new(span, "a herd has at most 127 sheep"))? as u8,
            );
        }
        at += word.len() + 1;
    }
    Ok(herds)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_laws, moves, parts};
    use super::*;

    #[test]
    fn herds_walk_as_far_as_they_can() {
        assert_eq!(
            moves(&Sheep, "2 0 0|0 0 -2|0 0 0", Player::Left),
            ["a1-a3-1", "a1-c1-1"]
        );
        assert_eq!(
            moves(&Sheep, "0 0 0 | 0 3 0 | 0 0 0", Player::Left).len(),
            12
        );
        assert_eq!(moves(&Sheep, "-3 0", Player::Right), ["a1-b1-1", "a1-b1-2"]);
    }

    #[test]
    fn walls_separate_pastures() {
        assert_eq!(parts(&Sheep, "3 0 1 -2 0"), ["0 -2", "0 3"]);
        ["2 0|0 -2", "0 0 0|3 0 -3"]
            .iter()
            .for_each(|text| check_laws(&Sheep, text));
    }

    #[test]
    fn herds_with_room_make_all_their_moves() {
        let value = |text: &str| Sheep.known_value(&Sheep.parse(text).unwrap());
        let open = "0 0 0 0 0 0 | 0 4 0 0 0 0 | 0 0 0 0 0 0 | 0 0 0 0 -3 0 | 0 0 0 0 0 0";
        assert_eq!(value(open), Some(integer(1)));
        assert_eq!(value("2 0 -2"), None);
    }

    #[test]
    fn walks_along_ways_that_can_be_cut() {
        assert_eq!(WALKS.of([0, 1, 0, 0, 0]), 0);
        assert_eq!(WALKS.of([0, 2, 0, 0, 0]), 1);
        assert_eq!(WALKS.of([0, 4, 0, 0, 0]), 2);
        assert_eq!(WALKS.of([0, 0, 2, 0, 0]), 1);
        assert_eq!(WALKS.of([0, 0, 0, 0, 6]), 5);
    }

    #[test]
    fn bad_herds_are_refused() {
        assert_eq!(Sheep.parse("3 0|x 1").unwrap_err().span, 4..5);
        assert_eq!(Sheep.parse("3 500").unwrap_err().span, 2..5);
        assert!(Sheep.parse("3 0|1").is_err());
    }
}
