//! The positions of games as a graph, and operations on whole collections.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use chess::pgn;
use chess::{Color, Identity};
use desk::audit::{self, Reference};
use desk::merge::{Merged, Order, Rules};
use desk::place::{Place, PlaceError};
use desk::positions::{LocateError, Positions, Shared, Spot};
use desk::{diff, link, merge, paths};
use kit::{Stop, Workers};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Serialize;
use tree::graph::{EdgeId, Vertex};

use crate::game::node::PyNode;
use crate::game::{PyGame, Record};
use crate::games::Source;
use crate::source;
use crate::work;

/// The moves that restoring a linked game may add; a limit for damaged files.
const UNLINK_LIMIT: usize = 10_000_000;

/// The positions of games as a graph: each position once, whatever moves lead to it.
///
/// >>> import gametree
/// >>> graph = gametree.Graph("repertoire.pgn")
/// >>> graph
/// <Graph of 3 games, 808 positions>
/// >>> position = graph.find("1.d4 d5 2.c4 e6")
/// >>> position.fen
/// 'rnbqkbnr/ppp2ppp/4p3/3p4/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3'
/// >>> [edge.san for edge in position.continuations]
/// ['Nf3']
/// >>> [node.path for node in position.nodes]
/// ['1.d4 d5 2.c4 e6', '1.d4 e6 2.c4 d5']
#[pyclass(frozen, module = "gametree", name = "Graph")]
pub struct PyGraph {
    data: Arc<GraphData>,
}

struct GraphData {
    positions: Positions,
    shared: OnceLock<Shared>,
    /// The games that nodes were asked of, so that equal nodes have one game.
    records: Mutex<HashMap<usize, Arc<Record>>>,
}

impl GraphData {
    fn shared(&self) -> &Shared {
        self.shared.get_or_init(|| Shared::new(&self.positions))
    }

    fn node(&self, spot: Spot) -> PyNode {
        let mut records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        let record = records.entry(spot.game).or_insert_with(|| {
            let game = self.positions.game(spot).clone();
            let number = game.place().number;
            Record::new(game, "".into(), number)
        });
        PyNode::new(record.clone(), spot.node)
    }
}

impl PyGraph {
    fn at(&self, vertex: Vertex) -> PyPosition {
        PyPosition {
            data: self.data.clone(),
            vertex,
        }
    }

    fn list(&self, vertices: impl Iterator<Item = Vertex>) -> Vec<PyPosition> {
        vertices.map(|vertex| self.at(vertex)).collect()
    }
}

#[pymethods]
impl PyGraph {
    /// Reads the games of a source. With `base_fen`, positions that differ only in en passant are
    /// the same.
    #[new]
    #[pyo3(signature = (source, *, base_fen=false, threads=None))]
    fn new(source: &Bound<'_, PyAny>, base_fen: bool, threads: Option<usize>) -> PyResult<PyGraph> {
        let positions = read(source, identity(base_fen), threads)?;
        Ok(PyGraph {
            data: Arc::new(GraphData {
                positions,
                shared: OnceLock::new(),
                records: Mutex::default(),
            }),
        })
    }

    fn __len__(&self) -> usize {
        self.data.positions.graph().vertex_count()
    }

    /// The number of moves: pairs of positions joined by a move.
    #[getter]
    fn edge_count(&self) -> usize {
        self.data.positions.graph().edge_count()
    }

    /// The start positions of the games.
    #[getter]
    fn starts(&self) -> Vec<PyPosition> {
        self.list(self.data.positions.graph().starts().iter().copied())
    }

    /// All positions.
    #[getter]
    fn positions(&self) -> Vec<PyPosition> {
        self.list(self.data.positions.graph().vertices())
    }

    /// The positions that lines reach with different move orders.
    #[getter]
    fn transpositions(&self, py: Python<'_>) -> Vec<PyPosition> {
        let shared = py.detach(|| self.data.shared());
        let vertices = self.data.positions.graph().vertices();
        self.list(vertices.filter(|&vertex| shared.is_between_lines(vertex)))
    }

