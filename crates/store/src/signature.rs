//! What a game can contain: pieces met on squares, least and most material, endings reached.
//!
//! A query that needs a white knight on d5 and a black pawn on d6 reads two bitmaps of one bit a
//! game; all other games cannot match. A selection never excludes a game that could.

use chess::{Color, Role, Square};
use rustc_hash::FxHashMap;

use crate::bytes::{BitWriter, Bytes, Damage, get_bits, put_varint, width_of};
use crate::numbered::{PieceCode, code};
use crate::position::Position;

/// The kinds of pieces whose number is kept: both colours without the kings.
pub const KINDS: [(Color, Role); 10] = [
    (Color::White, Role::Pawn),
    (Color::White, Role::Knight),
    (Color::White, Role::Bishop),
    (Color::White, Role::Rook),
    (Color::White, Role::Queen),
    (Color::Black, Role::Pawn),
    (Color::Black, Role::Knight),
    (Color::Black, Role::Bishop),
    (Color::Black, Role::Rook),
    (Color::Black, Role::Queen),
];

/// Endings with more pieces than this, kings included, are not listed.
pub const ENDING_MEN: u32 = 8;

/// Numbers larger than this are stored as this.
const COUNT_LIMIT: u64 = 15;

/// How many pieces of each kind, four bits each, in the order of [`KINDS`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Material(u64);

impl Material {
    pub fn of(count: impl Fn(PieceCode) -> u32) -> Material {
        let kinds = KINDS.iter().enumerate();
        Material(kinds.fold(0, |all, (at, &(color, role))| {
            all | u64::from(count(code(color, role))).min(COUNT_LIMIT) << (4 * at)
        }))
    }

    fn get(self, kind: usize) -> u8 {
        (self.0 >> (4 * kind) & COUNT_LIMIT) as u8
    }

    fn combine(self, other: Material, choose: impl Fn(u8, u8) -> u8) -> Material {
        let all = (0..KINDS.len())
            .map(|kind| u64::from(choose(self.get(kind), other.get(kind))) << (4 * kind));
        Material(all.fold(0, |all, part| all | part))
    }

    pub fn least(self, other: Material) -> Material {
        self.combine(other, u8::min)
    }

    pub fn most(self, other: Material) -> Material {
        self.combine(other, u8::max)
    }

    fn within(self, counts: &[(u8, u8); 10]) -> bool {
        (0..KINDS.len()).all(|kind| {
            let count = self.get(kind);
            // A count at the limit of storage may be larger in truth.
            counts[kind].0.min(COUNT_LIMIT as u8) <= count && count <= counts[kind].1
        })
    }
}

/// Necessary conditions of a query: a game that has no position with all of them is excluded where
/// the signature can tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// For each condition, the pieces on squares of which one must be met.
    pub placements: Vec<Vec<(Color, Role, Square)>>,
    /// The least and most pieces of each of [`KINDS`].
    pub counts: [(u8, u8); 10],
    /// Bounds on several kinds together.
    pub groups: Vec<GroupBound>,
    /// One of these positions must be met; empty: any. A game that does not begin as usual is never
    /// excluded for them.
    pub positions: Vec<Position>,
}

/// The most pieces of some kinds together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupBound {
    /// Which of [`KINDS`].
    pub kinds: [bool; 10],
    /// The kings counted with them: games that begin as usual always have them.
    pub kings: u8,
    /// The most pieces.
    pub most: u8,
}

impl Default for Selection {
    fn default() -> Selection {
        Selection {
            placements: Vec::new(),
            counts: [(0, u8::MAX); 10],
            groups: Vec::new(),
            positions: Vec::new(),
        }
    }
}

impl Selection {
    /// True if no game can be excluded.
    pub fn is_all(&self) -> bool {
        *self == Selection::default()
    }

    /// The bounds for games that begin as usual, and so have both kings in every position.
    pub(crate) fn with_both_kings(&self) -> Selection {
        let mut selection = self.clone();
        for group in &mut selection.groups {
            group.most = group.most.saturating_sub(group.kings);
            group.kings = 0;
        }
        selection
    }

    fn bounds_material(&self) -> bool {
        self.counts != Selection::default().counts || !self.groups.is_empty()
    }

    /// True if the lists of endings have every game that meets the bounds.
    fn is_ending(&self) -> bool {
        let (white, black) = (self.most_of(0..5), self.most_of(5..10));
        white + black + 2 <= ENDING_MEN
    }

