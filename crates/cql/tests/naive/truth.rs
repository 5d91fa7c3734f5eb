//! The value of a query at each position, computed anew every time.

use crate::query::*;
use crate::turn::variants;
use gametree_chess::{Board, Color, Square};
use std::cell::Cell;

/// A game as a list of positions in preorder.
pub struct Game {
    nodes: Vec<Node>,
    /// Steps of lines and paths so far.
    walks: Cell<u64>,
}

/// Lists the positions from a start at which a filter holds, each with its possible successors.
type Test<'t> = &'t mut dyn FnMut(&Condition, usize) -> Vec<(usize, Vec<usize>)>;

/// Exhaustive search takes too long for some queries; they are skipped.
const LIMIT: u64 = 200_000;

struct Node {
    board: Board,
    /// Letters of the pieces by square, `_` for none.
    squares: [char; 64],
    parent: Option<usize>,
    children: Vec<usize>,
    /// Its index among its siblings.
    order: usize,
    /// The squares of the move to it: from, to (two pairs for castling), and the captured square.
    moved: Vec<(usize, usize)>,
    taken: Option<usize>,
    null: bool,
}

/// The position at which a filter is evaluated, and the positions of the echo around it.
#[derive(Clone, Copy)]
struct Spot {
    at: usize,
    source: usize,
    target: usize,
}

