//! Standard input that a stop request can interrupt.
//!
//! A read from a silent pipe never returns, so a separate thread reads, and the reader waits for it
//! only until a stop is requested.

use std::io::{self, Read};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use crate::Stop;

/// How often the reader checks for a stop request.
const TICK: Duration = Duration::from_millis(20);

/// Bytes per read.
const CHUNK: usize = 1 << 16;

static STOP: OnceLock<Stop> = OnceLock::new();

/// From now on standard input ends when `stop` is raised. Only the first call has an effect.
pub fn interrupt_stdin(stop: &Stop) {
    STOP.set(stop.clone()).ok();
}

/// Standard input, interruptible if [`interrupt_stdin`] was called.
pub fn open() -> Box<dyn Read + Send> {
    match STOP.get() {
        None => Box::new(io::stdin()),
        Some(stop) => Box::new(Interruptible::new(io::stdin(), stop.clone())),
    }
}

struct Interruptible {
    chunks: Receiver<io::Result<Vec<u8>>>,
    chunk: io::Cursor<Vec<u8>>,
    stop: Stop,
}

impl Interruptible {
    fn new(mut raw: impl Read + Send + 'static, stop: Stop) -> Interruptible {
        let (send, chunks) = sync_channel(2);
        // The thread ends with the input, or with the program.
        thread::spawn(move || {
            loop {
                let chunk = read_chunk(&mut raw);
                let is_last = chunk.as_ref().map_or(true, Vec::is_empty);
                if send.send(chunk).is_err() || is_last {
                    return;
                }
            }
        });
        Interruptible {
            chunks,
            chunk: io::Cursor::default(),
            stop,
        }
    }

    /// The next bytes; none at the end, or when a stop was requested.
    fn next_chunk(&mut self) -> io::Result<Vec<u8>> {
        while !self.stop.is_raised() {
            match self.chunks.recv_timeout(TICK) {
                Ok(chunk) => return chunk,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        Ok(Vec::new())
    }
}

fn read_chunk(raw: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut chunk = vec![0; CHUNK];
    loop {
        match raw.read(&mut chunk) {
            Ok(length) => {
                chunk.truncate(length);
                return Ok(chunk);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

impl Read for Interruptible {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let read = self.chunk.read(buf)?;
        if read > 0 || buf.is_empty() {
            return Ok(read);
        }
        self.chunk = io::Cursor::new(self.next_chunk()?);
        self.chunk.read(buf)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn all_bytes_arrive_in_order() {
        let bytes: Vec<u8> = (0..300_000u32).map(|n| n as u8).collect();
        let mut reader = Interruptible::new(io::Cursor::new(bytes.clone()), Stop::new());
        let mut read = Vec::new();
        reader.read_to_end(&mut read).unwrap();
        assert!(read == bytes);
    }

    #[test]
    fn a_stop_ends_a_silent_pipe() {
        let (pipe, mut writer) = io::pipe().unwrap();
        writer.write_all(b"1. e4").unwrap();
        let stop = Stop::new();
        let mut reader = Interruptible::new(pipe, stop.clone());
        let mut buf = [0; 5];
        reader.read_exact(&mut buf).unwrap();
        stop.raise();
        assert_eq!(reader.read(&mut buf).unwrap(), 0);
    }
}
