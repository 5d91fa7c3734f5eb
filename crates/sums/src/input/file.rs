//! Parser for the language of `.test` files: sections, positions, comments and blocks of questions.
//!
//! ```text
//! {version 1.7}
//! /* a comment */
//! [clobber_1xn] XOXO (XXO)
//! [switch_game] (3, -1)
//! {B win, W loss, winning moves B}
//! ```
//! Positions after a title are games of that section until the next title. A block ends the sum
//! and contains questions about it. After an error reading continues; the faulty sum is left out.

use super::Fault;
use crate::game::{Game, Kind};
use crate::rules::unknown_game;
use crate::value::{Dyadic, Player};
use std::ops::Range;

/// The contents of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Document {
    /// The version of the language.
    pub version: Option<String>,
    /// The sums and the questions about them.
    pub problems: Vec<Problem>,
    /// The errors.
    pub faults: Vec<Fault>,
}

/// A sum and the questions about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The components in the order of the text.
    pub sum: Vec<Game>,
    /// The questions.
    pub questions: Vec<Question>,
    /// The number of questions before this problem in the text, including those of faulty sums.
    pub questions_before: usize,
    /// The byte range in the text.
    pub span: Range<usize>,
}

/// One question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// The question.
    pub ask: Ask,
    /// The expected result.
    pub expected: Option<Expected>,
    /// The comments on the question.
    pub comments: Vec<String>,
    /// The byte range in the text.
    pub span: Range<usize>,
}

/// The kinds of questions about a sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ask {
    /// Whether this player wins, moving first.
    Wins(Player),
    /// The nim value of an impartial sum.
    NimValue,
    /// The winning moves of a player; of either player in an impartial sum.
    WinningMoves(Option<Player>),
    /// The thermograph.
    Thermograph,
}

/// An expected result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expected {
    /// `win` or `loss`.
    Win(bool),
    /// A nim value.
    NimValue(u64),
    /// Moves, sorted.
    Moves(Vec<String>),
    /// Both walls of a thermograph.
    Thermograph {
        /// Left's wall.
        left: Scaffold,
        /// Right's wall.
        right: Scaffold,
    },
}

/// A wall of a thermograph: values with temperatures, from -1 up to the start of the mast.
pub type Scaffold = Vec<(Dyadic, Dyadic)>;

/// Reads a file.
///
/// ```
/// let document = gametree_sums::input::read_file("[clobber_1xn] XO {B win}");
/// assert!(document.faults.is_empty());
/// assert_eq!(document.problems[0].sum[0].to_string(), "clobber_1xn XO");
/// ```
pub fn read_file(text: &str) -> Document {
    let mut reader = FileReader {
        text,
        at: 0,
        document: Document::default(),
        open: Open::default(),
        title: None,
        questions_read: 0,
        parentheses: Parentheses::of(text),
    };
    reader.items();
    reader.document
}

/// The text since the last block.
#[derive(Default)]
struct Open {
    start: Option<usize>,
    sum: Vec<Game>,
    shared: Vec<String>,
    numbered: Vec<(usize, String, Range<usize>)>,
    broken: bool,
}

/// The current section.
enum Title {
    Known(Kind),
    Unknown,
}

struct FileReader<'a> {
    text: &'a str,
    at: usize,
    document: Document,
    open: Open,
    title: Option<Title>,
    questions_read: usize,
    parentheses: Parentheses,
}

/// The closing parenthesis of each opening parenthesis, in the order of the text.
struct Parentheses(Vec<(usize, usize)>);

impl Parentheses {
    fn of(text: &str) -> Parentheses {
        let (mut open, mut pairs) = (Vec::new(), Vec::new());
        for (at, letter) in text.bytes().enumerate() {
            match letter {
                b'(' => open.push(at),
                b')' => pairs.extend(open.pop().map(|from| (from, at))),
                _ => {}
            }
        }
        pairs.sort_unstable();
        Parentheses(pairs)
    }

    /// The offset of the parenthesis that closes this one.
    fn closing(&self, open: usize) -> Option<usize> {
        let found = self.0.binary_search_by_key(&open, |&(from, _)| from);
        found.ok().map(|at| self.0[at].1)
    }
}

