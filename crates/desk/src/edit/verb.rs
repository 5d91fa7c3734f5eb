//! The verbs of editing, as values and as words.

use std::fmt;
use std::time::Duration;

use chess::Square;
use chess::annotation::{self, Eval, Paint, Shape};
use chess::pgn::{Outcome, nag, restore_braces};

use kit::nearest;

/// An edit of a game at a node.
#[derive(Clone, PartialEq, Debug)]
pub enum Verb {
    /// Move the node one place up among its siblings.
    Promote,
    /// Move the node one place down.
    Demote,
    /// Make the move the first one here.
    First,
    /// Make the whole path the mainline.
    Main,
    /// Delete this move and its continuation.
    Delete,
    /// Delete the continuation.
    DeleteAfter,
    /// Delete the variation that contains this move.
    DeleteVariation,
    /// Delete the other moves here.
    DeleteOthers,
    /// Delete all lines except those through this move.
    KeepOnly,
    /// Delete all lines except this one.
    KeepLine,
    /// Add moves; existing moves are followed.
    Add(String),
    /// Set the comment after the move.
    Comment(String),
    /// Set the comment before the move, at the start of its variation.
    CommentBefore(String),
    /// Set a mark of the move, in place of another of its kind.
    Nag(u32),
    /// Remove a mark; without an argument, all marks.
    DropNag(Option<u32>),
    /// Mark an arrow or a square, or remove it if it is marked.
    Shape(Shape),
    /// Remove all arrows and squares.
    DropShapes,
    /// Set the time on the clock after the move.
    Clock(Option<Duration>),
    /// Set the evaluation of the position.
    Eval(Option<Eval>),
    /// Set a tag of the game.
    Tag(String, String),
    /// Remove a tag.
    DropTag(String),
    /// Set the result of the game.
    Result(Outcome),
    /// Merge siblings with the same move.
    MergeDuplicates,
    /// Move the continuations of other paths to this position here.
    Bring,
    /// Merge PGN here, or at the start if its moves only fit there.
    Merge(String),
    /// Change the list of chapters.
    Chapter(ChapterVerb),
}

/// A change of the list of chapters: the games of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChapterVerb {
    /// Add a chapter after all others; an empty name is unknown.
    Add(String),
    /// Name the chapter.
    Name(String),
    /// Move the chapter to this place, from 1.
    Move(usize),
    /// Delete the chapter.
    Delete,
    /// Move the continuations of the current position into a new chapter after this one; without a
    /// name, it is named after its moves.
    Split(String),
    /// Merge another chapter, numbered from 1, into this one, and delete it.
    Join(usize),
}

/// What a verb changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// The current move: its annotations, its rank, its existence.
    Move,
    /// The continuations of the current position.
    Position,
    /// The game as a whole.
    Game,
}

impl Verb {
    /// What the verb changes.
    pub fn scope(&self) -> Scope {
        match self {
            Verb::Add(_)
            | Verb::DeleteAfter
            | Verb::Bring
            | Verb::Merge(_)
            | Verb::Chapter(ChapterVerb::Split(_)) => Scope::Position,
            Verb::Tag(..)
            | Verb::DropTag(_)
            | Verb::Result(_)
            | Verb::MergeDuplicates
            | Verb::Chapter(_) => Scope::Game,
            _ => Scope::Move,
        }
    }

    /// True if the verb puts a move before its alternatives.
    pub(crate) fn puts_first(&self) -> bool {
        matches!(self, Verb::Promote | Verb::First | Verb::Main)
    }
}

/// The usage of a verb.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VerbHelp {
    /// The verb.
    pub word: &'static str,
    /// Its argument.
    pub args: &'static str,
    /// A description.
    pub does: &'static str,
}

const fn help(word: &'static str, args: &'static str, does: &'static str) -> VerbHelp {
    VerbHelp { word, args, does }
}

