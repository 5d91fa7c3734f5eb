//! Errors of reading or resolving a place, with the valid alternatives.

use std::fmt;

use chess::FenError;

use super::Half;

/// The error of a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlaceError {
    /// The text is empty.
    Empty,
    /// `hello`: not an address, move, id or FEN.
    Unreadable {
        /// The word.
        word: String,
    },
    /// `40Wa` on a line of ten moves.
    NoSuchMove {
        /// The requested half-move.
        half: Half,
        /// The first and last move of the displayed line; none if it has no moves.
        line: Option<(Half, Half)>,
    },
    /// `1Wz` where the alternatives are `a` and `b`.
    NoSuchAlternative {
        /// The move at that point of the line.
        half: Half,
        /// The requested label.
        label: String,
        /// The existing alternatives.
        offered: Offered,
    },
    /// A legal move that the tree does not have there.
    NotInTree {
        /// The move.
        san: String,
        /// The move it would come after, `5...a6`; none at the start.
        after: Option<String>,
        /// The existing moves.
        offered: Offered,
    },
    /// Not a legal move there.
    Illegal {
        /// The text.
        word: String,
        /// The reason.
        reason: chess::SanError,
        /// The move it would come after; none at the start.
        after: Option<String>,
        /// The existing moves.
        offered: Offered,
    },
    /// A position id beyond the last one.
    NoSuchId {
        /// The requested id.
        id: u32,
        /// The last id.
        last: u32,
    },
    /// An invalid FEN.
    BadFen(FenError),
    /// No node has this position.
    PositionNotFound,
}

/// Valid choices: moves, with labels where they have some.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Offered {
    /// `a e3`, or `Nf3`; a limited number.
    pub moves: Vec<String>,
    /// The number of further choices.
    pub more: usize,
}

impl Offered {
    /// The number of choices in a message.
    const MOST: usize = 16;

    pub(super) fn collect(moves: impl IntoIterator<Item = String>) -> Offered {
        let mut moves = moves.into_iter();
        let kept = moves.by_ref().take(Self::MOST).collect();
        Offered {
            moves: kept,
            more: moves.count(),
        }
    }
}

impl fmt::Display for Offered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.moves.join(", "))?;
        match self.more {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

/// The notations for a place.
const NOTATIONS: &str = "6Wc, 6.Bc4, moves such as `e4 c5 Nf3`, a position id or a FEN";

impl fmt::Display for PlaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlaceError::Empty => write!(f, "missing position; use {NOTATIONS}"),
            PlaceError::Unreadable { word } => {
                write!(f, "{word:?} is not a position; use {NOTATIONS}")
            }
            PlaceError::NoSuchMove { half, line } => no_such_move(f, *half, *line),
            PlaceError::NoSuchAlternative {
                half,
                label,
                offered,
            } => no_such_alternative(f, *half, label, offered),
            PlaceError::NotInTree {
                san,
                after,
                offered,
            } => {
                write!(f, "the tree has no {san} {}", after_text(after))?;
                there(f, offered)
            }
            PlaceError::Illegal {
                word,
                reason,
                after,
                offered,
            } => {
                write!(f, "{word}: {reason} {}", after_text(after))?;
                there(f, offered)
            }
            PlaceError::NoSuchId { id, last } => {
                write!(f, "no position {id}: position ids go from 0 to {last}")
            }
            PlaceError::BadFen(error) => error.fmt(f),
            PlaceError::PositionNotFound => f.write_str("position not found"),
        }
    }
}

impl std::error::Error for PlaceError {}

fn no_such_move(f: &mut fmt::Formatter<'_>, half: Half, line: Option<(Half, Half)>) -> fmt::Result {
    write!(f, "no move {half} on this line")?;
    match line {
        None => f.write_str(": it has no moves"),
        Some((first, last)) => write!(f, ": it goes from {first} to {last}"),
    }
}

fn no_such_alternative(
    f: &mut fmt::Formatter<'_>,
    half: Half,
    label: &str,
    offered: &Offered,
) -> fmt::Result {
    write!(f, "no alternative {label} at {half}; ")?;
    if offered.moves.is_empty() {
        write!(f, "on this line {half} has none")
    } else {
        write!(f, "on this line {half} has: {offered}")
    }
}

fn after_text(after: &Option<String>) -> String {
    match after {
        Some(after) => format!("after {after}"),
        None => "at the start".to_owned(),
    }
}

fn there(f: &mut fmt::Formatter<'_>, offered: &Offered) -> fmt::Result {
    if offered.moves.is_empty() {
        f.write_str("; the line ends there")
    } else {
        write!(f, "; it has: {offered}")
    }
}
