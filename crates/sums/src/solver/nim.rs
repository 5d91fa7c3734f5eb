//! Nim values of impartial components, after Lemoine and Viennot.
//!
//! Instead of computing the values of all options, the search decides whether a component has a
//! given value `n`, that is whether the mover loses the sum of the component and a heap of `n`.
//! This holds if no option has the value `n` and the component has no smaller value. If an option
//! consists of several parts, then all but the largest are evaluated, so that every question is
//! about one component. Proof-number search answers the questions.

use super::components::{ComponentId, Item, Term};
use super::lists::OptionAt;
use super::packed::PackedNim;
use super::plain::PlainNim;
use super::proof::{self, Nodes, Proofs};
use super::search::SHARED_EFFORT;
use super::table::SumId;
use super::values::EFFORT_PER_OPTION;
use super::{GaveUp, Solver, Workers};
use crate::game::Game;
use crate::value::{Nus, Player, Value};
use std::sync::Arc;

/// The effort for questions before the first plain search.
const FIRST_EFFORT: u64 = 3_000;

/// The effort for a plain search.
const PLAIN_EFFORT: u64 = 20_000_000;

/// Options of several parts are rare if they are fewer than one in this many.
const RARE: u64 = 3;

/// Nested questions allowed: each takes a few hundred bytes of stack.
const MAX_DEPTH: usize = 2_500;

/// Excluded nim values are listed below this one.
const MAX_EXCLUDED: u64 = 64;

/// When a component has none of the nim values below `n`, components of this size get their values
/// from those of all their options. Otherwise questions about 0 and 1 are cheaper.
fn small_size(n: u64) -> u32 {
    match n {
        0 | 1 => 0,
        2 => 8,
        _ => 10,
    }
}

/// The value of an option, as far as the values of its parts are known.
enum Parts {
    /// The whole value.
    Exact(u64),
    /// The value of one part is not known; the others add up to this.
    One(ComponentId, u64),
    /// The values of several parts are not known.
    Many,
}

impl Solver {
    /// The nim value of an impartial sum; `None` if a component is partisan.
    pub fn nim_value(&mut self, sum: &[Game]) -> Result<Option<u64>, GaveUp> {
        if sum.iter().any(|game| !game.kind.is_impartial()) {
            return Ok(None);
        }
        self.start();
        let mut items = Vec::new();
        for game in sum {
            self.arena
                .split_into(game.kind, &game.position, &mut items)?;
        }
        let mut total = 0;
        for item in items {
            total ^= self.nim_of_item(item)?;
        }
        Ok(Some(total))
    }

    /// Replaces impartial components by their nim values.
    pub(super) fn replace_impartial(&mut self, items: &mut [Item]) -> Result<(), GaveUp> {
        for item in items {
            if let Term::Component(id) = item.term()
                && self.arena.common.components.get(id).kind().is_impartial()
            {
                let nimber = self.nim_of_component(id)?;
                *item = self.heap(nimber)?;
            }
        }
        Ok(())
    }

    /// Like [`Solver::replace_impartial`], if all nim values are known; `None` otherwise.
    pub(super) fn replace_known_impartial(&mut self, items: &mut [Item]) -> Option<()> {
        for item in items {
            if let Term::Component(id) = item.term()
                && self.arena.common.components.get(id).kind().is_impartial()
            {
                *item = self.heap(self.nim(id)?).ok()?;
            }
        }
        Some(())
    }

