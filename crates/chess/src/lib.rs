//! Chess positions, and PGN text to game trees and back with nothing lost.
