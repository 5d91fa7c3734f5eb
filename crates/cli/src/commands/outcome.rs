//! `gametree outcome`: the outcome class of a sum.

use std::io::Write;

use lab::read::Task;
use lab::solve::solve;
use serde_json::json;

use crate::failure::{Exit, Failure};
use crate::progress::Clock;
use crate::shell::Shell;
use crate::sums::{LANGUAGE, Limits, SumArg, advice, in_words};

/// Find the outcome class of a sum: L, R, N or P
#[derive(clap::Args, Debug)]
#[command(after_help = format!("\
{LANGUAGE}

Examples:
  gametree outcome 'clobber XXO'                     L: Left wins, moving first or second
  gametree outcome 'nimber 3 + nimber 5 + nimber 6'  P: the second player wins
  gametree outcome --json 'col path5' | jq -r .outcome"))]
pub struct Args {
    #[command(flatten)]
    sum: SumArg,
    #[command(flatten)]
    limits: Limits,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Prints the winner.
pub fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let (text, sum) = args.sum.read()?;
    let workers = shell.workers();
    let options = args.limits.options(shell)?;
    let clock = Clock::start(shell);
    let solved = solve(&Task::of_sum(&text, sum), &options, &workers);
    drop(clock);
    let (known, reason) = (solved.outcome(), solved.gave_up());
    match (args.json, known.outcome()) {
        (true, outcome) => shell.out.write_json(&json!({
            "sum": text,
            "outcome": outcome.map(|outcome| outcome.to_string()),
            "possible": known.possible().iter().map(ToString::to_string).collect::<Vec<_>>(),
            "gave_up": reason.map(|reason| reason.to_string()),
        }))?,
        (false, Some(outcome)) => writeln!(shell.out, "{outcome}: {}", in_words(outcome))?,
        (false, None) => {
            let reason = reason.map(|reason| reason.to_string()).unwrap_or_default();
            writeln!(shell.out, "{known}: {reason}")?
        }
    }
    match (workers.stop.is_raised(), reason) {
        (true, _) => Ok(Exit::Interrupted),
        (false, None) => Ok(Exit::Fine),
        (false, Some(reason)) => {
            advice(reason).into_iter().for_each(|fix| shell.note(fix));
            Ok(Exit::Found)
        }
    }
}
