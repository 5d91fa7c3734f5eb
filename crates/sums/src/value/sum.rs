//! Sums, negatives and multiples of values.

use super::Player::{Left, Right};
use super::build::Build;
use super::forms::{Forms, OutOfBudget};
use super::node::{NONE, Value};

impl Forms {
    /// `a + b`.
    pub fn sum(&mut self, a: Value, b: Value) -> Result<Value, OutOfBudget> {
        self.depth = 0;
        self.sum_within(a, b)
    }

    /// `-a`: the game with the players exchanged.
    pub fn negative(&mut self, a: Value) -> Result<Value, OutOfBudget> {
        self.depth = 0;
        self.negative_within(a)
    }

    /// `a - b`.
    pub fn difference(&mut self, a: Value, b: Value) -> Result<Value, OutOfBudget> {
        let minus_b = self.negative(b)?;
        self.sum(a, minus_b)
    }

    /// `n · a`: the sum of `n` copies.
    pub fn multiple(&mut self, n: i64, a: Value) -> Result<Value, OutOfBudget> {
        self.times(n, &a)
    }

    fn sum_within(&mut self, a: Value, b: Value) -> Result<Value, OutOfBudget> {
        if a == Value::ZERO {
            return Ok(b);
        }
        if b == Value::ZERO {
            return Ok(a);
        }
        let (a, b) = (a.min(b), a.max(b));
        if let (Some(x), Some(y)) = (self.closed_of(a), self.closed_of(b)) {
            let nus = x.sum(y).ok_or(OutOfBudget::Ups)?;
            return self.intern_closed(nus);
        }
        if self.node(a).negative == b.0 {
            return Ok(Value::ZERO);
        }
        if let Some(id) = self.sums.get(a.0, b.0) {
            return Ok(Value(id));
        }
        self.enter()?;
        let sum = match (self.is_number(a), self.is_number(b)) {
            (true, _) => self.translate(b, a)?,
            (_, true) => self.translate(a, b)?,
            _ => self.sum_by_options(a, b)?,
        };
        self.leave();
        let most = self.table_bytes();
        self.sums.insert(a.0, b.0, sum.0, most);
        Ok(sum)
    }

    /// By definition: a move in the sum is a move in one of the two.
    fn sum_by_options(&mut self, a: Value, b: Value) -> Result<Value, OutOfBudget> {
        let mut options = [self.take_buffer(), self.take_buffer()];
        for player in [Left, Right] {
            for (moved, still) in [(a, b), (b, a)] {
                for i in self.range(moved, player)? {
                    let option = self.sum_within(self.pool[i], still)?;
                    options[player as usize].push(option);
                }
            }
        }
        let [left, right] = options;
        self.game_within(left, right)
    }

    /// Adds a number to a game that is not a number: only moves in the game matter, and the options
    /// stay canonical.
    fn translate(&mut self, game: Value, number: Value) -> Result<Value, OutOfBudget> {
        let mut options = [self.take_buffer(), self.take_buffer()];
        for player in [Left, Right] {
            for i in self.range(game, player)? {
                let option = self.sum_within(self.pool[i], number)?;
                options[player as usize].push(option);
            }
            options[player as usize].sort_unstable();
        }
        let [left, right] = self.node(game).stops;
        let left_number = self.sum_within(left.number, number)?;
        let right_number = self.sum_within(right.number, number)?;
        let stops = [
            self.translated(left, left_number),
            self.translated(right, right_number),
        ];
        let [left, right] = options;
        let value = self.intern(&left, &right, stops)?;
        self.return_buffer(left);
        self.return_buffer(right);
        Ok(value)
    }

    fn negative_within(&mut self, a: Value) -> Result<Value, OutOfBudget> {
        let known = self.node(a).negative;
        if known != NONE {
            return Ok(Value(known));
        }
        let negative = match self.closed_of(a) {
            Some(nus) => {
                let negative = nus.negative().ok_or(OutOfBudget::Ups)?;
                self.intern_closed(negative)?
            }
            None => {
                self.enter()?;
                let negative = self.negative_by_options(a)?;
                self.leave();
                negative
            }
        };
        self.nodes[a.index()].negative = negative.0;
        self.nodes[negative.index()].negative = a.0;
        Ok(negative)
    }

    fn negative_by_options(&mut self, a: Value) -> Result<Value, OutOfBudget> {
        let mut options = [self.take_buffer(), self.take_buffer()];
        for player in [Left, Right] {
            for i in self.range(a, player)? {
                let option = self.negative_within(self.pool[i])?;
                options[!player as usize].push(option);
            }
            options[!player as usize].sort_unstable();
        }
        let [left, right] = self.node(a).stops;
        let (from_right, from_left) = (
            self.negative_within(right.number)?,
            self.negative_within(left.number)?,
        );
        let stops = [
            self.mirrored(right, from_right),
            self.mirrored(left, from_left),
        ];
        let [left, right] = options;
        let value = self.intern(&left, &right, stops)?;
        self.return_buffer(left);
        self.return_buffer(right);
        Ok(value)
    }
}
