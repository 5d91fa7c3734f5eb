//! Databases of components: results that are computed once, stored in a file and looked up later.
//!
//! The format of a file; all numbers are little-endian:
//!
//! ```text
//! 8   "GTSUMSDB"
//! 4   version of the format
//! 8   length of the file
//! 4   number of sections
//!     for each section:
//!       text   the game's name, as in [clobber_1xn]
//!       8      number of entries
//!       8      offset of its index
//!       4      length of its longest position
//! 8   checksum of everything before
//!     for each section, entry after entry in the order of positions:
//!       text   the position, normalised, as the game prints it
//!       1      outcome: 1 Left, 2 Right, 3 the next player, 4 the previous player
//!       text   the value in the usual notation; empty if not known
//!       text   a lower bound, then an upper bound; empty if not known
//!       list   the walls of the thermograph, Left's and Right's: alternating values and
//!              temperatures; empty if not known
//!       text   the simplest equal sum; empty if no simpler one is known
//!       list   Left's dominated moves, then Right's
//!       8      checksum of the game's name and the entry
//!     for each section its index: the offset of each entry, 8 bytes each
//! ```
//!
//! A text is its length in 4 bytes, then its bytes; a list is its length in 4 bytes, then its
//! texts; a checksum is 64-bit FNV-1a. Entries are found by binary search, and each is used only if
//! its checksum is right, so that a memory-mapped file need not be read as a whole. Positions and
//! moves are stored as text, so that the format does not depend on the bytes that rulesets use.

mod build;
mod bytes;

pub use build::Builder;

use crate::fnv::checksum;
use crate::game::Kind;
use crate::input::Scaffold;
use crate::player::ByPlayer;
use crate::value::{Complaint, Dyadic, Forms, Outcome};
use bytes::EntryReader;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The version of the format that this program writes. Increase it when the format changes, or when
/// a game prints its positions or moves differently.
pub const VERSION: u32 = 2;

const MAGIC: &[u8; 8] = b"GTSUMSDB";

/// Steps allowed for reading the value of an entry: a damaged one could take too long.
pub(crate) const VALUE_STEPS: u64 = 1 << 20;

/// Bytes allowed for values during a check.
const CHECK_BYTES: usize = 1 << 28;

/// The minimum size of an entry in bytes, including its index entry.
const SMALLEST_ENTRY: u64 = 8 + 1 + 9 * 4 + 8;

/// The results about a component in a database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The outcome.
    pub outcome: Outcome,
    /// The value in the usual notation, if known.
    pub value: Option<String>,
    /// A lower and an upper bound, if the value is not known.
    pub bounds: Option<[String; 2]>,
    /// The walls of the thermograph, if known.
    pub thermograph: Option<ByPlayer<Scaffold>>,
    /// The simplest equal sum, if a simpler one is known.
    pub equal: Option<String>,
    /// The dominated moves, as printed.
    pub dominated: ByPlayer<Vec<String>>,
}

impl Entry {
    /// An entry with only the outcome.
    pub fn of_outcome(outcome: Outcome) -> Entry {
        Entry {
            outcome,
            value: None,
            bounds: None,
            thermograph: None,
            equal: None,
            dominated: ByPlayer::default(),
        }
    }

    /// Checks that the parts of an entry agree; values that are too complicated are not compared.
    fn check(&self, forms: &mut Forms) -> Result<(), BadDatabase> {
        if forms.bytes() > CHECK_BYTES {
            *forms = Forms::default();
        }
        forms.allow_steps(VALUE_STEPS);
        if let Some(text) = &self.value {
            match forms.parse(text).map_err(|error| error.complaint) {
                Ok(value) if forms.outcome(value) != self.outcome => {
                    return Err(BadDatabase::Inconsistent("a value contradicts its outcome"));
                }
                Ok(_) | Err(Complaint::Value(_)) => {}
                Err(_) => return Err(BadDatabase::Inconsistent("a value that is none")),
            }
        }
        if let Some(bounds) = &self.bounds {
            match [&bounds[0], &bounds[1]].map(|bound| number(bound)) {
                [Some(low), Some(high)] if low <= high => {}
                _ => return Err(BadDatabase::Inconsistent("bounds that bound nothing")),
            }
        }
        Ok(())
    }

