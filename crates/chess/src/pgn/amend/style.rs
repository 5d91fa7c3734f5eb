//! The style of a text: how it separates tokens and writes numbers, glyphs and comments.

use super::blanks::{blank, has_line_end};
use crate::Color;
use crate::pgn::build::{Kind, Token, Trace};
use crate::pgn::nag;
use crate::pgn::scan::Style;
use std::collections::HashMap;
use std::hash::Hash;

/// The width of lines in normal form.
const WIDTH: usize = 80;

/// The commonest form of everything that can be written in several ways.
pub(super) struct TextStyle<'a> {
    /// The blanks between two kinds of tokens.
    between: HashMap<(Kind, Kind), &'a str>,
    before: HashMap<Kind, &'a str>,
    after: HashMap<Kind, &'a str>,
    /// True if moves by White have numbers.
    white_numbers: bool,
    /// True if moves by Black have numbers after a token of this kind.
    black_numbers: HashMap<Kind, bool>,
    black_dots: &'a str,
    /// True for `!`, false for `$1`.
    marks: bool,
    /// True for `±`, false for `$16`.
    symbols: bool,
    /// True for `{ text }`, false for `{text}`.
    margins: bool,
    pub line_end: &'static str,
    /// The greatest width of lines; `None` if the text is not broken into lines.
    pub width: Option<usize>,
}

impl<'a> TextStyle<'a> {
    pub(super) fn of(trace: &Trace, text: &'a str, colors: &[Color]) -> TextStyle<'a> {
        let mut tallies = Tallies::default();
        for pair in trace.tokens.windows(2) {
            tallies.add_gap(pair, text);
        }
        for token in &trace.tokens {
            tallies.add_token(token, text);
        }
        tallies.add_numbers(trace, text, colors);
        TextStyle {
            white_numbers: tallies.white_numbers.winner().unwrap_or(true),
            black_dots: tallies.black_dots.winner().unwrap_or("..."),
            marks: tallies.marks.winner().unwrap_or(false),
            symbols: tallies.symbols.winner().unwrap_or(false),
            margins: tallies.margins.winner().unwrap_or(true),
            between: usual_gaps(tallies.between),
            before: usual_gaps(tallies.before),
            after: usual_gaps(tallies.after),
            black_numbers: winners(tallies.black_numbers),
            line_end: line_end(text),
            width: width(trace, text),
        }
    }

    /// The blanks between two tokens.
    pub(super) fn gap(&self, prev: Kind, next: Kind) -> &'a str {
        let side = match (prev, next) {
            (Kind::Open | Kind::Number | Kind::Close, _) => self.after.get(&prev),
            (_, Kind::Close | Kind::Mark | Kind::Open) => self.before.get(&next),
            _ => None,
        };
        let default = match (prev, next) {
            (_, Kind::Mark) => "",
            _ => " ",
        };
        let known = self.between.get(&(prev, next)).or(side);
        known.copied().unwrap_or(default)
    }

    /// True if a move after a token of this kind has a number.
    pub(super) fn has_number(&self, color: Color, prev: Option<Kind>) -> bool {
        match (color, prev) {
            (Color::White, _) => self.white_numbers,
            (Color::Black, Some(Kind::Move | Kind::Mark | Kind::Dollar)) => false,
            (Color::Black, prev) => {
                let known = prev.and_then(|prev| self.black_numbers.get(&prev));
                known.copied().unwrap_or(true)
            }
        }
    }

    pub(super) fn number(&self, number: u32, color: Color) -> String {
        match color {
            Color::White => format!("{number}."),
            Color::Black => format!("{number}{}", self.black_dots),
        }
    }

    pub(super) fn glyph(&self, nag: u32) -> (String, Kind) {
        let as_sign = match nag {
            1..=6 => self.marks,
            _ => self.symbols,
        };
        match nag::glyph(nag).filter(|_| as_sign) {
            Some(glyph) => (glyph.to_owned(), Kind::Mark),
            None => (format!("${nag}"), Kind::Dollar),
        }
    }

    /// A comment in braces; `like` is the one it replaces.
    pub(super) fn comment(&self, text: &str, like: Option<&str>) -> String {
        let like = like.filter(|like| like.starts_with('{'));
        let margins = like.map_or(self.margins, |like| like.starts_with("{ "));
        let needs_margins = text.starts_with(' ') || text.ends_with(' ');
        let text = text.replace('\n', self.line_end);
        if margins || needs_margins {
            format!("{{ {text} }}")
        } else {
            format!("{{{text}}}")
        }
    }
}

/// Counts of the forms of one thing.
struct Tally<T>(HashMap<T, usize>);

impl<T> Default for Tally<T> {
    fn default() -> Tally<T> {
        Tally(HashMap::new())
    }
}

impl<T: Copy + Eq + Hash + Ord> Tally<T> {
    fn add(&mut self, form: T) {
        *self.0.entry(form).or_default() += 1;
    }

