//! The games of two files in pairs, also after games were added, removed or moved.

use std::collections::VecDeque;
use std::hash::{Hash, Hasher};

use chess::Identity;
use chess::pgn::{Game, export_tags};
use rustc_hash::{FxHashMap, FxHasher};

/// For each game of two files, the index of its counterpart in the other file.
pub(super) struct GamePairs {
    /// By old game.
    pub(super) forth: Vec<Option<usize>>,
    /// By new game.
    pub(super) back: Vec<Option<usize>>,
}

impl GamePairs {
    /// Pairs games that have most in common first; the rest by their place among the others.
    pub(super) fn of(old: &[Game], new: &[Game]) -> GamePairs {
        let mut pairs = GamePairs {
            forth: vec![None; old.len()],
            back: vec![None; new.len()],
        };
        for key in [whole, tags_and_mainline, tags, moves, names] {
            pairs.add_equal(old, new, key);
        }
        pairs.fill_gaps();
        pairs
    }

    /// The pairs, old and new, in the order of the new file.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let new = self.back.iter().enumerate();
        new.filter_map(|(new, old)| Some(((*old)?, new)))
    }

    /// The fewest pairs whose games must have moved for the order to be as it is.
    pub(super) fn moved(&self) -> Vec<(usize, usize)> {
        let pairs: Vec<(usize, usize)> = self.iter().collect();
        let stays = longest_increasing(pairs.iter().map(|pair| pair.0));
        let numbered = pairs.into_iter().zip(stays);
        numbered
            .filter(|(_, stays)| !stays)
            .map(|it| it.0)
            .collect()
    }

    fn add(&mut self, old: usize, new: usize) {
        self.forth[old] = Some(new);
        self.back[new] = Some(old);
    }

    /// Pairs the games with the same key that have no counterpart yet, in order.
    fn add_equal(&mut self, old: &[Game], new: &[Game], key: fn(&Game) -> u64) {
        let mut open: FxHashMap<u64, VecDeque<usize>> = FxHashMap::default();
        for index in unpaired(&self.forth) {
            open.entry(key(&old[index])).or_default().push_back(index);
        }
        if open.is_empty() {
            return;
        }
        for index in unpaired(&self.back) {
            let same = open.get_mut(&key(&new[index]));
            if let Some(pair) = same.and_then(VecDeque::pop_front) {
                self.add(pair, index);
            }
        }
    }

    /// Pairs games without counterpart that follow the games of a pair, if there are as many in
    /// both files.
    fn fill_gaps(&mut self) {
        let starts: Vec<(usize, usize)> = self.iter().map(|(a, b)| (a + 1, b + 1)).collect();
        for (old, new) in [(0, 0)].into_iter().chain(starts) {
            let gap = gap_at(&self.forth, old);
            if gap == gap_at(&self.back, new) {
                (0..gap).for_each(|index| self.add(old + index, new + index));
            }
        }
    }
}

fn unpaired(side: &[Option<usize>]) -> Vec<usize> {
    let all = 0..side.len();
    all.filter(|&index| side[index].is_none()).collect()
}

fn gap_at(side: &[Option<usize>], start: usize) -> usize {
    side[start..].iter().take_while(|it| it.is_none()).count()
}

/// For each number, whether it belongs to one of the longest increasing subsequences.
fn longest_increasing(numbers: impl Iterator<Item = usize>) -> Vec<bool> {
    let numbers: Vec<usize> = numbers.collect();
    // By length, the place of the smallest number that ends such a sequence.
    let mut ends: Vec<usize> = Vec::new();
    let mut before = vec![None; numbers.len()];
    for (place, &number) in numbers.iter().enumerate() {
        let length = ends.partition_point(|&end| numbers[end] < number);
        before[place] = length.checked_sub(1).map(|shorter| ends[shorter]);
        match ends.get_mut(length) {
            Some(end) => *end = place,
            None => ends.push(place),
        }
    }
    let mut chosen = vec![false; numbers.len()];
    let last = ends.last().copied();
    for place in std::iter::successors(last, |&place| before[place]) {
        chosen[place] = true;
    }
    chosen
}

fn whole(game: &Game) -> u64 {
    hash(|state| {
        (tags(game), moves(game)).hash(state);
        for node in game.tree().preorder() {
            game.nags_at(node).for_each(|nag| nag.hash(state));
            for note in game.notes_at(node) {
                game.text(note.text).hash(state);
            }
        }
    })
}

fn tags_and_mainline(game: &Game) -> u64 {
    hash(|state| {
        tags(game).hash(state);
        game.mainline_moves().for_each(|mv| mv.hash(state));
    })
}

fn tags(game: &Game) -> u64 {
    hash(|state| export_tags(game, true).hash(state))
}

fn moves(game: &Game) -> u64 {
    hash(|state| {
        game.start().key(Identity::Strict).hash(state);
        let tree = game.tree();
        for node in tree.preorder() {
            (tree.move_to(node), tree.children(node).count()).hash(state);
        }
    })
}

fn names(game: &Game) -> u64 {
    hash(|state| {
        for name in ["Event", "ChapterName", "White", "Black", "Round", "Date"] {
            game.tag(name).hash(state);
        }
    })
}

fn hash(add: impl FnOnce(&mut FxHasher)) -> u64 {
    let mut state = FxHasher::default();
    add(&mut state);
    state.finish()
}
