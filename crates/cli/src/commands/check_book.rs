//! `gametree check-book`: compares games with a book.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::ValueEnum;
use desk::against::{self, Line, Report, Tally, Verdict, score};
use desk::games::Run;
use desk::positions::Positions;

use crate::failure::{Exit, Failure};
use crate::files::{Files, ending, one_file};
use crate::identity::{SamePosition, Side};
use crate::printer::Tint;
use crate::progress::Bar;
use crate::shell::{Shell, Theme};
use kit::number::{counted, grouped};

/// Compare games with a book: where each game left it, and which side deviated
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Games are compared by position, so a detour that transposes back is not a deviation. Each game gets
one verdict:
  deviation   your side left the book, which had a move
  gap         the other side played a move that the book does not have
  book ended  the book has no further moves
  completed   the game ended within the book
  elsewhere   the game starts from another position than the book

Your side is --side, or the colour of --player, or the colour with fewer choices in the book. With
both options, games in which the player has the other colour are left out.

Examples:
  gametree check-book --book repertoire.pgn mygames.pgn --player 'Smith, Anna'
  gametree check-book --book white.pgn mygames.pgn --player smith --side white
  gametree check-book --book white.pgn games/ --side white --only deviation
  gametree check-book --book white.pgn mygames.pgn --json | jq -r 'select(.verdict == \"gap\").played'

Exit status: 0 no deviations or gaps, 1 deviations or gaps, 2 error.")]
pub struct Args {
    #[command(flatten)]
    files: Files,
    /// The book: a PGN file with variations
    #[arg(long, value_name = "FILE")]
    book: PathBuf,
    /// Your side; with --player, games in which you have the other side are left out
    #[arg(long, value_name = "SIDE")]
    side: Option<Side>,
    /// Your name or part of it; only games of this player are compared
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// List only games with these verdicts, separated by commas; all are counted
    #[arg(long, value_name = "VERDICTS", value_delimiter = ',')]
    only: Vec<OnlyVerdict>,
    /// Print only the summary
    #[arg(long)]
    summary: bool,
    #[command(flatten)]
    same: SamePosition,
    /// Print one JSON object per game and line: file, game, path, verdict, played, book, …
    #[arg(long, conflicts_with = "summary")]
    json: bool,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum OnlyVerdict {
    Deviation,
    Gap,
    BookEnded,
    Completed,
    Elsewhere,
}

impl OnlyVerdict {
    fn verdict(self) -> Verdict {
        match self {
            OnlyVerdict::Deviation => Verdict::Deviation,
            OnlyVerdict::Gap => Verdict::Gap,
            OnlyVerdict::BookEnded => Verdict::BookEnded,
            OnlyVerdict::Completed => Verdict::Completed,
            OnlyVerdict::Elsewhere => Verdict::Elsewhere,
        }
    }
}

/// Compares the games with the book.
pub fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let book = read_book(&args, shell)?;
    let side = my_side(&args, shell, &book.value)?;
    let games = args.files.clone().games()?;
    let workers = shell.workers();
    let bar = Bar::follow(shell, games.progress(), !args.summary);
    let Shell { out, theme, .. } = shell;
    let same = args.same.identity();
    let run = against::against(&book.value, &games, &side, same, &workers, |report| {
        let listed = args.only.is_empty()
            || args
                .only
                .iter()
                .any(|wanted| wanted.verdict() == report.verdict);
        if args.summary || !listed {
            Ok(())
        } else if args.json {
            out.write_json(report)
        } else {
            draw(out, theme, report)
        }
    })?;
    drop(bar);
    if !args.json && !shell.is_quiet() {
        sum_up(&mut shell.out, &shell.theme, &run.value, args.side)?;
    }
    let total = &run.value.total;
    let found = total.of(Verdict::Deviation) + total.of(Verdict::Gap) > 0;
    let exit = if found { Exit::Found } else { Exit::Fine };
    let exit = ending(shell, &book, exit);
    Ok(ending(shell, &run, exit))
}

fn read_book(args: &Args, shell: &mut Shell) -> Result<Run<Positions>, Failure> {
    let games = one_file(&args.book)?;
    let workers = shell.workers();
    let _bar = Bar::follow(shell, games.progress(), false);
    Ok(Positions::read(&games, &workers, args.same.identity()))
}

