//! Writing a table: row groups encoded on all cores, parts of a given size, one rename at the end.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{Compression, Encoding, LogicalType, Repetition, Type, ZstdLevel};
use parquet::column::writer::{ColumnCloseResult, ColumnWriter, get_column_writer};
use parquet::data_type::ByteArray;
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::SortingColumn;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{ColumnDescPtr, ColumnPath, SchemaDescriptor, Type as Schema};
use tempfile::TempDir;

use super::rows::{Column, Texts, Values};
use super::{Coding, Field, Kind, Rows, TableError};
use crate::parallel::{End, Workers};
use crate::save::{create_folder_in, remember};
use crate::stop::Stop;

/// Rows of a row group, the unit that readers spread over their threads.
const GROUP_ROWS: usize = 1 << 17;
/// A row group ends earlier if its values take this much memory.
const GROUP_BYTES: usize = 64 << 20;
/// Rows of a page of a sorted table: what a lookup unpacks of each column.
const SORTED_PAGE_ROWS: usize = 1 << 12;

/// How the rows of a table are distributed to files and pages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// A new file begins when one has this many bytes.
    pub part_size: u64,
    /// The rows are sorted by this many columns from the first on. Such a table has statistics of
    /// each page.
    pub sorted_by: usize,
    /// The number of threads.
    pub threads: NonZeroUsize,
}

/// The folder of some tables. If it was made for them and is empty when the last of them is dropped,
/// it is removed again.
#[derive(Debug)]
pub struct TableDir {
    path: PathBuf,
    is_new: bool,
}

