//! A picture as pixels.

use std::io::{self, Write};

use png::{BitDepth, ColorType, Compression, Encoder, EncodingError, Filter};
use tiny_skia::{Pixmap, Transform};

use crate::DrawError;
use crate::ink::Theme;
use crate::scene::Scene;

mod bands;
mod canvas;
mod cards;
mod glyph;
mod outline;
mod runs;

use bands::Bands;
use canvas::Canvas;
use runs::RunEncoder;

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
        let mut rows = self.rgb.chunks(self.width.max(1) as usize);
        let mut file = Vec::new();
        // Writing into memory does not fail, and the size fits.
        let written = encode(&mut file, self.width, self.height, |row| {
            rows.try_for_each(row)
        });
        written.map(|()| file).unwrap_or_default()
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
    let mut canvas = Canvas::new(pixmap, theme);
    for layer in &scene.layers {
        canvas.marks(scene, &layer.marks, stretch);
    }
    let rgb = canvas.pixmap.data().chunks_exact(4);
    Ok(Pixels {
        width,
        height,
        rgb: rgb.map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect(),
    })
}

/// The picture as a PNG file; without a scale, at double size unless that is very large.
pub fn png(scene: &Scene, theme: Theme, scale: Option<f64>) -> Result<Vec<u8>, DrawError> {
    png_file(scene, theme, scale, PLENTY)
}

/// The same; a picture of more than `plenty` pixels is written from runs of pixels.
fn png_file(
    scene: &Scene,
    theme: Theme,
    scale: Option<f64>,
    plenty: f64,
) -> Result<Vec<u8>, DrawError> {
    let (scale, [width, height]) = check_size(scene, scale)?;
    let too_large = || DrawError::TooLarge {
        width: width.into(),
        height: height.into(),
    };
    let bands = Bands::new(scene, height, scale);
    let pixmap = Pixmap::new(width, bands.drawn_rows()).ok_or_else(too_large)?;
    let mut canvas = Canvas::new(pixmap, theme);
    let mut draw = |each: &mut dyn FnMut(&[[u8; 4]]) -> io::Result<()>| {
        for band in bands.iter() {
            canvas.draw(scene, &band, scale);
            let (pixels, _) = canvas.pixmap.data().as_chunks::<4>();
            let rows = pixels.chunks_exact(width as usize);
            { rows.skip(bands.margin as usize).take(band.rows.len()) }.try_for_each(&mut *each)?;
        }
        Ok(())
    };
    if f64::from(width) * f64::from(height) > plenty {
        let mut encoder = RunEncoder::new(width, height);
        let drawn = draw(&mut |row| {
            encoder.row(row);
            Ok(())
        });
        return drawn.map_err(|_| too_large()).map(|()| encoder.finish());
    }
    let mut file = Vec::new();
    let written = encode(&mut file, width, height, |write_row| {
        let mut line = vec![[0; 3]; width as usize];
        draw(&mut |row| {
            without_alpha(&mut line, row);
            write_row(&line)
        })
    });
    written.map_err(|_| too_large()).map(|()| file)
}

/// The scale and the size in pixels; the picture needs no layers.
pub fn check_size(scene: &Scene, scale: Option<f64>) -> Result<(f64, [u32; 2]), DrawError> {
    let pixels = |scale: f64| (scene.width * scale).ceil() * (scene.height * scale).ceil();
    let scale = scale.unwrap_or_else(|| usual_scale(pixels));
    let (width, height) = ((scene.width * scale).ceil(), (scene.height * scale).ceil());
    if pixels(scale) > MOST_PIXELS {
        return Err(DrawError::TooLarge { width, height });
    }
    Ok((scale, [width as u32, height as u32]))
}

fn without_alpha(line: &mut [[u8; 3]], row: &[[u8; 4]]) {
    for (pixel, &[red, green, blue, _]) in line.iter_mut().zip(row) {
        *pixel = [red, green, blue];
    }
}

