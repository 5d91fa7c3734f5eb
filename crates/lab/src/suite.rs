//! Running folders of `.test` files: every answer is compared with the expected one.

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::answers::{ask_text, expected_text};
use super::read::{Reading, Task, read_source};
use super::solve::{Answered, Options, Verdict, solve_in_turn};
use super::{Ask, sum_text};
use kit::Workers;
use kit::input::{InputError, Source};
use kit::parallel::End;

/// The files of a suite, read.
#[derive(Clone, Debug)]
pub struct Suite {
    /// One for each file, by name; names are relative to the folder.
    pub files: Vec<Reading>,
}

impl Suite {
    /// Reads a file, or all `.test` files of a folder, all levels down, sorted.
    pub fn open(path: &Path) -> Result<Suite, InputError> {
        let mut paths = Vec::new();
        if path.is_dir() {
            find(path, &mut paths).map_err(|error| unreadable(path, error))?;
        } else {
            paths.push(path.to_owned());
        }
        if paths.is_empty() {
            let none = io::Error::new(io::ErrorKind::NotFound, "no .test files in this folder");
            return Err(unreadable(path, none));
        }
        let files = paths.iter().map(|file| {
            let reading = read_source(&Source::File(file.clone()))?;
            let below = file.strip_prefix(path).unwrap_or(file);
            let name = match below.file_name() {
                Some(_) => below.as_os_str(),
                None => file.file_name().unwrap_or_default(),
            };
            Ok(Reading {
                name: name.to_string_lossy().replace('\\', "/"),
                ..reading
            })
        });
        Ok(Suite {
            files: files.collect::<Result<_, InputError>>()?,
        })
    }

    /// The number of questions.
    pub fn cases(&self) -> usize {
        self.files
            .iter()
            .flat_map(|file| &file.tasks)
            .map(|task| task.questions.len())
            .sum()
    }

    /// The number of errors in the files.
    pub fn faults(&self) -> usize {
        self.files.iter().map(|file| file.faults.len()).sum()
    }
}

fn unreadable(path: &Path, error: io::Error) -> InputError {
    if path.exists() {
        InputError::Unreadable {
            name: path.display().to_string(),
            error,
        }
    } else {
        InputError::NotFound {
            path: path.to_owned(),
        }
    }
}

fn find(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|entry| entry.map(|e| e.path()))
        .collect::<Result<_, _>>()?;
    entries.sort();
    for entry in entries {
        // A link may lead back up: folders are followed, links to folders are not.
        if entry.is_dir() && !entry.is_symlink() {
            find(&entry, found)?;
        } else if entry.extension().is_some_and(|end| end == "test") {
            found.push(entry);
        }
    }
    Ok(())
}

/// One question of a suite with its answer.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Case {
    /// The file.
    pub file: String,
    /// The number of the question within the file, from 0; unreadable questions count.
    pub case: usize,
    /// The sum.
    pub games: String,
    /// The question as written in the file.
    pub player: String,
    /// The expected result; empty if there is none.
    pub expected: String,
    /// The result, or the reason for giving up.
    pub result: String,
    /// Milliseconds.
    pub time_ms: f64,
    /// `PASS`, `FAIL`, `COMPLETED`, `TIMEOUT`.
    pub status: String,
    /// The comment in the file.
    pub comments: String,
    /// `partisan`, `impartial`, `winning moves`, `thermograph`.
    pub kind: &'static str,
    /// Sums searched.
    pub nodes: u64,
    /// The number of components of the sum.
    pub components: usize,
    /// Bytes of the solver's tables.
    pub bytes: usize,
}

/// The totals of a suite.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Summary {
    /// Questions answered as expected.
    pub passed: usize,
    /// Questions not answered as expected.
    pub failed: usize,
    /// Questions given up.
    pub timeout: usize,
    /// Questions answered without an expected result.
    pub completed: usize,
    /// Errors in the files.
    pub faults: usize,
    /// Seconds of all questions together.
    pub seconds: f64,
    /// Sums searched for all questions together.
    pub nodes: u64,
    /// A stop was requested: the counts cover the finished cases.
    pub stopped: bool,
}

