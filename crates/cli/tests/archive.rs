//! Archives from the command line: made, asked, changed, killed.

mod common;

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use common::{program, root, run};

fn in_folder(folder: &Path, args: &[&str]) -> common::Output {
    run(program().current_dir(folder).args(args))
}

fn made() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let games = root().join("examples/games.pgn");
    let output = in_folder(
        folder.path(),
        &["archive", "create", "base", &games.to_string_lossy()],
    );
    assert_eq!(output.code, Some(0), "{}", output.err);
    folder
}

#[test]
fn commands_take_an_archive_in_place_of_a_file() {
    let folder = made();
    let games = root().join("examples/games.pgn");
    let file = games.to_string_lossy().into_owned();
    for command in [
        vec!["stats", "FILE"],
        vec!["convert", "FILE", "--to", "fen"],
        vec!["query", "check", "--list", "FILE"],
        vec!["check", "FILE"],
        vec!["paths", "FILE", "--at", "e4 e5"],
        vec!["merge", "FILE", "-o", "-"],
        vec!["show", "FILE", "--game", "2", "--columns", "200"],
        vec!["draw", "FILE", "--game", "3", "--format", "svg", "-o", "-"],
        vec!["report", "FILE"],
    ] {
        let on = |name: &str| {
            let args: Vec<&str> = command
                .iter()
                .map(|&word| if word == "FILE" { name } else { word })
                .collect();
            let output = in_folder(folder.path(), &args);
            assert_eq!(output.code, Some(0), "{args:?}: {}", output.err);
            output
                .out
                .replace(name, "FILE")
                .replace("games.pgn", "FILE")
        };
        assert_eq!(on("base"), on(&file), "{command:?}");
    }
}

#[test]
fn games_are_counted_as_text_and_as_json() {
    let folder = made();
    let total = |more: &[&str]| {
        let args = [&["games", "base", "--at", "e4 e5", "--total"][..], more].concat();
        in_folder(folder.path(), &args).out
    };
    let listed = in_folder(folder.path(), &["games", "base", "--at", "e4 e5", "--json"]);
    let count = listed.out.lines().count();
    assert!(count > 1 && count < 15, "{count}");
    assert_eq!(total(&[]), format!("{count} games\n"));
    assert_eq!(total(&["--json"]), format!("{{\"games\":{count}}}\n"));
}

#[test]
fn errors_name_the_place_and_the_fix() {
    let folder = made();
    let failing = |args: &[&str], message: &str| {
        let output = in_folder(folder.path(), args);
        assert_ne!(output.code, Some(0), "{args:?}");
        assert!(output.err.contains(message), "{args:?}: {}", output.err);
    };
    failing(&["opening", "missing"], "missing: not an archive");
    failing(&["archive", "create", "base", "x.pgn"], "no such file");
    failing(&["opening", "base", "--at", "e5"], "e5");
    failing(
        &["opening", "base", "--filter", "Elo>=x"],
        "expected a number",
    );
    failing(
        &["archive", "remove", "base", "--where", ""],
        "every game would be removed",
    );
    failing(
        &["games", "base", "--sort", "Date:sideways"],
        "cannot sort by",
    );
}

#[test]
fn numbers_as_json() {
    let folder = made();
    let output = in_folder(folder.path(), &["opening", "base", "--json"]);
    let table: serde_json::Value = serde_json::from_str(&output.out).expect("JSON");
    let moves = table["moves"].as_array().expect("moves");
    let sum: u64 = moves.iter().filter_map(|m| m["games"].as_u64()).sum();
    assert!(sum <= table["games"].as_u64().expect("a number"));
    for key in ["san", "uci", "games", "white", "draws", "black", "reached"] {
        assert!(!moves[0][key].is_null(), "{key}");
    }
    let output = in_folder(folder.path(), &["archive", "info", "base", "--json"]);
    let info: serde_json::Value = serde_json::from_str(&output.out).expect("JSON");
    assert_eq!(info["games"], 15);
}

/// Killed at any time, `add` and `compact` leave an archive without damage and with all its games.
/// `GAMETREE_KILLS` sets the number of rounds.
#[test]
fn killed_writers_lose_nothing() {
    let rounds = std::env::var("GAMETREE_KILLS").ok();
    let rounds: u64 = rounds.and_then(|rounds| rounds.parse().ok()).unwrap_or(10);
    let folder = made();
    let games: PathBuf = root().join("examples/games.pgn");
    let mut count = 15;
    for round in 0..rounds {
        let args: Vec<String> = match round % 3 {
            0 => vec!["archive".into(), "compact".into(), "base".into()],
            _ => vec![
                "archive".into(),
                "add".into(),
                "base".into(),
                games.to_string_lossy().into(),
            ],
        };
        let mut child = program()
            .current_dir(folder.path())
            .args(&args)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("started");
        std::thread::sleep(Duration::from_micros(round * 7919 % 25_000));
        child.kill().ok();
        child.wait().expect("ended");
        let check = in_folder(folder.path(), &["archive", "check", "base"]);
        assert_eq!(check.code, Some(0), "round {round}: {}", check.err);
        let info = in_folder(folder.path(), &["archive", "info", "base", "--json"]);
        let info: serde_json::Value = serde_json::from_str(&info.out).expect("JSON");
        let now = info["games"].as_u64().expect("a number");
        assert!(
            now == count || now == count + 15,
            "round {round}: {count}, now {now}"
        );
        count = now;
    }
}
