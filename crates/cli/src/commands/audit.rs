//! `gametree audit`: problems in a repertoire.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use desk::GAME_FILES;
use desk::audit::{
    Coverage, Finding, FindingKind, Options, Reference, Severity, audit, keep_within,
};
use desk::choose::Choice;
use desk::games::{Games, Run};
use desk::positions::Positions;
use desk::query::{self, Query};
use kit::input::gather;
use serde_json::json;

use crate::failure::{Exit, Failure};
use crate::files::{ending, one_file};
use crate::identity::{SamePosition, Side};
use crate::progress::Bar;
use crate::quote::quoted;
use crate::search::compile;
use crate::shell::{Shell, Theme};
use kit::number::{counted, grouped};

/// Find problems in a repertoire: dead ends, split theory, gaps, contradictions
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Positions are compared, not moves: a dead end is a line that ends in a position that continues
elsewhere. --side finds positions where that side has several answers or none. --against finds
replies that are played in those games and not answered in the repertoire, sorted by the probability
that you meet them, and prints the coverage: of the positions after a reply to the repertoire, as
often as these games reach them, the share in which the repertoire has a move.
--rare finds lines that occur less than once in N games.

Every PATH can be opened: gametree show FILE --at PATH (position 0 is the start).

Kinds: illegal, broken-link, dead-end, split, two-answers, gap, duplicate, glyph-conflict, rare,
no-answer, no-moves.

Examples:
  gametree audit repertoire.pgn --side white
  gametree audit repertoire.pgn --side black --against twic/ --min-share 10 --rare 500
  gametree audit repertoire.pgn --side white --against base --opponent carlsen
  gametree audit repertoire.pgn --kind dead-end,split
  gametree audit repertoire.pgn --where 'Pd4 pd5 ply < 20'
  gametree audit repertoire.pgn --json | jq -r 'select(.severity == \"error\").path'

Exit status: 0 nothing found, 1 something found, 2 error.")]
pub struct Args {
    /// The file, or `-` for standard input; .gz, .bz2 and .zst are decompressed
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Side of the repertoire
    #[arg(long, value_name = "SIDE")]
    side: Option<Side>,
    /// Files, folders or archives of played games to compare with
    #[arg(long, value_name = "FILES", num_args = 1.., requires = "side")]
    against: Vec<PathBuf>,
    /// Only games of this player with the other colour: prepare against them
    #[arg(long, value_name = "NAME", requires = "against")]
    opponent: Option<String>,
    /// Minimum frequency of a reply that should be answered, in percent
    #[arg(
        long,
        value_name = "PERCENT",
        default_value = "5",
        requires = "against"
    )]
    min_share: f64,
    /// Minimum number of games with such a reply
    #[arg(long, value_name = "N", default_value = "2", requires = "against")]
    min_games: u64,
    /// Find lines that occur less than once in N games
    #[arg(long, value_name = "N", requires = "against", value_parser = clap::value_parser!(u64).range(1..))]
    rare: Option<u64>,
    /// Only these kinds, separated by commas
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = kinds(), hide_possible_values = true)]
    kind: Vec<FindingKind>,
    /// Only findings at positions that match a CQL query
    #[arg(long = "where", value_name = "QUERY")]
    within: Option<String>,
    /// Omit findings below this severity
    #[arg(long, value_name = "LEVEL", default_value = "note")]
    level: Level,
    /// Show at most N findings of each kind; all are counted [default: 10; with --json: all]
    #[arg(long, value_name = "N")]
    max: Option<usize>,
    #[command(flatten)]
    same: SamePosition,
    /// Print one JSON object per line: kind, severity, game, path, other, message; with --against,
    /// the last one is the coverage
    #[arg(long)]
    json: bool,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum Level {
    /// Everything
    Note,
    /// Probable problems
    Warning,
    /// Errors
    Error,
}

impl From<Level> for Severity {
    fn from(level: Level) -> Severity {
        match level {
            Level::Note => Severity::Note,
            Level::Warning => Severity::Warning,
            Level::Error => Severity::Error,
        }
    }
}

