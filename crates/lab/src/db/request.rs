//! The requested contents of a database: all boards of a game up to a size, or all components of a
//! sum.

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;

use sums::Kind;

use crate::{Game, Player, sum_text};
use kit::Stop;

/// The requested contents of a database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Request {
    /// Every board of a game up to a size.
    Boards(Boards),
    /// Every component that can arise from a sum.
    From(Vec<Game>),
    /// These components only.
    Components(Vec<Game>),
}

/// Boards of one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Boards {
    kind: Kind,
    /// The prefix before the cells, as `1,1,1,0:`.
    prefix: String,
    /// The letters of cells; none for heaps.
    letters: String,
    rows: usize,
    cols: usize,
}

/// The reason why boards cannot be listed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadRequest {
    /// Not of the form `GAME=SIZE`.
    NoSize(String),
    /// Unknown game.
    NoGame(String),
    /// Invalid size.
    BadSize(String),
    /// The game has no boards of cells, or none of several rows.
    NoBoards(String),
    /// There are too many boards.
    TooMany(String),
}

impl fmt::Display for BadRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadRequest::NoSize(text) => write!(f, "missing size in '{text}'"),
            BadRequest::NoGame(name) => write!(f, "unknown game '{name}'"),
            BadRequest::BadSize(size) => write!(f, "invalid size '{size}': expected 8 or 3x4"),
            BadRequest::NoBoards(name) => {
                write!(f, "boards of {name} of this form cannot be listed")
            }
            BadRequest::TooMany(name) => write!(
                f,
                "there are more than {MOST_BOARDS} boards of {name} of this size"
            ),
        }
    }
}

impl std::error::Error for BadRequest {}

impl BadRequest {
    /// A correction for the user.
    pub fn fix(&self) -> &'static str {
        match self {
            BadRequest::NoSize(_) | BadRequest::BadSize(_) => {
                "write clobber_1xn=10, clobber=3x4, kayles=100 or gen_toads=1,1,1,0:8"
            }
            BadRequest::NoGame(_) => "gametree solve --games lists the games",
            BadRequest::NoBoards(_) | BadRequest::TooMany(_) => {
                "--from SUM takes all that comes of a sum"
            }
        }
    }
}

/// The greatest number of boards: more would take too long.
const MOST_BOARDS: u64 = 1 << 30;

/// The greatest number of cells, for any game.
const MOST_CELLS: usize = 64;

/// The letters of cells, where the game does not list them.
const USUAL_LETTERS: &str = ".XO#LRE";

impl Request {
    /// The syntax of boards: `clobber_1xn=10`, `clobber=3x4`, `kayles=100`, `gen_toads=1,1,1,0:8`.
    pub fn boards(text: &str) -> Result<Request, BadRequest> {
        let (name, size) = text
            .split_once('=')
            .ok_or_else(|| BadRequest::NoSize(text.to_owned()))?;
        let name = name.trim();
        let kind = Kind::named(name).ok_or_else(|| BadRequest::NoGame(name.to_owned()))?;
        let (prefix, size) = match size.rfind(':') {
            Some(colon) => size.split_at(colon + 1),
            None => ("", size),
        };
        let (rows, cols) = size.split_once(['x', 'X', '×']).unwrap_or(("1", size));
        let number = |text: &str| text.trim().parse::<usize>().ok().filter(|&n| n > 0);
        let (rows, cols) = number(rows)
            .zip(number(cols))
            .ok_or_else(|| BadRequest::BadSize(size.to_owned()))?;
        let letters = letters(kind, prefix);
        let prefix = prefix.trim().to_owned();
        let boards = Boards {
            kind,
            prefix,
            letters,
            rows,
            cols,
        };
        boards.check()?;
        Ok(Request::Boards(boards))
    }

    /// The number of positions to test.
    pub fn count(&self) -> u64 {
        match self {
            Request::Boards(boards) => boards.count(),
            Request::From(_) | Request::Components(_) => 1,
        }
    }

    /// The components of the positions with these numbers.
    pub(super) fn components(&self, numbers: Range<u64>, stop: &Stop) -> HashSet<Game> {
        match self {
            Request::Boards(boards) => numbers
                .filter_map(|number| boards.board(number))
                .flat_map(|board| board.components())
                .collect(),
            Request::From(sum) => followers(sum, stop),
            Request::Components(games) => games.iter().cloned().collect(),
        }
    }

