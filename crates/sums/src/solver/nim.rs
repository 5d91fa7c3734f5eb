//! Nim values of impartial components, after Lemoine and Viennot.
//!
//! Instead of the value of every option, the question is whether a component has a given value
//! `n`, that is whether the component and a heap of `n` together are lost for who moves. That is
//! the case when no option has the value and the component has no smaller one. Of an option that
//! fell into several parts all but the largest are valued, so that questions are always about one
//! component. They are answered by proof-number search.

use super::GaveUp;
use super::components::{ComponentId, Item, Term};
use super::proof::{self, Nodes, Proofs};
use crate::game::Game;
use crate::value::{Nus, Player, Value};
use rustc_hash::FxHashMap;

/// What is known about the nim value of a component.
#[derive(Clone, Copy, Default)]
struct Nim {
    /// Values below 64 that it does not have.
    excluded: u64,
    /// The value plus one; 0 if not known.
    exact: u32,
}

/// Nim values found so far, by component.
#[derive(Default)]
pub(crate) struct NimTable {
    list: Vec<Nim>,
    depth: usize,
    proofs: Proofs,
    /// The questions that are nodes of the search.
    questions: Vec<(ComponentId, u32)>,
    numbers: FxHashMap<(ComponentId, u32), u32>,
}

/// Nested questions: each takes a few hundred bytes of stack.
const DEEPEST: usize = 2_500;

impl NimTable {
    /// There is hardly a place left for children.
    pub fn is_full(&self) -> bool {
        self.proofs.is_full()
    }

    pub fn bytes_used(&self) -> usize {
        self.list.capacity() * size_of::<Nim>()
            + self.proofs.bytes_used()
            + self.questions.capacity() * 8
            + self.numbers.capacity() * 13
    }

    /// The node of the question whether a component has the value `n`.
    fn node(&mut self, id: ComponentId, n: u64) -> u32 {
        let question = (id, n as u32);
        *self.numbers.entry(question).or_insert_with(|| {
            self.questions.push(question);
            self.questions.len() as u32 - 1
        })
    }

    fn get(&self, id: ComponentId) -> Nim {
        self.list.get(id.0 as usize).copied().unwrap_or_default()
    }

    fn exact(&self, id: ComponentId) -> Option<u64> {
        u64::from(self.get(id).exact).checked_sub(1)
    }

    fn has(&self, id: ComponentId, n: u64) -> Option<bool> {
        match self.exact(id) {
            Some(exact) => Some(exact == n),
            None if n < 64 && self.get(id).excluded >> n & 1 == 1 => Some(false),
            None => None,
        }
    }

    fn entry(&mut self, id: ComponentId) -> &mut Nim {
        let index = id.0 as usize;
        if self.list.len() <= index {
            self.list.resize(index + 1, Nim::default());
        }
        &mut self.list[index]
    }

    /// The values below 64 that a component does not have, and its value plus one or 0.
    pub fn known(&self, id: ComponentId) -> (u64, u32) {
        let Nim { excluded, exact } = self.get(id);
        (excluded, exact)
    }

    /// Keeps what [`NimTable::known`] told.
    pub fn learn(&mut self, id: ComponentId, excluded: u64, exact: u32) {
        if (excluded, exact) != (0, 0) {
            *self.entry(id) = Nim { excluded, exact };
        }
    }

    fn set(&mut self, id: ComponentId, n: u64) {
        self.entry(id).exact = n as u32 + 1;
    }

    fn exclude(&mut self, id: ComponentId, n: u64) {
        if n < 64 {
            self.entry(id).excluded |= 1 << n;
        }
    }
}

/// What the parts of an option tell about its value.
enum Parts {
    /// The whole value.
    Exact(u64),
    /// One part is not known; the others make this together.
    One(ComponentId, u64),
    /// Several parts are not known.
    Many,
}

impl super::Solver {
    /// The nim value of an impartial sum; partisan components are refused with `None`.
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
    pub(super) fn settle_impartial(&mut self, items: &mut [Item]) -> Result<(), GaveUp> {
        for item in items {
            if let Term::Component(id) = item.term()
                && self.arena.components.get(id).kind.is_impartial()
            {
                let nimber = self.nim_of_component(id)?;
                *item = Item::value(self.arena.forms.nus(Nus::nimber(nimber))?);
            }
        }
        Ok(())
    }

    /// Replaces impartial components by their nim values where these are known; none if one is not.
    pub(super) fn settle_known(&mut self, items: &mut [Item]) -> Option<()> {
        for item in items {
            if let Term::Component(id) = item.term()
                && self.arena.components.get(id).kind.is_impartial()
            {
                let nimber = Nus::nimber(self.nims.exact(id)?);
                *item = Item::value(self.arena.forms.nus(nimber).ok()?);
            }
        }
        Some(())
    }

