//! The game as text: blocks of moves, comments and folded variations.

use std::sync::Arc;

use desk::NodeId;
use desk::notation::{Block, Content, MoveNames, Outline, comment, comment_before, is_inline};
use desk::walk::Walk;
use serde::Deserialize;
use serde_json::{Value, json};

use super::MOST_ROWS;
use super::position::window;
use crate::error::Answer;
use crate::requests::FoldRequest;
use crate::route::Client;
use crate::shared::{Cached, Shared};

/// Which part of a game.
#[derive(Deserialize)]
pub struct NotationRequest {
    epoch: Option<u64>,
    game: usize,
    #[serde(default)]
    node: u32,
    from: Option<usize>,
    count: Option<usize>,
    #[serde(default)]
    folds: FoldRequest,
}

/// `POST /api/notation`
pub fn notation(shared: &Arc<Shared>, request: NotationRequest, _: Client) -> Answer<Value> {
    let mut work = shared.work_in(request.epoch)?;
    work.go(request.game, request.node, None)?;
    let of = (request.game, work.rev);
    let known = work.outline.take();
    let walk = work.session.walk();
    let folds = request.folds.folds();
    let unfolded = folds.unfolded_around(walk);
    let folds_now = (request.folds, unfolded);
    let known = known.filter(|known| known.of == of && known.folds == folds_now);
    let cached = known.unwrap_or_else(|| Cached {
        of,
        result: Outline::new(walk, &folds),
        folds: folds_now,
    });
    let outline = &cached.result;
    let current = outline.block_of(walk);
    let count = request.count.unwrap_or(60).min(MOST_ROWS);
    let total = outline.blocks.len();
    let seen = window(request.from, Some(current), count, total);
    let from = seen.start;
    let mut names = MoveNames::new(walk);
    let blocks = outline.blocks[seen].iter();
    let blocks: Vec<Value> = blocks.map(|part| block(walk, &mut names, part)).collect();
    let answer = json!({
        "epoch": work.epoch,
        "rev": work.rev,
        "total": total,
        "from": from,
        "current": current,
        "blocks": blocks,
    });
    work.outline = Some(cached);
    Ok(answer)
}

fn block(walk: &Walk, names: &mut MoveNames<'_>, block: &Block) -> Value {
    let text = |node: Option<NodeId>, is_before: bool, text: String| {
        json!({
            "kind": "text",
            "depth": block.depth,
            "node": node.map(|node| node.0),
            "before": is_before,
            "text": text,
        })
    };
    match &block.content {
        Content::Moves { nodes, opens } => json!({
            "kind": "moves",
            "depth": block.depth,
            "opens": nodes.first().filter(|_| *opens).map(|node| node.0),
            "moves": moves(walk, names, block.depth, nodes),
        }),
        &Content::Comment(node) => text(Some(node), false, comment(walk, node)),
        &Content::CommentBefore(node) => text(Some(node), true, comment_before(walk, node)),
        Content::Result => text(None, false, walk.game().outcome().to_string()),
        &Content::Folded(node) => json!({
            "kind": "folded",
            "depth": block.depth,
            "node": node.0,
            "text": names.of(node, true).to_string(),
            "lines": walk.lines().through(node),
        }),
    }
}

fn moves(walk: &Walk, names: &mut MoveNames<'_>, depth: usize, nodes: &[NodeId]) -> Vec<Value> {
    let mut has_number = true;
    let one = |&node: &NodeId| {
        let name = names.of(node, has_number);
        let text = comment(walk, node);
        has_number = !text.is_empty();
        let text = if is_inline(depth, &text) {
            text
        } else {
            String::new()
        };
        json!({
            "node": node.0,
            "number": name.number,
            "san": name.san,
            "glyphs": name.glyphs,
            "comment": text,
        })
    };
    nodes.iter().map(one).collect()
}
