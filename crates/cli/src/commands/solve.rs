//! `gametree solve`: the winner of a sum, and other questions about it.

mod suite;

use std::io::Write;
use std::path::{Path, PathBuf};

use kit::Workers;
use kit::input::Source;
use kit::save::Target;
use lab::answers::{Answer, Check, ask_text, expected_text};
use lab::read::{Claim, Task};
use lab::solve::{
    Answered, Known, Options, Solved, Verdict, relation_of, resume, save, solve, solve_in_turn,
};
use lab::{Ask, GaveUp, Player, Solver};
use serde_json::{Value, json};

use crate::failure::{Exit, Failure};
use crate::progress::Clock;
use crate::shell::{Shell, Theme};
use kit::number::{counted, grouped};
use suite::{DEFAULT_TIME, SuiteArgs};

use crate::sums::{
    LANGUAGE, Limits, advice, check_writable, cost, in_words, no_sum, reading, report_faults,
    stats_json,
};

/// Find the winner of a sum of combinatorial games
#[derive(clap::Args, Debug)]
#[command(after_help = format!("\
{LANGUAGE}

A file has the format of .test files: [section] positions {{B, W, N, winning moves B, thermograph}},
each question optionally with the expected answer; or it has one sum per line.

Examples:
  gametree solve 'clobber XOXOXO + domineering ...|... + 3/4 + {{1|-1}}'
  gametree solve '2*clobber XXO = ^^'                       check a claim
  gametree solve '[clobber_1xn] XOXOXO [nimber] 3 {{B, W}}'   the format of .test files
  gametree solve -f problems.test --stats
  gametree solve --time 1m --save work.sums 'nogo ......|......|......|......'
  gametree solve --time 10m --resume work.sums --save work.sums 'nogo ......|......|......|......'
  gametree solve --test tests/ --time 3 --csv run.csv --html run.html --compare before.csv
  gametree solve --time 10 --memory 4G 'amazons X....|.....|.....|.....|....O'
  gametree solve --verify 'snort grid3x3 + hackenbush LRE + octal 0.07:20'

Exit status: 0 solved, 1 an expected answer or a claim was wrong or a question was given up."))]
pub struct Args {
    /// The sum, a comparison of two sums (= < > <= >= ||), or text in the format of .test files; `-`
    /// reads standard input
    #[arg(value_name = "SUM", allow_hyphen_values = true)]
    sum: Option<String>,
    /// Read sums from a file (`-`: standard input)
    #[arg(long, short, value_name = "FILE", conflicts_with = "sum")]
    file: Option<PathBuf>,
    /// Print nodes, time and memory of each search
    #[arg(long)]
    stats: bool,
    /// Check each answer with a plain minimax search that uses only the rules
    #[arg(long)]
    verify: bool,
    /// Print one JSON object per sum
    #[arg(long)]
    json: bool,
    /// Save proven results to this file, also on Ctrl-C or when a question is given up
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Load the results saved in this file
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// List the available games; also with --json
    #[arg(long, conflicts_with_all = ["sum", "file", "save", "resume", "test"])]
    games: bool,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    suite: SuiteArgs,
}

/// Solves the sums.
pub fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    if args.games {
        return list_games(shell, args.json);
    }
    args.suite.check(shell)?;
    check_writable(args.save.as_deref(), shell)?;
    let (test, verify) = (args.suite.test.as_deref(), args.verify);
    if let Some(folder) = test {
        let options = Options {
            verify,
            ..args.limits.options_or(DEFAULT_TIME, shell)?
        };
        return suite::test(folder, &args.suite, &options, args.json, shell);
    }
    let reading = reading(args.sum.as_deref(), args.file.as_deref())?;
    let workers = shell.workers();
    if args.save.is_some() {
        shell.allow_saving();
    }
    let options = Options {
        verify,
        ..args.limits.options(shell)?
    };
    let show = Show {
        json: args.json,
        stats: args.stats,
        headings: reading.tasks.len() + reading.faults.len() > 1,
    };
    let mut worker = Worker::new(&args, options, workers)?;
    let mut exit = Exit::Fine;
    for (number, task) in reading.tasks.iter().enumerate() {
        let clock = Clock::start_with(shell, place(number, reading.tasks.len()));
        let solved = worker.solve(task);
        drop(clock);
        show.write(shell, task, &solved)?;
        shell.out.flush()?;
        exit = worse(exit, ending(task, &solved));
        if worker.workers.stop.is_raised() {
            exit = Exit::Interrupted;
            break;
        }
    }
    worker.save(args.save.as_deref(), shell)?;
    match exit {
        Exit::Interrupted => Ok(exit),
        _ if !reading.faults.is_empty() => {
            // Faults are reported after the answers.
            report_faults(shell, &reading);
            Ok(Exit::Failed)
        }
        _ if reading.tasks.is_empty() => Err(no_sum()),
        _ => Ok(exit),
    }
}

