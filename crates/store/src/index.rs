//! The position index of a segment: from the hash of a position to the games that may hold it.
//!
//! Positions met in one game only, nine of ten, are *singles*: they take some 22 bits each, name a
//! group of games, and may be wrong. Positions met in several games have a list of these games,
//! and long lists have statistics. A reader compares what it finds with the moves of the games, so a
//! collision of hashes costs time but never gives a wrong answer.

use std::ops::Range;

use crate::bytes::{BitWriter, Bytes, Damage, get_bits, put_varint, width_of};
use crate::stats::{Ranked, Stats, TopGames};

/// The index is built and stored in this many ranges of hashes.
pub(crate) const RANGES: usize = 16;
/// The bits of a game's number in a segment.
pub(crate) const GAME_BITS: u32 = 17;
/// The most games in a segment.
pub(crate) const GAMES: u32 = 1 << GAME_BITS;
/// Games in a group; a single names the group, which saves three bits.
pub(crate) const GROUP: u32 = 8;
/// Lists of at least this many games have statistics.
const STATS: usize = 24;
/// Lists of at least this many games can be passed over without reading them.
const LONG: usize = 12;

/// The bits of a hash below its range that an entry keeps.
const REST_BITS: u32 = 64 - 4 - GAME_BITS;
/// Singles in a bucket on average, the slots of a bucket, and the bits that tell singles of a slot
/// apart: a position that is not there meets a single in one lookup of 16.
const BUCKET: usize = 32;
const SLOT_BITS: u32 = 7;
const SLOTS: usize = 1 << SLOT_BITS;
const MARK_BITS: u32 = 2;
/// Lists in a bucket on average.
const LIST_BUCKET: usize = 8;
/// The most buckets of a range.
const BUCKETS: usize = 1 << 20;
/// Bytes before the tables of a range: four numbers.
const HEADER: usize = 16;

/// A position met in a game: the upper bits of its hash and the game.
pub(crate) fn entry(hash: u64, game: u32) -> u64 {
    hash & !u64::from(GAMES - 1) | u64::from(game)
}

/// The range of a hash.
pub(crate) fn range_of(hash: u64) -> usize {
    (hash >> 60) as usize
}

/// The part of the hash that an entry keeps.
pub(crate) fn kept(hash: u64) -> u64 {
    hash >> GAME_BITS
}

fn rest(hash: u64) -> u64 {
    kept(hash) & ((1 << REST_BITS) - 1)
}

/// The bucket of a hash among `count`, and its position in the bucket, in `bits` bits.
#[inline]
fn bucket(hash: u64, count: usize, bits: u32) -> (usize, usize) {
    // At most 43 + 20 bits.
    let scaled = rest(hash) * count.min(BUCKETS) as u64;
    let inside = scaled >> (REST_BITS - bits) & ((1 << bits) - 1);
    ((scaled >> REST_BITS) as usize, inside as usize)
}

/// What is known about a list of games when it is stored.
#[derive(Debug, Default)]
pub(crate) struct Examined {
    /// Some games may hold another position with the same hash.
    pub mixed: bool,
    pub stats: Stats,
    pub best: TopGames,
    pub latest: TopGames,
}

/// Encodes one range. `examine` replays the games of a list up to the position, and counts them if
/// the flag is set.
pub(crate) fn encode_range(
    mut entries: Vec<u64>,
    games: u32,
    mut examine: impl FnMut(u64, &[u32], bool) -> Examined,
) -> Vec<u8> {
    entries.sort_unstable();
    entries.dedup();
    let (mut singles, mut lists) = (Vec::with_capacity(entries.len()), Vec::new());
    for run in entries.chunk_by(|a, b| kept(*a) == kept(*b)) {
        match run {
            [single] => singles.push(*single),
            list => lists.push(list),
        }
    }
    let buckets = singles.len().div_ceil(BUCKET).clamp(1, BUCKETS);
    let list_buckets = lists.len().div_ceil(LIST_BUCKET).clamp(1, BUCKETS);
    let (prefix, bits) = encode_singles(&singles, buckets, games);
    let (offsets, lists) = encode_lists(&lists, list_buckets, &mut examine);

    let mut out = Vec::new();
    for number in [buckets, list_buckets, bits.len(), lists.len()] {
        out.extend_from_slice(&(number as u32).to_le_bytes());
    }
    for number in prefix.into_iter().chain(offsets) {
        out.extend_from_slice(&number.to_le_bytes());
    }
    out.extend_from_slice(&bits);
    out.extend_from_slice(&lists);
    out
}

