//! Parser for the short form: `clobber XOXO + 2*domineering ..|.. - 3/4 + {1|-1}`.
//!
//! ```text
//! statement := sum [relation sum]             relation: < <= = >= > || (confused)
//! sum       := ["-"] term (("+" | "-") term)*
//! term      := [count ["*"]] game
//! game      := "(" sum ")" | ["impartial"] name position | "{" options "}" | value
//! ```
//! A position ends at ` + `, ` - `, a relation or the end; in parentheses it may contain anything.
//! `(XO)^15` repeats, `4x5` is the starting board of that size. Values are written as they are
//! printed: `3/4`, `*2`, `^3*`, `vv`, `^[2]`, `+-1`, `+_2`. So `1+-2` is 1 plus the switch ±2, and
//! `1-_2` is 1 plus a miny; write `1 + -2`, with blanks, for 1 minus 2.

use super::{Fault, bracket_length};
use crate::game::{Game, Kind};
use crate::rules::{LARGEST_BOARD, LONGEST_TEXT, unknown_game};
use std::ops::Range;

/// A sum, or a comparison of two sums.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// The sum, or the left side of the comparison.
    pub sum: Vec<Game>,
    /// The relation and the right side.
    pub compared: Option<(Relation, Vec<Game>)>,
}

/// A relation between two games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `=`
    Equal,
    /// `>=`
    GreaterOrEqual,
    /// `>`
    Greater,
    /// `||`: confused, neither is greater and they are not equal
    Confused,
}

impl Relation {
    /// The symbol of the relation.
    pub fn symbol(self) -> &'static str {
        match self {
            Relation::Less => "<",
            Relation::LessOrEqual => "<=",
            Relation::Equal => "=",
            Relation::GreaterOrEqual => ">=",
            Relation::Greater => ">",
            Relation::Confused => "||",
        }
    }
}

/// Reads a statement in the short form.
///
/// ```
/// let statement = gametree_sums::input::read_short("clobber XO + 2*nimber 3 - {1|-1}")?;
/// assert_eq!(statement.sum.len(), 4);
/// let compared = gametree_sums::input::read_short("domineering ..|.. = +-1")?;
/// assert!(compared.compared.is_some());
/// # Ok::<(), gametree_sums::input::Fault>(())
/// ```
pub fn read_short(text: &str) -> Result<Statement, Fault> {
    let mut reader = ShortReader {
        text,
        at: 0,
        depth: 0,
    };
    let sum = reader.sum()?;
    let compared = match reader.relation() {
        Some(relation) => Some((relation, reader.sum()?)),
        None => None,
    };
    reader.skip_blanks();
    match reader.peek() {
        None => Ok(Statement { sum, compared }),
        Some('.') => Err(Fault::new(
            reader.at..text.len(),
            "decimals are not supported: write 3/2, not 1.5",
        )),
        Some(_) => Err(Fault::new(
            reader.at..text.len(),
            "expected '+', '-', a relation or the end",
        )),
    }
}

/// The maximum number of terms of a statement, after expanding multiples.
const MOST_TERMS: usize = 10_000;

/// The maximum depth of parentheses.
const DEEPEST: usize = 100;

