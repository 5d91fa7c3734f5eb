//! Merging any number of games into one tree per start position, without loss.
//!
//! Existing moves are followed, others are added after them, so the order of the first file
//! prevails. Equal comments are kept once, different comments all, each with its source. Marks are
//! united, and contradictions between sources are reported.
//!
//! ```
//! use gametree_desk::merge::{Merged, Rules};
//! use gametree_chess::pgn::read_game;
//!
//! let mut merged = Merged::default();
//! for (name, text) in [("a", "1. e4 e5 {solid} *"), ("b", "1. e4 c5 $1 (1... e5 {dull}) *")] {
//!     let game = read_game(text.as_bytes()).unwrap();
//!     merged.add(&game, name, &Rules::default());
//! }
//! let text = merged.into_games(Default::default())[0].to_string();
//! assert!(text.contains("1. e4 e5 { solid [%src a] } { dull [%src b] } ( 1... c5 $1 ) *"));
//! ```

mod plan;
mod reached;
mod saved;
mod split;

use std::collections::HashMap;

use chess::pgn::{ComplaintKind, Game, Outcome, ROSTER, roster_default};
use chess::{Board, Identity, Move};
use rustc_hash::FxBuildHasher;
use tree::{NodeId, Tree};

use crate::remarks::Remarks;
use kit::limits::Size;

pub use crate::remarks::{About, KeptAnnotations};
pub use plan::{Conflict, FilePlan, Merge, MergePlan, merge};
pub use saved::{NotMerged, merge_part};
pub use split::{Cut, SplitError, lines, pieces, split};

/// Options of a merge.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rules {
    /// Only this many half-moves of each game.
    pub cut: Option<u32>,
    /// The annotations to keep.
    pub keep: KeptAnnotations,
    /// The treatment of the games' names and results.
    pub record: Record,
    /// The order of the moves.
    pub order: Order,
    /// The treatment of times and evaluations.
    pub measurements: Measurements,
    /// Which positions count as the same in the report. Start positions are always compared with
    /// en passant, since their moves depend on it.
    pub same: Identity,
    /// The most memory for the merged games; by default [`kit::Limits::kept`].
    pub memory: Option<Size>,
}

/// The treatment of the times and evaluations of single games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Measurements {
    /// All are kept.
    #[default]
    Keep,
    /// At a move of several games, only those that all of them have are kept.
    DropOfSingleGames,
}

/// The treatment of players, results and dates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Record {
    /// Tags that all games agree on are kept, the others dropped.
    #[default]
    Tags,
    /// A comment after each move: how many games, and of these won, drawn and lost by White.
    Counts,
    /// A comment at the end of each game: players, event, date, result.
    Names,
}

/// The order of alternative moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// The order of the input.
    #[default]
    File,
    /// Moves of more games first.
    Frequency,
}

/// Merged games: one tree for each start position.
#[derive(Clone, Debug, Default)]
pub struct Merged {
    trunks: Vec<Trunk>,
    by_start: HashMap<(u128, String), usize, FxBuildHasher>,
}

/// The games from one start position.
#[derive(Clone, Debug)]
struct Trunk {
    start: Board,
    /// The text of a game whose start position is unreadable: it is not merged with others.
    unread: String,
    tree: Tree<Move>,
    /// Games through each node.
    times: Times,
    /// Their results, if they are counted.
    results: Vec<[u32; 4]>,
    remarks: Remarks,
    tags: Vec<(String, Agreed<String>)>,
    outcome: Agreed<Outcome>,
}

/// The tag value shared by all games, or a conflict.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Agreed<T> {
    On(T),
    Not,
}

impl<T: PartialEq> Agreed<T> {
    fn merge(&mut self, other: &Agreed<T>) {
        if self != other {
            *self = Agreed::Not;
        }
    }
}

/// Counts of one merge.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MergeStats {
    /// Moves that existed.
    pub shared: u64,
    /// Moves that were added.
    pub new: u64,
    /// Positions where both continue with different primary moves.
    pub other_main: u64,
}

/// Adding games.
impl Merged {
    /// Adds a game. `name` is the source of its annotations.
    pub fn add(&mut self, game: &Game, name: &str, rules: &Rules) -> MergeStats {
        self.merge_trunk(Trunk::of(game, name, rules))
    }

