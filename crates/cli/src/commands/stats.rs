//! `gametree stats`: counts of games, moves and positions.

use std::io::{self, Write};

use desk::games::Games;
use desk::joined::Joined;
use desk::positions::{Identity, Positions};
use desk::report::PositionsReport;
use desk::stats::{Histogram, OpeningCount, Options, Results, Stats, stats};

use crate::amounts::{memory, parse_bytes};
use crate::explore::pages;
use crate::failure::{Exit, Failure};
use crate::files::{Files, ending};
use crate::identity::SamePosition;
use crate::progress::Bar;
use crate::shell::{Shell, Theme};
use kit::number::grouped;

/// Count games, moves, lines, positions, transpositions and openings
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  gametree stats repertoire.pgn
  gametree stats --json games.pgn | jq .positions
  gametree stats --tag White=morphy *.pgn        only these games
  gametree stats --positions repertoire.pgn      all chapters as one graph of positions
  gametree stats --no-positions lichess.pgn.zst  faster, with less memory
  gametree stats --base-fen repertoire.pgn       ignore en passant

A line is a path to a node without continuation. Two positions are the same if board, side to move,
castling rights and en-passant captures agree. A transposed position is reached by several paths:
between lines if neither path is a prefix of the other, repeated if it occurs twice on one path.
A position can be both. The opening of a game is that of the deepest position on its mainline
that has a name.

Counting positions takes time and memory in proportion to their number, up to the limit of --memory;
more positions are sorted in a temporary file, with the same result.")]
pub struct Args {
    #[command(flatten)]
    files: Files,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Count by position: each once, with the moves of all games
    #[arg(long, conflicts_with = "no_positions")]
    positions: bool,
    #[command(flatten)]
    same: SamePosition,
    /// Do not count distinct positions
    #[arg(long)]
    no_positions: bool,
    /// Memory for distinct positions, about 20 bytes for each: 500M, 4G; the rest goes to a
    /// temporary file [default: 1G, at most a quarter of the memory]
    #[arg(
        long,
        value_name = "SIZE",
        value_parser = parse_bytes,
        conflicts_with_all = ["positions", "no_positions"]
    )]
    memory: Option<usize>,
}

/// Counts the games and prints the counts.
pub fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let games = args.files.games()?;
    if args.positions {
        return by_position(&games, args.same.identity(), args.json, shell);
    }
    let options = Options {
        positions: !args.no_positions,
        same: args.same.identity(),
        memory: memory(args.memory),
    };
    let workers = shell.workers();
    let bar = Bar::follow(shell, games.progress(), false);
    let run = stats(&games, options, &workers);
    drop(bar);
    if args.json {
        write_json(&mut shell.out.data(), &run.value)?
    } else {
        write_text(&mut shell.out, &shell.theme, &run.value)?
    }
    Ok(ending(shell, &run, Exit::Fine))
}

/// Counts the positions of all games as one graph.
fn by_position(
    games: &Games,
    same: Identity,
    json: bool,
    shell: &mut Shell,
) -> Result<Exit, Failure> {
    let workers = shell.workers();
    let bar = Bar::follow(shell, games.progress(), false);
    let run = Positions::read(games, &workers, same).map(Joined::new);
    drop(bar);
    let report = PositionsReport::of(&run.value);
    if json {
        shell.out.write_json(&serde_json::json!(report))?;
    } else {
        let coloured = shell.is_coloured();
        for line in pages::positions_report(&report) {
            writeln!(shell.out, "{}", line.paint(coloured))?;
        }
    }
    Ok(ending(shell, &run, Exit::Fine))
}

fn write_json(out: &mut impl Write, stats: &Stats) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, stats)?;
    out.write_all(b"\n")
}

