//! Paper sizes, and the division of a picture into pages that overlap.

use std::collections::BTreeMap;

use crate::DrawError;
use crate::bounds::Bounds;
use crate::scene::{Mark, Scene};

/// A paper size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PaperSize {
    /// 297 × 420 mm.
    A3,
    /// 210 × 297 mm.
    A4,
    /// 148 × 210 mm.
    A5,
    /// 8.5 × 11 inches.
    Letter,
    /// 8.5 × 14 inches.
    Legal,
    /// 11 × 17 inches.
    Tabloid,
}

impl PaperSize {
    /// All sizes.
    pub const ALL: &[PaperSize] = &[
        PaperSize::A3,
        PaperSize::A4,
        PaperSize::A5,
        PaperSize::Letter,
        PaperSize::Legal,
        PaperSize::Tabloid,
    ];

    /// The size with this name, in upper or lower case.
    pub fn of_name(name: &str) -> Option<PaperSize> {
        let mut sizes = PaperSize::ALL.iter().copied();
        sizes.find(|size| size.name().eq_ignore_ascii_case(name))
    }

    /// The name, `a4`.
    pub fn name(self) -> &'static str {
        self.described().0
    }

    /// The width and the height, `210 × 297 mm`.
    pub fn measures(self) -> &'static str {
        self.described().1
    }

    fn described(self) -> (&'static str, &'static str) {
        match self {
            PaperSize::A3 => ("a3", "297 × 420 mm"),
            PaperSize::A4 => ("a4", "210 × 297 mm"),
            PaperSize::A5 => ("a5", "148 × 210 mm"),
            PaperSize::Letter => ("letter", "8.5 × 11 in"),
            PaperSize::Legal => ("legal", "8.5 × 14 in"),
            PaperSize::Tabloid => ("tabloid", "11 × 17 in"),
        }
    }
}

/// A sheet of paper: its size and orientation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sheet {
    /// The size.
    pub size: PaperSize,
    /// The long side is horizontal.
    pub landscape: bool,
}

/// The border of a page without contents, in points.
pub(crate) const BORDER: f64 = 28.0;
/// The space for the label below the contents, in points.
pub(crate) const FOOT: f64 = 14.0;
/// What neighbouring pages share, in units of the picture: no less than most cards.
const OVERLAP: (f64, f64) = (72.0, 32.0);
/// More pages than this are refused.
const MOST_PAGES: usize = 200;

impl Sheet {
    /// Width and height in points.
    pub(crate) fn points(self) -> (f64, f64) {
        let millimetres = |number: f64| number * 72.0 / 25.4;
        let (short, long) = match self.size {
            PaperSize::A3 => (millimetres(297.0), millimetres(420.0)),
            PaperSize::A4 => (millimetres(210.0), millimetres(297.0)),
            PaperSize::A5 => (millimetres(148.0), millimetres(210.0)),
            PaperSize::Letter => (612.0, 792.0),
            PaperSize::Legal => (612.0, 1008.0),
            PaperSize::Tabloid => (792.0, 1224.0),
        };
        if self.landscape {
            (long, short)
        } else {
            (short, long)
        }
    }

    /// Width and height of the contents in units of the picture, of which each has `scale` points.
    pub(crate) fn inside(self, scale: f64) -> (f64, f64) {
        let (width, height) = self.points();
        let (width, height) = (width - 2.0 * BORDER, height - 2.0 * BORDER - FOOT);
        (width / scale, height / scale)
    }
}

/// A page: a part of a picture.
pub(crate) struct Tile<'a> {
    /// The row in the grid of pages.
    pub row: usize,
    /// The column.
    pub column: usize,
    /// The part of the picture.
    pub bounds: Bounds,
    /// The marks that touch it, in drawing order.
    pub marks: Vec<&'a Mark>,
}

impl Tile<'_> {
    /// `A1`: a letter for the row, a number for the column.
    pub fn label(&self) -> String {
        label(self.row, self.column)
    }
}

fn label(row: usize, column: usize) -> String {
    let mut letters = String::new();
    let mut rest = row + 1;
    while rest > 0 {
        letters.insert(0, char::from(b'A' + ((rest - 1) % 26) as u8));
        rest = (rest - 1) / 26;
    }
    format!("{letters}{}", column + 1)
}

