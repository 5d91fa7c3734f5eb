//! Number + ups + nimber: the values with closed-form sum, negative and comparison.

use std::cmp::Ordering;
use std::fmt;

use num_bigint::BigInt;

use super::{Dyadic, Outcome};

/// `number + ups·↑ + *nimber`.
///
/// # Equality
/// Two are equal as games exactly when their three parts are equal. `partial_cmp` is the order
/// of games: `None` means confused.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Nus {
    /// The number.
    pub number: Dyadic,
    /// The number of ups; negative for downs.
    pub ups: i64,
    /// The size of the nim heap.
    pub nimber: u64,
}

impl Nus {
    /// The game 0.
    pub const ZERO: Nus = Nus {
        number: Dyadic::ZERO,
        ups: 0,
        nimber: 0,
    };

    /// A plain number.
    pub fn number(number: Dyadic) -> Nus {
        Nus {
            number,
            ups: 0,
            nimber: 0,
        }
    }

    /// The nim heap of this size.
    pub fn nimber(nimber: u64) -> Nus {
        Nus {
            number: Dyadic::ZERO,
            ups: 0,
            nimber,
        }
    }

    /// A number of ups.
    pub fn ups(ups: i64) -> Nus {
        Nus {
            number: Dyadic::ZERO,
            ups,
            nimber: 0,
        }
    }

    /// Returns true for a plain number.
    pub fn is_number(&self) -> bool {
        self.ups == 0 && self.nimber == 0
    }

    /// The sum; `None` if the ups do not fit into 64 bits.
    pub fn sum(&self, other: &Nus) -> Option<Nus> {
        Some(Nus {
            number: &self.number + &other.number,
            ups: self.ups.checked_add(other.ups)?,
            nimber: self.nimber ^ other.nimber,
        })
    }

    /// The same game with the players exchanged; `None` for `i64::MIN` ups.
    pub fn negative(&self) -> Option<Nus> {
        Some(Nus {
            number: -&self.number,
            ups: self.ups.checked_neg()?,
            nimber: self.nimber,
        })
    }

    /// The canonical options of Left and of Right.
    ///
    /// `n·↑ + *k = {0 | (n-1)·↑ + *(k⊕1)}` for `n > 0`, except `↑* = {0,*|0}`. The number is added
    /// to each option, since moves in the other parts are better than moves in a number.
    pub fn options(&self) -> [Vec<Nus>; 2] {
        let part = |ups, nimber| Nus {
            number: self.number.clone(),
            ups,
            nimber,
        };
        match (self.ups, self.nimber) {
            (0, 0) => self
                .number
                .options()
                .map(|x| x.into_iter().map(Nus::number).collect()),
            (0, k) => [0, 1].map(|_| (0..k).map(|j| part(0, j)).collect()),
            (1, 1) => [vec![part(0, 0), part(0, 1)], vec![part(0, 0)]],
            (-1, 1) => [vec![part(0, 0)], vec![part(0, 0), part(0, 1)]],
            (n, k) if n > 0 => [vec![part(0, 0)], vec![part(n - 1, k ^ 1)]],
            (n, k) => [vec![part(n + 1, k ^ 1)], vec![part(0, 0)]],
        }
    }

    /// The maximum number of moves in the canonical form.
    ///
    /// Each up is a move that flips the nimber's last bit, until a nimber is left.
    pub fn birthday(&self) -> BigInt {
        let ups = self.ups.unsigned_abs();
        let heap = if ups == 0 {
            self.nimber
        } else {
            (self.nimber ^ (ups & 1)).max(1)
        };
        self.number.birthday() + ups + heap
    }

    /// The outcome.
    pub fn outcome(&self) -> Outcome {
        Outcome::of_relation(self.partial_cmp(&Nus::ZERO))
    }
}

impl PartialOrd for Nus {
    fn partial_cmp(&self, other: &Nus) -> Option<Ordering> {
        let star = self.nimber ^ other.nimber;
        // 128 bits, because the difference of two `i64` can overflow.
        let ups = i128::from(self.ups) - i128::from(other.ups);
        match self.number.cmp(&other.number) {
            Ordering::Equal => relation_to_zero(ups, star),
            unequal => Some(unequal),
        }
    }
}

/// Compares `n·↑ + *k` with 0: one up is confused with `*`, and greater than every other nimber.
fn relation_to_zero(ups: i128, star: u64) -> Option<Ordering> {
    match (ups, star) {
        (0, 0) => Some(Ordering::Equal),
        (0, _) | (1 | -1, 1) => None,
        _ => Some(ups.cmp(&0)),
    }
}

impl fmt::Display for Nus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let infinitesimal = self.ups != 0 || self.nimber != 0;
        if !self.number.is_zero() || !infinitesimal {
            write!(f, "{}", self.number)?;
        }
        let arrow = if self.ups < 0 { 'v' } else { '^' };
        match self.ups.unsigned_abs() {
            0 => {}
            1 => write!(f, "{arrow}")?,
            2 => write!(f, "{arrow}{arrow}")?,
            n => write!(f, "{arrow}{n}")?,
        }
        match self.nimber {
            0 => Ok(()),
            1 => f.write_str("*"),
            k => write!(f, "*{k}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn nus(number: i64, ups: i64, nimber: u64) -> Nus {
        Nus {
            number: Dyadic::integer(number),
            ups,
            nimber,
        }
    }

    #[test]
    fn prints_the_usual_notation() {
        let cases = [
            (nus(0, 0, 0), "0"),
            (nus(0, 0, 1), "*"),
            (nus(0, 1, 0), "^"),
            (nus(0, 2, 1), "^^*"),
            (nus(0, -3, 4), "v3*4"),
            (nus(6, 1, 1), "6^*"),
            (nus(-1, 0, 1), "-1*"),
        ];
        for (value, text) in cases {
            assert_eq!(value.to_string(), text);
        }
    }

    #[test]
    fn known_outcomes() {
        let cases = [
            (nus(0, 0, 0), Outcome::Previous),
            (nus(0, 0, 5), Outcome::Next),
            (nus(0, 1, 0), Outcome::Left),
            (nus(0, 1, 1), Outcome::Next),
            (nus(0, 1, 2), Outcome::Left),
            (nus(0, 2, 1), Outcome::Left),
            (nus(0, -2, 1), Outcome::Right),
            (nus(1, -9, 7), Outcome::Left),
        ];
        for (value, outcome) in cases {
            assert_eq!(value.outcome(), outcome, "{value}");
        }
    }

    #[test]
    fn ups_do_not_wrap() {
        assert_eq!(Nus::ups(i64::MAX).sum(&Nus::ups(1)), None);
        assert_eq!(Nus::ups(i64::MIN).negative(), None);
        assert!(Nus::ups(i64::MAX) > Nus::ups(i64::MIN));
    }

    fn any_nus() -> impl Strategy<Value = Nus> {
        (-2i64..3, -3i64..4, 0u64..5).prop_map(|(n, u, k)| nus(n, u, k))
    }

    proptest! {
        #[test]
        fn a_minus_a_is_zero(a in any_nus()) {
            prop_assert_eq!(a.negative().and_then(|b| b.sum(&a)), Some(Nus::ZERO));
        }

        #[test]
        fn comparison_is_the_outcome_of_the_difference(a in any_nus(), b in any_nus()) {
            let difference = b.negative().and_then(|b| b.sum(&a)).expect("small");
            prop_assert_eq!(a.partial_cmp(&b), difference.partial_cmp(&Nus::ZERO));
            prop_assert_eq!(a.partial_cmp(&b), b.partial_cmp(&a).map(Ordering::reverse));
        }
    }
}