/// `sum 3 of 20, `
fn place(number: usize, all: usize) -> String {
    match all {
        0 | 1 => String::new(),
        _ => format!(
            "sum {} of {}, ",
            grouped(number as u64 + 1),
            grouped(all as u64)
        ),
    }
}

/// All threads, or one solver whose results can be saved.
struct Worker {
    options: Options,
    workers: Workers,
    kept: Option<Solver>,
}

impl Worker {
    fn new(args: &Args, options: Options, workers: Workers) -> Result<Worker, Failure> {
        let keeps = args.save.is_some() || args.resume.is_some();
        let mut kept = keeps.then(|| options.solver(&workers));
        if let (Some(path), Some(solver)) = (&args.resume, &mut kept) {
            resume(solver, &Source::from_arg(path)).map_err(Failure::new)?;
        }
        Ok(Worker {
            options,
            workers,
            kept,
        })
    }

    fn solve(&mut self, task: &Task) -> Solved {
        match &mut self.kept {
            Some(solver) => solve_in_turn(task, &self.options, solver),
            None => solve(task, &self.options, &self.workers),
        }
    }

    fn save(&mut self, path: Option<&Path>, shell: &mut Shell) -> Result<(), Failure> {
        if let (Some(path), Some(solver)) = (path, &mut self.kept) {
            save(solver, Target::from_arg(path), shell.overwrite())?;
            let sums = counted(solver.stats().sums as u64, "sum");
            shell.note(&format!("{sums} saved to {}", path.display()));
        }
        Ok(())
    }
}

/// Lists the games, each with a summary.
fn list_games(shell: &mut Shell, as_json: bool) -> Result<Exit, Failure> {
    for (name, summary) in lab::games() {
        if as_json {
            shell
                .out
                .write_json(&json!({ "game": name, "about": summary }))?;
            continue;
        }
        let bold = shell.theme.bold;
        writeln!(shell.out, "{bold}{name:<18}{bold:#} {summary}")?;
    }
    Ok(Exit::Fine)
}

fn worse(a: Exit, b: Exit) -> Exit {
    match a {
        Exit::Fine => b,
        _ => a,
    }
}

/// The exit status: [`Exit::Found`] for a wrong or missing answer.
fn ending(task: &Task, solved: &Solved) -> Exit {
    let wrong = |answered: &Answered| {
        matches!(answered.verdict(), Verdict::Fail | Verdict::Timeout)
            || answered.check == Some(Check::Differs)
    };
    let false_claim = task
        .claim
        .as_ref()
        .is_some_and(|claim| claim.holds(solved.outcome()) != Some(true));
    let true_claim = task.claim.is_some() && !false_claim;
    if (solved.answers.iter().any(wrong) && !true_claim) || false_claim {
        Exit::Found
    } else {
        Exit::Fine
    }
}

/// How answers are shown.
struct Show {
    json: bool,
    stats: bool,
    headings: bool,
}

impl Show {
    fn write(&self, shell: &mut Shell, task: &Task, solved: &Solved) -> Result<(), Failure> {
        if self.json {
            shell.out.write_json(&to_json(task, solved))?;
            return Ok(());
        }
        let theme = shell.theme;
        let out = &mut shell.out;
        if self.headings {
            writeln!(out, "{0}{1}{0:#}", theme.bold, task.text)?;
        }
        for answered in &solved.answers {
            writeln!(out, "{}", row(answered, &theme))?;
            if self.stats {
                let dim = theme.dim;
                writeln!(
                    out,
                    "{dim}{:<14}{}{dim:#}",
                    "",
                    cost(answered.nodes, answered.time, &answered.stats)
                )?;
            }
        }
        if asks_outcome(task) {
            writeln!(out, "{}", conclusion(task, solved.outcome(), &theme))?;
        }
        if self.headings {
            writeln!(out)?;
        }
        if let Some(fix) = solved.gave_up().and_then(advice) {
            shell.note(fix);
        }
        Ok(())
    }
}

/// `Left first    Left wins`, or `winning moves B   1-2 3-4`, and whether that was expected.
fn row(answered: &Answered, theme: &Theme) -> String {
    let ask = answered.question.ask;
    let name = match ask {
        Ask::Wins(first) => format!("{first} first"),
        Ask::NimValue => "nim value".to_owned(),
        Ask::WinningMoves(Some(player)) => format!("{player} wins by"),
        Ask::WinningMoves(None) => "wins by".to_owned(),
        Ask::Thermograph => "thermograph".to_owned(),
    };
    format!(
        "{name:<13} {}{}{}{}",
        answer_words(ask, &answered.answer),
        known_words(answered),
        verdict_words(answered, theme),
        check_words(answered, theme)
    )
}

