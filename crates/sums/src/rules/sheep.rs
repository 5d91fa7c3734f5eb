//! Battle Sheep: part of a herd walks as far as it can in one of six directions.

use super::cells::{Cells, Classes, Map, Touch, by_size};
use super::grid::{self, Grid, HEAD, HEX, Symmetry};
use super::{Complaint, Flow, Move, MoveVisitor, PartVisitor, Ruleset, integer};
use crate::interrupt::Interrupt;
use crate::value::{Nus, Player};
use std::ops::ControlFlow;
use std::sync::LazyLock;

/// The ruleset `sheep`: each cell is a signed byte, Left's herds positive.
pub struct Sheep;

impl Ruleset for Sheep {
    fn name(&self) -> &'static str {
        "sheep"
    }

    fn summary(&self) -> &'static str {
        "rows of numbers joined by '|', such as (3 0|0 -3), Left's herds positive: part of a herd walks as far as it can in one of six directions"
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

    fn moves(&self, position: &[u8], player: Player, visit: &mut MoveVisitor<'_>) -> Flow {
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
                    visit(Move::of([from, to, walking as usize]), &next)?;
                }
                next[HEAD + to] = 0;
            }
            next[HEAD + from] = grid.cells[from];
        }
        ControlFlow::Continue(())
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

    /// Herds that can never move again are walls; the parts that they separate are independent.
    fn split(&self, position: &[u8], part: &mut PartVisitor<'_>) -> Flow {
        let grid = Grid::of(position);
        by_size!(grid, pastures(&grid, part))
    }

    fn normalise(&self, position: &mut Vec<u8>) {
        position[HEAD..]
            .iter_mut()
            .filter(|cell| **cell == WALL.wrapping_neg())
            .for_each(|cell| *cell = WALL);
        grid::least_image(position, Symmetry::Hexagons);
    }

    /// If both players are sure to make all their moves, the value is the difference.
    fn known_value(&self, position: &[u8], _interrupt: &Interrupt) -> Option<Nus> {
        let (low, high) = difference(prospects(position));
        (low == high).then(|| integer(low))
    }

    fn is_value_by_bounds(&self) -> bool {
        true
    }

    /// The sure moves of one player minus the maximum number of moves of the other.
    fn bounds(&self, position: &[u8], _mobility: [usize; 2]) -> Option<(i64, i64)> {
        Some(difference(prospects(position)))
    }

    fn seldom_recurs(&self) -> bool {
        true
    }

    /// The same few herds seldom recur: values are useful for two moves, not for eight.
    fn size(&self, position: &[u8]) -> usize {
        let (left, right) = splits(&position[HEAD..]);
        (left + right).min(room(position)) as usize * 4
    }
}

/// Visits the parts that walls separate; herds are connected only through empty cells.
fn pastures<S: Cells>(grid: &Grid<'_>, part: &mut PartVisitor<'_>) -> Flow {
    let map = Map::<S>::of(grid);
    let [empty, left, right] = map.classes(grid, &CLASSES);
    let moving = left.or(&right).and(&map.touched(&empty, Touch::Hexagons));
    let mut herds = moving.clone();
    let mut board = Vec::with_capacity(HEAD + grid.cells.len());
    if S::IS_LARGE {
        let is_joined = |from, to| {
            let is_moving = |place| empty.contains(place) || moving.contains(place);
            (empty.contains(from) || empty.contains(to)) && is_moving(to)
        };
        let mut seen = map.empty();
        return map.places(&moving).try_for_each(|place| {
            if seen.contains(place) {
                return ControlFlow::Continue(());
            }
            seen.insert(place);
            let pasture = map.walk(vec![place], &HEX, &mut seen, is_joined);
            let cells: Vec<usize> = pasture.into_iter().map(|place| map.cell(place)).collect();
            grid.cut(&cells, WALL, &mut board);
            part(&board)
        });
    }
    while let Some(place) = herds.first_place() {
        let (mut joined, mut room) = (map.singleton(place), map.empty());
        loop {
            room = reach(
                map,
                &room.or(&map.touched(&joined, Touch::Hexagons)),
                &empty,
            );
            let all = moving.and(&map.touched(&room, Touch::Hexagons));
            if all == joined {
                break;
            }
            joined = all;
        }
        herds = herds.minus(&joined);
        map.cut(grid, &joined.or(&room), WALL, &mut board);
        part(&board)?;
    }
    ControlFlow::Continue(())
}