struct ShortReader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl<'a> ShortReader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn skip_blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    /// Skips this text if it comes next.
    fn eat(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        self.at += if found { text.len() } else { 0 };
        found
    }

    fn relation(&mut self) -> Option<Relation> {
        self.skip_blanks();
        let symbols = [
            ("<=", Relation::LessOrEqual),
            ("≤", Relation::LessOrEqual),
            (">=", Relation::GreaterOrEqual),
            ("≥", Relation::GreaterOrEqual),
            ("==", Relation::Equal),
            ("||", Relation::Confused),
            ("∥", Relation::Confused),
            ("‖", Relation::Confused),
            ("<>", Relation::Confused),
            ("<", Relation::Less),
            (">", Relation::Greater),
            ("=", Relation::Equal),
        ];
        symbols
            .into_iter()
            .find(|(symbol, _)| self.eat(symbol))
            .map(|(_, relation)| relation)
    }

    fn sum(&mut self) -> Result<Vec<Game>, Fault> {
        let mut sum = Vec::new();
        self.skip_blanks();
        let mut negative = false;
        loop {
            let start = self.at;
            let term = self.term()?;
            if sum.len() + term.len() > MOST_TERMS {
                return Err(Fault::new(
                    start..self.at,
                    format!("a sum has at most {MOST_TERMS} terms"),
                ));
            }
            sum.extend(
                term.into_iter()
                    .map(|game| if negative { game.negative() } else { game }),
            );
            self.skip_blanks();
            negative = match self.peek() {
                _ if starts_signed_value(self.rest()) => {
                    negative = false;
                    continue;
                }
                Some('+') => false,
                Some('-') => true,
                _ => return Ok(sum),
            };
            self.at += 1;
        }
    }

    /// `-` before anything but a number belongs to the term.
    fn starts_negative_term(&self) -> bool {
        let after = self.rest().strip_prefix('-').map(str::trim_start);
        after.is_some_and(|after| {
            !after.starts_with(|letter: char| letter.is_ascii_digit() || letter == '_')
                || multiple_of(after).is_some()
        })
    }

    fn term(&mut self) -> Result<Vec<Game>, Fault> {
        self.skip_blanks();
        if self.starts_negative_term() && self.eat("-") {
            let positive = self.multiple()?;
            return Ok(positive.iter().map(Game::negative).collect());
        }
        self.multiple()
    }

    fn multiple(&mut self) -> Result<Vec<Game>, Fault> {
        self.skip_blanks();
        let start = self.at;
        let Some((count, length)) = multiple_of(self.rest()) else {
            return self.game();
        };
        self.at += length;
        let count = count.filter(|&count| count <= MOST_TERMS).ok_or_else(|| {
            Fault::new(
                start..start + length,
                format!("at most {MOST_TERMS} copies of a game are allowed"),
            )
        })?;
        self.skip_blanks();
        let game = self.game()?;
        if game.len().saturating_mul(count) > MOST_TERMS {
            return Err(Fault::new(
                start..self.at,
                format!("a sum has at most {MOST_TERMS} terms"),
            ));
        }
        Ok((0..count).flat_map(|_| game.iter().cloned()).collect())
    }

    fn game(&mut self) -> Result<Vec<Game>, Fault> {
        self.skip_blanks();
        match self.peek() {
            Some('(') => self.parenthesised(),
            Some(letter) if starts_name(self.rest()) && letter.is_ascii_alphabetic() => {
                self.named()
            }
            Some(letter) if begins_no_value(letter) => Err(Fault::new(
                self.at..self.at + letter.len_utf8(),
                "expected a game: a name and a position, or a value such as 3/4, *2, ^, {1|-1}",
            )),
            Some(_) => self.value(),
            None => Err(Fault::new(self.at..self.at, "expected a game")),
        }
    }

    fn parenthesised(&mut self) -> Result<Vec<Game>, Fault> {
        let start = self.at;
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Fault::new(
                start..start + 1,
                format!("more than {DEEPEST} nested parentheses"),
            ));
        }
        self.at += 1;
        let sum = self.sum()?;
        self.skip_blanks();
        self.depth -= 1;
        if self.eat(")") {
            Ok(sum)
        } else {
            Err(Fault::new(
                start..start + 1,
                "this parenthesis is not closed",
            ))
        }
    }

    /// A game by its name, followed by a position.
    fn named(&mut self) -> Result<Vec<Game>, Fault> {
        let start = self.at;
        let mut name = self.name();
        if name == "impartial" {
            self.skip_blanks();
            name = format!("impartial {}", self.name());
        }
        let kind =
            Kind::named(&name).ok_or_else(|| Fault::new(start..self.at, unknown_name(&name)))?;
        self.skip_blanks();
        let bare = self.peek() != Some('(');
        let (span, mut text) = self.position()?;
        if bare && text.is_empty() {
            return Err(Fault::new(
                start..span.end,
                format!("{name}: missing position: {}", kind.rules().summary()),
            ));
        }
        if let Some(board) = opening_board(kind, &text)
            .map_err(|message| Fault::new(span.clone(), format!("{name}: {message}")))?
        {
            text = board;
        }
        let game = Game::read(kind, &text).map_err(|complaint| {
            let exact = self.text.get(span.clone()) == Some(text.as_str());
            let place = if exact {
                span.start + complaint.span.start..span.start + complaint.span.end
            } else {
                span
            };
            let no_size = match sides(&text).and(kind.rules().letters()) {
                Some(_) => "; this game has no standard board: write the position out",
                None => "",
            };
            Fault::new(place, format!("{name}: {}{no_size}", complaint.message))
        })?;
        Ok(vec![game])
    }

    fn name(&mut self) -> String {
        let rest = self.rest();
        let length = rest
            .find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'))
            .unwrap_or(rest.len());
        self.at += length;
        rest[..length].to_string()
    }

    /// The text of a position with its byte range.
    fn position(&mut self) -> Result<(Range<usize>, String), Fault> {
        let start = self.at;
        if self.peek() == Some('(') {
            let Some(length) = bracket_length(self.rest(), '(') else {
                return Err(Fault::new(
                    start..start + 1,
                    "this parenthesis is not closed",
                ));
            };
            let span = start + 1..start + length - 1;
            self.at = start + length;
            let text = self.repeated(&self.text[span.clone()])?;
            return Ok((span, text));
        }
        let end = start + self.position_length();
        let text = self.text[start..end].trim_end();
        self.at = start + text.len();
        Ok((start..start + text.len(), text.to_string()))
    }

    /// `(XO)^15` means XO repeated 15 times.
    fn repeated(&mut self, text: &str) -> Result<String, Fault> {
        let start = self.at;
        if !self.eat("^") {
            return Ok(text.to_string());
        }
        let rest = self.rest();
        let length = rest
            .find(|letter: char| !letter.is_ascii_digit())
            .unwrap_or(rest.len());
        let count = rest[..length].parse::<usize>().ok();
        let fits = count.filter(|&count| {
            text.len()
                .checked_mul(count)
                .is_some_and(|all| all <= LONGEST_TEXT)
        });
        self.at += length;
        let count = fits.ok_or_else(|| {
            Fault::new(
                start..self.at,
                "expected a number of repetitions that fits on a board",
            )
        })?;
        Ok(text.repeat(count))
    }

    /// The length of a position without parentheses.
    fn position_length(&self) -> usize {
        let rest = self.rest();
        let ends = |at: usize| {
            let tail = &rest[at..];
            let spaced = at > 0 && rest[..at].ends_with(char::is_whitespace);
            let operator = spaced
                && tail.starts_with(['+', '-'])
                && tail[1..].chars().next().is_none_or(char::is_whitespace);
            let relation = spaced && tail.starts_with("|| ")
                || tail.starts_with(['<', '>', '=', ')', '≤', '≥', '∥', '‖']);
            operator || relation
        };
        rest.char_indices()
            .map(|(at, _)| at)
            .find(|&at| ends(at))
            .unwrap_or(rest.len())
    }

    /// A value, or a game in braces.
    fn value(&mut self) -> Result<Vec<Game>, Fault> {
        let start = self.at;
        let prefixed = SIGNS.iter().any(|sign| self.eat(sign));
        if !prefixed && self.peek() == Some('+') {
            return Err(Fault::new(start..start + 1, "expected a game before '+'"));
        }
        let length = match self.peek() {
            Some(open @ ('{' | '(')) => {
                bracket_length(self.rest(), open).unwrap_or(self.rest().len())
            }
            next => value_length(self.rest()).max(next.map_or(0, char::len_utf8)),
        };
        let end = self.at + length;
        let kind = Kind::named("explicit")
            .ok_or_else(|| Fault::new(start..end, "values cannot be read"))?;
        let game = Game::read(kind, &self.text[start..end]).map_err(|complaint| {
            let span = start + complaint.span.start..(start + complaint.span.end).max(start + 1);
            Fault::new(span, complaint.message)
        })?;
        self.at = end;
        Ok(vec![game])
    }
}

