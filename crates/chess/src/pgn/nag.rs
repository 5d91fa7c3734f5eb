//! Marks on moves (numeric annotation glyphs): numbers ⇄ the signs that are printed for them.

/// The signs and their numbers; the first sign of a number is the one to print.
///
/// Numbers that come in pairs, one for each side, are given for White here: who moved decides.
const SIGNS: &[(&str, u32)] = &[
    ("!", 1),
    ("?", 2),
    ("!!", 3),
    ("‼", 3),
    ("??", 4),
    ("⁇", 4),
    ("!?", 5),
    ("⁉", 5),
    ("?!", 6),
    ("⁈", 6),
    ("□", 7),
    ("▢", 7),
    ("=", 10),
    ("∞", 13),
    ("⩲", 14),
    ("+=", 14),
    ("+/=", 14),
    ("±=", 14),
    ("⩱", 15),
    ("=+", 15),
    ("=/+", 15),
    ("±", 16),
    ("+/-", 16),
    ("+/−", 16),
    ("+/–", 16),
    ("∓", 17),
    ("-/+", 17),
    ("−/+", 17),
    ("–/+", 17),
    ("+-", 18),
    ("+−", 18),
    ("+–", 18),
    ("-+", 19),
    ("−+", 19),
    ("–+", 19),
    ("++--", 20),
    ("--++", 21),
    ("⨀", 22),
    ("⊙", 22),
    ("◯", 26),
    ("○", 26),
    ("⟳", 32),
    ("↻", 32),
    ("↑", 36),
    ("→", 40),
    ("=/∞", 44),
    ("⯹", 44),
    ("=∞", 44),
    ("⇆", 132),
    ("⇄", 132),
    ("⊕", 138),
    ("⨁", 138),
    ("∆", 140),
    ("Δ", 140),
    ("△", 140),
    ("∇", 141),
    ("⌓", 142),
    ("<=", 143),
    ("==", 144),
    ("RR", 145),
    ("N", 146),
    ("TN", 146),
    ("×", 147),
    ("⊥", 148),
    ("⟂", 148),
    ("⇔", 239),
    ("⇗", 240),
    ("⊞", 241),
    ("⟫", 242),
    ("⟪", 243),
    ("✕", 244),
    ("D", 220),
    ("(D)", 220),
];

/// The number for a sign, or `None`.
///
/// ```
/// assert_eq!(chess::pgn::nag_of_sign("±"), Some(16));
/// assert_eq!(chess::pgn::nag_of_sign("Nf3"), None);
/// ```
pub fn nag_of_sign(sign: &str) -> Option<u32> {
    let known = SIGNS.iter().find(|(known, _)| *known == sign);
    known.map(|&(_, nag)| nag)
}

/// The sign to print for a number, if there is a usual one.
///
/// ```
/// assert_eq!(chess::pgn::sign_of_nag(5), Some("!?"));
/// assert_eq!(chess::pgn::sign_of_nag(33), Some("⟳"));
/// assert_eq!(chess::pgn::sign_of_nag(255), None);
/// ```
pub fn sign_of_nag(nag: u32) -> Option<&'static str> {
    let known = SIGNS.iter().find(|(_, known)| *known == for_white(nag));
    known.map(|&(sign, _)| sign)
}

/// The number of the pair that stands for White.
fn for_white(nag: u32) -> u32 {
    match nag {
        8 => 7,
        11 | 12 => 10,
        23 | 27 | 33 | 37 | 41 | 45 | 133 | 139 | 221 => nag - 1,
        _ => nag,
    }
}

/// The length and number of the longest sign that starts here with a byte outside ASCII.
pub(crate) fn wide_sign(text: &[u8]) -> Option<(usize, u32)> {
    let starts = SIGNS
        .iter()
        .filter(|(sign, _)| !sign.is_ascii() && text.starts_with(sign.as_bytes()));
    let (sign, nag) = starts.max_by_key(|(sign, _)| sign.len())?;
    Some((sign.len(), *nag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_signs_read_back() {
        for nag in 0..256 {
            if let Some(sign) = sign_of_nag(nag) {
                assert_eq!(nag_of_sign(sign), Some(for_white(nag)), "{nag} {sign}");
            }
        }
    }

    #[test]
    fn the_usual_marks() {
        let signs = [
            (1, "!"),
            (2, "?"),
            (3, "!!"),
            (4, "??"),
            (5, "!?"),
            (6, "?!"),
        ];
        for (nag, sign) in signs {
            assert_eq!(sign_of_nag(nag), Some(sign));
            assert_eq!(nag_of_sign(sign), Some(nag));
        }
        assert_eq!(wide_sign("±x".as_bytes()), Some((2, 16)));
        assert_eq!(wide_sign("♘".as_bytes()), None);
    }
}
