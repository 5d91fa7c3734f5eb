//! The program `gametree`: words on a terminal, nothing else.

fn main() {}
