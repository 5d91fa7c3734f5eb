//! The Chess Query Language over game trees.
mod ast;
mod diagnostic;
mod ir;
mod lex;
mod lower;
mod parse;
mod regex;
mod symmetry;
mod words;

pub use diagnostic::{Diagnostic, Span};

/// Which reading of the language is followed where the two programs differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// CQLi's.
    #[default]
    Cqli,
    /// That of CQL 6.2.
    Cql62,
}
