//! Every byte belongs to one game, and a written game reads back as an equal game.

use gametree_chess::pgn::{
    Builder, ExportOptions, Game, RawGame, Reader, export, export_tags, read_game, split,
};

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
    while let Some(raw) = reader.next_game().expect("reading memory cannot fail") {
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
    let again = read_game(text.as_bytes()).unwrap_or_else(|| panic!("no game in {text}"));
    let source = raw.bytes.escape_ascii();
    assert_eq!(export(&again, &options), text, "from {source}");
    assert!(
        again == with_exported_tags(game),
        "from {source}: the game reads back differently from\n{text}"
    );
    visits_every_node(game);
    has_the_same_mainline(game, raw);
}

/// A mainline that is read alone is that of the game.
fn has_the_same_mainline(game: &Game, raw: RawGame) {
    let mut mainline = Game::default();
    Builder::new().read_mainline_into(raw, &mut mainline);
    let source = raw.bytes.escape_ascii();
    assert!(
        mainline.mainline_moves().eq(game.mainline_moves()),
        "other moves from {source}"
    );
    assert_eq!(mainline.start(), game.start(), "from {source}");
    assert_eq!(mainline.outcome(), game.outcome(), "from {source}");
    assert!(mainline.tags().eq(game.tags()), "other tags from {source}");
}

/// The game with its tags in writing order, completed to the seven-tag roster.
fn with_exported_tags(game: &Game) -> Game {
    let mut normal = game.clone();
    for (name, _) in game.tags() {
        normal.remove_tag(name);
    }
    for (name, value) in export_tags(game, true) {
        normal.push_tag(name, value);
    }
    normal
}

/// Boards by node equal those of a cursor.
fn visits_every_node(game: &Game) {
    let mut cursor = game.cursor();
    loop {
        assert_eq!(*cursor.board(), game.board_at(cursor.id()));
        if !cursor.walk() {
            break;
        }
    }
}
