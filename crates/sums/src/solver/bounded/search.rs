//! The two searches over the positions of a board.

use super::table::{Effort, NEVER, Table};
use super::{
    Answer, Board, BoundedSearch, EFFORT_PER_CHILD, EFFORT_PER_POSITION, Estimate, Order, Stop,
};
use crate::game::Game;
use crate::interrupt::GaveUp;
use crate::solver::interrupt::LimitCheck;
use crate::value::Player;

/// Nested calls allowed: each takes up to two kilobytes of stack.
const MAX_DEPTH: u32 = 500;

/// The first estimate of the effort to prove that a position is lost is at most this.
const LARGEST_GUESS: u32 = 1_000;

/// A search of one position with its table.
pub(super) struct Search<B: Board> {
    board: B,
    root: Option<B::Position>,
    table: Table<B::Key>,
    /// The children of all positions on the path.
    stack: Vec<Child<B>>,
    nodes: u64,
    nodes_taken: u64,
    depth: u32,
}

struct Child<B: Board> {
    position: B::Position,
    key: B::Key,
    score: i32,
    effort: Effort,
}

/// The effort at which the search leaves a position.
#[derive(Clone, Copy)]
struct Limits {
    win: u32,
    lose: u32,
}

/// What a search may still spend.
struct Allowance<'a> {
    effort: u64,
    interrupt: &'a mut LimitCheck,
}

/// The children of a position, or its winner.
enum Expanded {
    Result(bool),
    /// The children start here on the stack.
    Open(usize),
}

impl<B: Board + Send + Sync> BoundedSearch for Search<B> {
    fn ask(&mut self, games: &[Game], first: Player) -> bool {
        self.root = self.board.read(games, first);
        self.root.is_some()
    }

    fn wins(&mut self, effort: u64, interrupt: &mut LimitCheck) -> Result<Answer, GaveUp> {
        self.depth = 0;
        self.stack.clear();
        let mut allowance = Allowance { effort, interrupt };
        match self.decide_root(&mut allowance) {
            Ok(wins) => Ok(Answer::Wins(wins)),
            Err(Stop::Effort) => Ok(Answer::Unknown),
            Err(Stop::Unsuitable) => Ok(Answer::Unsuitable),
            Err(Stop::GaveUp(reason)) => Err(reason),
        }
    }

    fn take_nodes(&mut self) -> u64 {
        let nodes = self.nodes - self.nodes_taken;
        self.nodes_taken = self.nodes;
        nodes
    }

    fn order(&self) -> Order {
        B::ORDER
    }

    fn bytes_used(&self) -> usize {
        self.table.bytes_used()
    }
}

impl<B: Board> Search<B> {
    /// Prepares a search of sums like this one with a table of this many bytes.
    pub fn new(games: &[Game], bytes: usize) -> Option<Search<B>> {
        Some(Search {
            board: B::new(games)?,
            root: None,
            table: Table::new(bytes),
            stack: Vec::new(),
            nodes: 0,
            nodes_taken: 0,
            depth: 0,
        })
    }

    fn decide_root(&mut self, allowance: &mut Allowance<'_>) -> Result<bool, Stop> {
        let root = self.root.ok_or(Stop::Unsuitable)?;
        if let Some(wins) = self.board.decide(&root) {
            return Ok(wins);
        }
        let key = self.board.key(&root);
        if let Some(wins) = self.table.get(&key).and_then(Effort::result) {
            return Ok(wins);
        }
        if B::ORDER == Order::BestScore {
            return self.search_by_score(&root, &key, allowance);
        }
        let limits = Limits {
            win: NEVER,
            lose: NEVER,
        };
        let effort = self.search_by_proof(&root, &key, limits, allowance)?;
        // Without limits the search ends only with a proof, or when the estimates are at their
        // maximum; then the tree is too large to be searched.
        effort.result().ok_or(Stop::Unsuitable)
    }

    /// Searches the children in the order of their scores until the opponent loses one.
    fn search_by_score(
        &mut self,
        position: &B::Position,
        key: &B::Key,
        allowance: &mut Allowance<'_>,
    ) -> Result<bool, Stop> {
        let nodes = self.nodes;
        let wins = match self.expand(position, allowance)? {
            Expanded::Result(wins) => wins,
            Expanded::Open(start) => {
                let wins = self.has_winning_child(start, allowance)?;
                self.stack.truncate(start);
                wins
            }
        };
        self.table
            .put(*key, Effort::proven(wins), self.nodes - nodes);
        Ok(wins)
    }

    fn has_winning_child(
        &mut self,
        start: usize,
        allowance: &mut Allowance<'_>,
    ) -> Result<bool, Stop> {
        self.enter()?;
        for at in start..self.stack.len() {
            let Child { position, key, .. } = self.stack[at];
            let known = self.table.get(&key).and_then(Effort::result);
            let loses = match known {
                Some(wins) => !wins,
                None => !self.search_by_score(&position, &key, allowance)?,
            };
            if loses {
                self.depth -= 1;
                return Ok(true);
            }
        }
        self.depth -= 1;
        Ok(false)
    }

