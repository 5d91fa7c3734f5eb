//! Dyadic rationals `m / 2^e` of any size, and the simplest number in an interval.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Bound, Neg, Sub};

use num_bigint::{BigInt, Sign};

/// A dyadic rational: an integer over a power of two, exact at any size.
///
/// # Equality
/// Each number has one representation (odd numerator or exponent 0; machine words if they suffice),
/// so equality and hashing are structural.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Dyadic(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small { numerator: i64, exponent: u32 },
    Big(Box<Big>),
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Big {
    numerator: BigInt,
    exponent: u64,
}

/// The largest exponent stored in machine words: two aligned numerators then fit into an `i128`.
const SMALL_EXPONENT: u32 = 62;

impl Dyadic {
    /// The number 0.
    pub const ZERO: Dyadic = Dyadic::integer(0);
    /// The number 1.
    pub const ONE: Dyadic = Dyadic::integer(1);

    /// The integer `n`.
    pub const fn integer(n: i64) -> Dyadic {
        Dyadic(Repr::Small {
            numerator: n,
            exponent: 0,
        })
    }

    /// `numerator / 2^exponent`.
    pub fn new(numerator: i64, exponent: u32) -> Dyadic {
        Dyadic::reduce(i128::from(numerator), exponent)
    }

    /// `numerator / 2^exponent`, of any size.
    pub(crate) fn from_big(numerator: BigInt, exponent: u64) -> Dyadic {
        let common = numerator.trailing_zeros().unwrap_or(exponent).min(exponent);
        let (numerator, exponent) = (numerator >> common, exponent - common);
        match (i64::try_from(&numerator), u32::try_from(exponent)) {
            (Ok(numerator), Ok(exponent)) if exponent <= SMALL_EXPONENT => Dyadic(Repr::Small {
                numerator,
                exponent,
            }),
            _ => Dyadic(Repr::Big(Box::new(Big {
                numerator,
                exponent,
            }))),
        }
    }

    /// `numerator / denominator`; `None` if that is not a dyadic rational.
    pub fn ratio(numerator: &BigInt, denominator: &BigInt) -> Option<Dyadic> {
        let power = denominator.trailing_zeros()?;
        let odd = denominator >> power;
        let (quotient, rest) = (numerator / &odd, numerator % &odd);
        (rest.sign() == Sign::NoSign).then(|| Dyadic::from_big(quotient, power))
    }

    /// The numerator in lowest terms.
    pub fn numerator(&self) -> BigInt {
        match &self.0 {
            Repr::Small { numerator, .. } => BigInt::from(*numerator),
            Repr::Big(big) => big.numerator.clone(),
        }
    }

    /// The denominator in lowest terms is 2 to this power.
    pub fn exponent(&self) -> u64 {
        match &self.0 {
            Repr::Small { exponent, .. } => u64::from(*exponent),
            Repr::Big(big) => big.exponent,
        }
    }

    /// Numerator and exponent when both fit machine words.
    pub fn small(&self) -> Option<(i64, u32)> {
        match self.0 {
            Repr::Small {
                numerator,
                exponent,
            } => Some((numerator, exponent)),
            Repr::Big(_) => None,
        }
    }

    /// Returns true for an integer.
    pub fn is_integer(&self) -> bool {
        self.exponent() == 0
    }

    /// Returns true for 0.
    pub fn is_zero(&self) -> bool {
        *self == Dyadic::ZERO
    }

    /// Compares the number with 0.
    pub fn sign(&self) -> Ordering {
        match &self.0 {
            Repr::Small { numerator, .. } => numerator.cmp(&0),
            Repr::Big(big) => match big.numerator.sign() {
                Sign::Minus => Ordering::Less,
                Sign::NoSign => Ordering::Equal,
                Sign::Plus => Ordering::Greater,
            },
        }
    }

    /// The number divided by 2.
    pub fn half(&self) -> Dyadic {
        match self.0 {
            Repr::Small {
                numerator,
                exponent,
            } => Dyadic::reduce(i128::from(numerator), exponent + 1),
            Repr::Big(ref big) => Dyadic::from_big(big.numerator.clone(), big.exponent + 1),
        }
    }

