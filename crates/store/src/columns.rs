//! Tags by column: each distinct value once, and for each game the number of its value.

use std::sync::OnceLock;

use hashbrown::HashTable;
use rustc_hash::FxHashMap;
use twox_hash::XxHash3_64;

use crate::bytes::{BitWriter, Bytes, Damage, get_bits, put_str, put_varint, width_of};

/// Columns with a value in fewer than one game of this many list those games.
const SPARSE: usize = 6;
/// The compression level of the values: they are few.
const LEVEL: i32 = 6;
/// The most bytes of values in a column, against damaged lengths.
const VALUES_LIMIT: usize = 1 << 31;

/// Distinct strings, numbered in the order of their first appearance.
#[derive(Debug, Default)]
pub(crate) struct Values {
    text: String,
    ends: Vec<u32>,
    table: HashTable<u32>,
}

impl Values {
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn get(&self, id: u32) -> &str {
        text_at(&self.text, &self.ends, id)
    }

    /// The number of a string, which is added if it is new.
    pub fn id(&mut self, value: &str) -> u32 {
        let Values { text, ends, table } = self;
        let hash = XxHash3_64::oneshot(value.as_bytes());
        let known = table.find(hash, |&id| text_at(text, ends, id) == value);
        if let Some(&id) = known {
            return id;
        }
        let id = ends.len() as u32;
        text.push_str(value);
        ends.push(text.len() as u32);
        table.insert_unique(hash, id, |&id| {
            XxHash3_64::oneshot(text_at(text, ends, id).as_bytes())
        });
        id
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len() as u32).map(|id| self.get(id))
    }
}

fn text_at<'a>(text: &'a str, ends: &[u32], id: u32) -> &'a str {
    let start = match id {
        0 => 0,
        _ => ends.get(id as usize - 1).map_or(0, |&end| end as usize),
    };
    let end = ends.get(id as usize).map_or(start, |&end| end as usize);
    text.get(start..end).unwrap_or_default()
}

/// A column under construction.
#[derive(Debug, Default)]
pub(crate) struct ColumnBuilder {
    pub name: String,
    pub values: Values,
    /// Games in ascending order, and their values.
    pub rows: Vec<(u32, u32)>,
    /// The value of the row before: neighbouring games often share it.
    last: u32,
}

impl ColumnBuilder {
    pub fn new(name: &str) -> ColumnBuilder {
        ColumnBuilder {
            name: name.into(),
            ..ColumnBuilder::default()
        }
    }

    pub fn push(&mut self, game: u32, value: &str) {
        let same = (self.last as usize) < self.values.len() && self.values.get(self.last) == value;
        if !same {
            self.last = self.values.id(value);
        }
        self.rows.push((game, self.last));
    }

    /// Appends the rows of another column, whose games follow after `base` games.
    pub fn append(&mut self, other: &ColumnBuilder, base: u32) {
        let ids: Vec<u32> = other
            .values
            .iter()
            .map(|value| self.values.id(value))
            .collect();
        let rows = other.rows.iter();
        self.rows
            .extend(rows.map(|&(game, id)| (game + base, ids[id as usize])));
    }

    /// The column as bytes.
    pub fn encode(&self, games: u32, out: &mut Vec<u8>) {
        put_str(out, &self.name);
        put_varint(out, self.values.len() as u64);
        let mut text = Vec::new();
        self.values
            .iter()
            .for_each(|value| put_str(&mut text, value));
        let packed = zstd::bulk::compress(&text, LEVEL).unwrap_or_default();
        put_varint(out, text.len() as u64);
        put_varint(out, packed.len() as u64);
        out.extend_from_slice(&packed);
        let sparse = self.rows.len() * SPARSE < games as usize;
        out.push(u8::from(sparse));
        let rows = match sparse {
            true => self.sparse_rows(),
            false => self.dense_rows(games),
        };
        put_varint(out, rows.len() as u64);
        out.extend_from_slice(&rows);
    }

    fn sparse_rows(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut last = 0;
        for &(game, id) in &self.rows {
            put_varint(&mut out, u64::from(game - last));
            put_varint(&mut out, u64::from(id));
            last = game;
        }
        out
    }

