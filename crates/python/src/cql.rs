//! CQL queries. They never write files or start programs.

use std::sync::Arc;

use desk::games::Games;
use desk::query::{
    Answer, CompileError, Diagnostic, Found, GiveUp, Level, Options, Query, QueryHost, Search,
    SearchOutput, SortValue,
};
use kit::{Stop, Workers};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::feed::{Feed, Gone, Sender};
use crate::game::node::PyNode;
use crate::game::{PyGame, Record};
use crate::games::Source;
use crate::source;
use crate::table::{Column, PyTable, Text};
use crate::work;

/// A compiled query; `gametree.cql.Query` wraps it.
#[pyclass(frozen, module = "gametree._native", name = "CompiledQuery")]
pub struct PyQuery {
    query: Arc<Query>,
}

/// Compiles a query. `variations` overrides what the query says about them.
#[pyfunction]
#[pyo3(signature = (source, variations=None))]
pub fn compile_cql(py: Python<'_>, source: &str, variations: Option<bool>) -> PyResult<PyQuery> {
    let options = Options::default()
        .with_variations(variations)
        .with_level(Level::Quiet)
        .with_header_comment(false);
    match py.detach(|| Query::compile(source, &options)) {
        Ok(query) => Ok(PyQuery {
            query: Arc::new(query),
        }),
        Err(error) => Err(compile_error(py, source, &error)?),
    }
}

/// `gametree.cql.CqlError` with the place of the first problem.
fn compile_error(py: Python<'_>, source: &str, error: &CompileError) -> PyResult<PyErr> {
    let first = error.diagnostics().iter().find(|found| !found.is_warning());
    let start = first.map_or(0, |found| found.span.start as usize);
    let before = source.get(..start).unwrap_or(source);
    let line = before.matches('\n').count() + 1;
    let column = before
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .chars()
        .count()
        + 1;
    let details = PyDict::new(py);
    details.set_item("message", first.map(|found| found.message.clone()))?;
    details.set_item("help", first.and_then(|found| found.help.clone()))?;
    details.set_item("line", line)?;
    details.set_item("column", column)?;
    details.set_item("position", before.chars().count())?;
    cql_error(py, &error.to_string(), &details)
}

fn cql_error(py: Python<'_>, text: &str, details: &Bound<'_, PyDict>) -> PyResult<PyErr> {
    let class = py.import("gametree.cql")?.getattr("CqlError")?;
    let error = class.call((text.trim_end(),), Some(details))?;
    Ok(PyErr::from_value(error))
}

#[pymethods]
impl PyQuery {
    /// Conditions that probably mean something else.
    fn warnings(&self) -> Vec<String> {
        let warnings = self.query.warnings().iter();
        let render = |found: &Diagnostic| found.render(self.query.source());
        warnings.map(render).collect()
    }

    /// The cheap tests by which whole games are skipped.
    fn explain(&self) -> Vec<String> {
        self.query.explain()
    }

    /// The matching games, in order.
    #[pyo3(signature = (source, *, limit=None, threads=None))]
    fn matches(
        &self,
        source: &Bound<'_, PyAny>,
        limit: Option<u64>,
        threads: Option<usize>,
    ) -> PyResult<PyMatches> {
        let stop = Stop::new();
        let workers = source::workers(threads, stop.clone())?;
        let task = Task {
            query: self.query.clone(),
            source: Source::of(source)?,
            limit,
            workers,
        };
        let feed = Feed::start(stop, move |sender| task.send_matches(sender))?;
        Ok(PyMatches { feed })
    }

    /// Whether parts of a collection can be searched apart.
    fn is_local(&self) -> bool {
        self.query.is_local()
    }

    /// The matching positions as a table, and the numbers of matching games, of matching positions,
    /// and of games searched.
    ///
    /// `name` is the source in the table, instead of the path.
    #[pyo3(signature = (source, *, name=None, threads=None))]
    fn table(
        &self,
        source: &Bound<'_, PyAny>,
        name: Option<String>,
        threads: Option<usize>,
    ) -> PyResult<(PyTable, (u64, u64, u64))> {
        let stop = Stop::new();
        let task = Task {
            query: self.query.clone(),
            source: Source::of(source)?,
            limit: None,
            workers: source::workers(threads, stop.clone())?,
        };
        let mut rows = Rows::default();
        let found = work::run(source.py(), &stop, || {
            task.search(SearchOutput::Positions, &mut |answer| {
                rows.add(&answer, name.as_deref());
                Ok(())
            })
        })??;
        let found = found.unwrap_or_default();
        let counts = (found.games, found.positions, found.read);
        Ok((rows.into_table()?, counts))
    }

