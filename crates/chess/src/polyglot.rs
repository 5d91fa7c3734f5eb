//! Opening books in the Polyglot format: position keys, moves and entries.
//!
//! A book is a list of entries of 16 bytes, sorted by key, without a header.
//!
//! ```
//! use gametree_chess::Board;
//! use gametree_chess::polyglot::{Entry, key, raw_move};
//!
//! let board = Board::new();
//! let e4 = board.parse_san("e4").unwrap();
//! let entry = Entry { key: key(&board), raw_move: raw_move(e4).unwrap(), weight: 1, learn: 0 };
//! assert_eq!(entry.key, 0x463b_9618_1691_fc9c);
//! assert_eq!(entry.mv(&board), Some(e4));
//! ```

use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{CastlingSide, Color, Role, Square, attacks};

use crate::board::Board;
use crate::moves::{Move, MoveKind};

/// The key of a position.
///
/// The file of a pawn that has just moved two squares counts if a pawn of the side to move is beside
/// it, whether or not it can capture legally. So a position that is the same as another one may have
/// another key.
pub fn key(board: &Board) -> u64 {
    let mut key = Zobrist64::default();
    for color in Color::ALL {
        for role in Role::ALL {
            let piece = role.of(color);
            for square in board.by_piece(piece) {
                key ^= Zobrist64::zobrist_for_piece(square, piece);
            }
        }
        for side in CastlingSide::ALL {
            if board.castling_rook(color, side).is_some() {
                key ^= Zobrist64::zobrist_for_castling_right(color, side);
            }
        }
    }
    if let Some(square) = passed_beside_a_pawn(board) {
        key ^= Zobrist64::zobrist_for_en_passant_file(square.file());
    }
    if board.turn() == Color::White {
        key ^= Zobrist64::zobrist_for_white_turn();
    }
    key.0
}

/// The square that a pawn passed, if an enemy pawn attacks it.
fn passed_beside_a_pawn(board: &Board) -> Option<Square> {
    let (square, turn) = (board.passed_square()?, board.turn());
    let beside = attacks::pawn_attacks(!turn, square);
    let ours = board.by_piece(turn.pawn());
    beside.intersect(ours).any().then_some(square)
}

/// A move of a book at a position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Entry {
    /// The key of the position.
    pub key: u64,
    /// The move: target, origin and promotion. Castling is written as king takes rook.
    pub raw_move: u16,
    /// How good the move is, relative to the others of the position.
    pub weight: u16,
    /// A number for the use of the program that wrote it, mostly 0.
    pub learn: u32,
}

impl Entry {
    /// The number of bytes of an entry.
    pub const SIZE: usize = 16;

    /// Reads an entry.
    pub fn from_bytes(bytes: [u8; Entry::SIZE]) -> Entry {
        let number = u128::from_be_bytes(bytes);
        Entry {
            key: (number >> 64) as u64,
            raw_move: (number >> 48) as u16,
            weight: (number >> 32) as u16,
            learn: number as u32,
        }
    }

    /// The bytes of the entry.
    pub fn to_bytes(self) -> [u8; Entry::SIZE] {
        let number = u128::from(self.key) << 64
            | u128::from(self.raw_move) << 48
            | u128::from(self.weight) << 32
            | u128::from(self.learn);
        number.to_be_bytes()
    }

    /// The move, if it is legal on this board.
    pub fn mv(self, board: &Board) -> Option<Move> {
        let square = |shift: u16| Square::new(u32::from(self.raw_move >> shift & 63));
        let promotion = match self.raw_move >> 12 {
            0 => None,
            1 => Some(Role::Knight),
            2 => Some(Role::Bishop),
            3 => Some(Role::Rook),
            4 => Some(Role::Queen),
            _ => return None,
        };
        board.find_move(square(6), square(0), promotion)
    }
}

/// The number of a move in a book; none for null moves and drops.
pub fn raw_move(mv: Move) -> Option<u16> {
    let promotion = match mv.kind() {
        MoveKind::Plain(_) | MoveKind::Castling | MoveKind::EnPassant => 0,
        MoveKind::Promotion(Role::Knight) => 1,
        MoveKind::Promotion(Role::Bishop) => 2,
        MoveKind::Promotion(Role::Rook) => 3,
        MoveKind::Promotion(Role::Queen) => 4,
        MoveKind::Promotion(_) | MoveKind::Drop(_) | MoveKind::Null => return None,
    };
    let (from, to) = (mv.from()?, mv.to()?);
    Some(promotion << 12 | (from as u16) << 6 | to as u16)
}
