//! Requests that the state of the server keeps for later ones.

use desk::NodeId;
use desk::notation::Folds;
use serde::Deserialize;

/// Variations by their first node.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct FoldRequest {
    /// Folds or unfolds all others.
    all: Option<bool>,
    #[serde(default)]
    closed: Vec<u32>,
    #[serde(default)]
    open: Vec<u32>,
}

impl FoldRequest {
    /// The folds of an outline.
    pub fn folds(&self) -> Folds {
        let nodes = |list: &[u32]| list.iter().copied().map(NodeId).collect::<Vec<_>>();
        Folds::chosen(nodes(&self.closed), nodes(&self.open), self.all)
    }
}

/// A search.
#[derive(Deserialize, Clone, Debug)]
pub struct RunRequest {
    /// In CQL.
    pub query: String,
    /// Only games of this file.
    pub file: Option<usize>,
    /// Whether variations are searched.
    pub variations: Option<bool>,
    /// Ends after so many games.
    pub limit: Option<u64>,
    /// Of an archive: only games that meet this condition.
    #[serde(rename = "where", default)]
    pub filter: String,
}
