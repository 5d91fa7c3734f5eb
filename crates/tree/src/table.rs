//! The variations table: one line in two columns, with the first moves of its alternatives.
//!
//! The table is a model: rows are plain structs that a terminal or a page draws. The caller
//! supplies the text and marks of each move as a [`Caption`].

use std::ops::Range;

use crate::{LineCounts, NodeId, Tree, View};

/// The column of a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Column {
    /// The player who starts a numbered move: White in chess.
    First,
    /// The other player: Black in chess.
    Second,
}

/// How moves are numbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbering {
    /// The column of the first move.
    pub first_column: Column,
    /// The number of the first move.
    pub first_number: u32,
}

impl Default for Numbering {
    fn default() -> Self {
        Numbering {
            first_column: Column::First,
            first_number: 1,
        }
    }
}

impl Numbering {
    /// The number and column of the move played at this ply.
    pub fn of(&self, ply: u32) -> (u32, Column) {
        let half_moves = ply + u32::from(self.first_column == Column::Second);
        let column = match half_moves % 2 {
            0 => Column::First,
            _ => Column::Second,
        };
        (self.first_number.saturating_add(half_moves / 2), column)
    }
}

/// The text and marks of a move, supplied by the caller.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Caption {
    /// The move as text.
    pub text: String,
    /// The glyphs, such as `!?`.
    pub glyphs: String,
    /// True if the move has a comment.
    pub comment: bool,
    /// True if another path reaches the same position.
    pub transposes: bool,
    /// Where the move is written, if the table joins several trees; otherwise empty.
    pub written_in: String,
    /// True if the move is a search result.
    pub matches: bool,
    /// True if a search result is below this move.
    pub matches_below: bool,
    /// The result of the game, if this move ends it; otherwise empty.
    pub result: String,
}

/// One move in the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// The node it leads to.
    pub node: NodeId,
    /// Its index among its siblings in the tree. Colours follow this index, not the display order.
    pub choice: usize,
    /// The number of lines through it.
    pub lines: u32,
    /// True if no move follows.
    pub ends: bool,
    /// Its text and marks.
    pub caption: Caption,
}

/// One row: a move number, one or two moves, and the alternatives to the last of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The move number. Two rows share a number if the first player's move has alternatives.
    pub number: u32,
    /// The first player's move; `None` if it is on the previous row.
    pub first: Option<Cell>,
    /// The second player's move; `None` if it is on the next row or the line ends.
    pub second: Option<Cell>,
    /// The alternatives to the second move if present, otherwise to the first, in display order.
    /// The [`label`] of each is that of its index.
    pub alternatives: Vec<Cell>,
    /// The number of further alternatives beyond the caller's limit.
    pub more: usize,
}

/// The nodes of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Slot {
    number: u32,
    first: Option<NodeId>,
    second: Option<NodeId>,
}

impl Slot {
    fn at(&self, column: Column) -> Option<NodeId> {
        match column {
            Column::First => self.first,
            Column::Second => self.second,
        }
    }

    fn last(&self) -> Option<NodeId> {
        self.second.or(self.first)
    }
}

/// The table of the line displayed by a view.
#[derive(Clone, Debug)]
pub struct Table<'a, M> {
    tree: &'a Tree<M>,
    view: &'a View,
    lines: &'a LineCounts,
    slots: Vec<Slot>,
}

