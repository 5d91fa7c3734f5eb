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
        message: String,
        /// The place.
        excerpt: String,
    },
    /// `tag FEN …`: the moves would no longer fit.
    FixedTag(String),
    /// PGN that starts from a position that is neither the current one nor the first one.
    OtherStart,
    /// `merge` with several games.
    SeveralGames,
    /// A chapter verb, applied to a game without its file.
    NoFile,
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EditError::AtStart => {
                f.write_str("no move here: this is the starting position; go to a move first")
            }
            EditError::Nothing(why) => f.write_str(why),
            EditError::NoMoves => f.write_str("no moves to add"),
            EditError::BadMoves { message, excerpt } => {
                write!(f, "{message}: {excerpt:?}; nothing was added")
            }
            EditError::FixedTag(name) => write!(
                f,
                "cannot change the tag {name}: the moves would no longer be legal from another starting position"
            ),
            EditError::OtherStart => f.write_str(
                "the starting positions differ; go to the position from which the moves start",
            ),
            EditError::SeveralGames => f.write_str("several games: `paste` adds them as chapters"),
            EditError::NoFile => f.write_str("chapters belong to a file, not to a game"),
        }
    }
}

impl std::error::Error for EditError {}
