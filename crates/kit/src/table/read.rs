//! Lookups in a table: the statistics of row groups and pages say which pages to read.

use std::fs::{self, File};
use std::ops::Range;
use std::path::{Path, PathBuf};

use parquet::basic::SortOrder;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::page_index::RowGroupPageIndex;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use parquet::file::page_index::column_index::ColumnIndexMetaData;
use parquet::file::reader::{FileReader, RowGroupReader};
use parquet::file::serialized_reader::{ReadOptionsBuilder, SerializedFileReader};
use parquet::file::statistics::Statistics;
use parquet::schema::types::SchemaDescriptor;

use super::pages::Pages;
use super::rows::{Column, Texts, Values};
use super::{Field, Kind, Rows, TableError};

/// A table to look keys up in: a folder of Parquet files, in each of which equal keys are mostly
/// close together. A sorted file is read the least.
#[derive(Debug)]
pub struct Table {
    key: &'static str,
    parts: Vec<Part>,
}

#[derive(Debug)]
struct Part {
    path: PathBuf,
    /// The smallest and the largest key of each row group; `None`: unknown.
    groups: Vec<Option<(u64, u64)>>,
}

impl Table {
    /// Opens the files of a folder; `key` is the column of the keys, of [`Kind::U64`].
    pub fn open(folder: &Path, key: &'static str) -> Result<Table, TableError> {
        let io_error = TableError::io(folder);
        let mut paths = Vec::new();
        for entry in fs::read_dir(folder).map_err(&io_error)? {
            let path = entry.map_err(&io_error)?.path();
            if path.extension().is_some_and(|end| end == "parquet") {
                paths.push(path);
            }
        }
        if paths.is_empty() {
            return Err(TableError::NoParts(folder.to_owned()));
        }
        paths.sort();
        let parts = paths.into_iter().map(|path| Part::open(path, key));
        Ok(Table {
            key,
            parts: parts.collect::<Result<_, _>>()?,
        })
    }

    /// The rows of all pages that can hold the key, with these columns: more rows than those with
    /// the key.
    pub fn near(&self, key: u64, fields: &[Field]) -> Result<Rows, TableError> {
        let mut found = Rows::new(fields);
        for part in &self.parts {
            let may_hold = |range: &Option<(u64, u64)>| {
                range.is_none_or(|(least, greatest)| (least..=greatest).contains(&key))
            };
            for (group, _) in (0..).zip(&part.groups).filter(|(_, range)| may_hold(range)) {
                found.append(&part.read(group, self.key, key, fields)?);
            }
        }
        Ok(found)
    }
}

impl Part {
    fn open(path: PathBuf, key: &'static str) -> Result<Part, TableError> {
        let file = File::open(&path).map_err(TableError::io(&path))?;
        let about = ParquetMetaDataReader::new().parse_and_finish(&file);
        let about = about.map_err(TableError::parquet(&path))?;
        let field = Field::new(key, Kind::U64);
        let column = column_of(about.file_metadata().schema_descr(), &field)
            .ok_or_else(|| TableError::Column(path.clone(), key))?;
        let groups = (0..about.num_row_groups()).map(|group| key_range(&about, group, column));
        Ok(Part {
            groups: groups.collect(),
            path,
        })
    }

    fn read(
        &self,
        group: usize,
        key_name: &'static str,
        key: u64,
        fields: &[Field],
    ) -> Result<Rows, TableError> {
        let reader = self.open_group(group)?;
        let schema = reader.metadata().file_metadata().schema_descr();
        let column = |field: &Field| {
            column_of(schema, field)
                .ok_or_else(|| TableError::Column(self.path.clone(), field.name))
        };
        let key_column = column(&Field::new(key_name, Kind::U64))?;
        let invalid = TableError::parquet(&self.path);
        let rows = reader.get_row_group(0).map_err(&invalid)?;
        let count = usize::try_from(rows.metadata().num_rows()).unwrap_or(0);
        let index = reader.metadata().page_index_for_row_group(0);
        let range = rows_near(&index, key_column, key, count).unwrap_or(0..count);
        let size = fs::metadata(&self.path).map_err(TableError::io(&self.path))?;
        let columns = fields.iter().map(|field| {
            let at = column(field)?;
            let pages = Pages::of(
                &*rows,
                at,
                index.page_locations(at).map(Vec::as_slice),
                size.len(),
            );
            let pages = pages.map_err(&invalid)?;
            read_column(&*rows, at, pages, field, range.clone()).map_err(&invalid)
        });
        let columns: Vec<Column> = columns.collect::<Result<_, _>>()?;
        Ok(Rows::of_columns(columns, range.len()))
    }

