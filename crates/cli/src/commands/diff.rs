//! `gametree diff`: the changes between two files.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use desk::diff::{Change, ChangeKind, diff};
use desk::games::Run;
use desk::positions::Positions;

use crate::failure::{Exit, Failure};
use crate::files::{ending, one_file};
use crate::identity::SamePosition;
use crate::printer::Tint;
use crate::progress::Bar;
use crate::shell::{Shell, Theme};
use kit::number::counted;

/// Show the changes between two files: games, moves, their place and order, comments, glyphs and tags
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Files are compared by position: a line that is now reached by another move order is not a change.
Where a continuation is written in one file and only elsewhere in the other, it moved. --by moves
compares line by line. Games are matched by their content, tags and order.

Signs: + added, - removed, > moved here, < moved away, ~ other order, \" comments, ! glyphs, [ tags.
A path can be opened with `gametree show --at`: in OLD for moves that were removed or moved away,
else in NEW.

Examples:
  gametree diff old.pgn new.pgn
  gametree diff old.pgn new.pgn --by moves
  gametree diff old.pgn new.pgn --json | jq -r 'select(.kind == \"added\").path'

Exit status: 0 no differences, 1 differences, 2 error.")]
pub struct Args {
    /// The old file
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// The new file
    #[arg(value_name = "NEW")]
    new: PathBuf,
    /// How nodes are matched
    #[arg(long, value_name = "WHAT", default_value = "position")]
    by: By,
    #[command(flatten)]
    same: SamePosition,
    /// Print one JSON object per line: kind, game, path, moves, old, new
    #[arg(long)]
    json: bool,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum By {
    /// Their position
    Position,
    /// The moves that lead to them
    Moves,
}

/// Prints the changes.
pub fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let old = read(&args, shell, &args.old)?;
    let new = read(&args, shell, &args.new)?;
    let changes = diff(&old.value, &new.value);
    let games = old.value.games().len().max(new.value.games().len());
    for change in &changes {
        if args.json {
            shell.out.write_json(change)?
        } else {
            draw(&mut shell.out, &shell.theme, change, games)?
        }
    }
    if !args.json && !shell.is_quiet() {
        sum_up(shell, &changes)?;
    }
    let exit = if changes.is_empty() {
        Exit::Fine
    } else {
        Exit::Found
    };
    let exit = ending(shell, &old, exit);
    Ok(ending(shell, &new, exit))
}

fn read(args: &Args, shell: &mut Shell, file: &Path) -> Result<Run<Positions>, Failure> {
    let games = one_file(file)?;
    let workers = shell.workers();
    let _bar = Bar::follow(shell, games.progress(), false);
    let same = args.same.identity();
    Ok(match args.by {
        By::Position => Positions::read(&games, &workers, same),
        By::Moves => Positions::read_by_moves(&games, &workers, same),
    })
}

fn draw(out: &mut impl Write, theme: &Theme, change: &Change, games: usize) -> io::Result<()> {
    let Theme { good, error, .. } = theme;
    let (style, sign) = mark(theme, change.kind);
    let text = summary(theme, change, games);
    writeln!(out, "{style}{sign}{style:#} {text}")?;
    if let ChangeKind::Comment | ChangeKind::Tag = change.kind {
        for text in &change.old {
            writeln!(out, "    {error}- {text}{error:#}")?;
        }
        for text in &change.new {
            writeln!(out, "    {good}+ {text}{good:#}")?;
        }
    }
    Ok(())
}

/// The sign of a change and its colour.
fn mark(theme: &Theme, kind: ChangeKind) -> (Tint, char) {
    match kind {
        ChangeKind::GameAdded | ChangeKind::Added => (theme.good, '+'),
        ChangeKind::GameRemoved | ChangeKind::Removed => (theme.error, '-'),
        ChangeKind::GameMoved => (theme.warning, '>'),
        ChangeKind::MovedHere => (theme.good, '>'),
        ChangeKind::MovedAway => (theme.error, '<'),
        ChangeKind::Reordered => (theme.warning, '~'),
        ChangeKind::Glyphs => (theme.warning, '!'),
        ChangeKind::Comment => (theme.warning, '"'),
        ChangeKind::Tag => (theme.warning, '['),
    }
}

/// The place of a change, and what it is unless that takes lines of its own.
fn summary(theme: &Theme, change: &Change, games: usize) -> String {
    let dim = theme.dim;
    let Change { at, old, new, .. } = change;
    let game = match games {
        1 => String::new(),
        _ => format!("game {}: ", at.game),
    };
    let path = format!("{dim}{game}{dim:#}{}", at.path);
    let more = counted(change.moves, "move");
    let faint = |what: &str, rest: String| format!("{what}  {dim}{rest}{dim:#}");
    let game = |what| format!("game {} {what}", at.game);
    match change.kind {
        ChangeKind::GameAdded => faint(&game("added"), described(&more, new)),
        ChangeKind::GameRemoved => faint(&game("removed"), described(&more, old)),
        ChangeKind::GameMoved => faint(&game("moved"), format!("{more}; before {}", old.join(" "))),
        ChangeKind::Added => faint(&path, format!("{more}: {}", new.join(" "))),
        ChangeKind::Removed => faint(&path, format!("{more}: {}", old.join(" "))),
        ChangeKind::MovedHere => {
            let (new, old) = (new.join(" "), old.join(" "));
            faint(&path, format!("{more}: {new}; before at {old}"))
        }
        ChangeKind::MovedAway => {
            let (new, old) = (new.join(" "), old.join(" "));
            faint(&path, format!("{more}: {old}; now at {new}"))
        }
        ChangeKind::Reordered | ChangeKind::Glyphs => {
            format!("{path}  {} → {}", words(old), words(new))
        }
        ChangeKind::Comment | ChangeKind::Tag => path,
    }
}

/// The size of a game, and its title if it has one.
fn described(moves: &str, title: &[String]) -> String {
    match title {
        [] => moves.to_owned(),
        title => format!("{moves}: {}", title.join(" ")),
    }
}

fn words(list: &[String]) -> String {
    if list.is_empty() {
        "nothing".to_owned()
    } else {
        list.join(" ")
    }
}

fn sum_up(shell: &mut Shell, changes: &[Change]) -> Result<(), Failure> {
    let moves = |kind| -> u64 {
        let of_kind = changes.iter().filter(|change| change.kind == kind);
        of_kind.map(|change| change.moves).sum()
    };
    let count = |kind| changes.iter().filter(|change| change.kind == kind).count() as u64;
    let Theme { bold, .. } = shell.theme;
    let out = &mut shell.out;
    if changes.is_empty() {
        return Ok(writeln!(out, "{bold}no difference{bold:#}")?);
    }
    let games = [
        ChangeKind::GameAdded,
        ChangeKind::GameRemoved,
        ChangeKind::GameMoved,
    ]
    .map(count);
    if games != [0; 3] {
        let [added, removed, moved] = games;
        let added = counted(added, "game");
        write!(
            out,
            "{bold}{added} added, {removed} removed, {moved} moved;{bold:#} "
        )?;
    }
    writeln!(
        out,
        "{bold}{} added, {} removed, {} moved, {} in another order, {} of comments, {} of glyphs, {} of tags{bold:#}",
        counted(moves(ChangeKind::Added), "move"),
        moves(ChangeKind::Removed),
        moves(ChangeKind::MovedHere) + moves(ChangeKind::MovedAway),
        count(ChangeKind::Reordered),
        counted(count(ChangeKind::Comment), "change"),
        count(ChangeKind::Glyphs),
        count(ChangeKind::Tag),
    )?;
    Ok(())
}
