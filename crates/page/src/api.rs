//! The routes of the interface, as API.md lists them.

mod archived;
mod edit;
pub mod events;
mod files;
mod games;
mod notation;
mod orders;
mod picture;
mod position;
mod query;
mod review;
mod sums;
mod tasks;

use std::sync::Arc;

use axum::Router;

use crate::route::{get, get_bytes, post, post_job};
use crate::shared::Shared;

/// Windows of lists have at most this many rows.
const MOST_ROWS: usize = 1000;

/// All routes below `/api`, except the events.
pub fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/state", get(games::state))
        .route("/games", get(games::games))
        .route("/game", get(games::game))
        .route("/pgn", get(games::pgn))
        .route("/download", get_bytes(files::download))
        .route("/position", get(position::position))
        .route("/positions", get(position::positions))
        .route("/step", get(position::step))
        .route("/find", get(position::find))
        .route("/orders", get(orders::orders))
        .route("/opening", get(position::opening))
        .route("/notation", post(notation::notation))
        .route("/picture", post(picture::picture))
        .route("/picture.svg", get_bytes(picture::svg))
        .route("/verbs", get(edit::verbs))
        .route("/play", post(edit::play))
        .route("/edit", post(edit::edit))
        .route("/copy", post(edit::copy))
        .route("/cut", post(edit::cut))
        .route("/paste", post(edit::paste))
        .route("/paste-pgn", post(edit::paste_pgn))
        .route("/undo", post(edit::undo))
        .route("/redo", post(edit::redo))
        .route("/save", post(files::save))
        .route("/resume", post(files::resume))
        .route("/discard", post(files::discard))
        .route("/reload", post(files::reload))
        .route("/job", get(tasks::job))
        .route("/cancel", post(tasks::cancel))
        .route("/remove", post(tasks::remove))
        .route("/audit", post_job(review::audit))
        .route("/diff", post_job(review::diff))
        .route("/against", post_job(review::against))
        .route("/query", post_job(query::run))
        .route("/query/save", post_job(query::save))
        .route("/query/check", post(query::check))
        .route("/query/complete", post(query::complete))
        .route("/query/help", post(query::help))
        .route("/sums/games", get(sums::games))
        .route("/sums/check", post(sums::check))
        .route("/sums/moves", post(sums::moves))
        .route("/sums/solve", post_job(sums::solve))
        .route("/sums/strategy", post_job(sums::strategy))
        .route("/sums/strategy/at", post(sums::strategy_at))
        .route("/sums/reply", post_job(sums::reply))
}
