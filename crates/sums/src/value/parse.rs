//! Parses the usual notation of values; errors have their position in the text.

use std::ops::Range;
use std::str::FromStr;

use super::build::Build;
use super::complaint::{Complaint, ParseError};
use super::forms::{Forms, OutOfBudget};
use super::lex::{Bracket, Token, Word, lex};
use super::node::Value;
use super::{Dyadic, Nus};

impl Forms {
    /// Parses a value: numbers `3/4`, nimbers `*2`, ups `^3*`, `vv`, `^[2]`, `^<2>`,
    /// games `{2|-1}`, `{4||-4|-10}`, switches `+-1`, tinies `+_2`, `-_2`, sums, negatives,
    /// multiples `3.^`, parentheses; `↑`, `↓`, `±` and the like too.
    pub fn parse(&mut self, text: &str) -> Result<Value, ParseError> {
        parse(text, self)
    }
}

/// Parses a game and constructs it with `build`.
pub(crate) fn parse<B: Build>(text: &str, build: &mut B) -> Result<B::Game, ParseError> {
    let tokens = lex(text)?;
    let end = text.len()..text.len();
    Parser {
        build,
        open: Vec::new(),
        level: Level::new(None),
    }
    .run(tokens, end)
}

impl FromStr for Dyadic {
    type Err = ParseError;
    /// Parses a number with an optional minus sign.
    fn from_str(text: &str) -> Result<Dyadic, ParseError> {
        let tokens = lex(text)?;
        let words: Vec<&Word> = tokens.iter().map(|token| &token.word).collect();
        match words[..] {
            [Word::Closed(nus)] if nus.is_number() => Ok(nus.number.clone()),
            [Word::Minus, Word::Closed(nus)] if nus.is_number() => Ok(-&nus.number),
            _ => Err(ParseError {
                span: 0..text.len(),
                complaint: Complaint::MissingDigits,
            }),
        }
    }
}

/// A parser with an explicit stack, so that deeply nested brackets do not overflow the call stack.
struct Parser<'a, B: Build> {
    build: &'a mut B,
    open: Vec<Level<B::Game>>,
    level: Level<B::Game>,
}

/// The contents of one pair of brackets so far.
struct Level<G> {
    bracket: Option<(Bracket, Range<usize>)>,
    /// Options between bars, and the number of bars after them.
    segments: Vec<(Vec<G>, usize)>,
    options: Vec<G>,
    /// The sum being parsed, and the prefixes of its next part.
    sum: Option<G>,
    prefixes: Vec<Prefix>,
    comma: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Prefix {
    Plus,
    Minus,
    PlusMinus,
    Tiny,
    Miny,
    Times(i64),
}

impl<G> Level<G> {
    fn new(bracket: Option<(Bracket, Range<usize>)>) -> Level<G> {
        Level {
            bracket,
            segments: Vec::new(),
            options: Vec::new(),
            sum: None,
            prefixes: Vec::new(),
            comma: false,
        }
    }

    /// Nothing read since the last comma, bar or opening bracket.
    fn is_fresh(&self) -> bool {
        self.sum.is_none() && self.prefixes.is_empty()
    }

    /// Returns true if the sum ends with a game, so that an operator must follow.
    fn has_game(&self) -> bool {
        self.sum.is_some() && self.prefixes.is_empty()
    }
}

impl<B: Build> Parser<'_, B> {
    fn run(mut self, tokens: Vec<Token>, end: Range<usize>) -> Result<B::Game, ParseError> {
        for Token { word, span } in tokens {
            self.take(word, &span)
                .map_err(|complaint| ParseError { span, complaint })?;
        }
        if let Some((_, span)) = self.level.bracket {
            return Err(ParseError {
                span,
                complaint: Complaint::NotClosed,
            });
        }
        match self.level.sum {
            Some(value) if self.level.prefixes.is_empty() => Ok(value),
            _ => Err(ParseError {
                span: end,
                complaint: Complaint::MissingGame,
            }),
        }
    }

