//! A light board that follows a game move by move: numbered pieces, position hash, comparison.
//!
//! It trusts that the moves are legal, as those of a stored game are: playing one costs a few
//! nanoseconds.

use chess::{Board, Color, Move, MoveKind, Role, Square, attacks};

use crate::bytes::{Bytes, Damage};
use crate::numbered::{
    BISHOP, KING, KNIGHT, Numbered, PAWN, PieceCode, QUEEN, ROOK, beside, castled, code,
};

const NO_FILE: u8 = 8;

/// The random numbers of the position hash. They are part of the file format.
struct Keys {
    pieces: [[u64; 64]; 16],
    castling: [u64; 64],
    files: [u64; 9],
    black: u64,
}

static KEYS: Keys = Keys::new();

impl Keys {
    const fn new() -> Keys {
        let mut state = 0x6761_6D65_7472_6565;
        let mut keys = Keys {
            pieces: [[0; 64]; 16],
            castling: [0; 64],
            files: [0; 9],
            black: 0,
        };
        let mut square = 0;
        while square < 64 {
            let mut code = 1;
            while code < 15 {
                (keys.pieces[code][square], state) = random(state);
                code += 1;
            }
            (keys.castling[square], state) = random(state);
            square += 1;
        }
        let mut file = 0;
        while file < 8 {
            (keys.files[file], state) = random(state);
            file += 1;
        }
        (keys.black, _) = random(state);
        keys
    }
}

/// The next random number (SplitMix64) and state.
const fn random(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (z ^ (z >> 31), state)
}

/// The hash of a position of any variant; equal positions have equal hashes.
pub(crate) fn hash_of(board: &Board) -> u64 {
    let mut hash = 0;
    for color in Color::ALL {
        for role in Role::ALL {
            let keys = &KEYS.pieces[usize::from(code(color, role))];
            for square in board.by_piece(role.of(color)) {
                hash ^= keys[square as usize];
            }
        }
    }
    for rook in board.castling_rooks() {
        hash ^= KEYS.castling[rook as usize];
    }
    if let Some(square) = board.en_passant() {
        hash ^= KEYS.files[square.file() as usize];
    }
    if board.turn() == Color::Black {
        hash ^= KEYS.black;
    }
    if !board.variant().is_chess() {
        hash ^= board.key(chess::Identity::Strict) as u64;
    }
    hash
}

/// What makes two positions the same, in a form that is compared quickly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placement {
    pieces: [u64; 16],
    castling: u64,
    en_passant: u8,
    black_to_move: bool,
}

impl Placement {
    pub fn of(board: &Board) -> Placement {
        let mut pieces = [0; 16];
        for color in Color::ALL {
            for role in Role::ALL {
                pieces[usize::from(code(color, role))] = board.by_piece(role.of(color)).0;
            }
        }
        Placement {
            pieces,
            castling: board.castling_rooks().0,
            en_passant: board.en_passant().map_or(NO_FILE, |sq| sq.file() as u8),
            black_to_move: board.turn() == Color::Black,
        }
    }

    /// The pieces on the board.
    pub fn men(&self) -> u32 {
        self.pieces.iter().map(|set| set.count_ones()).sum()
    }
}

/// A position of a game under way.
#[derive(Clone, Debug)]
pub(crate) struct Track {
    pieces: Numbered,
    placement: Placement,
    hash: u64,
}

