//! The reader: line by line as `chess.pgn.read_game` does, with moves checked by our own board.
//!
//! It differs in one place: after an unreadable move in a variation it continues behind the
//! variation with the right position.

use std::ops::Range;

use memchr::{memchr, memchr3};

use chess::{Board, Move, Variant};

use super::lines::{Line, LineError, Lines, is_blank, is_escaped, is_space};
use super::record::Recording;
use super::san;
use super::scan::{Token, next_token};

/// How much of a game is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    Game,
    Headers,
    Nothing,
}

/// What was found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// The end of the file.
    Nothing,
    Game,
    /// A game that this reader does not understand. Its first lines have been read.
    Unsupported,
}

/// Reads one game into an empty recording.
pub fn read(
    lines: &mut Lines<'_, '_>,
    extent: Extent,
    recording: &mut Recording,
) -> Result<Found, LineError> {
    let Some(line) = first_line(lines)? else {
        return Ok(Found::Nothing);
    };
    let line = read_tags(lines, line, extent, recording)?;
    if extent != Extent::Game {
        skip_movetext(lines, line)?;
        return Ok(Found::Game);
    }
    let Some(board) = initial_board(recording) else {
        return Ok(Found::Unsupported);
    };
    recording.chess960 = board.is_chess960();
    match Movetext::new(board, recording).read(lines, line) {
        Ok(()) => Ok(Found::Game),
        Err(Stop::Unsupported) => Ok(Found::Unsupported),
        Err(Stop::Line(error)) => Err(error),
    }
}

/// The first line of the game: neither blank nor escaped.
fn first_line(lines: &mut Lines<'_, '_>) -> Result<Option<Line>, LineError> {
    let mut line = lines.read()?;
    while lines.bytes(line).starts_with("\u{feff}".as_bytes()) {
        line.start += "\u{feff}".len();
    }
    while is_blank(lines.bytes(line)) || is_escaped(lines.bytes(line)) {
        line = lines.read()?;
    }
    Ok((!line.is_empty()).then_some(line))
}

/// Reads tags up to the line where movetext starts. One blank line may follow each tag.
fn read_tags(
    lines: &mut Lines<'_, '_>,
    mut line: Line,
    extent: Extent,
    recording: &mut Recording,
) -> Result<Line, LineError> {
    let mut after_blank = false;
    while !line.is_empty() {
        let bytes = lines.bytes(line);
        if is_escaped(bytes) {
            // no part of the game
        } else if !after_blank && is_blank(bytes) {
            after_blank = true;
        } else if let Some(tag) = tag_line(bytes) {
            after_blank = false;
            if extent != Extent::Nothing
                && let Some((name, value)) = split_tag(tag)
            {
                recording.push_tag(name, value);
            }
        } else {
            break;
        }
        line = lines.read()?;
    }
    Ok(line)
}

/// The line without surrounding blanks, if it starts with a bracket.
fn tag_line(line: &[u8]) -> Option<&[u8]> {
    let line = line.trim_ascii();
    match line {
        [b'[', .., b']'] => Some(line),
        [first, ..] if first.is_ascii_graphic() && *first != b'[' => None,
        // Other blanks than those of ASCII.
        _ => {
            let line = std::str::from_utf8(line).ok()?.trim_matches(is_space);
            line.starts_with('[').then_some(line.as_bytes())
        }
    }
}

/// The name and the value of `[Name "value"]`.
fn split_tag(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let body = line.strip_prefix(b"[")?.strip_suffix(b"\"]")?;
    let quote = memchr(b'"', body)?;
    let (head, value) = (&body[..quote], &body[quote + 1..]);
    let is_inner = |b: &u8| b.is_ascii_alphanumeric() || b"_+#=:-".contains(b);
    let name_len = head.iter().take_while(|b| is_inner(b)).count();
    let (name, gap) = head.split_at(name_len);
    let starts_well = name.first().is_some_and(u8::is_ascii_alphanumeric);
    (starts_well && is_blank(gap) && memchr(b'\r', value).is_none()).then_some((name, value))
}

/// Passes over the rest of a game.
fn skip_movetext(lines: &mut Lines<'_, '_>, mut line: Line) -> Result<(), LineError> {
    let mut in_comment = false;
    while !line.is_empty() {
        let bytes = lines.bytes(line);
        if in_comment || !bytes.starts_with(b"%") {
            if !in_comment && is_blank(bytes) {
                break;
            }
            in_comment = ends_in_comment(bytes, in_comment);
        }
        line = lines.read()?;
    }
    Ok(())
}

