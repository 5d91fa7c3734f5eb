//! Comparison of games: by their stops where these decide, otherwise by definition.

use std::cmp::Ordering;

use super::Player::{Left, Right};
use super::forms::{Forms, OutOfBudget};
use super::node::{Stop, Value};

/// Steps between two checks of the interrupt: about a millisecond.
const STEPS_PER_CHECK: u64 = 1 << 13;

impl Forms {
    /// Returns true if `a ≤ b`: Right wins the difference `a - b` moving second.
    pub fn le(&mut self, a: Value, b: Value) -> Result<bool, OutOfBudget> {
        self.depth = 0;
        self.le_within(a, b)
    }

    /// Compares two games; `None` if they are confused.
    pub fn compare(&mut self, a: Value, b: Value) -> Result<Option<Ordering>, OutOfBudget> {
        let (below, above) = (self.le(a, b)?, self.le(b, a)?);
        Ok(relation(below, above))
    }

    /// Compares a game with a number, by its stops.
    pub(super) fn compare_number(&self, a: Value, number: Value) -> Option<Ordering> {
        let below = self.le_by_stops(a, number) != Some(false);
        let above = self.le_by_stops(number, a) != Some(false);
        relation(below, above)
    }

    /// Decides `a ≤ b` without the options, if possible.
    ///
    /// With stops compared together with their sides:
    /// 1. if the Left stop of `a` is below the Right stop of `b`, a number lies between them;
    /// 2. `a ≤ b` implies the same order of their Left stops and of their Right stops;
    /// 3. the converse holds if one of them is a number;
    /// 4. number + ups + nimber compare in closed form.
    #[inline]
    pub(super) fn le_quick(&self, a: Value, b: Value) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        self.le_by_stops(a, b).or_else(|| self.le_closed(a, b))
    }

    #[inline]
    fn le_by_stops(&self, a: Value, b: Value) -> Option<bool> {
        let (a_stops, b_stops) = (self.node(a).stops, self.node(b).stops);
        let number = a_stops[0].number == a || b_stops[0].number == b;
        self.stops_decide(a_stops, b_stops)
            .or(number.then_some(true))
    }

    /// Points 1 and 2 of [`Forms::le_quick`].
    #[inline]
    pub(super) fn stops_decide(&self, a: [Stop; 2], b: [Stop; 2]) -> Option<bool> {
        if self.compare_stops(a[0], b[1]) == Ordering::Less {
            return Some(true);
        }
        let above = self.compare_stops(a[0], b[0]) == Ordering::Greater
            || self.compare_stops(a[1], b[1]) == Ordering::Greater;
        above.then_some(false)
    }

    #[inline]
    fn le_closed(&self, a: Value, b: Value) -> Option<bool> {
        if !self.node(a).is_closed() || !self.node(b).is_closed() {
            return None;
        }
        let (a, b) = (self.closed_of(a)?, self.closed_of(b)?);
        Some(matches!(
            a.partial_cmp(b),
            Some(Ordering::Less | Ordering::Equal)
        ))
    }

    pub(super) fn le_within(&mut self, a: Value, b: Value) -> Result<bool, OutOfBudget> {
        if let Some(answer) = self.le_quick(a, b).or_else(|| self.order.get(a.0, b.0)) {
            return Ok(answer);
        }
        self.enter()?;
        let answer = self.le_by_options(a, b)?;
        self.leave();
        let most = self.table_bytes();
        self.order.insert(a.0, b.0, answer, most);
        Ok(answer)
    }

    /// Decides `a ≤ b` by definition: it holds unless Left can move from `a` to a game `≥ b`, or
    /// Right from `b` to a game `≤ a`.
    fn le_by_options(&mut self, a: Value, b: Value) -> Result<bool, OutOfBudget> {
        for i in self.range(a, Left)? {
            if self.le_within(b, self.pool[i])? {
                return Ok(false);
            }
        }
        for i in self.range(b, Right)? {
            if self.le_within(self.pool[i], a)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Counts a step and a nested call.
    #[inline]
    pub(super) fn enter(&mut self) -> Result<(), OutOfBudget> {
        self.spend(1)?;
        self.depth += 1;
        if self.depth > self.limits.depth {
            return Err(OutOfBudget::Depth);
        }
        Ok(())
    }

    /// Counts steps.
    #[inline]
    pub(super) fn spend(&mut self, steps: u64) -> Result<(), OutOfBudget> {
        self.steps += steps;
        if self.steps > self.limits.steps {
            return Err(OutOfBudget::Steps);
        }
        if self.steps >= self.next_check {
            self.next_check = self.steps + STEPS_PER_CHECK;
            self.check_interrupt()?;
        }
        Ok(())
    }

    /// Gives up if the interrupt is due.
    pub(super) fn check_interrupt(&self) -> Result<(), OutOfBudget> {
        if self.interrupt.is_due() {
            return Err(OutOfBudget::Interrupted);
        }
        Ok(())
    }

    #[inline]
    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }
}

fn relation(below: bool, above: bool) -> Option<Ordering> {
    match (below, above) {
        (true, true) => Some(Ordering::Equal),
        (true, false) => Some(Ordering::Less),
        (false, true) => Some(Ordering::Greater),
        (false, false) => None,
    }
}
