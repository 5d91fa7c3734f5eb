//! `gametree compare`: how two sums compare.

use std::io::Write;

use lab::read::{Reading, Task, difference, read};
use lab::solve::{relation_of, solve};
use lab::{Game, Relation};
use serde_json::json;

use crate::failure::{Exit, Failure};
use crate::progress::Clock;
use crate::shell::Shell;
use crate::sums::{LANGUAGE, Limits, advice, sum_of, text_of};

/// Compare two sums: less, equal, greater or confused
#[derive(clap::Args, Debug)]
#[command(after_help = format!("\
{LANGUAGE}

Examples:
  gametree compare 'domineering ..|..' '+-1'      =
  gametree compare 'clobber XXO' '*'              ||, confused
  gametree compare 'clobber XXOXXO >= ^'          a claim: exit status 0 if it is true, else 1
  gametree compare --json '3*(clobber XXO)' '^3'

≥, ≤ and ∥ are read too, and <> for ||."))]
pub struct Args {
    /// A sum, or both with a relation between them: = < > <= >= ||; or `-` to read it from standard
    /// input
    #[arg(value_name = "LEFT", allow_hyphen_values = true)]
    left: String,
    /// The other sum
    #[arg(value_name = "RIGHT", allow_hyphen_values = true)]
    right: Option<String>,
    #[command(flatten)]
    limits: Limits,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Compares the sums.
pub fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let (task, claimed) = task(&args)?;
    let workers = shell.workers();
    let options = args.limits.options(shell)?;
    let clock = Clock::start(shell);
    let solved = solve(&task, &options, &workers);
    drop(clock);
    let known = solved.outcome();
    let relation = known.outcome().map(relation_of);
    let holds = task.claim.as_ref().and_then(|claim| claim.holds(known));
    let reason = solved.gave_up().filter(|_| relation.is_none());
    if args.json {
        let object = json!({
            "relation": relation.map(Relation::symbol),
            "holds": holds.filter(|_| claimed),
            "gave_up": reason.map(|reason| reason.to_string()),
        });
        shell.out.write_json(&object)?;
    } else if claimed {
        let words = holds.map_or("not known".to_owned(), |holds| holds.to_string());
        let is = relation.map(|relation| format!(": left {} right", relation.symbol()));
        let why = reason.map(|reason| format!(": {reason}"));
        writeln!(shell.out, "{words}{}", is.or(why).unwrap_or_default())?;
    } else {
        let words = relation
            .map(in_words)
            .or(reason.map(|_| "not known: "))
            .unwrap_or_default();
        let reason = reason.map(|reason| reason.to_string()).unwrap_or_default();
        writeln!(shell.out, "{words}{reason}")?;
    }
    reason
        .and_then(advice)
        .into_iter()
        .for_each(|fix| shell.note(fix));
    Ok(match (workers.stop.is_raised(), claimed) {
        (true, _) => Exit::Interrupted,
        (false, true) if holds == Some(true) => Exit::Fine,
        (false, false) if relation.is_some() => Exit::Fine,
        (false, _) => Exit::Found,
    })
}

fn in_words(relation: Relation) -> &'static str {
    match relation {
        Relation::Less | Relation::LessOrEqual => "<: the first is less than the second",
        Relation::Equal => "=: they are equal",
        Relation::Greater | Relation::GreaterOrEqual => ">: the first is greater than the second",
        Relation::Confused => "||: they are confused: neither is greater, and they are not equal",
    }
}

/// Two sums, or one text with a claim; returns true for a claim.
fn task(args: &Args) -> Result<(Task, bool), Failure> {
    if let Some(right) = &args.right {
        let (left, right) = (sum(&args.left)?, sum(right)?);
        return Ok((Task::of_sum("", difference(&left, &right)), false));
    }
    let Reading {
        tasks,
        faults,
        text,
        ..
    } = read("", text_of(&args.left)?);
    if let Some(fault) = faults.first() {
        return Err(Failure::new(fault.render(&text)));
    }
    let mut tasks = tasks.into_iter();
    match (tasks.next(), tasks.next()) {
        (Some(_), Some(second)) => Err(Failure::with_fix(
            format_args!(
                "line {}: expected one comparison, found a second",
                second.line
            ),
            "gametree solve -f FILE takes many",
        )),
        (Some(task), None) if task.claim.is_some() => Ok((task, true)),
        _ => Err(Failure::with_fix(
            "no second sum to compare with",
            "give two sums, or a relation: 'clobber XXO > 0'",
        )),
    }
}

fn sum(text: &str) -> Result<Vec<Game>, Failure> {
    sum_of(&text_of(text)?)
}
