//! A tree as a picture: cards with moves, joined by branches whose width shows the number of lines.

use std::cmp::Reverse;

use gametree_tree::NodeId;
use gametree_tree::layout::{Content, Item, Options, Placed, Plan, Size};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::board::{BoardFrame, board_marks, paper};
use crate::diagram::Color;
use crate::ink::{ARC_INKS, Ink};
use crate::pieces::stamps;
use crate::rows::{Arrangement, Constraints, GAP_ACROSS, GAP_ALONG, Point, arrange};
use crate::scene::{Anchor, Dash, Layer, Look, Mark, MarkStream, PathStep, Scene, Shape, Words};
use crate::sketch::Sketch;
use crate::text::shortened;
use crate::{TreeOptions, font, plan};

const LABEL: f64 = 12.0;
const CARD_HEIGHT: f64 = 20.0;
const CARD_PAD: f64 = 6.0;
/// Distance of the vertical part of a branch from its card.
const TRUNK: f64 = 11.0;
const BEND: f64 = 7.0;
/// The radius of the corners of arcs.
const CORNER: f64 = 5.0;
/// Branches from row to row are at most this wide.
const WIDEST_RETURN: f64 = 3.0;
const START: f64 = 12.0;
const MARGIN: f64 = 24.0;
const TITLE: f64 = 18.0;
const SUBTITLE: f64 = 12.0;
const LEGEND_LINE: f64 = 18.0;
/// Height of the title and subtitle.
const HEAD: f64 = 56.0;
const SQUARE: f64 = 18.0;
const BOARD: f64 = 8.0 * SQUARE;
const BOARD_GAP: f64 = 4.0;
/// Longer titles are shortened.
const TITLE_LENGTH: usize = 120;

/// The space for a picture.
#[derive(Clone, Copy, Debug, Default)]
pub struct Space {
    /// The greatest width of rows, into which a long game is divided; none: it is not.
    pub row_width: Option<f64>,
    /// The picture is cut at this width, so that titles must not be wider.
    pub is_page: bool,
}

/// The visible part of a sketch.
pub struct Branches<'a> {
    sketch: &'a Sketch,
    options: &'a TreeOptions,
    plan: Plan,
    arcs: Vec<(u32, u32)>,
    /// The highlighted nodes.
    marked: FxHashSet<NodeId>,
    /// The style of the arcs at each item that has any: equal for equal positions.
    arc_styles: FxHashMap<u32, ArcStyle>,
}

