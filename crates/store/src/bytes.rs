//! Numbers and strings as bytes, and the error for bytes that do not fit.

use std::fmt;

/// Stored bytes that contradict their checksum or their format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damage(
    /// What was being read.
    pub &'static str,
);

impl Damage {
    /// The bytes are sound, but in a form that this version does not read.
    pub const OTHER_VERSION: Damage = Damage("version");
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Damage::OTHER_VERSION => f.write_str("made by another version of gametree"),
            Damage(what) => write!(f, "the {what} are damaged"),
        }
    }
}

impl std::error::Error for Damage {}

/// Appends a number in groups of seven bits, lowest first.
pub(crate) fn put_varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Appends a string after its length.
pub(crate) fn put_str(out: &mut Vec<u8>, text: &str) {
    put_varint(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Bytes being read from front to back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bytes<'a> {
    rest: &'a [u8],
    what: &'static str,
}

impl<'a> Bytes<'a> {
    /// `what` names the content in errors.
    pub fn new(rest: &'a [u8], what: &'static str) -> Bytes<'a> {
        Bytes { rest, what }
    }

    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub fn len(&self) -> usize {
        self.rest.len()
    }

    pub fn damage(&self) -> Damage {
        Damage(self.what)
    }

    #[inline]
    pub fn take(&mut self, len: usize) -> Result<&'a [u8], Damage> {
        let (taken, rest) = self.rest.split_at_checked(len).ok_or(Damage(self.what))?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Damage> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or(Damage(self.what))?;
        self.rest = rest;
        Ok(*taken)
    }

    #[inline]
    pub fn u8(&mut self) -> Result<u8, Damage> {
        Ok(self.array::<1>()?[0])
    }

    pub fn u16(&mut self) -> Result<u16, Damage> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    pub fn u32(&mut self) -> Result<u32, Damage> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub fn u64(&mut self) -> Result<u64, Damage> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    #[inline]
    pub fn varint(&mut self) -> Result<u64, Damage> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.u8()?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Damage(self.what))
    }

    /// A number that counts things in memory.
    #[inline]
    pub fn count(&mut self) -> Result<usize, Damage> {
        usize::try_from(self.varint()?).map_err(|_| Damage(self.what))
    }

    /// A number of things that take at least one byte each, so that no more can follow than bytes.
    pub fn count_within(&mut self) -> Result<usize, Damage> {
        let count = self.count()?;
        if count > self.rest.len() {
            return Err(Damage(self.what));
        }
        Ok(count)
    }

    pub fn varint32(&mut self) -> Result<u32, Damage> {
        u32::try_from(self.varint()?).map_err(|_| Damage(self.what))
    }

    pub fn str(&mut self) -> Result<&'a str, Damage> {
        let len = self.count()?;
        std::str::from_utf8(self.take(len)?).map_err(|_| Damage(self.what))
    }
}

/// Numbers of a fixed width in bits, one after another.
#[derive(Debug, Default)]
pub(crate) struct BitWriter {
    bytes: Vec<u8>,
    /// Bits not yet in `bytes`, lowest first.
    pending: u64,
    count: u32,
}

impl BitWriter {
    /// Appends the lowest `width` bits, at most 32.
    #[inline]
    pub fn put(&mut self, number: u32, width: u32) {
        self.pending |= u64::from(number) << self.count;
        self.count += width;
        if self.count >= 32 {
            self.bytes
                .extend_from_slice(&(self.pending as u32).to_le_bytes());
            self.pending >>= 32;
            self.count -= 32;
        }
    }

    /// The bytes, with eight more so that a reader may load whole words.
    pub fn finish(mut self) -> Vec<u8> {
        self.bytes
            .extend_from_slice(&(self.pending as u32).to_le_bytes());
        self.bytes.extend_from_slice(&[0; 8]);
        self.bytes
    }
}

/// The number of `width` bits, at most 32, that begins at this bit; 0 outside.
#[inline]
pub(crate) fn get_bits(bytes: &[u8], bit: usize, width: u32) -> u32 {
    let word = bytes
        .get(bit / 8..)
        .and_then(|rest| rest.first_chunk::<8>())
        .map_or(0, |chunk| u64::from_le_bytes(*chunk));
    ((word >> (bit % 8)) & ((1 << width) - 1)) as u32
}

/// The bits needed for numbers up to this one.
pub(crate) fn width_of(largest: u32) -> u32 {
    32 - largest.leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX];
        let mut out = Vec::new();
        numbers.iter().for_each(|&n| put_varint(&mut out, n));
        let mut bytes = Bytes::new(&out, "numbers");
        for number in numbers {
            assert_eq!(bytes.varint(), Ok(number));
        }
        assert_eq!(bytes.u8(), Err(Damage("numbers")));
    }

    #[test]
    fn bits_come_back() {
        for width in 0..=32 {
            let mask = ((1u64 << width) - 1) as u32;
            let number = |i: u32| i.wrapping_mul(0x9E37_79B9) & mask;
            let mut bits = BitWriter::default();
            (0..100).for_each(|i| bits.put(number(i), width));
            let bytes = bits.finish();
            for i in 0..100 {
                assert_eq!(
                    get_bits(&bytes, i as usize * width as usize, width),
                    number(i)
                );
            }
        }
    }
}
