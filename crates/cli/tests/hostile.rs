//! No command lets text from a file control the terminal.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::Stdio;

use common::program;
use portable_pty::{CommandBuilder, PtySize, native_pty_system};

/// Titles, clearing, hidden text, C1 controls, reversed and invisible text.
const HOSTILE: &str =
    "\x1b]0;PWNED\x07\x1b[2J\x1b[8m\u{9b}31m\u{85}\x7f\u{202e}\u{2066}\u{200b}\u{2028}\u{fdd1}";

/// A name with as much of it as a file name may have.
const NAME: &str = "x\x1b]0;PWNED\x07\x1b[2J\u{9b}31m\u{202e}\u{200b}.pgn";

/// Runs of each command on hostile files; `FILE`, `OTHER` and `QUERY` are their names, `SUM` is a
/// hostile text. A command that writes data to standard output is marked by [`Kind::Data`].
fn runs(command: &str) -> Vec<(Kind, &'static str)> {
    let text = |lines: &[&'static str]| lines.iter().map(|line| (Kind::Text, *line)).collect();
    match command {
        "check" => text(&[
            "FILE",
            "FILE OTHER",
            "--strict --color always FILE",
            "absent\x1b[2J",
        ]),
        "stats" => text(&["FILE", "--positions FILE"]),
        "report" => text(&["FILE", "--positions FILE OTHER"]),
        "convert" => vec![
            (Kind::Data, "FILE"),
            (Kind::Data, "--keep FILE"),
            (Kind::Data, "--to json FILE"),
            (Kind::Text, "FILE -o absent\x1b[2J/out.pgn"),
        ],
        "shards" => vec![
            (Kind::Data, "FILE"),
            (Kind::Data, "--size 100 --json FILE OTHER BASE"),
            (Kind::Text, "absent\x1b[2J"),
        ],
        "draw" => vec![
            (Kind::Data, "FILE -o -"),
            (Kind::Text, "FILE -o x\x1b[2J.gif"),
        ],
        "show" => vec![
            (Kind::Text, "FILE"),
            (Kind::Text, "FILE --at e4 --where check"),
            (Kind::Text, "FILE --at SUM"),
            (Kind::Text, "FILE --where SUM"),
            (Kind::Data, "FILE --json"),
        ],
        "paths" => text(&["FILE", "FILE --at e4"]),
        "merge" => vec![
            (Kind::Data, "FILE OTHER -o -"),
            (Kind::Text, "FILE OTHER --dry-run"),
        ],
        "link" => vec![(Kind::Data, "FILE -o -"), (Kind::Text, "FILE --dry-run")],
        "audit" => text(&["FILE", "FILE --side white"]),
        "diff" => text(&["FILE OTHER"]),
        "check-book" => text(&["--book FILE OTHER"]),
        "archive" => vec![
            (Kind::Text, "info BASE"),
            (Kind::Text, "create FILE FILE"),
            (Kind::Text, "dedupe BASE"),
            (Kind::Data, "export BASE"),
        ],
        "opening" => text(&["BASE", "FILE", "BASE --at SUM", "BASE --filter SUM"]),
        "games" => text(&["BASE", "FILE", "BASE --count White", "BASE --where SUM"]),
        "serve" => text(&["--no-open absent\x1b[2J"]),
        "query" => vec![
            (Kind::Data, "check FILE"),
            (Kind::Data, "--json initial FILE"),
            (Kind::Text, "--list initial FILE"),
            (Kind::Text, "--count message(player) FILE"),
            (Kind::Text, "SUM FILE"),
            (Kind::Text, "-f QUERY FILE"),
        ],
        "cql" => text(&[
            "-i FILE QUERY",
            "-i FILE -cql message(player) -silent",
            "-SUM",
        ]),
        "debug" => text(&["tokens SUM", "ast SUM"]),
        "solve" => text(&["SUM", "-f FILE", "--test FILE"]),
        "explore" => text(&["--line FILE", "FILE", "--positions FILE OTHER"]),
        "edit" => vec![(Kind::Data, "FILE comment SUM"), (Kind::Text, "FILE SUM")],
        "outcome" | "moves" | "bounds" | "value" | "thermograph" | "why" | "play" => text(&["SUM"]),
        "compare" => text(&["SUM 0"]),
        "sums" => text(&["db info FILE", "db info absent\x1b[2J"]),
        "completions" => text(&["SUM"]),
        "man" => text(&["FILE"]),
        "help" => text(&["SUM"]),
        other => panic!("`gametree {other}` has no run on hostile files: add one"),
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Text,
    /// Exact bytes into a pipe, printable on a terminal.
    Data,
}

/// The commands, as the help lists them.
fn commands() -> Vec<String> {
    let help = common::gametree("-h").out;
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let list = list.take_while(|line| !line.is_empty());
    let names = list.filter_map(|line| line.strip_prefix("  "));
    let names = names.filter(|line| !line.starts_with(' '));
    names
        .filter_map(|line| line.split(' ').next().map(str::to_owned))
        .collect()
}

/// A folder with hostile files, and the words that name them.
fn files(folder: &Path) -> BTreeMap<&'static str, String> {
    let game = |result: &str| {
        format!(
            "[Event \"{HOSTILE}\"]\n[White \"{HOSTILE}\"]\n[Annotator \"{HOSTILE}\"]\n\n\
             {{{HOSTILE}}} 1. e4 {{{HOSTILE}}} (1. d4 d5 {{{HOSTILE}}} 2. e4) e5 2. Ke{HOSTILE}3 \
             Qz\x1b[2J9 (1... d5 2. d4) {HOSTILE} {result}\n\n[{HOSTILE}\n\n1. f3 e5 2. g4 Qh4# {{\u{202e}}} 0-1\n"
        )
    };
    fs::write(folder.join(NAME), game("*")).unwrap();
    let other = format!("other-{NAME}");
    fs::write(
        folder.join(&other),
        game("1-0").replace("e4 {", "e4 {other "),
    )
    .unwrap();
    let query = format!("{NAME}.cql");
    fs::write(
        folder.join(&query),
        format!("cql(input {HOSTILE}) message(\"{HOSTILE}\") {HOSTILE}"),
    )
    .unwrap();
    let base = format!("base-{NAME}");
    let made = program()
        .current_dir(folder)
        .args(["-q", "archive", "create", &base, NAME, &other])
        .status();
    assert!(made.unwrap().success());
    [
        ("BASE", base),
        ("FILE", NAME.to_owned()),
        ("OTHER", other),
        ("QUERY", query),
        ("SUM", format!("x{}", HOSTILE.replace('\x7f', ""))),
    ]
    .into()
}

fn words(line: &str, files: &BTreeMap<&str, String>) -> Vec<String> {
    let word = |word: &str| {
        files.iter().fold(word.to_owned(), |word, (name, text)| {
            word.replace(name, text)
        })
    };
    line.split(' ').map(word).collect()
}

fn is_hostile(c: char) -> bool {
    let obeyed = c.is_control() && !matches!(c, '\n' | '\t');
    obeyed
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fdd0}'..='\u{fdef}')
}

