//! A board that writes moves, for exporters.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;

use chess::{Board, Move, MoveKind, Role, Square, Variant};

use super::read::board_of_fen;

/// A line of positions. Moves are `chess.Move` objects.
#[pyclass(frozen, module = "gametree._native", name = "PgnBoard")]
pub struct SanBoard(Mutex<Vec<Board>>);

#[pymethods]
impl SanBoard {
    /// ValueError if `chess.Board` may understand the FEN in another way.
    #[new]
    fn new(fen: &str, chess960: bool) -> PyResult<SanBoard> {
        let variant = if chess960 {
            Variant::Chess960
        } else {
            Variant::Standard
        };
        let board = board_of_fen(fen, variant)
            .filter(|board| board.is_chess960() == chess960)
            .ok_or_else(|| PyValueError::new_err("not a plain FEN of chess"))?;
        Ok(SanBoard(Mutex::new(vec![board])))
    }

    /// True for White.
    #[getter]
    fn turn(&self) -> bool {
        self.lock()
            .last()
            .is_some_and(|board| board.turn().is_white())
    }

    #[getter]
    fn fullmove_number(&self) -> u32 {
        self.lock().last().map_or(1, Board::fullmoves)
    }

    /// The move in standard algebraic notation; None if it is not legal.
    fn san(&self, chess_move: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        let squares = Squares::read(chess_move)?;
        let boards = self.lock();
        let text = boards.last().and_then(|board| {
            let m = squares.find(board)?;
            Some(board.san(m).to_string())
        });
        Ok(text)
    }

    /// Plays a move. Returns False if it is not legal.
    fn push(&self, chess_move: &Bound<'_, PyAny>) -> PyResult<bool> {
        let squares = Squares::read(chess_move)?;
        let mut boards = self.lock();
        let next = boards.last().and_then(|board| {
            let m = squares.find(board)?;
            let mut next = board.clone();
            next.play(m);
            Some(next)
        });
        let played = next.is_some();
        boards.extend(next);
        Ok(played)
    }

    /// Takes a move back.
    fn pop(&self) {
        self.lock().pop();
    }
}

impl SanBoard {
    fn lock(&self) -> MutexGuard<'_, Vec<Board>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The numbers of a `chess.Move`.
struct Squares {
    from: u8,
    to: u8,
    promotion: Option<u8>,
    drop: Option<u8>,
}

impl Squares {
    fn read(chess_move: &Bound<'_, PyAny>) -> PyResult<Squares> {
        let py = chess_move.py();
        Ok(Squares {
            from: chess_move.getattr(intern!(py, "from_square"))?.extract()?,
            to: chess_move.getattr(intern!(py, "to_square"))?.extract()?,
            promotion: chess_move.getattr(intern!(py, "promotion"))?.extract()?,
            drop: chess_move.getattr(intern!(py, "drop"))?.extract()?,
        })
    }

    /// The legal move with these squares.
    fn find(&self, board: &Board) -> Option<Move> {
        if (self.from, self.to, self.promotion, self.drop) == (0, 0, None, None) {
            return Some(Move::NULL);
        }
        if self.drop.is_some() {
            return None;
        }
        let square = |number: u8| Square::try_from(u32::from(number)).ok();
        let (from, to) = (square(self.from)?, square(self.to)?);
        let promotion = match self.promotion {
            Some(number) => Some(Role::try_from(u32::from(number)).ok()?),
            None => None,
        };
        let m = board.find_move(from, to, promotion)?;
        // In Chess960 castling is written with the square of the rook only.
        let is_castling = m.kind() == MoveKind::Castling;
        (!is_castling || !board.is_chess960() || m.to() == Some(to)).then_some(m)
    }
}
