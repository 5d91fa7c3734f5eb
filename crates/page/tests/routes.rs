//! Each route, on small files.

mod common;

use common::{BOOK, Events, TestServer, edit, write};
use gametree_desk::archive::{self, Archive, Indexed};
use gametree_desk::choose::Choice;
use gametree_desk::games::Games;
use gametree_desk::session::Session;
use gametree_kit::input::Source;
use gametree_kit::{Stop, Workers};
use gametree_page::Options;
use serde_json::{Value, json};

fn node(server: &TestServer, game: u64, path: &str) -> Value {
    let found = server.get(&format!("/api/position?game={game}&path={path}"));
    let moves = path.split(',').filter(|word| !word.is_empty()).count();
    assert_eq!(found["followed"], moves, "{path}");
    found["node"].clone()
}

#[test]
fn the_interface_is_documented() {
    let (manual, source) = (include_str!("../API.md"), include_str!("../src/api.rs"));
    let routes: Vec<&str> = source
        .split(".route(\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .collect();
    assert!(routes.len() > 40);
    for route in routes {
        let named = format!("/api{route}");
        let end =
            |rest: &str| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '/');
        let mut places = manual.match_indices(&named);
        let found = places.any(|(at, _)| end(&manual[at + named.len()..]));
        assert!(found, "{named} is not in API.md");
    }
}

#[test]
fn state_and_games() {
    let server = TestServer::of_text(BOOK);
    let state = server.get("/api/state");
    assert_eq!(state["games"], 2);
    assert_eq!(state["files"][0]["games"], 2);
    assert_eq!(state["files"][0]["obstacle"], Value::Null);
    let list = server.get("/api/games?sort=moves&reverse=1");
    assert_eq!(list["total"], 2);
    assert_eq!(list["rows"][0]["event"], "First");
    assert_eq!(list["rows"][0]["moves"], 3);
    let found = server.get("/api/games?search=sec%20ond&from=0&count=5");
    assert_eq!(found["total"], 1, "both parts are in the tags");
    assert_eq!(server.get("/api/games?from=7")["rows"], json!([]));
    assert_eq!(server.get_error("/api/games?sort=colour"), "bad_request");
    let game = server.get("/api/game?game=0");
    assert_eq!(game["tags"][0], json!(["Event", "First"]));
    assert_eq!(game["lines"], 2);
    assert_eq!(server.get_error("/api/game?game=2"), "not_found");
    assert_eq!(server.get_error("/api/game?game=2&epoch=9"), "stale");
    assert!(
        server.get("/api/pgn?game=1")["pgn"]
            .as_str()
            .unwrap()
            .contains("Bb4")
    );
}

#[test]
fn a_position_and_its_table() {
    let server = TestServer::of_text(BOOK);
    let position = server.get("/api/position?game=0&path=d2d4,g8f6,c2c4");
    assert_eq!(position["path"], "1.d4 Nf6 2.c4");
    assert_eq!(position["moves"], json!(["d2d4", "g8f6", "c2c4"]));
    assert_eq!(position["last"]["text"], "2.c4");
    assert_eq!(position["nags"], json!([{"nag": 1, "glyph": "!"}]));
    assert_eq!(position["comment"], "why\nso");
    assert_eq!(
        position["shapes"],
        json!([{"from": "e2", "to": "e4", "color": "green"}])
    );
    assert_eq!(position["table"]["current"], 1);
    assert_eq!(position["table"]["rows"][0]["alternatives"][0]["san"], "e6");
    assert_eq!(
        position["table"]["rows"][0]["alternatives"][0]["label"],
        "a"
    );
    let legal = position["legal"].as_array().unwrap();
    let e6 = legal.iter().find(|mv| mv["uci"] == "e7e6").unwrap();
    assert_eq!(e6["node"], position["next"]);
    let partly = server.get("/api/position?game=0&path=d2d4,e7e6,a2a3");
    assert_eq!(
        (&partly["followed"], &partly["path"]),
        (&json!(2), &json!("1.d4 e6"))
    );
    let placed = server.get("/api/position?game=0&place=1Ba");
    assert_eq!(placed["path"], "1.d4 e6");
    assert_eq!(
        server.get_error("/api/position?game=0&place=9Wz"),
        "not_found"
    );
    assert_eq!(
        server.get_error("/api/position?game=0&node=999"),
        "not_found"
    );
    assert_eq!(
        server.get_error("/api/position?game=0&node=-1"),
        "bad_request"
    );
    let no_archive = server.get_error("/api/opening?game=0&node=0");
    assert_eq!(no_archive, "not_found");
    // The line that was shown stays shown.
    let (start, inside) = (0, &partly["node"]);
    let back = server.get(&format!("/api/position?game=0&node={start}&line={inside}"));
    assert_eq!(back["table"]["rows"][0]["second"]["san"], "e6");
}

