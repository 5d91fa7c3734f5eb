//! Sums of combinatorial games: reading, solving, values, strategies, replies.

use std::sync::Arc;
use std::time::Duration;

use kit::Workers;
use lab::answers::points;
use lab::board::{has_board, is_strip, rows};
use lab::moves::{Judged, check_number, judge, list};
use lab::play::{Confidence, Match};
use lab::read::{Task, read_sum};
use lab::solve::{Options, default_memory, solve_in_turn, solver};
use lab::strategy::winning_strategy;
use lab::value::value_report;
use lab::{
    Budget, Format, Game, GaveUp, Paper, Player, Solver, SumMove, Thermograph, sum_text,
    thermograph,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::games::Nothing;
use crate::error::{Answer, ApiError};
use crate::jobs::{Numbers, Rows};
use crate::route::Client;
use crate::shared::Shared;
use crate::spans::to_utf16;

/// `GET /api/sums/games`
pub fn games(_: &Arc<Shared>, _: Nothing) -> Answer<Value> {
    let game = |(name, summary): (&str, &str)| json!({"name": name, "summary": summary, "board": has_board(name), "strip": is_strip(name)});
    Ok(json!({"games": lab::games().map(game).collect::<Vec<_>>()}))
}

/// A sum as text.
#[derive(Deserialize)]
pub struct SumRequest {
    sum: String,
}

/// `POST /api/sums/check`
pub fn check(_: &Arc<Shared>, request: SumRequest, _: Client) -> Answer<Value> {
    match read_sum(&request.sum) {
        Ok(sum) => Ok(described(&sum)),
        Err(fault) => {
            let fault = json!({
                "start": to_utf16(&request.sum, fault.span.start),
                "end": to_utf16(&request.sum, fault.span.end),
                "message": fault.message,
            });
            Ok(json!({"faults": [fault], "sum": null, "components": []}))
        }
    }
}

fn described(sum: &[Game]) -> Value {
    let component = |game: &Game| {
        json!({
            "game": game.kind.name(),
            "text": game.text(),
            "rows": rows(game),
            "strip": is_strip(game.kind.rules().name()),
        })
    };
    json!({
        "faults": [],
        "sum": sum_text(sum),
        "components": sum.iter().map(component).collect::<Vec<_>>(),
    })
}

/// The players.
#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Side {
    Left,
    Right,
}

impl From<Side> for Player {
    fn from(side: Side) -> Player {
        match side {
            Side::Left => Player::Left,
            Side::Right => Player::Right,
        }
    }
}

fn side(player: Player) -> &'static str {
    match player {
        Player::Left => "left",
        Player::Right => "right",
    }
}

/// The moves of a player.
#[derive(Deserialize)]
pub struct MovesRequest {
    sum: String,
    player: Side,
}

/// Listing moves takes no longer.
const LIST_TIME: Duration = Duration::from_secs(2);

/// `POST /api/sums/moves`
pub fn moves(_: &Arc<Shared>, request: MovesRequest, _: Client) -> Answer<Value> {
    let sum = read(&request.sum)?;
    let solver = Solver::new(budget(None));
    let interrupt = solver.new_interrupt().with_time(Some(LIST_TIME));
    let moves = list(&sum, request.player.into(), &interrupt).map_err(ApiError::refused)?;
    let moves: Vec<Value> = moves.iter().map(one_move).collect();
    Ok(json!({ "moves": moves }))
}

fn one_move(mv: &SumMove) -> Value {
    json!({"move": mv.name(), "component": mv.component, "to": sum_text(&mv.result)})
}

fn read(text: &str) -> Answer<Vec<Game>> {
    read_sum(text).map_err(ApiError::bad_request)
}

/// The time for each question, unless asked for otherwise, and at most.
const SECONDS: f64 = 10.0;
const MOST_SECONDS: f64 = 3600.0;

