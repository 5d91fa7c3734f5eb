//! A segment: up to 131,072 games in one immutable file, with tags, index and signatures.

use std::sync::{Arc, OnceLock};

use chess::Board;
use chess::pgn::Game;
use rustc_hash::FxHashMap;
use twox_hash::XxHash3_64;

use crate::bytes::{Bytes, Damage, put_varint};
use crate::columns::{Column, Tags, TagsBuilder};
use crate::facts::Facts;
use crate::index::{
    Candidates, Examined, GAMES, GROUP, List, RANGES, Stored, count_game, encode_range, kept,
    look_up, range_of,
};
use crate::part::{Indexed, Part};
use crate::position::Position;
use crate::record::{Line, Moves, read_end, read_game, read_line, start_of};
use crate::replay::{Played, Replay, find};
use crate::sections::{self, Sections};
use crate::signature::{GameSet, Selection, SignatureBuilder, Signatures, with_placement};
use crate::stats::{Ranked, Stats, TopGames};

const HEAD: usize = 0;
const FACTS: usize = 1;
const STARTS: usize = 2;
const MOVES: usize = 3;
const EXTRA_BLOCKS: usize = 4;
const EXTRAS: usize = 5;
const TAGS: usize = 6;
const PLACEMENTS: usize = 7;
const MATERIAL: usize = 8;
const ENDINGS: usize = 9;
const INDEX: usize = 10;

/// The most moves in a segment: they bound the memory of building the index.
const PLIES: u64 = 12_000_000;
/// Extras are compressed in blocks of about this many bytes.
const BLOCK: usize = 1 << 16;
const BLOCK_LEVEL: i32 = 3;
/// A block with one large game may be larger; no game has more text.
const BLOCK_LIMIT: usize = 1 << 31;

/// Work that makes one section of a segment.
pub type Task = Box<dyn FnOnce() -> Vec<u8> + Send>;

/// A segment under construction.
#[derive(Debug, Default)]
pub struct SegmentBuilder {
    indexed: Indexed,
    core: Core,
    extras: Vec<u8>,
    extra_lens: Vec<(u32, u32)>,
    tags: TagsBuilder,
    signatures: SignatureBuilder,
    positions: [Vec<Vec<u64>>; RANGES],
    /// The number of games before each part.
    bases: Vec<u32>,
    plies: u64,
}

/// What the index needs to replay games.
#[derive(Debug, Default)]
struct Core {
    moves: Vec<u8>,
    /// Where each game begins in the moves; only every eighth number is stored.
    starts: Vec<u32>,
    facts: Vec<Facts>,
    /// The start positions of games that do not begin as usual.
    odd_starts: FxHashMap<u32, Board>,
}

impl SegmentBuilder {
    /// A segment without games.
    pub fn new(indexed: Indexed) -> SegmentBuilder {
        SegmentBuilder {
            indexed,
            ..SegmentBuilder::default()
        }
    }

    /// The number of games.
    pub fn len(&self) -> usize {
        self.core.facts.len()
    }

    /// True if there is no game.
    pub fn is_empty(&self) -> bool {
        self.core.facts.is_empty()
    }

    /// Whether a part fits; a part always fits in an empty segment if it has at most
    /// [`part_games`](SegmentBuilder::part_games) games.
    pub fn has_room(&self, part: &Part) -> bool {
        self.is_empty()
            || self.len() + part.len() <= GAMES as usize && self.plies + part.plies() <= PLIES
    }

    /// The most games in a part.
    pub const fn part_games() -> usize {
        GAMES as usize
    }

