//! A tree of positions joined by moves, for any game.
//!
//! One child of a node is *primary*, the others are *secondary*; the nodes reached by primary
//! moves only are the *mainline*. The crate knows no rule of any game, no text format, no file.
//!
//! - [`Tree`]: the editable tree; every [`Edit`] can be undone exactly. [`Side`]: what only some
//!   nodes have.
//! - [`Frozen`]: the same in preorder, for asking many questions.
//! - [`table`]: one line with its alternatives, as a [`View`] shows it.
//! - [`graph`]: one position, all its paths.
//! - [`layout`]: where to draw each node.
//!
//! ```
//! use tree::{NodeId, Tree};
//!
//! let mut tree = Tree::new();
//! let e4 = tree.add_child(NodeId::ROOT, "e4");
//! let d4 = tree.add_child(NodeId::ROOT, "d4");
//! tree.add_child(e4, "c5");
//! assert_eq!(tree.children(NodeId::ROOT).collect::<Vec<_>>(), [e4, d4]);
//! assert_eq!(tree.depth(d4), 1);
//! assert!(tree.is_mainline(e4));
//! ```

mod compact;
mod draft;
mod edit;
mod frozen;
mod graft;
pub mod graph;
pub mod layout;
mod lines;
mod side;
pub mod table;
mod view;
mod walk;

pub use compact::Remap;
pub use draft::{Children, NodeId, Tree};
pub use edit::{AddedLine, Edit, Place, Stale, Step};
pub use frozen::{Frozen, Order, PositionId};
pub use lines::LineCounts;
pub use side::Side;
pub use view::View;
pub use walk::Preorder;
