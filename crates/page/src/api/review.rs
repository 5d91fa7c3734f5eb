//! Audit, comparison of two files, games against the book: each a job over the games as they are now.

use std::collections::BTreeMap;
use std::sync::Arc;

use desk::against::{self, Side, Tally, score};
use desk::audit::{self, Finding};
use desk::diff::{self, Change, ChangeKind};
use desk::place::{GameView, Place};
use desk::positions::{Address, Identity, Positions};
use desk::{Color, Game, View};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::{Answer, ApiError};
use crate::jobs::{Job, Numbers, Rows};
use crate::route::Client;
use crate::shared::Shared;

/// What to check.
#[derive(Deserialize)]
pub struct AuditRequest {
    file: Option<usize>,
    side: Option<String>,
}

/// `POST /api/audit`
pub fn audit(shared: &Arc<Shared>, request: AuditRequest, _: Client) -> Answer<Value> {
    let side = colour(request.side.as_deref())?;
    let (games, first, numbers) = games_of(shared, request.file)?;
    let rows = Rows::Ready(Vec::new());
    shared.start_job("audit", "audit", rows, numbers, move |_, job| {
        let positions = Positions::of(games, Identity::default());
        let options = audit::Options {
            side: side.or_else(|| Side::guess(&positions)),
            stop: job.stop.clone(),
            ..audit::Options::default()
        };
        let findings = audit::audit(&positions, &options);
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for finding in &findings {
            *counts.entry(finding.kind.name()).or_default() += 1;
        }
        set_rows(job, findings.iter().map(|found| finding(found, first)));
        let side = options.side.map(|side| side.fold_wb("white", "black"));
        Ok(json!({"counts": counts, "side": side}))
    })
}

fn finding(finding: &Finding, first: usize) -> Value {
    let other_game = finding
        .other_game
        .and_then(|number| usize::try_from(number).ok());
    let other_game = other_game.map(|number| first + number - 1);
    json!({
        "kind": finding.kind.name(),
        "severity": finding.severity.to_string(),
        "message": finding.message,
        "game": first + finding.spot.game,
        "node": finding.spot.node.0,
        "path": finding.at.path.0,
        "other": finding.other.as_ref().map(|other| &other.0),
        "other_game": other_game,
        "moves": finding.moves,
    })
}

/// Which files to compare.
#[derive(Deserialize)]
pub struct DiffRequest {
    old: usize,
    new: usize,
}

/// `POST /api/diff`
pub fn diff(shared: &Arc<Shared>, request: DiffRequest, _: Client) -> Answer<Value> {
    let (old, first_old, _) = games_of(shared, Some(request.old))?;
    let (new, first_new, numbers) = games_of(shared, Some(request.new))?;
    let rows = Rows::Ready(Vec::new());
    shared.start_job("diff", "differences", rows, numbers, move |_, job| {
        let by_moves = |games| Positions::by_moves(games, Identity::default());
        let (old, new) = (by_moves(old), by_moves(new));
        let changes = diff::diff(&old, &new);
        let row = |change: &Change| {
            let is_old = matches!(
                change.kind,
                ChangeKind::GameRemoved | ChangeKind::Removed | ChangeKind::MovedAway
            );
            // Most places exist in both files.
            let [old_place, new_place] = [(&old, first_old), (&new, first_new)]
                .map(|(there, first)| resolve(there, first, &change.at));
            let (own, other) = if is_old {
                (old_place, new_place)
            } else {
                (new_place, old_place)
            };
            let other = if other.1.is_some() {
                other
            } else {
                (None, None)
            };
            let ((old_game, old_node), (new_game, new_node)) =
                if is_old { (own, other) } else { (other, own) };
            json!({
                "kind": change.kind.name(),
                "path": change.at.path.0,
                "moves": change.moves,
                "old": change.old,
                "new": change.new,
                "old_game": old_game,
                "old_node": old_node,
                "new_game": new_game,
                "new_node": new_node,
            })
        };
        set_rows(job, changes.iter().map(row));
        Ok(json!({}))
    })
}

/// The book and the games to compare with it.
#[derive(Deserialize)]
pub struct AgainstRequest {
    book: usize,
    games: usize,
    side: Option<String>,
    player: Option<String>,
}

