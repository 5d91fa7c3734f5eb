//! Server-sent events: each change is sent to all open pages.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll};

use axum::response::sse::Event;
use futures_core::Stream;
use serde::Serialize;
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// A page that reads this many events too slowly is disconnected; it connects again by itself.
const MOST_WAITING: usize = 256;

/// The open pages.
#[derive(Debug, Default)]
pub struct Hub {
    pages: Mutex<Pages>,
    last: AtomicU64,
}

#[derive(Debug, Default)]
struct Pages {
    senders: Vec<Sender<Event>>,
    closed: bool,
}

impl Hub {
    /// Sends an event to all pages.
    pub fn send(&self, name: &str, data: &impl Serialize) {
        let event = self.event(name, data);
        let mut pages = self.lock();
        pages
            .senders
            .retain(|page| page.try_send(event.clone()).is_ok());
    }

    /// Ends all streams, and begins no new ones.
    pub fn close(&self) {
        let mut pages = self.lock();
        pages.closed = true;
        pages.senders.clear();
    }

    /// The events of a new page, the first of them `hello`.
    pub fn join(&self, hello: &impl Serialize) -> Events {
        let (sender, receiver) = channel(MOST_WAITING);
        // The channel has room for the first event.
        sender.try_send(self.event("hello", hello)).ok();
        let mut pages = self.lock();
        if !pages.closed {
            pages.senders.push(sender);
        }
        Events(receiver)
    }

    fn event(&self, name: &str, data: &impl Serialize) -> Event {
        let id = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        let data = serde_json::to_string(data).unwrap_or_default();
        Event::default().id(id.to_string()).event(name).data(data)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Pages> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The events of one page.
pub struct Events(Receiver<Event>);

impl Events {
    /// No events.
    pub fn none() -> Events {
        Events(channel(1).1)
    }
}

impl Stream for Events {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|event| event.map(Ok))
    }
}
