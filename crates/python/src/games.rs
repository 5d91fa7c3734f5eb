//! The games of files, read on all cores while Python works on the first ones.

use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use chess::pgn::{self, Builder};
use desk::choose::Choice;
use desk::games::Batch;
use kit::save::{Output, Target};
use kit::{Progress, Stop};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::feed::{Feed, Gone};
use crate::game::{PyGame, Record};
use crate::source;
use crate::work;

/// Text that is read on this thread: starting another one takes longer.
const SHORT: usize = 1 << 16;

/// Files to read, or games in memory.
#[derive(Clone)]
pub enum Source {
    Files(Box<desk::games::Games>),
    Games(Vec<Arc<Record>>),
}

impl Source {
    /// Converts an argument: a path, a folder, `Games`, a `Game`, or an iterable of paths or games.
    pub fn of(argument: &Bound<'_, PyAny>) -> PyResult<Source> {
        if let Ok(games) = argument.cast::<PyGames>() {
            return Ok(Source::Files(Box::new(games.get().games().clone())));
        }
        if let Ok(game) = argument.cast::<PyGame>() {
            return Ok(Source::Games(vec![game.get().record().clone()]));
        }
        match source::path(argument)? {
            Some(path) => Ok(Source::Files(Box::new(source::files(
                vec![path],
                Choice::default(),
            )?))),
            None => Source::of_items(argument),
        }
    }

    fn of_items(argument: &Bound<'_, PyAny>) -> PyResult<Source> {
        let (mut paths, mut games) = (Vec::new(), Vec::new());
        for item in argument
            .try_iter()
            .map_err(|_| source::not_a_source(argument))?
        {
            let item = item?;
            match item.cast::<PyGame>() {
                Ok(game) => games.push(game.get().record().clone()),
                Err(_) => {
                    paths.push(source::path(&item)?.ok_or_else(|| source::not_a_source(&item))?)
                }
            }
        }
        match (paths.is_empty(), games.is_empty()) {
            (true, _) => Ok(Source::Games(games)),
            (false, true) => Ok(Source::Files(Box::new(source::files(
                paths,
                Choice::default(),
            )?))),
            (false, false) => Err(PyTypeError::new_err(
                "cannot mix paths and games in one source",
            )),
        }
    }
}

/// The games of files. Each loop over it reads the files again, lazily and on all cores.
///
/// `gametree.open()` returns it.
#[pyclass(frozen, module = "gametree", name = "Games")]
pub struct PyGames {
    games: desk::games::Games,
    threads: Option<usize>,
    progress: bool,
}

impl PyGames {
    pub fn games(&self) -> &desk::games::Games {
        &self.games
    }
}

#[pymethods]
impl PyGames {
    /// The names of the files.
    #[getter]
    fn files(&self) -> Vec<String> {
        self.games.names()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let games = PyGameIterator::start(&self.games, self.threads)?;
        let games = Bound::new(py, games)?.into_any();
        match self.progress {
            true => py
                .import("gametree._progress")?
                .call_method1("watch", (games,)),
            false => Ok(games),
        }
    }

    fn __repr__(&self) -> String {
        format!("<Games of {}>", self.games.names().join(", "))
    }
}

/// The games of PGN files: see `gametree.open`.
#[pyfunction]
#[pyo3(signature = (source, *, tags=None, numbers=None, threads=None, progress=false))]
pub fn open(
    source: &Bound<'_, PyAny>,
    tags: Option<&Bound<'_, PyAny>>,
    numbers: Option<&Bound<'_, PyAny>>,
    threads: Option<usize>,
    progress: bool,
) -> PyResult<PyGames> {
    source::workers(threads, Stop::new())?;
    let choice = source::choice(tags, numbers)?;
    Ok(PyGames {
        games: source::files(source::paths(source)?, choice)?,
        threads,
        progress,
    })
}

/// An iterator over the games of files. Dropping it ends the reading.
#[pyclass(frozen, module = "gametree", name = "GameIterator")]
pub struct PyGameIterator {
    feed: Feed<Arc<Record>>,
    progress: Progress,
}

