//! Suggestions for misspelt words.

/// Longer words are compared by their first letters.
const LONGEST: usize = 40;

/// The known word closest to `word`, if it is close enough for a suggestion.
pub fn nearest<'w>(word: &str, known: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    let word: String = word.chars().take(LONGEST).collect();
    let limit = 1 + word.len() / 4;
    let close = known
        .map(|known| (strsim::levenshtein(&word, known), known))
        .filter(|(distance, known)| *distance <= limit && *distance < known.len())
        .min();
    close.map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn suggests_only_close_words() {
        let known = || ["promote", "delete", "comment"].into_iter();
        assert_eq!(nearest("promot", known()), Some("promote"));
        assert_eq!(nearest("xyz", known()), None);
    }
}
