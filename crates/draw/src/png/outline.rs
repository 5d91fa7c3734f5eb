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
            PathStep::Curve(x1, y1, x2, y2, x, y) => {
                let [x1, y1, x2, y2, x, y] = [x1, y1, x2, y2, x, y].map(|number| number as f32);
                path.cubic_to(x1, y1, x2, y2, x, y);
            }
            PathStep::Close => path.close(),
        }
    }
    path.finish()
}
