//! Parallel search: one search on many threads.
//!
//! All threads search the same tree of proofs, each with its own solver, and see the results of the
//! others at once. A thread that reaches a node while another is opening it waits.

use super::proof::{self, Frame, Nodes, Proofs};
use super::sync::{AtomicBool, Mutex, Ordering, locked, yield_now};
use super::{GaveUp, Solver};
use std::sync::Arc;

/// Runs work on threads. This crate does not start threads itself.
pub trait Workers: Send + Sync {
    /// The number of threads.
    fn threads(&self) -> usize;

    /// Runs the work once on every thread at the same time, and returns when all have finished.
    fn run(&self, work: &(dyn Fn() + Sync));
}

/// Steps between two checks of the state of other threads: reading memory that other threads write
/// is slow.
const CHECK_INTERVAL: u32 = 16;

/// A search on several threads.
pub(super) struct SharedSearch<'a> {
    proofs: &'a Proofs,
    root: u32,
    /// A thread has finished or given up. Relaxed: nothing else is read because of it.
    over: AtomicBool,
    /// The reason of the first thread that gave up.
    gave_up: Mutex<Option<GaveUp>>,
}

impl Solver {
    /// Searches with all threads until the node is proven or the search pauses. Each thread runs
    /// `part`, which calls [`SharedSearch::run`] with the solver of the thread.
    pub(super) fn prove_parallel(
        &mut self,
        workers: &dyn Workers,
        root: u32,
        part: impl Fn(&SharedSearch, &mut Solver) -> Result<(), GaveUp> + Sync,
    ) -> Result<Option<bool>, GaveUp> {
        let common = Arc::clone(&self.arena.common);
        let search = SharedSearch::new(&common.table.proofs, root);
        let helpers = Mutex::new(std::mem::take(&mut self.helpers));
        let leader = &*self;
        workers.run(&|| {
            let idle = locked(&helpers).pop();
            let mut helper = idle.unwrap_or_else(|| leader.helper());
            helper.copy_limits_of(leader);
            search.take_part(|| part(&search, &mut helper));
            locked(&helpers).push(helper);
        });
        self.helpers = std::mem::take(&mut *locked(&helpers));
        search.result()
    }

    /// A solver for another thread that takes part in the same search.
    fn helper(&self) -> Solver {
        Solver {
            cost: Arc::clone(&self.cost),
            ..self.share()
        }
    }

    /// Copies the limits of the current question, and the attached databases.
    fn copy_limits_of(&mut self, leader: &Solver) {
        self.arena.interrupt = leader.arena.interrupt.clone();
        self.arena.databases.clone_from(&leader.arena.databases);
        self.nodes_allowed = leader.nodes_allowed;
        self.buffers.pause_at = leader.buffers.pause_at;
    }
}

impl<'a> SharedSearch<'a> {
    fn new(proofs: &'a Proofs, root: u32) -> SharedSearch<'a> {
        SharedSearch {
            proofs,
            root,
            over: AtomicBool::new(false),
            gave_up: Mutex::new(None),
        }
    }

    /// Runs the part of one thread.
    fn take_part(&self, part: impl FnOnce() -> Result<(), GaveUp>) {
        let _ending = EndOnDrop(self);
        if let Err(reason) = part() {
            locked(&self.gave_up).get_or_insert(reason);
        }
    }

    /// The result after all threads have ended: a proof takes precedence over giving up.
    fn result(&self) -> Result<Option<bool>, GaveUp> {
        match (self.proofs.result(self.root), *locked(&self.gave_up)) {
            (None, Some(reason)) => Err(reason),
            (result, _) => Ok(result),
        }
    }

    /// Searches until the root is proven, the search pauses, or another thread ends it.
    pub fn run(&self, nodes: &mut impl Nodes) -> Result<(), GaveUp> {
        let mut path = Path::new(self.proofs);
        path.push(Frame::at_root(self.root));
        let mut steps = 0u32;
        while let Some(&frame) = path.frames.last() {
            steps = steps.wrapping_add(1);
            if steps.is_multiple_of(CHECK_INTERVAL) {
                if nodes.pause() || self.is_over() {
                    return Ok(());
                }
                path.leave_proven();
                continue;
            }
            match self.visit(nodes, frame)? {
                Some(deeper) => path.push(deeper),
                None => path.truncate(path.frames.len() - 1),
            }
        }
        Ok(())
    }

    /// Visits a node. While another thread opens it, this one waits within its own limits: the
    /// other thread may belong to another search, and may give up before it has opened the node.
    fn visit(&self, nodes: &mut impl Nodes, frame: Frame) -> Result<Option<Frame>, GaveUp> {
        while self.proofs.is_closed(frame.node) {
            if let Some(_opening) = self.proofs.begin_opening(frame.node) {
                return proof::visit(nodes, frame);
            }
            if self.is_over() {
                return Ok(None);
            }
            nodes.check_interrupt()?;
            yield_now();
        }
        proof::visit(nodes, frame)
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }
}

/// Ends the search for all threads when one of them ends, even by a panic.
struct EndOnDrop<'a>(&'a SharedSearch<'a>);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.0.over.store(true, Ordering::Relaxed);
    }
}

