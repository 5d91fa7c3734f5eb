//! What the tests of values share.
#![allow(dead_code, unused_imports)] // each test uses its part

mod boards;
mod positions;
mod tables;

pub use boards::{Boards, chequered, empty};
pub use positions::{octal_code, position_of};
pub use tables::{Row, rows};