    /// The number times 2.
    pub fn double(&self) -> Dyadic {
        self + self
    }

    /// The largest integer less than or equal to the number.
    pub fn floor(&self) -> Dyadic {
        match &self.0 {
            Repr::Small {
                numerator,
                exponent,
            } => Dyadic::integer(numerator >> exponent),
            Repr::Big(big) => Dyadic::from_big(&big.numerator >> big.exponent, 0),
        }
    }

    /// `⌊x·2^bits⌋` if it fits into 64 bits, and whether rounding was inexact.
    pub(super) fn floor_scaled(&self, bits: u32) -> (Option<i64>, bool) {
        match self.small() {
            Some((n, e)) if e <= bits => ((i128::from(n) << (bits - e)).try_into().ok(), false),
            Some((n, e)) => (Some(n >> (e - bits)), true),
            None => {
                let floor = (self.numerator() << bits) >> self.exponent();
                (floor.try_into().ok(), self.exponent() > u64::from(bits))
            }
        }
    }

    /// The number as an `i64`, if it is an integer in that range.
    pub fn to_i64(&self) -> Option<i64> {
        match self.0 {
            Repr::Small {
                numerator,
                exponent: 0,
            } => Some(numerator),
            _ => None,
        }
    }

    /// The nearest floating-point number, for drawing.
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Repr::Small {
                numerator,
                exponent,
            } => *numerator as f64 / (1u64 << exponent) as f64,
            Repr::Big(big) => {
                // Keep the 64 leading bits; an `f64` is less precise.
                let drop = big.numerator.bits().saturating_sub(64);
                let head = i128::try_from(&big.numerator >> drop).unwrap_or(0) as f64;
                let scale = drop as f64 - big.exponent as f64;
                head * scale.exp2()
            }
        }
    }

    /// The birthday: the maximum number of moves in the canonical form.
    pub fn birthday(&self) -> BigInt {
        let whole = if self.sign() == Ordering::Less {
            (-self).floor()
        } else {
            self.floor()
        };
        let fraction = self.exponent();
        whole.numerator() + BigInt::from(if fraction == 0 { 0 } else { fraction + 1 })
    }

    /// The canonical options of Left and of Right, if any.
    pub fn options(&self) -> [Option<Dyadic>; 2] {
        let step = Dyadic::from_big(BigInt::from(1u8), self.exponent());
        match (self.is_integer(), self.sign()) {
            (true, Ordering::Equal) => [None, None],
            (true, Ordering::Greater) => [Some(self - &step), None],
            (true, Ordering::Less) => [None, Some(self + &step)],
            (false, _) => [Some(self - &step), Some(self + &step)],
        }
    }

    /// The simplest number strictly between two bounds; `None` means no bound.
    pub(crate) fn simplest_between(low: Option<&Dyadic>, high: Option<&Dyadic>) -> Option<Dyadic> {
        let bound = |x| match x {
            Some(x) => Bound::Excluded(x),
            None => Bound::Unbounded,
        };
        Dyadic::simplest_in(bound(low), bound(high))
    }

    /// The simplest number in an interval: 0 if the interval contains it, else the integer nearest
    /// to 0, else the number with the smallest denominator. `None` if the interval is empty.
    pub(crate) fn simplest_in(low: Bound<&Dyadic>, high: Bound<&Dyadic>) -> Option<Dyadic> {
        if above(&Dyadic::ZERO, low) && below(&Dyadic::ZERO, high) {
            return Some(Dyadic::ZERO);
        }
        if above(&Dyadic::ZERO, low) {
            // The interval is negative: use its mirror image.
            let (low, high) = (negated(high), negated(low));
            return simplest_positive(as_bound(&low), as_bound(&high)).map(|x| -x);
        }
        simplest_positive(low, high)
    }

    fn reduce(numerator: i128, exponent: u32) -> Dyadic {
        let common = if numerator == 0 {
            exponent
        } else {
            numerator.trailing_zeros().min(exponent)
        };
        let (numerator, exponent) = (
            numerator.checked_shr(common).unwrap_or(0),
            exponent - common,
        );
        match i64::try_from(numerator) {
            Ok(numerator) if exponent <= SMALL_EXPONENT => Dyadic(Repr::Small {
                numerator,
                exponent,
            }),
            _ => Dyadic::from_big(BigInt::from(numerator), u64::from(exponent)),
        }
    }

    fn add_big(&self, other: &Dyadic) -> Dyadic {
        let exponent = self.exponent().max(other.exponent());
        Dyadic::from_big(self.scaled(exponent) + other.scaled(exponent), exponent)
    }

    /// The numerator for the denominator `2^exponent`; the exponent must not be less than that of
    /// the number.
    fn scaled(&self, exponent: u64) -> BigInt {
        self.numerator() << (exponent - self.exponent())
    }

    /// The smallest multiple of `2^-exponent` above the bound.
    fn first_above(low: Bound<&Dyadic>, exponent: u64) -> Dyadic {
        let (x, open) = match low {
            Bound::Excluded(x) => (x, true),
            Bound::Included(x) => (x, false),
            Bound::Unbounded => return Dyadic::ZERO,
        };
        match x.small() {
            Some((n, e)) if exponent <= u64::from(SMALL_EXPONENT) => {
                let exponent = exponent as u32; // at most SMALL_EXPONENT
                let (n, exact) = if exponent >= e {
                    (i128::from(n) << (exponent - e), true)
                } else {
                    (i128::from(n >> (e - exponent)), false) // lowest terms: never exact
                };
                Dyadic::reduce(n + i128::from(open || !exact), exponent)
            }
            _ if exponent >= x.exponent() => {
                Dyadic::from_big(x.scaled(exponent) + BigInt::from(u8::from(open)), exponent)
            }
            _ => {
                let below = x.numerator() >> (x.exponent() - exponent);
                Dyadic::from_big(below + BigInt::from(1u8), exponent)
            }
        }
    }
}

