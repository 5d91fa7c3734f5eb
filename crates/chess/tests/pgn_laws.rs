//! Laws of reading and writing PGN: a written game reads back as an equal game, for any input.

use gametree_chess::pgn::{
    Builder, ExportOptions, Game, Note, NoteKind, NotePlace, Reader, Style, amend, decode, export,
    export_tags, split, to_utf8,
};
use gametree_chess::{Board, Move};
use gametree_tree::NodeId;
use proptest::prelude::*;

fn games(text: &[u8]) -> Vec<Game> {
    let mut builder = Builder::new();
    split(&to_utf8(text)).map(|raw| builder.read(raw)).collect()
}

/// The game with its tags in writing order.
fn normal(game: &Game) -> Game {
    let mut normal = game.clone();
    let names: Vec<String> = game.tags().map(|(name, _)| name.to_owned()).collect();
    for name in &names {
        normal.remove_tag(name);
    }
    for (name, value) in export_tags(game, true) {
        normal.push_tag(name, value);
    }
    normal
}

fn check_game(game: &Game, source: &dyn std::fmt::Debug) {
    let text = export(game, &ExportOptions::default());
    let again = games(text.as_bytes());
    assert_eq!(
        again.len(),
        1,
        "{source:?} was written as several games:\n{text}"
    );
    assert_eq!(
        again[0].to_string(),
        text,
        "{source:?} was written as\n{text}"
    );
    assert!(
        again[0] == normal(game),
        "{source:?} was written as\n{text}\n{}\nand read as\n{}",
        show(game),
        show(&again[0])
    );
}

fn show(game: &Game) -> String {
    let mut text = format!("{:?}\n{:?}\n", export_tags(game, true), game.nags().rows());
    for (node, note) in game.notes().rows() {
        text += &format!(
            "{node:?} {:?} {:?} {:?}\n",
            note.kind,
            note.place,
            game.text(note.text)
        );
    }
    text
}

fn check(text: &[u8]) {
    let read = games(text);
    let shown = String::from_utf8_lossy(text);
    read.iter().for_each(|game| check_game(game, &shown));
    let all: String = read.iter().map(|game| format!("{game}\n")).collect();
    assert_eq!(
        games(all.as_bytes()).len(),
        read.len(),
        "{shown:?} was written as\n{all}"
    );
    check_stream(text, &read);
}

/// Reading a stream gives the same games as reading a slice.
fn check_stream(text: &[u8], read: &[Game]) {
    let mut reader = Reader::new(text);
    let mut builder = Builder::new();
    for game in read {
        let raw = reader
            .next_game()
            .unwrap()
            .expect("as many games in a stream");
        let streamed = builder.read(raw);
        assert!(streamed == *game);
        assert_eq!(streamed.complaints(), game.complaints());
    }
    assert!(reader.next_game().unwrap().is_none());
}

/// Fragments of PGN, valid and invalid.
const TOKENS: &[&str] = &[
    "e4",
    "e5",
    "d4",
    "d5",
    "Nf3",
    "Nc6",
    "Nf6",
    "Bb5",
    "a6",
    "O-O",
    "0-0",
    "exd5",
    "Qxd5",
    "e8=Q",
    "e8(Q)",
    "--",
    "Z0",
    "e9",
    "Qh9",
    "Kg1",
    "a3",
    "h6",
    "1.",
    "1...",
    "2.",
    "2",
    "12...",
    "1. e4 e5",
    "(",
    "(",
    ")",
    ")",
    "(=)",
    "(D)",
    "()",
    "({x})",
    "{a}",
    "{ b }",
    "{}",
    "{ }",
    "{",
    "}",
    "{a {b}",
    "{x\n\ny}",
    "{\r\n}",
    "; note\n",
    ";\n",
    "; a } b\n",
    "\n% esc\n",
    "\n%\n",
    "% mid",
    "%",
    "$1",
    "$1",
    "$999",
    "$",
    "$99999999999",
    "!",
    "?!",
    "!!!",
    "±",
    "=",
    "+-",
    "N",
    "D",
    "e4!?",
    "Nf3+-",
    "*",
    "*",
    "1-0",
    "0-1",
    "1/2-1/2",
    "1/2",
    "½-½",
    "hello",
    "x",
    "\"q\"",
    "<r>",
    "ep",
    "mate",
    ",",
    ".",
    "…",
    "-",
    "[",
    "]",
    "[Event \"A\"]",
    "\n[Event \"A\"]\n",
    "\n\n[Event \"B\"]\n\n",
    "\n[Site",
    "\n[A \"b\"]\n",
    "[A \"\"\"]",
    "[%clk 0:00:01]",
    "\n[Result \"1-0\"]\n",
    "\n[A b]\n",
    "[a4",
    "\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 3 17\"]\n",
    "\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - -\"]\n",
    "\n[FEN \"x\"]\n",
    "\n[Variant \"Crazyhouse\"]\n",
    "\n[Variant \"Atomic\"]\n",
    "\n[SetUp \"1\"]\n",
    "N@f6",
    "\n\n",
    "\n\n1. ",
    "\n1. ",
    "\u{feff}",
    "\u{a0}",
    "\0",
    "\x1a",
    "\r",
    "\t",
    "é",
    "Ke2",
];

