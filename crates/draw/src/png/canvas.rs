//! Marks drawn as pixels.

use tiny_skia::{Color, FillRule, LineCap, LineJoin, Paint, Pixmap, Stroke, StrokeDash, Transform};

use super::bands::Band;
use super::cards::{Card, Cards};
use super::glyph::Glyphs;
use super::outline::outline;
use crate::font;
use crate::ink::{Ink, Theme};
use crate::scene::{Anchor, Look, Mark, Scene, Shape, Words};

/// Pixels to draw on.
pub struct Canvas {
    /// The pixels.
    pub pixmap: Pixmap,
    theme: Theme,
    glyphs: Glyphs,
    cards: Cards,
}

impl Canvas {
    /// A canvas for pictures in these colours.
    pub fn new(pixmap: Pixmap, theme: Theme) -> Canvas {
        Canvas {
            pixmap,
            theme,
            glyphs: Glyphs::default(),
            cards: Cards::default(),
        }
    }

    /// Draws a band of a picture in place of what was drawn before.
    pub fn draw(&mut self, scene: &Scene, band: &Band, scale: f64) {
        // The last row and column of pixels may lie partly outside the picture.
        self.pixmap.fill(colour(self.theme, Ink::Paper));
        let scale = scale as f32;
        let place = Transform::from_scale(scale, scale).post_translate(0.0, -band.top());
        for mark in band.marks() {
            self.mark(scene, mark, place);
        }
    }

    /// Draws marks.
    pub fn marks(&mut self, scene: &Scene, marks: &[Mark], place: Transform) {
        for mark in marks {
            self.mark(scene, mark, place);
        }
    }

    fn mark(&mut self, scene: &Scene, mark: &Mark, place: Transform) {
        match mark {
            Mark::Shape(shape, look) => self.shape(shape, look, place),
            Mark::Words(words) => self.words(words, place),
            &Mark::Stamp { stamp, x, y, scale } => {
                let place = place
                    .pre_translate(x as f32, y as f32)
                    .pre_scale(scale as f32, scale as f32);
                if let Some(stamp) = scene.stamps.get(stamp) {
                    self.marks(scene, &stamp.marks, place);
                }
            }
        }
    }

    fn shape(&mut self, shape: &Shape, look: &Look, place: Transform) {
        let theme = self.theme;
        let draw = |shape: &Shape, look: &Look, on: &mut Pixmap| {
            draw_path(on, theme, shape, look, Transform::identity());
        };
        let card = Card::of(shape, look, place);
        let is_drawn = card.is_some_and(|card| self.cards.draw(&card, &mut self.pixmap, draw));
        if !is_drawn {
            draw_path(&mut self.pixmap, theme, shape, look, place);
        }
    }

    fn words(&mut self, words: &Words, place: Transform) {
        let Some(font) = font::font(words.bold) else {
            return;
        };
        let mut x = match words.anchor {
            Anchor::Start => words.x,
            Anchor::Middle => words.x - font::width(&words.text, words.size, words.bold) / 2.0,
        };
        let ink = colour(self.theme, words.ink).premultiply().to_color_u8();
        let ink = [ink.red(), ink.green(), ink.blue(), ink.alpha()];
        let size = words.size as f32;
        for c in words.text.chars() {
            let place = place
                .pre_translate(x as f32, words.y as f32)
                .pre_scale(size, size);
            self.glyphs
                .draw((c, words.bold, font), place, ink, &mut self.pixmap);
            x += font.advance(c) * words.size;
        }
    }
}

/// Draws a shape of any form.
pub fn draw_path(on: &mut Pixmap, theme: Theme, shape: &Shape, look: &Look, place: Transform) {
    let Some(path) = outline(&shape.steps()) else {
        return;
    };
    if let Some(ink) = look.fill {
        let paint = paint(theme, ink);
        on.fill_path(&path, &paint, FillRule::Winding, place, None);
    }
    if let Some((ink, width)) = look.line {
        let stroke = Stroke {
            width: width as f32,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            dash: look
                .dash
                .pattern()
                .and_then(|lengths| StrokeDash::new(lengths.map(|l| l as f32).to_vec(), 0.0)),
            ..Stroke::default()
        };
        on.stroke_path(&path, &paint(theme, ink), &stroke, place, None);
    }
}

fn paint(theme: Theme, ink: Ink) -> Paint<'static> {
    let mut paint = Paint {
        anti_alias: true,
        ..Paint::default()
    };
    paint.set_color(colour(theme, ink));
    paint
}

fn colour(theme: Theme, ink: Ink) -> Color {
    let colour = theme.colour(ink);
    let [red, green, blue] = colour.rgb;
    Color::from_rgba8(red, green, blue, colour.alpha)
}
