//! Laws: properties that hold for any bytes, each a function that panics on a violation.
//!
//! The fuzz targets feed them with bytes from libFuzzer, the tests with mutations of their seeds.

mod cql;
mod fen;
mod pgn;
mod polyglot;
mod san;
mod saved;
mod session;
mod starts;
mod sums;

pub use self::cql::cql;
pub use fen::fen;
pub use pgn::read_pgn;
pub use polyglot::polyglot;
pub use san::parse_san;
pub use saved::{database, snapshot};
pub use session::{edit_script, journal};
pub use starts::game_starts;
pub use sums::sums;

/// A law, and the inputs to start from.
#[derive(Clone, Copy, Debug)]
pub struct Law {
    /// Its name, which is also the name of its fuzz target.
    pub name: &'static str,
    /// Panics if it does not hold.
    pub check: fn(&[u8]),
    /// Small valid inputs; none: the files of `testdata/`.
    pub seeds: &'static [&'static str],
}

/// All laws.
pub const LAWS: &[Law] = &[
    Law {
        name: "cql",
        check: cql,
        seeds: cql::SEEDS,
    },
    Law {
        name: "database",
        check: database,
        seeds: saved::DATABASE_SEEDS,
    },
    Law {
        name: "edit_script",
        check: edit_script,
        seeds: session::SCRIPTS,
    },
    Law {
        name: "fen",
        check: fen,
        seeds: fen::SEEDS,
    },
    Law {
        name: "game_starts",
        check: game_starts,
        seeds: starts::SEEDS,
    },
    Law {
        name: "journal",
        check: journal,
        seeds: session::JOURNALS,
    },
    Law {
        name: "parse_san",
        check: parse_san,
        seeds: san::SEEDS,
    },
    Law {
        name: "polyglot",
        check: polyglot,
        seeds: polyglot::SEEDS,
    },
    Law {
        name: "read_pgn",
        check: read_pgn,
        seeds: &[],
    },
    Law {
        name: "snapshot",
        check: snapshot,
        seeds: saved::SNAPSHOT_SEEDS,
    },
    Law {
        name: "sums",
        check: sums,
        seeds: sums::SEEDS,
    },
];
