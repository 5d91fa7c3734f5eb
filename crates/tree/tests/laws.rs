//! Random edits compared with a tree of plain lists, with undo and redo.

use std::collections::BTreeMap;

use gametree_tree::{Edit, LineCounts, NodeId, PreorderIndex, SideTable, Tree};
use proptest::prelude::*;

/// The naive tree: a list of children per node.
#[derive(Clone, Debug, PartialEq, Default)]
struct Naive {
    children: BTreeMap<NodeId, Vec<NodeId>>,
    moves: BTreeMap<NodeId, u8>,
}

impl Naive {
    fn new() -> Naive {
        let mut naive = Naive::default();
        naive.children.insert(NodeId::ROOT, Vec::new());
        naive
    }

    fn of(tree: &Tree<u8>) -> Naive {
        let all = (0..tree.capacity_used() as u32).map(NodeId);
        Naive {
            children: all
                .clone()
                .map(|node| (node, tree.children(node).collect()))
                .collect(),
            moves: all
                .filter_map(|node| Some((node, *tree.move_to(node)?)))
                .collect(),
        }
    }

    fn insert(&mut self, node: NodeId, parent: NodeId, index: usize, mv: u8) {
        self.children.insert(node, Vec::new());
        self.moves.insert(node, mv);
        self.attach(node, parent, index);
    }

    fn attach(&mut self, node: NodeId, parent: NodeId, index: usize) {
        let siblings = self.children.get_mut(&parent).unwrap();
        siblings.insert(index.min(siblings.len()), node);
    }

    fn parent(&self, node: NodeId) -> Option<NodeId> {
        let mut all = self.children.iter();
        all.find_map(|(&parent, children)| children.contains(&node).then_some(parent))
    }

    fn path(&self, node: NodeId) -> Vec<NodeId> {
        std::iter::successors(Some(node), |&node| self.parent(node)).collect()
    }

    fn detach(&mut self, node: NodeId) {
        self.children
            .values_mut()
            .for_each(|children| children.retain(|&child| child != node));
    }

    fn shift(&mut self, node: NodeId, to: impl Fn(usize, usize) -> usize) {
        if let Some(parent) = self.parent(node) {
            let siblings = self.children.get_mut(&parent).unwrap();
            let from = siblings.iter().position(|&child| child == node).unwrap();
            let to = to(from, siblings.len());
            siblings.remove(from);
            siblings.insert(to, node);
        }
    }

    fn keep_through(&mut self, node: NodeId) {
        for above in self.path(node) {
            if let Some(parent) = self.parent(above) {
                self.children.insert(parent, vec![above]);
            }
        }
    }

    fn preorder(&self) -> Vec<NodeId> {
        let (mut order, mut open) = (Vec::new(), vec![NodeId::ROOT]);
        while let Some(node) = open.pop() {
            order.push(node);
            open.extend(self.children[&node].iter().rev());
        }
        order
    }

    /// The attached tree as nested text, without handles.
    fn shape(&self, node: NodeId) -> String {
        let below = self.children[&node].iter().map(|&child| self.shape(child));
        format!("{:?}[{}]", self.moves.get(&node), below.collect::<String>())
    }
}

#[derive(Clone, Debug)]
enum Act {
    Add(u32, u8),
    Primary(u32, u8),
    Insert(u32, usize, u8),
    Line(u32, Vec<u8>),
    Detach(u32),
    Attach(u32, u32, usize),
    Promote(u32),
    Demote(u32),
    First(u32),
    Mainline(u32),
    KeepLine(u32),
    KeepThrough(u32),
    MergeDuplicates,
}

fn act() -> impl Strategy<Value = Act> {
    let n = any::<u32>;
    let mv = || 0..4u8;
    prop_oneof![
        8 => (n(), mv()).prop_map(|(n, m)| Act::Add(n, m)),
        2 => (n(), mv()).prop_map(|(n, m)| Act::Primary(n, m)),
        3 => (n(), 0..4usize, mv()).prop_map(|(n, i, m)| Act::Insert(n, i, m)),
        3 => (n(), prop::collection::vec(mv(), 0..5)).prop_map(|(n, l)| Act::Line(n, l)),
        2 => n().prop_map(Act::Detach),
        2 => (n(), n(), 0..4usize).prop_map(|(a, b, i)| Act::Attach(a, b, i)),
        1 => n().prop_map(Act::Promote),
        1 => n().prop_map(Act::Demote),
        1 => n().prop_map(Act::First),
        1 => n().prop_map(Act::Mainline),
        1 => n().prop_map(Act::KeepLine),
        1 => n().prop_map(Act::KeepThrough),
        1 => Just(Act::MergeDuplicates),
    ]
}