    /// Appends the games of a part.
    pub fn append(&mut self, part: Part) {
        let base = self.len() as u32;
        let mut at = 0;
        for &len in &part.move_lens {
            let bytes = (len >> 1) as usize;
            self.core.starts.push(self.core.moves.len() as u32);
            put_varint(&mut self.core.moves, u64::from(len));
            self.core
                .moves
                .extend_from_slice(&part.moves[at..at + bytes]);
            at += bytes;
        }
        let mut at = 0;
        for &(number, len) in &part.extra_lens {
            let extras = &part.extras[at..at + len as usize];
            if let Ok(Some(start)) = start_of(extras) {
                self.core.odd_starts.insert(base + number, start);
            }
            at += len as usize;
            self.extra_lens.push((base + number, len));
        }
        self.extras.extend_from_slice(&part.extras);
        self.core.facts.extend_from_slice(&part.facts);
        self.tags.append(&part.tags, base);
        self.signatures.append(part.signatures, base);
        let ranges = self.positions.iter_mut().zip(part.positions);
        ranges.for_each(|(range, entries)| range.push(entries));
        self.bases.push(base);
        self.plies += part.plies;
    }

    /// The work that makes the sections, in their order. The tasks may run on several threads.
    pub fn into_tasks(self) -> Vec<Task> {
        let games = self.len() as u32;
        let SegmentBuilder {
            indexed,
            core,
            extras,
            extra_lens,
            tags,
            mut signatures,
            positions,
            bases,
            plies,
        } = self;
        let (blocks, extras) = encode_extras(&extras, &extra_lens);
        let endings = signatures.encode_endings();
        let (core, signatures) = (Arc::new(core), Arc::new(signatures));
        let odd = core.facts.iter().filter(|facts| facts.starts_oddly());
        let head = encode_head(games, plies, indexed, odd.count() as u32);
        let facts = core
            .facts
            .iter()
            .flat_map(|facts| facts.bits().to_le_bytes())
            .collect();
        let starts = core
            .starts
            .iter()
            .step_by(GROUP as usize)
            .flat_map(|start| start.to_le_bytes())
            .collect();
        let moves = core.moves.clone();
        let material = signatures.clone();
        let mut tasks: Vec<Task> = vec![
            done(head),
            done(facts),
            done(starts),
            done(moves),
            done(blocks),
            done(extras),
            Box::new(move || tags.encode(games)),
            Box::new(move || signatures.encode_placements()),
            Box::new(move || material.encode_material()),
            done(endings),
        ];
        if indexed != Indexed::Nothing {
            for range in positions {
                let (core, bases) = (core.clone(), bases.clone());
                tasks.push(Box::new(move || {
                    let entries = join(range, &bases);
                    encode_range(entries, games, |hash, list, counted| {
                        core.examine(hash, list, counted).unwrap_or(Examined {
                            mixed: true,
                            ..Examined::default()
                        })
                    })
                }));
            }
        }
        tasks
    }

    /// The bytes of the segment, from its sections.
    pub fn assemble(sections: &[Vec<u8>]) -> Vec<u8> {
        sections::encode(sections)
    }
}

fn done(bytes: Vec<u8>) -> Task {
    Box::new(move || bytes)
}

/// The entries of all parts, with the numbers of games in the segment.
fn join(parts: Vec<Vec<u64>>, bases: &[u32]) -> Vec<u64> {
    let mut entries = Vec::with_capacity(parts.iter().map(Vec::len).sum());
    for (part, &base) in parts.into_iter().zip(bases) {
        entries.extend(part.iter().map(|entry| entry + u64::from(base)));
    }
    entries
}

fn encode_head(games: u32, plies: u64, indexed: Indexed, odd: u32) -> Vec<u8> {
    let mut head = Vec::new();
    head.extend_from_slice(&games.to_le_bytes());
    head.extend_from_slice(&plies.to_le_bytes());
    head.push(match indexed {
        Indexed::Nothing => 0,
        Indexed::Mainlines => 1,
        Indexed::Variations => 2,
    });
    head.extend_from_slice(&odd.to_le_bytes());
    head
}

