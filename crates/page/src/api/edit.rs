//! Changes of games and chapters.

use std::sync::Arc;

use desk::edit::{VERBS, Verb};
use desk::session::{Session, SessionError};
use serde::Deserialize;
use serde_json::{Value, json};

use super::games::Nothing;
use crate::error::{Answer, ApiError};
use crate::marks;
use crate::route::Client;
use crate::shared::{Shared, Work};

/// `GET /api/verbs`
pub fn verbs(_: &Arc<Shared>, _: Nothing) -> Answer<Value> {
    let verbs = VERBS
        .iter()
        .map(|verb| json!({"verb": verb.word, "text": verb.args, "help": verb.does}));
    Ok(json!({"verbs": verbs.collect::<Vec<_>>()}))
}

/// A move to play.
#[derive(Deserialize)]
pub struct PlayRequest {
    epoch: Option<u64>,
    game: usize,
    node: u32,
    uci: Option<String>,
    san: Option<String>,
}

/// `POST /api/play`
pub fn play(shared: &Arc<Shared>, request: PlayRequest, client: Client) -> Answer<Value> {
    let mut work = shared.work_in(request.epoch)?;
    let walk = work.go(request.game, request.node, None)?;
    let board = walk.board();
    let mv = match (&request.uci, &request.san) {
        (Some(uci), _) => board.parse_uci(uci).map_err(ApiError::bad_request)?,
        (None, Some(san)) => board.parse_san(san).map_err(ApiError::bad_request)?,
        (None, None) => return Err(ApiError::bad_request("uci or san is missing")),
    };
    if let Some(child) = walk.tree().child_by(walk.at(), |other| *other == mv) {
        work.session.walk_mut().go(child);
        return Ok(place(&work, "an existing move"));
    }
    shared.check_writable()?;
    let verb = Verb::Add(board.san(mv).to_string());
    change(shared, &mut work, client, |session| session.edit(&verb))
}

/// A verb with its text.
#[derive(Deserialize)]
pub struct EditRequest {
    epoch: Option<u64>,
    game: usize,
    #[serde(default)]
    node: u32,
    verb: String,
    #[serde(default)]
    text: String,
}

/// `POST /api/edit`
pub fn edit(shared: &Arc<Shared>, request: EditRequest, client: Client) -> Answer<Value> {
    let verb = Verb::of(&request.verb, &request.text)?;
    let mut work = shared.work_to_change(request.epoch)?;
    work.go(request.game, request.node, None)?;
    change(shared, &mut work, client, |session| session.edit(&verb))
}

/// A node.
#[derive(Deserialize)]
pub struct NodeRequest {
    epoch: Option<u64>,
    game: usize,
    node: u32,
}

/// `POST /api/copy`
pub fn copy(shared: &Arc<Shared>, request: NodeRequest, _: Client) -> Answer<Value> {
    let mut work = shared.work_in(request.epoch)?;
    work.go(request.game, request.node, None)?;
    work.session.copy();
    shared.send_files(&work);
    Ok(place(&work, "copied this move and its continuations"))
}

/// `POST /api/cut`
pub fn cut(shared: &Arc<Shared>, request: NodeRequest, client: Client) -> Answer<Value> {
    let mut work = shared.work_to_change(request.epoch)?;
    work.go(request.game, request.node, None)?;
    change(shared, &mut work, client, |session| {
        session.cut()?;
        Ok("cut this move and its continuations".to_owned())
    })
}

/// `POST /api/paste`
pub fn paste(shared: &Arc<Shared>, request: NodeRequest, client: Client) -> Answer<Value> {
    let mut work = shared.work_to_change(request.epoch)?;
    work.go(request.game, request.node, None)?;
    change(shared, &mut work, client, Session::paste)
}

/// PGN to add at a node.
#[derive(Deserialize)]
pub struct PasteRequest {
    epoch: Option<u64>,
    game: usize,
    #[serde(default)]
    node: u32,
    text: String,
}

/// `POST /api/paste-pgn`
pub fn paste_pgn(shared: &Arc<Shared>, request: PasteRequest, client: Client) -> Answer<Value> {
    let mut work = shared.work_to_change(request.epoch)?;
    work.go(request.game, request.node, None)?;
    change(shared, &mut work, client, |session| {
        session.paste_pgn(request.text.as_bytes(), None)
    })
}

/// A file.
#[derive(Deserialize)]
pub struct FileRequest {
    pub file: usize,
}

/// `POST /api/undo`
pub fn undo(shared: &Arc<Shared>, request: FileRequest, client: Client) -> Answer<Value> {
    let mut work = shared.work_to_change(None)?;
    work.enter_file(request.file)?;
    change(shared, &mut work, client, Session::undo)
}

/// `POST /api/redo`
pub fn redo(shared: &Arc<Shared>, request: FileRequest, client: Client) -> Answer<Value> {
    let mut work = shared.work_to_change(None)?;
    work.enter_file(request.file)?;
    change(shared, &mut work, client, Session::redo)
}

/// Makes a change, and tells all pages about it.
pub fn change(
    shared: &Arc<Shared>,
    work: &mut Work,
    client: Client,
    make: impl FnOnce(&mut Session) -> Result<String, SessionError>,
) -> Answer<Value> {
    let lists = |work: &Work| -> Vec<u64> {
        let files = work.session.files().iter();
        files.map(|file| file.list_state()).collect()
    };
    let before = lists(work);
    let summary = make(&mut work.session)?;
    let renumbered = lists(work) != before;
    work.changed(renumbered);
    Ok(announce(shared, work, client, &summary))
}

/// Tells all pages about a change that was made.
pub fn announce(shared: &Arc<Shared>, work: &Work, client: Client, summary: &str) -> Value {
    let answer = place(work, summary);
    let mut event = answer.clone();
    event["by"] = json!(client.0);
    shared.hub.send("change", &event);
    shared.send_files(work);
    marks::request(shared, work.session.game());
    answer
}

/// Where to go after a change.
fn place(work: &Work, summary: &str) -> Value {
    json!({
        "epoch": work.epoch,
        "rev": work.rev,
        "summary": summary,
        "file": work.file(),
        "game": work.session.game(),
        "node": work.session.walk().at().0,
    })
}
