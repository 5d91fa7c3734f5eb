//! Games with names: `±G`, tinies and uptimals.

use super::Nus;
use super::forms::{Forms, OutOfBudget, Value};

impl Forms {
    /// `±G = {G|-G}`, or of several options for Left.
    pub fn plus_minus(&mut self, left: &[Value]) -> Result<Value, OutOfBudget> {
        let mut right = Vec::with_capacity(left.len());
        for &option in left {
            right.push(self.negative(option)?);
        }
        self.game(left, &right)
    }

    /// `tiny(G) = {0||0|-G}`; its negative is miny.
    pub fn tiny(&mut self, of: Value) -> Result<Value, OutOfBudget> {
        let gain = self.negative(of)?;
        let threat = self.game(&[Value::ZERO], &[gain])?;
        self.game(&[Value::ZERO], &[threat])
    }

    /// `↑[n] = ↑¹ + … + ↑ⁿ` if `sum`, else `↑<n> = ↑ⁿ`, with a star or without.
    pub fn uptimal(&mut self, sum: bool, n: u64, star: bool) -> Result<Value, OutOfBudget> {
        let plain = if sum {
            self.up_sum(n)?
        } else {
            self.up_power(n)?
        };
        let star = self.nus(Nus::nimber(u64::from(star)))?;
        self.sum(plain, star)
    }

    /// `↑[n] = {↑[n-1]|*}`.
    fn up_sum(&mut self, n: u64) -> Result<Value, OutOfBudget> {
        let star = self.nus(Nus::nimber(1))?;
        (0..n).try_fold(Value::ZERO, |below, _| self.game(&[below], &[star]))
    }

    /// `↑<n> = {0|↓[n-1]*}`.
    fn up_power(&mut self, n: u64) -> Result<Value, OutOfBudget> {
        let Some(below) = n.checked_sub(1) else {
            return Ok(Value::ZERO);
        };
        let ups = self.uptimal(true, below, true)?;
        let downs = self.negative(ups)?;
        self.game(&[Value::ZERO], &[downs])
    }
}
