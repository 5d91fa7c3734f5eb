//! Moves as `chess.Board.parse_san` reads them: more lenient than the standard, less than ours.

use chess::{Board, CastlingSide, File, Move, MoveKind, Rank, Role, Square};

/// Plays the move of a token that is not in strict SAN; `None` if `parse_san` would raise an error.
#[cold]
pub fn play(board: &mut Board, token: &[u8]) -> Option<Move> {
    let m = resolve_leniently(board, token)?;
    board.play(m);
    Some(m)
}

#[cold]
fn resolve_leniently(board: &Board, token: &[u8]) -> Option<Move> {
    if matches!(token, b"--" | b"Z0" | b"0000" | b"@@@@") {
        return Some(Move::NULL).filter(|&m| board.is_legal(m));
    }
    let moves = board.legal_moves();
    let castles = |side| move |m: &Move| m.castling_side() == Some(side);
    match *token {
        [b'O' | b'0', b'-', _] => return moves.into_iter().find(castles(CastlingSide::KingSide)),
        [b'O' | b'0', b'-', _, b'-', _] => {
            return moves.into_iter().find(castles(CastlingSide::QueenSide));
        }
        [b'@', ..] | [_, b'@', ..] => {
            let drop = board.parse_san(token).ok()?;
            return Some(drop).filter(|m| matches!(m.kind(), MoveKind::Drop(_)));
        }
        _ => {}
    }
    let pattern = Pattern::read(token)?;
    let mut matching = moves.iter().copied().filter(|&m| pattern.matches(board, m));
    matching.next().filter(|_| matching.next().is_none())
}

/// The parts of a move that its text specifies.
struct Pattern {
    role: Option<Role>,
    from_file: Option<File>,
    from_rank: Option<Rank>,
    to: Square,
    promotion: Option<Role>,
}

impl Pattern {
    fn read(token: &[u8]) -> Option<Pattern> {
        let (role, rest) = match token {
            [letter @ (b'N' | b'B' | b'K' | b'R' | b'Q'), rest @ ..] => {
                (Role::from_char(char::from(*letter)), rest)
            }
            _ => (None, token),
        };
        match rest {
            [rest @ .., rank @ b'1'..=b'8', b'=', letter]
            | [rest @ .., rank @ b'1'..=b'8', letter]
                if letter.is_ascii_alphabetic() =>
            {
                let promotion = Role::from_char(char::from(*letter));
                Pattern::read_squares(role, rest, *rank, promotion)
            }
            [rest @ .., rank] => Pattern::read_squares(role, rest, *rank, None),
            [] => None,
        }
    }

    /// Reads what stands before the target's rank.
    fn read_squares(
        role: Option<Role>,
        text: &[u8],
        rank: u8,
        promotion: Option<Role>,
    ) -> Option<Pattern> {
        let [origin @ .., file] = text else {
            return None;
        };
        let to = Square::from_coords(
            File::from_char(char::from(*file))?,
            Rank::from_char(char::from(rank))?,
        );
        let origin = match origin {
            [origin @ .., b'-' | b'x'] => origin,
            _ => origin,
        };
        let (from_file, from_rank) = match *origin {
            [] => (None, None),
            [file @ b'a'..=b'h'] => (File::from_char(char::from(file)), None),
            [rank @ b'1'..=b'8'] => (None, Rank::from_char(char::from(rank))),
            [file, rank] => (
                Some(File::from_char(char::from(file))?),
                Some(Rank::from_char(char::from(rank))?),
            ),
            _ => return None,
        };
        Some(Pattern {
            role,
            from_file,
            from_rank,
            to,
            promotion,
        })
    }

    /// With both coordinates and no letter any piece may move, and castling is a move of the king.
    fn is_free(&self) -> bool {
        self.role.is_none() && self.from_file.is_some() && self.from_rank.is_some()
    }

    fn matches(&self, board: &Board, m: Move) -> bool {
        let (Some(from), Some(to)) = (m.from(), m.to()) else {
            return false;
        };
        let starts_here = self.from_file.is_none_or(|file| file == from.file())
            && self.from_rank.is_none_or(|rank| rank == from.rank());
        if !starts_here || m.promoted() != self.promotion {
            return false;
        }
        if m.kind() == MoveKind::Castling {
            let king_move = m.destination() == Some(self.to) && !board.is_chess960();
            return self.is_free() && (to == self.to || king_move);
        }
        to == self.to && (self.is_free() || self.matches_piece(m, from))
    }

    /// Without a letter it is a pawn; without an origin file the pawn stays on its file.
    fn matches_piece(&self, m: Move, from: Square) -> bool {
        let role = self.role.unwrap_or(Role::Pawn);
        let stays =
            self.role.is_some() || self.from_file.is_some() || from.file() == self.to.file();
        m.role() == Some(role) && stays
    }
}
