//! Databases of components: outcomes and values found once, kept in a file, used from then on.
//!
//! The bytes of a file, all numbers with their lowest byte first:
//!
//! ```text
//! 8   "GTSUMSDB"
//! 4   version of the format, 1
//! 4   number of sections
//!     for each section:
//!       2, n   length of the game's name, the name as in [clobber_1xn]
//!       8      number of entries
//!       8      where its index begins
//!     for each section, entry after entry in the order of positions:
//!       4, n   length of the position, the position (the ruleset's own bytes, normalised)
//!       1      outcome: 1 Left, 2 Right, 3 the next player, 4 the previous player
//!       4, n   length of the value, the value in the usual notation; length 0 if not known
//!     for each section its index: 8 bytes for each entry, where it begins
//! 8   checksum of everything before: FNV-1a, 64 bits
//! ```
//!
//! Entries are found by bisection, so a file can be used from a memory map without being read.

use crate::game::Kind;
use crate::solver::Solver;
use crate::value::Outcome;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The version of the format that this program writes.
pub const VERSION: u32 = 1;

const MAGIC: &[u8; 8] = b"GTSUMSDB";

/// What a database knows about a component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Who wins it.
    pub outcome: Outcome,
    /// Its value in the usual notation, if known.
    pub value: Option<String>,
}

/// What is wrong with the bytes of a database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadDatabase {
    /// They do not begin as a database does.
    NotADatabase,
    /// The format is of another version.
    Version(u32),
    /// A game that this program does not know.
    UnknownGame(String),
    /// They end too early or point outside.
    Truncated,
    /// The checksum is wrong.
    Checksum,
    /// Two databases disagree about a component of this game.
    Conflict(String),
}

impl std::fmt::Display for BadDatabase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BadDatabase::NotADatabase => f.write_str("this is no database of components"),
            BadDatabase::Version(version) => write!(
                f,
                "the database has format {version}, this program reads {VERSION}"
            ),
            BadDatabase::UnknownGame(name) => {
                write!(f, "the database has a game '{name}' that is not known")
            }
            BadDatabase::Truncated => f.write_str("the database is incomplete"),
            BadDatabase::Checksum => f.write_str("the database is damaged: its checksum is wrong"),
            BadDatabase::Conflict(name) => {
                write!(f, "the databases disagree about a position of {name}")
            }
        }
    }
}

impl std::error::Error for BadDatabase {}

/// Bytes that stay where they are: a vector, or a memory map.
pub type Bytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// A database that can be asked.
///
/// ```
/// use std::sync::Arc;
/// use sums::db::{Builder, Database};
/// use sums::{Kind, Solver};
/// let kind = Kind::named("clobber_1xn").unwrap();
/// let mut builder = Builder::default();
/// builder.add_boards(kind, 1, 6, &mut Solver::default())?;
/// let database = Database::open(Arc::new(builder.finish()))?;
/// assert_eq!(database.get(kind, b"OXX").unwrap().value.as_deref(), Some("^"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Database {
    bytes: Bytes,
    sections: Vec<Section>,
}

#[derive(Clone)]
struct Section {
    kind: Kind,
    entries: usize,
    index: usize,
}

impl Database {
    /// Opens a database; the entries are not looked at.
    pub fn open(bytes: Bytes) -> Result<Database, BadDatabase> {
        let mut reader = Reader {
            bytes: (*bytes).as_ref(),
            at: 0,
        };
        if reader.take(8) != Ok(MAGIC) {
            return Err(BadDatabase::NotADatabase);
        }
        match reader.number(4)? {
            version if version == u64::from(VERSION) => {}
            version => return Err(BadDatabase::Version(version as u32)),
        }
        let mut sections = Vec::new();
        for _ in 0..reader.number(4)? {
            sections.push(reader.section()?);
        }
        Ok(Database { bytes, sections })
    }

