//! `--` and `[x]`.

use super::Matcher;
use crate::Dialect;
use crate::ir::*;
use crate::positions::{MoveEffect, bit};
use crate::symmetry::bits;
use chess::{Board, Move, MoveKind, Role, attacks};

/// The legal or pseudolegal moves of one position.
#[derive(Default)]
pub(super) struct Generated {
    all: Vec<Move>,
    of: Option<(u32, bool)>,
    /// The same moves by origin, once several filters used them.
    targets: Option<Box<Targets>>,
    /// Whether the targets are those of these moves, or that there are none.
    sorted: Sorted,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Sorted {
    /// The moves were used this often.
    #[default]
    Never,
    Once,
    Done,
    /// Not each origin and target stand for one move.
    Impossible,
}

/// The target squares of the moves from each square.
type Targets = [u64; 64];

impl Generated {
    /// The targets of the moves from each square, once the moves are used for the second time.
    /// None if not each of them stands for one move; the promotions of a pawn are one if `once`.
    fn targets(&mut self, once: bool) -> Option<&Targets> {
        self.sorted = match self.sorted {
            Sorted::Never => Sorted::Once,
            Sorted::Once => match self.sort(once) {
                true => Sorted::Done,
                false => Sorted::Impossible,
            },
            known => known,
        };
        let targets = self.targets.as_deref();
        targets.filter(|_| self.sorted == Sorted::Done)
    }

    /// Sorts the moves by origin; false if two have the same squares or one has none.
    fn sort(&mut self, once: bool) -> bool {
        let targets = self.targets.get_or_insert_with(|| Box::new([0; 64]));
        targets.fill(0);
        for mv in &self.all {
            let (Some(from), Some(to)) = (mv.from(), mv.destination()) else {
                return false;
            };
            let targets = &mut targets[from as usize & 63];
            let is_same = *targets & bit(to as u8) != 0;
            if mv.promoted().is_some() && !once || mv.promoted().is_none() && is_same {
                return false;
            }
            *targets |= bit(to as u8);
        }
        true
    }

    /// The board has changed.
    pub fn forget(&mut self) {
        self.of = None;
    }
}

/// The squares of a dash, evaluated before its move.
#[derive(Clone, Copy)]
pub(super) struct Sides {
    pub left: u64,
    pub right: u64,
}

impl<'q> Matcher<'q> {
    /// The sides of a dash at the current position.
    pub(super) fn sides(&mut self, spec: &DashSpec) -> Sides {
        Sides {
            left: spec.left.map_or(!0, |s| self.set(s)),
            right: spec.right.map_or(!0, |s| self.set(s)),
        }
    }

    /// Whether a move matches the dash; evaluated at the position before it.
    pub(super) fn dash_fits(&mut self, spec: &DashSpec, sides: Sides, step: &MoveEffect) -> bool {
        let fits = if spec.capture {
            let taken = step.captured.is_some_and(|c| sides.right & bit(c) != 0);
            taken && sides.left & bit(step.from) != 0
        } else {
            step.origins(sides.left, sides.right) != 0
                || step.from > 63 && sides.right & bit(step.to) != 0
        };
        fits && self.promotes(spec, step)
    }

    fn promotes(&mut self, spec: &DashSpec, step: &MoveEffect) -> bool {
        let Some(promotion) = spec.promotion else {
            return true;
        };
        let Some(role) = step.promoted else {
            return false;
        };
        match promotion {
            Promotion::Pieces(pieces) => super::moves::names(pieces, role),
            Promotion::Text(text) => self.text(text).is_some_and(|text| {
                text.is_empty() || &*text == "." || text.to_uppercase().contains(role.upper_char())
            }),
        }
    }

    /// The value of `f` after the first move of a dash at which it has one.
    pub(super) fn first_dash<T>(
        &mut self,
        dash: DashId,
        mut f: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let spec = self.q.ir.dash(dash);
        if spec.current {
            let (here, parent) = (self.at, self.positions.parent(self.at)?);
            return self.at_place(parent, |m| {
                let sides = m.sides(spec);
                m.try_dash(spec, sides, here, &mut f)
            });
        }
        if self.positions.is_terminal(self.at) {
            return None;
        }
        let sides = self.sides(spec);
        let mut child = self.positions.first_child(self.at);
        while let Some(to) = child {
            if let Some(value) = self.try_dash(spec, sides, to, &mut f) {
                return Some(value);
            }
            child = self.positions.next_sibling(to);
        }
        None
    }

    fn try_dash<T>(
        &mut self,
        spec: &DashSpec,
        sides: Sides,
        to: u32,
        f: &mut impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let step = self.positions.step(to);
        if !self.dash_fits(spec, sides, &step) {
            return None;
        }
        self.after_dash(to, sides.left, sides.right, f)
    }

    pub(super) fn dash_matches(&mut self, dash: DashId, target: Option<BoolId>) -> bool {
        self.first_dash(dash, |m| target.is_none_or(|t| m.truth(t)).then_some(()))
            .is_some()
    }

    pub(super) fn dash_count(&mut self, dash: DashId, target: Option<BoolId>) -> i64 {
        let mut count = 0;
        let _: Option<()> = self.first_dash(dash, |m| {
            count += i64::from(target.is_none_or(|t| m.truth(t)));
            None
        });
        count
    }

