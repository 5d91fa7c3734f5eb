//! Limits on steps and memory, after which a game is given up.

use super::{Entry, Matcher, Value};
use crate::Host;
use crate::ast::{VarId, Variable};
use crate::result::GiveUp;

/// Steps between two checks for an interrupt: some milliseconds.
const STEPS_UNCHECKED: u64 = 1 << 20;
/// The memory of a comment, message or entry besides its text.
pub(super) const ITEM_BYTES: u64 = 64;
/// The memory of a state of a line or path, with its continuations.
const STATE_BYTES: u64 = 128;
/// The memory of an imagined position.
const IMAGINED_BYTES: u64 = 512;

/// Memory in use, estimated: in this game, and by persistent variables.
#[derive(Default)]
pub(super) struct Memory {
    /// All memory kept since the last recount, whether or not it was freed again.
    kept: u64,
    /// The part that only grows within a game.
    pinned: u64,
    /// The memory of persistent variables, at most: replaced values count until the next recount.
    persistent: u64,
    /// The reason for giving up the game.
    reason: Option<GiveUp>,
}

impl<'q> Matcher<'q> {
    pub(super) fn reset_budget(&mut self) {
        self.steps = self.q.steps;
        self.memory = Memory {
            persistent: self.memory.persistent,
            ..Memory::default()
        };
    }

    /// Persistent variables have their first values again.
    pub(super) fn forget_persistent(&mut self) {
        self.memory.persistent = 0;
    }

    /// Uses up one step; false when there are none left.
    #[inline]
    pub(super) fn step(&mut self) -> bool {
        // one test for the last step and for those before a check
        if self.steps % STEPS_UNCHECKED <= 1 {
            return self.rare_step();
        }
        self.steps -= 1;
        true
    }

    #[cold]
    fn rare_step(&mut self) -> bool {
        let before = self.steps;
        self.steps = before.saturating_sub(1);
        if self.steps > 0 && before.is_multiple_of(STEPS_UNCHECKED) {
            self.check_interrupt();
        }
        self.steps > 0
    }

    /// Uses up a number of steps.
    #[inline]
    pub(super) fn spend(&mut self, steps: u64) {
        let before = self.steps;
        self.steps = before.saturating_sub(steps);
        if before / STEPS_UNCHECKED != self.steps / STEPS_UNCHECKED {
            self.check_interrupt();
        }
    }

    /// The steps for one pass over a text.
    pub(super) fn spend_on(&mut self, text: &str) {
        self.spend(text.len() as u64 / 16);
    }

    /// Gives up the game if the host requests it.
    #[cold]
    fn check_interrupt(&mut self) {
        if self.host.is_some_and(Host::is_stopped) {
            self.give_up(GiveUp::Stopped);
        }
    }

    fn give_up(&mut self, reason: GiveUp) {
        self.steps = 0;
        self.memory.reason.get_or_insert(reason);
    }

    /// The reason for giving up the game, if it was.
    pub(super) fn given_up(&self) -> Option<GiveUp> {
        (self.steps == 0).then(|| self.memory.reason.unwrap_or(GiveUp::Steps))
    }

    /// Counts memory that is kept, perhaps temporarily.
    #[inline]
    pub(super) fn keep(&mut self, bytes: u64) {
        self.memory.kept += bytes;
        if self.memory.kept > self.q.memory {
            self.recount();
        }
    }

    /// Counts memory that is kept until the game ends.
    pub(super) fn keep_for_game(&mut self, bytes: u64) {
        self.memory.pinned += bytes;
        self.keep(bytes);
    }

    /// Counts memory that a variable keeps.
    pub(super) fn keep_in(&mut self, var: VarId, bytes: u64) {
        if !self.q.variables[var.0 as usize].persistent {
            return self.keep(bytes);
        }
        // Matchers whose values are merged later search few games each, many of them at once.
        let limit = if self.q.is_parallel() {
            self.q.memory
        } else {
            self.q.persistent_memory
        };
        if !self.keep_persistent(bytes, limit) {
            self.give_up(GiveUp::PersistentMemory);
        }
    }

    /// Counts the memory of persistent values merged from another matcher.
    pub(super) fn keep_absorbed(&mut self, later: &Matcher<'_>) -> Result<(), GiveUp> {
        if self.keep_persistent(later.memory.persistent, self.q.persistent_memory) {
            Ok(())
        } else {
            Err(GiveUp::PersistentMemory)
        }
    }

    /// Counts the memory of persistent values; false if it exceeds the limit. Half of the limit
    /// must be free after measuring, so that measuring stays rare.
    fn keep_persistent(&mut self, bytes: u64, limit: u64) -> bool {
        self.memory.persistent += bytes;
        if self.memory.persistent <= limit {
            return true;
        }
        self.memory.persistent = self.measure_values(|variable| variable.persistent);
        self.memory.persistent <= limit / 2
    }

    /// The memory of some variables.
    fn measure_values(&self, which: impl Fn(&Variable) -> bool) -> u64 {
        let variables = self.values.iter().zip(&self.q.variables);
        let measured = variables.filter(|(_, variable)| which(variable));
        measured.map(|(value, _)| value.bytes()).sum()
    }

    /// Counts one more state of a line or path.
    #[inline]
    pub(super) fn keep_state(&mut self) {
        self.keep_for_game(STATE_BYTES);
    }

    /// Releases states.
    pub(super) fn drop_states(&mut self, states: usize) {
        let bytes = states as u64 * STATE_BYTES;
        self.memory.pinned = self.memory.pinned.saturating_sub(bytes);
    }

    /// Measures the memory still in use. Half of the limit must be free then, so that measuring
    /// stays rare.
    #[cold]
    fn recount(&mut self) {
        let remarks = self.remarks.iter().map(|r| ITEM_BYTES + len(&r.text));
        let messages = self.result.messages.iter().map(|m| ITEM_BYTES + len(m));
        let imagined = self.positions.imagined_count() as u64 * IMAGINED_BYTES;
        let texts = remarks.chain(messages).sum::<u64>();
        let values = self.measure_values(|variable| !variable.persistent);
        self.memory.kept = self.memory.pinned + texts + values + imagined + self.sorts.bytes();
        if self.memory.kept > self.q.memory / 2 {
            self.give_up(GiveUp::Memory);
        }
    }

    pub(super) fn keep_imagined_board(&mut self) {
        self.keep(IMAGINED_BYTES);
    }

    /// Records the first variable that was read without a value.
    #[cold]
    pub(super) fn report_unbound(&mut self, var: VarId) {
        let name = &self.q.variables[var.0 as usize].name;
        self.result.unbound.get_or_insert_with(|| name.clone());
    }
}

fn len(text: &str) -> u64 {
    text.len() as u64
}

impl Value {
    fn bytes(&self) -> u64 {
        match self {
            Value::Unbound | Value::Set(_) | Value::Piece(_) => 0,
            Value::Entry(entry) => entry.bytes(),
            Value::Dictionary(map) => map.iter().map(|(k, v)| k.bytes() + v.bytes()).sum(),
        }
    }
}

impl Entry {
    /// Its memory.
    pub(super) fn bytes(&self) -> u64 {
        match self {
            Entry::Text(text) => ITEM_BYTES + len(text),
            Entry::Num(_) | Entry::Set(_) | Entry::Place(_) => ITEM_BYTES,
        }
    }
}