impl PyGameIterator {
    fn start(games: &desk::games::Games, threads: Option<usize>) -> PyResult<PyGameIterator> {
        let stop = Stop::new();
        let workers = source::workers(threads, stop.clone())?;
        let progress = games.progress().clone();
        let games = games.clone();
        let feed = Feed::start(stop, move |sender| {
            match games.run(&workers, records, |games| sender.send(games)) {
                Ok(run) => source::complete(run),
                Err(Gone) => Ok(()),
            }
        })?;
        Ok(PyGameIterator { feed, progress })
    }
}

/// The games of a batch, each with as much memory as it needs.
fn records(batch: &Batch<'_>) -> Vec<Arc<Record>> {
    let mut records = Vec::new();
    batch.read(|game, raw| {
        records.push(Record::new(
            game.clone(),
            batch.name.clone(),
            raw.place.number,
        ));
    });
    records
}

#[pymethods]
impl PyGameIterator {
    fn __iter__(slf: Py<PyGameIterator>) -> Py<PyGameIterator> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyGame>> {
        Ok(self.feed.next(py)?.map(PyGame::new))
    }

    /// The bytes read so far; of a compressed file, its compressed bytes.
    #[getter]
    fn bytes_read(&self) -> u64 {
        self.progress.bytes()
    }

    /// The size of all files; `None` if it is not known.
    #[getter]
    fn total_bytes(&self) -> Option<u64> {
        self.progress.total_bytes()
    }
}

/// The games of a PGN text: see `gametree.read`.
#[pyfunction]
pub fn read(py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<Vec<PyGame>> {
    let records = if let Ok(text) = text.cast::<PyString>() {
        read_text(py, text.to_cow()?.as_bytes())?
    } else if let Ok(bytes) = text.cast::<PyBytes>() {
        read_text(py, bytes.as_bytes())?
    } else if text.hasattr("read")? {
        return read(py, &text.call_method0("read")?);
    } else {
        let message = "expected PGN text as str or bytes, or an open file";
        return Err(PyTypeError::new_err(message));
    };
    Ok(records.into_iter().map(PyGame::new).collect())
}

fn read_text(py: Python<'_>, text: &[u8]) -> PyResult<Vec<Arc<Record>>> {
    let stop = Stop::new();
    let read = || -> Vec<Arc<Record>> {
        let text = pgn::to_utf8(text);
        let mut builder = Builder::new();
        let file: Arc<str> = "".into();
        let games = stop
            .while_running(pgn::split(&text))
            .map(|raw| Record::new(builder.read(raw), file.clone(), raw.place.number));
        games.collect()
    };
    match text.len() < SHORT {
        true => Ok(py.detach(read)),
        false => work::run(py, &stop, read),
    }
}

/// Writes games to a file: see `gametree.write`. Returns their number.
#[pyfunction]
pub fn write(games: &Bound<'_, PyAny>, path: PathBuf) -> PyResult<u64> {
    let py = games.py();
    let output = Output::create(Target::File(path)).map_err(|error| source::save_error(&error))?;
    let mut writer = Writer { output, count: 0 };
    match games.cast::<PyGame>() {
        Ok(game) => writer.add(py, game)?,
        Err(_) => {
            for game in games.try_iter()? {
                writer.add(py, game?.cast::<PyGame>()?)?;
            }
        }
    }
    py.detach(|| writer.output.finish())
        .map_err(|error| source::save_error(&error))?;
    Ok(writer.count)
}

/// Games written so far; nothing reaches the target before the end.
struct Writer {
    output: Output,
    count: u64,
}

impl Writer {
    fn add(&mut self, py: Python<'_>, game: &Bound<'_, PyGame>) -> PyResult<()> {
        let record = game.get().record().clone();
        let output = Mutex::new(&mut self.output);
        let first = self.count == 0;
        py.detach(|| {
            let text = record.game.to_string();
            let blank: &[u8] = if first { b"" } else { b"\n" };
            let mut output = output.lock().map_err(|_| std::io::ErrorKind::Other)?;
            output.write_all(blank)?;
            output.write_all(text.as_bytes())
        })?;
        self.count += 1;
        Ok(())
    }
}
