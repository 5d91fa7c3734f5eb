//! `line`.

use super::conts::{Cont, Conts, DONE, Ends, State};
use super::{Matcher, Remark, Value};
use crate::ir::*;
use crate::positions::bit;
use crate::result::Level;
use chess::Color;
use rustc_hash::FxHashSet;

/// The state of lines within a game.
#[derive(Default)]
pub(super) struct Memory {
    pub conts: Conts,
    /// By line, and by the side to move at its start.
    ends: Vec<[Ends; 2]>,
    /// For each of these: the values of the variables that the line reads.
    read: Vec<[Vec<Value>; 2]>,
    /// Positions inside a line found before, for `nestban`.
    banned: Vec<FxHashSet<u32>>,
    /// An empty list of tasks, for its memory.
    spare_tasks: Vec<Task>,
}

impl Memory {
    pub fn clear(&mut self, ir: &Ir, positions: u32) {
        self.conts.shrink();
        self.ends.resize_with(ir.lines.len(), Default::default);
        self.read.resize_with(ir.lines.len(), Default::default);
        self.banned.resize_with(ir.lines.len(), Default::default);
        let ends = self.ends.iter_mut().flatten();
        ends.for_each(|ends| ends.begin(positions));
        self.banned.iter_mut().for_each(|b| b.clear());
    }
}

/// The result of a line or path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub value: i64,
    pub last: u32,
}

/// The best end so far, and the comments of the way to it.
struct Best {
    last: u32,
    remarks: Vec<Remark>,
}

enum Task {
    Run(State),
    /// The filter of a constituent is tied to the move to this child.
    Tied(State, u32),
    Restore(usize),
}

impl<'q> Matcher<'q> {
    pub(super) fn line(&mut self, id: LineId) -> Option<Found> {
        let spec = self.q.ir.line(id);
        let start = self.at;
        if spec.nestban && self.lines.banned[id.0 as usize].contains(&start) {
            return None;
        }
        let parts = self.q.ir.line_parts(id);
        if self.q.planned && !parts.has(Props::WRITES) && !self.may_match_line(id) {
            return None;
        }
        if !self.may_begin_line(id, spec) {
            return None;
        }
        let last = if self.q.planned && parts.is_pure() {
            self.line_end(id, spec)
        } else {
            self.backtrack(id, spec)
        };
        let found = last.map(|last| Found {
            value: self.line_length(spec, start, last),
            last,
        });
        let found = found.filter(|f| spec.range.is_none_or(|r| self.in_range(r, f.value)))?;
        self.note_line(spec, found);
        if spec.nestban {
            self.ban(id, spec, start, found.last);
        }
        Some(found)
    }

    /// False if a piece does not make the moves from here on that a line needs.
    pub(super) fn may_match_line(&mut self, id: LineId) -> bool {
        let q = self.q;
        q.plan.line_moves(id).iter().all(|moves| {
            let Value::Piece(piece) = self.values[moves.piece.0 as usize] else {
                return true;
            };
            self.can_move(bit(piece), moves.least)
                && moves.to.is_none_or(|to| self.can_arrive(piece, to))
        })
    }

    /// False if no move from here matches the filter that a line begins with, as at most positions.
    fn may_begin_line(&mut self, id: LineId, spec: &LineSpec) -> bool {
        let Some(first) = self.q.plan.line_first(id) else {
            return true;
        };
        let at = self.at;
        let mut child = self.positions.first_child(at);
        let is_end = child.is_none();
        while let Some(to) = child {
            if !self.wrong_order(spec, to) && self.holds_tied(at, to, first) {
                return true;
            }
            child = self.positions.next_sibling(to);
        }
        is_end // then the filter is not tied to a move
    }

    fn line_length(&self, spec: &LineSpec, start: u32, last: u32) -> i64 {
        let ply = |at| i64::from(self.positions.ply(at));
        let positions = (ply(start) - ply(last)).abs() + 1;
        if spec.single_color {
            (positions + 1) / 2
        } else {
            positions
        }
    }

    fn note_line(&mut self, spec: &LineSpec, found: Found) {
        if self.q.level < Level::Normal || spec.quiet {
            return;
        }
        let start = self.place_name(self.at);
        self.remark(
            found.last,
            &format!("End line of length {} that starts at {start}", found.value),
        );
        let end = self.place_name(found.last);
        self.remark(self.at, &format!("Start line that ends at {end}"));
    }

