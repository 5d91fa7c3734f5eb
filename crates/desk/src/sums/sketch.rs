//! Thermographs drawn: as text and as SVG.
//!
//! Temperature goes up; as is the custom, Left's side is on the left, so values fall from left to
//! right.

use std::fmt::Write;

use super::asked::points;
use super::{Dyadic, Player, Thermograph};

/// What a drawing covers, in numbers of either direction.
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
        let walls = Player::BOTH.map(|player| points(graph, player));
        let values = walls.iter().flatten().map(|(value, _)| value.to_f64());
        let (least, most) = values.fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(x), b.max(x)));
        let foot = graph.temperature().to_f64();
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

/// A drawing in so many columns and lines, axes included.
pub fn text(graph: &Thermograph, columns: usize, lines: usize) -> String {
    let (columns, lines) = (columns.clamp(40, 400), lines.clamp(8, 200));
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
        sheet.draw_row(graph, &frame, row, frame.top - step * row as f64);
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
    fn draw_row(&mut self, graph: &Thermograph, frame: &Frame, row: usize, t: f64) {
        let [left, right] =
            Player::BOTH.map(|player| self.column(frame, value_at(graph, player, t)));
        match left == right {
            true => self.cells[row][left] = '│',
            false => {
                self.cells[row][left] = self.stroke(graph, Player::Left, t);
                self.cells[row][right] = self.stroke(graph, Player::Right, t);
            }
        }
    }

    fn column(&self, frame: &Frame, value: f64) -> usize {
        let last = self.cells[0].len() - 1;
        ((frame.across(value) * last as f64).round().max(0.0) as usize).min(last)
    }

    /// Upright, or slanted the way the wall goes.
    fn stroke(&self, graph: &Thermograph, player: Player, t: f64) -> char {
        let (here, above) = (
            value_at(graph, player, t),
            value_at(graph, player, t + 1e-6),
        );
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
                t.to_string()
            } else {
                String::new()
            };
            out.push_str(format!("{label:>7} ┤{line}").trim_end());
            out.push('\n');
        }
        out
    }
}

/// The axis of values, with the stops and the mean where there is room.
fn values_line(graph: &Thermograph, frame: &Frame, width: usize) -> String {
    let mut axis = vec!['─'; width];
    let mut names = vec![' '; width];
    let zero = Dyadic::ZERO;
    let marks = [
        graph.mean().clone(),
        graph.wall(Player::Left).at(&zero),
        graph.wall(Player::Right).at(&zero),
    ];
    for value in marks {
        let at = ((frame.across(value.to_f64()) * (width - 1) as f64)
            .round()
            .max(0.0) as usize)
            .min(width - 1);
        let name: Vec<char> = value.to_string().chars().collect();
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
fn value_at(graph: &Thermograph, player: Player, t: f64) -> f64 {
    let corners: Vec<(f64, f64)> = points(graph, player)
        .iter()
        .map(|(v, t)| (v.to_f64(), t.to_f64()))
        .collect();
    let mut value = corners[0].0;
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

/// A picture of its own.
pub fn svg(graph: &Thermograph, title: &str) -> String {
    const WIDTH: f64 = 480.0;
    const HEIGHT: f64 = 360.0;
    const EDGE: f64 = 40.0;
    let frame = Frame::around(graph);
    let x = |value: f64| EDGE + frame.across(value) * (WIDTH - 2.0 * EDGE);
    let y = |t: f64| EDGE + frame.down(t) * (HEIGHT - 2.0 * EDGE);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\">\n\
         <title>Thermograph of {}</title>\n\
         <style>text{{font:12px sans-serif;fill:#333}}.axis{{stroke:#999}}.wall{{fill:none;stroke-width:2.5;stroke-linejoin:round}}\
         .left{{stroke:#1f6fb4}}.right{{stroke:#c0392b}}.mast{{stroke:#333}}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        escape(title)
    );
    // 1. Axes: temperature 0 across, its numbers at the left.
    let mut line = |class: &str, from: (f64, f64), to: (f64, f64)| {
        writeln!(
            out,
            "<line class=\"{class}\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"/>",
            from.0, from.1, to.0, to.1
        )
    };
    let _ = line("axis", (EDGE, y(0.0)), (WIDTH - EDGE, y(0.0)));
    let _ = line("axis", (EDGE, EDGE), (EDGE, HEIGHT - EDGE));
    // 2. The walls up to the foot of the mast, and the mast with an arrow's length above it.
    for (player, class) in [(Player::Left, "left"), (Player::Right, "right")] {
        let path: Vec<String> = points(graph, player)
            .iter()
            .map(|(v, t)| format!("{:.1},{:.1}", x(v.to_f64()), y(t.to_f64())))
            .collect();
        let _ = writeln!(
            out,
            "<polyline class=\"wall {class}\" points=\"{}\"/>",
            path.join(" ")
        );
    }
    let (mean, foot) = (graph.mean().to_f64(), graph.temperature().to_f64());
    let _ = writeln!(
        out,
        "<line class=\"wall mast\" x1=\"{0:.1}\" y1=\"{1:.1}\" x2=\"{0:.1}\" y2=\"{2:.1}\"/>",
        x(mean),
        y(foot),
        EDGE
    );
    // 3. What the figures are: stops on the axis of temperature 0, mean above, temperature beside.
    let mut label = |at: (f64, f64), anchor: &str, text: &str| {
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>",
            at.0,
            at.1,
            escape(text)
        );
    };
    label(
        (x(mean), EDGE - 8.0),
        "middle",
        &format!("mean {}", graph.mean()),
    );
    label(
        (EDGE - 4.0, y(foot) + 4.0),
        "end",
        &graph.temperature().to_string(),
    );
    label((EDGE - 4.0, y(0.0) + 4.0), "end", "0");
    let zero = Dyadic::ZERO;
    for (player, anchor) in [(Player::Left, "end"), (Player::Right, "start")] {
        let stop = graph.wall(player).at(&zero);
        let aside = if player == Player::Left { -5.0 } else { 5.0 };
        label(
            (x(stop.to_f64()) + aside, y(0.0) + 16.0),
            anchor,
            &stop.to_string(),
        );
    }
    label((WIDTH / 2.0, HEIGHT - 10.0), "middle", &shortened(title));
    out.push_str("</svg>\n");
    out
}

fn shortened(title: &str) -> String {
    match title.chars().count() {
        ..=70 => title.to_owned(),
        _ => title.chars().take(69).chain(['…']).collect(),
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
