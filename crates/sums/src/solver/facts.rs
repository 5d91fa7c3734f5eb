//! Bounds on single items, in small integers.

use super::rungs::{self, Rungs};
use crate::rules::Guarantee;
use crate::value::{Dyadic, Forms, Player, Value};

/// Numbers are multiples of 2^-16, rounded so that bounds stay valid.
pub(crate) const UNIT: i64 = 1 << 16;

/// No bound. Sums of many such numbers do not overflow 128 bits.
const FAR: i64 = 1 << 61;

/// A bound on a game. A solid bound holds for the game itself (`G ≥ at`), a soft one for its stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bound {
    pub at: i64,
    pub solid: bool,
}

/// Lower and upper bounds on the stops of a game, by the player who moves first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Facts {
    /// Left gets at least this if Right moves first.
    pub low: Bound,
    /// Left gets at least this if Left moves first.
    pub low_first: Bound,
    /// Left gets at most this if Left moves first.
    pub high: Bound,
    /// Left gets at most this if Right moves first.
    pub high_first: Bound,
    /// An estimate of the final value, for ordering moves.
    pub guess: i32,
    /// The number of moves of each player.
    pub mobility: [u16; 2],
    /// Bounds on the atomic weight.
    pub ups: Ups,
    /// Multiples of up below and above.
    pub rungs: Rungs,
}

/// Bounds on the atomic weight of a game, as a game, in eighths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ups {
    pub low: i16,
    pub high: i16,
}

impl Ups {
    /// Nothing is known, or the game is not all-small.
    pub const NONE: Ups = Ups {
        low: i16::MIN,
        high: i16::MAX,
    };

    /// The bounds that follow from the stops of the atomic weight.
    pub fn of_weight(forms: &Forms, weight: Value) -> Ups {
        let (left, right) = (
            forms.stop(weight, Player::Left),
            forms.stop(weight, Player::Right),
        );
        // A stop bounds the game itself only if the right player moves there; otherwise the game
        // may lie infinitesimally beyond it.
        let beyond_low = forms.stop_side(weight, Player::Right) == Player::Left;
        let beyond_high = forms.stop_side(weight, Player::Left) == Player::Right;
        let low = eighths(floor(right).div_euclid(UNIT / 8) - i64::from(beyond_low));
        let high = eighths(-(-ceiling(left)).div_euclid(UNIT / 8) + i64::from(beyond_high));
        match (low, high) {
            (Some(low), Some(high)) => Ups { low, high },
            _ => Ups::NONE,
        }
    }
}

/// In 16 bits, without the two numbers that mean no bound.
fn eighths(number: i64) -> Option<i16> {
    let number = i16::try_from(number).ok();
    number.filter(|&number| number > i16::MIN && number < i16::MAX)
}

impl Facts {
    /// Nothing is known.
    pub const NONE: Facts = Facts {
        low: Bound {
            at: -FAR,
            solid: false,
        },
        low_first: Bound {
            at: -FAR,
            solid: false,
        },
        high: Bound {
            at: FAR,
            solid: false,
        },
        high_first: Bound {
            at: FAR,
            solid: false,
        },
        guess: 0,
        mobility: [0; 2],
        ups: Ups::NONE,
        rungs: Rungs::NONE,
    };

    /// Every stop is 0, nothing else is known.
    pub const ALL_SMALL: Facts = Facts {
        low: Bound {
            at: 0,
            solid: false,
        },
        low_first: Bound {
            at: 0,
            solid: false,
        },
        high: Bound {
            at: 0,
            solid: false,
        },
        high_first: Bound {
            at: 0,
            solid: false,
        },
        guess: 0,
        mobility: [0; 2],
        ups: Ups::NONE,
        rungs: Rungs::NONE,
    };

    /// The game lies between two integers.
    pub fn between(low: i64, high: i64) -> Facts {
        let solid = |at: i64| Bound {
            at: at * UNIT,
            solid: true,
        };
        // G ≥ low does not imply that Left, moving first, wins G - low.
        let soft = |at: i64| Bound {
            at: at * UNIT,
            solid: false,
        };
        Facts {
            low: solid(low),
            low_first: soft(low),
            high: solid(high),
            high_first: soft(high),
            ..Facts::NONE
        }
    }

