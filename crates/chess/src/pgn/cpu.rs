//! What the processor can do beyond its minimum, found out at run time.
//!
//! Reading spends its time in loops over the bytes of a text and over bitboards. Compiled for AVX2
//! and the bit instructions of the same processors, these loops take about half the instructions.
//! Calling code that was compiled for instructions the processor may lack is `unsafe`; here the
//! value [`Avx2`] proves that they exist, so that the rest of the crate needs no unsafe code.

use super::lane::{Lane, Overlap};
use super::vector::u8x16;

/// A kind of processor, and how it looks at bytes.
pub(crate) trait Cpu: Copy {
    type Lane: Lane;

    /// The bytes from a position on.
    fn lane(self, bytes: &Overlap, at: usize) -> Self::Lane;

    /// Each bit is set if the number of set bits up to this one is odd.
    #[inline(always)]
    fn parities(self, bits: u64) -> u64 {
        let fold = |bits: u64, shift| bits ^ bits << shift;
        [1, 2, 4, 8, 16, 32].into_iter().fold(bits, fold)
    }
}

/// Work that is compiled for each kind of processor. Its implementations should be inlined, and so
/// should the functions they spend their time in.
pub(crate) trait Task {
    type Output;

    fn run<C: Cpu>(self, cpu: C) -> Self::Output;
}

/// Any processor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Cpu for Portable {
    type Lane = u8x16;

    #[inline(always)]
    fn lane(self, bytes: &Overlap, at: usize) -> u8x16 {
        u8x16::new(*bytes[at..].first_chunk().unwrap_or(&[0; 16]))
    }
}

/// Does the work with the best instructions that the processor has.
#[inline(always)]
pub(crate) fn run<T: Task>(task: T) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(cpu) = avx2::Avx2::detect() {
        return cpu.run(task);
    }
    task.run(Portable)
}

#[cfg(target_arch = "x86_64")]
#[allow(
    unsafe_code,
    reason = "`Avx2` exists only where the processor has these instructions"
)]
mod avx2 {
    use super::{Cpu, Lane, Overlap, Task};
    use std::arch::x86_64::*;

    /// An x86 processor with AVX2 and bit manipulation (since 2013).
    #[derive(Clone, Copy)]
    pub(super) struct Avx2(());

    impl Avx2 {
        #[inline]
        pub(super) fn detect() -> Option<Avx2> {
            let bits = is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt")
                && is_x86_feature_detected!("pclmulqdq");
            (bits && is_x86_feature_detected!("avx2")).then_some(Avx2(()))
        }

        #[inline(always)]
        pub(super) fn run<T: Task>(self, task: T) -> T::Output {
            // SAFETY: the processor has the instructions.
            unsafe { run_with_avx2(self, task) }
        }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,pclmulqdq")]
    fn run_with_avx2<T: Task>(cpu: Avx2, task: T) -> T::Output {
        task.run(cpu)
    }

    impl Cpu for Avx2 {
        type Lane = Bytes;

        #[inline(always)]
        fn lane(self, bytes: &Overlap, at: usize) -> Bytes {
            let bytes: &[u8; 32] = bytes[at..].first_chunk().unwrap_or(&[0; 32]);
            // SAFETY: the processor has the instructions, and 32 bytes are loaded.
            Bytes(unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) })
        }

        /// A product without carries by ones adds up the bits shifted by every distance.
        #[inline(always)]
        fn parities(self, bits: u64) -> u64 {
            // SAFETY: the processor has the instructions.
            unsafe {
                let bits = _mm_cvtsi64_si128(bits as i64);
                let product = _mm_clmulepi64_si128::<0>(bits, _mm_set1_epi8(-1));
                _mm_cvtsi128_si64(product) as u64
            }
        }
    }

    /// Thirty-two bytes. Only an [`Avx2`] loads them.
    #[derive(Clone, Copy)]
    pub(super) struct Bytes(__m256i);

    /// An operation on a lane. SAFETY: there is a lane, so the processor has the instructions.
    macro_rules! op {
        ($expression:expr) => {
            Bytes(unsafe { $expression })
        };
    }

    impl Lane for Bytes {
        const LEN: usize = 32;

        #[inline(always)]
        fn bits(self) -> u32 {
            // SAFETY: as above.
            unsafe { _mm256_movemask_epi8(self.0) as u32 }
        }

        #[inline(always)]
        fn is(self, byte: u8) -> Self {
            op!(_mm256_cmpeq_epi8(self.0, _mm256_set1_epi8(byte as i8)))
        }

        #[inline(always)]
        fn up_to(self, last: u8) -> Self {
            op!(_mm256_cmpeq_epi8(
                _mm256_min_epu8(self.0, _mm256_set1_epi8(last as i8)),
                self.0
            ))
        }

        #[inline(always)]
        fn minus(self, byte: u8) -> Self {
            op!(_mm256_sub_epi8(self.0, _mm256_set1_epi8(byte as i8)))
        }

        #[inline(always)]
        fn with_bits(self, byte: u8) -> Self {
            op!(_mm256_or_si256(self.0, _mm256_set1_epi8(byte as i8)))
        }

        #[inline(always)]
        fn or(self, other: Self) -> Self {
            op!(_mm256_or_si256(self.0, other.0))
        }

        #[inline(always)]
        fn and(self, other: Self) -> Self {
            op!(_mm256_and_si256(self.0, other.0))
        }

        #[inline(always)]
        fn without(self, other: Self) -> Self {
            op!(_mm256_andnot_si256(other.0, self.0))
        }

        #[inline(always)]
        fn differs(self, other: Self) -> Self {
            op!(_mm256_xor_si256(self.0, other.0))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Parities(u64);

    impl Task for Parities {
        type Output = u64;

        fn run<C: Cpu>(self, cpu: C) -> u64 {
            cpu.parities(self.0)
        }
    }

    #[test]
    fn parities_of_the_bits_so_far() {
        let mut bits = 1u64;
        for _ in 0..1_000 {
            bits = bits.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            let parity = |at: u32| u64::from((bits << (63 - at)).count_ones() % 2) << at;
            let expected: u64 = (0..64).map(parity).sum();
            assert_eq!(Portable.parities(bits), expected);
            assert_eq!(run(Parities(bits)), expected);
        }
    }
}
