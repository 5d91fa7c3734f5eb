//! Writing moves: SAN, long algebraic notation, UCI.

use shakmaty::{Bitboard, CastlingSide, Role, Square, attacks};

use super::{Board, only};
use crate::moves::{Move, MoveKind, MoveText, push_square};

impl Board {
    /// The move in standard algebraic notation, with minimal disambiguation and check or mate mark.
    /// The move must be legal; the null move is `--`.
    pub fn san(&self, m: Move) -> MoveText {
        self.written(
            m,
            |text, role, from| self.push_origin(text, m, role, from),
            "",
        )
    }

    /// The move in long algebraic notation, `Ng1-f3`, with check or mate mark.
    pub fn lan(&self, m: Move) -> MoveText {
        self.written(m, |text, _, from| push_square(text, from), "-")
    }

    /// The move in UCI notation; castling as king takes rook in Chess960, otherwise as a king move.
    pub fn uci(&self, m: Move) -> MoveText {
        if self.is_chess960() {
            m.uci960()
        } else {
            m.uci()
        }
    }

    fn written(
        &self,
        m: Move,
        push_origin: impl Fn(&mut MoveText, Role, Square),
        quiet: &str,
    ) -> MoveText {
        let mut text = MoveText::new();
        let to = m.target();
        match (m.kind(), m.role()) {
            (MoveKind::Null, _) | (_, None) => {
                text.push_str("--");
                return text;
            }
            (MoveKind::Castling, _) => text.push_str(match m.castling_side() {
                Some(CastlingSide::QueenSide) => "O-O-O",
                _ => "O-O",
            }),
            (MoveKind::Drop(_), Some(role)) => {
                push_letter(&mut text, role);
                text.push('@');
                push_square(&mut text, to);
            }
            (_, Some(role)) => {
                push_letter(&mut text, role);
                push_origin(&mut text, role, m.source());
                text.push_str(if self.is_capture(m) { "x" } else { quiet });
                push_square(&mut text, to);
            }
        }
        if let Some(role) = m.promoted() {
            text.push('=');
            text.push(role.upper_char());
        }
        self.push_check(&mut text, m);
        text
    }

    fn push_origin(&self, text: &mut MoveText, m: Move, role: Role, from: Square) {
        if role == Role::Pawn {
            if self.is_capture(m) {
                text.push(from.file().char());
            }
            return;
        }
        let rivals = self.origins(role, m.target()) & !only(from);
        if rivals.is_empty() {
            return;
        }
        let on_file = (rivals & Bitboard::from(from.file())).any();
        let on_rank = (rivals & Bitboard::from(from.rank())).any();
        if on_rank || !on_file {
            text.push(from.file().char());
        }
        if on_file {
            text.push(from.rank().char());
        }
    }

    /// The squares from which pieces of a role can legally move to a square.
    fn origins(&self, role: Role, to: Square) -> Bitboard {
        let plain = |from: &Square| self.is_legal(Move::plain(role, *from, to));
        let reach = attacks::attacks(to, role.of(self.turn), self.occupied());
        (reach & self.by_piece(role.of(self.turn)))
            .into_iter()
            .filter(plain)
            .collect()
    }

    fn push_check(&self, text: &mut MoveText, m: Move) {
        let mut after = self.clone();
        after.play(m);
        if after.is_won() {
            text.push('#');
        } else if after.is_check() {
            text.push('+');
        }
    }

    /// True if the side that made the last move has won.
    fn is_won(&self) -> bool {
        match self.rules {
            None => self.is_checkmate(),
            Some(_) => self
                .outcome()
                .is_some_and(|outcome| outcome.winner.is_some()),
        }
    }
}

fn push_letter(text: &mut MoveText, role: Role) {
    if role != Role::Pawn {
        text.push(role.upper_char());
    }
}