impl Game {
    pub fn new(game: &gametree_chess::pgn::Game) -> Game {
        let mut nodes: Vec<Node> = Vec::new();
        let order: Vec<_> = game.tree().preorder().collect();
        for &id in &order {
            let above = game.tree().parent(id);
            let parent = above.and_then(|above| order.iter().position(|&n| n == above));
            let mut node = Node::new(game.board_at(id));
            if let (Some(parent), Some(&mv)) = (parent, game.tree().move_to(id)) {
                node.parent = Some(parent);
                node.order = nodes[parent].children.len();
                node.null = mv.is_null();
                node.compare(&nodes[parent]);
                let id = nodes.len();
                nodes[parent].children.push(id);
            }
            nodes.push(node);
        }
        Game {
            nodes,
            walks: Cell::new(0),
        }
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The positions where the query holds; None if it takes too long.
    pub fn matches(&self, query: &Condition) -> Option<Vec<u32>> {
        let spot = |at| Spot {
            at,
            source: at,
            target: at,
        };
        let all = 0..self.nodes.len();
        let found = all.filter(|&at| self.holds(query, spot(at)));
        let found = found.map(|at| at as u32).collect();
        (self.walks.get() <= LIMIT).then_some(found)
    }

    fn holds(&self, c: &Condition, spot: Spot) -> bool {
        let node = &self.nodes[spot.at];
        match c {
            Condition::Some(set) => self.set(set, spot) != [false; 64],
            Condition::Is(place) => self.place(place, spot).is_some(),
            Condition::Check => node.is_check(),
            Condition::Mate => node.is_check() && node.board.legal_moves().is_empty(),
            Condition::ToMove(white) => node.is_white() == *white,
            Condition::Initial => node.parent.is_none(),
            Condition::Terminal => node.children.is_empty(),
            Condition::Mainline => self.depth(spot.at) == 0,
            Condition::Secondary => node.order > 0,
            Condition::Compare(a, order, b) => match (self.number(a, spot), self.number(b, spot)) {
                (Some(a), Some(b)) => match order {
                    Order::Less => a < b,
                    Order::LessEqual => a <= b,
                    Order::Equal => a == b,
                    Order::Unequal => a != b,
                },
                _ => false,
            },
            Condition::Related(a, order, b) => match (self.place(a, spot), self.place(b, spot)) {
                (Some(a), Some(b)) => match order {
                    Order::Less => a != b && self.line_to(b).contains(&a),
                    Order::LessEqual => self.line_to(b).contains(&a),
                    Order::Equal => a == b,
                    Order::Unequal => a != b,
                },
                _ => false,
            },
            Condition::Or(a, b) => self.holds(a, spot) || self.holds(b, spot),
            Condition::And(a, b) => self.holds(a, spot) && self.holds(b, spot),
            Condition::Not(a) => !self.holds(a, spot),
            Condition::If(a, b, c) => self.holds(if self.holds(a, spot) { b } else { c }, spot),
            Condition::At(place, c) => self
                .place(place, spot)
                .is_some_and(|at| self.holds(c, Spot { at, ..spot })),
            Condition::FindBack(low, high, c) => {
                let line = self.line_to(spot.at).into_iter();
                let found = line
                    .filter(|&at| self.holds(c, Spot { at, ..spot }))
                    .count() as i64;
                (*low..=*high).contains(&found)
            }
            Condition::Line(line) => self.line(line, spot).is_some(),
            Condition::Path(path) => self.path(path, spot).is_some(),
            Condition::Transform(family, c) => {
                variants(*family, c).iter().any(|v| self.holds(v, spot))
            }
            Condition::Echo(c) => (0..self.len()).any(|at| {
                let (source, target) = (spot.at, at);
                at != source && self.holds(c, Spot { at, source, target })
            }),
            Condition::Dash(takes, a, b, c) => self.moves(*takes, a, b, c, spot) > 0,
        }
    }

    /// The number of matching moves from here.
    fn moves(&self, takes: bool, left: &Set, right: &Set, c: &Condition, spot: Spot) -> i64 {
        let (left, right) = (self.set(left, spot), self.set(right, spot));
        let children = self.nodes[spot.at].children.iter();
        let fitting = children.filter(|&&to| {
            let node = &self.nodes[to];
            let fits = if takes {
                node.taken
                    .is_some_and(|taken| right[taken] && left[node.moved[0].0])
            } else {
                node.moved.iter().any(|&(from, to)| left[from] && right[to])
            };
            fits && self.holds(c, Spot { at: to, ..spot })
        });
        fitting.count() as i64
    }

    fn depth(&self, at: usize) -> usize {
        let line = self.line_to(at).into_iter();
        line.filter(|&n| self.nodes[n].order > 0).count()
    }

    /// The position and all above it.
    fn line_to(&self, at: usize) -> Vec<usize> {
        std::iter::successors(Some(at), |&n| self.nodes[n].parent).collect()
    }

    fn below(&self, at: usize) -> Vec<usize> {
        let all = 0..self.len();
        all.filter(|&n| self.line_to(n).contains(&at)).collect()
    }

    fn place(&self, place: &Place, spot: Spot) -> Option<usize> {
        let node = &self.nodes[spot.at];
        match place {
            Place::Here => Some(spot.at),
            Place::Parent => node.parent,
            Place::Child(n) => node.children.get(*n as usize).copied(),
            Place::Start => Some(0),
            Place::Id(n) => Some(*n as usize).filter(|&n| n < self.len()),
            Place::Source => Some(spot.source),
            Place::Target => Some(spot.target),
            Place::Lca(a, b) => {
                let (a, b) = (self.place(a, spot)?, self.place(b, spot)?);
                let above = self.line_to(b);
                self.line_to(a).into_iter().find(|n| above.contains(n))
            }
            Place::At(a, b) => {
                let at = self.place(a, spot)?;
                self.place(b, Spot { at, ..spot })
            }
            Place::Find(c) => {
                let below = self.below(spot.at).into_iter();
                below
                    .into_iter()
                    .find(|&at| self.holds(c, Spot { at, ..spot }))
            }
            Place::LineEnd(line) => self.line(line, spot),
        }
    }

    fn number(&self, n: &Number, spot: Spot) -> Option<i64> {
        Some(match n {
            Number::Const(n) => *n,
            Number::Ply => self.line_to(spot.at).len() as i64 - 1,
            Number::Depth => self.depth(spot.at) as i64,
            Number::Id => spot.at as i64,
            Number::SideToMove => {
                if self.nodes[spot.at].is_white() {
                    1
                } else {
                    -1
                }
            }
            Number::Count(set) => {
                let set = self.set(set, spot);
                set.iter().filter(|&&s| s).count() as i64
            }
            Number::Sum(a, b) => self.number(a, spot)? + self.number(b, spot)?,
            Number::Ratio(a, b) => {
                let (a, b) = (self.number(a, spot)?, self.number(b, spot)?);
                a.checked_div(b)?
            }
            Number::At(place, n) => {
                let at = self.place(place, spot)?;
                self.number(n, Spot { at, ..spot })?
            }
            Number::Distance(a, b) => {
                let (a, b) = (self.place(a, spot)?, self.place(b, spot)?);
                let (a, b) = (self.line_to(a), self.line_to(b));
                let common = a.iter().filter(|n| b.contains(n)).count();
                (a.len() + b.len() - 2 * common) as i64
            }
            Number::FindAll(c) => {
                let below = self.below(spot.at).into_iter();
                let found = below
                    .filter(|&at| self.holds(c, Spot { at, ..spot }))
                    .count();
                (found > 0).then_some(found as i64)?
            }
            Number::Line(line) => {
                let end = self.line(line, spot)?;
                let ply = |n| self.line_to(n).len() as i64;
                let positions = (ply(end) - ply(spot.at)).abs() + 1;
                if line.single_color {
                    (positions + 1) / 2
                } else {
                    positions
                }
            }
            Number::Path(path) => {
                let end = self.path(path, spot)?;
                (self.line_to(end).len() - self.line_to(spot.at).len()) as i64
            }
            Number::Variants(family, c) => self.held(&variants(*family, c), spot),
            Number::Held(variants) => self.held(variants, spot),
            Number::Moves(a, b, c) => self.moves(false, a, b, c, spot),
        })
    }

    fn held(&self, variants: &[Condition], spot: Spot) -> i64 {
        variants.iter().filter(|v| self.holds(v, spot)).count() as i64
    }

    // --- lines and paths: exhaustive search ---

    /// The end of the longest line, the first of those in preorder.
    fn line(&self, line: &Sequence, spot: Spot) -> Option<usize> {
        let mut ends = Vec::new();
        let other = !self.nodes[spot.at].is_white();
        self.walk(
            &line.parts,
            &[spot.at],
            &mut |part, at| {
                let filter = |at: usize| self.holds(part, Spot { at, ..spot });
                let here = self.settle(line, other, at);
                here.into_iter()
                    .filter(|&at| filter(at))
                    .map(|at| (at, self.after(line, at)))
                    .collect()
            },
            None,
            &mut ends,
        );
        let length = |&at: &usize| self.line_to(at).len() as i64 * if line.back { -1 } else { 1 };
        let best = ends.iter().map(length).max()?;
        ends.sort_unstable();
        ends.into_iter().find(|at| length(at) == best)
    }

    /// The successors of a position in a line.
    fn after(&self, line: &Sequence, at: usize) -> Vec<usize> {
        let node = &self.nodes[at];
        match (line.back, line.primary) {
            (true, _) => node.parent.into_iter().collect(),
            (false, true) => node.children.iter().take(1).copied().collect(),
            (false, false) => node.children.clone(),
        }
    }

    /// In a single colour the other side's positions are skipped.
    fn settle(&self, line: &Sequence, other: bool, at: usize) -> Vec<usize> {
        if !line.single_color || self.nodes[at].is_white() != other {
            return vec![at];
        }
        let next = self.after(line, at).into_iter();
        next.flat_map(|at| self.settle(line, other, at)).collect()
    }

    /// Matches parts in order from any of these positions. `test` returns the positions at which a
    /// filter holds, each with its possible successors; an end is a position where the last filter
    /// held.
    fn walk(
        &self,
        parts: &[Part],
        from: &[usize],
        test: Test<'_>,
        last: Option<usize>,
        ends: &mut Vec<usize>,
    ) {
        self.walks.set(self.walks.get() + 1);
        if self.walks.get() > LIMIT {
            return;
        }
        let Some((first, rest)) = parts.split_first() else {
            ends.extend(last);
            return;
        };
        match first {
            Part::One(c) => {
                for &at in from {
                    for (here, next) in test(c, at) {
                        self.walk(rest, &next, test, Some(here), ends);
                    }
                }
            }
            Part::Chain(parts) => {
                let all: Vec<Part> = parts.iter().chain(rest).cloned().collect();
                self.walk(&all, from, test, last, ends);
            }
            Part::Repeat(of, low, high) => {
                if *low == 0 {
                    self.walk(rest, from, test, last, ends);
                }
                if *high > 0 {
                    let fewer = if *high == usize::MAX { *high } else { high - 1 };
                    let again = Part::Repeat(of.clone(), low.saturating_sub(1), fewer);
                    let mut all = vec![(**of).clone(), again];
                    all.extend_from_slice(rest);
                    self.walk(&all, from, test, last, ends);
                }
            }
        }
    }

    /// The end of the longest path, the first of those in preorder.
    fn path(&self, path: &Sequence, spot: Spot) -> Option<usize> {
        let mut ends = Vec::new();
        self.walk(
            &path.parts,
            &[spot.at],
            &mut |part, at| {
                let moves = self.after(path, at).into_iter();
                let held = moves.filter(|&at| self.holds(part, Spot { at, ..spot }));
                held.map(|at| (at, vec![at])).collect()
            },
            None,
            &mut ends,
        );
        let length = |at: &usize| self.line_to(*at).len();
        let best = ends.iter().map(length).max()?;
        ends.sort_unstable();
        ends.into_iter().find(|at| length(at) == best)
    }

    // --- sets ---

    fn set(&self, set: &Set, spot: Spot) -> [bool; 64] {
        let node = &self.nodes[spot.at];
        let both = |a: &Set, b: &Set| (self.set(a, spot), self.set(b, spot));
        match set {
            Set::Pieces(kinds, on) => squares(|s| {
                kinds.contains(node.squares[s]) && on.is_none_or(|(x, y)| s == (8 * y + x) as usize)
            }),
            Set::Empty => [false; 64],
            Set::Or(a, b) => {
                let (a, b) = both(a, b);
                squares(|s| a[s] || b[s])
            }
            Set::And(a, b) => {
                let (a, b) = both(a, b);
                squares(|s| a[s] && b[s])
            }
            Set::Not(a) => {
                let a = self.set(a, spot);
                squares(|s| !a[s])
            }
            Set::Attacks(a, b) => {
                let (a, b) = both(a, b);
                squares(|from| a[from] && (0..64).any(|to| b[to] && node.attacks(from, to)))
            }
            Set::Steps(directions, (low, high), of) => {
                let of = self.set(of, spot);
                squares(|to| {
                    directions.iter().any(|&(x, y)| {
                        (*low..=*high).any(|n| at(to, (-n * x, -n * y)).is_some_and(|s| of[s]))
                    })
                })
            }
            Set::Between(a, b) => {
                let (a, b) = both(a, b);
                squares(|s| {
                    DIRECTIONS.iter().any(|&(x, y)| {
                        (1..8).any(|n| at(s, (n * x, n * y)).is_some_and(|s| a[s]))
                            && (1..8).any(|n| at(s, (-n * x, -n * y)).is_some_and(|s| b[s]))
                    })
                })
            }
            Set::At(place, of) => match self.place(place, spot) {
                Some(at) => self.set(of, Spot { at, ..spot }),
                None => [false; 64],
            },
            Set::If(test, a, b) => self.set(if self.holds(test, spot) { a } else { b }, spot),
            Set::Alike(a, b) => match (self.place(a, spot), self.place(b, spot)) {
                (Some(a), Some(b)) => {
                    squares(|s| self.nodes[a].squares[s] == self.nodes[b].squares[s])
                }
                _ => [false; 64],
            },
        }
    }
}

const DIRECTIONS: [(i32, i32); 8] = [
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
];

fn squares(f: impl FnMut(usize) -> bool) -> [bool; 64] {
    std::array::from_fn(f)
}

/// The square this many files and ranks away.
fn at(square: usize, (x, y): (i32, i32)) -> Option<usize> {
    let (x, y) = (square as i32 % 8 + x, square as i32 / 8 + y);
    ((0..8).contains(&x) && (0..8).contains(&y)).then_some((8 * y + x) as usize)
}

impl Node {
    fn new(board: Board) -> Node {
        let letter = |s: usize| {
            let piece = board.piece_at(Square::new(s as u32));
            piece.map_or('_', |piece| piece.char())
        };
        Node {
            squares: std::array::from_fn(letter),
            board,
            parent: None,
            children: Vec::new(),
            order: 0,
            moved: Vec::new(),
            taken: None,
            null: false,
        }
    }

