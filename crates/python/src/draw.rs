//! Pictures for Python: boards, trees, tables and thermographs as the bytes of a file.

use chess::annotation::{Paint, Shape};
use chess::pgn::Game;
use chess::{Board, Square, Variant};
use desk::book::{Book, title};
use desk::draw::{
    Diagram, DrawError, Format, Paper, PaperSize, Sheet, Theme, TreeOptions, TreePart, draw_board,
    draw_tree as draw_game,
};
use desk::place::{Place, PlaceError};
use desk::walk::Walk;
use gametree_draw::{TableHeading, draw_table, draw_thermograph};
use gametree_tree::NodeId;
use gametree_tree::table::Row;
use kit::Stop;
use kit::input::{InputError, Source};
use pyo3::exceptions::{PyFileNotFoundError, PyIndexError, PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::number::Number;
use crate::work;

/// Dark, scale, paper size, landscape.
#[derive(FromPyObject)]
pub struct PaperData(bool, Option<f64>, Option<String>, bool);

impl PaperData {
    fn paper(&self) -> PyResult<Paper> {
        let PaperData(dark, scale, size, landscape) = self;
        let sheet = size.as_deref().map(|size| {
            Ok::<_, PyErr>(Sheet {
                size: paper_size(size)?,
                landscape: *landscape,
            })
        });
        Ok(Paper {
            theme: if *dark { Theme::Dark } else { Theme::Light },
            scale: *scale,
            sheet: sheet.transpose()?,
        })
    }
}

fn paper_size(name: &str) -> PyResult<PaperSize> {
    PaperSize::of_name(name).ok_or_else(|| {
        let names: Vec<&str> = PaperSize::ALL.iter().map(|size| size.name()).collect();
        let names = names.join(", ");
        PyValueError::new_err(format!("unknown paper size {name:?}; use {names}"))
    })
}

/// Draws on another thread.
pub fn picture_bytes<'py>(
    py: Python<'py>,
    format: &str,
    paper: &PaperData,
    draw: impl FnOnce(Format, &Paper) -> Result<Vec<u8>, DrawError> + Send,
) -> PyResult<Bound<'py, PyBytes>> {
    let paper = paper.paper()?;
    let format = Format::of_name(&format!(".{format}"))
        .ok_or_else(|| PyValueError::new_err(format!("unknown picture format {format:?}")))?;
    let drawn = work::run(py, &Stop::new(), || draw(format, &paper))?;
    let bytes = drawn.map_err(draw_error)?;
    Ok(PyBytes::new(py, &bytes))
}

fn draw_error(error: DrawError) -> PyErr {
    let fix = match error {
        DrawError::Scale(_) => "; 1 is the normal size",
        DrawError::TooLarge { .. } => "; use a smaller scale, or draw an SVG",
        DrawError::TooManyPages { .. } => "; use a smaller scale or a larger paper size",
        _ => "",
    };
    PyValueError::new_err(format!("{error}{fix}"))
}

/// An arrow: from, to, and the letter of its colour. A marked square has the same ends.
type ArrowData = (String, String, char);

fn shape((from, to, paint): ArrowData) -> PyResult<Shape> {
    let square = |name: String| -> PyResult<Square> {
        let invalid = |_| PyValueError::new_err(format!("{name:?} is not a square such as e4"));
        name.parse().map_err(invalid)
    };
    let paint = match paint.to_ascii_uppercase() {
        'G' => Paint::Green,
        'R' => Paint::Red,
        'Y' => Paint::Yellow,
        'B' => Paint::Blue,
        other => {
            return Err(PyValueError::new_err(format!(
                "unknown color {other:?}; use G, R, Y or B"
            )));
        }
    };
    Ok(Shape {
        paint,
        from: square(from)?,
        to: square(to)?,
    })
}

