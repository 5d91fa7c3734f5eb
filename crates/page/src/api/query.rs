//! CQL: diagnostics, completion, help, and searches of the open games.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use desk::Game;
use desk::archive::Filter;
use desk::choose::Choice;
use desk::games::Games;
use desk::query::{
    Answer as Match, Found, Options, Query, QueryHost, SearchOutput, WORDS, Word, search_open,
    word_help,
};
use kit::Workers;
use kit::input::Source;
use kit::save::{Output, Target};
use serde::Deserialize;
use serde_json::{Value, json};

use super::files::{beside, plain_name};
use crate::error::{Answer, ApiError};
use crate::jobs::{Job, Numbers, Rows};
use crate::requests::RunRequest;
use crate::route::Client;
use crate::shared::Shared;
use crate::spans::{to_byte, to_utf16};

/// A query.
#[derive(Deserialize)]
pub struct CheckRequest {
    query: String,
}

/// `POST /api/query/check`
pub fn check(_: &Arc<Shared>, request: CheckRequest, _: Client) -> Answer<Value> {
    Ok(json!({"diagnostics": diagnostics(&request.query)}))
}

fn diagnostics(source: &str) -> Vec<Value> {
    let found = match Query::compile(source, &Options::default()) {
        Ok(query) => query.warnings().to_vec(),
        Err(error) => error.diagnostics().to_vec(),
    };
    let one = |found: &desk::query::Diagnostic| {
        json!({
            "start": to_utf16(source, found.span.start as usize),
            "end": to_utf16(source, found.span.end as usize),
            "message": found.message,
            "help": found.help,
            "warning": found.is_warning(),
        })
    };
    found.iter().map(one).collect()
}

/// A query and a place in it.
#[derive(Deserialize)]
pub struct WordRequest {
    query: String,
    at: usize,
}

/// Completions in an answer.
const MOST_WORDS: usize = 50;

/// `POST /api/query/complete`
pub fn complete(_: &Arc<Shared>, request: WordRequest, _: Client) -> Answer<Value> {
    let at = to_byte(&request.query, request.at);
    let start = word_start(&request.query, at);
    let typed = request.query[start..at].to_lowercase();
    let is_meant = |word: &&Word| !typed.is_empty() && word.word.starts_with(&typed);
    let items = WORDS.iter().filter(is_meant).take(MOST_WORDS);
    let item =
        |word: &Word| json!({"word": word.word, "kind": word.kind.name(), "help": word.help});
    Ok(json!({
        "start": to_utf16(&request.query, start),
        "end": to_utf16(&request.query, at),
        "items": items.map(item).collect::<Vec<_>>(),
    }))
}

/// `POST /api/query/help`
pub fn help(_: &Arc<Shared>, request: WordRequest, _: Client) -> Answer<Value> {
    let text = &request.query;
    let at = to_byte(text, request.at);
    let start = word_start(text, at);
    let rest = text[at..].find(|sign| !is_word(sign));
    let end = rest.map_or(text.len(), |rest| at + rest);
    let word = text[start..end].to_lowercase();
    let found = word_help(&word);
    Ok(json!({
        "word": found.map(|found| found.word),
        "kind": found.map(|found| found.kind.name()),
        "start": to_utf16(text, start),
        "end": to_utf16(text, end),
        "help": found.map(|found| found.help),
    }))
}

fn word_start(text: &str, at: usize) -> usize {
    let before = text[..at].char_indices().rev();
    let word = before.take_while(|(_, sign)| is_word(*sign));
    word.last().map_or(at, |(start, _)| start)
}

fn is_word(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || sign == '-'
}

/// More positions than anybody looks at; the search ends there.
const MOST_POSITIONS: usize = 1_000_000;

