//! Conditions on stored games: `White=carlsen and Elo>=2500 and not Result=1/2`.

use std::fmt;
use std::str::FromStr;

use chess::Board;
use store::{Damage, Facts, GameSet, Position};

use super::{ArchiveError, Segment, Stored};
use crate::choose::TagRule;

/// The deepest nesting of conditions: a filter is typed by hand.
const DEPTH: usize = 100;

/// A condition on games.
///
/// Tags are tested as in [`TagRule`]; `Player`, `Elo`, `AnyElo`, `Year` and `Plies` have their own
/// meanings. Conditions are joined by `and`, `or`, `not` and parentheses.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    condition: Option<Condition>,
}

#[derive(Clone, Debug)]
enum Condition {
    All(Vec<Condition>),
    Any(Vec<Condition>),
    Not(Box<Condition>),
    Tag(TagRule),
    /// One of the players.
    Player(TagRule, TagRule),
    Number(Measure, Compare, u32),
    /// Games that reach a position.
    Position(Box<Position>),
}

/// A number known of each game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Measure {
    /// The lower of two known ratings.
    Elo,
    /// The higher of the ratings.
    AnyElo,
    Year,
    Plies,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compare {
    Less,
    LessOrEqual,
    Equal,
    NotEqual,
    GreaterOrEqual,
    Greater,
}

const COMPARISONS: [(&str, Compare); 6] = [
    ("<=", Compare::LessOrEqual),
    (">=", Compare::GreaterOrEqual),
    ("!=", Compare::NotEqual),
    ("<", Compare::Less),
    (">", Compare::Greater),
    ("=", Compare::Equal),
];

impl Compare {
    fn holds(self, value: u32, other: u32) -> bool {
        match self {
            Compare::Less => value < other,
            Compare::LessOrEqual => value <= other,
            Compare::Equal => value == other,
            Compare::NotEqual => value != other,
            Compare::GreaterOrEqual => value >= other,
            Compare::Greater => value > other,
        }
    }
}

impl Measure {
    fn of_name(name: &str) -> Option<Measure> {
        Some(match name {
            "Elo" => Measure::Elo,
            "AnyElo" => Measure::AnyElo,
            "Year" => Measure::Year,
            "Plies" => Measure::Plies,
            _ => return None,
        })
    }

    /// The number; `None` if it is not known.
    fn of(self, facts: Facts) -> Option<u32> {
        let (white, black) = (facts.white_elo(), facts.black_elo());
        match self {
            Measure::Elo => Some(white.min(black)).filter(|&elo| elo > 0),
            Measure::AnyElo => Some(white.max(black)).filter(|&elo| elo > 0),
            Measure::Year => Some(facts.year()).filter(|&year| year > 0),
            Measure::Plies => Some(facts.plies()),
        }
    }
}

/// A filter that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadFilter {
    /// Where in the text, in bytes.
    pub at: usize,
    message: String,
}

impl fmt::Display for BadFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at character {}", self.message, self.at + 1)
    }
}

impl std::error::Error for BadFilter {}

impl FromStr for Filter {
    type Err = BadFilter;

