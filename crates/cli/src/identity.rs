//! Options of several commands: which positions count as the same, tree or positions, the side of a
//! repertoire; and the words for positions that several paths reach.

use clap::{Args, ValueEnum};
use desk::Color;
use desk::positions::{Identity, PositionCounts};
use desk::session::Session;
use kit::number::grouped;

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

/// Tree or positions: the two ways to see games.
#[derive(Args, Clone, Copy, Debug)]
pub struct Joined {
    /// See each position once, with the moves of all games of all files
    #[arg(long)]
    pub positions: bool,
    #[command(flatten)]
    pub same: SamePosition,
}

impl Joined {
    /// Switches a session to positions mode if the option is given.
    pub fn apply(self, session: &mut Session) {
        session.set_identity(self.same.identity());
        session.set_joined(self.positions);
    }
}

/// `42 reached by several paths: 40 between lines, 2 repeated`
pub fn transposed(counts: &PositionCounts) -> String {
    format!(
        "{} reached by several paths: {} between lines, {} repeated",
        grouped(counts.transposed),
        grouped(counts.between_lines),
        grouped(counts.repeated)
    )
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
