//! Running the real program on the files of `testdata/`.

#![allow(dead_code)] // each test uses its own part

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What a run of the program said.
pub struct Said {
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
        // Whatever database the user has.
        .env("GAMETREE_SUMS_DB", "")
        .stdin(Stdio::null());
    command
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs it with these words, separated by blanks.
pub fn gametree(args: &str) -> Said {
    run(program().args(args.split_whitespace()))
}

/// The same with something on standard input.
pub fn gametree_on(input: &[u8], args: &str) -> Said {
    let mut command = program();
    command
        .args(args.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // The program may have had enough before all is written.
    stdin.write_all(input).ok();
    drop(stdin);
    said(child.wait_with_output().expect("the program ends"))
}

pub fn run(command: &mut Command) -> Said {
    said(command.output().expect("the program starts"))
}

fn said(output: Output) -> Said {
    Said {
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
        code: output.status.code(),
    }
}
