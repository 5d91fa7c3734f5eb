//! The jobs of a server: their rows, cancelling, forgetting.

use std::sync::Arc;

use desk::book::title;
use serde::Deserialize;
use serde_json::{Value, json};

use super::MOST_ROWS;
use crate::error::Answer;
use crate::jobs::{Job, Rows};
use crate::route::Client;
use crate::shared::{Shared, Work, attached};

/// Which rows of which job.
#[derive(Deserialize)]
pub struct JobQuery {
    job: u64,
    #[serde(default)]
    from: usize,
    count: Option<usize>,
}

/// `GET /api/job`
pub fn job(shared: &Arc<Shared>, query: JobQuery) -> Answer<Value> {
    let job = shared.jobs.find(query.job)?;
    let count = query.count.unwrap_or(100).min(MOST_ROWS);
    let mut answer = job.json();
    let seen = {
        let status = job.status();
        let end = query.from.saturating_add(count);
        let range = query.from.min(status.rows.len())..end.min(status.rows.len());
        match &status.rows {
            Rows::Ready(rows) => Rows::Ready(rows[range].to_vec()),
            Rows::Positions(rows) => Rows::Positions(rows[range].to_vec()),
        }
    };
    answer["from"] = query.from.into();
    answer["rows"] = match seen {
        Rows::Ready(mut rows) => {
            if let Some(numbers) = renumbered(&job, &shared.work()) {
                rows.iter_mut().for_each(|row| renumber(row, &numbers));
            }
            rows.into()
        }
        Rows::Positions(rows) => {
            let mut work = shared.work();
            let numbers = renumbered(&job, &work);
            let rows = rows.iter().map(|&(game, node)| {
                let now = numbers
                    .as_ref()
                    .and_then(|numbers| numbers.get(game as usize));
                match now {
                    Some(None) => missing(Value::Null, node),
                    Some(&Some(game)) => describe(&mut work, game, node),
                    None => describe(&mut work, game as usize, node),
                }
            });
            rows.collect::<Vec<Value>>().into()
        }
    };
    Ok(answer)
}

fn renumbered(job: &Job, work: &Work) -> Option<Vec<Option<usize>>> {
    job.numbers.renumbered(&work.session, work.epoch)
}

/// Puts the present numbers of games into a row.
fn renumber(row: &mut Value, numbers: &[Option<usize>]) {
    for field in ["game", "other_game", "old_game", "new_game", "book_game"] {
        let Some(value) = row.get_mut(field) else {
            continue;
        };
        let before = value
            .as_u64()
            .and_then(|before| usize::try_from(before).ok());
        if let Some(&now) = before.and_then(|before| numbers.get(before)) {
            *value = now.into();
        }
    }
}

fn missing(game: Value, node: u32) -> Value {
    json!({"game": game, "node": node, "path": null, "fen": null, "last": null, "title": ""})
}

/// A position of a query. A node that was deleted since has no path.
fn describe(work: &mut Work, game: usize, node: u32) -> Value {
    let mut row = missing(game.into(), node);
    row["title"] = title(&work.session.tags(game)).into();
    let Ok(walk) = work.enter(game) else {
        return row;
    };
    let Ok(at) = attached(walk, node) else {
        return row;
    };
    let written = walk.game().node(at);
    row["path"] = walk.game_view().path(at).into();
    row["fen"] = written.fen().into();
    row["last"] = written.parent().map(|_| written.uci()).into();
    row
}

/// A job.
#[derive(Deserialize)]
pub struct JobRequest {
    job: u64,
}

/// `POST /api/cancel`
pub fn cancel(shared: &Arc<Shared>, request: JobRequest, _: Client) -> Answer<Value> {
    let job = shared.jobs.find(request.job)?;
    job.stop.raise();
    Ok(job.json())
}

/// `POST /api/remove`
pub fn remove(shared: &Arc<Shared>, request: JobRequest, _: Client) -> Answer<Value> {
    shared.jobs.remove(request.job)?;
    Ok(json!({}))
}
