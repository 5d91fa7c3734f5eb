//! What a query needs, as conditions that archives test without reading games.

use cql::{CountNeed, Need, Query};
use kit::input::Counter;
use store::{GroupBound, KINDS, Position, Selection};

use crate::games::{Games, Narrow};

/// The games in which a query can match, and the counter of games left out.
pub(super) fn narrow(games: &Games, query: &Query) -> (Games, Counter) {
    let excluded = Counter::default();
    if query.needs().is_empty() || !games.has_archives() {
        return (games.clone(), excluded);
    }
    let narrow = Narrow {
        any_of: query.needs().iter().map(selection).collect(),
        variations: query.searches_variations(),
        excluded: excluded.clone(),
    };
    (games.clone().narrowed(narrow), excluded)
}

fn selection(need: &Need) -> Selection {
    let mut selection = Selection {
        placements: need.placements.clone(),
        positions: need
            .exact()
            .map_or_else(Vec::new, |pieces| Position::with_pieces(&pieces)),
        ..Selection::default()
    };
    need.counts
        .iter()
        .for_each(|count| add_count(&mut selection, count));
    selection
}

fn add_count(selection: &mut Selection, count: &CountNeed) {
    let kind_of = |piece| KINDS.iter().position(|kind| kind == piece);
    let kinds: Vec<usize> = count.pieces.iter().filter_map(kind_of).collect();
    match (&kinds[..], count.pieces.len()) {
        (&[kind], 1) => {
            let (least, most) = &mut selection.counts[kind];
            *least = count.least.max(*least);
            *most = count.most.min(*most);
        }
        _ if count.most < u8::MAX => {
            let mut marked = [false; KINDS.len()];
            kinds.iter().for_each(|&kind| marked[kind] = true);
            let kings = count.pieces.len() - kinds.len();
            selection.groups.push(GroupBound {
                kinds: marked,
                kings: kings as u8,
                most: count.most,
            });
        }
        _ => {}
    }
}
