//! Work on all cores with results in the order of the input, in bounded memory.
//!
//! Workers take items from the source in turn and turn each into a result, the calling thread
//! receives the results in order. At most a few items per worker are in flight at any time.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::thread;

use crate::Stop;

mod queue;

use queue::Queue;

/// Items in flight per worker: one being worked on, the others finished early.
const IN_FLIGHT: usize = 3;

/// The number of worker threads, and the flag that ends the work early.
#[derive(Clone, Debug)]
pub struct Workers {
    /// The number of workers.
    pub threads: NonZeroUsize,
    /// Requests an early end.
    pub stop: Stop,
}

impl Default for Workers {
    /// One worker per core, without a stop flag.
    fn default() -> Workers {
        Workers::new(None, Stop::new())
    }
}

impl Workers {
    /// This many workers; `None`: one per core.
    pub fn new(threads: Option<NonZeroUsize>, stop: Stop) -> Workers {
        let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Workers {
            threads: threads.unwrap_or_else(cores),
            stop,
        }
    }

    /// One worker, without a stop flag.
    pub fn alone() -> Workers {
        Workers::new(Some(NonZeroUsize::MIN), Stop::new())
    }

    /// Runs `work` once on every thread at the same time; returns when all have finished.
    pub fn run_on_each(&self, work: &(dyn Fn() + Sync)) {
        thread::scope(|scope| {
            for _ in 1..self.threads.get() {
                scope.spawn(work);
            }
            work();
        });
    }

    /// An equal share of the workers for each of `groups` groups: at least one worker.
    pub fn divided(&self, groups: usize) -> Workers {
        let threads = self.threads.get() / groups.max(1);
        Workers {
            threads: NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN),
            stop: self.stop.clone(),
        }
    }

    /// Applies `work` to `items` and passes each result, in order, to `collect`, until the items
    /// end, `collect` breaks, or the stop flag is raised.
    ///
    /// With one worker everything happens on the calling thread; also if, after the first item, the
    /// [`size_hint`](Iterator::size_hint) excludes more.
    pub fn run<T, R, B>(
        &self,
        items: impl Iterator<Item = T> + Send,
        work: impl Fn(T) -> R + Sync,
        mut collect: impl FnMut(R) -> ControlFlow<B>,
    ) -> End<B>
    where
        T: Send,
        R: Send,
    {
        let mut items = items.take_while(|_| !self.stop.is_raised());
        let first = items.next();
        let is_only = items.size_hint().1 == Some(0);
        let mut items = first.into_iter().chain(items);
        // One call per item through a pointer costs nothing beside the work on it.
        let items: &mut (dyn Iterator<Item = T> + Send) = &mut items;
        let broken = if self.threads.get() > 1 && !is_only {
            spread(self, items, work, &mut collect)
        } else {
            items.map(work).try_for_each(collect)
        };
        match broken {
            ControlFlow::Break(why) => End::Broken(why),
            ControlFlow::Continue(()) if self.stop.is_raised() => End::Stopped,
            ControlFlow::Continue(()) => End::Done,
        }
    }
}

/// How the work ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End<B> {
    /// All items are done.
    Done,
    /// The stop flag was raised; items already started were finished and collected.
    Stopped,
    /// The collector stopped early.
    Broken(B),
}

/// Spreads the items over threads. Only moving items and results into and out of their slots depends
/// on the types, so the threads and queues are compiled once, not once per kind of work.
fn spread<T: Send, R: Send, B>(
    workers: &Workers,
    items: &mut (dyn Iterator<Item = T> + Send),
    work: impl Fn(T) -> R + Sync,
    collect: &mut impl FnMut(R) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let threads = workers.threads.get();
    let queue = Queue::new(threads * IN_FLIGHT, &workers.stop);
    let slots: Vec<Mutex<Slot<T, R>>> = { 0..threads * IN_FLIGHT }
        .map(|_| Mutex::new(Slot::Empty))
        .collect();
    let put = |at: usize, content| {
        if let Ok(mut slot) = slots[at].lock() {
            *slot = content;
        }
    };
    let take = |at: usize| match slots[at].lock() {
        Ok(mut slot) => std::mem::replace(&mut *slot, Slot::Empty),
        Err(_) => Slot::Empty,
    };
    let mut hand_out = |at| match items.next() {
        Some(item) => {
            put(at, Slot::Item(item));
            true
        }
        None => false,
    };
    let do_job = |at| {
        if let Slot::Item(item) = take(at) {
            put(at, Slot::Result(work(item)));
        }
    };
    let mut broken = ControlFlow::Continue(());
    let mut collect_next = |at| {
        if let Slot::Result(result) = take(at) {
            broken = collect(result);
        }
        broken.is_continue()
    };
    queue.run(threads, &mut hand_out, &do_job, &mut collect_next);
    broken
}

/// A place for an item and, later, its result.
enum Slot<T, R> {
    Empty,
    Item(T),
    Result(R),
}

#[cfg(test)]
mod tests;