/// The table of blocks and the compressed blocks.
fn encode_extras(extras: &[u8], lens: &[(u32, u32)]) -> (Vec<u8>, Vec<u8>) {
    let (mut table, mut blocks) = (Vec::new(), Vec::new());
    let mut block = Vec::new();
    let (mut first, mut at) = (0, 0);
    for (index, &(game, len)) in lens.iter().enumerate() {
        if block.is_empty() {
            first = game;
        }
        put_varint(&mut block, u64::from(game - first));
        put_varint(&mut block, u64::from(len));
        block.extend_from_slice(&extras[at..at + len as usize]);
        at += len as usize;
        if block.len() >= BLOCK || index + 1 == lens.len() {
            for number in [first, blocks.len() as u32, block.len() as u32] {
                table.extend_from_slice(&number.to_le_bytes());
            }
            blocks.extend(zstd::bulk::compress(&block, BLOCK_LEVEL).unwrap_or_default());
            block.clear();
        }
    }
    for number in [u32::MAX, blocks.len() as u32, 0] {
        table.extend_from_slice(&number.to_le_bytes());
    }
    (table, blocks)
}

impl Core {
    fn moves(&self, game: u32) -> Result<Moves<'_>, Damage> {
        let start = *self.starts.get(game as usize).ok_or(Damage("moves"))?;
        let bytes = self.moves.get(start as usize..).ok_or(Damage("moves"))?;
        nth_moves(bytes, 0)
    }

    /// Replays the games of a list to see whether they hold one position, and counts them.
    fn examine(&self, hash: u64, games: &[u32], counted: bool) -> Result<Examined, Damage> {
        let mut examined = Examined::default();
        let mut same: Option<(u64, Replay)> = None;
        for &game in games {
            let moves = self.moves(game)?;
            if moves.wide {
                return Err(Damage("moves"));
            }
            let mut replay = Replay::new(moves.bytes, self.odd_starts.get(&game))?;
            let found = match &same {
                None => replay.go_to(0, |track| kept(track.hash()) == kept(hash))?,
                Some((whole, first)) => replay.go_to(first.track.men(), |track| {
                    track.hash() == *whole && track.equals(&first.track)
                })?,
            };
            if !found {
                return Err(Damage("moves"));
            }
            if counted {
                let facts = self.facts[game as usize];
                count_game(&mut examined, Ranked { game, facts }, replay.next()?);
            }
            if same.is_none() {
                same = Some((replay.track.hash(), replay));
            }
        }
        examined.stats.sort();
        Ok(examined)
    }
}

/// The moves of the n-th game in these bytes.
fn nth_moves(bytes: &[u8], n: u32) -> Result<Moves<'_>, Damage> {
    let mut bytes = Bytes::new(bytes, "moves");
    for _ in 0..n {
        let len = bytes.count()? >> 1;
        bytes.take(len)?;
    }
    let head = bytes.count()?;
    Ok(Moves {
        bytes: bytes.take(head >> 1)?,
        wide: head & 1 != 0,
    })
}

/// A stored segment, in memory or mapped into it.
pub struct Segment<B> {
    sections: Sections<B>,
    games: u32,
    plies: u64,
    indexed: Indexed,
    /// The games that do not begin as usual.
    odd: u32,
    tags: OnceLock<Tags>,
}

impl<B> std::fmt::Debug for Segment<B> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Segment({} games)", self.games)
    }
}

impl<B: AsRef<[u8]>> Segment<B> {
    /// Opens a segment. Its bytes are checked when they are read first.
    pub fn open(data: B) -> Result<Segment<B>, Damage> {
        let sections = Sections::open(data)?;
        let mut head = Bytes::new(sections.whole(HEAD)?, "contents");
        let (games, plies) = (head.u32()?, head.u64()?);
        let indexed = match head.u8()? {
            0 => Indexed::Nothing,
            1 => Indexed::Mainlines,
            2 => Indexed::Variations,
            _ => return Err(head.damage()),
        };
        let odd = head.u32()?;
        if sections.len(FACTS) != games as usize * 8 || games > GAMES {
            return Err(head.damage());
        }
        Ok(Segment {
            sections,
            games,
            plies,
            indexed,
            odd,
            tags: OnceLock::new(),
        })
    }

