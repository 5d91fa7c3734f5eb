//! The pieces of a board by their kinds, as designators name them.

use chess::{Board, Color, Role};

/// The kinds in the order of a designator's bits: white pieces, black pieces, empty squares.
pub(crate) const ROLES: [Role; 6] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
    Role::King,
];

const WHITE: u16 = 0b11_1111;
const BLACK: u16 = WHITE << 6;
const EMPTY: usize = 12;
/// Beyond the bits of a designator: all pieces of a colour.
const ALL_WHITE: usize = 13;
const ALL_BLACK: usize = 14;

/// In the last place: the stamp of the board that was read.
const STAMP: usize = 15;

/// The squares of each kind of piece.
#[derive(Clone, Copy, Default)]
pub(crate) struct Kinds([u64; 16]);

/// The pieces of positions by their kinds, each read once.
#[derive(Default)]
pub(crate) struct KindsCache {
    all: Vec<Kinds>,
    /// Entries with another stamp are out of date.
    stamp: u64,
}

impl KindsCache {
    /// All positions are new; reserves memory for so many.
    pub fn clear(&mut self, room: usize) {
        self.all.reserve(room.saturating_sub(self.all.len()));
        self.stamp += 1;
    }

    /// The board of a position is new.
    pub fn forget(&mut self, at: u32) {
        if let Some(kinds) = self.all.get_mut(at as usize) {
            kinds.0[STAMP] = 0;
        }
    }

    /// Whether the pieces of a position were read.
    #[inline(always)] // a call for each designator costs more than looking it up
    pub fn has(&self, at: u32) -> bool {
        let kinds = self.all.get(at as usize);
        kinds.is_some_and(|kinds| kinds.0[STAMP] == self.stamp)
    }

    /// The pieces of a position that were read.
    #[inline(always)] // as above
    pub fn at(&self, at: u32) -> &Kinds {
        &self.all[at as usize]
    }

    /// Reads the pieces of a position.
    pub fn read(&mut self, at: u32, board: &Board) {
        let at = at as usize;
        if self.all.len() <= at {
            self.all.resize(at + 1, Kinds::default());
        }
        let kinds = &mut self.all[at];
        kinds.read(board);
        kinds.0[STAMP] = self.stamp;
    }
}

impl Kinds {
    /// Sorts the pieces of a board.
    pub fn read(&mut self, board: &Board) {
        let Kinds(kinds) = self;
        let white = u64::from(board.by_color(Color::White));
        let black = u64::from(board.by_color(Color::Black));
        for (i, &role) in ROLES.iter().enumerate() {
            let squares = u64::from(board.by_role(role));
            (kinds[i], kinds[i + 6]) = (squares & white, squares & black);
        }
        kinds[EMPTY] = !(white | black);
        (kinds[ALL_WHITE], kinds[ALL_BLACK]) = (white, black);
    }

    /// The squares of one kind, by its bit.
    #[inline]
    pub fn one(&self, kind: u32) -> u64 {
        self.0[kind as usize & 15]
    }

    /// The squares of any of the kinds of a designator.
    #[inline]
    pub fn of(&self, mut pieces: u16) -> u64 {
        let mut set = 0;
        if pieces & WHITE == WHITE {
            set |= self.0[ALL_WHITE];
            pieces &= !WHITE;
        }
        if pieces & BLACK == BLACK {
            set |= self.0[ALL_BLACK];
            pieces &= !BLACK;
        }
        while pieces != 0 {
            set |= self.one(pieces.trailing_zeros());
            pieces &= pieces - 1;
        }
        set
    }
}
