//! The search for the winner of a sum.

use super::arena::Arena;
use super::bounded::{self, Answer, BoundedSearch, Order};
use super::components::{ComponentId, Item, Term};
use super::facts::{Facts, decide};
use super::lists::Options;
use super::odds;
use super::packed::PackedSearch;
use super::plain::{self, MoveOrder, PlainSearch, WinSearch};
use super::proof::{self, Nodes, Proofs};
use super::table::SumId;
use super::values::EFFORT_PER_OPTION;
use super::{GaveUp, Solver};
use crate::game::{Game, Kind};
use crate::rules::Flow;
use crate::value::Player;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The effort allowed for values of small components for each node of the search.
const VALUES_PER_NODE: u64 = 150;

/// The cost of a sum after a move (normalising it, finding it in the table), in the units of
/// [`super::values`].
const EFFORT_PER_CHILD: u64 = 2;

/// Components with more moves of a player than this are not searched plainly: proof numbers guide
/// the search better there.
const MOST_PLAIN_MOVES: usize = 8;

/// The share of memory for plain searches, and the most bytes for one.
const PLAIN_SHARE: usize = 16;
const MOST_PLAIN_BYTES: usize = 256 << 20;

/// The share of memory for the table of a bounded search.
pub(super) const BOUNDED_SHARE: usize = 4;

/// In games whose parts seldom recur, the value of a single component of more than this size gets
/// only a small share of the effort. The search of a sum needs the values of its components more.
const HARD_SIZE: u32 = 24;
const HARD_SHARE: u64 = 16;

/// The effort of the first turn of the searches.
const FIRST_EFFORT: u64 = 10_000;

/// The effort for a single board before all other searches: enough for many small boards.
const BOARD_ALONE: u64 = 150_000;

/// The effort of a turn of the search of a single board: most of the time, because it is usually
/// faster than the other searches.
const BOARD_TURN: u64 = 15;

/// The other searches get this many times less effort beside it than elsewhere.
const BOARD_LEAD: u64 = 8;

/// The most effort of the other searches in a turn beside the search of a board: a board that they
/// have not solved by then is hard for them.
const MOST_BESIDE_BOARD: u64 = 10_000_000;

/// More effort for atomic weights is not tried: they are meant for games that divide into parts of
/// few shapes.
const MOST_WEIGHT_EFFORT: u64 = 4_000_000;

/// Searches of this effort are shared among threads.
pub(super) const SHARED_EFFORT: u64 = 250_000;

/// The cost of a search so far, counted by all threads that take part in it.
///
/// Relaxed is enough: each counter is read by itself and guards no other memory.
#[derive(Default)]
pub(super) struct SearchCost {
    pub nodes: AtomicU64,
    effort: AtomicU64,
}

/// Buffers of a search, kept between questions.
#[derive(Default)]
pub(crate) struct SearchBuffers {
    /// The sum being opened.
    items: Vec<Item>,
    /// Its children so far.
    children: Vec<Child>,
    scratch: Vec<Item>,
    facts: Vec<Facts>,
    /// The effort spent on it.
    effort: u64,
    /// The search pauses at this effort.
    pub(super) pause_at: u64,
}

/// A sum after a move, and estimates of the move.
struct Child {
    sum: SumId,
    estimate: i64,
    /// The effort to prove that the opponent loses.
    effort: u32,
}

impl SearchBuffers {
    /// Replaces an item by one of its options; true if that move wins at once.
    fn make_move(
        &mut self,
        arena: &mut Arena,
        option: impl Iterator<Item = Item>,
        items: &[Item],
        at: usize,
        moved: Player,
    ) -> Result<bool, GaveUp> {
        let mut after = std::mem::take(&mut self.scratch);
        after.clear();
        after.extend(option);
        after.extend_from_slice(&items[..at]);
        after.extend_from_slice(&items[at + 1..]);
        arena.interrupt.count(after.len());
        arena.check_interrupt()?;
        self.effort += EFFORT_PER_CHILD;
        arena.normalise_items(&mut after)?;
        let wins_at_once = self.add_child(arena, &after, moved)?;
        self.scratch = after;
        Ok(wins_at_once)
    }

