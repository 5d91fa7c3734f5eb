//! The list of games of an archive that was asked for last.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use desk::archive::Listing;

/// The list that was asked for last: pages ask for its windows one after another.
#[derive(Debug, Default)]
pub struct LastListing(Mutex<Option<(Order, Arc<Listing>)>>);

/// What a list depends on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order {
    /// The condition on the games.
    pub filter: String,
    /// The column that sorts them.
    pub sort: String,
    /// From the last to the first.
    pub is_reversed: bool,
    /// The position that the games have.
    pub position: Option<String>,
}

impl LastListing {
    /// The list, if it was asked for last.
    pub fn get(&self, order: &Order) -> Option<Arc<Listing>> {
        let last = self.lock();
        let (_, list) = last.as_ref().filter(|(known, _)| known == order)?;
        Some(Arc::clone(list))
    }

    /// Keeps a list until another is asked for.
    pub fn set(&self, order: Order, list: &Arc<Listing>) {
        *self.lock() = Some((order, Arc::clone(list)));
    }

    fn lock(&self) -> MutexGuard<'_, Option<(Order, Arc<Listing>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
