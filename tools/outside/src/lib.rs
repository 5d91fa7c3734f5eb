//! Test data that is not part of the repository: large files in a folder `shared` beside it.
//!
//! A test requests such data here. If it is missing, the test passes without testing anything; that
//! is recorded, so that `./test` can report the number of skipped tests.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

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

/// Records the current test as skipped because something is missing: appends its name to the file
/// that `GAMETREE_SKIPPED` names.
pub fn record_skipped(needed: &str) {
    let thread = std::thread::current();
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
