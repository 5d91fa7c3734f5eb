//! Exact values of combinatorial games: numbers, nimbers, ups, switches and canonical forms.
//!
//! [`Dyadic`], [`Nus`] and [`Switch`] need no search and no table. Everything else is a
//! [`Value`]: the id of a canonical form interned in [`Forms`], where equal games have equal ids.
//!
//! ```
//! use gametree_sums::value::{Forms, Outcome};
//!
//! let mut forms = Forms::default();
//! let game = forms.parse("{2|-1} + ^*")?;
//! let other = forms.parse("{2+^*|-1+^*}")?;
//! assert_eq!(game, other);
//! assert_eq!(forms.outcome(game), Outcome::Next);
//! assert_eq!(forms.temperature(game)?.to_string(), "3/2");
//! let twice = forms.multiple(2, game)?;
//! assert_eq!(forms.show(twice), "1^^");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Loopy games, misère play and transfinite values are not supported.

mod build;
mod cache;
mod canonical;
mod compare;
mod complaint;
mod cooling;
mod dyadic;
mod forms;
#[cfg(test)]
mod laws;
mod lex;
mod node;
mod nus;
mod parse;
mod print;
mod scratch;
mod shape;
mod store;
mod sum;
mod switch;
mod thermograph;

pub use build::Build;
pub use complaint::{Complaint, ParseError};
pub use dyadic::Dyadic;
pub use forms::{Forms, Limits, OutOfBudget};
pub use node::Value;
pub use nus::Nus;
pub(crate) use parse::parse;
pub use print::TooLong;
pub use switch::{Switch, SwitchKind};
pub use thermograph::{Thermograph, Trajectory};

use std::cmp::Ordering;
use std::fmt;
use std::ops::Not;

/// The two players of a combinatorial game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Player {
    /// Left, who is Black and plays X; Left wins positive games.
    Left,
    /// Right, who is White and plays O.
    Right,
}

impl Player {
    /// Both players, Left first.
    pub const BOTH: [Player; 2] = [Player::Left, Player::Right];
}

impl Not for Player {
    type Output = Player;
    fn not(self) -> Player {
        match self {
            Player::Left => Player::Right,
            Player::Right => Player::Left,
        }
    }
}

/// The winner under perfect play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// Left wins, moving first or second: the game is positive.
    Left,
    /// Right wins, moving first or second: the game is negative.
    Right,
    /// The next player, who moves first, wins: the game is confused with 0.
    Next,
    /// The previous player, who moves second, wins: the game is 0.
    Previous,
}

impl Outcome {
    /// The outcome of a game from its relation to 0.
    pub(crate) fn of_relation(to_zero: Option<Ordering>) -> Outcome {
        match to_zero {
            Some(Ordering::Greater) => Outcome::Left,
            Some(Ordering::Less) => Outcome::Right,
            Some(Ordering::Equal) => Outcome::Previous,
            None => Outcome::Next,
        }
    }

    /// Returns true if the player wins moving first.
    pub fn wins_first(self, player: Player) -> bool {
        match player {
            Player::Left => matches!(self, Outcome::Left | Outcome::Next),
            Player::Right => matches!(self, Outcome::Right | Outcome::Next),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::Left => "L",
            Outcome::Right => "R",
            Outcome::Next => "N",
            Outcome::Previous => "P",
        })
    }
}