/// True if a comment in braces is open at the end of the line.
fn ends_in_comment(line: &[u8], mut in_comment: bool) -> bool {
    let mut at = 0;
    while let Some(offset) = memchr3(b'{', b'}', b';', &line[at..]) {
        match line[at + offset] {
            b'{' => in_comment = true,
            b'}' => in_comment = false,
            _ if in_comment => {}
            _ => break,
        }
        at += offset + 1;
    }
    in_comment
}

/// The position that the tags give; `None` if `chess.Board` has to read it.
fn initial_board(recording: &Recording) -> Option<Board> {
    let variant = match recording.tag(b"Variant") {
        Some(name) => variant_of_tag(name)?,
        None => Variant::Standard,
    };
    let Some(fen) = recording.tag(b"FEN") else {
        return Some(Board::for_variant(variant));
    };
    if !variant.is_chess() {
        return Some(Board::for_variant(variant)).filter(|board| board.fen() == fen);
    }
    board_of_fen(fen, variant)
}

/// The position of a FEN of chess; `None` if `chess.Board` may understand it in another way.
pub fn board_of_fen(fen: &str, variant: Variant) -> Option<Board> {
    let (board, warnings) = Board::read_fen(fen, variant).ok()?;
    // Both libraries agree on a text that is written like this.
    let same = board.fen().split(' ').take(3).eq(fen.split(' ').take(3));
    (warnings.is_empty() && same).then_some(board)
}

/// The variant, by the names that `chess.pgn` knows. Suicide and Giveaway are not among ours.
fn variant_of_tag(name: &str) -> Option<Variant> {
    Some(match name.to_ascii_lowercase().as_str() {
        "standard" | "chess" | "classical" | "normal" | "illegal" | "from position" | "wild/0"
        | "wild/1" | "wild/2" | "wild/3" | "wild/4" | "wild/5" | "wild/6" | "wild/7" | "wild/8"
        | "wild/8a" => Variant::Standard,
        "chess960" | "chess 960" | "fischerandom" | "fischerrandom" | "fischer random" => {
            Variant::Chess960
        }
        "antichess" | "anti chess" | "anti" => Variant::Antichess,
        "atomic" | "atom" | "atomic chess" => Variant::Atomic,
        "king of the hill" | "koth" | "kingofthehill" => Variant::KingOfTheHill,
        "racing kings" | "racing" | "race" | "racingkings" => Variant::RacingKings,
        "horde" | "horde chess" => Variant::Horde,
        "three-check" | "three check" | "threecheck" | "three check chess" | "3-check"
        | "3 check" | "3check" => Variant::ThreeCheck,
        "crazyhouse" | "crazy house" | "house" | "zh" => Variant::Crazyhouse,
        _ => return None,
    })
}

/// Why reading movetext ended early.
enum Stop {
    Line(LineError),
    Unsupported,
}

impl From<LineError> for Stop {
    fn from(error: LineError) -> Stop {
        Stop::Line(error)
    }
}

/// A line of moves: the game or a variation.
struct Level {
    board: Board,
    /// An earlier position of this line, and the number of its first move in `Movetext::moves`. The
    /// position before the last move is computed from it when a variation starts.
    base: Board,
    first: usize,
    /// How many moves lead to the position.
    plies: u32,
}

/// The reader of movetext.
struct Movetext<'a> {
    recording: &'a mut Recording,
    levels: Vec<Level>,
    /// The moves of each open line since its base.
    moves: Vec<Move>,
    /// Within skipped text: the number of open parentheses and 1.
    skipped_depth: u32,
}

