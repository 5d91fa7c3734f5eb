//! Running the real program on the files of `testdata/`.

#![allow(dead_code)] // each test uses its own part

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};

/// The output of a run as text, and the exit code.
pub struct Output {
    pub out: String,
    pub err: String,
    pub code: Option<i32>,
}

/// The program, in the folder of the project, without colour from the environment.
pub fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gametree"));
    command
        .current_dir(root())
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        // Ignore the user's own database.
        .env("GAMETREE_SUMS_DB", "")
        .stdin(Stdio::null());
    command
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs the program with these arguments, separated by blanks.
pub fn gametree(args: &str) -> Output {
    run(program().args(args.split_whitespace()))
}

/// The same with something on standard input.
pub fn gametree_on(input: &[u8], args: &str) -> Output {
    run_with(program().args(args.split_whitespace()), input)
}

/// Runs a command with something on standard input.
pub fn run_with(command: &mut Command, input: &[u8]) -> Output {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // The program may stop reading before all is written.
    stdin.write_all(input).ok();
    drop(stdin);
    to_text(child.wait_with_output().expect("the program ends"))
}

pub fn run(command: &mut Command) -> Output {
    to_text(command.output().expect("the program starts"))
}

fn to_text(output: process::Output) -> Output {
    Output {
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
        code: output.status.code(),
    }
}
