//! A game as bytes: coded moves of the mainline, and extras for everything but the tags.

use chess::pgn::{Game, Note, NoteKind, NotePlace, Style};
use chess::{Board, Move, NodeId, Variant};
use tree::Tree;

use crate::bytes::{Bytes, Damage, put_str, put_varint};
use crate::numbered::Numbered;

/// The extras begin with a start position.
const START: u8 = 1;
/// The extras are the game's PGN text, because its start position has no exact FEN.
const TEXT: u8 = 2;

/// The coded moves of a mainline.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moves<'a> {
    pub bytes: &'a [u8],
    /// Two bytes a move, playable by a full board only.
    pub wide: bool,
}

/// Appends the moves of a mainline as two bytes each.
pub(crate) fn put_wide(moves: impl Iterator<Item = Move>, out: &mut Vec<u8>) {
    moves.for_each(|m| out.extend_from_slice(&m.bits().to_le_bytes()));
}

/// The moves coded as two bytes each.
pub(crate) fn wide_moves(bytes: &[u8]) -> impl Iterator<Item = Result<Move, Damage>> + '_ {
    let damage = Damage("moves");
    let read = move |pair: &[u8]| {
        let bits = u16::from_le_bytes([pair[0], *pair.get(1).ok_or(damage)?]);
        Move::from_bits(bits).ok_or(damage)
    };
    bytes.chunks(2).map(read)
}

/// Appends what the tags and the mainline do not hold; nothing for a game that has no more.
pub(crate) fn put_extras(game: &Game, branches: bool, out: &mut Vec<u8>) {
    let usual = *game.start() == Board::default();
    if usual && !branches && game.notes().is_empty() && game.nags().is_empty() {
        return;
    }
    let flags = out.len();
    out.push(0);
    if !usual {
        let (fen, variant) = (game.start().fen(), game.start().variant());
        if Board::from_fen(&fen, variant).as_ref() != Ok(game.start()) {
            out[flags] = TEXT;
            put_str(out, &game.to_string());
            return;
        }
        out[flags] = START;
        out.push(variant_number(variant));
        put_str(out, &fen);
    }
    let nodes = put_lines(game.tree(), out);
    put_notes(game, &nodes, out);
    put_nags(game, &nodes, out);
}

/// True if a node has more than one child.
pub(crate) fn has_branches(tree: &Tree<Move>) -> bool {
    // A game without variations has as many nodes as its mainline; detached nodes only cost time.
    let mut node = NodeId::ROOT;
    while let Some(next) = tree.next(node) {
        if tree.next_sibling(next).is_some() {
            return true;
        }
        node = next;
    }
    false
}

fn variant_number(variant: Variant) -> u8 {
    let at = Variant::ALL.iter().position(|&other| other == variant);
    at.unwrap_or_default() as u8
}

/// Appends the lines beside the mainline and returns all nodes in the order of storage: the
/// mainline, then for each node its alternatives, each with its own continuation.
fn put_lines(tree: &Tree<Move>, out: &mut Vec<u8>) -> Vec<NodeId> {
    let mut nodes = vec![NodeId::ROOT];
    append_line(tree, &mut nodes);
    let mut lines = Vec::new();
    let (mut count, mut last, mut at) = (0, 0, 0);
    while at < nodes.len() {
        for child in tree.children(nodes[at]).skip(1) {
            let from = nodes.len();
            nodes.push(child);
            append_line(tree, &mut nodes);
            put_varint(&mut lines, (at - last) as u64);
            put_varint(&mut lines, (nodes.len() - from) as u64);
            let moves = nodes[from..].iter();
            put_wide(
                moves.filter_map(|&node| tree.move_to(node).copied()),
                &mut lines,
            );
            last = at;
            count += 1;
        }
        at += 1;
    }
    put_varint(out, count);
    out.extend_from_slice(&lines);
    nodes
}

/// Appends the continuation of the last node.
fn append_line(tree: &Tree<Move>, nodes: &mut Vec<NodeId>) {
    let Some(&last) = nodes.last() else { return };
    let mut node = last;
    while let Some(next) = tree.next(node) {
        nodes.push(next);
        node = next;
    }
}

