//! NoGo on a strip.
//!
//! A strip falls apart into many small strips, so here a position is a sum: numbers are added up,
//! equal and opposite strips cancel, and one strip stands for all whose values differ from its own
//! by an integer. Otherwise the normal form is that of [`super::nogo`].
//!
//! A strip of up to [`MOST_VALUED`] open cells has a value. For longer ones [`Walls`] bound the
//! thermograph: bounds on the walls of its options give bounds on its own. Thermographs of sums are
//! sharper than stops where several strips are hot, and most positions end there.

mod walls;

use super::cells::take_first;
use super::{Board, Estimate, Flow, Incomplete, Order, Visitor};
use crate::game::Game;
use crate::rules::Grid;
use crate::solver::facts::{Bound, Facts, UNIT, decide};
use crate::value::{Dyadic, Forms, Limits, OutOfBudget, Player, Value};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};
use walls::{PART_OF_ONE, Scaffolds, Walls};

/// The most places of all strips of a position: the highest byte of a word stays free.
const MOST_PLACES: u32 = 56;

/// The longest board: the strips of nearly all its positions fit, with the places between them.
const MOST_CELLS: usize = 44;

/// The shortest board for this search. Shorter ones take the main search a tenth of a second.
const FEWEST_CELLS: usize = 22;

/// Strips of more open cells have no value here.
const MOST_VALUED: u32 = 8;

/// The steps allowed for one operation on values.
const MOST_STEPS: u64 = 5_000;

/// Strips of up to this many open cells have walls after so many positions were searched. Walls of
/// longer strips decide more positions, but there are many such strips: sooner, they take more time
/// than they save.
const LONGER_WALLS: [(u32, u64); 6] = [
    (9, 100),
    (10, 1_000),
    (11, 10_000),
    (12, 300_000),
    (13, 3_000_000),
    (14, 30_000_000),
];

/// The bytes of a strip and its walls in the map, with the free places.
const BYTES_PER_WALLS: usize = 170;

/// The share of memory for walls, and for values.
const WALLS_SHARE: usize = 3;
const VALUES_SHARE: usize = 8;

/// The class of strips without a value.
const NO_CLASS: u32 = u32::MAX;

/// Cells in a row, one bit for a cell. In arrays the mover comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
struct Strip {
    /// Empty cells where a player may play.
    open: u64,
    /// Stones of groups that are not known to be immortal; a group is one stone.
    stones: [u64; 2],
    /// Open cells where a stone of the player is immortal.
    safe: [u64; 2],
}

impl Hash for Strip {
    /// Stones and safe cells in one word: a safe cell is empty.
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let Strip { open, stones, safe } = self;
        hasher.write_u64(*open);
        hasher.write_u64(stones[0] | safe[0]);
        hasher.write_u64(stones[1] | safe[1]);
    }
}

/// A position as seen by the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Position {
    /// Strips in their order, with a free place after each.
    cells: Strip,
    number: i16,
}

/// What is known about a small strip.
#[derive(Clone, Copy, Debug)]
enum Known {
    /// The strip is a number.
    Number(i16),
    /// The strip is this class plus a number, and not a number itself.
    Class(u32, i16),
    /// The value is too hard to find or to count.
    Nothing,
}

/// Strips that differ by integers.
struct Class {
    /// The strip that stands for all.
    part: Part,
    /// The integer that was taken from its value to compare it with others.
    whole: i64,
    /// Its negative as the strip of a class and a number, if it was looked for.
    negative: Option<(Strip, i32)>,
}

/// A strip of a position with its bounds, as seen by Left.
#[derive(Clone, Copy)]
struct Part {
    strip: Strip,
    /// [`NO_CLASS`] if it has no value.
    class: u32,
    facts: Facts,
    walls: Walls,
}

/// What is known about strips.
pub(super) struct Strips {
    cells: usize,
    forms: Forms,
    value_bytes: usize,
    values: FxHashMap<Strip, Option<Value>>,
    known: FxHashMap<Strip, Known>,
    classes: Vec<Class>,
    class_of: FxHashMap<Value, u32>,
    walls: FxHashMap<Strip, Walls>,
    most_walls: usize,
    /// Strips of more open cells have no walls yet.
    longest_walls: u32,
    /// Positions searched.
    nodes: u64,
    facts: Vec<Facts>,
}