impl FileReader<'_> {
    fn items(&mut self) {
        loop {
            self.skip_blanks();
            let rest = &self.text[self.at..];
            let Some(first) = rest.chars().next() else {
                break;
            };
            match first {
                _ if rest.starts_with("/*") => self.comment(),
                '[' => self.enclosed('[', ']', "title", Self::title),
                '(' => self.enclosed('(', ')', "game", Self::game),
                '{' => self.enclosed('{', '}', "block of questions", Self::block),
                ']' | ')' | '}' => {
                    self.fault(self.at..self.at + 1, format!("unmatched '{first}'"));
                    self.at += 1;
                }
                _ => self.word(),
            }
        }
        if !self.open.sum.is_empty() && !self.open.broken {
            let start = self.open.start.unwrap_or(0);
            self.fault(
                start..self.text.len(),
                "no questions about this sum: expected a block such as {B, W}",
            );
        }
    }

    fn skip_blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn fault(&mut self, span: Range<usize>, message: impl Into<String>) {
        self.open.broken = true;
        self.document.faults.push(Fault::new(span, message));
    }

    /// Calls `read` with the text between two brackets, or adds a fault if the second is missing.
    fn enclosed(&mut self, open: char, close: char, what: &str, read: fn(&mut Self, Range<usize>)) {
        let start = self.at;
        self.open.start.get_or_insert(start);
        let inner = start + open.len_utf8();
        let nearest = || self.text[inner..].find(close);
        let length = match open {
            '(' => self
                .parentheses
                .closing(start)
                .map(|close| close - inner)
                .or_else(nearest),
            _ => nearest(),
        };
        match length {
            Some(length) => {
                self.at = inner + length + close.len_utf8();
                read(self, inner..inner + length);
            }
            None => {
                self.fault(
                    start..self.text.len(),
                    format!("this {what} is not closed: expected '{close}'"),
                );
                self.at = self.text.len();
            }
        }
    }

    /// `/* text */`; `/*_` is ignored, `/*#k` belongs to the k-th question of the next block.
    fn comment(&mut self) {
        let start = self.at;
        let inner = start + 2;
        let Some(length) = self.text[inner..].find("*/") else {
            self.fault(
                start..self.text.len(),
                "this comment is not closed: expected '*/'",
            );
            self.at = self.text.len();
            return;
        };
        self.at = inner + length + 2;
        let text = &self.text[inner..inner + length];
        match text.chars().next() {
            Some('_') => {}
            Some('#') => self.numbered_comment(start..self.at, &text[1..]),
            _ => self.open.shared.push(text.trim().to_string()),
        }
    }

    fn numbered_comment(&mut self, span: Range<usize>, text: &str) {
        let (number, comment) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match number.parse() {
            Ok(number) => self
                .open
                .numbered
                .push((number, comment.trim().to_string(), span)),
            Err(_) => self.fault(
                span,
                "expected the number of a question after '#', counted from 0",
            ),
        }
    }

    fn title(&mut self, span: Range<usize>) {
        let name = self.text[span.clone()]
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        let kind = Kind::named(&name);
        if kind.is_none() {
            self.fault(span, unknown_game(&name));
        }
        self.title = Some(kind.map_or(Title::Unknown, Title::Known));
    }

    /// A position without brackets: up to the next blank.
    fn word(&mut self) {
        let start = self.at;
        self.open.start.get_or_insert(start);
        let rest = &self.text[start..];
        let ends = |(at, letter): &(usize, char)| {
            letter.is_whitespace() || "[](){}".contains(*letter) || rest[*at..].starts_with("/*")
        };
        let length = rest
            .char_indices()
            .find(ends)
            .map_or(rest.len(), |(at, _)| at);
        self.at = start + length;
        self.game(start..self.at);
    }

    fn game(&mut self, span: Range<usize>) {
        match self.title {
            None => self.fault(
                span,
                "a position before any title: expected a section such as [clobber_1xn]",
            ),
            Some(Title::Unknown) => self.open.broken = true,
            Some(Title::Known(kind)) => match Game::read(kind, &self.text[span.clone()]) {
                Ok(game) => self.open.sum.push(game),
                Err(complaint) => {
                    let place = span.start + complaint.span.start..span.start + complaint.span.end;
                    self.fault(place, format!("{}: {}", kind.name(), complaint.message));
                }
            },
        }
    }

    fn block(&mut self, span: Range<usize>) {
        let inner = self.text[span.clone()].trim();
        if let Some(version) = inner.strip_prefix("version") {
            // Concatenated files have several versions; a version within a sum means that its block
            // is missing.
            if !self.open.sum.is_empty() {
                self.fault(
                    span,
                    "a version is allowed before or between sums, not within one",
                );
                return;
            }
            let version = version.trim();
            if !version.starts_with(|c: char| c.is_ascii_digit()) {
                self.fault(
                    span,
                    "expected a number after 'version', such as {version 1.7}",
                );
            }
            self.document.version.get_or_insert(version.to_string());
            self.open.start = None;
            self.open.broken = false;
            return;
        }
        let questions_before = self.questions_read;
        let questions = self.questions(span.clone());
        let open = std::mem::take(&mut self.open);
        let start = open.start.unwrap_or(span.start);
        if !open.broken {
            self.document.problems.push(Problem {
                sum: open.sum,
                questions,
                questions_before,
                span: start..span.end + 1,
            });
        }
    }

    fn questions(&mut self, span: Range<usize>) -> Vec<Question> {
        let fields = split_outside_parentheses(self.text, span.clone());
        if let [only] = &fields[..]
            && self.text[only.clone()].trim().is_empty()
        {
            return Vec::new();
        }
        self.questions_read += fields.len();
        let mut questions = Vec::new();
        for field in fields {
            match self.question(field.clone()) {
                Ok((ask, expected)) => questions.push(Question {
                    ask,
                    expected,
                    comments: self.open.shared.clone(),
                    span: field,
                }),
                Err(fault) => self.fault(fault.span, fault.message),
            }
        }
        for (number, comment, place) in std::mem::take(&mut self.open.numbered) {
            match questions.get_mut(number) {
                Some(question) => question.comments.push(comment),
                None => self.fault(
                    place,
                    format!("the next block has no question number {number}"),
                ),
            }
        }
        questions
    }

    fn question(&self, span: Range<usize>) -> Result<(Ask, Option<Expected>), Fault> {
        let words = words(self.text, &span);
        let texts: Vec<&str> = words.iter().map(|word| &self.text[word.clone()]).collect();
        let (ask, expected) = match texts[..] {
            ["B" | "W", ..] => self.wins(&words)?,
            ["N", ..] => self.nim_value(&words)?,
            ["winning", "moves", ..] => self.winning_moves(&words, &span)?,
            ["thermograph", ..] => (
                Ask::Thermograph,
                self.thermograph(words.get(1).map_or(span.end, |word| word.start)..span.end)?,
            ),
            _ if self.text[span.clone()].contains('|') => {
                return Err(Fault::new(
                    self.trimmed(span),
                    "braces enclose questions here: write a game in parentheses, such as ({1|-1})",
                ));
            }
            _ => {
                return Err(Fault::new(
                    self.trimmed(span),
                    "expected B, W, N, 'winning moves' or 'thermograph'",
                ));
            }
        };
        self.check_impartial(ask, &span)?;
        Ok((ask, expected))
    }

    fn check_impartial(&self, ask: Ask, span: &Range<usize>) -> Result<(), Fault> {
        let needs = matches!(ask, Ask::NimValue | Ask::WinningMoves(None));
        match self
            .open
            .sum
            .iter()
            .find(|game| needs && !game.kind.is_impartial())
        {
            Some(game) => Err(Fault::new(
                self.trimmed(span.clone()),
                format!(
                    "only impartial sums have nim values, and {} is not impartial",
                    game.kind.name()
                ),
            )),
            None => Ok(()),
        }
    }

    fn trimmed(&self, span: Range<usize>) -> Range<usize> {
        let text = &self.text[span.clone()];
        let start = span.start + text.len() - text.trim_start().len();
        start..start + text.trim().len()
    }

    fn wins(&self, words: &[Range<usize>]) -> Result<(Ask, Option<Expected>), Fault> {
        let player = if &self.text[words[0].clone()] == "B" {
            Player::Left
        } else {
            Player::Right
        };
        let expected = match words {
            [_] => None,
            [_, word] => match &self.text[word.clone()] {
                "win" => Some(Expected::Win(true)),
                "loss" => Some(Expected::Win(false)),
                _ => return Err(Fault::new(word.clone(), "expected 'win' or 'loss'")),
            },
            [_, _, more, ..] => return Err(Fault::new(more.clone(), "expected ',' or '}'")),
            [] => None,
        };
        Ok((Ask::Wins(player), expected))
    }

    fn nim_value(&self, words: &[Range<usize>]) -> Result<(Ask, Option<Expected>), Fault> {
        let expected = match words {
            [_, word] => {
                let value = self.text[word.clone()].parse::<u64>();
                Some(Expected::NimValue(value.map_err(|_| {
                    Fault::new(word.clone(), "expected a nim value of 0 or more")
                })?))
            }
            [_, _, more, ..] => return Err(Fault::new(more.clone(), "expected ',' or '}'")),
            _ => None,
        };
        Ok((Ask::NimValue, expected))
    }

    fn winning_moves(
        &self,
        words: &[Range<usize>],
        span: &Range<usize>,
    ) -> Result<(Ask, Option<Expected>), Fault> {
        let player = match words.get(2).map(|word| (&self.text[word.clone()], word)) {
            Some(("B", _)) => Some(Player::Left),
            Some(("W", _)) => Some(Player::Right),
            Some(("N", _)) => None,
            Some((_, word)) => {
                return Err(Fault::new(
                    word.clone(),
                    "expected B, W or N after 'winning moves'",
                ));
            }
            None => {
                return Err(Fault::new(
                    self.trimmed(span.clone()),
                    "expected B, W or N after 'winning moves'",
                ));
            }
        };
        let mut moves: Vec<String> = words[3..]
            .iter()
            .map(|word| self.text[word.clone()].to_string())
            .collect();
        moves.sort();
        let expected = match &moves[..] {
            [] => None,
            [none] if none == "None" => Some(Expected::Moves(Vec::new())),
            _ => Some(Expected::Moves(moves)),
        };
        Ok((Ask::WinningMoves(player), expected))
    }

    fn thermograph(&self, span: Range<usize>) -> Result<Option<Expected>, Fault> {
        let text = &self.text[span.clone()];
        if text.trim().is_empty() {
            return Ok(None);
        }
        let missing = |wall: &str| {
            Fault::new(
                self.trimmed(span.clone()),
                format!("expected '{wall}' and the points of that wall, such as (1, -1) (0, 0)"),
            )
        };
        let left_at = text
            .find("L:")
            .filter(|&at| text[..at].trim().is_empty())
            .ok_or_else(|| missing("L:"))?;
        let right_at = text
            .find("R:")
            .filter(|&at| at > left_at)
            .ok_or_else(|| missing("R:"))?;
        let left = self.scaffold(span.start + left_at + 2..span.start + right_at)?;
        let right = self.scaffold(span.start + right_at + 2..span.end)?;
        Ok(Some(Expected::Thermograph { left, right }))
    }

    fn scaffold(&self, span: Range<usize>) -> Result<Scaffold, Fault> {
        let mut points = Vec::new();
        let mut at = span.start;
        for field in self.text[span.clone()].split(')') {
            let place = self.trimmed(at..at + field.len());
            at += field.len() + 1;
            if place.is_empty() {
                continue;
            }
            let point = self.text[place.clone()]
                .strip_prefix('(')
                .and_then(|inner| inner.split_once(','));
            let numbers =
                point.and_then(|(value, temperature)| Some((dyadic(value)?, dyadic(temperature)?)));
            points.push(
                numbers
                    .ok_or_else(|| Fault::new(place, "expected a point (value, temperature)"))?,
            );
        }
        if points.is_empty() {
            return Err(Fault::new(
                span,
                "expected the points of a wall, such as (1, -1) (0, 0)",
            ));
        }
        Ok(points)
    }
}

