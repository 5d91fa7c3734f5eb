//! Text widths and glyph outlines of the embedded font.

use std::sync::OnceLock;

use ttf_parser::{Face, GlyphId, OutlineBuilder};

use crate::scene::{Anchor, PathStep, Words};
use crate::sign;

/// A font of the picture.
pub struct Font {
    face: Face<'static>,
    /// The font file.
    pub file: &'static [u8],
    /// The name in PDF.
    pub name: &'static str,
    /// The advances of ASCII, for speed: nearly all measured text.
    ascii: [f64; 128],
    /// Whether this is the bold font.
    bold: bool,
}

/// The font for text, bold or regular; none only if the embedded font is broken.
pub fn font(bold: bool) -> Option<&'static Font> {
    static FONTS: [OnceLock<Option<Font>>; 2] = [OnceLock::new(), OnceLock::new()];
    let load = || {
        if bold {
            Font::load(dejavu::sans::bold(), "DejaVuSans-Bold", true)
        } else {
            Font::load(dejavu::sans::regular(), "DejaVuSans", false)
        }
    };
    FONTS[usize::from(bold)].get_or_init(load).as_ref()
}

/// The width of a text at this size.
pub fn width(text: &str, size: f64, bold: bool) -> f64 {
    let advances = |font: &Font| text.chars().map(|c| font.advance(c)).sum::<f64>();
    font(bold).map_or(0.6 * text.chars().count() as f64, advances) * size
}

/// A part of a text: letters of the font, or a sign that the font lacks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Piece<'a> {
    /// The left edge.
    pub x: f64,
    /// The width.
    pub width: f64,
    /// The letters, or one sign.
    pub text: &'a str,
    /// The sign.
    pub sign: Option<char>,
}

/// The parts of a text from left to right.
pub fn pieces(words: &Words) -> Vec<Piece<'_>> {
    let mut x = match words.anchor {
        Anchor::Start => words.x,
        Anchor::Middle => words.x - width(&words.text, words.size, words.bold) / 2.0,
    };
    let parts = words.text.split_inclusive(sign::is_sign).flat_map(|part| {
        let sign = part.chars().next_back().filter(|&c| sign::is_sign(c));
        let (letters, last) = part.split_at(part.len() - sign.map_or(0, char::len_utf8));
        [(letters, None), (last, sign)]
    });
    parts
        .filter(|(text, _)| !text.is_empty())
        .map(|(text, sign)| {
            let width = width(text, words.size, words.bold);
            let piece = Piece {
                x,
                width,
                text,
                sign,
            };
            x += width;
            piece
        })
        .collect()
}

impl Font {
    fn load(file: &'static [u8], name: &'static str, bold: bool) -> Option<Font> {
        let face = Face::parse(file, 0).ok()?;
        let mut font = Font {
            face,
            file,
            name,
            ascii: [0.0; 128],
            bold,
        };
        for byte in 0..128u8 {
            font.ascii[usize::from(byte)] = font.glyph_advance(font.glyph(byte.into()));
        }
        Some(font)
    }

    /// The glyph of a character; the "missing" glyph if there is none.
    pub fn glyph(&self, c: char) -> GlyphId {
        self.face.glyph_index(c).unwrap_or(GlyphId(0))
    }

    /// The advance of a character, relative to the size.
    pub fn advance(&self, c: char) -> f64 {
        match self.ascii.get(c as usize) {
            Some(&known) => known,
            None if sign::is_sign(c) => sign::ADVANCE,
            None => self.glyph_advance(self.glyph(c)),
        }
    }

    /// The same for a glyph.
    pub fn glyph_advance(&self, glyph: GlyphId) -> f64 {
        self.in_ems(self.face.glyph_hor_advance(glyph).unwrap_or(0).into())
    }

