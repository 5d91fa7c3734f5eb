//! Comments and marks of merged games: each once, with its source.
//!
//! Comments are equal if their words are. Where comments of several sources meet, each gets its
//! source, `[%src a.pgn]`. The source is not part of the text, so merging again changes nothing.

use std::collections::{BTreeSet, HashMap};
use std::hash::{BuildHasher, Hash, Hasher};

use chess::annotation::{self, Eval};
use chess::pgn::{Game, Note, NoteKind, NotePlace, Style};
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};
use tree::{NodeId, Tree};

/// The annotations to keep from a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeptAnnotations {
    /// Comments, and unreadable text.
    pub comments: bool,
    /// Marks such as `!`.
    pub nags: bool,
    /// Clock and elapsed times.
    pub clocks: bool,
}

impl Default for KeptAnnotations {
    fn default() -> KeptAnnotations {
        KeptAnnotations {
            comments: true,
            nags: true,
            clocks: true,
        }
    }
}

/// The number of a source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SourceId(u32);

/// The comments and marks of many nodes.
#[derive(Clone, Debug, Default)]
pub struct Remarks {
    rows: Vec<Row>,
    /// The rows by node, kind and words.
    index: HashTable<u32>,
    marks: HashMap<NodeId, Vec<(u32, SourceId)>, FxBuildHasher>,
    names: Vec<String>,
    by_name: HashMap<String, SourceId, FxBuildHasher>,
    measured: HashMap<NodeId, Measured, FxBuildHasher>,
}

/// The measurements of the games through a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Measured {
    /// A hash of those of the first game.
    first: u64,
    /// The number of games with the same ones; 0 if some game has others.
    games: u32,
}

impl Measured {
    fn join(&mut self, other: Measured) {
        let same = self.first == other.first && self.games > 0 && other.games > 0;
        self.games = if same { self.games + other.games } else { 0 };
    }
}

#[derive(Clone, Debug)]
struct Row {
    node: NodeId,
    kind: NoteKind,
    place: NotePlace,
    text: String,
    source: SourceId,
    /// The source was written in the comment, and stays there.
    signed: bool,
}

/// All annotations in a form that is written; nodes are numbered by the caller.
#[derive(Serialize, Deserialize)]
pub struct SavedRemarks {
    names: Vec<String>,
    rows: Vec<SavedRow>,
    /// Nodes with their marks, and the source of each.
    marks: Vec<(u32, Vec<(u32, u32)>)>,
    /// Nodes with the hash of their measurements, and the games that have these.
    measured: Vec<(u32, u64, u32)>,
}

#[derive(Serialize, Deserialize)]
struct SavedRow {
    node: u32,
    kind: char,
    place: i32,
    text: String,
    source: u32,
    signed: bool,
}

/// Contradicting annotations of different sources.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Disagreement {
    /// The node.
    pub node: NodeId,
    /// The subject.
    pub about: About,
    /// Each annotation, and its first source.
    pub annotations: Vec<(String, String)>,
}

/// The subject of a disagreement.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum About {
    /// The quality of the move: `!`, `?`.
    Move,
    /// The position: `⩲`, `-+`.
    Position,
    /// The engine's evaluation.
    Eval,
}

impl About {
    /// The subject of a mark, if marks on it can contradict one another.
    pub fn of_nag(nag: u32) -> Option<About> {
        match nag {
            1..=6 => Some(About::Move),
            10..=21 => Some(About::Position),
            _ => None,
        }
    }
}

/// Collecting.
impl Remarks {
    /// Adds the annotations of a game, with the source of this name; `image` maps its nodes.
    pub fn take(
        &mut self,
        game: &Game,
        keep: KeptAnnotations,
        name: &str,
        image: impl Fn(NodeId) -> Option<NodeId> + Copy,
    ) {
        if keep.comments {
            for (node, note) in game.notes().rows() {
                if let Some(node) = image(*node) {
                    self.merge_note(node, note, game.text(note.text), keep, name);
                }
            }
            self.measure(game, image);
        }
        if keep.nags {
            for (node, nag) in game.nags().rows() {
                if let Some(node) = image(*node) {
                    let source = self.source_id(name);
                    self.mark(node, *nag, source);
                }
            }
        }
    }

