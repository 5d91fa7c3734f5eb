//! Shared by `query` and `cql`: compiling with all errors, searching, writing the results.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use desk::games::Games;
use desk::query::{
    AllowedDir, Answer, CompileError, DiagnosticKind, Dialect, Found, GiveUp, GivenUp,
    MOST_GIVEN_UP, Options, Query, QueryHost, Search, SearchOutput, Sorted, Unbound,
};
use kit::input::Source;
use kit::save::{SaveError, Target};
use serde_json::json;

use crate::amounts::parse_bytes;
use crate::failure::{Exit, Failure};
use crate::files::{Which, ending};
use crate::output::Output;
use crate::parquet::{Matches, ParquetArgs};
use crate::progress::Bar;
use crate::shell::Shell;
use kit::number::{counted, grouped};

/// Options of a query.
#[derive(clap::Args, Clone, Debug)]
pub struct QueryOptions {
    /// Search variations too
    #[arg(long)]
    pub variations: bool,
    /// Language version, where CQLi and CQL 6.2 differ
    #[arg(long, value_name = "NAME", default_value = "cqli")]
    pub dialect: Name,
    /// Give up a game after N evaluation steps (exit status 1)
    #[arg(long, value_name = "N", default_value_t = Options::default().steps)]
    pub steps: u64,
    /// Stop when persistent variables need more memory than this; one game may use a quarter of it
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes, default_value = "256M")]
    pub memory: usize,
    /// Let the query run programs (`pipe`)
    #[arg(long)]
    pub allow_programs: bool,
    /// Let the query write files inside DIR (`outputfile`, `writefile`, `cql(output …)`)
    #[arg(long, value_name = "DIR")]
    pub allow_files: Option<PathBuf>,
}

/// A dialect, as typed.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum Name {
    /// CQL 6.1 as CQLi defines it, with CQLi's and CQL 6.2's additions
    Cqli,
    /// CQL 6.2
    Cql62,
}

impl QueryOptions {
    /// The compile options.
    pub fn options(&self) -> Options {
        Options::default()
            .with_variations(self.variations.then_some(true))
            .with_dialect(match self.dialect {
                Name::Cqli => Dialect::Cqli,
                Name::Cql62 => Dialect::Cql62,
            })
            .with_steps(self.steps)
            .with_memory(self.memory as u64 / 4)
            .with_persistent_memory(self.memory as u64)
            .with_write_files(self.allow_files.is_some())
            .with_run_programs(self.allow_programs)
    }
}

/// The directory of `--allow-files`, if it was given.
pub fn allowed_dir(dir: Option<&Path>) -> Result<Option<AllowedDir>, Failure> {
    let Some(dir) = dir else { return Ok(None) };
    match AllowedDir::new(dir) {
        Ok(allowed) => Ok(Some(allowed)),
        Err(error) => Err(Failure::new(format_args!(
            "--allow-files {}: {error}",
            dir.display()
        ))),
    }
}

/// The output file that a query names itself, which must be inside the allowed directory.
pub fn named_target(name: &str, files: Option<&AllowedDir>) -> Result<Target, Failure> {
    let Some(files) = files else {
        return Err(Failure::with_fix(
            format_args!("the query names the output file {name}, but may not write files"),
            format_args!("-o {name} writes there; {ALLOW_FILES}"),
        ));
    };
    match files.resolve(name) {
        Ok(path) => Ok(Target::File(path)),
        Err(refused) => Err(Failure::new(format_args!("output file {name}: {refused}"))),
    }
}

const ALLOW_FILES: &str = "--allow-files DIR lets the query write files inside DIR";
const MORE_MEMORY: &str = "--memory BYTES allows more";
const ALLOW_PROGRAMS: &str = "--allow-programs lets the query run programs";

/// The format of the answer.
#[derive(Clone, Debug)]
pub enum Form {
    /// The games, with comments, as PGN.
    Games(Target),
    /// The number of games and positions.
    Count {
        /// One JSON object.
        json: bool,
    },
    /// File, game, path and FEN of each matching position.
    List,
    /// One JSON object per matching position.
    Json,
    /// The FEN of each matching position.
    Fen,
    /// A Parquet table of matching positions.
    Table(ParquetArgs),
}

/// A compiled query and how to answer it.
#[derive(Debug)]
pub struct Question {
    /// The query.
    pub query: Query,
    /// The form of the answer.
    pub form: Form,
    /// Only the first matching position of each game.
    pub first: bool,
    /// Stop after this many games.
    pub limit: Option<u64>,
    /// The query may run programs.
    pub programs: bool,
    /// The query may write files here.
    pub files: Option<AllowedDir>,
}