/// All verbs.
pub const VERBS: [VerbHelp; 32] = [
    help("promote", "", "move up one place among the alternatives"),
    help("demote", "", "move down one place"),
    help("first", "", "make it the first alternative"),
    help("main", "", "make the whole path to it the mainline"),
    help("delete", "", "delete the move and its continuations"),
    help("delete-after", "", "delete its continuations"),
    help(
        "delete-variation",
        "",
        "delete the whole variation that contains it",
    ),
    help("delete-others", "", "delete its alternatives"),
    help("keep-only", "", "keep only the lines through it"),
    help("keep-line", "", "keep only this line"),
    help(
        "add",
        "MOVES",
        "add moves, optionally with variations and comments",
    ),
    help(
        "comment",
        "[TEXT]",
        "set the comment after the move; empty removes it",
    ),
    help(
        "comment-before",
        "[TEXT]",
        "set the comment before the move; empty removes it",
    ),
    help(
        "nag",
        "GLYPH",
        "add a glyph: ! ? !! ?? !? ?! = ⩲ ± … or $14",
    ),
    help(
        "drop-nag",
        "[GLYPH]",
        "remove the glyph; without GLYPH, all of them",
    ),
    help(
        "arrow",
        "[COLOUR] FROM-TO",
        "add or remove an arrow: arrow red e2e4",
    ),
    help("square", "[COLOUR] SQUARE", "mark or unmark a square"),
    help("drop-shapes", "", "remove all arrows and squares"),
    help(
        "clock",
        "[H:MM:SS]",
        "set the clock after the move; empty removes it",
    ),
    help(
        "eval",
        "[NUMBER]",
        "set the evaluation: 0.35, -1.2, #3; empty removes it",
    ),
    help("tag", "NAME VALUE", "set a tag of the game"),
    help("drop-tag", "NAME", "remove a tag"),
    help(
        "merge-duplicates",
        "",
        "merge alternatives with the same move",
    ),
    help(
        "bring",
        "",
        "move continuations of other paths here; leave links there",
    ),
    help("result", "1-0|0-1|1/2-1/2|*", "set the result of the game"),
    help(
        "merge",
        "PGN",
        "add moves here, or at the start if they only fit there; keep unreadable text",
    ),
    help("chapter-add", "[NAME]", "add a chapter at the end"),
    help("chapter-name", "NAME", "name the chapter"),
    help("chapter-move", "N", "move the chapter to place N"),
    help("chapter-delete", "", "delete the chapter"),
    help(
        "chapter-split",
        "[NAME]",
        "move the continuations into a new chapter",
    ),
    help(
        "chapter-join",
        "N",
        "merge chapter N into this one and delete it",
    ),
];

/// A word with an argument too many or too few.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ArgumentError {
    /// `promote 3`: the word takes no argument.
    Unexpected {
        /// The word.
        word: String,
        /// The text after it.
        rest: String,
    },
    /// `add`: the argument is missing.
    Missing {
        /// The word.
        word: String,
        /// The expected argument.
        args: &'static str,
    },
}

impl ArgumentError {
    /// Checks that nothing follows a word.
    pub fn check_none(word: &str, rest: &str) -> Result<(), ArgumentError> {
        if rest.is_empty() {
            return Ok(());
        }
        Err(ArgumentError::Unexpected {
            word: word.to_owned(),
            rest: rest.to_owned(),
        })
    }

    /// The argument `args` of a word is missing.
    pub fn missing(word: &str, args: &'static str) -> ArgumentError {
        ArgumentError::Missing {
            word: word.to_owned(),
            args,
        }
    }
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArgumentError::Unexpected { word, rest } => {
                write!(f, "{word} takes no argument, found {rest:?}")
            }
            ArgumentError::Missing { word, args } => {
                write!(f, "{word} requires an argument: {word} {args}")
            }
        }
    }
}

impl std::error::Error for ArgumentError {}

impl From<ArgumentError> for VerbError {
    fn from(error: ArgumentError) -> VerbError {
        VerbError::Argument(error)
    }
}

/// The reason why a text is not a verb with its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum VerbError {
    /// `frobnicate`
    Unknown(String),
    /// `promote 3`, `add`
    Argument(ArgumentError),
    /// `nag x`
    Glyph(String),
    /// `arrow e9`
    Shape(String),
    /// `clock soon`
    Clock(String),
    /// `eval good`
    Eval(String),
    /// `result 2-0`
    Result(String),
    /// `tag White-Elo 2700`
    TagName(String),
    /// `chapter-move up`
    Chapter(String),
}

