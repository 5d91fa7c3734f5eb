//! `gametree games`: lists of the games of an archive, and counts of players, events, openings.

use std::io::Write;
use std::path::PathBuf;

use desk::archive::{Archive, Column, Direction, Filter, ListOptions, counts, list};
use desk::place::Place;
use kit::number::{counted, grouped};
use serde_json::{Map, Value, json};

use crate::columns::{Align, write_columns};
use crate::failure::{Exit, Failure};
use crate::shell::Shell;

/// List games of an archive: filtered, sorted, by page; or count players, events, openings
#[derive(clap::Args, Debug)]
#[command(after_help = "\
A filter joins conditions by `and`, `or`, `not` and parentheses. A condition is a tag with a test:
  White=carlsen (contains), Event~^Tata (regular expression), WhiteElo>=2700, Date<2000,
  White!=NN, Annotator (tag exists); a value with spaces before `and` needs no quotes, others may
  have them: Event=\"Wijk and Zee\"
or one of these numbers:
  Elo>=2500 (both players), AnyElo, Year, Plies; Player=carlsen is either player

Columns are tags, and Number, Year, Plies, Elo, Opening (by position).

Examples:
  gametree games base --where 'White~carlsen and Result=1-0'
  gametree games base --where 'Player=carlsen and Elo>=2750' --sort Date:down
  gametree games base --at 'e4 c5 c3' --where 'Elo>=2600'   games that reach this position
  gametree games base --page 3 --rows 50
  gametree games base --columns Number,White,Black,Opening,Plies
  gametree games base --count Player                      who played how many games
  gametree games base --where 'Year=2020' --count ECO
  gametree games base --where 'Year=2020' --total         how many games
  gametree games base --where 'Plies>300' --json | jq .White")]
pub struct Args {
    /// The archive
    #[arg(value_name = "ARCHIVE")]
    archive: PathBuf,
    /// Only games that meet this condition
    #[arg(long = "where", value_name = "FILTER", default_value = "")]
    filter: Filter,
    /// Only games that reach this position: moves from the start (`e4 c5`), or a FEN
    #[arg(long, value_name = "PLACE")]
    at: Option<Place>,
    /// The columns, separated by commas
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "Number,White,WhiteElo,Black,BlackElo,Result,Date,ECO,Event"
    )]
    columns: Vec<String>,
    /// Sort by this column; COLUMN:down puts the largest first
    #[arg(long, value_name = "COLUMN")]
    sort: Option<String>,
    /// The page, from 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    page: u64,
    /// Rows of a page
    #[arg(long, value_name = "N", default_value_t = 25, value_parser = clap::value_parser!(u64).range(1..))]
    rows: u64,
    /// Count the values of this column instead, most frequent first
    #[arg(long, value_name = "COLUMN", conflicts_with_all = ["sort"])]
    count: Option<String>,
    /// Print only how many games there are
    #[arg(long, conflicts_with_all = ["sort", "count", "page", "rows", "columns"])]
    total: bool,
    /// Print JSON: one object per row
    #[arg(long)]
    json: bool,
}

/// The widest column.
const WIDEST: usize = 32;

/// Prints the list.
pub fn run(mut args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    if let Some(place) = &args.at {
        let board = place.board().map_err(Failure::new)?;
        args.filter = args.filter.reaching(&board);
    }
    let archive = Archive::open(&args.archive)?;
    if args.total {
        let total = list(&archive, &ListOptions::only(args.filter))?.total;
        match args.json {
            true => shell.out.write_json(&json!({ "games": total }))?,
            false => writeln!(shell.out, "{}", counted(total, "game"))?,
        }
        return Ok(Exit::Fine);
    }
    match &args.count {
        Some(column) => print_counts(&archive, column, &args, shell),
        None => print_list(&archive, &args, shell),
    }
}

fn print_list(archive: &Archive, args: &Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let sort = args.sort.as_deref().map(sorting).transpose()?;
    let options = ListOptions {
        filter: args.filter.clone(),
        columns: args
            .columns
            .iter()
            .map(|name| Column::named(name))
            .collect(),
        sort,
        skip: (args.page - 1).saturating_mul(args.rows),
        limit: args.rows,
    };
    let found = list(archive, &options)?;
    if args.json {
        for row in &found.rows {
            let values = args.columns.iter().zip(&row.values);
            let object = values.map(|(name, value)| (name.clone(), Value::from(value.as_str())));
            shell
                .out
                .write_json(&object.collect::<Map<String, Value>>())?;
        }
        return Ok(Exit::Fine);
    }
    let heads = args
        .columns
        .iter()
        .map(|name| (name.as_str(), alignment(name)));
    let heads: Vec<(&str, Align)> = heads.collect();
    let rows: Vec<Vec<String>> = found.rows.iter().map(|row| row.values.clone()).collect();
    let Shell { out, theme, .. } = shell;
    write_columns(out, theme, &heads, &rows, WIDEST)?;
    let pages = found.total.div_ceil(args.rows).max(1);
    let games = counted(found.total, "game");
    shell.note(&format!(
        "{games}; page {} of {}",
        args.page,
        grouped(pages)
    ));
    Ok(Exit::Fine)
}

fn print_counts(
    archive: &Archive,
    column: &str,
    args: &Args,
    shell: &mut Shell,
) -> Result<Exit, Failure> {
    let found = counts(archive, &args.filter, &Column::named(column))?;
    let skip = usize::try_from((args.page - 1).saturating_mul(args.rows)).unwrap_or(usize::MAX);
    let rows = usize::try_from(args.rows).unwrap_or(usize::MAX);
    let page = found.iter().skip(skip).take(rows);
    if args.json {
        for count in page {
            shell.out.write_json(count)?;
        }
        return Ok(Exit::Fine);
    }
    let lines = page.map(|count| vec![grouped(count.games), count.value.clone()]);
    let lines: Vec<Vec<String>> = lines.collect();
    let heads = [("games", Align::Right), (column, Align::Left)];
    let Shell { out, theme, .. } = shell;
    write_columns(out, theme, &heads, &lines, 2 * WIDEST)?;
    let pages = found.len().div_ceil(rows).max(1) as u64;
    let values = counted(found.len() as u64, "value");
    shell.note(&format!(
        "{values}; page {} of {}",
        args.page,
        grouped(pages)
    ));
    Ok(Exit::Fine)
}

/// `Date:down`.
fn sorting(text: &str) -> Result<(Column, Direction), Failure> {
    let (name, direction) = match text.split_once(':') {
        None => (text, Direction::Up),
        Some((name, "up")) => (name, Direction::Up),
        Some((name, "down")) => (name, Direction::Down),
        Some(_) => {
            return Err(Failure::with_fix(
                format_args!("cannot sort by `{text}`"),
                "use COLUMN, COLUMN:up or COLUMN:down",
            ));
        }
    };
    Ok((Column::named(name), direction))
}

fn alignment(name: &str) -> Align {
    match name {
        "Number" | "WhiteElo" | "BlackElo" | "Elo" | "Year" | "Plies" => Align::Right,
        _ => Align::Left,
    }
}
