//! cgt-tools, with a Clobber of ours, as it has none: a board of bits, cut into its islands.
//!
//! `rival-cgt domineering|clobber ROW|ROW…` prints `outcome mean temperature birthday`.

use std::{cmp::Ordering, env, process::ExitCode};

use cgt::short::partizan::canonical_form::CanonicalForm;
use cgt::short::partizan::games::domineering::Domineering;
use cgt::short::partizan::partizan_game::PartizanGame;
use cgt::short::partizan::transposition_table::ParallelTranspositionTable;

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let value = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["domineering", board] => board.parse().ok().map(|game: Domineering| value_of(&game)),
        ["clobber", board] => Clobber::read(board).map(|game| value_of(&game)),
        _ => None,
    };
    let Some(value) = value else {
        eprintln!("usage: rival-cgt domineering|clobber BOARD");
        return ExitCode::from(2);
    };
    let (mean, temperature) = (value.mean(), value.temperature());
    println!(
        "{} {mean} {temperature} {}",
        outcome(&value),
        value.birthday()
    );
    ExitCode::SUCCESS
}

fn value_of<G: PartizanGame>(game: &G) -> CanonicalForm {
    game.canonical_form(&ParallelTranspositionTable::new())
}

fn outcome(value: &CanonicalForm) -> char {
    match value.partial_cmp(&CanonicalForm::new_integer(0)) {
        Some(Ordering::Greater) => 'L',
        Some(Ordering::Less) => 'R',
        Some(Ordering::Equal) => 'P',
        None => 'N',
    }
}

/// Stones as bits; rows lie `stride` bits apart, with an empty column between them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Clobber {
    left: u64,
    right: u64,
    stride: u32,
}

impl Clobber {
    /// Boards of up to 64 bits.
    fn read(board: &str) -> Option<Clobber> {
        let rows: Vec<&str> = board.split('|').collect();
        let stride = rows[0].len() as u32 + 1;
        if stride as usize * rows.len() > 64 {
            return None;
        }
        let bits = |stone| {
            let cells = rows.iter().flat_map(|row| row.chars().chain(['.']));
            cells
                .enumerate()
                .fold(0, |bits, (i, c)| bits | u64::from(c == stone) << i)
        };
        Some(Clobber {
            left: bits('X'),
            right: bits('O'),
            stride,
        })
    }

    /// A player's stone moves onto a neighbour of the other's, in both directions of a pair.
    fn moves(&self, is_left: bool) -> Vec<Clobber> {
        let (mover, victim) = if is_left {
            (self.left, self.right)
        } else {
            (self.right, self.left)
        };
        let mut moves = Vec::new();
        for step in [1, self.stride] {
            for (from, to) in [(0, step), (step, 0)] {
                for pair in bits_of(mover >> from & victim >> to) {
                    let (from, to) = (1 << (pair + from), 1 << (pair + to));
                    let (mover, victim) = (mover & !from | to, victim & !to);
                    let (left, right) = if is_left {
                        (mover, victim)
                    } else {
                        (victim, mover)
                    };
                    moves.push(Clobber {
                        left,
                        right,
                        stride: self.stride,
                    });
                }
            }
        }
        moves
    }

    /// All stones connected to those in `part`.
    fn flood(&self, mut part: u64, stones: u64) -> u64 {
        loop {
            let (along, across) = (
                part | part << 1 | part >> 1,
                part << self.stride | part >> self.stride,
            );
            let grown = (along | across) & stones;
            if grown == part {
                return part;
            }
            part = grown;
        }
    }

    /// The stones of one island, moved to the top left corner.
    fn cropped(&self, island: u64) -> Clobber {
        let up = island.trailing_zeros() / self.stride * self.stride;
        let column = (0..64)
            .step_by(self.stride as usize)
            .fold(0, |bits, i| bits | 1u64 << i);
        let aside = (0..self.stride)
            .find(|aside| island >> up >> aside & column != 0)
            .unwrap_or(0);
        let place = |stones: u64| (stones & island) >> (up + aside);
        Clobber {
            left: place(self.left),
            right: place(self.right),
            stride: self.stride,
        }
    }
}

fn bits_of(mut bits: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = (bits != 0).then(|| bits.trailing_zeros());
        bits &= bits.wrapping_sub(1);
        lowest
    })
}

impl PartizanGame for Clobber {
    fn left_moves(&self) -> Vec<Self> {
        self.moves(true)
    }

    fn right_moves(&self) -> Vec<Self> {
        self.moves(false)
    }

    /// Islands on which both have stones.
    fn decompositions(&self) -> Vec<Self> {
        let (mut rest, mut islands) = (self.left | self.right, Vec::new());
        while rest != 0 {
            let island = self.flood(rest & rest.wrapping_neg(), rest);
            rest &= !island;
            if self.left & island != 0 && self.right & island != 0 {
                islands.push(self.cropped(island));
            }
        }
        islands
    }
}
