//! Tables of columns that NumPy and Arrow read without a copy.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{
    Float32Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, FixedSizeBinaryArray, LargeStringArray, PrimitiveArray,
    RecordBatch, RecordBatchIterator,
};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use pyo3::exceptions::{PyKeyError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyDict};

/// The values of a column. A value given beside them means "none".
pub enum Column {
    U8(Vec<u8>, Option<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>, Option<u32>),
    U64(Vec<u64>),
    I16(Vec<i16>, Option<i16>),
    I32(Vec<i32>),
    I64(Vec<i64>),
    /// NaN means "none".
    F32(Vec<f32>),
    Text(Text),
    /// Position keys, little-endian.
    Keys(Vec<[u8; 16]>),
}

/// Strings, one after another.
pub struct Text {
    bytes: Vec<u8>,
    /// The end of each string, after a 0.
    ends: Vec<i64>,
    /// Whether each string exists, from the first one that does not.
    valid: Option<Vec<bool>>,
}

impl Default for Text {
    fn default() -> Text {
        Text {
            bytes: Vec::new(),
            ends: vec![0],
            valid: None,
        }
    }
}

impl Text {
    fn len(&self) -> usize {
        self.ends.len() - 1
    }

    pub fn push(&mut self, text: Option<&str>) {
        let before = self.len();
        self.bytes
            .extend_from_slice(text.unwrap_or_default().as_bytes());
        self.ends.push(self.bytes.len() as i64);
        match (&mut self.valid, text) {
            (Some(valid), text) => valid.push(text.is_some()),
            (None, Some(_)) => {}
            (None, None) => {
                let mut valid = vec![true; before];
                valid.push(false);
                self.valid = Some(valid);
            }
        }
    }

    /// Adds a string of ASCII characters.
    pub fn push_bytes(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        self.ends.push(self.bytes.len() as i64);
        if let Some(valid) = &mut self.valid {
            valid.push(true);
        }
    }

    /// Removes all strings and keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.truncate(1);
        self.valid = None;
    }

    pub fn append(&mut self, later: &Text) {
        let (before, shift) = (self.len(), self.bytes.len() as i64);
        self.bytes.extend_from_slice(&later.bytes);
        self.ends
            .extend(later.ends[1..].iter().map(|end| end + shift));
        if self.valid.is_none() && later.valid.is_none() {
            return;
        }
        let valid = self.valid.get_or_insert_with(|| vec![true; before]);
        match &later.valid {
            Some(later) => valid.extend_from_slice(later),
            None => valid.resize(before + later.len(), true),
        }
    }
}

impl Column {
    fn into_array(self) -> Result<ArrayRef, ArrowError> {
        Ok(match self {
            Column::U8(values, none) => numbers::<UInt8Type>(values, |value| Some(value) == none),
            Column::U16(values) => numbers::<UInt16Type>(values, |_| false),
            Column::U32(values, none) => numbers::<UInt32Type>(values, |value| Some(value) == none),
            Column::U64(values) => numbers::<UInt64Type>(values, |_| false),
            Column::I32(values) => numbers::<Int32Type>(values, |_| false),
            Column::I64(values) => numbers::<Int64Type>(values, |_| false),
            Column::I16(values, none) => numbers::<Int16Type>(values, |value| Some(value) == none),
            Column::F32(values) => numbers::<Float32Type>(values, f32::is_nan),
            Column::Text(text) => Arc::new(LargeStringArray::try_new(
                OffsetBuffer::new(ScalarBuffer::from(text.ends)),
                Buffer::from_vec(text.bytes),
                text.valid.map(NullBuffer::from),
            )?),
            Column::Keys(keys) => {
                let bytes = Buffer::from_vec(keys.into_flattened());
                Arc::new(FixedSizeBinaryArray::try_new(16, bytes, None)?)
            }
        })
    }
}

fn numbers<T: ArrowPrimitiveType>(
    values: Vec<T::Native>,
    is_none: impl Fn(T::Native) -> bool,
) -> ArrayRef {
    let missing = values.iter().any(|&value| is_none(value));
    let valid = missing.then(|| {
        // Packs 64 values at a time.
        let valid = BooleanBuffer::collect_bool(values.len(), |row| !is_none(values[row]));
        NullBuffer::new(valid)
    });
    Arc::new(PrimitiveArray::<T>::new(ScalarBuffer::from(values), valid))
}

/// A table. `table["ply"]` is a NumPy array; Polars, DuckDB, pandas and pyarrow read the whole
/// table through the Arrow PyCapsule interface. Neither copies numbers.
///
/// >>> import gametree
/// >>> table = gametree.columns("games.pgn", clocks=False, evals=False).positions
/// >>> table.names
/// ['game', 'ply', 'from_square', 'to_square', 'promotion', 'uci']
/// >>> len(table)
/// 325
#[pyclass(frozen, module = "gametree", name = "Table")]
pub struct PyTable {
    batch: RecordBatch,
}