fn beside(set: u64) -> u64 {
    set << 1 | set >> 1
}

/// The set without a place; those above it move down.
fn without_place(set: u64, place: u32) -> u64 {
    let low = (1u64 << place) - 1;
    set & low | set >> 1 & !low
}

impl Strip {
    fn occupied(&self) -> u64 {
        self.open | self.stones[0] | self.stones[1]
    }

    fn length(&self) -> u32 {
        u64::BITS - self.occupied().leading_zeros()
    }

    fn map(&self, f: impl Fn(u64) -> u64) -> Strip {
        Strip {
            open: f(self.open),
            stones: self.stones.map(&f),
            safe: self.safe.map(&f),
        }
    }

    fn swapped(&self) -> Strip {
        let ([mine, theirs], [my_safe, their_safe]) = (self.stones, self.safe);
        Strip {
            open: self.open,
            stones: [theirs, mine],
            safe: [their_safe, my_safe],
        }
    }

    /// The lesser of the strip and its mirror image.
    fn turned(&self) -> Strip {
        let shift = u64::BITS - self.length();
        let mirror = self.map(|set| set.reverse_bits() >> shift);
        mirror.min(*self)
    }

    /// Keeps one stone of each group.
    fn shrink_groups(&mut self) {
        for player in 0..2 {
            loop {
                let stones = self.stones[player];
                let twice = stones & stones >> 1;
                if twice == 0 {
                    break;
                }
                let place = twice.trailing_zeros();
                *self = self.map(|set| without_place(set, place));
            }
        }
    }

    /// The cells where each player may play.
    fn legal(&self) -> [u64; 2] {
        let open = self.open;
        let airy = beside(open);
        let groups = self.stones.map(|stones| {
            let (low, high) = (stones & open << 1, stones & open >> 1);
            let (below, above) = (low & !high, high & !low);
            let last = below >> 1 | above << 1;
            (last, beside(low & high))
        });
        [0, 1].map(|player| {
            let (last, _) = groups[1 - player];
            let (_, firm) = groups[player];
            open & !last & (airy | firm | self.safe[player])
        })
    }

    /// Removes the groups on these cells: they are immortal.
    fn make_immortal(&mut self, player: usize, seeds: u64) {
        let group = self.stones[player] & seeds;
        self.stones[player] &= !group;
        self.safe[player] |= beside(group) & self.open;
    }

    /// Removes cells where neither player may play, and stones without an empty neighbour.
    fn close(&mut self) {
        let legal = self.legal();
        let closed = self.open & !legal[0] & !legal[1];
        if closed != 0 {
            self.open &= !closed;
            let near = beside(closed);
            for player in 0..2 {
                self.make_immortal(player, near);
                self.safe[player] |= near & self.open;
            }
        }
        for (player, legal) in legal.into_iter().enumerate() {
            self.safe[player] &= legal;
            self.stones[player] &= beside(self.open);
        }
    }

    /// The cells that belong together with the next one.
    fn links(&self) -> u64 {
        let [mine, theirs] = self.stones;
        let occupied = self.occupied();
        occupied & occupied >> 1 & !(mine & theirs >> 1) & !(theirs & mine >> 1)
    }

    /// After the mover has placed a stone, as seen by the opponent.
    fn place(&self, cell: u64) -> Strip {
        let mut strip = *self;
        strip.open &= !cell;
        strip.stones[0] |= cell;
        strip.safe = strip.safe.map(|safe| safe & !cell);
        if self.safe[0] & cell != 0 {
            strip.make_immortal(0, cell | beside(cell));
        }
        strip.shrink_groups();
        strip.swapped()
    }

    /// After this player has placed a stone, as seen by Left.
    fn place_as(&self, player: usize, cell: u64) -> Strip {
        match player {
            0 => self.place(cell).swapped(),
            _ => self.swapped().place(cell),
        }
    }

    /// Visits the strips that are independent of each other.
    fn split(&self, mut visit: impl FnMut(Strip)) {
        let links = self.links();
        let mut rest = self.occupied();
        while rest != 0 {
            let start = rest.trailing_zeros();
            let length = 1 + (links >> start).trailing_ones();
            let all = (1u64 << length) - 1;
            rest &= !(all << start);
            visit(self.map(|set| set >> start & all));
        }
    }

