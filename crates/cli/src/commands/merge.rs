//! `gametree merge`: merges games into one tree.

use std::ffi::OsString;
use std::io::{self, Write};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use desk::games::{Games, Run};
use desk::merge::{
    Conflict, Cut, FilePlan, KeptAnnotations, Measurements, Merge, MergePlan, Order, Record, Rules,
    merge, pieces,
};
use kit::input::Source;
use kit::limits::Size;
use kit::save::{SaveError, Target};

use crate::amounts::parse_bytes;
use crate::failure::{Exit, Failure};
use crate::files::{Files, ending, no_games};
use crate::identity::SamePosition;
use crate::output::Output;
use crate::printer::Printer;
use crate::progress::Bar;
use crate::shell::{Shell, Theme};
use kit::number::{counted, grouped};

/// Merge games and files into one tree, or one per start position, without losing anything
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Prints a plan first: what each file contains, shares and adds, and conflicts. Then writes OUT,
whole or not at all. Equal comments are kept once; different comments are all kept, each with its
source ([%src a.pgn]). Annotation glyphs are combined. The first file decides the order of moves.
Where games share a move, clock times and evaluations that not all of them have are omitted.

FILE:RULE selects games of one file, with a rule as for --tag: games.pgn:White=carlsen. Several
rules are separated by colons.

Time and memory grow with the number of different moves: a million games of a database, 63 million
moves, take 1.2 GB. Positions are counted in what --memory leaves, at most 1G, and beyond that in a
temporary file.

Examples:
  gametree merge a.pgn b.pgn -o all.pgn
  gametree merge a.pgn b.pgn --dry-run                only the plan
  gametree merge a.pgn b.pgn --main b.pgn -o all.pgn  b's main line comes first
  gametree merge twic/ --ply 30 --order frequency --drop clocks -o tree.pgn
  gametree merge twic/ --tag White=carlsen --record counts --ply 20 -o openings.pgn
  gametree merge repertoire.pgn games.pgn:White=carlsen -o all.pgn
  gametree merge chapters.pgn --split 3000 -o study.pgn
  gametree merge repertoire.pgn --lines -o lines.pgn  one game per line")]
pub struct Args {
    #[command(flatten)]
    files: Files,
    /// Output file, compressed according to its extension (.gz, .bz2, .zst); `-` is standard output
    #[arg(short, long, value_name = "OUT", required_unless_present = "dry_run")]
    output: Option<OsString>,
    /// Print the plan and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Print the plan as one JSON object
    #[arg(long)]
    json: bool,
    /// Merge this file first: its main line becomes the main line
    #[arg(long, value_name = "FILE")]
    main: Option<PathBuf>,
    /// Which of several moves is the main move
    #[arg(long, value_name = "RULE", default_value = "file")]
    order: By,
    /// Keep only the first N half-moves of each line
    #[arg(long, value_name = "N")]
    ply: Option<NonZeroU32>,
    /// How to record players, events, dates and results
    #[arg(long, value_name = "HOW", default_value = "tags")]
    record: RecordArg,
    /// Omit these parts, separated by commas: comments, nags, clocks
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    drop: Vec<What>,
    /// Keep clock times and evaluations of single games on shared moves
    #[arg(long)]
    keep_clocks: bool,
    /// Split the result into games of at most N moves, at branch points
    #[arg(long, value_name = "N")]
    split: Option<NonZeroU32>,
    /// Write one game per line
    #[arg(long, conflicts_with = "split")]
    lines: bool,
    #[command(flatten)]
    same: SamePosition,
    /// The most memory for the merged games, 16 bytes for each move and 300 for each comment: 500M,
    /// 4G [default: a quarter of the memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    memory: Option<usize>,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum By {
    /// The move that came first
    File,
    /// The move with more games
    Frequency,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum RecordArg {
    /// Keep the tags that all games share
    Tags,
    /// Add a comment after each move: number of games, and W/D/L of White
    Counts,
    /// Add a comment at the end of each game: players, event, year, result
    Names,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    /// Comments
    Comments,
    /// Glyphs such as ! and $14
    Nags,
    /// Clock and elapsed times
    Clocks,
}

/// Merges the games.
pub fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let rules = args.rules();
    let mut games = args.files.clone().games()?;
    put_first(&mut games, args.main.as_ref())?;
    let workers = shell.workers();
    let bar = Bar::follow(shell, games.progress(), false);
    let run = merge(&games, &rules, &workers);
    drop(bar);
    if run.value.plan.games == 0 && !run.stopped && run.unread.is_empty() {
        return Err(no_games("merge"));
    }
    let target = args
        .output
        .as_ref()
        .filter(|_| !args.dry_run)
        .map(Target::from_arg);
    show(&args, shell, &run.value.plan, target.as_ref())?;
    if run.stopped || !run.unread.is_empty() {
        shell.note("nothing was written");
    } else if let Some(target) = target {
        write(&args, shell, &run, target)?;
    }
    Ok(ending(shell, &run, Exit::Fine))
}

