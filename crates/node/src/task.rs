//! Work on a thread of Node's pool, which ends early when JavaScript raises its flag.

use std::panic::{AssertUnwindSafe, catch_unwind};

use kit::Stop;
use napi::bindgen_prelude::{AsyncTask, External, Result};
use napi::{Env, Error, Status, Task};
use napi_derive::napi;

/// The flag that ends a task.
pub type StopHandle = External<Stop>;

/// A flag for one task.
#[napi(catch_unwind)]
pub fn new_stop() -> StopHandle {
    External::new(Stop::new())
}

/// Ends the task of a flag.
#[napi(catch_unwind)]
pub fn raise_stop(stop: &StopHandle) {
    stop.raise();
}

type Work = Box<dyn FnOnce() -> Result<String> + Send>;

/// Work whose result is a text, mostly JSON.
pub struct TextTask(Option<Work>);

/// Starts work.
pub fn start(work: impl FnOnce() -> Result<String> + Send + 'static) -> AsyncTask<TextTask> {
    AsyncTask::new(TextTask(Some(Box::new(work))))
}

impl Task for TextTask {
    type Output = String;
    type JsValue = String;

    fn compute(&mut self) -> Result<String> {
        let Some(work) = self.0.take() else {
            return Err(internal_error());
        };
        let result = catch_unwind(AssertUnwindSafe(work));
        result.unwrap_or_else(|_| Err(internal_error()))
    }

    fn resolve(&mut self, _: Env, text: String) -> Result<String> {
        Ok(text)
    }
}

/// A panic in the work: a bug, but an exception for the caller and not the end of the process.
pub fn internal_error() -> Error {
    failure("internal error in gametree; please report it with the input")
}

/// An error that is not one of arguments.
pub fn failure(message: impl ToString) -> Error {
    Error::new(Status::GenericFailure, message)
}
