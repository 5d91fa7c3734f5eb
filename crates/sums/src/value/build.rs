//! Games with names: `±G`, tinies and uptimals.

use super::Nus;
use super::forms::{Forms, OutOfBudget};
use super::node::Value;

impl Forms {
    /// `±G = {G|-G}`, or of several options for Left.
    pub fn plus_minus(&mut self, left: &[Value]) -> Result<Value, OutOfBudget> {
        let mut right = Vec::with_capacity(left.len());
        for &option in left {
            right.push(self.negative(option)?);
        }
        self.game(left, &right)
    }

    /// `tiny(G) = {0||0|-G}`; its negative is `miny(G)`.
    pub fn tiny(&mut self, of: Value) -> Result<Value, OutOfBudget> {
        let gain = self.negative(of)?;
        let threat = self.game(&[Value::ZERO], &[gain])?;
        self.game(&[Value::ZERO], &[threat])
    }

    /// `↑[n] = ↑¹ + ↑² + … + ↑ⁿ = {↑[n-1]|*}`.
    pub fn up_sum(&mut self, n: u64) -> Result<Value, OutOfBudget> {
        let star = self.nus(Nus::nimber(1))?;
        (0..n).try_fold(Value::ZERO, |below, _| self.game(&[below], &[star]))
    }

    /// `↑<n> = ↑ⁿ = {0|↓[n-1]*}`.
    pub fn up_power(&mut self, n: u64) -> Result<Value, OutOfBudget> {
        let Some(below) = n.checked_sub(1) else {
            return Ok(Value::ZERO);
        };
        let (ups, star) = (self.up_sum(below)?, self.nus(Nus::nimber(1))?);
        let downs = self.difference(star, ups)?;
        self.game(&[Value::ZERO], &[downs])
    }
}
