//! The reserved words of the language, and suggestions for misspelt names.

/// Words that cannot name a variable.
pub(crate) const RESERVED: &[&str] = &[
    "abs",
    "all",
    "ancestor",
    "and",
    "anydirection",
    "ascii",
    "assert",
    "atomic",
    "attack",
    "attackedby",
    "attacks",
    "between",
    "black",
    "btm",
    "capture",
    "captures",
    "castle",
    "check",
    "child",
    "colortype",
    "comment",
    "connectedpawns",
    "consecutivemoves",
    "count",
    "countmoves",
    "cql",
    "curpos",
    "currentmove",
    "currentposition",
    "currenttransform",
    "dark",
    "date",
    "depth",
    "descendant",
    "diagonal",
    "dictionary",
    "dihedral",
    "distance",
    "doubledpawns",
    "down",
    "echo",
    "eco",
    "elo",
    "else",
    "enpassant",
    "enpassantsquare",
    "equal",
    "event",
    "eventdate",
    "false",
    "fen",
    "file",
    "find",
    "firstmatch",
    "flip",
    "flipcolor",
    "flipdihedral",
    "fliphorizontal",
    "flipvertical",
    "focus",
    "from",
    "function",
    "gamenumber",
    "hascomment",
    "hhdb",
    "horizontal",
    "idealmate",
    "idealstalemate",
    "if",
    "in",
    "indexof",
    "initial",
    "initialposition",
    "input",
    "int",
    "isbound",
    "isolatedpawns",
    "isunbound",
    "keepallbest",
    "lastgamenumber",
    "lastposition",
    "lca",
    "left",
    "legal",
    "light",
    "line",
    "local",
    "loop",
    "lowercase",
    "maindiagonal",
    "mainline",
    "makesquare",
    "matchcount",
    "matchstring",
    "mate",
    "max",
    "message",
    "min",
    "modelmate",
    "modelstalemate",
    "move",
    "movenumber",
    "nestban",
    "northeast",
    "northwest",
    "nosort",
    "not",
    "notransform",
    "null",
    "nullmove",
    "o-o",
    "o-o-o",
    "offdiagonal",
    "or",
    "originalcomment",
    "orthogonal",
    "output",
    "parent",
    "passedpawns",
    "path",
    "pathcount",
    "pathcountunfocused",
    "pathdebug",
    "pathlastposition",
    "pathstart",
    "persistent",
    "piece",
    "pieceid",
    "piecename",
    "piecepath",
    "pin",
    "player",
    "ply",
    "position",
    "positionid",
    "power",
    "previous",
    "primary",
    "promote",
    "pseudolegal",
    "puremate",
    "purestalemate",
    "quiet",
    "rank",
    "ray",
    "readfile",
    "removecomment",
    "result",
    "reversecolor",
    "right",
    "rotate45",
    "rotate90",
    "secondary",
    "settag",
    "shift",
    "shifthorizontal",
    "shiftvertical",
    "sidetomove",
    "silent",
    "similarposition",
    "singlecolor",
    "site",
    "sort",
    "southeast",
    "southwest",
    "sqrt",
    "square",
    "stalemate",
    "str",
    "string",
    "tag",
    "terminal",
    "then",
    "through",
    "title",
    "to",
    "true",
    "try",
    "type",
    "typename",
    "unbind",
    "up",
    "uppercase",
    "variation",
    "variations",
    "verbose",
    "vertical",
    "virtualmainline",
    "while",
    "white",
    "writefile",
    "wtm",
    "xray",
    "year",
];

/// Words of CQLi alone: filters unless the query uses them as names of variables.
pub(crate) const SOFT: &[&str] = &[
    "imagine",
    "saveposition",
    "currentmutation",
    "legalposition",
    "reachableposition",
    "reverse",
    "drop",
    "removetag",
    "variant",
    "variantwin",
    "variantloss",
    "variantend",
    "variantdraw",
    "zobristkey",
    "promotedpieces",
    "pipe",
    "outputfile",
    "round",
    "castlingrights",
    "halfmoveclock",
];

/// Whether a variable may not have this name.
pub(crate) fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

/// Common words that are not part of the language, with their equivalents.
const MEANT: &[(&str, &str)] = &[
    ("castling", "castle"),
    ("checkmate", "mate"),
    ("bishop", "[Bb]"),
    ("king", "[Kk]"),
    ("knight", "[Nn]"),
    ("pawn", "[Pp]"),
    ("queen", "[Qq]"),
    ("rook", "[Rr]"),
];

/// The equivalent of a common word, singular or plural.
pub(crate) fn meant(name: &str) -> Option<&'static str> {
    let name = name.to_lowercase();
    let singular = name.strip_suffix('s').unwrap_or(&name);
    let found = MEANT
        .iter()
        .find(|(word, _)| *word == name || *word == singular);
    found.map(|(_, word)| *word)
}

/// The known name nearest to a misspelt one, if any is near.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    let limit = (name.chars().count() / 3).clamp(1, 3);
    known
        .filter(|k| k.len().abs_diff(name.len()) <= limit)
        .map(|k| (strsim::osa_distance(&name, &k.to_lowercase()), k))
        .filter(|&(d, _)| d <= limit)
        .min_by_key(|&(d, _)| d)
        .map(|(_, k)| k)
}

/// The keyword that was written as several words, as in `isolated pawn` or `en_passant`.
pub(crate) fn joined(words: &str) -> Option<&'static str> {
    let letters: String = words.chars().filter(|c| c.is_alphanumeric()).collect();
    let letters = letters.to_lowercase();
    let known = RESERVED.iter().chain(SOFT).copied();
    let mut long = known.filter(|k| k.len() > 5);
    long.find(|k| *k == letters || k.strip_suffix('s') == Some(&letters))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_names_find_the_nearest() {
        let find = |word| nearest(word, RESERVED.iter().copied());
        assert_eq!(find("stalmate"), Some("stalemate"));
        assert_eq!(find("flipcolour"), Some("flipcolor"));
        assert_eq!(find("terminla"), Some("terminal"));
        assert_eq!(find("zzzzzz"), None);
    }

    #[test]
    fn keywords_written_apart_are_found() {
        assert_eq!(joined("isolated pawn"), Some("isolatedpawns"));
        assert_eq!(joined("Passed Pawns"), Some("passedpawns"));
        assert_eq!(joined("move_number"), Some("movenumber"));
        assert_eq!(joined("white king"), None);
    }
}
