//! `gametree convert`: games in another format.

use std::ffi::OsString;
use std::path::Path;

use clap::ValueEnum;
use desk::convert::{ConvertOptions, Converted, Format, Without, convert};
use desk::openings::OpeningTags;
use desk::polyglot::BookOptions;
use kit::input::Compression;
use kit::save::{SaveError, Target};

use crate::failure::{Exit, Failure};
use crate::files::{Files, ending, no_games};
use crate::output::Output;
use crate::parquet::{GameTableArgs, export_games};
use crate::progress::Bar;
use crate::shell::Shell;
use kit::number::counted;

/// Convert games to standard PGN, JSON, FEN, EPD, UCI, an opening book or Parquet tables, or copy them
/// unchanged
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  gametree convert old.pgn -o new.pgn                   standard PGN: 80 columns, seven-tag roster
  gametree convert games.pgn.bz2 -o games.pgn.zst       change the compression
  gametree convert twic/ --tag White=carlsen -o magnus.pgn
  gametree convert games.pgn --games 1-10,15 --keep     these games byte for byte
  gametree convert lichess.pgn --drop clocks,comments -o moves.pgn
  gametree convert games.pgn --add-eco -o named.pgn     ECO and Opening by position
  gametree convert rep.pgn -o rep.jsonl                 one JSON object per game
  gametree convert rep.pgn --to fen | sort -u | wc -l   every position
  gametree convert rep.pgn -o book.bin                  an opening book in Polyglot's format
  gametree convert book.bin -o book.pgn                 its lines, each position continued once
  gametree convert twic/ --parquet columns              tables for DuckDB, Polars, Spark

The weight of a move in a book is its points: a game counts once for each move at a position, two
points if the player of the move won, one for a draw or no result, and one for a move of a
variation. Weights above 65,535 are scaled by position. [%weight N] in a comment sets the points.

OUT is complete or not written at all: if an input cannot be read, if no game is selected, or on
Ctrl-C, an existing file stays unchanged and a new one is not created.")]
pub struct Args {
    #[command(flatten)]
    files: Files,
    /// Output file, compressed according to its extension (.gz, .bz2, .zst); `-` is standard output
    #[arg(
        short,
        long,
        value_name = "OUT",
        default_value = "-",
        conflicts_with = "parquet"
    )]
    output: OsString,
    /// Output format [default: from the extension of OUT, else pgn]
    #[arg(long, value_name = "FORMAT", conflicts_with = "parquet")]
    to: Option<Form>,
    /// Write each game byte for byte as it was read
    #[arg(long, conflicts_with_all = ["to", "drop", "parquet"])]
    keep: bool,
    /// Omit these parts, separated by commas: comments, variations, nags, clocks
    #[arg(
        long,
        value_name = "WHAT",
        value_delimiter = ',',
        conflicts_with = "parquet"
    )]
    drop: Vec<What>,
    /// Add the tags ECO and Opening where they are missing, by the deepest named position
    #[arg(long, conflicts_with_all = ["keep", "parquet"])]
    add_eco: bool,
    /// Set the tags ECO and Opening, also where they exist; removes Variation and SubVariation
    #[arg(long, conflicts_with_all = ["keep", "parquet"])]
    replace_eco: bool,
    /// JSON: include the FEN of each node
    #[arg(long, conflicts_with = "parquet")]
    fens: bool,
    /// FEN and EPD: only the last position of each line
    #[arg(long, conflicts_with = "parquet")]
    ends: bool,
    /// Polyglot: only the first N half-moves of each game
    #[arg(long, value_name = "N", conflicts_with = "parquet")]
    plies: Option<u32>,
    /// Polyglot: only moves of at least N games
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        conflicts_with = "parquet"
    )]
    min_games: u32,
    #[command(flatten)]
    tables: GameTableArgs,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum Form {
    /// PGN in the standard's export format
    Pgn,
    /// One JSON object per game and line, nodes in the order of their position ids
    Json,
    /// One FEN per node
    Fen,
    /// One EPD record per node, with the move that follows (sm) and where it is from (id)
    Epd,
    /// One `position … moves …` command per line of moves
    Uci,
    /// An opening book in Polyglot's format
    Polyglot,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    /// Comments
    Comments,
    /// Everything but the mainline
    Variations,
    /// Glyphs such as ! and $14
    Nags,
    /// Clock and elapsed times
    Clocks,
}

