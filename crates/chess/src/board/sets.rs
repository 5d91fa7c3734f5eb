//! Changing the sets of a board at once.
//!
//! The compiler keeps the sets that it has read for the rules in registers, and then changes all
//! eight one by one. With two sets in a vector, which every x86-64 processor has, reading a game
//! takes a twentieth less time.

use shakmaty::Bitboard;

/// Removes squares from all sets, then adds squares to the sets that hold them.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
#[allow(unsafe_code, reason = "loads and stores of vectors take pointers")]
pub(super) fn replace(
    sets: &mut [Bitboard; 8],
    removed: Bitboard,
    added: Bitboard,
    holds: &[Bitboard; 8],
) {
    use std::arch::x86_64::*;
    let (pairs, _) = sets.as_chunks_mut::<2>();
    let (holds, _) = holds.as_chunks::<2>();
    for (pair, holds) in pairs.iter_mut().zip(holds) {
        // SAFETY: two sets have the size of a vector, and x86-64 has these instructions.
        unsafe {
            let removed = _mm_set1_epi64x(removed.0 as i64);
            let added = _mm_set1_epi64x(added.0 as i64);
            let pair: *mut __m128i = pair.as_mut_ptr().cast();
            let kept = _mm_andnot_si128(removed, _mm_loadu_si128(pair));
            let held = _mm_loadu_si128(holds.as_ptr().cast());
            _mm_storeu_si128(pair, _mm_or_si128(kept, _mm_and_si128(held, added)));
        }
    }
}

/// Removes squares from all sets, then adds squares to the sets that hold them.
#[cfg(any(test, not(target_arch = "x86_64")))]
#[inline(always)]
pub(super) fn replace_each(
    sets: &mut [Bitboard; 8],
    removed: Bitboard,
    added: Bitboard,
    holds: &[Bitboard; 8],
) {
    for (set, holds) in sets.iter_mut().zip(holds) {
        *set = (*set & !removed) | (added & *holds);
    }
}

#[cfg(not(target_arch = "x86_64"))]
pub(super) use replace_each as replace;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sets(numbers: [u64; 8]) -> [Bitboard; 8] {
        numbers.map(Bitboard)
    }

    proptest! {
        #[test]
        fn all_sets_change_alike(before: [u64; 8], holds: [u64; 8], removed: u64, added: u64) {
            let (removed, added, holds) = (Bitboard(removed), Bitboard(added), sets(holds));
            let (mut one_by_one, mut at_once) = (sets(before), sets(before));
            replace_each(&mut one_by_one, removed, added, &holds);
            replace(&mut at_once, removed, added, &holds);
            prop_assert_eq!(one_by_one, at_once);
        }
    }
}
