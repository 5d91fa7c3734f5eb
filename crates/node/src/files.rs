//! Games of files: reading ahead, queries, audit, merge, the graph of positions.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use chess::pgn::{ExportOptions, Game, export};
use chess::{Color, Identity};
use desk::audit::{Options as AuditOptions, audit as find_problems};
use desk::choose::Choice;
use desk::games::{Games, Run};
use desk::merge::{Rules, merge as merge_games};
use desk::paths::{paths as move_orders, transposed};
use desk::place::Place;
use desk::positions::Positions;
use desk::query::{Found, Query, QueryHost, Search, SearchOutput};
use desk::stream::GameStream;
use kit::input::{self, InputError, Source};
use kit::save::{Target, save};
use kit::{Stop, Workers};
use napi::bindgen_prelude::{AsyncTask, External, Result};
use napi::{Env, Error, Status, Task};
use napi_derive::napi;
use serde_json::{Value, json};

use crate::game::{GameHandle, handle};
use crate::moves::invalid;
use crate::task::{StopHandle, TextTask, failure, internal_error, start};

/// More threads than this only cost memory.
const MOST_THREADS: u32 = 256;

/// Where games come from: paths, or PGN text.
#[napi(object)]
pub struct Origin {
    /// Files and folders.
    pub paths: Vec<String>,
    /// PGN in memory, if there are no paths.
    pub text: Option<String>,
}

impl Origin {
    fn games(self) -> Result<Games> {
        let sources = match self.text {
            Some(text) => vec![Source::Memory(text.into_bytes().into())],
            None => {
                let paths = self.paths.into_iter().map(PathBuf::from);
                input::gather(paths, desk::GAME_FILES).map_err(|error| input_error(&error))?
            }
        };
        Ok(Games::new(sources, Choice::default()))
    }
}

/// An error of a file. JavaScript makes an error with this code of it.
fn input_error(error: &InputError) -> Error {
    let code = match error {
        InputError::NotFound { .. } => "ENOENT: ",
        InputError::Unreadable { error, .. } => match error.kind() {
            std::io::ErrorKind::NotFound => "ENOENT: ",
            std::io::ErrorKind::PermissionDenied => "EACCES: ",
            _ => "",
        },
        _ => "",
    };
    failure(format!("{code}{error}"))
}

/// The result, unless a source could not be read or the work was stopped.
fn complete<T>(run: Run<T>) -> Result<T> {
    if run.stopped {
        return Err(Error::new(Status::Cancelled, "stopped"));
    }
    match run.unread.first() {
        Some(error) => Err(input_error(error)),
        None => Ok(run.value),
    }
}

/// An open file or folder.
pub type StreamHandle = External<Arc<Mutex<Option<GameStream>>>>;

/// Opens files and folders for reading ahead.
#[napi(catch_unwind)]
pub fn open_stream(origin: Origin, threads: Option<u32>) -> Result<StreamHandle> {
    let threads = threads.and_then(|threads| NonZeroUsize::new(threads.min(MOST_THREADS) as usize));
    let stream = GameStream::open(origin.games()?, threads);
    Ok(External::new(Arc::new(Mutex::new(Some(stream)))))
}

/// Ends a stream.
#[napi(catch_unwind)]
pub fn close_stream(stream: &StreamHandle) {
    if let Ok(mut stream) = stream.lock() {
        *stream = None;
    }
}

/// Waits for the next games of a stream.
pub struct NextGames(Arc<Mutex<Option<GameStream>>>);

impl Task for NextGames {
    type Output = Vec<Game>;
    type JsValue = Vec<GameHandle>;

    fn compute(&mut self) -> Result<Vec<Game>> {
        let mut stream = self.0.lock().map_err(|_| internal_error())?;
        let Some(stream) = stream.as_mut() else {
            return Ok(Vec::new());
        };
        // No games mean the end, so batches without any are passed over.
        let next = stream.find(|some| !matches!(some, Ok(games) if games.is_empty()));
        next.unwrap_or_else(|| Ok(Vec::new()))
            .map_err(|error| input_error(&error))
    }