    /// The components of the board with this number, in order; none for other requests.
    pub fn components_at(&self, number: u64) -> Vec<Game> {
        match self {
            Request::Boards(boards) => {
                let board = boards.board(number);
                board.map_or(Vec::new(), |board| board.components())
            }
            Request::From(_) | Request::Components(_) => Vec::new(),
        }
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Request::Boards(Boards {
                kind,
                prefix,
                rows,
                cols,
                ..
            }) => {
                write!(f, "{}={prefix}{rows}x{cols}", kind.name())
            }
            Request::From(sum) | Request::Components(sum) => write!(f, "{}", sum_text(sum)),
        }
    }
}

/// The letters of positions after this prefix.
fn letters(kind: Kind, prefix: &str) -> String {
    if let Some(letters) = kind.rules().letters().filter(|_| prefix.is_empty()) {
        return letters.to_owned();
    }
    let reads = |letter: &char| Game::read(kind, &format!("{prefix}{letter}")).is_ok();
    USUAL_LETTERS.chars().filter(reads).collect()
}

impl Boards {
    fn check(&self) -> Result<(), BadRequest> {
        let none = || BadRequest::NoBoards(self.kind.name());
        let rows_work = self.rows == 1
            || self.letters.chars().any(|letter| {
                let text = format!("{}{letter}|{letter}", self.prefix);
                Game::read(self.kind, &text).is_ok()
            });
        let heaps_work = Game::read(self.kind, &format!("{}17", self.prefix)).is_ok();
        if !rows_work || self.letters.is_empty() && !heaps_work {
            return Err(none());
        }
        if self.count() > MOST_BOARDS {
            Err(BadRequest::TooMany(self.kind.name()))
        } else {
            Ok(())
        }
    }

    /// Every number of rows with every number of columns.
    fn sizes(&self) -> impl Iterator<Item = (usize, usize)> {
        let (rows, cols) = (self.rows, self.cols);
        (1..=rows).flat_map(move |row| (1..=cols).map(move |col| (row, col)))
    }

    fn count(&self) -> u64 {
        if self.letters.is_empty() {
            return self.cols as u64 + 1;
        }
        if self.rows.saturating_mul(self.cols) > MOST_CELLS {
            return u64::MAX;
        }
        let of_size = |(rows, cols)| self.count_of(rows, cols);
        self.sizes().map(of_size).fold(0, u64::saturating_add)
    }

    fn count_of(&self, rows: usize, cols: usize) -> u64 {
        let cells = rows.saturating_mul(cols).try_into().unwrap_or(u32::MAX);
        (self.letters.len() as u64)
            .checked_pow(cells)
            .unwrap_or(u64::MAX)
    }

    /// The board of a number, if it is a valid position: its digits are the cells.
    fn board(&self, mut number: u64) -> Option<Game> {
        if self.letters.is_empty() {
            return Game::read(self.kind, &format!("{}{number}", self.prefix)).ok();
        }
        for (rows, cols) in self.sizes() {
            let count = self.count_of(rows, cols);
            if number < count {
                let text = format!("{}{}", self.prefix, self.cells(rows, cols, number));
                return Game::read(self.kind, &text).ok();
            }
            number -= count;
        }
        None
    }

    fn cells(&self, rows: usize, cols: usize, mut number: u64) -> String {
        let letters = self.letters.as_bytes();
        let mut text = String::with_capacity(rows * (cols + 1));
        for row in 0..rows {
            if row > 0 {
                text.push('|');
            }
            for _ in 0..cols {
                text.push(letters[(number % letters.len() as u64) as usize] as char);
                number /= letters.len() as u64;
            }
        }
        text
    }
}

/// The greatest number of components of a sum.
const MOST_FOLLOWERS: usize = 20_000_000;

/// Every component that can arise from a sum by moves.
fn followers(sum: &[Game], stop: &Stop) -> HashSet<Game> {
    let mut open: Vec<Game> = sum.iter().flat_map(Game::components).collect();
    let mut found: HashSet<Game> = open.iter().cloned().collect();
    while let Some(game) = open.pop() {
        if stop.is_raised() || found.len() > MOST_FOLLOWERS {
            break;
        }
        let moves = Player::BOTH.iter().flat_map(|&player| game.moves(player));
        for part in moves.flat_map(|mv| mv.result.components()) {
            if found.insert(part.clone()) {
                open.push(part);
            }
        }
    }
    found
}
