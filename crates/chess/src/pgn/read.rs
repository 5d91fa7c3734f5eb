//! Reading games from memory, or from a stream in bounded memory.

use super::build::Builder;
use super::encoding::{Utf16, to_utf8};
use super::game::Game;
use super::split::{End, GAME_LIMIT, GamePlace, RawGame, cut, game_end, split};
use std::io::{self, Read};

/// The first game of a text; `None` if the text is blank.
///
/// ```
/// let game = gametree_chess::pgn::read_game(b"1. e4 e5 *").unwrap();
/// assert_eq!(game.tree().node_count(), 3);
/// ```
pub fn read_game(text: &[u8]) -> Option<Game> {
    let text = to_utf8(text);
    let raw = split(&text).next()?;
    Some(Builder::new().read(raw))
}

/// All games of a stream, in order.
///
/// ```
/// let pgn = "[Event \"A\"]\n\n1. e4 *\n\n[Event \"B\"]\n\n1. d4 *\n";
/// let games: Result<Vec<_>, _> = gametree_chess::pgn::read_games(pgn.as_bytes()).collect();
/// assert_eq!(games?[1].tag("Event"), Some("B"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn read_games<R: Read>(source: R) -> Games<R> {
    Games {
        reader: Reader::new(source),
        builder: Builder::new(),
    }
}

/// The games of a stream.
pub struct Games<R> {
    reader: Reader<R>,
    builder: Builder,
}

impl<R: Read> Iterator for Games<R> {
    type Item = io::Result<Game>;

    fn next(&mut self) -> Option<io::Result<Game>> {
        match self.reader.next_game() {
            Ok(raw) => Some(Ok(self.builder.read(raw?))),
            Err(error) => Some(Err(error)),
        }
    }
}

/// Splits a stream into games. Its memory is bounded by the largest game.
pub struct Reader<R> {
    source: R,
    /// The bytes from `start` to `end` are waiting. Those after `end` are room for more, which
    /// does not have to be cleared again.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    ended: bool,
    failed: bool,
    next: GamePlace,
    limit: usize,
    wide: Option<Wide>,
}

/// UTF-16 bytes that are not decoded yet.
struct Wide {
    encoding: Utf16,
    bytes: Vec<u8>,
}

/// The minimum number of bytes of a read. The games that end in them are still in the processor's
/// cache when they are split.
const CHUNK: usize = 1 << 15;

impl<R: Read> Reader<R> {
    /// Returns a reader of this stream.
    pub fn new(source: R) -> Reader<R> {
        Reader::with_limit(source, GAME_LIMIT)
    }

    /// Returns a reader that splits games of more than `limit` bytes, at most [`GAME_LIMIT`].
    pub fn with_limit(source: R, limit: usize) -> Reader<R> {
        Reader {
            source,
            buffer: Vec::new(),
            start: 0,
            end: 0,
            ended: false,
            failed: false,
            next: GamePlace {
                number: 1,
                line: 1,
                ..GamePlace::default()
            },
            limit: limit.clamp(1, GAME_LIMIT),
            wide: None,
        }
    }

