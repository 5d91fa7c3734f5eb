//! `gametree show FILE`: the variations table, once.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use desk::NodeId;
use desk::book::title;
use desk::place::Place;
use desk::positions::PositionCounts;
use desk::report::NodeReport;
use desk::session::Session;
use desk::table::{Cell, Column, Row, label};
use desk::walk::Walk;
use kit::input::Compression;
use kit::save::Target;
use serde_json::{Value, json};

use crate::failure::{Exit, Failure};
use crate::files::game_number;
use crate::identity::{Joined, transposed};
use crate::ink::{Ink, Line, wrap};
use crate::output::save_over;
use crate::picture;
use crate::search::invalid_query;
use crate::sessions::{file_name, open_at, place_failure};
use crate::shell::Shell;
use crate::table::{Layout, other_paths};
use desk::notation::flow;
use kit::number::{counted, grouped};

/// Show one line of a game in two columns, with the first move of each alternative
#[derive(clap::Args, Debug)]
#[command(after_help = "\
A PLACE is an address in the table (6Wc: move 6, White, alternative c), a numbered move (6.Bc4), a
sequence of moves (`e4 c5 Nf3`), a position id, or a FEN. Addresses can be combined: `6Wc 9Ba`.

Marks after a move: * matches --where, \" has a comment, = position also reached by another line,
· no continuation. The number is the number of lines below; a * after it means that one of them
has a match. = also marks positions of other games of the file, unless it is longer than 4 MB.

With --positions the table shows each position once, with the moves of all games. [2] after a move:
it is written in game 2; a move without games is written in the same games as the one before it.

Examples:
  gametree show repertoire.pgn
  gametree show repertoire.pgn --at 'd4 d5 c4'
  gametree show repertoire.pgn --at 6Bc
  gametree show games.pgn --game 3 --at 12W
  gametree show repertoire.pgn --where 'originalcomment \"plan\"'
  gametree show repertoire.pgn --json | jq '.rows[0]'
  gametree show --positions repertoire.pgn games.pgn --at 'd4 Nf6 c4'
  gametree show repertoire.pgn -o table.svg               the table as a picture")]
