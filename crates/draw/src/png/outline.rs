//! Paths of pictures as paths of tiny-skia.

use tiny_skia::{Path, PathBuilder};

use crate::scene::PathStep;

/// The path; none if it is empty.
pub fn outline(steps: &[PathStep]) -> Option<Path> {
    let mut path = PathBuilder::new();
    for step in steps {
        match *step {
            PathStep::Move(x, y) => path.move_to(x as f32, y as f32),
            PathStep::Line(x, y) => path.line_to(x as f32, y as f32),
            PathStep::Curve(x1, y1, x2, y2, x, y) => path.cubic_to(
                x1 as f32, y1 as f32, x2 as f32, y2 as f32, x as f32, y as f32,
            ),
            PathStep::Close => path.close(),
        }
    }
    path.finish()
}
