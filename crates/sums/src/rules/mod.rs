//! The games: one file each, with rules, text form, splitting, symmetry and tests.
//!
//! A position is a sequence of bytes in the encoding of its ruleset; two positions are equal if
//! their bytes are equal. So positions can be interned, hashed and stored without knowing the game.
//! To add a game, write one file with a type that implements [`Ruleset`], and add one line to
//! `games!` below; `docs/add-a-game.md` shows how.

mod cells;
mod graph;
mod grid;
mod heaps;
mod numbers;
mod packed;
mod strip;
mod strips;

pub(crate) use gen_king_dirt::KingDirtParts;
pub(crate) use grid::Grid;
pub use grid::column_name;
pub use packed::Packed;
pub(crate) use strips::{StripBounds, StripSums};

use crate::interrupt::Interrupt;
use crate::value::{Dyadic, Nus, Player};
use std::ops::{ControlFlow, Range};

/// Declares the file of each game, and lists their rules.
macro_rules! games {
    ($($file:ident :: $rules:ident),* $(,)?) => {
        $(mod $file;)*

        /// All games, in the order of the guide.
        pub static RULESETS: &[&dyn Ruleset] = &[$(&$file::$rules),*];
    };
}

games! {
    clobber_1xn::Clobber1xn,
    nogo_1xn::Nogo1xn,
    elephants::ELEPHANTS,
    toppling_dominoes::TopplingDominoes,
    gen_toads::GEN_TOADS,
    clobber::Clobber,
    cannibal_clobber::CannibalClobber,
    nogo::Nogo,
    amazons::Amazons,
    gen_king_dirt::GenKingDirt,
    domineering::Domineering,
    fission::Fission,
    sheep::Sheep,
    integer_game::IntegerGame,
    dyadic_rational::DyadicRational,
    switch_game::SwitchGame,
    up_star::UpStar,
    nimber::Nimber,
    kayles::Kayles,
    explicit::Explicit,
    col::Col,
    snort::Snort,
    hackenbush::Hackenbush,
    octal::Octal,
}

/// A move in a position, in the encoding of the ruleset.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move(pub u64);

impl Move {
    /// Packs up to three small numbers, 21 bits each.
    pub(crate) fn of(parts: [usize; 3]) -> Move {
        let [a, b, c] = parts.map(|part| part as u64 & 0x1f_ffff);
        Move(a | b << 21 | c << 42)
    }

    /// Unpacks the numbers of [`Move::of`].
    pub(crate) fn parts(self) -> [usize; 3] {
        [0, 21, 42].map(|shift| (self.0 >> shift & 0x1f_ffff) as usize)
    }
}

/// An error in the text of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Complaint {
    /// The byte range within the text of the position.
    pub span: Range<usize>,
    /// The error and the expected text.
    pub message: String,
}

impl Complaint {
    pub(crate) fn new(span: Range<usize>, message: impl Into<String>) -> Complaint {
        Complaint {
            span,
            message: message.into(),
        }
    }
}

impl std::fmt::Display for Complaint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Complaint {}

/// The maximum number of cells of a strip or a board: far more than can be searched.
pub(crate) const LARGEST_BOARD: usize = 1 << 16;

/// The maximum length of the text of a position in bytes.
pub(crate) const LONGEST_TEXT: usize = 1 << 20;

/// The result of a visitor: continue, or stop the iteration.
pub type Flow = ControlFlow<()>;

/// Called with each move and the position it leads to.
pub type MoveVisitor<'a> = dyn FnMut(Move, &[u8]) -> Flow + 'a;

/// Called with each independent part of a position.
pub type PartVisitor<'a> = dyn FnMut(&[u8]) -> Flow + 'a;

/// Moves are counted at least up to this number by [`Ruleset::mobility`].
pub const MOST_COUNTED: usize = 1 << 16;

/// What a player gets at least: the game is worth at least a number to this player, as far as its
/// stop is concerned, with one of the players moving first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Guarantee {
    /// The number in eighths.
    pub eighths: i32,
    /// The player who gets this number also makes the last move before it: the player wins the
    /// difference of the game and the number.
    pub is_last: bool,
}