#[test]
fn steps_and_search() {
    let server = TestServer::of_text(BOOK);
    let e6 = node(&server, 0, "d2d4,e7e6");
    let step = |from: &Value, to: &str| {
        server.get(&format!("/api/step?game=0&node={from}&to={to}"))["node"].clone()
    };
    let nf6 = node(&server, 0, "d2d4,g8f6");
    assert_eq!(step(&e6, "next-alternative"), nf6);
    assert_eq!(step(&e6, "leave-variation"), nf6);
    assert_eq!(step(&e6, "start"), 0);
    assert_eq!(step(&json!(0), "start"), Value::Null);
    assert_eq!(step(&json!(0), "next-branching"), nf6);
    assert_eq!(
        server.get_error("/api/step?game=0&node=0&to=moon"),
        "bad_request"
    );
    let also = server.get("/api/find?game=0&node=0&text=ALSO");
    assert_eq!(also["node"], node(&server, 0, "d2d4,e7e6,c2c4,g8f6"));
    assert_eq!(
        server.get("/api/find?game=0&node=0&text=xyzzy&back=1")["node"],
        Value::Null
    );
}

#[test]
fn move_orders_across_chapters() {
    let server = TestServer::of_text(BOOK);
    let here = node(&server, 0, "d2d4,g8f6,c2c4,e7e6");
    let orders = server.get(&format!("/api/orders?game=0&node={here}"));
    assert_eq!(orders["times"], 3);
    let paths: Vec<&str> = orders["orders"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|order| order["path"].as_str())
        .collect();
    assert!(
        paths.contains(&"1.d4 e6 2.c4 Nf6") && paths.contains(&"1.c4 e6 2.d4 Nf6"),
        "{paths:?}"
    );
    let other = orders["orders"]
        .as_array()
        .unwrap()
        .iter()
        .find(|order| order["game"] == 1)
        .unwrap();
    let there = server.get(&format!("/api/position?game=1&node={}", other["node"]));
    assert_eq!(there["path"], "1.c4 e6 2.d4 Nf6");
    let moves: Vec<&str> = orders["continuations"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|next| next["san"].as_str())
        .collect();
    assert_eq!(moves, ["g3", "Nc3", "Nf3"]);
    let brought = server.post("/api/edit", edit(0, &here, "bring", ""));
    assert!(brought["summary"].as_str().is_some());
}

#[test]
fn marks_arrive_by_an_event() {
    let server = TestServer::of_text(BOOK);
    let mut events = Events::open(&server.client());
    assert_eq!(events.next("hello").unwrap()["games"], 2);
    let here = node(&server, 0, "d2d4,g8f6,c2c4,e7e6");
    assert_eq!(events.next("marks").unwrap()["game"], 0);
    let position = server.get(&format!("/api/position?game=0&node={here}"));
    assert_eq!(
        (&position["marks"], &position["transposes"]),
        (&json!(true), &json!(true))
    );
}

#[test]
fn notation_and_folds() {
    let server = TestServer::of_text(BOOK);
    let ask = |folds: Value| {
        server.post(
            "/api/notation",
            json!({"game": 0, "node": 0, "folds": folds}),
        )
    };
    let open = ask(json!({}));
    let blocks = open["blocks"].as_array().unwrap();
    assert_eq!(blocks[0]["moves"][0]["san"], "d4");
    assert_eq!(blocks[0]["moves"][0]["number"], "1.");
    let variation = blocks.iter().find(|block| block["depth"] == 1).unwrap();
    assert_eq!(variation["opens"], variation["moves"][0]["node"]);
    let texts: Vec<&str> = blocks
        .iter()
        .filter_map(|block| block["text"].as_str())
        .collect();
    assert_eq!(texts, ["why so", "*"]);
    let closed = ask(json!({"closed": [variation["opens"]]}));
    let folded = closed["blocks"]
        .as_array()
        .unwrap()
        .iter()
        .find(|block| block["kind"] == "folded")
        .unwrap();
    assert_eq!(
        (&folded["text"], &folded["lines"]),
        (&json!("1...e6"), &json!(1))
    );
    let all = ask(json!({"all": true}));
    assert_eq!(all["total"], closed["total"]);
    let window = server.post("/api/notation", json!({"game": 0, "from": 1, "count": 1}));
    assert_eq!(window["blocks"].as_array().unwrap().len(), 1);
    assert_eq!(window["total"], open["total"]);
}

