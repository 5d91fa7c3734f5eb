//! The suites under `testdata`: the matches of each query, and the errors of invalid ones.

use gametree_cql::{Dialect, Options, Query};
use std::fs;
use std::path::PathBuf;

fn testdata(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("testdata")
        .join(name)
}

fn rows(name: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(testdata(name)).unwrap();
    let lines = text
        .lines()
        .filter(|l| !l.starts_with("# ") && !l.is_empty());
    lines
        .map(|l| l.split('\t').map(String::from).collect())
        .collect()
}

/// `1:0-3,7 2:4`: matching positions by game.
fn found(query: &Query, games: &[gametree_chess::pgn::Game]) -> String {
    let mut matcher = query.matcher();
    let results = games.iter().zip(1..).map(|(game, n)| matcher.run(game, n));
    let matched = results.filter(|r| r.matched);
    let parts: Vec<String> = matched
        .map(|r| format!("{}:{}", r.game_number, ranges(&r.positions)))
        .collect();
    if parts.is_empty() {
        "-".into()
    } else {
        parts.join(" ")
    }
}

fn ranges(ids: &[u32]) -> String {
    let runs = ids.chunk_by(|a, b| a + 1 == *b).map(|run| match run {
        [one] => one.to_string(),
        _ => format!("{}-{}", run[0], run[run.len() - 1]),
    });
    runs.collect::<Vec<_>>().join(",")
}

fn check(suite: &str, games: &str, dialect: Dialect) {
    let file = fs::File::open(testdata(games)).unwrap();
    let games: Vec<_> = gametree_chess::pgn::read_games(file)
        .map(Result::unwrap)
        .collect();
    for row in rows(suite) {
        let options = Options::default()
            .with_dialect(dialect)
            .with_variations(true)
            .with_write_files(true)
            .with_run_programs(true);
        let query = Query::compile(&row[1], &options);
        let query = query.unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(found(&query, &games), row[0], "{}", row[1]);
    }
}

#[test]
fn filters_as_cql_reads_them() {
    check("cql62.tsv", "games.pgn", Dialect::Cql62);
}

#[test]
fn filters_as_cqli_reads_them() {
    check("cqli.tsv", "games.pgn", Dialect::Cqli);
}

#[test]
fn variants() {
    check("variants.tsv", "variants.pgn", Dialect::Cqli);
}

/// The files and programs for the checklist's queries.
struct World;

impl gametree_cql::Host for World {
    fn read_file(&self, _: &str) -> Option<String> {
        Some("Opera".into())
    }

    fn write_file(&self, _: &str, _: &str) -> bool {
        true
    }

    fn pipe(&self, _: &str, input: &str) -> Option<String> {
        Some(input.into())
    }

    fn has_position(&self, _: &str, board: &str, _: bool) -> bool {
        board.starts_with("7k/")
    }

    fn last_game_number(&self) -> Option<u64> {
        Some(5)
    }
}

/// Every filter and operator distinguishes some positions.
#[test]
fn checklist() {
    let read = |name| {
        let file = fs::File::open(testdata(name)).unwrap();
        gametree_chess::pgn::read_games(file).map(Result::unwrap)
    };
    let files = ["games.pgn", "variants.pgn", "checklist.pgn"];
    let games: Vec<_> = files.into_iter().flat_map(read).collect();
    let options = Options::default()
        .with_variations(true)
        .with_write_files(true)
        .with_run_programs(true);
    let all: usize = games.iter().map(|g| g.tree().preorder().count()).sum();
    let rows = rows("checklist.tsv");
    assert_eq!(rows.len(), 235);
    let mut mute = Vec::new();
    for row in rows {
        let query = match Query::compile(&row[1], &options) {
            Ok(query) => query,
            Err(errors) => {
                mute.push(format!("{}: {}", row[0], errors));
                continue;
            }
        };
        let mut matcher = query.matcher().with_host(&World);
        let results = games.iter().zip(1..).map(|(game, n)| matcher.run(game, n));
        let found: usize = results.map(|r| r.positions.len()).sum();
        if found == 0 || found == all {
            mute.push(format!("{}: {found}", row.join(": ")));
        }
    }
    assert_eq!(mute, Vec::<String>::new());
}

/// Every malformed query gets an error at the right words.
#[test]
fn complaints() {
    for row in rows("errors.tsv") {
        let errors = Query::compile(&row[0], &Options::default()).err();
        let errors = errors.unwrap_or_else(|| panic!("{} is accepted", row[0]));
        let errors = errors.diagnostics();
        let found: Vec<String> = errors
            .iter()
            .map(|e| format!("{}..{} {}", e.span.start, e.span.end, e.message))
            .collect();
        assert_eq!(found, row[1..], "{}", row[0]);
        for error in errors {
            assert!(error.render(&row[0]).contains('^'), "{}", row[0]);
        }
    }
}

/// Common mistakes of beginners, and the suggested corrections.
#[test]
fn help() {
    let table = [
        ("ply = 3", "‘==’ compares"),
        (
            "n = 3",
            "‘n’ is a piece designator and cannot name a variable; ‘==’ compares",
        ),
        ("check, mate", "filters follow one another without commas"),
        (
            "player Kasparov",
            "names are written in quotes: \"Kasparov\"",
        ),
        ("Pe9", "squares are a1 to h8, in small letters"),
        (
            "P[e4 e5]",
            "squares in brackets are separated by commas, as in ‘P[e4,e5]’",
        ),
        ("checkmate", "did you mean ‘mate’?"),
        ("rooks", "did you mean ‘[Rr]’?"),
        ("stalmate", "did you mean ‘stalemate’?"),
        ("isolated pawn", "did you mean ‘isolatedpawns’?"),
        ("en_passant", "did you mean ‘enpassant’?"),
    ];
    for (query, help) in table {
        let errors = Query::compile(query, &Options::default()).unwrap_err();
        assert_eq!(
            errors.diagnostics()[0].help.as_deref(),
            Some(help),
            "{query}"
        );
    }
    // the end of a query is after its last word, not on an empty line below it
    let errors = Query::compile("check and\n\n", &Options::default()).unwrap_err();
    assert_eq!(errors.diagnostics()[0].span.start, 9);
}
