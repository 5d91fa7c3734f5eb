//! The position graph compared with maps and lists, on random trees with many transpositions and cycles.

mod contents;

use std::collections::{BTreeMap, BTreeSet};

use contents::contents;
use gametree_tree::graph::{Graph, Identity, Vertex};
use gametree_tree::{NodeId, Tree};
use proptest::prelude::*;

/// A game of tokens on a ring of ten squares: transpositions and repetitions are frequent.
const SQUARES: u8 = 10;

fn key(tree: &Tree<u8>, node: NodeId) -> u8 {
    let moves = tree.ancestors(node).filter_map(|above| tree.move_to(above));
    moves.fold(0, |sum, mv| (sum + mv) % SQUARES)
}

fn random_tree() -> impl Strategy<Value = Tree<u8>> {
    prop::collection::vec((any::<u32>(), 0..5u8, any::<bool>()), 0..60).prop_map(|nodes| {
        let mut tree = Tree::new();
        let mut last = NodeId::ROOT;
        for (at, mv, go_on) in nodes {
            let count = tree.capacity_used() as u32;
            let parent = if go_on { last } else { NodeId(at % count) };
            last = tree.add_child(parent, mv);
        }
        tree
    })
}

/// The naive graph: the moves and origins of each position, by key.
#[derive(Default, Debug, PartialEq)]
struct Naive {
    moves: BTreeMap<u8, Vec<(u8, u8)>>,
    origins: BTreeMap<u8, Vec<(u8, usize)>>,
    depth: BTreeMap<u8, (u32, u32)>,
    ply: BTreeMap<u8, u32>,
    times: BTreeMap<(u8, u8), u32>,
}

impl Naive {
    fn add(&mut self, tree: &Tree<u8>) {
        for node in tree.preorder() {
            let to = key(tree, node);
            let (ply, depth) = (tree.ply(node), tree.depth(node));
            let range = self.depth.entry(to).or_insert((depth, depth));
            *range = (range.0.min(depth), range.1.max(depth));
            let least = self.ply.entry(to).or_insert(ply);
            *least = ply.min(*least);
            self.moves.entry(to).or_default();
            let Some(parent) = tree.parent(node) else {
                continue;
            };
            let (from, mv) = (key(tree, parent), *tree.move_to(node).unwrap());
            let moves = self.moves.get_mut(&from).unwrap();
            *self.times.entry((from, mv)).or_default() += 1;
            if !moves.contains(&(mv, to)) {
                moves.push((mv, to));
                self.origins
                    .entry(to)
                    .or_default()
                    .push((from, moves.len() - 1));
            }
        }
    }

    fn of(graph: &Graph<u8, u8>) -> Naive {
        let mut naive = Naive::default();
        for vertex in graph.vertices() {
            let at = graph.key(vertex);
            let out = graph
                .edges(vertex)
                .map(|e| (*graph.move_of(e), graph.key(graph.target(e))));
            naive.moves.insert(at, out.collect());
            let origins = graph
                .origins(vertex)
                .map(|o| (graph.key(o.parent), o.choice));
            let origins: Vec<_> = origins.collect();
            if !origins.is_empty() {
                naive.origins.insert(at, origins);
            }
            naive
                .depth
                .insert(at, (graph.min_depth(vertex), graph.max_depth(vertex)));
            naive.ply.insert(at, graph.min_ply(vertex));
            for edge in graph.edges(vertex) {
                naive
                    .times
                    .insert((at, *graph.move_of(edge)), graph.times(edge));
            }
        }
        naive
    }
}

fn graph_of(trees: &[Tree<u8>]) -> Graph<u8, u8> {
    let mut graph = Graph::new(Identity::Position);
    for tree in trees {
        graph.add_tree(tree, |node| key(tree, node));
    }
    graph
}

/// Lines that often have common beginnings.
fn random_lines() -> impl Strategy<Value = Vec<Vec<u8>>> {
    prop::collection::vec(prop::collection::vec(0..3u8, 0..8), 0..12)
}

