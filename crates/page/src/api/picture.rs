//! The tree as a picture: a window of a map, or the whole as SVG.

use std::sync::Arc;

use desk::NodeId;
use desk::draw::{Format, Paper, Theme, TreeOptions, TreePart, draw_tree};
use desk::tree_map::{MapArc, MapFolds, MapItem, TreeMap, Window};
use desk::walk::Walk;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::{Answer, ApiError};
use crate::reply::Typed;
use crate::route::Client;
use crate::shared::{Cached, Shared};

/// Which part of the tree.
#[derive(Deserialize)]
pub struct PictureRequest {
    epoch: Option<u64>,
    game: usize,
    #[serde(default)]
    node: u32,
    #[serde(default)]
    folds: FoldedNodes,
    window: Option<WindowRequest>,
    most: Option<usize>,
}

#[derive(Deserialize, Default)]
struct FoldedNodes {
    #[serde(default)]
    closed: Vec<u32>,
    #[serde(default)]
    open: Vec<u32>,
}

#[derive(Deserialize)]
struct WindowRequest {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

/// Items of an answer, unless asked for otherwise, and at most.
const ITEMS: usize = 2000;
const MOST_ITEMS: usize = 10_000;

/// The window around a node, unless another is asked for.
const USUAL: (f64, f64) = (1600.0, 1000.0);

/// `POST /api/picture`
pub fn picture(shared: &Arc<Shared>, request: PictureRequest, _: Client) -> Answer<Value> {
    let mut work = shared.work_in(request.epoch)?;
    work.go(request.game, request.node, None)?;
    let nodes = |list: Vec<u32>| list.into_iter().map(NodeId).collect();
    let folds = MapFolds {
        closed: nodes(request.folds.closed),
        open: nodes(request.folds.open),
    };
    let (game, rev, node) = (request.game, work.rev, NodeId(request.node));
    let known = work.map.take().filter(|known| {
        let is_same = known.of == (game, rev) && known.folds == folds;
        is_same && known.result.place(node).is_some()
    });
    let walk = work.session.walk();
    let cached = known.unwrap_or_else(|| Cached {
        of: (game, rev),
        result: TreeMap::new(walk, &folds),
        folds,
    });
    let map = &cached.result;
    let (width, height) = map.size();
    let current = map.place(node).unwrap_or_default();
    let window = request.window.map_or_else(|| around(current), checked);
    let most = request.most.unwrap_or(ITEMS).min(MOST_ITEMS);
    let items = map.window(walk, window, most);
    let answer = json!({
        "epoch": work.epoch,
        "rev": rev,
        "width": width,
        "height": height,
        "current": {"x": current.0, "y": current.1},
        "items": items.iter().map(|part| item(walk, part)).collect::<Vec<_>>(),
        "arcs": map.arcs(walk, &items).iter().map(arc).collect::<Vec<_>>(),
    });
    work.map = Some(cached);
    Ok(answer)
}

fn around((x, y): (f64, f64)) -> Window {
    let (width, height) = USUAL;
    Window {
        x: x - width / 2.0,
        y: y - height / 2.0,
        width,
        height,
    }
}

fn checked(window: WindowRequest) -> Window {
    let WindowRequest {
        x,
        y,
        width,
        height,
    } = window;
    Window {
        x,
        y,
        width,
        height,
    }
}

fn item(walk: &Walk, item: &MapItem) -> Value {
    let kind = match (item.folded, item.node) {
        (Some(_), _) => "folded",
        (None, NodeId::ROOT) => "start",
        (None, _) => "move",
    };
    let lines = item
        .folded
        .map_or_else(|| walk.lines().through(item.node), |(lines, _)| lines);
    let parent = item.parent;
    json!({
        "kind": kind,
        "node": item.node.0,
        "parent": parent.map(|(node, ..)| node.0),
        "x": item.place.0,
        "y": item.place.1,
        "width": item.size.0,
        "height": item.size.1,
        "text": item.text,
        "mainline": walk.tree().is_mainline(item.node),
        "lines": lines,
        "folded": item.folded.map_or(0, |(_, nodes)| nodes),
        "px": parent.map(|(_, x, _)| x),
        "py": parent.map(|(.., y)| y),
    })
}

fn arc(arc: &MapArc) -> Value {
    let ((from, x1, y1), (to, x2, y2)) = (arc.from, arc.to);
    json!({"from": from.0, "to": to.0, "x1": x1, "y1": y1, "x2": x2, "y2": y2})
}

/// A picture to download.
#[derive(Deserialize)]
pub struct SvgQuery {
    epoch: Option<u64>,
    game: usize,
    node: Option<u32>,
    #[serde(default)]
    dark: u8,
}

/// Larger trees are folded in a picture.
const BUDGET: usize = 5000;

/// `GET /api/picture.svg`
pub fn svg(shared: &Arc<Shared>, query: SvgQuery) -> Answer<Typed> {
    let (game, part) = {
        let mut work = shared.work_in(query.epoch)?;
        let walk = work.go(query.game, query.node.unwrap_or(0), None)?;
        let part = TreePart {
            at: walk.at(),
            ..TreePart::default()
        };
        (walk.game().clone(), part)
    };
    let options = TreeOptions {
        budget: Some(BUDGET),
        ..TreeOptions::default()
    };
    let paper = Paper {
        theme: if query.dark != 0 {
            Theme::Dark
        } else {
            Theme::Light
        },
        ..Paper::default()
    };
    let drawn = draw_tree(&game, &part, &options, &paper, Format::Svg);
    let drawn = drawn.map_err(ApiError::refused)?;
    Ok(("image/svg+xml", drawn.bytes))
}