impl Guarantee {
    pub(crate) fn new(eighths: i32, is_last: bool) -> Guarantee {
        Guarantee { eighths, is_last }
    }

    /// The guarantee in the sum of the game and a number of eighths.
    pub(crate) fn plus(self, eighths: i32) -> Guarantee {
        Guarantee::new(self.eighths + eighths, self.is_last)
    }

    /// The player wins the game.
    pub(crate) fn is_win(self) -> bool {
        self.eighths > 0 || self.eighths == 0 && self.is_last
    }
}

/// The rules of one game.
///
/// A single call must not take more than a few milliseconds, even on the largest position that
/// [`Ruleset::parse`] accepts: only the result of a visitor interrupts it.
///
/// All positions passed to these methods come from the same ruleset: from `parse`, `moves`,
/// `split`, `normalise` or `negative`. A ruleset has no state and may be used by many threads.
pub trait Ruleset: Sync {
    /// The section name, as in `[clobber_1xn]`.
    fn name(&self) -> &'static str;

    /// One line for the help: the text form and the rules.
    fn summary(&self) -> &'static str;

    /// Reads a position.
    fn parse(&self, text: &str) -> Result<Vec<u8>, Complaint>;

    /// Reads a position that [`Ruleset::print`] wrote. It may be a normal form, which can contain
    /// marks that users cannot type.
    fn parse_stored(&self, text: &str) -> Result<Vec<u8>, Complaint> {
        self.parse(text)
    }

    /// Writes a position as [`Ruleset::parse_stored`] reads it.
    fn print(&self, position: &[u8]) -> String;

    /// A lower bound on the length of the text: positions longer than all in a database are not
    /// printed.
    fn text_length(&self, _position: &[u8]) -> usize {
        0
    }

    /// Visits every move of `player` with the position it leads to, until the visitor breaks.
    fn moves(&self, position: &[u8], player: Player, visit: &mut MoveVisitor<'_>) -> Flow;

    /// The number of moves of each player, counted up to [`MOST_COUNTED`] at least.
    fn mobility(&self, position: &[u8]) -> [usize; 2] {
        Player::BOTH.map(|player| {
            let mut count = 0;
            let _ = self.moves(position, player, &mut |_, _| {
                count += 1;
                if count < MOST_COUNTED {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            });
            count
        })
    }

    /// The position in one word, if these rules have such a form: for searches of many positions.
    fn packed(&self, _position: &[u8]) -> Option<(Packed, u64)> {
        None
    }

    /// Writes a move of `player` in this position, as users type it.
    fn print_move(&self, position: &[u8], player: Player, mv: Move) -> String;

    /// The same game with the players exchanged.
    fn negative(&self, position: &[u8]) -> Vec<u8>;

    /// The letters of boards, for games played on rows of letters.
    fn letters(&self) -> Option<&'static str> {
        None
    }

    /// The letters of the even and the odd cells of the starting board, for games whose starting
    /// board is determined by a size such as `4x5`.
    fn opening(&self) -> Option<[char; 2]> {
        None
    }

    /// Returns true if both players always have the same moves.
    fn is_impartial(&self) -> bool {
        false
    }

    /// Rules for the impartial version, if these rules do not apply to it: if they split a position
    /// into parts that equal it in value, but not move by move.
    fn impartial(&self) -> Option<&'static dyn Ruleset> {
        None
    }

    /// Visits independent parts whose sum equals this position, until the visitor breaks; parts
    /// without moves are left out.
    ///
    /// The parts must be equal to the position move by move, not only in value, so that the
    /// splitting also holds for the impartial version, unless [`Ruleset::impartial`] gives rules
    /// that split so.
    fn split(&self, position: &[u8], part: &mut PartVisitor<'_>) -> Flow {
        part(position)
    }

    /// Replaces the position by a representative of all that are symmetric to it.
    fn normalise(&self, _position: &mut Vec<u8>) {}