fn budget(seconds: Option<f64>) -> Budget {
    let seconds = seconds.filter(|seconds| seconds.is_finite());
    let seconds = seconds.unwrap_or(SECONDS).clamp(0.1, MOST_SECONDS);
    let time = Duration::from_secs_f64(seconds);
    Budget::default()
        .with_time(time)
        .with_bytes(default_memory() / 2)
}

/// Questions about a sum.
#[derive(Deserialize)]
pub struct SolveRequest {
    sum: String,
    ask: Vec<Question>,
    seconds: Option<f64>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Question {
    Outcome,
    Moves,
    Value,
    Thermograph,
}

impl Question {
    fn name(self) -> &'static str {
        match self {
            Question::Outcome => "outcome",
            Question::Moves => "moves",
            Question::Value => "value",
            Question::Thermograph => "thermograph",
        }
    }
}

/// `POST /api/sums/solve`
pub fn solve(shared: &Arc<Shared>, request: SolveRequest, _: Client) -> Answer<Value> {
    let sum = read(&request.sum)?;
    let title = request.sum.clone();
    let (rows, none) = (Rows::Ready(Vec::new()), Numbers::default());
    shared.start_job("solve", &title, rows, none, move |shared, job| {
        let options = Options {
            budget: budget(request.seconds),
            ..Options::default()
        };
        let mut solver = options.solver(&Workers::new(None, job.stop.clone()));
        let (mut result, mut gave_up) = (Map::new(), Map::new());
        let mut asked = request.ask;
        asked.dedup();
        asked.truncate(4);
        let all = asked.len() as u64;
        for (done, &question) in (0..).zip(&asked) {
            job.advance(&shared.hub, done, all, "questions");
            if let Err(reason) = answer(
                &mut solver,
                &options,
                &request.sum,
                &sum,
                question,
                &mut result,
            ) {
                result.insert(question.name().to_owned(), Value::Null);
                gave_up.insert(question.name().to_owned(), reason.into());
            }
        }
        result.insert("gave_up".to_owned(), gave_up.into());
        Ok(result.into())
    })
}

/// Answers a question, or returns why it was given up.
fn answer(
    solver: &mut Solver,
    options: &Options,
    text: &str,
    sum: &[Game],
    question: Question,
    result: &mut Map<String, Value>,
) -> Result<(), String> {
    let value = match question {
        Question::Outcome => {
            let task = Task::of_sum(text, sum.to_vec());
            let solved = solve_in_turn(&task, options, solver);
            let known = solved.outcome();
            let possible: Vec<String> = known.possible().iter().map(ToString::to_string).collect();
            result.insert("possible".to_owned(), possible.into());
            match (known.outcome(), solved.gave_up()) {
                (Some(outcome), _) => outcome.to_string().into(),
                (None, reason) => return Err(reason.unwrap_or(GaveUp::Time).to_string()),
            }
        }
        Question::Moves => {
            let mut both = Map::new();
            for player in Player::BOTH {
                let moves = judge(solver, sum, player).map_err(|error| error.to_string())?;
                let moves: Vec<Value> = moves.iter().map(judged).collect();
                both.insert(side(player).to_owned(), moves.into());
            }
            both.into()
        }
        Question::Value => {
            let report = value_report(solver, sum).map_err(|reason| reason.to_string())?;
            json!(report)
        }
        Question::Thermograph => {
            let graph = solver
                .thermograph(sum)
                .map_err(|reason| reason.to_string())?;
            graph_json(&graph)
        }
    };
    result.insert(question.name().to_owned(), value);
    Ok(())
}

fn judged(judged: &Judged) -> Value {
    let mut answer = one_move(&judged.mv);
    answer["wins"] = json!(judged.wins.ok());
    answer["sum"] = answer["to"].clone();
    answer
}

