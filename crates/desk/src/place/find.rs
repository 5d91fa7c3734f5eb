//! Resolving a place to a node.

use chess::{Board, Identity, Move, SanError};
use tree::table::{Column, label, label_index};
use tree::{NodeId, PositionId, View};

use super::{GameView, Half, Offered, Place, PlaceError, PlaceStep};

impl Place {
    /// The node of this place, with `from` as the current node.
    pub fn find(&self, game_view: GameView<'_>, from: NodeId) -> Result<NodeId, PlaceError> {
        match self {
            Place::Id(id) => by_id(game_view, *id),
            Place::Fen(fen) => by_fen(game_view, fen),
            Place::Steps(steps) => {
                let found = Resolver::new(game_view, from).steps(steps);
                if self.is_line() {
                    // Moves that do not fit here are played from the start.
                    found.or_else(|error| {
                        let from_start = Resolver::new(game_view, NodeId::ROOT).steps(steps);
                        from_start.map_err(|_| error)
                    })
                } else {
                    found
                }
            }
        }
    }
}

/// The legal move for a word on this board; lower-case piece letters are accepted.
pub fn read_move(board: &Board, word: &str) -> Result<Move, SanError> {
    let first = board.parse_san(word.as_bytes());
    let uci = || board.parse_uci(word.as_bytes()).ok();
    let capital = || board.parse_san(capitalised(word).as_bytes()).ok();
    first.or_else(|error| uci().or_else(capital).ok_or(error))
}

fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

fn by_id(game_view: GameView<'_>, id: PositionId) -> Result<NodeId, PlaceError> {
    let mut nodes = game_view.game.tree().preorder();
    nodes.nth(id.index()).ok_or_else(|| PlaceError::NoSuchId {
        id: id.0,
        last: game_view.game.tree().node_count() as u32 - 1,
    })
}

fn by_fen(game_view: GameView<'_>, fen: &str) -> Result<NodeId, PlaceError> {
    let variant = game_view.game.start().variant();
    let wanted = Board::from_fen(fen, variant).map_err(PlaceError::BadFen)?;
    let same = |board: &Board| match fen.split_whitespace().count() {
        1 => board.board_fen() == wanted.board_fen(),
        2 => board.turn() == wanted.turn() && board.board_fen() == wanted.board_fen(),
        3 => board.key(Identity::Base) == wanted.key(Identity::Base),
        _ => board.key(Identity::Strict) == wanted.key(Identity::Strict),
    };
    first_node(game_view, same).ok_or(PlaceError::PositionNotFound)
}

/// The first node in preorder whose position satisfies a condition.
fn first_node(game_view: GameView<'_>, wanted: impl Fn(&Board) -> bool) -> Option<NodeId> {
    // The boards of the path to the current node.
    let mut boards = vec![game_view.game.start().clone()];
    let mut path = vec![NodeId::ROOT];
    for node in game_view.game.tree().preorder() {
        if let (Some(parent), Some(&mv)) = (
            game_view.game.tree().parent(node),
            game_view.game.tree().move_to(node),
        ) {
            while path.last() != Some(&parent) {
                path.pop();
                boards.pop();
            }
            let mut board = boards.last()?.clone();
            board.play(mv);
            path.push(node);
            boards.push(board);
        }
        if boards.last().is_some_and(&wanted) {
            return Some(node);
        }
    }
    None
}

/// The current node during resolution; the displayed line follows each step.
struct Resolver<'a> {
    game_view: GameView<'a>,
    view: View,
    at: NodeId,
}

