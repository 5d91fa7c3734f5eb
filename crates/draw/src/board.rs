//! A chess board as a picture: pieces, arrows, marked squares, the last move, coordinates.

use crate::diagram::{Arrow, Color, Diagram, Paint, Piece, Role, Square};
use crate::font;
use crate::ink::Ink;
use crate::pieces::{PIECE_SIZE, stamp_of, stamps};
use crate::scene::{Anchor, Layer, Look, Mark, PathStep, Scene, Shape, Words};
use crate::text::shortened;

/// The width of a square in a picture of one board.
const SQUARE: f64 = 48.0;
const MARGIN: f64 = 22.0;
const BARE_MARGIN: f64 = 8.0;
const LETTER: f64 = 13.0;
const CAPTION: f64 = 15.0;
const CAPTION_ROOM: f64 = 26.0;

/// Longer captions are shortened.
const CAPTION_LENGTH: usize = 80;

/// A picture of one board.
pub fn scene(diagram: &Diagram) -> Scene {
    let caption = shortened(&diagram.caption, CAPTION_LENGTH);
    let side = 8.0 * SQUARE;
    let margin = if diagram.coordinates {
        MARGIN
    } else {
        BARE_MARGIN
    };
    let board_width = margin + side + MARGIN + pocket_room(diagram, SQUARE);
    let caption_width = font::width(&caption, CAPTION, false) + 2.0 * BARE_MARGIN;
    let caption_room = if caption.is_empty() {
        0.0
    } else {
        CAPTION_ROOM
    };
    let width = board_width.max(caption_width);
    let height = BARE_MARGIN + side + margin + caption_room;
    let place = BoardFrame {
        x: margin,
        y: BARE_MARGIN,
        square: SQUARE,
        flipped: diagram.flipped,
    };
    let mut marks = vec![paper(width, height)];
    marks.extend(board_marks(diagram, place));
    marks.push(turn_mark(diagram, place));
    marks.extend(pocket_marks(diagram, place));
    if diagram.coordinates {
        marks.extend(coordinate_marks(place));
    }
    if !caption.is_empty() {
        marks.push(caption_mark(caption, width, height));
    }
    Scene {
        title: if diagram.caption.is_empty() {
            diagram.title.clone()
        } else {
            diagram.caption.clone()
        },
        width,
        height,
        stamps: stamps(),
        layers: vec![Layer {
            name: "board",
            marks,
        }],
    }
}

/// The squares alone: no coordinates, margins or caption.
pub fn bare_scene(diagram: &Diagram) -> Scene {
    let side = 8.0 * SQUARE;
    let place = BoardFrame {
        x: 0.0,
        y: 0.0,
        square: SQUARE,
        flipped: diagram.flipped,
    };
    Scene {
        title: diagram.title.clone(),
        width: side,
        height: side,
        stamps: stamps(),
        layers: vec![Layer {
            name: "board",
            marks: board_marks(diagram, place),
        }],
    }
}

/// The background of a picture.
pub fn paper(width: f64, height: f64) -> Mark {
    let whole = Shape::Rect {
        x: 0.0,
        y: 0.0,
        width,
        height,
        round: 0.0,
    };
    Mark::Shape(whole, Look::filled(Ink::Paper))
}

fn caption_mark(text: String, width: f64, height: f64) -> Mark {
    Mark::Words(Words {
        x: width / 2.0,
        y: height - CAPTION_ROOM / 2.0 + 1.0,
        anchor: Anchor::Middle,
        size: CAPTION,
        bold: false,
        ink: Ink::Text,
        text,
        note: None,
    })
}

/// The place of a board in a picture.
#[derive(Clone, Copy, Debug)]
pub struct BoardFrame {
    /// Its left edge.
    pub x: f64,
    /// Its upper edge.
    pub y: f64,
    /// The width of a square.
    pub square: f64,
    /// Black is below.
    pub flipped: bool,
}

