//! CQL searches of games: on all cores, with results in the order of the input.

mod allowed;
mod answer;
mod host;
mod narrow;
mod open_games;
mod sorted;

use std::sync::{Arc, Mutex, PoisonError};

use chess::pgn::{Builder, Game, RawGame};
use cql::Matcher;
use tree::NodeId;

pub use allowed::{AllowedDir, Refused};
pub use answer::{Answer, Position};
pub use cql::{
    CompileError, Diagnostic, DiagnosticKind, Dialect, GameResult, GiveUp, Level, Options,
    Persistent, Query, SortValue, Span, Stage, WORDS, Word, debug, to_ascii, to_html, to_unicode,
    word_help,
};
pub use host::QueryHost;
pub use open_games::search_open;
pub use sorted::Sorted;

use crate::games::{Batch, Extent, Games, Lines, Run};
use kit::Workers;

/// The requested output for matching games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SearchOutput {
    /// Only the counts.
    Count,
    /// The matching positions.
    Positions,
    /// The games as PGN with the comments of the query.
    #[default]
    Games,
    /// The games as they were read.
    Trees,
}

/// A search of many games.
#[derive(Clone, Debug)]
pub struct Search<'q> {
    /// The query.
    pub query: &'q Query,
    /// The requested output.
    pub output: SearchOutput,
    /// Only the first matching position of each game.
    pub first: bool,
    /// Stop after this many matching games.
    pub limit: Option<u64>,
}

/// The totals of a search.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Games searched.
    pub read: u64,
    /// Of these, games of archives that were not read because they cannot match.
    pub excluded: u64,
    /// Games that match.
    pub games: u64,
    /// Positions that match.
    pub positions: u64,
    /// Games whose search was given up; the search ends after [`MOST_GIVEN_UP`] of them.
    pub given_up: Vec<GivenUp>,
    /// The first variable read without a value.
    pub unbound: Option<Unbound>,
    /// Persistent variables used up their memory; the search ends there.
    pub persistent_full: bool,
    /// The game in which an `assert` of the query failed; the search ends there.
    pub failed_assert: Option<FailedAssert>,
    /// The final values of persistent variables.
    pub persistent: Vec<Persistent>,
}

/// The search ends after this many given-up games: such a query hardly ever finishes.
pub const MOST_GIVEN_UP: usize = 10;

/// A game whose search was given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GivenUp {
    /// The game.
    pub game: u64,
    /// The reason.
    pub reason: GiveUp,
}

/// A variable read without a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unbound {
    /// The game.
    pub game: u64,
    /// The variable's name.
    pub name: String,
}

/// A failed `assert`.
#[derive(Clone, Copy, Debug)]
pub struct FailedAssert {
    /// The game.
    pub game: u64,
    /// The text of the query.
    pub span: Span,
}

/// The reason why a search ended early.
enum End<E> {
    Enough,
    Failed(E),
}

