//! Construction of games: braces and sums, and from these `±G`, tinies and uptimals.

use super::Nus;
use super::forms::{Forms, OutOfBudget};
use super::node::Value;

/// The operations that construct games. [`Forms`] computes values; the ruleset `explicit` keeps
/// games as entered.
pub trait Build {
    /// The type of constructed games.
    type Game: Clone;

    /// `number + ups + nimber`.
    fn closed(&mut self, nus: Nus) -> Result<Self::Game, OutOfBudget>;

    /// `{left|right}`.
    fn braces(
        &mut self,
        left: &[Self::Game],
        right: &[Self::Game],
    ) -> Result<Self::Game, OutOfBudget>;

    /// The game with the players exchanged.
    fn minus(&mut self, game: &Self::Game) -> Result<Self::Game, OutOfBudget>;

    /// The sum of both games.
    fn plus(&mut self, one: Self::Game, other: &Self::Game) -> Result<Self::Game, OutOfBudget>;

    /// The sum of `n` copies.
    fn times(&mut self, n: i64, game: &Self::Game) -> Result<Self::Game, OutOfBudget> {
        let mut power = if n < 0 {
            self.minus(game)?
        } else {
            game.clone()
        };
        let mut rest = n.unsigned_abs();
        let mut sum = self.closed(Nus::ZERO)?;
        while rest > 0 {
            if rest & 1 != 0 {
                sum = self.plus(sum, &power)?;
            }
            rest >>= 1;
            if rest > 0 {
                power = self.plus(power.clone(), &power)?;
            }
        }
        Ok(sum)
    }

    /// `±G = {G|-G}`, or the same with several options of Left.
    fn plus_minus(&mut self, left: &[Self::Game]) -> Result<Self::Game, OutOfBudget> {
        let right: Result<Vec<_>, _> = left.iter().map(|option| self.minus(option)).collect();
        self.braces(left, &right?)
    }

    /// `tiny(G) = {0||0|-G}`; its negative is `miny(G)`.
    fn tiny(&mut self, of: &Self::Game) -> Result<Self::Game, OutOfBudget> {
        let (nothing, gain) = ([self.closed(Nus::ZERO)?], self.minus(of)?);
        let threat = self.braces(&nothing, &[gain])?;
        self.braces(&nothing, &[threat])
    }

    /// `↑[n] = ↑¹ + ↑² + … + ↑ⁿ = {↑[n-1]|*}`.
    fn up_sum(&mut self, n: u64) -> Result<Self::Game, OutOfBudget> {
        let (nothing, star) = (self.closed(Nus::ZERO)?, [self.closed(Nus::nimber(1))?]);
        (0..n).try_fold(nothing, |below, _| self.braces(&[below], &star))
    }

    /// `↑<n> = ↑ⁿ = {0|↓[n-1]*}`.
    fn up_power(&mut self, n: u64) -> Result<Self::Game, OutOfBudget> {
        let nothing = self.closed(Nus::ZERO)?;
        let Some(below) = n.checked_sub(1) else {
            return Ok(nothing);
        };
        let (ups, star) = (self.up_sum(below)?, self.closed(Nus::nimber(1))?);
        let downs = self.minus(&ups)?;
        let downs_star = self.plus(star, &downs)?;
        self.braces(&[nothing], &[downs_star])
    }
}

impl Build for Forms {
    type Game = Value;

    fn closed(&mut self, nus: Nus) -> Result<Value, OutOfBudget> {
        self.nus(nus)
    }

    fn braces(&mut self, left: &[Value], right: &[Value]) -> Result<Value, OutOfBudget> {
        self.game(left, right)
    }

    fn minus(&mut self, game: &Value) -> Result<Value, OutOfBudget> {
        self.negative(*game)
    }

    fn plus(&mut self, one: Value, other: &Value) -> Result<Value, OutOfBudget> {
        self.sum(one, *other)
    }
}
