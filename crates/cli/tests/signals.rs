//! Signals end the work soon, with an exit status of their own.

#![cfg(unix)]

mod common;

use std::fs;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use common::program;

const SIGNALS: [(&str, i32); 3] = [("INT", 130), ("TERM", 143), ("HUP", 129)];

/// The promise is 100 ms; a busy machine may need longer to run the program at all.
const SOON: Duration = Duration::from_millis(1500);

/// A sum that takes hours.
const HARD: &str = "nogo ........|........|........|........|........|........";

fn send(child: &Child, signal: &str) {
    let id = child.id().to_string();
    let sent = Command::new("kill")
        .args([&format!("-{signal}"), &id])
        .status();
    assert!(sent.unwrap().success());
}

fn start(args: &[&str]) -> Child {
    let mut command = program();
    command
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Sends the signal when the work is under way; the output, after checking how it ended.
fn end(mut child: Child, signal: &str, status: i32) -> String {
    thread::sleep(Duration::from_millis(500));
    assert_eq!(
        child.try_wait().unwrap(),
        None,
        "it ended before the signal"
    );
    let sent = Instant::now();
    send(&child, signal);
    let ended = child.wait().unwrap();
    assert!(sent.elapsed() < SOON, "{signal}: {:?}", sent.elapsed());
    assert_eq!(ended.code(), Some(status), "{signal}");
    let mut out = String::new();
    child
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut out)
        .unwrap();
    out
}

#[test]
fn a_hard_sum() {
    for (signal, status) in SIGNALS {
        for command in ["solve", "outcome", "value", "moves"] {
            end(start(&[command, HARD]), signal, status);
        }
    }
}

#[test]
fn a_pipe_that_stays_silent() {
    for (signal, status) in SIGNALS {
        for args in [
            &["query", "--count", "mate", "-"][..],
            &["show", "-"],
            &["stats", "-"],
        ] {
            let mut child = start(args);
            let mut stdin = child.stdin.take().unwrap();
            stdin
                .write_all(b"1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4")
                .unwrap();
            end(child, signal, status);
            drop(stdin);
        }
    }
}

#[test]
fn a_pipe_without_end() {
    for (signal, status) in SIGNALS {
        let folder = tempfile::tempdir().unwrap();
        let listed = folder.path().join("list");
        let mut command = program();
        command
            .args(["query", "--list", "mate", "-"])
            .stdin(Stdio::piped());
        command.stdout(fs::File::create(&listed).unwrap());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let games = "1. f3 e5 2. g4 Qh4# 0-1\n\n".repeat(1000);
        let writer = thread::spawn(move || while stdin.write_all(games.as_bytes()).is_ok() {});
        while fs::metadata(&listed).unwrap().len() == 0 {
            thread::sleep(Duration::from_millis(5));
        }
        let sent = Instant::now();
        send(&child, signal);
        assert_eq!(child.wait().unwrap().code(), Some(status), "{signal}");
        assert!(sent.elapsed() < SOON, "{signal}: {:?}", sent.elapsed());
        writer.join().unwrap();
        let listed = fs::read_to_string(&listed).unwrap();
        assert!(
            listed.ends_with('\n'),
            "what was found is written in whole lines"
        );
    }
}

#[test]
fn a_large_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.pgn");
    let moves = "(1. d4 d5 2. c4 e6 (2... c6 3. Nf3)) ".repeat(1_000_000);
    fs::write(&path, format!("1. e4 {moves}\n")).unwrap();
    for (signal, status) in SIGNALS {
        for command in ["show", "audit", "paths"] {
            end(start(&[command, path.to_str().unwrap()]), signal, status);
        }
    }
}

#[test]
fn an_interrupted_convert_writes_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.pgn");
    let mut child = start(&["convert", "-", "-o", path.to_str().unwrap()]);
    let mut stdin = child.stdin.take().unwrap();
    stdin
        .write_all("1. e4 e5 *\n\n".repeat(20_000).as_bytes())
        .unwrap();
    end(child, "TERM", 143);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// `nohup` and `trap '' HUP` disable a signal for the programs they start.
#[test]
fn a_disabled_signal_stays_disabled() {
    let script = format!(
        "trap '' HUP; exec {} solve --time 1 '{HARD}'",
        env!("CARGO_BIN_EXE_gametree")
    );
    let mut command = Command::new("sh");
    command
        .args(["-c", &script])
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    thread::sleep(Duration::from_millis(400));
    send(&child, "HUP");
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn what_was_proven_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("work.sums");
    end(
        start(&["solve", "--save", path.to_str().unwrap(), HARD]),
        "TERM",
        143,
    );
    assert!(path.exists());
}
