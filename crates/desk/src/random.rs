//! Random annotated games full of transpositions and repetitions, for property tests.

use std::collections::{BTreeMap, BTreeSet};

use chess::pgn::{Game, Note, NoteKind, NotePlace, Style};
use chess::{Board, Identity, Move, Role, Variant};
use proptest::prelude::*;
use tree::NodeId;

use crate::positions::{Keys, MovePath, move_path};

/// A game of knight moves with some annotations.
pub fn game() -> impl Strategy<Value = Game> {
    game_from("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
}

fn game_from(fen: &'static str) -> impl Strategy<Value = Game> {
    let node = (any::<u32>(), any::<u8>(), 0..4u8, 0..8u8);
    prop::collection::vec(node, 0..40).prop_map(|nodes| {
        let start = Board::from_fen(fen, Variant::Standard).expect("a FEN");
        let mut game = Game::from_board(start);
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

/// Moves of knights, or of kings in their corners, with many transpositions and cycles; and the
/// irregularities of real files: duplicate moves, comments in every place, and valid and broken
/// references.
pub fn wild_game() -> impl Strategy<Value = Game> {
    let wild = (any::<u32>(), any::<u32>(), 0..9u8);
    let game = prop_oneof![game(), game_from("7k/8/8/8/8/8/8/K7 w - - 0 1")];
    (game, prop::collection::vec(wild, 0..12)).prop_map(|(mut game, wild)| {
        for (at, what, kind) in wild {
            let count = game.tree().capacity_used() as u32;
            let node = NodeId(at % count);
            match (kind, game.tree().parent(node), game.tree().move_to(node)) {
                (0, Some(parent), Some(&mv)) => {
                    game.add_variation(parent, mv);
                }
                (1, ..) => add_note(&mut game, node, NotePlace::Before, "before"),
                (2, ..) => add_note(&mut game, node, NotePlace::AfterAlternatives(1), "late"),
                _ => {
                    let other = transposed(&game, node, what);
                    let detour = detour(&game, other, at);
                    let moves = if kind == 3 {
                        detour
                    } else {
                        move_path(&game, other)
                    };
                    let words = format!("Transposes to {moves}");
                    add_note(&mut game, node, NotePlace::After, &words);
                }
            }
        }
        through_text(&game)
    })
}

/// A random node, with the same position if possible.
fn transposed(game: &Game, node: NodeId, which: u32) -> NodeId {
    let all: Vec<NodeId> = game.tree().preorder().collect();
    let key = |node| game.board_at(node).key(Identity::Strict);
    let mut same = all
        .iter()
        .copied()
        .filter(|&other| other != node && key(other) == key(node));
    same.nth(which as usize % 3)
        .unwrap_or(all[which as usize % all.len()])
}

/// A path to a node that transposes from one line to another, so that it may be in neither.
fn detour(game: &Game, node: NodeId, which: u32) -> MovePath {
    let line = game.tree().line(node);
    let split = which as usize % line.len();
    let mut copy = game.clone();
    let mut at = transposed(game, line[split], which);
    for &next in &line[split + 1..] {
        let Some(&mv) = game.tree().move_to(next) else {
            break;
        };
        if !copy.board_at(at).legal_moves().contains(&mv) {
            break;
        }
        at = copy.add_variation(at, mv);
    }
    move_path(&copy, at)
}

fn few_moves(game: &Game, node: NodeId) -> Vec<Move> {
    let board = game.board_at(node);
    let corner = ["a1", "a2", "b1", "b2", "h8", "h7", "g8", "g7"];
    let wanted = |mv: &Move| {
        let uci = board.uci(*mv);
        let (from, to) = uci.as_str().split_at(2);
        let role = from.parse().ok().and_then(|from| board.role_at(from));
        role == Some(Role::Knight) || (role == Some(Role::King) && corner.contains(&to))
    };
    let moves = board.legal_moves().into_iter().filter(wanted);
    moves.take(4).collect()
}

fn annotate(game: &mut Game, node: NodeId, what: u8, which: u32) {
    if what == 1 {
        let texts = ["good", "bad", "plan: c5", "[%eval 0.3]", "[%eval -1.0]"];
        game.set_notes(node, []);
        add_note(
            game,
            node,
            NotePlace::After,
            texts[which as usize % texts.len()],
        );
    }
    if what == 2 {
        game.set_nags(node, [1 + which % 4]);
    }
}

fn add_note(game: &mut Game, node: NodeId, place: NotePlace, words: &str) {
    let text = game.add_text(words);
    let kind = NoteKind::Comment(Style::Brace);
    let mut notes: Vec<Note> = game.notes_at(node).copied().collect();
    notes.push(Note { kind, place, text });
    game.set_notes(node, notes);
}

/// The comments and marks of a move.
pub type Words = (BTreeSet<String>, BTreeSet<u32>);

/// The annotations of a game: by moves and words, without sources.
pub type AnnotationsByPath = BTreeMap<String, Words>;

/// The content of a game, independent of order: its paths, and the annotations at each.
pub fn annotations(game: &Game) -> AnnotationsByPath {
    let mut annotations = AnnotationsByPath::new();
    for node in game.tree().preorder() {
        let (comments, nags) = annotations.entry(move_path(game, node).0).or_default();
        let texts = game.comments_at(node).map(|(_, text)| text);
        comments.extend(texts.map(unsigned).filter(|text| !text.is_empty()));
        nags.extend(game.nags_at(node));
    }
    annotations
}

fn unsigned(text: &str) -> String {
    let end = text.find("[%src").unwrap_or(text.len());
    let words: Vec<&str> = text[..end].split_whitespace().collect();
    words.join(" ")
}

/// The moves between positions, each with its annotations in all places.
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
                .map(unsigned)
                // An empty comment does not count.
                .filter(|text| !text.is_empty()),
        );
        nags.extend(game.nags_at(node));
    }
    edges
}

/// The game after writing and reading.
pub fn through_text(game: &Game) -> Game {
    chess::pgn::read_game(game.to_string().as_bytes()).expect("a game")
}

/// Fails with the differences only.
pub fn assert_same<K: Ord + std::fmt::Debug>(
    left: &BTreeMap<K, Words>,
    right: &BTreeMap<K, Words>,
) {
    for (key, words) in left {
        assert_eq!(Some(words), right.get(key), "{key:?}");
    }
    assert!(
        right.keys().all(|key| left.contains_key(key)),
        "more on the right"
    );
}
