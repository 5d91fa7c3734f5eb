//! Depth-first proof-number search over numbered nodes.
//!
//! A node is a position with a player to move, and its children are the positions after the moves.
//! The mover wins if the opponent loses one child, and loses if the opponent wins all of them. The
//! search always selects the child with the least estimated effort. Since different paths lead to
//! the same nodes, the effort for "all" is that of the hardest child plus one for each other child,
//! not their sum.
//!
//! Several threads may search one tree. The estimated effort of a node increases while other
//! threads search it, so that threads select different nodes.

use super::GaveUp;
use super::pages::Pages;
use super::sync::{AtomicU32, AtomicU64, Ordering};

/// The estimated effort to decide a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Effort {
    /// The effort to prove that the mover wins: 0 when that is proven.
    win: u32,
    /// The effort to prove that the mover loses: 0 when that is proven.
    lose: u32,
}

impl Effort {
    /// The effort of a node without results.
    const INITIAL: Effort = Effort { win: 1, lose: 1 };

    fn proven(wins: bool) -> Effort {
        let (win, lose) = if wins { (0, NEVER) } else { (NEVER, 0) };
        Effort { win, lose }
    }

    #[inline]
    fn result(self) -> Option<bool> {
        match self {
            Effort { win: 0, .. } => Some(true),
            Effort { lose: 0, .. } => Some(false),
            _ => None,
        }
    }

    /// Both numbers in one word, so that no thread sees one without the other.
    #[inline]
    fn to_word(self) -> u64 {
        u64::from(self.win) << 32 | u64::from(self.lose)
    }

    #[inline]
    fn of_word(word: u64) -> Effort {
        Effort {
            win: (word >> 32) as u32,
            lose: word as u32,
        }
    }
}

/// The words of a node: its effort, then its state.
///
/// A proof is final: [`Proofs::improve`] never replaces one. So a thread that has seen a result
/// will see it again. Relaxed is enough for this word, because it leads to no other memory.
const EFFORT: usize = 0;

/// The place of the list of children in the lower half, 0 until the node is opened; in the upper
/// half the number of threads in the node or below it, and whether one of them is opening it.
const STATE: usize = 1;

/// The number of words of a node.
pub(super) const WORDS: usize = 2;

/// One thread, as counted in the state.
const THREAD: u64 = 1 << 32;

/// In the state: a thread is opening the node.
const OPENING: u64 = 1 << 63;

/// Infinite effort: the contrary is proven.
const NEVER: u32 = u32::MAX / 2;

/// The results of nodes, and the estimated effort of nodes without result.
#[derive(Default)]
pub(crate) struct Proofs {
    /// Records of one or two nodes, and further words of their owner.
    records: Pages<AtomicU64, WORDS>,
    /// For each opened node the number of its children, then the children.
    children: Pages<AtomicU32>,
}

/// A node on the path of a search, and the effort at which the search leaves it.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    pub node: u32,
    win_limit: u32,
    lose_limit: u32,
}

impl Frame {
    /// Without limits.
    pub fn at_root(node: u32) -> Frame {
        Frame {
            node,
            win_limit: NEVER,
            lose_limit: NEVER,
        }
    }
}

/// The nodes of a search.
pub(crate) trait Nodes {
    /// The proofs so far.
    fn proofs(&self) -> &Proofs;

    /// Opens a node: returns its result, or sets its children with [`Proofs::set_children`].
    fn open(&mut self, node: u32) -> Result<Option<bool>, GaveUp>;

    /// Called when the search has proven a node.
    fn proven(&mut self, node: u32, wins: bool);

    /// Returns true if the search should pause.
    fn pause(&self) -> bool;

    /// Gives up when time is over or a stop was requested.
    fn check_interrupt(&self) -> Result<(), GaveUp>;
}

impl Proofs {
    pub fn bytes_used(&self) -> usize {
        self.records.bytes_used() + self.children.bytes_used()
    }

    /// Adds a record of some nodes and some words more, and returns its id and these words. Its
    /// nodes are twice its id, and one more. The caller publishes the id.
    pub fn add(&self, nodes: usize, more: usize) -> Result<(u32, &[AtomicU64]), GaveUp> {
        let (id, words) = self.records.reserve(nodes * WORDS + more)?;
        let (nodes, more) = words.split_at(nodes * WORDS);
        for node in nodes.chunks(WORDS) {
            node[EFFORT].store(Effort::INITIAL.to_word(), Ordering::Relaxed);
        }
        Ok((id, more))
    }

