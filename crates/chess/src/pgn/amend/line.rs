//! Writes the lines of a game in text order, without recursion.

mod numbers;
mod own;

use super::gaps::Gaps;
use super::item::Item;
use super::page::Page;
use super::pairs::pairs;
use super::style::TextStyle;
use crate::pgn::build::{Kind, NodeTokens, Trace};
use crate::pgn::game::Game;
use crate::pgn::outcome::Outcome;
use crate::pgn::tag::{RawTag, TagForm, escape};
use crate::pgn::write::tag_name;
use numbers::colors;
use own::{Placed, has_rest};
use std::collections::{HashMap, VecDeque};
use tree::NodeId;

/// Writes a changed game over its old text.
pub(super) struct Printer<'a> {
    pub game: &'a Game,
    pub trace: &'a Trace,
    pub page: Page<'a>,
    /// The old node of each node, by index.
    old: Vec<Option<NodeId>>,
    /// The variations that are written after a move, with their number among the alternatives.
    hosted: HashMap<NodeId, Vec<(NodeId, u32)>>,
    /// Notes that are written after the result.
    tail: Vec<Item<'a>>,
}

/// What is left to write, the next one last.
enum Task<'a> {
    /// A move and everything after it in its line; the number of moves before it.
    Line(NodeId, u32),
    /// The line after a move.
    Continue(NodeId, u32),
    Variation(NodeId, u32),
    Close(NodeId),
    Items(Vec<Placed<'a>>),
    /// The unreadable rest of a line that goes on now, as a variation.
    RestBeside(NodeId),
}

impl<'a> Printer<'a> {
    pub(super) fn new(game: &'a Game, trace: &'a Trace, text: &'a str) -> Printer<'a> {
        let style = TextStyle::of(trace, text, &colors(&trace.game));
        Printer {
            game,
            trace,
            page: Page::new(Gaps::new(trace, text), style),
            old: pairs(game, &trace.game),
            hosted: HashMap::new(),
            tail: Vec::new(),
        }
    }

    pub(super) fn print(mut self) -> String {
        let (in_header, after) = self.root_annotations();
        self.header(in_header);
        self.put_all(after);
        self.lines();
        self.result();
        for item in std::mem::take(&mut self.tail) {
            self.page.put(item);
        }
        self.page.finish()
    }

    /// The notes and glyphs of the root, those between the tags first.
    fn root_annotations(&self) -> (Vec<Placed<'a>>, Vec<Placed<'a>>) {
        let (mut in_header, mut after) = (Vec::new(), Vec::new());
        for mut placed in self.annotations(NodeId::ROOT) {
            let item = &mut placed.item;
            match item.first.filter(|&first| first < self.trace.header) {
                Some(first) if self.trace.tokens[first].kind == item.first_kind => {
                    in_header.push(placed);
                }
                // A comment in braces between the tags would end them.
                Some(_) => {
                    (item.first, item.last) = (None, None);
                    after.push(placed);
                }
                None => after.push(placed),
            }
        }
        (in_header, after)
    }

    pub(super) fn old_node(&self, node: NodeId) -> Option<NodeId> {
        self.old.get(node.index()).copied().flatten()
    }

    pub(super) fn tokens_of(&self, node: NodeId) -> Option<NodeTokens> {
        let old = self.old_node(node)?;
        self.trace.nodes.get(old.index()).copied()
    }

    fn put_all(&mut self, items: Vec<Placed<'a>>) {
        for placed in items {
            let follows_result = |first| self.trace.result.is_some_and(|result| first > result);
            if placed.item.first.is_some_and(follows_result) {
                self.tail.push(placed.item);
            } else {
                self.page.put(placed.item);
            }
        }
    }
}

/// Tags and the result.
impl<'a> Printer<'a> {
    /// Writes the tags, and the comments between them.
    fn header(&mut self, comments: Vec<Placed<'a>>) {
        let mut old = self.old_tags();
        let mut comments = comments.into_iter().peekable();
        for (name, value) in self.game.tags() {
            let known = old.get_mut(name).and_then(VecDeque::pop_front);
            let Some((token, old_value, raw)) = known else {
                self.page.put(new_tag(name, value));
                continue;
            };
            let is_earlier = |placed: &Placed| placed.item.first < Some(token);
            while let Some(comment) = comments.next_if(is_earlier) {
                self.page.put(comment.item);
            }
            let item = if value == old_value {
                self.page.old(token..token + 1)
            } else {
                let item = self.changed_tag(raw, name, value);
                item.in_place_of(token..token + 1)
            };
            self.page.put(item);
        }
        comments.for_each(|comment| self.page.put(comment.item));
    }

    /// The old tags by name: token, value and form.
    fn old_tags(&self) -> HashMap<&'a str, VecDeque<(usize, &'a str, &'a RawTag)>> {
        let tokens = self.trace.tokens.iter().enumerate();
        let tokens = tokens.filter(|(_, token)| token.kind == Kind::Tag);
        let mut tags: HashMap<_, VecDeque<_>> = HashMap::new();
        let old = self.trace.game.tags().zip(&self.trace.tags);
        for ((token, _), ((name, value), raw)) in tokens.zip(old) {
            tags.entry(name).or_default().push_back((token, value, raw));
        }
        tags
    }

