//! Battle Sheep: part of a herd walks as far as it can in one of six directions.

use super::cells::{Cells, Classes, Map, Touch, by_size};
use super::grid::{self, Grid, HEAD, HEX, Symmetry};
use super::{Complaint, Flow, Move, MoveVisitor, PartVisitor, Ruleset, integer};
use crate::interrupt::Interrupt;
use crate::value::{Nus, Player};
use std::ops::ControlFlow;

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

    /// Both players may move all herds, so it does not matter whose they are.
    fn normalise_impartial(&self, position: &mut Vec<u8>) {
        for cell in &mut position[HEAD..] {
            *cell = (*cell as i8).unsigned_abs();
        }
        self.normalise(position);
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

    /// After some move the sure moves are as many as the opponent can make.
    fn has_winning_move(&self, position: &[u8], player: Player) -> bool {
        let grid = Grid::of(position);
        by_size!(grid, has_winning_walk(&grid, player as usize))
    }

    fn seldom_recurs(&self) -> bool {
        true
    }

    /// The same few herds seldom recur: values are useful for two moves, not for eight.
    fn size(&self, position: &[u8]) -> usize {
        let [left, right] = total_splits(&position[HEAD..]);
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

/// A player has a walk after which the player surely makes as many moves as the opponent can.
fn has_winning_walk<S: Cells>(grid: &Grid<'_>, player: usize) -> bool {
    if S::IS_LARGE {
        return false;
    }
    let map = Map::<S>::of(grid);
    let [empty, left, right] = map.classes(grid, &CLASSES);
    let mut look = LookAhead::new(grid, player, [left, right]);
    for from in map.places(&look.before[player]) {
        for way in HEX {
            let length = map.ray_length(from, way, &empty, usize::MAX);
            if length > 0 && look.is_winning(from, along(map, from, way, length), &empty) {
                return true;
            }
        }
    }
    false
}

/// Walks looked at: a look must not take long, and a position with many walks is far from its end.
const MOST_LOOKS: u32 = 200;

/// The position after one walk.
struct LookAhead<'a, S> {
    map: Map<S>,
    grid: Grid<'a>,
    player: usize,
    /// The herds of both players before the walk.
    before: [S; 2],
    /// The number of times that herds can still split after the walk, which splits one once.
    splits: [i64; 2],
    /// The cells after the walk; the signs of herds do not matter.
    cells: Vec<u8>,
    herds: Vec<(i64, usize)>,
    /// Walks that may still be looked at.
    looks_left: u32,
}

impl<'a, S: Cells> LookAhead<'a, S> {
    fn new(grid: &Grid<'a>, player: usize, before: [S; 2]) -> LookAhead<'a, S> {
        let mut splits = total_splits(grid.cells);
        splits[player] -= 1;
        LookAhead {
            map: Map::of(grid),
            grid: *grid,
            player,
            before,
            splits,
            cells: grid.cells.to_vec(),
            herds: Vec::with_capacity(8),
            looks_left: MOST_LOOKS,
        }
    }

    /// One of the walks from one place to another wins.
    fn is_winning(&mut self, from: usize, to: usize, empty: &S) -> bool {
        let (start, end) = (self.map.cell(from), self.map.cell(to));
        let herd = (self.grid.cells[start] as i8).unsigned_abs();
        let mut room = empty.clone();
        room.remove(to);
        let theirs = adjacent_room(self.map, &self.before[1 - self.player], &room);
        let is_winning = (1..herd).any(|walking| {
            self.cells[start] = herd - walking;
            self.cells[end] = walking;
            self.looks_left = self.looks_left.saturating_sub(1);
            self.looks_left > 0
                && self.is_won([(from, herd - walking), (to, walking)], &room, &theirs)
        });
        self.cells[start] = herd;
        self.cells[end] = 0;
        is_winning
    }

    /// After a herd has become two, the player's sure moves are as many as the opponent can make.
    /// The cells that the opponent can reach are the same for all walks to the same place.
    fn is_won(&mut self, halves: [(usize, u8); 2], room: &S, theirs: &S) -> bool {
        let (player, map) = (self.player, self.map);
        let mut herds = self.before.clone();
        for (place, size) in halves {
            herds[player].remove(place);
            if size > 1 {
                herds[player].insert(place);
            }
        }
        let mut reached = [theirs.clone(), theirs.clone()];
        reached[player] = adjacent_room(map, &herds[player], room);
        let pasture = Pasture::new(herds, self.splits, reached);
        if !pasture.may_win(player) {
            return false;
        }
        let after = Grid {
            cells: &self.cells,
            ..self.grid
        };
        let (alone, contested) = pasture.sure_walks(&after, map, player, &mut self.herds);
        alone + contested >= pasture.most(1 - player, contested)
    }
}

/// The empty cells that these herds can reach.
fn adjacent_room<S: Cells>(map: Map<S>, herds: &S, empty: &S) -> S {
    reach(map, &map.touched(herds, Touch::Hexagons), empty)
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
        let reached = [0, 1].map(|player| adjacent_room(map, &herds[player], &empty));
        Pasture::new(herds, total_splits(grid.cells), reached)
    }

    /// From the herds of each player, how often they can split, and the cells that they can reach.
    fn new(herds: [S; 2], splits: [i64; 2], [left, right]: [S; 2]) -> Pasture<S> {
        Pasture {
            herds,
            splits,
            own: [left.minus(&right), right.minus(&left)],
            shared: left.and(&right),
        }
    }

    /// The player's sure moves may be as many as the opponent can make.
    fn may_win(&self, player: usize) -> bool {
        let best = self.most(player, 0);
        best >= self.most(1 - player, best)
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
        let mut free = self.own[player].clone();
        let mut alone = 0;
        herds.clear();
        for place in map.places(&self.herds[player]) {
            let herd = grid.cells[map.cell(place)] as i8;
            let splits = i64::from(herd.unsigned_abs()) - 1;
            let unopposed = unopposed_walks(map, place, splits, &mut free);
            alone += unopposed;
            if splits > unopposed && may_walk(map, place, &self.shared) {
                herds.push((splits - unopposed, place));
            }
        }
        if herds.is_empty() {
            return (alone, 0);
        }
        // Herds with the fewest wanted moves claim their ways first.
        herds.sort_unstable();
        let walks = walks_within(self.most(1 - player, 0));
        let mut taken = map.empty();
        let claims = herds.iter();
        let claims =
            claims.map(|&(wanted, place)| self.claim(map, place, wanted, walks, &mut taken));
        (alone, claims.sum())
    }

    /// The lengths and steps of a herd's ways through cells of both, shortest first, and their number.
    fn rays(&self, map: Map<S>, place: usize) -> ([(usize, isize); HEX.len()], usize) {
        let (mut rays, mut count) = ([(0, 0); HEX.len()], 0);
        for way in HEX {
            let length = map.ray_length(place, way, &self.shared, usize::MAX);
            if length > 0 {
                // Few enough to be inserted where they belong.
                let mut at = count;
                while at > 0 && rays[at - 1].0 > length {
                    rays[at] = rays[at - 1];
                    at -= 1;
                }
                rays[at] = (length, map.step(way));
                count += 1;
            }
        }
        (rays, count)
    }

    /// Claims ways for a herd until it is sure to make the wanted number of moves; returns the
    /// number of sure moves.
    fn claim(
        &self,
        map: Map<S>,
        place: usize,
        wanted: i64,
        walks_of: &WalksOfWays,
        taken: &mut S,
    ) -> i64 {
        let (rays, count) = self.rays(map, place);
        let (mut ways, mut walks) = (0, 0);
        for &(length, step) in &rays[..count] {
            let cells = || (1..=length as isize).map(|n| place.wrapping_add_signed(n * step));
            if cells().any(|at| taken.contains(at)) {
                continue;
            }
            cells().for_each(|at| taken.insert(at));
            ways += WAYS[length.min(LONGEST_WAY)];
            walks = i64::from(walks_of[ways]);
            if walks >= wanted {
                return wanted;
            }
        }
        walks
    }
}

/// Returns false if a herd at this place has no way within a set of cells.
fn may_walk<S: Cells>(map: Map<S>, place: usize, within: &S) -> bool {
    // Neighbours are sets of their own only on small boards; on large ones that costs too much.
    S::IS_LARGE
        || map
            .touched(&map.singleton(place), Touch::Hexagons)
            .intersects(within)
}

/// The number of single sheep, out of `sheep`, that walk straight from a herd into cells that the
/// opponent cannot reach, one after another; the cells are removed from `free`.
fn unopposed_walks<S: Cells>(map: Map<S>, place: usize, sheep: i64, free: &mut S) -> i64 {
    let mut walks = 0;
    if free.is_empty() || !may_walk(map, place, free) {
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

/// The number of ways of each length that a herd has is a number to this base; the last digit
/// counts the ways of length 1.
const BASE: usize = HEX.len() + 1;

/// For each length, what a way adds to this number. Ways of length 0 do not count.
const WAYS: [usize; LONGEST_WAY + 1] = [0, 1, BASE, BASE * BASE, BASE * BASE * BASE];

/// With a fixed number of blocks, for each number of ways.
type WalksOfWays = [u8; BASE.pow(LONGEST_WAY as u32)];

/// A herd has no more ways to block.
const MOST_BLOCKS: usize = HEX.len();

/// For all numbers of ways, how often a herd can send a sheep along one of them, when before each
/// move the opponent may block one of them, up to a total number of blocks, which is the index.
static WALKS: [WalksOfWays; MOST_BLOCKS + 1] = all_walks();

const fn all_walks() -> [WalksOfWays; MOST_BLOCKS + 1] {
    let mut walks = [[0; _]; MOST_BLOCKS + 1];
    let mut blocks = 0;
    while blocks <= MOST_BLOCKS {
        // Shortened ways have a smaller number, so they are found before.
        let mut ways = 0;
        while ways < walks[blocks].len() {
            if count_ways(ways) <= HEX.len() {
                walks[blocks][ways] = least_walk(&walks, ways, blocks);
            }
            ways += 1;
        }
        blocks += 1;
    }
    walks
}

/// The opponent blocks a way, best at its start, or none.
const fn least_walk(walks: &[WalksOfWays], ways: usize, blocks: usize) -> u8 {
    let mut least = best_walk(walks, ways, blocks);
    let mut length = 1;
    while blocks > 0 && length <= LONGEST_WAY {
        if has_way(ways, length) {
            let blocked = best_walk(walks, ways - WAYS[length], blocks - 1);
            least = if blocked < least { blocked } else { least };
        }
        length += 1;
    }
    least
}

/// A sheep walks, if there is a way.
const fn best_walk(walks: &[WalksOfWays], ways: usize, blocks: usize) -> u8 {
    let (mut best, mut length) = (0, 1);
    while length <= LONGEST_WAY {
        if has_way(ways, length) {
            let walk = 1 + walks[blocks][ways - WAYS[length] + WAYS[length - 1]];
            best = if walk > best { walk } else { best };
        }
        length += 1;
    }
    best
}

/// One of the ways has this length.
const fn has_way(ways: usize, length: usize) -> bool {
    !(ways / WAYS[length]).is_multiple_of(BASE)
}

/// The number of ways of all lengths together.
const fn count_ways(ways: usize) -> usize {
    match ways {
        0 => 0,
        _ => ways % BASE + count_ways(ways / BASE),
    }
}

/// The table for this number of blocks.
fn walks_within(blocks: i64) -> &'static WalksOfWays {
    let blocks = usize::try_from(blocks).map_or(0, |blocks| blocks.min(MOST_BLOCKS));
    &WALKS[blocks]
}

/// The number of times that the herds of each player can still split.
fn total_splits(cells: &[u8]) -> [i64; 2] {
    let (mut left, mut right) = (0, 0);
    for herd in cells.iter().map(|&cell| i64::from(cell as i8)) {
        left += (herd - 1).max(0);
        right += (-herd - 1).max(0);
    }
    [left, right]
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
    use super::super::testing::{
        check_impartial_normal_form, check_laws, known_value, moves, parts,
    };
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
    fn impartial_normal_forms_have_the_same_nim_value() {
        for text in ["3 0 -2|0 1 0", "2 0 0 -3", "0 -2|0 0|3 0"] {
            check_impartial_normal_form(&Sheep, text);
        }
    }

    #[test]
    fn herds_with_room_make_all_their_moves() {
        let value = |text: &str| known_value(&Sheep, text);
        let open = "0 0 0 0 0 0 | 0 4 0 0 0 0 | 0 0 0 0 0 0 | 0 0 0 0 -3 0 | 0 0 0 0 0 0";
        assert_eq!(value(open), Some(integer(1)));
        assert_eq!(value("2 0 -2"), None);
    }

    #[test]
    fn a_walk_that_wins_is_seen() {
        for (text, expected) in [
            // Either player takes the only cell.
            ("3 0 -3", [true, true]),
            // Left can shut Right in, but Right cannot shut Left in.
            ("0 0 0 2 0 -4", [true, false]),
            ("2 1 0 -2", [false, true]),
            ("1 0 -1", [false, false]),
        ] {
            let position = Sheep.parse(text).unwrap();
            let seen = Player::BOTH.map(|player| Sheep.has_winning_move(&position, player));
            assert_eq!(seen, expected, "{text}");
        }
    }

    #[test]
    fn walks_along_ways_that_can_be_cut() {
        let walks = |counts: [usize; 4], blocks| {
            let ways = counts.iter().zip(&WAYS[1..]);
            walks_within(blocks)[ways.map(|(count, way)| count * way).sum::<usize>()]
        };
        let often = |counts| walks(counts, 99);
        assert_eq!(often([1, 0, 0, 0]), 0);
        assert_eq!(often([2, 0, 0, 0]), 1);
        assert_eq!(often([4, 0, 0, 0]), 2);
        assert_eq!(often([0, 2, 0, 0]), 1);
        assert_eq!(often([0, 0, 0, 6]), 5);
        assert_eq!(walks([0, 0, 0, 6], 0), 24);
        assert_eq!(walks([0, 0, 0, 2], 1), 4);
        assert_eq!(walks([2, 0, 0, 0], 1), 1);
    }

    #[test]
    fn bad_herds_are_refused() {
        assert_eq!(Sheep.parse("3 0|x 1").unwrap_err().span, 4..5);
        assert_eq!(Sheep.parse("3 500").unwrap_err().span, 2..5);
        assert!(Sheep.parse("3 0|1").is_err());
    }
}
