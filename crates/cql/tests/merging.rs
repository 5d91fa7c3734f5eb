//! Persistent variables merged from several matchers equal those of one matcher.

use gametree_chess::pgn::{Game, read_game};
use gametree_cql::{Options, Persistent, Query};

/// Queries that may run in parallel.
const GATHERED: [&str; 5] = [
    "check persistent checks += 1",
    "persistent moves -= ply",
    "mate persistent names += event",
    "check persistent squares |= k",
    "dictionary last last[event] = str(ply)",
];

/// Queries for which the order of games matters.
const IN_ORDER: [&str; 6] = [
    "persistent x += 1 x < 5",
    "persistent x += 1 persistent x = 3",
    "dictionary seen not seen[event] seen[event] = \"x\"",
    "dictionary D D[event] = \"x\" unbind D[event]",
    "persistent x += 0 persistent x = max(x ply)",
    "writefile(\"a.txt\" event)",
];

fn games() -> Vec<Game> {
    let moves = [
        "1. f3 e5 2. g4 Qh4#",
        "1. e4 e5 2. Qh5 Ke7 3. Qxe5#",
        "1. d4",
        "1. e4 d5 2. Bb5+",
    ];
    let text = |n: usize| format!("[Event \"e{}\"]\n\n{} *", n % 3, moves[n % 4]);
    (0..10)
        .map(|n| read_game(text(n).as_bytes()).unwrap())
        .collect()
}

fn values(persistent: Vec<Persistent>) -> Vec<(String, String)> {
    persistent.into_iter().map(|p| (p.name, p.value)).collect()
}

fn compile(source: &str) -> Query {
    let query = Query::compile(source, &Options::default().with_write_files(true));
    query.unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn merged_parts_equal_the_whole() {
    let games = games();
    for source in GATHERED {
        let query = compile(source);
        assert!(query.is_parallel(), "{source}");
        let mut whole = query.matcher();
        for (game, n) in games.iter().zip(1..) {
            whole.run(game, n);
        }
        let mut total = query.matcher();
        for (part, n) in games.chunks(3).zip(0..) {
            let mut matcher = query.matcher();
            for (game, m) in part.iter().zip(1..) {
                matcher.run(game, 3 * n + m);
            }
            total.absorb(&mut matcher).unwrap();
        }
        let (whole, total) = (values(whole.persistent()), values(total.persistent()));
        assert_eq!(whole, total, "{source}");
        assert!(
            whole
                .iter()
                .any(|(_, value)| value != "0" && !value.is_empty()),
            "{source}"
        );
    }
}

#[test]
fn queries_that_depend_on_order_are_not_parallel() {
    for source in IN_ORDER {
        assert!(!compile(source).is_parallel(), "{source}");
    }
}

#[test]
fn queries_about_single_games_are_local() {
    for source in ["mate", "X=A attacks k X", "year>2000", "comment \"x\""] {
        assert!(compile(source).is_local(), "{source}");
    }
    for source in [
        "gamenumber==3",
        "lastgamenumber>3",
        "cql(gamenumber 3 10) mate",
        "sort A",
        "persistent X+=1",
    ] {
        assert!(!compile(source).is_local(), "{source}");
    }
}