fn dyadic(text: &str) -> Option<Dyadic> {
    crate::rules::parse_number(text).ok()
}

/// The byte ranges of the words within a span.
fn words(text: &str, span: &Range<usize>) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut at = span.start;
    for word in text[span.clone()].split(char::is_whitespace) {
        if !word.is_empty() {
            words.push(at..at + word.len());
        }
        at += word.len();
        at += text[at..].chars().next().map_or(0, char::len_utf8);
    }
    words
}

/// The fields between commas; commas within parentheses do not separate.
fn split_outside_parentheses(text: &str, span: Range<usize>) -> Vec<Range<usize>> {
    let mut fields = Vec::new();
    let mut start = span.start;
    let mut depth = 0usize;
    for (at, letter) in text[span.clone()]
        .char_indices()
        .map(|(at, letter)| (span.start + at, letter))
    {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                fields.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
    }
    fields.push(start..span.end);
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str) -> Vec<String> {
        read_file(text)
            .faults
            .iter()
            .map(|fault| format!("{:?} {}", fault.place(text), fault.message))
            .collect()
    }

    #[test]
    fn faulty_sums_keep_the_numbers_of_later_questions() {
        let before = |text: &str| -> Vec<usize> {
            let problems = read_file(text).problems;
            problems.iter().map(|sum| sum.questions_before).collect()
        };
        assert_eq!(before("[nimber] 1 {B, W} 2 {} 3 {N}"), [0, 2, 2]);
        assert_eq!(before("[nimber] x {B, W} 2 {N} 3 {Q, B} 4 {N}"), [2, 5]);
    }

    #[test]
    fn parentheses_without_partners_are_read_in_linear_time() {
        let text = format!("[explicit] {} {{B}}", "(()".repeat(100_000));
        assert!(!read_file(&text).faults.is_empty());
    }

    #[test]
    fn sums_and_questions() {
        let text = "{version 1.7}\n/*_ silent */ /* both */ /*#1 second */\n[clobber_1xn] XO (XXO)\n[impartial domineering] ..|..\n{B win, W loss}\n..{N 2, winning moves N a1-b1, thermograph}";
        let document = read_file(text);
        assert_eq!(document.faults, []);
        assert_eq!(document.version.as_deref(), Some("1.7"));
        let [first, second] = &document.problems[..] else {
            panic!("two problems")
        };
        assert_eq!(first.sum.len(), 3);
        assert_eq!(first.questions[1].comments, ["both", "second"]);
        assert_eq!(first.questions[0].expected, Some(Expected::Win(true)));
        assert_eq!(second.sum[0].to_string(), "impartial domineering ..");
        assert_eq!(
            second.questions[1].expected,
            Some(Expected::Moves(vec!["a1-b1".into()]))
        );
    }

    #[test]
    fn files_can_be_joined() {
        let text = "{version 1.5} [nimber] 3 {N 3}\n{version 1.7} [nimber] 2 {N 2}";
        let document = read_file(text);
        assert_eq!((document.faults.len(), document.problems.len()), (0, 2));
        assert_eq!(document.version.as_deref(), Some("1.5"));
        assert_eq!(faults("[nimber] 3 {version 1.7} {N}").len(), 1);
    }

    #[test]
    fn thermographs_are_read() {
        let document =
            read_file("[domineering] ..|.. {thermograph L: (1, -1) (3/4, 1/2) R: (-1, -1) (0, 1)}");
        assert_eq!(document.faults, []);
        let Some(Expected::Thermograph { left, right }) =
            &document.problems[0].questions[0].expected
        else {
            panic!("a thermograph")
        };
        assert_eq!((left.len(), right.len()), (2, 2));
        assert_eq!(left[1], (Dyadic::new(3, 2), Dyadic::new(1, 1)));
    }

    #[test]
    fn errors_have_positions_and_keep_other_sums() {
        let cases = [
            ("[nosuch] XO {B}", "(1, 2) unknown game 'nosuch'"),
            ("XO {B}", "(1, 1) a position before any title"),
            (
                "[clobber_1xn] XZ {B}",
                "(1, 16) clobber_1xn: 'Z' is not a cell",
            ),
            (
                "[clobber_1xn] XO {B",
                "(1, 18) this block of questions is not closed",
            ),
            (
                "[clobber_1xn] XO {B} /* x",
                "(1, 22) this comment is not closed",
            ),
            ("[clobber_1xn] XO {Q}", "(1, 19) expected B, W, N"),
            (
                "[clobber_1xn] XO {B maybe}",
                "(1, 21) expected 'win' or 'loss'",
            ),
            ("[clobber_1xn] XO {N}", "(1, 19) only impartial sums"),
            ("[clobber_1xn] XO {B,}", "(1, 21) expected B, W, N"),
            ("[clobber_1xn] XO", "(1, 1) no questions about this sum"),
            (
                "[switch_game] (1,2,3) {B}",
                "(1, 16) switch_game: a switch has two numbers",
            ),
            ("[nimber] -1 {B}", "(1, 10) nimber: '-1' is not a heap size"),
            (
                "[dyadic_rational] 1/3 {B}",
                "(1, 19) dyadic_rational: '1/3' is not a dyadic fraction",
            ),
            (
                "[nimber] 3 {N 99999999999999999999}",
                "(1, 15) expected a nim value",
            ),
            (
                "[nimber] 3 {thermograph L: R:}",
                "(1, 27) expected the points",
            ),
            (
                "/*#x y*/ [nimber] 3 {N}",
                "(1, 1) expected the number of a question",
            ),
        ];
        for (text, expected) in cases {
            let found = faults(text);
            assert!(
                found.iter().any(|fault| fault.starts_with(expected)),
                "{text}: {found:?}"
            );
        }
        let document = read_file("[clobber_1xn] XZ {B} XO {B}");
        assert_eq!((document.faults.len(), document.problems.len()), (1, 1));
    }
}
