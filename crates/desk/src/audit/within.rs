//! Findings at the positions that a query matches.

use std::collections::HashSet;

use tree::NodeId;

use super::Finding;
use crate::positions::Positions;
use crate::query::Query;

/// Keeps the findings at positions that the query matches; `query` should search variations.
pub fn keep_within(findings: &mut Vec<Finding>, positions: &Positions, query: &Query) {
    let mut matcher = query.matcher();
    let games = positions.games().iter().zip(1..);
    let matching: Vec<HashSet<NodeId>> = games
        .map(|(game, number)| matcher.run(game, number).nodes.into_iter().collect())
        .collect();
    findings.retain(|finding| matching[finding.spot.game].contains(&finding.spot.node));
}
