//! Typed annotations inside comments: `[%clk]`, `[%emt]`, `[%eval]`, `[%cal]`, `[%csl]`.
//!
//! Reading is lenient, writing uses the common form. Setting an annotation does not change the rest
//! of the comment; unknown commands are kept.

use crate::{Color, Square};
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::time::Duration;

/// A command inside a comment, `[%name value]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command<'a> {
    /// The name after the `%`.
    pub name: &'a str,
    /// The text after the name, trimmed.
    pub value: &'a str,
    /// The byte range of the command in the comment.
    pub span: Range<usize>,
}

/// The commands of a comment, in order.
///
/// ```
/// let commands: Vec<_> = gametree_chess::annotation::commands("good [%clk 0:05:00] [%x y]").collect();
/// assert_eq!((commands[0].name, commands[0].value), ("clk", "0:05:00"));
/// assert_eq!((commands[1].name, commands[1].value), ("x", "y"));
/// ```
pub fn commands(comment: &str) -> impl Iterator<Item = Command<'_>> {
    let starts = comment.match_indices("[%");
    let mut end = 0;
    starts.filter_map(move |(start, _)| {
        if start < end {
            return None;
        }
        let close = start + comment[start..].find(']')?;
        end = close + 1;
        let inside = &comment[start + 2..close];
        let name_len = inside.find(|char: char| !char.is_ascii_alphanumeric() && char != '_');
        let (name, value) = inside.split_at(name_len.unwrap_or(inside.len()));
        let (value, span) = (value.trim(), start..end);
        Some(Command { name, value, span })
    })
}

/// The comment without its commands and the spaces around them.
///
/// ```
/// assert_eq!(gametree_chess::annotation::without_commands("a [%clk 0:05:00] b [%x]"), "a b");
/// ```
pub fn without_commands(comment: &str) -> Cow<'_, str> {
    without(comment, |_| true)
}

/// The comment without clock and elapsed times.
pub fn without_clocks(comment: &str) -> Cow<'_, str> {
    without(comment, |command| is_named(command, &["clk", "emt"]))
}

/// Commands with a measurement of one game: times, evaluations by an engine, and weights of an
/// opening book.
const MEASUREMENTS: [&str; 8] = [
    "clk",
    "emt",
    "egt",
    "mct",
    "timestamp",
    "eval",
    "weight",
    "learn",
];

/// The measurements of one game in a comment: times, evaluations by an engine, and weights of an
/// opening book.
///
/// ```
/// use gametree_chess::annotation::{measurements, without_measurements};
///
/// let comment = "good [%clk 0:05:00] [%eval 0.3]";
/// assert_eq!(measurements(comment).count(), 2);
/// assert_eq!(without_measurements(comment), "good");
/// ```
pub fn measurements(comment: &str) -> impl Iterator<Item = Command<'_>> {
    commands(comment).filter(|command| is_named(command, &MEASUREMENTS))
}

/// The comment without [measurements].
pub fn without_measurements(comment: &str) -> Cow<'_, str> {
    without(comment, |command| is_named(command, &MEASUREMENTS))
}

fn is_named(command: &Command, names: &[&str]) -> bool {
    names
        .iter()
        .any(|name| command.name.eq_ignore_ascii_case(name))
}

/// Removes commands. If there are spaces on both sides of one, a single space is kept.
fn without(comment: &str, mut unwanted: impl FnMut(&Command) -> bool) -> Cow<'_, str> {
    let mut text = String::new();
    let mut at = 0;
    for Command { span, .. } in commands(comment).filter(|command| unwanted(command)) {
        text.push_str(&comment[at..span.start]);
        at = span.end;
        let has_blank = text.is_empty() || text.ends_with([' ', '\n']);
        if has_blank && comment[at..].starts_with(' ') {
            at += 1;
        }
    }
    if at == 0 {
        return Cow::Borrowed(comment);
    }
    match &comment[at..] {
        "" => text.truncate(text.trim_end_matches(' ').len()),
        rest => text.push_str(rest),
    }
    Cow::Owned(text)
}

