//! Usual movetext in one loop: strict SAN, the move numbers that are due, comments, variations.
//!
//! Token by token, the scanner decides between all kinds of tokens, and the builder tests each time
//! what could differ from the usual case. Here that is tested once, before a run of usual tokens; all
//! others are left to the scanner. A token ends where its own bytes say so, whatever is on the board,
//! so the processor can begin with the next move while it still plays this one.

use super::Build;
use super::text::{Return, push_part};
use crate::Move;
use crate::board::Word;
use crate::pgn::block::{BLOCK, Brace, Overlap, bits};
use crate::pgn::cpu::Cpu;
use crate::pgn::game::NoteKind;
use crate::pgn::scan::{
    Shortcut, Style, Visitor, next_token, usual_comment_end, usual_nag, usual_number,
};

/// Reads usual movetext without calling the visitor for each token.
#[derive(Clone, Copy)]
pub(super) struct UsualTokens;

impl Shortcut<Build<'_>> for UsualTokens {
    #[inline(always)]
    fn pass<C: Cpu>(self, cpu: C, build: &mut Build, at: usize) -> usize {
        if build.is_usual() {
            build.usual_tokens(cpu, at)
        } else {
            at
        }
    }
}

impl Build<'_> {
    /// True where a move needs no more than to be played and added. The tokens read here leave it
    /// so.
    #[inline(always)]
    fn is_usual(&self) -> bool {
        let is_waiting = self.kept.is_some() | self.words.is_some() | self.held.is_some();
        !is_waiting & (self.eol == b'\n')
    }

    /// Reads tokens from `at` on; returns where the first other one starts.
    #[inline(always)]
    fn usual_tokens(&mut self, cpu: impl Cpu, mut at: usize) -> usize {
        let text = self.source.as_bytes();
        while let Some(mut bytes) = eight_bytes(text, at) {
            if bytes[0].is_ascii_digit() {
                let Some(end) = self.due_number_end(at) else {
                    break;
                };
                self.number = at..end;
                at = next_token(text, end);
                match eight_bytes(text, at) {
                    Some(next) => bytes = next,
                    None => break,
                }
            }
            let next = if bytes[0].is_ascii_alphabetic() {
                self.usual_move(at, bytes)
            } else if bytes[0] == b'{' {
                self.usual_comment(cpu, at)
            } else {
                self.usual_sign(at, bytes)
            };
            match next {
                Some(next) => at = next,
                None => break,
            }
        }
        at
    }

    /// The end of a move number that is that of the next move.
    #[inline(always)]
    fn due_number_end(&self, at: usize) -> Option<usize> {
        // The number is read and not compared with the text of the one that is due: then the next
        // token would wait for the board.
        let (number, end) = usual_number(self.source.as_bytes(), at)?;
        (number == self.boards.now().fullmoves()).then_some(end)
    }

    /// Plays a move and returns where the next token starts.
    #[inline(always)]
    fn usual_move(&mut self, at: usize, bytes: [u8; 8]) -> Option<usize> {
        let word = Word::until_blank(bytes)?;
        let end = at + word.len();
        let next = match word.next_byte() {
            b' ' => end + 1,
            _ => after_word(self.source.as_bytes(), end)?,
        };
        let mv = match self.boards.play_usual(word) {
            Some(mv) => mv,
            None => self.play_rare_word(at, end)?,
        };
        let line = &mut self.line;
        if line.moves > 1 {
            line.node = self.game.tree.add_child(line.node, mv);
            line.alternatives = 0;
            line.moves += 1;
        } else {
            self.add_move(mv, &(at..end));
        }
        Some(next)
    }

    /// Plays a word that ends as most moves do.
    #[inline(never)]
    fn play_rare_word(&mut self, start: usize, end: usize) -> Option<Move> {
        let word = &self.source.as_bytes()[start..end];
        match word.strip_suffix(b"+").unwrap_or(word) {
            [.., b'1'..=b'8' | b'O'] => self.boards.play_rare(word),
            _ => None,
        }
    }

    /// Adds a comment and returns where the next token starts.
    #[inline(always)]
    fn usual_comment(&mut self, cpu: impl Cpu, open: usize) -> Option<usize> {
        let text = self.source.as_bytes();
        let block: &Overlap = text.get(open + 1..)?.first_chunk()?;
        let close = bits(cpu, block, Brace).trailing_zeros() as usize;
        let is_short = close.wrapping_sub(2) < BLOCK - 2 && block[close] == b'}';
        if !is_short || self.has_return(cpu, block, close) {
            let end = usual_comment_end(cpu, text, open)?;
            self.comment(Style::Brace, open + 1..end - 1, open..end);
            return Some(next_token(text, end));
        }
        let start = open + 1 + usize::from(block[0] == b' ');
        let end = open + 1 + close - usize::from(block[close - 1] == b' ');
        if start < end {
            let before = self.game.text.len() as u32;
            push_part(&mut self.game.text, self.source, start..end);
            let text = self.game.text_from(before);
            self.note(NoteKind::Comment(Style::Brace), text);
        }
        Some(next_token(text, open + close + 2))
    }

    /// True if a `\r` is among the first bytes of a block.
    #[inline(always)]
    fn has_return(&self, cpu: impl Cpu, block: &Overlap, len: usize) -> bool {
        !self.plain_line_ends && (bits(cpu, block, Return).trailing_zeros() as usize) < len
    }

    /// Reads a parenthesis, a `$` with a number or a space, and returns where the next token starts.
    #[inline(always)]
    fn usual_sign(&mut self, at: usize, bytes: [u8; 8]) -> Option<usize> {
        let mut end = at + 1;
        match bytes {
            [b')', ..] if !self.frames.is_empty() => self.close(at),
            // not a draw offer or a diagram
            [b'(', next, ..] if next != b'=' && next != b'D' => self.open(at),
            [b'$', a, b, c, ..] => {
                let (nag, len) = usual_nag([b'$', a, b, c])?;
                end = at + len;
                self.nag(nag, at..end);
            }
            [b' ', ..] => return Some(end),
            _ => return None,
        }
        Some(next_token(self.source.as_bytes(), end))
    }
}

