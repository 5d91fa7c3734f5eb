//! `gametree solve --test DIR`: all questions of a folder of `.test` files.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use kit::input::Source;
use kit::save::{Overwrite, SaveError, Target};
use lab::answers::Check;
use lab::report::{Changes, Csv, Earlier, html};
use lab::solve::{Answered, Options, Verdict};
use lab::suite::{Case, Suite, Summary, run};
use serde_json::json;

use crate::failure::{Exit, Failure};
use crate::output::{Output, save_over};
use crate::shell::Shell;
use crate::sums::{check_writable, report_faults};
use kit::number::{counted, grouped};

/// Where the results of a suite go.
#[derive(clap::Args, Clone, Debug)]
pub struct SuiteArgs {
    /// Answer all questions of a folder of .test files and compare with the expected answers
    #[arg(long, value_name = "DIR", conflicts_with_all = ["sum", "file", "save", "resume", "stats"], help_heading = "Suites")]
    pub test: Option<PathBuf>,
    /// Write a CSV table of all cases
    #[arg(long, value_name = "FILE", help_heading = "Suites")]
    csv: Option<PathBuf>,
    /// Write an interactive page of all cases
    #[arg(long, value_name = "FILE", help_heading = "Suites")]
    html: Option<PathBuf>,
    /// Compare with the table of an earlier run
    #[arg(long, value_name = "CSV", help_heading = "Suites")]
    compare: Option<PathBuf>,
}

impl SuiteArgs {
    /// Checks before the work that there is a suite and that its results can be written.
    pub fn check(&self, shell: &Shell) -> Result<(), Failure> {
        let options = [
            ("--csv", &self.csv),
            ("--html", &self.html),
            ("--compare", &self.compare),
        ];
        let typed = options.iter().find(|(_, path)| path.is_some());
        if let (Some((option, _)), None) = (typed, &self.test) {
            return Err(Failure::with_fix(
                format_args!("{option} requires --test"),
                "add --test DIR, a folder of .test files",
            ));
        }
        check_writable(self.csv.as_deref(), shell)?;
        check_writable(self.html.as_deref(), shell)
    }

    /// True if a table or page goes to standard output, which then gets nothing else.
    fn writes_to_stdout(&self) -> bool {
        [&self.csv, &self.html]
            .into_iter()
            .flatten()
            .any(|path| path.as_os_str() == "-")
    }
}

/// The default time for each question.
pub const DEFAULT_TIME: Duration = Duration::from_secs(3);

/// Runs the suite in `folder`.
pub fn test(
    folder: &Path,
    args: &SuiteArgs,
    options: &Options,
    as_json: bool,
    shell: &mut Shell,
) -> Result<Exit, Failure> {
    let suite = Suite::open(folder)?;
    let earlier = args.compare.as_deref().map(read_earlier).transpose()?;
    let workers = shell.workers();
    let bar = bar(shell, suite.cases());
    let started = Instant::now();
    let (mut cases, mut wrong) = (Vec::new(), Vec::new());
    let mut minimax = Minimax::default();
    let summary = run(&suite, options, &workers, |case, answered| {
        bar.inc(1);
        minimax.count(answered.check);
        if answered.check == Some(Check::Differs) {
            wrong.push(format!(
                "{} {}: MINIMAX DISAGREES: please report this",
                case.file, case.case
            ));
        }
        if matches!(answered.verdict(), Verdict::Fail | Verdict::Timeout) {
            bar.set_message(format!("{} not passed", grouped(wrong.len() as u64 + 1)));
            wrong.push(failure_line(&case, answered));
        }
        cases.push(case);
    });
    bar.finish_and_clear();
    if let Some(path) = &args.csv {
        write_csv(path, &cases, shell.overwrite())?;
    }
    if let Some(path) = &args.html {
        let title = format!(
            "{}: {} passed, {} failed, {} given up",
            folder.display(),
            summary.passed,
            summary.failed,
            summary.timeout
        );
        let page = html(&title, &cases, &summary, earlier.as_ref());
        save_over(Target::from_arg(path), page.as_bytes(), shell.overwrite())?;
    }
    for file in &suite.files {
        report_faults(shell, file);
    }
    let changes = earlier.map(|earlier| earlier.changes(&cases));
    let exit = ending(&summary, &minimax, changes.as_ref());
    if args.writes_to_stdout() {
        return Ok(exit);
    }
    if as_json {
        write_json(shell, &summary, changes.as_ref(), &minimax)?;
    } else {
        write_text(shell, &summary, &wrong, changes.as_ref(), started.elapsed())?;
        minimax.write(shell)?;
    }
    Ok(exit)
}

/// How often minimax agrees with the solver, with `--verify`.
#[derive(Default)]
struct Minimax {
    agrees: u64,
    differs: u64,
    too_large: u64,
}

