//! Nodes of a game, and walks that keep the board.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chess::annotation::Score;
use chess::pgn::{Node, NotePlace};
use chess::{Board, Color, Identity, NodeId};
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::{PyGame, Record};

/// A position of a game together with the moves that lead to it.
///
/// In a loop over `game.walk()` or `game.mainline()` the position of each node costs one move.
///
/// >>> import gametree
/// >>> game = gametree.read("1. e4 {[%clk 0:05:00] best by test} e5 $1 (1... c5) *")[0]
/// >>> e4 = game.root.next
/// >>> e4.san, e4.uci, e4.ply, e4.comment, e4.clock
/// ('e4', 'e2e4', 1, '[%clk 0:05:00] best by test', 300.0)
/// >>> e4.board_fen
/// 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR'
/// >>> [child.san for child in e4.children]
/// ['e5', 'c5']
/// >>> e4.children[0].nags
/// [1]
#[pyclass(frozen, module = "gametree", name = "Node")]
pub struct PyNode {
    record: Arc<Record>,
    id: NodeId,
    /// The walk that led here; it may have gone on.
    walk: Option<Arc<Mutex<Trail>>>,
}

impl PyNode {
    pub fn new(record: Arc<Record>, id: NodeId) -> PyNode {
        PyNode {
            record,
            id,
            walk: None,
        }
    }

    fn at(&self, id: NodeId) -> PyNode {
        PyNode::new(self.record.clone(), id)
    }

    fn node(&self) -> Node<'_> {
        self.record.game.node(self.id)
    }

    /// Asks the walk if it is still here; otherwise the game.
    fn by_walk<R>(
        &self,
        here: impl FnOnce(&Trail) -> Option<R>,
        elsewhere: impl FnOnce() -> R,
    ) -> R {
        let trail = self.walk.as_ref().map(|walk| lock(walk));
        let trail = trail.filter(|trail| trail.node() == self.id);
        let answer = trail.as_deref().and_then(here);
        drop(trail);
        answer.unwrap_or_else(elsewhere)
    }

    fn with_board<R>(&self, of: impl Fn(&Board) -> R) -> R {
        self.by_walk(
            |trail| Some(of(trail.board())),
            || of(&self.record.game.board_at(self.id)),
        )
    }
}

#[pymethods]
impl PyNode {
    /// The game.
    #[getter]
    fn game(&self) -> PyGame {
        PyGame::new(self.record.clone())
    }

    /// The index of the node in `game.walk()`; 0 for the start position.
    #[getter]
    fn id(&self) -> u32 {
        self.by_walk(
            |trail| Some(trail.position),
            || self.record.position_id(self.id),
        )
    }

    /// The node before the last move; `None` at the start position.
    #[getter]
    fn parent(&self) -> Option<PyNode> {
        let parent = self.record.game.tree().parent(self.id);
        parent.map(|parent| self.at(parent))
    }

    /// The nodes after this one, the primary one first.
    #[getter]
    fn children(&self) -> Vec<PyNode> {
        let children = self.record.game.tree().children(self.id);
        children.map(|child| self.at(child)).collect()
    }

    /// The node after the primary move; `None` at the end of a line.
    #[getter]
    fn next(&self) -> Option<PyNode> {
        let next = self.record.game.tree().next(self.id);
        next.map(|next| self.at(next))
    }

    /// The nodes from the start position to this one.
    #[getter]
    fn line(&self) -> Vec<PyNode> {
        let line = self.record.game.tree().line(self.id);
        line.into_iter().map(|node| self.at(node)).collect()
    }

    /// The nodes after this one by primary moves.
    fn mainline(&self) -> PyWalk {
        PyWalk::mainline(self.record.clone(), self.id)
    }

    /// This node and all nodes below it, in preorder.
    fn walk(&self) -> PyWalk {
        PyWalk::subtree(self.record.clone(), self.id)
    }