    /// Reads everything and checks it against the checksum.
    pub fn check(&self) -> Result<(), BadDatabase> {
        let bytes = self.bytes();
        let split = bytes.len().checked_sub(8).ok_or(BadDatabase::Truncated)?;
        let (content, sum) = bytes.split_at(split);
        if checksum(content).to_le_bytes() != sum {
            return Err(BadDatabase::Checksum);
        }
        let promised: usize = self.sections.iter().map(|section| section.entries).sum();
        if self.entries().count() < promised {
            return Err(BadDatabase::Truncated);
        }
        Ok(())
    }

    /// The games with their numbers of entries.
    pub fn games(&self) -> impl Iterator<Item = (Kind, usize)> + '_ {
        self.sections
            .iter()
            .map(|section| (section.kind, section.entries))
    }

    /// What is known about a normalised position.
    pub fn get(&self, kind: Kind, position: &[u8]) -> Option<Entry> {
        let section = self.sections.iter().find(|section| section.kind == kind)?;
        let (mut low, mut high) = (0, section.entries);
        while low < high {
            let middle = low + (high - low) / 2;
            let (found, mut entry) = self.entry(section, middle).ok()?;
            match found.cmp(position) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return entry.read().ok(),
            }
        }
        None
    }

    /// Every entry, game by game in the order of positions; damaged ones are left out.
    pub fn entries(&self) -> impl Iterator<Item = (Kind, Vec<u8>, Entry)> + '_ {
        self.sections.iter().flat_map(move |section| {
            (0..section.entries).filter_map(move |number| {
                let (position, mut reader) = self.entry(section, number).ok()?;
                Some((section.kind, position.to_vec(), reader.read().ok()?))
            })
        })
    }

    fn bytes(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }

    /// The position of an entry, and a reader for the rest.
    fn entry(&self, section: &Section, number: usize) -> Result<(&[u8], Reader<'_>), BadDatabase> {
        let mut index = Reader {
            bytes: self.bytes(),
            at: section.index + number * 8,
        };
        let mut reader = Reader {
            bytes: self.bytes(),
            at: index.place()?,
        };
        let length = reader.number(4)? as usize;
        Ok((reader.take(length)?, reader))
    }
}

/// Reads numbers and bytes, and never beyond the end.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], BadDatabase> {
        let end = self.at.checked_add(length).ok_or(BadDatabase::Truncated)?;
        let taken = self.bytes.get(self.at..end).ok_or(BadDatabase::Truncated)?;
        self.at = end;
        Ok(taken)
    }

    fn number(&mut self, bytes: usize) -> Result<u64, BadDatabase> {
        let mut number = [0; 8];
        number[..bytes].copy_from_slice(self.take(bytes)?);
        Ok(u64::from_le_bytes(number))
    }

    fn place(&mut self) -> Result<usize, BadDatabase> {
        usize::try_from(self.number(8)?).map_err(|_| BadDatabase::Truncated)
    }

    fn section(&mut self) -> Result<Section, BadDatabase> {
        let length = self.number(2)? as usize;
        let name = String::from_utf8_lossy(self.take(length)?).into_owned();
        let (entries, index) = (self.place()?, self.place()?);
        let kind = Kind::named(&name).ok_or(BadDatabase::UnknownGame(name))?;
        let end = entries
            .checked_mul(8)
            .and_then(|size| size.checked_add(index));
        if end.is_none_or(|end| end > self.bytes.len()) {
            return Err(BadDatabase::Truncated);
        }
        Ok(Section {
            kind,
            entries,
            index,
        })
    }

    fn read(&mut self) -> Result<Entry, BadDatabase> {
        let outcome = match self.number(1)? {
            1 => Outcome::Left,
            2 => Outcome::Right,
            3 => Outcome::Next,
            4 => Outcome::Previous,
            _ => return Err(BadDatabase::Truncated),
        };
        let length = self.number(4)? as usize;
        let text = String::from_utf8_lossy(self.take(length)?).into_owned();
        Ok(Entry {
            outcome,
            value: (length > 0).then_some(text),
        })
    }
}

/// Collects entries for a database.
#[derive(Default)]
pub struct Builder {
    sections: BTreeMap<String, BTreeMap<Vec<u8>, Entry>>,
}

