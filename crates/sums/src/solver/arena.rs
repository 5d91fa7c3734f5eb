//! Everything that is known about single components and values.

use super::GaveUp;
use super::components::{ComponentId, Components, Item, Lists, Term, Worth};
use super::facts::{Facts, UNIT};
use super::patience::Patience;
use crate::db::Database;
use crate::game::Kind;
use crate::value::{Dyadic, Forms, Limits, Nus, OutOfBudget, Player, Value};

/// Components, values, and what is known of each.
pub(crate) struct Arena {
    pub forms: Forms,
    pub components: Components,
    value_facts: Vec<Option<Facts>>,
    component_facts: Vec<Option<Facts>>,
    /// Positions of at most this size are replaced by their values in the search.
    pub value_size: u32,
    /// Work done on values, in the units of [`super::values`], and what the search has earned.
    pub value_effort: u64,
    pub effort_allowed: u64,
    /// Values nested in one another at the moment, and whether that became too much.
    pub(super) depth: u32,
    pub(super) too_deep: bool,
    pub(super) databases: Vec<Database>,
    pub(super) patience: Patience,
    spare: Vec<Vec<u8>>,
    lists: Lists,
    scratch: Vec<Item>,
}

impl From<OutOfBudget> for GaveUp {
    fn from(_: OutOfBudget) -> GaveUp {
        GaveUp::Bytes
    }
}

impl Arena {
    /// Values within these limits, everything else as long as the patience lasts.
    pub fn new(limits: Limits, patience: Patience) -> Arena {
        Arena {
            forms: Forms::new(limits),
            patience,
            components: Components::default(),
            value_facts: Vec::new(),
            component_facts: Vec::new(),
            value_size: 8,
            value_effort: 0,
            effort_allowed: 50_000,
            depth: 0,
            too_deep: false,
            databases: Vec::new(),
            spare: Vec::new(),
            lists: Lists::default(),
            scratch: Vec::new(),
        }
    }

    pub fn bytes_used(&self) -> usize {
        let facts = self.value_facts.capacity() + self.component_facts.capacity();
        self.forms.bytes() + self.components.bytes_used() + facts * size_of::<Option<Facts>>()
    }

    /// Gives up in the midst of large boards when time or memory is spent.
    #[inline]
    pub fn look_up(&mut self) -> Result<(), GaveUp> {
        match self.patience.is_due() {
            true => self.patience.check(self.bytes_used()),
            false => Ok(()),
        }
    }

    /// Adds the parts of a position to a list of items.
    pub fn split_into(
        &mut self,
        kind: Kind,
        position: &[u8],
        items: &mut Vec<Item>,
    ) -> Result<(), GaveUp> {
        let rules = kind.rules();
        let mut outcome = Ok(());
        let mut buffer = self.spare.pop().unwrap_or_default();
        rules.split(position, &mut |part| {
            if self.components.is_full() {
                outcome = Err(GaveUp::Bytes);
            }
            if outcome.is_err() {
                return;
            }
            match closed_form(kind, part) {
                Some(nus) => match self.forms.nus(nus) {
                    Ok(Value::ZERO) => {}
                    Ok(value) => items.push(Item::value(value)),
                    Err(budget) => outcome = Err(budget.into()),
                },
                None => {
                    buffer.clear();
                    buffer.extend_from_slice(part);
                    normalise(kind, &mut buffer);
                    let id = self.components.intern(kind, &buffer);
                    items.push(self.looked_up(id));
                }
            }
        });
        self.spare.push(buffer);
        outcome
    }

