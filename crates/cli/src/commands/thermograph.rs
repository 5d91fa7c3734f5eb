//! `gametree thermograph`: the thermograph of a sum, drawn.

use std::io::Write;
use std::path::PathBuf;

use kit::save::Target;
use lab::answers::points;
use lab::{Format, Paper};
use lab::{Player, Thermograph, thermograph};
use serde_json::{Value, json};

use crate::failure::{Exit, Failure};
use crate::output::save_over;
use crate::progress::Clock;
use crate::shell::Shell;
use crate::sums::{
    LANGUAGE, Limits, SumArg, check_writable, draw_failure, gave_up, picture_format,
};

/// Draw the thermograph of a sum, as text or as a picture
#[derive(clap::Args, Debug)]
#[command(after_help = format!("\
{LANGUAGE}

Temperature increases upwards. Left's wall is on the left, as usual, so values decrease from left to
right. The walls extend down to temperature -1.

Examples:
  gametree thermograph '{{4||2|-1}}'
  gametree thermograph 'domineering ....|....' -o t.svg
  gametree thermograph --json 'amazons X..|...|..O'"))]
pub struct Args {
    #[command(flatten)]
    sum: SumArg,
    /// Write a picture: t.svg, t.png or t.pdf
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Height of the drawing in lines
    #[arg(long, value_name = "N", default_value = "20")]
    lines: usize,
    /// Width of the drawing in columns [default: width of the terminal, at most 100]
    #[arg(long, value_name = "N")]
    columns: Option<usize>,
    #[command(flatten)]
    limits: Limits,
    /// Print the corners of both walls as JSON
    #[arg(long)]
    json: bool,
}

/// Draws the thermograph.
pub fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let (text, sum) = args.sum.read()?;
    let form = |path: &PathBuf| picture_format(path, Format::Svg, "svg, png or pdf");
    let format = args.output.as_ref().map(form).transpose()?;
    check_writable(args.output.as_deref(), shell)?;
    let mut solver = args.limits.solver(shell)?;
    let clock = Clock::start(shell);
    let graph = solver.thermograph(&sum);
    drop(clock);
    let graph = match graph {
        Ok(graph) => graph,
        Err(reason) => return gave_up(shell, reason, args.json),
    };
    if let (Some(path), Some(format)) = (&args.output, format) {
        let bytes =
            thermograph::picture(&graph, &text, &Paper::default(), format).map_err(draw_failure)?;
        save_over(Target::from_arg(path), &bytes, shell.overwrite())?;
    }
    if args.json {
        shell.out.write_json(&to_json(&text, &graph))?;
    } else if args.output.is_none() {
        let columns = args.columns.unwrap_or_else(|| shell.columns().min(100));
        write!(
            shell.out,
            "{}",
            thermograph::text(&graph, columns, args.lines)
        )?;
        writeln!(
            shell.out,
            "mean {}, temperature {}",
            graph.mean(),
            graph.temperature()
        )?;
    }
    Ok(Exit::Fine)
}

fn to_json(text: &str, graph: &Thermograph) -> Value {
    let wall = |player| {
        let corners = points(graph, player).into_iter();
        corners
            .map(|(value, t)| json!([value.to_string(), t.to_string()]))
            .collect::<Vec<_>>()
    };
    json!({
        "sum": text,
        "mean": graph.mean().to_string(),
        "temperature": graph.temperature().to_string(),
        "left_wall": wall(Player::Left),
        "right_wall": wall(Player::Right),
    })
}
