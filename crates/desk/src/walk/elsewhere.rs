//! Positions of a game that other games have too: transpositions across chapters.

use std::sync::Arc;

use chess::Move;
use tree::NodeId;

use super::Walk;
use crate::joined::Joined;
use crate::positions::{Address, Spot};

/// The other games of a walk's file.
#[derive(Clone, Debug, Default)]
pub(super) enum OtherGames {
    /// Not compared yet.
    #[default]
    Unknown,
    /// There are none, or they are not compared.
    None,
    /// The graph of all games, and the index of this game.
    Known(Arc<Joined>, usize),
}

impl Walk {
    /// True if the other games were compared with this one, or will not be.
    pub(crate) fn knows_other_games(&self) -> bool {
        !matches!(self.other_games, OtherGames::Unknown)
    }

    /// Sets the graph of all games and the index of this game in it; none if there is no other.
    pub fn set_other_games(&mut self, graph: Option<(Arc<Joined>, usize)>) {
        self.other_games = match graph {
            Some((graph, game)) => OtherGames::Known(graph, game),
            None => OtherGames::None,
        };
    }

    pub(crate) fn forget_other_games(&mut self) {
        self.other_games = OtherGames::Unknown;
    }

    /// True if another line leads to the node's position in another game, or if the node ends its
    /// line and the position continues in another game.
    pub(super) fn transposes_elsewhere(&self, node: NodeId) -> bool {
        let OtherGames::Known(graph, game) = &self.other_games else {
            return false;
        };
        let spot = Spot { game: *game, node };
        let is_transposed = |vertex| graph.shared().is_between_lines(vertex);
        let vertex = graph.positions().vertex(spot);
        vertex.is_some_and(|vertex| {
            is_transposed(vertex)
                || self.tree().is_terminal(node) && graph.continues_elsewhere(spot)
        })
    }

    /// The places in other games that the node transposes to: those with other moves, and those
    /// where a line ends that continues here, or the reverse.
    pub(crate) fn spots_elsewhere(&self, node: NodeId) -> Vec<Spot> {
        let OtherGames::Known(graph, game) = &self.other_games else {
            return Vec::new();
        };
        let (positions, here) = (graph.positions(), Spot { game: *game, node });
        let ends = self.tree().is_terminal(node);
        let moves = self.moves_to(node);
        let differs = |spot: Spot| {
            // That games start from the same position is no transposition.
            if [node, spot.node] == [NodeId::ROOT; 2] {
                return false;
            }
            let other = positions.game(spot).tree();
            ends != other.is_terminal(spot.node) || other.moves_to(spot.node) != moves
        };
        let vertex = positions.vertex(here);
        let spots = vertex
            .into_iter()
            .flat_map(|vertex| positions.spots(vertex));
        spots
            .filter(|spot| spot.game != here.game && differs(*spot))
            .collect()
    }

    /// These places as users write them; games are numbered from 1 through all files.
    pub(super) fn addresses_elsewhere(&self, node: NodeId) -> Vec<Address> {
        let OtherGames::Known(graph, _) = &self.other_games else {
            return Vec::new();
        };
        let address = |spot: Spot| Address {
            game: spot.game as u64 + 1,
            ..graph.positions().address(spot)
        };
        self.spots_elsewhere(node)
            .into_iter()
            .map(address)
            .collect()
    }

    /// The moves from the start to a node.
    pub fn moves_to(&self, node: NodeId) -> Vec<Move> {
        self.tree().moves_to(node)
    }
}