    fn ban(&mut self, id: LineId, spec: &LineSpec, start: u32, last: u32) {
        let turn = self.positions.board(start).turn();
        for at in self.positions.way(start, last).into_iter().chain([start]) {
            if !spec.single_color || self.positions.board(at).turn() == turn {
                self.lines.banned[id.0 as usize].insert(at);
            }
        }
    }

    /// The side whose positions a line in a single colour skips.
    fn passed_over(&self, spec: &LineSpec) -> Option<Color> {
        spec.single_color.then(|| !self.board().turn())
    }

    /// A line without effects: its end is computed once for each state.
    fn line_end(&mut self, id: LineId, spec: &'q LineSpec) -> Option<u32> {
        let side = usize::from(self.board().turn() == Color::White);
        let skip = self.passed_over(spec);
        let mut ends = std::mem::take(&mut self.lines.ends[id.0 as usize][side]);
        let is_imagined = self.positions.is_imagined(self.at);
        let reads = self.q.ir.line_parts(id).has(Props::READS.and(Props::PATH));
        if is_imagined || reads && !self.reads_the_same(id, side) {
            self.drop_states(ends.len());
            ends.clear();
        }
        let root = (self.lines.conts.root(id.0, &spec.parts), self.at);
        let better = |m: &Self, new: u32, old: u32| m.farther(spec, new, old);
        let end = self.explore(
            &mut ends,
            root,
            spec.firstmatch,
            better,
            |m, state, work| m.open_line(spec, skip, state, work),
        );
        if is_imagined {
            self.drop_states(ends.len());
            ends.clear(); // the next imagined position may have the same number
        }
        self.lines.ends[id.0 as usize][side] = ends;
        end
    }

    /// True if the variables that a line reads have the values they had last time.
    fn reads_the_same(&mut self, id: LineId, side: usize) -> bool {
        let Some(variables) = self.q.plan.line_reads(id) else {
            return false;
        };
        let known = &mut self.lines.read[id.0 as usize][side];
        let values = variables.iter().map(|var| &self.values[var.0 as usize]);
        let is_same = values.clone().eq(&*known);
        if !is_same {
            known.clear();
            known.extend(values.cloned());
        }
        is_same
    }

    fn farther(&self, spec: &LineSpec, new: u32, old: u32) -> bool {
        let (new, old) = (self.positions.ply(new), self.positions.ply(old));
        if spec.back { new < old } else { new > old }
    }

    /// The end at a state, and its successors.
    fn open_line(
        &mut self,
        spec: &LineSpec,
        skip: Option<Color>,
        state: State,
        work: &mut Vec<State>,
    ) -> Option<u32> {
        let (cont, at) = state;
        if skip == Some(self.positions.board(at).turn()) {
            self.go_on(spec, cont, at, work);
            return None;
        }
        let cont = self.lines.conts.settled(&self.q.ir, cont);
        let (con, _, next) = self.lines.conts.get(cont)?;
        match self.q.ir.con(con) {
            Con::Filter { body, linear: true } if !spec.back => {
                self.open_tied(spec, *body, next, at, work)
            }
            Con::Filter { body, .. } => {
                if !self.at_place(at, |m| m.truth(*body)) {
                    return None;
                }
                if next != DONE {
                    self.go_on(spec, next, at, work);
                }
                self.lines.conts.is_nullable(&self.q.ir, next).then_some(at)
            }
            _ => {
                self.lines.conts.unfold(&self.q.ir, (cont, at), work);
                None
            }
        }
    }

    /// Whether a `move` filter holds for the move that the line follows.
    fn open_tied(
        &mut self,
        spec: &LineSpec,
        body: BoolId,
        next: Cont,
        at: u32,
        work: &mut Vec<State>,
    ) -> Option<u32> {
        let nullable = self.lines.conts.is_nullable(&self.q.ir, next);
        if self.positions.is_terminal(at) {
            return (nullable && self.at_place(at, |m| m.truth(body))).then_some(at);
        }
        let mut end = None;
        let mut child = self.positions.first_child(at);
        while let Some(to) = child {
            child = self.positions.next_sibling(to);
            if self.wrong_order(spec, to) || !self.holds_tied(at, to, body) {
                continue;
            }
            end = nullable.then_some(at);
            if next != DONE {
                work.push((next, to));
            }
        }
        end
    }

    fn holds_tied(&mut self, at: u32, child: u32, body: BoolId) -> bool {
        self.at_place(at, |m| {
            m.only_child = Some(child);
            m.truth(body)
        })
    }

    fn wrong_order(&self, spec: &LineSpec, child: u32) -> bool {
        let is_secondary = self.positions.is_secondary(child);
        spec.primary && is_secondary || spec.secondary && !is_secondary
    }

