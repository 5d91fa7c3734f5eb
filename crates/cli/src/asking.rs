//! What `query` and `cql` share: compiling with all complaints, searching, writing what was found.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::PathBuf;

use clap::ValueEnum;
use desk::games::Games;
use desk::query::{
    Answer, Diagnostic, Dialect, Found, MOST_GIVEN_UP, Options, Query, Search, Sorted,
    Surroundings, Wanted,
};
use kit::save::{Output, SaveError, Target};
use serde_json::json;

use crate::failure::{Exit, Failure};
use crate::files::{Which, ending};
use crate::number::{counted, grouped};
use crate::progress::Bar;
use crate::shell::Shell;

/// How queries are read, whatever they ask.
#[derive(clap::Args, Clone, Debug)]
pub struct How {
    /// Search variations too
    #[arg(long)]
    pub variations: bool,
    /// Whose reading of the language, where CQLi and CQL differ
    #[arg(long, value_name = "NAME", default_value = "cqli")]
    pub dialect: Name,
    /// Give a game up after N steps of evaluation
    #[arg(long, value_name = "N", default_value_t = Options::default().steps)]
    pub steps: u64,
    /// Let the query run programs (`pipe`)
    #[arg(long)]
    pub allow_programs: bool,
}

/// A dialect, as it is typed.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum Name {
    /// CQL 6.1 as CQLi defines it, with CQLi's and CQL 6.2's additions
    Cqli,
    /// CQL 6.2
    Cql62,
}

impl How {
    /// What the compiler is told.
    pub fn options(&self) -> Options {
        Options {
            variations: self.variations.then_some(true),
            dialect: match self.dialect {
                Name::Cqli => Dialect::Cqli,
                Name::Cql62 => Dialect::Cql62,
            },
            steps: self.steps,
            ..Options::default()
        }
    }
}

/// In which form the answer is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// The games, with comments, as PGN.
    Games(Target),
    /// How many games and positions; as JSON if so wanted.
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
}

/// A question that compiles, and how it is answered.
#[derive(Debug)]
pub struct Question {
    /// The question.
    pub query: Query,
    /// The form of the answer.
    pub form: Form,
    /// Only the first matching position of each game.
    pub first: bool,
    /// Enough after this many games.
    pub limit: Option<u64>,
    /// The query may run programs.
    pub programs: bool,
}

/// The words of the command line; a query that begins like an option, `--(check)`, `--k` or
/// `--e4`, gets a blank before it, unless `--` stands before it. `gametree cql` reads its words
/// itself.
pub fn queries_apart(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
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

/// Compiles a query; all that is wrong with it becomes one failure.
pub fn compile(source: &str, options: &Options) -> Result<Query, Failure> {
    Query::compile(source, options).map_err(|wrong| misspelt(source, options, &wrong))
}

/// The complaints about a query, each under its words.
pub fn misspelt(source: &str, options: &Options, wrong: &[Diagnostic]) -> Failure {
    let full = Query::full_source(source, options);
    let drawn: Vec<String> = wrong.iter().map(|one| one.render(&full)).collect();
    let text = drawn.join("\n");
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
        let surroundings = self.surroundings(&files, &which, shell)?;
        let games = which.games(files)?;
        let search = Search {
            query: &self.query,
            wanted: self.form.wanted(),
            first: self.first,
            limit: self.limit,
        };
        let crew = shell.crew();
        let bar = Bar::follow(shell, games.progress(), self.form.streams());
        let mut sink = Sink::new(self, shell)?;
        let run = search.run(&games, &crew, &surroundings, |answer| sink.take(answer))?;
        drop(bar);
        let complete = !run.stopped && run.unread.is_empty() && !run.value.is_cut_short();
        sink.finish(&run.value, complete)?;
        self.tell(&run.value, shell)?;
        Ok((ending(shell, &run, Exit::Fine), run.value))
    }

    fn hint(&self, shell: &mut Shell) {
        if self.query.overlooks_variations() {
            shell.note("the query asks about the tree, but only the mainline is searched; --variations searches all of it");
        }
    }

    fn surroundings(
        &self,
        files: &[PathBuf],
        which: &Which,
        shell: &mut Shell,
    ) -> Result<Surroundings, Failure> {
        let mut surroundings = Surroundings::new();
        surroundings.programs = self.programs;
        surroundings.stop = shell.crew().stop;
        if self.query.needs_last_game_number() && !files.iter().any(|file| file.as_os_str() == "-")
        {
            let games = which.clone().games(files.to_vec())?;
            surroundings.last_game = Some(count_games(&games, shell)?);
        }
        Ok(surroundings)
    }

    /// What the search has to say at its end, beside the answer.
    fn tell(&self, found: &Found, shell: &mut Shell) -> Result<(), Failure> {
        for variable in found.persistent.iter().filter(|variable| !variable.quiet) {
            shell.note(&format!("{}: {}", variable.name, variable.value));
        }
        if !found.given_up.is_empty() {
            let games: Vec<String> = found.given_up.iter().take(5).map(u64::to_string).collect();
            shell.complain(
                &format!(
                    "{} given up after too many steps (number {}{})",
                    counted(found.given_up.len() as u64, "game"),
                    games.join(", "),
                    if found.given_up.len() > 5 {
                        ", …"
                    } else {
                        ""
                    }
                ),
                Some("--steps N allows more"),
            );
        }
        if found.given_up.len() >= MOST_GIVEN_UP {
            return Err(Failure::new(
                "the query seems never to end; nothing more was searched",
            ));
        }
        match found.failed_assert {
            None => Ok(()),
            Some(failed) => Err(Failure::new(format_args!(
                "game {}: this does not hold: {}",
                failed.game,
                failed.span.of(self.query.source())
            ))),
        }
    }
}

