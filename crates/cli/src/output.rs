//! Where results go: a file, or standard output.

use std::io::{self, IsTerminal, Stdout, Write};

use kit::save::{self, Overwrite, SaveError, Target};

use crate::printer::Printer;

/// A writer whose file does not change before [`finish`](Output::finish).
#[derive(Debug)]
pub struct Output {
    target: Target,
    sink: Sink,
}

enum Sink {
    /// A file, a pipe or a device: every byte as it is.
    Exact(save::Output),
    /// A terminal: control characters are made visible.
    Terminal(Printer<Stdout>),
}

impl Output {
    /// Starts writing.
    pub fn create_over(target: Target, overwrite: Overwrite) -> Result<Output, SaveError> {
        let sink = if is_terminal(&target) {
            Sink::Terminal(Printer::new(io::stdout(), false, true))
        } else {
            Sink::Exact(save::Output::create_over(target.clone(), overwrite)?)
        };
        Ok(Output { target, sink })
    }

    /// Flushes the buffers and replaces the file.
    pub fn finish(self) -> Result<(), SaveError> {
        let target = self.target;
        match self.sink {
            Sink::Exact(output) => output.finish(),
            Sink::Terminal(mut printer) => {
                printer.flush().map_err(|error| SaveError { target, error })
            }
        }
    }
}

impl Write for Output {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        match &mut self.sink {
            Sink::Exact(output) => output.write(buf),
            Sink::Terminal(printer) => printer.data().write(buf),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Sink::Exact(output) => output.flush(),
            Sink::Terminal(printer) => printer.flush(),
        }
    }
}

impl std::fmt::Debug for Sink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Sink::Exact(_) => "Exact",
            Sink::Terminal(_) => "Terminal",
        })
    }
}

/// Writes `bytes` to `target`, whole or not at all.
pub fn save_over(target: Target, bytes: &[u8], overwrite: Overwrite) -> Result<(), SaveError> {
    if !is_terminal(&target) {
        return save::save_over(target, bytes, overwrite);
    }
    let mut printer = Printer::new(io::stdout(), false, true);
    let written = printer.data().write_all(bytes);
    let written = written.and_then(|()| printer.flush());
    written.map_err(|error| SaveError { target, error })
}

fn is_terminal(target: &Target) -> bool {
    *target == Target::Stdout && io::stdout().is_terminal()
}
