//! Moves as people write them: SAN and everything near it, long algebraic, UCI.

use std::fmt;

use arrayvec::ArrayVec;
use shakmaty::{CastlingSide, File, Rank, Role, Square};

use super::Board;
use crate::moves::{Move, MoveKind};

/// Why a text names no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SanError {
    /// `hello`: not a move in any notation.
    Syntax,
    /// `e5` as White's first move: no piece may do that.
    Illegal,
    /// `Nd2` where two knights may go there: so many moves match.
    Ambiguous(u16),
    /// `e8` for a pawn, without the piece it becomes.
    MissingPromotion,
}

impl fmt::Display for SanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SanError::Syntax => f.write_str("not a move"),
            SanError::Illegal => f.write_str("illegal move"),
            SanError::Ambiguous(count) => write!(f, "ambiguous move ({count} moves match)"),
            SanError::MissingPromotion => f.write_str("promotion without the piece it makes"),
        }
    }
}

impl std::error::Error for SanError {}

/// Why a text names no move in UCI notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UciError {
    /// Not of the form `e2e4`, `e7e8q`, `N@f3` or `0000`.
    Syntax,
    /// No such move is legal.
    Illegal,
}

impl fmt::Display for UciError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UciError::Syntax => "not a UCI move",
            UciError::Illegal => "illegal move",
        })
    }
}

impl std::error::Error for UciError {}

impl Board {
    /// The move that a text names here.
    ///
    /// SAN is read fast. What else is understood: castling with zeros, small letters or dashes of
    /// any kind; `e8Q`, `e8=q`, `e8(Q)`, `e8/Q`; long algebraic `Ng8-f6`; more origin than needed;
    /// UCI `g1f3`, `e1g1`, `e1h1`; figurines; small letters (`nf3`; `bc4` is a pawn's capture if
    /// there is one, else the bishop's move) and the unmistakable piece letters of German, French
    /// and Spanish (`Sf3`); `Pe4`; `x` missing, superfluous or written `:`; `ed`; `e.p.`, and
    /// check marks right or wrong; drops; null moves `--`, `Z0`, `0000`, `@@@@`, `null`, `pass`.
    #[inline]
    pub fn parse_san(&self, san: &[u8]) -> Result<Move, SanError> {
        let resolved = match self.rules {
            None => self.resolve(san),
            Some(_) => self.resolve_refereed(san),
        };
        match resolved {
            Some(m) => Ok(m),
            None => self.parse_leniently(san),
        }
    }

    /// The move that plain SAN names here; none if the text is not plain SAN, names no legal move
    /// or several, or if the rules are not those of chess.
    #[inline]
    pub(crate) fn plain_san(&self, san: &[u8]) -> Option<Move> {
        match self.rules {
            None => self.resolve(san),
            Some(_) => None,
        }
    }

    /// The move that a UCI text names here: castling as `e1g1` or `e1h1`, drops as `N@f3`, the
    /// null move as `0000`.
    pub fn parse_uci(&self, uci: &[u8]) -> Result<Move, UciError> {
        if uci == b"0000" {
            return Some(Move::NULL)
                .filter(|&m| self.is_legal(m))
                .ok_or(UciError::Illegal);
        }
        let sketch = Sketch::read_uci(uci).ok_or(UciError::Syntax)?;
        self.find(&sketch).map_err(|_| UciError::Illegal)
    }

    /// The legal move from one square to another (castling by the king's or the rook's square),
    /// with what a pawn becomes.
    pub fn find_move(&self, from: Square, to: Square, promotion: Option<Role>) -> Option<Move> {
        let sketch = Sketch {
            from_file: Some(from.file()),
            from_rank: Some(from.rank()),
            promotion,
            ..Sketch::to(to)
        };
        self.find(&sketch).ok()
    }

    #[cold]
    fn resolve_refereed(&self, san: &[u8]) -> Option<Move> {
        let rules = self.rules.as_ref()?;
        let san = shakmaty::san::SanPlus::from_ascii(san).ok()?.san;
        san.to_move(&**rules).ok().map(Into::into)
    }

    #[cold]
    #[inline(never)]
    fn parse_leniently(&self, san: &[u8]) -> Result<Move, SanError> {
        let text = plain_text(san).ok_or(SanError::Syntax)?;
        let text = without_marks(&text);
        if is_null(text) {
            return Some(Move::NULL)
                .filter(|&m| self.is_legal(m))
                .ok_or(SanError::Illegal);
        }
        if let Some(side) = castling(text) {
            let castles = |m: &Move| m.castling_side() == Some(side);
            return self
                .legal_moves()
                .into_iter()
                .find(castles)
                .ok_or(SanError::Illegal);
        }
        let mut worst = SanError::Syntax;
        for (role, rest) in readings(text).into_iter().flatten() {
            let Some(sketch) = Sketch::read(role, rest) else {
                continue;
            };
            match self.find(&sketch) {
                Ok(m) => return Ok(m),
                Err(error) if worst == SanError::Syntax => worst = error,
                Err(_) => {}
            }
        }
        Err(worst)
    }