    /// The most pieces of these kinds together.
    fn most_of(&self, kinds: std::ops::Range<usize>) -> u32 {
        let each = self.counts[kinds.clone()]
            .iter()
            .map(|&(_, most)| u32::from(most));
        let covers = |marked: &[bool; 10]| kinds.clone().all(|kind| marked[kind]);
        let covering = self.groups.iter().filter(|group| covers(&group.kinds));
        let together = covering.map(|group| u32::from(group.most)).min();
        each.sum::<u32>().min(together.unwrap_or(u32::MAX))
    }

    fn allows(&self, material: Material) -> bool {
        material.within(&self.counts) && self.groups_allow(material)
    }

    /// Whether no group has more pieces than it may have.
    fn groups_allow(&self, material: Material) -> bool {
        self.groups.iter().all(|group| {
            let kinds = (0..KINDS.len()).filter(|&kind| group.kinds[kind]);
            kinds.map(|kind| material.get(kind)).sum::<u8>() <= group.most
        })
    }
}

/// One bit for each game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSet {
    words: Vec<u64>,
    len: u32,
}

impl GameSet {
    /// No game, or all of them.
    pub fn new(len: u32, all: bool) -> GameSet {
        let mut words = vec![if all { u64::MAX } else { 0 }; (len as usize).div_ceil(64)];
        if let Some(last) = words.last_mut()
            && !len.is_multiple_of(64)
        {
            *last &= (1 << (len % 64)) - 1;
        }
        GameSet { words, len }
    }

    /// Adds a game.
    #[inline]
    pub fn insert(&mut self, game: u32) {
        if let Some(word) = self.words.get_mut(game as usize / 64) {
            *word |= 1 << (game % 64);
        }
    }

    /// Removes a game.
    pub fn remove(&mut self, game: u32) {
        if let Some(word) = self.words.get_mut(game as usize / 64) {
            *word &= !(1 << (game % 64));
        }
    }

    /// Whether the game is in the set.
    #[inline]
    pub fn contains(&self, game: u32) -> bool {
        let word = self.words.get(game as usize / 64);
        word.is_some_and(|word| word >> (game % 64) & 1 != 0)
    }

    /// Keeps the games that are in the other set as well.
    pub fn intersect(&mut self, other: &GameSet) {
        let pairs = self.words.iter_mut().zip(&other.words);
        pairs.for_each(|(word, other)| *word &= other);
    }

    /// Adds the games of the other set.
    pub fn unite(&mut self, other: &GameSet) {
        let pairs = self.words.iter_mut().zip(&other.words);
        pairs.for_each(|(word, other)| *word |= other);
    }

    /// The number of games in the set.
    pub fn count(&self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }

    /// The games in the set, in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().enumerate().flat_map(|(at, &word)| {
            let next = |&rest: &u64| Some(rest & rest.wrapping_sub(1)).filter(|&rest| rest != 0);
            std::iter::successors(Some(word).filter(|&word| word != 0), next)
                .map(move |rest| at as u32 * 64 + rest.trailing_zeros())
        })
    }
}

/// The signatures of games under construction.
#[derive(Debug, Default)]
pub(crate) struct SignatureBuilder {
    /// For each game the squares on which each piece was met.
    pub seen: Vec<[u64; 16]>,
    pub least: Vec<Material>,
    pub most: Vec<Material>,
    /// Endings reached, and the games.
    pub endings: Vec<(Material, u32)>,
}

impl SignatureBuilder {
    /// Appends signatures of games that follow after `base` games.
    pub fn append(&mut self, other: SignatureBuilder, base: u32) {
        self.seen.extend(other.seen);
        self.least.extend(other.least);
        self.most.extend(other.most);
        let endings = other.endings.into_iter();
        self.endings
            .extend(endings.map(|(material, game)| (material, game + base)));
    }

    /// The bitmap of each piece on each square.
    pub fn encode_placements(&self) -> Vec<u8> {
        let games = self.seen.len() as u32;
        let (mut table, mut data) = (Vec::new(), Vec::new());
        for code in piece_codes() {
            let maps = self.transpose(code);
            for map in maps {
                table.extend_from_slice(&(data.len() as u32).to_le_bytes());
                encode_set(&map, games, &mut data);
            }
        }
        table.extend_from_slice(&(data.len() as u32).to_le_bytes());
        table.extend_from_slice(&data);
        table
    }

    /// For one piece the set of games of each square.
    fn transpose(&self, code: PieceCode) -> Vec<GameSet> {
        let games = self.seen.len() as u32;
        let mut maps = vec![GameSet::new(games, false); 64];
        for (word, block) in self.seen.chunks(64).enumerate() {
            let mut bits = [0; 64];
            for (row, seen) in bits.iter_mut().zip(block) {
                *row = seen[usize::from(code)];
            }
            transpose_64(&mut bits);
            for (map, bits) in maps.iter_mut().zip(bits) {
                map.words[word] = bits;
            }
        }
        maps
    }