    /// Merges two entries about one component; `None` if they contradict each other.
    pub(crate) fn merge(self, other: Entry) -> Option<Entry> {
        let outcome = (self.outcome == other.outcome).then_some(self.outcome)?;
        let known = self.value.is_some();
        let dominated = if known || other.value.is_none() {
            self.dominated
        } else {
            other.dominated
        };
        Some(Entry {
            outcome,
            value: one_of(self.value, other.value)?,
            bounds: self.bounds.or(other.bounds),
            thermograph: one_of(self.thermograph, other.thermograph)?,
            equal: self.equal.or(other.equal),
            dominated,
        })
    }
}

/// The one that is known; `None` if both are known and differ.
fn one_of<T: PartialEq>(one: Option<T>, other: Option<T>) -> Option<Option<T>> {
    match (one, other) {
        (Some(one), Some(other)) if one != other => None,
        (one, other) => Some(one.or(other)),
    }
}

/// An error in the bytes of a database.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BadDatabase {
    /// The bytes do not start with the signature of a database.
    NotADatabase,
    /// The format has another version.
    Version(u32),
    /// The numbers are big-endian.
    ByteOrder,
    /// The bytes end too early, or an offset points outside.
    Truncated,
    /// A checksum is wrong.
    Damaged,
    /// The checksums are right, but the content is impossible.
    Inconsistent(&'static str),
    /// Two databases disagree about a component.
    Conflict(String),
}

impl std::fmt::Display for BadDatabase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BadDatabase::NotADatabase => f.write_str("not a database of components"),
            BadDatabase::Version(version) => write!(
                f,
                "the database has format {version}, this program reads {VERSION}"
            ),
            BadDatabase::ByteOrder => f.write_str("the database has the wrong byte order"),
            BadDatabase::Truncated => f.write_str("the database is truncated or damaged"),
            BadDatabase::Damaged => f.write_str("the database is damaged: a checksum is wrong"),
            BadDatabase::Inconsistent(what) => write!(f, "inconsistent database: {what}"),
            BadDatabase::Conflict(position) => {
                write!(f, "the databases disagree about {position}")
            }
        }
    }
}

impl std::error::Error for BadDatabase {}

/// The bytes of a database: a vector, or a memory map.
pub type Bytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// A database, open for lookups.
///
/// ```
/// use std::sync::Arc;
/// use gametree_sums::db::{Builder, Database};
/// use gametree_sums::{Game, Solver};
/// let game = Game::parse("clobber_1xn", "OXX")?;
/// let mut builder = Builder::default();
/// for part in game.components() {
///     builder.insert(&part.kind.name(), &part.text(), Solver::default().survey(&part)?)?;
/// }
/// let database = Database::open(Arc::new(builder.finish()))?;
/// assert_eq!(database.get(game.kind, "OXX").unwrap().value.as_deref(), Some("^"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Database {
    bytes: Bytes,
    sections: Arc<[Section]>,
    damaged: Arc<AtomicBool>,
}

struct Section {
    name: String,
    /// `None` for an unknown game.
    kind: Option<Kind>,
    entries: usize,
    index: usize,
    /// Longer positions need no lookup.
    longest: usize,
}

impl Database {
    /// Opens a database without reading the entries.
    pub fn open(bytes: Bytes) -> Result<Database, BadDatabase> {
        let sections = read_head((*bytes).as_ref())?.into();
        Ok(Database {
            bytes,
            sections,
            damaged: Arc::default(),
        })
    }

    /// Reads the whole database, and checks all checksums and the consistency of the entries.
    pub fn check(&self) -> Result<(), BadDatabase> {
        let mut forms = Forms::default();
        for section in self.sections.iter() {
            let mut last: Option<&str> = None;
            for number in 0..section.entries {
                let (position, entry) = self.entry(section, number)?;
                if last.is_some_and(|last| last >= position) {
                    return Err(BadDatabase::Inconsistent("positions are not in order"));
                }
                if position.len() > section.longest {
                    return Err(BadDatabase::Inconsistent(
                        "a position is longer than stated",
                    ));
                }
                entry.check(&mut forms)?;
                last = Some(position);
            }
        }
        Ok(())
    }