/// The pages of a picture, row by row.
pub(crate) struct Tiling<'a> {
    /// The pages, without empty ones.
    pub tiles: Vec<Tile<'a>>,
    columns: Grid,
    rows: Grid,
}

/// The division of one direction.
#[derive(Clone, Copy)]
struct Grid {
    size: f64,
    step: f64,
    count: usize,
}

impl Grid {
    fn new(whole: f64, size: f64, overlap: f64) -> Grid {
        // A very large scale leaves room for nothing but the overlap.
        let step = (size - overlap).max(size / 2.0);
        let count = if whole <= size {
            1
        } else {
            1 + ((whole - size) / step).ceil() as usize
        };
        Grid { size, step, count }
    }

    fn start(self, index: usize) -> f64 {
        index as f64 * self.step
    }

    /// The parts that an interval touches.
    fn touched(self, from: f64, to: f64) -> std::ops::RangeInclusive<usize> {
        let last = self.count - 1;
        let first = ((from - self.size) / self.step).ceil().max(0.0) as usize;
        let end = (to / self.step).floor().max(0.0) as usize;
        first.min(last)..=end.min(last)
    }
}

impl<'a> Tiling<'a> {
    /// Divides a picture into pages; pages on which nothing is drawn are left out.
    pub fn new(scene: &'a Scene, sheet: Sheet, scale: f64) -> Result<Tiling<'a>, DrawError> {
        let (width, height) = sheet.inside(scale);
        let columns = Grid::new(scene.width, width, OVERLAP.0);
        let rows = Grid::new(scene.height, height, OVERLAP.1);
        let mut found: BTreeMap<(usize, usize), Vec<&Mark>> = BTreeMap::new();
        let layers = scene.layers.iter().filter(|layer| layer.name != "paper");
        for mark in layers.flat_map(|layer| &layer.marks) {
            for bounds in mark.bounds() {
                for row in rows.touched(bounds.top, bounds.bottom) {
                    for column in columns.touched(bounds.left, bounds.right) {
                        let marks = found.entry((row, column)).or_default();
                        if !marks.last().is_some_and(|last| std::ptr::eq(*last, mark)) {
                            marks.push(mark);
                        }
                        check_count(found.len())?;
                    }
                }
            }
        }
        let tile = |((row, column), marks)| {
            let (left, top) = (columns.start(column), rows.start(row));
            Tile {
                row,
                column,
                bounds: Bounds {
                    left,
                    top,
                    right: left + width,
                    bottom: top + height,
                },
                marks,
            }
        };
        Ok(Tiling {
            tiles: found.into_iter().map(tile).collect(),
            columns,
            rows,
        })
    }

    /// The labels of the pages to the left, to the right, above and below, if there are any.
    pub fn neighbours(&self, tile: &Tile) -> [Option<String>; 4] {
        let label = |row: Option<usize>, column: Option<usize>| {
            let (row, column) = (row?, column?);
            let place = |other: &Tile| (other.row, other.column);
            let known = self.tiles.binary_search_by_key(&(row, column), place);
            known.is_ok().then(|| label(row, column))
        };
        let (row, column) = (tile.row, tile.column);
        [
            label(Some(row), column.checked_sub(1)),
            label(Some(row), Some(column + 1)),
            label(row.checked_sub(1), Some(column)),
            label(Some(row + 1), Some(column)),
        ]
    }

    /// The middle of what a page shares with its neighbours: left, right, top, bottom.
    pub fn seams(&self, tile: &Tile) -> [f64; 4] {
        let (across, down) = (
            (self.columns.size - self.columns.step) / 2.0,
            (self.rows.size - self.rows.step) / 2.0,
        );
        let bounds = tile.bounds;
        [
            bounds.left + across,
            bounds.right - across,
            bounds.top + down,
            bounds.bottom - down,
        ]
    }
}

/// Fails if there are more pages than anyone prints.
pub(crate) fn check_count(pages: usize) -> Result<(), DrawError> {
    if pages > MOST_PAGES {
        return Err(DrawError::TooManyPages { most: MOST_PAGES });
    }
    Ok(())
}

/// Fails if chapters on pages of their own need more pages than that at any scale.
pub(crate) fn check_chapters(chapters: usize) -> Result<(), DrawError> {
    if chapters > MOST_PAGES {
        let most = MOST_PAGES;
        return Err(DrawError::TooManyChapters { chapters, most });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ink::Ink;
    use crate::scene::{Layer, Look, Shape};

    const A4: Sheet = Sheet {
        size: PaperSize::A4,
        landscape: false,
    };

    /// A picture with small squares at the given places.
    fn dots(width: f64, height: f64, places: &[(f64, f64)]) -> Scene {
        let dot = |&(x, y): &(f64, f64)| {
            let shape = Shape::Rect {
                x,
                y,
                width: 4.0,
                height: 4.0,
                round: 0.0,
            };
            Mark::Shape(shape, Look::filled(Ink::Text))
        };
        Scene {
            width,
            height,
            layers: vec![Layer {
                name: "dots",
                marks: places.iter().map(dot).collect(),
            }],
            ..Scene::default()
        }
    }

    #[test]
    fn labels_of_pages() {
        assert_eq!(label(0, 0), "A1");
        assert_eq!(label(25, 9), "Z10");
        assert_eq!(label(26, 0), "AA1");
        assert_eq!(label(51, 0), "AZ1");
    }

    #[test]
    fn pages_overlap_and_cover_everything() {
        let places: Vec<(f64, f64)> = (0..40)
            .flat_map(|x| (0..60).map(move |y| (f64::from(x) * 50.0, f64::from(y) * 50.0)))
            .collect();
        let scene = dots(2000.0, 3000.0, &places);
        let tiling = Tiling::new(&scene, A4, 0.75).unwrap();
        let (width, height) = A4.inside(0.75);
        let columns = 1 + ((2000.0 - width) / (width - OVERLAP.0)).ceil() as usize;
        let rows = 1 + ((3000.0 - height) / (height - OVERLAP.1)).ceil() as usize;
        assert_eq!(tiling.tiles.len(), columns * rows);
        for mark in &scene.layers[0].marks {
            let dot = mark.bounds()[0];
            let is_inside = |tile: &&Tile| {
                tile.bounds.left <= dot.left
                    && dot.right <= tile.bounds.right
                    && tile.bounds.top <= dot.top
                    && dot.bottom <= tile.bounds.bottom
                    && tile.marks.iter().any(|other| std::ptr::eq(*other, mark))
            };
            assert!(tiling.tiles.iter().any(|tile| is_inside(&tile)), "{dot:?}");
        }
        let first = &tiling.tiles[0];
        assert_eq!(first.label(), "A1");
        let neighbours = tiling.neighbours(first);
        assert_eq!(
            neighbours,
            [None, Some("A2".to_owned()), None, Some("B1".to_owned())]
        );
        // Both pages mark the same line of the picture.
        let [_, right, ..] = tiling.seams(first);
        let [left, ..] = tiling.seams(&tiling.tiles[1]);
        assert!((right - left).abs() < 1e-9);
    }

    #[test]
    fn empty_pages_are_left_out() {
        let scene = dots(5000.0, 5000.0, &[(0.0, 0.0), (4990.0, 4990.0)]);
        let tiling = Tiling::new(&scene, A4, 0.75).unwrap();
        assert_eq!(tiling.tiles.len(), 2);
    }

    #[test]
    fn no_scale_helps_against_too_many_chapters() {
        assert_eq!(check_chapters(MOST_PAGES), Ok(()));
        let (chapters, most) = (MOST_PAGES + 1, MOST_PAGES);
        let error = DrawError::TooManyChapters { chapters, most };
        assert!(error.fix().is_some_and(|fix| !fix.contains("--scale")));
        assert_eq!(check_chapters(chapters), Err(error));
    }

    #[test]
    fn too_many_pages_are_refused() {
        let places: Vec<(f64, f64)> = (0..1000).map(|i| (f64::from(i) * 1000.0, 0.0)).collect();
        let scene = dots(1_000_000.0, 10.0, &places);
        let refused = || Err(DrawError::TooManyPages { most: MOST_PAGES });
        assert_eq!(Tiling::new(&scene, A4, 0.75).map(|_| ()), refused());
        // One small mark on more pages than can be counted.
        let scene = dots(10.0, 10.0, &[(0.0, 0.0)]);
        assert_eq!(Tiling::new(&scene, A4, 1e12).map(|_| ()), refused());
    }
}