proptest! {
    #[test]
    fn lines_deviate_as_variations_of_a_tree_do(lines in random_lines()) {
        let mut tree = Tree::new();
        let mut graph = Graph::new(Identity::Move);
        let start = graph.add_start(0u8);
        for line in &lines {
            tree.add_line(NodeId::ROOT, line.iter().copied());
            let mut at = 0;
            let keyed = line.iter().map(|&mv| {
                at = (at + mv) % SQUARES;
                (mv, at)
            });
            graph.add_line(start, keyed.collect::<Vec<_>>());
        }
        let (expected, vertices) = Graph::of_tree(Identity::Move, &tree, |node| key(&tree, node));
        for node in tree.preorder() {
            let moves = tree.line(node).into_iter().filter_map(|node| tree.move_to(node));
            let vertex = moves.fold(start, |at, mv| graph.target(graph.edge_by(at, mv).unwrap()));
            let same = vertices.get(node).unwrap();
            prop_assert_eq!(graph.min_depth(vertex), expected.min_depth(same));
            prop_assert_eq!(graph.max_depth(vertex), expected.max_depth(same));
            prop_assert_eq!(graph.min_ply(vertex), expected.min_ply(same));
        }
    }
}

proptest! {
    #[test]
    fn a_graph_is_what_the_maps_say(trees in prop::collection::vec(random_tree(), 1..4)) {
        let mut naive = Naive::default();
        trees.iter().for_each(|tree| naive.add(tree));
        let graph = graph_of(&trees);
        prop_assert_eq!(Naive::of(&graph), naive);
        for vertex in graph.vertices() {
            prop_assert_eq!(graph.find(graph.key(vertex)), Some(vertex));
        }
        prop_assert_eq!(graph.find(SQUARES), None);
    }

    #[test]
    fn unrolling_and_reading_back_is_the_identity(trees in prop::collection::vec(random_tree(), 1..4)) {
        let graph = graph_of(&trees);
        let unrolled = graph.unroll(graph.starts()[0]);
        let tree = &unrolled.tree;
        // 1. Every move appears once, and every node has the vertex that the graph gives it.
        prop_assert_eq!(tree.node_count(), graph.edge_count() + 1);
        prop_assert_eq!(unrolled.links.len(), graph.edge_count() + 1 - graph.vertex_count());
        for node in tree.preorder() {
            prop_assert_eq!(graph.key(unrolled.vertices[node.index()]), key(tree, node));
        }
        // 2. A link ends a line and points to the continuation, which is not deeper.
        for link in &unrolled.links {
            prop_assert!(tree.is_terminal(link.from) && link.from != link.to);
            prop_assert_eq!(unrolled.vertices[link.to.index()], link.vertex);
            prop_assert_eq!(tree.child_count(link.to), graph.edges(link.vertex).count());
            let place = |node| (tree.depth(node), tree.ply(node));
            prop_assert!(place(link.to) <= place(link.from));
        }
        // 3. The graph of the tree is the same graph.
        let again = graph_of(std::slice::from_ref(tree));
        prop_assert_eq!(Naive::of(&again).moves, Naive::of(&graph).moves);
        prop_assert_eq!(contents(&again.unroll(again.starts()[0]).tree), contents(tree));
    }

    #[test]
    fn one_vertex_per_move_is_the_tree_without_doubles(mut tree in random_tree()) {
        let (graph, vertices) = Graph::of_tree(Identity::Move, &tree, |node| key(&tree, node));
        let whole = tree.clone();
        tree.merge_duplicates(|_, _| {});
        prop_assert_eq!(graph.vertex_count(), tree.node_count());
        prop_assert_eq!(contents(&graph.unroll(Vertex(0)).tree), contents(&tree));
        prop_assert!(graph.unroll(Vertex(0)).links.is_empty());
        for position in 0..SQUARES {
            let stands = |node: &NodeId| key(&whole, *node) == position;
            let nodes: BTreeSet<_> = whole.preorder().filter(stands).map(|n| vertices.get(n)).collect();
            let found: BTreeSet<_> = graph.find_all(position).map(Some).collect();
            prop_assert_eq!(found, nodes);
        }
        let by_vertex = vertices.nodes();
        for node in whole.preorder() {
            let vertex = vertices.get(node).unwrap();
            prop_assert!(by_vertex.get(vertex).any(|other| other == node));
        }
    }

    #[test]
    fn walking_back_follows_the_way_one_came(
        tree in random_tree(),
        choices in prop::collection::vec(any::<prop::sample::Index>(), 0..30),
    ) {
        let mut graph = graph_of(&[tree]);
        let mut at = graph.starts()[0];
        for choice in choices {
            let edges: Vec<_> = graph.edges(at).collect();
            if edges.is_empty() {
                break;
            }
            let (before, edge) = (at, *choice.get(&edges));
            at = graph.walk(edge);
            prop_assert_eq!(graph.back(at), Some(before));
            prop_assert_eq!(graph.recent_origin(at).map(|o| o.edge), Some(edge));
            let index = graph.recent_origin_index(at).unwrap();
            prop_assert_eq!(graph.origin_edges(at).nth(index), Some(edge));
        }
        // After any walk there is a path, and it leads from the start to the vertex.
        for vertex in graph.vertices() {
            let way = graph.recent_path(vertex);
            let end = way.iter().fold(graph.starts()[0], |at, &edge| {
                assert_eq!(graph.source(edge), at);
                graph.target(edge)
            });
            prop_assert_eq!(end, vertex);
        }
    }

    #[test]
    fn paths_are_all_simple_ways(tree in random_tree()) {
        let graph = graph_of(&[tree]);
        for vertex in graph.vertices() {
            let found = graph.paths(vertex, 50_000);
            prop_assert!(found.complete);
            let forward = forward_paths(&graph, graph.starts()[0], vertex);
            prop_assert_eq!(found.paths.iter().cloned().collect::<BTreeSet<_>>(), forward);
            prop_assert_eq!(graph.paths(vertex, 1).paths.len(), 1);
        }
    }
}