impl BoardFrame {
    /// The upper left corner of a square.
    fn corner(&self, square: Square) -> (f64, f64) {
        let (file, rank) = (f64::from(square.file()), f64::from(square.rank()));
        let (column, row) = if self.flipped {
            (7.0 - file, rank)
        } else {
            (file, 7.0 - rank)
        };
        (self.x + column * self.square, self.y + row * self.square)
    }

    fn middle(&self, square: Square) -> (f64, f64) {
        let (x, y) = self.corner(square);
        (x + self.square / 2.0, y + self.square / 2.0)
    }

    fn rect(&self, square: Square) -> Shape {
        let (x, y) = self.corner(square);
        Shape::Rect {
            x,
            y,
            width: self.square,
            height: self.square,
            round: 0.0,
        }
    }
}

/// Squares, last move, pieces, arrows: everything on the board.
pub fn board_marks(diagram: &Diagram, place: BoardFrame) -> Vec<Mark> {
    let side = 8.0 * place.square;
    let whole = Shape::Rect {
        x: place.x,
        y: place.y,
        width: side,
        height: side,
        round: 0.0,
    };
    let mut marks = vec![Mark::Shape(whole.clone(), Look::filled(Ink::LightSquare))];
    let dark = Square::all().filter(|square| square.is_dark());
    let filled = |square, ink| Mark::Shape(place.rect(square), Look::filled(ink));
    marks.extend(dark.map(|square| filled(square, Ink::DarkSquare)));
    if let Some((from, to)) = diagram.last_move {
        let squares = [Some(from), Some(to).filter(|_| from != to)];
        marks.extend(
            squares
                .into_iter()
                .flatten()
                .map(|square| filled(square, Ink::LastMove)),
        );
    }
    let edge = (place.square / 40.0).max(0.6);
    marks.push(Mark::Shape(whole, Look::line(Ink::PieceEdge, edge)));
    let (rings, arrows): (Vec<&Arrow>, Vec<&Arrow>) = diagram
        .arrows
        .iter()
        .partition(|arrow| arrow.from == arrow.to);
    marks.extend(rings.into_iter().map(|arrow| ring(arrow, place)));
    marks.extend(Square::all().filter_map(|square| {
        let piece = diagram.pieces[square.index()]?;
        Some(piece_mark(piece, place.corner(square), place.square))
    }));
    marks.extend(arrows.into_iter().map(|shape| arrow_mark(shape, place)));
    marks
}

fn piece_mark(piece: Piece, (x, y): (f64, f64), square: f64) -> Mark {
    Mark::Stamp {
        stamp: stamp_of(piece),
        x,
        y,
        scale: square / PIECE_SIZE,
    }
}

fn ink_of(paint: Paint) -> Ink {
    match paint {
        Paint::Green => Ink::Green,
        Paint::Red => Ink::Red,
        Paint::Yellow => Ink::Yellow,
        Paint::Blue => Ink::Blue,
    }
}

/// A marked square: a ring within its edges.
fn ring(arrow: &Arrow, place: BoardFrame) -> Mark {
    let (x, y) = place.middle(arrow.from);
    let width = place.square * 0.09;
    let radius = place.square / 2.0 - width / 2.0;
    let look = Look::line(ink_of(arrow.paint), width);
    Mark::Shape(Shape::Circle { x, y, radius }, look)
}