    fn resolve(&mut self, _: Env, games: Vec<Game>) -> Result<Vec<GameHandle>> {
        Ok(games.into_iter().map(handle).collect())
    }
}

/// The next games of a stream; none at its end.
#[napi(catch_unwind)]
pub fn next_games(stream: &StreamHandle) -> AsyncTask<NextGames> {
    AsyncTask::new(NextGames(Arc::clone(stream)))
}

/// Writes a text to a file: whole or not at all, compressed according to the extension.
#[napi(catch_unwind)]
pub fn write_text(path: String, text: String) -> AsyncTask<TextTask> {
    start(move || {
        let target = Target::File(PathBuf::from(path));
        save(target, text.as_bytes()).map_err(failure)?;
        Ok(String::new())
    })
}

/// The games as PGN, one after another.
#[napi(catch_unwind)]
pub fn join_games(games: Vec<&GameHandle>) -> String {
    let mut text = String::new();
    for game in games {
        text.push_str(&export(&game.borrow(), &ExportOptions::default()));
        text.push('\n');
    }
    text
}

/// What a query asks for besides its text.
#[napi(object)]
pub struct QueryOptions {
    /// Count matches only.
    pub count: bool,
    /// Stop after so many games.
    pub limit: Option<u32>,
    /// Threads; all cores if none.
    pub threads: Option<u32>,
}

/// Runs a query over games: the counts as JSON, then a line of JSON for each matching game.
#[napi(catch_unwind)]
pub fn query(
    cql: String,
    origin: Origin,
    options: QueryOptions,
    stop: &StopHandle,
) -> Result<AsyncTask<TextTask>> {
    let query = Query::compile(&cql, &cql::Options::default())
        .map_err(|error| failure(describe_errors(&error)))?;
    let (games, stop) = (origin.games()?, Stop::clone(stop));
    Ok(start(move || {
        let (found, matches) = search(&query, &games, &options, stop)?;
        let counts = json!({"games": found.games, "positions": found.positions});
        Ok(counts.to_string() + &matches)
    }))
}

fn search(
    query: &Query,
    games: &Games,
    options: &QueryOptions,
    stop: Stop,
) -> Result<(Found, String)> {
    let mut host = QueryHost::new();
    host.stop = stop.clone();
    let threads = options.threads.map(|threads| threads.min(MOST_THREADS));
    let threads = threads.and_then(|threads| NonZeroUsize::new(threads as usize));
    let search = Search {
        query,
        output: if options.count {
            SearchOutput::Count
        } else {
            SearchOutput::Positions
        },
        first: false,
        limit: options.limit.map(u64::from),
    };
    let mut matches = String::new();
    let run = search.run(games, &Workers::new(threads, stop), &host, |answer| {
        if answer.result.matched && !options.count {
            let found = json!({
                "file": answer.file,
                "game": answer.game,
                "positions": answer.positions,
                "comments": answer.result.messages,
            });
            matches.push('\n');
            matches.push_str(&found.to_string());
        }
        Ok::<(), Error>(())
    })?;
    if let Some(refusal) = host.refusal() {
        return Err(failure(refusal));
    }
    Ok((complete(run)?, matches))
}

/// All errors of a query as JSON: message and place.
fn describe_errors(error: &cql::CompileError) -> String {
    let errors: Vec<Value> = error
        .diagnostics()
        .iter()
        .map(|found| {
            json!({
                "message": found.message, "help": found.help,
                "start": found.span.start, "end": found.span.end,
            })
        })
        .collect();
    json!({"cql": error.to_string(), "errors": errors}).to_string()
}

/// The problems of a repertoire as JSON. The side is `white`, `black` or none.
#[napi(catch_unwind)]
pub fn audit(
    origin: Origin,
    side: Option<String>,
    stop: &StopHandle,
) -> Result<AsyncTask<TextTask>> {
    let side = side.map(|side| match side.as_str() {
        "white" => Ok(Color::White),
        "black" => Ok(Color::Black),
        _ => Err(invalid("side must be \"white\" or \"black\"")),
    });
    let (side, games, stop) = (side.transpose()?, origin.games()?, Stop::clone(stop));
    Ok(start(move || {
        let positions = read_positions(&games, &stop)?;
        let options = AuditOptions {
            side,
            stop: stop.clone(),
            ..AuditOptions::default()
        };
        Ok(json!(find_problems(&positions, &options)).to_string())
    }))
}

