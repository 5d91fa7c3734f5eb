//! Findings about annotations: contradicting glyphs, text that is not a move, broken references.

use std::collections::HashMap;

use chess::pgn::{ComplaintKind as Complaint, nag};
use tree::NodeId;
use tree::graph::{EdgeId, Vertex};

use super::{Finding, FindingKind, Options, Severity};
use crate::link::is_valid_link;
use crate::positions::{Positions, Spot};
use crate::remarks::About;

/// Glyphs that contradict one another: on one move, or in several places on the same move or
/// position. Opposite glyphs are worse than those that differ in degree.
pub fn glyphs(positions: &Positions, options: &Options, findings: &mut Vec<Finding>) {
    let mut said_first: HashMap<Subject, Spot> = HashMap::new();
    for spot in options.stop.while_running(positions.all()) {
        for about in [About::Move, About::Position] {
            let marks = marks(positions, spot, about);
            let Some(subject) = subject(positions, spot, about).filter(|_| !marks.is_empty())
            else {
                continue;
            };
            let first = *said_first.entry(subject).or_insert(spot);
            let theirs = self::marks(positions, first, about);
            if marks.len() > 1 {
                findings.push(conflict(positions, spot, None, &marks, &[]));
            } else if theirs != marks {
                findings.push(conflict(positions, spot, Some(first), &marks, &theirs));
            }
        }
    }
}

/// The subject of a glyph: a move from a position, or a position.
#[derive(PartialEq, Eq, Hash)]
enum Subject {
    Move(EdgeId),
    Position(Vertex),
}

fn subject(positions: &Positions, spot: Spot, about: About) -> Option<Subject> {
    match about {
        About::Move => edge_to(positions, spot).map(Subject::Move),
        _ => positions.vertex(spot).map(Subject::Position),
    }
}

fn edge_to(positions: &Positions, spot: Spot) -> Option<EdgeId> {
    let tree = positions.game(spot).tree();
    let node = tree.parent(spot.node)?;
    let from = positions.vertex(Spot { node, ..spot })?;
    positions.graph().edge_by(from, tree.move_to(spot.node)?)
}

fn marks(positions: &Positions, spot: Spot, about: About) -> Vec<u32> {
    let nags = positions.game(spot).nags_at(spot.node);
    let mut marks: Vec<u32> = nags
        .filter(|&nag| About::of_nag(nag) == Some(about))
        .collect();
    marks.sort_unstable();
    marks.dedup();
    marks
}

fn conflict(
    positions: &Positions,
    spot: Spot,
    other: Option<Spot>,
    marks: &[u32],
    theirs: &[u32],
) -> Finding {
    let here = signs(marks);
    let message = match other {
        None => format!("{here} on one move"),
        Some(_) => format!("{here} here, {} there", signs(theirs)),
    };
    let mut finding = Finding::new(FindingKind::GlyphConflict, positions, spot, message);
    let scores = || marks.iter().chain(theirs).map(|&nag| score(nag));
    let opposite = scores().any(|score| score < 0) && scores().any(|score| score > 0);
    finding.severity = if opposite {
        Severity::Warning
    } else {
        Severity::Note
    };
    match other {
        None => finding,
        Some(other) => finding.with_other(positions, other),
    }
}

fn signs(marks: &[u32]) -> String {
    let sign = |&nag: &u32| nag::glyph(nag).map_or_else(|| format!("${nag}"), str::to_owned);
    marks.iter().map(sign).collect::<Vec<_>>().join(" ")
}

/// Positive: good for the side that moved, or for White.
fn score(nag: u32) -> i32 {
    match nag {
        1 | 3 | 5 => 1,
        2 | 4 | 6 => -1,
        14 | 16 | 18 | 20 => 1,
        15 | 17 | 19 | 21 => -1,
        _ => 0,
    }
}

/// Unreadable moves, and comments without moves.
pub fn unread(positions: &Positions, options: &Options, findings: &mut Vec<Finding>) {
    for (index, game) in positions.games().iter().enumerate() {
        let at = |node| Spot { game: index, node };
        for complaint in options.stop.while_running(game.complaints()) {
            let kind = match complaint.kind {
                Complaint::IllegalMove | Complaint::AmbiguousMove | Complaint::UnreadableMove => {
                    FindingKind::Illegal
                }
                Complaint::VariationWithoutMoves => FindingKind::NoMoves,
                _ => continue,
            };
            let message = format!("after this: {}: {}", complaint.kind, complaint.excerpt);
            findings.push(Finding::new(kind, positions, at(complaint.node), message));
        }
        let bare = game.tree().is_terminal(NodeId::ROOT);
        if bare && game.comments_at(NodeId::ROOT).next().is_some() {
            let message = "game with a comment but no moves";
            findings.push(Finding::new(
                FindingKind::NoMoves,
                positions,
                at(NodeId::ROOT),
                message,
            ));
        }
    }
}

/// References whose moves are missing or lead to another position.
pub fn broken_links(positions: &Positions, options: &Options, findings: &mut Vec<Finding>) {
    for spot in options.stop.while_running(positions.all()) {
        for (_, link) in crate::link::links_at(positions.game(spot), spot.node) {
            if !is_valid_link(positions, spot, &link) {
                let message = format!("“{link}”: position not found there");
                findings.push(Finding::new(
                    FindingKind::BrokenLink,
                    positions,
                    spot,
                    message,
                ));
            }
        }
    }
}
