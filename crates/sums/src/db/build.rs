//! Building databases: entries from solvers, from journals and from other databases.

use super::bytes::{EntryReader, write_entry, write_text};
use super::{BadDatabase, Database, Entry, MAGIC, VALUE_STEPS, VERSION};
use crate::fnv::checksum;
use crate::game::Kind;
use crate::value::{Forms, Value};
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

/// The first bytes of a journal.
const JOURNAL: &[u8; 8] = b"GTSUMSJ2";

/// Collects entries for a database.
#[derive(Default)]
pub struct Builder {
    sections: BTreeMap<String, BTreeMap<String, Entry>>,
}

impl Builder {
    /// Adds an entry about a position of a game; a contradiction is an error.
    pub fn insert(&mut self, game: &str, position: &str, entry: Entry) -> Result<(), BadDatabase> {
        let section = self.sections.entry(game.to_owned()).or_default();
        let entry = match section.remove(position) {
            None => entry,
            Some(known) => known
                .merge(entry)
                .ok_or_else(|| BadDatabase::Conflict(format!("{game} {position}")))?,
        };
        section.insert(position.to_owned(), entry);
        Ok(())
    }

    /// Adds the entries of a database.
    pub fn merge(&mut self, database: &Database) -> Result<(), BadDatabase> {
        for found in database.entries() {
            let (game, position, entry) = found?;
            self.insert(game, position, entry)?;
        }
        Ok(())
    }

    /// Returns true if there is an entry about this position.
    pub fn contains(&self, game: &str, position: &str) -> bool {
        let section = self.sections.get(game);
        section.is_some_and(|section| section.contains_key(position))
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.sections.values().map(BTreeMap::len).sum()
    }

    /// Returns true if there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Sets the simplest equal sum of every entry whose value is known: number + ups + nimber, or
    /// else the shortest position among all entries plus a number.
    pub fn link_equals(&mut self, forms: &mut Forms) {
        // 1. The shortest position of each value, up to a number.
        let mut simplest: HashMap<Value, (String, Value)> = HashMap::new();
        let mut parts: Vec<Option<(Value, Value)>> = Vec::new();
        for (game, position, entry) in self.each() {
            let part = entry.value.as_deref().and_then(|text| split(forms, text));
            if let Some((hot, number)) = part
                && can_be_typed(game, position)
            {
                let name = named(game, position);
                let known = simplest
                    .entry(hot)
                    .or_insert_with(|| (name.clone(), number));
                if (name.len(), &name) < (known.0.len(), &known.0) {
                    *known = (name, number);
                }
            }
            parts.push(part);
        }
        // 2. The simplest sum equal to each entry.
        let mut equals = Vec::new();
        for ((game, position, _), part) in self.each().zip(parts) {
            equals.push(part.and_then(|(hot, number)| {
                let name = named(game, position);
                equal_sum(forms, &name, hot, number, &simplest)
            }));
        }
        let entries = self.sections.values_mut().flat_map(BTreeMap::values_mut);
        entries
            .zip(equals)
            .for_each(|(entry, equal)| entry.equal = equal);
    }

    fn each(&self) -> impl Iterator<Item = (&str, &str, &Entry)> {
        self.sections.iter().flat_map(|(game, entries)| {
            entries
                .iter()
                .map(move |(position, entry)| (game.as_str(), position.as_str(), entry))
        })
    }

