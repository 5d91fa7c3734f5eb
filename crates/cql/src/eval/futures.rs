//! The squares that each piece still reaches, so that a search for it can end before it begins.

use super::{Matcher, Value};
use crate::ir::*;
use crate::plan::Visit;
use crate::positions::bit;

/// By piece: for each position, the squares on which it stands there or below.
#[derive(Default)]
pub(super) struct Futures(Vec<Vec<u64>>);

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
            _ => self.future(piece, from) & squares != 0,
        }
    }

    /// The squares of a piece from a position on.
    fn future(&mut self, piece: u8, from: u32) -> u64 {
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
        self.keep_for_game(u64::from(real) * 8);
        let pieces = self.positions.pieces.iter().take(real as usize);
        let squares = &mut self.futures.0[piece as usize];
        squares.extend(pieces.map(|pieces| bit(pieces.square(piece))));
        for at in (1..real).rev() {
            if let Some(parent) = self.positions.parent(at) {
                squares[parent as usize] |= squares[at as usize];
            }
        }
    }
}
