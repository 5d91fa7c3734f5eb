//! Parsing tasks: a sum, or the language of `.test` files.

use std::ops::Range;

use sums::input::{Problem, Statement, is_file_language, read_file, read_short};

use super::{Ask, Expected, Fault, Game, Player, Relation, sum_text};
use kit::input::{InputError, Source};

/// A text, its tasks, and its errors.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The source of the text, for messages.
    pub name: String,
    /// The text itself.
    pub text: String,
    /// The tasks, in order.
    pub tasks: Vec<Task>,
    /// The errors.
    pub faults: Vec<Fault>,
}

/// A sum and the questions about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// The source text: `clobber XO + 1 = ^*`.
    pub text: String,
    /// The sum; of a claim, its left side minus its right side.
    pub sum: Vec<Game>,
    /// The questions in order.
    pub questions: Vec<Question>,
    /// The claimed relation of two sums.
    pub claim: Option<Claim>,
    /// Line of the text on which it ends, from 1.
    pub line: usize,
    /// The number of earlier questions in the text, unreadable ones included.
    pub questions_before: usize,
}

/// A claimed relation of two sums.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The left side.
    pub left: Vec<Game>,
    /// The relation.
    pub relation: Relation,
    /// The right side.
    pub right: Vec<Game>,
}

/// A question with its expected answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// The question.
    pub ask: Ask,
    /// The expected answer.
    pub expected: Option<Expected>,
    /// Comments that belong to it.
    pub comments: Vec<String>,
}

impl Reading {
    /// An error with its name, line and caret, for a terminal.
    pub fn render(&self, fault: &Fault) -> String {
        let shown = fault.render(&self.text);
        if self.name.is_empty() {
            shown
        } else {
            format!("{}, {shown}", self.name)
        }
    }
}

/// Parses a text in either language. `name` may be empty.
pub fn read(name: &str, text: String) -> Reading {
    let text = match text.strip_prefix('\u{feff}') {
        Some(text) => text.to_owned(),
        None => text,
    };
    let (tasks, faults) = match (text.find('\0'), is_file_language(&text)) {
        (Some(at), _) => (Vec::new(), vec![no_text(at)]),
        (None, true) => read_blocks(&text),
        (None, false) => read_lines(&text),
    };
    Reading {
        name: name.to_owned(),
        text,
        tasks,
        faults,
    }
}

/// Text has no NUL bytes: reports the first one instead of a thousand errors after it.
fn no_text(at: usize) -> Fault {
    Fault {
        span: at..at + 1,
        message: "not a text file: contains a NUL byte".to_owned(),
    }
}

/// Reads a file or standard input.
pub fn read_source(source: &Source) -> Result<Reading, InputError> {
    let bytes = source.read_whole()?;
    // Bytes that are not UTF-8 become characters that no game accepts, and are reported in place.
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Ok(read(&source.name(), text))
}

/// A single sum, for commands that ask the question themselves.
pub fn read_sum(text: &str) -> Result<Vec<Game>, Fault> {
    if !is_file_language(text) {
        let statement = read_short(text).map_err(|fault| one_line_only(fault, text))?;
        return match statement.compared {
            None => Ok(statement.sum),
            Some(_) => Err(Fault {
                span: 0..text.len(),
                message: "expected one sum, not a comparison".to_owned(),
            }),
        };
    }
    // A block of questions ends a sum; here none is allowed.
    let closed = format!("{text}\n{{}}");
    let document = read_file(&closed);
    if let Some(fault) = document.faults.into_iter().next() {
        return Err(fault);
    }
    let mut sums = document
        .problems
        .into_iter()
        .filter(|problem| !problem.sum.is_empty());
    match (sums.next(), sums.next()) {
        (first, None) => Ok(first.map(|problem| problem.sum).unwrap_or_default()),
        (_, Some(second)) => {
            let span = second.span.start..second.span.end.min(text.len());
            Err(Fault {
                span,
                message: "expected one sum, found a second".to_owned(),
            })
        }
    }
}

/// Reports a line that cannot continue the previous one as a second sum.
fn one_line_only(fault: Fault, text: &str) -> Fault {
    match fault.place(text) {
        (2.., 1) => Fault {
            message: "expected one sum, found a second; `solve -f` accepts several".to_owned(),
            ..fault
        },
        _ => fault,
    }
}

fn read_blocks(text: &str) -> (Vec<Task>, Vec<Fault>) {
    let document = read_file(text);
    let (mut counted, mut line) = (0, 1);
    let task = |problem: Problem| Task {
        text: sum_text(&problem.sum),
        line: {
            let end = problem.span.end.clamp(counted, text.len());
            line += newlines(&text[counted..end]);
            counted = end;
            line
        },
        questions_before: problem.questions_before,
        questions: problem.questions.into_iter().map(Question::from).collect(),
        sum: problem.sum,
        claim: None,
    };
    (
        document.problems.into_iter().map(task).collect(),
        document.faults,
    )
}

impl From<sums::input::Question> for Question {
    fn from(question: sums::input::Question) -> Question {
        Question {
            ask: question.ask,
            expected: question.expected,
            comments: question.comments,
        }
    }
}

/// One statement per line; empty lines and lines that start with `#` are skipped.
fn read_lines(text: &str) -> (Vec<Task>, Vec<Fault>) {
    let (mut tasks, mut faults) = (Vec::new(), Vec::new());
    let (mut start, mut questions_before) = (0, 0);
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let statement = line.trim();
        if !statement.is_empty() && !statement.starts_with('#') {
            let indent = line.len() - line.trim_start().len();
            match read_short(statement) {
                Ok(read) => tasks.push(Task {
                    line: number + 1,
                    questions_before,
                    ..Task::of_statement(statement, read)
                }),
                Err(fault) => faults.push(shifted(fault, start + indent)),
            }
            // An unreadable line keeps its number of questions.
            questions_before += Player::BOTH.len();
        }
        start += line.len();
    }
    (tasks, faults)
}

fn shifted(fault: Fault, by: usize) -> Fault {
    let Range { start, end } = fault.span;
    Fault {
        span: start + by..end + by,
        message: fault.message,
    }
}

impl Task {
    /// The questions about the outcome of a sum.
    pub fn of_sum(text: &str, sum: Vec<Game>) -> Task {
        Task::of_statement(
            text,
            Statement {
                sum,
                compared: None,
            },
        )
    }

    fn of_statement(text: &str, statement: Statement) -> Task {
        let who = |player| Question {
            ask: Ask::Wins(player),
            expected: None,
            comments: Vec::new(),
        };
        let claim = statement.compared.map(|(relation, right)| Claim {
            left: statement.sum.clone(),
            relation,
            right,
        });
        let sum = match &claim {
            Some(claim) => difference(&claim.left, &claim.right),
            None => statement.sum,
        };
        Task {
            text: text.to_owned(),
            sum,
            questions: Player::BOTH.map(who).into(),
            claim,
            line: 1,
            questions_before: 0,
        }
    }
}

/// The difference of two sums.
pub fn difference(left: &[Game], right: &[Game]) -> Vec<Game> {
    left.iter()
        .cloned()
        .chain(right.iter().map(Game::negative))
        .collect()
}

fn newlines(text: &str) -> usize {
    text.bytes().filter(|&byte| byte == b'\n').count()
}