impl Track {
    /// The position before the first move of a usual game.
    pub fn usual() -> &'static Track {
        static USUAL: std::sync::LazyLock<Track> =
            std::sync::LazyLock::new(|| Track::new(&Board::new()).unwrap_or_else(Track::empty));
        &USUAL
    }

    fn empty() -> Track {
        Track {
            pieces: Numbered::empty(),
            placement: Placement {
                pieces: [0; 16],
                castling: 0,
                en_passant: NO_FILE,
                black_to_move: false,
            },
            hash: 0,
        }
    }

    /// `None` for positions whose moves do not fit the coding.
    pub fn new(board: &Board) -> Option<Track> {
        Some(Track {
            pieces: Numbered::new(board)?,
            placement: Placement::of(board),
            hash: hash_of(board),
        })
    }

    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The pieces on the board.
    #[inline]
    pub fn men(&self) -> u32 {
        self.pieces.men()
    }

    #[inline]
    pub fn is_at(&self, placement: &Placement) -> bool {
        self.placement == *placement
    }

    /// Whether the position is that of another track.
    #[inline]
    pub fn equals(&self, other: &Track) -> bool {
        self.placement == other.placement
    }

    /// The number of pieces with this code.
    pub fn count(&self, code: PieceCode) -> u32 {
        self.placement.pieces[usize::from(code)].count_ones()
    }

    /// The squares of the pieces with this code.
    pub fn pieces(&self, code: PieceCode) -> u64 {
        self.placement.pieces[usize::from(code)]
    }

    /// Adds the squares on which the pieces of a move just played stand now.
    #[inline]
    pub fn add_moved(&self, m: Move, seen: &mut [u64; 16]) {
        let Some(to) = m.to() else { return };
        if let MoveKind::Castling = m.kind() {
            let mover = usize::from(!self.placement.black_to_move) << 3;
            for role in [KING, ROOK] {
                let code = mover | usize::from(role);
                seen[code] |= self.placement.pieces[code];
            }
            return;
        }
        seen[usize::from(self.pieces.piece_on(to as usize))] |= 1 << to as u32;
    }

    #[inline]
    fn side(&self) -> usize {
        usize::from(self.placement.black_to_move)
    }

    /// Appends the code of a legal move; false if it has none.
    pub fn encode(&self, m: Move, out: &mut Vec<u8>) -> bool {
        self.pieces.encode(m, out)
    }

    /// Reads a coded move of this position.
    #[inline]
    pub fn decode(&self, bytes: &mut Bytes) -> Result<Move, Damage> {
        self.pieces.decode(bytes)
    }

    /// Plays a legal move.
    #[inline]
    pub fn play(&mut self, m: Move) {
        let (Some(from), Some(to)) = (m.from(), m.to()) else {
            return;
        };
        let (from, to) = (from as usize, to as usize);
        self.hash ^= KEYS.files[usize::from(self.placement.en_passant)];
        self.placement.en_passant = NO_FILE;
        match m.kind() {
            MoveKind::Castling => self.castle(from, to),
            MoveKind::EnPassant => {
                self.take(beside(from, to));
                self.shift(from, to);
            }
            kind => {
                if self.pieces.piece_on(to) != 0 {
                    self.take(to);
                }
                self.shift(from, to);
                if let MoveKind::Promotion(role) = kind {
                    self.promote(to, role as u8);
                }
            }
        }
        self.lose_rights(1 << from | 1 << to);
        if self.pieces.piece_on(to) & 7 == PAWN && from.abs_diff(to) == 16 {
            self.note_double_step(to);
        }
        self.pieces.pass();
        self.placement.black_to_move ^= true;
        self.hash ^= KEYS.black;
    }

    /// Moves a piece to an empty square.
    #[inline]
    fn shift(&mut self, from: usize, to: usize) {
        let piece = usize::from(self.pieces.piece_on(from));
        self.pieces.shift(from, to);
        self.placement.pieces[piece] ^= 1 << from | 1 << to;
        let keys = &KEYS.pieces[piece];
        self.hash ^= keys[from] ^ keys[to];
    }

    #[inline]
    fn take(&mut self, square: usize) {
        let piece = usize::from(self.pieces.piece_on(square));
        self.pieces.take(square);
        self.placement.pieces[piece] ^= 1 << square;
        self.hash ^= KEYS.pieces[piece][square];
    }

    fn promote(&mut self, square: usize, role: u8) {
        let pawn = self.pieces.piece_on(square);
        let piece = pawn & 8 | role;
        self.pieces.promote(square, role);
        for code in [pawn, piece] {
            self.placement.pieces[usize::from(code & 15)] ^= 1 << square;
            self.hash ^= KEYS.pieces[usize::from(code & 15)][square];
        }
    }

    fn castle(&mut self, king: usize, rook: usize) {
        let (king_to, rook_to) = castled(king, rook);
        self.shift(king, king_to);
        self.shift(rook, rook_to);
    }

    #[inline]
    fn lose_rights(&mut self, touched: u64) {
        const WHITE: u64 = 0x91;
        const BLACK: u64 = WHITE << 56;
        if self.placement.castling == 0 || touched & (WHITE | BLACK) == 0 {
            return;
        }
        let mut lost = touched;
        for rank in [0, 56] {
            if touched & (0x10 << rank) != 0 {
                lost |= 0xFF << rank;
            }
        }
        let mut rooks = self.placement.castling & lost;
        self.placement.castling &= !lost;
        while rooks != 0 {
            self.hash ^= KEYS.castling[rooks.trailing_zeros() as usize];
            rooks &= rooks - 1;
        }
    }

    /// Notes the file of a pawn that moved two squares if it can be captured en passant legally.
    fn note_double_step(&mut self, to: usize) {
        let mover = self.side() as u8;
        let enemy_pawn = (mover ^ 1) << 3 | PAWN;
        let neighbours =
            ((1 << to) & !0x0101_0101_0101_0101) >> 1 | ((1 << to) & !0x8080_8080_8080_8080) << 1;
        let mut pawns = self.placement.pieces[usize::from(enemy_pawn)] & neighbours;
        while pawns != 0 {
            if self.is_legal_en_passant(pawns & pawns.wrapping_neg(), to) {
                self.placement.en_passant = (to & 7) as u8;
                self.hash ^= KEYS.files[to & 7];
                return;
            }
            pawns &= pawns - 1;
        }
    }

    /// Whether the king of the capturing side is safe after the capture.
    fn is_legal_en_passant(&self, capturer: u64, captured: usize) -> bool {
        let mover = self.side() as u8;
        let passed = if mover == 0 {
            captured - 8
        } else {
            captured + 8
        };
        let of = |role: u8| self.placement.pieces[usize::from(mover << 3 | role)];
        let king = self.placement.pieces[usize::from((mover ^ 1) << 3 | KING)];
        let occupied = self.placement.pieces.iter().fold(0, |all, set| all | set);
        let occupied = (occupied ^ capturer ^ (1 << captured)) | 1 << passed;
        let king = Square::new(king.trailing_zeros() & 63);
        let pawns = of(PAWN) & !(1 << captured);
        let king_color = if mover == 0 {
            Color::Black
        } else {
            Color::White
        };
        let straight = attacks::rook_attacks(king, chess::Bitboard(occupied)).0;
        let slanted = attacks::bishop_attacks(king, chess::Bitboard(occupied)).0;
        straight & (of(ROOK) | of(QUEEN)) == 0
            && slanted & (of(BISHOP) | of(QUEEN)) == 0
            && attacks::knight_attacks(king).0 & of(KNIGHT) == 0
            && attacks::pawn_attacks(king_color, king).0 & pawns == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Variant;

    /// Every legal move of positions with all kinds of moves: coded, played, compared.
    #[test]
    fn equals_the_full_board() {
        let starts = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            "8/8/8/8/k1p4R/8/3P4/3K4 w - - 0 1",
            "r6r/1b2k1bq/8/8/7B/8/8/R3K2R b KQ - 3 2",
        ];
        for fen in starts {
            let board = Board::from_fen(fen, Variant::Standard).unwrap();
            let track = Track::new(&board).unwrap();
            walk(&board, &track, 3);
        }
    }

    fn walk(board: &Board, track: &Track, depth: u32) {
        assert_eq!(track.hash(), hash_of(board), "{}", board.fen());
        assert_eq!(track.placement, Placement::of(board), "{}", board.fen());
        assert_eq!(track.men(), track.placement.men());
        if depth == 0 {
            return;
        }
        for m in board.legal_moves() {
            let mut coded = Vec::new();
            assert!(track.encode(m, &mut coded));
            let decoded = track.decode(&mut Bytes::new(&coded, "moves"));
            assert_eq!(decoded, Ok(m), "{} {}", board.fen(), board.san(m));
            let (mut next, mut light) = (board.clone(), track.clone());
            next.play(m);
            light.play(m);
            let mut stepped = track.pieces.clone();
            assert_eq!(stepped.step(&mut Bytes::new(&coded, "moves")), Ok(m));
            assert_eq!(stepped, light.pieces, "{} {}", board.fen(), board.san(m));
            walk(&next, &light, depth - 1);
        }
    }

    #[test]
    fn refuses_what_does_not_fit() {
        assert!(Track::new(&Board::for_variant(Variant::Crazyhouse)).is_none());
        assert!(Track::new(&Board::chess960(0).unwrap()).is_none());
    }
}
