//! The tidy layout compared with a layout that tests every pair of nodes.

use gametree_tree::layout::{Align, Content, Item, Levels, Options, Picture, Placed, Plan, Size};
use gametree_tree::{LineCounts, NodeId, Tree};
use proptest::prelude::*;

fn random_tree() -> impl Strategy<Value = Tree<u8>> {
    prop::collection::vec((any::<u32>(), any::<bool>()), 0..60).prop_map(|nodes| {
        let mut tree = Tree::new();
        let mut last = NodeId::ROOT;
        for (at, go_on) in nodes {
            let count = tree.capacity_used() as u32;
            last = tree.add_child(if go_on { last } else { NodeId(at % count) }, 0);
        }
        tree
    })
}

fn options() -> impl Strategy<Value = Options> {
    (any::<bool>(), any::<bool>()).prop_map(|(centre, packed)| {
        Options::default()
            .align(if centre {
                Align::Centre
            } else {
                Align::Primary
            })
            .levels(if packed {
                Levels::Packed
            } else {
                Levels::Columns
            })
            .gap(Size::new(1.0, 2.0))
    })
}

fn node_of(item: &Item) -> NodeId {
    match item.content {
        Content::Node(node) => node,
        Content::Fold { .. } => panic!("nothing is folded here"),
    }
}

/// Places the subtree at `top` with its root at zero: child after child, as close as the gap allows
/// to every earlier node that overlaps along the tree.
fn naive(plan: &Plan, picture: &Picture, options: &Options, top: usize) -> Vec<(usize, f64)> {
    let stretch = |i: usize| {
        let item = &picture.items[i];
        let start = item.parent.map_or(0.0, |p| end(&picture.items[p]));
        (start, end(item))
    };
    let half = |i: usize| picture.items[i].size.across / 2.0;
    let children = plan
        .items()
        .enumerate()
        .filter(|(_, item)| item.parent == Some(top));
    let mut placed: Vec<(usize, f64)> = Vec::new();
    let mut last = 0.0;
    for (child, _) in children {
        let subtree = naive(plan, picture, options, child);
        let mut shift = f64::MIN;
        for &(a, at_a) in &placed {
            for &(b, at_b) in &subtree {
                let ((start_a, end_a), (start_b, end_b)) = (stretch(a), stretch(b));
                if start_a < end_b && start_b < end_a {
                    shift = shift.max(at_a + half(a) + options.gap.across - (at_b - half(b)));
                }
            }
        }
        last = if placed.is_empty() { 0.0 } else { shift };
        placed.extend(subtree.iter().map(|(i, at)| (*i, at + last)));
    }
    if options.align == Align::Centre && !plan.item(top).mainline {
        placed.iter_mut().for_each(|(_, at)| *at -= last / 2.0);
    }
    placed.push((top, 0.0));
    placed
}

fn end(item: &Placed) -> f64 {
    item.along + item.size.along
}

fn overlap(a: &Placed, b: &Placed) -> bool {
    let across = (a.across - b.across).abs() < (a.size.across + b.size.across) / 2.0 - 1e-9;
    across && a.along < end(b) && b.along < end(a)
}

