//! Bounds on infinitesimal games: multiples of up, with and without a star.
//!
//! For either kind of star the multiples `…, ↓, 0, ↑, 2·↑, …` are a ladder, and the game has a last
//! rung that it is at least, and a first rung that it is at most. Rungs of a sum are added up: the
//! sum is at least the sum of the lower rungs, which is a rung again because two stars cancel.

use crate::value::{Forms, Nus, OutOfBudget, Player, Value};

/// For each number of stars the highest rung below a value, and the lowest above it.
///
/// The value is at least the lower rung and not at least the next one, and likewise from above, so
/// that `G ≥ low`, `G ≤ high`, `G ⊳ high - ↑` and `G ⊲ low + ↑` all hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Rungs {
    pub low: [i8; 2],
    pub high: [i8; 2],
}

/// Less than [`FARTHEST`] ups, and a star or none.
pub(crate) type Shift = (i8, u8);

/// Rungs this far from 0 are not tried.
const FARTHEST: i64 = 60;

impl Rungs {
    /// Nothing is known.
    pub const NONE: Rungs = Rungs {
        low: [i8::MIN; 2],
        high: [i8::MAX; 2],
    };

    /// The rungs of 0.
    pub const ZERO: Rungs = Rungs {
        low: [0, -2],
        high: [0, 2],
    };

    /// Adds ups and a star.
    #[inline]
    pub fn plus(self, (ups, star): Shift) -> Rungs {
        let add = |pair: [i8; 2]| [0, 1].map(|at| pair[at ^ usize::from(star)] + ups);
        Rungs {
            low: add(self.low),
            high: add(self.high),
        }
    }

    /// The rungs of the negative.
    #[inline]
    pub fn negative(self) -> Rungs {
        Rungs {
            low: self.high.map(|rung| -rung),
            high: self.low.map(|rung| -rung),
        }
    }

    /// From the point of view of a player: the game is at least the first two, at most the others.
    #[inline]
    fn seen_by(self, player: Player) -> [[i32; 2]; 2] {
        let [low, high] = [self.low, self.high].map(|pair| pair.map(i32::from));
        match player {
            Player::Left => [low, high],
            Player::Right => [high, low].map(|pair| pair.map(|rung| -rung)),
        }
    }

    /// The value itself, if it is a rung.
    #[inline]
    pub fn as_shift(self) -> Option<Shift> {
        let star = (0..2).find(|&star| self.low[star] == self.high[star])?;
        Some((self.low[star], star as u8))
    }

    /// Finds the rungs of a value with this atomic weight, rounded to an integer; none if they are
    /// far from 0.
    pub fn of_value(forms: &mut Forms, value: Value, weight: i64) -> Result<Rungs, OutOfBudget> {
        let mut rungs = Rungs::NONE;
        for star in 0..2 {
            let mut low = weight;
            while low > -FARTHEST && !is_at_least(forms, value, low, star)? {
                low -= 1;
            }
            while low < FARTHEST && is_at_least(forms, value, low + 1, star)? {
                low += 1;
            }
            let mut high = low;
            while high < FARTHEST && !is_at_most(forms, value, high, star)? {
                high += 1;
            }
            if low.abs().max(high.abs()) >= FARTHEST {
                return Ok(Rungs::NONE);
            }
            (rungs.low[star], rungs.high[star]) = (low as i8, high as i8);
        }
        Ok(rungs)
    }
}

fn is_at_least(
    forms: &mut Forms,
    value: Value,
    ups: i64,
    star: usize,
) -> Result<bool, OutOfBudget> {
    let rung = rung(forms, ups, star)?;
    forms.le(rung, value)
}

fn is_at_most(forms: &mut Forms, value: Value, ups: i64, star: usize) -> Result<bool, OutOfBudget> {
    let rung = rung(forms, ups, star)?;
    forms.le(value, rung)
}