    /// The names of the games with their numbers of entries.
    pub fn games(&self) -> impl Iterator<Item = (&str, usize)> + '_ {
        self.sections
            .iter()
            .map(|section| (section.name.as_str(), section.entries))
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.games().map(|(_, entries)| entries).sum()
    }

    /// Returns true if there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns false if no entry can be about a position whose text has at least this length.
    pub(crate) fn may_contain(&self, kind: Kind, length: usize) -> bool {
        let section = self.section(kind);
        section.is_some_and(|section| length <= section.longest)
    }

    fn section(&self, kind: Kind) -> Option<&Section> {
        let mut sections = self.sections.iter();
        sections.find(|section| section.kind == Some(kind))
    }

    /// Looks up a normalised position, as its game prints it.
    pub fn get(&self, kind: Kind, position: &str) -> Option<Entry> {
        let section = self.section(kind)?;
        if position.len() > section.longest {
            return None;
        }
        self.find(section, position).unwrap_or_else(|_| {
            self.damaged.store(true, Ordering::Relaxed);
            None
        })
    }

    /// Binary search that compares only positions. The entry found is used only if its checksum is
    /// right; a damaged position can hide other entries.
    fn find(&self, section: &Section, position: &str) -> Result<Option<Entry>, BadDatabase> {
        let (mut low, mut high) = (0, section.entries);
        while low < high {
            let middle = low + (high - low) / 2;
            match self
                .reader(section, middle)?
                .bytes()?
                .cmp(position.as_bytes())
            {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => {
                    return Ok(Some(self.entry(section, middle)?.1));
                }
            }
        }
        Ok(None)
    }

    /// Returns true if a lookup has found a damaged entry, which was not used.
    pub fn is_damaged(&self) -> bool {
        self.damaged.load(Ordering::Relaxed)
    }

    /// Lists all entries, by game and then by position: game, position, entry.
    pub fn entries(&self) -> impl Iterator<Item = Result<(&str, &str, Entry), BadDatabase>> + '_ {
        self.sections.iter().flat_map(move |section| {
            (0..section.entries).map(move |number| {
                let (position, entry) = self.entry(section, number)?;
                Ok((section.name.as_str(), position, entry))
            })
        })
    }

    fn entry(&self, section: &Section, number: usize) -> Result<(&str, Entry), BadDatabase> {
        self.reader(section, number)?.entry(&section.name)
    }

    /// A reader at the start of an entry.
    fn reader(&self, section: &Section, number: usize) -> Result<EntryReader<'_>, BadDatabase> {
        let bytes = (*self.bytes).as_ref();
        let at = EntryReader::new(bytes, section.index + number * 8).place()?;
        Ok(EntryReader::new(bytes, at))
    }
}

/// Reads the part of the file before the entries.
fn read_head(bytes: &[u8]) -> Result<Vec<Section>, BadDatabase> {
    let mut reader = EntryReader::new(bytes, 0);
    if reader.take(8) != Ok(MAGIC) {
        return Err(BadDatabase::NotADatabase);
    }
    match reader.number(4)? as u32 {
        VERSION => {}
        version if version.swap_bytes() == VERSION => return Err(BadDatabase::ByteOrder),
        version => return Err(BadDatabase::Version(version)),
    }
    if reader.place()? != bytes.len() {
        return Err(BadDatabase::Truncated);
    }
    let mut sections = Vec::new();
    for _ in 0..reader.number(4)? {
        sections.push(read_section(&mut reader)?);
    }
    let head = &bytes[..reader.at()];
    if reader.number(8)? != checksum(&[head]) {
        return Err(BadDatabase::Damaged);
    }
    check_sections(&sections, reader.at(), bytes.len())?;
    Ok(sections)
}

/// Checks the numbers of all sections against the length of the file.
fn check_sections(sections: &[Section], head: usize, length: usize) -> Result<(), BadDatabase> {
    if !sections.is_sorted_by(|one, next| one.name < next.name) {
        return Err(BadDatabase::Inconsistent("games are not in order"));
    }
    let mut entries: u64 = 0;
    for section in sections {
        let size = section.entries.checked_mul(8);
        let end = size.and_then(|size| size.checked_add(section.index));
        if section.index < head || end.is_none_or(|end| end > length) {
            return Err(BadDatabase::Inconsistent("an index outside the file"));
        }
        entries = entries.saturating_add(section.entries as u64);
    }
    if entries.saturating_mul(SMALLEST_ENTRY) > length as u64 {
        return Err(BadDatabase::Inconsistent(
            "more entries than fit into the file",
        ));
    }
    Ok(())
}

fn read_section(reader: &mut EntryReader) -> Result<Section, BadDatabase> {
    let name = reader.text()?.to_owned();
    let (entries, index) = (reader.place()?, reader.place()?);
    let longest = reader.number(4)? as usize;
    Ok(Section {
        kind: Kind::named(&name),
        name,
        entries,
        index,
        longest,
    })
}

/// Parses a number.
fn number(text: &str) -> Option<Dyadic> {
    crate::rules::parse_number(text).ok()
}

#[cfg(test)]
mod tests;