    /// The number of moves if only one player may play here: all cells if a stone there is safe,
    /// otherwise all but one.
    fn territory(&self, legal: [u64; 2]) -> Option<i32> {
        let owned = |&player: &usize| legal[1 - player] | self.stones[1 - player] == 0;
        let owner = [0, 1].into_iter().find(owned)?;
        let moves = self.open.count_ones() as i32 - i32::from(self.safe[owner] == 0);
        Some(if owner == 0 { moves } else { -moves })
    }

    /// See [`super::nogo`].
    fn sure_moves(&self, legal: [u64; 2], player: usize) -> i32 {
        let theirs = legal[1 - player];
        let cells = self.open & !theirs & !beside(theirs | self.stones[1 - player]);
        runs(cells, self.safe[player])
    }

    /// See [`super::nogo`].
    fn most_moves(&self, legal: [u64; 2], player: usize) -> i32 {
        let mine = legal[player];
        let mut moves = mine.count_ones() as i32;
        let within = mine | self.stones[player];
        let mut rest = within;
        while rest != 0 {
            let area = take_run(&mut rest);
            let outlets = beside(area) & self.open & !mine;
            let full = area & mine != 0 && area & self.safe[player] == 0 && outlets == 0;
            moves -= i32::from(full);
        }
        moves
    }
}

/// Removes and returns the lowest cells in a row.
fn take_run(set: &mut u64) -> u64 {
    let start = set.trailing_zeros();
    let length = (*set >> start).trailing_ones();
    let run = ((1u64 << length) - 1) << start;
    *set &= !run;
    run
}

/// The cells, less one for each row of them without a safe cell.
fn runs(cells: u64, safe: u64) -> i32 {
    let mut rest = cells;
    let mut moves = cells.count_ones() as i32;
    while rest != 0 {
        moves -= i32::from(take_run(&mut rest) & safe == 0);
    }
    moves
}

impl Strips {
    /// Adds the normal forms of strips side by side; returns the sum of their numbers.
    fn add_parts(&mut self, mut cells: Strip, parts: &mut Vec<Part>) -> i32 {
        cells.close();
        let mut number = 0;
        cells.split(|strip| {
            if strip.open != 0 {
                number += self.add_part(strip, parts);
            }
        });
        number
    }

    /// Adds a strip unless it is a number; returns its number.
    fn add_part(&mut self, strip: Strip, parts: &mut Vec<Part>) -> i32 {
        let legal = strip.legal();
        if let Some(moves) = strip.territory(legal) {
            return moves * PART_OF_ONE;
        }
        let strip = strip.turned();
        match self.known(strip) {
            Known::Number(number) => i32::from(number),
            Known::Class(class, number) => {
                parts.push(self.classes[class as usize].part);
                i32::from(number)
            }
            Known::Nothing => {
                let part = self.long_part(strip);
                parts.push(part);
                0
            }
        }
    }

    /// A strip without a value, bounded by the numbers of moves and by its walls.
    fn long_part(&mut self, strip: Strip) -> Part {
        let legal = strip.legal();
        let sure = [0, 1].map(|player| strip.sure_moves(legal, player));
        let most = [0, 1].map(|player| strip.most_moves(legal, player));
        let (low, high) = (sure[0] - most[1], most[0] - sure[1]);
        let mut facts = Facts::between(i64::from(low), i64::from(high));
        if legal[0] & legal[1] != 0 {
            // A stone on a cell where both may play takes a move from the opponent.
            facts.low_first = solid(i64::from(low + 1) * UNIT);
            facts.high_first = solid(i64::from(high - 1) * UNIT);
        }
        facts.mobility = legal.map(|cells| cells.count_ones() as u16);
        let bounds = Walls::between(low * PART_OF_ONE, high * PART_OF_ONE);
        Part {
            strip,
            class: NO_CLASS,
            facts,
            walls: self.walls(strip, bounds),
        }
    }

