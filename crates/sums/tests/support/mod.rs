//! What the tests of values share.
#![allow(dead_code, unused_imports)] // each test uses its part

mod boards;
mod tables;

pub use boards::{Boards, chequered, empty};
pub use tables::{Row, rows};
