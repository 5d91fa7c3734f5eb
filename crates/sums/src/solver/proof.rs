//! Depth-first proof-number search over numbered nodes.
//!
//! In a node somebody has to move, and its children are what his moves lead to. He wins when one
//! child is lost for who moves there, and loses when all are won. The search always goes where
//! the least seems to be missing. Since nodes are met again and again on different ways, the
//! difficulty of "all" is that of the hardest child plus one for each other, not their sum.
//!
//! Many threads may search one tree. Where others are already busy a node looks a little harder
//! than it is, so that they spread.

use super::GaveUp;
use super::pages::Pages;
use std::sync::atomic::{AtomicU32, Ordering};

/// How far a node is from being decided.
#[derive(Clone, Copy)]
struct Effort {
    /// How much is missing to show that the mover wins: 0 when he does.
    win: u32,
    /// How much is missing to show that he loses: 0 when he does.
    lose: u32,
}

/// The words of a node: its effort, then these.
const WIN: usize = 0;
const LOSE: usize = 1;
/// Where the children are; 0 if the node has not been opened.
const KIDS: usize = 2;
/// How many threads are in the node or below it, and whether one of them is opening it.
const BUSY: usize = 3;

/// How many words a node has.
pub(super) const WORDS: usize = 4;

/// Beside the number of threads: one of them is opening the node.
const OPENING: u32 = 1 << 31;

/// Infinitely far: the contrary is proven.
const NEVER: u32 = u32::MAX / 2;

/// What is proven about nodes, and what is missing where nothing is.
#[derive(Default)]
pub(crate) struct Proofs {
    /// Records of one or two nodes, and whatever else belongs to them.
    records: Pages<AtomicU32>,
    /// For each opened node the number of its children, then the children.
    kids: Pages<AtomicU32>,
}

/// A node on the way down, and how much may be spent on it before looking elsewhere.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    pub node: u32,
    win_limit: u32,
    lose_limit: u32,
}

impl Frame {
    /// Whatever it takes.
    pub fn at_root(node: u32) -> Frame {
        Frame {
            node,
            win_limit: NEVER,
            lose_limit: NEVER,
        }
    }
}

/// What the search asks about nodes.
pub(crate) trait Nodes {
    /// The proofs so far.
    fn proofs(&self) -> &Proofs;

    /// Opens a node: its children are set with [`Proofs::set_children`], unless its result can be
    /// told at once.
    fn open(&mut self, node: u32) -> Result<Option<bool>, GaveUp>;

    /// Hears that a node was proven.
    fn proven(&mut self, node: u32, wins: bool);

    /// Tells that it is time for something else.
    fn pause(&self) -> bool;
}

impl Proofs {
    pub fn bytes_used(&self) -> usize {
        self.records.bytes_used() + self.kids.bytes_used()
    }

    /// Makes a record of so many nodes and so many words more. Its nodes are twice its number, and
    /// one more.
    pub fn make(&self, nodes: usize, more: usize) -> Result<u32, GaveUp> {
        let record = self.records.reserve(nodes * WORDS + more)?;
        for node in self.record(record)[..nodes * WORDS].chunks(WORDS) {
            node[WIN].store(1, Ordering::Relaxed);
            node[LOSE].store(1, Ordering::Relaxed);
        }
        Ok(record)
    }

    /// The words of a record, and all after it.
    #[inline]
    pub fn record(&self, record: u32) -> &[AtomicU32] {
        self.records.at(record)
    }

    #[inline]
    fn node(&self, node: u32) -> &[AtomicU32] {
        &self.record((node >> 1) + (node & 1))[..WORDS]
    }

    #[inline]
    fn effort(&self, node: u32) -> Effort {
        let words = self.node(node);
        Effort {
            win: words[WIN].load(Ordering::Relaxed),
            lose: words[LOSE].load(Ordering::Relaxed),
        }
    }

    /// Two threads may write at once: each word by itself says what is true.
    fn set_effort(&self, node: u32, effort: Effort) {
        let words = self.node(node);
        words[WIN].store(effort.win, Ordering::Relaxed);
        words[LOSE].store(effort.lose, Ordering::Relaxed);
    }

    /// A thread goes into a node.
    pub fn enter(&self, node: u32) {
        self.node(node)[BUSY].fetch_add(1, Ordering::Relaxed);
    }

    /// A thread leaves a node.
    pub fn leave(&self, node: u32) {
        self.node(node)[BUSY].fetch_sub(1, Ordering::Relaxed);
    }

    /// A thread is going to open a node; not if another one is at it.
    pub fn begin_opening(&self, node: u32) -> bool {
        self.node(node)[BUSY].fetch_or(OPENING, Ordering::Relaxed) & OPENING == 0
    }

    /// The node is open.
    pub fn end_opening(&self, node: u32) {
        self.node(node)[BUSY].fetch_and(!OPENING, Ordering::Relaxed);
    }

    /// The node was not opened, and nothing is proven about it.
    #[inline]
    pub fn is_closed(&self, node: u32) -> bool {
        self.node(node)[KIDS].load(Ordering::Acquire) == 0 && self.result(node).is_none()
    }

    /// Does the mover win? None if that is not known.
    #[inline]
    pub fn result(&self, node: u32) -> Option<bool> {
        match self.effort(node) {
            Effort { win: 0, .. } => Some(true),
            Effort { lose: 0, .. } => Some(false),
            _ => None,
        }
    }

