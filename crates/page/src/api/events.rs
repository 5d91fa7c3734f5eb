//! The events of a page: the state of the server, then every change.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_core::Stream;

use crate::events::Events;
use crate::shared::Shared;

/// `GET /api/events`.
pub async fn events(
    State(shared): State<Arc<Shared>>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let joined = tokio::task::spawn_blocking(move || {
        // While the files are locked no change can come between the state and the first event.
        let work = shared.work();
        shared.hub.join(&shared.state(&work))
    });
    let events = joined.await.unwrap_or_else(|_| Events::none());
    Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15)))
}
