//! The tables that all threads of a solver share.

use super::components::Components;
use super::lists::Lists;
use super::notes::{Notes, Values};
use super::sync::{Mutex, MutexGuard, locked};
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
    }
}
