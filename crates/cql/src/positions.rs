//! The positions of one game in search order, each with its board.

use crate::signs::{self, Signs};
use chess::pgn::Game;
use chess::{Board, CastlingSide, Color, File, Move, MoveKind, Rank, Role, Square};
use tree::{NodeId, PositionId, PreorderIndex};

/// No position.
pub(crate) const NOWHERE: u32 = u32::MAX;
/// The positions of a game for which memory is reserved; it is used as far as it is needed.
pub(crate) const ROOM: usize = 256;
/// No piece stands there.
pub(crate) const NO_PIECE: u8 = u8::MAX;

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

    /// The signs of the position before it.
    fn signs(&self) -> Signs {
        let en_passant = if self.en_passant {
            signs::EN_PASSANT
        } else {
            0
        };
        let castling = if self.rook.is_some() {
            signs::CASTLING
        } else {
            0
        };
        en_passant | castling | self.promoted.map_or(0, signs::of_promotion)
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

/// The pieces of a position, by their numbers in the initial position.
#[derive(Clone, Copy)]
pub(crate) struct Pieces {
    on: [u8; 64],
    /// The square of each; 64 if it is no longer there.
    squares: [u8; 64],
}

impl Pieces {
    /// No piece is there.
    pub const NONE: Pieces = Pieces {
        on: [NO_PIECE; 64],
        squares: [64; 64],
    };

    /// The piece on a square.
    #[inline]
    pub fn on(&self, square: u8) -> u8 {
        self.on.get(square as usize).copied().unwrap_or(NO_PIECE)
    }

    /// The square of a piece; 64 if it is no longer there.
    #[inline]
    pub fn square(&self, piece: u8) -> u8 {
        self.squares.get(piece as usize).copied().unwrap_or(64)
    }

    /// Squares on which two positions have other pieces.
    pub fn changed_squares(&self, other: &Pieces) -> u64 {
        let (a, b) = (self.on.as_chunks::<8>().0, other.on.as_chunks::<8>().0);
        let ranks = a.iter().zip(b).zip(0..);
        ranks.fold(0, |set, ((a, b), rank)| {
            let difference = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
            set | bytes_other_than_zero(difference) << (8 * rank)
        })
    }

    fn put(&mut self, piece: u8, square: u8) {
        self.on[square as usize & 63] = piece;
        if piece != NO_PIECE {
            self.squares[piece as usize & 63] = square;
        }
    }

    fn take(&mut self, square: u8) -> u8 {
        let piece = self.on(square);
        if piece != NO_PIECE {
            self.on[square as usize & 63] = NO_PIECE;
            self.squares[piece as usize & 63] = 64;
        }
        piece
    }
}

/// The positions of a game with their boards, then the imagined ones.
#[derive(Default)]
pub(crate) struct Positions {
    index: PreorderIndex,
    /// The move to each; none to the initial position, or where none was played.
    moves: Vec<Option<Move>>,
    pub boards: Vec<Board>,
    /// The pieces of each by their numbers, if they are tracked.
    pub pieces: Vec<Pieces>,
    /// The numbers of the pieces that the move to each moves, if pieces are tracked.
    moved: Vec<u64>,
    /// The signs of each, if computed.
    signs: Vec<Signs>,
    /// The squares at which the moves from each arrive, if computed.
    arrivals: Vec<u64>,
    /// The occupied squares of each, if computed.
    pub occupied: Vec<u64>,
    /// The steps to all positions, if many are needed; otherwise they are computed on demand.
    steps: Vec<MoveEffect>,
    /// The origins of imagined positions, which need not be a move from above.
    imagined: Vec<MoveEffect>,
}

/// Loading a game.
impl Positions {
    /// The initial position alone.
    pub fn load_start(&mut self, start: &Board) {
        self.index.clear();
        self.moves.clear();
        self.boards.clear();
        self.pieces.clear();
        self.moved.clear();
        self.signs.clear();
        self.arrivals.clear();
        self.steps.clear();
        self.imagined.clear();
        self.moves.push(None);
        self.boards.push(start.clone());
    }

    /// The rest of the game; the variations too if they are searched.
    pub fn load(&mut self, game: &Game, variations: bool, identity: bool, steps: bool) {
        let tree = game.tree();
        if variations {
            self.index.rebuild(tree);
        } else {
            self.index.rebuild_mainline(tree);
        }
        self.reserve(identity);
        for id in self.index.positions().skip(1) {
            let mv = tree.move_to(self.index.node(id)).copied();
            let from = self.index.parent(id).unwrap_or(PositionId::ROOT);
            self.moves.push(mv);
            self.push_board(from.0, mv);
        }
        if steps || identity {
            self.steps.reserve(self.boards.len().max(ROOM));
            for id in self.index.positions() {
                self.steps.push(self.compute_step(id.0));
            }
        }
        if identity {
            self.identify();
        }
    }

    /// Makes room for the positions, and for those of most games, since lists that grow from game
    /// to game are copied to new memory each time.
    fn reserve(&mut self, identity: bool) {
        let room = self.index.node_count().max(ROOM);
        self.moves.reserve(room);
        self.boards.reserve(room);
        if identity {
            self.pieces.reserve(room);
            self.moved.reserve(room);
        }
    }

    /// Computes the occupied squares, so that positions can be compared without their boards.
    pub fn survey(&mut self) {
        let occupied = self.boards.iter().map(|board| u64::from(board.occupied()));
        self.occupied.clear();
        self.occupied.extend(occupied);
    }

    /// Adds the board after a move. The move is played in place: a copy that is changed and then
    /// moved has to wait for its own changes.
    pub fn push_board(&mut self, from: u32, mv: Option<Move>) {
        self.boards.push(self.boards[from as usize].clone());
        if let (Some(board), Some(mv)) = (self.boards.last_mut(), mv) {
            board.play(mv);
        }
    }

    /// Numbers the pieces a1 to h8 and tracks them.
    fn identify(&mut self) {
        let mut first = Pieces::NONE;
        for (number, square) in self.boards[0].occupied().into_iter().enumerate() {
            first.put(number as u8, square as u8);
        }
        self.pieces.push(first);
        self.moved.push(0);
        for id in self.index.positions().skip(1) {
            let from = self.index.parent(id).unwrap_or(PositionId::ROOT);
            // in place, as boards are
            self.pieces.extend_from_within(from.index()..=from.index());
            let (Some(pieces), step) = (self.pieces.last_mut(), &self.steps[id.index()]) else {
                continue;
            };
            self.moved.push(movers(pieces, step));
            follow(pieces, step);
        }
    }

    /// Computes the signs of all positions.
    pub fn find_signs(&mut self) {
        self.signs.resize(self.boards.len(), 0);
        for id in self.index.positions() {
            let at = id.0;
            if self.is_terminal(at) || self.is_null_move(at + 1) {
                self.signs[id.index()] |= signs::END;
            }
            if let Some(from) = self.parent(at) {
                self.signs[from as usize] |= self.step(at).signs();
            }
        }
        self.signs[0] |= signs::INITIAL;
    }

    /// Computes the squares at which moves arrive.
    pub fn find_arrivals(&mut self) {
        self.arrivals.resize(self.boards.len(), 0);
        for id in self.index.positions().skip(1) {
            let step = self.step(id.0);
            // of castling and drops more than one square may count
            let is_plain = step.rook.is_none() && step.from < 64;
            let squares = if is_plain { bit(step.to) } else { !0 };
            if let Some(from) = self.parent(id.0) {
                self.arrivals[from as usize] |= squares;
            }
        }
    }
}

/// Boards and moves.
impl Positions {
    #[inline]
    pub fn board(&self, at: u32) -> &Board {
        &self.boards[at as usize]
    }

    /// The move to a position; none to the initial position, or where none was played.
    #[inline]
    pub fn mv(&self, at: u32) -> Option<Move> {
        self.moves[at as usize]
    }

    pub fn is_null_move(&self, at: u32) -> bool {
        self.mv(at).is_some_and(Move::is_null)
    }

    /// The signs of a position; all of them if they are not known.
    #[inline]
    pub fn signs(&self, at: u32) -> Signs {
        self.signs.get(at as usize).copied().unwrap_or(signs::ANY)
    }

    /// The squares at which the moves from a position arrive; all if they are not known.
    #[inline]
    pub fn arrivals(&self, at: u32) -> u64 {
        self.arrivals.get(at as usize).copied().unwrap_or(!0)
    }

    /// The numbers of the pieces that the move to a position moves.
    #[inline]
    pub fn moved(&self, at: u32) -> u64 {
        self.moved.get(at as usize).copied().unwrap_or(0)
    }

    /// The effect of the move to a position.
    pub fn step(&self, at: u32) -> MoveEffect {
        if self.is_imagined(at) {
            return self.imagined[at as usize - self.index.node_count()];
        }
        let known = self.steps.get(at as usize);
        known.map_or_else(|| self.compute_step(at), |step| *step)
    }

    fn compute_step(&self, at: u32) -> MoveEffect {
        match (self.parent(at), self.mv(at)) {
            (Some(from), Some(mv)) => MoveEffect::new(self.board(from), mv),
            _ => MoveEffect::NONE,
        }
    }

    /// The number PGN prints before a move from here, or with CQL 6.2 counted from 1 at the start.
    pub fn move_number(&self, at: u32, from_one: bool) -> i64 {
        let board = self.board(at);
        if !from_one {
            return i64::from(board.fullmoves());
        }
        let ply = i64::from(self.ply(at));
        let white = board.turn() == Color::White;
        let white_began = white == (ply % 2 == 0);
        (ply + i64::from(!white_began && white)) / 2 + 1
    }

    /// Adds a position that is not in the game, reached from `at`.
    pub fn imagine(&mut self, at: u32, board: Board, step: Option<MoveEffect>) -> u32 {
        let plies = u32::from(step.is_some());
        let id = self.index.append(PositionId(at), plies);
        self.moves.push(step.map(|step| step.mv));
        self.imagined.push(step.unwrap_or(MoveEffect::NONE));
        if !self.pieces.is_empty() {
            let mut pieces = self.pieces[at as usize];
            self.moved
                .push(step.map_or(0, |step| movers(&pieces, &step)));
            if let Some(step) = step {
                follow(&mut pieces, &step);
            }
            for square in !board.occupied() {
                pieces.take(square as u8);
            }
            self.pieces.push(pieces);
        }
        self.boards.push(board);
        id.0
    }

    /// The number of imagined positions.
    pub fn imagined_count(&self) -> usize {
        self.index.appended_count()
    }

    /// Removes the positions imagined since there were `imagined`.
    pub fn forget(&mut self, imagined: usize) {
        let len = self.index.node_count() + imagined;
        self.index.truncate_appended(imagined);
        self.imagined.truncate(imagined);
        self.moves.truncate(len);
        self.boards.truncate(len);
        self.pieces.truncate(len);
        self.moved.truncate(len);
    }
}

/// Relations, looked up in the index.
impl Positions {
    /// The number of positions that are not imagined.
    #[inline]
    pub fn real(&self) -> u32 {
        self.index.node_count() as u32
    }

    #[inline]
    pub fn is_imagined(&self, at: u32) -> bool {
        self.index.is_appended(PositionId(at))
    }

    /// The node in the game's tree; for an imagined position the node it was imagined from.
    #[inline]
    pub fn node(&self, at: u32) -> NodeId {
        self.index.node(PositionId(at))
    }

    /// The nodes of the positions that are not imagined.
    pub fn nodes(&self) -> impl Iterator<Item = (u32, NodeId)> + '_ {
        self.index.positions().map(|id| (id.0, self.index.node(id)))
    }

    #[inline]
    pub fn parent(&self, at: u32) -> Option<u32> {
        self.index.parent(PositionId(at)).map(|id| id.0)
    }

    /// The position itself, its parent, and so on up to the initial one.
    #[inline]
    pub fn ancestors(&self, at: u32) -> impl Iterator<Item = u32> + '_ {
        self.index.ancestors(PositionId(at)).map(|id| id.0)
    }

    /// One past the last position below it.
    #[inline]
    pub fn end(&self, at: u32) -> u32 {
        self.index.subtree(PositionId(at)).end
    }

    #[inline]
    pub fn ply(&self, at: u32) -> u32 {
        self.index.ply(PositionId(at))
    }

    #[inline]
    pub fn depth(&self, at: u32) -> u32 {
        self.index.depth(PositionId(at))
    }

    /// True if a secondary move led there; an imagined move is primary.
    #[inline]
    pub fn is_secondary(&self, at: u32) -> bool {
        self.index.is_secondary(PositionId(at))
    }

    #[inline]
    pub fn is_terminal(&self, at: u32) -> bool {
        self.index.is_terminal(PositionId(at))
    }

    #[inline]
    pub fn first_child(&self, at: u32) -> Option<u32> {
        self.index.next(PositionId(at)).map(|id| id.0)
    }

    #[inline]
    pub fn next_sibling(&self, at: u32) -> Option<u32> {
        self.index.next_sibling(PositionId(at)).map(|id| id.0)
    }

    #[inline]
    pub fn children(&self, at: u32) -> impl Iterator<Item = u32> + '_ {
        self.index.children(PositionId(at)).map(|id| id.0)
    }

    /// Proper ancestry; an imagined position is below those it was imagined from.
    pub fn is_above(&self, above: u32, below: u32) -> bool {
        self.index.is_ancestor(PositionId(above), PositionId(below))
    }

    pub fn lca(&self, a: u32, b: u32) -> u32 {
        self.index.lca(PositionId(a), PositionId(b)).0
    }

    pub fn distance(&self, a: u32, b: u32) -> u32 {
        self.index.distance(PositionId(a), PositionId(b))
    }

    /// Positions after `start` on the way to `end`, which lies below it.
    pub fn way(&self, start: u32, end: u32) -> Vec<u32> {
        let line = self.index.line_between(PositionId(start), PositionId(end));
        line.into_iter().map(|id| id.0).collect()
    }
}

