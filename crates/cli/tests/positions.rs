//! The commands that compare positions, as people and scripts run them.

mod common;

use std::fs;
use std::process::Command;

use common::{Output, gametree, gametree_on, program, run};
use serde_json::Value;

const AUDIT: &str = "testdata/graph/audit.pgn";

fn json_lines(output: &Output) -> Vec<Value> {
    let lines = output.out.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Every finding has the keys that scripts go by, and its paths can be opened.
#[test]
fn findings_lead_to_places_that_show_opens() {
    let output = gametree(&format!(
        "audit {AUDIT} --side white --against testdata/graph/reference.pgn --rare 3 --json"
    ));
    assert_eq!(output.code, Some(1), "{}", output.err);
    let mut findings = json_lines(&output);
    let coverage = findings.pop().unwrap();
    assert_eq!(coverage["kind"], "coverage");
    assert!(coverage["percent"].is_f64(), "{coverage}");
    let gap = findings.iter().find(|finding| finding["kind"] == "gap");
    assert!(gap.unwrap()["probability"].is_f64());
    let mut kinds = Vec::new();
    for finding in &findings {
        for key in ["kind", "path", "other", "severity", "game", "message"] {
            assert!(finding.get(key).is_some(), "{key} in {finding}");
        }
        kinds.push(finding["kind"].as_str().unwrap().to_owned());
        let game = finding["game"].as_u64().unwrap();
        open(finding["path"].as_str().unwrap(), game);
        if let Some(other) = finding["other"].as_str() {
            open(
                other,
                finding
                    .get("other_game")
                    .map_or(game, |game| game.as_u64().unwrap()),
            );
        }
    }
    kinds.dedup();
    assert_eq!(kinds.len(), 11, "{kinds:?}");
}

fn open(path: &str, game: u64) {
    let output = run(program().args(["show", AUDIT, "--game", &game.to_string(), "--at", path]));
    assert_eq!(output.code, Some(0), "{path}: {}", output.err);
}

#[test]
fn no_findings_exit_with_0_and_unreadable_files_with_2() {
    let output = gametree_on(b"1. e4 e5 2. Nf3 *", "audit -");
    assert_eq!((output.code, output.err.as_str()), (Some(0), ""));
    let output = gametree_on(b"1. e4 e5 2. Nf3 *", "diff - testdata/graph/none.pgn");
    assert_eq!(output.code, Some(2));
}

/// United, united again, and unlinked and united again: the same text.
#[test]
fn references_there_and_back() {
    let link = |text: &str, args: &str| {
        let output = gametree_on(text.as_bytes(), &format!("link - {args} -q -o -"));
        assert_eq!(output.code, Some(0), "{}", output.err);
        output.out
    };
    let text = "1. d4 (1. Nf3 Nf6 2. Ng1 Ng8 3. c4) 1... d5 (1... Nf6 2. c4 e6 3. Nc3 d5 4. Bg5) 2. c4 e6 3. Nc3 Nf6 4. cxd5 *\n";
    let linked = link(text, "--unite");
    assert!(linked.contains("[%link cut]"), "{linked}");
    // The repetition is not a transposition.
    assert!(!linked.contains("the start"), "{linked}");
    assert_eq!(link(&linked, "--unite"), linked);
    assert_eq!(link(&link(&linked, "--unlink"), "--unite"), linked);
    let output = gametree_on(linked.as_bytes(), "diff - examples/repertoire.pgn --json");
    assert_eq!(output.code, Some(1));
}

const RESTORED: &str = "1. d4 d5 (1... e6 2. c4 d5 3. Nc3) 2. c4 e6 3. Nc3 *\n\n\
    1. Nf3 Nf6 2. Ng1 Ng8 3. e4 (3. d4 d5) 1-0\n\n1. c4 e6 2. d4 d5 *\n";

/// Linking and unlinking gives the normal form; main lines stay, and `diff` sees what moved.
#[test]
fn linking_is_undone() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("old.pgn"), RESTORED).unwrap();
    let run_in = |words: &str| gametree(&words.replace("DIR", dir.path().to_str().unwrap()));
    let output = run_in("link DIR/old.pgn -o DIR/linked.pgn");
    assert!(
        output.err.contains("3 references, 1 move less"),
        "{}",
        output.err
    );
    let linked = fs::read_to_string(path("linked.pgn")).unwrap();
    assert!(
        linked.contains("1. Nf3 Nf6 2. Ng1 Ng8 3. e4 ( 3. d4 d5"),
        "{linked}"
    );
    let output = run_in("diff DIR/old.pgn DIR/linked.pgn");
    assert!(
        output.out.contains("< game 1: 1.d4 e6 2.c4 d5 3.Nc3"),
        "{}",
        output.out
    );
    assert_eq!(output.code, Some(1));
    run_in("link DIR/linked.pgn --unlink -o DIR/new.pgn");
    let [old, new] = ["old", "new"].map(|name| run_in(&format!("convert DIR/{name}.pgn")).out);
    assert_eq!(old, new);
}

