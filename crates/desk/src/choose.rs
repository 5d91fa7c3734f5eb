//! Selection of games by their number in the file and by their tags.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use regex::{Regex, RegexBuilder};

/// A selection of games; all games by default.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Selected numbers; none: any number.
    pub numbers: Option<Numbers>,
    /// All these conditions must hold.
    pub tags: Vec<TagRule>,
}

impl Choice {
    /// True if every game is selected.
    pub fn is_everything(&self) -> bool {
        self.numbers.is_none() && self.tags.is_empty()
    }

    /// True if the selection may contain a game with this number.
    pub fn includes_number(&self, number: u64) -> bool {
        self.numbers
            .as_ref()
            .is_none_or(|numbers| numbers.contains(number))
    }

    /// True if the selection contains no game with this number or a later one.
    pub fn is_over(&self, number: u64) -> bool {
        self.numbers
            .as_ref()
            .is_some_and(|numbers| numbers.last() < number)
    }

    /// True if a game with these tags is selected; `value` looks up a tag.
    pub fn matches_tags<'a>(&self, value: impl Fn(&str) -> Option<&'a str>) -> bool {
        self.tags.iter().all(|rule| rule.holds(value(&rule.name)))
    }
}

/// Numbers of games, from 1: `1-10,15,20-`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Numbers(Vec<(u64, u64)>);

impl Numbers {
    /// True if the number is in the list.
    pub fn contains(&self, number: u64) -> bool {
        self.0
            .iter()
            .any(|&(from, to)| (from..=to).contains(&number))
    }

    /// The greatest number of the list.
    pub fn last(&self) -> u64 {
        self.0.iter().map(|&(_, to)| to).max().unwrap_or(0)
    }
}

/// `7-3`, `0`, `a`: not a number or range of numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotNumbers(String);

impl fmt::Display for NotNumbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "invalid game number or range `{}`; use 7, 1-10 or 20-, separated by commas; the first game is 1",
            self.0
        )
    }
}

impl std::error::Error for NotNumbers {}

impl FromStr for Numbers {
    type Err = NotNumbers;

    fn from_str(text: &str) -> Result<Numbers, NotNumbers> {
        text.split(',')
            .map(|part| range(part.trim()).ok_or_else(|| NotNumbers(part.to_owned())))
            .collect::<Result<_, _>>()
            .map(Numbers)
    }
}

fn range(text: &str) -> Option<(u64, u64)> {
    let number = |text: &str| text.trim().parse::<u64>().ok();
    let (from, to) = match text.split_once('-') {
        None => (number(text)?, number(text)?),
        Some((from, "")) => (number(from)?, u64::MAX),
        Some((from, to)) => (number(from)?, number(to)?),
    };
    (1 <= from && from <= to).then_some((from, to))
}

/// A condition on a tag: `White=carlsen`, `Event~^Tata`, `WhiteElo>=2700`, `Annotator`.
#[derive(Clone, Debug)]
pub struct TagRule {
    /// The tag's name.
    pub name: String,
    test: Test,
}

#[derive(Clone, Debug)]
enum Test {
    /// The tag is present and not empty.
    There,
    /// The tag contains this text, ignoring case.
    Contains(String),
    /// The tag does not contain this text; a missing tag contains nothing.
    Lacks(String),
    /// The tag matches this pattern.
    Matches(Regex),
    /// The tag is less, equal or greater; numbers are compared by value.
    Compares(String, &'static [Ordering]),
}

/// The operators; an operator comes before its own prefixes.
const OPERATORS: [&str; 7] = ["!=", ">=", "<=", "=", "~", ">", "<"];

impl TagRule {
    /// True if the condition holds for this value of the tag.
    pub fn holds(&self, value: Option<&str>) -> bool {
        match &self.test {
            Test::There => value.is_some_and(|v| !v.is_empty()),
            Test::Contains(part) => value.is_some_and(|v| contains(v, part)),
            Test::Lacks(part) => !value.is_some_and(|v| contains(v, part)),
            Test::Matches(regex) => value.is_some_and(|v| regex.is_match(v)),
            Test::Compares(other, wanted) => value
                .and_then(|v| compare(v, other))
                .is_some_and(|found| wanted.contains(&found)),
        }
    }
}

/// An invalid condition on a tag.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadTagRule {
    /// `=Carlsen`
    NoName,
    /// `White~(`
    Regex(String),
}

impl fmt::Display for BadTagRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadTagRule::NoName => {
                write!(
                    f,
                    "missing tag name; use White=carlsen, Event~REGEX, WhiteElo>=2700 or Annotator"
                )
            }
            BadTagRule::Regex(why) => write!(f, "invalid regular expression: {why}"),
        }
    }
}

impl std::error::Error for BadTagRule {}

impl FromStr for TagRule {
    type Err = BadTagRule;

    fn from_str(text: &str) -> Result<TagRule, BadTagRule> {
        let name_len = text.find(['!', '>', '<', '=', '~']).unwrap_or(text.len());
        let (name, rest) = text.split_at(name_len);
        let sign = OPERATORS
            .into_iter()
            .find(|sign| rest.starts_with(sign))
            .unwrap_or("");
        let value = rest[sign.len()..].to_owned();
        let test = match sign {
            "" => Test::There,
            "=" => Test::Contains(value.to_lowercase()),
            "!=" => Test::Lacks(value.to_lowercase()),
            "~" => Test::Matches(regex(&value)?),
            ">" => Test::Compares(value, &[Ordering::Greater]),
            "<" => Test::Compares(value, &[Ordering::Less]),
            ">=" => Test::Compares(value, &[Ordering::Greater, Ordering::Equal]),
            _ => Test::Compares(value, &[Ordering::Less, Ordering::Equal]),
        };
        match name.trim() {
            "" => Err(BadTagRule::NoName),
            name => Ok(TagRule {
                name: name.to_owned(),
                test,
            }),
        }
    }
}

fn regex(pattern: &str) -> Result<Regex, BadTagRule> {
    let mut builder = RegexBuilder::new(pattern);
    builder
        .case_insensitive(true)
        .build()
        .map_err(|error| BadTagRule::Regex(error.to_string()))
}

fn contains(value: &str, part: &str) -> bool {
    value.to_lowercase().contains(part)
}

/// Numbers by value, anything else (dates: `2024.01.31`) by text. A number and a word (`?`)
/// cannot be compared.
fn compare(value: &str, other: &str) -> Option<Ordering> {
    match (value.trim().parse::<f64>(), other.trim().parse::<f64>()) {
        (Ok(value), Ok(other)) => value.partial_cmp(&other),
        (Err(_), Err(_)) => Some(value.cmp(other)),
        // `Date>=2024` with a value of `2024.01.31`.
        (Err(_), Ok(_)) if value.starts_with(|c: char| c.is_ascii_digit()) => {
            Some(value.cmp(other))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
