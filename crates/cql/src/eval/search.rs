//! `find`, `echo`, `consecutivemoves`.

use super::{Entry, Matcher, Value};
use crate::ast::{self, VarId};
use crate::ir::*;
use crate::plan::{EchoMasks, is_fixed};
use crate::positions::NOWHERE;
use crate::result::Level;
use std::collections::BTreeMap;
use std::ops::Range;

/// The state of searches within a game.
#[derive(Default)]
pub(super) struct Memory {
    /// The longest common runs found by each `consecutivemoves`, for comments at the end.
    runs: BTreeMap<u32, Run>,
    /// Cached truth values of searched conditions.
    known: Vec<Option<Box<Known>>>,
    /// True if an imagined position must be kept.
    pub saved: bool,
}

/// Pairs of positions reached by equal moves, and the names of the two ways.
type Run = (Vec<(u32, u32)>, (Box<str>, Box<str>));

impl Memory {
    pub fn clear(&mut self) {
        self.runs.clear();
        for known in self.known.iter_mut().flatten() {
            known.is_stale = true;
        }
        self.saved = false;
    }
}

/// The cached truth values of a condition within a game.
#[derive(Default)]
struct Known {
    /// By position.
    truths: Vec<Option<bool>>,
    /// The first position from here on, and the first one upwards, where it is not known to fail:
    /// chains that are shortened as they are followed, so that no stretch is searched twice.
    onward: [Vec<u32>; 2],
    /// From an earlier game.
    is_stale: bool,
}

impl Known {
    fn reset(&mut self, positions: u32) {
        self.truths.clear();
        self.truths.resize(positions as usize, None);
        self.onward.iter_mut().for_each(Vec::clear);
        self.is_stale = false;
    }

    /// The chains of one direction, made when they are first used.
    fn chains(&mut self, back: bool) -> &mut Vec<u32> {
        let chains = &mut self.onward[usize::from(back)];
        if chains.is_empty() {
            chains.extend(0..self.truths.len() as u32);
        }
        chains
    }

    /// The first position from `at` on where it may hold; `NOWHERE` or beyond the last if none.
    fn onward(&mut self, back: bool, at: u32) -> u32 {
        let onward = self.chains(back);
        let mut end = at;
        while let Some(&next) = onward.get(end as usize).filter(|&&next| next != end) {
            end = next;
        }
        let mut at = at;
        while let Some(next) = onward.get_mut(at as usize).filter(|next| **next != end) {
            at = std::mem::replace(next, end);
        }
        end
    }
}

impl<'q> Matcher<'q> {
    /// The positions that `find` tests: this one and those below, or those above.
    fn next_found(&self, start: u32, at: u32, back: bool) -> Option<u32> {
        if back {
            return self.positions.parent(at);
        }
        (at + 1 < self.positions.end(start)).then_some(at + 1)
    }

    fn truth_at(&mut self, at: u32, body: BoolId) -> bool {
        self.at_place(at, |m| m.truth(body))
    }

    /// Whether a condition at a position is constant within the game, so that it can be cached.
    fn is_lasting(&self, body: BoolId) -> bool {
        let props = self.q.ir.bools.props(body.0);
        self.q.planned
            && props.is_pure()
            && !props.has(Props::READS.and(Props::PATH))
            && !self.positions.is_imagined(self.at)
    }

    /// The place of the cached truth values of such a condition, also if it depends on the piece of
    /// one variable.
    fn lasting_slot(&self, body: BoolId) -> Option<usize> {
        if self.is_lasting(body) {
            return Some(body.0 as usize);
        }
        let (var, first) = self.q.plan.found_piece(body)?;
        match self.values[var.0 as usize] {
            Value::Piece(piece) if !self.positions.is_imagined(self.at) => {
                Some(first + usize::from(piece & 63))
            }
            _ => None,
        }
    }

    /// Whether a condition holds at a position, remembered where that lasts for the game.
    #[inline]
    pub(super) fn known_truth(&mut self, at: u32, body: BoolId) -> bool {
        let Some(slot) = self.lasting_slot(body) else {
            return self.truth_at(at, body);
        };
        let known = self.searches.known.get(slot).and_then(Option::as_deref);
        let known = known.filter(|known| !known.is_stale);
        match known.and_then(|known| known.truths.get(at as usize)) {
            Some(&Some(holds)) => holds,
            _ => self.learn_truth(at, slot, body),
        }
    }

    #[inline(never)]
    fn learn_truth(&mut self, at: u32, slot: usize, body: BoolId) -> bool {
        let holds = self.truth_at(at, body);
        // imagined positions change the tree around them
        if self.positions.imagined_count() == 0
            && let Some(known) = self.known(slot).truths.get_mut(at as usize)
        {
            *known = Some(holds);
        }
        holds
    }