/// The cells of a set that are connected to a seed in it.
fn reach<S: Cells>(map: Map<S>, seeds: &S, set: &S) -> S {
    let mut reached = seeds.and(set);
    if S::IS_LARGE {
        let seeds = map.places(&reached).collect();
        map.walk(seeds, &HEX, &mut reached, |_, to| set.contains(to));
        return reached;
    }
    loop {
        let grown = reached.or(&map.touched(&reached, Touch::Hexagons).and(set));
        if grown == reached {
            return reached;
        }
        reached = grown;
    }
}

/// Empty cells, Left's herds and Right's; single sheep belong to no class.
static CLASSES: Classes = classes();

const fn classes() -> Classes {
    let mut classes = [u8::MAX; 256];
    classes[0] = 0;
    let mut herd = 2;
    while herd < 128 {
        classes[herd] = 1;
        classes[256 - herd] = 2;
        herd += 1;
    }
    classes
}

/// A single sheep never moves: it is a wall for both players.
const WALL: u8 = 1;

/// Bounds on the number of moves of a player.
#[derive(Clone, Copy, Default)]
struct Prospect {
    /// The minimum, for all moves of the opponent.
    sure: i64,
    /// The maximum, when the opponent makes all sure moves.
    most: i64,
}

/// The prospects of both players. At least one sheep remains on every cell, so that empty cells
/// next to herds of only one player belong to that player.
fn prospects(position: &[u8]) -> [Prospect; 2] {
    let grid = Grid::of(position);
    by_size!(grid, prospects_on(&grid))
}

fn prospects_on<S: Cells>(grid: &Grid<'_>) -> [Prospect; 2] {
    let map = Map::<S>::of(grid);
    let pasture = Pasture::of(grid, map);
    let mut herds = Vec::with_capacity(8);
    let walks = [0, 1].map(|player| pasture.sure_walks(grid, map, player, &mut herds));
    pasture.prospects(walks)
}

/// The least and the greatest difference of the numbers of moves, Left's minus Right's.
fn difference([left, right]: [Prospect; 2]) -> (i64, i64) {
    (left.sure - right.most, left.most - right.sure)
}

/// The cells that each player can reach.
struct Pasture<S> {
    herds: [S; 2],
    splits: [i64; 2],
    /// Empty cells that only one player can ever reach.
    own: [S; 2],
    /// Empty cells that both may reach.
    shared: S,
}

impl<S: Cells> Pasture<S> {
    fn of(grid: &Grid<'_>, map: Map<S>) -> Pasture<S> {
        let [empty, left, right] = map.classes(grid, &CLASSES);
        let herds = [left, right];
        let [left, right] = [0, 1].map(|player| {
            let beside = map.touched(&herds[player], Touch::Hexagons);
            reach(map, &beside, &empty)
        });
        let splits = splits(grid.cells);
        Pasture {
            herds,
            splits: [splits.0, splits.1],
            own: [left.minus(&right), right.minus(&left)],
            shared: left.and(&right),
        }
    }

    /// The prospects, from the sure moves of each player.
    fn prospects(&self, walks: [(i64, i64); 2]) -> [Prospect; 2] {
        [0, 1].map(|player| {
            let (alone, contested) = walks[player];
            let (_, theirs) = walks[1 - player];
            Prospect {
                sure: alone + contested,
                most: self.most(player, theirs),
            }
        })
    }

    /// The maximum number of moves of a player, when the opponent makes `theirs` moves onto cells
    /// that both may reach.
    fn most(&self, player: usize, theirs: i64) -> i64 {
        let room = i64::from(self.own[player].len()) + i64::from(self.shared.len()) - theirs;
        self.splits[player].min(room)
    }

