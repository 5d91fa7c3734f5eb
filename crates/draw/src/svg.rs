//! A picture as SVG text.

use std::fmt::Write;

use crate::font::{self, Piece};
use crate::ink::{Ink, Theme};
use crate::scene::{Anchor, Dash, Look, Mark, PathStep, Scene, Shape, Words};
use crate::sign;

/// The font families in order: the measured one, one of the same width, any.
const FONTS: &str = "DejaVu Sans, Verdana, sans-serif";

/// The whole picture as an SVG file.
pub fn svg(scene: &Scene, theme: Theme, scale: f64) -> String {
    let mut out = Writer::new(theme);
    out.text
        .push_str("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"");
    out.number(scene.width * scale);
    out.text.push_str("\" height=\"");
    out.number(scene.height * scale);
    out.text.push_str("\" viewBox=\"0 0 ");
    out.number(scene.width);
    out.text.push(' ');
    out.number(scene.height);
    let _ = write!(
        out.text,
        "\" role=\"img\" fill=\"none\" font-family=\"{FONTS}\" stroke-linejoin=\"round\" \
         stroke-linecap=\"round\">\n<title>"
    );
    escape(&scene.title, &mut out.text);
    out.text.push_str("</title>\n");
    out.stamps(scene);
    for layer in &scene.layers {
        let _ = writeln!(out.text, "<g class=\"{}\">", layer.name);
        out.marks(scene, &layer.marks);
        out.text.push_str("</g>\n");
    }
    out.text.push_str("</svg>\n");
    out.text
}

/// The stamps of a picture as the contents of `<defs>`, for use within a page.
pub fn stamp_definitions(scene: &Scene, theme: Theme) -> String {
    let mut out = Writer::new(theme);
    out.definitions(scene);
    out.text
}

/// Escapes text for XML and HTML. Characters that XML does not allow, such as control characters,
/// become `�`.
pub fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' => out.push(c),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
}

struct Writer {
    text: String,
    theme: Theme,
}

/// The common attributes of a group of marks, written once.
#[derive(Clone, Copy, PartialEq)]
enum Common {
    Shape(Option<Ink>, Option<Ink>, Dash),
    Words(Ink, Anchor, u64, bool),
    Stamp,
}

impl Common {
    fn of(mark: &Mark) -> Common {
        match mark {
            Mark::Shape(_, look) => {
                Common::Shape(look.fill, look.line.map(|(ink, _)| ink), look.dash)
            }
            Mark::Words(words) => {
                Common::Words(words.ink, words.anchor, words.size.to_bits(), words.bold)
            }
            Mark::Stamp { .. } => Common::Stamp,
        }
    }
}

impl Writer {
    fn new(theme: Theme) -> Writer {
        Writer {
            text: String::new(),
            theme,
        }
    }

    fn stamps(&mut self, scene: &Scene) {
        if !scene.stamps.is_empty() {
            self.text.push_str("<defs>\n");
            self.definitions(scene);
            self.text.push_str("</defs>\n");
        }
    }

    fn definitions(&mut self, scene: &Scene) {
        for stamp in &scene.stamps {
            let _ = writeln!(self.text, "<g id=\"{}\">", stamp.name);
            self.marks(scene, &stamp.marks);
            self.text.push_str("</g>\n");
        }
    }

    /// Consecutive marks of the same style form a group.
    fn marks(&mut self, scene: &Scene, marks: &[Mark]) {
        let alike = |a: &Mark, b: &Mark| Common::of(a) == Common::of(b);
        for group in marks.chunk_by(alike) {
            let Some(first) = group.first() else { continue };
            self.open_group(Common::of(first));
            for mark in group {
                self.mark(scene, mark);
                self.text.push('\n');
            }
            self.text.push_str("</g>\n");
        }
    }

    fn open_group(&mut self, common: Common) {
        self.text.push_str("<g");
        match common {
            Common::Stamp => {}
            Common::Shape(fill, line, dash) => {
                self.ink("fill", fill);
                self.ink("stroke", line);
                if let Some([dash, gap]) = dash.pattern() {
                    let _ = write!(self.text, " stroke-dasharray=\"{dash} {gap}\"");
                }
            }
            Common::Words(ink, anchor, size, bold) => {
                self.ink("fill", Some(ink));
                self.attribute("font-size", f64::from_bits(size));
                if bold {
                    self.text.push_str(" font-weight=\"bold\"");
                }
                if anchor == Anchor::Middle {
                    self.text.push_str(" text-anchor=\"middle\"");
                }
            }
        }
        self.text.push_str(">\n");
    }

    fn ink(&mut self, name: &str, ink: Option<Ink>) {
        let Some(ink) = ink else { return };
        let colour = self.theme.colour(ink);
        let _ = write!(self.text, " {name}=\"{colour}\"");
        if colour.alpha < 255 {
            self.attribute(&format!("{name}-opacity"), f64::from(colour.alpha) / 255.0);
        }
    }

