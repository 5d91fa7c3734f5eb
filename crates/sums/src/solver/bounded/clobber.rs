//! Clobber on a small board.
//!
//! Groups of stones are independent. The values of small groups are added up to one value, so that
//! the search ends when no large group is left; large groups stay on the board.

use super::cells::{Rectangle, count, first, number_at, take_first};
use super::{Board, Estimate, Flow, Incomplete, Order, Visitor};
use crate::game::Game;
use crate::value::{Forms, Limits, OutOfBudget, Player, Value};
use rustc_hash::FxHashMap;

/// Groups of more stones stay on the board: their values take too long.
const MOST_STONES: i32 = 9;

/// The steps allowed for one value.
const MOST_STEPS: u64 = 2_000;

/// The bytes of a group and its value in the map, with the free places.
const BYTES_PER_GROUP: usize = 48;

/// What a stone of the mover adds to the odds that the mover wins, by its neighbours of the same and
/// of the other colour. Stones of the opponent subtract as much.
///
/// The odds are logarithms in units of 1/20, fitted to the results of 60,000 positions that were met
/// when boards of 4×6 and 5×5 were solved. They order moves and decide nothing.
const STONE: [[i8; 5]; 5] = [
    [0, -14, 1, 0, -2],
    [-1, 8, -7, 0, 0],
    [5, 4, 5, 0, 0],
    [8, 8, 0, 0, 0],
    [6, 0, 0, 0, 0],
];

/// What the first move, an up and a move on the board add, and what a pair of neighbours of the same
/// colour takes away.
const FIRST_MOVE: i32 = 50;
const UP: i32 = 31;
const MOVE: i32 = 1;
const FRIENDS: i32 = 3;

/// What each pair of neighbours adds to the logarithm of the effort.
const EFFORT_PER_PAIR: i32 = 6;

/// The geometry of the board, and the values of small groups.
pub(super) struct Clobber {
    board: Rectangle,
    forms: Forms,
    form_bytes: usize,
    /// Groups in a corner, as seen by Left; `None` if the value is too hard to find.
    groups: FxHashMap<[u64; 2], Option<Value>>,
    most_groups: usize,
    /// Four times the mean atomic weight of each value.
    weights: Vec<i8>,
}

const UNKNOWN_WEIGHT: i8 = i8::MIN;

/// A position as seen by the player to move, who is Left. In arrays the mover comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Position {
    stones: [u64; 2],
    /// The sum of the groups that are not on the board. Its negative is known.
    value: Value,
}

impl Clobber {
    /// Visits the stones after each move of the first player, as seen by the opponent, with the
    /// region that the move may have split.
    fn each_move(
        &mut self,
        [mine, theirs]: [u64; 2],
        visit: &mut dyn FnMut(&mut Clobber, [u64; 2], u64) -> Flow,
    ) -> Flow {
        let mut froms = mine & self.board.beside(theirs);
        while let Some(from) = take_first(&mut froms) {
            let group = self.board.flood(from, mine | theirs);
            let mut tos = self.board.beside(from) & theirs;
            while let Some(to) = take_first(&mut tos) {
                let stones = [theirs & !to, mine & !from | to];
                visit(self, stones, group & !from)?;
            }
        }
        Flow::Continue(())
    }

    /// Removes the groups of a region that have no moves, and adds the others to the value if they
    /// are simple enough.
    fn simplify(&mut self, stones: [u64; 2], region: u64, value: Value) -> Position {
        let mut position = Position { stones, value };
        let mut rest = region;
        while rest != 0 {
            let group = self.board.flood(first(rest), rest);
            rest &= !group;
            let of_players = stones.map(|stones| stones & group);
            let sum = if of_players.contains(&0) {
                Some(position.value)
            } else if count(group) <= MOST_STONES {
                self.add_group(position.value, of_players)
            } else {
                None
            };
            if let Some(sum) = sum {
                position.value = sum;
                position.stones = position.stones.map(|stones| stones & !group);
            }
        }
        position
    }

    fn add_group(&mut self, value: Value, group: [u64; 2]) -> Option<Value> {
        let found = self.group_value(group)?;
        let sum = self.limited(|forms| forms.sum(value, found))?;
        self.negative(sum)?;
        Some(sum)
    }