impl fmt::Display for VerbError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VerbError::Unknown(word) => {
                write!(f, "unknown verb {word:?}")?;
                match nearest(word, VERBS.iter().map(|verb| verb.word)) {
                    Some(near) => write!(f, "; did you mean {near:?}?"),
                    None => Ok(()),
                }
            }
            VerbError::Argument(error) => error.fmt(f),
            VerbError::Glyph(text) => write!(
                f,
                "unknown glyph {text:?}; use !, ?, !!, ??, !?, ?!, =, ∞, ⩲, ⩱, ±, ∓, +-, -+ or a number such as $14"
            ),
            VerbError::Shape(text) => write!(
                f,
                "invalid arrow or square {text:?}; use e2e4 or e4, optionally after green, red, yellow or blue"
            ),
            VerbError::Clock(text) => write!(f, "invalid time {text:?}; use 1:30:00 or 5:00"),
            VerbError::Eval(text) => write!(f, "invalid evaluation {text:?}; use 0.35, -1.2 or #3"),
            VerbError::Result(text) => {
                write!(f, "invalid result {text:?}; use 1-0, 0-1, 1/2-1/2 or *")
            }
            VerbError::TagName(text) => {
                write!(f, "invalid tag name {text:?}; use letters, digits and _")
            }
            VerbError::Chapter(text) => write!(f, "invalid chapter number {text:?}"),
        }
    }
}

impl std::error::Error for VerbError {}

/// Reading.
impl Verb {
    /// A verb by its word and an argument with real line ends.
    pub fn of(word: &str, argument: &str) -> Result<Verb, VerbError> {
        let argument = argument.trim();
        let takes_lines = matches!(
            word,
            "add"
                | "comment"
                | "comment-before"
                | "merge"
                | "chapter-add"
                | "chapter-name"
                | "chapter-split"
        );
        if takes_lines {
            Verb::read_word(word, &escape(argument))
        } else {
            Verb::read_word(word, &argument.replace(['\n', '\r'], " "))
        }
    }

    /// Reads a verb with its argument: `comment well played`.
    pub fn read(text: &str) -> Result<Verb, VerbError> {
        let text = text.trim();
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        Verb::read_word(word, rest.trim())
    }

    fn read_word(word: &str, rest: &str) -> Result<Verb, VerbError> {
        let alone = |verb| read_alone(verb, word, rest);
        match word {
            "promote" | "up" => alone(Verb::Promote),
            "demote" | "down" => alone(Verb::Demote),
            "first" => alone(Verb::First),
            "main" => alone(Verb::Main),
            "delete" => alone(Verb::Delete),
            "delete-after" => alone(Verb::DeleteAfter),
            "delete-variation" => alone(Verb::DeleteVariation),
            "delete-others" => alone(Verb::DeleteOthers),
            "keep-only" => alone(Verb::KeepOnly),
            "keep-line" => alone(Verb::KeepLine),
            "merge-duplicates" => alone(Verb::MergeDuplicates),
            "bring" => alone(Verb::Bring),
            "drop-shapes" => alone(Verb::DropShapes),
            "add" => Ok(Verb::Add(unescape(some(word, rest)?))),
            "comment" => Ok(Verb::Comment(unescape(rest))),
            "comment-before" => Ok(Verb::CommentBefore(unescape(rest))),
            "nag" => Ok(Verb::Nag(glyph(some(word, rest)?)?)),
            "drop-nag" => Ok(Verb::DropNag(perhaps(rest, glyph)?)),
            "arrow" | "square" => Ok(Verb::Shape(shape(some(word, rest)?, word == "square")?)),
            "clock" => Ok(Verb::Clock(perhaps(rest, clock)?)),
            "eval" => Ok(Verb::Eval(perhaps(rest, eval)?)),
            "tag" => tag(some(word, rest)?),
            "drop-tag" => Ok(Verb::DropTag(tag_name(some(word, rest)?)?)),
            "result" => Ok(Verb::Result(result(some(word, rest)?)?)),
            "merge" => Ok(Verb::Merge(unescape(some(word, rest)?))),
            word if word.starts_with("chapter-") => read_chapter(word, rest).map(Verb::Chapter),
            _ => Err(VerbError::Unknown(word.to_owned())),
        }
    }
}

