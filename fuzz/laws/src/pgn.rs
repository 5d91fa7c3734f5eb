//! Every byte belongs to one game, and a game that is written reads back as the same game.

use chess::pgn::{Builder, ExportOptions, Game, RawGame, Reader, export, read_game, split};

/// For any bytes.
pub fn read_pgn(data: &[u8]) {
    let is_wide = data.starts_with(b"\xff\xfe") || data.starts_with(b"\xfe\xff");
    let whole: Vec<u8> = split(data).flat_map(|raw| raw.bytes.to_vec()).collect();
    let text = data.strip_prefix(b"\xef\xbb\xbf").unwrap_or(data);
    let is_blank = text.iter().all(|byte| *byte <= b' ');
    assert!(is_wide || is_blank || whole == data, "bytes are lost");
    let mut reader = Reader::new(data);
    let mut builder = Builder::new();
    let mut pieces = split(data);
    while let Some(raw) = reader.next_game().expect("memory can be read") {
        assert!(
            is_wide || Some(raw) == pieces.next(),
            "a stream and a slice differ"
        );
        holds_for(&builder.read(raw), raw);
    }
}

fn holds_for(game: &Game, raw: RawGame) {
    let options = ExportOptions::default();
    let text = export(game, &options);
    let again = read_game(text.as_bytes()).unwrap_or_else(|| panic!("nothing in {text}"));
    assert_eq!(
        export(&again, &options),
        text,
        "from {}",
        raw.bytes.escape_ascii()
    );
    assert_eq!(
        again.tree().node_count(),
        game.tree().node_count(),
        "{text}"
    );
    assert_eq!(again.outcome(), game.outcome(), "{text}");
}
