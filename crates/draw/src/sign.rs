//! Chess signs that the embedded font lacks, as outlines at size 1 with the baseline at 0.

use crate::scene::PathStep;

/// The width of a sign, that of `±` in the font.
pub const ADVANCE: f64 = 0.838;

/// The signs: slight advantage for White and for Black, "better is".
pub const SIGNS: [char; 3] = ['⩲', '⩱', '⌓'];

const LEFT: f64 = 0.106;
const RIGHT: f64 = 0.732;
/// The distance of a control point of a quarter circle, relative to the radius.
const QUARTER: f64 = 0.5523;

/// True if the sign is drawn here.
pub fn is_sign(c: char) -> bool {
    SIGNS.contains(&c)
}

/// The outline of a sign; y points downwards.
pub fn outline(c: char, bold: bool) -> Option<Vec<PathStep>> {
    let weight = if bold { 0.105 } else { 0.072 };
    match c {
        '⩲' => Some([plus(0.57, weight), equals(0.08, weight)].concat()),
        '⩱' => Some([equals(0.64, weight), plus(0.15, weight)].concat()),
        '⌓' => Some(segment(weight)),
        _ => None,
    }
}

/// A plus sign whose middle is at a height above the baseline.
fn plus(height: f64, weight: f64) -> Vec<PathStep> {
    const ARM: f64 = 0.18;
    let middle = (LEFT + RIGHT) / 2.0;
    // One outline for both bars: where two overlap, a translucent ink would be darker.
    let (x, y, w) = (middle, -height, weight / 2.0);
    let corners = [
        (x - w, y - ARM),
        (x + w, y - ARM),
        (x + w, y - w),
        (RIGHT, y - w),
        (RIGHT, y + w),
        (x + w, y + w),
        (x + w, y + ARM),
        (x - w, y + ARM),
        (x - w, y + w),
        (LEFT, y + w),
        (LEFT, y - w),
        (x - w, y - w),
    ];
    polygon(&corners)
}

/// Two bars whose middle is at a height above the baseline.
fn equals(height: f64, weight: f64) -> Vec<PathStep> {
    const APART: f64 = 0.09;
    let bar = |y: f64| {
        let (top, bottom) = (y - weight / 2.0, y + weight / 2.0);
        polygon(&[(LEFT, top), (RIGHT, top), (RIGHT, bottom), (LEFT, bottom)])
    };
    [bar(-height - APART), bar(-height + APART)].concat()
}

/// The upper half of a circle with its diameter; the inner outline runs the other way round, so
/// that it is a hole.
fn segment(weight: f64) -> Vec<PathStep> {
    let middle = (LEFT + RIGHT) / 2.0;
    let base = -0.2;
    let radius = (RIGHT - LEFT) / 2.0;
    let inner = radius - weight;
    let floor = base - weight;
    let (far, near) = (QUARTER * radius, QUARTER * inner);
    let mut steps = vec![
        PathStep::Move(LEFT, base),
        PathStep::Curve(
            LEFT,
            base - far,
            middle - far,
            base - radius,
            middle,
            base - radius,
        ),
        PathStep::Curve(middle + far, base - radius, RIGHT, base - far, RIGHT, base),
        PathStep::Close,
    ];
    let top = floor - inner + weight;
    steps.extend([
        PathStep::Move(middle - inner, floor),
        PathStep::Line(middle + inner, floor),
        PathStep::Curve(
            middle + inner,
            floor - near,
            middle + near,
            top,
            middle,
            top,
        ),
        PathStep::Curve(
            middle - near,
            top,
            middle - inner,
            floor - near,
            middle - inner,
            floor,
        ),
        PathStep::Close,
    ]);
    steps
}

fn polygon(corners: &[(f64, f64)]) -> Vec<PathStep> {
    let mut steps: Vec<PathStep> = corners.iter().map(|&(x, y)| PathStep::Line(x, y)).collect();
    if let Some(&(x, y)) = corners.first() {
        steps[0] = PathStep::Move(x, y);
    }
    steps.push(PathStep::Close);
    steps
}
