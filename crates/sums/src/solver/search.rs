//! The search: who wins a sum, moving first.

use super::components::{Item, Term};
use super::facts::{Facts, decide};
use super::proof::{self, Nodes, Proofs};
use super::{GaveUp, SumId};
use crate::value::Player;

/// What may be spent on values for each sum that is searched: about as much as the search itself.
pub(super) const EFFORT_PER_NODE: u64 = 150;

/// Searches of so many nodes are worth being shared among threads.
const WORTH_SHARING: u64 = 1_500;

/// Storage of a search, kept between questions.
#[derive(Default)]
pub(crate) struct Work {
    /// The moves found so far for the sum that is being opened.
    children: Vec<Child>,
    scratch: Vec<Item>,
    facts: Vec<Facts>,
    pub(super) proofs: Proofs,
    /// The search pauses after this node.
    last_node: u64,
}

/// A sum after a move, and how promising the move is.
struct Child {
    sum: SumId,
    promise: i64,
    replies: u32,
}

impl Work {
    pub fn bytes_used(&self) -> usize {
        self.children.capacity() * size_of::<Child>() + self.proofs.bytes_used()
    }

    /// Does this player win the sum, moving first? None if it is not known.
    #[inline]
    pub(super) fn result(&self, sum: SumId, first: Player) -> Option<bool> {
        self.proofs.result(node(sum, first))
    }
}

/// The node of a sum with a player to move.
#[inline]
pub(super) fn node(sum: SumId, first: Player) -> u32 {
    sum.0 << 1 | first as u32
}

impl Nodes for super::Solver {
    fn proofs(&mut self) -> &mut Proofs {
        &mut self.work.proofs
    }

    fn open(&mut self, node: u32) -> Result<Option<bool>, GaveUp> {
        self.count_node()?;
        let first = Player::BOTH[node as usize & 1];
        self.expand(SumId(node >> 1), first)
    }

    fn proven(&mut self, node: u32, wins: bool) {
        if let [item] = *self.table.items(SumId(node >> 1))
            && let Term::Component(id) = item.term()
        {
            self.arena.prove(id, Player::BOTH[node as usize & 1], wins);
        }
    }

    fn pause(&self) -> bool {
        self.nodes > self.work.last_node
    }
}

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
    pub(super) fn sum_of_values(
        &mut self,
        root: SumId,
        first: Player,
        effort: u64,
    ) -> Option<bool> {
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

    /// Who wins, where bounds of the items tell.
    pub(super) fn told_by_facts(&mut self, items: &[Item], first: Player) -> Option<bool> {
        let facts: Vec<Facts> = items.iter().map(|&item| self.arena.facts(item)).collect();
        decide(&facts, first)
    }

    /// Searches at most so many nodes.
    fn search(&mut self, root: SumId, first: Player, nodes: u64) -> Result<Option<bool>, GaveUp> {
        self.work.last_node = self.nodes.saturating_add(nodes);
        let root = node(root, first);
        match self.crew.clone() {
            Some(crew) if nodes >= WORTH_SHARING => self.prove_together(&*crew, root),
            _ => proof::prove(self, root),
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
        let kids = children
            .iter()
            .map(|child| (node(child.sum, !first), child.replies));
        self.work.proofs.set_children(node(sum, first), kids);
        self.work.children = children;
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
        self.arena.look_up()?;
        self.arena.tidy(&mut option)?;
        let wins_at_once = self.weigh(&option, first);
        self.work.scratch = option;
        Ok(wins_at_once)
    }

    /// Adds a child unless its result can be told; tells if the opponent loses it.
    fn weigh(&mut self, items: &[Item], moved: Player) -> bool {
        let found = self.table.find(items);
        if let Some(wins) = found.and_then(|id| self.work.result(id, !moved)) {
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

    /// Some table has used up its numbers.
    fn is_full(&self) -> bool {
        self.arena.components.is_full()
            || self.table.is_full()
            || self.work.proofs.is_full()
            || self.nims.is_full()
    }

    /// Gives up when time or memory is spent.
    pub(super) fn check_budget(&self) -> Result<(), GaveUp> {
        if self.is_full() {
            return Err(GaveUp::Bytes);
        }
        self.arena.patience.check(self.bytes_used())
    }
}
