//! Invalid texts are refused with the position of the error and the expected text.
//!
//! `testdata/sums/refused.txt` contains pairs of lines: a text, then carets under the fault with
//! the message. `GAMETREE_BLESS=1` rewrites the messages.

use std::{env, fs, path::PathBuf};

use gametree_sums::input::{Fault, is_file_language, read_file, read_short};

fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/sums/refused.txt")
}

/// The first fault of a text in either language.
fn fault(text: &str) -> Option<Fault> {
    if is_file_language(text) {
        read_file(text).faults.into_iter().next()
    } else {
        read_short(text).err()
    }
}

fn rendered(text: &str) -> String {
    let Some(fault) = fault(text) else {
        return "read".into();
    };
    let (_, column) = fault.place(text);
    // The list of games changes when games are added.
    let message = fault.message.split("; the games are").next().unwrap_or("");
    let marked = text.get(fault.span.clone()).unwrap_or("").chars().count();
    format!(
        "{}{} {}",
        " ".repeat(column - 1),
        "^".repeat(marked.max(1)),
        message
    )
}

#[test]
fn faults_have_position_and_expected_text() {
    let pairs = fs::read_to_string(file()).expect("testdata/sums/refused.txt");
    let texts: Vec<&str> = pairs.lines().step_by(2).collect();
    let now: String = texts
        .iter()
        .map(|text| format!("{text}\n{}\n", rendered(text)))
        .collect();
    if env::var_os("GAMETREE_BLESS").is_some() {
        fs::write(file(), &now).expect("testdata/ can be written");
        return;
    }
    assert_eq!(now, pairs);
    assert!(!now.lines().any(|line| line == "read"), "{now}");
}
