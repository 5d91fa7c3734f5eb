//! The checksum of databases and snapshots: 64-bit FNV-1a, which detects damage but not forgery.

/// The checksum of the concatenated parts.
pub(crate) fn checksum(parts: &[&[u8]]) -> u64 {
    let bytes = parts.iter().flat_map(|part| part.iter());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::checksum;

    #[test]
    fn published_values() {
        // From the description of FNV by Fowler, Noll and Vo.
        assert_eq!(checksum(&[]), 0xcbf2_9ce4_8422_2325);
        assert_eq!(checksum(&[b"a"]), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(checksum(&[b"foo", b"bar"]), 0x8594_4171_f739_67e8);
    }
}
