//! `gametree draw`: pictures of trees and boards.

mod chapters;

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use desk::NodeId;
use desk::annotation::{Paint, Shape};
use desk::book::title;
use desk::draw::{
    self, Contents, Diagram, Format, Paper, PaperSize, Sheet, Theme, TreeOptions, TreePart,
    WriteError, draw_board, write_tree,
};
use desk::place::Place;
use desk::session::Session;
use desk::walk::Walk;
use desk::{Board, Game, Square, Variant};
use kit::input::Compression;
use kit::save::{Overwrite, SaveError, Target};

use super::show::seek;
use crate::failure::{Exit, Failure};
use crate::files::game_number;
use crate::identity::Joined;
use crate::output::{Output, save_over};
use crate::sessions::{file_name, open_at, place_failure};
use crate::shell::Shell;
use crate::sums::{draw_failure, unknown_format};
use kit::number::{counted, grouped};

/// Draw a tree or a board: SVG, PNG, PDF, an interactive page, a Graphviz graph
#[derive(clap::Args, Debug)]
#[command(after_help = "\
The mainline is straight. Branch width shows the number of lines below, and arcs join equal
positions. Less important moves are folded into a mark with their number. A long game with few
variations is divided into rows.

Examples:
  gametree draw repertoire.pgn -o tree.svg
  gametree draw repertoire.pgn -o tree.html             an interactive page with a board
  gametree draw repertoire.pgn --at 'd4 d5 c4' --all -o slav.pdf
  gametree draw repertoire.pgn --where check -o checks.svg
  gametree draw --positions repertoire.pgn -o all.svg   all chapters, each position once
  gametree draw repertoire.pgn --chapters -o all.html   a page with a list of chapters
  gametree draw repertoire.pgn --all --paper a4 --landscape -o print.pdf
  gametree draw games.pgn --game 3 --boards 12W --dark -o game.png
  gametree draw --board 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R' -o board.svg
  gametree draw --board 6.O-O repertoire.pgn --arrow g2b7:R --square b7 -o board.png")]
pub struct Args {
    /// The files, or `-` for standard input; .gz, .bz2 and .zst are decompressed
    #[arg(value_name = "FILE", required_unless_present = "board")]
    files: Vec<PathBuf>,
    /// Output file; `-` is standard output
    #[arg(short, long, value_name = "OUT")]
    output: OsString,
    /// Output format [default: from the extension of OUT]
    #[arg(long, value_name = "FORM")]
    format: Option<Form>,
    /// Number of the game
    #[arg(long, value_name = "N", default_value = "1", value_parser = game_number)]
    game: NonZeroUsize,
    #[command(flatten)]
    joined: Joined,
    /// Dark background
    #[arg(long)]
    dark: bool,
    /// Scale factor [default: 1; PNG: 2]
    #[arg(long, value_name = "FACTOR")]
    scale: Option<f64>,
    /// Show boards from Black's side
    #[arg(long)]
    flip: bool,
    /// Divide a PDF into pages of this size, with labels and overlap
    #[arg(long, value_name = "SIZE", value_parser = paper_size())]
    paper: Option<PaperSize>,
    /// Pages with the long side horizontal
    #[arg(long, requires = "paper")]
    landscape: bool,
    #[command(flatten)]
    tree: TreeArgs,
    #[command(flatten)]
    board: BoardArgs,
}