#[test]
fn the_picture_of_the_tree() {
    let server = TestServer::of_text(BOOK);
    let picture = server.post("/api/picture", json!({"game": 0, "node": 0}));
    let items = picture["items"].as_array().unwrap();
    assert_eq!(items.len(), 10);
    assert_eq!(
        (&items[0]["kind"], &items[1]["text"]),
        (&json!("start"), &json!("1.d4"))
    );
    let none = json!({"x": -900.0, "y": -900.0, "width": 1.0, "height": 1.0});
    let empty = server.post("/api/picture", json!({"game": 0, "window": none}));
    assert_eq!(empty["items"], json!([]));
    let reply = server.client().try_get("/api/picture.svg?game=0&dark=1");
    assert_eq!(reply.header("content-type"), Some("image/svg+xml"));
    assert!(reply.text().starts_with("<svg"));
}

#[test]
fn edits_undo_and_redo() {
    let server = TestServer::of_text(BOOK);
    let mut events = Events::open(&server.client());
    events.next("hello").unwrap();
    let d4 = node(&server, 0, "d2d4");
    let played = server.post("/api/play", json!({"game": 0, "node": d4, "uci": "d7d5"}));
    assert_eq!(played["summary"], "added 1...d5");
    let change = events.next("change").unwrap();
    assert_eq!(
        (&change["game"], &change["node"]),
        (&json!(0), &played["node"])
    );
    assert_eq!(
        events.next("files").unwrap()["files"][0]["undo"],
        "added 1...d5"
    );
    let again = server.post("/api/play", json!({"game": 0, "node": d4, "san": "d5"}));
    assert_eq!(
        (&again["node"], &again["rev"]),
        (&played["node"], &played["rev"])
    );
    assert_eq!(
        server.post_error("/api/play", json!({"game": 0, "node": d4, "uci": "e2e4"})),
        "bad_request"
    );
    assert_eq!(
        server.post_error("/api/play", json!({"game": 0, "node": d4})),
        "bad_request"
    );
    let here = &played["node"];
    for (verb, text) in [
        ("comment", "a <b>\nsecond \\ line"),
        ("comment-before", "before"),
        ("nag", "!?"),
        ("arrow", "red e2e4"),
        ("square", "e4"),
        ("clock", "1:00:05"),
        ("eval", "0.35"),
        ("promote", ""),
        ("tag", "Annotator Me"),
        ("result", "1-0"),
    ] {
        server.post("/api/edit", edit(0, here, verb, text));
    }
    let position = server.get(&format!("/api/position?game=0&node={here}"));
    assert_eq!(position["comment"], "a <b>\nsecond \\ line");
    assert_eq!(position["comment_before"], "before");
    assert_eq!(position["clock"], 3605.0);
    assert_eq!(position["eval"], "0.35");
    assert_eq!(position["shapes"].as_array().unwrap().len(), 2);
    assert_eq!(position["rank"], json!([1, 3]));
    assert_eq!(server.get("/api/game?game=0")["result"], "1-0");
    assert_eq!(
        server.post_error("/api/edit", edit(0, here, "explode", "")),
        "bad_request"
    );
    assert_eq!(
        server.post_error("/api/edit", edit(0, &json!(0), "delete", "")),
        "refused"
    );
    for _ in 0..11 {
        server.post("/api/undo", json!({"file": 0}));
    }
    assert_eq!(
        server.post_error("/api/undo", json!({"file": 0})),
        "refused"
    );
    assert_eq!(
        server.get_error(&format!("/api/position?game=0&node={here}")),
        "not_found"
    );
    server.post("/api/redo", json!({"file": 0}));
    server.get(&format!("/api/position?game=0&node={here}"));
    assert_eq!(
        server.post_error("/api/undo", json!({"file": 4})),
        "not_found"
    );
}

