//! A picture as plain data: rectangles, paths, words and stamps in layers, each with its ink.

use crate::ink::Ink;

/// A picture; one unit is one pixel at scale 1.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Scene {
    /// What it shows, in words.
    pub title: String,
    /// How wide it is.
    pub width: f64,
    /// How high it is.
    pub height: f64,
    /// What is drawn in several places.
    pub stamps: Vec<Stamp>,
    /// What is drawn, the lowest layer first.
    pub layers: Vec<Layer>,
}

/// Something drawn in several places.
#[derive(Clone, PartialEq, Debug)]
pub struct Stamp {
    /// Its name.
    pub name: &'static str,
    /// What it consists of.
    pub marks: Vec<Mark>,
}

/// Things that are drawn together.
#[derive(Clone, PartialEq, Debug)]
pub struct Layer {
    /// What they are.
    pub name: &'static str,
    /// The things.
    pub marks: Vec<Mark>,
}

/// One thing to draw.
#[derive(Clone, PartialEq, Debug)]
pub enum Mark {
    /// A shape.
    Shape(Shape, Look),
    /// Words.
    Words(Words),
    /// A stamp, by its index.
    Stamp {
        /// Which one.
        stamp: usize,
        /// Where its left edge lies.
        x: f64,
        /// Where its upper edge lies.
        y: f64,
        /// How much larger than it was defined.
        scale: f64,
    },
}

/// How a shape is filled and outlined.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Look {
    /// What it is filled with.
    pub fill: Option<Ink>,
    /// The ink and width of its outline.
    pub line: Option<(Ink, f64)>,
}

impl Look {
    /// Filled, without an outline.
    pub fn filled(ink: Ink) -> Look {
        Look {
            fill: Some(ink),
            line: None,
        }
    }

    /// An outline.
    pub fn line(ink: Ink, width: f64) -> Look {
        Look {
            fill: None,
            line: Some((ink, width)),
        }
    }

    /// Filled and outlined.
    pub fn both(fill: Ink, ink: Ink, width: f64) -> Look {
        Look {
            fill: Some(fill),
            line: Some((ink, width)),
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
        /// How wide it is.
        width: f64,
        /// How high it is.
        height: f64,
        /// The radius of its corners.
        round: f64,
    },
    /// A circle.
    Circle {
        /// The middle.
        x: f64,
        /// The middle.
        y: f64,
        /// The radius.
        radius: f64,
    },
    /// Anything else.
    Path(Vec<PathStep>),
}

/// A step of a path.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum PathStep {
    /// Lift the pen and begin here.
    Move(f64, f64),
    /// A straight line.
    Line(f64, f64),
    /// A curve with two control points.
    Curve(f64, f64, f64, f64, f64, f64),
    /// Back to where the pen was put down.
    Close,
}

/// Words on one line.
#[derive(Clone, PartialEq, Debug)]
pub struct Words {
    /// Where they start, are centred, or end.
    pub x: f64,
    /// Their base line.
    pub y: f64,
    /// What `x` means.
    pub anchor: Anchor,
    /// The height of the font.
    pub size: f64,
    /// Bold letters.
    pub bold: bool,
    /// The colour.
    pub ink: Ink,
    /// What they say.
    pub text: String,
    /// What is told to somebody who points at them.
    pub note: Option<String>,
}

/// Where words lie with respect to their place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// They start there.
    Start,
    /// Their middle is there.
    Middle,
}

/// Draws a path from SVG's notation with absolute `M`, `L`, `C` and `Z`, as the pieces are written.
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
    /// The same as steps of a path; arcs are curves, as close as the eye can tell.
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

/// How far the control points of a quarter circle lie from its ends, the radius being 1.
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