impl Minimax {
    fn count(&mut self, check: Option<Check>) {
        match check {
            Some(Check::Agrees) => self.agrees += 1,
            Some(Check::Differs) => self.differs += 1,
            Some(Check::TooLarge) => self.too_large += 1,
            None => {}
        }
    }

    fn has_run(&self) -> bool {
        self.agrees + self.differs + self.too_large > 0
    }

    fn write(&self, shell: &mut Shell) -> Result<(), Failure> {
        if self.has_run() {
            writeln!(
                shell.out,
                "minimax agrees on {}, differs on {}; {} too large for it",
                grouped(self.agrees),
                grouped(self.differs),
                grouped(self.too_large)
            )?;
        }
        Ok(())
    }
}

fn ending(summary: &Summary, minimax: &Minimax, changes: Option<&Changes>) -> Exit {
    let contradicted = changes.is_some_and(|changes| !changes.other_result.is_empty());
    match summary {
        _ if minimax.differs > 0 || contradicted => Exit::Found,
        Summary { stopped: true, .. } => Exit::Interrupted,
        Summary { faults: 1.., .. } => Exit::Failed,
        Summary {
            failed: 0,
            timeout: 0,
            ..
        } => Exit::Fine,
        _ => Exit::Found,
    }
}

fn bar(shell: &Shell, cases: usize) -> ProgressBar {
    if !shell.shows_progress(false) {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(cases as u64);
    bar.set_draw_target(ProgressDrawTarget::stderr());
    match ProgressStyle::with_template("{bar:30.cyan/dim} {pos}/{len} cases  {msg}  {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn failure_line(case: &Case, answered: &Answered) -> String {
    let place = format!(
        "{} {}: {} {{{}}}",
        case.file, case.case, case.games, case.player
    );
    match answered.verdict() {
        Verdict::Fail => format!("{place}: {}, expected {}", case.result, case.expected),
        _ => format!(
            "{place}: {} ({:.1} s)",
            case.result,
            answered.time.as_secs_f64()
        ),
    }
}

fn read_earlier(path: &Path) -> Result<Earlier, Failure> {
    let table = Source::from_arg(path).open()?;
    Earlier::read(table).map_err(|error| {
        Failure::with_fix(
            format_args!("{}: {error}", path.display()),
            "--compare requires a table written by --csv",
        )
    })
}

fn write_csv(path: &Path, cases: &[Case], overwrite: Overwrite) -> Result<(), Failure> {
    let target = Target::from_arg(path);
    let failed = |error| SaveError {
        target: target.clone(),
        error,
    };
    let mut csv = Csv::new(Output::create_over(target.clone(), overwrite)?).map_err(failed)?;
    for case in cases {
        csv.write(case).map_err(failed)?;
    }
    Ok(csv.finish().map_err(failed)?.finish()?)
}

fn write_json(
    shell: &mut Shell,
    summary: &Summary,
    changes: Option<&Changes>,
    minimax: &Minimax,
) -> Result<(), Failure> {
    let mut object = json!(summary);
    if minimax.has_run() {
        object["minimax"] = json!({
            "agrees": minimax.agrees,
            "differs": minimax.differs,
            "too_large": minimax.too_large,
        });
    }
    if let Some(changes) = changes {
        object["changes"] = json!(changes);
    }
    Ok(shell.out.write_json(&object)?)
}

fn write_text(
    shell: &mut Shell,
    summary: &Summary,
    wrong: &[String],
    changes: Option<&Changes>,
    elapsed: Duration,
) -> Result<(), Failure> {
    for line in wrong {
        writeln!(shell.out, "{line}")?;
    }
    let bold = shell.theme.bold;
    writeln!(
        shell.out,
        "{bold}{} passed, {} failed, {} given up{bold:#}, {} without expected result",
        grouped(summary.passed as u64),
        grouped(summary.failed as u64),
        grouped(summary.timeout as u64),
        grouped(summary.completed as u64),
    )?;
    writeln!(
        shell.out,
        "{:.2} s of solving in {:.2} s, {}",
        summary.seconds,
        elapsed.as_secs_f64(),
        counted(summary.nodes, "node")
    )?;
    if let Some(changes) = changes {
        write_changes(shell, changes)?;
    }
    Ok(())
}

fn write_changes(shell: &mut Shell, changes: &Changes) -> Result<(), Failure> {
    for (title, cases) in [
        ("newly passing", &changes.newly_passing),
        ("newly failing", &changes.newly_failing),
        ("with another result", &changes.other_result),
    ] {
        writeln!(shell.out, "{title}: {}", grouped(cases.len() as u64))?;
        for case in cases {
            writeln!(shell.out, "  {case}")?;
        }
    }
    if changes.ms_now > 0.0 && changes.ms_before > 0.0 {
        let (before, now) = (changes.ms_before / 1000.0, changes.ms_now / 1000.0);
        writeln!(
            shell.out,
            "time on cases that pass in both: {before:.2} s before, {now:.2} s now, {:.2}×",
            now / before
        )?;
    }
    Ok(())
}