#[test]
fn cut_copy_and_paste() {
    let server = TestServer::of_text(BOOK);
    assert_eq!(
        server.post_error("/api/paste", json!({"game": 0, "node": 0})),
        "refused"
    );
    let e6 = node(&server, 0, "d2d4,e7e6");
    server.post("/api/cut", json!({"game": 0, "node": e6}));
    assert_eq!(server.get("/api/state")["clip"], true);
    let d4 = node(&server, 0, "d2d4");
    server.post("/api/paste", json!({"game": 0, "node": d4}));
    let e6 = node(&server, 0, "d2d4,e7e6");
    node(&server, 0, "d2d4,e7e6,c2c4,g8f6,b1c3");
    server.post("/api/copy", json!({"game": 0, "node": e6}));
    assert_eq!(
        server.post_error("/api/paste", json!({"game": 0, "node": d4})),
        "refused",
        "nothing new"
    );
    let pasted = server.post(
        "/api/paste-pgn",
        json!({"game": 0, "node": 0, "text": "1. e4 e5 2. f4"}),
    );
    assert!(
        pasted["summary"].as_str().unwrap().contains("3 new moves"),
        "{pasted}"
    );
    assert_eq!(
        server.get("/api/position?game=0&path=e2e4,e7e5,f2f4")["followed"],
        3
    );
}

#[test]
fn chapters_change_the_epoch() {
    let server = TestServer::of_text(BOOK);
    let chapter = |game: u64, verb: &str, text: &str| {
        server.post("/api/edit", edit(game, &json!(0), verb, text))
    };
    let added = chapter(0, "chapter-add", "Third");
    assert_eq!((&added["epoch"], &added["game"]), (&json!(2), &json!(2)));
    let old = json!({"epoch": 1, "game": 0, "node": 0, "verb": "chapter-delete"});
    assert_eq!(server.post_error("/api/edit", old), "stale");
    assert_eq!(chapter(2, "chapter-name", "New name")["epoch"], 2);
    let moved = chapter(2, "chapter-move", "1");
    assert_eq!((&moved["epoch"], &moved["game"]), (&json!(3), &json!(0)));
    let list = server.get("/api/games");
    let names: Vec<&str> = list["rows"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|row| row["title"].as_str())
        .collect();
    assert!(names[0].contains("New name"), "{names:?}");
    assert_eq!(chapter(0, "chapter-delete", "")["epoch"], 4);
    assert_eq!(server.get("/api/state")["games"], 2);
    assert_eq!(server.post("/api/undo", json!({"file": 0}))["epoch"], 5);
    assert_eq!(server.get("/api/state")["games"], 3);
}

#[test]
fn every_verb_is_listed() {
    let server = TestServer::of_text(BOOK);
    let verbs = server.get("/api/verbs");
    let verbs = verbs["verbs"].as_array().unwrap();
    assert_eq!(verbs.len(), gametree_desk::edit::VERBS.len());
    for verb in verbs {
        let word = verb["verb"].as_str().unwrap();
        assert!(
            include_str!("../API.md").contains(&format!("`{word}")),
            "{word}"
        );
    }
}

