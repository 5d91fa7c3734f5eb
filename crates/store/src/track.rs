//! A light board that follows a game move by move: coded moves, position hash, comparison.
//!
//! It trusts that the moves are legal, as those of a stored game are: playing one costs a few
//! nanoseconds.

use chess::{Board, CastlingSide, Color, Move, MoveKind, Role, Square, Variant, attacks};

use crate::bytes::{Bytes, Damage};

/// A colour and a role as one number: the colour in bit 3, the role (1 to 6) below.
pub(crate) type PieceCode = u8;

const PAWN: u8 = Role::Pawn as u8;
const KNIGHT: u8 = Role::Knight as u8;
const BISHOP: u8 = Role::Bishop as u8;
const ROOK: u8 = Role::Rook as u8;
const QUEEN: u8 = Role::Queen as u8;
const KING: u8 = Role::King as u8;

/// The square of a piece that was captured.
const GONE: u8 = 64;
const EMPTY: PieceCode = 0;
const NO_FILE: u8 = 8;

const KNIGHT_STEPS: [(i8, i8); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];
const KING_STEPS: [(i8, i8); 8] = [
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
];
const CASTLE_SHORT: u8 = 8;
const CASTLE_LONG: u8 = 9;
const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Knight, Role::Rook, Role::Bishop];

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