impl Args {
    /// The rules that the options select.
    fn rules(&self) -> Rules {
        let keep = |what| !self.drop.contains(&what);
        Rules {
            cut: self.ply.map(NonZeroU32::get),
            keep: KeptAnnotations {
                comments: keep(What::Comments),
                nags: keep(What::Nags),
                clocks: keep(What::Clocks),
            },
            record: match self.record {
                RecordArg::Tags => Record::Tags,
                RecordArg::Counts => Record::Counts,
                RecordArg::Names => Record::Names,
            },
            order: match self.order {
                By::File => Order::File,
                By::Frequency => Order::Frequency,
            },
            measurements: if self.keep_clocks {
                Measurements::Keep
            } else {
                Measurements::DropOfSingleGames
            },
            same: self.same.identity(),
            memory: self.memory.map(|bytes| Size(bytes as u64)),
        }
    }
}

fn put_first(games: &mut Games, main: Option<&PathBuf>) -> Result<(), Failure> {
    let Some(main) = main else { return Ok(()) };
    if games.put_first(&Source::from_arg(main)) {
        return Ok(());
    }
    Err(Failure::with_fix(
        format_args!("--main {}: not among the files to merge", main.display()),
        "list it among FILES too, with the same spelling",
    ))
}

/// The plan: on standard error if the games go to standard output.
fn show(
    args: &Args,
    shell: &mut Shell,
    plan: &MergePlan,
    target: Option<&Target>,
) -> Result<(), Failure> {
    if shell.is_quiet() && !args.json {
        return Ok(());
    }
    match target {
        Some(Target::Stdout) => print_plan(args, &mut shell.err, &shell.error_theme, plan)?,
        _ => print_plan(args, &mut shell.out, &shell.theme, plan)?,
    }
    Ok(())
}

fn print_plan<W: Write>(
    args: &Args,
    out: &mut Printer<W>,
    theme: &Theme,
    plan: &MergePlan,
) -> io::Result<()> {
    if args.json {
        out.write_json(plan)?;
    } else {
        draw(out, theme, plan, args.order)?;
    }
    out.flush()
}

fn write(args: &Args, shell: &mut Shell, run: &Run<Merge>, target: Target) -> Result<(), Failure> {
    let cut = match args.split {
        _ if args.lines => Cut::Lines,
        Some(limit) => Cut::Pieces(limit.get()),
        None => Cut::Whole,
    };
    let mut output = Output::create_over(target.clone(), shell.overwrite())?;
    let mut written = Ok(());
    let games = pieces(&run.value.games, cut, |text| {
        if written.is_ok() {
            written = output.write_all(text);
        }
    });
    let games = games.map_err(|error| {
        Failure::with_fix(
            format_args!("--split: {error}"),
            "use a larger number, or shorten the lines with --ply",
        )
    })?;
    written.map_err(|error| SaveError {
        target: target.clone(),
        error,
    })?;
    output.finish()?;
    if target != Target::Stdout {
        shell.note(&format!("{} written to {target}", counted(games, "game")));
    }
    Ok(())
}

