//! Explicit games `{L|R}`: the options themselves are written down.

use super::numbers::{option, parse_number};
use super::{Complaint, Move, Ruleset};
use crate::value::{Dyadic, Nus, Player};
use std::fmt;
use std::ops::Range;

/// The ruleset `explicit`: a position is its text, without blanks and with all braces.
pub struct Explicit;

/// Braces and signs within one another.
const DEEPEST: usize = 100;

impl Ruleset for Explicit {
    fn name(&self) -> &'static str {
        "explicit"
    }

    fn summary(&self) -> &'static str {
        "a game by its options, as {2|-1}, {4||-4|-10} or {0,*|^3}, or a value as 3/4, *2, vv*, +-1"
    }

    fn parse(&self, text: &str) -> Result<Vec<u8>, Complaint> {
        Ok(Form::parse(text)?.to_string().into_bytes())
    }

    fn print(&self, position: &[u8]) -> String {
        String::from_utf8_lossy(position).into_owned()
    }

    fn moves(&self, position: &[u8], player: Player, visit: &mut dyn FnMut(Move, &[u8])) {
        let form = read(position);
        form.options(player, &mut |index, next| {
            visit(Move(index), next.to_string().as_bytes())
        });
    }

    fn print_move(&self, position: &[u8], player: Player, mv: Move) -> String {
        let mut text = String::new();
        read(position).options(player, &mut |index, next| {
            if index == mv.0 {
                text = next.to_string();
            }
        });
        text
    }

    fn negative(&self, position: &[u8]) -> Vec<u8> {
        read(position).negative().to_string().into_bytes()
    }

    fn known_value(&self, position: &[u8]) -> Option<Nus> {
        match read(position) {
            Form::Value(value) => Some(value),
            Form::Options(..) => None,
        }
    }

    fn size(&self, position: &[u8]) -> usize {
        let mut depth = 0usize;
        let depths = position.iter().map(|&letter| {
            depth = match letter {
                b'{' => depth + 1,
                b'}' => depth.saturating_sub(1),
                _ => depth,
            };
            depth
        });
        depths.max().unwrap_or(0)
    }
}

/// A game as it was written.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Form {
    /// A number, ups and a nimber, added up.
    Value(Nus),
    /// Left's options and Right's.
    Options(Vec<Form>, Vec<Form>),
}

impl Form {
    fn parse(text: &str) -> Result<Form, Complaint> {
        if text.len() > 1 << 16 {
            return Err(Complaint::new(0..text.len(), "this game is too long"));
        }
        Reader { text }.game(0..text.len(), 0)
    }

    fn negative(&self) -> Form {
        match self {
            Form::Value(value) => Form::Value(value.negative().unwrap_or(Nus::ZERO)),
            Form::Options(left, right) => {
                let negate = |forms: &[Form]| forms.iter().map(Form::negative).collect();
                Form::Options(negate(right), negate(left))
            }
        }
    }

    /// Shows the options with their numbers.
    fn options(&self, player: Player, show: &mut dyn FnMut(u64, Form)) {
        match self {
            Form::Options(left, right) => {
                let own = if player == Player::Left { left } else { right };
                own.iter()
                    .enumerate()
                    .for_each(|(index, form)| show(index as u64, form.clone()));
            }
            Form::Value(value) => value_options(value, player, show),
        }
    }
}

/// The options of `number + ups + nimber`, played as a sum of its three parts.
fn value_options(value: &Nus, player: Player, show: &mut dyn FnMut(u64, Form)) {
    let with = |number: Dyadic, ups: i64, nimber: u64| {
        Form::Value(Nus {
            number,
            ups,
            nimber,
        })
    };
    let (ups, nimber) = (value.ups, value.nimber);
    if let Some(number) = option(&value.number, player) {
        show(0, with(number, ups, nimber));
    }
    let ahead = if player == Player::Left { ups } else { -ups };
    match ahead {
        0 => {}
        1.. => show(1, with(value.number.clone(), 0, nimber)),
        ..0 => show(
            1,
            with(value.number.clone(), ups - ups.signum(), nimber ^ 1),
        ),
    }
    (0..nimber).for_each(|smaller| show(2 + smaller, with(value.number.clone(), ups, smaller)));
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |forms: &[Form]| {
            forms
                .iter()
                .map(Form::to_string)
                .collect::<Vec<_>>()
                .join(",")
        };
        match self {
            Form::Value(value) => write!(f, "{value}"),
            Form::Options(left, right) => write!(f, "{{{}|{}}}", list(left), list(right)),
        }
    }
}

fn read(position: &[u8]) -> Form {
    Form::parse(&String::from_utf8_lossy(position)).unwrap_or(Form::Value(Nus::ZERO))
}

/// Reads games from a text.
struct Reader<'a> {
    text: &'a str,
}