    fn take(&mut self, word: Word, span: &Range<usize>) -> Result<(), Complaint> {
        match word {
            Word::Closed(nus) => self.closed(nus),
            Word::Uptimal {
                number,
                up,
                sum,
                n,
                star,
            } => self.uptimal(number, up, sum, n, star),
            Word::Times(n) => self.times(n),
            Word::Plus => self.prefix(Prefix::Plus),
            Word::Minus => self.prefix(Prefix::Minus),
            Word::PlusMinus => self.prefix(Prefix::PlusMinus),
            Word::Tiny => self.prefix(Prefix::Tiny),
            Word::Miny => self.prefix(Prefix::Miny),
            Word::Comma => self.comma(),
            Word::Bars(count) => self.bars(count),
            Word::Open(bracket) => self.open(bracket, span),
            Word::Close(bracket) => self.close(bracket),
        }
    }

    fn prefix(&mut self, prefix: Prefix) -> Result<(), Complaint> {
        self.level.prefixes.push(prefix);
        Ok(())
    }

    fn times(&mut self, n: i64) -> Result<(), Complaint> {
        if self.level.has_game() {
            return Err(Complaint::MissingOperator);
        }
        self.prefix(Prefix::Times(n))
    }

    fn closed(&mut self, mut nus: Nus) -> Result<(), Complaint> {
        self.bind_leading_minus(&mut nus.number);
        let game = self.build.closed(nus).map_err(Complaint::Value)?;
        self.add(game)
    }

    /// In `-1^` the minus belongs to the number, because `-1 + ↑` is printed that way; in `2-1^` it
    /// belongs to all of `1^`.
    fn bind_leading_minus(&mut self, number: &mut Dyadic) {
        let level = &mut self.level;
        if level.sum.is_none() && level.prefixes == [Prefix::Minus] && !number.is_zero() {
            level.prefixes.clear();
            *number = -&*number;
        }
    }

    fn uptimal(
        &mut self,
        mut number: Dyadic,
        up: bool,
        sum: bool,
        n: u64,
        star: bool,
    ) -> Result<(), Complaint> {
        self.bind_leading_minus(&mut number);
        let rest = Nus {
            number,
            ups: 0,
            nimber: u64::from(star),
        };
        let game = self.uptimal_game(up, sum, n).and_then(|game| {
            let rest = self.build.closed(rest)?;
            self.build.plus(rest, &game)
        });
        self.add(game.map_err(Complaint::Value)?)
    }

    fn uptimal_game(&mut self, up: bool, sum: bool, n: u64) -> Result<B::Game, OutOfBudget> {
        let game = if sum {
            self.build.up_sum(n)?
        } else {
            self.build.up_power(n)?
        };
        if up {
            Ok(game)
        } else {
            self.build.minus(&game)
        }
    }

    /// Applies the prefixes to a game and adds it to the sum.
    fn add(&mut self, game: B::Game) -> Result<(), Complaint> {
        if self.level.has_game() {
            return Err(Complaint::MissingOperator);
        }
        let mut prefixes = std::mem::take(&mut self.level.prefixes);
        let sum = self.level.sum.take();
        let added = self.apply(&mut prefixes, game).and_then(|part| match sum {
            Some(sum) => self.build.plus(sum, &part),
            None => Ok(part),
        });
        self.level.sum = Some(added.map_err(Complaint::Value)?);
        Ok(())
    }

    /// Applies prefixes, the last one first.
    fn apply(
        &mut self,
        prefixes: &mut Vec<Prefix>,
        mut game: B::Game,
    ) -> Result<B::Game, OutOfBudget> {
        while let Some(prefix) = prefixes.pop() {
            game = match prefix {
                Prefix::Plus => game,
                Prefix::Minus => self.build.minus(&game)?,
                Prefix::PlusMinus => self.build.plus_minus(&[game])?,
                Prefix::Tiny => self.build.tiny(&game)?,
                Prefix::Miny => {
                    let tiny = self.build.tiny(&game)?;
                    self.build.minus(&tiny)?
                }
                Prefix::Times(n) => self.build.times(n, &game)?,
            };
        }
        Ok(game)
    }

