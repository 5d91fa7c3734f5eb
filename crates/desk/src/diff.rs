//! Differences between two files: by position, where another move order is no difference but a
//! continuation written at another place is; or by moves. A place is a path in a game: games that
//! were added or removed are changes too.

mod games;

use std::collections::{BTreeSet, HashSet};
use std::fmt;

use chess::Move;
use chess::link::Link;
use chess::pgn::{Game, NoteKind, export_tags, nag};
use rustc_hash::FxHashMap;
use serde::{Serialize, Serializer};
use tree::graph::{EdgeId, Vertex};
use tree::{NodeId, Tree};

use crate::book::title;
use crate::place::number;
use crate::positions::{Address, Identity, Positions, Spot};
use games::GamePairs;

/// The kind of a change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ChangeKind {
    /// An added game.
    GameAdded,
    /// A removed game.
    GameRemoved,
    /// A game at another place among the games of its file.
    GameMoved,
    /// A tag, or the result.
    Tag,
    /// Added moves.
    Added,
    /// Removed moves.
    Removed,
    /// The same moves in another order.
    Reordered,
    /// Moves that were written only elsewhere before.
    MovedHere,
    /// Moves that are written only elsewhere now.
    MovedAway,
    /// Comments.
    Comment,
    /// Glyphs such as `!`.
    Glyphs,
}

impl ChangeKind {
    /// The name in machine-readable reports.
    pub fn name(self) -> &'static str {
        match self {
            ChangeKind::GameAdded => "game-added",
            ChangeKind::GameRemoved => "game-removed",
            ChangeKind::GameMoved => "game-moved",
            ChangeKind::Tag => "tag",
            ChangeKind::Added => "added",
            ChangeKind::Removed => "removed",
            ChangeKind::Reordered => "reordered",
            ChangeKind::MovedHere => "moved-here",
            ChangeKind::MovedAway => "moved-away",
            ChangeKind::Comment => "comment",
            ChangeKind::Glyphs => "glyphs",
        }
    }
}

impl fmt::Display for ChangeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Serialize for ChangeKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// One change.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Change {
    /// The kind.
    pub kind: ChangeKind,
    /// The place: in the old file for removed games and moves and for moves that moved away, in the
    /// new file for all others.
    #[serde(flatten)]
    pub at: Address,
    /// How many moves were added, removed or moved.
    #[serde(skip_serializing_if = "is_zero")]
    pub moves: u64,
    /// The old title, tag, moves, comments or glyphs; the old place of a game that moved, and of
    /// moves that moved here.
    pub old: Vec<String>,
    /// The new ones; the new place of a game that moved, and of moves that moved away.
    pub new: Vec<String>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// All changes: games first, then their tags, then moves and annotations in the order of the new file; moves that are
/// gone last, in the order of the old file.
pub fn diff(old: &Positions, new: &Positions) -> Vec<Change> {
    let mut changes = Vec::new();
    let pairs = GamePairs::of(old.games(), new.games());
    games(old, new, &pairs, &mut changes);
    tags(old, new, &pairs, &mut changes);
    let forth = Pairing::of(old, new);
    let back = Pairing::of(new, old);
    let mut seen = HashSet::new();
    let mut in_other_order = HashSet::new();
    for vertex in new.graph().vertices() {
        changes.extend(one_sided(new, vertex, &back, ChangeKind::Added, &mut seen));
        if let Some(before) = back.pair(vertex) {
            if let Some(change) = reordered(old, new, before, vertex) {
                in_other_order.insert(vertex);
                changes.push(change);
            }
            remarks(old, new, before, vertex, &mut changes);
        }
    }
    for (before, now) in pairs.iter() {
        reordered_in_game(old, new, [before, now], &in_other_order, &mut changes);
    }
    let here = Moved {
        kind: ChangeKind::MovedHere,
        these: new,
        others: old,
        pairing: &back,
        games: &pairs.back,
    };
    here.find(&mut changes);
    seen.clear();
    for vertex in old.graph().vertices() {
        changes.extend(one_sided(
            old,
            vertex,
            &forth,
            ChangeKind::Removed,
            &mut seen,
        ));
    }
    let away = Moved {
        kind: ChangeKind::MovedAway,
        these: old,
        others: new,
        pairing: &forth,
        games: &pairs.forth,
    };
    away.find(&mut changes);
    changes
}

