use chess::pgn::read_game;
use proptest::prelude::*;

use super::*;
use crate::positions::Positions;
use crate::positions::tests::{SAMPLE, corpus, corpus_folders, corpus_games};
use crate::random::{annotations, assert_same, edges, through_text, wild_game};

const SAME: Identity = Identity::Strict;

fn read(text: &str) -> Game {
    read_game(text.as_bytes()).expect("a game")
}

fn text(game: &Game) -> String {
    let text = game.to_string();
    let (_, moves) = text.rsplit_once("\n\n").unwrap_or(("", &text));
    moves.trim().replace('\n', " ")
}

fn check(before: &str, after: &str) {
    let linked = link(&read(before));
    assert_eq!(text(&linked.game), after, "{before}");
    assert_eq!(link(&linked.game).game, linked.game, "{before}");
}

#[test]
fn continuations_once_references_elsewhere() {
    check(
        "1. d4 d5 (1... Nf6 2. c4) 2. c4 *",
        "1. d4 d5 ( 1... Nf6 2. c4 ) 2. c4 *",
    );
    // A dead end.
    check(
        "1. d4 d5 2. c4 e6 (2... Nf6) (2... c6) 3. Nf3 (3. Nc3) 3... a6 (3... Nf6 4. Nc3 a6) *",
        "1. d4 d5 2. c4 e6 ( 2... Nf6 ) ( 2... c6 ) 3. Nf3 ( 3. Nc3 ) 3... a6 ( 3... Nf6 4. Nc3 a6 ) *",
    );
    check(
        "1. d4 d5 (1... e6 2. c4 d5) 2. c4 e6 3. Nc3 *",
        "1. d4 d5 ( 1... e6 2. c4 d5 { Transposes to 1.d4 d5 2.c4 e6 } ) 2. c4 e6 3. Nc3 *",
    );
    // Split theory: comments on the arriving move stay, those of the continuation are united.
    check(
        "1. d4 d5 (1... e6 2. c4 d5 {here} 3. Nc3 {b} (3. Nf3)) 2. c4 e6 {there} 3. Nc3 {a} *",
        "1. d4 d5 ( 1... e6 2. c4 d5 { here } { Transposes to 1.d4 d5 2.c4 e6 } ) 2. c4 e6 { there } 3. Nc3 { b } { a } ( 3. Nf3 ) *",
    );
}

#[test]
fn cycles() {
    check(
        "1. Nf3 Nf6 2. Ng1 Ng8 *",
        "1. Nf3 Nf6 2. Ng1 Ng8 { Transposes to the start } *",
    );
    check(
        "1. Nf3 Nf6 2. Ng1 Ng8 3. e4 Nf6 *",
        "1. Nf3 ( 1. e4 Nf6 ) 1... Nf6 2. Ng1 Ng8 { Transposes to the start } *",
    );
    let looped = link(&read("1. Nf3 Nf6 2. Ng1 Ng8 *")).game;
    let expanded = expand(&looped, 1000);
    assert_eq!((expanded.expanded, expanded.kept), (0, 1));
    assert_eq!(expanded.game, looped);
}

#[test]
fn broken_references_are_comments() {
    for text in [
        "1. e4 {Transposes to 1.d4} (1. d4 d5) *",
        "1. e4 {Transposes to 1.c4} *",
        "1. e4 {Transposes to 1.e9} *",
    ] {
        let game = read(text);
        assert_eq!(target(&game, NodeId(1), SAME), None, "{text}");
        assert_eq!(link(&game).game, game);
        assert_eq!(expand(&game, 100).game, game);
    }
}

#[test]
fn references_written_by_hand() {
    // The target has no continuation: the reference names the better place.
    check(
        "1. d4 (1. Nf3 d5 2. d4) d5 2. Nf3 {Transposes to 1.Nf3 d5 2.d4} *",
        "1. d4 ( 1. Nf3 d5 2. d4 { Transposes to 1.d4 d5 2.Nf3 } ) 1... d5 2. Nf3 *",
    );
    // The moves exist, but not in a single line.
    check(
        "1. d4 (1. Nf3 d5 2. d4 {Transposes to 1.d4 d5 2.Nf3} Nf6 3. c4) (1. c4 Nf6 2. Nf3 d5 3. d4 {Transposes to 1.d4 d5 2.Nf3 Nf6 3.c4}) d5 2. Nf3 e6 *",
        "1. d4 ( 1. Nf3 d5 2. d4 { Transposes to 1.d4 d5 2.Nf3 } ) ( 1. c4 Nf6 2. Nf3 d5 3. d4 { Transposes to 1.d4 d5 2.Nf3 Nf6 3.c4 } ) 1... d5 2. Nf3 e6 ( 2... Nf6 3. c4 ) *",
    );
    // A reference to itself is removed.
    check("1. e4 {Transposes to 1.e4} *", "1. e4 *");
}

#[test]
fn no_capture_en_passant_goes_where_it_is_illegal() {
    let text = "1. e3 ( 1. e4 a6 2. e5 d5 3. exd6 ) 1... a6 2. e4 d6 3. e5 d5 4. Nf3 *";
    check(text, text);
}

