//! The meanings of the signs on moves.

/// The meaning of the sign of a NAG; none if it has no sign or needs no explanation.
pub fn meaning(nag: u32) -> Option<&'static str> {
    Some(match nag {
        1 => "good move",
        2 => "mistake",
        3 => "brilliant move",
        4 => "blunder",
        5 => "interesting move",
        6 => "dubious move",
        7 | 8 => "only move",
        10..=12 => "equal",
        13 => "unclear",
        14 => "White is slightly better",
        15 => "Black is slightly better",
        16 => "White is better",
        17 => "Black is better",
        18 => "White is winning",
        19 => "Black is winning",
        20 => "White is crushing",
        21 => "Black is crushing",
        22 | 23 => "zugzwang",
        26 | 27 => "space",
        32 | 33 => "development",
        36 | 37 => "initiative",
        40 | 41 => "attack",
        44 | 45 => "compensation",
        132 | 133 => "counterplay",
        138 | 139 => "time pressure",
        140 => "with the idea",
        142 => "better is",
        146 => "novelty",
        _ => return None,
    })
}