    /// Notes the measurements of one game.
    fn measure(&mut self, game: &Game, image: impl Fn(NodeId) -> Option<NodeId>) {
        let rows = game.notes().rows();
        for notes in rows.chunk_by(|(a, _), (b, _)| a == b) {
            let comments = notes.iter().map(|(_, note)| game.text(note.text));
            let mut commands = comments.flat_map(annotation::measurements).peekable();
            if let Some(node) = image(notes[0].0)
                && commands.peek().is_some()
            {
                let mut hasher = FxBuildHasher.build_hasher();
                commands.for_each(|command| (command.name, command.value).hash(&mut hasher));
                let first = hasher.finish();
                self.join_measured(node, Measured { first, games: 1 });
            }
        }
    }

    fn join_measured(&mut self, node: NodeId, measured: Measured) {
        match self.measured.get_mut(&node) {
            Some(known) => known.join(measured),
            None => drop(self.measured.insert(node, measured)),
        }
    }

    /// Removes measurements that not all games through a node share; `games` counts these games.
    pub fn drop_measurements(&mut self, games: impl Fn(NodeId) -> u32) {
        let measured = std::mem::take(&mut self.measured);
        let is_shared = |node| {
            let known = measured.get(&node);
            known.is_some_and(|known| known.games == games(node))
        };
        self.index.clear();
        for row in std::mem::take(&mut self.rows) {
            if !is_comment(row.kind) || is_shared(row.node) {
                self.add(row);
                continue;
            }
            let text = annotation::without_measurements(&row.text).into_owned();
            if !text.trim().is_empty() {
                self.add(Row { text, ..row });
            }
        }
        self.measured = measured;
    }

    /// Adds other annotations; `image` maps their nodes.
    pub fn absorb(&mut self, other: Remarks, image: impl Fn(NodeId) -> Option<NodeId>) {
        let sources: Vec<SourceId> = other
            .names
            .iter()
            .map(|name| self.source_id(name))
            .collect();
        let same = |source: SourceId| sources[source.0 as usize];
        for row in other.rows {
            if let Some(node) = image(row.node) {
                let source = same(row.source);
                self.add(Row {
                    node,
                    source,
                    ..row
                });
            }
        }
        for (node, measured) in other.measured {
            if let Some(node) = image(node) {
                self.join_measured(node, measured);
            }
        }
        let mut marks: Vec<_> = other.marks.into_iter().collect();
        marks.sort_unstable_by_key(|(node, _)| *node);
        for (node, marks) in marks {
            if let Some(node) = image(node) {
                let each = marks.into_iter();
                each.for_each(|(nag, source)| self.mark(node, nag, same(source)));
            }
        }
    }

    /// The number of a source.
    fn source_id(&mut self, name: &str) -> SourceId {
        if let Some(&source) = self.by_name.get(name) {
            return source;
        }
        let source = SourceId(self.names.len() as u32);
        self.names.push(name.to_owned());
        self.by_name.insert(name.to_owned(), source);
        source
    }

    /// Adds a comment without a source after a move.
    pub fn add_comment(&mut self, node: NodeId, text: &str) {
        let source = self.source_id("");
        self.add(Row {
            node,
            kind: NoteKind::Comment(Style::Brace),
            place: NotePlace::After,
            text: text.to_owned(),
            source,
            signed: false,
        });
    }

    fn merge_note(
        &mut self,
        node: NodeId,
        note: &Note,
        text: &str,
        keep: KeptAnnotations,
        name: &str,
    ) {
        let (mut text, signature) = if is_comment(note.kind) {
            unsigned(text)
        } else {
            (text.to_owned(), None)
        };
        if !keep.clocks {
            text = annotation::without_clocks(&text).into_owned();
        }
        if text.trim().is_empty() && is_comment(note.kind) {
            return;
        }
        let source = self.source_id(signature.as_deref().unwrap_or(name));
        self.add(Row {
            node,
            kind: note.kind,
            place: note.place,
            text,
            source,
            signed: signature.is_some(),
        });
    }

    fn add(&mut self, row: Row) {
        let rows = &self.rows;
        let same = |&other: &u32| is_same(&rows[other as usize], &row);
        if self.index.find(hash(&row), same).is_none() {
            let rehash = |&other: &u32| hash(&rows[other as usize]);
            self.index
                .insert_unique(hash(&row), rows.len() as u32, rehash);
            self.rows.push(row);
        }
    }

    fn mark(&mut self, node: NodeId, nag: u32, source: SourceId) {
        let marks = self.marks.entry(node).or_default();
        if !marks.iter().any(|(other, _)| *other == nag) {
            marks.push((nag, source));
        }
    }
}

/// Results.
impl Remarks {
    /// The number of comments and other notes.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The number of comments.
    pub fn comments(&self) -> u64 {
        let comments = self.rows.iter().filter(|row| is_comment(row.kind));
        comments.count() as u64
    }