fn draw(out: &mut impl Write, theme: &Theme, plan: &MergePlan, order: By) -> io::Result<()> {
    let Theme { bold, dim, .. } = theme;
    let widths = plan
        .files
        .iter()
        .map(|file| short(&file.name).chars().count());
    let width = widths.max().unwrap_or(0).clamp(6, 40);
    let heads = ["games", "moves", "comments", "shared", "new", "transposed"];
    let heads: String = heads.map(|head| format!(" {head:>10}")).concat();
    writeln!(out, "{bold}{:width$}{heads}{bold:#}", "")?;
    for file in &plan.files {
        draw_file(out, file, width)?;
    }
    let MergePlan {
        games,
        moves,
        comments,
        positions,
        ..
    } = plan;
    let sums: String = [games, moves, comments]
        .map(|sum| format!(" {:>10}", grouped(*sum)))
        .concat();
    writeln!(
        out,
        "{bold}{:width$}{sums}{bold:#}   {}",
        "merged",
        counted(*positions, "position")
    )?;
    for file in plan.files.iter().filter(|file| file.games == 0) {
        let warning = theme.warning;
        writeln!(out, "{warning}no game{warning:#} from {}", file.name)?;
    }
    let other_main: u64 = plan.files.iter().map(|file| file.other_main).sum();
    if other_main > 0 {
        let places = counted(other_main, "place");
        let kept = match order {
            By::File => "order of the first file kept",
            By::Frequency => "the move with more games comes first",
        };
        writeln!(
            out,
            "other main line in {places}: {kept} {dim}(--main, --order){dim:#}"
        )?;
    }
    if !plan.dropped_tags.is_empty() {
        let tags = plan.dropped_tags.join(", ");
        writeln!(
            out,
            "tags that differ are omitted: {tags} {dim}(--record names){dim:#}"
        )?;
    }
    draw_conflicts(out, theme, plan)
}

fn draw_file(out: &mut impl Write, file: &FilePlan, width: usize) -> io::Result<()> {
    let FilePlan {
        games,
        moves,
        comments,
        shared,
        new,
        transposed,
        ..
    } = file;
    let counts = [games, moves, comments, shared, new, transposed];
    let counts: String = counts
        .map(|count| format!(" {:>10}", grouped(*count)))
        .concat();
    writeln!(out, "{:width$}{counts}", short(&file.name))
}

/// The file name without its folder.
fn short(name: &str) -> &str {
    let name = Path::new(name).file_name().and_then(|name| name.to_str());
    name.unwrap_or_default()
}

const CONFLICTS_SHOWN: usize = 20;

fn draw_conflicts(out: &mut impl Write, theme: &Theme, plan: &MergePlan) -> io::Result<()> {
    let Theme {
        warning,
        place,
        dim,
        ..
    } = theme;
    let count = plan.conflicts.len();
    if count == 0 {
        return writeln!(out, "no conflict");
    }
    writeln!(
        out,
        "{warning}{}{warning:#}, all kept:",
        counted(count as u64, "conflict")
    )?;
    for Conflict {
        about,
        at,
        annotations,
    } in plan.conflicts.iter().take(CONFLICTS_SHOWN)
    {
        let notes: Vec<String> = annotations
            .iter()
            .map(|(what, who)| format!("{what} ({who})"))
            .collect();
        writeln!(
            out,
            "  {about:<8}  {place}{}{place:#}  {}",
            at.path,
            notes.join(", ")
        )?;
    }
    match count.saturating_sub(CONFLICTS_SHOWN) {
        0 => Ok(()),
        more => writeln!(
            out,
            "  {dim}… and {} more; --json has all{dim:#}",
            grouped(more as u64)
        ),
    }
}