impl<'a> Branches<'a> {
    /// Selects the visible nodes.
    pub fn new(sketch: &'a Sketch, options: &'a TreeOptions) -> Branches<'a> {
        let mut boards: Vec<NodeId> = sketch.diagrams.keys().copied().collect();
        boards.sort_unstable();
        let marked = sketch.find_all(&options.marked);
        let plan = plan::plan(sketch, options, &boards, &marked);
        let arcs = if options.arcs {
            plan::arcs(sketch, &plan)
        } else {
            Vec::new()
        };
        Branches {
            arc_styles: arc_styles(&arcs),
            arcs,
            sketch,
            options,
            plan,
            marked: marked.into_iter().collect(),
        }
    }

    /// The visible and the folded items.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// True if a node is highlighted.
    pub fn is_marked(&self, node: NodeId) -> bool {
        self.marked.contains(&node)
    }

    /// Pairs of items with the same position.
    pub fn arcs(&self) -> &[(u32, u32)] {
        &self.arcs
    }

    /// The style of the arcs at an item.
    pub fn arc_style(&self, item: u32) -> ArcStyle {
        self.arc_styles.get(&item).copied().unwrap_or_default()
    }

    /// Number of visible nodes.
    pub fn shown(&self) -> usize {
        let is_node = |item: &Item| matches!(item.content, Content::Node(_));
        self.plan.items().filter(is_node).count()
    }

    /// The size of the tree and of the visible part, as text.
    pub fn subtitle(&self) -> String {
        let lines = self.sketch.lines.through(NodeId::ROOT);
        let moves = self.sketch.len() - 1;
        let shown = self.shown() - 1;
        let s = |count: usize| if count == 1 { "" } else { "s" };
        let all = format!(
            "{lines} line{}, {moves} move{}",
            s(lines as usize),
            s(moves)
        );
        let all = if shown == moves {
            all
        } else {
            format!("{all}, {shown} shown")
        };
        match self.options.marked.len() {
            0 => all,
            marked => format!("{all}, {marked} marked"),
        }
    }

    /// Arranges the picture within the given space.
    pub fn arranged(&self, space: Space) -> TreePicture<'_> {
        let row_width = space.row_width;
        let places = self.arrange(row_width);
        // A title does not make a picture wider than its rows may be.
        let most = row_width.map_or(f64::MAX, |width| width - 2.0 * MARGIN);
        let most = if space.is_page {
            most
        } else {
            most.max(places.width())
        };
        let title = fitted(&self.title(), most);
        let subtitle = self.subtitle();
        let title_width = font::width(&title, TITLE, true);
        let subtitle_width = font::width(&subtitle, SUBTITLE, false);
        let inner = places.width().max(title_width).max(subtitle_width);
        let width = inner + 2.0 * MARGIN;
        let bottom = places.height() + HEAD + MARGIN;
        let legend = self.legend(bottom, inner.min(most));
        let height = bottom + MARGIN + LEGEND_LINE * legend.len() as f64;
        let has_boards = !self.sketch.diagrams.is_empty();
        let frame = Scene {
            title: if self.options.title.is_empty() {
                subtitle.clone()
            } else {
                self.options.title.clone()
            },
            width,
            height,
            stamps: if has_boards { stamps() } else { Vec::new() },
            layers: Vec::new(),
        };
        TreePicture {
            branches: self,
            places,
            head: self.head(title, subtitle),
            legend,
            frame,
        }
    }

    /// The place of each item, and the routes of arcs.
    fn arrange(&self, row_width: Option<f64>) -> Arrangement<'_> {
        let options = Options::default().gap(Size::new(GAP_ALONG, GAP_ACROSS));
        let places = self.plan.places(options, |item| self.size(item));
        let constraints = Constraints {
            row_width: row_width.map(|width| width - 2.0 * MARGIN),
            good_starts: &self.white_columns(),
            arcs: &self.arcs,
        };
        arrange(&self.plan, places, &constraints)
    }

    /// For each ply, whether its moves are White's.
    fn white_columns(&self) -> Vec<bool> {
        let plies = self.plan.items().map(|item| item.ply as usize + 1);
        let mut white = vec![false; plies.max().unwrap_or(0)];
        for item in self.plan.items() {
            if let Content::Node(node) = item.content {
                let mover = self.sketch.mover(node);
                white[item.ply as usize] = mover == Some(Color::White);
            }
        }
        white
    }

    fn title(&self) -> String {
        shortened(&self.options.title, TITLE_LENGTH)
    }

    fn head(&self, title: String, subtitle: String) -> Vec<Mark> {
        let words = |y, size, bold, ink, text: String| {
            Mark::Words(Words {
                x: MARGIN,
                y,
                anchor: Anchor::Start,
                size,
                bold,
                ink,
                text,
                note: None,
            })
        };
        let title = words(MARGIN + TITLE, TITLE, true, Ink::Text, title);
        let y = MARGIN + TITLE + SUBTITLE + 8.0;
        let subtitle = words(y, SUBTITLE, false, Ink::Faint, subtitle);
        if self.options.title.is_empty() {
            vec![subtitle]
        } else {
            vec![title, subtitle]
        }
    }

    /// The meanings of the signs, in lines of at most this width.
    fn legend(&self, top: f64, width: f64) -> Vec<Mark> {
        let mut lines: Vec<String> = Vec::new();
        for (sign, meaning) in &self.sketch.legend {
            let entry = format!("{sign} {meaning}");
            let joined = lines.last().map(|line| format!("{line}    {entry}"));
            match joined.filter(|line| font::width(line, SUBTITLE, false) <= width) {
                Some(line) => {
                    lines.pop();
                    lines.push(line);
                }
                None => lines.push(entry),
            }
        }
        let words = |(number, text): (usize, String)| {
            Mark::Words(Words {
                x: MARGIN,
                y: top + LEGEND_LINE * (number as f64 + 1.0),
                anchor: Anchor::Start,
                size: SUBTITLE,
                bold: false,
                ink: Ink::Faint,
                text,
                note: None,
            })
        };
        lines.into_iter().enumerate().map(words).collect()
    }

    /// The size of an item.
    fn size(&self, item: &Item) -> Size {
        let Content::Node(node) = item.content else {
            let label = fold_label(item.content);
            return Size::new(
                font::width(&label, LABEL, false) + 2.0 * CARD_PAD,
                CARD_HEIGHT,
            );
        };
        let label = self.sketch.label(node);
        let card = if label.is_empty() {
            Size::new(START, START)
        } else {
            let width = font::width(label, LABEL, item.mainline) + 2.0 * CARD_PAD;
            Size::new(width, CARD_HEIGHT)
        };
        if self.sketch.diagrams.contains_key(&node) {
            Size::new(card.along.max(BOARD), CARD_HEIGHT + BOARD_GAP + BOARD)
        } else {
            card
        }
    }

    /// The kind of the card of an item.
    fn card_kind(&self, content: Content) -> CardKind {
        match content {
            Content::Fold { .. } => CardKind::Fold,
            Content::Node(node) => {
                let mover = self.sketch.mover(node);
                mover.map_or(CardKind::Start, CardKind::Move)
            }
        }
    }

    fn lines_through(&self, content: Content) -> u32 {
        match content {
            Content::Node(node) => self.sketch.lines.through(node),
            Content::Fold { lines, .. } => lines,
        }
    }

    fn is_highlighted(&self, content: Content) -> bool {
        matches!(content, Content::Node(node) if self.is_marked(node))
    }

    fn words(&self, card: &Card) -> Option<Mark> {
        let (text, ink, bold, note) = match card.content {
            Content::Fold { .. } => (fold_label(card.content), Ink::OnFold, false, None),
            Content::Node(node) => {
                let ink = match self.sketch.mover(node)? {
                    Color::White => Ink::OnWhiteCard,
                    Color::Black => Ink::OnBlackCard,
                };
                let label = self.sketch.label(node).to_owned();
                (label, ink, card.is_mainline, self.note(node))
            }
        };
        Some(Mark::Words(Words {
            x: card.x + card.width / 2.0,
            y: card.y + card.height / 2.0 + LABEL * 0.36,
            anchor: Anchor::Middle,
            size: LABEL,
            bold,
            ink,
            text,
            note,
        }))
    }

    /// The tooltip of a card.
    fn note(&self, node: NodeId) -> Option<String> {
        self.sketch.notes.get(&node).cloned()
    }

    fn board(&self, placed: &Placed) -> Option<Vec<Mark>> {
        let Content::Node(node) = placed.content else {
            return None;
        };
        let diagram = self.sketch.diagrams.get(&node)?;
        let (x, y) = origin(placed);
        let top = y - placed.size.across / 2.0;
        let place = BoardFrame {
            x: x + (placed.size.along - BOARD) / 2.0,
            y: top + CARD_HEIGHT + BOARD_GAP,
            square: SQUARE,
            flipped: self.options.flipped,
        };
        Some(board_marks(diagram, place))
    }
}

