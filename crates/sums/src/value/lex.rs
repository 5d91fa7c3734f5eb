//! Splits the usual notation of values into tokens with their positions.

use std::ops::Range;
use std::str::FromStr;

use num_bigint::BigInt;

use super::complaint::{Complaint, ParseError};
use super::{Dyadic, Nus};

/// A token and its byte range.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) word: Word,
    pub(super) span: Range<usize>,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Word {
    /// Number, ups and nimber without separators, such as `6^*`; without a leading `-`.
    Closed(Nus),
    /// `^[n]` or `^<n>` after a number and before a star.
    Uptimal {
        number: Dyadic,
        up: bool,
        sum: bool,
        n: u64,
        star: bool,
    },
    /// `n.`: `n` copies of the next game.
    Times(i64),
    Plus,
    Minus,
    PlusMinus,
    Tiny,
    Miny,
    Comma,
    /// A number of bars.
    Bars(usize),
    Open(Bracket),
    Close(Bracket),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bracket {
    Brace,
    Parenthesis,
}

/// The maximum number of digits: conversion takes quadratic time.
const MOST_DIGITS: usize = 20_000;

/// Splits a text into tokens.
pub(super) fn lex(text: &str) -> Result<Vec<Token>, ParseError> {
    let mut lexer = Lexer { text, at: 0 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip(char::is_whitespace);
        let start = lexer.at;
        let Some(word) = lexer.word()? else {
            return Ok(tokens);
        };
        tokens.push(Token {
            word,
            span: start..lexer.at,
        });
    }
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Skips one of these words, and returns its index.
    fn eat(&mut self, words: &[&str]) -> Option<usize> {
        let which = words
            .iter()
            .position(|word| self.rest().starts_with(word))?;
        self.at += words[which].len();
        Some(which)
    }

    fn skip(&mut self, wanted: impl Fn(char) -> bool) -> Range<usize> {
        let start = self.at;
        let rest = self.rest();
        self.at += rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        start..self.at
    }

    fn fail<T>(&self, start: usize, complaint: Complaint) -> Result<T, ParseError> {
        Err(ParseError {
            span: start..self.at,
            complaint,
        })
    }

    fn word(&mut self) -> Result<Option<Word>, ParseError> {
        let Some(next) = self.peek() else {
            return Ok(None);
        };
        let start = self.at;
        let fixed = [
            (["+-", "±", "+/-"].as_slice(), Word::PlusMinus),
            (&["+_", "⧾", "Tiny", "tiny"], Word::Tiny),
            (&["-_", "⧿", "Miny", "miny"], Word::Miny),
            (&["+"], Word::Plus),
            (&["-", "−", "–"], Word::Minus),
            (&[","], Word::Comma),
            (&["{"], Word::Open(Bracket::Brace)),
            (&["}"], Word::Close(Bracket::Brace)),
            (&["("], Word::Open(Bracket::Parenthesis)),
            (&[")"], Word::Close(Bracket::Parenthesis)),
        ];
        for (spellings, word) in fixed {
            if self.eat(spellings).is_some() {
                return Ok(Some(word));
            }
        }
        match next {
            '|' => Ok(Some(Word::Bars(self.skip(|c| c == '|').len()))),
            '0'..='9' => self.number_word().map(Some),
            _ if self.at_infinitesimal() => self.infinitesimal(Dyadic::ZERO).map(Some),
            _ => {
                self.at += next.len_utf8();
                self.fail(start, Complaint::Unknown(next))
            }
        }
    }

    /// A number and the infinitesimal directly after it.
    fn number_word(&mut self) -> Result<Word, ParseError> {
        let start = self.at;
        let number = self.number()?;
        if self.eat(&[".", "·"]).is_some() {
            return match number.to_i64() {
                Some(n) if self.peek().is_none_or(|c| !c.is_ascii_digit()) => Ok(Word::Times(n)),
                Some(_) => self.fail(start, Complaint::Decimal),
                None => self.fail(start, Complaint::TooManyCopies),
            };
        }
        if self.at_infinitesimal() {
            return self.infinitesimal(number);
        }
        Ok(Word::Closed(Nus::number(number)))
    }

    fn number(&mut self) -> Result<Dyadic, ParseError> {
        let start = self.at;
        let numerator = self.digits()?;
        if !self.rest().starts_with('/') {
            return Ok(Dyadic::from_big(numerator, 0));
        }
        self.at += 1;
        let denominator = self.digits()?;
        match Dyadic::ratio(&numerator, &denominator) {
            Some(number) => Ok(number),
            None => self.fail(start, Complaint::NotDyadic),
        }
    }

    fn digits(&mut self) -> Result<BigInt, ParseError> {
        let span = self.skip(|c| c.is_ascii_digit());
        let digits = &self.text[span.clone()];
        if digits.len() > MOST_DIGITS {
            return self.fail(span.start, Complaint::TooManyDigits);
        }
        BigInt::from_str(digits).map_err(|_| ParseError {
            span,
            complaint: Complaint::MissingDigits,
        })
    }

    fn at_infinitesimal(&self) -> bool {
        matches!(
            self.peek(),
            Some('^' | 'v' | '↑' | '↓' | '⇑' | '⇓' | '*' | '∗' | '⋆' | '★')
        )
    }

    /// Ups or downs, then a nimber.
    fn infinitesimal(&mut self, number: Dyadic) -> Result<Word, ParseError> {
        let start = self.at;
        let (ups, downs) = (self.arrows(&["^", "↑", "⇑"]), self.arrows(&["v", "↓", "⇓"]));
        let count = ups + downs;
        if count == 1 && matches!(self.peek(), Some('[' | '<')) {
            return self.uptimal(start, number, ups == 1);
        }
        let many = self.small_count(start)?;
        let count = match many {
            None => Some(count),
            Some(many) if count == 1 => i64::try_from(many).ok(),
            Some(_) if count == 0 => Some(0),
            Some(_) => return self.fail(start, Complaint::CountAfterArrows),
        };
        let Some(count) = count else {
            return self.fail(start, Complaint::TooManyUps);
        };
        let nimber = self.nimber(start)?;
        let ups = if downs > 0 { -count } else { count };
        Ok(Word::Closed(Nus {
            number,
            ups,
            nimber,
        }))
    }

    /// Counts the arrows at the current position; a double arrow counts twice.
    fn arrows(&mut self, spellings: &[&str]) -> i64 {
        let mut count = 0;
        while let Some(which) = self.eat(spellings) {
            count += if which == 2 { 2 } else { 1 };
        }
        count
    }

    fn uptimal(&mut self, start: usize, number: Dyadic, up: bool) -> Result<Word, ParseError> {
        let sum = self.eat(&["[", "<"]) == Some(0);
        let n = self.small_count(start)?;
        let closed = self.eat(&[if sum { "]" } else { ">" }]).is_some();
        let (Some(n), true) = (n, closed) else {
            return self.fail(start, Complaint::UptimalForm);
        };
        if !(1..=1_000).contains(&n) {
            return self.fail(start, Complaint::UptimalForm);
        }
        match self.nimber(start)? {
            star @ (0 | 1) => Ok(Word::Uptimal {
                number,
                up,
                sum,
                n,
                star: star == 1,
            }),
            _ => self.fail(start, Complaint::UptimalForm),
        }
    }

    /// The heap size after a star, 1 if none is given; 0 without a star.
    fn nimber(&mut self, start: usize) -> Result<u64, ParseError> {
        match self.eat(&["*", "∗", "⋆", "★"]) {
            None => Ok(0),
            Some(_) => self.small_count(start).map(|count| count.unwrap_or(1)),
        }
    }

    fn small_count(&mut self, start: usize) -> Result<Option<u64>, ParseError> {
        let digits = self.skip(|c| c.is_ascii_digit());
        if digits.is_empty() {
            return Ok(None);
        }
        match self.text[digits].parse() {
            Ok(count) => Ok(Some(count)),
            Err(_) => self.fail(start, Complaint::TooManyUps),
        }
    }
}