/// `POST /api/against`
pub fn against(shared: &Arc<Shared>, request: AgainstRequest, _: Client) -> Answer<Value> {
    let colour = colour(request.side.as_deref())?;
    let player = request.player.filter(|player| !player.trim().is_empty());
    let (book, first_book, _) = games_of(shared, Some(request.book))?;
    let (games, first, numbers) = games_of(shared, Some(request.games))?;
    let rows = Rows::Ready(Vec::new());
    shared.start_job(
        "against",
        "my games and the book",
        rows,
        numbers,
        move |shared, job| {
            let same = Identity::default();
            let book = Positions::of(book, same);
            let side = match (player, colour) {
                (Some(player), None) => Side::Player(player),
                (Some(player), Some(colour)) => Side::PlayerAs(player, colour),
                (None, Some(colour)) => Side::Colour(colour),
                (None, None) => {
                    let guess = Side::guess(&book);
                    Side::Colour(guess.ok_or("choose a side: the book does not show it")?)
                }
            };
            let mut tally = Tally::default();
            let all = games.len() as u64;
            for (index, game) in games.iter().enumerate() {
                if job.stop.is_raised() {
                    break;
                }
                job.advance(&shared.hub, index as u64, all, "games");
                let Some(report) = against::report(&book, game, "", &side, same) else {
                    tally.left_out += 1;
                    continue;
                };
                tally.count(&report);
                let node = node_of(game, report.at.path.as_place());
                let there = report.book_at.as_ref();
                let there = there.map(|address| resolve(&book, first_book, address));
                let (book_game, book_node) = there.unwrap_or_default();
                let row = json!({
                    "verdict": report.verdict.name(),
                    "white": report.white,
                    "black": report.black,
                    "result": report.result,
                    "side": report.side.fold_wb("white", "black"),
                    "opening": report.opening,
                    "played": report.played,
                    "book": report.book,
                    "game": first + index,
                    "node": node,
                    "path": report.at.path.0,
                    "book_game": book_game,
                    "book_node": book_node,
                    "detours": report.detours,
                });
                push_row(job, row);
            }
            Ok(totals(&tally))
        },
    )
}

fn totals(tally: &Tally) -> Value {
    let line = |name: &str, line: &against::Line| {
        let verdicts = against::Verdict::ALL.iter();
        let verdicts: BTreeMap<&str, u64> = verdicts
            .map(|&verdict| (verdict.name(), line.of(verdict)))
            .collect();
        json!({"name": name, "games": line.games(), "score": score(line), "verdicts": verdicts})
    };
    let openings = tally.openings.iter().map(|(name, one)| line(name, one));
    json!({
        "total": line("", &tally.total),
        "openings": openings.collect::<Vec<_>>(),
        "left_out": tally.left_out,
    })
}

fn colour(side: Option<&str>) -> Answer<Option<Color>> {
    match side {
        None => Ok(None),
        Some("white") => Ok(Some(Color::White)),
        Some("black") => Ok(Some(Color::Black)),
        Some(other) => Err(ApiError::bad_request(format!("unknown side {other:?}"))),
    }
}

/// The games of a file, or of all, the number of the first of them, and what numbers mean.
fn games_of(shared: &Shared, file: Option<usize>) -> Answer<(Vec<Game>, usize, Numbers)> {
    let work = shared.work();
    let games = work.games_of(file)?;
    let first = games.start;
    Ok((work.read(games), first, work.numbers()))
}

/// Game and node of a place that users read.
fn resolve(positions: &Positions, first: usize, at: &Address) -> (Option<usize>, Option<u32>) {
    let Some(game) = positions.game_of_number(at.game) else {
        return (None, None);
    };
    let node = node_of(&positions.games()[game], at.path.as_place());
    (Some(first + game), node)
}

fn node_of(game: &Game, path: &str) -> Option<u32> {
    let view = &View::new();
    let place = Place::read(path).ok()?;
    let found = place.find(GameView { game, view }, desk::NodeId::ROOT);
    found.ok().map(|node| node.0)
}

fn set_rows(job: &Job, rows: impl Iterator<Item = Value>) {
    let rows: Vec<Value> = rows.collect();
    job.status().rows = Rows::Ready(rows);
}

fn push_row(job: &Job, row: Value) {
    if let Rows::Ready(rows) = &mut job.status().rows {
        rows.push(row);
    }
}
