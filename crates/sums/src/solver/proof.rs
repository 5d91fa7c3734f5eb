//! Depth-first proof-number search over numbered nodes.
//!
//! In a node somebody has to move, and its children are what his moves lead to. He wins when one
//! child is lost for who moves there, and loses when all are won. The search always goes where
//! the least seems to be missing. Since nodes are met again and again on different ways, the
//! difficulty of "all" is that of the hardest child plus one for each other, not their sum.

use super::GaveUp;
use super::components::MOST_PLACES;

/// How far a node is from being decided, and where its children are.
#[derive(Clone, Copy)]
struct Effort {
    /// How much is missing to show that the mover wins: 0 when he does.
    win: u32,
    /// How much is missing to show that he loses: 0 when he does.
    lose: u32,
    /// Where the children begin; 0 if the node has not been opened.
    kids: u32,
}

/// Infinitely far: the contrary is proven.
const NEVER: u32 = u32::MAX / 2;

/// What is proven about nodes, and what is missing where nothing is.
#[derive(Default)]
pub(crate) struct Proofs {
    efforts: Vec<Effort>,
    /// For each opened node the number of its children, then the children.
    kids: Vec<u32>,
    /// How many threads are in a node or below it; empty where there is one thread.
    busy: Vec<u8>,
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
    fn proofs(&mut self) -> &mut Proofs;

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
        self.efforts.capacity() * size_of::<Effort>()
            + self.kids.capacity() * 4
            + self.busy.capacity()
    }

    /// There is hardly a place left for children.
    pub fn is_full(&self) -> bool {
        self.kids.len() >= MOST_PLACES
    }

    /// The node was not opened, and nothing is proven about it.
    pub fn is_closed(&self, node: u32) -> bool {
        let opened = |effort: &Effort| effort.kids != 0 || effort.win == 0 || effort.lose == 0;
        !self.efforts.get(node as usize).is_some_and(opened)
    }

    /// A thread goes into a node.
    pub fn enter(&mut self, node: u32) {
        let index = node as usize;
        if self.busy.len() <= index {
            self.busy.resize(index + 1, 0);
        }
        self.busy[index] = self.busy[index].saturating_add(1);
    }

    /// A thread leaves a node.
    pub fn leave(&mut self, node: u32) {
        if let Some(busy) = self.busy.get_mut(node as usize) {
            *busy = busy.saturating_sub(1);
        }
    }

    /// How hard it seems to show that a node is lost, when others are at it already.
    #[inline]
    fn seeming(&self, node: u32, lose: u32) -> u32 {
        match self.busy.get(node as usize) {
            None | Some(0) => lose,
            Some(&threads) => lose.saturating_add(u32::from(threads) * (1 + lose / 4)),
        }
    }

    /// Does the mover win? None if that is not known.
    #[inline]
    pub fn result(&self, node: u32) -> Option<bool> {
        let effort = self.efforts.get(node as usize)?;
        match (effort.win, effort.lose) {
            (0, _) => Some(true),
            (_, 0) => Some(false),
            _ => None,
        }
    }

    /// Keeps a result.
    pub fn prove(&mut self, node: u32, wins: bool) {
        let effort = self.entry(node);
        (effort.win, effort.lose) = if wins { (0, NEVER) } else { (NEVER, 0) };
    }

    /// Keeps the children of a node, each with a guess how hard it is to show that it is lost.
    pub fn set_children(&mut self, node: u32, children: impl ExactSizeIterator<Item = (u32, u32)>) {
        // Place 0 stands for a node that has not been opened.
        let start = self.kids.len().max(1);
        self.kids.resize(start, 0);
        self.kids.push(children.len() as u32);
        for (child, guess) in children {
            self.kids.push(child);
            let effort = self.entry(child);
            if effort.kids == 0 && effort.win != 0 && effort.lose != 0 {
                effort.lose = guess.clamp(1, 1000);
            }
        }
        self.entry(node).kids = start as u32;
    }

    fn entry(&mut self, node: u32) -> &mut Effort {
        let index = node as usize;
        if self.efforts.len() <= index {
            self.efforts.resize(
                index + 1,
                Effort {
                    win: 1,
                    lose: 1,
                    kids: 0,
                },
            );
        }
        &mut self.efforts[index]
    }

    /// Updates a node from its children; tells its result, where to go on, or neither.
    fn update(&mut self, frame: Frame) -> Update {
        // 1. The easiest child decides how far a win is, the hardest how far a loss.
        let kids = self.efforts[frame.node as usize].kids as usize;
        let count = self.kids[kids] as usize;
        let mut best: Option<(u32, Effort, u32)> = None;
        let (mut second, mut easiest) = (NEVER, NEVER);
        let (mut hardest, mut open) = (0, 0u32);
        let own = self.efforts[frame.node as usize];
        // Where the mover seems to lose all children have to be seen, so that threads may spread.
        let spread = own.lose <= own.win;
        for &child in &self.kids[kids + 1..=kids + count] {
            let effort = self.efforts[child as usize];
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
        let own = &mut self.efforts[frame.node as usize];
        (own.win, own.lose) = (win, lose);
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
    let known = nodes.proofs().result(frame.node).is_some();
    let opened = nodes.proofs().entry(frame.node).kids != 0;
    let found = if known || opened {
        None
    } else {
        nodes.open(frame.node)?
    };
    let update = match found {
        _ if known => Update::Enough,
        Some(wins) => Update::Result(wins),
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
