//! Decoding: UTF-8, otherwise Windows-1252 byte by byte; UTF-16 by its byte order mark.

use std::borrow::Cow;

/// Decodes the text of a game. Each byte that is not valid UTF-8 is read as Windows-1252, so files
/// that mix both are decoded correctly.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if let Some(text) = ascii(bytes) {
        return Cow::Borrowed(text);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(decode_mixed(bytes)),
    }
}

/// The text, if it is ASCII, as most games are. Finding that out takes a fifth of the time of
/// [`str::from_utf8`].
#[allow(unsafe_code, reason = "ASCII is UTF-8")]
fn ascii(bytes: &[u8]) -> Option<&str> {
    // SAFETY: ASCII is UTF-8.
    bytes
        .is_ascii()
        .then(|| unsafe { std::str::from_utf8_unchecked(bytes) })
}

fn decode_mixed(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 16);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|&byte| windows_1252(byte)));
    }
    text
}

/// The Windows-1252 character of a byte; the five undefined ones are read as Latin-1.
fn windows_1252(byte: u8) -> char {
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž',
        '\u{8f}', '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}',
        'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => HIGH[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// The byte order of UTF-16.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Utf16 {
    /// The low byte first.
    Little,
    /// The high byte first.
    Big,
}

impl Utf16 {
    /// Detects UTF-16 by its byte order mark, or by the zero next to an initial `[` or `1`.
    pub fn detect(bytes: &[u8]) -> Option<Utf16> {
        match bytes {
            [0xff, 0xfe, ..] | [b'[' | b'1', 0, ..] => Some(Utf16::Little),
            [0xfe, 0xff, ..] | [0, b'[' | b'1', ..] => Some(Utf16::Big),
            _ => None,
        }
    }

    /// Appends the decoded text to `text` and returns the number of bytes used. An unpaired
    /// surrogate at the end is not used, unless `whole`.
    pub(crate) fn decode(self, bytes: &[u8], whole: bool, text: &mut Vec<u8>) -> usize {
        let unit = |pair: &[u8]| match self {
            Utf16::Little => u16::from_le_bytes([pair[0], pair[1]]),
            Utf16::Big => u16::from_be_bytes([pair[0], pair[1]]),
        };
        let mut used = bytes.len() & !1;
        let ends_in_half =
            |end: usize| end >= 2 && (0xd800..0xdc00).contains(&unit(&bytes[end - 2..end]));
        if !whole && ends_in_half(used) {
            used -= 2;
        }
        let units = bytes[..used].chunks_exact(2).map(unit);
        for char in char::decode_utf16(units) {
            let char = char.unwrap_or(char::REPLACEMENT_CHARACTER);
            text.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
        }
        used
    }

    /// The bytes of a text.
    ///
    /// ```
    /// use gametree_chess::pgn::Utf16;
    /// assert_eq!(Utf16::Little.encode("1.e4"), b"1\0.\0e\x004\0");
    /// ```
    pub fn encode(self, text: &str) -> Vec<u8> {
        let bytes = |unit: u16| match self {
            Utf16::Little => unit.to_le_bytes(),
            Utf16::Big => unit.to_be_bytes(),
        };
        text.encode_utf16().flat_map(bytes).collect()
    }
}

/// Converts UTF-16 to UTF-8; returns other encodings unchanged.
///
/// ```
/// let bytes = b"\xff\xfe1\0.\0e\x004\0";
/// assert_eq!(&*gametree_chess::pgn::to_utf8(bytes), b"\xef\xbb\xbf1.e4");
/// ```
pub fn to_utf8(bytes: &[u8]) -> Cow<'_, [u8]> {
    let Some(utf16) = Utf16::detect(bytes) else {
        return Cow::Borrowed(bytes);
    };
    let mut text = Vec::with_capacity(bytes.len() / 2);
    utf16.decode(bytes, true, &mut text);
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf8_and_windows_1252_side_by_side() {
        assert_eq!(decode(b"M\xfcller \xc3\xa9 \x80"), "Müller é €");
        assert_eq!(decode(b"\xc3("), "Ã(");
    }

    #[test]
    fn utf16_in_pieces() {
        let text = "[A \"𝄞ü\"]";
        let units: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(&*to_utf8(&units), text.as_bytes());
        for cut in 0..units.len() {
            let mut out = Vec::new();
            let used = Utf16::Big.decode(&units[..cut], false, &mut out);
            Utf16::Big.decode(&units[used..], true, &mut out);
            assert_eq!(out, text.as_bytes());
        }
    }
}