/// The bits of a single: the number of its group, and its mark.
fn single_width(games: u32) -> u32 {
    width_of(games.saturating_sub(1) / GROUP) + MARK_BITS
}

/// The bucket of a single, its slot, and its mark.
#[inline]
fn single_place(hash: u64, buckets: usize) -> (usize, usize, u32) {
    let (bucket, inside) = bucket(hash, buckets, SLOT_BITS + MARK_BITS);
    let mark = inside as u32 & ((1 << MARK_BITS) - 1);
    (bucket, inside >> MARK_BITS, mark)
}

/// The number of singles before each bucket, and the buckets: the fill of the slots in unary, then
/// the groups with their marks.
fn encode_singles(singles: &[u64], buckets: usize, games: u32) -> (Vec<u32>, Vec<u8>) {
    let width = single_width(games);
    let mut prefix = vec![0];
    let mut bits = BitWriter::default();
    let mut rest = singles
        .iter()
        .map(|&single| (single_place(single, buckets), single))
        .peekable();
    let (mut fill, mut groups) = (Vec::new(), Vec::new());
    for at in 0..buckets {
        fill.clear();
        groups.clear();
        while let Some(((_, slot, mark), single)) = rest.next_if(|((other, ..), _)| *other == at) {
            // A one for each single, a zero after each slot.
            let one = slot + groups.len();
            fill.resize(fill.len().max(one / 32 + 1), 0u32);
            fill[one / 32] |= 1 << (one % 32);
            let group = (single as u32 & (GAMES - 1)) / GROUP;
            groups.push(group << MARK_BITS | mark);
        }
        let len = SLOTS + groups.len();
        fill.resize(len.div_ceil(32), 0);
        for (word, &ones) in fill.iter().enumerate() {
            bits.put(ones, (len - word * 32).min(32) as u32);
        }
        groups.iter().for_each(|&group| bits.put(group, width));
        prefix.push(prefix[at] + groups.len() as u32);
    }
    (prefix, bits.finish())
}

fn encode_lists(
    lists: &[&[u64]],
    buckets: usize,
    examine: &mut impl FnMut(u64, &[u32], bool) -> Examined,
) -> (Vec<u32>, Vec<u8>) {
    let mut lists = lists.iter().peekable();
    let mut offsets = vec![0];
    let mut out = Vec::new();
    let mut games = Vec::new();
    for at in 0..buckets {
        while let Some(run) = lists.next_if(|run| bucket(run[0], buckets, 8).0 == at) {
            games.clear();
            games.extend(run.iter().map(|&entry| entry as u32 & (GAMES - 1)));
            let counted = games.len() >= STATS;
            let examined = examine(run[0], &games, counted);
            out.push(bucket(run[0], buckets, 8).1 as u8);
            encode_list(&games, &examined, &mut out);
        }
        offsets.push(out.len() as u32);
    }
    (offsets, out)
}

fn encode_list(games: &[u32], examined: &Examined, out: &mut Vec<u8>) {
    put_varint(out, (games.len() as u64) << 1 | u64::from(examined.mixed));
    let mut ids = Vec::new();
    let mut last = 0;
    for &game in games {
        put_varint(&mut ids, u64::from(game - last));
        last = game;
    }
    if games.len() >= LONG {
        put_varint(out, ids.len() as u64);
    }
    out.extend_from_slice(&ids);
    if games.len() >= STATS && !examined.mixed {
        let mut stats = Vec::new();
        examined.stats.encode(&mut stats);
        for top in [&examined.best, &examined.latest] {
            put_varint(&mut stats, top.games().len() as u64);
            top.games()
                .iter()
                .for_each(|ranked| put_varint(&mut stats, u64::from(ranked.game)));
        }
        put_varint(out, stats.len() as u64);
        out.extend_from_slice(&stats);
    }
}

/// A list of games that may hold the position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List<'a> {
    pub count: usize,
    pub mixed: bool,
    ids: &'a [u8],
    stats: Option<&'a [u8]>,
    place: ListPlace,
}

/// What is stored of the hash of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ListPlace {
    range: usize,
    buckets: usize,
    bucket: usize,
    mark: usize,
}

