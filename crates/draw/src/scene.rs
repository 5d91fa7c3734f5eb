//! A picture as plain data: rectangles, paths, text and stamps in layers, each with its ink.

use crate::ink::Ink;

/// A picture; one unit is one pixel at scale 1.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Scene {
    /// A description.
    pub title: String,
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
    /// The stamps.
    pub stamps: Vec<Stamp>,
    /// The layers, the lowest first.
    pub layers: Vec<Layer>,
}

/// A drawing that is used in several places.
#[derive(Clone, PartialEq, Debug)]
pub struct Stamp {
    /// Its name.
    pub name: &'static str,
    /// Its shapes.
    pub marks: Vec<Mark>,
}

/// Marks that are drawn together.
#[derive(Clone, PartialEq, Debug)]
pub struct Layer {
    /// The name of the layer.
    pub name: &'static str,
    /// The marks.
    pub marks: Vec<Mark>,
}

/// A layer whose marks are made one by one.
pub struct MarkStream<'a> {
    /// The name of the layer.
    pub name: &'static str,
    /// The marks.
    pub marks: Box<dyn Iterator<Item = Mark> + 'a>,
}

/// An element of a layer.
#[derive(Clone, PartialEq, Debug)]
pub enum Mark {
    /// A shape.
    Shape(Shape, Look),
    /// Text.
    Words(Words),
    /// A stamp, by its index.
    Stamp {
        /// The index.
        stamp: usize,
        /// Its left edge.
        x: f64,
        /// Its upper edge.
        y: f64,
        /// The scale.
        scale: f64,
    },
}

/// The fill and outline of a shape.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Look {
    /// The ink of the fill.
    pub fill: Option<Ink>,
    /// The ink and width of the outline.
    pub line: Option<(Ink, f64)>,
    /// The dashes of the outline.
    pub dash: Dash,
}

/// The dashes of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dash {
    /// No gaps.
    #[default]
    Solid,
    /// Long dashes.
    Dashed,
    /// Short dashes.
    Dotted,
}

impl Dash {
    /// The lengths of a dash and of the gap after it; none for a solid line.
    pub fn pattern(self) -> Option<[f64; 2]> {
        match self {
            Dash::Solid => None,
            Dash::Dashed => Some([7.0, 4.0]),
            Dash::Dotted => Some([1.5, 4.0]),
        }
    }
}

impl Look {
    /// Filled, without an outline.
    pub fn filled(ink: Ink) -> Look {
        Look {
            fill: Some(ink),
            ..Look::default()
        }
    }

    /// An outline.
    pub fn line(ink: Ink, width: f64) -> Look {
        Look {
            line: Some((ink, width)),
            ..Look::default()
        }
    }

    /// The same with a dashed outline.
    pub fn dashed(self, dash: Dash) -> Look {
        Look { dash, ..self }
    }

    /// Filled and outlined.
    pub fn both(fill: Ink, ink: Ink, width: f64) -> Look {
        Look {
            fill: Some(fill),
            ..Look::line(ink, width)
        }
    }
}

/// A shape.
#[derive(Clone, PartialEq, Debug)]
pub enum Shape {
    /// A rectangle, its corners rounded by `round`.
    Rect {
        /// Its left edge.
        x: f64,
        /// Its upper edge.
        y: f64,
        /// The width.
        width: f64,
        /// The height.
        height: f64,
        /// The radius of its corners.
        round: f64,
    },
    /// A circle.
    Circle {
        /// The centre.
        x: f64,
        /// The centre.
        y: f64,
        /// The radius.
        radius: f64,
    },
    /// A path.
    Path(Vec<PathStep>),
}

/// A step of a path.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum PathStep {
    /// Begin a new subpath here.
    Move(f64, f64),
    /// A straight line.
    Line(f64, f64),
    /// A cubic curve.
    Curve(f64, f64, f64, f64, f64, f64),
    /// Back to the start of the subpath.
    Close,
}

