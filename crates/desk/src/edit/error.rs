//! The reasons for refusing an edit.

use std::fmt;

/// The reason for refusing an edit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EditError {
    /// The verb needs a move, and the initial position has none.
    AtStart,
    /// The edit would change nothing; the reason.
    Nothing(&'static str),
    /// `add {}`: the text has no moves.
    NoMoves,
    /// Moves that are unreadable or illegal.
    BadMoves {
        /// The error.
        what: String,
        /// The place.
        excerpt: String,
    },
    /// `tag FEN …`: the moves would no longer fit.
    FixedTag(String),
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EditError::AtStart => {
                f.write_str("this needs a move, and here is the start; go to a move first")
            }
            EditError::Nothing(why) => f.write_str(why),
            EditError::NoMoves => f.write_str("there is no move to add"),
            EditError::BadMoves { what, excerpt } => {
                write!(f, "{what}: {excerpt:?}; nothing was added")
            }
            EditError::FixedTag(name) => write!(
                f,
                "the tag {name} sets the start of the game; its moves would no longer fit"
            ),
        }
    }
}

impl std::error::Error for EditError {}
