//! The checks that end a question: time, memory, and requests to stop.

use super::GaveUp;
use crate::interrupt::Interrupt;

/// Cells between two checks: a few milliseconds of work.
const CELLS: usize = 1 << 17;

/// The limits of a question, and the work since they were last checked.
#[derive(Clone, Debug)]
pub(crate) struct LimitCheck {
    /// The deadline and the stop flag of the question.
    pub signal: Interrupt,
    /// Bytes that may be used.
    pub bytes: usize,
    cells: usize,
}

impl LimitCheck {
    pub fn new(bytes: usize) -> LimitCheck {
        LimitCheck {
            signal: Interrupt::never(),
            bytes,
            cells: 0,
        }
    }

    /// Counts the cells of a board as work.
    #[inline]
    pub fn count(&mut self, cells: usize) {
        self.cells += cells;
    }

    /// Returns true if a check is due, and restarts the count.
    #[inline]
    pub fn is_due(&mut self) -> bool {
        let due = self.cells >= CELLS;
        if due {
            self.cells = 0;
        }
        due
    }

    /// Gives up when time is over or a stop was requested.
    pub fn check_time(&self) -> Result<(), GaveUp> {
        self.signal.check()
    }

    /// Gives up when time is over, a stop was requested, or too much memory is used.
    pub fn check(&self, bytes_used: usize) -> Result<(), GaveUp> {
        self.check_time()?;
        if bytes_used > self.bytes {
            return Err(GaveUp::Bytes);
        }
        Ok(())
    }
}
