//! A server for tests, and a client for it that is nothing but a socket.

#![allow(dead_code, reason = "each test file uses a part of it")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use gametree_desk::session::Session;
use gametree_kit::Stop;
use gametree_kit::input::Source;
use gametree_page::{Options, Server};
use serde_json::{Value, json};

/// Two chapters with transpositions, and games.
pub const BOOK: &str = "[Event \"First\"]\n[White \"Me\"]\n\n1. d4 Nf6 (1... e6 2. c4 Nf6 {also} 3. Nc3) 2. c4 $1 {[%cal Ge2e4] why\nso} e6 3. g3 *\n\n\
                        [Event \"Second\"]\n\n1. c4 e6 2. d4 Nf6 3. Nf3 (3. Nc3 Bb4) *\n";

/// A running server.
pub struct TestServer {
    pub address: SocketAddr,
    pub key: String,
    stop: Stop,
    thread: Option<JoinHandle<()>>,
}

impl TestServer {
    pub fn of(session: Session, options: &Options) -> TestServer {
        let server = Server::bind(session, options).expect("a free port");
        let text = server.address();
        let (base, key) = text.split_once("/?key=").expect("an address with a key");
        let address = base.strip_prefix("http://").expect("http");
        let address = address.replace("localhost", "127.0.0.1").parse();
        let stop = Stop::new();
        let stopped = stop.clone();
        let thread = thread::spawn(move || drop(server.run(&stopped).expect("served")));
        TestServer {
            address: address.expect("a number"),
            key: key.to_owned(),
            stop,
            thread: Some(thread),
        }
    }

    /// A server of some text that belongs to no file.
    pub fn of_text(text: &str) -> TestServer {
        let session = Session::from_text("test", text.as_bytes().to_vec()).expect("games");
        TestServer::of(session, &Options::default())
    }

    /// A server of files.
    pub fn of_files(paths: &[PathBuf]) -> TestServer {
        let sources: Vec<Source> = paths.iter().map(Source::from_arg).collect();
        let session = Session::open_or_begin(&sources).expect("files");
        TestServer::of(session, &Options::default())
    }

    pub fn end(&mut self) {
        self.stop.raise();
        if let Some(thread) = self.thread.take() {
            thread.join().expect("no panic");
        }
    }

    pub fn client(&self) -> Client {
        Client {
            address: self.address,
            key: self.key.clone(),
        }
    }

    pub fn get(&self, path: &str) -> Value {
        self.client().get(path)
    }

    pub fn post(&self, path: &str, body: Value) -> Value {
        self.client().post(path, body)
    }

    /// The code of the error of a request that must fail.
    pub fn post_error(&self, path: &str, body: Value) -> String {
        let reply = self.client().try_post(path, &body);
        assert!(reply.status >= 400, "{path}: {}", reply.text());
        code(&reply.json())
    }

    pub fn get_error(&self, path: &str) -> String {
        let reply = self.client().try_get(path);
        assert!(reply.status >= 400, "{path}: {}", reply.text());
        code(&reply.json())
    }

    /// A job when it has ended, with its rows.
    pub fn wait(&self, job: &Value) -> Value {
        let number = &job["job"];
        loop {
            let now = self.get(&format!("/api/job?job={number}&count=1000"));
            if now["state"] != "running" {
                return now;
            }
            thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.stop.raise();
    }
}

fn code(error: &Value) -> String {
    error["error"]["code"].as_str().expect("a code").to_owned()
}

/// A client with the key.
#[derive(Clone)]
pub struct Client {
    pub address: SocketAddr,
    pub key: String,
}

impl Client {
    pub fn get(&self, path: &str) -> Value {
        let reply = self.try_get(path);
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        reply.json()
    }

    pub fn post(&self, path: &str, body: Value) -> Value {
        let reply = self.try_post(path, &body);
        let fine = [200, 202].contains(&reply.status);
        assert!(fine, "{path} {body}: {}", reply.text());
        reply.json()
    }

    pub fn try_get(&self, path: &str) -> Reply {
        let key = format!("X-Gametree-Key: {}", self.key);
        request(self.address, "GET", path, &[&key], b"")
    }

    pub fn try_post(&self, path: &str, body: &Value) -> Reply {
        self.post_bytes(path, body.to_string().as_bytes())
    }

    pub fn post_bytes(&self, path: &str, body: &[u8]) -> Reply {
        let key = format!("X-Gametree-Key: {}", self.key);
        let headers = [key.as_str(), "Content-Type: application/json"];
        request(self.address, "POST", path, &headers, body)
    }
}

/// An answer.
pub struct Reply {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.text()))
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        let found = lines.find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value)
    }
}

/// A request with the usual host, unless a header names another.
pub fn request(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[&str],
    body: &[u8],
) -> Reply {
    let mut stream = TcpStream::connect(address).expect("connected");
    let mut text = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
    if !headers.iter().any(|header| header.starts_with("Host:")) {
        text += &format!("Host: {address}\r\n");
    }
    for header in headers {
        text += &format!("{header}\r\n");
    }
    text += &format!("Content-Length: {}\r\n\r\n", body.len());
    // A server that refuses a body may close before it has read it.
    stream.write_all(text.as_bytes()).ok();
    stream.write_all(body).ok();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).ok();
    let end = bytes.windows(4).position(|part| part == b"\r\n\r\n");
    let end = end.unwrap_or_else(|| panic!("no answer to {method} {path}"));
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|word| word.parse().ok());
    Reply {
        status: status.expect("a status"),
        body: bytes[end + 4..].to_vec(),
        head,
    }
}

/// The events of a server, one after another.
pub struct Events(BufReader<TcpStream>);

impl Events {
    pub fn open(client: &Client) -> Events {
        let mut stream = TcpStream::connect(client.address).expect("connected");
        let (address, key) = (client.address, &client.key);
        let head =
            format!("GET /api/events HTTP/1.1\r\nHost: {address}\r\nX-Gametree-Key: {key}\r\n\r\n");
        stream.write_all(head.as_bytes()).expect("sent");
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .expect("a timeout");
        Events(BufReader::new(stream))
    }

    /// The data of the next event with this name; none at the end of the stream.
    pub fn next(&mut self, name: &str) -> Option<Value> {
        let wanted = format!("event: {name}");
        let mut is_wanted = false;
        let mut line = String::new();
        while self.0.read_line(&mut line).is_ok_and(|length| length > 0) {
            if let Some(data) = line.strip_prefix("data: ").filter(|_| is_wanted) {
                return serde_json::from_str(data.trim()).ok();
            }
            if line.starts_with("event: ") {
                is_wanted = line.trim() == wanted;
            }
            line.clear();
        }
        None
    }
}

/// A file with text in a folder.
pub fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("written");
    path
}

/// The body of an edit.
pub fn edit(game: u64, node: &Value, verb: &str, text: &str) -> Value {
    json!({"game": game, "node": node, "verb": verb, "text": text})
}
