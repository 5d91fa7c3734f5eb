//! Games compared with a book: where each game left it and which side did, by position.
//!
//! A game leaves the book after its last position in the book: a detour that transposes back does
//! not count.

use std::collections::BTreeMap;

use chess::pgn::Game;
use chess::{Color, KeyedBoard, Move};
use serde::{Serialize, Serializer};
use tree::graph::Vertex;

use crate::games::{Games, Run};
use crate::openings::{Opening, by_tags};
use crate::place::number;
use crate::positions::{Address, Identity, MovePath, Positions, move_path};
use kit::Workers;

/// The result of comparing a game with the book.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// My side left the book, which had a move.
    Deviation,
    /// The other side played a move that the book does not answer.
    Gap,
    /// The line of the book ends.
    BookEnded,
    /// The game ended within the book.
    Completed,
    /// The game starts from a position that is not in the book.
    Elsewhere,
}

impl Verdict {
    /// All verdicts, the worst first.
    pub const ALL: [Verdict; 5] = [
        Verdict::Deviation,
        Verdict::Gap,
        Verdict::BookEnded,
        Verdict::Completed,
        Verdict::Elsewhere,
    ];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Deviation => "deviation",
            Verdict::Gap => "gap",
            Verdict::BookEnded => "book ended",
            Verdict::Completed => "completed",
            Verdict::Elsewhere => "elsewhere",
        }
    }
}

/// The report on one game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Report {
    /// The name of the game's file.
    pub file: String,
    /// The place where the game left the book: game number and moves so far.
    #[serde(flatten)]
    pub at: Address,
    /// The player of the white pieces.
    pub white: String,
    /// The player of the black pieces.
    pub black: String,
    /// The result of the game.
    pub result: &'static str,
    /// My side.
    #[serde(serialize_with = "colour")]
    pub side: Color,
    /// The verdict.
    pub verdict: Verdict,
    /// The move that left the book, with its number.
    pub played: Option<String>,
    /// The moves of the book there.
    pub book: Vec<String>,
    /// The place of the position in the book.
    pub book_at: Option<Address>,
    /// How often the game left the book and transposed back.
    pub detours: u64,
    /// The opening.
    pub opening: String,
}

fn colour<S: Serializer>(side: &Color, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(side.fold_wb("white", "black"))
}

/// The side that the book is for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Side {
    /// This colour, in all games.
    Colour(Color),
    /// The colour of the player whose name contains this text; other games are skipped.
    Player(String),
    /// The same, and games in which the player has the other colour are skipped too.
    PlayerAs(String, Color),
}

impl Side {
    fn of(&self, game: &Game) -> Option<Color> {
        let is = |name: &str, tag| {
            let player = game.tag(tag).unwrap_or_default().to_lowercase();
            player.contains(&name.to_lowercase())
        };
        match self {
            Side::Colour(colour) => Some(*colour),
            Side::Player(name) if is(name, "White") => Some(Color::White),
            Side::Player(name) if is(name, "Black") => Some(Color::Black),
            Side::Player(_) => None,
            Side::PlayerAs(name, colour) => {
                is(name, colour.fold_wb("White", "Black")).then_some(*colour)
            }
        }
    }

    /// The colour a book is probably for: the side with fewer choices. None if the counts do not
    /// decide.
    pub fn guess(book: &Positions) -> Option<Color> {
        let mut choices = [0u64; 2];
        for vertex in book.graph().vertices() {
            if let Some(spot) = book.spots(vertex).next()
                && book.graph().edges(vertex).nth(1).is_some()
            {
                let turn = book.game(spot).node(spot.node).turn();
                choices[turn.fold_wb(0, 1)] += 1;
            }
        }
        match choices[0].cmp(&choices[1]) {
            std::cmp::Ordering::Less => Some(Color::White),
            std::cmp::Ordering::Greater => Some(Color::Black),
            std::cmp::Ordering::Equal => None,
        }
    }
}

/// The totals of all reports.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// By opening.
    pub openings: BTreeMap<String, Line>,
    /// All openings together.
    pub total: Line,
    /// Games without the player, or with the player on the other side.
    pub left_out: u64,
}

/// Counts of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// By verdict, in the order of [`Verdict::ALL`].
    pub verdicts: [u64; 5],
    /// Half points of my side in games with a result.
    pub half_points: u64,
    /// Games with a result.
    pub decided: u64,
}

impl Line {
    /// The number of games.
    pub fn games(&self) -> u64 {
        self.verdicts.iter().sum()
    }

    /// Games with this verdict.
    pub fn of(&self, verdict: Verdict) -> u64 {
        self.verdicts[verdict as usize]
    }

