//! A FEN that is read and written reads back as an equal board.

use gametree_chess::{Board, Identity, Variant};

pub(crate) const SEEDS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1",
    "rk3r2/pppppppp/8/8/8/8/PPPPPPPP/RK3R2 w FAfa - 3 17",
    "rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR[Pp] w KQkq - 0 3",
    "rnbqkbnr/ppp1pppp/8/8/8/8/PPPP1PPP/RNBQKBNR w KQkq - 3+3 0 1",
    "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1",
    "4k3/P7/8/8/8/8/p7/4K3 b - - 99 4294967295",
    "8/k1P5/8/1pP5/8/2K5/8/8 w - b6 0 2",
];

/// For any text and any variant.
pub fn fen(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for variant in Variant::ALL {
        if let Ok(board) = Board::from_fen(&text, variant) {
            holds_for(&board, variant);
        }
    }
}

fn holds_for(board: &Board, variant: Variant) {
    let written = board.fen();
    let again = Board::from_fen(&written, variant)
        .unwrap_or_else(|error| panic!("{written} was written but cannot be read: {error}"));
    assert_eq!(again.fen(), written);
    assert_eq!(
        again.key(Identity::Strict),
        board.key(Identity::Strict),
        "{written}"
    );
    for m in board.legal_moves() {
        let mut next = board.clone();
        next.play(m);
        assert_eq!(
            board.parse_san(board.san(m).as_str()),
            Ok(m),
            "{m:?} in {written}"
        );
    }
}
