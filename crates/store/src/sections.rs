//! A file of checked sections: a table of contents, and a checksum for each page, tested when the
//! page is first read.

use std::sync::atomic::{AtomicU8, Ordering};

use twox_hash::XxHash3_64;

use crate::bytes::{Bytes, Damage, put_varint};

/// The first bytes of a file; the last of them is the version of the format.
const MAGIC: [u8; 8] = *b"gtgames\x02";
/// The bytes covered by one checksum.
const PAGE: usize = 1 << 14;
/// Magic, length of the table, checksum of the table.
const HEADER: usize = 24;

/// The bytes of a file: magic, table, pages.
///
/// The table holds the length of each section and the checksum of each page. Sections follow one
/// another without gaps.
pub(crate) fn encode(sections: &[Vec<u8>]) -> Vec<u8> {
    let len = sections.iter().map(Vec::len).sum();
    let mut body = Vec::with_capacity(len);
    sections
        .iter()
        .for_each(|section| body.extend_from_slice(section));
    let mut table = Vec::new();
    put_varint(&mut table, sections.len() as u64);
    sections
        .iter()
        .for_each(|section| put_varint(&mut table, section.len() as u64));
    body.chunks(PAGE)
        .for_each(|page| table.extend_from_slice(&XxHash3_64::oneshot(page).to_le_bytes()));
    let mut out = Vec::with_capacity(HEADER + table.len() + body.len());
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&(table.len() as u64).to_le_bytes());
    out.extend_from_slice(&XxHash3_64::oneshot(&table).to_le_bytes());
    out.extend_from_slice(&table);
    out.extend_from_slice(&body);
    out
}

/// The sections of a file held in memory or mapped into it.
pub(crate) struct Sections<B> {
    data: B,
    /// Where the pages begin.
    body: usize,
    /// Where each section begins in the body, and where the last one ends.
    starts: Vec<usize>,
    checksums: Vec<u64>,
    /// One bit for each page that was found correct.
    checked: Vec<AtomicU8>,
}

impl<B: AsRef<[u8]>> Sections<B> {
    pub fn open(data: B) -> Result<Sections<B>, Damage> {
        let damage = Damage("contents");
        let all = data.as_ref();
        let mut header = Bytes::new(all, "contents");
        if header.take(MAGIC.len())? != MAGIC {
            return Err(damage);
        }
        let len = usize::try_from(header.u64()?).map_err(|_| damage)?;
        let checksum = header.u64()?;
        let table = header.take(len)?;
        if XxHash3_64::oneshot(table) != checksum {
            return Err(damage);
        }
        let body = HEADER + len;
        let mut table = Bytes::new(table, "contents");
        let mut starts = vec![0];
        let mut end = 0usize;
        for _ in 0..table.count_within()? {
            end = end.checked_add(table.count()?).ok_or(damage)?;
            starts.push(end);
        }
        if all.len() - body != end {
            return Err(damage);
        }
        let pages = end.div_ceil(PAGE);
        let checksums = (0..pages).map(|_| table.u64()).collect::<Result<_, _>>()?;
        Ok(Sections {
            body,
            starts,
            checksums,
            checked: (0..pages.div_ceil(8)).map(|_| AtomicU8::new(0)).collect(),
            data,
        })
    }

    pub fn len(&self, section: usize) -> usize {
        match self.starts.get(section..=section + 1) {
            Some([start, end]) => end - start,
            _ => 0,
        }
    }

    /// A whole section.
    pub fn whole(&self, section: usize) -> Result<&[u8], Damage> {
        self.get(section, 0, self.len(section))
    }

    /// A part of a section.
    #[inline]
    pub fn get(&self, section: usize, start: usize, len: usize) -> Result<&[u8], Damage> {
        let damage = Damage("contents");
        let end = start.checked_add(len).ok_or(damage)?;
        if end > self.len(section) {
            return Err(damage);
        }
        let base = self.starts[section];
        self.checked(base + start, base + end)
    }

    /// The bytes from `start` to the end of the section, checked as far as `len`.
    fn checked(&self, start: usize, end: usize) -> Result<&[u8], Damage> {
        for page in start / PAGE..end.div_ceil(PAGE) {
            self.check_page(page)?;
        }
        let all = self.data.as_ref();
        all.get(self.body + start..self.body + end)
            .ok_or(Damage("contents"))
    }

    #[inline]
    fn check_page(&self, page: usize) -> Result<(), Damage> {
        let damage = Damage("contents");
        let (flags, bit) = (self.checked.get(page / 8).ok_or(damage)?, 1 << (page % 8));
        if flags.load(Ordering::Relaxed) & bit != 0 {
            return Ok(());
        }
        let all = &self.data.as_ref()[self.body..];
        let start = page * PAGE;
        let bytes = all.get(start..all.len().min(start + PAGE)).ok_or(damage)?;
        if self.checksums.get(page) != Some(&XxHash3_64::oneshot(bytes)) {
            return Err(damage);
        }
        flags.fetch_or(bit, Ordering::Relaxed);
        Ok(())
    }

    /// Checks every page.
    pub fn check(&self) -> Result<(), Damage> {
        (0..self.checksums.len()).try_for_each(|page| self.check_page(page))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_flipped_bit_is_found() {
        let sections = [
            vec![7; 3],
            (0..40_000u32).map(|i| i as u8).collect(),
            vec![],
        ];
        let bytes = encode(&sections);
        let open = Sections::open(&bytes).unwrap();
        assert_eq!(open.whole(0), Ok(&[7, 7, 7][..]));
        assert_eq!(open.whole(1), Ok(&sections[1][..]));
        assert_eq!(open.whole(2), Ok(&[][..]));
        assert_eq!(open.get(1, 20_000, 2), Ok(&[32, 33][..]));
        assert!(open.get(1, 39_999, 2).is_err());
        for at in (0..bytes.len()).step_by(97).chain(0..100) {
            let mut bad = bytes.clone();
            bad[at] ^= 4;
            let damaged = Sections::open(&bad).and_then(|open| open.check());
            assert!(damaged.is_err(), "byte {at}");
        }
        for len in [0, 7, 23, 100, bytes.len() - 1] {
            assert!(Sections::open(&bytes[..len]).is_err());
        }
    }
}
