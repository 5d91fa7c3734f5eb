//! The search: who wins a sum, moving first.

use super::components::{ComponentId, Item, Term};
use super::facts::{Facts, decide};
use super::lists::Options;
use super::proof::{self, Nodes, Proofs};
use super::table::SumId;
use super::values::EFFORT_PER_OPTION;
use super::{GaveUp, Solver};
use crate::value::Player;
use std::sync::atomic::{AtomicU64, Ordering};

/// What may be spent on values of small components for each sum that is searched.
const VALUES_PER_NODE: u64 = 150;

/// What a sum after a move costs: tidying it up, looking for it. In the units of [`super::values`].
const EFFORT_PER_CHILD: u64 = 2;

/// Searches that cost so much are worth being shared among threads.
pub(super) const WORTH_SHARING: u64 = 250_000;

/// What a search has cost so far, counted by all who take part in it.
#[derive(Default)]
pub(super) struct Meter {
    pub nodes: AtomicU64,
    effort: AtomicU64,
}

/// Storage of a search, kept between questions.
#[derive(Default)]
pub(crate) struct Work {
    /// The sum that is being opened.
    items: Vec<Item>,
    /// The moves found so far for it.
    children: Vec<Child>,
    scratch: Vec<Item>,
    facts: Vec<Facts>,
    /// What the sum that is being opened has cost.
    effort: u64,
    /// The search pauses when it has cost so much.
    pub(super) pause_at: u64,
}

/// A sum after a move, and how promising the move is.
struct Child {
    sum: SumId,
    promise: i64,
    replies: u32,
}

impl Nodes for Solver {
    fn proofs(&self) -> &Proofs {
        &self.arena.common.table.proofs
    }

    fn open(&mut self, node: u32) -> Result<Option<bool>, GaveUp> {
        self.count_node()?;
        let (sum, first) = SumId::of_node(node);
        let found = self.expand(sum, first);
        let effort = std::mem::take(&mut self.work.effort);
        self.spend(effort);
        found
    }

    fn proven(&mut self, node: u32, wins: bool) {
        let (sum, first) = SumId::of_node(node);
        let mut items = self.table().items(sum);
        if let (Some(item), None) = (items.next(), items.next())
            && let Term::Component(id) = item.term()
        {
            drop(items);
            self.arena.prove(id, first, wins);
        }
    }

    fn pause(&self) -> bool {
        self.meter.effort.load(Ordering::Relaxed) > self.work.pause_at
    }

    fn check_interrupt(&self) -> Result<(), GaveUp> {
        self.arena.interrupt.check_time()
    }
}

impl Solver {
    /// Does `first` win this sum, moving first?
    ///
    /// Values and search take turns with growing effort: what is simple enough to have its value
    /// computed should not be searched, and what is not should not be evaluated.
    pub(super) fn solve(&mut self, root: SumId, first: Player) -> Result<bool, GaveUp> {
        let mut effort = 10_000;
        loop {
            self.check_budget()?;
            let root = self.revalued(root, effort)?;
            if let Some(wins) = self.sum_of_values(root, first, effort) {
                return Ok(wins);
            }
            if let Some(wins) = self.search(root, first, 5 * effort)? {
                return Ok(wins);
            }
            effort = effort.saturating_mul(4);
        }
    }

    /// The same sum with values for the components whose values take no more than this effort.
    fn revalued(&mut self, root: SumId, effort: u64) -> Result<SumId, GaveUp> {
        let mut items: Vec<Item> = self.table().items(root).collect();
        let valued = self.values_at_root;
        for item in items.iter_mut().filter(|_| valued) {
            self.check_budget()?;
            if let Term::Component(id) = item.term()
                && let Some(value) = self.arena.value_beside(id, effort)
            {
                *item = Item::value(value);
            }
        }
        self.arena.tidy(&mut items)?;
        self.table().intern(&items)
    }

    /// Adds up a sum of values, if that takes no more than this effort.
    pub(super) fn sum_of_values(
        &mut self,
        root: SumId,
        first: Player,
        effort: u64,
    ) -> Option<bool> {
        let mut values = Vec::new();
        for item in self.table().items(root) {
            match item.term() {
                Term::Value(value) => values.push(value),
                Term::Component(_) => return None,
            }
        }
        let total = self.arena.total(&values, effort)?;
        Some(self.arena.common.forms().outcome(total).wins_first(first))
    }

    /// Who wins, where bounds of the items tell.
    pub(super) fn decided_by_bounds(&mut self, items: &[Item], first: Player) -> Option<bool> {
        let facts: Vec<Facts> = items.iter().map(|&item| self.arena.facts(item)).collect();
        decide(&facts, first)
    }

    /// Searches at this cost, or with many threads at what they cost in thrice the time: while
    /// values are tried all but one of them wait.
    fn search(&mut self, root: SumId, first: Player, effort: u64) -> Result<Option<bool>, GaveUp> {
        let root = root.node(first);
        match self.workers.clone() {
            Some(workers) if effort >= WORTH_SHARING => {
                let share = (workers.threads() as u64).saturating_mul(3);
                self.pause_after(effort.saturating_mul(share));
                self.prove_together(&*workers, root, |search, helper| search.run(helper))
            }
            _ => {
                self.pause_after(effort);
                proof::prove(self, root)
            }
        }
    }