#[test]
fn files_are_saved_resumed_and_reloaded() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "book.pgn", BOOK);
    let mut server = TestServer::of_files(std::slice::from_ref(&path));
    let d4 = node(&server, 0, "d2d4");
    assert_eq!(
        server.post_error("/api/save", json!({"file": 0})),
        "refused"
    );
    server.post("/api/edit", edit(0, &d4, "comment", "kept"));
    server.end();
    drop(server);
    // The changes of the first server are left.
    let server = TestServer::of_files(std::slice::from_ref(&path));
    assert_eq!(
        server.get("/api/state")["files"][0]["obstacle"]["code"],
        "leftover"
    );
    assert_eq!(
        server.post_error("/api/edit", edit(0, &d4, "comment", "x")),
        "leftover"
    );
    server.post("/api/resume", json!({"file": 0}));
    let d4 = node(&server, 0, "d2d4");
    assert_eq!(
        server.get(&format!("/api/position?game=0&node={d4}"))["comment"],
        "kept"
    );
    // A second one reports that the file is in use.
    let second = TestServer::of_files(std::slice::from_ref(&path));
    assert_eq!(
        second.get("/api/state")["files"][0]["obstacle"]["code"],
        "in_use"
    );
    assert_eq!(
        second.post_error("/api/edit", edit(0, &d4, "comment", "x")),
        "in_use"
    );
    let download = server.client().try_get("/api/download?file=0");
    assert!(download.text().contains("kept"));
    let saved = server.post("/api/save", json!({"file": 0, "backup": true}));
    assert!(
        saved["backup"].as_str().unwrap().ends_with("book.pgn.bak"),
        "{saved}"
    );
    assert!(std::fs::read_to_string(&path).unwrap().contains("kept"));
    // Another program changes the file.
    server.post("/api/edit", edit(0, &d4, "comment", "mine"));
    write(folder.path(), "book.pgn", "1. e4 *\n");
    assert_eq!(
        server.post_error("/api/save", json!({"file": 0})),
        "changed_on_disk"
    );
    server.post("/api/save", json!({"file": 0, "as": "copy.pgn"}));
    assert!(folder.path().join("copy.pgn").is_file());
    assert_eq!(
        server.post_error("/api/save", json!({"file": 0, "as": "copy.pgn"})),
        "exists"
    );
    assert_eq!(
        server.post_error("/api/reload", json!({"file": 0})),
        "refused"
    );
    server.post("/api/undo", json!({"file": 0}));
    server.post("/api/reload", json!({"file": 0}));
    assert_eq!(server.get("/api/state")["games"], 1);
    assert_eq!(
        server.post_error("/api/discard", json!({"file": 0})),
        "refused"
    );
}

#[test]
fn a_disk_change_is_an_event() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "book.pgn", BOOK);
    let server = TestServer::of_files(&[path]);
    let mut events = Events::open(&server.client());
    events.next("hello").unwrap();
    write(folder.path(), "book.pgn", "1. e4 *\n");
    assert_eq!(
        events.next("files").unwrap()["files"][0]["changed_on_disk"],
        true
    );
}

