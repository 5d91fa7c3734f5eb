//! Options, facts and values of single components, computed by one thread and shared by all.

use super::GaveUp;
use super::common::Common;
use super::components::{ComponentId, Item, Term, ValueState};
use super::facts::{Facts, UNIT, Ups};
use super::interrupt::LimitCheck;
use super::lists::{Draft, Options};
use super::pairs::Pairs;
use super::rungs::Rungs;
use super::weights::Weight;
use crate::db::Database;
use crate::game::Kind;
use crate::interrupt::Interrupt;
use crate::rules::Flow;
use crate::value::{Dyadic, Nus, OutOfBudget, Player, Value};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The minimum work for a board, in cells.
const LEAST_COUNT: usize = 32;

/// The effort allowed for the atomic weight of a value.
const WEIGHT_EFFORT: u64 = 5_000;

/// The shared tables, and the working memory of one thread.
pub(crate) struct Arena {
    pub common: Arc<Common>,
    /// Positions of at most this size are replaced by their values in the search.
    pub value_size: u32,
    /// Effort spent on values, in the units of [`super::values`], and how much is allowed.
    pub value_effort: u64,
    pub effort_allowed: u64,
    /// The depth of nested values, and whether it exceeded the limit.
    pub(super) depth: u32,
    /// The atomic weights found by this thread.
    pub(super) weights: FxHashMap<ComponentId, Weight>,
    pub(super) too_deep: bool,
    pub(super) databases: Vec<Database>,
    pub(super) interrupt: LimitCheck,
    spare: Vec<Vec<u8>>,
    draft: Draft,
    scratch: Vec<Item>,
    pub(super) pairs: Pairs,
}

impl From<OutOfBudget> for GaveUp {
    fn from(_: OutOfBudget) -> GaveUp {
        GaveUp::Bytes
    }
}

impl Arena {
    /// Creates an arena on these tables with these limits.
    pub fn new(common: Arc<Common>, interrupt: LimitCheck) -> Arena {
        Arena {
            pairs: Pairs::new(Arc::clone(&common)),
            common,
            interrupt,
            value_size: 8,
            value_effort: 0,
            effort_allowed: 50_000,
            depth: 0,
            weights: FxHashMap::default(),
            too_deep: false,
            databases: Vec::new(),
            spare: Vec::new(),
            draft: Draft::default(),
            scratch: Vec::new(),
        }
    }

    /// Creates an arena on the same tables for another thread.
    pub fn share(&self) -> Arena {
        Arena {
            value_size: self.value_size,
            databases: self.databases.clone(),
            ..Arena::new(Arc::clone(&self.common), self.interrupt.clone())
        }
    }

    /// Gives up when a limit is reached; called at short intervals, also within large boards.
    #[inline]
    pub fn check_interrupt(&mut self) -> Result<(), GaveUp> {
        if self.interrupt.is_due() {
            self.interrupt.check(self.common.bytes_used())
        } else {
            Ok(())
        }
    }

    /// Adds the parts of a position to a list of items.
    pub fn split_into(
        &mut self,
        kind: Kind,
        position: &[u8],
        items: &mut Vec<Item>,
    ) -> Result<(), GaveUp> {
        let mut outcome = Ok(());
        let mut buffer = self.spare.pop().unwrap_or_default();
        let _ = kind.rules().split(position, &mut |part| {
            outcome = self.add_part(kind, part, &mut buffer, items);
            flow(&outcome)
        });
        self.spare.push(buffer);
        outcome
    }

    fn add_part(
        &mut self,
        kind: Kind,
        part: &[u8],
        buffer: &mut Vec<u8>,
        items: &mut Vec<Item>,
    ) -> Result<(), GaveUp> {
        // Normal forms of graphs take time that grows faster than their size.
        self.interrupt
            .count(part.len() * part.len() / 16 + LEAST_COUNT);
        self.check_interrupt()?;
        let by_bounds = kind.rules().is_value_by_bounds() && !kind.is_wrapped();
        if !by_bounds && let Some(nus) = closed_form(kind, part, &self.interrupt.signal) {
            let value = self.common.forms().nus(nus)?;
            if value != Value::ZERO {
                items.push(Item::value(value));
            }
            return Ok(());
        }
        buffer.clear();
        buffer.extend_from_slice(part);
        normalise(kind, buffer);
        let id = self.common.components.intern(kind, buffer)?;
        if by_bounds {
            // Computes the bounds, and the value where they meet.
            self.facts(Item::component(id));
        }
        items.push(self.item_of(id, by_bounds));
        Ok(())
    }

