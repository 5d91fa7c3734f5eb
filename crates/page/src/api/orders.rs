//! One position in all chapters: its move orders and continuations.

use std::sync::Arc;

use desk::NodeId;
use desk::joined::Joined;
use desk::paths::paths;
use desk::positions::{Positions, Spot};
use desk::session::Session;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::{Answer, ApiError};
use crate::shared::Shared;

/// Which position, and how many move orders of it.
#[derive(Deserialize)]
pub struct OrdersQuery {
    epoch: Option<u64>,
    game: usize,
    node: u32,
    limit: Option<usize>,
}

const LIMIT: usize = 50;
const MOST: usize = 500;

/// `GET /api/orders`
pub fn orders(shared: &Arc<Shared>, query: OrdersQuery) -> Answer<Value> {
    let (graph, first, epoch, rev) = {
        let mut work = shared.work_in(query.epoch)?;
        work.go(query.game, query.node, None)?;
        let (graph, first) = graph_with(&mut work.session);
        (graph, first, work.epoch, work.rev)
    };
    let positions = graph.positions();
    let here = Spot {
        game: query.game - first,
        node: NodeId(query.node),
    };
    let limit = query.limit.unwrap_or(LIMIT).min(MOST);
    let vertex = positions.vertex(here);
    let found = vertex.and_then(|vertex| paths(positions, vertex, limit));
    let found = found.ok_or_else(|| ApiError::not_found("no such position"))?;
    let own = positions.address(here).path;
    let order = |order: &desk::paths::MoveOrder| {
        json!({
            "game": first + order.spot.game,
            "node": order.spot.node.0,
            "path": order.at.path.0,
            "current": order.joins.is_none() && order.at.path == own,
            "times": order.times,
            "joins": order.joins.as_ref().map(|joins| &joins.0),
            "next": order.next,
            "below": order.below,
            "link": order.link,
        })
    };
    let continuation = |next: &desk::paths::Continuation| {
        let orders: Vec<usize> = next.orders.iter().map(|order| order - 1).collect();
        let (san, uci) = last_move(positions, next.spot);
        json!({
            "text": next.mv,
            "san": san,
            "uci": uci,
            "game": first + next.spot.game,
            "node": next.spot.node.0,
            "times": next.times,
            "position_times": next.position_times,
            "orders": orders,
            "results": next.results,
        })
    };
    Ok(json!({
        "epoch": epoch,
        "rev": rev,
        "fen": found.fen,
        "times": found.times,
        "complete": found.complete,
        "orders": found.orders.iter().map(order).collect::<Vec<_>>(),
        "continuations": found.continuations.iter().map(continuation).collect::<Vec<_>>(),
    }))
}

/// The graph of the games to compare with the current one, and the number of the first of them. A game
/// of an archive is compared with itself only.
pub fn graph_with(session: &mut Session) -> (Arc<Joined>, usize) {
    if session.is_archived() {
        let game = session.walk().game().clone();
        let alone = Joined::of(vec![game], session.identity());
        return (Arc::new(alone), session.game());
    }
    (session.graph(), 0)
}

fn last_move(positions: &Positions, spot: Spot) -> (String, String) {
    let node = positions.game(spot).node(spot.node);
    (node.san(), node.uci())
}
