//! Games: reading, the tree as columns, moves and positions of nodes, writing.

use std::cell::RefCell;
use std::io::Cursor;

use chess::Board;
use chess::Variant;
use chess::pgn::{self, Complaint, Cursor as NodeCursor, ExportOptions, Game, Outcome, Severity};
use napi::bindgen_prelude::{External, Result, Uint32Array};
use napi_derive::napi;
use serde_json::json;
use tree::NodeId;

use crate::moves::{self, invalid};

/// A game that JavaScript owns.
pub type GameHandle = External<RefCell<Game>>;

/// Notes and glyphs, so that JavaScript asks only for those that exist.
const HAS_NOTES: u32 = 1 << moves::BITS;
const HAS_NAGS: u32 = 2 << moves::BITS;

/// Bytes of a node with its share of tables, for the garbage collector.
const NODE_SIZE: usize = 48;

/// A handle on a game.
pub fn handle(game: Game) -> GameHandle {
    let size = 1_000 + NODE_SIZE * game.tree().node_count();
    External::new_with_size_hint(RefCell::new(game), size)
}

/// The node with this number.
pub fn node_of(game: &Game, id: u32) -> Result<NodeId> {
    let id = NodeId(id);
    let known = game.tree().contains(id);
    known
        .then_some(id)
        .ok_or_else(|| invalid("no such node in this game"))
}

/// A game without moves.
#[napi(catch_unwind)]
pub fn new_game(fen: Option<String>) -> Result<GameHandle> {
    let Some(fen) = fen else {
        return Ok(handle(Game::new()));
    };
    Ok(handle(Game::from_board(read_fen(&fen, None)?)))
}

/// The position of a FEN. Without a variant, a pocket means Crazyhouse.
pub fn read_fen(fen: &str, variant: Option<Variant>) -> Result<Board> {
    let guess = if fen.contains('[') {
        Variant::Crazyhouse
    } else {
        Variant::Standard
    };
    Board::from_fen(fen, variant.unwrap_or(guess))
        .map_err(|error| invalid(&format!("invalid FEN \"{fen}\": {error}")))
}

/// The first games of a text, at most `limit`.
#[napi(catch_unwind)]
pub fn read_games(text: &[u8], limit: u32) -> Vec<GameHandle> {
    let games = pgn::read_games(text).map_while(std::result::Result::ok);
    games.take(limit as usize).map(handle).collect()
}

/// The games of a text, read as they are asked for.
pub type TextHandle = External<RefCell<pgn::Games<Cursor<Vec<u8>>>>>;

/// Starts to read a text.
#[napi(catch_unwind)]
pub fn open_text(text: &[u8]) -> TextHandle {
    let games = pgn::read_games(Cursor::new(text.to_vec()));
    External::new_with_size_hint(RefCell::new(games), text.len())
}

/// The next games of a text, at most `limit`; none at its end.
#[napi(catch_unwind)]
pub fn next_of_text(text: &TextHandle, limit: u32) -> Vec<GameHandle> {
    let mut games = text.borrow_mut();
    let games = games.by_ref().map_while(std::result::Result::ok);
    games.take(limit as usize).map(handle).collect()
}

/// The nodes in preorder, three numbers each: the node, its parent, its move with flags.
#[napi(catch_unwind)]
pub fn nodes(game: &GameHandle) -> Uint32Array {
    let game = game.borrow();
    let tree = game.tree();
    let mut columns = Vec::with_capacity(3 * tree.node_count());
    for id in tree.preorder() {
        let packed = tree
            .move_to(id)
            .map_or(0, |&mv| moves::pack(game.start(), mv));
        let parent = tree.parent(id).unwrap_or(NodeId::ROOT);
        columns.extend([id.0, parent.0, packed | flags(&game, id)]);
    }
    Uint32Array::new(columns)
}

fn flags(game: &Game, id: NodeId) -> u32 {
    let notes = if game.notes_at(id).next().is_some() {
        HAS_NOTES
    } else {
        0
    };
    let nags = if game.nags_at(id).len() > 0 {
        HAS_NAGS
    } else {
        0
    };
    notes | nags
}

/// The move of a node in SAN.
#[napi(catch_unwind)]
pub fn san(game: &GameHandle, id: u32) -> Result<String> {
    let game = game.borrow();
    Ok(game.node(node_of(&game, id)?).san())
}

/// The position of a node as FEN.
#[napi(catch_unwind)]
pub fn fen(game: &GameHandle, id: u32) -> Result<String> {
    let game = game.borrow();
    Ok(game.node(node_of(&game, id)?).fen())
}

