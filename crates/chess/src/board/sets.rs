//! Changing the sets of a board at once.
//!
//! The compiler keeps the sets that it has read for the rules in registers, and then changes all
//! eight one by one. With two sets in a vector, which every x86-64 processor has, reading a game
//! takes a twentieth less time.

use shakmaty::Bitboard;

/// The sets without some squares, and with some squares added to those that hold them.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
#[allow(unsafe_code, reason = "loads and stores of vectors take pointers")]
pub(super) fn replaced(
    sets: &[Bitboard; 8],
    removed: Bitboard,
    added: Bitboard,
    holds: &[Bitboard; 8],
) -> [Bitboard; 8] {
    use std::arch::x86_64::*;
    let mut changed = [Bitboard::EMPTY; 8];
    let (pairs, _) = sets.as_chunks::<2>();
    let (holds, _) = holds.as_chunks::<2>();
    let (changed_pairs, _) = changed.as_chunks_mut::<2>();
    for ((pair, holds), changed) in pairs.iter().zip(holds).zip(changed_pairs) {
        // SAFETY: two sets have the size of a vector, and x86-64 has these instructions.
        unsafe {
            let removed = _mm_set1_epi64x(removed.0 as i64);
            let added = _mm_set1_epi64x(added.0 as i64);
            let kept = _mm_andnot_si128(removed, _mm_loadu_si128(pair.as_ptr().cast()));
            let held = _mm_loadu_si128(holds.as_ptr().cast());
            let all = _mm_or_si128(kept, _mm_and_si128(held, added));
            _mm_storeu_si128(changed.as_mut_ptr().cast(), all);
        }
    }
    changed
}

/// The sets without some squares, and with some squares added to those that hold them.
#[cfg(any(test, not(target_arch = "x86_64")))]
#[inline(always)]
pub(super) fn replaced_each(
    sets: &[Bitboard; 8],
    removed: Bitboard,
    added: Bitboard,
    holds: &[Bitboard; 8],
) -> [Bitboard; 8] {
    std::array::from_fn(|at| (sets[at] & !removed) | (added & holds[at]))
}

#[cfg(not(target_arch = "x86_64"))]
pub(super) use replaced_each as replaced;

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
            let one_by_one = replaced_each(&sets(before), removed, added, &holds);
            prop_assert_eq!(one_by_one, replaced(&sets(before), removed, added, &holds));
        }
    }
}
