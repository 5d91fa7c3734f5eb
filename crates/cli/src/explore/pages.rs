//! The pages of the explorer as lines of text, for line mode and the full screen.

use std::convert::Infallible;

use crate::explore::command::{COMMANDS, Look};
use desk::Color;
use desk::edit::VERBS;
use desk::joined::Joined;
use desk::report::{NodeReport, PositionsReport, Report, each_node, each_position};
use desk::session::Session;
use desk::table::label;
use desk::walk::{OriginPath, Walk, game_list};

use desk::game_list::{GameList, Order};

use super::games;
use super::notation::{Folds, Notation};
use super::opening;
use crate::board::Diagram;
use crate::ink::{Ink, Line, wrap};
use kit::number::{counted, grouped};

/// The lines of a page; none for pages that each mode shows in its own way.
pub fn page(session: &mut Session, look: Look, below: Color, columns: usize) -> Vec<Line> {
    match look {
        Look::Table => Vec::new(),
        Look::Notation => notation(session.walk(), columns),
        Look::Board | Look::Flip => board(session, below),
        Look::Report => match session.walk().joined_graph() {
            Some(joined) => positions_report(&PositionsReport::of(joined)),
            None => report(&Report::of(session.walk_mut())),
        },
        Look::Here => here(&NodeReport::of(session.walk_mut()), columns),
        Look::Origins => origins(session.walk(), columns),
        Look::Opening => opening::lines(session, columns),
        Look::Nodes => match session.walk().joined_graph() {
            Some(joined) => positions(joined),
            None => nodes(session),
        },
        Look::Fen => vec![plain(session.walk().board().fen())],
        Look::Pgn => pgn(session.walk()),
        Look::Tags => tags(session),
        Look::Help => help(columns),
    }
}

/// The whole game; in positions mode the displayed line with the first moves of alternatives.
fn notation(walk: &Walk, columns: usize) -> Vec<Line> {
    let folds = match walk.joined_graph() {
        Some(_) => Folds::default(),
        None => Folds::none(),
    };
    Notation::new(walk, &folds).all(columns)
}

fn plain(text: impl Into<String>) -> Line {
    Line::of(text, Ink::Plain)
}

/// The game; in positions mode all games, each continuation once.
fn pgn(walk: &Walk) -> Vec<Line> {
    let start = walk.vertex_of(desk::NodeId::ROOT);
    let text = match walk.joined_graph().zip(start) {
        Some((joined, start)) => joined.to_game(start).to_string(),
        None => walk.game().to_string(),
    };
    text.lines().map(plain).collect()
}

fn board(session: &Session, below: Color) -> Vec<Line> {
    let walk = session.walk();
    let node = walk.game().node(walk.at());
    let shapes = node.shapes();
    let board = walk.board();
    let diagram = Diagram {
        board: &board,
        below,
        last: walk.last_move(),
        shapes: &shapes,
    };
    let mut lines: Vec<Line> = diagram.plain().into_iter().map(plain).collect();
    lines.push(plain(format!("   {} to move", name(board.turn()))));
    if !shapes.is_empty() {
        lines.push(plain(format!("   {}", shape_names(&shapes))));
    }
    lines
}

fn name(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}