    /// The numbers of positions, of transposed ones, of those that transpose between lines, and of
    /// those that repeat within a line.
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let counts = py.detach(|| self.data.shared().counts());
        to_python(py, &counts)
    }

    /// The position of a FEN, or after moves such as `1.e4 c5`.
    fn find(&self, place: &str) -> PyResult<PyPosition> {
        let place = Place::read(place).map_err(|error| place_error(&error))?;
        let vertex = self.data.positions.locate_anywhere(&place);
        let vertex = vertex.map_err(|error| match &error {
            LocateError::Place(error) | LocateError::InGame(_, error) => place_error(error),
            LocateError::NoSuchGame(..) => PyKeyError::new_err(error.to_string()),
        })?;
        Ok(self.at(vertex))
    }

    /// The moves as triples for NetworkX: two position ids, and a dict with `uci` and `times`.
    fn edges<'py>(&self, py: Python<'py>) -> PyResult<Vec<(usize, usize, Bound<'py, PyDict>)>> {
        let graph = self.data.positions.graph();
        let start = self.data.positions.games().first();
        let mut edges = Vec::new();
        for vertex in graph.vertices() {
            for edge in graph.edges(vertex) {
                let data = PyDict::new(py);
                let mv = *graph.move_of(edge);
                let uci = start.map_or_else(|| mv.uci(), |game| game.start().uci(mv));
                data.set_item("uci", uci.as_str())?;
                data.set_item("times", graph.times(edge))?;
                edges.push((vertex.index(), graph.target(edge).index(), data));
            }
        }
        Ok(edges)
    }

    /// Problems of a repertoire, as dicts: dead ends, two answers to a move, broken links …
    ///
    /// `side` is `"white"` or `"black"`, your side. With a `reference` collection, moves that its
    /// games play and the repertoire does not answer are found as well.
    #[pyo3(signature = (side=None, *, reference=None, threads=None))]
    fn audit<'py>(
        &self,
        py: Python<'py>,
        side: Option<&str>,
        reference: Option<&Bound<'py, PyAny>>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let positions = &self.data.positions;
        let stop = Stop::new();
        let workers = source::workers(threads, stop.clone())?;
        let side = side.map(color).transpose()?;
        let source = reference.map(Source::of).transpose()?;
        let findings = work::run(py, &stop, || -> PyResult<Vec<audit::Finding>> {
            let same = positions.identity();
            let reference = match &source {
                Some(source) => Some(read_reference(positions, source, same, &workers)?),
                None => None,
            };
            let options = audit::Options {
                side,
                reference: reference.as_ref(),
                same,
                stop: stop.clone(),
                ..audit::Options::default()
            };
            Ok(audit::audit(positions, &options))
        })??;
        to_python(py, &findings)
    }

    fn __repr__(&self) -> String {
        let games = self.data.positions.games().len();
        format!("<Graph of {games} games, {} positions>", self.__len__())
    }
}

fn read_reference(
    positions: &Positions,
    source: &Source,
    same: Identity,
    workers: &Workers,
) -> PyResult<Reference> {
    match source {
        Source::Files(games) => source::complete(Reference::read(positions, games, same, workers)),
        Source::Games(records) => {
            let mut reference = Reference::default();
            for record in workers.stop.while_running(records) {
                reference.add(positions, &record.game, same);
            }
            Ok(reference)
        }
    }
}

fn color(side: &str) -> PyResult<Color> {
    match side {
        "white" => Ok(Color::White),
        "black" => Ok(Color::Black),
        _ => Err(PyValueError::new_err(format!(
            "unknown side {side:?}; use \"white\" or \"black\""
        ))),
    }
}

fn identity(base_fen: bool) -> Identity {
    match base_fen {
        true => Identity::Base,
        false => Identity::Strict,
    }
}

fn place_error(error: &PlaceError) -> PyErr {
    match error {
        PlaceError::BadFen(_) | PlaceError::Empty | PlaceError::Unreadable { .. } => {
            PyValueError::new_err(error.to_string())
        }
        _ => PyKeyError::new_err(error.to_string()),
    }
}

/// The graph of a source.
fn read(source: &Bound<'_, PyAny>, same: Identity, threads: Option<usize>) -> PyResult<Positions> {
    let stop = Stop::new();
    let workers = source::workers(threads, stop.clone())?;
    let py = source.py();
    let source = Source::of(source)?;
    work::run(py, &stop, || match &source {
        Source::Files(games) => source::complete(Positions::read(games, &workers, same)),
        Source::Games(records) => {
            let games = records.iter().map(|record| record.game.clone());
            Ok(Positions::of(games.collect(), same))
        }
    })?
}

