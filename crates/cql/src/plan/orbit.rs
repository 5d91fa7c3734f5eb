//! Variants of a transform, indexed by the square of one of their pieces.

use super::necessary;
use crate::ir::*;
use crate::kinds::Kinds;
use crate::symmetry::bits;

/// Variants of a transform by a square that must hold some piece.
#[derive(Clone, Debug)]
pub(crate) struct OrbitIndex {
    /// By kind of piece (a designator's bit), then by square.
    by_kind: Vec<(u32, Vec<Bucket>)>,
    variants: usize,
}

/// The variants that need the same piece on the same square.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bucket {
    variants: Vec<Variant>,
    /// The first requirement of each: such a piece on one of these squares.
    gate: Option<(u16, u64)>,
}

impl Bucket {
    fn push(&mut self, variant: Variant) {
        let first = variant.first;
        self.gate = match (self.gate, first) {
            (_, first) if self.variants.is_empty() => first,
            (Some((kinds, some)), Some((pieces, more))) if kinds == pieces => {
                Some((kinds, some | more))
            }
            _ => None,
        };
        self.variants.push(variant);
    }

    /// The variants that may hold.
    #[inline]
    pub fn variants(&self, kinds: &Kinds) -> &[Variant] {
        match self.gate {
            Some((pieces, squares)) if kinds.of(pieces) & squares == 0 => &[],
            _ => &self.variants,
        }
    }
}

/// One variant, with its requirements besides the piece of the index.
#[derive(Clone, Debug)]
pub(crate) struct Variant {
    pub part: BoolId,
    /// The rarest requirement is separate, as it usually decides.
    first: Option<(u16, u64)>,
    needs: Box<[(u16, u64)]>,
    /// There is no further condition.
    pub is_whole: bool,
}

impl Variant {
    /// Whether the pieces are on the required squares.
    #[inline]
    pub fn fits(&self, kinds: &Kinds) -> bool {
        let met = |&(pieces, squares): &(u16, u64)| kinds.of(pieces) & squares != 0;
        self.first.as_ref().is_none_or(met) && self.needs.iter().all(met)
    }
}

impl OrbitIndex {
    /// None if a variant needs no particular piece, or there are too few to be worth it.
    pub fn new(ir: &Ir, parts: &[BoolId]) -> Option<OrbitIndex> {
        let mut index = OrbitIndex {
            by_kind: Vec::new(),
            variants: parts.len(),
        };
        for &part in parts {
            index.add(ir, part)?;
        }
        (parts.len() >= 8).then_some(index)
    }

    fn add(&mut self, ir: &Ir, part: BoolId) -> Option<()> {
        let mut conditions = Vec::new();
        let all = necessary(ir, part, &mut conditions);
        let mut needs: Vec<(u16, u64)> = conditions.iter().filter_map(|&c| need(ir, c)).collect();
        let is_whole = all && needs.len() == conditions.len();
        let keys = needs
            .iter()
            .enumerate()
            .filter(|(_, n)| n.0.count_ones() == 1 && n.1.count_ones() <= 4);
        let (key, _) = keys.min_by_key(|(_, n)| rarity(n.0) * n.1.count_ones())?;
        let (pieces, squares) = needs.remove(key);
        needs.sort_by_key(|&(pieces, squares)| expected(pieces) * squares.count_ones());
        let by_square = self.of_kind(pieces.trailing_zeros());
        for square in bits(squares) {
            by_square[square as usize].push(Variant {
                part,
                first: needs.first().copied(),
                needs: needs.iter().skip(1).copied().collect(),
                is_whole,
            });
        }
        Some(())
    }

    fn of_kind(&mut self, kind: u32) -> &mut Vec<Bucket> {
        let at = self.by_kind.iter().position(|(k, _)| *k == kind);
        let at = at.unwrap_or_else(|| {
            self.by_kind.push((kind, vec![Bucket::default(); 64]));
            self.by_kind.len() - 1
        });
        &mut self.by_kind[at].1
    }

    /// The kinds of the deciding pieces, with the variants for each square.
    pub fn kinds(&self) -> &[(u32, Vec<Bucket>)] {
        &self.by_kind
    }

    pub fn describe(&self) -> String {
        format!(
            "a transform with {} variants, chosen by where one piece stands",
            self.variants
        )
    }
}

/// `Kg1`: one of these pieces stands on one of these squares.
fn need(ir: &Ir, id: BoolId) -> Option<(u16, u64)> {
    match ir.bool(id) {
        Bool::NonEmpty(set) => match *ir.set(*set) {
            Set::Pieces { pieces, squares } => Some((pieces, squares)),
            _ => None,
        },
        _ => None,
    }
}

/// The typical number of a kind of piece on a board.
fn rarity(piece: u16) -> u32 {
    match piece.trailing_zeros() {
        5 | 11 => 1,
        4 | 10 => 2,
        0 | 6 => 8,
        12 => 32,
        _ => 3,
    }
}

/// The same for any designator.
fn expected(pieces: u16) -> u32 {
    bits(u64::from(pieces)).map(|bit| rarity(1 << bit)).sum()
}
