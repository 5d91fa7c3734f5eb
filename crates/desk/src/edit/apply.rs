//! Applying a verb.

use std::collections::{BTreeMap, HashSet};

use chess::pgn::{Game, Note, NoteKind, NotePlace, Outcome, Style, replace_braces};
use chess::{Identity, annotation};
use tree::{Edit, NodeId};

use super::change::{Change, ChangeStep, Head};
use super::clip;
use super::error::EditError;
use super::paste::{self, Pasted};
use super::verb::Verb;
use crate::link;
use crate::walk::{Walk, glyphs, variation_start};

impl Walk {
    /// Applies a verb at the current node. A refused verb changes nothing.
    pub fn edit(&mut self, verb: &Verb) -> Result<Change, EditError> {
        let results = results_in_variations(self.game());
        let mut editor = Editor::new(self);
        let mut summary = editor.act(verb)?;
        if editor.keep_results(&results) {
            summary += "; a result inside it is now a comment";
        }
        Ok(editor.into_change(summary))
    }

    /// Merges a game below a node, and stays at the current node.
    pub(crate) fn merge(&mut self, node: NodeId, piece: &Game) -> Change {
        let mut editor = Editor::new(self);
        let added = editor.merge_at(node, piece);
        editor.walk.go(editor.before);
        let s = if added == 1 { "" } else { "s" };
        editor.into_change(format!("added {added} move{s}"))
    }

    /// Sets tags.
    pub(crate) fn set_tags(&mut self, tags: &[(String, String)]) -> Change {
        let mut editor = Editor::new(self);
        editor.change_head(|game| {
            for (name, value) in tags {
                game.set_tag(name, value);
            }
        });
        editor.into_change("set tags".to_owned())
    }
}

/// Applies a verb and collects the steps.
struct Editor<'a> {
    walk: &'a mut Walk,
    steps: Vec<ChangeStep>,
    before: NodeId,
}

/// The message after a change.
type Summary = Result<String, EditError>;

