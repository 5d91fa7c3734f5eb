//! Counts of positions: how many there are, and how many are reached by several paths.

use serde::Serialize;

/// Distinct positions, and those of them that several paths reach.
///
/// Of two different paths to one position, either one is a prefix of the other, or neither is. So
/// every transposed position occurs between lines, is repeated within a line, or both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct PositionCounts {
    /// Distinct positions.
    pub positions: u64,
    /// Positions that several paths reach.
    pub transposed: u64,
    /// Transpositions between lines: two paths reach the position, and neither is a prefix of the
    /// other.
    pub between_lines: u64,
    /// Repetitions within a line: the position occurs twice on one path.
    pub repeated: u64,
}

impl PositionCounts {
    /// Counts one position by how its paths relate.
    pub fn add(&mut self, between_lines: bool, repeated: bool) {
        self.positions += 1;
        self.transposed += u64::from(between_lines || repeated);
        self.between_lines += u64::from(between_lines);
        self.repeated += u64::from(repeated);
    }

    /// Adds counts of other positions.
    pub(crate) fn join(&mut self, other: PositionCounts) {
        self.positions += other.positions;
        self.transposed += other.transposed;
        self.between_lines += other.between_lines;
        self.repeated += other.repeated;
    }
}