/// Games without counterpart, and games whose counterpart is at another place among the others.
fn games(old: &Positions, new: &Positions, pairs: &GamePairs, changes: &mut Vec<Change>) {
    let change = |kind, positions: &Positions, game| {
        let spot = root(game);
        Change {
            kind,
            at: positions.address(spot),
            moves: positions.moves_below(spot),
            old: Vec::new(),
            new: Vec::new(),
        }
    };
    for (game, pair) in pairs.forth.iter().enumerate() {
        if pair.is_none() {
            changes.push(Change {
                old: title_of(&old.games()[game]),
                ..change(ChangeKind::GameRemoved, old, game)
            });
        }
    }
    for (game, pair) in pairs.back.iter().enumerate() {
        if pair.is_none() {
            changes.push(Change {
                new: title_of(&new.games()[game]),
                ..change(ChangeKind::GameAdded, new, game)
            });
        }
    }
    let place = |positions: &Positions, game| {
        let number = positions.game_number(root(game));
        vec![format!("game {number}")]
    };
    for (before, now) in pairs.moved() {
        changes.push(Change {
            old: place(old, before),
            new: place(new, now),
            ..change(ChangeKind::GameMoved, new, now)
        });
    }
}

fn root(game: usize) -> Spot {
    let node = NodeId::ROOT;
    Spot { game, node }
}

fn title_of(game: &Game) -> Vec<String> {
    let tags = game.tags();
    let tags: Vec<_> = tags.map(|(a, b)| (a.to_owned(), b.to_owned())).collect();
    let title = title(&tags);
    (!title.is_empty()).then_some(title).into_iter().collect()
}

/// The search for moves of one file that the other has only at other places.
struct Moved<'a> {
    kind: ChangeKind,
    these: &'a Positions,
    others: &'a Positions,
    pairing: &'a Pairing,
    /// By game of these, its counterpart among the others.
    games: &'a [Option<usize>],
}

impl Moved<'_> {
    /// Moves after a path that the counterpart of the game has too, but not with this move, which
    /// the other file has elsewhere: the first move of each such continuation.
    fn find(&self, changes: &mut Vec<Change>) {
        let paths = Trie::of(self.others);
        let mut seen = HashSet::new();
        for (game, it) in self.these.games().iter().enumerate() {
            let Some(counterpart) = self.games[game] else {
                continue;
            };
            let tree = it.tree();
            let known = paths.numbers(it, counterpart);
            for node in tree.preorder() {
                let (Some(parent), Some(&mv)) = (tree.parent(node), tree.move_to(node)) else {
                    continue;
                };
                let [spot, above] = [node, parent].map(|node| Spot { game, node });
                if let (Some(line), None) = (known[parent.index()], known[node.index()])
                    && let Some(other) = self.elsewhere(above, mv)
                    && seen.insert((line, mv))
                {
                    changes.push(self.change(spot, other));
                }
            }
        }
    }

    /// Where the other file has a move from the position of a spot.
    fn elsewhere(&self, above: Spot, mv: Move) -> Option<Spot> {
        let pair = self.pairing.pair(self.these.vertex(above)?)?;
        let edge = self.others.graph().edge_by(pair, &mv)?;
        self.others.occurrences(edge).next()
    }

    fn change(&self, spot: Spot, other: Spot) -> Change {
        let (line, place) = (line(self.these, spot), self.others.address(other));
        let place = match (self.these.games().len(), self.others.games().len()) {
            (1, 1) => place.path.to_string(),
            _ => format!("game {}: {}", place.game, place.path),
        };
        let (old, new) = match self.kind {
            ChangeKind::MovedHere => (place, line),
            _ => (line, place),
        };
        Change {
            kind: self.kind,
            at: self.these.address(spot),
            moves: self.these.moves_below(spot) + 1,
            old: vec![old],
            new: vec![new],
        }
    }
}

