//! Every law holds on mutations of small inputs: a short fuzz that needs no tool.
//!
//! `GAMETREE_FUZZ` sets the number of inputs per law. The inputs are reproducible.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use laws::LAWS;

#[test]
fn laws_hold_on_mutations() {
    let rounds: usize = std::env::var("GAMETREE_FUZZ")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(500);
    let files = testdata();
    for law in LAWS {
        let seeds = if law.seeds.is_empty() {
            files.clone()
        } else {
            law.seeds.iter().map(|s| s.as_bytes().to_vec()).collect()
        };
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
        for round in 0..rounds {
            let input = mutate(&seeds, &mut dice);
            if catch_unwind(AssertUnwindSafe(|| (law.check)(&input))).is_err() {
                panic!(
                    "law {}, round {round}, input {}",
                    law.name,
                    input.escape_ascii()
                );
            }
        }
    }
}

/// The files in small pieces, so that a mutation matters.
fn testdata() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("testdata/")
        .map(|e| e.expect("an entry").path())
        .collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "pgn"));
    files.sort();
    let texts = files.iter().map(|path| fs::read(path).expect("readable"));
    texts
        .flat_map(|text| text.chunks(400).map(<[u8]>::to_vec).collect::<Vec<_>>())
        .collect()
}

/// Tokens that random bytes would rarely form.
const WORDS: &[&str] = &[
    "[FEN \"8/8/8/8/8/8/8/K1k5 w - - 0 1\"]\n\n",
    "[Variant \"Crazyhouse\"]\n",
    "O-O-O e8=Q+ exd6 P@e4 e2e4 -- 0-0 Z0 \u{2658}f3 ",
    "1. e4 (1. d4 (1. c4)) ",
    "{[%clk 0:01:02.5][%eval #-3,20][%cal Ge2e4]}",
    "1-0 1/2-1/2 * $255 $99999999999 !? ;rest\n%line\n",
    "((((((((()))))))))",
    "[clobber_1xn] XOX [nimber] 3 {B} 2*^3 - {1|*} + domineering ..|#. ",
];

fn mutate(seeds: &[Vec<u8>], dice: &mut Dice) -> Vec<u8> {
    let mut text = dice.pick(seeds).clone();
    for _ in 0..dice.below(6) {
        let at = dice.below(text.len() + 1);
        let end = at + dice.below((text.len() - at).min(20) + 1);
        match dice.below(6) {
            0 => drop(text.drain(at..end)),
            1 => drop(text.splice(at..at, dice.pick(WORDS).bytes())),
            2 => text.insert(at, dice.below(256) as u8),
            3 => text.truncate(at),
            4 => drop(text.splice(at..at, dice.pick(seeds).clone())),
            _ => text.extend_from_within(at..end),
        }
    }
    text.truncate(4000);
    text
}

/// Reproducible random numbers (xorshift).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}
