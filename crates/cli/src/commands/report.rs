//! `gametree report FILE`: the size and branching of a game or of all games as one.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use desk::report::{PositionsReport, Report};
use serde_json::json;

use crate::explore::pages;
use crate::failure::{Exit, Failure};
use crate::files::game_number;
use crate::identity::Joined;
use crate::sessions::open_at;
use crate::shell::Shell;

/// Report the size of a game: lines, positions, transpositions, deviations
#[derive(clap::Args, Debug)]
#[command(after_help = "\
A deviation is a move that is not the first one of its position. A position that several lines reach
is transposed; one that occurs again on the same line is repeated.

Examples:
  gametree report repertoire.pgn
  gametree report --positions repertoire.pgn        all chapters as one
  gametree report --json games.pgn --game 3 | jq .lines")]
pub struct Args {
    /// The files, or `-` for standard input; .gz, .bz2 and .zst are decompressed
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Number of the game, counted through all files
    #[arg(long, value_name = "N", default_value = "1", value_parser = game_number)]
    game: NonZeroUsize,
    #[command(flatten)]
    joined: Joined,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Prints the report.
pub fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let mut session = open_at(&args.files, args.game, args.joined)?;
    let joined = session.walk().joined_graph().cloned();
    let (lines, json) = match &joined {
        Some(joined) => {
            let report = PositionsReport::of(joined);
            (pages::positions_report(&report), json!(report))
        }
        None => {
            let report = Report::of(session.walk_mut());
            (pages::report(&report), json!(report))
        }
    };
    if args.json {
        shell.out.write_json(&json)?;
        return Ok(Exit::Fine);
    }
    let coloured = shell.is_coloured();
    for line in lines {
        writeln!(shell.out, "{}", line.paint(coloured))?;
    }
    Ok(Exit::Fine)
}