/// Applies the same change to both trees and returns the recorded edit.
fn perform(act: &Act, tree: &mut Tree<u8>, naive: &mut Naive) -> Edit {
    let count = tree.capacity_used() as u32;
    let pick = |n: u32| NodeId(n % count);
    match *act {
        Act::Add(n, mv) => {
            let node = tree.add_child(pick(n), mv);
            naive.insert(node, pick(n), usize::MAX, mv);
            tree.addition(node)
        }
        Act::Primary(n, mv) => {
            let node = tree.add_primary(pick(n), mv);
            naive.insert(node, pick(n), 0, mv);
            tree.addition(node)
        }
        Act::Insert(n, index, mv) => {
            let node = tree.insert_child(pick(n), index, mv);
            naive.insert(node, pick(n), index, mv);
            tree.addition(node)
        }
        Act::Line(n, ref moves) => {
            let added = tree.add_line(pick(n), moves.iter().copied());
            let (mut at, mut new) = (pick(n), added.first_new.map_or(0, |node| node.0));
            for &mv in moves {
                let known = naive.children[&at]
                    .iter()
                    .find(|child| naive.moves[child] == mv);
                at = known.copied().unwrap_or_else(|| {
                    let node = NodeId(new);
                    naive.insert(node, at, usize::MAX, mv);
                    new += 1;
                    node
                });
            }
            assert_eq!(at, added.end);
            added.edit
        }
        Act::Detach(n) => {
            naive.detach(pick(n));
            tree.detach(pick(n))
        }
        Act::Attach(a, b, index) => {
            let (node, parent) = (pick(a), pick(b));
            let detached = naive.parent(node).is_none() && node != NodeId::ROOT;
            let fits = detached && !naive.path(parent).contains(&node);
            let done = tree.attach(node, parent, index);
            assert_eq!(done.is_ok(), fits);
            if fits {
                naive.attach(node, parent, index);
            }
            done.unwrap_or_default()
        }
        Act::Promote(n) => {
            naive.shift(pick(n), |from, _| from.saturating_sub(1));
            tree.promote(pick(n))
        }
        Act::Demote(n) => {
            naive.shift(pick(n), |from, len| (from + 1).min(len - 1));
            tree.demote(pick(n))
        }
        Act::First(n) => {
            naive.shift(pick(n), |_, _| 0);
            tree.make_first(pick(n))
        }
        Act::Mainline(n) => {
            for node in naive.path(pick(n)) {
                naive.shift(node, |_, _| 0);
            }
            tree.promote_to_mainline(pick(n))
        }
        Act::KeepLine(n) => {
            naive.keep_through(tree.end(pick(n)));
            tree.keep_line(pick(n))
        }
        Act::KeepThrough(n) => {
            naive.keep_through(pick(n));
            tree.keep_through(pick(n))
        }
        Act::MergeDuplicates => {
            // Merging must keep the set of move sequences.
            let before = sequences(tree);
            let edit = tree.merge_duplicates(|_, _| {});
            assert_eq!(sequences(tree), before);
            assert_eq!(tree.preorder().count(), before.len());
            *naive = Naive::of(tree);
            edit
        }
    }
}

fn sequences(tree: &Tree<u8>) -> std::collections::BTreeSet<Vec<u8>> {
    tree.preorder().map(|node| moves_to(tree, node)).collect()
}

fn moves_to(tree: &Tree<u8>, node: NodeId) -> Vec<u8> {
    tree.line(node)
        .iter()
        .filter_map(|&node| tree.move_to(node))
        .copied()
        .collect()
}

