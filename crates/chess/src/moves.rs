//! A move in two bytes, and lists of moves on the stack.

use std::fmt;
use std::num::NonZeroU16;

use arrayvec::{ArrayString, ArrayVec};
use shakmaty::{CastlingSide, File, Role, Square};

/// The text of one move (SAN, long algebraic or UCI), stored inline.
pub type MoveText = ArrayString<12>;

/// The moves of one position, stored on the stack.
///
/// A target square can be reached on at most eight lines and by eight knight
/// moves, three of which may be promotions; a piece has at most 27 targets.
/// Therefore no board has more than 831 moves and 320 drops.
pub type MoveList = ArrayVec<Move, 1152>;

/// A move of a known position.
///
/// Two bytes: origin, target, and one of fifteen kinds: a plain move of each
/// [`Role`], a promotion to each, castling, en passant, a drop, a null move.
/// The role is included so that playing the move needs no lookup.
///
/// The order of moves is that of origin, target, kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(NonZeroU16);

/// The kind of a [`Move`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveKind {
    /// A move from one square to another, capturing or not.
    Plain(Role),
    /// A pawn promotes to this piece.
    Promotion(Role),
    /// Castling; the move's squares are those of king and rook.
    Castling,
    /// A capture en passant.
    EnPassant,
    /// A drop from the pocket (Crazyhouse).
    Drop(Role),
    /// The null move: the side to move passes.
    Null,
}

const CASTLING: u16 = 7;
const EN_PASSANT: u16 = 8;
const DROP: u16 = 9;
/// A promotion's kind is this plus the role's number: 10 for a knight to 14 for a king.
const PROMOTION: u16 = 8;
const NULL: u16 = 15;

impl Move {
    /// The null move, `--`.
    pub const NULL: Move = Move(NonZeroU16::new(NULL).unwrap());

    #[inline]
    const fn pack(from: Square, to: Square, kind: u16) -> Move {
        let bits = (from as u16) << 10 | (to as u16) << 4 | kind;
        match NonZeroU16::new(bits) {
            Some(bits) => Move(bits),
            None => Move::NULL, // no kind is 0
        }
    }

    /// A plain move, capturing or not.
    #[inline]
    pub const fn plain(role: Role, from: Square, to: Square) -> Move {
        Move::pack(from, to, role as u16)
    }

    /// A promotion, capturing or not. A promotion to a pawn is a plain pawn move.
    #[inline]
    pub const fn promotion(from: Square, to: Square, role: Role) -> Move {
        match role {
            Role::Pawn => Move::plain(Role::Pawn, from, to),
            _ => Move::pack(from, to, PROMOTION + role as u16),
        }
    }

    /// Castling with king and rook on these squares.
    #[inline]
    pub const fn castling(king: Square, rook: Square) -> Move {
        Move::pack(king, rook, CASTLING)
    }

    /// A capture en passant.
    #[inline]
    pub const fn en_passant(from: Square, to: Square) -> Move {
        Move::pack(from, to, EN_PASSANT)
    }

    /// A drop from the pocket.
    #[inline]
    pub const fn drop(role: Role, to: Square) -> Move {
        Move::pack(Square::new(role as u32), to, DROP)
    }

    /// The move as two bytes for storage, never 0. The encoding is stable.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The move with these bits; `None` if no move has them.
    pub fn from_bits(bits: u16) -> Option<Move> {
        let m = Move(NonZeroU16::new(bits)?);
        let canonical = match m.kind() {
            MoveKind::Null => Move::NULL,
            MoveKind::Drop(role) => Move::drop(role, m.target()),
            _ => m,
        };
        (bits & 15 != 0 && m == canonical).then_some(m)
    }

    #[inline]
    const fn origin(self) -> Square {
        Square::new((self.bits() >> 10) as u32)
    }