/// `POST /api/query`
pub fn run(shared: &Arc<Shared>, request: RunRequest, _: Client) -> Answer<Value> {
    let search = Search::new(shared, request.clone())?;
    let (title, rows) = (search.source.clone(), Rows::Positions(Vec::new()));
    let numbers = shared.work().numbers();
    shared.start_job("query", &title, rows, numbers, move |shared, job| {
        job.status().search = Some(request);
        let found = search.run(shared, job, SearchOutput::Count, |game, answer| {
            let nodes = answer.result.nodes.iter();
            if let Rows::Positions(rows) = &mut job.status().rows
                && answer.result.matched
            {
                rows.extend(nodes.map(|node| (game, node.0)));
                if rows.len() >= MOST_POSITIONS {
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        });
        Ok(totals(&found?, &search))
    })
}

/// A query and the games to search.
struct Search {
    query: Query,
    source: String,
    limit: Option<u64>,
    scope: Scope,
}

/// The games to search.
enum Scope {
    /// Games of open files, in a state of their numbers.
    Open {
        games: std::ops::Range<usize>,
        epoch: u64,
    },
    /// The games of an archive that a filter selects; the number of the first in the session, and of
    /// all of them.
    Archive {
        path: PathBuf,
        filter: Filter,
        first: usize,
        games: u64,
    },
}

impl Search {
    fn new(shared: &Shared, request: RunRequest) -> Answer<Search> {
        let options = Options::default().with_variations(request.variations.unwrap_or(true));
        let query = Query::compile(&request.query, &options);
        let query = query.map_err(ApiError::bad_request)?;
        let work = shared.work();
        let scope = match work.session.archive() {
            Some((file, archive)) if request.file == Some(file) => Scope::Archive {
                path: archive.path().to_owned(),
                filter: request.filter.parse().map_err(ApiError::bad_request)?,
                first: work.session.first_game(file),
                games: archive.games(),
            },
            _ => Scope::Open {
                games: work.games_of(request.file)?,
                epoch: work.epoch,
            },
        };
        Ok(Search {
            query,
            source: request.query,
            limit: request.limit,
            scope,
        })
    }

    /// Searches the games. Calls `each` with the number of a game in the session and its matches,
    /// until that breaks.
    fn run(
        &self,
        shared: &Shared,
        job: &Job,
        output: SearchOutput,
        mut each: impl FnMut(u32, Match) -> ControlFlow<()>,
    ) -> Result<Found, String> {
        match &self.scope {
            Scope::Open { games, epoch } => {
                Ok(self.run_open(shared, job, games.clone(), *epoch, &mut each))
            }
            Scope::Archive { .. } => self.run_archive(shared, job, output, &mut each),
        }
    }

    /// Searches open games as they are now. They are locked only while they are copied.
    fn run_open(
        &self,
        shared: &Shared,
        job: &Job,
        games: std::ops::Range<usize>,
        epoch: u64,
        each: &mut impl FnMut(u32, Match) -> ControlFlow<()>,
    ) -> Found {
        let workers = Workers::new(None, job.stop.clone());
        let mut next = games.start;
        let chunks = std::iter::from_fn(|| {
            let done = (next - games.start) as u64;
            job.advance(&shared.hub, done, games.len() as u64, "games");
            let chunk = chunk(shared, next..games.end, epoch)?;
            next += chunk.len();
            Some(chunk)
        });
        let limit = self.limit.unwrap_or(u64::MAX);
        search_open(&self.query, chunks, &workers, |answer, found| {
            let game = answer.result.game_number as u32 - 1;
            if each(game, answer).is_break() || found.games >= limit {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })
    }

    /// Searches an archive, of which only the games that can match are read.
    fn run_archive(
        &self,
        shared: &Shared,
        job: &Job,
        output: SearchOutput,
        each: &mut impl FnMut(u32, Match) -> ControlFlow<()>,
    ) -> Result<Found, String> {
        let Scope::Archive {
            path,
            filter,
            first,
            games: all,
        } = &self.scope
        else {
            return Ok(Found::default());
        };
        let games = Games::new(vec![Source::File(path.clone())], Choice::default());
        let games = games.filtered(filter.clone());
        let progress = games.progress().clone();
        let host = QueryHost::sealed(job.stop.clone());
        let search = desk::query::Search {
            query: &self.query,
            output,
            first: false,
            limit: self.limit,
        };
        let workers = Workers::new(None, job.stop.clone());
        let (done, ended) = channel::<()>();
        let mut totals = Found::default();
        let run = thread::scope(|scope| {
            scope.spawn(move || {
                while ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                    let bytes = progress.bytes();
                    let part = bytes as f64 / progress.total_bytes().unwrap_or(1).max(1) as f64;
                    let games = (part.min(1.0) * *all as f64) as u64;
                    job.advance(&shared.hub, games, *all, "games");
                }
            });
            let run = search.run(&games, &workers, &host, |answer| {
                totals.games += u64::from(answer.result.matched);
                totals.positions += answer.result.positions.len() as u64;
                let game = answer.result.game_number as usize - 1 + first;
                match each(game as u32, answer) {
                    ControlFlow::Break(()) => Err(()),
                    ControlFlow::Continue(()) => Ok(()),
                }
            });
            drop(done);
            run
        });
        match run {
            // It was broken off: what was found until then.
            Err(()) => Ok(totals),
            Ok(run) => match run.unread.first() {
                Some(error) => Err(error.to_string()),
                None => Ok(run.value),
            },
        }
    }
}

/// The progress of an archive is looked at this often.
const TICK: Duration = Duration::from_millis(100);

/// Some games as they are now; none after the last one, or if the games were renumbered meanwhile.
fn chunk(shared: &Shared, games: std::ops::Range<usize>, epoch: u64) -> Option<Vec<(u64, Game)>> {
    /// The games and nodes of a chunk at most.
    const GAMES: usize = 64;
    const NODES: usize = 20_000;
    let work = shared.work();
    if work.epoch != epoch {
        return None;
    }
    let (mut chunk, mut nodes) = (Vec::new(), 0);
    for number in games.take(GAMES) {
        let game = work.session.read_game(number)?;
        nodes += game.tree().capacity_used();
        chunk.push((number as u64 + 1, game));
        if nodes > NODES {
            break;
        }
    }
    (!chunk.is_empty()).then_some(chunk)
}

fn totals(found: &Found, search: &Search) -> Value {
    let assert = found.failed_assert.map(|failed| {
        json!({
            "game": failed.game - 1,
            "start": to_utf16(&search.source, failed.span.start as usize),
            "end": to_utf16(&search.source, failed.span.end as usize),
        })
    });
    json!({
        "games": found.games,
        "positions": found.positions,
        "read": found.read,
        "given_up": found.given_up.len(),
        "unbound": found.unbound.as_ref().map(|unbound| &unbound.name),
        "failed_assert": assert,
    })
}

/// Where to save the games of a query.
#[derive(Deserialize)]
pub struct SaveRequest {
    job: u64,
    #[serde(rename = "as")]
    name: String,
    #[serde(default)]
    force: bool,
}

/// `POST /api/query/save`
pub fn save(shared: &Arc<Shared>, request: SaveRequest, _: Client) -> Answer<Value> {
    shared.check_writable()?;
    let path = new_path(shared, &request.name, request.force)?;
    let run = shared.jobs.find(request.job)?.status().search.clone();
    let run = run.ok_or_else(|| ApiError::not_found("this job is not a query"))?;
    let search = Search::new(shared, run)?;
    let (title, rows) = (format!("save {}", request.name), Rows::Ready(Vec::new()));
    let numbers = Numbers::default();
    shared.start_job("save", &title, rows, numbers, move |shared, job| {
        write(&search, &path, shared, job)
    })
}

/// A name beside the first file that is no open file.
fn new_path(shared: &Shared, name: &str, force: bool) -> Answer<PathBuf> {
    let mut work = shared.work();
    work.enter_file(0)?;
    let path = match work.session.archive() {
        Some((_, archive)) => archive.path().with_file_name(plain_name(name)?),
        None => beside(&work.session, name)?,
    };
    let mut open = work.session.files().iter();
    if open.any(|file| file.path() == Some(&path)) {
        return Err(ApiError::refused(format!("{name} is open")));
    }
    if path.exists() && !force {
        return Err(ApiError::exists(format!("{} exists", path.display())));
    }
    Ok(path)
}

/// The file appears when it is complete; a canceled job leaves none.
fn write(search: &Search, path: &PathBuf, shared: &Shared, job: &Job) -> Result<Value, String> {
    use std::io::Write;
    let target = Target::File(path.clone());
    let mut output = Output::create(target).map_err(|error| error.to_string())?;
    let mut failed = None;
    let found = search.run(shared, job, SearchOutput::Games, |_, mut answer| {
        if answer.result.matched {
            answer.write();
            failed = output.write_all(answer.pgn.as_bytes()).err();
        }
        match failed {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    })?;
    if let Some(error) = failed {
        return Err(error.to_string());
    }
    let mut result = totals(&found, search);
    if !job.stop.is_raised() {
        output.finish().map_err(|error| error.to_string())?;
        result["path"] = json!(path);
    }
    Ok(result)
}
