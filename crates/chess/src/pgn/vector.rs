//! Sixteen bytes as one vector, without unsafe code: by `wide`, which knows every processor, except
//! on x86-64, by `safe_arch`, which takes a tenth of the time to compile.

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::u8x16;

#[cfg(not(target_arch = "x86_64"))]
pub(crate) use wide::u8x16;

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::ops::{BitAnd, BitOr, BitXor, Not, Sub};

    use safe_arch::{
        bitand_m128i, bitor_m128i, bitxor_m128i, cmp_eq_mask_i8_m128i, load_unaligned_m128i, m128i,
        min_u8_m128i, move_mask_i8_m128i, set_splat_i8_m128i, sub_i8_m128i,
    };

    /// Sixteen bytes, with the names of `wide`.
    #[derive(Clone, Copy)]
    #[allow(non_camel_case_types)]
    pub struct u8x16(m128i);

    impl u8x16 {
        #[inline(always)]
        pub fn new(bytes: [u8; 16]) -> Self {
            u8x16(load_unaligned_m128i(&bytes))
        }

        #[inline(always)]
        pub fn splat(byte: u8) -> Self {
            u8x16(set_splat_i8_m128i(byte as i8))
        }

        /// The top bits of the bytes.
        #[inline(always)]
        pub fn to_bitmask(self) -> u32 {
            move_mask_i8_m128i(self.0) as u32
        }

        /// All bits of the bytes that are equal.
        #[inline(always)]
        pub fn simd_eq(self, other: Self) -> Self {
            u8x16(cmp_eq_mask_i8_m128i(self.0, other.0))
        }

        #[inline(always)]
        pub fn min(self, other: Self) -> Self {
            u8x16(min_u8_m128i(self.0, other.0))
        }
    }

    impl BitAnd for u8x16 {
        type Output = Self;
        #[inline(always)]
        fn bitand(self, other: Self) -> Self {
            u8x16(bitand_m128i(self.0, other.0))
        }
    }

    impl BitOr for u8x16 {
        type Output = Self;
        #[inline(always)]
        fn bitor(self, other: Self) -> Self {
            u8x16(bitor_m128i(self.0, other.0))
        }
    }

    impl BitXor for u8x16 {
        type Output = Self;
        #[inline(always)]
        fn bitxor(self, other: Self) -> Self {
            u8x16(bitxor_m128i(self.0, other.0))
        }
    }

    impl Not for u8x16 {
        type Output = Self;
        #[inline(always)]
        fn not(self) -> Self {
            self ^ u8x16::splat(0xff)
        }
    }

    impl Sub for u8x16 {
        type Output = Self;
        #[inline(always)]
        fn sub(self, other: Self) -> Self {
            u8x16(sub_i8_m128i(self.0, other.0))
        }
    }
}
