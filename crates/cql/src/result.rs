//! What a query found in a game and what it asks to be written.

use crate::diagnostic::Span;
use std::sync::Arc;
use tree::NodeId;

/// Which comments are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// None at all.
    Silent,
    /// Only those that the query asks for, and the header.
    Quiet,
    /// Also what was found where.
    #[default]
    Normal,
}

/// A value that games are sorted by, or that a variable has.
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
    /// Which tag.
    pub name: String,
    /// Its new value; none if it is removed.
    pub value: Option<String>,
}

/// A comment to be added after what is already said at a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Where.
    pub node: NodeId,
    /// What it says.
    pub text: Arc<str>,
}

/// Why the search of a game was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GiveUp {
    /// It used up its steps.
    Steps,
    /// It used up its memory.
    Memory,
    /// The [`Host`](crate::Host) asked to stop.
    Stopped,
}

/// What a query found in one game.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct GameResult {
    /// The game's place in the input, from 1.
    pub game_number: u64,
    /// Whether the game is one of those asked for.
    pub matched: bool,
    /// The matching positions by id, in order.
    pub positions: Vec<u32>,
    /// Their nodes in the game's tree.
    pub nodes: Vec<NodeId>,
    /// Comments to be added, in order; those at one node follow one another.
    pub comments: Vec<Comment>,
    /// Nodes whose own comments are not to be written.
    pub removed_comments: Vec<NodeId>,
    /// The value of each of the query's sort keys, none if it never had one.
    pub sort: Vec<Option<SortValue>>,
    /// What `message` says.
    pub messages: Vec<String>,
    /// Changes to the tags.
    pub tags: Vec<TagEdit>,
    /// The file that `outputfile` names.
    pub output_file: Option<String>,
    /// Why the search was given up, if it was; the other fields hold what was found before.
    pub given_up: Option<GiveUp>,
    /// The first variable that was read without a value.
    pub unbound: Option<String>,
    /// Where in the source an `assert` failed.
    pub failed_assert: Option<Span>,
}

/// A variable that lived through all games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Persistent {
    /// Its name.
    pub name: String,
    /// Its value as it is printed.
    pub value: String,
    /// The query asks that it is not printed.
    pub quiet: bool,
}