    /// The number of games.
    pub fn len(&self) -> u32 {
        self.games
    }

    /// True if there is no game.
    pub fn is_empty(&self) -> bool {
        self.games == 0
    }

    /// The moves of all mainlines.
    pub fn plies(&self) -> u64 {
        self.plies
    }

    /// Which positions are indexed.
    pub fn indexed(&self) -> Indexed {
        self.indexed
    }

    /// The bytes of games (moves, extras, tags, facts), of the index, and of the signatures.
    pub fn sizes(&self) -> [u64; 3] {
        let sum = |sections: std::ops::Range<usize>| {
            sections
                .map(|section| self.sections.len(section) as u64)
                .sum()
        };
        [
            sum(HEAD..PLACEMENTS),
            sum(INDEX..INDEX + RANGES),
            sum(PLACEMENTS..INDEX),
        ]
    }

    /// Checks every byte.
    pub fn check(&self) -> Result<(), Damage> {
        self.sections.check()
    }

    /// The facts of a game.
    #[inline]
    pub fn facts(&self, game: u32) -> Result<Facts, Damage> {
        let bytes = self.sections.get(FACTS, game as usize * 8, 8)?;
        Ok(Facts::from_bits(Bytes::new(bytes, "facts").u64()?))
    }

    /// The facts of all games in order.
    pub fn all_facts(&self) -> Result<impl Iterator<Item = Facts> + '_, Damage> {
        let bytes = self.sections.whole(FACTS)?;
        let (facts, _) = bytes.as_chunks::<8>();
        Ok(facts
            .iter()
            .map(|chunk| Facts::from_bits(u64::from_le_bytes(*chunk))))
    }

    fn moves(&self, game: u32) -> Result<Moves<'_>, Damage> {
        let group = game / GROUP;
        let groups = self.games.div_ceil(GROUP);
        let wanted = if group + 1 < groups { 8 } else { 4 };
        let mut starts = Bytes::new(
            self.sections.get(STARTS, group as usize * 4, wanted)?,
            "moves",
        );
        let start = starts.u32()? as usize;
        let end = match starts.is_empty() {
            true => self.sections.len(MOVES),
            false => starts.u32()? as usize,
        };
        let len = end.checked_sub(start).ok_or(starts.damage())?;
        nth_moves(self.sections.get(MOVES, start, len)?, game % GROUP)
    }

    /// A hash of the moves of a mainline: equal games have equal hashes in every segment.
    pub fn moves_hash(&self, game: u32) -> Result<u64, Damage> {
        let moves = self.moves(game)?;
        Ok(XxHash3_64::oneshot_with_seed(
            u64::from(moves.wide),
            moves.bytes,
        ))
    }

    fn tags(&self) -> Result<&Tags, Damage> {
        if let Some(tags) = self.tags.get() {
            return Ok(tags);
        }
        let tags = Tags::read(self.sections.whole(TAGS)?)?;
        Ok(self.tags.get_or_init(|| tags))
    }

    /// The names of all tags that occur.
    pub fn tag_names(&self) -> Result<Vec<&str>, Damage> {
        Ok(self
            .tags()?
            .columns
            .iter()
            .map(|column| column.name.as_str())
            .collect())
    }

    /// The value of a tag in a game, the first one where there are several.
    pub fn tag(&self, game: u32, name: &str) -> Result<Option<&str>, Damage> {
        match self.tag_column(name)? {
            Some(column) => column.value(game),
            None => Ok(None),
        }
    }

    /// The values of a tag in all games; `None` if no game has it.
    pub fn tag_column(&self, name: &str) -> Result<Option<TagColumn<'_>>, Damage> {
        Ok(self.tags()?.column(name).map(TagColumn))
    }

    /// Reads games one after another.
    pub fn reader(&self) -> Reader<'_, B> {
        Reader {
            segment: self,
            block: usize::MAX,
            games: Vec::new(),
            text: Vec::new(),
        }
    }

    /// The games that meet the conditions as far as the signatures tell. Games with variations are
    /// kept if `variations` are searched, because the signatures cover mainlines.
    pub fn select(&self, selection: &Selection, variations: bool) -> Result<GameSet, Damage> {
        let signatures = Signatures {
            games: self.games,
            material: || self.sections.whole(MATERIAL),
            endings: || self.sections.whole(ENDINGS),
        };
        let tight = selection.with_both_kings();
        let mut set = signatures.with_material(&tight)?;
        if self.odd > 0 && tight != *selection {
            let mut odd = self.starting_oddly()?;
            odd.intersect(&signatures.with_material(selection)?);
            set.unite(&odd);
        }
        if !selection.positions.is_empty() && self.indexed != Indexed::Nothing {
            set.intersect(&self.reaching(&selection.positions)?);
        } else {
            for wanted in &selection.placements {
                let part = |start, len| self.sections.get(PLACEMENTS, start, len);
                set.intersect(&with_placement(self.games, wanted, part)?);
            }
        }
        if variations {
            for (game, facts) in self.all_facts()?.enumerate() {
                if facts.branches() {
                    set.insert(game as u32);
                }
            }
        }
        Ok(set)
    }

    /// The games that reach one of some positions, and all that do not begin as usual.
    fn reaching(&self, positions: &[Position]) -> Result<GameSet, Damage> {
        let mut set = self.starting_oddly()?;
        for position in positions {
            let games = self.games_with(position)?;
            games.into_iter().for_each(|game| set.insert(game));
        }
        Ok(set)
    }

    /// The games that do not begin as usual.
    fn starting_oddly(&self) -> Result<GameSet, Damage> {
        let mut set = GameSet::new(self.games, false);
        if self.odd == 0 {
            return Ok(set);
        }
        for (game, facts) in self.all_facts()?.enumerate() {
            if facts.starts_oddly() {
                set.insert(game as u32);
            }
        }
        Ok(set)
    }

    fn candidates(&self, position: &Position) -> Result<Candidates<'_>, Damage> {
        let section = INDEX + range_of(position.hash);
        look_up(position.hash, self.games, |start, len| {
            self.sections.get(section, start, len)
        })
    }

    /// The games in which a position occurs, in order.
    pub fn games_with(&self, position: &Position) -> Result<Vec<u32>, Damage> {
        let mut games = Vec::new();
        self.visit(position, |game, _| games.push(game))?;
        games.sort_unstable();
        games.dedup();
        Ok(games)
    }

    /// The number of games in which a position occurs.
    pub fn count_with(&self, position: &Position) -> Result<u64, Damage> {
        if self.indexed == Indexed::Nothing {
            return Ok(self.games_with(position)?.len() as u64);
        }
        Ok(match self.resolve(position)? {
            Holders::List(list) => list.count as u64,
            Holders::Games(games) => games.len() as u64,
        })
    }

    /// The statistics of a position over the games of `within`, or all.
    pub fn stats(&self, position: &Position, within: Option<&GameSet>) -> Result<Found, Damage> {
        let mut found = Found::default();
        if within.is_none()
            && let Some(stored) = self.stored(position)?
        {
            return Ok(stored);
        }
        let mut failure = Ok(());
        self.visit(position, |game, played| {
            if within.is_some_and(|set| !set.contains(game)) {
                return;
            }
            let counted = self.facts(game).and_then(|facts| {
                let played = match played {
                    Some(played) => played,
                    None => self.played(game, position)?.ok_or(Damage("index"))?,
                };
                found.add(Ranked { game, facts }, played);
                Ok(())
            });
            if failure.is_ok() {
                failure = counted;
            }
        })?;
        failure?;
        found.stats.sort();
        Ok(found)
    }

    /// The stored statistics, if a list has them.
    fn stored(&self, position: &Position) -> Result<Option<Found>, Damage> {
        if self.indexed == Indexed::Nothing {
            return Ok(None);
        }
        let candidates = self.candidates(position)?;
        match self.list_of(position, &candidates)? {
            Ok(list) => list.stats().map(|stored| self.found(stored?)).transpose(),
            Err(_) => Ok(None),
        }
    }

    fn found(&self, stored: Stored) -> Result<Found, Damage> {
        let ranked = |game: u32| {
            let facts = self.facts(game)?;
            Ok(Ranked { game, facts })
        };
        let mut found = Found {
            stats: stored.stats,
            ..Found::default()
        };
        for game in stored.best {
            found.best.offer(ranked(game)?, |facts| facts.strength());
        }
        for game in stored.latest {
            found.latest.offer(ranked(game)?, |facts| facts.date());
        }
        Ok(found)
    }

    /// Calls `each` with the games in which a position occurs, and the move played there where it
    /// is known already.
    fn visit(
        &self,
        position: &Position,
        mut each: impl FnMut(u32, Option<Played>),
    ) -> Result<(), Damage> {
        if self.indexed == Indexed::Nothing {
            for game in 0..self.games {
                if let Some(played) = self.played(game, position)? {
                    each(game, Some(played));
                }
            }
            return Ok(());
        }
        match self.resolve(position)? {
            Holders::List(list) => {
                for game in list.games() {
                    each(game?, None);
                }
            }
            Holders::Games(games) => {
                let games = games.into_iter();
                games.for_each(|(game, played)| each(game, Some(played)));
            }
        }
        Ok(())
    }

    /// The games that hold a position, each once.
    fn resolve(&self, position: &Position) -> Result<Holders<'_>, Damage> {
        let candidates = self.candidates(position)?;
        let possible = match self.list_of(position, &candidates)? {
            Ok(list) => return Ok(Holders::List(list)),
            Err(possible) => possible,
        };
        let mut numbers = Vec::new();
        for list in possible {
            for game in list.games() {
                numbers.push(game?);
            }
        }
        for group in candidates.groups {
            let first = group.saturating_mul(GROUP).min(self.games);
            numbers.extend(first..self.games.min(first + GROUP));
        }
        numbers.sort_unstable();
        numbers.dedup();
        let mut games = Vec::new();
        for game in numbers {
            if let Some(played) = self.played(game, position)? {
                games.push((game, played));
            }
        }
        Ok(Holders::Games(games))
    }

    /// The list of the position, which has all games that hold it; otherwise the lists that may
    /// have some.
    fn list_of<'a>(
        &self,
        position: &Position,
        candidates: &Candidates<'a>,
    ) -> Result<Result<List<'a>, Vec<List<'a>>>, Damage> {
        let mut possible = Vec::new();
        for list in &candidates.lists {
            let first = list.games().next().ok_or(Damage("index"))??;
            // All games of a list that is not mixed hold the same position in their mainlines.
            if list.mixed || self.played(first, position)?.is_some() {
                possible.push((*list, first));
            }
        }
        // Little of the hash is stored, so the first game may hold the position while the list is
        // that of another one. The position is then in another candidate as well.
        let only = possible.len() == 1;
        for &(list, first) in &possible {
            let certain = only && !candidates.groups.contains(&(first / GROUP));
            if !list.mixed && (certain || self.meets_only(first, &list, position)?) {
                return Ok(Ok(list));
            }
        }
        Ok(Err(possible.into_iter().map(|(list, _)| list).collect()))
    }

    /// Whether the position is the only one of a game that the list can be of.
    fn meets_only(&self, game: u32, list: &List, position: &Position) -> Result<bool, Damage> {
        let start = self.odd_start(game)?;
        let mut replay = Replay::new(self.moves(game)?.bytes, start.as_ref())?;
        loop {
            if list.can_be(replay.track.hash()) && !position.is_at(&replay.track) {
                return Ok(false);
            }
            if !replay.step()? {
                return Ok(true);
            }
        }
    }

    /// The move played in a position where a game reaches it first; `None` if it never does.
    pub fn played(&self, game: u32, position: &Position) -> Result<Option<Played>, Damage> {
        let moves = self.moves(game)?;
        let found = match self.odd_start(game)? {
            Some(start) => find(position, moves, Some(&start))?,
            None => find(position, moves, None)?,
        };
        let in_variations = self.indexed == Indexed::Variations && self.facts(game)?.branches();
        match found {
            None if in_variations => self.played_in_variations(game, position),
            found => Ok(found),
        }
    }

    /// The start position of a game that does not begin as usual.
    fn odd_start(&self, game: u32) -> Result<Option<Board>, Damage> {
        match self.facts(game)?.starts_oddly() {
            true => start_of(self.reader().extras(game)?),
            false => Ok(None),
        }
    }

    fn played_in_variations(
        &self,
        number: u32,
        position: &Position,
    ) -> Result<Option<Played>, Damage> {
        let mut game = Game::default();
        self.reader().read_into(number, &mut game)?;
        let mut cursor = game.cursor();
        while cursor.walk() {
            if position.is_on(cursor.board()) {
                let next = game.tree().next(cursor.id());
                return Ok(Some(
                    next.and_then(|node| game.tree().move_to(node).copied()),
                ));
            }
        }
        Ok(None)
    }
}

