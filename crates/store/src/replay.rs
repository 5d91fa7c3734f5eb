//! A position searched in the stored moves of a game.

use chess::{Board, Move};

use crate::bytes::{Bytes, Damage};
use crate::position::Position;
use crate::record::{Moves, wide_moves};
use crate::track::Track;

/// The first time a game reaches a position: the move played there, `None` at the end of the game.
pub(crate) type Played = Option<Move>;

/// Looks for a position in a mainline that begins at `start`, `None` for the usual position.
pub(crate) fn find(
    position: &Position,
    moves: Moves,
    start: Option<&Board>,
) -> Result<Option<Played>, Damage> {
    if moves.wide {
        return find_full(position, moves.bytes, start);
    }
    if !position.usual {
        return Ok(None);
    }
    let mut replay = Replay::new(moves.bytes, start)?;
    match replay.go_to(position.men, |track| position.is_at(track))? {
        true => Ok(Some(replay.next()?)),
        false => Ok(None),
    }
}

fn find_full(
    position: &Position,
    moves: &[u8],
    start: Option<&Board>,
) -> Result<Option<Played>, Damage> {
    let mut board = start.cloned().unwrap_or_default();
    let mut moves = wide_moves(moves);
    loop {
        let next = moves.next().transpose()?;
        if position.is_on(&board) {
            return Ok(Some(next));
        }
        match next {
            Some(m) => board.play(m),
            None => return Ok(None),
        }
    }
}

/// A game of light moves, replayed.
pub(crate) struct Replay<'a> {
    pub track: Track,
    bytes: Bytes<'a>,
}

impl<'a> Replay<'a> {
    pub fn new(moves: &'a [u8], start: Option<&Board>) -> Result<Replay<'a>, Damage> {
        let bytes = Bytes::new(moves, "moves");
        let track = match start {
            None => Track::usual().clone(),
            Some(board) => Track::new(board).ok_or(bytes.damage())?,
        };
        Ok(Replay { track, bytes })
    }

    /// Plays on until `is_it`; false if the game ends first or has fewer than `men` pieces.
    #[inline]
    pub fn go_to(&mut self, men: u32, is_it: impl Fn(&Track) -> bool) -> Result<bool, Damage> {
        loop {
            if is_it(&self.track) {
                return Ok(true);
            }
            if self.bytes.is_empty() || self.track.men() < men {
                return Ok(false);
            }
            self.step()?;
        }
    }

    /// Plays the next move; false at the end.
    #[inline]
    pub fn step(&mut self) -> Result<bool, Damage> {
        if self.bytes.is_empty() {
            return Ok(false);
        }
        let m = self.track.decode(&mut self.bytes)?;
        self.track.play(m);
        Ok(true)
    }

    /// The move that follows; it is not played.
    pub fn next(&self) -> Result<Played, Damage> {
        match self.bytes.is_empty() {
            true => Ok(None),
            false => self.track.decode(&mut self.bytes.clone()).map(Some),
        }
    }
}
