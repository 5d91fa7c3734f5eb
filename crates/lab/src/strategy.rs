//! A winning strategy in the variations table, one line at a time.

use std::time::Instant;

use serde_json::{Value, json};
use sums::{Flaw, Solver, Strategy, StrategyMove, moves as every_move};
use tree::table::{Caption, Column, Numbering, Row, Table, label_index};
use tree::{LineCounts, NodeId, PreorderIndex, Tree, View};

use super::moves::{NotListed, check_number};
use super::{Game, GaveUp, Player, sum_text};

/// A winning strategy, and its displayed line.
pub struct StrategyTable {
    strategy: Strategy,
    view: View,
    lines: LineCounts,
    at: NodeId,
}

impl std::fmt::Debug for StrategyTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "StrategyTable({} moves)", self.moves())
    }
}

/// The reason why there is no strategy to show.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoStrategy {
    /// The solver gave up.
    GaveUp(GaveUp),
    /// It has more moves than the limit.
    TooLarge {
        /// The limit.
        nodes: usize,
    },
    /// Positions have too many moves.
    NotListed(NotListed),
    /// The check by the rules found it wrong.
    Wrong(Flaw),
}

impl std::fmt::Display for NoStrategy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoStrategy::GaveUp(reason) => write!(f, "{reason}"),
            NoStrategy::TooLarge { nodes } => write!(f, "the strategy has more than {nodes} moves"),
            NoStrategy::NotListed(not_listed) => write!(f, "{not_listed}"),
            NoStrategy::Wrong(flaw) => {
                write!(f, "the strategy is wrong, please report this: {flaw}")
            }
        }
    }
}

impl std::error::Error for NoStrategy {}

/// Finds a winning strategy of limited size for the winner, and checks it by the rules.
pub fn winning_strategy(
    solver: &mut Solver,
    sum: &[Game],
    first: Player,
    nodes: usize,
) -> Result<StrategyTable, NoStrategy> {
    for player in Player::BOTH {
        check_number(sum, player).map_err(NoStrategy::NotListed)?;
    }
    let strategy = find(solver, sum, first, nodes)?;
    let lines = LineCounts::new(&strategy.tree);
    Ok(StrategyTable {
        strategy,
        view: View::new(),
        lines,
        at: NodeId::ROOT,
    })
}

/// Finds and checks a strategy, with the budget of one question.
fn find(
    solver: &mut Solver,
    sum: &[Game],
    first: Player,
    nodes: usize,
) -> Result<Strategy, NoStrategy> {
    let (budget, interrupt) = (solver.budget(), solver.new_interrupt());
    let (started, nodes_before) = (Instant::now(), solver.stats().nodes);
    // The winner is determined first: giving up on that differs from a strategy that is too large.
    solver.wins(sum, first).map_err(NoStrategy::GaveUp)?;
    let nodes_used = solver.stats().nodes - nodes_before;
    solver.set_budget(budget.share(started.elapsed(), nodes_used, 1));
    let found = solver.winning_strategy(sum, first, nodes);
    solver.set_budget(budget);
    let strategy = found.map_err(|reason| match reason {
        GaveUp::Nodes => NoStrategy::TooLarge { nodes },
        other => NoStrategy::GaveUp(other),
    })?;
    match strategy.verify_until(&interrupt) {
        Ok(()) => Ok(strategy),
        Err(Flaw::Unchecked(reason)) => Err(NoStrategy::GaveUp(reason)),
        Err(flaw) => Err(NoStrategy::Wrong(flaw)),
    }
}

/// A place that is not in the strategy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoSuchPlace {
    /// The typed text.
    pub typed: String,
    /// Valid choices.
    pub moves: Vec<String>,
}

impl std::fmt::Display for NoSuchPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "no move or address {} here; the moves are: {}",
            self.typed,
            self.moves.join(" ")
        )
    }
}

impl std::error::Error for NoSuchPlace {}

impl StrategyTable {
    /// The winner.
    pub fn winner(&self) -> Player {
        self.strategy.winner
    }

    /// The first player.
    pub fn first(&self) -> Player {
        self.strategy.first
    }

    /// The number of moves.
    pub fn moves(&self) -> usize {
        self.strategy.tree.node_count() - 1
    }

    /// The number of lines.
    pub fn lines(&self) -> u32 {
        self.lines.through(NodeId::ROOT)
    }

    /// The number of moves to a sum that occurred before.
    pub fn transpositions(&self) -> usize {
        self.strategy.links.len()
    }

    /// The current node.
    pub fn at(&self) -> NodeId {
        self.at
    }

    /// The rows of the displayed line; Left's moves are in the first column.
    pub fn rows(&self) -> Vec<Row> {
        let table = self.table();
        table.rows(0..table.row_count(), |node| self.caption(node))
    }