    fn known(&mut self, slot: usize) -> &mut Known {
        let real = self.positions.real();
        if self.searches.known.len() <= slot {
            self.searches.known.resize_with(slot + 1, || None);
        }
        let is_current = self.searches.known[slot]
            .as_ref()
            .is_some_and(|known| !known.is_stale);
        if !is_current {
            self.keep_for_game(u64::from(real) * 10);
        }
        let known = self.searches.known[slot].get_or_insert_default();
        if !is_current {
            known.reset(real);
        }
        known
    }

    /// The first position found.
    pub(super) fn find(&mut self, quiet: bool, back: bool, body: BoolId) -> Option<u32> {
        if !back && !self.may_be_found(body, self.at) {
            return None;
        }
        let found = match self.lasting_slot(body) {
            Some(slot) => {
                let places = self.at..self.positions.end(self.at);
                self.find_lasting(slot, places, back, body)
            }
            None => self.find_afresh(back, body),
        }?;
        if self.q.level == Level::Normal && !quiet {
            self.remark(found, "Found");
        }
        Some(found)
    }

    /// The first of these places, or the first upwards, where a condition holds whose truth values
    /// are cached.
    fn find_lasting(
        &mut self,
        slot: usize,
        places: Range<u32>,
        back: bool,
        body: BoolId,
    ) -> Option<u32> {
        self.known(slot);
        // taken out while its entries change
        let mut known = self.searches.known[slot].take()?;
        let found = self.find_known(places, back, body, &mut known);
        self.searches.known[slot] = Some(known);
        found
    }

    fn find_known(
        &mut self,
        Range { start, end }: Range<u32>,
        back: bool,
        body: BoolId,
        known: &mut Known,
    ) -> Option<u32> {
        let guard = self.q.plan.find_guard(body);
        let mut at = start;
        loop {
            at = known.onward(back, at);
            if at == NOWHERE || !back && at >= end || !self.step() {
                return None;
            }
            if let Some(guard) = guard.filter(|_| known.truths[at as usize].is_none()) {
                // searched once for all variants that share it
                at = self.find_lasting(guard.0 as usize, at..end, back, guard)?;
            }
            let holds = match known.truths[at as usize] {
                Some(holds) => holds,
                None => self.truth_at(at, body),
            };
            known.truths[at as usize] = Some(holds);
            if holds {
                return Some(at);
            }
            let next = if back {
                self.positions.parent(at).unwrap_or(NOWHERE)
            } else {
                at + 1
            };
            known.chains(back)[at as usize] = next;
            at = next;
        }
    }

    fn find_afresh(&mut self, back: bool, body: BoolId) -> Option<u32> {
        let start = self.at;
        let arrivals = self.needed_arrivals(Key::Bool(body));
        let mut at = start;
        while !(self.may_arrive(at, arrivals) && self.truth_at(at, body)) {
            at = self
                .next_found(start, at, back)
                .filter(|_| self.steps > 0)?;
        }
        Some(at)
    }

    /// The squares at one of which a move from a position must arrive for a search to succeed
    /// there; they stay the same while it lasts.
    fn needed_arrivals(&mut self, body: Key) -> u64 {
        let Some(arrival) = self.q.plan.arrival(body) else {
            return !0;
        };
        if !arrival.is_in_path {
            return self.set(arrival.squares);
        }
        match self.on_first_move(|m| m.set(arrival.squares)) {
            0 => !0, // a drop arrives nowhere, which equals the empty set
            squares => squares,
        }
    }

    /// True if a move from a position arrives at one of these squares.
    #[inline]
    fn may_arrive(&mut self, at: u32, squares: u64) -> bool {
        self.positions.arrivals(at) & squares != 0 || squares == !0 || {
            self.step();
            false
        }
    }

    /// The number of positions found, if it is in the range.
    pub(super) fn find_all(
        &mut self,
        quiet: bool,
        back: bool,
        range: ast::Range,
        body: BoolId,
    ) -> Option<i64> {
        let start = self.at;
        if !back && !self.may_be_found(body, start) && !self.in_range(range, 0) {
            return None;
        }
        if let Some(dash) = self.fixed_dash(body) {
            return self.find_dashes(quiet, back, range, dash);
        }
        if let Some(slot) = self.lasting_slot(body) {
            let found = self.find_all_lasting(slot, back, body);
            return self.note_found(quiet, range, &found);
        }
        let arrivals = self.needed_arrivals(Key::Bool(body));
        let mut found = Vec::new();
        let mut at = Some(start);
        while let Some(here) = at {
            if self.may_arrive(here, arrivals) && self.truth_at(here, body) {
                found.push(here);
            }
            at = if self.steps == 0 {
                None
            } else {
                self.next_found(start, here, back)
            };
        }
        self.note_found(quiet, range, &found)
    }