fn put_notes(game: &Game, nodes: &[NodeId], out: &mut Vec<u8>) {
    let of = |&node: &NodeId| game.notes().get(node);
    put_varint(out, nodes.iter().map(|node| of(node).len() as u64).sum());
    let mut last = 0;
    for (at, node) in nodes.iter().enumerate() {
        for (_, note) in of(node) {
            put_varint(out, (at - last) as u64);
            last = at;
            out.push(note_code(note));
            if let NotePlace::AfterAlternatives(count) = note.place {
                put_varint(out, u64::from(count));
            }
            put_str(out, game.text(note.text));
        }
    }
}

fn put_nags(game: &Game, nodes: &[NodeId], out: &mut Vec<u8>) {
    let count: usize = nodes.iter().map(|&node| game.nags_at(node).len()).sum();
    put_varint(out, count as u64);
    let mut last = 0;
    for (at, &node) in nodes.iter().enumerate() {
        for nag in game.nags_at(node) {
            put_varint(out, (at - last) as u64);
            last = at;
            put_varint(out, u64::from(nag));
        }
    }
}

const NOTE_KINDS: [NoteKind; 6] = [
    NoteKind::Comment(Style::Brace),
    NoteKind::Comment(Style::Line),
    NoteKind::Comment(Style::Escape),
    NoteKind::Words,
    NoteKind::Variation,
    NoteKind::Rest,
];

fn note_code(note: &Note) -> u8 {
    let kind = NOTE_KINDS.iter().position(|kind| *kind == note.kind);
    let place = match note.place {
        NotePlace::Before => 0,
        NotePlace::After => 1,
        NotePlace::AfterAlternatives(_) => 2,
    };
    kind.unwrap_or_default() as u8 * 3 + place
}

/// The start position in the extras of a game; `None` if it is the usual one.
pub(crate) fn start_of(extras: &[u8]) -> Result<Option<Board>, Damage> {
    let mut bytes = Bytes::new(extras, "extras");
    if bytes.is_empty() {
        return Ok(None);
    }
    match bytes.u8()? {
        TEXT => {
            let game = chess::pgn::read_game(bytes.str()?.as_bytes()).ok_or(bytes.damage())?;
            Ok(Some(game.start().clone()))
        }
        flags => read_start(flags, &mut bytes),
    }
}

fn read_start(flags: u8, bytes: &mut Bytes) -> Result<Option<Board>, Damage> {
    if flags & START == 0 {
        return Ok(None);
    }
    let variant = Variant::ALL.get(usize::from(bytes.u8()?));
    let variant = *variant.ok_or(bytes.damage())?;
    let board = Board::from_fen(bytes.str()?, variant);
    board.map(Some).map_err(|_| bytes.damage())
}

/// Rebuilds a game, except its tags and result.
pub(crate) fn read_game(moves: Moves, extras: &[u8], game: &mut Game) -> Result<(), Damage> {
    let mut bytes = Bytes::new(extras, "extras");
    let flags = if bytes.is_empty() { 0 } else { bytes.u8()? };
    if flags == TEXT {
        *game = chess::pgn::read_game(bytes.str()?.as_bytes()).ok_or(bytes.damage())?;
        let names: Vec<String> = game.tags().map(|(name, _)| name.to_string()).collect();
        names.iter().for_each(|name| {
            game.remove_tag(name);
        });
        return Ok(());
    }
    let start = read_start(flags, &mut bytes)?;
    game.restart(start.unwrap_or_default());
    read_mainline(moves, game)?;
    if extras.is_empty() {
        return Ok(());
    }
    let nodes = read_lines(&mut bytes, game)?;
    read_notes(&mut bytes, &nodes, game)?;
    read_nags(&mut bytes, &nodes, game)
}

fn read_mainline(moves: Moves, game: &mut Game) -> Result<(), Damage> {
    let usual = *game.start() == Board::default();
    let numbered = numbered(moves, Some(game.start()).filter(|_| !usual))?;
    let tree = game.tree_mut();
    tree.reserve(moves.bytes.len());
    let mut node = NodeId::ROOT;
    each_move(moves, numbered, |m| node = tree.add_child(node, m))
}

