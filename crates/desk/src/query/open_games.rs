//! A search of games that are open already, in their current state.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use chess::pgn::Game;
use cql::{Host, Matcher, Query};
use kit::{Stop, Workers};

use super::{Answer, Found, has_news, lock};

/// Searches games, each with its number from 1, and passes each result, with the game, to `each`
/// until that breaks. The chunks are requested one by one. The query reaches no files and programs.
pub fn search_open(
    query: &Query,
    chunks: impl Iterator<Item = Vec<(u64, Game)>> + Send,
    workers: &Workers,
    mut each: impl FnMut(Answer, &Found) -> ControlFlow<()>,
) -> Found {
    let host = OnlyStop(&workers.stop);
    // If the order of games matters, one matcher processes all of them.
    let in_order = (!query.is_parallel()).then(|| Mutex::new(query.matcher().with_host(&host)));
    let threads = match in_order {
        Some(_) => Workers::new(std::num::NonZeroUsize::new(1), workers.stop.clone()),
        None => workers.clone(),
    };
    let mut found = Found::default();
    let file: Arc<str> = Arc::from("");
    threads.run(
        chunks,
        |chunk| match &in_order {
            Some(matcher) => search(&mut lock(matcher), chunk, &host, &file),
            None => search(&mut query.matcher().with_host(&host), chunk, &host, &file),
        },
        |(answers, read)| {
            found.read += read;
            for answer in answers {
                found.add(&answer);
                if found.is_cut_short() || each(answer, &found).is_break() {
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        },
    );
    found
}

fn search(
    matcher: &mut Matcher<'_>,
    chunk: Vec<(u64, Game)>,
    host: &OnlyStop<'_>,
    file: &Arc<str>,
) -> (Vec<Answer>, u64) {
    let (mut answers, mut read) = (Vec::new(), 0);
    for (number, game) in chunk {
        let result = matcher.run(&game, number);
        if host.0.is_raised() {
            break;
        }
        read += 1;
        if has_news(&result) {
            let mut answer = Answer::new(Arc::clone(file), number, result);
            answer.tree = Some(game);
            answers.push(answer);
        }
    }
    (answers, read)
}

/// Nothing outside the games but the request to stop.
struct OnlyStop<'a>(&'a Stop);

impl Host for OnlyStop<'_> {
    fn is_stopped(&self) -> bool {
        self.0.is_raised()
    }
}
