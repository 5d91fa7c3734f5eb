//! Strangers are kept out: other hosts, other origins, no key, long bodies, paths.

mod common;

use common::{BOOK, Reply, TestServer, request, write};
use gametree_desk::session::Session;
use gametree_page::Options;
use serde_json::{Value, json};

fn ask(server: &TestServer, method: &str, path: &str, headers: &[&str]) -> Reply {
    request(server.address, method, path, headers, b"")
}

#[test]
fn the_key_is_needed_everywhere() {
    let server = TestServer::of_text(BOOK);
    let key = &server.key;
    for path in [
        "/api/state",
        "/api/events",
        "/api/picture.svg?game=0",
        "/api/nothing",
    ] {
        for header in [
            "X-Gametree-Key: ",
            "X-Gametree-Key: 0123456789abcdef0123456789abcdef",
            "Cookie: key=x",
        ] {
            assert_eq!(
                ask(&server, "GET", path, &[header]).status,
                403,
                "{path} {header}"
            );
        }
        assert_eq!(
            ask(&server, "GET", &format!("{path}?key={key}"), &[]).status,
            403,
            "{path}"
        );
    }
    assert_eq!(ask(&server, "GET", "/", &[]).status, 403);
    assert_eq!(ask(&server, "GET", "/?key=wrong", &[]).status, 403);
    let entered = ask(&server, "GET", &format!("/?key={key}"), &[]);
    assert_eq!(
        (entered.status, entered.header("location")),
        (303, Some("/"))
    );
    let cookie = entered.header("set-cookie").unwrap();
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"),
        "{cookie}"
    );
    let cookie = format!("Cookie: other=1; {}", cookie.split(';').next().unwrap());
    assert_eq!(ask(&server, "GET", "/api/state", &[&cookie]).status, 200);
    let other_port = cookie.replace("gametree_", "gametree_1");
    assert_eq!(
        ask(&server, "GET", "/api/state", &[&other_port]).status,
        403
    );
}

#[test]
fn other_hosts_and_origins_are_refused() {
    let server = TestServer::of_text(BOOK);
    let key = format!("X-Gametree-Key: {}", server.key);
    let port = server.address.port();
    let status = |headers: &[&str]| {
        let headers: Vec<&str> = [key.as_str()]
            .into_iter()
            .chain(headers.iter().copied())
            .collect();
        ask(&server, "GET", "/api/state", &headers).status
    };
    assert_eq!(status(&[]), 200);
    for host in [
        "evil.example",
        "evil.example:80",
        "127.0.0.1",
        "127.0.0.1:1",
        "",
        "0x7f.1:80",
    ] {
        assert_eq!(status(&[&format!("Host: {host}")]), 403, "{host}");
    }
    assert_eq!(
        status(&[&format!("Host: evil.example:{port}")]),
        403,
        "DNS rebinding"
    );
    assert_eq!(status(&[&format!("Host: localhost:{port}")]), 200);
    assert_eq!(status(&[&format!("Origin: http://127.0.0.1:{port}")]), 200);
    for origin in [
        "null",
        "http://evil.example",
        "https://127.0.0.1",
        "http://127.0.0.1",
        "http://127.0.0.1:1",
    ] {
        assert_eq!(status(&[&format!("Origin: {origin}")]), 403, "{origin}");
    }
    assert_eq!(status(&["Sec-Fetch-Site: cross-site"]), 403);
    assert_eq!(status(&["Sec-Fetch-Site: same-origin"]), 200);
    assert_eq!(
        ask(&server, "GET", "/page.js", &["Host: evil.example"]).status,
        403
    );
}

#[test]
fn every_answer_has_the_policy() {
    let server = TestServer::of_text(BOOK);
    for path in ["/", "/api/state", "/nothing", "/page.js"] {
        let reply = ask(&server, "GET", path, &[]);
        let policy = reply.header("content-security-policy").expect(path);
        assert!(policy.contains("default-src 'none'") && policy.contains("script-src 'self';"));
        assert!(include_str!("../API.md").contains(policy), "{policy}");
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(reply.header("access-control-allow-origin"), None);
    }
}

