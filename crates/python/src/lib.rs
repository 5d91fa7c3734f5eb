//! The native part of the Python package `gametree`.

// A panic is a bug: what input can cause is an error.
#![warn(clippy::unwrap_used, clippy::expect_used)]

extern crate gametree_kit as kit;

mod work;

use pyo3::prelude::*;

/// Native parts of the package; use `gametree` and its modules instead.
#[pymodule]
mod _native {
    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