    pub fn encode_material(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for column in [&self.least, &self.most] {
            encode_material_column(column, &mut out);
        }
        out
    }

    pub fn encode_endings(&mut self) -> Vec<u8> {
        self.endings.sort_unstable();
        self.endings.dedup();
        let mut out = Vec::new();
        for same in self.endings.chunk_by(|a, b| a.0 == b.0) {
            out.extend_from_slice(&same[0].0.0.to_le_bytes());
            let mut list = Vec::new();
            let mut last = 0;
            for &(_, game) in same {
                put_varint(&mut list, u64::from(game - last));
                last = game;
            }
            put_varint(&mut out, list.len() as u64);
            out.extend_from_slice(&list);
        }
        out
    }
}

fn piece_codes() -> impl Iterator<Item = PieceCode> {
    Color::ALL
        .into_iter()
        .flat_map(|color| Role::ALL.map(|role| code(color, role)))
}

/// The number of a bitmap.
fn map_number(color: Color, role: Role, square: Square) -> usize {
    let pieces = match color {
        Color::White => 0,
        Color::Black => 6,
    };
    (pieces + role as usize - 1) * 64 + square as usize
}

/// Exchanges rows and columns of 64 × 64 bits.
fn transpose_64(rows: &mut [u64; 64]) {
    let (mut width, mut mask) = (32, 0x0000_0000_FFFF_FFFFu64);
    while width > 0 {
        let mut row = 0;
        while row < 64 {
            let swapped = (rows[row] >> width ^ rows[row + width]) & mask;
            rows[row] ^= swapped << width;
            rows[row + width] ^= swapped;
            row = (row + width + 1) & !width;
        }
        width >>= 1;
        mask ^= mask << width;
    }
}

const RAW: u8 = 0;
const MEMBERS: u8 = 1;
const OTHERS: u8 = 2;

/// Appends a set in the smallest of three forms: bits, its members, or the games outside it.
fn encode_set(set: &GameSet, games: u32, out: &mut Vec<u8>) {
    let count = set.count();
    let smaller = count.min(games - count);
    // A member takes one byte or two.
    if smaller as usize * 2 >= set.words.len() * 8 {
        out.push(RAW);
        set.words
            .iter()
            .for_each(|word| out.extend_from_slice(&word.to_le_bytes()));
        return;
    }
    let lists_members = count == smaller;
    out.push(if lists_members { MEMBERS } else { OTHERS });
    let mut last = 0;
    for game in (0..games).filter(|&game| set.contains(game) == lists_members) {
        put_varint(out, u64::from(game - last));
        last = game;
    }
}

fn decode_set(bytes: &[u8], games: u32) -> Result<GameSet, Damage> {
    let mut bytes = Bytes::new(bytes, "signatures");
    let form = bytes.u8()?;
    let mut set = GameSet::new(games, form == OTHERS);
    if form == RAW {
        for word in &mut set.words {
            *word = bytes.u64()?;
        }
        return Ok(set);
    }
    let mut game = 0u32;
    while !bytes.is_empty() {
        game = game.checked_add(bytes.varint32()?).ok_or(bytes.damage())?;
        match form {
            MEMBERS => set.insert(game),
            _ => set.remove(game),
        }
    }
    Ok(set)
}

/// Appends distinct values, and for each game the number of its value.
fn encode_material_column(column: &[Material], out: &mut Vec<u8>) {
    let mut ids: FxHashMap<Material, u32> = FxHashMap::default();
    let mut values = Vec::new();
    let mut rows = Vec::with_capacity(column.len());
    for &material in column {
        let id = *ids.entry(material).or_insert_with(|| {
            values.push(material);
            values.len() as u32 - 1
        });
        rows.push(id);
    }
    let width = width_of(values.len() as u32);
    let mut bits = BitWriter::default();
    rows.iter().for_each(|&id| bits.put(id, width));
    let bits = bits.finish();
    put_varint(out, values.len() as u64);
    values
        .iter()
        .for_each(|value| out.extend_from_slice(&value.0.to_le_bytes()));
    put_varint(out, bits.len() as u64);
    out.extend_from_slice(&bits);
}

/// The stored signatures of a segment.
pub(crate) struct Signatures<M, E> {
    pub games: u32,
    /// Reads the least and most material of each game.
    pub material: M,
    /// Reads the lists of endings.
    pub endings: E,
}

