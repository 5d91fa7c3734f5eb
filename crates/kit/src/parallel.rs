//! Work on all cores with results in the order of the input, in bounded memory.
//!
//! One thread takes items from the source, workers turn each into a result, the calling thread
//! receives the results in order. At most a few items per worker are in flight at any time.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;

use crate::Stop;

/// Items in flight per worker: one being worked on, one queued, one finished early.
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
        let items = first.into_iter().chain(items);
        let broken = match self.threads.get() {
            1 => items.map(work).try_for_each(&mut collect),
            _ if is_only => items.map(work).try_for_each(&mut collect),
            threads => spread(threads, items, work, &mut collect),
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

/// An item and the channel for its result.
type Job<T, R> = (T, Sender<R>);

fn spread<T: Send, R: Send, B>(
    threads: usize,
    items: impl Iterator<Item = T> + Send,
    work: impl Fn(T) -> R + Sync,
    collect: &mut impl FnMut(R) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let (jobs, todo) = channel();
    // The queue of awaited results is in input order and bounded; it bounds everything else.
    let (await_next, awaited) = sync_channel(threads * IN_FLIGHT);
    let todo = Mutex::new(todo);
    thread::scope(|scope| {
        scope.spawn(move || hand_out(items, &jobs, &await_next));
        for _ in 0..threads {
            scope.spawn(|| worker_loop(&todo, &work));
        }
        // A missing result means that a worker panicked: the scope propagates the panic.
        let results = awaited
            .iter()
            .map_while(|result: Receiver<R>| result.recv().ok());
        let broken = { results }.try_for_each(collect);
        drop(awaited);
        broken
    })
}

fn hand_out<T, R>(
    items: impl Iterator<Item = T>,
    jobs: &Sender<Job<T, R>>,
    await_next: &SyncSender<Receiver<R>>,
) {
    for item in items {
        let (result, awaited) = channel();
        if await_next.send(awaited).is_err() || jobs.send((item, result)).is_err() {
            return;
        }
    }
}

fn worker_loop<T, R>(todo: &Mutex<Receiver<Job<T, R>>>, work: impl Fn(T) -> R) {
    while let Some((item, result)) = next_job(todo) {
        // The collector may have stopped early; then the result is not needed.
        result.send(work(item)).ok();
    }
}

fn next_job<J>(todo: &Mutex<Receiver<J>>) -> Option<J> {
    todo.lock().ok()?.recv().ok()
}

#[cfg(test)]
mod tests;
