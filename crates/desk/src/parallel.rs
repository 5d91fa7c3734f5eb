//! Work on all cores with results in the order of the input, in bounded memory.
//!
//! One thread takes items from the source, workers turn each into a result, the calling thread
//! receives the results in order. At most a few items per worker are under way at any time.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;

use crate::Stop;

/// Items under way for each worker: one in work, one waiting, one finished too early.
const IN_FLIGHT: usize = 3;

/// How the work is spread, and how it is told to end.
#[derive(Clone, Debug)]
pub struct Crew {
    /// How many workers.
    pub threads: NonZeroUsize,
    /// Raised to end early.
    pub stop: Stop,
}

impl Crew {
    /// This many workers; none given: one for each core.
    pub fn new(threads: Option<NonZeroUsize>, stop: Stop) -> Crew {
        let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Crew {
            threads: threads.unwrap_or_else(cores),
            stop,
        }
    }

    /// One worker and nobody to stop it.
    pub fn alone() -> Crew {
        Crew::new(Some(NonZeroUsize::MIN), Stop::new())
    }

    /// One of so many groups of this crew: at least one worker.
    pub fn divided(&self, groups: usize) -> Crew {
        let threads = self.threads.get() / groups.max(1);
        Crew {
            threads: NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN),
            stop: self.stop.clone(),
        }
    }

    /// Works through `items` and hands each result, in order, to `collect`, until the items end,
    /// `collect` breaks off, or the stop is raised.
    ///
    /// With one worker everything happens on the calling thread.
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
        let items = items.take_while(|_| !self.stop.is_raised());
        let broken = match self.threads.get() {
            1 => items.map(work).try_for_each(&mut collect),
            threads => spread(threads, items, work, &mut collect),
        };
        match broken {
            ControlFlow::Break(why) => End::Broken(why),
            ControlFlow::Continue(()) if self.stop.is_raised() => End::Stopped,
            ControlFlow::Continue(()) => End::Done,
        }
    }
}

/// Many threads at one search.
impl ::sums::Crew for Crew {
    fn threads(&self) -> usize {
        self.threads.get()
    }

    fn run(&self, work: &(dyn Fn() + Sync)) {
        thread::scope(|scope| {
            for _ in 1..self.threads.get() {
                scope.spawn(work);
            }
            work();
        });
    }
}

/// How the work ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End<B> {
    /// All items were worked through.
    Done,
    /// The stop was raised; what had been begun was finished and collected.
    Stopped,
    /// The collector broke off.
    Broken(B),
}

/// An item and the place where its result is awaited.
type Job<T, R> = (T, Sender<R>);

fn spread<T: Send, R: Send, B>(
    threads: usize,
    items: impl Iterator<Item = T> + Send,
    work: impl Fn(T) -> R + Sync,
    collect: &mut impl FnMut(R) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let (jobs, todo) = channel();
    // The queue of awaited results is in order of the input and bounded, and so bounds everything.
    let (await_next, awaited) = sync_channel(threads * IN_FLIGHT);
    let todo = Mutex::new(todo);
    thread::scope(|scope| {
        scope.spawn(move || hand_out(items, &jobs, &await_next));
        for _ in 0..threads {
            scope.spawn(|| labour(&todo, &work));
        }
        // A result that never comes means that a worker panicked: the scope passes the panic on.
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

fn labour<T, R>(todo: &Mutex<Receiver<Job<T, R>>>, work: impl Fn(T) -> R) {
    while let Some((item, result)) = next_job(todo) {
        // The collector may have broken off: then nobody waits for it.
        result.send(work(item)).ok();
    }
}

fn next_job<J>(todo: &Mutex<Receiver<J>>) -> Option<J> {
    todo.lock().ok()?.recv().ok()
}

#[cfg(test)]
mod tests;
