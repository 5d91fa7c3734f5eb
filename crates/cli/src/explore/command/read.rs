//! Parses a line into a command.

use std::fmt;
use std::path::PathBuf;

use super::{Command, Look, Step, save_as};
use desk::edit::{ArgumentError, VERBS, Verb, VerbError};
use desk::place::{Place, PlaceError};
use desk::session::SaveOptions;
use kit::nearest;

/// A command's words and what it does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CommandHelp {
    /// The name, then its abbreviations.
    pub words: &'static [&'static str],
    /// The arguments.
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
pub const COMMANDS: [CommandHelp; 45] = [
    help(&["next", "n"], "", "next move"),
    help(&["back", "b"], "", "previous move"),
    help(&["start"], "", "go to the starting position"),
    help(&["end"], "", "go to the end of the line"),
    help(&["other"], "", "go to the next alternative of this move"),
    help(
        &["other-back"],
        "",
        "go to the previous alternative of this move",
    ),
    help(&["branch"], "", "go to the next move with alternatives"),
    help(
        &["branch-back"],
        "",
        "go to the previous move with alternatives",
    ),
    help(&["leave"], "", "leave the variation"),
    help(
        &["transposition", "t"],
        "",
        "go to another path to the same position",
    ),
    help(&["reset"], "", "restore the order of the file"),
    help(
        &["positions"],
        "",
        "positions mode: each position once, with the moves of all games",
    ),
    help(&["tree"], "", "tree mode: the lines of one game"),
    help(
        &["origins"],
        "",
        "in positions mode, list the ways to reach this position",
    ),
    help(
        &["opening"],
        "",
        "show what the games of the archives played from here",
    ),
    help(
        &["origin"],
        "N",
        "reach this position by the way of this number",
    ),
    help(
        &["go"],
        "PLACE",
        "go to a position: 6Wc, 6.Bc4, a position id, a FEN",
    ),
    help(
        &["find", "/"],
        "TEXT",
        "go to the next comment or move that contains TEXT",
    ),
    help(
        &["find-back"],
        "TEXT",
        "go to the previous such comment or move",
    ),
    help(&["where"], "[QUERY]", "highlight CQL matches; empty clears"),
    help(&["match"], "", "go to the next match"),
    help(&["match-back"], "", "go to the previous match"),
    help(
        &["games"],
        "[TEXT]",
        "list the games, or those with all words of TEXT in their tags",
    ),
    help(&["game", "g"], "N", "go to game N"),
    help(&["next-game"], "", "go to the next game"),
    help(&["previous-game"], "", "go to the previous game"),
    help(&["show", "table"], "", "show the variations table"),
    help(
        &["notation"],
        "",
        "show all moves and comments as text, with variations indented",
    ),
    help(&["board"], "", "show the board"),
    help(&["flip"], "", "flip the board"),
    help(&["here", "info"], "", "show details of this position"),
    help(
        &["report"],
        "",
        "show counts of lines, moves, positions and depths",
    ),
    help(
        &["nodes", "nodereport"],
        "",
        "list every node with its moves",
    ),
    help(&["fen"], "", "show the position as FEN"),
    help(&["pgn"], "", "show the game as PGN"),
    help(&["tags"], "", "show the tags of the game"),
    help(&["undo", "u"], "", "undo the last change"),
    help(&["redo"], "", "redo the last undone change"),
    help(&["copy"], "", "copy this move and its continuations"),
    help(
        &["cut"],
        "",
        "copy and delete this move and its continuations",
    ),
    help(
        &["paste", "graft"],
        "[FILE]",
        "insert the cut or copied moves, or the games of a PGN file; - reads standard input",
    ),
    help(
        &["save", "w"],
        "[--normal] [NAME]",
        "write the file; save! overwrites, save-backup keeps the old text",
    ),
    help(
        &["resume"],
        "",
        "restore the unsaved changes of an earlier session",
    ),
    help(
        &["discard"],
        "",
        "discard the unsaved changes of an earlier session",
    ),
    help(
        &["stop", "quit", "q", "exit"],
        "",
        "quit; quit! discards unsaved changes",
    ),
];

