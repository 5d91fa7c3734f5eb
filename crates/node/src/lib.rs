//! The native part of the Node package `gametree`.
//!
//! JavaScript keeps light handles (a game and the number of a node) and calls the functions here.
//! Results that are not texts or numbers cross as JSON or typed arrays, which is cheaper than
//! objects made here.

// A panic is a bug: what input can cause is an error.
#![warn(clippy::unwrap_used, clippy::expect_used)]

extern crate gametree_chess as chess;
extern crate gametree_cql as cql;
extern crate gametree_desk as desk;
extern crate gametree_kit as kit;
extern crate gametree_lab as lab;
extern crate gametree_tree as tree;

mod annotations;
mod board;
mod draw;
mod edit;
mod files;
mod game;
mod moves;
mod sums;
mod task;
