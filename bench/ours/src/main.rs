//! The benchmarked operations of gametree: one thread, a stream of bytes, no terminal.
//!
//! `gametree-bench tree|moves|tags FILE` prints `games moves bytes-of-comments`, as the rivals do;
//! `gametree-bench write FILE` prints `games moves bytes-written`, `gametree-bench graph FILE`
//! `games moves positions`.

#![allow(
    clippy::print_stdout,
    reason = "its answer goes to the benchmark runner"
)]

use std::{env, fs::File, io, process::ExitCode};

use gametree_chess::pgn::{
    Builder, ExportOptions, Game, NoteKind, Reader, Span, Visitor, export_bytes, scan,
};
use gametree_chess::{Identity, KeyedBoard};
use gametree_tree::NodeId;
use gametree_tree::graph::Graph;

fn main() -> ExitCode {
    let args: Vec<String> = env::args().collect();
    let [_, mode, path] = args.as_slice() else {
        return usage();
    };
    let counted = match mode.as_str() {
        "tree" => trees(path),
        "write" => written(path),
        "moves" => tokens(path, true),
        "tags" => tokens(path, false),
        "graph" => return answer(path, graph(path)),
        _ => return usage(),
    };
    answer(path, counted)
}

fn answer(path: &str, counted: io::Result<Counted>) -> ExitCode {
    match counted {
        Ok(Counted { games, moves, text }) => println!("{games} {moves} {text}"),
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    eprintln!("usage: gametree-bench tree|moves|tags|write|graph FILE");
    ExitCode::from(2)
}

#[derive(Default)]
struct Counted {
    games: u64,
    moves: u64,
    text: u64,
}

/// Every move checked, every annotation kept, one game at a time.
fn trees(path: &str) -> io::Result<Counted> {
    let mut reader = Reader::new(File::open(path)?);
    let mut builder = Builder::new();
    let mut game = Game::default();
    let mut counted = Counted::default();
    while let Some(raw) = reader.next_game()? {
        builder.read_into(raw, &mut game);
        counted.games += 1;
        counted.moves += game.tree().capacity_used() as u64 - 1;
        counted.text += comment_bytes(&game);
    }
    Ok(counted)
}

/// Every game read as a tree and written in export format, one at a time.
fn written(path: &str) -> io::Result<Counted> {
    let mut reader = Reader::new(File::open(path)?);
    let mut builder = Builder::new();
    let mut game = Game::default();
    let mut text = Vec::new();
    let options = ExportOptions::default();
    let mut counted = Counted::default();
    while let Some(raw) = reader.next_game()? {
        builder.read_into(raw, &mut game);
        export_bytes(&game, &options, &mut text);
        counted.games += 1;
        counted.moves += game.tree().capacity_used() as u64 - 1;
        counted.text += text.len() as u64;
        text.clear();
    }
    Ok(counted)
}

/// Adds all games to one position graph; its memory use goes to standard error.
fn graph(path: &str) -> io::Result<Counted> {
    let mut reader = Reader::new(File::open(path)?);
    let mut builder = Builder::new();
    let mut game = Game::default();
    let mut counted = Counted::default();
    let mut graph = Graph::new(gametree_tree::graph::Identity::Position);
    while let Some(raw) = reader.next_game()? {
        builder.read_into(raw, &mut game);
        counted.games += 1;
        counted.moves += game.tree().node_count() as u64 - 1;
        let mut boards = vec![(NodeId::ROOT, KeyedBoard::new(game.start().clone()))];
        graph.add_tree(game.tree(), |node| key(&game, &mut boards, node));
    }
    counted.text = graph.vertex_count() as u64;
    let bytes = graph.bytes() as f64 / graph.vertex_count().max(1) as f64;
    eprintln!("{bytes:.1} bytes per position");
    Ok(counted)
}

/// The key of a node that comes after the last one in preorder.
fn key(game: &Game, boards: &mut Vec<(NodeId, KeyedBoard)>, node: NodeId) -> u128 {
    if let (Some(parent), Some(&mv)) = (game.tree().parent(node), game.tree().move_to(node)) {
        while boards.len() > 1 && boards[boards.len() - 1].0 != parent {
            boards.pop();
        }
        let mut board = boards[boards.len() - 1].1.clone();
        board.play(mv);
        boards.push((node, board));
    }
    boards[boards.len() - 1].1.key(Identity::Strict)
}

fn comment_bytes(game: &Game) -> u64 {
    let comments = game.notes().rows().iter();
    comments
        .filter(|(_, note)| matches!(note.kind, NoteKind::Comment(_)))
        .map(|(_, note)| note.text.len() as u64)
        .sum()
}

/// Tokens without legality; or the tags alone.
fn tokens(path: &str, movetext: bool) -> io::Result<Counted> {
    let mut reader = Reader::new(File::open(path)?);
    let mut tokens = Tokens {
        movetext,
        ..Tokens::default()
    };
    while let Some(raw) = reader.next_game()? {
        tokens.counted.games += 1;
        scan(raw.bytes, &mut tokens);
    }
    Ok(tokens.counted)
}

#[derive(Default)]
struct Tokens {
    movetext: bool,
    counted: Counted,
}

impl Visitor for Tokens {
    fn movetext(&mut self) -> bool {
        self.movetext
    }

    fn word(&mut self, _span: Span) {
        self.counted.moves += 1;
    }
}
