use std::collections::HashMap;

use chess::Variant;
use chess::pgn::{Game, read_game};
use tree::NodeId;
use tree::graph::{self, Vertex};

use super::*;

fn game(text: &str) -> Game {
    read_game(text.as_bytes()).expect("a game")
}

/// A file of the corpora beside the repository, if present.
pub fn corpus(path: &str) -> Option<Vec<u8>> {
    let path = outside::find(&format!("corpora/{path}"))?;
    Some(std::fs::read(path).expect("a readable file"))
}

/// Folders of games written by people: with `GAMETREE_LONG` all, otherwise two small ones.
pub fn corpus_folders() -> &'static [&'static str] {
    match std::env::var_os("GAMETREE_LONG") {
        Some(_) => &[
            "annotated",
            "clocks",
            "odd",
            "plain",
            "studies",
            "trees",
            "variants",
        ],
        None => &["trees/natesolon-repertoire", "trees/shermann-repertoire"],
    }
}

/// The files in a folder of the corpora; none if it is missing.
pub fn corpus_files(folder: &str) -> Vec<kit::input::Source> {
    let folder = outside::find(&format!("corpora/{folder}"));
    let files = folder.map(|folder| kit::input::gather([folder], crate::GAME_FILES));
    files.map_or_else(Vec::new, |files| files.expect("game files"))
}

/// The games of all files in a folder of the corpora; none if it is missing.
pub fn corpus_games(folder: &str) -> Vec<Game> {
    let sources = corpus_files(folder);
    let workers = Workers::new(std::num::NonZeroUsize::new(1), kit::Stop::new());
    read_all(&Games::new(sources, Default::default()), &workers).value
}

pub const SAMPLE: &str = "trees/pgn4people/src/pgn4people_poc/example_pgns/demo_pgn_1.pgn";
pub const SECOND: &str = "trees/pgn4people/tests/Test_PGNs/R0_25.pgn";

/// Knight moves out and back, without end.
fn knights() -> impl Iterator<Item = &'static str> {
    ["Nf3", "Nf6", "Ng1", "Ng8"].into_iter().cycle()
}

/// A line of this many moves.
pub fn deep_line(moves: usize) -> Game {
    let line: Vec<&str> = knights().take(moves).collect();
    game(&format!("{} *", line.join(" ")))
}

/// `Nf3 (Nf3 Nf6 (Nf6 Ng1 (…`: this many nested variations.
pub fn nested(variations: usize) -> Game {
    let pairs = knights().zip(knights().skip(1)).take(variations);
    let open: String = pairs.map(|(mv, next)| format!(" ({mv} {next}")).collect();
    game(&format!("Nf3{open}{} *", ")".repeat(variations)))
}

/// This many variations of one move.
pub fn siblings(variations: usize) -> Game {
    let moves = ["a3 e5", "b3 e5", "c3 e5", "Nf3 e5"].into_iter().cycle();
    let all: String = moves
        .take(variations)
        .map(|line| format!(" ({line})"))
        .collect();
    game(&format!("e4{all} *"))
}

#[test]
fn differences_between_positions() {
    // Positions differ by castling rights, legal en passant captures, and the side to move.
    let count = |text: &str, same| Positions::of(vec![game(text)], same).graph().vertex_count();
    let rights = "1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8 *";
    assert_eq!(count(rights, Identity::Strict), 7);
    let idle = "1. e4 (1. e3 Nf6 2. e4 Ng8) 1... Nf6 2. Nf3 Ng8 3. Ng1 *";
    assert_eq!(count(idle, Identity::Strict), 9);
    let back = "1. Nf3 Nf6 2. Ng1 Ng8 3. e4 Nf6 4. e5 d5 *";
    assert_eq!(count(back, Identity::Strict), 8);
}

#[test]
fn en_passant_only_when_legal() {
    let early = "1. e4 a6 2. e5 d5 3. Nf3 a5 *";
    let late = "1. e4 d5 2. e5 a6 3. Nf3 a5 *";
    let two = |same| Positions::of(vec![game(early), game(late)], same);
    // After 2...d5 the capture is legal, after 2...a6 it is not: equal only by base FEN.
    let reached = |positions: &Positions| {
        let spot = Spot {
            game: 0,
            node: NodeId(4),
        };
        positions.spots(positions.vertex(spot).unwrap()).count()
    };
    assert_eq!(reached(&two(Identity::Strict)), 1);
    assert_eq!(reached(&two(Identity::Base)), 2);
}

