//! `gametree value`: the value of a sum.

use std::io::{IsTerminal, Write};

use lab::value::{ValueReport, value_report};

use crate::failure::{Exit, Failure};
use crate::progress::Clock;
use crate::shell::Shell;
use crate::sums::{LANGUAGE, Limits, SumArg, gave_up};
use kit::number::grouped;

/// Compute the canonical form of a sum, its outcome, stops, mean and temperature
#[derive(clap::Args, Debug)]
#[command(after_help = format!("\
{LANGUAGE}

Examples:
  gametree value 'domineering ...|...'
  gametree value 'clobber XO.|OX. + ^*'
  gametree value --json 'amazons X..|...|..O' | jq -r .temperature

If the value needs more memory than --memory, use solve, outcome, compare or bounds, which do not
compute it."))]
pub struct Args {
    #[command(flatten)]
    sum: SumArg,
    #[command(flatten)]
    limits: Limits,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Prints the value.
pub fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let (_, sum) = args.sum.read()?;
    let mut solver = args.limits.solver(shell)?;
    let clock = Clock::start(shell);
    let found = value_report(&mut solver, &sum);
    drop(clock);
    let found = match found {
        Ok(found) => found,
        Err(reason) => return gave_up(shell, reason, args.json),
    };
    if args.json {
        shell.out.write_json(&found)?
    } else {
        write_text(shell, &found)?
    }
    Ok(Exit::Fine)
}

/// The canonical form; on a terminal only if it is short enough to read.
fn value_text(report: &ValueReport, terminal: bool) -> String {
    /// A screen full of letters.
    const READABLE: u64 = 2_000;
    let letters = grouped(report.length);
    match &report.value {
        None => format!("too long to write: {letters} letters"),
        Some(_) if terminal && report.length > READABLE => {
            format!("{letters} letters, shown with --json or in a pipe")
        }
        Some(text) => text.clone(),
    }
}

fn write_text(shell: &mut Shell, report: &ValueReport) -> Result<(), Failure> {
    let bold = shell.theme.bold;
    let shown = value_text(report, std::io::stdout().is_terminal());
    writeln!(shell.out, "{:<14}{bold}{shown}{bold:#}", "value")?;
    let rows = [
        ("outcome", Some(&report.outcome)),
        ("left stop", Some(&report.left_stop)),
        ("right stop", Some(&report.right_stop)),
        ("mean", report.mean.as_ref()),
        ("temperature", report.temperature.as_ref()),
        ("birthday", report.birthday.as_ref()),
        ("atomic weight", report.atomic_weight.as_ref()),
    ];
    for (name, text) in rows {
        match text {
            Some(text) => writeln!(shell.out, "{name:<14}{text}")?,
            None if name == "atomic weight" => {}
            None => writeln!(shell.out, "{name:<14}exceeds the budget")?,
        }
    }
    if let Some(followers) = report.followers {
        writeln!(
            shell.out,
            "{:<14}{}",
            "followers",
            grouped(followers as u64)
        )?;
    }
    Ok(())
}
