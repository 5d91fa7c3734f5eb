//! The blanks between tokens.

use super::blanks::has_line_end;
use super::item::Item;
use super::style::TextStyle;
use crate::pgn::build::{Kind, Token, Trace};
use crate::pgn::scan::Style;
use std::borrow::Cow;

/// Finds the blanks between two items of the new text.
pub(super) struct Gaps<'a> {
    pub text: &'a str,
    pub tokens: &'a [Token],
    /// The number of tokens up to the last tag.
    pub header: usize,
}

impl<'a> Gaps<'a> {
    pub(super) fn new(trace: &'a Trace, text: &'a str) -> Gaps<'a> {
        Gaps {
            text,
            tokens: &trace.tokens,
            header: trace.header,
        }
    }

    /// The text before the first token.
    pub(super) fn leading(&self) -> &'a str {
        let first = self.tokens.first().map_or(0, |token| token.span.start);
        &self.text[..first]
    }

    /// The text after the last token.
    pub(super) fn trailing(&self) -> &'a str {
        let last = self.tokens.last().map_or(0, |token| token.span.end);
        &self.text[last..]
    }

    pub(super) fn between(&self, prev: &Item, next: &Item, style: &TextStyle<'a>) -> Cow<'a, str> {
        let line_end = style.line_end;
        if let Some(old) = self.old(prev, next) {
            return Cow::Borrowed(old);
        }
        match (prev.last_kind, next.first_kind) {
            (Kind::Tag, Kind::Tag) => {
                let gap = style.gap(Kind::Tag, Kind::Tag);
                Cow::Borrowed(if has_line_end(gap) { gap } else { line_end })
            }
            (Kind::Tag, _) => self.after_tags(line_end),
            // A `;` or `%` comment ends its line, and a `%` or `[` must start one.
            (Kind::Comment(Style::Line | Style::Escape), _)
            | (_, Kind::Tag | Kind::Comment(Style::Escape)) => Cow::Borrowed(line_end),
            (prev_kind, next_kind) => {
                let line_break = self.line_break(prev, next);
                Cow::Borrowed(line_break.unwrap_or_else(|| style.gap(prev_kind, next_kind)))
            }
        }
    }

    /// The old text between two old neighbours.
    fn old(&self, prev: &Item, next: &Item) -> Option<&'a str> {
        let (last, first) = (prev.last?, next.first?);
        (last + 1 == first).then(|| self.before(first))
    }

    fn before(&self, token: usize) -> &'a str {
        let start = token
            .checked_sub(1)
            .map_or(0, |prev| self.tokens[prev].span.end);
        &self.text[start..self.tokens[token].span.start]
    }

    /// The old blanks before `next`, or after `prev` where something was deleted, if they break the
    /// line: lines that were not changed keep their ends.
    fn line_break(&self, prev: &Item, next: &Item) -> Option<&'a str> {
        let before = next.first?;
        let after = prev.last.map(|last| last + 1);
        let places = [Some(before), after].into_iter().flatten();
        // The blank line after the tags is not a line break of the movetext.
        let inner = places.filter(|&token| token > self.header && token < self.tokens.len());
        let mut gaps = inner.map(|token| self.before(token));
        gaps.find(|gap| has_line_end(gap) && gap.trim().is_empty())
    }

    fn after_tags(&self, line_end: &str) -> Cow<'a, str> {
        match self.header {
            0 => Cow::Owned(line_end.repeat(2)),
            header if header < self.tokens.len() => Cow::Borrowed(self.before(header)),
            _ => Cow::Owned(line_end.repeat(2)),
        }
    }
}