fn kinds() -> impl TypedValueParser<Value = FindingKind> {
    let named = |name: String| {
        FindingKind::ALL
            .iter()
            .copied()
            .find(|kind| kind.name() == name)
    };
    let names = FindingKind::ALL.iter().map(|kind| kind.name());
    // Only names of kinds get past the first parser.
    PossibleValuesParser::new(names).map(move |name| named(name).unwrap_or(FindingKind::Illegal))
}

/// Prints the findings.
pub fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let within = args.within.as_deref().map(everywhere).transpose()?;
    let mut run = read(&args, shell)?;
    let stop = shell.stop();
    let reference = count(&args, shell, &run.value)?;
    let options = Options {
        side: args.side.map(Side::colour),
        same: args.same.identity(),
        reference: reference.as_ref().map(|run| &run.value),
        min_share: args.min_share / 100.0,
        min_games: args.min_games,
        rare: args.rare,
        stop: stop.clone(),
    };
    let mut findings = audit(&run.value, &options);
    run.stopped |= stop.is_raised();
    findings.retain(|finding| {
        let wanted = args.kind.is_empty() || args.kind.contains(&finding.kind);
        wanted && finding.severity >= args.level.into()
    });
    if let Some(query) = &within {
        keep_within(&mut findings, &run.value, query);
    }
    let coverage = coverage(&args, &run.value, reference.as_ref());
    let max = args.max.unwrap_or(if args.json { usize::MAX } else { 10 });
    for same in findings.chunk_by(|a, b| a.kind == b.kind) {
        if args.json {
            same.iter()
                .take(max)
                .try_for_each(|finding| shell.out.write_json(finding))?;
        } else {
            let games = run.value.games().len();
            draw(&mut shell.out, &shell.theme, same, max, games)?;
        }
    }
    if let Some(coverage) = coverage {
        print_coverage(shell, args.json, coverage)?;
    }
    if !args.json && !shell.is_quiet() {
        sum_up(shell, &args.file, &findings)?;
    }
    let exit = if findings.is_empty() {
        Exit::Fine
    } else {
        Exit::Found
    };
    let exit = reference.map_or(exit, |run| ending(shell, &run, exit));
    Ok(ending(shell, &run, exit))
}

/// The share of the collection that the repertoire answers, if both are given.
fn coverage(
    args: &Args,
    positions: &Positions,
    reference: Option<&Run<Reference>>,
) -> Option<Coverage> {
    let (side, reference) = args.side.zip(reference)?;
    let same = args.same.identity();
    Some(reference.value.coverage(positions, side.colour(), same))
}

/// `coverage: 75 %`, or a JSON object of the kind `coverage`.
fn print_coverage(shell: &mut Shell, json: bool, coverage: Coverage) -> Result<(), Failure> {
    let Coverage { met, answered } = coverage;
    let percent = coverage.share().map(|share| share * 100.0);
    if json {
        let percent = percent.map(|percent| (percent * 100.0).round() / 100.0);
        let line =
            json!({"kind": "coverage", "met": met, "answered": answered, "percent": percent});
        shell.out.write_json(&line)?;
    } else if let Some(percent) = percent.filter(|_| !shell.is_quiet()) {
        let Theme { bold, .. } = shell.theme;
        let (answered, met) = (grouped(answered), grouped(met));
        writeln!(
            shell.out,
            "{bold}coverage: {percent:.1} %{bold:#}, {answered} of {met} positions met are answered"
        )?;
    }
    Ok(())
}

/// A query that searches variations too.
fn everywhere(source: &str) -> Result<Query, Failure> {
    let options = query::Options::default().with_variations(true);
    compile(source, &options)
}

fn read(args: &Args, shell: &mut Shell) -> Result<Run<Positions>, Failure> {
    let games = one_file(&args.file)?;
    let workers = shell.workers();
    let _bar = Bar::follow(shell, games.progress(), false);
    Ok(Positions::read(&games, &workers, args.same.identity()))
}