fn rung(forms: &mut Forms, ups: i64, star: usize) -> Result<Value, OutOfBudget> {
    let mut nus = Nus::ups(ups);
    nus.nimber = star as u64;
    forms.nus(nus)
}

/// For each player the highest rungs that one of the player's options is at least, from the
/// player's point of view.
pub(crate) struct OfOptions([[i32; 2]; 2]);

impl OfOptions {
    /// No options yet.
    pub const NONE: OfOptions = OfOptions([[NEVER; 2]; 2]);

    /// Adds an option.
    #[inline]
    pub fn add(&mut self, player: Player, option: Rungs) {
        let [at_least, _] = option.seen_by(player);
        self.raise(player, at_least);
    }

    /// Adds what the parts of an option prove about it.
    #[inline]
    pub fn add_parts(&mut self, player: Player, a: Rungs, b: Rungs) {
        let [[a, _], [b, _]] = [a, b].map(|part| part.seen_by(player));
        self.raise(player, plus(a, b));
    }

    #[inline]
    fn raise(&mut self, player: Player, at_least: [i32; 2]) {
        let best = &mut self.0[player as usize];
        *best = [0, 1].map(|star| best[star].max(at_least[star]));
    }

    /// Returns false if an option with these parts is no better than the options so far: what the
    /// sum is at least, less what one part is at most, is a rung that the other part is at least.
    #[inline]
    pub fn may_improve(&self, player: Player, a: Rungs, b: Rungs) -> bool {
        let [a, b] = [a, b].map(|part| part.seen_by(player));
        let most = |of: usize, [least, _]: [[i32; 2]; 2], [_, most]: [[i32; 2]; 2]| {
            (least[of] + most[0]).min(least[1 - of] + most[1])
        };
        let best = self.0[player as usize];
        (0..2).any(|star| most(star, a, b).min(most(star, b, a)) > best[star])
    }

    /// The rungs of the game; `None` if they are far from 0.
    ///
    /// A game is at least a rung unless one of Right's options is at most that rung, or the game is
    /// at most an option of Left in the rung. Left can only move to 0 from a positive rung (also to
    /// `*` from `↑*`), and from others to the next higher rung with the other star. Likewise for
    /// Right.
    pub fn rungs(&self) -> Option<Rungs> {
        let [left, right] = self.0;
        let right = right.map(|rung| -rung);
        // 1. The comparisons with 0, and then those with a star.
        let at_least_zero = right[0] > 0;
        let at_most_zero = left[0] < 0;
        let at_least = [at_least_zero, right[1] > 0 && !at_most_zero];
        let at_most = [at_most_zero, left[1] < 0 && !at_least_zero];
        // 2. A game that is at least 0 or the star, and equals neither, is also at least all rungs
        //    below Right's options; the first rung that a game is not at least is 0 or the star.
        let low = [0, 1].map(|star| match (at_least[star], at_most[star]) {
            (false, _) => -1,
            (true, true) => 0,
            (true, false) => right[star] - 1,
        });
        let high = [0, 1].map(|star| match (at_most[star], at_least[star]) {
            (false, _) => 1,
            (true, true) => 0,
            (true, false) => left[star] + 1,
        });
        // 3. On the other side of 0 the rungs with the other star limit these.
        let lower = [0, 1].map(|star| match at_least[star] {
            true => low[star],
            false => (right[star] - 1).min(high[1 - star] - 2),
        });
        let higher = [0, 1].map(|star| match at_most[star] {
            true => high[star],
            false => (left[star] + 1).max(low[1 - star] + 2),
        });
        let is_near = |rung: &i32| i64::from(rung.abs()) < FARTHEST;
        let all_near = lower.iter().chain(&higher).all(is_near);
        all_near.then(|| Rungs {
            low: lower.map(|rung| rung as i8),
            high: higher.map(|rung| rung as i8),
        })
    }
}