    /// All places where such a condition holds.
    fn find_all_lasting(&mut self, slot: usize, back: bool, body: BoolId) -> Vec<u32> {
        let (start, end) = (self.at, self.positions.end(self.at));
        let mut found = Vec::new();
        let mut next = Some(start);
        while let Some(from) = next.filter(|&from| back || from < end) {
            let Some(here) = self.find_lasting(slot, from..end, back, body) else {
                break;
            };
            found.push(here);
            next = match back {
                true => self.positions.parent(here),
                false => Some(here + 1),
            };
        }
        found
    }

    fn note_found(&mut self, quiet: bool, range: ast::Range, found: &[u32]) -> Option<i64> {
        let count = found.len() as i64;
        if !self.in_range(range, count) {
            return None;
        }
        if self.q.level == Level::Normal && !quiet {
            for (i, &at) in found.iter().enumerate() {
                self.remark(at, &format!("Found {} of {count}", i + 1));
            }
        }
        Some(count)
    }

    /// A move with the same squares at all positions, and nothing else to test.
    fn fixed_dash(&self, body: BoolId) -> Option<DashId> {
        let Bool::Dash(dash, None) = *self.q.ir.bool(body) else {
            return None;
        };
        let spec = self.q.ir.dash(dash);
        let fixed = |set: Option<SetId>| set.is_none_or(|set| is_fixed(&self.q.ir, set));
        let text = matches!(spec.promotion, Some(Promotion::Text(_)));
        (self.q.planned && !spec.current && !text && fixed(spec.left) && fixed(spec.right))
            .then_some(dash)
    }

    /// The positions from which such a move is played.
    fn find_dashes(
        &mut self,
        quiet: bool,
        back: bool,
        range: ast::Range,
        dash: DashId,
    ) -> Option<i64> {
        let spec = self.q.ir.dash(dash);
        let sides = self.sides(spec);
        let start = self.at;
        let mut found = Vec::new();
        let mut at = Some(start);
        while let Some(here) = at {
            let mut child = self.positions.first_child(here);
            while let Some(to) = child {
                let step = self.positions.step(to);
                if self.dash_fits(spec, sides, &step) {
                    found.push(here);
                    break;
                }
                child = self.positions.next_sibling(to);
            }
            at = self.next_found(start, here, back).filter(|_| self.step());
        }
        self.note_found(quiet, range, &found)
    }

    // --- echo ---

    pub(super) fn echo(
        &mut self,
        quiet: bool,
        source: VarId,
        target: VarId,
        all: bool,
        body: BoolId,
    ) -> bool {
        let silent = quiet || self.q.level < Level::Normal;
        let stop_early = self.q.planned && silent && self.q.ir.bools.props(body.0).is_pure();
        let mut found = false;
        let from = if self.q.plan.echoes_below((Key::Bool(body), source, target)) {
            self.at
        } else {
            0
        };
        if !self.may_echo(source, body, from) {
            return false;
        }
        let code = self.q.plan.statement(body);
        self.each_target(source, target, all, Key::Bool(body), |m, to| {
            let holds = match code {
                Some(code) => m.at_place(to, |m| m.run_code(code).is_some()),
                None => m.truth_at(to, body),
            };
            if holds {
                found = true;
                m.note_echo(silent, source, target, to);
            }
            !(holds && stop_early)
        });
        found
    }

    /// False if a piece never reaches a square that the body needs.
    fn may_echo(&mut self, source: VarId, body: BoolId, from: u32) -> bool {
        if self.q.plan.visits(body).is_empty() {
            return true;
        }
        let slot = source.0 as usize;
        let here = Value::Entry(Entry::Place(self.at));
        let old = std::mem::replace(&mut self.values[slot], here);
        let may = self.may_be_found(body, from);
        self.values[slot] = old;
        may
    }

    /// The greatest value over all targets.
    pub(super) fn echo_max(
        &mut self,
        quiet: bool,
        source: VarId,
        target: VarId,
        all: bool,
        sort: bool,
        body: NumId,
    ) -> Option<i64> {
        let silent = quiet || self.q.level < Level::Normal;
        let start = self.remarks.len();
        let mut best: Option<i64> = None;
        self.each_target(source, target, all, Key::Num(body), |m, to| {
            let mark = m.remarks.len();
            let Some(value) = m.at_place(to, |m| m.num(body)) else {
                return true;
            };
            m.note_echo(silent, source, target, to);
            if sort {
                if best.is_none_or(|b| value > b) {
                    drop(m.remarks.drain(start..mark.min(m.remarks.len())))
                } else {
                    m.remarks.truncate(mark)
                }
            }
            best = best.max(Some(value));
            true
        });
        best
    }

