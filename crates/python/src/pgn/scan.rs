//! The tokens of movetext, exactly those that `chess.pgn` finds; everything else is passed over.

/// A token and where it ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Token {
    /// A move in some notation.
    Move,
    /// `{`: the start of a comment.
    Brace,
    /// `;`: the rest of the line is a comment.
    Semicolon,
    /// `$` with digits.
    Dollar,
    /// `(`
    Open,
    /// `)`
    Close,
    /// `1-0`, `0-1`, `1/2-1/2`, `*`
    Result,
    /// `!`, `?!` and so on.
    Marks,
}

/// The next token at or after `at`: its kind, start and end.
#[inline]
pub fn next_token(text: &[u8], mut at: usize) -> Option<(Token, usize, usize)> {
    while let Some(&first) = text.get(at) {
        if let [b'1'..=b'9', b'0'..=b'9' | b'.', ..] = text[at..] {
            // A move number.
            at += 1;
        } else if STARTS[first as usize]
            && let Some((token, len)) = token_at(&text[at..])
        {
            return Some((token, at, at + len));
        } else {
            at += 1;
        }
    }
    None
}

#[inline]
fn token_at(text: &[u8]) -> Option<(Token, usize)> {
    let one = |token| Some((token, 1));
    match text[0] {
        b'{' => one(Token::Brace),
        b';' => one(Token::Semicolon),
        b'(' => one(Token::Open),
        b')' => one(Token::Close),
        b'*' => one(Token::Result),
        b'!' | b'?' => {
            let two = matches!(text.get(1), Some(b'!' | b'?'));
            Some((Token::Marks, 1 + usize::from(two)))
        }
        b'$' => {
            let digits = text[1..].iter().take_while(|b| b.is_ascii_digit()).count();
            (digits > 0).then_some((Token::Dollar, 1 + digits))
        }
        _ => match move_len(text) {
            Some(len) => Some((Token::Move, len)),
            None => special_move_or_result(text),
        },
    }
}

/// Drops, null moves, castling, results.
fn special_move_or_result(text: &[u8]) -> Option<(Token, usize)> {
    let moves = |len| Some((Token::Move, len));
    match text {
        [b'P' | b'N' | b'B' | b'R' | b'Q' | b'K', b'@', f, r, ..] if is_square(*f, *r) => moves(4),
        [b'@', f, r, ..] if is_square(*f, *r) => moves(3),
        [b'-', b'-', ..] | [b'Z', b'0', ..] => moves(2),
        [b'0', b'0', b'0', b'0', ..] | [b'@', b'@', b'@', b'@', ..] => moves(4),
        [b'O', b'-', b'O', b'-', b'O', ..] | [b'0', b'-', b'0', b'-', b'0', ..] => moves(5),
        [b'O', b'-', b'O', ..] | [b'0', b'-', b'0', ..] => moves(3),
        [b'1', b'-', b'0', ..] | [b'0', b'-', b'1', ..] => Some((Token::Result, 3)),
        _ if text.starts_with(b"1/2-1/2") => Some((Token::Result, 7)),
        _ => None,
    }
}

/// The length of a move like `e4`, `Nbd2`, `e7-e8=Q`, `g1f3`.
#[inline]
fn move_len(text: &[u8]) -> Option<usize> {
    let byte = |at: usize| text.get(at).copied().unwrap_or(0);
    let start = usize::from(matches!(byte(0), b'N' | b'B' | b'K' | b'R' | b'Q'));
    let square_at = |at: usize| is_square(byte(at), byte(at + 1)).then_some(at + 2);
    let after_separator = |at: usize| square_at(at + usize::from(is_separator(byte(at))));
    let end = match (byte(start), byte(start + 1)) {
        (f, r) if is_square(f, r) => after_separator(start + 2).unwrap_or(start + 2),
        (b'a'..=b'h' | b'1'..=b'8', _) => after_separator(start + 1)?,
        _ => after_separator(start)?,
    };
    Some(end + promotion_len(byte(end), byte(end + 1)))
}

fn promotion_len(first: u8, second: u8) -> usize {
    let is_piece = |b: u8| matches!(b.to_ascii_lowercase(), b'n' | b'b' | b'r' | b'q' | b'k');
    if first == b'=' && is_piece(second) {
        2
    } else {
        usize::from(is_piece(first))
    }
}

#[inline]
fn is_square(file: u8, rank: u8) -> bool {
    matches!(file, b'a'..=b'h') && matches!(rank, b'1'..=b'8')
}

#[inline]
fn is_separator(byte: u8) -> bool {
    matches!(byte, b'-' | b'x')
}

/// The bytes that a token can start with.
static STARTS: [bool; 256] = {
    let mut starts = [false; 256];
    let bytes = b"NBKRQPabcdefgh012345678-x@ZO{;$()*!?";
    let mut at = 0;
    while at < bytes.len() {
        starts[bytes[at] as usize] = true;
        at += 1;
    }
    starts
};
