//! Reading moves: SAN and its variations, long algebraic notation, UCI.

use std::fmt;
use std::ops::Range;

use arrayvec::ArrayVec;
use shakmaty::{CastlingSide, Color, File, Rank, Role, Square};

use super::Board;
use super::resolve::Word;
use crate::moves::{Move, MoveKind};
use crate::uci::{UciError, UciMove};

/// The error of [`Board::parse_san`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SanError {
    /// `hello`: not a move in any notation.
    Syntax,
    /// `e5` as White's first move: the rules do not allow it.
    Illegal,
    /// `Nd2` where two knights can move there: the number of matching moves.
    Ambiguous(u16),
    /// `e8` for a pawn, without the promotion piece.
    MissingPromotion,
}

impl fmt::Display for SanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SanError::Syntax => f.write_str("not a move"),
            SanError::Illegal => f.write_str("illegal move"),
            SanError::Ambiguous(count) => write!(f, "ambiguous move ({count} moves match)"),
            SanError::MissingPromotion => f.write_str("promotion without a piece"),
        }
    }
}

impl std::error::Error for SanError {}

impl Board {
    /// Reads a move in SAN.
    ///
    /// Also accepted: castling with zeros, lower-case letters or any kind of dash; `e8Q`, `e8=q`,
    /// `e8(Q)`, `e8/Q`; long algebraic `Ng8-f6`; redundant disambiguation; UCI `g1f3`, `e1g1`,
    /// `e1h1`; figurines; lower-case pieces (`nf3`; `bc4` is a pawn capture if one is legal,
    /// otherwise a bishop move) and the unambiguous piece letters of German, French and Spanish
    /// (`Sf3`); `Pe4`; `x` missing, redundant or written `:`; `ed`; `e.p.`; wrong or missing check
    /// marks; drops; null moves `--`, `Z0`, `0000`, `@@@@`, `null`, `pass`.
    ///
    /// ```
    /// # use gametree_chess::Board;
    /// let board = Board::new();
    /// assert_eq!(board.parse_san("Nf3"), board.parse_san("Ng1-f3"));
    /// # board.parse_san("Nf3").unwrap();
    /// ```
    #[inline]
    pub fn parse_san(&self, san: impl AsRef<[u8]>) -> Result<Move, SanError> {
        let san = san.as_ref();
        let resolved = match self.rules {
            None => self.resolve(san),
            Some(_) => self.resolve_variant(san),
        };
        match resolved {
            Some(m) => Ok(m),
            None => self.parse_leniently(san),
        }
    }

    /// The move in strict SAN; `None` if the text is not strict SAN, matches no legal move or
    /// several, or if the rules are those of a variant.
    pub fn plain_san(&self, san: &[u8]) -> Option<Move> {
        match self.rules {
            None => self.resolve(san),
            Some(_) => None,
        }
    }

    /// Plays the move that [`plain_san`](Self::plain_san) finds for a part of a text. If at least eight
    /// bytes of the text follow its start, this is faster than separate calls.
    #[inline(always)]
    pub fn play_plain_san(&mut self, text: &[u8], san: Range<usize>) -> Option<Move> {
        match self.rules {
            None => self.resolve_and_play(text, san),
            Some(_) => None,
        }
    }

    /// Plays the move that [`plain_san`](Self::plain_san) finds for a word on another board, which
    /// has no rules of a variant either, if it is a usual move. `us` is the side to move.
    #[inline(always)]
    pub(crate) fn play_usual_san_on(&self, next: &mut Board, us: Color, san: Word) -> Option<Move> {
        match self.rules {
            None => self.play_usual_on(next, us, san),
            Some(_) => None,
        }
    }

    /// Reads a move in UCI notation: castling as `e1g1` or `e1h1`, drops as `N@f3`, the null move
    /// as `0000`.
    pub fn parse_uci(&self, uci: impl AsRef<[u8]>) -> Result<Move, UciError> {
        self.find_uci(UciMove::from_ascii(uci)?)
    }

    /// The legal move with these squares.
    pub fn find_uci(&self, uci: UciMove) -> Result<Move, UciError> {
        let legal = |m: Move| self.is_legal(m).then_some(m);
        let found = match uci {
            UciMove::Null => legal(Move::NULL),
            UciMove::Drop { role, to } => legal(Move::drop(role, to)),
            UciMove::Normal {
                from,
                to,
                promotion,
            } => self.find_move(from, to, promotion),
        };
        found.ok_or(UciError::Illegal)
    }

    /// The legal move from one square to another. For castling, `to` is the target of the king or
    /// the square of the rook.
    pub fn find_move(&self, from: Square, to: Square, promotion: Option<Role>) -> Option<Move> {
        let pattern = MovePattern {
            from_file: Some(from.file()),
            from_rank: Some(from.rank()),
            promotion,
            ..MovePattern::to(to)
        };
        self.find(&pattern).ok()
    }

