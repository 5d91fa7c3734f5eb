//! Cards as small images: the ends of a rounded rectangle are drawn once for a style and a place
//! within a pixel, and a row between them has one colour.

use std::ops::Range;

use rustc_hash::FxHashMap;
use tiny_skia::{Pixmap, Transform};

use super::glyph::{PLACES, divided, over};
use crate::ink::Ink;
use crate::scene::{Look, Shape};

/// Pixels around an image that stay empty: at its edge, tiny-skia draws thin curves wrongly.
const FREE: u32 = 2;

/// Columns between the ends of an image.
const BETWEEN: u32 = 4;

type Pixel = [u8; 4];

/// A rounded rectangle in pixels.
#[derive(Clone, Copy)]
pub struct Card {
    left: f32,
    right: f32,
    top: f32,
    height: f32,
    round: f32,
    look: Look,
}

/// The cards drawn so far.
#[derive(Default)]
pub struct Cards {
    known: FxHashMap<Key, Option<Image>>,
}

/// What makes two images equal: sizes are in bits, places in parts of a pixel.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    height: u32,
    round: u32,
    fill: Option<Ink>,
    line: Option<(Ink, u64)>,
    place: [u8; 2],
}

/// A card whose left and right edges lie at one place within a pixel.
struct Image {
    pixmap: Pixmap,
    /// The columns of each end.
    end: usize,
}

impl Card {
    /// The card of a rectangle with round corners, if it is wider than both ends; `place` maps it to
    /// pixels by scaling and moving.
    pub fn of(shape: &Shape, look: &Look, place: Transform) -> Option<Card> {
        let &Shape::Rect {
            x,
            y,
            width,
            height,
            round,
        } = shape
        else {
            return None;
        };
        let scale = f64::from(place.sx);
        let left = (x * scale) as f32 + place.tx;
        let card = Card {
            left,
            right: left + (width * scale) as f32,
            top: (y * scale) as f32 + place.ty,
            height: (height * scale) as f32,
            round: (round.min(height / 2.0) * scale) as f32,
            look: Look {
                line: look.line.map(|(ink, width)| (ink, width * scale)),
                ..*look
            },
        };
        let is_plain = round > 0.0 && look.dash.pattern().is_none() && place.sx == place.sy;
        let is_wide = card.right - card.left > 2.0 * card.end() as f32;
        (is_plain && is_wide).then_some(card)
    }

    /// The columns of an end: after them, all columns are equal.
    fn end(&self) -> u32 {
        self.around() + self.round.ceil() as u32 + 2
    }

    /// The pixels around the edges, with the outer half of the line.
    fn around(&self) -> u32 {
        let beyond = self.look.line.map_or(0.0, |(_, width)| width / 2.0);
        FREE + beyond.ceil() as u32
    }

    fn key(&self, place: [u8; 2]) -> Key {
        Key {
            height: self.height.to_bits(),
            round: self.round.to_bits(),
            fill: self.look.fill,
            line: self.look.line.map(|(ink, width)| (ink, width.to_bits())),
            place,
        }
    }
}

impl Cards {
    /// Draws a card; `draw` draws a shape in pixels on an empty image. Returns false if there is no
    /// memory for one.
    pub fn draw(
        &mut self,
        card: &Card,
        on: &mut Pixmap,
        draw: impl Fn(&Shape, &Look, &mut Pixmap),
    ) -> bool {
        let (left, left_place) = divided(card.left);
        let (right, right_place) = divided(card.right);
        let (top, top_place) = divided(card.top);
        for place in [[left_place, top_place], [right_place, top_place]] {
            let image = || Image::new(card, place, &draw);
            self.known.entry(card.key(place)).or_insert_with(image);
        }
        let image = |place| self.known.get(&card.key([place, top_place]))?.as_ref();
        let (Some(left_image), Some(right_image)) = (image(left_place), image(right_place)) else {
            return false;
        };
        let width = on.width() as usize;
        let (pixels, _) = on.data_mut().as_chunks_mut::<4>();
        let around = card.around() as i32;
        let ends = left - around..right + around + 1;
        let rows = left_image.rows().zip(right_image.rows());
        for (y, (left_row, right_row)) in (top - around..).zip(rows) {
            let Ok(y) = usize::try_from(y) else { continue };
            let Some(line) = pixels.get_mut(y * width..(y + 1) * width) else {
                break;
            };
            let end = left_image.end;
            let right_end = &right_row[right_row.len() - end..];
            let between = ends.start + end as i32..ends.end - end as i32;
            blend(line, ends.start, &left_row[..end]);
            blend_run(line, between.clone(), left_row[end]);
            blend(line, between.end, right_end);
        }
        true
    }
}

impl Image {
    fn new(
        card: &Card,
        place: [u8; 2],
        draw: impl Fn(&Shape, &Look, &mut Pixmap),
    ) -> Option<Image> {
        let (end, around) = (card.end(), card.around());
        let width = 2 * end + BETWEEN;
        let height = card.height.ceil() as u32 + 2 * around + 1;
        let mut pixmap = Pixmap::new(width, height)?;
        let [x, y] = place.map(|part| f64::from(around) + f64::from(part) / f64::from(PLACES));
        let shape = Shape::Rect {
            x,
            y,
            width: f64::from(width - 2 * around - 1),
            height: card.height.into(),
            round: card.round.into(),
        };
        draw(&shape, &card.look, &mut pixmap);
        Some(Image {
            pixmap,
            end: end as usize,
        })
    }

