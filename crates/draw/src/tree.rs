//! A tree as a picture: cards with moves, joined by branches whose width shows the number of lines.

use gametree_tree::NodeId;
use gametree_tree::layout::{Content, Item, Options, Picture, Placed, Plan, Size};

use crate::board::{BoardFrame, board_marks, paper};
use crate::diagram::Color;
use crate::ink::Ink;
use crate::pieces::stamps;
use crate::scene::{Anchor, Layer, Look, Mark, PathStep, Scene, Shape, Words};
use crate::sketch::Sketch;
use crate::text::shortened;
use crate::{TreeOptions, font, plan};

const LABEL: f64 = 12.0;
const CARD_HEIGHT: f64 = 20.0;
const CARD_PAD: f64 = 6.0;
const GAP_ALONG: f64 = 20.0;
const GAP_ACROSS: f64 = 6.0;
/// Distance of the vertical part of a branch from its card.
const TRUNK: f64 = 11.0;
const BEND: f64 = 7.0;
const START: f64 = 12.0;
const MARGIN: f64 = 24.0;
const TITLE: f64 = 18.0;
const SUBTITLE: f64 = 12.0;
/// Height of the title and subtitle.
const HEAD: f64 = 56.0;
const SQUARE: f64 = 18.0;
const BOARD: f64 = 8.0 * SQUARE;
const BOARD_GAP: f64 = 4.0;
/// Longer titles are shortened.
const TITLE_LENGTH: usize = 120;

/// The visible part of a sketch.
pub struct Branches<'a> {
    sketch: &'a Sketch,
    options: &'a TreeOptions,
    plan: Plan,
    arcs: Vec<(usize, usize)>,
    /// The nodes that have a board, by index.
    has_board: Vec<bool>,
    /// The highlighted nodes, by index.
    is_marked: Vec<bool>,
    /// Items with an arc.
    is_joined: Vec<bool>,
}