    /// The value of a small group; `None` if it is too hard to find.
    fn group_value(&mut self, group: [u64; 2]) -> Option<Value> {
        let group = self.board.to_corner(group);
        if let Some(&known) = self.groups.get(&group) {
            return known;
        }
        let swapped = [group[1], group[0]];
        let [least, least_swapped] =
            [group, swapped].map(|group| self.board.least_corner_image(group));
        let value = if least_swapped < least {
            let value = self.group_value(least_swapped);
            value.and_then(|value| self.negative(value))
        } else if least != group {
            self.group_value(least)
        } else {
            self.value_by_moves(group, swapped)
        };
        if self.groups.len() < self.most_groups {
            self.groups.insert(group, value);
        }
        value
    }

    fn value_by_moves(&mut self, group: [u64; 2], swapped: [u64; 2]) -> Option<Value> {
        let mut left = self.options(group)?;
        for value in &mut left {
            *value = self.negative(*value)?;
        }
        let right = self.options(swapped)?;
        self.limited(|forms| forms.game(&left, &right))
    }

    /// The values after each move of the first player, as seen by the opponent.
    fn options(&mut self, group: [u64; 2]) -> Option<Vec<Value>> {
        let mut values = Vec::new();
        let flow = self.each_move(group, &mut |board, stones, region| {
            let after = board.simplify(stones, region, Value::ZERO);
            if after.stones != [0; 2] {
                return Flow::Break(Incomplete::DoesNotFit);
            }
            values.push(after.value);
            Flow::Continue(())
        });
        flow.is_continue().then_some(values)
    }

    /// Finds a value within the limits.
    fn limited<T>(&mut self, find: impl FnOnce(&mut Forms) -> Result<T, OutOfBudget>) -> Option<T> {
        self.forms.limits_mut().bytes = self.form_bytes;
        self.forms.allow_steps(MOST_STEPS);
        let value = find(&mut self.forms).ok();
        self.forms.limits_mut().bytes = usize::MAX;
        self.forms.allow_steps(u64::MAX);
        value
    }

    /// Negatives and options have no limits: there are not many more of them than other values.
    fn negative(&mut self, value: Value) -> Option<Value> {
        self.forms.negative(value).ok()
    }

    /// The negatives of the mover's options of a value.
    fn value_moves(&mut self, value: Value) -> Option<Vec<Value>> {
        let options = self.forms.options(value, Player::Left).ok()?.to_vec();
        options
            .into_iter()
            .map(|value| self.negative(value))
            .collect()
    }

    fn winner(&self, position: &Position) -> Option<bool> {
        let is_value = position.stones == [0; 2];
        is_value.then(|| self.forms.outcome(position.value).wins_first(Player::Left))
    }

    fn estimate(&mut self, position: &Position) -> Estimate {
        if let Some(wins) = self.winner(position) {
            return Estimate::Known(wins);
        }
        let (score, moves) = self.score(position);
        Estimate::Open {
            score,
            effort: moves as u32,
        }
    }

    /// The score of the move that led here, and the number of replies on the board.
    ///
    /// The best order of moves is by the chance to win divided by the expected effort: the score is the
    /// logarithm of that.
    fn score(&mut self, position: &Position) -> (i32, i32) {
        let [mine, theirs] = position.stones;
        let (my_shape, my_friends, moves) = self.shape(mine, theirs);
        let (their_shape, their_friends, _) = self.shape(theirs, mine);
        let friends = (my_friends + their_friends) / 2;
        let odds = FIRST_MOVE + my_shape - their_shape
            + UP * self.quarter_weight(position.value) / 4
            + MOVE * moves
            - FRIENDS * friends;
        let effort = EFFORT_PER_PAIR * (moves + friends);
        (-softplus(odds) - effort, moves)
    }

