//! Conditions.

use super::{Matcher, Value};
use crate::ast::{Side, VarId};
use crate::ir::*;
use crate::plan::{OrbitIndex, PieceTest, Restriction, Spot};
use crate::positions::{NO_PIECE, Pieces, bit};
use crate::symmetry::bits;
use chess::{Color, Variant};

impl<'q> Matcher<'q> {
    /// Whether a condition holds here; if not, its comments are dropped.
    #[inline]
    pub(super) fn truth(&mut self, id: BoolId) -> bool {
        if !self.step() {
            return false;
        }
        if !self.q.ir.bools.props(id.0).has(Props::COMMENTS) {
            let q = self.q;
            // fast path for the commonest conditions
            return match q.ir.bool(id) {
                Bool::NonEmpty(set) => match *q.ir.set(*set) {
                    Set::Move(id) => self.has_move_squares(id),
                    _ => self.set(*set) != 0,
                },
                Bool::And(ids) => self.silent_all(ids),
                Bool::Orbit(parts) => self.any_part(id, parts),
                Bool::Test(Test::Check) => self.board().is_check(),
                Bool::HasNum(num) => self.has_signs_of(id) && self.num(*num).is_some(),
                Bool::HasPlace(place) => self.place(*place).is_some(),
                Bool::IfOnly(test, then) => {
                    !self.has_signs_of(*test) || !self.truth(*test) || self.truth(*then)
                }
                Bool::Dash(dash, target) => {
                    self.has_signs_of(id) && self.dash_matches(*dash, *target)
                }
                Bool::Assign(assign) => self.assign(*assign),
                _ => self.condition(id),
            };
        }
        let mark = self.remarks.len();
        let holds = self.condition(id);
        if !holds {
            self.remarks.truncate(mark);
        }
        holds
    }

    /// The same for a part of a filter without comments; most are about pieces.
    #[inline(always)] // that is why: it saves the call
    fn silent_truth(&mut self, id: BoolId) -> bool {
        let q = self.q;
        match q.ir.bool(id) {
            Bool::NonEmpty(set) => self.set(*set) != 0,
            Bool::And(ids) => self.silent_all(ids),
            Bool::Count(count) => self.counts(count),
            Bool::IfOnly(test, _) if !self.has_signs_of(*test) => true,
            _ => self.truth(id),
        }
    }

    /// False if this position lacks the signs that a condition needs.
    #[inline(always)] // two lookups that save a call
    fn has_signs_of(&self, id: BoolId) -> bool {
        match self.q.plan.signs(id) {
            0 => true,
            signs => self.positions.signs(self.at) & signs != 0,
        }
    }

    fn counts(&mut self, count: &Count) -> bool {
        let pieces = self.pieces(count.pieces) & count.squares;
        super::numbers::holds(count.op, &i64::from(pieces.count_ones()), &count.n)
    }

    fn silent_all(&mut self, ids: &[BoolId]) -> bool {
        ids.iter().all(|&id| self.silent_truth(id))
    }