fn read_positions(games: &Games, stop: &Stop) -> Result<Positions> {
    let workers = Workers::new(None, stop.clone());
    complete(Positions::read(games, &workers, Identity::Strict))
}

/// Games merged into one tree for each starting position, as PGN.
#[napi(catch_unwind)]
pub fn merge(origin: Origin, stop: &StopHandle) -> Result<AsyncTask<TextTask>> {
    let (games, stop) = (origin.games()?, Stop::clone(stop));
    Ok(start(move || {
        let workers = Workers::new(None, stop);
        let merged = complete(merge_games(&games, &Rules::default(), &workers))?;
        let texts = merged.games.iter().map(|game| game.to_string() + "\n");
        Ok(texts.collect())
    }))
}

/// The positions of some games, each once, and their counts as JSON.
pub type GraphHandle = External<(Arc<Positions>, String)>;

/// Reads the graph of positions.
pub struct ReadGraph(Option<Games>, Stop);

impl Task for ReadGraph {
    type Output = (Positions, String);
    // A task cannot return a bare handle.
    type JsValue = Vec<GraphHandle>;

    fn compute(&mut self) -> Result<(Positions, String)> {
        let games = self.0.take().ok_or_else(internal_error)?;
        let positions = read_positions(&games, &self.1)?;
        let counts = transposed(&positions, 0, &self.1).counts;
        let (moves, games) = (positions.graph().edge_count(), positions.games().len());
        let counts = json!({"games": games, "moves": moves, "counts": counts});
        Ok((positions, counts.to_string()))
    }

    fn resolve(&mut self, _: Env, found: (Positions, String)) -> Result<Vec<GraphHandle>> {
        let (positions, counts) = found;
        /// Bytes for each position, for the garbage collector.
        const POSITION_SIZE: usize = 80;
        let size = POSITION_SIZE * positions.graph().vertex_count();
        let graph = External::new_with_size_hint((Arc::new(positions), counts), size);
        Ok(vec![graph])
    }
}

/// The graph of the positions of some games.
#[napi(catch_unwind)]
pub fn read_graph(origin: Origin, stop: &StopHandle) -> Result<AsyncTask<ReadGraph>> {
    Ok(AsyncTask::new(ReadGraph(
        Some(origin.games()?),
        Stop::clone(stop),
    )))
}

/// Counts of a graph as JSON.
#[napi(catch_unwind)]
pub fn graph_counts(graph: &GraphHandle) -> String {
    graph.1.clone()
}

/// Move orders and continuations of a position, given by FEN or by moves, as JSON.
#[napi(catch_unwind)]
pub fn graph_at(
    graph: &GraphHandle,
    fen: Option<String>,
    moves: Option<String>,
) -> AsyncTask<TextTask> {
    let graph = Arc::clone(&graph.0);
    start(move || {
        let vertex = match fen {
            Some(fen) => graph.find_fen(&fen).map_err(failure)?,
            None => {
                let place = Place::read(&moves.unwrap_or_default()).map_err(failure)?;
                graph.locate_anywhere(&place).map_err(failure)?
            }
        };
        Ok(json!(move_orders(&graph, vertex, usize::MAX)).to_string())
    })
}

/// The positions that several paths reach, at most `limit`, as JSON.
#[napi(catch_unwind)]
pub fn graph_transpositions(
    graph: &GraphHandle,
    limit: u32,
    stop: &StopHandle,
) -> AsyncTask<TextTask> {
    let (graph, stop) = (Arc::clone(&graph.0), Stop::clone(stop));
    start(move || {
        let mut found = transposed(&graph, usize::MAX, &stop).meetings;
        found.truncate(limit as usize);
        Ok(json!(found).to_string())
    })
}
