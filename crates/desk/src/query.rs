//! Asking games a question in CQL: searched on all cores, answered in the order of the input.

mod answer;
mod outside;
mod sorted;

use std::sync::{Arc, Mutex, PoisonError};

use chess::pgn::{Game, RawGame};
use cql::{GameResult, Matcher};
use tree::NodeId;

pub use answer::{Answer, Position};
pub use cql::{
    Diagnostic, Dialect, Level, Options, Persistent, Query, SortValue, Stage, debug, to_ascii,
    to_html, to_unicode,
};
pub use outside::Surroundings;
pub use sorted::Sorted;

use crate::games::{Batch, Games, Run};
use kit::Workers;

/// What is wanted of the games that match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Wanted {
    /// Only how many there are.
    Count,
    /// The matching positions.
    Positions,
    /// The games as PGN with the comments of the query.
    #[default]
    Games,
}

/// A question to many games.
#[derive(Clone, Debug)]
pub struct Search<'q> {
    /// The question.
    pub query: &'q Query,
    /// What is wanted of the answers.
    pub wanted: Wanted,
    /// Only the first matching position of each game.
    pub first: bool,
    /// Enough after this many matching games.
    pub limit: Option<u64>,
}

/// What a search found in all.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Games that were looked at.
    pub read: u64,
    /// Games that match.
    pub games: u64,
    /// Positions that match.
    pub positions: u64,
    /// Games that were given up because the query used up its steps; nothing was searched after
    /// [`MOST_GIVEN_UP`] of them.
    pub given_up: Vec<u64>,
    /// The game in which an `assert` of the query failed; nothing after it was searched.
    pub failed_assert: Option<FailedAssert>,
    /// What persistent variables gathered.
    pub persistent: Vec<Persistent>,
}

/// So many games are given up before the search is: such a query hardly ever ends.
pub const MOST_GIVEN_UP: usize = 10;

/// An `assert` that did not hold.
#[derive(Clone, Copy, Debug)]
pub struct FailedAssert {
    /// In this game.
    pub game: u64,
    /// The words of the query.
    pub span: cql::Span,
}

/// Why a search ended before the games did.
enum End<E> {
    Enough,
    Failed(E),
}

