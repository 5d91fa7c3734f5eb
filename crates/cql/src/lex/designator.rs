//! Piece designators: which pieces, on which squares.

/// A set of kinds of pieces (or empty squares) on a set of squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Designator {
    /// One bit for each of `PNBRQKpnbrqk`, and bit 12 for an empty square.
    pub pieces: u16,
    /// One bit a square, a1 first.
    pub squares: u64,
    /// The pieces were written explicitly.
    pub names_pieces: bool,
}

/// The letters in the order of the bits.
pub(crate) const LETTERS: &str = "PNBRQKpnbrqk_";
/// All white pieces.
pub(crate) const WHITE: u16 = 0b11_1111;
/// All black pieces.
pub(crate) const BLACK: u16 = WHITE << 6;
/// The empty square.
pub(crate) const EMPTY: u16 = 1 << 12;

/// Reads a designator at the beginning of a text.
pub(super) struct DesignatorReader<'t> {
    text: &'t str,
    rest: &'t str,
    problems: Vec<&'static str>,
}

impl<'t> DesignatorReader<'t> {
    pub(super) fn new(text: &'t str) -> DesignatorReader<'t> {
        DesignatorReader {
            text,
            rest: text,
            problems: Vec::new(),
        }
    }

    pub(super) fn consumed(&self) -> usize {
        self.text.len() - self.rest.len()
    }

    pub(super) fn problems(&self) -> &[&'static str] {
        &self.problems
    }

    /// Squares alone, pieces with squares, or pieces alone: the first that ends at the end of a
    /// word.
    pub(super) fn designator(&mut self) -> Option<Designator> {
        let start = self.rest;
        if let Some(squares) = self.squares()
            && self.ends()
        {
            return Some(Designator {
                pieces: WHITE | BLACK | EMPTY,
                squares,
                names_pieces: false,
            });
        }
        self.rest = start;
        let pieces = self.pieces()?;
        let after = self.rest;
        if let Some(squares) = self.squares()
            && self.ends()
        {
            return Some(Designator {
                pieces,
                squares,
                names_pieces: true,
            });
        }
        self.rest = after;
        if self.ends() {
            return Some(Designator {
                pieces,
                squares: !0,
                names_pieces: true,
            });
        }
        self.rest = start;
        None
    }

    /// `a1`, `a-c3-4`, `[a1,b-c2]`.
    pub(super) fn squares(&mut self) -> Option<u64> {
        let start = self.rest;
        let found = self.rectangle().or_else(|| self.rectangles());
        if found.is_none() {
            self.rest = start;
        }
        found
    }

    fn ends(&self) -> bool {
        let rest = self.rest;
        if ["[x]", "[<]", "[>]", "[<=]", "[>=]", "[element]"]
            .iter()
            .any(|s| rest.starts_with(s))
        {
            return true;
        }
        !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || "_$[]".contains(c))
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.rest.strip_prefix(c);
        self.rest = found.unwrap_or(self.rest);
        found.is_some()
    }

    fn letter(&mut self, first: char, last: char) -> Option<u32> {
        let c = self
            .rest
            .chars()
            .next()
            .filter(|c| (first..=last).contains(c))?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(c as u32 - first as u32)
    }

    /// One letter, or two with a dash between.
    fn range(&mut self, first: char, last: char) -> Option<(u32, u32)> {
        let low = self.letter(first, last)?;
        let before = self.rest;
        if self.eat('-')
            && let Some(high) = self.letter(first, last)
        {
            if high < low {
                self.problems.push("this range of squares runs backwards");
            }
            return Some((low.min(high), low.max(high)));
        }
        self.rest = before;
        Some((low, low))
    }

    fn rectangle(&mut self) -> Option<u64> {
        let start = self.rest;
        let squares = self
            .range('a', 'h')
            .and_then(|files| Some((files, self.range('1', '8')?)));
        let Some((files, ranks)) = squares else {
            self.rest = start;
            return None;
        };
        let row = (files.0..=files.1).fold(0u64, |row, file| row | 1 << file);
        Some((ranks.0..=ranks.1).fold(0, |set, rank| set | row << (8 * rank)))
    }

    fn rectangles(&mut self) -> Option<u64> {
        if !self.eat('[') {
            return None;
        }
        let mut set = self.rectangle()?;
        while self.eat(',') {
            set |= self.rectangle()?;
        }
        self.eat(']').then_some(set)
    }

    fn pieces(&mut self) -> Option<u16> {
        let start = self.rest;
        let found = self
            .unicode_pieces()
            .or_else(|| self.bracketed_pieces())
            .or_else(|| self.ascii_piece());
        if found.is_none() {
            self.rest = start;
        }
        found
    }

    fn ascii_piece(&mut self) -> Option<u16> {
        let c = self.rest.chars().next()?;
        let bits = match c {
            'A' => WHITE,
            'a' => BLACK,
            _ => 1 << LETTERS.find(c)?,
        };
        self.rest = &self.rest[c.len_utf8()..];
        Some(bits)
    }

    fn bracketed_pieces(&mut self) -> Option<u16> {
        let start = self.rest;
        if !self.eat('[') {
            return None;
        }
        let mut bits = 0;
        while let Some(piece) = self.unicode_piece().or_else(|| self.ascii_piece()) {
            bits |= piece;
        }
        if bits != 0 && self.eat(']') {
            return Some(bits);
        }
        self.rest = start;
        None
    }

    /// Figurines may run together without brackets.
    fn unicode_pieces(&mut self) -> Option<u16> {
        let mut bits = self.unicode_piece()?;
        while let Some(piece) = self.unicode_piece() {
            bits |= piece;
        }
        Some(bits)
    }

    fn unicode_piece(&mut self) -> Option<u16> {
        let c = self.rest.chars().next()?;
        let bits = match c {
            '△' => WHITE,
            '▲' => BLACK,
            '◭' => WHITE | BLACK,
            '□' => EMPTY,
            _ => 1 << "♙♘♗♖♕♔♟♞♝♜♛♚".chars().position(|figurine| figurine == c)?,
        };
        self.rest = &self.rest[c.len_utf8()..];
        Some(bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(u16, u64, usize)> {
        let mut reader = DesignatorReader::new(text);
        reader
            .designator()
            .map(|d| (d.pieces, d.squares, reader.consumed()))
    }

    #[test]
    fn squares_and_pieces() {
        assert_eq!(read("a1"), Some((WHITE | BLACK | EMPTY, 1, 2)));
        assert_eq!(read("R"), Some((8, !0, 1)));
        assert_eq!(read("Ra-b1-2 "), Some((8, 0x303, 7)));
        assert_eq!(
            read("[Qq][a1,h8]"),
            Some((1 << 4 | 1 << 10, 1 | 1 << 63, 11))
        );
        assert_eq!(read("b"), Some((1 << 8, !0, 1)));
        assert_eq!(read("♕□a1"), Some((1 << 4 | EMPTY, 1, 8)));
        assert_eq!(read("A"), Some((WHITE, !0, 1)));
        assert_eq!(read("Abc"), None);
        assert_eq!(read("ab3"), Some((BLACK, 1 << 17, 3)));
        assert_eq!(read("Q[x]"), Some((16, !0, 1)));
    }
}
