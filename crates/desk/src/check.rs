//! Errors in games: what is wrong, where, and how the reader recovered.

mod excerpt;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use chess::pgn::{Complaint, Game, RawGame};
pub use chess::pgn::{ComplaintKind, Severity};
use chess::{Board, Color};
use serde::{Serialize, Serializer};
use tree::NodeId;

pub use self::excerpt::Excerpt;
use crate::games::{Batch, Games, Run};
use crate::positions::LONGEST_PATH;
use kit::Workers;

/// A complaint with everything needed to print it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    /// The source's name.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: u64,
    /// The column, from 1, in characters.
    pub column: u32,
    /// The number of the game in its file, from 1.
    pub game: u64,
    /// The moves from the initial position to the place; none if there are too many.
    pub path: Option<String>,
    /// The kind's name.
    pub kind: String,
    /// The severity.
    #[serde(serialize_with = "word")]
    pub severity: Severity,
    /// The error.
    pub message: String,
    /// How the reader recovered.
    pub done: &'static str,
    /// The last move before the place, with its number; none before the first move.
    #[serde(skip)]
    pub after: Option<String>,
    /// The text around the place.
    #[serde(skip)]
    pub excerpt: Excerpt,
}

/// The totals of a check.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Games read.
    pub games: u64,
    /// Complaints by kind.
    pub kinds: BTreeMap<ComplaintKind, u64>,
}

impl Summary {
    /// The number of complaints.
    pub fn complaints(&self) -> u64 {
        self.kinds.values().sum()
    }

    /// The number of complaints of this severity.
    pub fn of_severity(&self, severity: Severity) -> u64 {
        let counts = self
            .kinds
            .iter()
            .filter(|(kind, _)| kind.severity() == severity);
        counts.map(|(_, count)| count).sum()
    }
}

fn word<S: Serializer>(severity: &Severity, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(severity)
}

/// The name of a kind in reports: `illegal-move`.
pub fn kind_name(kind: ComplaintKind) -> String {
    let mut name = String::new();
    for letter in kind.name().chars() {
        if letter.is_ascii_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

/// Reads all games and passes on complaints of at least this severity in order, up to a limit.
pub fn check<E>(
    games: &Games,
    least: Severity,
    limit: u64,
    workers: &Workers,
    mut each: impl FnMut(Finding) -> Result<(), E>,
) -> Result<Run<Summary>, E> {
    let mut summary = Summary::default();
    let handed = AtomicU64::new(0);
    let games = games.clone().as_text();
    let run = games.run(
        workers,
        |batch| {
            check_batch(
                batch,
                least,
                limit.saturating_sub(handed.load(Ordering::Relaxed)),
            )
        },
        |(part, findings)| {
            summary.join(part);
            for finding in findings {
                if handed.fetch_add(1, Ordering::Relaxed) < limit {
                    each(finding)?;
                }
            }
            Ok(())
        },
    )?;
    Ok(run.with(summary))
}

impl Summary {
    fn join(&mut self, part: Summary) {
        self.games += part.games;
        for (kind, count) in part.kinds {
            *self.kinds.entry(kind).or_default() += count;
        }
    }
}

fn check_batch(batch: &Batch, least: Severity, limit: u64) -> (Summary, Vec<Finding>) {
    let mut summary = Summary::default();
    let mut findings = Vec::new();
    batch.read(|game, raw| {
        summary.games += 1;
        for complaint in game
            .complaints()
            .iter()
            .filter(|c| c.kind.severity() >= least)
        {
            *summary.kinds.entry(complaint.kind).or_default() += 1;
            if (findings.len() as u64) < limit {
                findings.push(finding(batch, game, raw, complaint));
            }
        }
    });
    (summary, findings)
}

fn finding(batch: &Batch, game: &Game, raw: RawGame, complaint: &Complaint) -> Finding {
    let Complaint {
        kind,
        location,
        excerpt,
        ..
    } = complaint;
    let (path, after) = path_to(game, complaint.node);
    // The excerpt of ") without (" adds nothing.
    let message = if excerpt.chars().any(char::is_alphanumeric) {
        format!("{}: {excerpt}", kind.message())
    } else {
        kind.message().to_owned()
    };
    Finding {
        file: batch.name.clone(),
        line: location.line,
        column: location.column,
        game: complaint.game,
        path,
        kind: kind_name(*kind),
        severity: kind.severity(),
        message,
        done: kind.action(),
        after,
        excerpt: Excerpt::cut(
            raw.bytes,
            location.offset.saturating_sub(raw.place.offset),
            location.len,
        ),
    }
}

/// The moves to a node, and the last of them with its number.
fn path_to(game: &Game, node: NodeId) -> (Option<String>, Option<String>) {
    let above = game.tree().ancestors(node).take(LONGEST_PATH + 1).count();
    if above > LONGEST_PATH {
        return (None, None);
    }
    let mut board = game.start().clone();
    let mut path = String::new();
    let mut after = None;
    for &m in game
        .tree()
        .line(node)
        .iter()
        .filter_map(|&node| game.tree().move_to(node))
    {
        let san = board.san(m);
        after = Some(format!("{}{san}", number(&board)));
        let gap = if path.is_empty() { "" } else { " " };
        path.extend([gap, &san]);
        board.play(m);
    }
    (Some(path), after)
}

/// `12.` or `12...`
fn number(board: &Board) -> String {
    let dots = if board.turn() == Color::White {
        "."
    } else {
        "..."
    };
    format!("{}{dots}", board.fullmoves())
}

#[cfg(test)]
mod tests;