/// A mainline, or the end of one, without the rest of its game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The position before the first move.
    pub start: Board,
    /// The moves of the mainline before these.
    pub skipped: u32,
    /// The moves.
    pub moves: Vec<Move>,
}

/// Reads a mainline.
pub(crate) fn read_line(moves: Moves, extras: &[u8], line: &mut Line) -> Result<(), Damage> {
    line.skipped = 0;
    line.moves.clear();
    line.moves.reserve(moves.bytes.len());
    let start = start_of(extras)?;
    let numbered = numbered(moves, start.as_ref())?;
    line.start = start.unwrap_or_default();
    each_move(moves, numbered, |m| line.moves.push(m))
}

/// Reads the end of a mainline that begins as usual, from the first position with at most this many
/// pieces, or the last one. False if its moves need a full board.
pub(crate) fn read_end(moves: Moves, men: u32, line: &mut Line) -> Result<bool, Damage> {
    if moves.wide {
        return Ok(false);
    }
    let mut numbered = Numbered::usual().clone();
    let mut bytes = Bytes::new(moves.bytes, "moves");
    let mut skipped = 0;
    while numbered.men() > men && !bytes.is_empty() {
        numbered.step(&mut bytes)?;
        skipped += 1;
    }
    let Some(start) = numbered.board() else {
        return Ok(false);
    };
    line.start = start;
    line.skipped = skipped;
    line.moves.clear();
    line.moves.reserve(bytes.len());
    while !bytes.is_empty() {
        line.moves.push(numbered.step(&mut bytes)?);
    }
    Ok(true)
}

/// The pieces before the first move, if the moves need them; the game begins as usual without
/// `start`.
fn numbered(moves: Moves, start: Option<&Board>) -> Result<Option<Numbered>, Damage> {
    match start {
        _ if moves.wide => Ok(None),
        None => Ok(Some(Numbered::usual().clone())),
        Some(start) => Numbered::new(start).map(Some).ok_or(Damage("moves")),
    }
}

/// Calls `each` with every move.
#[inline]
fn each_move(
    moves: Moves,
    numbered: Option<Numbered>,
    mut each: impl FnMut(Move),
) -> Result<(), Damage> {
    let Some(mut numbered) = numbered else {
        return wide_moves(moves.bytes).try_for_each(|m| m.map(&mut each));
    };
    let mut bytes = Bytes::new(moves.bytes, "moves");
    while !bytes.is_empty() {
        each(numbered.step(&mut bytes)?);
    }
    Ok(())
}

/// Adds the lines beside the mainline and returns all nodes in the order of storage.
fn read_lines(bytes: &mut Bytes, game: &mut Game) -> Result<Vec<NodeId>, Damage> {
    let tree = game.tree_mut();
    let mut nodes = vec![NodeId::ROOT];
    append_line(tree, &mut nodes);
    let mut at = 0;
    for _ in 0..bytes.count_within()? {
        at += bytes.count()?;
        let mut node = *nodes.get(at).ok_or(bytes.damage())?;
        let len = bytes.count_within()?;
        for m in wide_moves(bytes.take(2 * len)?) {
            node = tree.add_child(node, m?);
            nodes.push(node);
        }
    }
    Ok(nodes)
}

fn read_notes(bytes: &mut Bytes, nodes: &[NodeId], game: &mut Game) -> Result<(), Damage> {
    let count = bytes.count_within()?;
    let mut notes = Vec::with_capacity(count);
    let mut at = 0;
    for _ in 0..count {
        at += bytes.count()?;
        let node = *nodes.get(at).ok_or(bytes.damage())?;
        let code = bytes.u8()?;
        let kind = *NOTE_KINDS
            .get(usize::from(code / 3))
            .ok_or(bytes.damage())?;
        let place = match code % 3 {
            0 => NotePlace::Before,
            1 => NotePlace::After,
            _ => {
                let count = u16::try_from(bytes.varint()?).map_err(|_| bytes.damage())?;
                NotePlace::AfterAlternatives(count)
            }
        };
        let text = game.add_text(bytes.str()?);
        notes.push((node, Note { kind, place, text }));
    }
    game.add_notes(notes);
    Ok(())
}

