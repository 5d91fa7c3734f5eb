//! The area that marks of a picture cover.

use crate::font;
use crate::pieces::PIECE_SIZE;
use crate::scene::{Anchor, Mark, PathStep, Shape};

/// A rectangle by its edges.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bounds {
    /// The left edge.
    pub left: f64,
    /// The upper edge.
    pub top: f64,
    /// The right edge.
    pub right: f64,
    /// The lower edge.
    pub bottom: f64,
}

impl Bounds {
    /// The smallest rectangle around some points.
    fn around(points: &[(f64, f64)]) -> Bounds {
        let start = Bounds {
            left: f64::MAX,
            top: f64::MAX,
            right: f64::MIN,
            bottom: f64::MIN,
        };
        points.iter().fold(start, |bounds, &(x, y)| Bounds {
            left: bounds.left.min(x),
            top: bounds.top.min(y),
            right: bounds.right.max(x),
            bottom: bounds.bottom.max(y),
        })
    }
}

impl Mark {
    /// Rectangles that cover the mark: one for each step of a path, so that empty space within a
    /// bend is left out.
    pub fn bounds(&self) -> Vec<Bounds> {
        match self {
            Mark::Shape(Shape::Path(steps), _) => step_bounds(steps),
            Mark::Shape(
                Shape::Rect {
                    x,
                    y,
                    width,
                    height,
                    ..
                },
                _,
            ) => vec![Bounds::around(&[(*x, *y), (x + width, y + height)])],
            Mark::Shape(Shape::Circle { x, y, radius }, _) => vec![Bounds::around(&[
                (x - radius, y - radius),
                (x + radius, y + radius),
            ])],
            Mark::Words(words) => {
                let width = font::width(&words.text, words.size, words.bold);
                let left = match words.anchor {
                    Anchor::Start => words.x,
                    Anchor::Middle => words.x - width / 2.0,
                };
                vec![Bounds::around(&[
                    (left, words.y - words.size),
                    (left + width, words.y + 0.3 * words.size),
                ])]
            }
            Mark::Stamp { x, y, scale, .. } => {
                let side = scale * PIECE_SIZE;
                vec![Bounds::around(&[(*x, *y), (x + side, y + side)])]
            }
        }
    }
}

fn step_bounds(steps: &[PathStep]) -> Vec<Bounds> {
    let (mut start, mut at) = ((0.0, 0.0), (0.0, 0.0));
    let mut bounds = Vec::new();
    for step in steps {
        match *step {
            PathStep::Move(x, y) => {
                at = (x, y);
                start = at;
            }
            PathStep::Line(x, y) => {
                bounds.push(Bounds::around(&[at, (x, y)]));
                at = (x, y);
            }
            PathStep::Curve(x1, y1, x2, y2, x, y) => {
                bounds.push(Bounds::around(&[at, (x1, y1), (x2, y2), (x, y)]));
                at = (x, y);
            }
            PathStep::Close => bounds.push(Bounds::around(&[at, start])),
        }
    }
    bounds
}
