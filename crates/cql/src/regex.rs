//! Regular expressions in the syntax of the language.

use regex::Regex;

/// Compiles a pattern; the error is one line.
pub(crate) fn compile(pattern: &str) -> Result<Regex, String> {
    let built = regex::RegexBuilder::new(pattern)
        .size_limit(1 << 22)
        .build();
    built.map_err(|e| {
        e.to_string()
            .lines()
            .last()
            .unwrap_or("")
            .trim_start_matches("error: ")
            .to_owned()
    })
}
