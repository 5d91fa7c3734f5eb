//! Many clients on a large tree: every change that was answered is there at the end.

mod common;

use std::fmt::Write;
use std::thread;
use std::time::{Duration, Instant};

use common::{Client, Events, TestServer, edit};
use serde_json::json;

/// For a minute with `GAMETREE_LONG=1`.
fn duration() -> Duration {
    let is_long = std::env::var_os("GAMETREE_LONG").is_some();
    Duration::from_secs(if is_long { 60 } else { 2 })
}

const CLIENTS: usize = 100;

/// A game of about this many moves: a long mainline with a variation after each of its moves.
fn large_game(moves: usize) -> String {
    let mut text = String::from("[Event \"Large\"]\n\n");
    let cycle = ["Nf3", "Nf6", "Ng1", "Ng8"];
    for ply in 0..moves / 5 {
        let (number, is_white) = (ply / 2 + 1, ply % 2 == 0);
        let dots = if is_white { "." } else { "..." };
        let other = if is_white { "Nc3" } else { "Nc6" };
        let side = if is_white {
            ["Nc6", "Nb1", "Nb8"]
        } else {
            ["Nc3", "Nb8", "Nb1"]
        };
        write!(text, "{number}{dots} {} ", cycle[ply % 4]).unwrap();
        write!(text, "({number}{dots} {other} {}) ", side.join(" ")).unwrap();
    }
    text + "*\n"
}

/// Steps, looks and comments; returns the comments it was answered for, and the slowest answer.
fn work(client: &Client, number: usize, end: Instant) -> (Vec<(u64, String)>, u64, Duration) {
    let (mut made, mut asked, mut slowest) = (Vec::new(), 0, Duration::ZERO);
    let mut node = (number * 977) as u64 % 90_000 + 1;
    while Instant::now() < end {
        let begun = Instant::now();
        let position = client.get(&format!("/api/position?game=0&node={node}&rows=20"));
        slowest = slowest.max(begun.elapsed());
        asked += 1;
        if made.len() < 5 {
            let text = format!("client {number} at {node}");
            client.post("/api/edit", edit(0, &json!(node), "comment", &text));
            made.push((node, text));
        }
        client.post(
            "/api/notation",
            json!({"game": 0, "node": node, "count": 20}),
        );
        node = position["next"].as_u64().unwrap_or(node / 2 + 1);
        while made.iter().any(|(known, _)| *known == node) {
            node += 1;
        }
    }
    (made, asked, slowest)
}

#[test]
fn many_clients_lose_nothing() {
    let server = TestServer::of_text(&large_game(100_000));
    let game = server.get("/api/game?game=0");
    assert!(
        game["nodes"].as_u64().unwrap() > 99_000,
        "{}",
        game["nodes"]
    );
    let mut events = Events::open(&server.client());
    events.next("hello").unwrap();
    let end = Instant::now() + duration();
    let threads: Vec<_> = (0..CLIENTS)
        .map(|number| {
            let client = server.client();
            thread::spawn(move || work(&client, number, end))
        })
        .collect();
    let mut made = std::collections::HashMap::new();
    let (mut asked, mut slowest, mut edits) = (0, Duration::ZERO, 0u64);
    for thread in threads {
        let (comments, count, slow) = thread.join().expect("no panic");
        edits += comments.len() as u64;
        for (node, text) in comments {
            made.entry(node).or_insert_with(Vec::new).push(text);
        }
        asked += count;
        slowest = slowest.max(slow);
    }
    eprintln!("{asked} positions, {edits} edits, slowest position {slowest:?}");
    assert_eq!(server.get("/api/state")["rev"], edits + 1);
    for (node, texts) in made {
        let found = server.get(&format!("/api/position?game=0&node={node}&rows=1"));
        let comment = found["comment"].as_str().unwrap();
        assert!(
            texts.iter().any(|text| text == comment),
            "{node}: {comment}"
        );
    }
    for _ in 0..edits.min(200) {
        assert!(events.next("change").is_some(), "every change is an event");
    }
}
