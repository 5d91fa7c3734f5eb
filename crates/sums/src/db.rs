//! Databases of components: what is found out once, kept in a file, used from then on.
//!
//! The bytes of a file, all numbers with their lowest byte first on every machine:
//!
//! ```text
//! 8   "GTSUMSDB"
//! 4   version of the format
//! 8   length of the file
//! 4   number of sections
//!     for each section:
//!       text   the game's name, as in [clobber_1xn]
//!       8      number of entries
//!       8      where its index begins
//!       4      length of its longest position
//! 8   checksum of everything before
//!     for each section, entry after entry in the order of positions:
//!       text   the position, normalised, as the game prints it
//!       1      outcome: 1 Left, 2 Right, 3 the next player, 4 the previous player
//!       text   the value in the usual notation; empty if not known
//!       text   a bound from below, and one from above; empty if not known
//!       list   the walls of the thermograph, Left's and Right's: texts by turns value and
//!              temperature; empty if not known
//!       text   the simplest equal sum; empty if there is none that is simpler
//!       list   Left's moves that are no better than another, and Right's
//!       8      checksum of the game's name and the entry
//!     for each section its index: 8 bytes for each entry, where it begins
//! ```
//!
//! A text is 4 bytes of length and the text, a list 4 bytes of length and the texts; a checksum is
//! FNV-1a with 64 bits. Entries are found by bisection and each is believed only with its own
//! checksum, so that a file can be used from a memory map without being read. Positions and moves
//! are kept as text, so that nothing is believed about the bytes that rulesets use.

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

/// The version of the format that this program writes; whoever changes the format, or how some
/// game prints its positions or moves, raises it.
pub const VERSION: u32 = 2;

const MAGIC: &[u8; 8] = b"GTSUMSDB";

/// Steps that reading a value of an entry may take: a damaged one could take for ever.
pub(crate) const VALUE_STEPS: u64 = 1 << 20;

/// Bytes of values that a check keeps.
const CHECK_BYTES: usize = 1 << 28;

/// Bytes that an entry takes at least, its place in the index included.
const SMALLEST_ENTRY: u64 = 8 + 1 + 9 * 4 + 8;

/// What a database knows about a component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Who wins it.
    pub outcome: Outcome,
    /// Its value in the usual notation, if known.
    pub value: Option<String>,
    /// Values between which it lies, where its own is not known.
    pub bounds: Option<[String; 2]>,
    /// The walls of its thermograph, if known.
    pub thermograph: Option<ByPlayer<Scaffold>>,
    /// The simplest sum that is equal to it, if there is one that is simpler.
    pub equal: Option<String>,
    /// Moves that are no better than another, as they are printed.
    pub dominated: ByPlayer<Vec<String>>,
}

impl Entry {
    /// Who wins, and nothing else.
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

    /// What two entries about one component say together; none if they contradict one another.
    pub fn merge(self, other: Entry) -> Option<Entry> {
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

/// The one that is known; none if both are and differ.
fn one_of<T: PartialEq>(one: Option<T>, other: Option<T>) -> Option<Option<T>> {
    match (one, other) {
        (Some(one), Some(other)) if one != other => None,
        (one, other) => Some(one.or(other)),
    }
}

/// What is wrong with the bytes of a database.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BadDatabase {
    /// They do not begin as a database does.
    NotADatabase,
    /// The format is of another version.
    Version(u32),
    /// The numbers have their highest byte first.
    ByteOrder,
    /// They end too early or point outside.
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

/// Bytes that stay where they are: a vector, or a memory map.
pub type Bytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// A database that can be asked.
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
    /// None for a game that this program does not know.
    kind: Option<Kind>,
    entries: usize,
    index: usize,
    /// Longer positions need not be looked for.
    longest: usize,
}

impl Database {
    /// Opens a database; the entries are not looked at.
    pub fn open(bytes: Bytes) -> Result<Database, BadDatabase> {
        let sections = read_head((*bytes).as_ref())?.into();
        Ok(Database {
            bytes,
            sections,
            damaged: Arc::default(),
        })
    }

    /// Reads everything, and checks every checksum and what can be checked of the content.
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

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.games().map(|(_, entries)| entries).sum()
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Could there be an entry about a position whose text has at least this length?
    pub fn may_contain(&self, kind: Kind, length: usize) -> bool {
        let section = self.section(kind);
        section.is_some_and(|section| length <= section.longest)
    }

    fn section(&self, kind: Kind) -> Option<&Section> {
        let mut sections = self.sections.iter();
        sections.find(|section| section.kind == Some(kind))
    }

    /// What is known about a normalised position, as its game prints it.
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

    /// Bisects by positions alone; what is found is believed with its checksum only, and where a
    /// position is damaged the way there is missed.
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

    /// An entry that was asked for turned out to be damaged, and was not believed.
    pub fn is_damaged(&self) -> bool {
        self.damaged.load(Ordering::Relaxed)
    }

    /// Every entry, game by game in the order of positions: game, position, what is known.
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

    /// A reader at the beginning of an entry.
    fn reader(&self, section: &Section, number: usize) -> Result<EntryReader<'_>, BadDatabase> {
        let bytes = (*self.bytes).as_ref();
        let at = EntryReader::new(bytes, section.index + number * 8).place()?;
        Ok(EntryReader::new(bytes, at))
    }
}

/// Reads everything before the entries.
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

/// Reads a number that was written by a value.
fn number(text: &str) -> Option<Dyadic> {
    crate::rules::parse_number(text).ok()
}

#[cfg(test)]
mod tests;
