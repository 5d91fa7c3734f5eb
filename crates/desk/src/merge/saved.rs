//! Merged games as bytes, for a merge in several steps on several machines.
//!
//! PGN alone would lose what later steps need: how many games have each move, which tags differ, and
//! the sources of comments. One line of JSON for each start position keeps all of it; the moves in it
//! are PGN. Nodes are numbered in preorder, which reading the PGN restores.

use std::fmt;

use chess::pgn::{Game, Outcome, read_game};
use serde::{Deserialize, Serialize};
use tree::NodeId;

use super::{Agreed, FilePlan, Merged, Rules, Times, Trunk, plan::Part};
use crate::games::{Games, Run};
use crate::remarks::SavedRemarks;
use kit::Workers;

/// The bytes are not merged games, or they are damaged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotMerged {
    line: usize,
}

impl fmt::Display for NotMerged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: not saved merged games", self.line)
    }
}

impl std::error::Error for NotMerged {}

/// A trunk in a form that is written.
#[derive(Serialize, Deserialize)]
struct SavedTrunk {
    pgn: String,
    unread: String,
    times: Vec<u32>,
    results: Vec<[u32; 4]>,
    /// None: games differ.
    tags: Vec<(String, Option<String>)>,
    outcome: Option<String>,
    remarks: SavedRemarks,
}

/// Merges the games of some files, to be saved and absorbed by others. Also counts the games.
pub fn merge_part(games: &Games, rules: &Rules, workers: &Workers) -> Run<(Merged, u64)> {
    let mut merged = Merged::default();
    let mut count = 0;
    let run = games.run_growing(
        workers,
        rules.memory,
        |batch| Part::read(batch, rules),
        |part| {
            let FilePlan { games, .. } = part.counts;
            count += games;
            merged.absorb(part.merged);
            merged.bytes()
        },
    );
    run.with((merged, count))
}

impl Merged {
    /// The merged games as text, which [`load`](Merged::load) reads.
    pub fn save(&self) -> String {
        let mut text = String::new();
        for trunk in &self.trunks {
            // Numbers and strings can always be written.
            if let Ok(line) = serde_json::to_string(&trunk.saved()) {
                text.push_str(&line);
                text.push('\n');
            }
        }
        text
    }

    /// Reads what [`save`](Merged::save) wrote.
    pub fn load(text: &str) -> Result<Merged, NotMerged> {
        let mut merged = Merged::default();
        for (line, json) in (1..).zip(text.lines()) {
            let saved: SavedTrunk = serde_json::from_str(json).map_err(|_| NotMerged { line })?;
            merged.merge_trunk(saved.trunk().ok_or(NotMerged { line })?);
        }
        Ok(merged)
    }
}

impl Trunk {
    fn saved(&self) -> SavedTrunk {
        let mut game = Game::from_board(self.start.clone());
        *game.tree_mut() = self.tree.clone();
        let nodes: Vec<NodeId> = self.tree.preorder().collect();
        let mut numbers = vec![0; self.tree.capacity_used()];
        (0..)
            .zip(&nodes)
            .for_each(|(number, node)| numbers[node.index()] = number);
        let results = match self.results.is_empty() {
            true => Vec::new(),
            false => nodes
                .iter()
                .map(|node| self.results[node.index()])
                .collect(),
        };
        let tags = self.tags.iter().map(|(name, value)| match value {
            Agreed::On(value) => (name.clone(), Some(value.clone())),
            Agreed::Not => (name.clone(), None),
        });
        SavedTrunk {
            pgn: game.to_string(),
            unread: self.unread.clone(),
            times: nodes.iter().map(|node| self.times.of(*node)).collect(),
            results,
            tags: tags.collect(),
            outcome: match self.outcome {
                Agreed::On(outcome) => Some(outcome.as_str().to_owned()),
                Agreed::Not => None,
            },
            remarks: self.remarks.saved(|node| numbers[node.index()]),
        }
    }
}

impl SavedTrunk {
    fn trunk(self) -> Option<Trunk> {
        let game = read_game(self.pgn.as_bytes())?;
        let tree = game.tree().clone();
        let nodes: Vec<NodeId> = tree.preorder().collect();
        let whole = |length: usize| length == nodes.len();
        if !whole(self.times.len()) || !(self.results.is_empty() || whole(self.results.len())) {
            return None;
        }
        let mut times = Times::default();
        times.grow(tree.capacity_used());
        let mut results = vec![[0; 4]; self.results.len().min(1) * tree.capacity_used()];
        for (number, node) in nodes.iter().enumerate() {
            times.add(*node, self.times[number]);
            if let Some(result) = self.results.get(number) {
                results[node.index()] = *result;
            }
        }
        let tags = self
            .tags
            .into_iter()
            .map(|(name, value)| (name, value.map_or(Agreed::Not, Agreed::On)));
        let remarks = self.remarks.remarks(&nodes)?;
        Some(Trunk {
            start: game.start().clone(),
            unread: self.unread,
            times,
            results,
            remarks,
            tags: tags.collect(),
            outcome: match self.outcome {
                Some(text) => Agreed::On(outcome(&text)?),
                None => Agreed::Not,
            },
            tree,
        })
    }
}

fn outcome(text: &str) -> Option<Outcome> {
    let all = [
        Outcome::White,
        Outcome::Black,
        Outcome::Draw,
        Outcome::Unknown,
    ];
    all.into_iter().find(|outcome| outcome.as_str() == text)
}
