//! The positions before and after the last move of a line.

use crate::board::Word;
use crate::pgn::Span;
use crate::{Board, Color, Move};

/// The position after the last move of a line, and the one before it, in which its variations start.
///
/// Each side to move has its own board. A move is therefore played from one board to the other, and
/// the position before it stays without a copy.
pub(super) struct Boards {
    white: Board,
    black: Board,
    /// The board of the last position: that of the side to move.
    turn: Color,
}

impl Boards {
    /// Without a last move.
    pub(super) fn new(board: Board) -> Boards {
        let turn = board.turn();
        let other = board.with_other_turn();
        let (white, black) = match turn {
            Color::White => (board, other),
            Color::Black => (other, board),
        };
        Boards { white, black, turn }
    }

    /// The position after the last move.
    #[inline(always)]
    pub(super) fn now(&self) -> &Board {
        match self.turn {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }

    /// Takes the last move back. Only one move can be taken back.
    pub(super) fn take_back(&mut self) {
        self.turn = !self.turn;
    }

    /// Goes to a position of the same game. There is no last move.
    pub(super) fn go(&mut self, board: Board) {
        self.turn = board.turn();
        match self.turn {
            Color::White => self.white = board,
            Color::Black => self.black = board,
        }
    }

    /// Plays a legal move or the null move.
    pub(super) fn play(&mut self, mv: Move) {
        let Boards { white, black, turn } = self;
        match turn {
            Color::White => white.play_on(black, mv),
            Color::Black => black.play_on(white, mv),
        }
        *turn = !*turn;
    }

    /// Plays the move that [`Board::plain_san`] finds for a part of a text.
    #[inline(always)]
    pub(super) fn play_plain_san(&mut self, text: &[u8], san: Span) -> Option<Move> {
        match Word::within(text, &san).and_then(|word| self.play_usual(word)) {
            None => self.play_rare(&text[san]),
            played => played,
        }
    }

    /// The same for a usual move.
    #[inline(always)]
    pub(super) fn play_usual(&mut self, san: Word) -> Option<Move> {
        let Boards { white, black, turn } = self;
        let played = match turn {
            Color::White => white.play_usual_san_on(black, Color::White, san),
            Color::Black => black.play_usual_san_on(white, Color::Black, san),
        }?;
        *turn = !*turn;
        Some(played)
    }

    /// The same for any move.
    #[inline(never)]
    pub(super) fn play_rare(&mut self, san: &[u8]) -> Option<Move> {
        let mv = self.now().plain_san(san)?;
        self.play(mv);
        Some(mv)
    }
}
