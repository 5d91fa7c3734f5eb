//! The text of a file after edits: unchanged games byte for byte, the others in the style of their
//! file.

use std::borrow::Cow;

use chess::pgn::{ExportOptions, Game, amend, decode, export};

/// The bytes of an edited game in place of `raw`: only the edited places change. `None` if such a
/// text would not be read as this game.
pub fn edited(game: &Game, raw: &[u8]) -> Option<Vec<u8>> {
    let old = decode(raw);
    let new = amend(game, &old)?;
    Some(encode_over(&new, raw, &old))
}

/// The bytes of an edited game in normal form in place of `raw`, with its line ends, its encoding,
/// and the blanks around it.
pub fn normal(game: &Game, raw: &[u8], is_last: bool) -> Vec<u8> {
    let text = plain(game);
    let text = with_line_ends(text.trim_end(), line_end(raw));
    let mut bytes = leading(raw).to_vec();
    bytes.extend(encode(&text, raw));
    bytes.extend_from_slice(&trailing(raw, is_last));
    bytes
}

/// A game that has no text yet, in the style of its file.
pub fn write_new(game: &Game, file: &[u8]) -> Vec<u8> {
    let text = plain(game);
    encode(&with_line_ends(text.trim_end(), line_end(file)), file)
}

/// A game in normal form, with no tags but its own.
pub fn plain(game: &Game) -> String {
    export(game, &ExportOptions::default().roster(false))
}

/// The byte order mark of a text.
pub fn mark(text: &[u8]) -> &[u8] {
    &text[..text.len() - without_mark(text).len()]
}

/// A text without its byte order mark.
pub fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text)
}

/// A game followed by enough blanks to separate it from the next one.
pub fn separated<'a>(game: &'a [u8], file: &[u8]) -> Cow<'a, [u8]> {
    let blanks = &game[game.trim_ascii_end().len()..];
    let end = line_end(file);
    let ends = blanks
        .iter()
        .filter(|&&byte| byte == end.as_bytes()[end.len() - 1]);
    if ends.count() >= 2 {
        return Cow::Borrowed(game);
    }
    let game = game.trim_ascii_end();
    Cow::Owned([game, end.repeat(2).as_bytes()].concat())
}

/// The blanks at the end of a file; a line end if it has no games.
pub fn end(file: &[u8]) -> &[u8] {
    let games = file.trim_ascii_end();
    if games.is_empty() {
        b"\n"
    } else {
        &file[games.len()..]
    }
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

/// The text in the encoding of `raw`, whose text is `old`. What both texts start and end with keeps
/// its bytes, also in a file that mixes encodings.
fn encode_over(text: &str, raw: &[u8], old: &str) -> Vec<u8> {
    if std::str::from_utf8(raw).is_ok() {
        return text.as_bytes().to_vec();
    }
    let start = common(text.chars(), old.chars());
    let rest = (&text[start..], &old[start..]);
    let end = common(rest.0.chars().rev(), rest.1.chars().rev());
    let mut bytes = raw[..raw_len(raw, start)].to_vec();
    let mut buffer = [0; 4];
    for c in text[start..text.len() - end].chars() {
        match narrow(c) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes()),
        }
    }
    bytes.extend_from_slice(&raw[raw_len(raw, old.len() - end)..]);
    // Narrow bytes side by side can look like UTF-8.
    if decode(&bytes) == text {
        bytes
    } else {
        text.as_bytes().to_vec()
    }
}

/// The length of what two texts have in common, in bytes of UTF-8.
fn common(a: impl Iterator<Item = char>, b: impl Iterator<Item = char>) -> usize {
    let same = a.zip(b).take_while(|(a, b)| a == b);
    same.map(|(c, _)| c.len_utf8()).sum()
}

/// The number of bytes of `raw` whose text has this length in UTF-8.
fn raw_len(raw: &[u8], len: usize) -> usize {
    let (mut bytes, mut text) = (0, 0);
    for chunk in raw.utf8_chunks() {
        let valid = chunk.valid().len().min(len - text);
        bytes += valid;
        text += valid;
        for &byte in chunk.invalid() {
            if text >= len {
                return bytes;
            }
            bytes += 1;
            text += decode(&[byte]).len();
        }
    }
    bytes
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
        let text = normal(&game, raw, is_last);
        assert_eq!(
            String::from_utf8_lossy(&text),
            String::from_utf8_lossy(wanted)
        );
        assert_eq!(read_game(&text), Some(game));
    }

    #[test]
    fn normal_form_keeps_encoding_and_blanks() {
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

    #[test]
    fn other_bytes_stay_in_their_encoding() {
        let check = |raw: &[u8], wanted: &[u8]| {
            let mut game = read_game(raw).expect("a game");
            game.set_tag("Site", "Mödling ❵");
            let text = edited(&game, raw).expect("a text");
            assert_eq!(text, wanted, "{}", String::from_utf8_lossy(&text));
        };
        let new = "M\u{f6}dling ❵".as_bytes();
        let old = b"[White \"\xc3\xa9\xfc\"]\n[Site \"?\"]\n\n1.e4 {\xe9\xc3\xa9} *\n";
        let (before, after) = (&old[..21], &old[22..]);
        let narrow = [b"M\xf6dling ", "❵".as_bytes()].concat();
        check(old, &[before, &narrow, after].concat());
        let old = "[White \"é\"]\n[Site \"?\"]\n\n1.e4 {é} *\n".as_bytes();
        check(old, &[&old[..20], new, &old[21..]].concat());
    }
}