    /// The options of a player in a component, computed when first asked for.
    pub fn options(
        &mut self,
        id: ComponentId,
        player: Player,
    ) -> Result<std::ops::Range<u32>, GaveUp> {
        if let Some(options) = self.components.options(id, player) {
            return Ok(options);
        }
        let kind = self.components.get(id).kind;
        let mut position = self.spare.pop().unwrap_or_default();
        position.clear();
        position.extend_from_slice(self.components.position(id));
        let mut lists = std::mem::take(&mut self.lists);
        lists.clear();
        let mut outcome = Ok(());
        let dominated = self.dominated(id, player);
        for &mover in kind.movers(player) {
            kind.rules().moves(&position, mover, &mut |mv, next| {
                let name = || kind.rules().print_move(&position, mover, mv);
                if !dominated.is_empty() && dominated.contains(&name()) {
                    return;
                }
                if outcome.is_ok() {
                    outcome = self.add_option(kind, next, &mut lists);
                }
            });
        }
        self.spare.push(position);
        if outcome.is_ok() {
            self.components.set_options(id, player, &mut lists);
        }
        self.lists = lists;
        outcome?;
        if kind.is_impartial() {
            self.components.share_options(id);
        }
        Ok(self.components.options(id, player).unwrap_or(0..0))
    }

    /// Adds the items of one option to the lists.
    fn add_option(&mut self, kind: Kind, next: &[u8], lists: &mut Lists) -> Result<(), GaveUp> {
        self.patience.count(next.len());
        self.look_up()?;
        let mut items = std::mem::take(&mut self.scratch);
        items.clear();
        let result = self
            .split_into(kind, next, &mut items)
            .and_then(|()| self.add_up(&mut items));
        lists.push(&items);
        self.scratch = items;
        result
    }

    /// Brings a list of items into the one form in which sums are kept:
    /// known values for components, numbers and infinitesimals added up, opposites cancelled.
    pub fn tidy(&mut self, items: &mut Vec<Item>) -> Result<(), GaveUp> {
        for item in items.iter_mut() {
            if let Term::Component(id) = item.term()
                && let Some(value) = self.cheap_value(id)
            {
                *item = Item::value(value);
            }
        }
        self.add_up(items)?;
        if items.len() > 1 {
            self.cancel(items)?;
        }
        Ok(())
    }

    /// Adds up all numbers, ups and nimbers, and sorts.
    fn add_up(&mut self, items: &mut Vec<Item>) -> Result<(), GaveUp> {
        let mut total = Value::ZERO;
        let mut kept = 0;
        for at in 0..items.len() {
            match items[at].term() {
                Term::Value(value) if self.forms.as_nus(value).is_some() => {
                    total = self.forms.sum(total, value)?
                }
                _ => {
                    items[kept] = items[at];
                    kept += 1;
                }
            }
        }
        items.truncate(kept);
        if total != Value::ZERO {
            items.push(Item::value(total));
        }
        items.sort_unstable();
        Ok(())
    }

    /// Removes pairs of opposites.
    fn cancel(&mut self, items: &mut Vec<Item>) -> Result<(), GaveUp> {
        let mut at = 0;
        while at < items.len() {
            let opposite = self.opposite(items[at])?;
            let partner = items[at + 1..].iter().position(|&item| item == opposite);
            match partner {
                Some(offset) => {
                    items.remove(at + 1 + offset);
                    items.remove(at);
                }
                None => at += 1,
            }
        }
        Ok(())
    }

    /// The item with the players exchanged.
    pub fn opposite(&mut self, item: Item) -> Result<Item, GaveUp> {
        match item.term() {
            Term::Value(value) => Ok(Item::value(self.forms.negative(value)?)),
            Term::Component(id) => {
                if let Some(negative) = self.components.get(id).negative {
                    return Ok(Item::component(negative));
                }
                let kind = self.components.get(id).kind;
                let mut position = kind.rules().negative(self.components.position(id));
                normalise(kind, &mut position);
                let negative = self.components.intern(kind, &position);
                self.components.get_mut(id).negative = Some(negative);
                self.components.get_mut(negative).negative = Some(id);
                Ok(Item::component(negative))
            }
        }
    }

    /// What is known about an item.
    #[inline]
    pub fn facts(&mut self, item: Item) -> Facts {
        let (facts, index) = match item.term() {
            Term::Value(value) => (&self.value_facts, value.index()),
            Term::Component(id) => (&self.component_facts, id.0 as usize),
        };
        match facts.get(index) {
            Some(Some(facts)) => *facts,
            _ => self.find_facts(item),
        }
    }

