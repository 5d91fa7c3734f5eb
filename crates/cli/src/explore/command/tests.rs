//! Commands and their results.

use super::*;
use desk::session::Session;

const PGN: &str = "[Event \"A\"]\n[White \"Anna\"]\n\n1. e4 {first} (1. d4 d5) e5 (1... c5) 2. Nf3 *\n\n[Event \"B\"]\n[White \"Ben\"]\n\n1. c4 *\n";

fn session() -> Session {
    Session::from_text("test", PGN.into()).expect("games")
}

/// Runs the lines. Returns the path, or the message of the last one.
fn after(lines: &[&str]) -> String {
    let mut session = session();
    let mut last = String::new();
    for line in lines {
        last = match run_line(&mut session, line) {
            Ok(Reply::Moved) => session.walk().path(),
            Ok(Reply::Done(message)) => message,
            Ok(other) => format!("{other:?}"),
            Err(refusal) => format!("error: {refusal}"),
        };
    }
    last
}

#[test]
fn steps() {
    assert_eq!(after(&["next", "n", "next"]), "1.e4 e5 2.Nf3");
    assert_eq!(after(&["end", "next"]), "error: the line ends here");
    assert_eq!(
        after(&["back"]),
        "error: no move here: this is the starting position"
    );
    assert_eq!(after(&["next", "other", "next"]), "1.d4 d5");
    assert_eq!(after(&["1Wa", "leave"]), "1.e4");
    assert_eq!(after(&["end", "branch-back", "other"]), "1.e4 c5");
    assert_eq!(after(&["e4 c5", "reset"]), "1.e4");
    for word in ["transposition", "twin", "t"] {
        assert_eq!(
            after(&[word]),
            "error: no other path leads to this position"
        );
    }
}

#[test]
fn places_and_moves() {
    assert_eq!(after(&["1Ba"]), "1.e4 c5");
    assert_eq!(after(&["go #4"]), "1.e4 c5");
    assert_eq!(after(&["e4", "e5"]), "1.e4 e5");
    assert_eq!(after(&["end", "Nc6"]), "added 2...Nc6");
    assert_eq!(after(&["end", "2...Nc6"]), "added 2...Nc6");
    assert_eq!(after(&["Nf3"]), "added 1.Nf3");
    assert_eq!(after(&["Nf3 Nf6"]), "added 2 moves after the start");
    assert_eq!(after(&["end", "Nc6 Bb5"]), "added 2 moves after 2.Nf3");
    assert_eq!(
        after(&["go Nf3 Nf6"]),
        "error: the tree has no Nf3 at the start; it has: e4, d4"
    );
    assert_eq!(
        after(&["Nf3 Nf3"]),
        "error: the tree has no Nf3 at the start; it has: e4, d4"
    );
    assert_eq!(
        after(&["2.Nc3"]),
        "error: the tree has no Nc3 after 1...e5; it has: Nf3"
    );
    assert_eq!(
        after(&["e5"]),
        "error: e5: illegal move at the start; it has: e4, d4"
    );
    assert_eq!(after(&["/FIRST"]), "1.e4");
    assert_eq!(
        after(&["find second"]),
        "error: \"second\" not found in this game"
    );
}

#[test]
fn games() {
    assert_eq!(after(&["game 2", "end"]), "1.c4");
    assert_eq!(
        after(&["next-game", "next-game"]),
        "error: this is the last game"
    );
    assert_eq!(after(&["previous-game"]), "error: this is the first game");
    assert_eq!(
        after(&["game 3"]),
        "error: no game 3; the file has games 1 to 2"
    );
    assert_eq!(after(&["games ben"]), r#"Games("ben")"#);
}

#[test]
fn changes() {
    assert_eq!(
        after(&["1Wa", "promote"]),
        "promoted 1.d4 to move 1 of 2 here"
    );
    assert_eq!(
        after(&["1Wa", "up", "undo"]),
        "undone: promoted 1.d4 to move 1 of 2 here"
    );
    assert_eq!(
        after(&["1Wa", "up", "undo", "redo"]),
        "redone: promoted 1.d4 to move 1 of 2 here"
    );
    assert_eq!(
        after(&["1Wa", "up", "quit"]),
        "error: unsaved changes: `save` them, or discard them with `quit!`"
    );
    assert_eq!(after(&["1Wa", "up", "quit!"]), "Quit");
    assert_eq!(after(&["save"]), "error: no file name; use `save NAME`");
    assert_eq!(after(&["stop"]), "Quit");
}

#[test]
fn wrong_lines() {
    for (line, message) in [
        ("", "empty command"),
        (
            "bord",
            "unknown command, move or address \"bord\"; did you mean \"board\"?",
        ),
        ("xyzzy", "unknown command, move or address \"xyzzy\""),
        ("board now", "board takes no argument, found \"now\""),
        ("find", "find requires an argument: find TEXT"),
        ("game last", "invalid game number \"last\""),
        ("promote it", "promote takes no argument, found \"it\""),
        (
            "go",
            "missing position; use 6Wc, 6.Bc4, moves such as `e4 c5 Nf3`, a position id or a FEN",
        ),
    ] {
        assert_eq!(after(&[line]), format!("error: {message}"));
    }
}

#[test]
fn saving_in_normal_form() {
    for (rest, form, file) in [
        ("", SaveForm::Edits, None),
        ("a b.pgn", SaveForm::Edits, Some("a b.pgn")),
        ("--normal", SaveForm::Normal, None),
        ("--normal a.pgn", SaveForm::Normal, Some("a.pgn")),
        ("--normality", SaveForm::Edits, Some("--normality")),
    ] {
        let options = save_as(rest, false);
        let file = file.map(PathBuf::from);
        assert_eq!((options.form, options.to), (form, file), "{rest}");
    }
}
