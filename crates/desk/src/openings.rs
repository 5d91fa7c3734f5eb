//! The openings of games: by their tags, or by their positions.

use std::fmt;

use chess::pgn::Game;
use chess::{Board, Move};
use serde::Serialize;

pub use chess::openings::Opening;

/// The name of a game's deepest named position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct GameOpening {
    /// The ECO code.
    pub eco: &'static str,
    /// The name.
    pub name: &'static str,
    /// Half-moves from the start of the game to the position.
    pub ply: u32,
}

impl GameOpening {
    /// The opening of a game's mainline.
    pub fn of(game: &Game) -> Option<GameOpening> {
        GameOpening::of_line(game.start(), game.mainline_moves())
    }

    /// The opening of some moves.
    pub fn of_line(start: &Board, moves: impl IntoIterator<Item = Move>) -> Option<GameOpening> {
        let (Opening { eco, name }, ply) = Opening::of_line(start, moves)?;
        Some(GameOpening { eco, name, ply })
    }
}

/// `B90 Sicilian Defense: Najdorf Variation`.
impl fmt::Display for GameOpening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.eco, self.name)
    }
}

/// The opening by the tags of a game: `ECO`, `Opening` or both.
pub fn by_tags<'a>(tag: impl Fn(&str) -> Option<&'a str>) -> Option<String> {
    let known = |name| tag(name).filter(|value| is_known(value));
    match (known("ECO"), known("Opening")) {
        (Some(eco), Some(name)) => Some(format!("{eco} {name}")),
        (one, other) => one.or(other).map(str::to_owned),
    }
}

fn is_known(value: &str) -> bool {
    !value.is_empty() && !value.starts_with('?')
}

/// What happens to the tags `ECO` and `Opening`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OpeningTags {
    /// They stay as they are.
    #[default]
    Keep,
    /// Missing and unknown ones are set by position.
    Add,
    /// Both are set by position, and `Variation` and `SubVariation`, which belong to the former
    /// name, are removed. Those of a game without a named position stay.
    Replace,
}

impl OpeningTags {
    /// Sets the tags of a game.
    pub fn apply(self, game: &mut Game) {
        if self == OpeningTags::Keep {
            return;
        }
        let Some((opening, _)) = Opening::of_game(game) else {
            return;
        };
        for (tag, value) in [("ECO", opening.eco), ("Opening", opening.name)] {
            if self == OpeningTags::Replace || !game.tag(tag).is_some_and(is_known) {
                game.set_tag(tag, value);
            }
        }
        if self == OpeningTags::Replace {
            game.remove_tag("Variation");
            game.remove_tag("SubVariation");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::pgn::read_game;

    fn tags(pgn: &str, option: OpeningTags) -> Vec<(String, String)> {
        let mut game = read_game(pgn.as_bytes()).unwrap();
        option.apply(&mut game);
        let tags = game.tags();
        tags.map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    }

    fn pair(name: &str, value: &str) -> (String, String) {
        (name.to_owned(), value.to_owned())
    }

    #[test]
    fn tags_of_the_publisher_stay_unless_replaced() {
        let pgn = "[ECO \"C20\"]\n[Opening \"?\"]\n[Variation \"X\"]\n\n1. e4 *";
        let (own, unknown) = (pair("ECO", "C20"), pair("Opening", "?"));
        let variation = pair("Variation", "X");
        let name = pair("Opening", "King's Pawn Game");
        assert_eq!(
            tags(pgn, OpeningTags::Keep),
            [own.clone(), unknown, variation.clone()]
        );
        assert_eq!(tags(pgn, OpeningTags::Add), [own, name.clone(), variation]);
        assert_eq!(tags(pgn, OpeningTags::Replace), [pair("ECO", "B00"), name]);
    }

    #[test]
    fn a_game_without_a_named_position_keeps_its_tags() {
        let pgn = "[ECO \"A00\"]\n[FEN \"8/8/8/4k3/8/4K3/4P3/8 w - - 0 1\"]\n\n1. Kd3 *";
        assert_eq!(tags(pgn, OpeningTags::Replace)[0], pair("ECO", "A00"));
        assert_eq!(tags(pgn, OpeningTags::Add).len(), 2);
    }

    #[test]
    fn the_opening_by_tags() {
        let of = |pairs: &[(&'static str, &'static str)]| {
            by_tags(|name| pairs.iter().find(|pair| pair.0 == name).map(|pair| pair.1))
        };
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[("ECO", "?")]), None);
        assert_eq!(of(&[("ECO", "B90")]).unwrap(), "B90");
        assert_eq!(of(&[("Opening", "N"), ("ECO", "B90")]).unwrap(), "B90 N");
    }
}