impl<'a, M> Table<'a, M> {
    /// Lays out the rows. Cost: the length of the line. The content of a row is computed by
    /// [`row`](Table::row).
    pub fn new(
        tree: &'a Tree<M>,
        view: &'a View,
        lines: &'a LineCounts,
        numbering: Numbering,
    ) -> Table<'a, M> {
        let mut slots: Vec<Slot> = Vec::new();
        let mut row_continues = false;
        for (node, ply) in view.line(tree, NodeId::ROOT).skip(1).zip(0..) {
            let (number, column) = numbering.of(ply);
            match (column, slots.last_mut()) {
                (Column::Second, Some(row)) if row_continues => row.second = Some(node),
                (column, _) => slots.push(Slot {
                    number,
                    first: (column == Column::First).then_some(node),
                    second: (column == Column::Second).then_some(node),
                }),
            }
            let without_alternatives = tree
                .parent(node)
                .is_some_and(|from| !tree.is_branching(from));
            row_continues = column == Column::First && without_alternatives;
        }
        Table {
            tree,
            view,
            lines,
            slots,
        }
    }

    /// The number of rows.
    pub fn row_count(&self) -> usize {
        self.slots.len()
    }

    /// The row that contains this node as part of the line. O(rows).
    pub fn row_of(&self, node: NodeId) -> Option<usize> {
        let mut slots = self.slots.iter();
        slots.position(|slot| slot.first == Some(node) || slot.second == Some(node))
    }

    /// The row at `index`, with at most `alternatives` alternatives. `caption` is called for the
    /// moves of the line, then for the alternatives, from left to right.
    pub fn row(
        &self,
        index: usize,
        alternatives: usize,
        mut caption: impl FnMut(NodeId) -> Caption,
    ) -> Option<Row> {
        let slot = self.slots.get(index)?;
        let from = self.tree.parent(slot.last()?)?;
        let mut shown = |node: Option<NodeId>| {
            let node = node?;
            Some(self.cell(self.tree.choice(node)?, node, &mut caption))
        };
        let (first, second) = (shown(slot.first), shown(slot.second));
        let mut others = self.view.children(self.tree, from).skip(1);
        let listed = others.by_ref().take(alternatives);
        Some(Row {
            number: slot.number,
            first,
            second,
            alternatives: listed
                .map(|(k, node)| self.cell(k, node, &mut caption))
                .collect(),
            more: others.count(),
        })
    }

    /// Several rows, with all alternatives.
    pub fn rows(
        &self,
        range: Range<usize>,
        mut caption: impl FnMut(NodeId) -> Caption,
    ) -> Vec<Row> {
        range
            .map_while(|index| self.row(index, usize::MAX, &mut caption))
            .collect()
    }

    /// The move of the line with this number and column.
    pub fn main_move(&self, number: u32, column: Column) -> Option<NodeId> {
        let start = self.slots.partition_point(|slot| slot.number < number);
        let same = self.slots[start..]
            .iter()
            .take_while(|slot| slot.number == number);
        same.filter_map(|slot| slot.at(column)).next()
    }

    /// The alternatives to a move of the line, in label order.
    pub fn alternatives(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let from = self.tree.parent(node);
        let shown = from.map(|from| self.view.children(self.tree, from));
        shown.into_iter().flatten().skip(1).map(|(_, child)| child)
    }

    /// The alternative with an address such as `6Wc`.
    pub fn alternative(
        &self,
        number: u32,
        column: Column,
        label: &str,
    ) -> Result<NodeId, NoSuchAlternative> {
        let node = self
            .main_move(number, column)
            .ok_or(NoSuchAlternative::Move)?;
        let index = label_index(label).ok_or(NoSuchAlternative::Label { to: node })?;
        let mut alternatives = self.alternatives(node);
        alternatives
            .nth(index)
            .ok_or(NoSuchAlternative::Label { to: node })
    }

    fn cell(
        &self,
        choice: usize,
        node: NodeId,
        caption: &mut impl FnMut(NodeId) -> Caption,
    ) -> Cell {
        Cell {
            node,
            choice,
            lines: self.lines.through(node),
            ends: self.tree.is_terminal(node),
            caption: caption(node),
        }
    }
}

/// The error of [`Table::alternative`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NoSuchAlternative {
    /// `40Wa` on a line of ten moves.
    Move,
    /// `1Wz` where the alternatives are `a` and `b`.
    Label {
        /// The move of the line; [`Table::alternatives`] lists its alternatives.
        to: NodeId,
    },
}

impl std::fmt::Display for NoSuchAlternative {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            NoSuchAlternative::Move => "no such move in the line",
            NoSuchAlternative::Label { .. } => "no such alternative to the move",
        })
    }
}

impl std::error::Error for NoSuchAlternative {}

/// The label of the alternative at `index`: `a` … `z`, `aa`, `ab` …
pub fn label(index: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = Some(index);
    while let Some(n) = rest {
        letters.push(char::from(b'a' + (n % 26) as u8));
        rest = (n / 26).checked_sub(1);
    }
    letters.iter().rev().collect()
}

/// The index of a label; letters may be upper or lower case. `None` if it is not a label.
pub fn label_index(label: &str) -> Option<usize> {
    let mut after = 0usize;
    for byte in label.bytes() {
        let letter = byte
            .to_ascii_lowercase()
            .checked_sub(b'a')
            .filter(|&n| n < 26)?;
        after = after
            .checked_mul(26)?
            .checked_add(usize::from(letter) + 1)?;
    }
    after.checked_sub(1)
}
