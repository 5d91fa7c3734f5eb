//! The search: who wins a sum, moving first.

use super::components::{Item, Term};
use super::facts::{Facts, decide};
use super::{GaveUp, SumId};
use crate::value::Player;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// What may be spent on values for each sum that is searched: about as much as the search itself.
const EFFORT_PER_NODE: u64 = 150;

/// Storage of a search in progress, kept between questions.
#[derive(Default)]
pub(crate) struct Work {
    frames: Vec<Frame>,
    /// The moves found so far for the sum that is being opened.
    children: Vec<Child>,
    scratch: Vec<Item>,
    facts: Vec<Facts>,
    efforts: Vec<[Effort; 2]>,
    /// For each opened sum the number of its children, then the children.
    kids: Vec<u32>,
}

/// How far a sum is from being decided for the player who moves first, and where its children are.
#[derive(Clone, Copy)]
struct Effort {
    /// How much is missing to show that he wins: 0 when he does.
    win: u32,
    /// How much is missing to show that he loses: 0 when he does.
    lose: u32,
    /// Where the children begin; 0 if the sum has not been opened.
    kids: u32,
}

impl Effort {
    const NEW: Effort = Effort {
        win: 1,
        lose: 1,
        kids: 0,
    };
}

/// Infinitely far: the contrary is proven.
const NEVER: u32 = u32::MAX / 2;

/// A sum on the way down, and how much may be spent on it before looking elsewhere.
#[derive(Clone, Copy)]
struct Frame {
    sum: SumId,
    first: Player,
    win_limit: u32,
    lose_limit: u32,
}

/// A sum after a move, and how promising the move is.
struct Child {
    sum: SumId,
    promise: i64,
    replies: u32,
}

impl Work {
    pub fn bytes_used(&self) -> usize {
        self.frames.capacity() * size_of::<Frame>()
            + self.children.capacity() * size_of::<Child>()
            + self.efforts.capacity() * size_of::<[Effort; 2]>()
            + self.kids.capacity() * 4
    }

    fn effort(&mut self, sum: SumId, first: Player) -> &mut Effort {
        let index = sum.0 as usize;
        if self.efforts.len() <= index {
            self.efforts.resize(index + 1, [Effort::NEW; 2]);
        }
        &mut self.efforts[index][first as usize]
    }
}

/// Depth-first proof-number search. To show that the mover wins, one child must be shown to be
/// lost for the opponent; to show that he loses, all must be won. The search always goes where
/// the least seems to be missing. Since sums are met again and again on different ways, the
/// difficulty of "all" is that of the hardest child plus one for each other, not their sum.
impl super::Solver {
    /// Does `first` win this sum, moving first?
    ///
    /// Values and search take turns with growing effort: what is simple enough to have its value
    /// computed should not be searched, and what is not should not be evaluated.
    pub(super) fn solve(&mut self, root: SumId, first: Player) -> Result<bool, GaveUp> {
        let mut effort = 10_000;
        loop {
            let root = self.revalued(root, effort)?;
            if let Some(wins) = self.sum_of_values(root, first, effort) {
                return Ok(wins);
            }
            if let Some(wins) = self.search(root, first, 8 * effort / EFFORT_PER_NODE)? {
                return Ok(wins);
            }
            effort = effort.saturating_mul(4);
        }
    }

    /// The same sum with values for the components whose values take no more than this effort.
    fn revalued(&mut self, root: SumId, effort: u64) -> Result<SumId, GaveUp> {
        let mut items = self.table.items(root).to_vec();
        let valued = self.values_at_root;
        for item in items.iter_mut().filter(|_| valued) {
            if let Term::Component(id) = item.term()
                && let Some(value) = self.arena.value_beside(id, effort)
            {
                *item = Item::value(value);
            }
        }
        self.arena.tidy(&mut items)?;
        Ok(self.table.intern(&items))
    }

    /// Adds up a sum of values, if that takes no more than this effort.
    fn sum_of_values(&mut self, root: SumId, first: Player, effort: u64) -> Option<bool> {
        let mut values = Vec::new();
        for item in self.table.items(root) {
            match item.term() {
                Term::Value(value) => values.push(value),
                Term::Component(_) => return None,
            }
        }
        let total = self.arena.total(&values, effort)?;
        Some(self.arena.forms.outcome(total).wins_first(first))
    }