    fn condition(&mut self, id: BoolId) -> bool {
        let q = self.q;
        match q.ir.bool(id) {
            Bool::Const(value) => *value,
            Bool::And(ids) => self.may_have_line(id) && ids.iter().all(|&id| self.truth(id)),
            Bool::Or(ids) => ids.iter().any(|&id| self.truth(id)),
            Bool::Not(id) => !self.truth_without_remarks(*id),
            Bool::Flow(flow) => self.flow(flow),
            Bool::NonEmpty(set) => self.set(*set) != 0,
            Bool::Count(count) => self.counts(count),
            Bool::HasNum(num) => self.num(*num).is_some(),
            Bool::HasText(text) => self.has_text(*text),
            Bool::HasPlace(place) => self.place(*place).is_some(),
            Bool::Subset(a, b) => self.set(*a) & !self.set(*b) == 0,
            Bool::SetEq(a, b) => self.set(*a) == self.set(*b),
            Bool::Test(test) => self.test(*test),
            Bool::ToMove(side) => (self.board().turn() == Color::White) == (*side == Side::White),
            Bool::Any {
                var,
                is_piece,
                set,
                body,
                all,
            } => self.any(*var, *is_piece, *set, *body, *all),
            Bool::IfOnly(test, then) => !self.truth(*test) || self.truth(*then),
            Bool::While(test, body) => self.while_loop(id, *test, *body),
            Bool::WhileMatch {
                text,
                pattern,
                body,
            } => self.while_match(*text, *pattern, *body),
            Bool::Loop(body) => self.repeat(id, *body),
            Bool::Assert(body, site) => self.assert(*body, *site),
            Bool::Move(id) => self.move_matches(*id),
            Bool::Dash(dash, target) => self.dash_matches(*dash, *target),
            Bool::Echo {
                quiet,
                source,
                target,
                all,
                body,
            } => self.echo(*quiet, *source, *target, *all, *body),
            Bool::Orbit(parts) => self.any_part(id, parts),
            other => self.relation(other),
        }
    }

    /// Conditions on two values.
    fn relation(&mut self, node: &'q Bool) -> bool {
        match node {
            Bool::Ancestor(a, b) => match (self.place(*a), self.place(*b)) {
                (Some(a), Some(b)) => self.positions.is_above(a, b),
                _ => false,
            },
            Bool::Equal(a, b) => self.key(*a) == self.key(*b),
            Bool::NumNe(a, b) => {
                matches!((self.num(*a), self.num(*b)), (Some(a), Some(b)) if a != b)
            }
            Bool::TextNe(a, b) => {
                matches!((self.text(*a), self.text(*b)), (Some(a), Some(b)) if a != b)
            }
            Bool::PlaceNe(a, b) => {
                matches!((self.place(*a), self.place(*b)), (Some(a), Some(b)) if a != b)
            }
            other => self.act(other),
        }
    }

    /// Conditions with effects or with input from outside the board.
    fn act(&mut self, node: &'q Bool) -> bool {
        match node {
            Bool::Assign(assign) => self.assign(*assign),
            Bool::AssignPiece(var, set) => self.assign_piece(*var, *set),
            Bool::AssignSlice(var, from, to, text) => self.assign_slice(*var, *from, *to, *text),
            Bool::Unbind(var) => self.unbind(*var),
            Bool::IsBound(var) => self.values[var.0 as usize] != Value::Unbound,
            Bool::Store(dict, key, value) => self.store(*dict, *key, *value),
            Bool::Forget(dict, key) => self.forget(*dict, *key),
            Bool::EachKey { dict, var, body } => self.each_key(*dict, *var, *body),
            Bool::Contains { text, part } => match (self.text(*part), self.text(*text)) {
                (Some(part), Some(text)) => {
                    self.spend_on(&text);
                    text.contains(&*part)
                }
                _ => false,
            },
            Bool::Comment(parts) => self.comment(parts),
            Bool::Message { quiet, parts } => self.message(*quiet, parts),
            Bool::Result(result) => *self.tags.result == **result,
            Bool::HasNag(nag) => self.has_nag(*nag),
            Bool::SetTag(name, value) => self.set_tag(name, *value),
            Bool::RemoveTag(name) => self.remove_tag(name),
            Bool::RemoveComment => self.remove_comment(),
            Bool::WriteFile(name, text) => self.write_file(*name, *text),
            Bool::OutputFile(name) => self.output_file(*name),
            Bool::Similar { file, transforms } => self.similar(file, *transforms),
            _ => false,
        }
    }

    fn truth_without_remarks(&mut self, id: BoolId) -> bool {
        let mark = self.remarks.len();
        let holds = self.truth(id);
        self.remarks.truncate(mark);
        holds
    }