    /// The search is to pause when it has cost so much more.
    pub(super) fn pause_after(&mut self, effort: u64) {
        let spent = self.meter.effort.load(Ordering::Relaxed);
        self.work.pause_at = spent.saturating_add(effort);
    }

    /// Counts what a node has cost.
    pub(super) fn spend(&mut self, effort: u64) {
        self.meter.effort.fetch_add(effort, Ordering::Relaxed);
    }

    /// Makes the children of a sum, or tells its result when no search is needed.
    fn expand(&mut self, sum: SumId, first: Player) -> Result<Option<bool>, GaveUp> {
        let mut items = std::mem::take(&mut self.work.items);
        items.clear();
        items.extend(self.table().items(sum));
        let told = self.make_moves(&items, first)?;
        self.work.items = items;
        if told.is_some() {
            return Ok(told);
        }
        // Each sum once, the most promising first.
        let children = &mut self.work.children;
        children.sort_unstable_by_key(|child| (child.sum, child.promise));
        children.dedup_by_key(|child| child.sum);
        children.sort_by_key(|child| -child.promise);
        let kids = self.work.children.iter();
        let kids = kids.map(|child| (child.sum.node(!first), child.replies));
        self.proofs().set_children(sum.node(first), kids)?;
        Ok(None)
    }

    /// Makes a move in each different item, unless the result can be told before.
    fn make_moves(&mut self, items: &[Item], first: Player) -> Result<Option<bool>, GaveUp> {
        // 1. Bounds of the items may decide at once.
        self.work.facts.clear();
        for &item in items {
            self.arena.check_interrupt()?;
            let facts = self.arena.facts(item);
            self.work.facts.push(facts);
        }
        if let Some(wins) = decide(&self.work.facts, first) {
            return Ok(Some(wins));
        }
        // 2. So may a move.
        self.work.children.clear();
        for at in 0..items.len() {
            if at > 0 && items[at - 1] == items[at] {
                continue;
            }
            let options = match items[at].term() {
                Term::Component(id) => self.options(id, first)?,
                Term::Value(value) => self.arena.value_options(value, first)?,
            };
            if self.moves_in(items, at, options, first)? {
                return Ok(Some(true));
            }
        }
        Ok(None)
    }

    /// The options of a component; those that are found now cost something.
    fn options(&mut self, id: ComponentId, first: Player) -> Result<Options, GaveUp> {
        let known = self.arena.common.components.get(id).options(first);
        let options = self.arena.options(id, first)?;
        if known.is_none() {
            self.work.effort += EFFORT_PER_OPTION * (1 + u64::from(options.len()));
        }
        Ok(options)
    }

    /// Makes the moves in one item; tells if one of them wins at once.
    fn moves_in(
        &mut self,
        items: &[Item],
        at: usize,
        mut options: Options,
        first: Player,
    ) -> Result<bool, GaveUp> {
        while let Some(option) = self.arena.common.lists.next(&mut options) {
            let mut after = std::mem::take(&mut self.work.scratch);
            after.clear();
            after.extend(self.arena.common.lists.items(option));
            after.extend_from_slice(&items[..at]);
            after.extend_from_slice(&items[at + 1..]);
            self.arena.interrupt.count(after.len());
            self.arena.check_interrupt()?;
            self.work.effort += EFFORT_PER_CHILD;
            self.arena.tidy(&mut after)?;
            let wins_at_once = self.weigh(&after, first)?;
            self.work.scratch = after;
            if wins_at_once {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Adds a child unless its result can be told; tells if the opponent loses it.
    fn weigh(&mut self, items: &[Item], moved: Player) -> Result<bool, GaveUp> {
        let found = self.table().find(items);
        if let Some(wins) = found.and_then(|id| self.table().result(id, !moved)) {
            return Ok(!wins);
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
            return Ok(!wins);
        }
        let sum = match found {
            Some(sum) => sum,
            None => self.table().intern(items)?,
        };
        let sign = if moved == Player::Left { 1 } else { -1 };
        self.work.children.push(Child {
            sum,
            promise: promise * sign,
            replies,
        });
        Ok(false)
    }

    /// Counts a node, and gives up when the budget is spent.
    pub(super) fn count_node(&mut self) -> Result<(), GaveUp> {
        let nodes = 1 + self.meter.nodes.fetch_add(1, Ordering::Relaxed);
        self.arena.effort_allowed += VALUES_PER_NODE;
        if nodes > self.nodes_allowed {
            return Err(GaveUp::Nodes);
        }
        if nodes.is_multiple_of(1024) {
            self.check_budget()?;
        }
        Ok(())
    }

    /// Gives up when time or memory is spent.
    pub(super) fn check_budget(&self) -> Result<(), GaveUp> {
        self.arena.interrupt.check(self.arena.common.bytes_used())
    }
}
