//! Writing moves: SAN, long algebraic notation, UCI.

use shakmaty::{Bitboard, CastlingSide, Color, File, Rank, Role, Square};

use super::generate::{is_blocked, on_lines};
use super::{Board, only};
use crate::moves::{Move, MoveKind, MoveText};

impl Board {
    /// The move in standard algebraic notation, with minimal disambiguation and check or mate mark.
    /// The move must be legal; the null move is `--`.
    pub fn san(&self, m: Move) -> MoveText {
        self.clone().play_to_san(m).into()
    }

    /// The move in long algebraic notation, `Ng1-f3`, with check or mate mark.
    pub fn lan(&self, m: Move) -> MoveText {
        let mut text = match (m.kind(), m.role()) {
            (MoveKind::Plain(_) | MoveKind::Promotion(_) | MoveKind::EnPassant, Some(role)) => {
                self.long_text(m, role)
            }
            _ => special_text(m),
        };
        let mut after = self.clone();
        after.play(m);
        after.push_mark(&mut text, m);
        text.into()
    }

    /// The move in UCI notation; castling as king takes rook in Chess960, otherwise as a king move.
    pub fn uci(&self, m: Move) -> MoveText {
        if self.is_chess960() {
            m.uci960()
        } else {
            m.uci()
        }
    }

    /// Plays a move and returns the text of [`Board::san`]. Each side has its own code.
    #[inline(always)]
    pub(crate) fn play_to_san(&mut self, m: Move) -> ShortText {
        match (m.kind(), self.turn) {
            (MoveKind::Plain(role), Color::White) if self.rules.is_none() => {
                self.play_plain_to_san(Color::White, m, role)
            }
            (MoveKind::Plain(role), Color::Black) if self.rules.is_none() => {
                self.play_plain_to_san(Color::Black, m, role)
            }
            _ => self.play_any_to_san(m),
        }
    }

    #[inline(always)]
    fn play_plain_to_san(&mut self, us: Color, m: Move, role: Role) -> ShortText {
        let mut text = self.plain_text(us, m, role);
        self.play_plain(us, role, only(m.source()), m.target());
        let king = self.by_piece((!us).king()).single_square();
        let is_safe =
            king.is_none_or(|king| self.is_unattacked(!us, king, self.occupied(), Bitboard::FULL));
        if !is_safe {
            self.push_check(&mut text);
        }
        text
    }

    #[inline(never)]
    fn play_any_to_san(&mut self, m: Move) -> ShortText {
        let mut text = match m.kind() {
            MoveKind::Plain(role) => self.plain_text(self.turn, m, role),
            MoveKind::EnPassant => pawn_capture_text(m),
            MoveKind::Promotion(role) => self.promotion_text(m, role),
            MoveKind::Castling | MoveKind::Drop(_) | MoveKind::Null => special_text(m),
        };
        self.play(m);
        self.push_mark(&mut text, m);
        text
    }

    #[inline(always)]
    fn plain_text(&self, us: Color, m: Move, role: Role) -> ShortText {
        let (from, to) = (m.source(), m.target());
        let takes = self.occupied().contains(to);
        // Pawns have no lines. Usually no other piece of the role has the target on its lines.
        let near = on_lines(role, to) & self.by_piece(role.of(us)) & !only(from);
        if near.any() {
            return self.text_with_origin(role, from, to, takes);
        }
        let mut text = BEGINNINGS[takes as usize][role as usize & 7][from.file() as usize & 7];
        text.push_square(to);
        text
    }

    /// The text of a move of a piece other than a pawn if others of its role are near the target.
    #[inline(never)]
    fn text_with_origin(&self, role: Role, from: Square, to: Square, takes: bool) -> ShortText {
        let mut text = ShortText::default();
        text.push(letter(role));
        self.push_origin(&mut text, role, from, to);
        text.push_if(takes, b'x');
        text.push_square(to);
        text
    }

    fn promotion_text(&self, m: Move, role: Role) -> ShortText {
        let mut text = self.plain_text(self.turn, m, Role::Pawn);
        text.push(b'=');
        text.push(letter(role));
        text
    }

    /// Appends the file, the rank or both if other pieces of the role can move to the target.
    fn push_origin(&self, text: &mut ShortText, role: Role, from: Square, to: Square) {
        let rivals = self.origins(role, to) & !only(from);
        let on_file = (rivals & Bitboard::from(from.file())).any();
        let on_rank = (rivals & Bitboard::from(from.rank())).any();
        text.push_if(
            on_rank || (rivals.any() && !on_file),
            file_letter(from.file()),
        );
        text.push_if(on_file, rank_digit(from.rank()));
    }

    /// The squares from which pieces of a role other than pawns can legally move to a square.
    fn origins(&self, role: Role, to: Square) -> Bitboard {
        if self.by_color(self.turn).contains(to) {
            return Bitboard::EMPTY;
        }
        let occupied = self.occupied();
        (on_lines(role, to) & self.by_piece(role.of(self.turn)))
            .into_iter()
            .filter(|from| !is_blocked(*from, to, occupied) && self.may_reach(role, *from, to))
            .collect()
    }