fn answer_words(ask: Ask, answer: &Result<Answer, GaveUp>) -> String {
    match (ask, answer) {
        (Ask::Wins(first), Ok(Answer::Wins(wins))) => {
            format!("{} wins", if *wins { first } else { !first })
        }
        (_, Ok(Answer::Moves(winning))) if winning.names.is_empty() => "no move".to_owned(),
        (_, Ok(answer)) => answer.to_string(),
        (_, Err(reason)) => reason.to_string(),
    }
}

/// `; 2 of 8 moves lose`
fn known_words(answered: &Answered) -> String {
    let known = answered.partial.as_ref().map(ToString::to_string);
    known
        .filter(|known| !known.is_empty())
        .map_or_else(String::new, |known| format!("; {known}"))
}

fn verdict_words(answered: &Answered, theme: &Theme) -> String {
    match (answered.verdict(), &answered.question.expected) {
        (Verdict::Pass, _) => format!("  {0}as expected{0:#}", theme.good),
        (Verdict::Fail, Some(expected)) => {
            format!(
                "  {0}but {1} was expected{0:#}",
                theme.error,
                expected_text(expected)
            )
        }
        _ => String::new(),
    }
}

fn check_words(answered: &Answered, theme: &Theme) -> String {
    match answered.check {
        None => String::new(),
        Some(Check::Agrees) => format!("  {0}minimax agrees{0:#}", theme.good),
        Some(Check::Differs) => format!(
            "  {0}MINIMAX DISAGREES: please report this{0:#}",
            theme.error
        ),
        Some(Check::TooLarge) => format!("  {0}too large for minimax{0:#}", theme.warning),
    }
}

fn asks_outcome(task: &Task) -> bool {
    let asked = |player| {
        task.questions
            .iter()
            .any(|question| question.ask == Ask::Wins(player))
    };
    Player::BOTH.into_iter().all(asked)
}

/// `outcome  N: the first player wins`, or whether a claim holds.
fn conclusion(task: &Task, known: Known, theme: &Theme) -> String {
    let bold = theme.bold;
    if let Some(claim) = &task.claim {
        return format!("{bold}{}{bold:#}", claim_words(claim, known));
    }
    match known.outcome() {
        Some(outcome) => format!(
            "{:<13} {bold}{outcome}{bold:#}: {}",
            "outcome",
            in_words(outcome)
        ),
        None if known.is_nothing() => format!("{:<13} {bold}{known}{bold:#}", "outcome"),
        None => format!("{:<13} {bold}{known}{bold:#}: not fully solved", "outcome"),
    }
}

fn claim_words(claim: &Claim, known: Known) -> String {
    let verdict = match claim.holds(known) {
        Some(true) => "true",
        Some(false) => "false",
        None => "not known",
    };
    match known.outcome() {
        Some(outcome) => format!("{verdict}: left {} right", relation_of(outcome).symbol()),
        None => verdict.to_owned(),
    }
}

fn to_json(task: &Task, solved: &Solved) -> Value {
    let known = solved.outcome();
    let mut object = json!({
        "sum": task.text,
        "components": task.sum.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "outcome": known.outcome().map(|outcome| outcome.to_string()),
        "questions": solved.answers.iter().map(answered_json).collect::<Vec<_>>(),
    });
    if let Some(claim) = &task.claim {
        object["claim"] = json!({
            "relation": claim.relation.symbol(),
            "holds": claim.holds(known),
            "is": known.outcome().map(|outcome| relation_of(outcome).symbol()),
        });
    }
    if known.outcome().is_none() && asks_outcome(task) {
        object["possible"] = json!(
            known
                .possible()
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
        );
    }
    object
}

fn answered_json(answered: &Answered) -> Value {
    json!({
        "ask": ask_text(answered.question.ask),
        "answer": answered.answer.as_ref().ok().map(ToString::to_string),
        "gave_up": answered.answer.as_ref().err().map(ToString::to_string),
        "so_far": answered.partial.as_ref().map(|partial| json!({
            "winning": partial.winning,
            "losing": partial.losing,
            "open": partial.open,
            "excluded": partial.excluded,
        })),
        "expected": answered.question.expected.as_ref().map(expected_text),
        "verdict": answered.verdict().to_string(),
        "minimax": answered.check.map(|check| match check {
            Check::Agrees => "agrees",
            Check::Differs => "differs",
            Check::TooLarge => "too large",
        }),
        "nodes": answered.nodes,
        "seconds": answered.time.as_secs_f64(),
        "stats": stats_json(&answered.stats),
    })
}