    fn open(&mut self, bracket: Bracket, span: &Range<usize>) -> Result<(), Complaint> {
        if self.level.has_game() {
            return Err(Complaint::MissingOperator);
        }
        let inner = Level::new(Some((bracket, span.clone())));
        self.open.push(std::mem::replace(&mut self.level, inner));
        Ok(())
    }

    fn comma(&mut self) -> Result<(), Complaint> {
        match self.level.bracket {
            Some((Bracket::Brace, _)) => {}
            _ => return Err(Complaint::MissingOperator),
        }
        if self.level.is_fresh() {
            return Err(Complaint::MissingOption);
        }
        self.end_option()?;
        self.level.comma = true;
        Ok(())
    }

    fn bars(&mut self, count: usize) -> Result<(), Complaint> {
        match self.level.bracket {
            Some((Bracket::Brace, _)) => {}
            _ => return Err(Complaint::BarOutsideBraces),
        }
        self.end_segment()?;
        let options = std::mem::take(&mut self.level.options);
        self.level.segments.push((options, count));
        Ok(())
    }

    fn end_segment(&mut self) -> Result<(), Complaint> {
        if !self.level.is_fresh() {
            return self.end_option();
        }
        if self.level.comma {
            Err(Complaint::MissingOption)
        } else {
            Ok(())
        }
    }

    fn end_option(&mut self) -> Result<(), Complaint> {
        if !self.level.prefixes.is_empty() {
            return Err(Complaint::MissingGame);
        }
        self.level.comma = false;
        self.level.options.extend(self.level.sum.take());
        Ok(())
    }

    fn close(&mut self, bracket: Bracket) -> Result<(), Complaint> {
        if self.level.bracket.as_ref().map(|open| open.0) != Some(bracket) {
            return Err(Complaint::NotOpened);
        }
        self.end_segment()?;
        let Some(outer) = self.open.pop() else {
            return Err(Complaint::NotOpened);
        };
        let mut level = std::mem::replace(&mut self.level, outer);
        let game = match bracket {
            Bracket::Parenthesis => level.options.pop().ok_or(Complaint::MissingGame)?,
            Bracket::Brace if level.segments.is_empty() => self.plus_minus_list(&level.options)?,
            Bracket::Brace => self.braces(level.segments, level.options)?,
        };
        self.add(game)
    }

    /// `{a,b}` without a bar is valid only after `+-`.
    fn plus_minus_list(&mut self, options: &[B::Game]) -> Result<B::Game, Complaint> {
        if options.is_empty() || self.level.prefixes.pop() != Some(Prefix::PlusMinus) {
            return Err(Complaint::MissingBar);
        }
        self.build.plus_minus(options).map_err(Complaint::Value)
    }

    /// Splits at the longest bars first: longer bars have lower precedence.
    fn braces(
        &mut self,
        segments: Vec<(Vec<B::Game>, usize)>,
        last: Vec<B::Game>,
    ) -> Result<B::Game, Complaint> {
        let mut pending: Vec<(Vec<B::Game>, usize)> = Vec::new();
        for (mut options, bars) in segments {
            while let Some(&(_, shorter)) = pending.last()
                && shorter <= bars
            {
                if shorter == bars {
                    return Err(Complaint::AmbiguousBars);
                }
                options = self.fold(&mut pending, options)?;
            }
            pending.push((options, bars));
        }
        let mut options = last;
        while pending.len() > 1 {
            options = self.fold(&mut pending, options)?;
        }
        let (left, _) = pending.pop().unwrap_or_default();
        self.build.braces(&left, &options).map_err(Complaint::Value)
    }

