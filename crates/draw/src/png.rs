//! A picture as pixels.

use std::io::Write;

use png::{BitDepth, ColorType, Compression, Encoder, EncodingError, Filter};
use rustc_hash::FxHashMap;
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash,
    Transform,
};

use crate::DrawError;
use crate::font;
use crate::ink::{Ink, Theme};
use crate::scene::{Anchor, Look, Mark, PathStep, Scene, Shape, Words};

/// The greatest number of pixels: 256 MB of them.
const MOST_PIXELS: f64 = 64_000_000.0;
/// The scale if none is given and the picture is not very large.
pub const USUAL_SCALE: f64 = 2.0;
/// Without a given scale, double size if it stays below this.
const PLENTY: f64 = 24_000_000.0;
/// The smallest scale if none is given: less would be unreadable.
const SMALLEST: f64 = 0.4;

/// A picture as pixels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pixels {
    /// The width.
    pub width: u32,
    /// The height.
    pub height: u32,
    /// Red, green, blue, from left to right and from top to bottom.
    pub rgb: Vec<[u8; 3]>,
}

impl Pixels {
    /// The pixels as a PNG file.
    pub fn to_png(&self) -> Vec<u8> {
        let rows = self.rgb.chunks(self.width.max(1) as usize);
        // Writing into memory does not fail, and the size fits.
        encode(self.width, self.height, rows, <[_]>::copy_from_slice).unwrap_or_default()
    }
}

/// The picture stretched to this size.
pub fn pixels(scene: &Scene, theme: Theme, width: u32, height: u32) -> Result<Pixels, DrawError> {
    let (wide, high) = (f64::from(width), f64::from(height));
    let too_large = || DrawError::TooLarge {
        width: wide,
        height: high,
    };
    if wide * high > MOST_PIXELS {
        return Err(too_large());
    }
    let pixmap = Pixmap::new(width, height).ok_or_else(too_large)?;
    let stretch = Transform::from_scale((wide / scene.width) as f32, (high / scene.height) as f32);
    let canvas = Canvas::drawn(pixmap, theme, scene, stretch);
    let rgb = canvas.pixmap.data().chunks_exact(4);
    Ok(Pixels {
        width,
        height,
        rgb: rgb.map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect(),
    })
}

/// The picture as a PNG file; without a scale, at double size unless that is very large.
pub fn png(scene: &Scene, theme: Theme, scale: Option<f64>) -> Result<Vec<u8>, DrawError> {
    let pixels = |scale: f64| (scene.width * scale).ceil() * (scene.height * scale).ceil();
    let scale = scale.unwrap_or_else(|| usual_scale(pixels));
    let (width, height) = ((scene.width * scale).ceil(), (scene.height * scale).ceil());
    let too_large = || DrawError::TooLarge { width, height };
    if pixels(scale) > MOST_PIXELS {
        return Err(too_large());
    }
    let mut pixmap = Pixmap::new(width as u32, height as u32).ok_or_else(too_large)?;
    // The last row and column of pixels may lie partly outside the picture.
    pixmap.fill(colour(theme, Ink::Paper));
    let whole = Transform::from_scale(scale as f32, scale as f32);
    let pixmap = Canvas::drawn(pixmap, theme, scene, whole).pixmap;
    let (pixels, _) = pixmap.data().as_chunks::<4>();
    let rows = pixels.chunks_exact(pixmap.width() as usize);
    encode(pixmap.width(), pixmap.height(), rows, without_alpha).map_err(|_| too_large())
}

fn without_alpha(line: &mut [[u8; 3]], row: &[[u8; 4]]) {
    for (pixel, &[red, green, blue, _]) in line.iter_mut().zip(row) {
        *pixel = [red, green, blue];
    }
}

/// The pixels as a file; `copy` copies a row. The paper covers everything, so no alpha channel is
/// needed.
fn encode<'a, P: 'a>(
    width: u32,
    height: u32,
    rows: impl Iterator<Item = &'a [P]>,
    copy: impl Fn(&mut [[u8; 3]], &[P]),
) -> Result<Vec<u8>, EncodingError> {
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, width, height);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    if f64::from(width) * f64::from(height) <= PLENTY {
        encoder.set_compression(Compression::Balanced);
    } else {
        encoder.set_compression(Compression::Fastest);
        // Most of a tree is horizontal runs of one colour.
        encoder.set_filter(Filter::Sub);
    }
    let mut writer = encoder.write_header()?;
    let mut stream = writer.stream_writer()?;
    let mut line = vec![[0; 3]; width as usize];
    for row in rows {
        copy(&mut line, row);
        stream.write_all(line.as_flattened())?;
    }
    stream.finish()?;
    writer.finish()?;
    Ok(file)
}

