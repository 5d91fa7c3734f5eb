//! `gametree link`: each continuation written once, references where lines transpose.

use std::ffi::OsString;

use desk::link::{Mode, NewText, Wanted, Work, relink};
use kit::limits::Size;
use kit::save::{SaveError, Target};

use crate::amounts::parse_bytes;
use crate::failure::{Exit, Failure};
use crate::files::{Files, ending};
use crate::identity::SamePosition;
use crate::output::Output;
use crate::progress::Bar;
use crate::shell::Shell;
use kit::number::{counted, grouped};

/// Write each continuation once, with references where other lines transpose to it
#[derive(clap::Args, Debug)]
#[command(after_help = "\
A continuation that is written in several lines of a game, with the same comments, is kept on the
path with the fewest deviations, then on the shortest. The other places get a reference, an ordinary
comment: {Transposes to 1.d4 Nf6 2.c4 [%link cut]}. Lines that end where another line of the file
goes on get one too ([%link end]). --unlink restores the file: [%link ...] shows what was there.

Main lines stay as they are, and so does a repetition within a line. The end of a game with a result
gets no reference. Games without transpositions are copied byte for byte.

Games of one line with a result take about 200 bytes each; only others are held in memory whole, up
to --memory. Time grows with the number of moves.

Examples:
  gametree link repertoire.pgn -o linked.pgn
  gametree link repertoire.pgn --unite -o linked.pgn       also unite continuations that differ
  gametree link repertoire.pgn --dead-ends -o linked.pgn   only add references where lines end
  gametree link linked.pgn --unlink -o full.pgn            undo it
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
    /// Write all continuations of a position in one place, also if they differ; this cannot be
    /// undone. Positions that a line can return to stay as they are
    #[arg(long, group = "mode", conflicts_with = "base_fen")]
    unite: bool,
    /// Only add references where lines end; remove no moves
    #[arg(long, group = "mode")]
    dead_ends: bool,
    /// Undo link: write removed continuations again, and remove its references
    #[arg(long, group = "mode", conflicts_with = "base_fen")]
    unlink: bool,
    /// Replace all references by the continuation, also those written by hand; references that
    /// would repeat a position stay
    #[arg(long, group = "mode", conflicts_with = "base_fen")]
    expand: bool,
    /// With --unlink or --expand, do not let a game grow beyond N moves
    #[arg(long, value_name = "N", default_value = "4000000")]
    limit: usize,
    #[command(flatten)]
    same: SamePosition,
    /// The most memory for games with variations, references or no result: 500M, 4G
    /// [default: a quarter of the memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    memory: Option<usize>,
}

impl Args {
    fn mode(&self) -> Mode {
        let (same, limit) = (self.same.identity(), self.limit);
        if self.unlink {
            Mode::Unlink { limit }
        } else if self.expand {
            Mode::Expand { limit }
        } else if self.dead_ends {
            Mode::DeadEnds(same)
        } else if self.unite {
            Mode::Unite
        } else {
            Mode::Link(same)
        }
    }
}

/// Links, or unlinks.
pub fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let mode = args.mode();
    let games = args.files.games()?;
    let workers = shell.workers();
    let bar = Bar::follow(shell, games.progress(), false);
    let output = args.output.filter(|_| !args.dry_run);
    let wanted = match output {
        Some(_) => Wanted::Text,
        None => Wanted::Counts,
    };
    let memory = args.memory.map(|bytes| Size(bytes as u64));
    let mut run = relink(&games, mode, wanted, memory, &workers);
    drop(bar);
    if !run.stopped {
        shell.note(&sentence(mode, &run.value));
        if run.value.mainlines > 0 {
            let games = counted(run.value.mainlines, "game");
            shell.note(&format!("main line changed in {games}"));
        }
    }
    if run.stopped || !run.unread.is_empty() {
        shell.note("nothing was written");
        return Ok(ending(shell, &run, Exit::Fine));
    }
    if let Some(output) = output {
        let target = Target::from_arg(&output);
        save(target.clone(), &mut run.value.text, shell)?;
        if target != Target::Stdout {
            shell.note(&format!(
                "{} written to {target}",
                counted(run.value.games, "game")
            ));
        }
    }
    Ok(ending(shell, &run, Exit::Fine))
}

/// Writes the text, whole or not at all.
fn save(target: Target, text: &mut NewText, shell: &Shell) -> Result<(), SaveError> {
    let mut out = Output::create_over(target.clone(), shell.overwrite())?;
    let written = text.write_to(&mut out);
    written.map_err(|error| SaveError { target, error })?;
    out.finish()
}

fn sentence(mode: Mode, work: &Work) -> String {
    let moves = |count: u64| counted(count, "move");
    let references = counted(work.links, "reference");
    match mode {
        Mode::Link(_) | Mode::Unite => format!("{references}, {} less", moves(work.fewer)),
        Mode::DeadEnds(_) => references,
        Mode::Unlink { .. } | Mode::Expand { .. } => {
            let mut text = format!(
                "{} expanded, {} more",
                counted(work.expanded, "reference"),
                moves(work.more)
            );
            if work.removed > 0 {
                text += &format!(", {} at line ends removed", grouped(work.removed));
            }
            match work.links {
                0 => {}
                1 => text += "; 1 stays (a repetition, or beyond --limit)",
                kept => {
                    let kept = grouped(kept);
                    text += &format!("; {kept} stay (repetitions, or beyond --limit)");
                }
            }
            text
        }
    }
}
