//! Sixty-four bytes at a time: the bytes of a kind as the bits of a number, the first byte lowest.
//! A search that looks at many bytes at once has few branches, and so few mispredicted ones.

use super::cpu::{Cpu, Portable};

pub(crate) use super::lane::{BLOCK, Lane, Overlap};

/// The block from `at` on. If the text ends before it does, its copy in `end`, with zeros.
#[inline(always)]
pub(crate) fn block_at<'a>(text: &'a [u8], at: usize, end: &'a mut Option<Overlap>) -> &'a Overlap {
    match text[at..].first_chunk() {
        Some(bytes) => bytes,
        None => end.insert(padded(&text[at..])),
    }
}

/// The first bytes of a text, then zeros.
#[cold]
fn padded(text: &[u8]) -> Overlap {
    let mut bytes = [0; size_of::<Overlap>()];
    bytes[..text.len()].copy_from_slice(text);
    bytes
}

/// A test of positions. A trait and not a closure, because all of it has to be inlined into code
/// for a certain processor.
pub(crate) trait Test {
    /// Finds the positions that pass.
    fn test<C: Cpu>(place: Places<C>) -> C::Lane;
}

/// The positions in a block of text that pass a test, for searches that are not hot.
#[inline(always)]
pub(crate) fn bits_at<T: Test>(text: &[u8], at: usize, test: T) -> u64 {
    bits(Portable, block_at(text, at, &mut None), test)
}

/// The positions in a block that pass a test.
#[inline(always)]
pub(crate) fn bits<C: Cpu, T: Test>(cpu: C, bytes: &Overlap, test: T) -> u64 {
    u64::from(half(cpu, bytes, 0, &test)) | u64::from(half(cpu, bytes, 32, &test)) << 32
}

/// The positions in half a block that pass a test.
#[inline(always)]
pub(crate) fn half<C: Cpu, T: Test>(cpu: C, bytes: &Overlap, start: usize, _: &T) -> u32 {
    let low = T::test(Places { cpu, bytes, start }).bits();
    if C::Lane::LEN == 32 {
        return low;
    }
    let start = start + 16;
    low | T::test(Places { cpu, bytes, start }).bits() << 16
}

/// The number of positions before `end` that pass a test.
#[inline(always)]
pub(crate) fn count<C: Cpu>(cpu: C, text: &[u8], end: usize, test: impl Test + Copy) -> u64 {
    let mut found = 0;
    let mut at = 0;
    while at + BLOCK <= end {
        let bits = bits(cpu, block_at(text, at, &mut None), test);
        found += u64::from(bits.count_ones());
        at += BLOCK;
    }
    if at < end {
        let bits = bits(cpu, block_at(text, at, &mut None), test);
        found += u64::from((bits & ((1 << (end - at)) - 1)).count_ones());
    }
    found
}

/// Positions in a text, as many as a lane has bytes.
#[derive(Clone, Copy)]
pub(crate) struct Places<'a, C> {
    cpu: C,
    bytes: &'a Overlap,
    start: usize,
}

impl<C: Cpu> Places<'_, C> {
    /// The bytes at these positions, or up to four bytes later.
    #[inline(always)]
    pub(crate) fn plus(self, distance: usize) -> C::Lane {
        self.cpu.lane(self.bytes, self.start + distance)
    }
}

/// Finds `{` and `}`.
pub(crate) struct Brace;

impl Test for Brace {
    #[inline(always)]
    fn test<C: Cpu>(place: Places<C>) -> C::Lane {
        place.plus(0).is(b'{').or(place.plus(0).is(b'}'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::cpu::{Task, run};

    /// Compares a test of positions with one of bytes.
    struct Compare<'a, T>(T, &'a dyn Fn(u8) -> bool);

    impl<T: Test + Copy> Task for Compare<'_, T> {
        type Output = ();

        fn run<C: Cpu>(self, cpu: C) {
            let Compare(test, expected) = self;
            for first in 0..=255u8 {
                for len in [0, 1, 17, 64, 90] {
                    let text: Vec<u8> = (0..len)
                        .map(|at: usize| first.wrapping_add(at as u8))
                        .collect();
                    let byte_at = |at: usize| text.get(at).copied().unwrap_or(0);
                    let bit = |at: usize| u64::from(expected(byte_at(at))) << at;
                    let expected = (0..BLOCK).map(bit).sum::<u64>();
                    let found = bits(cpu, block_at(&text, 0, &mut None), test);
                    assert_eq!(found, expected, "from byte {first}");
                }
            }
        }
    }

    /// Each way to find bytes, on any processor and on this one.
    fn check<T: Test + Copy>(test: T, expected: impl Fn(u8) -> bool) {
        Compare(test, &expected).run(Portable);
        run(Compare(test, &expected));
    }

    macro_rules! tests {
        ($($name:ident: $lane:ident => $test:expr;)*) => {$(
            #[derive(Clone, Copy)]
            struct $name;

            impl Test for $name {
                fn test<C: Cpu>(place: Places<C>) -> C::Lane {
                    let $lane = place.plus(0);
                    $test
                }
            }
        )*};
    }

    tests! {
        Letter: lane => lane.is(b'x');
        Control: lane => lane.up_to(b' ');
        Alphanumeric: lane => lane.alphanumeric();
        Other: lane => lane.within(0, 255).without(lane.is(b'x').or(lane.is(b'y')));
        Digit: lane => lane.up_to(b'9').and(lane.within(b'0', b'z'));
        Difference: lane => lane.up_to(b'9').differs(lane.is(b'5'));
    }

    #[test]
    fn each_test_finds_its_bytes() {
        check(Letter, |byte| byte == b'x');
        check(Control, |byte| byte <= b' ');
        check(Alphanumeric, |byte| byte.is_ascii_alphanumeric());
        check(Other, |byte| byte != b'x' && byte != b'y');
        check(Digit, |byte| byte.is_ascii_digit());
        check(Difference, |byte| byte <= b'9' && byte != b'5');
    }

    #[test]
    fn braces() {
        let text: Vec<u8> = (0..=255).collect();
        for at in [0, 64, 128, 192] {
            let found = bits_at(&text, at, Brace);
            let expected = if at == 64 { 0b101 << (b'{' - 64) } else { 0 };
            assert_eq!(found, expected);
        }
    }
}
