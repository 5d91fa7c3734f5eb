//! Input that exceeds a limit.

use std::{fmt, io};

use crate::limits::Size;

/// The exceeded limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TooLarge {
    /// The unpacked size of a compressed file.
    Unpacked(Size),
    /// A file that is opened whole.
    Whole(Size),
    /// The games of a file that are held in memory together.
    Games(Size),
    /// The result of all games read so far.
    Kept(Size),
    /// The same where an option sets the limit.
    Memory(Size),
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TooLarge::Unpacked(limit) => write!(f, "unpacks to more than {limit}"),
            TooLarge::Whole(limit) => write!(f, "larger than {limit}, too large to open"),
            TooLarge::Games(limit) => write!(f, "larger than {limit}, too large to hold in memory"),
            TooLarge::Kept(limit) | TooLarge::Memory(limit) => {
                write!(f, "from here on the result takes more than {limit}")
            }
        }
    }
}

impl std::error::Error for TooLarge {}

impl From<TooLarge> for io::Error {
    fn from(error: TooLarge) -> io::Error {
        io::Error::new(io::ErrorKind::FileTooLarge, error)
    }
}

/// A hint for the user.
pub(super) fn fix(error: &io::Error) -> Option<&'static str> {
    let too_large = error.get_ref()?.downcast_ref::<TooLarge>()?;
    Some(match too_large {
        TooLarge::Unpacked(_) => "--max-unpacked SIZE raises the limit",
        TooLarge::Whole(_) => {
            "--max-text SIZE raises the limit; the tree takes up to twenty times as much memory"
        }
        TooLarge::Games(_) => {
            "--max-text SIZE raises the limit; a game counts as its text and 256 bytes, and its \
             tree takes up to twenty times as much memory"
        }
        TooLarge::Memory(_) => "--memory SIZE raises the limit",
        TooLarge::Kept(_) => "--max-text SIZE raises the limit to eight times SIZE",
    })
}
