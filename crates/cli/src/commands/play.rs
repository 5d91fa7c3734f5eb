//! `gametree play`: a game against the solver.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use kit::save::Target;
use lab::board::boards;
use lab::play::{Confidence, Match};
use lab::{Player, Solver, SumMove, sum_text};

use crate::failure::{Exit, Failure};
use crate::lines::Lines;
use crate::output::save_over;
use crate::progress::Clock;
use crate::shell::Shell;
use crate::sums::{LANGUAGE, Limits, SumArg, check_writable, parse_player};

/// Play a sum against the solver
#[derive(clap::Args, Debug)]
#[command(after_help = format!("\
{LANGUAGE}

Type moves as `moves` prints them. If the sum has several components, the number of the component
precedes the move; it may be omitted if only one component has this move. Other commands: moves,
hint, undo, sum, board, log, help, quit. Standard input may be a script. The solver takes at most
five seconds for each of its moves, or --time; Ctrl-C makes it move at once.

Examples:
  gametree play 'clobber XOXOXO + domineering ...|...'
  gametree play --you right --first right 'amazons X..|...|..O' --log game.txt
  printf '1-2\\nquit\\n' | gametree play 'clobber_1xn XOXOXO'"))]
pub struct Args {
    #[command(flatten)]
    sum: SumArg,
    /// Your side: left (black, B, X) or right (white, W, O)
    #[arg(long, value_name = "PLAYER", value_parser = parse_player, default_value = "left")]
    you: Player,
    /// The player who moves first
    #[arg(long, value_name = "PLAYER", value_parser = parse_player, default_value = "left")]
    first: Player,
    /// Write the game to this file when it ends
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    #[command(flatten)]
    limits: Limits,
}

/// The default time of the solver for each of its moves.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

const HELP: &str = "\
A move as `moves` prints it, or
  moves   list your moves
  hint    show a winning move, if there is one
  undo    take back your last move
  sum     show the current sum
  board   show its boards
  log     show the moves so far
  quit    quit (or Ctrl-D)";

/// Plays until the game or the input ends.
pub fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let (_, sum) = args.sum.read()?;
    check_writable(args.log.as_deref(), shell)?;
    let workers = shell.workers();
    let mut table = PlayTable {
        game: Match::new(sum, args.first).map_err(Failure::new)?,
        solver: args
            .limits
            .options_or(DEFAULT_TIME, shell)?
            .solver(&workers),
        you: args.you,
        resigned: false,
        seen: String::new(),
    };
    let mut lines = Lines::new("> ", "play")?;
    let mut exit = Exit::Fine;
    table.show_turn(shell)?;
    while !table.is_over() {
        // At a prompt Ctrl-C ends the search of the solver, in a script it ends the game.
        if workers.stop.is_raised() && lines.are_typed() {
            workers.stop.lower();
        } else if workers.stop.is_raised() {
            exit = Exit::Interrupted;
            break;
        }
        if table.game.to_move() != table.you {
            table.reply(shell)?;
            continue;
        }
        if lines.are_typed() {
            table.show_boards(shell)?;
        }
        shell.out.flush()?;
        let Some(line) = lines.next()? else { break };
        table.run_line(line.trim(), shell)?;
        shell.out.flush()?;
    }
    if let Some(winner) = table.game.winner() {
        writeln!(
            shell.out,
            "{} cannot move: {}",
            !winner,
            if winner == table.you {
                "you win"
            } else {
                "the solver wins"
            }
        )?;
    }
    if let Some(path) = args.log {
        save_over(
            Target::from_arg(path),
            table.game.log().as_bytes(),
            shell.overwrite(),
        )?;
    }
    Ok(exit)
}

/// The game and its players.
struct PlayTable {
    game: Match,
    solver: Solver,
    you: Player,
    resigned: bool,
    /// The boards shown last.
    seen: String,
}