pub struct Args {
    /// The files, or `-` for standard input; .gz, .bz2 and .zst are decompressed
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Number of the game, counted through all files
    #[arg(long, value_name = "N", default_value = "1", value_parser = game_number)]
    game: NonZeroUsize,
    /// Show the line through this position
    #[arg(long, value_name = "PLACE")]
    at: Option<Place>,
    /// Mark the positions that match a CQL query: check, 'N attacks k', 'originalcomment "plan"'
    #[arg(long = "where", value_name = "QUERY")]
    query: Option<String>,
    #[command(flatten)]
    joined: Joined,
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
    let mut session = open_at(&args.files, args.game, args.joined)?;
    if let Some(query) = &args.query {
        session.set_query(Some(query)).map_err(invalid_query)?;
    }
    session.find_marks();
    if let Some(place) = &args.at {
        session.walk_mut().go_to(place).map_err(place_failure)?;
    }
    if args.json {
        shell.out.write_json(&to_json(&mut session))?;
        return Ok(Exit::Fine);
    }
    let columns = args.columns.unwrap_or_else(|| shell.columns());
    match &args.output {
        None => print(&session, columns, shell)?,
        Some(path) => {
            let picture = picture::svg(&lines(&session, columns));
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

/// Marks the positions that match a query.
pub fn seek(walk: &mut Walk, query: &str) -> Result<(), Failure> {
    walk.find_matches(query).map(drop).map_err(invalid_query)
}

/// Prints a game's table with what belongs around it.
pub fn print(session: &Session, columns: usize, shell: &mut Shell) -> Result<(), Failure> {
    let coloured = shell.is_coloured();
    for line in lines(session, columns) {
        writeln!(shell.out, "{}", line.paint(coloured))?;
    }
    Ok(())
}

fn lines(session: &Session, columns: usize) -> Vec<Line> {
    let mut lines = head(session, columns);
    lines.extend(table(session.walk(), columns));
    lines.extend(foot(session.walk(), columns));
    lines
}

/// The file, the game, how large it is.
fn head(session: &Session, columns: usize) -> Vec<Line> {
    let walk = session.walk();
    let names: Vec<&str> = session
        .files()
        .iter()
        .map(|file| file_name(file.name()))
        .collect();
    let mut text = match names.as_slice() {
        [_] => names[0].to_owned(),
        _ if session.is_joined() => names.join(", "),
        _ => file_name(session.file().name()).to_owned(),
    };
    let games = grouped(session.game_count() as u64);
    if session.is_joined() {
        text += &format!(
            " · positions of {}",
            counted(session.game_count() as u64, "game")
        );
    } else if session.game_count() > 1 {
        text += &format!(" · game {} of {games}", session.game() + 1);
    }
    let title = title(&session.tags(session.game()));
    if !title.is_empty() && !session.is_joined() {
        text += &format!(" · {title}");
    }
    text += &format!(" · {}", size(walk));
    let lines = wrap(&text, columns).into_iter();
    lines
        .map(|line| Line::of(line, Ink::Head))
        .chain([Line::default()])
        .collect()
}

/// How many lines, moves and positions a game has.
fn size(walk: &Walk) -> String {
    if let Some(joined) = walk.joined_graph() {
        return joined_size(joined) + &matches(walk);
    }
    let lines = walk.lines().through(NodeId::ROOT);
    let moves = walk.tree().node_count() as u64 - 1;
    let mut text = format!(
        "{}, {}",
        counted(lines.into(), "line"),
        counted(moves, "move")
    );
    if let Some(transpositions) = walk.transpositions() {
        let counts = transpositions.counts();
        text += &format!(", {}", counted(counts.positions, "position"));
        if counts.transposed > 0 {
            text += &format!(" ({})", transposed(&counts));
        }
    }
    text + &matches(walk)
}

fn joined_size(joined: &desk::joined::Joined) -> String {
    let graph = joined.positions().graph();
    let mut text = format!(
        "{}, {}",
        counted(graph.edge_count() as u64, "move"),
        counted(graph.vertex_count() as u64, "position")
    );
    let counts = joined.shared().counts();
    if counts.transposed > 0 {
        text += &format!(" ({})", transposed(&counts));
    }
    text
}

fn matches(walk: &Walk) -> String {
    let Some(matches) = walk.matches() else {
        return String::new();
    };
    let verb = if matches.len() == 1 {
        "matches"
    } else {
        "match"
    };
    format!(", {} * {verb}", grouped(matches.len() as u64))
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
        lines.extend(walk.opening().map(|opening| opening.to_string()));
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

/// The counts of the game, or of all games in positions mode.
fn counts(walk: &Walk) -> Option<PositionCounts> {
    let joined = walk.joined_graph().map(|joined| joined.shared().counts());
    let own = || Some(walk.transpositions()?.counts());
    joined.or_else(own)
}

fn to_json(session: &mut Session) -> Value {
    let at = NodeReport::of(session.walk_mut());
    let walk = session.walk();
    let rows = walk.all_rows();
    let ids = Ids::of(walk);
    json!({
        "mode": if session.is_joined() { "positions" } else { "tree" },
        "file": session.file().name(),
        "files": session.files().iter().map(|file| file.name()).collect::<Vec<_>>(),
        "game": session.game() + 1,
        "games": session.game_count(),
        "tags": session.tags(session.game()),
        "lines": walk.lines().through(NodeId::ROOT),
        "moves": walk.joined_graph().map_or(walk.tree().node_count() - 1, |joined| {
            joined.positions().graph().edge_count()
        }),
        "counts": counts(walk),
        "matches": walk.matches().map(desk::walk::Matches::len),
        "at": {
            "path": at.path,
            "position_id": at.id,
            "fen": at.fen,
            "opening": at.opening,
            "ply": at.ply,
            "halfmove": at.halfmove,
            "depth": at.depth,
            "least_depth": at.depths.map(|depths| depths.0),
            "greatest_depth": at.depths.map(|depths| depths.1),
            "deviations": at.deviations,
            "comment": at.comment,
            "also": walk.other_paths(walk.at(), usize::MAX).0,
            "places": at.places,
        },
        "rows": rows.iter().map(|row| row_to_json(row, walk, &ids)).collect::<Vec<_>>(),
    })
}

/// The position ids of nodes; in positions mode the numbers of their positions.
struct Ids<'a> {
    walk: &'a Walk,
    /// By node.
    ids: Vec<u32>,
}

impl<'a> Ids<'a> {
    fn of(walk: &'a Walk) -> Ids<'a> {
        let mut ids = vec![0; walk.tree().capacity_used()];
        for (node, id) in walk.tree().preorder().zip(0..) {
            ids[node.index()] = id;
        }
        Ids { walk, ids }
    }

    fn get(&self, node: NodeId) -> u32 {
        let vertex = self.walk.vertex_of(node);
        vertex.map_or(self.ids[node.index()], |vertex| vertex.0)
    }
}

fn row_to_json(row: &Row, walk: &Walk, ids: &Ids) -> Value {
    let column = match row.second {
        Some(_) => Column::Second,
        None => Column::First,
    };
    let alternatives = row.alternatives.iter().enumerate().map(|(index, cell)| {
        let mut value = cell_to_json(cell, walk, ids);
        value["label"] = label(index).into();
        value
    });
    json!({
        "number": row.number,
        "white": row.first.as_ref().map(|cell| cell_to_json(cell, walk, ids)),
        "black": row.second.as_ref().map(|cell| cell_to_json(cell, walk, ids)),
        "alternatives_to": match column { Column::First => "white", Column::Second => "black" },
        "alternatives": alternatives.collect::<Vec<_>>(),
    })
}

fn cell_to_json(cell: &Cell, walk: &Walk, ids: &Ids) -> Value {
    let mut value = json!({
        "san": cell.caption.text,
        "node": ids.get(cell.node),
        "glyphs": cell.caption.glyphs,
        "choice": cell.choice,
        "lines": cell.lines,
        "comment": cell.caption.comment,
        "transposes": cell.caption.transposes,
        "matches": cell.caption.matches,
        "ends": cell.ends,
        "current": cell.node == walk.at(),
    });
    if let Some((joined, edge)) = walk.joined_graph().zip(walk.edge_to(cell.node)) {
        value["games"] = joined.games_of(edge).into();
    }
    value
}
