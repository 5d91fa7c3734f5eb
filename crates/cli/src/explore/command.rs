//! The commands of the explorer.
//!
//! The `:` prompt of the full screen, line mode and scripts take the same commands. Any other word
//! is a place to go to, or a move to play.

mod read;
mod run;

pub use read::{COMMANDS, CommandError};
pub use run::{Refusal, Reply, run, run_line};

use std::path::PathBuf;

use desk::edit::Verb;
use desk::place::Place;
use desk::session::{SaveForm, SaveOptions};

/// A parsed command.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// A step through the game.
    Step(Step),
    /// A place.
    Go(Place),
    /// A place, or moves to play; moves that the tree does not have are added. In positions mode
    /// they are written into the game with this number from 0, if it is given.
    Play(Place, Option<usize>),
    /// Goes to the next or previous node with this text.
    Find {
        /// Part of a comment, or a move.
        text: String,
        /// Search backwards.
        back: bool,
    },
    /// Highlights matches of a query; none clears them.
    Where(Option<String>),
    /// A game by its number, from 1.
    Game(usize),
    /// The next or previous game.
    NextGame {
        /// The previous game.
        back: bool,
    },
    /// The list of games, or of those with these words in their tags.
    Games(String),
    /// A change; in positions mode in this game, numbered from 0, if several have the move.
    Edit(Verb, Option<usize>),
    /// Switches between tree mode and positions mode; none switches to the other.
    Positions(Option<bool>),
    /// Goes to this position by another of its origins, numbered from 1.
    Origin(usize),
    /// Undoes the last change.
    Undo,
    /// Redoes the last undone change.
    Redo,
    /// Copies this move and its continuations.
    Copy,
    /// Copies and deletes this move and its continuations.
    Cut,
    /// Inserts the cut or copied moves.
    Paste,
    /// Merges the games of a PGN file, or adds them as chapters; `-` is standard input. In
    /// positions mode into the game with this number from 0.
    PasteFile(PathBuf, Option<usize>),
    /// The same with PGN text.
    PasteText(String, Option<usize>),
    /// Writes the file.
    Save(SaveOptions),
    /// Restores the unsaved changes of an earlier session.
    Resume,
    /// Discards the unsaved changes of an earlier session.
    Discard,
    /// Shows a page.
    Look(Look),
    /// Ends the session, unless there are unsaved changes.
    Quit {
        /// Discards unsaved changes.
        force: bool,
    },
}

/// A step through the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// One move forward.
    Next,
    /// One move back.
    Back,
    /// To the start.
    Start,
    /// To the end of the line.
    End,
    /// To the next alternative of this move.
    Other,
    /// To the previous alternative of this move.
    OtherBack,
    /// To the next move with alternatives.
    Branch,
    /// To the previous move with alternatives.
    BranchBack,
    /// Out of the variation.
    Leave,
    /// To another path to the same position.
    Transposition,
    /// To the next position that matches the query.
    Match,
    /// To the previous match.
    MatchBack,
    /// Restores the order of the file.
    Reset,
}

/// A page to show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// The variations table.
    Table,
    /// The moves and comments as text.
    Notation,
    /// The board.
    Board,
    /// The board from the other side.
    Flip,
    /// Counts of the game.
    Report,
    /// Details of this position.
    Here,
    /// The origins of this position.
    Origins,
    /// What the games of archives played from this position.
    Opening,
    /// All nodes.
    Nodes,
    /// The position as FEN.
    Fen,
    /// The game as PGN.
    Pgn,
    /// The tags.
    Tags,
    /// The list of commands.
    Help,
}

/// Reads `[--normal] [NAME]`.
fn save_as(rest: &str, force: bool) -> SaveOptions {
    let normal = rest.strip_prefix("--normal");
    let normal = normal.filter(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace));
    let (form, name) = match normal {
        Some(name) => (SaveForm::Normal, name.trim()),
        None => (SaveForm::Edits, rest),
    };
    SaveOptions {
        to: (!name.is_empty()).then(|| PathBuf::from(name)),
        force,
        backup: false,
        form,
    }
}

#[cfg(test)]
mod tests;
