//! Interrupts of long computations: a deadline, and a flag that another thread may set.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Returned when a question exceeds its [`Budget`](crate::Budget).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum GaveUp {
    /// Time ran out.
    Time,
    /// Too many sums were searched.
    Nodes,
    /// The tables are full.
    Bytes,
    /// The game takes too many moves to be evaluated recursively.
    Depth,
    /// A stop was requested.
    Stopped,
    /// No move wins a sum that is recorded as won: a database or a saved state is wrong.
    Contradiction,
}

impl fmt::Display for GaveUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GaveUp::Time => "not solved within the time limit",
            GaveUp::Nodes => "not solved within the node limit",
            GaveUp::Bytes => "not solved within the memory limit",
            GaveUp::Depth => "not solved: the game takes too many moves",
            GaveUp::Stopped => "stopped",
            GaveUp::Contradiction => "inconsistent database or saved state",
        })
    }
}

impl std::error::Error for GaveUp {}

/// A deadline and a stop flag, checked at short intervals by every long computation.
///
/// Once an interrupt is due it stays due, until its deadline is replaced or its flag is cleared.
///
/// ```
/// use gametree_sums::{GaveUp, Interrupt};
/// use std::time::Duration;
/// assert_eq!(Interrupt::never().check(), Ok(()));
/// assert_eq!(Interrupt::after(Duration::ZERO).check(), Err(GaveUp::Time));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    deadline: Option<Instant>,
    stop: Arc<AtomicBool>,
    #[cfg(test)]
    checks: Option<Arc<testing::Checks>>,
}

impl Interrupt {
    /// An interrupt that is never due.
    #[must_use]
    pub fn never() -> Interrupt {
        Interrupt::default()
    }

    /// An interrupt that is due after this time.
    #[must_use]
    pub fn after(time: Duration) -> Interrupt {
        Interrupt::never().with_time(Some(time))
    }

    /// An interrupt that is due as soon as the flag is set.
    #[must_use]
    pub fn on(flag: Arc<AtomicBool>) -> Interrupt {
        Interrupt {
            stop: flag,
            ..Interrupt::default()
        }
    }

    /// The same flag with a new deadline: this time from now, or none.
    #[must_use]
    pub fn with_time(mut self, time: Option<Duration>) -> Interrupt {
        self.set_time(time);
        self
    }

    /// Replaces the deadline: this time from now, or none.
    pub(crate) fn set_time(&mut self, time: Option<Duration>) {
        // A time beyond the range of the clock means no limit.
        self.deadline = time.and_then(|time| Instant::now().checked_add(time));
    }

    /// Replaces the flag.
    pub(crate) fn set_flag(&mut self, flag: Arc<AtomicBool>) {
        self.stop = flag;
    }

    /// Returns [`GaveUp::Time`] after the deadline and [`GaveUp::Stopped`] when the flag is set.
    pub fn check(&self) -> Result<(), GaveUp> {
        #[cfg(test)]
        if let Some(checks) = &self.checks {
            checks.count()?;
        }
        if self.stop.load(Ordering::Relaxed) {
            return Err(GaveUp::Stopped);
        }
        if self.deadline.is_some_and(|end| Instant::now() > end) {
            return Err(GaveUp::Time);
        }
        Ok(())
    }

    /// Returns true if the computation has to end now.
    pub fn is_due(&self) -> bool {
        self.check().is_err()
    }
}

#[cfg(test)]
pub(crate) mod testing {
    //! Interrupts that count checks, so that tests need no clock.

    use super::*;
    use std::sync::atomic::AtomicU64;

    /// The number of checks made, and the number allowed.
    #[derive(Debug)]
    pub struct Checks {
        made: AtomicU64,
        allowed: u64,
    }

    impl Checks {
        pub(super) fn count(&self) -> Result<(), GaveUp> {
            if self.made.fetch_add(1, Ordering::Relaxed) < self.allowed {
                Ok(())
            } else {
                Err(GaveUp::Stopped)
            }
        }
    }

    impl Interrupt {
        /// An interrupt that is due after this many checks.
        pub fn after_checks(allowed: u64) -> Interrupt {
            Interrupt {
                checks: Some(Arc::new(Checks {
                    made: AtomicU64::new(0),
                    allowed,
                })),
                ..Interrupt::default()
            }
        }

        /// The number of checks so far.
        pub fn checks_made(&self) -> u64 {
            let made = |checks: &Arc<Checks>| checks.made.load(Ordering::Relaxed);
            self.checks.as_ref().map_or(0, made)
        }
    }

    #[test]
    fn a_set_flag_is_due_at_once() {
        let flag = Arc::new(AtomicBool::new(false));
        let interrupt = Interrupt::on(Arc::clone(&flag)).with_time(Some(Duration::MAX));
        assert!(!interrupt.is_due());
        flag.store(true, Ordering::Relaxed);
        assert_eq!(interrupt.check(), Err(GaveUp::Stopped));
    }

    #[test]
    fn checks_are_counted() {
        let interrupt = Interrupt::after_checks(2);
        assert_eq!([(); 3].map(|()| interrupt.is_due()), [false, false, true]);
        assert_eq!(interrupt.checks_made(), 3);
    }
}
