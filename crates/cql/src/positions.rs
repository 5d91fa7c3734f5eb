//! The positions of one game in search order, each with its board.

use chess::pgn::Game;
use chess::{Board, CastlingSide, Color, File, Move, MoveKind, Rank, Role, Square};
use tree::NodeId;

/// No position.
pub(crate) const NOWHERE: u32 = u32::MAX;
/// No piece stands there.
pub(crate) const NO_PIECE: u8 = u8::MAX;

/// A position and the move to it.
#[derive(Clone, Debug)]
pub(crate) struct Spot {
    /// Its node in the game's tree.
    pub node: NodeId,
    pub parent: u32,
    /// One past the last position below it.
    pub end: u32,
    pub ply: u32,
    pub depth: u32,
    /// 0 if the primary move led here.
    pub order: u32,
    pub children: u32,
    /// The move that led here; none to the initial position, or where none was played.
    pub mv: Option<Move>,
}

/// The move that led to a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MoveEffect {
    pub mv: Move,
    /// The squares of the piece that moves, the king's when castling; 64 for none.
    pub from: u8,
    pub to: u8,
    /// The square of the captured piece.
    pub captured: Option<u8>,
    pub promoted: Option<Role>,
    /// The rook's squares when castling.
    pub rook: Option<(u8, u8)>,
    pub long: bool,
    pub en_passant: bool,
}

impl MoveEffect {
    pub const NONE: MoveEffect = MoveEffect {
        mv: Move::NULL,
        from: 64,
        to: 64,
        captured: None,
        promoted: None,
        rook: None,
        long: false,
        en_passant: false,
    };

    /// The effect of a move on the board before it.
    pub fn new(board: &Board, mv: Move) -> MoveEffect {
        let square = |s: Option<Square>| s.map_or(64, |s| s as u8);
        let mut step = MoveEffect {
            mv,
            from: square(mv.from()),
            to: square(mv.to()),
            ..MoveEffect::NONE
        };
        match mv.kind() {
            MoveKind::Null => {
                // a null move stays on the king's square
                step.from = square(board.king_of(board.turn()));
                step.to = step.from;
            }
            MoveKind::Castling => step.castle(board, mv),
            MoveKind::Promotion(role) => step.promoted = Some(role),
            MoveKind::EnPassant => step.en_passant = true,
            _ => {}
        }
        step.captured = board.captured(mv).map(|(square, _)| square as u8);
        step
    }

    fn castle(&mut self, board: &Board, mv: Move) {
        let rank = if board.turn() == Color::White {
            Rank::First
        } else {
            Rank::Eighth
        };
        self.long = mv.castling_side() == Some(CastlingSide::QueenSide);
        let (king, rook) = if self.long {
            (File::C, File::D)
        } else {
            (File::G, File::F)
        };
        let from = self.to;
        self.to = Square::from_coords(king, rank) as u8;
        self.rook = Some((from, Square::from_coords(rook, rank) as u8));
    }

    pub fn is_null(&self) -> bool {
        self.mv.is_null()
    }

    /// Origins within `left` of pieces that arrive within `right`.
    pub fn origins(&self, left: u64, right: u64) -> u64 {
        let king = if right & bit(self.to) != 0 {
            left & bit(self.from)
        } else {
            0
        };
        let rook = match self.rook {
            Some((from, to)) if right & bit(to) != 0 => left & bit(from),
            _ => 0,
        };
        king | rook
    }

    /// Targets within `right` of pieces that leave from within `left`.
    pub fn arrivals(&self, left: u64, right: u64) -> u64 {
        let king = if left & bit(self.from) != 0 {
            right & bit(self.to)
        } else {
            0
        };
        let rook = match self.rook {
            Some((from, to)) if left & bit(from) != 0 => right & bit(to),
            _ => 0,
        };
        king | rook
    }
}

/// The set of one square; the empty set for none.
pub(crate) fn bit(square: u8) -> u64 {
    1u64.checked_shl(u32::from(square)).unwrap_or(0)
}

/// All positions of a game; those beyond `real` are imagined.
#[derive(Default)]
pub(crate) struct Positions {
    pub spots: Vec<Spot>,
    pub boards: Vec<Board>,
    /// The piece on each square, by its number in the initial position.
    pub pieces: Vec<[u8; 64]>,
    /// The occupied squares of each, if computed.
    pub occupied: Vec<u64>,
    pub real: u32,
    index: Vec<u32>,
    /// The steps to all positions, if pieces are tracked; otherwise they are computed on demand.
    steps: Vec<MoveEffect>,
    /// The origins of imagined positions, which need not be a move from above.
    imagined: Vec<MoveEffect>,
}

impl Positions {
    /// The initial position alone.
    pub fn load_start(&mut self, game: &Game) {
        self.spots.clear();
        self.boards.clear();
        self.pieces.clear();
        self.steps.clear();
        self.imagined.clear();
        self.root(game.start().clone());
        self.real = 1;
    }

