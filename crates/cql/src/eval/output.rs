//! The output of a query: comments, messages, sort keys, tags.

use super::budget::ITEM_BYTES;
use super::{Entry, Matcher, Remark, Value};
use crate::ast::VarId;
use crate::ir::*;
use crate::result::{Comment, GameResult, Level, Persistent, SortValue, TagEdit};
use crate::symmetry::bits;
use chess::Square;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The comments that go with the best value of each sort filter.
#[derive(Default)]
pub(super) struct Sorts {
    kept: BTreeMap<(u32, bool, u32), (Entry, Vec<Remark>)>,
}

impl Sorts {
    pub fn clear(&mut self) {
        self.kept.clear();
    }

    /// The memory of the comments.
    pub fn bytes(&self) -> u64 {
        let comments = self.kept.values().flat_map(|(_, remarks)| remarks);
        comments.map(|r| ITEM_BYTES + r.text.len() as u64).sum()
    }
}

impl<'q> Matcher<'q> {
    // --- comments ---

    pub(super) fn remark(&mut self, at: u32, text: &str) {
        if self.q.level > Level::Silent && !text.is_empty() {
            self.keep(ITEM_BYTES + text.len() as u64);
            self.remarks.push(Remark {
                at,
                text: text.into(),
            });
        }
    }

    /// Drops the comments of an evaluation without a value.
    pub(super) fn or_no_comments<T>(
        &mut self,
        evaluate: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let mark = self.remarks.len();
        let value = evaluate(self);
        if value.is_none() {
            self.remarks.truncate(mark);
        }
        value
    }

    /// Writes a text, which costs steps.
    fn spend_on_writing(&mut self, text: &str) {
        self.spend(50 + text.len() as u64);
    }

    pub(super) fn comment(&mut self, parts: &'q [Piece]) -> bool {
        if self.q.level == Level::Silent && !parts.props(&self.q.ir).has(Props::WRITES) {
            return true;
        }
        let text = self.compose(parts);
        self.spend_on_writing(&text);
        self.remark(self.at, &text);
        true
    }

    pub(super) fn message(&mut self, quiet: bool, parts: &'q [Piece]) -> bool {
        let text = self.compose(parts);
        let text = if quiet {
            text
        } else {
            let place = self.place_name(self.at);
            format!("Game: {} {place}: {text}", self.game_number)
        };
        self.spend_on_writing(&text);
        self.keep(ITEM_BYTES + text.len() as u64);
        self.result.messages.push(text);
        true
    }

    /// The parts of a text, each as it is printed.
    pub(super) fn compose(&mut self, parts: &'q [Piece]) -> String {
        let mut text = String::new();
        for part in parts {
            let printed = match *part {
                Piece::Var { var, .. } => self.print_variable(var),
                Piece::Value(Key::Bool(id)) => {
                    if self.truth(id) { "<true>" } else { "<false>" }.into()
                }
                Piece::Value(key) => match self.entry(key) {
                    Some(entry) => self.print(&entry),
                    None => "<false>".into(),
                },
            };
            text += &printed;
        }
        text
    }

    fn print_variable(&mut self, var: VarId) -> String {
        let (q, slot) = (self.q, var.0 as usize);
        let name = &q.variables[slot].name;
        // taken out while positions are named
        let value = std::mem::replace(&mut self.values[slot], Value::Unbound);
        let text = match &value {
            Value::Unbound => format!("<unbound: {name}>"),
            Value::Entry(entry) => self.print(entry),
            Value::Set(set) => print_set(*set),
            Value::Piece(piece) => self.print_piece(*piece),
            Value::Dictionary(map) => {
                let mut text = format!("Dictionary {name} with {} entries: \n", map.len());
                let mut entries: Vec<_> = map.iter().collect();
                entries.sort_unstable_by_key(|(key, _)| *key);
                for (key, value) in entries {
                    self.print_onto(&mut text, key);
                    text.push_str(": ");
                    self.print_onto(&mut text, value);
                    text.push('\n');
                }
                text
            }
        };
        self.values[slot] = value;
        text
    }

    fn print_onto(&mut self, text: &mut String, entry: &Entry) {
        match entry {
            Entry::Text(entry) => text.push_str(entry),
            other => text.push_str(&self.print(other)),
        }
    }

