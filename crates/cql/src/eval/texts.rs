//! Texts, regular expressions, and the tags of a game.

use super::{Entry, Matcher, Value};
use crate::ast::{Award, Group};
use crate::ir::*;
use crate::positions::Positions;
use chess::pgn::Game;
use chess::{Identity, Square};
use regex::Regex;
use rustc_hash::FxHashMap;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// The greatest length of a text, in bytes.
const MAX_TEXT: usize = 1 << 22;
/// The number of compiled patterns in the cache.
const MAX_PATTERNS: usize = 64;
/// The length of constant texts whose matches are kept.
const MAX_CONSTANT: usize = 256;

/// Patterns that were compiled, and the groups of the last match.
#[derive(Default)]
pub(super) struct Regexes {
    compiled: FxHashMap<Arc<str>, Option<Arc<Regex>>>,
    last: Option<Arc<Groups>>,
    /// All matches of constant patterns in constant texts.
    constant: FxHashMap<(TextId, TextId), Arc<[Arc<Groups>]>>,
}

/// The groups of a match: where each starts and its text, and its name.
struct Groups {
    found: Vec<Option<(usize, Arc<str>)>>,
    names: Vec<Option<Box<str>>>,
}

impl Groups {
    fn new(regex: &Regex, captures: &regex::Captures<'_>) -> Arc<Groups> {
        let group = |m: Option<regex::Match<'_>>| m.map(|m| (m.start(), m.as_str().into()));
        Arc::new(Groups {
            found: captures.iter().map(group).collect(),
            names: regex.capture_names().map(|n| n.map(Into::into)).collect(),
        })
    }
}

impl Regexes {
    fn get(&mut self, pattern: &Arc<str>) -> Option<Arc<Regex>> {
        if self.compiled.len() >= MAX_PATTERNS {
            self.compiled.clear();
        }
        let compile = || crate::regex::compile(pattern).ok().map(Arc::new);
        self.compiled
            .entry(pattern.clone())
            .or_insert_with(compile)
            .clone()
    }

    fn group(&self, group: &Group) -> Option<&(usize, Arc<str>)> {
        let groups = self.last.as_ref()?;
        let mut names = groups.names.iter();
        let index = match group {
            Group::Number(n) => usize::from(*n),
            Group::Name(name) => names.position(|n| n.as_deref() == Some(name))?,
        };
        groups.found.get(index)?.as_ref()
    }
}

impl<'q> Matcher<'q> {
    /// A text; without a value, its comments are dropped.
    pub(super) fn text(&mut self, id: TextId) -> Option<Arc<str>> {
        if id.props(&self.q.ir).has(Props::COMMENTS) {
            return self.or_no_comments(|m| m.text_value(id));
        }
        self.text_value(id)
    }

    fn text_value(&mut self, id: TextId) -> Option<Arc<str>> {
        let q = self.q;
        match q.ir.text(id) {
            Text::Const(text) => Some(text.clone()),
            Text::Var(var) => match &self.values[var.0 as usize] {
                Value::Entry(Entry::Text(text)) => Some(text.clone()),
                _ => {
                    self.report_unbound(*var);
                    None
                }
            },
            Text::Flow(flow) => self.flow(flow),
            Text::Join(a, b) => {
                let (a, b) = (self.text(*a)?, self.text(*b)?);
                self.joined(&a, &b)
            }
            Text::Slice(text, from, to) => self.slice(*text, *from, *to),
            Text::Char(text, index) => {
                let (text, index) = (self.text(*text)?, self.num(*index)?);
                self.spend_on(&text);
                let length = text.chars().count() as i64;
                let index = if index < 0 { index + length } else { index };
                let c = text.chars().nth(usize::try_from(index).ok()?)?;
                Some(c.to_string().into())
            }
            Text::Match(text, pattern) => self.match_regex(*text, *pattern),
            Text::Group(group) => self.regexes.group(group).map(|(_, text)| text.clone()),
            Text::Str(parts) => {
                let text = self.compose(parts);
                self.bounded(text)
            }
            Text::FromAscii(num) => {
                let c = char::from_u32(u32::try_from(self.num(*num)?).ok().filter(|&n| n > 0)?)?;
                Some(c.to_string().into())
            }
            Text::Upper(text) => {
                let upper = self.text(*text)?.to_uppercase();
                self.bounded(upper)
            }
            Text::Lower(text) => {
                let lower = self.text(*text)?.to_lowercase();
                self.bounded(lower)
            }
            Text::Compare(op, a, b) => {
                let (a, b) = (self.text(*a)?, self.text(*b)?);
                super::numbers::holds(*op, &*a, &*b).then_some(a)
            }
            Text::Extreme { max, args } => {
                let values: Vec<Arc<str>> = args.iter().filter_map(|&a| self.text(a)).collect();
                if *max {
                    values.into_iter().max()
                } else {
                    values.into_iter().min()
                }
            }
            Text::Sort { key, value, site } => self.sort_text(*key, *value, *site),
            other => self.given_text(other),
        }
    }

