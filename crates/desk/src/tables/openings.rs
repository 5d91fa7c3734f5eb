//! Opening statistics of any number of games: sorted in memory, in runs on disk beyond a limit,
//! which are merged at the end.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use chess::Color;
use kit::Stop;
use kit::table::{Cell, TableError, TableWriter};
use store::{Facts, Tally};

/// Entries in memory: 128 MiB.
const IN_MEMORY: usize = 1 << 22;
/// Runs that are merged at a time: each is an open file.
const FAN_IN: usize = 64;
/// Rows between two looks at the stop flag.
const STOP_EVERY: usize = 1 << 16;

/// A position and a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Place {
    key_hi: u64,
    key_lo: u64,
    /// The letters of the move in UCI notation from the highest byte on, so that numbers sort as
    /// texts; 0 where the game ends. The lowest byte is 1 if Black is to move, which the key implies.
    word: u64,
}

/// A game at a position, with the move that was played.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    place: Place,
    facts: Facts,
}

impl PartialEq for Entry {
    fn eq(&self, other: &Entry) -> bool {
        self.place == other.place
    }
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Entry) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    /// By position and move.
    fn cmp(&self, other: &Entry) -> std::cmp::Ordering {
        self.place.cmp(&other.place)
    }
}

impl Entry {
    pub fn new(key: u128, turn: Color, uci: Option<&str>, facts: Facts) -> Entry {
        let mut letters = [0; 8];
        let text = uci.unwrap_or_default().bytes().take(7);
        letters
            .iter_mut()
            .zip(text)
            .for_each(|(to, from)| *to = from);
        letters[7] = u8::from(turn == Color::Black);
        Entry {
            place: Place {
                key_hi: (key >> 64) as u64,
                key_lo: key as u64,
                word: u64::from_be_bytes(letters),
            },
            facts,
        }
    }
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    place: Place,
    tally: Tally,
    /// The earliest and the latest date as numbers that sort as their texts; 0 if none is known.
    dates: [u32; 2],
}

impl Row {
    fn new(place: Place) -> Row {
        Row {
            place,
            tally: Tally::default(),
            dates: [0; 2],
        }
    }

    fn add(&mut self, facts: Facts) {
        self.tally.add(facts);
        let date = date_number(facts);
        self.add_dates([date; 2]);
    }

    fn add_dates(&mut self, [first, last]: [u32; 2]) {
        let [own_first, own_last] = &mut self.dates;
        if first > 0 && (*own_first == 0 || first < *own_first) {
            *own_first = first;
        }
        *own_last = last.max(*own_last);
    }

    fn merge(&mut self, other: &Row) {
        self.tally.merge(&other.tally);
        self.add_dates(other.dates);
    }

    fn push_to(&self, table: &mut TableWriter) -> Result<(), TableError> {
        let Row { place, tally, .. } = self;
        let letters = place.word.to_be_bytes();
        let [letters @ .., black] = &letters;
        let uci = letters.split(|&byte| byte == 0).next().unwrap_or_default();
        let uci = std::str::from_utf8(uci).ok().filter(|uci| !uci.is_empty());
        let (own, opponent, points) = match black {
            0 => (tally.white_elo, tally.black_elo, tally.rated_points),
            _ => (
                tally.black_elo,
                tally.white_elo,
                2 * tally.rated_results - tally.rated_points,
            ),
        };
        let [first, last] = self.dates.map(number_text);
        let count = |count: u64| Cell::Int(i64::try_from(count).unwrap_or(i64::MAX));
        table.push([
            Cell::Unsigned(place.key_hi),
            Cell::Unsigned(place.key_lo),
            Cell::text(uci),
            count(tally.games),
            count(tally.white),
            count(tally.draws),
            count(tally.black),
            count(tally.rated),
            count(own),
            count(opponent),
            count(tally.rated_results),
            count(points),
            Cell::text(first.as_deref()),
            Cell::text(last.as_deref()),
        ])
    }