/// The games that hold a position.
enum Holders<'a> {
    /// All games of a list.
    List(List<'a>),
    /// These, with the move played.
    Games(Vec<(u32, Played)>),
}

/// The statistics of a position in a segment.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The moves played.
    pub stats: Stats,
    /// The games with the highest ratings.
    pub best: TopGames,
    /// The latest games.
    pub latest: TopGames,
}

impl Found {
    fn add(&mut self, ranked: Ranked, played: Played) {
        self.stats.add(played, ranked.facts);
        self.best.offer(ranked, |facts| facts.strength());
        self.latest.offer(ranked, |facts| facts.date());
    }
}

/// The values of a tag in all games.
#[derive(Clone, Copy, Debug)]
pub struct TagColumn<'a>(&'a Column);

impl<'a> TagColumn<'a> {
    /// The number of a game's value among [`values`](TagColumn::values).
    #[inline]
    pub fn id(&self, game: u32) -> Option<u32> {
        self.0.id(game)
    }

    /// The value of a game.
    pub fn value(&self, game: u32) -> Result<Option<&'a str>, Damage> {
        match self.id(game) {
            Some(id) => Ok(Some(self.0.values()?.get(id))),
            None => Ok(None),
        }
    }

    /// All distinct values.
    pub fn values(&self) -> Result<impl Iterator<Item = &'a str>, Damage> {
        Ok(self.0.values()?.iter())
    }
}

