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

/// A game that is being read.
#[derive(Default)]
pub struct Recording {
    pub tags: Texts,
    pub comments: Texts,
    pub problems: Vec<Problem>,
    /// The first result of the movetext that is not `*`.
    pub result: Option<&'static str>,
    pub chess960: bool,
    events: Vec<u16>,
    large_nags: Vec<u32>,
}

impl Recording {
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
            self.comments.push(text);
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

    pub fn finish(self) -> Record {
        Record {
            tags: self.tags.finish(),
            comments: self.comments.finish(),
            result: self.result,
            chess960: self.chess960,
            events: self.events.into(),
            large_nags: self.large_nags.into(),
        }
    }
}

/// A game that was read.
pub struct Record {
    /// Names and values in turn.
    pub tags: FinishedTexts,
    pub comments: FinishedTexts,
    pub result: Option<&'static str>,
    pub chess960: bool,
    events: Box<[u16]>,
    large_nags: Box<[u32]>,
}

impl Record {
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

/// A list of texts in one buffer.
#[derive(Default)]
pub struct Texts {
    text: Vec<u8>,
    ends: Vec<u32>,
}

impl Texts {
    pub fn push(&mut self, text: &[u8]) {
        self.text.extend_from_slice(text);
        self.ends.push(self.text.len() as u32);
    }

    /// The texts two by two.
    pub fn pairs(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        let range = |at: usize| {
            let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
            &self.text[start as usize..self.ends[at] as usize]
        };
        (1..self.ends.len())
            .step_by(2)
            .map(move |at| (range(at - 1), range(at)))
    }

    pub fn finish(self) -> FinishedTexts {
        FinishedTexts {
            text: self.text.into(),
            ends: self.ends.into(),
        }
    }
}

/// [`Texts`] that do not grow.
pub struct FinishedTexts {
    text: Box<[u8]>,
    ends: Box<[u32]>,
}

impl FinishedTexts {
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let text = &self.text[start..end as usize];
            start = end as usize;
            // The text came from Python strings and is cut at ASCII characters.
            std::str::from_utf8(text).unwrap_or_default()
        })
    }
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