/// The next token after a word without a space after it, if that ends a common move.
#[inline(always)]
fn after_word(text: &[u8], end: usize) -> Option<usize> {
    match text.get(end)? {
        b'\n' | b'\r' => Some(next_token(text, end)),
        b'!' | b')' => Some(end),
        _ => None,
    }
}

#[inline(always)]
fn eight_bytes(text: &[u8], at: usize) -> Option<[u8; 8]> {
    text.get(at..)?.first_chunk().copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::scan::NoShortcut;
    use crate::pgn::{Builder, Game, split};
    use proptest::prelude::*;

    /// Reads games with and without the shortcut.
    fn check(text: &str) {
        let (mut builder, mut short, mut long) = (Builder::new(), Game::default(), Game::default());
        for raw in split(text.as_bytes()) {
            builder.read_with(UsualTokens, raw, &mut short);
            builder.read_with(NoShortcut, raw, &mut long);
            assert_eq!(format!("{short:?}"), format!("{long:?}"), "from {text:?}");
        }
    }

    #[test]
    fn alternatives_before_the_first_move() {
        check("(1. c4 {x}) e4 Nc6 (1... d4) 2. Qxd5 *");
        check("(1. c4) (1. d4 d5 2. c4 (2. Nf3)) 1. e4 {a} e5 {b} (1... c5) {c} 2. f4 *");
    }

    #[test]
    fn tokens_next_to_others() {
        let after = "2. Nf3 {c} (2. f4 $1) 2... Nc6 *";
        for line_end in ["\n", "\r\n", "\r"] {
            for token in TOKENS {
                check(&format!("1. e4 e5{token}{line_end}{after}"));
                check(&format!("1. e4 e5 {token}{after}"));
                check(&format!("1. e4 e5 (1... {token} d5{line_end}) {after}"));
                check(&format!(
                    "{token} 1. e4 (1. {token}{line_end}d4) e5 {after}"
                ));
            }
        }
    }

    const TOKENS: &[&str] = &[
        "",
        "1.",
        "1...",
        "2. ",
        "2.. ",
        "2....",
        "12.",
        "999.",
        "1000...",
        "0.",
        "01. ",
        "3.\n",
        "e4",
        "e5",
        "Nf3",
        "Nf6+",
        "Nf6#",
        "Nc6!",
        "Nc6?",
        "Nc6)",
        "Nc6(",
        "Nc6{",
        "Nc6,",
        "Nc6;",
        "d4 ",
        "d5\r\n",
        "exd5",
        "Qxd5",
        "Nbd2",
        "N1c3",
        "Bb5+ ",
        "O-O",
        "O-O+",
        "O-O-O",
        "0-0",
        "e8=Q",
        "e4e5",
        "ab",
        "xx",
        "N",
        "D",
        "RR",
        "Ke2",
        "Qh5",
        "Qh4+",
        "é",
        "♘f3",
        "½",
        "--",
        "Z0",
        "{",
        "}",
        "{}",
        "{ }",
        "{  }",
        "{a}",
        "{ a }",
        "{é}",
        "{ é}",
        "{aé }",
        "{a\nb}",
        "{a\r\nb}",
        "{\r}",
        "{a {b}",
        "{12345678901234567890123456789012345678901234567890123456789012}",
        "{ 3456789012345678901234567890123456789012345678901234567890123}",
        "{123456789012345678901234567890123456789012345678901234567890\r\n123 }",
        "{ééééééééééééééé}",
        "{123456789012345678901234567890123456789012345678901234567890é}",
        "; line\n",
        "\n% escape\n",
        "(",
        ")",
        "()",
        "( )",
        "(=)",
        "(D)",
        "(1. d4)",
        "( 1. c4 {x} )",
        "(2. Nc3",
        ")\n",
        "(zz)",
        "$",
        "$1",
        "$14",
        "$146 ",
        "$x",
        "!",
        "?!",
        "!!!",
        "+",
        "=",
        "  ",
        "\n",
        "\n\n",
        "\r\n\r\n",
        "\t",
        ".",
        "...",
        "*",
        "1-0",
        "0-1\n",
        "1/2-1/2",
        "1-0 ",
        "1/2",
        "1:0",
        "[A \"b\"]\n",
        "\n[FEN \"x\"]\n",
    ];

    proptest! {
        #[test]
        fn random_texts(
            tokens in prop::collection::vec((prop::sample::select(TOKENS), 0..4usize), 0..40),
            tag in prop::sample::select(vec![
                "", "[Event \"a\"]\n\n", "[Variant \"Atomic\"]\n\n", "[Result \"1-0\"]\r\n\r\n",
                "[FEN \"4k3/8/8/8/8/8/4P3/R3K2R b KQ - 3 17\"]\n\n", "[FEN \"bad\"]\n\n",
            ]),
        ) {
            let mut text = String::from(tag);
            for (token, blank) in tokens {
                text.push_str(token);
                text.push_str([" ", "", "\n", "\r\n"][blank]);
            }
            check(&text);
        }
    }
}
