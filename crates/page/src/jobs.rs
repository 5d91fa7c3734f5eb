//! Jobs: work that takes long, with progress, rows that grow, and cancelling.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use desk::session::{GameId, Session};
use kit::Stop;
use lab::strategy::StrategyTable;
use serde_json::{Value, json};

use crate::error::{Answer, ApiError};
use crate::events::Hub;
use crate::requests::RunRequest;

/// More running jobs would only slow one another down.
const MOST_RUNNING: usize = 8;

/// Older jobs that ended are forgotten.
const MOST_KEPT: usize = 32;

/// Progress is sent no more often than this.
const INTERVAL: Duration = Duration::from_millis(200);

/// The jobs of a server.
#[derive(Debug, Default)]
pub struct Jobs {
    list: Mutex<Vec<Arc<Job>>>,
    last: AtomicU64,
}

/// A job.
#[derive(Debug)]
pub struct Job {
    id: u64,
    kind: &'static str,
    title: String,
    /// Raised to cancel it.
    pub stop: Stop,
    /// What the numbers of games in its rows mean.
    pub numbers: Numbers,
    status: Mutex<Status>,
}

/// The games when a job began, by their numbers then.
#[derive(Debug, Default)]
pub struct Numbers {
    epoch: u64,
    games: Vec<GameId>,
}

impl Numbers {
    /// The games now.
    pub fn of(session: &Session, epoch: u64) -> Numbers {
        Numbers {
            epoch,
            games: session.game_ids(),
        }
    }

    /// The present number of each game, if chapters were renumbered since; none: it is gone.
    pub fn renumbered(&self, session: &Session, epoch: u64) -> Option<Vec<Option<usize>>> {
        if self.games.is_empty() || self.epoch == epoch {
            return None;
        }
        let now = session.game_ids().into_iter().enumerate();
        let now: HashMap<GameId, usize> = now.map(|(number, game)| (game, number)).collect();
        let games = self.games.iter().map(|game| now.get(game).copied());
        Some(games.collect())
    }
}

/// Progress and results of a job.
#[derive(Debug)]
pub struct Status {
    phase: Phase,
    /// Done, all of them, and their unit.
    progress: Option<(u64, u64, &'static str)>,
    message: String,
    result: Value,
    /// The rows so far.
    pub rows: Rows,
    /// A strategy whose positions can be asked for.
    pub strategy: Option<StrategyTable>,
    /// A search whose games can be saved.
    pub search: Option<RunRequest>,
    sent: Instant,
}

/// The rows of a job.
#[derive(Debug)]
pub enum Rows {
    /// As they are sent.
    Ready(Vec<Value>),
    /// Positions, described when they are sent: game and node.
    Positions(Vec<(u32, u32)>),
}

impl Rows {
    /// The number of rows.
    pub fn len(&self) -> usize {
        match self {
            Rows::Ready(rows) => rows.len(),
            Rows::Positions(rows) => rows.len(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Running,
    Done,
    Canceled,
    Failed,
}

impl Phase {
    fn name(self) -> &'static str {
        match self {
            Phase::Running => "running",
            Phase::Done => "done",
            Phase::Canceled => "canceled",
            Phase::Failed => "failed",
        }
    }
}

impl Job {
    /// Its state, locked.
    pub fn status(&self) -> MutexGuard<'_, Status> {
        self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The job as JSON, without rows.
    pub fn json(&self) -> Value {
        let status = self.status();
        let progress = status
            .progress
            .map(|(done, all, unit)| json!({"done": done, "all": all, "unit": unit}));
        json!({
            "job": self.id,
            "kind": self.kind,
            "title": self.title,
            "state": status.phase.name(),
            "progress": progress,
            "message": status.message,
            "result": status.result,
            "total": status.rows.len(),
        })
    }

    /// Changes the state and notifies the pages, but not too often.
    pub fn update(&self, hub: &Hub, change: impl FnOnce(&mut Status)) {
        let is_due = {
            let mut status = self.status();
            change(&mut status);
            let is_due = status.sent.elapsed() >= INTERVAL;
            if is_due {
                status.sent = Instant::now();
            }
            is_due
        };
        if is_due {
            hub.send("job", &self.json());
        }
    }

    /// Sets the progress.
    pub fn advance(&self, hub: &Hub, done: u64, all: u64, unit: &'static str) {
        self.update(hub, |status| status.progress = Some((done, all, unit)));
    }

    fn is_running(&self) -> bool {
        self.status().phase == Phase::Running
    }

    /// Sets how the job ended and notifies the pages.
    pub fn end(&self, hub: &Hub, ended: Result<Value, String>) {
        {
            let mut status = self.status();
            match ended {
                Ok(result) => {
                    status.result = result;
                    status.phase = if self.stop.is_raised() {
                        Phase::Canceled
                    } else {
                        Phase::Done
                    };
                }
                Err(message) => {
                    status.message = message;
                    status.phase = Phase::Failed;
                }
            }
        }
        hub.send("job", &self.json());
    }
}

impl Jobs {
    /// Adds a job; `Shared::start_job` does its work.
    pub fn add(
        &self,
        kind: &'static str,
        title: &str,
        rows: Rows,
        numbers: Numbers,
    ) -> Answer<Arc<Job>> {
        let mut list = self.lock();
        let running = list.iter().filter(|job| job.is_running()).count();
        if running >= MOST_RUNNING {
            return Err(ApiError::busy(format!("{running} jobs are running")));
        }
        if list.len() >= MOST_KEPT
            && let Some(oldest) = list.iter().position(|job| !job.is_running())
        {
            list.remove(oldest);
        }
        let job = Arc::new(Job {
            id: self.last.fetch_add(1, Ordering::Relaxed) + 1,
            kind,
            title: title.chars().take(200).collect(),
            stop: Stop::new(),
            numbers,
            status: Mutex::new(Status {
                phase: Phase::Running,
                progress: None,
                message: String::new(),
                result: json!({}),
                rows,
                strategy: None,
                search: None,
                sent: Instant::now(),
            }),
        });
        list.push(Arc::clone(&job));
        Ok(job)
    }

    /// A job by its number.
    pub fn find(&self, id: u64) -> Answer<Arc<Job>> {
        let list = self.lock();
        let found = list.iter().find(|job| job.id == id);
        found
            .cloned()
            .ok_or_else(|| ApiError::not_found(format!("no job {id}")))
    }

    /// Cancels and forgets a job.
    pub fn remove(&self, id: u64) -> Answer<()> {
        self.find(id)?.stop.raise();
        self.lock().retain(|job| job.id != id);
        Ok(())
    }

    /// Cancels all jobs.
    pub fn stop_all(&self) {
        self.lock().iter().for_each(|job| job.stop.raise());
    }

    /// All jobs as JSON, without rows.
    pub fn all(&self) -> Vec<Value> {
        self.lock().iter().map(|job| job.json()).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Job>>> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