    fn changed_tag(&self, raw: &RawTag, name: &str, value: &str) -> Item<'a> {
        let text = self.page.gaps.text;
        match raw.form {
            TagForm::Fine | TagForm::Escaped => {
                let before = &text[raw.span.start..raw.value.start];
                let after = &text[raw.value.end..raw.span.end];
                Item::new(format!("{before}{}{after}", escape(value)), Kind::Tag)
            }
            _ => new_tag(name, value),
        }
    }

    fn result(&mut self) {
        let outcome = self.game.outcome();
        let text = outcome.as_str();
        match self.trace.result {
            Some(token) if outcome == self.trace.game.outcome() => {
                self.page.put(self.page.old(token..token + 1));
            }
            Some(token) => {
                let item = Item::new(text, Kind::Result);
                self.page.put(item.in_place_of(token..token + 1));
            }
            None => {
                let tag = self.game.tag("Result").map(str::trim).unwrap_or_default();
                let default = Outcome::read(tag.as_bytes()).unwrap_or_default();
                if outcome != default {
                    self.page.put(Item::new(text, Kind::Result));
                }
            }
        }
    }
}

fn new_tag<'a>(name: &str, value: &str) -> Item<'a> {
    let text = format!("[{} \"{}\"]", tag_name(name), escape(value));
    Item::new(text, Kind::Tag)
}

/// Lines and variations.
impl<'a> Printer<'a> {
    fn lines(&mut self) {
        let mut tasks = vec![Task::Continue(NodeId::ROOT, 0)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Line(node, ply) => self.line(node, ply, &mut tasks),
                Task::Continue(node, ply) => match self.game.tree().next(node) {
                    Some(next) => tasks.push(Task::Line(next, ply)),
                    None => self
                        .rest(node)
                        .into_iter()
                        .for_each(|item| self.page.put(item)),
                },
                Task::Variation(node, ply) => {
                    self.parenthesis(node, Kind::Open);
                    tasks.extend([Task::Close(node), Task::Line(node, ply)]);
                }
                Task::Close(node) => self.parenthesis(node, Kind::Close),
                Task::Items(items) => self.put_all(items),
                Task::RestBeside(node) => {
                    for item in self.rest(node) {
                        self.page.put(self.text_variation(&item.text));
                    }
                }
            }
        }
    }

    /// Writes a move with its annotations; its alternatives and its continuation become tasks.
    fn line(&mut self, node: NodeId, ply: u32, tasks: &mut Vec<Task<'a>>) {
        let tree = self.game.tree();
        let mut items = self.annotations(node);
        let mut after = items.split_off(items.partition_point(|placed| placed.group == 0));
        self.put_all(items);
        self.put_move(node, ply);
        let is_primary = tree.is_locally_mainline(node);
        if is_primary {
            self.find_hosts(node);
        }
        let hosted = self.hosted.remove(&node).unwrap_or_default();
        tasks.push(Task::Continue(node, ply + 1));
        if let Some(parent) = tree
            .parent(node)
            .filter(|&parent| has_rest(self.game, parent))
            && is_primary
        {
            tasks.push(Task::RestBeside(parent));
        }
        let own_number = hosted.first().map_or(0, |(_, number)| number - 1);
        for &(variation, number) in hosted.iter().rev() {
            let written = number - own_number;
            let late = after.partition_point(|placed| placed.group <= written);
            tasks.push(Task::Items(after.split_off(late)));
            tasks.push(Task::Variation(variation, ply));
        }
        self.put_all(after);
    }

    /// Finds out after which move each alternative is written: the primary move, or an alternative
    /// inside whose variation it was written before, if their order allows it.
    fn find_hosts(&mut self, primary: NodeId) {
        let tree = self.game.tree();
        let mut open = vec![primary];
        let mut number = 0;
        let mut next = tree.next_sibling(primary);
        while let Some(node) = next {
            number += 1;
            let host = self.old_host(node);
            let is_host = |other: &NodeId| host.is_some() && self.old_node(*other) == host;
            let at = open.iter().rposition(is_host).unwrap_or(0);
            open.truncate(at + 1);
            let variations = self.hosted.entry(open[at]).or_default();
            variations.push((node, number));
            open.push(node);
            next = tree.next_sibling(node);
        }
    }

    /// The alternative inside whose variation this one was written, if any.
    fn old_host(&self, node: NodeId) -> Option<NodeId> {
        let host = self.tokens_of(node)?.host?;
        let is_primary = self.trace.game.tree().is_locally_mainline(host);
        (!is_primary).then_some(host)
    }

    fn parenthesis(&mut self, node: NodeId, kind: Kind) {
        let tokens = self.tokens_of(node).and_then(|tokens| tokens.parentheses);
        let item = match (tokens, kind) {
            (Some((open, _)), Kind::Open) => self.page.old(open..open + 1),
            (Some((_, close)), _) => self.page.old(close..close + 1),
            (None, Kind::Open) => Item::new("(", kind),
            (None, _) => Item::new(")", kind),
        };
        self.page.put(item);
    }
}