impl<'a> Editor<'a> {
    fn new(walk: &'a mut Walk) -> Editor<'a> {
        let before = walk.at();
        Editor {
            walk,
            steps: Vec::new(),
            before,
        }
    }

    fn into_change(self, summary: String) -> Change {
        let Editor {
            walk,
            steps,
            before,
        } = self;
        walk.leave_deleted();
        walk.clear_matches();
        Change {
            steps,
            before,
            after: walk.at(),
            summary,
        }
    }

    fn act(&mut self, verb: &Verb) -> Summary {
        match verb {
            Verb::Promote => self.change_rank(
                "promoted {}",
                "this is already the first move here",
                |tree, node| tree.promote(node),
            ),
            Verb::Demote => self.change_rank(
                "demoted {}",
                "this is already the last move here",
                |tree, node| tree.demote(node),
            ),
            Verb::First => self.reorder(
                "moved {} to first place",
                "this is already the first move here",
                |tree, node| tree.make_first(node),
            ),
            Verb::Main => self.reorder(
                "made the path to {} the mainline",
                "this is already the mainline",
                |tree, node| tree.promote_to_mainline(node),
            ),
            Verb::Delete => self.delete(self.at_move()?),
            Verb::DeleteVariation => self.delete_variation(),
            Verb::DeleteAfter => self.delete_after(),
            Verb::DeleteOthers => self.delete_others(),
            Verb::KeepOnly => self.reorder(
                "kept only the lines through {}",
                "all lines go through this move",
                |tree, node| tree.keep_through(node),
            ),
            Verb::KeepLine => self.reorder(
                "kept only the line of {}",
                "this is the only line",
                |tree, node| tree.keep_line(node),
            ),
            Verb::Add(moves) => self.add(moves),
            Verb::Comment(text) => self.comment(text),
            Verb::CommentBefore(text) => self.comment_before(text),
            Verb::Nag(nag) => self.nag(*nag),
            Verb::DropNag(nag) => self.drop_nag(*nag),
            Verb::Shape(shape) => self.shape(*shape),
            Verb::DropShapes => self.annotate("removed all arrows and squares from", |text| {
                annotation::set_shapes(text, &[])
            }),
            Verb::Clock(time) => self.annotate("set the clock of", |text| {
                annotation::set_clock(text, *time)
            }),
            Verb::Eval(eval) => self.annotate("set the evaluation of", |text| {
                annotation::set_eval(text, *eval)
            }),
            Verb::Tag(name, value) => self.tag(name, value),
            Verb::DropTag(name) => self.drop_tag(name),
            Verb::Result(outcome) => self.result(*outcome),
            Verb::MergeDuplicates => self.merge_duplicates(),
            Verb::Bring => self.bring(),
            Verb::Merge(text) => self.merge(text),
            Verb::Chapter(_) => Err(EditError::NoFile),
        }
    }

    fn game(&mut self) -> &mut Game {
        self.walk.game_mut()
    }

    /// The current node, which must not be the root.
    fn at_move(&self) -> Result<NodeId, EditError> {
        let at = self.walk.at();
        (at != NodeId::ROOT).then_some(at).ok_or(EditError::AtStart)
    }

    /// `6.Bc4`, or `the start`.
    fn name(&self, node: NodeId) -> String {
        let name = self.walk.game_view().last_move(node);
        name.unwrap_or_else(|| "the start".to_owned())
    }

    /// Records a change of the tree.
    fn tree_step(&mut self, edit: Edit) {
        self.walk.tree_changed(&edit);
        self.steps.push(ChangeStep::Tree(edit));
    }

    fn set_notes(&mut self, node: NodeId, new: Vec<Note>) {
        let old = self.game().set_notes(node, new);
        let new = self.game().notes_at(node).copied().collect();
        if old != new {
            self.steps.push(ChangeStep::Notes { node, old, new });
        }
    }

    fn set_nags(&mut self, node: NodeId, new: Vec<u32>) {
        let old = self.game().set_nags(node, new.iter().copied());
        if old != new {
            self.steps.push(ChangeStep::Nags { node, old, new });
        }
    }

    /// Turns results after these nodes into comments if the nodes are on the mainline now, where a
    /// result would end the game. Returns whether there were any.
    fn keep_results(&mut self, nodes: &[NodeId]) -> bool {
        if nodes.is_empty() {
            return false;
        }
        let mainline: HashSet<NodeId> = self.walk.tree().mainline().collect();
        let mut found = false;
        for &node in nodes.iter().filter(|node| mainline.contains(node)) {
            let game = self.walk.game();
            let mut notes: Vec<Note> = game.notes_at(node).copied().collect();
            for note in notes.iter_mut().filter(|note| has_result(game, note)) {
                note.kind = NoteKind::Comment(Style::Brace);
            }
            self.set_notes(node, notes);
            found = true;
        }
        found
    }

    /// The summary, or an error if nothing changed.
    fn done(&self, summary: String, nothing: &'static str) -> Summary {
        if self.steps.is_empty() {
            Err(EditError::Nothing(nothing))
        } else {
            Ok(summary)
        }
    }
}

/// Moves.
impl Editor<'_> {
    fn reorder(
        &mut self,
        summary: &str,
        nothing: &'static str,
        act: impl FnOnce(&mut tree::Tree<chess::Move>, NodeId) -> Edit,
    ) -> Summary {
        let node = self.at_move()?;
        let name = self.name(node);
        let edit = act(self.game().tree_mut(), node);
        if !edit.is_empty() {
            self.tree_step(edit);
        }
        self.done(summary.replace("{}", &name), nothing)
    }

    /// Reorders, and adds the new rank to the summary: `promoted 1.c4 to move 2 of 3 here`.
    fn change_rank(
        &mut self,
        summary: &str,
        nothing: &'static str,
        act: impl FnOnce(&mut tree::Tree<chess::Move>, NodeId) -> Edit,
    ) -> Summary {
        let summary = self.reorder(summary, nothing, act)?;
        let (tree, at) = (self.walk.tree(), self.walk.at());
        let rank = tree.choice(at).map_or(1, |choice| choice + 1);
        let count = tree.parent(at).map_or(1, |parent| tree.child_count(parent));
        Ok(format!("{summary} to move {rank} of {count} here"))
    }

