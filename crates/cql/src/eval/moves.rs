//! `move`: played, previous, legal, pseudolegal and reverse moves, with targets.

use super::Matcher;
use crate::Dialect;
use crate::ast::{Castling, MoveMode, MoveValue};
use crate::ir::*;
use crate::positions::{MoveEffect, bit};
use chess::{Board, MoveKind, Role};

/// The sets of a `move` filter at one position.
struct Masks {
    from: u64,
    to: u64,
    capture: u64,
    en_passant: u64,
}

/// A move tested by a filter.
struct Candidate {
    step: MoveEffect,
    /// The position after it, if it was played.
    to: Option<u32>,
    is_secondary: bool,
    /// The board before it, if it is a reverse move.
    before: Option<Box<Board>>,
}

impl<'q> Matcher<'q> {
    pub(super) fn move_matches(&mut self, id: MoveId) -> bool {
        let spec = self.q.ir.mv(id);
        if let Some((target, true)) = spec.target {
            return self.all_satisfy(spec, target).is_some();
        }
        let stop_early =
            self.q.planned && spec.comment.is_empty() && self.q.ir.moves.props(id.0).is_pure();
        let mut found = false;
        if spec.is_plain() {
            self.each_plain_move(id, |_| {
                found = true;
                false
            });
            return found;
        }
        self.each_move(spec, |_, _| {
            found = true;
            !stop_early
        });
        found
    }

    /// Calls `f` with each played move from and to the squares of a filter that asks nothing else,
    /// until it returns false.
    fn each_plain_move(&mut self, id: MoveId, mut f: impl FnMut(&MoveEffect) -> bool) {
        let spec = self.q.ir.mv(id);
        let (only, narrowed) = (self.only_child.take(), self.narrowed.take());
        let from = spec.from.map(|set| self.set(set));
        let mut to = None;
        let waits = self.q.plan.target_waits(id);
        let mut child = only.or_else(|| self.positions.first_child(self.at));
        while let Some(at) = child {
            child = match only {
                Some(_) => None,
                None => self.positions.next_sibling(at),
            };
            let step = self.positions.step(at);
            if waits && from.is_some_and(|from| from & bit(step.from) == 0) {
                continue;
            }
            let to = match to {
                Some(to) => to,
                None => *to.insert(spec.to.map_or(!0, |set| self.set(set))),
            };
            let leaves = from.is_none_or(|from| from & bit(step.from) != 0);
            if leaves && to & bit(step.to) != 0 && !f(&step) {
                break;
            }
        }
        if to.is_none() && !waits {
            spec.to.map(|set| self.set(set)); // without a move too, it may have effects
        }
        (self.only_child, self.narrowed) = (only, narrowed);
    }

    /// Whether the squares of a `move` filter are not none.
    pub(super) fn has_move_squares(&mut self, id: MoveId) -> bool {
        let (spec, props) = (self.q.ir.mv(id), id.props(&self.q.ir));
        let is_known = self.only_child.is_none() && !props.has(Props::READS);
        if is_known || !spec.is_plain() {
            return self.move_squares(id) != 0;
        }
        let mut found = false;
        self.each_plain_move(id, |step| {
            found = value_squares(spec.value, step) != 0;
            !found
        });
        found
    }

    #[inline(never)] // keeps its callers small
    pub(super) fn move_squares(&mut self, id: MoveId) -> u64 {
        let props = id.props(&self.q.ir);
        let stays = self.q.planned
            && props.is_pure()
            && !props.has(Props::READS.and(Props::PATH))
            && self.only_child.is_none()
            && !self.positions.is_imagined(self.at);
        if !stays {
            return self.compute_move_squares(id);
        }
        if let Some(&(at, squares)) = self.elsewhere.moves.get(id.0 as usize)
            && at == self.at
        {
            return squares;
        }
        let squares = self.compute_move_squares(id);
        if let Some(slot) = self.elsewhere.moves.get_mut(id.0 as usize) {
            *slot = (self.at, squares);
        }
        squares
    }