/// The message for an unknown name.
fn unknown_name(name: &str) -> String {
    /// All names of games are shorter.
    const LONGEST: usize = 40;
    let short: String = name.chars().take(LONGEST).collect();
    match name {
        "impartial " => {
            "'impartial' must precede the name of a game, as in impartial clobber XO".into()
        }
        _ if name.trim_matches(['X', 'O', 'x', 'o']).is_empty() => {
            format!("missing name of the game, as in clobber {short}")
        }
        _ => unknown_game(&short),
    }
}

/// Returns true for a character that cannot start a value.
fn begins_no_value(letter: char) -> bool {
    !letter.is_ascii_alphanumeric() && !"-+±^*{↑↓⇑⇓)".contains(letter)
}

/// Rows and columns of a size such as `4x5`; `None` if the text is not a size.
fn sides(size: &str) -> Option<(&str, &str)> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    size.split_once('x')
        .filter(|(rows, columns)| is_number(rows) && is_number(columns))
}

/// The starting board of a size such as `4x5`: four rows of five cells. `None` if the text is not a
/// size, or if a size does not determine the starting board of the game.
fn opening_board(kind: Kind, size: &str) -> Result<Option<String>, String> {
    let (Some((rows, columns)), Some(letters)) = (sides(size), kind.rules().opening()) else {
        return Ok(None);
    };
    let cells = |rows: usize, columns: usize| rows.checked_mul(columns.checked_add(1)?);
    let sizes = rows.parse().ok().zip(columns.parse().ok());
    let (rows, columns) = sizes
        .filter(|&(rows, columns)| cells(rows, columns).is_some_and(|all| all <= LARGEST_BOARD))
        .ok_or_else(|| format!("a board has at most {LARGEST_BOARD} cells"))?;
    let row = |row| (0..columns).map(move |column| letters[(row + column) % 2]);
    let rows: Vec<String> = (0..rows).map(|at| row(at).collect()).collect();
    Ok(Some(rows.join("|")))
}

