//! One question on many threads.
//!
//! All go down the same tree of proofs, each with tools of its own, and all that one finds out is
//! known to the others at once. A node that somebody is opening is waited for.

use super::index::locked;
use super::proof::{self, Frame, Nodes, Proofs};
use super::{GaveUp, Solver};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// Whoever has threads. This crate starts none itself.
pub trait Crew: Send + Sync {
    /// How many threads.
    fn threads(&self) -> usize;

    /// Does the work once on every thread at the same time, and returns when all have ended.
    fn run(&self, work: &(dyn Fn() + Sync));
}

/// How many steps a thread takes before it looks what others have done: what they write is slow to
/// read.
const LOOK_ROUND: u32 = 16;

/// A search that many threads take part in.
pub(super) struct Errand {
    root: u32,
    /// Somebody has come to the end, or has to give up.
    over: AtomicBool,
    end: Mutex<Result<(), GaveUp>>,
}

impl Solver {
    /// Searches with all threads until the node is proven or it is time for something else. Each
    /// thread does its part with [`Errand::search`].
    pub(super) fn prove_together(
        &mut self,
        crew: &dyn Crew,
        root: u32,
        part: impl Fn(&Errand, &mut Solver, &mut Vec<Frame>) -> Result<(), GaveUp> + Sync,
    ) -> Result<Option<bool>, GaveUp> {
        let errand = Errand {
            root,
            over: AtomicBool::new(false),
            end: Mutex::new(Ok(())),
        };
        let hands = Mutex::new(std::mem::take(&mut self.hands));
        let leader = &*self;
        crew.run(&|| {
            let idle = locked(&hands).pop();
            let mut hand = idle.unwrap_or_else(|| leader.hand());
            hand.follow(leader);
            errand.work(&mut hand, &part);
            locked(&hands).push(hand);
        });
        self.hands = std::mem::take(&mut *locked(&hands));
        let end = *locked(&errand.end);
        end.map(|()| self.proofs().result(root))
    }

    /// A solver for another thread that takes part in the same search.
    fn hand(&self) -> Solver {
        Solver {
            meter: Arc::clone(&self.meter),
            ..self.share()
        }
    }

    /// Takes over what the present question may cost.
    fn follow(&mut self, leader: &Solver) {
        self.arena.patience = leader.arena.patience.clone();
        self.nodes_allowed = leader.nodes_allowed;
        self.work.pause_at = leader.work.pause_at;
    }
}

impl Errand {
    /// What one thread does.
    fn work(
        &self,
        hand: &mut Solver,
        part: impl Fn(&Errand, &mut Solver, &mut Vec<Frame>) -> Result<(), GaveUp>,
    ) {
        let _ending = Ending(self);
        let mut way = Vec::new();
        if let Err(reason) = part(self, hand, &mut way) {
            *locked(&self.end) = Err(reason);
        }
        climb(hand.proofs(), &mut way, 0);
    }

    /// Goes down the tree of proofs again and again, until the root is proven.
    pub fn search(&self, nodes: &mut impl Nodes, way: &mut Vec<Frame>) -> Result<(), GaveUp> {
        descend(nodes.proofs(), way, Frame::at_root(self.root));
        let mut steps = 0u32;
        while let Some(&frame) = way.last() {
            steps = steps.wrapping_add(1);
            if steps.is_multiple_of(LOOK_ROUND) {
                if nodes.pause() || self.is_over() {
                    return Ok(());
                }
                leave_proven(nodes.proofs(), way);
                continue;
            }
            match self.visit(nodes, frame)? {
                Some(deeper) => descend(nodes.proofs(), way, deeper),
                None => climb(nodes.proofs(), way, way.len() - 1),
            }
        }
        Ok(())
    }

    /// Visits a node; if somebody else is opening it, then that is waited for.
    fn visit(&self, nodes: &mut impl Nodes, frame: Frame) -> Result<Option<Frame>, GaveUp> {
        if !nodes.proofs().is_closed(frame.node) {
            return proof::visit(nodes, frame);
        }
        if nodes.proofs().begin_opening(frame.node) {
            let visited = proof::visit(nodes, frame);
            nodes.proofs().end_opening(frame.node);
            return visited;
        }
        while nodes.proofs().is_closed(frame.node) {
            if self.is_over() {
                return Ok(None);
            }
            std::thread::yield_now();
        }
        proof::visit(nodes, frame)
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }
}

/// Whatever ends a thread's work ends that of the others too, a panic as well.
struct Ending<'a>(&'a Errand);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.over.store(true, Ordering::Relaxed);
    }
}

fn descend(proofs: &Proofs, way: &mut Vec<Frame>, frame: Frame) {
    proofs.enter(frame.node);
    way.push(frame);
}

fn climb(proofs: &Proofs, way: &mut Vec<Frame>, depth: usize) {
    for frame in way.drain(depth..) {
        proofs.leave(frame.node);
    }
}

/// What others have proven meanwhile needs no more work.
fn leave_proven(proofs: &Proofs, way: &mut Vec<Frame>) {
    let proven = |frame: &Frame| proofs.result(frame.node).is_some();
    if let Some(depth) = way.iter().position(proven) {
        climb(proofs, way, depth);
    }
}