    /// The numbers of matching games, of matching positions, and of games searched.
    #[pyo3(signature = (source, *, threads=None))]
    fn count(
        &self,
        source: &Bound<'_, PyAny>,
        threads: Option<usize>,
    ) -> PyResult<(u64, u64, u64)> {
        let stop = Stop::new();
        let task = Task {
            query: self.query.clone(),
            source: Source::of(source)?,
            limit: None,
            workers: source::workers(threads, stop.clone())?,
        };
        let found = work::run(source.py(), &stop, || {
            task.search(SearchOutput::Count, &mut |_| Ok(()))
        })??;
        let found = found.unwrap_or_default();
        Ok((found.games, found.positions, found.read))
    }
}

/// The matching positions, in order.
#[derive(Default)]
struct Rows {
    game: Vec<i64>,
    source: Text,
    number: Vec<i32>,
    position: Vec<i32>,
    ply: Vec<i32>,
    path: Text,
    fen: Text,
}

impl Rows {
    fn add(&mut self, answer: &Answer, name: Option<&str>) {
        let short = |number: u64| i32::try_from(number).unwrap_or(i32::MAX);
        for found in &answer.positions {
            self.game.push(answer.result.game_number as i64);
            self.source.push(Some(name.unwrap_or(&found.file)));
            self.number.push(short(found.game));
            self.position.push(short(found.position.into()));
            self.ply.push(short(found.ply.into()));
            self.path.push(Some(&found.path));
            self.fen.push(Some(&found.fen));
        }
    }

    fn into_table(self) -> PyResult<PyTable> {
        let columns = [
            ("game", Column::I64(self.game)),
            ("source", Column::Text(self.source)),
            ("number", Column::I32(self.number)),
            ("position", Column::I32(self.position)),
            ("ply", Column::I32(self.ply)),
            ("path", Column::Text(self.path)),
            ("fen", Column::Text(self.fen)),
        ];
        let columns = columns.map(|(name, column)| (name.to_owned(), column));
        PyTable::new(columns.into())
    }
}

/// A search of one source.
struct Task {
    query: Arc<Query>,
    source: Source,
    limit: Option<u64>,
    workers: Workers,
}

impl Task {
    fn send_matches(&self, sender: &Sender<Hit>) -> PyResult<()> {
        if !self.query.sorts() {
            let each = &mut |answer: Answer| sender.send(found(answer).into_iter().collect());
            return self.search(SearchOutput::Trees, each).map(|_| ());
        }
        let mut answers = Vec::new();
        self.search(SearchOutput::Trees, &mut |answer| {
            answers.push(answer);
            Ok(())
        })?;
        answers.sort_by(|a, b| self.query.compare(&a.result, &b.result));
        // The receiver may have gone meanwhile.
        sender
            .send(answers.into_iter().filter_map(found).collect())
            .ok();
        Ok(())
    }

    /// Searches all games; `None` if the receiver of the answers has gone.
    fn search(
        &self,
        output: SearchOutput,
        each: &mut dyn FnMut(Answer) -> Result<(), Gone>,
    ) -> PyResult<Option<Found>> {
        let search = Search {
            query: &self.query,
            output,
            first: false,
            limit: self.limit,
        };
        let mut host = QueryHost::new();
        host.stop = self.workers.stop.clone();
        let found = match &self.source {
            Source::Files(games) => {
                if self.query.needs_last_game_number() {
                    host.last_game = Some(self.count_games(games)?);
                }
                match search.run(games, &self.workers, &host, each) {
                    Ok(run) => source::complete(run)?,
                    Err(Gone) => return Ok(None),
                }
            }
            Source::Games(records) => {
                host.last_game = Some(records.len() as u64);
                match self.search_records(records, output, &host, each) {
                    Ok(found) => found,
                    Err(Gone) => return Ok(None),
                }
            }
        };
        self.check(&found)?;
        Ok(Some(found))
    }

    fn count_games(&self, games: &Games) -> PyResult<u64> {
        let mut count = 0;
        let run = games.run(
            &self.workers,
            |batch| {
                let mut games = 0;
                batch.read_raw(|_| games += 1);
                games
            },
            |games: u64| -> Result<(), Gone> {
                count += games;
                Ok(())
            },
        );
        if let Ok(run) = run {
            source::complete(run)?;
        }
        Ok(count)
    }