    fn delete(&mut self, node: NodeId) -> Summary {
        let name = self.name(node);
        let parent = self.walk.tree().parent(node);
        let edit = self.game().tree_mut().detach(node);
        self.tree_step(edit);
        if let Some(parent) = parent {
            self.walk.go(parent);
        }
        Ok(format!("deleted {name} and its continuations"))
    }

    fn delete_variation(&mut self) -> Summary {
        let start = variation_start(self.walk.tree(), self.at_move()?);
        match start {
            Some(start) => self.delete(start),
            None => Err(EditError::Nothing("this is the mainline, not a variation")),
        }
    }

    fn delete_after(&mut self) -> Summary {
        let at = self.walk.at();
        let below: Vec<_> = self.walk.tree().children(at).collect();
        self.detach_all(below);
        self.done(
            format!("deleted the continuations of {}", self.name(at)),
            "no continuations to delete",
        )
    }

    fn delete_others(&mut self) -> Summary {
        let at = self.at_move()?;
        let others: Vec<_> = self
            .walk
            .tree()
            .siblings(at)
            .filter(|&other| other != at)
            .collect();
        self.detach_all(others);
        self.done(
            format!("deleted the alternatives to {}", self.name(at)),
            "this move has no alternatives",
        )
    }

    fn detach_all(&mut self, nodes: Vec<NodeId>) {
        let tree = self.game().tree_mut();
        let edits = nodes.into_iter().map(|node| tree.detach(node));
        let edit = edits.fold(Edit::default(), Edit::then);
        if !edit.is_empty() {
            self.tree_step(edit);
        }
    }

    fn add(&mut self, moves: &str) -> Summary {
        let at = self.walk.at();
        let piece = clip::read(&self.walk.board(), moves)?;
        let added = self.merge_at(at, &piece);
        if self.steps.is_empty() {
            return Err(EditError::Nothing("the tree already has these moves"));
        }
        Ok(match added {
            1 => format!("added {}", self.name(self.walk.at())),
            added => format!("added {added} moves after {}", self.name(at)),
        })
    }

    /// Merges PGN at the current node or at the start.
    fn merge(&mut self, text: &str) -> Summary {
        let Pasted { at, piece, left } = paste::read(self.walk.game(), self.walk.at(), text)?;
        let added = self.merge_at(at, &piece);
        if self.steps.is_empty() {
            return Err(EditError::Nothing("the tree already has these moves"));
        }
        let s = if added == 1 { "" } else { "s" };
        Ok(format!(
            "merged {added} new move{s} after {}{left}",
            self.name(at)
        ))
    }

    /// Merges a game below a node, and goes to the end of its mainline. Returns the number of moves
    /// that were added.
    fn merge_at(&mut self, at: NodeId, piece: &Game) -> usize {
        let known = self.walk.tree().capacity_used();
        let mut pairs = Vec::new();
        let tree = self.game().tree_mut();
        let edit = tree.merge(at, piece.tree(), NodeId::ROOT, |old, new| {
            pairs.push((old, new))
        });
        let end = piece.tree().end(NodeId::ROOT);
        let added = self.walk.tree().capacity_used() - known;
        if !edit.is_empty() {
            self.tree_step(edit);
        }
        for &(old, new) in &pairs {
            self.add_annotations(piece, old, new);
        }
        let changed = !self.steps.is_empty();
        if let Some(&(_, end)) = pairs.iter().find(|(old, _)| *old == end && changed) {
            self.walk.go(end);
        }
        added
    }

    /// Adds the notes and marks of a node of the piece, unless the game has them.
    fn add_annotations(&mut self, piece: &Game, old: NodeId, new: NodeId) {
        if piece.notes_at(old).next().is_some() {
            let notes = clip::notes_from(piece, old, self.game());
            self.add_notes(new, notes);
        }
        self.add_nags(new, piece.nags_at(old).collect());
    }

