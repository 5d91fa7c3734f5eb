//! `gametree debug`: the result of each stage of the query compiler.

use std::io::Write;

use clap::ValueEnum;
use desk::query::{Stage, debug};

use crate::failure::{Exit, Failure};
use crate::search::{QueryOptions, invalid_query};
use crate::shell::Shell;

/// Show the result of a stage of the query compiler
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  gametree debug tokens 'move from Q'      tokens with their positions
  gametree debug ast 'flip Ka1 or mate'    the syntax tree with types
  gametree debug ir 'Q attacks k'          the nodes that are evaluated
  gametree debug plan 'year > 2000 mate'   tests that skip games and positions early")]
pub struct Args {
    /// The stage
    stage: Name,
    /// The query
    query: String,
    #[command(flatten)]
    query_options: QueryOptions,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum Name {
    /// Tokens
    Tokens,
    /// The syntax tree with types
    Ast,
    /// The nodes that are evaluated
    Ir,
    /// Tests that skip games and positions early
    Plan,
}

/// Prints the result of the stage.
pub fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let stage = match args.stage {
        Name::Tokens => Stage::Tokens,
        Name::Ast => Stage::Ast,
        Name::Ir => Stage::Ir,
        Name::Plan => Stage::Plan,
    };
    let options = args.query_options.options();
    let text = debug(&args.query, &options, stage).map_err(invalid_query)?;
    write!(shell.out, "{text}")?;
    Ok(Exit::Fine)
}