    /// The words of a record, and all after it.
    #[inline]
    pub fn record(&self, id: u32) -> &[AtomicU64] {
        self.records.get(id)
    }

    #[inline]
    fn node(&self, node: u32) -> &[AtomicU64] {
        &self.record((node >> 1) + (node & 1))[..WORDS]
    }

    #[inline]
    fn effort(&self, node: u32) -> Effort {
        Effort::of_word(self.node(node)[EFFORT].load(Ordering::Relaxed))
    }

    /// Replaces the effort of a node unless it is proven; returns its result.
    fn improve(&self, node: u32, effort: Effort) -> Option<bool> {
        let word = &self.node(node)[EFFORT];
        let mut old = word.load(Ordering::Relaxed);
        loop {
            let known = Effort::of_word(old).result();
            if known.is_some() || old == effort.to_word() {
                return known;
            }
            match word.compare_exchange_weak(
                old,
                effort.to_word(),
                Ordering::Relaxed,
                Ordering::Relaxed,
            ) {
                Ok(_) => return effort.result(),
                Err(now) => old = now,
            }
        }
    }

    /// A thread goes into a node. Relaxed: the count only guides the search.
    pub fn enter(&self, node: u32) {
        self.node(node)[STATE].fetch_add(THREAD, Ordering::Relaxed);
    }

    /// A thread leaves a node. Relaxed: see [`Proofs::enter`].
    pub fn leave(&self, node: u32) {
        self.node(node)[STATE].fetch_sub(THREAD, Ordering::Relaxed);
    }

