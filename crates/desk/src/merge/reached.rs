//! The positions of merged trees: how many there are, and which files reach them first.

use std::io;

use chess::{Board, Identity, KeyedBoard, Move};
use tree::{NodeId, Tree};

use crate::positions::Keys;
use crate::sorted::{Row, Sorted, run_all, run_shards};
use kit::Workers;

/// The positions that files reach.
pub(super) struct Reached(Sorted<Arrivals>);

/// The nodes of one file with one position: 74 bits of its key, 22 bits for the number of the file,
/// 32 bits for the number of nodes. Among a hundred million positions, a collision has a
/// probability of one in four million.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Arrivals(u128);

const FILE_BITS: u32 = 22;
const NODE_BITS: u32 = 32;

impl Arrivals {
    fn one(key: u128, file: u32) -> Arrivals {
        // Files beyond that number count as one.
        let file = file.min((1 << FILE_BITS) - 1);
        let position = key >> (FILE_BITS + NODE_BITS);
        Arrivals((position << FILE_BITS | u128::from(file)) << NODE_BITS | 1)
    }

    fn position(self) -> u128 {
        self.0 >> (FILE_BITS + NODE_BITS)
    }

    fn file(self) -> usize {
        (self.0 >> NODE_BITS) as usize & ((1 << FILE_BITS) - 1)
    }

    fn nodes(self) -> u32 {
        self.0 as u32
    }
}

impl Row for Arrivals {
    const BYTES: usize = 16;

    fn leading(&self) -> u32 {
        (self.0 >> 96) as u32
    }

    fn is_same(&self, other: &Arrivals) -> bool {
        self.0 >> NODE_BITS == other.0 >> NODE_BITS
    }

    #[inline]
    fn is_after(&self, other: &Arrivals) -> bool {
        const NODES: u128 = (1 << NODE_BITS) - 1;
        self.0 > other.0 | NODES
    }

    fn join(&mut self, other: Arrivals) {
        let nodes = self.nodes().saturating_add(other.nodes());
        self.0 = self.0 >> NODE_BITS << NODE_BITS | u128::from(nodes);
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.0.to_le_bytes());
    }

    fn read(bytes: &[u8]) -> Arrivals {
        let digits = bytes.iter().rev();
        Arrivals(digits.fold(0, |number, &byte| number << 8 | u128::from(byte)))
    }
}

/// Rows are added this many at once.
const BATCH: usize = 1 << 16;

/// Subtrees at this ply are walked through in parallel.
const TOP_PLIES: usize = 4;

/// A subtree: its root and the board there.
type Top = (NodeId, KeyedBoard);

impl Reached {
    /// An empty set that takes at most this much memory; the rest goes to a temporary file.
    pub(super) fn new(limit: u64) -> Reached {
        Reached(Sorted::new(limit))
    }

    /// Adds the nodes of a tree; `file` gives the file that added a node. Fails if the temporary
    /// file cannot be written.
    pub(super) fn add(
        &self,
        tree: &Tree<Move>,
        start: &Board,
        same: Identity,
        file: impl Fn(NodeId) -> u32 + Sync,
        workers: &Workers,
    ) -> io::Result<()> {
        let (mut rows, tops) = top_of(tree, start, same, &file);
        self.0.add(&mut rows)?;
        let walk = |(top, board): Top| self.add_subtree(tree, top, board, same, &file);
        run_all(workers, tops.into_iter(), walk, |()| {})
    }

    fn add_subtree(
        &self,
        tree: &Tree<Move>,
        top: NodeId,
        board: KeyedBoard,
        same: Identity,
        file: impl Fn(NodeId) -> u32,
    ) -> io::Result<()> {
        let mut rows = vec![Arrivals::one(board.key(same), file(top))];
        let mut keys = Keys::below(tree, top, board, same);
        for node in tree.subtree(top).skip(1) {
            rows.push(Arrivals::one(keys.at(node), file(node)));
            if rows.len() >= BATCH {
                self.0.add(&mut rows)?;
            }
        }
        self.0.add(&mut rows)
    }

    /// The number of positions, and for each file the number of nodes with positions that earlier
    /// files reach.
    pub(super) fn count(&self, files: usize, workers: &Workers) -> io::Result<(u64, Vec<u64>)> {
        let (mut positions, mut late) = (0, vec![0; files]);
        let count = |shard| Ok(count(&self.0.take(shard)?, files));
        run_shards(workers, count, |(more, later)| {
            positions += more;
            late.iter_mut()
                .zip(later)
                .for_each(|(sum, more)| *sum += more);
        })?;
        Ok((positions, late))
    }
}

/// The nodes before the subtrees, and the subtrees.
fn top_of(
    tree: &Tree<Move>,
    start: &Board,
    same: Identity,
    file: impl Fn(NodeId) -> u32,
) -> (Vec<Arrivals>, Vec<Top>) {
    let (mut rows, mut tops) = (Vec::new(), Vec::new());
    let mut keys = Keys::of(tree, start, same);
    let mut nodes = tree.preorder();
    while let Some(node) = nodes.next() {
        let board = keys.board(node);
        if tree.line(node).len() > TOP_PLIES {
            tops.push((node, board.clone()));
            nodes.skip_below();
        } else {
            rows.push(Arrivals::one(board.key(same), file(node)));
        }
    }
    (rows, tops)
}

fn count(rows: &[Arrivals], files: usize) -> (u64, Vec<u64>) {
    let (mut positions, mut late) = (0, vec![0; files]);
    for group in rows.chunk_by(|a, b| a.position() == b.position()) {
        positions += 1;
        // Files are in order: the first one is the first to reach the position.
        for later in &group[1..] {
            if let Some(late) = late.get_mut(later.file()) {
                *late += u64::from(later.nodes());
            }
        }
    }
    (positions, late)
}