/// Plain Python objects: dicts, lists, numbers and strings.
pub fn to_python<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(value);
    let text = text.map_err(|error| PyValueError::new_err(error.to_string()))?;
    py.import("json")?.call_method1("loads", (text,))
}

/// A position of a graph.
#[pyclass(frozen, module = "gametree", name = "Position")]
pub struct PyPosition {
    data: Arc<GraphData>,
    vertex: Vertex,
}

impl PyPosition {
    fn edges(&self, edges: impl Iterator<Item = EdgeId>) -> Vec<PyEdge> {
        let edge = |edge| PyEdge {
            data: self.data.clone(),
            edge,
        };
        edges.map(edge).collect()
    }

    fn board(&self) -> PyResult<chess::Board> {
        let board = self.data.positions.board_of(self.vertex);
        board.ok_or_else(work::internal_error)
    }
}

#[pymethods]
impl PyPosition {
    /// The index of the position in the graph.
    #[getter]
    fn id(&self) -> usize {
        self.vertex.index()
    }

    /// The position as FEN, with the counters of the first place where it occurs.
    #[getter]
    fn fen(&self) -> PyResult<String> {
        Ok(self.board()?.fen())
    }

    /// The 128-bit key of the position.
    #[getter]
    fn key(&self) -> u128 {
        self.data.positions.graph().key(self.vertex)
    }

    /// How often the games reach it.
    #[getter]
    fn times(&self) -> u64 {
        self.data.positions.spots(self.vertex).count() as u64
    }

    /// The moves from here.
    #[getter]
    fn continuations(&self) -> Vec<PyEdge> {
        self.edges(self.data.positions.graph().edges(self.vertex))
    }

    /// The moves that lead here.
    #[getter]
    fn origins(&self) -> Vec<PyEdge> {
        self.edges(self.data.positions.graph().origin_edges(self.vertex))
    }

    /// The nodes of the games that have this position.
    #[getter]
    fn nodes(&self) -> Vec<PyNode> {
        let spots = self.data.positions.spots(self.vertex);
        spots.map(|spot| self.data.node(spot)).collect()
    }

    /// True if lines reach the position with different move orders.
    #[getter]
    fn is_transposition(&self, py: Python<'_>) -> bool {
        py.detach(|| self.data.shared().is_between_lines(self.vertex))
    }

    /// True if the position occurs twice in a line.
    #[getter]
    fn is_repetition(&self, py: Python<'_>) -> bool {
        py.detach(|| self.data.shared().is_repeated(self.vertex))
    }

    /// The move orders that lead here and the results of the continuations, as a dict.
    #[pyo3(signature = (limit=100))]
    fn paths<'py>(&self, py: Python<'py>, limit: usize) -> PyResult<Bound<'py, PyAny>> {
        let paths = py.detach(|| paths::paths(&self.data.positions, self.vertex, limit));
        to_python(py, &paths)
    }

    fn __eq__(&self, other: &PyPosition) -> bool {
        self.vertex == other.vertex && Arc::ptr_eq(&self.data, &other.data)
    }

    fn __hash__(&self) -> u64 {
        self.key() as u64
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("<Position {}>", self.fen()?))
    }
}

/// A move of a graph, which joins two positions.
#[pyclass(frozen, module = "gametree", name = "Edge")]
pub struct PyEdge {
    data: Arc<GraphData>,
    edge: EdgeId,
}

impl PyEdge {
    fn at(&self, vertex: Vertex) -> PyPosition {
        PyPosition {
            data: self.data.clone(),
            vertex,
        }
    }
}

#[pymethods]
impl PyEdge {
    /// The move in SAN.
    #[getter]
    fn san(&self) -> PyResult<String> {
        let mv = *self.data.positions.graph().move_of(self.edge);
        Ok(self.source().board()?.san(mv).to_string())
    }

    /// The move in UCI notation.
    #[getter]
    fn uci(&self) -> PyResult<String> {
        let mv = *self.data.positions.graph().move_of(self.edge);
        Ok(self.source().board()?.uci(mv).to_string())
    }