    fn rows(&self) -> impl Iterator<Item = &[Pixel]> {
        let (pixels, _) = self.pixmap.data().as_chunks::<4>();
        pixels.chunks_exact(self.pixmap.width() as usize)
    }
}

/// Draws premultiplied pixels on a row, from a column on.
fn blend(line: &mut [Pixel], at: i32, inks: &[Pixel]) {
    let outside = (-at).max(0) as usize;
    let inks = inks.get(outside..).unwrap_or_default();
    let line = line.get_mut(at.max(0) as usize..).unwrap_or_default();
    for (pixel, &ink) in line.iter_mut().zip(inks) {
        match ink[3] {
            0 => {}
            255 => *pixel = ink,
            _ => *pixel = over(*pixel, ink, 255),
        }
    }
}

/// Draws one premultiplied colour on some columns of a row.
fn blend_run(line: &mut [Pixel], columns: Range<i32>, ink: Pixel) {
    let column = |at: i32| (at.max(0) as usize).min(line.len());
    let run = column(columns.start)..column(columns.end);
    let run = line.get_mut(run).unwrap_or_default();
    match ink[3] {
        0 => {}
        255 => run.fill(ink),
        _ => run
            .iter_mut()
            .for_each(|pixel| *pixel = over(*pixel, ink, 255)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::canvas::draw_path;
    use super::*;
    use crate::ink::Theme;

    const SIZE: [u32; 2] = [60, 40];

    /// White pixels, and a shape drawn on them.
    fn drawn(size: [u32; 2], draw: impl FnOnce(&mut Pixmap)) -> Pixmap {
        let mut pixmap = Pixmap::new(size[0], size[1]).expect("pixels");
        pixmap.data_mut().fill(255);
        draw(&mut pixmap);
        pixmap
    }

    /// The greatest difference between a card and its path. The path is drawn far from the edges of
    /// its pixels.
    fn difference(shape: &Shape, look: &Look, scale: f32) -> u8 {
        let place = Transform::from_scale(scale, scale);
        let card = Card::of(shape, look, place).expect("a card");
        let card = drawn(SIZE, |on| {
            let draw = |shape: &Shape, look: &Look, on: &mut Pixmap| {
                draw_path(on, Theme::Light, shape, look, Transform::identity());
            };
            assert!(Cards::default().draw(&card, on, draw));
        });
        let around = SIZE.map(|side| 3 * side);
        let moved = place.post_translate(SIZE[0] as f32, SIZE[1] as f32);
        let path = drawn(around, |on| draw_path(on, Theme::Light, shape, look, moved));
        let rows = path.data().chunks_exact(4 * around[0] as usize);
        let rows = rows.skip(SIZE[1] as usize);
        let columns = 4 * SIZE[0] as usize..8 * SIZE[0] as usize;
        let inside = rows.flat_map(|row| &row[columns.clone()]);
        let pairs = card.data().iter().zip(inside);
        pairs.map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0)
    }

    /// In the middle and beyond each corner, at all places within a pixel.
    #[test]
    fn a_card_differs_from_its_path_by_rounding() {
        for (scale, line) in [(0.75, 1.0), (1.0, 1.0), (1.0, 3.2), (1.25, 1.8), (2.0, 3.2)] {
            let look = Look::both(Ink::BlackCard, Ink::Transposition(1), line);
            for (x, y) in [(8.0, 10.0), (-9.0, -5.0), (41.0, 33.0)] {
                for place in 0..4 {
                    let within = f64::from(place) / 4.0;
                    let shape = Shape::Rect {
                        x: (x + within) / scale,
                        y: (y + within) / scale,
                        width: 40.0 / scale,
                        height: 16.0 / scale,
                        round: 8.0 / scale,
                    };
                    let most = difference(&shape, &look, scale as f32);
                    // tiny-skia has some 16 degrees of coverage.
                    assert!(most <= 16, "{scale} {line} {x} {y} {within}: {most}");
                }
            }
        }
    }

    #[test]
    fn other_shapes_are_no_cards() {
        let rect = |width: f64, round: f64| Shape::Rect {
            x: 1.0,
            y: 1.0,
            width,
            height: 20.0,
            round,
        };
        let is_card =
            |shape: &Shape, place| Card::of(shape, &Look::filled(Ink::Fold), place).is_some();
        let same = Transform::identity();
        assert!(is_card(&rect(100.0, 3.0), same));
        assert!(!is_card(&rect(100.0, 0.0), same));
        assert!(!is_card(&rect(20.0, 10.0), same));
        assert!(!is_card(&rect(100.0, 3.0), Transform::from_scale(1.0, 2.0)));
        assert!(!is_card(&Shape::Path(Vec::new()), same));
    }
}