    /// Normalises a position of the impartial version, where the players can be exchanged too.
    fn normalise_impartial(&self, position: &mut Vec<u8>) {
        let mut negative = self.negative(position);
        self.normalise(&mut negative);
        self.normalise(position);
        if negative < *position {
            *position = negative;
        }
    }

    /// The value, if a closed form gives it before the interrupt is due.
    fn known_value(&self, _position: &[u8], _interrupt: &Interrupt) -> Option<Nus> {
        None
    }

    /// The nim value of the impartial version, if a closed form gives it before the interrupt is
    /// due.
    fn known_nim_value(&self, _position: &[u8], _interrupt: &Interrupt) -> Option<u64> {
        None
    }

    /// Integers `(low, high)` with `low ≤ G ≤ high`, if they are cheap to compute; `mobility` is
    /// the number of moves of each player.
    fn bounds(&self, _position: &[u8], _mobility: [usize; 2]) -> Option<(i64, i64)> {
        None
    }

    /// Returns true if [`Ruleset::known_value`] is where the bounds meet: then the solver computes
    /// the bounds once for each normal form, and not the value of each part.
    fn is_value_by_bounds(&self) -> bool {
        false
    }

    /// What Left and Right can guarantee, each as second and as first player, if that is cheap to
    /// compute. For Right the numbers are negated.
    fn guarantees(&self, _position: &[u8]) -> Option<[[Guarantee; 2]; 2]> {
        None
    }

    /// Returns true if a look one move ahead, much cheaper than a search, shows that the player has
    /// a move after which the opponent, to move, loses.
    fn has_winning_move(&self, _position: &[u8], _player: Player) -> bool {
        false
    }

    /// Returns true if the game is all-small: in every position where one player cannot move,
    /// neither can the other.
    fn is_all_small(&self) -> bool {
        false
    }

    /// An estimate of the effort to prove that a player loses a position with this many moves. In
    /// most games a position with many moves has many moves after each, so the effort grows faster
    /// than their number.
    fn effort(&self, moves: u32) -> u32 {
        if self.is_all_small() {
            moves
        } else {
            moves.saturating_mul(moves.isqrt())
        }
    }

    /// Returns true if the same parts seldom recur in a position: then the value of a large position
    /// usually takes longer than the search for the winner.
    fn seldom_recurs(&self) -> bool {
        false
    }

    /// The size of the position: an approximate upper bound on the number of remaining moves. Small
    /// positions are evaluated, large ones are searched.
    fn size(&self, position: &[u8]) -> usize;
}

/// An integer as a value.
pub(crate) fn integer(n: i64) -> Nus {
    Nus::number(Dyadic::integer(n))
}

/// Reads `p` or `p/q` where `q` is a power of two.
pub(crate) fn parse_number(text: &str) -> Result<Dyadic, Complaint> {
    numbers::parse_number(text, 0)
}

/// The ruleset of this name, and its index in [`RULESETS`].
pub fn ruleset(name: &str) -> Option<(usize, &'static dyn Ruleset)> {
    let (index, rules) = RULESETS
        .iter()
        .enumerate()
        .find(|(_, rules)| rules.name() == name)?;
    Some((index, *rules))
}