    /// Texts of the game or the position.
    fn given_text(&mut self, node: &'q Text) -> Option<Arc<str>> {
        match node {
            Text::Tag(name) => self.tag(name),
            Text::Players => {
                let (white, black) = (self.tag("White"), self.tag("Black"));
                let name = |n: Option<Arc<str>>| n.unwrap_or_default();
                (white.is_some() || black.is_some())
                    .then(|| format!("{}\n{}", name(white), name(black)).into())
            }
            Text::OriginalComment => self.tags.comments.get(&self.at).cloned(),
            Text::Fen => Some(self.board().fen().into()),
            Text::Fen62 => Some((self.board().epd() + " 0 1").into()),
            Text::TypeName(set) => self.piece_name(*set, true),
            Text::PieceName(set) => self.piece_name(*set, false),
            Text::ReadFile(name) => {
                let name = self.text(*name)?;
                let text = self.host?.read_file(&name)?;
                self.bounded(text)
            }
            Text::Pipe(command, input) => {
                let (command, input) = (self.text(*command)?, self.text(*input)?);
                let answer = self.host?.pipe(&command, &input)?;
                self.bounded(answer)
            }
            Text::Lookup(dict, key) => match self.lookup(*dict, *key)? {
                Entry::Text(text) => Some(text),
                _ => None,
            },
            Text::Variant => Some(self.positions.board(0).variant().tag().into()),
            Text::ZobristKey => {
                Some(format!("{:032x}", self.board().key(Identity::default())).into())
            }
            Text::CastlingRights => self.board().fen().split(' ').nth(2).map(Into::into),
            Text::CurrentMutation => self.current_mutation(),
            Text::Composer => self.tags.composer(),
            _ => None,
        }
    }

    /// A new text, which costs steps; none if it is too long.
    fn bounded(&mut self, text: String) -> Option<Arc<str>> {
        self.spend_on(&text);
        (text.len() <= MAX_TEXT).then(|| text.into())
    }

    /// Two texts as one. Most are short, and are joined without memory of their own.
    fn joined(&mut self, a: &str, b: &str) -> Option<Arc<str>> {
        const SHORT: usize = 128;
        let (middle, end) = (a.len(), a.len() + b.len());
        if end > SHORT {
            return self.bounded([a, b].concat());
        }
        self.spend(end as u64 / 16);
        let mut text = [0; SHORT];
        text[..middle].copy_from_slice(a.as_bytes());
        text[middle..end].copy_from_slice(b.as_bytes());
        std::str::from_utf8(&text[..end]).ok().map(Into::into)
    }

    pub(super) fn length(&self, text: &str) -> i64 {
        text.chars().count() as i64
    }

    fn piece_name(&mut self, set: SetId, kind_only: bool) -> Option<Arc<str>> {
        let letter = self.piece_letter(set, kind_only)?;
        Some((&*letter.encode_utf8(&mut [0; 4])).into())
    }

    /// Whether a text has a value; names of pieces are compared without making texts of them.
    pub(super) fn has_text(&mut self, id: TextId) -> bool {
        match *self.q.ir.text(id) {
            Text::Compare(op, a, b) if self.is_letter(a) && self.is_letter(b) => {
                let letters = (self.letter(a), self.letter(b));
                matches!(letters, (Some(a), Some(b)) if super::numbers::holds(op, &a, &b))
            }
            _ => self.text(id).is_some(),
        }
    }

    /// True for the name of a piece, here or elsewhere.
    fn is_letter(&self, id: TextId) -> bool {
        match *self.q.ir.text(id) {
            Text::TypeName(_) | Text::PieceName(_) => true,
            Text::Flow(Flow::At(_, inner)) => {
                id.props(&self.q.ir).is_pure() && self.is_letter(inner)
            }
            _ => false,
        }
    }

    fn letter(&mut self, id: TextId) -> Option<char> {
        match *self.q.ir.text(id) {
            Text::TypeName(set) => self.piece_letter(set, true),
            Text::PieceName(set) => self.piece_letter(set, false),
            Text::Flow(Flow::At(place, inner)) => {
                let at = self.place(place)?;
                self.at_place(at, |m| m.letter(inner))
            }
            _ => None,
        }
    }

    fn piece_letter(&mut self, set: SetId, kind_only: bool) -> Option<char> {
        let set = self.set(set);
        if set.count_ones() != 1 {
            return None;
        }
        let piece = self.board().piece_at(Square::new(set.trailing_zeros()));
        let letter = piece.map_or('.', |p| {
            if kind_only {
                p.role.upper_char()
            } else {
                p.char()
            }
        });
        Some(letter)
    }

