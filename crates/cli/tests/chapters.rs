//! Opening and beginning files, chapters and pasted PGN, as people and scripts use them.

mod common;

use std::fs;
use std::path::Path;

use common::{Output, program, run, run_with};

const BOOK: &str = "[White \"Open\"]\n\n1.e4 e5   {odd layout} *\n\n[White \"Closed\"]\n\n1. d4 d5 (1... Nf6 2. c4) 2. c4 *\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("book.pgn"), BOOK).unwrap();
    folder
}

fn in_folder(folder: &Path, args: &[&str]) -> Output {
    run(program().current_dir(folder).args(args))
}

/// The messages after the commands of a script.
fn explore(folder: &Path, args: &[&str], script: &str) -> Output {
    let mut command = program();
    command.current_dir(folder).arg("explore").args(args);
    run_with(&mut command, script.as_bytes())
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn a_file_without_a_command_is_shown() {
    let folder = folder();
    let shown = in_folder(folder.path(), &["show", "book.pgn", "--at", "e4"]);
    assert_eq!(shown.code, Some(0), "{}", shown.err);
    assert!(shown.out.contains("game 1 of 2 · Open"), "{}", shown.out);
    let opened = in_folder(folder.path(), &["book.pgn", "--at", "e4"]);
    assert_eq!((opened.code, &opened.out), (Some(0), &shown.out));
    // Any existing file, whatever its name; options may come first.
    fs::copy(
        folder.path().join("book.pgn"),
        folder.path().join("games.txt"),
    )
    .unwrap();
    let opened = in_folder(folder.path(), &["--color", "never", "games.txt"]);
    assert_eq!(opened.code, Some(0), "{}", opened.err);
    let missing = in_folder(folder.path(), &["none.pgn"]);
    assert_eq!(missing.code, Some(2));
    assert!(
        missing.err.contains("none.pgn: no such file"),
        "{}",
        missing.err
    );
    let misspelt = in_folder(folder.path(), &["shwo"]);
    assert_eq!(misspelt.code, Some(2));
    assert!(misspelt.err.contains("'show'"), "{}", misspelt.err);
}

#[test]
fn a_new_file_is_begun_and_saved() {
    let folder = folder();
    let output = explore(folder.path(), &["new.pgn"], "e4 e5\n");
    assert!(output.err.contains("new.pgn: new file"), "{}", output.err);
    assert!(!folder.path().join("new.pgn").exists());
    let output = explore(folder.path(), &["new.pgn", "--resume"], "save\n");
    assert_eq!(output.code, Some(0), "{}", output.err);
    let text = read(folder.path(), "new.pgn");
    assert!(text.ends_with("[Result \"*\"]\n\n1. e4 e5 *\n"), "{text}");
    // Nothing is left behind without changes.
    explore(folder.path(), &["other.pgn"], "quit\n");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    for (name, why) in [
        ("none/new.pgn", "none: no such folder"),
        ("new.txt", "no such file"),
    ] {
        let output = explore(folder.path(), &[name], "save\n");
        assert_eq!(output.code, Some(2));
        assert!(output.err.contains(why), "{}", output.err);
    }
}

#[test]
fn chapters_are_edited_by_verbs() {
    let folder = folder();
    let edit = |args: &[&str]| {
        let output = in_folder(folder.path(), &[&["edit", "book.pgn"], args].concat());
        assert_eq!(output.code, Some(0), "{}", output.err);
        output.out
    };
    let (first, second) = BOOK.split_once("\n\n[White \"Closed\"]").unwrap();
    let swapped = edit(&["--game", "2", "chapter-move", "1"]);
    assert_eq!(
        swapped,
        format!("[White \"Closed\"]{}\n\n{first}\n", second.trim_end())
    );
    assert_eq!(
        edit(&["--game", "2", "chapter-delete"]),
        format!("{first}\n")
    );
    let split = edit(&["--game", "2", "--at", "d4 Nf6", "chapter-split", "Indian"]);
    assert!(split.starts_with(first), "{split}");
    assert!(split.contains("[White \"Indian\"]"), "{split}");
    assert!(split.ends_with("\n\n1. d4 Nf6 2. c4 *\n"), "{split}");
    let joined = edit(&["chapter-join", "2"]);
    let joined = joined.replace("( ", "(").replace(" )", ")");
    assert_eq!(joined.matches("[White").count(), 1, "{joined}");
    assert!(
        joined.contains("1.e4 (1.d4 d5 (1...Nf6 2.c4) 2.c4) 1...e5   {odd layout} *"),
        "{joined}"
    );
    edit(&["chapter-add", "Flank openings", "--in-place"]);
    let text = read(folder.path(), "book.pgn");
    assert!(text.starts_with(BOOK.trim_end()), "{text}");
    assert!(text.contains("[White \"Flank openings\"]"), "{text}");
}

#[test]
fn chapters_are_edited_in_the_explorer() {
    let folder = folder();
    let script = "game 2\nd4\nchapter-split After d4\ngame 2\nchapter-join 3\nundo\nundo\nredo\nchapter-move 1\nsave\n";
    let output = explore(folder.path(), &["book.pgn"], script);
    assert_eq!(output.code, Some(0), "{}", output.err);
    for message in [
        "split off chapter 3, \"After d4\"",
        "joined chapter 3, \"After d4\": added 4 moves",
        "undone: split off",
        "redone: split off",
        "moved chapter 3 to place 1",
    ] {
        assert!(output.out.contains(message), "{message}: {}", output.out);
    }
    let text = read(folder.path(), "book.pgn");
    assert!(text.contains("1.e4 e5   {odd layout} *\n"), "{text}");
    let names: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("[White"))
        .collect();
    assert_eq!(
        names,
        [
            "[White \"After d4\"]",
            "[White \"Open\"]",
            "[White \"Closed\"]"
        ]
    );
}

#[test]
fn pgn_is_pasted() {
    let folder = folder();
    fs::write(folder.path().join("more.pgn"), "1. e4 c5 *").unwrap();
    let script =
        "end\npaste more.pgn\npaste none.pgn\npaste -\n[White \"X\"]\n\n1. c4 *\n\n1. b3 e9 *\n";
    let output = explore(folder.path(), &["book.pgn"], script);
    assert_eq!(output.code, Some(1), "{}", output.err);
    assert!(
        output.err.contains("none.pgn: no such file"),
        "{}",
        output.err
    );
    for message in [
        "merged 1 new move after the start",
        "added chapters 3 to 4; kept as text: \"e9\" (invalid move)",
    ] {
        assert!(output.out.contains(message), "{message}: {}", output.out);
    }
    let output = explore(folder.path(), &["book.pgn", "--resume"], "save\n");
    assert_eq!(output.code, Some(0), "{}", output.err);
    let text = read(folder.path(), "book.pgn");
    assert!(text.contains("1. b3 e9 *"), "{text}");
}
