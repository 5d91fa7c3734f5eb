//! Changes of the list of chapters, and the text of a file whose list changed.

use chess::Identity;
use chess::pgn::{Game, read_game};
use tree::NodeId;

use super::{DoneStep, OpenFile, StepKind};
use crate::book::Book;
use crate::chapter::{self, NameStyle};
use crate::edit::{Change, ChapterVerb, Verb, continuations};
use crate::session::chapters::{ChapterError, ChapterId, ChapterText, ListEdit};
use crate::session::journal::{ListRecord, Record};
use crate::session::{SaveForm, SessionError, text};

/// A chapter without a name is named after its moves, unless they are longer than this.
const LONGEST_NAME: usize = 60;

/// The verbs.
impl OpenFile {
    /// Applies a verb and keeps the change for undoing. A refused verb changes nothing.
    pub(super) fn edit_chapters(&mut self, verb: &ChapterVerb) -> Result<String, SessionError> {
        match verb {
            ChapterVerb::Add(name) => {
                let mut game = Game::new();
                self.set_chapter_tags(&mut game, name);
                Ok(self.add_chapters(vec![game]))
            }
            ChapterVerb::Name(name) => self.name_chapter(name),
            ChapterVerb::Move(number) => self.move_chapter(*number),
            ChapterVerb::Delete => self.delete_chapter(),
            ChapterVerb::Split(name) => self.split_chapter(name),
            ChapterVerb::Join(number) => self.join_chapter(*number),
        }
    }

    /// Adds chapters after all others, and goes to the first of them.
    pub(super) fn add_chapters(&mut self, games: Vec<Game>) -> String {
        let (from, first) = (self.current, self.len());
        let count = games.len();
        let insert = |game| self.insert(self.len(), game);
        let steps: Vec<DoneStep> = games.into_iter().map(insert).collect();
        if let Some(id) = self.chapters.get(first) {
            self.settle(id);
        }
        let summary = self.added(first, count);
        self.push(steps, summary.clone(), from);
        summary
    }

    fn added(&self, first: usize, count: usize) -> String {
        match count {
            1 => format!("added {}", self.described(first)),
            count => format!("added chapters {} to {}", first + 1, first + count),
        }
    }

    /// Adds games as chapters.
    pub(in crate::session) fn paste_chapters(
        &mut self,
        games: Vec<Game>,
    ) -> Result<String, SessionError> {
        self.refuse_obstacle()?;
        self.open_journal()?;
        let summary = self.add_chapters(games);
        self.record(&self.last_inserted());
        Ok(summary)
    }

    fn name_chapter(&mut self, name: &str) -> Result<String, SessionError> {
        let tags = self.tags(self.game);
        let change = self.walk.set_tags(&self.style(&tags).tags(name));
        if change.is_empty() {
            return Err(ChapterError::SameName.into());
        }
        let summary = format!("named chapter {} {name:?}", self.game + 1);
        self.push_change(change, summary.clone());
        Ok(summary)
    }

    fn move_chapter(&mut self, number: usize) -> Result<String, SessionError> {
        let (from, to) = (self.game, self.chapter(number)?);
        if from == to {
            return Err(ChapterError::InPlace.into());
        }
        let id = self.current;
        let step = self.change_list(ListEdit {
            id,
            from: Some(from),
            to: Some(to),
        });
        self.settle(id);
        let summary = format!("moved chapter {} to place {number}", from + 1);
        self.push(vec![step], summary.clone(), id);
        Ok(summary)
    }

    fn delete_chapter(&mut self) -> Result<String, SessionError> {
        if self.len() == 1 {
            return Err(ChapterError::Only.into());
        }
        let id = self.current;
        let summary = format!("deleted {}", self.described(self.game));
        let step = self.remove(self.game, id);
        self.settle(id);
        self.push(vec![step], summary.clone(), id);
        Ok(summary)
    }

    fn split_chapter(&mut self, name: &str) -> Result<String, SessionError> {
        let (id, at) = (self.current, self.walk.at());
        if at == NodeId::ROOT {
            return Err(ChapterError::AtStart.into());
        }
        if self.walk.tree().is_terminal(at) {
            return Err(ChapterError::NoContinuations.into());
        }
        let name = match name {
            "" => self.name_of_moves(),
            name => name.to_owned(),
        };
        let (mut game, top) = continuations(self.walk.game(), at);
        self.set_chapter_tags(&mut game, &name);
        let change = self.walk.edit(&Verb::DeleteAfter)?;
        let mut steps = vec![self.game_step(change)];
        let place = self.game + 1;
        steps.push(self.insert(place, game));
        if let Some(new) = self.chapters.get(place) {
            self.settle(new);
            self.walk.go(top);
        }
        let summary = format!("split off {}", self.described(place));
        self.push(steps, summary.clone(), id);
        Ok(summary)
    }

