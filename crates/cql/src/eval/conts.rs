//! The unmatched rest of a line or path, and a cache of the ends it can reach.

use super::Matcher;
use crate::ir::*;
use crate::lex::MANY;
use rustc_hash::FxHashMap;

/// A continuation by its number; 0 is the end.
pub(super) type Cont = u32;
/// The number of continuations kept from game to game.
const MAX_NODES: usize = 100_000;
/// The empty rest.
pub(super) const DONE: Cont = 0;

/// Continuations, each stored once: a constituent, its repetitions so far, and the rest.
#[derive(Default)]
pub(super) struct Conts {
    nodes: Vec<(ConId, u32, Cont)>,
    known: FxHashMap<(ConId, u32, Cont), Cont>,
    /// The expansion of each: chains and forced repetitions expanded, once computed.
    settled: Vec<Option<Cont>>,
    /// The choices of each repetition, once computed.
    choices: Vec<Option<Choices>>,
    /// Whether each can match the empty sequence, once computed.
    nullable: Vec<Option<bool>>,
    roots: Vec<Option<Cont>>,
}

/// The choices of a repetition: to end it, or to repeat once more.
#[derive(Clone, Copy, Default)]
pub(super) struct Choices {
    pub end: Option<Cont>,
    pub again: Option<Cont>,
}

impl Conts {
    fn make(&mut self, con: ConId, repeated: u32, next: Cont) -> Cont {
        let nodes = &mut self.nodes;
        *self.known.entry((con, repeated, next)).or_insert_with(|| {
            nodes.push((con, repeated, next));
            nodes.len() as Cont
        })
    }

    /// Clears them between games if there are many.
    pub fn shrink(&mut self) {
        if self.nodes.len() > MAX_NODES {
            *self = Conts::default();
        }
    }

    pub fn get(&self, cont: Cont) -> Option<(ConId, u32, Cont)> {
        self.nodes.get((cont as usize).checked_sub(1)?).copied()
    }

    /// The whole of a line or path, by its number.
    pub fn root(&mut self, id: u32, parts: &[ConId]) -> Cont {
        let id = id as usize;
        if self.roots.len() <= id {
            self.roots.resize(id + 1, None);
        }
        if let Some(root) = self.roots[id] {
            return root;
        }
        let root = self.chain(parts, DONE);
        self.roots[id] = Some(root);
        root
    }

    /// The same continuation, beginning with a filter, a dash or a real choice.
    pub fn settled(&mut self, ir: &Ir, cont: Cont) -> Cont {
        if let Some(&Some(known)) = self.settled.get(cont as usize) {
            return known;
        }
        let mut here = cont;
        while let Some((con, repeated, next)) = self.get(here) {
            here = match ir.con(con) {
                Con::Chain(ids) => self.chain(ids, next),
                Con::Repeat { of, min, max } if repeated < *min => {
                    self.again(con, *of, repeated, *min, *max, next)
                }
                Con::Repeat { max, .. } if repeated >= *max => next,
                _ => break,
            };
        }
        if self.settled.len() <= cont as usize {
            self.settled.resize(cont as usize + 1, None);
        }
        self.settled[cont as usize] = Some(here);
        here
    }

    /// All of these in order, then `next`.
    pub fn chain(&mut self, cons: &[ConId], next: Cont) -> Cont {
        cons.iter()
            .rev()
            .fold(next, |next, &con| self.make(con, 0, next))
    }

    /// One more repetition, then the rest of the repetitions.
    pub fn again(
        &mut self,
        con: ConId,
        of: ConId,
        repeated: u32,
        min: u32,
        max: u32,
        next: Cont,
    ) -> Cont {
        // beyond the minimum, an unlimited repetition needs no count
        let counted = if max == MANY {
            (repeated + 1).min(min)
        } else {
            repeated + 1
        };
        let rest = self.make(con, counted, next);
        self.make(of, 0, rest)
    }

    /// Lists the states after each choice of a repetition.
    pub fn unfold(&mut self, ir: &Ir, (cont, at): State, work: &mut Vec<State>) {
        let Choices { end, again } = self.choices(ir, cont);
        work.extend(end.into_iter().chain(again).map(|cont| (cont, at)));
    }

    /// The choices of a repetition.
    pub fn choices(&mut self, ir: &Ir, cont: Cont) -> Choices {
        if let Some(&Some(known)) = self.choices.get(cont as usize) {
            return known;
        }
        let choices = self.compute_choices(ir, cont);
        if self.choices.len() <= cont as usize {
            self.choices.resize(cont as usize + 1, None);
        }
        self.choices[cont as usize] = Some(choices);
        choices
    }

    fn compute_choices(&mut self, ir: &Ir, cont: Cont) -> Choices {
        let Some((con, repeated, next)) = self.get(cont) else {
            return Choices::default();
        };
        let Con::Repeat { of, min, max } = ir.con(con) else {
            return Choices::default();
        };
        Choices {
            end: (repeated >= *min).then_some(next),
            again: (repeated < *max).then(|| self.again(con, *of, repeated, *min, *max, next)),
        }
    }

