//! Random annotated games full of transpositions and repetitions, for laws.

use std::collections::{BTreeMap, BTreeSet};

use chess::pgn::{Game, Note, NoteKind, NotePlace, Style};
use chess::{Identity, Move, Role};
use proptest::prelude::*;
use tree::NodeId;

use crate::positions::{Keys, way};

/// A game of knights, on which some things are said.
pub fn game() -> impl Strategy<Value = Game> {
    let node = (any::<u32>(), any::<u8>(), 0..4u8, 0..8u8);
    prop::collection::vec(node, 0..40).prop_map(|nodes| {
        let mut game = Game::new();
        let mut last = NodeId::ROOT;
        for (at, choice, say, go_on) in nodes {
            let count = game.tree().capacity_used() as u32;
            let parent = if go_on > 1 { last } else { NodeId(at % count) };
            let moves = few_moves(&game, parent);
            let Some(&mv) = moves.get(choice as usize % moves.len().max(1)) else {
                continue;
            };
            let known = game.tree().child_by(parent, |other| *other == mv);
            last = known.unwrap_or_else(|| game.add_variation(parent, mv));
            annotate(&mut game, last, say, at);
        }
        game
    })
}

fn few_moves(game: &Game, node: NodeId) -> Vec<Move> {
    let board = game.board_at(node);
    let knight = |mv: &Move| {
        let from = board
            .uci(*mv)
            .as_str()
            .get(..2)
            .and_then(|from| from.parse().ok());
        from.and_then(|from| board.role_at(from)) == Some(Role::Knight)
    };
    let moves: Vec<Move> = board.legal_moves().into_iter().filter(knight).collect();
    moves.into_iter().take(4).collect()
}

fn annotate(game: &mut Game, node: NodeId, say: u8, what: u32) {
    if say == 1 {
        let texts = ["good", "bad", "plan: c5", "[%eval 0.3]", "[%eval -1.0]"];
        let text = game.add_text(texts[what as usize % texts.len()]);
        let kind = NoteKind::Comment(Style::Brace);
        let place = NotePlace::After;
        game.set_notes(node, [Note { kind, place, text }]);
    }
    if say == 2 {
        game.set_nags(node, [1 + what % 4]);
    }
}

/// The comments and marks of a move.
pub type Words = (BTreeSet<String>, BTreeSet<u32>);

/// What is said in a game: by moves and words, without sources.
pub type Said = BTreeMap<String, Words>;

/// Everything a game says, whatever its order: its paths, and what is said at each.
pub fn said(game: &Game) -> Said {
    let mut said = Said::new();
    for node in game.tree().preorder() {
        let (comments, nags) = said.entry(way(game, node).0).or_default();
        let texts = game.comments_at(node).map(|(_, text)| text);
        comments.extend(texts.map(unsigned));
        nags.extend(game.nags_at(node));
    }
    said
}

fn unsigned(text: &str) -> String {
    let end = text.find("[%src").unwrap_or(text.len());
    text[..end].trim().to_owned()
}

/// The moves between positions, each with what is said about it in all its places.
pub fn edges(game: &Game) -> BTreeMap<(u128, u16, u128), Words> {
    let mut keys = Keys::new(game, Identity::Strict);
    let tree = game.tree();
    let key: BTreeMap<NodeId, u128> = tree.preorder().map(|node| (node, keys.at(node))).collect();
    let mut edges: BTreeMap<_, Words> = BTreeMap::new();
    for node in tree.preorder() {
        let (Some(parent), Some(mv)) = (tree.parent(node), tree.move_to(node)) else {
            continue;
        };
        let (comments, nags) = edges
            .entry((key[&parent], mv.bits(), key[&node]))
            .or_default();
        let texts = game.comments_at(node).map(|(_, text)| text);
        comments.extend(
            texts
                .filter(|text| !text.starts_with("Transposes"))
                .map(unsigned),
        );
        nags.extend(game.nags_at(node));
    }
    edges
}

/// The game as it is read from its text.
pub fn through_text(game: &Game) -> Game {
    chess::pgn::read_game(game.to_string().as_bytes()).expect("a game")
}
