//! References from the end of a line to its continuation, as readable comments:
//! `Transposes to 1.d4 Nf6 2.c4`.

use std::fmt;

/// A reference to a position: its moves, in this game or another game of the same file.
///
/// ```
/// use gametree_chess::link::Link;
///
/// let link = Link::read("transposes to game 2, 1.d4 Nf6 2.c4").unwrap();
/// assert_eq!((link.game, link.moves.as_str()), (Some(2), "1.d4 Nf6 2.c4"));
/// assert_eq!(link.to_string(), "Transposes to game 2, 1.d4 Nf6 2.c4");
/// assert_eq!(Link::read("Transposes to the main line."), None);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Link {
    /// The number of the game in its file, from 1; `None` for the game with the comment.
    pub game: Option<u64>,
    /// The moves from the start position in SAN; empty for the start position.
    pub moves: String,
    /// Why it was written.
    pub kind: LinkKind,
}

/// Why a reference was written. A command at its end keeps it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum LinkKind {
    /// By hand: no command.
    #[default]
    Plain,
    /// `[%link cut]`: the same continuation stood here, and was removed.
    Cut,
    /// `[%link end]`: the line ended here.
    End,
}

impl LinkKind {
    fn command(self) -> &'static str {
        match self {
            LinkKind::Plain => "",
            LinkKind::Cut => "[%link cut]",
            LinkKind::End => "[%link end]",
        }
    }

    /// A reference without its command, and its kind.
    fn split(text: &str) -> (&str, LinkKind) {
        let kinds = [LinkKind::Cut, LinkKind::End].into_iter();
        let mut found = kinds.filter_map(|kind| Some((text.strip_suffix(kind.command())?, kind)));
        found.next().unwrap_or((text, LinkKind::Plain))
    }
}

const WORDS: &str = "Transposes to";
const START: &str = "the start";

impl Link {
    /// A reference to a line of the same game, written by its author.
    pub fn to(moves: impl Into<String>) -> Link {
        Link {
            game: None,
            moves: moves.into(),
            kind: LinkKind::Plain,
        }
    }

    /// Reads a comment that consists of a reference and nothing else. The moves are not checked.
    pub fn read(comment: &str) -> Option<Link> {
        let (text, kind) = LinkKind::split(comment.trim());
        let text = text.trim_end().trim_end_matches('.');
        let rest = strip_words(text, WORDS)?;
        let (game, rest) = match rest.split_once(',') {
            Some((game, rest)) => (Some(game_number(game)?), rest),
            None => (None, rest),
        };
        let moves = match rest.trim() {
            start if start.eq_ignore_ascii_case(START) => String::new(),
            moves => joined(moves)?,
        };
        Some(Link { game, moves, kind })
    }

    /// The moves without their numbers.
    pub fn san(&self) -> impl Iterator<Item = &str> {
        let words = self.moves.split_whitespace();
        words.map(without_number).filter(|word| !word.is_empty())
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{WORDS} ")?;
        if let Some(game) = self.game {
            write!(f, "game {game}, ")?;
        }
        f.write_str(match self.moves.as_str() {
            "" => START,
            moves => moves,
        })?;
        match self.kind {
            LinkKind::Plain => Ok(()),
            kind => write!(f, " {}", kind.command()),
        }
    }
}

/// The rest of the text after these words, ignoring case and the spaces between them.
fn strip_words<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    let mut rest = text;
    for word in words.split(' ') {
        rest = rest.trim_start();
        let head = rest.get(..word.len())?;
        rest = head
            .eq_ignore_ascii_case(word)
            .then(|| &rest[word.len()..])?;
    }
    rest.starts_with(|char: char| char.is_whitespace())
        .then_some(rest)
}

fn game_number(text: &str) -> Option<u64> {
    strip_words(text, "game")?.trim().parse().ok()
}

/// The moves joined by single spaces; `None` if the text is not a list of moves.
fn joined(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let numbered = words
        .first()?
        .starts_with(|char: char| char.is_ascii_digit());
    let all = words.iter().all(|word| is_move(without_number(word)));
    (numbered && all).then(|| words.join(" "))
}

fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|char: char| char.is_ascii_digit());
    match rest.trim_start_matches(['.', '…']) {
        // `0-0` and words without dots have no number.
        _ if !rest.starts_with(['.', '…']) && !rest.is_empty() => word,
        played => played,
    }
}

/// True for a word that can be a move, and for the empty rest of a number.
fn is_move(word: &str) -> bool {
    let known = |char: char| char.is_ascii_alphanumeric() || "+#=-@".contains(char);
    let castling = word.starts_with(['O', '0', 'o']);
    let has_rank = word.contains(|char: char| ('1'..='8').contains(&char));
    word.is_empty() || word == "--" || (word.chars().all(known) && (castling || has_rank))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_and_back() {
        for text in [
            "Transposes to 1.e4 c5 2.Nf3",
            "Transposes to 1...e5 2.O-O-O --",
            "Transposes to game 12, 1.e4",
            "Transposes to the start",
            "Transposes to game 2, the start",
            "Transposes to 1.d4 [%link cut]",
            "Transposes to game 2, 1.d4 [%link end]",
        ] {
            assert_eq!(Link::read(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn as_others_may_write_them() {
        let link = Link::read(" TRANSPOSES  to 1. e4\nc5 2. Nf3 0-0. ").unwrap();
        assert_eq!(link.moves, "1. e4 c5 2. Nf3 0-0");
        assert_eq!(link.san().collect::<Vec<_>>(), ["e4", "c5", "Nf3", "0-0"]);
    }

    #[test]
    fn other_comments() {
        for text in [
            "",
            "Transposes",
            "Transposes to",
            "transposes tomorrow 1.e4",
            "Transposes to 1.e4 lines",
            "Transposes to e4",
            "Transposes to the main line, with 7.Qc2 to come",
            "Transposes to chapter 2, 1.e4",
            "Transposes to 1.e4 [%link]",
            "[%link cut]",
            "1.e4",
        ] {
            assert_eq!(Link::read(text), None, "{text}");
        }
    }
}
