//! One door to gametree: open, show, edit, merge, audit, ask, draw, solve.
