//! Two small trees with published ids, depths, common ancestors and distances.

mod contents;
mod text;

use contents::contents;
use gametree_tree::{NodeId, PositionId, PreorderIndex, Tree};
use text::read;

fn ids(found: impl Iterator<Item = PositionId>) -> Vec<u32> {
    found.map(|id| id.0).collect()
}

const KNOWN: &str = "e4 ( d4 Nf6 ( d5 ) c4 ) c5 ( e5 ) ( e6 d4 ( d3 ) c5 ( d5 ) )";

#[test]
fn ids_and_depths() {
    let draft = read(KNOWN);
    let index = PreorderIndex::of(&draft);
    let moves = index
        .positions()
        .filter_map(|id| draft.move_to(index.node(id)));
    let known = [
        "e4", "c5", "e5", "e6", "d4", "c5", "d5", "d3", "d4", "Nf6", "c4", "d5",
    ];
    assert_eq!(moves.copied().collect::<Vec<_>>(), known);
    let children: Vec<_> = index
        .positions()
        .map(|id| ids(index.children(id)))
        .collect();
    let none = Vec::new;
    let known_children = [
        vec![1, 9],
        vec![2, 3, 4],
        none(),
        none(),
        vec![5, 8],
        vec![6, 7],
        none(),
        none(),
        none(),
        vec![10, 12],
        vec![11],
        none(),
        none(),
    ];
    assert_eq!(children, known_children);
    let known_depth = [0, 0, 0, 1, 1, 1, 1, 2, 2, 1, 1, 1, 2];
    let known_ply = [0, 1, 2, 2, 2, 3, 4, 4, 3, 1, 2, 3, 2];
    for id in index.positions() {
        let node = index.node(id);
        assert_eq!(index.depth(id), known_depth[id.index()]);
        assert_eq!(draft.depth(node), known_depth[id.index()]);
        assert_eq!(index.ply(id), known_ply[id.index()]);
        assert_eq!(draft.ply(node), known_ply[id.index()]);
        assert_eq!(draft.position_id(node), Some(id));
    }
    let terminals = index.positions().filter(|&id| index.is_terminal(id));
    assert_eq!(ids(terminals), [2, 3, 6, 7, 8, 11, 12]);
    let secondary = index.positions().filter(|&id| index.is_secondary(id));
    assert_eq!(ids(secondary), [3, 4, 7, 8, 9, 12]);
}

#[test]
fn mainlines() {
    let draft = read(KNOWN);
    let index = PreorderIndex::of(&draft);
    let main = draft.preorder().filter(|&node| draft.is_mainline(node));
    assert_eq!(ids(main.filter_map(|node| index.position(node))), [0, 1, 2]);
    let white = |node| draft.ply(node).is_multiple_of(2);
    let virtually = draft
        .preorder()
        .filter(|&node| draft.is_virtual_mainline(node, white));
    assert_eq!(
        ids(virtually.filter_map(|node| index.position(node))),
        [0, 1, 2, 3, 4, 5, 6, 7]
    );
}

#[test]
fn lca_distance_ancestor() {
    let draft = read(KNOWN);
    let index = PreorderIndex::of(&draft);
    let node = |id| index.node(PositionId(id));
    for (a, b, lca) in [(8, 6, 4), (11, 12, 9), (2, 11, 0), (5, 7, 5), (6, 6, 6)] {
        assert_eq!(index.lca(PositionId(a), PositionId(b)), PositionId(lca));
        assert_eq!(draft.lca(node(a), node(b)), Some(node(lca)));
    }
    let known = [
        (8, 6, 3),
        (11, 12, 3),
        (2, 11, 5),
        (0, 7, 4),
        (7, 0, 4),
        (6, 6, 0),
        (7, 11, 7),
    ];
    for (a, b, distance) in known {
        assert_eq!(index.distance(PositionId(a), PositionId(b)), distance);
        assert_eq!(draft.distance(node(a), node(b)), Some(distance));
    }
    for (a, b, known) in [
        (0, 7, true),
        (7, 0, false),
        (4, 4, false),
        (4, 8, true),
        (5, 8, false),
    ] {
        assert_eq!(index.is_ancestor(PositionId(a), PositionId(b)), known);
        assert_eq!(draft.is_ancestor(node(a), node(b)), known);
        assert_eq!(draft.is_descendant(node(b), node(a)), known);
    }
    assert!(index.is_generalised_ancestor(PositionId(4), PositionId(4)));
}

#[test]
fn a_nested_alternative_is_a_sibling() {
    let nested = read("e4 e5 ( c5 ( e6 d4 ) Nf3 )");
    let flat = read("e4 e5 ( c5 Nf3 ) ( e6 d4 )");
    assert_eq!(contents(&nested), contents(&flat));
    let index = PreorderIndex::of(&nested);
    assert_eq!(index.node_count(), 7);
    let depths: Vec<_> = index.positions().map(|id| index.depth(id)).collect();
    assert_eq!(depths, [0, 0, 0, 1, 1, 1, 1]);
    assert_eq!(ids(index.children(PositionId(1))), [2, 3, 5]);
    assert_eq!(index.lca(PositionId(4), PositionId(6)), PositionId(1));
    assert_eq!(index.distance(PositionId(4), PositionId(6)), 4);
}

