//! A game that Python cannot change, its headers and its complaints.

pub mod node;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use chess::NodeId;
use chess::pgn::{self, ComplaintKind, ExportOptions, Severity};
use desk::table::{Cell, Row};
use desk::walk::Walk;
use kit::save::{Target, save};
use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use tree::{PositionId, PreorderIndex};

use crate::source::save_error;
use node::{PyNode, PyWalk};

/// A game with its place in a file.
pub struct Record {
    pub game: pgn::Game,
    pub file: Arc<str>,
    /// From 1 within the file.
    pub number: u64,
    /// Built when it is first needed.
    index: OnceLock<Box<PreorderIndex>>,
}

impl Record {
    pub fn new(game: pgn::Game, file: Arc<str>, number: u64) -> Arc<Record> {
        Arc::new(Record {
            game,
            file,
            number,
            index: OnceLock::new(),
        })
    }

    /// The nodes in preorder with their relations.
    pub fn index(&self) -> &PreorderIndex {
        let index = || Box::new(PreorderIndex::of(self.game.tree()));
        self.index.get_or_init(index)
    }

    /// The index of a node in preorder.
    pub fn position_id(&self, node: NodeId) -> u32 {
        let position = self.index().position(node);
        position.map_or(0, |position| position.0)
    }
}

/// One game of a PGN file: headers, a tree of moves, comments and all other annotations.
///
/// Games cannot be changed. They can be compared, hashed, pickled and shared between threads.
///
/// >>> import gametree
/// >>> game = gametree.read('[White "Anna"] 1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *')[0]
/// >>> game.headers["White"]
/// 'Anna'
/// >>> [node.san for node in game.mainline()]
/// ['e4', 'e5', 'Nf3']
/// >>> [(node.san, node.depth) for node in game.walk()]
/// [('', 0), ('e4', 0), ('e5', 0), ('Nf3', 0), ('c5', 1), ('Nf3', 1)]
#[pyclass(frozen, module = "gametree", name = "Game")]
pub struct PyGame {
    record: Arc<Record>,
}

impl PyGame {
    pub fn new(record: Arc<Record>) -> PyGame {
        PyGame { record }
    }

    pub fn record(&self) -> &Arc<Record> {
        &self.record
    }

    fn complaints_of(&self, least: Severity) -> Vec<PyComplaint> {
        let complaints = self.record.game.complaints().iter();
        let complaints = complaints.filter(|complaint| complaint.kind.severity() >= least);
        complaints
            .map(|complaint| PyComplaint {
                record: self.record.clone(),
                complaint: complaint.clone(),
            })
            .collect()
    }
}

#[pymethods]
impl PyGame {
    /// The tags, as a mapping that cannot be changed.
    #[getter]
    fn headers(&self) -> PyHeaders {
        PyHeaders {
            record: self.record.clone(),
        }
    }

    /// The file; empty for text.
    #[getter]
    fn file(&self) -> &str {
        &self.record.file
    }

    /// The number of the game in its file, from 1.
    #[getter]
    fn number(&self) -> u64 {
        self.record.number
    }

    /// The line of the file on which the game starts, from 1.
    #[getter]
    fn line(&self) -> u64 {
        self.record.game.place().line
    }

