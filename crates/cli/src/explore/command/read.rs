//! From a line to a command.

use std::fmt;

use super::{Command, Look, Step, save_as};
use desk::edit::{VERBS, Verb, VerbError};
use desk::place::{Place, PlaceError};
use desk::session::SaveOptions;
use kit::nearest;

/// A command's words and what it does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CommandHelp {
    /// The words, the first being the usual one.
    pub words: &'static [&'static str],
    /// What comes after them.
    pub args: &'static str,
    /// What it does.
    pub does: &'static str,
}

const fn help(
    words: &'static [&'static str],
    args: &'static str,
    does: &'static str,
) -> CommandHelp {
    CommandHelp { words, args, does }
}

/// All commands but the [verbs of editing](VERBS).
pub const COMMANDS: [CommandHelp; 39] = [
    help(&["next", "n"], "", "one move on"),
    help(&["back", "b"], "", "one move back"),
    help(&["start"], "", "to the start of the game"),
    help(&["end"], "", "to the end of the line"),
    help(&["other"], "", "to the next alternative of this move"),
    help(&["other-back"], "", "to the one before"),
    help(&["branch"], "", "to the next move with alternatives"),
    help(&["branch-back"], "", "to the one before"),
    help(&["leave"], "", "out of the variation"),
    help(&["twin", "t"], "", "to another path to the same position"),
    help(&["reset"], "", "show everything in the file's order again"),
    help(
        &["go"],
        "PLACE",
        "to a place: 6Wc, 6.Bc4, a position id, a FEN",
    ),
    help(
        &["find", "/"],
        "TEXT",
        "to the next comment or move with this",
    ),
    help(&["find-back"], "TEXT", "to the one before"),
    help(
        &["where"],
        "[QUERY]",
        "mark the positions that match a query in CQL; nothing: none",
    ),
    help(&["match"], "", "to the next of them"),
    help(&["match-back"], "", "to the one before"),
    help(
        &["games"],
        "[TEXT]",
        "list the games, or those with this in a tag",
    ),
    help(&["game", "g"], "N", "to game N"),
    help(&["next-game"], "", "to the next game"),
    help(&["previous-game"], "", "to the game before"),
    help(&["show", "table"], "", "the variations table"),
    help(&["board"], "", "the board"),
    help(&["flip"], "", "turn the board round"),
    help(&["here", "info"], "", "what is known of this position"),
    help(
        &["report"],
        "",
        "lines, moves, positions, depths of the game",
    ),
    help(&["nodes", "nodereport"], "", "every node with its moves"),
    help(&["fen"], "", "the position as FEN"),
    help(&["pgn"], "", "the game as PGN"),
    help(&["tags"], "", "the tags of the game"),
    help(&["undo", "u"], "", "take the last change back"),
    help(&["redo"], "", "do it again"),
    help(&["copy"], "", "remember this move with all that follows"),
    help(&["cut"], "", "the same, and delete it here"),
    help(&["paste", "graft"], "", "add here what was cut or copied"),
    help(
        &["save", "w"],
        "[NAME]",
        "write the file; save! over anything, save-backup keeps the old text",
    ),
    help(
        &["resume"],
        "",
        "take up the unsaved changes of an earlier session",
    ),
    help(&["discard"], "", "drop them"),
    help(
        &["stop", "quit", "q", "exit"],
        "",
        "end; quit! drops unsaved changes",
    ),
];

/// Why a line is no command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CommandError {
    /// Nothing was typed.
    Empty,
    /// `board now`
    TooMuch {
        /// The command.
        word: String,
        /// What follows it.
        rest: String,
    },
    /// `find`
    Missing {
        /// The command.
        word: String,
        /// What should follow.
        args: &'static str,
    },
    /// `game last`
    Number(String),
    /// A verb with something wrong about it.
    Verb(VerbError),
    /// A place with something wrong about it.
    Place(PlaceError),
    /// No command, no place.
    Unknown {
        /// What was typed.
        word: String,
        /// What may have been meant.
        near: Option<&'static str>,
    },
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandError::Empty => f.write_str("nothing was typed"),
            CommandError::TooMuch { word, rest } => {
                write!(f, "{word} takes nothing, but {rest:?} follows")
            }
            CommandError::Missing { word, args } => {
                write!(f, "{word} needs something: {word} {args}")
            }
            CommandError::Number(text) => write!(f, "{text:?} is no number of a game"),
            CommandError::Verb(error) => error.fmt(f),
            CommandError::Place(error) => error.fmt(f),
            CommandError::Unknown { word, near } => {
                write!(f, "{word:?} is no command, move or address")?;
                match near {
                    Some(near) => write!(f, "; did you mean {near:?}?"),
                    None => Ok(()),
                }
            }
        }
    }
}

impl std::error::Error for CommandError {}