#[test]
fn walks_along_lines() {
    let tree = read(KNOWN);
    let index = PreorderIndex::of(&tree);
    let node = |id| index.node(PositionId(id));
    assert_eq!(tree.end(node(4)), node(6));
    assert_eq!(
        tree.mainline_moves().copied().collect::<Vec<_>>(),
        ["e4", "c5"]
    );
    assert_eq!(
        tree.path(node(8)),
        [(node(0), 0), (node(1), 2), (node(4), 1)]
    );
    assert_eq!(tree.follow(NodeId::ROOT, [0, 2, 1]), Some(node(8)));
    assert_eq!(tree.follow(NodeId::ROOT, [0, 3]), None);
    assert_eq!(
        tree.siblings(node(3)).collect::<Vec<_>>(),
        [node(2), node(3), node(4)]
    );
    assert_eq!(
        tree.siblings(NodeId::ROOT).collect::<Vec<_>>(),
        [NodeId::ROOT]
    );
    assert_eq!(tree.previous_branching(node(11)), Some(node(9)));
    assert_eq!(tree.previous_branching(NodeId::ROOT), None);
    assert_eq!(tree.next_branching(node(4)), Some(node(5)));
    assert_eq!(tree.next_branching(node(10)), None);
    assert_eq!(tree.lines().count(), 7);
    assert_eq!(tree.lines().nth(4), Some([0, 1, 4, 8].map(node).to_vec()));
    let mut walk = tree.preorder();
    assert_eq!(walk.nth(1), Some(node(1)));
    walk.skip_below();
    assert_eq!(walk.next(), Some(node(9)));
}

#[test]
fn the_mainline_alone() {
    let tree = read(KNOWN);
    let mut index = PreorderIndex::of(&tree);
    index.rebuild_mainline(&tree);
    let main: Vec<_> = tree.mainline().collect();
    let nodes: Vec<_> = index.positions().map(|id| index.node(id)).collect();
    assert_eq!(nodes, main);
    for (id, &node) in main.iter().enumerate() {
        let id = PositionId(id as u32);
        assert_eq!(index.position(node), Some(id));
        assert_eq!((index.ply(id), index.depth(id)), (id.0, 0));
        assert_eq!(index.subtree(id), id.0..main.len() as u32);
        assert_eq!(index.next_sibling(id), None);
    }
    let rest = tree.preorder().filter(|node| !main.contains(node));
    assert_eq!(ids(rest.filter_map(|node| index.position(node))), []);
}

#[test]
fn a_smaller_tree_replaces_a_larger_one() {
    let mut index = PreorderIndex::of(&read(KNOWN));
    index.append(PositionId(3), 1);
    let small = read("e4 e5 ( c5 )");
    index.rebuild(&small);
    assert_eq!((index.node_count(), index.appended_count()), (4, 0));
    assert_eq!(ids(index.children(PositionId(1))), [2, 3]);
    index.clear();
    assert_eq!(ids(index.positions()), [0]);
    assert_eq!(index.position(NodeId(1)), None);
    assert!(index.is_terminal(PositionId::ROOT));
    assert_eq!(PreorderIndex::of(&Tree::<u8>::new()).node_count(), 1);
}

#[test]
fn appended_nodes() {
    let mut index = PreorderIndex::of(&read(KNOWN));
    let [from, sibling, other] = [PositionId(5), PositionId(8), PositionId(9)];
    let below = index.append(from, 1);
    let deeper = index.append(below, 1);
    // without a move: at the ply of its parent
    let changed = index.append(from, 0);
    assert_eq!([below, deeper, changed].map(|id| id.0), [13, 14, 15]);
    assert_eq!((index.node_count(), index.appended_count()), (13, 3));
    assert_eq!([below, deeper, changed].map(|id| index.ply(id)), [4, 5, 3]);
    for id in [below, deeper, changed] {
        assert!(index.is_appended(id) && index.is_terminal(id) && !index.is_secondary(id));
        assert_eq!(index.depth(id), index.depth(from));
        assert_eq!(index.node(id), index.node(from));
        assert_eq!(index.next_sibling(id), None);
        for above in [0, 1, 4, 5] {
            assert!(index.is_ancestor(PositionId(above), id));
            assert!(!index.is_ancestor(id, PositionId(above)));
        }
        assert!(!index.is_ancestor(sibling, id) && !index.is_ancestor(other, id));
    }
    assert!(index.is_ancestor(below, deeper) && !index.is_ancestor(below, changed));
    for (a, b, lca, distance) in [
        (deeper, below, below, 1),
        (deeper, changed, from, 2),
        (changed, from, from, 0),
        (deeper, sibling, PositionId(4), 4),
        (deeper, other, PositionId::ROOT, 6),
    ] {
        assert_eq!([index.lca(a, b), index.lca(b, a)], [lca; 2]);
        assert_eq!([index.distance(a, b), index.distance(b, a)], [distance; 2]);
    }
    assert_eq!(
        index.line_between(PositionId(4), deeper),
        [from, below, deeper]
    );
    index.truncate_appended(1);
    assert_eq!((index.node_count(), index.appended_count()), (13, 1));
    assert_eq!(index.append(other, 1), deeper);
    assert_eq!(index.ply(deeper), 2);
}
