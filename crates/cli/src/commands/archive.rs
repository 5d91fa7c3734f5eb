//! `gametree archive`: make, extend, check and change archives of games.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

use desk::archive::{
    Added, Archive, Filter, Indexed, add, check, compact, create, duplicates, remove,
};
use desk::choose::Choice;
use desk::convert::{ConvertOptions, convert};
use desk::games::{Games, Run};
use kit::input::Source;
use kit::number::{counted, grouped};
use kit::save::{SaveError, Target};
use kit::{Progress, Workers};

use crate::failure::{Exit, Failure};
use crate::files::{Files, ending, no_games};
use crate::output::Output;
use crate::parquet::{GameTableArgs, export_games};
use crate::progress::Bar;
use crate::shell::{Shell, Theme};

/// Make and maintain archives: millions of games in a folder, with a position index
#[derive(clap::Args, Debug)]
#[command(after_help = "\
An archive is a folder of checksummed files. Every command that reads games takes one in place of a
file; `opening`, `games` and `query` answer from its index. Reading never waits for a change, and a
change that is interrupted leaves the archive as it was.

Examples:
  gametree archive create players twic/ games.pgn.zst     make an archive
  gametree archive add base mygames.pgn                   add games
  gametree archive info base
  gametree archive export base -o all.pgn.zst             PGN, as `convert` writes it
  gametree archive export base --parquet exported         tables for DuckDB, Polars, Spark
  gametree archive remove base --where 'Plies<10'         remove games
  gametree archive dedupe base                            list games that are there twice
  gametree archive dedupe base --apply                    and remove them
  gametree archive compact base                           reclaim the room of removed games
  gametree archive check base                             test every byte

Making an archive takes less than 500 MB of memory, however many games there are.")]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand, Debug)]
enum Action {
    /// Make a new archive of games
    Create(CreateArgs),
    /// Add games to an archive
    Add(AddArgs),
    /// Print what an archive holds
    Info(InfoArgs),
    /// Test every byte of an archive, and that every game can be read
    Check(NameArgs),
    /// Write the games of an archive as PGN, or as Parquet tables
    Export(ExportArgs),
    /// Remove the games that a filter selects
    Remove(RemoveArgs),
    /// List games that an archive holds twice, and remove them with --apply
    Dedupe(DedupeArgs),
    /// Rewrite an archive without removed games, and join small files
    Compact(NameArgs),
}

#[derive(clap::Args, Debug)]
struct CreateArgs {
    /// The folder to make
    #[arg(value_name = "NAME")]
    name: PathBuf,
    #[command(flatten)]
    files: Files,
    /// Which positions to index: mainlines, variations (both), none
    #[arg(long, value_name = "WHICH", default_value = "mainlines")]
    index: Index,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum Index {
    /// Every position of every mainline
    Mainlines,
    /// Positions of variations as well
    Variations,
    /// None: half the size, but positions are searched by reading all games
    None,
}

#[derive(clap::Args, Debug)]
struct AddArgs {
    /// The archive
    #[arg(value_name = "NAME")]
    name: PathBuf,
    #[command(flatten)]
    files: Files,
}

#[derive(clap::Args, Debug)]
struct NameArgs {
    /// The archive
    #[arg(value_name = "NAME")]
    name: PathBuf,
}

#[derive(clap::Args, Debug)]
struct InfoArgs {
    /// The archive
    #[arg(value_name = "NAME")]
    name: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args, Debug)]
struct ExportArgs {
    /// The archive
    #[arg(value_name = "NAME")]
    name: PathBuf,
    /// Output file, compressed according to its extension (.gz, .bz2, .zst); `-` is standard output
    #[arg(
        short,
        long,
        value_name = "OUT",
        default_value = "-",
        conflicts_with = "parquet"
    )]
    output: OsString,
    /// Only games that meet this filter, see `gametree games --help`
    #[arg(long = "where", value_name = "FILTER", default_value = "")]
    filter: Filter,
    #[command(flatten)]
    tables: GameTableArgs,
}

#[derive(clap::Args, Debug)]
struct RemoveArgs {
    /// The archive
    #[arg(value_name = "NAME")]
    name: PathBuf,
    /// Which games, see `gametree games --help`
    #[arg(long = "where", value_name = "FILTER")]
    filter: Filter,
}

#[derive(clap::Args, Debug)]
struct DedupeArgs {
    /// The archive
    #[arg(value_name = "NAME")]
    name: PathBuf,
    /// Remove the duplicates
    #[arg(long)]
    apply: bool,
}

/// Does what the subcommand says.
pub fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    match args.action {
        Action::Create(args) => run_create(args, shell),
        Action::Add(args) => run_add(args, shell),
        Action::Info(args) => run_info(&args, shell),
        Action::Check(args) => run_check(&args.name, shell),
        Action::Export(args) => run_export(args, shell),
        Action::Remove(args) => run_remove(&args, shell),
        Action::Dedupe(args) => run_dedupe(&args, shell),
        Action::Compact(args) => run_compact(&args.name, shell),
    }
}

fn run_create(args: CreateArgs, shell: &mut Shell) -> Result<Exit, Failure> {
    let indexed = match args.index {
        Index::Mainlines => Indexed::Mainlines,
        Index::Variations => Indexed::Variations,
        Index::None => Indexed::Nothing,
    };
    let fill = |games: &Games, workers: &Workers| Ok(create(&args.name, games, indexed, workers)?);
    fill_archive(&args.name, args.files, shell, fill)
}

fn run_add(args: AddArgs, shell: &mut Shell) -> Result<Exit, Failure> {
    let fill = |games: &Games, workers: &Workers| Ok(add(&args.name, games, workers)?);
    fill_archive(&args.name, args.files, shell, fill)
}

