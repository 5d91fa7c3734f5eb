//! An opened file: its text and the byte range of each game; or an archive, which has no text.

use std::borrow::Cow;

use chess::pgn::{
    Builder, Game, GamePlace, RawGame, RawTag, Span, Utf16, Visitor, scan, split, to_utf8,
};

use kit::input::{InputError, Source};

use crate::archive::Archive;
use crate::pgn_input;

/// The games of one file, each parsed on demand.
#[derive(Clone, Debug)]
pub struct Book {
    name: String,
    text: Vec<u8>,
    /// The encoding of the file, if its text had to be converted to UTF-8.
    utf16: Option<Utf16>,
    games: Vec<Slot>,
    /// It was translated from another format.
    is_translated: bool,
    /// The games are those of an archive: there is no text.
    archive: Option<Archive>,
}

/// The byte range of a game.
#[derive(Clone, Copy, Debug)]
struct Slot {
    place: GamePlace,
    len: usize,
}

/// The text of a source: decompressed, and UTF-16 converted to UTF-8.
pub(crate) fn read_text(source: &Source) -> Result<Vec<u8>, InputError> {
    source.read_whole().map(|bytes| converted(bytes).0)
}

fn converted(bytes: Vec<u8>) -> (Vec<u8>, Option<Utf16>) {
    match Utf16::detect(&bytes) {
        None => (bytes, None),
        utf16 => (to_utf8(&bytes).into_owned(), utf16),
    }
}

impl Book {
    /// Reads a file, decompressing it if needed, and finds its games.
    pub fn open(source: &Source) -> Result<Book, InputError> {
        let text = pgn_input::read_whole(source)?;
        Ok(Book {
            is_translated: text.is_translated,
            ..Book::from_text(&source.name(), text.bytes)
        })
    }

    /// True if it was translated from another format than PGN, so it cannot be saved in place.
    pub fn is_translated(&self) -> bool {
        self.is_translated
    }

    /// The games of a text; the name is for messages.
    pub fn from_text(name: &str, bytes: Vec<u8>) -> Book {
        let (text, utf16) = converted(bytes);
        Book::new(name, text, utf16)
    }

    /// Another text in the encoding of this book.
    pub fn with_text(&self, name: &str, text: Vec<u8>) -> Book {
        Book::new(name, text, self.utf16)
    }

    fn new(name: &str, text: Vec<u8>, utf16: Option<Utf16>) -> Book {
        let slot = |raw: RawGame<'_>| Slot {
            place: raw.place,
            len: raw.bytes.len(),
        };
        let games = split(&text).map(slot).collect();
        Book {
            name: name.to_owned(),
            text,
            utf16,
            games,
            is_translated: false,
            archive: None,
        }
    }

    /// The games of an archive.
    pub fn of_archive(archive: Archive) -> Book {
        Book {
            archive: Some(archive.clone()),
            ..Book::new(&archive.path().to_string_lossy(), Vec::new(), None)
        }
    }

    /// The archive, if the games are those of one.
    pub fn archive(&self) -> Option<&Archive> {
        self.archive.as_ref()
    }

    /// The text in the encoding of the file.
    pub fn bytes(&self) -> Cow<'_, [u8]> {
        match self.utf16 {
            None => Cow::Borrowed(&self.text),
            Some(utf16) => Cow::Owned(utf16.encode(&String::from_utf8_lossy(&self.text))),
        }
    }

    /// The name for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its text, in UTF-8 if the file is in UTF-16.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The number of games.
    pub fn len(&self) -> usize {
        match &self.archive {
            Some(archive) => usize::try_from(archive.games()).unwrap_or(usize::MAX),
            None => self.games.len(),
        }
    }

    /// True if the file has no games.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes of a game, numbered from 0; those of archives have none.
    pub fn raw(&self, index: usize) -> Option<RawGame<'_>> {
        let &Slot { place, len } = self.games.get(index)?;
        let start = usize::try_from(place.offset).ok()?;
        let bytes = self.text.get(start..start + len)?;
        Some(RawGame { bytes, place })
    }

    /// A game, numbered from 0; `None` also if an archive is damaged there.
    pub fn read(&self, index: usize) -> Option<Game> {
        if let Some(archive) = &self.archive {
            return archive.read_game(number(index)).ok().flatten();
        }
        Some(Builder::new().read(self.raw(index)?))
    }

    /// The tags of a game, without reading its moves.
    pub fn tags(&self, index: usize) -> Vec<(String, String)> {
        let mut tags = Vec::new();
        self.visit_tags(index, |name, value| {
            tags.push((name.to_owned(), value.to_owned()));
        });
        tags
    }

    /// Calls `each` with name and value of each tag of a game, without reading its moves.
    pub fn visit_tags(&self, index: usize, mut each: impl FnMut(&str, &str)) {
        if let Some(archive) = &self.archive {
            if let Ok(Some(game)) = archive.read_tags(number(index)) {
                game.tags().for_each(|(name, value)| each(name, value));
            }
            return;
        }
        if let Some(raw) = self.raw(index) {
            let text = chess::pgn::decode(raw.bytes);
            let mut tags = TagReader { text: &text, each };
            scan(text.as_bytes(), &mut tags);
        }
    }

    /// The number of words of the mainline that may be moves: its length, unless the game is
    /// faulty.
    pub fn mainline_length(&self, index: usize) -> usize {
        if let Some(archive) = &self.archive {
            return archive.plies(number(index)).unwrap_or(0);
        }
        let mut counter = MoveCounter::default();
        if let Some(raw) = self.raw(index) {
            scan(raw.bytes, &mut counter);
        }
        counter.moves
    }
}