    /// Marks a node as being opened until the returned guard is dropped. None if another thread is
    /// opening it.
    pub fn begin_opening(&self, node: u32) -> Option<Opening<'_>> {
        let state = &self.node(node)[STATE];
        // Acquire, with Release when the guard is dropped: the next one to open the node sees what
        // the previous one has found.
        let before = state.fetch_or(OPENING, Ordering::Acquire);
        (before & OPENING == 0).then_some(Opening { state })
    }

    /// The node was not opened, and nothing is proven about it.
    #[inline]
    pub fn is_closed(&self, node: u32) -> bool {
        self.children_at(node) == 0 && self.result(node).is_none()
    }

    /// The place of the list of children. Acquire, with Release in [`Proofs::set_children`]: the
    /// list and the records of the children were written before.
    #[inline]
    fn children_at(&self, node: u32) -> u32 {
        self.node(node)[STATE].load(Ordering::Acquire) as u32
    }

    /// Returns whether the mover wins; `None` if that is not known.
    #[inline]
    pub fn result(&self, node: u32) -> Option<bool> {
        self.effort(node).result()
    }

    /// Stores a result. The first one is final.
    pub fn prove(&self, node: u32, wins: bool) {
        self.improve(node, Effort::proven(wins));
    }

    /// The effort to prove a win and a loss, of a node that is open and not proven.
    pub fn open_effort(&self, node: u32) -> Option<[u32; 2]> {
        let Effort { win, lose } = self.effort(node);
        (self.children_at(node) != 0 && win != 0 && lose != 0).then_some([win, lose])
    }

    /// Stores numbers that [`Proofs::open_effort`] returned; false if they cannot be such.
    pub fn restore_effort(&self, node: u32, [win, lose]: [u32; 2]) -> bool {
        let is_open = |effort: u32| (1..NEVER).contains(&effort);
        if !is_open(win) || !is_open(lose) {
            return false;
        }
        if self.is_closed(node) {
            self.improve(node, Effort { win, lose });
        }
        true
    }

    /// Sets the children of a node, each with an estimate of the effort to prove that it is lost.
    pub fn set_children(
        &self,
        node: u32,
        children: impl ExactSizeIterator<Item = (u32, u32)>,
    ) -> Result<(), GaveUp> {
        let (place, words) = self.children.reserve(1 + children.len())?;
        // Relaxed: published with the place.
        words[0].store(children.len() as u32, Ordering::Relaxed);
        for ((child, guess), word) in children.zip(&words[1..]) {
            word.store(child, Ordering::Relaxed);
            self.guess(child, guess.clamp(1, 1000));
        }
        self.publish_children(node, place);
        Ok(())
    }

    /// Publishes the children, unless another thread has published an equivalent list before.
    fn publish_children(&self, node: u32, place: u32) {
        let state = &self.node(node)[STATE];
        let mut old = state.load(Ordering::Relaxed);
        while old as u32 == 0 {
            // Release publishes the list. Relaxed on failure: only this word is read.
            match state.compare_exchange_weak(
                old,
                old | u64::from(place),
                Ordering::Release,
                Ordering::Relaxed,
            ) {
                Ok(_) => return,
                Err(now) => old = now,
            }
        }
    }

    /// Sets a first estimate of the effort to prove that a node is lost, unless a better one is
    /// known.
    fn guess(&self, node: u32, lose: u32) {
        let effort = self.effort(node);
        if effort.lose == 1 && self.is_closed(node) {
            // If this fails then another thread has stored a better estimate.
            let _ = self.node(node)[EFFORT].compare_exchange(
                effort.to_word(),
                Effort { lose, ..effort }.to_word(),
                Ordering::Relaxed,
                Ordering::Relaxed,
            );
        }
    }

    /// The children of a node; None if it was not opened.
    #[inline]
    fn children(&self, node: u32) -> Option<impl Iterator<Item = u32> + '_> {
        let place = self.children_at(node);
        if place == 0 {
            return None;
        }
        let words = self.children.get(place);
        // Relaxed: the Acquire on the place has made the list visible.
        let count = words[0].load(Ordering::Relaxed) as usize;
        let children = words[1..=count].iter();
        Some(children.map(|child| child.load(Ordering::Relaxed)))
    }

    /// Updates a node from its children: its result, the next node to visit, or neither.
    fn update(&self, frame: Frame) -> Update {
        let Some(children) = self.children(frame.node) else {
            return Update::Enough;
        };
        // 1. The easiest child determines the effort of a win, the hardest that of a loss.
        let mut best: Option<(u32, Effort, u32)> = None;
        let (mut second, mut easiest) = (NEVER, NEVER);
        let (mut hardest, mut open) = (0u32, 0u32);
        // Where the mover seems to lose, all children have to be searched: threads may take
        // different ones.
        let own = self.effort(frame.node);
        let spread = own.lose <= own.win;
        for child in children {
            let effort = self.effort(child);
            match effort.result() {
                Some(false) => return Update::Result(true),
                Some(true) => continue,
                None => {}
            }
            open += 1;
            hardest = hardest.max(effort.win);
            easiest = easiest.min(effort.lose);
            let apparent = if spread {
                self.apparent(child, effort.lose)
            } else {
                effort.lose
            };
            match best {
                Some((_, _, found)) if found <= apparent => second = second.min(apparent),
                _ => {
                    second = best.map_or(second, |(_, _, found)| found);
                    best = Some((child, effort, apparent));
                }
            }
        }
        let Some((child, effort, _)) = best else {
            return Update::Result(false);
        };
        // 2. Return if another node on the path has become the better choice.
        let win = easiest.min(NEVER - 1);
        let lose = hardest.saturating_add(open - 1).min(NEVER - 1);
        if self.improve(frame.node, Effort { win, lose }).is_some()
            || win >= frame.win_limit
            || lose >= frame.lose_limit
        {
            return Update::Enough;
        }
        // 3. Otherwise search the child until it is no longer the easiest, or reaches the limits.
        Update::Deeper(Frame {
            node: child,
            win_limit: frame
                .lose_limit
                .saturating_sub(open - 1)
                .max(effort.win + 1),
            lose_limit: frame
                .win_limit
                .min(second.saturating_add(1 + second / 4))
                .max(effort.lose + 1),
        })
    }

    /// The effort to prove that a node is lost, increased by the threads that search it already.
    #[inline]
    fn apparent(&self, node: u32, lose: u32) -> u32 {
        // Relaxed: see `enter`.
        let state = self.node(node)[STATE].load(Ordering::Relaxed);
        match ((state & !OPENING) / THREAD) as u32 {
            0 => lose,
            threads => lose.saturating_add(threads.saturating_mul(1 + lose / 4)),
        }
    }
}