fn read_chapter(word: &str, rest: &str) -> Result<ChapterVerb, VerbError> {
    match word {
        "chapter-add" => Ok(ChapterVerb::Add(unescape(rest))),
        "chapter-name" => Ok(ChapterVerb::Name(unescape(some(word, rest)?))),
        "chapter-move" => chapter(some(word, rest)?).map(ChapterVerb::Move),
        "chapter-delete" => {
            ArgumentError::check_none(word, rest)?;
            Ok(ChapterVerb::Delete)
        }
        "chapter-split" => Ok(ChapterVerb::Split(unescape(rest))),
        "chapter-join" => chapter(some(word, rest)?).map(ChapterVerb::Join),
        _ => Err(VerbError::Unknown(word.to_owned())),
    }
}

/// For the explorer's keys, which have no text.
impl Verb {
    /// Sets a mark, or removes it if it is set.
    pub fn toggle_nag(nag: u32, there: bool) -> Verb {
        if there {
            Verb::DropNag(Some(nag))
        } else {
            Verb::Nag(nag)
        }
    }
}

fn read_alone(verb: Verb, word: &str, rest: &str) -> Result<Verb, VerbError> {
    ArgumentError::check_none(word, rest)?;
    Ok(verb)
}

fn some<'a>(word: &str, rest: &'a str) -> Result<&'a str, VerbError> {
    if !rest.is_empty() {
        return Ok(rest);
    }
    let help = VERBS.iter().find(|help| help.word == word);
    let args = help.map_or("", |help| help.args);
    Err(ArgumentError::missing(word, args).into())
}

fn perhaps<T>(
    rest: &str,
    read: impl Fn(&str) -> Result<T, VerbError>,
) -> Result<Option<T>, VerbError> {
    match rest {
        "" | "none" => Ok(None),
        rest => read(rest).map(Some),
    }
}

fn glyph(text: &str) -> Result<u32, VerbError> {
    let number = text.strip_prefix('$').unwrap_or(text).parse().ok();
    let nag = nag::from_glyph(text).or(number);
    nag.ok_or_else(|| VerbError::Glyph(text.to_owned()))
}

fn shape(text: &str, square_wanted: bool) -> Result<Shape, VerbError> {
    let bad = || VerbError::Shape(text.to_owned());
    let mut paint = Paint::Green;
    let mut squares = String::new();
    for word in text.to_ascii_lowercase().split([' ', '-', '>', ',']) {
        match paint_of(word) {
            Some(named) => paint = named,
            None => squares += word,
        }
    }
    // An odd length means a colour's letter before the squares: `Ge2e4`.
    if squares.len() % 2 == 1 {
        paint = squares.get(..1).and_then(paint_of).ok_or_else(bad)?;
        squares.remove(0);
    }
    let square =
        |range: std::ops::Range<usize>| -> Option<Square> { squares.get(range)?.parse().ok() };
    let from = square(0..2).ok_or_else(bad)?;
    let to = match squares.len() {
        2 => from,
        4 => square(2..4).ok_or_else(bad)?,
        _ => return Err(bad()),
    };
    if square_wanted == (squares.len() == 2) {
        Ok(Shape { paint, from, to })
    } else {
        Err(bad())
    }
}

fn paint_of(word: &str) -> Option<Paint> {
    match word {
        "green" | "g" => Some(Paint::Green),
        "red" | "r" => Some(Paint::Red),
        "yellow" | "y" => Some(Paint::Yellow),
        "blue" | "b" => Some(Paint::Blue),
        _ => None,
    }
}

fn clock(text: &str) -> Result<Duration, VerbError> {
    let time = annotation::clock(&format!("[%clk {text}]"));
    time.ok_or_else(|| VerbError::Clock(text.to_owned()))
}

fn eval(text: &str) -> Result<Eval, VerbError> {
    let eval = annotation::eval(&format!("[%eval {text}]"));
    eval.ok_or_else(|| VerbError::Eval(text.to_owned()))
}

fn result(text: &str) -> Result<Outcome, VerbError> {
    let outcome = Outcome::read(text.as_bytes());
    outcome.ok_or_else(|| VerbError::Result(text.to_owned()))
}

/// A number from 1.
fn chapter(text: &str) -> Result<usize, VerbError> {
    let number = text.parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| VerbError::Chapter(text.to_owned()))
}

