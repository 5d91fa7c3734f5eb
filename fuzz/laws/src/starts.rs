//! Games that start in the middle of a text.

use gametree_chess::pgn::{find_game_start, split};

/// Texts with comments, quoted games, and unclosed braces.
pub(crate) const SEEDS: &[&str] = &[
    "[Event \"A\"]\n\n1. e4 {a} 1-0\n\n[Event \"B\"]\n\n1. d4 {b} *\n\n[Event \"C\"]\n\n1. c4 {c} *\n",
    "1. e4 {x\n*\n\n[Event \"A\"]\n\n1. e4 *\n\n[Event \"B\"]\n} 1-0\n\n[Event \"C\"]\n\n{z} *\n",
    "; 1-0 {\n% }\n*\n\n[Event \"A\"]\r\n\r\n1. e4 1/2-1/2\r\n\r\n[Event \"B\"]\r\n{ ( ; *\n\n[Event \"C\"]\n",
];

/// Where a part of a text says for certain that a game starts, the whole text has the start of a
/// game.
pub fn game_starts(data: &[u8]) {
    let is_lone = |at: usize| data.get(at + 1) != Some(&b'\n');
    if (0..data.len()).any(|at| data[at] == b'\r' && is_lone(at)) {
        return;
    }
    let starts: Vec<u64> = split(data).map(|game| game.place.offset).collect();
    for from in (0..data.len()).step_by(7) {
        for part in [&data[from..], &data[from..from + (data.len() - from) / 2]] {
            if let Some(start) = find_game_start(part).filter(|start| start.is_certain) {
                let at = (from + start.at) as u64;
                assert!(starts.contains(&at), "{at} from {from}, borders {starts:?}");
            }
        }
    }
}
