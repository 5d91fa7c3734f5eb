//! The colours of the screen, as many as the terminal has.

use desk::Color as Side;
use desk::annotation::Paint;
use ratatui_core::style::{Color, Modifier, Style};
use ratatui_core::text::{Line as Text, Span};

use super::graphics::distance;
use crate::board::Field;
use crate::ink::{Ink, Line};

/// Which colours there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Palette {
    /// None: shapes and signs only.
    Plain,
    /// The sixteen that every terminal has.
    Sixteen,
    /// Two hundred and fifty-six.
    Many,
    /// All of them.
    All,
}

impl Palette {
    /// The colours of the terminal, according to the environment.
    pub fn new(coloured: bool) -> Palette {
        let variable = |name| std::env::var(name).unwrap_or_default();
        let many = !variable("COLORTERM").is_empty() || variable("TERM").contains("256");
        let all = ["truecolor", "24bit"].contains(&variable("COLORTERM").as_str());
        if !coloured {
            Palette::Plain
        } else if all {
            Palette::All
        } else if many {
            Palette::Many
        } else {
            Palette::Sixteen
        }
    }

    /// True if there are enough colours for pictures.
    pub fn has_many(self) -> bool {
        matches!(self, Palette::Many | Palette::All)
    }

    /// The nearest colour.
    pub fn rgb(self, [red, green, blue]: [u8; 3]) -> Color {
        match self {
            Palette::All => Color::Rgb(red, green, blue),
            _ => Color::Indexed(nearest([red, green, blue])),
        }
    }

    /// How an ink is drawn.
    pub fn style(self, ink: Ink) -> Style {
        let style = ink.style();
        let mut drawn = Style::new();
        if let (Some(anstyle::Color::Ansi(color)), true) =
            (style.get_fg_color(), self != Palette::Plain)
        {
            drawn = drawn.fg(Color::Indexed(color as u8));
        }
        let effects = style.get_effects();
        for (effect, modifier) in [
            (anstyle::Effects::BOLD, Modifier::BOLD),
            (anstyle::Effects::DIMMED, Modifier::DIM),
            (anstyle::Effects::INVERT, Modifier::REVERSED),
        ] {
            if effects.contains(effect) {
                drawn = drawn.add_modifier(modifier);
            }
        }
        drawn
    }

    /// The square's own colour; marks and the last move paint over it.
    pub fn square(self, field: &Field, picked: bool) -> Style {
        let (many, sixteen) = match (picked, field.paint, field.last, field.is_dark()) {
            (true, ..) => (178, 11),
            (_, Some(Paint::Green), ..) => (71, 10),
            (_, Some(Paint::Red), ..) => (167, 9),
            (_, Some(Paint::Yellow), ..) => (178, 11),
            (_, Some(Paint::Blue), ..) => (68, 12),
            (_, _, true, false) => (107, 3),
            (_, _, true, true) => (64, 3),
            (_, _, _, false) => (137, 7),
            (_, _, _, true) => (94, 6),
        };
        match self {
            Palette::Plain => Style::new(),
            Palette::Sixteen => Style::new()
                .fg(Color::Indexed(0))
                .bg(Color::Indexed(sixteen)),
            Palette::Many | Palette::All => {
                let is_white = field.piece.is_some_and(|piece| piece.color == Side::White);
                let front = if is_white { 231 } else { 16 };
                let style = Style::new().fg(Color::Indexed(front));
                style.bg(Color::Indexed(many)).add_modifier(Modifier::BOLD)
            }
        }
    }

    /// A line with its inks.
    pub fn line(self, line: &Line) -> Text<'static> {
        let spans = line
            .spans
            .iter()
            .map(|span| Span::styled(span.text.clone(), self.style(span.ink)));
        Text::from(spans.collect::<Vec<_>>())
    }
}

/// The nearest of the 216 colours of the cube and the 24 greys of terminals with 256 colours.
fn nearest(rgb: [u8; 3]) -> u8 {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let level = |part: u8| {
        let distances = LEVELS.iter().map(|&level| level.abs_diff(part));
        let least = distances.enumerate().min_by_key(|&(_, distance)| distance);
        least.map_or(0, |(index, _)| index as u8)
    };
    let [red, green, blue] = rgb.map(level);
    let cube = [red, green, blue].map(|level| LEVELS[usize::from(level)]);
    let light = rgb.iter().map(|&part| u16::from(part)).sum::<u16>() / 3;
    let step = (light.saturating_sub(3) / 10).min(23) as u8;
    let grey = [8 + 10 * step; 3];
    if distance(rgb, grey) < distance(rgb, cube) {
        232 + step
    } else {
        16 + 36 * red + 6 * green + blue
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Indices as in the table of xterm.
    #[test]
    fn colours_are_found_in_the_256() {
        for (rgb, index) in [
            ([0, 0, 0], 16),
            ([255, 255, 255], 231),
            ([255, 0, 0], 196),
            ([95, 135, 175], 67),
            ([118, 118, 118], 243),
            ([250, 1, 3], 196),
        ] {
            assert_eq!(nearest(rgb), index, "{rgb:?}");
        }
    }
}
