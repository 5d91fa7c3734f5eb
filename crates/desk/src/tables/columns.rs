//! The columns of each table; docs/scale.md describes them.

use kit::table::{Coding, Field, Kind};

/// A column of texts that may be missing.
const fn text(name: &'static str) -> Field {
    Field::new(name, Kind::Text).nullable()
}

/// A rating.
const fn rating(name: &'static str) -> Field {
    Field::new(name, Kind::I32).nullable()
}

/// The number of a game over all inputs.
const GAME: Field = Field::new("game", Kind::I64).coded(Coding::Delta);

/// A count of games, or a sum over games.
const fn count(name: &'static str) -> Field {
    Field::new(name, Kind::I64)
}

/// Half of the key of a position.
const fn key(name: &'static str) -> Field {
    Field::new(name, Kind::U64).coded(Coding::Plain)
}

pub const GAMES: &[Field] = &[
    GAME,
    Field::new("source", Kind::Text),
    Field::new("number", Kind::I32).coded(Coding::Delta),
    text("event"),
    text("site"),
    text("date"),
    text("round"),
    text("white"),
    text("black"),
    Field::new("result", Kind::Text),
    rating("white_elo"),
    rating("black_elo"),
    text("eco"),
    text("opening"),
    text("variant"),
    text("fen"),
    Field::new("plies", Kind::I32),
    Field::new("moves", Kind::Text).coded(Coding::Plain),
    text("tags").coded(Coding::Plain),
];

pub const MOVES: &[Field] = &[
    GAME,
    Field::new("ply", Kind::I32).coded(Coding::Delta),
    Field::new("uci", Kind::Text),
    Field::new("san", Kind::Text),
    Field::new("clock", Kind::F32).nullable(),
    Field::new("eval", Kind::F32).nullable(),
    Field::new("mate", Kind::I16).nullable(),
];

pub const POSITIONS: &[Field] = &[
    key("key_hi"),
    key("key_lo"),
    GAME,
    Field::new("ply", Kind::I32).coded(Coding::Delta),
    text("uci"),
    Field::new("turn", Kind::Text),
    Field::new("repeated", Kind::Bool).coded(Coding::Plain),
    Field::new("result", Kind::Text),
    rating("white_elo"),
    rating("black_elo"),
    text("date"),
];

pub const OPENINGS: &[Field] = &[
    key("key_hi"),
    key("key_lo"),
    text("uci"),
    count("games"),
    count("white"),
    count("draws"),
    count("black"),
    count("elo_games"),
    count("elo_sum"),
    count("opponent_elo_sum"),
    count("elo_results"),
    count("elo_points"),
    text("first_date"),
    text("last_date"),
];

pub const MATCHES: &[Field] = &[
    GAME,
    Field::new("source", Kind::Text),
    Field::new("number", Kind::I32).coded(Coding::Delta),
    Field::new("position", Kind::I32),
    Field::new("ply", Kind::I32),
    Field::new("path", Kind::Text).coded(Coding::Plain),
    Field::new("fen", Kind::Text).coded(Coding::Plain),
];