/// Double size, normal size, or the largest that fits.
fn usual_scale(pixels: impl Fn(f64) -> f64) -> f64 {
    let fits = (0.99 * MOST_PIXELS / pixels(1.0)).sqrt();
    if pixels(USUAL_SCALE) <= PLENTY {
        USUAL_SCALE
    } else {
        fits.clamp(SMALLEST, 1.0)
    }
}

struct Canvas {
    pixmap: Pixmap,
    theme: Theme,
    /// A cache of glyph outlines.
    glyphs: FxHashMap<(char, bool), Option<Path>>,
}

impl Canvas {
    /// A canvas with the whole scene on it.
    fn drawn(pixmap: Pixmap, theme: Theme, scene: &Scene, place: Transform) -> Canvas {
        let mut canvas = Canvas {
            pixmap,
            theme,
            glyphs: FxHashMap::default(),
        };
        for layer in &scene.layers {
            canvas.marks(scene, &layer.marks, place);
        }
        canvas
    }

    fn marks(&mut self, scene: &Scene, marks: &[Mark], place: Transform) {
        for mark in marks {
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
    }

    fn shape(&mut self, shape: &Shape, look: &Look, place: Transform) {
        let Some(path) = outline(&shape.steps()) else {
            return;
        };
        if let Some(ink) = look.fill {
            self.fill(&path, ink, place);
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
            let paint = paint(self.theme, ink);
            self.pixmap.stroke_path(&path, &paint, &stroke, place, None);
        }
    }

    fn fill(&mut self, path: &Path, ink: Ink, place: Transform) {
        let paint = paint(self.theme, ink);
        self.pixmap
            .fill_path(path, &paint, FillRule::Winding, place, None);
    }

    fn words(&mut self, words: &Words, place: Transform) {
        let Some(font) = font::font(words.bold) else {
            return;
        };
        let width = font::width(&words.text, words.size, words.bold);
        let mut x = match words.anchor {
            Anchor::Start => words.x,
            Anchor::Middle => words.x - width / 2.0,
        };
        let paint = paint(self.theme, words.ink);
        for c in words.text.chars() {
            let glyph = self
                .glyphs
                .entry((c, words.bold))
                .or_insert_with(|| outline(&font.outline(c)));
            if let Some(path) = glyph {
                let place = place
                    .pre_translate(x as f32, words.y as f32)
                    .pre_scale(words.size as f32, words.size as f32);
                self.pixmap
                    .fill_path(path, &paint, FillRule::Winding, place, None);
            }
            x += font.advance(c) * words.size;
        }
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

fn outline(steps: &[PathStep]) -> Option<Path> {
    let mut path = PathBuilder::new();
    for step in steps {
        match *step {
            PathStep::Move(x, y) => path.move_to(x as f32, y as f32),
            PathStep::Line(x, y) => path.line_to(x as f32, y as f32),
            PathStep::Curve(x1, y1, x2, y2, x, y) => {
                let [x1, y1, x2, y2, x, y] = [x1, y1, x2, y2, x, y].map(|number| number as f32);
                path.cubic_to(x1, y1, x2, y2, x, y);
            }
            PathStep::Close => path.close(),
        }
    }
    path.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lower right pixel of a picture that ends within it.
    #[test]
    fn the_paper_covers_the_edge() {
        let scene = Scene {
            width: 10.2,
            height: 10.2,
            ..Scene::default()
        };
        let file = png(&scene, Theme::Light, Some(1.0)).expect("a picture");
        let mut reader = png::Decoder::new(std::io::Cursor::new(file))
            .read_info()
            .expect("a header");
        let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
        let info = reader.next_frame(&mut pixels).expect("pixels");
        assert_eq!((info.width, info.height), (11, 11));
        assert!(pixels.iter().all(|&part| part == 255));
    }
}