    /// True if a transform matches; all are tried if the filter has effects.
    fn any_part(&mut self, id: BoolId, parts: &'q [BoolId]) -> bool {
        if self.q.ir.bools.props(id.0).is_pure() {
            if let Some(index) = self.q.plan.orbit(id) {
                return self.any_indexed(index);
            }
            return self.passes_guard(id) && parts.iter().any(|&p| self.silent_truth(p));
        }
        let mut found = false;
        if !self.passes_guard(id) {
            return false;
        }
        for &part in parts {
            found |= self.truth(part);
        }
        found
    }

    /// False if no variant of a transform can match here.
    fn passes_guard(&mut self, id: BoolId) -> bool {
        let Some(guard) = self.q.plan.guard(id) else {
            return true;
        };
        let has_value = |var: &VarId| self.values[var.0 as usize] != Value::Unbound;
        // a variable without a value must be reported where it is really read
        !guard.reads.iter().all(has_value) || self.at_place(self.at, |m| m.truth(guard.holds))
    }

    /// False if a later part of a conjunction is a line that cannot match from here.
    fn may_have_line(&mut self, id: BoolId) -> bool {
        match self.q.plan.line_within(id) {
            Some(line) => self.may_match_line(line),
            None => true,
        }
    }

    /// Tries only the variants whose deciding piece is on the required square.
    fn any_indexed(&mut self, index: &'q OrbitIndex) -> bool {
        for (kind, by_square) in index.kinds() {
            for square in bits(self.kinds().one(*kind)) {
                for variant in by_square[square as usize].variants(self.kinds()) {
                    let fits = variant.fits(self.kinds());
                    if fits && (variant.is_whole || self.truth(variant.part)) {
                        return true;
                    }
                }
            }
        }
        false
    }

    pub(super) fn count_parts(&mut self, parts: &'q [BoolId]) -> i64 {
        parts.iter().filter(|&&p| self.truth(p)).count() as i64
    }

    /// Binds a variable to each square or piece of a set in turn.
    fn any(&mut self, var: VarId, is_piece: bool, set: SetId, body: BoolId, all: bool) -> bool {
        let stop_early = self.q.planned && self.q.ir.bools.props(body.0).is_pure();
        let mut found = all;
        self.each(var, is_piece, set, body, all, |_, holds| {
            if all && !holds {
                found = false;
                return false;
            }
            found |= holds;
            all || !holds || !stop_early
        });
        found
    }

    /// The pieces on these squares that pass all tests of where they stand.
    fn tested_pieces(&mut self, squares: u64, tests: &[PieceTest]) -> u64 {
        let mut found = squares & self.numbered_pieces();
        for test in tests {
            let (a, b) = (self.spot(test.a), test.b.map(|b| self.spot(b)));
            let Some(here) = self.positions.pieces.get(self.at as usize) else {
                return 0;
            };
            let table = |at: Option<u32>| {
                let pieces = at.and_then(|at| self.positions.pieces.get(at as usize));
                pieces.unwrap_or(&Pieces::NONE)
            };
            let (a, b) = (table(a), b.map(table));
            if let (Spot::Here, Some(b)) = (test.a, b) {
                // a piece stands on the same square if that holds the same piece
                let changed = here.changed_squares(b);
                found &= if test.negated { changed } else { !changed };
                continue;
            }
            for from in bits(found) {
                let piece = here.on(from as u8);
                let stands = a.square(piece);
                let holds = match b {
                    Some(b) => stands == b.square(piece),
                    None => stands < 64,
                };
                found &= !(u64::from(holds == test.negated) << from);
            }
        }
        found
    }

    /// The squares of pieces with a number; dropped and imagined pieces have none.
    fn numbered_pieces(&self) -> u64 {
        let board = self.board();
        let occupied = u64::from(board.occupied());
        if board.variant() == Variant::Standard && !self.positions.is_imagined(self.at) {
            return occupied;
        }
        let is_numbered = |&square: &u32| self.piece_on(square) != NO_PIECE;
        bits(occupied)
            .filter(is_numbered)
            .fold(0, |all, square| all | 1 << square)
    }