    fn add_notes(&mut self, node: NodeId, more: Vec<Note>) {
        let game = self.walk.game();
        let mut notes: Vec<Note> = game.notes_at(node).copied().collect();
        for note in more {
            let same = |known: &Note| {
                known.kind == note.kind && game.text(known.text) == game.text(note.text)
            };
            if !notes.iter().any(same) {
                notes.push(note);
            }
        }
        self.set_notes(node, notes);
    }

    fn add_nags(&mut self, node: NodeId, more: Vec<u32>) {
        let mut nags: Vec<u32> = self.walk.game().nags_at(node).collect();
        for nag in more {
            if !nags.contains(&nag) {
                nags.push(nag);
            }
        }
        self.set_nags(node, nags);
    }

    fn merge_duplicates(&mut self) -> Summary {
        let mut pairs = Vec::new();
        let tree = self.game().tree_mut();
        let edit = tree.merge_duplicates(|gone, stays| pairs.push((gone, stays)));
        if !edit.is_empty() {
            self.tree_step(edit);
        }
        for &(gone, stays) in &pairs {
            let game = self.walk.game();
            let notes = game.notes_at(gone).copied().collect();
            let nags = game.nags_at(gone).collect();
            self.add_notes(stays, notes);
            self.add_nags(stays, nags);
        }
        if let Some(&(_, stays)) = pairs.iter().find(|(gone, _)| *gone == self.before) {
            self.walk.go(stays);
        }
        let summary = match pairs.len() {
            1 => "merged one duplicate".to_owned(),
            n => format!("merged {n} duplicates"),
        };
        self.done(summary, "no duplicate moves")
    }
}

/// Transpositions.
impl Editor<'_> {
    /// Moves the continuations of the other paths to this position here, and leaves a reference on
    /// each path.
    fn bring(&mut self) -> Summary {
        let here = self.walk.at();
        self.walk.find_transpositions();
        let mut others = self.walk.transpositions_of(here);
        others.retain(|&there| !self.walk.tree().is_terminal(there));
        let annotations = Annotations::of(self.walk.game());
        let mut edit = Edit::default();
        let mut paths = 0;
        for there in others {
            // A continuation that was moved before may contain this path.
            let tree = self.walk.tree();
            if !tree.is_attached(there) || tree.is_ancestor(here, there) {
                continue;
            }
            if let Ok(more) = link::bring(self.game(), here, there, Identity::Strict) {
                edit = edit.then(more);
                paths += 1;
            }
        }
        if paths > 0 {
            self.tree_step(edit);
            self.steps.extend(annotations.steps_to(self.walk.game()));
        }
        let s = if paths == 1 { "" } else { "s" };
        self.done(
            format!("moved the continuations of {paths} other path{s} here and left links"),
            "no other path to this position has continuations",
        )
    }
}

