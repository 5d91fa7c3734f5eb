//! A flag that asks long work to come to a good end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Shared by whoever may stop the work (Ctrl-C, a closed pipe) and whoever does it.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// A flag that nobody has raised yet.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Asks for the end. Work in hand is finished, nothing new is begun.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// True once the end was asked for.
    #[inline]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Takes it back: what was asked to end has ended, and something else begins.
    pub fn lower(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// The bare flag, for crates that know no desk.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }
}
