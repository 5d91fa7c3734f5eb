//! Runs commands.

use std::fmt;

use super::{Command, CommandError, Look, Step};
use desk::edit::Verb;
use desk::place::{self, Place, PlaceError, PlaceStep};
use desk::query::CompileError;
use desk::session::{Session, SessionError};
use desk::walk::{SearchText, Walk};
use kit::input::Source;

/// The result of a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// The current position changed.
    Moved,
    /// A change was made; the message describes it.
    Done(String),
    /// A page to show.
    Look(Look),
    /// The list of games with these words in their tags.
    Games(String),
    /// The session is over.
    Quit,
}

/// Why a command failed.
#[derive(Debug)]
pub enum Refusal {
    /// It could not be parsed.
    Command(CommandError),
    /// There is no such place.
    Place(PlaceError),
    /// The session refused it.
    Session(SessionError),
    /// The query does not compile.
    Query(CompileError),
    /// No move in that direction.
    NoStep(&'static str),
    /// Nothing was found.
    NotFound(String),
    /// `game 12` of 3.
    NoGame {
        /// The requested number.
        number: usize,
        /// How many there are.
        games: usize,
    },
    /// `quit` with unsaved changes.
    Unsaved,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Command(error) => error.fmt(f),
            Refusal::Place(error) => error.fmt(f),
            Refusal::Session(error) => error.fmt(f),
            Refusal::Query(wrong) => {
                let errors = wrong.diagnostics().iter();
                let messages: Vec<&str> = errors.map(|error| error.message.as_str()).collect();
                write!(f, "invalid query: {}", messages.join("; "))
            }
            Refusal::NoStep(why) => f.write_str(why),
            Refusal::NotFound(text) => write!(f, "{text:?} not found in this game"),
            Refusal::NoGame { number, games } => {
                write!(f, "no game {number}; the file has games 1 to {games}")
            }
            Refusal::Unsaved => {
                f.write_str("unsaved changes: `save` them, or discard them with `quit!`")
            }
        }
    }
}

impl std::error::Error for Refusal {}

impl From<SessionError> for Refusal {
    fn from(error: SessionError) -> Refusal {
        Refusal::Session(error)
    }
}

/// Runs a typed line.
pub fn run_line(session: &mut Session, line: &str) -> Result<Reply, Refusal> {
    let command = Command::read(line).map_err(Refusal::Command)?;
    run(session, &command)
}

/// Runs a command.
pub fn run(session: &mut Session, command: &Command) -> Result<Reply, Refusal> {
    let done = |message: Result<String, SessionError>| Ok(Reply::Done(message?));
    match command {
        Command::Step(step @ (Step::Match | Step::MatchBack)) => go_to_match(session, *step),
        Command::Step(step) => take(session, *step),
        Command::Go(place) => {
            session.walk_mut().go_to(place).map_err(Refusal::Place)?;
            Ok(Reply::Moved)
        }
        Command::Play(place, game) => go_or_play(session, place, *game),
        Command::Positions(joined) => switch(session, *joined),
        Command::Origin(number) => choose_origin(session, *number),
        Command::Find { text, back } => find(session, text, *back),
        Command::Where(query) => mark(session, query.as_deref()),
        Command::Game(number) => enter_game(session, *number),
        Command::NextGame { back } => next_game(session, *back),
        Command::Games(text) => Ok(Reply::Games(text.clone())),
        Command::Edit(verb, game) => done(session.edit_in(verb, *game)),
        Command::Undo => done(session.undo()),
        Command::Redo => done(session.redo()),
        Command::Copy => Ok(Reply::Done(session.copy())),
        Command::Cut => done(session.cut()),
        Command::Paste => done(session.paste()),
        Command::PasteFile(path, game) => match Source::from_arg(path) {
            Source::Stdin => Err(Refusal::NoStep(
                "`paste -` works in line mode; here, paste into the terminal",
            )),
            source => done(session.paste_file(&source, *game)),
        },
        Command::PasteText(text, game) => done(session.paste_pgn(text.as_bytes(), *game)),
        Command::Resume => done(session.resume()),
        Command::Discard => done(session.discard()),
        Command::Save(options) => {
            let saved = session.save_all(options)?;
            let messages: Vec<String> = saved.iter().map(ToString::to_string).collect();
            Ok(Reply::Done(messages.join("; ")))
        }
        Command::Look(look) => Ok(Reply::Look(*look)),
        Command::Quit { force: false } if session.is_changed() => Err(Refusal::Unsaved),
        Command::Quit { .. } => Ok(Reply::Quit),
    }
}

/// Switches between tree mode and positions mode.
fn switch(session: &mut Session, joined: Option<bool>) -> Result<Reply, Refusal> {
    let joined = joined.unwrap_or(!session.is_joined());
    session.set_joined(joined);
    Ok(Reply::Done(if joined {
        "positions mode: each position once, with the moves of all games".to_owned()
    } else {
        "tree mode: the lines of one game".to_owned()
    }))
}

fn choose_origin(session: &mut Session, number: usize) -> Result<Reply, Refusal> {
    if !session.is_joined() {
        return Err(Refusal::NoStep(
            "origins are listed in positions mode: use `positions` first",
        ));
    }
    let chosen = session.walk_mut().choose_origin(number - 1);
    chosen.then_some(Reply::Moved).ok_or(Refusal::NoStep(
        "no origin with this number; `origins` lists them",
    ))
}