    /// Searches the child that seems easiest, until the estimates reach the limits.
    fn search_by_proof(
        &mut self,
        position: &B::Position,
        key: &B::Key,
        limits: Limits,
        allowance: &mut Allowance<'_>,
    ) -> Result<Effort, Stop> {
        let nodes = self.nodes;
        let effort = match self.expand(position, allowance)? {
            Expanded::Result(wins) => Effort::proven(wins),
            Expanded::Open(start) => {
                self.enter()?;
                let effort = self.prove_children(start, limits, allowance)?;
                self.depth -= 1;
                self.stack.truncate(start);
                effort
            }
        };
        self.table.put(*key, effort, self.nodes - nodes);
        Ok(effort)
    }

    /// See [`super::super::proof`]: the easiest child determines the effort of a win, the hardest
    /// that of a loss.
    ///
    /// The estimates of the children are kept on the stack while the search is here, so that it
    /// proceeds even if the table loses them: the limits of a child grow by a factor.
    fn prove_children(
        &mut self,
        start: usize,
        limits: Limits,
        allowance: &mut Allowance<'_>,
    ) -> Result<Effort, Stop> {
        loop {
            let (mut best, mut easiest, mut second) = (None, NEVER, NEVER);
            let (mut hardest, mut open) = (0, 0);
            for (at, child) in self.stack[start..].iter().enumerate() {
                match child.effort.result() {
                    Some(false) => return Ok(Effort::proven(true)),
                    Some(true) => continue,
                    None => {}
                }
                open += 1;
                hardest = hardest.max(child.effort.win);
                if best.is_none() || child.effort.lose < easiest {
                    second = easiest;
                    easiest = child.effort.lose;
                    best = Some(start + at);
                } else {
                    second = second.min(child.effort.lose);
                }
            }
            let Some(best) = best else {
                return Ok(Effort::proven(false));
            };
            let effort = Effort {
                win: easiest.min(NEVER - 1),
                lose: (hardest + open - 1).min(NEVER - 1),
            };
            if effort.win >= limits.win || effort.lose >= limits.lose {
                return Ok(effort);
            }
            let Child { position, key, .. } = self.stack[best];
            let mut found = self.stack[best].effort;
            let known = self.table.get(&key).filter(|&known| known != found);
            found = match known {
                Some(known) => known,
                None => {
                    let limits = Limits {
                        win: limits.lose.saturating_sub(open - 1).max(found.win + 1),
                        lose: limits.win.min(second + 1 + second / 4).max(found.lose + 1),
                    };
                    self.search_by_proof(&position, &key, limits, allowance)?
                }
            };
            self.stack[best].effort = found;
        }
    }

    fn enter(&mut self) -> Result<(), Stop> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Stop::Unsuitable);
        }
        Ok(())
    }

    /// Puts the children on the stack whose winner is not known, best score first, unless a move
    /// wins at once.
    fn expand(
        &mut self,
        position: &B::Position,
        allowance: &mut Allowance<'_>,
    ) -> Result<Expanded, Stop> {
        self.nodes += 1;
        let start = self.stack.len();
        let stack = &mut self.stack;
        let key = B::Key::default();
        let fits = self.board.moves(position, &mut |position, estimate| {
            let Estimate { score, replies } = estimate;
            let effort = Effort {
                win: 1,
                lose: replies.clamp(1, LARGEST_GUESS),
            };
            stack.push(Child {
                position,
                key,
                score,
                effort,
            });
        });
        if !fits {
            return Err(Stop::Unsuitable);
        }
        let children = self.stack.len() - start;
        allowance.spend(EFFORT_PER_POSITION + EFFORT_PER_CHILD * children as u64)?;
        allowance.check(B::CELLS_PER_CHILD * (1 + children))?;
        if self.keep_open_children(start) {
            self.stack.truncate(start);
            return Ok(Expanded::Result(true));
        }
        let children = &mut self.stack[start..];
        if children.is_empty() {
            return Ok(Expanded::Result(false));
        }
        children.sort_unstable_by_key(|child| (-child.score, child.key));
        Ok(Expanded::Open(start))
    }

    /// Removes the children that the opponent wins; true if the opponent loses one.
    fn keep_open_children(&mut self, start: usize) -> bool {
        let mut kept = start;
        for at in start..self.stack.len() {
            let child = &mut self.stack[at];
            let mut known = self.board.decide(&child.position);
            if known.is_none() {
                child.key = self.board.key(&child.position);
                if let Some(effort) = self.table.get(&child.key) {
                    child.effort = effort;
                    known = effort.result();
                }
            }
            match known {
                Some(false) => return true,
                Some(true) => {}
                None => {
                    self.stack.swap(kept, at);
                    kept += 1;
                }
            }
        }
        self.stack.truncate(kept);
        false
    }
}

impl Allowance<'_> {
    fn spend(&mut self, effort: u64) -> Result<(), Stop> {
        self.effort = self.effort.checked_sub(effort).ok_or(Stop::Effort)?;
        Ok(())
    }

    /// Gives up when time is over or a stop was requested, after work on this many cells.
    fn check(&mut self, cells: usize) -> Result<(), Stop> {
        self.interrupt.count(cells);
        if self.interrupt.is_due() {
            self.interrupt.check_time().map_err(Stop::GaveUp)?;
        }
        Ok(())
    }
}