impl Summary {
    fn add(&mut self, answered: &Answered) {
        *match answered.verdict() {
            Verdict::Pass => &mut self.passed,
            Verdict::Fail => &mut self.failed,
            Verdict::Timeout => &mut self.timeout,
            Verdict::Completed => &mut self.completed,
        } += 1;
        self.seconds += answered.time.as_secs_f64();
        self.nodes += answered.nodes;
    }
}

/// Answers every question, each sum by a separate solver so that no result depends on the order,
/// and passes on each case in the order of the files.
pub fn run(
    suite: &Suite,
    options: &Options,
    workers: &Workers,
    mut each: impl FnMut(Case, &Answered),
) -> Summary {
    let mut summary = Summary {
        faults: suite.faults(),
        ..Summary::default()
    };
    let end = workers.run(
        tasks(suite),
        |(file, task)| {
            let mut solver = options.solver(&workers.divided(workers.threads.get()));
            (file, task, solve_in_turn(task, options, &mut solver))
        },
        |(file, task, solved)| {
            // An interrupt by Ctrl-C is not a time-out.
            let finished = solved
                .answers
                .iter()
                .zip(task.questions_before..)
                .filter(|(answered, _)| answered.answer != Err(super::GaveUp::Stopped));
            for (answered, number) in finished {
                summary.add(answered);
                each(case(file, number, task, answered), answered);
            }
            ControlFlow::<()>::Continue(())
        },
    );
    Summary {
        stopped: end == End::Stopped,
        ..summary
    }
}

/// The sums of all files, each with the name of its file.
fn tasks(suite: &Suite) -> impl Iterator<Item = (&str, &Task)> {
    suite.files.iter().flat_map(|file| {
        let tasks = file.tasks.iter();
        tasks.map(|task| (file.name.as_str(), task))
    })
}

fn case(file: &str, number: usize, task: &Task, answered: &Answered) -> Case {
    let question = &answered.question;
    Case {
        file: file.to_owned(),
        case: number,
        games: sum_text(&task.sum),
        player: ask_text(question.ask),
        expected: question
            .expected
            .as_ref()
            .map(expected_text)
            .unwrap_or_default(),
        result: match &answered.answer {
            Ok(answer) => answer.to_string(),
            Err(reason) => reason.to_string(),
        },
        time_ms: answered.time.as_secs_f64() * 1000.0,
        status: answered.verdict().to_string(),
        comments: question.comments.join("; "),
        kind: kind(question.ask),
        nodes: answered.nodes,
        components: task.sum.len(),
        bytes: answered.stats.bytes,
    }
}

fn kind(ask: Ask) -> &'static str {
    match ask {
        Ask::Wins(_) => "partisan",
        Ask::NimValue => "impartial",
        Ask::WinningMoves(_) => "winning moves",
        Ask::Thermograph => "thermograph",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::read;
    use kit::Stop;

    #[test]
    fn unreadable_cases_keep_the_numbers_of_later_ones() {
        let numbers = |text: &str| {
            let suite = Suite {
                files: vec![read("some.test", text.to_owned())],
            };
            let workers = Workers::new(std::num::NonZeroUsize::new(1), Stop::new());
            let mut found = Vec::new();
            run(&suite, &Options::default(), &workers, |case, _| {
                found.push((case.case, case.games));
            });
            found
        };
        let case = |number, games: &str| (number, games.to_owned());
        assert_eq!(
            numbers("[nimber] 1 {B, W} 2 {B}"),
            [
                case(0, "nimber 1"),
                case(1, "nimber 1"),
                case(2, "nimber 2")
            ]
        );
        assert_eq!(numbers("[nimber] x {B, W} 2 {B}"), [case(2, "nimber 2")]);
        assert_eq!(
            numbers("nimber x\nnimber 2"),
            [case(2, "nimber 2"), case(3, "nimber 2")]
        );
    }
}