/// The words of the command line; a query that begins like an option, `--(check)`, `--k` or
/// `--e4`, gets a blank before it, unless it follows `--`. `gametree cql` reads its words
/// itself.
pub fn escape_queries(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = words.collect();
    let is_option_word = |word: &OsString| word.to_string_lossy().starts_with('-');
    let command = words.iter().skip(1).find(|word| !is_option_word(word));
    if command.is_some_and(|command| command != "cql") {
        for word in words.iter_mut().skip(1).take_while(|word| *word != "--") {
            let text = word.to_str().and_then(|text| text.strip_prefix("--"));
            if text.is_some_and(|text| !text.is_empty() && !is_option(text)) {
                *word = [OsStr::new(" "), word].into_iter().collect();
            }
        }
    }
    words
}

/// Two small letters, then more of them, digits and dashes, perhaps with a value.
fn is_option(text: &str) -> bool {
    let name = text.split('=').next().unwrap_or(text);
    let of_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    name.len() > 1
        && name.chars().take(2).all(|c| c.is_ascii_lowercase())
        && name.chars().all(of_name)
}

/// Compiles a query; all its errors become one failure.
pub fn compile(source: &str, options: &Options) -> Result<Query, Failure> {
    Query::compile(source, options).map_err(invalid_query)
}

/// The text of a query file; `-` is standard input.
pub fn read_query(path: &Path) -> Result<String, Failure> {
    let source = Source::from_arg(path);
    String::from_utf8(source.read_whole()?)
        .map_err(|_| Failure::new(format_args!("{}: not UTF-8 text", source.name())))
}

/// The errors of a query with source excerpts, naming the options that permit refused operations.
pub fn invalid_query(error: CompileError) -> Failure {
    let text = error
        .with_help(DiagnosticKind::WritesFile, ALLOW_FILES)
        .with_help(DiagnosticKind::RunsProgram, ALLOW_PROGRAMS)
        .to_string();
    Failure::new(text.strip_prefix("error: ").unwrap_or(&text).trim_end())
}

impl Question {
    /// Searches the files and writes the answer.
    pub fn ask(
        &self,
        files: Vec<PathBuf>,
        which: Which,
        shell: &mut Shell,
    ) -> Result<(Exit, Found), Failure> {
        self.hint(shell);
        if self.leaves_no_files() && files.iter().all(|file| file.as_os_str() != "-") {
            shell.expect_short_work();
        }
        let host = self.host(&files, &which, shell)?;
        let games = which.games(files)?;
        let search = Search {
            query: &self.query,
            output: self.form.output(),
            first: self.first,
            limit: self.limit,
        };
        let workers = shell.workers();
        let bar = Bar::follow(shell, games.progress(), self.form.streams());
        let mut sink = Sink::new(self, shell)?;
        let run = search.run(&games, &workers, &host, |answer| sink.take(answer))?;
        drop(bar);
        let complete = !run.stopped && run.unread.is_empty() && !run.value.is_cut_short();
        if let Some(refusal) = host.refusal() {
            return Err(Failure::new(refusal));
        }
        sink.finish(&run.value, complete)?;
        if complete {
            host.save()?;
        }
        self.report(&run.value, shell)?;
        let exit = if run.value.given_up.is_empty() {
            Exit::Fine
        } else {
            Exit::Found
        };
        Ok((ending(shell, &run, exit), run.value))
    }

    /// True if it has no file open while it searches.
    fn leaves_no_files(&self) -> bool {
        let is_printed = match &self.form {
            Form::Games(target) => *target == Target::Stdout && !self.query.sorts(),
            Form::Count { .. } | Form::List | Form::Json | Form::Fen => true,
            Form::Table(_) => false,
        };
        is_printed && self.files.is_none()
    }

    fn hint(&self, shell: &mut Shell) {
        for warning in self.query.warnings() {
            let text = warning.render(self.query.source());
            shell.warn(text.trim_start_matches("warning: ").trim_end());
        }
        if self.query.ignores_variations() {
            shell.note("the query depends on variations, but only the mainline is searched; to search variations, use --variations");
        }
    }

    fn host(
        &self,
        files: &[PathBuf],
        which: &Which,
        shell: &mut Shell,
    ) -> Result<QueryHost, Failure> {
        let mut host = QueryHost::new();
        host.programs = self.programs;
        host.files.clone_from(&self.files);
        host.stop = shell.stop();
        if self.query.needs_last_game_number() && !files.iter().any(|file| file.as_os_str() == "-")
        {
            let games = which.clone().games(files.to_vec())?;
            host.last_game = Some(count_games(&games, shell)?);
        }
        Ok(host)
    }

