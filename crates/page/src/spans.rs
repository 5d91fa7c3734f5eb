//! Places in a text, in the units of JavaScript.

/// The number of UTF-16 code units before a byte of a text.
pub fn to_utf16(text: &str, byte: usize) -> usize {
    let before = text.char_indices().take_while(|(at, _)| *at < byte);
    before.map(|(_, letter)| letter.len_utf16()).sum()
}

/// The byte at a number of UTF-16 code units; the end of the text if it is shorter.
pub fn to_byte(text: &str, units: usize) -> usize {
    let mut before = 0;
    for (at, letter) in text.char_indices() {
        if before >= units {
            return at;
        }
        before += letter.len_utf16();
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_code_units_agree() {
        let text = "a♞é𝄞b";
        for (units, byte) in [(0, 0), (1, 1), (2, 4), (3, 6), (5, 10), (6, 11)] {
            assert_eq!(to_utf16(text, byte), units, "{byte}");
            assert_eq!(to_byte(text, units), byte, "{units}");
        }
        assert_eq!(to_byte(text, 99), text.len());
        assert_eq!(to_utf16(text, 99), 6);
    }
}
