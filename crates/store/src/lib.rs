//! Archives of chess games: compact records, a position index, and signatures for search.
//!
//! A [`Segment`] is a sequence of bytes that holds many games: mainlines at one byte a move, tags by
//! column, comments and variations compressed, statistics of every position, and what each game can
//! contain. It is built from [`Part`]s, which threads can make independently, and never changed. A
//! [`Manifest`] lists the segments of an archive. Files and threads are left to the caller.
//!
//! ```
//! use gametree_chess::{Board, pgn::read_game};
//! use gametree_store::{Indexed, Part, Position, Segment, SegmentBuilder};
//!
//! let mut part = Part::new(Indexed::Mainlines);
//! for text in ["1. e4 e5 2. Nf3 1-0", "1. e4 c5 0-1", "1. d4 d5 1/2-1/2"] {
//!     part.push(&read_game(text.as_bytes()).unwrap());
//! }
//! let mut builder = SegmentBuilder::new(Indexed::Mainlines);
//! builder.append(part);
//! let sections: Vec<Vec<u8>> = builder.into_tasks().into_iter().map(|task| task()).collect();
//! let segment = Segment::open(SegmentBuilder::assemble(&sections)).unwrap();
//!
//! let mut board = Board::new();
//! let found = segment.stats(&Position::of(&board), None).unwrap();
//! assert_eq!(found.stats.total.games, 3);
//! board.play_san("e4").unwrap();
//! let found = segment.stats(&Position::of(&board), None).unwrap();
//! assert_eq!((found.stats.total.white, found.stats.total.black), (1, 1));
//! ```

// A panic is a bug: what input can cause is an error.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

extern crate gametree_chess as chess;
extern crate gametree_tree as tree;

mod bytes;
mod columns;
mod facts;
mod index;
mod manifest;
mod numbered;
mod part;
mod position;
mod record;
mod replay;
mod sections;
mod segment;
mod signature;
mod stats;
mod track;

pub use bytes::Damage;
pub use facts::Facts;
pub use manifest::{Manifest, SegmentEntry};
pub use part::{Indexed, Part};
pub use position::Position;
pub use record::Line;
pub use segment::{Found, Reader, Segment, SegmentBuilder, TagColumn, Task};
pub use signature::{ENDING_MEN, GameSet, GroupBound, KINDS, Selection};
pub use stats::{Ranked, Stats, TOP, Tally, TopGames};