#[test]
fn audits_differences_and_my_games() {
    let folder = tempfile::tempdir().unwrap();
    let old = write(folder.path(), "old.pgn", BOOK);
    let new = write(
        folder.path(),
        "new.pgn",
        &BOOK.replace("3. g3", "3. Nf3 {new}"),
    );
    let server = TestServer::of_files(&[old, new]);
    let audit = server.wait(&server.post("/api/audit", json!({"file": 0, "side": "white"})));
    assert_eq!(audit["state"], "done");
    for row in audit["rows"].as_array().unwrap() {
        let place = format!("/api/position?game={}&node={}", row["game"], row["node"]);
        assert_eq!(server.get(&place)["path"], row["path"], "{row}");
    }
    assert!(audit["total"].as_u64().unwrap() > 0);
    let diff = server.wait(&server.post("/api/diff", json!({"old": 0, "new": 1})));
    let added = diff["rows"]
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["kind"] == "added")
        .unwrap();
    assert_eq!(added["new_game"], 2);
    let place = format!("/api/position?game=2&node={}", added["new_node"]);
    assert_eq!(server.get(&place)["path"], added["path"]);
    let mine = server.wait(&server.post(
        "/api/against",
        json!({"book": 0, "games": 1, "player": "me"}),
    ));
    assert_eq!(mine["state"], "done");
    assert_eq!(
        (&mine["total"], &mine["result"]["left_out"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(mine["rows"][0]["game"], 2);
    assert_eq!(mine["rows"][0]["verdict"], "completed");
    assert_eq!(
        server.post_error("/api/audit", json!({"file": 5})),
        "not_found"
    );
    assert_eq!(
        server.post_error("/api/audit", json!({"side": "green"})),
        "bad_request"
    );
}

#[test]
fn queries_run_as_jobs_and_are_saved() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::of_files(&[write(folder.path(), "book.pgn", BOOK)]);
    let job = server.post("/api/query", json!({"query": "move previous from P"}));
    let done = server.wait(&job);
    assert_eq!(done["state"], "done");
    assert_eq!(done["result"]["positions"], done["total"]);
    let row = &done["rows"][0];
    assert_eq!(
        (&row["path"], &row["last"]),
        (&json!("1.d4"), &json!("d2d4"))
    );
    // Positions follow the games.
    server.post("/api/edit", edit(0, &row["node"], "delete", ""));
    assert_eq!(
        server.get(&format!("/api/job?job={}&count=1", job["job"]))["rows"][0]["path"],
        Value::Null
    );
    server.post("/api/undo", json!({"file": 0}));
    let saved = server.wait(&server.post(
        "/api/query/save",
        json!({"job": job["job"], "as": "found.pgn"}),
    ));
    assert_eq!(saved["state"], "done", "{saved}");
    assert!(
        std::fs::read_to_string(folder.path().join("found.pgn"))
            .unwrap()
            .contains("CQL")
    );
    assert_eq!(
        server.post_error(
            "/api/query/save",
            json!({"job": job["job"], "as": "found.pgn"})
        ),
        "exists"
    );
    assert_eq!(
        server.post_error(
            "/api/query/save",
            json!({"job": job["job"], "as": "book.pgn", "force": true})
        ),
        "refused"
    );
    assert_eq!(
        server.post_error("/api/query", json!({"query": "stalmate"})),
        "bad_request"
    );
    assert_eq!(
        server.post_error("/api/query", json!({"query": "writefile(\"x.txt\" \"y\")"})),
        "bad_request"
    );
    server.post("/api/remove", json!({"job": job["job"]}));
    assert_eq!(
        server.get_error(&format!("/api/job?job={}", job["job"])),
        "not_found"
    );
}

#[test]
fn queries_are_checked_completed_and_explained() {
    let server = TestServer::of_text(BOOK);
    let checked = server.post("/api/query/check", json!({"query": "/* é♞𝄞 */ stalmate"}));
    let fault = &checked["diagnostics"][0];
    assert_eq!((&fault["start"], &fault["end"]), (&json!(11), &json!(19)));
    assert!(fault["help"].as_str().unwrap().contains("stalemate"));
    assert_eq!(
        server.post("/api/query/check", json!({"query": "mate"}))["diagnostics"],
        json!([])
    );
    let words = server.post(
        "/api/query/complete",
        json!({"query": "x or pass", "at": 9}),
    );
    assert_eq!(
        (&words["start"], &words["items"][0]["word"]),
        (&json!(5), &json!("passedpawns"))
    );
    let help = server.post("/api/query/help", json!({"query": "x or mate", "at": 7}));
    assert_eq!((&help["word"], &help["end"]), (&json!("mate"), &json!(9)));
    assert_eq!(
        server.post("/api/query/help", json!({"query": "", "at": 99}))["word"],
        Value::Null
    );
}

#[test]
fn jobs_are_canceled() {
    let server = TestServer::of_text(BOOK);
    let sum = "clobber 6x6 + clobber 6x6 + domineering 8x8";
    let job = server.post(
        "/api/sums/solve",
        json!({"sum": sum, "ask": ["value"], "seconds": 600}),
    );
    server.post("/api/cancel", json!({"job": job["job"]}));
    assert_eq!(server.wait(&job)["state"], "canceled");
    assert_eq!(
        server.post_error("/api/cancel", json!({"job": 99})),
        "not_found"
    );
}

#[test]
fn sums_are_solved() {
    let server = TestServer::of_text(BOOK);
    let games = server.get("/api/sums/games");
    let clobber = games["games"]
        .as_array()
        .unwrap()
        .iter()
        .find(|game| game["name"] == "clobber")
        .unwrap();
    assert_eq!(
        (&clobber["board"], &clobber["strip"]),
        (&json!(true), &json!(false))
    );
    let sum = server.post("/api/sums/check", json!({"sum": "clobber XO|OX + *2"}));
    assert_eq!(sum["components"][0]["rows"], json!(["XO", "OX"]));
    assert_eq!(sum["components"][1]["rows"], Value::Null);
    let fault = server.post("/api/sums/check", json!({"sum": "clobber XQ"}));
    assert_eq!(fault["faults"].as_array().unwrap().len(), 1);
    let moves = server.post(
        "/api/sums/moves",
        json!({"sum": "clobber_1xn XO", "player": "left"}),
    );
    assert_eq!(moves["moves"][0]["move"], "1-2");
    let ask = json!({"sum": "clobber_1xn XOXOXO + 3/4", "ask": ["outcome", "moves", "value", "thermograph"]});
    let solved = server.wait(&server.post("/api/sums/solve", ask));
    let result = &solved["result"];
    assert_eq!(result["outcome"], "L");
    assert!(
        result["moves"]["left"]
            .as_array()
            .unwrap()
            .iter()
            .any(|mv| mv["wins"] == true)
    );
    assert!(result["value"]["value"].as_str().is_some());
    assert!(
        result["thermograph"]["svg"]
            .as_str()
            .unwrap()
            .starts_with("<svg")
    );
    assert_eq!(result["gave_up"], json!({}));
    let strategy = server.wait(&server.post(
        "/api/sums/strategy",
        json!({"sum": "clobber_1xn XOXO", "first": "left"}),
    ));
    let nodes = strategy["result"]["nodes"].as_array().unwrap();
    assert_eq!(
        (&nodes[0]["move"], &nodes[1]["player"]),
        (&Value::Null, &json!("left"))
    );
    let at = server.post(
        "/api/sums/strategy/at",
        json!({"job": strategy["job"], "node": 1}),
    );
    assert_ne!(at["components"][0]["text"], "XOXO");
    assert_eq!(
        server.post_error(
            "/api/sums/strategy/at",
            json!({"job": strategy["job"], "node": 999})
        ),
        "not_found"
    );
    let reply = server.wait(&server.post(
        "/api/sums/reply",
        json!({"sum": "clobber_1xn XO", "player": "right"}),
    ));
    assert_eq!(
        (&reply["result"]["move"], &reply["result"]["confidence"]),
        (&json!("2-1"), &json!("winning"))
    );
    let none = server.wait(&server.post("/api/sums/reply", json!({"sum": "0", "player": "right"})));
    assert_eq!(none["result"]["move"], Value::Null);
}

#[test]
fn nothing_changes_with_read_only() {
    let session = Session::from_text("test", BOOK.as_bytes().to_vec()).unwrap();
    let options = Options {
        read_only: true,
        ..Options::default()
    };
    let server = TestServer::of(session, &options);
    assert_eq!(server.get("/api/state")["read_only"], true);
    let node = json!(1);
    for (path, body) in [
        ("/api/edit", edit(0, &node, "comment", "x")),
        ("/api/play", json!({"game": 0, "node": 0, "uci": "h2h4"})),
        ("/api/cut", json!({"game": 0, "node": 1})),
        ("/api/paste-pgn", json!({"game": 0, "text": "1. e4"})),
        ("/api/undo", json!({"file": 0})),
        ("/api/save", json!({"file": 0})),
        ("/api/discard", json!({"file": 0})),
        ("/api/query/save", json!({"job": 1, "as": "x.pgn"})),
    ] {
        assert_eq!(server.post_error(path, body), "read_only", "{path}");
    }
    // Moves that exist can be followed.
    server.post("/api/play", json!({"game": 0, "node": 0, "uci": "d2d4"}));
}

/// The games of an archive are listed, read and searched, but not changed.
#[test]
fn an_archive_is_read_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let (source, base) = (folder.path().join("a.pgn"), folder.path().join("base"));
    std::fs::write(
        &source,
        "[White \"Anna\"]\n[Black \"Ben\"]\n[Date \"2020.01.02\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n\n\
         [White \"Carla\"]\n[Black \"Anna\"]\n[Date \"2021.??.??\"]\n[Result \"0-1\"]\n\n1. e4 c5 0-1\n\n\
         [White \"Ben\"]\n[Black \"Carla\"]\n[Result \"1/2-1/2\"]\n\n1. d4 1/2-1/2\n",
    )
    .expect("written");
    let games = Games::new(vec![Source::from_arg(&source)], Choice::default());
    let workers = Workers::new(None, Stop::new());
    archive::create(&base, &games, Indexed::Mainlines, &workers).expect("an archive");
    let opened = Archive::open(&base).expect("an archive");
    let session = Session::of_archive(opened).expect("games");
    let server = TestServer::of(session, &Options::default());

    let state = server.get("/api/state");
    assert_eq!(state["archive"]["games"], 3);
    assert_eq!(
        (&state["games"], &state["files"][1]["archive"]),
        (&json!(4), &json!(true))
    );
    let names = |list: &Value| -> Vec<String> {
        let rows = list["rows"].as_array().expect("rows").iter();
        rows.map(|row| row["white"].as_str().unwrap_or("").to_owned())
            .collect()
    };
    assert_eq!(names(&server.get("/api/games")), ["Anna", "Carla", "Ben"]);
    assert_eq!(
        names(&server.get("/api/games?sort=white&reverse=1")),
        ["Carla", "Ben", "Anna"]
    );
    let found = server.get("/api/games?search=Player%3Danna%20and%20Year%3E2020");
    assert_eq!(
        (&found["total"], &found["rows"][0]["date"]),
        (&json!(1), &json!("2021"))
    );
    assert_eq!(
        server.get_error("/api/games?search=White%3D%28and%29%29"),
        "bad_request"
    );

    // The game before those of the archive is there to play moves in.
    let played = server.post("/api/play", json!({"game": 0, "node": 0, "uci": "e2e4"}));
    let here = format!("/api/games?game=0&with={}", played["node"]);
    assert_eq!(names(&server.get(&here)), ["Anna", "Carla"]);
    let end = server.get("/api/position?game=1&path=e2e4,e7e5,d1h5,b8c6,f1c4,g8f6,h5f7");
    assert_eq!(
        (&end["over"], &end["followed"]),
        (&json!("checkmate"), &json!(7))
    );
    let orders = server.get(&format!("/api/orders?game=1&node={}", end["node"]));
    assert_eq!(
        (&orders["orders"][0]["game"], &orders["times"]),
        (&json!(1), &json!(1))
    );
    for (route, body) in [
        (
            "/api/edit",
            json!({"game": 1, "node": 1, "verb": "comment", "text": "no"}),
        ),
        ("/api/play", json!({"game": 2, "node": 0, "uci": "d2d4"})),
        ("/api/cut", json!({"game": 1, "node": 1})),
        (
            "/api/paste-pgn",
            json!({"game": 1, "node": 0, "text": "1. d4 *\n\n1. c4 *"}),
        ),
        ("/api/edit", json!({"game": 1, "verb": "chapter-delete"})),
    ] {
        assert_eq!(
            server.post_error(route, body.clone()),
            "read_only",
            "{route} {body}"
        );
    }
    assert_eq!(server.get_error("/api/download?file=1"), "refused");
    assert_eq!(
        server.post_error("/api/audit", json!({"file": 1})),
        "refused"
    );

    let job = server.post(
        "/api/query",
        json!({"query": "mate", "file": 1, "where": "Player=anna"}),
    );
    let job = server.wait(&job);
    assert_eq!(
        (&job["state"], &job["result"]["games"]),
        (&json!("done"), &json!(1))
    );
    let rows = &job["rows"];
    assert_eq!(
        (&rows[0]["game"], &rows[0]["node"]),
        (&json!(1), &end["node"])
    );
    assert_eq!(rows[0]["title"], "Anna – Ben, 2020, 1-0");
}