impl Search<'_> {
    /// Searches the games and hands each answer, in order, to `each`.
    pub fn run<E>(
        &self,
        games: &Games,
        crew: &Workers,
        surroundings: &Surroundings,
        mut each: impl FnMut(Answer) -> Result<(), E>,
    ) -> Result<Run<Found>, E> {
        let alone = Workers::new(std::num::NonZeroUsize::new(1), crew.stop.clone());
        let crew = if self.query.is_parallel() {
            crew
        } else {
            &alone
        };
        let first = self.query.matcher().with_outside(surroundings);
        // Where the order of games matters, one matcher sees them all.
        let in_order = Mutex::new(first);
        let mut total = self.query.matcher();
        let mut found = Found::default();
        let ended = games.run(
            crew,
            |batch| match self.query.is_parallel() {
                true => self.search_alone(batch, surroundings),
                false => self.search_in_order(batch, surroundings, &in_order),
            },
            |part| self.gather(part, &mut total, &mut found, &mut each),
        );
        let run = match ended {
            Ok(run) => run,
            Err(End::Failed(error)) => return Err(error),
            Err(End::Enough) => Run {
                value: (),
                stopped: false,
                unread: Vec::new(),
            },
        };
        found.persistent = match self.query.is_parallel() {
            true => total.persistent(),
            false => lock(&in_order).persistent(),
        };
        Ok(run.with(found))
    }

    /// A batch with a matcher of its own, which goes along to be added up.
    fn search_alone<'s>(&'s self, batch: &Batch, surroundings: &'s Surroundings) -> Part<'s> {
        let mut matcher = self.query.matcher().with_outside(surroundings);
        let (answers, read) = self.search(batch, surroundings, &mut matcher);
        Part {
            answers,
            read,
            matcher: Some(matcher),
        }
    }

    fn search_in_order<'s>(
        &'s self,
        batch: &Batch,
        surroundings: &Surroundings,
        matcher: &Mutex<Matcher<'_>>,
    ) -> Part<'s> {
        let (answers, read) = self.search(batch, surroundings, &mut lock(matcher));
        Part {
            answers,
            read,
            matcher: None,
        }
    }

    fn search(
        &self,
        batch: &Batch,
        surroundings: &Surroundings,
        matcher: &mut Matcher<'_>,
    ) -> (Vec<Answer>, u64) {
        let mut answers = Vec::new();
        let mut given_up = 0;
        let number = |raw: RawGame| batch.earlier + raw.place.number;
        let read = std::cell::Cell::new(0);
        let each = |matcher: &mut Matcher<'_>, game: &mut Game, raw: RawGame| {
            if given_up == MOST_GIVEN_UP || surroundings.stop.is_raised() {
                return;
            }
            let mut result = matcher.run(game, number(raw));
            if surroundings.stop.is_raised() {
                return;
            }
            read.set(read.get() + 1);
            given_up += usize::from(result.out_of_steps);
            if self.first {
                result.nodes.truncate(1);
                result.positions.truncate(1);
            }
            if is_worth_telling(&result) {
                answers.push(self.answer(&batch.name, raw.place.number, game, result));
            }
        };
        match self.query.judges_by_tags() {
            true => batch.read_unless(
                matcher,
                |m, tags, raw| {
                    let out = m.rules_out(tags, number(raw));
                    read.set(read.get() + u64::from(out));
                    out
                },
                each,
            ),
            false => {
                let mut each = each;
                batch.read(|game, raw| each(matcher, game, raw));
            }
        }
        (answers, read.get())
    }

    fn answer(&self, file: &Arc<str>, number: u64, game: &mut Game, result: GameResult) -> Answer {
        let mut answer = Answer::new(file.clone(), number, result);
        if answer.result.matched {
            match self.wanted {
                Wanted::Count => {}
                Wanted::Positions => answer.find_positions(game),
                Wanted::Games => answer.write_game(game),
            }
        }
        answer
    }

    /// Adds a batch's answers up and passes them on.
    fn gather<'s, E>(
        &self,
        part: Part<'s>,
        total: &mut Matcher<'s>,
        found: &mut Found,
        each: &mut impl FnMut(Answer) -> Result<(), E>,
    ) -> Result<(), End<E>> {
        found.read += part.read;
        if let Some(matcher) = &part.matcher {
            total.absorb(matcher);
        }
        for answer in part.answers {
            found.add(&answer);
            each(answer).map_err(End::Failed)?;
            if found.is_cut_short() || self.limit.is_some_and(|limit| found.games >= limit) {
                return Err(End::Enough);
            }
        }
        Ok(())
    }
}

/// What a batch of games answered.
struct Part<'q> {
    answers: Vec<Answer>,
    read: u64,
    matcher: Option<Matcher<'q>>,
}

impl Found {
    /// The search ended before the games did, and not because it had found enough.
    pub fn is_cut_short(&self) -> bool {
        self.failed_assert.is_some() || self.given_up.len() >= MOST_GIVEN_UP
    }

    fn add(&mut self, answer: &Answer) {
        let result = &answer.result;
        if result.matched {
            self.games += 1;
            self.positions += result.positions.len() as u64;
        }
        if result.out_of_steps {
            self.given_up.push(result.game_number);
        }
        if let Some(span) = result.failed_assert {
            self.failed_assert = Some(FailedAssert {
                game: result.game_number,
                span,
            });
        }
    }
}

fn is_worth_telling(result: &GameResult) -> bool {
    result.matched
        || result.out_of_steps
        || result.failed_assert.is_some()
        || !result.messages.is_empty()
}

/// The nodes of one game that a query matches, whatever it says about variations: all are searched.
pub fn matching_nodes(game: &Game, source: &str) -> Result<Vec<NodeId>, Vec<Diagnostic>> {
    let options = Options {
        variations: Some(true),
        ..Options::default()
    };
    let query = Query::compile(source, &options)?;
    Ok(query.matcher().run(game, 1).nodes)
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
