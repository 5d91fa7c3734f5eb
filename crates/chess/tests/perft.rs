//! Move generation: perft counts compared with published numbers, in every variant.

use gametree_chess::{Board, Variant};

fn perft(board: &Board, depth: usize) -> u64 {
    let moves = board.legal_moves();
    assert_eq!(board.has_legal_move(), !moves.is_empty(), "{board:?}");
    if depth == 1 {
        return moves.len() as u64;
    }
    let after = |m| {
        let mut child = board.clone();
        child.play(m);
        perft(&child, depth - 1)
    };
    moves.into_iter().map(after).sum()
}

#[test]
fn counts_are_the_published_ones() {
    for line in include_str!("../../../testdata/perft.tsv")
        .lines()
        .filter(|l| !l.starts_with('#'))
    {
        let mut fields = line.split('\t');
        let mut field = || fields.next().expect("three fields");
        let (tag, fen, counts) = (field(), field(), field());
        let variant = Variant::from_tag(tag).expect("a known variant");
        let board = Board::from_fen(fen, variant).expect("a playable position");
        for (i, count) in counts.split(' ').enumerate() {
            assert_eq!(
                perft(&board, i + 1).to_string(),
                count,
                "{line} at depth {}",
                i + 1
            );
        }
    }
}
