//! The games and positions of whole files as columns, collected on all cores.

use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use arrow_array::types::{UInt16Type, UInt32Type};
use chess::annotation::{self, Score};
use chess::pgn::{Game, NotePlace};
use chess::{Board, Color, Identity, Move, MoveKind, Square};
use kit::{Stop, Workers};
use pyo3::prelude::*;
use tree::PreorderIndex;

use crate::games::Source;
use crate::source;
use crate::table::{Column, PyTable, Text};
use crate::work;

/// Games in memory that are processed at a time.
const CHUNK: usize = 64;

/// The column value for "no square".
const NO_SQUARE: u8 = u8::MAX;

/// The games and positions of files as columns: see `gametree.columns`.
#[pyclass(frozen, module = "gametree", name = "Columns")]
pub struct PyColumns {
    games: Py<PyTable>,
    positions: Py<PyTable>,
}

#[pymethods]
impl PyColumns {
    /// One row for each game: its file, its number there, the tags, the result, the number of
    /// its first row in `positions`, and the number of its rows there.
    #[getter]
    fn games(&self, py: Python<'_>) -> Py<PyTable> {
        self.games.clone_ref(py)
    }

    /// One row for each position, start positions included; the games one after another.
    #[getter]
    fn positions(&self, py: Python<'_>) -> Py<PyTable> {
        self.positions.clone_ref(py)
    }

    /// The trees as pairs of rows of `positions`: `networkx.DiGraph(columns.edges())`.
    fn edges(&self, py: Python<'_>) -> PyResult<Vec<(u32, u32)>> {
        let positions = self.positions.get();
        py.detach(|| {
            let plies = positions.numbers::<UInt16Type>("ply")?;
            let rows = (0..).zip(plies).filter(|(_, ply)| **ply > 0);
            match positions.numbers::<UInt32Type>("parent") {
                Ok(parents) => Ok(rows.map(|(row, _)| (parents[row as usize], row)).collect()),
                Err(_) => Ok(rows.map(|(row, _)| (row - 1, row)).collect()),
            }
        })
    }

    fn __repr__(&self) -> String {
        let (games, positions) = (self.games.get().len(), self.positions.get().len());
        format!("<Columns of {games} games, {positions} positions>")
    }
}

/// The columns that a call asks for.
struct Wanted {
    tags: Vec<String>,
    moves: bool,
    san: bool,
    clocks: bool,
    evals: bool,
    fens: bool,
    keys: bool,
    variations: bool,
}

impl Wanted {
    fn boards(&self) -> bool {
        self.san || self.fens || self.keys
    }
}

/// Collects columns: see `gametree.columns`.
#[pyfunction]
#[pyo3(signature = (source, *, tags, moves, san, clocks, evals, fens, keys, variations, threads))]
// One argument for each option that Python users name.
#[expect(clippy::too_many_arguments)]
pub fn columns(
    source: &Bound<'_, PyAny>,
    tags: Vec<String>,
    moves: bool,
    san: bool,
    clocks: bool,
    evals: bool,
    fens: bool,
    keys: bool,
    variations: bool,
    threads: Option<usize>,
) -> PyResult<PyColumns> {
    let py = source.py();
    let wanted = Wanted {
        tags,
        moves,
        san,
        clocks,
        evals,
        fens,
        keys,
        variations,
    };
    let stop = Stop::new();
    let workers = source::workers(threads, stop.clone())?;
    let source = Source::of(source)?;
    let part = work::run(py, &stop, || collect(&source, &wanted, &workers))??;
    let (games, positions) = part.into_tables(&wanted)?;
    Ok(PyColumns {
        games: Py::new(py, games)?,
        positions: Py::new(py, positions)?,
    })
}

