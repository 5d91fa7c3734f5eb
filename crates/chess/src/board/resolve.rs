//! From well-formed SAN to a legal move, by way of the target square.
//!
//! Pieces that could go to the target are looked up from the target; whether the king is safe
//! afterwards is asked of those alone. Anything out of the ordinary is left to the lenient reader.

use shakmaty::{Bitboard, CastlingSide, File, Rank, Role, Square, attacks};

use super::generate::back;
use super::{Board, back_rank, is_last_rank, only};
use crate::moves::Move;

impl Board {
    /// The legal move that this SAN names; none if the text is not plain SAN, or names no legal
    /// move or several.
    #[inline]
    pub(super) fn resolve(&self, san: &[u8]) -> Option<Move> {
        let body = match san {
            [body @ .., b'+' | b'#'] => body,
            _ => san,
        };
        match *body {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => self.pawn_push(square(file, rank), None),
            [
                role @ (b'N' | b'B' | b'R' | b'Q' | b'K'),
                ref from @ ..,
                file,
                rank,
            ] => {
                let to = checked_square(file, rank)?;
                self.piece_move(piece(role)?, origins(from)?, to)
            }
            [
                from @ b'a'..=b'h',
                b'x',
                file @ b'a'..=b'h',
                rank @ b'1'..=b'8',
            ] => self.pawn_capture(from, square(file, rank), None),
            [b'O', b'-', b'O'] => self.castling_move(CastlingSide::KingSide),
            [b'O', b'-', b'O', b'-', b'O'] => self.castling_move(CastlingSide::QueenSide),
            [file @ b'a'..=b'h', rank @ b'1'..=b'8', b'=', role] => {
                self.pawn_push(square(file, rank), Some(piece(role)?))
            }
            [
                from @ b'a'..=b'h',
                b'x',
                file @ b'a'..=b'h',
                rank @ b'1'..=b'8',
                b'=',
                role,
            ] => self.pawn_capture(from, square(file, rank), Some(piece(role)?)),
            _ => None,
        }
    }

    #[inline]
    fn piece_move(&self, role: Role, origins: Bitboard, to: Square) -> Option<Move> {
        let (occupied, ours) = (self.occupied(), self.by_color(self.turn));
        if ours.contains(to) {
            return None;
        }
        let reach = match role {
            Role::Knight => attacks::knight_attacks(to),
            Role::Bishop => attacks::bishop_attacks(to, occupied),
            Role::Rook => attacks::rook_attacks(to, occupied),
            Role::Queen => attacks::queen_attacks(to, occupied),
            Role::King | Role::Pawn => return self.king_move(origins, to),
        };
        let candidates = reach & ours & self.by_role(role) & origins;
        let from = match candidates.single_square() {
            Some(from) => Some(from).filter(|&from| self.is_safe_step(from, to)),
            None => self.only_safe_origin(candidates, to),
        };
        from.map(|from| Move::plain(role, from, to))
    }

    /// Of several pieces that could go there, the only one that may.
    #[inline(never)]
    fn only_safe_origin(&self, candidates: Bitboard, to: Square) -> Option<Square> {
        let mut safe = candidates
            .into_iter()
            .filter(|&from| self.is_safe_step(from, to));
        safe.next().filter(|_| safe.next().is_none())
    }

    #[inline]
    fn king_move(&self, origins: Bitboard, to: Square) -> Option<Move> {
        let king = self.king_of(self.turn)?;
        let near = (attacks::king_attacks(king).contains(to)) & origins.contains(king);
        let occupied = self.occupied() & !only(king);
        (near && self.attackers(to, !self.turn, occupied).is_empty())
            .then(|| Move::plain(Role::King, king, to))
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

    /// A pawn's step, with a role to become on the last rank and nowhere else.
    #[inline]
    fn pawn_step(&self, from: Square, to: Square, role: Option<Role>) -> Option<Move> {
        match (role, is_last_rank(self.turn, to)) {
            (None, false) => Some(Move::plain(Role::Pawn, from, to)),
            (Some(role), true) if role != Role::King => Some(Move::promotion(from, to, role)),
            _ => None,
        }
    }

    /// True if the king is safe after a piece other than itself goes from here to there.
    #[inline]
    fn is_safe_step(&self, from: Square, to: Square) -> bool {
        let occupied = (self.occupied() & !only(from)) | only(to);
        self.is_king_safe(occupied, !only(to))
    }
}

/// The squares allowed by what stands between the piece's letter and the target.
#[inline]
fn origins(text: &[u8]) -> Option<Bitboard> {
    match *text {
        [] | [b'x'] => Some(Bitboard::FULL),
        [at] | [at, b'x'] => line(at),
        [f, r] | [f, r, b'x'] => Some(line(f)? & line(r)?),
        _ => None,
    }
}

/// A file or rank by its letter or digit.
#[inline]
fn line(at: u8) -> Option<Bitboard> {
    match at {
        b'a'..=b'h' => Some(Bitboard::from(file(at))),
        b'1'..=b'8' => Some(Bitboard(0xff << (8 * (at - b'1')))),
        _ => None,
    }
}

#[inline]
fn file(letter: u8) -> File {
    File::new(u32::from(letter.wrapping_sub(b'a') & 7))
}

/// The square of a letter and a digit known to be in range.
#[inline]
fn square(file: u8, rank: u8) -> Square {
    let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
    Square::new(u32::from((rank & 7) << 3 | file & 7))
}

#[inline]
fn checked_square(file: u8, rank: u8) -> Option<Square> {
    let inside = file.wrapping_sub(b'a') < 8 && rank.wrapping_sub(b'1') < 8;
    inside.then(|| square(file, rank))
}

#[inline]
fn piece(letter: u8) -> Option<Role> {
    Some(match letter {
        b'N' => Role::Knight,
        b'B' => Role::Bishop,
        b'R' => Role::Rook,
        b'Q' => Role::Queen,
        b'K' => Role::King,
        _ => return None,
    })
}
