use std::path::Path;

use chess::pgn::read_games;
use serde_json::Value;

use super::{ConvertOptions, Format, Without, convert};
use crate::choose::Choice;
use crate::games::Games;
use kit::Workers;
use kit::input::{Source, gather};

fn run(sources: Vec<Source>, choice: Choice, plan: &ConvertOptions) -> String {
    let mut out = Vec::new();
    convert(
        &Games::new(sources, choice),
        plan,
        &Workers::alone(),
        &mut out,
    )
    .unwrap();
    String::from_utf8(out).unwrap()
}

fn of(pgn: &str, plan: &ConvertOptions) -> String {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), pgn).unwrap();
    run(vec![Source::from_arg(file.path())], Choice::default(), plan)
}

fn plan(format: Format) -> ConvertOptions {
    ConvertOptions {
        format,
        ..ConvertOptions::default()
    }
}

fn testdata() -> Vec<Source> {
    gather(
        [Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata")],
        crate::GAME_FILES,
    )
    .unwrap()
}

const ANNOTATED: &str = "1. e4! {good [%clk 0:01:00]} (1. d4 {or this} d5) 1... e5 $6 *";

#[test]
fn left_out_parts_are_gone_and_the_rest_stays() {
    let without = |without| {
        let text = of(
            ANNOTATED,
            &ConvertOptions {
                without,
                ..ConvertOptions::default()
            },
        );
        text.split_once("\n\n").unwrap().1.trim_end().to_owned()
    };
    let nothing = Without::default();
    assert_eq!(
        without(Without {
            comments: true,
            variations: true,
            nags: true,
            ..nothing
        }),
        "1. e4 e5 *"
    );
    assert_eq!(
        without(Without {
            clocks: true,
            ..nothing
        }),
        "1. e4 $1 { good } ( 1. d4 { or this } 1... d5 ) 1... e5 $6 *"
    );
    assert_eq!(
        without(Without {
            comments: true,
            nags: true,
            ..nothing
        }),
        "1. e4 ( 1. d4 d5 ) 1... e5 *"
    );
}

#[test]
fn normal_form_reads_back_as_the_same_games_and_is_its_own_normal_form() {
    for source in testdata() {
        let normal = run(vec![source.clone()], Choice::default(), &plan(Format::Pgn));
        let games =
            |text: &mut dyn std::io::Read| read_games(text).map(Result::unwrap).collect::<Vec<_>>();
        let (ours, theirs) = (
            games(&mut normal.as_bytes()),
            games(&mut source.open().unwrap()),
        );
        assert_eq!(ours.len(), theirs.len(), "{}", source.name());
        for (a, b) in ours.iter().zip(&theirs) {
            assert_eq!(
                a.tree().node_count(),
                b.tree().node_count(),
                "{}",
                source.name()
            );
            assert_eq!(a.outcome(), b.outcome());
        }
        assert_eq!(of(&normal, &plan(Format::Pgn)), normal, "{}", source.name());
    }
}

#[test]
fn kept_files_are_identical() {
    for source in testdata() {
        let mut text = Vec::new();
        std::io::Read::read_to_end(&mut source.open().unwrap(), &mut text).unwrap();
        let mut out = Vec::new();
        let games = Games::new(vec![source.clone()], Choice::default());
        convert(&games, &plan(Format::Keep), &Workers::alone(), &mut out).unwrap();
        assert!(out == text, "{}", source.name());
    }
}

#[test]
fn kept_games_are_separated() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(
        dir.path().join("a.pgn"),
        "[Event \"1\"]\n\n*\n\n[Event \"2\"]\n\n*\n\n\n[Event \"3\"]\n\n*",
    )
    .unwrap();
    std::fs::write(dir.path().join("b.pgn"), "\u{feff}[Event \"4\"]\n\n*\n").unwrap();
    let choose = |numbers: &str| {
        let choice = Choice {
            numbers: Some(numbers.parse().unwrap()),
            ..Choice::default()
        };
        run(
            gather([dir.path()], crate::GAME_FILES).unwrap(),
            choice,
            &plan(Format::Keep),
        )
    };
    assert_eq!(choose("3"), "[Event \"3\"]\n\n*");
    assert_eq!(
        choose("1,3"),
        "[Event \"1\"]\n\n*\n\n[Event \"3\"]\n\n*\n\n[Event \"4\"]\n\n*\n"
    );
}

#[test]
fn json_has_nodes_in_preorder_with_their_parents() {
    let text = of(
        ANNOTATED,
        &ConvertOptions {
            fens: true,
            ..plan(Format::Json)
        },
    );
    let game: Value = serde_json::from_str(&text).unwrap();
    let nodes = game["nodes"].as_array().unwrap();
    let row = |n: &Value| (n["parent"].as_u64(), n["san"].as_str().map(str::to_owned));
    let expected = [
        (None, None),
        (Some(0), Some("e4")),
        (Some(1), Some("e5")),
        (Some(0), Some("d4")),
        (Some(3), Some("d5")),
    ];
    assert_eq!(
        nodes.iter().map(row).collect::<Vec<_>>(),
        expected.map(|(p, s)| (p, s.map(str::to_owned)))
    );
    assert_eq!(nodes[1]["clock"], 60.0);
    assert_eq!(nodes[1]["nags"][0], 1);
    assert_eq!(nodes[3]["comment"], "or this");
    assert_eq!(
        nodes[4]["fen"],
        "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2"
    );
    let bare = of(
        ANNOTATED,
        &ConvertOptions {
            without: Without {
                variations: true,
                comments: true,
                ..Without::default()
            },
            ..plan(Format::Json)
        },
    );
    let bare: Value = serde_json::from_str(&bare).unwrap();
    assert_eq!(bare["nodes"].as_array().unwrap().len(), 3);
    assert!(bare["nodes"][1]["comment"].is_null() && bare["nodes"][1]["clock"].is_null());
}