fn collect(source: &Source, wanted: &Wanted, workers: &Workers) -> PyResult<Part> {
    let mut all = Part::new(wanted);
    // Parts are used again: new memory for each of them would cost more than filling it.
    let spare: Mutex<Vec<Part>> = Mutex::default();
    let take = || {
        let part = lock(&spare).pop();
        part.unwrap_or_else(|| Part::new(wanted))
    };
    let give_back = |mut part: Part| {
        part.clear();
        lock(&spare).push(part);
    };
    match source {
        Source::Files(files) => {
            let run = files.run(
                workers,
                |batch| {
                    let mut part = take();
                    batch.read(|game, raw| {
                        part.add(wanted, game, &batch.name, raw.place.number);
                    });
                    part
                },
                |part| -> Result<(), std::convert::Infallible> {
                    all.append(&part);
                    give_back(part);
                    Ok(())
                },
            );
            match run {
                Ok(run) => source::complete(run)?,
                Err(never) => match never {},
            }
        }
        Source::Games(records) => {
            workers.run(
                records.chunks(CHUNK),
                |chunk| {
                    let mut part = take();
                    for record in chunk {
                        part.add(wanted, &record.game, &record.file, record.number);
                    }
                    part
                },
                |part| -> ControlFlow<()> {
                    all.append(&part);
                    give_back(part);
                    ControlFlow::Continue(())
                },
            );
        }
    }
    Ok(all)
}

fn lock(parts: &Mutex<Vec<Part>>) -> MutexGuard<'_, Vec<Part>> {
    parts.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The columns of some consecutive games.
#[derive(Default)]
struct Part {
    games: Games,
    positions: Positions,
    index: PreorderIndex,
    boards: Vec<Board>,
}

#[derive(Default)]
struct Games {
    file: Text,
    number: Vec<u32>,
    result: Text,
    first: Vec<u32>,
    rows: Vec<u32>,
    tags: Vec<Text>,
}

#[derive(Default)]
struct Positions {
    game: Vec<u32>,
    ply: Vec<u16>,
    depth: Vec<u16>,
    parent: Vec<u32>,
    from: Vec<u8>,
    to: Vec<u8>,
    promotion: Vec<u8>,
    uci: Text,
    san: Text,
    clock: Vec<f32>,
    eval: Vec<f32>,
    mate: Vec<i16>,
    fen: Text,
    key: Vec<[u8; 16]>,
}

impl Part {
    fn new(wanted: &Wanted) -> Part {
        let tags = wanted.tags.iter().map(|_| Text::default()).collect();
        let games = Games {
            tags,
            ..Games::default()
        };
        Part {
            games,
            ..Part::default()
        }
    }

    /// Removes all rows and keeps the memory.
    fn clear(&mut self) {
        self.games.clear();
        self.positions.clear();
    }

    fn add(&mut self, wanted: &Wanted, game: &Game, file: &str, number: u64) {
        match wanted.variations {
            true => self.index.rebuild(game.tree()),
            false => self.index.rebuild_mainline(game.tree()),
        }
        let first = self.positions.ply.len() as u32;
        let rows = self.index.node_count() as u32;
        let games = &mut self.games;
        self.positions
            .game
            .extend(std::iter::repeat_n(games.rows.len() as u32, rows as usize));
        games.file.push(Some(file));
        games.number.push(u32::try_from(number).unwrap_or(u32::MAX));
        games.result.push(Some(game.outcome().as_str()));
        games.first.push(first);
        games.rows.push(rows);
        for (name, values) in wanted.tags.iter().zip(&mut games.tags) {
            values.push(game.tag(name));
        }
        self.add_shape(wanted, first);
        if wanted.moves {
            self.add_moves(game);
        }
        if wanted.clocks || wanted.evals {
            self.add_measurements(wanted, game);
        }
        if wanted.boards() {
            self.add_boards(wanted, game);
        }
    }

    /// The place of each row in the tree of its game.
    fn add_shape(&mut self, wanted: &Wanted, first: u32) {
        let (index, rows) = (&self.index, &mut self.positions);
        let plies = index.positions().map(|id| short(index.ply(id)));
        rows.ply.extend(plies);
        if wanted.variations {
            let depths = index.positions().map(|id| short(index.depth(id)));
            rows.depth.extend(depths);
            let parent = |id| index.parent(id).map_or(NO_ROW, |parent| first + parent.0);
            rows.parent.extend(index.positions().map(parent));
        }
    }

