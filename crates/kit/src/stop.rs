//! A flag that makes long work finish early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Shared by the code that stops the work (Ctrl-C, a closed pipe) and the code that does it.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// A flag that is not raised.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Requests a stop. Items in progress are finished, no new ones are started.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// True once a stop was requested.
    #[inline]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The items until a stop is requested.
    pub fn while_running<I: IntoIterator>(&self, items: I) -> impl Iterator<Item = I::Item> {
        items.into_iter().take_while(|_| !self.is_raised())
    }

    /// Clears the request, before the next piece of work starts.
    pub fn lower(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// The underlying flag, for crates that do not depend on this one.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }
}