/// Rows of a comparison lead to their chapter after chapters were moved.
#[test]
fn rows_follow_their_chapters() {
    let folder = tempfile::tempdir().expect("a folder");
    let old = write(folder.path(), "old.pgn", BOOK);
    let new = write(folder.path(), "new.pgn", &BOOK.replace("3. g3", "3. g3 d5"));
    let server = TestServer::of_files(&[old, new]);
    let job = server.post("/api/diff", json!({"old": 0, "new": 1}));
    let game = || server.wait(&job)["rows"][0]["new_game"].clone();
    assert_eq!(game(), 2);
    server.post("/api/edit", edit(2, &json!(0), "chapter-move", "4"));
    assert_eq!(game(), 3);
    server.post("/api/edit", edit(3, &json!(0), "chapter-delete", ""));
    assert_eq!(game(), Value::Null);
}

/// In positions mode the continuations of all chapters are alternatives, each with its place.
#[test]
fn the_table_of_positions() {
    let server = TestServer::of_text(BOOK);
    let here = node(&server, 0, "d2d4,g8f6,c2c4,e7e6");
    let found = server.get(&format!("/api/positions?game=0&node={here}"));
    let rows = found["table"]["rows"].as_array().expect("rows").iter();
    let cells: Vec<&Value> = rows
        .flat_map(|row| {
            let others = row["alternatives"].as_array().expect("alternatives");
            [&row["first"], &row["second"]].into_iter().chain(others)
        })
        .collect();
    let current = cells.iter().find(|cell| cell["current"] == true);
    let current = current.expect("the current move");
    assert_eq!((&current["san"], &current["node"]), (&json!("e6"), &here));
    // 3.g3 and 3.Nc3 are in the first chapter, 3.Nf3 in the second only.
    for (san, game) in [("g3", 0), ("Nc3", 0), ("Nf3", 1)] {
        let is_it = |cell: &&&Value| cell["san"] == san && cell["game"] == game;
        assert!(cells.iter().any(|cell| is_it(&cell)), "{san}: {cells:?}");
    }
}