    fn compute_move_squares(&mut self, id: MoveId) -> u64 {
        let spec = self.q.ir.mv(id);
        let mut squares = 0;
        if spec.is_plain() {
            self.each_plain_move(id, |step| {
                squares |= value_squares(spec.value, step);
                true
            });
            return squares;
        }
        self.each_move(spec, |_, step| {
            squares |= value_squares(spec.value, step);
            true
        });
        squares
    }

    pub(super) fn move_count(&mut self, id: MoveId) -> Option<i64> {
        let spec = self.q.ir.mv(id);
        if let Some((target, true)) = spec.target {
            return self.all_satisfy(spec, target);
        }
        let mut seen: Vec<(u8, u8)> = Vec::new();
        let mut count = 0;
        // CQL 6.2 counts a promotion once for all pieces
        let once = self.q.dialect == Dialect::Cql62
            && !matches!(spec.mode, MoveMode::Played | MoveMode::Previous);
        self.each_move(spec, |_, step| {
            if once && step.promoted.is_some() {
                if seen.contains(&(step.from, step.to)) {
                    return true;
                }
                seen.push((step.from, step.to));
            }
            count += 1;
            true
        });
        Some(count)
    }

    /// The number of moves if every one of them satisfies the target.
    fn all_satisfy(&mut self, spec: &'q MoveSpec, target: BoolId) -> Option<i64> {
        let mut count = 0;
        let mut all = true;
        let masks = self.masks(spec);
        self.each_candidate(spec, |m, candidate| {
            if m.fits(spec, &masks, candidate) {
                count += 1;
                all = m.satisfies(spec, candidate, target);
            }
            all
        });
        all.then_some(count)
    }

    /// Calls `f` with each matching move until it returns false.
    fn each_move(&mut self, spec: &'q MoveSpec, mut f: impl FnMut(&mut Self, &MoveEffect) -> bool) {
        let masks = self.masks(spec);
        self.each_candidate(spec, |m, candidate| {
            if !m.fits(spec, &masks, candidate) {
                return true;
            }
            if let Some((target, _)) = spec.target
                && !m.satisfies(spec, candidate, target)
            {
                return true;
            }
            if let (Some(to), false) = (candidate.to, spec.comment.is_empty()) {
                m.at_place(to, |m| m.comment(&spec.comment));
            }
            f(m, &candidate.step) && m.steps > 0
        });
    }

    /// The sets are about the position before the move.
    fn masks(&mut self, spec: &'q MoveSpec) -> Masks {
        let before = match spec.mode {
            MoveMode::Previous => self.positions.parent(self.at).unwrap_or(self.at),
            _ => self.at,
        };
        let only = self.only_child;
        let masks = self.at_place(before, |m| {
            let mut mask = |set: Option<SetId>| set.map_or(!0, |s| m.set(s));
            Masks {
                from: mask(spec.from),
                to: mask(spec.to),
                capture: mask(spec.capture),
                en_passant: mask(spec.en_passant),
            }
        });
        self.only_child = only;
        masks
    }

    /// Calls `f` with each move that the filter is about until it returns false.
    fn each_candidate(
        &mut self,
        spec: &MoveSpec,
        mut f: impl FnMut(&mut Self, &Candidate) -> bool,
    ) {
        let unplayed = match spec.mode {
            MoveMode::Played => return self.each_played(f),
            MoveMode::Previous => {
                if self.positions.parent(self.at).is_some() {
                    let played = self.played(self.at);
                    f(self, &played);
                }
                return;
            }
            MoveMode::Legal => generated(self.board(), false),
            MoveMode::Pseudolegal => generated(self.board(), true),
            MoveMode::Reverse => {
                let back = super::retro::reverse_moves(self.board()).into_iter();
                back.map(|(step, board)| Candidate {
                    step,
                    to: None,
                    is_secondary: false,
                    before: Some(Box::new(board)),
                })
                .collect()
            }
        };
        for candidate in &unplayed {
            if !f(self, candidate) {
                return;
            }
        }
    }

