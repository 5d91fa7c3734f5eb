//! `gametree link`: each continuation written once, references where lines transpose.

use std::ffi::OsString;

use desk::link::{Mode, Work, relink};
use kit::save::Target;

use crate::failure::{Exit, Failure};
use crate::files::{Files, ending};
use crate::output::save_over;
use crate::progress::Bar;
use crate::shell::Shell;
use kit::number::{counted, grouped};

/// Write each continuation once, with references where other lines transpose to it
#[derive(clap::Args, Debug)]
#[command(after_help = "\
A reference is an ordinary comment: {Transposes to 1.d4 Nf6 2.c4}. The continuation is kept on the
path with the fewest deviations, then on the shortest. All comments are kept. Lines that continue
in another game of the file get a reference too, but moves stay in their game. Games without
transpositions are copied byte for byte.

Examples:
  gametree link repertoire.pgn -o linked.pgn
  gametree link repertoire.pgn --dead-ends -o linked.pgn   only add references
  gametree link linked.pgn --unlink -o full.pgn            write out every line again
  gametree link repertoire.pgn --dry-run")]
pub struct Args {
    #[command(flatten)]
    files: Files,
    /// Output file, compressed according to its extension (.gz, .bz2, .zst); `-` is standard output
    #[arg(short, long, value_name = "OUT", required_unless_present = "dry_run")]
    output: Option<OsString>,
    /// Print what would be done and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Only add references where lines end; move no moves
    #[arg(long, conflicts_with = "unlink")]
    dead_ends: bool,
    /// Replace references by the continuation; references that would repeat a position stay
    #[arg(long)]
    unlink: bool,
    /// Stop expanding a game at N moves
    #[arg(long, value_name = "N", default_value = "100000", requires = "unlink")]
    limit: usize,
}

/// Links, or unlinks.
pub fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let mode = match (args.unlink, args.dead_ends) {
        (true, _) => Mode::Unlink { limit: args.limit },
        (false, true) => Mode::DeadEnds,
        (false, false) => Mode::Link,
    };
    let games = args.files.games()?;
    let workers = shell.workers();
    let bar = Bar::follow(shell, games.progress(), false);
    let run = relink(&games, mode, &workers);
    drop(bar);
    if !run.stopped {
        shell.note(&sentence(mode, &run.value));
    }
    if run.stopped || !run.unread.is_empty() {
        shell.note("nothing was written");
        return Ok(ending(shell, &run, Exit::Fine));
    }
    if let Some(output) = args.output.filter(|_| !args.dry_run) {
        let target = Target::from_arg(&output);
        save_over(target.clone(), &run.value.text, shell.overwrite())?;
        if target != Target::Stdout {
            shell.note(&format!(
                "{} written to {target}",
                counted(run.value.games, "game")
            ));
        }
    }
    Ok(ending(shell, &run, Exit::Fine))
}

fn sentence(mode: Mode, work: &Work) -> String {
    let moves = |count: u64| counted(count, "move");
    let references = counted(work.links, "reference");
    match mode {
        Mode::Link => format!("{references}, {} less", moves(work.fewer)),
        Mode::DeadEnds => references,
        Mode::Unlink { .. } => {
            let expanded = counted(work.expanded, "reference");
            let more = moves(work.more);
            match work.links {
                0 => format!("{expanded} expanded, {more} more"),
                1 => format!(
                    "{expanded} expanded, {more} more; 1 stays (a repetition, or beyond --limit)"
                ),
                kept => format!(
                    "{expanded} expanded, {more} more; {} stay (repetitions, or beyond --limit)",
                    grouped(kept)
                ),
            }
        }
    }
}
