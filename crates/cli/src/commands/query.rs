//! `gametree query`: ask games a question in CQL.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use kit::number::{counted, grouped};
use kit::save::Target;

use desk::query::{AllowedDir, Level};

use crate::failure::{Exit, Failure};
use crate::files::Which;
use crate::parquet::ParquetArgs;
use crate::repl;
use crate::search::{
    Form, QueryOptions, Question, allowed_dir, compile, named_target, read_query, summary,
};
use crate::shell::Shell;

/// Search games with CQL, the Chess Query Language
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  gametree query mate games.pgn -o mates.pgn             games that end in mate, matches marked
  gametree query 'pin from b through N to K' --count twic/
  gametree query --list 'check and Qh5' games.pgn        file, game, path and FEN of each
  gametree query --variations 'mainline and child(1)' repertoire.pgn --fen
  gametree query -f smothered.cql games.pgn.zst          read the query from a file
  gametree query --json 'move from Q capture P' g.pgn | jq .path
  gametree query base 'R==1 P==1 r==1 A==3 a==2' --count  over an archive; --explain says what it skips
  gametree query mate twic/ --parquet found              the matches as a table
  gametree query --repl games.pgn                        read the games once, then type queries

Searches only the mainline unless --variations or cql(variations) is given. docs/cookbook.md has
many example queries.

Exit status: 0 searched, 1 some games were given up (--steps), 2 error.")]
pub struct Args {
    /// The query (omitted with -f), then PGN files, plain or compressed, folders, or `-`
    #[arg(value_name = "QUERY FILES")]
    words: Vec<OsString>,
    /// Read the query from this file (`-`: standard input)
    #[arg(short = 'f', long = "file", value_name = "QUERY.cql")]
    file: Option<PathBuf>,
    /// Output file for matching games [default: standard output]
    #[arg(short, long, value_name = "OUT", conflicts_with = "parquet")]
    output: Option<OsString>,
    #[command(flatten)]
    query_options: QueryOptions,
    #[command(flatten)]
    which: Which,
    /// Print only the number of matching games and positions; with --json also the game numbers
    #[arg(long, help_heading = "Output", conflicts_with_all = ["list", "fen", "parquet"])]
    count: bool,
    /// Print a line for each matching position: file, game, path, FEN
    #[arg(long, help_heading = "Output", conflicts_with_all = ["fen", "parquet"])]
    list: bool,
    /// Print one JSON object per matching position: file, game, position, path, fen
    #[arg(long, help_heading = "Output", conflicts_with_all = ["list", "fen", "parquet"])]
    json: bool,
    /// Print the FEN of each matching position
    #[arg(long, help_heading = "Output", conflicts_with = "parquet")]
    fen: bool,
    /// Only the first matching position of each game
    #[arg(long, help_heading = "Output")]
    first: bool,
    /// Stop after N matching games
    #[arg(long, value_name = "N", help_heading = "Output")]
    limit: Option<u64>,
    /// Print how the query skips games and positions early; without files, only that
    #[arg(long)]
    explain: bool,
    /// Read the games once, then run queries from a prompt
    #[arg(long, conflicts_with_all = ["file", "output", "count", "list", "json", "fen", "parquet"])]
    repl: bool,
    #[command(flatten)]
    tables: ParquetArgs,
}

const USAGE: &str = "gametree query 'QUERY' FILES, or -f QUERY.cql FILES";

/// Searches.
pub fn run(mut args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    if args.repl {
        let files = paths(args.words);
        return repl::run(files, args.which, &args.query_options, shell);
    }
    let source = source(&mut args)?;
    let mut options = args.query_options.options();
    if args.count || args.list || args.fen || args.tables.parquet.is_some() {
        // comments are not printed
        options = options.with_level(Level::Silent);
    }
    let query = compile(&source, &options).map_err(|failure| suggest_file(failure, &source))?;
    let mut files = paths(std::mem::take(&mut args.words));
    if files.is_empty() {
        files = query.input().iter().map(PathBuf::from).collect();
    }
    if args.explain {
        explain(&query, shell)?;
        if files.is_empty() {
            return Ok(Exit::Fine);
        }
    }
    if files.is_empty() {
        return Err(Failure::with_fix(
            "no files to search",
            "name PGN files after the query, or - for standard input",
        ));
    }
    let allowed = allowed_dir(args.query_options.allow_files.as_deref())?;
    let form = args.form(query.output(), allowed.as_ref())?;
    let question = Question {
        query,
        form,
        first: args.first,
        limit: args.limit,
        programs: args.query_options.allow_programs,
        files: allowed,
    };
    let (exit, found) = question.ask(files, args.which, shell)?;
    if args.explain && found.excluded > 0 {
        let (excluded, read) = (grouped(found.excluded), counted(found.read, "game"));
        shell.note(&format!(
            "{excluded} of {read} were not read: the archive shows that they cannot match"
        ));
    }
    if !matches!(question.form, Form::Count { .. }) {
        shell.note(&summary(&found));
    }
    Ok(exit)
}

/// The query's text: the file's, or the first word.
fn source(args: &mut Args) -> Result<String, Failure> {
    if let Some(path) = &args.file {
        return read_query(path);
    }
    if args.words.is_empty() {
        return Err(Failure::with_fix("no query", USAGE));
    }
    let exists = |word: Option<&OsString>| word.is_some_and(|word| Path::new(word).exists());
    if args.words.len() > 1 && exists(args.words.first()) && !exists(args.words.last()) {
        args.words.rotate_right(1); // the files first, as in other commands
    }
    args.words
        .remove(0)
        .into_string()
        .map_err(|word| Failure::new(format_args!("the query is not UTF-8: {}", word.display())))
}

/// Names the option for query files, or the missing query, if a file name stands in its place.
fn suggest_file(failure: Failure, query: &str) -> Failure {
    match failure {
        Failure::Reported { message, fix: None } if query.ends_with(".cql") => {
            Failure::with_fix(message, "to read the query from a file, use -f FILE")
        }
        Failure::Reported { .. } if Path::new(query).exists() => {
            Failure::with_fix(format!("no query: {query} is a file or folder"), USAGE)
        }
        other => other,
    }
}

fn paths(words: Vec<OsString>) -> Vec<PathBuf> {
    words.into_iter().map(PathBuf::from).collect()
}

fn explain(query: &desk::query::Query, shell: &mut Shell) -> Result<(), Failure> {
    use std::io::Write;
    let reasons = query.explain();
    if reasons.is_empty() {
        writeln!(shell.out, "every position of every game is examined")?;
    }
    for reason in reasons {
        writeln!(shell.out, "{reason}")?;
    }
    Ok(())
}

impl Args {
    /// The form of the answer; `named` is the output file that the query names.
    fn form(&self, named: Option<&str>, files: Option<&AllowedDir>) -> Result<Form, Failure> {
        if self.tables.parquet.is_some() {
            return Ok(Form::Table(self.tables.clone()));
        }
        Ok(match self {
            Args {
                count: true, json, ..
            } => Form::Count { json: *json },
            Args { list: true, .. } => Form::List,
            Args { json: true, .. } => Form::Json,
            Args { fen: true, .. } => Form::Fen,
            Args { output, .. } => Form::Games(match (output, named) {
                (Some(output), _) => Target::from_arg(output),
                (None, Some(named)) => named_target(named, files)?,
                (None, None) => Target::Stdout,
            }),
        })
    }
}
