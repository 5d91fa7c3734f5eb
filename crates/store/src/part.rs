//! Games on their way into a segment: each thread builds parts, one thread joins them.

use chess::pgn::Game;
use chess::{Board, Color, Role};

use crate::columns::TagsBuilder;
use crate::facts::Facts;
use crate::index::{RANGES, entry, range_of};
use crate::numbered::code;
use crate::record::{has_branches, put_extras, put_wide};
use crate::signature::{ENDING_MEN, Material, SignatureBuilder};
use crate::track::{Track, hash_of};

/// Which positions are indexed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Indexed {
    /// None: the archive is smaller, and searches for positions read all games.
    Nothing,
    /// Every position of every mainline.
    #[default]
    Mainlines,
    /// Variations as well.
    Variations,
}

/// Consecutive games, coded.
#[derive(Debug, Default)]
pub struct Part {
    pub(crate) indexed: Indexed,
    pub(crate) moves: Vec<u8>,
    /// For each game the bytes of its moves, doubled, plus 1 if they are wide.
    pub(crate) move_lens: Vec<u32>,
    pub(crate) extras: Vec<u8>,
    /// Games with extras, and the bytes of these.
    pub(crate) extra_lens: Vec<(u32, u32)>,
    pub(crate) facts: Vec<Facts>,
    pub(crate) tags: TagsBuilder,
    pub(crate) signatures: SignatureBuilder,
    pub(crate) positions: [Vec<u64>; RANGES],
    pub(crate) plies: u64,
}

impl Part {
    /// A part without games.
    pub fn new(indexed: Indexed) -> Part {
        Part {
            indexed,
            ..Part::default()
        }
    }

    /// The number of games.
    pub fn len(&self) -> usize {
        self.facts.len()
    }

    /// True if there is no game.
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    /// The moves of all mainlines.
    pub fn plies(&self) -> u64 {
        self.plies
    }

    /// Adds a game.
    pub fn push(&mut self, game: &Game) {
        let number = self.facts.len() as u32;
        let branches = has_branches(game.tree());
        let before = self.extras.len();
        put_extras(game, branches, &mut self.extras);
        if self.extras.len() > before {
            self.extra_lens
                .push((number, (self.extras.len() - before) as u32));
        }
        self.tags.push(number, game.tags());
        let plies = self.push_mainline(game, number);
        if branches && self.indexed == Indexed::Variations {
            self.index_variations(game, number);
        }
        self.plies += plies as u64;
        self.facts.push(Facts::of(game, plies, branches));
    }

    fn push_mainline(&mut self, game: &Game, number: u32) -> usize {
        let start = self.moves.len();
        let usual = *game.start() == Board::default();
        let track = match usual {
            true => Some(Track::usual().clone()),
            false => Track::new(game.start()),
        };
        let marks = self.positions.each_ref().map(Vec::len);
        let plies = track.and_then(|track| self.push_light(game, track, number));
        let wide = plies.is_none();
        let plies = plies.unwrap_or_else(|| {
            // A move without a code, such as a null move: begin anew with full boards.
            self.moves.truncate(start);
            let ranges = self.positions.iter_mut().zip(marks);
            ranges.for_each(|(range, len)| range.truncate(len));
            let endings = &mut self.signatures.endings;
            let kept = endings.iter().rposition(|&(_, game)| game < number);
            endings.truncate(kept.map_or(0, |at| at + 1));
            self.push_full(game, number)
        });
        let len = (self.moves.len() - start) as u32;
        self.move_lens.push(len << 1 | u32::from(wide));
        plies
    }

    /// Codes the mainline by a light board; `None` if a move has no code.
    fn push_light(&mut self, game: &Game, mut track: Track, number: u32) -> Option<usize> {
        let mut seen = std::array::from_fn(|code| track.pieces(code as u8));
        let count = |track: &Track| Material::of(|code| track.count(code));
        let (mut least, mut most) = (count(&track), count(&track));
        let mut material = (least, track.men());
        self.note_ending(material, number);
        self.note_position(track.hash(), number);
        let mut plies = 0;
        for m in game.mainline_moves() {
            if !track.encode(m, &mut self.moves) {
                return None;
            }
            track.play(m);
            plies += 1;
            track.add_moved(m, &mut seen);
            if track.men() != material.1 || m.promoted().is_some() {
                material = (count(&track), track.men());
                least = least.least(material.0);
                most = most.most(material.0);
                self.note_ending(material, number);
            }
            self.note_position(track.hash(), number);
        }
        self.signatures.seen.push(seen);
        self.signatures.least.push(least);
        self.signatures.most.push(most);
        Some(plies)
    }

    /// The same by full boards, for variants and null moves.
    fn push_full(&mut self, game: &Game, number: u32) -> usize {
        put_wide(game.mainline_moves(), &mut self.moves);
        let mut seen = [0; 16];
        let mut board = game.start().clone();
        let first = material_of(&board);
        let (mut least, mut most) = (first, first);
        let mut plies = 0;
        let mut moves = game.mainline_moves();
        loop {
            for (code, squares) in pieces_of(&board) {
                seen[usize::from(code)] |= squares;
            }
            let material = material_of(&board);
            least = least.least(material);
            most = most.most(material);
            let men = board.occupied().count() as u32;
            self.note_ending((material, men), number);
            self.note_position(hash_of(&board), number);
            let Some(m) = moves.next() else { break };
            board.play(m);
            plies += 1;
        }
        self.signatures.seen.push(seen);
        self.signatures.least.push(least);
        self.signatures.most.push(most);
        plies
    }

    #[inline]
    fn note_position(&mut self, hash: u64, number: u32) {
        if self.indexed != Indexed::Nothing {
            self.positions[range_of(hash)].push(entry(hash, number));
        }
    }

    fn note_ending(&mut self, (material, men): (Material, u32), number: u32) {
        if men <= ENDING_MEN {
            self.signatures.endings.push((material, number));
        }
    }

    fn index_variations(&mut self, game: &Game, number: u32) {
        let mut cursor = game.cursor();
        while cursor.walk() {
            self.note_position(hash_of(cursor.board()), number);
        }
    }
}

/// The squares of each piece.
fn pieces_of(board: &Board) -> impl Iterator<Item = (u8, u64)> + '_ {
    Color::ALL.into_iter().flat_map(move |color| {
        Role::ALL.map(|role| (code(color, role), board.by_piece(role.of(color)).0))
    })
}

fn material_of(board: &Board) -> Material {
    let pieces: Vec<(u8, u64)> = pieces_of(board).collect();
    Material::of(|code| {
        let piece = pieces.iter().find(|(other, _)| *other == code);
        piece.map_or(0, |(_, squares)| squares.count_ones())
    })
}