impl Args {
    /// The games to compare with: all, or those in which the opponent has the other colour.
    fn opponents(&self) -> Result<Choice, Failure> {
        let (Some(name), Some(side)) = (&self.opponent, self.side) else {
            return Ok(Choice::default());
        };
        let tag = match side.colour() {
            desk::Color::White => "Black",
            desk::Color::Black => "White",
        };
        let rule = format!("{tag}={name}").parse().map_err(Failure::new)?;
        Ok(Choice {
            tags: vec![rule],
            ..Choice::default()
        })
    }
}

/// The moves played in the collection, if there is one.
fn count(
    args: &Args,
    shell: &mut Shell,
    positions: &Positions,
) -> Result<Option<Run<Reference>>, Failure> {
    if args.against.is_empty() {
        return Ok(None);
    }
    let games = Games::new(gather(&args.against, GAME_FILES)?, args.opponents()?);
    let workers = shell.workers();
    let _bar = Bar::follow(shell, games.progress(), false);
    let run = Reference::read(positions, &games, args.same.identity(), &workers);
    Ok(Some(run))
}

fn draw(
    out: &mut impl Write,
    theme: &Theme,
    findings: &[Finding],
    max: usize,
    games: usize,
) -> io::Result<()> {
    let Some(Finding { kind, severity, .. }) = findings.first() else {
        return Ok(());
    };
    let Theme { bold, dim, .. } = theme;
    let style = theme.of_severity(*severity);
    let count = counted(findings.len() as u64, "finding");
    writeln!(
        out,
        "{style}{kind}{style:#}{bold}: {}, {count}{bold:#}",
        kind.what()
    )?;
    for finding in findings.iter().take(max) {
        draw_finding(out, theme, finding, games)?;
    }
    if findings.len() > max {
        let more = grouped((findings.len() - max) as u64);
        writeln!(
            out,
            "  {dim}… and {more} more; use --max N to show more{dim:#}"
        )?;
    }
    writeln!(out)
}

fn draw_finding(
    out: &mut impl Write,
    theme: &Theme,
    finding: &Finding,
    games: usize,
) -> io::Result<()> {
    let Theme { place, dim, .. } = theme;
    let game = |number: u64| match games {
        1 => String::new(),
        _ => format!("game {number}: "),
    };
    let Finding { at, message, .. } = finding;
    writeln!(
        out,
        "  {dim}{}{dim:#}{place}{}{place:#}  {message}",
        game(at.game),
        at.path
    )?;
    let other_game = finding.other_game.unwrap_or(at.game);
    let is_elsewhere = |other: &&_| **other != at.path || other_game != at.game;
    if let Some(other) = finding.other.as_ref().filter(is_elsewhere) {
        let game = game(other_game);
        writeln!(out, "    {dim}= {game}{dim:#}{place}{other}{place:#}")?;
    }
    Ok(())
}

/// True for theory that is split within one game; a repetition is not.
fn is_split(finding: &Finding) -> bool {
    finding.kind == FindingKind::Split
        && finding.other_game.is_none()
        && finding.severity > Severity::Note
}

fn sum_up(shell: &mut Shell, file: &Path, findings: &[Finding]) -> Result<(), Failure> {
    let file = quoted(&file.to_string_lossy());
    let Theme { bold, dim, .. } = shell.theme;
    let out = &mut shell.out;
    let count = counted(findings.len() as u64, "finding");
    writeln!(out, "{bold}{count}{bold:#}")?;
    if findings.iter().any(is_split) {
        writeln!(
            out,
            "{dim}to unite split theory: gametree link {file} --unite -o OUT{dim:#}"
        )?;
    } else if findings
        .iter()
        .any(|found| found.kind == FindingKind::DeadEnd)
    {
        writeln!(
            out,
            "{dim}to add references at dead ends: gametree link {file} --dead-ends -o OUT{dim:#}"
        )?;
    }
    if let Some(first) = findings.first() {
        let path = quoted(first.at.path.as_place());
        let game = match first.at.game {
            1 => String::new(),
            number => format!(" --game {number}"),
        };
        writeln!(
            out,
            "{dim}to open the first: gametree show {file}{game} --at {path}{dim:#}"
        )?;
    }
    Ok(())
}