/// The counts and histograms, for people.
pub fn write_text(out: &mut impl Write, theme: &Theme, stats: &Stats) -> io::Result<()> {
    let mut row = |name: &str, count: u64, note: &str| {
        let bold = theme.bold;
        writeln!(out, "{name:<16}{bold}{:>14}{bold:#}{note}", grouped(count))
    };
    row("games", stats.games, "")?;
    row("moves", stats.moves, "")?;
    row("nodes", stats.nodes, "")?;
    row("lines", stats.lines, "")?;
    let several = [
        ("positions", stats.positions, ""),
        ("transposed", stats.transposed, "  reached by several paths"),
        ("  between lines", stats.between_lines, ""),
        ("  repeated", stats.repeated, "  within one line"),
    ];
    for (name, count, note) in several {
        count.map_or(Ok(()), |count| row(name, count, note))?;
    }
    row("longest line", stats.longest_line.into(), "  half-moves")?;
    row(
        "greatest depth",
        stats.max_depth.into(),
        "  deviations from the mainline",
    )?;
    row(
        "complaints",
        stats.complaints,
        if stats.complaints > 0 {
            "  see gametree check"
        } else {
            ""
        },
    )?;
    write_results(out, theme, stats.results)?;
    write_openings(out, theme, &stats.openings)?;
    write_histogram(out, theme, "moves by variation depth", &stats.depths)?;
    write_histogram(
        out,
        theme,
        "lines by length in half-moves",
        &stats.line_lengths,
    )?;
    write_histogram(
        out,
        theme,
        "nodes by number of continuations",
        &stats.branching,
    )
}

fn write_results(out: &mut impl Write, theme: &Theme, results: Results) -> io::Result<()> {
    let rows = [
        ("1-0", results.white),
        ("0-1", results.black),
        ("1/2-1/2", results.draw),
        ("*", results.unknown),
    ];
    let rows: Vec<_> = rows
        .into_iter()
        .map(|(name, count)| (name.to_owned(), count))
        .collect();
    write_bars(out, theme, "games by result", &rows)
}

/// At most this many openings are printed.
const OPENINGS: usize = 10;

fn write_openings(
    out: &mut impl Write,
    theme: &Theme,
    openings: &[OpeningCount],
) -> io::Result<()> {
    let bold = theme.bold;
    if openings.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{bold}games by opening{bold:#}")?;
    for OpeningCount { eco, name, games } in openings.iter().take(OPENINGS) {
        writeln!(out, "{:>12}  {eco} {name}", grouped(*games))?;
    }
    match openings.len().saturating_sub(OPENINGS) {
        0 => Ok(()),
        more => writeln!(
            out,
            "{:>12}  {} more; --json lists all",
            "and",
            grouped(more as u64)
        ),
    }
}

/// At most this many rows; more values than that are put into classes of equal width.
const ROWS: u32 = 16;

fn write_histogram(
    out: &mut impl Write,
    theme: &Theme,
    title: &str,
    histogram: &Histogram,
) -> io::Result<()> {
    let (Some(&least), Some(&most)) = (histogram.keys().next(), histogram.keys().next_back())
    else {
        return Ok(());
    };
    let width = class_width(most - least);
    let mut rows: Vec<(String, u64)> = Vec::new();
    for from in (least - least % width..=most).step_by(width as usize) {
        let to = from.saturating_add(width - 1);
        let name = if width == 1 {
            from.to_string()
        } else {
            format!("{from}–{to}")
        };
        rows.push((
            name,
            histogram.range(from..=to).map(|(_, count)| count).sum(),
        ));
    }
    write_bars(out, theme, title, &rows)
}

/// The least of 1, 2, 5, 10, 20 … that gives few enough classes.
fn class_width(span: u32) -> u32 {
    let widths = (0..10).flat_map(|power| [1, 2, 5].map(|n: u64| n * 10_u64.pow(power)));
    let fits = |width: &u64| u64::from(span) / width < u64::from(ROWS);
    widths
        .filter_map(|width| u32::try_from(width).ok())
        .find(|&width| fits(&width.into()))
        .unwrap_or(u32::MAX)
}

/// The longest bar.
const BAR: u64 = 40;

fn write_bars(
    out: &mut impl Write,
    theme: &Theme,
    title: &str,
    rows: &[(String, u64)],
) -> io::Result<()> {
    let Theme { bold, place, .. } = theme;
    let most = rows
        .iter()
        .map(|&(_, count)| count)
        .max()
        .unwrap_or(0)
        .max(1);
    writeln!(out, "\n{bold}{title}{bold:#}")?;
    for (name, count) in rows.iter().filter(|&&(_, count)| count > 0) {
        let bar =
            "█".repeat((u128::from(*count) * u128::from(BAR) / u128::from(most)).max(1) as usize);
        writeln!(
            out,
            "{name:>12}{:>14}  {place}{bar}{place:#}",
            grouped(*count)
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::class_width;

    #[test]
    fn classes_are_few_and_round() {
        for (span, width) in [
            (0, 1),
            (15, 1),
            (16, 2),
            (31, 2),
            (32, 5),
            (600, 50),
            (u32::MAX, 500_000_000),
        ] {
            assert_eq!(class_width(span), width, "{span}");
        }
    }
}
