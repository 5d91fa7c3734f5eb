#![doc = include_str!("../README.md")]

mod compact;
mod draft;
mod edit;
mod frozen;
mod graft;
pub mod graph;
pub mod layout;
mod lines;
mod side_table;
pub mod table;
mod view;
mod walk;

pub use compact::Remap;
pub use draft::{Children, NodeId, Tree};
pub use edit::{AddedLine, Attachment, Edit, EditStep, Stale};
pub use frozen::{Frozen, Order, PositionId};
pub use lines::LineCounts;
pub use side_table::SideTable;
pub use view::View;
pub use walk::Preorder;