/// An arrow from the middle of one square to that of another.
fn arrow_mark(arrow: &Arrow, place: BoardFrame) -> Mark {
    let ((x1, y1), (x2, y2)) = (place.middle(arrow.from), place.middle(arrow.to));
    let length = (x2 - x1).hypot(y2 - y1);
    let (along_x, along_y) = ((x2 - x1) / length, (y2 - y1) / length);
    let part = |of_square: f64| of_square * place.square;
    let (start, tip) = (part(0.28), length - part(0.06));
    let (neck, shaft, head) = (tip - part(0.42), part(0.09), part(0.25));
    // A point at these distances along the arrow and to its side.
    let point = |along: f64, aside: f64| {
        (
            x1 + along * along_x - aside * along_y,
            y1 + along * along_y + aside * along_x,
        )
    };
    let corners = [
        point(start, shaft),
        point(neck, shaft),
        point(neck, head),
        point(tip, 0.0),
        point(neck, -head),
        point(neck, -shaft),
        point(start, -shaft),
    ];
    let mut steps: Vec<PathStep> = corners.map(|(x, y)| PathStep::Line(x, y)).to_vec();
    steps[0] = PathStep::Move(corners[0].0, corners[0].1);
    steps.push(PathStep::Close);
    Mark::Shape(Shape::Path(steps), Look::filled(ink_of(arrow.paint)))
}

fn coordinate_marks(place: BoardFrame) -> Vec<Mark> {
    let side = 8.0 * place.square;
    let word = |x: f64, y: f64, text: String| {
        Mark::Words(Words {
            x,
            y,
            anchor: Anchor::Middle,
            size: LETTER,
            bold: false,
            ink: Ink::Faint,
            text,
            note: None,
        })
    };
    let number = |i: u8| f64::from(if place.flipped { 7 - i } else { i });
    let files = (0..8).map(|i| {
        let x = place.x + (number(i) + 0.5) * place.square;
        word(
            x,
            place.y + side + LETTER + 3.0,
            char::from(b'a' + i).to_string(),
        )
    });
    let ranks = (0..8).map(|i| {
        let y = place.y + (7.5 - number(i)) * place.square;
        word(place.x / 2.0, y + LETTER * 0.36, (i + 1).to_string())
    });
    files.chain(ranks).collect()
}

/// A disc beside the board, next to the side to move.
fn turn_mark(diagram: &Diagram, place: BoardFrame) -> Mark {
    let turn = diagram.turn;
    let below = (turn == Color::White) != diagram.flipped;
    let side = 8.0 * place.square;
    let disc = Shape::Circle {
        x: place.x + side + MARGIN / 2.0,
        y: if below {
            place.y + side - 9.0
        } else {
            place.y + 9.0
        },
        radius: 5.5,
    };
    let fill = match turn {
        Color::White => Ink::WhitePiece,
        Color::Black => Ink::BlackPiece,
    };
    Mark::Shape(disc, Look::both(fill, Ink::CardEdge, 1.2))
}

/// The scale of pieces in pockets.
const POCKET: f64 = 0.7;

/// The width of the pockets of Crazyhouse.
fn pocket_room(diagram: &Diagram, square: f64) -> f64 {
    diagram.pockets.map_or(0.0, |_| square * 1.1)
}

/// The pieces in the pockets, each role once with its count.
fn pocket_marks(diagram: &Diagram, place: BoardFrame) -> Vec<Mark> {
    let Some(pockets) = diagram.pockets else {
        return Vec::new();
    };
    let size = place.square * POCKET;
    let x = place.x + 8.0 * place.square + MARGIN;
    let mut marks = Vec::new();
    for color in [Color::White, Color::Black] {
        let below = (color == Color::White) != diagram.flipped;
        let held = Role::ALL.into_iter().filter_map(|role| {
            let count = pockets[color as usize][role as usize];
            (count > 0).then_some((role, count))
        });
        for (row, (role, count)) in (0u8..).zip(held) {
            let y = if below {
                place.y + 8.0 * place.square - 22.0 - f64::from(row + 1) * size
            } else {
                place.y + 22.0 + f64::from(row) * size
            };
            marks.push(piece_mark(Piece { color, role }, (x, y), size));
            marks.push(Mark::Words(Words {
                x: x + size,
                y: y + size * 0.8,
                anchor: Anchor::Start,
                size: LETTER,
                bold: false,
                ink: Ink::Text,
                text: count.to_string(),
                note: None,
            }));
        }
    }
    marks
}
