//! What all commands share: the common options, standard output and error, messages, signals.

use std::io::{self, IsTerminal, Stderr, Stdout, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use clap::{Args, ValueEnum};
use desk::check::Severity;
use kit::limits::Size;
use kit::save::Overwrite;
use kit::{Limits, Stop, Workers};
use lab::db::Database;

use crate::amounts::parse_bytes;
use crate::failure::Failure;
use crate::printer::{Printer, Tint};
use crate::signals::Signals;

/// The options that every command has.
#[derive(Args, Clone, Debug)]
pub struct CommonOptions {
    /// When to use colors; the variable NO_COLOR turns them off
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "Common options"
    )]
    color: When,
    /// Print only results and errors: no progress bar, no summaries, no hints
    #[arg(long, short, global = true, help_heading = "Common options")]
    quiet: bool,
    /// Overwrite read-only files
    #[arg(long, global = true, help_heading = "Common options")]
    force: bool,
    /// Number of threads [default: one per core]
    #[arg(long, global = true, value_name = "N", value_parser = threads, help_heading = "Common options")]
    threads: Option<NonZeroUsize>,
    /// The most that one compressed file may unpack to [default: 1T]
    #[arg(long, global = true, value_name = "SIZE", value_parser = parse_bytes, help_heading = "Common options")]
    max_unpacked: Option<usize>,
    /// The most text to hold in memory: one game (a longer one is cut), or a file that is opened
    /// whole [default: 1/32 of the memory, at most 2G]
    #[arg(long, global = true, value_name = "SIZE", value_parser = parse_bytes, help_heading = "Common options")]
    max_text: Option<usize>,
}

impl CommonOptions {
    fn limits(&self) -> Limits {
        let Limits { unpacked, text } = Limits::default();
        let size =
            |given: Option<usize>, default| given.map_or(default, |bytes| Size(bytes as u64));
        Limits {
            unpacked: size(self.max_unpacked, unpacked),
            text: size(self.max_text, text),
        }
    }
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum When {
    /// Only on a terminal
    Auto,
    /// Always, even into a pipe or file
    Always,
    /// Never
    Never,
}

/// The connection to the terminal, or to the files and pipes in its place.
pub struct Shell {
    /// Standard output, buffered.
    pub out: Printer<Stdout>,
    /// Standard error; flushed after each message.
    pub err: Printer<Stderr>,
    /// The styles of standard output.
    pub theme: Theme,
    coloured: bool,
    /// The styles of standard error.
    pub error_theme: Theme,
    quiet: bool,
    overwrite: Overwrite,
    threads: Option<NonZeroUsize>,
    signals: Signals,
    watched: Vec<(PathBuf, Database)>,
}

impl Shell {
    /// A shell with these options.
    pub fn new(options: CommonOptions) -> Shell {
        options.limits().set();
        let (stdout, stderr) = (io::stdout(), io::stderr());
        let coloured = options.color.on(&stdout);
        let coloured_errors = options.color.on(&stderr);
        Shell {
            theme: Theme::new(coloured),
            coloured,
            error_theme: Theme::new(coloured_errors),
            out: Printer::new(stdout, coloured, io::stdout().is_terminal()),
            err: Printer::new(stderr, coloured_errors, io::stderr().is_terminal()),
            quiet: options.quiet,
            overwrite: if options.force {
                Overwrite::ReadOnly
            } else {
                Overwrite::Writable
            },
            threads: options.threads,
            signals: Signals::catch(),
            watched: Vec::new(),
        }
    }

    /// True if only results and errors are wanted.
    pub fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Which files may be overwritten.
    pub fn overwrite(&self) -> Overwrite {
        self.overwrite
    }

    /// True if colours are wanted on standard output.
    pub fn is_coloured(&self) -> bool {
        self.coloured
    }

    /// How many columns to fill: the width of the terminal, else the value of `COLUMNS`, else 80.
    pub fn columns(&self) -> usize {
        let terminal = terminal_size::terminal_size_of(io::stdout());
        let variable = || std::env::var("COLUMNS").ok()?.parse().ok();
        terminal
            .map(|(width, _)| width.0.into())
            .or_else(variable)
            .unwrap_or(80)
    }

    /// The height of the terminal; none if standard output is not a terminal.
    pub fn lines(&self) -> Option<usize> {
        let (_, height) = terminal_size::terminal_size_of(io::stdout())?;
        Some(height.0.into())
    }

    /// The threads to work with. From now on a signal asks them to stop; a second signal ends the
    /// program at once.
    pub fn workers(&mut self) -> Workers {
        Workers::new(self.threads, self.stop())
    }

