//! `gametree sums db`: databases of components.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lab::answers::walls_text;
use lab::db::{self, Created, Entry, Info, Plan, Request, Step};
use lab::read::read_sum;
use lab::{Game, sum_text};
use serde_json::{Value, json};

use crate::failure::{Exit, Failure};
use crate::parquet::{ParquetArgs, export_components};
use crate::shell::Shell;
use crate::sums::{Budgets, size};
use kit::number::{counted, grouped};

/// Manage databases of components for the solver
#[derive(clap::Args, Debug)]
#[command(after_help = "\
A database stores solved components of sums: their outcomes, values or bounds, thermographs, the
simplest equal sum, and dominated moves. The solver works without a database, and is faster with one.
All commands about sums use the database named by GAMETREE_SUMS_DB, else
~/.local/share/gametree/sums.db (or its place under XDG_DATA_HOME) if it exists; --db and --no-db
override this.

Examples:
  gametree sums db create --game clobber_1xn=10 --game nogo_1xn=10
  gametree sums db create boards.db --game domineering=4x4 --from 'amazons X...|...O'
  gametree sums db info boards.db --of 'domineering ...|...'
  gametree sums db merge strips.db boards.db -o all.db
  gametree sums db export strips.db --parquet solved")]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand, Debug)]
enum What {
    /// Create, inspect, merge and export databases of components
    Db {
        #[command(subcommand)]
        what: Db,
    },
}

#[derive(clap::Subcommand, Debug)]
enum Db {
    /// Create a database, add to it, or continue after an interruption
    #[command(after_help = "\
Results are saved in FILE.part as they are found: after Ctrl-C or a crash, the same command
continues from there.

Examples:
  gametree sums db create strips.db --game clobber_1xn=10 --game 'impartial nogo_1xn=8'
  gametree sums db create toads.db --game gen_toads=1,1,1,0:8 --game elephants=10
  gametree sums db create trees.db --from 'hackenbush 0-1L,1-2R,1-3L + snort path8'")]
    Create(Create),
    /// Print the contents of a database, after checking all of it
    #[command(after_help = "\
Examples:
  gametree sums db info
  gametree sums db info strips.db --of 'clobber_1xn XXOXO' --json")]
    Info(InfoArgs),
    /// Merge databases into one; contradictions are errors
    #[command(after_help = "\
Examples:
  gametree sums db merge strips.db boards.db -o all.db")]
    Merge(Merge),
    /// Write the entries of a database as a Parquet table
    #[command(after_help = "\
The table is DIR/components; docs/scale.md lists its columns. Needs a build with Parquet:
cargo build --release --features parquet

Examples:
  gametree sums db export strips.db --parquet components")]
    Export(Export),
}

#[derive(clap::Args, Debug)]
#[command(group = clap::ArgGroup::new("contents").args(["game", "from"]).required(true).multiple(true))]
struct Create {
    /// The file; existing entries are kept [default: the default database]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// All boards of a game up to a size: clobber_1xn=10, domineering=4x4, impartial nogo=3x3
    #[arg(long, value_name = "GAME=SIZE")]
    game: Vec<String>,
    /// All components that can arise from a sum
    #[arg(long, value_name = "SUM")]
    from: Vec<String>,
    #[command(flatten)]
    budgets: Budgets,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args, Debug)]
struct InfoArgs {
    /// The file [default: the default database]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Print the entries of the components of this sum
    #[arg(long, value_name = "SUM")]
    of: Option<String>,
    /// Print one JSON object; with --of, one per component
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args, Debug)]
struct Merge {
    /// The databases
    #[arg(value_name = "FILES", required = true)]
    files: Vec<PathBuf>,
    /// The new database
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
}

#[derive(clap::Args, Debug)]
#[command(group = clap::ArgGroup::new("target").args(["parquet"]).required(true))]
struct Export {
    /// The file [default: the default database]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    #[command(flatten)]
    place: ParquetArgs,
}