/// The moves of a node and of the next ones in preorder in SAN, one a line. A walk over many nodes
/// is faster this way.
#[napi(catch_unwind)]
pub fn sans(game: &GameHandle, first: u32, count: u32) -> Result<String> {
    lines(game, first, count, |cursor, text| {
        text.push_str(&cursor.san())
    })
}

/// The same for positions as FEN.
#[napi(catch_unwind)]
pub fn fens(game: &GameHandle, first: u32, count: u32) -> Result<String> {
    lines(game, first, count, |cursor, text| {
        text.push_str(&cursor.board().fen())
    })
}

fn lines(
    game: &GameHandle,
    first: u32,
    count: u32,
    write: impl Fn(&NodeCursor, &mut String),
) -> Result<String> {
    let game = game.borrow();
    let mut cursor = game.cursor();
    cursor.go(node_of(&game, first)?);
    let mut text = String::new();
    write(&cursor, &mut text);
    for _ in 1..count {
        if !cursor.walk() {
            break;
        }
        text.push('\n');
        write(&cursor, &mut text);
    }
    Ok(text)
}

/// The half-move number of the start: the number of half-moves before it.
#[napi(catch_unwind)]
pub fn start_ply(game: &GameHandle) -> u32 {
    game.borrow().start().ply()
}

/// The first byte of the game in its text or file, and the first byte after it.
#[napi(catch_unwind)]
pub fn source(game: &GameHandle) -> Vec<f64> {
    let source = game.borrow().source();
    // Exact for files of up to 2^53 bytes.
    vec![source.start as f64, source.end as f64]
}

/// The tags: names and values in turn.
#[napi(catch_unwind)]
pub fn tags(game: &GameHandle) -> Vec<String> {
    let game = game.borrow();
    let tags = game.tags();
    tags.flat_map(|(name, value)| [name.to_owned(), value.to_owned()])
        .collect()
}

/// Sets a tag. `FEN` and `Variant` also set the starting position, if the game has no moves yet;
/// `Result` sets the result.
#[napi(catch_unwind)]
pub fn set_tag(game: &GameHandle, name: String, value: String) -> Result<()> {
    let mut game = game.borrow_mut();
    match name.as_str() {
        "FEN" => {
            let variant = game.start().variant();
            let variant = (variant != Variant::Standard).then_some(variant);
            let start = read_fen(&value, variant)?;
            set_start(&mut game, start)
        }
        "Variant" => match Variant::from_tag(&value) {
            Some(variant) if variant != game.start().variant() => {
                set_start(&mut game, Board::for_variant(variant))
            }
            _ => {
                game.set_tag(&name, &value);
                Ok(())
            }
        },
        "Result" => {
            game.set_outcome(Outcome::read(value.as_bytes()).unwrap_or(Outcome::Unknown));
            game.set_tag(&name, &value);
            Ok(())
        }
        _ => {
            game.set_tag(&name, &value);
            Ok(())
        }
    }
}

fn set_start(game: &mut Game, start: Board) -> Result<()> {
    if !game.tree().is_terminal(NodeId::ROOT) {
        return Err(invalid(
            "the starting position of a game with moves cannot change",
        ));
    }
    game.set_start(start);
    Ok(())
}

/// Removes a tag. Without `FEN` or `Variant`, a game starts as chess does; its moves must allow it.
#[napi(catch_unwind)]
pub fn remove_tag(game: &GameHandle, name: String) -> Result<bool> {
    let mut game = game.borrow_mut();
    if game.tag(&name).is_none() {
        return Ok(false);
    }
    match name.as_str() {
        "FEN" => {
            let start = Board::for_variant(game.start().variant());
            set_start(&mut game, start)?;
        }
        "Variant" => set_start(&mut game, Board::new())?,
        "Result" => game.set_outcome(Outcome::Unknown),
        _ => {}
    }
    game.remove_tag(&name);
    Ok(true)
}

/// What could not be read, as JSON.
#[napi(catch_unwind)]
pub fn complaints(game: &GameHandle) -> String {
    let game = game.borrow();
    let found = game.complaints().iter();
    let found: Vec<_> = found.map(|complaint| describe(&game, complaint)).collect();
    json!(found).to_string()
}

fn describe(game: &Game, complaint: &Complaint) -> serde_json::Value {
    json!({
        "message": complaint.kind.to_string(),
        "severity": severity(complaint.kind.severity()),
        "text": complaint.excerpt,
        "line": complaint.location.line,
        "column": complaint.location.column,
        "fen": game.node(complaint.node).fen(),
    })
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        _ => "warning",
    }
}

/// The game as PGN, wrapped at some column unless 0.
#[napi(catch_unwind)]
pub fn to_pgn(game: &GameHandle, columns: u32) -> String {
    let options = ExportOptions::default().columns((columns > 0).then_some(columns as usize));
    pgn::export(&game.borrow(), &options)
}