    /// Nim values that an impartial sum is proven not to have, while its value is not known.
    ///
    /// ```
    /// use gametree_sums::{Budget, Game, Solver};
    /// let mut solver = Solver::new(Budget::default().with_nodes(200));
    /// let sum = [Game::parse("impartial domineering", "....|....|....|....|....")?];
    /// assert!(solver.nim_value(&sum).is_err());
    /// assert!(!solver.excluded_nim_values(&sum).contains(&2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn excluded_nim_values(&mut self, sum: &[Game]) -> Vec<u64> {
        let mut items = Vec::new();
        for game in sum {
            let split = self.arena.split_into(game.kind, &game.position, &mut items);
            if split.is_err() || !game.kind.is_impartial() {
                return Vec::new();
            }
        }
        let (mut rest, mut open) = (0, Vec::new());
        for item in items {
            match item.term() {
                Term::Value(value) => rest ^= self.nimber(value),
                Term::Component(id) => match self.nim(id) {
                    Some(exact) => rest ^= exact,
                    None => open.push(id),
                },
            }
        }
        let [open] = open[..] else {
            return Vec::new();
        };
        let mut values: Vec<u64> = (0..MAX_EXCLUDED)
            .filter(|&n| self.has_nim(open, n).ok() == Some(Some(false)))
            .map(|n| n ^ rest)
            .collect();
        values.sort_unstable();
        values
    }

    /// The nim value of a component, if it is known.
    fn nim(&self, id: ComponentId) -> Option<u64> {
        self.arena.common.components.get(id).nim()
    }

    /// Returns whether a component has the nim value `n`; `None` if that is not known.
    fn has_nim(&self, id: ComponentId, n: u64) -> Result<Option<bool>, GaveUp> {
        if let Some(exact) = self.nim(id) {
            return Ok(Some(exact == n));
        }
        let found = self.with_heap(id, n, |items| self.table().find(items))?;
        let wins = found.and_then(|sum| self.table().result(sum, Player::Left));
        Ok(wins.map(|wins| !wins))
    }

    /// The node of the question whether a component has the value `n`.
    fn nim_node(&self, id: ComponentId, n: u64) -> Result<u32, GaveUp> {
        let sum = self.with_heap(id, n, |items| self.table().intern(items))??;
        Ok(sum.node(Player::Left))
    }

    /// Calls `visit` with the sum of a component and a heap of `n`.
    fn with_heap<T>(
        &self,
        id: ComponentId,
        n: u64,
        visit: impl FnOnce(&[Item]) -> T,
    ) -> Result<T, GaveUp> {
        let component = Item::component(id);
        if n == 0 {
            return Ok(visit(&[component]));
        }
        let mut items = [component, self.heap(n)?];
        items.sort_unstable();
        Ok(visit(&items))
    }

    /// A heap of `n`.
    fn heap(&self, n: u64) -> Result<Item, GaveUp> {
        Ok(Item::value(self.arena.common.forms().nus(Nus::nimber(n))?))
    }

    /// The component and the nim value of the question at a node.
    fn nim_question(&self, node: u32) -> Option<(ComponentId, u64)> {
        let (mut component, mut heap) = (None, 0);
        for item in self.table().items(SumId::of_node(node).0) {
            match item.term() {
                Term::Component(id) => component = Some(id),
                Term::Value(value) => heap = self.nimber(value),
            }
        }
        component.map(|id| (id, heap))
    }

    /// Stores that a component has none of the nim values whose bits are set.
    pub(super) fn exclude_nims(&self, id: ComponentId, excluded: u64) -> Result<(), GaveUp> {
        for n in (0..MAX_EXCLUDED).filter(|n| excluded >> n & 1 == 1) {
            let node = self.nim_node(id, n)?;
            self.proofs().prove(node, true);
        }
        Ok(())
    }

    fn nim_of_item(&mut self, item: Item) -> Result<u64, GaveUp> {
        match item.term() {
            Term::Component(id) => self.nim_of_component(id),
            Term::Value(value) => Ok(self.nimber(value)),
        }
    }

    fn nimber(&self, value: Value) -> u64 {
        self.arena
            .common
            .forms()
            .as_nus(value)
            .map_or(0, |nus| nus.nimber)
    }

    /// The nim value of one component.
    fn nim_of_component(&mut self, id: ComponentId) -> Result<u64, GaveUp> {
        if let Some(exact) = self.easy_nim(id)? {
            return Ok(exact);
        }
        if self.nim_depth == MAX_DEPTH {
            return Err(GaveUp::Depth);
        }
        // Restored also after giving up, so that the next search starts at the right depth.
        self.nim_depth += 1;
        let found = self.first_nim(id);
        self.nim_depth -= 1;
        found
    }

    /// Tries the values 0, 1, 2 and so on.
    fn first_nim(&mut self, id: ComponentId) -> Result<u64, GaveUp> {
        let mut n = 0;
        let mut plain_tried = false;
        if self.nim_depth == 1 {
            self.nim_size = 0;
        }
        while !self.nim_is(id, n, &mut plain_tried)? {
            n += 1;
            if self.nim_depth == 1 {
                self.nim_size = small_size(n);
            }
        }
        Ok(n)
    }

    /// Decides whether the component has the nim value `n`.
    fn nim_is(&mut self, id: ComponentId, n: u64, plain_tried: &mut bool) -> Result<bool, GaveUp> {
        if let Some(known) = self.has_nim(id, n)? {
            return Ok(known);
        }
        let node = self.nim_node(id, n)?;
        if self.nim_depth <= 1 && !*plain_tried {
            match self.prove_nim_quickly(id, n, node)? {
                Some(mover_wins) => return Ok(!mover_wins),
                None => *plain_tried = true,
            }
        }
        let mover_wins = match self.workers.clone() {
            Some(workers) if self.nim_depth <= 1 => self.prove_nim_parallel(&*workers, node)?,
            _ => proof::prove(&mut Questions::without_pause(self), node)?,
        };
        Ok(mover_wins == Some(false))
    }

    /// Searches for a short time, then plainly if options rarely consist of several parts.
    fn prove_nim_quickly(
        &mut self,
        id: ComponentId,
        n: u64,
        node: u32,
    ) -> Result<Option<bool>, GaveUp> {
        self.pause_after(FIRST_EFFORT);
        let mut questions = Questions::with_pause(self);
        let found = proof::prove(&mut questions, node)?;
        let parts_are_rare = questions.divided * RARE < questions.options;
        if found.is_some() || !parts_are_rare {
            return Ok(found);
        }
        Ok(self.plain_nim(id)?.map(|value| value != n))
    }

    /// The nim value of a component with few moves, from those of all its positions.
    fn plain_nim(&mut self, id: ComponentId) -> Result<Option<u64>, GaveUp> {
        let Some((kind, position, bytes)) = self.plain_position(id) else {
            return Ok(None);
        };
        let effort = PLAIN_EFFORT.min(self.plain_effort_allowed());
        let limits = &mut self.arena.interrupt;
        let (found, nodes) = match kind.rules().packed(&position) {
            Some((board, start)) => {
                let mut search = PackedNim::new(board, start, bytes);
                (search.nim_value(effort, limits), search.nodes())
            }
            None => {
                let mut search = PlainNim::new(kind, &position, bytes);
                (search.nim_value(effort, limits), search.nodes())
            }
        };
        self.add_nodes(nodes);
        let value = found?;
        if let Some(value) = value {
            self.arena.common.components.get(id).set_nim(value);
        }
        Ok(value)
    }

    /// Searches on one thread first, then on all.
    fn prove_nim_parallel(
        &mut self,
        workers: &dyn Workers,
        node: u32,
    ) -> Result<Option<bool>, GaveUp> {
        self.pause_after(SHARED_EFFORT);
        match proof::prove(&mut Questions::with_pause(self), node)? {
            None => self.prove_parallel(workers, node, |search, helper| {
                search.run(&mut Questions::without_pause(helper))
            }),
            found => Ok(found),
        }
    }

    /// Evaluates all parts of an option except the largest. Returns that part, and the nim value of
    /// the others.
    fn evaluate_parts(&mut self, option: OptionAt) -> Result<(Option<ComponentId>, u64), GaveUp> {
        loop {
            match self.parts(option)? {
                Parts::Exact(value) => return Ok((None, value)),
                Parts::One(part, rest) => return Ok((Some(part), rest)),
                Parts::Many => {
                    if let Some(part) = self.smallest_open_part(option) {
                        self.nim_of_component(part)?;
                    }
                }
            }
        }
    }

    fn parts(&mut self, option: OptionAt) -> Result<Parts, GaveUp> {
        let common = Arc::clone(&self.arena.common);
        let mut total = 0;
        let mut open = None;
        for item in common.lists.items(option) {
            match item.term() {
                Term::Value(value) => total ^= self.nimber(value),
                Term::Component(part) => match (self.easy_nim(part)?, open) {
                    (Some(exact), _) => total ^= exact,
                    (None, None) => open = Some(part),
                    (None, Some(_)) => return Ok(Parts::Many),
                },
            }
        }
        Ok(open.map_or(Parts::Exact(total), |part| Parts::One(part, total)))
    }

    /// The nim value of a component that is known or small.
    fn easy_nim(&mut self, id: ComponentId) -> Result<Option<u64>, GaveUp> {
        let component = self.arena.common.components.get(id);
        match component.nim() {
            None if component.size() <= self.nim_size => self.small_nim(id).map(Some),
            known => Ok(known),
        }
    }

    /// The nim value of a small component: the least that no option has. Small components recur in
    /// many sums, with questions about all their values.
    fn small_nim(&mut self, id: ComponentId) -> Result<u64, GaveUp> {
        self.count_node()?;
        let common = Arc::clone(&self.arena.common);
        let mut options = self.arena.options(id, Player::Left)?;
        self.spend(EFFORT_PER_OPTION * u64::from(options.len()));
        let mut values = Vec::with_capacity(options.len() as usize);
        while let Some(option) = common.lists.next(&mut options) {
            let mut total = 0;
            for item in common.lists.items(option) {
                total ^= match item.term() {
                    Term::Value(value) => self.nimber(value),
                    Term::Component(part) => match self.easy_nim(part)? {
                        Some(nim) => nim,
                        None => self.nim_of_component(part)?,
                    },
                };
            }
            values.push(total);
        }
        values.sort_unstable();
        values.dedup();
        let nim = (0..)
            .zip(&values)
            .take_while(|&(n, &value)| n == value)
            .count() as u64;
        common.components.get(id).set_nim(nim);
        Ok(nim)
    }

    fn smallest_open_part(&self, option: OptionAt) -> Option<ComponentId> {
        let items = self.arena.common.lists.items(option);
        let open = items.filter_map(|item| match item.term() {
            Term::Component(part) if self.nim(part).is_none() => Some(part),
            _ => None,
        });
        open.min_by_key(|&part| self.arena.common.components.get(part).size())
    }
}

