//! `gametree moves`: the moves of a sum, and the winning ones.

use std::io::Write;

use lab::moves::{Judged, NotListed, judge, list};
use lab::shared_budget::SharedBudget;
use lab::{Game, Player, Solver, sum_text};
use serde_json::{Value, json};

use crate::failure::{Exit, Failure};
use crate::progress::Clock;
use crate::shell::Shell;
use crate::sums::{LANGUAGE, Limits, SumArg, gave_up, parse_player};
use kit::number::{counted, grouped};

/// List the moves of a sum and which of them win
#[derive(clap::Args, Debug)]
#[command(after_help = format!("\
{LANGUAGE}

Moves have the format that `play` reads. If the sum has several components, the number of the
component, counted from 0, precedes the move.

Examples:
  gametree moves 'clobber XOXO'                         every move of either player
  gametree moves --player left --winning 'nimber 3 + nimber 5'
  gametree moves --legal 'amazons X..|...|..O'          without solving"))]
pub struct Args {
    #[command(flatten)]
    sum: SumArg,
    /// Only moves of this player: left (black, B, X) or right (white, W, O)
    #[arg(long, short, value_name = "PLAYER", value_parser = parse_player)]
    player: Option<Player>,
    /// Only moves that win
    #[arg(long, conflicts_with = "legal")]
    winning: bool,
    /// List legal moves without solving
    #[arg(long)]
    legal: bool,
    #[command(flatten)]
    limits: Limits,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Lists the moves.
pub fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let (text, sum) = args.sum.read()?;
    let stop = shell.stop();
    let mut solver = args.limits.solver(shell)?;
    let players = args
        .player
        .map_or(Player::BOTH.to_vec(), |player| vec![player]);
    let mut moves = Vec::new();
    let budget = SharedBudget::open(&solver);
    for (left, &player) in (1..=players.len()).rev().zip(&players) {
        solver.set_budget(budget.share_time(&solver, left));
        let clock = Clock::start(shell);
        let found = find(&mut solver, &sum, player, args.legal);
        drop(clock);
        let found = match found {
            Ok(found) => found,
            Err(NotListed::GaveUp(reason)) => return gave_up(shell, reason, args.json),
            Err(too_many) => return Err(Failure::new(too_many)),
        };
        if !args.json {
            write_player(shell, player, &found, &args)?;
        }
        moves.extend(found);
    }
    if args.json {
        let shown = moves.iter().filter(|mv| !args.winning || mv.is_win());
        let rows: Vec<Value> = shown.map(to_json).collect();
        shell
            .out
            .write_json(&json!({ "sum": text, "moves": rows }))?;
    }
    let is_unsolved = |mv: &Found| matches!(mv, Found::Judged(Judged { wins: Err(_), .. }));
    Ok(if stop.is_raised() {
        Exit::Interrupted
    } else if moves.iter().any(is_unsolved) {
        Exit::Found
    } else {
        Exit::Fine
    })
}

/// A move, with its result unless `--legal` is given.
enum Found {
    Legal(lab::SumMove),
    Judged(Judged),
}

impl Found {
    fn mv(&self) -> &lab::SumMove {
        match self {
            Found::Legal(mv) => mv,
            Found::Judged(judged) => &judged.mv,
        }
    }

    fn is_win(&self) -> bool {
        matches!(self, Found::Judged(Judged { wins: Ok(true), .. }))
    }
}

fn find(
    solver: &mut Solver,
    sum: &[Game],
    player: Player,
    legal: bool,
) -> Result<Vec<Found>, NotListed> {
    if legal {
        let moves = list(sum, player, &solver.new_interrupt())?;
        return Ok(moves.into_iter().map(Found::Legal).collect());
    }
    let moves = judge(solver, sum, player)?;
    Ok(moves.into_iter().map(Found::Judged).collect())
}

/// How many moves could not be judged, and why.
fn unsolved(moves: &[Found]) -> String {
    let reasons = moves.iter().filter_map(|mv| match mv {
        Found::Judged(Judged { wins, .. }) => wins.err(),
        Found::Legal(_) => None,
    });
    match reasons.clone().next() {
        None => String::new(),
        Some(reason) => format!(", {} {reason}", grouped(reasons.count() as u64)),
    }
}

fn write_player(
    shell: &mut Shell,
    player: Player,
    moves: &[Found],
    args: &Args,
) -> Result<(), Failure> {
    let bold = shell.theme.bold;
    let total = counted(moves.len() as u64, "move");
    let wins = moves.iter().filter(|mv| mv.is_win()).count() as u64;
    if args.legal {
        writeln!(shell.out, "{bold}{player}{bold:#}: {total}")?;
    } else {
        writeln!(
            shell.out,
            "{bold}{player}{bold:#}: {} of {total} {}{}",
            grouped(wins),
            if wins == 1 { "wins" } else { "win" },
            unsolved(moves)
        )?;
    }
    let longest = moves
        .iter()
        .map(|mv| mv.mv().name().len())
        .max()
        .unwrap_or(0)
        .min(24);
    for mv in moves.iter().filter(|mv| !args.winning || mv.is_win()) {
        let result = sum_text(&mv.mv().result);
        let (style, word) = match mv {
            Found::Legal(_) => (shell.theme.dim, String::new()),
            Found::Judged(Judged { wins: Ok(true), .. }) => {
                (shell.theme.good, "wins   ".to_owned())
            }
            Found::Judged(Judged {
                wins: Ok(false), ..
            }) => (shell.theme.dim, "loses  ".to_owned()),
            Found::Judged(Judged { wins: Err(_), .. }) => {
                (shell.theme.warning, "?      ".to_owned())
            }
        };
        writeln!(
            shell.out,
            "  {style}{word}{style:#}{:<longest$}  {result}",
            mv.mv().name()
        )?;
    }
    Ok(())
}

fn to_json(found: &Found) -> Value {
    let mv = found.mv();
    let wins = match found {
        Found::Judged(Judged { wins: Ok(wins), .. }) => Some(*wins),
        _ => None,
    };
    json!({
        "player": mv.player.to_string(),
        "move": mv.name(),
        "component": mv.component,
        "wins": wins,
        "result": sum_text(&mv.result),
    })
}
