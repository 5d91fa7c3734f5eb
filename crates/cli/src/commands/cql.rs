//! `gametree cql`: the command line of CQL and CQLi, on the same engine as `gametree query`.

use std::fs;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use desk::query::{Level, Options};
use desk::save::Target;

use crate::asking::{Form, Question, compile};
use crate::failure::{Exit, Failure};
use crate::files::Which;
use crate::shell::Shell;

/// Run a query file with the options of the programs cql and cqli
#[derive(clap::Args, Debug)]
#[command(disable_help_flag = true, after_help = HELP)]
pub struct Args {
    /// Options of cql or cqli, then the file with the query
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "OPTIONS QUERY.cql"
    )]
    words: Vec<String>,
}

const HELP: &str = "\
Options, with one dash or two, in any case:
  -i FILE, -input FILE      where the games are (repeatable)
  -o FILE, -output FILE     where matching games go [default: QUERY-out.pgn]
  -variations, -mainline    search variations, or not
  -g A [B], -gamenumber     only these games
  -matchcount A [B]         only games with so many matching positions
  -matchstring TEXT         the comment at matching positions [default: CQL]
  -cql FILTERS              filters that must match too (repeatable)
  -player, -white, -black, -event, -site NAME, -year A [B], -result R, -fen FEN
  -wtm, -btm, -virtualmainline
  -assign NAME VALUE        a variable that has a value from the start
  -flip, -flipcolor, -flipvertical, -fliphorizontal, -rotate90, -rotate45, -shift,
  -shifthorizontal, -shiftvertical, -reversecolor   around the whole query
  -silent, -quiet, -noheader, -nouniquecomments     fewer comments, or more
  -s, -singlethreaded, -threads N, -m
  -limit N                  stop after so many matching games
  -parse                    only say whether the query compiles

Examples:
  gametree cql -i games.pgn smothered.cql
  gametree cql -i games.pgn -o out.pgn -variations -matchcount 2 100 -cql check q.cql";

/// Runs the query as `cql` would.
pub fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    if args
        .words
        .iter()
        .any(|word| matches!(name(word), Some(n) if n == "help" || n == "h"))
    {
        writeln!(shell.out, "gametree cql OPTIONS QUERY.cql\n\n{HELP}")?;
        return Ok(Exit::Fine);
    }
    let typed = Typed::read(args.words)?;
    let query = compile(&typed.source()?, &typed.options)?;
    if typed.parse_only {
        writeln!(shell.out, "the query compiles")?;
        return Ok(Exit::Fine);
    }
    let files = typed.input(query.input())?;
    let output = typed.output(query.output());
    if let Some(threads) = typed.threads {
        shell.set_threads(threads);
    }
    let question = Question {
        query,
        form: Form::Games(output),
        first: false,
        limit: typed.limit,
        programs: false,
    };
    let (exit, found) = question.ask(files, Which::default(), shell)?;
    writeln!(shell.out, "{} matches of {} games", found.games, found.read)?;
    Ok(exit)
}

/// What was typed.
#[derive(Debug, Default)]
struct Typed {
    query: Option<PathBuf>,
    input: Vec<PathBuf>,
    output: Option<String>,
    options: Options,
    threads: Option<NonZeroUsize>,
    limit: Option<u64>,
    parse_only: bool,
}

/// The words after the program's name, one after the other.
struct Words(std::iter::Peekable<std::vec::IntoIter<String>>);

impl Words {
    fn value(&mut self, option: &str) -> Result<String, Failure> {
        self.0
            .next()
            .ok_or_else(|| Failure::new(format_args!("-{option} wants a value after it")))
    }

    fn number<N: std::str::FromStr>(&mut self, option: &str) -> Result<N, Failure> {
        let value = self.value(option)?;
        value.parse().map_err(|_| {
            Failure::new(format_args!(
                "-{option} wants a number after it, not `{value}`"
            ))
        })
    }

    /// One number, or two.
    fn range(&mut self, option: &str) -> Result<(i64, i64), Failure> {
        let from = self.number(option)?;
        let second = self.0.peek().and_then(|word| word.parse().ok());
        if second.is_some() {
            self.0.next();
        }
        Ok((from, second.unwrap_or(from)))
    }
}

impl Typed {
    fn read(words: Vec<String>) -> Result<Typed, Failure> {
        let mut typed = Typed::default();
        let mut words = Words(words.into_iter().peekable());
        while let Some(word) = words.0.next() {
            match name(&word) {
                Some(option) => typed.take(&option, &mut words)?,
                None => typed.take_file(word)?,
            }
        }
        Ok(typed)
    }

    fn take_file(&mut self, word: String) -> Result<(), Failure> {
        match self.query.replace(PathBuf::from(&word)) {
            None => Ok(()),
            Some(first) => Err(Failure::with_fix(
                format_args!("two query files: {} and {word}", first.display()),
                "games are named with -i",
            )),
        }
    }