/// A board of a FEN, or of a place in a game with its last move, arrows and squares.
#[pyfunction]
#[pyo3(name = "draw_board")]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
pub fn board<'py>(
    py: Python<'py>,
    format: &str,
    paper: PaperData,
    text: &str,
    at: Option<(&str, usize)>,
    arrows: Vec<ArrowData>,
    last_move: Option<(String, String)>,
    plain: bool,
    flipped: bool,
    coordinates: bool,
    caption: String,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut diagram = match at {
        Some((place, game)) => board_in(text, place, game)?,
        None => desk::draw::diagram(&board_of_fen(text)?),
    };
    if plain {
        (diagram.last_move, diagram.arrows) = (None, Vec::new());
    }
    for arrow in arrows {
        diagram.arrows.push(desk::draw::arrow(&shape(arrow)?));
    }
    if let Some((from, to)) = last_move {
        let ends = desk::draw::arrow(&shape((from, to, 'G'))?);
        diagram.last_move = Some((ends.from, ends.to));
    }
    diagram.flipped = flipped;
    diagram.coordinates = coordinates;
    diagram.caption = caption;
    picture_bytes(py, format, &paper, |format, paper| {
        draw_board(&diagram, paper, format)
    })
}

fn board_of_fen(fen: &str) -> PyResult<Board> {
    Board::from_fen(fen, Variant::Standard)
        .map_err(|error| PyValueError::new_err(format!("invalid FEN {fen:?}: {error}")))
}

fn board_in(pgn: &str, place: &str, game: usize) -> PyResult<Diagram> {
    let walk = Walk::new(read_game(pgn, game)?.0);
    let node = find(&walk, place)?;
    Ok(desk::draw::diagram_at(walk.game(), node))
}

/// A game of a PGN text, by its number from 1, and its title.
fn read_game(pgn: &str, number: usize) -> PyResult<(Game, String)> {
    let book = Book::from_text("", pgn.as_bytes().to_vec());
    let index = number.checked_sub(1);
    let game = index.and_then(|index| Some((book.read(index)?, title(&book.tags(index)))));
    game.ok_or_else(|| {
        let games = kit::number::counted(book.len() as u64, "game");
        PyIndexError::new_err(format!("no game {number}: the text has {games}"))
    })
}

/// A node of a game by its place, such as `6.O-O`.
fn find(walk: &Walk, place: &str) -> PyResult<NodeId> {
    let found: Result<NodeId, PlaceError> = place
        .parse::<Place>()
        .and_then(|place| place.find(walk.game_view(), NodeId::ROOT));
    found.map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The text of a PGN file, decompressed.
#[pyfunction]
pub fn read_text(py: Python<'_>, path: std::path::PathBuf) -> PyResult<String> {
    let source = Source::File(path);
    let bytes = work::run(py, &Stop::new(), || source.read_whole())?;
    let bytes = bytes.map_err(|error| match error {
        InputError::NotFound { .. } => PyFileNotFoundError::new_err(error.to_string()),
        other => PyOSError::new_err(other.to_string()),
    })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A game with the matches of a query, and its usual title.
fn open_game(pgn: &str, number: usize, query: Option<&str>) -> PyResult<(Walk, String)> {
    let (game, title) = read_game(pgn, number)?;
    let mut walk = Walk::new(game);
    if let Some(query) = query {
        let found = walk.find_matches(query);
        found.map_err(|error| PyValueError::new_err(error.to_string()))?;
    }
    Ok((walk, title))
}

/// What a picture of a tree shows.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct TreeData {
    pgn: String,
    game: usize,
    at: Option<String>,
    depth: Option<u32>,
    budget: Option<usize>,
    boards: Vec<String>,
    query: Option<String>,
    diagrams: bool,
    arcs: bool,
    flipped: bool,
    title: Option<String>,
    width: Option<f64>,
}

impl TreeData {
    fn part(&self, walk: &Walk) -> PyResult<TreePart> {
        let place = |place: &String| find(walk, place);
        Ok(TreePart {
            at: self.at.as_ref().map_or(Ok(NodeId::ROOT), place)?,
            boards: self.boards.iter().map(place).collect::<PyResult<_>>()?,
            diagrams: self.diagrams,
        })
    }

    fn options(&self, walk: &Walk, at: NodeId, usual_title: String) -> TreeOptions {
        let with_path = || {
            let parts = [usual_title, walk.game_view().path(at)].into_iter();
            let parts = parts.filter(|part| !part.is_empty());
            parts.collect::<Vec<_>>().join(" · ")
        };
        let nodes = walk.tree().preorder();
        TreeOptions {
            marked: nodes.filter(|&node| walk.is_match(node)).collect(),
            depth: self.depth,
            budget: self.budget,
            arcs: self.arcs,
            flipped: self.flipped,
            title: self.title.clone().unwrap_or_else(with_path),
            row_width: self.width,
        }
    }
}

/// A game's tree.
#[pyfunction]
#[pyo3(name = "draw_tree")]
pub fn tree<'py>(
    py: Python<'py>,
    format: &str,
    paper: PaperData,
    data: TreeData,
) -> PyResult<Bound<'py, PyBytes>> {
    let stop = Stop::new();
    let opened = work::run(py, &stop, || {
        let (walk, title) = open_game(&data.pgn, data.game, data.query.as_deref())?;
        let part = data.part(&walk)?;
        let options = data.options(&walk, part.at, title);
        Ok::<_, PyErr>((walk, part, options))
    })?;
    let (walk, part, options) = opened?;
    picture_bytes(py, format, &paper, |format, paper| {
        draw_game(walk.game(), &part, &options, paper, format).map(|drawn| drawn.bytes)
    })
}

