//! One component of a sum as entered: its ruleset, whether it is impartial, and its position.

use crate::interrupt::GaveUp;
use crate::interrupt::Interrupt;
use crate::rules::{Complaint, Flow, Move, RULESETS, Ruleset, ruleset};
use crate::value::Player;
use std::ops::ControlFlow;

/// The rules of a component.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Kind {
    /// Index into [`RULESETS`].
    ruleset: u8,
    /// Both players may make both players' moves.
    impartial: bool,
}

impl Kind {
    /// Finds a kind by its section name, such as `clobber` or `impartial clobber`; case is ignored.
    pub fn named(name: &str) -> Option<Kind> {
        let name = name.to_ascii_lowercase();
        let (name, impartial) = match name.strip_prefix("impartial ") {
            Some(inner) => (inner.trim_start(), true),
            None => (name.as_str(), false),
        };
        let (index, rules) = ruleset(name)?;
        // Rules that are impartial already need no wrapping.
        Some(Kind {
            ruleset: u8::try_from(index).ok()?,
            impartial: impartial && !rules.is_impartial(),
        })
    }

    /// Encodes the kind as a number.
    #[inline]
    pub(crate) fn code(self) -> u16 {
        u16::from(self.ruleset) << 1 | u16::from(self.impartial)
    }

    /// Decodes the number of [`Kind::code`].
    #[inline]
    pub(crate) fn of_code(code: u16) -> Kind {
        Kind {
            ruleset: (code >> 1) as u8,
            impartial: code & 1 == 1,
        }
    }

    /// The rules of the kind.
    #[inline]
    pub fn rules(self) -> &'static dyn Ruleset {
        let rules = RULESETS[usize::from(self.ruleset)];
        if self.impartial {
            rules.impartial().unwrap_or(rules)
        } else {
            rules
        }
    }

    /// The section name.
    pub fn name(self) -> String {
        format!(
            "{}{}",
            if self.impartial { "impartial " } else { "" },
            self.rules().name()
        )
    }

    /// Both players may make both players' moves, although the rules are partisan.
    pub fn is_wrapped(self) -> bool {
        self.impartial
    }

    /// Both players always have the same moves.
    pub fn is_impartial(self) -> bool {
        self.impartial || self.rules().is_impartial()
    }

    /// The players whose moves this player may make.
    pub(crate) fn movers(self, player: Player) -> &'static [Player] {
        match (self.impartial, player) {
            (true, _) => &Player::BOTH,
            (false, Player::Left) => &[Player::Left],
            (false, Player::Right) => &[Player::Right],
        }
    }
}

/// One component of a sum, as entered.
///
/// ```
/// use gametree_sums::{Game, value::Player};
/// let game = Game::parse("clobber_1xn", "XXO")?;
/// let moves = game.moves(Player::Left);
/// assert_eq!(moves[0].text, "2-3");
/// assert_eq!(moves[0].result.to_string(), "clobber_1xn X.X");
/// # Ok::<(), gametree_sums::rules::Complaint>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Game {
    /// The rules.
    pub kind: Kind,
    /// The position, as bytes in the encoding of the rules.
    pub position: Vec<u8>,
}

/// A move of a [`Game`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameMove {
    /// The move as printed and typed.
    pub text: String,
    /// The game after the move.
    pub result: Game,
}

impl Game {
    /// Reads a position of the game with this section name.
    pub fn parse(name: &str, text: &str) -> Result<Game, Complaint> {
        let kind = Kind::named(name)
            .ok_or_else(|| Complaint::new(0..0, format!("unknown game '{name}'")))?;
        Game::read(kind, text)
    }

    /// Reads a position.
    pub fn read(kind: Kind, text: &str) -> Result<Game, Complaint> {
        Ok(Game {
            kind,
            position: kind.rules().parse(text)?,
        })
    }

    /// Reads a position that was written by a solver or a database.
    pub(crate) fn read_stored(kind: Kind, text: &str) -> Result<Game, Complaint> {
        Ok(Game {
            kind,
            position: kind.rules().parse_stored(text)?,
        })
    }

    /// Lists the moves of a player, sorted by text, without duplicates.
    pub fn moves(&self, player: Player) -> Vec<GameMove> {
        // This interrupt is never due, so the list is complete.
        self.moves_until(player, &Interrupt::never())
            .unwrap_or_default()
    }

    /// Lists the moves like [`Game::moves`], but gives up when the interrupt is due.
    pub fn moves_until(
        &self,
        player: Player,
        interrupt: &Interrupt,
    ) -> Result<Vec<GameMove>, GaveUp> {
        let mut moves = Vec::new();
        let mut checked = Ok(());
        let _ = self.each_move(player, &mut |mover, mv, next| {
            checked = interrupt.check();
            if checked.is_err() {
                return ControlFlow::Break(());
            }
            let text = self.kind.rules().print_move(&self.position, mover, mv);
            moves.push(GameMove {
                text,
                result: Game {
                    kind: self.kind,
                    position: next.to_vec(),
                },
            });
            ControlFlow::Continue(())
        });
        checked?;
        moves.sort_by(|a, b| (&a.text, &a.result).cmp(&(&b.text, &b.result)));
        moves.dedup();
        Ok(moves)
    }

    /// Returns true if the player has a move.
    pub fn can_move(&self, player: Player) -> bool {
        self.each_move(player, &mut |_, _, _| ControlFlow::Break(()))
            .is_break()
    }

    /// Visits each move of a player: the player whose move it is, the move, and the result.
    pub(crate) fn each_move(
        &self,
        player: Player,
        visit: &mut dyn FnMut(Player, Move, &[u8]) -> Flow,
    ) -> Flow {
        let (kind, position) = (self.kind, &self.position);
        kind.movers(player).iter().try_for_each(|&mover| {
            kind.rules()
                .moves(position, mover, &mut |mv, next| visit(mover, mv, next))
        })
    }

    /// The same game with the players exchanged.
    #[must_use]
    pub fn negative(&self) -> Game {
        Game {
            kind: self.kind,
            position: self.kind.rules().negative(&self.position),
        }
    }

    /// The text of the position, without the name of the game.
    pub fn text(&self) -> String {
        self.kind.rules().print(&self.position)
    }
}

impl std::fmt::Display for Game {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.kind.name(), self.text())
    }
}