    fn add_moves(&mut self, game: &Game) {
        let (index, rows) = (&self.index, &mut self.positions);
        let king_takes_rook = game.start().is_chess960();
        let count = index.node_count();
        rows.from.reserve(count);
        rows.to.reserve(count);
        rows.promotion.reserve(count);
        for id in index.positions() {
            let mv = game.tree().move_to(index.node(id)).copied();
            match mv.map(|mv| (mv.kind(), mv.from(), mv.to())) {
                Some((MoveKind::Plain(_), Some(from), Some(to))) if !king_takes_rook => {
                    let (from, to) = (from as u8, to as u8);
                    rows.from.push(from);
                    rows.to.push(to);
                    rows.promotion.push(0);
                    rows.uci.push_bytes(&uci(from, to));
                }
                _ => rows.add_special_move(game, mv),
            }
        }
    }

    /// Clocks and evaluations, of which most nodes have none.
    fn add_measurements(&mut self, wanted: &Wanted, game: &Game) {
        let (index, rows) = (&self.index, &mut self.positions);
        let first = rows.ply.len() - index.node_count();
        if wanted.clocks {
            rows.clock.resize(rows.ply.len(), f32::NAN);
        }
        if wanted.evals {
            rows.eval.resize(rows.ply.len(), f32::NAN);
            rows.mate.resize(rows.ply.len(), 0);
        }
        for (node, note) in game.notes().rows() {
            if note.place == NotePlace::Before || !note.is_comment() {
                continue;
            }
            let Some(id) = index.position(*node) else {
                continue;
            };
            let (row, text) = (first + id.index(), game.text(note.text));
            let (mut clocks, mut evals) = (wanted.clocks, wanted.evals);
            for name in command_names(text.as_bytes()) {
                if clocks && begins(name, b"clk") && rows.clock[row].is_nan() {
                    rows.clock[row] = clock(&name[3..], text);
                    clocks = false;
                } else if evals && begins(name, b"eval") && rows.eval[row].is_nan() {
                    (rows.eval[row], rows.mate[row]) = eval(&name[4..], text);
                    evals = false;
                }
            }
        }
    }

    /// What needs the position: each move is played once.
    fn add_boards(&mut self, wanted: &Wanted, game: &Game) {
        let Part {
            positions: rows,
            index,
            boards,
            ..
        } = self;
        boards.clear();
        for id in index.positions() {
            boards.truncate(index.ply(id) as usize);
            let mv = game.tree().move_to(index.node(id)).copied();
            let (board, san) = match (boards.last(), mv) {
                (Some(before), Some(mv)) => {
                    let san = wanted.san.then(|| before.san(mv));
                    let mut board = before.clone();
                    board.play(mv);
                    (board, san)
                }
                _ => (game.start().clone(), None),
            };
            if wanted.san {
                rows.san.push(san.as_deref());
            }
            if wanted.fens {
                rows.fen.push(Some(&board.fen()));
            }
            if wanted.keys {
                rows.key.push(board.key(Identity::Strict).to_le_bytes());
            }
            boards.push(board);
        }
    }

    /// Adds the games of a later part.
    fn append(&mut self, later: &Part) {
        let game = self.games.rows.len() as u32;
        let row = self.positions.ply.len() as u32;
        self.games.append(&later.games, row);
        self.positions.append(&later.positions, game, row);
    }

    fn into_tables(self, wanted: &Wanted) -> PyResult<(PyTable, PyTable)> {
        Ok((
            PyTable::new(self.games.into_columns(wanted))?,
            PyTable::new(self.positions.into_columns(wanted))?,
        ))
    }
}

/// The parent of a start position.
const NO_ROW: u32 = u32::MAX;

fn short(number: u32) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}

/// A plain move in UCI notation.
fn uci(from: u8, to: u8) -> [u8; 4] {
    let file = |square: u8| b'a' + square % 8;
    let rank = |square: u8| b'1' + square / 8;
    [file(from), rank(from), file(to), rank(to)]
}