/// The code of a piece.
pub(crate) const fn code(color: Color, role: Role) -> PieceCode {
    (color as u8 ^ 1) << 3 | role as u8
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
    /// The piece on each square.
    squares: [PieceCode; 64],
    /// The number of the piece on each square, among those of its side.
    numbers: [u8; 64],
    /// The square of each numbered piece.
    places: [[u8; 16]; 2],
    placement: Placement,
    hash: u64,
    men: u32,
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
            squares: [EMPTY; 64],
            numbers: [0; 64],
            places: [[GONE; 16]; 2],
            placement: Placement {
                pieces: [0; 16],
                castling: 0,
                en_passant: NO_FILE,
                black_to_move: false,
            },
            hash: 0,
            men: 0,
        }
    }

    /// `None` for positions whose moves do not fit the coding: variants, more than sixteen pieces
    /// or other than one king on a side, castling from unusual squares.
    pub fn new(board: &Board) -> Option<Track> {
        let mut track = Track::empty();
        let usual_rooks = [Square::A1, Square::H1, Square::A8, Square::H8];
        let one_king = |color| board.by_piece(Role::King.of(color)).count() == 1;
        let fits = |color| board.by_color(color).count() <= 16 && one_king(color);
        let castles_as_usual = |color: Color| {
            let has_rook = CastlingSide::ALL
                .iter()
                .any(|&side| board.castling_rook(color, side).is_some());
            let home = color.fold_wb(Square::E1, Square::E8);
            !has_rook || board.king_of(color) == Some(home)
        };
        let usual = board.variant() == Variant::Standard
            && board
                .castling_rooks()
                .into_iter()
                .all(|sq| usual_rooks.contains(&sq))
            && Color::ALL
                .into_iter()
                .all(|color| fits(color) && castles_as_usual(color));
        if !usual {
            return None;
        }
        for color in Color::ALL {
            for (number, square) in board.by_color(color).into_iter().enumerate() {
                let role = board.role_at(square)?;
                track.squares[square as usize] = code(color, role);
                track.numbers[square as usize] = number as u8;
                track.places[color as usize ^ 1][number] = square as u8;
            }
        }
        track.placement = Placement::of(board);
        track.men = track.placement.men();
        track.hash = hash_of(board);
        Some(track)
    }

    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The pieces on the board.
    #[inline]
    pub fn men(&self) -> u32 {
        self.men
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
        seen[usize::from(self.squares[to as usize] & 15)] |= 1 << to as u32;
    }

    #[inline]
    fn side(&self) -> usize {
        usize::from(self.placement.black_to_move)
    }

    /// Appends the code of a legal move: one byte, two for diagonal moves of a queen. False if the
    /// move has none: null moves and drops.
    pub fn encode(&self, m: Move, out: &mut Vec<u8>) -> bool {
        let (Some(from), Some(to)) = (m.from(), m.to()) else {
            return false;
        };
        let (from, to) = (from as u8, to as u8);
        let number = self.numbers[usize::from(from)];
        let (file, rank) = (to & 7, to >> 3);
        let steps = (
            file as i8 - (from & 7) as i8,
            rank as i8 - (from >> 3) as i8,
        );
        let find = |all: &[(i8, i8); 8]| all.iter().position(|&step| step == steps);
        let low = match m.kind() {
            MoveKind::Castling if to > from => CASTLE_SHORT,
            MoveKind::Castling => CASTLE_LONG,
            MoveKind::EnPassant | MoveKind::Plain(Role::Pawn) => match (steps.0, steps.1.abs()) {
                (0, 1) => 0,
                (0, _) => 1,
                (-1, _) => 2,
                _ => 3,
            },
            MoveKind::Promotion(role) => {
                let Some(choice) = PROMOTIONS.iter().position(|&other| other == role) else {
                    return false;
                };
                4 + 3 * choice as u8 + (steps.0 + 1) as u8
            }
            MoveKind::Plain(Role::Knight) => match find(&KNIGHT_STEPS) {
                Some(step) => step as u8,
                None => return false,
            },
            MoveKind::Plain(Role::King) => match find(&KING_STEPS) {
                Some(step) => step as u8,
                None => return false,
            },
            MoveKind::Plain(Role::Bishop) => {
                let falls = (steps.0 < 0) != (steps.1 < 0);
                file + 8 * u8::from(falls)
            }
            MoveKind::Plain(Role::Rook) => straight(steps, file, rank),
            MoveKind::Plain(Role::Queen) if steps.0 != 0 && steps.1 != 0 => {
                out.extend_from_slice(&[number << 4 | (from & 7), to]);
                return true;
            }
            MoveKind::Plain(Role::Queen) => straight(steps, file, rank),
            MoveKind::Drop(_) | MoveKind::Null => return false,
        };
        out.push(number << 4 | low);
        true
    }

    /// Reads a coded move of this position.
    #[inline]
    pub fn decode(&self, bytes: &mut Bytes) -> Result<Move, Damage> {
        let byte = bytes.u8()?;
        let (number, low) = (byte >> 4, byte & 15);
        let from = self.places[self.side()][usize::from(number)];
        if from == GONE {
            return Err(bytes.damage());
        }
        let role = self.squares[usize::from(from & 63)] & 7;
        let (file, rank) = (from & 7, from >> 3);
        let origin = Square::new(u32::from(from & 63));
        let at = |index: u8| Square::new(u32::from(index & 63));
        Ok(match role {
            PAWN => return Ok(self.decode_pawn(origin, low)),
            KNIGHT => Move::plain(
                Role::Knight,
                origin,
                stepped(from, KNIGHT_STEPS[usize::from(low & 7)]),
            ),
            BISHOP => {
                let to_file = low & 7;
                let gain = to_file.wrapping_sub(file);
                let to_rank = match low < 8 {
                    true => rank.wrapping_add(gain),
                    false => rank.wrapping_sub(gain),
                };
                Move::plain(Role::Bishop, origin, at((to_rank & 7) << 3 | to_file))
            }
            ROOK => Move::plain(Role::Rook, origin, at(line_target(file, rank, low))),
            QUEEN if low == file => Move::plain(Role::Queen, origin, at(bytes.u8()?)),
            QUEEN => Move::plain(Role::Queen, origin, at(line_target(file, rank, low))),
            _ => match low {
                CASTLE_SHORT => Move::castling(origin, at(rank << 3 | 7)),
                CASTLE_LONG => Move::castling(origin, at(rank << 3)),
                step => Move::plain(
                    Role::King,
                    origin,
                    stepped(from, KING_STEPS[usize::from(step & 7)]),
                ),
            },
        })
    }

    fn decode_pawn(&self, from: Square, low: u8) -> Move {
        let forward: i8 = if self.placement.black_to_move { -1 } else { 1 };
        let target = |side: i8, steps: i8| stepped(from as u8, (side, steps * forward));
        match low {
            0 => Move::plain(Role::Pawn, from, target(0, 1)),
            1 => Move::plain(Role::Pawn, from, target(0, 2)),
            2 | 3 => {
                let to = target(if low == 2 { -1 } else { 1 }, 1);
                match self.squares[to as usize] {
                    EMPTY => Move::en_passant(from, to),
                    _ => Move::plain(Role::Pawn, from, to),
                }
            }
            _ => {
                let (choice, side) = ((low - 4) / 3, (low - 4) % 3);
                let role = PROMOTIONS[usize::from(choice)];
                Move::promotion(from, target(side as i8 - 1, 1), role)
            }
        }
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
                self.take((from & 56) | (to & 7));
                self.shift(from, to);
            }
            kind => {
                if self.squares[to] != EMPTY {
                    self.take(to);
                }
                self.shift(from, to);
                if let MoveKind::Promotion(role) = kind {
                    self.promote(to, role as u8);
                }
            }
        }
        self.lose_rights(1 << from | 1 << to);
        if self.squares[to] & 7 == PAWN && from.abs_diff(to) == 16 {
            self.note_double_step(to);
        }
        self.placement.black_to_move ^= true;
        self.hash ^= KEYS.black;
    }

    /// Moves a piece to an empty square.
    #[inline]
    fn shift(&mut self, from: usize, to: usize) {
        let piece = std::mem::replace(&mut self.squares[from], EMPTY);
        let number = self.numbers[from];
        self.squares[to] = piece;
        self.numbers[to] = number;
        self.places[usize::from(piece >> 3)][usize::from(number & 15)] = to as u8;
        self.placement.pieces[usize::from(piece & 15)] ^= 1 << from | 1 << to;
        let keys = &KEYS.pieces[usize::from(piece & 15)];
        self.hash ^= keys[from] ^ keys[to];
    }

    #[inline]
    fn take(&mut self, square: usize) {
        let piece = std::mem::replace(&mut self.squares[square], EMPTY);
        let number = self.numbers[square];
        self.places[usize::from(piece >> 3)][usize::from(number & 15)] = GONE;
        self.placement.pieces[usize::from(piece & 15)] ^= 1 << square;
        self.hash ^= KEYS.pieces[usize::from(piece & 15)][square];
        self.men = self.men.saturating_sub(1);
    }

    fn promote(&mut self, square: usize, role: u8) {
        let pawn = self.squares[square];
        let piece = pawn & 8 | role;
        self.squares[square] = piece;
        for code in [pawn, piece] {
            self.placement.pieces[usize::from(code & 15)] ^= 1 << square;
            self.hash ^= KEYS.pieces[usize::from(code & 15)][square];
        }
    }

    fn castle(&mut self, king: usize, rook: usize) {
        let rank = king & 56;
        let (king_to, rook_to) = if rook > king { (6, 5) } else { (2, 3) };
        self.shift(king, rank | king_to);
        self.shift(rook, rank | rook_to);
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

/// The code of a move along a rank (by its file) or a file (by its rank).
fn straight(steps: (i8, i8), file: u8, rank: u8) -> u8 {
    if steps.1 == 0 { file } else { 8 + rank }
}

#[inline]
fn line_target(file: u8, rank: u8, low: u8) -> u8 {
    match low < 8 {
        true => rank << 3 | low,
        false => (low & 7) << 3 | file,
    }
}

/// The square this many files and ranks away, on the board for the moves of a stored game.
#[inline]
fn stepped(from: u8, (files, ranks): (i8, i8)) -> Square {
    let to = (from as i8).wrapping_add(files).wrapping_add(ranks * 8);
    Square::new(to as u32 & 63)
}

#[cfg(test)]
mod tests {
    use super::*;

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
            walk(&next, &light, depth - 1);
        }
    }

    #[test]
    fn refuses_what_does_not_fit() {
        assert!(Track::new(&Board::for_variant(Variant::Crazyhouse)).is_none());
        assert!(Track::new(&Board::chess960(0).unwrap()).is_none());
    }
}