    /// The rest of the game; the variations too if they are searched.
    pub fn load(&mut self, game: &Game, variations: bool, identity: bool) {
        if variations {
            self.load_tree(game);
        } else {
            self.load_mainline(game);
        }
        self.real = self.spots.len() as u32;
        if identity {
            self.identify();
        }
    }

    /// Computes the occupied squares, so that positions can be compared without their boards.
    pub fn survey(&mut self) {
        let occupied = self.boards.iter().map(|board| u64::from(board.occupied()));
        self.occupied.clear();
        self.occupied.extend(occupied);
    }

    fn root(&mut self, board: Board) {
        self.boards.push(board);
        self.spots.push(Spot {
            node: NodeId::ROOT,
            parent: NOWHERE,
            end: 1,
            ply: 0,
            depth: 0,
            order: 0,
            children: 0,
            mv: None,
        });
    }

    fn load_mainline(&mut self, game: &Game) {
        let tree = game.tree();
        let mut node = NodeId::ROOT;
        while let Some(next) = tree.next(node) {
            let Some(&mv) = tree.move_to(next) else { break };
            let parent = self.spots.len() as u32 - 1;
            self.add(parent, next, mv);
            node = next;
        }
        let end = self.spots.len() as u32;
        self.spots.iter_mut().for_each(|s| s.end = end);
    }

    fn load_tree(&mut self, game: &Game) {
        let tree = game.tree();
        self.index.clear();
        self.index.resize(tree.capacity_used(), NOWHERE);
        self.index[NodeId::ROOT.index()] = 0;
        for node in tree.preorder().skip(1) {
            let (Some(above), Some(&mv)) = (tree.parent(node), tree.move_to(node)) else {
                continue;
            };
            self.index[node.index()] = self.spots.len() as u32;
            self.add(self.index[above.index()], node, mv);
        }
        for i in (1..self.spots.len()).rev() {
            let (parent, end) = (self.spots[i].parent as usize, self.spots[i].end);
            self.spots[parent].end = self.spots[parent].end.max(end);
        }
    }

    fn add(&mut self, parent: u32, node: NodeId, mv: Move) {
        self.push_board(parent, mv);
        let above = &mut self.spots[parent as usize];
        let order = above.children;
        above.children += 1;
        let (ply, depth) = (above.ply + 1, above.depth + u32::from(order > 0));
        let end = self.spots.len() as u32 + 1;
        self.spots.push(Spot {
            node,
            parent,
            end,
            ply,
            depth,
            order,
            children: 0,
            mv: Some(mv),
        });
    }

    /// Adds the board after a move. The move is played in place: a copy that is changed and then
    /// moved has to wait for its own changes.
    pub fn push_board(&mut self, from: u32, mv: Move) {
        self.boards.push(self.boards[from as usize].clone());
        if let Some(board) = self.boards.last_mut() {
            board.play(mv);
        }
    }

    /// Numbers the pieces a1 to h8 and tracks them.
    fn identify(&mut self) {
        let mut first = [NO_PIECE; 64];
        for (number, square) in self.boards[0].occupied().into_iter().enumerate() {
            first[square as usize] = number as u8;
        }
        self.pieces.push(first);
        self.steps.push(MoveEffect::NONE);
        for i in 1..self.spots.len() {
            let step = self.compute_step(i as u32);
            let mut pieces = self.pieces[self.spots[i].parent as usize];
            follow(&mut pieces, &step);
            self.pieces.push(pieces);
            self.steps.push(step);
        }
    }

    #[inline]
    pub fn board(&self, at: u32) -> &Board {
        &self.boards[at as usize]
    }

    #[inline]
    pub fn spot(&self, at: u32) -> &Spot {
        &self.spots[at as usize]
    }

    /// The effect of the move to a position.
    pub fn step(&self, at: u32) -> MoveEffect {
        if self.is_imagined(at) {
            return self.imagined[(at - self.real) as usize];
        }
        let known = self.steps.get(at as usize);
        known.map_or_else(|| self.compute_step(at), |step| *step)
    }

    fn compute_step(&self, at: u32) -> MoveEffect {
        let spot = self.spot(at);
        match spot.mv {
            Some(mv) => MoveEffect::new(self.board(spot.parent), mv),
            None => MoveEffect::NONE,
        }
    }

    pub fn is_null_move(&self, at: u32) -> bool {
        self.spot(at).mv.is_some_and(Move::is_null)
    }

    pub fn is_imagined(&self, at: u32) -> bool {
        at >= self.real
    }

    pub fn parent(&self, at: u32) -> Option<u32> {
        let parent = self.spot(at).parent;
        (parent != NOWHERE).then_some(parent)
    }