    /// Searches at most so many nodes.
    fn search(&mut self, root: SumId, first: Player, nodes: u64) -> Result<Option<bool>, GaveUp> {
        let last = self.nodes.saturating_add(nodes);
        self.work.frames.clear();
        self.work.frames.push(Frame {
            sum: root,
            first,
            win_limit: NEVER,
            lose_limit: NEVER,
        });
        while let Some(&frame) = self.work.frames.last() {
            if self.nodes > last {
                return Ok(None);
            }
            if let Some(deeper) = self.visit(frame)? {
                self.work.frames.push(deeper);
            } else {
                self.work.frames.pop();
            }
        }
        Ok(self.table.result(root, first))
    }

    /// Updates a sum from its children; tells where to go on, unless its limits are reached.
    fn visit(&mut self, frame: Frame) -> Result<Option<Frame>, GaveUp> {
        let Frame { sum, first, .. } = frame;
        if self.table.result(sum, first).is_some() {
            return Ok(None);
        }
        // 1. Open it when it is met for the first time.
        if self.work.effort(sum, first).kids == 0 {
            self.count_node()?;
            if let Some(wins) = self.expand(sum, first)? {
                self.leave(sum, first, wins);
                return Ok(None);
            }
        }
        // 2. The easiest child decides how far a win is, the hardest how far a loss.
        let kids = self.work.effort(sum, first).kids as usize;
        let count = self.work.kids[kids] as usize;
        let mut best: Option<(SumId, Effort)> = None;
        let mut second = NEVER;
        let (mut hardest, mut open) = (0, 0u32);
        for at in 1..=count {
            let child = SumId(self.work.kids[kids + at]);
            match self.table.result(child, !first) {
                Some(false) => {
                    self.leave(sum, first, true);
                    return Ok(None);
                }
                Some(true) => continue,
                None => {}
            }
            let effort = *self.work.effort(child, !first);
            open += 1;
            hardest = hardest.max(effort.win);
            match best {
                Some((_, found)) if found.lose <= effort.lose => second = second.min(effort.lose),
                _ => {
                    second = best.map_or(second, |(_, found)| found.lose);
                    best = Some((child, effort));
                }
            }
        }
        let Some((child, effort)) = best else {
            self.leave(sum, first, false);
            return Ok(None);
        };
        let (win, lose) = (effort.lose, hardest + open - 1);
        let own = self.work.effort(sum, first);
        (own.win, own.lose) = (win.min(NEVER - 1), lose.min(NEVER - 1));
        if win >= frame.win_limit || lose >= frame.lose_limit {
            return Ok(None);
        }
        // 3. Go on there until it is no longer the easiest, or the limits are reached.
        Ok(Some(Frame {
            sum: child,
            first: !first,
            win_limit: frame
                .lose_limit
                .saturating_sub(open - 1)
                .max(effort.win + 1),
            lose_limit: frame.win_limit.min(second.saturating_add(1 + second / 4)),
        }))
    }

    /// Keeps a result.
    fn leave(&mut self, sum: SumId, first: Player, wins: bool) {
        self.table.prove(sum, first, wins);
        if let [item] = *self.table.items(sum)
            && let Term::Component(id) = item.term()
        {
            self.arena.prove(id, first, wins);
        }
    }

