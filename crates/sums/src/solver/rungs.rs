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

/// Rungs this far from 0 are not tried.
const FARTHEST: i64 = 60;

impl Rungs {
    /// Nothing is known.
    pub const NONE: Rungs = Rungs {
        low: [i8::MIN; 2],
        high: [i8::MAX; 2],
    };

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

/// Returns whether `first` wins a sum, moving first, if the rungs decide that.
pub(crate) fn decide(all: impl Iterator<Item = Rungs> + Clone, first: Player) -> Option<bool> {
    let [mine, theirs] = Player::BOTH.map(|of| Lower::of_sum(all.clone(), of));
    let (mine, theirs) = match first {
        Player::Left => (mine?, theirs?),
        Player::Right => (theirs?, mine?),
    };
    // 1. The mover loses a game that is at most 0.
    if is_at_least_zero(theirs.at_least) {
        return Some(false);
    }
    // 2. The mover wins a game that is not at most 0.
    let [even, odd] = mine.at_least;
    (even >= 1 || odd >= -1 || is_at_least_zero(mine.not_at_most)).then_some(true)
}

/// How many ups each player, the given one first, lacks for a win as the first player.
pub(crate) fn lacking_ups(
    all: impl Iterator<Item = Rungs> + Clone,
    mover: Player,
) -> Option<[i64; 2]> {
    let lacking = |player: Player| {
        let [even, odd] = Lower::of_sum(all.clone(), player)?.not_at_most;
        Some(-i64::from(even.max(odd - 2)))
    };
    Some([lacking(mover)?, lacking(!mover)?])
}

/// Rungs below a sum from the point of view of a player, without and with a star.
struct Lower {
    /// The sum is at least these.
    at_least: [i32; 2],
    /// The sum is greater than these or confused with them.
    not_at_most: [i32; 2],
}

impl Lower {
    /// Adds up what all items are at least; or, of one of them, what it is not at most.
    fn of_sum(all: impl Iterator<Item = Rungs>, player: Player) -> Option<Lower> {
        let mut sum = Lower {
            at_least: [0, NEVER],
            not_at_most: [NEVER; 2],
        };
        for rungs in all {
            let item = Lower::of_item(rungs, player)?;
            let now = plus(sum.at_least, item.not_at_most);
            let before = plus(sum.not_at_most, item.at_least);
            sum = Lower {
                at_least: plus(sum.at_least, item.at_least),
                not_at_most: [now[0].max(before[0]), now[1].max(before[1])],
            };
        }
        Some(sum)
    }

    fn of_item(rungs: Rungs, player: Player) -> Option<Lower> {
        if rungs == Rungs::NONE {
            return None;
        }
        let [low, high] = [rungs.low, rungs.high].map(|pair| pair.map(i32::from));
        let (at_least, at_most) = match player {
            Player::Left => (low, high),
            Player::Right => (high.map(|rung| -rung), low.map(|rung| -rung)),
        };
        Some(Lower {
            at_least,
            not_at_most: at_most.map(|rung| rung - 1),
        })
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