    /// The flag that a signal raises, for work that checks it.
    pub fn stop(&mut self) -> Stop {
        self.signals.stop()
    }

    /// The next work reads files, writes none and may be short.
    pub fn expect_short_work(&mut self) {
        self.signals.expect_short_work();
    }

    /// From now on a signal gives the work time to save its results.
    pub fn allow_saving(&mut self) {
        self.signals.allow_saving();
    }

    /// The exit status if a signal ended the work.
    pub fn signal_status(&self) -> Option<u8> {
        self.signals.status()
    }

    /// Uses this many threads from now on, overriding the options.
    pub fn set_threads(&mut self, threads: NonZeroUsize) {
        self.threads = Some(threads);
    }

    /// Prints an error, and what can be done about it, on standard error.
    pub fn error(&mut self, message: &str, fix: Option<&str>) {
        let Theme { error, good, .. } = self.error_theme;
        self.print_message(error, "error", message);
        if let Some(fix) = fix {
            self.print_message(good, " help", fix);
        }
    }

    /// Prints a warning on standard error: something is wrong, but the work goes on.
    pub fn warn(&mut self, message: &str) {
        self.print_message(self.error_theme.warning, "warning", message);
    }

    /// Prints a note on standard error, unless `--quiet`.
    pub fn note(&mut self, message: &str) {
        if !self.quiet {
            self.print_message(self.error_theme.good, "note", message);
        }
    }

    fn print_message(&mut self, tint: Tint, label: &str, message: &str) {
        let bold = self.error_theme.bold;
        self.print_error(&format!("{tint}{label}{tint:#}{bold}:{bold:#} {message}\n"));
    }

    /// Prints a text on standard error, after flushing standard output.
    pub fn print_error(&mut self, text: &str) {
        self.out.flush().ok();
        // Where standard error cannot be written, there is nowhere left to report it.
        self.err.write_all(text.as_bytes()).ok();
        self.err.flush().ok();
    }

    /// Warns at the end if this database turns out to be damaged.
    pub fn watch(&mut self, path: &Path, database: &Database) {
        self.watched.push((path.to_owned(), database.clone()));
    }

    /// True if a progress bar would be visible and not in the way: `streams` means that results are
    /// written to standard output during the work.
    pub fn shows_progress(&self, streams: bool) -> bool {
        !self.quiet && io::stderr().is_terminal() && !(streams && io::stdout().is_terminal())
    }

    /// Flushes standard output.
    pub fn close(&mut self) -> Result<(), Failure> {
        for (path, database) in std::mem::take(&mut self.watched) {
            if database.is_damaged() {
                let path = path.display();
                self.warn(&format!(
                    "{path}: the database is damaged; the damaged entries were not used"
                ));
            }
        }
        Ok(self.out.flush()?)
    }
}

impl When {
    fn on<S: anstream::stream::RawStream>(self, stream: &S) -> bool {
        match self {
            When::Always => true,
            When::Never => false,
            When::Auto => AutoStream::choice(stream) != ColorChoice::Never,
        }
    }
}

/// The styles; all empty without colours.
#[derive(Clone, Copy, Debug, Default)]
pub struct Theme {
    /// Errors.
    pub error: Tint,
    /// Warnings.
    pub warning: Tint,
    /// Success, notes and help.
    pub good: Tint,
    /// Places: files, line numbers, rulers.
    pub place: Tint,
    /// Emphasis.
    pub bold: Tint,
    /// Details.
    pub dim: Tint,
}

impl Theme {
    /// The style of a severity.
    pub fn of_severity(&self, severity: Severity) -> Tint {
        match severity {
            Severity::Error => self.error,
            Severity::Warning => self.warning,
            Severity::Note => self.good,
        }
    }

    fn new(coloured: bool) -> Theme {
        if !coloured {
            return Theme::default();
        }
        Theme {
            error: Tint::new(AnsiColor::Red.on_default().bold()),
            warning: Tint::new(AnsiColor::Yellow.on_default().bold()),
            good: Tint::new(AnsiColor::Green.on_default().bold()),
            place: Tint::new(AnsiColor::Cyan.on_default()),
            bold: Tint::new(Style::new().bold()),
            dim: Tint::new(Style::new().dimmed()),
        }
    }
}

/// More threads than this do not help and may be more than the system allows.
const MOST_THREADS: usize = 1024;

fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let number = text
        .parse()
        .ok()
        .filter(|threads: &NonZeroUsize| threads.get() <= MOST_THREADS);
    number.ok_or_else(|| format!("expected a number from 1 to {MOST_THREADS}"))
}
