//! Compile options.

use crate::result::Level;

/// The dialect, where CQLi and CQL 6.2 differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Dialect {
    /// CQLi.
    #[default]
    Cqli,
    /// CQL 6.2.
    Cql62,
}

macro_rules! options {
    ($(
        $(#[$doc:meta])*
        $field:ident: $ty:ty = $default:expr, $with:ident($argument:ty);
    )*) => {
        /// Options of the compiler.
        ///
        /// ```
        /// use gametree_cql::{Dialect, Options};
        ///
        /// let options = Options::default().with_dialect(Dialect::Cql62).with_variations(true);
        /// assert_eq!(options.variations, Some(true));
        /// ```
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Options { $(
            $(#[$doc])*
            pub $field: $ty,
        )* }

        impl Default for Options {
            fn default() -> Options {
                Options { $( $field: $default, )* }
            }
        }

        impl Options { $(
            #[doc = concat!("Sets [`", stringify!($field), "`](Options::", stringify!($field), ").")]
            pub fn $with(mut self, value: $argument) -> Options {
                self.$field = value.into();
                self
            }
        )* }
    };
}

options! {
    /// The dialect.
    dialect: Dialect = Dialect::default(), with_dialect(Dialect);
    /// Whether to search variations, overriding the header.
    variations: Option<bool> = None, with_variations(impl Into<Option<bool>>);
    /// Which comments to make, overriding the header.
    level: Option<Level> = None, with_level(impl Into<Option<Level>>);
    /// Filters that must match too, as if written before the query.
    filters: Vec<String> = Vec::new(), with_filters(Vec<String>);
    /// Transforms around the whole query, outermost first, such as `flipcolor`.
    transforms: Vec<String> = Vec::new(), with_transforms(Vec<String>);
    /// Variables with an initial value; a value that parses as a number is a number.
    variables: Vec<(String, String)> = Vec::new(), with_variables(Vec<(String, String)>);
    /// The range of game numbers, overriding the header.
    game_numbers: Option<(i64, i64)> = None, with_game_numbers(impl Into<Option<(i64, i64)>>);
    /// The range of the number of matching positions, overriding the header.
    match_count: Option<(i64, i64)> = None, with_match_count(impl Into<Option<(i64, i64)>>);
    /// The comment at matching positions, overriding the header.
    match_string: Option<String> = None, with_match_string(impl Into<Option<String>>);
    /// Write the game number in the first comment of each game.
    header_comment: bool = true, with_header_comment(bool);
    /// Write equal comments at one position only once.
    unique_comments: bool = true, with_unique_comments(bool);
    /// Write the sort keys in the first comment of each game.
    sort_comments: bool = true, with_sort_comments(bool);
    /// Sort by the number of matching positions, overriding the header.
    sort_match_count: bool = false, with_sort_match_count(bool);
    /// Let `settag` and `removetag` change tags.
    set_tags: bool = true, with_set_tags(bool);
    /// Let `removecomment` remove comments.
    remove_comments: bool = true, with_remove_comments(bool);
    /// Let `writefile` and `outputfile` compile. The [`Host`] and the caller that writes the games
    /// decide where they may write.
    ///
    /// [`Host`]: crate::Host
    write_files: bool = false, with_write_files(bool);
    /// Let `pipe` compile.
    run_programs: bool = false, with_run_programs(bool);
    /// Bind `move` filters in a `line` to the move that the line follows.
    linearize: bool = true, with_linearize(bool);
    /// Evaluation steps after which a game is given up.
    steps: u64 = 100_000_000, with_steps(u64);
    /// Bytes of comments, messages, stored values and remembered states after which a game is given
    /// up.
    memory: u64 = 64 << 20, with_memory(u64);
    /// Bytes of persistent variables, over all games, after which the search ends.
    persistent_memory: u64 = 256 << 20, with_persistent_memory(u64);
    /// Use cheap tests to rule out games and positions, and cache intermediate results. Without it
    /// every filter is evaluated everywhere, which gives the same result more slowly.
    planned: bool = true, with_planned(bool);
}
