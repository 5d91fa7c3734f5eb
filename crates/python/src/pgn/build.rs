//! Python nodes from a record, all nodes of a game at once.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PySet, PyString, PyType};

use chess::Move;

use super::record::{Event, Record, python_move};

/// Makes nodes and moves of the classes that Python uses. Equal moves are the same object.
#[pyclass(frozen, module = "gametree._native", name = "PgnNodes")]
pub struct Nodes {
    /// `object.__new__`: nodes are filled here, not by their constructor.
    new: Py<PyAny>,
    child: Py<PyType>,
    chess_move: Py<PyAny>,
    moves: Box<[PyOnceLock<Py<PyAny>>]>,
}

#[pymethods]
impl Nodes {
    #[new]
    fn new(
        py: Python<'_>,
        child: Bound<'_, PyType>,
        chess_move: Bound<'_, PyAny>,
    ) -> PyResult<Nodes> {
        let object = py.import("builtins")?.getattr("object")?;
        Ok(Nodes {
            new: object.getattr("__new__")?.unbind(),
            child: child.unbind(),
            chess_move: chess_move.unbind(),
            moves: (0..1 << 15).map(|_| PyOnceLock::new()).collect(),
        })
    }
}

impl Nodes {
    /// The `chess.Move` of a move.
    pub fn chess_move<'py>(
        &self,
        py: Python<'py>,
        m: Move,
        chess960: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (from, to, role) = python_move(m, chess960);
        let role_number = role.map_or(0, |role| role as usize);
        let index = (from as usize) << 9 | (to as usize) << 3 | role_number;
        let made = self.moves[index].get_or_try_init(py, || {
            let role = role.map(|role| role as u8);
            let (promotion, drop) = if from == to {
                (None, role)
            } else {
                (role, None)
            };
            let arguments = (from as u8, to as u8, promotion, drop);
            self.chess_move.call1(py, arguments)
        })?;
        Ok(made.bind(py).clone())
    }

    /// Gives `game` the nodes of a record.
    pub fn build<'py>(&self, record: &Record, game: Bound<'py, PyAny>) -> PyResult<()> {
        let py = game.py();
        let mut builder = Builder {
            py,
            nodes: self,
            record,
            built: Vec::new(),
            stack: vec![0],
            starting_comments: None,
            in_variation: false,
        };
        let root = builder.fill(game, 0)?;
        root.object
            .setattr(intern!(py, "starting_comments"), PyList::empty(py))?;
        builder.built.push(root);
        let mut comments = record.comments();
        for event in record.events() {
            match event {
                Event::Move(m) => builder.add_move(m)?,
                Event::BeginVariation => builder.begin_variation(),
                Event::EndVariation => {
                    builder.stack.pop();
                }
                Event::Comment => builder.add_comment(comments.next().unwrap_or_default())?,
                Event::Nag(nag) => builder.current().nags.add(nag)?,
            }
        }
        Ok(())
    }
}

/// A node that was made.
struct Built<'py> {
    object: Bound<'py, PyAny>,
    variations: Bound<'py, PyList>,
    comments: Bound<'py, PyList>,
    nags: Bound<'py, PySet>,
    parent: usize,
}

/// Nodes in the order of the text, by the rules of `chess.pgn.GameBuilder`.
struct Builder<'a, 'py> {
    py: Python<'py>,
    nodes: &'a Nodes,
    record: &'a Record,
    built: Vec<Built<'py>>,
    /// The last node of each open line.
    stack: Vec<usize>,
    starting_comments: Option<Bound<'py, PyList>>,
    /// True if the current line has a move.
    in_variation: bool,
}

impl<'py> Builder<'_, 'py> {
    fn top(&self) -> usize {
        self.stack.last().copied().unwrap_or_default()
    }

    fn current(&self) -> &Built<'py> {
        &self.built[self.top()]
    }

    /// Gives a node its containers.
    fn fill(&self, object: Bound<'py, PyAny>, parent: usize) -> PyResult<Built<'py>> {
        let py = self.py;
        let built = Built {
            object,
            variations: PyList::empty(py),
            comments: PyList::empty(py),
            nags: PySet::empty(py)?,
            parent,
        };
        let object = &built.object;
        object.setattr(intern!(py, "variations"), &built.variations)?;
        object.setattr(intern!(py, "comments"), &built.comments)?;
        object.setattr(intern!(py, "nags"), &built.nags)?;
        Ok(built)
    }

    fn add_move(&mut self, m: Move) -> PyResult<()> {
        let (py, parent) = (self.py, self.top());
        let object = self
            .nodes
            .new
            .bind(py)
            .call1((self.nodes.child.bind(py),))?;
        object.setattr(intern!(py, "parent"), &self.built[parent].object)?;
        let m = self.nodes.chess_move(py, m, self.record.chess960)?;
        object.setattr(intern!(py, "move"), m)?;
        if let Some(comments) = self.starting_comments.take() {
            object.setattr(intern!(py, "starting_comments"), comments)?;
        }
        let built = self.fill(object, parent)?;
        self.built[parent].variations.append(&built.object)?;
        self.built.push(built);
        if let Some(top) = self.stack.last_mut() {
            *top = self.built.len() - 1;
        }
        self.in_variation = true;
        Ok(())
    }

    fn begin_variation(&mut self) {
        self.stack.push(self.current().parent);
        self.in_variation = false;
    }

    /// After a move, or before the first, it is a comment of the node; otherwise of the next move.
    fn add_comment(&mut self, text: &str) -> PyResult<()> {
        let text = PyString::new(self.py, text);
        if self.in_variation || self.built.len() == 1 {
            return self.current().comments.append(text);
        }
        let list = || PyList::empty(self.py);
        self.starting_comments.get_or_insert_with(list).append(text)
    }
}
