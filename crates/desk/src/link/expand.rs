//! References replaced by the continuations they refer to.

use std::collections::VecDeque;

use chess::link::{Link, LinkKind};
use chess::pgn::Game;
use chess::{Board, Identity, KeyedBoard, Move};
use tree::{NodeId, Tree};

use super::across::is_end;
use super::{links_at, noted_nodes, reference, resolve, with_tree};

/// A game whose references were expanded.
#[derive(Clone, Debug)]
pub struct Expanded {
    /// The game.
    pub game: Game,
    /// The number of expanded references.
    pub expanded: u64,
    /// The number of references that stay, because a position would be repeated or the game would
    /// become too large.
    pub kept: u64,
    /// The number of references at line ends that were removed.
    pub removed: u64,
}

/// Undoes [`link`](super::link) and [`refer`](super::refer): writes each removed continuation where
/// it was, and removes the references to it and those at line ends. References written by hand
/// stay. After `limit` moves, the remaining references stay too.
pub fn unlink(game: &Game, limit: usize) -> Expanded {
    let mut copy = Copy::of(game, limit, Wanted::Cut);
    copy.expand_all();
    let mut expanded = copy.finish();
    let Expanded { game, removed, .. } = &mut expanded;
    game.retain_notes(|_, note, text| {
        let goes = note.is_comment() && is_end(text);
        *removed += u64::from(goes);
        !goes
    });
    expanded
}

/// Writes the continuation at each place that refers to it, references in it included. Where a line
/// would return to an earlier position, or after `limit` moves, the reference stays.
pub fn expand(game: &Game, limit: usize) -> Expanded {
    let mut copy = Copy::of(game, limit, Wanted::All);
    copy.expand_all();
    copy.finish()
}

/// The references to expand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// Those that replaced a continuation.
    Cut,
    /// All.
    All,
}

impl Wanted {
    fn includes(self, link: &Link) -> bool {
        self == Wanted::All || link.kind == LinkKind::Cut
    }
}

/// The place that a reference leads to.
#[derive(Clone, Copy)]
struct Target {
    node: NodeId,
    /// The reference replaced a continuation, which may have repeated a position.
    cut: bool,
    /// Both places have the same en-passant captures.
    exact: bool,
}

/// A growing copy; each of its nodes has the node of the game that it copies.
struct Copy<'a> {
    game: &'a Game,
    limit: usize,
    wanted: Wanted,
    tree: Tree<Move>,
    origin: Vec<NodeId>,
    /// By node of the copy, the expansion that created it, as an index plus 1.
    created_by: Vec<u32>,
    /// By node of the game, the target of its reference if that has a continuation.
    target: Vec<Option<Target>>,
    /// By node of the game, the size of the subtree.
    sizes: Vec<u32>,
    /// References that are not expanded yet: nodes of the copy.
    open: VecDeque<NodeId>,
    /// References that are expanded: nodes of the copy.
    expanded: Vec<NodeId>,
    kept: u64,
}

