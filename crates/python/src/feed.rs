//! Results that a background thread sends to a Python iterator, with bounded memory.

use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;
use std::{thread, vec};

use kit::Stop;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;

use crate::work;

/// How long a wait lasts before signals are checked.
const INTERVAL: Duration = Duration::from_millis(50);

/// Batches that wait for Python, beside those in progress.
const WAITING: usize = 2;

/// The receiving end. Dropping it ends the work.
pub struct Feed<T> {
    state: Mutex<State<T>>,
    stop: Stop,
}

struct State<T> {
    receiver: Receiver<Message<T>>,
    ready: vec::IntoIter<T>,
    over: bool,
}

enum Message<T> {
    Items(Vec<T>),
    End(PyResult<()>),
}

/// The sending end.
pub struct Sender<T>(SyncSender<Message<T>>);

/// Python does not want more.
pub struct Gone;

impl<T> Sender<T> {
    /// Waits until there is room.
    pub fn send(&self, items: Vec<T>) -> Result<(), Gone> {
        self.0.send(Message::Items(items)).map_err(|_| Gone)
    }
}

impl<T: Send + 'static> Feed<T> {
    /// Starts the work. Its exception is raised after all items.
    pub fn start(
        stop: Stop,
        work: impl FnOnce(&Sender<T>) -> PyResult<()> + Send + 'static,
    ) -> PyResult<Feed<T>> {
        let (sender, receiver) = sync_channel(WAITING);
        thread::Builder::new().spawn(move || {
            let sender = Sender(sender);
            let end = work(&sender);
            // The iterator may have gone meanwhile.
            sender.0.send(Message::End(end)).ok();
        })?;
        Ok(Feed {
            state: Mutex::new(State {
                receiver,
                ready: Vec::new().into_iter(),
                over: false,
            }),
            stop,
        })
    }

    /// The next item, in order; none after the last one.
    pub fn next(&self, py: Python<'_>) -> PyResult<Option<T>> {
        loop {
            // The lock is released while signals are handled: a handler may use the iterator.
            match self.state.lock_py_attached(py) {
                Ok(mut state) => {
                    if let Some(item) = state.ready.next() {
                        return Ok(Some(item));
                    }
                    if state.over {
                        return Ok(None);
                    }
                    state.receive(py)?;
                }
                Err(_) => return Err(work::internal_error()),
            }
            py.check_signals()?;
        }
    }
}

impl<T: Send> State<T> {
    /// Waits for a message, but not for long.
    fn receive(&mut self, py: Python<'_>) -> PyResult<()> {
        let receiver = Mutex::new(&mut self.receiver);
        let received = py.detach(|| match receiver.lock() {
            Ok(receiver) => receiver.recv_timeout(INTERVAL),
            Err(_) => Err(RecvTimeoutError::Disconnected),
        });
        match received {
            Ok(Message::Items(items)) => self.ready = items.into_iter(),
            Ok(Message::End(end)) => {
                self.over = true;
                return end;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                self.over = true;
                return Err(work::internal_error());
            }
        }
        Ok(())
    }
}

impl<T> Drop for Feed<T> {
    fn drop(&mut self) {
        self.stop.raise();
    }
}
