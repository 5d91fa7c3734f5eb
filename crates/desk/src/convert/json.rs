//! A game's tree as one JSON object on one line.
//!
//! Nodes are a flat list in the order of their position ids, each with the id of its parent, so a
//! tree of any depth can be read without recursion.

use std::borrow::Cow;
use std::io;

use chess::annotation::{Eval, Score, without_clocks};
use chess::pgn::{Cursor, Game, NoteKind};
use serde::Serialize;

use super::{ConvertOptions, Without};
use crate::openings::GameOpening;

#[derive(Serialize)]
struct GameRow<'a> {
    file: &'a str,
    game: u64,
    /// The range of its bytes in the file.
    offset: u64,
    bytes: u64,
    tags: Vec<(&'a str, &'a str)>,
    variant: String,
    fen: String,
    result: &'static str,
    /// The deepest named position of the mainline.
    opening: Option<GameOpening>,
    complaints: usize,
    nodes: Vec<NodeRow<'a>>,
}

#[derive(Serialize)]
struct NodeRow<'a> {
    parent: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    san: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uci: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fen: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nags: Vec<u32>,
    #[serde(skip_serializing_if = "str::is_empty")]
    starting_comment: Cow<'a, str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    comment: Cow<'a, str>,
    /// Unreadable text among the moves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unread: Vec<&'a str>,
    /// Seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<f64>,
    /// Seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    elapsed: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    eval: Option<EvalRow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    shapes: Vec<String>,
}

/// Hundredths of a pawn from White's side, or moves to mate, negative if Black mates.
#[derive(Serialize)]
struct EvalRow {
    #[serde(skip_serializing_if = "Option::is_none")]
    centipawns: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
}

/// Writes a game.
pub(super) fn write(
    game: &Game,
    file: &str,
    plan: &ConvertOptions,
    out: &mut Vec<u8>,
) -> io::Result<()> {
    let row = GameRow {
        file,
        game: game.place().number,
        offset: game.source().start,
        bytes: game.source().end - game.source().start,
        tags: game.tags().collect(),
        variant: game.start().variant().to_string(),
        fen: game.start().fen(),
        result: game.outcome().as_str(),
        opening: GameOpening::of(game),
        complaints: game.complaints().len(),
        nodes: nodes(game, plan),
    };
    serde_json::to_writer(&mut *out, &row)?;
    out.push(b'\n');
    Ok(())
}

fn nodes<'a>(game: &'a Game, plan: &ConvertOptions) -> Vec<NodeRow<'a>> {
    let mut ids = vec![0; game.tree().capacity_used()];
    let mut rows: Vec<NodeRow> = Vec::new();
    let mut cursor = game.cursor();
    loop {
        ids[cursor.id().index()] = rows.len() as u32;
        let parent = game
            .tree()
            .parent(cursor.id())
            .map(|parent| ids[parent.index()]);
        rows.push(node(&cursor, parent, plan));
        let went_on = if plan.without.variations {
            cursor.step()
        } else {
            cursor.walk()
        };
        if !went_on {
            return rows;
        }
    }
}

fn node<'a>(cursor: &Cursor<'a>, parent: Option<u32>, plan: &ConvertOptions) -> NodeRow<'a> {
    let node = cursor.node();
    let Without {
        comments,
        clocks,
        nags,
        ..
    } = plan.without;
    let timed = !comments && !clocks;
    NodeRow {
        parent,
        san: parent.map(|_| cursor.san().to_string()),
        uci: parent.map(|_| node.uci()),
        fen: plan.fens.then(|| cursor.board().fen()),
        nags: node.nags().filter(|_| !nags).collect(),
        starting_comment: comment_text(node.starting_comment(), plan.without),
        comment: comment_text(node.comment(), plan.without),
        unread: unread(cursor),
        clock: node
            .clock()
            .filter(|_| timed)
            .map(|time| time.as_secs_f64()),
        elapsed: node
            .elapsed()
            .filter(|_| timed)
            .map(|time| time.as_secs_f64()),
        eval: node.eval().filter(|_| !comments).map(eval),
        shapes: node
            .shapes()
            .iter()
            .filter(|_| !comments)
            .map(ToString::to_string)
            .collect(),
    }
}

fn comment_text(comment: Cow<str>, without: Without) -> Cow<str> {
    match (without.comments, without.clocks) {
        (true, _) => Cow::Borrowed(""),
        (false, true) => Cow::Owned(without_clocks(&comment).into_owned()),
        (false, false) => comment,
    }
}

fn unread<'a>(cursor: &Cursor<'a>) -> Vec<&'a str> {
    let game = cursor.node().game();
    let notes = game
        .notes_at(cursor.id())
        .filter(|note| !matches!(note.kind, NoteKind::Comment(_)));
    notes.map(|note| game.text(note.text)).collect()
}

fn eval(eval: Eval) -> EvalRow {
    let (centipawns, mate) = match eval.score {
        Score::Centipawns(score) => (Some(score.into()), None),
        Score::Mate(side, moves) => (None, Some(side.fold_wb(1, -1) * i64::from(moves))),
    };
    EvalRow {
        centipawns,
        mate,
        depth: eval.depth,
    }
}
