//! The new text as a list of items with the blanks before them, broken into lines.

use super::blanks::has_line_end;
use super::gaps::Gaps;
use super::item::Item;
use super::style::TextStyle;
use crate::pgn::build::Kind;
use crate::pgn::scan::Style;
use std::borrow::Cow;
use std::ops::Range;

/// The new text.
pub(super) struct Page<'a> {
    pub gaps: Gaps<'a>,
    pub style: TextStyle<'a>,
    items: Vec<(Cow<'a, str>, Item<'a>)>,
}

impl<'a> Page<'a> {
    pub(super) fn new(gaps: Gaps<'a>, style: TextStyle<'a>) -> Page<'a> {
        let items = Vec::new();
        Page { gaps, style, items }
    }

    /// Old tokens with the blanks between them. The range must not be empty.
    pub(super) fn old(&self, tokens: Range<usize>) -> Item<'a> {
        let first = &self.gaps.tokens[tokens.start];
        let last = &self.gaps.tokens[tokens.end - 1];
        Item {
            text: Cow::Borrowed(&self.gaps.text[first.span.start..last.span.end]),
            first_kind: first.kind,
            last_kind: last.kind,
            first: Some(tokens.start),
            last: Some(tokens.end - 1),
        }
    }

    /// The last old token, unless new text follows it.
    pub(super) fn last(&self) -> Option<usize> {
        self.items.last().and_then(|(_, item)| item.last)
    }

    pub(super) fn last_kind(&self) -> Option<Kind> {
        self.items.last().map(|(_, item)| item.last_kind)
    }

    pub(super) fn put(&mut self, item: Item<'a>) {
        let gap = match self.items.last() {
            None => Cow::Borrowed(self.gaps.leading()),
            Some((_, prev)) => self.gaps.between(prev, &item, &self.style),
        };
        self.items.push((gap, item));
    }

    /// The text, with lines broken in long new text.
    pub(super) fn finish(mut self) -> String {
        self.break_lines();
        let last = self.last();
        let mut text = String::with_capacity(self.gaps.text.len() + 64);
        for (gap, item) in &self.items {
            text.push_str(gap);
            text.push_str(&item.text);
        }
        let trailing = self.gaps.trailing();
        let is_old_end = last.is_some_and(|last| last + 1 == self.gaps.tokens.len());
        let blanks = trailing.trim_end().len();
        text.push_str(if is_old_end {
            trailing
        } else {
            &trailing[blanks..]
        });
        text
    }

    /// By item, whether lines may be broken beside it: in new text that does not fit into a line by
    /// itself, that is added at the end of a line, or that replaces the end of a line; and where the
    /// end of a line was deleted. Other new text makes its line longer, so that the text around it
    /// keeps its lines.
    fn breakable(&self, width: usize) -> Vec<bool> {
        let mut breakable = Vec::with_capacity(self.items.len());
        for run in self.items.chunk_by(|a, b| a.1.is_new() && b.1.is_new()) {
            let columns =
                |(gap, item): &(Cow<str>, Item)| gap.chars().count() + item.text.chars().count();
            let is_new = run.iter().all(|(_, item)| item.is_new());
            let is_long = run.iter().map(columns).sum::<usize>() > width;
            let end = breakable.len() + run.len();
            let next = self.items.get(end);
            let ends_line = next.is_none_or(|(gap, _)| has_line_end(gap));
            let lost_end = !is_new && self.lost_line_end(breakable.len());
            breakable.resize(end, is_new && (is_long || ends_line) || lost_end);
        }
        breakable
    }

    /// True if an item replaces the end of a line, or if one between it and the item before it was
    /// deleted.
    fn lost_line_end(&self, index: usize) -> bool {
        let (gap, item) = &self.items[index];
        let prev = index
            .checked_sub(1)
            .and_then(|prev| self.items[prev].1.last);
        let start = prev.map_or(item.first, |prev| Some(prev + 1));
        let tokens = start.zip(item.last).filter(|(start, last)| start <= last);
        let old = tokens.map(|(start, last)| {
            let spans = [start, last].map(|token| &self.gaps.tokens[token].span);
            &self.gaps.text[spans[0].start..spans[1].end]
        });
        old.is_some_and(|old| has_line_end(old) && !has_line_end(gap) && !has_line_end(&item.text))
    }

    fn break_lines(&mut self) {
        let Some(width) = self.style.width else {
            return;
        };
        let breakable = self.breakable(width);
        let mut line = LineSoFar::default();
        let mut index = 0;
        while let Some((gap, item)) = self.items.get(index) {
            line.add_gap(gap);
            let prev = index.checked_sub(1);
            let is_beside = breakable[index] || prev.is_some_and(|prev| breakable[prev]);
            if is_beside && can_break(prev.map(|prev| &self.items[prev]), gap, item) {
                line.last_break = Some(index);
            }
            let fits = line.column + first_line_width(&item.text) <= width;
            match line
                .last_break
                .filter(|_| !fits && item.first_kind != Kind::Tag)
            {
                // Go on after the new line end.
                Some(place) => {
                    self.items[place].0 =
                        Cow::Owned(format!("{}{}", self.style.line_end, line.indent));
                    index = place;
                    line.last_break = None;
                }
                None => {
                    line.add_text(&item.text);
                    index += 1;
                }
            }
        }
    }
}

/// The line being filled.
#[derive(Default)]
struct LineSoFar {
    column: usize,
    indent: String,
    last_break: Option<usize>,
}

impl LineSoFar {
    fn add_gap(&mut self, gap: &str) {
        match gap.rfind(['\n', '\r']) {
            Some(at) => {
                self.indent = gap[at + 1..].to_owned();
                self.column = self.indent.chars().count();
                self.last_break = None;
            }
            None => self.column += gap.chars().count(),
        }
    }

    fn add_text(&mut self, text: &str) {
        match text.rfind(['\n', '\r']) {
            Some(at) => {
                self.column = text[at + 1..].chars().count();
                self.last_break = None;
            }
            None => self.column += text.chars().count(),
        }
    }
}

fn first_line_width(text: &str) -> usize {
    let line = text.split(['\n', '\r']).next().unwrap_or_default();
    line.chars().count()
}

/// True if a line may end between these items.
fn can_break(prev: Option<&(Cow<'_, str>, Item<'_>)>, gap: &str, next: &Item) -> bool {
    let Some((_, prev)) = prev else { return false };
    let is_gap = !gap.is_empty() && gap.trim().is_empty() && !has_line_end(gap);
    // At the start of a line, `%` starts a comment and `[` a tag.
    let is_safe = !next.text.starts_with(['%', '[']) && prev.last_kind != Kind::Tag;
    let belongs = matches!(
        (prev.last_kind, next.first_kind),
        (Kind::Number | Kind::Open, _) | (_, Kind::Close | Kind::Mark | Kind::Dollar)
    );
    let is_line = next.first_kind == Kind::Comment(Style::Line);
    is_gap && is_safe && !belongs && !is_line
}
