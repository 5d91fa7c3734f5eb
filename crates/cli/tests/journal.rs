//! Killing the program at random moments: no change that it reported may be lost.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const GAMES: &str =
    "[Event \"A\"]\n\n1. e4 (1. d4) e5 *\n\n[Event \"B\"]\n\n1.c4   {odd layout}  *\n";

/// Numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

fn start(file: &Path, args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_gametree"))
        .arg("explore")
        .arg(file)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program")
}

/// Sets tags one after the other, saving now and then, until the process is killed after a random
/// time. Returns how many tags it reported as set.
fn work_until_killed(file: &Path, first: usize, dice: &mut Dice) -> usize {
    let mut child = start(file, &["--resume"]);
    let mut stdin = child.stdin.take().expect("stdin");
    let output = BufReader::new(child.stdout.take().expect("stdout"));
    let mut script = "1W\n".to_owned();
    for number in first..first + 200 {
        script += &format!("tag T{number} v{number}\n");
        match dice.below(8) {
            0 => script += "save\n",
            1 => script += "nag !\nundo\nredo\nundo\n",
            _ => {}
        }
    }
    // The script is typed by another thread: neither side may wait for the other.
    let typing = std::thread::spawn(move || stdin.write_all(script.as_bytes()).ok());
    let pause = Duration::from_micros(dice.below(60_000));
    let killed_after = dice.below(60) as usize;
    let mut reported = first;
    for line in output.lines().map_while(Result::ok) {
        if line.starts_with(&format!("set T{reported} ")) {
            reported += 1;
        }
        if reported >= first + killed_after {
            break;
        }
    }
    std::thread::sleep(pause / 20);
    child.kill().expect("killed");
    child.wait().expect("ended");
    typing.join().ok();
    reported
}

#[test]
fn reported_changes_survive_a_kill() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.pgn");
    fs::write(&file, GAMES).expect("written");
    let mut dice = Dice(7);
    let mut done = 0;
    for round in 0..rounds() {
        // Without a journal `--resume` is refused: make sure that there is one.
        touch(&file, round);
        done = work_until_killed(&file, done, &mut dice);
        let tags = tags_after_resume(&file);
        for number in 0..done {
            assert!(
                tags.contains(&format!("T{number} ")),
                "round {round}: T{number} is lost\n{tags}"
            );
        }
        // More may have been done than was reported before the kill.
        done = (0..)
            .find(|number| !tags.contains(&format!("T{number} ")))
            .expect("an end");
        assert_eq!(text_of_second_game(&file), "1.c4   {odd layout}  *");
    }
}

fn rounds() -> usize {
    let rounds = std::env::var("GAMETREE_KILLS").ok();
    rounds.and_then(|rounds| rounds.parse().ok()).unwrap_or(12)
}

/// Leaves an unsaved change behind, if none is there.
fn touch(file: &Path, round: usize) {
    let mut child = start(file, &[]);
    let mut stdin = child.stdin.take().expect("stdin");
    writeln!(stdin, "tag Round {round}").ok();
    drop(stdin);
    child.wait_with_output().expect("ended");
}

fn tags_after_resume(file: &Path) -> String {
    let mut child = start(file, &[]);
    let mut stdin = child.stdin.take().expect("stdin");
    stdin.write_all(b"resume\ntags\n").ok();
    drop(stdin);
    let output = child.wait_with_output().expect("ended");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let (_, tags) = text.split_once("> tags").expect("tags");
    format!("{}\n", tags.replace(char::is_whitespace, " "))
}

fn text_of_second_game(file: &Path) -> String {
    let text = fs::read_to_string(file).expect("a file");
    let (_, second) = text
        .split_once("[Event \"B\"]\n\n")
        .expect("the second game, byte for byte");
    second.trim_end().to_owned()
}