    /// Adds everything to a game that has these nodes.
    pub fn attach(mut self, game: &mut Game) {
        self.rows.sort_by_key(|row| row.node);
        let names = &self.names;
        for rows in self.rows.chunk_by(|a, b| a.node == b.node) {
            let node = rows[0].node;
            let name = |row: &Row| names[row.source.0 as usize].as_str();
            let has_source = |row: &&Row| is_comment(row.kind) && !name(row).is_empty();
            let signs = has_several_sources(rows.iter().filter(has_source));
            let notes = rows.iter().map(|row| {
                let text = if row.signed || (signs && has_source(&row)) {
                    signed(&row.text, name(row))
                } else {
                    row.text.clone()
                };
                Note {
                    kind: row.kind,
                    place: valid_place(game.tree(), node, row.place),
                    text: game.add_text(&text),
                }
            });
            let notes: Vec<Note> = notes.collect();
            game.set_notes(node, notes);
        }
        let mut marks: Vec<_> = self.marks.into_iter().collect();
        marks.sort_unstable_by_key(|(node, _)| *node);
        for (node, marks) in marks {
            game.set_nags(node, marks.into_iter().map(|(nag, _)| nag));
        }
    }

    /// The contradictions between sources, in order of node.
    pub fn disagreements(&self) -> Vec<Disagreement> {
        let mut disagreements = Vec::new();
        for (&node, marks) in &self.marks {
            for about in [About::Move, About::Position] {
                let group = marks
                    .iter()
                    .filter(|(nag, _)| About::of_nag(*nag) == Some(about));
                let annotations = group.map(|&(nag, source)| (nag_text(nag), source));
                disagreements.extend(self.disagreement(node, about, annotations));
            }
        }
        let mut evals: HashMap<NodeId, Vec<(Eval, SourceId)>, FxBuildHasher> = HashMap::default();
        for row in &self.rows {
            if let Some(eval) = annotation::eval(&row.text) {
                evals.entry(row.node).or_default().push((eval, row.source));
            }
        }
        for (node, evals) in evals {
            let annotations = evals
                .into_iter()
                .map(|(eval, source)| (eval.to_string(), source));
            disagreements.extend(self.disagreement(node, About::Eval, annotations));
        }
        disagreements.sort_by_key(|disagreement| (disagreement.node, disagreement.about));
        disagreements
    }

    /// A disagreement, if the annotations of different sources differ.
    fn disagreement(
        &self,
        node: NodeId,
        about: About,
        annotations: impl Iterator<Item = (String, SourceId)>,
    ) -> Option<Disagreement> {
        let annotations: Vec<(String, SourceId)> = annotations.collect();
        let sources: BTreeSet<SourceId> = annotations.iter().map(|(_, source)| *source).collect();
        let whats: BTreeSet<&str> = annotations.iter().map(|(what, _)| what.as_str()).collect();
        let disagreements = sources.len() > 1 && whats.len() > 1;
        let name = |source: SourceId| self.names[source.0 as usize].clone();
        disagreements.then(|| Disagreement {
            node,
            about,
            annotations: annotations
                .into_iter()
                .map(|(what, source)| (what, name(source)))
                .collect(),
        })
    }
}

/// Saving.
impl Remarks {
    /// All annotations; `number` numbers the nodes.
    pub fn saved(&self, number: impl Fn(NodeId) -> u32) -> SavedRemarks {
        let rows = self.rows.iter().map(|row| SavedRow {
            node: number(row.node),
            kind: kind_letter(row.kind),
            place: match row.place {
                NotePlace::Before => -1,
                NotePlace::After => 0,
                NotePlace::AfterAlternatives(count) => i32::from(count),
            },
            text: row.text.clone(),
            source: row.source.0,
            signed: row.signed,
        });
        let marks = self.marks.iter().map(|(&node, marks)| {
            let marks = marks.iter().map(|(nag, source)| (*nag, source.0));
            (number(node), marks.collect())
        });
        let measured = self.measured.iter();
        let measured = measured.map(|(&node, found)| (number(node), found.first, found.games));
        // Tables have no order, and equal annotations shall be written as equal bytes.
        let mut saved = SavedRemarks {
            names: self.names.clone(),
            rows: rows.collect(),
            marks: marks.collect(),
            measured: measured.collect(),
        };
        saved.marks.sort_unstable();
        saved.measured.sort_unstable();
        saved
    }
}

