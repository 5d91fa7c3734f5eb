//! Minimax that uses only the rules: an independent check of the solver.

use crate::game::Game;
use crate::value::Player;
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

/// A minimax search over sums as entered: no normal forms, no values, no bounds.
///
/// ```
/// use gametree_sums::{Game, naive::Naive, value::Player};
/// let sum = [Game::parse("clobber_1xn", "XO")?];
/// assert_eq!(Naive::new(1000).wins(&sum, Player::Left), Some(true));
/// # Ok::<(), gametree_sums::rules::Complaint>(())
/// ```
pub struct Naive {
    seen: HashMap<(Vec<Game>, Player), bool>,
    nim_values: HashMap<Vec<Game>, u64>,
    nodes_left: u64,
}

impl Naive {
    /// Creates a search of at most this many different sums.
    pub fn new(nodes: u64) -> Naive {
        Naive {
            seen: HashMap::new(),
            nim_values: HashMap::new(),
            nodes_left: nodes,
        }
    }

    /// Returns whether this player wins, moving first; `None` if that takes too many nodes.
    pub fn wins(&mut self, sum: &[Game], first: Player) -> Option<bool> {
        let key = (sum.to_vec(), first);
        if let Some(&wins) = self.seen.get(&key) {
            return Some(wins);
        }
        self.nodes_left = self.nodes_left.checked_sub(1)?;
        let mut wins = false;
        for next in successors(sum, first) {
            if !self.wins(&next, !first)? {
                wins = true;
                break;
            }
        }
        self.seen.insert(key, wins);
        Some(wins)
    }

    /// The nim value of an impartial sum: the smallest number that is not the value of an option.
    pub fn nim_value(&mut self, sum: &[Game]) -> Option<u64> {
        if let Some(&value) = self.nim_values.get(sum) {
            return Some(value);
        }
        self.nodes_left = self.nodes_left.checked_sub(1)?;
        let mut reached = HashSet::new();
        for next in successors(sum, Player::Left) {
            reached.insert(self.nim_value(&next)?);
        }
        let value = (0..).find(|value| !reached.contains(value))?;
        self.nim_values.insert(sum.to_vec(), value);
        Some(value)
    }
}

/// Lists the sums after each move of a player.
fn successors(sum: &[Game], player: Player) -> Vec<Vec<Game>> {
    let mut found = Vec::new();
    for at in 0..sum.len() {
        let _ = sum[at].each_move(player, &mut |_, _, next| {
            let mut after = sum.to_vec();
            after[at].position = next.to_vec();
            found.push(after);
            ControlFlow::Continue(())
        });
    }
    found
}
