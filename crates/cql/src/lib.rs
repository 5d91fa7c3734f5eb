//! The Chess Query Language over game trees.
