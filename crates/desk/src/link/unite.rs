//! All continuations of a position in one place, also those that differ.

use chess::link::{Link, LinkKind};
use chess::pgn::{Game, Outcome};
use chess::{Identity, Move};
use rustc_hash::FxHashMap;
use tree::NodeId;
use tree::graph::{self, EdgeId, Graph, Vertex, VertexOf};

use super::{Linked, play, reference, unchanged, without_annotations};
use crate::positions::{Keys, move_path};
use crate::remarks::{KeptAnnotations, Remarks};

/// Writes each position's continuation once: at the place with the fewest secondary moves before
/// it, so preferably in the mainline; then with the fewest moves before it. Continuations that
/// differ are united there, with all annotations of a move from all places. The other places get a
/// reference, and so do lines that end in a position that a reference of the input led to.
///
/// Positions that moves can lead back to are not united: one place cannot hold their continuation
/// without shortening the line that repeats them. So the mainline stays whole: it is the only path
/// without secondary moves. If it ends where a variation goes on, it is continued, except in a game
/// with a result.
///
/// The place of a continuation depends on the graph alone, so doing this again changes nothing.
/// Only strictly equal positions are united: ignoring en passant could move a capture to a place
/// where it is illegal.
pub fn unite(game: &Game) -> Linked {
    let (graph, vertices) = united_graph(game);
    let Some(start) = vertices.get(NodeId::ROOT) else {
        return unchanged(game);
    };
    let unrolled = graph.unroll(start);

    // 1. The new places of the moves.
    let mut place_of = vec![NodeId::ROOT; graph.edge_count()];
    for node in unrolled.tree.preorder() {
        if let (Some(parent), Some(mv)) = (unrolled.tree.parent(node), unrolled.tree.move_to(node))
            && let [from, to] = [parent, node].map(|node| unrolled.vertices[node.index()])
            && let Some(edge) = edge_to(&graph, from, mv, to)
        {
            place_of[edge.index()] = node;
        }
    }
    let tree = game.tree();
    let image = |node: NodeId| {
        let Some(parent) = tree.parent(node) else {
            return (node == NodeId::ROOT).then_some(node);
        };
        let (from, to) = (vertices.get(parent)?, vertices.get(node)?);
        let edge = edge_to(&graph, from, tree.move_to(node)?, to)?;
        Some(place_of[edge.index()])
    };

    // 2. Their annotations, without valid references, which are rewritten.
    let mut unlinked = game.clone();
    let mut referred = vec![false; graph.vertex_count()];
    unlinked.retain_notes(|node, note, text| {
        let to = reference(note, text).and_then(|link| position_of(&graph, start, game, &link));
        let held = to.filter(|_| to == vertices.get(node));
        held.inspect(|vertex| referred[vertex.index()] = true)
            .is_none()
    });
    let mut remarks = Remarks::default();
    remarks.take(&unlinked, KeptAnnotations::default(), "", image);

    // 3. The game, with references to the continuations elsewhere.
    let wanted =
        |link: &&graph::Link| !unrolled.tree.is_terminal(link.to) || referred[link.vertex.index()];
    let links: Vec<graph::Link> = unrolled.links.iter().filter(wanted).copied().collect();
    let fewer = tree.node_count() - unrolled.tree.node_count();
    let mut linked = without_annotations(game, unrolled.tree);
    for link in &links {
        let moves = move_path(&linked, link.to).0;
        let reference = Link {
            game: None,
            moves,
            kind: LinkKind::Cut,
        };
        remarks.add_comment(link.from, &reference.to_string());
    }
    remarks.attach(&mut linked);
    Linked {
        game: linked,
        links: links.len() as u64,
        fewer: fewer as u64,
    }
}

/// The edge with this move between two positions. The last position of a finished game can have the
/// same move to it as another one.
fn edge_to(graph: &Graph<u128, Move>, from: Vertex, mv: &Move, to: Vertex) -> Option<EdgeId> {
    let leads_there = |edge: &EdgeId| graph.target(*edge) == to;
    let first = graph.edge_by(from, mv).filter(leads_there);
    let mut all = graph.edges(from).filter(|&edge| graph.move_of(edge) == mv);
    first.or_else(|| all.find(leads_there))
}