/// The text after each `[%`.
fn command_names(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let signs = memchr::memchr_iter(b'%', text);
    signs
        .filter(|&at| at > 0 && text[at - 1] == b'[')
        .map(|at| &text[at + 1..])
}

fn begins(text: &[u8], name: &[u8]) -> bool {
    text.get(..name.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(name))
}

/// The seconds of a clock: the usual forms ` 0:05:00]` and ` 0:05:00.3]` directly, any other by the
/// full reader.
fn clock(rest: &[u8], comment: &str) -> f32 {
    let digit = |byte: &u8| f32::from(byte - b'0');
    if let [b' ', h, b':', m1, m2, b':', s1, s2, rest @ ..] = rest
        && [h, m1, m2, s1, s2].iter().all(|byte| byte.is_ascii_digit())
    {
        let minutes = digit(h) * 60.0 + digit(m1) * 10.0 + digit(m2);
        let seconds = minutes * 60.0 + digit(s1) * 10.0 + digit(s2);
        match rest {
            [b']', ..] => return seconds,
            [b'.', tenth, b']', ..] if tenth.is_ascii_digit() => {
                return seconds + digit(tenth) / 10.0;
            }
            _ => {}
        }
    }
    let clock = annotation::clock(comment);
    clock.map_or(f32::NAN, |time| time.as_secs_f32())
}

/// The score in pawns and the moves to mate: the usual form ` -0.25]` directly, any other by the
/// full reader.
fn eval(rest: &[u8], comment: &str) -> (f32, i16) {
    if let [b' ', rest @ ..] = rest {
        let (sign, rest) = match rest {
            [b'-', rest @ ..] => (-1.0, rest),
            _ => (1.0, rest),
        };
        let digit = |byte: &u8| f32::from(byte - b'0');
        match rest {
            [p, b'.', d, b']', ..] if [p, d].iter().all(|byte| byte.is_ascii_digit()) => {
                return (sign * (digit(p) * 10.0 + digit(d)) / 10.0, 0);
            }
            [p, b'.', d, c, b']', ..] if [p, d, c].iter().all(|byte| byte.is_ascii_digit()) => {
                let centipawns = digit(p) * 100.0 + digit(d) * 10.0 + digit(c);
                return (sign * centipawns / 100.0, 0);
            }
            _ => {}
        }
    }
    let score = annotation::eval(comment).map(|eval| eval.score);
    (pawns(score), mate(score))
}

/// A score in pawns; a mate has none.
fn pawns(score: Option<Score>) -> f32 {
    match score {
        Some(Score::Centipawns(score)) => score as f32 / 100.0,
        Some(Score::Mate(..)) | None => f32::NAN,
    }
}

/// Moves to mate, negative if Black mates.
fn mate(score: Option<Score>) -> i16 {
    let moves = |moves: u32| i16::try_from(moves).unwrap_or(i16::MAX);
    match score {
        Some(Score::Mate(Color::White, n)) => moves(n),
        Some(Score::Mate(Color::Black, n)) => -moves(n),
        Some(Score::Centipawns(_)) | None => 0,
    }
}

impl Games {
    fn append(&mut self, later: &Games, row: u32) {
        self.file.append(&later.file);
        self.number.extend_from_slice(&later.number);
        self.result.append(&later.result);
        let firsts = later.first.iter().map(|first| first + row);
        self.first.extend(firsts);
        self.rows.extend_from_slice(&later.rows);
        let tags = self.tags.iter_mut().zip(&later.tags);
        tags.for_each(|(all, later)| all.append(later));
    }

    fn clear(&mut self) {
        self.file.clear();
        self.number.clear();
        self.result.clear();
        self.first.clear();
        self.rows.clear();
        self.tags.iter_mut().for_each(Text::clear);
    }

