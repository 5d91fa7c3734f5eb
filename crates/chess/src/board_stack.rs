//! A board with its history: push and pop.

use std::ops::Deref;

use crate::board::{Board, Identity, SanError};
use crate::moves::Move;
use crate::uci::UciError;

/// A board together with the moves played on it, so that moves can be taken back.
///
/// [`Board`] itself has no history and is cheap to copy. This type adds what python-chess's
/// `Board` has: `push`, `pop`, `peek` and the move stack. It dereferences to the current
/// [`Board`].
///
/// ```
/// use gametree_chess::{Board, BoardStack};
///
/// let mut board = BoardStack::new(Board::new());
/// board.push_san("e4")?;
/// board.push_uci("e7e5")?;
/// assert_eq!(board.fullmoves(), 2);
/// let e5 = board.pop().unwrap();
/// assert_eq!(board.san(e5).as_str(), "e5");
/// assert_eq!(board.moves().count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BoardStack {
    board: Board,
    /// Each move with the board before it.
    played: Vec<(Board, Move)>,
}

impl BoardStack {
    /// Returns a stack without moves.
    pub fn new(start: Board) -> BoardStack {
        BoardStack {
            board: start,
            played: Vec::new(),
        }
    }

    /// Plays a move. Its legality is not checked, as in python-chess; see
    /// [`Board::is_legal`] and [`Board::play`].
    pub fn push(&mut self, m: Move) {
        self.played.push((self.board.clone(), m));
        self.board.play(m);
    }

    /// Reads a move in SAN and plays it.
    pub fn push_san(&mut self, san: impl AsRef<[u8]>) -> Result<Move, SanError> {
        let m = self.board.parse_san(san)?;
        self.push(m);
        Ok(m)
    }

    /// Reads a move in UCI notation and plays it.
    pub fn push_uci(&mut self, uci: impl AsRef<[u8]>) -> Result<Move, UciError> {
        let m = self.board.parse_uci(uci)?;
        self.push(m);
        Ok(m)
    }

    /// Takes the last move back and returns it; `None` if there is none.
    pub fn pop(&mut self) -> Option<Move> {
        let (board, m) = self.played.pop()?;
        self.board = board;
        Some(m)
    }

    /// The last move; `None` if there is none.
    pub fn peek(&self) -> Option<Move> {
        self.played.last().map(|&(_, m)| m)
    }

    /// The moves from the start position (python-chess: `move_stack`).
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> + DoubleEndedIterator + '_ {
        self.played.iter().map(|&(_, m)| m)
    }

    /// The current board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The start position (python-chess: `root()`).
    pub fn root(&self) -> &Board {
        self.played.first().map_or(&self.board, |(board, _)| board)
    }

    /// The current board without its history.
    pub fn into_board(self) -> Board {
        self.board
    }

    /// True if the current position occurred at least `count` times, the current one included.
    /// Positions are compared by [`Identity::Strict`].
    pub fn is_repetition(&self, count: usize) -> bool {
        let key = self.board.key(Identity::Strict);
        // Captures and pawn moves cannot be undone: no position before the last one can recur.
        let reversible = self.played.iter().rev().take(self.halfmoves() as usize);
        let same = reversible.filter(|(board, _)| board.key(Identity::Strict) == key);
        1 + same.take(count).count() >= count
    }
}

impl Deref for BoardStack {
    type Target = Board;

    fn deref(&self) -> &Board {
        &self.board
    }
}

impl From<Board> for BoardStack {
    fn from(start: Board) -> BoardStack {
        BoardStack::new(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pop_restores_every_board() {
        let mut stack = BoardStack::default();
        let mut boards = vec![stack.board().clone()];
        for san in [
            "e4", "d5", "e5", "f5", "exf6", "Kd7", "fxg7", "--", "gxh8=Q",
        ] {
            stack.push_san(san).unwrap();
            boards.push(stack.board().clone());
        }
        let moves: Vec<Move> = stack.moves().collect();
        assert_eq!(*stack.root(), Board::new());
        for (m, after) in moves.into_iter().zip(boards.into_iter().skip(1)).rev() {
            assert_eq!(*stack, after);
            assert_eq!((stack.peek(), stack.pop()), (Some(m), Some(m)));
        }
        assert_eq!(stack, BoardStack::default());
        assert_eq!(stack.pop(), None);
    }

    /// The same calls in python-chess 1.11.2 give the same answers.
    #[test]
    fn repetitions() {
        let mut stack = BoardStack::default();
        let mut found = Vec::new();
        for san in "e4 e5 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8".split(' ') {
            stack.push_san(san).unwrap();
            found.push((1..4).filter(|&n| stack.is_repetition(n)).count());
        }
        assert_eq!(found, [1, 1, 1, 1, 1, 2, 2, 2, 2, 3]);
    }

    #[test]
    fn refused_moves_change_nothing() {
        let mut stack = BoardStack::default();
        assert_eq!(stack.push_san("e5"), Err(SanError::Illegal));
        assert_eq!(stack.push_uci("e7e5"), Err(UciError::Illegal));
        assert_eq!(stack.push_uci("e2"), Err(UciError::Syntax));
        assert_eq!(stack, BoardStack::default());
    }
}
