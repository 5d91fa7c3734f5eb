//! The oracle: random queries on random trees, compared with an evaluator that shares only the
//! rules of chess with the engine.
//!
//! A query is a small random tree of filters; it is written as CQL for the engine, and evaluated
//! directly, without plan or cache, by traversing the game's tree.
//!
//! `CQL_ROUNDS` sets the number of queries; they are reproducible unless `CQL_SEED` is set.

#[path = "../common/mod.rs"]
mod common;
mod draw;
mod query;
mod truth;
mod turn;
mod write;

use common::{random_game, rounds_and_dice};
use gametree_cql::{Options, Query};
use truth::Game;

#[test]
fn the_engine_equals_the_oracle() {
    let (rounds, mut dice) = rounds_and_dice(150, 0x5eed_0f0a_c1e5);
    let (mut some, mut telling) = (0, 0);
    for round in 0..rounds {
        let moves = 5 + dice.below(20);
        let game = random_game(&mut dice, moves);
        let query = draw::condition(&mut dice, 0);
        let text = query.to_string();
        let options = Options::default().with_variations(true);
        let compiled = Query::compile(&text, &options);
        let compiled = match compiled {
            Ok(compiled) => compiled,
            // nested transforms are refused where they multiply
            Err(e) if e.diagnostics()[0].message.contains("too many variants") => continue,
            Err(e) => panic!("{e}"),
        };
        let found = compiled.matcher().run(&game, 1).positions;
        let naive = Game::new(&game);
        let Some(expected) = naive.matches(&query) else {
            continue;
        };
        some += usize::from(!found.is_empty());
        telling += usize::from(!found.is_empty() && found.len() < naive.len());
        let pgn =
            || gametree_chess::pgn::export(&game, &gametree_chess::pgn::ExportOptions::default());
        assert_eq!(found, expected, "round {round}: {text}\n{}", pgn());
    }
    assert!(some > rounds / 4, "{some} of {rounds} queries match");
    assert!(
        telling > rounds / 8,
        "{telling} of {rounds} queries tell positions apart"
    );
}