    /// The bounds that follow from the stops of a value.
    pub fn of_value(forms: &Forms, value: Value) -> Facts {
        let (left, right) = (
            forms.stop(value, Player::Left),
            forms.stop(value, Player::Right),
        );
        // A stop reached with the opponent to move is a bound on the game itself.
        let solid = |first: Player, at_least: Player| forms.stop_side(value, first) != at_least;
        let middle = (i128::from(floor(left)) + i128::from(floor(right))) / 2;
        Facts {
            low: Bound {
                at: floor(right),
                solid: solid(Player::Right, Player::Left),
            },
            low_first: Bound {
                at: floor(left),
                solid: solid(Player::Left, Player::Left),
            },
            high: Bound {
                at: ceiling(left),
                solid: solid(Player::Left, Player::Right),
            },
            high_first: Bound {
                at: ceiling(right),
                solid: solid(Player::Right, Player::Right),
            },
            guess: middle.clamp(i128::from(i32::MIN / 4), i128::from(i32::MAX / 4)) as i32,
            mobility: [1, 1],
            ups: Ups::NONE,
            rungs: Rungs::NONE,
        }
    }

    /// Adds the bounds of two numbers.
    pub fn bound(&mut self, low: &Dyadic, high: &Dyadic) {
        let at = |at: i64, solid: bool| Bound { at, solid };
        raise(&mut self.low, at(floor(low), true));
        raise(&mut self.low_first, at(floor(low), false));
        reduce(&mut self.high, at(ceiling(high), true));
        reduce(&mut self.high_first, at(ceiling(high), false));
    }

    /// Adds what Left and Right can guarantee, each as second and as first player.
    pub fn guarantee(&mut self, [left, right]: [[Guarantee; 2]; 2]) {
        let [low, low_first] = left.map(|guarantee| Bound {
            at: i64::from(guarantee.eighths) * (UNIT / 8),
            solid: guarantee.is_last,
        });
        let [high, high_first] = right.map(|guarantee| Bound {
            at: -i64::from(guarantee.eighths) * (UNIT / 8),
            solid: guarantee.is_last,
        });
        raise(&mut self.low, low);
        raise(&mut self.low_first, low_first);
        reduce(&mut self.high, high);
        reduce(&mut self.high_first, high_first);
    }

    /// Adds a result of the search: whether this player wins, moving first.
    pub fn prove(&mut self, first: Player, wins: bool) {
        let solid = Bound { at: 0, solid: true };
        let soft = Bound {
            at: 0,
            solid: false,
        };
        match (first, wins) {
            (Player::Left, true) => raise(&mut self.low_first, solid),
            (Player::Left, false) => {
                reduce(&mut self.high, solid);
                reduce(&mut self.high_first, soft);
            }
            (Player::Right, true) => reduce(&mut self.high_first, solid),
            (Player::Right, false) => {
                raise(&mut self.low, solid);
                raise(&mut self.low_first, soft);
            }
        }
    }
}

/// Keeps the stronger lower bound.
fn raise(bound: &mut Bound, other: Bound) {
    if other.at > bound.at || other.at == bound.at && other.solid {
        *bound = other;
    }
}

/// Keeps the stronger upper bound.
fn reduce(bound: &mut Bound, other: Bound) {
    if other.at < bound.at || other.at == bound.at && other.solid {
        *bound = other;
    }
}

/// In units, rounded down.
fn floor(number: &Dyadic) -> i64 {
    scaled(number).map_or(-FAR, |(units, _)| units)
}

/// In units, rounded up.
fn ceiling(number: &Dyadic) -> i64 {
    scaled(number).map_or(FAR, |(units, exact)| units + i64::from(!exact))
}

/// In units, rounded down, and whether that is exact; `None` if it is too large.
fn scaled(number: &Dyadic) -> Option<(i64, bool)> {
    let (numerator, exponent) = number.small()?;
    if numerator.unsigned_abs() > 1 << 40 {
        return None;
    }
    let units = numerator * UNIT;
    Some((units >> exponent, units & ((1i64 << exponent) - 1) == 0))
}

