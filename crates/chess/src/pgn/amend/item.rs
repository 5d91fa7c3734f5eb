//! A part of the new text.

use std::borrow::Cow;
use std::ops::Range;

use crate::pgn::build::Kind;

/// A part of the new text: some old tokens, or new text, possibly in place of old tokens.
#[derive(Clone, Debug)]
pub(super) struct Item<'a> {
    pub text: Cow<'a, str>,
    pub first_kind: Kind,
    pub last_kind: Kind,
    /// The first old token that this is, or that this stands for.
    pub first: Option<usize>,
    pub last: Option<usize>,
}

impl<'a> Item<'a> {
    pub(super) fn new(text: impl Into<Cow<'a, str>>, kind: Kind) -> Item<'a> {
        Item {
            text: text.into(),
            first_kind: kind,
            last_kind: kind,
            first: None,
            last: None,
        }
    }

    /// True for new text that does not stand for old tokens.
    pub(super) fn is_new(&self) -> bool {
        self.first.is_none()
    }

    /// The same in place of old tokens.
    pub(super) fn in_place_of(mut self, tokens: Range<usize>) -> Item<'a> {
        self.first = Some(tokens.start);
        self.last = Some(tokens.end - 1);
        self
    }
}