/// All paths of some games, each with a number of its own.
#[derive(Default)]
struct Trie {
    /// By game, the key of its start position and the number of the path without moves.
    starts: Vec<(u128, u32)>,
    steps: FxHashMap<(u32, Move), u32>,
}

impl Trie {
    fn of(positions: &Positions) -> Trie {
        let mut trie = Trie::default();
        for game in positions.games() {
            let tree = game.tree();
            let mut numbers = vec![0; tree.capacity_used()];
            for node in tree.preorder() {
                let mut new = (trie.starts.len() + trie.steps.len()) as u32;
                let number = match (tree.parent(node), tree.move_to(node)) {
                    (Some(parent), Some(&mv)) => {
                        let step = (numbers[parent.index()], mv);
                        trie.steps.entry(step).or_insert(new)
                    }
                    _ => {
                        trie.starts.push((start_key(game), new));
                        &mut new
                    }
                };
                numbers[node.index()] = *number;
            }
        }
        trie
    }

    /// By node of a game, the number of its path if its counterpart has it.
    fn numbers(&self, game: &Game, counterpart: usize) -> Vec<Option<u32>> {
        let tree = game.tree();
        let (start, number) = self.starts[counterpart];
        let mut numbers = vec![None; tree.capacity_used()];
        for node in tree.preorder() {
            numbers[node.index()] = match (tree.parent(node), tree.move_to(node)) {
                (Some(parent), Some(&mv)) => {
                    numbers[parent.index()].and_then(|line| self.steps.get(&(line, mv)).copied())
                }
                _ => (start == start_key(game)).then_some(number),
            };
        }
        numbers
    }
}

fn start_key(game: &Game) -> u128 {
    game.start().key(Identity::Strict)
}

/// The vertex of the other graph for each vertex, and the moves in both graphs.
struct Pairing {
    pairs: Vec<Option<Vertex>>,
    /// By edge, whether it is in the other graph.
    shared: Vec<bool>,
}

impl Pairing {
    /// Vertices are paired by position. If each sequence of moves is a vertex, only starts are, and
    /// the others by the moves from there.
    fn of(these: &Positions, others: &Positions) -> Pairing {
        let (graph, other) = (these.graph(), others.graph());
        let mut pairing = Pairing {
            pairs: vec![None; graph.vertex_count()],
            shared: vec![false; graph.edge_count()],
        };
        for vertex in graph.vertices() {
            let mut same = other.find_all(graph.key(vertex));
            pairing.pairs[vertex.index()] = if these.is_by_position() {
                same.next()
            } else if graph.is_start(vertex) {
                same.find(|&pair| other.is_start(pair))
            } else {
                None
            };
        }
        // In order of discovery: a vertex comes after its first predecessor.
        for vertex in graph.vertices() {
            let Some(pair) = pairing.pair(vertex) else {
                continue;
            };
            for edge in graph.edges(vertex) {
                if let Some(same) = other.edge_by(pair, graph.move_of(edge)) {
                    pairing.shared[edge.index()] = true;
                    let target = &mut pairing.pairs[graph.target(edge).index()];
                    *target = target.or(Some(other.target(same)));
                }
            }
        }
        pairing
    }

    fn pair(&self, vertex: Vertex) -> Option<Vertex> {
        self.pairs[vertex.index()]
    }

    fn shares(&self, edge: EdgeId) -> bool {
        self.shared[edge.index()]
    }
}

/// Moves from a shared position that the other file lacks, each with its continuation.
fn one_sided(
    these: &Positions,
    vertex: Vertex,
    pairing: &Pairing,
    kind: ChangeKind,
    seen: &mut HashSet<EdgeId>,
) -> Vec<Change> {
    let mut changes = Vec::new();
    if pairing.pair(vertex).is_none() && !these.graph().is_start(vertex) {
        return changes;
    }
    for edge in these
        .graph()
        .edges(vertex)
        .filter(|&edge| !pairing.shares(edge))
    {
        let Some(spot) = these.occurrences(edge).next() else {
            continue;
        };
        let line = line(these, spot);
        let (old, new) = match kind {
            ChangeKind::Removed => (vec![line], Vec::new()),
            _ => (Vec::new(), vec![line]),
        };
        changes.push(Change {
            kind,
            at: these.address(spot),
            moves: moves_below(these, edge, pairing, seen),
            old,
            new,
        });
    }
    changes
}