    fn print_piece(&self, piece: u8) -> String {
        let set = self.piece_square(piece);
        if set == 0 {
            return "[absent]".into();
        }
        let square = Square::new(set.trailing_zeros());
        let letter = self.board().piece_at(square).map_or('_', |p| p.char());
        format!("{letter}{square}")
    }

    fn print(&mut self, entry: &Entry) -> String {
        match entry {
            Entry::Num(n) => n.to_string(),
            Entry::Text(text) => text.to_string(),
            Entry::Set(set) => print_set(*set),
            Entry::Place(at) => self.place_name(*at),
        }
    }

    /// The name of a position in comments; in a variation it includes the id.
    pub(super) fn place_name(&mut self, at: u32) -> String {
        let turn = if self.positions.board(at).turn() == chess::Color::White {
            "wtm"
        } else {
            "btm"
        };
        let number = self
            .positions
            .move_number(at, self.q.dialect == crate::Dialect::Cql62);
        if self.positions.depth(at) == 0 || self.positions.is_imagined(at) {
            return format!("move {number}({turn})");
        }
        self.remark(at, &format!("id:{at}"));
        format!("move {number}({turn})[{at}]")
    }

    pub(super) fn has_nag(&self, nag: u8) -> bool {
        self.tags
            .nags
            .get(&self.at)
            .is_some_and(|nags| nags.contains(&u32::from(nag)))
    }

    pub(super) fn remove_comment(&mut self) -> bool {
        let node = self.positions.node(self.at);
        if self.q.remove_comments && !self.result.removed_comments.contains(&node) {
            self.result.removed_comments.push(node);
        }
        true
    }

    // --- sort keys ---

    pub(super) fn sort_num(&mut self, key: u32, value: NumId, site: u32) -> Option<i64> {
        let mark = self.remarks.len();
        let n = self.num(value)?;
        self.sorted((key, false, site), value.0, Entry::Num(n), mark);
        Some(n)
    }

    pub(super) fn sort_text(&mut self, key: u32, value: TextId, site: u32) -> Option<Arc<str>> {
        let mark = self.remarks.len();
        let text = self.text(value)?;
        self.sorted((key, true, site), value.0, Entry::Text(text.clone()), mark);
        Some(text)
    }

    /// Comments of an evaluation are kept only while its value is the best.
    fn sorted(
        &mut self,
        (key, is_text, _): (u32, bool, u32),
        node: u32,
        value: Entry,
        mark: usize,
    ) {
        let min = self.q.ir.sorts[key as usize].min;
        let best = &mut self.best[key as usize];
        let better = best
            .as_ref()
            .is_none_or(|old| if min { value < *old } else { value > *old });
        if better {
            *best = Some(value.clone());
            let mark = mark.min(self.remarks.len());
            let remarks = self.remarks.split_off(mark);
            self.sorts
                .kept
                .insert((key, is_text, node), (value, remarks));
        } else {
            self.remarks.truncate(mark);
        }
    }

    // --- tags and files ---

    pub(super) fn set_tag(&mut self, name: &str, value: TextId) -> bool {
        let Some(value) = self.text(value) else {
            return false;
        };
        self.edit_tag(name, Some(value.to_string()));
        true
    }

    pub(super) fn remove_tag(&mut self, name: &str) -> bool {
        self.edit_tag(name, None);
        true
    }

    fn edit_tag(&mut self, name: &str, value: Option<String>) {
        if self.q.set_tags {
            // the last edit of a tag counts
            self.result.tags.retain(|edit| edit.name != name);
            let name = name.into();
            self.result.tags.push(TagEdit { name, value });
        }
    }

    pub(super) fn write_file(&mut self, name: TextId, text: TextId) -> bool {
        let (Some(name), Some(text)) = (self.text(name), self.text(text)) else {
            return false;
        };
        self.spend_on_writing(&text);
        self.host.is_some_and(|host| host.write_file(&name, &text))
    }

    pub(super) fn output_file(&mut self, name: TextId) -> bool {
        let Some(name) = self.text(name) else {
            return false;
        };
        self.result.output_file = Some(name.to_string());
        true
    }

