//! Numbered pieces: the coding of moves as one byte, the number of the piece and its move.
//!
//! Decoding needs the square of each piece and nothing else of the position. It trusts that the
//! moves are legal, as those of a stored game are: reading one costs a few nanoseconds.

use chess::{Board, CastlingSide, Color, Move, MoveKind, Role, Square, Variant};

use crate::bytes::{Bytes, Damage};

/// A colour and a role as one number: the colour in bit 3, the role (1 to 6) below.
pub(crate) type PieceCode = u8;

pub(crate) const PAWN: u8 = Role::Pawn as u8;
pub(crate) const KNIGHT: u8 = Role::Knight as u8;
pub(crate) const BISHOP: u8 = Role::Bishop as u8;
pub(crate) const ROOK: u8 = Role::Rook as u8;
pub(crate) const QUEEN: u8 = Role::Queen as u8;
pub(crate) const KING: u8 = Role::King as u8;

/// The square of a piece that was captured.
const GONE: u8 = 64;
/// An empty square.
const EMPTY: u8 = 0;

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
/// The role of each code.
const ROLES: [Role; 8] = [
    Role::Pawn,
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
    Role::King,
    Role::King,
];

/// Stands for the target of a move that its code and the piece do not tell: castling, promotions,
/// captures by pawns, diagonal moves of a queen.
const SPECIAL: u8 = 64;

/// The target of each piece's move by the low bits of its code and the origin.
static TARGETS: [[[u8; 64]; 16]; 16] = {
    let mut targets = [[[SPECIAL; 64]; 16]; 16];
    let mut piece = 0;
    while piece < 16 {
        let mut low = 0;
        while low < 16 {
            let mut from = 0;
            while from < 64 {
                targets[piece][low][from] = target(piece as u8, low as u8, from as u8);
                from += 1;
            }
            low += 1;
        }
        piece += 1;
    }
    targets
};

const fn target(piece: PieceCode, low: u8, from: u8) -> u8 {
    let (file, rank) = (from & 7, from >> 3);
    let forward = if piece & 8 == 0 { 1 } else { -1 };
    match piece & 7 {
        PAWN if low < 2 => stepped(from, (0, forward * (low as i8 + 1))),
        KNIGHT => stepped(from, KNIGHT_STEPS[low as usize & 7]),
        BISHOP => {
            let to_file = low & 7;
            let gain = to_file.wrapping_sub(file);
            let to_rank = if low < 8 {
                rank.wrapping_add(gain)
            } else {
                rank.wrapping_sub(gain)
            };
            (to_rank & 7) << 3 | to_file
        }
        QUEEN if low == file => SPECIAL,
        ROOK | QUEEN if low < 8 => rank << 3 | low,
        ROOK | QUEEN => (low & 7) << 3 | file,
        KING if low < CASTLE_SHORT || low > CASTLE_LONG => {
            stepped(from, KING_STEPS[low as usize & 7])
        }
        _ => SPECIAL,
    }
}

/// The square this many files and ranks away, on the board for the moves of a stored game.
const fn stepped(from: u8, (files, ranks): (i8, i8)) -> u8 {
    (from as i8).wrapping_add(files).wrapping_add(ranks * 8) as u8 & 63
}

/// The code of a piece.
pub(crate) const fn code(color: Color, role: Role) -> PieceCode {
    (color as u8 ^ 1) << 3 | role as u8
}

/// The pieces of a game under way, each with a number among those of its side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Numbered {
    /// The piece on each square: its number in the high bits, its code in the low ones.
    squares: [u8; 64],
    /// The square of each numbered piece.
    places: [[u8; 16]; 2],
    men: u32,
    black_to_move: bool,
}