    /// The bytes of the database.
    pub fn finish(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        let length_at = bytes.len();
        bytes.extend(0u64.to_le_bytes());
        bytes.extend((self.sections.len() as u32).to_le_bytes());
        // 1. The table of sections, with space for the offset of each index and for the checksum.
        let mut places = Vec::new();
        for (name, entries) in &self.sections {
            write_text(name, &mut bytes);
            bytes.extend((entries.len() as u64).to_le_bytes());
            places.push(bytes.len());
            bytes.extend(0u64.to_le_bytes());
            let longest = entries.keys().map(String::len).max().unwrap_or(0);
            bytes.extend((longest as u32).to_le_bytes());
        }
        let head = bytes.len();
        bytes.extend(0u64.to_le_bytes());
        // 2. The entries; their offsets are collected.
        let mut starts = Vec::new();
        for (name, entries) in &self.sections {
            let mut begins = Vec::new();
            for (position, entry) in entries {
                begins.push(bytes.len() as u64);
                write_entry(name, position, entry, &mut bytes);
            }
            starts.push(begins);
        }
        // 3. The indexes.
        for (place, begins) in places.into_iter().zip(starts) {
            let begin = bytes.len() as u64;
            set(&mut bytes, place, begin);
            let index = begins.iter().flat_map(|begin| begin.to_le_bytes());
            bytes.extend(index);
        }
        // 4. Fill in the offsets and the checksum.
        let length = bytes.len() as u64;
        set(&mut bytes, length_at, length);
        let sum = checksum(&[&bytes[..head]]);
        set(&mut bytes, head, sum);
        bytes
    }
}

/// The journal of a database that is being built: entries in any order, each with its checksum, so
/// that complete entries can be used after a crash.
impl Builder {
    /// The first bytes of a journal.
    pub fn journal_head() -> Vec<u8> {
        JOURNAL.to_vec()
    }

    /// Encodes an entry for a journal.
    pub fn journal_entry(game: &str, position: &str, entry: &Entry) -> Vec<u8> {
        let mut bytes = Vec::new();
        write_text(game, &mut bytes);
        write_entry(game, position, entry, &mut bytes);
        bytes
    }

    /// Adds the complete entries of a journal, and returns the number of bytes they take.
    pub fn read_journal(&mut self, bytes: &[u8]) -> Result<usize, BadDatabase> {
        if !bytes.starts_with(JOURNAL) {
            return Err(BadDatabase::NotADatabase);
        }
        let mut reader = EntryReader::new(bytes, JOURNAL.len());
        let mut whole = reader.at();
        while let Ok(game) = reader.text() {
            let Ok((position, entry)) = reader.entry(game) else {
                break;
            };
            self.insert(game, position, entry)?;
            whole = reader.at();
        }
        Ok(whole)
    }
}

fn set(bytes: &mut [u8], at: usize, number: u64) {
    bytes[at..at + 8].copy_from_slice(&number.to_le_bytes());
}

/// Returns true if a user can type the position: normal forms of some games contain marks.
fn can_be_typed(game: &str, position: &str) -> bool {
    Kind::named(game).is_none_or(|kind| kind.rules().parse(position).is_ok())
}

/// The game and the position as typed.
fn named(game: &str, position: &str) -> String {
    if position.contains([' ', '(']) {
        format!("{game} ({position})")
    } else {
        format!("{game} {position}")
    }
}

/// Splits a value into the value minus its mean, and the mean.
fn split(forms: &mut Forms, text: &str) -> Option<(Value, Value)> {
    // No simpler sum is known for a value that is too complicated.
    forms.allow_steps(VALUE_STEPS);
    let value = forms.parse(text).ok()?;
    let mean = forms.mean(value).ok()?;
    let number = forms.number(mean).ok()?;
    Some((forms.difference(value, number).ok()?, number))
}

/// `3/4 + ^*`, or the shortest position with the same value up to a number; `None` if that is the
/// position itself.
fn equal_sum(
    forms: &mut Forms,
    name: &str,
    hot: Value,
    number: Value,
    simplest: &HashMap<Value, (String, Value)>,
) -> Option<String> {
    forms.allow_steps(VALUE_STEPS);
    if forms.as_nus(hot).is_some() {
        let value = forms.sum(hot, number).ok()?;
        return Some(forms.show(value));
    }
    let (shortest, its_number) = simplest.get(&hot)?;
    if shortest == name {
        return None;
    }
    let rest = forms.difference(number, *its_number).ok()?;
    Some(match forms.as_number(rest)?.sign() {
        Ordering::Equal => shortest.clone(),
        Ordering::Greater => format!("{shortest} + {}", forms.show(rest)),
        Ordering::Less => {
            let rest = forms.negative(rest).ok()?;
            format!("{shortest} - {}", forms.show(rest))
        }
    })
}
