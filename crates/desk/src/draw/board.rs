//! Chess boards as the plain data that `draw` takes.

use chess::annotation::{Paint, Shape};
use chess::pgn::Game;
use chess::{Board, Color, Move, Piece, Role, Square};
use gametree_draw::{Arrow, Diagram};
use tree::NodeId;

/// A position seen from White's side, with coordinates.
pub fn diagram(board: &Board) -> Diagram {
    let pieces = Square::ALL.map(|square| board.piece_at(square).map(piece));
    let pockets = board.pockets().map(|pockets| {
        [Color::White, Color::Black].map(|color| {
            let pocket = pockets.get(color);
            Role::ALL.map(|role| *pocket.get(role))
        })
    });
    Diagram {
        pockets,
        title: board.fen(),
        ..Diagram::new(pieces, color(board.turn()))
    }
}

/// The position at a node of a game, with its last move, arrows and marked squares.
pub fn diagram_at(game: &Game, node: NodeId) -> Diagram {
    let node = game.node(node);
    let last_move = node.mv().and_then(squares_of);
    Diagram {
        last_move: last_move.map(|(from, to)| (square(from), square(to))),
        arrows: node.shapes().iter().map(arrow).collect(),
        ..diagram(&node.board())
    }
}

/// Origin and destination of a move; both are the destination for a drop.
pub fn squares_of(mv: Move) -> Option<(Square, Square)> {
    let to = mv.destination()?;
    Some((mv.from().unwrap_or(to), to))
}

/// An arrow or a marked square.
pub fn arrow(shape: &Shape) -> Arrow {
    Arrow {
        from: square(shape.from),
        to: square(shape.to),
        paint: match shape.paint {
            Paint::Green => gametree_draw::Paint::Green,
            Paint::Red => gametree_draw::Paint::Red,
            Paint::Yellow => gametree_draw::Paint::Yellow,
            Paint::Blue => gametree_draw::Paint::Blue,
        },
    }
}

pub(super) fn color(color: Color) -> gametree_draw::Color {
    match color {
        Color::White => gametree_draw::Color::White,
        Color::Black => gametree_draw::Color::Black,
    }
}

pub(super) fn piece(piece: Piece) -> gametree_draw::Piece {
    gametree_draw::Piece {
        color: color(piece.color),
        role: match piece.role {
            Role::Pawn => gametree_draw::Role::Pawn,
            Role::Knight => gametree_draw::Role::Knight,
            Role::Bishop => gametree_draw::Role::Bishop,
            Role::Rook => gametree_draw::Role::Rook,
            Role::Queen => gametree_draw::Role::Queen,
            Role::King => gametree_draw::Role::King,
        },
    }
}

pub(super) fn square(square: Square) -> gametree_draw::Square {
    gametree_draw::Square::new(u8::from(square)).unwrap_or(gametree_draw::Square::A1)
}
