//! The explorer: walk through games and edit them, on the full screen or line by line.

pub mod command;
pub mod line;
pub mod pages;
pub mod screen;
pub mod window;
