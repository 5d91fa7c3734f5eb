//! Chess variants and their names in PGN tags.

use std::fmt;

/// Chess and the supported variants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Variant {
    /// Chess.
    #[default]
    Standard,
    /// Chess960: 960 starting positions with adapted castling.
    Chess960,
    /// Antichess (losing chess): captures are mandatory, the side without moves wins. Suicide and
    /// Giveaway differ only in castling and in the result of stalemate; these rules are used for
    /// them too.
    Antichess,
    /// Captures explode.
    Atomic,
    /// A king in the centre wins.
    KingOfTheHill,
    /// The third check wins.
    ThreeCheck,
    /// Captured pieces may be dropped.
    Crazyhouse,
    /// The first king on the eighth rank wins.
    RacingKings,
    /// Pieces against thirty-six pawns.
    Horde,
}

impl Variant {
    /// Every variant.
    pub const ALL: [Variant; 9] = [
        Variant::Standard,
        Variant::Chess960,
        Variant::Antichess,
        Variant::Atomic,
        Variant::KingOfTheHill,
        Variant::ThreeCheck,
        Variant::Crazyhouse,
        Variant::RacingKings,
        Variant::Horde,
    ];

    /// The variant of a PGN `Variant` tag. Case, spaces, hyphens, underscores and the word `chess`
    /// at the end are ignored, as is `960` after the name of another variant.
    ///
    /// ```
    /// # use gametree_chess::Variant;
    /// assert_eq!(Variant::from_tag("King of the Hill"), Some(Variant::KingOfTheHill));
    /// assert_eq!(Variant::from_tag("3-check"), Some(Variant::ThreeCheck));
    /// assert_eq!(Variant::from_tag("Fischerandom"), Some(Variant::Chess960));
    /// assert_eq!(Variant::from_tag("Bughouse"), None);
    /// ```
    pub fn from_tag(tag: &str) -> Option<Variant> {
        let word: String = tag
            .chars()
            .filter(|c| !matches!(c, ' ' | '-' | '_' | '\t' | '\''))
            .flat_map(char::to_lowercase)
            .collect();
        let cut = |end| {
            word.strip_suffix(end)
                .filter(|rest: &&str| !rest.is_empty())
        };
        Variant::named(&word)
            .or_else(|| Variant::named(cut("chess")?))
            .or_else(|| Variant::named(cut("960")?))
    }

    fn named(word: &str) -> Option<Variant> {
        Some(match word {
            "" | "?" | "standard" | "chess" | "classical" | "normal" | "illegal" | "orthodox"
            | "fromposition" | "regular" | "wild/0" | "wild/1" | "wild/2" | "wild/3" | "wild/4"
            | "wild/5" | "wild/6" | "wild/7" | "wild/8" | "wild/8a" => Variant::Standard,
            "chess960" | "960" | "fischerandom" | "fischerrandom" | "fischer" | "freestyle"
            | "frc" | "chess9lx" | "wild/fr" | "wild/22" => Variant::Chess960,
            "anti" | "suicide" | "giveaway" | "losing" | "wild/26" => Variant::Antichess,
            "atomic" | "atom" | "wild/27" => Variant::Atomic,
            "kingofthehill" | "koth" => Variant::KingOfTheHill,
            "threecheck" | "threechecks" | "3check" | "3checks" | "wild/25" => Variant::ThreeCheck,
            "crazyhouse" | "house" | "zh" | "wild/23" => Variant::Crazyhouse,
            "racingkings" | "racing" | "race" => Variant::RacingKings,
            "horde" => Variant::Horde,
            _ => return None,
        })
    }

    /// The name for a PGN `Variant` tag, as Lichess and python-chess write it.
    pub const fn tag(self) -> &'static str {
        match self {
            Variant::Standard => "Standard",
            Variant::Chess960 => "Chess960",
            Variant::Antichess => "Antichess",
            Variant::Atomic => "Atomic",
            Variant::KingOfTheHill => "King of the Hill",
            Variant::ThreeCheck => "Three-check",
            Variant::Crazyhouse => "Crazyhouse",
            Variant::RacingKings => "Racing Kings",
            Variant::Horde => "Horde",
        }
    }

    /// True for chess and Chess960.
    pub const fn is_chess(self) -> bool {
        matches!(self, Variant::Standard | Variant::Chess960)
    }

    pub(crate) const fn rules(self) -> shakmaty::variant::Variant {
        use shakmaty::variant::Variant as Rules;
        match self {
            Variant::Standard | Variant::Chess960 => Rules::Chess,
            Variant::Antichess => Rules::Antichess,
            Variant::Atomic => Rules::Atomic,
            Variant::KingOfTheHill => Rules::KingOfTheHill,
            Variant::ThreeCheck => Rules::ThreeCheck,
            Variant::Crazyhouse => Rules::Crazyhouse,
            Variant::RacingKings => Rules::RacingKings,
            Variant::Horde => Rules::Horde,
        }
    }

    pub(crate) const fn from_rules(rules: shakmaty::variant::Variant) -> Variant {
        use shakmaty::variant::Variant as Rules;
        match rules {
            Rules::Chess => Variant::Standard,
            Rules::Antichess => Variant::Antichess,
            Rules::Atomic => Variant::Atomic,
            Rules::KingOfTheHill => Variant::KingOfTheHill,
            Rules::ThreeCheck => Variant::ThreeCheck,
            Rules::Crazyhouse => Variant::Crazyhouse,
            Rules::RacingKings => Variant::RacingKings,
            Rules::Horde => Variant::Horde,
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tag())
    }
}
