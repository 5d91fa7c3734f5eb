//! Unrolling: from the graph to a tree in which each continuation appears once.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::Hash;

use super::{EdgeId, Graph, NONE, Vertex};
use crate::{NodeId, Tree};

/// A tree in which every move of the graph appears once.
#[derive(Clone, Debug)]
pub struct Unrolled<M> {
    /// The tree; its root is the position where unrolling started.
    pub tree: Tree<M>,
    /// The vertex of each node, by handle.
    pub vertices: Vec<Vertex>,
    /// The nodes whose continuation is elsewhere in the tree.
    pub links: Vec<Link>,
}

/// A reference from a node to the node with the same position that has the continuation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link {
    /// The node where the line ends.
    pub from: NodeId,
    /// The node with the continuation, if there is one.
    pub to: NodeId,
    /// The position.
    pub vertex: Vertex,
}

impl<K: Copy + Eq + Hash, M: Clone + Eq + Hash> Graph<K, M> {
    /// Unrolls everything that can be reached from a position. A continuation is placed at the
    /// arrival with the fewest secondary moves, and among these at the one with the fewest moves;
    /// the mainline comes first. Every other arrival ends the line and is listed as a link.
    /// Unrolling the graph of the result gives the same tree. O(n log n), also with cycles.
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

    /// By vertex, the last edge of the best path: shortest paths by secondary moves, then by moves
    /// (Dijkstra). Ties are broken by the rank of the previous position, then by move order, so the
    /// result depends only on the graph and the order of its moves, not on its history.
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

/// The cost of an arrival: secondary moves, moves, rank of the previous position, index of the move.
type Cost = (u32, u32, u32, u32);
