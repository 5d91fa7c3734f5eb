//! Files after failed and interrupted writes, and writes by several processes.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const GAMES: &str =
    "[Event \"A\"]\n\n1. e4 (1. d4) e5 *\n\n[Event \"B\"]\n\n1.c4   {odd layout}  *\n";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().expect("a folder"));
        fs::write(folder.games(), GAMES).expect("written");
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn games(&self) -> PathBuf {
        self.path("games.pgn")
    }

    fn text(&self) -> String {
        fs::read_to_string(self.games()).expect("a file")
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("a folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into()).collect();
        names.sort();
        names
    }

    /// A command of the program, run in the folder.
    fn run(&self, args: &[&str]) -> Output {
        self.program(args).output().expect("the program")
    }

    fn program(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gametree"));
        command.current_dir(self.0.path()).args(args);
        command
    }

    /// Runs a script of shell commands, with the program as `$GAMETREE`.
    fn shell(&self, script: &str) -> Output {
        let mut command = Command::new("sh");
        command.current_dir(self.0.path()).args(["-c", script]);
        command.env("GAMETREE", env!("CARGO_BIN_EXE_gametree"));
        command.env("TMPDIR", self.0.path());
        command.output().expect("a shell")
    }

    /// A file of about 40 MB, which takes a moment to convert.
    fn large(&self) -> PathBuf {
        let path = self.path("large.pgn");
        fs::write(&path, GAMES.repeat(500_000)).expect("written");
        path
    }
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn refused_commands_of_the_explorer_leave_nothing_behind() {
    let folder = Folder::new();
    for line in [
        "add e4", "promote", "nag !", "paste", "cut", "undo", "redo", "save",
    ] {
        let script = format!("printf '{line}\\nfen\\n' | $GAMETREE explore games.pgn 2>&1");
        let output = folder.shell(&script);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.contains("error: "), "{line}: {text}");
        assert!(text.contains("RNBQKBNR w KQkq - 0 1"), "{line}: {text}");
        assert_eq!(folder.names(), ["games.pgn"], "{line}");
        assert_eq!(folder.text(), GAMES, "{line}");
    }
}

#[test]
fn a_failed_edit_leaves_nothing_behind() {
    let folder = Folder::new();
    let output = folder.shell("$GAMETREE edit games.pgn --at e4 nag '!' > /dev/full");
    assert_eq!(output.status.code(), Some(2), "{}", errors(&output));
    assert_eq!(folder.names(), ["games.pgn"]);
    for args in [
        &["edit", "games.pgn", "--at", "e4", "promote", "-i"][..],
        &["edit", "games.pgn", "add", "e4", "-i"],
        &[
            "edit",
            "games.pgn",
            "--at",
            "e4",
            "nag",
            "!",
            "-o",
            "none/x.pgn",
        ],
    ] {
        assert_eq!(folder.run(args).status.code(), Some(2), "{args:?}");
        assert_eq!(folder.names(), ["games.pgn"]);
        assert_eq!(folder.text(), GAMES);
    }
    let output = folder.run(&["edit", "games.pgn", "--at", "e4", "nag", "!", "-i"]);
    assert!(output.status.success(), "{}", errors(&output));
    assert!(folder.text().contains("1. e4 $1"));
    assert_eq!(folder.names(), ["games.pgn"]);
}

#[test]
fn edits_at_the_same_time_lose_no_change() {
    let folder = Folder::new();
    let start = |number: usize| {
        let (name, output) = (format!("T{number}"), "games.pgn");
        // `-o` with the same name is an edit in place.
        let place: &[&str] = if number.is_multiple_of(2) {
            &["-i"]
        } else {
            &["-o", output]
        };
        let args = [&["edit", "games.pgn", "tag", &name, "x"], place].concat();
        let mut command = folder.program(&args);
        command.stderr(Stdio::piped()).spawn().expect("the program")
    };
    let children: Vec<Child> = (0..12).map(start).collect();
    let outputs = children
        .into_iter()
        .map(|child| child.wait_with_output().expect("ends"));
    let outputs: Vec<Output> = outputs.collect();
    let text = folder.text();
    for (number, output) in outputs.iter().enumerate() {
        let tag = format!("[T{number} \"x\"]");
        assert_eq!(
            output.status.success(),
            text.contains(&tag),
            "{number}: {}",
            errors(output)
        );
        let refused = ["is editing this file", "was changed by another program"];
        let errors = errors(output);
        assert!(
            output.status.success() || refused.iter().any(|why| errors.contains(why)),
            "{errors}"
        );
    }
    assert!(text.contains("[T"), "at least one succeeds");
    assert_eq!(folder.names(), ["games.pgn"]);
}