    /// True if the rules allow a move whose target is on the lines of the piece.
    fn may_reach(&self, role: Role, from: Square, to: Square) -> bool {
        if self.rules.is_some() || role == Role::King {
            return self.is_legal(Move::plain(role, from, to));
        }
        self.is_king_safe((self.occupied() & !only(from)) | only(to), !only(to))
    }

    fn long_text(&self, m: Move, role: Role) -> ShortText {
        let mut text = ShortText::default();
        text.push_if(role != Role::Pawn, letter(role));
        text.push_square(m.source());
        text.push(if self.is_capture(m) { b'x' } else { b'-' });
        text.push_square(m.target());
        if let Some(role) = m.promoted() {
            text.push(b'=');
            text.push(letter(role));
        }
        text
    }

    /// Appends the check or mate mark of the move that led to this position.
    fn push_mark(&self, text: &mut ShortText, m: Move) {
        if self.rules.is_some() {
            self.push_variant_mark(text, m);
        } else if !self.is_king_safe(self.occupied(), Bitboard::FULL) && !m.is_null() {
            self.push_check(text);
        }
    }

    #[inline(never)]
    fn push_check(&self, text: &mut ShortText) {
        text.push(if self.has_legal_move() { b'+' } else { b'#' });
    }

    #[cold]
    fn push_variant_mark(&self, text: &mut ShortText, m: Move) {
        if m.is_null() {
            return;
        }
        let is_won = self
            .outcome()
            .is_some_and(|outcome| outcome.winner.is_some());
        text.push_if(is_won, b'#');
        text.push_if(!is_won && self.is_check(), b'+');
    }
}

fn pawn_capture_text(m: Move) -> ShortText {
    let mut text = ShortText::default();
    text.push(file_letter(m.source().file()));
    text.push(b'x');
    text.push_square(m.target());
    text
}

/// Castling, a drop or the null move.
fn special_text(m: Move) -> ShortText {
    let mut text = ShortText::default();
    match (m.kind(), m.castling_side()) {
        (MoveKind::Drop(role), _) => {
            text.push_if(role != Role::Pawn, letter(role));
            text.push(b'@');
            text.push_square(m.target());
        }
        (_, Some(CastlingSide::QueenSide)) => b"O-O-O".iter().for_each(|&byte| text.push(byte)),
        (_, Some(CastlingSide::KingSide)) => b"O-O".iter().for_each(|&byte| text.push(byte)),
        _ => b"--".iter().for_each(|&byte| text.push(byte)),
    }
    text
}

/// The text of a move: up to eight ASCII characters in one word, the first one in the lowest bits.
///
/// Optional characters are appended without branches, because they are unpredictable.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ShortText {
    bits: u64,
    len: u32,
}

impl ShortText {
    /// The characters, followed by zeros.
    #[inline]
    pub(crate) fn bytes(self) -> [u8; 8] {
        self.bits.to_le_bytes()
    }

    #[inline]
    pub(crate) fn len(self) -> usize {
        self.len as usize
    }

    #[inline]
    fn push(&mut self, byte: u8) {
        self.push_if(true, byte);
    }

    #[inline]
    fn push_if(&mut self, condition: bool, byte: u8) {
        let byte = u64::from(byte) * u64::from(condition);
        self.bits |= byte << ((8 * self.len) & 63);
        self.len += u32::from(condition);
    }

    #[inline(always)]
    fn push_square(&mut self, square: Square) {
        self.bits |= u64::from(SQUARES[square.to_usize() & 63]) << ((8 * self.len) & 63);
        self.len += 2;
    }
}

/// The names of the squares, the file in the low bits.
static SQUARES: [u16; 64] = {
    let mut names = [0; 64];
    let mut square = 0;
    while square < 64 {
        names[square] = u16::from_le_bytes([b'a' + square as u8 % 8, b'1' + square as u8 / 8]);
        square += 1;
    }
    names
};

/// The text before the target of a plain move: by whether it is a capture, by role, and by the file
/// from which a pawn captures.
static BEGINNINGS: [[[ShortText; 8]; 8]; 2] = {
    let mut beginnings = [[[ShortText { bits: 0, len: 0 }; 8]; 8]; 2];
    let mut at = 0;
    while at < 8 * 8 {
        let (role, file) = (at / 8, at % 8);
        let [quiet, first] = match role == Role::Pawn as usize {
            true => [0, b'a' + file as u8],
            false => [LETTERS[role], LETTERS[role]],
        };
        beginnings[0][role][file] = ShortText {
            bits: quiet as u64,
            len: (quiet > 0) as u32,
        };
        beginnings[1][role][file] = ShortText {
            bits: u16::from_le_bytes([first, b'x']) as u64,
            len: 2,
        };
        at += 1;
    }
    beginnings
};

/// The letters of pieces by the number of their role.
const LETTERS: &[u8; 8] = b"?PNBRQK?";

impl From<ShortText> for MoveText {
    fn from(text: ShortText) -> MoveText {
        let mut chars = MoveText::new();
        for byte in text.bytes().into_iter().take(text.len()) {
            chars.push(char::from(byte));
        }
        chars
    }
}

#[inline]
fn letter(role: Role) -> u8 {
    LETTERS[role as usize & 7]
}

#[inline]
fn file_letter(file: File) -> u8 {
    b'a' + file as u8
}

#[inline]
fn rank_digit(rank: Rank) -> u8 {
    b'1' + rank as u8
}