fn check_walks(tree: &Tree<u8>, naive: &Naive) {
    let order = naive.preorder();
    assert_eq!(tree.preorder().collect::<Vec<_>>(), order);
    let index = PreorderIndex::of(tree);
    for (id, &node) in order.iter().enumerate() {
        let position = index.position(node).unwrap();
        assert_eq!(position.index(), id);
        let path = naive.path(node);
        let secondary = |node: &&NodeId| {
            naive
                .parent(**node)
                .is_some_and(|above| naive.children[&above][0] != **node)
        };
        assert_eq!(tree.parent(node), naive.parent(node));
        assert_eq!(tree.ply(node), path.len() as u32 - 1);
        assert_eq!(index.ply(position), path.len() as u32 - 1);
        assert_eq!(
            tree.depth(node),
            path.iter().filter(secondary).count() as u32
        );
        assert_eq!(index.depth(position), tree.depth(node));
        assert_eq!(
            index.is_secondary(position),
            !tree.is_locally_mainline(node)
        );
        assert_eq!(index.subtree(position).len(), tree.subtree(node).count());
        let children: Vec<_> = index.children(position).map(|id| index.node(id)).collect();
        assert_eq!(children, naive.children[&node]);
        assert_eq!(
            tree.follow(NodeId::ROOT, tree.path(node).iter().map(|step| step.1)),
            Some(node)
        );
    }
    for &a in &order {
        for &b in &order {
            let (path_a, path_b) = (naive.path(a), naive.path(b));
            let lca = *path_a.iter().find(|above| path_b.contains(above)).unwrap();
            let (pa, pb) = (index.position(a).unwrap(), index.position(b).unwrap());
            assert_eq!(tree.lca(a, b), Some(lca));
            assert_eq!(index.node(index.lca(pa, pb)), lca);
            assert_eq!(tree.is_ancestor(a, b), a != b && path_b.contains(&a));
            assert_eq!(index.is_ancestor(pa, pb), tree.is_ancestor(a, b));
            assert_eq!(Some(index.distance(pa, pb)), tree.distance(a, b));
        }
    }
}

/// Compares the nodes of both; a node added later is detached and has no children in the earlier state.
fn same_as_before(tree: &Tree<u8>, before: &Naive) {
    for (node, children) in Naive::of(tree).children {
        assert_eq!(&children, before.children.get(&node).unwrap_or(&children));
    }
}

