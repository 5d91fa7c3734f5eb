//! Lists of positions, FEN or EPD, as games: one line, one game that starts there.

use chess::annotation;
use chess::pgn::{ExportOptions, Game, export_bytes, replace_braces};
use chess::{Board, NodeId, Variant};

/// A list as PGN. A line that holds no position becomes a game with the line as its comment; empty
/// lines and lines that begin with `#` are left out.
///
/// The moves of `sm` or `pv` become moves, `id` becomes the tag `Event`, the counters `hmvc` and
/// `fmvn` become those of the position; all operations are kept in a comment.
pub fn to_pgn(bytes: &[u8]) -> Vec<u8> {
    let text = chess::pgn::decode(bytes);
    let lines = text
        .lines()
        .map(|line| line.trim_start_matches('\u{feff}').trim());
    let mut out = Vec::new();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        export_bytes(&game(line), &ExportOptions::default(), &mut out);
    }
    out
}

fn game(line: &str) -> Game {
    let Some((board, operations)) = position(line) else {
        let mut game = Game::new();
        let remark = format!("not a position: {line}");
        game.set_comment(NodeId::ROOT, &replace_braces(&remark));
        return game;
    };
    let mut game = Game::from_board(board);
    for operation in &operations {
        match operation.name {
            "id" => game.set_tag("Event", operation.value.trim_matches('"')),
            "sm" | "pv" => add_moves(&mut game, operation.value),
            _ => {}
        }
    }
    if !operations.is_empty() {
        let all = operations
            .iter()
            .map(|one| format!("{} {};", one.name, one.value));
        let all = all.collect::<Vec<_>>().join(" ");
        game.set_comment(
            NodeId::ROOT,
            &replace_braces(&annotation::without_commands(&all)),
        );
    }
    game
}

/// One operation of an EPD record.
struct Operation<'a> {
    name: &'a str,
    value: &'a str,
}

/// The board of a line and what follows it.
fn position(line: &str) -> Option<(Board, Vec<Operation<'_>>)> {
    let mut fields = line.char_indices().peekable();
    // The end of the fourth and of the sixth word.
    let mut ends = Vec::new();
    while ends.len() < 6 {
        while fields.next_if(|(_, c)| c.is_whitespace()).is_some() {}
        fields.peek()?;
        while fields.next_if(|(_, c)| !c.is_whitespace()).is_some() {}
        ends.push(fields.peek().map_or(line.len(), |&(at, _)| at));
        if ends.len() == 4 {
            let rest = line[ends[3]..].trim_start();
            let counters = rest
                .split_whitespace()
                .take(2)
                .all(|word| word.parse::<u32>().is_ok());
            if rest.is_empty() || !counters || rest.split_whitespace().count() < 2 {
                break;
            }
        }
    }
    let (fen, rest) = line.split_at(*ends.last()?);
    let operations = operations(rest);
    let counter = |name: &str, default: u32| {
        let found = operations.iter().find(|one| one.name == name);
        found
            .and_then(|one| one.value.parse().ok())
            .unwrap_or(default)
    };
    let fen = match ends.len() {
        6 => fen.to_string(),
        _ => format!("{fen} {} {}", counter("hmvc", 0), counter("fmvn", 1)),
    };
    let board = Board::from_fen(&fen, Variant::Standard).ok()?;
    Some((board, operations))
}

/// Operations end with a semicolon, which may stand inside quotes too.
fn operations(text: &str) -> Vec<Operation<'_>> {
    let mut found = Vec::new();
    let (mut start, mut quoted) = (0, false);
    let ends = text.char_indices().chain([(text.len(), ';')]);
    for (at, c) in ends {
        quoted ^= c == '"';
        if c != ';' || quoted && at < text.len() {
            continue;
        }
        let part = text[start..at].trim();
        start = (at + 1).min(text.len());
        if !part.is_empty() {
            let (name, value) = part.split_once(char::is_whitespace).unwrap_or((part, ""));
            let value = value.trim();
            found.push(Operation { name, value });
        }
    }
    found
}

/// Adds moves as long as they are legal.
fn add_moves(game: &mut Game, moves: &str) {
    let mut node = game.end().id();
    for word in moves.split_whitespace() {
        match game.add_san(node, word) {
            Ok(next) => node = next,
            Err(_) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::pgn::read_games;

    fn games(text: &str) -> Vec<Game> {
        let pgn = to_pgn(text.as_bytes());
        read_games(&pgn[..]).map(Result::unwrap).collect()
    }

    #[test]
    fn positions_with_operations() {
        let text = "# a test\n\
            1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id \"BK.01; first\";\n\
            8/8/8/8/8/4k3/8/4K2R w K - hmvc 3; fmvn 60; pv O-O Ke2 Rf7;\n\
            rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\nnonsense {here}\n";
        let games = games(text);
        assert_eq!(games.len(), 4);
        assert_eq!(games[0].tag("Event"), Some("BK.01; first"));
        assert!(games[0].root().comment().contains("bm Qd1+;"));
        assert_eq!(games[1].start().fullmoves(), 60);
        assert_eq!(games[1].mainline_moves().count(), 3);
        assert_eq!(*games[2].start(), Board::new());
        assert!(
            games[3]
                .root()
                .comment()
                .contains("not a position: nonsense")
        );
    }

    #[test]
    fn any_text_is_read() {
        for text in [
            "",
            " ",
            "8",
            "8/8 w",
            ";;;",
            "a b c d 1 2 3 \"",
            "\u{0}\u{7f}",
        ] {
            games(text);
        }
    }
}