impl PathStep {
    /// The step with its points moved.
    pub fn mapped(&self, place: impl Fn(f64, f64) -> (f64, f64)) -> PathStep {
        match *self {
            PathStep::Move(x, y) => {
                let (x, y) = place(x, y);
                PathStep::Move(x, y)
            }
            PathStep::Line(x, y) => {
                let (x, y) = place(x, y);
                PathStep::Line(x, y)
            }
            PathStep::Curve(x1, y1, x2, y2, x, y) => {
                let ((x1, y1), (x2, y2), (x, y)) = (place(x1, y1), place(x2, y2), place(x, y));
                PathStep::Curve(x1, y1, x2, y2, x, y)
            }
            PathStep::Close => PathStep::Close,
        }
    }
}

/// A line of text.
#[derive(Clone, PartialEq, Debug)]
pub struct Words {
    /// The anchor point.
    pub x: f64,
    /// The baseline.
    pub y: f64,
    /// The meaning of `x`.
    pub anchor: Anchor,
    /// The font size.
    pub size: f64,
    /// Whether the text is bold.
    pub bold: bool,
    /// The colour.
    pub ink: Ink,
    /// The text.
    pub text: String,
    /// The tooltip.
    pub note: Option<String>,
}

/// The alignment of text at its anchor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// The text starts there.
    Start,
    /// The text is centred there.
    Middle,
}

/// Parses a path in SVG notation with absolute `M`, `L`, `C` and `Z`, the notation of the pieces.
pub fn path(notation: &str) -> Vec<PathStep> {
    let mut words = notation.split_ascii_whitespace();
    let mut steps = Vec::new();
    while let Some(word) = words.next() {
        let mut number = || words.next().and_then(|n| n.parse().ok()).unwrap_or(0.0);
        steps.push(match word {
            "M" => PathStep::Move(number(), number()),
            "L" => PathStep::Line(number(), number()),
            "C" => PathStep::Curve(number(), number(), number(), number(), number(), number()),
            _ => PathStep::Close,
        });
    }
    steps
}

impl Shape {
    /// The shape as steps of a path; arcs are approximated by curves.
    pub fn steps(&self) -> Vec<PathStep> {
        match *self {
            Shape::Rect {
                x,
                y,
                width,
                height,
                round,
            } => rect_steps(x, y, width, height, round),
            Shape::Circle { x, y, radius } => {
                rect_steps(x - radius, y - radius, 2.0 * radius, 2.0 * radius, radius)
            }
            Shape::Path(ref steps) => steps.clone(),
        }
    }
}

/// The distance of the control points of a quarter circle from its ends, for radius 1.
const QUARTER: f64 = 0.552_284_75;

fn rect_steps(x: f64, y: f64, width: f64, height: f64, round: f64) -> Vec<PathStep> {
    let (right, bottom) = (x + width, y + height);
    let r = round.min(width / 2.0).min(height / 2.0);
    if r <= 0.0 {
        return vec![
            PathStep::Move(x, y),
            PathStep::Line(right, y),
            PathStep::Line(right, bottom),
            PathStep::Line(x, bottom),
            PathStep::Close,
        ];
    }
    let c = r * (1.0 - QUARTER);
    vec![
        PathStep::Move(x + r, y),
        PathStep::Line(right - r, y),
        PathStep::Curve(right - c, y, right, y + c, right, y + r),
        PathStep::Line(right, bottom - r),
        PathStep::Curve(right, bottom - c, right - c, bottom, right - r, bottom),
        PathStep::Line(x + r, bottom),
        PathStep::Curve(x + c, bottom, x, bottom - c, x, bottom - r),
        PathStep::Line(x, y + r),
        PathStep::Curve(x, y + c, x + c, y, x + r, y),
        PathStep::Close,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notation_of_paths() {
        let steps = path("M 1 2 L 3 4.5 C 1 2 3 4 5 6 Z");
        assert_eq!(
            steps,
            [
                PathStep::Move(1.0, 2.0),
                PathStep::Line(3.0, 4.5),
                PathStep::Curve(1.0, 2.0, 3.0, 4.0, 5.0, 6.0),
                PathStep::Close
            ]
        );
    }
}