    /// Adds a child unless its result is known; true if the opponent loses it.
    fn add_child(
        &mut self,
        arena: &mut Arena,
        items: &[Item],
        moved: Player,
    ) -> Result<bool, GaveUp> {
        let found = arena.common.table.find(items);
        if let Some(wins) = found.and_then(|id| arena.common.table.result(id, !moved)) {
            return Ok(!wins);
        }
        self.facts.clear();
        let (mut estimate, mut replies) = (0, 0);
        for &item in items {
            let facts = arena.facts(item);
            estimate += i64::from(facts.guess);
            replies += u32::from(facts.mobility[!moved as usize]);
            self.facts.push(facts);
        }
        if let Some(wins) = decide(&self.facts, !moved) {
            return Ok(!wins);
        }
        let verdict = arena.judge_by_pairs(items, !moved);
        if let Some(wins) = verdict.wins {
            return Ok(!wins);
        }
        let sum = match found {
            Some(sum) => sum,
            None => arena.common.table.intern(items)?,
        };
        let sign = if moved == Player::Left { 1 } else { -1 };
        self.children.push(Child {
            sum,
            estimate: estimate * sign,
            effort: odds::effort_to_refute(&self.facts, verdict.lacking, !moved, replies)
                .unwrap_or_else(|| effort_to_refute(arena, items, replies)),
        });
        Ok(false)
    }
}

/// An estimate of the effort to prove that the mover loses a sum with this number of moves: in a
/// single component as its rules estimate it, otherwise one for each move.
fn effort_to_refute(arena: &Arena, items: &[Item], moves: u32) -> u32 {
    if let [item] = items
        && let Term::Component(id) = item.term()
    {
        let kind = arena.common.components.get(id).kind();
        kind.rules().effort(moves)
    } else {
        moves
    }
}

impl Nodes for Solver {
    fn proofs(&self) -> &Proofs {
        &self.arena.common.table.proofs
    }

    fn open(&mut self, node: u32) -> Result<Option<bool>, GaveUp> {
        self.count_node()?;
        let (sum, first) = SumId::of_node(node);
        let found = self.expand(sum, first);
        let effort = std::mem::take(&mut self.buffers.effort);
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
        self.cost.effort.load(Ordering::Relaxed) > self.buffers.pause_at
    }

    fn check_interrupt(&self) -> Result<(), GaveUp> {
        self.arena.interrupt.check_time()
    }
}

impl Solver {
    /// Decides whether `first` wins this sum, moving first.
    ///
    /// When the tables are full, a search that needs no further memory continues.
    pub(super) fn solve(&mut self, root: SumId, first: Player) -> Result<bool, GaveUp> {
        if let Some(wins) = self.table().result(root, first) {
            return Ok(wins);
        }
        match self.solve_by_turns(root, first) {
            Err(GaveUp::Bytes) => self.solve_within_memory(root, first),
            solved => solved,
        }
    }

    /// Alternates between values and three searches with increasing effort: components that are
    /// simple enough are evaluated, the others are searched.
    fn solve_by_turns(&mut self, root: SumId, first: Player) -> Result<bool, GaveUp> {
        let mut games = self.games(root).filter(|_| self.values_at_root);
        let mut effort = FIRST_EFFORT;
        let mut plain = None;
        let mut most = u64::MAX;
        loop {
            self.check_budget()?;
            let has_board = games
                .as_ref()
                .is_some_and(|games| self.choose_bounded(games, first, bounded::board_search));
            let others = if has_board {
                self.beside_board(effort).min(most)
            } else {
                effort
            };
            if has_board
                && effort == FIRST_EFFORT
                && let Answer::Wins(wins) = self.search_bounded(root, first, BOARD_ALONE)?
            {
                return Ok(wins);
            }
            let root = self.replace_by_values(root, others)?;
            self.weigh(root, 4 * others);
            if let Some(wins) = self.sum_of_values(root, first, others) {
                return Ok(wins);
            }
            if let Some(wins) = self.search(root, first, 5 * others)? {
                return Ok(wins);
            }
            if let Some(wins) = self.search_plainly(root, first, 4 * others, &mut plain)? {
                return Ok(wins);
            }
            if has_board {
                match self.search_bounded(root, first, self.board_turn(effort))? {
                    Answer::Wins(wins) => return Ok(wins),
                    Answer::Unknown => most = self.most_beside_board(),
                    Answer::Unsuitable => games = None,
                }
            }
            effort = effort.saturating_mul(4);
        }
    }