    /// Nim values that an impartial sum is proven not to have, though its value is not known.
    ///
    /// ```
    /// use sums::{Budget, Game, Solver};
    /// let mut solver = Solver::new(Budget { nodes: 200, ..Budget::default() });
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
                Term::Component(id) => match self.nims.exact(id) {
                    Some(exact) => rest ^= exact,
                    None => open.push(id),
                },
            }
        }
        let [open] = open[..] else {
            return Vec::new();
        };
        let excluded = self.nims.get(open).excluded;
        let values = (0..64).filter(|n| excluded >> n & 1 == 1);
        let mut values: Vec<u64> = values.map(|n| n ^ rest).collect();
        values.sort_unstable();
        values
    }

    fn nim_of_item(&mut self, item: Item) -> Result<u64, GaveUp> {
        match item.term() {
            Term::Component(id) => self.nim_of_component(id),
            Term::Value(value) => Ok(self.nimber(value)),
        }
    }

    fn nimber(&self, value: Value) -> u64 {
        self.arena.forms.as_nus(value).map_or(0, |nus| nus.nimber)
    }

    /// The nim value of one component: the first that it turns out to have.
    fn nim_of_component(&mut self, id: ComponentId) -> Result<u64, GaveUp> {
        if let Some(exact) = self.nims.exact(id) {
            return Ok(exact);
        }
        self.nims.depth += 1;
        if self.nims.depth > DEEPEST {
            self.nims.depth = 0;
            return Err(GaveUp::Depth);
        }
        let mut n = 0;
        while !self.nim_is(id, n)? {
            n += 1;
        }
        self.nims.depth = self.nims.depth.saturating_sub(1);
        Ok(n)
    }

    /// Does the component have the nim value `n`?
    fn nim_is(&mut self, id: ComponentId, n: u64) -> Result<bool, GaveUp> {
        if let Some(known) = self.nims.has(id, n) {
            return Ok(known);
        }
        let node = self.nims.node(id, n);
        let mover_wins = proof::prove(&mut Questions(self), node)?;
        Ok(mover_wins == Some(false))
    }

    /// What can be said at once about a component having a value, or the node to ask.
    fn nim_child(&mut self, id: ComponentId, n: u64) -> Result<bool, (u32, u32)> {
        match self.nims.has(id, n) {
            Some(known) => Ok(known),
            None => {
                let moves = self.arena.facts(Item::component(id)).mobility[0];
                Err((self.nims.node(id, n), u32::from(moves) + n as u32))
            }
        }
    }

    /// Values all parts of an option but the largest: what is left open, and what the rest makes.
    fn settle_option(&mut self, number: u32) -> Result<(Option<ComponentId>, u64), GaveUp> {
        loop {
            match self.parts(number) {
                Parts::Exact(value) => return Ok((None, value)),
                Parts::One(part, rest) => return Ok((Some(part), rest)),
                Parts::Many => {
                    if let Some(part) = self.smallest_open_part(number) {
                        self.nim_of_component(part)?;
                    }
                }
            }
        }
    }

    fn parts(&self, number: u32) -> Parts {
        let mut total = 0;
        let mut open = None;
        for item in self.arena.components.option(number) {
            match item.term() {
                Term::Value(value) => total ^= self.nimber(value),
                Term::Component(part) => match (self.nims.exact(part), open) {
                    (Some(exact), _) => total ^= exact,
                    (None, None) => open = Some(part),
                    (None, Some(_)) => return Parts::Many,
                },
            }
        }
        open.map_or(Parts::Exact(total), |part| Parts::One(part, total))
    }

    fn open_parts(&self, number: u32) -> impl Iterator<Item = ComponentId> + '_ {
        self.arena
            .components
            .option(number)
            .iter()
            .filter_map(|item| match item.term() {
                Term::Component(part) if self.nims.exact(part).is_none() => Some(part),
                _ => None,
            })
    }

    fn smallest_open_part(&self, number: u32) -> Option<ComponentId> {
        self.open_parts(number)
            .min_by_key(|&part| self.arena.components.get(part).size)
    }
}

/// The search for nim values: the mover wins a question when the answer is no.
struct Questions<'a>(&'a mut super::Solver);

impl Nodes for Questions<'_> {
    fn proofs(&mut self) -> &mut Proofs {
        &mut self.0.nims.proofs
    }

    fn open(&mut self, node: u32) -> Result<Option<bool>, GaveUp> {
        let solver = &mut *self.0;
        solver.count_node()?;
        let (id, n) = solver.nims.questions[node as usize];
        let n = u64::from(n);
        let mut children = Vec::new();
        // 1. Options with at most one open part tell most quickly, so the others wait.
        let (waiting, simple): (Vec<u32>, Vec<u32>) = solver
            .arena
            .options(id, Player::Left)?
            .partition(|&number| matches!(solver.parts(number), Parts::Many));
        for number in simple.into_iter().chain(waiting) {
            let child = match solver.settle_option(number)? {
                (None, value) => Ok(value == n),
                (Some(part), rest) => solver.nim_child(part, n ^ rest),
            };
            match child {
                Ok(true) => return Ok(Some(true)),
                Ok(false) => {}
                Err(open) => children.push(open),
            }
        }
        // 2. The component itself with a smaller heap beside it.
        for smaller in 0..n {
            match solver.nim_child(id, smaller) {
                Ok(true) => return Ok(Some(true)),
                Ok(false) => {}
                Err(open) => children.push(open),
            }
        }
        children.sort_unstable_by_key(|&(node, guess)| (guess, node));
        children.dedup();
        solver.nims.proofs.set_children(node, children.into_iter());
        Ok(None)
    }

    fn proven(&mut self, node: u32, wins: bool) {
        let (id, n) = self.0.nims.questions[node as usize];
        if wins {
            self.0.nims.exclude(id, u64::from(n));
        } else {
            self.0.nims.set(id, u64::from(n));
        }
    }

    fn pause(&self) -> bool {
        false
    }
}
