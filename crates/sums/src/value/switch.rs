//! Switches `{x|y}` of two numbers, and their classification.

use std::cmp::Ordering;
use std::fmt;

use super::{Dyadic, Nus};

/// `{left|right}` with a number for each player.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Switch {
    /// Left's option.
    pub left: Dyadic,
    /// Right's option.
    pub right: Dyadic,
}

/// The kinds of switches.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum SwitchKind {
    /// `{t|-t}` with `t > 0`: hot, mean 0.
    Normalised {
        /// `t`.
        temperature: Dyadic,
    },
    /// `{x|y}` with `x > y`: hot, `mean ± temperature`.
    Proper {
        /// `(x+y)/2`.
        mean: Dyadic,
        /// `(x-y)/2`.
        temperature: Dyadic,
    },
    /// `{x|x} = x + *`.
    NumberPlusStar(Dyadic),
    /// `{x|y}` with `x < y`: the simplest number between.
    Number(Dyadic),
}

impl Switch {
    /// The switch `{left|right}`.
    pub fn new(left: Dyadic, right: Dyadic) -> Switch {
        Switch { left, right }
    }

    /// The kind of the switch.
    pub fn kind(&self) -> SwitchKind {
        match self.left.cmp(&self.right) {
            Ordering::Equal => SwitchKind::NumberPlusStar(self.left.clone()),
            Ordering::Greater => self.hot(),
            Ordering::Less => SwitchKind::Number(
                Dyadic::simplest_between(Some(&self.left), Some(&self.right))
                    .unwrap_or(Dyadic::ZERO), // an open interval of numbers is never empty
            ),
        }
    }

    /// The switch as number and nimber; `None` if it is hot.
    pub fn to_nus(&self) -> Option<Nus> {
        match self.kind() {
            SwitchKind::Number(number) => Some(Nus::number(number)),
            SwitchKind::NumberPlusStar(number) => Some(Nus {
                number,
                ups: 0,
                nimber: 1,
            }),
            SwitchKind::Normalised { .. } | SwitchKind::Proper { .. } => None,
        }
    }

    /// The mean and the switch minus its mean: `{x|y} = (x+y)/2 ± (x-y)/2`; `None` unless it is
    /// hot.
    pub fn normalise(&self) -> Option<(Dyadic, Switch)> {
        match self.kind() {
            SwitchKind::Normalised { .. } => Some((Dyadic::ZERO, self.clone())),
            SwitchKind::Proper { mean, temperature } => {
                let right = -&temperature;
                Some((mean, Switch::new(temperature, right)))
            }
            SwitchKind::NumberPlusStar(_) | SwitchKind::Number(_) => None,
        }
    }

    /// The same game with the players exchanged.
    pub fn negative(&self) -> Switch {
        Switch::new(-&self.right, -&self.left)
    }

    fn hot(&self) -> SwitchKind {
        let mean = (&self.left + &self.right).half();
        let temperature = (&self.left - &self.right).half();
        if mean.is_zero() {
            SwitchKind::Normalised { temperature }
        } else {
            SwitchKind::Proper { mean, temperature }
        }
    }
}

impl fmt::Display for Switch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            SwitchKind::Normalised { temperature } => write!(f, "+-{temperature}"),
            _ => write!(f, "{{{}|{}}}", self.left, self.right),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn switch(left: i64, right: i64) -> Switch {
        Switch::new(Dyadic::integer(left), Dyadic::integer(right))
    }

    #[test]
    fn four_kinds() {
        let half = Dyadic::new(1, 1);
        let three_halves = Dyadic::new(3, 1);
        assert_eq!(
            switch(1, -1).kind(),
            SwitchKind::Normalised {
                temperature: Dyadic::ONE
            }
        );
        let proper = SwitchKind::Proper {
            mean: half.clone(),
            temperature: three_halves,
        };
        assert_eq!(switch(2, -1).kind(), proper);
        assert_eq!(
            switch(2, 2).kind(),
            SwitchKind::NumberPlusStar(Dyadic::integer(2))
        );
        assert_eq!(switch(0, 1).kind(), SwitchKind::Number(half));
        assert_eq!(switch(-4, 9).kind(), SwitchKind::Number(Dyadic::ZERO));
    }

    #[test]
    fn mean_and_rest() {
        let (mean, rest) = switch(2, -1).normalise().expect("hot");
        assert_eq!(mean, Dyadic::new(1, 1));
        assert_eq!(rest.to_string(), "+-3/2");
        assert_eq!(switch(1, 1).normalise(), None);
    }

    #[test]
    fn negative_mirrors() {
        assert_eq!(switch(2, -1).negative(), switch(1, -2));
        assert_eq!(switch(2, -1).to_string(), "{2|-1}");
    }
}
