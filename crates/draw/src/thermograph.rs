//! Thermographs as text and as pictures.
//!
//! Temperature goes up; by convention Left's side is on the left, so values decrease from left to
//! right.

use std::ops::Range;

use crate::board::paper;
use crate::font;
use crate::ink::Ink;
use crate::scene::{Anchor, Layer, Look, Mark, PathStep, Scene, Shape, Words};
use crate::text::shortened;

/// A number to place by its value and to print by its text.
#[derive(Clone, PartialEq, Debug)]
pub struct Number {
    /// Its approximate value.
    pub value: f64,
    /// Its exact text.
    pub text: String,
}

/// A thermograph to draw: its walls as corners, and its numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct Thermograph {
    /// Left's and Right's wall: value and temperature of each corner, from the coldest, which is at
    /// −1, to the foot of the mast.
    pub walls: [Vec<(Number, Number)>; 2],
    /// The mean value: the position of the mast.
    pub mean: Number,
    /// The temperature: the start of the mast.
    pub temperature: Number,
    /// Left's and Right's stop: the walls at temperature 0.
    pub stops: [Number; 2],
}

/// Left's wall, by index.
const LEFT: usize = 0;
/// Right's wall, by index.
const RIGHT: usize = 1;

/// The range of values and temperatures that a drawing covers.
struct Frame {
    /// The greatest value: the left edge.
    most: f64,
    /// The least value: the right edge.
    least: f64,
    /// The highest temperature.
    top: f64,
    /// The lowest temperature.
    bottom: f64,
}

impl Frame {
    /// Both walls, and some of the mast above them.
    fn around(graph: &Thermograph) -> Frame {
        let values = graph.walls.iter().flatten().map(|(value, _)| value.value);
        let (least, most) = values.fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(x), b.max(x)));
        let foot = graph.temperature.value;
        let bottom = -1.0;
        let mast = ((foot - bottom) / 3.0).max(0.5);
        let margin = ((most - least) / 10.0).max(0.5);
        Frame {
            most: most + margin,
            least: least - margin,
            top: foot.max(0.0) + mast,
            bottom,
        }
    }

    /// From 0 at the left edge to 1 at the right.
    fn across(&self, value: f64) -> f64 {
        (self.most - value) / (self.most - self.least)
    }

    /// From 0 at the top to 1 at the bottom.
    fn down(&self, t: f64) -> f64 {
        (self.top - t) / (self.top - self.bottom)
    }
}

/// Draws a thermograph as text in this many columns and lines, axes included.
pub fn thermograph_text(graph: &Thermograph, columns: usize, lines: usize) -> String {
    let (columns, lines) = (columns.clamp(24, 400), lines.clamp(8, 200));
    let (width, height) = (columns - LABELS, lines - 2);
    let mut frame = Frame::around(graph);
    // A power of two between two lines, so that their temperatures are round.
    let step = ((frame.top - frame.bottom) / (height - 1) as f64)
        .log2()
        .ceil()
        .exp2();
    frame.top = frame.bottom + step * (height - 1) as f64;
    let mut sheet = Sheet {
        cells: vec![vec![' '; width]; height],
    };
    for row in 0..height {
        let t = frame.top - step * row as f64;
        sheet.draw_row(graph, &frame, row, t..t + step / 1024.0);
    }
    let mut out = sheet.with_temperatures(&frame, step);
    out.push_str(&values_line(graph, &frame, width));
    out
}

/// Columns for the temperatures at the left.
const LABELS: usize = 9;

struct Sheet {
    cells: Vec<Vec<char>>,
}

impl Sheet {
    /// One temperature: the mast, or the two walls.
    fn draw_row(&mut self, graph: &Thermograph, frame: &Frame, row: usize, t: Range<f64>) {
        let [left, right] =
            [LEFT, RIGHT].map(|wall| self.column(frame, value_at(graph, wall, t.start)));
        if left == right {
            self.cells[row][left] = '│';
        } else {
            self.cells[row][left] = self.stroke(graph, LEFT, &t);
            self.cells[row][right] = self.stroke(graph, RIGHT, &t);
        }
    }