    /// How often it is played.
    #[getter]
    fn times(&self) -> u32 {
        self.data.positions.graph().times(self.edge)
    }

    /// The position before the move.
    #[getter]
    fn source(&self) -> PyPosition {
        self.at(self.data.positions.graph().source(self.edge))
    }

    /// The position after the move.
    #[getter]
    fn target(&self) -> PyPosition {
        self.at(self.data.positions.graph().target(self.edge))
    }

    /// The nodes of the games after this move.
    #[getter]
    fn nodes(&self) -> Vec<PyNode> {
        let spots = self.data.positions.occurrences(self.edge);
        spots.map(|spot| self.data.node(spot)).collect()
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("<Edge {}>", self.san()?))
    }
}

/// The differences between two sources: see `gametree.diff`.
#[pyfunction]
#[pyo3(signature = (old, new, *, base_fen=false, threads=None))]
pub fn diff_games<'py>(
    old: &Bound<'py, PyAny>,
    new: &Bound<'py, PyAny>,
    base_fen: bool,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = old.py();
    let old = read(old, identity(base_fen), threads)?;
    let new = read(new, identity(base_fen), threads)?;
    let changes = work::run(py, &Stop::new(), || diff::diff(&old, &new))?;
    to_python(py, &changes)
}

/// Merges the games of a source: see `gametree.merge`. Returns games and a report.
#[pyfunction]
#[pyo3(signature = (source, *, plies=None, by_frequency=false, threads=None))]
pub fn merge_games<'py>(
    source: &Bound<'py, PyAny>,
    plies: Option<u32>,
    by_frequency: bool,
    threads: Option<usize>,
) -> PyResult<(Vec<PyGame>, Bound<'py, PyAny>)> {
    let py = source.py();
    let stop = Stop::new();
    let workers = source::workers(threads, stop.clone())?;
    let source = Source::of(source)?;
    let rules = Rules {
        cut: plies,
        order: match by_frequency {
            true => Order::Frequency,
            false => Order::File,
        },
        ..Rules::default()
    };
    let (games, report) = work::run(py, &stop, || match &source {
        Source::Files(games) => {
            let merged = source::complete(merge::merge(games, &rules, &workers))?;
            Ok((merged.games, serde_json::to_value(&merged.plan)))
        }
        Source::Games(records) => {
            let mut merged = Merged::default();
            for record in workers.stop.while_running(records) {
                merged.add(&record.game, &record.file, &rules);
            }
            let report = serde_json::json!({
                "games": records.len(),
                "moves": merged.moves(),
                "comments": merged.comments(),
                "dropped_tags": merged.dropped_tags(),
            });
            PyResult::Ok((merged.into_games(rules.order), Ok(report)))
        }
    })??;
    let report = report.map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok((handles(games), to_python(py, &report)?))
}

/// Links or unlinks the games of a source: see `gametree.link` and `gametree.unlink`.
#[pyfunction]
#[pyo3(signature = (source, *, undo=false, base_fen=false, threads=None))]
pub fn link_games(
    source: &Bound<'_, PyAny>,
    undo: bool,
    base_fen: bool,
    threads: Option<usize>,
) -> PyResult<Vec<PyGame>> {
    let py = source.py();
    let stop = Stop::new();
    let workers = source::workers(threads, stop.clone())?;
    let source = Source::of(source)?;
    let one = |game: &pgn::Game| match undo {
        true => link::unlink(game, UNLINK_LIMIT).game,
        false => link::link(game, identity(base_fen)).game,
    };
    let games: Vec<pgn::Game> = work::run(py, &stop, || match &source {
        Source::Files(games) => {
            let games = source::complete(desk::positions::read_all(games, &workers))?;
            Ok(games.iter().map(one).collect())
        }
        Source::Games(records) => {
            let games = records.iter().map(|record| one(&record.game));
            PyResult::Ok(games.collect())
        }
    })??;
    Ok(handles(games))
}

/// New games, numbered from 1.
pub fn handles(games: Vec<pgn::Game>) -> Vec<PyGame> {
    let numbered = (1..).zip(games);
    let record = |(number, game)| PyGame::new(Record::new(game, "".into(), number));
    numbered.map(record).collect()
}
