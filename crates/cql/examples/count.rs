//! Counts the games and positions of a PGN file that match a query.
//!
//! `cargo run -p gametree-cql --example count -- 'mate move previous from n' games.pgn`

use std::env;
use std::error::Error;
use std::fs::File;

use gametree_cql::{Options, Query};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = env::args().skip(1);
    let (Some(source), Some(file)) = (args.next(), args.next()) else {
        return Err("usage: count QUERY GAMES.pgn".into());
    };
    let query = Query::compile(&source, &Options::default())?;
    let mut matcher = query.matcher();
    let (mut games, mut positions) = (0, 0);
    for (game, number) in gametree_chess::pgn::read_games(File::open(file)?).zip(1..) {
        let found = matcher.run(&game?, number);
        games += usize::from(found.matched);
        positions += found.positions.len();
    }
    #[expect(clippy::print_stdout, reason = "an example prints its result")]
    {
        println!("{games} games, {positions} positions");
    }
    Ok(())
}