fn soup() -> impl Strategy<Value = String> {
    let token = proptest::sample::select(TOKENS);
    let blank = prop_oneof![8 => Just(" "), 2 => Just(""), 2 => Just("\n"), 1 => Just("\n\n")];
    prop::collection::vec((token, blank), 0..40).prop_map(|tokens| {
        tokens
            .iter()
            .flat_map(|(token, blank)| [*token, *blank])
            .collect()
    })
}

/// Where to branch, which legal move to play, which notes to add.
type Step = (u8, u8, u8, String);

fn random_game(steps: &[Step]) -> Game {
    let mut game = Game::new();
    let mut nodes: Vec<(NodeId, Board)> = vec![(NodeId::ROOT, Board::new())];
    for (back, choice, what, comment) in steps {
        let back = usize::from(back.saturating_sub(200)).min(nodes.len() - 1);
        let (parent, board) = nodes[nodes.len() - 1 - back].clone();
        let moves: Vec<Move> = board.legal_moves().into_iter().collect();
        if moves.is_empty() {
            continue;
        }
        let mv = moves[usize::from(*choice) % moves.len()];
        let node = game.add_variation(parent, mv);
        let mut board = board;
        board.play(mv);
        decorate(&mut game, node, *what, comment);
        nodes.push((node, board));
    }
    game
}

fn decorate(game: &mut Game, node: NodeId, what: u8, comment: &str) {
    let is_variation = !game.tree().is_locally_mainline(node);
    let place = match what % 4 {
        0 if is_variation => NotePlace::Before,
        1 | 2 => NotePlace::After,
        _ => return game.set_nags(node, [u32::from(what), 1000]).clear(),
    };
    let comment = comment.replace(['}', '\r'], "");
    if !comment.is_empty() {
        let text = game.add_text(&comment);
        let kind = NoteKind::Comment(Style::Brace);
        game.set_notes(node, [Note { kind, place, text }]);
    }
}

fn cases(count: u32) -> ProptestConfig {
    let times = std::env::var("GAMETREE_LONG").map_or(1, |_| 30);
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(count * times)
    }
}

proptest! {
    #![proptest_config(cases(3000))]

    #[test]
    fn token_soup_reads_back(text in soup()) {
        check(text.as_bytes());
    }

    #[test]
    fn amending_nothing_changes_nothing(text in soup()) {
        for raw in split(text.as_bytes()) {
            let old = decode(raw.bytes);
            let same = amend(&Builder::new().read(raw), &old);
            prop_assert!(same.is_none_or(|same| same == old), "{old:?}");
        }
    }

    #[test]
    fn any_game_is_written_over_any_text(text in soup(), steps in prop::collection::vec(any::<Step>(), 0..20)) {
        let game = random_game(&steps);
        for raw in split(text.as_bytes()) {
            if let Some(new) = amend(&game, &decode(raw.bytes)) {
                prop_assert_eq!(games(new.as_bytes()).len(), 1, "{}", new);
            }
        }
    }

    #[test]
    fn any_bytes_read_back(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        check(&bytes);
    }

    #[test]
    fn bytes_of_pgn_read_back(text in "[-\\[\\](){};%$!?.,\"\\\\*+=#/ \n\t\r0-9a-hA-HNBRQKOx_~é½–]{0,60}") {
        check(text.as_bytes());
    }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn random_games_read_back(steps in prop::collection::vec(any::<Step>(), 0..60)) {
        check_game(&random_game(&steps), &"a random game");
    }
}

#[test]
fn found_by_these_laws() {
    for text in ["", "*", "e4 e9 {x} ; y } z\n 1-0"] {
        check(text.as_bytes());
    }
}
