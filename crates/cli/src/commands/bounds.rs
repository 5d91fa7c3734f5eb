//! `gametree bounds`: bounds of a sum on a scale of values.

use std::io::Write;

use lab::shared_budget::SharedBudget;
use lab::value::{Ruler, bounds, partial_bounds};
use lab::{Bounds, Dyadic, GaveUp, Mark, Scale};
use serde_json::{Value, json};

use crate::failure::{Exit, Failure};
use crate::progress::Clock;
use crate::shell::Shell;
use crate::sums::{LANGUAGE, Limits, SumArg, advice};

/// Find bounds of a sum: multiples of up, with or without star, and numbers
#[derive(clap::Args, Debug)]
#[command(after_help = format!("\
{LANGUAGE}

A scale is a sequence of values. The bounds are the values of the scale nearest to the sum that are
less than or equal to it, and greater than or equal to it. The sum may be confused with the values
in between. Without --scale, all three scales are used.

Examples:
  gametree bounds 'clobber XXOXXO'
  gametree bounds --scale numbers --step 1/8 --from -2 --to 2 'domineering ...|...'
  gametree bounds --scale ups --to 100 '12*clobber XXO'"))]
pub struct Args {
    #[command(flatten)]
    sum: SumArg,
    /// The scale [default: all three]
    #[arg(long, value_name = "SCALE")]
    scale: Option<Which>,
    /// Distance between two values of the scale of numbers
    #[arg(long, value_name = "NUMBER", default_value = "1/4", value_parser = parse_number)]
    step: Dyadic,
    /// Lowest value of the scale
    #[arg(long, value_name = "NUMBER", default_value = "-16", value_parser = parse_number, allow_hyphen_values = true)]
    from: Dyadic,
    /// Highest value of the scale
    #[arg(long, value_name = "NUMBER", default_value = "16", value_parser = parse_number, allow_hyphen_values = true)]
    to: Dyadic,
    #[command(flatten)]
    limits: Limits,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Which {
    /// Integer multiples of up
    Ups,
    /// Integer multiples of up, plus star
    UpsStar,
    /// Multiples of --step
    Numbers,
}

impl Which {
    const ALL: [Which; 3] = [Which::Ups, Which::UpsStar, Which::Numbers];

    fn name(self) -> &'static str {
        match self {
            Which::Ups => "ups",
            Which::UpsStar => "ups and star",
            Which::Numbers => "numbers",
        }
    }

    fn ruler(self, args: &Args) -> Option<Ruler> {
        let whole = Ruler::numbers(Dyadic::integer(1), &args.from, &args.to)?;
        match self {
            Which::Ups => Some(Ruler {
                scale: Scale::Ups,
                ..whole
            }),
            Which::UpsStar => Some(Ruler {
                scale: Scale::UpsAndStar,
                ..whole
            }),
            Which::Numbers => Ruler::numbers(args.step.clone(), &args.from, &args.to),
        }
    }
}

fn parse_number(text: &str) -> Result<Dyadic, String> {
    lab::value::parse_number(text)
}

/// Prints the bounds.
pub fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    if args.from > args.to {
        return Err(Failure::with_fix(
            "empty scale: --from is greater than --to",
            "swap them",
        ));
    }
    let (text, sum) = args.sum.read()?;
    let stop = shell.stop();
    let mut solver = args.limits.solver(shell)?;
    let mut rows = Vec::new();
    let mut given_up = None;
    let scales = args.scale.map_or(Which::ALL.to_vec(), |one| vec![one]);
    let budget = SharedBudget::open(&solver);
    for (left, &which) in (1..=scales.len()).rev().zip(&scales) {
        solver.set_budget(budget.share_time(&solver, left));
        let ruler = which.ruler(&args).ok_or_else(|| {
            Failure::with_fix(
                "invalid scale: the step is not positive, or there are too many values",
                "use a positive --step, and --from and --to within 2^63 steps of 0",
            )
        })?;
        let clock = Clock::start(shell);
        let found = bounds(&mut solver, &sum, &ruler);
        drop(clock);
        let (row, line) = match found {
            Ok(found) => (to_json(which, &found), words(&found, &ruler)),
            Err(reason) => {
                let known = partial_bounds(&mut solver, &sum, &ruler);
                given_up = Some(reason);
                (
                    known_json(which, &known, reason),
                    known_words(&known, reason),
                )
            }
        };
        if args.json {
            rows.push(row)
        } else {
            writeln!(shell.out, "{:<14}{line}", which.name())?
        }
        if stop.is_raised() {
            break;
        }
    }
    if args.json {
        shell
            .out
            .write_json(&json!({ "sum": text, "bounds": rows }))?;
    }
    match given_up {
        _ if stop.is_raised() => Ok(Exit::Interrupted),
        None => Ok(Exit::Fine),
        Some(reason) => {
            advice(reason).into_iter().for_each(|fix| shell.note(fix));
            Ok(Exit::Found)
        }
    }
}

/// `^ <= G; not solved within the time limit`
fn known_words([below, above]: &[Option<String>; 2], reason: GaveUp) -> String {
    let low = below.as_ref().map(|mark| format!("{mark} <= "));
    let high = above.as_ref().map(|mark| format!(" <= {mark}"));
    match (low, high) {
        (None, None) => reason.to_string(),
        (low, high) => {
            let [low, high] = [low, high].map(Option::unwrap_or_default);
            format!("{low}G{high}; {reason}")
        }
    }
}

fn known_json(which: Which, [below, above]: &[Option<String>; 2], reason: GaveUp) -> Value {
    let mark = |mark: &Option<String>| mark.as_ref().map(|value| json!({ "value": value }));
    json!({
        "scale": which.name(),
        "below": mark(below),
        "above": mark(above),
        "gave_up": reason.to_string(),
    })
}

/// `^ < G <= ^4`
fn words(bounds: &Bounds, ruler: &Ruler) -> String {
    match bounds {
        Bounds {
            below: Some(below),
            above: Some(above),
        } if below.k == above.k => format!("G = {}", below.value),
        Bounds {
            below: None,
            above: None,
        } => format!(
            // If any value were comparable, the one at its end of the scale would be too.
            "confused with all from {} to {}",
            ruler.scale.mark(ruler.low),
            ruler.scale.mark(ruler.high)
        ),
        Bounds { below, above } => {
            let sign = |mark: &Mark| if mark.equal { "=" } else { "<" };
            let low = below
                .as_ref()
                .map(|mark| format!("{} {} ", mark.value, sign(mark)));
            let high = above
                .as_ref()
                .map(|mark| format!(" {} {}", sign(mark), mark.value));
            format!("{}G{}", low.unwrap_or_default(), high.unwrap_or_default())
        }
    }
}

fn to_json(which: Which, bounds: &Bounds) -> Value {
    let mark = |mark: &Option<Mark>| {
        mark.as_ref().map(
            |mark| json!({ "k": mark.k, "value": mark.value.to_string(), "equal": mark.equal }),
        )
    };
    json!({ "scale": which.name(), "below": mark(&bounds.below), "above": mark(&bounds.above) })
}