    /// The walls of a strip without a value, from those of its options and simple bounds.
    fn walls(&mut self, strip: Strip, bounds: Walls) -> Walls {
        if strip.open.count_ones() > self.longest_walls {
            return bounds;
        }
        if let Some(walls) = self.walls.get(&strip) {
            return *walls;
        }
        if self.walls.len() >= self.most_walls {
            return bounds;
        }
        let mut scaffolds = Scaffolds::new();
        let mut parts = Vec::new();
        for player in 0..2 {
            let mut rest = strip.legal()[player];
            while let Some(cell) = take_first(&mut rest) {
                parts.clear();
                let number = self.add_parts(strip.place_as(player, cell), &mut parts);
                let option = Walls::of_sum(parts.iter().map(|part| &part.walls), number);
                scaffolds.add(player, &option);
            }
        }
        let walls = scaffolds.walls().within(&bounds);
        self.walls.insert(strip, walls);
        walls
    }

    /// What is known about a strip in normal form by its value.
    fn known(&mut self, strip: Strip) -> Known {
        if strip.open.count_ones() > MOST_VALUED {
            return Known::Nothing;
        }
        if let Some(&known) = self.known.get(&strip) {
            return known;
        }
        let value = self.value(strip);
        let known = value.and_then(|value| self.classify(strip, value).ok());
        let known = known.unwrap_or(Known::Nothing);
        self.known.insert(strip, known);
        known
    }