    /// Adds games merged separately. The order is kept: merging parts gives the same result as
    /// merging all games one after the other.
    pub fn absorb(&mut self, other: Merged) -> MergeStats {
        let mut stats = MergeStats::default();
        for trunk in other.trunks {
            let MergeStats {
                shared,
                new,
                other_main,
            } = self.merge_trunk(trunk);
            stats.shared += shared;
            stats.new += new;
            stats.other_main += other_main;
        }
        stats
    }

    fn merge_trunk(&mut self, trunk: Trunk) -> MergeStats {
        let key = (trunk.start.key(Identity::Strict), trunk.unread.clone());
        let next = self.trunks.len();
        let index = *self.by_start.entry(key).or_insert(next);
        match self.trunks.get_mut(index) {
            Some(known) => known.absorb(trunk),
            None => {
                let new = trunk.tree.node_count() as u64 - 1;
                self.trunks.push(trunk);
                MergeStats {
                    new,
                    ..MergeStats::default()
                }
            }
        }
    }

    /// The memory that the games take, with the tables for writing them, roughly.
    fn bytes(&self) -> u64 {
        const START: u64 = 2_000;
        const MOVE: u64 = 16;
        const RESULT: u64 = 200;
        const NOTE: u64 = 300;
        let trunks = self.trunks.iter();
        let (notes, results) = trunks.fold((0, 0), |(notes, results), trunk| {
            (notes + trunk.remarks.len(), results + trunk.results.len())
        });
        let (notes, results) = (notes as u64, results as u64);
        self.trunks.len() as u64 * START + self.moves() * MOVE + results * RESULT + notes * NOTE
    }

    /// Removes the times and evaluations of single games at moves of several games.
    pub fn drop_measurements(&mut self) {
        for trunk in &mut self.trunks {
            let Trunk { remarks, times, .. } = trunk;
            remarks.drop_measurements(|node| times.of(node));
        }
    }

    /// The number of moves.
    pub fn moves(&self) -> u64 {
        let trees = self.trunks.iter().map(|trunk| &trunk.tree);
        trees.map(|tree| tree.capacity_used() as u64 - 1).sum()
    }

    /// The number of comments.
    pub fn comments(&self) -> u64 {
        self.trunks
            .iter()
            .map(|trunk| trunk.remarks.comments())
            .sum()
    }

    /// The names of tags with different values in different games.
    pub fn dropped_tags(&self) -> Vec<&str> {
        let tags = self.trunks.iter().flat_map(|trunk| &trunk.tags);
        let mut names: Vec<&str> = tags
            .filter(|(_, value)| *value == Agreed::Not)
            .map(|(name, _)| name.as_str())
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The merged games, in the order in which their start positions were added.
    pub fn into_games(self, order: Order) -> Vec<Game> {
        let trunks = self.trunks.into_iter();
        trunks.map(|trunk| trunk.into_game(order)).collect()
    }
}

impl Trunk {
    /// One game, ready to be merged.
    fn of(game: &Game, name: &str, rules: &Rules) -> Trunk {
        let mut trunk = Trunk {
            start: game.start().clone(),
            unread: unread(game),
            tree: Tree::with_capacity(game.tree().capacity_used()),
            times: Times::default(),
            results: Vec::new(),
            remarks: Remarks::default(),
            tags: tags_of(game),
            outcome: Agreed::On(game.outcome()),
        };
        let cut = rules.cut.unwrap_or(u32::MAX);
        let image = trunk.copy(game.tree(), cut);
        trunk.times = Times::once(trunk.tree.capacity_used());
        if rules.record == Record::Counts {
            let mut result = [0; 4];
            result[game.outcome() as usize] = 1;
            trunk.results = vec![result; trunk.tree.capacity_used()];
        }
        trunk
            .remarks
            .take(game, rules.keep, name, |node| image.of(node));
        if rules.record == Record::Names {
            trunk.add_caption(game, &image);
        }
        trunk
    }

    /// Copies a tree up to a number of half-moves and merges siblings with equal moves.
    fn copy(&mut self, tree: &Tree<Move>, cut: u32) -> Image {
        let mut image = Image::new(tree);
        image.set(NodeId::ROOT, NodeId::ROOT);
        let mut ply = vec![0u32];
        let mut nodes = tree.preorder();
        while let Some(node) = nodes.next() {
            let (Some(parent), Some(&mv)) = (tree.parent(node), tree.move_to(node)) else {
                continue;
            };
            let Some(above) = image.of(parent).filter(|above| ply[above.index()] < cut) else {
                nodes.skip_below();
                continue;
            };
            let known = self.tree.child_by(above, |other| *other == mv);
            let copy = known.unwrap_or_else(|| {
                ply.push(ply[above.index()] + 1);
                self.tree.add_child(above, mv)
            });
            image.set(node, copy);
        }
        image
    }