    /// Whether the rest can match the empty sequence.
    pub fn is_nullable(&mut self, ir: &Ir, cont: Cont) -> bool {
        if let Some(&Some(known)) = self.nullable.get(cont as usize) {
            return known;
        }
        let is_nullable = self.compute_nullable(ir, cont);
        if self.nullable.len() <= cont as usize {
            self.nullable.resize(cont as usize + 1, None);
        }
        self.nullable[cont as usize] = Some(is_nullable);
        is_nullable
    }

    fn compute_nullable(&self, ir: &Ir, mut cont: Cont) -> bool {
        while let Some((con, repeated, next)) = self.get(cont) {
            let skippable = match ir.con(con) {
                Con::Repeat { of, min, .. } => repeated >= *min || con_nullable(ir, *of),
                _ => con_nullable(ir, con),
            };
            if !skippable {
                return false;
            }
            cont = next;
        }
        true
    }
}

fn con_nullable(ir: &Ir, con: ConId) -> bool {
    match ir.con(con) {
        Con::Filter { .. } | Con::Dash(..) => false,
        Con::Chain(ids) => ids.iter().all(|&id| con_nullable(ir, id)),
        Con::Repeat { of, min, .. } => *min == 0 || con_nullable(ir, *of),
    }
}

/// The rest to match, and the position.
pub(super) type State = (Cont, u32);

/// States up to this number are kept in a table, others in a map.
const MAX_TABLE: usize = 1 << 15;
/// Continuations up to this number can have a row of a table.
const MAX_ROWS: usize = 1 << 12;
/// A continuation without a row.
const NO_ROW: u16 = u16::MAX;
/// In a table: no end can be reached.
const NO_END: u16 = u16::MAX;
/// In a table: the end is a position with a large number, and is kept with the states beyond it.
const FAR_END: u16 = u16::MAX - 1;

/// What is known about states: the best end reachable from each, or only that it was met.
#[derive(Default)]
pub(super) struct Ends {
    /// By row, then by position: the stamp of the last change, and the end. Small, because a query
    /// may have many tables, and each new page of memory takes as long as a hundred states.
    table: Vec<(u16, u16)>,
    /// By continuation: its row, or `NO_ROW`. A table has few of the continuations of a query.
    rows: Vec<u16>,
    /// The number of rows.
    height: u16,
    /// The positions of the game.
    width: usize,
    stamp: u16,
    beyond: FxHashMap<State, Option<u32>>,
    len: usize,
}

impl Ends {
    /// Forgets everything, in constant time.
    pub fn clear(&mut self) {
        self.len = 0;
        if !self.beyond.is_empty() {
            self.beyond.clear();
        }
        match self.stamp.checked_add(1) {
            Some(stamp) => self.stamp = stamp,
            None => {
                self.table.clear();
                self.stamp = 1;
            }
        }
    }

    /// Forgets everything and prepares for a game with so many positions. What the table holds is
    /// of another stamp then, so it need not be filled again.
    pub fn begin(&mut self, positions: u32) {
        self.clear();
        self.width = positions as usize;
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// The place of a state in the table, if it has one.
    #[inline]
    fn place(&self, (cont, at): State) -> Option<usize> {
        let row = self.rows.get(cont as usize).copied().unwrap_or(NO_ROW);
        let place = usize::from(row) * self.width + at as usize;
        let is_inside = (at as usize) < self.width && place < MAX_TABLE;
        (is_inside && row != NO_ROW).then_some(place)
    }

    /// Gives a continuation a row, if it can have one.
    #[inline]
    fn add_row(&mut self, cont: Cont) {
        let cont = cont as usize;
        if self.rows.get(cont).is_none_or(|&row| row == NO_ROW) && cont < MAX_ROWS {
            self.rows.resize(self.rows.len().max(cont + 1), NO_ROW);
            self.rows[cont] = self.height;
            self.height += 1;
        }
    }

    #[inline]
    fn get(&self, state: State) -> Option<Option<u32>> {
        let Some(place) = self.place(state) else {
            return self.beyond.get(&state).copied();
        };
        match *self.table.get(place)? {
            (stamp, _) if stamp != self.stamp => None,
            (_, NO_END) => Some(None),
            (_, FAR_END) => self.beyond.get(&state).copied(),
            (_, end) => Some(Some(u32::from(end))),
        }
    }

    /// Sets the end of a state; true if nothing was known about it.
    #[inline]
    fn insert(&mut self, state: State, end: Option<u32>) -> bool {
        self.add_row(state.0);
        let is_new = match self.place(state) {
            None => self.beyond.insert(state, end).is_none(),
            Some(place) => {
                if self.table.len() <= place {
                    let rows = place / self.width.max(1) + 1;
                    self.table.resize(rows * self.width, (0, NO_END)); // longer than it was
                }
                let end = match end.map(u16::try_from) {
                    None => NO_END,
                    Some(Ok(end)) if end < FAR_END => end,
                    Some(_) => {
                        self.beyond.insert(state, end);
                        FAR_END
                    }
                };
                let entry = &mut self.table[place];
                let is_new = entry.0 != self.stamp;
                *entry = (self.stamp, end);
                is_new
            }
        };
        self.len += usize::from(is_new);
        is_new
    }
}

/// Memory for an exploration.
#[derive(Default)]
pub(super) struct Exploration {
    work: Vec<State>,
    frames: Vec<Frame>,
}

struct Frame {
    state: State,
    /// Its successors in the list of work.
    from: usize,
    best: Option<u32>,
}

impl<'q> Matcher<'q> {
    /// A table of states, empty.
    pub(super) fn take_seen(&mut self) -> Ends {
        let mut seen = self.spare.pop().unwrap_or_default();
        seen.begin(self.positions.real());
        seen
    }