/// How many moves only this file has, from this move on; each is counted once.
fn moves_below(
    these: &Positions,
    edge: EdgeId,
    pairing: &Pairing,
    seen: &mut HashSet<EdgeId>,
) -> u64 {
    let graph = these.graph();
    let before = seen.len();
    seen.insert(edge);
    let mut open = vec![edge];
    while let Some(edge) = open.pop() {
        let to = graph.target(edge);
        if pairing.pair(to).is_none() {
            open.extend(graph.edges(to).filter(|&next| seen.insert(next)));
        }
    }
    (seen.len() - before) as u64
}

/// The move to a spot and the first moves of the mainline from there.
fn line(these: &Positions, spot: Spot) -> String {
    const SHOWN: usize = 8;
    let game = these.game(spot);
    let mut words = Vec::new();
    let Some(parent) = game.tree().parent(spot.node) else {
        return String::new();
    };
    let mut board = game.board_at(parent);
    let mut nodes = game.tree().local_mainline(spot.node);
    for (index, node) in nodes.by_ref().take(SHOWN).enumerate() {
        let Some(&mv) = game.tree().move_to(node) else {
            break;
        };
        let numbered = index == 0 || board.turn() == chess::Color::White;
        let number = if numbered {
            number(&board)
        } else {
            String::new()
        };
        words.push(format!("{number}{}", board.san(mv)));
        board.play(mv);
    }
    if nodes.next().is_some() {
        words.push("…".to_owned());
    }
    words.join(" ")
}

/// The moves from a position in both files, if their order differs.
fn reordered(old: &Positions, new: &Positions, before: Vertex, now: Vertex) -> Option<Change> {
    let all = |positions: &Positions, vertex| -> Vec<Move> {
        positions.moves(vertex).map(|(_, mv)| mv).collect()
    };
    let (was, is) = common(all(old, before), all(new, now))?;
    Some(reordered_at(new, new.spots(now).next()?, was, is))
}

/// Moves in another order at the same place of a game and its counterpart, except from positions
/// where the order of all games together differs.
fn reordered_in_game(
    old: &Positions,
    new: &Positions,
    [before, now]: [usize; 2],
    known: &HashSet<Vertex>,
    changes: &mut Vec<Change>,
) {
    let [was, is] = [old.games()[before].tree(), new.games()[now].tree()];
    if start_key(&old.games()[before]) != start_key(&new.games()[now]) {
        return;
    }
    let mut open = vec![(NodeId::ROOT, NodeId::ROOT)];
    while let Some((old_node, node)) = open.pop() {
        let moves = |tree: &Tree<Move>, node| -> Vec<Move> {
            let children = tree.children(node);
            children
                .filter_map(|it| tree.move_to(it))
                .copied()
                .collect()
        };
        let spot = Spot { game: now, node };
        let is_known = new.vertex(spot).is_some_and(|it| known.contains(&it));
        if !is_known && let Some((was, is)) = common(moves(was, old_node), moves(is, node)) {
            changes.push(reordered_at(new, spot, was, is));
        }
        let first = open.len();
        for child in is.children(node) {
            let same = was.child_by(old_node, |mv| Some(mv) == is.move_to(child));
            open.extend(same.map(|same| (same, child)));
        }
        open[first..].reverse();
    }
}

/// The moves that are in both lists, if their order differs.
fn common(was: Vec<Move>, is: Vec<Move>) -> Option<(Vec<Move>, Vec<Move>)> {
    let among = |these: &[Move], others: &[Move]| -> Vec<Move> {
        let common = these.iter().filter(|mv| others.contains(mv));
        common.copied().collect()
    };
    let (was, is) = (among(&was, &is), among(&is, &was));
    (was != is).then_some((was, is))
}