/// The value of the first command with this name, ignoring case.
fn value<'a>(comment: &'a str, name: &str) -> Option<&'a str> {
    let command = commands(comment).find(|command| command.name.eq_ignore_ascii_case(name))?;
    Some(command.value)
}

/// Replaces the first command with this name, or appends one. Removes all others with this name;
/// without a value, removes all.
fn set(comment: &str, name: &str, value: Option<String>) -> String {
    let of_name = |command: &Command| is_named(command, &[name]);
    let Some(value) = value else {
        return without(comment, of_name).into_owned();
    };
    let new = format!("[%{name} {value}]");
    match commands(comment).find(of_name) {
        Some(Command { span, .. }) => {
            let rest = without(&comment[span.end..], of_name);
            format!("{}{new}{rest}", &comment[..span.start])
        }
        None if comment.is_empty() || comment.ends_with([' ', '\n']) => format!("{comment}{new}"),
        None => format!("{comment} {new}"),
    }
}

/// The time on the clock after the move: `[%clk 0:05:00]`.
///
/// ```
/// # use std::time::Duration;
/// use gametree_chess::annotation::clock;
/// assert_eq!(clock("[%clk 1:01:01.5]"), Some(Duration::from_millis(3_661_500)));
/// assert_eq!(clock("[%clk 5:00]"), Some(Duration::from_secs(300)));
/// assert_eq!(clock("tick"), None);
/// ```
pub fn clock(comment: &str) -> Option<Duration> {
    time(value(comment, "clk")?)
}

/// Sets or removes the time on the clock.
pub fn set_clock(comment: &str, clock: Option<Duration>) -> String {
    set(comment, "clk", clock.map(time_text))
}

/// The time spent on the move: `[%emt 0:00:07]`.
pub fn elapsed(comment: &str) -> Option<Duration> {
    time(value(comment, "emt")?)
}

/// Sets or removes the time spent on the move.
pub fn set_elapsed(comment: &str, elapsed: Option<Duration>) -> String {
    set(comment, "emt", elapsed.map(time_text))
}

/// Hours, minutes and seconds; hours and minutes are optional: `0:05:00`, `5:00`, `300`.
fn time(text: &str) -> Option<Duration> {
    let fields: Vec<&str> = text.split(':').collect();
    let (seconds, whole) = fields.split_last()?;
    if whole.len() > 2 {
        return None;
    }
    let whole = whole.iter().try_fold(0u64, |sum, field| {
        let field: u32 = field.trim().parse().ok()?;
        sum.checked_mul(60)?.checked_add(field.into())
    })?;
    let seconds = seconds.trim().replace(',', ".");
    let is_plain = seconds
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds: f64 = seconds.parse().ok().filter(|_| is_plain)?;
    let seconds = Duration::try_from_secs_f64(seconds).ok()?;
    Duration::from_secs(whole.checked_mul(60)?).checked_add(seconds)
}

/// `h:mm:ss`, with up to three decimals if necessary.
fn time_text(time: Duration) -> String {
    let millis = (time.as_nanos() + 500_000) / 1_000_000;
    let (seconds, millis) = (millis / 1000, millis % 1000);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let text = format!("{hours}:{minutes:02}:{seconds:02}");
    match millis {
        0 => text,
        _ => format!("{text}.{millis:03}")
            .trim_end_matches('0')
            .to_owned(),
    }
}

/// An evaluation from White's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Score {
    /// Hundredths of a pawn; positive values favour White.
    Centipawns(i32),
    /// This side mates in this many moves.
    Mate(Color, u32),
}

/// A score with its search depth.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Eval {
    /// The score.
    pub score: Score,
    /// The search depth, if given.
    pub depth: Option<u32>,
}