    /// Searches with a table of fixed size until the sum is decided, or time or nodes are spent.
    fn solve_within_memory(&mut self, root: SumId, first: Player) -> Result<bool, GaveUp> {
        let games = self.games(root).ok_or(GaveUp::Bytes)?;
        if !self.choose_bounded(&games, first, bounded::board_search)
            && !self.choose_bounded(&games, first, bounded::sum_search)
        {
            return Err(GaveUp::Bytes);
        }
        loop {
            match self.search_bounded(root, first, u64::MAX)? {
                Answer::Wins(wins) => return Ok(wins),
                Answer::Unsuitable => return Err(GaveUp::Bytes),
                Answer::Unknown if self.plain_effort_allowed() == 0 => return Err(GaveUp::Nodes),
                Answer::Unknown => {}
            }
        }
    }

    /// Keeps the last bounded search if it can answer this question, or makes a new one.
    fn choose_bounded(
        &mut self,
        games: &[Game],
        first: Player,
        new: impl Fn(&[Game], usize) -> Option<Box<dyn BoundedSearch>>,
    ) -> bool {
        let kinds: Vec<Kind> = games.iter().map(|game| game.kind).collect();
        let known = self.bounded.take().filter(|(of, _)| *of == kinds);
        if let Some((_, mut search)) = known
            && search.ask(games, first)
        {
            self.bounded = Some((kinds, search));
            return true;
        }
        let bytes = self.bounded_bytes;
        let Some(mut search) = new(games, bytes).filter(|_| bytes > 0) else {
            return false;
        };
        let fits = search.ask(games, first);
        self.bounded = Some((kinds, search)).filter(|_| fits);
        fits
    }

    /// Continues the bounded search with this effort.
    fn search_bounded(
        &mut self,
        root: SumId,
        first: Player,
        effort: u64,
    ) -> Result<Answer, GaveUp> {
        let effort = effort.min(self.plain_effort_allowed());
        let Some((_, search)) = &mut self.bounded else {
            return Ok(Answer::Unsuitable);
        };
        let found = search.wins(effort, &mut self.arena.interrupt);
        let nodes = search.take_nodes();
        self.add_nodes(nodes);
        let answer = found?;
        if let Answer::Wins(wins) = answer {
            self.proofs().prove(root.node(first), wins);
            self.proven(root.node(first), wins);
        }
        Ok(answer)
    }

    /// The games of a sum that has no values.
    fn games(&self, root: SumId) -> Option<Vec<Game>> {
        let item = |item: Item| match item.term() {
            Term::Component(id) => {
                let component = self.arena.common.components.get(id);
                let mut position = Vec::new();
                component.position(&mut position);
                let kind = component.kind();
                Some(Game { kind, position })
            }
            Term::Value(_) => None,
        };
        self.table().items(root).map(item).collect()
    }

    /// Searches a single component with few moves depth first, in either order of the moves.
    fn search_plainly(
        &mut self,
        root: SumId,
        first: Player,
        effort: u64,
        plain: &mut Option<Box<dyn WinSearch>>,
    ) -> Result<Option<bool>, GaveUp> {
        if plain.is_none() {
            *plain = self.plain_search(root);
        }
        let Some(search) = plain else {
            return Ok(None);
        };
        for order in [MoveOrder::Forward, MoveOrder::Backward] {
            let effort = effort.min(self.plain_effort_allowed());
            let found = search.wins(first, effort, order, &mut self.arena.interrupt);
            self.add_nodes(search.take_nodes());
            if let Some(wins) = found? {
                self.proofs().prove(root.node(first), wins);
                self.proven(root.node(first), wins);
                return Ok(Some(wins));
            }
        }
        Ok(None)
    }

    /// The effort of a plain search of as many positions as the budget allows.
    pub(super) fn plain_effort_allowed(&self) -> u64 {
        let spent = self.cost.nodes.load(Ordering::Relaxed);
        let nodes = self.nodes_allowed.saturating_sub(spent);
        nodes.saturating_mul(plain::EFFORT_PER_POSITION)
    }

    /// Counts the nodes of a plain search.
    pub(super) fn add_nodes(&self, nodes: u64) {
        self.cost.nodes.fetch_add(nodes, Ordering::Relaxed);
    }

    /// A plain search of a sum that is a single component with few moves.
    fn plain_search(&mut self, root: SumId) -> Option<Box<dyn WinSearch>> {
        let items: Vec<Item> = self.table().items(root).collect();
        let &[item] = &items[..] else {
            return None;
        };
        let Term::Component(id) = item.term() else {
            return None;
        };
        let (kind, position, bytes) = self.plain_position(id)?;
        Some(match kind.rules().packed(&position) {
            Some((board, start)) if !kind.is_wrapped() => {
                Box::new(PackedSearch::new(board, start, bytes))
            }
            _ => Box::new(PlainSearch::new(kind, &position, bytes)),
        })
    }