    fn dense_rows(&self, games: u32) -> Vec<u8> {
        let width = width_of(self.values.len() as u32);
        let mut bits = BitWriter::default();
        let mut rows = self.rows.iter().peekable();
        for game in 0..games {
            let row = rows.next_if(|&&(other, _)| other == game);
            bits.put(row.map_or(0, |&(_, id)| id + 1), width);
        }
        bits.finish()
    }
}

/// A stored column.
#[derive(Debug)]
pub(crate) struct Column {
    pub name: String,
    count: u32,
    /// The length of the values before compression.
    text_len: usize,
    packed: Vec<u8>,
    rows: Rows,
    values: OnceLock<Values>,
}

#[derive(Debug)]
enum Rows {
    Sparse(Vec<(u32, u32)>),
    Dense { bits: Vec<u8>, width: u32 },
}

impl Column {
    pub fn read(bytes: &mut Bytes) -> Result<Column, Damage> {
        let name = bytes.str()?.to_string();
        let count = bytes.varint32()?;
        let text_len = bytes.count()?;
        if text_len > VALUES_LIMIT {
            return Err(bytes.damage());
        }
        let packed_len = bytes.count()?;
        let packed = bytes.take(packed_len)?.to_vec();
        let sparse = bytes.u8()? != 0;
        let len = bytes.count()?;
        let rows = bytes.take(len)?;
        let rows = match sparse {
            true => Rows::Sparse(read_sparse(rows)?),
            false => Rows::Dense {
                bits: rows.to_vec(),
                width: width_of(count),
            },
        };
        Ok(Column {
            name,
            count,
            text_len,
            packed,
            rows,
            values: OnceLock::new(),
        })
    }

    /// The number of a game's value.
    #[inline]
    pub fn id(&self, game: u32) -> Option<u32> {
        match &self.rows {
            Rows::Sparse(rows) => {
                let at = rows.binary_search_by_key(&game, |&(game, _)| game).ok()?;
                Some(rows[at].1)
            }
            Rows::Dense { bits, width } => {
                get_bits(bits, game as usize * *width as usize, *width).checked_sub(1)
            }
        }
    }

    /// All distinct values.
    pub fn values(&self) -> Result<&Values, Damage> {
        if let Some(values) = self.values.get() {
            return Ok(values);
        }
        let values = self.unpack()?;
        Ok(self.values.get_or_init(|| values))
    }

    fn unpack(&self) -> Result<Values, Damage> {
        let damage = Damage("tags");
        let text = zstd::bulk::decompress(&self.packed, self.text_len).map_err(|_| damage)?;
        let mut bytes = Bytes::new(&text, "tags");
        let mut values = Values::default();
        for _ in 0..self.count {
            values.text.push_str(bytes.str()?);
            values.ends.push(values.text.len() as u32);
        }
        Ok(values)
    }
}

fn read_sparse(rows: &[u8]) -> Result<Vec<(u32, u32)>, Damage> {
    let mut bytes = Bytes::new(rows, "tags");
    let mut read = Vec::new();
    let mut game = 0u32;
    while !bytes.is_empty() {
        game = game.checked_add(bytes.varint32()?).ok_or(bytes.damage())?;
        read.push((game, bytes.varint32()?));
    }
    Ok(read)
}

/// The tags of all games: a column for each name, a second one for names that occur twice in a game.
#[derive(Debug, Default)]
pub(crate) struct TagsBuilder {
    pub columns: Vec<ColumnBuilder>,
    /// The order of columns in a game, as a string of their numbers.
    orders: ColumnBuilder,
    names: FxHashMap<String, Name>,
    /// A number for each list of tags, to see which columns it has used.
    list: u64,
    order: String,
}

/// The columns with one name.
#[derive(Debug, Default)]
struct Name {
    columns: Vec<u32>,
    /// How many of them the list of tags with this number has used.
    used: usize,
    list: u64,
}

