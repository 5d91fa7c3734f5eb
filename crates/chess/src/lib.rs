//! Chess positions, and PGN text to game trees and back with nothing lost.

pub mod annotation;
mod board;
pub mod link;
mod moves;
pub mod pgn;
mod variant;

pub use board::{
    Board, FenError, FenWarning, Identity, IllegalMove, KeyedBoard, Outcome, SanError, Termination,
    UciError,
};
pub use moves::{Move, MoveKind, MoveList, MoveText};
pub use shakmaty::{
    Bitboard, ByColor, ByRole, CastlingSide, Color, File, Piece, Rank, Role, Square, attacks,
};
pub use variant::Variant;
