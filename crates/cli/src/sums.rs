//! Shared by the commands about sums: parsing the sum, budgets, names of outcomes.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use kit::input::{Compression, Source};
use kit::save::Target;
use lab::db::{self, Database, DbError};
use lab::read::{Reading, read, read_source, read_sum};
use lab::solve::{Options, default_memory};
use lab::{Budget, Game, GaveUp, Outcome, Player, Solver, Stats};
use lab::{DrawError, Format};
use serde_json::{Value, json};

use crate::amounts::{parse_bytes, parse_count, parse_time};
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::shell::Shell;
use kit::number::{counted, grouped};

/// How a sum is written; the end of each command's help.
pub const LANGUAGE: &str = "\
A SUM is a list of games joined by + and -. A game is a name and a position (clobber XO.|OX.,
domineering 4x5, nimber 5), or a value (3/4, *2, ^3*, vv, +-1, {2|-1}). 3*G means G + G + G,
(XO)^4 repeats, 4x5 is the start position of that size. Left is Black and plays X, Right is White
and plays O. `gametree solve --games` lists the games.";

/// The sum a command is about.
#[derive(Args, Clone, Debug)]
pub struct SumArg {
    /// The sum, such as `clobber XOXO + domineering ...|... - 3/4`, or `-` for standard input
    #[arg(value_name = "SUM", allow_hyphen_values = true)]
    sum: String,
}

impl SumArg {
    /// The text as typed, and the parsed sum.
    pub fn read(&self) -> Result<(String, Vec<Game>), Failure> {
        let text = text_of(&self.sum)?;
        let sum = sum_of(&text)?;
        Ok((text, sum))
    }
}

/// Parses a text that is one sum.
pub fn sum_of(text: &str) -> Result<Vec<Game>, Failure> {
    if text.is_empty() {
        return Err(Failure::with_fix(
            "no sum given",
            "give a sum, such as 'clobber XOXO + 1'; 0 is the empty sum",
        ));
    }
    read_sum(text).map_err(|fault| Failure::new(fault.render(text)))
}

/// The failure if there is no sum.
pub fn no_sum() -> Failure {
    Failure::with_fix(
        "no sum to solve",
        "gametree solve 'clobber XOXO + 1', gametree solve -f FILE, or a sum on standard input",
    )
}

/// The text as typed; `-` reads standard input.
pub fn text_of(typed: &str) -> Result<String, Failure> {
    let text = match typed {
        "-" => read_source(&Source::Stdin)?.text,
        typed => no_option(typed)?.to_owned(),
    };
    Ok(text.trim().to_owned())
}

/// Refuses a misspelt option: a sum may begin with one minus sign, not with two.
fn no_option(typed: &str) -> Result<&str, Failure> {
    if typed.starts_with("--") {
        return Err(Failure::with_fix(
            format_args!("unknown option {typed}"),
            "--help lists the options",
        ));
    }
    Ok(typed)
}

/// The budget of a question.
#[derive(Args, Clone, Copy, Debug)]
pub struct Budgets {
    /// Give up after this time: 10, 500ms, 2m; 0 means no limit; in a suite for each question
    /// [default: no limit]
    #[arg(long, value_name = "TIME", value_parser = parse_time, help_heading = "Limits")]
    time: Option<Duration>,
    /// Give up a question after this many nodes: 1000000, 10M; 0 means no limit [default: no limit]
    #[arg(long, value_name = "N", value_parser = parse_count, help_heading = "Limits")]
    nodes: Option<u64>,
    /// Memory for the tables: 500M, 4G; the winner of a sum is searched further when it is used up,
    /// other questions are given up [default: 4G, at most half of the memory]
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes, help_heading = "Limits")]
    memory: Option<usize>,
}

impl Budgets {
    /// The budget that the options select.
    pub fn budget(&self) -> Budget {
        Budget {
            time: self.time.filter(|time| !time.is_zero()),
            nodes: self.nodes.filter(|&nodes| nodes > 0).unwrap_or(u64::MAX),
            bytes: self.memory.unwrap_or_else(default_memory),
        }
    }
}

/// The budget and the databases.
#[derive(Args, Clone, Debug)]
pub struct Limits {
    #[command(flatten)]
    budgets: Budgets,
    /// Look up components in this database (made by `gametree sums db create`); may be repeated
    /// [default: ~/.local/share/gametree/sums.db, if it exists]
    #[arg(long, value_name = "FILE", help_heading = "Databases")]
    db: Vec<PathBuf>,
    /// Do not use a database
    #[arg(long, conflicts_with = "db", help_heading = "Databases")]
    no_db: bool,
}

impl Limits {
    /// How to solve.
    pub fn options(&self, shell: &mut Shell) -> Result<Options, Failure> {
        Ok(Options {
            budget: self.budgets.budget(),
            verify: false,
            databases: self.databases(shell)?,
        })
    }

    /// The same with this time limit if `--time` was not given; `--time 0` is no limit.
    pub fn options_or(&self, time: Duration, shell: &mut Shell) -> Result<Options, Failure> {
        let mut options = self.options(shell)?;
        if self.budgets.time.is_none() {
            options.budget.time = Some(time);
        }
        Ok(options)
    }

    /// A solver within the budget.
    pub fn solver(&self, shell: &mut Shell) -> Result<Solver, Failure> {
        let workers = shell.workers();
        Ok(self.options(shell)?.solver(&workers))
    }