/// The simplest number of a positive interval.
fn simplest_positive(low: Bound<&Dyadic>, high: Bound<&Dyadic>) -> Option<Dyadic> {
    let first = |exponent| Some(Dyadic::first_above(low, exponent)).filter(|x| below(x, high));
    let exponent_of = |bound: Bound<&Dyadic>| match bound {
        Bound::Included(x) | Bound::Excluded(x) => x.exponent(),
        Bound::Unbounded => 0,
    };
    // If an exponent suffices then all larger ones do; one more than those of the bounds is enough.
    let enough = exponent_of(low).max(exponent_of(high)) + 1;
    let (mut least, mut most) = (0, enough);
    while least < most {
        let middle = if least == 0 && most == enough {
            0
        } else {
            least + (most - least) / 2
        };
        match first(middle) {
            Some(_) => most = middle,
            None => least = middle + 1,
        }
    }
    first(most)
}

fn above(x: &Dyadic, low: Bound<&Dyadic>) -> bool {
    match low {
        Bound::Included(low) => x >= low,
        Bound::Excluded(low) => x > low,
        Bound::Unbounded => true,
    }
}

fn below(x: &Dyadic, high: Bound<&Dyadic>) -> bool {
    match high {
        Bound::Included(high) => x <= high,
        Bound::Excluded(high) => x < high,
        Bound::Unbounded => true,
    }
}

fn negated(bound: Bound<&Dyadic>) -> Bound<Dyadic> {
    bound.map(|x| -x)
}

fn as_bound(bound: &Bound<Dyadic>) -> Bound<&Dyadic> {
    bound.as_ref()
}

impl From<i64> for Dyadic {
    fn from(n: i64) -> Dyadic {
        Dyadic::integer(n)
    }
}

