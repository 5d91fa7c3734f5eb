//! What the benchmarks time on our side: one thread, a stream of bytes, no terminal.
//!
//! `gametree-bench tree|moves|tags FILE` prints `games moves bytes-of-comments`, as the rivals do.

#![allow(
    clippy::print_stdout,
    reason = "its answer goes to the benchmark runner"
)]

use std::{env, fs::File, io, process::ExitCode};

use chess::pgn::{Builder, Game, NoteKind, Reader, Span, Visitor, scan};

fn main() -> ExitCode {
    let args: Vec<String> = env::args().collect();
    let [_, mode, path] = args.as_slice() else {
        return usage();
    };
    let counted = match mode.as_str() {
        "tree" => trees(path),
        "moves" => tokens(path, true),
        "tags" => tokens(path, false),
        _ => return usage(),
    };
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
    eprintln!("usage: gametree-bench tree|moves|tags FILE");
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
        counted.moves += game.tree().node_count() as u64 - 1;
        counted.text += comment_bytes(&game);
    }
    Ok(counted)
}

fn comment_bytes(game: &Game) -> u64 {
    let comments = game.notes().rows().iter();
    comments
        .filter(|(_, note)| matches!(note.kind, NoteKind::Comment(_)))
        .map(|(_, note)| game.text(note.text).len() as u64)
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
