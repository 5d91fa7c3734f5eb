//! `path`.

use super::budget::ITEM_BYTES;
use super::conts::{Choices, Cont, Conts, Ends, State};
use super::line::Found;
use super::{Matcher, Remark, Value};
use crate::ir::*;
use crate::plan::{PathFirst, is_of_position};
use crate::positions::{MoveEffect, NO_PIECE, bit};
use crate::result::Level;
use crate::symmetry::bits;
use rustc_hash::FxHashSet;

/// The state of paths within a game.
#[derive(Default)]
pub(super) struct Memory {
    conts: Conts,
    ends: Vec<Ends>,
    banned: Vec<FxHashSet<u32>>,
    /// The paths being followed, innermost last.
    open: Vec<Open>,
    /// The last path found.
    found: Option<Open>,
    /// An empty list of tasks, for its memory.
    spare_tasks: Vec<Task>,
}

#[derive(Clone, Copy)]
struct Open {
    start: u32,
    count: i64,
    last: Option<u32>,
}

impl Memory {
    pub fn clear(&mut self, ir: &Ir, positions: u32) {
        self.conts.shrink();
        self.ends.resize_with(ir.paths.len(), Default::default);
        self.banned.resize_with(ir.paths.len(), Default::default);
        self.ends.iter_mut().for_each(|e| e.begin(positions));
        self.banned.iter_mut().for_each(|b| b.clear());
        self.open.clear();
        self.found = None;
    }

    fn current(&self) -> Option<Open> {
        self.open.last().copied().or(self.found)
    }

    /// Moves so far on the current path, or of the last path found.
    pub fn count(&self) -> Option<i64> {
        self.current().map(|o| o.count)
    }

    pub fn start(&self) -> Option<u32> {
        self.current().map(|o| o.start)
    }

    pub fn last(&self) -> Option<u32> {
        self.current().and_then(|o| o.last)
    }
}

/// The best end so far and the state on the way there.
struct Best {
    value: i64,
    count: i64,
    last: u32,
    others: Vec<u32>,
    remarks: Vec<Remark>,
    atomics: Vec<(usize, Value)>,
}

/// The pieces whose moves count, by their numbers.
#[derive(Clone, Copy)]
struct Focus {
    pieces: u64,
    captures: bool,
}

enum Task {
    Run(State, i64),
    /// The moves of a dash from `at` on, the next one first.
    Moves {
        cont: Cont,
        count: i64,
        at: u32,
        to: u32,
    },
    Undo {
        mark: usize,
        atomics: Vec<(usize, Value)>,
    },
}

impl<'q> Matcher<'q> {
    pub(super) fn path(&mut self, id: PathId) -> Option<Found> {
        let spec = self.q.ir.path(id);
        let start = self.at;
        if spec.nestban && self.paths.banned[id.0 as usize].contains(&start) {
            return None;
        }
        let focus_is_pure = spec
            .focus
            .is_none_or(|(set, _)| set.props(&self.q.ir).is_pure());
        if focus_is_pure && !self.played.allows_path(id.0 as usize) {
            return None;
        }
        let focus = spec.focus.map(|(set, captures)| self.focus(set, captures));
        if let Some(focus) = focus
            && !focus.captures
            && self.q.ir.path_parts(id).is_pure()
            && !self.can_move(focus.pieces, self.q.plan.path_moves(id))
        {
            return None;
        }
        let is_remembered = self.is_remembered(id, spec);
        if !is_remembered && !self.may_begin(id, focus) {
            return None;
        }
        if self.q.plan.sketches_path(id) {
            let root = self.paths.conts.root(id.0, &spec.parts);
            if !self.may_end(id, spec, (root, start)) {
                return None;
            }
        }
        self.paths.open.push(Open {
            start,
            count: 0,
            last: None,
        });
        let best = if is_remembered {
            self.path_end(id, spec)
        } else {
            self.follow(id, spec, focus)
        };
        self.paths.open.pop();
        let best = best.filter(|b| spec.range.is_none_or(|r| self.in_range(r, b.value)))?;
        self.paths.found = Some(Open {
            start,
            count: best.count,
            last: Some(best.last),
        });
        self.restore_atomics(&best.atomics);
        self.note_path(spec, focus, &best);
        if spec.nestban {
            let way = self.positions.way(start, best.last);
            self.paths.banned[id.0 as usize]
                .extend(way.iter().filter_map(|&at| self.positions.parent(at)));
        }
        Some(Found {
            value: best.value,
            last: best.last,
        })
    }