/// Why boards cannot be put into a database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CannotBuild {
    /// The game has no boards of rows and columns.
    NoBoards(String),
    /// There would be too many boards.
    TooMany(u128),
    /// A board could not be solved.
    GaveUp(crate::solver::GaveUp),
}

impl std::fmt::Display for CannotBuild {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CannotBuild::NoBoards(name) => write!(
                f,
                "{name} has no boards of rows and columns: name positions instead"
            ),
            CannotBuild::TooMany(boards) => write!(
                f,
                "there are {boards} boards of this size, at most {MOST_BOARDS} are allowed"
            ),
            CannotBuild::GaveUp(why) => write!(f, "{why}"),
        }
    }
}

impl std::error::Error for CannotBuild {}

impl From<crate::solver::GaveUp> for CannotBuild {
    fn from(why: crate::solver::GaveUp) -> CannotBuild {
        CannotBuild::GaveUp(why)
    }
}

/// Boards of one size that a database is built from.
const MOST_BOARDS: u128 = 1 << 26;

impl Builder {
    /// Solves all boards of this size, and keeps every component that was met.
    pub fn add_boards(
        &mut self,
        kind: Kind,
        rows: usize,
        cols: usize,
        solver: &mut Solver,
    ) -> Result<(), CannotBuild> {
        let letters = kind
            .rules()
            .letters()
            .ok_or_else(|| CannotBuild::NoBoards(kind.name()))?;
        let boards = count_boards(letters.len(), rows * cols);
        if boards > MOST_BOARDS {
            return Err(CannotBuild::TooMany(boards));
        }
        for number in 0..boards {
            if let Ok(position) = kind.rules().parse(&board(letters, rows, cols, number)) {
                solver.learn(kind, &position)?;
            }
        }
        self.add_known(kind, solver);
        Ok(())
    }

    /// Solves one position with all that can come of it.
    pub fn add_position(
        &mut self,
        kind: Kind,
        position: &[u8],
        solver: &mut Solver,
    ) -> Result<(), CannotBuild> {
        solver.learn(kind, position)?;
        self.add_known(kind, solver);
        Ok(())
    }

    /// Keeps everything the solver knows about components of a game.
    pub fn add_known(&mut self, kind: Kind, solver: &mut Solver) {
        let section = self.sections.entry(kind.name()).or_default();
        solver.each_known(kind, |position, entry| {
            section.insert(position.to_vec(), entry);
        });
    }

    /// Adds the entries of a database.
    pub fn merge(&mut self, database: &Database) -> Result<(), BadDatabase> {
        for (kind, position, entry) in database.entries() {
            let section = self.sections.entry(kind.name()).or_default();
            match section.get_mut(&position) {
                Some(known) if known.outcome != entry.outcome => {
                    return Err(BadDatabase::Conflict(kind.name()));
                }
                Some(known) => known.value = known.value.take().or(entry.value),
                None => {
                    section.insert(position, entry);
                }
            }
        }
        Ok(())
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.sections.values().map(BTreeMap::len).sum()
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes of the database.
    pub fn finish(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((self.sections.len() as u32).to_le_bytes());
        // 1. The table of sections, with places for where each index begins.
        let mut places = Vec::new();
        for (name, entries) in &self.sections {
            bytes.extend((name.len() as u16).to_le_bytes());
            bytes.extend(name.as_bytes());
            bytes.extend((entries.len() as u64).to_le_bytes());
            places.push(bytes.len());
            bytes.extend(0u64.to_le_bytes());
        }
        // 2. The entries, and where each begins.
        let mut starts = Vec::new();
        for entries in self.sections.values() {
            let mut begins = Vec::new();
            for (position, entry) in entries {
                begins.push(bytes.len() as u64);
                write_entry(position, entry, &mut bytes);
            }
            starts.push(begins);
        }
        // 3. The indexes.
        for (place, begins) in places.into_iter().zip(starts) {
            let index = (bytes.len() as u64).to_le_bytes();
            bytes[place..place + 8].copy_from_slice(&index);
            begins
                .iter()
                .for_each(|begin| bytes.extend(begin.to_le_bytes()));
        }
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }
}

fn write_entry(position: &[u8], entry: &Entry, bytes: &mut Vec<u8>) {
    bytes.extend((position.len() as u32).to_le_bytes());
    bytes.extend(position);
    bytes.push(match entry.outcome {
        Outcome::Left => 1,
        Outcome::Right => 2,
        Outcome::Next => 3,
        Outcome::Previous => 4,
    });
    let value = entry.value.as_deref().unwrap_or("");
    bytes.extend((value.len() as u32).to_le_bytes());
    bytes.extend(value.as_bytes());
}

/// FNV-1a, 64 bits.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn count_boards(letters: usize, cells: usize) -> u128 {
    u32::try_from(cells)
        .ok()
        .and_then(|cells| (letters as u128).checked_pow(cells))
        .unwrap_or(u128::MAX)
}

