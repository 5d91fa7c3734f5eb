//! The board on a terminal: Unicode pieces, the last move, marked squares.

use desk::annotation::{Paint, Shape};
use desk::{Board, Color, File, Move, Piece, Rank, Role, Square};

/// A board to draw.
#[derive(Clone, Debug)]
pub struct Diagram<'a> {
    /// The pieces.
    pub board: &'a Board,
    /// The side at the bottom.
    pub below: Color,
    /// The move that led here.
    pub last: Option<Move>,
    /// Arrows and marked squares.
    pub shapes: &'a [Shape],
}

/// A square to draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// Which.
    pub square: Square,
    /// The piece on it.
    pub piece: Option<Piece>,
    /// The last move came from here or went here.
    pub last: bool,
    /// Marked, or where an arrow begins or ends.
    pub paint: Option<Paint>,
    /// The direction of an arrow that ends or passes here.
    pub arrow: Option<char>,
}

impl Field {
    /// True for a1, c1 and so on.
    pub fn is_dark(&self) -> bool {
        self.square.is_dark()
    }
}

impl Diagram<'_> {
    /// The ranks from top to bottom, each with its fields from left to right.
    pub fn ranks(&self) -> Vec<(Rank, Vec<Field>)> {
        let mut ranks = Rank::ALL;
        if self.below == Color::White {
            ranks.reverse();
        }
        let files = self.files();
        let field = |rank, file: &File| self.field(Square::from_coords(*file, rank));
        let row = |rank| files.iter().map(|file| field(rank, file)).collect();
        ranks.into_iter().map(|rank| (rank, row(rank))).collect()
    }

    /// The files from left to right.
    pub fn files(&self) -> [File; 8] {
        let mut files = File::ALL;
        if self.below == Color::Black {
            files.reverse();
        }
        files
    }

    fn field(&self, square: Square) -> Field {
        let ends = |mv: Move| [mv.from(), mv.destination()].contains(&Some(square));
        let shape = self
            .shapes
            .iter()
            .rev()
            .find(|shape| shape.from == square || shape.to == square);
        Field {
            square,
            piece: self.board.piece_at(square),
            last: self.last.is_some_and(ends),
            paint: shape.map(|shape| shape.paint),
            arrow: self
                .shapes
                .iter()
                .rev()
                .find_map(|shape| self.arrow(shape, square)),
        }
    }

    /// The direction of an arrow at a square that it passes or ends at.
    fn arrow(&self, shape: &Shape, square: Square) -> Option<char> {
        let steps = |from: Square, to: Square| {
            let files = i32::from(to.file()) - i32::from(from.file());
            let ranks = i32::from(to.rank()) - i32::from(from.rank());
            let sign = self.below.fold_wb(1, -1);
            (files * sign, ranks * sign)
        };
        let (files, ranks) = steps(shape.from, shape.to);
        let (x, y) = steps(shape.from, square);
        let length = files.abs().max(ranks.abs());
        let is_straight = files == 0 || ranks == 0 || files.abs() == ranks.abs();
        let step = x.abs().max(y.abs());
        // Knight moves have no squares between.
        let passes = is_straight && (x * length, y * length) == (files * step, ranks * step);
        let is_here = step > 0 && (square == shape.to || passes && step < length);
        is_here.then(|| direction(files, ranks))
    }

    /// The board without colours, eight lines and the files below: `[♘]` is where the last move
    /// ended, `[ ]` where it came from, `(♙)` a marked square.
    pub fn plain(&self) -> Vec<String> {
        let mut lines: Vec<String> = self
            .ranks()
            .iter()
            .map(|(rank, fields)| plain_rank(*rank, fields))
            .collect();
        let files: String = self
            .files()
            .iter()
            .map(|file| format!(" {} ", file.char()))
            .collect();
        lines.push(format!("   {files}").trim_end().to_owned());
        lines
    }
}

/// The arrow nearest to a direction.
fn direction(files: i32, ranks: i32) -> char {
    let is_flat = 2 * ranks.abs() < files.abs();
    let is_steep = 2 * files.abs() < ranks.abs();
    match (files.signum(), ranks.signum()) {
        (1, _) if is_flat => '→',
        (-1, _) if is_flat => '←',
        (_, 1) if is_steep => '↑',
        (_, -1) if is_steep => '↓',
        (1, 1) => '↗',
        (1, -1) => '↘',
        (-1, 1) => '↖',
        _ => '↙',
    }
}

fn plain_rank(rank: Rank, fields: &[Field]) -> String {
    let fields: String = fields.iter().map(plain_field).collect();
    format!(" {} {fields}", rank.char()).trim_end().to_owned()
}

fn plain_field(field: &Field) -> String {
    let inside = match (field.piece, field.arrow) {
        (Some(piece), _) => outlined(piece),
        (None, Some(arrow)) => arrow,
        (None, None) if field.is_dark() => '·',
        (None, None) => ' ',
    };
    match (field.last, field.paint) {
        (true, _) => format!("[{inside}]"),
        (false, Some(_)) => format!("({inside})"),
        (false, None) => format!(" {inside} "),
    }
}

/// White's pieces in outline, Black's filled: for boards without colours.
pub fn outlined(piece: Piece) -> char {
    match (piece.color, piece.role) {
        (Color::White, Role::King) => '♔',
        (Color::White, Role::Queen) => '♕',
        (Color::White, Role::Rook) => '♖',
        (Color::White, Role::Bishop) => '♗',
        (Color::White, Role::Knight) => '♘',
        (Color::White, Role::Pawn) => '♙',
        (Color::Black, role) => filled(role),
    }
}

/// All pieces filled: for boards where their colour is a colour.
pub fn filled(role: Role) -> char {
    match role {
        Role::King => '♚',
        Role::Queen => '♛',
        Role::Rook => '♜',
        Role::Bishop => '♝',
        Role::Knight => '♞',
        Role::Pawn => '♟',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrow_at(shape: &str, square: Square, below: Color) -> Option<char> {
        let shapes = desk::annotation::shapes(&format!("[%cal G{shape}]"));
        let diagram = Diagram {
            board: &Board::new(),
            below,
            last: None,
            shapes: &shapes,
        };
        diagram.field(square).arrow
    }

    #[test]
    fn arrows_point_along_their_squares() {
        assert_eq!(arrow_at("e2e4", Square::E3, Color::White), Some('↑'));
        assert_eq!(arrow_at("e2e4", Square::E4, Color::White), Some('↑'));
        assert_eq!(arrow_at("e2e4", Square::E4, Color::Black), Some('↓'));
        assert_eq!(arrow_at("e2e4", Square::E2, Color::White), None);
        assert_eq!(arrow_at("e2e4", Square::E5, Color::White), None);
        assert_eq!(arrow_at("g2b7", Square::D5, Color::White), Some('↖'));
        assert_eq!(arrow_at("g2b7", Square::D4, Color::White), None);
        assert_eq!(arrow_at("g1f3", Square::F3, Color::White), Some('↖'));
        assert_eq!(arrow_at("a1h1", Square::C1, Color::White), Some('→'));
    }
}