impl Numbered {
    /// The pieces before the first move of a usual game.
    pub fn usual() -> &'static Numbered {
        static USUAL: std::sync::LazyLock<Numbered> = std::sync::LazyLock::new(|| {
            Numbered::new(&Board::new()).unwrap_or_else(Numbered::empty)
        });
        &USUAL
    }

    pub fn empty() -> Numbered {
        Numbered {
            squares: [EMPTY; 64],
            places: [[GONE; 16]; 2],
            men: 0,
            black_to_move: false,
        }
    }

    /// `None` for positions whose moves do not fit the coding: variants, more than sixteen pieces
    /// or other than one king on a side, castling from unusual squares.
    pub fn new(board: &Board) -> Option<Numbered> {
        let mut numbered = Numbered::empty();
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
                let piece = code(color, board.role_at(square)?);
                numbered.squares[square as usize] = (number as u8) << 4 | piece;
                numbered.places[color as usize ^ 1][number] = square as u8;
            }
        }
        numbered.men = board.occupied().count() as u32;
        numbered.black_to_move = board.turn() == Color::Black;
        Some(numbered)
    }

    /// The piece on a square, 0 for none.
    #[inline]
    pub fn piece_on(&self, square: usize) -> PieceCode {
        self.squares[square & 63] & 15
    }

    /// Appends the code of a legal move: one byte, two for diagonal moves of a queen. False if the
    /// move has none: null moves and drops.
    pub fn encode(&self, m: Move, out: &mut Vec<u8>) -> bool {
        let (Some(from), Some(to)) = (m.from(), m.to()) else {
            return false;
        };
        let (from, to) = (from as u8, to as u8);
        let number = self.squares[usize::from(from)] >> 4;
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

    /// Reads a coded move.
    #[inline]
    pub fn decode(&self, bytes: &mut Bytes) -> Result<Move, Damage> {
        let (from, piece, low) = self.read_code(bytes)?;
        match TARGETS[usize::from(piece & 15)][usize::from(low)][usize::from(from)] {
            SPECIAL.. => self.decode_special(from, piece, low, bytes),
            to => Ok(plain(piece, from, to)),
        }
    }

    /// Reads a coded move and plays it.
    #[inline(always)]
    pub fn step(&mut self, bytes: &mut Bytes) -> Result<Move, Damage> {
        let (from, piece, low) = self.read_code(bytes)?;
        let to = TARGETS[usize::from(piece & 15)][usize::from(low)][usize::from(from)];
        if to < SPECIAL {
            self.take(usize::from(to));
            self.shift(usize::from(from), usize::from(to));
            self.pass();
            return Ok(plain(piece, from, to));
        }
        let m = self.decode_special(from, piece, low, bytes)?;
        self.play(m);
        Ok(m)
    }

    /// The origin, the piece with its number, and the low bits of a code.
    #[inline(always)]
    fn read_code(&self, bytes: &mut Bytes) -> Result<(u8, u8, u8), Damage> {
        let byte = bytes.u8()?;
        let from = self.places[usize::from(self.black_to_move)][usize::from(byte >> 4)];
        if from >= GONE {
            return Err(bytes.damage());
        }
        Ok((from, self.squares[usize::from(from)], byte & 15))
    }

    #[inline(never)]
    fn decode_special(
        &self,
        from: u8,
        piece: u8,
        low: u8,
        bytes: &mut Bytes,
    ) -> Result<Move, Damage> {
        let square = |index: u8| Square::new(u32::from(index & 63));
        let origin = square(from);
        Ok(match piece & 7 {
            QUEEN => plain(piece, from, bytes.u8()? & 63),
            KING if low == CASTLE_SHORT => Move::castling(origin, square(from & 56 | 7)),
            KING => Move::castling(origin, square(from & 56)),
            _ => {
                let forward = if self.black_to_move { -1 } else { 1 };
                let target = |side: i8| stepped(from, (side, forward));
                match low.checked_sub(4) {
                    Some(choice) => {
                        let to = target(choice as i8 % 3 - 1);
                        let role = PROMOTIONS[usize::from(choice / 3)];
                        Move::promotion(origin, square(to), role)
                    }
                    None => {
                        let to = target(if low == 2 { -1 } else { 1 });
                        match self.squares[usize::from(to)] {
                            EMPTY => Move::en_passant(origin, square(to)),
                            _ => plain(piece, from, to),
                        }
                    }
                }
            }
        })
    }

    fn play(&mut self, m: Move) {
        let (Some(from), Some(to)) = (m.from(), m.to()) else {
            return;
        };
        let (from, to) = (from as usize, to as usize);
        match m.kind() {
            MoveKind::Castling => {
                let (king_to, rook_to) = castled(from, to);
                self.shift(from, king_to);
                self.shift(to, rook_to);
            }
            MoveKind::EnPassant => {
                self.take(beside(from, to));
                self.shift(from, to);
            }
            kind => {
                self.take(to);
                self.shift(from, to);
                if let MoveKind::Promotion(role) = kind {
                    self.promote(to, role as u8);
                }
            }
        }
        self.pass();
    }

    /// Moves a piece to an empty square.
    #[inline]
    pub fn shift(&mut self, from: usize, to: usize) {
        let piece = std::mem::replace(&mut self.squares[from & 63], EMPTY);
        self.squares[to & 63] = piece;
        *self.place_of(piece) = to as u8 & 63;
    }

    /// Removes the piece on a square, if there is one.
    #[inline]
    pub fn take(&mut self, square: usize) {
        let piece = std::mem::replace(&mut self.squares[square & 63], EMPTY);
        if piece != EMPTY {
            *self.place_of(piece) = GONE;
            self.men = self.men.saturating_sub(1);
        }
    }

    /// The number of pieces.
    #[inline]
    pub fn men(&self) -> u32 {
        self.men
    }

    /// The pieces on a board, with the side to move; without castling rights, the square for a
    /// capture en passant, and the number of the move. `None` if that is no position.
    pub fn board(&self) -> Option<Board> {
        let mut fen = String::new();
        for rank in (0..8).rev() {
            let mut empty = 0;
            for square in rank * 8..rank * 8 + 8 {
                match self.piece_on(square) {
                    EMPTY => empty += 1,
                    piece => {
                        push_count(&mut empty, &mut fen);
                        fen.push(letter(piece));
                    }
                }
            }
            push_count(&mut empty, &mut fen);
            fen.push(if rank > 0 { '/' } else { ' ' });
        }
        fen.push_str(if self.black_to_move {
            "b - - 0 1"
        } else {
            "w - - 0 1"
        });
        Board::from_fen(&fen, Variant::Standard).ok()
    }

    /// Replaces a pawn.
    pub fn promote(&mut self, square: usize, role: u8) {
        let piece = &mut self.squares[square & 63];
        *piece = *piece & 0xF8 | role;
    }

    /// Gives the move to the other side.
    #[inline]
    pub fn pass(&mut self) {
        self.black_to_move ^= true;
    }

    #[inline]
    fn place_of(&mut self, piece: u8) -> &mut u8 {
        &mut self.places[usize::from(piece >> 3 & 1)][usize::from(piece >> 4)]
    }
}