    fn classify(&mut self, strip: Strip, value: Value) -> Result<Known, OutOfBudget> {
        self.forms.allow_steps(MOST_STEPS);
        if let Some(number) = self.forms.as_number(value) {
            return Ok(in_parts_of_one(number).map_or(Known::Nothing, Known::Number));
        }
        let stop = self.forms.stop(value, Player::Right).floor();
        let whole = stop.to_i64().ok_or(OutOfBudget::Steps)?;
        let integer = self.forms.integer(whole)?;
        let rest = self.forms.difference(value, integer)?;
        let class = match self.class_of.entry(rest) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let class = self.classes.len() as u32;
                let part = Part {
                    strip,
                    class,
                    facts: facts_of(&mut self.forms, value)?,
                    walls: Walls::of_thermograph(&*self.forms.thermograph(value)?),
                };
                self.classes.push(Class {
                    part,
                    whole,
                    negative: None,
                });
                *entry.insert(class)
            }
        };
        let number = (whole - self.classes[class as usize].whole) * i64::from(PART_OF_ONE);
        Ok(Known::Class(class, number as i16))
    }

    /// The value of a strip in normal form, as seen by Left.
    fn value(&mut self, strip: Strip) -> Option<Value> {
        if let Some(&value) = self.values.get(&strip) {
            return value;
        }
        let value = self.value_by_options(strip);
        self.values.insert(strip, value);
        value
    }

    fn value_by_options(&mut self, strip: Strip) -> Option<Value> {
        if self.forms.bytes() > self.value_bytes {
            return None;
        }
        let mut options = [Vec::new(), Vec::new()];
        for (player, options) in options.iter_mut().enumerate() {
            let mut rest = strip.legal()[player];
            while let Some(cell) = take_first(&mut rest) {
                options.push(self.total(strip.place_as(player, cell))?);
            }
        }
        let [left, right] = options;
        self.forms.allow_steps(MOST_STEPS);
        self.forms.game(&left, &right).ok()
    }

    /// The value of strips side by side, as seen by Left.
    fn total(&mut self, mut cells: Strip) -> Option<Value> {
        cells.close();
        let mut total = Some(Value::ZERO);
        cells.split(|strip| {
            if strip.open != 0
                && let Some(sum) = total
            {
                total = self.add_value(sum, strip);
            }
        });
        total
    }

    fn add_value(&mut self, sum: Value, strip: Strip) -> Option<Value> {
        let value = match strip.territory(strip.legal()) {
            Some(moves) => self.forms.integer(i64::from(moves)).ok()?,
            None => {
                let strip = strip.turned();
                // So that the shortest strip of a class stands for it.
                self.known(strip);
                self.value(strip)?
            }
        };
        self.forms.allow_steps(MOST_STEPS);
        self.forms.sum(sum, value).ok()
    }

    /// The negative of a part, as a strip and a number.
    fn negative(&mut self, part: &Part) -> (Strip, i32) {
        let negative = part.strip.swapped().turned();
        if part.class == NO_CLASS {
            return (negative, 0);
        }
        if let Some(found) = self.classes[part.class as usize].negative {
            return found;
        }
        let found = match self.known(negative) {
            Known::Class(class, number) => {
                let class = &self.classes[class as usize];
                (class.part.strip, i32::from(number))
            }
            _ => (negative, 0),
        };
        self.classes[part.class as usize].negative = Some(found);
        found
    }

    /// Removes opposites, and brings the parts into their order; returns the sum of what remains
    /// of the opposites.
    fn arrange(&mut self, parts: &mut Vec<Part>) -> i32 {
        let mut number = 0;
        let mut at = 0;
        while at < parts.len() {
            let (negative, more) = self.negative(&parts[at]);
            let is_negative = |part: &Part| part.strip == negative;
            match parts[at + 1..].iter().position(is_negative) {
                Some(other) => {
                    parts.remove(at + 1 + other);
                    parts.remove(at);
                    number -= more;
                }
                None => at += 1,
            }
        }
        parts.sort_unstable_by_key(|part| part.strip);
        number
    }

    /// The position of these parts; `None` if it does not fit.
    fn position(parts: &[Part], number: i32) -> Option<Position> {
        let mut cells = Strip::default();
        let mut at = 0;
        for Part { strip, .. } in parts {
            let length = strip.length();
            if at + length > MOST_PLACES {
                return None;
            }
            cells.open |= strip.open << at;
            for player in 0..2 {
                cells.stones[player] |= strip.stones[player] << at;
                cells.safe[player] |= strip.safe[player] << at;
            }
            at += length + 1;
        }
        let number = i16::try_from(number).ok()?;
        Some(Position { cells, number })
    }

    /// The winner or an estimate of a position, for the player who has moved to it.
    fn estimate(&mut self, parts: &[Part], number: i32) -> Estimate {
        if parts.is_empty() {
            return Estimate::Known(number > 0);
        }
        self.facts.clear();
        self.facts.extend(parts.iter().map(|part| part.facts));
        self.facts.push(facts_of_number(number));
        if let Some(wins) = decide(&self.facts, Player::Left) {
            return Estimate::Known(wins);
        }
        let walls = Walls::of_sum(parts.iter().map(|part| &part.walls), number);
        if let Some(wins) = walls.decide() {
            return Estimate::Known(wins);
        }
        let replies = parts.iter().map(|part| u32::from(part.facts.mobility[0]));
        let replies = replies.sum();
        Estimate::Open {
            score: -walls.guess() - effort_weight(replies),
            effort: replies,
        }
    }

    /// Visits the position of these parts and a number.
    fn visit(
        &mut self,
        parts: &mut Vec<Part>,
        number: i32,
        visit: &mut Visitor<'_, Position>,
    ) -> Flow {
        let number = number + self.arrange(parts);
        let Some(position) = Strips::position(parts, number) else {
            return Flow::Break(Incomplete::DoesNotFit);
        };
        visit(position, self.estimate(parts, number))
    }

    /// Counts a position; after many of them longer strips get walls.
    fn count_node(&mut self) {
        self.nodes += 1;
        let due = |&&(_, nodes): &&(u32, u64)| nodes <= self.nodes;
        if let Some(&(longest, _)) = LONGER_WALLS.iter().rfind(due) {
            self.longest_walls = longest;
        }
    }
}

/// The logarithm of the effort to search all replies, in the unit of [`Walls::guess`].
///
/// The best order of moves is by the chance to win divided by this effort, as in
/// [`super::clobber`]. The weight was fitted to 1×27 to 1×31.
fn effort_weight(replies: u32) -> i32 {
    const PARTS: u32 = 20;
    const WEIGHT: u32 = 4;
    let power = u128::from(replies.max(1)).saturating_pow(PARTS);
    (WEIGHT * power.ilog2()) as i32
}

fn solid(at: i64) -> Bound {
    Bound { at, solid: true }
}

fn facts_of_number(number: i32) -> Facts {
    let at = i64::from(number) * (UNIT / i64::from(PART_OF_ONE));
    let soft = Bound { at, solid: false };
    Facts {
        low: solid(at),
        low_first: soft,
        high: solid(at),
        high_first: soft,
        ..Facts::NONE
    }
}

