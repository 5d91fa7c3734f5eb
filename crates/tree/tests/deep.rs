//! A chain, a nesting and a fan of a million nodes: no function recurses or takes quadratic time.
//!
//! At this size a quadratic function takes hours, so each test passes only if everything is linear
//! (or n log n).

mod contents;

use contents::contents;
use gametree_tree::graph::{Graph, Identity};
use gametree_tree::layout::{Options, Plan, Size};
use gametree_tree::table::{Caption, Numbering, Table};
use gametree_tree::{Edit, LineCounts, NodeId, PositionId, PreorderIndex, SideTable, Tree, View};

const NODES: u32 = 1_000_000;

fn chain() -> Tree<u16> {
    let mut tree = Tree::new();
    (0..NODES).fold(NodeId::ROOT, |at, n| tree.add_child(at, n as u16));
    tree
}

/// `a (b c (d e (f …)))`: every other move is an alternative, one level deeper each time.
fn nesting() -> Tree<u16> {
    let mut tree = Tree::new();
    (0..NODES / 2).fold(NodeId::ROOT, |at, n| {
        tree.add_child(at, 0);
        tree.add_child(at, 1 + (n % 100) as u16)
    });
    tree
}

fn fan() -> Tree<u32> {
    let mut tree = Tree::new();
    (0..NODES).for_each(|n| {
        tree.add_child(NodeId::ROOT, n);
    });
    tree
}

fn check<M: Clone + Eq + std::hash::Hash + std::fmt::Debug>(mut tree: Tree<M>) {
    // 1. Walk.
    let order: Vec<_> = tree.preorder().collect();
    assert_eq!(order.len(), NODES as usize + 1);
    let last = order[order.len() - 1];
    assert!(tree.is_ancestor(NodeId::ROOT, last));
    assert!(tree.lca(last, order[order.len() / 2]).is_some());
    assert_eq!(tree.path(last).len(), tree.ply(last) as usize);

    // 2. Index, clone, graft, merge.
    let index = PreorderIndex::of(&tree);
    let known = contents(&tree);
    let mut copy = tree.clone();
    copy.merge(NodeId::ROOT, &tree, NodeId::ROOT, |old, new| {
        assert_eq!(old, new)
    });
    assert_eq!(copy.capacity_used(), tree.capacity_used());
    copy.graft(NodeId::ROOT, &tree, NodeId::ROOT, |_, _| {});
    assert_eq!(copy.node_count(), 2 * NODES as usize + 1);
    copy.merge_duplicates(|_, _| {});
    assert_eq!(contents(&copy), known);
    assert_eq!(index.position(last), Some(PositionId(NODES)));

    // 3. Edit, undo, compact.
    let edits: Vec<fn(&mut Tree<M>, NodeId) -> Edit> = vec![
        Tree::promote_to_mainline,
        Tree::keep_line,
        Tree::keep_through,
        Tree::detach,
        Tree::promote,
    ];
    for edit in edits {
        let done = edit(&mut tree, last);
        tree.apply(&done.inverse()).unwrap();
        assert_eq!(contents(&tree), known);
    }
    tree.keep_line(last);
    tree.compact();
    assert_eq!(tree.node_count(), index.ply(PositionId(NODES)) as usize + 1);
}

/// Views, table, layout, line counts and side tables.
fn check_displays<M>(tree: &Tree<M>) {
    let last = tree.terminals().last().unwrap();
    let lines = LineCounts::new(tree);
    assert_eq!(
        lines.through(NodeId::ROOT) as usize,
        tree.terminals().count()
    );

    // 1. The table of the mainline, and of the line to the last terminal node.
    let mut view = View::new();
    for _ in 0..2 {
        let table = Table::new(tree, &view, &lines, Numbering::default());
        let rows = table.rows(0..table.row_count(), |_| Caption::default());
        assert_eq!(rows.len(), table.row_count());
        view.show(tree, last);
    }
    assert_eq!(view.line(tree, NodeId::ROOT).last(), Some(last));

    // 2. The layout, whole and folded.
    for plan in [Plan::whole(tree), Plan::folded(tree, &lines, 1000)] {
        let picture = plan.lay_out(Options::default(), |_| Size::new(1.0, 1.0));
        assert_eq!(picture.items.len(), plan.items().len());
    }

    // 3. A value on every node, pushed in reverse order.
    let mut values = SideTable::new();
    (0..=NODES).rev().for_each(|n| values.push(NodeId(n), n));
    values.sort();
    assert_eq!(values.first(last), Some(&last.0));
}

/// The graph with one vertex per node, and with one vertex for every ten plies.
fn check_graphs<M: Clone + Eq + std::hash::Hash>(tree: &Tree<M>) {
    let index = PreorderIndex::of(tree);
    let ply = |node| index.ply(index.position(node).unwrap());
    let (graph, vertices) = Graph::of_tree(Identity::Position, tree, |node| node.0);
    let last = vertices.get(NodeId(NODES)).unwrap();
    assert_eq!(graph.recent_path(last).len(), ply(NodeId(NODES)) as usize);
    assert_eq!(
        graph.unroll(graph.starts()[0]).tree.node_count(),
        NODES as usize + 1
    );
    let (cyclic, _) = Graph::of_tree(Identity::Position, tree, |node| ply(node) % 10);
    for vertex in cyclic.vertices() {
        assert!(cyclic.paths(vertex, 10).paths.len() <= 10);
        for origin in cyclic.origins(vertex) {
            assert!(origin.choice < cyclic.degree(origin.parent));
        }
        for edge in cyclic.edges(vertex) {
            let found = cyclic.edge_by(vertex, cyclic.move_of(edge));
            assert!(found.is_some_and(|found| cyclic.source(found) == vertex));
        }
    }
    assert_eq!(
        cyclic.unroll(cyclic.starts()[0]).tree.node_count(),
        cyclic.edge_count() + 1
    );
}

#[test]
fn displays_of_a_million() {
    check_displays(&chain());
    check_displays(&nesting());
    check_displays(&fan());
}

#[test]
fn graphs_of_a_million() {
    check_graphs(&chain());
    check_graphs(&nesting());
    check_graphs(&fan());
}

#[test]
fn a_chain_of_a_million() {
    check(chain());
}

#[test]
fn a_nesting_of_a_million() {
    let tree = nesting();
    let last = NodeId(NODES);
    assert_eq!(tree.depth(last), NODES / 2);
    check(tree);
}

#[test]
fn a_fan_of_a_million() {
    check(fan());
}