    fn is_white(&self) -> bool {
        self.board.turn() == Color::White
    }

    /// The effect of the move, from the squares that changed.
    fn compare(&mut self, before: &Node) {
        // a null move is a king move to its own square
        if self.null {
            let king = if before.is_white() { 'K' } else { 'k' };
            let kings = (0..64).filter(|&s| before.squares[s] == king);
            self.moved = kings.map(|s| (s, s)).collect();
            return;
        }
        let own = |c: char| c != '_' && c.is_uppercase() == before.is_white();
        let changed: Vec<usize> = (0..64)
            .filter(|&s| self.squares[s] != before.squares[s])
            .collect();
        let left: Vec<usize> = changed
            .iter()
            .copied()
            .filter(|&s| own(before.squares[s]))
            .collect();
        let reached: Vec<usize> = changed
            .iter()
            .copied()
            .filter(|&s| own(self.squares[s]))
            .collect();
        // castling: king to king's square, rook to rook's
        let king = |c: char| c.eq_ignore_ascii_case(&'k');
        for &from in &left {
            let to = reached.iter().find(|&&to| {
                left.len() == 1 || king(before.squares[from]) == king(self.squares[to])
            });
            self.moved.extend(to.map(|&to| (from, to)));
        }
        self.moved
            .sort_by_key(|&(from, _)| !king(before.squares[from]));
        let theirs = |&s: &usize| before.squares[s] != '_' && !own(before.squares[s]);
        self.taken = changed.into_iter().find(theirs);
    }