    /// Takes one option; the groups are those of the help.
    fn take(&mut self, option: &str, words: &mut Words) -> Result<(), Failure> {
        match option {
            "i" | "input" => self.input.push(words.value(option)?.into()),
            "o" | "output" => self.output = Some(words.value(option)?),
            "limit" => self.limit = Some(words.number(option)?),
            "parse" => self.parse_only = true,
            "s" | "singlethreaded" => self.threads = Some(NonZeroUsize::MIN),
            "threads" => self.threads = Some(words.number(option)?),
            // How output is shown on the way changes nothing in it.
            "m" | "multithreaded" | "showmatches" | "showoutput" | "showthread"
            | "nooutputstatus" | "uniquecomments" => {}
            "lineincrement" | "outputbuffer" => drop(words.value(option)?),
            _ if is_transform(option) => self.options.transforms.push(option.to_owned()),
            _ => return self.take_search(option, words),
        }
        Ok(())
    }

    fn take_search(&mut self, option: &str, words: &mut Words) -> Result<(), Failure> {
        let options = &mut self.options;
        match option {
            "variations" => options.variations = Some(true),
            "mainline" => options.variations = Some(false),
            "g" | "gamenumber" => options.game_numbers = Some(words.range(option)?),
            "matchcount" => options.match_count = Some(words.range(option)?),
            "matchstring" => options.match_string = Some(words.value(option)?),
            "silent" => options.level = Some(Level::Silent),
            "quiet" => options.level = Some(Level::Quiet),
            "noheader" => options.header_comment = false,
            "nouniquecomments" => options.unique_comments = false,
            "assign" => {
                let variable = words.value(option)?;
                options.variables.push((variable, words.value(option)?));
            }
            _ => return self.take_filter(option, words),
        }
        Ok(())
    }

    /// Options that are filters.
    fn take_filter(&mut self, option: &str, words: &mut Words) -> Result<(), Failure> {
        let filter = match option {
            "cql" => words.value(option)?,
            "wtm" | "btm" | "virtualmainline" => option.to_owned(),
            "player" | "event" | "site" | "fen" | "similarposition" => {
                format!("{option} {}", quoted(&words.value(option)?))
            }
            "white" | "black" => format!("player {option} {}", quoted(&words.value(option)?)),
            "year" => {
                let (from, to) = words.range(option)?;
                format!("{from} <= year <= {to}")
            }
            "result" => format!("result {}", words.value(option)?),
            "hhdb" => format!("hhdb {}", words.value(option)?),
            _ => {
                return Err(Failure::with_fix(
                    format_args!("-{option} is no option of this program"),
                    "`gametree cql -help` lists them; `gametree query --help` has others",
                ));
            }
        };
        self.options.filters.push(filter);
        Ok(())
    }

    fn source(&self) -> Result<String, Failure> {
        let Some(path) = &self.query else {
            return Ok("cql()".into());
        };
        fs::read_to_string(path)
            .map_err(|error| Failure::new(format_args!("{}: {error}", path.display())))
    }

    fn input(&self, named: &[String]) -> Result<Vec<PathBuf>, Failure> {
        let named = named.iter().map(PathBuf::from);
        let files = if self.input.is_empty() {
            named.collect()
        } else {
            self.input.clone()
        };
        match files.is_empty() {
            false => Ok(files),
            true => Err(Failure::with_fix(
                "no games to search",
                "name a PGN file with -i",
            )),
        }
    }

    fn output(&self, named: Option<&str>) -> Target {
        let by_query = || {
            let stem = self.query.as_deref().and_then(Path::file_stem);
            let stem = stem.map_or("cql".into(), |stem| stem.to_string_lossy());
            format!("{stem}-out.pgn")
        };
        let name = self.output.clone().or(named.map(str::to_owned));
        Target::from_arg(name.unwrap_or_else(by_query))
    }
}

/// The option's name without its dashes, in lower case; none if the word is no option.
fn name(word: &str) -> Option<String> {
    let bare = word.strip_prefix("--").or(word.strip_prefix('-'))?;
    let is_name = bare.starts_with(|sign: char| sign.is_ascii_alphabetic());
    is_name.then(|| bare.to_ascii_lowercase())
}

fn is_transform(option: &str) -> bool {
    const TRANSFORMS: [&str; 10] = [
        "flip",
        "flipcolor",
        "flipvertical",
        "fliphorizontal",
        "rotate90",
        "rotate45",
        "shift",
        "shifthorizontal",
        "shiftvertical",
        "reversecolor",
    ];
    TRANSFORMS.contains(&option)
}

/// A text as CQL writes it; it has no way to write a quote.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', ""))
}