/// Returns whether `first` wins a sum, moving first, if the bounds decide that.
///
/// With `L` and `R` the stops: `R(G)+R(H) ≤ R(G+H)` and `L(G)+R(H) ≤ L(G+H) ≤ L(G)+L(H)`, and the
/// mirror images. At equality with 0 solid bounds decide, because they hold for the games.
pub(crate) fn decide(facts: &[Facts], first: Player) -> Option<bool> {
    decide_by_stops(facts, first)
        .or_else(|| decide_by_ups(facts, first))
        .or_else(|| rungs::decide(facts.iter().map(|facts| facts.rungs), first))
}

/// The two-ahead rule: Left wins a game of atomic weight at least 2. So Left wins a game of positive
/// weight if Left moves first: if the weight is an integer this is part of the theory, otherwise one
/// of Left's options has a weight of at least 2. Weights add up.
fn decide_by_ups(facts: &[Facts], first: Player) -> Option<bool> {
    let needed = |player: Player| if player == first { 1 } else { 16 };
    let low = total(facts.iter().map(|facts| facts.ups.low), i16::MIN);
    if low.is_some_and(|low| low >= needed(Player::Left)) {
        return Some(first == Player::Left);
    }
    let high = total(facts.iter().map(|facts| facts.ups.high), i16::MAX);
    high.is_some_and(|high| -high >= needed(Player::Right))
        .then_some(first == Player::Right)
}

/// The atomic weight of a sum in eighths, in the middle of its bounds.
pub(crate) fn middle_of_ups(facts: &[Facts]) -> Option<i64> {
    let low = total(facts.iter().map(|facts| facts.ups.low), i16::MIN)?;
    let high = total(facts.iter().map(|facts| facts.ups.high), i16::MAX)?;
    Some((low + high) / 2)
}

/// The sum of bounds, unless one of them is no bound.
fn total(bounds: impl Iterator<Item = i16>, none: i16) -> Option<i64> {
    bounds
        .map(|bound| (bound != none).then_some(i64::from(bound)))
        .sum()
}

fn decide_by_stops(facts: &[Facts], first: Player) -> Option<bool> {
    match first {
        Player::Left => decide_by(
            facts.iter().map(|facts| (facts.low, facts.low_first)),
            facts.iter().map(|facts| facts.high),
            1,
        ),
        Player::Right => decide_by(
            facts.iter().map(|facts| (facts.high, facts.high_first)),
            facts.iter().map(|facts| facts.low),
            -1,
        ),
    }
}

/// For the mover: `mine` are lower bounds on the result if the opponent or the mover moves first,
/// `theirs` are upper bounds; `sign` is -1 for Right.
fn decide_by(
    mine: impl Iterator<Item = (Bound, Bound)> + Clone,
    theirs: impl Iterator<Item = Bound>,
    sign: i64,
) -> Option<bool> {
    // 1. The mover loses if even the upper bounds are too small.
    let (mut best, mut soft) = (0i128, 0);
    for bound in theirs {
        best += i128::from(bound.at * sign);
        soft += u32::from(!bound.solid);
    }
    if best < 0 || best == 0 && soft == 0 {
        return Some(false);
    }
    // 2. The mover wins with a move in one item if the lower bounds of the others suffice.
    let (mut sure, mut soft) = (0i128, 0);
    for (bound, _) in mine.clone() {
        sure += i128::from(bound.at * sign);
        soft += u32::from(!bound.solid);
    }
    for (bound, moved) in mine {
        let total = sure + i128::from(moved.at * sign) - i128::from(bound.at * sign);
        let others_soft = soft - u32::from(!bound.solid);
        if total > 0 || total == 0 && moved.solid && others_soft == 0 {
            return Some(true);
        }
    }
    (sure > 0).then_some(true)
}

#[cfg(test)]
pub(super) mod testing {
    use super::*;
    use crate::value::Nus;