    /// Reports persistent variables, games that were given up, variables without a value, failed
    /// asserts.
    fn report(&self, found: &Found, shell: &mut Shell) -> Result<(), Failure> {
        if found.persistent_full {
            return Err(Failure::with_fix(
                "the persistent variables need too much memory; the search ended",
                MORE_MEMORY,
            ));
        }
        for variable in found.persistent.iter().filter(|variable| !variable.quiet) {
            shell.note(&format!("{}: {}", variable.name, variable.value));
        }
        if !found.given_up.is_empty() {
            report_given_up(found, shell);
        }
        if found.given_up.len() >= MOST_GIVEN_UP {
            return Err(Failure::new(format_args!(
                "{MOST_GIVEN_UP} games were given up; the search ended"
            )));
        }
        if let Some(unbound) = &found.unbound {
            let Unbound { name, game } = unbound;
            let message = format!(
                "variable ‘{name}’ has no value where it is read (first in game {game}); assign \
                 it before, or test it with ‘isbound {name}’"
            );
            // CQL 6.2 stops there
            if self.query.dialect() == Dialect::Cql62 {
                return Err(Failure::new(message));
            }
            shell.warn(&message);
        }
        match found.failed_assert {
            None => Ok(()),
            Some(failed) => Err(Failure::new(format_args!(
                "game {}: assertion failed: {}",
                failed.game,
                failed.span.of(self.query.source())
            ))),
        }
    }
}

fn report_given_up(found: &Found, shell: &mut Shell) {
    let games = found
        .given_up
        .iter()
        .take(5)
        .map(|one| one.game.to_string());
    let games: Vec<String> = games.collect();
    let more = if found.given_up.len() > 5 {
        ", …"
    } else {
        ""
    };
    let of_memory = |one: &&GivenUp| one.reason == GiveUp::Memory;
    let (reason, fix) = if found.given_up.iter().any(|one| of_memory(&one)) {
        ("too much memory", MORE_MEMORY)
    } else {
        ("too many steps", "--steps N allows more")
    };
    let count = counted(found.given_up.len() as u64, "game");
    let message = format!(
        "{count} given up after {reason} (number {}{more})",
        games.join(", ")
    );
    shell.error(&message, Some(fix));
}

fn count_games(games: &Games, shell: &mut Shell) -> Result<u64, Failure> {
    let workers = shell.workers();
    games.run(&workers, |_| (), |()| Ok::<(), Failure>(()))?;
    Ok(games.progress().items())
}

impl Form {
    fn output(&self) -> SearchOutput {
        match self {
            Form::Games(_) => SearchOutput::Games,
            Form::Count { .. } => SearchOutput::Count,
            Form::List | Form::Json | Form::Fen | Form::Table(_) => SearchOutput::Positions,
        }
    }

    /// True if results go to standard output during the search.
    fn streams(&self) -> bool {
        match self {
            Form::Games(target) => *target == Target::Stdout,
            Form::Count { .. } | Form::Table(_) => false,
            Form::List | Form::Json | Form::Fen => true,
        }
    }
}

/// Writes the answers in their order.
struct Sink<'q, 's> {
    form: &'q Form,
    shell: &'s mut Shell,
    /// The file of matching games.
    output: Option<Output>,
    /// The table of matching positions.
    matches: Option<Matches>,
    /// Games that wait for the last one, if the query sorts.
    sorted: Option<Sorted<'q>>,
    /// Files that the query names itself.
    others: HashMap<PathBuf, Output>,
    /// Where these files may be.
    files: Option<&'q AllowedDir>,
    numbers: Vec<u64>,
}

impl<'q, 's> Sink<'q, 's> {
    fn new(question: &'q Question, shell: &'s mut Shell) -> Result<Self, Failure> {
        let (mut output, mut sorted) = (None, None);
        if let Form::Games(target) = &question.form {
            output = Some(Output::create_over(target.clone(), shell.overwrite())?);
            if question.query.sorts() {
                sorted = Some(Sorted::new(&question.query)?);
            }
        }
        let matches = match &question.form {
            Form::Table(place) => Some(Matches::create(place, shell)?),
            _ => None,
        };
        Ok(Sink {
            form: &question.form,
            shell,
            output,
            matches,
            sorted,
            others: HashMap::new(),
            files: question.files.as_ref(),
            numbers: Vec::new(),
        })
    }

    fn take(&mut self, answer: Answer) -> Result<(), Failure> {
        self.write_messages(&answer.result.messages)?;
        if !answer.result.matched {
            return Ok(());
        }
        match self.form {
            Form::Games(target) => self.write_game(answer, target),
            Form::Count { json } => {
                self.numbers
                    .extend(json.then_some(answer.result.game_number));
                Ok(())
            }
            Form::List => self.list(&answer),
            Form::Json => self.write_json(&answer),
            Form::Fen => self.write_fens(&answer),
            Form::Table(_) => match &mut self.matches {
                Some(table) => table.add(&answer),
                None => Ok(()),
            },
        }
    }