#[test]
fn text_that_could_not_be_read_is_in_the_json() {
    let text = of("1. e4 e5 2. Ke4 Nf6 *", &plan(Format::Json));
    assert!(text.contains("Ke4 Nf6\"]"), "{text}");
}

#[test]
fn lists_of_positions() {
    let fens = of("1. e4 (1. d4) *", &plan(Format::Fen));
    assert_eq!(fens.lines().count(), 3);
    assert!(
        fens.lines()
            .nth(2)
            .unwrap()
            .starts_with("rnbqkbnr/pppppppp/8/8/3P4/")
    );
    let ends = of(
        "1. e4 (1. d4) 1... e5 *",
        &ConvertOptions {
            ends: true,
            ..plan(Format::Fen)
        },
    );
    assert_eq!(ends.lines().count(), 2);
    let epd = of("1. e4 *", &plan(Format::Epd));
    assert!(
        epd.starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - sm e4; id \""),
        "{epd}"
    );
}

#[test]
fn lines_as_uci_commands() {
    let lines = of("1. e4 e5 (1... c5 2. Nf3) 2. Nc3 *", &plan(Format::Uci));
    assert_eq!(
        lines,
        "position startpos moves e2e4 e7e5 b1c3\nposition startpos moves e2e4 c7c5 g1f3\n"
    );
    let fen = "[FEN \"8/8/8/4k3/8/4K3/4P3/8 b - - 0 40\"]\n[SetUp \"1\"]\n\n40... Kd5 *";
    assert_eq!(
        of(fen, &plan(Format::Uci)),
        "position fen 8/8/8/4k3/8/4K3/4P3/8 b - - 0 40 moves e5d5\n"
    );
    assert_eq!(of("*", &plan(Format::Uci)), "position startpos\n");
}

#[test]
fn too_many_lines_are_refused() {
    // Every move has an alternative: 12,000 lines of up to 12,000 moves.
    let pgn = "Nf3 (Nc3) Nf6 (Nc6) Ng1 (Nc3) Ng8 (Nc6) ".repeat(3000) + "*";
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), pgn).unwrap();
    let games = Games::new(vec![Source::from_arg(file.path())], Choice::default());
    let error = convert(
        &games,
        &plan(Format::Uci),
        &Workers::alone(),
        &mut Vec::new(),
    )
    .unwrap_err();
    assert!(
        error.to_string().contains("leave variations out"),
        "{error}"
    );
}

/// Every encoding and line end that the reader supports, with text around the games.
#[test]
fn kept_files_are_identical_in_every_encoding() {
    let text = "\n[White \"Grün 𝄞\"]\n\n1.e4   e5 {odd}*\n\n\n[Event \"B\"]\n\n1. d4 1-0\n\n\n";
    let utf16 = |text: &str, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    };
    for end in ["\n", "\r\n", "\r"] {
        let text = text.replace('\n', end);
        let (marked, start) = (format!("\u{feff}{text}"), text.trim_start());
        let narrow = text.replace(" 𝄞", "").replace('ü', "\u{1}");
        let narrow = narrow.bytes().map(|b| if b == 1 { 0xfc } else { b });
        for bytes in [
            text.clone().into_bytes(),
            marked.clone().into_bytes(),
            narrow.collect(),
            utf16(&marked, u16::to_le_bytes),
            utf16(&marked, u16::to_be_bytes),
            utf16(start, u16::to_le_bytes),
            utf16(start, u16::to_be_bytes),
        ] {
            let file = tempfile::NamedTempFile::new().unwrap();
            std::fs::write(file.path(), &bytes).unwrap();
            let games = Games::new(vec![Source::from_arg(file.path())], Choice::default());
            let mut out = Vec::new();
            convert(&games, &plan(Format::Keep), &Workers::alone(), &mut out).unwrap();
            assert_eq!(
                out.escape_ascii().to_string(),
                bytes.escape_ascii().to_string()
            );
        }
    }
}

#[test]
fn a_mark_in_the_middle_is_dropped() {
    let files = [
        tempfile::NamedTempFile::new().unwrap(),
        tempfile::NamedTempFile::new().unwrap(),
    ];
    for file in &files {
        std::fs::write(file.path(), "\u{feff}1. e4 *\n").unwrap();
    }
    let sources = files
        .iter()
        .map(|file| Source::from_arg(file.path()))
        .collect();
    let text = run(sources, Choice::default(), &plan(Format::Keep));
    assert_eq!(text, "\u{feff}1. e4 *\n\n1. e4 *\n");
}
