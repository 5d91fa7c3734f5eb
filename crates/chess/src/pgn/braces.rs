//! Braces in comments. PGN has no escape for `}`, which ends a comment, so both braces are written
//! as the similar characters `❴` (U+2774) and `❵` (U+2775).

use std::borrow::Cow;

/// The text with `❴` and `❵` instead of braces, as it can be written in a comment.
///
/// ```
/// use gametree_chess::pgn::{replace_braces, restore_braces};
///
/// assert_eq!(replace_braces("the set {e4, d4}"), "the set ❴e4, d4❵");
/// assert_eq!(restore_braces("the set ❴e4, d4❵"), "the set {e4, d4}");
/// ```
pub fn replace_braces(text: &str) -> Cow<'_, str> {
    replaced(text, [('{', "❴"), ('}', "❵")])
}

/// The text with braces again, for editing.
pub fn restore_braces(text: &str) -> Cow<'_, str> {
    replaced(text, [('❴', "{"), ('❵', "}")])
}

fn replaced<'a>(text: &'a str, pairs: [(char, &str); 2]) -> Cow<'a, str> {
    if text.contains(pairs.map(|(from, _)| from)) {
        let replace = |text: String, (from, to): (char, &str)| text.replace(from, to);
        Cow::Owned(pairs.into_iter().fold(text.to_owned(), replace))
    } else {
        Cow::Borrowed(text)
    }
}
