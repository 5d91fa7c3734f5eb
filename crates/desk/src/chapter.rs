//! Chapters: new games, and the tags that name a game as part of a repertoire or study.

use std::time::{SystemTime, UNIX_EPOCH};

use chess::pgn::Game;

/// Tags of a game.
pub(crate) type Tags = Vec<(String, String)>;

/// How the chapters of a file are named.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum NameStyle {
    /// Lichess: `[Event "STUDY: NAME"]`, and `[ChapterName "NAME"]` in newer exports. The study.
    Study {
        /// The text of `Event` before the name, `STUDY: `.
        prefix: String,
        /// The game has a `ChapterName`.
        has_name: bool,
    },
    /// `[White "Chapter 2"]` and `[Black "NAME"]`.
    Numbered,
    /// `[White "NAME"]`.
    White,
}

impl NameStyle {
    /// The style of a game with these tags; `event` is that of another chapter of the file.
    pub(crate) fn of(tags: &Tags, event: Option<&str>) -> NameStyle {
        let own = value(tags, "Event").unwrap_or_default();
        if let Some(name) = value(tags, "ChapterName") {
            let prefix = own.strip_suffix(name).filter(|rest| rest.ends_with(": "));
            return NameStyle::Study {
                prefix: prefix.unwrap_or_default().to_owned(),
                has_name: true,
            };
        }
        if is_study(tags)
            && let Some(prefix) = study_prefix(own, event)
        {
            return NameStyle::Study {
                prefix: prefix.to_owned(),
                has_name: false,
            };
        }
        if value(tags, "White").is_some_and(is_numbered) {
            NameStyle::Numbered
        } else {
            NameStyle::White
        }
    }

    /// The tags that give a chapter this name.
    pub(crate) fn tags(&self, name: &str) -> Tags {
        let tag = |tag: &str, value: String| (tag.to_owned(), value);
        match self {
            NameStyle::Study { prefix, has_name } => {
                let mut tags = Tags::new();
                if !prefix.is_empty() {
                    tags.push(tag("Event", format!("{prefix}{name}")));
                }
                if *has_name {
                    tags.push(tag("ChapterName", name.to_owned()));
                }
                tags
            }
            NameStyle::Numbered => vec![tag("Black", name.to_owned())],
            NameStyle::White => vec![tag("White", name.to_owned())],
        }
    }

    /// The name of a chapter with these tags.
    fn name<'a>(&self, tags: &'a Tags) -> Option<&'a str> {
        match self {
            NameStyle::Study { has_name: true, .. } => value(tags, "ChapterName"),
            NameStyle::Study { prefix, .. } => value(tags, "Event")?.strip_prefix(prefix),
            NameStyle::Numbered => value(tags, "Black"),
            NameStyle::White => value(tags, "White"),
        }
    }
}

/// A chapter for messages: its number from 1, and its name if it has one.
pub(crate) fn described(number: usize, tags: &Tags) -> String {
    let style = NameStyle::of(tags, None);
    let name = style.name(tags).filter(|name| is_known(name));
    match name {
        Some(name) => format!("chapter {number}, {name:?}"),
        None => format!("chapter {number}"),
    }
}

/// Gives a new game the tags of a chapter of the same repertoire as a game with these tags.
/// `number` counts the chapters, from 1.
pub(crate) fn set_tags(game: &mut Game, tags: &Tags, style: &NameStyle, name: &str, number: usize) {
    game.set_tag("Date", &today());
    for shared in ["Event", "Site", "StudyName", "Annotator"] {
        let known = value(tags, shared).filter(|known| is_known(known));
        if let Some(known) = known.filter(|_| shared != "Site" || !is_study(tags)) {
            game.set_tag(shared, known);
        }
    }
    if *style == NameStyle::Numbered {
        game.set_tag("White", &format!("Chapter {number}"));
    }
    let name = if name.is_empty() { "?" } else { name };
    for (tag, value) in style.tags(name) {
        game.set_tag(&tag, &value);
    }
}

/// The first game of a new file.
pub(crate) fn first() -> Game {
    let mut game = Game::new();
    game.set_tag("Date", &today());
    game
}

fn value<'a>(tags: &'a Tags, name: &str) -> Option<&'a str> {
    let found = tags.iter().find(|(known, _)| known == name);
    found.map(|(_, value)| value.as_str())
}

fn is_known(value: &str) -> bool {
    !value.is_empty() && !value.starts_with('?')
}