proptest! {
    #[test]
    fn nodes_lie_as_near_as_they_can(
        tree in random_tree(),
        options in options(),
        sizes in prop::collection::vec((1..6u8, 1..6u8), 1..20),
    ) {
        let plan = Plan::whole(&tree);
        let picture = plan.lay_out(options, |item| {
            let (along, across) = sizes[node_of(item).index() % sizes.len()];
            Size::new(along.into(), across.into())
        });
        // 1. All items are placed, none overlap, none are outside.
        let nodes: Vec<_> = plan.items().map(|item| node_of(&item)).collect();
        prop_assert_eq!(nodes, tree.preorder().collect::<Vec<_>>());
        for (i, item) in picture.items.iter().enumerate() {
            prop_assert!(picture.items[..i].iter().all(|other| !overlap(item, other)));
            prop_assert!(item.along >= 0.0 && end(item) <= picture.size.along);
            prop_assert!(item.across - item.size.across / 2.0 >= -1e-9);
            prop_assert!(item.across + item.size.across / 2.0 <= picture.size.across + 1e-9);
            if let Some(parent) = item.parent {
                prop_assert!(item.along >= end(&picture.items[parent]) + options.gap.along);
            }
        }
        // 2. The mainline is straight, and with `Align::Primary` every line.
        for (item, placed) in plan.items().zip(&picture.items) {
            let straight = match options.align {
                Align::Primary => tree.is_locally_mainline(node_of(&item)),
                Align::Centre => item.mainline,
            };
            if let (true, Some(parent)) = (straight, item.parent) {
                prop_assert!((placed.across - picture.items[parent].across).abs() < 1e-9);
            }
        }
        // 3. The space between a parent's end and a child's start is free.
        for child in &picture.items {
            let Some(parent) = child.parent.map(|parent| &picture.items[parent]) else {
                continue;
            };
            let (from, to) = (parent.across.min(child.across), parent.across.max(child.across));
            let way = Placed {
                along: end(parent),
                across: (from + to) / 2.0,
                size: Size::new(child.along - end(parent), to - from),
                ..*child
            };
            prop_assert!(picture.items.iter().all(|other| !overlap(&way, other)));
        }
        // 4. The distances are those of the naive layout.
        for (i, at) in naive(&plan, &picture, &options, 0) {
            let expected = at + picture.items[0].across;
            prop_assert!((picture.items[i].across - expected).abs() < 1e-6);
        }
    }

    #[test]
    fn folding_hides_and_counts(tree in random_tree(), budget in 0..70usize) {
        let lines = LineCounts::new(&tree);
        let plan = Plan::folded(&tree, &lines, budget);
        let (mut nodes, mut folds, mut hidden, mut ends) = (0, 0, 0, 0);
        for item in plan.items() {
            match item.content {
                Content::Node(node) => {
                    nodes += 1;
                    ends += usize::from(tree.is_terminal(node));
                }
                Content::Fold { nodes, lines } => {
                    folds += 1;
                    hidden += nodes as usize;
                    ends += lines as usize;
                    prop_assert!(nodes > 1);
                }
            }
        }
        prop_assert_eq!(nodes + hidden, tree.node_count());
        prop_assert_eq!(ends, tree.terminals().count());
        // A fold of a single node shows that node instead.
        prop_assert!(nodes <= 2 * budget.max(1) && folds <= budget.max(1));
        let mainline = plan.items().filter(|item| item.mainline).count();
        prop_assert!(mainline >= tree.mainline().count().min(budget));
        if budget >= tree.node_count() {
            prop_assert_eq!(plan, Plan::whole(&tree));
        }
    }
}

#[test]
fn the_larger_alternative_is_kept() {
    let mut tree = Tree::new();
    tree.add_line(NodeId::ROOT, [0, 0]);
    let small = tree.add_line(NodeId::ROOT, [1, 1, 1]).first_new;
    let large = tree.add_child(NodeId::ROOT, 2);
    let below = tree.add_child(large, 0);
    tree.add_child(below, 0);
    tree.add_child(below, 1);
    let plan = Plan::folded(&tree, &LineCounts::new(&tree), 5);
    let shows = |node| plan.items().any(|item| item.content == Content::Node(node));
    assert!(shows(large) && small.is_some_and(|small| !shows(small)));
    let fold = Content::Fold { nodes: 3, lines: 1 };
    assert_eq!(
        plan.items().last().map(|item| (item.content, item.parent)),
        Some((fold, Some(0)))
    );
}

#[test]
fn hidden_nodes_are_folded() {
    let mut tree = Tree::new();
    let a = tree.add_child(NodeId::ROOT, ());
    let b = tree.add_child(NodeId::ROOT, ());
    let c = tree.add_child(b, ());
    tree.add_child(c, ());
    let lines = LineCounts::new(&tree);
    // A node with a hidden parent is hidden.
    let plan = Plan::showing(&tree, &lines, |node| {
        node == NodeId::ROOT || node == a || node == c
    });
    let content: Vec<Content> = plan.items().map(|item| item.content).collect();
    let fold = Content::Fold { nodes: 3, lines: 1 };
    assert_eq!(
        content,
        [Content::Node(NodeId::ROOT), Content::Node(a), fold]
    );
}

#[test]
fn a_million_nodes() {
    const NODES: u32 = 1_000_000;
    let one = |_: &Item| Size::new(3.0, 1.0);
    let mut chain = Tree::new();
    (0..NODES).fold(NodeId::ROOT, |at, _| chain.add_child(at, ()));
    let picture = Plan::whole(&chain).lay_out(Options::default(), one);
    assert_eq!(picture.size, Size::new(f64::from(NODES) * 4.0 + 3.0, 1.0));

    let mut nesting = Tree::new();
    (0..NODES / 2).fold(NodeId::ROOT, |at, _| {
        nesting.add_child(at, ());
        nesting.add_child(at, ())
    });
    let picture = Plan::whole(&nesting).lay_out(Options::default(), one);
    assert_eq!(picture.size.across, f64::from(NODES) + 1.0);
    let lines = LineCounts::new(&nesting);
    assert!(Plan::folded(&nesting, &lines, 1000).items().len() <= 2000);
}