    /// The kind of this move.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        match self.bits() & 15 {
            CASTLING => MoveKind::Castling,
            EN_PASSANT => MoveKind::EnPassant,
            DROP => MoveKind::Drop(role(self.bits() >> 10)),
            kind @ 1..=6 => MoveKind::Plain(role(kind)),
            kind @ 10..=14 => MoveKind::Promotion(role(kind - PROMOTION)),
            _ => MoveKind::Null,
        }
    }

    /// The origin; `None` for drops and the null move.
    #[inline]
    pub const fn from(self) -> Option<Square> {
        match self.bits() & 15 {
            DROP | NULL => None,
            _ => Some(self.origin()),
        }
    }

    /// The target; for castling the rook's square; `None` for the null move.
    #[inline]
    pub const fn to(self) -> Option<Square> {
        match self.bits() & 15 {
            NULL => None,
            _ => Some(self.target()),
        }
    }

    /// [`Move::to`], with `a1` for the null move.
    #[inline]
    pub(crate) const fn target(self) -> Square {
        Square::new((self.bits() >> 4 & 63) as u32)
    }

    /// [`Move::from`], with a meaningless square where there is none.
    #[inline]
    pub(crate) const fn source(self) -> Square {
        self.origin()
    }

    /// The role of the moved or dropped piece; `None` for the null move.
    #[inline]
    pub const fn role(self) -> Option<Role> {
        match self.kind() {
            MoveKind::Plain(role) | MoveKind::Drop(role) => Some(role),
            MoveKind::Promotion(_) | MoveKind::EnPassant => Some(Role::Pawn),
            MoveKind::Castling => Some(Role::King),
            MoveKind::Null => None,
        }
    }

    /// The promotion piece.
    #[inline]
    pub const fn promoted(self) -> Option<Role> {
        match self.kind() {
            MoveKind::Promotion(role) => Some(role),
            _ => None,
        }
    }

    /// The castling side.
    #[inline]
    pub fn castling_side(self) -> Option<CastlingSide> {
        (self.kind() == MoveKind::Castling)
            .then(|| CastlingSide::from_king_side(self.origin() < self.target()))
    }

    /// True for the null move.
    #[inline]
    pub const fn is_null(self) -> bool {
        self.bits() & 15 == NULL
    }

    /// The square of the piece after the move: [`Move::to`], but the king's target for castling.
    #[inline]
    pub fn destination(self) -> Option<Square> {
        match self.castling_side() {
            Some(side) => Some(Square::from_coords(king_file(side), self.origin().rank())),
            None => self.to(),
        }
    }

    /// UCI text with castling as a king move, `e1g1`.
    pub fn uci(self) -> MoveText {
        self.uci_to(self.destination())
    }

    /// UCI text with castling as king takes rook, `e1h1`, for Chess960.
    pub fn uci960(self) -> MoveText {
        self.uci_to(self.to())
    }

    fn uci_to(self, to: Option<Square>) -> MoveText {
        let mut text = MoveText::new();
        let (Some(to), kind) = (to, self.kind()) else {
            text.push_str("0000");
            return text;
        };
        if let MoveKind::Drop(role) = kind {
            text.push(role.upper_char());
            text.push('@');
        } else {
            push_square(&mut text, self.origin());
        }
        push_square(&mut text, to);
        if let MoveKind::Promotion(role) = kind {
            text.push(role.char());
        }
        text
    }
}

impl From<shakmaty::Move> for Move {
    fn from(m: shakmaty::Move) -> Move {
        use shakmaty::Move as M;
        match m {
            M::Normal {
                from,
                to,
                promotion: Some(role),
                ..
            } => Move::promotion(from, to, role),
            M::Normal { role, from, to, .. } => Move::plain(role, from, to),
            M::EnPassant { from, to } => Move::en_passant(from, to),
            M::Castle { king, rook } => Move::castling(king, rook),
            M::Put { role, to } => Move::drop(role, to),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.uci960())?;
        match self.kind() {
            MoveKind::Castling => f.write_str(" (castling)"),
            MoveKind::EnPassant => f.write_str(" (en passant)"),
            _ => Ok(()),
        }
    }
}

/// The file a king castles to.
pub(crate) const fn king_file(side: CastlingSide) -> File {
    match side {
        CastlingSide::KingSide => File::G,
        CastlingSide::QueenSide => File::C,
    }
}

/// The file a rook castles to.
pub(crate) const fn rook_file(side: CastlingSide) -> File {
    match side {
        CastlingSide::KingSide => File::F,
        CastlingSide::QueenSide => File::D,
    }
}

pub(crate) fn push_square(text: &mut MoveText, square: Square) {
    text.push(square.file().char());
    text.push(square.rank().char());
}

/// The role with this number. A table, because a branch would be unpredictable.
#[inline]
const fn role(number: u16) -> Role {
    use Role::{Bishop, King, Knight, Pawn, Queen, Rook};
    static ROLES: [Role; 8] = [Pawn, Pawn, Knight, Bishop, Rook, Queen, King, Pawn];
    ROLES[number as usize & 7]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_survives_its_bytes() {
        for bits in 0..=u16::MAX {
            let Some(m) = Move::from_bits(bits) else {
                continue;
            };
            let (from, to) = (m.source(), m.target());
            let again = match m.kind() {
                MoveKind::Plain(role) => Move::plain(role, from, to),
                MoveKind::Promotion(role) => Move::promotion(from, to, role),
                MoveKind::Castling => Move::castling(from, to),
                MoveKind::EnPassant => Move::en_passant(from, to),
                MoveKind::Drop(role) => Move::drop(role, to),
                MoveKind::Null => Move::NULL,
            };
            assert_eq!((again, again.bits()), (m, bits));
        }
    }

    #[test]
    fn a_move_in_uci() {
        let texts = |m: Move| (m.uci().to_string(), m.uci960().to_string());
        let both = |text: &str| (text.to_owned(), text.to_owned());
        assert_eq!(texts(Move::NULL), both("0000"));
        assert_eq!(texts(Move::drop(Role::Knight, Square::F3)), both("N@f3"));
        assert_eq!(
            texts(Move::promotion(Square::E7, Square::D8, Role::Queen)),
            both("e7d8q")
        );
        let castling = Move::castling(Square::E8, Square::A8);
        assert_eq!(texts(castling), ("e8c8".to_owned(), "e8a8".to_owned()));
    }
}
