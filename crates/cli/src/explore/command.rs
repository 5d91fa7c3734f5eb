//! The words of the explorer: what can be typed, and what it does.
//!
//! The full screen's `:` line, the line mode and its scripts speak the same language. A word that
//! is no command is a place to go to, or a move to play.

mod read;
mod run;

pub use read::{COMMANDS, CommandError};
pub use run::{Refusal, Reply, run, run_line};

use std::path::PathBuf;

use desk::edit::Verb;
use desk::place::Place;
use desk::session::SaveOptions;

/// What was typed.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// A step through the game.
    Step(Step),
    /// A place, or moves to play.
    Go(Place),
    /// The next place with this text, or the one before.
    Find {
        /// Part of a comment, or a move.
        text: String,
        /// The other way.
        back: bool,
    },
    /// Marks what matches a query; none: nothing any more.
    Where(Option<String>),
    /// A game by its number, from 1.
    Game(usize),
    /// The next game, or the one before.
    NextGame {
        /// The other way.
        back: bool,
    },
    /// The list of games, or of those with this in a tag.
    Games(String),
    /// A change.
    Edit(Verb),
    /// Takes the last change back.
    Undo,
    /// Does it again.
    Redo,
    /// Remembers this move with all that follows.
    Copy,
    /// The same, and deletes it here.
    Cut,
    /// Adds what was cut or copied.
    Paste,
    /// Writes the file.
    Save(SaveOptions),
    /// Takes up the work of a session that did not end well.
    Resume,
    /// Drops it.
    Discard,
    /// Something to be seen.
    Look(Look),
    /// Ends the session; unsaved changes are dropped only if forced.
    Quit {
        /// Drops them.
        force: bool,
    },
}

/// A step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// One move on.
    Next,
    /// One move back.
    Back,
    /// To the start.
    Start,
    /// To the end of the line.
    End,
    /// To the next alternative of this move.
    Other,
    /// To the one before.
    OtherBack,
    /// To the next move with alternatives.
    Branch,
    /// To the one before.
    BranchBack,
    /// Out of the variation.
    Leave,
    /// To another path to the same position.
    Transposition,
    /// To the next position that matches the query.
    Match,
    /// To the one before.
    MatchBack,
    /// Everything in the file's order again.
    Reset,
}

/// Something to be seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// The variations table.
    Table,
    /// The board.
    Board,
    /// The board from the other side.
    Flip,
    /// The figures of the game.
    Report,
    /// What is known of this node.
    Here,
    /// All nodes.
    Nodes,
    /// The position as FEN.
    Fen,
    /// The game as PGN.
    Pgn,
    /// The tags.
    Tags,
    /// What can be typed.
    Help,
}

/// A save under another name.
fn save_as(name: &str, force: bool) -> SaveOptions {
    SaveOptions {
        to: (!name.is_empty()).then(|| PathBuf::from(name)),
        force,
        backup: false,
    }
}

#[cfg(test)]
mod tests;
