use std::collections::BTreeMap;
use std::path::Path;

use chess::pgn::read_game;
use kit::Workers;
use kit::input::Source;

use super::*;
use crate::audit::Reference;
use crate::choose::Choice;
use crate::convert::{ConvertOptions, Format, convert};
use crate::games::Games;
use crate::positions::{Identity, Positions};

fn book_of(source: Source, options: BookOptions) -> Vec<u8> {
    let plan = ConvertOptions {
        format: Format::Polyglot,
        book: options,
        ..ConvertOptions::default()
    };
    let games = Games::new(vec![source], Choice::default());
    let mut bytes = Vec::new();
    convert(&games, &plan, &Workers::alone(), &mut bytes).unwrap();
    bytes
}

fn book(pgn: &str) -> Vec<u8> {
    book_of(
        Source::Memory(pgn.as_bytes().into()),
        BookOptions::default(),
    )
}

/// The moves and weights at the position after some moves.
fn weights(book: &[u8], moves: &str) -> Vec<(String, u16)> {
    let mut board = Board::new();
    for san in moves.split_whitespace() {
        board.play_san(san).unwrap();
    }
    let entries = Entries::read(book).unwrap();
    let entries = entries.at(key(&board)).iter();
    entries
        .map(|entry| {
            (
                board.san(entry.mv(&board).unwrap()).to_string(),
                entry.weight,
            )
        })
        .collect()
}

fn pairs(pairs: &[(&str, u16)]) -> Vec<(String, u16)> {
    let owned = pairs.iter().map(|&(san, weight)| (san.to_owned(), weight));
    owned.collect()
}

const PLAYED: &str = "[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n[Result \"0-1\"]\n\n1. e4 e5 0-1\n\n\
    [Result \"1/2-1/2\"]\n\n1. d4 (1. c4) d5 1/2-1/2\n\n[Result \"*\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 *\n";

#[test]
fn weights_are_points() {
    let book = book(PLAYED);
    let start = [("e4", 2), ("Nf3", 1), ("c4", 1), ("d4", 1)];
    assert_eq!(weights(&book, ""), pairs(&start));
    assert_eq!(weights(&book, "e4"), pairs(&[("e5", 2)]));
    assert_eq!(weights(&book, "d4"), pairs(&[("d5", 1)]));
}

#[test]
fn options_limit_the_book() {
    let source = Source::Memory(PLAYED.as_bytes().into());
    let few = BookOptions {
        plies: Some(1),
        min_games: 2,
    };
    let book = book_of(source, few);
    assert_eq!(book.len(), Entry::SIZE);
    assert_eq!(weights(&book, ""), pairs(&[("e4", 2)]));
}

#[test]
fn large_weights_are_scaled_by_position() {
    let pgn = "1. e4 {[%weight 200000]} (1. d4 {[%weight 100000]} d5) (1. c4 {[%weight 1]}) *";
    let book = book(pgn);
    let start = [("e4", 65535), ("d4", 32767), ("c4", 1)];
    assert_eq!(weights(&book, ""), pairs(&start));
    assert_eq!(weights(&book, "d4"), pairs(&[("d5", 1)]));
    assert_eq!(scaled(0, 1 << 40), 0);
}

#[test]
fn a_book_as_pgn_gives_the_same_book() {
    let book_of_file = |file: &str| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        book_of(Source::File(root.join(file)), BookOptions::default())
    };
    let text_of = |book: &[u8]| String::from_utf8(to_pgn(book, "book").unwrap()).unwrap();
    let repertoire = book_of_file("examples/repertoire.pgn");
    assert!(book(&text_of(&repertoire)) == repertoire);
    // Moves of games from other positions are in the first book only.
    let games = book_of_file("examples/games.pgn");
    let text = text_of(&games);
    assert!(text.contains("entries cannot be played from"), "{text}");
    let (again, all) = (book(&text), games.as_chunks::<{ Entry::SIZE }>().0);
    let kept = again.as_chunks::<{ Entry::SIZE }>().0;
    assert!(kept.iter().all(|entry| all.contains(entry)));
}

#[test]
fn a_position_is_continued_once() {
    let pgn = "1. d4 Nf6 (1... e6 2. c4 Nf6) 2. c4 e6 3. Nc3 *";
    let book = book(pgn);
    let text = to_pgn(&book, "book.bin").unwrap();
    let game = read_game(&text).unwrap();
    assert_eq!(game.tag("Event"), Some("book.bin"));
    assert_eq!(game.tree().node_count(), 1 + 8);
    let text = String::from_utf8(text).unwrap();
    assert!(
        text.contains("{ Transposes to 1.d4 e6 2.c4 Nf6 }"),
        "{text}"
    );
    assert!(!text.contains("entries"), "{text}");
}

#[test]
fn a_repetition_ends() {
    let book = book("1. Nf3 Nf6 2. Ng1 Ng8 3. e4 *");
    let text = String::from_utf8(to_pgn(&book, "x").unwrap()).unwrap();
    assert!(text.contains("{ Transposes to the start }"), "{text}");
    assert_eq!(read_game(text.as_bytes()).unwrap().tree().node_count(), 6);
}

#[test]
fn other_data_is_no_book() {
    assert!(Entries::read(b"too short").is_err());
    assert!(Entries::read(&[[2; 16], [1; 16]].concat()).is_err());
    assert!(Entries::read(b"").unwrap().0.is_empty());
}

#[test]
fn a_book_is_a_reference() {
    let repertoire = read_game(b"1. e4 e5 2. Nf3 *").unwrap();
    let positions = Positions::of(vec![repertoire], Identity::Strict);
    let pgn =
        "1. e4 {[%weight 5]} (1. d4 {[%weight 2]}) c5 {[%weight 3]} (1... e5 {[%weight 4]}) *";
    let text = to_pgn(&book(pgn), "book").unwrap();
    let mut reference = Reference::default();
    reference.add(&positions, &read_game(&text).unwrap(), Identity::Strict);
    assert_eq!(reference.games(), 7);
    let mut counts: Vec<u64> = reference.all().map(|(.., count)| count).collect();
    counts.sort_unstable();
    assert_eq!(counts, [2, 3, 4, 5]);
}

#[test]
fn python_chess_reads_the_same_moves() {
    let folder = tempfile::tempdir().unwrap();
    let (path, games) = (
        folder.path().join("book.bin"),
        outside::find("corpora/plain/twic1000.pgn"),
    );
    let games = games.map_or_else(|| Source::Memory(PLAYED.as_bytes().into()), Source::File);
    std::fs::write(&path, book_of(games, BookOptions::default())).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let entries = Entries::read(&bytes).unwrap();
    let text = to_pgn(&bytes, "book").unwrap();
    let game = read_game(&text).unwrap();
    let mut ours: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut cursor = game.cursor();
    loop {
        let board = cursor.board();
        let moves = entries.at(key(board)).iter().map(|entry| {
            let mv = entry.mv(board).unwrap();
            format!("{} {}", mv.uci(), entry.weight)
        });
        ours.insert(board.fen(), moves.collect());
        if ours.len() == 3000 || !cursor.walk() {
            break;
        }
    }
    let lines: Vec<String> = ours
        .keys()
        .map(|fen| format!("{}\t{fen}", path.display()))
        .collect();
    let Some(theirs) = outside::ask_python_chess(&["book"], &lines.join("\n")) else {
        return;
    };
    for ((fen, moves), answer) in ours.iter_mut().zip(theirs.lines()) {
        moves.sort_unstable();
        assert_eq!(moves.join(", "), answer, "{fen}");
    }
}
