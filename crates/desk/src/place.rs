//! Places in a game as users write them: `6Wc`, `6.Bc4`, `e4 c5 Nf3`, a position id, a FEN.
//!
//! [`Place::read`] parses a place without a game; [`Place::find`] resolves it in one. Addresses
//! such as `6Wc` are those of the variations table, so they depend on the displayed line.
//!
//! ```
//! use gametree_chess::pgn::Game;
//! use gametree_desk::place::{GameView, Place};
//! use gametree_tree::{NodeId, View};
//!
//! let mut game = Game::new();
//! let [e4, d4] = [b"e4", b"d4"].map(|san| game.start().parse_san(san));
//! let (e4, d4) = (e4?, d4?);
//! let e4 = game.add_variation(NodeId::ROOT, e4);
//! let d4 = game.add_variation(NodeId::ROOT, d4);
//! let game_view = GameView { game: &game, view: &View::new() };
//! assert_eq!(Place::read("1Wa")?.find(game_view, NodeId::ROOT)?, d4);
//! assert_eq!(Place::read("1.e4")?.find(game_view, NodeId::ROOT)?, e4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod find;
mod read;

pub use error::{Offered, PlaceError};
pub use find::read_move;

use chess::pgn::Game;
use chess::{Board, Color};
use tree::table::{Column, Numbering};
use tree::{NodeId, PositionId, View};

/// A place in some game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// `17` or `#17`: the index in preorder.
    Id(PositionId),
    /// The first node with this position; without the side to move, with these pieces.
    Fen(String),
    /// A sequence of steps.
    Steps(Vec<PlaceStep>),
}

impl Place {
    /// The moves of a line from the start: several moves, the first one without a number or with
    /// the number 1.
    pub fn moves(&self) -> Option<Vec<&str>> {
        let Place::Steps(steps) = self else {
            return None;
        };
        let first = Half {
            number: 1,
            column: Column::First,
        };
        let word = |(index, step)| match step {
            &PlaceStep::At(half, ref word) if index > 0 || half == first => Some(word.as_str()),
            PlaceStep::Move(word) => Some(word.as_str()),
            _ => None,
        };
        steps.iter().enumerate().map(word).collect()
    }

    /// The board of a place that needs no game: a FEN, or moves from the usual start.
    pub fn board(&self) -> Result<Board, String> {
        if let Place::Fen(fen) = self {
            let board = Board::from_fen(fen, chess::Variant::Standard);
            return board.map_err(|error| error.to_string());
        }
        let moves = self.moves();
        let moves = moves.ok_or("expected moves from the start, such as `e4 c5`, or a FEN")?;
        let mut board = Board::new();
        for word in moves {
            let m = read_move(&board, word).map_err(|error| format!("{word}: {error}"))?;
            board.play(m);
        }
        Ok(board)
    }

    /// The last move of the place, if it has moves.
    pub fn last_word(&self) -> Option<&str> {
        match self {
            Place::Steps(steps) => match steps.last()? {
                PlaceStep::At(_, word) | PlaceStep::Move(word) => Some(word),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Place {
    /// True for several moves without numbers: if they do not fit the current node, they are
    /// played from the start.
    pub fn is_line(&self) -> bool {
        matches!(self, Place::Steps(steps) if steps.len() > 1 && matches!(steps[0], PlaceStep::Move(_)))
    }
}

/// One step on the way to a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlaceStep {
    /// `6Wc`: an alternative on the displayed line.
    Alternative(Half, String),
    /// `6W`: the move of that line itself.
    Main(Half),
    /// `6.Bc4`: a move at that point of the line.
    At(Half, String),
    /// `Bc4`: a move from the current node.
    Move(String),
}

/// A half-move by its number and column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Half {
    /// The number that PGN prints.
    pub number: u32,
    /// The side to move.
    pub column: Column,
}

impl std::fmt::Display for Half {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let player = match self.column {
            Column::First => 'W',
            Column::Second => 'B',
        };
        write!(f, "{} {player}", self.number)
    }
}

/// A game and its displayed line, in which places are resolved.
#[derive(Clone, Copy, Debug)]
pub struct GameView<'a> {
    /// The game.
    pub game: &'a Game,
    /// The alternatives that are shown first.
    pub view: &'a View,
}

impl GameView<'_> {
    /// The numbering of the moves.
    pub fn numbering(&self) -> Numbering {
        numbering(self.game.start())
    }

    /// The next half-move at a node.
    pub fn half_after(&self, node: NodeId) -> Half {
        let (number, column) = self.numbering().of(self.game.tree().ply(node));
        Half { number, column }
    }

    /// The moves to a node in SAN, `1.e4 c5 2.Nf3`; empty at the root.
    pub fn path(&self, node: NodeId) -> String {
        let (mut board, mut text) = (self.game.start().clone(), String::new());
        for node in self.game.tree().line(node) {
            let Some(&mv) = self.game.tree().move_to(node) else {
                continue;
            };
            if !text.is_empty() {
                text.push(' ');
            }
            if text.is_empty() || board.turn() == Color::White {
                text += &number(&board);
            }
            text += &board.san(mv);
            board.play(mv);
        }
        text
    }

    /// The last move to a node with its number, `6.Bc4` or `5...a6`; none at the root.
    pub fn last_move(&self, node: NodeId) -> Option<String> {
        let (parent, mv) = (
            self.game.tree().parent(node)?,
            *self.game.tree().move_to(node)?,
        );
        let board = self.game.board_at(parent);
        Some(format!("{}{}", number(&board), board.san(mv)))
    }
}

/// The numbering of the moves of a game from this position.
pub fn numbering(start: &Board) -> Numbering {
    Numbering {
        first_column: match start.turn() {
            Color::White => Column::First,
            Color::Black => Column::Second,
        },
        first_number: start.fullmoves(),
    }
}

/// `6.` or `6...`: the number before the next move.
pub fn number(board: &Board) -> String {
    let dots = match board.turn() {
        Color::White => ".",
        Color::Black => "...",
    };
    format!("{}{dots}", board.fullmoves())
}

#[cfg(test)]
mod tests;