    /// Indices from the end are negative; parts outside are cut off.
    fn slice(&mut self, text: TextId, from: Option<NumId>, to: Option<NumId>) -> Option<Arc<str>> {
        let text = self.text(text)?;
        self.spend_on(&text);
        let (from, to) = self.slice_bounds(&text, from, to)?;
        Some(
            text.chars()
                .skip(from)
                .take(to.saturating_sub(from))
                .collect::<String>()
                .into(),
        )
    }

    fn slice_bounds(
        &mut self,
        text: &str,
        from: Option<NumId>,
        to: Option<NumId>,
    ) -> Option<(usize, usize)> {
        let length = text.chars().count() as i64;
        let mut bound = |id: Option<NumId>, default: i64| {
            let n = match id {
                Some(id) => self.num(id)?,
                None => default,
            };
            Some((if n < 0 { n + length } else { n }).clamp(0, length) as usize)
        };
        Some((bound(from, 0)?, bound(to, length)?))
    }

    pub(super) fn assign_slice(
        &mut self,
        var: crate::ast::VarId,
        from: Option<NumId>,
        to: Option<NumId>,
        value: TextId,
    ) -> bool {
        let Value::Entry(Entry::Text(old)) = self.values[var.0 as usize].clone() else {
            return false;
        };
        let (Some((from, to)), Some(value)) = (self.slice_bounds(&old, from, to), self.text(value))
        else {
            return false;
        };
        let head: String = old.chars().take(from).collect();
        let tail: String = old.chars().skip(to.max(from)).collect();
        let Some(text) = self.bounded(format!("{head}{value}{tail}")) else {
            return false;
        };
        self.values[var.0 as usize] = Value::Entry(Entry::Text(text));
        true
    }

    // --- regular expressions ---

    /// A compiled pattern. Compiling one costs far more than using it.
    fn compiled(&mut self, pattern: &Arc<str>) -> Option<Arc<Regex>> {
        if !self.regexes.compiled.contains_key(pattern) {
            self.spend(5_000 + 50 * pattern.len() as u64);
        }
        self.regexes.get(pattern)
    }

    fn match_regex(&mut self, text: TextId, pattern: TextId) -> Option<Arc<str>> {
        let (text, pattern) = (self.text(text)?, self.text(pattern)?);
        self.spend_on(&text);
        let regex = self.compiled(&pattern)?;
        self.regexes.last = None;
        let captures = regex.captures(&text)?;
        self.regexes.last = Some(Groups::new(&regex, &captures));
        Some(captures[0].into())
    }

    /// Evaluates the body with each match in turn.
    pub(super) fn while_match(&mut self, text: TextId, pattern: TextId, body: BoolId) -> bool {
        if let Some(matches) = self.constant_matches(text, pattern) {
            self.regexes.last = None;
            for groups in matches.iter() {
                self.regexes.last = Some(groups.clone());
                self.truth(body);
                if self.steps == 0 {
                    break;
                }
            }
            return true;
        }
        let (Some(text), Some(pattern)) = (self.text(text), self.text(pattern)) else {
            return false;
        };
        let Some(regex) = self.compiled(&pattern) else {
            return false;
        };
        self.regexes.last = None;
        for captures in regex.captures_iter(&text) {
            self.regexes.last = Some(Groups::new(&regex, &captures));
            self.spend_on(&text);
            self.truth(body);
            if self.steps == 0 {
                break;
            }
        }
        true
    }

    /// The matches of a short constant text, found once.
    fn constant_matches(&mut self, text: TextId, pattern: TextId) -> Option<Arc<[Arc<Groups>]>> {
        if let Some(known) = self.regexes.constant.get(&(text, pattern)) {
            return Some(known.clone());
        }
        let (Text::Const(source), Text::Const(by)) =
            (self.q.ir.text(text), self.q.ir.text(pattern))
        else {
            return None;
        };
        let regex = self.compiled(by).filter(|_| source.len() < MAX_CONSTANT)?;
        let all = regex.captures_iter(source);
        let matches: Arc<[_]> = all.map(|captures| Groups::new(&regex, &captures)).collect();
        self.regexes
            .constant
            .insert((text, pattern), matches.clone());
        Some(matches)
    }

    pub(super) fn group_start(&self, group: &Group) -> Option<i64> {
        self.regexes.group(group).map(|(start, _)| *start as i64)
    }

    // --- tags ---

    pub(super) fn tag(&self, name: &str) -> Option<Arc<str>> {
        let edited = self.result.tags.iter().rev().find(|edit| edit.name == name);
        match edited {
            Some(edit) => edit.value.as_deref().map(Into::into),
            None => self.tags.get(name).map(Into::into),
        }
    }
}