/// A tree with the place of each item. Its marks are made when they are needed, so that a picture of
/// millions of moves fits into memory.
pub struct TreePicture<'a> {
    branches: &'a Branches<'a>,
    places: Arrangement<'a>,
    head: Vec<Mark>,
    legend: Vec<Mark>,
    /// The picture without its layers.
    frame: Scene,
}

impl TreePicture<'_> {
    /// The picture without its layers.
    pub fn frame(&self) -> &Scene {
        &self.frame
    }

    /// The picture with all its marks.
    pub fn scene(self) -> Scene {
        let layers = self.layers().into_iter().map(|layer| Layer {
            name: layer.name,
            marks: layer.marks.collect(),
        });
        let layers = layers.filter(|layer| !layer.marks.is_empty()).collect();
        Scene {
            layers,
            ..self.frame
        }
    }

    /// The layers, the lowest first; some may be empty.
    pub fn layers(&self) -> Vec<MarkStream<'_>> {
        let Scene { width, height, .. } = self.frame;
        let mut layers = vec![
            stream("paper", std::iter::once(paper(width, height))),
            stream("head", self.head.iter().cloned()),
            stream("branches", self.branch_marks()),
            stream("transpositions", self.arc_marks()),
        ];
        for (name, kind) in [
            ("start", CardKind::Start),
            ("white", CardKind::Move(Color::White)),
            ("black", CardKind::Move(Color::Black)),
            ("folds", CardKind::Fold),
        ] {
            let cards = move || self.cards().filter(move |&(_, of)| of == kind);
            let outlines = cards().map(|(index, _)| self.card(index).outline());
            let words = cards().filter_map(|(index, _)| self.branches.words(&self.card(index)));
            layers.push(stream(name, outlines.chain(words)));
        }
        let indices = || 0..self.branches.plan.len();
        layers.extend([
            stream(
                "comments",
                indices().filter_map(|index| self.comment_sign(index)),
            ),
            stream("ends", self.arc_ends()),
            stream("boards", self.boards()),
            stream("legend", self.legend.iter().cloned()),
        ]);
        layers
    }

    /// The index and the kind of each card.
    fn cards(&self) -> impl Iterator<Item = (usize, CardKind)> {
        let items = self.branches.plan.items().enumerate();
        items.map(|(index, item)| (index, self.branches.card_kind(item.content)))
    }

    /// The branches from each item to its children; thick ones below thin ones.
    fn branch_marks(&self) -> impl Iterator<Item = Mark> {
        let lines = |index: u32| {
            let item = self.branches.plan.item(index as usize);
            self.branches.lines_through(item.content)
        };
        let items = || (0..).zip(self.branches.plan.items()).skip(1);
        let off_mainline = move || items().filter(|(_, item)| !item.mainline);
        let thinnest_first = |mut indices: Vec<u32>| {
            indices.sort_by_key(|&index| Reverse(lines(index)));
            indices
        };
        // Most branches belong to a single line: those need no sorting.
        let of_many = off_mainline().filter(move |&(index, _)| lines(index) > 1);
        let of_one = off_mainline().filter(move |&(index, _)| lines(index) <= 1);
        let mainline = items().filter(|(_, item)| item.mainline);
        let of_many = thinnest_first(of_many.map(|(index, _)| index).collect());
        let mainline = thinnest_first(mainline.map(|(index, _)| index).collect());
        let returns: FxHashMap<usize, &Vec<Point>> = { self.places.returns().iter() }
            .map(|(item, polyline)| (*item, polyline))
            .collect();
        let indices = of_many.into_iter().chain(of_one.map(|(index, _)| index));
        { indices.chain(mainline) }
            .filter_map(move |index| self.branch_mark(index as usize, lines(index), &returns))
    }

    fn branch_mark(
        &self,
        index: usize,
        lines: u32,
        returns: &FxHashMap<usize, &Vec<Point>>,
    ) -> Option<Mark> {
        let placed = self.places.item(index);
        let parent = self.places.item(placed.parent?);
        let is_mainline = self.branches.plan.item(index).mainline;
        let ink = if is_mainline {
            Ink::Mainline
        } else {
            Ink::Branch
        };
        let width = thickness(lines);
        let (steps, width) = match returns.get(&index) {
            Some(polyline) => (rounded(polyline), width.min(WIDEST_RETURN)),
            None => (branch(&parent, &placed), width),
        };
        Some(Mark::Shape(Shape::Path(steps), Look::line(ink, width)))
    }

    /// The first item of each arc, and the arc.
    fn arcs(&self) -> impl Iterator<Item = (u32, &Vec<Point>)> {
        let ends = self.branches.arcs.iter().map(|&(from, _)| from);
        ends.zip(self.places.arcs())
    }

    fn arc_marks(&self) -> impl Iterator<Item = Mark> {
        self.arcs().map(|(from, polyline)| {
            let style = self.branches.arc_style(from);
            let look = Look::line(style.ink, 1.5).dashed(style.dash);
            Mark::Shape(Shape::Path(rounded(polyline)), look)
        })
    }

    /// Dots where arcs join their cards.
    fn arc_ends(&self) -> impl Iterator<Item = Mark> {
        self.arcs().flat_map(move |(from, polyline)| {
            let ends = polyline.first().into_iter().chain(polyline.last());
            ends.map(move |&(x, y)| {
                let shape = Shape::Circle {
                    x: x + MARGIN - 1.0,
                    y: y + MARGIN + HEAD,
                    radius: 2.4,
                };
                Mark::Shape(shape, Look::filled(self.branches.arc_style(from).ink))
            })
        })
    }

    fn card(&self, index: usize) -> Card {
        let placed = self.places.item(index);
        let (x, y) = origin(&placed);
        let top = y - placed.size.across / 2.0;
        let with_board = matches!(placed.content, Content::Node(node)
            if self.branches.sketch.diagrams.contains_key(&node));
        let style = self.branches.arc_styles.get(&(index as u32));
        Card {
            kind: self.branches.card_kind(placed.content),
            content: placed.content,
            is_mainline: self.branches.plan.item(index).mainline,
            edge: match (self.branches.is_highlighted(placed.content), style) {
                (true, _) => (Ink::Marked, 3.2),
                (false, Some(style)) => (style.ink, 1.8),
                (false, None) => (Ink::CardEdge, 1.0),
            },
            x,
            y: top,
            width: placed.size.along,
            height: if with_board {
                CARD_HEIGHT
            } else {
                placed.size.across
            },
        }
    }

    /// A dot at the corner of a card whose move has a comment.
    fn comment_sign(&self, index: usize) -> Option<Mark> {
        let Content::Node(node) = self.branches.plan.item(index).content else {
            return None;
        };
        self.branches.sketch.notes.get(&node)?;
        let card = self.card(index);
        let dot = Shape::Circle {
            x: card.x + card.width - 3.0,
            y: card.y + 2.0,
            radius: 2.6,
        };
        Some(Mark::Shape(dot, Look::filled(Ink::Comment)))
    }

    fn boards(&self) -> impl Iterator<Item = Mark> {
        let boards = { self.places.items() }.filter_map(|placed| self.branches.board(&placed));
        boards.flatten()
    }
}

