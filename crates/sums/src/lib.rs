//! Combinatorial games: values, rulesets, sums and an exact solver.
//!
//! - [`rules`]: two dozen games, one file each.
//! - [`input`]: the language of `.test` files and a short form for people.
//! - [`Solver`]: who wins a sum, nim values, winning moves, comparisons, bounds, values.
//! - [`Strategy`]: why, as a tree that can be checked by the rules alone.
//! - [`value`]: canonical forms, thermographs, and the notation for them.
//! - [`db`]: databases of components.
//! - [`naive`]: minimax without any of this, to check the rest.
//!
//! ```
//! use sums::{Solver, input::read_short, value::Outcome};
//! let statement = read_short("clobber XXO + domineering ..|.. + {1|-1} - ^")?;
//! assert_eq!(Solver::default().outcome(&statement.sum)?, Outcome::Previous);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate does no input or output and starts no threads.

pub mod db;
mod game;
pub mod input;
pub mod naive;
mod player;
pub mod rules;
mod solver;
mod strategy;
pub mod value;

pub use game::{Game, GameMove, Kind};
pub use player::ByPlayer;
pub use solver::{
    BadSnapshot, Bounds, Budget, GaveUp, Mark, Scale, Solver, Stats, SumMove, Workers, moves,
    scaffold,
};
pub use strategy::{Flaw, Strategy, StrategyMove};