    /// Binds source and target and calls `f` for each target until it returns false.
    fn each_target(
        &mut self,
        source: VarId,
        target: VarId,
        all: bool,
        body: Key,
        mut f: impl FnMut(&mut Self, u32) -> bool,
    ) {
        let here = self.at;
        let (s, t) = (source.0 as usize, target.0 as usize);
        let old = (self.values[s].clone(), self.values[t].clone());
        self.values[s] = Value::Entry(Entry::Place(here));
        let echo = (body, source, target);
        let masks = self.echo_masks(echo);
        let arrivals = self.needed_arrivals(body);
        let plan = &self.q.plan;
        let mut targets = plan.echo_targets(echo, &self.positions, here, masks);
        while let Some(to) = targets.next(&self.positions) {
            if to == here && !all || !self.may_arrive(to, arrivals) {
                continue;
            }
            self.values[t] = Value::Entry(Entry::Place(to));
            if !f(self, to) || self.steps == 0 {
                break;
            }
        }
        (self.values[s], self.values[t]) = old;
    }

    /// The sets that rule out targets from here.
    fn echo_masks(&mut self, echo: (Key, VarId, VarId)) -> EchoMasks {
        let plan = self.q.plan.echo_plan(echo);
        let within = plan.within.map(|set| self.set(set));
        let pieces = u64::from(self.board().occupied());
        let occupied = plan.mapped.map(|map| {
            let squares = map.iter().zip(0..);
            squares.fold(0, |all, (&from, to)| all | (pieces >> from & 1) << to)
        });
        EchoMasks { occupied, within }
    }

    fn note_echo(&mut self, silent: bool, source: VarId, target: VarId, to: u32) {
        if silent {
            return;
        }
        let here = self.at;
        let lca = self.positions.lca(here, to);
        if lca != here && lca != to {
            self.remark(lca, "LCA");
        }
        let name = |var: VarId| self.q.variables[var.0 as usize].name.clone();
        let (source, target) = (name(source), name(target));
        self.remark(here, &source);
        self.remark(to, &target);
        // naming a position adds a comment there, so the order matters
        let source = self.place_name(here);
        self.remark(to, &format!("-->{source}"));
        let target = self.place_name(to);
        self.remark(here, &format!("<--{target}"));
    }

    // --- consecutive moves ---

    /// The longest run of equal moves on the two paths from their common ancestor.
    pub(super) fn consecutive(
        &mut self,
        quiet: bool,
        range: Option<ast::Range>,
        left: u32,
        right: u32,
        names: &(Box<str>, Box<str>),
        site: u32,
    ) -> Option<i64> {
        let lca = self.positions.lca(left, right);
        if lca == left || lca == right {
            return None;
        }
        let ways = (
            self.positions.way(lca, left),
            self.positions.way(lca, right),
        );
        let run = self.common_run(&ways.0, &ways.1);
        self.spend((ways.0.len() * ways.1.len()) as u64 / 16);
        let length = run.len() as i64;
        if length == 0 || !range.is_none_or(|r| self.in_range(r, length)) {
            return None;
        }
        if !quiet && self.q.level == Level::Normal {
            let best = self
                .searches
                .runs
                .entry(site)
                .or_insert_with(|| (Vec::new(), names.clone()));
            if run.len() > best.0.len() {
                best.0 = run;
            }
        }
        Some(length)
    }

    fn common_run(&self, a: &[u32], b: &[u32]) -> Vec<(u32, u32)> {
        let key = |&at: &u32| {
            let step = self.positions.step(at);
            let piece = self.positions.parent(at).and_then(|p| {
                let square = (step.from < 64).then(|| chess::Square::new(u32::from(step.from)))?;
                self.positions.board(p).piece_at(square)
            });
            (step.from, step.to, piece)
        };
        let (a_keys, b_keys): (Vec<_>, Vec<_>) =
            (a.iter().map(key).collect(), b.iter().map(key).collect());
        let mut before = vec![0usize; b.len() + 1];
        let (mut length, mut end) = (0, (0, 0));
        for (i, x) in a_keys.iter().enumerate() {
            let mut row = vec![0; b.len() + 1];
            for (j, y) in b_keys.iter().enumerate().filter(|(_, y)| *y == x) {
                row[j + 1] = before[j] + 1;
                let _ = y;
                if row[j + 1] > length {
                    (length, end) = (row[j + 1], (i + 1, j + 1));
                }
            }
            before = row;
        }
        let (i, j) = (end.0 - length, end.1 - length);
        (0..length).map(|n| (a[i + n], b[j + n])).collect()
    }

    /// Comments on the longest runs.
    pub(super) fn note_runs(&mut self) {
        let runs = std::mem::take(&mut self.searches.runs);
        for (run, (left, right)) in runs.values() {
            for (i, &(a, b)) in run.iter().enumerate() {
                self.remark(a, &format!("{left}-move[{}]", i + 1));
                self.remark(b, &format!("{right}-move[{}]", i + 1));
            }
        }
    }
}
