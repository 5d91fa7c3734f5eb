//! A chain, a nesting and a fan of a million nodes: nothing recurses, nothing is quadratic.

use tree::{Edit, NodeId, Tree};

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

    // 2. Freeze, thaw, clone, graft, merge.
    let (frozen, ids) = tree.freeze();
    assert_eq!(frozen.thaw().freeze().0, frozen);
    let mut copy = tree.clone();
    copy.merge(NodeId::ROOT, &tree, NodeId::ROOT, |old, new| {
        assert_eq!(old, new)
    });
    assert_eq!(copy.capacity_used(), tree.capacity_used());
    copy.graft(NodeId::ROOT, &tree, NodeId::ROOT, |_, _| {});
    assert_eq!(copy.node_count(), 2 * NODES as usize + 1);
    copy.merge_duplicates(|_, _| {});
    assert_eq!(copy.freeze().0, frozen);
    assert_eq!(ids.position(last), frozen.position(NODES as usize));

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
        assert_eq!(tree.freeze().0, frozen);
    }
    tree.keep_line(last);
    tree.compact();
    assert_eq!(
        tree.node_count(),
        frozen.ply(ids.position(last).unwrap()) as usize + 1
    );
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
