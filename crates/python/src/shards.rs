//! Parts of files: see `gametree.shards`.

use std::ffi::OsString;

use desk::shards::{Piece, Unsplit, plan};
use kit::Stop;
use kit::input::{self, Point};
use kit::limits::Size;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::source;
use crate::work;

/// The path, both ends as an offset and the text to skip from there, and the size.
type Row = (OsString, (u64, u64), (u64, u64), u64);

/// The shards of files, and a message for each file that could not be split.
#[pyfunction]
pub fn plan_shards(paths: &Bound<'_, PyAny>, size: &str) -> PyResult<(Vec<Row>, Vec<String>)> {
    let size = size
        .parse::<Size>()
        .map_err(|error| PyValueError::new_err(format!("{size:?}: {error}")))?;
    let sources = input::gather(source::paths(paths)?, desk::GAME_FILES);
    let sources = sources.map_err(|error| source::input_error(&error))?;
    let plan = work::run(paths.py(), &Stop::new(), || plan(&sources, size.0))?;
    let plan = plan.map_err(|error| source::input_error(&error))?;
    let rows = plan.pieces.into_iter().map(row).collect();
    let message = |unsplit: &Unsplit| format!("{}; {}", unsplit.problem(), unsplit.fix());
    Ok((rows, plan.unsplit.iter().map(message).collect()))
}

fn row(piece: Piece) -> Row {
    let ends = |point: Point| (point.offset, point.skip);
    let Piece { shard, bytes } = piece;
    (
        shard.path.into_os_string(),
        ends(shard.start),
        ends(shard.end),
        bytes,
    )
}