impl PyTable {
    pub fn new(columns: Vec<(String, Column)>) -> PyResult<PyTable> {
        let arrays = columns
            .into_iter()
            .map(|(name, column)| Ok((name, column.into_array()?)));
        let arrays: Result<Vec<(String, ArrayRef)>, ArrowError> = arrays.collect();
        let arrays = arrays.map_err(|error| arrow_error(&error))?;
        let fields: Vec<Field> = arrays
            .iter()
            .map(|(name, array)| Field::new(name, array.data_type().clone(), true))
            .collect();
        let arrays = arrays.into_iter().map(|(_, array)| array).collect();
        let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays);
        let batch = batch.map_err(|error| arrow_error(&error))?;
        Ok(PyTable { batch })
    }

    pub fn len(&self) -> usize {
        self.batch.num_rows()
    }

    /// The numbers of a column.
    pub fn numbers<T: ArrowPrimitiveType>(&self, name: &str) -> PyResult<&[T::Native]> {
        let numbers = self.array(name)?.as_primitive_opt::<T>();
        let numbers = numbers.ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
        Ok(numbers.values())
    }

    fn array(&self, name: &str) -> PyResult<&ArrayRef> {
        self.batch.column_by_name(name).ok_or_else(|| {
            let known = self.names().join(", ");
            PyKeyError::new_err(format!("no column {name:?}; the columns are {known}"))
        })
    }
}

/// Columns of different lengths: a bug, as all are built together.
fn arrow_error(error: &ArrowError) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

#[pymethods]
impl PyTable {
    /// The names of the columns.
    #[getter]
    fn names(&self) -> Vec<String> {
        let schema = self.batch.schema();
        let fields = schema.fields().iter();
        fields.map(|field| field.name().clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.len()
    }

    fn __contains__(&self, name: &str) -> bool {
        self.batch.column_by_name(name).is_some()
    }

    /// A column as a NumPy array. Numbers are not copied; strings are objects, missing ones `None`.
    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let array = self.array(name)?;
        let numpy = py.import("numpy")?;
        if let Some(strings) = array.as_string_opt::<i64>() {
            let values: Vec<Option<&str>> = strings.iter().collect();
            return numpy.call_method1("array", (values, "O"));
        }
        let view = PyColumn {
            array: array.clone(),
        };
        numpy.call_method1("asarray", (view,))
    }

    /// All columns as NumPy arrays: `pandas.DataFrame(table.to_numpy())`.
    fn to_numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        for name in self.names() {
            let array = self.array(&name)?;
            let column = match array.as_fixed_size_binary_opt() {
                // Two numbers do not fit into a column of pandas.
                Some(keys) => {
                    let keys = keys.iter().flatten().map(|key| PyBytes::new(py, key));
                    let keys: Vec<Bound<'_, PyBytes>> = keys.collect();
                    py.import("numpy")?.call_method1("array", (keys, "O"))?
                }
                None => self.__getitem__(py, &name)?,
            };
            columns.set_item(name, column)?;
        }
        Ok(columns)
    }

    /// The Arrow PyCapsule interface. Each call gives a new stream.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // Readers convert what they get: the interface permits to ignore a request.
        drop(requested_schema);
        let batches = [Ok(self.batch.clone())];
        let reader = RecordBatchIterator::new(batches, self.batch.schema());
        let stream = FFI_ArrowArrayStream::new(Box::new(reader));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// The types of the columns, for the Arrow PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.batch.schema().as_ref());
        let schema = schema.map_err(|error| arrow_error(&error))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    fn __repr__(&self) -> String {
        let names = self.names().join(", ");
        format!("<Table of {} rows: {names}>", self.len())
    }
}

/// Numbers that NumPy reads where they are.
#[pyclass(frozen)]
struct PyColumn {
    array: ArrayRef,
}

#[pymethods]
impl PyColumn {
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let data = self.array.to_data();
        let pointer = data
            .buffers()
            .first()
            .map_or(0, |buffer| buffer.as_ptr() as usize);
        let rows = self.array.len();
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("typestr", type_string(self.array.data_type()))?;
        // A key has two words.
        match self.array.data_type() {
            DataType::FixedSizeBinary(_) => interface.set_item("shape", (rows, 2))?,
            _ => interface.set_item("shape", (rows,))?,
        }
        let read_only = true;
        interface.set_item("data", (pointer, read_only))?;
        Ok(interface)
    }
}

/// NumPy's name of a type. Arrow stores numbers in the byte order of the machine, keys are
/// little-endian.
fn type_string(kind: &DataType) -> &'static str {
    match kind {
        DataType::UInt8 => "|u1",
        DataType::UInt16 => "=u2",
        DataType::UInt32 => "=u4",
        DataType::Int16 => "=i2",
        DataType::UInt64 => "=u8",
        DataType::Int32 => "=i4",
        DataType::Int64 => "=i8",
        DataType::Float32 => "=f4",
        _ => "<u8",
    }
}
