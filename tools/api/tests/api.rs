//! The public items of each library are those of `crates/NAME/api.txt`.
//!
//! `GAMETREE_BLESS=1 cargo test -p gametree-api` writes the lists anew: read the difference before
//! you commit it.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const LIBRARIES: [&str; 10] = [
    "tree", "chess", "cql", "store", "sums", "kit", "draw", "desk", "lab", "page",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// rustdoc's JSON is unstable; the stable compiler writes it in its nightly mode.
fn rustdoc_json(library: &str) -> PathBuf {
    let target = root().join("target/api");
    let status = Command::new(env!("CARGO"))
        .current_dir(root())
        .env("RUSTC_BOOTSTRAP", "1")
        .args(["rustdoc", "--quiet", "--lib", "--package"])
        .arg(format!("gametree-{library}"))
        .arg("--target-dir")
        .arg(&target)
        .args([
            "--",
            "-Zunstable-options",
            "--output-format=json",
            "--cap-lints=allow",
        ])
        .status()
        .expect("cargo starts");
    assert!(status.success(), "rustdoc for {library}");
    target.join(format!("doc/gametree_{library}.json"))
}

fn items(library: &str) -> String {
    let api = public_api::Builder::from_rustdoc_json(rustdoc_json(library))
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()
        .expect("rustdoc's JSON is readable");
    let mut list = String::new();
    for item in api.items() {
        writeln!(list, "{item}").expect("memory");
    }
    list
}

#[test]
fn public_items_are_those_listed() {
    let bless = std::env::var_os("GAMETREE_BLESS").is_some();
    let mut changed = Vec::new();
    for library in LIBRARIES {
        let path = root().join(format!("crates/{library}/api.txt"));
        let found = items(library);
        let listed = fs::read_to_string(&path).unwrap_or_default();
        if found == listed {
            continue;
        }
        if bless {
            fs::write(&path, &found).expect("the list is written");
        } else {
            changed.push(difference(library, &listed, &found));
        }
    }
    assert!(changed.is_empty(), "{}", changed.join("\n"));
}

fn difference(library: &str, listed: &str, found: &str) -> String {
    let missing = |from: &str, other: &str, sign: char| -> String {
        let known: std::collections::HashSet<&str> = other.lines().collect();
        let lines = from.lines().filter(|line| !known.contains(line));
        lines.map(|line| format!("{sign} {line}\n")).collect()
    };
    format!(
        "crates/{library}/api.txt differs (GAMETREE_BLESS=1 writes it):\n{}{}",
        missing(listed, found, '-'),
        missing(found, listed, '+')
    )
}