    /// The file with one row group, and the statistics of its pages if there are any.
    fn open_group(&self, group: usize) -> Result<SerializedFileReader<File>, TableError> {
        let open = || File::open(&self.path).map_err(TableError::io(&self.path));
        let only = || ReadOptionsBuilder::new().with_predicate(Box::new(move |_, at| at == group));
        let with_pages = only().with_page_index().build();
        if let Ok(reader) = SerializedFileReader::new_with_options(open()?, with_pages) {
            return Ok(reader);
        }
        SerializedFileReader::new_with_options(open()?, only().build())
            .map_err(TableError::parquet(&self.path))
    }
}

/// The number of a column with this name, and values of this type.
fn column_of(schema: &SchemaDescriptor, field: &Field) -> Option<usize> {
    use parquet::basic::Type;
    let mut columns = schema.columns().iter();
    let at = columns.position(|column| column.path().string() == field.name)?;
    let column = schema.column(at);
    let physical = match field.kind {
        Kind::Bool => Type::BOOLEAN,
        Kind::I16 | Kind::I32 => Type::INT32,
        Kind::I64 | Kind::U64 => Type::INT64,
        Kind::F32 => Type::FLOAT,
        Kind::Text => Type::BYTE_ARRAY,
    };
    let is_unsigned = column.sort_order() == SortOrder::UNSIGNED;
    let fits = column.physical_type() == physical
        && column.max_rep_level() == 0
        && column.max_def_level() <= 1
        && (field.kind != Kind::U64 || is_unsigned);
    fits.then_some(at)
}

/// The smallest and the largest key of a row group.
fn key_range(about: &ParquetMetaData, group: usize, column: usize) -> Option<(u64, u64)> {
    match about.row_group(group).column(column).statistics()? {
        Statistics::Int64(found) => Some((*found.min_opt()? as u64, *found.max_opt()? as u64)),
        _ => None,
    }
}

/// The rows from the first to the last page that can hold a key.
fn rows_near(
    index: &RowGroupPageIndex,
    column: usize,
    key: u64,
    count: usize,
) -> Option<Range<usize>> {
    let ColumnIndexMetaData::INT64(pages) = index.column_index(column)? else {
        return None;
    };
    let starts = index.page_locations(column)?;
    let start = |page: usize| usize::try_from(starts.get(page)?.first_row_index).ok();
    let may_hold = |page: &usize| match (pages.min_value(*page), pages.max_value(*page)) {
        (Some(&least), Some(&greatest)) => (least as u64..=greatest as u64).contains(&key),
        _ => true,
    };
    let mut candidates = (0..starts.len()).filter(may_hold);
    let Some(first) = candidates.next() else {
        return Some(0..0);
    };
    let last = candidates.next_back().unwrap_or(first);
    let end = match last + 1 == starts.len() {
        true => count,
        false => start(last + 1)?.min(count),
    };
    Some(start(first)?..end)
}

fn read_column(
    group: &dyn RowGroupReader,
    at: usize,
    pages: Pages,
    field: &Field,
    rows: Range<usize>,
) -> ParquetResult<Column> {
    let mut column = Column::new(field);
    let present = &mut column.present;
    let about = group.metadata().column(at).column_descr_ptr();
    let optional = about.max_def_level() > 0;
    match (
        get_column_reader(about, Box::new(pages)),
        &mut column.values,
    ) {
        (ColumnReader::BoolColumnReader(reader), Values::Bool(values)) => {
            read_values(reader, rows, optional, present, values)
        }
        (ColumnReader::Int32ColumnReader(reader), Values::I32(values)) => {
            read_values(reader, rows, optional, present, values)
        }
        (ColumnReader::Int64ColumnReader(reader), Values::I64(values)) => {
            read_values(reader, rows, optional, present, values)
        }
        (ColumnReader::FloatColumnReader(reader), Values::F32(values)) => {
            read_values(reader, rows, optional, present, values)
        }
        (ColumnReader::ByteArrayColumnReader(reader), Values::Text(texts)) => {
            let mut values = Vec::new();
            read_values(reader, rows, optional, present, &mut values)?;
            push_texts(&values, texts)
        }
        _ => Err(ParquetError::General("column of another type".to_owned())),
    }?;
    Ok(column)
}

fn read_values<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    rows: Range<usize>,
    optional: bool,
    present: &mut Vec<i16>,
    values: &mut Vec<T::T>,
) -> ParquetResult<()> {
    reader.skip_records(rows.start)?;
    let levels = optional.then_some(present);
    reader.read_records(rows.len(), levels, None, values)?;
    Ok(())
}

fn push_texts(values: &[ByteArray], texts: &mut Texts) -> ParquetResult<()> {
    values.iter().try_for_each(|value| {
        texts.push(value.as_utf8()?);
        Ok(())
    })
}