#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Trees")]
struct TreeArgs {
    /// Draw only the subtree at this position (6Wc, 6.Bc4, `e4 c5`, a position id, a FEN)
    #[arg(long, value_name = "PLACE")]
    at: Option<Place>,
    /// Maximum depth in half-moves
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Show about N moves, the most important ones
    #[arg(long, value_name = "N", default_value_t = BUDGET)]
    budget: usize,
    /// Show all moves
    #[arg(long, conflicts_with = "budget")]
    all: bool,
    /// Draw a board at this position; may be repeated
    #[arg(long, value_name = "PLACE")]
    boards: Vec<Place>,
    /// Mark the positions that match a CQL query, and prefer to show them
    #[arg(long = "where", value_name = "QUERY")]
    query: Option<String>,
    /// Draw boards at positions marked $220 or D
    #[arg(long)]
    diagrams: bool,
    /// Draw all games of the file: a page with a list, a PDF, or one picture each (OUT-1.svg, ...)
    #[arg(long, conflicts_with_all = ["game", "at", "boards"])]
    chapters: bool,
    /// Divide a long game with few variations into rows of at most N pixels; 0: never
    #[arg(long, value_name = "N", default_value_t = ROW_WIDTH)]
    width: u32,
    /// Draw no arcs between equal positions
    #[arg(long)]
    no_arcs: bool,
    /// Title [default: from the tags of the game]
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
}

#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Boards")]
struct BoardArgs {
    /// Draw one board: a FEN, or a position in FILE
    #[arg(long, value_name = "FEN|PLACE", conflicts_with_all = ["at", "depth", "budget", "all", "boards", "query", "diagrams", "chapters", "width", "no_arcs"])]
    board: Option<String>,
    /// Draw an arrow, with color G, R, Y or B; may be repeated
    #[arg(long, value_name = "e2e4[:G]", value_parser = arrow, requires = "board")]
    arrow: Vec<Shape>,
    /// Mark a square; may be repeated
    #[arg(long, value_name = "d4[:R]", value_parser = square, requires = "board")]
    square: Vec<Shape>,
    /// Draw no coordinates
    #[arg(long, requires = "board")]
    no_coordinates: bool,
    /// Do not draw the game's own arrows and squares, nor the last move
    #[arg(long, requires = "board")]
    plain: bool,
}

/// The default number of nodes.
const BUDGET: usize = 300;
/// The default width of rows.
const ROW_WIDTH: u32 = 1600;

/// Reads the name of a paper size.
fn paper_size() -> impl TypedValueParser<Value = PaperSize> {
    let described = |size: &PaperSize| PossibleValue::new(size.name()).help(size.measures());
    PossibleValuesParser::new(PaperSize::ALL.iter().map(described))
        .try_map(|name| PaperSize::of_name(&name).ok_or("unknown paper size"))
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum Form {
    /// Vector graphics
    Svg,
    /// Pixel image
    Png,
    /// PDF page
    Pdf,
    /// Graphviz graph
    Dot,
    /// Interactive page with a board
    Html,
}

impl From<Form> for Format {
    fn from(form: Form) -> Format {
        match form {
            Form::Svg => Format::Svg,
            Form::Png => Format::Png,
            Form::Pdf => Format::Pdf,
            Form::Dot => Format::Dot,
            Form::Html => Format::Html,
        }
    }
}

/// Draws the picture.
pub fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let target = Target::from_arg(&args.output);
    let format = args.format(&target)?;
    if args.tree.chapters {
        if args.joined.positions {
            return Err(Failure::with_fix(
                "--positions draws all chapters as one tree",
                "leave out --chapters, or --positions for a tree for each chapter",
            ));
        }
        return chapters::run(&args, &target, format, shell);
    }
    let remark = match &args.board.board {
        Some(place) => {
            let bytes = args.draw_board(place, format)?;
            save_over(target.clone(), &bytes, shell.overwrite())?;
            String::new()
        }
        None => summary(&args.draw_tree(&target, format, shell.overwrite())?),
    };
    if target != Target::Stdout {
        shell.note(&format!("{target} written{remark}"));
    }
    Ok(Exit::Fine)
}

/// Draws a tree into a file, which changes only when the picture is complete.
fn write_picture(
    game: Game,
    (part, options, paper): (&TreePart, &TreeOptions, &Paper),
    format: Format,
    target: &Target,
    overwrite: Overwrite,
) -> Result<Contents, Failure> {
    let mut output = Output::create_over(target.clone(), overwrite)?;
    let contents = write_tree(game, part, options, paper, format, &mut output);
    let contents = contents.map_err(|error| match error {
        WriteError::Draw(error) => draw_failure(error),
        WriteError::Io(error) => SaveError {
            target: target.clone(),
            error,
        }
        .into(),
    })?;
    output.finish()?;
    Ok(contents)
}