    /// The number of sure moves of a player when the opponent moves first and both take turns:
    /// moves onto the player's own cells, and onto cells of both.
    ///
    /// A herd sends single sheep along ways that it has claimed, each to the far end, which
    /// shortens the way by one. Otherwise only a move of the opponent, which fills one cell,
    /// shortens a way; as no cell lies on two claimed ways, each such move blocks one herd, which
    /// then moves in reply.
    fn sure_walks(
        &self,
        grid: &Grid<'_>,
        map: Map<S>,
        player: usize,
        herds: &mut Vec<(i64, usize)>,
    ) -> (i64, i64) {
        let blocks = self.most(1 - player, 0);
        let mut free = self.own[player].clone();
        let mut alone = 0;
        herds.clear();
        for place in map.places(&self.herds[player]) {
            let herd = grid.cells[map.cell(place)] as i8;
            let splits = i64::from(herd.unsigned_abs()) - 1;
            let unopposed = unopposed_walks(map, place, splits, &mut free);
            alone += unopposed;
            if splits > unopposed {
                herds.push((splits - unopposed, place));
            }
        }
        // Herds with the fewest wanted moves claim their ways first.
        herds.sort_unstable();
        let mut taken = map.empty();
        let claims = herds.iter();
        let claims =
            claims.map(|&(wanted, place)| self.claim(map, place, wanted, blocks, &mut taken));
        (alone, claims.sum())
    }

    /// Claims ways for a herd until it is sure to make the wanted number of moves; returns the
    /// number of sure moves.
    fn claim(&self, map: Map<S>, place: usize, wanted: i64, blocks: i64, taken: &mut S) -> i64 {
        // The herd's free ways, shortest first; most herds have few.
        let (mut rays, mut count) = ([(0, 0); HEX.len()], 0);
        for way in HEX {
            let length = map.ray_length(place, way, &self.shared, usize::MAX);
            if length > 0 {
                rays[count] = (length, map.step(way));
                count += 1;
            }
        }
        let rays = &mut rays[..count];
        rays.sort_unstable();
        let (mut ways, mut walks) = (Ways::default(), 0);
        for &mut (length, step) in rays {
            let cells = || (1..=length as isize).map(|n| place.wrapping_add_signed(n * step));
            if cells().any(|at| taken.contains(at)) {
                continue;
            }
            cells().for_each(|at| taken.insert(at));
            ways[length.min(LONGEST_WAY)] += 1;
            walks = i64::from(WALKS.of(ways, blocks));
            if walks >= wanted {
                return wanted;
            }
        }
        walks
    }
}

/// The number of single sheep, out of `sheep`, that walk straight from a herd into cells that the
/// opponent cannot reach, one after another; the cells are removed from `free`.
fn unopposed_walks<S: Cells>(map: Map<S>, place: usize, sheep: i64, free: &mut S) -> i64 {
    let mut walks = 0;
    if free.is_empty() {
        return walks;
    }
    for way in HEX {
        let length = map.ray_length(place, way, free, usize::MAX);
        for distance in (1..=length).rev().take((sheep - walks) as usize) {
            free.remove(along(map, place, way, distance));
            walks += 1;
        }
    }
    walks
}

/// The place at a distance from another.
fn along<S: Cells>(map: Map<S>, place: usize, way: (isize, isize), distance: usize) -> usize {
    place.wrapping_add_signed(map.step(way) * distance as isize)
}

/// Ways longer than this count as this long.
const LONGEST_WAY: usize = 4;

/// The number of ways of each length that a herd has.
type Ways = [u8; LONGEST_WAY + 1];

/// For all numbers of ways, how often a herd can send a sheep along one of them, when before each
/// move the opponent may block one of them, up to a total number of blocks.
static WALKS: LazyLock<Walks> = LazyLock::new(Walks::new);

/// A herd has no more ways to block.
const MOST_BLOCKS: usize = HEX.len();

/// Indexed by blocks, then by ways.
struct Walks(Vec<[u8; 7usize.pow(LONGEST_WAY as u32)]>);