    /// The outline of a character, at size 1 with the baseline at 0 and y downwards.
    pub fn outline(&self, c: char) -> Vec<PathStep> {
        if let Some(steps) = sign::outline(c, self.bold) {
            return steps;
        }
        let mut pen = Pen {
            steps: Vec::new(),
            scale: self.in_ems(1.0),
            at: (0.0, 0.0),
        };
        self.face.outline_glyph(self.glyph(c), &mut pen);
        pen.steps
    }

    /// The bounding box of all glyphs, ascent, descent and cap height, in thousandths.
    pub fn measures(&self) -> Measures {
        let thousandths = |units: f64| (self.in_ems(units) * 1000.0) as f32;
        let bounds = self.face.global_bounding_box();
        let whole = |units: i16| thousandths(units.into());
        Measures {
            bounds: [bounds.x_min, bounds.y_min, bounds.x_max, bounds.y_max].map(whole),
            ascent: whole(self.face.ascender()),
            descent: whole(self.face.descender()),
            capitals: whole(self.face.capital_height().unwrap_or(1493)),
        }
    }

    fn in_ems(&self, units: f64) -> f64 {
        units / f64::from(self.face.units_per_em())
    }
}

/// Font metrics for PDF, in thousandths of the size.
pub struct Measures {
    /// Left, lower, right and upper edge.
    pub bounds: [f32; 4],
    /// The ascent.
    pub ascent: f32,
    /// The descent, negative.
    pub descent: f32,
    /// The cap height.
    pub capitals: f32,
}

/// Records an outline.
struct Pen {
    steps: Vec<PathStep>,
    scale: f64,
    at: (f64, f64),
}

impl Pen {
    fn point(&self, x: f32, y: f32) -> (f64, f64) {
        (f64::from(x) * self.scale, -f64::from(y) * self.scale)
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.at = self.point(x, y);
        self.steps.push(PathStep::Move(self.at.0, self.at.1));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.at = self.point(x, y);
        self.steps.push(PathStep::Line(self.at.0, self.at.1));
    }

    /// A quadratic curve is a cubic one with control points two thirds of the way to its own.
    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (from, control, to) = (self.at, self.point(x1, y1), self.point(x, y));
        let towards = |end: f64, control: f64| end + (control - end) * 2.0 / 3.0;
        self.steps.push(PathStep::Curve(
            towards(from.0, control.0),
            towards(from.1, control.1),
            towards(to.0, control.0),
            towards(to.1, control.1),
            to.0,
            to.1,
        ));
        self.at = to;
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let (one, two, to) = (self.point(x1, y1), self.point(x2, y2), self.point(x, y));
        self.steps
            .push(PathStep::Curve(one.0, one.1, two.0, two.1, to.0, to.1));
        self.at = to;
    }

    fn close(&mut self) {
        self.steps.push(PathStep::Close);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_has_all_chess_symbols() {
        let font = font(false).expect("the font can be read");
        for c in "NBRQKabcdefgh12345678x+#=-!?±∓⩲⩱⌓□∞→↑⇆⊙○∆×⊕·–½éüßŁЖ".chars()
        {
            assert!(font.glyph(c) != GlyphId(0) || sign::is_sign(c), "{c}");
            assert!(!font.outline(c).is_empty(), "{c}");
        }
        assert!(width("Nf3", 12.0, true) > width("Nf3", 12.0, false));
    }

    #[test]
    fn signs_split_a_text() {
        let words = Words {
            x: 0.0,
            y: 0.0,
            anchor: Anchor::Start,
            size: 10.0,
            bold: false,
            ink: crate::ink::Ink::Text,
            text: "Nf3⩲⌓!".to_owned(),
            note: None,
        };
        let pieces = pieces(&words);
        let texts: Vec<_> = pieces
            .iter()
            .map(|piece| (piece.text, piece.sign))
            .collect();
        assert_eq!(
            texts,
            [
                ("Nf3", None),
                ("⩲", Some('⩲')),
                ("⌓", Some('⌓')),
                ("!", None)
            ]
        );
        for pair in pieces.windows(2) {
            assert!((pair[0].x + pair[0].width - pair[1].x).abs() < 1e-9);
        }
    }
}
