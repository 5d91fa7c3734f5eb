//! The list of games of a file: those of its text and new ones, in their order.

use std::fmt;

/// A chapter, whatever its place. Ids are never reused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct ChapterId(u32);

/// The chapters of a file.
#[derive(Debug)]
pub(super) struct Chapters {
    order: Vec<ChapterId>,
    /// By id.
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    text: ChapterText,
    is_listed: bool,
}

/// Where the text of a chapter is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ChapterText {
    /// A game of the book, numbered from 0.
    Book(usize),
    /// The text of a chapter that was deleted before the last save.
    Kept(Box<[u8]>),
    /// A chapter that was never written.
    New,
}

/// A chapter that is inserted, removed or moved. Places are numbered from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ListEdit {
    pub(super) id: ChapterId,
    pub(super) from: Option<usize>,
    pub(super) to: Option<usize>,
}

impl ListEdit {
    pub(super) fn inverse(self) -> ListEdit {
        ListEdit {
            id: self.id,
            from: self.to,
            to: self.from,
        }
    }
}

impl Chapters {
    /// The games of a book.
    pub(super) fn of_book(games: usize) -> Chapters {
        let entry = |game| Entry {
            text: ChapterText::Book(game),
            is_listed: true,
        };
        Chapters {
            order: (0..games as u32).map(ChapterId).collect(),
            entries: (0..games).map(entry).collect(),
        }
    }

    /// The only chapter of a new file.
    pub(super) fn of_new_file() -> Chapters {
        let mut chapters = Chapters::of_book(0);
        let id = chapters.create();
        let (from, to) = (None, Some(0));
        chapters.apply(ListEdit { id, from, to });
        chapters
    }

    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    pub(super) fn get(&self, place: usize) -> Option<ChapterId> {
        self.order.get(place).copied()
    }

    /// The first id, also if there is no chapter.
    pub(super) fn first(&self) -> ChapterId {
        self.get(0).unwrap_or(ChapterId(0))
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = ChapterId> + '_ {
        self.order.iter().copied()
    }

    pub(super) fn place_of(&self, id: ChapterId) -> Option<usize> {
        let is_listed = self.is_listed(id);
        is_listed.then(|| self.order.iter().position(|&other| other == id))?
    }

    pub(super) fn is_listed(&self, id: ChapterId) -> bool {
        let entry = self.entries.get(id.0 as usize);
        entry.is_some_and(|entry| entry.is_listed)
    }

    pub(super) fn text(&self, id: ChapterId) -> Option<&ChapterText> {
        let entry = self.entries.get(id.0 as usize)?;
        Some(&entry.text)
    }

    /// True if the games of the book are listed in their order, and nothing else.
    pub(super) fn is_book(&self, games: usize) -> bool {
        let is_book =
            |(place, id): (usize, ChapterId)| self.text(id) == Some(&ChapterText::Book(place));
        self.len() == games && self.ids().enumerate().all(is_book)
    }

    /// A new chapter, which is not in the list yet.
    pub(super) fn create(&mut self) -> ChapterId {
        let id = ChapterId(self.entries.len() as u32);
        self.entries.push(Entry {
            text: ChapterText::New,
            is_listed: false,
        });
        id
    }

    /// Changes the list. Places beyond its end mean the end.
    pub(super) fn apply(&mut self, edit: ListEdit) {
        if let Some(from) = edit.from.filter(|&from| from < self.len()) {
            self.order.remove(from);
        }
        if let Some(to) = edit.to {
            self.order.insert(to.min(self.len()), edit.id);
        }
        if let Some(entry) = self.entries.get_mut(edit.id.0 as usize) {
            entry.is_listed = edit.to.is_some();
        }
    }

    /// After a save: the listed chapters are the games of the new book. `kept` returns the text
    /// that a game of the old book had.
    pub(super) fn adopt(&mut self, kept: impl Fn(usize) -> Box<[u8]>) {
        for entry in self.entries.iter_mut().filter(|entry| !entry.is_listed) {
            if let ChapterText::Book(game) = entry.text {
                entry.text = ChapterText::Kept(kept(game));
            }
        }
        for (place, id) in self.order.iter().enumerate() {
            self.entries[id.0 as usize].text = ChapterText::Book(place);
        }
    }
}

/// The reason why a change of the chapters was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChapterError {
    /// `chapter-delete` of the only chapter.
    Only,
    /// `chapter-move 9` of 3.
    None {
        /// The number, from 1.
        number: usize,
        /// How many there are.
        chapters: usize,
    },
    /// The number of a game in another file.
    OtherFile(usize),
    /// `chapter-move` to its own place.
    InPlace,
    /// `chapter-name` with its own name.
    SameName,
    /// `chapter-join` with itself.
    Itself,
    /// `chapter-join` of chapters with different starting positions.
    OtherStart,
    /// `chapter-split` at the starting position.
    AtStart,
    /// `chapter-split` where the line ends.
    NoContinuations,
}

impl fmt::Display for ChapterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChapterError::Only => f.write_str("cannot delete the only chapter of the file"),
            ChapterError::None { number, chapters } => {
                write!(f, "no chapter {number}; the file has chapters 1 to {chapters}")
            }
            ChapterError::OtherFile(number) => write!(f, "game {number} is in another file"),
            ChapterError::InPlace => f.write_str("the chapter is already at this place"),
            ChapterError::SameName => f.write_str("the chapter already has this name"),
            ChapterError::Itself => f.write_str("cannot join a chapter with itself"),
            ChapterError::OtherStart => f.write_str(
                "the chapters have different starting positions; go to the position from which the other starts",
            ),
            ChapterError::AtStart => {
                f.write_str("no move here: go to the move whose continuations become a chapter")
            }
            ChapterError::NoContinuations => f.write_str("no continuations: the line ends here"),
        }
    }
}

impl std::error::Error for ChapterError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_change_and_change_back() {
        let mut chapters = Chapters::of_book(3);
        let ids: Vec<ChapterId> = chapters.ids().collect();
        let new = chapters.create();
        let edits = [
            ListEdit {
                id: new,
                from: None,
                to: Some(1),
            },
            ListEdit {
                id: ids[2],
                from: Some(3),
                to: Some(0),
            },
            ListEdit {
                id: ids[0],
                from: Some(1),
                to: None,
            },
        ];
        edits.iter().for_each(|&edit| chapters.apply(edit));
        assert_eq!(chapters.ids().collect::<Vec<_>>(), [ids[2], new, ids[1]]);
        assert_eq!(
            (chapters.place_of(ids[0]), chapters.place_of(new)),
            (None, Some(1))
        );
        assert!(!chapters.is_book(3));
        for edit in edits.iter().rev() {
            chapters.apply(edit.inverse());
        }
        assert!(chapters.is_book(3) && !chapters.is_listed(new));
    }

    #[test]
    fn deleted_chapters_keep_their_text() {
        let mut chapters = Chapters::of_book(2);
        let first = chapters.first();
        chapters.apply(ListEdit {
            id: first,
            from: Some(0),
            to: None,
        });
        chapters.adopt(|game| vec![game as u8].into());
        assert_eq!(chapters.text(first), Some(&ChapterText::Kept([0].into())));
        assert!(chapters.is_book(1));
    }
}
