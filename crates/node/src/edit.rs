//! Changes of a game's tree.

use napi::bindgen_prelude::Result;
use napi_derive::napi;
use tree::NodeId;

use crate::game::{GameHandle, node_of};
use crate::moves::{self, invalid};

/// Adds a move after all others. Returns its node and its number: castling may be given in two ways.
/// The move must be legal.
#[napi(catch_unwind)]
pub fn add_variation(game: &GameHandle, parent: u32, packed: u32) -> Result<Vec<u32>> {
    let mut game = game.borrow_mut();
    let parent = node_of(&game, parent)?;
    let mv = moves::find(&game.board_at(parent), packed)?;
    let id = game.add_variation(parent, mv).0;
    Ok(vec![id, moves::pack(game.start(), mv)])
}

/// Adds a move before all others, as [`add_variation`] does.
#[napi(catch_unwind)]
pub fn add_main_variation(game: &GameHandle, parent: u32, packed: u32) -> Result<Vec<u32>> {
    let mut game = game.borrow_mut();
    let parent = node_of(&game, parent)?;
    let mv = moves::find(&game.board_at(parent), packed)?;
    let id = game.add_main_variation(parent, mv).0;
    Ok(vec![id, moves::pack(game.start(), mv)])
}

/// Removes a move and everything after it.
#[napi(catch_unwind)]
pub fn remove_variation(game: &GameHandle, id: u32) -> Result<()> {
    let mut game = game.borrow_mut();
    let id = node_of(&game, id)?;
    if id == NodeId::ROOT {
        return Err(invalid("the start of a game cannot be removed"));
    }
    game.remove_variation(id);
    Ok(())
}

/// Moves a node before its previous sibling.
#[napi(catch_unwind)]
pub fn promote(game: &GameHandle, id: u32) -> Result<()> {
    let mut game = game.borrow_mut();
    let id = node_of(&game, id)?;
    game.promote(id);
    Ok(())
}

/// Moves a node after its next sibling.
#[napi(catch_unwind)]
pub fn demote(game: &GameHandle, id: u32) -> Result<()> {
    let mut game = game.borrow_mut();
    let id = node_of(&game, id)?;
    game.demote(id);
    Ok(())
}

/// Moves a node before all its siblings.
#[napi(catch_unwind)]
pub fn promote_to_main(game: &GameHandle, id: u32) -> Result<()> {
    let mut game = game.borrow_mut();
    let id = node_of(&game, id)?;
    game.promote_to_main(id);
    Ok(())
}