    /// Combines the last pending options and these into one game.
    fn fold(
        &mut self,
        pending: &mut Vec<(Vec<B::Game>, usize)>,
        right: Vec<B::Game>,
    ) -> Result<Vec<B::Game>, Complaint> {
        let (left, _) = pending.pop().unwrap_or_default();
        self.build
            .braces(&left, &right)
            .map(|game| vec![game])
            .map_err(Complaint::Value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn errors_have_a_kind_and_a_position() {
        let cases = [
            ("1 ? 2", 2..3, Complaint::Unknown('?')),
            ("1+1/3", 2..5, Complaint::NotDyadic),
            ("1/0", 0..3, Complaint::NotDyadic),
            ("1/", 2..2, Complaint::MissingDigits),
            ("1.5", 0..2, Complaint::Decimal),
            ("1/2.^", 0..4, Complaint::TooManyCopies),
            ("^9223372036854775808", 0..20, Complaint::TooManyUps),
            ("*99999999999999999999", 0..21, Complaint::TooManyUps),
            ("^^3", 0..3, Complaint::CountAfterArrows),
            ("^[]", 0..3, Complaint::UptimalForm),
            ("^[1001]", 0..7, Complaint::UptimalForm),
            ("1+", 2..2, Complaint::MissingGame),
            ("", 0..0, Complaint::MissingGame),
            ("()", 1..2, Complaint::MissingGame),
            ("{1|-}", 4..5, Complaint::MissingGame),
            ("1 1", 2..3, Complaint::MissingOperator),
            ("{1|2}{1|2}", 5..6, Complaint::MissingOperator),
            ("(1,2)", 2..3, Complaint::MissingOperator),
            ("{1|{2", 3..4, Complaint::NotClosed),
            ("1}", 1..2, Complaint::NotOpened),
            ("{1|2)", 4..5, Complaint::NotOpened),
            ("{1}", 2..3, Complaint::MissingBar),
            ("{}", 1..2, Complaint::MissingBar),
            ("{1|2|3}", 6..7, Complaint::AmbiguousBars),
            ("1|2", 1..2, Complaint::BarOutsideBraces),
            ("{1,|2}", 3..4, Complaint::MissingOption),
            ("{,1|2}", 1..2, Complaint::MissingOption),
            ("{1|2,}", 5..6, Complaint::MissingOption),
        ];
        let mut forms = Forms::default();
        for (text, span, complaint) in cases {
            assert_eq!(
                forms.parse(text),
                Err(ParseError { span, complaint }),
                "{text}"
            );
        }
    }

    #[test]
    fn costly_values_are_refused_where_they_stand() {
        let mut forms = Forms::default();
        forms.allow_steps(200);
        let error = forms
            .parse("+-1+-2+-4+-8+-16+-32+-64+-128")
            .expect_err("it explodes");
        assert_eq!(error.complaint, Complaint::Value(OutOfBudget::Steps));
        let long = "7".repeat(30_000);
        let error = forms.parse(&long).expect_err("it is long");
        assert_eq!(error.complaint, Complaint::TooManyDigits);
    }

    #[test]
    fn deep_brackets_need_no_stack() {
        let mut forms = Forms::default();
        let text = format!("{}1{}", "(".repeat(200_000), ")".repeat(200_000));
        assert_eq!(
            forms.parse(&text),
            forms.integer(1).map_err(|_| unreachable!())
        );
        let text = "{0|".repeat(200_000);
        assert!(forms.parse(&text).is_err());
    }

    proptest! {
        #[test]
        fn any_text_is_answered(text in "[0-3/*^v+_.|{}(),<>\\[\\] -]{0,40}") {
            let mut forms = Forms::default();
            forms.allow_steps(10_000);
            if let Err(error) = forms.parse(&text) {
                prop_assert!(text.get(error.span).is_some(), "{text}");
            }
        }

        #[test]
        fn any_unicode_is_answered(text in "\\PC{0,20}") {
            let mut forms = Forms::default();
            forms.allow_steps(10_000);
            if let Err(error) = forms.parse(&text) {
                prop_assert!(text.get(error.span).is_some(), "{text}");
            }
        }
    }

    #[test]
    fn numbers_alone() {
        assert_eq!("-3/4".parse(), Ok(Dyadic::new(-3, 2)));
        assert!("1*".parse::<Dyadic>().is_err());
        assert!("--1".parse::<Dyadic>().is_err());
    }
}