impl Ord for Dyadic {
    fn cmp(&self, other: &Dyadic) -> Ordering {
        match (self.small(), other.small()) {
            (Some((a, d)), Some((b, e))) if d == e => a.cmp(&b),
            (Some((a, d)), Some((b, e))) => (i128::from(a) << e).cmp(&(i128::from(b) << d)),
            _ => {
                let exponent = self.exponent().max(other.exponent());
                self.sign()
                    .cmp(&other.sign())
                    .then_with(|| self.scaled(exponent).cmp(&other.scaled(exponent)))
            }
        }
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Dyadic) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Add for &Dyadic {
    type Output = Dyadic;
    fn add(self, other: &Dyadic) -> Dyadic {
        match (self.small(), other.small()) {
            (Some((a, d)), Some((b, e))) => {
                let exponent = d.max(e);
                // Aligned, both are below 2^125.
                let sum = (i128::from(a) << (exponent - d)) + (i128::from(b) << (exponent - e));
                Dyadic::reduce(sum, exponent)
            }
            _ => self.add_big(other),
        }
    }
}

impl Sub for &Dyadic {
    type Output = Dyadic;
    fn sub(self, other: &Dyadic) -> Dyadic {
        self + &-other
    }
}

impl Neg for &Dyadic {
    type Output = Dyadic;
    fn neg(self) -> Dyadic {
        match &self.0 {
            Repr::Small {
                numerator,
                exponent,
            } => Dyadic::reduce(-i128::from(*numerator), *exponent),
            Repr::Big(big) => Dyadic::from_big(-&big.numerator, big.exponent),
        }
    }
}

impl Add for Dyadic {
    type Output = Dyadic;
    fn add(self, other: Dyadic) -> Dyadic {
        &self + &other
    }
}

impl Sub for Dyadic {
    type Output = Dyadic;
    fn sub(self, other: Dyadic) -> Dyadic {
        &self - &other
    }
}

impl Neg for Dyadic {
    type Output = Dyadic;
    fn neg(self) -> Dyadic {
        -&self
    }
}

impl fmt::Display for Dyadic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small {
                numerator,
                exponent: 0,
            } => write!(f, "{numerator}"),
            Repr::Small {
                numerator,
                exponent,
            } => write!(f, "{numerator}/{}", 1u64 << exponent),
            Repr::Big(big) if big.exponent == 0 => write!(f, "{}", big.numerator),
            Repr::Big(big) => {
                write!(f, "{}/{}", big.numerator, BigInt::from(1u8) << big.exponent)
            }
        }
    }
}

