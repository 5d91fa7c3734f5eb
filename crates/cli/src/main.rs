//! The program `gametree`: words on a terminal, nothing else.

mod asking;
mod board;
mod commands;
mod explore;
mod failure;
mod files;
mod history;
mod identity;
mod ink;
mod lines;
mod number;
mod progress;
mod repl;
mod shell;
mod sums;
mod table;

use std::process::ExitCode;

use clap::Parser;

use commands::{Command, sample};
use failure::{Exit, Failure};
use shell::{Manners, Shell};

/// See, walk, edit, merge, query and draw game trees: PGN files and opening repertoires with
/// nested variations, and combinatorial games.
///
/// Without a command it opens a small sample repertoire.
#[derive(Parser, Debug)]
#[command(name = "gametree", version, max_term_width = 100, after_help = EXAMPLES)]
struct Typed {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    manners: Manners,
}

const EXAMPLES: &str = "\
Examples:
  gametree                              open the sample repertoire
  gametree check games.pgn              what is wrong in a file, and where
  gametree stats repertoire.pgn         games, moves, lines, transpositions
  gametree convert old.pgn -o new.pgn   write it in normal form
  gametree draw rep.pgn -o tree.html    a page that folds, zooms and shows the board

`gametree COMMAND --help` has more examples.

Exit status: 0 all is well, 1 the command found something to complain about,
2 it could not do its work, 130 it was interrupted.";

fn main() -> ExitCode {
    let typed = Typed::parse_from(asking::queries_apart(std::env::args_os()));
    let mut shell = Shell::new(typed.manners);
    let done = match typed.command {
        Some(command) => command.run(&mut shell),
        None => sample::run(&mut shell),
    };
    match done.and_then(|exit| shell.close().map(|()| exit)) {
        Ok(exit) => exit.into(),
        Err(Failure::ClosedPipe) => Exit::Fine.into(),
        Err(Failure::Told { message, fix }) => {
            shell.complain(&message, fix.as_deref());
            Exit::Failed.into()
        }
    }
}
