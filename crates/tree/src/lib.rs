#![doc = include_str!("../README.md")]
// A panic is a bug: what input can cause is an error.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

mod compact;
mod draft;
mod edit;
mod graft;
pub mod graph;
mod index;
pub mod layout;
mod lines;
mod side_table;
pub mod table;
mod view;
mod walk;

pub use compact::Remap;
pub use draft::{Children, NodeId, Tree};
pub use edit::{AddedLine, Attachment, Edit, EditStep, Stale};
pub use index::{PositionId, PreorderIndex};
pub use lines::LineCounts;
pub use side_table::SideTable;
pub use view::View;
pub use walk::Preorder;