    fn count(&mut self, report: &Report) {
        self.verdicts[report.verdict as usize] += 1;
        let points = match (report.result, report.side) {
            ("1/2-1/2", _) => 1,
            ("1-0", Color::White) | ("0-1", Color::Black) => 2,
            ("1-0" | "0-1", _) => 0,
            _ => return,
        };
        self.decided += 1;
        self.half_points += points;
    }
}

/// Compares games with the book and passes on a report of each, in order.
pub fn against<E>(
    book: &Positions,
    games: &Games,
    side: &Side,
    same: Identity,
    workers: &Workers,
    mut each: impl FnMut(&Report) -> Result<(), E>,
) -> Result<Run<Tally>, E> {
    let mut tally = Tally::default();
    let run = games.run(
        workers,
        |batch| {
            let mut reports = Vec::new();
            batch.read(|game, _| reports.push(report(book, game, &batch.name, side, same)));
            reports
        },
        |reports| {
            for report in reports {
                match report {
                    Some(report) => {
                        tally.count(&report);
                        each(&report)?;
                    }
                    None => tally.left_out += 1,
                }
            }
            Ok(())
        },
    )?;
    Ok(run.with(tally))
}

impl Tally {
    /// Adds a report.
    pub fn count(&mut self, report: &Report) {
        self.total.count(report);
        self.openings
            .entry(report.opening.clone())
            .or_default()
            .count(report);
    }
}

/// Compares one game with the book; none if the player is not in it, or not on the given side.
pub fn report(
    book: &Positions,
    game: &Game,
    file: &str,
    side: &Side,
    same: Identity,
) -> Option<Report> {
    let side = side.of(game)?;
    let walk = BookWalk::of(book, game, same);
    let left = walk.left();
    let tag = |name| game.tag(name).unwrap_or("?").to_owned();
    let mut report = Report {
        file: file.to_owned(),
        at: Address {
            game: game.place().number.max(1),
            path: MovePath::default(),
        },
        white: tag("White"),
        black: tag("Black"),
        result: game.outcome().as_str(),
        side,
        verdict: Verdict::Elsewhere,
        played: None,
        book: Vec::new(),
        book_at: None,
        detours: walk.detours(),
        opening: opening(game),
    };
    let Some((ply, vertex)) = left else {
        return Some(report);
    };
    let node = game.tree().mainline().nth(ply)?;
    report.at.path = move_path(game, node);
    let board = game.board_at(node);
    report.book = book
        .moves(vertex)
        .map(|(_, mv)| board.san(mv).to_string())
        .collect();
    report.book_at = book.spots(vertex).next().map(|spot| book.address(spot));
    let played = walk.moves.get(ply);
    report.played = played.map(|&mv| format!("{}{}", number(&board), board.san(mv)));
    report.verdict = match (played, report.book.is_empty(), board.turn() == side) {
        (None, _, _) => Verdict::Completed,
        (_, true, _) => Verdict::BookEnded,
        (_, _, true) => Verdict::Deviation,
        (_, _, false) => Verdict::Gap,
    };
    Some(report)
}

/// A game's mainline and the places of its positions in the book.
struct BookWalk {
    moves: Vec<Move>,
    known: Vec<Option<Vertex>>,
}

impl BookWalk {
    fn of(book: &Positions, game: &Game, same: Identity) -> BookWalk {
        let moves: Vec<Move> = game.mainline_moves().collect();
        let mut board = KeyedBoard::new(game.start().clone());
        let mut known = vec![book.graph().find(board.key(same))];
        for &mv in &moves {
            board.play(mv);
            known.push(book.graph().find(board.key(same)));
        }
        BookWalk { moves, known }
    }

    /// The last position that is in the book.
    fn left(&self) -> Option<(usize, Vertex)> {
        let last = self.known.iter().rposition(Option::is_some)?;
        Some((last, self.known[last]?))
    }

    /// How often the game left the book and transposed back.
    fn detours(&self) -> u64 {
        let pairs = self.known.windows(2);
        let back = pairs.filter(|pair| pair[0].is_none() && pair[1].is_some());
        back.count() as u64
    }
}

/// The opening by the game's tags, else by its positions, else its first moves.
fn opening(game: &Game) -> String {
    const FIRST: usize = 4;
    let first_moves = || {
        let node = game.tree().mainline().take(FIRST + 1).last()?;
        Some(move_path(game, node).to_string())
    };
    let by_position = || Opening::of_game(game).map(|(opening, _)| opening.to_string());
    by_tags(|name| game.tag(name))
        .or_else(by_position)
        .or_else(first_moves)
        .unwrap_or_default()
}

/// The share of points scored by my side in games with a result.
pub fn score(line: &Line) -> Option<f64> {
    (line.decided > 0).then(|| line.half_points as f64 / (2 * line.decided) as f64)
}

#[cfg(test)]
mod tests;
