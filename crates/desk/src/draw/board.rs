//! A board as a picture: pieces, arrows, marked squares, the last move, coordinates.

use chess::annotation::{Paint, Shape as BoardShape};
use chess::pgn::Game;
use chess::{Board, Color, Move, Piece, Role, Square};
use tree::NodeId;

use super::font;
use super::ink::Ink;
use super::pieces::{PIECE_SIZE, stamp_of, stamps};
use super::scene::{Anchor, Layer, Look, Mark, Scene, Shape, Step, Words};
use super::sketch::shortened;

/// A position to be shown.
#[derive(Clone, Debug)]
pub struct Diagram {
    /// The position.
    pub board: Board,
    /// Where the last move came from and went to.
    pub last_move: Option<(Square, Square)>,
    /// Arrows and marked squares.
    pub shapes: Vec<BoardShape>,
    /// Black is below.
    pub flipped: bool,
    /// Letters and numbers at the edge.
    pub coordinates: bool,
    /// What stands below it; empty for nothing.
    pub caption: String,
}

impl Diagram {
    /// A position as White sees it, with coordinates.
    pub fn new(board: Board) -> Diagram {
        Diagram {
            board,
            last_move: None,
            shapes: Vec::new(),
            flipped: false,
            coordinates: true,
            caption: String::new(),
        }
    }

    /// The position at a node of a game, with its last move, arrows and squares.
    pub fn of(game: &Game, node: NodeId) -> Diagram {
        let place = game.node(node);
        Diagram {
            last_move: place.mv().and_then(squares_of),
            shapes: place.shapes(),
            ..Diagram::new(place.board())
        }
    }
}

/// Where a move comes from and goes to; a drop comes from where it goes to.
pub fn squares_of(mv: Move) -> Option<(Square, Square)> {
    let to = mv.destination()?;
    Some((mv.from().unwrap_or(to), to))
}

/// The width of a square in a picture of one board.
const SQUARE: f64 = 48.0;
const MARGIN: f64 = 22.0;
const BARE_MARGIN: f64 = 8.0;
const LETTER: f64 = 13.0;
const CAPTION: f64 = 15.0;
const CAPTION_ROOM: f64 = 26.0;

/// Of a longer caption only the beginning is written.
const CAPTION_LENGTH: usize = 80;

