//! Doing what was typed.

use std::fmt;

use super::{Command, CommandError, Look, Step};
use crate::edit::Verb;
use crate::place::{self, Ground, Place, PlaceError};
use crate::query::Diagnostic;
use crate::session::{Session, SessionError};
use crate::walk::{Walk, Wanted};

/// What came of a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// One stands elsewhere.
    Moved,
    /// Something was done; what.
    Done(String),
    /// Something is to be seen.
    Look(Look),
    /// The games with this in a tag, by their numbers from 0.
    Games(Vec<usize>),
    /// The session is over.
    Quit,
}

/// Why nothing came of it.
#[derive(Debug)]
pub enum Refusal {
    /// It could not be read.
    Command(CommandError),
    /// There is no such place.
    Place(PlaceError),
    /// The session says no.
    Session(SessionError),
    /// The query cannot be understood.
    Query(Vec<Diagnostic>),
    /// There is nothing that way.
    NoStep(&'static str),
    /// Nothing was found.
    NotFound(String),
    /// `game 12` of 3.
    NoGame {
        /// What was asked for.
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
                let told: Vec<&str> = wrong.iter().map(|one| one.message.as_str()).collect();
                write!(f, "this query cannot be understood: {}", told.join("; "))
            }
            Refusal::NoStep(why) => f.write_str(why),
            Refusal::NotFound(text) => write!(f, "{text:?} is nowhere in this game"),
            Refusal::NoGame { number, games } => {
                write!(f, "no game {number}: there are games 1 to {games}")
            }
            Refusal::Unsaved => {
                f.write_str("there are unsaved changes: `save` them, or leave them with `quit!`")
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

impl Session {
    /// Does what a line says.
    pub fn type_line(&mut self, line: &str) -> Result<Reply, Refusal> {
        let command = Command::read(line).map_err(Refusal::Command)?;
        self.act(&command)
    }

    /// Does what a command says.
    pub fn act(&mut self, command: &Command) -> Result<Reply, Refusal> {
        let done = |said: Result<String, SessionError>| Ok(Reply::Done(said?));
        match command {
            Command::Step(step @ (Step::Match | Step::MatchBack)) => self.go_to_match(*step),
            Command::Step(step) => take(self.walk_mut(), *step),
            Command::Go(place) => self.go_or_play(place),
            Command::Find { text, back } => self.find(text, *back),
            Command::Where(query) => self.mark(query.as_deref()),
            Command::Game(number) => self.enter_game(*number),
            Command::NextGame { back } => self.next_game(*back),
            Command::Games(text) => Ok(Reply::Games(self.games_with(text))),
            Command::Edit(verb) => done(self.edit(verb)),
            Command::Undo => done(self.undo()),
            Command::Redo => done(self.redo()),
            Command::Copy => Ok(Reply::Done(self.copy())),
            Command::Cut => done(self.cut()),
            Command::Paste => done(self.paste()),
            Command::Resume => done(self.resume()),
            Command::Discard => done(self.discard()),
            Command::Save(options) => {
                let saved = self.save(options)?;
                Ok(Reply::Done(saved.to_string()))
            }
            Command::Look(look) => Ok(Reply::Look(*look)),
            Command::Quit { force: false } if self.is_changed() => Err(Refusal::Unsaved),
            Command::Quit { .. } => Ok(Reply::Quit),
        }
    }

    /// Goes to a place; a single legal move that the tree does not have is added.
    fn go_or_play(&mut self, place: &Place) -> Result<Reply, Refusal> {
        let walk = self.walk();
        match place.find(walk.ground(), walk.at()) {
            Ok(node) => {
                self.walk_mut().go(node);
                Ok(Reply::Moved)
            }
            Err(PlaceError::NotInTree { .. }) if is_move_from_here(walk.ground(), walk, place) => {
                let word = place.last_word().unwrap_or_default().to_owned();
                Ok(Reply::Done(self.edit(&Verb::Add(word))?))
            }
            Err(error) => Err(Refusal::Place(error)),
        }
    }

    fn find(&mut self, text: &str, back: bool) -> Result<Reply, Refusal> {
        let not_found = || Refusal::NotFound(text.to_owned());
        let wanted = Wanted::new(text).ok_or_else(not_found)?;
        let walk = self.walk_mut();
        let found = match back {
            false => walk.search(&wanted),
            true => walk.search_back(&wanted),
        };
        found.then_some(Reply::Moved).ok_or_else(not_found)
    }

    fn mark(&mut self, query: Option<&str>) -> Result<Reply, Refusal> {
        let found = self.seek(query).map_err(Refusal::Query)?;
        Ok(Reply::Done(match (query, found) {
            (None, _) => "no position is marked any more".to_owned(),
            (Some(_), 0) => "no position of this game matches".to_owned(),
            (Some(_), 1) => "1 position matches, marked *".to_owned(),
            (Some(_), found) => format!("{found} positions match, marked *"),
        }))
    }

    fn go_to_match(&mut self, step: Step) -> Result<Reply, Refusal> {
        if self.query().is_none() {
            return Err(Refusal::NoStep(
                "nothing is looked for: `where QUERY` first",
            ));
        }
        self.find_marks();
        take(self.walk_mut(), step)
    }

    fn enter_game(&mut self, number: usize) -> Result<Reply, Refusal> {
        let games = self.game_count();
        let refusal = Refusal::NoGame { number, games };
        let index = number.checked_sub(1);
        match index.is_some_and(|index| self.go_to_game(index)) {
            true => Ok(Reply::Moved),
            false => Err(refusal),
        }
    }

    fn next_game(&mut self, back: bool) -> Result<Reply, Refusal> {
        let (next, none) = match back {
            false => (self.game().checked_add(1), "this is the last game"),
            true => (self.game().checked_sub(1), "this is the first game"),
        };
        match next.is_some_and(|game| self.go_to_game(game)) {
            true => Ok(Reply::Moved),
            false => Err(Refusal::NoStep(none)),
        }
    }

    /// The numbers, from 0, of the games with this text in a tag, in whatever case.
    pub fn games_with(&self, text: &str) -> Vec<usize> {
        let small = text.to_lowercase();
        let matches = |game: &usize| {
            let tags = self.tags(*game);
            tags.iter()
                .any(|(_, value)| value.to_lowercase().contains(&small))
        };
        let all = 0..self.game_count();
        match small.is_empty() {
            true => all.collect(),
            false => all.filter(matches).collect(),
        }
    }
}

/// True if the place is one move, legal where one stands.
fn is_move_from_here(ground: Ground<'_>, walk: &Walk, place: &Place) -> bool {
    let Place::Steps(steps) = place else {
        return false;
    };
    let board = walk.board();
    let legal = |word: &str| place::read_move(&board, word).is_ok();
    match steps.as_slice() {
        [place::Step::Move(word)] => legal(word),
        [place::Step::At(half, word)] => ground.half_after(walk.at()) == *half && legal(word),
        _ => false,
    }
}

fn take(walk: &mut Walk, step: Step) -> Result<Reply, Refusal> {
    let (moved, none) = match step {
        Step::Next => (walk.forward(), "the line ends here"),
        Step::Back => (walk.back(), "this is the start"),
        Step::Start => (walk.to_start(), "this is the start"),
        Step::End => (walk.to_end(), "the line ends here"),
        Step::Other => (walk.next_alternative(), "this move has no alternatives"),
        Step::OtherBack => (walk.previous_alternative(), "this move has no alternatives"),
        Step::Branch => (walk.next_branching(), "no move with alternatives follows"),
        Step::BranchBack => (walk.previous_branching(), "no move before has alternatives"),
        Step::Leave => (walk.leave_variation(), "this is the mainline"),
        Step::Twin => {
            walk.find_twins();
            (walk.next_twin(), "no other path leads to this position")
        }
        Step::Match => (walk.next_sought(), "no position of this game matches"),
        Step::MatchBack => (walk.previous_sought(), "no position of this game matches"),
        Step::Reset => {
            walk.reset();
            (true, "")
        }
    };
    match moved {
        true => Ok(Reply::Moved),
        false => Err(Refusal::NoStep(none)),
    }
}