    fn into_columns(self, wanted: &Wanted) -> Vec<(String, Column)> {
        let names = wanted.tags.iter().cloned();
        let mut columns: Vec<(String, Column)> = vec![
            ("file".to_owned(), Column::Text(self.file)),
            ("number".to_owned(), Column::U32(self.number, None)),
        ];
        columns.extend(names.zip(self.tags.into_iter().map(Column::Text)));
        columns.extend([
            ("result".to_owned(), Column::Text(self.result)),
            ("first_row".to_owned(), Column::U32(self.first, None)),
            ("rows".to_owned(), Column::U32(self.rows, None)),
        ]);
        columns
    }
}

impl Positions {
    /// Castling, a promotion, en passant, a drop, a null move, any move of Chess960, or no move.
    #[cold]
    fn add_special_move(&mut self, game: &Game, mv: Option<Move>) {
        let number = |square: Option<Square>| square.map_or(NO_SQUARE, |square| square as u8);
        self.from.push(number(mv.and_then(Move::from)));
        self.to.push(number(mv.and_then(Move::destination)));
        let promoted = mv.and_then(Move::promoted);
        self.promotion.push(promoted.map_or(0, |role| role as u8));
        self.uci.push(mv.map(|mv| game.start().uci(mv)).as_deref());
    }

    fn append(&mut self, later: &Positions, game: u32, row: u32) {
        let games = later.game.iter().map(|index| index + game);
        self.game.extend(games);
        self.ply.extend_from_slice(&later.ply);
        self.depth.extend_from_slice(&later.depth);
        let shifted = |&parent: &u32| {
            if parent == NO_ROW {
                NO_ROW
            } else {
                parent + row
            }
        };
        self.parent.extend(later.parent.iter().map(shifted));
        self.from.extend_from_slice(&later.from);
        self.to.extend_from_slice(&later.to);
        self.promotion.extend_from_slice(&later.promotion);
        self.uci.append(&later.uci);
        self.san.append(&later.san);
        self.clock.extend_from_slice(&later.clock);
        self.eval.extend_from_slice(&later.eval);
        self.mate.extend_from_slice(&later.mate);
        self.fen.append(&later.fen);
        self.key.extend_from_slice(&later.key);
    }

    fn clear(&mut self) {
        self.game.clear();
        self.ply.clear();
        self.depth.clear();
        self.parent.clear();
        self.from.clear();
        self.to.clear();
        self.promotion.clear();
        self.uci.clear();
        self.san.clear();
        self.clock.clear();
        self.eval.clear();
        self.mate.clear();
        self.fen.clear();
        self.key.clear();
    }

    fn into_columns(self, wanted: &Wanted) -> Vec<(String, Column)> {
        let groups: [(bool, Vec<(&str, Column)>); 7] = [
            (
                true,
                vec![
                    ("game", Column::U32(self.game, None)),
                    ("ply", Column::U16(self.ply)),
                ],
            ),
            (
                wanted.variations,
                vec![
                    ("depth", Column::U16(self.depth)),
                    ("parent", Column::U32(self.parent, Some(NO_ROW))),
                ],
            ),
            (
                wanted.moves,
                vec![
                    ("from_square", Column::U8(self.from, Some(NO_SQUARE))),
                    ("to_square", Column::U8(self.to, Some(NO_SQUARE))),
                    ("promotion", Column::U8(self.promotion, None)),
                    ("uci", Column::Text(self.uci)),
                ],
            ),
            (wanted.san, vec![("san", Column::Text(self.san))]),
            (wanted.clocks, vec![("clock", Column::F32(self.clock))]),
            (
                wanted.evals,
                vec![
                    ("eval", Column::F32(self.eval)),
                    ("mate", Column::I16(self.mate, Some(0))),
                ],
            ),
            (
                wanted.fens || wanted.keys,
                [
                    wanted.fens.then_some(("fen", Column::Text(self.fen))),
                    wanted.keys.then_some(("key", Column::Keys(self.key))),
                ]
                .into_iter()
                .flatten()
                .collect(),
            ),
        ];
        let groups = groups.into_iter().filter(|(wanted, _)| *wanted);
        let columns = groups.flat_map(|(_, columns)| columns);
        columns
            .map(|(name, column)| (name.to_owned(), column))
            .collect()
    }
}