    fn spot(&mut self, spot: Spot) -> Option<u32> {
        match spot {
            Spot::Here => Some(self.at),
            Spot::At(place) => self.place(place),
        }
    }

    /// The squares that a restriction of a loop leaves.
    fn restricted(&mut self, restriction: &'q Restriction) -> u64 {
        match restriction {
            Restriction::Mover => self.movers(),
            Restriction::Move(dash, target) => {
                if self.may_move(*dash, *target) {
                    !0
                } else {
                    0
                }
            }
            Restriction::Apart { from, by_square } => {
                let from = self.set(*from);
                bits(from).fold(0, |all, square| all | by_square[square as usize])
            }
        }
    }

    /// The squares of pieces that a move from here moves; all after a drop.
    fn movers(&self) -> u64 {
        self.positions.children(self.at).fold(0, |all, to| {
            let step = self.positions.step(to);
            match step.from {
                64.. => !0,
                from => all | bit(from) | step.rook.map_or(0, |(rook, _)| bit(rook)),
            }
        })
    }

    /// The squares of a set that a loop tries.
    fn tried_squares(&mut self, var: VarId, set: SetId, body: BoolId, all: bool) -> u64 {
        let squares = self.set(set);
        match self.q.plan.restriction(var, body) {
            Some(restriction) if !all => squares & self.restricted(restriction),
            _ => squares,
        }
    }

    /// The squares of a set for which a condition holds.
    pub(super) fn satisfying(
        &mut self,
        var: VarId,
        is_piece: bool,
        set: SetId,
        body: BoolId,
    ) -> u64 {
        if let Some(tests) = self.q.plan.piece_tests(var, body) {
            let squares = self.tried_squares(var, set, body, false);
            self.spend(u64::from(squares.count_ones()));
            return self.tested_pieces(squares, tests);
        }
        let mut found = 0;
        self.each(var, is_piece, set, body, false, |square, holds| {
            found |= if holds { 1 << square } else { 0 };
            true
        });
        found
    }

    /// Calls `f` for each square with the truth of the body, until it returns false; with `all`
    /// every square is tried.
    pub(super) fn each(
        &mut self,
        var: VarId,
        is_piece: bool,
        set: SetId,
        body: BoolId,
        all: bool,
        mut f: impl FnMut(u32, bool) -> bool,
    ) {
        let squares = self.tried_squares(var, set, body, all);
        if let Some(tests) = self.q.plan.piece_tests(var, body) {
            self.spend(u64::from(squares.count_ones()));
            let found = self.tested_pieces(squares, tests);
            for square in bits(squares & self.numbered_pieces()) {
                if !f(square, found >> square & 1 != 0) {
                    break;
                }
            }
            return;
        }
        let slot = var.0 as usize;
        let old = std::mem::replace(&mut self.values[slot], Value::Unbound);
        let code = self.q.plan.statement(body);
        for square in bits(squares) {
            if is_piece {
                match self.piece_on(square) {
                    NO_PIECE => continue,
                    piece => self.bind_piece(var, piece),
                };
            } else {
                self.bind_set(var, bit(square as u8));
            }
            let holds = match code {
                Some(code) => self.run_code(code).is_some(),
                None => self.truth(body),
            };
            if !f(square, holds) || self.steps == 0 {
                break;
            }
        }
        self.values[slot] = old;
    }

    pub(super) fn piece_on(&self, square: u32) -> u8 {
        self.positions
            .pieces
            .get(self.at as usize)
            .map_or(NO_PIECE, |pieces| pieces.on(square as u8))
    }

    // --- loops ---

    fn while_loop(&mut self, id: BoolId, test: BoolId, body: BoolId) -> bool {
        if let Some(code) = self.q.plan.statement(id) {
            self.run_code(code);
            return true;
        }
        while self.truth(test) && self.steps > 0 {
            self.truth(body);
        }
        true
    }

