//! Positions mode on small files and on random games full of transpositions and repetitions.

use std::collections::BTreeSet;
use std::sync::Arc;

use chess::pgn::read_game;
use proptest::prelude::*;

use super::*;
use crate::edit::Verb;
use crate::place::Place;
use crate::random;
use crate::session::{Session, SessionError};
use crate::walk::Walk;

const CHAPTERS: &str = "[Event \"1\"]\n\n1. d4 Nf6 2. c4 e6 (2... g6 {see chapter 2}) *\n\n\
                        [Event \"2\"]\n\n1. c4 g6 2. d4 Nf6 3. g3 (3. Nc3 d5) 3... Bg7 *\n";

fn session(text: &str) -> Session {
    Session::from_text("test", text.into()).expect("games")
}

fn go(session: &mut Session, place: &str) {
    let place = Place::read(place).expect("a place");
    session.walk_mut().go_to(&place).expect("is there");
}

fn joined(text: &str) -> Session {
    let mut session = session(text);
    session.set_joined(true);
    session
}

/// The captions of the displayed line, and of the alternatives at each move.
fn table(walk: &Walk) -> Vec<String> {
    let cell = |cell: &tree::table::Cell| {
        format!("{}{}", cell.caption.text, if cell.ends { "." } else { "" })
    };
    let row = |row: tree::table::Row| {
        let line = row.first.iter().chain(&row.second).map(cell);
        let others = row.alternatives.iter().map(cell);
        line.chain(others).collect::<Vec<_>>().join(" ")
    };
    walk.all_rows().into_iter().map(row).collect()
}

#[test]
fn the_table_has_the_moves_of_all_games() {
    let mut session = joined(CHAPTERS);
    go(&mut session, "d4 Nf6 c4 g6");
    assert_eq!(
        table(session.walk()),
        ["d4 c4", "Nf6", "c4 g6 e6.", "g3 Nc3", "Bg7."]
    );
    let written: Vec<String> = session
        .walk()
        .all_rows()
        .iter()
        .filter_map(|row| Some(row.second.as_ref()?.caption.written_in.clone()))
        .collect();
    // where the games differ from those of the move before
    assert_eq!(written, ["", "", ""]);
    let (origins, more) = session.walk().origins(10);
    let paths: Vec<&str> = origins.iter().map(|it| it.path.as_str()).collect();
    assert_eq!(
        (paths, more),
        (vec!["1.d4 Nf6 2.c4 g6", "1.c4 g6 2.d4 Nf6"], 0)
    );
}

#[test]
fn back_follows_the_way_that_was_used_last() {
    let mut session = joined(CHAPTERS);
    go(&mut session, "c4 g6 d4 Nf6 g3");
    go(
        &mut session,
        "rnbqkb1r/pppppp1p/5np1/8/2PP4/6P1/PP2PP1P/RNBQKBNR b KQkq - 0 3",
    );
    assert_eq!(session.walk().path(), "1.c4 g6 2.d4 Nf6 3.g3");
    assert!(session.back());
    assert!(session.walk_mut().choose_origin(0));
    assert_eq!(session.walk().path(), "1.d4 Nf6 2.c4 g6");
    assert!(session.next_transposition());
    assert_eq!(session.walk().path(), "1.c4 g6 2.d4 Nf6");
    assert!(session.back());
    assert_eq!(session.walk().path(), "1.c4 g6 2.d4");
    assert!(!session.walk_mut().choose_origin(9));
}

#[test]
fn a_repetition_is_no_other_path() {
    let mut session = joined("1. Nf3 Nf6 2. Ng1 Ng8 *");
    let other_paths = |session: &Session| session.walk().other_paths(session.walk().at(), 9);
    assert_eq!(other_paths(&session), (vec![], 0));
    assert_eq!(session.walk().origins(9).0.len(), 1);
    go(&mut session, "Nf3 Nf6 Ng1 Ng8");
    assert_eq!(other_paths(&session), (vec![], 0));
    let mut session = joined("1. Nf3 Nf6 (1... d5 2. d4 Nf6) 2. d4 d5 3. Ng1 Ng8 4. Nf3 Nf6 *");
    go(&mut session, "Nf3 Nf6 d4 d5");
    let expected = vec!["1.Nf3 d5 2.d4 Nf6".to_owned()];
    assert_eq!(other_paths(&session), (expected, 0));
}