impl<'a> Resolver<'a> {
    fn new(game_view: GameView<'a>, from: NodeId) -> Resolver<'a> {
        let mut view = game_view.view.clone();
        view.show(game_view.game.tree(), from);
        Resolver {
            game_view,
            view,
            at: from,
        }
    }

    fn steps(mut self, steps: &[PlaceStep]) -> Result<NodeId, PlaceError> {
        for step in steps {
            self.at = self.step(step)?;
            self.view.show(self.game_view.game.tree(), self.at);
        }
        Ok(self.at)
    }

    fn step(&self, step: &PlaceStep) -> Result<NodeId, PlaceError> {
        match step {
            PlaceStep::Main(half) => self.main(*half),
            PlaceStep::Alternative(half, label) => self.alternative(*half, label),
            PlaceStep::At(half, word) => self.child(self.before(*half)?, word),
            PlaceStep::Move(word) => self.child(self.at, word),
        }
    }

    /// The nodes of the displayed line.
    fn line(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.view.line(self.game_view.game.tree(), NodeId::ROOT)
    }

    /// The number of moves before this half-move.
    fn ply(&self, half: Half) -> Option<usize> {
        let numbering = self.game_view.numbering();
        let offset = |column| u64::from(column == Column::Second);
        let count = |number, column| 2 * u64::from(number) + offset(column);
        let plies = count(half.number, half.column)
            .checked_sub(count(numbering.first_number, numbering.first_column))?;
        usize::try_from(plies).ok()
    }

    fn main(&self, half: Half) -> Result<NodeId, PlaceError> {
        let ply = self.ply(half);
        let node = ply.and_then(|ply| self.line().nth(ply + 1));
        node.ok_or_else(|| self.no_such_move(half))
    }

    /// The node before a half-move, which may be the end of the line.
    fn before(&self, half: Half) -> Result<NodeId, PlaceError> {
        let ply = self.ply(half);
        let node = ply.and_then(|ply| self.line().nth(ply));
        node.ok_or_else(|| self.no_such_move(half))
    }

    fn no_such_move(&self, half: Half) -> PlaceError {
        let numbering = self.game_view.numbering();
        let nth = |ply| {
            let (number, column) = numbering.of(ply);
            Half { number, column }
        };
        let moves = self.line().count() as u32 - 1;
        PlaceError::NoSuchMove {
            half,
            line: moves.checked_sub(1).map(|last| (nth(0), nth(last))),
        }
    }

    fn alternative(&self, half: Half, text: &str) -> Result<NodeId, PlaceError> {
        let tree = self.game_view.game.tree();
        let from = self.before(half)?;
        // A line that ends before this move has no alternatives to it either.
        self.main(half)?;
        let mut others = self.view.children(tree, from).skip(1);
        let found = label_index(text).and_then(|index| others.nth(index));
        found.map(|(_, node)| node).ok_or_else(|| {
            let board = self.game_view.game.board_at(from);
            let others = self.view.children(tree, from).skip(1);
            let named = others
                .enumerate()
                .map(|(index, (_, node))| format!("{} {}", label(index), self.san(&board, node)));
            PlaceError::NoSuchAlternative {
                half,
                label: text.to_owned(),
                offered: Offered::collect(named),
            }
        })
    }

    fn child(&self, from: NodeId, word: &str) -> Result<NodeId, PlaceError> {
        let tree = self.game_view.game.tree();
        let board = self.game_view.game.board_at(from);
        let offered = || {
            let children = self.view.children(tree, from);
            Offered::collect(children.map(|(_, node)| self.san(&board, node)))
        };
        let after = || self.game_view.last_move(from);
        let mv = read_move(&board, word).map_err(|reason| PlaceError::Illegal {
            word: word.to_owned(),
            reason,
            after: after(),
            offered: offered(),
        })?;
        let child = tree.child_by(from, |other| *other == mv);
        child.ok_or_else(|| PlaceError::NotInTree {
            san: board.san(mv).to_string(),
            after: after(),
            offered: offered(),
        })
    }

    fn san(&self, board: &Board, node: NodeId) -> String {
        let mv = self.game_view.game.tree().move_to(node);
        mv.map_or_else(String::new, |&mv| board.san(mv).to_string())
    }
}