    /// Evaluates a function as if a path from here had made its first move.
    pub(super) fn on_first_move<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        self.paths.open.push(Open {
            start: self.at,
            count: 1,
            last: None,
        });
        let value = f(self);
        self.paths.open.pop();
        value
    }

    /// The pieces in a set of squares.
    fn focus(&mut self, set: SetId, captures: bool) -> Focus {
        let squares = self.set(set);
        let numbers = bits(squares)
            .map(|s| self.piece_on(s))
            .filter(|&p| p != NO_PIECE);
        Focus {
            pieces: numbers.fold(0, |all, p| all | bit(p)),
            captures,
        }
    }

    // --- paths without effects ---

    /// The end of such a path depends on the position alone, so it is computed once.
    fn is_remembered(&self, id: PathId, spec: &PathSpec) -> bool {
        let props = self.q.ir.path_parts(id);
        let closed = self.q.planned
            && props.is_pure()
            && !props.has(Props::READS)
            && !props.has(Props::PATH);
        closed
            && spec.focus.is_none()
            && spec.max.is_none()
            && !spec.firstmatch
            && !spec.keep_all_best
    }

    fn path_end(&mut self, id: PathId, spec: &'q PathSpec) -> Option<Best> {
        let mut ends = std::mem::take(&mut self.paths.ends[id.0 as usize]);
        let start = self.at;
        let root = (self.paths.conts.root(id.0, &spec.parts), start);
        let better = |m: &Self, new: u32, old: u32| m.positions.ply(new) > m.positions.ply(old);
        let end = self.explore(&mut ends, root, false, better, |m, state, work| {
            let holds = |m: &mut Self, body, at| m.at_place(at, |m| m.truth(body));
            let goes = |m: &mut Self, dash, target, to| m.goes(dash, target, None, to);
            m.open_state(spec, state, work, holds, goes)
        });
        if self.positions.is_imagined(start) {
            self.drop_states(ends.len());
            ends.clear(); // the next imagined position may have the same number
        }
        self.paths.ends[id.0 as usize] = ends;
        let last = end.filter(|&e| e != start)?;
        let count = i64::from(self.positions.ply(last) - self.positions.ply(start));
        Some(Best {
            value: count,
            count,
            last,
            others: Vec::new(),
            remarks: Vec::new(),
            atomics: Vec::new(),
        })
    }

    /// Adds the states after one; returns the position if the path ends there.
    fn open_state(
        &mut self,
        spec: &PathSpec,
        (cont, at): State,
        work: &mut Vec<State>,
        holds: impl Fn(&mut Self, BoolId, u32) -> bool,
        goes: impl Fn(&mut Self, DashId, Option<BoolId>, u32) -> bool,
    ) -> Option<u32> {
        let cont = self.paths.conts.settled(&self.q.ir, cont);
        let Some((con, _, next)) = self.paths.conts.get(cont) else {
            return Some(at);
        };
        match self.q.ir.con(con) {
            Con::Filter { body, .. } => {
                if holds(self, *body, at) {
                    work.push((next, at));
                }
            }
            Con::Dash(dash, target) => {
                let mut child = self.positions.first_child(at);
                while let Some(to) = child {
                    child = self.positions.next_sibling(to);
                    let is_allowed = !(spec.primary && self.positions.is_secondary(to));
                    if is_allowed && goes(self, *dash, *target, to) {
                        work.push((next, to));
                    }
                }
            }
            _ => self.paths.conts.unfold(&self.q.ir, (cont, at), work),
        }
        None
    }

    // --- what paths need ---

    /// False if a path cannot be completed from a state, judged by the parts that depend on the
    /// position alone; the other parts count as matched. This is known once for each state.
    fn may_end(&mut self, id: PathId, spec: &'q PathSpec, state: State) -> bool {
        if self.positions.is_imagined(state.1) {
            return true;
        }
        let mut ends = std::mem::take(&mut self.paths.ends[id.0 as usize]);
        let any = |_: &Self, _, _| false;
        let end = self.explore(&mut ends, state, true, any, |m, state, work| {
            m.open_state(spec, state, work, Self::may_hold, Self::may_go)
        });
        self.paths.ends[id.0 as usize] = ends;
        end.is_some() || self.steps == 0
    }

    fn may_hold(&mut self, condition: BoolId, at: u32) -> bool {
        !is_of_position(condition.props(&self.q.ir)) || self.at_place(at, |m| m.truth(condition))
    }

    fn may_go(&mut self, dash: DashId, target: Option<BoolId>, to: u32) -> bool {
        let target = target.filter(|target| is_of_position(target.props(&self.q.ir)));
        // the squares that a target may ask for are those of the move
        !is_of_position(dash.props(&self.q.ir)) || self.goes(dash, target, None, to)
    }

    /// Whether the move to a position matches the dash and its target holds there.
    fn goes(
        &mut self,
        dash: DashId,
        target: Option<BoolId>,
        focus: Option<Focus>,
        to: u32,
    ) -> bool {
        let spec = self.q.ir.dash(dash);
        let Some(head) = self.positions.parent(to) else {
            return false;
        };
        let step = self.positions.step(to);
        if self.q.planned && !spec.may_be(&step, &self.q.ir) {
            return false;
        }
        let sides = self.at_place(head, |m| {
            let mut sides = m.sides(spec);
            if let Some(focus) = focus {
                m.narrow_castling(focus, &step, &mut sides);
            }
            m.dash_fits(spec, sides, &step).then_some(sides)
        });
        let Some(sides) = sides else { return false };
        target.is_none_or(|t| self.after_dash(to, sides.left, sides.right, |m| m.truth(t)))
    }

    /// False if no move from here matches the dash and its target, whatever is in focus.
    pub(super) fn may_move(&mut self, dash: DashId, target: Option<BoolId>) -> bool {
        let mark = self.remarks.len();
        let mut child = self.positions.first_child(self.at);
        let mut found = false;
        while let Some(to) = child.filter(|_| !found) {
            child = self.positions.next_sibling(to);
            // the focus may decide about a part of castling
            found = self.positions.step(to).rook.is_some() || self.goes(dash, target, None, to);
        }
        self.remarks.truncate(mark);
        found
    }

    /// Of castling, only the part in focus counts.
    fn narrow_castling(&self, focus: Focus, step: &MoveEffect, sides: &mut super::dashes::Sides) {
        let Some((rook_from, rook_to)) = step.rook else {
            return;
        };
        if focus.pieces & bit(self.piece_on(u32::from(step.from))) == 0 {
            sides.left &= !bit(step.from);
            sides.right &= !bit(step.to);
        }
        if focus.pieces & bit(self.piece_on(u32::from(rook_from))) == 0 {
            sides.left &= !bit(rook_from);
            sides.right &= !bit(rook_to);
        }
    }

    // --- paths with effects ---

    /// False if what the path begins with does not match, as at most positions.
    fn may_begin(&mut self, id: PathId, focus: Option<Focus>) -> bool {
        let Some(first) = self.q.plan.path_first(id) else {
            return true;
        };
        let (dash, target) = match first {
            PathFirst::Filter(body) => return self.at_place(self.at, |m| m.truth(body)),
            PathFirst::Move(dash, target) => (dash, target),
        };
        let mut child = self.positions.first_child(self.at);
        while let Some(to) = child {
            child = self.positions.next_sibling(to);
            let fits = focus.is_none_or(|f| self.in_focus(f, to));
            if fits && self.goes(dash, target, focus, to) {
                return true;
            }
        }
        false
    }

    /// Follows the constituents in order and backtracks where they fail.
    fn follow(&mut self, id: PathId, spec: &'q PathSpec, focus: Option<Focus>) -> Option<Best> {
        let (base, start) = (self.remarks.len(), self.at);
        let outer = self.atomics();
        let root = (self.paths.conts.root(id.0, &spec.parts), start);
        let mut tasks = std::mem::take(&mut self.paths.spare_tasks);
        tasks.push(Task::Run(root, 0));
        let mut best: Option<Best> = None;
        let parts = self.q.ir.path_parts(id);
        let sketches = self.q.plan.sketches_path(id);
        let mut seen = (self.q.planned && !parts.has(Props::WRITES)).then(|| self.take_seen());
        while let Some(task) = tasks.pop() {
            if self.steps == 0 {
                break;
            }
            match task {
                Task::Undo { mark, atomics } => self.undo(mark, &atomics),
                _ if spec.firstmatch && best.is_some() => {}
                Task::Run(state, count) => {
                    self.step();
                    let may_end = !sketches || self.may_end(id, spec, state);
                    if may_end && self.is_new(&mut seen, state) {
                        self.run_path(
                            spec,
                            focus,
                            state,
                            count,
                            (start, base),
                            &mut best,
                            &mut tasks,
                        );
                    }
                }
                Task::Moves {
                    cont,
                    count,
                    at,
                    to,
                } => {
                    let next = self.next_move(spec, focus, (at, at == start), Some(to));
                    tasks.extend(next.map(|to| Task::Moves {
                        cont,
                        count,
                        at,
                        to,
                    }));
                    self.try_move(cont, count, to, focus, &mut tasks);
                }
            }
        }
        self.return_seen(seen);
        tasks.clear();
        self.paths.spare_tasks = tasks;
        self.restore_atomics(&outer);
        self.remarks.truncate(base);
        if let Some(best) = &mut best {
            self.remarks.append(&mut best.remarks);
        }
        best
    }

    fn undo(&mut self, mark: usize, atomics: &[(usize, Value)]) {
        self.remarks.truncate(mark);
        self.restore_atomics(atomics);
    }

    #[allow(clippy::too_many_arguments)] // the state of one search, in one place
    fn run_path(
        &mut self,
        spec: &'q PathSpec,
        focus: Option<Focus>,
        (cont, at): State,
        count: i64,
        (start, base): (u32, usize),
        best: &mut Option<Best>,
        tasks: &mut Vec<Task>,
    ) {
        self.set_count(count, best.as_ref().map(|b| b.last));
        let cont = self.paths.conts.settled(&self.q.ir, cont);
        let Some((con, _, next)) = self.paths.conts.get(cont) else {
            if at != start {
                self.merge(spec, at, count, base, best);
            }
            return;
        };
        match self.q.ir.con(con) {
            Con::Filter { body, .. } => {
                if self.at_place(at, |m| m.truth(*body)) {
                    tasks.push(Task::Run((next, at), count));
                }
            }
            Con::Dash(..) => {
                let first = self.next_move(spec, focus, (at, at == start), None);
                tasks.extend(first.map(|to| Task::Moves {
                    cont,
                    count,
                    at,
                    to,
                }));
            }
            _ => {
                let Choices { end, again } = self.paths.conts.choices(&self.q.ir, cont);
                let choices = again.into_iter().chain(end);
                tasks.extend(choices.map(|cont| Task::Run((cont, at), count)));
            }
        }
    }

    fn set_count(&mut self, count: i64, last: Option<u32>) {
        if let Some(open) = self.paths.open.last_mut() {
            (open.count, open.last) = (count, last);
        }
    }

    fn try_move(
        &mut self,
        cont: Cont,
        count: i64,
        to: u32,
        focus: Option<Focus>,
        tasks: &mut Vec<Task>,
    ) {
        let Some((con, _, next)) = self.paths.conts.get(cont) else {
            return;
        };
        let Con::Dash(dash, target) = self.q.ir.con(con) else {
            return;
        };
        let (mark, atomics) = (self.remarks.len(), self.atomics());
        let last = self.paths.last();
        self.set_count(count + 1, last);
        if self.goes(*dash, *target, focus, to) {
            tasks.push(Task::Undo { mark, atomics });
            tasks.push(Task::Run((next, to), count + 1));
        } else {
            self.undo(mark, &atomics);
        }
    }

    /// The candidate moves of a dash in turn: those from here, or the next ones in focus.
    fn next_move(
        &self,
        spec: &PathSpec,
        focus: Option<Focus>,
        (at, is_start): (u32, bool),
        last: Option<u32>,
    ) -> Option<u32> {
        if focus.is_none() || is_start {
            let mut to = match last {
                Some(last) => self.positions.next_sibling(last),
                None => self.positions.first_child(at),
            };
            let fits = |to: u32| match focus {
                Some(focus) => self.in_focus(focus, to),
                None => !(spec.primary && self.positions.is_secondary(to)),
            };
            while let Some(child) = to.filter(|&to| !fits(to)) {
                to = self.positions.next_sibling(child);
            }
            return to;
        }
        let focus = focus?;
        let mut to = last.map_or(at + 1, |last| self.positions.end(last));
        while to < self.positions.end(at) {
            if !self.in_focus(focus, to) {
                to += 1;
            } else if spec.primary && self.positions.depth(to) != self.positions.depth(at) {
                to = self.positions.end(to);
            } else {
                return Some(to);
            }
        }
        None
    }

    fn in_focus(&self, focus: Focus, to: u32) -> bool {
        if self.positions.moved(to) & focus.pieces != 0 {
            return true;
        }
        if !focus.captures {
            return false;
        }
        let step = self.positions.step(to);
        let parent = self.positions.parent(to);
        let Some(pieces) = parent.and_then(|parent| self.positions.pieces.get(parent as usize))
        else {
            return false;
        };
        let focused = |square: u8| focus.pieces & bit(pieces.on(square)) != 0;
        step.captured.is_some_and(focused)
    }

    /// The path is complete here: it is the best if it is longer, or has a greater measure.
    fn merge(
        &mut self,
        spec: &PathSpec,
        at: u32,
        count: i64,
        base: usize,
        best: &mut Option<Best>,
    ) {
        let value = match spec.max {
            Some(max) => match self.at_place(at, |m| m.num(max)) {
                Some(value) => value,
                None => return,
            },
            None => count,
        };
        match best {
            Some(b) if value < b.value || value == b.value && !spec.keep_all_best => {}
            Some(b) if value == b.value => {
                b.others.push(at);
                self.keep_for_game(ITEM_BYTES * (self.remarks.len() - base) as u64);
                b.remarks.extend_from_slice(&self.remarks[base..]);
            }
            _ => {
                let (remarks, atomics) = (self.remarks[base..].to_vec(), self.atomics());
                *best = Some(Best {
                    value,
                    count,
                    last: at,
                    others: Vec::new(),
                    remarks,
                    atomics,
                });
            }
        }
    }

    // --- comments ---

    fn note_path(&mut self, spec: &PathSpec, focus: Option<Focus>, best: &Best) {
        self.note_end(spec, focus, best, best.last);
        for &other in &best.others {
            self.note_end(spec, focus, best, other);
            if self.q.level == Level::Normal {
                self.remark(other, "alternative");
            }
        }
    }

    fn note_end(&mut self, spec: &PathSpec, focus: Option<Focus>, best: &Best, last: u32) {
        let start = self.at;
        if self.q.level == Level::Silent {
            return;
        }
        if let Some(title) = &spec.title {
            self.remark(start, title);
        }
        if let Some(focus) = focus.filter(|_| spec.piece_path) {
            self.note_piece_path(focus, last);
        }
        if spec.verbose {
            self.note_moves(spec, focus, best.count, last);
        }
        if self.q.level < Level::Normal || spec.quiet {
            return;
        }
        let mut text = format!(
            "End path of length {} that starts at {}",
            best.count,
            self.place_name(start)
        );
        if spec.max.is_some() {
            text += &format!(" Max value: {}", best.value);
        }
        self.remark(last, &text);
        let end = self.place_name(last);
        self.remark(start, &format!("Start path that ends at {end}"));
    }

    fn note_moves(&mut self, spec: &PathSpec, focus: Option<Focus>, count: i64, last: u32) {
        let way = self.positions.way(self.at, last);
        let moves: Vec<u32> = way
            .into_iter()
            .filter(|&to| focus.is_none_or(|f| self.in_focus(f, to)))
            .collect();
        let title = spec
            .title
            .as_ref()
            .map(|t| format!("{t}: "))
            .unwrap_or_default();
        for (i, &to) in moves.iter().enumerate() {
            self.remark(to, &format!("{title}move {} of {count}", i + 1));
        }
    }

    /// The squares visited by each piece in focus.
    fn note_piece_path(&mut self, focus: Focus, last: u32) {
        let Some(pieces) = self.positions.pieces.get(self.at as usize).copied() else {
            return;
        };
        let way = self.positions.way(self.at, last);
        let mut paths = Vec::new();
        for square in 0..64u8 {
            let piece = pieces.on(square);
            if piece != NO_PIECE && focus.pieces & bit(piece) != 0 {
                paths.extend(self.piece_path(piece, square, &way));
            }
        }
        if !paths.is_empty() {
            self.remark(self.at, &format!("Focus path: {}", paths.join(" ")));
        }
    }

    fn piece_path(&self, piece: u8, square: u8, way: &[u32]) -> Option<String> {
        let name = |s: u8| chess::Square::new(u32::from(s)).to_string();
        let letter = self
            .board()
            .piece_at(chess::Square::new(u32::from(square)))?
            .char();
        let mut text = format!("{letter}{}", name(square));
        let mut here = square;
        for &at in way {
            let now = self.positions.pieces[at as usize].square(piece);
            if now > 63 {
                text += &format!("(x{})", name(here));
                break;
            }
            if now != here {
                here = now;
                text += &format!("-{}", name(here));
            }
        }
        (text.len() > 3).then_some(text)
    }
}