/// The graph of a game in which some positions have a vertex for each move to them: those on a
/// cycle, and the last one of a finished game.
fn united_graph(game: &Game) -> (Graph<u128, Move>, VertexOf) {
    let each = graph::Identity::Position;
    let tree = game.tree();
    let mut keys = Keys::new(game, Identity::Strict);
    let (graph, vertices) = Graph::of_tree(each, tree, |node| keys.at(node));
    let mut alone = cyclic(&graph);
    let last = tree.mainline().last();
    let end = last.filter(|_| game.outcome() != Outcome::Unknown);
    if let Some(end) = end.and_then(|end| vertices.get(end)) {
        alone[end.index()] = true;
    }
    if !alone.contains(&true) {
        return (graph, vertices);
    }
    let mut own = vec![0; tree.capacity_used()];
    let mut steps: FxHashMap<(u128, Move, bool), u128> = FxHashMap::default();
    Graph::of_tree(each, tree, |node| {
        let vertex = vertices.get(node);
        let vertex = vertex.filter(|vertex| alone[vertex.index()]);
        let step = tree.parent(node).zip(tree.move_to(node).copied());
        let key = match (vertex, step) {
            // Small numbers: a key of a position has random bits.
            (Some(_), Some((parent, mv))) => {
                let next = steps.len() as u128;
                let step = (own[parent.index()], mv, end == Some(node));
                *steps.entry(step).or_insert(next)
            }
            _ => vertex_key(&graph, vertices.get(node)),
        };
        own[node.index()] = key;
        key
    })
}

fn vertex_key(graph: &Graph<u128, Move>, vertex: Option<Vertex>) -> u128 {
    vertex.map_or(0, |vertex| graph.key(vertex))
}

/// By vertex, whether it lies on a cycle or between two.
pub(super) fn cyclic(graph: &Graph<u128, Move>) -> Vec<bool> {
    let mut left = vec![true; graph.vertex_count()];
    remove_ends(&mut left, |vertex| {
        let sources = graph.origin_edges(vertex).map(|edge| graph.source(edge));
        let targets = graph.edges(vertex).map(|edge| graph.target(edge));
        (sources.collect(), targets.collect())
    });
    remove_ends(&mut left, |vertex| {
        let sources = graph.origin_edges(vertex).map(|edge| graph.source(edge));
        let targets = graph.edges(vertex).map(|edge| graph.target(edge));
        (targets.collect(), sources.collect())
    });
    left
}

/// Removes the vertices without neighbours on one side, again and again. `sides` gives the
/// neighbours on that side and on the other.
fn remove_ends(left: &mut [bool], sides: impl Fn(Vertex) -> (Vec<Vertex>, Vec<Vertex>)) {
    let all = (0..left.len() as u32).map(Vertex);
    let mut open = Vec::new();
    let mut missing = vec![0; left.len()];
    for vertex in all.filter(|vertex| left[vertex.index()]) {
        let before = sides(vertex).0;
        missing[vertex.index()] = before.iter().filter(|other| left[other.index()]).count();
        if missing[vertex.index()] == 0 {
            open.push(vertex);
        }
    }
    while let Some(vertex) = open.pop() {
        left[vertex.index()] = false;
        for after in sides(vertex).1 {
            if left[after.index()] {
                missing[after.index()] -= 1;
                if missing[after.index()] == 0 {
                    open.push(after);
                }
            }
        }
    }
}

/// The position that a reference's moves lead to, in whichever lines they are written.
fn position_of(
    graph: &Graph<u128, Move>,
    start: Vertex,
    game: &Game,
    link: &Link,
) -> Option<Vertex> {
    let step = |at, mv| Some(graph.target(graph.edge_by(at, &mv)?));
    play(game, link, start, step)
}