impl<'a> Copy<'a> {
    fn of(game: &'a Game, limit: usize, wanted: Wanted) -> Copy<'a> {
        let mut target_of = vec![None; game.tree().capacity_used()];
        for node in noted_nodes(game) {
            let to = target(game, node, wanted);
            target_of[node.index()] = to.filter(|to| !game.tree().is_terminal(to.node));
        }
        let mut copy = Copy {
            game,
            limit,
            wanted,
            tree: Tree::new(),
            origin: vec![NodeId::ROOT],
            created_by: vec![0],
            target: target_of,
            sizes: game.tree().subtree_sizes(),
            open: VecDeque::new(),
            expanded: Vec::new(),
            kept: 0,
        };
        copy.enqueue(NodeId::ROOT);
        copy.copy_below(NodeId::ROOT, NodeId::ROOT);
        copy
    }

    fn expand_all(&mut self) {
        while let Some(node) = self.open.pop_front() {
            match self.target_of(node).filter(|to| self.may_expand(node, to)) {
                Some(to) => {
                    self.expanded.push(node);
                    self.copy_below(to.node, node);
                }
                None => self.kept += 1,
            }
        }
    }

    fn target_of(&self, node: NodeId) -> Option<Target> {
        self.target[self.origin[node.index()].index()]
    }

    /// True if the continuation fits, is legal, and does not contain itself; and for a reference
    /// written by hand, if no path would repeat a position.
    fn may_expand(&self, node: NodeId, to: &Target) -> bool {
        // No node of the copy is ever detached: there is one move less than nodes.
        let moves = self.tree.capacity_used() - 1;
        let room = moves + self.sizes[to.node.index()] as usize - 1 <= self.limit;
        room && !self.is_inside_itself(node)
            && (to.cut || !self.repeats(node))
            && (to.exact || self.is_legal(node, to.node))
    }

    /// True if the same reference was expanded above.
    fn is_inside_itself(&self, node: NodeId) -> bool {
        let outer = |at: NodeId| {
            let by = self.created_by[at.index()].checked_sub(1)?;
            Some(self.expanded[by as usize])
        };
        let own = self.origin[node.index()];
        let mut above = std::iter::successors(outer(node), |&at| outer(at));
        above.any(|at| self.origin[at.index()] == own)
    }

    /// True if the moves from a place of the game are legal at a node of the copy.
    fn is_legal(&self, node: NodeId, from: NodeId) -> bool {
        let mut board: Board = self.game.start().clone();
        for step in self.tree.line(node) {
            if let Some(&mv) = self.tree.move_to(step) {
                board.play(mv);
            }
        }
        let legal = board.legal_moves();
        let tree = self.game.tree();
        let mut moves = tree.children(from).filter_map(|child| tree.move_to(child));
        moves.all(|mv| legal.contains(mv))
    }

    /// True if an ancestor of the node has the same position.
    fn repeats(&self, node: NodeId) -> bool {
        let mut board = KeyedBoard::new(self.game.start().clone());
        let mut keys = vec![board.key(Identity::Strict)];
        for node in self.tree.line(node) {
            if let Some(&mv) = self.tree.move_to(node) {
                board.play(mv);
                keys.push(board.key(Identity::Strict));
            }
        }
        keys.pop().is_some_and(|here| keys.contains(&here))
    }

    /// Copies the continuation of a node of the game to a node of the copy. New nodes are copied
    /// one to one, equal siblings included; moves that were there before are followed.
    fn copy_below(&mut self, from: NodeId, to: NodeId) {
        let mut open = vec![(from, to)];
        let before = self.tree.capacity_used();
        let was_end = self.tree.is_terminal(to);
        while let Some((from, to)) = open.pop() {
            let is_new = was_end || to.index() >= before;
            for child in self.game.tree().children(from) {
                let Some(&mv) = self.game.tree().move_to(child) else {
                    continue;
                };
                let known = if is_new {
                    None
                } else {
                    self.tree.child_by(to, |other| *other == mv)
                };
                let copy = known.unwrap_or_else(|| self.add(to, mv, child));
                open.push((child, copy));
            }
        }
    }

    fn add(&mut self, parent: NodeId, mv: Move, origin: NodeId) -> NodeId {
        let copy = self.tree.add_child(parent, mv);
        self.origin.push(origin);
        self.created_by.push(self.expanded.len() as u32);
        self.enqueue(copy);
        copy
    }

    fn enqueue(&mut self, node: NodeId) {
        if self.target_of(node).is_some() {
            self.open.push_back(node);
        }
    }

    fn finish(self) -> Expanded {
        let Copy {
            game,
            wanted,
            origin,
            expanded,
            ..
        } = self;
        let mut copy = with_tree(game, self.tree, &origin);
        let mut done = vec![false; origin.len()];
        expanded.iter().for_each(|node| done[node.index()] = true);
        copy.retain_notes(|node, note, text| {
            let holds = |link: Link| {
                let from = origin[node.index()];
                wanted.includes(&link) && resolve(game, from, &link, game, Identity::Base).is_some()
            };
            !(done[node.index()] && reference(note, text).is_some_and(holds))
        });
        Expanded {
            game: copy,
            expanded: expanded.len() as u64,
            kept: self.kept,
            removed: 0,
        }
    }
}

/// The target of the first reference at a node that leads to the same position in the same game.
/// En passant may differ where a continuation was removed: linking can ignore it.
fn target(game: &Game, node: NodeId, wanted: Wanted) -> Option<Target> {
    let links = links_at(game, node).map(|(_, link)| link);
    let mut links = links.filter(|link| link.game.is_none() && wanted.includes(link));
    links.find_map(|link| {
        let to = resolve(game, node, &link, game, Identity::Base)?;
        let target = Target {
            node: to,
            cut: link.kind == LinkKind::Cut,
            exact: resolve(game, node, &link, game, Identity::Strict).is_some(),
        };
        (target.cut || target.exact).then_some(target)
    })
}
