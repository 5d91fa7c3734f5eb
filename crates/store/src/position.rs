//! Positions to look for, whole or as pieces on a board.

use chess::{Board, Color, Identity, Role, Square, Variant};

use crate::track::{Placement, Track, hash_of};

/// A position to look for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    pub(crate) hash: u64,
    key: u128,
    placement: Placement,
    pub(crate) men: u32,
    /// Games of usual chess can reach it.
    pub(crate) usual: bool,
}

impl Position {
    /// The position on this board; counters are ignored.
    pub fn of(board: &Board) -> Position {
        let placement = Placement::of(board);
        Position {
            hash: hash_of(board),
            key: board.key(Identity::Strict),
            men: placement.men(),
            placement,
            usual: board.variant().is_chess(),
        }
    }

    /// The positions of usual games with exactly these pieces on the board: either side to move,
    /// and every choice of castling rights and of a pawn that can be taken en passant.
    pub fn with_pieces(pieces: &[(Color, Role, Square)]) -> Vec<Position> {
        let mut squares = [None; 64];
        for &(color, role, square) in pieces {
            squares[square as usize] = Some((color, role));
        }
        let placement = placement_text(&squares);
        let mut positions: Vec<Position> = Vec::new();
        for turn in Color::ALL {
            for castling in castling_texts(&squares) {
                for en_passant in en_passant_texts(&squares, turn) {
                    let side = turn.fold_wb('w', 'b');
                    let fen = format!("{placement} {side} {castling} {en_passant} 0 1");
                    if let Ok(board) = Board::from_fen(&fen, Variant::Standard) {
                        positions.push(Position::of(&board));
                    }
                }
            }
        }
        positions.sort_unstable_by_key(|position| position.key);
        positions.dedup_by_key(|position| position.key);
        positions
    }

    /// Whether this is the position of the track.
    #[inline]
    pub(crate) fn is_at(&self, track: &Track) -> bool {
        track.hash() == self.hash && track.is_at(&self.placement)
    }

    /// Whether this is the position on the board.
    pub(crate) fn is_on(&self, board: &Board) -> bool {
        board.key(Identity::Strict) == self.key
    }
}

type Squares = [Option<(Color, Role)>; 64];

/// The pieces as in a FEN.
fn placement_text(squares: &Squares) -> String {
    let rank = |rank: usize| {
        let squares = squares[8 * rank..8 * rank + 8].iter();
        squares.map(|square| match square {
            Some((color, role)) => role.of(*color).char(),
            None => '1',
        })
    };
    let ranks = (0..8).rev().map(|at| rank(at).collect::<String>());
    ranks.collect::<Vec<_>>().join("/")
}

/// The castling rights that kings and rooks on their first squares allow, as in a FEN.
fn castling_texts(squares: &Squares) -> Vec<String> {
    let has = |square: Square, color, role| squares[square as usize] == Some((color, role));
    let mut texts = vec![String::new()];
    for (letter, color, king, rook) in [
        ('K', Color::White, Square::E1, Square::H1),
        ('Q', Color::White, Square::E1, Square::A1),
        ('k', Color::Black, Square::E8, Square::H8),
        ('q', Color::Black, Square::E8, Square::A8),
    ] {
        if has(king, color, Role::King) && has(rook, color, Role::Rook) {
            let with = texts.iter().map(|text| format!("{text}{letter}"));
            texts.extend(with.collect::<Vec<_>>());
        }
    }
    texts[0].push('-');
    texts
}

/// The squares on which a pawn that has just moved two squares could be taken, as in a FEN.
fn en_passant_texts(squares: &Squares, turn: Color) -> Vec<String> {
    let rank = turn.fold_wb(4, 3);
    let behind = turn.fold_wb(6, 3);
    let moved = Some((!turn, Role::Pawn));
    let files = (0..8u8).filter(|&file| squares[8 * rank + usize::from(file)] == moved);
    let square = |file: u8| format!("{}{behind}", char::from(b'a' + file));
    std::iter::once("-".to_string())
        .chain(files.map(square))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_with_the_same_pieces_is_named() {
        for (fen, count) in [
            // Either side to move, all subsets of four rights.
            ("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1", 32),
            // A pawn that can be taken en passant by White.
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", 3),
            ("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", 2),
        ] {
            let board = Board::from_fen(fen, Variant::Standard).unwrap();
            let pieces: Vec<_> = Square::ALL
                .into_iter()
                .filter_map(|square| {
                    let piece = board.piece_at(square)?;
                    Some((piece.color, piece.role, square))
                })
                .collect();
            let positions = Position::with_pieces(&pieces);
            assert_eq!(positions.len(), count, "{fen}");
            assert!(positions.contains(&Position::of(&board)), "{fen}");
        }
    }
}