/// Converts the games.
pub fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    if args.tables.place.parquet.is_some() {
        return export_games(args.files.games()?, &args.tables, "convert", shell);
    }
    let target = Target::from_arg(&args.output);
    let plan = args.plan(&target);
    let games = args.files.games()?;
    let workers = shell.workers();
    let mut output = Output::create_over(target.clone(), shell.overwrite())?;
    let bar = Bar::follow(shell, games.progress(), target == Target::Stdout);
    let run = convert(&games, &plan, &workers, &mut output);
    drop(bar);
    let run = run.map_err(|error| SaveError {
        target: target.clone(),
        error,
    })?;
    let is_complete = !run.stopped && run.unread.is_empty();
    if target != Target::Stdout && !is_complete {
        shell.note(&format!("{target} was not written"));
        return Ok(ending(shell, &run, Exit::Fine));
    }
    if run.value.games == 0 && is_complete {
        if target != Target::Stdout {
            return Err(no_games("convert"));
        }
        shell.note("no games to convert");
    }
    output.finish()?;
    if target != Target::Stdout {
        shell.note(&format!("{} written to {target}", amount(&run.value)));
    }
    if run.value.left_out > 0 {
        let games = counted(run.value.left_out, "game");
        shell.note(&format!("left out {games} of other variants of chess"));
    }
    Ok(ending(shell, &run, Exit::Fine))
}

/// What was written, `3 games`.
fn amount(written: &Converted) -> String {
    let games = counted(written.games, "game");
    match written.book_moves {
        Some(moves) => format!("{} of {games}", counted(moves, "move")),
        None => games,
    }
}

impl Args {
    /// The plan that the options select.
    fn plan(&self, target: &Target) -> ConvertOptions {
        let dropped = |what| self.drop.contains(&what);
        ConvertOptions {
            format: match (self.keep, self.to) {
                (true, _) => Format::Keep,
                (false, Some(form)) => form.into(),
                (false, None) => format_of_name(target),
            },
            without: Without {
                comments: dropped(What::Comments),
                variations: dropped(What::Variations),
                nags: dropped(What::Nags),
                clocks: dropped(What::Clocks),
            },
            openings: match (self.replace_eco, self.add_eco) {
                (true, _) => OpeningTags::Replace,
                (false, true) => OpeningTags::Add,
                (false, false) => OpeningTags::Keep,
            },
            fens: self.fens,
            ends: self.ends,
            book: BookOptions {
                plies: self.plies,
                min_games: self.min_games,
            },
        }
    }
}

impl From<Form> for Format {
    fn from(form: Form) -> Format {
        match form {
            Form::Pgn => Format::Pgn,
            Form::Json => Format::Json,
            Form::Fen => Format::Fen,
            Form::Epd => Format::Epd,
            Form::Uci => Format::Uci,
            Form::Polyglot => Format::Polyglot,
        }
    }
}

/// `games.jsonl.gz` selects JSON.
fn format_of_name(target: &Target) -> Format {
    let Target::File(path) = target else {
        return Format::Pgn;
    };
    let name = path.to_string_lossy().to_ascii_lowercase();
    let extension = Path::new(Compression::strip_extension(&name)).extension();
    match extension.and_then(|extension| extension.to_str()) {
        Some("json" | "jsonl" | "ndjson") => Format::Json,
        Some("fen") => Format::Fen,
        Some("epd") => Format::Epd,
        Some("uci") => Format::Uci,
        Some("bin") => Format::Polyglot,
        _ => Format::Pgn,
    }
}