    /// The next game; `None` at the end and after an error.
    ///
    /// In a UTF-16 stream, offsets refer to the same text in UTF-8.
    pub fn next_game(&mut self) -> io::Result<Option<RawGame<'_>>> {
        if self.failed {
            return Ok(None);
        }
        let end = loop {
            let text = &self.buffer[self.start..self.end];
            match game_end(text, self.ended) {
                End::Game(end) if end.len <= self.limit => break end,
                End::Nothing => return Ok(None),
                End::More if text.len() <= self.limit => self.fill()?,
                End::Game(_) | End::More => break cut(text, self.limit),
            }
        };
        let bytes = &self.buffer[self.start..self.start + end.len];
        self.start += end.len;
        let place = self.next;
        self.next = place.after(end);
        Ok(Some(RawGame { bytes, place }))
    }

    /// The encoding of a stream of UTF-16, known once a game was read.
    pub fn utf16(&self) -> Option<Utf16> {
        self.wide.as_ref().map(|wide| wide.encoding)
    }

    /// Doubles the buffered bytes, so that repeated searches take linear time in total.
    fn fill(&mut self) -> io::Result<()> {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        let is_first = self.end == 0 && self.next.number == 1 && self.next.offset == 0;
        let more = self.end.max(CHUNK);
        let read = match &self.wide {
            None => self.fill_bytes(more, is_first),
            Some(_) => self.fill_wide(more),
        };
        self.failed = read.is_err();
        read
    }

    fn fill_bytes(&mut self, more: usize, is_first: bool) -> io::Result<()> {
        let full = self.end + more;
        if is_first {
            // with room for the start of a game before the next bytes
            self.buffer.reserve_exact(full + full / 2);
        }
        if self.buffer.len() < full {
            self.buffer.resize(full, 0);
        }
        let read = read_full(&mut self.source, &mut self.buffer[self.end..full])?;
        self.end += read;
        self.ended = read < more;
        let found = is_first.then(|| Utf16::detect(&self.buffer[..self.end]));
        if let Some(encoding) = found.flatten() {
            self.buffer.truncate(self.end);
            self.wide = Some(Wide {
                encoding,
                bytes: std::mem::take(&mut self.buffer),
            });
            self.end = 0;
            self.decode();
        }
        Ok(())
    }

    fn fill_wide(&mut self, more: usize) -> io::Result<()> {
        let Some(wide) = &mut self.wide else {
            return Ok(());
        };
        let read = (&mut self.source)
            .take(more as u64)
            .read_to_end(&mut wide.bytes)?;
        self.ended = read < more;
        self.decode();
        Ok(())
    }

    fn decode(&mut self) {
        if let Some(Wide { encoding, bytes }) = &mut self.wide {
            self.buffer.truncate(self.end);
            let used = encoding.decode(bytes, self.ended, &mut self.buffer);
            self.end = self.buffer.len();
            bytes.drain(..used);
        }
    }
}

/// Reads until the room is full or the stream ends; returns the number of bytes.
fn read_full(source: &mut impl Read, room: &mut [u8]) -> io::Result<usize> {
    let mut len = 0;
    while len < room.len() {
        match source.read(&mut room[len..]) {
            Ok(0) => break,
            Ok(read) => len += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(len)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Border;

    /// Returns one byte at a time, as a slow pipe does.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let len = self.0.len().min(buffer.len()).min(1);
            buffer[..len].copy_from_slice(&self.0[..len]);
            self.0 = &self.0[len..];
            Ok(len)
        }
    }

    fn lengths(reader: &mut Reader<impl Read>) -> Vec<usize> {
        let mut lengths = Vec::new();
        while let Some(game) = reader.next_game().unwrap() {
            lengths.push(game.bytes.len());
        }
        lengths
    }

    #[test]
    fn a_stream_splits_like_a_slice() {
        let game = "[Event \"A\"]\n\n1. e4 {x} e5 1-0\n\n";
        let text = game.repeat(10_000);
        assert_eq!(
            lengths(&mut Reader::new(text.as_bytes())),
            [game.len(); 10_000]
        );
        let text = game.repeat(10);
        assert_eq!(
            lengths(&mut Reader::new(Slow(text.as_bytes()))),
            [game.len(); 10]
        );
    }

    #[test]
    fn a_game_over_the_limit_is_cut() {
        let text = format!("{}\n\n[Event \"B\"]\n\n*", "e4 é\n".repeat(100));
        let mut reader = Reader::with_limit(text.as_bytes(), 101);
        let first = reader.next_game().unwrap().unwrap();
        assert_eq!(first.bytes.len(), 96);
        assert_eq!(
            reader.next_game().unwrap().unwrap().place.border,
            Border::Limit
        );
        let mut reader = Reader::with_limit(text.as_bytes(), 101);
        assert_eq!(lengths(&mut reader).iter().sum::<usize>(), text.len());
    }

    #[test]
    fn utf16_streams() {
        let text = "\u{feff}[Event \"Ä\"]\n\n1. e4 *\n\n[Event \"B\"]\n\n1. d4 *\n";
        let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let games: Vec<Game> = read_games(&bytes[..]).map(Result::unwrap).collect();
        let events: Vec<_> = games
            .iter()
            .map(|game| game.tag("Event").unwrap())
            .collect();
        assert_eq!(events, ["Ä", "B"]);
    }
}
