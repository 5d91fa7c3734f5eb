//! The cases of `testdata/pgn/edge-cases.txt`: unusual PGN texts and the games read from them.

use gametree_chess::pgn::{Builder, ExportOptions, Game, export, split, to_utf8};
use std::fmt::Write;

const CASES: &str = include_str!("../../../testdata/pgn/edge-cases.txt");

/// One case: `number title`, then a line `in`, a line `out` per game, and `but` for complaints.
struct Case<'a> {
    title: &'a str,
    lines: Vec<&'a str>,
}

fn cases() -> Vec<Case<'static>> {
    let mut cases: Vec<Case> = Vec::new();
    let lines = CASES
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    for line in lines {
        match line.strip_prefix("  ") {
            None => cases.push(Case {
                title: line,
                lines: Vec::new(),
            }),
            Some(line) => cases.last_mut().expect("a title first").lines.push(line),
        }
    }
    cases
}

/// Expands `\n`, `\r`, `\t`, `\\`, `\0`, `\xNN` (a byte) and `«text*n»` (n times).
fn bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(char) = rest.chars().next() {
        rest = &rest[char.len_utf8()..];
        match char {
            '\\' => {
                let (byte, len) = escaped(rest);
                bytes.push(byte);
                rest = &rest[len..];
            }
            '«' => {
                let (repeat, after) = rest.split_once('»').expect("a closing »");
                let (text, times) = repeat.rsplit_once('*').expect("how many times");
                bytes.extend(text.repeat(times.parse().expect("a number")).into_bytes());
                rest = after;
            }
            _ => bytes.extend(char.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}

/// Expands `«text*n»` only.
fn repeated(text: &str) -> String {
    match text.split_once('«') {
        None => text.to_owned(),
        Some((before, _)) => {
            let (_, after) = text.split_once('»').expect("a closing »");
            let middle = &text[before.len()..text.len() - after.len()];
            format!("{before}{}{after}", String::from_utf8_lossy(&bytes(middle)))
        }
    }
}

fn escaped(rest: &str) -> (u8, usize) {
    match rest.as_bytes()[0] {
        b'n' => (b'\n', 1),
        b'r' => (b'\r', 1),
        b't' => (b'\t', 1),
        b'0' => (0, 1),
        b'x' => (
            u8::from_str_radix(&rest[1..3], 16).expect("two hex digits"),
            3,
        ),
        other => (other, 1),
    }
}

fn shown(text: &str) -> String {
    let text = text
        .replace('\\', "\\\\")
        .replace('\n', "\\n")
        .replace('\t', "\\t");
    text.replace('\0', "\\0")
}

fn games(text: &[u8]) -> Vec<Game> {
    let mut builder = Builder::new();
    split(&to_utf8(text)).map(|raw| builder.read(raw)).collect()
}

/// The games in the format of the case file.
fn outcome(games: &[Game]) -> Vec<String> {
    let options = ExportOptions::default().columns(None).roster(false);
    let mut lines: Vec<String> = games
        .iter()
        .map(|game| format!("out {}", shown(export(game, &options).trim_end())))
        .collect();
    let mut kinds = String::new();
    for complaint in games.iter().flat_map(|game| game.complaints()) {
        write!(kinds, " {}", complaint.kind.name()).unwrap();
    }
    if !kinds.is_empty() {
        lines.push(format!("but{kinds}"));
    }
    lines
}

#[test]
fn every_case() {
    let mut wrong = String::new();
    for case in cases() {
        let input = case.lines[0].strip_prefix("in ").expect("an input first");
        let found = outcome(&games(&bytes(input)));
        let expected: Vec<String> = case.lines[1..].iter().map(|line| repeated(line)).collect();
        if found != expected {
            writeln!(
                wrong,
                "{}\n  in {input}\n  {}",
                case.title,
                found.join("\n  ")
            )
            .unwrap();
        }
    }
    assert!(wrong.is_empty(), "these came out differently:\n{wrong}");
}

#[test]
fn the_cases_are_numbered() {
    for (index, case) in cases().iter().enumerate() {
        let number = case.title.split(' ').next().unwrap();
        assert_eq!(number.parse(), Ok(index + 1), "{}", case.title);
    }
}

/// Deep and large games: linear time, no recursion.
mod large {
    use super::*;

    fn nodes(text: &str) -> (usize, u32) {
        let games = games(text.as_bytes());
        assert_eq!(games.len(), 1);
        let tree = games[0].tree();
        let again = super::games(games[0].to_string().as_bytes());
        assert_eq!(again[0].tree().node_count(), tree.node_count());
        let depth = tree.terminals().last().map_or(0, |node| tree.depth(node));
        (tree.node_count(), depth)
    }

    #[test]
    fn a_hundred_levels_of_the_same_ply_are_siblings() {
        let text = format!("1. e4 {}{} *", "(1. d4 ".repeat(100), ")".repeat(100));
        assert_eq!(nodes(&text), (102, 1));
    }

    /// Every level starts one ply deeper than the enclosing one.
    fn nested(levels: usize) -> String {
        let moves = ["Nf3", "Nf6", "Ng1", "Ng8"];
        let mut text = String::from("1. Nf3 ");
        for level in 0..levels {
            text += &format!("({} {} ", moves[level % 4], moves[(level + 1) % 4]);
        }
        text + &")".repeat(levels) + " *"
    }

    #[test]
    fn two_hundred_thousand_levels() {
        assert_eq!(nodes(&nested(200_000)), (400_002, 200_000));
    }

    #[test]
    fn unclosed_and_unreadable_levels() {
        let open = "(".repeat(200_000);
        assert_eq!(games(format!("e4 {open} *").as_bytes()).len(), 1);
        assert_eq!(games(format!("e9 {open} *").as_bytes()).len(), 1);
        assert_eq!(
            games(nested(100_000).trim_end_matches([')', '*', ' ']).as_bytes()).len(),
            1
        );
    }

    #[test]
    fn a_long_game() {
        let text = format!(
            "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\n{}*",
            "Ke2 Ke7 Ke1 Ke8 ".repeat(5_000)
        );
        assert_eq!(nodes(&text), (20_001, 0));
    }

    #[test]
    fn many_siblings_with_notes() {
        let text = format!("1. e4 {}e5 *", "(1. d4) {x} ".repeat(20_000));
        assert_eq!(nodes(&text), (20_003, 1));
    }

    #[test]
    fn a_megabyte_in_one_line() {
        let text = format!("1. e4 e5 {}*", "Nf3 Nf6 Ng1 Ng8 ".repeat(62_500));
        assert_eq!(nodes(&text), (250_003, 0));
    }
}
