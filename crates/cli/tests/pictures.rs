//! The pictures of the README are those that the program draws.
//!
//! `GAMETREE_BLESS=1 cargo test -p gametree --test pictures` draws them anew: look at them before
//! you commit them.

mod common;

use std::fs;

use common::{program, root, run};

/// Each picture with the arguments that draw it.
const PICTURES: [(&str, &[&str]); 2] = [
    (
        "table.svg",
        &["show", "examples/repertoire.pgn", "--columns", "96"],
    ),
    (
        "tree.svg",
        &["draw", "examples/repertoire.pgn", "--budget", "60"],
    ),
];

#[test]
fn readme_pictures_are_current() {
    let folder = tempfile::tempdir().unwrap();
    for (name, args) in PICTURES {
        let drawn = folder.path().join(name);
        let output = run(program().args(args).arg("-o").arg(&drawn));
        assert_eq!(output.code, Some(0), "{}", output.err);
        let committed = root().join("docs/pictures").join(name);
        if std::env::var_os("GAMETREE_BLESS").is_some() {
            fs::copy(&drawn, &committed).unwrap();
        }
        let same = fs::read(&drawn).unwrap() == fs::read(&committed).unwrap();
        assert!(same, "docs/pictures/{name} is out of date");
    }
}