#[test]
fn pockets_and_checks_left_count() {
    let house = "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 Qd8 (3... Qa5) *";
    let plain = "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qd8 *";
    let positions = Positions::of(vec![game(house), game(plain)], Identity::Strict);
    assert_eq!(positions.graph().starts().len(), 2);
}

#[test]
fn a_vertex_for_each_move_by_the_same_code() {
    let text = "1. Nf3 Nf6 2. Ng1 Ng8 3. e4 *";
    let by = |each| Positions::by(each, vec![game(text), game(text)], Identity::Strict);
    assert_eq!(by(graph::Identity::Position).graph().vertex_count(), 5);
    assert_eq!(by(graph::Identity::Move).graph().vertex_count(), 6);
}

#[test]
fn a_line_in_any_game() {
    let games = vec![
        game("1. d4 Nf6 2. c4 *"),
        game("1. c4 g6 2. d4 Nf6 3. Nc3 *"),
    ];
    let positions = Positions::of(games, Identity::Strict);
    let at = |text: &str| positions.locate_anywhere(&Place::read(text).unwrap());
    let spot = |game, node| {
        positions.vertex(Spot {
            game,
            node: NodeId(node),
        })
    };
    assert_eq!(at("c4 g6 d4").ok(), spot(1, 3));
    assert_eq!(at("1.c4 g6 2.d4").ok(), spot(1, 3));
    // No game has these moves in this order.
    assert_eq!(at("d4 Nf6 c4 g6").ok(), spot(1, 4));
    assert!(at("e4 e5").is_err());
    // Position ids and numbered moves belong to the first game.
    assert!(at("5").is_err());
    assert!(at("3.Nc3").is_err());
}

#[test]
fn the_message_names_the_game_that_goes_on_furthest() {
    let games = ["1. d4 f5 *", "1. e4 *", "1. d4 f5 2. g3 (2. Nc3) *"];
    let games: Vec<Game> = chess::pgn::read_games(games.join("\n\n").as_bytes())
        .map(Result::unwrap)
        .collect();
    let positions = Positions::of(games, Identity::Strict);
    let message = |text: &str| {
        let found = positions.locate_anywhere(&Place::read(text).unwrap());
        found.unwrap_err().to_string()
    };
    let expected = "game 3: the tree has no c4 after 1...f5; it has: g3, Nc3";
    assert_eq!(message("d4 f5 c4"), expected);
    let expected = "game 2: the tree has no c5 after 1.e4; the line ends there";
    assert_eq!(message("e4 c5"), expected);
}

#[test]
fn places_in_several_games() {
    let games = vec![game("1. d4 d5 2. c4 *"), game("1. c4 d5 2. d4 e6 *")];
    let positions = Positions::of(games, Identity::Strict);
    let at = |text: &str, game| positions.locate(&Place::read(text).unwrap(), game);
    let first = at("d4 d5 c4", 0).unwrap();
    assert_eq!(at("2.d4", 1).unwrap(), first);
    assert_eq!(
        at(
            "rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR b KQkq - 0 2",
            0
        )
        .unwrap(),
        first
    );
    assert_eq!(
        at("rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR", 0).unwrap(),
        first
    );
    assert!(matches!(at("d4", 2), Err(LocateError::NoSuchGame(3, 2))));
    assert!(matches!(at("e4", 0), Err(LocateError::Place(_))));
    assert!(matches!(
        at("8/8/8/8/8/8/8/8 w - -", 0),
        Err(LocateError::Place(_))
    ));
    let spots: Vec<Spot> = positions.spots(first).collect();
    assert_eq!(spots.len(), 2);
    assert_eq!(positions.move_path(spots[1]).to_string(), "1.c4 d5 2.d4");
    assert_eq!(positions.spots(Vertex(99)).count(), 0);
}