impl<'a> Branches<'a> {
    /// Selects the visible nodes.
    pub fn new(sketch: &'a Sketch, options: &'a TreeOptions) -> Branches<'a> {
        let mut boards: Vec<NodeId> = sketch.diagrams.keys().copied().collect();
        boards.sort_unstable();
        let marked = sketch.find_all(&options.marked);
        let plan = plan::plan(sketch, options, &boards, &marked);
        let flags = |nodes: Vec<NodeId>| {
            let mut flags = vec![false; sketch.nodes.len()];
            nodes
                .into_iter()
                .for_each(|node| flags[node.index()] = true);
            flags
        };
        let (has_board, is_marked) = (flags(boards), flags(marked));
        let arcs = if options.arcs {
            plan::arcs(sketch, &plan)
        } else {
            Vec::new()
        };
        let mut is_joined = vec![false; plan.items().len()];
        for &(from, to) in &arcs {
            is_joined[from] = true;
            is_joined[to] = true;
        }
        Branches {
            arcs,
            is_joined,
            sketch,
            options,
            plan,
            has_board,
            is_marked,
        }
    }

    /// The visible and the folded items.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// True if a node is highlighted.
    pub fn is_marked(&self, node: NodeId) -> bool {
        self.is_marked[node.index()]
    }

    /// Pairs of items with the same position.
    pub fn arcs(&self) -> &[(usize, usize)] {
        &self.arcs
    }

    /// Number of visible nodes.
    pub fn shown(&self) -> usize {
        let is_node = |item: &&Item| matches!(item.content, Content::Node(_));
        self.plan.items().iter().filter(is_node).count()
    }

    /// The size of the tree and of the visible part, as text.
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

    /// The picture.
    pub fn scene(&self) -> Scene {
        let options = Options::default().gap(Size::new(GAP_ALONG, GAP_ACROSS));
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
            title: if self.options.title.is_empty() {
                self.subtitle()
            } else {
                self.options.title.clone()
            },
            width,
            height,
            stamps: if has_boards { stamps() } else { Vec::new() },
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
            ("start", CardKind::Start),
            ("white", CardKind::Move(Color::White)),
            ("black", CardKind::Move(Color::Black)),
            ("folds", CardKind::Fold),
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
        shortened(&self.options.title, TITLE_LENGTH)
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
        if self.options.title.is_empty() {
            vec![subtitle]
        } else {
            vec![title, subtitle]
        }
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
        let label = self.sketch.node(node).label();
        let card = if label.is_empty() {
            Size::new(START, START)
        } else {
            let width = font::width(&label, LABEL, item.mainline) + 2.0 * CARD_PAD;
            Size::new(width, CARD_HEIGHT)
        };
        if self.has_board[node.index()] {
            Size::new(card.along.max(BOARD), CARD_HEIGHT + BOARD_GAP + BOARD)
        } else {
            card
        }
    }

    /// The branches from each item to its children; thick ones below thin ones.
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
            let ink = if mainline { Ink::Mainline } else { Ink::Branch };
            let look = Look::line(ink, thickness(lines));
            Some(Mark::Shape(Shape::Path(branch(parent, placed)), look))
        };
        branches.into_iter().filter_map(mark).collect()
    }

    fn lines_through(&self, placed: &Placed) -> u32 {
        match placed.content {
            Content::Node(node) => self.sketch.lines.through(node),
            Content::Fold { lines, .. } => lines,
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
        let (kind, with_board) = match placed.content {
            Content::Fold { .. } => (CardKind::Fold, false),
            Content::Node(node) => {
                let drawn = self.sketch.node(node);
                let kind = drawn.mover.map_or(CardKind::Start, CardKind::Move);
                (kind, self.has_board[node.index()])
            }
        };
        Card {
            kind,
            content: placed.content,
            edge: match (self.is_highlighted(placed.content), self.is_joined[index]) {
                (true, _) => (Ink::Marked, 3.2),
                (false, true) => (Ink::Transposition, 1.6),
                (false, false) => (Ink::CardEdge, 1.0),
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

    fn is_highlighted(&self, content: Content) -> bool {
        matches!(content, Content::Node(node) if self.is_marked(node))
    }

    fn words(&self, card: &Card) -> Option<Mark> {
        let (text, ink, bold, note) = match card.content {
            Content::Fold { .. } => (fold_label(card.content), Ink::OnFold, false, None),
            Content::Node(node) => {
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

    /// The tooltip of a card.
    fn note(&self, node: NodeId) -> Option<String> {
        self.sketch.notes.get(&node).cloned()
    }

    /// A dot at the corner of a card whose move has a comment.
    fn comment_sign(&self, card: &Card) -> Option<Mark> {
        let Content::Node(node) = card.content else {
            return None;
        };
        self.sketch.notes.get(&node)?;
        let dot = Shape::Circle {
            x: card.x + card.width - 3.0,
            y: card.y + 2.0,
            radius: 2.6,
        };
        Some(Mark::Shape(dot, Look::filled(Ink::Comment)))
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

/// The left edge of an item, and the middle of its height.
fn origin(placed: &Placed) -> (f64, f64) {
    (placed.along + MARGIN, placed.across + MARGIN + HEAD)
}

fn layer(name: &'static str, marks: Vec<Mark>) -> Layer {
    Layer { name, marks }
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

/// The rightmost coordinate of an arc.
fn arc_reach(from: &Placed, to: &Placed) -> f64 {
    let right = |step: &PathStep| match *step {
        PathStep::Move(x, _) | PathStep::Line(x, _) => x,
        PathStep::Curve(x1, _, x2, _, x, _) => x1.max(x2).max(x),
        PathStep::Close => 0.0,
    };
    arc(from, to).iter().map(right).fold(0.0, f64::max)
}

/// An arc between two cards with the same position.
fn arc(from: &Placed, to: &Placed) -> Vec<PathStep> {
    let ((x1, y1), (x2, y2)) = (origin(from), origin(to));
    let (x1, x2) = (x1 + from.size.along, x2 + to.size.along);
    let rise = (y2 - y1).abs();
    let bulge = (rise * 0.15).clamp(16.0, 140.0);
    if rise < 0.01 {
        // Both on one line: above the cards between them.
        return vec![
            PathStep::Move(x1, y1),
            PathStep::Curve(x1, y1 - 2.0 * bulge, x2, y2 - 2.0 * bulge, x2, y2),
        ];
    }
    let far = x1.max(x2) + bulge;
    vec![
        PathStep::Move(x1, y1),
        PathStep::Curve(far, y1, far, y2, x2, y2),
    ]
}