/// The evaluation: `[%eval 0.17]`, `[%eval #-3,21]`.
///
/// ```
/// use gametree_chess::annotation::{Eval, Score, eval};
/// let pawn = |score, depth| Some(Eval { score: Score::Centipawns(score), depth });
/// assert_eq!(eval("[%eval 0.17]"), pawn(17, None));
/// assert_eq!(eval("[%eval -.5,20]"), pawn(-50, Some(20)));
/// let mate = Score::Mate(gametree_chess::Color::Black, 3);
/// assert_eq!(eval("[%eval #-3]"), Some(Eval { score: mate, depth: None }));
/// ```
pub fn eval(comment: &str) -> Option<Eval> {
    let value = value(comment, "eval")?;
    let (score, depth) = match value.split_once([',', ' ', '/']) {
        Some((score, depth)) => (score, Some(depth.trim().parse().ok()?)),
        None => (value, None),
    };
    let score = score.trim();
    let mate = score.strip_prefix(['#', 'M', 'm']).or_else(|| {
        let rest = score.strip_prefix(['-', '+'])?;
        rest.strip_prefix(['#', 'M', 'm']).map(|_| score)
    });
    let score = match mate {
        Some(moves) => mate_score(moves)?,
        None => centipawns(score)?,
    };
    Some(Eval { score, depth })
}

/// `3`, `-3`, `+3`, `-#3`, `-M3`.
fn mate_score(text: &str) -> Option<Score> {
    let loses = text.starts_with('-');
    let moves = text
        .trim_start_matches(['-', '+', '#', 'M', 'm'])
        .parse()
        .ok()?;
    let winner = if loses { Color::Black } else { Color::White };
    Some(Score::Mate(winner, moves))
}

fn centipawns(text: &str) -> Option<Score> {
    let is_number = |byte: u8| byte.is_ascii_digit() || b"+-.".contains(&byte);
    let pawns: f64 = text.parse().ok().filter(|_| text.bytes().all(is_number))?;
    Some(Score::Centipawns((pawns * 100.0).round() as i32))
}

/// Sets or removes the evaluation.
pub fn set_eval(comment: &str, eval: Option<Eval>) -> String {
    set(comment, "eval", eval.map(|eval| eval.to_string()))
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Score::Centipawns(score) => write!(f, "{:.2}", f64::from(*score) / 100.0),
            Score::Mate(Color::White, moves) => write!(f, "#{moves}"),
            Score::Mate(Color::Black, moves) => write!(f, "#-{moves}"),
        }
    }
}

impl fmt::Display for Eval {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.depth {
            Some(depth) => write!(f, "{},{depth}", self.score),
            None => write!(f, "{}", self.score),
        }
    }
}

/// The colour of an arrow or a marked square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Paint {
    /// `G`
    Green,
    /// `R`
    Red,
    /// `Y`
    Yellow,
    /// `B`
    Blue,
}

impl Paint {
    /// The letter used in commands.
    pub fn char(self) -> char {
        match self {
            Paint::Green => 'G',
            Paint::Red => 'R',
            Paint::Yellow => 'Y',
            Paint::Blue => 'B',
        }
    }

    fn read(letter: u8) -> Option<Paint> {
        match letter.to_ascii_uppercase() {
            b'G' => Some(Paint::Green),
            b'R' => Some(Paint::Red),
            b'Y' => Some(Paint::Yellow),
            b'B' => Some(Paint::Blue),
            _ => None,
        }
    }
}

/// An arrow or a marked square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    /// The colour.
    pub paint: Paint,
    /// The start of the arrow, or the marked square.
    pub from: Square,
    /// The end of the arrow; `from` for a marked square.
    pub to: Square,
}

impl Shape {
    /// True for a marked square.
    pub fn is_square(&self) -> bool {
        self.from == self.to
    }

    /// Reads `Ga1` or `Ge2e4`.
    fn read(text: &str) -> Option<Shape> {
        let square = |range| {
            text.get(range)
                .and_then(|name: &str| name.to_ascii_lowercase().parse().ok())
        };
        let paint = Paint::read(*text.as_bytes().first()?)?;
        let from = square(1..3)?;
        let to = match text.len() {
            3 => from,
            5 => square(3..5)?,
            _ => return None,
        };
        Some(Shape { paint, from, to })
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", self.paint.char(), self.from)?;
        if self.is_square() {
            return Ok(());
        }
        write!(f, "{}", self.to)
    }
}

