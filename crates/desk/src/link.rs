//! Each continuation written once, with references where lines transpose; and the reverse.
//!
//! A reference is a comment that any program shows, `Transposes to 1.d4 Nf6 2.c4`. It counts as a
//! link if its moves are in the file and lead to the position of the comment.
//!
//! ```
//! use gametree_chess::pgn::read_game;
//! use gametree_desk::link::link;
//!
//! let game = read_game(b"1. d4 Nf6 (1... d5 2. c4 Nf6 3. Nc3) 2. c4 d5 *").unwrap();
//! let linked = link(&game);
//! assert_eq!(linked.links, 1);
//! let text = linked.game.to_string().replace('\n', " ");
//! assert!(text.contains("( 1... d5 2. c4 Nf6 { Transposes to 1.d4 Nf6 2.c4 d5 } )"));
//! assert!(text.contains("2. c4 d5 3. Nc3 *"));
//! ```

mod across;
mod bring;
mod expand;
mod files;

use chess::link::Link;
use chess::pgn::{Game, Note, NoteKind, NotePlace, Style};
use chess::{Identity, Move};
use tree::graph::{self, Graph, Vertex};
use tree::{NodeId, Tree};

use crate::positions::{Keys, move_path};
use crate::remarks::{KeptAnnotations, Remarks};

pub use across::{Across, refer};
pub use bring::{BringError, bring};
pub use expand::{Expanded, expand};
pub use files::{Mode, Work, relink};

/// A game in which every continuation is written once.
#[derive(Clone, Debug)]
pub struct Linked {
    /// The game.
    pub game: Game,
    /// The number of references.
    pub links: u64,
    /// The number of removed moves: the duplicates.
    pub fewer: u64,
}

/// Writes each position's continuation once: at the place with the fewest secondary moves before
/// it, so preferably in the mainline; then with the fewest moves before it. All annotations of a
/// move from all places are kept. The other places get a reference, and so do lines that end in a
/// position that a reference of the input led to.
///
/// The place of a continuation depends on the graph alone, so linking again changes nothing. Only
/// strictly equal positions are linked: ignoring en passant could move a capture to a place where
/// it is illegal.
pub fn link(game: &Game) -> Linked {
    let mut keys = Keys::new(game, Identity::Strict);
    let each = graph::Identity::Position;
    let (graph, vertices) = Graph::of_tree(each, game.tree(), |node| keys.at(node));
    let Some(start) = vertices.get(NodeId::ROOT) else {
        return unchanged(game);
    };
    let unrolled = graph.unroll(start);

    // 1. The new places of the moves.
    let mut place_of = vec![NodeId::ROOT; graph.edge_count()];
    for node in unrolled.tree.preorder() {
        if let (Some(parent), Some(mv)) = (unrolled.tree.parent(node), unrolled.tree.move_to(node))
            && let Some(edge) = graph.edge_by(unrolled.vertices[parent.index()], mv)
        {
            place_of[edge.index()] = node;
        }
    }
    let tree = game.tree();
    let image = |node: NodeId| {
        let Some(parent) = tree.parent(node) else {
            return (node == NodeId::ROOT).then_some(node);
        };
        let edge = graph.edge_by(vertices.get(parent)?, tree.move_to(node)?)?;
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
    let keep =
        |link: &&graph::Link| !unrolled.tree.is_terminal(link.to) || referred[link.vertex.index()];
    let links: Vec<graph::Link> = unrolled.links.iter().filter(keep).copied().collect();
    let fewer = tree.node_count() - unrolled.tree.node_count();
    let mut linked = without_annotations(game, unrolled.tree);
    for link in &links {
        let moves = move_path(&linked, link.to).0;
        let reference = Link { game: None, moves };
        remarks.add_comment(link.from, &reference.to_string());
    }
    remarks.attach(&mut linked);
    Linked {
        game: linked,
        links: links.len() as u64,
        fewer: fewer as u64,
    }
}

fn unchanged(game: &Game) -> Linked {
    Linked {
        game: game.clone(),
        links: 0,
        fewer: 0,
    }
}

/// A note as a reference into its own game.
fn reference(note: &Note, text: &str) -> Option<Link> {
    let link = Link::read(text).filter(|_| note.is_comment())?;
    link.game.is_none().then_some(link)
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
fn add_links(game: &mut Game, links: impl IntoIterator<Item = (NodeId, Link)>) {
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
