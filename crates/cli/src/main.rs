//! The program `gametree`: words on a terminal, nothing else.

// A panic is a bug: what input can cause is an error.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

extern crate gametree_desk as desk;
extern crate gametree_kit as kit;
extern crate gametree_lab as lab;

mod amounts;
mod board;
mod commands;
mod explore;
mod failure;
mod files;
mod history;
mod identity;
mod ink;
mod lines;
mod output;
mod picture;
mod printer;
mod progress;
mod quote;
mod repl;
mod search;
mod settings;
mod shell;
mod signals;
mod sums;
mod table;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

use commands::{Command, sample};
use failure::{Exit, Failure};
use printer::Printer;
use shell::{CommonOptions, Shell};

/// View, edit, merge, query and draw game trees: PGN files, opening repertoires with nested
/// variations, and combinatorial games.
///
/// Without a command, opens a small sample repertoire.
#[derive(Parser, Debug)]
#[command(name = "gametree", version, max_term_width = 100, after_help = EXAMPLES)]
struct Typed {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    common: CommonOptions,
}

const EXAMPLES: &str = "\
Examples:
  gametree                              open the sample repertoire
  gametree check games.pgn              list problems with their location
  gametree stats repertoire.pgn         games, moves, lines, transpositions
  gametree convert old.pgn -o new.pgn   write standard PGN
  gametree draw rep.pgn -o tree.html    an interactive page with a board

`gametree COMMAND --help` has more examples.

Exit status: 0 success; 1 the command found problems, differences or no answer; 2 error;
130, 143, 129 ended by SIGINT (Ctrl-C), SIGTERM, SIGHUP. The first signal ends the work and prints
what was found so far; a second one ends the program at once.";

fn main() -> ExitCode {
    let words = search::escape_queries(std::env::args_os());
    let typed = match Typed::try_parse_from(&words) {
        Ok(typed) => typed,
        Err(refused) => return refuse(&refused),
    };
    let mut shell = Shell::new(typed.common);
    let done = match typed.command {
        Some(command) => command.run(&mut shell),
        None => sample::run(&mut shell),
    };
    let exit = match done.and_then(|exit| shell.close().map(|()| exit)) {
        Ok(exit) => exit,
        Err(Failure::ClosedPipe) => Exit::Fine,
        Err(Failure::Reported { message, fix }) => {
            shell.error(&message, fix.as_deref());
            Exit::Failed
        }
    };
    shell.signal_status().map_or(exit.into(), ExitCode::from)
}

/// Prints help, or why the command line was refused. The arguments may be file names from an
/// untrusted source.
fn refuse(refused: &clap::Error) -> ExitCode {
    let text = refused.render().to_string();
    if *printer::printable(&text) == *text {
        // A terminal that is gone reads no message.
        refused.print().ok();
    } else {
        Printer::new(io::stderr(), false, true)
            .write_all(text.as_bytes())
            .ok();
    }
    ExitCode::from(refused.exit_code() as u8)
}
