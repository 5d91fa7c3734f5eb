//! The local page of gametree: a server for one user's browser on the same machine.
//!
//! `API.md` describes its interface.
