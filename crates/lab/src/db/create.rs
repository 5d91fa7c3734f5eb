//! Creating a database: list the components, survey them on all cores, record each in a journal.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use sums::Solver;
use sums::db::{BadDatabase, Builder, Entry};

use super::{DbError, Request, open, write};
use crate::solve::solver;
use crate::{Budget, Game, GaveUp};
use kit::Workers;
use kit::parallel::End;
use kit::save::{SaveError, Target};

/// Options of creating a database.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The components it should contain.
    pub requests: Vec<Request>,
    /// The budget of each question about a component.
    pub budget: Budget,
    /// The file; existing entries are kept.
    pub path: PathBuf,
}

/// The progress of the creation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Positions searched for components, and their total.
    Listing(u64, u64),
    /// Components surveyed, and their total.
    Solving(u64, u64),
}

/// The result of the creation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Created {
    /// Entries so far.
    pub entries: usize,
    /// New entries.
    pub new: usize,
    /// Components that exceeded the budget.
    pub unsolved: usize,
    /// A stop was requested: the results are in the journal, and the same call continues from
    /// there.
    pub stopped: bool,
}

/// Positions that a worker lists at a time.
const POSITIONS: u64 = 10_000;

/// Components that a worker surveys at a time.
const COMPONENTS: usize = 16;

/// Creates a database, or continues one.
pub fn create(
    plan: &Plan,
    workers: &Workers,
    mut progress: impl FnMut(Step),
) -> Result<Created, DbError> {
    // 1. The existing entries: the database, and the journal of an interrupted creation.
    let mut builder = Builder::default();
    if plan.path.exists() {
        let bad = |reason| DbError::Bad(plan.path.clone(), reason);
        builder.merge(&open(&plan.path)?).map_err(bad)?;
    }
    let before = builder.len();
    let mut journal = Journal::open(&plan.path, &mut builder)?;
    // 2. The missing components.
    let todo = missing(plan, workers, &builder, &mut progress);
    // 3. The survey; each result goes into the journal first.
    let mut made = survey(
        plan,
        workers,
        &todo,
        &mut builder,
        &mut journal,
        &mut progress,
    )?;
    made.stopped |= workers.stop.is_raised();
    made.entries = builder.len();
    made.new = made.entries - before;
    // 4. The database replaces the journal.
    if !made.stopped {
        write(&mut builder, &plan.path)?;
        journal.remove();
    }
    Ok(made)
}

/// The requested components that are missing, small ones first.
fn missing(
    plan: &Plan,
    workers: &Workers,
    builder: &Builder,
    progress: &mut impl FnMut(Step),
) -> Vec<Game> {
    let mut found: BTreeSet<Game> = BTreeSet::new();
    let total = plan.requests.iter().map(Request::count).sum();
    let mut done = 0;
    for request in &plan.requests {
        let count = request.count();
        let numbers = (0..count.div_ceil(POSITIONS))
            .map(|at| at * POSITIONS..((at + 1) * POSITIONS).min(count));
        workers.run(
            numbers,
            |numbers| {
                let length = numbers.end - numbers.start;
                (request.components(numbers, &workers.stop), length)
            },
            |(parts, length)| {
                found.extend(parts);
                done += length;
                progress(Step::Listing(done, total));
                ControlFlow::<()>::Continue(())
            },
        );
    }
    let is_new = |game: &Game| !builder.contains(&game.kind.name(), &game.text());
    let mut games: Vec<Game> = found.into_iter().filter(is_new).collect();
    games.sort_by_key(|game| game.kind.rules().size(&game.position));
    games
}

