//! Rewriting a query: with ASCII or Unicode signs, or as a page.
//!
//! Only words and signs are rewritten; comments, blanks and quoted text stay the same.

use crate::diagnostic::{CompileError, Span};
use crate::lex::{Token, TokenKind, UNICODE, lex};

/// The query with ASCII signs only, except in quoted text and comments.
pub fn to_ascii(source: &str) -> Result<String, CompileError> {
    rewritten(source, ascii)
}

/// The query with the signs of CQL 6.2 for pieces, moves, sets and comparisons.
pub fn to_unicode(source: &str) -> Result<String, CompileError> {
    rewritten(source, unicode)
}

/// The query as a page with coloured words, pieces, numbers, texts and comments.
pub fn to_html(source: &str, title: &str) -> Result<String, CompileError> {
    let mut body = String::new();
    let (parts, rest) = parts(source)?;
    for Part { gap, token, text } in parts {
        body += &comment(gap);
        body += &match class(&token) {
            Some(class) => format!("<span class=\"{class}\">{}</span>", escaped(text)),
            None => escaped(text),
        };
    }
    body += &comment(rest);
    let title = escaped(title);
    Ok(format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n\
         <pre>{body}</pre>\n</body>\n</html>\n"
    ))
}

const STYLE: &str = "\
body { font-family: sans-serif; margin: 2em; }
pre { font-size: 1.1em; line-height: 1.4; }
.word { color: #0b4f8a; }
.piece { color: #8a2b0b; }
.number { color: #5b3a91; }
.text { color: #2a6f2a; }
.comment { color: #707070; font-style: italic; }
";

/// A token as written, and the blanks and comments before it.
struct Part<'s> {
    gap: &'s str,
    token: Token<'s>,
    text: &'s str,
}

/// The tokens of the text in order, and the text after the last.
fn parts(source: &str) -> Result<(Vec<Part<'_>>, &str), CompileError> {
    let (tokens, errors) = lex(source);
    if !errors.is_empty() {
        return Err(CompileError::new(source, errors));
    }
    let mut done = 0;
    let written = tokens.into_iter().filter(|t| t.span.start < t.span.end);
    let parts = written.map(|token| {
        let gap = Span::new(done, token.span.start as usize).of(source);
        done = token.span.end as usize;
        let text = token.span.of(source);
        Part { gap, token, text }
    });
    let parts = parts.collect();
    Ok((parts, &source[done..]))
}

fn rewritten(
    source: &str,
    spell: fn(&Token<'_>, &str) -> Option<String>,
) -> Result<String, CompileError> {
    let mut out = String::new();
    let (parts, rest) = parts(source)?;
    for Part { gap, token, text } in parts {
        let text = spell(&token, text).unwrap_or_else(|| text.into());
        out += gap;
        // words that were separated by a sign must not run together
        if gap.is_empty() && out.ends_with(is_of_word) && text.starts_with(is_of_word) {
            out.push(' ');
        }
        out += &text;
    }
    Ok(out + rest)
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

fn ascii(token: &Token<'_>, text: &str) -> Option<String> {
    match token.kind {
        _ if text.is_ascii() => None,
        TokenKind::Word | TokenKind::Symbol => Some(token.text.into()),
        TokenKind::Dash { capture, .. } => Some(if capture { "[x]" } else { "--" }.into()),
        TokenKind::PieceDeclaration => Some("[Aa]".into()),
        TokenKind::Designator(_) => Some(ascii_designator(text)),
        _ => None,
    }
}

/// `♕♛a3` is `[Qq]a3`.
fn ascii_designator(text: &str) -> String {
    let is_sign = |c: char| ascii_piece(c).is_some();
    let (signs, rest) = match text.strip_prefix('[').and_then(|t| t.split_once(']')) {
        Some(parts) => parts,
        None => text.split_at(text.find(|c| !is_sign(c)).unwrap_or(text.len())),
    };
    let letters = |c: char| ascii_piece(c).map_or_else(|| c.to_string(), String::from);
    let pieces: String = signs.chars().map(letters).collect();
    match pieces.len() {
        1 => pieces + rest,
        _ => format!("[{pieces}]{rest}"),
    }
}

fn ascii_piece(c: char) -> Option<&'static str> {
    let piece = PIECES.iter().find(|(sign, _)| *sign == c);
    piece.map(|(_, letters)| *letters)
}

fn unicode(token: &Token<'_>, text: &str) -> Option<String> {
    match token.kind {
        _ if !text.is_ascii() => None,
        TokenKind::Word | TokenKind::Symbol => {
            let sign = UNICODE.iter().find(|(_, ascii)| *ascii == text);
            sign.map(|(sign, _)| (*sign).into())
        }
        TokenKind::Dash { capture, .. } => Some(if capture { "×" } else { "――" }.into()),
        TokenKind::PieceDeclaration => Some("◭".into()),
        TokenKind::Designator(d) if d.names_pieces => Some(unicode_designator(text)),
        _ => None,
    }
}

/// `[Qq]a3` is `♕♛a3`.
fn unicode_designator(text: &str) -> String {
    let (pieces, rest) = match text.strip_prefix('[').and_then(|t| t.split_once(']')) {
        Some(parts) => parts,
        None => text.split_at(1),
    };
    let sign = |letter: char| {
        let piece = PIECES
            .iter()
            .find(|(_, l)| l.starts_with(letter) && l.len() == 1);
        piece.map_or(letter, |(sign, _)| *sign)
    };
    let signs: String = pieces.replace("Aa", "◭").chars().map(sign).collect();
    signs + rest
}

/// The signs of pieces and their letters.
const PIECES: [(char, &str); 16] = [
    ('♔', "K"),
    ('♕', "Q"),
    ('♖', "R"),
    ('♗', "B"),
    ('♘', "N"),
    ('♙', "P"),
    ('♚', "k"),
    ('♛', "q"),
    ('♜', "r"),
    ('♝', "b"),
    ('♞', "n"),
    ('♟', "p"),
    ('△', "A"),
    ('▲', "a"),
    ('◭', "Aa"),
    ('□', "_"),
];

fn class(token: &Token<'_>) -> Option<&'static str> {
    match token.kind {
        TokenKind::Word => Some("word"),
        TokenKind::Designator(_) | TokenKind::PieceDeclaration => Some("piece"),
        TokenKind::Number(_) => Some("number"),
        TokenKind::Text => Some("text"),
        _ => None,
    }
}

/// The text between tokens: blanks and comments.
fn comment(text: &str) -> String {
    if text.trim().is_empty() {
        escaped(text)
    } else {
        format!("<span class=\"comment\">{}</span>", escaped(text))
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_and_letters() {
        let pairs = [
            ("Ra1 [Qq]a-h3 _e4 [Aa] a1", "♖a1 ♕♛a-h3 □e4 ◭ a1"),
            ("A--k [x] Q[x]p", "△――♚ × ♕×♟"),
            ("flip {K<=3} // K stays", "✵ {♔≤3} // K stays"),
            ("x=\"K & k\" P & p | n", "x=\"K & k\" ♙ ∩ ♟ ∪ ♞"),
            ("[forall] x [element] P x->k", "∀ x ∊ ♙ x→♚"),
        ];
        for (ascii, unicode) in pairs {
            assert_eq!(to_unicode(ascii).as_deref(), Ok(unicode));
            assert_eq!(to_ascii(unicode).as_deref(), Ok(ascii));
        }
    }

    #[test]
    fn words_do_not_run_together() {
        assert_eq!(to_ascii("⊢◎♘――").as_deref(), Ok("path focus N--"));
        assert_eq!(
            to_ascii("∀x∊♙ check").as_deref(),
            Ok("[forall]x[element]P check")
        );
    }

    #[test]
    fn a_page_shows_the_text() {
        let page = to_html("mate // <b>\nQ>1", "q.cql").unwrap();
        assert!(page.contains("<span class=\"word\">mate</span>"));
        assert!(page.contains("// &lt;b&gt;"));
        assert!(to_html("\"open", "q.cql").is_err());
    }
}