    fn is_check(&self) -> bool {
        let king = if self.is_white() { 'K' } else { 'k' };
        let theirs = |c: char| c != '_' && c.is_uppercase() != self.is_white();
        (0..64)
            .filter(|&s| self.squares[s] == king)
            .any(|to| (0..64).any(|from| theirs(self.squares[from]) && self.attacks(from, to)))
    }

    /// Whether the piece there could capture on the other square, if that held an enemy.
    fn attacks(&self, from: usize, to: usize) -> bool {
        let piece = self.squares[from];
        let (x, y) = (
            to as i32 % 8 - from as i32 % 8,
            to as i32 / 8 - from as i32 / 8,
        );
        let straight = x == 0 || y == 0;
        let diagonal = x.abs() == y.abs();
        if from == to {
            return false;
        }
        match piece.to_ascii_lowercase() {
            'k' => x.abs() <= 1 && y.abs() <= 1,
            'n' => x.abs() * y.abs() == 2,
            'p' => x.abs() == 1 && y == if piece == 'P' { 1 } else { -1 },
            'r' => straight && self.is_clear(from, to),
            'b' => diagonal && self.is_clear(from, to),
            'q' => (straight || diagonal) && self.is_clear(from, to),
            _ => false,
        }
    }

    /// True if the squares between two squares of one line are empty.
    fn is_clear(&self, from: usize, to: usize) -> bool {
        let (x, y) = (
            to as i32 % 8 - from as i32 % 8,
            to as i32 / 8 - from as i32 / 8,
        );
        let (dx, dy) = (x.signum(), y.signum());
        let steps = x.abs().max(y.abs());
        (1..steps).all(|n| at(from, (n * dx, n * dy)).is_some_and(|s| self.squares[s] == '_'))
    }
}
