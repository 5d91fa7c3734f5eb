//! Searches of whole files: counts, order, threads, written files.

use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::path::Path;

use super::{Answer, Found, NodeQuery, Options, Query, QueryHost, Search, SearchOutput, Sorted};
use crate::choose::Choice;
use crate::games::Games;
use kit::Stop;
use kit::Workers;
use kit::input::gather;

const MATES: &str = "1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 e5 2. Nf3 *\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n\n";

fn ask(folder: &Path, source: &str, output: SearchOutput, threads: usize) -> (Vec<Answer>, Found) {
    let query = Query::compile(source, &Options::default()).unwrap();
    let search = Search {
        query: &query,
        output,
        first: false,
        limit: None,
    };
    let games = Games::new(
        gather([folder], crate::GAME_FILES).unwrap(),
        Choice::default(),
    );
    let workers = Workers::new(NonZeroUsize::new(threads), Stop::new());
    let mut answers = Vec::new();
    let run = search.run(&games, &workers, &QueryHost::new(), |answer| {
        answers.push(answer);
        Ok::<_, Infallible>(())
    });
    let Ok(run) = run;
    (answers, run.value)
}

fn two_files() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.pgn"), MATES).unwrap();
    std::fs::write(folder.path().join("b.pgn"), MATES.repeat(20_000)).unwrap();
    folder
}

#[test]
fn games_count_through_all_files_whatever_the_threads() {
    let folder = two_files();
    let numbers = |threads| {
        let (answers, found) = ask(folder.path(), "mate", SearchOutput::Count, threads);
        assert_eq!(
            (found.read, found.games, found.positions),
            (60_003, 40_002, 40_002)
        );
        answers
            .iter()
            .map(|a| a.result.game_number)
            .collect::<Vec<_>>()
    };
    let alone = numbers(1);
    assert_eq!(alone[..4], [1, 3, 4, 6]);
    assert_eq!(alone, numbers(3));
}

#[test]
fn persistent_variables_add_up_on_any_number_of_threads() {
    let folder = two_files();
    for threads in [1, 3] {
        let (_, found) = ask(
            folder.path(),
            "mate persistent mates += 1",
            SearchOutput::Count,
            threads,
        );
        assert_eq!(found.persistent[0].value, "40002", "{threads} threads");
    }
}

#[test]
fn positions_have_a_path_and_a_fen() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.pgn"), MATES).unwrap();
    let (answers, _) = ask(folder.path(), "mate", SearchOutput::Positions, 1);
    let position = &answers[0].positions[0];
    assert_eq!((position.game, position.position), (1, 4));
    assert_eq!(position.path, "1.f3 e5 2.g4 Qh4#");
    assert!(position.fen.starts_with("rnb1kbnr/pppp1ppp/"));
}

#[test]
fn games_are_written_with_comments_after_those_that_were_there() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("a.pgn"),
        "1. f3 e5 2. g4 Qh4# {oops} 0-1\n",
    )
    .unwrap();
    let (answers, _) = ask(
        folder.path(),
        "mate comment(\"found\")",
        SearchOutput::Games,
        1,
    );
    let text = &answers[0].pgn;
    assert!(
        text.contains("{Game number 1}") || text.contains("{ Game number 1 }"),
        "{text}"
    );
    assert!(
        text.contains("oops CQL found") || text.contains("oops found CQL"),
        "{text}"
    );
}