    /// All games whose options, one or more of each player, are among 0, `*`, `↑` and `↓`.
    pub fn all_small_games(forms: &mut Forms) -> Vec<Value> {
        let options = [Nus::ZERO, Nus::nimber(1), Nus::ups(1), Nus::ups(-1)];
        let options = options.map(|nus| forms.nus(nus).unwrap());
        let chosen = |set: usize| -> Vec<Value> {
            let member = |&at: &usize| set >> at & 1 != 0;
            (0..4).filter(member).map(|at| options[at]).collect()
        };
        let sets = (1..16).flat_map(|left| (1..16).map(move |right| (left, right)));
        let mut games: Vec<Value> = sets
            .map(|(left, right)| forms.game(&chosen(left), &chosen(right)).unwrap())
            .collect();
        games.sort_unstable();
        games.dedup();
        games
    }
}

#[cfg(test)]
mod tests {
    use super::testing::all_small_games;
    use super::*;
    use crate::value::Nus;

    fn facts(forms: &mut Forms, nus: Nus) -> Facts {
        let value = forms.nus(nus).unwrap();
        Facts::of_value(forms, value)
    }

    #[test]
    fn stops_and_sides_give_outcomes() {
        let mut forms = Forms::default();
        let star = facts(&mut forms, Nus::nimber(1));
        let up = facts(&mut forms, Nus::ups(1));
        let down = facts(&mut forms, Nus::ups(-1));
        let one = facts(&mut forms, Nus::number(Dyadic::ONE));
        assert_eq!(
            [
                decide(&[star], Player::Left),
                decide(&[star], Player::Right)
            ],
            [Some(true); 2]
        );
        assert_eq!(decide(&[up], Player::Left), Some(true));
        assert_eq!(decide(&[up], Player::Right), Some(false));
        assert_eq!(decide(&[up, star], Player::Left), Some(true));
        assert_eq!(decide(&[up, star], Player::Right), None);
        assert_eq!(decide(&[up, down], Player::Left), None);
        assert_eq!(decide(&[down, star, one], Player::Right), Some(false));
        assert_eq!(
            [decide(&[], Player::Left), decide(&[], Player::Right)],
            [Some(false); 2]
        );
    }

    #[test]
    fn proofs_sharpen_facts() {
        let mut unknown = Facts::NONE;
        assert_eq!(decide(&[unknown], Player::Left), None);
        unknown.prove(Player::Right, false);
        assert_eq!(decide(&[unknown], Player::Right), Some(false));
        assert_eq!(decide(&[unknown], Player::Left), None);
        unknown.prove(Player::Left, true);
        assert_eq!(decide(&[unknown], Player::Left), Some(true));
        assert_eq!(decide(&[Facts::between(0, 1)], Player::Left), None);
        assert_eq!(decide(&[Facts::between(0, 1)], Player::Right), Some(false));
    }

    fn with_ups(forms: &mut Forms, value: Value) -> Facts {
        let weight = forms.atomic_weight(value).unwrap().expect("all-small");
        Facts {
            ups: Ups::of_weight(forms, weight),
            ..Facts::of_value(forms, value)
        }
    }

    #[test]
    fn atomic_weights_decide_as_the_sums_do() {
        let mut forms = Forms::default();
        let games = all_small_games(&mut forms);
        let facts: Vec<Facts> = games
            .iter()
            .map(|&game| with_ups(&mut forms, game))
            .collect();
        let mut decided = 0;
        for a in 0..games.len() {
            for b in 0..=a {
                let sum = forms.sum(games[a], games[b]).unwrap();
                for first in Player::BOTH {
                    if let Some(wins) = decide_by_ups(&[facts[a], facts[b]], first) {
                        assert_eq!(wins, forms.outcome(sum).wins_first(first));
                        decided += 1;
                    }
                }
            }
        }
        assert!(decided > 0);
    }

    #[test]
    fn numbers_have_no_atomic_weight() {
        let mut forms = Forms::default();
        let one = forms.integer(1).unwrap();
        assert_eq!(forms.atomic_weight(one), Ok(None));
        assert_eq!(
            decide_by_ups(&[Facts::of_value(&forms, one)], Player::Left),
            None
        );
        assert_eq!(decide_by_ups(&[], Player::Left), None);
    }
}
