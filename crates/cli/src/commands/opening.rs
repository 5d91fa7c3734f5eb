//! `gametree opening`: what was played from a position in the games of archives.

use std::io::{self, Write};
use std::path::PathBuf;

use desk::archive::{Archive, Filter, OpeningGame, OpeningMove, OpeningTable, opening};
use desk::place::Place;
use kit::number::{counted, grouped};

use crate::columns::{Align, write_columns};
use crate::failure::{Exit, Failure};
use crate::parquet;
use crate::score::{results, score_bar};
use crate::shell::{Shell, Theme};

/// Show the moves played from a position in the games of archives, with results and ratings
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Each move has the games in which it was played here, its share, the results (White wins, draws,
Black wins), the mean rating of the players who chose it, their performance, the year in which it
was played last, and the games that reached the position after it by any order of moves. A game that
repeats the position counts once, with the move it played first.

Examples:
  gametree opening base                                    the initial position
  gametree opening base --at 'e4 c5 Nf3 d6'
  gametree opening base old-base --at 'rnbqkb1r/pp2pppp/3p1n2/8/3NP3/8/PPP2PPP/RNBQKB1R w KQkq -'
  gametree opening base --at 'd4 Nf6' --filter 'Elo>=2500 and Date>=2015'
  gametree opening base --at 'e4 e5' --json | jq -r '.moves[].san'
  gametree opening tables --at 'd4 d5'                     of `archive export --parquet tables`

A filter is described in `gametree games --help`.")]
pub struct Args {
    /// Archives, searched as one; or folders with Parquet tables of openings
    #[arg(required = true, value_name = "ARCHIVES")]
    archives: Vec<PathBuf>,
    /// The position: moves from the start (`e4 c5`), or a FEN [default: the initial position]
    #[arg(long, value_name = "PLACE")]
    at: Option<Place>,
    /// Only games that meet this condition
    #[arg(long, value_name = "FILTER", default_value = "")]
    filter: Filter,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The widest score bar.
const BAR: usize = 24;

/// Prints the table.
pub fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let board = match &args.at {
        Some(place) => place.board().map_err(Failure::new)?,
        None => desk::Board::new(),
    };
    let table = match args.archives.iter().any(|path| parquet::is_table(path)) {
        true => from_tables(&args, &board)?,
        false => {
            let archives = args.archives.iter().map(|path| Archive::open(path));
            opening(
                &archives.collect::<Result<Vec<_>, _>>()?,
                &board,
                &args.filter,
            )?
        }
    };
    if args.json {
        shell.out.write_json(&table)?;
        return Ok(Exit::Fine);
    }
    let bar = shell.columns().saturating_sub(56).clamp(8, BAR);
    let Shell { out, theme, .. } = shell;
    write_table(out, theme, &table, bar)?;
    Ok(Exit::Fine)
}

/// The statistics that Parquet tables hold: not by game.
fn from_tables(args: &Args, board: &desk::Board) -> Result<OpeningTable, Failure> {
    if let Some(other) = args.archives.iter().find(|path| !parquet::is_table(path)) {
        return Err(Failure::with_fix(
            format_args!("{}: no table of openings", other.display()),
            "name only folders with Parquet tables, or only archives",
        ));
    }
    if !args.filter.is_everything() {
        return Err(Failure::with_fix(
            "--filter needs the games, and the table of openings holds only their statistics",
            "filter the table of positions with SQL, see docs/scale.md, or name an archive",
        ));
    }
    parquet::opening(&args.archives, board)
}

fn write_table(
    out: &mut impl Write,
    theme: &Theme,
    table: &OpeningTable,
    bar: usize,
) -> io::Result<()> {
    let Theme { bold, dim, .. } = theme;
    writeln!(out, "{dim}{}{dim:#}", table.fen)?;
    if let (Some(eco), Some(name)) = (table.eco, table.opening) {
        writeln!(out, "{eco} {name}")?;
    }
    let results = results(table.white, table.draws, table.black);
    let games = counted(table.games, "game");
    writeln!(out, "{bold}{games}{bold:#}{results}\n")?;
    if !table.moves.is_empty() {
        write_moves(out, theme, &table.moves, bar)?;
    }
    for (title, games) in [("best", &table.best), ("latest", &table.latest)] {
        if !games.is_empty() {
            writeln!(out, "\n{bold}{title} games{bold:#}")?;
            games.iter().try_for_each(|game| write_game(out, game))?;
        }
    }
    Ok(())
}

fn write_moves(
    out: &mut impl Write,
    theme: &Theme,
    moves: &[OpeningMove],
    bar: usize,
) -> io::Result<()> {
    let heads = [
        ("move", Align::Left),
        ("games", Align::Right),
        ("share", Align::Right),
        ("1-0 = 0-1", Align::Left),
        ("Elo", Align::Right),
        ("perf", Align::Right),
        ("last", Align::Right),
        ("reached", Align::Right),
    ];
    let number = |value: Option<String>| value.unwrap_or_default();
    let rows = moves.iter().map(|m| {
        vec![
            m.san.clone(),
            grouped(m.games),
            format!("{:.1} %", 100.0 * m.share),
            score_bar(m, bar),
            number(m.average_elo.map(|elo| elo.to_string())),
            number(m.performance.map(|elo| elo.to_string())),
            number(m.last_year.map(|year| year.to_string())),
            grouped(m.reached),
        ]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    write_columns(out, theme, &heads, &rows, bar.max(12))
}

fn write_game(out: &mut impl Write, game: &OpeningGame) -> io::Result<()> {
    let player = |name: &str, elo: Option<u32>| match elo {
        Some(elo) => format!("{name} ({elo})"),
        None => name.to_string(),
    };
    let (white, black) = (
        player(&game.white, game.white_elo),
        player(&game.black, game.black_elo),
    );
    writeln!(
        out,
        "  {:>8}  {}  {white} – {black}  {}  {}",
        game.number, game.date, game.result, game.event
    )
}
