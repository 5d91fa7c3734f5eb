//! `gametree check`: problems in files, and their location.

use std::io::{self, Write};

use clap::ValueEnum;
use desk::check::{Excerpt, Finding, Severity, Summary, check, kind_name};

use crate::failure::{Exit, Failure};
use crate::files::{Files, ending};
use crate::ink::width;
use crate::progress::Bar;
use crate::shell::{Shell, Theme};
use kit::number::{counted, grouped};

/// Find problems in PGN files, each with its location and how it was handled
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  gametree check games.pgn                     problems, each under its source line
  gametree check --max 0 archive/              only the number of each kind
  gametree check --level error games.pgn.zst   only what could not be read
  gametree check --strict repertoire.pgn       exit status 1 if there is any problem
  gametree check --json games.pgn | jq .kind   one object per line

The files are not changed. `gametree convert` writes them as standard PGN.")]
pub struct Args {
    #[command(flatten)]
    files: Files,
    /// Exit with status 1 if there is any problem
    #[arg(long)]
    strict: bool,
    /// Print one JSON object per line: file, line, column, game, path, kind, severity, message, done
    #[arg(long)]
    json: bool,
    /// Show at most N problems; all are counted [default: 100; with --json: all]
    #[arg(long, value_name = "N")]
    max: Option<u64>,
    /// Omit problems below this severity
    #[arg(long, value_name = "LEVEL", default_value = "note")]
    level: Level,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum Level {
    /// Unusual, but the meaning is clear
    Note,
    /// Something was guessed or corrected
    Warning,
    /// Something could not be read and is kept as text
    Error,
}

/// Checks the files.
pub fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let games = args.files.games()?;
    let limit = args.max.unwrap_or(if args.json { u64::MAX } else { 100 });
    let workers = shell.workers();
    let bar = Bar::follow(shell, games.progress(), limit > 0);
    let Shell { out, theme, .. } = shell;
    let run = check(&games, args.level.into(), limit, &workers, |finding| {
        if args.json {
            out.write_json(&finding)
        } else {
            draw(out, theme, &finding)
        }
    })?;
    drop(bar);
    if !args.json && !shell.is_quiet() {
        sum_up(shell, &run.value, limit)?;
    }
    let found = args.strict && run.value.complaints() > 0;
    let exit = if found { Exit::Found } else { Exit::Fine };
    Ok(ending(shell, &run, exit))
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

/// The source line with carets under the problem.
fn draw(out: &mut impl Write, theme: &Theme, finding: &Finding) -> io::Result<()> {
    let Finding {
        file,
        line,
        column,
        game,
        message,
        done,
        after,
        ..
    } = finding;
    let Excerpt {
        before,
        marked,
        after: rest,
    } = &finding.excerpt;
    let Theme { place, bold, .. } = theme;
    let severity = theme.of_severity(finding.severity);
    let gutter = line.to_string().len();
    let after = after
        .as_ref()
        .map(|m| format!(", after {m}"))
        .unwrap_or_default();
    let indent = " ".repeat(width(before));
    let carets = "^".repeat(width(marked).max(1));
    writeln!(
        out,
        "{severity}{}{severity:#}{bold}: {message}{bold:#}",
        finding.severity
    )?;
    writeln!(
        out,
        "{:gutter$}{place}-->{place:#} {file}:{line}:{column}  (game {game}{after})",
        ""
    )?;
    writeln!(out, "{place}{line} |{place:#} {before}{marked}{rest}")?;
    writeln!(
        out,
        "{:gutter$} {place}|{place:#} {indent}{severity}{carets} {done}{severity:#}\n",
        ""
    )
}

/// Counts by kind, the worst and most frequent first.
fn sum_up(shell: &mut Shell, summary: &Summary, limit: u64) -> Result<(), Failure> {
    let total = summary.complaints();
    let (out, theme) = (&mut shell.out, shell.theme);
    let Theme { bold, dim, .. } = theme;
    if 0 < limit && limit < total {
        writeln!(
            out,
            "{dim}… and {} more; use --max N to show more{dim:#}\n",
            grouped(total - limit)
        )?;
    }
    writeln!(
        out,
        "{bold}{}, {}{bold:#}",
        counted(summary.games, "game"),
        counted(total, "complaint")
    )?;
    let mut kinds: Vec<_> = summary.kinds.iter().collect();
    kinds.sort_by_key(|&(kind, &count)| std::cmp::Reverse((kind.severity(), count)));
    for (&kind, &count) in kinds {
        let style = theme.of_severity(kind.severity());
        let severity = kind.severity().to_string();
        let name = kind_name(kind);
        writeln!(
            out,
            "{:>9}  {style}{severity:<7}{style:#}  {name:<24} {}",
            grouped(count),
            kind.message()
        )?;
    }
    Ok(())
}