    #[cold]
    fn resolve_variant(&self, san: &[u8]) -> Option<Move> {
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
            let Some(pattern) = MovePattern::read(role, rest) else {
                continue;
            };
            match self.find(&pattern) {
                Ok(m) => return Ok(m),
                Err(error) if worst == SanError::Syntax => worst = error,
                Err(_) => {}
            }
        }
        Err(worst)
    }

    /// The only legal move that matches a pattern. A castling move matches only if no other does.
    fn find(&self, pattern: &MovePattern) -> Result<Move, SanError> {
        let moves = self.legal_moves();
        let mut matching = moves.iter().filter(|m| pattern.matches(**m));
        match (matching.next(), matching.count()) {
            (Some(&m), 0) => Ok(m),
            (Some(_), others) => Err(SanError::Ambiguous(others as u16 + 1)),
            (None, _) => match moves.iter().find(|m| pattern.matches_castling(**m)) {
                Some(&m) => Ok(m),
                None if moves.iter().any(|m| pattern.matches_unpromoted(*m)) => {
                    Err(SanError::MissingPromotion)
                }
                None => Err(SanError::Illegal),
            },
        }
    }
}

/// The parts of a move that a text specifies.
struct MovePattern {
    role: Option<Role>,
    from_file: Option<File>,
    from_rank: Option<Rank>,
    to_file: File,
    /// Absent in `ed`.
    to_rank: Option<Rank>,
    promotion: Option<Role>,
    captures: bool,
    drops: bool,
}

impl MovePattern {
    fn to(to: Square) -> MovePattern {
        MovePattern {
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

    /// Reads the text after the piece letter: squares with `x`, `:` or `-` anywhere, then the
    /// promotion.
    fn read(role: Option<Role>, text: &[u8]) -> Option<MovePattern> {
        let (squares, promotion) = split_promotion(text);
        let mut pattern = MovePattern {
            role,
            promotion,
            ..MovePattern::to(Square::A1)
        };
        let mut names = ArrayVec::<u8, 4>::new();
        for &byte in squares {
            match byte {
                b'x' | b'X' | b':' => pattern.captures = true,
                b'-' => {}
                b'@' if names.is_empty() => pattern.drops = true,
                _ => names.try_push(byte).ok()?,
            }
        }
        let (from, to) = match *names.as_slice() {
            [ref from @ .., file, rank @ b'1'..=b'8'] => (from, (file, Some(rank))),
            [ref from @ .., file] if from.len() == 1 && role.is_none() => (from, (file, None)),
            _ => return None,
        };
        pattern.to_file = file(to.0)?;
        pattern.to_rank = match to.1 {
            Some(digit) => Some(rank(digit)?),
            None => None,
        };
        match *from {
            [] => {}
            [at] => {
                (pattern.from_file, pattern.from_rank) = (file(at), rank(at));
                pattern
                    .from_file
                    .map(drop)
                    .or(pattern.from_rank.map(drop))?;
            }
            [f, r] => (pattern.from_file, pattern.from_rank) = (Some(file(f)?), Some(rank(r)?)),
            _ => return None,
        }
        Some(pattern)
    }

    fn has_origin(&self) -> bool {
        self.from_file.is_some() && self.from_rank.is_some()
    }

    fn matches(&self, m: Move) -> bool {
        self.promotion == m.promoted() && self.matches_squares(m)
    }

    fn matches_unpromoted(&self, m: Move) -> bool {
        self.promotion.is_none() && m.promoted().is_some() && self.matches_squares(m)
    }

    fn matches_squares(&self, m: Move) -> bool {
        if self.drops {
            let role = self.role.unwrap_or(Role::Pawn);
            return m.kind() == MoveKind::Drop(role) && self.ends_at(m.target());
        }
        let Some(from) = m.from().filter(|_| m.kind() != MoveKind::Castling) else {
            return false;
        };
        self.matches_role(m)
            && self.starts_at(from)
            && self.ends_at(m.target())
            && self.matches_pawn_file(m, from)
    }

    /// Without a letter it is a pawn move, unless the origin is given.
    fn matches_role(&self, m: Move) -> bool {
        match self.role {
            None if self.has_origin() => true,
            role => m.role() == Some(role.unwrap_or(Role::Pawn)),
        }
    }

    /// Without a capture sign or an origin file, a pawn stays on its file.
    fn matches_pawn_file(&self, m: Move, from: Square) -> bool {
        let stays = from.file() == m.target().file();
        m.role() != Some(Role::Pawn) || self.from_file.is_some() || stays || self.captures
    }

    fn matches_castling(&self, m: Move) -> bool {
        m.kind() == MoveKind::Castling
            && self.has_origin()
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

/// Longer than any notation of a move.
type Plain = ArrayVec<u8, 24>;

/// The text in ASCII: figurines as letters, all kinds of dashes and crosses as `-` and `x`.
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
            '\u{fe0e}' | '\u{fe0f}' => continue, // variation selectors of figurines
            c if c.is_ascii_graphic() => c as u8,
            _ => return None,
        };
        plain.try_push(byte).ok()?;
    }
    Some(plain)
}

/// The text without check marks, annotation marks and `e.p.` at its end.
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

/// The interpretations of the first letter, in the order in which they are tried.
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

/// Splits `=Q`, `(Q)`, `/Q` or `Q` after a rank off the end.
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