/// Runs the command.
pub fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let What::Db { what } = args.what;
    match what {
        Db::Create(args) => create(args, shell),
        Db::Info(args) => info(&args, shell),
        Db::Merge(args) => merge(&args, shell),
        Db::Export(args) => export_components(&database(args.file)?, &args.place, shell),
    }
}

/// The given database, or the default one.
fn database(typed: Option<PathBuf>) -> Result<PathBuf, Failure> {
    typed
        .or_else(db::default_path)
        .ok_or_else(|| Failure::with_fix("no data folder found", "name a file"))
}

fn create(args: Create, shell: &mut Shell) -> Result<Exit, Failure> {
    let path = database(args.file.clone())?;
    if args.file.is_none()
        && let Some(folder) = path.parent()
    {
        std::fs::create_dir_all(folder)
            .map_err(|error| Failure::new(format_args!("{}: {error}", folder.display())))?;
    }
    let plan = Plan {
        requests: requests(&args)?,
        budget: args.budgets.budget(),
        path,
    };
    let workers = shell.workers();
    shell.allow_saving();
    let bar = bar(shell);
    let made = db::create(&plan, &workers, |step| show_step(&bar, step));
    bar.finish_and_clear();
    let made = made?;
    if args.json {
        shell.out.write_json(&made_json(&made, &plan))?
    } else {
        writeln!(shell.out, "{}", made_words(&made, &plan))?
    }
    if made.unsolved > 0 {
        shell.note(&format!(
            "{} exceeded the budget and are omitted",
            counted(made.unsolved as u64, "component")
        ));
    }
    if made.stopped {
        shell.note("stopped; run the same command again to continue");
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::Fine)
}

fn requests(args: &Create) -> Result<Vec<Request>, Failure> {
    let boards = args
        .game
        .iter()
        .map(|typed| Request::boards(typed).map_err(|bad| Failure::with_fix(&bad, bad.fix())));
    let sums = args
        .from
        .iter()
        .map(|typed| Ok(Request::From(read(typed)?)));
    boards.chain(sums).collect()
}

fn read(sum: &str) -> Result<Vec<Game>, Failure> {
    read_sum(sum).map_err(|fault| Failure::new(fault.render(sum)))
}