    /// Keeps a result.
    pub fn prove(&self, node: u32, wins: bool) {
        let (win, lose) = if wins { (0, NEVER) } else { (NEVER, 0) };
        self.set_effort(node, Effort { win, lose });
    }

    /// How much is missing to prove a win and a loss, where a node was opened and nothing is proven.
    pub fn missing(&self, node: u32) -> Option<[u32; 2]> {
        let opened = self.node(node)[KIDS].load(Ordering::Acquire) != 0;
        let Effort { win, lose } = self.effort(node);
        (opened && win != 0 && lose != 0).then_some([win, lose])
    }

    /// Keeps what [`Proofs::missing`] told, unless something is proven.
    pub fn expect(&self, node: u32, missing: [u32; 2]) {
        if self.is_closed(node) {
            let [win, lose] = missing.map(|effort| effort.clamp(1, NEVER - 1));
            self.set_effort(node, Effort { win, lose });
        }
    }

    /// Keeps the children of a node, each with a guess how hard it is to show that it is lost.
    pub fn set_children(
        &self,
        node: u32,
        children: impl ExactSizeIterator<Item = (u32, u32)>,
    ) -> Result<(), GaveUp> {
        let place = self.kids.reserve(1 + children.len())?;
        let kids = self.kids.at(place);
        kids[0].store(children.len() as u32, Ordering::Relaxed);
        for ((child, guess), kid) in children.zip(&kids[1..]) {
            kid.store(child, Ordering::Relaxed);
            self.guess(child, guess.clamp(1, 1000));
        }
        self.node(node)[KIDS].store(place, Ordering::Release);
        Ok(())
    }

    /// A first guess how hard it is to show that a node is lost; not where more is known.
    fn guess(&self, node: u32, lose: u32) {
        if self.is_closed(node) {
            // Another thread may prove it just now, which must not be undone.
            let words = self.node(node);
            let _ = words[LOSE].compare_exchange(1, lose, Ordering::Relaxed, Ordering::Relaxed);
        }
    }

    /// The children of an open node.
    #[inline]
    fn children(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let kids = self.kids.at(self.node(node)[KIDS].load(Ordering::Acquire));
        let count = kids[0].load(Ordering::Relaxed) as usize;
        kids[1..=count]
            .iter()
            .map(|kid| kid.load(Ordering::Relaxed))
    }

    /// Updates a node from its children; tells its result, where to go on, or neither.
    fn update(&self, frame: Frame) -> Update {
        // 1. The easiest child decides how far a win is, the hardest how far a loss.
        let mut best: Option<(u32, Effort, u32)> = None;
        let (mut second, mut easiest) = (NEVER, NEVER);
        let (mut hardest, mut open) = (0, 0u32);
        // Where the mover seems to lose all children have to be seen, so that threads may spread.
        let own = self.effort(frame.node);
        let spread = own.lose <= own.win;
        for child in self.children(frame.node) {
            let effort = self.effort(child);
            if effort.lose == 0 {
                return Update::Result(true);
            }
            if effort.win == 0 {
                continue;
            }
            open += 1;
            hardest = hardest.max(effort.win);
            easiest = easiest.min(effort.lose);
            let seeming = match spread {
                true => self.seeming(child, effort.lose),
                false => effort.lose,
            };
            match best {
                Some((_, _, found)) if found <= seeming => second = second.min(seeming),
                _ => {
                    second = best.map_or(second, |(_, _, found)| found);
                    best = Some((child, effort, seeming));
                }
            }
        }
        let Some((child, effort, _)) = best else {
            return Update::Result(false);
        };
        // 2. Enough for now, if this is no longer the best way from above.
        let (win, lose) = (easiest.min(NEVER - 1), (hardest + open - 1).min(NEVER - 1));
        if self.result(frame.node).is_none() {
            self.set_effort(frame.node, Effort { win, lose });
        }
        if win >= frame.win_limit || lose >= frame.lose_limit {
            return Update::Enough;
        }
        // 3. Otherwise go on there until it is no longer the easiest, or the limits are reached.
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

    /// How hard it seems to show that a node is lost, when others are at it already.
    #[inline]
    fn seeming(&self, node: u32, lose: u32) -> u32 {
        match self.node(node)[BUSY].load(Ordering::Relaxed) & !OPENING {
            0 => lose,
            threads => lose.saturating_add(threads * (1 + lose / 4)),
        }
    }
}

/// What is to be done after a look at a node's children.
enum Update {
    Result(bool),
    Enough,
    Deeper(Frame),
}

/// Does the mover win this node? None if it was time for something else before that was clear.
pub(crate) fn prove(nodes: &mut impl Nodes, root: u32) -> Result<Option<bool>, GaveUp> {
    let mut frames = vec![Frame::at_root(root)];
    while let Some(&frame) = frames.last() {
        if nodes.pause() {
            return Ok(None);
        }
        match visit(nodes, frame)? {
            Some(deeper) => frames.push(deeper),
            None => {
                frames.pop();
            }
        }
    }
    Ok(nodes.proofs().result(root))
}

/// Opens a node when it is met for the first time, and looks at its children.
pub(crate) fn visit(nodes: &mut impl Nodes, frame: Frame) -> Result<Option<Frame>, GaveUp> {
    let found = match nodes.proofs().is_closed(frame.node) {
        true => nodes.open(frame.node)?,
        false => None,
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