#[test]
fn the_published_sample() {
    let Some(text) = corpus(SAMPLE) else { return };
    let game = read_game(&text).expect("a game");
    assert_eq!(game.tree().node_count() - 1, 3_493);
    let positions = Positions::of(vec![game], Identity::Strict);
    let graph = positions.graph();
    assert_eq!(graph.vertex_count(), 3_452);
    let twice = graph
        .vertices()
        .filter(|&vertex| positions.spots(vertex).count() == 2);
    assert_eq!(twice.count(), 42);
}

/// Keys are equal exactly if the FEN fields are.
fn check_keys(
    game: &Game,
    names: &mut HashMap<(Identity, u128), String>,
    keys: &mut HashMap<(Identity, String), u128>,
) {
    for same in [Identity::Strict, Identity::Base] {
        let mut carried = Keys::new(game, same);
        for node in game.tree().preorder() {
            let (key, board) = (carried.at(node), game.board_at(node));
            assert_eq!(board.key(same), key);
            let fields = match same {
                Identity::Strict => board.epd(),
                Identity::Base => board.base_fen(),
            };
            // Chess960 and standard chess have the same rules, so they share positions.
            let rules = match board.variant() {
                Variant::Chess960 => Variant::Standard,
                other => other,
            };
            let name = format!("{rules:?} {fields}");
            assert_eq!(
                *names.entry((same, key)).or_insert_with(|| name.clone()),
                name
            );
            assert_eq!(*keys.entry((same, name)).or_insert(key), key);
        }
    }
}

#[test]
fn keys_are_unique() {
    let (mut names, mut keys) = (HashMap::new(), HashMap::new());
    let folders = match std::env::var_os("GAMETREE_LONG") {
        Some(_) => vec!["plain", "studies", "trees", "variants"],
        None => vec!["trees/natesolon-repertoire", "studies/pychess-learn"],
    };
    let games = folders.into_iter().flat_map(corpus_games);
    let own = include_str!("../../../../examples/repertoire.pgn");
    for game in games.chain([game(own)]) {
        check_keys(&game, &mut names, &mut keys);
    }
    assert!(names.len() > 100);
}

#[test]
fn spots_are_ordered_as_in_the_tree() {
    let text = "1. d4 d5 (1... Nf6 2. c4 e6 (2... d5 3. Nc3)) 2. c4 Nf6 *";
    let positions = Positions::of(vec![game("1. e4 *"), game(text)], Identity::Strict);
    let mut boards = Boards::new(&positions);
    let spots: Vec<Spot> = positions.all().collect();
    for &spot in spots.iter().chain(spots.iter().rev()) {
        let game = positions.game(spot);
        assert_eq!(positions.ply(spot), game.tree().ply(spot.node));
        assert_eq!(positions.depth(spot), game.tree().depth(spot.node));
        assert_eq!(positions.turn(spot), game.node(spot.node).turn());
        assert_eq!(boards.at(spot), &positions.board(spot));
        for &other in spots.iter().filter(|other| other.game == spot.game) {
            let above = game.tree().is_ancestor(spot.node, other.node);
            assert_eq!(positions.is_above(spot, other), above);
        }
    }
}

#[test]
fn equal_lines_have_equal_numbers() {
    let games = ["1. d4 d5 (1... d5 2. c4) 2. c4 *", "1. d4 d5 2. c4 *"].map(game);
    let positions = Positions::of(games.to_vec(), Identity::Strict);
    let lines = Lines::new(&positions);
    let spots: Vec<Spot> = positions.all().collect();
    for (&a, &b) in spots.iter().flat_map(|a| spots.iter().map(move |b| (a, b))) {
        let same = positions.move_path(a) == positions.move_path(b);
        assert_eq!(lines.of(a) == lines.of(b), same);
    }
}

#[test]
fn paths_of_very_many_moves_are_ids() {
    let positions = Positions::of(vec![deep_line(5000)], Identity::Strict);
    let at = |ply: usize| positions.all().nth(ply).map(|spot| positions.address(spot));
    let paths = [LONGEST_PATH, LONGEST_PATH + 1].map(|ply| at(ply).expect("a spot").path);
    assert!(paths[0].0.ends_with("500.Ng1 Ng8"), "{}", paths[0]);
    assert_eq!(paths[1].as_place(), "#1001");
    let place = Place::read(paths[1].as_place()).expect("a place");
    assert!(positions.locate(&place, 0).is_ok());
}
