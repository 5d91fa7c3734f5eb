//! The jobs of a server: their rows, cancelling, forgetting.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use super::MOST_ROWS;
use crate::error::Answer;
use crate::jobs::Rows;
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
        Rows::Ready(rows) => rows.into(),
        Rows::Positions(rows) => {
            let mut work = shared.work();
            let rows = rows
                .iter()
                .map(|&(game, node)| describe(&mut work, game, node));
            rows.collect::<Vec<Value>>().into()
        }
    };
    Ok(answer)
}

/// A position of a query. A node that was deleted since has no path.
fn describe(work: &mut Work, game: u32, node: u32) -> Value {
    let mut row = json!({"game": game, "node": node, "path": null, "fen": null, "last": null});
    let Ok(walk) = work.enter(game as usize) else {
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
