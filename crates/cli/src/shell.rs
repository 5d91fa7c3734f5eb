//! The manners all commands share: colour, quiet, threads, Ctrl-C, messages.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use clap::{Args, ValueEnum};
use desk::check::Severity;
use kit::limits::Size;
use kit::{Limits, Stop, Workers};
use lab::db::Database;

use crate::failure::Failure;
use crate::sums::parse_bytes;

/// What can be typed with every command.
#[derive(Args, Clone, Debug)]
pub struct Manners {
    /// When to use colours; NO_COLOR is honoured
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "Common options"
    )]
    color: When,
    /// No progress bar, no summaries, no hints: results and errors only
    #[arg(long, short, global = true, help_heading = "Common options")]
    quiet: bool,
    /// How many threads work [default: one for each core]
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

impl Manners {
    fn limits(&self) -> Limits {
        let Limits { unpacked, text } = Limits::default();
        let size = |asked: Option<usize>, usual| asked.map_or(usual, |bytes| Size(bytes as u64));
        Limits {
            unpacked: size(self.max_unpacked, unpacked),
            text: size(self.max_text, text),
        }
    }
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum When {
    /// On a terminal
    Auto,
    /// Even into a pipe or file
    Always,
    /// Not at all
    Never,
}

/// The terminal, or whatever stands in its place.
pub struct Shell {
    /// Standard output, buffered.
    pub out: BufWriter<io::Stdout>,
    /// How things look on standard output.
    pub theme: Theme,
    coloured: bool,
    errors: Theme,
    quiet: bool,
    threads: Option<NonZeroUsize>,
    stop: Option<Stop>,
    watched: Vec<(PathBuf, Database)>,
}

impl Shell {
    /// A shell with the manners asked for.
    pub fn new(manners: Manners) -> Shell {
        manners.limits().set();
        Shell {
            out: BufWriter::with_capacity(1 << 16, io::stdout()),
            theme: Theme::new(manners.color.on(&io::stdout())),
            coloured: manners.color.on(&io::stdout()),
            errors: Theme::new(manners.color.on(&io::stderr())),
            quiet: manners.quiet,
            threads: manners.threads,
            stop: None,
            watched: Vec::new(),
        }
    }

    /// True if only results and errors are wanted.
    pub fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// True if colours are wanted on standard output.
    pub fn is_coloured(&self) -> bool {
        self.coloured
    }

    /// How many columns to fill: the terminal's, else what `COLUMNS` says, else 80.
    pub fn columns(&self) -> usize {
        let terminal = terminal_size::terminal_size_of(io::stdout());
        let told = || std::env::var("COLUMNS").ok()?.parse().ok();
        terminal
            .map(|(width, _)| width.0.into())
            .or_else(told)
            .unwrap_or(80)
    }

    /// How many lines the terminal has; none if standard output is no terminal.
    pub fn lines(&self) -> Option<usize> {
        let (_, height) = terminal_size::terminal_size_of(io::stdout())?;
        Some(height.0.into())
    }

    /// The threads to work with. From here on Ctrl-C asks them to come to a good end; a second
    /// Ctrl-C ends the program at once.
    pub fn crew(&mut self) -> Workers {
        let stop = self.stop.get_or_insert_with(catch_ctrl_c).clone();
        Workers::new(self.threads, stop)
    }

    /// This many threads from now on, whatever was typed.
    pub fn set_threads(&mut self, threads: NonZeroUsize) {
        self.threads = Some(threads);
    }

    /// Tells of something that went wrong, on standard error.
    pub fn complain(&mut self, message: &str, fix: Option<&str>) {
        self.out.flush().ok();
        let Theme {
            error, good, bold, ..
        } = self.errors;
        let mut err = io::stderr().lock();
        writeln!(err, "{error}error{error:#}{bold}:{bold:#} {message}").ok();
        if let Some(fix) = fix {
            writeln!(err, "{good} help{good:#}{bold}:{bold:#} {fix}").ok();
        }
    }

    /// Tells of something that is wrong but stops nothing, on standard error.
    pub fn warn(&mut self, message: &str) {
        self.out.flush().ok();
        let Theme { warning, bold, .. } = self.errors;
        let mut err = io::stderr().lock();
        writeln!(err, "{warning}warning{warning:#}{bold}:{bold:#} {message}").ok();
    }

    /// Tells at the end if entries of a database were met that could not be believed.
    pub fn watch(&mut self, path: &Path, database: &Database) {
        self.watched.push((path.to_owned(), database.clone()));
    }

    /// Tells of something worth knowing, on standard error, unless `--quiet`.
    pub fn note(&mut self, message: &str) {
        if !self.quiet {
            self.out.flush().ok();
            let Theme { good, bold, .. } = self.errors;
            writeln!(
                io::stderr().lock(),
                "{good}note{good:#}{bold}:{bold:#} {message}"
            )
            .ok();
        }
    }

    /// True if a progress bar would be seen and would not disturb: `streams` says that results are
    /// written to standard output all along.
    pub fn shows_progress(&self, streams: bool) -> bool {
        !self.quiet && io::stderr().is_terminal() && !(streams && io::stdout().is_terminal())
    }

    /// Writes what is still in the buffer.
    pub fn close(&mut self) -> Result<(), Failure> {
        for (path, database) in std::mem::take(&mut self.watched) {
            if database.is_damaged() {
                let path = path.display();
                self.warn(&format!(
                    "{path}: the database is damaged; what is wrong in it was not used"
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

/// The styles, all empty where colour is not wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Theme {
    /// What is wrong.
    pub error: Style,
    /// What is doubtful.
    pub warning: Style,
    /// What helps.
    pub good: Style,
    /// Places: files, line numbers, rulers.
    pub place: Style,
    /// What stands out.
    pub bold: Style,
    /// What stands back.
    pub dim: Style,
}

impl Theme {
    /// The style of something this bad.
    pub fn of_severity(&self, severity: Severity) -> Style {
        match severity {
            Severity::Error => self.error,
            Severity::Warning => self.warning,
            Severity::Note => self.good,
        }
    }

    fn new(coloured: bool) -> Theme {
        match coloured {
            false => Theme::default(),
            true => Theme {
                error: AnsiColor::Red.on_default().bold(),
                warning: AnsiColor::Yellow.on_default().bold(),
                good: AnsiColor::Green.on_default().bold(),
                place: AnsiColor::Cyan.on_default(),
                bold: Style::new().bold(),
                dim: Style::new().dimmed(),
            },
        }
    }
}

/// More threads than this help nobody and may be more than the system gives.
const MOST_THREADS: usize = 1024;

fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let number = text
        .parse()
        .ok()
        .filter(|threads: &NonZeroUsize| threads.get() <= MOST_THREADS);
    number.ok_or_else(|| format!("a number from 1 to {MOST_THREADS} is needed"))
}

fn catch_ctrl_c() -> Stop {
    let stop = Stop::new();
    let raised = stop.clone();
    let caught = ctrlc::set_handler(move || {
        if raised.is_raised() {
            std::process::exit(130);
        }
        raised.raise();
        if io::stderr().is_terminal() {
            eprintln!("\nstopping; Ctrl-C again to stop at once");
        }
    });
    // Without a handler Ctrl-C ends the program at once, as it would have anyway.
    drop(caught);
    stop
}
