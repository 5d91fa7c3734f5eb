//! The games of an archive as a list: selected, sorted, and sent by window.

use std::sync::Arc;

use desk::Board;
use desk::archive::{Archive, Column, Direction, Filter, GameRow, Listing};
use serde::Deserialize;
use serde_json::{Value, json};

use super::MOST_ROWS;
use crate::error::{Answer, ApiError};
use crate::listing::Order;
use crate::shared::Shared;

/// Which games to list.
#[derive(Deserialize)]
pub struct GamesQuery {
    pub epoch: Option<u64>,
    #[serde(default)]
    pub from: usize,
    pub count: Option<usize>,
    pub sort: Option<String>,
    #[serde(default)]
    pub reverse: u8,
    #[serde(default)]
    pub search: String,
    /// Of an archive: only games with the position of this node of a game.
    pub with: Option<u32>,
    #[serde(default)]
    pub game: usize,
}

/// The values of a row.
const COLUMNS: [&str; 9] = [
    "White", "Black", "Event", "Result", "WhiteElo", "BlackElo", "Date", "Opening", "Plies",
];

/// `GET /api/games` of an archive. The session is locked only while the position is read.
pub fn games(shared: &Shared, query: &GamesQuery, file: usize) -> Answer<Value> {
    let (archive, board, epoch, rev) = {
        let mut work = shared.work_in(query.epoch)?;
        let board = match query.with {
            Some(node) => Some(work.go(query.game, node, None)?.board()),
            None => None,
        };
        let (_, archive) = work.session.archive().ok_or_else(no_archive)?;
        (archive.clone(), board, work.epoch, work.rev)
    };
    let list = listing(shared, &archive, query, board)?;
    let count = query.count.unwrap_or(100).min(MOST_ROWS);
    let columns = COLUMNS.map(Column::named);
    let rows = list.rows(query.from as u64, count as u64, &columns)?;
    Ok(json!({
        "epoch": epoch,
        "rev": rev,
        "total": list.len(),
        "from": query.from,
        "rows": rows.iter().map(|one| row(one, file)).collect::<Vec<_>>(),
    }))
}

fn no_archive() -> ApiError {
    ApiError::not_found("no archive is open")
}

fn listing(
    shared: &Shared,
    archive: &Archive,
    query: &GamesQuery,
    board: Option<Board>,
) -> Answer<Arc<Listing>> {
    let order = Order {
        filter: query.search.trim().to_owned(),
        sort: query.sort.clone().unwrap_or_else(|| "number".to_owned()),
        is_reversed: query.reverse != 0,
        position: board.as_ref().map(place_of),
    };
    if let Some(list) = shared.listing.get(&order) {
        return Ok(list);
    }
    let mut filter: Filter = order.filter.parse().map_err(ApiError::bad_request)?;
    if let Some(board) = &board {
        filter = filter.reaching(board);
    }
    let column = column(&order.sort)?;
    let direction = if order.is_reversed {
        Direction::Down
    } else {
        Direction::Up
    };
    let is_sorted = column != Column::Number || order.is_reversed;
    let sort = is_sorted.then_some((&column, direction));
    let list = Arc::new(Listing::new(archive, &filter, sort)?);
    shared.listing.set(order, &list);
    Ok(list)
}

/// A position without its counters.
fn place_of(board: &Board) -> String {
    let fen = board.fen();
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// The openings of millions of games would have to be read: the ECO tag stands for them.
fn column(sort: &str) -> Answer<Column> {
    Ok(Column::named(match sort {
        "number" => "Number",
        "white" => "White",
        "black" => "Black",
        "result" => "Result",
        "ratings" => "Elo",
        "date" => "Date",
        "opening" => "ECO",
        "moves" => "Plies",
        _ => return Err(ApiError::bad_request(format!("unknown column {sort:?}"))),
    }))
}

fn row(row: &GameRow, file: usize) -> Value {
    let [
        white,
        black,
        event,
        result,
        white_elo,
        black_elo,
        date,
        opening,
        plies,
    ] = std::array::from_fn(|column| known(row, column));
    let number = |text: &str| text.parse::<u32>().unwrap_or(0);
    json!({
        // Before the games of an archive there is one to play moves in.
        "game": row.number,
        "file": file,
        "number": row.number,
        "title": "",
        "white": white,
        "black": black,
        "event": event,
        "result": result,
        "ratings": [number(white_elo), number(black_elo)],
        "date": date.replace(".??", ""),
        "opening": opening,
        "moves": number(plies).div_ceil(2),
        "changed": false,
    })
}

fn known(row: &GameRow, column: usize) -> &str {
    let value = row.values.get(column).map_or("", String::as_str);
    if value.starts_with('?') || value == "*" {
        ""
    } else {
        value
    }
}
