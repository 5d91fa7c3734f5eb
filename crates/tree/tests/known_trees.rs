//! Two small trees with published ids, depths, common ancestors and distances.

mod text;

use gametree_tree::{NodeId, PositionId};
use text::read;

fn ids(found: impl Iterator<Item = PositionId>) -> Vec<u32> {
    found.map(|id| id.0).collect()
}

const KNOWN: &str = "e4 ( d4 Nf6 ( d5 ) c4 ) c5 ( e5 ) ( e6 d4 ( d3 ) c5 ( d5 ) )";

#[test]
fn ids_and_depths() {
    let draft = read(KNOWN);
    let (tree, order) = draft.freeze();
    let moves: Vec<_> = tree.positions().filter_map(|id| tree.move_to(id)).collect();
    let known = [
        "e4", "c5", "e5", "e6", "d4", "c5", "d5", "d3", "d4", "Nf6", "c4", "d5",
    ];
    assert_eq!(moves.into_iter().copied().collect::<Vec<_>>(), known);
    let children: Vec<_> = tree.positions().map(|id| ids(tree.children(id))).collect();
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
    for id in tree.positions() {
        let node = order.node(id);
        assert_eq!(tree.depth(id), known_depth[id.index()]);
        assert_eq!(draft.depth(node), known_depth[id.index()]);
        assert_eq!(tree.ply(id), known_ply[id.index()]);
        assert_eq!(draft.ply(node), known_ply[id.index()]);
        assert_eq!(draft.position_id(node), Some(id));
    }
    assert_eq!(ids(tree.terminals()), [2, 3, 6, 7, 8, 11, 12]);
}

#[test]
fn mainlines() {
    let draft = read(KNOWN);
    let (tree, order) = draft.freeze();
    let white = |id: PositionId| tree.ply(id).is_multiple_of(2);
    let main = tree.positions().filter(|&id| tree.is_mainline(id));
    assert_eq!(ids(main), [0, 1, 2]);
    let virtually = tree
        .positions()
        .filter(|&id| tree.is_virtual_mainline(id, white));
    assert_eq!(ids(virtually), [0, 1, 2, 3, 4, 5, 6, 7]);
    let white = |node| draft.ply(node).is_multiple_of(2);
    let virtually = draft
        .preorder()
        .filter(|&node| draft.is_virtual_mainline(node, white));
    assert_eq!(
        ids(virtually.filter_map(|node| order.position(node))),
        [0, 1, 2, 3, 4, 5, 6, 7]
    );
}

#[test]
fn lca_distance_ancestor() {
    let draft = read(KNOWN);
    let (tree, order) = draft.freeze();
    let node = |id| order.node(PositionId(id));
    for (a, b, lca) in [(8, 6, 4), (11, 12, 9), (2, 11, 0), (5, 7, 5), (6, 6, 6)] {
        assert_eq!(tree.lca(PositionId(a), PositionId(b)), PositionId(lca));
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
        assert_eq!(tree.distance(PositionId(a), PositionId(b)), distance);
        assert_eq!(draft.distance(node(a), node(b)), Some(distance));
    }
    for (a, b, known) in [
        (0, 7, true),
        (7, 0, false),
        (4, 4, false),
        (4, 8, true),
        (5, 8, false),
    ] {
        assert_eq!(tree.is_ancestor(PositionId(a), PositionId(b)), known);
        assert_eq!(draft.is_ancestor(node(a), node(b)), known);
        assert_eq!(draft.is_descendant(node(b), node(a)), known);
    }
    assert!(tree.is_generalised_ancestor(PositionId(4), PositionId(4)));
}

#[test]
fn a_nested_alternative_is_a_sibling() {
    let nested = read("e4 e5 ( c5 ( e6 d4 ) Nf3 )");
    let flat = read("e4 e5 ( c5 Nf3 ) ( e6 d4 )");
    assert_eq!(nested.freeze().0, flat.freeze().0);
    let (tree, _) = nested.freeze();
    assert_eq!(tree.node_count(), 7);
    let depths: Vec<_> = tree.positions().map(|id| tree.depth(id)).collect();
    assert_eq!(depths, [0, 0, 0, 1, 1, 1, 1]);
    assert_eq!(ids(tree.children(PositionId(1))), [2, 3, 5]);
    assert_eq!(tree.lca(PositionId(4), PositionId(6)), PositionId(1));
    assert_eq!(tree.distance(PositionId(4), PositionId(6)), 4);
}

#[test]
fn walks_along_lines() {
    let tree = read(KNOWN);
    let order = tree.order();
    let node = |id| order.node(PositionId(id));
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
