//! A chess position as plain data: pieces, side to move, pockets, arrows.

use std::fmt;

/// A side of a board game: the colour of pieces and of cards in a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Color {
    /// White, Right.
    White,
    /// Black, Left.
    Black,
}

/// A kind of chess piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A pawn.
    Pawn,
    /// A knight.
    Knight,
    /// A bishop.
    Bishop,
    /// A rook.
    Rook,
    /// A queen.
    Queen,
    /// A king.
    King,
}

impl Role {
    /// All roles, pawn first.
    pub const ALL: [Role; 6] = [
        Role::Pawn,
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
        Role::King,
    ];
}

/// A chess piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Its colour.
    pub color: Color,
    /// Its kind.
    pub role: Role,
}

/// A square: 0 is a1, 1 is b1, 63 is h8.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Square(u8);

impl Square {
    /// White's left corner.
    pub const A1: Square = Square(0);

    /// The square with this number, if there is one.
    pub fn new(number: u8) -> Option<Square> {
        (number < 64).then_some(Square(number))
    }

    /// All squares, a1 first.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..64).map(Square)
    }

    pub(crate) fn file(self) -> u8 {
        self.0 % 8
    }

    pub(crate) fn rank(self) -> u8 {
        self.0 / 8
    }

    pub(crate) fn is_dark(self) -> bool {
        (self.file() + self.rank()).is_multiple_of(2)
    }

    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = char::from(b'a' + self.file());
        write!(f, "{file}{}", self.rank() + 1)
    }
}

/// The colour of an arrow or a marked square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paint {
    /// Green.
    Green,
    /// Red.
    Red,
    /// Yellow.
    Yellow,
    /// Blue.
    Blue,
}

/// An arrow, or a marked square if both ends are the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrow {
    /// Its origin.
    pub from: Square,
    /// Its target.
    pub to: Square,
    /// Its colour.
    pub paint: Paint,
}

/// A chess position to draw.
#[derive(Clone, PartialEq, Debug)]
pub struct Diagram {
    /// The piece on each square, a1 first.
    pub pieces: [Option<Piece>; 64],
    /// The side to move.
    pub turn: Color,
    /// Pieces in hand, by colour and role; none where the variant has no pockets.
    pub pockets: Option<[[u8; 6]; 2]>,
    /// The squares of the last move.
    pub last_move: Option<(Square, Square)>,
    /// Arrows and marked squares.
    pub arrows: Vec<Arrow>,
    /// Black below.
    pub flipped: bool,
    /// Letters and numbers at the edge.
    pub coordinates: bool,
    /// The line below the board; empty for none.
    pub caption: String,
    /// The title of the picture, for readers that cannot see it: usually the FEN.
    pub title: String,
}

impl Diagram {
    /// A position seen from White's side, with coordinates.
    pub fn new(pieces: [Option<Piece>; 64], turn: Color) -> Diagram {
        Diagram {
            pieces,
            turn,
            pockets: None,
            last_move: None,
            arrows: Vec::new(),
            flipped: false,
            coordinates: true,
            caption: String::new(),
            title: String::new(),
        }
    }
}
