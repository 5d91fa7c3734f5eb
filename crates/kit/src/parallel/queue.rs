//! The order of work on numbered slots: which slot is filled, worked on or collected next.
//!
//! Nothing here depends on what the slots hold.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::Stop;

/// A ring of slots. Each is filled, worked on and collected in turn, then filled again.
pub(super) struct Queue<'a> {
    stop: &'a Stop,
    state: Mutex<State>,
    /// Signals a collected slot, to the worker whose turn it is to fill one.
    room: Condvar,
    /// Signals a finished slot, to the collector.
    finished: Condvar,
}

/// Counts from the start; slot `n` of the input is slot `n % slots` of the ring.
struct State {
    /// For each slot of the ring: work on it is finished.
    is_finished: Vec<bool>,
    filled: usize,
    collected: usize,
    /// No more slots will be filled: the input ended, or a stop was requested.
    is_complete: bool,
    /// The collector broke off, or a thread panicked.
    is_cancelled: bool,
}

/// Fills a slot, or returns false at the end of the input.
type Fill<'a> = dyn FnMut(usize) -> bool + Send + 'a;

impl Queue<'_> {
    pub(super) fn new(slots: usize, stop: &Stop) -> Queue<'_> {
        Queue {
            stop,
            state: Mutex::new(State {
                is_finished: vec![false; slots],
                filled: 0,
                collected: 0,
                is_complete: false,
                is_cancelled: false,
            }),
            room: Condvar::new(),
            finished: Condvar::new(),
        }
    }

    /// Runs `fill`, until it returns false, and `work` on each filled slot on `threads` threads, and
    /// `collect` on the finished slots, in order, on this thread until it returns false. After a
    /// stop request only the slots that were filled are finished and collected.
    ///
    /// The thread that fills a slot works on it, because what it read is in its processor's cache.
    ///
    /// A panic on any thread ends the work and is propagated.
    pub(super) fn run(
        &self,
        threads: usize,
        fill: &mut Fill,
        work: &(dyn Fn(usize) + Sync),
        collect: &mut dyn FnMut(usize) -> bool,
    ) {
        let fill = Mutex::new(fill);
        thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| self.work_loop(&fill, work));
            }
            let _cancel = CancelOnDrop(self);
            while let Some(at) = self.next_finished() {
                if !collect(at) {
                    return;
                }
                self.mark_collected();
            }
        });
    }

    fn work_loop(&self, fill: &Mutex<&mut Fill>, work: &dyn Fn(usize)) {
        let cancel = CancelOnDrop(self);
        while let Some(at) = self.next_filled(fill) {
            work(at);
            self.mark_finished(at);
        }
        std::mem::forget(cancel);
    }

    /// Fills the next slot; none if no more will be filled. One thread fills at a time.
    fn next_filled(&self, fill: &Mutex<&mut Fill>) -> Option<usize> {
        // After a panic in `fill` everything is cancelled.
        let mut fill = fill.lock().ok()?;
        let at = self.next_free()?;
        let is_filled = fill(at);
        let mut state = self.state();
        if is_filled {
            state.filled += 1;
            return Some(at);
        }
        state.is_complete = true;
        self.finished.notify_one();
        None
    }

    /// The next slot to fill, when there is room for it; none if no more will be filled.
    fn next_free(&self) -> Option<usize> {
        let is_full = |s: &mut State| !s.is_cancelled && s.filled - s.collected == s.slots();
        let mut state = self.wait(&self.room, is_full);
        if self.stop.is_raised() {
            state.is_complete = true;
            self.finished.notify_one();
        }
        let is_over = state.is_complete || state.is_cancelled;
        (!is_over).then(|| state.filled % state.slots())
    }

    fn mark_finished(&self, at: usize) {
        let mut state = self.state();
        state.is_finished[at] = true;
        if at == state.collected % state.slots() {
            self.finished.notify_one();
        }
    }

    /// The next slot to collect, when its work is finished; none at the end.
    fn next_finished(&self) -> Option<usize> {
        let is_pending = |s: &mut State| {
            !s.is_cancelled && !s.is_end() && !s.is_finished[s.collected % s.slots()]
        };
        let mut state = self.wait(&self.finished, is_pending);
        let at = state.collected % state.slots();
        let is_next = !state.is_cancelled && state.is_finished[at];
        state.is_finished[at] = false;
        is_next.then_some(at)
    }

    fn mark_collected(&self) {
        self.state().collected += 1;
        self.room.notify_one();
    }

    fn cancel(&self) {
        self.state().is_cancelled = true;
        self.room.notify_all();
        self.finished.notify_all();
    }

    fn wait<'a>(
        &'a self,
        signal: &Condvar,
        condition: impl FnMut(&mut State) -> bool,
    ) -> MutexGuard<'a, State> {
        let state = signal.wait_while(self.state(), condition);
        state.unwrap_or_else(PoisonError::into_inner)
    }

    /// The counts are changed without a panic in between, so they are right even if poisoned.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn slots(&self) -> usize {
        self.is_finished.len()
    }

    /// Everything that is or will be worked on is collected.
    fn is_end(&self) -> bool {
        self.is_complete && self.collected == self.filled
    }
}

/// Ends the work of all threads if one of them panics or the collector breaks off.
struct CancelOnDrop<'a>(&'a Queue<'a>);

impl Drop for CancelOnDrop<'_> {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
