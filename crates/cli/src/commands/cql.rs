//! `gametree cql`: the command line of CQL and CQLi, on the same engine as `gametree query`.

mod typed;

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use desk::query::{CompileError, Found, Stage, debug, to_ascii, to_html, to_unicode};
use kit::input::Source;
use kit::save::{SaveError, Target};

use crate::failure::{Exit, Failure};
use crate::files::Which;
use crate::output::{Output, save_over};
use crate::search::{Form, Question, allowed_dir, compile, invalid_query};
use crate::shell::Shell;
use typed::{Task, Typed};

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
Options, with one or two dashes, upper or lower case:
  -i FILE, -input FILE      PGN file (repeatable); - is standard input
  -o FILE, -output FILE     output file [default: QUERY-out.pgn]
  -append, -noclobber, -createdirectories   append to, never replace, or create folders for FILE
  -variations, -mainline    search variations, or only the mainline
  -g A [B], -gamenumber     only these games
  -matchcount A [B]         only games with A (to B) matching positions
  -sortmatchcount A [B]     the same, sorted by number of matches
  -matchstring TEXT         comment at matching positions [default: CQL]
  -cql FILTERS              additional filters (repeatable)
  -player, -white, -black, -event, -site NAME, -year A [B], -result R, -fen FEN
  -wtm, -btm, -virtualmainline, -hhdb WORD, -similarposition FILE
  -assign NAME VALUE        set a variable before the search
  -flip, -flipcolor, -flipvertical, -fliphorizontal, -rotate90, -rotate45, -shift,
  -shifthorizontal, -shiftvertical, -reversecolor   apply to the whole query
  -silent, -quiet, -noheader, -nouniquecomments, -nosortcomments   select comments
  -nosettag, -noremovecomment, -nolinearize   restrict the query
  -allow-files DIR          let the query write files inside DIR (outputfile, writefile,
                            cql(output ...))
  -allow-programs           let the query run programs (pipe)
  -dialect cqli|cql62       language version [default: cqli]
  -s, -singlethreaded, -threads N, -m
  -limit N                  stop after N matching games
  -vi, -vii                 search hhdbvi.pgn or hhdbvii.pgn
  -gui, -guipgnstdin, -guipgnstdout   output for graphical front ends

Instead of searching:
  -a QUERY.cql, -u QUERY.cql   rewrite the query with ASCII or Unicode symbols (-a with games: -append)
  -html QUERY.cql           write QUERY-cql.html, the query with syntax colouring
  -parse, -lex, -dryrun     show the syntax tree or the tokens; only compile
  -version, -license, -help

Examples:
  gametree cql -i games.pgn smothered.cql
  gametree cql -i games.pgn -o out.pgn -variations -matchcount 2 100 -cql check q.cql";

/// Runs as `cql` does.
pub fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let typed = Typed::read(args.words)?;
    for remark in &typed.remarks {
        shell.note(remark);
    }
    if !typed.gui {
        return perform(&typed, shell);
    }
    writeln!(
        shell.out,
        "<CqlGuiVariable> version {}",
        env!("CARGO_PKG_VERSION")
    )?;
    let ended = perform(&typed, shell);
    match &ended {
        Ok(_) => writeln!(shell.out, "<CqlGuiNormalExit>")?,
        Err(Failure::Reported { message, .. }) => {
            writeln!(shell.out, "<CqlGuiError>\n{message}\n</CqlGuiError>")?;
        }
        Err(_) => {}
    }
    ended
}

fn perform(typed: &Typed, shell: &mut Shell) -> Result<Exit, Failure> {
    match typed.task() {
        Task::Search => return search(typed, shell),
        Task::Help => writeln!(
            shell.out,
            "Run a query file with the options of the programs cql and cqli\n\nUsage: gametree cql OPTIONS QUERY.cql\n\n{HELP}"
        )?,
        Task::Version => writeln!(shell.out, "gametree {}", env!("CARGO_PKG_VERSION"))?,
        Task::License => writeln!(shell.out, "gametree is under {}", env!("CARGO_PKG_LICENSE"))?,
        Task::Compile => {
            compile(&typed.source()?, &typed.options)?;
            writeln!(shell.out, "the query compiles")?;
        }
        Task::Show(stage) => show(typed, stage, shell)?,
        Task::Ascii => rewrite(typed, to_ascii, shell)?,
        Task::Unicode => rewrite(typed, to_unicode, shell)?,
        Task::Html => write_page(typed, shell)?,
    }
    Ok(Exit::Fine)
}