    /// What the stones of a player add to the odds, their neighbours of the same colour, and their
    /// moves.
    fn shape(&self, own: u64, others: u64) -> (i32, i32, i32) {
        let [friends, enemies] = [own, others].map(|set| self.board.neighbours(set));
        let mut sum = (0, 0, 0);
        let mut rest = own;
        while let Some(stone) = take_first(&mut rest) {
            let place = stone.trailing_zeros();
            let [own, other] = [friends, enemies].map(|digits| number_at(digits, place));
            sum.0 += i32::from(STONE[own][other]);
            sum.1 += own as i32;
            sum.2 += other as i32;
        }
        sum
    }

    /// Four times the mean of the atomic weight of a value; 0 if it is too hard to find.
    fn quarter_weight(&mut self, value: Value) -> i32 {
        let at = value.index();
        if self.weights.len() <= at {
            self.weights.resize(at + 1, UNKNOWN_WEIGHT);
        }
        if self.weights[at] == UNKNOWN_WEIGHT {
            let ups = self.limited(|forms| forms.atomic_weight(value)).flatten();
            let stops = ups.map(|ups| Player::BOTH.map(|first| self.forms.stop(ups, first)));
            let weight = stops.and_then(|[left, right]| (left + right).double().floor().to_i64());
            let most = i64::from(i8::MAX);
            self.weights[at] = weight.unwrap_or(0).clamp(-most, most) as i8;
        }
        i32::from(self.weights[at])
    }
}

/// `ln(1 + exp(x))` in units of 1/20, nearly.
fn softplus(x: i32) -> i32 {
    // A parabola joins both ends: at 0 it is 20 ln 2.
    const END: i32 = 55;
    if x.abs() < END {
        (x + END) * (x + END) / (4 * END)
    } else {
        x.max(0)
    }
}

impl Board for Clobber {
    type Position = Position;
    type Key = [u64; 3];
    const ORDER: Order = Order::BestScore;
    const CELLS_PER_CHILD: usize = 64;

    fn new(games: &[Game]) -> Option<Clobber> {
        Some(Clobber {
            board: Rectangle::of(games)?,
            forms: Forms::new(Limits::default().with_bytes(usize::MAX)),
            form_bytes: 0,
            groups: FxHashMap::default(),
            most_groups: 0,
            weights: Vec::new(),
        })
    }

    /// A quarter for values, a quarter for groups, and the rest for the table.
    fn share_memory(&mut self, bytes: usize) -> usize {
        let share = bytes / 4;
        // The negatives take as much again.
        self.form_bytes = share / 2;
        self.most_groups = share / BYTES_PER_GROUP;
        bytes - 2 * share
    }

    fn bytes_used(&self) -> usize {
        self.forms.bytes() + self.groups.len() * BYTES_PER_GROUP + self.weights.len()
    }

    fn read(&mut self, games: &[Game], first: Player) -> Option<Position> {
        let grid = self.board.grid(games)?;
        let stones = [first, !first].map(|player| self.board.cells(&grid, &[player.stone()]));
        Some(self.simplify(stones, stones[0] | stones[1], Value::ZERO))
    }

    fn key(&self, position: &Position) -> [u64; 3] {
        let stones = self.board.to_corner(position.stones);
        let [mine, theirs] = self.board.least_corner_image(stones);
        [mine, theirs, position.value.index() as u64]
    }

    fn decide(&mut self, position: &Position) -> Option<bool> {
        self.winner(position)
    }

    fn moves(&mut self, position: &Position, visit: &mut Visitor<'_, Position>) -> Flow {
        let Position { stones, value } = *position;
        let (Some(negative), Some(values)) = (self.negative(value), self.value_moves(value)) else {
            return Flow::Break(Incomplete::DoesNotFit);
        };
        self.each_move(stones, &mut |board, stones, region| {
            let next = board.simplify(stones, region, negative);
            visit(next, board.estimate(&next))
        })?;
        for value in values {
            let next = Position {
                stones: [stones[1], stones[0]],
                value,
            };
            visit(next, self.estimate(&next))?;
        }
        Flow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::softplus;

    #[test]
    fn odds_become_chances() {
        for x in -100..=100 {
            let exact = 20.0 * (f64::from(x) / 20.0).exp().ln_1p();
            assert!((f64::from(softplus(x)) - exact).abs() < 3.0, "{x}");
        }
    }
}