    fn column(&self, frame: &Frame, value: f64) -> usize {
        let last = self.cells[0].len() - 1;
        ((frame.across(value) * last as f64).round().max(0.0) as usize).min(last)
    }

    /// Vertical, or slanted like the wall.
    fn stroke(&self, graph: &Thermograph, wall: usize, t: &Range<f64>) -> char {
        let [here, above] = [t.start, t.end].map(|t| value_at(graph, wall, t));
        match here.total_cmp(&above) {
            std::cmp::Ordering::Equal => '│',
            std::cmp::Ordering::Greater => '╱',
            std::cmp::Ordering::Less => '╲',
        }
    }

    fn with_temperatures(&self, frame: &Frame, step: f64) -> String {
        let height = self.cells.len();
        let mut out = String::new();
        for (row, cells) in self.cells.iter().enumerate() {
            let t = frame.top - step * row as f64;
            let line: String = cells.iter().collect();
            let label = if row % 4 == (height - 1) % 4 {
                short(&t.to_string(), t, LABELS - 2)
            } else {
                String::new()
            };
            out.push_str(format!("{label:>7} ┤{line}").trim_end());
            out.push('\n');
        }
        out
    }
}

/// A number in at most `room` characters, approximate if necessary.
fn short(exact: &str, number: f64, room: usize) -> String {
    if exact.len() <= room {
        exact.to_owned()
    } else {
        format!("{number:.1e}")
    }
}

/// The axis of values, with the stops and the mean where there is room.
fn values_line(graph: &Thermograph, frame: &Frame, width: usize) -> String {
    let mut axis = vec!['─'; width];
    let mut names = vec![' '; width];
    for number in [&graph.mean, &graph.stops[LEFT], &graph.stops[RIGHT]] {
        let at = ((frame.across(number.value) * (width - 1) as f64)
            .round()
            .max(0.0) as usize)
            .min(width - 1);
        let name = short(&number.text, number.value, width / 3);
        let name: Vec<char> = name.chars().collect();
        let start = at
            .saturating_sub(name.len() / 2)
            .min(width.saturating_sub(name.len()));
        let room = start.saturating_sub(1)..(start + name.len() + 1).min(width);
        if name.len() < width && names[room].iter().all(|&c| c == ' ') {
            names[start..start + name.len()].copy_from_slice(&name);
            axis[at] = '┬';
        }
    }
    let (axis, names): (String, String) = (axis.into_iter().collect(), names.into_iter().collect());
    format!("{:>8}└{axis}\n{:>9}{}\n", "", "", names.trim_end())
}

/// The value of a wall at a temperature, for drawing.
fn value_at(graph: &Thermograph, wall: usize, t: f64) -> f64 {
    let corners: Vec<(f64, f64)> = graph.walls[wall]
        .iter()
        .map(|(v, t)| (v.value, t.value))
        .collect();
    let mut value = corners.first().map_or(0.0, |corner| corner.0);
    for pair in corners.windows(2) {
        let [(v0, t0), (v1, t1)] = [pair[0], pair[1]];
        if t >= t1 {
            value = v1;
        } else if t > t0 {
            value = v0 + (v1 - v0) * (t - t0) / (t1 - t0);
        }
    }
    value
}

const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 360.0;
/// Margin of the drawing.
const EDGE: f64 = 44.0;
/// Characters of a number beside the drawing.
const NUMBER_LENGTH: usize = 12;
const LETTERS: f64 = 12.0;
/// Longer titles are shortened.
const TITLE_LENGTH: usize = 62;

/// A picture of a thermograph.
pub(crate) fn scene(graph: &Thermograph, title: &str) -> Scene {
    Easel::around(graph).scene(title)
}

/// The place and scale of a thermograph in a picture.
struct Easel<'a> {
    graph: &'a Thermograph,
    frame: Frame,
    /// The origin of the drawing.
    left: f64,
}

