//! Which positions count as the same, as it can be typed.

use clap::Args;
use desk::positions::Identity;

/// Which positions count as the same.
#[derive(Args, Clone, Copy, Debug)]
pub struct SamePosition {
    /// Ignore en passant: positions are the same if board, side to move and castling rights are
    #[arg(long)]
    base_fen: bool,
}

impl SamePosition {
    /// What is meant.
    pub fn identity(self) -> Identity {
        match self.base_fen {
            true => Identity::Base,
            false => Identity::Strict,
        }
    }
}