/// Game 2 starts after 1.e4 of game 1.
#[test]
fn an_edit_stays_in_a_game_that_starts_elsewhere() {
    let text = "1. e4 c5 2. Nf3 *\n\n\
        [FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"]\n\
        [SetUp \"1\"]\n\n1... e5 2. Nf3 Nc6 *\n";
    for identity in [Identity::Strict, Identity::Base] {
        let mut session = session(text);
        session.set_identity(identity);
        assert!(session.go_to_game(1));
        go(&mut session, "e5 Nf3");
        session.set_joined(true);
        let mut edit = |verb: &str, expected: &str| {
            session.edit(&Verb::read(verb).unwrap()).expect(verb);
            assert_eq!(session.walk().path(), expected, "{verb}");
            assert_eq!(session.walk().game().start().turn(), chess::Color::Black);
            assert_eq!(session.game(), 1);
        };
        edit("comment here", "1...e5 2.Nf3");
        edit("add d6", "1...e5 2.Nf3 d6");
        session.undo().expect("undoes");
        session.undo().expect("undoes");
        assert_eq!(session.walk().path(), "1...e5 2.Nf3");
        session.set_joined(false);
        assert_eq!(session.game(), 1);
        assert_eq!(session.walk().path(), "1...e5 2.Nf3");
    }
}

#[test]
fn a_move_after_those_of_another_game_cannot_be_put_first() {
    let mut session = joined("1. d4 d5 2. c4 *\n\n1. d4 Nf6 2. c4 *\n");
    let refused = |session: &mut Session, verb: &str| {
        let refused = session.edit(&Verb::read(verb).unwrap());
        refused.unwrap_err().to_string()
    };
    go(&mut session, "d4 Nf6");
    for verb in ["first", "promote"] {
        let message = refused(&mut session, verb);
        assert!(message.contains("first move in game 2"), "{message}");
        assert!(message.contains("`add --in 1`"), "{message}");
    }
    assert!(session.back());
    let add = Verb::read("add Nf6").unwrap();
    session.edit_in(&add, Some(0)).expect("the fix");
    let first = Verb::read("first").unwrap();
    session.edit_in(&first, Some(0)).expect("the fix");
    assert_eq!(table(session.walk()), ["d4 Nf6 d5", "c4."]);
    let refused = session.edit_in(&first, Some(0)).unwrap_err();
    assert_eq!(refused.to_string(), "this is already the first move here");
}

#[test]
fn switching_stays_at_the_position() {
    let mut session = session(CHAPTERS);
    go(&mut session, "d4 Nf6 c4 g6");
    session.set_joined(true);
    assert_eq!(session.walk().path(), "1.d4 Nf6 2.c4 g6");
    session.walk_mut().forward();
    session.set_joined(false);
    assert_eq!(
        (session.game(), session.walk().path().as_str()),
        (1, "1.c4 g6 2.d4 Nf6 3.g3")
    );
}

#[test]
fn other_chapters_are_marked_in_tree_mode() {
    let mut session = session(CHAPTERS);
    session.find_marks();
    let marked: Vec<String> = session
        .walk()
        .all_rows()
        .iter()
        .flat_map(|row| {
            row.first
                .iter()
                .chain(&row.second)
                .chain(&row.alternatives)
                .cloned()
        })
        .filter(|cell| cell.caption.transposes)
        .map(|cell| cell.caption.text)
        .collect();
    assert_eq!(marked, ["g6"]);
    go(&mut session, "d4 Nf6 c4 g6");
    let (paths, more) = session.walk().other_paths(session.walk().at(), 5);
    assert_eq!(
        (paths, more),
        (vec!["game 2, 1.c4 g6 2.d4 Nf6".to_owned()], 0)
    );
    assert!(session.next_transposition());
    assert_eq!(
        (session.game(), session.walk().path().as_str()),
        (1, "1.c4 g6 2.d4 Nf6")
    );
    assert!(session.back());
    assert_eq!(
        (session.game(), session.walk().path().as_str()),
        (0, "1.d4 Nf6 2.c4 g6")
    );
}