fn graph_json(graph: &Thermograph) -> Value {
    let svg = thermograph::picture(graph, "", &Paper::default(), Format::Svg);
    let svg = svg.ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let wall = |player| {
        let corners = points(graph, player).into_iter();
        let corner = |(value, t): (lab::Dyadic, lab::Dyadic)| json!({"t": t.to_f64(), "x": value.to_f64(), "t_text": t.to_string(), "x_text": value.to_string()});
        corners.map(corner).collect::<Vec<_>>()
    };
    json!({
        "svg": svg,
        "left": wall(Player::Left),
        "right": wall(Player::Right),
        "mean": graph.mean().to_string(),
        "temperature": graph.temperature().to_string(),
    })
}

/// A strategy for the winner of a sum.
#[derive(Deserialize)]
pub struct StrategyRequest {
    sum: String,
    first: Side,
    seconds: Option<f64>,
}

/// Larger strategies cannot be looked at.
const MOST_MOVES: usize = 20_000;

/// `POST /api/sums/strategy`
pub fn strategy(shared: &Arc<Shared>, request: StrategyRequest, _: Client) -> Answer<Value> {
    let sum = read(&request.sum)?;
    let (rows, none) = (Rows::Ready(Vec::new()), Numbers::default());
    shared.start_job("strategy", &request.sum, rows, none, move |_, job| {
        let mut solver = solver(budget(request.seconds), &job.stop);
        let found = winning_strategy(&mut solver, &sum, request.first.into(), MOST_MOVES);
        let found = found.map_err(|error| error.to_string())?;
        let mut json = found.to_json();
        json["winner"] = side(found.winner()).into();
        json["first"] = side(found.first()).into();
        let nodes = json["nodes"].as_array_mut().into_iter().flatten();
        for player in nodes.filter_map(|node| node.get_mut("player")) {
            if let Some(name) = player.as_str().map(str::to_lowercase) {
                *player = name.into();
            }
        }
        job.status().strategy = Some(found);
        Ok(json)
    })
}

/// A node of a strategy.
#[derive(Deserialize)]
pub struct StrategyAtRequest {
    job: u64,
    node: u32,
}

/// `POST /api/sums/strategy/at`
pub fn strategy_at(shared: &Arc<Shared>, request: StrategyAtRequest, _: Client) -> Answer<Value> {
    let job = shared.jobs.find(request.job)?;
    let status = job.status();
    let table = status.strategy.as_ref();
    let table = table.ok_or_else(|| ApiError::not_found("this job has no strategy"))?;
    let sum = table.sum_of(request.node);
    let sum = sum.ok_or_else(|| ApiError::not_found(format!("no node {}", request.node)))?;
    Ok(described(&sum))
}

/// A reply of the solver.
#[derive(Deserialize)]
pub struct ReplyRequest {
    sum: String,
    player: Side,
    seconds: Option<f64>,
}

/// The solver takes no longer for a reply, unless asked for otherwise.
const REPLY_SECONDS: f64 = 5.0;

/// `POST /api/sums/reply`
pub fn reply(shared: &Arc<Shared>, request: ReplyRequest, _: Client) -> Answer<Value> {
    let sum = read(&request.sum)?;
    let player = request.player.into();
    check_number(&sum, player).map_err(ApiError::refused)?;
    let (rows, none) = (Rows::Ready(Vec::new()), Numbers::default());
    shared.start_job("reply", &request.sum, rows, none, move |_, job| {
        let mut game = Match::new(sum, player).map_err(|error| error.to_string())?;
        let mut solver = solver(budget(request.seconds.or(Some(REPLY_SECONDS))), &job.stop);
        Ok(match game.reply(&mut solver) {
            Some((name, confidence)) => json!({
                "move": name,
                "sum": sum_text(game.sum()),
                "confidence": confidence_name(confidence),
            }),
            None => json!({"move": null, "sum": sum_text(game.sum()), "confidence": null}),
        })
    })
}

fn confidence_name(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::Winning => "winning",
        Confidence::Losing => "losing",
        Confidence::Guess => "guess",
    }
}