    /// The same continuation at the next positions.
    fn go_on(&self, spec: &LineSpec, cont: Cont, at: u32, work: &mut Vec<State>) {
        if spec.back {
            work.extend(self.positions.parent(at).map(|p| (cont, p)));
            return;
        }
        work.extend(
            self.positions
                .children(at)
                .filter(|&c| !self.wrong_order(spec, c))
                .map(|c| (cont, c)),
        );
    }

    // --- lines with effects ---

    /// Tries everything in order, because constituents may assign and comment.
    fn backtrack(&mut self, id: LineId, spec: &'q LineSpec) -> Option<u32> {
        let base = self.remarks.len();
        let skip = self.passed_over(spec);
        let root = (self.lines.conts.root(id.0, &spec.parts), self.at);
        let mut tasks = std::mem::take(&mut self.lines.spare_tasks);
        tasks.push(Task::Run(root));
        let mut best: Option<Best> = None;
        // if comments are the only effect, the first way to a state counts
        let parts = self.q.ir.line_parts(id);
        let mut seen = (self.q.planned && !parts.has(Props::WRITES)).then(|| self.take_seen());
        while let Some(task) = tasks.pop() {
            if self.steps == 0 {
                break;
            }
            match task {
                Task::Restore(mark) => self.remarks.truncate(mark),
                _ if spec.firstmatch && best.is_some() => {}
                Task::Run(state) => {
                    self.step();
                    if self.is_new(&mut seen, state) {
                        self.run_state(spec, skip, state, base, &mut best, &mut tasks);
                    }
                }
                Task::Tied((cont, at), child) => {
                    let Some((con, _, next)) = self.lines.conts.get(cont) else {
                        continue;
                    };
                    let Con::Filter { body, .. } = self.q.ir.con(con) else {
                        continue;
                    };
                    let mark = self.remarks.len();
                    if self.holds_tied(at, child, *body) {
                        self.reached(spec, next, at, base, &mut best);
                        tasks.push(Task::Restore(mark));
                        tasks.push(Task::Run((next, child)));
                    }
                }
            }
        }
        self.return_seen(seen);
        tasks.clear();
        self.lines.spare_tasks = tasks;
        self.remarks.truncate(base);
        let best = best?;
        self.remarks.extend(best.remarks);
        Some(best.last)
    }

    fn run_state(
        &mut self,
        spec: &LineSpec,
        skip: Option<Color>,
        (cont, at): State,
        base: usize,
        best: &mut Option<Best>,
        tasks: &mut Vec<Task>,
    ) {
        let cont = self.lines.conts.settled(&self.q.ir, cont);
        let Some((con, ..)) = self.lines.conts.get(cont) else {
            return;
        };
        let filter = match self.q.ir.con(con) {
            _ if skip == Some(self.positions.board(at).turn()) => None,
            Con::Filter { body, linear } => Some((*body, *linear && !spec.back)),
            _ => None,
        };
        let Some((body, tied)) = filter else {
            // no filter is evaluated here
            let mut work = Vec::new();
            self.open_line(spec, skip, (cont, at), &mut work);
            tasks.extend(work.into_iter().rev().map(Task::Run));
            return;
        };
        let mark = self.remarks.len();
        tasks.push(Task::Restore(mark));
        if tied && !self.positions.is_terminal(at) {
            let children = self
                .positions
                .children(at)
                .filter(|&c| !self.wrong_order(spec, c));
            let first = tasks.len();
            tasks.extend(children.map(|c| Task::Tied((cont, at), c)));
            tasks[first..].reverse();
            return;
        }
        if !self.at_place(at, |m| m.truth(body)) {
            return;
        }
        let Some((_, _, next)) = self.lines.conts.get(cont) else {
            return;
        };
        self.reached(spec, next, at, base, best);
        if next != DONE && !tied {
            let mut work = Vec::new();
            self.go_on(spec, next, at, &mut work);
            tasks.extend(work.into_iter().rev().map(Task::Run));
        }
    }

    /// A constituent matched here; if the rest can be empty, this is an end.
    fn reached(
        &mut self,
        spec: &LineSpec,
        next: Cont,
        at: u32,
        base: usize,
        best: &mut Option<Best>,
    ) {
        if !self.lines.conts.is_nullable(&self.q.ir, next) {
            return;
        }
        if best.as_ref().is_none_or(|b| self.farther(spec, at, b.last)) {
            *best = Some(Best {
                last: at,
                remarks: self.remarks[base..].to_vec(),
            });
        }
    }
}