/// Surveys components on all cores.
fn survey(
    plan: &Plan,
    workers: &Workers,
    todo: &[Game],
    builder: &mut Builder,
    journal: &mut Journal,
    progress: &mut impl FnMut(Step),
) -> Result<Created, DbError> {
    let mut made = Created::default();
    let mut done = 0;
    let pool = Pool::new(plan.budget, workers);
    let end = workers.run(
        todo.chunks(COMPONENTS),
        |games| pool.survey(games),
        |found| {
            let kept = found.into_iter().try_for_each(|(game, entry)| match entry {
                Ok(entry) => keep(&game, entry, builder, journal),
                Err(GaveUp::Stopped) => Ok(()),
                Err(_) => {
                    made.unsolved += 1;
                    Ok(())
                }
            });
            done = (done + COMPONENTS).min(todo.len());
            progress(Step::Solving(done as u64, todo.len() as u64));
            match kept.and_then(|()| journal.flush()) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => ControlFlow::Break(error),
            }
        },
    );
    match end {
        End::Broken(error) => Err(error),
        End::Stopped => Ok(Created {
            stopped: true,
            ..made
        }),
        End::Done => Ok(made),
    }
}

fn keep(
    game: &Game,
    entry: Entry,
    builder: &mut Builder,
    journal: &mut Journal,
) -> Result<(), DbError> {
    let (name, text) = (game.kind.name(), game.text());
    journal.add(&Builder::journal_entry(&name, &text, &entry));
    let bad = |reason| DbError::Bad(journal.path.clone(), reason);
    builder.insert(&name, &text, entry).map_err(bad)
}

/// Solvers with shared results, so that the work of one helps the others.
struct Pool<'a> {
    budget: Budget,
    workers: &'a Workers,
    first: Mutex<Solver>,
}

impl<'a> Pool<'a> {
    fn new(budget: Budget, workers: &'a Workers) -> Pool<'a> {
        Pool {
            budget,
            workers,
            first: Mutex::new(solver(budget, &workers.stop)),
        }
    }

    fn survey(&self, games: &[Game]) -> Vec<(Game, Result<Entry, GaveUp>)> {
        let mut solver = self.solver();
        let mut found = Vec::new();
        for game in games {
            let mut entry = solver.survey(game);
            if entry == Err(GaveUp::Bytes) || self.is_full(&solver) {
                solver = self.solver();
                entry = entry.or_else(|_| solver.survey(game));
            }
            found.push((game.clone(), entry));
        }
        found
    }

    /// A solver for one thread. When the tables are full, new solvers start with empty ones.
    fn solver(&self) -> Solver {
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_full(&first) {
            *first = solver(self.budget, &self.workers.stop);
        }
        first.share()
    }

    fn is_full(&self, solver: &Solver) -> bool {
        solver.stats().bytes > self.budget.bytes / 2
    }
}

/// The results so far, on disk beside the database.
struct Journal {
    path: PathBuf,
    file: File,
    waiting: Vec<u8>,
}

impl Journal {
    /// Opens the journal of a database, reads its complete records, and appends after them.
    fn open(database: &Path, builder: &mut Builder) -> Result<Journal, DbError> {
        let mut name = database.as_os_str().to_owned();
        name.push(".part");
        let path = PathBuf::from(name);
        let failed = |error| save_error(&path, error);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(failed)?;
        if file.try_lock().is_err() {
            return Err(DbError::Busy(path));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)
            .map_err(|error| DbError::Unreadable(path.clone(), error))?;
        let head = Builder::journal_head();
        let mut waiting = Vec::new();
        let whole = if bytes.len() < head.len() && head.starts_with(&bytes) {
            waiting = head;
            0
        } else {
            let bad = |reason: BadDatabase| DbError::Bad(path.clone(), reason);
            builder.read_journal(&bytes).map_err(bad)?
        };
        file.set_len(whole as u64).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        Ok(Journal {
            path,
            file,
            waiting,
        })
    }

    fn add(&mut self, bytes: &[u8]) {
        self.waiting.extend_from_slice(bytes);
    }

    fn flush(&mut self) -> Result<(), DbError> {
        self.file
            .write_all(&self.waiting)
            .map_err(|error| save_error(&self.path, error))?;
        self.waiting.clear();
        Ok(())
    }

    /// Removes the journal once the database has all of it.
    fn remove(self) {
        // A remaining journal is harmless: it repeats entries of the database.
        std::fs::remove_file(&self.path).ok();
    }
}

fn save_error(path: &Path, error: std::io::Error) -> DbError {
    DbError::Save(SaveError {
        target: Target::File(path.to_owned()),
        error,
    })
}