impl Reader<'_> {
    /// A game between two places: in braces, with a sign before it, or a value.
    fn game(&self, span: Range<usize>, depth: usize) -> Result<Form, Complaint> {
        let span = self.trim(span);
        if depth > DEEPEST {
            return Err(Complaint::new(
                span,
                format!("games are written at most {DEEPEST} deep"),
            ));
        }
        let text = &self.text[span.clone()];
        if let Some(rest) = text.strip_prefix("+-").or_else(|| text.strip_prefix('±')) {
            let form = self.game(span.end - rest.len()..span.end, depth + 1)?;
            return Ok(Form::Options(vec![form.clone()], vec![form.negative()]));
        }
        for (sign, turned) in [("+_", false), ("-_", true)] {
            if let Some(rest) = text.strip_prefix(sign) {
                let size = self.game(span.end - rest.len()..span.end, depth + 1)?;
                return Ok(tiny(&size, turned));
            }
        }
        if text.starts_with("-{") {
            return Ok(self.game(span.start + 1..span.end, depth + 1)?.negative());
        }
        if text.starts_with('{') {
            let end = self.closing(&span).ok_or_else(|| {
                Complaint::new(span.start..span.start + 1, "this brace is not closed")
            })?;
            if end < span.end {
                let rest = self.trim(end..span.end);
                return Err(Complaint::new(rest, "the game ends before this"));
            }
            return self.options(span.start + 1..span.end - 1, depth + 1);
        }
        if text.contains(['↑', '↓', '⇑', '⇓']) {
            let plain = [("↑", "^"), ("↓", "v"), ("⇑", "^^"), ("⇓", "vv")]
                .iter()
                .fold(text.to_owned(), |text, (arrow, plain)| {
                    text.replace(arrow, plain)
                });
            return parse_value(&plain, 0)
                .map(Form::Value)
                .map_err(|complaint| Complaint::new(span, complaint.message));
        }
        parse_value(text, span.start).map(Form::Value)
    }

    /// Both sides of the widest bar.
    fn options(&self, span: Range<usize>, depth: usize) -> Result<Form, Complaint> {
        let bars = self.bars(&span)?;
        let widest = bars.iter().map(|bar| bar.len()).max();
        let mut outer = bars.iter().filter(|bar| Some(bar.len()) == widest);
        let (Some(bar), None) = (outer.next(), outer.next()) else {
            return Err(Complaint::new(
                span,
                "expected one '|' between the options of Left and of Right",
            ));
        };
        let narrower = bars.len() > 1;
        let left = self.side(span.start..bar.start, narrower, depth)?;
        let right = self.side(bar.end..span.end, narrower, depth)?;
        Ok(Form::Options(left, right))
    }

    /// One side: options between commas, or a game whose braces are understood.
    fn side(
        &self,
        span: Range<usize>,
        narrower: bool,
        depth: usize,
    ) -> Result<Vec<Form>, Complaint> {
        if depth > DEEPEST {
            return Err(Complaint::new(
                span,
                format!("games are written at most {DEEPEST} deep"),
            ));
        }
        if narrower && !self.bars(&span)?.is_empty() {
            return Ok(vec![self.options(span, depth + 1)?]);
        }
        if self.text[span.clone()].trim().is_empty() {
            return Ok(Vec::new());
        }
        self.fields(&span)
            .into_iter()
            .map(|field| self.game(field, depth + 1))
            .collect()
    }

    /// The runs of bars outside inner braces.
    fn bars(&self, span: &Range<usize>) -> Result<Vec<Range<usize>>, Complaint> {
        let mut bars: Vec<Range<usize>> = Vec::new();
        self.outside(span, |at, letter| {
            if letter == b'|' {
                match bars.last_mut() {
                    Some(bar) if bar.end == at => bar.end = at + 1,
                    _ => bars.push(at..at + 1),
                }
            }
        })?;
        Ok(bars)
    }

    /// What stands between the commas outside inner braces.
    fn fields(&self, span: &Range<usize>) -> Vec<Range<usize>> {
        let mut fields = Vec::new();
        let mut start = span.start;
        let balanced = self.outside(span, |at, letter| {
            if letter == b',' {
                fields.push(start..at);
                start = at + 1;
            }
        });
        debug_assert!(
            balanced.is_ok(),
            "braces were checked when the bars were found"
        );
        fields.push(start..span.end);
        fields
    }

    /// Shows the letters outside inner braces.
    fn outside(
        &self,
        span: &Range<usize>,
        mut show: impl FnMut(usize, u8),
    ) -> Result<(), Complaint> {
        let mut open = Vec::new();
        for (at, letter) in self
            .text
            .bytes()
            .enumerate()
            .take(span.end)
            .skip(span.start)
        {
            match letter {
                b'{' => open.push(at),
                b'}' if open.pop().is_none() => {
                    return Err(Complaint::new(at..at + 1, "a '}' without its '{'"));
                }
                _ if open.is_empty() && letter != b'}' => show(at, letter),
                _ => {}
            }
        }
        match open.first() {
            Some(&at) => Err(Complaint::new(at..at + 1, "this brace is not closed")),
            None => Ok(()),
        }
    }

    /// The end of the brace at the beginning.
    fn closing(&self, span: &Range<usize>) -> Option<usize> {
        let mut depth = 0usize;
        for (at, letter) in span.clone().zip(self.text[span.clone()].bytes()) {
            match letter {
                b'{' => depth += 1,
                b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return Some(at + 1);
            }
        }
        None
    }

    fn trim(&self, span: Range<usize>) -> Range<usize> {
        let text = &self.text[span.clone()];
        let start = span.start + text.len() - text.trim_start().len();
        start..start + text.trim().len()
    }
}

