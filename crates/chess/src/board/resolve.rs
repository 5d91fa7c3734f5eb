//! Strict SAN to a legal move, starting from the target square.
//!
//! The pieces that can reach the target are found from the target, and only for these the safety
//! of the king is checked. Everything else is handled by the lenient reader.

use shakmaty::{Bitboard, CastlingSide, File, Rank, Role, Square, attacks};

use super::generate::{back, on_lines};
use super::{Board, all_if, back_rank, is_last_rank, only};
use crate::moves::Move;

impl Board {
    /// The legal move with this SAN; `None` if the text is not strict SAN, or matches no legal move
    /// or several.
    #[inline]
    pub(super) fn resolve(&self, san: &[u8]) -> Option<Move> {
        let body = match san {
            [body @ .., b'+' | b'#'] => body,
            _ => san,
        };
        let &[first, .., file, rank] = body else {
            return self.short_pawn_push(body);
        };
        let Some(to) = checked_square(file, rank) else {
            return self.castling_or_promotion(body);
        };
        match piece(first) {
            Some(role) => self.piece_move(role, origins(body)?, to),
            None => match *body {
                [file @ b'a'..=b'h', b'x', _, _] => self.pawn_capture(file, to, None),
                _ => None,
            },
        }
    }

    /// `e4`
    #[inline]
    fn short_pawn_push(&self, san: &[u8]) -> Option<Move> {
        let &[file, rank] = san else { return None };
        self.pawn_push(checked_square(file, rank)?, None)
    }

    /// `O-O`, `0-0`, `e8=Q`, `dxe8=Q`
    #[inline(never)]
    fn castling_or_promotion(&self, san: &[u8]) -> Option<Move> {
        match *san {
            [b'O', b'-', b'O'] | [b'0', b'-', b'0'] => self.castling_move(CastlingSide::KingSide),
            [b'O', b'-', b'O', b'-', b'O'] | [b'0', b'-', b'0', b'-', b'0'] => {
                self.castling_move(CastlingSide::QueenSide)
            }
            [file, rank, b'=', role] => {
                self.pawn_push(checked_square(file, rank)?, Some(piece(role)?))
            }
            [from @ b'a'..=b'h', b'x', file, rank, b'=', role] => {
                self.pawn_capture(from, checked_square(file, rank)?, Some(piece(role)?))
            }
            _ => None,
        }
    }

    /// One code path for all roles: the role is unpredictable, and a mispredicted branch costs more
    /// than the move.
    #[inline]
    fn piece_move(&self, role: Role, origins: Bitboard, to: Square) -> Option<Move> {
        let ours = self.by_color(self.turn);
        if ours.contains(to) {
            return None;
        }
        let candidates = on_lines(role, to) & ours & self.by_role(role) & origins;
        let from = match candidates.single_square() {
            Some(from) if role == Role::King => self.is_safe_walk(from, to).then_some(from),
            Some(from) => self.may_go(from, to).then_some(from),
            None => self.only_origin(candidates, to),
        };
        from.map(|from| Move::plain(role, from, to))
    }

    /// The only candidate that can legally move to the target.
    #[inline(never)]
    fn only_origin(&self, candidates: Bitboard, to: Square) -> Option<Square> {
        let mut able = candidates.into_iter().filter(|&from| self.may_go(from, to));
        able.next().filter(|_| able.next().is_none())
    }

    /// True if no piece is in between and the king is safe afterwards. For a knight no square is in
    /// between.
    #[inline]
    fn may_go(&self, from: Square, to: Square) -> bool {
        (attacks::between(from, to) & self.occupied()).is_empty() && self.is_safe_step(from, to)
    }

    /// True if the king is not attacked on its target square.
    #[inline(never)]
    fn is_safe_walk(&self, from: Square, to: Square) -> bool {
        let occupied = self.occupied() & !only(from);
        let is_only_king = self.king_of(self.turn) == Some(from);
        is_only_king && self.is_unattacked(to, occupied, !only(to))
    }

