//! Numeric annotation glyphs (NAGs): constants, and the glyphs printed for them.
//!
//! The constants have the names of python-chess's `NAG_*` without the prefix.
//!
//! ```
//! use gametree_chess::pgn::nag;
//!
//! assert_eq!(nag::glyph(nag::GOOD_MOVE), Some("!"));
//! assert_eq!(nag::from_glyph("!?"), Some(nag::SPECULATIVE_MOVE));
//! ```

/// Declares the constants and the table of their names.
macro_rules! nags {
    ($($(#[$doc:meta])* $name:ident = $number:literal,)*) => {
        $($(#[$doc])* pub const $name: u32 = $number;)*

        /// All constants of this module by name.
        pub const ALL: &[(&str, u32)] = &[$((stringify!($name), $number)),*];
    };
}

nags! {
    /// `$0`: no annotation.
    NULL = 0,
    /// `!`
    GOOD_MOVE = 1,
    /// `?`
    MISTAKE = 2,
    /// `!!`
    BRILLIANT_MOVE = 3,
    /// `??`
    BLUNDER = 4,
    /// `!?`
    SPECULATIVE_MOVE = 5,
    /// `?!`
    DUBIOUS_MOVE = 6,
    /// `□`: all other moves lose quickly.
    FORCED_MOVE = 7,
    /// `□`: no reasonable alternatives.
    SINGULAR_MOVE = 8,
    /// The worst move.
    WORST_MOVE = 9,
    /// `=`
    DRAWISH_POSITION = 10,
    /// `=`: equal chances, quiet position.
    QUIET_POSITION = 11,
    /// `=`: equal chances, active position.
    ACTIVE_POSITION = 12,
    /// `∞`
    UNCLEAR_POSITION = 13,
    /// `⩲`
    WHITE_SLIGHT_ADVANTAGE = 14,
    /// `⩱`
    BLACK_SLIGHT_ADVANTAGE = 15,
    /// `±`
    WHITE_MODERATE_ADVANTAGE = 16,
    /// `∓`
    BLACK_MODERATE_ADVANTAGE = 17,
    /// `+-`
    WHITE_DECISIVE_ADVANTAGE = 18,
    /// `-+`
    BLACK_DECISIVE_ADVANTAGE = 19,
    /// `⨀`
    WHITE_ZUGZWANG = 22,
    /// `⨀`
    BLACK_ZUGZWANG = 23,
    /// `⇆`
    WHITE_MODERATE_COUNTERPLAY = 132,
    /// `⇆`
    BLACK_MODERATE_COUNTERPLAY = 133,
    /// White has decisive counterplay.
    WHITE_DECISIVE_COUNTERPLAY = 134,
    /// Black has decisive counterplay.
    BLACK_DECISIVE_COUNTERPLAY = 135,
    /// White is in moderate time pressure.
    WHITE_MODERATE_TIME_PRESSURE = 136,
    /// Black is in moderate time pressure.
    BLACK_MODERATE_TIME_PRESSURE = 137,
    /// `⊕`
    WHITE_SEVERE_TIME_PRESSURE = 138,
    /// `⊕`
    BLACK_SEVERE_TIME_PRESSURE = 139,
    /// `N`
    NOVELTY = 146,
}

/// The glyphs and their numbers. The first glyph of a number is the one to print.
///
/// Of a pair of numbers, one for each side, the table has White's.
const GLYPHS: &[(&str, u32)] = &[
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

/// The number of a glyph; `None` if it is not a known glyph.
///
/// ```
/// assert_eq!(gametree_chess::pgn::nag::from_glyph("±"), Some(16));
/// assert_eq!(gametree_chess::pgn::nag::from_glyph("Nf3"), None);
/// ```
pub fn from_glyph(glyph: &str) -> Option<u32> {
    let known = GLYPHS.iter().find(|(known, _)| *known == glyph);
    known.map(|&(_, nag)| nag)
}

/// The glyph to print for a number; `None` if there is no usual one.
///
/// ```
/// assert_eq!(gametree_chess::pgn::nag::glyph(5), Some("!?"));
/// assert_eq!(gametree_chess::pgn::nag::glyph(33), Some("⟳"));
/// assert_eq!(gametree_chess::pgn::nag::glyph(255), None);
/// ```
pub fn glyph(nag: u32) -> Option<&'static str> {
    let known = GLYPHS.iter().find(|(_, known)| *known == for_white(nag));
    known.map(|&(glyph, _)| glyph)
}

/// White's number of a pair of numbers, one for each side.
fn for_white(nag: u32) -> u32 {
    match nag {
        8 => 7,
        11 | 12 => 10,
        23 | 27 | 33 | 37 | 41 | 45 | 133 | 139 | 221 => nag - 1,
        _ => nag,
    }
}

/// The length and number of the longest glyph at the start of the text that begins with a
/// non-ASCII byte.
pub(crate) fn wide_glyph(text: &[u8]) -> Option<(usize, u32)> {
    let starts = GLYPHS
        .iter()
        .filter(|(glyph, _)| !glyph.is_ascii() && text.starts_with(glyph.as_bytes()));
    let (glyph, nag) = starts.max_by_key(|(glyph, _)| glyph.len())?;
    Some((glyph.len(), *nag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_glyphs_read_back() {
        for nag in 0..256 {
            if let Some(glyph) = glyph(nag) {
                assert_eq!(from_glyph(glyph), Some(for_white(nag)), "{nag} {glyph}");
            }
        }
    }

    #[test]
    fn the_usual_marks() {
        let glyphs = [
            (GOOD_MOVE, "!"),
            (MISTAKE, "?"),
            (BRILLIANT_MOVE, "!!"),
            (BLUNDER, "??"),
            (SPECULATIVE_MOVE, "!?"),
            (DUBIOUS_MOVE, "?!"),
        ];
        for (nag, text) in glyphs {
            assert_eq!(glyph(nag), Some(text));
            assert_eq!(from_glyph(text), Some(nag));
        }
        assert_eq!(wide_glyph("±x".as_bytes()), Some((2, 16)));
        assert_eq!(wide_glyph("♘".as_bytes()), None);
    }
}
