//! Real games compared with shakmaty, move by move, if a folder of games is available.
//!
//! Reads the first games of each file in `../shared/corpora`, or all games of `GAMETREE_CORPORA`.

mod common;

use std::fs;
use std::path::Path;

use common::{Corpora, corpora};
use gametree_chess::{Board, Variant};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{EnPassantMode, Position};

#[test]
fn real_games_agree_with_shakmaty() {
    let Some(Corpora { files, limit }) = corpora() else {
        return;
    };
    let moves: usize = files.iter().map(|file| replay_file(file, limit)).sum();
    assert!(moves > 0, "no move was read");
}

fn replay_file(file: &Path, limit: usize) -> usize {
    let text: String = fs::read(file)
        .unwrap_or_default()
        .into_iter()
        .map(char::from)
        .collect();
    let games = text.split("\n[Event ").take(limit);
    games
        .filter_map(|game| Some(replay(start(game)?, &mainline(game))))
        .sum()
}

fn start(game: &str) -> Option<Board> {
    let tag = |name: &str| {
        let (_, value) = game.split_once(&format!("[{name} \""))?;
        value.split('"').next()
    };
    let variant = Variant::from_tag(tag("Variant").unwrap_or_default())?;
    match tag("FEN") {
        Some(fen) => Board::from_fen(fen, variant).ok(),
        None => Some(Board::for_variant(variant)),
    }
}

/// The words of the movetext outside tags, comments and variations.
fn mainline(game: &str) -> Vec<&str> {
    let (mut words, mut depth, mut comment) = (Vec::new(), 0i32, false);
    let lines = game
        .lines()
        .filter(|line| !line.starts_with(['[', '%']) && !line.ends_with("\"]"));
    for word in lines.flat_map(|line| line.split_inclusive([' ', '{', '}', '(', ')'])) {
        let (word, end) = match word.char_indices().last() {
            Some((at, end @ ('{' | '}' | '(' | ')' | ' '))) => (&word[..at], end),
            _ => (word, ' '),
        };
        if !comment && depth == 0 {
            let word = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            words.extend(Some(word.trim()).filter(|word| !word.is_empty()));
        }
        match end {
            '{' => comment = true,
            '}' => comment = false,
            '(' if !comment => depth += 1,
            ')' if !comment => depth -= 1,
            _ => {}
        }
    }
    words
}

/// Plays the words as long as shakmaty reads them; our moves must be the same.
fn replay(mut board: Board, words: &[&str]) -> usize {
    let Some(mut truth) = board.to_shakmaty() else {
        return 0;
    };
    let mut played = 0;
    for word in words {
        let Ok(san) = SanPlus::from_ascii(word.as_bytes()) else {
            continue;
        };
        let Ok(theirs) = san.san.to_move(&truth) else {
            break;
        };
        let ours = board.parse_san(word.as_bytes());
        assert_eq!(ours, Ok(theirs.into()), "{word} in {board:?}");
        let m = theirs.into();
        let written = SanPlus::from_move(truth.clone(), theirs).to_string();
        assert_eq!(board.san(m).as_str(), written, "{board:?}");
        assert_eq!(
            board.legal_moves().len(),
            truth.legal_moves().len(),
            "{board:?}"
        );
        board.play(m);
        truth.play_unchecked(theirs);
        let fen = Fen::from_position(&truth, EnPassantMode::Legal).to_string();
        assert_eq!(board.fen(), fen);
        played += 1;
    }
    played
}
