//! The rows of games: what each table holds about a game.

use chess::annotation::{self, Score};
use chess::pgn::{Game, NotePlace};
use chess::{Board, Color, Identity, KeyedBoard, Move};
use kit::table::{Cell, Rows};
use rustc_hash::FxHashSet;
use store::Facts;
use tree::NodeId;

use super::GameTable;
use super::openings::{Entry, date_text};

/// The rows of some consecutive games.
pub struct Part {
    pub games: Rows,
    pub moves: Rows,
    pub positions: Rows,
    pub entries: Vec<Entry>,
    pub count: u64,
    wanted: Wanted,
    seen: FxHashSet<u128>,
}

/// The tables that rows are made for.
#[derive(Clone, Copy)]
struct Wanted {
    games: bool,
    moves: bool,
    positions: bool,
    openings: bool,
}

/// What the rows of a game have in common.
struct About<'a> {
    number: i64,
    result: Cell<'a>,
    white_elo: Cell<'a>,
    black_elo: Cell<'a>,
    facts: Facts,
    date: Cell<'a>,
}

impl Part {
    pub fn new(tables: &[GameTable]) -> Part {
        let rows = |table: GameTable| Rows::new(table.fields());
        let has = |table: GameTable| tables.contains(&table);
        Part {
            games: rows(GameTable::Games),
            moves: rows(GameTable::Moves),
            positions: rows(GameTable::Positions),
            entries: Vec::new(),
            count: 0,
            wanted: Wanted {
                games: has(GameTable::Games),
                moves: has(GameTable::Moves),
                positions: has(GameTable::Positions),
                openings: has(GameTable::Openings),
            },
            seen: FxHashSet::default(),
        }
    }

    /// Adds a game: its number over all inputs, and its number in its source.
    pub fn add(&mut self, game: &Game, source: &str, number: u64, number_in_source: u64) {
        self.count += 1;
        let line: Vec<(NodeId, Move)> = game
            .tree()
            .mainline()
            .filter_map(|node| Some((node, *game.tree().move_to(node)?)))
            .collect();
        let facts = Facts::of(game, line.len(), false);
        let date = date_text(facts);
        let rating = |elo: u32| Cell::int((elo > 0).then_some(elo));
        let about = About {
            number: i64::try_from(number).unwrap_or(i64::MAX),
            result: Cell::Text(game.outcome().as_str()),
            white_elo: rating(facts.white_elo()),
            black_elo: rating(facts.black_elo()),
            facts,
            date: Cell::text(date.as_deref()),
        };
        if self.wanted.games {
            self.add_game(game, &about, source, number_in_source, &line);
        }
        if self.wanted.moves {
            self.add_moves(game, &about, &line);
        }
        if self.wanted.positions || self.wanted.openings {
            self.add_positions(game, &about, &line);
        }
    }

    /// Sorts what can be sorted on many threads.
    pub fn sort(&mut self) {
        self.entries.sort();
    }

    fn add_game(
        &mut self,
        game: &Game,
        about: &About,
        source: &str,
        number: u64,
        line: &[(NodeId, Move)],
    ) {
        let start = game.start();
        let variant = (start.variant() != chess::Variant::Standard).then(|| start.variant().tag());
        let fen = (*start != Board::default()).then(|| start.fen());
        let mut moves = String::with_capacity(5 * line.len());
        for (_, m) in line {
            if !moves.is_empty() {
                moves.push(' ');
            }
            moves.push_str(&start.uci(*m));
        }
        let tag = |name| Cell::text(game.tag(name));
        let tags = other_tags(game, about, variant, fen.as_deref());
        self.games.push([
            Cell::Int(about.number),
            Cell::Text(source),
            Cell::Int(i64::try_from(number).unwrap_or(i64::MAX)),
            tag("Event"),
            tag("Site"),
            tag("Date"),
            tag("Round"),
            tag("White"),
            tag("Black"),
            about.result,
            about.white_elo,
            about.black_elo,
            tag("ECO"),
            tag("Opening"),
            Cell::text(variant),
            Cell::text(fen.as_deref()),
            Cell::Int(line.len() as i64),
            Cell::Text(&moves),
            Cell::text(tags.as_deref()),
        ]);
    }