impl Search<'_> {
    /// Searches the games and passes each result, in order, to `each`.
    pub fn run<E>(
        &self,
        games: &Games,
        workers: &Workers,
        host: &QueryHost,
        mut each: impl FnMut(Answer) -> Result<(), E>,
    ) -> Result<Run<Found>, E> {
        let alone = Workers::new(std::num::NonZeroUsize::new(1), workers.stop.clone());
        let workers = if self.query.is_parallel() {
            workers
        } else {
            &alone
        };
        let first = self.query.matcher().with_host(host);
        // If the order of games matters, one matcher processes all of them.
        let in_order = Mutex::new(first);
        let mut total = self.query.matcher();
        let spare = Mutex::default();
        let mut found = Found::default();
        let (games, excluded) = narrow::narrow(games, self.query);
        let ended = games.run(
            workers,
            |batch| {
                if self.query.is_parallel() {
                    self.search_alone(batch, host, &spare)
                } else {
                    self.search_in_order(batch, host, &in_order)
                }
            },
            |part| {
                let matcher = self.gather(part, &mut total, &mut found, &mut each)?;
                lock(&spare).extend(matcher);
                if host.refusal().is_some() {
                    return Err(End::Enough);
                }
                Ok(())
            },
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
        found.persistent = if self.query.is_parallel() {
            total.persistent()
        } else {
            lock(&in_order).persistent()
        };
        found.excluded = excluded.get();
        found.read += found.excluded;
        Ok(run.with(found))
    }

    /// A batch with its own matcher, whose totals are added up later; one that another batch no
    /// longer needs has its memory already.
    fn search_alone<'s>(
        &'s self,
        batch: &Batch,
        host: &'s QueryHost,
        spare: &Mutex<Vec<Matcher<'s>>>,
    ) -> Part<'s> {
        let spare = lock(spare).pop();
        let mut matcher = spare.unwrap_or_else(|| self.query.matcher().with_host(host));
        let (answers, read) = self.search(batch, host, &mut matcher);
        Part {
            answers,
            read,
            matcher: Some(matcher),
        }
    }

    fn search_in_order<'s>(
        &'s self,
        batch: &Batch,
        host: &QueryHost,
        matcher: &Mutex<Matcher<'_>>,
    ) -> Part<'s> {
        let (answers, read) = self.search(batch, host, &mut lock(matcher));
        Part {
            answers,
            read,
            matcher: None,
        }
    }

    fn search(
        &self,
        batch: &Batch,
        host: &QueryHost,
        matcher: &mut Matcher<'_>,
    ) -> (Vec<Answer>, u64) {
        if self.query.needs_only_moves()
            && let Some(lines) = batch.lines()
        {
            return self.search_lines(batch, lines, host, matcher);
        }
        let mut answers = Vec::new();
        let mut given_up = 0;
        let number = |raw: RawGame| batch.earlier + raw.place.number;
        let read = std::cell::Cell::new(0);
        let without_tags = !self.query.reads_tags() && !self.query.filters_by_tags();
        let extent = match batch.is_text() && self.query.needs_only_mainline() {
            true => Extent::Mainline,
            false => Extent::Whole,
        };
        let each = |matcher: &mut Matcher<'_>, game: &mut Game, raw: RawGame| {
            if given_up == MOST_GIVEN_UP || host.stop.is_raised() {
                return;
            }
            let mut result = matcher.run(game, number(raw));
            if host.stop.is_raised() {
                return;
            }
            read.set(read.get() + 1);
            given_up += usize::from(result.given_up.is_some());
            if has_news(&result) {
                if extent == Extent::Mainline && self.output != SearchOutput::Count {
                    Builder::new().read_into(raw, game);
                    move_to_whole(&mut result, game);
                }
                if without_tags && self.writes_tags() {
                    batch.add_tags(raw.place, game);
                }
                answers.push(self.answer(&batch.name, raw.place.number, game, result));
            }
        };
        if self.query.filters_by_tags() {
            let rules_out = |matcher: &mut Matcher<'_>, tags: &Game, raw: RawGame<'_>| {
                let out = matcher.rules_out(tags, number(raw));
                read.set(read.get() + u64::from(out));
                out
            };
            batch.read_unless(extent, matcher, rules_out, each);
        } else {
            let mut each = each;
            let each = |game: &mut Game, raw: RawGame| each(matcher, game, raw);
            match without_tags {
                true => batch.read_extent(extent, each),
                false if extent == Extent::Mainline => batch.read_extent(extent, each),
                false => batch.read(each),
            }
        }
        (answers, read.get())
    }

    /// Searches the mainlines of stored games; only games for the answers are read as a whole.
    fn search_lines(
        &self,
        batch: &Batch,
        lines: Lines<'_>,
        host: &QueryHost,
        matcher: &mut Matcher<'_>,
    ) -> (Vec<Answer>, u64) {
        let (mut answers, mut given_up, mut read) = (Vec::new(), 0, 0);
        lines.read(self.query.most_pieces(), |line, raw| {
            if given_up == MOST_GIVEN_UP || host.stop.is_raised() {
                return;
            }
            let number = batch.earlier + raw.place.number;
            let result = matcher.run_line(&line.start, line.skipped, &line.moves, number);
            if host.stop.is_raised() {
                return;
            }
            read += 1;
            given_up += usize::from(result.given_up.is_some());
            if has_news(&result) {
                let mut game = match result.matched && self.output != SearchOutput::Count {
                    true => lines.game(raw.place),
                    false => Game::default(),
                };
                answers.push(self.answer(&batch.name, raw.place.number, &mut game, result));
            }
        });
        (answers, read)
    }

    /// True if the answers hold the games.
    fn writes_tags(&self) -> bool {
        matches!(self.output, SearchOutput::Games | SearchOutput::Trees)
    }

    fn answer(
        &self,
        file: &Arc<str>,
        number: u64,
        game: &mut Game,
        mut result: GameResult,
    ) -> Answer {
        if self.first {
            result.nodes.truncate(1);
            result.positions.truncate(1);
        }
        let mut answer = Answer::new(file.clone(), number, result);
        if answer.result.matched {
            match self.output {
                SearchOutput::Count => {}
                SearchOutput::Positions => answer.find_positions(game),
                SearchOutput::Games => answer.write_game(game),
                SearchOutput::Trees => answer.tree = Some(game.clone()),
            }
        }
        answer
    }

    /// Adds up the results of a batch and passes them on. Returns its matcher, if it had one.
    fn gather<'s, E>(
        &self,
        part: Part<'s>,
        total: &mut Matcher<'s>,
        found: &mut Found,
        each: &mut impl FnMut(Answer) -> Result<(), E>,
    ) -> Result<Option<Matcher<'s>>, End<E>> {
        if self.limit == Some(0) {
            return Err(End::Enough);
        }
        found.read += part.read;
        let mut matcher = part.matcher;
        let merged = matcher.as_mut().map_or(Ok(()), |later| {
            let merged = total.absorb(later);
            later.restart();
            merged
        });
        found.persistent_full |= merged.is_err();
        for answer in part.answers {
            found.add(&answer);
            each(answer).map_err(End::Failed)?;
            if found.is_cut_short() || self.limit.is_some_and(|limit| found.games >= limit) {
                return Err(End::Enough);
            }
        }
        if found.is_cut_short() {
            return Err(End::Enough);
        }
        Ok(matcher)
    }
}

