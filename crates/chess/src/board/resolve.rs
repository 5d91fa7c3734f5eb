//! Strict SAN to a legal move, starting from the target square.
//!
//! The pieces that can reach the target are found from the target, and only for these the safety
//! of the king is checked. Everything else is handled by the lenient reader.
//!
//! Which piece moves, and past which others, cannot be predicted, and a mispredicted branch costs
//! more than the move. Therefore the usual moves of all pieces take the same path, which selects by
//! arithmetic; its branches lead to rare moves.

use std::ops::Range;

use shakmaty::{Bitboard, CastlingSide, Color, Role, Square};

use super::generate::{CAPTURES, LINES, PUSHES, is_blocked, lowest};
use super::{Board, all_if, back_rank, only};
use crate::moves::Move;

impl Board {
    /// The legal move with this SAN; `None` if the text is not strict SAN, or matches no legal move
    /// or several.
    #[inline]
    pub(super) fn resolve(&self, san: &[u8]) -> Option<Move> {
        let Some(pattern) = Pattern::read(Word::new(san)?, self.turn) else {
            return self.special_move(san);
        };
        match self.usual_origin(&pattern, self.turn) {
            Some(from) => Some(Move::plain(pattern.role, from, pattern.to)),
            None => self.rare_move(&pattern),
        }
    }

    /// Plays the move that [`resolve`](Self::resolve) finds for a part of a text. Each side has its
    /// own code.
    #[inline(always)]
    pub(super) fn resolve_and_play(&mut self, text: &[u8], san: Range<usize>) -> Option<Move> {
        let played = match self.turn {
            Color::White => self.play_usual(Color::White, text, &san),
            Color::Black => self.play_usual(Color::Black, text, &san),
        };
        match played {
            Some(m) => Some(m),
            None => self.play_rare(&text[san]),
        }
    }

    #[inline(always)]
    fn play_usual(&mut self, us: Color, text: &[u8], san: &Range<usize>) -> Option<Move> {
        let (role, from, to) = self.sole_move(us, Word::within(text, san)?)?;
        self.play_plain(us, role, from, to);
        Some(Move::plain(role, lowest(from), to))
    }

    /// Plays the move with this SAN on another board, if it is usual and only one piece can make it.
    #[inline(always)]
    pub(super) fn play_usual_on(&self, next: &mut Board, us: Color, san: Word) -> Option<Move> {
        let (role, from, to) = self.sole_move(us, san)?;
        self.play_plain_on(next, us, role, from, to);
        Some(Move::plain(role, lowest(from), to))
    }

    /// The role, the origin and the target of a usual move that only one piece can make.
    #[inline(always)]
    fn sole_move(&self, us: Color, san: Word) -> Option<(Role, Bitboard, Square)> {
        let pattern = Pattern::read(san, us)?;
        let from = self.sole_origin(&pattern, us)?;
        Some((pattern.role, from, pattern.to))
    }

    #[inline(never)]
    fn play_rare(&mut self, san: &[u8]) -> Option<Move> {
        let m = self.resolve(san)?;
        self.play(m);
        Some(m)
    }

    /// The origin of a legal move of this side, the one to move, if only one piece can reach the
    /// target on an empty board. The next move waits for this set, and for nothing that is tested
    /// here.
    #[inline(always)]
    fn sole_origin(&self, pattern: &Pattern, us: Color) -> Option<Bitboard> {
        let (to, occupied) = (pattern.to, self.occupied());
        let (ours, theirs) = (self.by_color(us), self.by_color(!us));
        let from = ours & self.by_role(pattern.role) & pattern.origins & pattern.reach();
        let targets = (theirs & pattern.captures) | (!occupied & pattern.quiet);
        let kings = self.by_piece(us.king());
        let too_many = from.without_first() | kings.without_first();
        if from.is_empty() | kings.is_empty() | too_many.any() {
            return None;
        }
        let is_free = targets.contains(to) & !is_blocked(to, lowest(from), occupied);
        let king = if pattern.role == Role::King {
            to
        } else {
            lowest(kings)
        };
        let occupied = (occupied & !from) | only(to);
        (is_free && self.is_unattacked(us, king, occupied, !only(to))).then_some(from)
    }