/// A picture of one board.
pub fn scene(diagram: &Diagram) -> Scene {
    let caption = shortened(&diagram.caption, CAPTION_LENGTH);
    let side = 8.0 * SQUARE;
    let margin = match diagram.coordinates {
        true => MARGIN,
        false => BARE_MARGIN,
    };
    let board_width = margin + side + MARGIN + pocket_room(&diagram.board, SQUARE);
    let caption_width = font::width(&caption, CAPTION, false) + 2.0 * BARE_MARGIN;
    let caption_room = match caption.is_empty() {
        true => 0.0,
        false => CAPTION_ROOM,
    };
    let width = board_width.max(caption_width);
    let height = BARE_MARGIN + side + margin + caption_room;
    let place = Place {
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
        title: match diagram.caption.is_empty() {
            true => diagram.board.fen(),
            false => diagram.caption.clone(),
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

/// The ground of a picture.
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

/// Where a board lies in a picture.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Its left edge.
    pub x: f64,
    /// Its upper edge.
    pub y: f64,
    /// The width of a square.
    pub square: f64,
    /// Black is below.
    pub flipped: bool,
}

impl Place {
    /// The upper left corner of a square.
    fn corner(&self, square: Square) -> (f64, f64) {
        let file = f64::from(u8::from(square.file()));
        let rank = f64::from(u8::from(square.rank()));
        let (column, row) = match self.flipped {
            false => (file, 7.0 - rank),
            true => (7.0 - file, rank),
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
pub fn board_marks(diagram: &Diagram, place: Place) -> Vec<Mark> {
    let side = 8.0 * place.square;
    let whole = Shape::Rect {
        x: place.x,
        y: place.y,
        width: side,
        height: side,
        round: 0.0,
    };
    let mut marks = vec![Mark::Shape(whole.clone(), Look::filled(Ink::LightSquare))];
    let dark = Square::ALL.into_iter().filter(|square| square.is_dark());
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
    let (rings, arrows): (Vec<&BoardShape>, Vec<&BoardShape>) =
        diagram.shapes.iter().partition(|shape| shape.is_square());
    marks.extend(rings.into_iter().map(|shape| ring(shape, place)));
    marks.extend(Square::ALL.into_iter().filter_map(|square| {
        let piece = diagram.board.piece_at(square)?;
        Some(piece_mark(piece, place.corner(square), place.square))
    }));
    marks.extend(arrows.into_iter().map(|shape| arrow(shape, place)));
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
fn ring(shape: &BoardShape, place: Place) -> Mark {
    let (x, y) = place.middle(shape.from);
    let width = place.square * 0.09;
    let radius = place.square / 2.0 - width / 2.0;
    let look = Look::line(ink_of(shape.paint), width);
    Mark::Shape(Shape::Circle { x, y, radius }, look)
}

/// An arrow from the middle of one square to that of another.
fn arrow(shape: &BoardShape, place: Place) -> Mark {
    let ((x1, y1), (x2, y2)) = (place.middle(shape.from), place.middle(shape.to));
    let length = (x2 - x1).hypot(y2 - y1);
    let (along_x, along_y) = ((x2 - x1) / length, (y2 - y1) / length);
    let part = |of_square: f64| of_square * place.square;
    let (start, tip) = (part(0.28), length - part(0.06));
    let (neck, shaft, head) = (tip - part(0.42), part(0.09), part(0.25));
    // A point so far along the arrow and so far to its side.
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
    let mut steps: Vec<Step> = corners.map(|(x, y)| Step::Line(x, y)).to_vec();
    steps[0] = Step::Move(corners[0].0, corners[0].1);
    steps.push(Step::Close);
    Mark::Shape(Shape::Path(steps), Look::filled(ink_of(shape.paint)))
}

fn coordinate_marks(place: Place) -> Vec<Mark> {
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

/// A disc beside the board, on the side of whoever is to move.
fn turn_mark(diagram: &Diagram, place: Place) -> Mark {
    let turn = diagram.board.turn();
    let below = (turn == Color::White) != diagram.flipped;
    let side = 8.0 * place.square;
    let disc = Shape::Circle {
        x: place.x + side + MARGIN / 2.0,
        y: match below {
            true => place.y + side - 9.0,
            false => place.y + 9.0,
        },
        radius: 5.5,
    };
    let fill = match turn {
        Color::White => Ink::WhitePiece,
        Color::Black => Ink::BlackPiece,
    };
    Mark::Shape(disc, Look::both(fill, Ink::CardEdge, 1.2))
}

/// How much smaller pieces in pockets are.
const POCKET: f64 = 0.7;

/// The room that the pockets of Crazyhouse take.
fn pocket_room(board: &Board, square: f64) -> f64 {
    board.pockets().map_or(0.0, |_| square * 1.1)
}

/// The pieces in the pockets, each once with its number.
fn pocket_marks(diagram: &Diagram, place: Place) -> Vec<Mark> {
    let Some(pockets) = diagram.board.pockets() else {
        return Vec::new();
    };
    let size = place.square * POCKET;
    let x = place.x + 8.0 * place.square + MARGIN;
    let mut marks = Vec::new();
    for color in [Color::White, Color::Black] {
        let below = (color == Color::White) != diagram.flipped;
        let held = Role::ALL.into_iter().filter_map(|role| {
            let count = *pockets.get(color).get(role);
            (count > 0).then_some((role, count))
        });
        for (row, (role, count)) in (0u8..).zip(held) {
            let y = match below {
                true => place.y + 8.0 * place.square - 22.0 - f64::from(row + 1) * size,
                false => place.y + 22.0 + f64::from(row) * size,
            };
            marks.push(piece_mark(role.of(color), (x, y), size));
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
