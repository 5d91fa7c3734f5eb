//! Position keys of 128 bits (Zobrist hashing).
//!
//! A key is the exclusive or of one random number per feature of the position, so a move changes it
//! in a few steps. The numbers come from a fixed generator: keys are the same on every machine and
//! in every run.

use shakmaty::zobrist::{Zobrist128, ZobristValue};
use shakmaty::{Bitboard, Color, Piece, Position, Role, Square};

use super::{Board, beside, castled};
use crate::moves::{Move, MoveKind};
use crate::variant::Variant;

/// Which positions are considered the same. Counters are always ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Identity {
    /// Same board, side to move, castling rights, and en-passant square if such a capture is legal;
    /// in variants also pockets and remaining checks.
    #[default]
    Strict,
    /// The same without en passant: equal [`Board::base_fen`].
    Base,
}

impl Board {
    /// The key of the position, computed from scratch; [`KeyedBoard`] updates it incrementally.
    pub fn key(&self, identity: Identity) -> u128 {
        self.add_en_passant(self.base_key(), identity)
    }

    fn base_key(&self) -> u128 {
        let mut key = self.castling_key() ^ self.turn_key() ^ self.variant_key();
        for color in Color::ALL {
            for role in Role::ALL {
                let piece = role.of(color);
                key = self
                    .by_piece(piece)
                    .into_iter()
                    .fold(key, |k, sq| k ^ piece_key(piece, sq));
            }
        }
        key
    }

    fn add_en_passant(&self, base: u128, identity: Identity) -> u128 {
        match (identity, self.ep) {
            (Identity::Strict, Some(_)) => match self.en_passant() {
                Some(square) => base ^ KEYS.files[square.file().to_usize() & 7],
                None => base,
            },
            _ => base,
        }
    }

    fn turn_key(&self) -> u128 {
        self.turn.fold_wb(0, KEYS.black_to_move)
    }

    fn castling_key(&self) -> u128 {
        rooks_key(self.castling)
    }

    /// The features of variants: rules, pockets, promoted pieces, checks.
    fn variant_key(&self) -> u128 {
        let Some(rules) = &self.rules else { return 0 };
        let mut key = Zobrist128(KEYS.variants[Variant::from_rules(rules.variant()) as usize & 15]);
        for square in rules.promoted() {
            key ^= Zobrist128::zobrist_for_promoted(square);
        }
        for (color, pocket) in rules
            .pockets()
            .into_iter()
            .flat_map(|p| p.as_ref().zip_color())
        {
            for (role, &count) in pocket.as_ref().zip_role() {
                key ^= Zobrist128::zobrist_for_pocket(color, role, count);
            }
        }
        let checks = rules
            .remaining_checks()
            .into_iter()
            .flat_map(|c| c.as_ref().zip_color());
        for (color, &remaining) in checks {
            key ^= Zobrist128::zobrist_for_remaining_checks(color, remaining);
        }
        key.0
    }

    /// The change of the key by a move, without castling rights.
    fn move_key(&self, m: Move) -> u128 {
        let (us, from, to) = (self.turn, m.source(), m.target());
        let steps = match m.kind() {
            MoveKind::Plain(role) => piece_key(role.of(us), from) ^ piece_key(role.of(us), to),
            MoveKind::Promotion(role) => piece_key(us.pawn(), from) ^ piece_key(role.of(us), to),
            MoveKind::EnPassant => {
                piece_key(us.pawn(), from)
                    ^ piece_key(us.pawn(), to)
                    ^ piece_key((!us).pawn(), beside(from, to))
            }
            MoveKind::Castling => {
                let (king, rook) = castled(from, to);
                piece_key(us.king(), from)
                    ^ piece_key(us.rook(), to)
                    ^ piece_key(us.king(), king)
                    ^ piece_key(us.rook(), rook)
            }
            MoveKind::Drop(_) | MoveKind::Null => 0,
        };
        let taken = match m.kind() {
            MoveKind::Plain(_) | MoveKind::Promotion(_) if self.occupied().contains(to) => {
                self.piece_at(to).map_or(0, |piece| piece_key(piece, to))
            }
            _ => 0,
        };
        steps ^ taken ^ KEYS.black_to_move
    }
}

/// A board with an incrementally updated key: playing a move costs slightly more, reading the key
/// almost nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyedBoard {
    board: Board,
    base: u128,
}

impl KeyedBoard {
    /// Returns the board with its key.
    pub fn new(board: Board) -> KeyedBoard {
        let base = board.base_key();
        KeyedBoard { board, base }
    }

    /// The board.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the board without its key.
    pub fn into_board(self) -> Board {
        self.board
    }

    /// The key, equal to [`Board::key`].
    #[inline]
    pub fn key(&self, identity: Identity) -> u128 {
        self.board.add_en_passant(self.base, identity)
    }

    /// Plays a legal move, as [`Board::play`] does.
    pub fn play(&mut self, m: Move) {
        if self.board.rules.is_some() {
            self.board.play(m);
            self.base = self.board.base_key();
            return;
        }
        let change = self.board.move_key(m);
        let before = self.board.castling;
        self.board.play(m);
        self.base ^= change ^ rooks_key(before ^ self.board.castling);
    }
}

#[inline]
fn piece_key(piece: Piece, square: Square) -> u128 {
    let color = piece.color.fold_wb(0, 8);
    KEYS.pieces[color | piece.role as usize & 7][square.to_usize() & 63]
}

fn rooks_key(rooks: Bitboard) -> u128 {
    rooks
        .into_iter()
        .fold(0, |key, rook| key ^ KEYS.rooks[rook.to_usize() & 63])
}

/// One random number per feature.
struct Keys {
    /// Indexed by the number of the role, plus 8 for Black.
    pieces: [[u128; 64]; 16],
    rooks: [u128; 64],
    files: [u128; 8],
    variants: [u128; 16],
    black_to_move: u128,
}

static KEYS: Keys = Keys::new();

impl Keys {
    const fn new() -> Keys {
        let mut random = Random(0x6761_6d65_7472_6565); // "gametree"
        let mut pieces = [[0; 64]; 16];
        let mut i = 0;
        while i < 16 {
            pieces[i] = random.row();
            i += 1;
        }
        Keys {
            pieces,
            rooks: random.row(),
            files: random.row(),
            variants: random.row(),
            black_to_move: random.next(),
        }
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014), two outputs to a number.
struct Random(u64);

impl Random {
    const fn half(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    const fn next(&mut self) -> u128 {
        (self.half() as u128) << 64 | self.half() as u128
    }

    const fn row<const N: usize>(&mut self) -> [u128; N] {
        let mut row = [0; N];
        let mut i = 0;
        while i < N {
            row[i] = self.next();
            i += 1;
        }
        row
    }
}