    /// Gives a table back.
    pub(super) fn return_seen(&mut self, seen: Option<Ends>) {
        if let Some(seen) = seen {
            self.drop_states(seen.len());
            self.spare.push(seen);
        }
    }

    /// Whether a state is new, if states are remembered.
    pub(super) fn is_new(&mut self, seen: &mut Option<Ends>, state: State) -> bool {
        let Some(seen) = seen else {
            return true;
        };
        let is_new = seen.insert(state, None);
        if is_new {
            self.keep_state();
        }
        is_new
    }

    /// The best end reachable from a state, without recursion for games of any length.
    ///
    /// `open` returns the end at a state and lists its successors. Among equal ends the first found
    /// wins; with `first` the first end found is the best.
    pub(super) fn explore(
        &mut self,
        ends: &mut Ends,
        root: State,
        first: bool,
        better: impl Fn(&Self, u32, u32) -> bool,
        mut open: impl FnMut(&mut Self, State, &mut Vec<State>) -> Option<u32>,
    ) -> Option<u32> {
        if let Some(known) = ends.get(root) {
            return known;
        }
        let mut memory = std::mem::take(&mut self.exploration);
        memory.work.clear();
        let best = open(self, root, &mut memory.work);
        let mut end = best;
        // most starts lead nowhere and need not be remembered
        if !memory.work.is_empty() {
            memory.work.reverse();
            memory.frames.clear();
            memory.frames.push(Frame {
                state: root,
                from: 0,
                best,
            });
            end = self.explore_from(&mut memory, ends, first, better, open);
        }
        self.exploration = memory;
        end
    }

    /// The same from a first frame on.
    fn explore_from(
        &mut self,
        Exploration { work, frames }: &mut Exploration,
        ends: &mut Ends,
        first: bool,
        better: impl Fn(&Self, u32, u32) -> bool,
        mut open: impl FnMut(&mut Self, State, &mut Vec<State>) -> Option<u32>,
    ) -> Option<u32> {
        ends.insert(frames.last()?.state, None);
        let mut enter: Option<State> = None;
        loop {
            if let Some(state) = enter.take() {
                self.step();
                self.keep_state();
                ends.insert(state, None); // a state that leads back to itself adds nothing
                let from = work.len();
                let best = open(self, state, work);
                work[from..].reverse();
                frames.push(Frame { state, from, best });
            }
            let frame = frames.last_mut()?;
            let done = work.len() == frame.from || first && frame.best.is_some() || self.steps == 0;
            if !done {
                let next = work[work.len() - 1];
                match ends.get(next) {
                    None => enter = Some(next),
                    Some(end) => {
                        work.pop();
                        frame.best = match (frame.best, end) {
                            (Some(old), Some(new)) if !better(self, new, old) => Some(old),
                            (old, new) => new.or(old),
                        };
                    }
                }
                continue;
            }
            work.truncate(frame.from);
            let (state, best) = (frame.state, frame.best);
            ends.insert(state, best);
            frames.pop();
            if frames.is_empty() {
                return best;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_kept_until_they_are_forgotten() {
        let mut ends = Ends::default();
        ends.begin(100);
        let known = [
            ((3, 7), Some(42)),
            ((3, 8), None),
            ((4, 7), Some(u32::from(u16::MAX) + 5)),
            ((4, 8), Some(u32::from(FAR_END))),
            ((4, 100), Some(1)),
            ((MAX_TABLE as u32, 1), None),
        ];
        for round in 0..3 {
            for (state, end) in known {
                assert_eq!(ends.get(state), None, "{round}");
                assert!(ends.insert(state, Some(9)));
                assert!(!ends.insert(state, end));
                assert_eq!(ends.get(state), Some(end));
            }
            assert_eq!(ends.len(), known.len());
            // as many as there are stamps
            (0..=u32::from(u16::MAX)).for_each(|_| ends.clear());
        }
    }
}
