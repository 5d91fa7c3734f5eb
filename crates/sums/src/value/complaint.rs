//! Errors in the text of a value.

use std::fmt;
use std::ops::Range;

use super::forms::OutOfBudget;

/// An error in the text of a value, and its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The byte range of the error in the text.
    pub span: Range<usize>,
    /// The error.
    pub complaint: Complaint,
}

/// The kinds of errors in the text of a value, each with the shortest text that causes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Complaint {
    /// `?`
    Unknown(char),
    /// `1/3`
    NotDyadic,
    /// `1/`
    MissingDigits,
    /// `1.5`
    Decimal,
    /// `1/2.^`, or a number of copies that does not fit into 64 bits
    TooManyCopies,
    /// a number of more than 20,000 digits
    TooManyDigits,
    /// `^9223372036854775808`
    TooManyUps,
    /// `^^3`
    CountAfterArrows,
    /// `^[]`
    UptimalForm,
    /// `1+`
    MissingGame,
    /// `1 1`
    MissingOperator,
    /// `{1`
    NotClosed,
    /// `1}`
    NotOpened,
    /// `{1}`
    MissingBar,
    /// `{1|2|3}`
    AmbiguousBars,
    /// `1|2`
    BarOutsideBraces,
    /// `{1,|2}`
    MissingOption,
    /// a value that is too expensive to compute
    Value(OutOfBudget),
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.complaint {
            Complaint::Unknown(c) => write!(
                f,
                "'{c}' is not a value: expected a number, '^', 'v', '*' or a game in braces"
            ),
            Complaint::NotDyadic => {
                f.write_str("not a dyadic number: the denominator must be a power of two")
            }
            Complaint::MissingDigits => f.write_str("expected digits"),
            Complaint::Decimal => {
                f.write_str("write fractions as 1/2; 3.^ means three copies of ^")
            }
            Complaint::TooManyCopies => {
                f.write_str("the number of copies must be an integer of at most 64 bits")
            }
            Complaint::TooManyDigits => f.write_str("the number has too many digits"),
            Complaint::TooManyUps => f.write_str("the count does not fit into 64 bits"),
            Complaint::CountAfterArrows => {
                f.write_str("write either several arrows, or one arrow with a count")
            }
            Complaint::UptimalForm => f.write_str(
                "expected an uptimal ^[n] or ^<n> with n from 1 to 1000, optionally followed by *",
            ),
            Complaint::MissingGame => f.write_str("expected a game"),
            Complaint::MissingOperator => f.write_str("expected + or - between two games"),
            Complaint::NotClosed => f.write_str("this bracket is not closed"),
            Complaint::NotOpened => f.write_str("unmatched closing bracket"),
            Complaint::MissingBar => {
                f.write_str("expected | between the options of Left and Right")
            }
            Complaint::AmbiguousBars => f.write_str("ambiguous bars: write {1||2|3} or {1|2||3}"),
            Complaint::BarOutsideBraces => f.write_str("| is allowed only inside braces"),
            Complaint::MissingOption => f.write_str("expected an option next to the comma"),
            Complaint::Value(budget) => budget.fmt(f),
        }
    }
}

impl std::error::Error for ParseError {}
