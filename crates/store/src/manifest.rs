//! The manifest: which segments an archive consists of, and which of their games are removed.

use twox_hash::XxHash3_64;

use crate::bytes::{Bytes, Damage, put_str, put_varint};
use crate::part::Indexed;

/// The first bytes; the last of them is the version of the format.
const MAGIC: [u8; 8] = *b"gtarchv\x02";

/// The contents of an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// Which positions of new games are indexed.
    pub indexed: Indexed,
    /// The number of the next segment.
    pub next: u64,
    /// The segments, in the order of their games.
    pub segments: Vec<SegmentEntry>,
}

/// A segment of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SegmentEntry {
    /// The number of the segment, which names its file.
    pub number: u64,
    /// The games in it, removed ones included.
    pub games: u32,
    /// The length of the file.
    pub bytes: u64,
    /// Removed games, in ascending order.
    pub removed: Vec<u32>,
}

impl SegmentEntry {
    /// The name of the segment's file.
    pub fn file_name(&self) -> String {
        format!("segment-{:06}.games", self.number)
    }

    /// The number of games that are not removed.
    pub fn live(&self) -> u64 {
        u64::from(self.games) - self.removed.len() as u64
    }
}

impl Manifest {
    /// The number of games that are not removed.
    pub fn games(&self) -> u64 {
        self.segments.iter().map(SegmentEntry::live).sum()
    }

    /// The manifest as bytes, with a checksum.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.push(match self.indexed {
            Indexed::Nothing => 0,
            Indexed::Mainlines => 1,
            Indexed::Variations => 2,
        });
        put_varint(&mut out, self.next);
        put_varint(&mut out, self.segments.len() as u64);
        for segment in &self.segments {
            put_varint(&mut out, segment.number);
            put_varint(&mut out, u64::from(segment.games));
            put_varint(&mut out, segment.bytes);
            put_varint(&mut out, segment.removed.len() as u64);
            let mut last = 0;
            for &game in &segment.removed {
                put_varint(&mut out, u64::from(game - last));
                last = game;
            }
        }
        put_str(&mut out, "end");
        let checksum = XxHash3_64::oneshot(&out);
        out.extend_from_slice(&checksum.to_le_bytes());
        out
    }

    /// Reads a manifest.
    pub fn read(bytes: &[u8]) -> Result<Manifest, Damage> {
        let damage = Damage("contents");
        let (content, checksum) = bytes.split_last_chunk::<8>().ok_or(damage)?;
        let mut content_bytes = Bytes::new(content, "contents");
        if XxHash3_64::oneshot(content) != u64::from_le_bytes(*checksum) {
            return Err(damage);
        }
        let magic = content_bytes.take(MAGIC.len())?;
        if magic != MAGIC {
            let same_kind = magic[..MAGIC.len() - 1] == MAGIC[..MAGIC.len() - 1];
            return Err(match same_kind {
                true => Damage::OTHER_VERSION,
                false => damage,
            });
        }
        let bytes = &mut content_bytes;
        let indexed = match bytes.u8()? {
            0 => Indexed::Nothing,
            1 => Indexed::Mainlines,
            2 => Indexed::Variations,
            _ => return Err(damage),
        };
        let next = bytes.varint()?;
        let count = bytes.count_within()?;
        let segments = (0..count)
            .map(|_| read_segment(bytes))
            .collect::<Result<_, _>>()?;
        Ok(Manifest {
            indexed,
            next,
            segments,
        })
    }
}

fn read_segment(bytes: &mut Bytes) -> Result<SegmentEntry, Damage> {
    let (number, games, len) = (bytes.varint()?, bytes.varint32()?, bytes.varint()?);
    let mut removed = Vec::new();
    let mut game = 0u32;
    for _ in 0..bytes.count_within()? {
        game = game.checked_add(bytes.varint32()?).ok_or(bytes.damage())?;
        removed.push(game);
    }
    if removed.last().is_some_and(|&last| last >= games) {
        return Err(bytes.damage());
    }
    Ok(SegmentEntry {
        number,
        games,
        bytes: len,
        removed,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comes_back_or_is_refused() {
        let entry = |number, removed| SegmentEntry {
            number,
            games: 100,
            bytes: 5000,
            removed,
        };
        let manifest = Manifest {
            indexed: Indexed::Variations,
            next: 7,
            segments: vec![entry(1, vec![]), entry(6, vec![0, 5, 99])],
        };
        let bytes = manifest.encode();
        assert_eq!(Manifest::read(&bytes), Ok(manifest));
        for at in 0..bytes.len() {
            let mut bad = bytes.clone();
            bad[at] ^= 1;
            assert!(Manifest::read(&bad).is_err());
            assert!(Manifest::read(&bytes[..at]).is_err());
        }
    }
}
