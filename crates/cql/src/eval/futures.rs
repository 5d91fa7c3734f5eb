//! The squares that each piece still reaches, so that a search for it can end before it begins.

use super::{Matcher, Value};
use crate::ast::VarId;
use crate::ir::*;
use crate::plan::{MANY_MOVES, Visit};
use crate::positions::bit;
use crate::symmetry::bits;

/// By piece, the future from each position.
#[derive(Default)]
pub(super) struct Futures(Vec<Vec<Future>>);

/// What a piece does from a position on.
#[derive(Clone, Copy)]
struct Future {
    /// The squares on which it stands there or below.
    stands: u64,
    /// The squares to which it moves below.
    arrives: u64,
    /// The most moves it makes on one way down.
    moves: u32,
}

impl Futures {
    pub fn clear(&mut self) {
        self.0.iter_mut().for_each(Vec::clear);
    }
}

impl Matcher<'_> {
    /// False if a piece never reaches a square, at `from` or below, that the condition needs.
    pub(super) fn may_be_found(&mut self, body: BoolId, from: u32) -> bool {
        let q = self.q;
        let visits = q.plan.visits(body);
        visits.is_empty()
            || self.positions.is_imagined(from)
            || visits.iter().all(|visit| self.may_visit(visit, from))
    }

    fn may_visit(&mut self, visit: &Visit, from: u32) -> bool {
        let Value::Piece(piece) = self.values[visit.piece.0 as usize] else {
            return true;
        };
        let squares = self.set(visit.squares);
        match (visit.is_whole, squares.count_ones()) {
            // a piece that is gone
            (true, 0) => true,
            (true, 2..) => false,
            _ => {
                let future = self.future(piece, from);
                squares
                    & if visit.arrives {
                        future.arrives
                    } else {
                        future.stands
                    }
                    != 0
            }
        }
    }

    /// Whether these pieces together can make so many moves from here on.
    pub(super) fn can_move(&mut self, pieces: u64, needed: u32) -> bool {
        let from = self.at;
        // few moves are made anyway
        if needed < MANY_MOVES || self.positions.is_imagined(from) {
            return true;
        }
        let mut moves = 0u32;
        for piece in bits(pieces) {
            moves = moves.saturating_add(self.future(piece as u8, from).moves);
            if moves >= needed {
                return true;
            }
        }
        false
    }

    /// Whether a piece moves from here on to one of the squares of a variable.
    pub(super) fn can_arrive(&mut self, piece: u8, to: VarId) -> bool {
        let from = self.at;
        match self.values[to.0 as usize] {
            Value::Set(squares) if !self.positions.is_imagined(from) => {
                squares & self.future(piece, from).arrives != 0
            }
            _ => true,
        }
    }

    /// The future of a piece from a position on.
    fn future(&mut self, piece: u8, from: u32) -> Future {
        let slot = piece as usize;
        if self.futures.0.len() <= slot {
            self.futures.0.resize_with(slot + 1, Vec::new);
        }
        if self.futures.0[slot].is_empty() {
            self.look_ahead(piece);
        }
        self.futures.0[slot][from as usize]
    }

    fn look_ahead(&mut self, piece: u8) {
        let real = self.positions.real();
        self.keep_for_game(u64::from(real) * 24);
        let pieces = self.positions.pieces.iter().take(real as usize);
        let squares = &mut self.futures.0[piece as usize];
        squares.extend(pieces.map(|pieces| Future {
            stands: bit(pieces.square(piece)),
            arrives: 0,
            moves: 0,
        }));
        for at in (1..real).rev() {
            let Some(parent) = self.positions.parent(at) else {
                continue;
            };
            let mut below = squares[at as usize];
            // a null move counts as one of the king
            if self.positions.moved(at) & bit(piece) != 0 {
                below.arrives |= bit(self.positions.pieces[at as usize].square(piece));
                below.moves += 1;
            }
            let above = &mut squares[parent as usize];
            above.stands |= below.stands;
            above.arrives |= below.arrives;
            above.moves = above.moves.max(below.moves);
        }
    }
}