    /// Adds players, event and result where the game ends or was cut.
    fn add_caption(&mut self, game: &Game, image: &Image) {
        let caption = caption(game);
        let end = game
            .tree()
            .mainline()
            .filter_map(|node| image.of(node))
            .last();
        if let Some(end) = end.filter(|_| !caption.is_empty()) {
            self.remarks.add_comment(end, &caption);
        }
    }

    fn absorb(&mut self, other: Trunk) -> MergeStats {
        let known = self.tree.capacity_used();
        let mut image = Image::new(&other.tree);
        let mut stats = MergeStats::default();
        let (tree, times) = (&mut self.tree, &mut self.times);
        tree.merge(NodeId::ROOT, &other.tree, NodeId::ROOT, |old, new| {
            image.set(old, new)
        });
        times.grow(tree.capacity_used());
        for old in other.tree.preorder() {
            let Some(new) = image.of(old) else { continue };
            times.add(new, other.times.of(old));
            if new.index() < known {
                stats.shared += 1
            } else {
                stats.new += 1
            }
            if new.index() < known && leads_elsewhere(tree, new, known, &other.tree, old) {
                stats.other_main += 1;
            }
        }
        // Start positions do not count as moves.
        stats.shared -= 1;
        self.absorb_results(&other, &image);
        self.remarks.absorb(other.remarks, |node| image.of(node));
        self.absorb_tags(other.tags);
        self.outcome.merge(&other.outcome);
        stats
    }

    fn absorb_results(&mut self, other: &Trunk, image: &Image) {
        if self.results.is_empty() && other.results.is_empty() {
            return;
        }
        self.results.resize(self.tree.capacity_used(), [0; 4]);
        for (old, more) in other.results.iter().enumerate() {
            if let Some(new) = image.of(NodeId(old as u32)) {
                let sums = &mut self.results[new.index()];
                sums.iter_mut()
                    .zip(more)
                    .for_each(|(sum, more)| *sum += more);
            }
        }
    }

    fn absorb_tags(&mut self, tags: Vec<(String, Agreed<String>)>) {
        for (name, value) in tags {
            match self.tags.iter_mut().find(|(known, _)| *known == name) {
                Some((_, known)) => known.merge(&value),
                None => self.tags.push((name, value)),
            }
        }
    }

    fn into_game(mut self, order: Order) -> Game {
        self.add_counts();
        if order == Order::Frequency {
            self.sort();
        }
        let mut game = Game::from_board(self.start);
        *game.tree_mut() = self.tree;
        for (name, value) in &self.tags {
            match value {
                Agreed::On(value) => game.set_tag(name, value),
                Agreed::Not if ROSTER.contains(&name.as_str()) => {
                    game.set_tag(name, roster_default(name));
                }
                Agreed::Not => {}
            }
        }
        game.set_outcome(match self.outcome {
            Agreed::On(outcome) => outcome,
            Agreed::Not => Outcome::Unknown,
        });
        self.remarks.attach(&mut game);
        game
    }

    fn add_counts(&mut self) {
        for (node, result) in self.results.iter().enumerate() {
            let node = NodeId(node as u32);
            self.remarks.add_comment(node, &counts(result));
        }
    }