/// Comments and marks.
impl Editor<'_> {
    /// Replaces the comment of the move; the commands in the old one stay unless the text has some.
    fn comment(&mut self, typed: &str) -> Summary {
        let at = self.walk.at();
        let text = &*replace_braces(typed);
        let old = self.walk.game().node(at).comment().into_owned();
        let new = if text.contains("[%") {
            text.to_owned()
        } else {
            with_commands(&old, text)
        };
        self.set_comment(&new);
        let (summary, nothing) = if text.is_empty() {
            (
                "removed the comment from",
                "no comment to remove; to add one, use comment TEXT",
            )
        } else {
            ("commented", "the comment already has this text")
        };
        let note = brace_note(typed);
        self.done(format!("{summary} {}{note}", self.name(at)), nothing)
    }

    fn comment_before(&mut self, text: &str) -> Summary {
        let at = self.at_move()?;
        self.replace_comments(NotePlace::Before, &replace_braces(text));
        self.done(
            format!("commented before {}{}", self.name(at), brace_note(text)),
            "the comment already has this text",
        )
    }

    fn set_comment(&mut self, text: &str) {
        self.replace_comments(NotePlace::After, text);
    }

    /// Replaces all comments on one side of the move by one, or none.
    fn replace_comments(&mut self, place: NotePlace, text: &str) {
        let at = self.walk.at();
        let text = text.trim().replace('\r', "");
        let game = self.walk.game();
        let (replaced, mut notes): (Vec<Note>, Vec<Note>) = game
            .notes_at(at)
            .copied()
            .partition(|note| is_comment_at(note, place));
        let summary: Vec<&str> = replaced.iter().map(|note| game.text(note.text)).collect();
        let wanted: &[&str] = if text.is_empty() {
            &[]
        } else {
            &[text.as_str()]
        };
        if summary == wanted {
            return;
        }
        if !text.is_empty() {
            let note = Note {
                kind: NoteKind::Comment(Style::Brace),
                place: replaced.first().map_or(place, |note| note.place),
                text: self.game().add_text(&text),
            };
            notes.insert(0, note);
        }
        self.set_notes(at, notes);
    }

    /// Changes a command inside the comment.
    fn annotate(&mut self, summary: &str, change: impl FnOnce(&str) -> String) -> Summary {
        let at = self.walk.at();
        let old = self.walk.game().node(at).comment().into_owned();
        self.set_comment(&change(&old));
        self.done(
            format!("{summary} {}", self.name(at)),
            "no change: this is already the value",
        )
    }

    fn shape(&mut self, shape: annotation::Shape) -> Summary {
        let mut shapes = self.walk.game().node(self.walk.at()).shapes();
        let known = shapes.len();
        let mut same = false;
        shapes.retain(|other| {
            let here = (other.from, other.to) == (shape.from, shape.to);
            same |= here && other.paint == shape.paint;
            !here
        });
        // The same mark again removes it, another colour replaces it.
        if !same {
            shapes.push(shape);
        }
        let summary = if shapes.len() < known {
            "removed a shape from"
        } else {
            "added a shape to"
        };
        self.annotate(summary, |text| annotation::set_shapes(text, &shapes))
    }

    fn nag(&mut self, nag: u32) -> Summary {
        let at = self.at_move()?;
        let mut nags: Vec<u32> = self.walk.game().nags_at(at).collect();
        let is_alike =
            |&known: &u32| kind_of(known) == kind_of(nag) && kind_of(nag) != NagKind::Other;
        match nags.iter().position(is_alike) {
            Some(index) => {
                // a file may hold several of a kind
                nags.retain(|known| !is_alike(known));
                nags.insert(index, nag);
            }
            None if kind_of(nag) == NagKind::Move => nags.insert(0, nag),
            None if !nags.contains(&nag) => nags.push(nag),
            None => {}
        }
        self.set_nags(at, nags);
        let summary = format!("marked {}{}", self.name(at), glyphs(self.walk.game(), at));
        self.done(summary, "the move already has this glyph")
    }

    fn drop_nag(&mut self, nag: Option<u32>) -> Summary {
        let at = self.at_move()?;
        let nags = self.walk.game().nags_at(at);
        let kept = nags
            .filter(|&known| nag.is_some_and(|nag| known != nag))
            .collect();
        self.set_nags(at, kept);
        self.done(
            format!("removed a glyph from {}", self.name(at)),
            "the move does not have this glyph",
        )
    }
}

/// Tags and the result.
impl Editor<'_> {
    fn head(
        &mut self,
        summary: String,
        nothing: &'static str,
        act: impl FnOnce(&mut Game),
    ) -> Summary {
        self.change_head(act);
        self.done(summary, nothing)
    }

    fn change_head(&mut self, act: impl FnOnce(&mut Game)) {
        let old = Head::of(self.game());
        act(self.game());
        let new = Head::of(self.game());
        if old != new {
            self.steps.push(ChangeStep::Head { old, new });
        }
    }

    fn tag(&mut self, name: &str, value: &str) -> Summary {
        self.refuse_fixed(name)?;
        let outcome = Outcome::read(value.as_bytes()).filter(|_| name == "Result");
        self.head(
            format!("set {name} to {value:?}"),
            "the tag already has this value",
            |game| {
                if let Some(outcome) = outcome {
                    game.set_outcome(outcome);
                }
                game.set_tag(name, value);
            },
        )
    }

    fn drop_tag(&mut self, name: &str) -> Summary {
        self.refuse_fixed(name)?;
        self.head(
            format!("removed the tag {name}"),
            "the game has no such tag",
            |game| {
                game.remove_tag(name);
            },
        )
    }

    fn refuse_fixed(&self, name: &str) -> Result<(), EditError> {
        if ["FEN", "SetUp", "Variant"].contains(&name) {
            Err(EditError::FixedTag(name.to_owned()))
        } else {
            Ok(())
        }
    }

    fn result(&mut self, outcome: Outcome) -> Summary {
        let summary = format!("set the result to {}", outcome.as_str());
        self.head(summary, "the game already has this result", |game| {
            game.set_outcome(outcome)
        })
    }
}