/// The left edge of an item, and the middle of its height.
fn origin(placed: &Placed) -> (f64, f64) {
    (placed.along + MARGIN, placed.across + MARGIN + HEAD)
}

fn stream<'a>(name: &'static str, marks: impl Iterator<Item = Mark> + 'a) -> MarkStream<'a> {
    MarkStream {
        name,
        marks: Box::new(marks),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CardKind {
    Start,
    Move(Color),
    Fold,
}

/// The shape behind a move or a fold label.
struct Card {
    kind: CardKind,
    content: Content,
    is_mainline: bool,
    edge: (Ink, f64),
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

impl Card {
    fn outline(&self) -> Mark {
        let fill = match self.kind {
            CardKind::Start => Ink::Mainline,
            CardKind::Move(Color::White) => Ink::WhiteCard,
            CardKind::Move(Color::Black) => Ink::BlackCard,
            CardKind::Fold => Ink::Fold,
        };
        let look = Look {
            fill: Some(fill),
            line: Some(self.edge),
            ..Look::default()
        };
        let round = match self.kind {
            CardKind::Fold => 3.0,
            _ => self.height / 2.0,
        };
        let rect = Shape::Rect {
            x: self.x,
            y: self.y,
            width: self.width,
            height: self.height,
            round,
        };
        Mark::Shape(rect, look)
    }
}

/// `+12` moves, and the number of lines if there are several.
pub fn fold_label(content: Content) -> String {
    match content {
        Content::Fold { nodes, lines: 1 } => format!("+{nodes}"),
        Content::Fold { nodes, lines } => format!("+{nodes} in {lines} lines"),
        Content::Node(_) => String::new(),
    }
}

/// Branch width for a number of lines: it grows with the logarithm.
pub fn thickness(lines: u32) -> f64 {
    1.2 + 0.8 * f64::from(lines.max(1)).log2()
}

/// From an item to a child: straight, or down and around a bend.
fn branch(parent: &Placed, child: &Placed) -> Vec<PathStep> {
    let ((x1, y1), (x2, y2)) = (origin(parent), origin(child));
    let start = x1 + parent.size.along;
    let rise = y2 - y1;
    if rise.abs() < 0.01 {
        return vec![PathStep::Move(start, y1), PathStep::Line(x2, y2)];
    }
    let trunk = x2 - TRUNK;
    let bend = BEND.min(rise.abs() / 2.0);
    let down = bend * rise.signum();
    vec![
        PathStep::Move(start, y1),
        PathStep::Line(trunk - bend, y1),
        PathStep::Curve(trunk, y1, trunk, y1, trunk, y1 + down),
        PathStep::Line(trunk, y2 - down),
        PathStep::Curve(trunk, y2, trunk, y2, trunk + bend, y2),
        PathStep::Line(x2, y2),
    ]
}

/// A polyline with rounded corners.
fn rounded(polyline: &[Point]) -> Vec<PathStep> {
    let points: Vec<Point> = polyline
        .iter()
        .map(|&(x, y)| (x + MARGIN, y + MARGIN + HEAD))
        .collect();
    let mut steps: Vec<PathStep> = points
        .first()
        .map(|&(x, y)| PathStep::Move(x, y))
        .into_iter()
        .collect();
    for corner in points.windows(3) {
        let [before, at, after] = [corner[0], corner[1], corner[2]];
        let radius = CORNER
            .min(distance(before, at) / 2.0)
            .min(distance(at, after) / 2.0);
        let ((x1, y1), (x2, y2)) = (towards(at, before, radius), towards(at, after, radius));
        steps.push(PathStep::Line(x1, y1));
        steps.push(PathStep::Curve(at.0, at.1, at.0, at.1, x2, y2));
    }
    steps.extend(points.last().map(|&(x, y)| PathStep::Line(x, y)));
    steps
}

fn distance(a: Point, b: Point) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

/// The point between `a` and `b` at a distance from `a`.
fn towards(a: Point, b: Point, length: f64) -> Point {
    let whole = distance(a, b);
    if whole == 0.0 {
        return a;
    }
    let part = length / whole;
    (a.0 + (b.0 - a.0) * part, a.1 + (b.1 - a.1) * part)
}

/// A text of at most this width, as a title.
fn fitted(text: &str, width: f64) -> String {
    let mut length = text.chars().count();
    let mut short = text.to_owned();
    while length > 1 && font::width(&short, TITLE, true) > width {
        length -= 1;
        short = shortened(text, length);
    }
    short
}

/// The style of an arc.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArcStyle {
    /// Its colour.
    pub ink: Ink,
    /// Its dashes.
    pub dash: Dash,
}

impl Default for ArcStyle {
    fn default() -> ArcStyle {
        ArcStyle::numbered(0)
    }
}

impl ArcStyle {
    /// A solid line in each colour, then dashed ones, then dotted ones.
    fn numbered(number: usize) -> ArcStyle {
        let inks = usize::from(ARC_INKS);
        ArcStyle {
            ink: Ink::Transposition((number % inks) as u8),
            dash: [Dash::Solid, Dash::Dashed, Dash::Dotted][number / inks % 3],
        }
    }
}

/// The styles of the items with arcs: a different one for each position in turn.
fn arc_styles(arcs: &[(u32, u32)]) -> FxHashMap<u32, ArcStyle> {
    let mut styles = FxHashMap::default();
    let mut positions = 0;
    for &(from, to) in arcs {
        let style = *styles.entry(from).or_insert_with(|| {
            positions += 1;
            ArcStyle::numbered(positions - 1)
        });
        styles.insert(to, style);
    }
    styles
}

#[cfg(test)]
mod tests;