    fn each_played(&mut self, mut f: impl FnMut(&mut Self, &Candidate) -> bool) {
        let only = self.only_child;
        let mut child = self.positions.first_child(self.at);
        while let Some(to) = child {
            child = self.positions.next_sibling(to);
            if only.is_some_and(|only| only != to) {
                continue;
            }
            let played = self.played(to);
            if !f(self, &played) {
                return;
            }
        }
    }

    fn played(&self, at: u32) -> Candidate {
        Candidate {
            step: self.positions.step(at),
            to: Some(at),
            is_secondary: self.positions.is_secondary(at),
            before: None,
        }
    }

    fn fits(&self, spec: &MoveSpec, masks: &Masks, candidate: &Candidate) -> bool {
        let step = &candidate.step;
        let is_drop = matches!(step.mv.kind(), MoveKind::Drop(_));
        let castles = match spec.castle {
            None => true,
            Some(Castling::Any) => step.rook.is_some(),
            Some(Castling::Short) => step.rook.is_some() && !step.long,
            Some(Castling::Long) => step.rook.is_some() && step.long,
        };
        castles
            && !(spec.primary && candidate.is_secondary)
            && (!spec.secondary || candidate.is_secondary)
            && (!spec.null || step.is_null())
            && (is_drop && spec.from.is_none()
                || masks.from & bit(step.from) != 0
                || is_drop && spec.drop.is_some())
            && masks.to & bit(step.to) != 0
            && spec
                .promote
                .is_none_or(|pieces| step.promoted.is_some_and(|role| names(pieces, role)))
            && (spec.en_passant.is_none()
                || step.en_passant
                    && step
                        .captured
                        .is_some_and(|c| masks.en_passant & bit(c) != 0))
            && (spec.capture.is_none()
                || step.captured.is_some_and(|c| masks.capture & bit(c) != 0))
            && spec.drop.is_none_or(|pieces| match step.mv.kind() {
                MoveKind::Drop(role) => names(pieces, role),
                _ => false,
            })
    }

    /// Whether the target holds after the move, on a separate board if it was not played.
    fn satisfies(&mut self, spec: &MoveSpec, candidate: &Candidate, target: BoolId) -> bool {
        if let Some(to) = candidate.to {
            return self.at_place(to, |m| m.truth(target));
        }
        let board = match &candidate.before {
            Some(board) => (**board).clone(),
            None => {
                let mut board = self.board().clone();
                board.play(candidate.step.mv);
                board
            }
        };
        let step = (spec.mode != MoveMode::Reverse).then_some(candidate.step);
        self.imagined(board, step, |m| m.truth(target))
    }

    /// Evaluates a function on a board that is not in the game.
    pub(super) fn imagined<T>(
        &mut self,
        board: Board,
        step: Option<MoveEffect>,
        f: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let known = self.positions.imagined_count();
        let at = self.positions.imagine(self.at, board, step);
        self.keep_imagined_board();
        let value = self.at_place(at, f);
        if !self.searches.saved {
            self.positions.forget(known);
        }
        // the next imagined position may get the same id
        self.forget_board(at);
        value
    }
}

/// The square that a `move` filter takes from a move.
fn value_squares(value: MoveValue, step: &MoveEffect) -> u64 {
    match value {
        MoveValue::From => bit(step.from),
        MoveValue::Capture => step.captured.map_or(0, bit),
        _ => bit(step.to),
    }
}

fn generated(board: &Board, pseudo: bool) -> Vec<Candidate> {
    let moves = if pseudo {
        board.pseudo_legal_moves()
    } else {
        board.legal_moves()
    };
    let candidate = |mv| Candidate {
        step: MoveEffect::new(board, mv),
        to: None,
        is_secondary: false,
        before: None,
    };
    moves.into_iter().map(candidate).collect()
}

/// Whether pieces of a designator include this role, of either colour.
pub(super) fn names(pieces: u16, role: Role) -> bool {
    let bit = 1u16 << (u32::from(role) - 1);
    pieces & (bit | bit << 6) != 0
}