/// The text of a board by its number.
fn board(letters: &str, rows: usize, cols: usize, mut number: u128) -> String {
    let base = letters.len() as u128;
    let row = |number: &mut u128| {
        let mut cells = String::new();
        for _ in 0..cols {
            cells.push(letters.as_bytes()[(*number % base) as usize] as char);
            *number /= base;
        }
        cells
    };
    (0..rows)
        .map(|_| row(&mut number))
        .collect::<Vec<_>>()
        .join("|")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(name: &str) -> Kind {
        Kind::named(name).unwrap()
    }

    fn built(name: &str, rows: usize, cols: usize) -> Vec<u8> {
        let mut builder = Builder::default();
        builder
            .add_boards(kind(name), rows, cols, &mut Solver::default())
            .unwrap();
        builder.finish()
    }

    #[test]
    fn boards_are_found_again() {
        let database = Database::open(Arc::new(built("domineering", 2, 3))).unwrap();
        database.check().unwrap();
        let square = kind("domineering").rules().parse("..|..").unwrap();
        let entry = database.get(kind("domineering"), &square).unwrap();
        assert_eq!(
            (entry.outcome, entry.value.as_deref()),
            (Outcome::Next, Some("+-1"))
        );
        assert_eq!(database.get(kind("domineering"), b"nonsense"), None);
        assert_eq!(database.get(kind("clobber"), &square), None);
    }

    #[test]
    fn merging_adds_up() {
        let mut builder = Builder::default();
        let parts = [built("domineering", 2, 3), built("clobber_1xn", 1, 5)]
            .map(|bytes| Database::open(Arc::new(bytes)).unwrap());
        let expected: usize = parts.iter().map(|part| part.entries().count()).sum();
        parts.iter().for_each(|part| builder.merge(part).unwrap());
        assert_eq!(builder.len(), expected);
        assert_eq!(
            Database::open(Arc::new(builder.finish()))
                .unwrap()
                .games()
                .count(),
            2
        );
    }

    #[test]
    fn damage_is_noticed() {
        let good = built("clobber_1xn", 1, 4);
        let open = |bytes: Vec<u8>| Database::open(Arc::new(bytes));
        assert_eq!(
            open(b"root:x:0:0".to_vec()).err(),
            Some(BadDatabase::NotADatabase)
        );
        assert_eq!(open(Vec::new()).err(), Some(BadDatabase::NotADatabase));
        let mut newer = good.clone();
        newer[8] = 99;
        assert_eq!(open(newer).err(), Some(BadDatabase::Version(99)));
        for length in 0..good.len() {
            // However it is cut off: an error or a failing check, never a panic.
            if let Ok(database) = open(good[..length].to_vec()) {
                assert!(database.check().is_err(), "{length}");
            }
        }
        for at in 8..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 0x41;
            if let Ok(database) = open(bad) {
                assert_eq!(database.check(), Err(BadDatabase::Checksum), "{at}");
            }
        }
    }

    #[test]
    fn a_database_is_used() {
        let database = Database::open(Arc::new(built("clobber_1xn", 1, 8))).unwrap();
        let sum = [crate::Game::parse("clobber_1xn", "XOXOXOXOXOXO").unwrap()];
        let mut plain = Solver::default();
        let mut helped = Solver::default();
        helped.attach(database);
        assert_eq!(plain.outcome(&sum), helped.outcome(&sum));
    }
}