    /// The last move in SAN; empty at the start position.
    #[getter]
    fn san<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        let mv = self.node().mv();
        let parent = self.record.game.tree().parent(self.id);
        let (Some(mv), Some(parent)) = (mv, parent) else {
            return PyString::new(py, "");
        };
        let san = self.by_walk(
            |trail| trail.board_before().map(|board| board.san(mv)),
            || self.record.game.board_at(parent).san(mv),
        );
        PyString::new(py, &san)
    }

    /// The last move in UCI notation; empty at the start position.
    #[getter]
    fn uci<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        let start = self.record.game.start();
        let uci = self.node().mv().map(|mv| start.uci(mv));
        PyString::new(py, &uci.unwrap_or_default())
    }

    /// All moves that lead here, with numbers: `1.e4 c5 2.Nf3`.
    #[getter]
    fn path(&self) -> String {
        desk::positions::move_path(&self.record.game, self.id).0
    }

    /// The position as FEN.
    #[getter]
    fn fen(&self) -> String {
        self.with_board(Board::fen)
    }

    /// The pieces of the position: the first field of the FEN.
    #[getter]
    fn board_fen(&self) -> String {
        self.with_board(Board::board_fen)
    }

    /// The position as FEN without the counters.
    #[getter]
    fn epd(&self) -> String {
        self.with_board(Board::epd)
    }

    /// A 128-bit key, equal for equal positions: pieces, side to move, castling rights, and the
    /// en-passant square if such a capture is legal.
    #[getter]
    fn key(&self) -> u128 {
        self.with_board(|board| board.key(Identity::Strict))
    }

    /// The side to move: `white` or `black`.
    #[getter]
    fn turn(&self) -> &'static str {
        match self.by_walk(|trail| Some(trail.board().turn()), || self.node().turn()) {
            Color::White => "white",
            Color::Black => "black",
        }
    }

    /// True if the side to move is in check.
    #[getter]
    fn is_check(&self) -> bool {
        self.with_board(Board::is_check)
    }

    /// True if the side to move is checkmated.
    #[getter]
    fn is_checkmate(&self) -> bool {
        self.with_board(Board::is_checkmate)
    }

    /// True if the last move captured a piece.
    #[getter]
    fn is_capture(&self) -> bool {
        let mv = self.node().mv();
        let parent = self.record.game.tree().parent(self.id);
        let (Some(mv), Some(parent)) = (mv, parent) else {
            return false;
        };
        self.by_walk(
            |trail| trail.board_before().map(|board| board.is_capture(mv)),
            || self.record.game.board_at(parent).is_capture(mv),
        )
    }

    /// The legal moves of the position in SAN.
    #[getter]
    fn legal_moves(&self) -> Vec<String> {
        self.with_board(|board| {
            let moves = board.legal_moves();
            moves.iter().map(|&mv| board.san(mv).to_string()).collect()
        })
    }

    /// The number of moves from the start position of the game.
    #[getter]
    fn ply(&self) -> u32 {
        let tree = self.record.game.tree();
        self.by_walk(|trail| Some(trail.ply()), || tree.ply(self.id))
    }

    /// The number of secondary moves on the way: 0 on the mainline.
    #[getter]
    fn depth(&self) -> u32 {
        let tree = self.record.game.tree();
        self.by_walk(|trail| Some(trail.depth()), || tree.depth(self.id))
    }

    /// True if only primary moves lead here.
    #[getter]
    fn is_mainline(&self) -> bool {
        self.depth() == 0
    }

    /// True if the node has no children.
    #[getter]
    fn is_end(&self) -> bool {
        self.node().is_end()
    }

    /// The comments after the move, joined by spaces.
    #[getter]
    fn comment<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        PyString::new(py, &self.node().comment())
    }

    /// The comments after the move without commands such as `[%clk]`.
    #[getter]
    fn prose(&self) -> String {
        self.node().prose()
    }

    /// The comments before the move, at the start of its variation.
    #[getter]
    fn starting_comment<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        PyString::new(py, &self.node().starting_comment())
    }

    /// Each comment after the move.
    #[getter]
    fn comments(&self) -> Vec<&str> {
        let comments = self.record.game.comments_at(self.id);
        let after = comments.filter(|(note, _)| note.place != NotePlace::Before);
        after.map(|(_, text)| text).collect()
    }

    /// The numeric annotation glyphs of the move, in file order.
    #[getter]
    fn nags(&self) -> Vec<u32> {
        self.node().nags().collect()
    }

    /// The glyphs of the move as text, such as `!?`.
    #[getter]
    fn glyphs(&self) -> String {
        desk::walk::glyphs(&self.record.game, self.id)
    }

    /// The time on the clock after the move, in seconds.
    #[getter]
    fn clock(&self) -> Option<f64> {
        self.node().clock().map(|time| time.as_secs_f64())
    }

    /// The time spent on the move, in seconds.
    #[getter]
    fn elapsed(&self) -> Option<f64> {
        self.node().elapsed().map(|time| time.as_secs_f64())
    }

    /// The evaluation of the position.
    #[getter]
    fn eval(&self) -> Option<PyEval> {
        self.node().eval().map(|eval| PyEval {
            centipawns: match eval.score {
                Score::Centipawns(centipawns) => Some(centipawns),
                Score::Mate(..) => None,
            },
            mate: match eval.score {
                Score::Centipawns(_) => None,
                Score::Mate(color, moves) => Some(signed(color, moves)),
            },
            depth: eval.depth,
        })
    }

    /// The arrows and marked squares, such as `Ge2e4` and `Rd5`.
    #[getter]
    fn shapes(&self) -> Vec<String> {
        self.node()
            .shapes()
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    /// The position as a picture, for notebooks.
    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        let board = py.import("gametree.draw")?.getattr("board")?;
        board.call1((self.fen(),))?.getattr("svg")?.extract()
    }

    fn __eq__(&self, other: &PyNode) -> bool {
        self.id == other.id && Arc::ptr_eq(&self.record, &other.record)
    }

    fn __hash__(&self) -> u64 {
        hash_of((Arc::as_ptr(&self.record) as usize, self.id.index()))
    }

    fn __repr__(&self) -> String {
        match self.path() {
            path if path.is_empty() => "<Node start>".to_owned(),
            path => format!("<Node {path}>"),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (PyGame, u32))> {
        let node = py.get_type::<PyGame>().getattr("node")?;
        Ok((node, (self.game(), self.id())))
    }
}