    fn mark(&mut self, scene: &Scene, mark: &Mark) {
        match mark {
            Mark::Shape(shape, look) => self.shape(shape, look),
            Mark::Words(words) => self.words(words),
            Mark::Stamp { stamp, x, y, scale } => {
                let name = scene.stamps.get(*stamp).map_or("", |stamp| stamp.name);
                let _ = write!(self.text, "<use href=\"#{name}\" transform=\"translate(");
                self.number(*x);
                self.text.push(' ');
                self.number(*y);
                self.text.push_str(") scale(");
                // Boards are small and pieces are defined large: hundredths would be too coarse.
                let _ = write!(self.text, "{scale:.5})\"/>");
            }
        }
    }

    fn shape(&mut self, shape: &Shape, look: &Look) {
        match shape {
            &Shape::Rect {
                x,
                y,
                width,
                height,
                round,
            } => {
                self.text.push_str("<rect");
                self.attribute("x", x);
                self.attribute("y", y);
                self.attribute("width", width);
                self.attribute("height", height);
                if round > 0.0 {
                    self.attribute("rx", round);
                }
            }
            &Shape::Circle { x, y, radius } => {
                self.text.push_str("<circle");
                self.attribute("cx", x);
                self.attribute("cy", y);
                self.attribute("r", radius);
            }
            Shape::Path(steps) => {
                self.text.push_str("<path d=\"");
                self.steps(steps);
                self.text.push('"');
            }
        }
        if let Some((_, width)) = look.line
            && width != 1.0
        {
            self.attribute("stroke-width", width);
        }
        self.text.push_str("/>");
    }

    fn steps(&mut self, steps: &[PathStep]) {
        for step in steps {
            match *step {
                PathStep::Move(x, y) => self.step('M', &[x, y]),
                PathStep::Line(x, y) => self.step('L', &[x, y]),
                PathStep::Curve(x1, y1, x2, y2, x, y) => self.step('C', &[x1, y1, x2, y2, x, y]),
                PathStep::Close => self.step('Z', &[]),
            }
        }
    }

    fn step(&mut self, letter: char, numbers: &[f64]) {
        self.text.push(letter);
        for (i, &number) in numbers.iter().enumerate() {
            if i > 0 {
                self.text.push(' ');
            }
            self.number(number);
        }
    }

    fn words(&mut self, words: &Words) {
        if !words.text.contains(sign::is_sign) {
            return self.letters(words, words.x, &words.text);
        }
        for piece in font::pieces(words) {
            match piece.sign {
                Some(sign) => self.sign(words, piece, sign),
                None if words.anchor == Anchor::Middle => {
                    self.letters(words, piece.x + piece.width / 2.0, piece.text);
                }
                None => self.letters(words, piece.x, piece.text),
            }
        }
    }

    fn letters(&mut self, words: &Words, x: f64, text: &str) {
        self.text.push_str("<text");
        self.attribute("x", x);
        self.attribute("y", words.y);
        self.text.push('>');
        self.note(words);
        escape(text, &mut self.text);
        self.text.push_str("</text>");
    }

    /// A sign that fonts lack; its label is the sign as text.
    fn sign(&mut self, words: &Words, piece: Piece, sign: char) {
        let _ = write!(self.text, "<path aria-label=\"{sign}\" d=\"");
        let place = |x: f64, y: f64| (piece.x + words.size * x, words.y + words.size * y);
        let steps = sign::outline(sign, words.bold).unwrap_or_default();
        let placed: Vec<PathStep> = steps.iter().map(|step| step.mapped(place)).collect();
        self.steps(&placed);
        self.text.push_str("\">");
        self.note(words);
        self.text.push_str("</path>");
    }

    fn note(&mut self, words: &Words) {
        if let Some(note) = &words.note {
            self.text.push_str("<title>");
            escape(note, &mut self.text);
            self.text.push_str("</title>");
        }
    }

    fn attribute(&mut self, name: &str, number: f64) {
        self.text.push(' ');
        self.text.push_str(name);
        self.text.push_str("=\"");
        self.number(number);
        self.text.push('"');
    }

    /// A number in hundredths, without trailing zeros.
    fn number(&mut self, number: f64) {
        let hundredths = (number * 100.0).round() as i64;
        if hundredths < 0 {
            self.text.push('-');
        }
        let (whole, rest) = (
            hundredths.unsigned_abs() / 100,
            hundredths.unsigned_abs() % 100,
        );
        let _ = match (rest, rest % 10) {
            (0, _) => write!(self.text, "{whole}"),
            (_, 0) => write!(self.text, "{whole}.{}", rest / 10),
            _ => write!(self.text, "{whole}.{rest:02}"),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (number, text) in [
            (0.0, "0"),
            (-0.001, "0"),
            (1.5, "1.5"),
            (-12.345, "-12.35"),
            (0.05, "0.05"),
            (100.0, "100"),
        ] {
            let mut out = Writer::new(Theme::Light);
            out.number(number);
            assert_eq!(out.text, text);
        }
    }

    #[test]
    fn text_is_escaped() {
        let mut out = String::new();
        escape("<a href=\"x\">&\0\u{1b}\u{ffff}'é", &mut out);
        assert_eq!(out, "&lt;a href=&quot;x&quot;&gt;&amp;���'é");
    }
}
