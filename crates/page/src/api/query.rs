//! CQL: diagnostics, completion, help, and searches of the open games.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use desk::Game;
use desk::query::{Answer as Match, Found, Options, Query, WORDS, Word, search_open, word_help};
use kit::Workers;
use kit::save::{Output, Target};
use serde::Deserialize;
use serde_json::{Value, json};

use super::files::beside;
use crate::error::{Answer, ApiError};
use crate::jobs::{Job, Jobs, Rows};
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

/// A search.
#[derive(Deserialize, Clone, Debug)]
pub struct RunRequest {
    query: String,
    file: Option<usize>,
    variations: Option<bool>,
    limit: Option<u64>,
}

/// `POST /api/query`
pub fn run(shared: &Arc<Shared>, request: RunRequest, _: Client) -> Answer<Value> {
    let search = Search::new(shared, request.clone())?;
    let (title, rows) = (search.source.clone(), Rows::Positions(Vec::new()));
    Jobs::start(shared, "query", &title, rows, move |shared, job| {
        job.status().search = Some(request);
        let limit = search.limit.unwrap_or(u64::MAX);
        let found = search.run(shared, job, |answer, found| {
            let nodes = answer.result.nodes.iter();
            let game = answer.result.game_number as u32 - 1;
            if let Rows::Positions(rows) = &mut job.status().rows
                && answer.result.matched
            {
                rows.extend(nodes.map(|node| (game, node.0)));
            }
            if found.games >= limit {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        Ok(totals(&found, &search))
    })
}

/// A query and the games to search.
struct Search {
    query: Query,
    source: String,
    games: std::ops::Range<usize>,
    epoch: u64,
    limit: Option<u64>,
}

impl Search {
    fn new(shared: &Shared, request: RunRequest) -> Answer<Search> {
        let options = Options::default().with_variations(request.variations.unwrap_or(true));
        let query = Query::compile(&request.query, &options);
        let query = query.map_err(ApiError::bad_request)?;
        let work = shared.work();
        Ok(Search {
            query,
            source: request.query,
            games: work.games_of(request.file)?,
            epoch: work.epoch,
            limit: request.limit,
        })
    }

    /// Searches the games as they are now. They are locked only while they are copied.
    fn run(
        &self,
        shared: &Shared,
        job: &Job,
        each: impl FnMut(Match, &Found) -> ControlFlow<()>,
    ) -> Found {
        let workers = Workers::new(None, job.stop.clone());
        let mut next = self.games.start;
        let chunks = std::iter::from_fn(|| {
            let done = (next - self.games.start) as u64;
            job.advance(shared, done, self.games.len() as u64, "games");
            let chunk = self.chunk(shared, next)?;
            next += chunk.len();
            Some(chunk)
        });
        search_open(&self.query, chunks, &workers, each)
    }

    /// Some games; none after the last one, or if the games were renumbered meanwhile.
    fn chunk(&self, shared: &Shared, first: usize) -> Option<Vec<(u64, Game)>> {
        /// The games and nodes of a chunk at most.
        const GAMES: usize = 64;
        const NODES: usize = 20_000;
        let work = shared.work();
        if work.epoch != self.epoch {
            return None;
        }
        let (mut chunk, mut nodes) = (Vec::new(), 0);
        for number in (first..self.games.end).take(GAMES) {
            let game = work.session.read_game(number)?;
            nodes += game.tree().capacity_used();
            chunk.push((number as u64 + 1, game));
            if nodes > NODES {
                break;
            }
        }
        (!chunk.is_empty()).then_some(chunk)
    }
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
    Jobs::start(shared, "save", &title, rows, move |shared, job| {
        write(&search, &path, shared, job)
    })
}

/// A name beside the first file that is no open file.
fn new_path(shared: &Shared, name: &str, force: bool) -> Answer<PathBuf> {
    let mut work = shared.work();
    work.enter_file(0)?;
    let path = beside(&work.session, name)?;
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
    let limit = search.limit.unwrap_or(u64::MAX);
    let found = search.run(shared, job, |mut answer, found| {
        if answer.result.matched {
            answer.write();
            failed = output.write_all(answer.pgn.as_bytes()).err();
        }
        if failed.is_some() || found.games >= limit {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
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
