//! The Chess Query Language (CQL) over game trees.
//!
//! A query is compiled once and then run over games, by one [`Matcher`] per thread.
//!
//! ```
//! use gametree_chess::pgn::read_game;
//! use gametree_cql::{Options, Query};
//!
//! let query = Query::compile("mate sort \"length\" ply >= 2", &Options::default())?;
//! let game = read_game(b"1. f3 e5 2. g4 Qh4# 0-1").unwrap();
//! let found = query.matcher().run(&game, 1);
//! assert!(found.matched);
//! assert_eq!(found.positions, [4]);
//! assert_eq!(found.sort[0].as_ref().unwrap().to_string(), "4");
//!
//! let error = Query::compile("stalmate", &Options::default()).unwrap_err();
//! assert_eq!(error.diagnostics()[0].help.as_deref(), Some("did you mean ‘stalemate’?"));
//! # Ok::<(), gametree_cql::CompileError>(())
//! ```
//!
//! The crate reads and writes no files and starts no threads. A query reaches files and programs
//! only through a [`Host`], and only if [`Options`] permit it. It does not read PGN.

// A panic is a bug: what input can cause is an error.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

extern crate gametree_chess as chess;
extern crate gametree_tree as tree;

/// Runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod ast;
mod debug;
mod diagnostic;
mod eval;
mod help;
mod ir;
mod kinds;
mod lex;
mod lower;
mod merge;
mod options;
mod parse;
mod plan;
mod positions;
mod regex;
mod result;
mod rewrite;
mod signs;
mod symmetry;
mod words;

pub use debug::{Stage, debug};
pub use diagnostic::{CompileError, Diagnostic, DiagnosticKind, Span};
pub use eval::Matcher;
pub use help::{WORDS, Word, WordKind, word_help};
pub use options::{Dialect, Options};
pub use result::{Comment, GameResult, GiveUp, Level, Persistent, SortValue, TagEdit};
pub use rewrite::{to_ascii, to_html, to_unicode};

use ast::{Header, Variable};
use ir::{BoolId, Ir};
use lower::Uses;
use plan::Plan;
pub use plan::{CountNeed, Need};

/// Access to the world outside the game: files, programs, a request to stop. By default none.
pub trait Host: Sync {
    /// The contents of a file.
    fn read_file(&self, _name: &str) -> Option<String> {
        None
    }

    /// Appends text to a file; false if that is not possible.
    fn write_file(&self, _name: &str, _text: &str) -> bool {
        false
    }

    /// The output of a program for an input.
    fn pipe(&self, _command: &str, _input: &str) -> Option<String> {
        None
    }

    /// Whether a file of games contains this board (the first field of its FEN), perhaps turned or
    /// mirrored.
    fn has_position(&self, _file: &str, _board: &str, _transforms: bool) -> bool {
        false
    }

    /// Whether to stop in the middle of a game.
    fn is_stopped(&self) -> bool {
        false
    }

    /// The number of the input's last game.
    fn last_game_number(&self) -> Option<u64> {
        None
    }
}

/// A compiled query.
#[derive(Clone, Debug)]
pub struct Query {
    source: String,
    header: Header,
    variables: Vec<Variable>,
    ir: Ir,
    body: BoolId,
    uses: Uses,
    plan: Plan,
    warnings: Vec<Diagnostic>,
    asserts: Vec<Span>,
    dialect: Dialect,
    variations: bool,
    level: Level,
    match_string: String,
    header_comment: bool,
    unique_comments: bool,
    sort_comments: bool,
    sort_match_count: bool,
    set_tags: bool,
    remove_comments: bool,
    steps: u64,
    memory: u64,
    persistent_memory: u64,
    planned: bool,
    merging: merge::Merging,
}

impl Query {
    /// Compiles a query. The error lists all problems.
    pub fn compile(source: &str, options: &Options) -> Result<Query, CompileError> {
        let (text, program) = Query::parse(source, options)?;
        Ok(Query::new(program, text, options))
    }

    /// The text that is compiled (the filters of the options, then the query), and its syntax tree.
    fn parse(source: &str, options: &Options) -> Result<(String, ast::Program), CompileError> {
        let filters = options.filters.iter().map(|f| format!("{{{f}\n}}\n"));
        let mut text: String = filters.collect();
        let extra = text.len();
        text += source;
        match parse::parse(&text, extra, options) {
            Ok(program) => Ok((text, program)),
            Err(diagnostics) => Err(CompileError::new(text, diagnostics)),
        }
    }

