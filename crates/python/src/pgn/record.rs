//! A game as it was read: the events of its movetext in two bytes each, comments and tags as text.
//!
//! This is what an untouched game of Python consists of. Nodes are made from it when they are
//! needed.

use chess::{Move, Role, Square};

/// What happens in movetext, in the order of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    Move(Move),
    BeginVariation,
    EndVariation,
    /// The next comment.
    Comment,
    Nag(u32),
}

/// No move has four zeros at the end, so other events have. Above [`FIRST_NAG`] they are NAGs.
const OTHER: u16 = 15;
const BEGIN: u16 = 0;
const END: u16 = 1 << 4;
const COMMENT: u16 = 2 << 4;
const LARGE_NAG: u16 = 3 << 4;
const FIRST_NAG: u16 = 16;
const NAGS: u32 = 4096 - FIRST_NAG as u32;

/// A move that could not be read.
#[derive(Clone, Debug)]
pub struct Problem {
    /// How many events came before.
    pub event: usize,
    pub token: Box<str>,
}

/// A game that is being read. Its memory is used for the next one.
#[derive(Default)]
pub struct Recording {
    pub problems: Vec<Problem>,
    /// The first result of the movetext that is not `*`.
    pub result: Option<&'static str>,
    pub chess960: bool,
    /// The names and values of tags, then the comments.
    texts: Vec<u8>,
    text_ends: Vec<u32>,
    tag_texts: usize,
    events: Vec<u16>,
    large_nags: Vec<u32>,
}

impl Recording {
    pub fn clear(&mut self) {
        self.problems.clear();
        self.result = None;
        self.chess960 = false;
        self.texts.clear();
        self.text_ends.clear();
        self.tag_texts = 0;
        self.events.clear();
        self.large_nags.clear();
    }

    /// Adds a tag. Tags come before comments.
    pub fn push_tag(&mut self, name: &[u8], value: &[u8]) {
        self.push_text(name);
        self.push_text(value);
        self.tag_texts += 2;
    }

    fn push_text(&mut self, text: &[u8]) {
        self.texts.extend_from_slice(text);
        self.text_ends.push(self.texts.len() as u32);
    }

    /// The last value of a tag.
    pub fn tag(&self, name: &[u8]) -> Option<&str> {
        let text = |at: usize| {
            let start = at.checked_sub(1).map_or(0, |before| self.text_ends[before]);
            &self.texts[start as usize..self.text_ends[at] as usize]
        };
        let at = (0..self.tag_texts)
            .step_by(2)
            .rfind(|&at| text(at) == name)?;
        std::str::from_utf8(text(at + 1)).ok()
    }

    /// The tags: names and values.
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        let mut texts = texts(&self.texts, &self.text_ends);
        (0..self.tag_texts / 2).filter_map(move |_| Some((texts.next()?, texts.next()?)))
    }

    #[inline]
    pub fn push_move(&mut self, m: Move) {
        self.events.push(m.bits());
    }

    pub fn begin_variation(&mut self) {
        self.events.push(BEGIN);
    }

    pub fn end_variation(&mut self) {
        self.events.push(END);
    }

    /// Adds a comment. Empty comments are dropped, as `chess.pgn` does.
    pub fn push_comment(&mut self, text: &[u8]) {
        if !text.is_empty() {
            self.push_text(text);
            self.events.push(COMMENT);
        }
    }

    pub fn push_nag(&mut self, nag: u32) {
        if nag < NAGS {
            self.events.push((nag as u16 + FIRST_NAG) << 4);
        } else {
            self.events.push(LARGE_NAG);
            self.large_nags.push(nag);
        }
    }

    pub fn push_problem(&mut self, token: &[u8]) {
        self.problems.push(Problem {
            event: self.events.len(),
            token: String::from_utf8_lossy(token).into(),
        });
    }

    /// The game, in memory of its own.
    pub fn finish(&self) -> Record {
        Record {
            result: self.result,
            chess960: self.chess960,
            texts: self.texts.as_slice().into(),
            text_ends: self.text_ends.as_slice().into(),
            tag_texts: self.tag_texts,
            events: self.events.as_slice().into(),
            large_nags: self.large_nags.as_slice().into(),
        }
    }
}

/// A game that was read.
pub struct Record {
    pub result: Option<&'static str>,
    pub chess960: bool,
    texts: Box<[u8]>,
    text_ends: Box<[u32]>,
    tag_texts: usize,
    events: Box<[u16]>,
    large_nags: Box<[u32]>,
}

impl Record {
    /// The names and values of tags in turn.
    pub fn tag_texts(&self) -> impl Iterator<Item = &str> {
        texts(&self.texts, &self.text_ends).take(self.tag_texts)
    }

    pub fn comments(&self) -> impl Iterator<Item = &str> {
        texts(&self.texts, &self.text_ends).skip(self.tag_texts)
    }

    pub fn events(&self) -> impl Iterator<Item = Event> + '_ {
        let mut large_nags = self.large_nags.iter();
        self.events.iter().map(move |&event| match event {
            BEGIN => Event::BeginVariation,
            END => Event::EndVariation,
            COMMENT => Event::Comment,
            LARGE_NAG => Event::Nag(large_nags.next().copied().unwrap_or_default()),
            _ => match Move::from_bits(event).filter(|_| event & OTHER != 0) {
                Some(m) => Event::Move(m),
                None => Event::Nag(u32::from((event >> 4).saturating_sub(FIRST_NAG))),
            },
        })
    }

    /// The moves that lead to the position before an event.
    pub fn line_to(&self, event: usize) -> Vec<Move> {
        let mut lines: Vec<Vec<Move>> = vec![Vec::new()];
        for event in self.events().take(event) {
            match (event, lines.last_mut()) {
                (Event::Move(m), Some(line)) => line.push(m),
                (Event::BeginVariation, Some(line)) => {
                    let mut line = line.clone();
                    line.pop();
                    lines.push(line);
                }
                (Event::EndVariation, _) => {
                    lines.pop();
                }
                _ => {}
            }
        }
        lines.pop().unwrap_or_default()
    }
}

/// Texts one after another, by their ends.
fn texts<'a>(text: &'a [u8], ends: &'a [u32]) -> impl Iterator<Item = &'a str> {
    let mut start = 0;
    ends.iter().map(move |&end| {
        let text = &text[start..end as usize];
        start = end as usize;
        // It came from Python strings and is cut at ASCII characters.
        std::str::from_utf8(text).unwrap_or_default()
    })
}

/// A move in the numbers of `chess.Move`: from, to, and the promotion or, where both squares are the
/// same, the dropped piece. The null move is 0.
pub fn python_move(m: Move, chess960: bool) -> (Square, Square, Option<Role>) {
    let to = match m.castling_side() {
        Some(_) if !chess960 => m.destination(),
        _ => m.to(),
    };
    let to = to.unwrap_or(Square::A1);
    let from = m.from().unwrap_or(to);
    let dropped = m.role().filter(|_| m.from().is_none());
    (from, to, m.promoted().or(dropped))
}