/// The letter of a piece in a FEN.
fn letter(piece: PieceCode) -> char {
    let role = ROLES[usize::from(piece & 7)];
    match piece & 8 {
        0 => role.upper_char(),
        _ => role.char(),
    }
}

/// Appends the number of empty squares, if there are any, to a FEN.
fn push_count(empty: &mut u8, fen: &mut String) {
    if *empty > 0 {
        fen.push(char::from(b'0' + std::mem::take(empty)));
    }
}

/// A plain move of a piece.
#[inline]
fn plain(piece: u8, from: u8, to: u8) -> Move {
    let square = |index: u8| Square::new(u32::from(index & 63));
    Move::plain(ROLES[usize::from(piece & 7)], square(from), square(to))
}

/// The squares of king and rook after castling.
pub(crate) fn castled(king: usize, rook: usize) -> (usize, usize) {
    let rank = king & 56;
    match rook > king {
        true => (rank | 6, rank | 5),
        false => (rank | 2, rank | 3),
    }
}

/// The square of a pawn captured en passant.
pub(crate) fn beside(from: usize, to: usize) -> usize {
    (from & 56) | (to & 7)
}

/// The code of a move along a rank (by its file) or a file (by its rank).
fn straight(steps: (i8, i8), file: u8, rank: u8) -> u8 {
    if steps.1 == 0 { file } else { 8 + rank }
}