impl PlayTable {
    fn is_over(&self) -> bool {
        self.resigned || self.game.winner().is_some()
    }

    /// Shows the boards, unless they have not changed.
    fn show_boards(&mut self, shell: &mut Shell) -> Result<(), Failure> {
        let drawn = boards(self.game.sum());
        if drawn != self.seen {
            write!(shell.out, "{drawn}")?;
            self.seen = drawn;
        }
        Ok(())
    }

    /// Runs a typed line.
    fn run_line(&mut self, line: &str, shell: &mut Shell) -> Result<(), Failure> {
        match line.to_ascii_lowercase().as_str() {
            "" => {}
            "quit" | "exit" | "q" => self.resigned = true,
            "help" | "?" => writeln!(shell.out, "{HELP}")?,
            "moves" => writeln!(shell.out, "{}", self.moves())?,
            "hint" => self.hint(shell)?,
            "undo" | "back" => self.undo(shell)?,
            "sum" | "show" => self.show_turn(shell)?,
            "board" | "boards" => write!(shell.out, "{}", boards(self.game.sum()))?,
            "log" => write!(shell.out, "{}", self.game.log())?,
            _ => self.make(line, shell)?,
        }
        Ok(())
    }

    fn make(&mut self, line: &str, shell: &mut Shell) -> Result<(), Failure> {
        match self.game.play(line) {
            Ok(()) => writeln!(
                shell.out,
                "{} plays {}: {}",
                self.you,
                self.last(),
                sum_text(self.game.sum())
            )?,
            Err(error) => shell.error(
                &error.to_string(),
                Some("type `help` for a list of commands"),
            ),
        }
        Ok(())
    }

    fn reply(&mut self, shell: &mut Shell) -> Result<(), Failure> {
        let player = self.game.to_move();
        let clock = Clock::start(shell);
        let reply = self.game.reply(&mut self.solver);
        drop(clock);
        let Some((name, confidence)) = reply else {
            return Ok(());
        };
        let remark = match confidence {
            Confidence::Winning => "",
            Confidence::Losing => "  (you can win this)",
            Confidence::Guess => "  (a guess)",
        };
        writeln!(
            shell.out,
            "{player} plays {name}: {}{remark}",
            sum_text(self.game.sum())
        )?;
        Ok(())
    }

    fn last(&self) -> &str {
        self.game.history().last().map_or("", |played| &played.name)
    }

    fn moves(&self) -> String {
        let names: Vec<String> = self.game.moves().iter().map(SumMove::name).collect();
        names.join(" ")
    }

    fn hint(&mut self, shell: &mut Shell) -> Result<(), Failure> {
        let clock = Clock::start(shell);
        let suggested = self.game.suggest(&mut self.solver);
        drop(clock);
        let words = match suggested {
            Some((mv, Confidence::Winning)) => format!("{} wins", mv.name()),
            Some((_, Confidence::Losing)) => "no move wins".to_owned(),
            Some((_, Confidence::Guess)) | None => "not known".to_owned(),
        };
        Ok(writeln!(shell.out, "{words}")?)
    }

    /// Takes back moves up to and including one of your own.
    fn undo(&mut self, shell: &mut Shell) -> Result<(), Failure> {
        let yours = self
            .game
            .history()
            .iter()
            .any(|played| played.player == self.you);
        if !yours {
            shell.error("no move of yours to take back", None);
            return Ok(());
        }
        while self.game.undo() && self.game.to_move() != self.you {}
        self.show_turn(shell)
    }

    fn show_turn(&self, shell: &mut Shell) -> Result<(), Failure> {
        let who = if self.game.to_move() == self.you {
            "you"
        } else {
            "the solver"
        };
        let turn = if self.is_over() {
            String::new()
        } else {
            format!("; {} ({who}) to move", self.game.to_move())
        };
        Ok(writeln!(shell.out, "{}{turn}", sum_text(self.game.sum()))?)
    }
}
