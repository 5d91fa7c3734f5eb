//! `gametree serve` as a process: its address, its end, and being killed in the midst of edits.

mod common;
#[path = "../../page/tests/common/mod.rs"]
mod page;

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use page::{Client, edit};
use serde_json::{Value, json};

const GAMES: &str =
    "[Event \"A\"]\n\n1. e4 (1. d4) e5 *\n\n[Event \"B\"]\n\n1.c4   {odd layout}  *\n";

/// A server process, killed at the end if it is still there.
struct Serving {
    child: Child,
    client: Client,
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// Starts a server; none if the program was built without the page.
fn serve(file: &Path) -> Option<Serving> {
    serve_with(file, |command| {
        command.args(["serve", "--no-open"]);
    })
}

fn serve_with(file: &Path, prepare: impl FnOnce(&mut Command)) -> Option<Serving> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gametree"));
    prepare(&mut command);
    command.arg(file);
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().expect("the program");
    let mut line = String::new();
    let mut output = BufReader::new(child.stdout.take().expect("stdout"));
    output.read_line(&mut line).expect("a line");
    if line.is_empty() {
        let mut why = String::new();
        let mut errors = child.stderr.take().expect("stderr");
        errors.read_to_string(&mut why).expect("text");
        assert!(why.contains("built without the page"), "{why}");
        child.wait().expect("an end");
        return None;
    }
    let (base, key) = line
        .trim()
        .split_once("/?key=")
        .expect("an address with a key");
    let address = base.strip_prefix("http://").expect("http");
    let client = Client {
        address: address.parse().expect("an address"),
        key: key.to_owned(),
    };
    Some(Serving { child, client })
}

fn write_games(folder: &Path) -> std::path::PathBuf {
    let path = folder.join("book.pgn");
    fs::write(&path, GAMES).expect("written");
    path
}

#[cfg(unix)]
#[test]
fn a_signal_ends_it_and_keeps_the_changes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = write_games(folder.path());
    let Some(mut serving) = serve(&path) else {
        return;
    };
    serving
        .client
        .post("/api/edit", edit(0, &json!(1), "comment", "kept"));
    let id = serving.child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status();
    assert!(sent.expect("kill").success());
    let status = serving.child.wait().expect("an end");
    let mut said = String::new();
    let mut errors = serving.child.stderr.take().expect("stderr");
    errors.read_to_string(&mut said).expect("text");
    assert_eq!(status.code(), Some(130), "{said}");
    assert!(said.contains("unsaved changes are kept"), "{said}");
    assert_eq!(fs::read_to_string(&path).expect("the file"), GAMES);
    let edited = Command::new(env!("CARGO_BIN_EXE_gametree"))
        .args(["explore", "--line", "--resume"])
        .arg(&path)
        .stdin(Stdio::null())
        .output()
        .expect("the explorer");
    let said = String::from_utf8_lossy(&edited.stderr).into_owned();
    assert!(said.contains("1 change"), "the explorer resumes: {said}");
}

#[test]
fn a_second_program_cannot_edit() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = write_games(folder.path());
    let Some(serving) = serve(&path) else {
        return;
    };
    serving
        .client
        .post("/api/edit", edit(0, &json!(1), "comment", "mine"));
    let second = Command::new(env!("CARGO_BIN_EXE_gametree"))
        .arg("edit")
        .arg(&path)
        .args(["comment", "yours", "--at", "1.e4", "--in-place"])
        .stdin(Stdio::null())
        .output()
        .expect("the program");
    assert!(!second.status.success());
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    let whose = format!(
        "gametree serve is editing this file (process {})",
        serving.child.id()
    );
    let is_named = !cfg!(target_os = "linux") || said.contains(&whose);
    assert!(is_named, "{said}");
    assert_eq!(fs::read_to_string(&path).expect("the file"), GAMES);
}

/// 100 times with `GAMETREE_LONG=1`.
fn kills() -> u64 {
    if std::env::var_os("GAMETREE_LONG").is_some() {
        100
    } else {
        4
    }
}

/// Comments and saves until the process is killed. Returns the last comment it was answered for.
fn work_until_killed(mut serving: Serving, round: u64) -> u64 {
    let client = serving.client.clone();
    let resumed = client.get("/api/state")["files"][0]["obstacle"]["code"] == "leftover";
    if resumed {
        client.post("/api/resume", json!({"file": 0}));
    }
    let pause = Duration::from_millis(40 + round * 37 % 200);
    let killer = thread::spawn(move || {
        thread::sleep(pause);
        // SIGKILL on Unix.
        serving.child.kill().expect("killed");
        serving.child.wait().expect("an end");
    });
    let mut last = 0;
    for number in 1.. {
        let number = round * 100_000 + number;
        let body = edit(0, &json!(1), "comment", &number.to_string());
        match answered(&client, "/api/edit", &body) {
            Some(200) => last = number,
            _ => break,
        }
        if number.is_multiple_of(7) {
            answered(&client, "/api/save", &json!({"file": 0}));
        }
    }
    killer.join().expect("no panic");
    last
}

/// The status of an answer; none if the server is gone.
fn answered(client: &Client, path: &str, body: &Value) -> Option<u16> {
    let (client, path, body) = (client.clone(), path.to_owned(), body.clone());
    // The client of the tests panics without an answer; here that is expected.
    std::panic::catch_unwind(move || client.try_post(&path, &body).status).ok()
}

#[test]
fn nothing_answered_is_lost_by_a_kill() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = write_games(folder.path());
    std::panic::set_hook(Box::new(|_| {}));
    let mut last = 0;
    for round in 1..=kills() {
        let Some(serving) = serve(&path) else {
            return;
        };
        last = work_until_killed(serving, round).max(last);
        let Some(serving) = serve(&path) else {
            return;
        };
        let client = &serving.client;
        if client.get("/api/state")["files"][0]["obstacle"]["code"] == "leftover" {
            client.post("/api/resume", json!({"file": 0}));
        }
        let comment = client.get("/api/position?game=0&node=1")["comment"].clone();
        let found: u64 = comment
            .as_str()
            .and_then(|text| text.parse().ok())
            .unwrap_or(0);
        // The request that was under way may have been carried out.
        assert!(
            [last, last + 1].contains(&found),
            "{found}, answered {last}"
        );
        last = found;
        let other = client.get("/api/pgn?game=1");
        assert!(
            other["pgn"]
                .as_str()
                .is_some_and(|pgn| pgn.contains("odd layout"))
        );
    }
    let _ = std::panic::take_hook();
}

/// Without `--no-open` the program of the system for addresses is run with the address.
#[cfg(all(unix, not(target_os = "macos")))]
#[test]
fn the_browser_is_opened() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let (file, seen) = (folder.path().join("a.pgn"), folder.path().join("seen"));
    fs::write(&file, GAMES).expect("written");
    let browser = folder.path().join("xdg-open");
    // The file appears under its name when it is complete.
    let script = format!(
        "#!/bin/sh\nprintf '%s' \"$1\" >{0}.part && mv {0}.part {0}\n",
        seen.display()
    );
    fs::write(&browser, script).expect("written");
    fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).expect("executable");
    let path = format!(
        "{}:{}",
        folder.path().display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let Some(serving) = serve_with(&file, |command| {
        command.arg("serve").env("PATH", path);
    }) else {
        return;
    };
    let opened = loop {
        match fs::read_to_string(&seen) {
            Ok(opened) => break opened,
            Err(_) => thread::sleep(Duration::from_millis(10)),
        }
    };
    let Client { address, key } = &serving.client;
    assert_eq!(opened, format!("http://{address}/?key={key}"));
}