impl TagsBuilder {
    pub fn push<'a>(&mut self, game: u32, tags: impl Iterator<Item = (&'a str, &'a str)>) {
        self.list += 1;
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        for (name, value) in tags {
            let column = self.column(name);
            self.columns[column as usize].push(game, value);
            order.push(number_char(column));
        }
        self.orders.push(game, &order);
        self.order = order;
    }

    /// The first column with this name that the current list of tags does not use yet.
    fn column(&mut self, name: &str) -> u32 {
        if !self.names.contains_key(name) {
            self.names.insert(name.into(), Name::default());
        }
        let Some(entry) = self.names.get_mut(name) else {
            return 0;
        };
        if entry.list != self.list {
            (entry.list, entry.used) = (self.list, 0);
        }
        if entry.used == entry.columns.len() {
            entry.columns.push(self.columns.len() as u32);
            self.columns.push(ColumnBuilder::new(name));
        }
        entry.used += 1;
        entry.columns[entry.used - 1]
    }

    /// Appends the tags of games that follow after `base` games.
    pub fn append(&mut self, other: &TagsBuilder, base: u32) {
        self.list += 1;
        let columns = other.columns.iter().map(|column| {
            let at = self.column(&column.name);
            self.columns[at as usize].append(column, base);
            at
        });
        let columns: Vec<u32> = columns.collect();
        let mut orders = ColumnBuilder::default();
        for order in other.orders.values.iter() {
            let renamed = order.chars().filter_map(|c| columns.get(char_number(c)));
            orders
                .values
                .id(&renamed.map(|&at| number_char(at)).collect::<String>());
        }
        orders.rows.clone_from(&other.orders.rows);
        self.orders.append(&orders, base);
    }

    pub fn encode(&self, games: u32) -> Vec<u8> {
        let mut out = Vec::new();
        put_varint(&mut out, self.columns.len() as u64);
        self.orders.encode(games, &mut out);
        self.columns
            .iter()
            .for_each(|column| column.encode(games, &mut out));
        out
    }
}

/// A column's number as a letter; the numbers that are no letters are left out.
fn number_char(number: u32) -> char {
    let letter = if number < 0xD800 {
        number
    } else {
        number + 0x800
    };
    char::from_u32(letter).unwrap_or(char::MAX)
}

fn char_number(letter: char) -> usize {
    match letter as usize {
        small @ ..0xD800 => small,
        large => large - 0x800,
    }
}

/// The stored tags of all games.
#[derive(Debug)]
pub(crate) struct Tags {
    orders: Column,
    pub columns: Vec<Column>,
}

impl Tags {
    pub fn read(bytes: &[u8]) -> Result<Tags, Damage> {
        let mut bytes = Bytes::new(bytes, "tags");
        let count = bytes.count_within()?;
        let orders = Column::read(&mut bytes)?;
        let columns = (0..count).map(|_| Column::read(&mut bytes));
        Ok(Tags {
            orders,
            columns: columns.collect::<Result<_, _>>()?,
        })
    }

    /// Calls `each` with the tags of a game in order.
    pub fn of_game(&self, game: u32, mut each: impl FnMut(&str, &str)) -> Result<(), Damage> {
        let Some(order) = self.orders.id(game) else {
            return Err(Damage("tags"));
        };
        for number in self.orders.values()?.get(order).chars() {
            let column = self
                .columns
                .get(char_number(number))
                .ok_or(Damage("tags"))?;
            let id = column.id(game).ok_or(Damage("tags"))?;
            each(&column.name, column.values()?.get(id));
        }
        Ok(())
    }

    /// The first column with this name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_come_back_in_order() {
        let games: [&[(&str, &str)]; 4] = [
            &[("White", "Anna"), ("Black", "Boris"), ("White", "again")],
            &[("Black", "Boris"), ("White", "Çelik")],
            &[],
            &[("ECO", ""), ("White", "Anna")],
        ];
        let (mut first, mut second) = (TagsBuilder::default(), TagsBuilder::default());
        first.push(0, games[0].iter().copied());
        second.push(0, games[1].iter().copied());
        second.push(1, games[2].iter().copied());
        second.push(2, games[3].iter().copied());
        let mut all = TagsBuilder::default();
        all.append(&first, 0);
        all.append(&second, 1);
        let tags = Tags::read(&all.encode(4)).unwrap();
        for (game, expected) in games.iter().enumerate() {
            let mut read = Vec::new();
            tags.of_game(game as u32, |name, value| {
                read.push((name.to_string(), value.to_string()))
            })
            .unwrap();
            let expected = expected
                .iter()
                .map(|(name, value)| (name.to_string(), value.to_string()));
            assert_eq!(read, expected.collect::<Vec<_>>());
        }
    }
}