    fn add_moves(&mut self, game: &Game, about: &About, line: &[(NodeId, Move)]) {
        let mut board = game.start().clone();
        let has_notes = !game.notes().rows().is_empty();
        for (ply, (node, m)) in (1..).zip(line) {
            let san = board.san(*m);
            board.play(*m);
            let measured = match has_notes {
                true => Measurements::at(game, *node),
                false => Measurements::default(),
            };
            self.moves.push([
                Cell::Int(about.number),
                Cell::Int(ply),
                Cell::Text(&game.start().uci(*m)),
                Cell::Text(&san),
                measured.clock.map_or(Cell::Null, Cell::Float),
                measured.eval.map_or(Cell::Null, Cell::Float),
                Cell::int(measured.mate),
            ]);
        }
    }

    fn add_positions(&mut self, game: &Game, about: &About, line: &[(NodeId, Move)]) {
        let mut board = KeyedBoard::new(game.start().clone());
        self.seen.clear();
        let moves = line.iter().map(|(_, m)| Some(*m)).chain([None]);
        for (ply, m) in (0..).zip(moves) {
            let key = board.key(Identity::Strict);
            let repeated = !self.seen.insert(key);
            let uci = m.map(|m| game.start().uci(m));
            let turn = board.board().turn();
            if self.wanted.positions {
                self.positions.push([
                    Cell::Unsigned((key >> 64) as u64),
                    Cell::Unsigned(key as u64),
                    Cell::Int(about.number),
                    Cell::Int(ply),
                    Cell::text(uci.as_deref()),
                    Cell::Text(match turn {
                        Color::White => "w",
                        Color::Black => "b",
                    }),
                    Cell::Bool(repeated),
                    about.result,
                    about.white_elo,
                    about.black_elo,
                    about.date,
                ]);
            }
            if self.wanted.openings && !repeated {
                let entry = Entry::new(key, turn, uci.as_deref(), about.facts);
                self.entries.push(entry);
            }
            if let Some(m) = m {
                board.play(m);
            }
        }
    }
}

/// The tags that no column holds as they are, as a JSON object.
fn other_tags(
    game: &Game,
    about: &About,
    variant: Option<&str>,
    fen: Option<&str>,
) -> Option<String> {
    let number = |cell: Cell, value: &str| match cell {
        Cell::Int(number) => number.to_string() == value,
        _ => false,
    };
    let is_column = |name: &str, value: &str| match name {
        "Event" | "Site" | "Date" | "Round" | "White" | "Black" | "ECO" | "Opening" => true,
        "Result" => about.result == Cell::Text(value),
        "WhiteElo" => number(about.white_elo, value),
        "BlackElo" => number(about.black_elo, value),
        "Variant" => variant == Some(value),
        "FEN" => fen == Some(value),
        "SetUp" => fen.is_some() && value == "1",
        _ => false,
    };
    let mut others = serde_json::Map::new();
    for (name, value) in game.tags().filter(|(name, value)| !is_column(name, value)) {
        // Of tags with the same name the first counts, as everywhere.
        others
            .entry(name)
            .or_insert_with(|| serde_json::Value::from(value));
    }
    (!others.is_empty()).then(|| serde_json::Value::Object(others).to_string())
}

/// What comments say about a move.
#[derive(Clone, Copy, Default)]
struct Measurements {
    clock: Option<f32>,
    /// In pawns; none for a mate.
    eval: Option<f32>,
    /// Moves to mate, negative if Black mates.
    mate: Option<i32>,
}

impl Measurements {
    fn at(game: &Game, node: NodeId) -> Measurements {
        let mut found = Measurements::default();
        for note in game.notes_at(node) {
            if note.place == NotePlace::Before || !note.is_comment() {
                continue;
            }
            let comment = game.text(note.text);
            if found.clock.is_none() {
                found.clock = annotation::clock(comment).map(|time| time.as_secs_f32());
            }
            if found.eval.is_none()
                && let Some(eval) = annotation::eval(comment)
            {
                (found.eval, found.mate) = score(eval.score);
            }
        }
        found
    }
}

fn score(score: Score) -> (Option<f32>, Option<i32>) {
    let moves = |moves: u32| i32::from(i16::try_from(moves).unwrap_or(i16::MAX));
    match score {
        Score::Centipawns(centipawns) => (Some(centipawns as f32 / 100.0), None),
        Score::Mate(Color::White, count) => (None, Some(moves(count))),
        Score::Mate(Color::Black, count) => (None, Some(-moves(count))),
    }
}
