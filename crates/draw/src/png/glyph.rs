//! Letters as small images: each is drawn once for a size and a place within a pixel.

use rustc_hash::FxHashMap;
use tiny_skia::{FillRule, Mask, Pixmap, Transform};

use super::outline::outline;
use crate::font::Font;

/// Places within a pixel, in each direction.
pub const PLACES: f32 = 4.0;

/// The letters drawn so far.
#[derive(Default)]
pub struct Glyphs {
    known: FxHashMap<Key, Option<Glyph>>,
}

/// What makes two images of letters equal: sizes are in bits, places in parts of a pixel.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    letter: char,
    bold: bool,
    size: [u32; 2],
    place: [u8; 2],
}

/// How much of each pixel a letter covers.
struct Glyph {
    left: i32,
    top: i32,
    mask: Mask,
}

impl Glyphs {
    /// Draws a letter with premultiplied ink; `place` maps its outline of size 1 to pixels by scaling
    /// and moving.
    pub fn draw(
        &mut self,
        (letter, bold, font): (char, bool, &Font),
        place: Transform,
        ink: [u8; 4],
        on: &mut Pixmap,
    ) {
        let (x, x_place) = divided(place.tx);
        let (y, y_place) = divided(place.ty);
        let key = Key {
            letter,
            bold,
            size: [place.sx.to_bits(), place.sy.to_bits()],
            place: [x_place, y_place],
        };
        let draw = || Glyph::new(font, letter, place, [x_place, y_place]);
        if let Some(glyph) = self.known.entry(key).or_insert_with(draw) {
            glyph.blend(x, y, ink, on);
        }
    }
}

/// The pixel of a coordinate and the place within it.
pub fn divided(coordinate: f32) -> (i32, u8) {
    let places = (coordinate * PLACES).round() as i32;
    let count = PLACES as i32;
    (places.div_euclid(count), places.rem_euclid(count) as u8)
}

impl Glyph {
    fn new(font: &Font, letter: char, place: Transform, within: [u8; 2]) -> Option<Glyph> {
        let path = outline(&font.outline(letter))?;
        let [x, y] = within.map(|part| f32::from(part) / PLACES);
        let placed = path.transform(Transform::from_row(place.sx, 0.0, 0.0, place.sy, x, y))?;
        let bounds = placed.bounds();
        let (left, top) = (bounds.left().floor(), bounds.top().floor());
        let size = |from: f32, to: f32| (to - from).ceil() as u32 + 1;
        let mut mask = Mask::new(size(left, bounds.right()), size(top, bounds.bottom()))?;
        let moved = Transform::from_translate(-left, -top);
        mask.fill_path(&placed, FillRule::Winding, true, moved);
        Some(Glyph {
            left: left as i32,
            top: top as i32,
            mask,
        })
    }

    fn blend(&self, x: i32, y: i32, ink: [u8; 4], on: &mut Pixmap) {
        let (width, height) = (on.width() as i32, on.height() as i32);
        let (left, top) = (x + self.left, y + self.top);
        let column = |x: i32| (x - left).clamp(0, self.mask.width() as i32);
        let columns = column(0)..column(width);
        if columns.is_empty() {
            return;
        }
        let (pixels, _) = on.data_mut().as_chunks_mut::<4>();
        let rows = self.mask.data().chunks_exact(self.mask.width() as usize);
        for (row, coverage) in (top..).zip(rows) {
            if !(0..height).contains(&row) {
                continue;
            }
            let start = (row * width + left + columns.start) as usize;
            let coverage = &coverage[columns.start as usize..columns.end as usize];
            for (pixel, &covered) in pixels[start..].iter_mut().zip(coverage) {
                if covered > 0 {
                    *pixel = over(*pixel, ink, covered.into());
                }
            }
        }
    }
}

/// A pixel with premultiplied ink on a part of it, of 255.
#[inline]
pub fn over(pixel: [u8; 4], ink: [u8; 4], covered: u32) -> [u8; 4] {
    let scaled = |part: u8, by: u32| (u32::from(part) * by + 127) / 255;
    let rest = 255 - scaled(ink[3], covered);
    let part = |at: usize| (scaled(ink[at], covered) + scaled(pixel[at], rest)).min(255) as u8;
    // `array::from_fn` makes a call for each part.
    [part(0), part(1), part(2), part(3)]
}