    pub(super) fn similar(&mut self, file: &str, transforms: bool) -> bool {
        let board = self.board().board_fen();
        self.host
            .is_some_and(|host| host.has_position(file, &board, transforms))
    }

    // --- the result ---

    pub(super) fn finish(&mut self) -> GameResult {
        let nodes = self.result.positions.iter();
        self.result.nodes = nodes.map(|&at| self.positions.node(at)).collect();
        self.conclude();
        if self.result.matched {
            self.note_runs();
            self.note_sorts(self.result.positions.len() as i64);
            self.result.comments = self.comments();
        }
        std::mem::take(&mut self.result)
    }

    /// Whether the game is part of the result.
    pub(super) fn conclude(&mut self) {
        let count = self.result.positions.len() as i64;
        self.result.given_up = self.given_up();
        self.result.matched = match self.q.plan.match_count {
            Some((low, high)) => low <= count && count <= high,
            None => count > 0,
        };
    }

    pub(super) fn game_number_comment(&self) -> Option<Arc<str>> {
        let wanted = self.q.level > Level::Silent && self.q.header_comment;
        wanted.then(|| format!("Game number {}", self.game_number).into())
    }

    /// The comments of the best values, and the values themselves at the beginning of the game.
    pub(super) fn note_sorts(&mut self, count: i64) {
        if self.q.sort_match_count
            && let Some(key) = self.best.first_mut()
        {
            *key = Some(Entry::Num(count));
        }
        for ((key, ..), (value, remarks)) in std::mem::take(&mut self.sorts.kept) {
            if self.best[key as usize].as_ref() == Some(&value) {
                self.remarks.extend(remarks);
            }
        }
        let best = self.best.clone();
        self.result.sort = best
            .iter()
            .map(|b| b.as_ref().and_then(sort_value))
            .collect();
        if self.q.level == Level::Silent || !self.q.sort_comments {
            return;
        }
        let keys = self
            .q
            .ir
            .sorts
            .iter()
            .zip(&self.result.sort)
            .filter(|(key, _)| !key.quiet);
        let text: String = keys
            .map(|(key, value)| match value {
                Some(value) => format!(" {}: {value}", key.name),
                None => format!(" {}: none", key.name),
            })
            .collect();
        self.remark(0, text.trim_start());
    }

    /// All comments in order; equal texts at a position are written once.
    fn comments(&mut self) -> Vec<Comment> {
        let first = self.game_number_comment();
        let first = first.map(|text| Comment {
            node: tree::NodeId::ROOT,
            text,
        });
        let mut comments: Vec<Comment> = first.into_iter().collect();
        let mut written = rustc_hash::FxHashSet::default();
        for remark in self
            .remarks
            .drain(..)
            .filter(|r| !self.positions.is_imagined(r.at))
        {
            let node = self.positions.node(remark.at);
            if !self.q.unique_comments || written.insert((node, remark.text.clone())) {
                comments.push(Comment {
                    node,
                    text: remark.text,
                });
            }
        }
        comments
    }

    /// The persistent variables after the last game.
    pub fn persistent(&mut self) -> Vec<Persistent> {
        let variables = self
            .q
            .variables
            .iter()
            .enumerate()
            .filter(|(_, v)| v.persistent);
        let slots: Vec<usize> = variables.map(|(i, _)| i).collect();
        slots
            .into_iter()
            .map(|i| Persistent {
                name: self.q.variables[i].name.clone(),
                value: self.print_variable(VarId(i as u32)),
                quiet: self.q.variables[i].quiet,
            })
            .collect()
    }
}

fn sort_value(entry: &Entry) -> Option<SortValue> {
    match entry {
        Entry::Num(n) => Some(SortValue::Number(*n)),
        Entry::Text(text) => Some(SortValue::Text(text.clone())),
        Entry::Set(_) | Entry::Place(_) => None,
    }
}

/// `e4`, or `[a1,b2]`.
fn print_set(set: u64) -> String {
    let names: Vec<String> = bits(set).map(|s| Square::new(s).to_string()).collect();
    match &names[..] {
        [one] => one.clone(),
        _ => format!("[{}]", names.join(",")),
    }
}
