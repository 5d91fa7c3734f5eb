//! A picture as SVG text.

use std::borrow::Borrow;
use std::fmt::Write as _;
use std::io;

use crate::font::{self, Piece};
use crate::ink::{Ink, Theme};
use crate::scene::{Anchor, Dash, Look, Mark, MarkStream, PathStep, Scene, Shape, Words};
use crate::sign;

/// The font families in order: the measured one, one of the same width, any.
const FONTS: &str = "DejaVu Sans, Verdana, sans-serif";

/// Writes the whole picture as an SVG file.
pub fn write_scene(
    scene: &Scene,
    theme: Theme,
    scale: f64,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let layers = scene.layers.iter().map(|layer| (layer.name, &layer.marks));
    write(scene, layers, theme, scale, out)
}

/// Writes a picture whose marks are made one by one; `frame` has its size and its stamps.
pub fn write_streams(
    frame: &Scene,
    layers: Vec<MarkStream>,
    theme: Theme,
    scale: f64,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let layers = layers.into_iter().map(|layer| (layer.name, layer.marks));
    write(frame, layers, theme, scale, out)
}

fn write<Marks: IntoIterator<Item: Borrow<Mark>>>(
    frame: &Scene,
    layers: impl Iterator<Item = (&'static str, Marks)>,
    theme: Theme,
    scale: f64,
    file: &mut dyn io::Write,
) -> io::Result<()> {
    let mut out = Writer::new(theme, file);
    out.head(frame, scale);
    if !frame.stamps.is_empty() {
        out.text.push_str("<defs>\n");
        out.definitions(frame)?;
        out.text.push_str("</defs>\n");
    }
    for (name, marks) in layers {
        let mut marks = marks.into_iter().peekable();
        if marks.peek().is_some() {
            let _ = writeln!(out.text, "<g class=\"{name}\">");
            out.marks(frame, marks)?;
            out.text.push_str("</g>\n");
        }
    }
    out.text.push_str("</svg>\n");
    out.file.write_all(out.text.as_bytes())
}

/// The stamps of a picture as the contents of `<defs>`, for use within a page.
pub fn stamp_definitions(scene: &Scene, theme: Theme) -> String {
    let mut text = Vec::new();
    let mut out = Writer::new(theme, &mut text);
    // Writing into memory does not fail.
    let _ = out.definitions(scene);
    let rest = std::mem::take(&mut out.text);
    let mut text = String::from_utf8(text).unwrap_or_default();
    text.push_str(&rest);
    text
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

struct Writer<'a> {
    /// The text that is not written yet.
    text: String,
    theme: Theme,
    file: &'a mut dyn io::Write,
}

/// Text is written in pieces of about this length.
const CHUNK: usize = 1 << 16;

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

impl<'a> Writer<'a> {
    fn new(theme: Theme, file: &'a mut dyn io::Write) -> Writer<'a> {
        Writer {
            text: String::new(),
            theme,
            file,
        }
    }

    fn head(&mut self, frame: &Scene, scale: f64) {
        self.text
            .push_str("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"");
        self.number(frame.width * scale);
        self.text.push_str("\" height=\"");
        self.number(frame.height * scale);
        self.text.push_str("\" viewBox=\"0 0 ");
        self.number(frame.width);
        self.text.push(' ');
        self.number(frame.height);
        let _ = write!(
            self.text,
            "\" role=\"img\" fill=\"none\" font-family=\"{FONTS}\" stroke-linejoin=\"round\" \
             stroke-linecap=\"round\">\n<title>"
        );
        escape(&frame.title, &mut self.text);
        self.text.push_str("</title>\n");
    }

    fn definitions(&mut self, scene: &Scene) -> io::Result<()> {
        for stamp in &scene.stamps {
            let _ = writeln!(self.text, "<g id=\"{}\">", stamp.name);
            self.marks(scene, &stamp.marks)?;
            self.text.push_str("</g>\n");
        }
        Ok(())
    }

    /// Consecutive marks of the same style form a group.
    fn marks(
        &mut self,
        scene: &Scene,
        marks: impl IntoIterator<Item: Borrow<Mark>>,
    ) -> io::Result<()> {
        let mut group = None;
        for mark in marks {
            let mark = mark.borrow();
            let common = Common::of(mark);
            if group != Some(common) {
                if group.replace(common).is_some() {
                    self.text.push_str("</g>\n");
                }
                self.open_group(common);
            }
            self.mark(scene, mark);
            self.text.push('\n');
            if self.text.len() >= CHUNK {
                self.file.write_all(self.text.as_bytes())?;
                self.text.clear();
            }
        }
        if group.is_some() {
            self.text.push_str("</g>\n");
        }
        Ok(())
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
        let hundredths = hundredths.unsigned_abs();
        let (whole, rest) = (hundredths / 100, (hundredths % 100) as u8);
        self.digits(whole);
        if rest > 0 {
            self.text.push('.');
            self.text.push(char::from(b'0' + rest / 10));
            if rest % 10 > 0 {
                self.text.push(char::from(b'0' + rest % 10));
            }
        }
    }

    /// Much faster than formatting, and most of a picture is numbers.
    fn digits(&mut self, mut number: u64) {
        let mut digits = [0; 20];
        let mut start = digits.len();
        loop {
            start -= 1;
            digits[start] = b'0' + (number % 10) as u8;
            number /= 10;
            if number == 0 {
                break;
            }
        }
        self.text
            .extend(digits[start..].iter().map(|&digit| char::from(digit)));
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
            let mut file = Vec::new();
            let mut out = Writer::new(Theme::Light, &mut file);
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
