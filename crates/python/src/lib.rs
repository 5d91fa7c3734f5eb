//! The native part of the Python package `gametree`.

// A panic is a bug: what input can cause is an error.
#![warn(clippy::unwrap_used, clippy::expect_used)]

extern crate gametree_chess as chess;
extern crate gametree_desk as desk;
extern crate gametree_kit as kit;
extern crate gametree_lab as lab;
extern crate gametree_tree as tree;

mod columns;
mod components;
mod cql;
mod draw;
mod feed;
mod game;
mod games;
mod graph;
mod number;
mod partial;
mod pgn;
mod shards;
mod source;
mod sums;
mod table;
mod work;

use pyo3::prelude::*;

/// Native parts of the package; use `gametree` and its modules instead.
#[pymodule(gil_used = false)]
mod _native {
    use super::*;

    #[pymodule_export]
    use super::columns::{PyColumns, columns};
    #[pymodule_export]
    use super::components::{count_boards, list_components, merge_databases, survey_components};
    #[pymodule_export]
    use super::cql::{PyMatch, PyMatches, PyQuery, compile_cql};
    #[pymodule_export]
    use super::draw::{board, read_text, table, thermograph, tree};
    #[pymodule_export]
    use super::game::node::{PyEval, PyNode, PyWalk};
    #[pymodule_export]
    use super::game::{PyComplaint, PyGame, PyHeaders, load_game};
    #[pymodule_export]
    use super::games::{PyGameIterator, PyGames, open, read, write};
    #[pymodule_export]
    use super::graph::{PyEdge, PyGraph, PyPosition, diff_games, link_games, merge_games};
    #[pymodule_export]
    use super::partial::{finish_merge, join_merges, merge_shard, opening_rows, stats};
    #[pymodule_export]
    use super::pgn::{
        Nodes, PgnRecord, SanBoard, decode_pgn_line, read_pgn_game, read_pgn_tags, skip_pgn_game,
    };
    #[pymodule_export]
    use super::shards::plan_shards;
    #[pymodule_export]
    use super::sums::{Components, Form, OutOfBudget, Strategy, games};
    #[pymodule_export]
    use super::table::PyTable;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
