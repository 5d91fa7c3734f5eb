//! Polyglot opening books: a book as a game, and games as a book.
//!
//! In a game the weight of a move is the command `[%weight 12]` in its comment.

use std::collections::VecDeque;
use std::io::{self, Write};

use chess::annotation::commands;
use chess::link::Link;
use chess::pgn::{ExportOptions, Game, Note, NoteKind, NotePlace, Outcome, Style, export_bytes};
use chess::polyglot::{Entry, key, raw_move};
use chess::{Board, Color, Move, Variant};
use rustc_hash::{FxHashMap, FxHashSet};
use tree::{NodeId, Tree};

use crate::positions::move_path;

/// The entries of a book, sorted by key.
struct Entries(Vec<Entry>);

impl Entries {
    /// Reads a book, or returns the reason why it is none.
    fn read(bytes: &[u8]) -> Result<Entries, &'static str> {
        let (entries, rest) = bytes.as_chunks::<{ Entry::SIZE }>();
        if !rest.is_empty() {
            return Err("not a Polyglot book: the size is not a multiple of 16 bytes");
        }
        if !is_sorted(entries) {
            return Err("not a Polyglot book: the entries are not sorted by key");
        }
        let mut entries: Vec<Entry> = entries.iter().copied().map(Entry::from_bytes).collect();
        entries.sort_by_key(|entry| (entry.key, std::cmp::Reverse(entry.weight)));
        Ok(Entries(entries))
    }

    /// The entries of a position, best first.
    fn at(&self, key: u64) -> &[Entry] {
        let start = self.0.partition_point(|entry| entry.key < key);
        let len = self.0[start..].partition_point(|entry| entry.key == key);
        &self.0[start..start + len]
    }
}

/// True if complete entries are sorted by key, as in every book.
pub(crate) fn is_sorted(entries: &[[u8; Entry::SIZE]]) -> bool {
    entries.is_sorted_by(|a, b| a[..8] <= b[..8])
}

/// A book as a game in PGN: all lines from the starting position, the best move first. Fails with the
/// reason if the bytes are no book.
///
/// Each position is continued once, at the place with the fewest moves. At the other places a
/// comment names that place.
pub fn to_pgn(bytes: &[u8], name: &str) -> Result<Vec<u8>, &'static str> {
    let book = Entries::read(bytes)?;
    let mut unrolled = Unrolled::new(&book);
    while let Some((node, board)) = unrolled.queue.pop_front() {
        unrolled.expand(node, &board);
    }
    let mut game = unrolled.finish();
    game.set_tag("Event", name);
    let mut text = Vec::new();
    export_bytes(&game, &ExportOptions::default(), &mut text);
    Ok(text)
}

/// A book that is being unrolled, by number of moves.
struct Unrolled<'a> {
    book: &'a Entries,
    game: Game,
    queue: VecDeque<(NodeId, Board)>,
    /// The place where each position is continued.
    homes: FxHashMap<u64, NodeId>,
    /// The weights of moves.
    weights: Vec<(NodeId, Entry)>,
    /// Nodes whose position is continued elsewhere.
    links: Vec<(NodeId, NodeId)>,
}

impl<'a> Unrolled<'a> {
    fn new(book: &'a Entries) -> Unrolled<'a> {
        let board = Board::new();
        Unrolled {
            book,
            game: Game::new(),
            homes: FxHashMap::from_iter([(key(&board), NodeId::ROOT)]),
            queue: VecDeque::from([(NodeId::ROOT, board)]),
            weights: Vec::new(),
            links: Vec::new(),
        }
    }

    /// Adds the moves of a position. A move that is listed twice is added once.
    fn expand(&mut self, node: NodeId, board: &Board) {
        let mut seen: Vec<Move> = Vec::new();
        for entry in self.book.at(key(board)) {
            let Some(mv) = entry.mv(board).filter(|mv| !seen.contains(mv)) else {
                continue;
            };
            seen.push(mv);
            let child = self.game.add_variation(node, mv);
            self.weights.push((child, *entry));
            let mut next = board.clone();
            next.play(mv);
            self.reach(child, next);
        }
    }

    fn reach(&mut self, node: NodeId, board: Board) {
        let key = key(&board);
        if self.book.at(key).is_empty() {
            return;
        }
        match self.homes.get(&key) {
            Some(&home) => self.links.push((node, home)),
            None => {
                self.homes.insert(key, node);
                self.queue.push_back((node, board));
            }
        }
    }

    /// Writes the comments.
    fn finish(mut self) -> Game {
        let mut texts: Vec<(NodeId, String)> = Vec::new();
        let unused = self.book.0.len() - self.weights.len();
        if unused > 0 {
            let text = format!(
                "{unused} of {} entries cannot be played from the starting position",
                self.book.0.len()
            );
            texts.push((NodeId::ROOT, text));
        }
        let weights = std::mem::take(&mut self.weights);
        texts.extend(weights.into_iter().map(|(node, entry)| (node, note(entry))));
        let links = self.links.iter().map(|&(node, home)| {
            let link = Link::to(move_path(&self.game, home).0);
            (node, link.to_string())
        });
        texts.extend(links);
        texts.sort_by_key(|(node, _)| *node);
        let notes: Vec<(NodeId, Note)> = texts
            .into_iter()
            .map(|(node, text)| (node, self.comment(&text)))
            .collect();
        self.game.add_notes(notes);
        self.game
    }

    fn comment(&mut self, text: &str) -> Note {
        Note {
            kind: NoteKind::Comment(Style::Brace),
            place: NotePlace::After,
            text: self.game.add_text(text),
        }
    }
}

fn note(entry: Entry) -> String {
    match entry.learn {
        0 => format!("[%{WEIGHT} {}]", entry.weight),
        learn => format!("[%{WEIGHT} {}][%{LEARN} {learn}]", entry.weight),
    }
}

/// The command with the weight of a move.
pub(crate) const WEIGHT: &str = "weight";

/// The command with the number that a program may learn.
const LEARN: &str = "learn";

/// True for a game that was a book: its first move has a weight.
pub(crate) fn is_book(game: &Game) -> bool {
    let first = game.tree().next(NodeId::ROOT);
    first.is_some_and(|first| number_at(game, first, WEIGHT).is_some())
}

/// The number of a command in the comments on a move, such as its weight.
pub(crate) fn number_at(game: &Game, node: NodeId, name: &str) -> Option<u32> {
    let mut texts = game.comments_at(node).map(|(_, text)| text);
    texts.find_map(|text| {
        let mut found = commands(text).filter(|command| command.name == name);
        found.find_map(|command| command.value.trim().parse().ok())
    })
}

/// Which moves get into a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BookOptions {
    /// Only this many half-moves of each game.
    pub plies: Option<u32>,
    /// Only moves of at least this many games.
    pub min_games: u32,
}

