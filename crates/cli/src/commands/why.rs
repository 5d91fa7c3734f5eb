//! `gametree why`: the winning strategy of a sum in the variations table.

use std::io::Write;
use std::path::PathBuf;

use kit::save::Target;
use lab::strategy::{NoStrategy, StrategyTable, winning_strategy};
use lab::{Format, Paper};
use lab::{Player, sum_text};

use crate::failure::{Exit, Failure};
use crate::ink::{Ink, Line, width, wrap};
use crate::output::save_over;
use crate::progress::Clock;
use crate::shell::Shell;
use crate::sums::{
    LANGUAGE, Limits, SumArg, check_writable, draw_failure, gave_up, parse_player, picture_format,
};
use crate::table::Layout;
use kit::number::counted;

/// Show a winning strategy: a winning reply to every move
#[derive(clap::Args, Debug)]
#[command(after_help = format!("\
{LANGUAGE}

The table shows one line: the winner's moves, and the loser's moves with all alternatives. = marks a
sum that occurs earlier and continues as it does there. A separate checker, which uses only the
rules, verifies the strategy.

A PLACE is a sequence of moves, or addresses: 2Rb is alternative b to Right's move 2.

Examples:
  gametree why 'clobber XOXOXOXO'                 the winner if Left moves first, and how
  gametree why --first right 'domineering ...|...'
  gametree why 'clobber XOXOXOXO' --at 1Rb        if Right tries alternative b
  gametree why 'clobber XOXOXOXO' -o strategy.svg    a picture of the whole; also png, pdf, dot
  gametree why 'clobber XOXOXOXO' -o strategy.html   an interactive page
  gametree why --json 'clobber XXO' > strategy.json"))]
pub struct Args {
    #[command(flatten)]
    sum: SumArg,
    /// The player who moves first
    #[arg(long, value_name = "PLAYER", value_parser = parse_player, default_value = "left")]
    first: Player,
    /// Show the line through this position
    #[arg(long, value_name = "PLACE")]
    at: Option<String>,
    /// Give up if the strategy has more moves
    #[arg(long, value_name = "N", default_value = "100000")]
    max_moves: usize,
    /// Draw the whole strategy: strategy.svg, .png, .pdf, .dot or .html
    #[arg(long, short, value_name = "FILE", conflicts_with = "json")]
    output: Option<PathBuf>,
    /// Width of the output [default: width of the terminal, else 80]
    #[arg(long, value_name = "N")]
    columns: Option<usize>,
    #[command(flatten)]
    limits: Limits,
    /// Print the whole strategy as one JSON object
    #[arg(long)]
    json: bool,
}

/// Shows the strategy.
pub fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let (_, sum) = args.sum.read()?;
    let form = |path: &PathBuf| picture_format(path, Format::Svg, "svg, png, pdf, dot or html");
    let format = args.output.as_ref().map(form).transpose()?;
    check_writable(args.output.as_deref(), shell)?;
    let mut solver = args.limits.solver(shell)?;
    let clock = Clock::start(shell);
    let found = winning_strategy(&mut solver, &sum, args.first, args.max_moves);
    drop(clock);
    let mut found = match found {
        Ok(found) => found,
        Err(NoStrategy::GaveUp(reason)) => return gave_up(shell, reason, args.json),
        Err(large @ NoStrategy::TooLarge { .. }) => {
            shell.error(&large.to_string(), Some("use a larger --max-moves"));
            return Ok(Exit::Found);
        }
        Err(other) => return Err(Failure::new(other)),
    };
    if let Some(place) = &args.at {
        found.go(place).map_err(Failure::new)?;
    }
    if let (Some(path), Some(format)) = (&args.output, format) {
        let bytes = found
            .draw(&Paper::default(), format)
            .map_err(draw_failure)?;
        save_over(Target::from_arg(path), &bytes, shell.overwrite())?;
        return Ok(Exit::Fine);
    }
    if args.json {
        shell.out.write_json(&found.to_json())?;
        return Ok(Exit::Fine);
    }
    /// The longest word must fit.
    const NARROWEST: usize = 24;
    let columns = args
        .columns
        .unwrap_or_else(|| shell.columns())
        .max(NARROWEST);
    let coloured = shell.is_coloured();
    for line in draw(&found, &sum_text(&sum), columns) {
        writeln!(shell.out, "{}", line.paint(coloured))?;
    }
    Ok(Exit::Fine)
}

/// The sum, the table, and the end of the line.
fn draw(strategy: &StrategyTable, sum: &str, columns: usize) -> Vec<Line> {
    let heading = format!(
        "{sum} · {} moves first, {} wins · {}, {}",
        strategy.first(),
        strategy.winner(),
        counted(u64::from(strategy.lines()), "line"),
        counted(strategy.moves() as u64, "move")
    );
    let mut lines: Vec<Line> = wrap(&heading, columns)
        .into_iter()
        .map(|text| Line::of(text, Ink::Head))
        .collect();
    lines.push(Line::default());
    let rows = strategy.rows();
    let names = rows
        .iter()
        .flat_map(|row| row.first.iter().chain(&row.second))
        .map(|cell| width(&cell.caption.text));
    let layout = Layout::with_moves(columns, names.max().unwrap_or(0).clamp(6, 40) + 6);
    if !rows.is_empty() {
        lines.push(layout.head_of(["Left", "Right"]));
        lines.extend(rows.iter().flat_map(|row| layout.row(row, strategy.at())));
        lines.push(Line::default());
    }
    lines.extend(
        wrap(&ending(strategy), columns)
            .into_iter()
            .map(|text| Line::of(text, Ink::Plain)),
    );
    lines
}

/// How the line that is shown ends.
fn ending(strategy: &StrategyTable) -> String {
    let end = strategy.end();
    let sum = sum_text(&strategy.sum_at(end));
    match strategy.link(end) {
        Some(before) => {
            let path = strategy.path(before);
            let after = if path.is_empty() {
                "the start".to_owned()
            } else {
                path.join(" ")
            };
            format!("{sum}: continues as after {after}")
        }
        None => format!(
            "{sum}: {} cannot move, {} wins",
            !strategy.winner(),
            strategy.winner()
        ),
    }
}
