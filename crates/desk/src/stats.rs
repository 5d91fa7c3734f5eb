//! x
mod seen;
