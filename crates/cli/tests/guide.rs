//! Runs the examples of the guide and compares their output with its pages.
//!
//! In a `console` block `$ command` is given to a shell in a folder that holds copies of
//! `examples/` and `testdata/`; the lines after it are what it prints, `? 1` its exit status if
//! that is not 0. `...` matches any lines, `[..]` for anything within a line. With
//! `GAMETREE_BLESS` set, the pages are rewritten to show the actual output.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn pages_show_what_the_program_prints() {
    let wrong: Vec<String> = pages()
        .iter()
        .filter_map(|page| check(page).err())
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn pages() -> Vec<PathBuf> {
    let docs = fs::read_dir(root().join("docs")).expect("docs/ is there");
    let mut pages: Vec<PathBuf> = docs.map(|entry| entry.expect("readable").path()).collect();
    pages.retain(|page| page.extension().is_some_and(|e| e == "md"));
    pages.push(root().join("README.md"));
    pages.sort();
    pages
}

/// Runs a page's examples; reports differences, or rewrites the page.
fn check(page: &Path) -> Result<(), String> {
    let text = fs::read_to_string(page).map_err(|e| format!("{}: {e}", page.display()))?;
    let scratch = tempfile::tempdir().expect("a temporary folder");
    for folder in ["examples", "testdata"] {
        copy(&root().join(folder), &scratch.path().join(folder));
    }
    let run = |piece| match piece {
        Piece::Prose(line) => line,
        Piece::Example { command, shown } => {
            show(&command, &shown, &run_in(scratch.path(), &command))
        }
    };
    let now: String = pieces(&text).into_iter().map(run).collect();
    if now == text {
        return Ok(());
    }
    if std::env::var_os("GAMETREE_BLESS").is_some() {
        fs::write(page, now).expect("the page can be written");
        return Ok(());
    }
    Err(format!(
        "{}:\n{}",
        page.display(),
        first_difference(&text, &now)
    ))
}

/// A page is prose and examples by turns; line ends belong to the pieces.
enum Piece {
    Prose(String),
    Example { command: String, shown: String },
}

fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut in_block = false;
    for line in text.split_inclusive('\n') {
        let fence = line.starts_with("```");
        in_block = if fence {
            line.trim_end() == "```console"
        } else {
            in_block
        };
        match pieces.last_mut() {
            Some(Piece::Example { command, .. }) if !fence && command.ends_with("\\\n") => {
                command.push_str(line)
            }
            _ if in_block && line.starts_with("$ ") => {
                pieces.push(Piece::Example {
                    command: line.to_owned(),
                    shown: String::new(),
                });
            }
            Some(Piece::Example { shown, .. }) if in_block && !fence => shown.push_str(line),
            _ => pieces.push(Piece::Prose(line.to_owned())),
        }
    }
    pieces
}

/// The text of an example: unchanged if it fits the output, else the output.
fn show(command: &str, shown: &str, printed: &str) -> String {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let fitting = if fits(&lines(shown), &lines(printed)) {
        shown
    } else {
        printed
    };
    format!("{command}{fitting}")
}

fn fits(shown: &[String], printed: &[String]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((any, rest)) if any == "..." => (0..=printed.len()).any(|n| fits(rest, &printed[n..])),
        Some((line, rest)) => {
            printed
                .first()
                .is_some_and(|printed| fits_line(line, printed))
                && fits(rest, &printed[1..])
        }
    }
}

fn fits_line(shown: &str, printed: &str) -> bool {
    match shown.split_once("[..]") {
        None => shown == printed,
        Some((head, tail)) => printed.strip_prefix(head).is_some_and(|rest| {
            rest.char_indices()
                .map(|(at, _)| at)
                .chain([rest.len()])
                .any(|at| fits_line(tail, &rest[at..]))
        }),
    }
}

fn run_in(folder: &Path, command: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_gametree"));
    let path = format!(
        "{}:{}",
        program.parent().expect("a folder").display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let script = format!("{{ {}\n}} 2>&1", command.trim_start_matches("$ "));
    let output = Command::new("sh")
        .args(["-c", &script])
        .current_dir(folder)
        .env("PATH", path)
        .env("COLUMNS", "100")
        .env("GAMETREE_SUMS_DB", "")
        .stdin(std::process::Stdio::null())
        .output()
        .expect("a shell");
    let mut printed = String::from_utf8_lossy(&output.stdout).into_owned();
    if !printed.is_empty() && !printed.ends_with('\n') {
        printed.push('\n');
    }
    match output.status.code() {
        Some(0) => printed,
        code => format!(
            "{printed}? {}\n",
            code.map_or("killed".to_owned(), |c| c.to_string())
        ),
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("a copy");
        }
    }
}

fn first_difference(text: &str, now: &str) -> String {
    let (at, (shown, printed)) = text
        .lines()
        .chain([""])
        .zip(now.lines().chain([""]))
        .enumerate()
        .find(|(_, (a, b))| a != b)
        .unwrap_or((text.lines().count(), ("", "")));
    format!(
        "line {}\n  shown:   {shown}\n  printed: {printed}\n(GAMETREE_BLESS=1 writes what is printed)",
        at + 1
    )
}

#[test]
fn wildcards_stand_for_what_they_should() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    for (shown, printed, fit) in [
        ("", "", true),
        ("a\n...\nb", "a\nx\ny\nb", true),
        ("a\n...", "a", true),
        ("a [..] c", "a b c", true),
        ("a [..] c", "a b d", false),
        ("...\nb", "a", false),
        ("a", "a\nb", false),
    ] {
        assert_eq!(
            fits(&lines(shown), &lines(printed)),
            fit,
            "{shown:?} {printed:?}"
        );
    }
}
