//! The division of a picture into bands of rows, with the marks in each.
//!
//! A band at a time needs little memory, however large the picture is.

use std::ops::Range;

use crate::bounds::Bounds;
use crate::scene::{Mark, Scene};

/// Rows of a band.
const BAND: u32 = 192;

/// Rows above and below a band that are drawn with it and left out of the picture, at scale 1: at
/// the edge of its pixels, tiny-skia draws thin curves wrongly. The corners of cards are not higher.
const MARGIN: f64 = 24.0;

/// The marks of a picture by bands.
pub struct Bands<'a> {
    marks: Vec<&'a Mark>,
    /// The marks in each band, by their index, in the order of drawing.
    bands: Vec<Vec<u32>>,
    height: u32,
    /// Rows of each band but the last.
    rows: u32,
    /// Rows above and below each band.
    pub margin: u32,
}

/// A band of a picture.
pub struct Band<'a> {
    /// The rows.
    pub rows: Range<u32>,
    bands: &'a Bands<'a>,
    marks: &'a [u32],
}

impl<'a> Bands<'a> {
    /// Divides a picture of this height in pixels.
    pub fn new(scene: &'a Scene, height: u32, scale: f64) -> Bands<'a> {
        // A canvas begins with the paper.
        let layers = scene.layers.iter().filter(|layer| layer.name != "paper");
        let marks: Vec<&Mark> = layers.flat_map(|layer| &layer.marks).collect();
        let margin = (MARGIN * scale).ceil() as u32;
        // Bands with margins must not need more memory than the whole picture.
        let (rows, margin) = match BAND.saturating_add(margin.saturating_mul(2)) {
            drawn if drawn < height => (BAND, margin),
            _ => (height.max(1), 0),
        };
        let mut bands = vec![Vec::new(); height.div_ceil(rows) as usize];
        for (index, mark) in (0..).zip(&marks) {
            let range = touched_rows(mark, scale).map(|row| (row / f64::from(rows)) as usize);
            let [first, last] = range.map(|band| band.min(bands.len().saturating_sub(1)));
            // No band for a path without a line, whose first row is after its last.
            let touched = bands.get_mut(first..=last);
            touched
                .into_iter()
                .flatten()
                .for_each(|band| band.push(index));
        }
        Bands {
            marks,
            bands,
            height,
            rows,
            margin,
        }
    }

    /// The rows of the largest band, with its margins.
    pub fn drawn_rows(&self) -> u32 {
        self.height.min(self.rows) + 2 * self.margin
    }

    /// The bands from top to bottom.
    pub fn iter(&self) -> impl Iterator<Item = Band<'_>> {
        let starts = (0..self.height).step_by(self.rows as usize);
        starts.zip(&self.bands).map(|(start, marks)| Band {
            rows: start..self.height.min(start + self.rows),
            bands: self,
            marks,
        })
    }
}

impl<'a> Band<'a> {
    /// The row of the picture at the upper edge of the pixels.
    pub fn top(&self) -> f32 {
        self.rows.start as f32 - self.bands.margin as f32
    }

    /// The marks of the band in the order of drawing.
    pub fn marks(&self) -> impl Iterator<Item = &'a Mark> {
        self.marks.iter().map(|&at| self.bands.marks[at as usize])
    }
}

/// The first and the last row that a mark may touch.
fn touched_rows(mark: &Mark, scale: f64) -> [f64; 2] {
    // Letters may go beyond their line, and an outline beyond its path.
    let beyond = match mark {
        Mark::Shape(_, look) => look.line.map_or(0.0, |(_, width)| width / 2.0),
        Mark::Words(words) => words.size / 2.0,
        Mark::Stamp { .. } => 0.0,
    };
    let around = |(top, bottom): (f64, f64), bounds: Bounds| {
        (bounds.top.min(top), bounds.bottom.max(bottom))
    };
    let (top, bottom) = { mark.bounds().into_iter() }.fold((f64::MAX, f64::MIN), around);
    [
        ((top - beyond) * scale - 1.0).max(0.0),
        ((bottom + beyond) * scale + 1.0).max(0.0),
    ]
}
