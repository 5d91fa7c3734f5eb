//! The progress of work, readable from another thread.

use crate::input::{Counter, Source};

/// Counters shared by the work and the code that displays its progress.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    bytes: Counter,
    items: Counter,
    total: Option<u64>,
}

impl Progress {
    /// Nothing read yet from these sources.
    pub fn of(sources: &[Source]) -> Progress {
        Progress {
            total: sources.iter().map(Source::size).sum(),
            ..Progress::default()
        }
    }

    /// Bytes read from disk.
    pub fn bytes(&self) -> u64 {
        self.bytes.get()
    }

    /// Bytes to read in total, if known.
    pub fn total_bytes(&self) -> Option<u64> {
        self.total
    }

    /// Items (games) that are done.
    pub fn items(&self) -> u64 {
        self.items.get()
    }

    /// Adds items that are done.
    pub fn add_items(&self, more: u64) {
        self.items.add(more);
    }

    /// The counter for [`Source::open_counted`].
    pub fn byte_counter(&self) -> Counter {
        self.bytes.clone()
    }
}
