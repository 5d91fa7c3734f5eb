//! The current path through a tree, with its positions.

use chess::{Identity, KeyedBoard, Move};

use super::seen::{Occurrences, Path};

/// The current path. There is a board only for the steps that are needed again: a line without
/// alternatives needs one, whatever its length.
#[derive(Default)]
pub(super) struct Line {
    same: Identity,
    steps: Vec<Step>,
    /// Boards, each with the number of steps to it.
    boards: Vec<(usize, KeyedBoard)>,
    /// By bits of the key, the last step with them, which leads to the others. There are as many as
    /// steps at least, a power of two.
    heads: Vec<u32>,
}

struct Step {
    path: Path,
    key: u128,
    /// The step before with the same bits of the key.
    next: u32,
    /// The step before with the same position.
    previous: u32,
}

const NONE: u32 = u32::MAX;

/// A game of usual length needs no more.
const FEWEST_HEADS: usize = 256;

impl Line {
    /// Begins a new path.
    pub(super) fn start(&mut self, start: KeyedBoard, same: Identity) {
        self.back_to(0);
        self.same = same;
        let (path, key) = (Path::from(start.key(Identity::Strict)), start.key(same));
        self.boards.push((1, start));
        self.push(path, key);
    }

    fn push(&mut self, path: Path, key: u128) {
        if self.steps.len() >= self.heads.len() {
            self.grow();
        }
        let head = self.head(key);
        let next = std::mem::replace(&mut self.heads[head], self.steps.len() as u32);
        let previous = self.find(key, next);
        self.steps.push(Step {
            path,
            key,
            next,
            previous,
        });
    }

    fn head(&self, key: u128) -> usize {
        key as usize & (self.heads.len() - 1)
    }

    /// The last step with this position, from a step on.
    fn find(&self, key: u128, mut at: u32) -> u32 {
        while let Some(step) = self.steps.get(at as usize) {
            if step.key == key {
                break;
            }
            at = step.next;
        }
        at
    }

    /// Makes room for more steps.
    fn grow(&mut self) {
        let size = (self.heads.len() * 2).max(FEWEST_HEADS);
        self.heads = vec![NONE; size];
        for index in 0..self.steps.len() {
            let head = self.head(self.steps[index].key);
            self.steps[index].next = std::mem::replace(&mut self.heads[head], index as u32);
        }
    }

    /// Plays a move. The board before the last alternative is not needed again.
    pub(super) fn play(&mut self, mv: Move, is_last: bool) {
        let Some(step) = self.steps.last() else {
            return;
        };
        let path = step.path.then(mv);
        if let Some(board) = self.boards.last().filter(|_| !is_last) {
            self.boards.push(board.clone());
        }
        let Some((steps, board)) = self.boards.last_mut() else {
            return;
        };
        board.play(mv);
        *steps += 1;
        let key = board.key(self.same);
        self.push(path, key);
    }

    /// The key of the last position of the path, with en passant.
    pub(super) fn strict_key(&self) -> Option<u128> {
        match self.same {
            Identity::Strict => self.steps.last().map(|step| step.key),
            Identity::Base => {
                let board = self.boards.last();
                board.map(|(_, board)| board.key(Identity::Strict))
            }
        }
    }

    /// Goes back until this many steps are left.
    #[inline]
    pub(super) fn back_to(&mut self, count: usize) {
        if self.steps.len() > count {
            self.remove_after(count);
        }
    }

    fn remove_after(&mut self, count: usize) {
        while self.boards.pop_if(|(steps, _)| *steps > count).is_some() {}
        while self.steps.len() > count
            && let Some(step) = self.steps.pop()
        {
            let head = self.head(step.key);
            self.heads[head] = step.next;
        }
    }

    /// Adds the last position of the path.
    pub(super) fn report(&self, occurrences: &mut Occurrences) {
        if let Some(step) = self.steps.last() {
            let previous = self.steps.get(step.previous as usize);
            occurrences.push(step.key, step.path, previous.map(|step| step.path));
        }
    }
}