impl Command {
    /// Reads a line.
    pub fn read(line: &str) -> Result<Command, CommandError> {
        let line = line.trim();
        let line = line.strip_prefix(':').unwrap_or(line).trim();
        if let Some(text) = line.strip_prefix('/') {
            return find("find", text.trim(), false);
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        read_word(word, rest.trim(), line)
    }
}

fn read_word(word: &str, rest: &str, line: &str) -> Result<Command, CommandError> {
    let alone = |command| match rest {
        "" => Ok(command),
        rest => Err(CommandError::TooMuch {
            word: word.to_owned(),
            rest: rest.to_owned(),
        }),
    };
    if let Some(step) = step(word) {
        return alone(Command::Step(step));
    }
    if let Some(look) = look(word) {
        return alone(Command::Look(look));
    }
    match word {
        "" => Err(CommandError::Empty),
        "go" => Place::read(rest)
            .map(Command::Go)
            .map_err(CommandError::Place),
        "find" => find(word, rest, false),
        "find-back" => find(word, rest, true),
        "where" => Ok(Command::Where((!rest.is_empty()).then(|| rest.to_owned()))),
        "game" | "g" => game(word, rest),
        "games" => Ok(Command::Games(rest.to_owned())),
        "next-game" => alone(Command::NextGame { back: false }),
        "previous-game" => alone(Command::NextGame { back: true }),
        "undo" | "u" => alone(Command::Undo),
        "redo" => alone(Command::Redo),
        "copy" => alone(Command::Copy),
        "cut" => alone(Command::Cut),
        "paste" | "graft" => alone(Command::Paste),
        "save" | "w" => Ok(Command::Save(save_as(rest, false))),
        "save!" | "w!" => Ok(Command::Save(save_as(rest, true))),
        "save-backup" => alone(Command::Save(SaveOptions {
            backup: true,
            ..SaveOptions::default()
        })),
        "resume" => alone(Command::Resume),
        "discard" => alone(Command::Discard),
        "stop" | "quit" | "q" | "exit" => alone(Command::Quit { force: false }),
        "stop!" | "quit!" | "q!" | "exit!" => alone(Command::Quit { force: true }),
        _ => verb_or_place(word, line),
    }
}

fn step(word: &str) -> Option<Step> {
    Some(match word {
        "next" | "n" => Step::Next,
        "back" | "b" => Step::Back,
        "start" => Step::Start,
        "end" => Step::End,
        "other" => Step::Other,
        "other-back" => Step::OtherBack,
        "branch" => Step::Branch,
        "branch-back" => Step::BranchBack,
        "leave" => Step::Leave,
        "twin" | "t" => Step::Twin,
        "match" => Step::Match,
        "match-back" => Step::MatchBack,
        "reset" => Step::Reset,
        _ => return None,
    })
}

fn look(word: &str) -> Option<Look> {
    Some(match word {
        "show" | "table" => Look::Table,
        "board" => Look::Board,
        "flip" => Look::Flip,
        "here" | "info" => Look::Here,
        "report" => Look::Report,
        "nodes" | "nodereport" => Look::Nodes,
        "fen" => Look::Fen,
        "pgn" => Look::Pgn,
        "tags" => Look::Tags,
        "help" | "?" => Look::Help,
        _ => return None,
    })
}

fn find(word: &str, text: &str, back: bool) -> Result<Command, CommandError> {
    match text {
        "" => Err(missing(word, "TEXT")),
        text => Ok(Command::Find {
            text: text.to_owned(),
            back,
        }),
    }
}

fn game(word: &str, rest: &str) -> Result<Command, CommandError> {
    match rest {
        "" => Err(missing(word, "N")),
        rest => {
            let number = rest.parse().ok().filter(|&number| number > 0);
            let bad = || CommandError::Number(rest.to_owned());
            number.map(Command::Game).ok_or_else(bad)
        }
    }
}

fn missing(word: &str, args: &'static str) -> CommandError {
    CommandError::Missing {
        word: word.to_owned(),
        args,
    }
}

fn verb_or_place(word: &str, line: &str) -> Result<Command, CommandError> {
    match Verb::read(line) {
        Ok(verb) => return Ok(Command::Edit(verb)),
        Err(VerbError::Unknown(_)) => {}
        Err(error) => return Err(CommandError::Verb(error)),
    }
    match Place::read(line) {
        Ok(place) => Ok(Command::Go(place)),
        Err(PlaceError::Unreadable { word: bad }) if bad == word => Err(unknown(word)),
        Err(error) => Err(CommandError::Place(error)),
    }
}

fn unknown(word: &str) -> CommandError {
    let commands = COMMANDS.iter().flat_map(|help| help.words).copied();
    let verbs = VERBS.iter().map(|verb| verb.word);
    CommandError::Unknown {
        word: word.to_owned(),
        near: nearest(word, commands.chain(verbs)),
    }
}