    pub fn is_terminal(&self, at: u32) -> bool {
        self.spot(at).children == 0
    }

    pub fn first_child(&self, at: u32) -> Option<u32> {
        (self.spot(at).children > 0).then_some(at + 1)
    }

    pub fn next_sibling(&self, at: u32) -> Option<u32> {
        let (spot, parent) = (self.spot(at), self.parent(at)?);
        (!self.is_imagined(at) && spot.end < self.spot(parent).end).then_some(spot.end)
    }

    pub fn children(&self, at: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(self.first_child(at), |&child| self.next_sibling(child))
    }

    pub fn child(&self, at: u32, n: i64) -> Option<u32> {
        self.children(at).nth(usize::try_from(n).ok()?)
    }

    /// Proper ancestry; an imagined position is below those it was imagined from.
    pub fn is_above(&self, above: u32, below: u32) -> bool {
        if !self.is_imagined(below) && !self.is_imagined(above) {
            return above < below && below < self.spot(above).end;
        }
        std::iter::successors(self.parent(below), |&p| self.parent(p)).any(|p| p == above)
    }

    pub fn lca(&self, mut a: u32, mut b: u32) -> Option<u32> {
        while a != b {
            if self.spot(a).ply >= self.spot(b).ply {
                a = self.parent(a)?;
            } else {
                b = self.parent(b)?;
            }
        }
        Some(a)
    }

    /// Positions after `start` on the way to `end`, which lies below it.
    pub fn way(&self, start: u32, end: u32) -> Vec<u32> {
        let mut way: Vec<u32> = std::iter::successors(Some(end), |&p| self.parent(p))
            .take_while(|&p| p != start)
            .collect();
        way.reverse();
        way
    }

    /// The number PGN prints before a move from here, or with CQL 6.2 counted from 1 at the start.
    pub fn move_number(&self, at: u32, from_one: bool) -> i64 {
        let board = self.board(at);
        if !from_one {
            return i64::from(board.fullmoves());
        }
        let ply = i64::from(self.spot(at).ply);
        let white = board.turn() == Color::White;
        let white_began = white == (ply % 2 == 0);
        (ply + i64::from(!white_began && white)) / 2 + 1
    }

    /// Adds a position that is not in the game, reached from `at`.
    pub fn imagine(&mut self, at: u32, board: Board, step: Option<MoveEffect>) -> u32 {
        let id = self.spots.len() as u32;
        let from = self.spot(at);
        let ply = from.ply + u32::from(step.is_some());
        let spot = Spot {
            node: from.node,
            parent: at,
            end: id + 1,
            ply,
            depth: from.depth,
            order: 0,
            children: 0,
            mv: step.map(|step| step.mv),
        };
        self.spots.push(spot);
        self.imagined.push(step.unwrap_or(MoveEffect::NONE));
        if !self.pieces.is_empty() {
            let mut pieces = self.pieces[at as usize];
            if let Some(step) = step {
                follow(&mut pieces, &step);
            }
            for square in 0..64 {
                if !board.occupied().contains(Square::new(square)) {
                    pieces[square as usize] = NO_PIECE;
                }
            }
            self.pieces.push(pieces);
        }
        self.boards.push(board);
        id
    }

    /// The number of imagined positions.
    pub fn imagined_count(&self) -> usize {
        self.imagined.len()
    }

    /// Removes the positions imagined since there were `len`.
    pub fn forget(&mut self, len: u32) {
        self.imagined
            .truncate(len.saturating_sub(self.real) as usize);
        self.spots.truncate(len as usize);
        self.boards.truncate(len as usize);
        self.pieces.truncate(len as usize);
    }
}

fn follow(pieces: &mut [u8; 64], step: &MoveEffect) {
    if step.is_null() || step.to > 63 {
        return;
    }
    if let Some(captured) = step.captured {
        pieces[captured as usize] = NO_PIECE;
    }
    let moving = pieces.get(step.from as usize).copied().unwrap_or(NO_PIECE);
    let rook = step
        .rook
        .map(|(from, to)| (pieces[from as usize], from, to));
    if step.from < 64 {
        pieces[step.from as usize] = NO_PIECE;
    }
    if let Some((piece, from, to)) = rook {
        pieces[from as usize] = NO_PIECE;
        pieces[to as usize] = piece;
    }
    pieces[step.to as usize] = moving;
}

/// The squares with equal contents on two boards.
pub(crate) fn same_squares(a: &Board, b: &Board) -> u64 {
    let white = u64::from(a.by_color(Color::White) ^ b.by_color(Color::White));
    let black = u64::from(a.by_color(Color::Black) ^ b.by_color(Color::Black));
    let changed = Role::ALL.iter().fold(white | black, |set, &r| {
        set | u64::from(a.by_role(r) ^ b.by_role(r))
    });
    !changed
}