/// The squares and arrows of the comment, in order: `[%csl Ga1,Rb2]`, `[%cal Ge2e4]`. Unreadable
/// ones are skipped.
pub fn shapes(comment: &str) -> Vec<Shape> {
    commands(comment)
        .filter(|command| is_named(command, &["csl", "cal"]))
        .flat_map(|command| command.value.split(','))
        .filter_map(|text| Shape::read(text.trim()))
        .collect()
}

/// Sets the squares and arrows. They are written at the start of the comment, as other programs do.
pub fn set_shapes(comment: &str, shapes: &[Shape]) -> String {
    let rest = without(comment, |command| is_named(command, &["csl", "cal"]));
    let (squares, arrows): (Vec<&Shape>, Vec<&Shape>) =
        shapes.iter().partition(|shape| shape.is_square());
    let mut text = String::new();
    for (name, shapes) in [("csl", squares), ("cal", arrows)] {
        let names: Vec<String> = shapes.iter().map(|shape| shape.to_string()).collect();
        if !names.is_empty() {
            text += &format!("[%{name} {}]", names.join(","));
        }
    }
    if !text.is_empty() && !rest.is_empty() && !rest.starts_with(' ') {
        text.push(' ');
    }
    text + &rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setting_keeps_the_rest_of_the_comment() {
        let comment = "good [%x y] [%clk 0:05:00] move [%clk 1:00]";
        let five = Duration::from_millis(5_250);
        assert_eq!(
            set_clock(comment, Some(five)),
            "good [%x y] [%clk 0:00:05.25] move"
        );
        assert_eq!(set_clock(comment, None), "good [%x y] move");
        assert_eq!(set_clock("a", Some(five)), "a [%clk 0:00:05.25]");
        assert_eq!(set_clock("", Some(five)), "[%clk 0:00:05.25]");
        assert_eq!(set_eval("[%eval 1.0] x", None), "x");
    }

    #[test]
    fn times() {
        let millis = |comment: &str| elapsed(comment).map(|time| time.as_millis());
        assert_eq!(millis("[%emt 0:00:01.234]"), Some(1234));
        assert_eq!(millis("[%emt  300]"), Some(300_000));
        assert_eq!(millis("[%EMT 0:05:00]"), Some(300_000));
        for bad in [
            "[%emt]",
            "[%emt x]",
            "[%emt 1:2:3:4]",
            "[%emt -1]",
            "[%emt inf]",
            "[%emt 1e9]",
        ] {
            assert_eq!(millis(bad), None, "{bad}");
        }
    }

    #[test]
    fn evals() {
        let text = |value: &str| eval(&format!("[%eval {value}]")).map(|eval| eval.to_string());
        for (value, expected) in [
            ("+0.17", "0.17"),
            ("-.5", "-0.50"),
            ("17", "17.00"),
            ("1.234", "1.23"),
            ("M5", "#5"),
            ("-M5", "#-5"),
            ("#-3,21", "#-3,21"),
            ("0.3 12", "0.30,12"),
        ] {
            assert_eq!(text(value).as_deref(), Some(expected), "{value}");
        }
        for bad in ["", "#", "x", "nan", "1,x"] {
            assert_eq!(text(bad), None, "{bad}");
        }
    }

    #[test]
    fn shapes_and_back() {
        let comment = "[%csl Ga1,Rb2,X,Xc3] see [%cal Ge2e4, yd2d4]";
        let found = shapes(comment);
        let names: Vec<String> = found.iter().map(|shape| shape.to_string()).collect();
        assert_eq!(names, ["Ga1", "Rb2", "Ge2e4", "Yd2d4"]);
        assert_eq!(
            set_shapes(comment, &found),
            "[%csl Ga1,Rb2][%cal Ge2e4,Yd2d4] see"
        );
        assert_eq!(set_shapes(comment, &[]), "see");
    }
}
