//! Lists of positions and of lines.

use std::io;

use chess::pgn::{Cursor, Game};
use chess::{Board, MoveText, Variant};
use tree::NodeId;

use super::ConvertOptions;

/// A game's positions, one FEN per line.
pub(super) fn write_fens(game: &Game, plan: &ConvertOptions, out: &mut Vec<u8>) {
    each_node(game, plan, |cursor| {
        out.extend_from_slice(cursor.board().fen().as_bytes());
        out.push(b'\n');
    });
}

/// The same as EPD: `sm` is the next move, `id` has file, game and position id.
pub(super) fn write_epds(game: &Game, name: &str, plan: &ConvertOptions, out: &mut Vec<u8>) {
    let mut id = 0;
    let name = name.replace(['"', '\n', '\r'], "'");
    each_node(game, plan, |cursor| {
        let board = cursor.board();
        out.extend_from_slice(board.epd().as_bytes());
        if let Some(next) = cursor.node().next().and_then(|next| next.mv()) {
            out.extend_from_slice(format!(" sm {};", board.san(next)).as_bytes());
        }
        out.extend_from_slice(format!(" id \"{name} {}.{id}\";\n", game.place().number).as_bytes());
        id += 1;
    });
}

/// Calls `each` for all selected nodes, in the order of their ids.
fn each_node(game: &Game, plan: &ConvertOptions, mut each: impl FnMut(&Cursor)) {
    let mut cursor = game.cursor();
    loop {
        if !plan.ends || cursor.node().is_end() {
            each(&cursor);
        }
        let went_on = if plan.without.variations {
            cursor.step()
        } else {
            cursor.walk()
        };
        if !went_on {
            return;
        }
    }
}

/// The lines of a game may add up to the square of its moves: more than this is refused.
const MOST_MOVES: usize = 50_000_000;

/// A game's lines, one `position` command per line.
pub(super) fn write_ucis(
    game: &Game,
    name: &str,
    plan: &ConvertOptions,
    out: &mut Vec<u8>,
) -> io::Result<()> {
    let start = start_command(game);
    let mut line = Line::default();
    let mut written = 0;
    for node in wanted_nodes(game, plan) {
        line.enter(game, node);
        if game.tree().is_terminal(node) {
            written += line.moves.len();
            if written > MOST_MOVES {
                return Err(too_long(game, name));
            }
            line.write(&start, out);
        }
    }
    Ok(())
}

fn wanted_nodes<'a>(
    game: &'a Game,
    plan: &ConvertOptions,
) -> Box<dyn Iterator<Item = NodeId> + 'a> {
    if plan.without.variations {
        Box::new(game.tree().local_mainline(NodeId::ROOT))
    } else {
        Box::new(game.tree().preorder())
    }
}

fn start_command(game: &Game) -> String {
    if game.start() == &Board::new() {
        "position startpos".to_owned()
    } else {
        format!("position fen {}", game.start().fen())
    }
}

fn too_long(game: &Game, name: &str) -> io::Error {
    let number = game.place().number;
    io::Error::other(format!(
        "{name}: the lines of game {number} have more than {MOST_MOVES} moves; leave variations out, or write JSON"
    ))
}

/// The moves to the current node of a walk in preorder.
#[derive(Default)]
struct Line {
    nodes: Vec<NodeId>,
    moves: Vec<MoveText>,
}

impl Line {
    fn enter(&mut self, game: &Game, node: NodeId) {
        let Some(&m) = game.tree().move_to(node) else {
            return;
        };
        let parent = game.tree().parent(node);
        while self.nodes.last().is_some_and(|&last| Some(last) != parent) {
            self.nodes.pop();
            self.moves.pop();
        }
        self.nodes.push(node);
        self.moves.push(match game.start().variant() {
            Variant::Chess960 => m.uci960(),
            _ => m.uci(),
        });
    }

    fn write(&self, start: &str, out: &mut Vec<u8>) {
        out.extend_from_slice(start.as_bytes());
        if !self.moves.is_empty() {
            out.extend_from_slice(b" moves");
        }
        for m in &self.moves {
            out.push(b' ');
            out.extend_from_slice(m.as_bytes());
        }
        out.push(b'\n');
    }
}