/// The nodes outside the mainline after which a result is written.
fn results_in_variations(game: &Game) -> Vec<NodeId> {
    let rows = game.notes().rows().iter();
    let results = rows.filter(|(_, note)| has_result(game, note));
    let mut nodes: Vec<NodeId> = results.map(|(node, _)| *node).collect();
    if !nodes.is_empty() {
        let mainline: HashSet<NodeId> = game.tree().mainline().collect();
        nodes.retain(|node| !mainline.contains(node));
    }
    nodes
}

fn has_result(game: &Game, note: &Note) -> bool {
    let is_text = matches!(note.kind, NoteKind::Words | NoteKind::Rest);
    let mut words = game.text(note.text).split_whitespace();
    is_text && words.any(|word| Outcome::read(word.as_bytes()).is_some())
}

/// All notes and marks of a game, to find which of them a change has touched.
struct Annotations {
    notes: Vec<(NodeId, Note)>,
    nags: Vec<(NodeId, u32)>,
}

impl Annotations {
    fn of(game: &Game) -> Annotations {
        Annotations {
            notes: game.notes().rows().to_vec(),
            nags: game.nags().rows().to_vec(),
        }
    }

    /// The steps from the old annotations to those of the game now.
    fn steps_to(&self, game: &Game) -> Vec<ChangeStep> {
        let notes = differing(&self.notes, game.notes().rows());
        let nags = differing(&self.nags, game.nags().rows());
        let notes = notes.map(|(node, old, new)| ChangeStep::Notes { node, old, new });
        let nags = nags.map(|(node, old, new)| ChangeStep::Nags { node, old, new });
        notes.chain(nags).collect()
    }
}

/// The nodes whose entries differ, with both.
fn differing<T: Copy + PartialEq>(
    old: &[(NodeId, T)],
    new: &[(NodeId, T)],
) -> impl Iterator<Item = (NodeId, Vec<T>, Vec<T>)> {
    let mut both: BTreeMap<NodeId, (Vec<T>, Vec<T>)> = BTreeMap::new();
    for &(node, entry) in old {
        both.entry(node).or_default().0.push(entry);
    }
    for &(node, entry) in new {
        both.entry(node).or_default().1.push(entry);
    }
    let both = both.into_iter().map(|(node, (old, new))| (node, old, new));
    both.filter(|(_, old, new)| old != new)
}

/// True for a comment on this side of its move.
fn is_comment_at(note: &Note, place: NotePlace) -> bool {
    let is_comment = matches!(note.kind, NoteKind::Comment(Style::Brace | Style::Line));
    is_comment && (note.place == NotePlace::Before) == (place == NotePlace::Before)
}

/// What the message says about braces in a comment.
fn brace_note(typed: &str) -> &'static str {
    if typed.contains(['{', '}']) {
        "; PGN comments cannot contain braces, so { } are written as ❴ ❵"
    } else {
        ""
    }
}

/// The commands of the old comment, then the new text.
fn with_commands(old: &str, text: &str) -> String {
    let commands = annotation::commands(old).map(|command| &old[command.span]);
    let parts: Vec<&str> = commands
        .chain([text])
        .filter(|part| !part.is_empty())
        .collect();
    parts.join(" ")
}

/// Marks that exclude one another on a move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NagKind {
    /// `!` to `?!`
    Move,
    /// `=` to `-+`
    Position,
    Other,
}

fn kind_of(nag: u32) -> NagKind {
    match nag {
        1..=6 => NagKind::Move,
        10..=21 => NagKind::Position,
        _ => NagKind::Other,
    }
}