/// An evaluation from White's point of view: centipawns, or moves to mate.
#[pyclass(frozen, eq, get_all, module = "gametree", name = "Eval")]
#[derive(PartialEq, Eq, Hash)]
pub struct PyEval {
    /// The score; `None` for a mate.
    centipawns: Option<i32>,
    /// Moves to mate, negative if Black mates; `None` for a score.
    mate: Option<i64>,
    /// The depth of the search, if it is written.
    depth: Option<u32>,
}

#[pymethods]
impl PyEval {
    fn __hash__(&self) -> u64 {
        hash_of(self)
    }

    fn __repr__(&self) -> String {
        let optional = |number: Option<i64>| number.map_or("None".to_owned(), |n| n.to_string());
        let PyEval {
            centipawns,
            mate,
            depth,
        } = self;
        format!(
            "Eval(centipawns={}, mate={}, depth={})",
            optional(centipawns.map(i64::from)),
            optional(*mate),
            optional(depth.map(i64::from))
        )
    }
}

fn hash_of(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Moves to mate, negative if Black mates.
fn signed(color: Color, moves: u32) -> i64 {
    match color {
        Color::White => i64::from(moves),
        Color::Black => -i64::from(moves),
    }
}

/// An iterator over nodes of a game.
#[pyclass(frozen, module = "gametree", name = "Walk")]
pub struct PyWalk {
    record: Arc<Record>,
    trail: Arc<Mutex<Trail>>,
    only_primary: bool,
}

impl PyWalk {
    /// The nodes after this one by primary moves.
    pub fn mainline(record: Arc<Record>, node: NodeId) -> PyWalk {
        PyWalk::new(record, node, true)
    }

    /// The node and all nodes below it.
    pub fn subtree(record: Arc<Record>, node: NodeId) -> PyWalk {
        PyWalk::new(record, node, false)
    }

    fn new(record: Arc<Record>, node: NodeId, only_primary: bool) -> PyWalk {
        let trail = Arc::new(Mutex::new(Trail::new(&record, node, !only_primary)));
        PyWalk {
            record,
            trail,
            only_primary,
        }
    }
}

#[pymethods]
impl PyWalk {
    fn __iter__(slf: Py<PyWalk>) -> Py<PyWalk> {
        slf
    }

    fn __next__(&self) -> Option<PyNode> {
        let mut trail = lock(&self.trail);
        if !trail.advance(&self.record, self.only_primary) {
            return None;
        }
        Some(PyNode {
            record: self.record.clone(),
            id: trail.node(),
            walk: Some(self.trail.clone()),
        })
    }
}

/// The path from the first node of a walk to its current node, with the board of each.
struct Trail {
    steps: Vec<Step>,
    /// The ply of the first node.
    ply: u32,
    /// The id of the current node in preorder: ids along a walk are consecutive.
    position: u32,
    /// The first node was not returned yet.
    fresh: bool,
}

struct Step {
    node: NodeId,
    depth: u32,
    board: Board,
}

impl Trail {
    fn new(record: &Record, node: NodeId, fresh: bool) -> Trail {
        let tree = record.game.tree();
        let is_root = node == NodeId::ROOT;
        Trail {
            ply: tree.ply(node),
            position: if is_root { 0 } else { record.position_id(node) },
            fresh,
            steps: vec![Step {
                node,
                depth: tree.depth(node),
                board: match is_root {
                    true => record.game.start().clone(),
                    false => record.game.board_at(node),
                },
            }],
        }
    }

    fn last(&self) -> &Step {
        &self.steps[self.steps.len() - 1]
    }

    fn node(&self) -> NodeId {
        self.last().node
    }

    fn board(&self) -> &Board {
        &self.last().board
    }

    fn board_before(&self) -> Option<&Board> {
        let before = self.steps.len().checked_sub(2)?;
        self.steps.get(before).map(|step| &step.board)
    }

    fn ply(&self) -> u32 {
        self.ply + self.steps.len() as u32 - 1
    }

    fn depth(&self) -> u32 {
        self.last().depth
    }

    /// Goes to the next node of the walk; false at its end.
    fn advance(&mut self, record: &Record, only_primary: bool) -> bool {
        if std::mem::take(&mut self.fresh) {
            return true;
        }
        let tree = record.game.tree();
        if let Some(child) = tree.next(self.node()) {
            return self.enter(record, child, 0);
        }
        if only_primary {
            return false;
        }
        // The last step of the path that has a next sibling; the first node stays where it is.
        let turn = (1..self.steps.len()).rev().find_map(|at| {
            let sibling = tree.next_sibling(self.steps[at].node)?;
            Some((at, sibling))
        });
        let Some((at, sibling)) = turn else {
            return false;
        };
        self.steps.truncate(at);
        self.enter(record, sibling, 1)
    }

    fn enter(&mut self, record: &Record, child: NodeId, deeper: u32) -> bool {
        let Some(&mv) = record.game.tree().move_to(child) else {
            return false;
        };
        let last = self.last();
        let (depth, mut board) = (last.depth + deeper, last.board.clone());
        board.play(mv);
        self.steps.push(Step {
            node: child,
            depth,
            board,
        });
        self.position += 1;
        true
    }
}

fn lock(trail: &Mutex<Trail>) -> MutexGuard<'_, Trail> {
    trail.lock().unwrap_or_else(PoisonError::into_inner)
}