/// A thread is opening a node, until this is dropped.
pub(crate) struct Opening<'a> {
    state: &'a AtomicU64,
}

impl Drop for Opening<'_> {
    fn drop(&mut self) {
        // Release: see `begin_opening`.
        self.state.fetch_and(!OPENING, Ordering::Release);
    }
}

/// The result of updating a node from its children.
enum Update {
    Result(bool),
    Enough,
    Deeper(Frame),
}

/// Decides whether the mover wins this node; `None` if the search paused before.
pub(crate) fn prove(nodes: &mut impl Nodes, root: u32) -> Result<Option<bool>, GaveUp> {
    let mut frames = vec![Frame::at_root(root)];
    while let Some(&frame) = frames.last() {
        if nodes.pause() {
            return Ok(None);
        }
        match visit(nodes, frame) {
            Ok(Some(deeper)) => frames.push(deeper),
            Ok(None) => drop(frames.pop()),
            // A solver that shares the proofs may have proven the root meanwhile.
            Err(reason) => return nodes.proofs().result(root).map(Some).ok_or(reason),
        }
    }
    Ok(nodes.proofs().result(root))
}

/// Opens a node if it is closed, and updates it from its children.
pub(crate) fn visit(nodes: &mut impl Nodes, frame: Frame) -> Result<Option<Frame>, GaveUp> {
    let found = if nodes.proofs().is_closed(frame.node) {
        nodes.open(frame.node)?
    } else {
        None
    };
    let update = match found {
        Some(wins) => Update::Result(wins),
        None if nodes.proofs().result(frame.node).is_some() => Update::Enough,
        None => nodes.proofs().update(frame),
    };
    Ok(match update {
        Update::Enough => None,
        Update::Deeper(deeper) => Some(deeper),
        Update::Result(wins) => {
            nodes.proofs().prove(frame.node, wins);
            nodes.proven(frame.node, wins);
            None
        }
    })
}

/// A small tree for tests: the opponent wins the first child of the root and loses the second, or
/// the mover wins at the root.
#[cfg(test)]
pub(super) mod sample {
    use super::*;

    /// The view of one thread on the tree.
    #[derive(Clone, Copy)]
    pub struct Sample<'a> {
        pub proofs: &'a Proofs,
        pub root: u32,
        pub children: Option<[u32; 2]>,
        /// Returned by opening a node without children, instead of a result.
        pub failure: Option<GaveUp>,
        /// Returned by a check for interrupts.
        pub interrupt: Option<GaveUp>,
    }

    impl Sample<'_> {
        pub fn new(proofs: &Proofs) -> Sample<'_> {
            let node = || proofs.add(1, 0).unwrap().0 << 1;
            Sample {
                children: Some([node(), node()]),
                ..Sample::without_children(proofs)
            }
        }

        pub fn without_children(proofs: &Proofs) -> Sample<'_> {
            Sample {
                proofs,
                root: proofs.add(1, 0).unwrap().0 << 1,
                children: None,
                failure: None,
                interrupt: None,
            }
        }
    }

    impl Nodes for Sample<'_> {
        fn proofs(&self) -> &Proofs {
            self.proofs
        }

        fn open(&mut self, node: u32) -> Result<Option<bool>, GaveUp> {
            let Some(children) = self.children.filter(|_| node == self.root) else {
                let is_second = self.children.is_some_and(|[_, second]| node == second);
                return self.failure.map_or(Ok(Some(!is_second)), Err);
            };
            let children = children.map(|child| (child, 1));
            self.proofs.set_children(node, children.into_iter())?;
            Ok(None)
        }

        fn proven(&mut self, _: u32, _: bool) {}

        fn pause(&self) -> bool {
            false
        }

        fn check_interrupt(&self) -> Result<(), GaveUp> {
            self.interrupt.map_or(Ok(()), Err)
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::sample::Sample;
    use super::*;

    #[test]
    fn a_proof_is_final() {
        let proofs = Proofs::default();
        let node = Sample::new(&proofs).root;
        proofs.prove(node, true);
        proofs.improve(node, Effort { win: 3, lose: 5 });
        assert!(proofs.restore_effort(node, [7, 8]));
        proofs.guess(node, 9);
        proofs.prove(node, false);
        assert_eq!(proofs.result(node), Some(true));
    }

    #[test]
    fn effort_saturates_with_many_threads() {
        let proofs = Proofs::default();
        let node = Sample::new(&proofs).root;
        (0..1000).for_each(|_| proofs.enter(node));
        assert_eq!(proofs.apparent(node, NEVER - 1), u32::MAX);
        assert_eq!(proofs.apparent(node, 4), 2004);
        (0..1000).for_each(|_| proofs.leave(node));
        assert_eq!(proofs.apparent(node, NEVER - 1), NEVER - 1);
    }

    #[test]
    fn a_node_without_children_list_is_not_lost() {
        let proofs = Proofs::default();
        let node = Sample::new(&proofs).root;
        assert!(matches!(
            proofs.update(Frame::at_root(node)),
            Update::Enough
        ));
    }

    #[test]
    fn effort_that_no_search_writes_is_refused() {
        let proofs = Proofs::default();
        let node = Sample::new(&proofs).root;
        for effort in [[0, 1], [1, 0], [NEVER, 1], [1, u32::MAX]] {
            assert!(!proofs.restore_effort(node, effort));
        }
        assert_eq!(proofs.result(node), None);
    }
}