impl TableDir {
    /// Makes the folder if necessary.
    pub fn open(path: &Path) -> Result<Arc<TableDir>, TableError> {
        let is_new = !path.exists();
        fs::create_dir_all(path).map_err(TableError::io(path))?;
        Ok(Arc::new(TableDir {
            path: path.to_owned(),
            is_new,
        }))
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for TableDir {
    fn drop(&mut self) {
        if self.is_new {
            // Fails unless the folder is empty.
            fs::remove_dir(&self.path).ok();
        }
    }
}

/// A table that is being written. Dropped before [`Finished::publish`], it leaves no trace.
#[derive(Debug)]
pub struct TableWriter {
    folder: TempDir,
    /// Held as long as the temporary folder is in use.
    _lock: Option<File>,
    /// Dropped after the temporary folder in it.
    dir: Arc<TableDir>,
    target: PathBuf,
    fields: &'static [Field],
    schema: Arc<Schema>,
    columns: Vec<ColumnDescPtr>,
    properties: WriterPropertiesPtr,
    layout: Layout,
    /// Rows of the next row group.
    pending: Rows,
    part: Option<SerializedFileWriter<BufWriter<File>>>,
    parts: u32,
    rows: u64,
}

/// A table whose files are complete but do not have their final place yet.
#[derive(Debug)]
pub struct Finished {
    folder: TempDir,
    _lock: Option<File>,
    _dir: Arc<TableDir>,
    target: PathBuf,
    rows: u64,
}

impl TableWriter {
    /// Starts the table `name`. A table that exists is refused.
    pub fn create(
        dir: &Arc<TableDir>,
        name: &str,
        fields: &'static [Field],
        layout: Layout,
    ) -> Result<TableWriter, TableError> {
        let target = dir.path.join(name);
        refuse_existing(&target)?;
        let made = create_folder_in(&dir.path).map_err(TableError::io(&dir.path));
        let (folder, lock) = made?;
        remember(folder.path());
        let schema = schema(fields).map_err(TableError::parquet(&target))?;
        let columns = SchemaDescriptor::new(schema.clone()).columns().to_vec();
        Ok(TableWriter {
            folder,
            _lock: lock,
            dir: dir.clone(),
            target,
            fields,
            schema,
            columns,
            properties: Arc::new(properties(fields, layout)),
            layout,
            pending: Rows::new(fields),
            part: None,
            parts: 0,
            rows: 0,
        })
    }

    /// Rows for this table.
    pub fn new_rows(&self) -> Rows {
        Rows::new(self.fields)
    }

    /// Adds rows.
    pub fn write(&mut self, rows: &Rows) -> Result<(), TableError> {
        self.pending.append(rows);
        self.write_full_group()
    }

    /// Adds a row.
    pub fn push<const N: usize>(&mut self, cells: [super::Cell<'_>; N]) -> Result<(), TableError> {
        self.pending.push(cells);
        self.write_full_group()
    }

    /// Writes the last rows and completes the last file. A table without rows has one file.
    pub fn finish(mut self) -> Result<Finished, TableError> {
        if !self.pending.is_empty() {
            self.write_group()?;
        }
        if self.parts == 0 {
            self.next_part()?;
        }
        self.close_part()?;
        Ok(Finished {
            folder: self.folder,
            _lock: self._lock,
            _dir: self.dir,
            target: self.target,
            rows: self.rows,
        })
    }

    fn write_full_group(&mut self) -> Result<(), TableError> {
        match self.pending.len() >= GROUP_ROWS || self.pending.bytes() >= GROUP_BYTES {
            true => self.write_group(),
            false => Ok(()),
        }
    }

    fn write_group(&mut self) -> Result<(), TableError> {
        let rows = std::mem::replace(&mut self.pending, Rows::new(self.fields));
        self.rows += rows.len() as u64;
        if self.part.is_none() {
            self.next_part()?;
        }
        let Some(part) = &mut self.part else {
            return Ok(());
        };
        let columns = rows.columns.into_iter().zip(&self.columns);
        let threads = self.layout.threads;
        let done = append_group(part, columns, &self.properties, threads);
        let written = done.map_err(TableError::parquet(&self.target))?;
        match written >= self.layout.part_size {
            true => self.close_part(),
            false => Ok(()),
        }
    }

    fn next_part(&mut self) -> Result<(), TableError> {
        let name = format!("part-{:05}.parquet", self.parts);
        self.parts += 1;
        let file = File::create(self.folder.path().join(name));
        let file = BufWriter::new(file.map_err(TableError::io(&self.target))?);
        let writer = SerializedFileWriter::new(file, self.schema.clone(), self.properties.clone());
        self.part = Some(writer.map_err(TableError::parquet(&self.target))?);
        Ok(())
    }

    fn close_part(&mut self) -> Result<(), TableError> {
        let Some(part) = self.part.take() else {
            return Ok(());
        };
        let file = part.into_inner();
        let mut file = file.map_err(TableError::parquet(&self.target))?;
        let synced = file.flush().and_then(|()| file.get_ref().sync_all());
        synced.map_err(TableError::io(&self.target))
    }
}

impl Finished {
    /// Gives the table its final place and returns the number of its rows.
    pub fn publish(self) -> Result<u64, TableError> {
        let to_place = TableError::io(&self.target);
        refuse_existing(&self.target)?;
        match fs::remove_dir(&self.target) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(to_place(error)),
            _ => fs::rename(self.folder.path(), &self.target).map_err(to_place)?,
        }
        // Nothing is left to delete at the temporary place.
        drop(self.folder.keep());
        Ok(self.rows)
    }
}

fn refuse_existing(target: &Path) -> Result<(), TableError> {
    match fs::read_dir(target) {
        Ok(mut files) => match files.next() {
            None => Ok(()),
            Some(_) => Err(TableError::Exists(target.to_owned())),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(TableError::Io(target.to_owned(), error)),
    }
}

/// Encodes the columns on several threads, appends them in order, and returns the size of the file
/// so far.
fn append_group<'a>(
    part: &mut SerializedFileWriter<BufWriter<File>>,
    columns: impl Iterator<Item = (Column, &'a ColumnDescPtr)> + Send,
    properties: &WriterPropertiesPtr,
    threads: NonZeroUsize,
) -> ParquetResult<u64> {
    let mut group = part.next_row_group()?;
    // A row group is complete: a request to stop is for the caller.
    let workers = Workers::new(Some(threads), Stop::new());
    let end = workers.run(
        columns,
        |(column, about)| encode(column, about.clone(), properties.clone()),
        |encoded| match encoded.and_then(|(bytes, close)| group.append_column(&bytes, close)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(error),
        },
    );
    if let End::Broken(error) = end {
        return Err(error);
    }
    group.close()?;
    Ok(part.bytes_written() as u64)
}

/// The pages of a column.
fn encode(
    column: Column,
    about: ColumnDescPtr,
    properties: WriterPropertiesPtr,
) -> ParquetResult<(Bytes, ColumnCloseResult)> {
    let Column {
        present, values, ..
    } = column;
    let levels = (!present.is_empty()).then_some(&present[..]);
    let mut pages = TrackedWrite::new(Vec::new());
    let sink = Box::new(SerializedPageWriter::new(&mut pages));
    let mut writer = get_column_writer(about, properties, sink);
    match (&mut writer, values) {
        (ColumnWriter::BoolColumnWriter(writer), Values::Bool(values)) => {
            writer.write_batch(&values, levels, None)
        }
        (ColumnWriter::Int32ColumnWriter(writer), Values::I32(values)) => {
            writer.write_batch(&values, levels, None)
        }
        (ColumnWriter::Int64ColumnWriter(writer), Values::I64(values)) => {
            writer.write_batch(&values, levels, None)
        }
        (ColumnWriter::FloatColumnWriter(writer), Values::F32(values)) => {
            writer.write_batch(&values, levels, None)
        }
        (ColumnWriter::ByteArrayColumnWriter(writer), Values::Text(texts)) => {
            writer.write_batch(&byte_arrays(texts), levels, None)
        }
        _ => Err(ParquetError::General("column of another type".to_owned())),
    }?;
    let close = writer.close()?;
    Ok((Bytes::from(pages.into_inner()?), close))
}

/// Texts that share one buffer.
fn byte_arrays(mut texts: Texts) -> Vec<ByteArray> {
    let bytes = Bytes::from(std::mem::take(&mut texts.text));
    let ranges = texts.ranges();
    ranges.map(|range| bytes.slice(range).into()).collect()
}

fn schema(fields: &[Field]) -> ParquetResult<Arc<Schema>> {
    let columns = fields.iter().map(|field| {
        let (physical, logical) = match field.kind {
            Kind::Bool => (Type::BOOLEAN, None),
            Kind::I16 => (Type::INT32, Some(LogicalType::integer(16, true))),
            Kind::I32 => (Type::INT32, None),
            Kind::I64 => (Type::INT64, None),
            Kind::U64 => (Type::INT64, Some(LogicalType::integer(64, false))),
            Kind::F32 => (Type::FLOAT, None),
            Kind::Text => (Type::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let repetition = match field.nullable {
            true => Repetition::OPTIONAL,
            false => Repetition::REQUIRED,
        };
        let column = Schema::primitive_type_builder(field.name, physical)
            .with_repetition(repetition)
            .with_logical_type(logical);
        column.build().map(Arc::new)
    });
    let columns = columns.collect::<ParquetResult<Vec<_>>>()?;
    let group = Schema::group_type_builder("schema").with_fields(columns);
    group.build().map(Arc::new)
}

fn properties(fields: &[Field], layout: Layout) -> WriterProperties {
    let statistics = match layout.sorted_by {
        0 => EnabledStatistics::Chunk,
        _ => EnabledStatistics::Page,
    };
    let mut builder = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_created_by(concat!("gametree version ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_statistics_enabled(statistics);
    if layout.sorted_by > 0 {
        let sorting = (0..layout.sorted_by as i32).map(|column_idx| SortingColumn {
            column_idx,
            descending: false,
            nulls_first: true,
        });
        builder = builder
            .set_data_page_row_count_limit(SORTED_PAGE_ROWS)
            .set_sorting_columns(Some(sorting.collect()));
    }
    for field in fields {
        let path = ColumnPath::from(field.name);
        let dictionary = field.coding == Coding::Dictionary;
        builder = builder.set_column_dictionary_enabled(path.clone(), dictionary);
        match field.coding {
            Coding::Dictionary => {}
            Coding::Plain => builder = builder.set_column_encoding(path, Encoding::PLAIN),
            Coding::Delta => {
                builder = builder.set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
            }
        }
    }
    builder.build()
}
