//! `gametree query --repl`: reads the games once, then runs one query after another.

use std::io::Write;
use std::path::PathBuf;

use desk::Game;
use desk::View;
use desk::place::GameView;
use desk::query::Options;

use crate::failure::{Exit, Failure};
use crate::files::Which;
use crate::lines::Lines;
use crate::search::{QueryOptions, compile};
use crate::shell::Shell;
use kit::number::counted;

/// How many matches are shown.
const SHOWN: usize = 10;

const HELP: &str = "\
Type a query: matching games and positions are counted and the first ones shown.
  variations on|off   search variations or only the mainline
  help                this text
  quit                leave (or Ctrl-D)";

/// Reads the games and answers until there are no more queries.
pub fn run(
    files: Vec<PathBuf>,
    which: Which,
    query_options: &QueryOptions,
    shell: &mut Shell,
) -> Result<Exit, Failure> {
    let games = load(files, which, shell)?;
    shell.note(&format!(
        "{} read; type `help` for a list of commands",
        counted(games.len() as u64, "game")
    ));
    let mut options = query_options.options();
    let mut lines = Lines::new("cql> ", "query")?;
    while let Some(line) = lines.next()? {
        match line.trim() {
            "" => {}
            "quit" | "exit" | "stop" => break,
            "help" | "?" => writeln!(shell.out, "{HELP}")?,
            "variations on" => options.variations = Some(true),
            "variations off" => options.variations = Some(false),
            source => answer(source, &options, &games, shell)?,
        }
        shell.out.flush()?;
    }
    Ok(Exit::Fine)
}

fn load(files: Vec<PathBuf>, which: Which, shell: &mut Shell) -> Result<Vec<Game>, Failure> {
    if files.is_empty() {
        return Err(Failure::with_fix(
            "no files to search",
            "gametree query --repl FILES",
        ));
    }
    let mut all = Vec::new();
    let workers = shell.workers();
    let read = which.games(files)?.run(
        &workers,
        |batch| {
            let mut games = Vec::new();
            batch.read(|game, _| games.push(game.clone()));
            games
        },
        |games| {
            all.extend(games);
            Ok::<(), Failure>(())
        },
    )?;
    for error in &read.unread {
        shell.error(&error.to_string(), error.fix().as_deref());
    }
    Ok(all)
}

fn answer(
    source: &str,
    options: &Options,
    games: &[Game],
    shell: &mut Shell,
) -> Result<(), Failure> {
    let query = match compile(source, options) {
        Ok(query) => query,
        Err(Failure::Reported { message, fix }) => {
            shell.error(&message, fix.as_deref());
            return Ok(());
        }
        Err(closed) => return Err(closed),
    };
    if query.ignores_variations() {
        shell.note("only the mainline is searched; `variations on` searches all of the tree");
    }
    let (mut found, mut positions, mut shown) = (0, 0, 0);
    let mut matcher = query.matcher();
    for (game, number) in games.iter().zip(1..) {
        let result = matcher.run(game, number);
        found += u64::from(result.matched);
        positions += result.positions.len() as u64;
        for &node in result.nodes.iter().take(SHOWN - shown) {
            shown += 1;
            show(game, number, node, shell)?;
        }
    }
    writeln!(
        shell.out,
        "{}, {}",
        counted(found, "game"),
        counted(positions, "position")
    )?;
    Ok(())
}

fn show(game: &Game, number: u64, node: desk::NodeId, shell: &mut Shell) -> Result<(), Failure> {
    let view = View::default();
    let ground = GameView { game, view: &view };
    let path = ground.path(node);
    let place = shell.theme.place;
    let players = |tag| game.tag(tag).unwrap_or("?");
    writeln!(
        shell.out,
        "{place}{number:>6}{place:#}  {} – {}  {}",
        players("White"),
        players("Black"),
        if path.is_empty() { "start" } else { &path }
    )?;
    Ok(())
}