    /// The position of a component that may be searched plainly, and the bytes for that.
    pub(super) fn plain_position(&mut self, id: ComponentId) -> Option<(Kind, Vec<u8>, usize)> {
        let component = self.arena.common.components.get(id);
        let kind = component.kind();
        let mut position = Vec::new();
        component.position(&mut position);
        let moves = kind.rules().mobility(&position);
        let few = moves.iter().all(|&count| count <= MOST_PLAIN_MOVES);
        let bytes = (self.budget.bytes / PLAIN_SHARE).min(MOST_PLAIN_BYTES);
        (few && self.values_at_root).then_some((kind, position, bytes))
    }

    /// Replaces components by their values where that takes no more than this effort.
    fn replace_by_values(&mut self, root: SumId, effort: u64) -> Result<SumId, GaveUp> {
        let mut items: Vec<Item> = self.table().items(root).collect();
        let valued = self.values_at_root;
        let is_single = items.len() == 1;
        for item in items.iter_mut().filter(|_| valued) {
            self.check_budget()?;
            if let Term::Component(id) = item.term() {
                let share = if is_single { self.value_share(id) } else { 1 };
                let value = self.arena.uncounted_value(id, effort / share);
                *item = value.map_or(*item, Item::value);
            }
        }
        self.arena.normalise_items(&mut items)?;
        self.table().intern(&items)
    }

    /// Finds the atomic weights of components and all that can arise from them, where that takes no
    /// more than this effort.
    fn weigh(&mut self, root: SumId, effort: u64) {
        if effort > MOST_WEIGHT_EFFORT || !self.values_at_root {
            return;
        }
        let items: Vec<Item> = self.table().items(root).collect();
        for item in items {
            if let Term::Component(id) = item.term() {
                self.arena.weigh(id, effort);
            }
        }
    }

