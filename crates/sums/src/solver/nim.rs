//! Nim values of impartial components, after Lemoine and Viennot.
//!
//! Instead of the value of every option, the question is whether a component has a given value
//! `n`: that is the case when no option has it and the component has no smaller value. Of an
//! option that fell into several parts all but the largest are valued, so that questions are
//! always about one component.

use super::GaveUp;
use super::components::{ComponentId, Item, Term};
use crate::game::Game;
use crate::value::{Nus, Player, Value};

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
}

/// Nested questions: each takes a few hundred bytes of stack.
const DEEPEST: usize = 2_500;

impl NimTable {
    pub fn bytes_used(&self) -> usize {
        self.list.capacity() * size_of::<Nim>()
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
        let mut n = 0;
        while !self.nim_is(id, n)? {
            n += 1;
        }
        Ok(n)
    }

    /// Does the component have the nim value `n`?
    fn nim_is(&mut self, id: ComponentId, n: u64) -> Result<bool, GaveUp> {
        if let Some(known) = self.nims.has(id, n) {
            return Ok(known);
        }
        self.count_node()?;
        self.nims.depth += 1;
        if self.nims.depth > DEEPEST {
            self.nims.depth = 0;
            return Err(GaveUp::Depth);
        }
        let answer = self.nim_search(id, n);
        self.nims.depth = self.nims.depth.saturating_sub(1);
        let answer = answer?;
        if answer {
            self.nims.set(id, n);
        } else {
            self.nims.exclude(id, n);
        }
        Ok(answer)
    }

    fn nim_search(&mut self, id: ComponentId, n: u64) -> Result<bool, GaveUp> {
        let options = self.arena.options(id, Player::Left)?;
        // 1. An option that is known to have the value excludes it.
        let mut open = Vec::new();
        for number in options {
            match self.parts(number) {
                Parts::Exact(value) if value == n => return Ok(false),
                Parts::Exact(_) => {}
                Parts::One(part, rest) => match self.nims.has(part, n ^ rest) {
                    Some(true) => return Ok(false),
                    Some(false) => {}
                    None => open.push((self.arena.components.get(part).size, number)),
                },
                Parts::Many => open.push((self.size_of_option(number), number)),
            }
        }
        // 2. Small options are answered soonest.
        open.sort_unstable();
        for (_, number) in open {
            if self.option_is(number, n)? {
                return Ok(false);
            }
        }
        // 3. No option has the value: it is right unless a smaller one is.
        for smaller in 0..n {
            if self.nim_is(id, smaller)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Does the option have the value `n`? All its parts but the largest are valued first.
    fn option_is(&mut self, number: u32, n: u64) -> Result<bool, GaveUp> {
        loop {
            match self.parts(number) {
                Parts::Exact(value) => return Ok(value == n),
                Parts::One(part, rest) => return self.nim_is(part, n ^ rest),
                Parts::Many => {
                    let smallest = self.smallest_open_part(number);
                    if let Some(part) = smallest {
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

    fn size_of_option(&self, number: u32) -> u32 {
        self.open_parts(number)
            .map(|part| self.arena.components.get(part).size)
            .max()
            .unwrap_or(0)
    }
}
