//! The progress bar: on standard error, on a terminal, after one second.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use desk::progress::Progress;
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::shell::Shell;

const PATIENCE: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(100);

/// A bar that follows some work until it is dropped.
pub struct Bar(Option<(Sender<()>, JoinHandle<()>)>);

impl Bar {
    /// Follows `progress`; `streams` says that results go to standard output all along.
    pub fn follow(shell: &Shell, progress: &Progress, streams: bool) -> Bar {
        Bar(shell.shows_progress(streams).then(|| {
            let (finished, wait) = channel();
            let progress = progress.clone();
            let draw = move || {
                if wait.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
                let bar = new_bar(progress.total_bytes());
                while wait.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                    update(&bar, &progress);
                }
                bar.finish_and_clear();
            };
            (finished, thread::spawn(draw))
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
    let bar = bar.with_elapsed(PATIENCE);
    bar.set_draw_target(ProgressDrawTarget::stderr());
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn update(bar: &ProgressBar, progress: &Progress) {
    bar.set_position(progress.bytes());
    bar.set_message(format!("{} games", HumanCount(progress.games())));
}
