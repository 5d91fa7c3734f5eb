//! Sums of combinatorial games: read, solve, test, explain, play.
//!
//! ```
//! use desk::parallel::Crew;
//! use desk::sums::{read, solve};
//! let reading = read::read("example", "clobber_1xn XOXOXO + 3/4".to_owned());
//! let found = solve::solve(&reading.tasks[0], &solve::Options::default(), &Crew::alone());
//! assert_eq!(found.outcome().to_string(), "L");
//! ```

pub mod asked;
pub mod board;
pub mod db;
pub mod moves;
pub mod picture;
pub mod play;
pub mod read;
pub mod report;
pub mod sketch;
pub mod so_far;
pub mod solve;
pub mod suite;
pub mod value;
pub mod why;

pub use ::sums::input::{Ask, Expected, Fault, Relation};
pub use ::sums::value::{Dyadic, Outcome, Player, Thermograph};
pub use ::sums::{Bounds, Budget, Game, GaveUp, Mark, Scale, Solver, Stats, SumMove};

/// Components as they are typed, joined by ` + `; `0` for the empty sum.
pub fn sum_text(sum: &[Game]) -> String {
    let terms: Vec<String> = sum.iter().map(term_text).collect();
    match terms.is_empty() {
        true => "0".to_owned(),
        false => terms.join(" + "),
    }
}

/// A value by itself, any other game with its name; a switch that was thrown is a number.
fn term_text(game: &Game) -> String {
    let text = game.text();
    let mut name = game.kind.name();
    if name.ends_with("switch_game") && !text.contains(',') {
        name = name.replace("switch_game", "dyadic_rational");
    }
    match name.as_str() {
        "explicit" => text,
        _ if text.contains([' ', '(']) || text.is_empty() => format!("{name} ({text})"),
        _ => format!("{name} {text}"),
    }
}

/// The games that can be played: the name of each with one line about it.
pub fn games() -> impl Iterator<Item = (&'static str, &'static str)> {
    ::sums::rules::RULESETS
        .iter()
        .map(|rules| (rules.name(), rules.summary()))
}