/// Reads games of a segment; neighbouring games share work.
pub struct Reader<'a, B> {
    segment: &'a Segment<B>,
    /// The number of the block of extras held.
    block: usize,
    /// The games of the block and the ranges of their extras.
    games: Vec<(u32, std::ops::Range<usize>)>,
    text: Vec<u8>,
}

impl<B: AsRef<[u8]>> Reader<'_, B> {
    /// Reads a game.
    pub fn read_into(&mut self, number: u32, game: &mut Game) -> Result<(), Damage> {
        self.read_moves_into(number, game)?;
        self.add_tags(number, game)
    }

    /// Adds the tags to a game that was read without them.
    pub fn add_tags(&self, number: u32, game: &mut Game) -> Result<(), Damage> {
        let tags = self.segment.tags()?;
        tags.of_game(number, |name, value| game.push_tag(name, value))
    }

    /// Reads a game without its tags.
    pub fn read_moves_into(&mut self, number: u32, game: &mut Game) -> Result<(), Damage> {
        if number >= self.segment.games {
            return Err(Damage("contents"));
        }
        let moves = self.segment.moves(number)?;
        let facts = self.segment.facts(number)?;
        read_game(moves, self.extras(number)?, game)?;
        game.set_outcome(facts.outcome());
        Ok(())
    }

    /// Reads only the moves of a mainline.
    pub fn read_line_into(&mut self, number: u32, line: &mut Line) -> Result<(), Damage> {
        if number >= self.segment.games {
            return Err(Damage("contents"));
        }
        let moves = self.segment.moves(number)?;
        let extras = match self.segment.odd {
            0 => &[],
            _ => self.extras(number)?,
        };
        read_line(moves, extras, line)
    }

    /// Reads the end of a mainline from the first position with at most this many pieces, or the
    /// last one. The board before its first move has neither castling rights nor a square for
    /// captures en passant. Where the end cannot be read alone, reads the whole line.
    pub fn read_end_into(&mut self, number: u32, men: u32, line: &mut Line) -> Result<(), Damage> {
        let begins_as_usual = self.segment.odd == 0 && number < self.segment.games;
        if begins_as_usual && read_end(self.segment.moves(number)?, men, line)? {
            return Ok(());
        }
        self.read_line_into(number, line)
    }

    /// Reads only the tags and the result of a game.
    pub fn read_tags_into(&mut self, number: u32, game: &mut Game) -> Result<(), Damage> {
        let facts = self.segment.facts(number)?;
        game.restart(Board::default());
        game.set_outcome(facts.outcome());
        self.add_tags(number, game)
    }

    /// The extras of a game; empty if it has none.
    fn extras(&mut self, game: u32) -> Result<&[u8], Damage> {
        let Some(block) = self.block_of(game)? else {
            return Ok(&[]);
        };
        if block != self.block {
            self.block = usize::MAX;
            self.load(block)?;
            self.block = block;
        }
        let at = self.games.binary_search_by_key(&game, |(game, _)| *game);
        Ok(at.map_or(&[], |at| &self.text[self.games[at].1.clone()]))
    }

    /// The block that holds the extras of a game if any does.
    fn block_of(&self, game: u32) -> Result<Option<usize>, Damage> {
        let sections = &self.segment.sections;
        let count = sections.len(EXTRA_BLOCKS) / 12;
        let first_of = |block: usize| {
            let bytes = sections.get(EXTRA_BLOCKS, block * 12, 4)?;
            Bytes::new(bytes, "extras").u32()
        };
        let (mut low, mut high) = (0, count.saturating_sub(1));
        while low < high {
            let middle = (low + high) / 2;
            match first_of(middle)? <= game {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        Ok(low.checked_sub(1))
    }

    fn load(&mut self, block: usize) -> Result<(), Damage> {
        let sections = &self.segment.sections;
        let mut entry = Bytes::new(sections.get(EXTRA_BLOCKS, block * 12, 24)?, "extras");
        let (first, start, len) = (entry.u32()?, entry.u32()? as usize, entry.u32()? as usize);
        entry.u32()?;
        let end = entry.u32()? as usize;
        let packed_len = end.checked_sub(start).ok_or(entry.damage())?;
        if len > BLOCK_LIMIT {
            return Err(entry.damage());
        }
        let packed = sections.get(EXTRAS, start, packed_len)?;
        self.text = zstd::bulk::decompress(packed, len).map_err(|_| entry.damage())?;
        self.games.clear();
        let mut bytes = Bytes::new(&self.text, "extras");
        while !bytes.is_empty() {
            let game = first.checked_add(bytes.varint32()?).ok_or(bytes.damage())?;
            let len = bytes.count()?;
            let start = self.text.len() - bytes.len();
            bytes.take(len)?;
            self.games.push((game, start..start + len));
        }
        Ok(())
    }
}
