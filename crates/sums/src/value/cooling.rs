//! Thermographs, means and temperatures of values.

use std::sync::Arc;

use super::Player::{Left, Right};
use super::forms::{Forms, OutOfBudget};
use super::node::Value;
use super::{Dyadic, Nus, Player, Thermograph, Trajectory};

/// Larger exponents of denominators are refused: a thermograph has a break for each power of two.
const MOST_HALVINGS: u64 = 1_000;

impl Forms {
    /// The thermograph.
    pub fn thermograph(&mut self, value: Value) -> Result<Arc<Thermograph>, OutOfBudget> {
        let mut stack = vec![value];
        while let Some(&top) = stack.last() {
            if self.thermographs.contains_key(&top) {
                stack.pop();
                continue;
            }
            let parts = self.thermograph_parts(top)?;
            let before = stack.len();
            stack.extend(
                parts
                    .iter()
                    .filter(|part| !self.thermographs.contains_key(part)),
            );
            if stack.len() == before {
                self.spend(1)?;
                let graph = self.thermograph_of_known(top)?;
                self.thermographs.insert(top, Arc::new(graph));
                stack.pop();
            }
        }
        Ok(self.thermographs[&value].clone())
    }

    /// The mean.
    pub fn mean(&mut self, value: Value) -> Result<Dyadic, OutOfBudget> {
        match self.as_nus(value) {
            Some(nus) => Ok(nus.number.clone()),
            None => Ok(self.thermograph(value)?.mean().clone()),
        }
    }

    /// The temperature, which is the gain of a move; `-1/2^k` for a number with denominator `2^k`.
    pub fn temperature(&mut self, value: Value) -> Result<Dyadic, OutOfBudget> {
        match self.as_nus(value) {
            Some(nus) if !nus.is_number() => Ok(Dyadic::ZERO),
            Some(nus) => Ok(-Dyadic::from_big(1.into(), nus.number.exponent())),
            None => Ok(self.thermograph(value)?.temperature().clone()),
        }
    }

    /// The values whose thermographs determine the thermograph of this value.
    fn thermograph_parts(&mut self, value: Value) -> Result<Vec<Value>, OutOfBudget> {
        let Some(nus) = self.as_nus(value) else {
            return Ok([
                self.options(value, Left)?.to_vec(),
                self.options(value, Right)?.to_vec(),
            ]
            .concat());
        };
        if nus.number.exponent() > MOST_HALVINGS {
            return Err(OutOfBudget::Depth);
        }
        if nus.is_number() && nus.number.is_integer() {
            return Ok(Vec::new());
        }
        let alike = same_thermograph(nus);
        if alike != *nus {
            return Ok(vec![self.nus(alike)?]);
        }
        let [left, right] = alike.options();
        left.into_iter()
            .chain(right)
            .map(|nus| self.nus(nus))
            .collect()
    }

    /// The thermograph of a value, when those of its parts are known.
    fn thermograph_of_known(&mut self, value: Value) -> Result<Thermograph, OutOfBudget> {
        if let Some(nus) = self.as_nus(value) {
            if nus.is_number() && nus.number.is_integer() {
                return Ok(Thermograph::integer(nus.number.clone()));
            }
            let alike = same_thermograph(nus);
            if alike != *nus {
                let alike = self.nus(alike)?;
                return Ok((*self.thermographs[&alike]).clone());
            }
        }
        let [left, right] = [self.scaffold(value, Left)?, self.scaffold(value, Right)?];
        match (left, right) {
            (Some(left), Some(right)) => Ok(Thermograph::of_scaffolds(left, right)),
            _ => Ok(Thermograph::integer(self.stop(value, Left).clone())), // one-sided: an integer
        }
    }

    /// The best of the opponent's walls after a move of the player, minus the cost `t` of the move.
    fn scaffold(&mut self, of: Value, player: Player) -> Result<Option<Trajectory>, OutOfBudget> {
        let mut best: Option<Trajectory> = None;
        let tax = if player == Left { -1 } else { 1 };
        for i in self.range(of, player)? {
            let wall = self.thermographs[&self.pool[i]].wall(!player).tilted(tax);
            best = Some(match best {
                None => wall,
                Some(best) => best.best(&wall, player),
            });
        }
        Ok(best)
    }
}

/// A small game with the same thermograph.
///
/// All nimbers from `*2` on have the same thermograph, and from `3·↑` on neither more ups nor the
/// nimber change a wall: for `t < 0` the Left wall of `x + n·↑ + *k` is the Right wall of `x` minus
/// `t`, so its Right wall is that of `x` for all larger `n`.
fn same_thermograph(nus: &Nus) -> Nus {
    Nus {
        number: nus.number.clone(),
        ups: nus.ups.clamp(-3, 3),
        nimber: nus.nimber.min(2 + (nus.nimber & 1)),
    }
}