    /// The part of the effort of other searches that is spent on the value of a single component.
    fn value_share(&self, id: ComponentId) -> u64 {
        let component = self.arena.common.components.get(id);
        let is_hard = component.kind().rules().seldom_recurs() && component.size() > HARD_SIZE;
        if is_hard { HARD_SHARE } else { 1 }
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

    /// Returns whether `first` wins, if the bounds of the items decide that.
    pub(super) fn decided_by_bounds(&mut self, items: &[Item], first: Player) -> Option<bool> {
        let facts: Vec<Facts> = items.iter().map(|&item| self.arena.facts(item)).collect();
        decide(&facts, first)
    }

    /// Searches with this effort, on many threads if it is large.
    fn search(&mut self, root: SumId, first: Player, effort: u64) -> Result<Option<bool>, GaveUp> {
        let root = root.node(first);
        self.pause_after(self.turn(effort));
        match self.workers.clone() {
            Some(workers) if effort >= SHARED_EFFORT => {
                self.prove_parallel(&*workers, root, |search, helper| search.run(helper))
            }
            _ => proof::prove(self, root),
        }
    }

    /// The effort of a turn of the search of a board, which has one thread. By proof numbers all
    /// threads search already; a search depth first gets as much as all of them.
    fn board_turn(&self, effort: u64) -> u64 {
        let effort = BOARD_TURN * effort;
        match &self.bounded {
            Some((_, search)) if search.order() == Order::BestScore => self.turn(effort),
            _ => effort,
        }
    }

    /// The most effort of the other searches in a turn. On several threads they are faster than a
    /// search by proof numbers on one.
    fn most_beside_board(&self) -> u64 {
        match &self.bounded {
            Some((_, search)) if self.workers.is_some() && search.order() != Order::BestScore => {
                u64::MAX
            }
            _ => MOST_BESIDE_BOARD,
        }
    }

    /// The effort of the other searches in a turn beside the search of a board. Turns on many threads
    /// keep all of it: only the other searches use the threads.
    fn beside_board(&self, effort: u64) -> u64 {
        if self.workers.is_some() && effort >= SHARED_EFFORT {
            effort
        } else {
            effort / BOARD_LEAD
        }
    }

    /// The effort of a turn: many threads together spend as much time as one.
    fn turn(&self, effort: u64) -> u64 {
        match &self.workers {
            Some(workers) if effort >= SHARED_EFFORT => {
                effort.saturating_mul(workers.threads() as u64)
            }
            _ => effort,
        }
    }

    /// Lets the search pause after this much more effort.
    pub(super) fn pause_after(&mut self, effort: u64) {
        let spent = self.cost.effort.load(Ordering::Relaxed);
        self.buffers.pause_at = spent.saturating_add(effort);
    }

    /// Counts effort.
    pub(super) fn spend(&mut self, effort: u64) {
        self.cost.effort.fetch_add(effort, Ordering::Relaxed);
    }

    /// Sets the children of a sum, or returns its result if no search is needed.
    fn expand(&mut self, sum: SumId, first: Player) -> Result<Option<bool>, GaveUp> {
        let mut items = std::mem::take(&mut self.buffers.items);
        items.clear();
        items.extend(self.table().items(sum));
        let result = self.make_moves(&items, first)?;
        self.buffers.items = items;
        if result.is_some() {
            return Ok(result);
        }
        // Each sum once, best estimate first.
        let children = &mut self.buffers.children;
        children.sort_unstable_by_key(|child| (child.sum, child.estimate));
        children.dedup_by_key(|child| child.sum);
        children.sort_by_key(|child| -child.estimate);
        let children = self.buffers.children.iter();
        let children = children.map(|child| (child.sum.node(!first), child.effort));
        self.proofs().set_children(sum.node(first), children)?;
        Ok(None)
    }

    /// Makes the moves in each distinct item, unless the result is known before.
    fn make_moves(&mut self, items: &[Item], first: Player) -> Result<Option<bool>, GaveUp> {
        // 1. The bounds of the items may decide.
        self.buffers.facts.clear();
        for &item in items {
            self.arena.check_interrupt()?;
            let facts = self.arena.facts(item);
            self.buffers.facts.push(facts);
        }
        if let Some(wins) = decide(&self.buffers.facts, first) {
            return Ok(Some(wins));
        }
        // 2. The rules may see a move that wins. In sums they would look again and again at the same
        // components, whose options are known.
        if let [item] = items
            && self.arena.has_winning_move(*item, first)
        {
            return Ok(Some(true));
        }
        // 3. A move may win at once.
        self.buffers.children.clear();
        for at in 0..items.len() {
            if at > 0 && items[at - 1] == items[at] {
                continue;
            }
            let wins_at_once = match items[at].term() {
                Term::Component(id) => self.moves_in_component(items, at, id, first)?,
                Term::Value(value) => {
                    let options = self.arena.value_options(value, first)?;
                    self.moves_in(items, at, options, first)?
                }
            };
            if wins_at_once {
                return Ok(Some(true));
            }
        }
        Ok(None)
    }

    /// Makes the moves in a component; true if one of them wins at once. If its options are not
    /// known, they are only computed up to that one.
    fn moves_in_component(
        &mut self,
        items: &[Item],
        at: usize,
        id: ComponentId,
        first: Player,
    ) -> Result<bool, GaveUp> {
        if let Some(list) = self.arena.common.components.get(id).options(first) {
            let options = self.arena.common.lists.options(list);
            return self.moves_in(items, at, options, first);
        }
        let Solver { arena, buffers, .. } = self;
        buffers.effort += EFFORT_PER_OPTION;
        let mut wins_at_once = false;
        arena.compute_options(id, first, |arena, option| {
            buffers.effort += EFFORT_PER_OPTION;
            wins_at_once = buffers.make_move(arena, option.iter().copied(), items, at, first)?;
            Ok(if wins_at_once {
                Flow::Break(())
            } else {
                Flow::Continue(())
            })
        })?;
        Ok(wins_at_once)
    }

    /// Makes the moves in one item; true if one of them wins at once.
    fn moves_in(
        &mut self,
        items: &[Item],
        at: usize,
        mut options: Options,
        first: Player,
    ) -> Result<bool, GaveUp> {
        let Solver { arena, buffers, .. } = self;
        let common = Arc::clone(&arena.common);
        while let Some(option) = common.lists.next(&mut options) {
            if buffers.make_move(arena, common.lists.items(option), items, at, first)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Counts a node, and gives up when the budget is spent.
    pub(super) fn count_node(&mut self) -> Result<(), GaveUp> {
        let nodes = 1 + self.cost.nodes.fetch_add(1, Ordering::Relaxed);
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