    /// The origin of a legal move of this side, the one to move, if there are at most two candidates
    /// and one has a free way.
    #[inline(always)]
    fn usual_origin(&self, pattern: &Pattern, us: Color) -> Option<Square> {
        let (to, occupied) = (pattern.to, self.occupied());
        let candidates = self.candidates(pattern, us);
        let others = candidates.without_first();
        let kings = self.by_piece(us.king());
        let too_many = others.without_first() | kings.without_first();
        if candidates.is_empty() | kings.is_empty() | too_many.any() {
            return None;
        }
        let is_free = |from| !is_blocked(to, from, occupied);
        let (one, other) = (lowest(candidates), lowest(others));
        let (one_is_free, other_is_free) = (is_free(one), is_free(other) & others.any());
        let from = if one_is_free { one } else { other };
        let king = if pattern.role == Role::King {
            to
        } else {
            lowest(kings)
        };
        let occupied = (occupied & !only(from)) | only(to);
        let is_legal =
            (one_is_free ^ other_is_free) && self.is_unattacked(us, king, occupied, !only(to));
        is_legal.then_some(from)
    }

    /// The pieces that can reach the target on an empty board, if they may go there.
    #[inline(always)]
    fn candidates(&self, pattern: &Pattern, us: Color) -> Bitboard {
        let (ours, theirs) = (self.by_color(us), self.by_color(!us));
        let targets = (theirs & pattern.captures) | (!(ours | theirs) & pattern.quiet);
        let pieces = ours & self.by_role(pattern.role) & pattern.origins;
        pieces & pattern.reach() & all_if(targets.contains(pattern.to))
    }

    /// En passant; a move of one of several pieces of which others are pinned; a move without a king
    /// or with several.
    #[cold]
    #[inline(never)]
    fn rare_move(&self, pattern: &Pattern) -> Option<Move> {
        let (role, to) = (pattern.role, pattern.to);
        if pattern.row >= CAPTURES && self.ep == Some(to) {
            let pawns = self.by_piece(self.turn.pawn()) & pattern.origins;
            let from = (pawns & pattern.reach()).single_square()?;
            return self
                .is_safe_en_passant(from, to)
                .then(|| Move::en_passant(from, to));
        }
        self.only_origin(pattern)
            .map(|from| Move::plain(role, from, to))
    }

    /// The only piece that can legally move to the target.
    fn only_origin(&self, pattern: &Pattern) -> Option<Square> {
        let is_able = |from: &Square| self.may_go(pattern.role, *from, pattern.to);
        let mut able = self
            .candidates(pattern, self.turn)
            .into_iter()
            .filter(is_able);
        able.next().filter(|_| able.next().is_none())
    }

    /// True if no piece is in between and the king is safe afterwards. For a knight no square is in
    /// between.
    fn may_go(&self, role: Role, from: Square, to: Square) -> bool {
        let occupied = self.occupied();
        if is_blocked(from, to, occupied) {
            return false;
        }
        let after = (occupied & !only(from)) | only(to);
        match role {
            Role::King => {
                let is_only_king = self.king_of(self.turn) == Some(from);
                is_only_king && self.is_unattacked(self.turn, to, after, !only(to))
            }
            _ => self.is_king_safe(after, !only(to)),
        }
    }

    /// `O-O`, `0-0`, `e8=Q`, `dxe8=Q`, `Qa1b2`, `Qa1xb2`
    #[inline(never)]
    fn special_move(&self, san: &[u8]) -> Option<Move> {
        let san = match san {
            [body @ .., b'+' | b'#'] => body,
            _ => san,
        };
        match *san {
            [b'O', b'-', b'O'] | [b'0', b'-', b'0'] => self.castling_move(CastlingSide::KingSide),
            [b'O', b'-', b'O', b'-', b'O'] | [b'0', b'-', b'0', b'-', b'0'] => {
                self.castling_move(CastlingSide::QueenSide)
            }
            [ref pawn @ .., b'=', role] => self.promotion(pawn, role),
            [piece, file, rank, ref to @ ..] => {
                let from = line(file)? & line(rank)?;
                let to = to.strip_prefix(b"x").unwrap_or(to);
                let &[file, rank] = to else { return None };
                let mut pattern = Pattern::read(Word::new(&[piece, file, rank])?, self.turn)?;
                pattern.origins = from;
                self.rare_move(&pattern)
            }
            _ => None,
        }
    }

