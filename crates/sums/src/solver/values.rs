//! Values of components, within a given effort.
//!
//! One unit of effort is one step of the canonical forms, about a tenth of a microsecond.

use super::arena::Arena;
use super::components::{ComponentId, Item, Term, ValueState};
use super::lists::OptionAt;
use crate::interrupt::Interrupt;
use crate::value::{Forms, OutOfBudget, Player, Value};

/// The effort allowed for the value of a small component during a search.
const SMALL_EFFORT: u64 = 5_000;

/// Nested calls allowed: each takes a few hundred bytes of stack.
const MAX_DEPTH: u32 = 2_000;

/// The cost of one option of a component: its parts, their normal forms and ids.
pub(super) const EFFORT_PER_OPTION: u64 = 10;

impl Arena {
    /// The value of a component in a search, if it is cheap to compute.
    pub fn small_value(&mut self, id: ComponentId) -> Option<Value> {
        self.value_within(id, SMALL_EFFORT)
    }

    /// The value of a component, if it takes no more than this effort.
    pub fn value_within(&mut self, id: ComponentId, effort: u64) -> Option<Value> {
        let mut left = effort;
        self.too_deep = false;
        let value = self.find_value(id, &mut left);
        self.value_effort += effort - left;
        value
    }

    /// Like [`Arena::value_within`], but the effort does not count for the search.
    pub fn uncounted_value(&mut self, id: ComponentId, effort: u64) -> Option<Value> {
        let before = self.value_effort;
        let value = self.value_within(id, effort);
        self.value_effort = before;
        value
    }

    /// The value of a component, if it takes no more than `most`; `None` if the effort, which pays for
    /// it, is spent. It does not count for the search.
    pub fn paid_value(
        &mut self,
        id: ComponentId,
        most: u64,
        effort: &mut u64,
    ) -> Option<Option<Value>> {
        let before = self.value_effort;
        let value = self.value_within(id, most);
        let spent = std::mem::replace(&mut self.value_effort, before) - before;
        *effort = effort.checked_sub(spent)?;
        Some(value)
    }

    /// The sum of values, if it takes no more than this effort.
    pub fn total(&self, values: &[Value], mut effort: u64) -> Option<Value> {
        values.iter().try_fold(Value::ZERO, |total, &value| {
            self.metered(&mut effort, |forms| forms.sum(total, value))
        })
    }

    /// The value of a sum, if it takes no more than this effort.
    pub fn value_of_items(&mut self, items: &[Item], effort: u64) -> Option<Value> {
        let mut values = Vec::new();
        for item in items {
            values.push(match item.term() {
                Term::Value(value) => value,
                Term::Component(id) => self.uncounted_value(id, effort)?,
            });
        }
        self.total(&values, effort)
    }

    /// Returns true if the last value was given up because of too many nested calls.
    pub fn is_too_deep(&self) -> bool {
        self.too_deep
    }

    /// Computes the values of the options first.
    fn find_value(&mut self, id: ComponentId, effort: &mut u64) -> Option<Value> {
        match self.common.components.get(id).value_state() {
            ValueState::Known(value) => return Some(value),
            ValueState::Above(tried) if u64::from(tried) >= *effort => return None,
            _ => {}
        }
        if self.depth == MAX_DEPTH {
            self.too_deep = true;
            return None;
        }
        self.depth += 1;
        let offered = u32::try_from(*effort).unwrap_or(u32::MAX);
        let value = self.value_by_options(id, effort);
        self.depth -= 1;
        let state = value.map_or(ValueState::Above(offered), ValueState::Known);
        self.common.components.get(id).set_value_state(state);
        value
    }

    fn value_by_options(&mut self, id: ComponentId, effort: &mut u64) -> Option<Value> {
        let mut lists = [Vec::new(), Vec::new()];
        for player in Player::BOTH {
            let mut options = self.options(id, player).ok()?;
            *effort = effort.checked_sub(EFFORT_PER_OPTION * (1 + u64::from(options.len())))?;
            while let Some(option) = self.common.lists.next(&mut options) {
                let value = self.sum_of_option(option, effort)?;
                lists[player as usize].push(value);
            }
        }
        let [left, right] = lists;
        self.metered(effort, |forms| forms.game(&left, &right))
    }

    /// The values of the items of an option, added up.
    fn sum_of_option(&mut self, option: OptionAt, effort: &mut u64) -> Option<Value> {
        let mut total = Value::ZERO;
        let count = self.common.lists.items(option).len();
        for at in 0..count {
            let item = self.common.lists.items(option).nth(at)?;
            let value = match item.term() {
                Term::Value(value) => value,
                Term::Component(part) => self.find_value(part, effort)?,
            };
            total = match total {
                Value::ZERO => value,
                _ => self.metered(effort, |forms| forms.sum(total, value))?,
            };
        }
        Some(total)
    }

    /// Runs a computation on canonical forms within an effort, which is reduced by its steps.
    pub(super) fn metered<T>(
        &self,
        effort: &mut u64,
        run: impl FnOnce(&mut Forms) -> Result<T, OutOfBudget>,
    ) -> Option<T> {
        let mut forms = self.common.forms();
        let (before, allowed) = (forms.steps(), forms.limits_mut().steps);
        forms.limits_mut().steps = before.saturating_add(*effort);
        forms.set_interrupt(self.interrupt.signal.clone());
        let result = run(&mut forms).ok();
        *effort = effort.saturating_sub(forms.steps() - before);
        forms.limits_mut().steps = allowed;
        forms.set_interrupt(Interrupt::never());
        result
    }
}
