//! `gametree` without a command: the sample repertoire.

use std::io::Write;

use crate::failure::{Exit, Failure};
use crate::shell::Shell;

/// The repertoire, part of the program so that it is there wherever the program is.
const REPERTOIRE: &str = include_str!("../../../../examples/repertoire.pgn");

/// Shows it.
pub fn run(shell: &mut Shell) -> Result<Exit, Failure> {
    shell.out.write_all(REPERTOIRE.as_bytes())?;
    Ok(Exit::Fine)
}