    /// Makes the children of a sum, or tells its result when no search is needed.
    fn expand(&mut self, sum: SumId, first: Player) -> Result<Option<bool>, GaveUp> {
        // 1. Bounds of the items may decide at once.
        let length = self.table.items(sum).len();
        self.work.facts.clear();
        for at in 0..length {
            let item = self.table.items(sum)[at];
            let facts = self.arena.facts(item);
            self.work.facts.push(facts);
        }
        if let Some(wins) = decide(&self.work.facts, first) {
            return Ok(Some(wins));
        }
        // 2. A move in each different item.
        self.work.children.clear();
        for at in 0..length {
            let item = self.table.items(sum)[at];
            if at > 0 && self.table.items(sum)[at - 1] == item {
                continue;
            }
            if self.moves_in(sum, at, item, first)? {
                return Ok(Some(true));
            }
        }
        // 3. Each sum once, the most promising first.
        let mut children = std::mem::take(&mut self.work.children);
        children.sort_unstable_by_key(|child| (child.sum, child.promise));
        children.dedup_by_key(|child| child.sum);
        children.sort_by_key(|child| -child.promise);
        let start = self.work.kids.len().max(1);
        self.work.kids.resize(start, 0);
        self.work.kids.push(children.len() as u32);
        for child in &children {
            self.work.kids.push(child.sum.0);
            let effort = self.work.effort(child.sum, !first);
            if effort.kids == 0 {
                effort.lose = child.replies.clamp(1, 1000);
            }
        }
        self.work.children = children;
        self.work.effort(sum, first).kids = start as u32;
        Ok(None)
    }

    /// Makes the moves in one item; tells if one of them wins at once.
    fn moves_in(
        &mut self,
        sum: SumId,
        at: usize,
        item: Item,
        first: Player,
    ) -> Result<bool, GaveUp> {
        match item.term() {
            Term::Component(id) => {
                for number in self.arena.options(id, first)? {
                    let mut scratch = std::mem::take(&mut self.work.scratch);
                    scratch.clear();
                    scratch.extend_from_slice(self.arena.components.option(number));
                    if self.add_child(sum, at, scratch, first)? {
                        return Ok(true);
                    }
                }
            }
            Term::Value(value) => {
                let count = self.arena.forms.options(value, first)?.len();
                for number in 0..count {
                    let option = self.arena.forms.options(value, first)?[number];
                    let mut scratch = std::mem::take(&mut self.work.scratch);
                    scratch.clear();
                    scratch.push(Item::value(option));
                    if self.add_child(sum, at, scratch, first)? {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// Adds the sum in which item `at` became `option`; tells if the opponent loses it at once.
    fn add_child(
        &mut self,
        sum: SumId,
        at: usize,
        mut option: Vec<Item>,
        first: Player,
    ) -> Result<bool, GaveUp> {
        let items = self.table.items(sum);
        option.extend_from_slice(&items[..at]);
        option.extend_from_slice(&items[at + 1..]);
        self.arena.tidy(&mut option)?;
        let wins_at_once = self.weigh(&option, first);
        self.work.scratch = option;
        Ok(wins_at_once)
    }

    /// Adds a child unless its result can be told; tells if the opponent loses it.
    fn weigh(&mut self, items: &[Item], moved: Player) -> bool {
        let found = self.table.find(items);
        if let Some(wins) = found.and_then(|id| self.table.result(id, !moved)) {
            return !wins;
        }
        self.work.facts.clear();
        let (mut promise, mut replies) = (0, 0);
        for &item in items {
            let facts = self.arena.facts(item);
            promise += i64::from(facts.guess);
            replies += u32::from(facts.mobility[!moved as usize]);
            self.work.facts.push(facts);
        }
        if let Some(wins) = decide(&self.work.facts, !moved) {
            return !wins;
        }
        let sum = found.unwrap_or_else(|| self.table.intern(items));
        let sign = if moved == Player::Left { 1 } else { -1 };
        self.work.children.push(Child {
            sum,
            promise: promise * sign,
            replies,
        });
        false
    }

    /// Counts a node, and gives up when the budget is spent.
    pub(super) fn count_node(&mut self) -> Result<(), GaveUp> {
        self.nodes += 1;
        self.arena.effort_allowed += EFFORT_PER_NODE;
        if self.nodes > self.nodes_allowed {
            return Err(GaveUp::Nodes);
        }
        if self.nodes.is_multiple_of(1024) {
            self.check_budget()?;
        }
        Ok(())
    }

    /// Gives up when time or memory is spent.
    pub(super) fn check_budget(&self) -> Result<(), GaveUp> {
        if self
            .deadline
            .is_some_and(|deadline| Instant::now() > deadline)
        {
            return Err(GaveUp::Time);
        }
        if self.stop.load(Ordering::Relaxed) {
            return Err(GaveUp::Stopped);
        }
        if self.bytes_used() > self.budget.bytes {
            return Err(GaveUp::Bytes);
        }
        Ok(())
    }
}
