#![doc = include_str!("../README.md")]
// A panic is a bug: what input can cause is an error.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

extern crate gametree_tree as tree;

pub mod annotation;
mod board;
mod board_stack;
pub mod link;
mod moves;
pub mod openings;
pub mod pgn;
pub mod polyglot;
mod uci;
mod variant;

pub use board::{
    Board, FenError, FenWarning, Identity, IllegalMove, KeyedBoard, Outcome, SanError, Termination,
};
pub use board_stack::BoardStack;
pub use moves::{Move, MoveKind, MoveList, MoveText};
pub use shakmaty::{
    Bitboard, ByColor, ByRole, CastlingSide, Color, File, Piece, Rank, Role, Square, attacks,
};
pub use tree::NodeId;
pub use uci::{UciError, UciMove};
pub use variant::Variant;