/// The nodes from the root to the current node of a thread. The thread is counted in each of them
/// until it leaves the node or the path is dropped.
struct Path<'a> {
    proofs: &'a Proofs,
    frames: Vec<Frame>,
}

impl<'a> Path<'a> {
    fn new(proofs: &'a Proofs) -> Path<'a> {
        Path {
            proofs,
            frames: Vec::new(),
        }
    }

    fn push(&mut self, frame: Frame) {
        self.proofs.enter(frame.node);
        self.frames.push(frame);
    }

    fn truncate(&mut self, length: usize) {
        for frame in self.frames.drain(length..) {
            self.proofs.leave(frame.node);
        }
    }

    /// Leaves the nodes that other threads have proven, and all below.
    fn leave_proven(&mut self) {
        let is_proven = |frame: &Frame| self.proofs.result(frame.node).is_some();
        if let Some(length) = self.frames.iter().position(is_proven) {
            self.truncate(length);
        }
    }
}

impl Drop for Path<'_> {
    fn drop(&mut self) {
        self.truncate(0);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::super::proof::sample::Sample;
    use super::*;
    use crate::db::{Builder, Database};
    use crate::game::Game;
    use crate::value::Player;
    use std::time::Duration;

    struct Two;

    impl Workers for Two {
        fn threads(&self) -> usize {
            2
        }

        fn run(&self, work: &(dyn Fn() + Sync)) {
            std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(work))));
        }
    }

    #[test]
    fn a_thread_that_waits_keeps_its_own_deadline() {
        let proofs = Proofs::default();
        let mut sample = Sample::new(&proofs);
        let _opening = proofs.begin_opening(sample.root).unwrap();
        sample.interrupt = Some(GaveUp::Time);
        let search = SharedSearch::new(&proofs, sample.root);
        search.take_part(|| search.run(&mut sample));
        assert_eq!(search.result(), Err(GaveUp::Time));
    }

    #[test]
    fn a_thread_that_waits_opens_what_another_search_left_closed() {
        let proofs = Proofs::default();
        let sample = Sample::new(&proofs);
        let opening = proofs.begin_opening(sample.root).unwrap();
        let search = SharedSearch::new(&proofs, sample.root);
        std::thread::scope(|scope| {
            scope.spawn(|| search.take_part(|| search.run(&mut sample.clone())));
            std::thread::sleep(Duration::from_millis(20));
            drop(opening);
        });
        assert_eq!(search.result(), Ok(Some(true)));
    }

    #[test]
    fn a_proof_takes_precedence_over_giving_up() {
        let proofs = Proofs::default();
        let sample = Sample::new(&proofs);
        let search = SharedSearch::new(&proofs, sample.root);
        search.take_part(|| Err(GaveUp::Nodes));
        search.take_part(|| Err(GaveUp::Time));
        assert_eq!(search.result(), Err(GaveUp::Nodes));
        proofs.prove(sample.root, false);
        assert_eq!(search.result(), Ok(Some(false)));
    }

    #[test]
    fn a_panic_leaves_no_node_marked() {
        let proofs = Proofs::default();
        let sample = Sample::new(&proofs);
        let search = SharedSearch::new(&proofs, sample.root);
        let panicked = std::panic::catch_unwind(|| {
            let mut path = Path::new(&proofs);
            path.push(Frame::at_root(sample.root));
            let _opening = proofs.begin_opening(sample.root);
            std::panic::panic_any("expected by the test");
        });
        assert!(panicked.is_err());
        search.take_part(|| search.run(&mut sample.clone()));
        assert_eq!(search.result(), Ok(Some(true)));
    }

    /// Large enough to be searched by helpers, and too small for a search of its own.
    #[test]
    fn helpers_see_databases_that_are_attached_later() {
        let sum = [Game::parse("nogo_1xn", ".....................").unwrap()];
        let mut solver = Solver::default();
        solver.set_workers(Arc::new(Two));
        solver.wins(&sum, Player::Left).unwrap();
        assert!(!solver.helpers.is_empty());
        let database = Database::open(Arc::new(Builder::default().finish())).unwrap();
        solver.attach(database);
        let node = solver.root(&sum).unwrap().node(Player::Left);
        let databases = Mutex::new(Vec::new());
        let found = solver.prove_parallel(&Two, node, |_, helper| {
            locked(&databases).push(helper.arena.databases.len());
            Ok(())
        });
        assert!(found.is_ok());
        assert_eq!(*locked(&databases), [1, 1]);
    }
}