fn fill_archive(
    name: &Path,
    files: Files,
    shell: &mut Shell,
    fill: impl FnOnce(&Games, &Workers) -> Result<Run<Added>, Failure>,
) -> Result<Exit, Failure> {
    let games = files.games()?;
    let workers = shell.workers();
    let bar = Bar::follow(shell, games.progress(), false);
    let run = fill(&games, &workers)?;
    drop(bar);
    if run.stopped || !run.unread.is_empty() {
        shell.note(&format!("{} was not changed", name.display()));
        return Ok(ending(shell, &run, Exit::Fine));
    }
    let Added {
        games,
        moves,
        with_problems,
    } = run.value;
    let (games, moves) = (counted(games, "game"), counted(moves, "move"));
    shell.note(&format!("{games}, {moves} added to {}", name.display()));
    if with_problems > 0 {
        let games = counted(with_problems, "game");
        shell.note(&format!(
            "{games} with problems; `gametree check` lists them"
        ));
    }
    Ok(Exit::Fine)
}

fn run_info(args: &InfoArgs, shell: &mut Shell) -> Result<Exit, Failure> {
    let info = Archive::open(&args.name)?.info()?;
    let Shell { out, theme, .. } = shell;
    if args.json {
        out.write_json(&info)?;
        return Ok(Exit::Fine);
    }
    let Theme { bold, .. } = theme;
    let years = match (info.first_year, info.last_year) {
        (Some(first), Some(last)) if first < last => format!("{first}–{last}"),
        (Some(year), _) => year.to_string(),
        _ => "unknown".into(),
    };
    writeln!(out, "{bold}{}{bold:#}", args.name.display())?;
    writeln!(out, "  games       {}", grouped(info.games))?;
    if info.removed > 0 {
        writeln!(out, "  removed     {}", grouped(info.removed))?;
    }
    writeln!(out, "  moves       {}", grouped(info.moves))?;
    writeln!(out, "  years       {years}")?;
    writeln!(out, "  indexed     {}", info.indexed)?;
    writeln!(
        out,
        "  size        {} in {}",
        size_text(info.bytes),
        counted(info.segments, "file")
    )?;
    writeln!(out, "    games       {}", size_text(info.game_bytes))?;
    writeln!(out, "    index       {}", size_text(info.index_bytes))?;
    writeln!(out, "    signatures  {}", size_text(info.signature_bytes))?;
    Ok(Exit::Fine)
}

fn run_check(name: &Path, shell: &mut Shell) -> Result<Exit, Failure> {
    let problems = check(name, &shell.workers())?;
    for problem in &problems {
        shell.error(&problem.to_string(), problem.fix());
    }
    if problems.is_empty() {
        writeln!(shell.out, "{}: no damage found", name.display())?;
        return Ok(Exit::Fine);
    }
    Ok(Exit::Found)
}

fn run_export(args: ExportArgs, shell: &mut Shell) -> Result<Exit, Failure> {
    Archive::open(&args.name)?;
    let sources = vec![Source::File(args.name.clone())];
    let games = Games::new(sources, Choice::default()).filtered(args.filter);
    if args.tables.place.parquet.is_some() {
        return export_games(games, &args.tables, "export", shell);
    }
    let target = Target::from_arg(&args.output);
    let workers = shell.workers();
    let mut output = Output::create_over(target.clone(), shell.overwrite())?;
    let bar = Bar::follow(shell, games.progress(), target == Target::Stdout);
    let run = convert(&games, &ConvertOptions::default(), &workers, &mut output);
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
    if run.value.games == 0 && target != Target::Stdout {
        return Err(no_games("export"));
    }
    output.finish()?;
    if target != Target::Stdout {
        let games = counted(run.value.games, "game");
        shell.note(&format!("{games} written to {target}"));
    }
    Ok(ending(shell, &run, Exit::Fine))
}

fn run_remove(args: &RemoveArgs, shell: &mut Shell) -> Result<Exit, Failure> {
    if args.filter.is_everything() {
        return Err(Failure::with_fix(
            "the filter is empty, so every game would be removed",
            "name the games: --where 'White=carlsen'",
        ));
    }
    let removed = remove(&args.name, &args.filter)?;
    shell.note(&format!("{} removed", counted(removed, "game")));
    Ok(Exit::Fine)
}

fn run_dedupe(args: &DedupeArgs, shell: &mut Shell) -> Result<Exit, Failure> {
    let plan = duplicates(&args.name)?;
    for duplicate in &plan.duplicates {
        writeln!(
            shell.out,
            "{} is the same as {}: {}",
            duplicate.removed, duplicate.kept, duplicate.game
        )?;
    }
    let found = counted(plan.duplicates.len() as u64, "duplicate");
    let games = counted(plan.games, "game");
    shell.note(&format!("{found} among {games}"));
    if plan.duplicates.is_empty() {
        return Ok(Exit::Fine);
    }
    if !args.apply {
        shell.note("nothing was changed; --apply removes the games named first");
        return Ok(Exit::Found);
    }
    let removed = plan.carry_out()?;
    shell.note(&format!("{} removed", counted(removed, "game")));
    Ok(Exit::Fine)
}

fn run_compact(name: &Path, shell: &mut Shell) -> Result<Exit, Failure> {
    let progress = Progress::default();
    let workers = shell.workers();
    let bar = Bar::follow(shell, &progress, false);
    let run = compact(name, &workers, &progress)?;
    drop(bar);
    if !run.stopped {
        let done = run.value;
        let files = counted(done.rewritten as u64, "file");
        let (before, after) = (size_text(done.before), size_text(done.after));
        shell.note(&format!("{files} rewritten: {before} before, {after} now"));
    }
    Ok(ending(shell, &run, Exit::Fine))
}

/// A size in kilobytes or megabytes.
fn size_text(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}