#[cfg(all(test, loom))]
mod loom_models {
    use super::sample::Sample;
    use super::*;
    use loom::sync::Arc;
    use loom::thread;

    fn shared() -> (Arc<Proofs>, u32) {
        let proofs = Arc::new(Proofs::default());
        let root = Sample::without_children(&proofs).root;
        (proofs, root)
    }

    /// One thread proves a node while another updates its effort: the proof stays, and no thread
    /// sees one number without the other.
    #[test]
    fn loom_proof_is_neither_lost_nor_torn() {
        loom::model(|| {
            let (proofs, root) = shared();
            let updated = Effort { win: 3, lose: 5 };
            let other = Arc::clone(&proofs);
            let update = thread::spawn(move || other.improve(root, updated));
            let other = Arc::clone(&proofs);
            let prove = thread::spawn(move || other.prove(root, true));
            let other = Arc::clone(&proofs);
            let read = thread::spawn(move || {
                let seen = other.effort(root);
                assert!([Effort::INITIAL, updated, Effort::proven(true)].contains(&seen));
            });
            read.join().unwrap();
            update.join().unwrap();
            prove.join().unwrap();
            assert_eq!(proofs.result(root), Some(true));
        });
    }

    /// One thread opens and updates a node, one proves it, one visits it: a missing list of
    /// children is not taken for an empty one, which would be a loss.
    #[test]
    fn loom_proof_of_a_loss_needs_children() {
        loom::model(|| {
            let (proofs, root) = shared();
            let child = Sample::without_children(&proofs).root;
            let other = Arc::clone(&proofs);
            let open = thread::spawn(move || {
                other.set_children(root, [(child, 1)].into_iter()).unwrap();
                other.improve(root, Effort { win: 3, lose: 5 });
            });
            let other = Arc::clone(&proofs);
            let prove = thread::spawn(move || other.prove(root, true));
            let other = Arc::clone(&proofs);
            let visit = thread::spawn(move || {
                if !other.is_closed(root)
                    && other.result(root).is_none()
                    && let Update::Result(wins) = other.update(Frame::at_root(root))
                {
                    assert!(wins, "a loss without children");
                }
            });
            visit.join().unwrap();
            open.join().unwrap();
            prove.join().unwrap();
            assert_eq!(proofs.result(root), Some(true));
        });
    }

    /// Children that a thread sees are complete.
    #[test]
    fn loom_proof_children_are_published_whole() {
        loom::model(|| {
            let (proofs, root) = shared();
            let other = Arc::clone(&proofs);
            let open = thread::spawn(move || {
                let child = other.add(1, 0).unwrap().0 << 1;
                other.set_children(root, [(child, 4)].into_iter()).unwrap();
            });
            let read = thread::spawn(move || {
                let seen = proofs.children(root).map(Iterator::collect::<Vec<u32>>);
                if let Some(children) = seen {
                    assert_eq!(children.len(), 1);
                    assert_eq!(proofs.effort(children[0]).lose, 4);
                }
            });
            // The reader is not synchronized with the other thread, even if it runs after it.
            open.join().unwrap();
            read.join().unwrap();
        });
    }
}