    fn encode(&self, out: &mut Vec<u8>) {
        let Row {
            place,
            tally,
            dates,
        } = self;
        for word in [place.key_hi, place.key_lo, place.word] {
            out.extend_from_slice(&word.to_le_bytes());
        }
        let counts = [
            tally.games,
            tally.white,
            tally.draws,
            tally.black,
            tally.rated,
            tally.white_elo,
            tally.black_elo,
            tally.rated_results,
            tally.rated_points,
        ];
        let dates = dates.map(u64::from);
        counts
            .into_iter()
            .chain(dates)
            .for_each(|number| put_varint(out, number));
    }

    /// The next row; `None` at the end.
    fn read(bytes: &mut impl Read) -> io::Result<Option<Row>> {
        let mut first = [0; 8];
        // A run ends between two rows.
        if bytes.read(&mut first[..1])? == 0 {
            return Ok(None);
        }
        bytes.read_exact(&mut first[1..])?;
        let mut next = || {
            let mut word = [0; 8];
            bytes.read_exact(&mut word)?;
            Ok::<u64, io::Error>(u64::from_le_bytes(word))
        };
        let mut row = Row::new(Place {
            key_hi: u64::from_le_bytes(first),
            key_lo: next()?,
            word: next()?,
        });
        let tally = &mut row.tally;
        for count in [
            &mut tally.games,
            &mut tally.white,
            &mut tally.draws,
            &mut tally.black,
            &mut tally.rated,
            &mut tally.white_elo,
            &mut tally.black_elo,
            &mut tally.rated_results,
            &mut tally.rated_points,
        ] {
            *count = read_varint(bytes)?;
        }
        for date in &mut row.dates {
            *date = u32::try_from(read_varint(bytes)?).unwrap_or(0);
        }
        Ok(Some(row))
    }
}

/// The statistics of the games so far.
pub struct Openings {
    dir: PathBuf,
    entries: Vec<Entry>,
    limit: usize,
    /// Sorted runs on disk; those of a level were merged from those of the level below.
    levels: Vec<Vec<File>>,
}

impl Openings {
    /// No games yet; runs are written in this folder, without a name there.
    pub fn new(dir: &Path) -> Openings {
        Openings {
            dir: dir.to_owned(),
            entries: Vec::new(),
            limit: IN_MEMORY,
            levels: Vec::new(),
        }
    }

    /// Adds games at positions, sorted.
    pub fn add(&mut self, entries: Vec<Entry>) -> Result<(), TableError> {
        self.entries.extend(entries);
        match self.entries.len() >= self.limit {
            true => self
                .spill()
                .map_err(|error| TableError::Io(self.dir.clone(), error)),
            false => Ok(()),
        }
    }

    /// Writes the entries in memory as a run.
    fn spill(&mut self) -> io::Result<()> {
        // The entries are sorted pieces one after another, which this sort merges.
        self.entries.sort();
        let run = write_run(&self.dir, Rows::of(self.entries.iter()).map(Ok))?;
        self.entries.clear();
        self.keep(run, 0)
    }

    fn keep(&mut self, run: File, level: usize) -> io::Result<()> {
        if self.levels.len() == level {
            self.levels.push(Vec::new());
        }
        self.levels[level].push(run);
        if self.levels[level].len() < FAN_IN {
            return Ok(());
        }
        let runs = std::mem::take(&mut self.levels[level]);
        let merged = write_run(&self.dir, Merge::new(runs)?)?;
        self.keep(merged, level + 1)
    }

    /// Writes all rows in order, unless a stop is requested.
    pub fn write(mut self, table: &mut TableWriter, stop: &Stop) -> Result<(), TableError> {
        let dir = self.dir.clone();
        let io_error = |error| TableError::Io(dir.clone(), error);
        if self.levels.is_empty() {
            self.entries.sort();
            return push_all(Rows::of(self.entries.iter()).map(Ok), table, stop, io_error);
        }
        if !self.entries.is_empty() {
            self.spill().map_err(io_error)?;
        }
        self.entries = Vec::new();
        let runs = self.levels.into_iter().flatten().collect();
        push_all(Merge::new(runs).map_err(io_error)?, table, stop, io_error)
    }
}