impl ListPlace {
    fn of(hash: u64, buckets: usize) -> ListPlace {
        let (bucket, mark) = bucket(hash, buckets, 8);
        ListPlace {
            range: range_of(hash),
            buckets,
            bucket,
            mark,
        }
    }
}

impl<'a> List<'a> {
    /// The games in ascending order.
    pub fn games(&self) -> impl Iterator<Item = Result<u32, Damage>> + 'a {
        let mut ids = Bytes::new(self.ids, "index");
        let mut game = 0u32;
        (0..self.count).map(move |_| {
            game = game.checked_add(ids.varint32()?).ok_or(ids.damage())?;
            Ok(game)
        })
    }

    /// Whether the list can be that of a hash.
    #[inline]
    pub fn can_be(&self, hash: u64) -> bool {
        range_of(hash) == self.place.range && ListPlace::of(hash, self.place.buckets) == self.place
    }

    /// The stored statistics, and the best and latest games.
    pub fn stats(&self) -> Option<Result<Stored, Damage>> {
        self.stats.map(Stored::read)
    }
}

/// Statistics of a position that were computed when the segment was written.
#[derive(Debug)]
pub(crate) struct Stored {
    pub stats: Stats,
    pub best: Vec<u32>,
    pub latest: Vec<u32>,
}

impl Stored {
    fn read(bytes: &[u8]) -> Result<Stored, Damage> {
        let mut bytes = Bytes::new(bytes, "index");
        let stats = Stats::read(&mut bytes)?;
        let mut games = || {
            let count = bytes.count_within()?;
            (0..count)
                .map(|_| bytes.varint32())
                .collect::<Result<Vec<u32>, Damage>>()
        };
        Ok(Stored {
            stats,
            best: games()?,
            latest: games()?,
        })
    }
}

/// What the index says about a hash.
#[derive(Debug, Default)]
pub(crate) struct Candidates<'a> {
    /// Groups of games, one of which may hold the position.
    pub groups: Vec<u32>,
    pub lists: Vec<List<'a>>,
}

/// Looks a hash up in its range. `part` reads the section of the range.
pub(crate) fn look_up<'a>(
    hash: u64,
    games: u32,
    part: impl Fn(usize, usize) -> Result<&'a [u8], Damage>,
) -> Result<Candidates<'a>, Damage> {
    let mut header = Bytes::new(part(0, HEADER)?, "index");
    let mut number = || Ok(header.u32()? as usize);
    let (buckets, list_buckets) = (number()?, number()?);
    let (bits_len, lists_len) = (number()?, number()?);
    let prefix = HEADER;
    let offsets = prefix + (buckets + 1) * 4;
    let bits = offsets + (list_buckets + 1) * 4;
    let lists = bits + bits_len;

    let pair = |table: usize, at: usize| {
        let mut pair = Bytes::new(part(table + at * 4, 8)?, "index");
        Ok((pair.u32()? as usize, pair.u32()? as usize))
    };
    let (at, slot, mark) = single_place(hash, buckets);
    let (first, last) = pair(prefix, at)?;
    let count = last.checked_sub(first).ok_or(Damage("index"))?;
    let width = single_width(games);
    let start = SLOTS * at + (1 + width as usize) * first;
    let len = SLOTS + (1 + width as usize) * count;
    // Whole words are loaded: eight bytes follow the last bucket.
    let bytes = part(bits + start / 8, (start % 8 + len).div_ceil(8) + 8)?;
    let table = start % 8 + SLOTS + count;
    let groups = ones_in_slot(bytes, start % 8, slot, SLOTS + count)
        .map(|single| get_bits(bytes, table + single * width as usize, width))
        .filter(|single| single & ((1 << MARK_BITS) - 1) == mark)
        .map(|single| single >> MARK_BITS)
        .collect();

    let place = ListPlace::of(hash, list_buckets);
    let (start, end) = pair(offsets, place.bucket)?;
    if end < start || end > lists_len {
        return Err(Damage("index"));
    }
    let lists = lists_at(part(lists + start, end - start)?, place)?;
    Ok(Candidates { groups, lists })
}

