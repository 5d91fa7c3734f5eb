//! The resources of a query: files with certain extensions, and programs if allowed.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use chess::pgn::read_games;
use cql::Host;

use super::{AllowedDir, lock};
use kit::Stop;
use kit::input::Source;
use kit::save::{Output, SaveError, Target};

/// The files and programs available to a query.
#[derive(Debug, Default)]
pub struct QueryHost {
    /// Whether programs may be run.
    pub programs: bool,
    /// The directory for written files.
    pub files: Option<AllowedDir>,
    /// The number of the last game, if known.
    pub last_game: Option<u64>,
    /// Requests an early end, even in the middle of a game.
    pub stop: Stop,
    /// No file can be read either: the query may come from another user.
    is_sealed: bool,
    boards: Mutex<HashMap<String, HashSet<String>>>,
    /// Files that `writefile` writes; [`QueryHost::save`] moves them into place.
    written: Mutex<HashMap<PathBuf, Output>>,
    /// The first error of writing a file.
    refusal: Mutex<Option<String>>,
}

/// Extensions of files that a query may read; `writefile` may write all of them but the last.
const READABLE: [&str; 4] = ["cqo", "cql", "txt", "pgn"];

impl QueryHost {
    /// Permits neither writing nor running.
    pub fn new() -> QueryHost {
        QueryHost::default()
    }

    /// Permits nothing at all but a request to stop.
    pub fn sealed(stop: Stop) -> QueryHost {
        QueryHost {
            stop,
            is_sealed: true,
            ..QueryHost::default()
        }
    }

    /// The first error of writing a file; it ends the search.
    pub fn refusal(&self) -> Option<String> {
        lock(&self.refusal).clone()
    }

    /// Moves the files that `writefile` wrote into place.
    pub fn save(&self) -> Result<(), SaveError> {
        let written = std::mem::take(&mut *lock(&self.written));
        written.into_values().try_for_each(Output::finish)
    }

    fn try_write(&self, name: &str, text: &str) -> Result<(), String> {
        let refuse = |why: &dyn std::fmt::Display| format!("writefile \"{name}\": {why}");
        if !has_extension(name, &READABLE[..3]) {
            return Err(refuse(&"the extension must be .cqo, .cql or .txt"));
        }
        let Some(files) = &self.files else {
            return Err(refuse(&"no directory is allowed"));
        };
        let path = files.resolve(name).map_err(|why| refuse(&why))?;
        let mut written = lock(&self.written);
        if !written.contains_key(&path) {
            let output = Output::create(Target::File(path.clone()));
            written.insert(path.clone(), output.map_err(|why| refuse(&why))?);
        }
        let output = written.get_mut(&path);
        let done = output.map_or(Ok(()), |output| output.write_all(text.as_bytes()));
        done.map_err(|why| refuse(&why))
    }
}

impl Host for QueryHost {
    fn read_file(&self, name: &str) -> Option<String> {
        let is_readable = !self.is_sealed && has_extension(name, &READABLE);
        is_readable.then(|| fs::read_to_string(name).ok())?
    }

    fn write_file(&self, name: &str, text: &str) -> bool {
        let written = self.try_write(name, text);
        let is_written = written.is_ok();
        if let Err(why) = written {
            lock(&self.refusal).get_or_insert(why);
        }
        is_written
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_raised()
    }

    fn pipe(&self, command: &str, input: &str) -> Option<String> {
        self.programs.then(|| run_program(command, input))?
    }

    fn has_position(&self, file: &str, board: &str, transforms: bool) -> bool {
        if self.is_sealed {
            return false;
        }
        let mut known = lock(&self.boards);
        let boards = known
            .entry(file.to_owned())
            .or_insert_with(|| boards_of(file));
        if transforms {
            let turned = symmetries(board);
            turned.iter().any(|turned| boards.contains(turned))
        } else {
            boards.contains(board)
        }
    }

    fn last_game_number(&self) -> Option<u64> {
        self.last_game
    }
}

fn has_extension(name: &str, extensions: &[&str]) -> bool {
    let extension = Path::new(name).extension();
    let extension = extension.and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| extensions.contains(&extension))
}

fn run_program(command: &str, input: &str) -> Option<String> {
    let mut child = Command::new("sh")
        .args(["-c", command])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let mut stdin = child.stdin.take()?;
    let input = input.to_owned();
    // Writing and reading run in parallel, so that neither blocks the other.
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().ok()?;
    writer.join().ok();
    String::from_utf8(output.stdout).ok()
}

/// The boards of all positions of all games of a file; none if it is unreadable.
fn boards_of(file: &str) -> HashSet<String> {
    let Ok(text) = Source::from_arg(file).open() else {
        return HashSet::new();
    };
    let mut boards = HashSet::new();
    for game in read_games(text).map_while(Result::ok) {
        let mut cursor = game.cursor();
        boards.insert(cursor.board().board_fen());
        while cursor.walk() {
            boards.insert(cursor.board().board_fen());
        }
    }
    boards
}

/// The source of a square (rank, file) of the turned board.
type SquareMap = fn(usize, usize) -> (usize, usize);

/// The board turned and mirrored in all eight ways.
fn symmetries(board: &str) -> Vec<String> {
    let Some(squares) = squares(board) else {
        return vec![board.to_owned()];
    };
    let ways: [SquareMap; 8] = [
        |r, f| (r, f),
        |r, f| (r, 7 - f),
        |r, f| (7 - r, f),
        |r, f| (7 - r, 7 - f),
        |r, f| (f, r),
        |r, f| (f, 7 - r),
        |r, f| (7 - f, r),
        |r, f| (7 - f, 7 - r),
    ];
    let turned = |way: SquareMap| {
        std::array::from_fn::<_, 64, _>(|at| {
            let (rank, file) = way(at / 8, at % 8);
            squares[rank * 8 + file]
        })
    };
    ways.into_iter().map(|way| field(&turned(way))).collect()
}

/// The 64 squares of a FEN's first field, blanks for empty ones.
fn squares(board: &str) -> Option<[char; 64]> {
    let mut squares = Vec::with_capacity(64);
    for sign in board.chars().filter(|&sign| sign != '/') {
        match sign.to_digit(10) {
            Some(empty) => squares.extend((0..empty).map(|_| ' ')),
            None => squares.push(sign),
        }
    }
    squares.try_into().ok()
}

fn field(squares: &[char; 64]) -> String {
    let ranks: Vec<String> = squares.chunks(8).map(rank).collect();
    ranks.join("/")
}

fn rank(squares: &[char]) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for &sign in squares.iter().chain(&['\n']) {
        if sign == ' ' {
            empty += 1;
            continue;
        }
        if empty > 0 {
            text += &empty.to_string();
            empty = 0;
        }
        text.extend((sign != '\n').then_some(sign));
    }
    text
}
