//! Edits of a game, each of which can be undone and redone.
//!
//! The same verbs serve the explorer, its line mode, `gametree edit` and the journal.
//!
//! ```
//! use gametree_desk::edit::Verb;
//! use gametree_desk::walk::Walk;
//!
//! let game = gametree_chess::pgn::read_game(b"1. e4 (1. d4) e5 *").ok_or("no game")?;
//! let mut walk = Walk::new(game);
//! walk.forward();
//! walk.next_alternative();
//! let change = walk.edit(&Verb::First)?;
//! assert_eq!(walk.game().root().next().map(|node| node.san()), Some("d4".into()));
//! change.undo(&mut walk)?;
//! assert_eq!(walk.game().root().next().map(|node| node.san()), Some("e4".into()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod apply;
mod change;
mod clip;
mod error;
mod paste;
mod verb;

pub use change::Change;
pub(crate) use clip::continuations;
pub use clip::{Clip, part};
pub use error::EditError;
pub(crate) use paste::Unread;
pub use verb::{
    ArgumentError, ChapterVerb, Scope, VERBS, Verb, VerbError, VerbHelp, plain_comment,
    typed_comment,
};
pub(crate) use verb::{escape, unescape};

#[cfg(test)]
mod tests;