    /// Messages go to standard output, unless the games go there.
    fn write_messages(&mut self, messages: &[String]) -> Result<(), Failure> {
        for message in messages {
            if self.form.streams() {
                self.shell.print_error(&format!("{message}\n"));
            } else {
                writeln!(self.shell.out, "{message}")?;
            }
        }
        Ok(())
    }

    fn write_game(&mut self, answer: Answer, target: &Target) -> Result<(), Failure> {
        let Answer { result, pgn, .. } = answer;
        if let Some(name) = result.output_file {
            return self.write_elsewhere(&name, &pgn);
        }
        let written = match (&mut self.sorted, &mut self.output) {
            (Some(sorted), _) => sorted.push(result.game_number, result.sort, pgn.as_bytes()),
            (None, Some(output)) => output.write_all(pgn.as_bytes()),
            (None, None) => Ok(()),
        };
        written.map_err(|error| unsaved(target, error))
    }

    fn write_elsewhere(&mut self, name: &str, pgn: &str) -> Result<(), Failure> {
        let target = named_target(name, self.files)?;
        let Target::File(path) = &target else {
            return Ok(());
        };
        let output = match self.others.entry(path.clone()) {
            Entry::Occupied(open) => open.into_mut(),
            Entry::Vacant(place) => {
                place.insert(Output::create_over(target.clone(), self.shell.overwrite())?)
            }
        };
        output
            .write_all(pgn.as_bytes())
            .map_err(|error| unsaved(&target, error))
    }

    fn list(&mut self, answer: &Answer) -> Result<(), Failure> {
        let theme = self.shell.theme;
        for found in &answer.positions {
            let path = if found.path.is_empty() {
                "start"
            } else {
                &found.path
            };
            writeln!(
                self.shell.out,
                "{place}{}{place:#}\t{}\t{path}\t{}",
                found.file,
                found.game,
                found.fen,
                place = theme.place
            )?;
        }
        Ok(())
    }

    fn write_json(&mut self, answer: &Answer) -> Result<(), Failure> {
        for found in &answer.positions {
            let mut object = json!(found);
            let sort: Vec<_> = answer.result.sort.iter().map(sort_json).collect();
            if let (Some(object), false) = (object.as_object_mut(), sort.is_empty()) {
                object.insert("sort".into(), json!(sort));
            }
            self.shell.out.write_json(&object)?;
        }
        Ok(())
    }

    fn write_fens(&mut self, answer: &Answer) -> Result<(), Failure> {
        for found in &answer.positions {
            writeln!(self.shell.out, "{}", found.fen)?;
        }
        Ok(())
    }

    /// Writes the results that wait for the end of the search. Without all games nothing is saved.
    fn finish(mut self, found: &Found, complete: bool) -> Result<(), Failure> {
        match self.form {
            Form::Count { json: true } => {
                let Found {
                    games, positions, ..
                } = found;
                let object = json!({
                    "games": games,
                    "positions": positions,
                    "game_numbers": self.numbers,
                });
                self.shell.out.write_json(&object)?;
            }
            Form::Count { json: false } => {
                let games = counted(found.games, "game");
                let positions = counted(found.positions, "position");
                writeln!(self.shell.out, "{games}, {positions}")?;
            }
            _ => {}
        }
        match (self.form, self.matches.take()) {
            (Form::Games(target), _) => self.save(target, complete),
            (Form::Table(_), Some(table)) if complete => table.finish(),
            (Form::Table(_), _) => {
                self.shell.note("nothing was written");
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn save(&mut self, target: &Target, complete: bool) -> Result<(), Failure> {
        if let (Some(sorted), Some(output)) = (self.sorted.take(), &mut self.output) {
            sorted
                .write(output)
                .map_err(|error| unsaved(target, error))?;
        }
        if *target != Target::Stdout && !complete {
            self.shell.note("nothing was written");
            return Ok(());
        }
        let outputs = self
            .output
            .take()
            .into_iter()
            .chain(self.others.drain().map(|(_, o)| o));
        for output in outputs {
            output.finish()?;
        }
        Ok(())
    }
}

/// A line of counts, for people.
pub fn summary(found: &Found) -> String {
    format!(
        "{} of {} match, {}",
        grouped(found.games),
        counted(found.read, "game"),
        counted(found.positions, "position")
    )
}

fn sort_json(value: &Option<desk::query::SortValue>) -> serde_json::Value {
    match value {
        None => json!(null),
        Some(desk::query::SortValue::Number(number)) => json!(number),
        Some(desk::query::SortValue::Text(text)) => json!(&**text),
    }
}

fn unsaved(target: &Target, error: io::Error) -> Failure {
    Failure::from(SaveError {
        target: target.clone(),
        error,
    })
}
