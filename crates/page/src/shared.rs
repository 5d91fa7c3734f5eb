//! What all requests share: the open files behind a lock, their revision, the open pages, the jobs.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use desk::archive::Archive;
use desk::game_list::GameList;
use desk::notation::Outline;
use desk::session::{OpenFile, Session};
use desk::tree_map::{MapFolds, TreeMap};
use desk::walk::Walk;
use desk::{Game, NodeId};
use serde_json::{Value, json};

use crate::access::{Hosts, Key};
use crate::error::{Answer, ApiError};
use crate::events::Hub;
use crate::jobs::{Job, Jobs, Numbers, Rows};
use crate::listing::LastListing;
use crate::requests::FoldRequest;

/// The state of a server.
#[derive(Debug)]
pub struct Shared {
    work: Mutex<Work>,
    /// The open pages.
    pub hub: Hub,
    /// Work that takes long.
    pub jobs: Jobs,
    /// The secret.
    pub key: Key,
    /// The names of the server.
    pub hosts: Hosts,
    /// Whether the thread that finds transpositions is running.
    pub is_marking: Arc<AtomicBool>,
    /// The list of games of an archive that was asked for last.
    pub listing: LastListing,
    port: u16,
    is_read_only: bool,
}

/// The open files.
#[derive(Debug)]
pub struct Work {
    /// The session.
    pub session: Session,
    /// Grows with every change.
    pub rev: u64,
    /// Changes with the numbers of games and nodes.
    pub epoch: u64,
    /// The list of games, until something changes.
    pub list: GameList,
    /// The notation that was asked for last.
    pub outline: Option<Cached<NotationFolds, Outline>>,
    /// The map that was asked for last.
    pub map: Option<Cached<MapFolds, TreeMap>>,
}

/// Folds by hand, and variations that are unfolded for the current move.
pub type NotationFolds = (FoldRequest, Vec<NodeId>);

/// A result for a game in a state, with some folds.
#[derive(Debug)]
pub struct Cached<F, T> {
    /// Game and revision.
    pub of: (usize, u64),
    /// The folds.
    pub folds: F,
    /// The result.
    pub result: T,
}

impl Shared {
    /// The state of a new server.
    pub fn new(session: Session, key: Key, hosts: Hosts, port: u16, is_read_only: bool) -> Shared {
        Shared {
            work: Mutex::new(Work {
                session,
                rev: 1,
                epoch: 1,
                list: GameList::default(),
                outline: None,
                map: None,
            }),
            hub: Hub::default(),
            jobs: Jobs::default(),
            key,
            hosts,
            is_marking: Arc::default(),
            listing: LastListing::default(),
            port,
            is_read_only,
        }
    }

    /// The session, after the end of the server.
    pub fn into_session(self) -> Session {
        let work = self.work.into_inner();
        work.unwrap_or_else(PoisonError::into_inner).session
    }

    /// The open files, locked.
    pub fn work(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The open files of a current epoch, locked.
    pub fn work_in(&self, epoch: Option<u64>) -> Answer<MutexGuard<'_, Work>> {
        let work = self.work();
        match epoch {
            Some(epoch) if epoch != work.epoch => Err(ApiError::stale(work.epoch)),
            _ => Ok(work),
        }
    }

    /// The same for a change.
    pub fn work_to_change(&self, epoch: Option<u64>) -> Answer<MutexGuard<'_, Work>> {
        self.check_writable()?;
        self.work_in(epoch)
    }

    /// Refuses changes with `--read-only`.
    pub fn check_writable(&self) -> Answer<()> {
        if self.is_read_only {
            Err(ApiError::read_only())
        } else {
            Ok(())
        }
    }

    /// The name of the cookie with the key: cookies do not know ports.
    pub fn cookie_name(&self) -> String {
        format!("gametree_{}", self.port)
    }

    /// Starts work on a thread of its own. Returns the job as JSON.
    pub fn start_job(
        self: &Arc<Shared>,
        kind: &'static str,
        title: &str,
        rows: Rows,
        numbers: Numbers,
        work: impl FnOnce(&Arc<Shared>, &Job) -> Result<Value, String> + Send + 'static,
    ) -> Answer<Value> {
        let job = self.jobs.add(kind, title, rows, numbers)?;
        let json = job.json();
        let shared = Arc::clone(self);
        thread::spawn(move || {
            let ended = work(&shared, &job);
            job.end(&shared.hub, ended);
        });
        Ok(json)
    }

    /// The answer of `/api/state`.
    pub fn state(&self, work: &Work) -> Value {
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "epoch": work.epoch,
            "rev": work.rev,
            "read_only": self.is_read_only,
            "clip": work.session.has_clip(),
            "archives": work.session.has_archives(),
            "games": work.session.game_count(),
            "archive": work.session.archive().map(|(file, archive)| archive_json(file, archive)),
            "files": work.files(),
            "jobs": self.jobs.all(),
        })
    }

    /// Sends the list of files to the pages.
    pub fn send_files(&self, work: &Work) {
        self.hub.send(
            "files",
            &json!({
                "epoch": work.epoch,
                "rev": work.rev,
                "files": work.files(),
                "clip": work.session.has_clip(),
            }),
        );
    }
}

