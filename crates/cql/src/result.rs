//! The result of a query for a game, and its requested output.

use crate::diagnostic::Span;
use std::sync::Arc;
use tree::NodeId;

/// The comments to write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// None.
    Silent,
    /// Only those that the query requests, and the header.
    Quiet,
    /// Also the matches with their places.
    #[default]
    Normal,
}

/// The value of a sort key or variable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SortValue {
    /// A number.
    Number(i64),
    /// A text.
    Text(Arc<str>),
}

impl std::fmt::Display for SortValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SortValue::Number(n) => n.fmt(f),
            SortValue::Text(t) => t.fmt(f),
        }
    }
}

/// A change to a game's tags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagEdit {
    /// The name of the tag.
    pub name: String,
    /// Its new value; none if it is removed.
    pub value: Option<String>,
}

/// A comment to add after the existing ones at a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// The node.
    pub node: NodeId,
    /// The text.
    pub text: Arc<str>,
}

/// The reason for giving up the search of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GiveUp {
    /// It used up its steps.
    Steps,
    /// It used up its memory.
    Memory,
    /// Persistent variables used up their memory; later games cannot be searched either.
    PersistentMemory,
    /// The [`Host`](crate::Host) asked to stop.
    Stopped,
}

/// The result of a query for one game.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct GameResult {
    /// The game's place in the input, from 1.
    pub game_number: u64,
    /// Whether the game is part of the result.
    pub matched: bool,
    /// The matching positions by id, in order.
    pub positions: Vec<u32>,
    /// Their nodes in the game's tree.
    pub nodes: Vec<NodeId>,
    /// Comments to add, in order; those at one node are consecutive.
    pub comments: Vec<Comment>,
    /// Nodes whose existing comments are not written.
    pub removed_comments: Vec<NodeId>,
    /// The value of each of the query's sort keys; none if it never had one.
    pub sort: Vec<Option<SortValue>>,
    /// The output of `message`.
    pub messages: Vec<String>,
    /// Changes to the tags.
    pub tags: Vec<TagEdit>,
    /// The file named by `outputfile`.
    pub output_file: Option<String>,
    /// The reason for giving up the search, if it was; the other fields hold the results until
    /// then.
    pub given_up: Option<GiveUp>,
    /// The first variable that was read without a value.
    pub unbound: Option<String>,
    /// The place in the source of a failed `assert`.
    pub failed_assert: Option<Span>,
}

/// A persistent variable after all games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Persistent {
    /// Its name.
    pub name: String,
    /// Its value as text.
    pub value: String,
    /// The query suppresses its output.
    pub quiet: bool,
}
