//! Words that are spelt almost alike.

/// The word that may have been meant, if one is near enough.
pub fn nearest<'w>(word: &str, known: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    let far = 1 + word.len() / 4;
    let near = known
        .map(|known| (distance(word, known), known))
        .filter(|(distance, known)| *distance <= far && *distance < known.len())
        .min();
    near.map(|(_, known)| known)
}

/// How many letters must change to make one word of the other.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, x) in a.chars().enumerate().take(40) {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.chars().enumerate() {
            let change = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[row.len() - 1]
}
