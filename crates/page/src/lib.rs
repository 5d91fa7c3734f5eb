//! The local page of gametree: a server for one user's browser on the same machine.
//!
//! ```no_run
//! use gametree_desk::session::Session;
//! use gametree_page::{Options, Server};
//!
//! let session = Session::from_text("example", b"1. e4 e5 *".to_vec())?;
//! let server = Server::bind(session, &Options::default())?;
//! println!("{}", server.address());
//! server.run(&gametree_kit::Stop::new());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `API.md` describes the interface. All work on games is done by `desk`, all work on sums by `lab`:
//! this crate translates between them and HTTP, and keeps strangers out.

// A panic is a bug: what input can cause is an error.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

extern crate gametree_desk as desk;
extern crate gametree_kit as kit;
extern crate gametree_lab as lab;

mod access;
mod api;
mod assets;
mod error;
mod events;
mod guard;
mod jobs;
mod listing;
mod marks;
mod reply;
mod requests;
mod route;
mod server;
mod shared;
mod spans;

pub use assets::HAS_PAGE;
pub use server::{Options, Server};
