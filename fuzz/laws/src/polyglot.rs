//! Polyglot books.

use gametree_chess::pgn::read_game;
use gametree_desk::polyglot::to_pgn;

/// Moves from the start position, as the law reads them: e4, d4, and castling, which is illegal.
pub(crate) const SEEDS: &[&str] = &[
    "\0\0\0\0\0\0\0\0\x03\x1c\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\x02\x5b\0\x01\0\0\0\0",
    "\0\0\0\0\0\0\0\0\x01\x07\0\x01\0\0\0\0",
];

/// Any bytes are a book or are refused; the moves of a book are legal, and each entry is used once.
///
/// The entries are sorted first, so that most inputs are books. Entries whose key starts with a zero
/// byte get the key of the start position.
pub fn polyglot(data: &[u8]) {
    drop(to_pgn(data, "book"));
    let mut entries = data.as_chunks::<16>().0.to_vec();
    for entry in entries.iter_mut().filter(|entry| entry[0] == 0) {
        entry[..8].copy_from_slice(&0x463b_9618_1691_fc9c_u64.to_be_bytes());
    }
    entries.sort_unstable();
    let text = to_pgn(entries.as_flattened(), "book").expect("sorted entries are a book");
    let game = read_game(&text).expect("a game");
    assert!(game.complaints().is_empty(), "{:?}", game.complaints());
    assert!(game.tree().node_count() <= entries.len() + 1);
}
