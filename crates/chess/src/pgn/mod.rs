//! PGN text to game trees and back, without losing anything.
//!
//! [`split`] and [`Reader`] find the games of a text, [`scan`] finds the tokens of a game,
//! [`Builder`] builds a [`Game`] from them, [`export`] writes it. Reading fails only on I/O errors:
//! every other problem becomes a [`Complaint`], and the text in question is kept where it was.
//!
//! ```
//! use gametree_chess::pgn::{ComplaintKind, read_game};
//!
//! let game = read_game(b"1. e4 e5 (1... Qh1 2. x) 2. Nf3 Nc6 1-0").unwrap();
//! assert_eq!(game.end().san(), "Nc6");
//! assert_eq!(game.complaints()[0].kind, ComplaintKind::IllegalMove);
//! assert!(game.to_string().contains("( 1... Qh1 2. x )"));
//! ```

mod amend;
mod block;
mod boards;
mod braces;
mod build;
mod bytes;
mod complaint;
mod cpu;
mod encoding;
mod game;
mod lane;
pub mod nag;
mod node;
mod outcome;
mod read;
mod scan;
mod split;
mod start;
mod tag;
mod vector;
mod write;

pub use amend::amend;
pub use braces::{replace_braces, restore_braces};
pub use build::Builder;
pub use complaint::{Complaint, ComplaintKind, Location, Severity};
pub use encoding::{Utf16, decode, to_utf8};
pub use game::{Game, Note, NoteKind, NotePlace, ROSTER, Text, roster_default};
pub use node::{AddSanError, Cursor, Node};
pub use outcome::Outcome;
pub use read::{Games, Reader, read_game, read_games};
pub use scan::{Style, Visitor, scan};
pub use split::{Border, GAME_LIMIT, GamePlace, RawGame, Split, split};
pub use start::{GameStart, find_game_start};
pub use tag::{RawTag, TagForm};
pub use write::{ExportOptions, export, export_bytes, export_chunks, export_into, export_tags};

/// A range of bytes.
pub type Span = std::ops::Range<usize>;