/// Exports of Lichess studies have the address of the chapter in `Site`.
fn is_study(tags: &Tags) -> bool {
    let has_address =
        |name| value(tags, name).is_some_and(|site| site.contains("lichess.org/study"));
    has_address("Site") || has_address("ChapterURL")
}

/// `STUDY: ` of `STUDY: NAME`. Both parts may contain colons: the study is what two chapters share.
fn study_prefix<'a>(own: &'a str, other: Option<&str>) -> Option<&'a str> {
    let shared = other.map_or(0, |other| {
        let same = own.chars().zip(other.chars()).take_while(|(a, b)| a == b);
        same.map(|(c, _)| c.len_utf8()).sum()
    });
    let last = own[..shared].rfind(": ").or_else(|| own.find(": "));
    Some(&own[..last? + 2])
}

/// `Chapter 2`
fn is_numbered(white: &str) -> bool {
    let number = white.strip_prefix("Chapter ");
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

/// The date in UTC, as PGN writes it.
fn today() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    date(now.map_or(0, |now| now.as_secs() / 86_400))
}

fn date(days_since_1970: u64) -> String {
    let mut days = days_since_1970;
    let mut year = 1970;
    while days >= days_in(year) {
        days -= days_in(year);
        year += 1;
    }
    let february = days_in(year) - 337;
    let months = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while month < 11 && days >= months[month] {
        days -= months[month];
        month += 1;
    }
    format!("{year:04}.{:02}.{:02}", month + 1, days + 1)
}

fn days_in(year: u64) -> u64 {
    let by = |number| year.is_multiple_of(number);
    let is_leap = by(4) && (!by(100) || by(400));
    365 + u64::from(is_leap)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(tags: &[(&str, &str)]) -> Tags {
        let owned = |(name, value): &(&str, &str)| (name.to_string(), value.to_string());
        tags.iter().map(owned).collect()
    }

    #[test]
    fn dates() {
        // From `date -u -d @SECONDS`.
        for (seconds, wanted) in [
            (0, "1970.01.01"),
            (951_782_400, "2000.02.29"),
            (1_735_603_200, "2024.12.31"),
            (1_794_787_200, "2026.11.16"),
            (4_107_542_400, "2100.03.01"),
        ] {
            assert_eq!(date(seconds / 86_400), wanted);
        }
    }

    #[test]
    fn styles_of_names() {
        let check = |known: &[(&str, &str)], other: Option<&str>, wanted: &[(&str, &str)]| {
            let style = NameStyle::of(&tags(known), other);
            assert_eq!(style.tags("New"), tags(wanted));
        };
        check(&[("White", "Anna")], None, &[("White", "New")]);
        check(
            &[("White", "Chapter 2"), ("Black", "Slav")],
            None,
            &[("Black", "New")],
        );
        check(&[("White", "Chapter x")], None, &[("White", "New")]);
        let site = ("Site", "https://lichess.org/study/abcdefgh/ijklmnop");
        let event = |event| [("Event", event), site];
        check(&event("Mates: Basic"), None, &[("Event", "Mates: New")]);
        check(
            &event("Mates: in 2: Exercise: A"),
            Some("Mates: in 2: Basic"),
            &[("Event", "Mates: in 2: New")],
        );
        check(
            &[
                ("Event", "Mates: A: B"),
                ("StudyName", "Mates"),
                ("ChapterName", "A: B"),
            ],
            None,
            &[("Event", "Mates: New"), ("ChapterName", "New")],
        );
        check(
            &[("Event", "Club"), ("ChapterName", "A")],
            None,
            &[("ChapterName", "New")],
        );
    }

    #[test]
    fn a_chapter_belongs_to_its_repertoire() {
        let known = tags(&[
            ("Event", "Catalan"),
            ("White", "Chapter 1"),
            ("Black", "Main line"),
            ("ECO", "E00"),
        ]);
        assert_eq!(described(1, &known), "chapter 1, \"Main line\"");
        let style = NameStyle::of(&known, None);
        let mut game = Game::new();
        set_tags(&mut game, &known, &style, "Slav", 4);
        for (tag, value) in [
            ("Event", "Catalan"),
            ("White", "Chapter 4"),
            ("Black", "Slav"),
        ] {
            assert_eq!(game.tag(tag), Some(value));
        }
        assert_eq!((game.tag("ECO"), game.tags().len()), (None, 7));
    }
}
