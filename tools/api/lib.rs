//! Holds only a test: `tests/api.rs` compares public items with the committed lists.