/// All simple paths, found recursively from the start.
fn forward_paths(
    graph: &Graph<u8, u8>,
    start: Vertex,
    end: Vertex,
) -> BTreeSet<Vec<gametree_tree::graph::EdgeId>> {
    fn search(
        graph: &Graph<u8, u8>,
        seen: &mut Vec<Vertex>,
        path: &mut Vec<gametree_tree::graph::EdgeId>,
        end: Vertex,
        found: &mut BTreeSet<Vec<gametree_tree::graph::EdgeId>>,
    ) {
        let at = seen[seen.len() - 1];
        if at == end {
            found.insert(path.clone());
            return;
        }
        for edge in graph.edges(at) {
            if !seen.contains(&graph.target(edge)) {
                seen.push(graph.target(edge));
                path.push(edge);
                search(graph, seen, path, end, found);
                path.pop();
                seen.pop();
            }
        }
    }
    let mut found = BTreeSet::new();
    search(graph, &mut vec![start], &mut Vec::new(), end, &mut found);
    found
}

#[test]
fn adding_a_game_costs_only_its_own_positions() {
    let mut graph: Graph<u32, u32> = Graph::new(Identity::Position);
    let mut line = Tree::new();
    line.add_line(NodeId::ROOT, 1..=50u32);
    for game in 0..200u32 {
        let mut asked = 0;
        let vertices = graph.add_tree(&line, |node| {
            asked += 1;
            // The games diverge after ten moves.
            if node.0 < 10 {
                node.0
            } else {
                1000 * game + node.0
            }
        });
        assert_eq!(asked, 51);
        // Only its own 41 positions are new.
        assert_eq!(graph.vertex_count(), 10 + 41 * (game as usize + 1));
        assert_eq!(
            vertices
                .get(NodeId(9))
                .map(|vertex| graph.times_reached(vertex)),
            Some(u64::from(game) + 1)
        );
    }
}