/// `3*` or `3 ` before a name, a brace or a parenthesis, `3*` before arrows or a star, `3.` before
/// any game: the count and the length of the text that was read. (`3*2` is the value 3 + *2.)
fn multiple_of(text: &str) -> Option<(Option<usize>, usize)> {
    let digits = text
        .find(|letter: char| !letter.is_ascii_digit())
        .filter(|&length| length > 0)?;
    let after = text[digits..].trim_start();
    let (times, after) = match after.strip_prefix(['*', '.']) {
        Some(game) => (after.chars().next(), game.trim_start()),
        None => (None, after),
    };
    let game = starts_name(after)
        || after.starts_with(['(', '{'])
        || times.is_some() && (after.starts_with("+-") || after.starts_with(ARROWS))
        || times == Some('.') && !after.starts_with(|letter: char| letter.is_ascii_digit());
    game.then(|| (text[..digits].parse().ok(), text.len() - after.len()))
}

/// Characters that can start a value that is not a number.
const ARROWS: [char; 7] = ['^', 'v', '*', '↑', '↓', '⇑', '⇓'];

/// Returns true if the text starts with a letter that is not the down arrow `v` of a value.
fn starts_name(text: &str) -> bool {
    let length = text
        .find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'))
        .unwrap_or(text.len());
    let name = &text[..length];
    name.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && !name
            .trim_matches(|letter: char| letter == 'v' || letter.is_ascii_digit())
            .is_empty()
}

/// Prefixes of values: `±G`, tinies, minies.
const SIGNS: [&str; 4] = ["+-", "±", "+_", "-_"];

/// Returns true for `+-2` after another term: a switch, if a value and not a name follows the sign.
fn starts_signed_value(text: &str) -> bool {
    let after = SIGNS.iter().find_map(|sign| text.strip_prefix(sign));
    after.is_some_and(|after| after.starts_with(['{', '(']) || value_length(after) > 0)
}

