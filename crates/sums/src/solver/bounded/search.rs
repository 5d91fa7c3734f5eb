//! The two searches over the positions of a board.

use super::table::{Effort, NEVER, Table};
use super::{
    Answer, Board, BoundedSearch, EFFORT_PER_CHILD, EFFORT_PER_POSITION, Estimate, Incomplete,
    Order, Stop,
};
use crate::game::Game;
use crate::interrupt::GaveUp;
use crate::solver::interrupt::LimitCheck;
use crate::value::Player;
use std::ops::ControlFlow;

/// Nested calls allowed: each takes up to two kilobytes of stack.
const MAX_DEPTH: u32 = 500;

/// The first estimate of the effort to prove that a position is lost is at most this.
const LARGEST_GUESS: u32 = 10_000;

/// The score of a move that wins.
const WINS: i32 = i32::MAX / 2;

/// Moves whose score is less than the best by more than this are not compared with one another.
const SCORE_MARGIN: i32 = 2;

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
        self.table.bytes_used() + self.board.bytes_used()
    }
}

impl<B: Board> Search<B> {
    /// Prepares a search of sums like this one with a table of this many bytes.
    pub fn new(games: &[Game], bytes: usize) -> Option<Search<B>> {
        let mut board = B::new(games)?;
        let bytes = board.share_memory(bytes);
        Some(Search {
            board,
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
                self.order_children(start, B::lookahead(position), allowance)?;
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
                self.sort_children(start);
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

    /// Orders the children by what the players can reach after this many further moves.
    ///
    /// A wrong first move costs a whole search, so this pays where the search is large.
    fn order_children(
        &mut self,
        start: usize,
        moves: u32,
        allowance: &mut Allowance<'_>,
    ) -> Result<(), Stop> {
        self.sort_children(start);
        if moves == 0 || self.stack.len() == start + 1 {
            return Ok(());
        }
        let mut best = -WINS;
        for at in start..self.stack.len() {
            let position = self.stack[at].position;
            let bounds = [-WINS, SCORE_MARGIN - best];
            let score = -self.best_score(&position, moves, bounds, allowance)?;
            self.stack[at].score = score;
            best = best.max(score);
        }
        // The sort is stable: bad moves stay in their order.
        self.stack[start..].sort_by_key(|child| -child.score);
        Ok(())
    }

    /// The best score that the mover can reach, if it is between the bounds.
    fn best_score(
        &mut self,
        position: &B::Position,
        moves: u32,
        [mut low, high]: [i32; 2],
        allowance: &mut Allowance<'_>,
    ) -> Result<i32, Stop> {
        let start = match self.expand(position, allowance)? {
            Expanded::Result(true) => return Ok(WINS),
            Expanded::Result(false) => return Ok(-WINS),
            Expanded::Open(start) => start,
        };
        if moves > 1 {
            self.sort_children(start);
        }
        for at in start..self.stack.len() {
            let Child {
                position, score, ..
            } = self.stack[at];
            let score = match moves {
                1 => score,
                _ => -self.best_score(&position, moves - 1, [-high, -low], allowance)?,
            };
            low = low.max(score);
            if low >= high {
                break;
            }
        }
        self.stack.truncate(start);
        Ok(low)
    }

    /// The best score first.
    fn sort_children(&mut self, start: usize) {
        self.stack[start..].sort_unstable_by_key(|child| (-child.score, child.key));
    }

    /// Puts the children on the stack whose winner is not known, unless a move wins at once.
    fn expand(
        &mut self,
        position: &B::Position,
        allowance: &mut Allowance<'_>,
    ) -> Result<Expanded, Stop> {
        self.nodes += 1;
        let start = self.stack.len();
        let mut children = 0;
        let wins = self.push_children(position, &mut children)?;
        allowance.spend(EFFORT_PER_POSITION + EFFORT_PER_CHILD * children as u64)?;
        allowance.check(B::CELLS_PER_CHILD * (1 + children))?;
        if wins || self.keep_open_children(start) {
            self.stack.truncate(start);
            return Ok(Expanded::Result(true));
        }
        if self.stack.len() == start {
            return Ok(Expanded::Result(false));
        }
        Ok(Expanded::Open(start))
    }

    /// Puts the children on the stack that the board does not decide, and counts them all; true if
    /// a move wins.
    fn push_children(
        &mut self,
        position: &B::Position,
        children: &mut usize,
    ) -> Result<bool, Stop> {
        let stack = &mut self.stack;
        let flow = self.board.moves(position, &mut |position, estimate| {
            *children += 1;
            let (score, effort) = match estimate {
                Estimate::Known(false) => return ControlFlow::Break(Incomplete::Wins),
                Estimate::Known(true) => return ControlFlow::Continue(()),
                Estimate::Open { score, effort } => (score, effort),
            };
            stack.push(Child {
                position,
                key: B::Key::default(),
                score,
                effort: Effort {
                    win: 1,
                    lose: effort.clamp(1, LARGEST_GUESS),
                },
            });
            ControlFlow::Continue(())
        });
        match flow {
            ControlFlow::Break(Incomplete::DoesNotFit) => Err(Stop::Unsuitable),
            ControlFlow::Break(Incomplete::Wins) => Ok(true),
            ControlFlow::Continue(()) => Ok(false),
        }
    }

    /// Removes the children that the opponent wins; true if the opponent loses one.
    fn keep_open_children(&mut self, start: usize) -> bool {
        // All keys first: then the processor reads several entries of the table at a time.
        for child in &mut self.stack[start..] {
            child.key = self.board.key(&child.position);
        }
        let mut kept = start;
        for at in start..self.stack.len() {
            let child = &mut self.stack[at];
            if let Some(effort) = self.table.get(&child.key) {
                match effort.result() {
                    Some(false) => return true,
                    Some(true) => continue,
                    None => child.effort = effort,
                }
            }
            self.stack.swap(kept, at);
            kept += 1;
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