    /// A pawn move, and the letter of the piece that the pawn becomes.
    fn promotion(&self, pawn: &[u8], letter: u8) -> Option<Move> {
        let role = READINGS[letter as usize].role?;
        let mut pattern = Pattern::read(Word::new(pawn)?, self.turn)?;
        if pattern.role != Role::Pawn || matches!(role, Role::Pawn | Role::King) {
            return None;
        }
        let last_rank = back_rank(!self.turn);
        pattern.captures = last_rank & all_if(pattern.row >= CAPTURES);
        pattern.quiet = last_rank & all_if(pattern.row < CAPTURES);
        let from = self.only_origin(&pattern)?;
        Some(Move::promotion(from, pattern.to, role))
    }
}

/// A word of at most seven bytes in a number, the first byte lowest; the bytes after it are
/// arbitrary.
#[derive(Clone, Copy)]
pub(crate) struct Word {
    bytes: u64,
    len: usize,
}

impl Word {
    fn new(word: &[u8]) -> Option<Word> {
        let mut bytes = [0; 8];
        bytes[..7].get_mut(..word.len())?.copy_from_slice(word);
        Some(Word {
            bytes: u64::from_le_bytes(bytes),
            len: word.len(),
        })
    }

    /// A part of a text that does not end directly after it.
    #[inline(always)]
    pub(crate) fn within(text: &[u8], span: &Range<usize>) -> Option<Word> {
        let len = span.end.wrapping_sub(span.start);
        let bytes = text.get(span.start..)?.first_chunk()?;
        (len < 8).then(|| Word {
            bytes: u64::from_le_bytes(*bytes),
            len,
        })
    }

    /// The bytes of a text up to the first that is before `+` in ASCII: a blank, `!`, `)` … `None` if
    /// there is no such byte.
    #[inline(always)]
    pub(crate) fn until_blank(bytes: [u8; 8]) -> Option<Word> {
        const ONES: u64 = u64::MAX / 255;
        let bytes = u64::from_le_bytes(bytes);
        // Exact for the first such byte, and for the others it does not matter.
        let ends = bytes.wrapping_sub(ONES * b'+' as u64) & !bytes & (ONES << 7);
        let len = ends.trailing_zeros() as usize / 8;
        (ends != 0).then_some(Word { bytes, len })
    }

    /// The number of bytes.
    #[inline(always)]
    pub(crate) fn len(self) -> usize {
        self.len
    }

    /// The byte after the word.
    #[inline(always)]
    pub(crate) fn next_byte(self) -> u8 {
        self.bytes.wrapping_shr(8 * self.len as u32) as u8
    }

    /// The length without a check mark, and the two bytes before it, the last one highest.
    #[inline(always)]
    fn without_check(self) -> (usize, u64) {
        let ending = self.bytes.wrapping_shl(64 - 8 * self.len as u32);
        let last = ending >> 56;
        let is_check = (last == u64::from(b'+')) | (last == u64::from(b'#'));
        let len = self.len.wrapping_sub(usize::from(is_check));
        (len, ending << (8 * u32::from(is_check)) >> 48)
    }
}

/// What the text of a move specifies.
struct Pattern {
    role: Role,
    /// How the piece moves: a row of [`LINES`].
    row: u8,
    /// Where the piece may come from, by the text between the piece letter and the target.
    origins: Bitboard,
    to: Square,
    /// Where such a piece may go: to squares of the enemy, and to empty squares.
    captures: Bitboard,
    quiet: Bitboard,
}

impl Pattern {
    /// Reads `e4`, `exd5`, `Nf3`, `Nbd2`, `Nxe4`, `Nbxd2`.
    #[inline(always)]
    fn read(word: Word, turn: Color) -> Option<Pattern> {
        let bytes = word.bytes;
        let (len, target) = word.without_check();
        let Reading { role, row, .. } = READINGS[(bytes & 0xff) as usize];
        let role = role?;
        // Files are small letters. Bits and not `bool`, of which the compiler would make branches.
        let is_pawn = (bytes >> 5 & 1) as usize;
        let is_long = len >> 2 & 1;
        let form = &FORMS[is_pawn][len & 7];
        // File and rank in a byte each.
        let to = target.wrapping_sub(0x3161);
        if (bytes & form.mask != form.fixed) | (to & 0xf8f8 != 0) {
            return None;
        }
        // The row and the origin are not in the form: the next move would wait for one more table.
        let second = is_long & !is_pawn;
        let origin = (bytes >> (8 * second)) & 0xff;
        let color = is_pawn & usize::from(turn.is_black());
        let capture = (is_pawn & is_long) * usize::from(CAPTURES - PUSHES);
        Some(Pattern {
            role,
            row: row + (color + capture) as u8,
            origins: READINGS[origin as usize].origins,
            to: Square::new((to | to >> 5) as u32 & 63),
            captures: form.captures,
            quiet: form.quiet,
        })
    }