fn count_games(games: &Games, shell: &mut Shell) -> Result<u64, Failure> {
    let crew = shell.crew();
    games.run(&crew, |_| (), |()| Ok::<(), Failure>(()))?;
    Ok(games.progress().items())
}

impl Form {
    fn wanted(&self) -> Wanted {
        match self {
            Form::Games(_) => Wanted::Games,
            Form::Count { .. } => Wanted::Count,
            Form::List | Form::Json | Form::Fen => Wanted::Positions,
        }
    }

    /// True if results go to standard output all along.
    fn streams(&self) -> bool {
        match self {
            Form::Games(target) => *target == Target::Stdout,
            Form::Count { .. } => false,
            Form::List | Form::Json | Form::Fen => true,
        }
    }
}

/// Where answers go as they come.
struct Sink<'q, 's> {
    form: &'q Form,
    shell: &'s mut Shell,
    /// The file of matching games.
    output: Option<Output>,
    /// Games that wait for the last one, if the query sorts.
    sorted: Option<Sorted<'q>>,
    /// Files that the query names itself.
    others: HashMap<String, Output>,
    numbers: Vec<u64>,
}

impl<'q, 's> Sink<'q, 's> {
    fn new(question: &'q Question, shell: &'s mut Shell) -> Result<Self, Failure> {
        let (mut output, mut sorted) = (None, None);
        if let Form::Games(target) = &question.form {
            output = Some(Output::create(target.clone())?);
            if question.query.sorts() {
                sorted = Some(Sorted::new(&question.query)?);
            }
        }
        Ok(Sink {
            form: &question.form,
            shell,
            output,
            sorted,
            others: HashMap::new(),
            numbers: Vec::new(),
        })
    }

    fn take(&mut self, answer: Answer) -> Result<(), Failure> {
        self.say(&answer.result.messages)?;
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
        }
    }

    /// Messages go to standard output, unless the games go there.
    fn say(&mut self, messages: &[String]) -> Result<(), Failure> {
        for message in messages {
            match self.form.streams() {
                true => writeln!(io::stderr().lock(), "{message}")?,
                false => writeln!(self.shell.out, "{message}")?,
            }
        }
        Ok(())
    }

    fn write_game(&mut self, answer: Answer, target: &Target) -> Result<(), Failure> {
        let Answer { result, pgn, .. } = answer;
        if let Some(name) = result.output_file {
            return self.write_elsewhere(name, &pgn);
        }
        let written = match (&mut self.sorted, &mut self.output) {
            (Some(sorted), _) => sorted.push(result.game_number, result.sort, pgn.as_bytes()),
            (None, Some(output)) => output.write_all(pgn.as_bytes()),
            (None, None) => Ok(()),
        };
        written.map_err(|error| unsaved(target, error))
    }

    fn write_elsewhere(&mut self, name: String, pgn: &str) -> Result<(), Failure> {
        let target = Target::from_arg(&name);
        let output = match self.others.entry(name) {
            std::collections::hash_map::Entry::Occupied(there) => there.into_mut(),
            std::collections::hash_map::Entry::Vacant(place) => {
                place.insert(Output::create(target.clone())?)
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
            writeln!(self.shell.out, "{object}")?;
        }
        Ok(())
    }

    fn write_fens(&mut self, answer: &Answer) -> Result<(), Failure> {
        for found in &answer.positions {
            writeln!(self.shell.out, "{}", found.fen)?;
        }
        Ok(())
    }

    /// Writes what waited; a file that was there before stays as it was if something is missing.
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
                writeln!(self.shell.out, "{object}")?;
            }
            Form::Count { json: false } => {
                let games = counted(found.games, "game");
                let positions = counted(found.positions, "position");
                writeln!(self.shell.out, "{games}, {positions}")?;
            }
            _ => {}
        }
        let Form::Games(target) = self.form else {
            return Ok(());
        };
        self.save(target, complete)
    }

    fn save(&mut self, target: &Target, complete: bool) -> Result<(), Failure> {
        if let (Some(sorted), Some(output)) = (self.sorted.take(), &mut self.output) {
            sorted
                .write(output)
                .map_err(|error| unsaved(target, error))?;
        }
        if target.replaces() && !complete {
            self.shell.note(&format!("{target} stays as it was"));
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

/// A line about what was found, for people.
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