    /// The options of a player in a component, computed on first use.
    pub fn options(&mut self, id: ComponentId, player: Player) -> Result<Options, GaveUp> {
        let list = match self.common.components.get(id).options(player) {
            Some(list) => list,
            None => self.compute_options(id, player, |_, _| Ok(Flow::Continue(())))?,
        };
        Ok(self.common.lists.options(list))
    }

    /// Computes the options of a player in a component, and returns the address of their list.
    /// Each is visited when it is found, in no order and perhaps several times; if `visit` ends
    /// the computation, then nothing is stored and the address is that of the empty list.
    pub fn compute_options(
        &mut self,
        id: ComponentId,
        player: Player,
        mut visit: impl FnMut(&mut Arena, &[Item]) -> Result<Flow, GaveUp>,
    ) -> Result<u32, GaveUp> {
        // 1. The result of every move, unless a database lists the move as dominated.
        let kind = self.common.components.get(id).kind();
        let mut position = self.spare.pop().unwrap_or_default();
        self.common.components.get(id).position(&mut position);
        let mut draft = std::mem::take(&mut self.draft);
        draft.clear();
        let mut outcome = Ok(Flow::Continue(()));
        let dominated = self.dominated(id, player);
        for &mover in kind.movers(player) {
            let _ = kind.rules().moves(&position, mover, &mut |mv, next| {
                let name = || kind.rules().print_move(&position, mover, mv);
                if dominated.is_empty() || !dominated.contains(&name()) {
                    outcome = self
                        .add_option(kind, next, &mut draft)
                        .and_then(|()| visit(self, draft.last()));
                }
                outcome.unwrap_or(Flow::Break(()))
            });
            if outcome != Ok(Flow::Continue(())) {
                break;
            }
        }
        self.spare.push(position);
        // 2. Store the list, unless the computation was ended.
        if outcome == Ok(Flow::Break(())) {
            self.draft = draft;
            return Ok(self.common.lists.empty());
        }
        let list = outcome.and_then(|_| self.common.lists.store(&mut draft));
        self.draft = draft;
        let component = self.common.components.get(id);
        let shared = if kind.is_impartial() {
            &Player::BOTH[..]
        } else {
            &[player]
        };
        for &player in shared {
            component.set_options(player, list?);
        }
        list
    }

    /// The options of a player in a value.
    pub fn value_options(&mut self, value: Value, player: Player) -> Result<Options, GaveUp> {
        if let Some(list) = self.common.values.options(value, player) {
            return Ok(self.common.lists.options(list));
        }
        let mut draft = std::mem::take(&mut self.draft);
        draft.clear();
        for &option in self.common.forms().options(value, player)? {
            draft.push(&[Item::value(option)]);
        }
        let list = self.common.lists.store(&mut draft);
        self.draft = draft;
        self.common.values.set_options(value, player, list?);
        Ok(self.common.lists.options(list?))
    }

    /// Adds the items of one option to the draft.
    fn add_option(&mut self, kind: Kind, next: &[u8], draft: &mut Draft) -> Result<(), GaveUp> {
        self.interrupt.count(next.len() + LEAST_COUNT);
        self.check_interrupt()?;
        let mut items = std::mem::take(&mut self.scratch);
        items.clear();
        let result = self
            .split_into(kind, next, &mut items)
            .and_then(|()| self.add_up(&mut items));
        draft.push(&items);
        self.scratch = items;
        result
    }

