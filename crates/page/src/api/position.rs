//! A position: what the board, the table and the editors show.

use std::ops::Range;
use std::sync::Arc;

use desk::annotation::{Paint, Shape};
use desk::edit::plain_comment;
use desk::place::Place;
use desk::positions::LONGEST_PATH;
use desk::table::{Cell, Row, label};
use desk::walk::{SearchText, Walk};
use desk::{Board, NodeId, nag};
use serde::Deserialize;
use serde_json::{Value, json};

use super::orders::graph_with;
use crate::error::{Answer, ApiError};
use crate::marks;
use crate::shared::{Shared, Work};

/// Which position, and how much of its table.
#[derive(Deserialize)]
pub struct PositionQuery {
    epoch: Option<u64>,
    game: usize,
    node: Option<u32>,
    path: Option<String>,
    place: Option<String>,
    at: Option<u32>,
    line: Option<u32>,
    rows: Option<usize>,
    from: Option<usize>,
    alternatives: Option<usize>,
}

/// Rows of the table and alternatives of a row, unless asked for otherwise, and at most.
const ROWS: usize = 60;
const ALTERNATIVES: usize = 8;
const MOST: usize = 500;

/// `GET /api/position`
pub fn position(shared: &Arc<Shared>, query: PositionQuery) -> Answer<Value> {
    let mut work = shared.work_in(query.epoch)?;
    let followed = go(&mut work, &query)?;
    if !work.session.has_marks() {
        marks::request(shared, query.game);
    }
    let walk = work.session.walk();
    let mut answer = describe(walk);
    answer["epoch"] = work.epoch.into();
    answer["rev"] = work.rev.into();
    answer["game"] = query.game.into();
    answer["followed"] = json!(followed);
    answer["table"] = table(walk, &query);
    Ok(answer)
}

/// Goes to the position of a query. Returns the number of moves of a path that exist.
fn go(work: &mut Work, query: &PositionQuery) -> Answer<Option<usize>> {
    match (&query.path, &query.place) {
        (Some(path), _) => {
            let walk = work.enter(query.game)?;
            let (node, followed) = follow(walk, path);
            work.go(query.game, node.0, query.line)?;
            Ok(Some(followed))
        }
        (None, Some(place)) => {
            work.go(query.game, query.at.unwrap_or(0), query.line)?;
            let place = Place::read(place)?;
            work.session.walk_mut().go_to(&place)?;
            Ok(None)
        }
        (None, None) => {
            work.go(query.game, query.node.unwrap_or(0), query.line)?;
            Ok(None)
        }
    }
}

/// Follows moves in UCI as far as a game has them.
fn follow(walk: &Walk, path: &str) -> (NodeId, usize) {
    let (tree, mut board) = (walk.tree(), walk.game().start().clone());
    let (mut node, mut followed) = (NodeId::ROOT, 0);
    for word in path.split(',').filter(|word| !word.is_empty()) {
        let mv = board.parse_uci(word).ok();
        let child = mv.and_then(|mv| tree.child_by(node, |other| *other == mv));
        let (Some(mv), Some(child)) = (mv, child) else {
            break;
        };
        board.play(mv);
        (node, followed) = (child, followed + 1);
    }
    (node, followed)
}

fn describe(walk: &Walk) -> Value {
    let (tree, node, board) = (walk.tree(), walk.at(), walk.board());
    let written = walk.game().node(node);
    let line_end = walk.view().line(tree, node).last();
    let siblings = tree.siblings(node).count();
    let nags = written.nags().map(|number| {
        let glyph = nag::glyph(number).map_or_else(|| format!("${number}"), str::to_owned);
        json!({"nag": number, "glyph": glyph})
    });
    let mut answer = json!({
        "node": node.0,
        "parent": tree.parent(node).map(|parent| parent.0),
        "ply": tree.ply(node),
        "fen": board.fen(),
        "turn": board.turn().fold_wb("white", "black"),
        "check": board.is_check(),
        "over": over(&board),
        "last": last(walk),
        "legal": legal(walk, &board),
        "next": walk.view().next(tree, node).map(|next| next.0),
        "line_end": line_end.map(|end| end.0),
        "depth": tree.depth(node),
        "rank": tree.choice(node).map(|choice| [choice, siblings]),
        "comment": plain_comment(&written.comment()),
        "comment_before": plain_comment(&written.starting_comment()),
        "nags": nags.collect::<Vec<_>>(),
        "shapes": written.shapes().iter().map(shape).collect::<Vec<_>>(),
        "clock": written.clock().map(|clock| clock.as_secs_f64()),
        "elapsed": written.elapsed().map(|elapsed| elapsed.as_secs_f64()),
        "eval": written.eval().map(|eval| eval.to_string()),
        "opening": walk.opening(),
        "marks": walk.transpositions().is_some(),
        "transposes": walk.has_other_paths(node),
    });
    (answer["path"], answer["moves"]) = path(walk);
    answer
}

