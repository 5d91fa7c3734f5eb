//! Shared code of the tests.
#![allow(dead_code, unused_imports)] // each test uses a part of it

mod boards;
mod positions;
mod random;
mod tables;

pub use boards::{Boards, chequered, empty};
pub use positions::{octal_code, position_of};
pub use random::{Dice, position};
pub use tables::{Row, rows};
