//! The chess pieces: shapes of our own, in a square of 100 by 100.

use crate::diagram::{Color, Piece, Role};
use crate::ink::Ink;
use crate::scene::{Look, Mark, Shape, Stamp, path};

/// The size of the square that a piece is drawn in.
pub const PIECE_SIZE: f64 = 100.0;

/// The width of outlines.
const EDGE: f64 = 4.0;
/// The width of lines within a piece.
const DETAIL: f64 = 3.5;

/// The paths of a piece: bodies are filled and outlined, lines are drawn on top.
struct Drawing {
    bodies: &'static [&'static str],
    balls: &'static [(f64, f64, f64)],
    lines: &'static [&'static str],
    dots: &'static [(f64, f64, f64)],
}

/// The stamps of all pieces; [`stamp_of`] gives the index of each.
pub fn stamps() -> Vec<Stamp> {
    let sides = [Color::White, Color::Black];
    let pieces = sides
        .into_iter()
        .flat_map(|color| Role::ALL.into_iter().map(move |role| Piece { color, role }));
    pieces.map(stamp).collect()
}

/// The index of a piece's stamp among [`stamps`].
pub fn stamp_of(piece: Piece) -> usize {
    piece.color as usize * Role::ALL.len() + piece.role as usize
}

fn stamp(piece: Piece) -> Stamp {
    let (fill, detail) = match piece.color {
        Color::White => (Ink::WhitePiece, Ink::OnWhitePiece),
        Color::Black => (Ink::BlackPiece, Ink::OnBlackPiece),
    };
    let body = Look::both(fill, Ink::PieceEdge, EDGE);
    let circle = |&(x, y, radius): &(f64, f64, f64)| Shape::Circle { x, y, radius };
    let outline = |notation: &&str| Shape::Path(path(notation));
    let drawing = drawing(piece.role);
    let balls = drawing.balls.iter().map(circle);
    let bodies = drawing.bodies.iter().map(outline);
    let lines = drawing.lines.iter().map(outline);
    let dots = drawing.dots.iter().map(circle);
    let marks = balls
        .chain(bodies)
        .map(|shape| Mark::Shape(shape, body))
        .chain(lines.map(|shape| Mark::Shape(shape, Look::line(detail, DETAIL))))
        .chain(dots.map(|shape| Mark::Shape(shape, Look::filled(detail))));
    Stamp {
        name: name(piece),
        marks: marks.collect(),
    }
}

/// The name of a piece: colour and letter.
pub fn name(piece: Piece) -> &'static str {
    match (piece.color, piece.role) {
        (Color::White, Role::Pawn) => "wP",
        (Color::White, Role::Knight) => "wN",
        (Color::White, Role::Bishop) => "wB",
        (Color::White, Role::Rook) => "wR",
        (Color::White, Role::Queen) => "wQ",
        (Color::White, Role::King) => "wK",
        (Color::Black, Role::Pawn) => "bP",
        (Color::Black, Role::Knight) => "bN",
        (Color::Black, Role::Bishop) => "bB",
        (Color::Black, Role::Rook) => "bR",
        (Color::Black, Role::Queen) => "bQ",
        (Color::Black, Role::King) => "bK",
    }
}

fn drawing(role: Role) -> Drawing {
    match role {
        Role::Pawn => PAWN,
        Role::Knight => KNIGHT,
        Role::Bishop => BISHOP,
        Role::Rook => ROOK,
        Role::Queen => QUEEN,
        Role::King => KING,
    }
}

/// The foot of all pieces except the pawn.
const FOOT: &str = "M 22 78 L 78 78 L 81 89 L 19 89 Z";

const PAWN: Drawing = Drawing {
    balls: &[(50.0, 31.0, 14.5)],
    bodies: &[
        "M 42 49 C 42 62 36 70 28 76 L 25 88 L 75 88 L 72 76 C 64 70 58 62 58 49 Z",
        "M 36 43 L 64 43 L 67 50 L 33 50 Z",
    ],
    lines: &[],
    dots: &[],
};

const KNIGHT: Drawing = Drawing {
    balls: &[],
    bodies: &[
        "M 31 78 C 31 66 44 61 47 50 C 42 54 37 55 33 56 C 31 60 27 64 23 62 \
         C 18 60 16 55 18 51 C 22 44 27 38 29 31 C 30 26 33 22 36 20 L 35 9 L 46 16 \
         C 66 17 80 36 79 60 C 79 67 78 73 76 78 Z",
        FOOT,
    ],
    lines: &["M 55 26 C 66 32 71 46 69 66"],
    dots: &[(38.5, 31.0, 3.2), (24.0, 54.0, 2.2)],
};

const BISHOP: Drawing = Drawing {
    balls: &[(50.0, 13.0, 5.5)],
    bodies: &[
        "M 50 19 C 63 28 70 40 70 50 C 70 57 66 62 62 65 L 66 78 L 34 78 L 38 65 \
         C 34 62 30 57 30 50 C 30 40 37 28 50 19 Z",
        FOOT,
    ],
    lines: &["M 50 34 L 50 52", "M 41 43 L 59 43", "M 38 65 L 62 65"],
    dots: &[],
};

const ROOK: Drawing = Drawing {
    balls: &[],
    bodies: &[
        "M 35 38 L 65 38 L 68 70 L 74 78 L 26 78 L 32 70 Z",
        "M 26 15 L 37 15 L 37 22 L 44.5 22 L 44.5 15 L 55.5 15 L 55.5 22 L 63 22 L 63 15 \
         L 74 15 L 74 30 L 66 38 L 34 38 L 26 30 Z",
        FOOT,
    ],
    lines: &["M 32 70 L 68 70"],
    dots: &[],
};

const QUEEN: Drawing = Drawing {
    balls: &[
        (12.0, 30.0, 5.5),
        (30.0, 18.0, 5.5),
        (50.0, 13.0, 5.5),
        (70.0, 18.0, 5.5),
        (88.0, 30.0, 5.5),
    ],
    bodies: &[
        "M 28 78 C 29 70 26 64 24 60 L 13 33 L 32 50 L 31 21 L 44 48 L 50 16 L 56 48 \
         L 69 21 L 68 50 L 87 33 L 76 60 C 74 64 71 70 72 78 Z",
        FOOT,
    ],
    lines: &[
        "M 24.5 61 C 40 56 60 56 75.5 61",
        "M 28 70 C 42 66 58 66 72 70",
    ],
    dots: &[],
};

const KING: Drawing = Drawing {
    balls: &[],
    bodies: &[
        "M 46.5 6 L 53.5 6 L 53.5 12 L 60 12 L 60 19 L 53.5 19 L 53.5 30 L 46.5 30 \
         L 46.5 19 L 40 19 L 40 12 L 46.5 12 Z",
        "M 50 26 C 57 31 58 39 50 48 C 42 39 43 31 50 26 Z",
        "M 50 48 C 53 36 63 30 73 32 C 84 35 88 46 83 55 C 79 62 74 65 73 78 L 27 78 \
         C 26 65 21 62 17 55 C 12 46 16 35 27 32 C 37 30 47 36 50 48 Z",
        FOOT,
    ],
    lines: &["M 50 48 L 50 66", "M 27 69 C 42 64 58 64 73 69"],
    dots: &[],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_has_its_stamp() {
        let stamps = stamps();
        assert_eq!(stamps.len(), 12);
        for color in [Color::White, Color::Black] {
            for role in Role::ALL {
                let piece = Piece { color, role };
                assert_eq!(stamps[stamp_of(piece)].name, name(piece));
            }
        }
    }
}
