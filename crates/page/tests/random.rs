//! Random requests: every answer is JSON, none is an internal error, and the files stay consistent.

mod common;

use common::{BOOK, TestServer};
use serde_json::{Map, Value, json};

/// Longer with `GAMETREE_LONG=1`.
fn rounds() -> u64 {
    if std::env::var_os("GAMETREE_LONG").is_some() {
        20_000
    } else {
        600
    }
}

/// A small generator of numbers that look random.
struct Random(u64);

impl Random {
    fn next(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % below
    }

    fn of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.next(list.len() as u64) as usize]
    }
}

const POSTS: &[&str] = &[
    "notation",
    "picture",
    "play",
    "edit",
    "copy",
    "cut",
    "paste",
    "paste-pgn",
    "undo",
    "redo",
    "save",
    "resume",
    "discard",
    "reload",
    "cancel",
    "remove",
    "audit",
    "diff",
    "against",
    "query",
    "query/save",
    "query/check",
    "query/complete",
    "query/help",
    "sums/check",
    "sums/moves",
    "sums/solve",
    "sums/strategy",
    "sums/strategy/at",
    "sums/reply",
];

const GETS: &[&str] = &[
    "state",
    "games",
    "game",
    "pgn",
    "download",
    "position",
    "step",
    "find",
    "orders",
    "picture.svg",
    "verbs",
    "job",
    "sums/games",
];

const FIELDS: &[&str] = &[
    "game",
    "node",
    "verb",
    "text",
    "uci",
    "san",
    "file",
    "epoch",
    "from",
    "count",
    "folds",
    "window",
    "most",
    "query",
    "at",
    "sum",
    "player",
    "ask",
    "first",
    "seconds",
    "job",
    "old",
    "new",
    "book",
    "games",
    "side",
    "as",
    "force",
    "line",
    "path",
    "place",
    "rows",
    "sort",
    "to",
    "limit",
    "variations",
];

const TEXTS: &[&str] = &[
    "",
    "e2e4",
    "d2d4",
    "Nf6",
    "comment",
    "promote",
    "delete",
    "add",
    "chapter-add",
    "chapter-move",
    "chapter-delete",
    "merge",
    "tag",
    "1",
    "0",
    "-1",
    "99999999999999999999",
    "1. e4 e5 (1... c5) *",
    "mate",
    "check and (",
    "clobber XO + *2",
    "left",
    "right",
    "white",
    "end",
    "next-alternative",
    "../x",
    "\u{0}",
    "é♞𝄞",
    "{",
    "}",
    "[%cal Ge2e4]",
    "6Wc",
    "#3",
    "outcome",
    "moves",
    "nag",
    "$1",
];

fn value(random: &mut Random, depth: u64) -> Value {
    match random.next(12) {
        0..4 => random.next(6).into(),
        4..8 => Value::from(*random.of(TEXTS)),
        8 => json!([random.next(9), *random.of(TEXTS)]),
        9 => json!(-1.5e300),
        10 if depth > 0 => body(random, depth - 1),
        _ => random
            .of(&[Value::Null, true.into(), u64::MAX.into()])
            .clone(),
    }
}

fn body(random: &mut Random, depth: u64) -> Value {
    let mut fields = Map::new();
    for (field, most) in [("game", 3), ("node", 12), ("file", 2)] {
        if random.next(10) > 0 {
            fields.insert(field.to_owned(), random.next(most).into());
        }
    }
    for _ in 0..random.next(6) {
        let field = (*random.of(FIELDS)).to_owned();
        fields.insert(field, value(random, depth));
    }
    // Solving takes its time; here only the requests matter.
    fields.insert("seconds".to_owned(), json!(0.1));
    fields.into()
}

fn query(random: &mut Random) -> String {
    let body = body(random, 0);
    let fields = body.as_object().into_iter().flatten();
    let part = |(name, value): (&String, &Value)| {
        let text = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        let escaped: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
        format!("{name}={escaped}")
    };
    fields.map(part).collect::<Vec<_>>().join("&")
}

#[test]
fn random_requests_are_answered() {
    let folder = tempfile::tempdir().unwrap();
    let path = common::write(folder.path(), "book.pgn", BOOK);
    let other = common::write(folder.path(), "games.pgn", BOOK);
    let server = TestServer::of_files(&[path, other]);
    let client = server.client();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut fine = 0;
    for round in 0..rounds() {
        let (name, reply) = if random.next(3) == 0 {
            let name = *random.of(GETS);
            let path = format!("/api/{name}?{}", query(&mut random));
            let reply = client.try_get(&path);
            (path, reply)
        } else {
            let name = *random.of(POSTS);
            let body = body(&mut random, 2);
            let reply = client.try_post(&format!("/api/{name}"), &body);
            (format!("{name} {body}"), reply)
        };
        assert!(reply.status < 500, "{round}: {name}: {}", reply.text());
        fine += u64::from(reply.status < 300);
        if reply.header("content-type") == Some("application/json") {
            reply.json();
        }
    }
    assert!(fine > rounds() / 5, "only {fine} requests were meaningful");
    // What is there now can be saved and read again.
    let state = server.get("/api/state");
    for file in state["files"].as_array().unwrap() {
        let number = &file["file"];
        let text = client.try_get(&format!("/api/download?file={number}"));
        assert_eq!(text.status, 200);
    }
    for game in 0..state["games"].as_u64().unwrap().min(20) {
        let pgn = server.get(&format!("/api/pgn?game={game}"));
        assert!(pgn["pgn"].as_str().is_some());
    }
}

#[test]
fn random_bytes_are_refused() {
    let server = TestServer::of_text(BOOK);
    let mut random = Random(7);
    for _ in 0..rounds() / 4 {
        let length = random.next(200);
        let bytes: Vec<u8> = (0..length).map(|_| random.next(256) as u8).collect();
        let path = format!("/api/{}", random.of(POSTS));
        let reply = server.client().post_bytes(&path, &bytes);
        assert_eq!(reply.status, 400, "{path}");
        reply.json();
    }
}
