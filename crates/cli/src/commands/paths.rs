//! `gametree paths`: every move order to a position, and all its continuations.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;

use desk::paths::{Continuation, MoveOrder, Paths, Transposed, paths, transposed};
use desk::place::Place;
use desk::positions::Positions;
use desk::stats::Results;

use crate::failure::{Exit, Failure};
use crate::files::{ending, game_number, one_file};
use crate::identity::{self, SamePosition};
use crate::progress::Bar;
use crate::shell::{Shell, Theme};
use kit::number::{counted, grouped};

/// List every move order that leads to a position, with all continuations; or all positions where
/// move orders meet
#[derive(clap::Args, Debug)]
#[command(after_help = "\
A PLACE is an address in the table of `gametree show` (6Wc), a numbered move (6.Bc4), a sequence of
moves (`d4 d5 c4`), a position id, or a FEN. A FEN is searched for in all games, and so is a sequence
of moves without --game.

Counts are given twice: how often the move is played from this position, and how often the
position after it is reached, by any move. W/D/L are the games with the move in their main line that
White won, drew and lost.

Without --at, lists the positions where move orders meet, and counts all positions that several
paths reach: between lines if neither path is a prefix of the other, repeated if a position occurs
twice on one path.

Examples:
  gametree paths repertoire.pgn
  gametree paths repertoire.pgn --at 'd4 d5 c4 c6'
  gametree paths repertoire.pgn --game 2 --at 5Bc
  gametree paths repertoire.pgn --at 'rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq -'
  gametree paths repertoire.pgn --at 'd4 Nf6' --json | jq -r '.orders[].path'")]
pub struct Args {
    /// The file, or `-` for standard input; .gz, .bz2 and .zst are decompressed
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The position [default: all positions where move orders meet]
    #[arg(long, value_name = "PLACE")]
    at: Option<Place>,
    /// Number of the game that PLACE belongs to [default: 1; any game for a sequence of moves]
    #[arg(long, value_name = "N", value_parser = game_number)]
    game: Option<NonZeroUsize>,
    /// Show at most N move orders
    #[arg(long, value_name = "N", default_value = "100")]
    max: usize,
    #[command(flatten)]
    same: SamePosition,
    /// Print one JSON object per position and line
    #[arg(long)]
    json: bool,
}

/// Lists the move orders.
pub fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let mut games = one_file(&args.file)?;
    // Only these games of an archive matter; with --game, places are counted among all.
    if let (Some(Ok(board)), None) = (args.at.as_ref().map(Place::board), args.game) {
        games = games.reaching(&board);
    }
    let workers = shell.workers();
    let bar = Bar::follow(shell, games.progress(), false);
    let mut run = Positions::read(&games, &workers, args.same.identity());
    drop(bar);
    let games = run.value.games().len();
    let Shell { out, theme, .. } = shell;
    if let Some(place) = &args.at {
        let found = find(&run.value, place, &args)?;
        if args.json {
            out.write_json(&found)?;
        } else {
            draw(out, theme, &found, games)?;
        }
    } else {
        let found = transposed(&run.value, args.max, &workers.stop);
        run.stopped |= workers.stop.is_raised();
        if args.json {
            let mut all = found.meetings.iter();
            all.try_for_each(|one| out.write_json(one))?;
        } else {
            list(out, theme, &found, games)?;
        }
    }
    Ok(ending(shell, &run, Exit::Fine))
}

fn find(positions: &Positions, place: &Place, args: &Args) -> Result<Paths, Failure> {
    let vertex = match args.game {
        Some(number) => positions.locate(place, number.get() - 1),
        None => positions.locate_anywhere(place),
    };
    let found = paths(positions, vertex.map_err(Failure::new)?, args.max);
    found.ok_or_else(|| Failure::new("position not found"))
}

/// Each position with its move orders, and how many positions there are.
fn list(out: &mut impl Write, theme: &Theme, found: &Transposed, games: usize) -> io::Result<()> {
    let Theme { bold, dim, .. } = theme;
    for one in &found.meetings {
        writeln!(out, "{dim}{}{dim:#}", one.fen)?;
        for (index, order) in one.orders.iter().enumerate() {
            draw_order(out, theme, index + 1, order, games)?;
        }
        let more = if one.complete {
            ""
        } else {
            "     … and more; use --max N\n"
        };
        writeln!(out, "{more}")?;
    }
    let positions = counted(found.meetings.len() as u64, "position");
    writeln!(out, "{bold}{positions}{bold:#} where move orders meet")?;
    let several = identity::transposed(&found.counts);
    writeln!(
        out,
        "{} positions, {several}",
        grouped(found.counts.positions)
    )
}

fn draw(out: &mut impl Write, theme: &Theme, found: &Paths, games: usize) -> io::Result<()> {
    let Theme { bold, dim, .. } = theme;
    writeln!(out, "{dim}{}{dim:#}", found.fen)?;
    let more = if found.complete { "" } else { "more than " };
    let orders = counted(found.orders.len() as u64, "move order");
    let times = counted(found.times, "place");
    writeln!(out, "{bold}{more}{orders}{bold:#}, written in {times}\n")?;
    for (index, order) in found.orders.iter().enumerate() {
        draw_order(out, theme, index + 1, order, games)?;
    }
    if found.continuations.is_empty() {
        return writeln!(out, "\nnothing follows");
    }
    writeln!(
        out,
        "\n{bold}{:<12} {:>9} {:>9} {:>11}  after{bold:#}",
        "then", "this move", "position", "W/D/L"
    )?;
    for next in &found.continuations {
        draw_continuation(out, next)?;
    }
    Ok(())
}

fn draw_order(
    out: &mut impl Write,
    theme: &Theme,
    number: usize,
    order: &MoveOrder,
    games: usize,
) -> io::Result<()> {
    let Theme { dim, place, .. } = theme;
    let game = match games {
        1 => String::new(),
        _ => format!("game {}: ", order.at.game),
    };
    writeln!(
        out,
        "{number:>3}  {dim}{game}{dim:#}{place}{}{place:#}",
        order.at.path
    )?;
    let times = match order.times {
        0 | 1 => String::new(),
        times => format!("written {} times; ", grouped(times)),
    };
    let what = match (&order.joins, &order.link) {
        (Some(joins), _) => format!("not written in full: transposes after {joins}"),
        (None, Some(link)) => format!("{times}ends here: {link}"),
        (None, None) if order.below == 0 => format!("{times}ends here"),
        (None, None) => {
            let moves = counted(order.below, "move");
            let verb = if order.below == 1 {
                "follows"
            } else {
                "follow"
            };
            format!("{times}{moves} {verb}: {}", order.next.join(", "))
        }
    };
    writeln!(out, "     {dim}{what}{dim:#}")
}

fn draw_continuation(out: &mut impl Write, next: &Continuation) -> io::Result<()> {
    let orders: Vec<String> = next.orders.iter().map(ToString::to_string).collect();
    let (times, position) = (grouped(next.times), grouped(next.position_times));
    let Results {
        white, draw, black, ..
    } = next.results;
    let results = match white + draw + black {
        0 => "–".to_owned(),
        _ => format!("{white}/{draw}/{black}"),
    };
    writeln!(
        out,
        "{:<12} {times:>9} {position:>9} {results:>11}  {}",
        next.mv,
        orders.join(", ")
    )
}
