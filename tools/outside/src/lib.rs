//! Test data that is not part of the repository: large files in a folder `shared` beside it.
//!
//! A test requests such data here. If it is missing, the test passes without testing anything; that
//! is recorded, so that `./test` can report the number of skipped tests.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

/// A file or folder below `../shared`. If it is missing, the test is recorded as skipped.
///
/// `GAMETREE_SHARED` names another folder.
pub fn find(path: &str) -> Option<PathBuf> {
    let found = shared().join(path);
    if found.exists() {
        return Some(found);
    }
    record_skipped(path);
    None
}

/// True if `GAMETREE_LONG` enables tests that take minutes. If not, the test is recorded as
/// skipped.
pub fn is_long() -> bool {
    let is_long = std::env::var_os("GAMETREE_LONG").is_some();
    if !is_long {
        record_skipped("GAMETREE_LONG=1");
    }
    is_long
}

fn shared() -> PathBuf {
    match std::env::var_os("GAMETREE_SHARED") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    }
}

/// The Python with the package `chess`: the one that `./test` installs in `target/oracle`, or
/// `python3`. If there is none, the test is recorded as skipped.
pub fn python_chess() -> Option<PathBuf> {
    let installed = root().join("target/oracle/bin/python");
    let python = if installed.exists() {
        installed
    } else {
        PathBuf::from("python3")
    };
    let probe = Command::new(&python)
        .args(["-c", "import chess.pgn"])
        .stderr(Stdio::null())
        .status();
    if probe.is_ok_and(|status| status.success()) {
        return Some(python);
    }
    record_skipped("python-chess");
    None
}

/// The answer of `oracle/formats.py` to lines of text; `None` without python-chess.
pub fn ask_python_chess(args: &[&str], input: &str) -> Option<String> {
    let mut child = Command::new(python_chess()?)
        .arg(root().join("oracle/formats.py"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let (mut stdin, input) = (child.stdin.take()?, input.to_owned());
    let writer = thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().ok()?;
    writer.join().ok()?.ok()?;
    assert!(output.status.success(), "oracle/formats.py {args:?} failed");
    String::from_utf8(output.stdout).ok()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Records the current test as skipped because something is missing: appends its name to the file
/// that `GAMETREE_SKIPPED` names.
pub fn record_skipped(needed: &str) {
    let thread = thread::current();
    let test = thread.name().unwrap_or("a test").to_owned();
    eprintln!("skipped: {test} needs {needed}");
    let Some(log) = std::env::var_os("GAMETREE_SKIPPED") else {
        return;
    };
    let file = OpenOptions::new().create(true).append(true).open(log);
    if let Ok(mut file) = file {
        // One write per line: tests run on several threads and in several processes.
        file.write_all(format!("{test}\n").as_bytes()).ok();
    }
}
