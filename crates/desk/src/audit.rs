//! Problems of a repertoire: lines that stop although they continue elsewhere, split theory, too
//! many or missing answers, contradictions.

mod reference;
mod remarks;
mod replies;
mod shape;
mod within;

use std::fmt;

use chess::{Board, Color};
use kit::Stop;
use serde::{Serialize, Serializer};

use crate::positions::{Address, Identity, MovePath, Positions, Spot};

pub use crate::check::Severity;
pub use reference::{Coverage, Reference};
pub use within::keep_within;

/// Declares the kinds with their names and severities.
macro_rules! kinds {
    ($($kind:ident $name:literal $severity:ident $what:literal,)*) => {
        /// Kinds of findings.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum FindingKind {
            $(#[doc = $what] $kind,)*
        }

        impl FindingKind {
            /// All kinds, in the order of the report.
            pub const ALL: &[FindingKind] = &[$(FindingKind::$kind),*];

            /// The name in options and in machine-readable reports.
            pub fn name(self) -> &'static str {
                match self { $(FindingKind::$kind => $name,)* }
            }

            /// The usual severity.
            pub fn severity(self) -> Severity {
                match self { $(FindingKind::$kind => Severity::$severity,)* }
            }

            /// A description.
            pub fn what(self) -> &'static str {
                match self { $(FindingKind::$kind => $what,)* }
            }
        }
    };
}

kinds! {
    Illegal "illegal" Error "moves that could not be read",
    BrokenLink "broken-link" Error "reference to a missing position",
    DeadEnd "dead-end" Warning "line that ends in a position with continuations elsewhere",
    Split "split" Warning "theory split over move orders",
    TwoAnswers "two-answers" Warning "several answers for your side",
    Gap "gap" Warning "frequent reply without an answer",
    Duplicate "duplicate" Warning "repeated move or game",
    GlyphConflict "glyph-conflict" Warning "contradicting glyphs",
    Rare "rare" Note "line that rarely occurs",
    NoAnswer "no-answer" Note "line that ends with your side to move",
    NoMoves "no-moves" Note "comment without moves",
}

impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Serialize for FindingKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A problem, or a possible improvement.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Finding {
    /// The kind.
    pub kind: FindingKind,
    /// The severity.
    #[serde(serialize_with = "word")]
    pub severity: Severity,
    /// The position.
    #[serde(skip)]
    pub spot: Spot,
    /// The same as game number and path, which [`place`](crate::place) reads.
    #[serde(flatten)]
    pub at: Address,
    /// The other place involved.
    pub other: Option<MovePath>,
    /// The game of that place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_game: Option<u64>,
    /// The moves involved.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
    /// Games of the reference collection that contain it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
    /// Their share of the games that reached the choice; of all games for a rare line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// The probability that a game of mine meets it, by which gaps and rare lines are sorted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// The message.
    pub message: String,
}

fn word<S: Serializer>(severity: &Severity, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(severity)
}

impl Finding {
    fn new(
        kind: FindingKind,
        positions: &Positions,
        spot: Spot,
        message: impl Into<String>,
    ) -> Finding {
        Finding {
            kind,
            severity: kind.severity(),
            spot,
            at: positions.address(spot),
            other: None,
            other_game: None,
            moves: Vec::new(),
            games: None,
            share: None,
            probability: None,
            message: message.into(),
        }
    }

    fn with_other(mut self, positions: &Positions, other: Spot) -> Finding {
        let other = if other == self.spot {
            self.at.clone()
        } else {
            positions.address(other)
        };
        self.other_game = (other.game != self.at.game).then_some(other.game);
        self.other = Some(other.path);
        self
    }

    fn with_moves(mut self, moves: Vec<String>) -> Finding {
        self.moves = moves;
        self
    }
}

/// Options of an audit.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// The side of the repertoire; without it, answers and replies are not checked.
    pub side: Option<Color>,
    /// Which positions count as equal.
    pub same: Identity,
    /// Games that show which moves are played.
    pub reference: Option<&'a Reference>,
    /// Replies with at least this share of games must be answered.
    pub min_share: f64,
    /// Replies with fewer games than this are ignored.
    pub min_games: u64,
    /// A line is rare if fewer than one in this many games reaches it.
    pub rare: Option<u64>,
    /// Requests an early end, with the findings so far.
    pub stop: Stop,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            side: None,
            same: Identity::Strict,
            reference: None,
            min_share: 0.05,
            min_games: 2,
            rare: None,
            stop: Stop::new(),
        }
    }
}

/// Runs all checks. Findings are ordered by kind, then by game; gaps and rare lines by probability.
pub fn audit(positions: &Positions, options: &Options) -> Vec<Finding> {
    let mut findings = Vec::new();
    shape::dead_ends(positions, options, &mut findings);
    shape::splits(positions, options, &mut findings);
    shape::duplicates(positions, options, &mut findings);
    remarks::glyphs(positions, options, &mut findings);
    remarks::unread(positions, options, &mut findings);
    remarks::broken_links(positions, options, &mut findings);
    if let Some(side) = options.side {
        replies::answers(positions, side, options, &mut findings);
        if let Some(reference) = options.reference {
            replies::gaps(positions, side, reference, options, &mut findings);
            replies::rare(positions, side, reference, options, &mut findings);
        }
    }
    findings.sort_by_key(|finding| finding.kind);
    findings
}

/// The moves from the position of a spot, as written in the games.
fn next_moves(positions: &Positions, board: &Board, spot: Spot) -> Vec<String> {
    let tree = positions.game(spot).tree();
    let moves = tree
        .children(spot.node)
        .filter_map(|child| tree.move_to(child));
    moves.map(|&mv| board.san(mv).to_string()).collect()
}

#[cfg(test)]
mod tests;