    /// Brings a list of items into the normal form of sums: components replaced by known values,
    /// numbers and infinitesimals added up, opposites cancelled.
    pub fn normalise_items(&mut self, items: &mut Vec<Item>) -> Result<(), GaveUp> {
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
            self.interrupt.count(1);
            self.check_interrupt()?;
            match items[at].term() {
                Term::Value(Value::ZERO) => {}
                Term::Value(value) if self.is_closed(value) => {
                    total = match total {
                        Value::ZERO => value,
                        _ => self.common.forms().sum(total, value)?,
                    };
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

    /// Returns true if the value is number + ups + nimber.
    #[inline]
    fn is_closed(&self, value: Value) -> bool {
        let values = &self.common.values;
        values.is_closed(value).unwrap_or_else(|| {
            let closed = self.common.forms().as_nus(value).is_some();
            values.set_closed(value, closed);
            closed
        })
    }

    /// Removes pairs of opposites from sorted items: of equal ones the first cancels the first of
    /// their opposites, the second the second, and so on.
    fn cancel(&mut self, items: &mut Vec<Item>) -> Result<(), GaveUp> {
        let mut cancelled = Vec::new();
        for at in 0..items.len() {
            self.interrupt.count(1);
            self.check_interrupt()?;
            let item = items[at];
            let opposite = self.opposite(item)?;
            let Ok(found) = items.binary_search(&opposite) else {
                continue;
            };
            let rank = at - items[..at].partition_point(|&other| other < item);
            let first = items[..found].partition_point(|&other| other < opposite);
            let partners = items[first..].partition_point(|&other| other == opposite);
            // An item that is its own opposite cancels only with another copy.
            let pairs = if opposite == item {
                partners / 2 * 2
            } else {
                partners
            };
            if rank < pairs {
                cancelled.push(at);
            }
        }
        let mut cancelled = cancelled.into_iter().peekable();
        let mut at = 0;
        items.retain(|_| {
            at += 1;
            cancelled.next_if_eq(&(at - 1)).is_none()
        });
        Ok(())
    }

    /// The item with the players exchanged.
    pub fn opposite(&mut self, item: Item) -> Result<Item, GaveUp> {
        match item.term() {
            Term::Value(value) => Ok(Item::value(self.negative_value(value)?)),
            Term::Component(id) => Ok(Item::component(self.negative_component(id)?)),
        }
    }

    pub(super) fn negative_value(&self, value: Value) -> Result<Value, GaveUp> {
        let values = &self.common.values;
        if let Some(negative) = values.negative(value) {
            return Ok(negative);
        }
        let negative = self.common.forms().negative(value)?;
        values.set_negative(value, negative);
        Ok(negative)
    }

    pub(super) fn negative_component(&mut self, id: ComponentId) -> Result<ComponentId, GaveUp> {
        let components = &self.common.components;
        let component = components.get(id);
        if let Some(negative) = component.negative() {
            return Ok(negative);
        }
        let kind = component.kind();
        let mut position = self.spare.pop().unwrap_or_default();
        component.position(&mut position);
        let mut opposite = kind.rules().negative(&position);
        normalise(kind, &mut opposite);
        let negative = components.intern(kind, &opposite)?;
        component.set_negative(negative);
        components.get(negative).set_negative(id);
        self.spare.push(position);
        Ok(negative)
    }

    /// The facts about an item.
    #[inline]
    pub fn facts(&mut self, item: Item) -> Facts {
        let note = match item.term() {
            Term::Value(value) => self.common.values.note(value),
            Term::Component(id) => self.common.components.get(id).note(),
        };
        match self.common.notes.read(note) {
            Some(facts) => facts,
            None => self.compute_facts(item),
        }
    }

    fn compute_facts(&mut self, item: Item) -> Facts {
        let facts = match item.term() {
            Term::Value(value) => self.value_facts(value),
            Term::Component(id) => self.component_facts(id),
        };
        self.store_facts(item, &facts);
        facts
    }

    /// Stores facts if there is memory for them.
    pub(super) fn store_facts(&self, item: Item, facts: &Facts) {
        let note = match item.term() {
            Term::Value(value) => self.common.values.note(value),
            Term::Component(id) => self.common.components.get(id).note(),
        };
        // Ignored: without memory the search gives up soon.
        let _ = self.common.notes.write(note, facts);
    }

    fn component_facts(&mut self, id: ComponentId) -> Facts {
        let component = self.common.components.get(id);
        let kind = component.kind();
        let rules = kind.rules();
        let mut position = self.spare.pop().unwrap_or_default();
        component.position(&mut position);
        self.interrupt.count(position.len());
        let moves = rules.mobility(&position);
        let counts = moves.map(|count| count.min(10_000) as u16);
        let mobility = Player::BOTH.map(|player| {
            let movers = kind.movers(player).iter();
            movers.map(|&mover| counts[mover as usize]).sum()
        });
        // Bounds are about the moves of both players, not about the impartial game.
        let known = if kind.is_wrapped() {
            Facts::NONE
        } else {
            self.bounds_by_rules(id, &position, moves)
        };
        self.spare.push(position);
        let guess = (i32::from(mobility[0]) - i32::from(mobility[1])) * (UNIT as i32 / 4);
        Facts {
            guess,
            mobility,
            ..known
        }
    }

    /// The rules see a move in a single item that wins.
    pub fn has_winning_move(&mut self, item: Item, player: Player) -> bool {
        let Term::Component(id) = item.term() else {
            return false;
        };
        let component = self.common.components.get(id);
        let kind = component.kind();
        let mut position = self.spare.pop().unwrap_or_default();
        component.position(&mut position);
        let found = !kind.is_wrapped() && kind.rules().has_winning_move(&position, player);
        self.spare.push(position);
        found
    }

    /// What the rules know about a position; where its bounds meet, they are its value.
    fn bounds_by_rules(&self, id: ComponentId, position: &[u8], moves: [usize; 2]) -> Facts {
        let component = self.common.components.get(id);
        let rules = component.kind().rules();
        let mut known = match rules.bounds(position, moves) {
            Some((low, high)) => {
                if low == high
                    && let Ok(value) = self.common.forms().integer(low)
                {
                    component.set_value_state(ValueState::Known(value));
                }
                Facts::between(low, high)
            }
            None if rules.is_all_small() => Facts::ALL_SMALL,
            None => Facts::NONE,
        };
        if let Some(guarantees) = rules.guarantees(position) {
            known.guarantee(guarantees);
        }
        known
    }

    fn value_facts(&mut self, value: Value) -> Facts {
        let mobility = if self.is_closed(value) {
            [1, 1]
        } else {
            Player::BOTH.map(|player| {
                let options = self.value_options(value, player);
                options.map_or(1, |options| options.len().min(1000) as u16)
            })
        };
        let mut effort = WEIGHT_EFFORT;
        let weight = self.metered(&mut effort, |forms| forms.atomic_weight(value));
        let ups = weight.flatten().map_or(Ups::NONE, |weight| {
            Ups::of_weight(&self.common.forms(), weight)
        });
        let rungs = if ups == Ups::NONE {
            Rungs::NONE
        } else {
            let weight = i64::from(ups.low).div_euclid(8);
            let found = self.metered(&mut effort, |forms| Rungs::of_value(forms, value, weight));
            found.unwrap_or(Rungs::NONE)
        };
        let forms = self.common.forms();
        Facts {
            mobility,
            ups,
            rungs,
            ..Facts::of_value(&forms, value)
        }
    }

    /// Stores a result of the search about a single component.
    pub fn prove(&mut self, id: ComponentId, first: Player, wins: bool) {
        let mut facts = self.facts(Item::component(id));
        facts.prove(first, wins);
        self.store_facts(Item::component(id), &facts);
    }

    /// Stores that a component lies between two numbers.
    pub fn bound(&mut self, id: ComponentId, low: &Dyadic, high: &Dyadic) {
        let mut facts = self.facts(Item::component(id));
        facts.bound(low, high);
        self.store_facts(Item::component(id), &facts);
    }

    /// The value of a small component, or of one whose value is known.
    #[inline]
    pub fn cheap_value(&mut self, id: ComponentId) -> Option<Value> {
        let component = self.common.components.get(id);
        match component.value_state() {
            ValueState::Known(value) => Some(value),
            ValueState::Above(_) => None,
            ValueState::Unknown
                if component.size() <= self.value_size
                    && self.value_effort <= self.effort_allowed =>
            {
                self.small_value(id)
            }
            ValueState::Unknown => None,
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

/// The value that the rules give in closed form.
pub(super) fn closed_form(kind: Kind, part: &[u8], interrupt: &Interrupt) -> Option<Nus> {
    if kind.is_wrapped() {
        let nim_value = kind.rules().known_nim_value(part, interrupt);
        nim_value.map(Nus::nimber)
    } else {
        kind.rules().known_value(part, interrupt)
    }
}

/// Ends an iteration after the first error.
fn flow<T>(result: &Result<T, GaveUp>) -> Flow {
    if result.is_ok() {
        ControlFlow::Continue(())
    } else {
        ControlFlow::Break(())
    }
}
