//! Transpositions are found after each change, away from the requests.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use serde_json::json;

use crate::shared::Shared;

/// Changes that follow one another are marked together.
const PAUSE: Duration = Duration::from_millis(250);

/// Finds the transpositions of a game soon, unless they are known.
pub fn request(shared: &Arc<Shared>, game: usize) {
    let running = Arc::clone(&shared.is_marking);
    if running.swap(true, Ordering::AcqRel) {
        return;
    }
    let shared = Arc::downgrade(shared);
    thread::spawn(move || {
        thread::sleep(PAUSE);
        running.store(false, Ordering::Release);
        if let Some(shared) = shared.upgrade() {
            find(&shared, game);
        }
    });
}

/// The games are copied, and compared while other requests are answered.
fn find(shared: &Shared, game: usize) {
    let (task, rev) = {
        let mut work = shared.work();
        if work.enter(game).is_err() || work.session.has_marks() {
            return;
        }
        (work.session.marks_task(), work.rev)
    };
    let marks = task.run();
    let mut work = shared.work();
    if work.rev == rev && work.enter(game).is_ok() {
        work.session.set_marks(marks);
        shared.hub.send("marks", &json!({"rev": rev, "game": game}));
    }
}
