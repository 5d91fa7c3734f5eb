//! The primitives that threads share: those of the standard library, or those of loom, which run
//! the modules of the solver through every order of events that the memory model allows.

/// True when the tests run under loom: sizes are small then, so that models stay tractable.
pub(super) const IS_MODEL: bool = cfg!(all(loom, test));

#[cfg(not(all(loom, test)))]
mod imp {
    pub(crate) use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, AtomicU64, AtomicUsize};
    pub(crate) use std::sync::{Mutex, MutexGuard, OnceLock};
    pub(crate) use std::thread::yield_now;

    /// A small number for this thread, which distributes threads; several may have the same number.
    pub(crate) fn thread_number() -> usize {
        use std::sync::atomic::Ordering;
        static THREADS: AtomicUsize = AtomicUsize::new(0);
        thread_local! {
            // Relaxed: no other memory depends on the number.
            static NUMBER: usize = THREADS.fetch_add(1, Ordering::Relaxed);
        }
        NUMBER.with(|&number| number)
    }
}

#[cfg(all(loom, test))]
mod imp {
    use std::sync::atomic::Ordering;

    pub(crate) use loom::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, AtomicU64, AtomicUsize};
    pub(crate) use loom::sync::{Mutex, MutexGuard};
    pub(crate) use loom::thread::yield_now;

    /// All threads have the same number, so that they take memory from each other's blocks.
    pub(crate) fn thread_number() -> usize {
        0
    }

    /// A cell that is written once, with only the guarantees of the standard one: a reader that is
    /// not synchronized with the writer may find it empty.
    pub(crate) struct OnceLock<T> {
        is_set: AtomicBool,
        writer: Mutex<()>,
        /// Invisible to loom, so that it orders nothing.
        value: std::sync::OnceLock<T>,
    }

    impl<T> OnceLock<T> {
        pub fn new() -> OnceLock<T> {
            OnceLock {
                is_set: AtomicBool::new(false),
                writer: Mutex::new(()),
                value: std::sync::OnceLock::new(),
            }
        }

        pub fn get(&self) -> Option<&T> {
            let is_set = self.is_set.load(Ordering::Acquire);
            self.value.get().filter(|_| is_set)
        }

        pub fn get_or_init(&self, init: impl FnOnce() -> T) -> &T {
            if self.get().is_none() {
                let _writer = super::locked(&self.writer);
                self.value.get_or_init(init);
                self.is_set.store(true, Ordering::Release);
            }
            self.value.get().expect("set above")
        }
    }
}

pub(super) use imp::*;
pub(super) use std::sync::atomic::Ordering;

/// Locks a mutex. A panic elsewhere is passed on by the code that runs the threads, and no update
/// behind a lock of the solver is left half done.
#[inline]
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}