#[test]
fn a_repetition_ends_the_line() {
    let mut session = joined("1. Nf3 Nf6 2. Ng1 Ng8 3. e4 *");
    go(&mut session, "Nf3 Nf6 Ng1 Ng8");
    let walk = session.walk();
    assert_eq!(walk.repeated(walk.at()), Some(NodeId::ROOT));
    assert_eq!(table(walk), ["Nf3 e4.", "Nf6", "Ng1 Ng8."]);
    assert!(!session.walk_mut().forward());
    for _ in 0..4 {
        assert!(session.back());
    }
    assert!(!session.back());
    go(&mut session, "Nf3 Nf6 Ng1 Ng8 e4");
    assert_eq!(session.walk().path(), "1.e4");
    let shared = session.graph();
    assert_eq!(
        (
            shared.shared().counts().between_lines,
            shared.shared().counts().repeated
        ),
        (0, 1)
    );
}

#[test]
fn links_are_passed_over() {
    let text = "1. d4 (1. c4 Nf6 2. d4 {Transposes to 1.d4 Nf6 2.c4}) Nf6 2. c4 e6 *";
    let mut session = joined(text);
    go(&mut session, "c4 Nf6 d4");
    let walk = session.walk();
    assert_eq!(walk.game().node(walk.at()).comment(), "");
    assert!(session.walk_mut().forward());
    assert_eq!(session.walk().path(), "1.c4 Nf6 2.d4 e6");
}

#[test]
fn edits_are_written_where_the_move_stands() {
    let mut session = joined(CHAPTERS);
    go(&mut session, "d4 Nf6 c4 g6 g3");
    let verb = |text| Verb::read(text).expect("a verb");
    session
        .edit(&verb("comment the main move"))
        .expect("one game has it");
    assert_eq!(session.walk().path(), "1.d4 Nf6 2.c4 g6 3.g3");
    assert!(session.file().is_game_changed(1) && !session.file().is_game_changed(0));
    session.edit(&verb("add d5")).expect("one place");
    assert_eq!(session.walk().path(), "1.d4 Nf6 2.c4 g6 3.g3 d5");
    session.edit(&verb("delete")).expect("one place");
    assert_eq!(session.walk().path(), "1.d4 Nf6 2.c4 g6 3.g3");

    go(&mut session, "d4 Nf6 c4 g6");
    let before = (session.walk().path(), session.game());
    let refused = session.edit(&verb("add h3"));
    assert!(matches!(refused, Err(SessionError::SeveralGames(games)) if games == [0, 1]));
    let missing = session.edit_in(&verb("add h3"), Some(7));
    assert!(matches!(missing, Err(SessionError::NotInGame(7))));
    assert_eq!((session.walk().path(), session.game()), before);
    session.edit_in(&verb("add h3"), Some(0)).expect("named");
    assert_eq!(session.walk().path(), "1.d4 Nf6 2.c4 g6 3.h3");
    let text = String::from_utf8(session.file().new_bytes().expect("bytes")).expect("text");
    let (first, second) = text.split_once("[Event \"2\"]").expect("two games");
    assert!(
        first.contains("3. h3") && second.contains("the main move"),
        "{text}"
    );
    for _ in 0..4 {
        session.undo().expect("undone");
    }
    assert_eq!(
        session.file().new_bytes().expect("bytes"),
        CHAPTERS.as_bytes()
    );
}

#[test]
fn another_path_may_differ_earlier() {
    let mut session = joined("1. d4 (1. c4 Nf6 2. d4 e6 3. Nc3) Nf6 2. c4 e6 3. Nf3 *");
    go(&mut session, "d4 Nf6 c4 e6 Nf3");
    assert!(session.next_transposition());
    assert_eq!(session.walk().path(), "1.c4 Nf6 2.d4 e6 3.Nf3");
    assert!(session.next_transposition());
    assert_eq!(session.walk().path(), "1.d4 Nf6 2.c4 e6 3.Nf3");
}

#[test]
fn all_files_are_saved() {
    let folder = tempfile::tempdir().expect("a folder");
    let paths = ["a.pgn", "b.pgn"].map(|name| folder.path().join(name));
    for (path, text) in paths.iter().zip(["1. e4 *\n", "1. d4 *\n"]) {
        std::fs::write(path, text).expect("written");
    }
    let sources = paths.clone().map(kit::input::Source::File);
    let mut session = Session::open(&sources).expect("opens");
    session.set_joined(true);
    for (place, verb) in [("e4", "add e5"), ("d4", "add d5")] {
        session.walk_mut().to_start();
        go(&mut session, place);
        let verb = Verb::read(verb).expect("a verb");
        session.edit(&verb).expect("one game has the move");
    }
    let saved = session.save_all(&Default::default()).expect("saved");
    assert_eq!((saved.len(), session.is_changed()), (2, false));
    let texts = paths.map(|path| std::fs::read_to_string(path).expect("a file"));
    assert!(
        texts[0].contains("e5") && texts[1].contains("d5"),
        "{texts:?}"
    );
}

