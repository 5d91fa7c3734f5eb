//! The witnesses of a line or path in a game, found before the game is loaded.

use super::Matcher;
use crate::Query;
use crate::plan::{Witness, WitnessPlace};
use crate::positions::Positions;
use chess::pgn::Game;

/// The witnesses of one game.
#[derive(Default)]
pub(super) struct Witnesses {
    /// By position: whether the condition holds there.
    hold: Vec<bool>,
    /// By position: the one before it, and the number of consecutive witnesses that end there.
    rows: Vec<(u32, u32)>,
    count: u32,
    longest: u32,
}

impl Witnesses {
    fn clear(&mut self) {
        self.hold.clear();
        self.rows.clear();
        (self.count, self.longest) = (0, 0);
    }

    fn note(&mut self, witness: &Witness, above: u32, holds: bool) {
        let before = if witness.every_second {
            self.rows.get(above as usize).map(|&(above, _)| above)
        } else {
            Some(above)
        };
        let before = before.and_then(|before| self.rows.get(before as usize));
        // the initial position counts as its own predecessor, which only lengthens rows
        let row = if holds {
            before.map_or(0, |&(_, row)| row) + 1
        } else {
            0
        };
        self.hold.push(holds);
        self.rows.push((above, row));
        self.count += u32::from(holds);
        self.longest = self.longest.max(row);
    }

    /// False if a witness is missing for a match at this position.
    #[inline]
    pub fn are_by(&self, q: &Query, positions: &Positions, at: u32) -> bool {
        let holds = |at: u32| self.hold.get(at as usize).is_none_or(|&holds| holds);
        match q.plan.witness.map(|witness| witness.place) {
            None | Some(WitnessPlace::Anywhere) => true,
            Some(WitnessPlace::There) => holds(at),
            Some(WitnessPlace::Below) => positions.children(at).any(holds),
        }
    }
}

impl Matcher<'_> {
    /// False if the game has too few witnesses, or too few in a row, for the query to match.
    pub(super) fn has_witnesses(&mut self, game: &Game) -> bool {
        let Some(witness) = self.q.plan.witness else {
            return true;
        };
        self.witnesses.clear();
        if self.wants_unmatched() {
            return true;
        }
        self.roll_over(game, |m, at| {
            let holds = m.truth(witness.holds);
            m.witnesses.note(&witness, at.above, holds);
        });
        let found = &self.witnesses;
        let enough = found.count >= witness.at_least && found.longest >= witness.in_a_row;
        if enough || self.steps == 0 {
            self.load_header(game, self.game_number);
            return true;
        }
        false
    }
}
