//! Findings at the positions that a query matches.

use std::collections::HashSet;

use tree::{NodeId, View};

use super::Finding;
use crate::place::{Ground, Place};
use crate::positions::{Address, Positions};
use crate::query::Query;

/// Keeps the findings at positions that the query matches; `query` should search variations.
pub fn keep_within(findings: &mut Vec<Finding>, positions: &Positions, query: &Query) {
    let mut matcher = query.matcher();
    let games = positions.games().iter().zip(1..);
    let matching: Vec<HashSet<NodeId>> = games
        .map(|(game, number)| matcher.run(game, number).nodes.into_iter().collect())
        .collect();
    findings.retain(|finding| {
        let spot = locate(positions, &finding.at);
        spot.is_some_and(|(game, node)| matching[game].contains(&node))
    });
}

/// The game's index and the node of an address.
fn locate(positions: &Positions, at: &Address) -> Option<(usize, NodeId)> {
    let mut games = positions.games().iter();
    let index = games.position(|game| game.place().number.max(1) == at.game)?;
    let game = &positions.games()[index];
    let ground = Ground {
        tree: game.tree(),
        start: game.start(),
        view: &View::new(),
    };
    let place = Place::read(at.path.as_place()).ok()?;
    Some((index, place.find(ground, NodeId::ROOT).ok()?))
}
