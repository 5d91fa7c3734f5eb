//! Why an edit was refused.

use std::fmt;

/// Why nothing was changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EditError {
    /// The verb is about a move, and the initial position has none.
    AtStart,
    /// Everything is already as it should become; what exactly.
    Nothing(&'static str),
    /// `add {}`: no move among the moves.
    NoMoves,
    /// Moves that cannot be read or played.
    BadMoves {
        /// What is wrong with them.
        what: String,
        /// Where.
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
                "the tag {name} says where the game starts; its moves would no longer fit"
            ),
        }
    }
}

impl std::error::Error for EditError {}