    #[inline]
    fn pawn_push(&self, to: Square, role: Option<Role>) -> Option<Move> {
        let (us, occupied) = (self.turn, self.occupied());
        let pawns = self.by_piece(us.pawn());
        if occupied.contains(to) || back_rank(us).contains(to) {
            return None;
        }
        let (one, two) = (back(us, to, 1), back(us, to, 2));
        let from = if pawns.contains(one) {
            one
        } else if to.rank() == us.relative_rank(Rank::Fourth)
            && pawns.contains(two)
            && !occupied.contains(one)
        {
            two
        } else {
            return None;
        };
        let m = self.pawn_step(from, to, role)?;
        self.is_safe_step(from, to).then_some(m)
    }

    #[inline]
    fn pawn_capture(&self, from: u8, to: Square, role: Option<Role>) -> Option<Move> {
        let us = self.turn;
        let origins = Bitboard::from(file(from)) & attacks::pawn_attacks(!us, to);
        let from = (origins & self.by_piece(us.pawn())).single_square()?;
        if self.by_color(!us).contains(to) {
            let m = self.pawn_step(from, to, role)?;
            return self.is_safe_step(from, to).then_some(m);
        }
        let passing = self.ep == Some(to) && role.is_none() && self.is_safe_en_passant(from, to);
        passing.then(|| Move::en_passant(from, to))
    }

    /// A pawn move: with a promotion on the last rank and only there.
    #[inline]
    fn pawn_step(&self, from: Square, to: Square, role: Option<Role>) -> Option<Move> {
        match (role, is_last_rank(self.turn, to)) {
            (None, false) => Some(Move::plain(Role::Pawn, from, to)),
            (Some(role), true) if role != Role::King => Some(Move::promotion(from, to, role)),
            _ => None,
        }
    }

    /// True if the king is safe after another piece moves.
    #[inline]
    fn is_safe_step(&self, from: Square, to: Square) -> bool {
        let occupied = (self.occupied() & !only(from)) | only(to);
        self.is_king_safe(occupied, !only(to))
    }
}

/// The origins allowed by the text between the piece letter and the target.
#[inline]
fn origins(san: &[u8]) -> Option<Bitboard> {
    match san.len() {
        // `Nf3` or `Nbd2`, `Nxe4`: without a branch, because it would be unpredictable.
        len @ 3..=4 => Some(ORIGINS[san[1] as usize] | all_if(len == 3)),
        _ => long_origins(san),
    }
}

/// `Nbxd2`, `Qa1b2`, `Qa1xb2`
#[inline(never)]
fn long_origins(san: &[u8]) -> Option<Bitboard> {
    let line = |at: u8| match at {
        b'a'..=b'h' | b'1'..=b'8' => Some(ORIGINS[at as usize]),
        _ => None,
    };
    match *san {
        [_, at, b'x', _, _] => line(at),
        [_, f, r, _, _] | [_, f, r, b'x', _, _] => Some(line(f)? & line(r)?),
        _ => None,
    }
}

/// The origins allowed by one byte after the piece letter: a file or rank, or all squares for `x`.
static ORIGINS: [Bitboard; 256] = {
    let mut origins = [Bitboard::EMPTY; 256];
    let mut at = 0;
    while at < 8 {
        origins[b'a' as usize + at] = Bitboard(0x0101_0101_0101_0101 << at);
        origins[b'1' as usize + at] = Bitboard(0xff << (8 * at));
        at += 1;
    }
    origins[b'x' as usize] = Bitboard::FULL;
    origins
};

#[inline]
fn file(letter: u8) -> File {
    File::new(u32::from(letter.wrapping_sub(b'a') & 7))
}

#[inline]
fn checked_square(file: u8, rank: u8) -> Option<Square> {
    let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
    ((file | rank) < 8).then(|| Square::new(u32::from((rank & 7) << 3 | file & 7)))
}

#[inline]
fn piece(letter: u8) -> Option<Role> {
    PIECES[letter as usize]
}

static PIECES: [Option<Role>; 256] = {
    let mut pieces = [None; 256];
    pieces[b'N' as usize] = Some(Role::Knight);
    pieces[b'B' as usize] = Some(Role::Bishop);
    pieces[b'R' as usize] = Some(Role::Rook);
    pieces[b'Q' as usize] = Some(Role::Queen);
    pieces[b'K' as usize] = Some(Role::King);
    pieces
};