    fn new(mut program: ast::Program, source: String, options: &Options) -> Query {
        program.header.sort_match_count |= options.sort_match_count;
        let mut header = program.header.clone();
        header.game_numbers = options.game_numbers.or(header.game_numbers);
        header.match_count = options.match_count.or(header.match_count);
        let written = match (header.silent, header.quiet) {
            (true, _) => Level::Silent,
            (_, true) => Level::Quiet,
            _ => Level::Normal,
        };
        let level = options.level.unwrap_or(written);
        let mut lowered = lower::lower(&program, options, level);
        let mut plan = Plan::of_header(&header);
        if options.planned {
            plan = plan.with_guards(plan::Guards::add(&mut lowered.ir));
            plan.study(&lowered.ir, &program.variables, lowered.body);
        }
        let match_string = options.match_string.clone().or(header.match_string.clone());
        Query {
            merging: merge::Merging::of(&program),
            source,
            variations: options.variations.unwrap_or(header.variations),
            sort_match_count: header.sort_match_count,
            variables: program.variables,
            header,
            ir: lowered.ir,
            body: lowered.body,
            uses: lowered.uses,
            plan,
            warnings: program.warnings,
            asserts: lowered.asserts,
            dialect: options.dialect,
            level,
            match_string: match_string.unwrap_or_else(|| "CQL".into()),
            header_comment: options.header_comment,
            unique_comments: options.unique_comments,
            sort_comments: options.sort_comments,
            set_tags: options.set_tags,
            remove_comments: options.remove_comments,
            steps: options.steps.max(1),
            memory: options.memory,
            persistent_memory: options.persistent_memory,
            planned: options.planned,
        }
    }

    /// A matcher that runs this query; each thread needs its own.
    pub fn matcher(&self) -> Matcher<'_> {
        Matcher::new(self)
    }

    /// Conditions that probably mean something else; their spans are places in
    /// [`source`](Query::source).
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// The text that was compiled: the filters of the options, then the query.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The dialect of the query.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The input files named in the header.
    pub fn input(&self) -> &[String] {
        &self.header.input
    }

    /// The output file named in the header.
    pub fn output(&self) -> Option<&str> {
        self.header.output.as_deref()
    }

    /// Whether the query tests the shape of the tree but does not search variations: then the tree
    /// is only the mainline, which deserves a hint.
    pub fn ignores_variations(&self) -> bool {
        self.uses.tree && !self.variations
    }

    /// Whether games are written in another order than they were read.
    pub fn sorts(&self) -> bool {
        !self.ir.sorts.is_empty()
    }

    /// The order in which games are written: by the sort keys, then by game number.
    pub fn compare(&self, a: &GameResult, b: &GameResult) -> std::cmp::Ordering {
        let keys = self.ir.sorts.iter().zip(a.sort.iter().zip(&b.sort));
        keys.map(|(key, (a, b))| match (a, b) {
            (Some(a), Some(b)) if key.min => a.cmp(b),
            (Some(a), Some(b)) => b.cmp(a),
            (a, b) => b.is_some().cmp(&a.is_some()),
        })
        .find(|order| order.is_ne())
        .unwrap_or_else(|| a.game_number.cmp(&b.game_number))
    }

    /// Whether several matchers may search games at once. [`Matcher::absorb`] then merges
    /// persistent variables; otherwise one matcher must process all games in order.
    pub fn is_parallel(&self) -> bool {
        self.merging.is_parallel()
    }

    /// Whether the query reads `lastgamenumber`, which the [`Host`] must supply.
    pub fn needs_last_game_number(&self) -> bool {
        self.uses.last_game
    }

    /// Whether the result for a game depends on that game alone, and not on its number or on other
    /// games: then parts of a collection can be searched apart.
    pub fn is_local(&self) -> bool {
        let numbered = self.uses.game_number || self.header.game_numbers.is_some();
        let lasting = self.variables.iter().any(|variable| variable.persistent);
        !(numbered || lasting || self.uses.last_game || self.sorts())
    }

    /// Whether [`Matcher::rules_out`] may rule out games before their moves are read.
    pub fn filters_by_tags(&self) -> bool {
        self.plan.filters_by_tags()
    }

    /// What some position of every matching game has: one of these needs. Empty if unknown.
    pub fn needs(&self) -> &[Need] {
        self.plan.needs()
    }

    /// Whether the query reads tags or the result of a game.
    pub fn reads_tags(&self) -> bool {
        self.uses.tags
    }

    /// Whether the moves of a mainline are enough for [`Matcher::run_line`].
    pub fn needs_only_moves(&self) -> bool {
        let reads_more = self.variations || self.uses.tags || self.uses.notes;
        !reads_more && self.plan.needs_only_boards()
    }

    /// Whether the tags, the mainline and the result of a game are enough for [`Matcher::run`].
    pub fn needs_only_mainline(&self) -> bool {
        !self.variations && !self.uses.notes
    }

    /// The most pieces on a board that matches, if the query only counts pieces and so
    /// [`Matcher::run_line`] may skip the moves before.
    pub fn most_pieces(&self) -> Option<u32> {
        let plan = &self.plan;
        (plan.counts_material && plan.most_men < 32).then_some(plan.most_men)
    }

    /// Whether variations are searched beside mainlines.
    pub fn searches_variations(&self) -> bool {
        self.variations
    }

    /// A description of the cheap tests of the query.
    pub fn explain(&self) -> Vec<String> {
        self.plan.describe()
    }
}
