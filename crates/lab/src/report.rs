//! The results of a suite as a table (CSV) and as a page (HTML).

use std::collections::HashMap;
use std::io::{self, Read, Write};

use serde::Serialize;

use super::suite::{Case, Summary};

/// The columns, with the names of the original solver's test runner, so that its tables can be
/// compared with ours.
const COLUMNS: [&str; 13] = [
    "File",
    "Case",
    "Games",
    "Player",
    "Expected Result",
    "Result",
    "Time (ms)",
    "Status",
    "Comments",
    "Type",
    "Node Count",
    "Initial Subgames",
    "Bytes",
];

/// Writes a table row by row: finished cases are kept when the run is stopped.
pub struct Csv<W: Write>(csv::Writer<W>);

impl<W: Write> Csv<W> {
    /// Begins with the names of the columns.
    pub fn new(out: W) -> io::Result<Csv<W>> {
        let mut writer = csv::Writer::from_writer(out);
        writer.write_record(COLUMNS)?;
        Ok(Csv(writer))
    }

    /// Adds a case.
    pub fn write(&mut self, case: &Case) -> io::Result<()> {
        self.0.write_record([
            case.file.as_str(),
            &case.case.to_string(),
            &case.games,
            &case.player,
            &case.expected,
            &case.result,
            &format!("{:.3}", case.time_ms),
            &case.status,
            &case.comments,
            case.kind,
            &case.nodes.to_string(),
            &case.components.to_string(),
            &case.bytes.to_string(),
        ])?;
        Ok(())
    }

    /// Returns the destination, with everything written.
    pub fn finish(self) -> io::Result<W> {
        self.0.into_inner().map_err(|error| error.into_error())
    }
}

/// An earlier run, by file and number of the case.
#[derive(Clone, Debug, Default)]
pub struct Earlier {
    cases: HashMap<(String, usize), Before>,
}

/// A case of an earlier run.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Before {
    /// Its status.
    pub status: String,
    /// Its result.
    pub result: String,
    /// Its milliseconds.
    pub time_ms: f64,
}

/// The reason why a table of an earlier run cannot be used.
#[derive(Debug)]
pub enum EarlierError {
    /// No such column.
    Column(&'static str),
    /// Not a table.
    Unreadable(csv::Error),
}

impl std::fmt::Display for EarlierError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            EarlierError::Column(name) => write!(f, "the table has no column '{name}'"),
            EarlierError::Unreadable(error) => write!(f, "not a table of results: {error}"),
        }
    }
}

impl std::error::Error for EarlierError {}

impl Earlier {
    /// Reads a table; columns may be in any order.
    pub fn read(input: impl Read) -> Result<Earlier, EarlierError> {
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(input);
        let header = reader.headers().map_err(EarlierError::Unreadable)?.clone();
        let column = |name: &'static str| {
            header
                .iter()
                .position(|found| found == name)
                .ok_or(EarlierError::Column(name))
        };
        let [file, case, status, result, time] = [
            column("File")?,
            column("Case")?,
            column("Status")?,
            column("Result")?,
            column("Time (ms)")?,
        ];
        let mut cases = HashMap::new();
        for record in reader.records() {
            let record = record.map_err(EarlierError::Unreadable)?;
            let field = |at: usize| record.get(at).unwrap_or_default().to_owned();
            let before = Before {
                status: field(status).to_uppercase(),
                result: field(result),
                time_ms: field(time).parse().unwrap_or(f64::NAN),
            };
            if let Ok(number) = field(case).parse() {
                cases.insert((field(file), number), before);
            }
        }
        Ok(Earlier { cases })
    }

    /// The row of a case.
    pub fn of(&self, case: &Case) -> Option<&Before> {
        self.cases.get(&(case.file.clone(), case.case))
    }

    /// The changes since the earlier run.
    pub fn changes(&self, cases: &[Case]) -> Changes {
        let mut changes = Changes::default();
        for case in cases {
            let Some(before) = self.of(case) else {
                changes.new += 1;
                continue;
            };
            match (is_good(&before.status), is_good(&case.status)) {
                (false, true) => changes.newly_passing.push(name(case)),
                (true, false) => changes.newly_failing.push(name(case)),
                (true, true) if !before.result.eq_ignore_ascii_case(&case.result) => {
                    changes.other_result.push(name(case));
                }
                _ => {}
            }
            if before.time_ms.is_finite() && is_good(&before.status) && is_good(&case.status) {
                changes.ms_before += before.time_ms;
                changes.ms_now += case.time_ms;
            }
        }
        changes
    }
}

/// Answered, and not different from the expected result.
fn is_good(status: &str) -> bool {
    matches!(status, "PASS" | "COMPLETED")
}

fn name(case: &Case) -> String {
    format!("{} {} {}", case.file, case.case, case.player)
}

/// The changes since an earlier run.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Changes {
    /// Cases that failed or were given up, and are good now.
    pub newly_passing: Vec<String>,
    /// Cases that were good, and fail or are given up now.
    pub newly_failing: Vec<String>,
    /// Cases that are good in both runs, with different results: one of them is wrong.
    pub other_result: Vec<String>,
    /// Cases that the earlier run does not have.
    pub new: usize,
    /// Milliseconds of the cases that are good in both runs, in the earlier run.
    pub ms_before: f64,
    /// Milliseconds of the cases that are good in both runs, in this run.
    pub ms_now: f64,
}

/// The page: self-contained, without external resources.
pub fn html(title: &str, cases: &[Case], summary: &Summary, earlier: Option<&Earlier>) -> String {
    let rows: Vec<Row> = cases
        .iter()
        .map(|case| Row {
            case,
            before: earlier.and_then(|earlier| earlier.of(case)),
        })
        .collect();
    let data = Data {
        title,
        summary,
        compared: earlier.is_some(),
        rows,
    };
    // Within a script element only `<` could end it.
    let json = serde_json::to_string(&data)
        .unwrap_or_default()
        .replace('<', "\\u003c");
    include_str!("report.html").replace("\"DATA\"", &json)
}

#[derive(Serialize)]
struct Data<'a> {
    title: &'a str,
    summary: &'a Summary,
    compared: bool,
    rows: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    case: &'a Case,
    before: Option<&'a Before>,
}