    fn repeat(&mut self, id: BoolId, body: BoolId) -> bool {
        if let Some(code) = self.q.plan.statement(id) {
            return self.run_code(code).is_some();
        }
        let mut once = false;
        while self.truth(body) && self.steps > 0 {
            once = true;
        }
        once
    }

    fn assert(&mut self, body: BoolId, site: u32) -> bool {
        let holds = self.truth(body);
        if !holds && self.result.failed_assert.is_none() {
            self.result.failed_assert = Some(self.q.asserts[site as usize]);
        }
        holds
    }

    // --- conditions without operands ---

    pub(super) fn test(&mut self, test: Test) -> bool {
        match test {
            Test::Check => self.board().is_check(),
            Test::Mate => !self.goes_on() && self.board().is_checkmate(),
            Test::Stalemate => !self.goes_on() && self.board().is_stalemate(),
            Test::LegalPosition => self.legal_position(),
            _ => self.tree_test(test),
        }
    }

    /// True if a move is played from here, so that it is neither mate nor stalemate.
    #[inline]
    fn goes_on(&self) -> bool {
        let (positions, at) = (&self.positions, self.at);
        self.q.planned
            && at + 1 < positions.real()
            && !positions.is_terminal(at)
            && !positions.is_null_move(at + 1)
    }

    /// Conditions about the path to a position.
    fn tree_test(&mut self, test: Test) -> bool {
        let (positions, at) = (&self.positions, self.at);
        let step = || positions.step(at);
        match test {
            Test::Check | Test::Mate | Test::Stalemate | Test::LegalPosition => false,
            Test::Initial => at == 0,
            Test::Terminal => positions.is_terminal(at),
            Test::Mainline => positions.depth(at) == 0,
            Test::VirtualMainline => !self.way_has(|m, at| m.is_white_variation(at)),
            Test::VirtualMainline62 => {
                !self.way_has(|m, at| m.is_white_variation(at) || m.positions.is_null_move(at))
            }
            Test::Primary => at != 0 && !positions.is_secondary(at),
            Test::Secondary => positions.is_secondary(at),
            Test::Castle => step().rook.is_some(),
            Test::ShortCastle => step().rook.is_some() && !step().long,
            Test::LongCastle => step().rook.is_some() && step().long,
            Test::EnPassant => step().en_passant,
            Test::NullMove => positions.is_null_move(at),
            Test::Try => {
                self.way(at)
                    .filter(|&at| self.is_white_variation(at))
                    .count()
                    == 1
            }
            Test::Cooked => self.tags.cooked,
            Test::ReachablePosition => self.reachable_position(),
            Test::VariantEnd => self.variant_outcome().is_some(),
            Test::VariantWin => self.variant_outcome() == Some(Some(self.board().turn())),
            Test::VariantLoss => self.variant_outcome() == Some(Some(!self.board().turn())),
            Test::VariantDraw => self.variant_outcome() == Some(None),
        }
    }

    /// The positions from here up to the initial one, exclusive.
    fn way(&self, at: u32) -> impl Iterator<Item = u32> + '_ {
        self.positions.ancestors(at).take_while(|&p| p != 0)
    }

    fn way_has(&self, f: impl Fn(&Self, u32) -> bool) -> bool {
        self.way(self.at).any(|at| f(self, at))
    }

    /// True if the move to the position was a secondary move by White.
    fn is_white_variation(&self, at: u32) -> bool {
        self.positions.is_secondary(at) && self.positions.board(at).turn() == Color::Black
    }

    /// The winner of a game that ended by a rule of its variant, if any.
    fn variant_outcome(&self) -> Option<Option<Color>> {
        let board = self.board();
        let outcome = board.outcome()?;
        (outcome.termination == chess::Termination::Variant).then_some(outcome.winner)
    }
}
