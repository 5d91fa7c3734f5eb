//! A tree as a picture: cards with moves on straight lines, thick where many lines pass.

use chess::Color;
use chess::pgn::Game;
use tree::NodeId;
use tree::layout::{Item, Options, Picture, Placed, Plan, Size, What};

use super::board::{Diagram, Place, board_marks, paper};
use super::ink::Ink;
use super::pieces::stamps;
use super::scene::{Anchor, Layer, Look, Mark, Scene, Shape, Step, Words};
use super::sketch::{Sketch, shortened};
use super::{TreeWish, font, plan};

const LABEL: f64 = 12.0;
const CARD_HEIGHT: f64 = 20.0;
const CARD_PAD: f64 = 6.0;
const GAP_ALONG: f64 = 20.0;
const GAP_ACROSS: f64 = 6.0;
/// How far before a card the way down to it lies.
const TRUNK: f64 = 11.0;
const BEND: f64 = 7.0;
const START: f64 = 12.0;
const MARGIN: f64 = 24.0;
const TITLE: f64 = 18.0;
const SUBTITLE: f64 = 12.0;
/// The room for the words above.
const HEAD: f64 = 56.0;
const SQUARE: f64 = 18.0;
const BOARD: f64 = 8.0 * SQUARE;
const BOARD_GAP: f64 = 4.0;
/// Of a longer title only the beginning is written.
const TITLE_LENGTH: usize = 120;
/// Of a longer comment only the beginning is told.
const NOTE_LENGTH: usize = 300;

/// What is shown of a sketch.
pub struct Branches<'a> {
    /// What is said and what stands on the board; none for other trees than those of games.
    game: Option<&'a Game>,
    sketch: &'a Sketch,
    wish: &'a TreeWish,
    plan: Plan,
    arcs: Vec<(usize, usize)>,
    /// The nodes that have a board, by index.
    has_board: Vec<bool>,
    /// The nodes that catch the eye, by index.
    is_marked: Vec<bool>,
    /// The items that an arc leads to or from.
    is_joined: Vec<bool>,
}

