//! PGN text to game trees and back, with nothing lost.
//!
//! [`split`] and [`Reader`] find the games, [`scan`] tells what stands in one, [`Builder`] makes a
//! [`Game`] of it, [`export`] writes it. Reading never fails but for I/O: what is wrong becomes a
//! [`Complaint`] and stays as text where it stood.
//!
//! ```
//! use chess::pgn::{Kind, read_game};
//!
//! let game = read_game(b"1. e4 e5 (1... Qh1 2. x) 2. Nf3 Nc6 1-0").unwrap();
//! assert_eq!(game.end().san(), "Nc6");
//! assert_eq!(game.complaints()[0].kind, Kind::IllegalMove);
//! assert!(game.to_string().contains("( 1... Qh1 2. x )"));
//! ```

mod build;
mod bytes;
mod complaint;
mod eight;
mod encoding;
mod game;
mod nag;
mod node;
mod outcome;
mod read;
mod scan;
mod split;
mod tag;
mod write;

pub use build::Builder;
pub use complaint::{Complaint, Kind, Place, Severity};
pub use encoding::{decode, to_utf8};
pub use game::{Game, Note, NoteKind, NotePlace, ROSTER, Text, roster_default};
pub use nag::{nag_of_sign, sign_of_nag};
pub use node::{Cursor, Node};
pub use outcome::Outcome;
pub use read::{Games, Reader, read_game, read_games};
pub use scan::{Style, Visitor, scan};
pub use split::{Border, GAME_LIMIT, GamePlace, RawGame, Split, split};
pub use tag::{RawTag, TagForm};
pub use write::{ExportOptions, export, export_into, export_tags};

/// A range of bytes.
pub type Span = std::ops::Range<usize>;
