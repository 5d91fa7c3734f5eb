//! The tables that all threads of a solver share.

use super::components::Components;
use super::lists::Lists;
use super::notes::{Notes, Values};
use super::sync::{AtomicUsize, Mutex, MutexGuard, Ordering, locked};
use super::table::Table;
use crate::value::{Forms, Limits};

/// Components, values and sums, and the results about each.
///
/// The tables only grow. They are read and written without locks, except for the indexes, which
/// have many locks each, and the canonical forms, which have one.
pub(crate) struct Common {
    forms: Mutex<Forms>,
    pub components: Components,
    pub values: Values,
    pub notes: Notes,
    pub lists: Lists,
    pub table: Table,
    /// The bytes of the pairs of all threads, and how many there may be when a table grows.
    pair_bytes: AtomicUsize,
    most_pair_bytes: usize,
}

impl Common {
    /// Creates empty tables with these limits on values.
    pub fn new(limits: Limits) -> Common {
        Common {
            forms: Mutex::new(Forms::new(limits)),
            components: Components::default(),
            values: Values::default(),
            notes: Notes::default(),
            lists: Lists::default(),
            table: Table::default(),
            pair_bytes: AtomicUsize::new(0),
            most_pair_bytes: limits.bytes / 2,
        }
    }

    /// Locks the canonical forms; other threads wait.
    pub fn forms(&self) -> MutexGuard<'_, Forms> {
        locked(&self.forms)
    }

    pub fn bytes_used(&self) -> usize {
        self.forms().bytes()
            + self.components.bytes_used()
            + self.values.bytes_used()
            + self.notes.bytes_used()
            + self.lists.bytes_used()
            + self.table.bytes_used()
            + self.pair_bytes.load(Ordering::Relaxed)
    }

    /// Returns true if a table of pairs may have this many bytes more.
    pub fn has_room_for_pairs(&self, more: usize) -> bool {
        self.pair_bytes.load(Ordering::Relaxed) + more <= self.most_pair_bytes
    }

    /// Counts the bytes of the pairs of a thread. Relaxed: the counter guards no other memory.
    pub fn count_pair_bytes(&self, before: usize, now: usize) {
        self.pair_bytes.fetch_add(now, Ordering::Relaxed);
        self.pair_bytes.fetch_sub(before, Ordering::Relaxed);
    }
}