/// The moves of a book that is being made.
///
/// A game counts once for each move at a position. A move of the mainline gets two points if the
/// player won and one for a draw, or one if the game has no result; a move of a variation gets one.
/// A weight in the comment on a move replaces these points.
#[derive(Debug, Default)]
pub(crate) struct BookTally {
    moves: FxHashMap<(u64, u16), Count>,
    /// Games of variants that have no keys.
    pub(crate) left_out: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Count {
    points: u64,
    games: u32,
    learn: u32,
}

impl BookTally {
    /// Counts a game.
    pub(crate) fn add(&mut self, game: &Game, plies: Option<u32>, has_variations: bool) {
        if game.start().variant() != Variant::Standard {
            self.left_out += 1;
            return;
        }
        let mut seen = FxHashSet::default();
        let mut cursor = game.cursor();
        let mut is_mainline = true;
        loop {
            let (node, tree) = (cursor.id(), game.tree());
            if let (Some(board), Some(&mv)) = (cursor.board_before(), tree.move_to(node)) {
                is_mainline &= is_first(tree, node);
                let ply = board.ply().saturating_sub(game.start().ply());
                let is_near = plies.is_none_or(|most| ply < most);
                let place = raw_move(mv)
                    .filter(|_| is_near)
                    .map(|raw| (key(board), raw));
                if let Some(place) = place.filter(|&place| seen.insert(place)) {
                    let points = points(game, board.turn(), is_mainline);
                    self.count(game, node, place, points);
                }
            }
            let went_on = if has_variations {
                cursor.walk()
            } else {
                cursor.step()
            };
            if !went_on {
                return;
            }
        }
    }

    fn count(&mut self, game: &Game, node: NodeId, place: (u64, u16), points: u64) {
        let count = self.moves.entry(place).or_default();
        count.points += number_at(game, node, WEIGHT).map_or(points, u64::from);
        count.games = count.games.saturating_add(1);
        if let Some(learn) = number_at(game, node, LEARN) {
            count.learn = learn;
        }
    }

    /// Adds the counts of other games.
    pub(crate) fn join(&mut self, other: BookTally) {
        self.left_out += other.left_out;
        for (place, count) in other.moves {
            let total = self.moves.entry(place).or_default();
            total.points += count.points;
            total.games = total.games.saturating_add(count.games);
            total.learn = total.learn.max(count.learn);
        }
    }

    /// The bytes of the counts.
    pub(crate) fn bytes(&self) -> u64 {
        let row = size_of::<((u64, u16), Count)>() + 1;
        (self.moves.capacity() * row) as u64
    }

    /// Writes the book. Returns its number of moves.
    pub(crate) fn write(self, min_games: u32, out: &mut impl Write) -> io::Result<u64> {
        let mut rows: Vec<_> = self.moves.into_iter().collect();
        rows.retain(|(_, count)| count.games >= min_games);
        rows.sort_unstable_by_key(|&((key, raw), count)| {
            (key, std::cmp::Reverse(count.points), raw)
        });
        for position in rows.chunk_by(|((a, _), _), ((b, _), _)| a == b) {
            // The first row has the most points.
            let most = position[0].1.points;
            for &((key, raw_move), count) in position {
                let entry = Entry {
                    key,
                    raw_move,
                    weight: scaled(count.points, most),
                    learn: count.learn,
                };
                out.write_all(&entry.to_bytes())?;
            }
        }
        Ok(rows.len() as u64)
    }
}

fn is_first(tree: &Tree<Move>, node: NodeId) -> bool {
    let parent = tree.parent(node);
    parent.is_some_and(|parent| tree.next(parent) == Some(node))
}

fn points(game: &Game, player: Color, is_mainline: bool) -> u64 {
    match (game.outcome(), player) {
        _ if !is_mainline => 1,
        (Outcome::Draw | Outcome::Unknown, _) => 1,
        (Outcome::White, Color::White) | (Outcome::Black, Color::Black) => 2,
        (Outcome::White | Outcome::Black, _) => 0,
    }
}

/// Points as a weight of 16 bits, in proportion to the most points at the position. What is not 0
/// stays above it.
fn scaled(points: u64, most: u64) -> u16 {
    const MOST: u64 = u16::MAX as u64;
    let weight = match most {
        0..=MOST => points,
        _ => (u128::from(points) * u128::from(MOST) / u128::from(most)) as u64,
    };
    let weight = weight.max(u64::from(points > 0)).min(MOST);
    weight as u16
}

#[cfg(test)]
mod tests;