    /// Searches games in memory, numbered from 1.
    fn search_records(
        &self,
        records: &[Arc<Record>],
        output: SearchOutput,
        host: &QueryHost,
        each: &mut dyn FnMut(Answer) -> Result<(), Gone>,
    ) -> Result<Found, Gone> {
        let mut matcher = self.query.matcher().with_host(host);
        let mut total = Found::default();
        for (number, record) in (1..).zip(self.workers.stop.while_running(records)) {
            let result = matcher.run(&record.game, number);
            total.read += 1;
            if !result.matched {
                continue;
            }
            total.games += 1;
            total.positions += result.positions.len() as u64;
            each(Answer {
                file: record.file.clone(),
                game: record.number,
                result,
                positions: Vec::new(),
                pgn: String::new(),
                tree: (output == SearchOutput::Trees).then(|| record.game.clone()),
            })?;
            if self.limit.is_some_and(|limit| total.games >= limit) {
                break;
            }
        }
        Ok(total)
    }

    /// An answer that is not complete is an error.
    fn check(&self, found: &Found) -> PyResult<()> {
        let problem = if let Some(failed) = &found.failed_assert {
            let text = failed.span.of(self.query.source());
            Some(format!("assertion failed in game {}: {text}", failed.game))
        } else if found.persistent_full {
            Some("persistent variables need too much memory".to_owned())
        } else {
            let given_up = found
                .given_up
                .iter()
                .find(|game| game.reason != GiveUp::Stopped);
            given_up.map(|game| {
                let reason = match game.reason {
                    GiveUp::Steps => "too many steps",
                    _ => "too much memory",
                };
                format!("game {} was not searched to the end: {reason}", game.game)
            })
        };
        match problem {
            None => Ok(()),
            Some(problem) => Python::attach(|py| {
                let details = PyDict::new(py);
                details.set_item("message", &problem)?;
                Err(cql_error(py, &problem, &details)?)
            }),
        }
    }
}

/// A match on its way to Python.
struct Hit {
    record: Arc<Record>,
    answer: Answer,
}

fn found(mut answer: Answer) -> Option<Hit> {
    let game = answer.tree.take()?;
    let record = Record::new(game, answer.file.clone(), answer.game);
    Some(Hit { record, answer })
}

/// An iterator over matches. Dropping it ends the search.
#[pyclass(frozen, module = "gametree.cql", name = "Matches")]
pub struct PyMatches {
    feed: Feed<Hit>,
}

#[pymethods]
impl PyMatches {
    fn __iter__(slf: Py<PyMatches>) -> Py<PyMatches> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyMatch>> {
        let found = self.feed.next(py)?;
        Ok(found.map(|Hit { record, answer }| PyMatch { record, answer }))
    }
}

/// A game that matches a query, with its matching positions.
#[pyclass(frozen, module = "gametree.cql", name = "Match")]
pub struct PyMatch {
    record: Arc<Record>,
    answer: Answer,
}

#[pymethods]
impl PyMatch {
    /// The game.
    #[getter]
    fn game(&self) -> PyGame {
        PyGame::new(self.record.clone())
    }

    /// The number of the game in the source, from 1, counted through all files.
    #[getter]
    fn number(&self) -> u64 {
        self.answer.result.game_number
    }

    /// The matching positions.
    #[getter]
    fn nodes(&self) -> Vec<PyNode> {
        let nodes = self.answer.result.nodes.iter();
        nodes
            .map(|&node| PyNode::new(self.record.clone(), node))
            .collect()
    }

    /// The ids of the matching positions.
    #[getter]
    fn positions(&self) -> Vec<u32> {
        self.answer.result.positions.clone()
    }

    /// The values of the `sort` filters of the query.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Vec<Option<Bound<'py, PyAny>>>> {
        let values = self.answer.result.sort.iter();
        values
            .map(|value| {
                value
                    .as_ref()
                    .map(|value| python_value(py, value))
                    .transpose()
            })
            .collect()
    }

    /// The comments that the query makes, each with its node.
    #[getter]
    fn comments(&self) -> Vec<(PyNode, String)> {
        let comments = self.answer.result.comments.iter();
        let at = |node| PyNode::new(self.record.clone(), node);
        comments
            .map(|comment| (at(comment.node), comment.text.to_string()))
            .collect()
    }

    /// The messages of the query about this game.
    #[getter]
    fn messages(&self) -> Vec<String> {
        self.answer.result.messages.clone()
    }

    fn __repr__(&self) -> String {
        let positions = self.answer.result.positions.len();
        format!("<Match in game {}, {positions} positions>", self.number())
    }
}

fn python_value<'py>(py: Python<'py>, value: &SortValue) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        SortValue::Number(number) => number.into_pyobject(py)?.into_any(),
        SortValue::Text(text) => text.into_pyobject(py)?.into_any(),
    })
}