/// What a picture of a variations table shows.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct TableData {
    pgn: String,
    game: usize,
    at: Option<String>,
    query: Option<String>,
    alternatives: Option<usize>,
    title: Option<String>,
}

impl TableData {
    fn rows(&self) -> PyResult<(Vec<Row>, TableHeading)> {
        let (mut walk, title) = open_game(&self.pgn, self.game, self.query.as_deref())?;
        if let Some(place) = &self.at {
            let node = find(&walk, place)?;
            walk.go(node);
        }
        walk.find_transpositions();
        let most = self.alternatives.unwrap_or(usize::MAX);
        let rows = walk.rows(0..walk.table().row_count(), most);
        let heading = TableHeading {
            title: self.title.clone().unwrap_or(title),
            players: ["White", "Black"].map(str::to_owned),
        };
        Ok((rows, heading))
    }
}

/// A variations table.
#[pyfunction]
#[pyo3(name = "draw_table")]
pub fn table<'py>(
    py: Python<'py>,
    format: &str,
    paper: PaperData,
    data: TableData,
) -> PyResult<Bound<'py, PyBytes>> {
    let (rows, heading) = work::run(py, &Stop::new(), || data.rows())??;
    picture_bytes(py, format, &paper, |format, paper| {
        draw_table(&rows, &heading, paper, format)
    })
}

/// A point of a wall: value and temperature.
type Point = (Number, Number);

/// A thermograph.
#[pyfunction]
#[pyo3(name = "draw_thermograph")]
pub fn thermograph<'py>(
    py: Python<'py>,
    format: &str,
    paper: PaperData,
    walls: (Vec<Point>, Vec<Point>),
    numbers: [Number; 4],
    title: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let wall = |points: Vec<Point>| {
        let pairs = points.into_iter();
        pairs.map(|(v, t)| (mark(&v), mark(&t))).collect()
    };
    let [mean, temperature, left, right] = numbers.each_ref().map(mark);
    let graph = gametree_draw::Thermograph {
        walls: [wall(walls.0), wall(walls.1)],
        mean,
        temperature,
        stops: [left, right],
    };
    picture_bytes(py, format, &paper, |format, paper| {
        draw_thermograph(&graph, title, paper, format)
    })
}

fn mark(number: &Number) -> gametree_draw::Number {
    gametree_draw::Number {
        value: number.0.to_f64(),
        text: number.0.to_string(),
    }
}
