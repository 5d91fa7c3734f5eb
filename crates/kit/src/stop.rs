//! A flag that makes long work finish early.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Once};
use std::time::{Duration, Instant};

/// Shared by the code that stops the work (Ctrl-C, a closed pipe) and the code that does it.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    flag: Arc<AtomicBool>,
    /// What only long work needs.
    later: Option<Arc<Later>>,
}

impl Stop {
    /// A flag that is not raised.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Requests a stop. Items in progress are finished, no new ones are started.
    pub fn raise(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// True once a stop was requested.
    #[inline]
    pub fn is_raised(&self) -> bool {
        if let Some(later) = &self.later {
            later.check();
        }
        self.flag.load(Ordering::Relaxed)
    }

    /// The same flag, for work that is expected to be short: the first check after `delay` calls
    /// `prepare`, which is not worth its time before.
    pub fn preparing(&self, delay: Duration, prepare: impl Fn() + Send + Sync + 'static) -> Stop {
        let later = Later {
            at: Instant::now() + delay,
            once: Once::new(),
            prepare: Box::new(prepare),
        };
        Stop {
            flag: self.flag.clone(),
            later: Some(Arc::new(later)),
        }
    }

    /// The items until a stop is requested.
    pub fn while_running<I: IntoIterator>(&self, items: I) -> impl Iterator<Item = I::Item> {
        items.into_iter().take_while(|_| !self.is_raised())
    }

    /// Clears the request, before the next piece of work starts.
    pub fn lower(&self) {
        self.flag.store(false, Ordering::Relaxed);
    }

    /// The underlying flag, for crates that do not depend on this one.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.flag.clone()
    }
}

/// An action for work that lasts.
struct Later {
    at: Instant,
    once: Once,
    prepare: Box<dyn Fn() + Send + Sync>,
}

impl Later {
    fn check(&self) {
        if !self.once.is_completed() && Instant::now() >= self.at {
            self.once.call_once(&self.prepare);
        }
    }
}

impl fmt::Debug for Later {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Later").field("at", &self.at).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn only_lasting_work_is_prepared_for_and_once() {
        let calls = Arc::new(AtomicUsize::new(0));
        let of = |delay| {
            let calls = calls.clone();
            let count = move || {
                calls.fetch_add(1, Ordering::Relaxed);
            };
            Stop::new().preparing(delay, count)
        };
        assert!(!of(Duration::from_secs(3600)).is_raised());
        assert_eq!(calls.load(Ordering::Relaxed), 0);
        let stop = of(Duration::ZERO);
        stop.raise();
        assert!(stop.is_raised() && stop.clone().is_raised());
        assert_eq!(calls.load(Ordering::Relaxed), 1);
    }
}