/// The bytes of a word that are not zero, as a set of eight.
fn bytes_other_than_zero(word: u64) -> u64 {
    const LOW_BITS: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    // the highest bit of each byte, by a carry from its other bits
    let highest = (word | ((word & LOW_BITS) + LOW_BITS)) & !LOW_BITS;
    // the product gathers these bits in the highest byte
    (highest >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// The numbers of the pieces that a move moves.
fn movers(pieces: &Pieces, step: &MoveEffect) -> u64 {
    let rook = step.rook.map_or(0, |(from, _)| bit(pieces.on(from)));
    bit(pieces.on(step.from)) | rook
}

fn follow(pieces: &mut Pieces, step: &MoveEffect) {
    if step.is_null() || step.to > 63 {
        return;
    }
    if let Some(captured) = step.captured {
        pieces.take(captured);
    }
    let moving = pieces.take(step.from);
    let rook = step.rook.map(|(from, to)| (pieces.take(from), to));
    pieces.take(step.to);
    if let Some((rook, to)) = rook {
        pieces.put(rook, to);
    }
    pieces.put(moving, step.to);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_squares_are_found() {
        let mut before = Pieces::NONE;
        (0..32).for_each(|piece| before.put(piece, 2 * piece));
        for square in 0..64 {
            let mut after = before;
            after.take(63 - square);
            after.put(40 + square % 20, square);
            let differs = |&at: &u8| before.on(at) != after.on(at);
            let changed = (0..64).filter(differs).fold(0, |set, at| set | bit(at));
            assert_eq!(before.changed_squares(&after), changed);
        }
        assert_eq!(before.changed_squares(&before), 0);
    }
}