#[test]
fn a_journal_that_cannot_be_written_is_reported() {
    let folder = Folder::new();
    // A limit on the size of files simulates a full disk. The header takes one line.
    let script = "trap '' XFSZ; ulimit -f 1; for n in 1 2 3 4 5 6 7 8 9; do \
                  echo \"tag T$n xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"; \
                  done | $GAMETREE explore games.pgn";
    let output = folder.shell(script);
    let errors = errors(&output);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(
        errors.contains("this change is not in the journal"),
        "{errors}"
    );
    assert!(errors.contains("`save NAME`"), "{errors}");
    assert!(
        errors.contains("the journal could not be written"),
        "{errors}"
    );
    assert!(!errors.contains("kept beside the file"), "{errors}");
    // What was reported as recorded can be resumed.
    let accepted = String::from_utf8_lossy(&output.stdout)
        .matches("set T")
        .count();
    let warned = errors.matches("this change is not in the journal").count();
    assert_eq!(accepted, 9);
    assert!((1..9).contains(&warned), "{warned}");
    let output = folder.shell("printf 'resume\\ntags\\n' | $GAMETREE explore games.pgn");
    let text = String::from_utf8_lossy(&output.stdout);
    let resumed = format!("resumed {} changes", 9 - warned);
    assert!(text.contains(&resumed), "{resumed}: {text}");
}

#[test]
fn a_rescued_copy_has_all_changes() {
    let folder = Folder::new();
    // A folder in place of the journal: it cannot be written.
    fs::create_dir(folder.path(".games.pgn.gametree-journal")).expect("a folder");
    let output = folder.shell("printf 'e4\\nnag !\\n' | $GAMETREE explore games.pgn");
    assert_eq!(output.status.code(), Some(2));
    let errors = errors(&output);
    let names = folder.names();
    let copy = names.iter().find(|name| name.starts_with("gametree-"));
    let copy = copy.unwrap_or_else(|| panic!("no copy: {names:?} {errors}"));
    assert!(errors.contains(copy.as_str()), "{errors}");
    let text = fs::read_to_string(folder.path(copy)).expect("a file");
    assert!(text.contains("1. e4 $1"), "{text}");
    assert_eq!(folder.text(), GAMES);
}

#[test]
fn read_only_files_are_overwritten_only_by_force() {
    let folder = Folder::new();
    fs::write(folder.path("out.pgn"), "mine").expect("written");
    fs::write(folder.path("out.svg"), "mine").expect("written");
    let read_only = |name: &str, mode: u32| {
        fs::set_permissions(folder.path(name), PermissionsExt::from_mode(mode)).expect("set");
    };
    for args in [
        &["convert", "games.pgn", "-o", "out.pgn"][..],
        &["merge", "games.pgn", "-o", "out.pgn"],
        &["link", "games.pgn", "-o", "out.pgn"],
        &["query", "mate", "games.pgn", "-o", "out.pgn"],
        &["edit", "games.pgn", "tag", "A", "b", "-o", "out.pgn"],
        &["draw", "games.pgn", "-o", "out.svg"],
    ] {
        let name = args.last().expect("a name");
        fs::write(folder.path(name), "mine").expect("written");
        read_only(name, 0o444);
        let output = folder.run(args);
        let errors = errors(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?} {errors}");
        assert!(
            errors.contains("the file is read-only") && errors.contains("--force"),
            "{errors}"
        );
        assert_eq!(
            fs::read_to_string(folder.path(name)).expect("a file"),
            "mine"
        );
        let output = folder.run(&[args, &["--force"]].concat());
        assert!(
            output.status.success(),
            "{args:?} {}",
            self::errors(&output)
        );
        assert_ne!(
            fs::read_to_string(folder.path(name)).expect("a file"),
            "mine"
        );
        read_only(name, 0o644);
    }
    read_only("games.pgn", 0o444);
    let output = folder.run(&["edit", "games.pgn", "tag", "A", "b", "-i"]);
    assert_eq!(output.status.code(), Some(2));
    let output = folder.shell("printf 'tag A b\\nsave\\nsave!\\n' | $GAMETREE explore games.pgn");
    let errors = errors(&output);
    assert!(
        errors.contains("the file is read-only; `save!` overwrites it"),
        "{errors}"
    );
    assert!(folder.text().contains("[A \"b\"]"));
}

