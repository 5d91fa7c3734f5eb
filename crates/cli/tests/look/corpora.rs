//! Every file of the corpora opens, shows, walks, edits, saves and draws, where there are any.
//! It takes minutes: `GAMETREE_LONG=1`.

use std::fs;
use std::path::{Path, PathBuf};

use super::common::{gametree_on, program, run};

/// The script for each file: steps of all kinds, every edit undone, then one that stays.
const SCRIPT: &[u8] = b"next\nnext\nbranch\nother\nother-back\nend\nleave\nboard\nhere\nstart\n\
    report\nfen\nflip\ntransposition\nreset\nend\nnag !?\nundo\ncomment \\n seen\nundo\nredo\n\
    promote\ndemote\nbring\nmerge-duplicates\nstart\ncomment looked through\n";

#[test]
fn every_file_goes_all_the_way() {
    let Some(corpora) = outside::is_long()
        .then(|| outside::find("corpora"))
        .flatten()
    else {
        return;
    };
    let mut wrong = Vec::new();
    for file in pgn_files(&corpora) {
        if let Err(what) = goes_all_the_way(&file) {
            wrong.push(format!("{}: {what}", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn pgn_files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.to_string_lossy();
        if path.is_dir() {
            found.extend(pgn_files(&path));
        } else if name.contains(".pgn") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn goes_all_the_way(file: &Path) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let name = file.file_name().unwrap_or_default();
    let copy = folder.path().join(name);
    fs::copy(file, &copy).map_err(|error| error.to_string())?;
    let output = run(program().args(["stats", "--json"]).arg(&copy));
    if output.out.contains("\"games\":0,") {
        return empty_files_are_reported(&copy);
    }
    // 1. Shown at every width, drawn in every form.
    for columns in ["60", "80", "200"] {
        let output = run(program().args(["show", "--columns", columns]).arg(&copy));
        ended(
            "show",
            output.code == Some(0) && !output.out.is_empty(),
            &output.err,
        )?;
    }
    for form in ["svg", "html", "dot", "pdf", "png"] {
        let picture = folder.path().join(format!("tree.{form}"));
        let output = run(program().arg("draw").arg(&copy).arg("-o").arg(&picture));
        let drawn = fs::metadata(&picture).is_ok_and(|found| found.len() > 100);
        ended(form, output.code == Some(0) && drawn, &output.err)?;
    }
    // 2. Walked through and edited; a file that could not be read through is saved all the same.
    let saved = folder.path().join("saved.pgn");
    let script = [
        SCRIPT,
        format!("save {}\nquit!\n", saved.display()).as_bytes(),
    ]
    .concat();
    let output = gametree_on(&script, &format!("explore {}", copy.display()));
    let walked = output.out.contains("saved ") && matches!(output.code, Some(0 | 1));
    ended("explore", walked, &output.err)?;
    // 3. The saved file has all the games and the new comment.
    let count = |path: &Path| run(program().args(["stats", "--json"]).arg(path)).out;
    let games = |json: &str| -> Option<u64> {
        serde_json::from_str::<serde_json::Value>(json).ok()?["games"].as_u64()
    };
    let (before, after) = (games(&count(&copy)), games(&count(&saved)));
    ended(
        "games",
        before.is_some() && before == after,
        &format!("{before:?} became {after:?}"),
    )?;
    let text = fs::read(&saved).map_err(|error| error.to_string())?;
    let has_comment = text.windows(14).any(|part| part == b"looked through");
    ended("save", has_comment, "the comment is not there")
}

fn empty_files_are_reported(file: &Path) -> Result<(), String> {
    let output = run(program().arg("show").arg(file));
    ended(
        "show",
        output.code == Some(2) && output.err.contains("no game"),
        &output.err,
    )
}

fn ended(step: &str, passed: bool, message: &str) -> Result<(), String> {
    if passed {
        Ok(())
    } else {
        Err(format!("{step}: {message}"))
    }
}