impl<'a> Branches<'a> {
    /// Chooses what to show.
    pub fn new(game: Option<&'a Game>, sketch: &'a Sketch, wish: &'a TreeWish) -> Branches<'a> {
        let boards = game.map_or_else(Vec::new, |game| boards(game, sketch, wish));
        let marked: Vec<NodeId> = sketch.find_all(&wish.marked);
        let plan = plan::plan(sketch, wish, &boards, &marked);
        let flags = |nodes: Vec<NodeId>| {
            let mut flags = vec![false; sketch.nodes.len()];
            nodes
                .into_iter()
                .for_each(|node| flags[node.index()] = true);
            flags
        };
        let (has_board, is_marked) = (flags(boards), flags(marked));
        let arcs = match wish.arcs {
            true => plan::arcs(sketch, &plan),
            false => Vec::new(),
        };
        let mut is_joined = vec![false; plan.items().len()];
        for &(from, to) in &arcs {
            is_joined[from] = true;
            is_joined[to] = true;
        }
        Branches {
            arcs,
            is_joined,
            game,
            sketch,
            wish,
            plan,
            has_board,
            is_marked,
        }
    }

    /// What is shown, and what is folded.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// True if a node is to catch the eye.
    pub fn is_marked(&self, node: NodeId) -> bool {
        self.is_marked[node.index()]
    }

    /// The pairs of items with the same position.
    pub fn arcs(&self) -> &[(usize, usize)] {
        &self.arcs
    }

    /// How many nodes are shown.
    pub fn shown(&self) -> usize {
        let is_node = |item: &&Item| matches!(item.what, What::Node(_));
        self.plan.items().iter().filter(is_node).count()
    }

    /// How much is shown, in words.
    pub fn subtitle(&self) -> String {
        let lines = self.sketch.lines.through(NodeId::ROOT);
        let moves = self.sketch.nodes.len() - 1;
        let shown = self.shown() - 1;
        let s = |count: usize| if count == 1 { "" } else { "s" };
        let all = format!(
            "{lines} line{}, {moves} move{}",
            s(lines as usize),
            s(moves)
        );
        let all = match shown == moves {
            true => all,
            false => format!("{all}, {shown} shown"),
        };
        match self.wish.marked.len() {
            0 => all,
            marked => format!("{all}, {marked} marked"),
        }
    }

    /// The picture.
    pub fn scene(&self) -> Scene {
        let options = Options {
            gap: Size::new(GAP_ALONG, GAP_ACROSS),
            ..Options::default()
        };
        let picture = self.plan.lay_out(options, |item| self.size(item));
        let title_width = font::width(&self.title(), TITLE, true);
        let inner =
            picture
                .size
                .along
                .max(title_width)
                .max(font::width(&self.subtitle(), SUBTITLE, false));
        let bows = self.arcs.iter();
        let reach = bows.map(|&(from, to)| arc_reach(&picture.items[from], &picture.items[to]));
        let width = reach.fold(inner + 2.0 * MARGIN, f64::max);
        let height = picture.size.across + HEAD + 2.0 * MARGIN;
        let has_boards = self.has_board.contains(&true);
        Scene {
            title: match self.wish.title.is_empty() {
                true => self.subtitle(),
                false => self.wish.title.clone(),
            },
            width,
            height,
            stamps: match has_boards {
                true => stamps(),
                false => Vec::new(),
            },
            layers: self.layers(&picture, width, height),
        }
    }

    fn layers(&self, picture: &Picture, width: f64, height: f64) -> Vec<Layer> {
        let items = picture.items.iter().enumerate();
        let cards: Vec<Card> = items.map(|(index, item)| self.card(index, item)).collect();
        let mut layers = vec![
            layer("paper", vec![paper(width, height)]),
            layer("head", self.head()),
            layer("branches", self.branch_marks(picture)),
            layer("transpositions", self.arc_marks(picture)),
        ];
        for (name, kind) in [
            ("start", Kind::Start),
            ("white", Kind::Move(Color::White)),
            ("black", Kind::Move(Color::Black)),
            ("folds", Kind::Fold),
        ] {
            let of_kind = || cards.iter().filter(|card| card.kind == kind);
            let words = of_kind().filter_map(|card| self.words(card));
            layers.push(layer(
                name,
                of_kind().map(Card::outline).chain(words).collect(),
            ));
        }
        let signs = cards.iter().filter_map(|card| self.comment_sign(card));
        layers.push(layer("comments", signs.collect()));
        let boards = picture.items.iter().filter_map(|placed| self.board(placed));
        layers.push(layer("boards", boards.flatten().collect()));
        layers.retain(|layer| !layer.marks.is_empty());
        layers
    }

    fn title(&self) -> String {
        shortened(&self.wish.title, TITLE_LENGTH)
    }

    fn head(&self) -> Vec<Mark> {
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
        let title = words(MARGIN + TITLE, TITLE, true, Ink::Text, self.title());
        let y = MARGIN + TITLE + SUBTITLE + 8.0;
        let subtitle = words(y, SUBTITLE, false, Ink::Faint, self.subtitle());
        match self.wish.title.is_empty() {
            true => vec![subtitle],
            false => vec![title, subtitle],
        }
    }

    /// How large an item is drawn.
    fn size(&self, item: &Item) -> Size {
        let What::Node(node) = item.what else {
            let label = fold_label(item.what);
            return Size::new(
                font::width(&label, LABEL, false) + 2.0 * CARD_PAD,
                CARD_HEIGHT,
            );
        };
        let label = self.sketch.node(node).label();
        let card = match label.is_empty() {
            true => Size::new(START, START),
            false => {
                let width = font::width(&label, LABEL, item.mainline) + 2.0 * CARD_PAD;
                Size::new(width, CARD_HEIGHT)
            }
        };
        match self.has_board[node.index()] {
            false => card,
            true => Size::new(card.along.max(BOARD), CARD_HEIGHT + BOARD_GAP + BOARD),
        }
    }

    /// The lines from each item to those that hang on it; thick ones below thin ones.
    fn branch_marks(&self, picture: &Picture) -> Vec<Mark> {
        let mut branches: Vec<(bool, u32, usize)> = picture
            .items
            .iter()
            .zip(self.plan.items())
            .enumerate()
            .filter(|(_, (placed, _))| placed.parent.is_some())
            .map(|(index, (placed, item))| (item.mainline, self.lines_through(placed), index))
            .collect();
        branches
            .sort_by_key(|&(mainline, lines, index)| (mainline, std::cmp::Reverse(lines), index));
        let mark = |(mainline, lines, index): (bool, u32, usize)| {
            let placed = &picture.items[index];
            let parent = &picture.items[placed.parent?];
            let ink = match mainline {
                true => Ink::Mainline,
                false => Ink::Branch,
            };
            let look = Look::line(ink, thickness(lines));
            Some(Mark::Shape(Shape::Path(branch(parent, placed)), look))
        };
        branches.into_iter().filter_map(mark).collect()
    }

    fn lines_through(&self, placed: &Placed) -> u32 {
        match placed.what {
            What::Node(node) => self.sketch.lines.through(node),
            What::Fold { lines, .. } => lines,
        }
    }

    fn arc_marks(&self, picture: &Picture) -> Vec<Mark> {
        let mark = |&(from, to): &(usize, usize)| {
            let steps = arc(&picture.items[from], &picture.items[to]);
            Mark::Shape(Shape::Path(steps), Look::line(Ink::Transposition, 1.5))
        };
        self.arcs.iter().map(mark).collect()
    }

    fn card(&self, index: usize, placed: &Placed) -> Card {
        let (x, y) = origin(placed);
        let top = y - placed.size.across / 2.0;
        let (kind, with_board) = match placed.what {
            What::Fold { .. } => (Kind::Fold, false),
            What::Node(node) => {
                let drawn = self.sketch.node(node);
                let kind = drawn.mover.map_or(Kind::Start, Kind::Move);
                (kind, self.has_board[node.index()])
            }
        };
        Card {
            kind,
            what: placed.what,
            edge: match (self.catches_the_eye(placed.what), self.is_joined[index]) {
                (true, _) => (Ink::Marked, 3.2),
                (false, true) => (Ink::Transposition, 1.6),
                (false, false) => (Ink::CardEdge, 1.0),
            },
            x,
            y: top,
            width: placed.size.along,
            height: match with_board {
                true => CARD_HEIGHT,
                false => placed.size.across,
            },
        }
    }

    fn catches_the_eye(&self, what: What) -> bool {
        matches!(what, What::Node(node) if self.is_marked(node))
    }

    fn words(&self, card: &Card) -> Option<Mark> {
        let (text, ink, bold, note) = match card.what {
            What::Fold { .. } => (fold_label(card.what), Ink::OnFold, false, None),
            What::Node(node) => {
                let drawn = self.sketch.node(node);
                let ink = match drawn.mover? {
                    Color::White => Ink::OnWhiteCard,
                    Color::Black => Ink::OnBlackCard,
                };
                let bold = self.sketch.tree.is_mainline(node);
                (drawn.label(), ink, bold, self.note(node))
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

    /// The beginning of what is said about a move.
    fn note(&self, node: NodeId) -> Option<String> {
        let source = self.sketch.node(node).source;
        let game = self.game?;
        game.comments_at(source).next()?;
        let prose = game.node(source).prose();
        (!prose.is_empty()).then(|| shortened(&prose, NOTE_LENGTH))
    }

    /// A dot at the corner of a card whose move has a comment.
    fn comment_sign(&self, card: &Card) -> Option<Mark> {
        let What::Node(node) = card.what else {
            return None;
        };
        self.note(node)?;
        let dot = Shape::Circle {
            x: card.x + card.width - 3.0,
            y: card.y + 2.0,
            radius: 2.6,
        };
        Some(Mark::Shape(dot, Look::filled(Ink::Comment)))
    }

    fn board(&self, placed: &Placed) -> Option<Vec<Mark>> {
        let What::Node(node) = placed.what else {
            return None;
        };
        if !self.has_board[node.index()] {
            return None;
        }
        let diagram = Diagram::of(self.game?, self.sketch.node(node).source);
        let (x, y) = origin(placed);
        let top = y - placed.size.across / 2.0;
        let place = Place {
            x: x + (placed.size.along - BOARD) / 2.0,
            y: top + CARD_HEIGHT + BOARD_GAP,
            square: SQUARE,
            flipped: self.wish.flipped,
        };
        Some(board_marks(&diagram, place))
    }
}

/// The nodes that are to be shown with a board.
fn boards(game: &Game, sketch: &Sketch, wish: &TreeWish) -> Vec<NodeId> {
    let mut boards = sketch.find_all(&wish.boards);
    if wish.diagrams {
        let marked = |source: NodeId| game.nags_at(source).any(|nag| matches!(nag, 220 | 221));
        let nodes = (0..).map(NodeId).zip(&sketch.nodes);
        boards.extend(
            nodes
                .filter(|(_, node)| marked(node.source))
                .map(|(id, _)| id),
        );
    }
    boards
}

/// Where an item begins, and the middle of its height.
fn origin(placed: &Placed) -> (f64, f64) {
    (placed.along + MARGIN, placed.across + MARGIN + HEAD)
}

fn layer(name: &'static str, marks: Vec<Mark>) -> Layer {
    Layer { name, marks }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Start,
    Move(Color),
    Fold,
}

/// What a move or a fold mark is written on.
struct Card {
    kind: Kind,
    what: What,
    edge: (Ink, f64),
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

impl Card {
    fn outline(&self) -> Mark {
        let fill = match self.kind {
            Kind::Start => Ink::Mainline,
            Kind::Move(Color::White) => Ink::WhiteCard,
            Kind::Move(Color::Black) => Ink::BlackCard,
            Kind::Fold => Ink::Fold,
        };
        let look = Look {
            fill: Some(fill),
            line: Some(self.edge),
        };
        let round = match self.kind {
            Kind::Fold => 3.0,
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

/// `+12` moves, and how many lines they form if there are several.
pub fn fold_label(what: What) -> String {
    match what {
        What::Fold { nodes, lines: 1 } => format!("+{nodes}"),
        What::Fold { nodes, lines } => format!("+{nodes} in {lines} lines"),
        What::Node(_) => String::new(),
    }
}

/// Twice the lines are a little thicker.
pub fn thickness(lines: u32) -> f64 {
    1.2 + 0.8 * f64::from(lines.max(1)).log2()
}

/// From an item to one that hangs on it: straight on, or down and round a bend.
fn branch(parent: &Placed, child: &Placed) -> Vec<Step> {
    let ((x1, y1), (x2, y2)) = (origin(parent), origin(child));
    let start = x1 + parent.size.along;
    let rise = y2 - y1;
    if rise.abs() < 0.01 {
        return vec![Step::Move(start, y1), Step::Line(x2, y2)];
    }
    let trunk = x2 - TRUNK;
    let bend = BEND.min(rise.abs() / 2.0);
    let down = bend * rise.signum();
    vec![
        Step::Move(start, y1),
        Step::Line(trunk - bend, y1),
        Step::Curve(trunk, y1, trunk, y1, trunk, y1 + down),
        Step::Line(trunk, y2 - down),
        Step::Curve(trunk, y2, trunk, y2, trunk + bend, y2),
        Step::Line(x2, y2),
    ]
}

/// How far to the right a bow goes, with some paper beside it.
fn arc_reach(from: &Placed, to: &Placed) -> f64 {
    let right = |step: &Step| match *step {
        Step::Move(x, _) | Step::Line(x, _) => x,
        Step::Curve(x1, _, x2, _, x, _) => x1.max(x2).max(x),
        Step::Close => 0.0,
    };
    arc(from, to).iter().map(right).fold(0.0, f64::max)
}

/// A bow from one card to another that is the same position.
fn arc(from: &Placed, to: &Placed) -> Vec<Step> {
    let ((x1, y1), (x2, y2)) = (origin(from), origin(to));
    let (x1, x2) = (x1 + from.size.along, x2 + to.size.along);
    let rise = (y2 - y1).abs();
    let bulge = (rise * 0.15).clamp(16.0, 140.0);
    match rise < 0.01 {
        // Both on one line: over what lies between.
        true => vec![
            Step::Move(x1, y1),
            Step::Curve(x1, y1 - 2.0 * bulge, x2, y2 - 2.0 * bulge, x2, y2),
        ],
        false => {
            let far = x1.max(x2) + bulge;
            vec![Step::Move(x1, y1), Step::Curve(far, y1, far, y2, x2, y2)]
        }
    }
}
