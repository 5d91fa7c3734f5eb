//! Positions that are not in the game: imagined ones, and those one move back.

use super::Matcher;
use crate::ast::Side;
use crate::ir::*;
use crate::positions::MoveEffect;
use crate::symmetry::bits;
use chess::{Board, Color, FenWarning, Move, Piece as Man, Role, Square, Variant, attacks};
use std::sync::Arc;

impl<'q> Matcher<'q> {
    /// Evaluates a function on the changed board; none if that is not a valid position.
    pub(super) fn imagine<T>(
        &mut self,
        id: ImagineId,
        f: impl FnOnce(&mut Self) -> T,
    ) -> Option<T> {
        let spec = self.q.ir.imagine(id);
        let puts: Vec<(u16, u64)> = spec
            .put
            .iter()
            .map(|&(piece, set)| (piece, self.set(set)))
            .collect();
        let mut men = Men::new(self.board());
        for (piece, squares) in puts {
            bits(squares).for_each(|s| men.0[s as usize] = man(piece));
        }
        let turn = match spec.turn {
            Some(Side::White) => Color::White,
            Some(Side::Black) => Color::Black,
            None => self.board().turn(),
        };
        let (board, _) = men.board(turn, self.board())?;
        Some(self.imagined(board, None, f))
    }

    /// The change that led here: moves, and squares whose contents differ.
    pub(super) fn current_mutation(&self) -> Option<Arc<str>> {
        let mut parts = Vec::new();
        let mut at = self.at;
        while self.positions.is_imagined(at) {
            let Some(parent) = self.positions.parent(at) else {
                break;
            };
            let before = self.positions.board(parent);
            parts.push(match self.positions.mv(at) {
                None => changes(before, self.positions.board(at)),
                Some(mv) => before.san(mv).to_string(),
            });
            at = parent;
        }
        parts.reverse();
        Some(parts.join(" ").into())
    }

    /// One king each, no pawns on the last ranks, and the side that moved is not in check.
    pub(super) fn legal_position(&self) -> bool {
        let board = self.board();
        match Board::read_fen(&board.fen(), board.variant()) {
            Ok((_, warnings)) => !warnings
                .iter()
                .any(|w| matches!(w, FenWarning::OppositeCheck | FenWarning::PawnsOnBackRank)),
            Err(_) => false,
        }
    }

    /// Legal, and either the initial position of chess or one that some move can have led to.
    pub(super) fn reachable_position(&self) -> bool {
        let board = self.board();
        let Ok((_, warnings)) = Board::read_fen(&board.fen(), board.variant()) else {
            return false;
        };
        let impossible = warnings.iter().any(|w| {
            use FenWarning::{ImpossibleCheck, OppositeCheck, PawnsOnBackRank, TooMuchMaterial};
            matches!(
                w,
                ImpossibleCheck | OppositeCheck | PawnsOnBackRank | TooMuchMaterial
            )
        });
        !impossible
            && (board.board_fen() == Board::new().board_fen() || !reverse_moves(board).is_empty())
    }
}

/// The contents of each square.
#[derive(Clone)]
struct Men([Option<Man>; 64]);

impl Men {
    fn new(board: &Board) -> Men {
        Men(std::array::from_fn(|s| {
            board.piece_at(Square::new(s as u32))
        }))
    }