/// `g2→b7 green, e4 red`
pub fn shape_names(shapes: &[desk::annotation::Shape]) -> String {
    let name = |shape: &desk::annotation::Shape| {
        let paint = format!("{:?}", shape.paint).to_lowercase();
        if shape.is_square() {
            format!("{} {paint}", shape.from)
        } else {
            format!("{}→{} {paint}", shape.from, shape.to)
        }
    };
    shapes.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// The figures of a game.
pub fn report(report: &Report) -> Vec<Line> {
    let mut lines = vec![
        plain(format!("{:>12}  lines", grouped(report.lines))),
        plain(format!("{:>12}  moves", grouped(report.moves))),
        plain(format!(
            "{:>12}  different positions",
            grouped(report.counts.positions)
        )),
        plain(format!(
            "{:>12}  reached by several paths: {} between lines, {} repeated",
            grouped(report.counts.transposed),
            grouped(report.counts.between_lines),
            grouped(report.counts.repeated)
        )),
        plain(format!(
            "{:>12}  half-moves in the longest line",
            grouped(report.longest.into())
        )),
        plain(format!(
            "{:>12}  deviations at most on a path",
            grouped(report.depth.into())
        )),
        plain(format!(
            "{:>12}  with comments, {} with glyphs",
            grouped(report.commented),
            grouped(report.marked)
        )),
    ];
    let tables = [
        ("deviations", "lines", &report.lines_by_depth),
        ("half-moves", "lines", &report.lines_by_length),
        ("next moves", "positions", &report.nodes_by_moves),
    ];
    for (of, what, counts) in tables {
        lines.push(Line::default());
        lines.push(Line::of(format!("{of:>12}  {what}"), Ink::Head));
        lines.extend(histogram(counts));
    }
    lines
}

/// The figures of joined games.
pub fn positions_report(report: &PositionsReport) -> Vec<Line> {
    let figures = [
        (report.games, "games".to_owned()),
        (
            report.lines,
            "lines, each continuation counted once".to_owned(),
        ),
        (report.moves, "different moves".to_owned()),
        (report.counts.positions, "different positions".to_owned()),
        (
            report.counts.transposed,
            format!(
                "reached by several paths: {} between lines, {} repeated",
                grouped(report.counts.between_lines),
                grouped(report.counts.repeated)
            ),
        ),
        (
            report.longest.into(),
            "half-moves in the longest line".to_owned(),
        ),
        (
            report.least_depth.into(),
            "deviations needed at most to reach a position".to_owned(),
        ),
        (
            report.greatest_depth.into(),
            "deviations at most on a path".to_owned(),
        ),
        (
            report.commented,
            format!("with comments, {} with glyphs", grouped(report.marked)),
        ),
    ];
    let mut lines: Vec<Line> = figures
        .into_iter()
        .map(|(count, name)| plain(format!("{:>12}  {name}", grouped(count))))
        .collect();
    let tables = [
        ("least dev.", &report.positions_by_least_depth),
        ("greatest dev.", &report.positions_by_greatest_depth),
        ("next moves", &report.positions_by_moves),
    ];
    for (of, counts) in tables {
        lines.push(Line::default());
        lines.push(Line::of(format!("{of:>13} positions"), Ink::Head));
        lines.extend(histogram(counts));
    }
    lines
}

/// The ways to reach the current position.
fn origins(walk: &Walk, columns: usize) -> Vec<Line> {
    const MOST: usize = 100;
    if walk.joined_graph().is_none() {
        return vec![plain("listed in positions mode: use `positions` or J")];
    }
    let (origins, more) = walk.origins(MOST);
    if origins.is_empty() {
        return vec![plain("this is a starting position; no move leads here")];
    }
    let line = |(index, origin): (usize, &OriginPath)| {
        let sign = if origin.is_current { ">" } else { " " };
        let games = match game_list(&origin.written_in, origin.more_games) {
            games if games.is_empty() => String::new(),
            games => format!(" [{games}]"),
        };
        let text = format!("{}{games}", origin.path);
        entry(&format!("{sign}{}", index + 1), &text, 6, columns)
    };
    let mut lines: Vec<Line> = origins.iter().enumerate().flat_map(line).collect();
    if more > 0 {
        lines.push(plain(format!("and {} more", grouped(more as u64))));
    }
    lines.push(Line::default());
    lines.push(plain("`origin N` chooses one; t goes to the next"));
    lines
}

/// All positions.
fn positions(joined: &Joined) -> Vec<Line> {
    let mut lines = vec![Line::of(
        "    id  half-move  deviations  moves, each with the id it leads to",
        Ink::Head,
    )];
    let result = each_position(joined, |position| {
        let moves = position.moves.iter();
        let moves: Vec<String> = moves.map(|(san, id)| format!("{san} {id}")).collect();
        let depths = range(position.least_depth, position.greatest_depth);
        lines.push(plain(format!(
            "{:>6}  {:>9}  {depths:>10}  {}",
            position.id,
            position.half_move,
            moves.join(", ")
        )));
        Ok::<(), Infallible>(())
    });
    match result {
        Ok(()) => lines,
        Err(never) => match never {},
    }
}

/// `2` or `1–3`.
fn range(least: u32, greatest: u32) -> String {
    if least == greatest {
        least.to_string()
    } else {
        format!("{least}–{greatest}")
    }
}

fn histogram(counts: &std::collections::BTreeMap<u32, u64>) -> Vec<Line> {
    const WIDTH: u64 = 32;
    let most = counts.values().copied().max().unwrap_or(1).max(1);
    let bar = |count: u64| "▇".repeat((count * WIDTH).div_ceil(most) as usize);
    let line = |(&key, &count): (&u32, &u64)| {
        let mut line = plain(format!("{key:>12}  {:>9}  ", grouped(count)));
        line.push(bar(count), Ink::Good);
        line
    };
    counts.iter().map(line).collect()
}

fn here(node: &NodeReport, columns: usize) -> Vec<Line> {
    let path = match node.path.as_str() {
        "" => "the start",
        path => path,
    };
    let mut facts = vec![
        ("path", path.to_owned()),
        ("FEN", node.fen.clone()),
        ("position id", grouped(node.id.into())),
        ("half-moves", half_moves(node)),
        ("deviations", deviations(node)),
        (
            "below",
            format!(
                "{}, {}",
                counted(node.lines.into(), "line"),
                counted(node.moves, "move")
            ),
        ),
    ];
    if let Some((rank, of)) = node.rank {
        facts.push(("rank", format!("{rank} of {of} here, in the file's order")));
    }
    let opening = node.opening.map(|opening| opening.to_string());
    let optional = [
        ("opening", opening.unwrap_or_default()),
        ("next", node.continuations.join(" ")),
        ("glyphs", node.glyphs.clone()),
        ("comment", node.comment.clone()),
    ];
    facts.extend(optional.into_iter().filter(|(_, text)| !text.is_empty()));
    facts.extend(node.also.iter().map(|path| ("also by", path.clone())));
    let places = node.places.iter();
    facts
        .extend(places.map(|place| ("written in", format!("game {}, {}", place.game, place.path))));
    if node.more_places > 0 {
        let more = format!("and {} more", counted(node.more_places, "place"));
        facts.push(("written in", more));
    }
    facts
        .iter()
        .flat_map(|(name, text)| fact(name, text, columns))
        .collect()
}

/// The number that PGN prints; with the number of moves from the start, if that differs.
fn half_moves(node: &NodeReport) -> String {
    if node.halfmove == node.ply {
        node.ply.to_string()
    } else {
        format!("{}, {} from the start", node.halfmove, node.ply)
    }
}

/// The number of deviations and the moves: `2: 1Wa d4 for e4, 3Bb c5 for e6`. In positions mode the
/// table has another order than a single game, so its deviations are others too.
fn deviations(node: &NodeReport) -> String {
    let moves = node.deviations.iter();
    let moves: Vec<String> = moves
        .map(|it| format!("{} {} for {}", it.address, it.san, it.instead_of))
        .collect();
    let mut text = node.depth.to_string();
    if node.depths.is_some() {
        text += " in the table";
    }
    if !moves.is_empty() {
        text += &format!(": {}", moves.join(", "));
    }
    if let Some((least, greatest)) = node.depths {
        text += &format!("; {} in the games", range(least, greatest));
    }
    text
}

fn fact(name: &str, text: &str, columns: usize) -> Vec<Line> {
    const NAME: usize = 13;
    let mut lines = Vec::new();
    for (index, part) in wrap(text, columns.saturating_sub(NAME))
        .into_iter()
        .enumerate()
    {
        let mut line = Line::of(if index == 0 { name } else { "" }, Ink::Faint);
        line.pad_to(NAME);
        line.push(part, Ink::Plain);
        lines.push(line);
    }
    lines
}

fn nodes(session: &Session) -> Vec<Line> {
    let mut lines = vec![Line::of(
        "    id  half-move  deviations  moves, each with the id it leads to",
        Ink::Head,
    )];
    let result = each_node(session.walk().game(), |node| {
        let moves: Vec<String> = node
            .moves
            .iter()
            .map(|(san, id)| format!("{san} {id}"))
            .collect();
        lines.push(plain(format!(
            "{:>6}  {:>9}  {:>10}  {}",
            node.id,
            node.half_move,
            node.depth,
            moves.join(", ")
        )));
        Ok::<(), Infallible>(())
    });
    match result {
        Ok(()) => lines,
        Err(never) => match never {},
    }
}

fn tags(session: &Session) -> Vec<Line> {
    let tags = session.walk().game().tags();
    tags.map(|(name, value)| plain(format!("{name:<14} {value}")))
        .collect()
}

/// The list of games with these words in their tags.
pub fn games(session: &Session, filter: &str, columns: usize) -> Vec<Line> {
    let mut list = GameList::default();
    let games = list.find(session, filter, Order::default());
    if games.is_empty() {
        return vec![plain("no game has tags with these words")];
    }
    let mut lines = vec![games::head(columns, Order::default())];
    lines.extend(games::lines(&mut list, session, &games, columns));
    lines
}

/// Columns for the words of a command.
const WORDS: usize = 28;

fn help(columns: usize) -> Vec<Line> {
    let mut lines = vec![
        plain("A move goes there, or is added as the next move:  Bc4   6.Bc4   6...Nf6"),
        plain("Several moves go to a position, and are added past the end:  e4 c5 Nf3   6.Bc4 e6"),
        plain("An address chooses an alternative:  6Wc   6 W c   6Bb 9Wa"),
        Line::default(),
        Line::of("commands", Ink::Head),
    ];
    for help in COMMANDS {
        let mut words = help.words.join(", ");
        if !help.args.is_empty() {
            words += &format!(" {}", help.args);
        }
        lines.extend(entry(&words, help.does, WORDS, columns));
    }
    lines.push(Line::default());
    lines.push(Line::of("changes to the game", Ink::Head));
    for verb in VERBS {
        lines.extend(entry(
            &format!("{} {}", verb.word, verb.args),
            verb.does,
            WORDS,
            columns,
        ));
    }
    lines
}

/// The name of a key or command in `width` columns, and its description.
pub fn entry(words: &str, does: &str, width: usize, columns: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for (index, part) in wrap(does, columns.saturating_sub(width + 2))
        .into_iter()
        .enumerate()
    {
        let mut line = plain(if index == 0 {
            format!("  {words}")
        } else {
            String::new()
        });
        line.pad_to(width + 2);
        line.push(part, Ink::Faint);
        lines.push(line);
    }
    lines
}

/// Valid input here, for error messages.
pub fn examples(session: &Session) -> Vec<String> {
    let walk = session.walk();
    let next = walk.view().next(walk.tree(), walk.at());
    let mv = next.and_then(|next| walk.tree().move_to(next));
    let mut examples: Vec<String> = addresses(walk).into_iter().take(1).collect();
    examples.extend(mv.map(|&mv| walk.board().san(mv).to_string()));
    examples.extend(["next", "back", "help"].map(str::to_owned));
    examples
}

/// The addresses of alternatives from the current position to the end of the line, at most 200.
pub fn addresses(walk: &Walk) -> Vec<String> {
    let (tree, game_view) = (walk.tree(), walk.game_view());
    let line = walk.view().line(tree, walk.at());
    let branching = line.filter(|&node| tree.is_branching(node));
    let of = |node| {
        let half = game_view.half_after(node).to_string().replace(' ', "");
        let others = tree.child_count(node) - 1;
        (0..others.min(26)).map(move |index| format!("{half}{}", label(index)))
    };
    branching.flat_map(of).take(200).collect()
}