/// The search for nim values: the mover wins a question if the answer is no.
struct Questions<'a> {
    solver: &'a mut Solver,
    /// The search does not pause.
    without_pause: bool,
    /// Options of opened questions, and how many of them consist of several parts.
    options: u64,
    divided: u64,
}

/// The questions that follow from a question by a move.
struct FollowUps {
    /// Nodes of open questions, each with an estimate of its difficulty.
    open: Vec<(u32, u32)>,
    /// The answer to one of them is yes.
    yes: bool,
}

impl Questions<'_> {
    fn without_pause(solver: &mut Solver) -> Questions<'_> {
        Questions {
            without_pause: true,
            ..Questions::with_pause(solver)
        }
    }

    fn with_pause(solver: &mut Solver) -> Questions<'_> {
        Questions {
            solver,
            without_pause: false,
            options: 0,
            divided: 0,
        }
    }

    /// Adds the question whether a component has the nim value `n`.
    fn add_question(
        &mut self,
        id: ComponentId,
        n: u64,
        follow_ups: &mut FollowUps,
    ) -> Result<(), GaveUp> {
        if let Some(exact) = self.solver.nim(id) {
            follow_ups.yes |= exact == n;
            return Ok(());
        }
        let node = self.solver.nim_node(id, n)?;
        match self.proofs().result(node) {
            Some(mover_wins) => follow_ups.yes |= !mover_wins,
            None => {
                let moves = self.solver.arena.facts(Item::component(id)).mobility[0];
                let heap = u32::try_from(n).unwrap_or(u32::MAX);
                let guess = u32::from(moves).saturating_add(heap);
                follow_ups.open.push((node, guess));
            }
        }
        Ok(())
    }

    /// Adds the question whether an option has the nim value `n`.
    fn add_option_question(
        &mut self,
        option: OptionAt,
        n: u64,
        follow_ups: &mut FollowUps,
    ) -> Result<(), GaveUp> {
        match self.solver.evaluate_parts(option)? {
            (None, value) => follow_ups.yes |= value == n,
            (Some(part), rest) => self.add_question(part, n ^ rest, follow_ups)?,
        }
        Ok(())
    }
}

