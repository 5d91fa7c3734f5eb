//! Options of several commands: which positions count as the same, the side of a repertoire.

use clap::{Args, ValueEnum};
use desk::Color;
use desk::positions::Identity;

/// Which positions count as the same.
#[derive(Args, Clone, Copy, Debug)]
pub struct SamePosition {
    /// Ignore en passant: positions are the same if board, side to move and castling rights are
    #[arg(long)]
    base_fen: bool,
}

impl SamePosition {
    /// The identity that the options select.
    pub fn identity(self) -> Identity {
        if self.base_fen {
            Identity::Base
        } else {
            Identity::Strict
        }
    }
}

/// Whose repertoire it is.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// White
    White,
    /// Black
    Black,
}

impl Side {
    /// The colour.
    pub fn colour(self) -> Color {
        match self {
            Side::White => Color::White,
            Side::Black => Color::Black,
        }
    }
}