/// Archives count from 1.
fn number(index: usize) -> u64 {
    index as u64 + 1
}

/// Counts the moves of the mainline.
#[derive(Default)]
struct MoveCounter {
    depth: usize,
    moves: usize,
}

impl Visitor for MoveCounter {
    fn word(&mut self, _: Span) {
        self.moves += usize::from(self.depth == 0);
    }

    fn open(&mut self, _: usize) {
        self.depth += 1;
    }

    fn close(&mut self, _: usize) {
        self.depth = self.depth.saturating_sub(1);
    }
}

/// Collects only the tags.
struct TagReader<'a, F> {
    text: &'a str,
    each: F,
}

impl<F: FnMut(&str, &str)> Visitor for TagReader<'_, F> {
    fn tag(&mut self, tag: &RawTag) {
        let part =
            |range: &std::ops::Range<usize>| self.text.get(range.clone()).unwrap_or_default();
        let (name, value) = (part(&tag.name), part(&tag.value));
        if value.contains('\\') {
            let value = value.replace("\\\"", "\"").replace("\\\\", "\\");
            (self.each)(name, &value);
        } else {
            (self.each)(name, value);
        }
    }

    fn movetext(&mut self) -> bool {
        false
    }
}

/// The title of a game in lists: players, place and date.
pub fn title(tags: &[(String, String)]) -> String {
    let tag = |name: &str| {
        let found = tags.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value.as_str())
    };
    let known = |text: &str| !text.is_empty() && !text.starts_with('?');
    let players = match (known(tag("White")), known(tag("Black"))) {
        (false, false) => String::new(),
        // A chapter: its name is in the tag White.
        (true, false) => tag("White").to_owned(),
        _ => format!("{} – {}", tag("White"), tag("Black")),
    };
    let year = tag("Date").split('.').next().unwrap_or_default();
    let parts = [players.as_str(), tag("Event"), year, tag("Result")];
    let parts = parts.into_iter().filter(|part| known(part) && *part != "*");
    parts.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "[Event \"Club \\\"A\\\"\"]\n[White \"Anna\"]\n[Black \"Ben\"]\n[Date \"2024.01.31\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n[Event \"?\"]\n\n1. d4 *\n";

    #[test]
    fn games_and_their_tags() {
        let book = Book::from_text("test", TEXT.as_bytes().to_vec());
        assert_eq!(book.len(), 2);
        assert_eq!(title(&book.tags(0)), "Anna – Ben, Club \"A\", 2024, 1-0");
        assert_eq!(title(&book.tags(1)), "");
        assert_eq!(book.tags(2), []);
        assert!(book.read(1).is_some_and(|game| game.end().san() == "d4"));
        assert!(book.read(2).is_none());
        let whole: Vec<u8> = (0..2)
            .filter_map(|n| book.raw(n))
            .flat_map(|raw| raw.bytes.to_vec())
            .collect();
        assert_eq!(whole, TEXT.as_bytes());
    }
}
