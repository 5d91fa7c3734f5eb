//! PGN text to game trees and back, with nothing lost.

mod bytes;
mod complaint;
mod nag;
mod outcome;
mod scan;
mod split;
mod tag;

pub use complaint::{Complaint, Kind, Place, Severity};
pub use nag::{nag_of_sign, sign_of_nag};
pub use outcome::Outcome;
pub use scan::{Style, Visitor, scan};
pub use split::{Border, GamePlace, RawGame, Split, split};
pub use tag::{RawTag, TagForm};

/// A range of bytes.
pub type Span = std::ops::Range<usize>;