/// Rules after a file name select games of that file; a file without such games is named.
#[test]
fn merging_some_games_of_a_file() {
    let merge = |files: &str| gametree(&format!("merge {files} --dry-run --json"));
    let games = "testdata/graph/games.pgn";
    let all = merge(&format!("testdata/graph/book.pgn {games}"));
    let some = merge(&format!(
        "testdata/graph/book.pgn {games}:White=smith:Black=ben"
    ));
    let none = merge(&format!("testdata/graph/book.pgn {games}:White=nobody"));
    let count = |output: &Output| json_lines(output)[0]["files"][1]["games"].clone();
    assert_eq!(count(&some), 1, "{}", some.out);
    assert!(count(&all).as_u64() > Some(1));
    assert_eq!(count(&none), 0);
    let none = gametree(&format!(
        "merge testdata/graph/book.pgn {games}:White=nobody --dry-run"
    ));
    assert!(
        none.out.contains("no game from testdata/graph/games.pgn"),
        "{}",
        none.out
    );
    let wrong = gametree(&format!("merge {games}:=x --dry-run"));
    assert_eq!(wrong.code, Some(2), "{}", wrong.err);
}

#[test]
fn the_player_on_one_side() {
    let check = |options: &str| {
        let games = "check-book --book testdata/graph/book.pgn testdata/graph/games.pgn --json";
        let reports = json_lines(&gametree(&format!("{games} --player smith {options}")));
        let sides = reports
            .iter()
            .map(|report| report["side"].as_str().unwrap().to_owned());
        sides.collect::<Vec<_>>()
    };
    assert_eq!(check("").len(), 4);
    assert_eq!(check("--side white").len(), 4);
    assert!(check("--side black").is_empty());
}

#[test]
fn one_count_under_one_name() {
    let pgn = b"1. Nf3 Nf6 2. Ng1 Ng8 *";
    let stats: Value = serde_json::from_str(&gametree_on(pgn, "stats - --json").out).unwrap();
    let show: Value = serde_json::from_str(&gametree_on(pgn, "show - --json").out).unwrap();
    for (key, count) in [("transposed", 1), ("between_lines", 0), ("repeated", 1)] {
        assert_eq!(stats[key], count, "{key}");
        assert_eq!(show["counts"][key], count, "{key}");
    }
    let text = "1 reached by several paths: 0 between lines, 1 repeated";
    for command in ["show -", "paths -"] {
        let output = gametree_on(pgn, command);
        assert!(
            output.out.replace('\n', " ").contains(text),
            "{}",
            output.out
        );
    }
}

#[test]
fn all_positions_with_several_move_orders() {
    let output = gametree("paths examples/repertoire.pgn --json");
    let found = json_lines(&output);
    assert!(!found.is_empty());
    for position in &found {
        assert!(
            position["orders"].as_array().unwrap().len() > 1,
            "{position}"
        );
        // Each equals the answer for its position alone.
        let fen = position["fen"].as_str().unwrap();
        let one = run(program().args(["paths", "examples/repertoire.pgn", "--json", "--at", fen]));
        assert_eq!(json_lines(&one)[0]["times"], position["times"]);
    }
    let drawn = gametree("paths examples/repertoire.pgn").out;
    assert!(drawn.ends_with(" repeated\n"), "{drawn}");
}