    fn from_str(text: &str) -> Result<Filter, BadFilter> {
        let mut parser = Parser {
            text,
            at: 0,
            depth: 0,
        };
        parser.skip_spaces();
        if parser.rest().is_empty() {
            return Ok(Filter::default());
        }
        let condition = parser.any()?;
        match parser.rest() {
            "" => Ok(Filter {
                condition: Some(condition),
            }),
            _ => Err(parser.error("expected `and`, `or` or the end")),
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn error(&self, message: impl Into<String>) -> BadFilter {
        BadFilter {
            at: self.at,
            message: message.into(),
        }
    }

    fn skip_spaces(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    /// Takes a word such as `and`, in either case.
    fn take_word(&mut self, word: &str) -> bool {
        let Some((start, after)) = self.rest().split_at_checked(word.len()) else {
            return false;
        };
        let mut after = after.chars();
        let ends = after.next().is_none_or(|c| c.is_whitespace() || c == '(');
        let found = ends && start.eq_ignore_ascii_case(word);
        if found {
            self.at += word.len();
            self.skip_spaces();
        }
        found
    }

    fn any(&mut self) -> Result<Condition, BadFilter> {
        let mut some = vec![self.all()?];
        while self.take_word("or") {
            some.push(self.all()?);
        }
        Ok(Condition::Any(some))
    }

    fn all(&mut self) -> Result<Condition, BadFilter> {
        let mut all = vec![self.one()?];
        while self.take_word("and") {
            all.push(self.one()?);
        }
        Ok(Condition::All(all))
    }

    fn one(&mut self) -> Result<Condition, BadFilter> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(self.error("too many parentheses or `not`"));
        }
        let condition = if self.take_word("not") {
            Condition::Not(Box::new(self.one()?))
        } else if self.rest().starts_with('(') {
            self.at += 1;
            self.skip_spaces();
            let inner = self.any()?;
            if !self.rest().starts_with(')') {
                return Err(self.error("expected `)`"));
            }
            self.at += 1;
            inner
        } else {
            self.rule()?
        };
        self.depth -= 1;
        self.skip_spaces();
        Ok(condition)
    }

    /// `White=carlsen`, up to `and`, `or`, `)` or the end; a value may be in quotes.
    fn rule(&mut self) -> Result<Condition, BadFilter> {
        let start = self.at;
        let text = self.rule_text()?;
        let name_len = text
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(text.len());
        let name = &text[..name_len];
        let is_word = ["and", "or", "not"]
            .iter()
            .any(|word| name.eq_ignore_ascii_case(word));
        if name.is_empty() || is_word {
            self.at = start;
            return Err(self.error("expected a condition such as White=carlsen"));
        }
        let bad = |message: String| BadFilter { at: start, message };
        if let Some(measure) = Measure::of_name(name) {
            return number_rule(measure, text[name_len..].trim())
                .ok_or_else(|| bad(format!("expected a number, such as {name}>=2000")));
        }
        let rule = |tag: &str| {
            let rule: Result<TagRule, _> =
                format!("{tag}{}", text[name_len..].trim_start()).parse();
            rule.map_err(|error| bad(error.to_string()))
        };
        match name {
            "Player" => Ok(Condition::Player(rule("White")?, rule("Black")?)),
            _ => Ok(Condition::Tag(rule(name)?)),
        }
    }

    fn rule_text(&mut self) -> Result<String, BadFilter> {
        let mut text = String::new();
        loop {
            let rest = self.rest();
            let Some(next) = rest.chars().next() else {
                break;
            };
            if next == ')' {
                break;
            }
            if next == '"' {
                let Some(len) = rest[1..].find('"') else {
                    return Err(self.error("missing closing quote"));
                };
                text.push_str(&rest[1..1 + len]);
                self.at += len + 2;
                continue;
            }
            if next.is_whitespace() && self.at_end_of_rule() {
                break;
            }
            text.push(next);
            self.at += next.len_utf8();
        }
        self.skip_spaces();
        Ok(text.trim_end().to_string())
    }

    /// True before ` and `, ` or ` and the end.
    fn at_end_of_rule(&self) -> bool {
        let mut ahead = Parser {
            text: self.text,
            at: self.at,
            depth: 0,
        };
        ahead.skip_spaces();
        ahead.rest().is_empty() || ahead.take_word("and") || ahead.take_word("or")
    }
}

fn number_rule(measure: Measure, rest: &str) -> Option<Condition> {
    let (sign, compare) = COMPARISONS
        .iter()
        .find(|(sign, _)| rest.starts_with(sign))?;
    let number = rest[sign.len()..].trim().parse().ok()?;
    Some(Condition::Number(measure, *compare, number))
}

impl Filter {
    /// True if every game is selected.
    pub fn is_everything(&self) -> bool {
        self.condition.is_none()
    }

    /// The games of this filter that reach a position as well.
    pub fn reaching(self, board: &Board) -> Filter {
        let position = Condition::Position(Box::new(Position::of(board)));
        let conditions = self.condition.into_iter().chain([position]);
        Filter {
            condition: Some(Condition::All(conditions.collect())),
        }
    }

    /// The live games of a segment that the filter selects.
    pub(crate) fn select(&self, stored: &Stored) -> Result<GameSet, ArchiveError> {
        let segment = &stored.segment;
        let mut set = match &self.condition {
            Some(condition) => {
                let set = condition.select(segment);
                set.map_err(|damage| stored.damaged(damage))?
            }
            None => GameSet::new(segment.len(), true),
        };
        if let Some(live) = &stored.live {
            set.intersect(live);
        }
        Ok(set)
    }
}

impl Condition {
    fn select(&self, segment: &Segment) -> Result<GameSet, Damage> {
        match self {
            Condition::All(all) => {
                let mut set = GameSet::new(segment.len(), true);
                for condition in all {
                    set.intersect(&condition.select(segment)?);
                }
                Ok(set)
            }
            Condition::Any(any) => {
                let mut set = GameSet::new(segment.len(), false);
                for condition in any {
                    set.unite(&condition.select(segment)?);
                }
                Ok(set)
            }
            Condition::Not(condition) => {
                let mut set = GameSet::new(segment.len(), true);
                condition
                    .select(segment)?
                    .iter()
                    .for_each(|game| set.remove(game));
                Ok(set)
            }
            Condition::Tag(rule) => with_tag(segment, rule),
            Condition::Position(position) => {
                let mut set = GameSet::new(segment.len(), false);
                let games = segment.games_with(position)?;
                games.into_iter().for_each(|game| set.insert(game));
                Ok(set)
            }
            Condition::Player(white, black) => {
                let mut set = with_tag(segment, white)?;
                set.unite(&with_tag(segment, black)?);
                Ok(set)
            }
            Condition::Number(measure, compare, number) => {
                let mut set = GameSet::new(segment.len(), false);
                for (game, facts) in segment.all_facts()?.enumerate() {
                    if measure
                        .of(facts)
                        .is_some_and(|value| compare.holds(value, *number))
                    {
                        set.insert(game as u32);
                    }
                }
                Ok(set)
            }
        }
    }
}

/// The games whose tag meets a rule; each distinct value is tested once.
pub(crate) fn with_tag(segment: &Segment, rule: &TagRule) -> Result<GameSet, Damage> {
    let absent = rule.holds(None);
    let Some(column) = segment.tag_column(&rule.name)? else {
        return Ok(GameSet::new(segment.len(), absent));
    };
    let holds: Vec<bool> = column
        .values()?
        .map(|value| rule.holds(Some(value)))
        .collect();
    let mut set = GameSet::new(segment.len(), false);
    for game in 0..segment.len() {
        let id = column.id(game).and_then(|id| holds.get(id as usize));
        if id.copied().unwrap_or(absent) {
            set.insert(game);
        }
    }
    Ok(set)
}