impl Movetext<'_> {
    fn new(board: Board, recording: &mut Recording) -> Movetext<'_> {
        let level = Level {
            base: board.clone(),
            board,
            first: 0,
            plies: 0,
        };
        Movetext {
            recording,
            levels: vec![level],
            moves: Vec::new(),
            skipped_depth: 0,
        }
    }

    /// Reads up to a blank line outside comments.
    fn read(&mut self, lines: &mut Lines<'_, '_>, mut line: Line) -> Result<(), Stop> {
        while !line.is_empty() {
            let bytes = lines.bytes(line);
            if !is_escaped(bytes) {
                if is_blank(bytes) {
                    break;
                }
                // A comment goes on over several lines, and so may the rest behind it.
                while let Some(brace) = self.read_tokens(lines.text(), line)? {
                    line = self.read_comment(lines, brace, line)?;
                }
            }
            line = lines.read()?;
        }
        Ok(())
    }

    /// Reads the tokens of a line up to a comment in braces, and returns where that starts.
    fn read_tokens(&mut self, all: &[u8], line: Line) -> Result<Option<usize>, Stop> {
        let text = &all[..line.end];
        let mut at = line.start;
        while let Some((token, start, end)) = next_token(text, at) {
            match token {
                Token::Brace => return Ok(Some(end)),
                Token::Semicolon => break,
                Token::Open => self.open()?,
                Token::Close => self.close(),
                _ if self.skipped_depth > 0 => {}
                Token::Move => self.play(all, start..end),
                Token::Dollar => self.push_nag(&text[start + 1..end])?,
                Token::Marks => self.recording.push_nag(mark_nag(&text[start..end])),
                Token::Result => self.end_line(&text[start..end]),
            }
            at = end;
        }
        Ok(None)
    }

    /// Reads a comment whose brace ends at `start`. Returns the rest of its last line.
    fn read_comment(
        &mut self,
        lines: &mut Lines<'_, '_>,
        start: usize,
        mut line: Line,
    ) -> Result<Line, LineError> {
        // One blank on each side belongs to the braces.
        let is_blank_at = |lines: &Lines<'_, '_>, at: usize| lines.text()[at] == b' ';
        let start = start + usize::from(start < line.end && is_blank_at(lines, start));
        let mut from = start;
        let close = loop {
            if let Some(offset) = memchr(b'}', &lines.text()[from..line.end]) {
                break Some(from + offset);
            }
            line = lines.read()?;
            if line.is_empty() {
                break None;
            }
            from = line.start;
        };
        let end = close.unwrap_or(line.end);
        if self.skipped_depth == 0 {
            let trimmed = close.is_some() && end > from && is_blank_at(lines, end - 1);
            let text = &lines.text()[start..end - usize::from(trimmed)];
            self.recording.push_comment(text);
        }
        line.start = close.map_or(line.end, |close| close + 1);
        Ok(line)
    }

    fn open(&mut self) -> Result<(), Stop> {
        if self.skipped_depth > 0 {
            self.skipped_depth += 1;
            return Ok(());
        }
        let Some(level) = self.levels.last_mut().filter(|level| level.plies > 0) else {
            return Ok(());
        };
        // `((`: the position before is not at hand.
        let Some((&last, earlier)) = self.moves[level.first..].split_last() else {
            return Err(Stop::Unsupported);
        };
        earlier.iter().for_each(|&m| level.base.play(m));
        self.moves.truncate(level.first);
        self.moves.push(last);
        let variation = Level {
            board: level.base.clone(),
            base: level.base.clone(),
            first: self.moves.len(),
            plies: level.plies - 1,
        };
        self.recording.begin_variation();
        self.levels.push(variation);
        Ok(())
    }

    fn close(&mut self) {
        if self.skipped_depth > 1 {
            self.skipped_depth -= 1;
        } else if self.levels.len() > 1 {
            self.skipped_depth = 0;
            let variation = self.levels.pop();
            self.moves
                .truncate(variation.map_or(0, |variation| variation.first));
            self.recording.end_variation();
        }
    }

    #[inline]
    fn play(&mut self, text: &[u8], token: Range<usize>) {
        let Some(level) = self.levels.last_mut() else {
            return;
        };
        let played = match level.board.play_plain_san(text, token.clone()) {
            Some(m) => Some(m),
            None => san::play(&mut level.board, &text[token.clone()]),
        };
        match played {
            Some(m) => {
                level.plies += 1;
                self.moves.push(m);
                self.recording.push_move(m);
            }
            None => self.fail(&text[token]),
        }
    }

    /// Notes an unreadable move and passes over the rest of its line.
    fn fail(&mut self, token: &[u8]) {
        self.recording.push_problem(token);
        self.skipped_depth = 1;
    }

    fn push_nag(&mut self, digits: &[u8]) -> Result<(), Stop> {
        let nag = std::str::from_utf8(digits)
            .ok()
            .and_then(|digits| digits.parse().ok());
        self.recording.push_nag(nag.ok_or(Stop::Unsupported)?);
        Ok(())
    }

    /// A result ends the game; in a variation it is an unreadable move.
    fn end_line(&mut self, token: &[u8]) {
        if self.levels.len() > 1 {
            return self.fail(token);
        }
        let result = match token {
            b"1-0" => "1-0",
            b"0-1" => "0-1",
            b"*" => return,
            _ => "1/2-1/2",
        };
        self.recording.result.get_or_insert(result);
    }
}

fn mark_nag(marks: &[u8]) -> u32 {
    match marks {
        b"!" => 1,
        b"?" => 2,
        b"!!" => 3,
        b"??" => 4,
        b"!?" => 5,
        _ => 6,
    }
}