impl SavedRemarks {
    /// The annotations of these nodes, by their numbers; `None` if a number is wrong.
    pub fn remarks(self, nodes: &[NodeId]) -> Option<Remarks> {
        let mut remarks = Remarks::default();
        let known = self.names.len() as u32;
        for name in &self.names {
            remarks.source_id(name);
        }
        let node = |number: u32| nodes.get(number as usize).copied();
        let source = |number: u32| (number < known).then_some(SourceId(number));
        for row in self.rows {
            remarks.add(Row {
                node: node(row.node)?,
                kind: kind_of_letter(row.kind)?,
                place: match row.place {
                    -1 => NotePlace::Before,
                    0 => NotePlace::After,
                    count => NotePlace::AfterAlternatives(u16::try_from(count).ok()?),
                },
                text: row.text,
                source: source(row.source)?,
                signed: row.signed,
            });
        }
        for (number, marks) in self.marks {
            for (nag, from) in marks {
                remarks.mark(node(number)?, nag, source(from)?);
            }
        }
        for (number, first, games) in self.measured {
            remarks.join_measured(node(number)?, Measured { first, games });
        }
        Some(remarks)
    }
}

/// The kinds of notes with their letters.
const KINDS: [(NoteKind, char); 6] = [
    (NoteKind::Comment(Style::Brace), 'b'),
    (NoteKind::Comment(Style::Line), 'l'),
    (NoteKind::Comment(Style::Escape), 'e'),
    (NoteKind::Words, 'w'),
    (NoteKind::Variation, 'v'),
    (NoteKind::Rest, 'r'),
];

fn kind_letter(kind: NoteKind) -> char {
    let found = KINDS.iter().find(|(known, _)| *known == kind);
    found.map_or('b', |(_, letter)| *letter)
}

fn kind_of_letter(letter: char) -> Option<NoteKind> {
    let found = KINDS.iter().find(|(_, known)| *known == letter);
    found.map(|(kind, _)| *kind)
}

fn nag_text(nag: u32) -> String {
    chess::pgn::nag::glyph(nag).map_or_else(|| format!("${nag}"), str::to_owned)
}

/// True if comments of several sources meet here.
fn has_several_sources<'a>(rows: impl Iterator<Item = &'a Row>) -> bool {
    let mut sources = rows.map(|row| row.source);
    let first = sources.next();
    sources.any(|source| Some(source) != first)
}

fn is_comment(kind: NoteKind) -> bool {
    matches!(kind, NoteKind::Comment(Style::Brace | Style::Line))
}

/// The kind of a note that is valid at the node now, so that it is read back there: before the move
/// only if that starts a variation, after alternatives only if there are some.
fn valid_place(tree: &Tree<chess::Move>, node: NodeId, place: NotePlace) -> NotePlace {
    let primary = tree.is_locally_mainline(node);
    match place {
        NotePlace::Before if primary => NotePlace::After,
        NotePlace::AfterAlternatives(_) if !primary => NotePlace::After,
        NotePlace::AfterAlternatives(count) => {
            match count.min(tree.siblings(node).skip(1).count() as u16) {
                0 => NotePlace::After,
                count => NotePlace::AfterAlternatives(count),
            }
        }
        place => place,
    }
}

/// A comment without its source, and the source. Of several the last one counts, so that
/// [`signed`] restores the comment.
fn unsigned(text: &str) -> (String, Option<String>) {
    let sources = annotation::commands(text).filter(|command| command.name == SIGNATURE);
    let Some(command) = sources.last() else {
        return (text.to_owned(), None);
    };
    let (before, after) = (&text[..command.span.start], &text[command.span.end..]);
    let name = command.value.to_owned();
    (format!("{}{after}", before.trim_end()), Some(name))
}

fn signed(text: &str, name: &str) -> String {
    let name = name.replace(['[', ']', '{', '}'], "_");
    format!("{} [%{SIGNATURE} {name}]", text.trim_end())
}

const SIGNATURE: &str = "src";

fn is_same(a: &Row, b: &Row) -> bool {
    let same = |row: &Row| (row.node, same_kind(row.kind));
    same(a) == same(b) && a.text.split_whitespace().eq(b.text.split_whitespace())
}

/// Kinds that mean the same are equal: the syntax of a comment does not matter.
fn same_kind(kind: NoteKind) -> NoteKind {
    if is_comment(kind) {
        NoteKind::Comment(Style::Brace)
    } else {
        kind
    }
}

fn hash(row: &Row) -> u64 {
    let mut hasher = FxBuildHasher.build_hasher();
    (row.node, same_kind(row.kind)).hash(&mut hasher);
    row.text
        .split_whitespace()
        .for_each(|word| word.hash(&mut hasher));
    hasher.finish()
}
