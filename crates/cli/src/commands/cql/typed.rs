//! Parses the command line of CQL and CQLi.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use desk::query::{AllowedDir, Dialect, Level, Options, Stage};
use kit::save::Target;

use crate::failure::Failure;
use crate::search::{named_target, read_query};

/// The task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Task {
    /// Search games.
    #[default]
    Search,
    /// Print help.
    Help,
    Version,
    License,
    /// Check that the query compiles.
    Compile,
    /// Show the result of a stage of the compiler.
    Show(Stage),
    /// Rewrite the query.
    Ascii,
    Unicode,
    Html,
}

/// The parsed command line.
#[derive(Debug, Default)]
pub(super) struct Typed {
    task: Task,
    /// `-a`, which CQL and CQLi define differently.
    a: bool,
    query: Option<PathBuf>,
    input: Vec<PathBuf>,
    pub output: Option<String>,
    pub append: bool,
    no_clobber: bool,
    create_directories: bool,
    pub options: Options,
    /// The directory that the query may write into.
    pub allow_files: Option<PathBuf>,
    pub threads: Option<NonZeroUsize>,
    pub limit: Option<u64>,
    pub gui: bool,
    /// Notes about options that have no effect.
    pub remarks: Vec<String>,
}

/// The arguments.
struct Words(std::iter::Peekable<std::vec::IntoIter<String>>);

impl Words {
    fn value(&mut self, option: &str) -> Result<String, Failure> {
        self.0
            .next()
            .ok_or_else(|| Failure::new(format_args!("option -{option} requires a value")))
    }

    fn number<N: std::str::FromStr>(&mut self, option: &str) -> Result<N, Failure> {
        let value = self.value(option)?;
        value.parse().map_err(|_| {
            Failure::new(format_args!(
                "option -{option} requires a number, found `{value}`"
            ))
        })
    }

    /// One or two numbers.
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
    pub fn read(words: Vec<String>) -> Result<Typed, Failure> {
        let mut typed = Typed::default();
        let mut words = Words(words.into_iter().peekable());
        while let Some(word) = words.0.next() {
            match name(&word) {
                Some(option) => typed.take(&option, &mut words)?,
                None => typed.take_file(word)?,
            }
        }
        typed.append |= typed.a && (!typed.input.is_empty() || typed.output.is_some());
        Ok(typed)
    }

    fn take_file(&mut self, word: String) -> Result<(), Failure> {
        match self.query.replace(PathBuf::from(&word)) {
            None => Ok(()),
            Some(first) => Err(Failure::with_fix(
                format_args!("two query files: {} and {word}", first.display()),
                "name PGN files with -i",
            )),
        }
    }

    /// Parses one option; each function handles a group of them.
    fn take(&mut self, option: &str, words: &mut Words) -> Result<(), Failure> {
        match option {
            "i" | "input" => self.input.push(words.value(option)?.into()),
            "o" | "output" => self.output = Some(words.value(option)?),
            "vi" | "vii" => self.input.push(format!("hhdb{option}.pgn").into()),
            "guipgnstdin" => self.input.push("-".into()),
            "guipgnstdout" => self.output = Some("-".into()),
            "gui" => self.gui = true,
            "append" => self.append = true,
            "noclobber" => self.no_clobber = true,
            "createdirectories" => self.create_directories = true,
            "allow-files" | "allowfiles" => {
                self.allow_files = Some(words.value(option)?.into());
                self.options.write_files = true;
            }
            "allow-programs" | "allowprograms" => self.options.run_programs = true,
            "limit" => self.limit = Some(words.number(option)?),
            "s" | "singlethreaded" => self.threads = Some(NonZeroUsize::MIN),
            "threads" => self.threads = Some(words.number(option)?),
            _ if is_transform(option) => self.options.transforms.push(option.to_owned()),
            _ => return self.take_task(option, words),
        }
        Ok(())
    }

    fn take_task(&mut self, option: &str, words: &mut Words) -> Result<(), Failure> {
        match option {
            "help" | "h" => self.task = Task::Help,
            "version" => self.task = Task::Version,
            "license" => self.task = Task::License,
            "dryrun" => self.task = Task::Compile,
            "parse" => self.task = Task::Show(Stage::Ast),
            "lex" => self.task = Task::Show(Stage::Tokens),
            "a" => self.a = true,
            "u" | "utf8" => self.task = Task::Unicode,
            "html" | "colorize" => self.task = Task::Html,
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
            "nosortcomments" => options.sort_comments = false,
            "nosettag" => options.set_tags = false,
            "noremovecomment" => options.remove_comments = false,
            "nolinearize" => options.linearize = false,
            "sortmatchcount" => {
                options.match_count = Some(words.range(option)?);
                options.sort_match_count = true;
            }
            "dialect" => options.dialect = dialect(&words.value(option)?)?,
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
            _ => return self.take_idle(option, words),
        };
        self.options.filters.push(filter);
        Ok(())
    }