    fn join_chapter(&mut self, number: usize) -> Result<String, SessionError> {
        let place = self.chapter(number)?;
        if place == self.game {
            return Err(ChapterError::Itself.into());
        }
        let other = self.chapters.get(place).ok_or(SessionError::Stale)?;
        let game = self.read(place).ok_or(SessionError::Stale)?;
        let node = self.common_start(&game).ok_or(ChapterError::OtherStart)?;
        let name = self.described(place);
        let change = self.walk.merge(node, &game);
        let summary = format!("joined {name}: {}", change.summary());
        let steps = vec![self.game_step(change), self.remove(place, other)];
        self.settle(self.current);
        self.push(steps, summary.clone(), self.current);
        Ok(summary)
    }

    /// The node with the starting position of another game: the current one or the first.
    fn common_start(&self, other: &Game) -> Option<NodeId> {
        let start = other.start().key(Identity::Strict);
        let game = self.walk.game();
        let mut nodes = [self.walk.at(), NodeId::ROOT].into_iter();
        let is_unread = |game: &Game| {
            let mut complaints = game.complaints().iter();
            complaints.any(|found| found.kind == chess::pgn::ComplaintKind::BadFen)
        };
        if is_unread(other) || is_unread(game) {
            return None;
        }
        nodes.find(|&node| game.board_at(node).key(Identity::Strict) == start)
    }

    /// The place of a chapter, numbered from 1.
    fn chapter(&self, number: usize) -> Result<usize, ChapterError> {
        let chapters = self.len();
        let place = number.checked_sub(1).filter(|&place| place < chapters);
        place.ok_or(ChapterError::None { number, chapters })
    }

    /// Gives a new game the tags of a chapter of this file.
    fn set_chapter_tags(&self, game: &mut Game, name: &str) {
        let tags = self.tags(self.game);
        chapter::set_tags(game, &tags, &self.style(&tags), name, self.len() + 1);
    }

    fn style(&self, tags: &chapter::Tags) -> NameStyle {
        let neighbour = if self.game > 0 { self.game - 1 } else { 1 };
        let others = self.tags(neighbour);
        let event = others.iter().find(|(name, _)| name == "Event");
        NameStyle::of(tags, event.map(|(_, value)| value.as_str()))
    }

    fn name_of_moves(&self) -> String {
        let path = self.walk.path();
        if path.chars().count() <= LONGEST_NAME {
            return path;
        }
        let last = self.walk.game_view().last_move(self.walk.at());
        last.unwrap_or_default()
    }

    fn described(&self, place: usize) -> String {
        chapter::described(place + 1, &self.tags(place))
    }
}

/// Steps of changes.
impl OpenFile {
    fn insert(&mut self, place: usize, game: Game) -> DoneStep {
        let id = self.chapters.create();
        self.parked.insert(id, self.walk.another(game));
        self.change_list(ListEdit {
            id,
            from: None,
            to: Some(place),
        })
    }

    fn remove(&mut self, place: usize, id: ChapterId) -> DoneStep {
        self.change_list(ListEdit {
            id,
            from: Some(place),
            to: None,
        })
    }

    fn change_list(&mut self, edit: ListEdit) -> DoneStep {
        self.chapters.apply(edit);
        self.last_state += 1;
        let before = std::mem::replace(&mut self.list_state, self.last_state);
        DoneStep {
            kind: StepKind::List(edit),
            before,
            after: self.last_state,
        }
    }
}

/// The journal.
impl OpenFile {
    /// The record of chapters that were just added: their text, which has the date.
    pub(super) fn added_chapters(&self, verb: &Verb) -> Option<Record> {
        matches!(verb, Verb::Chapter(ChapterVerb::Add(_))).then(|| self.last_inserted())
    }

    /// The record of the chapters that the last change inserted.
    pub(super) fn last_inserted(&self) -> Record {
        let steps = self.done.last().map_or(&[][..], |done| &done.steps);
        let inserted = steps.iter().filter_map(|step| match &step.kind {
            StepKind::List(ListEdit {
                from: None,
                to: Some(place),
                ..
            }) => self.inserted(*place),
            _ => None,
        });
        Record::Chapters(inserted.collect())
    }

