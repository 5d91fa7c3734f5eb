//! Sixty-four bytes at a time: the bytes of a kind as the bits of a number, the first byte lowest.
//! A search that looks at many bytes at once has few branches, and so few mispredicted ones.

use wide::u8x16;

/// Sixty-four bytes of a text.
#[derive(Clone, Copy)]
pub(crate) struct Block([Lane; 4]);

/// Sixteen bytes. A test sets all bits of the bytes that pass it; only the top ones count.
#[derive(Clone, Copy)]
pub(crate) struct Lane(u8x16);

impl Block {
    pub(crate) const LEN: usize = 64;

    /// The bytes from `at` on, then zeros if the text ends.
    #[inline(always)]
    pub(crate) fn at(text: &[u8], at: usize) -> Block {
        let end;
        // A choice of places, not of blocks, which would be copied through memory.
        let bytes = match text[at..].first_chunk::<{ Block::LEN }>() {
            Some(bytes) => bytes,
            None => {
                end = padded(&text[at..]);
                &end
            }
        };
        Block::start_of(bytes)
    }

    /// The first 64 bytes.
    #[inline(always)]
    fn start_of<const N: usize>(bytes: &[u8; N]) -> Block {
        let lane = |at: usize| Lane::at(bytes, at);
        Block([lane(0), lane(16), lane(32), lane(48)])
    }

    /// The bytes that pass a test.
    #[inline(always)]
    pub(crate) fn bits(&self, test: impl Fn(Lane) -> Lane) -> u64 {
        // No `map`: it is not always inlined.
        let [a, b, c, d] = self.0;
        join(test(a), test(b), test(c), test(d))
    }
}

/// A text shorter than a block, then zeros.
#[cold]
fn padded(text: &[u8]) -> [u8; Block::LEN] {
    let mut bytes = [0; Block::LEN];
    bytes[..text.len()].copy_from_slice(text);
    bytes
}

/// Sixty-four bytes and the four that follow.
pub(crate) type Overlap = [u8; Block::LEN + 4];

/// Sixteen positions in a text.
#[derive(Clone, Copy)]
pub(crate) struct Places<'a> {
    bytes: &'a Overlap,
    start: usize,
}

impl Places<'_> {
    /// The bytes at these positions, or up to four bytes later.
    #[inline(always)]
    pub(crate) fn plus(self, distance: usize) -> Lane {
        Lane::at(self.bytes, self.start + distance)
    }
}

/// The positions in the first 64 bytes that pass a test.
#[inline(always)]
pub(crate) fn places(bytes: &Overlap, test: impl Fn(Places) -> Lane) -> u64 {
    let test = |start: usize| test(Places { bytes, start });
    join(test(0), test(16), test(32), test(48))
}

#[inline(always)]
fn join(a: Lane, b: Lane, c: Lane, d: Lane) -> u64 {
    let high = u64::from(c.bits() | d.bits() << 16);
    u64::from(a.bits() | b.bits() << 16) | high << 32
}

impl Lane {
    #[inline(always)]
    fn at(bytes: &[u8], at: usize) -> Lane {
        Lane(u8x16::new(*bytes[at..].first_chunk().unwrap_or(&[0; 16])))
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        self.0.to_bitmask()
    }

    #[inline(always)]
    pub(crate) fn is(self, byte: u8) -> Lane {
        Lane(self.0.simd_eq(u8x16::splat(byte)))
    }

    /// The bytes up to this one.
    #[inline(always)]
    pub(crate) fn up_to(self, last: u8) -> Lane {
        Lane(self.0.min(u8x16::splat(last)).simd_eq(self.0))
    }

    #[inline(always)]
    pub(crate) fn or(self, other: Lane) -> Lane {
        Lane(self.0 | other.0)
    }

    #[inline(always)]
    pub(crate) fn and(self, other: Lane) -> Lane {
        Lane(self.0 & other.0)
    }

    #[inline(always)]
    pub(crate) fn differs(self, other: Lane) -> Lane {
        Lane(self.0 ^ other.0)
    }

    /// ASCII letters and digits.
    #[inline(always)]
    pub(crate) fn alphanumeric(self) -> Lane {
        let small = Lane(self.0 | u8x16::splat(0x20));
        small.within(b'a', b'z').or(self.within(b'0', b'9'))
    }

    #[inline(always)]
    pub(crate) fn within(self, first: u8, last: u8) -> Lane {
        Lane(self.0 - u8x16::splat(first)).up_to(last - first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(test: impl Fn(Lane) -> Lane, expected: impl Fn(u8) -> bool) {
        for byte in 0..=255u8 {
            for len in [0, 1, 17, 64, 90] {
                let text: Vec<u8> = (0..len)
                    .map(|at: usize| byte.wrapping_add(at as u8))
                    .collect();
                let byte_at = |at: usize| text.get(at).copied().unwrap_or(0);
                let bit = |at: usize| u64::from(expected(byte_at(at))) << at;
                let expected = (0..Block::LEN).map(bit).sum::<u64>();
                assert_eq!(
                    Block::at(&text, 0).bits(&test),
                    expected,
                    "from byte {byte}"
                );
            }
        }
    }

    #[test]
    fn each_test_finds_its_bytes() {
        check(|lane| lane.is(b'x'), |byte| byte == b'x');
        check(|lane| lane.up_to(b' '), |byte| byte <= b' ');
        check(Lane::alphanumeric, |byte| byte.is_ascii_alphanumeric());
        check(
            |lane| lane.is(b'[').or(lane.is(b']')),
            |byte| byte == b'[' || byte == b']',
        );
    }
}