impl Walks {
    fn new() -> Walks {
        const NUMBERS: usize = 7usize.pow(LONGEST_WAY as u32);
        let is_possible = |ways: &Ways| usize::from(ways[1..].iter().sum::<u8>()) <= HEX.len();
        let possible: Vec<Ways> = (0..NUMBERS).map(ways_of).filter(is_possible).collect();
        let mut walks = Walks(Vec::new());
        for blocks in 0..=MOST_BLOCKS {
            walks.0.push([0; NUMBERS]);
            // Shortened ways have a smaller number.
            for &ways in &possible {
                walks.0[blocks][number_of(ways)] = walks.find(ways, blocks);
            }
        }
        walks
    }

    fn of(&self, ways: Ways, blocks: i64) -> u8 {
        let blocks = usize::try_from(blocks).map_or(0, |blocks| blocks.min(MOST_BLOCKS));
        self.0[blocks][number_of(ways)]
    }

    /// The opponent blocks a way, best at its start, or none.
    fn find(&self, ways: Ways, blocks: usize) -> u8 {
        let mut least = self.best_walk(ways, blocks);
        for long in (1..=LONGEST_WAY).filter(|&long| blocks > 0 && ways[long] > 0) {
            least = least.min(self.best_walk(shortened(ways, long, 0), blocks - 1));
        }
        least
    }

    /// A sheep walks, if there is a way.
    fn best_walk(&self, ways: Ways, blocks: usize) -> u8 {
        let lengths = (1..=LONGEST_WAY).filter(|&long| ways[long] > 0);
        let walk = |long| 1 + self.of(shortened(ways, long, long - 1), blocks as i64);
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
    let counts = ways[1..].iter().rev();
    counts.fold(0, |number, &count| 7 * number + usize::from(count))
}

fn ways_of(mut number: usize) -> Ways {
    let mut ways = Ways::default();
    for count in &mut ways[1..] {
        *count = (number % 7) as u8;
        number /= 7;
    }
    ways
}

/// The number of times that the herds of each player can still split.
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

/// One row of numbers separated by blanks or commas.
fn parse_row(row: &str, shift: usize) -> Result<Vec<u8>, Complaint> {
    let blank = |letter: char| letter.is_whitespace() || letter == ',';
    let mut herds = Vec::new();
    let mut at = 0;
    for word in row.split(blank) {
        if !word.is_empty() {
            let span = shift + at..shift + at + word.len();
            let herd = word.parse::<i64>().map_err(|_| {
                Complaint::new(span.clone(), format!("'{word}' is not a number of sheep"))
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
    use super::super::testing::{check_laws, known_value, moves, parts};
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
        let value = |text: &str| known_value(&Sheep, text);
        let open = "0 0 0 0 0 0 | 0 4 0 0 0 0 | 0 0 0 0 0 0 | 0 0 0 0 -3 0 | 0 0 0 0 0 0";
        assert_eq!(value(open), Some(integer(1)));
        assert_eq!(value("2 0 -2"), None);
    }

    #[test]
    fn walks_along_ways_that_can_be_cut() {
        let often = |ways| WALKS.of(ways, 99);
        assert_eq!(often([0, 1, 0, 0, 0]), 0);
        assert_eq!(often([0, 2, 0, 0, 0]), 1);
        assert_eq!(often([0, 4, 0, 0, 0]), 2);
        assert_eq!(often([0, 0, 2, 0, 0]), 1);
        assert_eq!(often([0, 0, 0, 0, 6]), 5);
        assert_eq!(WALKS.of([0, 0, 0, 0, 6], 0), 24);
        assert_eq!(WALKS.of([0, 0, 0, 0, 2], 1), 4);
        assert_eq!(WALKS.of([0, 2, 0, 0, 0], 1), 1);
    }

    #[test]
    fn bad_herds_are_refused() {
        assert_eq!(Sheep.parse("3 0|x 1").unwrap_err().span, 4..5);
        assert_eq!(Sheep.parse("3 500").unwrap_err().span, 2..5);
        assert!(Sheep.parse("3 0|1").is_err());
    }
}
