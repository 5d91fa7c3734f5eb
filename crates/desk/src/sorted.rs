//! A set of small rows in bounded memory: sorted runs in shards, written to a temporary file past a
//! limit.
//!
//! Any thread adds rows. Each shard holds one sorted run and the rows added since. When these are
//! a fifth of the run they are sorted and merged into it, so that memory is read and written in
//! order and hardly any of it is unused. At the end, the runs of a shard in the file and in memory
//! are merged.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use kit::input::InputError;
use kit::parallel::End;
use kit::{Stop, Workers};

/// An error of the temporary file.
pub(crate) fn temporary(error: &io::Error) -> InputError {
    InputError::Unreadable {
        name: format!("temporary file in {}", std::env::temp_dir().display()),
        error: io::Error::new(error.kind(), error.to_string()),
    }
}

/// A row: its order begins with its key, and rows with the same key are joined into one.
pub(crate) trait Row: Copy + Ord + Send {
    /// The size in the temporary file.
    const BYTES: usize;

    /// The first 32 bits of the key, evenly distributed.
    fn leading(&self) -> u32;

    /// True if both have the same key.
    fn is_same(&self, other: &Self) -> bool;

    /// True if its key is greater.
    #[inline]
    fn is_after(&self, other: &Self) -> bool {
        self > other && !self.is_same(other)
    }

    /// Joins a row with the same key; the order of joins does not matter.
    fn join(&mut self, other: Self);

    /// Appends [`BYTES`](Row::BYTES) bytes.
    fn write(&self, out: &mut Vec<u8>);

    /// Reads them again.
    fn read(bytes: &[u8]) -> Self;
}

/// Each shard has its own lock.
pub(crate) const SHARDS: usize = 1 << 8;

/// Fewer new rows are not merged into a run.
const FEWEST_NEW: usize = 512;

/// New rows are merged when there are as many as this part of the run.
const NEW_PART: usize = 5;

/// The rows of all threads.
pub(crate) struct Sorted<R> {
    shards: Vec<Mutex<Shard<R>>>,
    /// The memory of all shards.
    bytes: AtomicU64,
    /// With more memory than this, one thread writes all runs to the file; the others go on.
    spill_from: u64,
    /// With more, they wait.
    limit: u64,
    /// The shard to begin with next: threads begin far from one another.
    turn: AtomicUsize,
    spilled: Mutex<Spilled>,
}

struct Shard<R> {
    run: Vec<R>,
    new: Vec<R>,
}

/// Runs in the temporary file.
#[derive(Default)]
struct Spilled {
    file: Option<File>,
    /// By shard: where each run begins, and its number of rows.
    runs: Vec<Vec<(u64, usize)>>,
    end: u64,
}

impl<R: Row> Sorted<R> {
    /// An empty set that takes at most this much memory, and some for each thread.
    pub(crate) fn new(limit: u64) -> Sorted<R> {
        let empty = || Shard {
            run: Vec::new(),
            new: Vec::new(),
        };
        Sorted {
            shards: (0..SHARDS).map(|_| Mutex::new(empty())).collect(),
            bytes: AtomicU64::new(0),
            spill_from: limit - limit / 8,
            limit,
            turn: AtomicUsize::new(0),
            spilled: Mutex::default(),
        }
    }

    /// Adds rows and empties the list. Fails if the temporary file cannot be written.
    pub(crate) fn add(&self, rows: &mut Vec<R>) -> io::Result<()> {
        let ends: [usize; SHARDS] = sort_by_bits(rows, |row| row.leading() as usize >> 24);
        let group = |shard: usize| {
            let start = shard.checked_sub(1).map_or(0, |before| ends[before]);
            &rows[start..ends[shard]]
        };
        let first = self.turn.fetch_add(SHARDS / 3, Ordering::Relaxed);
        let order = (0..SHARDS).map(|at| (first + at) % SHARDS);
        // A thread that waited for another would wait for it again at the next shard.
        let mut busy = Vec::new();
        for at in order.filter(|&at| !group(at).is_empty()) {
            match self.shards[at].try_lock() {
                Ok(shard) => self.add_group(shard, group(at)),
                Err(_) => busy.push(at),
            }
        }
        for at in busy {
            self.add_group(lock(&self.shards[at]), group(at));
        }
        rows.clear();
        let bytes = self.bytes.load(Ordering::Relaxed);
        if bytes <= self.spill_from {
            return Ok(());
        }
        match self.spilled.try_lock() {
            Ok(spilled) => self.spill(spilled),
            // Another thread makes room, and there is still some.
            Err(_) if bytes <= self.limit => Ok(()),
            Err(_) => self.spill(lock(&self.spilled)),
        }
    }

    fn add_group(&self, mut shard: MutexGuard<Shard<R>>, group: &[R]) {
        let before = shard.bytes();
        shard.add(group);
        self.count_bytes(before, shard.bytes());
    }