    fn find_facts(&mut self, item: Item) -> Facts {
        match item.term() {
            Term::Value(value) => {
                let facts = Facts {
                    mobility: self.value_mobility(value),
                    ..Facts::of_value(&self.forms, value)
                };
                keep(&mut self.value_facts, value.index(), facts);
                facts
            }
            Term::Component(id) => {
                let facts = self.component_facts(id);
                keep(&mut self.component_facts, id.0 as usize, facts);
                facts
            }
        }
    }

    /// Takes over what another arena has found out about a component.
    pub fn learn_facts(&mut self, id: ComponentId, facts: impl FnOnce() -> Facts) {
        let index = id.0 as usize;
        if self.component_facts.get(index).is_none_or(Option::is_none) {
            keep(&mut self.component_facts, index, facts());
        }
    }

    fn component_facts(&mut self, id: ComponentId) -> Facts {
        let kind = self.components.get(id).kind;
        let rules = kind.rules();
        let position = self.components.position(id);
        self.patience.count(position.len());
        let moves = rules.mobility(position);
        let counts = moves.map(|count| count.min(10_000) as u16);
        let mobility = Player::BOTH.map(|player| {
            let movers = kind.movers(player).iter();
            movers.map(|&mover| counts[mover as usize]).sum()
        });
        let known = match rules.bounds(position, moves) {
            Some((low, high)) => Facts::between(low, high),
            None if rules.is_all_small() => Facts::ALL_SMALL,
            None => Facts::NONE,
        };
        let guess = (i32::from(mobility[0]) - i32::from(mobility[1])) * (UNIT as i32 / 4);
        Facts {
            guess,
            mobility,
            ..known
        }
    }

    fn value_mobility(&mut self, value: Value) -> [u16; 2] {
        if self.forms.as_nus(value).is_some() {
            return [1, 1];
        }
        Player::BOTH.map(|player| {
            self.forms
                .options(value, player)
                .map_or(1, |options| options.len().min(1000) as u16)
        })
    }

    /// Keeps what the search has proven about a component that stands alone.
    pub fn prove(&mut self, id: ComponentId, first: Player, wins: bool) {
        let mut facts = self.facts(Item::component(id));
        facts.prove(first, wins);
        keep(&mut self.component_facts, id.0 as usize, facts);
    }

    /// Keeps that a component lies between two numbers.
    pub fn bound(&mut self, id: ComponentId, low: &Dyadic, high: &Dyadic) {
        let mut facts = self.facts(Item::component(id));
        facts.bound(low, high);
        keep(&mut self.component_facts, id.0 as usize, facts);
    }

    /// The value of a small component, or of one whose value is known.
    #[inline]
    pub fn cheap_value(&mut self, id: ComponentId) -> Option<Value> {
        let component = self.components.get(id);
        match component.worth {
            Worth::Known(value) => Some(value),
            Worth::Above(_) => None,
            Worth::Unknown
                if component.size <= self.value_size
                    && self.value_effort <= self.effort_allowed =>
            {
                self.small_value(id)
            }
            Worth::Unknown => None,
        }
    }
}

/// The normal form of a position.
pub(super) fn normalise(kind: Kind, position: &mut Vec<u8>) {
    if kind.is_wrapped() {
        kind.rules().normalise_impartial(position);
    } else {
        kind.rules().normalise(position);
    }
}

/// The value that rules give in closed form.
pub(super) fn closed_form(kind: Kind, part: &[u8]) -> Option<Nus> {
    if kind.is_wrapped() {
        kind.rules().known_nim_value(part).map(Nus::nimber)
    } else {
        kind.rules().known_value(part)
    }
}

fn keep(list: &mut Vec<Option<Facts>>, index: usize, facts: Facts) {
    if list.len() <= index {
        list.resize(index + 1, None);
    }
    list[index] = Some(facts);
}
