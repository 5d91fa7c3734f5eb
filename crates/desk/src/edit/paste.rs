//! PGN that is merged into a game: where its moves fit, and what could not be read.

use std::fmt;

use chess::pgn::{
    Complaint, ComplaintKind, Game, Note, NoteKind, NotePlace, Severity, Style, read_game,
    replace_braces, split,
};
use chess::{Board, Identity, Variant};
use tree::NodeId;

use super::error::EditError;

/// A game to merge at a node.
#[derive(Debug)]
pub(super) struct Pasted {
    /// The node from which its moves start.
    pub(super) at: NodeId,
    /// Its moves.
    pub(super) piece: Game,
    /// The parts that do not become moves.
    pub(super) left: LeftOut,
}

/// The parts of pasted PGN that do not become moves, as the end of a message.
#[derive(Debug)]
pub(super) struct LeftOut {
    unread: Option<Unread>,
    has_tags: bool,
}

/// Text that could not be read as moves, for messages.
#[derive(Debug)]
pub(crate) struct Unread {
    /// The first complaint.
    first: Complaint,
    /// The number of complaints.
    count: usize,
}

impl Unread {
    /// The unreadable text of games.
    pub(crate) fn of(games: &[Game]) -> Option<Unread> {
        let is_text = |complaint: &&Complaint| {
            let kind = complaint.kind;
            kind.severity() == Severity::Error || kind == ComplaintKind::UnknownWord
        };
        let complaints = games.iter().flat_map(Game::complaints);
        let mut found = complaints.filter(is_text);
        let first = found.next()?.clone();
        let count = 1 + found.count();
        Some(Unread { first, count })
    }
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Complaint { kind, excerpt, .. } = &self.first;
        write!(f, "{excerpt:?} ({kind})")?;
        match self.count - 1 {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

/// Reads one game from the current node or from the start: where it can be read without errors,
/// then where its move numbers are right, then where more moves can be read.
pub(super) fn read(game: &Game, at: NodeId, text: &str) -> Result<Pasted, EditError> {
    let text = text.trim_start_matches('\u{feff}').trim();
    if split(text.as_bytes()).count() > 1 {
        return Err(EditError::SeveralGames);
    }
    let own = read_game(text.as_bytes()).ok_or(EditError::NoMoves)?;
    let mut places = vec![at];
    if at != NodeId::ROOT {
        places.push(NodeId::ROOT);
    }
    let readings: Vec<(NodeId, Game)> = if own.tag("FEN").is_some() {
        refuse_bad_start(&own)?;
        let start = own.start().key(Identity::Strict);
        places.retain(|&place| game.board_at(place).key(Identity::Strict) == start);
        let first = places.first().ok_or(EditError::OtherStart)?;
        vec![(*first, own.clone())]
    } else {
        let read = |place: NodeId| Some((place, read_from(&game.board_at(place), text)?));
        places.into_iter().filter_map(read).collect()
    };
    // The last of equal readings wins, so the current node comes last.
    let best = readings
        .into_iter()
        .rev()
        .max_by_key(|(_, game)| rank(game));
    let (at, mut piece) = best.ok_or(EditError::NoMoves)?;
    let unread = Unread::of(std::slice::from_ref(&piece));
    if piece.tree().is_terminal(NodeId::ROOT) {
        refuse_empty(&piece, unread.as_ref())?;
    }
    text_to_comments(&mut piece);
    let has_tags = own.tags().next().is_some();
    Ok(Pasted {
        at,
        piece,
        left: LeftOut { unread, has_tags },
    })
}

fn refuse_bad_start(game: &Game) -> Result<(), EditError> {
    let mut complaints = game.complaints().iter();
    match complaints.find(|complaint| complaint.kind == ComplaintKind::BadFen) {
        Some(bad) => Err(bad_moves(bad)),
        None => Ok(()),
    }
}

fn refuse_empty(game: &Game, unread: Option<&Unread>) -> Result<(), EditError> {
    match unread {
        Some(unread) => Err(bad_moves(&unread.first)),
        None if game.notes_at(NodeId::ROOT).any(Note::is_comment) => Ok(()),
        None => Err(EditError::NoMoves),
    }
}

fn bad_moves(complaint: &Complaint) -> EditError {
    EditError::BadMoves {
        message: complaint.kind.message().to_owned(),
        excerpt: complaint.excerpt.to_string(),
    }
}

fn read_from(board: &Board, text: &str) -> Option<Game> {
    let variant = match board.variant() {
        Variant::Standard => String::new(),
        variant => format!("[Variant \"{}\"]\n", variant.tag()),
    };
    let gap = if text.starts_with('[') { "" } else { "\n" };
    let text = format!("[FEN \"{}\"]\n{variant}{gap}{text}\n", board.fen());
    read_game(text.as_bytes())
}

/// Higher is better.
fn rank(game: &Game) -> (bool, bool, usize) {
    let has = |kind| game.complaints().iter().any(|found| found.kind == kind);
    let fits = Unread::of(std::slice::from_ref(game)).is_none();
    let is_numbered = !has(ComplaintKind::WrongNumber);
    (fits, is_numbered, game.tree().node_count())
}

/// Text that could not be read becomes a comment: between the moves of the game it would end its
/// line.
fn text_to_comments(piece: &mut Game) {
    let nodes: Vec<NodeId> = piece.tree().preorder().collect();
    for node in nodes {
        let notes: Vec<Note> = piece.notes_at(node).copied().collect();
        if notes.iter().all(Note::is_comment) {
            continue;
        }
        let notes: Vec<Note> = notes.into_iter().map(|note| comment(piece, note)).collect();
        piece.set_notes(node, notes);
    }
}

fn comment(piece: &mut Game, note: Note) -> Note {
    if matches!(note.kind, NoteKind::Comment(_)) {
        return note;
    }
    let text = replace_braces(piece.text(note.text)).into_owned();
    Note {
        kind: NoteKind::Comment(Style::Brace),
        place: NotePlace::After,
        text: piece.add_text(text.trim()),
    }
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(unread) = &self.unread {
            write!(f, "; kept as a comment: {unread}")?;
        }
        if self.has_tags {
            f.write_str("; its tags were left out")?;
        }
        Ok(())
    }
}
