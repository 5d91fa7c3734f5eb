//! Files that stop or crash the original: each is read, and the valid game after it is found.

use gametree_cql::{Options, Query};

/// The defect, and the text.
fn rough_games() -> Vec<(&'static str, String)> {
    let long: Vec<&str> = ["Nf3", "Nf6", "Ng1", "Ng8"].repeat(15_000);
    vec![
        ("a parenthesis that is never closed", "1. e4 (1. d4 d5 1... e5 *".into()),
        ("an empty variation", "1. e4 () e5 *".into()),
        ("a stray parenthesis", "1. e4 ) e5 *".into()),
        ("a variation before the first move", "(1. d4) 1. e4 *".into()),
        ("no tags", "1. e4 e5 2. Qh5 *".into()),
        ("no moves that can be read", "%%%% @ £ ~~~ *".into()),
        ("a move that is not legal", "1. e4 e5 2. Ke3 Nf6 *".into()),
        ("a FEN that is none", "[SetUp \"1\"]\n[FEN \"what\"]\n\n1. e4 *".into()),
        ("a FEN without kings", "[SetUp \"1\"]\n[FEN \"8/8/8/8/8/8/4P3/8 w - - 0 1\"]\n\n1. e4 *".into()),
        ("castling of Chess960", "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1\"]\n\n1. O-O-O O-O *".into()),
        ("null moves between captures", "1. e4 d5 2. -- dxe4 3. Z0 e3 *".into()),
        ("figurines and accents", "1. e4 e5 2. ♘f3 {Größe} ♞c6 ; to the end\n*".into()),
        ("60,000 moves", format!("{} *", long.join(" "))),
        ("a comment of two megabytes", format!("1. e4 {{{}}} *", "x ".repeat(1_000_000))),
        ("a result too many", "1. e4 1-0 e5 0-1".into()),
        ("quotes and brackets in tags", "[Event \"a \\\"b\\\" ]c\"]\n[White \"x]\"]\n\n1. e4 *".into()),
    ]
}

#[test]
fn every_rough_file_is_searched_to_its_end() {
    let options = Options::default().with_variations(true);
    let queries = [
        "mate",
        "[x]. or line --> check* --> mate",
        "find mate ply >= 0 true",
    ];
    for (what, text) in rough_games() {
        let file =
            format!("[Event \"rough\"]\n{text}\n\n[Event \"good\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n");
        let games: Vec<_> = gametree_chess::pgn::read_games(file.as_bytes())
            .map(Result::unwrap)
            .collect();
        assert!(games.len() >= 2, "{what}: {} games", games.len());
        for source in queries {
            let query = Query::compile(source, &options).unwrap();
            let mut matcher = query.matcher();
            let results = games.iter().zip(1..).map(|(game, n)| matcher.run(game, n));
            let last = results.last().unwrap();
            assert!(last.matched && last.given_up.is_none(), "{what}: {source}");
        }
    }
}

/// A game that is cut off in the middle of a comment or tag is the last one.
#[test]
fn a_file_cut_off_anywhere_is_read() {
    let whole = "[Event \"x\"]\n\n1. e4 {a comment} e5 (1... c5 2. Nf3) 2. Qh5 Ke7 3. Qxe5# 1-0\n";
    let query = Query::compile("true", &Options::default()).unwrap();
    for end in 0..whole.len() {
        for game in gametree_chess::pgn::read_games(&whole.as_bytes()[..end]) {
            query.matcher().run(&game.unwrap(), 1);
        }
    }
}
