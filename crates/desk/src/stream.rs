//! The games of files one after another, read ahead on other threads with bounded memory.

use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use chess::pgn::Game;
use kit::input::InputError;
use kit::{Progress, Stop, Workers};

use crate::games::Games;

/// Batches that wait for their reader. Each holds the games of some hundred kilobytes of text.
const READ_AHEAD: usize = 4;

/// The games of some files, in order.
///
/// Dropping it ends the threads that read ahead.
#[derive(Debug)]
pub struct GameStream {
    receiver: Receiver<Item>,
    stop: Stop,
    progress: Progress,
}

/// What the reading thread sends: consecutive games, or a source that could not be read.
type Item = Result<Vec<Game>, InputError>;

impl GameStream {
    /// Starts to read on this number of threads (all cores if `None`).
    pub fn open(games: Games, threads: Option<NonZeroUsize>) -> GameStream {
        let stop = Stop::new();
        let progress = games.progress().clone();
        let workers = Workers::new(threads, stop.clone());
        let (sender, receiver) = sync_channel(READ_AHEAD);
        thread::spawn(move || send_all(&games, &workers, &sender));
        GameStream {
            receiver,
            stop,
            progress,
        }
    }

    /// Bytes and games read so far.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// The flag that ends the stream early, from another thread.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }
}

impl Iterator for GameStream {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        self.receiver.recv().ok()
    }
}

impl Drop for GameStream {
    fn drop(&mut self) {
        self.stop.raise();
    }
}

/// Sends the games of all sources, then the errors. A receiver that is gone ends it.
fn send_all(games: &Games, workers: &Workers, sender: &SyncSender<Item>) {
    let run = games.run(
        workers,
        |batch| {
            let mut some = Vec::new();
            batch.read(|game, _| some.push(std::mem::take(game)));
            some
        },
        |some| sender.send(Ok(some)),
    );
    let Ok(run) = run else { return };
    for error in run.unread {
        if sender.send(Err(error)).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use kit::input::Source;

    use super::*;
    use crate::choose::Choice;

    fn stream(text: &str, missing: bool) -> (tempfile::TempDir, GameStream) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.pgn");
        std::fs::write(&path, text).expect("written");
        let mut sources = vec![Source::File(path)];
        if missing {
            sources.insert(0, Source::File(folder.path().join("missing.pgn")));
        }
        let games = Games::new(sources, Choice::default());
        (folder, GameStream::open(games, NonZeroUsize::new(2)))
    }

    fn many(count: usize) -> String {
        let mut text = String::new();
        for round in 0..count {
            write!(text, "[Round \"{round}\"]\n\n1. e4 e5 *\n\n").expect("memory");
        }
        text
    }

    #[test]
    fn games_come_in_order() {
        let (_folder, stream) = stream(&many(20_000), false);
        let games = stream.flat_map(|some| some.expect("readable"));
        let rounds = games.map(|game| game.tag("Round").map(str::to_owned));
        let expected = (0..20_000).map(|round| Some(round.to_string()));
        assert!(rounds.eq(expected));
    }

    #[test]
    fn unreadable_sources_are_reported_after_the_games() {
        let (_folder, stream) = stream(&many(3), true);
        let items: Vec<Item> = stream.collect();
        assert!(matches!(items.last(), Some(Err(_))));
        let games: usize = items.iter().flatten().map(Vec::len).sum();
        assert_eq!(games, 3);
    }

    #[test]
    fn a_dropped_stream_stops_reading() {
        let (_folder, mut stream) = stream(&many(20_000), false);
        assert!(stream.next().is_some());
        let stop = stream.stop().clone();
        drop(stream);
        assert!(stop.is_raised());
    }
}