fn push_all(
    rows: impl Iterator<Item = io::Result<Row>>,
    table: &mut TableWriter,
    stop: &Stop,
    io_error: impl Fn(io::Error) -> TableError,
) -> Result<(), TableError> {
    for (count, row) in rows.enumerate() {
        if count % STOP_EVERY == 0 && stop.is_raised() {
            return Ok(());
        }
        row.map_err(&io_error)?.push_to(table)?;
    }
    Ok(())
}

/// The rows of sorted entries.
struct Rows<'a, I: Iterator<Item = &'a Entry>> {
    entries: std::iter::Peekable<I>,
}

impl<'a, I: Iterator<Item = &'a Entry>> Rows<'a, I> {
    fn of(entries: I) -> Rows<'a, I> {
        Rows {
            entries: entries.peekable(),
        }
    }
}

impl<'a, I: Iterator<Item = &'a Entry>> Iterator for Rows<'a, I> {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        let mut row = Row::new(self.entries.peek()?.place);
        let place = row.place;
        while let Some(entry) = self.entries.next_if(|entry| entry.place == place) {
            row.add(entry.facts);
        }
        Some(row)
    }
}

/// The rows of several runs in order, rows of the same position and move joined.
struct Merge {
    runs: Vec<BufReader<File>>,
    /// The next row of each run.
    heads: Vec<Option<Row>>,
    /// Which run comes next.
    order: BinaryHeap<Reverse<(Place, usize)>>,
}

impl Merge {
    fn new(runs: Vec<File>) -> io::Result<Merge> {
        let count = runs.len();
        let mut merge = Merge {
            runs: runs.into_iter().map(BufReader::new).collect(),
            heads: vec![None; count],
            order: BinaryHeap::new(),
        };
        (0..count).try_for_each(|run| merge.advance(run))?;
        Ok(merge)
    }

    fn advance(&mut self, run: usize) -> io::Result<()> {
        let head = Row::read(&mut self.runs[run])?;
        if let Some(row) = &head {
            self.order.push(Reverse((row.place, run)));
        }
        self.heads[run] = head;
        Ok(())
    }

    fn next_row(&mut self) -> io::Result<Option<Row>> {
        let mut joined: Option<Row> = None;
        while let Some(&Reverse((place, run))) = self.order.peek() {
            if joined.as_ref().is_some_and(|row| row.place != place) {
                break;
            }
            self.order.pop();
            match (&mut joined, self.heads[run].take()) {
                (Some(row), Some(head)) => row.merge(&head),
                (none, head) => *none = head,
            }
            self.advance(run)?;
        }
        Ok(joined)
    }
}

impl Iterator for Merge {
    type Item = io::Result<Row>;

    fn next(&mut self) -> Option<io::Result<Row>> {
        self.next_row().transpose()
    }
}

/// A file with these rows, open at its start; it has no name and vanishes when it is closed.
fn write_run(dir: &Path, rows: impl Iterator<Item = io::Result<Row>>) -> io::Result<File> {
    let mut out = BufWriter::new(tempfile::tempfile_in(dir)?);
    let mut bytes = Vec::new();
    for row in rows {
        bytes.clear();
        row?.encode(&mut bytes);
        out.write_all(&bytes)?;
    }
    let mut file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.rewind()?;
    Ok(file)
}

fn put_varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn read_varint(bytes: &mut impl Read) -> io::Result<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let mut byte = [0];
        bytes.read_exact(&mut byte)?;
        number |= u64::from(byte[0] & 0x7f) << shift;
        if byte[0] < 0x80 {
            break;
        }
    }
    Ok(number)
}

/// A date as a number that sorts as its text: year, month, day; unknown months and days are 99, and
/// an unknown year makes it 0.
fn date_number(facts: Facts) -> u32 {
    let date = facts.date();
    let (year, month, day) = (date / 10_000, date / 100 % 100, date % 100);
    let or_unknown = |part: u32| if part == 0 { 99 } else { part };
    match year {
        0 => 0,
        _ => (year * 100 + or_unknown(month)) * 100 + or_unknown(day),
    }
}

/// `2013.11.??`; none for 0.
fn number_text(date: u32) -> Option<String> {
    let part = |part: u32| match part {
        99 => "??".to_owned(),
        _ => format!("{part:02}"),
    };
    let (year, month, day) = (date / 10_000, date / 100 % 100, date % 100);
    (year > 0).then(|| format!("{year:04}.{}.{}", part(month), part(day)))
}