#[test]
fn bodies_are_bounded_and_typed() {
    let server = TestServer::of_text(BOOK);
    let client = server.client();
    let long = vec![b' '; (4 << 20) + 1];
    assert_eq!(client.post_bytes("/api/edit", &long).status, 413);
    assert_eq!(client.post_bytes("/api/edit", b"{").status, 400);
    assert_eq!(
        client.post_bytes("/api/edit", &b"[".repeat(100_000)).status,
        400
    );
    let key = format!("X-Gametree-Key: {}", server.key);
    let body = json!({"game": 0, "node": 1, "verb": "comment", "text": "x"}).to_string();
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
    ] {
        let kind = format!("Content-Type: {kind}");
        let reply = request(
            server.address,
            "POST",
            "/api/edit",
            &[&key, &kind],
            body.as_bytes(),
        );
        assert_eq!(reply.status, 400, "{kind}");
    }
    assert_eq!(ask(&server, "GET", "/api/edit", &[&key]).status, 405);
    assert_eq!(ask(&server, "DELETE", "/api/state", &[&key]).status, 405);
    assert_eq!(server.get("/api/state")["rev"], 1, "nothing changed");
}

#[test]
fn files_are_only_those_opened() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    std::fs::create_dir(&inner).unwrap();
    write(folder.path(), "secret.pgn", "1. e4 *\n");
    let server = TestServer::of_files(&[write(&inner, "book.pgn", BOOK)]);
    for path in [
        "/../secret.pgn",
        "/%2e%2e/secret.pgn",
        "/..%2fsecret.pgn",
        "/etc/passwd",
        "//etc/passwd",
        "/book.pgn",
        "/.book.pgn.gametree-journal",
        "/index.html/../../secret.pgn",
    ] {
        let reply = server.client().try_get(path);
        assert!(reply.status == 404, "{path}: {}", reply.status);
    }
    for name in [
        "../x.pgn",
        "/tmp/x.pgn",
        "a/b.pgn",
        "a\\b.pgn",
        "..",
        ".",
        "",
        ".hidden",
        "c:x.pgn",
        "x\0.pgn",
    ] {
        let body = json!({"file": 0, "as": name, "force": true});
        assert_eq!(
            server.post_error("/api/save", body),
            "bad_request",
            "{name:?}"
        );
    }
    assert_eq!(server.get_error("/api/download?file=1"), "not_found");
    let names: Vec<_> = std::fs::read_dir(&inner)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names, ["book.pgn"]);
}

#[test]
fn text_of_files_is_data() {
    let evil = "<script>alert(1)</script>";
    let pgn = format!("[Event \"{evil}\"]\n\n1. e4 {{{evil}}} *\n");
    let server = TestServer::of_text(&pgn);
    let reply = server.client().try_get("/api/position?game=0&node=1");
    assert_eq!(reply.header("content-type"), Some("application/json"));
    assert_eq!(reply.json()["comment"], evil);
    assert_eq!(server.get("/api/games")["rows"][0]["event"], evil);
}

#[test]
fn a_server_for_other_machines_still_checks() {
    let session = Session::from_text("test", BOOK.as_bytes().to_vec()).unwrap();
    let options = Options {
        host: "0.0.0.0".to_owned(),
        ..Options::default()
    };
    let server = TestServer::of(session, &options);
    let key = format!("X-Gametree-Key: {}", server.key);
    let port = server.address.port();
    let status = |host: &str| {
        ask(
            &server,
            "GET",
            "/api/state",
            &[&key, &format!("Host: {host}:{port}")],
        )
        .status
    };
    assert_eq!((status("192.168.7.7"), status("evil.example")), (200, 403));
    let state: Value = server.get("/api/state");
    assert_eq!(state["games"], 2);
}