#[test]
fn knights_out_and_home() {
    let mut graph = Graph::new(Identity::Position);
    let start = graph.add_start(0u128);
    let tour = [("Nf3", 1), ("Nf6", 2), ("Ng1", 3), ("Ng8", 0)];
    let twice = tour.into_iter().chain(tour);
    assert_eq!(graph.add_line(start, twice), start);
    assert_eq!((graph.vertex_count(), graph.edge_count()), (4, 4));
    assert_eq!(
        graph
            .edges(start)
            .map(|edge| graph.times(edge))
            .collect::<Vec<_>>(),
        [2]
    );
    assert!(graph.is_transposition(start));
    let unrolled = graph.unroll(start);
    assert_eq!(unrolled.tree.node_count(), 5);
    assert_eq!(unrolled.links.len(), 1);
    assert_eq!(unrolled.links[0].to, NodeId::ROOT);
    let around: Vec<_> = unrolled.tree.mainline_moves().copied().collect();
    assert_eq!(around, ["Nf3", "Nf6", "Ng1", "Ng8"]);
    for vertex in graph.vertices() {
        assert_eq!(graph.recent_path(vertex).len(), vertex.index());
        assert!(graph.paths(vertex, 10).complete);
    }
}

#[test]
fn the_mainline_keeps_its_continuation() {
    // Position 8 is late in the mainline and early in the variation; its continuation is in the mainline.
    let mut tree = Tree::new();
    tree.add_line(NodeId::ROOT, [1, 1, 1, 1, 1, 1, 1, 1, 1]);
    tree.add_line(NodeId::ROOT, [3, 3, 2, 4]);
    let (graph, _) = Graph::of_tree(Identity::Position, &tree, |node| key(&tree, node));
    let unrolled = graph.unroll(graph.starts()[0]);
    let mainline: Vec<_> = unrolled.tree.mainline_moves().copied().collect();
    assert_eq!(mainline, [1; 9]);
    assert_eq!(unrolled.links.len(), 4);
    assert!(
        unrolled
            .links
            .iter()
            .all(|link| unrolled.tree.is_mainline(link.to))
    );
}

#[test]
fn several_starts_share_positions() {
    let mut graph = Graph::new(Identity::Position);
    let (a, b) = (graph.add_start(1u64), graph.add_start(2));
    assert_eq!(graph.add_start(1), a);
    assert_eq!(graph.add_line(a, [('x', 7)]), graph.add_line(b, [('y', 7)]));
    assert_eq!(graph.starts(), [a, b]);
    let both = graph.find(7).expect("is there");
    assert_eq!(graph.paths(both, 9).paths.len(), 2);
    assert_eq!(graph.times_reached(both), 2);
}

#[test]
fn a_million_moves_deep_and_wide() {
    const MOVES: u32 = 1_000_000;
    let mut chain = Graph::new(Identity::Position);
    let start = chain.add_start(0u128);
    chain.add_line(start, (1..=MOVES).map(|n| (n as u16, u128::from(n))));
    assert_eq!(chain.unroll(start).tree.node_count(), MOVES as usize + 1);
    let last = chain.find(u128::from(MOVES)).expect("is there");
    assert_eq!(chain.recent_path(last).len(), MOVES as usize);
    assert_eq!(chain.paths(last, 2000).paths.len(), 1);
    let bytes = chain.bytes() / chain.vertex_count();
    assert!(bytes < 90, "{bytes} bytes a position");

    let mut fan = Graph::new(Identity::Position);
    let start = fan.add_start(0u64);
    for n in 1..=MOVES / 2 {
        fan.add_line(start, [(n, u64::from(n))]);
    }
    assert_eq!(fan.edge_count(), MOVES as usize / 2);
    fan.add_line(start, [(77, 77), (78, 78)]);
    assert_eq!(fan.edge_count(), MOVES as usize / 2 + 1);
}

#[test]
fn the_number_of_paths_is_limited() {
    // A chain of diamonds: 2^40 paths to its end.
    let mut graph = Graph::new(Identity::Position);
    let start = graph.add_start(0u32);
    let end = (0..40).fold(start, |at, n| {
        graph.add_line(at, [('l', 3 * n + 1), ('r', 3 * n + 3)]);
        graph.add_line(at, [('r', 3 * n + 2), ('l', 3 * n + 3)])
    });
    let found = graph.paths(end, 100);
    assert_eq!((found.paths.len(), found.complete), (100, false));
}