fn bar(shell: &Shell) -> ProgressBar {
    if !shell.shows_progress(false) {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(0).with_elapsed(Duration::ZERO);
    bar.set_draw_target(ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{bar:30.cyan/dim} {percent:>3} %  {msg}  {eta} left");
    style.into_iter().for_each(|style| bar.set_style(style));
    bar
}

fn show_step(bar: &ProgressBar, step: Step) {
    let (done, total, what) = match step {
        Step::Listing(done, total) => (done, total, "positions listed"),
        Step::Solving(done, total) => (done, total, "components solved"),
    };
    bar.set_length(total);
    bar.set_position(done);
    bar.set_message(format!("{} {what}", grouped(done)));
}

fn made_words(made: &Created, plan: &Plan) -> String {
    format!(
        "{}: {}, {} new",
        plan.path.display(),
        counted(made.entries as u64, "component"),
        grouped(made.new as u64)
    )
}

fn made_json(made: &Created, plan: &Plan) -> Value {
    json!({
        "file": plan.path,
        "components": made.entries,
        "new": made.new,
        "unsolved": made.unsolved,
        "stopped": made.stopped,
    })
}

fn merge(args: &Merge, shell: &mut Shell) -> Result<Exit, Failure> {
    let entries = db::merge(&args.files, &args.output)?;
    writeln!(
        shell.out,
        "{}: {}",
        args.output.display(),
        counted(entries as u64, "component")
    )?;
    Ok(Exit::Fine)
}

fn info(args: &InfoArgs, shell: &mut Shell) -> Result<Exit, Failure> {
    let path = database(args.file.clone())?;
    if let Some(text) = &args.of {
        let database = db::open(&path)?;
        let found = db::look_up(&database, &read(text)?);
        return show_entries(&found, args.json, shell);
    }
    let info = db::info(&path)?;
    if args.json {
        shell.out.write_json(&info_json(&info))?;
        return Ok(Exit::Fine);
    }
    let bold = shell.theme.bold;
    writeln!(
        shell.out,
        "{bold}{:<26}{:>12}{:>12}{:>12}{:>12}{bold:#}",
        "game", "components", "values", "bounds", "equal sums"
    )?;
    for (game, counts) in &info.games {
        let [entries, values, bounds, equals] =
            [counts.entries, counts.values, counts.bounds, counts.equals].map(grouped);
        writeln!(
            shell.out,
            "{game:<26}{entries:>12}{values:>12}{bounds:>12}{equals:>12}"
        )?;
    }
    writeln!(
        shell.out,
        "{}, format {}, all checksums valid",
        size(info.bytes as usize),
        db::VERSION
    )?;
    Ok(Exit::Fine)
}

fn info_json(info: &Info) -> Value {
    let games = info.games.iter().map(|(game, counts)| {
        json!({
            "game": game,
            "components": counts.entries,
            "values": counts.values,
            "bounds": counts.bounds,
            "thermographs": counts.thermographs,
            "equal_sums": counts.equals,
            "dominated_moves": counts.dominated,
        })
    });
    json!({ "format": db::VERSION, "bytes": info.bytes, "games": games.collect::<Vec<_>>() })
}

fn show_entries(
    found: &[(Game, Option<Entry>)],
    as_json: bool,
    shell: &mut Shell,
) -> Result<Exit, Failure> {
    if found.is_empty() {
        shell.note("no component of this sum needs a database: closed forms give their values");
    }
    for (part, entry) in found {
        let name = sum_text(std::slice::from_ref(part));
        match (as_json, entry) {
            (true, entry) => shell.out.write_json(&entry_json(&name, entry.as_ref()))?,
            (false, None) => writeln!(shell.out, "{name}: not found")?,
            (false, Some(entry)) => write_entry(&name, entry, shell)?,
        }
    }
    Ok(if found.iter().all(|(_, entry)| entry.is_some()) {
        Exit::Fine
    } else {
        Exit::Found
    })
}

fn write_entry(name: &str, entry: &Entry, shell: &mut Shell) -> Result<(), Failure> {
    let bold = shell.theme.bold;
    writeln!(shell.out, "{bold}{name}{bold:#}")?;
    let walls = entry
        .thermograph
        .as_ref()
        .map(|walls| walls_text(&walls.left, &walls.right));
    let idle = |moves: &Vec<String>| Some(moves.join(" ")).filter(|moves| !moves.is_empty());
    let rows = [
        ("outcome", Some(entry.outcome.to_string())),
        ("value", entry.value.clone()),
        (
            "between",
            entry.bounds.as_ref().map(|bounds| bounds.join(" and ")),
        ),
        ("thermograph", walls),
        ("equals", entry.equal.clone()),
        ("no better, L", idle(&entry.dominated.left)),
        ("no better, R", idle(&entry.dominated.right)),
    ];
    for (name, text) in rows {
        if let Some(text) = text {
            writeln!(shell.out, "  {name:<16}{text}")?;
        }
    }
    Ok(())
}

fn entry_json(name: &str, entry: Option<&Entry>) -> Value {
    let Some(entry) = entry else {
        return json!({ "component": name, "known": false });
    };
    json!({
        "component": name,
        "known": true,
        "outcome": entry.outcome.to_string(),
        "value": entry.value,
        "bounds": entry.bounds,
        "thermograph": entry.thermograph.as_ref().map(|walls| walls_text(&walls.left, &walls.right)),
        "equal": entry.equal,
        "dominated": { "left": entry.dominated.left, "right": entry.dominated.right },
    })
}