impl Args {
    fn format(&self, target: &Target) -> Result<Format, Failure> {
        let by_name = || match target {
            Target::Stdout => None,
            Target::File(path) => {
                Format::of_name(Compression::strip_extension(&path.to_string_lossy()))
            }
        };
        let format = self.format.map(Format::from).or_else(by_name);
        let format = format.ok_or_else(|| {
            Failure::with_fix(
                unknown_format(&target.to_string(), "svg, png, pdf, html or dot"),
                "use one of these extensions for the output, or give --format",
            )
        })?;
        if self.paper.is_some() && format != Format::Pdf {
            return Err(Failure::with_fix(
                format_args!("--paper divides a PDF into pages; the output is {format}"),
                "write a .pdf file, or leave out --paper",
            ));
        }
        Ok(format)
    }

    fn paper(&self) -> Paper {
        Paper {
            theme: if self.dark { Theme::Dark } else { Theme::Light },
            scale: self.scale,
            sheet: self.paper.map(|size| Sheet {
                size,
                landscape: self.landscape,
            }),
        }
    }

    /// The game, if a file is given; with --positions all games, each continuation once.
    fn open(&self) -> Result<Option<(Session, Walk)>, Failure> {
        if self.files.is_empty() {
            return Ok(None);
        }
        let mut session = open_at(&self.files, self.game, self.joined)?;
        let walk = session.walk();
        let walk = match walk.joined_graph().zip(walk.vertex_of(walk.at())) {
            Some((joined, start)) => Walk::new(joined.to_game(start)),
            // The session is asked for the title only: a large game is not copied.
            None => std::mem::replace(session.walk_mut(), Walk::new(Game::new())),
        };
        Ok(Some((session, walk)))
    }

    fn draw_tree(
        &self,
        target: &Target,
        format: Format,
        overwrite: Overwrite,
    ) -> Result<Contents, Failure> {
        let Some((session, mut walk)) = self.open()? else {
            return Err(Failure::new("no file to draw"));
        };
        let (part, options) = self.picture(&session, &mut walk)?;
        drop(session);
        let picture = (&part, &options, &self.paper());
        write_picture(walk.into_game(), picture, format, target, overwrite)
    }

    /// The part of a game to draw, and how.
    fn picture(
        &self,
        session: &Session,
        walk: &mut Walk,
    ) -> Result<(TreePart, TreeOptions), Failure> {
        if let Some(query) = &self.tree.query {
            seek(walk, query)?;
        }
        let find = |place: &Place| {
            place
                .find(walk.game_view(), NodeId::ROOT)
                .map_err(place_failure)
        };
        let at = self.tree.at.as_ref().map_or(Ok(NodeId::ROOT), find)?;
        let boards = self
            .tree
            .boards
            .iter()
            .map(find)
            .collect::<Result<_, _>>()?;
        let part = TreePart {
            at,
            boards,
            diagrams: self.tree.diagrams,
        };
        let options = TreeOptions {
            marked: walk
                .tree()
                .preorder()
                .filter(|&node| walk.is_match(node))
                .collect(),
            depth: self.tree.depth,
            budget: (!self.tree.all).then_some(self.tree.budget),
            arcs: !self.tree.no_arcs,
            flipped: self.flip,
            title: match &self.tree.title {
                Some(title) => title.clone(),
                None => title_of(session, walk, at),
            },
            row_width: (self.tree.width > 0).then_some(self.tree.width.into()),
        };
        Ok((part, options))
    }