#[test]
fn matches_of_mainlines_are_those_of_the_whole_games() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        "1. f3 (1. e4 c5 (1... e6) 2. Nf3) e5 {a} (1... d5) 2. g4 (2. h3 {b}) Qh4# (2... a6) *\n";
    std::fs::write(folder.path().join("a.pgn"), text).unwrap();
    let query = "mate comment(\"found\") parent:comment(\"before\")";
    let (answers, _) = ask(folder.path(), query, SearchOutput::Positions, 1);
    assert_eq!(answers[0].positions[0].path, "1.f3 e5 2.g4 Qh4#");
    let (answers, _) = ask(folder.path(), query, SearchOutput::Games, 1);
    let text = answers[0].pgn.split_ascii_whitespace();
    let text = text.collect::<Vec<_>>().join(" ");
    for part in [
        "e5 { a }",
        "2. g4 { before }",
        "2. h3 { b }",
        "1... e6",
        "2... a6",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(
        text.contains("Qh4# { found CQL }") || text.contains("Qh4# { CQL found }"),
        "{text}"
    );
}

#[test]
fn removed_comments_leave_the_words_before_a_move() {
    let folder = tempfile::tempdir().unwrap();
    let text = "1. e4 {king} (1. d4 {queen}) ({or} 1. c4) *\n";
    std::fs::write(folder.path().join("a.pgn"), text).unwrap();
    let query = "cql(variations silent) removecomment";
    let (answers, _) = ask(folder.path(), query, SearchOutput::Games, 1);
    let text = &answers[0].pgn;
    assert!(!text.contains("king") && !text.contains("queen"), "{text}");
    assert!(text.contains("or"), "{text}");
}

#[test]
fn sorted_games_come_best_first() {
    let query = Query::compile("sort \"length\" ply", &Options::default()).unwrap();
    let mut sorted = Sorted::new(&query).unwrap();
    for (number, ply) in [(1, 3), (2, 9), (3, 9), (4, 1)] {
        let key = vec![Some(cql::SortValue::Number(ply))];
        sorted
            .push(number, key, format!("{number} ").as_bytes())
            .unwrap();
    }
    let mut out = Vec::new();
    sorted.write(&mut out).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), "2 3 1 4 ");
}

#[test]
fn nodes_of_one_game_can_be_marked() {
    let game = chess::pgn::read_game(b"1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *").unwrap();
    let query = NodeQuery::new("Nf3").unwrap();
    assert_eq!(query.matches(&game, 1).len(), 2);
    assert!(NodeQuery::new("Nf").is_err());
}

/// Games ruled out before their moves are read count as read; the results are the same.
#[test]
fn tags_rule_games_out_before_their_moves_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let game = |white: &str, date: &str, result: &str| {
        format!(
            "[White \"{white}\"]\n[Date \"{date}\"]\n[Result \"{result}\"]\n\n1. f3 e5 2. g4 Qh4# {result}\n\n"
        )
    };
    let text = [
        game("Anna", "1999.??.??", "0-1"),
        game("Zoë", "2001.01.02", "0-1"),
        game("A \\\"quoted\\\" name", "2001.??.??", "*"),
        game("Anna", "2020.??.??", "*"),
    ];
    std::fs::write(folder.path().join("a.pgn"), text.concat()).unwrap();
    let found = |source: &str| {
        let (answers, found) = ask(folder.path(), source, SearchOutput::Count, 1);
        assert_eq!(found.read, 4, "{source}");
        let numbers = answers.iter().filter(|a| a.result.matched);
        numbers.map(|a| a.game).collect::<Vec<_>>()
    };
    assert_eq!(found("player \"Anna\" mate"), [1, 4]);
    assert_eq!(found("player \"Zoë\" mate"), [2]);
    assert_eq!(found("player white \"quoted\" mate"), [3]);
    assert_eq!(found("year > 2000 mate"), [2, 3, 4]);
    assert_eq!(found("not player \"Anna\" mate"), [2, 3]);
    assert_eq!(found("result * year > 2000 mate"), [3, 4]);
    assert_eq!(found("gamenumber == 2 mate"), [2]);
    assert_eq!(found("cql(gamenumber 2 3) mate"), [2, 3]);
    assert_eq!(found("cql(matchcount 0 0) year > 2000 mate"), [1]);
    assert_eq!(found("mate or year > 2000"), [1, 2, 3, 4]);
}