    /// Options without effect: those that only change the display of a running search are ignored, the
    /// others get a remark.
    fn take_idle(&mut self, option: &str, words: &mut Words) -> Result<(), Failure> {
        let remark = match option {
            "m" | "multithreaded" | "showmatches" | "showoutput" | "showthread"
            | "nooutputstatus" | "uniquecomments" | "debug" | "showfromstring" | "echo" => None,
            "lineincrement" | "outputbuffer" | "maxopenoutputfiles" => {
                words.value(option)?;
                None
            }
            "alwayscomment" => Some("comments of filters that fail are always omitted"),
            "nosort" => Some("the query decides whether games are sorted"),
            "nestedcomments" => Some("comments do not nest here"),
            "binaryoutput" => Some("lines end as they do in PGN"),
            "includetagpattern" | "excludetagpattern" => {
                words.value(option)?;
                Some("all tags are written")
            }
            _ => {
                return Err(Failure::with_fix(
                    format_args!("unknown option -{option}"),
                    "`gametree cql -help` lists them; `gametree query --help` has others",
                ));
            }
        };
        let remark = remark.map(|remark| format!("-{option} has no effect: {remark}"));
        self.remarks.extend(remark);
        Ok(())
    }

    /// The task: CQL's `-a` rewrites a query, CQLi's appends to the output of a search.
    pub fn task(&self) -> Task {
        match self.task {
            Task::Search if self.a && !self.append => Task::Ascii,
            task => task,
        }
    }

    pub fn query_file(&self) -> Result<&Path, Failure> {
        let file = self.query.as_deref();
        file.ok_or_else(|| Failure::new("no query file given"))
    }

    /// Makes sure that the output can be written, and may.
    pub fn prepare(&self, output: &Target) -> Result<(), Failure> {
        if self.no_clobber && !self.append && output.replaces() {
            return Err(Failure::with_fix(
                format_args!("{output} exists"),
                "omit -noclobber, or name another file with -o",
            ));
        }
        let Target::File(path) = output else {
            return Ok(());
        };
        match path.parent() {
            Some(folder) if self.create_directories => fs::create_dir_all(folder)
                .map_err(|error| Failure::new(format_args!("{}: {error}", folder.display()))),
            _ => Ok(()),
        }
    }

    pub fn source(&self) -> Result<String, Failure> {
        let Some(path) = &self.query else {
            return Ok("cql()".into());
        };
        read_query(path)
    }

    pub fn input(&self, named: &[String]) -> Result<Vec<PathBuf>, Failure> {
        let named = named.iter().map(PathBuf::from);
        let files = if self.input.is_empty() {
            named.collect()
        } else {
            self.input.clone()
        };
        if files.is_empty() {
            return Err(Failure::with_fix(
                "no games to search",
                "name a PGN file with -i",
            ));
        }
        Ok(files)
    }

    /// The output file: `-o`, else the one the query names, else a name made from the query file.
    pub fn output(
        &self,
        named: Option<&str>,
        files: Option<&AllowedDir>,
    ) -> Result<Target, Failure> {
        let by_query = || {
            let stem = self.query.as_deref().and_then(Path::file_stem);
            let stem = stem.map_or("cql".into(), |stem| stem.to_string_lossy());
            format!("{stem}-out.pgn")
        };
        match (&self.output, named) {
            (Some(output), _) => Ok(Target::from_arg(output)),
            (None, Some(named)) => named_target(named, files),
            (None, None) => Ok(Target::from_arg(by_query())),
        }
    }
}

/// The option's name without its dashes, in lower case; none if the word is no option.
fn name(word: &str) -> Option<String> {
    let bare = word.strip_prefix("--").or(word.strip_prefix('-'))?;
    let is_name = bare.starts_with(|sign: char| sign.is_ascii_alphabetic());
    is_name.then(|| bare.to_ascii_lowercase())
}

fn dialect(name: &str) -> Result<Dialect, Failure> {
    match name {
        "cqli" => Ok(Dialect::Cqli),
        "cql62" => Ok(Dialect::Cql62),
        _ => Err(Failure::with_fix(
            format_args!("unknown dialect `{name}`"),
            "-dialect cqli or -dialect cql62",
        )),
    }
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