/// Returns whether `first` wins a sum, moving first, if the rungs decide that.
pub(crate) fn decide(all: impl Iterator<Item = Rungs>, first: Player) -> Option<bool> {
    Total::of(all)?.decide(first)
}

/// How many ups each player, the given one first, lacks for a win as the first player.
pub(crate) fn lacking_ups(all: impl Iterator<Item = Rungs>, mover: Player) -> Option<[i64; 2]> {
    Some(Total::of(all)?.lacking_ups(mover))
}

/// The rungs of a sum, added up.
#[derive(Clone, Copy)]
pub(crate) struct Total([Lower; 2]);

impl Total {
    /// The empty sum.
    pub const ZERO: Total = Total(
        [Lower {
            at_least: [0, -2],
            not_at_most: [-1, 1],
        }; 2],
    );

    fn of(mut all: impl Iterator<Item = Rungs>) -> Option<Total> {
        all.try_fold(Total::ZERO, |total, rungs| {
            (rungs != Rungs::NONE).then(|| total.plus(rungs))
        })
    }

    /// Adds an item, whose rungs must be known.
    #[inline]
    pub fn plus(self, item: Rungs) -> Total {
        Total(Player::BOTH.map(|player| {
            let item = Lower::of_item(item, player);
            self.0[player as usize].plus(item)
        }))
    }

    /// Returns whether `first` wins, moving first, if the rungs decide that.
    pub fn decide(self, first: Player) -> Option<bool> {
        let (mine, theirs) = (self.0[first as usize], self.0[!first as usize]);
        // 1. The mover loses a game that is at most 0.
        if is_at_least_zero(theirs.at_least) {
            return Some(false);
        }
        // 2. The mover wins a game that is not at most 0.
        let [even, odd] = mine.at_least;
        (even >= 1 || odd >= -1 || is_at_least_zero(mine.not_at_most)).then_some(true)
    }

    /// How many ups each player, the given one first, lacks for a win as the first player.
    pub fn lacking_ups(self, mover: Player) -> [i64; 2] {
        let lacking = |player: Player| {
            let [even, odd] = self.0[player as usize].not_at_most;
            -i64::from(even.max(odd - 2))
        };
        [lacking(mover), lacking(!mover)]
    }
}

/// Rungs below a sum from the point of view of a player, without and with a star.
#[derive(Clone, Copy)]
struct Lower {
    /// The sum is at least these.
    at_least: [i32; 2],
    /// The sum is greater than these or confused with them.
    not_at_most: [i32; 2],
}

impl Lower {
    /// Adds up what both are at least; or, of one of them, what it is not at most.
    #[inline]
    fn plus(self, item: Lower) -> Lower {
        let now = plus(self.at_least, item.not_at_most);
        let before = plus(self.not_at_most, item.at_least);
        Lower {
            at_least: plus(self.at_least, item.at_least),
            not_at_most: [now[0].max(before[0]), now[1].max(before[1])],
        }
    }

    #[inline]
    fn of_item(rungs: Rungs, player: Player) -> Lower {
        let [at_least, at_most] = rungs.seen_by(player);
        Lower {
            at_least,
            not_at_most: at_most.map(|rung| rung - 1),
        }
    }
}

/// No rung. Sums of many such numbers do not overflow.
const NEVER: i32 = -(1 << 16);

/// The sum of rungs: those with a star come from one of the two.
fn plus(a: [i32; 2], b: [i32; 2]) -> [i32; 2] {
    [
        (a[0] + b[0]).max(a[1] + b[1]),
        (a[0] + b[1]).max(a[1] + b[0]),
    ]
}

/// A rung without a star is at least 0 from 0 on, one with a star from 2 on.
fn is_at_least_zero([even, odd]: [i32; 2]) -> bool {
    even >= 0 || odd >= 2
}

#[cfg(test)]
mod tests {
    use super::super::facts::testing::all_small_games;
    use super::*;
    use std::cmp::Ordering;