#[test]
fn expanding_is_bounded() {
    // Each pair of knight moves can be played in either order: 2^n lines.
    let mut game = Game::new();
    let mut at = NodeId::ROOT;
    for pair in [
        ["Nf3", "Nc6"],
        ["Nc3", "Nf6"],
        ["Rg1", "Rb8"],
        ["Rb1", "Rg8"],
        ["h3", "a6"],
        ["a3", "h6"],
        ["h4", "a5"],
    ] {
        for word in pair {
            let mv = game.board_at(at).parse_san(word.as_bytes()).unwrap();
            at = game.add_variation(at, mv);
        }
    }
    let linked = link(&game).game;
    assert_eq!(linked, game);
    let bomb = read(
        "1. Nf3 (1. Nc3 Nf6 2. Nf3 {Transposes to 1.Nf3 Nf6 2.Nc3}) 1... Nf6 2. Nc3 Nc6 (2... Ng8 3. Ng1 Nf6 4. Nf3 {Transposes to 1.Nf3 Nf6 2.Nc3}) 3. Rg1 *",
    );
    let all = expand(&bomb, 100);
    assert_eq!((all.expanded, all.kept), (1, 2));
    let none = expand(&bomb, 14);
    assert_eq!((none.expanded, none.kept), (0, 2));
}

#[test]
fn references_between_games() {
    let games = || {
        vec![
            numbered("1. d4 d5 2. c4 *", 1),
            numbered("1. c4 d5 2. d4 e6 *", 2),
        ]
    };
    let across = refer(games(), false);
    assert_eq!(across.links, [1, 0]);
    assert_eq!(
        text(&across.games[0]),
        "1. d4 d5 2. c4 { Transposes to game 2, 1.c4 d5 2.d4 } *"
    );
    let again = refer(across.games.clone(), false);
    assert_eq!((again.links, &again.games), (vec![1, 0], &across.games));
    // The continuation in another game stays there.
    assert_eq!(expand(&across.games[0], 100).game, across.games[0]);
}

/// A game as the nth of a file.
fn numbered(text: &str, number: usize) -> Game {
    let file = format!("{}{text}\n", "[Event \"?\"]\n\n*\n\n".repeat(number - 1));
    let games = chess::pgn::read_games(file.as_bytes()).map(Result::unwrap);
    games.last().expect("a game")
}

#[test]
fn bringing_a_continuation() {
    let mut game =
        read("1. d4 d5 2. c4 e6 3. Nc3 {a} (3. Nf3) (1... e6 2. c4 d5 3. Nc3 {b} Nf6) *");
    let find = |game: &Game, path: &str| {
        let place = crate::place::Place::read(path).unwrap();
        let view = tree::View::new();
        let ground = crate::place::GameView { game, view: &view };
        place.find(ground, NodeId::ROOT).unwrap()
    };
    let mut game2 =
        read("1. d4 d5 (1... e6 2. c4 d5 3. Nc3 {b} Nf6) 2. c4 e6 3. Nc3 {a} (3. Nf3) *");
    let (here, there) = (find(&game2, "d4 e6 c4 d5"), find(&game2, "d4 d5 c4 e6"));
    let before = game2.clone();
    let edit = bring(&mut game2, here, there, SAME).unwrap();
    assert_eq!(
        text(&game2),
        "1. d4 d5 ( 1... e6 2. c4 d5 3. Nc3 { b } { a } ( 3. Nf3 ) 3... Nf6 ) 2. c4 e6 { Transposes to 1.d4 e6 2.c4 d5 } *"
    );
    assert_eq!(edges(&game2), edges(&before));
    game2.tree_mut().apply(&edit.inverse()).unwrap();
    let moves = |game: &Game| game.tree().preorder().collect::<Vec<_>>();
    assert_eq!(moves(&game2), moves(&before));
    // And back again: the reference forms no cycle.
    let mut game3 = before.clone();
    bring(&mut game3, here, there, SAME).unwrap();
    bring(&mut game3, there, here, SAME).unwrap();
    assert_eq!(links_at(&game3, there).count(), 0);
    assert_eq!(edges(&game3), edges(&before));
    let root = NodeId::ROOT;
    assert_eq!(
        bring(&mut game, root, NodeId(1), SAME).err(),
        Some(BringError::OtherPosition)
    );
    let mut circle = read("1. Nf3 Nf6 2. Ng1 Ng8 3. e4 *");
    assert_eq!(
        bring(&mut circle, NodeId(4), root, SAME).err(),
        Some(BringError::Below)
    );
    bring(&mut circle, root, NodeId(4), SAME).unwrap();
    assert_eq!(
        text(&circle),
        "1. Nf3 ( 1. e4 ) 1... Nf6 2. Ng1 Ng8 { Transposes to the start } *"
    );
}

#[test]
fn the_published_sample() {
    let Some(text) = corpus(SAMPLE) else { return };
    let game = read_game(&text).unwrap();
    let linked = link(&game);
    check_laws(&game);
    // The tree has as many moves as the graph.
    let graph = Positions::of(vec![game], SAME);
    assert_eq!(
        linked.game.tree().node_count() - 1,
        graph.graph().edge_count()
    );
}

/// With `GAMETREE_LONG`, every game of the corpora; otherwise those of the small trees.
#[test]
fn games_of_the_corpora() {
    for folder in corpus_folders() {
        for game in corpus_games(folder) {
            check_laws(&game);
        }
    }
}

fn check_laws(game: &Game) {
    let linked = link(game).game;
    // The same positions, moves and annotations, also after writing and reading.
    assert_same(&edges(&linked), &edges(game));
    let read = through_text(&linked);
    assert_same(&edges(&read), &edges(game));
    assert_same(&annotations(&read), &annotations(&linked));
    assert_eq!(link(&read).game, read);
    // Every move is written once.
    assert_eq!(linked.tree().node_count() - 1, edges(game).len());
    // Expanding, fully or up to a limit, and linking again gives the same text.
    for limit in [edges(game).len() + 5, 20_000] {
        let all = expand(&read, limit);
        assert!(all.game.tree().node_count() - 1 <= limit);
        assert_same(&edges(&all.game), &edges(game));
        assert_eq!(link(&through_text(&all.game)).game, read);
    }
}

proptest! {
    #[test]
    fn linking_and_unlinking(game in wild_game()) {
        check_laws(&game);
    }
}