    /// Removes the rows of a shard, in order, each key once.
    pub(crate) fn take(&self, shard: usize) -> io::Result<Vec<R>> {
        let mut rows = {
            let mut shard = lock(&self.shards[shard]);
            shard.merge_new();
            std::mem::take(&mut shard.run)
        };
        let mut spilled = lock(&self.spilled);
        if spilled.read(shard, &mut rows)? {
            drop(spilled);
            // A stable sort finds the runs and merges them.
            rows.sort();
            join_same(&mut rows);
        }
        Ok(rows)
    }

    fn count_bytes(&self, before: u64, after: u64) {
        let change = after.wrapping_sub(before);
        self.bytes.fetch_add(change, Ordering::Relaxed);
    }

    /// Writes all runs to the temporary file.
    fn spill(&self, mut spilled: MutexGuard<Spilled>) -> io::Result<()> {
        // Another thread may have done it meanwhile.
        if self.bytes.load(Ordering::Relaxed) <= self.spill_from / 2 {
            return Ok(());
        }
        for (index, shard) in self.shards.iter().enumerate() {
            let mut shard = lock(shard);
            let before = shard.bytes();
            shard.merge_new();
            let run = std::mem::take(&mut shard.run);
            shard.new = Vec::new();
            self.count_bytes(before, shard.bytes());
            drop(shard);
            spilled.write(index, &run)?;
        }
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sorts rows by some bits of their keys only, in linear time, and returns where the rows with each
/// value end.
fn sort_by_bits<R: Row, const VALUES: usize>(
    rows: &mut [R],
    bits: impl Fn(&R) -> usize,
) -> [usize; VALUES] {
    let mut next = [0; VALUES];
    for row in &*rows {
        next[bits(row)] += 1;
    }
    let mut sum = 0;
    for count in &mut next {
        (*count, sum) = (sum, sum + *count);
    }
    let unsorted = rows.to_vec();
    for row in unsorted {
        let at = &mut next[bits(&row)];
        rows[*at] = row;
        *at += 1;
    }
    next
}

/// Sorts rows of one shard. Few of them are equal in the bits that it looks at first.
fn sort_in_shard<R: Row>(rows: &mut [R]) {
    const VALUES: usize = 1 << 10;
    let ends: [usize; VALUES] =
        sort_by_bits(rows, |row| row.leading() as usize >> 14 & (VALUES - 1));
    let starts = [0].into_iter().chain(ends);
    for (start, end) in starts.zip(ends) {
        rows[start..end].sort_unstable();
    }
}

/// Joins neighbours with the same key.
fn join_same<R: Row>(rows: &mut Vec<R>) {
    rows.dedup_by(|row, kept| {
        let is_same = row.is_same(kept);
        if is_same {
            kept.join(*row);
        }
        is_same
    });
}

impl<R: Row> Shard<R> {
    fn bytes(&self) -> u64 {
        ((self.run.capacity() + self.new.capacity()) * size_of::<R>()) as u64
    }

    fn add(&mut self, group: &[R]) {
        let enough = FEWEST_NEW.max(self.run.len() / NEW_PART);
        if self.new.len() + group.len() > enough {
            self.merge_new();
        }
        if self.new.capacity() < enough {
            self.new
                .reserve_exact(enough.max(group.len()) - self.new.len());
        }
        self.new.extend_from_slice(group);
    }

    /// Merges the new rows into the run from the end, so that each row moves once; a row whose key
    /// the run has is joined with it.
    fn merge_new(&mut self) {
        sort_in_shard(&mut self.new);
        join_same(&mut self.new);
        let mut old = self.run.len();
        self.run.reserve_exact(self.new.len());
        self.run.extend_from_slice(&self.new);
        let run = self.run.as_mut_slice();
        let mut to = run.len();
        for row in self.new.drain(..).rev() {
            while old > 0 && run[old - 1].is_after(&row) {
                (old, to) = (old - 1, to - 1);
                run[to] = run[old];
            }
            match run[..old].last_mut().filter(|known| known.is_same(&row)) {
                Some(known) => known.join(row),
                None => {
                    to -= 1;
                    run[to] = row;
                }
            }
        }
        // Each joined row leaves one place unused.
        self.run.drain(old..to);
    }
}

impl Spilled {
    fn write<R: Row>(&mut self, shard: usize, run: &[R]) -> io::Result<()> {
        const CHUNK: usize = 1 << 14;
        if self.file.is_none() {
            self.file = Some(tempfile::tempfile()?);
            self.runs = vec![Vec::new(); SHARDS];
        }
        let Some(file) = &mut self.file else {
            return Ok(());
        };
        file.seek(SeekFrom::Start(self.end))?;
        let mut out = BufWriter::new(file);
        let mut bytes = Vec::with_capacity(CHUNK * R::BYTES);
        for chunk in run.chunks(CHUNK) {
            bytes.clear();
            chunk.iter().for_each(|row| row.write(&mut bytes));
            out.write_all(&bytes)?;
        }
        out.flush()?;
        self.runs[shard].push((self.end, run.len()));
        self.end += (run.len() * R::BYTES) as u64;
        Ok(())
    }

    /// Appends the runs of a shard. Returns whether there are any.
    fn read<R: Row>(&mut self, shard: usize, rows: &mut Vec<R>) -> io::Result<bool> {
        let Some(file) = &mut self.file else {
            return Ok(false);
        };
        let runs = std::mem::take(&mut self.runs[shard]);
        rows.reserve_exact(runs.iter().map(|(_, count)| count).sum());
        let mut bytes = Vec::new();
        for &(start, count) in &runs {
            bytes.resize(count * R::BYTES, 0);
            file.seek(SeekFrom::Start(start))?;
            file.read_exact(&mut bytes)?;
            rows.extend(bytes.chunks_exact(R::BYTES).map(R::read));
        }
        Ok(!runs.is_empty())
    }
}

/// Does work on every shard and collects the results in order; as [`run_all`]. Several shards are
/// handed out at once, because to hand out one takes as long as the work on a few thousand rows.
pub(crate) fn run_shards<R: Send>(
    workers: &Workers,
    work: impl Fn(usize) -> io::Result<R> + Sync,
    mut collect: impl FnMut(R),
) -> io::Result<()> {
    const GROUPS_OF_THREAD: usize = 8;
    let size = SHARDS.div_ceil(workers.threads.get().saturating_mul(GROUPS_OF_THREAD));
    let groups = (0..SHARDS).step_by(size);
    let work = |first| (first..SHARDS.min(first + size)).map(&work).collect();
    run_all(workers, groups, work, |group: Vec<R>| {
        group.into_iter().for_each(&mut collect);
    })
}

/// Does all the work, also after a request to stop: it takes little time. Returns the first error.
pub(crate) fn run_all<T: Send, R: Send>(
    workers: &Workers,
    items: impl Iterator<Item = T> + Send,
    work: impl Fn(T) -> io::Result<R> + Sync,
    mut collect: impl FnMut(R),
) -> io::Result<()> {
    let workers = Workers::new(Some(workers.threads), Stop::new());
    let end = workers.run(items, work, |result| match result {
        Ok(result) => {
            collect(result);
            ControlFlow::Continue(())
        }
        Err(error) => ControlFlow::Break(error),
    });
    match end {
        End::Broken(error) => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Row, SHARDS, Sorted};

    /// A key and a sum.
    impl Row for (u32, u32) {
        const BYTES: usize = 8;

        fn leading(&self) -> u32 {
            self.0
        }

        fn is_same(&self, other: &Self) -> bool {
            self.0 == other.0
        }

        fn join(&mut self, other: Self) {
            self.1 += other.1;
        }

        fn write(&self, out: &mut Vec<u8>) {
            out.extend(self.0.to_le_bytes());
            out.extend(self.1.to_le_bytes());
        }

        fn read(bytes: &[u8]) -> Self {
            let word = |at: usize| bytes[at..at + 4].try_into().map(u32::from_le_bytes);
            (word(0).unwrap(), word(4).unwrap())
        }
    }

    fn check(limit: u64, keys: u32) {
        let set = Sorted::new(limit);
        let mut expected: BTreeMap<u32, u32> = BTreeMap::new();
        let mut random = 1u32;
        for _ in 0..50 {
            let mut rows = Vec::new();
            for _ in 0..3000 {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let key = (random >> 8) % keys;
                let key = key.wrapping_mul(0x9e37_79b1);
                rows.push((key, 1));
                *expected.entry(key).or_default() += 1;
            }
            set.add(&mut rows).unwrap();
        }
        let found: Vec<(u32, u32)> = (0..SHARDS)
            .flat_map(|shard| set.take(shard).unwrap())
            .collect();
        assert!(found.into_iter().eq(expected), "{limit} {keys}");
    }

    /// Threads that meet at a shard or at a full memory lose no row.
    #[test]
    fn threads_add_all_their_rows() {
        const ROWS: u32 = 20_000;
        for limit in [u64::MAX, 1 << 18, 0] {
            let set = Sorted::new(limit);
            std::thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| {
                        for start in (0..ROWS).step_by(500) {
                            let rows = start..start + 500;
                            let key = |row: u32| (row.wrapping_mul(0x9e37_79b1), 1);
                            set.add(&mut rows.map(key).collect()).unwrap();
                        }
                    });
                }
            });
            let rows = (0..SHARDS).flat_map(|shard| set.take(shard).unwrap());
            let counts: Vec<u32> = rows.map(|(_, count)| count).collect();
            assert_eq!(counts, vec![4; ROWS as usize], "{limit}");
        }
    }

    #[test]
    fn rows_are_sorted_and_joined_in_memory_and_in_a_file() {
        for limit in [u64::MAX, 1 << 20, 1 << 16, 0] {
            for keys in [1, 1000, 100_000, 1 << 24] {
                check(limit, keys);
            }
        }
    }
}