/// Why a line is not a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CommandError {
    /// Nothing was typed.
    Empty,
    /// `board now`, `find`
    Argument(ArgumentError),
    /// `game last`
    Number(String),
    /// An invalid editing command.
    Verb(VerbError),
    /// An invalid place.
    Place(PlaceError),
    /// Neither a command nor a place.
    Unknown {
        /// What was typed.
        word: String,
        /// The most similar command.
        near: Option<&'static str>,
    },
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandError::Empty => f.write_str("empty command"),
            CommandError::Argument(error) => error.fmt(f),
            CommandError::Number(text) => write!(f, "invalid game number {text:?}"),
            CommandError::Verb(error) => error.fmt(f),
            CommandError::Place(error) => error.fmt(f),
            CommandError::Unknown { word, near } => {
                write!(f, "unknown command, move or address {word:?}")?;
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
        let (line, game) = chosen_game(line)?;
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
        read_word(word, rest.trim(), &line, game)
    }
}

/// Splits `--in GAME` off a line: after the first word, or at the end.
fn chosen_game(line: &str) -> Result<(String, Option<usize>), CommandError> {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let after_word = rest.trim_start().strip_prefix("--in ");
    let (number, line) = match (after_word, line.rsplit_once(" --in ")) {
        (Some(rest), _) => {
            let rest = rest.trim_start();
            let (number, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            (number, format!("{word} {rest}"))
        }
        (None, Some((line, number))) if !number.trim().contains(char::is_whitespace) => {
            (number.trim(), line.to_owned())
        }
        _ => return Ok((line.to_owned(), None)),
    };
    let bad = || CommandError::Number(number.to_owned());
    let game = number
        .parse::<usize>()
        .ok()
        .and_then(|number| number.checked_sub(1));
    Ok((line.trim().to_owned(), Some(game.ok_or_else(bad)?)))
}

fn read_word(
    word: &str,
    rest: &str,
    line: &str,
    game: Option<usize>,
) -> Result<Command, CommandError> {
    let alone = |command| {
        ArgumentError::check_none(word, rest).map_err(CommandError::Argument)?;
        Ok(command)
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
        "positions" => alone(Command::Positions(Some(true))),
        "tree" => alone(Command::Positions(Some(false))),
        "origin" => number(word, rest).map(Command::Origin),
        "find" => find(word, rest, false),
        "find-back" => find(word, rest, true),
        "where" => Ok(Command::Where((!rest.is_empty()).then(|| rest.to_owned()))),
        "game" | "g" => number(word, rest).map(Command::Game),
        "games" => Ok(Command::Games(rest.to_owned())),
        "next-game" => alone(Command::NextGame { back: false }),
        "previous-game" => alone(Command::NextGame { back: true }),
        "undo" | "u" => alone(Command::Undo),
        "redo" => alone(Command::Redo),
        "copy" => alone(Command::Copy),
        "cut" => alone(Command::Cut),
        "paste" | "graft" if rest.is_empty() => Ok(Command::Paste),
        "paste" | "graft" => Ok(Command::PasteFile(PathBuf::from(rest), game)),
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
        _ => verb_or_place(word, line, game),
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
        // `twin` is an older name.
        "transposition" | "twin" | "t" => Step::Transposition,
        "match" => Step::Match,
        "match-back" => Step::MatchBack,
        "reset" => Step::Reset,
        _ => return None,
    })
}

fn look(word: &str) -> Option<Look> {
    Some(match word {
        "show" | "table" => Look::Table,
        "notation" => Look::Notation,
        "board" => Look::Board,
        "flip" => Look::Flip,
        "here" | "info" => Look::Here,
        "report" => Look::Report,
        "origins" => Look::Origins,
        "opening" => Look::Opening,
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

/// A number from 1.
fn number(word: &str, rest: &str) -> Result<usize, CommandError> {
    match rest {
        "" => Err(missing(word, "N")),
        rest => {
            let number = rest.parse().ok().filter(|&number| number > 0);
            number.ok_or_else(|| CommandError::Number(rest.to_owned()))
        }
    }
}

fn missing(word: &str, args: &'static str) -> CommandError {
    CommandError::Argument(ArgumentError::missing(word, args))
}

fn verb_or_place(word: &str, line: &str, game: Option<usize>) -> Result<Command, CommandError> {
    match Verb::read(line) {
        Ok(verb) => return Ok(Command::Edit(verb, game)),
        Err(VerbError::Unknown(_)) => {}
        Err(error) => return Err(CommandError::Verb(error)),
    }
    match Place::read(line) {
        Ok(place) => Ok(Command::Play(place, game)),
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