impl fmt::Debug for Dyadic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn d(numerator: i64, exponent: u32) -> Dyadic {
        Dyadic::new(numerator, exponent)
    }

    #[test]
    fn one_representation_per_number() {
        assert_eq!(d(6, 1), d(3, 0));
        assert_eq!(d(0, 40), Dyadic::ZERO);
        assert_eq!(d(i64::MIN, 63), d(-1, 0));
        assert_eq!(d(1, 70).double().exponent(), 69);
        assert_eq!(&d(i64::MAX, 0) + &d(1, 0) + d(-1, 0), d(i64::MAX, 0));
        assert_eq!(-d(i64::MIN, 0) + d(i64::MIN, 0), Dyadic::ZERO);
    }

    #[test]
    fn prints_the_usual_notation() {
        assert_eq!(d(3, 2).to_string(), "3/4");
        assert_eq!(d(-5, 0).to_string(), "-5");
        assert_eq!(d(1, 64).to_string(), "1/18446744073709551616");
        assert_eq!(
            (d(i64::MAX, 0) + d(1, 0)).to_string(),
            "9223372036854775808"
        );
    }

    #[test]
    fn ratio_takes_dyadics_only() {
        let ratio = |n: i64, m: i64| Dyadic::ratio(&BigInt::from(n), &BigInt::from(m));
        assert_eq!(ratio(6, 12), Some(d(1, 1)));
        assert_eq!(ratio(6, -4), Some(d(-3, 1)));
        assert_eq!(ratio(1, 3), None);
        assert_eq!(ratio(1, 0), None);
    }

    #[test]
    fn simplest_numbers_known() {
        let between = |a: Dyadic, b: Dyadic| Dyadic::simplest_between(Some(&a), Some(&b));
        assert_eq!(between(d(-1, 0), d(1, 0)), Some(Dyadic::ZERO));
        assert_eq!(between(d(5, 1), d(7, 0)), Some(d(3, 0)));
        assert_eq!(between(d(0, 0), d(1, 0)), Some(d(1, 1)));
        assert_eq!(between(d(1, 2), d(1, 0)), Some(d(1, 1)));
        assert_eq!(between(d(3, 3), d(1, 1)), Some(d(7, 4)));
        assert_eq!(between(d(-7, 0), d(-5, 1)), Some(d(-3, 0)));
        assert_eq!(between(d(1, 0), d(1, 0)), None);
        assert_eq!(
            Dyadic::simplest_between(Some(&d(7, 1)), None),
            Some(d(4, 0))
        );
        assert_eq!(
            Dyadic::simplest_between(None, Some(&d(-4, 0))),
            Some(d(-5, 0))
        );
        assert_eq!(Dyadic::simplest_between(None, None), Some(Dyadic::ZERO));
        let half = d(1, 1);
        let closed = Dyadic::simplest_in(Bound::Included(&half), Bound::Included(&half));
        assert_eq!(closed, Some(half));
    }

    #[test]
    fn birthdays() {
        assert_eq!(d(5, 0).birthday(), BigInt::from(5));
        assert_eq!(d(-1, 1).birthday(), BigInt::from(2));
        assert_eq!(d(25, 4).birthday(), BigInt::from(6));
    }

    fn any_dyadic() -> impl Strategy<Value = Dyadic> {
        (any::<i64>(), 0u32..90, 0u32..64).prop_map(|(n, e, s)| d(n >> s, e))
    }

    /// By definition: the number with the least birthday strictly between the bounds.
    fn simplest_by_birthday(low: &Dyadic, high: &Dyadic) -> Dyadic {
        let (mut left, mut right, mut x) = (None, None, Dyadic::ZERO);
        loop {
            if x <= *low {
                left = Some(x.clone());
            } else if x >= *high {
                right = Some(x.clone());
            } else {
                return x;
            }
            x = match (&left, &right) {
                (Some(l), Some(r)) => (l + r).half(),
                (Some(l), None) => l + &Dyadic::ONE,
                (None, Some(r)) => r - &Dyadic::ONE,
                (None, None) => Dyadic::ZERO,
            };
        }
    }

    proptest! {
        #[test]
        fn addition_is_a_group(a in any_dyadic(), b in any_dyadic(), c in any_dyadic()) {
            prop_assert_eq!(&(&a + &b) + &c, &a + &(&b + &c));
            prop_assert_eq!(&a - &a, Dyadic::ZERO);
            prop_assert_eq!(&(&a + &b) - &b, a);
        }

        #[test]
        fn order_is_the_sign_of_the_difference(a in any_dyadic(), b in any_dyadic()) {
            prop_assert_eq!(a.cmp(&b), (&a - &b).sign());
        }

        #[test]
        fn halves_and_floors(a in any_dyadic()) {
            prop_assert_eq!(a.half().double(), a.clone());
            let floor = a.floor();
            prop_assert!(floor.is_integer() && floor <= a && a < floor + Dyadic::ONE);
        }

        #[test]
        fn simplest_is_the_first_born(n in -300i64..300, m in 1i64..300, e in 0u32..9) {
            let (low, high) = (d(n, e), d(n + m, e));
            let simplest = Dyadic::simplest_between(Some(&low), Some(&high));
            prop_assert_eq!(simplest, Some(simplest_by_birthday(&low, &high)));
        }

        #[test]
        fn simplest_of_large_numbers_lies_between(a in any_dyadic(), b in any_dyadic()) {
            prop_assume!(a != b);
            let (a, b) = if a < b { (a, b) } else { (b, a) };
            let x = Dyadic::simplest_between(Some(&a), Some(&b)).expect("open and not empty");
            prop_assert!(a < x && x < b);
        }
    }
}