/// Goes to a place; legal moves that the tree does not have are added.
fn go_or_play(session: &mut Session, place: &Place, game: Option<usize>) -> Result<Reply, Refusal> {
    match session.walk_mut().go_to(place) {
        Ok(()) => Ok(Reply::Moved),
        Err(error @ PlaceError::NotInTree { .. }) => {
            let moves = added_moves(session.walk(), place).ok_or(Refusal::Place(error))?;
            add_moves(session, &moves, game)
        }
        Err(error) => Err(Refusal::Place(error)),
    }
}

/// Adds moves. In positions mode the first ones may be in several games: they are followed as far
/// as they are there, and the others are added at that place.
fn add_moves(
    session: &mut Session,
    moves: &[String],
    game: Option<usize>,
) -> Result<Reply, Refusal> {
    let before = session.walk().at();
    let mut known = 0;
    if session.is_joined() {
        let walk = session.walk_mut();
        let mut is_there = |word: &String| {
            let step = Place::Steps(vec![PlaceStep::Move(word.clone())]);
            walk.go_to(&step).is_ok()
        };
        known = moves.iter().take_while(|word| is_there(word)).count();
    }
    let added = session.edit_in(&Verb::Add(moves[known..].join(" ")), game);
    if added.is_err() && session.is_joined() {
        session.walk_mut().go(before);
    }
    Ok(Reply::Done(added?))
}

fn find(session: &mut Session, text: &str, back: bool) -> Result<Reply, Refusal> {
    let not_found = || Refusal::NotFound(text.to_owned());
    let wanted = SearchText::new(text).ok_or_else(not_found)?;
    let walk = session.walk_mut();
    let found = if back {
        walk.search_back(&wanted)
    } else {
        walk.search(&wanted)
    };
    found.then_some(Reply::Moved).ok_or_else(not_found)
}

fn mark(session: &mut Session, query: Option<&str>) -> Result<Reply, Refusal> {
    let found = session.set_query(query).map_err(Refusal::Query)?;
    Ok(Reply::Done(match (query, found) {
        (None, _) => "matches cleared".to_owned(),
        (Some(_), 0) => "no position of this game matches".to_owned(),
        (Some(_), 1) => "1 match, marked *".to_owned(),
        (Some(_), found) => format!("{found} matches, marked *"),
    }))
}

fn go_to_match(session: &mut Session, step: Step) -> Result<Reply, Refusal> {
    if session.query().is_none() {
        return Err(Refusal::NoStep("no query: use `where QUERY` first"));
    }
    session.find_marks();
    take(session, step)
}

fn enter_game(session: &mut Session, number: usize) -> Result<Reply, Refusal> {
    let games = session.game_count();
    let refusal = Refusal::NoGame { number, games };
    let index = number.checked_sub(1);
    if index.is_some_and(|index| session.go_to_game(index)) {
        Ok(Reply::Moved)
    } else {
        Err(refusal)
    }
}

fn next_game(session: &mut Session, back: bool) -> Result<Reply, Refusal> {
    let (next, none) = if back {
        (session.game().checked_sub(1), "this is the first game")
    } else {
        (session.game().checked_add(1), "this is the last game")
    };
    if next.is_some_and(|game| session.go_to_game(game)) {
        Ok(Reply::Moved)
    } else {
        Err(Refusal::NoStep(none))
    }
}

/// Moves that are legal one after the other from the current position.
fn added_moves(walk: &Walk, place: &Place) -> Option<Vec<String>> {
    let Place::Steps(steps) = place else {
        return None;
    };
    let game_view = walk.game_view();
    let mut board = walk.board();
    let mut words = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let word = match step {
            PlaceStep::Move(word) => word,
            PlaceStep::At(half, word) if index == 0 && game_view.half_after(walk.at()) == *half => {
                word
            }
            _ => return None,
        };
        let mv = place::read_move(&board, word).ok()?;
        words.push(board.san(mv).to_string());
        board.play(mv);
    }
    Some(words)
}

fn take(session: &mut Session, step: Step) -> Result<Reply, Refusal> {
    let at_end = end_of_line(session.walk());
    let walk = session.walk_mut();
    let (moved, none) = match step {
        Step::Next => (walk.forward(), at_end),
        Step::Back => (
            session.back(),
            "no move here: this is the starting position",
        ),
        Step::Start => (
            walk.to_start(),
            "no move here: this is the starting position",
        ),
        Step::End => (walk.to_end(), at_end),
        Step::Other => (walk.next_alternative(), "this move has no alternatives"),
        Step::OtherBack => (walk.previous_alternative(), "this move has no alternatives"),
        Step::Branch => (walk.next_branching(), "no move with alternatives follows"),
        Step::BranchBack => (walk.previous_branching(), "no move before has alternatives"),
        Step::Leave => (walk.leave_variation(), "this is the mainline"),
        Step::Transposition => (
            session.next_transposition(),
            "no other path leads to this position",
        ),
        Step::Match => (walk.next_match(), "no position of this game matches"),
        Step::MatchBack => (walk.previous_match(), "no position of this game matches"),
        Step::Reset => {
            walk.reset();
            (true, "")
        }
    };
    if moved {
        Ok(Reply::Moved)
    } else {
        Err(Refusal::NoStep(none))
    }
}

fn end_of_line(walk: &Walk) -> &'static str {
    if walk.repeated(walk.at()).is_some() {
        "the line ends here: the position repeats"
    } else {
        "the line ends here"
    }
}
