//! What all threads of a solver know together.

use super::components::Components;
use super::index::locked;
use super::lists::Lists;
use super::notes::{Notes, Values};
use super::table::Table;
use crate::value::{Forms, Limits};
use std::sync::{Mutex, MutexGuard};

/// Components, values and sums, and what is known of each.
///
/// Everything here only grows, and is read and written without a lock, but for the index of each
/// kind of thing, which has many, and for canonical forms, which have one.
pub(crate) struct Common {
    forms: Mutex<Forms>,
    pub components: Components,
    pub values: Values,
    pub notes: Notes,
    pub lists: Lists,
    pub table: Table,
}

impl Common {
    /// Values within these limits.
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

    /// The canonical forms; others wait as long as they are held.
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