/// The program's own colours are no concern here.
fn without_colours(text: &str) -> String {
    let mut text = text.to_owned();
    for code in ["0", "1", "2", "31", "32", "33", "36"] {
        text = text.replace(&format!("\x1b[{code}m"), "");
    }
    text
}

#[test]
fn no_command_prints_control_characters() {
    let folder = tempfile::tempdir().unwrap();
    let files = files(folder.path());
    let commands = commands();
    assert!(commands.len() > 20, "{commands:?}");
    for command in &commands {
        for (kind, line) in runs(command) {
            let mut child = program()
                .arg(command)
                .args(words(line, &files))
                .current_dir(folder.path())
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            let typed = format!(
                "e4\ninfo\ngames\ntags\npgn\nreport\nwhere {0}\n{0}\nquit!\n",
                files["SUM"]
            );
            child.stdin.take().unwrap().write_all(typed.as_bytes()).ok();
            let output = child.wait_with_output().unwrap();
            let (out, err) = (
                String::from_utf8_lossy(&output.stdout),
                String::from_utf8_lossy(&output.stderr),
            );
            assert!(!err.contains("panicked"), "{command} {line:?}: {err}");
            let text = if kind == Kind::Text {
                format!("{out}{err}")
            } else {
                err.into_owned()
            };
            let text = without_colours(&text);
            assert!(!text.contains(is_hostile), "{command} {line:?}:\n{text:?}");
            assert!(
                kind == Kind::Data || !text.is_empty(),
                "{command} {line:?} printed nothing"
            );
        }
    }
}

#[test]
fn data_is_printable_on_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let files = files(folder.path());
    for command in commands() {
        for (_, line) in runs(&command)
            .iter()
            .filter(|(kind, _)| *kind == Kind::Data)
        {
            let mut typed = CommandBuilder::new(env!("CARGO_BIN_EXE_gametree"));
            typed.arg(&command);
            typed.args(words(line, &files));
            typed.args(["--color", "never"]);
            typed.cwd(folder.path());
            let shown = on_a_terminal(typed).replace("\r\n", "\n");
            assert!(
                !shown.contains(is_hostile),
                "{command} {line:?}:\n{shown:?}"
            );
            assert!(!shown.is_empty(), "{command} {line:?}");
        }
    }
}

/// The output on a terminal.
fn on_a_terminal(command: CommandBuilder) -> String {
    let size = PtySize {
        rows: 40,
        cols: 100,
        pixel_width: 0,
        pixel_height: 0,
    };
    let pair = native_pty_system().openpty(size).unwrap();
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().unwrap();
    let mut bytes = Vec::new();
    // Reading from a closed terminal ends with an error.
    reader.read_to_end(&mut bytes).ok();
    child.wait().unwrap();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn data_into_a_pipe_is_exact() {
    let folder = tempfile::tempdir().unwrap();
    files(folder.path());
    let original = fs::read(folder.path().join(NAME)).unwrap();
    let output = program()
        .args(["convert", "--keep", NAME])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.stdout == original);
    let json = program()
        .args(["show", "--json", NAME])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json["file"], NAME);
}

/// The one place where bytes reach the terminal is `printer.rs`; `screen.rs` draws through a
/// buffer that it cleans.
#[test]
fn only_the_printer_writes_to_the_terminal() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            for (line, number) in text.lines().zip(1..) {
                let writes = [
                    "println!",
                    "print!(",
                    "eprint",
                    "stdout().lock",
                    "stderr().lock",
                    "stdout().write",
                    "stderr().write",
                    "gametree_kit::save::{Output",
                    "gametree_kit::save::save",
                ];
                assert!(
                    !writes.iter().any(|call| line.contains(call)),
                    "{}:{number}: {line}",
                    path.display()
                );
            }
        }
    }
}
