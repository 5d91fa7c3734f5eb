//! From the graph to a tree: each continuation written once, at its best place.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::Hash;

use super::{EdgeId, Graph, NONE, Vertex};
use crate::{NodeId, Tree};

/// A tree in which every move of the graph stands once.
#[derive(Clone, Debug)]
pub struct Unrolled<M> {
    /// The tree; its root is the position it was unrolled from.
    pub tree: Tree<M>,
    /// The vertex of each node, by handle.
    pub vertices: Vec<Vertex>,
    /// The arrivals that end because the position goes on elsewhere.
    pub links: Vec<Link>,
}

/// A line that ends in a position that stands elsewhere too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link {
    /// Where the line ends.
    pub from: NodeId,
    /// Where the position goes on, or would if it did.
    pub to: NodeId,
    /// The position.
    pub vertex: Vertex,
}

impl<K: Copy + Eq + Hash, M: Clone + Eq + Hash> Graph<K, M> {
    /// Unrolls what can be reached from a position. The best place of a continuation is the one
    /// with the fewest secondary moves, so the mainline before all; then the one with the fewest
    /// moves. Every other arrival ends there and is listed as a link. What is unrolled, read back
    /// and unrolled again is the same. O(n log n), circles or not.
    pub fn unroll(&self, start: Vertex) -> Unrolled<M> {
        let best = self.best_arrivals(start);
        let mut tree = Tree::new();
        let mut vertices = vec![start];
        let mut home = vec![NONE; self.vertex_count()];
        home[start.index()] = NodeId::ROOT.0;
        let mut arrivals = Vec::new();
        let mut open = vec![(NodeId::ROOT, start)];
        while let Some((node, vertex)) = open.pop() {
            for edge in self.edges(vertex) {
                let to = self.target(edge);
                let child = tree.add_child(node, self.move_of(edge).clone());
                vertices.push(to);
                if best[to.index()] == edge.0 {
                    home[to.index()] = child.0;
                    open.push((child, to));
                } else {
                    arrivals.push((child, to));
                }
            }
        }
        let link = |(from, vertex): (NodeId, Vertex)| Link {
            from,
            to: NodeId(home[vertex.index()]),
            vertex,
        };
        Unrolled {
            tree,
            vertices,
            links: arrivals.into_iter().map(link).collect(),
        }
    }

    /// By vertex, the edge of the best way there: shortest paths by secondary moves, then by moves.
    /// Of equals, the one whose last position is the better, and there the earlier move. So the
    /// choice depends on the graph and the order of its moves alone, not on how it came to be.
    fn best_arrivals(&self, start: Vertex) -> Vec<u32> {
        let mut best = vec![NONE; self.vertex_count()];
        let mut settled = vec![false; self.vertex_count()];
        let mut open = BinaryHeap::new();
        let mut at = Some((0, 0, start));
        for rank in 0u32.. {
            let Some((depth, ply, vertex)) = at else {
                break;
            };
            settled[vertex.index()] = true;
            for (edge, choice) in self.edges(vertex).zip(0u32..) {
                if !settled[self.target(edge).index()] {
                    let depth = depth + u32::from(choice > 0);
                    open.push(Reverse(((depth, ply + 1, rank, choice), edge)));
                }
            }
            at = self.settle_next(&mut open, &settled, &mut best);
        }
        best
    }

    fn settle_next(
        &self,
        open: &mut BinaryHeap<Reverse<(Cost, EdgeId)>>,
        settled: &[bool],
        best: &mut [u32],
    ) -> Option<(u32, u32, Vertex)> {
        while let Some(Reverse(((depth, ply, ..), edge))) = open.pop() {
            let vertex = self.target(edge);
            if !settled[vertex.index()] {
                best[vertex.index()] = edge.0;
                return Some((depth, ply, vertex));
            }
        }
        None
    }
}

/// What an arrival is judged by: secondary moves, moves, how good the position before is, and
/// which of its moves it is.
type Cost = (u32, u32, u32, u32);