    /// The only legal move that a sketch fits. Castling is meant only where no step is.
    fn find(&self, sketch: &Sketch) -> Result<Move, SanError> {
        let moves = self.legal_moves();
        let fits = |m: &&Move| sketch.fits(**m);
        let mut fitting = moves.iter().filter(fits);
        match (fitting.next(), fitting.count()) {
            (Some(&m), 0) => Ok(m),
            (Some(_), others) => Err(SanError::Ambiguous(others as u16 + 1)),
            (None, _) => match moves.iter().find(|m| sketch.fits_castling(**m)) {
                Some(&m) => Ok(m),
                None if moves.iter().any(|m| sketch.fits_unpromoted(*m)) => {
                    Err(SanError::MissingPromotion)
                }
                None => Err(SanError::Illegal),
            },
        }
    }
}

/// What a text says about a move.
struct Sketch {
    role: Option<Role>,
    from_file: Option<File>,
    from_rank: Option<Rank>,
    to_file: File,
    /// Left out in `ed`.
    to_rank: Option<Rank>,
    promotion: Option<Role>,
    captures: bool,
    drops: bool,
}

impl Sketch {
    fn to(to: Square) -> Sketch {
        Sketch {
            role: None,
            from_file: None,
            from_rank: None,
            to_file: to.file(),
            to_rank: Some(to.rank()),
            promotion: None,
            captures: false,
            drops: false,
        }
    }

    /// Reads what follows the piece's letter: the squares with `x`, `:` or `-` anywhere among
    /// them, then the promotion.
    fn read(role: Option<Role>, text: &[u8]) -> Option<Sketch> {
        let (squares, promotion) = split_promotion(text);
        let mut sketch = Sketch {
            role,
            promotion,
            ..Sketch::to(Square::A1)
        };
        let mut names = ArrayVec::<u8, 4>::new();
        for &byte in squares {
            match byte {
                b'x' | b'X' | b':' => sketch.captures = true,
                b'-' => {}
                b'@' if names.is_empty() => sketch.drops = true,
                _ => names.try_push(byte).ok()?,
            }
        }
        let (from, to) = match *names.as_slice() {
            [ref from @ .., file, rank @ b'1'..=b'8'] => (from, (file, Some(rank))),
            [ref from @ .., file] if from.len() == 1 && role.is_none() => (from, (file, None)),
            _ => return None,
        };
        sketch.to_file = file(to.0)?;
        sketch.to_rank = match to.1 {
            Some(digit) => Some(rank(digit)?),
            None => None,
        };
        match *from {
            [] => {}
            [at] => {
                (sketch.from_file, sketch.from_rank) = (file(at), rank(at));
                sketch.from_file.map(drop).or(sketch.from_rank.map(drop))?;
            }
            [f, r] => (sketch.from_file, sketch.from_rank) = (Some(file(f)?), Some(rank(r)?)),
            _ => return None,
        }
        Some(sketch)
    }

    /// Reads `e2e4`, `e7e8q` or `N@f3` and nothing else.
    fn read_uci(text: &[u8]) -> Option<Sketch> {
        if let [letter, b'@', file, rank] = *text {
            let role = Role::from_char(char::from(letter))?;
            return Sketch::read(Some(role), &[b'@', file, rank]);
        }
        let sketch = Sketch::read(None, text)?;
        let length = 4 + usize::from(sketch.promotion.is_some());
        (sketch.names_origin() && text.len() == length).then_some(sketch)
    }

    fn names_origin(&self) -> bool {
        self.from_file.is_some() && self.from_rank.is_some()
    }

    fn fits(&self, m: Move) -> bool {
        self.promotion == m.promoted() && self.fits_squares(m)
    }

    fn fits_unpromoted(&self, m: Move) -> bool {
        self.promotion.is_none() && m.promoted().is_some() && self.fits_squares(m)
    }

    fn fits_squares(&self, m: Move) -> bool {
        if self.drops {
            let role = self.role.unwrap_or(Role::Pawn);
            return m.kind() == MoveKind::Drop(role) && self.ends_at(m.target());
        }
        let Some(from) = m.from().filter(|_| m.kind() != MoveKind::Castling) else {
            return false;
        };
        self.fits_role(m)
            && self.starts_at(from)
            && self.ends_at(m.target())
            && self.fits_pawn_file(m, from)
    }

    /// Without a letter it is a pawn's move, unless both squares are named.
    fn fits_role(&self, m: Move) -> bool {
        match self.role {
            None if self.names_origin() => true,
            role => m.role() == Some(role.unwrap_or(Role::Pawn)),
        }
    }