#[test]
fn one_game_for_each_line_and_back() {
    let lines = gametree("merge testdata/graph/old.pgn --lines -q -o -").out;
    assert_eq!(lines.matches("[Event ").count(), 4, "{lines}");
    let again = gametree_on(lines.as_bytes(), "merge - -q -o -").out;
    let moves = |text: &str| text.rsplit("]\n\n").next().unwrap().to_owned();
    let once = gametree("merge testdata/graph/old.pgn -q -o -").out;
    assert_eq!(moves(&again), moves(&once));
}

/// The git setup of the guide.
#[test]
fn a_game_can_leave_the_book_at_the_start() {
    let output = gametree(
        "check-book --book examples/repertoire.pgn --side white examples/games.pgn --games 1",
    );
    assert_eq!(output.code, Some(1), "{}", output.err);
    let line = "1.e4 at the start; the book has d4";
    assert!(output.out.contains(line), "{}", output.out);
}

#[test]
fn git_shows_what_a_commit_did() {
    let folder = tempfile::tempdir().unwrap();
    let git = |args: &[&str]| {
        let mut command = Command::new("git");
        command.current_dir(folder.path()).args(args);
        command
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("HOME", folder.path());
        for who in ["AUTHOR", "COMMITTER"] {
            command
                .env(format!("GIT_{who}_NAME"), "A")
                .env(format!("GIT_{who}_EMAIL"), "a@b.c");
        }
        command.output()
    };
    // Without git there is nothing to see.
    if !git(&["init", "-q"]).is_ok_and(|made| made.status.success()) {
        return;
    }
    let file = folder.path().join("rep.pgn");
    fs::write(&file, "1. e4 e5 2. Nf3 *\n").unwrap();
    git(&["add", "rep.pgn"]).unwrap();
    git(&["commit", "-qm", "one"]).unwrap();
    fs::write(&file, "1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n").unwrap();
    let tool = format!("{} diff", env!("CARGO_BIN_EXE_gametree"));
    let shown = git(&["difftool", "-y", "-x", &tool]).unwrap();
    let text = String::from_utf8_lossy(&shown.stdout);
    assert!(
        text.contains("2 moves added"),
        "{text} {}",
        String::from_utf8_lossy(&shown.stderr)
    );
}

#[test]
fn a_merge_of_no_games_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.pgn");
    let merge = |arg: &str, more: &[&str]| {
        let mut program = program();
        program.args(["merge", arg, "-o"]).arg(&out).args(more);
        run(&mut program)
    };
    for output in [
        merge("examples/repertoire.pgn", &["--tag", "White=nobody"]),
        merge("examples/repertoire.pgn:White=nobody", &[]),
    ] {
        assert_eq!(output.code, Some(2), "{}", output.err);
        assert!(output.err.contains("no games to merge"), "{}", output.err);
        assert!(!out.exists());
    }
}

#[test]
fn chapters_that_were_joined_or_split_are_differences() {
    let folder = tempfile::tempdir().unwrap();
    let old = "examples/repertoire.pgn";
    let change = |name: &str, verb: &[&str]| {
        let file = folder.path().join(name);
        let output = run(program()
            .args(["edit", old])
            .args(verb)
            .arg("-o")
            .arg(&file));
        assert_eq!(output.code, Some(0), "{}", output.err);
        file
    };
    let joined = change("joined.pgn", &["chapter-join", "2"]);
    let split = change("split.pgn", &["--at", "d4 d5", "chapter-split"]);
    for (new, expected) in [
        (
            joined,
            ["- game 2 removed", "> game 1: 1.d4 Nf6 2.c4 g6 3.g3"],
        ),
        (split, ["+ game 2 added", "< game 1: 1.d4 d5 2.c4"]),
    ] {
        for by in ["position", "moves"] {
            let output = run(program().args(["diff", old]).arg(&new).args(["--by", by]));
            assert_eq!(output.code, Some(1), "{}", output.err);
            for line in expected {
                assert!(output.out.contains(line), "{by}: {}", output.out);
            }
        }
    }
}

#[test]
fn one_tree_of_all_chapters_is_not_drawn_by_chapter() {
    let output = gametree("draw examples/repertoire.pgn --chapters --positions -o x.svg");
    assert_eq!(output.code, Some(2));
    let expected = "--positions draws all chapters as one tree";
    assert!(output.err.contains(expected), "{}", output.err);
}