impl<'a, M, E> Signatures<M, E>
where
    M: Fn() -> Result<&'a [u8], Damage>,
    E: Fn() -> Result<&'a [u8], Damage>,
{
    /// The games that the bounds on material leave.
    pub fn with_material(&self, selection: &Selection) -> Result<GameSet, Damage> {
        if !selection.bounds_material() {
            return Ok(GameSet::new(self.games, true));
        }
        match selection.is_ending() {
            true => self.with_ending(selection),
            false => self.with_counts(selection),
        }
    }

    fn with_ending(&self, selection: &Selection) -> Result<GameSet, Damage> {
        let mut set = GameSet::new(self.games, false);
        let mut bytes = Bytes::new((self.endings)()?, "signatures");
        while !bytes.is_empty() {
            let material = Material(bytes.u64()?);
            let len = bytes.count()?;
            let mut list = Bytes::new(bytes.take(len)?, "signatures");
            if !selection.allows(material) {
                continue;
            }
            let mut game = 0u32;
            while !list.is_empty() {
                game = game.checked_add(list.varint32()?).ok_or(list.damage())?;
                set.insert(game);
            }
        }
        Ok(set)
    }

    fn with_counts(&self, selection: &Selection) -> Result<GameSet, Damage> {
        let mut bytes = Bytes::new((self.material)()?, "signatures");
        let most = selection.counts.map(|(_, most)| (0, most));
        let least = selection.counts.map(|(least, _)| (least, u8::MAX));
        let mut set = self.column_where(&mut bytes, |met| {
            met.within(&most) && selection.groups_allow(met)
        })?;
        set.intersect(&self.column_where(&mut bytes, |met| met.within(&least))?);
        Ok(set)
    }

    /// The games whose material in the next column meets a condition.
    fn column_where(
        &self,
        bytes: &mut Bytes,
        holds: impl Fn(Material) -> bool,
    ) -> Result<GameSet, Damage> {
        let count = bytes.count_within()?;
        let values = (0..count).map(|_| Ok(holds(Material(bytes.u64()?))));
        let values = values.collect::<Result<Vec<bool>, Damage>>()?;
        let len = bytes.count()?;
        let bits = bytes.take(len)?;
        let width = width_of(count as u32);
        let mut set = GameSet::new(self.games, false);
        for game in 0..self.games {
            let id = get_bits(bits, (game * width) as usize, width);
            if values.get(id as usize).copied().unwrap_or(true) {
                set.insert(game);
            }
        }
        Ok(set)
    }
}

/// The games in which one of these pieces was met on its square. `part` reads the section.
pub(crate) fn with_placement<'a>(
    games: u32,
    wanted: &[(Color, Role, Square)],
    part: impl Fn(usize, usize) -> Result<&'a [u8], Damage>,
) -> Result<GameSet, Damage> {
    const TABLE: usize = (768 + 1) * 4;
    let mut set = GameSet::new(games, false);
    for &(color, role, square) in wanted {
        let at = map_number(color, role, square) * 4;
        let mut offsets = Bytes::new(part(at, 8)?, "signatures");
        let (start, end) = (offsets.u32()? as usize, offsets.u32()? as usize);
        let len = end.checked_sub(start).ok_or(offsets.damage())?;
        set.unite(&decode_set(part(TABLE + start, len)?, games)?);
    }
    Ok(set)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_come_back() {
        for step in [1, 2, 3, 7, 50, 900] {
            for inverted in [false, true] {
                let mut set = GameSet::new(1000, inverted);
                for game in (0..1000).step_by(step) {
                    match inverted {
                        true => set.remove(game),
                        false => set.insert(game),
                    }
                }
                let mut out = Vec::new();
                encode_set(&set, 1000, &mut out);
                assert_eq!(decode_set(&out, 1000), Ok(set));
            }
        }
    }

    #[test]
    fn rows_become_columns() {
        let mut rows: [u64; 64] =
            std::array::from_fn(|i| (i as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let before = rows;
        transpose_64(&mut rows);
        for (i, row) in before.iter().enumerate() {
            for (j, column) in rows.iter().enumerate() {
                assert_eq!(row >> j & 1, column >> i & 1);
            }
        }
    }

    #[test]
    fn members_in_order() {
        let mut set = GameSet::new(130, false);
        [0, 63, 64, 129].iter().for_each(|&game| set.insert(game));
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 63, 64, 129]);
        assert_eq!(GameSet::new(130, true).count(), 130);
    }
}
