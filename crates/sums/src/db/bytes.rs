//! Encodes and decodes entries; [`super`] describes the format.

use super::{BadDatabase, Entry, number};
use crate::fnv::checksum;
use crate::input::Scaffold;
use crate::player::ByPlayer;
use crate::value::Outcome;

/// Reads numbers and texts, with bounds checks.
pub(super) struct EntryReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> EntryReader<'a> {
    pub fn new(bytes: &'a [u8], at: usize) -> EntryReader<'a> {
        EntryReader { bytes, at }
    }

    pub fn at(&self) -> usize {
        self.at
    }

    pub fn take(&mut self, length: usize) -> Result<&'a [u8], BadDatabase> {
        let end = self.at.checked_add(length).ok_or(BadDatabase::Truncated)?;
        let taken = self.bytes.get(self.at..end).ok_or(BadDatabase::Truncated)?;
        self.at = end;
        Ok(taken)
    }

    pub fn number(&mut self, bytes: usize) -> Result<u64, BadDatabase> {
        let mut number = [0; 8];
        number[..bytes].copy_from_slice(self.take(bytes)?);
        Ok(u64::from_le_bytes(number))
    }

    pub fn place(&mut self) -> Result<usize, BadDatabase> {
        usize::try_from(self.number(8)?).map_err(|_| BadDatabase::Truncated)
    }

    /// The bytes of a text.
    pub fn bytes(&mut self) -> Result<&'a [u8], BadDatabase> {
        let length = self.number(4)? as usize;
        self.take(length)
    }

    pub fn text(&mut self) -> Result<&'a str, BadDatabase> {
        std::str::from_utf8(self.bytes()?)
            .map_err(|_| BadDatabase::Inconsistent("text that is not UTF-8"))
    }

    /// A text that may be empty.
    fn optional_text(&mut self) -> Result<Option<String>, BadDatabase> {
        let text = self.text()?;
        Ok((!text.is_empty()).then(|| text.to_owned()))
    }

    fn list(&mut self) -> Result<Vec<&'a str>, BadDatabase> {
        (0..self.number(4)?).map(|_| self.text()).collect()
    }

    /// Reads an entry of the game with this name, and its position.
    pub fn entry(&mut self, game: &str) -> Result<(&'a str, Entry), BadDatabase> {
        // 1. The checksum comes first: without it nothing in the entry is interpreted.
        let start = self.at;
        self.skip_entry()?;
        let end = self.at;
        if self.number(8)? != checksum(&[game.as_bytes(), &self.bytes[start..end]]) {
            return Err(BadDatabase::Damaged);
        }
        // 2. Decode the entry.
        let mut entry = EntryReader::new(&self.bytes[..end], start);
        let position = entry.text()?;
        Ok((position, entry.facts()?))
    }

    /// Skips an entry by its lengths.
    fn skip_entry(&mut self) -> Result<(), BadDatabase> {
        self.bytes()?;
        self.take(1)?;
        (0..3).try_for_each(|_| self.bytes().map(drop))?;
        (0..2).try_for_each(|_| self.skip_list())?;
        self.bytes()?;
        (0..2).try_for_each(|_| self.skip_list())
    }

    fn skip_list(&mut self) -> Result<(), BadDatabase> {
        (0..self.number(4)?).try_for_each(|_| self.bytes().map(drop))
    }

    fn facts(&mut self) -> Result<Entry, BadDatabase> {
        let outcome = match self.number(1)? {
            1 => Outcome::Left,
            2 => Outcome::Right,
            3 => Outcome::Next,
            4 => Outcome::Previous,
            _ => return Err(BadDatabase::Inconsistent("unknown outcome")),
        };
        let value = self.optional_text()?;
        let (low, high) = (self.optional_text()?, self.optional_text()?);
        let (left, right) = (self.wall()?, self.wall()?);
        let walls = ByPlayer { left, right };
        Ok(Entry {
            outcome,
            value,
            bounds: low.zip(high).map(|(low, high)| [low, high]),
            thermograph: (!walls.left.is_empty()).then_some(walls),
            equal: self.optional_text()?,
            dominated: ByPlayer {
                left: self.moves()?,
                right: self.moves()?,
            },
        })
    }

    fn wall(&mut self) -> Result<Scaffold, BadDatabase> {
        let texts = self.list()?;
        let point = |pair: &[&str]| match pair {
            [value, temperature] => number(value).zip(number(temperature)),
            _ => None,
        };
        let points = texts.chunks(2).map(point);
        points
            .collect::<Option<Scaffold>>()
            .ok_or(BadDatabase::Inconsistent(
                "a wall of a thermograph without numbers",
            ))
    }

    fn moves(&mut self) -> Result<Vec<String>, BadDatabase> {
        Ok(self.list()?.into_iter().map(str::to_owned).collect())
    }
}

/// Appends an entry of the game with this name.
pub(super) fn write_entry(game: &str, position: &str, entry: &Entry, bytes: &mut Vec<u8>) {
    let start = bytes.len();
    write_text(position, bytes);
    bytes.push(match entry.outcome {
        Outcome::Left => 1,
        Outcome::Right => 2,
        Outcome::Next => 3,
        Outcome::Previous => 4,
    });
    write_text(entry.value.as_deref().unwrap_or(""), bytes);
    let [low, high] = entry
        .bounds
        .as_ref()
        .map_or(["", ""], |bounds| [&bounds[0], &bounds[1]]);
    write_text(low, bytes);
    write_text(high, bytes);
    let walls = entry.thermograph.clone().unwrap_or_default();
    write_wall(&walls.left, bytes);
    write_wall(&walls.right, bytes);
    write_text(entry.equal.as_deref().unwrap_or(""), bytes);
    write_list(&entry.dominated.left, bytes);
    write_list(&entry.dominated.right, bytes);
    let sum = checksum(&[game.as_bytes(), &bytes[start..]]);
    bytes.extend(sum.to_le_bytes());
}

pub(super) fn write_text(text: &str, bytes: &mut Vec<u8>) {
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text.as_bytes());
}

fn write_list(texts: &[String], bytes: &mut Vec<u8>) {
    bytes.extend((texts.len() as u32).to_le_bytes());
    texts.iter().for_each(|text| write_text(text, bytes));
}

fn write_wall(wall: &Scaffold, bytes: &mut Vec<u8>) {
    let texts = wall
        .iter()
        .flat_map(|(value, temperature)| [value.to_string(), temperature.to_string()]);
    write_list(&texts.collect::<Vec<_>>(), bytes);
}