    /// The squares from which the target can be reached on an empty board.
    #[inline(always)]
    fn reach(&self) -> Bitboard {
        LINES[self.row as usize & 15][self.to.to_usize() & 63]
    }
}

/// The form of a move of a certain length.
#[derive(Clone, Copy)]
struct Form {
    /// These bits must have these values: the `x`; no value is possible for a wrong length.
    mask: u64,
    fixed: u64,
    /// Where such a piece may go: to squares of the enemy, and to empty squares.
    captures: Bitboard,
    quiet: Bitboard,
}

impl Form {
    const NONE: Form = Form {
        mask: 0,
        fixed: 1,
        captures: Bitboard::EMPTY,
        quiet: Bitboard::EMPTY,
    };

    /// A form of a piece, perhaps with an `x` at this byte.
    const fn new(cross: Option<u8>) -> Form {
        let (mask, fixed) = match cross {
            Some(at) => (0xff << (8 * at), (b'x' as u64) << (8 * at)),
            None => (0, 0),
        };
        Form {
            mask,
            fixed,
            captures: Bitboard::FULL,
            quiet: Bitboard::FULL,
        }
    }
}

/// Where pawns can go without a promotion.
const UNPROMOTED: Bitboard = Bitboard(0x00ff_ffff_ffff_ff00);

/// The forms by length: those of pieces, then those of pawns.
static FORMS: [[Form; 8]; 2] = {
    let mut forms = [[Form::NONE; 8]; 2];
    forms[1][2] = Form {
        captures: Bitboard::EMPTY,
        quiet: UNPROMOTED,
        ..Form::new(None)
    };
    forms[1][4] = Form {
        captures: UNPROMOTED,
        quiet: Bitboard::EMPTY,
        ..Form::new(Some(1))
    };
    forms[0][3] = Form::new(None);
    forms[0][4] = Form::new(None);
    forms[0][5] = Form::new(Some(2));
    forms
};

/// What a letter or digit can mean in a move.
#[derive(Clone, Copy)]
struct Reading {
    /// As the first letter of a move: the piece.
    role: Option<Role>,
    /// How this piece moves, for a pawn White's without a capture: a row of [`LINES`].
    row: u8,
    /// The file or rank of the origin; all squares for `x` and piece letters.
    origins: Bitboard,
}

static READINGS: [Reading; 256] = {
    const NOTHING: Reading = Reading {
        role: None,
        row: 0,
        origins: Bitboard::EMPTY,
    };
    let mut readings = [NOTHING; 256];
    let pieces = [
        (b'N', Role::Knight),
        (b'B', Role::Bishop),
        (b'R', Role::Rook),
        (b'Q', Role::Queen),
        (b'K', Role::King),
    ];
    let mut at = 0;
    while at < pieces.len() {
        let (letter, role) = pieces[at];
        readings[letter as usize] = Reading {
            role: Some(role),
            row: role as u8,
            origins: Bitboard::FULL,
        };
        at += 1;
    }
    let mut at = 0;
    while at < 8 {
        readings[b'a' as usize + at] = Reading {
            role: Some(Role::Pawn),
            row: PUSHES,
            origins: Bitboard(0x0101_0101_0101_0101 << at),
        };
        readings[b'1' as usize + at].origins = Bitboard(0xff << (8 * at));
        at += 1;
    }
    readings[b'x' as usize].origins = Bitboard::FULL;
    readings
};

/// The squares of a file or rank.
fn line(name: u8) -> Option<Bitboard> {
    match name {
        b'a'..=b'h' | b'1'..=b'8' => Some(READINGS[name as usize].origins),
        _ => None,
    }
}