    fn rungs(forms: &mut Forms, value: Value, weight: i64) -> Rungs {
        Rungs::of_value(forms, value, weight).unwrap()
    }

    #[test]
    fn rungs_are_next_to_the_value() {
        let mut forms = Forms::default();
        for game in all_small_games(&mut forms) {
            let found = rungs(&mut forms, game, 0);
            for star in 0..2 {
                for ups in -8..=8 {
                    let rung = rung(&mut forms, ups, star).unwrap();
                    let order = forms.compare(game, rung).unwrap();
                    let above = matches!(order, Some(Ordering::Greater | Ordering::Equal));
                    let below = matches!(order, Some(Ordering::Less | Ordering::Equal));
                    assert_eq!(above, ups <= i64::from(found.low[star]));
                    assert_eq!(below, ups >= i64::from(found.high[star]));
                }
            }
            // An estimate of the weight that is far off changes nothing.
            assert_eq!(rungs(&mut forms, game, 5), found);
            assert_eq!(rungs(&mut forms, game, -5), found);
        }
    }

    #[test]
    fn rungs_follow_from_those_of_the_options() {
        let mut forms = Forms::default();
        let mut games = all_small_games(&mut forms);
        for ups in -5..=5 {
            games.extend((0..2).map(|star| rung(&mut forms, ups, star).unwrap()));
        }
        for game in games {
            let mut best = OfOptions::NONE;
            for player in Player::BOTH {
                for option in forms.options(game, player).unwrap().to_vec() {
                    best.add(player, rungs(&mut forms, option, 0));
                }
            }
            let found = rungs(&mut forms, game, 0);
            if game != Value::ZERO {
                assert_eq!(best.rungs(), Some(found));
            }
            let negative = forms.negative(game).unwrap();
            assert_eq!(rungs(&mut forms, negative, 0), found.negative());
            for (ups, star) in [(2, 1), (-3, 0)] {
                let shift = rung(&mut forms, ups, star).unwrap();
                let sum = forms.sum(game, shift).unwrap();
                let shift = rungs(&mut forms, shift, 0).as_shift().unwrap();
                assert_eq!(rungs(&mut forms, sum, 0), found.plus(shift));
            }
        }
    }

    #[test]
    fn rungs_decide_as_the_sums_do() {
        let mut forms = Forms::default();
        let mut games = all_small_games(&mut forms);
        for ups in [-2, 1] {
            games.push(rung(&mut forms, ups, 1).unwrap());
        }
        let all: Vec<Rungs> = games
            .iter()
            .map(|&game| rungs(&mut forms, game, 0))
            .collect();
        let mut decided = 0;
        let mut check = |forms: &mut Forms, places: &[usize]| {
            let values = places.iter().map(|&at| games[at]);
            let sum = values.fold(Value::ZERO, |sum, value| forms.sum(sum, value).unwrap());
            for first in Player::BOTH {
                if let Some(wins) = decide(places.iter().map(|&at| all[at]), first) {
                    assert_eq!(wins, forms.outcome(sum).wins_first(first));
                    decided += 1;
                }
            }
        };
        for a in 0..games.len() {
            check(&mut forms, &[a]);
            for b in 0..=a {
                check(&mut forms, &[a, b]);
                check(&mut forms, &[a, b, (7 * a + 3 * b) % games.len()]);
            }
        }
        assert!(decided > games.len() * games.len());
    }

    #[test]
    fn the_empty_sum_is_lost_and_unknown_items_decide_nothing() {
        assert_eq!(decide([].into_iter(), Player::Left), Some(false));
        assert_eq!(decide([Rungs::NONE].into_iter(), Player::Right), None);
    }

    #[test]
    fn far_rungs_are_unknown() {
        let mut forms = Forms::default();
        let far = forms.nus(Nus::ups(FARTHEST)).unwrap();
        assert_eq!(rungs(&mut forms, far, FARTHEST), Rungs::NONE);
    }
}
