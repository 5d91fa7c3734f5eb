//! `gametree show FILE`: the variations table, once.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use desk::book::{Book, title};
use desk::place::Place;
use desk::table::{Cell, Column, Row, label};
use desk::walk::Walk;
use kit::input::{Compression, Source};
use kit::save::Target;
use serde_json::{Value, json};

use crate::failure::{Exit, Failure};
use crate::files::game_number;
use crate::ink::{Ink, Line, flow, wrap};
use crate::output::save_over;
use crate::picture;
use crate::search::invalid_query;
use crate::shell::Shell;
use crate::table::{Layout, other_paths};
use kit::number::{counted, grouped};

/// Show one line of a game in two columns, with the first move of each alternative
#[derive(clap::Args, Debug)]
#[command(after_help = "\
A PLACE is an address in the table (6Wc: move 6, White, alternative c), a numbered move (6.Bc4), a
sequence of moves (`e4 c5 Nf3`), a position id, or a FEN. Addresses can be combined: `6Wc 9Ba`.

Marks after a move: * matches --where, \" has a comment, = position also reached by another path,
· no continuation. The number is the number of lines below; a * after it means that one of them
has a match.

Examples:
  gametree show repertoire.pgn
  gametree show repertoire.pgn --at 'd4 d5 c4'
  gametree show repertoire.pgn --at 6Bc
  gametree show games.pgn --game 3 --at 12W
  gametree show repertoire.pgn --where 'originalcomment \"plan\"'
  gametree show repertoire.pgn --json | jq '.rows[0]'
  gametree show repertoire.pgn -o table.svg               the table as a picture")]
pub struct Args {
    /// The file, or `-` for standard input; .gz, .bz2 and .zst are decompressed
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Number of the game
    #[arg(long, value_name = "N", default_value = "1", value_parser = game_number)]
    game: NonZeroUsize,
    /// Show the line through this position
    #[arg(long, value_name = "PLACE")]
    at: Option<Place>,
    /// Mark the positions that match a CQL query: check, 'N attacks k', 'originalcomment "plan"'
    #[arg(long = "where", value_name = "QUERY")]
    query: Option<String>,
    /// Print the rows as JSON
    #[arg(long)]
    json: bool,
    /// Width of the output [default: width of the terminal, else 80]
    #[arg(long, value_name = "N")]
    columns: Option<usize>,
    /// Write the table as a picture in SVG instead of printing it
    #[arg(short, long, value_name = "FILE.svg", conflicts_with = "json")]
    output: Option<PathBuf>,
}

/// Prints the table.
pub fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let book = Book::open(&Source::from_arg(&args.file))?;
    let mut walk = open_game(&book, args.game)?;
    walk.find_transpositions();
    if let Some(query) = &args.query {
        seek(&mut walk, query)?;
    }
    if let Some(place) = &args.at {
        let node = place
            .find(walk.game_view(), walk.at())
            .map_err(place_failure)?;
        walk.go(node);
    }
    if args.json {
        shell.out.write_json(&to_json(&book, args.game, &walk))?;
        return Ok(Exit::Fine);
    }
    let columns = args.columns.unwrap_or_else(|| shell.columns());
    match &args.output {
        None => print(&book, args.game, &walk, columns, shell)?,
        Some(path) => {
            let picture = picture::svg(&lines(&book, args.game, &walk, columns));
            let target = picture_target(path)?;
            save_over(target.clone(), picture.as_bytes(), shell.overwrite())?;
            if target != Target::Stdout {
                shell.note(&format!("{target} written"));
            }
        }
    }
    Ok(Exit::Fine)
}

/// The table is drawn as SVG only.
fn picture_target(path: &Path) -> Result<Target, Failure> {
    let name = path.to_string_lossy().to_ascii_lowercase();
    let name = Compression::strip_extension(&name);
    if name == "-" || name.ends_with(".svg") {
        return Ok(Target::from_arg(path));
    }
    Err(Failure::with_fix(
        format_args!("unknown picture format of {}", path.display()),
        "the table is drawn as .svg; `gametree draw` draws trees in other formats",
    ))
}

/// The game of this number.
pub fn open_game(book: &Book, number: NonZeroUsize) -> Result<Walk, Failure> {
    let game = book.read(number.get() - 1);
    game.map(Walk::new)
        .ok_or_else(|| no_such_game(book, number))
}

/// Marks the positions that match a query.
pub fn seek(walk: &mut Walk, query: &str) -> Result<(), Failure> {
    walk.find_matches(query).map(drop).map_err(invalid_query)
}

fn no_such_game(book: &Book, number: NonZeroUsize) -> Failure {
    let name = book.name();
    match book.len() {
        0 => Failure::new(format_args!("{name}: this file has no games")),
        len => Failure::new(format_args!(
            "{name}: no game {number}; the file has games 1 to {}",
            grouped(len as u64)
        )),
    }
}

/// A place that could not be found.
pub fn place_failure(error: desk::place::PlaceError) -> Failure {
    Failure::new(&error)
}

/// Prints a game's table with what belongs around it.
pub fn print(
    book: &Book,
    number: NonZeroUsize,
    walk: &Walk,
    columns: usize,
    shell: &mut Shell,
) -> Result<(), Failure> {
    let coloured = shell.is_coloured();
    for line in lines(book, number, walk, columns) {
        writeln!(shell.out, "{}", line.paint(coloured))?;
    }
    Ok(())
}