impl<'a> Easel<'a> {
    /// Fits a whole thermograph.
    fn around(graph: &'a Thermograph) -> Easel<'a> {
        let easel = Easel {
            graph,
            frame: Frame::around(graph),
            left: EDGE,
        };
        Easel {
            left: easel.room_for_temperatures(),
            ..easel
        }
    }

    /// Temperatures are left of the drawing.
    fn room_for_temperatures(&self) -> f64 {
        let widths = self.temperatures().into_iter().map(|mark| match mark {
            Mark::Words(words) => font::width(&words.text, LETTERS, false) + 10.0,
            _ => 0.0,
        });
        widths.fold(EDGE, f64::max)
    }

    fn scene(&self, title: &str) -> Scene {
        let layer = |name, marks| Layer { name, marks };
        Scene {
            title: format!("Thermograph of {title}"),
            width: WIDTH,
            height: HEIGHT,
            stamps: Vec::new(),
            layers: vec![
                layer("paper", vec![paper(WIDTH, HEIGHT)]),
                layer("axes", self.axes()),
                layer("walls", self.walls()),
                layer("numbers", self.numbers(title)),
            ],
        }
    }

    fn x(&self, value: f64) -> f64 {
        self.left + self.frame.across(value) * (WIDTH - EDGE - self.left)
    }

    fn y(&self, t: f64) -> f64 {
        EDGE + self.frame.down(t) * (HEIGHT - 2.0 * EDGE)
    }

    /// Temperature 0 across, temperatures at the left.
    fn axes(&self) -> Vec<Mark> {
        let zero = self.y(0.0);
        let axis = Look::line(Ink::Faint, 1.0);
        vec![
            stroke(&[(self.left, zero), (WIDTH - EDGE, zero)], axis),
            stroke(&[(self.left, EDGE), (self.left, HEIGHT - EDGE)], axis),
        ]
    }

    /// The walls up to the foot of the mast, and the mast.
    fn walls(&self) -> Vec<Mark> {
        let wall = |wall: usize, ink| {
            let place = |(v, t): &(Number, Number)| (self.x(v.value), self.y(t.value));
            let places: Vec<(f64, f64)> = self.graph.walls[wall].iter().map(place).collect();
            stroke(&places, Look::line(ink, 2.5))
        };
        let (mean, foot) = self.foot();
        vec![
            wall(LEFT, Ink::Blue),
            wall(RIGHT, Ink::Red),
            stroke(&[(mean, foot), (mean, EDGE)], Look::line(Ink::Text, 2.5)),
        ]
    }

    /// The start of the mast.
    fn foot(&self) -> (f64, f64) {
        (
            self.x(self.graph.mean.value),
            self.y(self.graph.temperature.value),
        )
    }

    /// Stops on the axis of temperature 0, the mean above, temperatures beside.
    fn numbers(&self, title: &str) -> Vec<Mark> {
        let (mean, _) = self.foot();
        let above = format!("mean {}", number_text(&self.graph.mean));
        let title = shortened(title, TITLE_LENGTH);
        let mut marks = vec![
            words(mean, EDGE - 10.0, Align::Middle, &above),
            words(WIDTH / 2.0, HEIGHT - 12.0, Align::Middle, &title),
        ];
        marks.extend(self.temperatures());
        marks.extend(self.stops());
        marks
    }

    /// 0, the temperature of the game, and those of the corners, as far as there is room.
    fn temperatures(&self) -> Vec<Mark> {
        let turns = self.graph.walls.iter().flatten().map(|(_, t)| t);
        let zero = Number {
            value: 0.0,
            text: "0".to_owned(),
        };
        let wanted = [&zero, &self.graph.temperature];
        let (mut marks, mut taken) = (Vec::new(), Vec::<f64>::new());
        for t in wanted.into_iter().chain(turns) {
            let y = self.y(t.value);
            if taken.iter().all(|other| (y - other).abs() > LETTERS) {
                taken.push(y);
                marks.push(words(self.left - 5.0, y + 4.0, Align::End, &number_text(t)));
            }
        }
        marks
    }

    /// The stops: Left's to the left of its place, Right's to the right; equal ones once.
    fn stops(&self) -> Vec<Mark> {
        let [left, right] = &self.graph.stops;
        let word = |stop: &Number, aside: f64, align| {
            let x = self.x(stop.value) + aside;
            words(x, self.y(0.0) - 6.0, align, &number_text(stop))
        };
        let mut marks = vec![word(right, 5.0, Align::Start)];
        if left != right {
            marks.push(word(left, -5.0, Align::End));
        }
        marks
    }
}

/// A number beside the drawing.
fn number_text(number: &Number) -> String {
    short(&number.text, number.value, NUMBER_LENGTH)
}

/// The alignment of text at its place.
enum Align {
    Start,
    Middle,
    End,
}

fn words(x: f64, y: f64, align: Align, text: &str) -> Mark {
    let width = font::width(text, LETTERS, false);
    let (x, anchor) = match align {
        Align::Start => (x, Anchor::Start),
        Align::Middle => (x, Anchor::Middle),
        Align::End => (x - width, Anchor::Start),
    };
    // Beside a wall near the edge there may be no room: keep the text inside the picture.
    let x = match anchor {
        Anchor::Middle => x.clamp(
            width / 2.0 + 2.0,
            (WIDTH - width / 2.0 - 2.0).max(width / 2.0 + 2.0),
        ),
        _ => x.min(WIDTH - width - 2.0).max(2.0),
    };
    Mark::Words(Words {
        x,
        y,
        anchor,
        size: LETTERS,
        bold: false,
        ink: Ink::Text,
        text: text.to_owned(),
        note: None,
    })
}

fn stroke(places: &[(f64, f64)], look: Look) -> Mark {
    let steps = places.iter().enumerate().map(|(at, &(x, y))| match at {
        0 => PathStep::Move(x, y),
        _ => PathStep::Line(x, y),
    });
    Mark::Shape(Shape::Path(steps.collect()), look)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(value: f64, text: &str) -> Number {
        Number {
            value,
            text: text.to_owned(),
        }
    }

    /// The thermograph of the switch {high | low}.
    fn switch(high: (f64, &str), low: (f64, &str)) -> Thermograph {
        let (mean, temperature) = ((high.0 + low.0) / 2.0, (high.0 - low.0) / 2.0);
        let top = || (number(mean, "m"), number(temperature, "t"));
        let wall = |(value, text): (f64, &str), bend: f64| {
            let cold = (number(value + bend, text), number(-1.0, "-1"));
            vec![cold, top()]
        };
        Thermograph {
            walls: [wall(high, 1.0), wall(low, -1.0)],
            mean: number(mean, "m"),
            temperature: number(temperature, "t"),
            stops: [number(high.0, high.1), number(low.0, low.1)],
        }
    }

    /// The least and greatest coordinates of text in a picture.
    fn extent(graph: &Thermograph) -> (f64, f64) {
        let marks = Easel::around(graph).numbers("a title");
        marks.iter().fold((WIDTH, 0.0), |(least, most), mark| {
            let Mark::Words(words) = mark else {
                return (least, most);
            };
            let width = font::width(&words.text, LETTERS, false);
            let start = match words.anchor {
                Anchor::Middle => words.x - width / 2.0,
                Anchor::Start => words.x,
            };
            (least.min(start), most.max(start + width))
        })
    }

    #[test]
    fn large_and_small_numbers_fit() {
        let cases = [
            ((4.0, "4"), (-1.0, "-1")),
            ((1e6, "1000000"), (-1e6, "-1000000")),
            ((1e32, "100000000000000000000000000000000"), (-1.0, "-1")),
            ((1e-6, "1/1048576"), (-1e-6, "-1/1048576")),
        ];
        for (high, low) in cases {
            let graph = switch(high, low);
            let (least, most) = extent(&graph);
            assert!(least >= 0.0 && most <= WIDTH, "{high:?}: {least} to {most}");
            let drawn = thermograph_text(&graph, 60, 16);
            let mut axes = drawn
                .lines()
                .take(14)
                .map(|line| line.chars().position(|c| c == '┤'));
            assert!(axes.all(|at| at == Some(8)), "{drawn}");
        }
    }
}