impl Nodes for Questions<'_> {
    fn proofs(&self) -> &Proofs {
        self.solver.proofs()
    }

    fn open(&mut self, node: u32) -> Result<Option<bool>, GaveUp> {
        self.solver.count_node()?;
        let (id, n) = self
            .solver
            .nim_question(node)
            .ok_or(GaveUp::Contradiction)?;
        // 1. Options with at most one open part first: they are quick to decide.
        let mut options = self.solver.arena.options(id, Player::Left)?;
        self.solver
            .spend(EFFORT_PER_OPTION * u64::from(options.len()));
        let count = options.len() as usize;
        let (mut simple, mut waiting) = (Vec::with_capacity(count), Vec::new());
        while let Some(option) = self.solver.arena.common.lists.next(&mut options) {
            self.options += 1;
            self.divided += u64::from(self.solver.arena.common.lists.items(option).len() > 1);
            match self.solver.parts(option)? {
                Parts::Many => waiting.push(option),
                _ => simple.push(option),
            }
        }
        let mut follow_ups = FollowUps {
            open: Vec::with_capacity(count),
            yes: false,
        };
        for option in simple.into_iter().chain(waiting) {
            self.add_option_question(option, n, &mut follow_ups)?;
            if follow_ups.yes {
                return Ok(Some(true));
            }
        }
        // 2. The component itself with a smaller heap.
        for smaller in 0..n {
            self.add_question(id, smaller, &mut follow_ups)?;
            if follow_ups.yes {
                return Ok(Some(true));
            }
        }
        let mut children = follow_ups.open;
        children.sort_unstable_by_key(|&(node, guess)| (guess, node));
        children.dedup();
        self.proofs().set_children(node, children.into_iter())?;
        Ok(None)
    }

    fn proven(&mut self, node: u32, wins: bool) {
        if let Some((id, n)) = self.solver.nim_question(node)
            && !wins
        {
            self.solver.arena.common.components.get(id).set_nim(n);
        }
    }

    fn pause(&self) -> bool {
        !self.without_pause && self.solver.pause()
    }

    fn check_interrupt(&self) -> Result<(), GaveUp> {
        self.solver.check_interrupt()
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::super::Budget;
    use super::*;

    #[test]
    fn giving_up_restores_the_depth() {
        let sum = [Game::parse("impartial domineering", "....|....|....").unwrap()];
        let budget = Budget::default().with_nodes(0);
        let mut solver = Solver::new(budget);
        for _ in 0..=MAX_DEPTH {
            assert_eq!(solver.nim_value(&sum), Err(GaveUp::Nodes));
            assert_eq!(solver.nim_depth, 0);
        }
        solver.set_budget(Budget::default());
        let expected = Solver::default().nim_value(&sum);
        assert_eq!(solver.nim_value(&sum), expected);
    }
}
