//! Signals: the first one ends the work, the second one the program.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use kit::Stop;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// The signals that end the program; each has its own exit status, 128 and its number.
#[cfg(unix)]
const SIGNALS: [i32; 3] = [SIGINT, SIGTERM, signal_hook::consts::SIGHUP];
#[cfg(not(unix))]
const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

/// How long short work may take: until then a signal ends the program at once.
const SHORT: Duration = Duration::from_millis(20);

/// What happens when a signal arrives.
#[derive(Clone, Debug)]
pub struct Signals {
    /// Raised by a signal.
    stop: Stop,
    /// The number of the last signal.
    received: Arc<AtomicUsize>,
    /// No work is under way that checks `stop`: a signal ends the program at once.
    at_once: Arc<AtomicBool>,
    /// Results are being saved: only a second signal ends the program.
    saving: Arc<AtomicBool>,
    /// The work may be over before anything can be done about a signal, and leaves no files.
    is_short: bool,
}

impl Signals {
    /// Catches signals. Until [`Signals::stop`] is called, one ends the program at once.
    pub fn catch() -> Signals {
        let signals = Signals {
            stop: Stop::new(),
            received: Arc::default(),
            at_once: Arc::new(AtomicBool::new(true)),
            saving: Arc::default(),
            is_short: false,
        };
        for signal in SIGNALS {
            if !is_ignored(signal) {
                // Where a handler cannot be installed, the signal ends the program anyway.
                signals.register(signal).ok();
            }
        }
        signals
    }

    fn register(&self, signal: i32) -> std::io::Result<()> {
        flag::register_conditional_shutdown(signal, status(signal), self.at_once.clone())?;
        flag::register_usize(signal, self.received.clone(), signal as usize)?;
        flag::register(signal, self.stop.flag())?;
        Ok(())
    }

    /// The flag that a signal raises. From now on the work is expected to check it: work that does
    /// not end within [`GRACE`](watch::GRACE) is cut off, and a second signal ends the program at
    /// once.
    pub fn stop(&self) -> Stop {
        let signals = self.clone();
        if self.is_short {
            return self.stop.preparing(SHORT, move || signals.watch());
        }
        self.watch();
        self.stop.clone()
    }

    /// The next work reads files, writes none and may be short: until it has lasted for a while, a
    /// signal ends it at once. The thread that makes it end in order takes a tenth of a
    /// millisecond to start.
    pub fn expect_short_work(&mut self) {
        self.is_short = true;
    }

    fn watch(&self) {
        if self.at_once.swap(false, Ordering::Relaxed) {
            kit::input::interrupt_stdin(&self.stop);
            #[cfg(unix)]
            watch::start(self);
        }
    }

    /// From now on a signal gives the work time to save its results.
    pub fn allow_saving(&self) {
        self.saving.store(true, Ordering::Relaxed);
    }

    /// The exit status of a program that a signal ended; none if there was no signal.
    pub fn status(&self) -> Option<u8> {
        let signal = self.received.load(Ordering::Relaxed);
        let ended = self.stop.is_raised() && signal != 0;
        ended.then(|| status(signal as i32) as u8)
    }
}

fn status(signal: i32) -> i32 {
    128 + signal
}

/// True for a signal that the caller of the program disabled, as `nohup` does with SIGHUP.
fn is_ignored(signal: i32) -> bool {
    // before the first handler is installed
    static IGNORED: OnceLock<[bool; SIGNALS.len()]> = OnceLock::new();
    let ignored = IGNORED.get_or_init(|| SIGNALS.map(kit::is_signal_ignored));
    SIGNALS
        .into_iter()
        .zip(ignored)
        .any(|(known, &is_ignored)| known == signal && is_ignored)
}

/// The thread that ends the program when the work does not.
#[cfg(unix)]
pub mod watch {
    use std::io::{self, Read};
    use std::os::unix::net::UnixStream;
    use std::sync::atomic::Ordering;
    use std::thread;
    use std::time::Duration;

    use signal_hook::low_level::{exit, pipe};

    use super::{SIGNALS, Signals, is_ignored, status};
    use crate::explore::screen;

    /// How long the work may take to end after the first signal.
    pub const GRACE: Duration = Duration::from_millis(60);

    /// Starts the thread. Without it the work ends only where it checks the flag.
    pub fn start(signals: &Signals) {
        if let Ok(arrivals) = arrivals() {
            let signals = signals.clone();
            thread::spawn(move || watch(&signals, arrivals));
        }
    }

    /// A stream that gets a byte for each signal.
    fn arrivals() -> io::Result<UnixStream> {
        let (arrivals, writer) = UnixStream::pair()?;
        for signal in SIGNALS.into_iter().filter(|&signal| !is_ignored(signal)) {
            pipe::register(signal, writer.try_clone()?)?;
        }
        Ok(arrivals)
    }

    fn watch(signals: &Signals, mut arrivals: UnixStream) {
        loop {
            arrivals.set_read_timeout(None).ok();
            if arrivals.read(&mut [0]).is_ok() {
                arrivals.set_read_timeout(Some(GRACE)).ok();
                await_end(signals, &mut arrivals);
            }
        }
    }

    /// Returns if the request to stop was withdrawn: only a piece of the work ended.
    fn await_end(signals: &Signals, arrivals: &mut UnixStream) {
        while signals.stop.is_raised() {
            let is_second = arrivals.read(&mut [0]).is_ok();
            let is_late = signals.stop.is_raised() && !signals.saving.load(Ordering::Relaxed);
            if is_second || is_late {
                screen::restore();
                kit::save::remove_unfinished();
                exit(status(signals.received.load(Ordering::Relaxed) as i32));
            }
        }
    }
}
