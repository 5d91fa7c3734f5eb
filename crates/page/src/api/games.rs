//! The open files and the list of their games.

use std::sync::Arc;

use desk::Variant;
use desk::book::title;
use desk::edit::part;
use desk::game_list::{Column, Order};
use serde::Deserialize;
use serde_json::{Value, json};

use super::archived::GamesQuery;
use super::{MOST_ROWS, archived};
use crate::error::{Answer, ApiError};
use crate::shared::{Shared, attached};

/// No parameters.
#[derive(Deserialize)]
pub struct Nothing {}

/// `GET /api/state`
pub fn state(shared: &Arc<Shared>, _: Nothing) -> Answer<Value> {
    Ok(shared.state(&shared.work()))
}

/// `GET /api/games`
pub fn games(shared: &Arc<Shared>, query: GamesQuery) -> Answer<Value> {
    let archive = shared.work().session.archive().map(|(file, _)| file);
    if let Some(file) = archive {
        return archived::games(shared, &query, file);
    }
    let order = Order {
        column: column(query.sort.as_deref().unwrap_or("number"))?,
        is_reversed: query.reverse != 0,
    };
    let mut work = shared.work_in(query.epoch)?;
    let mut list = std::mem::take(&mut work.list);
    let found = list.find(&work.session, &query.search, order);
    let count = query.count.unwrap_or(100).min(MOST_ROWS);
    let seen = found.iter().skip(query.from).take(count);
    let row = |&game: &usize| {
        let entry = list.described(&work.session, game);
        let (file, number) = work.session.file_of(game).unwrap_or_default();
        json!({
            "game": game,
            "file": file,
            "number": number + 1,
            "title": title(&work.session.tags(game)),
            "white": entry.white,
            "black": entry.black,
            "event": entry.event,
            "result": entry.result,
            "ratings": entry.ratings,
            "date": entry.date,
            "opening": entry.opening(),
            "moves": entry.moves(),
            "changed": work.session.files()[file].is_game_changed(number),
        })
    };
    let rows: Vec<Value> = seen.map(row).collect();
    let answer = json!({
        "epoch": work.epoch,
        "rev": work.rev,
        "total": found.len(),
        "from": query.from,
        "rows": rows,
    });
    work.list = list;
    Ok(answer)
}

fn column(name: &str) -> Answer<Column> {
    Ok(match name {
        "number" => Column::Number,
        "white" => Column::White,
        "black" => Column::Black,
        "result" => Column::Result,
        "ratings" => Column::Ratings,
        "date" => Column::Date,
        "opening" => Column::Opening,
        "moves" => Column::Moves,
        _ => return Err(ApiError::bad_request(format!("unknown column {name:?}"))),
    })
}

/// A game, and perhaps a node of it.
#[derive(Deserialize)]
pub struct GameQuery {
    epoch: Option<u64>,
    game: usize,
    node: Option<u32>,
}

/// `GET /api/game`
pub fn game(shared: &Arc<Shared>, query: GameQuery) -> Answer<Value> {
    let mut work = shared.work_in(query.epoch)?;
    work.enter(query.game)?;
    let (file, number) = work.session.file_of(query.game).unwrap_or_default();
    let (walk, tags) = (work.session.walk(), work.session.tags(query.game));
    let game = walk.game();
    Ok(json!({
        "epoch": work.epoch,
        "rev": work.rev,
        "game": query.game,
        "file": file,
        "title": title(&tags),
        "tags": tags,
        "result": game.outcome().as_str(),
        "start": game.start().fen(),
        "variant": variant(game.start().variant()),
        "nodes": walk.tree().node_count(),
        "lines": walk.lines().through(desk::NodeId::ROOT),
        "changed": work.session.files()[file].is_game_changed(number),
    }))
}

fn variant(variant: Variant) -> String {
    format!("{variant:?}").to_lowercase()
}

/// `GET /api/pgn`
pub fn pgn(shared: &Arc<Shared>, query: GameQuery) -> Answer<Value> {
    let mut work = shared.work_in(query.epoch)?;
    let walk = work.enter(query.game)?;
    let pgn = match query.node {
        Some(node) => part(walk.game(), attached(walk, node)?).to_string(),
        None => walk.game().to_string(),
    };
    Ok(json!({ "pgn": pgn }))
}
