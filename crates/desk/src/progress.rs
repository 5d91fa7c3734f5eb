//! How far the work has come, for another thread to look at.

use crate::input::{Counter, Source};

/// Counters shared by the work and whoever shows its progress.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    bytes: Counter,
    games: Counter,
    total: Option<u64>,
}

impl Progress {
    /// Nothing done yet of these sources.
    pub fn of(sources: &[Source]) -> Progress {
        Progress {
            total: sources.iter().map(Source::size).sum(),
            ..Progress::default()
        }
    }

    /// Bytes taken from the disk.
    pub fn bytes(&self) -> u64 {
        self.bytes.get()
    }

    /// All bytes that will be taken, where that is known.
    pub fn total_bytes(&self) -> Option<u64> {
        self.total
    }

    /// Games that are done.
    pub fn games(&self) -> u64 {
        self.games.get()
    }

    /// Counts games that are done.
    pub fn add_games(&self, more: u64) {
        self.games.add(more);
    }

    /// The counter for [`Source::open_counted`].
    pub fn byte_counter(&self) -> Counter {
        self.bytes.clone()
    }
}