fn my_side(args: &Args, shell: &mut Shell, book: &Positions) -> Result<against::Side, Failure> {
    match (args.player.clone(), args.side.map(Side::colour)) {
        (Some(name), Some(colour)) => return Ok(against::Side::PlayerAs(name, colour)),
        (Some(name), None) => return Ok(against::Side::Player(name)),
        (None, Some(colour)) => return Ok(against::Side::Colour(colour)),
        (None, None) => {}
    }
    let guess = against::Side::guess(book);
    let colour = guess.ok_or_else(|| {
        let fix = "use --side white, --side black, or --player NAME";
        Failure::with_fix("cannot determine the side of the book", fix)
    })?;
    let name = colour.fold_wb("White", "Black");
    shell.note(&format!(
        "assuming a book for {name}, who has fewer choices in it; use --side or --player to change"
    ));
    Ok(against::Side::Colour(colour))
}

fn draw(out: &mut impl Write, theme: &Theme, report: &Report) -> io::Result<()> {
    let Theme {
        bold, dim, place, ..
    } = theme;
    let Report {
        at,
        white,
        black,
        result,
        verdict,
        ..
    } = report;
    let style = style(theme, *verdict);
    let detours = match report.detours {
        0 => String::new(),
        detours => format!("  {dim}({}){dim:#}", counted(detours, "detour")),
    };
    writeln!(
        out,
        "{style}{:<10}{style:#}  {dim}game {}{dim:#}  {bold}{white} – {black}{bold:#}  {result}{detours}",
        verdict.name(),
        at.game
    )?;
    let played = report.played.as_deref().unwrap_or_default();
    let book = report.book.join(", ");
    let after = match at.path.as_place() {
        "0" => "at the start".to_owned(),
        path => format!("after {place}{path}{place:#}"),
    };
    match verdict {
        Verdict::Deviation | Verdict::Gap => {
            writeln!(
                out,
                "            {bold}{played}{bold:#} {after}; the book has {book}"
            )
        }
        Verdict::BookEnded => writeln!(out, "            {after}; then {played}"),
        Verdict::Completed => writeln!(out, "            {after}"),
        Verdict::Elsewhere => writeln!(out, "            starts from another position"),
    }
}

fn style(theme: &Theme, verdict: Verdict) -> Tint {
    match verdict {
        Verdict::Deviation => theme.error,
        Verdict::Gap => theme.warning,
        Verdict::BookEnded | Verdict::Elsewhere => theme.dim,
        Verdict::Completed => theme.good,
    }
}

fn sum_up(
    out: &mut impl Write,
    theme: &Theme,
    tally: &Tally,
    side: Option<Side>,
) -> io::Result<()> {
    let Theme { bold, dim, .. } = theme;
    let mut openings: Vec<(&String, &Line)> = tally.openings.iter().collect();
    openings.sort_by_key(|(_, line)| std::cmp::Reverse(line.games()));
    let widths = openings.iter().map(|(name, _)| name.chars().count());
    let width = widths.max().unwrap_or(0).clamp(7, 40);
    let heads = [
        "games",
        "deviation",
        "gap",
        "book ended",
        "completed",
        "score",
    ];
    let heads: String = heads.map(|head| format!(" {head:>10}")).concat();
    writeln!(out, "\n{bold}{:width$}{heads}{bold:#}", "opening")?;
    for (name, line) in openings {
        draw_line(out, name, line, width)?;
    }
    draw_line(out, "all", &tally.total, width)?;
    if tally.left_out > 0 {
        let games = counted(tally.left_out, "game");
        let side = match side {
            None => "",
            Some(Side::White) => " as White",
            Some(Side::Black) => " as Black",
        };
        writeln!(out, "{dim}{games} without this player{side}{dim:#}")?;
    }
    Ok(())
}

fn draw_line(out: &mut impl Write, name: &str, line: &Line, width: usize) -> io::Result<()> {
    let name: String = name.chars().take(width).collect();
    let verdicts = &Verdict::ALL[..4];
    let mut counts = vec![grouped(line.games())];
    counts.extend(verdicts.iter().map(|&verdict| grouped(line.of(verdict))));
    counts.push(score(line).map_or("–".to_owned(), |score| format!("{:.0} %", score * 100.0)));
    let counts: String = counts.iter().map(|count| format!(" {count:>10}")).collect();
    writeln!(out, "{name:width$}{counts}")
}
