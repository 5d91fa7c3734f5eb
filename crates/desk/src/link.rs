//! Each continuation written once, with references where lines transpose; and the reverse.
//!
//! A reference is a comment that any program shows, `Transposes to 1.d4 Nf6 2.c4`. It counts as a
//! link if its moves are in the file and lead to the position of the comment. References written
//! here end with a command, `[%link cut]` or `[%link end]`, by which [`unlink`] removes them again.
//!
//! ```
//! use gametree_chess::{Identity, pgn::read_game};
//! use gametree_desk::link::{link, unlink};
//!
//! let game = read_game(b"1. d4 Nf6 (1... d5 2. c4 Nf6 3. Nc3) 2. c4 d5 3. Nc3 *").unwrap();
//! let linked = link(&game, Identity::Strict);
//! assert_eq!(linked.links, 1);
//! let text = linked.game.to_string().replace('\n', " ");
//! assert!(text.contains("2. c4 Nf6 { Transposes to 1.d4 Nf6 2.c4 d5 [%link cut] } )"));
//! assert_eq!(unlink(&linked.game, 1000).game, game);
//! ```

mod across;
mod bring;
mod equal;
mod expand;
mod files;
mod plain;
mod text;
mod unite;

use chess::link::{Link, LinkKind};
use chess::pgn::{Game, Note, NoteKind, NotePlace, Style};
use chess::{Identity, Move};
use rustc_hash::FxHashMap;
use tree::{NodeId, Tree};

use crate::positions::{Keys, LONGEST_PATH, move_path};
use equal::Subtrees;

pub use across::{Across, refer};
pub(crate) use across::{is_linked, is_played_end, is_valid_link};
pub use bring::{BringError, bring};
pub use expand::{Expanded, expand, unlink};
pub use files::{Mode, Wanted, Work, relink};
pub use text::NewText;
pub use unite::unite;

/// A game in which continuations were replaced by references.
#[derive(Clone, Debug)]
pub struct Linked {
    /// The game.
    pub game: Game,
    /// The number of references.
    pub links: u64,
    /// The number of removed moves.
    pub fewer: u64,
}

/// Removes every continuation that is written elsewhere in the game, move for move and with the
/// same annotations, and leaves a reference. It stays where it has the fewest secondary moves
/// before it, then the fewest moves, then where it comes first. [`unlink`] restores the game.
///
/// The mainline stays as it is: it has no secondary moves, and two of its nodes never have equal
/// continuations, since one of them is part of the other. For the same reason a repetition within
/// a line is never linked.
pub fn link(game: &Game, same: Identity) -> Linked {
    if is_line(game.tree()) {
        return unchanged(game);
    }
    let cuts = cuts(game, same);
    if cuts.is_empty() {
        return unchanged(game);
    }
    let (tree, origin) = copy_until(game.tree(), |node| cuts.contains_key(&node));
    let mut linked = with_tree(game, tree, &origin);
    let places = (0..).map(NodeId).zip(&origin);
    let references: Vec<(NodeId, Link)> = places
        .filter_map(|(copy, old)| Some((copy, cuts.get(old)?.clone())))
        .collect();
    add_links(&mut linked, references);
    Linked {
        links: cuts.len() as u64,
        fewer: (game.tree().node_count() - linked.tree().node_count()) as u64,
        game: linked,
    }
}

/// True if no node has alternatives.
fn is_line(tree: &Tree<Move>) -> bool {
    tree.preorder().all(|node| !tree.is_branching(node))
}

fn unchanged(game: &Game) -> Linked {
    Linked {
        game: game.clone(),
        links: 0,
        fewer: 0,
    }
}

/// The nodes whose continuation is removed, with the references.
fn cuts(game: &Game, same: Identity) -> FxHashMap<NodeId, Link> {
    let tree = game.tree();
    let subtrees = Subtrees::new(game);
    let homes = Homes::new(game, same, &subtrees);
    let mut cuts = FxHashMap::default();
    let mut nodes = tree.preorder();
    while let Some(node) = nodes.next() {
        let home = homes.of(node).filter(|&home| home != node);
        let home = home.filter(|&home| can_hold_link(game, node) && subtrees.equal(node, home));
        if let Some(link) = home.and_then(|home| homes.link_to(home)) {
            cuts.insert(node, link);
            nodes.skip_below();
        }
    }
    cuts
}

