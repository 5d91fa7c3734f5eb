//! Lines of text as a picture of a terminal.

use anstyle::{Ansi256Color, Reset};
use anstyle_svg::Term;

use crate::ink::Line;
use crate::printer::printable_line;

/// Light text on a dark ground, as an SVG file.
pub fn svg(lines: &[Line]) -> String {
    let mut text = String::new();
    for line in lines {
        for span in line.spans() {
            let style = span.ink.style();
            text += &format!("{style}{}{Reset}", printable_line(&span.text));
        }
        text.push('\n');
    }
    let term = Term::new()
        .fg_color(Ansi256Color(252).into())
        .bg_color(Ansi256Color(234).into());
    term.render_svg(&text)
}