    fn fen(&self, turn: Color, castling: &str) -> String {
        let mut text = String::new();
        for rank in (0..8).rev() {
            let mut empty = 0;
            for file in 0..8 {
                match self.0[8 * rank + file] {
                    None => empty += 1,
                    Some(man) => {
                        if empty > 0 {
                            text += &empty.to_string();
                        }
                        empty = 0;
                        text.push(man.char());
                    }
                }
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            text += if rank > 0 { "/" } else { "" };
        }
        format!("{text} {} {castling} -", turn.char())
    }

    fn board(&self, turn: Color, like: &Board) -> Option<(Board, Vec<FenWarning>)> {
        let fen = like.fen();
        let castling = fen.split(' ').nth(2).unwrap_or("-");
        Board::read_fen(&self.fen(turn, castling), like.variant()).ok()
    }
}

fn man(piece: u16) -> Option<Man> {
    let index = piece.trailing_zeros();
    let color = if index < 6 {
        Color::White
    } else {
        Color::Black
    };
    let role = crate::kinds::ROLES.get(index as usize % 6).copied()?;
    (index < 12).then_some(Man { color, role })
}

/// `Qe4 _d1`: the changed squares.
fn changes(before: &Board, after: &Board) -> String {
    let (old, new) = (Men::new(before), Men::new(after));
    let changed = (0..64).filter(|&s| old.0[s] != new.0[s]);
    let named = changed.map(|s| {
        format!(
            "{}{}",
            new.0[s].map_or('_', |m| m.char()),
            Square::new(s as u32)
        )
    });
    let mut parts: Vec<String> = named.collect();
    if before.turn() != after.turn() {
        parts.push(if after.turn() == Color::White {
            "wtm".into()
        } else {
            "btm".into()
        });
    }
    parts.join(" ")
}

/// A reverse move.
struct Back {
    from: u32,
    to: u32,
    /// The piece that moved, before a promotion.
    was: Role,
    promoted: Option<Role>,
    takes: Option<(u32, Role)>,
}

/// Every move that may have led to a position of chess, with the board before it.
pub(super) fn reverse_moves(board: &Board) -> Vec<(MoveEffect, Board)> {
    if !matches!(board.variant(), Variant::Standard | Variant::Chess960) {
        return Vec::new();
    }
    let men = Men::new(board);
    let mover = !board.turn();
    let mut found = Vec::new();
    for to in bits(board.by_color(mover).into()) {
        let Some(man) = men.0[to as usize] else {
            continue;
        };
        for back in steps_back(board, &men, mover, to, man.role) {
            found.extend(unplayed(board, &men, mover, &back));
        }
    }
    found
}

fn steps_back(board: &Board, men: &Men, mover: Color, to: u32, role: Role) -> Vec<Back> {
    let occupied = board.occupied();
    let empty = !u64::from(occupied);
    let mut back = Vec::new();
    let mut push =
        |from: u32, was: Role, promoted: Option<Role>, must_take: bool, may_take: bool| {
            let edge = to / 8 == 0 || to / 8 == 7;
            if !must_take {
                back.push(Back {
                    from,
                    to,
                    was,
                    promoted,
                    takes: None,
                });
            }
            if must_take || may_take {
                let roles = crate::kinds::ROLES[..5]
                    .iter()
                    .filter(|r| !(edge && **r == Role::Pawn));
                back.extend(roles.map(|&r| Back {
                    from,
                    to,
                    was,
                    promoted,
                    takes: Some((to, r)),
                }));
            }
        };
    if role == Role::Pawn {
        pawn_back(men, mover, to, |from, take| {
            push(from, Role::Pawn, None, take, false)
        });
        back.extend(en_passant_back(men, mover, to));
        return back;
    }
    let square = Square::new(to);
    let reach = attacks::attacks(square, Man { color: mover, role }, occupied);
    for from in bits(u64::from(reach) & empty) {
        push(from, role, None, false, true);
    }
    let last = if mover == Color::White { 7 } else { 0 };
    if to / 8 == last && role != Role::King {
        pawn_back(men, mover, to, |from, take| {
            push(from, Role::Pawn, Some(role), take, false)
        });
    }
    back
}

/// The possible origins of a pawn, and whether it captured.
fn pawn_back(men: &Men, mover: Color, to: u32, mut f: impl FnMut(u32, bool)) {
    let white = mover == Color::White;
    let behind = |square: u32, n: u32| {
        if white {
            square.checked_sub(8 * n)
        } else {
            Some(square + 8 * n).filter(|&s| s < 64)
        }
    };
    let home = if white { 1 } else { 6 };
    let Some(one) = behind(to, 1).filter(|&s| s / 8 != if white { 0 } else { 7 }) else {
        return;
    };
    if men.0[one as usize].is_none() {
        f(one, false);
        if let Some(two) = behind(to, 2).filter(|&s| s / 8 == home && men.0[s as usize].is_none()) {
            f(two, false);
        }
    }
    for side in [
        one.checked_sub(1).filter(|s| s / 8 == one / 8),
        Some(one + 1).filter(|s| s / 8 == one / 8),
    ] {
        if let Some(from) = side.filter(|&s| men.0[s as usize].is_none()) {
            f(from, true);
        }
    }
}

fn en_passant_back(men: &Men, mover: Color, to: u32) -> Vec<Back> {
    let white = mover == Color::White;
    let (rank, taken, origin) = if white {
        (5, to.wrapping_sub(8), to + 8)
    } else {
        (2, to + 8, to.wrapping_sub(8))
    };
    let free = |s: u32| men.0.get(s as usize).is_some_and(Option::is_none);
    if to / 8 != rank || !free(taken) || !free(origin) {
        return Vec::new();
    }
    let mut back = Vec::new();
    pawn_back(men, mover, to, |from, take| {
        if take {
            back.push(Back {
                from,
                to,
                was: Role::Pawn,
                promoted: None,
                takes: Some((taken, Role::Pawn)),
            });
        }
    });
    back
}

/// The board before the move, if valid: the side that did not move must not be in check there.
fn unplayed(board: &Board, men: &Men, mover: Color, back: &Back) -> Option<(MoveEffect, Board)> {
    let mut before = men.clone();
    before.0[back.to as usize] = None;
    if let Some((square, role)) = back.takes {
        before.0[square as usize] = Some(Man {
            color: !mover,
            role,
        });
    }
    before.0[back.from as usize] = Some(Man {
        color: mover,
        role: back.was,
    });
    let (earlier, warnings) = before.board(mover, board)?;
    if warnings
        .iter()
        .any(|w| matches!(w, FenWarning::OppositeCheck | FenWarning::PawnsOnBackRank))
    {
        return None;
    }
    let (from, to) = (Square::new(back.from), Square::new(back.to));
    let passing = back.takes.is_some_and(|(square, _)| square != back.to);
    let mv = match back.promoted {
        Some(role) => Move::promotion(from, to, role),
        None if passing => Move::en_passant(from, to),
        None => Move::plain(back.was, from, to),
    };
    // in a reverse move, the piece goes from its target to its origin
    let step = MoveEffect::new(&earlier, mv);
    let step = MoveEffect {
        from: step.to,
        to: step.from,
        ..step
    };
    Some((step, earlier))
}
