//! Combinatorial games: values, rulesets, sums and an exact solver.

mod game;
pub mod input;
mod player;
pub mod rules;
pub mod value;

pub use game::{Game, GameMove, Kind};
pub use player::ByPlayer;