/// The results of a batch of games.
struct Part<'q> {
    answers: Vec<Answer>,
    read: u64,
    matcher: Option<Matcher<'q>>,
}

impl Found {
    /// The search ended early, and not because of the limit of matches.
    pub fn is_cut_short(&self) -> bool {
        self.failed_assert.is_some() || self.persistent_full || self.given_up.len() >= MOST_GIVEN_UP
    }

    fn add(&mut self, answer: &Answer) {
        let result = &answer.result;
        if result.matched {
            self.games += 1;
            self.positions += result.positions.len() as u64;
        }
        let game = result.game_number;
        if let Some(reason) = result.given_up {
            self.given_up.push(GivenUp { game, reason });
            self.persistent_full |= reason == GiveUp::PersistentMemory;
        }
        if let (None, Some(name)) = (&self.unbound, &result.unbound) {
            let name = name.clone();
            self.unbound = Some(Unbound { game, name });
        }
        if let Some(span) = result.failed_assert {
            self.failed_assert = Some(FailedAssert {
                game: result.game_number,
                span,
            });
        }
    }
}

/// Whether a result holds more than the fact that the game does not match.
fn has_news(result: &GameResult) -> bool {
    result.matched
        || result.given_up.is_some()
        || result.unbound.is_some()
        || result.failed_assert.is_some()
        || !result.messages.is_empty()
}

/// Changes the nodes of a mainline that was read alone into those of the whole game.
fn move_to_whole(result: &mut GameResult, whole: &Game) {
    let mainline: Vec<NodeId> = whole.tree().mainline().collect();
    let nodes = result.nodes.iter_mut().chain(&mut result.removed_comments);
    let commented = result.comments.iter_mut().map(|comment| &mut comment.node);
    for node in nodes.chain(commented) {
        *node = mainline[node.index()];
    }
}

/// A query for the nodes of games; variations are always searched.
#[derive(Debug)]
pub struct NodeQuery(Query);

impl NodeQuery {
    /// Compiles a query.
    pub fn new(source: &str) -> Result<NodeQuery, CompileError> {
        let options = Options::default().with_variations(true);
        Query::compile(source, &options).map(NodeQuery)
    }

    /// The matching nodes of a game with this number.
    pub fn matches(&self, game: &Game, number: u64) -> Vec<NodeId> {
        self.0.matcher().run(game, number).nodes
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