/// The moves to a position as text and in UCI; of a very long line only its position id.
fn path(walk: &Walk) -> (Value, Value) {
    let moves = walk.moves_to(walk.at());
    if moves.len() > LONGEST_PATH {
        let id = walk.tree().position_id(walk.at());
        return (json!(id.map(|id| format!("#{}", id.0))), Value::Null);
    }
    let mut board: Board = walk.game().start().clone();
    let uci = moves.iter().map(|&mv| {
        let text = board.uci(mv).to_string();
        board.play(mv);
        text
    });
    let uci: Vec<String> = uci.collect();
    (walk.path().into(), uci.into())
}

fn last(walk: &Walk) -> Value {
    let (Some(mv), Some(parent)) = (walk.last_move(), walk.tree().parent(walk.at())) else {
        return Value::Null;
    };
    let before = walk.game().board_at(parent);
    json!({
        "uci": &*before.uci(mv),
        "san": &*before.san(mv),
        "text": walk.game_view().last_move(walk.at()),
    })
}

fn legal(walk: &Walk, board: &Board) -> Vec<Value> {
    let (tree, node) = (walk.tree(), walk.at());
    let moves = board.legal_moves();
    let moves = moves.iter().map(|&mv| {
        let child = tree.child_by(node, |other| *other == mv);
        json!({
            "uci": &*board.uci(mv),
            "san": &*board.san(mv),
            "node": child.map(|child| child.0),
        })
    });
    moves.collect()
}

fn over(board: &Board) -> Option<&'static str> {
    if board.is_checkmate() {
        Some("checkmate")
    } else if board.is_stalemate() {
        Some("stalemate")
    } else if board.is_insufficient_material() {
        Some("insufficient")
    } else {
        board.outcome().map(|_| "variant")
    }
}

fn shape(shape: &Shape) -> Value {
    let color = match shape.paint {
        Paint::Green => "green",
        Paint::Red => "red",
        Paint::Yellow => "yellow",
        Paint::Blue => "blue",
    };
    let to = (!shape.is_square()).then(|| shape.to.to_string());
    json!({"from": shape.from.to_string(), "to": to, "color": color})
}

fn table(walk: &Walk, query: &PositionQuery) -> Value {
    let total = walk.table().row_count();
    let current = walk.current_row();
    let rows = query.rows.unwrap_or(ROWS).min(MOST);
    let alternatives = query.alternatives.unwrap_or(ALTERNATIVES).min(MOST);
    let window = window(query.from, current, rows, total);
    let from = window.start;
    let rows = walk.rows(window, alternatives);
    json!({
        "total": total,
        "from": from,
        "current": current,
        "rows": rows.iter().map(row).collect::<Vec<_>>(),
    })
}

/// `GET /api/positions`: the table of positions mode, in which each position is one node over all
/// games. Its cells name a place where their move is written, in the game of the request if possible.
pub fn positions(shared: &Arc<Shared>, query: PositionQuery) -> Answer<Value> {
    let (graph, first, moves, epoch, rev) = {
        let mut work = shared.work_in(query.epoch)?;
        let moves = work.go(query.game, query.node.unwrap_or(0), None)?.moves();
        let (graph, first) = graph_with(&mut work.session);
        (graph, first, moves, work.epoch, work.rev)
    };
    let own = query.game - first;
    let start = graph
        .start_of(own)
        .ok_or_else(|| ApiError::not_found("no such position"))?;
    let mut walk = Walk::joined(Arc::clone(&graph), start);
    walk.follow(&moves);
    let mut table = table(&walk, &query);
    let place = |node: u32| -> Option<(usize, u32)> {
        let node = NodeId(node);
        let spots = graph.spots_of(walk.edge_to(node), walk.vertex_of(node)?);
        let own = spots.iter().find(|spot| spot.game == own);
        let spot = own.or(spots.first())?;
        Some((first + spot.game, spot.node.0))
    };
    for row in table["rows"].as_array_mut().into_iter().flatten() {
        for cell in cells(row) {
            let node = cell["node"]
                .as_u64()
                .and_then(|node| u32::try_from(node).ok());
            let found = node.and_then(place);
            cell["current"] = (node == Some(walk.at().0)).into();
            cell["game"] = json!(found.map(|(game, _)| game));
            cell["node"] = json!(found.map(|(_, node)| node));
        }
    }
    Ok(json!({"epoch": epoch, "rev": rev, "table": table}))
}

