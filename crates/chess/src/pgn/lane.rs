//! A register of bytes and the operations that searches need.

use super::vector::u8x16;

/// The number of bytes in a block.
pub(crate) const BLOCK: usize = 64;

/// A block and the four bytes that follow.
pub(crate) type Overlap = [u8; BLOCK + 4];

/// A register of bytes. A test sets all bits of the bytes that pass it; only the top ones count.
pub(crate) trait Lane: Copy {
    /// The number of bytes.
    const LEN: usize;

    /// The top bits of the bytes.
    fn bits(self) -> u32;
    /// Finds a byte.
    fn is(self, byte: u8) -> Self;
    /// Finds the bytes up to this one.
    fn up_to(self, last: u8) -> Self;
    fn minus(self, byte: u8) -> Self;
    fn with_bits(self, byte: u8) -> Self;
    fn or(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn without(self, other: Self) -> Self;
    fn differs(self, other: Self) -> Self;

    #[inline(always)]
    fn within(self, first: u8, last: u8) -> Self {
        self.minus(first).up_to(last - first)
    }

    /// Finds ASCII letters and digits.
    #[inline(always)]
    fn alphanumeric(self) -> Self {
        let small = self.with_bits(0x20);
        small.within(b'a', b'z').or(self.within(b'0', b'9'))
    }
}

impl Lane for u8x16 {
    const LEN: usize = 16;

    #[inline(always)]
    fn bits(self) -> u32 {
        self.to_bitmask()
    }

    #[inline(always)]
    fn is(self, byte: u8) -> Self {
        self.simd_eq(u8x16::splat(byte))
    }

    #[inline(always)]
    fn up_to(self, last: u8) -> Self {
        self.min(u8x16::splat(last)).simd_eq(self)
    }

    #[inline(always)]
    fn minus(self, byte: u8) -> Self {
        self - u8x16::splat(byte)
    }

    #[inline(always)]
    fn with_bits(self, byte: u8) -> Self {
        self | u8x16::splat(byte)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self | other
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self & other
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self & !other
    }

    #[inline(always)]
    fn differs(self, other: Self) -> Self {
        self ^ other
    }
}
