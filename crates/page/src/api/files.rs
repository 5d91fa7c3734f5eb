//! Saving, and changes of earlier sessions.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use desk::session::{OpenFile, SaveOptions, Session};
use serde::Deserialize;
use serde_json::{Value, json};

use super::edit::{FileRequest, announce};
use crate::error::{Answer, ApiError};
use crate::reply::Typed;
use crate::route::Client;
use crate::shared::Shared;

/// How to save a file.
#[derive(Deserialize)]
pub struct SaveRequest {
    file: usize,
    #[serde(rename = "as")]
    name: Option<String>,
    #[serde(default)]
    force: bool,
    #[serde(default)]
    backup: bool,
}

/// `POST /api/save`
pub fn save(shared: &Arc<Shared>, request: SaveRequest, _: Client) -> Answer<Value> {
    let mut work = shared.work_to_change(None)?;
    work.enter_file(request.file)?;
    let to = match &request.name {
        Some(name) => Some(beside(&work.session, name)?),
        None => None,
    };
    let options = SaveOptions {
        to,
        force: request.force,
        backup: request.backup,
        ..SaveOptions::default()
    };
    let saved = work.session.save(&options)?;
    work.rev += 1;
    shared.send_files(&work);
    Ok(json!({
        "epoch": work.epoch,
        "rev": work.rev,
        "message": saved.to_string(),
        "path": saved.path,
        "backup": saved.backup,
    }))
}

/// A new name in the folder of the current file: nothing is written elsewhere.
pub fn beside(session: &Session, name: &str) -> Answer<PathBuf> {
    let name = plain_name(name)?;
    let path = session.file().path();
    let path = path.ok_or_else(|| ApiError::refused("there is no file beside which to save"))?;
    Ok(path.with_file_name(name))
}

/// A name without a folder, or nothing.
pub fn plain_name(name: &str) -> Answer<&str> {
    let is_name = |name: &str| {
        let mut parts = Path::new(name).components();
        let is_normal = matches!(parts.next(), Some(Component::Normal(part)) if part == name);
        is_normal && parts.next().is_none() && !name.contains(['/', '\\', ':', '\0'])
    };
    if !is_name(name) || name.starts_with('.') {
        let message = format!("{name:?} is not a file name without a folder");
        return Err(ApiError::bad_request(message));
    }
    Ok(name)
}

/// `POST /api/resume`
pub fn resume(shared: &Arc<Shared>, request: FileRequest, client: Client) -> Answer<Value> {
    renumbering(shared, request, client, Session::resume)
}

/// `POST /api/discard`
pub fn discard(shared: &Arc<Shared>, request: FileRequest, client: Client) -> Answer<Value> {
    renumbering(shared, request, client, Session::discard)
}

/// `POST /api/reload`
pub fn reload(shared: &Arc<Shared>, request: FileRequest, client: Client) -> Answer<Value> {
    let is_changed = |file: &OpenFile| file.is_changed();
    if shared
        .work()
        .session
        .files()
        .get(request.file)
        .is_some_and(is_changed)
    {
        return Err(ApiError::refused(
            "the file has unsaved changes: save or undo them first",
        ));
    }
    renumbering(shared, request, client, |session| {
        session.reload()?;
        Ok("read the file again".to_owned())
    })
}

fn renumbering(
    shared: &Arc<Shared>,
    request: FileRequest,
    client: Client,
    make: impl FnOnce(&mut Session) -> Result<String, desk::session::SessionError>,
) -> Answer<Value> {
    let mut work = shared.work_to_change(None)?;
    work.enter_file(request.file)?;
    let summary = make(&mut work.session)?;
    work.changed(true);
    Ok(announce(shared, &work, client, &summary))
}

/// `GET /api/download`
pub fn download(shared: &Arc<Shared>, request: FileRequest) -> Answer<Typed> {
    let work = shared.work();
    let file = work.session.files().get(request.file);
    let file = file.ok_or_else(|| ApiError::not_found(format!("no file {}", request.file)))?;
    if file.archive().is_some() {
        return Err(ApiError::refused(
            "an archive is written as PGN by gametree convert",
        ));
    }
    Ok(("application/x-chess-pgn", file.new_bytes()?))
}
