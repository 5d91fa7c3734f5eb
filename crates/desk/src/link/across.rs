//! References from one game to another of the same file.

use chess::Identity;
use chess::link::Link;
use chess::pgn::Game;
use tree::NodeId;

use super::{add_link, lead, links_at, noted_nodes, remove_links, target};
use crate::positions::{Positions, Spot};

/// Games with references to one another.
#[derive(Clone, Debug)]
pub struct Across {
    /// The games.
    pub games: Vec<Game>,
    /// How many references each got or kept.
    pub links: Vec<u64>,
}

/// Adds a reference where a line ends in one game and its position goes on in another; with
/// `within`, also where it goes on in the same game. No move is moved.
pub fn refer(mut games: Vec<Game>, same: Identity, within: bool) -> Across {
    for index in 0..games.len() {
        drop_links(&mut games, index, same);
    }
    let positions = Positions::of(games, same);
    let mut added: Vec<Vec<(NodeId, Link)>> = vec![Vec::new(); positions.games().len()];
    for spot in positions.all() {
        if let Some(link) = reference(&positions, spot, same, within) {
            added[spot.game].push((spot.node, link));
        }
    }
    let mut games = positions.into_games();
    let mut links = Vec::with_capacity(games.len());
    for (game, added) in games.iter_mut().zip(added) {
        added
            .iter()
            .for_each(|(node, link)| add_link(game, *node, link));
        links.push(added.len() as u64);
    }
    Across { games, links }
}

/// Where a line that ends here goes on: the best place, those in the same game first.
fn reference(positions: &Positions, spot: Spot, same: Identity, within: bool) -> Option<Link> {
    let game = positions.game(spot);
    if !game.tree().is_terminal(spot.node) || target(game, spot.node, same).is_some() {
        return None;
    }
    let spots = positions.spots(positions.vertex(spot)?);
    let going_on = spots.filter(|other| !positions.game(*other).tree().is_terminal(other.node));
    let best = going_on.min_by_key(|other| {
        let tree = positions.game(*other).tree();
        (
            other.game != spot.game,
            tree.depth(other.node),
            tree.ply(other.node),
        )
    })?;
    let own = best.game == spot.game;
    let address = positions.address(best);
    (within || !own).then(|| Link {
        game: (!own).then_some(address.game),
        moves: address.path.0,
    })
}

/// Drops the references to other games that hold: they are made again.
fn drop_links(games: &mut [Game], index: usize, same: Identity) {
    let holds = |node: NodeId, link: &Link| {
        let game = &games[index];
        let mut others = games
            .iter()
            .filter(|other| link.game == Some(other.place().number));
        others.any(|other| lead(game, node, link, other, same).is_some())
    };
    let mut stale: Vec<(NodeId, Link)> = Vec::new();
    for node in noted_nodes(&games[index]) {
        let links = links_at(&games[index], node).map(|(_, link)| link);
        stale.extend(
            links
                .filter(|link| holds(node, link))
                .map(|link| (node, link)),
        );
    }
    for (node, link) in stale {
        remove_links(&mut games[index], node, |other| *other == link);
    }
}