    /// A pawn that is said neither to capture nor to come from some file stays on its file.
    fn fits_pawn_file(&self, m: Move, from: Square) -> bool {
        let stays = from.file() == m.target().file();
        m.role() != Some(Role::Pawn) || self.from_file.is_some() || stays || self.captures
    }

    fn fits_castling(&self, m: Move) -> bool {
        m.kind() == MoveKind::Castling
            && self.names_origin()
            && !self.drops
            && self.promotion.is_none()
            && matches!(self.role, None | Some(Role::King))
            && self.starts_at(m.source())
            && (self.ends_at(m.target()) || m.destination().is_some_and(|to| self.ends_at(to)))
    }

    fn starts_at(&self, from: Square) -> bool {
        self.from_file.is_none_or(|file| file == from.file())
            && self.from_rank.is_none_or(|rank| rank == from.rank())
    }

    fn ends_at(&self, to: Square) -> bool {
        self.to_file == to.file() && self.to_rank.is_none_or(|rank| rank == to.rank())
    }
}

/// Longer than any way of writing a move.
type Plain = ArrayVec<u8, 24>;

/// The text in ASCII: figurines as letters, dashes and crosses of all kinds as `-` and `x`.
fn plain_text(san: &[u8]) -> Option<Plain> {
    let mut plain = Plain::new();
    for c in std::str::from_utf8(san).ok()?.chars() {
        let byte = match c {
            '♔' | '♚' => b'K',
            '♕' | '♛' => b'Q',
            '♖' | '♜' => b'R',
            '♗' | '♝' => b'B',
            '♘' | '♞' => b'N',
            '♙' | '♟' => b'P',
            '\u{2010}'..='\u{2015}' | '\u{2212}' => b'-',
            '×' | '✕' | '✖' => b'x',
            '†' | '‡' => b'+',
            '\u{fe0e}' | '\u{fe0f}' => continue, // says how to draw the figurine
            c if c.is_ascii_graphic() => c as u8,
            _ => return None,
        };
        plain.try_push(byte).ok()?;
    }
    Some(plain)
}

/// The text without check and annotation marks and without `e.p.` at its end.
fn without_marks(mut text: &[u8]) -> &[u8] {
    const MARKS: [&[u8]; 12] = [
        b"+", b"#", b"!", b"?", b"e.p.", b"(e.p.)", b"e.p", b"(ep)", b"ep", b"mate", b"ch", b".",
    ];
    while let Some(rest) = MARKS.iter().find_map(|mark| text.strip_suffix(*mark)) {
        text = rest;
    }
    text
}

fn is_null(text: &[u8]) -> bool {
    let word = |word: &str| text.eq_ignore_ascii_case(word.as_bytes());
    matches!(text, b"--" | b"Z0" | b"0000" | b"@@@@") || word("null") || word("pass")
}

fn castling(text: &[u8]) -> Option<CastlingSide> {
    let step = |c: &u8| matches!(c, b'O' | b'o' | b'0');
    match text {
        [a, b'-', b] | [a, b] if [a, b].into_iter().all(step) => Some(CastlingSide::KingSide),
        [a, b'-', b, b'-', c] | [a, b, c] if [a, b, c].into_iter().all(step) => {
            Some(CastlingSide::QueenSide)
        }
        _ => None,
    }
}

/// The ways to read the first letter, in the order in which they are tried.
fn readings(text: &[u8]) -> [Option<(Option<Role>, &[u8])>; 2] {
    let [first, rest @ ..] = text else {
        return [None, None];
    };
    let role = match first {
        b'P' | b'p' => Role::Pawn,
        b'N' | b'n' | b'S' | b'C' => Role::Knight,
        b'B' | b'L' | b'F' | b'A' => Role::Bishop,
        b'R' | b'r' | b'T' => Role::Rook,
        b'Q' | b'q' | b'D' => Role::Queen,
        b'K' | b'k' => Role::King,
        b'b' => return [Some((None, text)), Some((Some(Role::Bishop), rest))],
        _ => return [Some((None, text)), None],
    };
    [Some((Some(role), rest)), None]
}

/// Takes `=Q`, `(Q)`, `/Q` or `Q` off the end, which must follow a rank.
fn split_promotion(text: &[u8]) -> (&[u8], Option<Role>) {
    let (rest, letter) = match text {
        [rest @ .., b'=', b'(', letter, b')'] => (rest, letter),
        [rest @ .., b'(' | b'[', letter, b')' | b']'] => (rest, letter),
        [rest @ .., b'=' | b'/', letter] => (rest, letter),
        [rest @ .., letter] => (rest, letter),
        [] => return (text, None),
    };
    match (rest, Role::from_char(char::from(*letter))) {
        ([.., b'1'..=b'8'], Some(role)) if role != Role::Pawn => (rest, Some(role)),
        _ => (text, None),
    }
}

fn file(letter: u8) -> Option<File> {
    File::from_char(char::from(letter))
}

fn rank(digit: u8) -> Option<Rank> {
    Rank::from_char(char::from(digit))
}
