//! Every example in every `--help` runs, on a copy of the example files.

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::root;
use gametree_page::HAS_PAGE;

/// Examples that may end with status 1: they found something, or no answer in the time given.
const FOUND: [&str; 7] = [
    "gametree archive dedupe",
    "gametree check --strict",
    "gametree audit",
    "gametree diff",
    "gametree check-book",
    "gametree compare",
    "gametree solve --time",
];

/// Other statuses than 0 that the help of the command announces.
fn is_documented(line: &str, status: i32) -> bool {
    let found = status == 1 && FOUND.iter().any(|start| line.starts_with(start));
    // No earlier session was interrupted.
    let nothing_to_resume = status == 2 && line.ends_with("explore repertoire.pgn --resume");
    // Ctrl-C ends a server; without npm the program is built without the page.
    let served = line.starts_with("gametree serve") && (status == 130 || !HAS_PAGE && status == 2);
    // Parquet is a feature of the program.
    let of_tables = line.contains("--parquet") || line.starts_with("gametree opening tables");
    let no_parquet = status == 2 && of_tables && !cfg!(feature = "parquet");
    found || nothing_to_resume || served || no_parquet
}

/// The same with a time limit of a second, and smaller tables.
fn in_a_hurry(line: &str) -> String {
    if line.starts_with("gametree serve") {
        let line = line.replace("--port 8080", "--port 0");
        return format!("timeout --preserve-status -s INT 1 {line} --no-open");
    }
    ["10m", "1m", "10", "3"]
        .iter()
        .fold(line.to_owned(), |line, time| {
            line.replace(&format!("--time {time} "), "--time 1 ")
        })
}

/// A command or a subcommand of the program, as typed.
fn help(words: &[String]) -> String {
    let mut command = common::program();
    let output = command.args(words).arg("--help").output().unwrap();
    assert!(output.status.success(), "{words:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The commands that a help text lists.
fn subcommands(help: &str) -> Vec<String> {
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let list = list.take_while(|line| !line.is_empty());
    let names = list.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names = names.filter(|name| !name.is_empty() && *name != "help");
    names.map(str::to_owned).collect()
}

/// The command lines below `Examples:`; what follows two blanks is an explanation.
fn examples(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| *line != "Examples:").skip(1);
    let lines = lines.take_while(|line| line.starts_with("  "));
    let lines = lines.filter(|line| line.contains("gametree") || line.contains('|'));
    let example = |line: &str| {
        let line = line.trim_start();
        line.split("  ").next().unwrap_or(line).to_owned()
    };
    lines
        .map(example)
        .filter(|line| line.contains("gametree"))
        .collect()
}

/// All commands with subcommands, from the program itself.
fn all_examples() -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![Vec::new()];
    while let Some(words) = open.pop() {
        let text = help(&words);
        found.extend(examples(&text));
        for name in subcommands(&text) {
            let mut deeper: Vec<String> = words.clone();
            deeper.push(name);
            open.push(deeper);
        }
    }
    found
}

/// Every file that an example reads.
fn prepare(folder: &Path) {
    let copy = |from: &str, to: &str| {
        let to = folder.join(to);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(root().join(from), to).unwrap();
    };
    for name in [
        "repertoire",
        "rep",
        "old",
        "new",
        "a",
        "b",
        "chapters",
        "white",
        "mine",
        "linked",
        "before",
    ] {
        copy("examples/repertoire.pgn", &format!("{name}.pgn"));
    }
    for name in [
        "games.pgn",
        "lichess.pgn.zst",
        "mygames.pgn",
        "g.pgn",
        "lichess.pgn",
        "archive/games.pgn",
        "games/games.pgn",
        "twic/twic.pgn",
        "collection.pgn",
        "masters.pgn",
    ] {
        copy("examples/games.pgn", name);
    }
    // The examples select games of this player.
    let carlsen = "[White \"Carlsen, Magnus\"]\n\n1. e4 e5 2. Nf3 *\n";
    fs::write(folder.join("twic/carlsen.pgn"), carlsen).unwrap();
    let packed = |format: &str| {
        let name = format!("games.pgn.{format}");
        let mut command = common::program();
        command
            .current_dir(folder)
            .args(["convert", "-q", "games.pgn", "-o", &name]);
        assert!(command.status().unwrap().success());
    };
    ["zst", "bz2", "gz"].into_iter().for_each(packed);
    fs::write(folder.join("smothered.cql"), "cql() mate and N attacks k").unwrap();
    fs::write(folder.join("q.cql"), "cql() check").unwrap();
    fs::write(
        folder.join("problems.test"),
        "[clobber_1xn] XOXOXO [nimber] 3 {B, W}\n",
    )
    .unwrap();
    fs::create_dir(folder.join("tests")).unwrap();
    fs::copy(
        folder.join("problems.test"),
        folder.join("tests/problems.test"),
    )
    .unwrap();
    for place in [
        ".local/share/bash-completion/completions",
        ".zfunc",
        ".config/fish/completions",
    ] {
        fs::create_dir_all(folder.join(place)).unwrap();
    }
    for name in ["base", "old-base"] {
        run(
            &format!("gametree archive create {name} games.pgn twic/"),
            folder,
        );
    }
    fs::create_dir_all(folder.join("tables/openings")).unwrap();
    run("gametree convert games.pgn --parquet tables", folder);
    run("gametree solve --test tests/ --csv before.csv", folder);
    run(
        "gametree sums db create strips.db --game clobber_1xn=5",
        folder,
    );
    run(
        "gametree sums db create boards.db --game domineering=2x2",
        folder,
    );
}

/// Runs a line in a shell, with tools that may be missing replaced by `cat`.
fn run(line: &str, folder: &Path) -> (Option<i32>, String) {
    let program = Path::new(env!("CARGO_BIN_EXE_gametree"));
    let path = format!(
        "{}:{}",
        program.parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    let script = format!(
        "set -o pipefail; jq() {{ cat > /dev/null; }}; man() {{ cat \"$1\" > /dev/null; }}; {line}"
    );
    let mut command = Command::new("bash");
    command
        .args(["-c", &script])
        .current_dir(folder)
        .env("PATH", path);
    command
        .env("HOME", folder)
        .env("XDG_DATA_HOME", folder.join("data"));
    command.env_remove("GAMETREE_SUMS_DB");
    let errors = folder.join("stderr");
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command.stderr(fs::File::create(&errors).unwrap());
    let mut child = command.spawn().unwrap();
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return (status.code(), fs::read_to_string(&errors).unwrap());
        }
        if started.elapsed() > Duration::from_secs(120) {
            child.kill().unwrap();
            return (None, "too slow".to_owned());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn every_example_runs() {
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    let examples = all_examples();
    assert!(examples.len() > 80, "{} examples", examples.len());
    let mut failed = Vec::new();
    for line in &examples {
        let (status, errors) = run(&in_a_hurry(line), folder.path());
        if status.is_none_or(|status| status != 0 && !is_documented(line, status)) {
            failed.push(format!("{line}\n  {status:?} {errors}"));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
