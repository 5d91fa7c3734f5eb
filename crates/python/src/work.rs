//! Long work without the interpreter lock, ended at once by Ctrl-C.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use kit::Stop;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How often signals are checked and progress is reported.
const INTERVAL: Duration = Duration::from_millis(50);

/// Solvers recurse as deep as their positions have moves.
const STACK: usize = 256 << 20;

/// Runs work on another thread while this one checks for signals. An exception (`KeyboardInterrupt`)
/// raises `stop`, waits for the work to end and is returned.
pub fn run<R: Send>(py: Python<'_>, stop: &Stop, work: impl FnOnce() -> R + Send) -> PyResult<R> {
    run_reporting(py, stop, |_| Ok(()), work)
}

/// The same, calling `report` between checks: for progress bars.
pub fn run_reporting<R: Send>(
    py: Python<'_>,
    stop: &Stop,
    mut report: impl FnMut(Python<'_>) -> PyResult<()>,
    work: impl FnOnce() -> R + Send,
) -> PyResult<R> {
    let (sender, mut receiver) = mpsc::channel();
    thread::scope(|scope| {
        let work = move || {
            let result = catch_unwind(AssertUnwindSafe(work));
            // The receiver waits for it below.
            sender.send(result.map_err(|_| internal_error())).ok();
        };
        let builder = thread::Builder::new().stack_size(STACK);
        builder.spawn_scoped(scope, work)?;
        let mut failed: Option<PyErr> = None;
        loop {
            let received;
            // A receiver cannot be shared with the waiting closure, so it goes in and comes out.
            (receiver, received) = py.detach(move || {
                let received = receiver.recv_timeout(INTERVAL);
                (receiver, received)
            });
            match received {
                Ok(result) => return failed.map_or(result, Err),
                Err(RecvTimeoutError::Disconnected) => return Err(internal_error()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if failed.is_none()
                && let Err(error) = py.check_signals().and_then(|()| report(py))
            {
                stop.raise();
                failed = Some(error);
            }
        }
    })
}

/// A panic in the work: a bug, but an exception for the caller and not the end of the process.
pub fn internal_error() -> PyErr {
    PyRuntimeError::new_err("internal error in gametree; please report it with the input")
}
