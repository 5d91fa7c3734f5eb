//! Winning strategies as trees, and a check that uses only the rules.

use crate::game::Game;
use crate::interrupt::Interrupt;
use crate::solver::{GaveUp, Solver, SumMove, moves_until};
use crate::value::Player;
use std::collections::HashMap;
use tree::{NodeId, Tree};

/// One winning reply to every move.
///
/// Where the winner is to move a node has one child; elsewhere it has a child for every move. A sum
/// that occurred before is not expanded again, but linked to its first occurrence.
pub struct Strategy {
    /// The sum.
    pub sum: Vec<Game>,
    /// The player who moves first.
    pub first: Player,
    /// The player who wins.
    pub winner: Player,
    /// The tree of moves.
    pub tree: Tree<StrategyMove>,
    /// Links from a node to an earlier one with the same sum and the same player to move.
    pub links: HashMap<NodeId, NodeId>,
}

/// A move of a [`Strategy`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StrategyMove {
    /// The player who moves.
    pub player: Player,
    /// The component of the move, counted from 0.
    pub component: usize,
    /// The move as printed, with the number of the component if the sum has several.
    pub name: String,
}

/// An error in a strategy.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Flaw {
    /// A move that the rules do not allow.
    Illegal(NodeId),
    /// The loser has a move that is not answered.
    Unanswered(NodeId, String),
    /// The winner is to move, and there is not exactly one move.
    NoReply(NodeId),
    /// A link to a different sum.
    WrongLink(NodeId),
    /// The check was not finished.
    Unchecked(GaveUp),
}

impl std::fmt::Display for Flaw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Flaw::Illegal(node) => write!(f, "node {}: the move is not legal", node.0),
            Flaw::Unanswered(node, name) => {
                write!(f, "node {}: the move {name} is not answered", node.0)
            }
            Flaw::NoReply(node) => write!(f, "node {}: the winner needs exactly one move", node.0),
            Flaw::WrongLink(node) => write!(f, "node {}: linked to a different sum", node.0),
            Flaw::Unchecked(reason) => write!(f, "not checked: {reason}"),
        }
    }
}

impl std::error::Error for Flaw {}

/// A sum with the player to move.
type Situation = (Vec<Game>, Player);

impl Solver {
    /// Finds a winning strategy of at most this many nodes for the player who wins.
    ///
    /// ```
    /// use gametree_sums::{Game, Solver, value::Player};
    /// let sum = [Game::parse("clobber_1xn", "XOXO")?];
    /// let strategy = Solver::default().winning_strategy(&sum, Player::Left, 1000)?;
    /// assert_eq!(strategy.winner, Player::Left);
    /// strategy.verify()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn winning_strategy(
        &mut self,
        sum: &[Game],
        first: Player,
        nodes: usize,
    ) -> Result<Strategy, GaveUp> {
        self.start();
        let winner = if self.still_wins(sum, first)? {
            first
        } else {
            !first
        };
        let mut strategy = Strategy {
            sum: sum.to_vec(),
            first,
            winner,
            tree: Tree::new(),
            links: HashMap::new(),
        };
        let mut seen: HashMap<Situation, NodeId> = HashMap::new();
        let mut open = vec![(NodeId::ROOT, sum.to_vec(), first)];
        while let Some((node, sum, to_move)) = open.pop() {
            self.interrupt().check()?;
            if let Some(&before) = seen.get(&(sum.clone(), to_move)) {
                strategy.links.insert(node, before);
                continue;
            }
            let replies = if to_move == winner {
                vec![self.winning_move(&sum, winner)?]
            } else {
                moves_until(&sum, to_move, self.interrupt())?
            };
            seen.insert((sum, to_move), node);
            let mut next = Vec::new();
            for mv in replies {
                let child = strategy.tree.add_child(node, StrategyMove::of(&mv));
                next.push((child, mv.result, !to_move));
            }
            if strategy.tree.capacity_used() > nodes {
                return Err(GaveUp::Nodes);
            }
            open.extend(next.into_iter().rev());
        }
        Ok(strategy)
    }

    /// Finds a winning move in a sum that the player is known to win.
    fn winning_move(&mut self, sum: &[Game], player: Player) -> Result<SumMove, GaveUp> {
        for mv in moves_until(sum, player, self.interrupt())? {
            if !self.still_wins(&mv.result, !player)? {
                return Ok(mv);
            }
        }
        Err(GaveUp::Contradiction)
    }
}

impl StrategyMove {
    fn of(mv: &SumMove) -> StrategyMove {
        StrategyMove {
            player: mv.player,
            component: mv.component,
            name: mv.name(),
        }
    }
}

impl Strategy {
    /// Checks the strategy using only the rules.
    pub fn verify(&self) -> Result<(), Flaw> {
        self.verify_until(&Interrupt::never())
    }

    /// Checks the strategy like [`Strategy::verify`], but stops when the interrupt is due.
    pub fn verify_until(&self, interrupt: &Interrupt) -> Result<(), Flaw> {
        let mut situations: HashMap<NodeId, Situation> = HashMap::new();
        let mut open = vec![(NodeId::ROOT, self.sum.clone(), self.first)];
        while let Some((node, sum, to_move)) = open.pop() {
            interrupt.check().map_err(Flaw::Unchecked)?;
            if !self.links.contains_key(&node) {
                open.extend(self.check_node(node, &sum, to_move, interrupt)?);
            }
            situations.insert(node, (sum, to_move));
        }
        let linked = |from: &NodeId, to: &NodeId| {
            situations.get(from) == situations.get(to)
                && situations.contains_key(to)
                && !self.links.contains_key(to)
        };
        match self.links.iter().find(|(from, to)| !linked(from, to)) {
            Some((&from, _)) => Err(Flaw::WrongLink(from)),
            None => Ok(()),
        }
    }

    /// Checks the moves of one node, and returns the nodes after them.
    fn check_node(
        &self,
        node: NodeId,
        sum: &[Game],
        to_move: Player,
        interrupt: &Interrupt,
    ) -> Result<Vec<(NodeId, Vec<Game>, Player)>, Flaw> {
        let legal = moves_until(sum, to_move, interrupt).map_err(Flaw::Unchecked)?;
        let mut unanswered: HashMap<StrategyMove, Vec<SumMove>> = HashMap::new();
        for mv in legal.into_iter().rev() {
            unanswered
                .entry(StrategyMove::of(&mv))
                .or_default()
                .push(mv);
        }
        let children: Vec<NodeId> = self.tree.children(node).collect();
        if to_move == self.winner && children.len() != 1 {
            return Err(Flaw::NoReply(node));
        }
        let mut next = Vec::new();
        for child in children {
            let made = self.tree.move_to(child);
            let same_name = made.and_then(|made| unanswered.get_mut(made));
            let mv = same_name.and_then(Vec::pop).ok_or(Flaw::Illegal(child))?;
            next.push((child, mv.result, !to_move));
        }
        let forgotten = unanswered.values().flatten().map(SumMove::name).min();
        match forgotten {
            Some(name) if to_move != self.winner => Err(Flaw::Unanswered(node, name)),
            _ => Ok(next),
        }
    }
}
