//! Sums of all games, as bytes: slower than a board of bits, but for every game.

use super::{Board, Estimate, Flow, Incomplete, Order, Visitor};
use crate::game::{Game, Kind};
use crate::solver::facts::{Facts, decide};
use crate::value::Player;
use std::ops::ControlFlow;

/// The words of a position.
const WORDS: usize = 16;
const BYTES: usize = WORDS * 8;

/// The bytes before the cells of each part: its kind, and its length.
const PART_HEAD: usize = 3;

/// Buffers for making moves.
#[derive(Default)]
pub(super) struct Sums {
    parts: Vec<Part>,
    facts: Vec<Facts>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Part {
    kind: Kind,
    cells: Vec<u8>,
}

/// The player to move, then the parts in their order: kind, length, cells. The rest is zero.
pub(super) type Position = [u64; WORDS];

/// Adds the normal forms of the parts of a position.
fn split_into(kind: Kind, cells: &[u8], parts: &mut Vec<Part>) {
    let rules = kind.rules();
    let _ = rules.split(cells, &mut |part| {
        let mut cells = part.to_vec();
        rules.normalise(&mut cells);
        parts.push(Part { kind, cells });
        ControlFlow::Continue(())
    });
}

/// Removes pairs of a part and its negative: their sum is 0.
fn cancel(parts: &mut Vec<Part>) {
    let mut at = 0;
    while at + 1 < parts.len() {
        let rules = parts[at].kind.rules();
        let mut negative = rules.negative(&parts[at].cells);
        rules.normalise(&mut negative);
        let is_negative = |part: &Part| part.kind == parts[at].kind && part.cells == negative;
        match parts[at + 1..].iter().position(is_negative) {
            Some(other) => {
                parts.remove(at + 1 + other);
                parts.remove(at);
            }
            None => at += 1,
        }
    }
}

/// The position of a sum; `None` if it does not fit.
fn encode(parts: &mut Vec<Part>, mover: Player) -> Option<Position> {
    cancel(parts);
    parts.sort_unstable();
    let mut bytes = [0; BYTES];
    // Not 0, so that no position equals the default key.
    bytes[0] = 1 + mover as u8;
    let mut at = 1;
    for part in &*parts {
        let end = at + PART_HEAD + part.cells.len();
        let [low, high] = part.kind.code().to_le_bytes();
        let length = u8::try_from(part.cells.len()).ok()?;
        let place = bytes.get_mut(at..end)?;
        place[..PART_HEAD].copy_from_slice(&[low, high, length]);
        place[PART_HEAD..].copy_from_slice(&part.cells);
        at = end;
    }
    let (words, _) = bytes.as_chunks::<8>();
    let mut position = [0; WORDS];
    for (word, bytes) in position.iter_mut().zip(words) {
        *word = u64::from_le_bytes(*bytes);
    }
    Some(position)
}

/// The bytes of a position, and its mover.
fn decode(position: &Position) -> ([u8; BYTES], Player) {
    let mut bytes = [0; BYTES];
    for (place, word) in bytes.chunks_mut(8).zip(position) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    let mover = if bytes[0] == 1 + Player::Left as u8 {
        Player::Left
    } else {
        Player::Right
    };
    (bytes, mover)
}

/// The kinds and cells of the parts.
fn parts_of(bytes: &[u8; BYTES]) -> impl Iterator<Item = (Kind, &[u8])> + Clone {
    let mut rest = &bytes[1..];
    std::iter::from_fn(move || {
        let (&[low, high, length], after) = rest.split_first_chunk()?;
        if length == 0 {
            return None;
        }
        let (cells, after) = after.split_at_checked(usize::from(length))?;
        rest = after;
        Some((Kind::of_code(u16::from_le_bytes([low, high])), cells))
    })
}

/// The bounds of a part.
fn facts_of(kind: Kind, cells: &[u8]) -> Facts {
    let rules = kind.rules();
    let mobility = rules.mobility(cells);
    let bounds = rules.bounds(cells, mobility);
    let facts = match bounds {
        Some((low, high)) => Facts::between(low, high),
        None if rules.is_all_small() => Facts::ALL_SMALL,
        None => Facts::NONE,
    };
    Facts {
        mobility: mobility.map(|moves| u16::try_from(moves).unwrap_or(u16::MAX)),
        ..facts
    }
}

impl Board for Sums {
    type Position = Position;
    type Key = Position;
    const ORDER: Order = Order::ProofNumbers;
    const CELLS_PER_CHILD: usize = 512;

    fn new(_: &[Game]) -> Option<Sums> {
        Some(Sums::default())
    }

    fn read(&mut self, games: &[Game], first: Player) -> Option<Position> {
        self.parts.clear();
        for game in games {
            split_into(game.kind, &game.position, &mut self.parts);
        }
        encode(&mut self.parts, first)
    }

    fn key(&self, position: &Position) -> Position {
        *position
    }

    fn decide(&mut self, position: &Position) -> Option<bool> {
        let (bytes, mover) = decode(position);
        self.facts.clear();
        let facts = parts_of(&bytes).map(|(kind, cells)| facts_of(kind, cells));
        self.facts.extend(facts);
        decide(&self.facts, mover)
    }

    fn moves(&mut self, position: &Position, visit: &mut Visitor<'_, Position>) -> Flow {
        let (bytes, mover) = decode(position);
        let parts = parts_of(&bytes);
        let mut before = None;
        for (at, (kind, cells)) in parts.clone().enumerate() {
            // Equal parts are neighbours.
            if before.replace((kind, cells)) == Some((kind, cells)) {
                continue;
            }
            let mut flow = Flow::Continue(());
            let _ = kind.rules().moves(cells, mover, &mut |_, next| {
                self.parts.clear();
                split_into(kind, next, &mut self.parts);
                let others = parts.clone().enumerate().filter(|&(other, _)| other != at);
                self.parts.extend(others.map(|(_, (kind, cells))| Part {
                    kind,
                    cells: cells.to_vec(),
                }));
                flow = match encode(&mut self.parts, !mover) {
                    Some(next) => {
                        let estimate = match self.decide(&next) {
                            Some(wins) => Estimate::Known(wins),
                            None => estimate(&next, mover),
                        };
                        visit(next, estimate)
                    }
                    None => Flow::Break(Incomplete::DoesNotFit),
                };
                flow.map_break(|_| ())
            });
            flow?;
        }
        Flow::Continue(())
    }
}

fn estimate(position: &Position, moved: Player) -> Estimate {
    let (bytes, _) = decode(position);
    let mut moves = [0; 2];
    for (kind, cells) in parts_of(&bytes) {
        let [left, right] = kind.rules().mobility(cells);
        moves[0] += left.min(1 << 16);
        moves[1] += right.min(1 << 16);
    }
    let [mine, theirs] = [moved, !moved].map(|player| moves[player as usize] as i32);
    Estimate::Open {
        score: mine - theirs,
        effort: theirs as u32,
    }
}