    /// Applies the steps of a record, all or none.
    pub(super) fn replay_list(&mut self, records: &[ListRecord]) -> Result<(), SessionError> {
        let from = self.current;
        let mut steps = Vec::new();
        for record in records {
            match self.replay_list_step(record) {
                Some(step) => steps.push(step),
                None => {
                    for step in steps.iter().rev() {
                        self.undo_step(step)?;
                    }
                    self.settle(from);
                    return Err(SessionError::Stale);
                }
            }
        }
        if steps.is_empty() {
            return Err(SessionError::Stale);
        }
        self.settle(self.current);
        let summary = match records {
            [ListRecord::Insert { game, .. }, rest @ ..]
                if rest.iter().all(ListRecord::is_insert) =>
            {
                self.added(*game, records.len())
            }
            _ => "restored the last state of the chapters".to_owned(),
        };
        self.push(steps, summary, from);
        Ok(())
    }

    fn replay_list_step(&mut self, record: &ListRecord) -> Option<DoneStep> {
        match record {
            ListRecord::Insert { game, text } => {
                let new = read_game(text.as_bytes()).filter(|_| *game <= self.len())?;
                Some(self.insert(*game, new))
            }
            ListRecord::Remove { game } => {
                let id = self.chapters.get(*game).filter(|_| self.len() > 1)?;
                Some(self.remove(*game, id))
            }
            ListRecord::Move { from, to } => {
                let id = self.chapters.get(*from).filter(|_| *to < self.len())?;
                let (from, to) = (Some(*from), Some(*to));
                Some(self.change_list(ListEdit { id, from, to }))
            }
            ListRecord::Replace { game, text } => {
                let id = self.chapters.get(*game)?;
                let new = read_game(text.as_bytes()).filter(|_| self.enter(id))?;
                let change = Change::replacing(&mut self.walk, new);
                Some(self.game_step(change))
            }
        }
    }
}

/// Saving.
impl OpenFile {
    /// The text of a changed list: games without changes are copied byte for byte. The blanks
    /// between games go with the game before them; those at the end stay there.
    pub(super) fn new_list_text(&self, form: SaveForm) -> Vec<u8> {
        let old = self.book.text();
        let mut text = text::mark(old).to_vec();
        for place in 0..self.len() {
            let is_last = place + 1 == self.len();
            let bytes = self.chapter_bytes(place, form);
            let bytes = text::without_mark(&bytes);
            if is_last {
                text.extend_from_slice(bytes.trim_ascii_end());
            } else {
                text.extend_from_slice(&text::separated(bytes, old));
            }
        }
        text.extend_from_slice(text::end(old));
        text
    }

    fn chapter_bytes(&self, place: usize, form: SaveForm) -> Vec<u8> {
        match (self.raw(place), self.changed_game(place)) {
            (Some(raw), None) => raw.to_vec(),
            (Some(_), Some(game)) => self.changed_text(place, game, form).into_owned(),
            (None, _) => {
                let game = self.read(place).unwrap_or_default();
                text::write_new(&game, self.book.text())
            }
        }
    }

    /// The text of a chapter before its changes; none if it is new.
    pub(super) fn raw(&self, place: usize) -> Option<&[u8]> {
        match self.chapters.text(self.chapters.get(place)?)? {
            ChapterText::Book(index) => self.book.raw(*index).map(|raw| raw.bytes),
            ChapterText::Kept(text) => Some(text),
            ChapterText::New => None,
        }
    }

    /// The texts of the changed chapters before their changes.
    pub(super) fn changed_texts(&self) -> Vec<(ChapterId, Vec<u8>)> {
        let changed = (0..self.len()).filter(|&place| self.is_game_changed(place));
        let text = |place| Some((self.chapters.get(place)?, self.raw(place)?.to_vec()));
        changed.filter_map(text).collect()
    }

    /// True if a game is changed or new.
    pub(super) fn is_rewritten(&self, place: usize) -> bool {
        self.is_game_changed(place) || self.raw(place).is_none()
    }

    /// True if a game without changes has the same bytes in the new book, blanks around it aside.
    pub(super) fn keeps_bytes(&self, place: usize, book: &Book) -> bool {
        if self.is_rewritten(place) {
            return true;
        }
        let strip = |bytes| text::without_mark(bytes).trim_ascii();
        let new = book.raw(place).map(|raw| strip(raw.bytes));
        self.raw(place).map(strip) == new
    }
}
