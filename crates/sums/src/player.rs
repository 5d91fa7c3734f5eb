//! Names of the players, and data stored per player.

use crate::value::Player;
use std::ops::{Index, IndexMut};

impl Player {
    /// The stone of this player on a board: `X` or `O`.
    #[inline]
    pub fn stone(self) -> u8 {
        match self {
            Player::Left => b'X',
            Player::Right => b'O',
        }
    }

    /// The letter of this player in `.test` files: `B` for Left, `W` for Right.
    pub fn letter(self) -> char {
        match self {
            Player::Left => 'B',
            Player::Right => 'W',
        }
    }
}

impl std::fmt::Display for Player {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Player::Left => "Left",
            Player::Right => "Right",
        })
    }
}

/// One item for each player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ByPlayer<T> {
    /// The item of Left.
    pub left: T,
    /// The item of Right.
    pub right: T,
}

impl<T> Index<Player> for ByPlayer<T> {
    type Output = T;

    #[inline]
    fn index(&self, player: Player) -> &T {
        match player {
            Player::Left => &self.left,
            Player::Right => &self.right,
        }
    }
}

impl<T> IndexMut<Player> for ByPlayer<T> {
    #[inline]
    fn index_mut(&mut self, player: Player) -> &mut T {
        match player {
            Player::Left => &mut self.left,
            Player::Right => &mut self.right,
        }
    }
}
