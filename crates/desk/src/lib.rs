//! Work on chess files: open, show, edit, merge, audit, compare, query, draw.
//!
//! ```
//! use gametree_desk::stats::Stats;
//! # let _ = std::marker::PhantomData::<Stats>;
//! ```
//!
//! This crate joins `chess`, `cql` and `draw` with files and threads. Results are plain structs; it
//! prints nothing.

// A panic is a bug: what input can cause is an error.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

extern crate gametree_chess as chess;
extern crate gametree_cql as cql;
extern crate gametree_kit as kit;
extern crate gametree_store as store;
extern crate gametree_tree as tree;

pub mod against;
pub mod archive;
pub mod audit;
pub mod book;
pub mod check;
pub mod choose;
pub mod convert;
pub mod diff;
pub mod draw;
pub mod edit;
pub mod game_list;
pub mod games;
pub mod joined;
pub mod link;
pub mod merge;
pub mod notation;
pub mod opening_rows;
pub mod openings;
pub mod paths;
pub mod place;
pub mod positions;
pub mod query;
pub mod report;
pub mod session;
pub mod shards;
mod sorted;
pub mod stats;
pub mod stream;
#[cfg(feature = "parquet")]
pub mod tables;
pub mod tree_map;
pub mod walk;

mod boards;
mod chapter;
mod epd;
mod guide;
mod pgn_input;
pub mod polyglot;
#[cfg(test)]
mod random;
mod remarks;

pub use chess::annotation;
pub use chess::pgn::{Game, nag};
pub use chess::{Board, Color, File, Move, Piece, Rank, Role, Square, Variant};
pub use tree::{NodeId, View, table};

/// The extension of game files that are read from folders.
pub const GAME_FILES: &[&str] = &[".pgn"];