/// The length of a value such as `-3/4^2*` or `1^[2]*`.
fn value_length(text: &str) -> usize {
    let mut length = 0;
    for (at, letter) in text.char_indices() {
        let sign = at == 0 && letter == '-';
        let inside = at < length;
        if !(inside || sign || letter.is_ascii_digit() || "/^v*↑↓⇑⇓".contains(letter)) {
            break;
        }
        length = length.max(at + letter.len_utf8());
        if "^v↑↓".contains(letter) {
            length += uptimal_length(&text[length..]);
        }
    }
    length
}

/// The length of `[2]` or `<2>`; `<2` without `>` is a comparison.
fn uptimal_length(text: &str) -> usize {
    [('[', ']'), ('<', '>')]
        .into_iter()
        .find_map(|(open, close)| {
            let (number, _) = text.strip_prefix(open)?.split_once(close)?;
            let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
            is_number.then_some(number.len() + 2)
        })
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<String> {
        let statement = read_short(text).unwrap_or_else(|fault| panic!("{}", fault.render(text)));
        statement.sum.iter().map(Game::to_string).collect()
    }

    #[test]
    fn printed_values_and_arrows_are_parsed() {
        let value = |text: &str| {
            let sum = read_short(text)
                .unwrap_or_else(|fault| panic!("{text}: {fault}"))
                .sum;
            let mut solver = crate::Solver::default();
            let value = solver.value(&sum).unwrap();
            solver.forms().show(value)
        };
        for (typed, printed) in [
            ("+_2", "+_2"),
            ("-_2", "-_2"),
            ("1 + -_2", "1-_2"),
            ("{0||0|-2} - +_2", "0"),
            ("{1|+_2} - {1|{0||0|-2}}", "0"),
            ("↑*", "^*"),
            ("⇑ + ↓", "^"),
            ("{⇑|0} - {^^|0}", "0"),
            ("1-_2", "1-_2"),
            ("3+_{1|0} - 3", "+_{1|0}"),
            ("1+-2", "{3|-1}"),
            ("1 + -2", "-1"),
            ("+-1+-2", "+-{3|1}"),
            ("+-(1^)", "+-(1^)"),
            ("-+-(1^) + +-(1^)", "0"),
            ("+-{1,{2|0}}", "+-{1,{2|0}}"),
            ("^[3]*", "^[3]*"),
            ("1v<2> - 1", "v<2>"),
            ("3.^", "^3"),
            ("explicit (+-(1^))", "+-(1^)"),
            ("Clobber XXO", "^"),
            ("-CLOBBER XXO", "v"),
        ] {
            assert_eq!(value(typed), printed, "{typed}");
        }
    }

    #[test]
    fn unfinished_sums_are_errors() {
        for (typed, complaint) in [
            ("clobber XO +", "expected a game"),
            ("+ clobber XO", "expected a game before '+'"),
            ("XOXO", "missing name of the game, as in clobber XOXO"),
            ("toads XO", "did you mean gen_toads?"),
            ("domineering", "Right two side by side"),
            ("impartial {1|-1}", "as in impartial clobber XO"),
            ("amazons 6x6", "write the position out"),
            ("domineering 9999x9999", "a board has at most 65536 cells"),
            ("// a comment", "or a value such as 3/4, *2, ^, {1|-1}"),
            ("1.5", "write 3/2, not 1.5"),
        ] {
            let said = read_short(typed).unwrap_err().message;
            assert!(said.ends_with(complaint), "{typed}: {said}");
        }
    }

    #[test]
    fn typed_sums() {
        assert_eq!(
            read("clobber XOXO + domineering ...|... + 3/4 + {1|-1}"),
            [
                "clobber XOXO",
                "domineering ...|...",
                "explicit 3/4",
                "explicit {1|-1}"
            ]
        );
        assert_eq!(
            read("2*clobber XO - nimber 3"),
            ["clobber XO", "clobber XO", "nimber 3"]
        );
        assert_eq!(read("3 clobber XXO"), ["clobber XXO"; 3]);
        assert_eq!(read("-clobber XXO"), ["clobber OOX"]);
        assert_eq!(read("-(clobber XXO + 1)"), ["clobber OOX", "explicit -1"]);
        assert_eq!(read("-3/4"), ["explicit -3/4"]);
        assert_eq!(read("1+*2-^"), ["explicit 1", "explicit *2", "explicit v"]);
        assert_eq!(read("3*2"), ["explicit 3*2"]);
        assert_eq!(read("vv* + +-1"), ["explicit vv*", "explicit {1|-1}"]);
        assert_eq!(read("2*{1|-1}"), ["explicit {1|-1}"; 2]);
        assert_eq!(read("2*^*"), ["explicit ^*"; 2]);
        assert_eq!(read("-2*vv"), ["explicit ^^"; 2]);
        assert_eq!(read("2**3"), ["explicit *3"; 2]);
        assert_eq!(read("clobber () + toppling_dominoes ()").len(), 2);
        assert_eq!(
            read("sheep (3 0|0 -3) + switch_game 3, -1"),
            ["sheep 3 0 | 0 -3", "switch_game 3, -1"]
        );
        assert_eq!(
            read("sheep 3 0|0 -3 - 1"),
            ["sheep 3 0 | 0 -3", "explicit -1"]
        );
        assert_eq!(read("clobber_1xn (XO)^3"), ["clobber_1xn XOXOXO"]);
        assert_eq!(read("domineering 2x3"), ["domineering ...|..."]);
        assert_eq!(read("clobber 3x2 - 1"), ["clobber XO|OX|XO", "explicit -1"]);
        assert_eq!(read("impartial nogo_1xn 1x4"), ["impartial nogo_1xn ...."]);
        assert_eq!(
            read("impartial domineering ..|.."),
            ["impartial domineering ..|.."]
        );
        assert_eq!(
            read("gen_toads 1,1,1,0:XX..OO"),
            ["gen_toads 1,1,1,0:XX..OO"]
        );
    }

    #[test]
    fn comparisons() {
        let relation = |text: &str| {
            read_short(text)
                .unwrap()
                .compared
                .map(|(relation, _)| relation)
        };
        assert_eq!(relation("domineering ..|.. = +-1"), Some(Relation::Equal));
        assert_eq!(relation("clobber XXO >= ^"), Some(Relation::GreaterOrEqual));
        for confused in ["* || 0", "* <> 0", "clobber XO ∥ 0", "clobber XO ‖ 0"] {
            assert_eq!(relation(confused), Some(Relation::Confused), "{confused}");
        }
        assert_eq!(relation("clobber XXO≥0"), Some(Relation::GreaterOrEqual));
        assert_eq!(relation("1 ≤ 2"), Some(Relation::LessOrEqual));
        assert_eq!(relation("^<2"), Some(Relation::Less));
        assert_eq!(relation("^<2>*"), None);
        assert_eq!(relation("1"), None);
    }

    #[test]
    fn errors_have_positions() {
        let place = |text: &str| read_short(text).unwrap_err().span.start;
        assert_eq!(place("clobber XO + nosuch 3"), 13);
        assert_eq!(place("clobber XO + clobber XZ"), 22);
        assert_eq!(place("{1|2"), 0);
        assert_eq!(place("1 +"), 3);
        assert_eq!(place("(1"), 0);
        assert_eq!(place("1 2"), 2);
        assert!(read_short("99999*{1|0}").is_err());
        assert!(read_short(&"(".repeat(10_000)).is_err());
        assert!(read_short("clobber (XO)^99999999999").is_err());
        assert!(read_short("domineering 99999x99999").is_err());
        assert!(read_short("amazons 3x3").is_err());
        assert!(read_short("").is_err());
        assert!(read_short(&"-".repeat(100_000)).is_err());
    }

    #[test]
    fn rendered_faults_mark_the_position() {
        let text = "clobber XO + clobber XZ";
        let shown = read_short(text).unwrap_err().render(text);
        assert_eq!(
            shown,
            "line 1, column 23: clobber: 'Z' is not a cell: expected '.', 'X' or 'O'\n  clobber XO + clobber XZ\n                        ^"
        );
    }
}