/// True if the notes of a node are comments only, and none of them is a reference made by linking:
/// then a reference can be added and removed without a trace.
fn can_hold_link(game: &Game, node: NodeId) -> bool {
    let mut notes = game.notes_at(node);
    let made = |(_, link): (&Note, Link)| link.kind != LinkKind::Plain;
    notes.all(Note::is_comment) && !links_at(game, node).any(made)
}

/// The place that keeps each continuation.
struct Homes<'a> {
    game: &'a Game,
    /// By node, its position and the hash of its continuation.
    classes: Vec<(u128, u64)>,
    /// By class, the best node and its rank: secondary moves and moves before it.
    best: FxHashMap<(u128, u64), ((u32, u32), NodeId)>,
    /// By node, the secondary moves and moves before it.
    ranks: Vec<(u32, u32)>,
}

impl<'a> Homes<'a> {
    fn new(game: &'a Game, same: Identity, subtrees: &Subtrees) -> Homes<'a> {
        let tree = game.tree();
        let mut homes = Homes {
            game,
            classes: vec![(0, 0); tree.capacity_used()],
            best: FxHashMap::default(),
            ranks: vec![(0, 0); tree.capacity_used()],
        };
        let mut keys = Keys::new(game, same);
        for node in tree.preorder() {
            let class = (keys.at(node), subtrees.hash(node));
            let rank = homes.rank_below(node);
            homes.ranks[node.index()] = rank;
            homes.classes[node.index()] = class;
            let best = homes.best.entry(class).or_insert((rank, node));
            if rank < best.0 {
                *best = (rank, node);
            }
        }
        homes
    }

    fn rank_below(&self, node: NodeId) -> (u32, u32) {
        let tree = self.game.tree();
        let Some(parent) = tree.parent(node) else {
            return (0, 0);
        };
        let (depth, ply) = self.ranks[parent.index()];
        let secondary = !tree.is_locally_mainline(node);
        (depth + u32::from(secondary), ply + 1)
    }

    /// The node that keeps the continuation of this one; none at the end of a line.
    fn of(&self, node: NodeId) -> Option<NodeId> {
        let class = self.classes[node.index()];
        let best = self.best.get(&class).map(|&(_, home)| home);
        best.filter(|_| !self.game.tree().is_terminal(node))
    }

    /// A reference that leads to exactly this node, if its moves can be written.
    fn link_to(&self, home: NodeId) -> Option<Link> {
        if self.ranks[home.index()].1 as usize > LONGEST_PATH {
            return None;
        }
        let link = Link {
            game: None,
            moves: move_path(self.game, home).0,
            kind: LinkKind::Cut,
        };
        let read = Link::read(&link.to_string())?;
        (follow(self.game, &read) == Some(home)).then_some(link)
    }
}

/// A copy of a tree without the continuations of some nodes, and the original of each copied node.
fn copy_until(tree: &Tree<Move>, is_cut: impl Fn(NodeId) -> bool) -> (Tree<Move>, Vec<NodeId>) {
    let mut copy = Tree::new();
    let mut origin = vec![NodeId::ROOT];
    let mut image = vec![NodeId::ROOT; tree.capacity_used()];
    let mut nodes = tree.preorder();
    while let Some(node) = nodes.next() {
        if let (Some(parent), Some(&mv)) = (tree.parent(node), tree.move_to(node)) {
            image[node.index()] = copy.add_child(image[parent.index()], mv);
            origin.push(node);
        }
        if is_cut(node) {
            nodes.skip_below();
        }
    }
    (copy, origin)
}

/// The game with another tree, whose nodes have the annotations of their originals.
fn with_tree(game: &Game, tree: Tree<Move>, origin: &[NodeId]) -> Game {
    let mut copy = without_annotations(game, tree);
    for (index, &old) in origin.iter().enumerate() {
        let new = NodeId(index as u32);
        if game.notes_at(old).next().is_some() {
            let notes: Vec<Note> = game.notes_at(old).copied().collect();
            copy.set_notes(new, notes);
        }
        if game.nags_at(old).len() > 0 {
            let nags: Vec<u32> = game.nags_at(old).collect();
            copy.set_nags(new, nags);
        }
    }
    copy
}

/// A note as a reference into its own game.
fn reference(note: &Note, text: &str) -> Option<Link> {
    let link = Link::read(text).filter(|_| note.is_comment())?;
    link.game.is_none().then_some(link)
}

/// The node that a reference in a game leads to, if it is in the same game and has the same
/// position.
pub fn target(game: &Game, node: NodeId, same: Identity) -> Option<NodeId> {
    let links = links_at(game, node).filter(|(_, link)| link.game.is_none());
    links
        .filter_map(|(_, link)| resolve(game, node, &link, game, same))
        .next()
}

/// The references at a node, each with its note.
pub fn links_at(game: &Game, node: NodeId) -> impl Iterator<Item = (&Note, Link)> {
    let comments = game.comments_at(node);
    comments.filter_map(|(note, text)| Some((note, Link::read(text)?)))
}

/// The node of `other` that a reference at a node leads to, if the positions are the same.
fn resolve(game: &Game, node: NodeId, link: &Link, other: &Game, same: Identity) -> Option<NodeId> {
    let to = follow(other, link)?;
    let itself = std::ptr::eq(game, other) && to == node;
    let equal = || game.board_at(node).key(same) == other.board_at(to).key(same);
    (!itself && equal()).then_some(to)
}

/// Follows a reference's moves.
pub(crate) fn follow(game: &Game, link: &Link) -> Option<NodeId> {
    let step = |at, mv| game.tree().child_by(at, |other| *other == mv);
    play(game, link, NodeId::ROOT, step)
}

/// Plays a reference's moves from the start of a game until a move is missing.
fn play<At>(
    game: &Game,
    link: &Link,
    start: At,
    step: impl Fn(At, Move) -> Option<At>,
) -> Option<At> {
    let mut board = game.start().clone();
    link.san().try_fold(start, |at, word| {
        let mv = board.play_san(word.as_bytes()).ok()?;
        step(at, mv)
    })
}

/// Removes unwanted references at a node.
fn remove_links(game: &mut Game, node: NodeId, unwanted: impl Fn(&Link) -> bool) {
    let goes = |note: &Note| {
        matches!(note.kind, NoteKind::Comment(_))
            && Link::read(game.text(note.text)).is_some_and(|link| unwanted(&link))
    };
    let all = game.notes_at(node).count();
    let kept: Vec<Note> = game
        .notes_at(node)
        .filter(|note| !goes(note))
        .copied()
        .collect();
    if kept.len() < all {
        game.set_notes(node, kept);
    }
}

/// Adds references after all notes of their nodes, except existing ones.
pub(crate) fn add_links(game: &mut Game, links: impl IntoIterator<Item = (NodeId, Link)>) {
    let mut notes = Vec::new();
    for (node, link) in links {
        if !links_at(game, node).any(|(_, known)| known == link) {
            let text = game.add_text(&link.to_string());
            let kind = NoteKind::Comment(Style::Brace);
            let place = NotePlace::After;
            notes.push((node, Note { kind, place, text }));
        }
    }
    game.add_notes(notes);
}

/// The nodes with notes, without duplicates.
fn noted_nodes(game: &Game) -> Vec<NodeId> {
    let mut nodes: Vec<NodeId> = game.notes().rows().iter().map(|(node, _)| *node).collect();
    nodes.dedup();
    nodes
}

/// The game with another tree and no annotations.
fn without_annotations(game: &Game, tree: Tree<Move>) -> Game {
    let mut bare = game.clone();
    bare.retain_notes(|_, _, _| false);
    let mut marked: Vec<NodeId> = game.nags().rows().iter().map(|(node, _)| *node).collect();
    marked.dedup();
    for node in marked.into_iter().rev() {
        bare.set_nags(node, []);
    }
    *bare.tree_mut() = tree;
    bare
}

#[cfg(test)]
mod tests;