    /// The databases to use: those of `--db`, else the default one. Warns about a database that
    /// cannot be used, and continues without it.
    fn databases(&self, shell: &mut Shell) -> Result<Vec<Database>, Failure> {
        let default = || db::default_path().filter(|path| path.exists());
        let paths = if self.no_db {
            Vec::new()
        } else if self.db.is_empty() {
            default().into_iter().collect()
        } else {
            self.db.clone()
        };
        let mut databases = Vec::new();
        for path in paths {
            match db::open(&path) {
                Ok(database) => {
                    shell.watch(&path, &database);
                    databases.push(database);
                }
                Err(error @ DbError::NotFound(_)) => {
                    return Err(Failure::with_fix(
                        error,
                        "create one with `gametree sums db create`",
                    ));
                }
                Err(error) => shell.warn(&format!("{error}; solving without it")),
            }
        }
        Ok(databases)
    }
}

/// The picture format of a file name, one of `formats`; `usual` for `-`.
pub fn picture_format(path: &Path, usual: Format, formats: &str) -> Result<Format, Failure> {
    let name = path.to_string_lossy();
    if name == "-" {
        return Ok(usual);
    }
    let format = Format::of_name(Compression::strip_extension(&name));
    format.ok_or_else(|| Failure::new(unknown_format(&name, formats)))
}

/// `unknown picture format ".gif"; use svg, png or pdf`
pub fn unknown_format(name: &str, formats: &str) -> String {
    match Path::new(name).extension() {
        Some(extension) => {
            let extension = extension.to_string_lossy();
            format!("unknown picture format \".{extension}\"; use {formats}")
        }
        None => format!("{name}: no picture format in this name; use {formats}"),
    }
}

/// Why something could not be drawn.
pub fn draw_failure(error: DrawError) -> Failure {
    match error.fix() {
        Some(fix) => Failure::with_fix(&error, fix),
        None => Failure::new(&error),
    }
}

/// Reads the typed text, a file, or standard input if neither is given.
pub fn reading(typed: Option<&str>, file: Option<&Path>) -> Result<Reading, Failure> {
    match (typed, file) {
        (_, Some(file)) => Ok(read_source(&Source::from_arg(file))?),
        (Some("-"), _) => Ok(read_source(&Source::Stdin)?),
        (Some(typed), _) => Ok(read("", no_option(typed)?.to_owned())),
        (None, None) if std::io::stdin().is_terminal() => Err(no_sum()),
        (None, None) => Ok(read_source(&Source::Stdin)?),
    }
}

/// A player, by any of his names.
pub fn parse_player(text: &str) -> Result<Player, String> {
    match text.to_ascii_lowercase().as_str() {
        "l" | "left" | "b" | "black" | "x" => Ok(Player::Left),
        "r" | "right" | "w" | "white" | "o" => Ok(Player::Right),
        _ => Err("expected left (black, B, X) or right (white, W, O)".to_owned()),
    }
}

/// An outcome in words.
pub fn in_words(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Left => "Left wins, moving first or second",
        Outcome::Right => "Right wins, moving first or second",
        Outcome::Next => "the first player wins",
        Outcome::Previous => "the second player wins",
    }
}

/// Reports why there is no answer, with a fix. Giving up is not an error: the exit status is that
/// of a question that was not solved.
pub fn gave_up(shell: &mut Shell, reason: GaveUp, json: bool) -> Result<Exit, Failure> {
    if json {
        shell
            .out
            .write_json(&json!({ "gave_up": reason.to_string() }))?;
    }
    if reason == GaveUp::Stopped {
        return Ok(Exit::Interrupted);
    }
    shell.error(&reason.to_string(), advice(reason));
    Ok(Exit::Found)
}

/// Checks before the work that its result can be written, without changing the file.
pub fn check_writable(path: Option<&Path>, shell: &Shell) -> Result<(), Failure> {
    if let Some(path) = path {
        let target = Target::from_arg(path);
        drop(Output::create_over(target, shell.overwrite())?);
    }
    Ok(())
}

/// Reports the first faults of a text.
pub fn report_faults(shell: &mut Shell, reading: &Reading) {
    /// A file in another format may have a fault on every line.
    const MOST: usize = 20;
    for fault in reading.faults.iter().take(MOST) {
        shell.error(&reading.render(fault), None);
    }
    if reading.faults.len() > MOST {
        let more = counted((reading.faults.len() - MOST) as u64, "more fault");
        shell.error(&format!("{}: {more}", reading.name), None);
    }
}

/// How to avoid giving up.
pub fn advice(reason: GaveUp) -> Option<&'static str> {
    match reason {
        GaveUp::Time => Some("use a larger --time"),
        GaveUp::Nodes => Some("use a larger --nodes"),
        GaveUp::Bytes => Some("use a larger --memory"),
        GaveUp::Contradiction => Some("use --no-db to solve without databases"),
        _ => None,
    }
}

/// The cost of a search, in one line.
pub fn cost(nodes: u64, time: Duration, stats: &Stats) -> String {
    format!(
        "{}, {:.3} s, {} ({}, {}, {})",
        counted(nodes, "node"),
        time.as_secs_f64(),
        size(stats.bytes),
        counted(stats.components as u64, "component"),
        counted(stats.values as u64, "value"),
        counted(stats.sums as u64, "sum"),
    )
}

/// `1.5 MB`
pub fn size(bytes: usize) -> String {
    match bytes {
        0..1_000_000 => format!("{} kB", grouped(bytes as u64 / 1000)),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

/// The tables of a solver for scripts.
pub fn stats_json(stats: &Stats) -> Value {
    json!({
        "nodes": stats.nodes,
        "components": stats.components,
        "values": stats.values,
        "sums": stats.sums,
        "bytes": stats.bytes,
    })
}
