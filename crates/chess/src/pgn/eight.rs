//! Eight bytes at a time. Names, values and words are short; testing eight bytes at once costs less
//! than mispredicting their length.

/// Eight bytes of a text, the first one in the lowest bits.
#[derive(Clone, Copy)]
pub(crate) struct Eight(u64);

/// The top bit of each byte: the result of the tests below.
const TOP: u64 = every(0x80);

const fn every(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

impl Eight {
    /// The bytes equal to this one. The result is exact only up to the first of them.
    #[inline]
    pub(crate) fn equal_to(self, byte: u8) -> u64 {
        let differing = self.0 ^ every(byte);
        differing.wrapping_sub(every(1)) & !differing & TOP
    }

    /// The bytes below this one, which is at most 0x80. The result is exact only up to the first of
    /// them.
    #[inline]
    pub(crate) fn below(self, byte: u8) -> u64 {
        self.0.wrapping_sub(every(byte)) & !self.0 & TOP
    }

    /// The ASCII letters and digits.
    #[inline]
    pub(crate) fn alphanumerics(self) -> u64 {
        let small = Eight(self.0 | every(0x20));
        (small.within(b'a', b'z') & !self.0 & TOP) | self.digits()
    }

    /// The ASCII digits.
    #[inline]
    pub(crate) fn digits(self) -> u64 {
        self.within(b'0', b'9') & !self.0 & TOP
    }

    /// Most bytes of words: letters, digits and the signs around them, `-` to `:` and `@` to `z`.
    #[inline]
    pub(crate) fn in_words(self) -> u64 {
        (self.within(b'-', b':') | self.within(b'@', b'z')) & !self.0 & TOP
    }

    /// The bytes in a range; for non-ASCII bytes the top bit is ignored.
    #[inline]
    fn within(self, first: u8, last: u8) -> u64 {
        let low = self.0 & !TOP;
        (low + every(0x80 - first)) & !(low + every(0x7f - last))
    }
}

/// The number of bytes before the first one for which `find` sets a top bit; all if there is none.
#[inline]
pub(crate) fn first_byte(text: &[u8], find: impl Fn(Eight) -> u64) -> usize {
    let mut at = 0;
    while let Some(chunk) = text[at..].first_chunk::<8>() {
        match find(Eight(u64::from_le_bytes(*chunk))) & TOP {
            0 => at += 8,
            hits => return at + hits.trailing_zeros() as usize / 8,
        }
    }
    at + first_of_rest(&text[at..], find)
}

/// [`first_byte`] for fewer than eight bytes.
#[cold]
fn first_of_rest(rest: &[u8], find: impl Fn(Eight) -> u64) -> usize {
    let hit = |&byte: &u8| find(Eight(every(byte))) & 0x80 != 0;
    rest.iter().position(hit).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_byte_of_a_kind_is_found_wherever_it_stands() {
        for byte in 0..=255u8 {
            for at in 0..20 {
                let mut text = [b'm'; 24];
                text[at] = byte;
                let expect = |found: usize, is_hit: bool, none: usize| {
                    assert_eq!(found, if is_hit { at } else { none }, "byte {byte} at {at}");
                };
                expect(
                    first_byte(&text, |bytes| bytes.equal_to(b'"')),
                    byte == b'"',
                    24,
                );
                expect(
                    first_byte(&text, |bytes| bytes.below(b' ')),
                    byte < b' ',
                    24,
                );
                let odd = first_byte(&text, |bytes| !bytes.alphanumerics());
                expect(odd, !byte.is_ascii_alphanumeric(), 24);
            }
        }
    }
}
