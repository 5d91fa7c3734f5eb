//! Finding where a game starts in the middle of a text, without the text before it.

use memchr::{memchr2, memmem, memrchr, memrchr2};

/// The start of a game in a part of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameStart {
    /// The position of its first byte.
    pub at: usize,
    /// A game starts here whatever precedes and follows the part, if lines end with `\n` or `\r\n`.
    /// Otherwise only if no comment encloses the whole part, which has no braces.
    pub is_certain: bool,
}

/// The first place in a part of a text where [`split`](super::split) of the whole text starts a
/// game, as far as the part alone decides: `[Event "` after a result and a blank line, outside
/// comments. Other starts of games are passed over.
///
/// ```
/// use gametree_chess::pgn::find_game_start;
///
/// let part = b"Nf3\nNc6 {well known} 1-0\n\n[Event \"A\"]\n\n1. d4 *\n";
/// let start = find_game_start(part).unwrap();
/// assert!(part[start.at..].starts_with(b"[Event \"A\"]") && start.is_certain);
/// ```
pub fn find_game_start(part: &[u8]) -> Option<GameStart> {
    let mut braces = Braces {
        part,
        seen: 0,
        before: None,
        next: 0,
    };
    let mut unsure = None;
    // A tag after a blank line ends an unclosed comment if the next brace opens another. From there
    // to that brace no comment is open, and the game has tags.
    let mut last_tag = None;
    let mut checked = 0;
    for line_end in memmem::find_iter(part, b"\n[Event \"") {
        let at = line_end + 1;
        // Lines that end with `\r` alone may have other borders.
        if has_lone_return(&part[checked..at]) {
            return unsure;
        }
        checked = at;
        let Some(text) = text_before_blank_line(&part[..at]) else {
            continue;
        };
        let before = braces.last_before(at);
        let next = braces.next_after(at);
        let follows_tag = last_tag.is_some_and(|tag| before.is_none_or(|brace| brace < tag));
        last_tag = Some(at);
        if !ends_game(text) {
            continue;
        }
        let is_closed = before.is_some_and(|brace| part[brace] == b'}');
        let is_opened_next = next.is_some_and(|brace| part[brace] == b'{');
        if is_closed || is_opened_next && follows_tag {
            let is_certain = true;
            return Some(GameStart { at, is_certain });
        }
        if before.is_none() && next.is_none() {
            let is_certain = false;
            unsure = unsure.or(Some(GameStart { at, is_certain }));
        }
    }
    unsure
}

/// The braces of a part, found once each by growing positions.
struct Braces<'a> {
    part: &'a [u8],
    /// The braces before here were searched for the last one.
    seen: usize,
    before: Option<usize>,
    /// No brace is between the last position asked for and here.
    next: usize,
}

impl Braces<'_> {
    fn last_before(&mut self, at: usize) -> Option<usize> {
        let found = memrchr2(b'{', b'}', &self.part[self.seen..at]);
        self.before = found.map(|len| self.seen + len).or(self.before);
        self.seen = at;
        self.before
    }

    fn next_after(&mut self, at: usize) -> Option<usize> {
        if self.next <= at {
            let found = memchr2(b'{', b'}', &self.part[at..]);
            self.next = found.map_or(self.part.len(), |len| at + len);
        }
        (self.next < self.part.len()).then_some(self.next)
    }
}

/// The text before the blank lines at the end, if there are any.
fn text_before_blank_line(text: &[u8]) -> Option<&[u8]> {
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
    let end = text.iter().rposition(|byte| !is_space(byte))? + 1;
    let (text, gap) = text.split_at(end);
    let line_ends = gap.iter().filter(|byte| **byte == b'\n').count();
    (line_ends > 1).then_some(text)
}

/// True if the last line is movetext that ends with a result. A line with `;` is not examined
/// further, since the result may be in a comment.
fn ends_game(text: &[u8]) -> bool {
    let Some(line_end) = memrchr(b'\n', text) else {
        return false;
    };
    let line = &text[line_end + 1..];
    let is_border = |byte: &u8| matches!(byte, b' ' | b'\t' | b'}' | b')');
    let word = line.iter().rposition(is_border).map_or(0, |at| at + 1);
    let is_result = matches!(&line[word..], b"1-0" | b"0-1" | b"1/2-1/2" | b"*");
    is_result && !line.trim_ascii_start().starts_with(b"%") && !line.contains(&b';')
}