/// Tiny `{0||0|-G}`, or miny, its negative.
fn tiny(size: &Form, turned: bool) -> Form {
    let nothing = || Form::Value(Nus::ZERO);
    let threat = Form::Options(vec![nothing()], vec![size.negative()]);
    let tiny = Form::Options(vec![nothing()], vec![threat]);
    match turned {
        true => tiny.negative(),
        false => tiny,
    }
}

/// Reads a number, ups and a nimber written together, as `3/4`, `*2`, `1^3*`, `vv`.
pub(crate) fn parse_value(text: &str, shift: usize) -> Result<Nus, Complaint> {
    let wrong = |from: usize, message: &str| {
        Complaint::new(shift + from..shift + text.len().max(from + 1), message)
    };
    let number_end = text
        .find(|letter: char| !(letter.is_ascii_digit() || "+-/".contains(letter)))
        .unwrap_or(text.len());
    let mut value = Nus::ZERO;
    if number_end > 0 {
        value.number = parse_number(&text[..number_end], shift)?;
    } else if text.is_empty() {
        return Err(wrong(0, "expected a game"));
    }
    let mut rest = &text[number_end..];
    for (arrow, sign) in [('^', 1), ('v', -1)] {
        let repeated = rest.len() - rest.trim_start_matches(arrow).len();
        if repeated > 0 {
            let digits = &rest[repeated..];
            let length = digits
                .find(|letter: char| !letter.is_ascii_digit())
                .unwrap_or(digits.len());
            value.ups = sign
                * if length == 0 {
                    repeated as i64
                } else {
                    small(&digits[..length], repeated).ok_or_else(|| {
                        wrong(
                            number_end,
                            "expected one arrow and a number of at most twelve digits",
                        )
                    })?
                };
            rest = &digits[length..];
            break;
        }
    }
    if let Some(size) = rest.strip_prefix('*') {
        value.nimber = if size.is_empty() {
            1
        } else {
            small(size, 1).ok_or_else(|| {
                wrong(
                    text.len() - size.len(),
                    "expected the size of a nimber, of at most twelve digits",
                )
            })? as u64
        };
        rest = "";
    }
    if rest.is_empty() {
        Ok(value)
    } else {
        Err(wrong(
            text.len() - rest.len(),
            "expected a number, '^', 'v', '*' or a game in braces",
        ))
    }
}

/// A number of at most twelve digits after one arrow or star.
fn small(digits: &str, arrows: usize) -> Option<i64> {
    if arrows == 1 && digits.len() <= 12 {
        digits.parse().ok()
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_laws, options};
    use super::*;

    fn written(text: &str) -> String {
        Explicit.print(&Explicit.parse(text).unwrap())
    }

    #[test]
    fn bars_and_braces() {
        assert_eq!(written("{ 2 | -1 }"), "{2|-1}");
        assert_eq!(written("{4||-4|-10}"), "{4|{-4|-10}}");
        assert_eq!(written("{0,*|}"), "{0,*|}");
        assert_eq!(written("+-1"), "{1|-1}");
        assert_eq!(written("-{1|0,^}"), "{0,v|-1}");
        assert_eq!(written("{1|||0||-1|-2}"), "{1|{0|{-1|-2}}}");
        assert_eq!(
            [written("vv*"), written("3/4^3*2"), written("*")],
            ["vv*", "3/4^3*2", "*"]
        );
    }

    #[test]
    fn options_are_those_written() {
        assert_eq!(options(&Explicit, "{0,*|^3}", Player::Left), ["*", "0"]);
        assert_eq!(options(&Explicit, "1^", Player::Left), ["1", "^"]);
        assert_eq!(options(&Explicit, "^", Player::Right), ["*"]);
        ["{1|-1}", "{|}", "{{1|0}|{0|-1}}", "^*"]
            .iter()
            .for_each(|text| check_laws(&Explicit, text));
    }

    #[test]
    fn broken_games_are_refused() {
        let deep = "{".repeat(1000);
        [
            "{1|2", "{1}", "{1|2|3}", "", "x", "1/3", "{1|2}}", "^^3", &deep,
        ]
        .iter()
        .for_each(|text| assert!(Explicit.parse(text).is_err(), "{text}"));
        assert_eq!(Explicit.parse("{1|?}").unwrap_err().span, 3..4);
    }
}
