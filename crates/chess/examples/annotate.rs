//! Reads a PGN from standard input, marks every checkmate with `!!`, and writes it to standard
//! output.
//!
//! `cargo run -p gametree-chess --example annotate < games.pgn`

#![allow(clippy::print_stdout, reason = "an example prints its result")]

use std::io;

use gametree_chess::NodeId;
use gametree_chess::pgn::{Game, nag, read_games};

fn main() -> io::Result<()> {
    for game in read_games(io::stdin().lock()) {
        let mut game = game?;
        for mate in mates(&game) {
            game.set_nags(mate, [nag::BRILLIANT_MOVE]);
        }
        println!("{game}");
    }
    Ok(())
}

fn mates(game: &Game) -> Vec<NodeId> {
    let mut mates = Vec::new();
    let mut cursor = game.cursor();
    while cursor.walk() {
        if cursor.board().is_checkmate() {
            mates.push(cursor.id());
        }
    }
    mates
}