    /// The result at the end of the moves: `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[getter]
    fn result(&self) -> &'static str {
        self.record.game.outcome().as_str()
    }

    /// The variant, as in the `Variant` tag.
    #[getter]
    fn variant(&self) -> &'static str {
        self.record.game.start().variant().tag()
    }

    /// Everything unusual in the text, also what is harmless.
    #[getter]
    fn complaints(&self) -> Vec<PyComplaint> {
        self.complaints_of(Severity::Note)
    }

    /// The complaints about parts of the game that could not be read.
    #[getter]
    fn errors(&self) -> Vec<PyComplaint> {
        self.complaints_of(Severity::Error)
    }

    /// The start position.
    #[getter]
    fn root(&self) -> PyNode {
        PyNode::new(self.record.clone(), NodeId::ROOT)
    }

    /// The last node of the mainline.
    #[getter]
    fn end(&self) -> PyNode {
        PyNode::new(self.record.clone(), self.record.game.end().id())
    }

    /// The number of nodes, including the start position.
    #[getter]
    fn node_count(&self) -> usize {
        self.record.game.tree().node_count()
    }

    /// The node with this id: its index in `walk()`.
    fn node(&self, id: u32) -> PyResult<PyNode> {
        let index = self.record.index();
        if id as usize >= index.node_count() {
            let last = index.node_count() - 1;
            let message = format!("no node {id}; the last node is {last}");
            return Err(PyIndexError::new_err(message));
        }
        Ok(PyNode::new(self.record.clone(), index.node(PositionId(id))))
    }

    /// The nodes of the mainline after the start position.
    fn mainline(&self) -> PyWalk {
        PyWalk::mainline(self.record.clone(), NodeId::ROOT)
    }

    /// All nodes in preorder: the start position, then each primary move before its alternatives.
    fn walk(&self) -> PyWalk {
        PyWalk::subtree(self.record.clone(), NodeId::ROOT)
    }

    /// The tree as pairs of node ids, for `networkx.DiGraph(game.edges())`.
    fn edges(&self) -> Vec<(u32, u32)> {
        let index = self.record.index();
        let edge = |child| index.parent(child).map(|parent| (parent.0, child.0));
        index.positions().filter_map(edge).collect()
    }

    // One argument for each option that Python users name.
    #[expect(clippy::too_many_arguments)]
    /// The game as PGN. Lines are wrapped at `columns` characters; `None` does not wrap.
    #[pyo3(signature = (*, headers=true, comments=true, nags=true, variations=true, clocks=true, columns=Some(80)))]
    fn pgn(
        &self,
        py: Python<'_>,
        headers: bool,
        comments: bool,
        nags: bool,
        variations: bool,
        clocks: bool,
        columns: Option<usize>,
    ) -> String {
        let options = ExportOptions::default()
            .tags(headers)
            .comments(comments)
            .nags(nags)
            .variations(variations)
            .clocks(clocks)
            .columns(columns);
        py.detach(|| pgn::export(&self.record.game, &options))
    }

    /// Writes the game to a file, compressed if the name ends with `.gz`, `.bz2` or `.zst`.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let saved = py.detach(|| save(Target::File(path), self.record.game.to_string().as_bytes()));
        saved.map_err(|error| save_error(&error))
    }

    /// The variations table: the mainline, and beside each move its alternatives.
    fn table<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let rows = py.detach(|| Walk::new(self.record.game.clone()).all_rows());
        let cell = |cell: &Cell| {
            let text = format!("{}{}", cell.caption.text, cell.caption.glyphs);
            (
                text,
                PyNode::new(self.record.clone(), cell.node),
                cell.lines,
            )
        };
        let row = |row: &Row| {
            let alternatives: Vec<_> = row.alternatives.iter().map(cell).collect();
            let (first, second) = (row.first.as_ref(), row.second.as_ref());
            (row.number, first.map(cell), second.map(cell), alternatives)
        };
        let rows: Vec<_> = rows.iter().map(row).collect();
        py.import("gametree._table")?.call_method1("build", (rows,))
    }

    /// The headers and the variations table, for notebooks.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let table: String = self.table(py)?.call_method0("_repr_html_")?.extract()?;
        let tag = |name| self.record.game.tag(name).unwrap_or("?");
        let title = format!("{} – {}, {}", tag("White"), tag("Black"), self.result());
        let escape = py.import("html")?.getattr("escape")?;
        let title: String = escape.call1((title,))?.extract()?;
        Ok(format!("<p><b>{title}</b></p>{table}"))
    }

    fn __str__(&self, py: Python<'_>) -> String {
        py.detach(|| self.record.game.to_string())
    }

    fn __repr__(&self) -> String {
        let game = &self.record.game;
        let tag = |name| game.tag(name).unwrap_or("?");
        let (white, black, nodes) = (tag("White"), tag("Black"), game.tree().node_count());
        format!(
            "<Game {white:?} - {black:?} {}, {nodes} nodes>",
            self.result()
        )
    }

    /// Equal games have equal headers, trees and annotations, wherever they are written.
    fn __eq__(&self, py: Python<'_>, other: &PyGame) -> bool {
        Arc::ptr_eq(&self.record, &other.record)
            || py.detach(|| self.record.game == other.record.game)
    }

    fn __hash__(&self) -> u64 {
        let game = &self.record.game;
        let mut hasher = DefaultHasher::new();
        game.tags().for_each(|tag| tag.hash(&mut hasher));
        game.tree().node_count().hash(&mut hasher);
        hasher.finish()
    }

    fn __copy__(slf: Py<PyGame>) -> Py<PyGame> {
        slf
    }

    fn __deepcopy__(slf: Py<PyGame>, _memo: &Bound<'_, PyAny>) -> Py<PyGame> {
        slf
    }

    fn __reduce__<'py>(slf: &Bound<'py, PyGame>) -> PyResult<Reduced<'py>> {
        let py = slf.py();
        let record = slf.get().record();
        let options = ExportOptions::default().roster(false);
        let text = py.detach(|| pgn::export(&record.game, &options));
        let load = py.import("gametree._native")?.getattr("load_game")?;
        let arguments = (
            PyBytes::new(py, text.as_bytes()),
            owned_tags(&record.game),
            record.file.to_string(),
            record.number,
        );
        Ok((load, arguments))
    }
}

type Tags = Vec<(String, String)>;

