//! Tools for programs that process files: input and compression, parallel work in order, progress,
//! a stop flag, atomic saves, mapped files, formatted numbers.
//!
//! ```
//! use std::ops::ControlFlow;
//! use gametree_kit::Workers;
//!
//! // Square numbers on all cores; the results arrive in order.
//! let mut squares = Vec::new();
//! Workers::default().run(1..=4, |n| n * n, |square| {
//!     squares.push(square);
//!     ControlFlow::<()>::Continue(())
//! });
//! assert_eq!(squares, [1, 4, 9, 16]);
//! ```

// A panic is a bug: what input can cause is an error.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

pub mod input;
pub mod limits;
pub mod number;
pub mod parallel;
pub mod progress;
pub mod save;
#[cfg(feature = "parquet")]
pub mod table;

mod mapped;
mod near;
mod signal;
mod stop;

pub use limits::Limits;
pub use mapped::{Mapped, map};
pub use near::nearest;
pub use parallel::Workers;
pub use progress::Progress;
pub use signal::is_signal_ignored;
pub use stop::Stop;
