//! A move in two bytes, and lists of moves without a heap.

use std::fmt;
use std::num::NonZeroU16;

use arrayvec::{ArrayString, ArrayVec};
use shakmaty::{CastlingSide, File, Role, Square};

/// The text of one move (SAN, long algebraic or UCI), kept without a heap.
pub type MoveText = ArrayString<12>;

/// Moves of one position, kept on the stack.
///
/// A target square can be reached from at most eight lines and eight knight's
/// jumps, of which three may be promoting pawns; a piece has at most 27 targets.
/// No board, however crowded, therefore has more than 831 moves and 320 drops.
pub type MoveList = ArrayVec<Move, 1152>;

/// A move, to be read together with the board it is played on.
///
/// Two bytes: origin, target, and one of fifteen kinds: a plain move of each
/// [`Role`], a promotion to each, castling, en passant, a drop, a null move.
/// Knowing the moving role spares the board a look-up when it is played.
///
/// The order of moves is that of origin, target, kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(NonZeroU16);

/// What sort of move a [`Move`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveKind {
    /// A piece goes from one square to another, perhaps capturing.
    Plain(Role),
    /// A pawn reaches the last rank and becomes this piece.
    Promotion(Role),
    /// King and rook; the move's squares are the king's and the rook's.
    Castling,
    /// A pawn takes a pawn in passing.
    EnPassant,
    /// A piece is put on the board from the pocket (Crazyhouse).
    Drop(Role),
    /// The turn passes; nothing moves.
    Null,
}

const CASTLING: u16 = 7;
const EN_PASSANT: u16 = 8;
const DROP: u16 = 9;
/// A promotion's kind is this plus the role's number: 10 for a knight to 14 for a king.
const PROMOTION: u16 = 8;
const NULL: u16 = 15;

impl Move {
    /// The null move, `--`: the turn passes.
    pub const NULL: Move = Move(NonZeroU16::new(NULL).unwrap());

    #[inline]
    const fn pack(from: Square, to: Square, kind: u16) -> Move {
        let bits = (from as u16) << 10 | (to as u16) << 4 | kind;
        match NonZeroU16::new(bits) {
            Some(bits) => Move(bits),
            None => Move::NULL, // no kind is 0
        }
    }

    /// A move that is none of the special kinds, capturing or not.
    #[inline]
    pub const fn plain(role: Role, from: Square, to: Square) -> Move {
        Move::pack(from, to, role as u16)
    }

    /// A pawn's promotion, capturing or not. A pawn cannot become a pawn: that is read as a
    /// plain pawn move.
    #[inline]
    pub const fn promotion(from: Square, to: Square, role: Role) -> Move {
        match role {
            Role::Pawn => Move::plain(Role::Pawn, from, to),
            _ => Move::pack(from, to, PROMOTION + role as u16),
        }
    }

    /// Castling of the king with the rook on these squares.
    #[inline]
    pub const fn castling(king: Square, rook: Square) -> Move {
        Move::pack(king, rook, CASTLING)
    }

    /// A capture in passing.
    #[inline]
    pub const fn en_passant(from: Square, to: Square) -> Move {
        Move::pack(from, to, EN_PASSANT)
    }

    /// A drop from the pocket.
    #[inline]
    pub const fn drop(role: Role, to: Square) -> Move {
        Move::pack(Square::new(role as u32), to, DROP)
    }

    /// The two bytes, never 0, for storing; their meaning is part of the format.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The move of these two bytes; none if no move is written so.
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

    /// Where the piece comes from; none for drops and the null move.
    #[inline]
    pub const fn from(self) -> Option<Square> {
        match self.bits() & 15 {
            DROP | NULL => None,
            _ => Some(self.origin()),
        }
    }

    /// The square named last: the target, in castling the rook's square; none for the null move.
    #[inline]
    pub const fn to(self) -> Option<Square> {
        match self.bits() & 15 {
            NULL => None,
            _ => Some(self.target()),
        }
    }

    /// [`Move::to`] without the question whether there is one (`a1` for the null move).
    #[inline]
    pub(crate) const fn target(self) -> Square {
        Square::new((self.bits() >> 4 & 63) as u32)
    }

    /// [`Move::from`] without the question whether there is one.
    #[inline]
    pub(crate) const fn source(self) -> Square {
        self.origin()
    }

    /// The role of the piece that is moved or dropped; none for the null move.
    #[inline]
    pub const fn role(self) -> Option<Role> {
        match self.kind() {
            MoveKind::Plain(role) | MoveKind::Drop(role) => Some(role),
            MoveKind::Promotion(_) | MoveKind::EnPassant => Some(Role::Pawn),
            MoveKind::Castling => Some(Role::King),
            MoveKind::Null => None,
        }
    }

    /// What a pawn becomes.
    #[inline]
    pub const fn promoted(self) -> Option<Role> {
        match self.kind() {
            MoveKind::Promotion(role) => Some(role),
            _ => None,
        }
    }

    /// The side on which this move castles.
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

    /// Where the piece stands afterwards: as [`Move::to`], but in castling the king's new square.
    #[inline]
    pub fn destination(self) -> Option<Square> {
        match self.castling_side() {
            Some(side) => Some(Square::from_coords(king_file(side), self.origin().rank())),
            None => self.to(),
        }
    }

    /// UCI text with castling as a king's step, `e1g1`.
    pub fn uci(self) -> MoveText {
        self.uci_to(self.destination())
    }

    /// UCI text with castling as king takes rook, `e1h1`, as Chess960 needs it.
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

/// The role of a number. A table, since a branch here could not be predicted.
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