#[test]
fn the_comment_of_one_game_is_edited() {
    let text = "1. d4 {one} *\n\n[Event \"2\"]\n\n1. d4 {two} *\n";
    let mut session = joined(text);
    go(&mut session, "d4");
    assert!(matches!(
        session.comment_in(None),
        Err(SessionError::SeveralGames(_))
    ));
    assert_eq!(session.comment_in(Some(1)).expect("a comment"), "two");
}

#[test]
fn matches_and_searches_reach_all_games() {
    let mut session = joined(CHAPTERS);
    assert_eq!(
        session
            .set_query(Some("btm move from p to d5"))
            .expect("compiles"),
        1
    );
    assert!(session.walk_mut().next_match());
    assert!(session.walk().path().ends_with("3.Nc3"));
    let wanted = crate::walk::SearchText::new("chapter").expect("a text");
    assert!(session.walk_mut().search(&wanted));
    assert!(session.walk().path().ends_with("g6") || session.walk().path().ends_with("Nf6"));
}

#[test]
fn games_from_several_starts() {
    let fen = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n\n";
    let mut session = joined(&format!("1. e4 *\n\n{fen}"));
    assert!(session.go_to_game(1));
    assert_eq!(
        session.walk().board().fen(),
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    );
    assert!(session.walk_mut().forward());
    assert!(session.go_to_game(0));
    assert!(session.walk().board().fen().starts_with("rnbqkbnr"));
}

#[test]
fn a_game_with_each_continuation_once() {
    let games = ["1. d4 Nf6 2. c4 {a} e6 *", "1. c4 Nf6 2. d4 $1 g6 {b} *"];
    let games = games.map(|text| read_game(text.as_bytes()).expect("a game"));
    let graph = Joined::of(games.to_vec(), Identity::Strict);
    let start = graph.start_of(0).expect("a start");
    let text = graph.to_game(start).to_string().replace('\n', " ");
    assert!(
        text.trim_end().ends_with(
            "1. d4 ( 1. c4 Nf6 2. d4 $1 { Transposes to 1.d4 Nf6 2.c4 } ) 1... Nf6 2. c4 { a } \
             2... e6 ( 2... g6 { b } ) *"
        ),
        "{text}"
    );
}

#[test]
fn a_game_of_positions_alike_but_for_en_passant_is_legal() {
    let games = [
        "1. e3 d6 2. e4 d5 3. e5 a6 *",
        "1. e4 a6 2. e5 d5 3. exd6 cxd6 *",
    ];
    let games = games.map(|text| read_game(text.as_bytes()).expect("a game"));
    let graph = Joined::of(games.to_vec(), Identity::Base);
    let start = graph.start_of(0).expect("a start");
    let text = graph.to_game(start).to_string();
    let read = read_game(text.as_bytes()).expect("a game");
    assert!(read.complaints().is_empty(), "{text}");
}

/// All moves that a walk reaches, from position to position.
fn visited(walk: &mut Walk) -> BTreeSet<(u32, u32)> {
    let mut edges = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![NodeId::ROOT];
    while let Some(node) = open.pop() {
        walk.go(node);
        let from = walk.vertex_of(node).expect("a position");
        if !seen.insert(from.0) {
            continue;
        }
        let children: Vec<NodeId> = walk.tree().children(node).collect();
        for child in children {
            let to = walk.vertex_of(child).expect("a position");
            edges.insert((from.0, to.0));
            open.push(child);
        }
    }
    edges
}