#[cfg(all(test, loom))]
mod loom_models {
    use super::super::proof::sample::Sample;
    use super::*;
    use loom::thread;

    /// Two threads search one tree, and find that its root is won.
    fn prove_on_two_threads(sample: impl Fn(&'static Proofs) -> Sample<'static>) {
        let proofs: &Proofs = Box::leak(Box::default());
        let mut sample = sample(proofs);
        let search = Arc::new(SharedSearch::new(proofs, sample.root));
        let (other, mut tree) = (Arc::clone(&search), sample);
        let thread = thread::spawn(move || other.take_part(|| other.run(&mut tree)));
        search.take_part(|| search.run(&mut sample));
        thread.join().unwrap();
        assert_eq!(search.result(), Ok(Some(true)));
    }

    /// A root without children.
    #[test]
    fn loom_parallel_proves_the_root() {
        loom::model(|| {
            prove_on_two_threads(Sample::without_children);
        });
    }

    /// The same with children. There are too many orders of events to try them all.
    #[test]
    fn loom_parallel_searches_below_the_root() {
        let mut builder = loom::model::Builder::new();
        builder.max_permutations = Some(20_000);
        builder.check(|| {
            prove_on_two_threads(Sample::new);
        });
    }

    /// Two searches share a tree, and one gives up while it opens the root: the other does not wait
    /// forever.
    #[test]
    fn loom_parallel_outlives_another_search() {
        loom::model(|| {
            let proofs: &Proofs = Box::leak(Box::default());
            let mut sample = Sample::without_children(proofs);
            let mut failing = Sample {
                failure: Some(GaveUp::Nodes),
                ..sample
            };
            let thread = thread::spawn(move || {
                let search = SharedSearch::new(proofs, failing.root);
                search.take_part(|| search.run(&mut failing));
            });
            let search = SharedSearch::new(proofs, sample.root);
            search.take_part(|| search.run(&mut sample));
            thread.join().unwrap();
            assert_eq!(search.result(), Ok(Some(true)));
        });
    }

    /// One thread of a search gives up: that counts only if the root is not proven.
    #[test]
    fn loom_parallel_prefers_a_proof() {
        loom::model(|| {
            let proofs: &Proofs = Box::leak(Box::default());
            let mut sample = Sample::without_children(proofs);
            let search = Arc::new(SharedSearch::new(proofs, sample.root));
            let other = Arc::clone(&search);
            let thread = thread::spawn(move || other.take_part(|| Err(GaveUp::Nodes)));
            search.take_part(|| search.run(&mut sample));
            thread.join().unwrap();
            let expected = proofs.result(sample.root).map(Some).ok_or(GaveUp::Nodes);
            assert_eq!(search.result(), expected);
        });
    }
}
