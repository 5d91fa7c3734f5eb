//! The value of a sum: its canonical form and derived numbers.

use std::cmp::Ordering;

use serde::Serialize;
use sums::value::{Forms, OutOfBudget, Value};
use sums::{Bounds, Scale, Solver};

use super::{Dyadic, Game, GaveUp, Player};

/// The value of a sum, in the usual notation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ValueReport {
    /// The canonical form; none if it is too long.
    pub value: Option<String>,
    /// The length of the canonical form in characters.
    pub length: u64,
    /// The outcome: `L`, `R`, `N` or `P`.
    pub outcome: String,
    /// The left stop.
    pub left_stop: String,
    /// The right stop.
    pub right_stop: String,
    /// The mean value; none if it is too expensive.
    pub mean: Option<String>,
    /// The temperature; none if it is too expensive.
    pub temperature: Option<String>,
    /// The birthday: the length of the longest play of the canonical form.
    pub birthday: Option<String>,
    /// The atomic weight of an all-small game; none for others.
    pub atomic_weight: Option<String>,
    /// The number of distinct positions of the canonical form, itself included.
    pub followers: Option<usize>,
}

/// The longest canonical form that is written out.
const LONGEST: usize = 1 << 20;

/// Computes the value of a sum.
pub fn value_report(solver: &mut Solver, sum: &[Game]) -> Result<ValueReport, GaveUp> {
    let value = solver.value(sum)?;
    let written = solver.forms().text(value, LONGEST);
    let (text, length) = match written {
        Ok(text) => {
            let length = text.chars().count() as u64;
            (Some(text), length)
        }
        Err(long) => (None, long.length),
    };
    let outcome = solver.forms().outcome(value).to_string();
    let [left_stop, right_stop] =
        Player::BOTH.map(|first| solver.forms().stop(value, first).to_string());
    let mean = solver.within_budget(|forms| forms.mean(value));
    let temperature = solver.within_budget(|forms| forms.temperature(value));
    let birthday = solver.within_budget(|forms| forms.birthday(value));
    let atomic_weight = solver.within_budget(|forms| atomic_weight(forms, value));
    let followers = solver.within_budget(|forms| forms.followers(value));
    Ok(ValueReport {
        value: text,
        length,
        outcome,
        left_stop,
        right_stop,
        mean: mean.map(|mean| mean.to_string()),
        temperature: temperature.map(|t| t.to_string()),
        birthday: birthday.map(|day| day.to_string()),
        atomic_weight: atomic_weight.flatten(),
        followers: followers.map(|all| all.len()),
    })
}

fn atomic_weight(forms: &mut Forms, value: Value) -> Result<Option<String>, OutOfBudget> {
    let weight = forms.atomic_weight(value)?;
    Ok(weight.map(|weight| forms.show(weight)))
}

/// A scale to compare a sum with, and its range on both sides of 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ruler {
    /// The kind of its marks.
    pub scale: Scale,
    /// The lowest mark.
    pub low: i64,
    /// The highest mark.
    pub high: i64,
}

impl Ruler {
    /// The multiples of `step` between two numbers; none if there are too many to count.
    pub fn numbers(step: Dyadic, from: &Dyadic, to: &Dyadic) -> Option<Ruler> {
        let low = -steps_below(&-from.clone(), &step)?;
        let high = steps_below(to, &step)?;
        Some(Ruler {
            scale: Scale::Numbers { step },
            low,
            high,
        })
    }
}

/// Fractions finer than this are refused.
const MOST_HALVINGS: u64 = 1_000;

/// The greatest `k` with `k · step ≤ number`.
fn steps_below(number: &Dyadic, step: &Dyadic) -> Option<i64> {
    let halvings = step.exponent().max(number.exponent());
    if step.sign() != Ordering::Greater || halvings > MOST_HALVINGS {
        return None;
    }
    let whole = |x: &Dyadic| x.numerator() << (halvings - x.exponent());
    let (all, step) = (whole(number), whole(step));
    let towards_zero = &all / &step;
    let is_above = &towards_zero * &step > all;
    i64::try_from(towards_zero - i32::from(is_above)).ok()
}

/// The place of a sum on a ruler.
pub fn bounds(solver: &mut Solver, sum: &[Game], ruler: &Ruler) -> Result<Bounds, GaveUp> {
    solver.bounds(sum, &ruler.scale, ruler.low, ruler.high)
}

/// Proven bounds of a sum on a ruler, if it was given up: a mark that is less or equal, and one
/// that is greater or equal, as text.
pub fn partial_bounds(solver: &mut Solver, sum: &[Game], ruler: &Ruler) -> [Option<String>; 2] {
    solver
        .known_bounds(sum, &ruler.scale, ruler.low, ruler.high)
        .map(|mark| mark.map(|k| ruler.scale.mark(k).to_string()))
}

/// Parses `-3/4`.
pub fn parse_number(text: &str) -> Result<Dyadic, String> {
    text.parse().map_err(|_| {
        "expected an integer or a fraction over a power of two, such as -3/4".to_owned()
    })
}
