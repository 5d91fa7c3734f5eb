//! The progress bar: on standard error, on a terminal, after one second.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use kit::progress::Progress;

use crate::shell::Shell;

const DELAY: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(100);

/// A bar that follows some work until it is dropped.
pub struct Bar(Option<(Sender<()>, JoinHandle<()>)>);

impl Bar {
    /// Follows `progress`; `streams` is true if results go to standard output during the work.
    pub fn follow(shell: &Shell, progress: &Progress, streams: bool) -> Bar {
        let progress = progress.clone();
        Bar::after_delay(shell.shows_progress(streams), move |wait| {
            let bar = new_bar(progress.total_bytes());
            while wait.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                update(&bar, &progress);
            }
            bar.finish_and_clear();
        })
    }

    /// Draws on a thread of its own once the work has taken a second; `draw` ends when its receiver
    /// is disconnected.
    fn after_delay(shown: bool, draw: impl FnOnce(Receiver<()>) + Send + 'static) -> Bar {
        Bar(shown.then(|| {
            let (finished, wait) = channel();
            let thread = thread::spawn(move || {
                if wait.recv_timeout(DELAY) == Err(RecvTimeoutError::Timeout) {
                    draw(wait);
                }
            });
            (finished, thread)
        }))
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some((finished, thread)) = self.0.take() {
            drop(finished);
            thread.join().ok();
        }
    }
}

/// Shows the elapsed time of a search until it is dropped: on a terminal, after one second, erased
/// before the answer is written.
pub struct Clock {
    _bar: Bar,
}

impl Clock {
    /// Starts the clock.
    pub fn start(shell: &Shell) -> Clock {
        Clock::start_with(shell, String::new())
    }

    /// Starts the clock of one search among several.
    pub fn start_with(shell: &Shell, which: String) -> Clock {
        let draw = move |wait: Receiver<()>| {
            let bar = styled(
                ProgressBar::new_spinner().with_message(which),
                "{spinner} {elapsed}  {msg}Ctrl-C to stop",
            );
            while wait.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                bar.tick();
            }
            bar.finish_and_clear();
        };
        Clock {
            _bar: Bar::after_delay(shell.shows_progress(false), draw),
        }
    }
}

fn new_bar(total: Option<u64>) -> ProgressBar {
    let (bar, template) = match total {
        Some(total) => (
            ProgressBar::new(total),
            "{bar:30.cyan/dim} {percent:>3} %  {binary_bytes_per_sec}  {msg}  {eta} left",
        ),
        None => (
            ProgressBar::no_length(),
            "{spinner} {binary_bytes}  {binary_bytes_per_sec}  {msg}",
        ),
    };
    styled(bar, template)
}

fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    let bar = bar.with_elapsed(DELAY);
    bar.set_draw_target(ProgressDrawTarget::stderr());
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn update(bar: &ProgressBar, progress: &Progress) {
    bar.set_position(progress.bytes());
    bar.set_message(format!("{} games", HumanCount(progress.items())));
}