    /// The commonest form; of equally common ones the least.
    fn winner(&self) -> Option<T> {
        let rank = |(form, count): &(&T, &usize)| (**count, std::cmp::Reverse(**form));
        self.0.iter().max_by_key(rank).map(|(form, _)| *form)
    }
}

fn winners<K: Eq + Hash, T: Copy + Eq + Hash + Ord>(
    tallies: HashMap<K, Tally<T>>,
) -> HashMap<K, T> {
    let winner = |(key, tally): (K, Tally<T>)| Some((key, tally.winner()?));
    tallies.into_iter().filter_map(winner).collect()
}

/// The commonest gaps. A line end that is seen only once may be due to the width of lines.
fn usual_gaps<'a, K: Eq + Hash>(tallies: HashMap<K, Tally<&'a str>>) -> HashMap<K, &'a str> {
    let usual = |(key, tally): (K, Tally<&'a str>)| {
        let gap = tally.winner()?;
        let is_usual = !has_line_end(gap) || tally.0.get(gap) > Some(&1);
        is_usual.then_some((key, gap))
    };
    tallies.into_iter().filter_map(usual).collect()
}

fn line_ends(gap: &str) -> usize {
    gap.matches('\n').count().max(gap.matches('\r').count())
}

#[derive(Default)]
struct Tallies<'a> {
    between: HashMap<(Kind, Kind), Tally<&'a str>>,
    before: HashMap<Kind, Tally<&'a str>>,
    after: HashMap<Kind, Tally<&'a str>>,
    white_numbers: Tally<bool>,
    black_numbers: HashMap<Kind, Tally<bool>>,
    black_dots: Tally<&'a str>,
    marks: Tally<bool>,
    symbols: Tally<bool>,
    margins: Tally<bool>,
}

impl<'a> Tallies<'a> {
    fn add_gap(&mut self, pair: &[Token], text: &'a str) {
        let [prev, next] = pair else { return };
        let gap = blank(text, prev.span.end..next.span.start);
        // Blank lines divide a text once or twice; new text does not imitate them.
        let Some(gap) = gap.filter(|gap| line_ends(gap) < 2) else {
            return;
        };
        let kinds = (prev.kind, next.kind);
        self.between.entry(kinds).or_default().add(gap);
        self.before.entry(next.kind).or_default().add(gap);
        self.after.entry(prev.kind).or_default().add(gap);
    }

    fn add_token(&mut self, token: &Token, text: &str) {
        let text = &text[token.span.clone()];
        match token.kind {
            Kind::Mark if text.contains(['!', '?']) => self.marks.add(true),
            Kind::Mark => self.symbols.add(true),
            Kind::Dollar if text.len() == 2 && text < "$7" => self.marks.add(false),
            Kind::Dollar => self.symbols.add(false),
            Kind::Comment(Style::Brace) => self.margins.add(text.starts_with("{ ")),
            _ => {}
        }
    }

    fn add_numbers(&mut self, trace: &Trace, text: &'a str, colors: &[Color]) {
        for (node, &color) in trace.nodes.iter().zip(colors) {
            let Some(word) = node.word else { continue };
            let first = node.number.unwrap_or(word);
            let prev = first.checked_sub(1).map(|prev| trace.tokens[prev].kind);
            let has_number = node.number.is_some();
            match (color, prev) {
                (Color::White, _) => self.white_numbers.add(has_number),
                (Color::Black, Some(prev)) => {
                    self.black_numbers.entry(prev).or_default().add(has_number);
                }
                (Color::Black, None) => {}
            }
            if let Some(number) = node.number.filter(|_| color == Color::Black) {
                let number = &text[trace.tokens[number].span.clone()];
                let dots = number.trim_start_matches(|c: char| c.is_ascii_digit());
                if dots.len() > 1 {
                    self.black_dots.add(dots);
                }
            }
        }
    }
}

fn line_end(text: &str) -> &'static str {
    match text.find('\r') {
        Some(at) if text[at..].starts_with("\r\n") => "\r\n",
        Some(_) if !text.contains('\n') => "\r",
        _ => "\n",
    }
}

/// The width of the longest line, at least that of the normal form.
fn width(trace: &Trace, text: &str) -> Option<usize> {
    let tokens = trace.tokens.get(trace.header..).unwrap_or_default();
    let (first, last) = (tokens.first()?, tokens.last()?);
    let movetext = &text[first.span.start..last.span.end];
    let longest = movetext
        .split(['\n', '\r'])
        .map(|line| line.chars().count());
    let longest = longest.max().unwrap_or(0);
    let is_broken = tokens
        .windows(2)
        .any(|pair| text[pair[0].span.end..pair[1].span.start].contains(['\n', '\r']));
    (is_broken || longest <= WIDTH).then_some(longest.max(WIDTH))
}
