//! Rows of a table, kept column by column.

use std::ops::Range;

use super::{Field, Kind};

/// A value in a row.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Cell<'a> {
    /// No value.
    Null,
    /// A value of [`Kind::Bool`].
    Bool(bool),
    /// A value of [`Kind::I16`], [`Kind::I32`] or [`Kind::I64`].
    Int(i64),
    /// A value of [`Kind::U64`].
    Unsigned(u64),
    /// A value of [`Kind::F32`].
    Float(f32),
    /// A value of [`Kind::Text`].
    Text(&'a str),
}

impl<'a> Cell<'a> {
    /// A text, or no value.
    pub fn text(text: Option<&'a str>) -> Cell<'a> {
        text.map_or(Cell::Null, Cell::Text)
    }

    /// A number, or no value.
    pub fn int(number: Option<impl Into<i64>>) -> Cell<'a> {
        number.map_or(Cell::Null, |number| Cell::Int(number.into()))
    }
}

/// Consecutive rows of a table.
#[derive(Clone, Debug)]
pub struct Rows {
    pub(super) columns: Vec<Column>,
    len: usize,
    bytes: usize,
}

impl Rows {
    /// No rows, with these columns.
    pub fn new(fields: &[Field]) -> Rows {
        Rows {
            columns: fields.iter().map(Column::new).collect(),
            len: 0,
            bytes: 0,
        }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// About the memory of the values.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Adds a row: one cell for each column, of its type. A cell of another type counts as 0, false
    /// or an empty text.
    pub fn push<const N: usize>(&mut self, cells: [Cell<'_>; N]) {
        debug_assert_eq!(N, self.columns.len(), "a cell for each column");
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            self.bytes += column.push(cell);
        }
        self.len += 1;
    }

    /// Adds later rows of the same table.
    pub fn append(&mut self, later: &Rows) {
        for (column, later) in self.columns.iter_mut().zip(&later.columns) {
            column.append(later);
        }
        self.len += later.len;
        self.bytes += later.bytes;
    }

    /// The cells of a column, by its number.
    pub fn cells(&self, column: usize) -> impl Iterator<Item = Cell<'_>> {
        self.columns.get(column).into_iter().flat_map(Column::cells)
    }

    pub(super) fn of_columns(columns: Vec<Column>, len: usize) -> Rows {
        let bytes = columns.iter().map(|column| column.values.bytes()).sum();
        Rows {
            columns,
            len,
            bytes,
        }
    }
}

/// The values of a column.
#[derive(Clone, Debug)]
pub(super) struct Column {
    kind: Kind,
    /// For each row 1 if there is a value, else 0; empty if every row has one.
    pub present: Vec<i16>,
    nullable: bool,
    pub values: Values,
}

/// Values of one type, without those that are missing.
#[derive(Clone, Debug)]
pub(super) enum Values {
    Bool(Vec<bool>),
    I32(Vec<i32>),
    I64(Vec<i64>),
    F32(Vec<f32>),
    Text(Texts),
}

/// Texts one after another.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    pub text: String,
    pub ends: Vec<usize>,
}

impl Texts {
    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.ends.push(self.text.len());
    }

    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| start..end)
    }
}

impl Column {
    pub fn new(field: &Field) -> Column {
        Column {
            kind: field.kind,
            present: Vec::new(),
            nullable: field.nullable,
            values: Values::new(field.kind),
        }
    }

    /// Adds a cell and returns the memory that it takes.
    fn push(&mut self, cell: Cell) -> usize {
        if self.nullable {
            let present = cell != Cell::Null;
            self.present.push(i16::from(present));
            if !present {
                return 2;
            }
        }
        match (&mut self.values, cell) {
            (Values::Bool(values), cell) => values.push(cell == Cell::Bool(true)),
            (Values::I32(values), Cell::Int(number)) => {
                values.push(i32::try_from(number).unwrap_or(i32::MAX));
            }
            (Values::I64(values), Cell::Int(number)) => values.push(number),
            (Values::I64(values), Cell::Unsigned(number)) => values.push(number as i64),
            (Values::F32(values), Cell::Float(number)) => values.push(number),
            (Values::Text(texts), Cell::Text(text)) => {
                texts.push(text);
                return text.len() + 8;
            }
            (Values::I32(values), _) => values.push(0),
            (Values::I64(values), _) => values.push(0),
            (Values::F32(values), _) => values.push(0.0),
            (Values::Text(texts), _) => texts.push(""),
        }
        8
    }

    fn append(&mut self, later: &Column) {
        self.present.extend_from_slice(&later.present);
        match (&mut self.values, &later.values) {
            (Values::Bool(values), Values::Bool(later)) => values.extend_from_slice(later),
            (Values::I32(values), Values::I32(later)) => values.extend_from_slice(later),
            (Values::I64(values), Values::I64(later)) => values.extend_from_slice(later),
            (Values::F32(values), Values::F32(later)) => values.extend_from_slice(later),
            (Values::Text(texts), Values::Text(later)) => {
                let start = texts.text.len();
                texts.text.push_str(&later.text);
                texts.ends.extend(later.ends.iter().map(|end| start + end));
            }
            _ => debug_assert!(false, "rows of the same table"),
        }
    }

    fn cells(&self) -> impl Iterator<Item = Cell<'_>> {
        let mut values = self.values.cells(self.kind);
        let all = self.present.is_empty();
        let rows = if all {
            self.values.len()
        } else {
            self.present.len()
        };
        (0..rows).map(move |row| match all || self.present[row] == 1 {
            true => values.next().unwrap_or(Cell::Null),
            false => Cell::Null,
        })
    }
}

impl Values {
    pub fn new(kind: Kind) -> Values {
        match kind {
            Kind::Bool => Values::Bool(Vec::new()),
            Kind::I16 | Kind::I32 => Values::I32(Vec::new()),
            Kind::I64 | Kind::U64 => Values::I64(Vec::new()),
            Kind::F32 => Values::F32(Vec::new()),
            Kind::Text => Values::Text(Texts::default()),
        }
    }

    fn len(&self) -> usize {
        match self {
            Values::Bool(values) => values.len(),
            Values::I32(values) => values.len(),
            Values::I64(values) => values.len(),
            Values::F32(values) => values.len(),
            Values::Text(texts) => texts.ends.len(),
        }
    }

    fn bytes(&self) -> usize {
        let texts = match self {
            Values::Text(texts) => texts.text.len(),
            _ => 0,
        };
        8 * self.len() + texts
    }

    fn cells(&self, kind: Kind) -> Box<dyn Iterator<Item = Cell<'_>> + '_> {
        match self {
            Values::Bool(values) => Box::new(values.iter().map(|&value| Cell::Bool(value))),
            Values::I32(values) => Box::new(values.iter().map(|&value| Cell::Int(value.into()))),
            Values::I64(values) if kind == Kind::U64 => {
                Box::new(values.iter().map(|&value| Cell::Unsigned(value as u64)))
            }
            Values::I64(values) => Box::new(values.iter().map(|&value| Cell::Int(value))),
            Values::F32(values) => Box::new(values.iter().map(|&value| Cell::Float(value))),
            Values::Text(texts) => {
                Box::new(texts.ranges().map(|range| Cell::Text(&texts.text[range])))
            }
        }
    }
}