/// Waits until the program writes a temporary file.
fn wait_for_temporary(folder: &Folder) {
    let start = Instant::now();
    let is_temporary = |name: &String| name.ends_with(".tmp");
    while !folder.names().iter().any(is_temporary) {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "no temporary file"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-s", name, &id]).status();
    assert!(sent.expect("kill").success());
}

#[test]
fn interrupted_commands_write_nothing() {
    let folder = Folder::new();
    folder.large();
    for args in [
        &["convert", "large.pgn", "-o", "out.pgn"][..],
        &["query", "cql() true", "large.pgn", "-o", "out.pgn"],
        &["merge", "large.pgn", "-o", "out.pgn"],
        &["link", "large.pgn", "-o", "out.pgn"],
    ] {
        let mut command = folder.program(args);
        let mut child = command.stderr(Stdio::null()).spawn().expect("the program");
        if ["convert", "query"].contains(&args[0]) {
            wait_for_temporary(&folder);
        } else {
            std::thread::sleep(Duration::from_millis(150));
        }
        signal(&child, "INT");
        let status = child.wait().expect("ends");
        assert_eq!(status.code(), Some(130), "{args:?}");
        assert_eq!(folder.names(), ["games.pgn", "large.pgn"], "{args:?}");
    }
}

#[test]
fn temporary_files_of_killed_runs_are_removed() {
    let folder = Folder::new();
    folder.large();
    let mut command = folder.program(&["convert", "large.pgn", "-o", "out.pgn"]);
    let mut child = command.stderr(Stdio::null()).spawn().expect("the program");
    wait_for_temporary(&folder);
    // While it lives, its file stays.
    signal(&child, "STOP");
    let output = folder.run(&["convert", "games.pgn", "-o", "other.pgn"]);
    assert!(output.status.success(), "{}", errors(&output));
    assert_eq!(folder.names().len(), 4, "{:?}", folder.names());
    child.kill().expect("killed");
    child.wait().expect("ended");
    assert_eq!(folder.names().len(), 4, "{:?}", folder.names());
    let output = folder.run(&["convert", "games.pgn", "-o", "other.pgn"]);
    assert!(output.status.success(), "{}", errors(&output));
    assert_eq!(folder.names(), ["games.pgn", "large.pgn", "other.pgn"]);
}

#[test]
fn a_session_without_changes_leaves_no_journal() {
    let folder = Folder::new();
    for script in [
        "e4\\nnag !\\nundo\\n",
        "add e4\\npromote\\n",
        "e4\\nnag !\\nquit!\\n",
    ] {
        folder.shell(&format!("printf '{script}' | $GAMETREE explore games.pgn"));
        assert_eq!(folder.names(), ["games.pgn"], "{script}");
    }
}

#[test]
fn backups_do_not_follow_links() {
    let folder = Folder::new();
    fs::write(folder.path("precious"), "mine").expect("written");
    std::os::unix::fs::symlink("precious", folder.path("games.pgn.bak")).expect("a link");
    let output = folder.run(&["edit", "games.pgn", "tag", "A", "b", "-i", "--backup"]);
    assert!(output.status.success(), "{}", errors(&output));
    let read = |name: &str| fs::read_to_string(folder.path(name)).expect("a file");
    assert_eq!(
        (read("precious").as_str(), read("games.pgn.bak").as_str()),
        ("mine", GAMES)
    );
}

/// The explorer keeps its lock while it waits for input.
#[test]
fn an_open_session_keeps_others_from_editing() {
    let folder = Folder::new();
    let mut command = folder.program(&["explore", "games.pgn"]);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn().expect("the program");
    let mut stdin = child.stdin.take().expect("stdin");
    writeln!(stdin, "tag A b").expect("written");
    let output = BufReader::new(child.stdout.take().expect("stdout"));
    let mut lines = output.lines().map_while(Result::ok);
    assert!(lines.any(|line| line.starts_with("set A")));
    let output = folder.run(&["edit", "games.pgn", "tag", "C", "d", "-i"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("is editing this file"));
    // Writing elsewhere needs no lock.
    let output = folder.run(&["edit", "games.pgn", "tag", "C", "d", "-o", "other.pgn"]);
    assert!(output.status.success(), "{}", errors(&output));
    writeln!(stdin, "save").expect("written");
    drop(stdin);
    lines.for_each(drop);
    child.wait().expect("ended");
    assert!(folder.text().contains("[A \"b\"]"));
    assert_eq!(folder.names(), ["games.pgn", "other.pgn"]);
}
