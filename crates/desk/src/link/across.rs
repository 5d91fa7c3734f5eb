//! References from one game to another of the same file.

use std::collections::HashMap;

use chess::Identity;
use chess::link::Link;
use chess::pgn::Game;
use tree::NodeId;

use super::{add_links, resolve, target};
use crate::positions::{Homes, Positions, Spot};

/// Games with references to one another.
#[derive(Clone, Debug)]
pub struct Across {
    /// The games.
    pub games: Vec<Game>,
    /// The number of references in each game, new and kept.
    pub links: Vec<u64>,
}

/// Adds a reference where a line ends in one game and its position continues in another; with
/// `within`, also where it continues in the same game. Moves stay in their places.
pub fn refer(games: Vec<Game>, within: bool) -> Across {
    let positions = Positions::of(without_links(games), SAME);
    let mut added: Vec<Vec<(NodeId, Link)>> = vec![Vec::new(); positions.games().len()];
    let mut homes = Homes::new(&positions);
    for spot in positions.all() {
        if let Some(link) = reference(&positions, &mut homes, spot, within) {
            added[spot.game].push((spot.node, link));
        }
    }
    let mut games = positions.into_games();
    let mut links = Vec::with_capacity(games.len());
    for (game, added) in games.iter_mut().zip(added) {
        links.push(added.len() as u64);
        add_links(game, added);
    }
    Across { games, links }
}

const SAME: Identity = Identity::Strict;

/// The best place where a line that ends here continues, preferably in the same game.
fn reference(positions: &Positions, homes: &mut Homes, spot: Spot, within: bool) -> Option<Link> {
    let game = positions.game(spot);
    let ends = spot.node != NodeId::ROOT && game.tree().is_terminal(spot.node);
    if !ends || target(game, spot.node, SAME).is_some() {
        return None;
    }
    let best = homes.best(spot)?;
    let own = best.game == spot.game;
    (within || !own).then(|| Link {
        game: (!own).then(|| positions.game_number(best)),
        moves: positions.move_path(best).0,
    })
}

/// The games without valid references to other games, which are rewritten.
fn without_links(mut games: Vec<Game>) -> Vec<Game> {
    let mut by_number = HashMap::new();
    for (index, game) in games.iter().enumerate() {
        by_number.entry(game.place().number).or_insert(index);
    }
    for index in 0..games.len() {
        let mut game = std::mem::take(&mut games[index]);
        let whole = game.clone();
        let of_number = |number| match by_number.get(&number) {
            Some(&other) if other == index => Some(&whole),
            other => games.get(*other?),
        };
        game.retain_notes(|node, note, text| {
            let link = Link::read(text).filter(|_| note.is_comment());
            let other = link.as_ref().and_then(|link| of_number(link.game?));
            let to = link
                .zip(other)
                .and_then(|(link, other)| resolve(&whole, node, &link, other, SAME));
            to.is_none()
        });
        games[index] = game;
    }
    games
}