/// The message for an unknown name.
pub(crate) fn unknown_game(name: &str) -> String {
    let wanted = name.to_ascii_lowercase();
    let wanted = wanted.trim_start_matches("impartial ");
    let names: Vec<&str> = RULESETS.iter().map(|rules| rules.name()).collect();
    let apart = |known: &&str| match strsim::levenshtein(wanted, known) {
        far if far > 1 && wanted.len() > 2 && known.contains(wanted) => 1,
        far => far,
    };
    match names.iter().copied().min_by_key(apart) {
        Some(near) if apart(&near) <= 2 && wanted.len() > 2 => {
            format!("unknown game '{name}': did you mean {near}?")
        }
        _ => format!("unknown game '{name}'; the games are {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_names_are_suggested() {
        for (typed, meant) in [
            ("toads", "gen_toads"),
            ("klobber", "clobber"),
            ("dominering", "domineering"),
            ("impartial Nogoo", "nogo"),
            ("impartial impartial clobber", "clobber"),
        ] {
            let said = unknown_game(typed);
            assert!(said.ends_with(&format!("did you mean {meant}?")), "{said}");
        }
        assert!(unknown_game("chess").contains("the games are "));
        assert!(unknown_game("G").contains("the games are"));
    }
}

#[cfg(test)]
pub(crate) mod testing {
    //! Laws that every ruleset must obey, and helpers for its tests.

    use super::*;

    /// The texts of the positions `player` can move to, sorted.
    pub fn options(rules: &dyn Ruleset, text: &str, player: Player) -> Vec<String> {
        let position = rules.parse(text).unwrap();
        let mut found = Vec::new();
        let _ = rules.moves(&position, player, &mut |_, next| {
            found.push(rules.print(next));
            ControlFlow::Continue(())
        });
        found.sort();
        found
    }

    /// The moves of `player` as printed, sorted.
    pub fn moves(rules: &dyn Ruleset, text: &str, player: Player) -> Vec<String> {
        let position = rules.parse(text).unwrap();
        let mut found = Vec::new();
        let _ = rules.moves(&position, player, &mut |mv, _| {
            found.push(rules.print_move(&position, player, mv));
            ControlFlow::Continue(())
        });
        found.sort();
        found
    }

    /// The texts of the normalised parts, sorted.
    pub fn parts(rules: &dyn Ruleset, text: &str) -> Vec<String> {
        let position = rules.parse(text).unwrap();
        let mut found = Vec::new();
        let _ = rules.split(&position, &mut |part| {
            let mut part = part.to_vec();
            rules.normalise(&mut part);
            found.push(rules.print(&part));
            ControlFlow::Continue(())
        });
        found.sort();
        found
    }

    /// The value that a closed form gives to a position.
    pub fn known_value(rules: &dyn Ruleset, text: &str) -> Option<Nus> {
        rules.known_value(&rules.parse(text).unwrap(), &Interrupt::never())
    }

    /// The nim value that a closed form gives to a position.
    pub fn known_nim_value(rules: &dyn Ruleset, text: &str) -> Option<u64> {
        rules.known_nim_value(&rules.parse(text).unwrap(), &Interrupt::never())
    }

    /// Checks that the normal form of the impartial version has the same nim value, by the
    /// definition of both.
    pub fn check_impartial_normal_form(rules: &dyn Ruleset, text: &str) {
        let name = format!("impartial {}", rules.name());
        let nim_value = |text: &str| {
            let game = crate::game::Game::parse(&name, text).unwrap();
            crate::naive::Naive::new(1 << 20).nim_value(&[game])
        };
        let mut normal = rules.parse(text).unwrap();
        rules.normalise_impartial(&mut normal);
        let expected = nim_value(text);
        assert!(expected.is_some());
        assert_eq!(nim_value(&rules.print(&normal)), expected, "{text}");
    }

    /// Checks laws of text form, negative and normal form on one position.
    pub fn check_laws(rules: &dyn Ruleset, text: &str) {
        let position = rules.parse(text).unwrap();
        assert_eq!(
            rules.parse(&rules.print(&position)).as_ref(),
            Ok(&position),
            "{text}"
        );
        assert!(rules.text_length(&position) <= rules.print(&position).len());
        let negative = rules.negative(&position);
        for player in Player::BOTH {
            let count = |position: &[u8], player| {
                let mut count = 0;
                let _ = rules.moves(position, player, &mut |_, _| {
                    count += 1;
                    ControlFlow::Continue(())
                });
                assert_eq!(count, rules.mobility(position)[player as usize], "{text}");
                count
            };
            assert_eq!(
                count(&position, player),
                count(&negative, !player),
                "{text}"
            );
        }
        let mut normal = position.clone();
        rules.normalise(&mut normal);
        let mut again = normal.clone();
        rules.normalise(&mut again);
        assert_eq!(normal, again, "{text}");
    }
}