    fn draw_board(&self, place: &str, format: Format) -> Result<Vec<u8>, Failure> {
        let mut diagram = match self.open()? {
            Some((_, walk)) => board_in(&walk, place)?,
            None => draw::diagram(&board_of_fen(place)?),
        };
        if self.board.plain {
            diagram.last_move = None;
            diagram.arrows.clear();
        }
        diagram
            .arrows
            .extend(self.board.square.iter().map(draw::arrow));
        diagram
            .arrows
            .extend(self.board.arrow.iter().map(draw::arrow));
        diagram.flipped = self.flip;
        diagram.coordinates = !self.board.no_coordinates;
        diagram.caption = self.tree.title.clone().unwrap_or_default();
        draw_board(&diagram, &self.paper(), format).map_err(draw_failure)
    }
}

/// The players and the event, or the files; for a part of a game, also the path to it.
fn title_of(session: &Session, walk: &Walk, at: NodeId) -> String {
    let names = || session.files().iter().map(|file| file_name(file.name()));
    let game = if session.is_joined() {
        names().collect::<Vec<_>>().join(", ")
    } else {
        title(&session.tags(session.game()))
    };
    let path = walk.game_view().path(at);
    let parts = [game, path].into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(" · ")
}

/// The board at a place of a game.
fn board_in(walk: &Walk, place: &str) -> Result<Diagram, Failure> {
    let place: Place = place.parse().map_err(place_failure)?;
    let node = place
        .find(walk.game_view(), NodeId::ROOT)
        .map_err(place_failure)?;
    Ok(draw::diagram_at(walk.game(), node))
}

fn board_of_fen(fen: &str) -> Result<Board, Failure> {
    Board::from_fen(fen, Variant::Standard).map_err(|error| {
        Failure::with_fix(
            format_args!("invalid FEN `{fen}`: {error}"),
            "give a FEN, or the file that has this position",
        )
    })
}

/// The contents of the picture in numbers.
fn summary(drawn: &Contents) -> String {
    let starts = drawn.chapters;
    let (shown, all) = ((drawn.shown - starts) as u64, (drawn.nodes - starts) as u64);
    let mut text = if shown == all {
        format!(": {}", counted(all, "move"))
    } else {
        format!(": {} of {}", grouped(shown), counted(all, "move"))
    };
    if drawn.chapters > 1 {
        text += &format!(" in {}", counted(drawn.chapters as u64, "chapter"));
    }
    if drawn.arcs > 0 {
        text += &format!(", {}", counted(drawn.arcs as u64, "transposition"));
    }
    if drawn.pages > 1 {
        text += &format!(", {}", counted(drawn.pages as u64, "page"));
    }
    text
}

/// Reads `e2e4` or `e2e4:R`.
fn arrow(text: &str) -> Result<Shape, String> {
    let (squares, paint) = painted(text)?;
    let ends = squares.get(..2).zip(squares.get(2..));
    let shape = ends.and_then(|(from, to)| {
        let (from, to): (Square, Square) = (from.parse().ok()?, to.parse().ok()?);
        (from != to).then_some(Shape { paint, from, to })
    });
    shape.ok_or_else(|| "expected two squares, such as e2e4 or e2e4:R".to_owned())
}

/// Reads `d4` or `d4:R`.
fn square(text: &str) -> Result<Shape, String> {
    let (name, paint) = painted(text)?;
    let square: Square = name
        .parse()
        .map_err(|_| "expected a square, such as d4 or d4:R".to_owned())?;
    Ok(Shape {
        paint,
        from: square,
        to: square,
    })
}

/// The text before the colour, and the colour; green by default.
fn painted(text: &str) -> Result<(&str, Paint), String> {
    let Some((what, letter)) = text.split_once(':') else {
        return Ok((text, Paint::Green));
    };
    let paint = match letter.to_ascii_uppercase().as_str() {
        "G" => Paint::Green,
        "R" => Paint::Red,
        "Y" => Paint::Yellow,
        "B" => Paint::Blue,
        _ => return Err(format!("unknown color `{letter}`; use G, R, Y or B")),
    };
    Ok((what, paint))
}