type Reduced<'py> = (Bound<'py, PyAny>, (Bound<'py, PyBytes>, Tags, String, u64));

fn owned_tags(game: &pgn::Game) -> Tags {
    let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
    game.tags().map(owned).collect()
}

/// Restores a pickled game. Written text has the tags in the standard order; the game has not.
#[pyfunction]
pub fn load_game(py: Python<'_>, text: &[u8], tags: Tags, file: &str, number: u64) -> PyGame {
    let mut game = py.detach(|| pgn::read_game(text).unwrap_or_default());
    for (name, _) in owned_tags(&game) {
        game.remove_tag(&name);
    }
    for (name, value) in &tags {
        game.push_tag(name, value);
    }
    PyGame::new(Record::new(game, file.into(), number))
}

/// The tags of a game: a mapping in file order. Of tags with the same name the first counts.
#[pyclass(frozen, mapping, module = "gametree", name = "Headers")]
pub struct PyHeaders {
    record: Arc<Record>,
}

impl PyHeaders {
    /// Each name once, with its first value.
    fn pairs(&self) -> Vec<(String, String)> {
        let mut pairs: Vec<(String, String)> = Vec::new();
        for (name, value) in self.record.game.tags() {
            if !pairs.iter().any(|(known, _)| known == name) {
                pairs.push((name.to_owned(), value.to_owned()));
            }
        }
        pairs
    }
}

#[pymethods]
impl PyHeaders {
    fn __getitem__(&self, name: &str) -> PyResult<&str> {
        let value = self.record.game.tag(name);
        value.ok_or_else(|| PyKeyError::new_err(name.to_owned()))
    }

    fn __contains__(&self, name: &Bound<'_, PyAny>) -> bool {
        let name = name.extract::<String>();
        name.is_ok_and(|name| self.record.game.tag(&name).is_some())
    }

    fn __len__(&self) -> usize {
        self.pairs().len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.keys().into_pyobject(py)?.call_method0("__iter__")
    }

    /// The value of a tag, or the default.
    #[pyo3(signature = (name, default=None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self.record.game.tag(name) {
            Some(value) => Ok(Some(value.into_pyobject(py)?.into_any())),
            None => Ok(default),
        }
    }

    /// The names.
    fn keys(&self) -> Vec<String> {
        self.pairs().into_iter().map(|(name, _)| name).collect()
    }

    /// The values.
    fn values(&self) -> Vec<String> {
        self.pairs().into_iter().map(|(_, value)| value).collect()
    }

    /// Names and values.
    fn items(&self) -> Vec<(String, String)> {
        self.pairs()
    }

    fn __eq__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<bool> {
        let py = other.py();
        let dict = py.get_type::<PyDict>();
        let Ok(other) = dict.call1((other,)) else {
            return Ok(false);
        };
        dict.call1((self.pairs(),))?.eq(other)
    }

    fn __repr__(&self) -> String {
        let pairs = self.pairs();
        let pairs: Vec<String> = pairs
            .iter()
            .map(|(name, value)| format!("{name}={value:?}"))
            .collect();
        format!("Headers({})", pairs.join(", "))
    }
}

/// Something unusual in the text of a game, and the action taken.
#[pyclass(frozen, module = "gametree", name = "Complaint")]
pub struct PyComplaint {
    record: Arc<Record>,
    complaint: pgn::Complaint,
}

impl PyComplaint {
    fn what(&self) -> ComplaintKind {
        self.complaint.kind
    }
}

#[pymethods]
impl PyComplaint {
    /// The kind, such as `illegal-move`.
    #[getter]
    fn kind(&self) -> String {
        desk::check::kind_name(self.what())
    }

    /// `error`, `warning` or `note`.
    #[getter]
    fn severity(&self) -> String {
        self.what().severity().to_string()
    }

    /// What is wrong.
    #[getter]
    fn message(&self) -> &'static str {
        self.what().message()
    }

    /// What was done about it.
    #[getter]
    fn action(&self) -> &'static str {
        self.what().action()
    }

    /// The text.
    #[getter]
    fn excerpt(&self) -> &str {
        &self.complaint.excerpt
    }

    /// The line in the file, from 1.
    #[getter]
    fn line(&self) -> u64 {
        self.complaint.location.line
    }

    /// The column in the line, from 1.
    #[getter]
    fn column(&self) -> u32 {
        self.complaint.location.column
    }

    /// The node at which the text is written.
    #[getter]
    fn node(&self) -> PyNode {
        PyNode::new(self.record.clone(), self.complaint.node)
    }

    fn __str__(&self) -> String {
        format!(
            "line {}, column {}: {}: {}",
            self.line(),
            self.column(),
            self.message(),
            self.excerpt()
        )
    }

    fn __repr__(&self) -> String {
        format!("<Complaint {}>", self.__str__())
    }
}