fn tag(rest: &str) -> Result<Verb, VerbError> {
    let (name, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    Ok(Verb::Tag(tag_name(name)?, unescape(value.trim())))
}

fn tag_name(name: &str) -> Result<String, VerbError> {
    let is_fine = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if !name.is_empty() && name.chars().all(is_fine) {
        Ok(name.to_owned())
    } else {
        Err(VerbError::TagName(name.to_owned()))
    }
}

/// Writes the line that [`Verb::read`] reads back.
impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verb::Promote => f.write_str("promote"),
            Verb::Demote => f.write_str("demote"),
            Verb::First => f.write_str("first"),
            Verb::Main => f.write_str("main"),
            Verb::Delete => f.write_str("delete"),
            Verb::DeleteAfter => f.write_str("delete-after"),
            Verb::DeleteVariation => f.write_str("delete-variation"),
            Verb::DeleteOthers => f.write_str("delete-others"),
            Verb::KeepOnly => f.write_str("keep-only"),
            Verb::KeepLine => f.write_str("keep-line"),
            Verb::MergeDuplicates => f.write_str("merge-duplicates"),
            Verb::Bring => f.write_str("bring"),
            Verb::DropShapes => f.write_str("drop-shapes"),
            Verb::Add(moves) => write!(f, "add {}", escape(moves)),
            Verb::Comment(text) => write!(f, "comment {}", escape(text)),
            Verb::CommentBefore(text) => write!(f, "comment-before {}", escape(text)),
            Verb::Nag(nag) => write!(f, "nag ${nag}"),
            Verb::DropNag(Some(nag)) => write!(f, "drop-nag ${nag}"),
            Verb::DropNag(None) => f.write_str("drop-nag"),
            Verb::Shape(shape) if shape.is_square() => write!(f, "square {shape}"),
            Verb::Shape(shape) => write!(f, "arrow {shape}"),
            Verb::Clock(None) => f.write_str("clock"),
            Verb::Clock(Some(time)) => write!(f, "clock {}", clock_text(*time)),
            Verb::Eval(None) => f.write_str("eval"),
            Verb::Eval(Some(eval)) => write!(f, "eval {eval}"),
            Verb::Tag(name, value) => write!(f, "tag {name} {}", escape(value)),
            Verb::DropTag(name) => write!(f, "drop-tag {name}"),
            Verb::Result(outcome) => write!(f, "result {}", outcome.as_str()),
            Verb::Merge(text) => write!(f, "merge {}", escape(text)),
            Verb::Chapter(verb) => verb.fmt(f),
        }
    }
}

impl fmt::Display for ChapterVerb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChapterVerb::Add(name) => write!(f, "chapter-add {}", escape(name)),
            ChapterVerb::Name(name) => write!(f, "chapter-name {}", escape(name)),
            ChapterVerb::Move(to) => write!(f, "chapter-move {to}"),
            ChapterVerb::Delete => f.write_str("chapter-delete"),
            ChapterVerb::Split(name) => write!(f, "chapter-split {}", escape(name)),
            ChapterVerb::Join(other) => write!(f, "chapter-join {other}"),
        }
    }
}

/// The time in the format of the command in a comment.
fn clock_text(time: Duration) -> String {
    let comment = annotation::set_clock("", Some(time));
    let value = annotation::commands(&comment)
        .next()
        .map(|command| command.value.to_owned());
    value.unwrap_or_default()
}

/// The text of a comment as a user types it after `comment`: without commands, on one line with `\n`
/// for line ends, with braces instead of the characters that stand for them in PGN.
///
/// ```
/// use gametree_desk::edit::typed_comment;
///
/// assert_eq!(typed_comment("[%clk 1:00:00] two\nlines ❴a❵"), r"two\nlines {a}");
/// ```
pub fn typed_comment(comment: &str) -> String {
    escape(&plain_comment(comment))
}

/// The same with real line ends.
pub fn plain_comment(comment: &str) -> String {
    restore_braces(annotation::without_commands(comment).trim()).into_owned()
}

/// The text on one line.
pub(crate) fn escape(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('\r', "")
        .replace('\n', "\\n")
}

/// `\n` is a line end and `\\` a backslash; any other backslash is literal.
pub(crate) fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        let next = chars.clone().next();
        match (c, next) {
            ('\\', Some('n')) => plain.push('\n'),
            ('\\', Some('\\')) => plain.push('\\'),
            _ => {
                plain.push(c);
                continue;
            }
        }
        chars.next();
    }
    plain
}
