//! Pure, model and ideal mates and stalemates, and the pieces that take part in them.
//!
//! A mate is *pure* if every square around the king is denied exactly once: by one guard, or by its
//! own unguarded man. It is a *model* mate if all officers of the winner take part, *ideal* if all
//! men of both sides do.

use super::Matcher;
use super::sets::{attackers, between};
use crate::ast::PinPart;
use crate::ir::MateKind;
use crate::symmetry::bits;
use chess::{Bitboard, Board, Role, Square, attacks};

impl Matcher<'_> {
    /// The men that take part; none if it is not such a mate.
    pub(super) fn mate_participants(&mut self, kind: MateKind) -> u64 {
        let board = self.board();
        let ended = if kind.stalemate {
            board.is_stalemate()
        } else {
            board.is_checkmate()
        };
        let Some(scene) = ended.then(|| Scene::new(board)).flatten() else {
            return 0;
        };
        if kind.stalemate {
            scene.stalemate(kind.degree)
        } else {
            scene.mate(kind.degree)
        }
    }
}

struct Scene<'b> {
    board: &'b Board,
    king: u64,
    /// The men of the side that is mated, and of the other.
    ours: u64,
    theirs: u64,
    /// The squares around the king.
    field: u64,
    checkers: u64,
    /// Men that alone stand between a king and an enemy slider.
    pinned: u64,
    /// Target squares of our men, ignoring checks.
    moves: Vec<(u32, u32, bool)>,
}

impl<'b> Scene<'b> {
    fn new(board: &'b Board) -> Option<Scene<'b>> {
        let turn = board.turn();
        let square = board.king_of(turn)?;
        let king = 1 << u32::from(square);
        let theirs = u64::from(board.by_color(!turn));
        let moves = board.pseudo_legal_moves();
        let moves = moves.into_iter().filter_map(|m| {
            let (from, to) = (m.from()?, m.destination()?);
            Some((
                u32::from(from),
                u32::from(to),
                m.kind() == chess::MoveKind::EnPassant,
            ))
        });
        Some(Scene {
            board,
            king,
            ours: board.by_color(turn).into(),
            theirs,
            field: attacks::king_attacks(square).into(),
            checkers: attackers(board, theirs, king),
            pinned: super::sets::pin_squares(board, !0, !0, kings(board), PinPart::Through),
            moves: moves.collect(),
        })
    }

    // --- mates ---

    fn mate(&self, degree: u8) -> u64 {
        let pure =
            self.flights_guarded_once() && self.blockers_unguarded() && self.checkers_needed();
        let (winners, losers) = (self.winners_taking_part(), self.losers_taking_part());
        let enough = match degree {
            0 => true,
            1 => self.officers() & !winners == 0,
            _ => winners == self.theirs && losers == self.ours,
        };
        if pure && enough { winners | losers } else { 0 }
    }

    /// Their queens, rooks, bishops and knights.
    fn officers(&self) -> u64 {
        let plain = self.board.by_role(Role::Pawn) | self.board.by_role(Role::King);
        self.theirs & !u64::from(plain)
    }

    /// Their men that guard a square of the field, also through the king.
    fn guards(&self, square: u32) -> u32 {
        let occupied = u64::from(self.board.occupied()) & !self.king;
        let (turn, square) = (self.board.turn(), Square::new(square));
        let direct = self.board.attackers(square, !turn, self.board.occupied());
        let through = self.board.attackers(square, !turn, Bitboard(occupied));
        (direct | through).count() as u32
    }

    fn flights_guarded_once(&self) -> bool {
        bits(self.field & !self.ours).all(|square| self.guards(square) == 1)
    }

    /// A man beside its king is unguarded, or pinned and guarded once where it could otherwise
    /// answer the check.
    fn blockers_unguarded(&self) -> bool {
        let answers = self.checkers | between(self.checkers, self.king);
        bits(self.field & self.ours).all(|blocker| match self.guards(blocker) {
            0 => true,
            1 if self.checkers.count_ones() == 1 => {
                let answering = self.moves.iter().any(|&(from, to, passing)| {
                    from == blocker && (answers & 1 << to != 0 || passing)
                });
                self.pinned & 1 << blocker != 0 && answering
            }
            _ => false,
        })
    }

    /// In a double check, each checker prevents the refutation of the other.
    fn checkers_needed(&self) -> bool {
        if self.checkers.count_ones() < 2 {
            return true;
        }
        let free = self.ours & !self.pinned & !self.king;
        bits(self.checkers).all(|checker| {
            let other = self.checkers & !(1 << checker);
            attackers(self.board, free, other | between(other, self.king)) != 0
        })
    }

    /// The squares where a move would refute the mate if it were possible.
    fn refuting_squares(&self) -> u64 {
        let their_king = u64::from(self.board.by_role(Role::King)) & self.theirs;
        their_king | self.checkers | between(self.checkers, self.king)
    }

    fn refuters(&self) -> u64 {
        let squares = self.refuting_squares();
        let able = self
            .moves
            .iter()
            .filter(|(_, to, _)| squares & 1 << to != 0);
        able.fold(0, |all, (from, ..)| all | 1 << from)
    }

    fn winners_taking_part(&self) -> u64 {
        let mut part = self.checkers
            | attackers(self.board, self.theirs, self.field)
            | self.pinned & self.theirs;
        if self.checkers.count_ones() == 1 {
            let refuters = self.refuters();
            part |= super::sets::pin_squares(
                self.board,
                self.theirs,
                refuters,
                kings(self.board),
                PinPart::From,
            );
            part |= self.screens(refuters, self.theirs, self.refuting_squares());
        }
        part & self.theirs
    }

    fn losers_taking_part(&self) -> u64 {
        let their_king = u64::from(self.board.by_role(Role::King)) & self.theirs;
        let mut part =
            self.king | self.field & self.ours | self.screens(self.ours, self.ours, their_king);
        if self.checkers.count_ones() == 1 {
            part |= self.screens(self.ours, self.ours, self.refuting_squares());
        }
        part & self.ours
    }

    /// Men of `middle` on the line from a slider of `from` to a square of `to`.
    fn screens(&self, from: u64, middle: u64, to: u64) -> u64 {
        bits(middle & u64::from(self.board.occupied()))
            .filter(|&screen| super::sets::shoots_through(self.board, from, 1 << screen, to))
            .fold(0, |all, screen| all | 1 << screen)
    }

    // --- stalemates ---

    fn stalemate(&self, degree: u8) -> u64 {
        let guards = |square: u32| attackers(self.board, self.theirs, 1 << square).count_ones();
        let flights = bits(self.field & !self.ours).all(|s| guards(s) == 1);
        let blockers =
            bits(self.field & self.ours).all(|s| guards(s) == u32::from(self.pinned & 1 << s != 0));
        let pinners = super::sets::pin_squares(
            self.board,
            self.theirs,
            !0,
            kings(self.board),
            PinPart::From,
        );
        let winners =
            self.pinned & self.theirs | pinners | attackers(self.board, self.theirs, self.field);
        let enough = match degree {
            0 => true,
            1 => self.officers() & !winners == 0,
            _ => winners == self.theirs,
        };
        if flights && blockers && enough {
            winners | self.ours
        } else {
            0
        }
    }
}

fn kings(board: &Board) -> u64 {
    board.by_role(Role::King).into()
}