fn lines(book: &Book, number: NonZeroUsize, walk: &Walk, columns: usize) -> Vec<Line> {
    let mut lines = head(book, number, walk, columns);
    lines.extend(table(walk, columns));
    lines.extend(foot(walk, columns));
    lines
}

/// The file, the game, how large it is.
fn head(book: &Book, number: NonZeroUsize, walk: &Walk, columns: usize) -> Vec<Line> {
    let mut text = file_name(book.name()).to_owned();
    if book.len() > 1 {
        text += &format!(" · game {number} of {}", grouped(book.len() as u64));
    }
    let title = title(&book.tags(number.get() - 1));
    if !title.is_empty() {
        text += &format!(" · {title}");
    }
    text += &format!(" · {}", size(walk));
    let lines = wrap(&text, columns).into_iter();
    lines
        .map(|line| Line::of(line, Ink::Head))
        .chain([Line::default()])
        .collect()
}

fn file_name(name: &str) -> &str {
    let path = Path::new(name);
    let last = path.file_name().and_then(|last| last.to_str());
    last.unwrap_or(name)
}

/// How many lines, moves and positions a game has.
fn size(walk: &Walk) -> String {
    let lines = walk.lines().through(desk::NodeId::ROOT);
    let moves = walk.tree().node_count() as u64 - 1;
    let mut text = format!(
        "{}, {}",
        counted(lines.into(), "line"),
        counted(moves, "move")
    );
    if let Some(transpositions) = walk.transpositions() {
        text += &format!(
            ", {}",
            counted(transpositions.positions() as u64, "position")
        );
        if transpositions.shared() > 0 {
            text += &format!(
                " ({} reached by several paths)",
                grouped(transpositions.shared() as u64)
            );
        }
    }
    if let Some(matches) = walk.matches() {
        text += &format!(
            ", {} * {}",
            grouped(matches.len() as u64),
            match matches.len() {
                1 => "matches",
                _ => "match",
            }
        );
    }
    text
}

/// All rows.
fn table(walk: &Walk, columns: usize) -> Vec<Line> {
    let layout = Layout::new(columns);
    let rows = walk.all_rows();
    if rows.is_empty() {
        return vec![Line::of("no moves", Ink::Faint)];
    }
    let drawn = rows.iter().flat_map(|row| layout.row(row, walk.at()));
    [layout.head()].into_iter().chain(drawn).collect()
}

/// The comments on the current position.
fn foot(walk: &Walk, columns: usize) -> Vec<Line> {
    let node = walk.game().node(walk.at());
    let mut lines = Vec::new();
    if !walk.path().is_empty() {
        lines.push(format!("> {}", walk.path()));
    }
    lines.push(flow(&node.prose()));
    lines.extend(other_paths(walk));
    let shown = lines
        .iter()
        .filter(|line| !line.is_empty())
        .flat_map(|line| wrap(line, columns));
    let shown: Vec<Line> = shown.map(|line| Line::of(line, Ink::Plain)).collect();
    if shown.is_empty() {
        shown
    } else {
        [Line::default()].into_iter().chain(shown).collect()
    }
}

fn to_json(book: &Book, number: NonZeroUsize, walk: &Walk) -> Value {
    let node = walk.game().node(walk.at());
    json!({
        "file": book.name(),
        "game": number,
        "tags": book.tags(number.get() - 1),
        "lines": walk.lines().through(desk::NodeId::ROOT),
        "moves": walk.tree().node_count() - 1,
        "matches": walk.matches().map(desk::walk::Matches::len),
        "at": {
            "path": walk.path(),
            "position_id": walk.tree().position_id(walk.at()).map(|id| id.0),
            "fen": node.fen(),
            "comment": node.comment(),
            "also": walk.other_paths(walk.at(), usize::MAX).0,
        },
        "rows": walk.all_rows().iter().map(|row| row_to_json(row, walk)).collect::<Vec<_>>(),
    })
}

fn row_to_json(row: &Row, walk: &Walk) -> Value {
    let column = match row.second {
        Some(_) => Column::Second,
        None => Column::First,
    };
    let alternatives = row.alternatives.iter().enumerate().map(|(index, cell)| {
        let mut value = cell_to_json(cell, walk);
        value["label"] = label(index).into();
        value
    });
    json!({
        "number": row.number,
        "white": row.first.as_ref().map(|cell| cell_to_json(cell, walk)),
        "black": row.second.as_ref().map(|cell| cell_to_json(cell, walk)),
        "alternatives_to": match column { Column::First => "white", Column::Second => "black" },
        "alternatives": alternatives.collect::<Vec<_>>(),
    })
}

fn cell_to_json(cell: &Cell, walk: &Walk) -> Value {
    json!({
        "san": cell.caption.text,
        "glyphs": cell.caption.glyphs,
        "choice": cell.choice,
        "lines": cell.lines,
        "comment": cell.caption.comment,
        "transposes": cell.caption.transposes,
        "matches": cell.caption.matches,
        "ends": cell.ends,
        "current": cell.node == walk.at(),
    })
}