/// True for a text with a line end of classic Mac OS.
fn has_lone_return(text: &[u8]) -> bool {
    memchr::memchr_iter(b'\r', text).any(|at| text.get(at + 1).is_some_and(|next| *next != b'\n'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::split;

    fn start(part: &str) -> Option<(usize, bool)> {
        find_game_start(part.as_bytes()).map(|found| (found.at, found.is_certain))
    }

    #[test]
    fn a_closed_comment_makes_it_certain() {
        let part = "x\ne4 {a} 1-0\n\n[Event \"A\"]\n";
        assert_eq!(start(part), Some((14, true)));
        assert_eq!(start(&part.replace('\n', "\r\n")), Some((17, true)));
    }

    #[test]
    fn without_braces_it_is_likely() {
        assert_eq!(start("x\ne4 1-0\n\n[Event \"A\"]\n"), Some((10, false)));
        assert_eq!(start("x\ne4 *\n \n\n[Event \"A\"]\n"), Some((10, false)));
    }

    #[test]
    fn games_in_a_comment_are_no_games() {
        let inside = "x\ne4 1-0\n\n[Event \"A\"]\n\n1. e4 *\n\n[Event \"B\"]\n\n*\n";
        assert_eq!(start(&format!("{inside} }} 1-0\n")), None);
        assert_eq!(start(&format!("{{{inside} }}\n")), None);
        let (at, is_certain) =
            start(&format!("{inside} }} 1-0\n\n[Event \"C\"]\n")).expect("found");
        assert!(at > inside.len() && is_certain);
    }

    #[test]
    fn other_borders_are_passed_over() {
        for part in [
            "1-0\n\n[Event \"A\"]",
            "x\n1-0\n[Event \"A\"]",
            "x\n\n[Event \"A\"]",
            "x\n; 1-0\n\n[Event \"A\"]",
            "x\n% 1-0\n\n[Event \"A\"]",
            "x\n11-0\n\n[Event \"A\"]",
            "x\n1-0\n\n [Event \"A\"]",
            "x\n1-0\n\n[White \"A\"]",
            "x\r1-0\n\n[Event \"A\"]\n",
            "x\n1-0\n\r\r\n[Event \"A\"]\n",
        ] {
            assert_eq!(start(part), None, "{part:?}");
        }
    }

    /// Texts of the pieces that decide about borders.
    fn hostile(random: &mut u64) -> String {
        const PIECES: [&str; 23] = [
            "{",
            "}",
            "{a}",
            ";",
            "%",
            "\n",
            "\n\n",
            "\r\n",
            "\r\n\r\n",
            "[Event \"E\"]",
            "[White \"1-0\"]",
            "[Event \"",
            "\"]",
            "1-0",
            "*",
            "1. e4 ",
            " 1. ",
            " ",
            "(",
            ")",
            "word",
            "\n1-0\n\n[Event \"E\"]\n",
            "\n*\n\n[Event \"E\"]\n",
        ];
        let mut draw = |below: usize| {
            *random ^= *random << 13;
            *random ^= *random >> 7;
            *random ^= *random << 17;
            (*random % below as u64) as usize
        };
        let pieces = 1 + draw(30);
        (0..pieces).map(|_| PIECES[draw(PIECES.len())]).collect()
    }

    #[test]
    fn certain_starts_are_borders_of_the_whole_text() {
        let mut random = 0x9e37_79b9_7f4a_7c15;
        let mut found = 0;
        for _ in 0..20_000 {
            let text = hostile(&mut random);
            let starts: Vec<usize> = split(text.as_bytes())
                .map(|game| game.place.offset as usize)
                .collect();
            for from in 0..text.len() {
                for until in [text.len(), from + (text.len() - from) / 2] {
                    let Some(start) = find_game_start(&text.as_bytes()[from..until]) else {
                        continue;
                    };
                    let at = from + start.at;
                    assert!(
                        !start.is_certain || starts.contains(&at),
                        "{at} in {text:?} from {from} to {until}, borders {starts:?}"
                    );
                    found += usize::from(start.is_certain);
                }
            }
        }
        assert!(found > 5_000, "{found}");
    }
}