/// The date of a game as `2013.11.??`; none if its year is unknown.
pub fn date_text(facts: Facts) -> Option<String> {
    number_text(date_number(facts))
}

#[cfg(test)]
mod tests {
    use chess::pgn::read_game;
    use kit::Stop;

    use super::*;

    fn facts(tags: &str, end: &str) -> Facts {
        let game = read_game(format!("{tags}\n\n1. e4 {end}").as_bytes()).unwrap();
        Facts::of(&game, 1, false)
    }

    /// Entries over few keys and moves, in the order of a generator of numbers.
    fn entries(count: u64) -> Vec<Entry> {
        let ends = ["1-0", "0-1", "1/2-1/2", "*"];
        let some: Vec<Facts> = (0..40)
            .map(|at| {
                let date = ["2020.01.02", "2019.??.??", "????.??.??"][at % 3];
                let tags = format!(
                    "[Date \"{date}\"]\n[WhiteElo \"{}\"]\n[BlackElo \"{}\"]",
                    if at % 5 == 0 { 0 } else { 2000 + at },
                    2100 + at
                );
                facts(&tags, ends[at % 4])
            })
            .collect();
        let mut state = 1u64;
        let mut next = || {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            state >> 33
        };
        (0..count)
            .map(|_| {
                let key = u128::from(next() % 50) << 64 | u128::from(next() % 3);
                let uci = [None, Some("e2e4"), Some("e7e8q"), Some("a2a3")][(next() % 4) as usize];
                let turn = if key & 1 == 0 {
                    Color::White
                } else {
                    Color::Black
                };
                Entry::new(key, turn, uci, some[(next() % 40) as usize])
            })
            .collect()
    }

    fn rows(limit: usize, pieces: &[Entry]) -> Vec<Row> {
        let dir = tempfile::tempdir().unwrap();
        let mut openings = Openings::new(dir.path());
        openings.limit = limit;
        for piece in pieces.chunks(97) {
            let mut piece = piece.to_vec();
            piece.sort();
            openings.add(piece).unwrap();
        }
        openings.spill().unwrap();
        let runs = openings.levels.into_iter().flatten().collect();
        Merge::new(runs).unwrap().map(Result::unwrap).collect()
    }

    #[test]
    fn runs_on_disk_give_the_rows_of_one_sort() {
        let all = entries(20_000);
        let at_once = rows(usize::MAX, &all);
        assert_eq!(
            at_once.iter().map(|row| row.tally.games).sum::<u64>(),
            20_000
        );
        assert!(at_once.is_sorted_by(|a, b| a.place < b.place));
        // Many runs, merged on two levels.
        assert_eq!(rows(100, &all), at_once);
    }

    #[test]
    fn dates_sort_as_texts() {
        let dates = ["2019.??.??", "2019.12.31", "2019.12.??", "2020.01.02"];
        let mut numbers = dates.map(|date| date_number(facts(&format!("[Date \"{date}\"]"), "*")));
        numbers.sort();
        let mut texts = dates.map(str::to_owned);
        texts.sort();
        assert_eq!(numbers.map(|number| number_text(number).unwrap()), texts);
        assert_eq!(date_text(facts("[Date \"????.12.01\"]", "*")), None);
    }

    #[test]
    fn a_stop_ends_the_writing() {
        let dir = tempfile::tempdir().unwrap();
        let layout = kit::table::Layout {
            part_size: 1 << 20,
            sorted_by: 3,
            threads: std::num::NonZeroUsize::MIN,
        };
        let fields = super::super::columns::OPENINGS;
        let folder = kit::table::TableDir::open(dir.path()).unwrap();
        let mut table = TableWriter::create(&folder, "openings", fields, layout).unwrap();
        let mut openings = Openings::new(dir.path());
        openings.add(entries(10)).unwrap();
        let stop = Stop::new();
        stop.raise();
        openings.write(&mut table, &stop).unwrap();
        assert_eq!(table.finish().unwrap().publish().unwrap(), 0);
    }
}