/// The cells of a row.
fn cells(row: &mut Value) -> impl Iterator<Item = &mut Value> {
    let parts = row
        .as_object_mut()
        .into_iter()
        .flat_map(|row| row.values_mut());
    parts.flat_map(|part| match part {
        Value::Array(cells) => cells.iter_mut().collect(),
        Value::Object(_) => vec![part],
        _ => Vec::new(),
    })
}

/// Some rows from the first one asked for, or with the current one a third of the way down.
pub fn window(
    from: Option<usize>,
    current: Option<usize>,
    count: usize,
    total: usize,
) -> Range<usize> {
    let around = || current.unwrap_or(0).saturating_sub(count / 3);
    let last = total.saturating_sub(count);
    let from = from.unwrap_or_else(|| around().min(last)).min(total);
    from..from.saturating_add(count).min(total)
}

fn row(row: &Row) -> Value {
    let one = |found: &Option<Cell>| found.as_ref().map(|found| cell(found, String::new()));
    let others = row.alternatives.iter().enumerate();
    let others = others.map(|(index, found)| cell(found, label(index)));
    json!({
        "number": row.number,
        "first": one(&row.first),
        "second": one(&row.second),
        "alternatives": others.collect::<Vec<_>>(),
        "more": row.more,
    })
}

fn cell(cell: &Cell, label: String) -> Value {
    let caption = &cell.caption;
    json!({
        "node": cell.node.0,
        "san": caption.text,
        "glyphs": caption.glyphs,
        "label": label,
        "choice": cell.choice,
        "lines": cell.lines,
        "ends": cell.ends,
        "comment": caption.comment,
        "transposes": caption.transposes,
        "matches": caption.matches,
        "matches_below": caption.matches_below,
        "result": caption.result,
    })
}

/// A step through a game.
#[derive(Deserialize)]
pub struct StepQuery {
    epoch: Option<u64>,
    game: usize,
    node: u32,
    to: String,
    line: Option<u32>,
}

/// `GET /api/step`
pub fn step(shared: &Arc<Shared>, query: StepQuery) -> Answer<Value> {
    let mut work = shared.work_in(query.epoch)?;
    work.go(query.game, query.node, query.line)?;
    let walk = work.session.walk_mut();
    let found = match query.to.as_str() {
        "next-alternative" => walk.next_alternative(),
        "previous-alternative" => walk.previous_alternative(),
        "next-branching" => walk.next_branching(),
        "previous-branching" => walk.previous_branching(),
        "leave-variation" => walk.leave_variation(),
        "start" => walk.to_start(),
        "end" => walk.to_end(),
        other => return Err(ApiError::bad_request(format!("unknown step {other:?}"))),
    };
    Ok(json!({"node": found.then(|| walk.at().0)}))
}

/// A position of a game.
#[derive(Deserialize)]
pub struct OpeningQuery {
    epoch: Option<u64>,
    game: usize,
    node: u32,
}

/// `GET /api/opening`
pub fn opening(shared: &Arc<Shared>, query: OpeningQuery) -> Answer<Value> {
    let mut work = shared.work_in(query.epoch)?;
    work.go(query.game, query.node, None)?;
    if !work.session.has_archives() {
        return Err(ApiError::not_found(
            "no archive; use gametree serve --archive NAME",
        ));
    }
    let table = work.session.opening_statistics();
    Ok(json!(table.map_err(ApiError::failed)?))
}

/// A search in a game.
#[derive(Deserialize)]
pub struct FindQuery {
    epoch: Option<u64>,
    game: usize,
    node: u32,
    text: String,
    #[serde(default)]
    back: u8,
}

/// `GET /api/find`
pub fn find(shared: &Arc<Shared>, query: FindQuery) -> Answer<Value> {
    let text = SearchText::new(&query.text);
    let text = text.ok_or_else(|| ApiError::bad_request("nothing to search for"))?;
    let mut work = shared.work_in(query.epoch)?;
    work.go(query.game, query.node, None)?;
    let walk = work.session.walk_mut();
    let found = if query.back != 0 {
        walk.search_back(&text)
    } else {
        walk.search(&text)
    };
    Ok(json!({"node": found.then(|| walk.at().0)}))
}