/// Which ones stand in a slot: `len` bits hold a one for each single and a zero after each slot.
fn ones_in_slot(bytes: &[u8], start: usize, slot: usize, len: usize) -> Range<usize> {
    let begin = match slot.checked_sub(1) {
        None => 0,
        Some(before) => nth_zero(bytes, start, before, len) + 1,
    };
    let mut end = begin;
    while end < len && get_bits(bytes, start + end, 1) == 1 {
        end += 1;
    }
    begin.saturating_sub(slot)..end.saturating_sub(slot)
}

/// Where the n-th zero of `len` bits is, counted from 0; the last bit if there are fewer.
fn nth_zero(bytes: &[u8], start: usize, n: usize, len: usize) -> usize {
    let (mut left, mut at) = (n, 0);
    while at < len {
        let zeros = !get_bits(bytes, start + at, 32);
        let count = zeros.count_ones() as usize;
        if left < count {
            return (at + nth_one(zeros, left)).min(len - 1);
        }
        left -= count;
        at += 32;
    }
    len.saturating_sub(1)
}

/// Where the n-th one of a word is, counted from 0.
fn nth_one(mut word: u32, n: usize) -> usize {
    for _ in 0..n {
        word &= word.wrapping_sub(1);
    }
    word.trailing_zeros() as usize
}

fn lists_at(bucket: &[u8], place: ListPlace) -> Result<Vec<List<'_>>, Damage> {
    let mut bytes = Bytes::new(bucket, "index");
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let is_marked = usize::from(bytes.u8()?) == place.mark;
        let list = read_list(&mut bytes, place)?;
        if is_marked {
            found.push(list);
        }
    }
    Ok(found)
}

fn read_list<'a>(bytes: &mut Bytes<'a>, place: ListPlace) -> Result<List<'a>, Damage> {
    let head = bytes.count()?;
    let (count, mixed) = (head >> 1, head & 1 != 0);
    let ids = match count >= LONG {
        true => {
            let len = bytes.count()?;
            bytes.take(len)?
        }
        false => {
            let mut end = *bytes;
            for _ in 0..count {
                end.varint()?;
            }
            bytes.take(bytes.len() - end.len())?
        }
    };
    let stats = match count >= STATS && !mixed {
        true => {
            let len = bytes.count()?;
            Some(bytes.take(len)?)
        }
        false => None,
    };
    Ok(List {
        count,
        mixed,
        ids,
        stats,
        place,
    })
}

/// Counts a game in examined statistics.
pub(crate) fn count_game(examined: &mut Examined, ranked: Ranked, m: Option<chess::Move>) {
    examined.stats.add(m, ranked.facts);
    examined.best.offer(ranked, |facts| facts.strength());
    examined.latest.offer(ranked, |facts| facts.date());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mix(n: u64) -> u64 {
        let z = n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (z ^ z >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 4
    }

    #[test]
    fn every_entry_is_found() {
        for (positions, games) in [(0, 1), (1, 1), (5000, 3), (20_000, 1000), (3000, GAMES)] {
            // The first hundred positions are in many games.
            let of = |n: u32| {
                (
                    mix(u64::from(if n.is_multiple_of(4) { n % 100 } else { n })),
                    mix(u64::from(n) + 77) as u32 % games,
                )
            };
            let all: Vec<(u64, u32)> = (0..positions).map(of).collect();
            let entries = all.iter().map(|&(hash, game)| entry(hash, game)).collect();
            let bytes = encode_range(entries, games, |_, _, _| Examined::default());
            let part =
                |start: usize, len: usize| bytes.get(start..start + len).ok_or(Damage("test"));
            for (hash, game) in all {
                let found = look_up(hash, games, part).unwrap();
                let in_group = found.groups.contains(&(game / GROUP));
                let in_list = found
                    .lists
                    .iter()
                    .any(|list| list.games().any(|id| id == Ok(game)));
                assert!(in_group || in_list);
            }
        }
    }

    #[test]
    fn absent_positions_are_mostly_not_found() {
        let entries = (0..20_000)
            .map(|n| entry(mix(n), n as u32 % 1000))
            .collect();
        let bytes = encode_range(entries, 1000, |_, _, _| Examined::default());
        let part = |start: usize, len: usize| bytes.get(start..start + len).ok_or(Damage("test"));
        let wrong = (50_000..60_000).map(|n| look_up(mix(n), 1000, part).unwrap().groups.len());
        assert!(wrong.sum::<usize>() < 1000);
    }
}