    /// Sorts moves by the number of games, descending.
    fn sort(&mut self) {
        let Trunk { tree, times, .. } = self;
        for node in (0..tree.capacity_used() as u32).map(NodeId) {
            tree.sort_children(node, |child| std::cmp::Reverse(times.of(*child)));
        }
    }
}

/// True if both trees continue here with different primary moves among the `known` ones.
fn leads_elsewhere(
    tree: &Tree<Move>,
    new: NodeId,
    known: usize,
    other: &Tree<Move>,
    old: NodeId,
) -> bool {
    let ours = tree.next(new).filter(|child| child.index() < known);
    match (ours, other.next(old)) {
        (Some(ours), Some(theirs)) => tree.move_to(ours) != other.move_to(theirs),
        _ => false,
    }
}

/// The tags that define the start of a game.
const START_TAGS: [&str; 3] = ["FEN", "SetUp", "Variant"];

fn is_start_unread(game: &Game) -> bool {
    let mut complaints = game.complaints().iter();
    complaints.any(|complaint| complaint.kind == ComplaintKind::BadFen)
}

/// The start and the text of a game whose start position is unreadable, otherwise nothing: its
/// moves are kept as text, so it never equals another game.
fn unread(game: &Game) -> String {
    if !is_start_unread(game) {
        return String::new();
    }
    let notes = game.notes_at(NodeId::ROOT);
    let texts = notes.map(|note| game.text(note.text));
    let tags = START_TAGS.iter().filter_map(|name| game.tag(name));
    tags.chain(texts).collect::<Vec<_>>().join("\n")
}

/// The tags that do not follow from the start position.
fn tags_of(game: &Game) -> Vec<(String, Agreed<String>)> {
    let is_unread = is_start_unread(game);
    let follows = |name: &str| name == "Result" || (!is_unread && START_TAGS.contains(&name));
    let mut tags: Vec<(String, Agreed<String>)> = Vec::new();
    for (name, value) in game.tags().filter(|(name, _)| !follows(name)) {
        if !tags.iter().any(|(known, _)| known == name) {
            tags.push((name.to_owned(), Agreed::On(value.to_owned())));
        }
    }
    tags
}

/// Players, event, year and result, as far as known.
fn caption(game: &Game) -> String {
    let known = |name| {
        game.tag(name)
            .filter(|value| !value.starts_with('?') && !value.is_empty())
    };
    let players = match (known("White"), known("Black")) {
        (None, None) => None,
        (white, black) => Some(format!(
            "{} – {}",
            white.unwrap_or("?"),
            black.unwrap_or("?")
        )),
    };
    let year = known("Date").and_then(|date| date.split('.').next());
    let result = (game.outcome() != Outcome::Unknown).then(|| game.outcome().as_str());
    let rest = [known("Event"), year, result];
    let parts = players
        .into_iter()
        .chain(rest.into_iter().flatten().map(str::to_owned));
    parts.collect::<Vec<_>>().join(", ")
}

/// `12 games, W/D/L 5/4/2`
fn counts(result: &[u32; 4]) -> String {
    let of = |outcome: Outcome| result[outcome as usize];
    let (white, black, draw) = (of(Outcome::White), of(Outcome::Black), of(Outcome::Draw));
    let total: u32 = result.iter().sum();
    let games = if total == 1 { "game" } else { "games" };
    format!("{total} {games}, W/D/L {white}/{draw}/{black}")
}

/// The number of games through each node, one byte for most.
#[derive(Clone, Debug, Default)]
struct Times {
    /// By node; [`MANY`] if there are more.
    few: Vec<u8>,
    many: HashMap<NodeId, u32, FxBuildHasher>,
}

const MANY: u8 = u8::MAX;

impl Times {
    /// One game through each of the nodes.
    fn once(nodes: usize) -> Times {
        Times {
            few: vec![1; nodes],
            ..Times::default()
        }
    }

    fn grow(&mut self, nodes: usize) {
        self.few.resize(nodes, 0);
    }

    fn of(&self, node: NodeId) -> u32 {
        match self.few[node.index()] {
            MANY => self.many.get(&node).copied().unwrap_or(0),
            few => few.into(),
        }
    }

    fn add(&mut self, node: NodeId, more: u32) {
        let sum = self.of(node) + more;
        self.few[node.index()] = match u8::try_from(sum) {
            Ok(few) if few < MANY => few,
            _ => {
                self.many.insert(node, sum);
                MANY
            }
        };
    }
}

/// The images of the nodes of one tree in another.
struct Image(Vec<u32>);

const NOWHERE: u32 = u32::MAX;

impl Image {
    fn new(tree: &Tree<Move>) -> Image {
        Image(vec![NOWHERE; tree.capacity_used()])
    }

    fn set(&mut self, old: NodeId, new: NodeId) {
        self.0[old.index()] = new.0;
    }

    fn of(&self, old: NodeId) -> Option<NodeId> {
        let new = *self.0.get(old.index())?;
        (new != NOWHERE).then_some(NodeId(new))
    }
}

#[cfg(test)]
mod tests;