/// Texts of games, in one file.
fn file_of(games: &[Game]) -> String {
    games.iter().map(|game| format!("{game}\n\n")).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn walking_visits_exactly_the_graph(games in prop::collection::vec(random::wild_game(), 1..4)) {
        let graph = Arc::new(Joined::of(games, Identity::Strict));
        let positions = graph.positions();
        let mut known = BTreeSet::new();
        let mut reached = BTreeSet::new();
        for vertex in positions.graph().vertices() {
            let edges = positions.graph().edges(vertex);
            known.extend(edges.map(|edge| (vertex.0, positions.graph().target(edge).0)));
        }
        for &start in positions.graph().starts() {
            reached.extend(visited(&mut Walk::joined(Arc::clone(&graph), start)));
        }
        prop_assert_eq!(reached, known);
    }

    #[test]
    fn every_position_can_be_gone_to(games in prop::collection::vec(random::wild_game(), 1..4)) {
        let graph = Arc::new(Joined::of(games, Identity::Strict));
        let vertices: Vec<Vertex> = graph.positions().graph().vertices().collect();
        let start = graph.start_of(0).expect("a start");
        let mut walk = Walk::joined(Arc::clone(&graph), start);
        for vertex in vertices {
            walk.go_to_vertex(vertex);
            prop_assert_eq!(walk.vertex_of(walk.at()), Some(vertex));
            let board = graph.positions().board_of(vertex).expect("a board");
            prop_assert_eq!(walk.board().key(Identity::Strict), board.key(Identity::Strict));
            let origins = walk.origins(100).0.len();
            for index in 0..origins {
                prop_assert!(walk.choose_origin(index));
                prop_assert_eq!(walk.vertex_of(walk.at()), Some(vertex));
            }
        }
    }

    #[test]
    fn lines_are_those_of_the_tree_without_transpositions(game in random::game()) {
        let mut tree = Walk::new(random::through_text(&game));
        let graph = Arc::new(Joined::of(vec![tree.game().clone()], Identity::Strict));
        let shared = graph.shared();
        prop_assume!(shared.counts().transposed == 0);
        let start = graph.start_of(0).expect("a start");
        let mut walk = Walk::joined(Arc::clone(&graph), start);
        let nodes: Vec<NodeId> = tree.tree().preorder().collect();
        for node in nodes {
            tree.go(node);
            prop_assert_eq!(walk.follow(&tree.moves()), tree.moves().len());
            prop_assert_eq!(table(&walk), table(&tree));
            prop_assert_eq!(walk.lines().through(walk.at()), tree.lines().through(node));
        }
    }

    #[test]
    fn undone_edits_change_nothing(
        games in prop::collection::vec(random::wild_game(), 1..4),
        steps in prop::collection::vec((any::<u32>(), 0..9usize, 0..4usize), 1..6),
    ) {
        let text = file_of(&games);
        let mut session = joined(&text);
        let before = session.file().new_bytes().expect("bytes");
        let mut done = Vec::new();
        for (at, verb, game) in steps {
            let count = session.graph().positions().graph().vertex_count() as u32;
            session.walk_mut().go_to_vertex(Vertex(at % count));
            let path = session.walk().path();
            let verbs = ["add Na3", "add Nh6 Nc3", "comment x", "delete", "promote", "nag !", "delete-after", "main", "bring"];
            let verb = Verb::read(verbs[verb]).expect("a verb");
            match session.edit_in(&verb, Some(game)) {
                Ok(_) => done.push(path),
                Err(_) => prop_assert_eq!(session.walk().path(), path),
            }
        }
        while done.pop().is_some() {
            session.undo().expect("undone");
        }
        prop_assert_eq!(session.file().new_bytes().expect("bytes"), before);
        let again = joined(&text).graph();
        let now = session.graph();
        prop_assert_eq!(now.positions().graph().edge_count(), again.positions().graph().edge_count());
        prop_assert_eq!(now.positions().graph().vertex_count(), again.positions().graph().vertex_count());
    }

    #[test]
    fn repetitions_and_transpositions_agree_with_comparing_all_paths(
        games in prop::collection::vec(random::wild_game(), 1..4),
    ) {
        let graph = Joined::of(games, Identity::Strict);
        let positions = graph.positions();
        for vertex in positions.graph().vertices() {
            let lines: BTreeSet<Vec<u16>> = positions
                .spots(vertex)
                .map(|spot| {
                    let moves = positions.game(spot).tree().moves_to(spot.node);
                    moves.into_iter().map(|mv| mv.bits()).collect()
                })
                .collect();
            let mut pairs = lines.iter().flat_map(|a| lines.iter().map(move |b| (a, b)));
            let transposed = pairs.clone().any(|(a, b)| !a.starts_with(b) && !b.starts_with(a));
            let repeated = pairs.any(|(a, b)| a != b && a.starts_with(b));
            prop_assert_eq!(graph.shared().is_repeated(vertex), repeated);
            prop_assert_eq!(graph.shared().is_between_lines(vertex), transposed);
        }
    }
}
