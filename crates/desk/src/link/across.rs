//! References where lines end and their positions continue elsewhere in the file.

use chess::Identity;
use chess::link::{Link, LinkKind};
use chess::pgn::{Game, Outcome};
use tree::NodeId;

use super::{add_links, can_hold_link, follow, links_at};
use crate::positions::{Homes, LONGEST_PATH, Positions, Spot};

/// Games with references to one another.
#[derive(Clone, Debug)]
pub struct Across {
    /// The games.
    pub games: Vec<Game>,
    /// The number of references in each game.
    pub links: Vec<u64>,
}

/// Adds a reference where a line ends and its position continues in another line of this game or
/// of another one. The end of a played game is not such a line. Moves stay in their places.
pub fn refer(games: Vec<Game>, same: Identity) -> Across {
    let games = games.into_iter().map(without_ends).collect();
    let positions = Positions::of(games, same);
    let mut added: Vec<Vec<(NodeId, Link)>> = vec![Vec::new(); positions.games().len()];
    let mut homes = Homes::new(&positions);
    for spot in positions.all() {
        if let Some(link) = reference(&positions, &mut homes, spot) {
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

/// The best place where a line that ends here continues, preferably in the same game.
fn reference(positions: &Positions, homes: &mut Homes, spot: Spot) -> Option<Link> {
    let game = positions.game(spot);
    let ends = spot.node != NodeId::ROOT && game.tree().is_terminal(spot.node);
    if !ends || is_played_end(positions, spot) || !can_hold_link(game, spot.node) {
        return None;
    }
    let best = homes.best(spot)?;
    let repeats = positions.is_above(best, spot);
    if repeats || positions.ply(best) as usize > LONGEST_PATH || is_linked(positions, spot) {
        return None;
    }
    let own = best.game == spot.game;
    Some(Link {
        game: (!own).then(|| positions.game_number(best)),
        moves: positions.move_path(best).0,
        kind: LinkKind::End,
    })
}

/// True at the end of the mainline of a game with a result.
pub(crate) fn is_played_end(positions: &Positions, spot: Spot) -> bool {
    let game = positions.game(spot);
    game.outcome() != Outcome::Unknown
        && positions.depth(spot) == 0
        && game.tree().is_terminal(spot.node)
}

/// True if a reference at a spot leads to another place with the same position.
pub(crate) fn is_linked(positions: &Positions, spot: Spot) -> bool {
    let mut links = links_at(positions.game(spot), spot.node);
    links.any(|(_, link)| is_valid_link(positions, spot, &link))
}

/// True if a reference leads to another place with the same position.
pub(crate) fn is_valid_link(positions: &Positions, spot: Spot, link: &Link) -> bool {
    let game = match link.game {
        None => Some(spot.game),
        Some(number) => positions.game_of_number(number),
    };
    let to = game.and_then(|game| {
        let node = follow(&positions.games()[game], link)?;
        Some(Spot { game, node })
    });
    to.is_some_and(|to| to != spot && positions.vertex(to) == positions.vertex(spot))
}

/// The game without the references that were added to line ends.
fn without_ends(mut game: Game) -> Game {
    game.retain_notes(|_, note, text| !(note.is_comment() && is_end(text)));
    game
}

/// True for a reference that was added to a line end.
pub(super) fn is_end(comment: &str) -> bool {
    Link::read(comment).is_some_and(|link| link.kind == LinkKind::End)
}
