//! The program `gametree`: words on a terminal, nothing else. It is a library with one function so
//! that it compiles beside the crates it is linked with.

// A panic is a bug: what input can cause is an error.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

extern crate gametree_desk as desk;
extern crate gametree_kit as kit;
extern crate gametree_lab as lab;
extern crate gametree_page as page;

mod amounts;
mod board;
mod columns;
mod commands;
mod explore;
mod failure;
mod files;
mod history;
mod identity;
mod ink;
mod lines;
mod output;
mod parquet;
mod picture;
mod printer;
mod progress;
mod quote;
mod repl;
mod score;
mod search;
mod sessions;
mod settings;
mod shell;
mod signals;
mod sums;
mod table;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, FromArgMatches, Parser};

use commands::{Command, explore as explore_command, sample};
use failure::{Exit, Failure};
use printer::Printer;
use shell::{CommonOptions, Shell};

/// View, edit, merge, query and draw game trees: PGN files, opening repertoires with nested
/// variations, and combinatorial games.
///
/// Without a command, opens a file (`gametree FILE.pgn`) or a small sample repertoire.
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
  gametree repertoire.pgn               open a file
  gametree serve repertoire.pgn         open it in the browser
  gametree check games.pgn              list problems with their location
  gametree stats repertoire.pgn         games, moves, lines, transpositions
  gametree convert old.pgn -o new.pgn   write standard PGN
  gametree draw rep.pgn -o tree.html    an interactive page with a board

`gametree COMMAND --help` has more examples.

Exit status: 0 success; 1 the command found problems, differences or no answer; 2 error;
130, 143, 129 ended by SIGINT (Ctrl-C), SIGTERM, SIGHUP. The first signal ends the work and prints
what was found so far; a second one ends the program at once.";

/// Runs the command that was typed.
pub fn main() -> ExitCode {
    let typed = match parse(std::env::args_os().collect()) {
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

fn parse(words: Vec<OsString>) -> Result<Typed, clap::Error> {
    let read = |words: Vec<OsString>| {
        let words = search::escape_queries(words.into_iter());
        match parse_one_command(&words) {
            Some(typed) => Ok(typed),
            None => Typed::try_parse_from(words),
        }
    };
    let refused = match read(words.clone()) {
        Ok(typed) => return Ok(typed),
        Err(refused) => refused,
    };
    match with_command(words, &refused) {
        Some(words) => read(words),
        None => Err(refused),
    }
}

/// The same without the descriptions of all other commands, which take longer to prepare than many
/// commands run. What it refuses is parsed again with all commands, so that messages and help are
/// the same.
fn parse_one_command(words: &[OsString]) -> Option<Typed> {
    let program = CommonOptions::augment_args(clap::Command::new("gametree"));
    let program = Command::add_only(program, command_name(words)?)?;
    let matches = program.try_get_matches_from(words).ok()?;
    let typed = Typed::from_arg_matches(&matches).ok()?;
    typed.command.is_some().then_some(typed)
}

/// The first word, or the first after common options and their values.
fn command_name(words: &[OsString]) -> Option<&str> {
    let is_option = |word: &OsString| word.as_encoded_bytes().starts_with(b"-");
    let mut after_option = false;
    for word in words.iter().skip(1) {
        if is_option(word) {
            after_option = true;
        } else if after_option && !Command::has(word.to_str()?) {
            after_option = false;
        } else {
            return word.to_str();
        }
    }
    None
}

/// `gametree FILE` as `gametree explore FILE`; without a terminal, as `gametree show FILE`.
fn with_command(mut words: Vec<OsString>, refused: &clap::Error) -> Option<Vec<OsString>> {
    if refused.kind() != ErrorKind::InvalidSubcommand {
        return None;
    }
    let Some(ContextValue::String(unknown)) = refused.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    let is_file =
        |word: &OsString| Path::new(word).is_file() || explore_command::is_game_file(word);
    let is_unknown = |word: &OsString| word.to_string_lossy() == *unknown;
    let place = words.iter().skip(1).position(is_unknown)? + 1;
    if !is_file(&words[place]) {
        return None;
    }
    let command = if explore_command::is_on_terminal() {
        "explore"
    } else {
        "show"
    };
    words.insert(place, command.into());
    Some(words)
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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn commands_can_be_parsed_alone() {
        let program = Typed::command();
        let is_module = |command: &&clap::Command| !command.get_name().contains('-');
        for command in program.get_subcommands().filter(is_module) {
            let alone = clap::Command::new("gametree");
            let alone = Command::add_only(alone, command.get_name()).unwrap();
            let alone = alone.find_subcommand(command.get_name()).unwrap();
            let ids = |command: &clap::Command| -> Vec<String> {
                let arguments = command.get_arguments();
                arguments.map(|a| a.get_id().to_string()).collect()
            };
            assert_eq!(ids(alone), ids(command), "{}", command.get_name());
        }
    }

    #[test]
    fn a_command_alone_is_parsed_as_among_all() {
        let lines = [
            "query mate games.pgn --count --threads 2",
            "query --dialect cql62 --quiet -f script.cql a.pgn b.pgn",
            "stats a.pgn b.pgn --color never",
            "check",
            "show --force x.pgn",
            "--quiet query mate",
            "--threads 1 --color=never solve --json nimber:1",
            "--threads check stats a.pgn",
            "--color never",
        ];
        for line in lines {
            let words: Vec<OsString> = format!("gametree {line}")
                .split(' ')
                .map(OsString::from)
                .collect();
            let alone = parse_one_command(&words);
            let among_all = Typed::try_parse_from(&words).ok();
            let among_all = among_all.filter(|typed| typed.command.is_some());
            assert_eq!(format!("{alone:?}"), format!("{among_all:?}"), "{line}");
        }
        for line in ["gametree", "gametree check_book x.pgn"] {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            assert!(parse_one_command(&words).is_none(), "{line}");
        }
    }
}