/// Writes a file whose rows `draw` hands out. The paper covers everything, so no alpha channel is
/// needed.
fn encode(
    file: &mut Vec<u8>,
    width: u32,
    height: u32,
    draw: impl FnOnce(&mut dyn FnMut(&[[u8; 3]]) -> io::Result<()>) -> io::Result<()>,
) -> Result<(), EncodingError> {
    let mut encoder = Encoder::new(file, width, height);
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
    draw(&mut |row| stream.write_all(row.as_flattened()))?;
    stream.finish()?;
    writer.finish()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ink::Ink;
    use crate::scene::{Layer, Look, Mark, PathStep, Shape};

    fn read(file: Vec<u8>) -> (u32, Vec<u8>) {
        let mut reader = png::Decoder::new(io::Cursor::new(file))
            .read_info()
            .expect("a header");
        let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
        let info = reader.next_frame(&mut pixels).expect("pixels");
        (info.width, pixels)
    }

    /// A column of cards.
    fn cards() -> Scene {
        let card = |number: u32| {
            let shape = Shape::Rect {
                x: 3.0,
                y: 2.0 + f64::from(number) * 25.0,
                width: 50.0,
                height: 20.0,
                round: 8.0,
            };
            Mark::Shape(shape, Look::both(Ink::Paper, Ink::CardEdge, 1.0))
        };
        let layer = Layer {
            name: "cards",
            marks: (0..40).map(card).collect(),
        };
        Scene {
            width: 60.0,
            height: 1000.0,
            layers: vec![layer],
            ..Scene::default()
        }
    }

    /// The pixels of a large picture are those of a small one, though its file is made otherwise.
    #[test]
    fn large_pictures_have_the_same_pixels() {
        let scene = cards();
        for theme in [Theme::Light, Theme::Dark] {
            for scale in [0.4, 1.0, 2.0] {
                let file = |plenty| png_file(&scene, theme, Some(scale), plenty);
                let [small, large] = [f64::MAX, 0.0].map(|plenty| file(plenty).expect("a picture"));
                assert_ne!(small, large);
                assert_eq!(read(small), read(large));
            }
        }
    }

    /// Equal cards, wherever they lie relative to the borders of bands.
    #[test]
    fn bands_leave_no_seams() {
        let scene = cards();
        for scale in [0.6, 1.0, 2.0] {
            let (width, pixels) = read(png(&scene, Theme::Light, Some(scale)).expect("a picture"));
            let rows = (25.0 * scale) as usize * width as usize * 3;
            let mut cards = pixels.chunks_exact(rows);
            let first = cards.next().expect("a card");
            for (number, card) in (1..).zip(cards) {
                let most = first.iter().zip(card).map(|(a, b)| a.abs_diff(*b)).max();
                assert!(most <= Some(16), "card {number} at scale {scale}: {most:?}");
            }
        }
    }

    #[test]
    fn a_path_without_a_line_draws_nothing() {
        let start = Shape::Path(vec![PathStep::Move(5.0, 500.0)]);
        let look = Look::line(Ink::CardEdge, 1.0);
        let marks = vec![
            Mark::Shape(Shape::Path(Vec::new()), look),
            Mark::Shape(start, look),
        ];
        let scene = Scene {
            width: 10.0,
            height: 1000.0,
            layers: vec![Layer {
                name: "lines",
                marks,
            }],
            ..Scene::default()
        };
        let (_, pixels) = read(png(&scene, Theme::Light, Some(1.0)).expect("a picture"));
        assert!(pixels.iter().all(|&part| part == 255));
    }

    /// The lower right pixel of a picture that ends within it.
    #[test]
    fn the_paper_covers_the_edge() {
        let scene = Scene {
            width: 10.2,
            height: 10.2,
            ..Scene::default()
        };
        let file = png(&scene, Theme::Light, Some(1.0)).expect("a picture");
        let (width, pixels) = read(file);
        assert_eq!((width, pixels.len()), (11, 11 * 11 * 3));
        assert!(pixels.iter().all(|&part| part == 255));
    }
}