fn facts_of(forms: &mut Forms, value: Value) -> Result<Facts, OutOfBudget> {
    let mut facts = Facts::of_value(forms, value);
    for player in Player::BOTH {
        facts.mobility[player as usize] = forms.options(value, player)?.len() as u16;
    }
    Ok(facts)
}

/// A number, if it is a multiple of the unit in which numbers are counted.
fn in_parts_of_one(number: &Dyadic) -> Option<i16> {
    let (numerator, exponent) = number.small()?;
    let scale = PART_OF_ONE.ilog2().checked_sub(exponent)?;
    i16::try_from(numerator.checked_mul(1 << scale)?).ok()
}

/// Returns true if the tables of the main search are too small for this board.
pub(super) fn is_long(game: &Game) -> bool {
    Grid::of(&game.position).cols >= FEWEST_CELLS
}

impl Board for Strips {
    type Position = Position;
    type Key = [u64; 3];
    const ORDER: Order = Order::BestScore;
    const CELLS_PER_CHILD: usize = 32;

    fn new(games: &[Game]) -> Option<Strips> {
        let [game] = games else {
            return None;
        };
        let cells = Grid::of(&game.position).cols;
        (cells <= MOST_CELLS).then(|| Strips {
            cells,
            forms: Forms::new(Limits::default()),
            value_bytes: 0,
            values: FxHashMap::default(),
            known: FxHashMap::default(),
            classes: Vec::new(),
            class_of: FxHashMap::default(),
            walls: FxHashMap::default(),
            most_walls: 0,
            longest_walls: MOST_VALUED,
            nodes: 0,
            facts: Vec::new(),
        })
    }

    fn share_memory(&mut self, bytes: usize) -> usize {
        let (walls, values) = (bytes / WALLS_SHARE, bytes / VALUES_SHARE);
        self.most_walls = walls / BYTES_PER_WALLS;
        self.value_bytes = values;
        bytes - walls - values
    }

    fn bytes_used(&self) -> usize {
        self.forms.bytes() + self.walls.len() * BYTES_PER_WALLS
    }

    fn read(&mut self, games: &[Game], first: Player) -> Option<Position> {
        let [game] = games else {
            return None;
        };
        let grid = Grid::of(&game.position);
        if grid.cols != self.cells {
            return None;
        }
        let set = |letters: &[u8]| {
            let places = (0..grid.cols).filter(|&at| letters.contains(&grid.cells[at]));
            places.fold(0u64, |set, at| set | 1 << at)
        };
        let letters = |player: Player| match player {
            Player::Left => (b"XB", b"B"),
            Player::Right => (b"OW", b"W"),
        };
        let players = [first, !first].map(letters);
        let near = beside(set(b"+"));
        let mut cells = Strip {
            open: set(b"."),
            stones: players.map(|(all, _)| set(all)),
            safe: [0; 2],
        };
        for (player, (_, immortal)) in players.into_iter().enumerate() {
            let seeds = near | set(immortal);
            let stones = cells.stones[player];
            let mut group = seeds & stones;
            while beside(group) & stones & !group != 0 {
                group |= beside(group) & stones;
            }
            cells.make_immortal(player, group);
            cells.safe[player] |= near & cells.open;
        }
        cells.shrink_groups();
        let mut parts = Vec::new();
        let number = self.add_parts(cells, &mut parts);
        let number = number + self.arrange(&mut parts);
        Strips::position(&parts, number)
    }

    fn key(&self, position: &Position) -> [u64; 3] {
        let Strip { open, stones, safe } = position.cells;
        let [low, high] = position.number.to_le_bytes();
        [
            open | u64::from(low) << 56,
            stones[0] | safe[0] | u64::from(high) << 56,
            stones[1] | safe[1],
        ]
    }

    fn decide(&mut self, position: &Position) -> Option<bool> {
        let mut parts = Vec::new();
        let number = i32::from(position.number) + self.add_parts(position.cells, &mut parts);
        match self.estimate(&parts, number) {
            Estimate::Known(wins) => Some(wins),
            Estimate::Open { .. } => None,
        }
    }

