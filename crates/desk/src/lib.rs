//! One door to gametree: open, show, edit, merge, audit, ask, draw, solve.
//!
//! The desk joins the crates below it with what they refuse to know: paths, compression, threads,
//! progress. It hands back plain structs and never prints.

pub mod against;
pub mod audit;
pub mod book;
pub mod check;
pub mod choose;
pub mod command;
pub mod convert;
pub mod diff;
pub mod draw;
pub mod edit;
pub mod games;
pub mod input;
pub mod link;
pub mod merge;
pub mod parallel;
pub mod paths;
pub mod place;
pub mod positions;
pub mod progress;
pub mod query;
pub mod report;
pub mod save;
pub mod session;
pub mod stats;
pub mod sums;
pub mod walk;

mod guide;
mod near;
#[cfg(test)]
mod random;
mod remarks;
mod stop;

pub use chess;
pub use stop::Stop;
pub use tree::{NodeId, View, table};
