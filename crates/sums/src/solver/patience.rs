//! When to give up: looked at now and then, also in the midst of a large board.

use super::GaveUp;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Cells between two looks at the clock: some milliseconds of work.
const CELLS: usize = 1 << 17;

/// What ends a question, and how much was done since this was last looked at.
#[derive(Clone, Debug)]
pub(crate) struct Patience {
    /// When time runs out.
    pub deadline: Option<Instant>,
    /// Raised by somebody who wants to stop.
    pub stop: Arc<AtomicBool>,
    /// Bytes that may be used.
    pub bytes: usize,
    cells: usize,
}

impl Patience {
    pub fn new(bytes: usize) -> Patience {
        Patience {
            deadline: None,
            stop: Arc::default(),
            bytes,
            cells: 0,
        }
    }

    /// Counts a board of so many cells.
    #[inline]
    pub fn count(&mut self, cells: usize) {
        self.cells += cells;
    }

    /// Is it time to look again? Then the count begins anew.
    #[inline]
    pub fn is_due(&mut self) -> bool {
        let due = self.cells >= CELLS;
        if due {
            self.cells = 0;
        }
        due
    }

    /// Gives up when time or memory is spent.
    pub fn check(&self, bytes_used: usize) -> Result<(), GaveUp> {
        if self.deadline.is_some_and(|end| Instant::now() > end) {
            return Err(GaveUp::Time);
        }
        if self.stop.load(Ordering::Relaxed) {
            return Err(GaveUp::Stopped);
        }
        match bytes_used > self.bytes {
            true => Err(GaveUp::Bytes),
            false => Ok(()),
        }
    }
}