/// The texts of a game that filters use.
#[derive(Default)]
pub(super) struct Tags {
    /// The names and values of all tags.
    text: String,
    /// By tag: its name and its value in the text.
    all: Vec<(Range<usize>, Range<usize>)>,
    pub result: &'static str,
    pub elo: [Option<i64>; 2],
    /// Comments by position.
    pub comments: HashMap<u32, Arc<str>>,
    /// Annotation glyphs by position.
    pub nags: HashMap<u32, Vec<u32>>,
    /// A comment reports a cook of the study.
    pub cooked: bool,
}

impl Tags {
    /// The tags and other data of the whole game.
    pub fn load(&mut self, game: &Game) {
        self.text.clear();
        self.all.clear();
        for (name, value) in game.tags().filter(|(_, value)| !value.is_empty()) {
            let start = self.text.len();
            let middle = start + name.len();
            self.text.push_str(name);
            self.text.push_str(value);
            self.all.push((start..middle, middle..self.text.len()));
        }
        self.result = game.outcome().as_str();
        let elo = |name| {
            game.tag(name)
                .and_then(|t| t.trim().parse().ok())
                .filter(|&n| n > 0)
        };
        self.elo = [elo("WhiteElo"), elo("BlackElo")];
    }

    /// The comments and glyphs at its positions.
    pub fn load_notes(&mut self, game: &Game, positions: &Positions) {
        self.comments.clear();
        self.nags.clear();
        self.cooked = false;
        if !game.nags().is_empty() {
            for (at, node) in positions.nodes() {
                let nags: Vec<u32> = game.nags_at(node).collect();
                if !nags.is_empty() {
                    self.nags.insert(at, nags);
                }
            }
        }
        if game.notes().is_empty() {
            return;
        }
        for (at, node) in positions.nodes() {
            let comment = game.node(node).comment();
            if !comment.is_empty() {
                self.comments.insert(at, comment.as_ref().into());
            }
        }
        self.cooked = game
            .notes()
            .rows()
            .iter()
            .any(|(_, note)| game.text(note.text).contains("<cook"));
    }

    fn get(&self, name: &str) -> Option<&str> {
        let is_it = |(known, _): &&(Range<usize>, _)| self.text[known.clone()] == *name;
        let (_, value) = self.all.iter().find(is_it)?;
        Some(&self.text[value.clone()])
    }

    pub fn year(&self) -> Option<i64> {
        self.get("Date")?
            .split('.')
            .next()?
            .parse()
            .ok()
            .filter(|&y| y > 0)
    }

    /// The composers of a study: White, or the first comment if there are too many.
    pub fn composer(&self) -> Option<Arc<str>> {
        if self.get("Black").is_some_and(|b| b.contains("MC")) {
            let first = self.comments.get(&0)?;
            let names = first
                .split('.')
                .next()
                .filter(|n| !n.is_empty() && n.len() < first.len())?;
            return Some(names.into());
        }
        let white = self.get("White")?;
        Some(white.strip_suffix(" NN").unwrap_or(white).into())
    }

    /// The place in an award at the start of the event, as in `3.p`, `2/4.hm`, `sp.c`.
    pub fn award(&self, kind: Award, special: bool, max: bool) -> Option<i64> {
        let event = self.get("Event")?;
        let (places, rest) = award_places(event)?;
        let is_special = rest.strip_prefix(if places.is_some() { ".sp" } else { "sp" });
        let rest = is_special.unwrap_or(rest);
        let found = if rest.starts_with(".hm") {
            Award::HonourableMention
        } else if rest.starts_with(".p") {
            Award::Prize
        } else if rest.starts_with(".c") {
            Award::Commendation
        } else {
            return None;
        };
        if kind != Award::Any && kind != found || special && is_special.is_none() {
            return None;
        }
        let (first, last) = places.unwrap_or((1, 10_000));
        if is_special.is_some() && !special {
            return Some(0);
        }
        Some(if max { last } else { first })
    }
}

/// `2/4` at the beginning: places 2 to 4; the rest of the text.
fn award_places(text: &str) -> Option<(Option<(i64, i64)>, &str)> {
    let number = |text: &str| {
        let end = text
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(text.len());
        Some((text[..end].parse::<i64>().ok()?, end))
    };
    let Some((first, end)) = number(text) else {
        return Some((None, text));
    };
    let rest = &text[end..];
    let Some(second) = rest.strip_prefix('/') else {
        return Some((Some((first, first)), rest));
    };
    let (last, end) = number(second).filter(|&(last, _)| last > first)?;
    Some((Some((first, last)), &second[end..]))
}