impl Work {
    /// Goes to a node of a game. Shows the line through `line` below it.
    pub fn go(&mut self, game: usize, node: u32, line: Option<u32>) -> Answer<&Walk> {
        let walk = self.enter(game)?;
        let node = attached(walk, node)?;
        let line = line.and_then(|line| attached(walk, line).ok());
        walk.reset();
        if let Some(line) = line {
            walk.go(line);
        }
        walk.go(node);
        Ok(self.session.walk())
    }

    /// Goes to a game.
    pub fn enter(&mut self, game: usize) -> Answer<&mut Walk> {
        if !self.session.go_to_game(game) {
            return Err(ApiError::not_found(format!("no game {game}")));
        }
        Ok(self.session.walk_mut())
    }

    /// Goes to a file: to its first game, unless it is the current one.
    pub fn enter_file(&mut self, file: usize) -> Answer<()> {
        if file >= self.session.files().len() {
            return Err(ApiError::not_found(format!("no file {file}")));
        }
        let current = self.session.file_of(self.session.game());
        if current.is_none_or(|(current, _)| current != file) {
            self.enter(self.session.first_game(file))?;
        }
        Ok(())
    }

    /// The current file.
    pub fn file(&self) -> usize {
        let found = self.session.file_of(self.session.game());
        found.map_or(0, |(file, _)| file)
    }

    /// Notes a change of the games.
    pub fn changed(&mut self, renumbered: bool) {
        self.rev += 1;
        self.epoch += u64::from(renumbered);
        self.list = GameList::default();
    }

    /// The numbers of the games of a file, or of all files but an archive.
    pub fn games_of(&self, file: Option<usize>) -> Answer<std::ops::Range<usize>> {
        let files = self.session.files();
        match file {
            None => {
                let archive = self.session.archive();
                let end = archive.map(|(file, _)| self.session.first_game(file));
                Ok(0..end.unwrap_or_else(|| self.session.game_count()))
            }
            Some(file) if files.get(file).is_some_and(|file| file.archive().is_some()) => {
                Err(ApiError::refused("an archive is too large to be compared"))
            }
            Some(file) if file < files.len() => {
                let first = self.session.first_game(file);
                Ok(first..first + files[file].len())
            }
            Some(file) => Err(ApiError::not_found(format!("no file {file}"))),
        }
    }

    /// What the numbers of games mean now.
    pub fn numbers(&self) -> Numbers {
        Numbers::of(&self.session, self.epoch)
    }

    /// Some games as they are now.
    pub fn read(&self, games: std::ops::Range<usize>) -> Vec<Game> {
        games
            .filter_map(|game| self.session.read_game(game))
            .collect()
    }

    fn files(&self) -> Vec<Value> {
        let files = self.session.files().iter().enumerate();
        files
            .map(|(index, file)| self.file_json(index, file))
            .collect()
    }

    fn file_json(&self, index: usize, file: &OpenFile) -> Value {
        let is_archive = file.archive().is_some();
        let obstacle = file
            .obstacle()
            .filter(|_| !is_archive)
            .map(ApiError::from)
            .map(|obstacle| json!({"code": obstacle.code(), "message": obstacle.message()}));
        json!({
            "file": index,
            "name": short_name(file),
            "path": file.path(),
            "first_game": self.session.first_game(index),
            "games": file.len(),
            "archive": is_archive,
            "changed": file.is_changed(),
            "new": file.is_new(),
            "changed_on_disk": file.seems_changed_on_disk(),
            "undo": file.undo_summary(),
            "redo": file.redo_summary(),
            "obstacle": obstacle,
            "journal_trouble": file.journal_trouble(),
        })
    }
}

/// The name of a file without its folders.
pub fn short_name(file: &OpenFile) -> String {
    let path = file.path().or(file.archive().map(Archive::path));
    let name = path.and_then(|path| path.file_name());
    name.map_or_else(
        || file.name().to_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}

fn archive_json(file: usize, archive: &Archive) -> Value {
    json!({"file": file, "path": archive.path(), "games": archive.games()})
}

/// A node that is part of a game.
pub fn attached(walk: &Walk, node: u32) -> Answer<NodeId> {
    let (tree, node) = (walk.tree(), NodeId(node));
    if tree.contains(node) && tree.is_attached(node) {
        Ok(node)
    } else {
        Err(ApiError::not_found(format!("no node {}", node.0)))
    }
}