    fn table(&self) -> Table<'_, StrategyMove> {
        let first_column = match self.strategy.first {
            Player::Left => Column::First,
            Player::Right => Column::Second,
        };
        let numbering = Numbering {
            first_column,
            first_number: 1,
        };
        Table::new(&self.strategy.tree, &self.view, &self.lines, numbering)
    }

    fn caption(&self, node: NodeId) -> Caption {
        Caption {
            text: self.name(node).to_owned(),
            transposes: self.strategy.links.contains_key(&node),
            ..Caption::default()
        }
    }

    pub(super) fn tree(&self) -> &Tree<StrategyMove> {
        &self.strategy.tree
    }

    pub(super) fn name(&self, node: NodeId) -> &str {
        self.tree().move_to(node).map_or("", |mv| &mv.name)
    }

    /// Goes to a place: moves by their names, or addresses such as `2Rb` (move 2, Right's
    /// alternative b), one after another. A move is searched first from here, then through a link.
    pub fn go(&mut self, place: &str) -> Result<(), NoSuchPlace> {
        for word in place.split_whitespace() {
            let node = self.find(word).ok_or_else(|| self.no_such(word))?;
            self.at = node;
            self.view.show(&self.strategy.tree, node);
        }
        Ok(())
    }

    /// The next moves from here, or from the target of a link.
    fn moves_on(&self) -> impl Iterator<Item = NodeId> {
        let here = self.strategy.links.get(&self.at).unwrap_or(&self.at);
        self.tree().children(*here)
    }

    fn find(&self, word: &str) -> Option<NodeId> {
        let named = self.moves_on().find(|&child| self.name(child) == word);
        named.or_else(|| self.alternative(word))
    }

    /// The move at an address.
    fn alternative(&self, word: &str) -> Option<NodeId> {
        let digits = word.find(|c: char| !c.is_ascii_digit())?;
        let number = word[..digits].parse().ok()?;
        let column = match word[digits..].chars().next()?.to_ascii_uppercase() {
            'L' | 'B' => Column::First,
            'R' | 'W' => Column::Second,
            _ => return None,
        };
        let label = &word[digits + 1..];
        label_index(label)?;
        self.table().alternative(number, column, label).ok()
    }

    fn no_such(&self, word: &str) -> NoSuchPlace {
        let moves = self
            .moves_on()
            .map(|child| self.name(child).to_owned())
            .collect();
        NoSuchPlace {
            typed: word.to_owned(),
            moves,
        }
    }

    /// The moves to a node.
    pub fn path(&self, node: NodeId) -> Vec<&str> {
        self.tree()
            .line(node)
            .into_iter()
            .skip(1)
            .map(|node| self.name(node))
            .collect()
    }

    /// The target of a move that continues elsewhere.
    pub fn link(&self, node: NodeId) -> Option<NodeId> {
        self.strategy.links.get(&node).copied()
    }

    /// The last node of the displayed line.
    pub fn end(&self) -> NodeId {
        self.view
            .line(self.tree(), NodeId::ROOT)
            .last()
            .unwrap_or(NodeId::ROOT)
    }

    /// The sum at a node of [`to_json`](StrategyTable::to_json), by its index there.
    pub fn sum_of(&self, index: u32) -> Option<Vec<Game>> {
        let order = PreorderIndex::of(self.tree());
        let found = order.positions().nth(index as usize)?;
        Some(self.sum_at(order.node(found)))
    }

    /// The sum after the moves to a node.
    pub fn sum_at(&self, node: NodeId) -> Vec<Game> {
        let mut sum = self.strategy.sum.clone();
        for node in self.tree().line(node).into_iter().skip(1) {
            let Some(mv) = self.tree().move_to(node) else {
                continue;
            };
            let found = every_move(&sum, mv.player)
                .into_iter()
                .find(|legal| legal.component == mv.component && legal.name() == mv.name);
            sum = found.map_or(sum, |legal| legal.result);
        }
        sum
    }

    /// The whole strategy for scripts: nodes in preorder, each with the index of its parent.
    pub fn to_json(&self) -> Value {
        let index = PreorderIndex::of(self.tree());
        let node = |id| {
            let node = index.node(id);
            let mv = self.tree().move_to(node);
            let link = self.link(node).and_then(|to| index.position(to));
            json!({
                "parent": index.parent(id).map(|parent| parent.0),
                "player": mv.map(|mv| mv.player.to_string()),
                "move": mv.map(|mv| mv.name.as_str()),
                "link": link.map(|to| to.0),
            })
        };
        json!({
            "sum": sum_text(&self.strategy.sum),
            "first": self.first().to_string(),
            "winner": self.winner().to_string(),
            "verified": true,
            "lines": self.lines(),
            "nodes": index.positions().map(node).collect::<Vec<_>>(),
        })
    }
}
