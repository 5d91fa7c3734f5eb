//! A move that is read is legal, and its SAN and UCI texts read back as the same move.

use gametree_chess::{Board, BoardStack, Move};

pub(crate) const SEEDS: &[&str] = &[
    "\u{0}e4 Nf3 Na3 e2e4 e2-e4 Ng1-f3 -- Z0 @@@@ 0000 d4!? P@e4",
    "\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}\u{7}\u{8}\u{9}\u{0}O-O O-O-O 0-0 0-0+ o-o O-O-O#",
    "abcdefghijklmnopqrstuvwxyz\u{0}exd6 exd6e.p. Rad1 R1a3 Qh4e1 Nbd7+ \u{2658}f3 nf3",
    "zzzzzzzzzzzzzzzzzzzzzzzzzzzzz\u{0}e8=Q e8Q e8(Q) e8/Q bxa8=N+ a7a8q e7e8=k",
];

/// The bytes before the first NUL select moves from the starting position, the rest is the text.
pub fn parse_san(data: &[u8]) {
    let (path, text) = data.split_at(data.iter().position(|&b| b == 0).unwrap_or(0));
    let mut board = BoardStack::default();
    for &choice in path.iter().take(200) {
        let moves = board.legal_moves();
        match moves.get(choice as usize % moves.len().max(1)) {
            Some(&m) => board.push(m),
            None => break,
        }
    }
    for word in text.split(|&b| b <= b' ').take(100) {
        holds_for(board.board(), word);
    }
    while board.pop().is_some() {}
    assert_eq!(*board, Board::new());
}

fn holds_for(board: &Board, word: &[u8]) {
    if let Ok(m) = board.parse_san(word) {
        assert!(board.is_legal(m), "{m:?} in {}", board.fen());
        assert_eq!(board.parse_san(board.san(m).as_str()), Ok(m));
    }
    if let Ok(m) = board.parse_uci(word) {
        assert!(board.is_legal(m), "{m:?} in {}", board.fen());
        assert_eq!(board.parse_uci(board.uci(m).as_str()), Ok(m));
    }
    if let Ok(uci) = Move::from_uci(word) {
        assert_eq!(uci.to_string().parse(), Ok(uci));
    }
}