    /// The moves that the rules allow here, generated once for several filters.
    fn generated(&mut self, pseudo: bool) -> &[Move] {
        let wanted = Some((self.at, pseudo));
        if self.moves.of != wanted {
            let board = self.positions.board(self.at);
            let moves = if pseudo {
                board.pseudo_legal_moves()
            } else {
                board.legal_moves()
            };
            self.moves.all.clear();
            self.moves.all.extend_from_slice(&moves);
            self.moves.of = wanted;
            self.moves.sorted = Sorted::Never;
        }
        &self.moves.all
    }

    /// Where only the squares matter, the effects of moves need not be computed.
    fn plain_legal_count(
        &mut self,
        spec: &DashSpec,
        pseudo: bool,
        kind: Option<Test>,
        sides: Sides,
    ) -> Option<(u64, i64)> {
        if spec.promotion.is_some() || spec.capture || kind.is_some() {
            return None;
        }
        let once = self.q.dialect == Dialect::Cql62;
        self.generated(pseudo);
        if let Some(targets) = self.moves.targets(once) {
            return Some(count_targets(targets, sides));
        }
        let (mut reached, mut count) = (0, 0);
        for &mv in &self.moves.all {
            let from = mv
                .from()
                .is_none_or(|from| sides.left & bit(from as u8) != 0);
            let to = mv.destination().map_or(0, |to| bit(to as u8)) & sides.right;
            if !from || to == 0 {
                continue;
            }
            reached |= to;
            count += i64::from(!once || matches!(mv.promoted(), None | Some(Role::Queen)));
        }
        Some((reached, count))
    }

    /// The target squares of legal moves, and the number of moves.
    pub(super) fn legal_dash(
        &mut self,
        dash: DashId,
        pseudo: bool,
        kind: Option<Test>,
    ) -> (u64, i64) {
        let spec = self.q.ir.dash(dash);
        let sides = self.sides(spec);
        if sides.left == 0 || sides.right == 0 {
            return (0, 0);
        }
        if let Some(count) = self.plain_legal_count(spec, pseudo, kind, sides) {
            return count;
        }
        if !may_have_kind(self.board(), kind) {
            return (0, 0);
        }
        let once = self.q.dialect == Dialect::Cql62;
        let (mut reached, mut count) = (0, 0);
        let mut promoted: Vec<(u8, u8)> = Vec::new();
        self.generated(pseudo);
        // taken out, as the text of a promotion may generate moves elsewhere
        let moves = std::mem::take(&mut self.moves);
        for &mv in &moves.all {
            let leaves = mv
                .from()
                .is_none_or(|from| sides.left & bit(from as u8) != 0);
            if !leaves || !may_be_kind(mv, kind) {
                continue;
            }
            let step = MoveEffect::new(self.board(), mv);
            // castling is encoded by the king's squares alone here
            let plain = MoveEffect { rook: None, ..step };
            if !is_kind(&step, kind) || !self.dash_fits(spec, sides, &plain) {
                continue;
            }
            reached |= bit(step.to);
            let again = once && step.promoted.is_some() && promoted.contains(&(step.from, step.to));
            if step.promoted.is_some() {
                promoted.push((step.from, step.to));
            }
            count += i64::from(!again);
        }
        self.moves = moves;
        (reached, count)
    }
}

/// The squares that moves reach, and the number of moves.
fn count_targets(targets: &Targets, sides: Sides) -> (u64, i64) {
    bits(sides.left).fold((0, 0), |(reached, count), from| {
        let here = targets[from as usize & 63] & sides.right;
        (reached | here, count + i64::from(here.count_ones()))
    })
}

impl DashSpec {
    /// False if a move does not promote as it should, and this can be said without the sides.
    pub(super) fn may_be(&self, step: &MoveEffect, ir: &Ir) -> bool {
        self.promotion.is_none() || step.promoted.is_some() || {
            let sides = (self.left, self.right).props(ir);
            !sides.is_pure() || sides.has(Props::READS)
        }
    }
}

/// False if no rook can castle along empty squares, or no pawn can capture en passant, for such a
/// move.
fn may_have_kind(board: &Board, kind: Option<Test>) -> bool {
    match kind {
        Some(Test::Castle | Test::ShortCastle | Test::LongCastle) => {
            let rooks = board.castling_rooks() & board.by_color(board.turn());
            let Some(king) = board.king_of(board.turn()) else {
                return false;
            };
            let is_free = |rook| (attacks::between(king, rook) & board.occupied()).is_empty();
            rooks.into_iter().any(is_free)
        }
        Some(Test::EnPassant) => board.passed_square().is_some(),
        _ => true,
    }
}

/// False if a move is not of a kind, judged without the board.
fn may_be_kind(mv: Move, kind: Option<Test>) -> bool {
    match kind {
        Some(Test::Castle | Test::ShortCastle | Test::LongCastle) => {
            mv.kind() == MoveKind::Castling
        }
        Some(Test::EnPassant) => mv.kind() == MoveKind::EnPassant,
        _ => true,
    }
}

fn is_kind(step: &MoveEffect, kind: Option<Test>) -> bool {
    match kind {
        Some(Test::Castle) => step.rook.is_some(),
        Some(Test::ShortCastle) => step.rook.is_some() && !step.long,
        Some(Test::LongCastle) => step.rook.is_some() && step.long,
        Some(Test::EnPassant) => step.en_passant,
        _ => true,
    }
}