fn search(typed: &Typed, shell: &mut Shell) -> Result<Exit, Failure> {
    let query = compile(&typed.source()?, &typed.options)?;
    let files = typed.input(query.input())?;
    let allowed = allowed_dir(typed.allow_files.as_deref())?;
    let output = typed.output(query.output(), allowed.as_ref())?;
    typed.prepare(&output)?;
    if let Some(threads) = typed.threads {
        shell.set_threads(threads);
    }
    // the games are written to a second file first, so that a failed search appends nothing
    let beside = match &output {
        Target::File(path) if typed.append && path.is_file() => {
            Some((path.clone(), path.with_extension("append")))
        }
        _ => None,
    };
    let to_stdout = output == Target::Stdout;
    let question = Question {
        query,
        form: Form::Games(match &beside {
            Some((_, part)) => Target::File(part.clone()),
            None => output,
        }),
        first: false,
        limit: typed.limit,
        programs: typed.options.run_programs,
        files: allowed,
    };
    let (exit, found) = question.ask(files, Which::default(), shell)?;
    if let Some((whole, part)) = beside {
        append(&whole, &part, shell)?;
    }
    print_summary(typed, &found, to_stdout, shell)?;
    Ok(exit)
}

/// Adds the part to the file; a search that was interrupted has none.
fn append(whole: &Path, part: &Path, shell: &Shell) -> Result<(), Failure> {
    if !part.is_file() {
        return Ok(());
    }
    let target = Target::File(whole.to_owned());
    let mut output = Output::create_over(target.clone(), shell.overwrite())?;
    for path in [whole, part] {
        let mut text = Source::File(path.to_owned()).open()?;
        io::copy(&mut text, &mut output).map_err(|error| SaveError {
            target: target.clone(),
            error,
        })?;
    }
    output.finish()?;
    fs::remove_file(part).map_err(|error| Failure::new(format_args!("{}: {error}", part.display())))
}

/// The number of matching games, not mixed with the games.
fn print_summary(
    typed: &Typed,
    found: &Found,
    to_stdout: bool,
    shell: &mut Shell,
) -> Result<(), Failure> {
    let summary = format!("{} matches of {} games", found.games, found.read);
    if to_stdout {
        shell.note(&summary);
    } else {
        writeln!(shell.out, "{summary}")?;
    }
    if typed.gui {
        writeln!(shell.out, "<CqlGuiVariable> numbermatches {}", found.games)?;
    }
    Ok(())
}

fn show(typed: &Typed, stage: Stage, shell: &mut Shell) -> Result<(), Failure> {
    let source = typed.source()?;
    let shown = debug(&source, &typed.options, stage);
    let text = shown.map_err(invalid_query)?;
    Ok(write!(shell.out, "{text}")?)
}

/// Rewrites the query with other symbols, in place unless `-o` is given.
fn rewrite(
    typed: &Typed,
    rewritten: fn(&str) -> Result<String, CompileError>,
    shell: &Shell,
) -> Result<(), Failure> {
    let (path, source) = (typed.query_file()?, typed.source()?);
    let text = rewritten(&source).map_err(invalid_query)?;
    let target = match &typed.output {
        Some(name) => Target::from_arg(name),
        None => Target::File(path.to_owned()),
    };
    Ok(save_over(target, text.as_bytes(), shell.overwrite())?)
}

fn write_page(typed: &Typed, shell: &Shell) -> Result<(), Failure> {
    let (path, source) = (typed.query_file()?, typed.source()?);
    let title = path.file_name().unwrap_or_default().to_string_lossy();
    let page = to_html(&source, &title);
    let page = page.map_err(invalid_query)?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!("{stem}-cql.html"));
    let target = typed.output.as_ref().map(Target::from_arg);
    let target = target.unwrap_or(Target::File(beside));
    Ok(save_over(target, page.as_bytes(), shell.overwrite())?)
}