    fn moves(&mut self, position: &Position, visit: &mut Visitor<'_, Position>) -> Flow {
        self.count_node();
        // 1. Every strip as seen by the opponent.
        let mut strips = Vec::new();
        position.cells.split(|strip| strips.push(strip));
        let mut swapped = Vec::new();
        let mut numbers = Vec::new();
        let mut ends = Vec::new();
        for strip in &strips {
            numbers.push(self.add_part(strip.swapped(), &mut swapped));
            ends.push(swapped.len());
        }
        let total = numbers.iter().sum::<i32>() - i32::from(position.number);
        // 2. Moves in each distinct strip.
        let mut parts = Vec::new();
        for (at, strip) in strips.iter().enumerate() {
            if at > 0 && strips[at - 1] == *strip {
                continue;
            }
            let start = if at > 0 { ends[at - 1] } else { 0 };
            let mut rest = strip.legal()[0];
            while let Some(cell) = take_first(&mut rest) {
                parts.clear();
                parts.extend_from_slice(&swapped[..start]);
                parts.extend_from_slice(&swapped[ends[at]..]);
                let number = self.add_parts(strip.place(cell), &mut parts);
                self.visit(&mut parts, total - numbers[at] + number, visit)?;
            }
        }
        // 3. The move in the number.
        let number = i32::from(position.number);
        if !has_non_number(&swapped)
            && let Some(next) = after_move_in_number(number)
        {
            parts.clear();
            parts.extend_from_slice(&swapped);
            self.visit(&mut parts, total + number - next, visit)?;
        }
        Flow::Continue(())
    }
}

/// Returns true if a part is known not to be a number. Then no move in a number is needed, by number
/// avoidance: this holds even if the sum `S` of the parts equals a number `x`. The best move in a
/// part `G` that is no number leads to Right stops of at least `L(G) + R(S - G) ≥ R(S) = x`, so that
/// with any number added it wins if anything does.
///
/// Such a move would do harm as well. One strip stands for a class, so a strip and its negative can
/// differ by an integer. A player who moves in this integer may restore an earlier position: the
/// search would not end.
fn has_non_number(parts: &[Part]) -> bool {
    parts.iter().any(|part| part.class != NO_CLASS)
}

/// The best number that the mover can move to.
fn after_move_in_number(number: i32) -> Option<i32> {
    if number % PART_OF_ONE != 0 {
        Some(number - (number & -number))
    } else {
        (number > 0).then_some(number - PART_OF_ONE)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// A board with walls for all strips, and a position on it.
    fn read(text: &str, first: Player) -> (Strips, Position) {
        let games = [Game::parse("nogo_1xn", text).unwrap()];
        let mut strips = Strips::new(&games).unwrap();
        strips.share_memory(1 << 26);
        strips.longest_walls = 20;
        let position = strips.read(&games, first).unwrap();
        (strips, position)
    }

    fn children(strips: &mut Strips, position: &Position) -> Vec<Position> {
        let mut children = Vec::new();
        let flow = strips.moves(position, &mut |child, _| {
            children.push(child);
            Flow::Continue(())
        });
        assert!(flow.is_continue());
        children
    }

    #[test]
    fn walls_bound_thermographs() {
        let texts = [
            "..........",
            ".........X.",
            "....X......",
            ".O....X.....",
            "..X......O.",
            "...X....O...",
            ".X....O...X..",
        ];
        let mut checked = 0;
        for text in texts {
            let (mut strips, position) = read(text, Player::Left);
            let mut parts = Vec::new();
            strips.add_parts(position.cells, &mut parts);
            for Part { strip, walls, .. } in parts {
                let value = strips.value(strip).unwrap();
                strips.forms.allow_steps(1 << 20);
                let graph = strips.forms.thermograph(value).unwrap();
                let truth = Walls::of_thermograph(&graph);
                assert_eq!(truth.within(&walls), truth, "{text}");
                checked += 1;
            }
        }
        assert!(checked >= texts.len());
    }

    /// The negative of `.O....X` is in its class but differs by 1: the players could take turns to
    /// move in this number.
    #[test]
    fn no_move_restores_a_position() {
        for first in Player::BOTH {
            let (mut strips, position) = read(".O....X", first);
            let number = PART_OF_ONE as i16;
            let position = Position { number, ..position };
            for child in children(&mut strips, &position) {
                for next in children(&mut strips, &child) {
                    assert_ne!(next, position);
                }
            }
        }
    }
}
