//! The text of a file after edits: unchanged games byte for byte, the others in the style of their
//! file.

use std::borrow::Cow;

use chess::pgn::{ExportOptions, Game, decode, export};

/// The bytes of an edited game in place of `raw`, with its line ends, its encoding, and the blanks
/// around it.
pub fn rewrite(game: &Game, raw: &[u8], is_last: bool) -> Vec<u8> {
    let options = ExportOptions::default().roster(false);
    let text = export(game, &options);
    let text = with_line_ends(text.trim_end(), line_end(raw));
    let mut bytes = leading(raw).to_vec();
    bytes.extend(encode(&text, raw));
    bytes.extend_from_slice(&trailing(raw, is_last));
    bytes
}

/// The byte order mark and the blanks before a game.
fn leading(raw: &[u8]) -> &[u8] {
    let mark = if raw.starts_with("\u{feff}".as_bytes()) {
        "\u{feff}".len()
    } else {
        0
    };
    let blanks = raw[mark..]
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace());
    &raw[..mark + blanks.count()]
}

/// The blanks after a game: at least enough to separate it from the next.
fn trailing(raw: &[u8], is_last: bool) -> Cow<'_, [u8]> {
    let blanks = raw
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_whitespace());
    let blanks = &raw[raw.len() - blanks.count()..];
    let end = line_end(raw);
    let ends = blanks
        .iter()
        .filter(|&&byte| byte == end.as_bytes()[end.len() - 1]);
    if is_last || ends.count() >= 2 {
        Cow::Borrowed(blanks)
    } else {
        Cow::Owned(end.repeat(2).into_bytes())
    }
}

fn line_end(raw: &[u8]) -> &'static str {
    let cr = raw.iter().position(|&byte| byte == b'\r');
    match cr {
        Some(at) if raw.get(at + 1) == Some(&b'\n') => "\r\n",
        Some(_) if !raw.contains(&b'\n') => "\r",
        _ => "\n",
    }
}

fn with_line_ends<'a>(text: &'a str, end: &str) -> Cow<'a, str> {
    match end {
        "\n" => Cow::Borrowed(text),
        end => Cow::Owned(text.replace('\n', end)),
    }
}

/// The text as UTF-8, or as Windows-1252 if the game used it and it suffices.
fn encode(text: &str, raw: &[u8]) -> Vec<u8> {
    let was_utf8 = std::str::from_utf8(raw).is_ok();
    let narrow = || text.chars().map(narrow).collect::<Option<Vec<u8>>>();
    if was_utf8 {
        text.as_bytes().to_vec()
    } else {
        narrow().unwrap_or_else(|| text.as_bytes().to_vec())
    }
}

/// The byte that is read as this character.
fn narrow(c: char) -> Option<u8> {
    if c.is_ascii() {
        Some(c as u8)
    } else {
        (0x80..=0xff).find(|&byte| decode(&[byte]).chars().eq([c]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::pgn::read_game;

    fn check(raw: &[u8], is_last: bool, wanted: &[u8]) {
        let game = read_game(raw).expect("a game");
        let text = rewrite(&game, raw, is_last);
        assert_eq!(
            String::from_utf8_lossy(&text),
            String::from_utf8_lossy(wanted)
        );
        assert_eq!(read_game(&text), Some(game));
    }

    #[test]
    fn the_style_of_the_file_is_kept() {
        check(b"1.e4 *", true, b"1. e4 *");
        check(b"\n\n1.e4 *\n\n\n", false, b"\n\n1. e4 *\n\n\n");
        check(b"1.e4 * ", false, b"1. e4 *\n\n");
        check(
            b"[Event \"x\"]\r\n\r\n1.e4 *\r\n\r\n",
            false,
            b"[Event \"x\"]\r\n\r\n1. e4 *\r\n\r\n",
        );
        check(
            b"[Event \"x\"]\r\r1.e4 *\r",
            true,
            b"[Event \"x\"]\r\r1. e4 *\r",
        );
        check(
            b"[White \"Gr\xfcn\"]\n\n1.e4 *\n",
            true,
            b"[White \"Gr\xfcn\"]\n\n1. e4 *\n",
        );
        check(
            "\u{feff}[White \"Grün\"]\n\n1.e4 *\n".as_bytes(),
            true,
            "\u{feff}[White \"Grün\"]\n\n1. e4 *\n".as_bytes(),
        );
    }
}