fn reordered_at(new: &Positions, spot: Spot, was: Vec<Move>, is: Vec<Move>) -> Change {
    let board = new.board(spot);
    let san = |moves: Vec<Move>| moves.iter().map(|&mv| board.san(mv).to_string()).collect();
    Change {
        kind: ChangeKind::Reordered,
        at: new.address(spot),
        moves: 0,
        old: san(was),
        new: san(is),
    }
}

/// Changed annotations of the moves in both files, and of the start.
fn remarks(
    old: &Positions,
    new: &Positions,
    before: Vertex,
    now: Vertex,
    changes: &mut Vec<Change>,
) {
    if new.graph().is_start(now) {
        let roots = |positions: &Positions, vertex| -> Vec<Spot> {
            let spots = positions.spots(vertex);
            spots.filter(|spot| spot.node == NodeId::ROOT).collect()
        };
        compare(old, new, &roots(old, before), &roots(new, now), changes);
    }
    for (edge, mv) in new.moves(now) {
        if let Some(same) = old.graph().edge_by(before, &mv) {
            let was: Vec<Spot> = old.occurrences(same).collect();
            let is: Vec<Spot> = new.occurrences(edge).collect();
            compare(old, new, &was, &is, changes);
        }
    }
}

fn compare(old: &Positions, new: &Positions, was: &[Spot], is: &[Spot], changes: &mut Vec<Change>) {
    let Some(&spot) = is.first() else { return };
    for (kind, text_of) in [
        (
            ChangeKind::Comment,
            comments as fn(&Positions, &[Spot]) -> Vec<String>,
        ),
        (ChangeKind::Glyphs, glyphs),
    ] {
        let (before, now) = (text_of(old, was), text_of(new, is));
        let (gone, come) = (lacking(&before, &now), lacking(&now, &before));
        if !gone.is_empty() || !come.is_empty() {
            changes.push(Change {
                kind,
                at: new.address(spot),
                moves: 0,
                old: gone,
                new: come,
            });
        }
    }
}

/// Comments and unread text in all places, without duplicates and references.
fn comments(positions: &Positions, spots: &[Spot]) -> Vec<String> {
    let mut texts = Vec::new();
    for &spot in spots {
        let game = positions.game(spot);
        for note in game.notes_at(spot.node) {
            let text = game.text(note.text);
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let is_link = matches!(note.kind, NoteKind::Comment(_)) && Link::read(text).is_some();
            if !is_link && !words.is_empty() && !texts.contains(&words) {
                texts.push(words);
            }
        }
    }
    texts
}

fn glyphs(positions: &Positions, spots: &[Spot]) -> Vec<String> {
    let nags = spots
        .iter()
        .flat_map(|&spot| positions.game(spot).nags_at(spot.node));
    let nags: BTreeSet<u32> = nags.collect();
    let sign = |nag: u32| nag::glyph(nag).map_or_else(|| format!("${nag}"), str::to_owned);
    nags.into_iter().map(sign).collect()
}

/// Changed tags of games that have a counterpart.
fn tags(old: &Positions, new: &Positions, pairs: &GamePairs, changes: &mut Vec<Change>) {
    for (before, now) in pairs.iter() {
        let (was, is) = (
            tag_lines(&old.games()[before]),
            tag_lines(&new.games()[now]),
        );
        let (gone, come) = (lacking(&was, &is), lacking(&is, &was));
        if !gone.is_empty() || !come.is_empty() {
            changes.push(Change {
                kind: ChangeKind::Tag,
                at: new.address(root(now)),
                moves: 0,
                old: gone,
                new: come,
            });
        }
    }
}

/// The texts of the first list that the second lacks.
fn lacking(these: &[String], others: &[String]) -> Vec<String> {
    let lacking = these.iter().filter(|text| !others.contains(text));
    lacking.cloned().collect()
}

fn tag_lines(game: &Game) -> Vec<String> {
    let tags = export_tags(game, true).into_iter();
    tags.map(|(name, value)| format!("{name} {value}"))
        .collect()
}

#[cfg(test)]
mod tests;