proptest! {
    #[test]
    fn edits_do_what_lists_do_and_can_be_undone(acts in prop::collection::vec(act(), 0..40)) {
        let (mut tree, mut naive) = (Tree::new(), Naive::new());
        let mut history: Vec<(Naive, Edit)> = Vec::new();
        let mut lines = LineCounts::new(&tree);
        for act in &acts {
            let before = naive.clone();
            let edit = perform(act, &mut tree, &mut naive);
            prop_assert_eq!(&Naive::of(&tree), &naive);
            lines.update(&tree, &edit);
            prop_assert_eq!(&lines, &LineCounts::new(&tree));
            history.push((before, edit));
        }
        check_walks(&tree, &naive);
        prop_assert_eq!(lines.through(NodeId::ROOT) as usize, tree.terminals().count());
        for (before, edit) in history.iter().rev() {
            tree.apply(&edit.inverse()).unwrap();
            same_as_before(&tree, before);
        }
        for (_, edit) in &history {
            tree.apply(edit).unwrap();
        }
        prop_assert_eq!(Naive::of(&tree), naive);
    }

    #[test]
    fn stale_edits_change_nothing(
        acts in prop::collection::vec(act(), 1..30),
        picks in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 0..30),
    ) {
        let (mut tree, mut naive) = (Tree::new(), Naive::new());
        let edits: Vec<_> = acts.iter().map(|act| perform(act, &mut tree, &mut naive)).collect();
        for (pick, back) in picks {
            let before = Naive::of(&tree);
            let edit = pick.get(&edits);
            let edit = if back { edit.inverse() } else { edit.clone() };
            if tree.apply(&edit).is_err() {
                prop_assert_eq!(Naive::of(&tree), before);
            }
            // No cycle: climbing from any node ends.
            for node in (0..tree.capacity_used() as u32).map(NodeId) {
                prop_assert!(tree.ancestors(node).count() <= tree.capacity_used());
            }
        }
    }

    #[test]
    fn compacting_keeps_the_attached_tree(acts in prop::collection::vec(act(), 0..40)) {
        let (mut tree, mut naive) = (Tree::new(), Naive::new());
        acts.iter().for_each(|act| { perform(act, &mut tree, &mut naive); });
        let mut side = SideTable::new();
        for node in tree.preorder() {
            side.push(node, moves_to(&tree, node));
        }
        let live = tree.node_count();
        let died = tree.capacity_used() - live;
        let remap = tree.compact();
        let side = side.remap(|node| remap.get(node));
        prop_assert_eq!(tree.capacity_used(), live);
        prop_assert_eq!(remap.dropped().count(), died);
        prop_assert_eq!(Naive::of(&tree).shape(NodeId::ROOT), naive.shape(NodeId::ROOT));
        for node in tree.preorder() {
            prop_assert_eq!(side.first(node), Some(&moves_to(&tree, node)));
        }
    }

    #[test]
    fn grafting_and_merging(
        mine in prop::collection::vec(act(), 0..30),
        theirs in prop::collection::vec(act(), 0..30),
        at in any::<prop::sample::Index>(),
        from in any::<prop::sample::Index>(),
    ) {
        let build = |acts: &[Act]| {
            let (mut tree, mut naive) = (Tree::new(), Naive::new());
            acts.iter().for_each(|act| { perform(act, &mut tree, &mut naive); });
            tree
        };
        let (tree, other) = (build(&mine), build(&theirs));
        let at = NodeId(at.index(tree.capacity_used()) as u32);
        let from = NodeId(from.index(other.capacity_used()) as u32);
        let below = |tree: &Tree<u8>, top| Naive::of(tree).shape(top).split_once('[').unwrap().1.to_owned();
        let before = Naive::of(&tree);

        let mut grafted = tree.clone();
        let mut pairs = Vec::new();
        let edit = grafted.graft(at, &other, from, |old, new| pairs.push((old, new)));
        prop_assert_eq!(pairs.len(), other.subtree(from).count());
        prop_assert_eq!(pairs[0], (from, at));
        for &(old, new) in &pairs[1..] {
            prop_assert_eq!(below(&other, old), below(&grafted, new));
        }
        grafted.apply(&edit.inverse()).unwrap();
        same_as_before(&grafted, &before);
        grafted.apply(&edit).unwrap();

        // Merging is grafting without duplicates.
        let mut merged = tree.clone();
        let mut pairs = Vec::new();
        let edit = merged.merge(at, &other, from, |old, new| pairs.push((old, new)));
        prop_assert_eq!(pairs.len(), other.subtree(from).count());
        for (old, new) in pairs {
            let (theirs, ours) = (moves_to(&other, old), moves_to(&merged, new));
            let shared = moves_to(&other, from).len()..;
            prop_assert_eq!(&theirs[shared], &ours[moves_to(&merged, at).len()..]);
        }
        prop_assert_eq!(sequences(&merged), sequences(&grafted));
        merged.apply(&edit.inverse()).unwrap();
        same_as_before(&merged, &before);
    }

    #[test]
    fn side_tables_do_what_maps_do(acts in prop::collection::vec((0..6u32, 0..4u8, 0..3usize, any::<u8>()), 0..40)) {
        let mut side = SideTable::new();
        let mut map: BTreeMap<NodeId, Vec<u8>> = BTreeMap::new();
        for (node, kind, index, value) in acts {
            let node = NodeId(node);
            let list = map.entry(node).or_default();
            match kind {
                0 => { side.push(node, value); list.push(value); }
                1 => { side.insert(node, index, value); list.insert(index.min(list.len()), value); }
                2 => assert_eq!(side.remove(node), std::mem::take(list)),
                _ => { side.set(node, [value, value]); *list = vec![value; 2]; }
            }
        }
        side.sort();
        for (&node, values) in &map {
            prop_assert_eq!(side.get(node).iter().map(|row| row.1).collect::<Vec<_>>(), values.clone());
            prop_assert_eq!(side.get_mut(node).map(|value| *value).collect::<Vec<_>>(), values.clone());
        }
    }
}