fn read_nags(bytes: &mut Bytes, nodes: &[NodeId], game: &mut Game) -> Result<(), Damage> {
    let mut at = 0;
    let mut pending: (NodeId, Vec<u32>) = (NodeId::ROOT, Vec::new());
    for _ in 0..bytes.count_within()? {
        at += bytes.count()?;
        let node = *nodes.get(at).ok_or(bytes.damage())?;
        if node != pending.0 && !pending.1.is_empty() {
            game.set_nags(pending.0, pending.1.drain(..));
        }
        pending.0 = node;
        pending.1.push(bytes.varint32()?);
    }
    if !pending.1.is_empty() {
        game.set_nags(pending.0, pending.1);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comes_back(text: &str) {
        let mut game = chess::pgn::read_game(text.as_bytes()).unwrap();
        let (mut wide, mut extras) = (Vec::new(), Vec::new());
        put_wide(game.mainline_moves(), &mut wide);
        put_extras(&game, has_branches(game.tree()), &mut extras);
        let moves = Moves {
            bytes: &wide,
            wide: true,
        };
        let mut back = Game::default();
        read_game(moves, &extras, &mut back).unwrap();
        let tags: Vec<String> = game.tags().map(|(name, _)| name.into()).collect();
        let outcome = game.outcome();
        tags.iter().for_each(|name| {
            game.remove_tag(name);
        });
        back.set_outcome(outcome);
        assert_eq!(back, game, "{text}");
    }

    #[test]
    fn nothing_is_lost() {
        comes_back("1. e4 e5 *");
        comes_back(
            "{start} 1. e4 $1 $200 {a} (1. d4 {b} d5 (1... Nf6 2. c4) 2. c4) (1. c4) {c} 1... e5 ; rest\n 2. Nf3 1-0",
        );
        comes_back(
            "1. e4 e5 (1... c5 2. Nf3 (2. Nc3 Nc6 (2... a6)) 2... d6) 2. -- Nc6 foo 3. Zz9 bar *",
        );
        comes_back(
            "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 3 40\"]\n[SetUp \"1\"]\n\n40... Kd7 41. e4 *",
        );
        comes_back("[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 P@h3 *");
        comes_back("% escaped\n\n1. e4 *");
    }

    #[test]
    fn ends_are_those_of_the_whole_line() {
        let text = "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qxg2 4. Bxg2 Bh3 5. Bxh3 f5 6. Bxf5 g6 7. Bxg6+ hxg6 8. Qh5 Rxh5 9. d4 c5 10. dxc5 b5 11. cxb6 Nc6 *";
        let game = chess::pgn::read_game(text.as_bytes()).unwrap();
        assert_eq!(game.mainline_moves().count(), 22);
        let mut track = Numbered::usual().clone();
        let mut coded = Vec::new();
        for m in game.mainline_moves() {
            let start = coded.len();
            assert!(track.encode(m, &mut coded));
            track
                .step(&mut Bytes::new(&coded[start..], "moves"))
                .unwrap();
        }
        let moves = Moves {
            bytes: &coded,
            wide: false,
        };
        let (mut whole, mut end) = (Line::default(), Line::default());
        read_line(moves, &[], &mut whole).unwrap();
        assert_eq!(whole.moves, game.mainline_moves().collect::<Vec<_>>());
        for men in 2..=32 {
            assert!(read_end(moves, men, &mut end).unwrap());
            let mut board = whole.start.clone();
            let mut skipped = 0;
            for &m in &whole.moves {
                if board.occupied().count() as u32 <= men {
                    break;
                }
                board.play(m);
                skipped += 1;
            }
            assert_eq!(end.skipped, skipped, "{men}");
            assert_eq!(end.moves, whole.moves[skipped as usize..]);
            assert_eq!(end.start.board_fen(), board.board_fen());
            assert_eq!(end.start.turn(), board.turn());
        }
    }

    #[test]
    fn damaged_bytes_are_refused() {
        let game = chess::pgn::read_game(b"1. e4 {a} e5 (1... c5 $3) *").unwrap();
        let mut extras = Vec::new();
        put_extras(&game, true, &mut extras);
        for len in 1..extras.len() {
            let moves = Moves {
                bytes: &[],
                wide: true,
            };
            assert!(read_game(moves, &extras[..len], &mut Game::default()).is_err());
        }
    }
}
